#!/usr/bin/env python3
"""time_wait_stamped_without_agreement (RFC 7323 section 3.2): the SYN carries no timestamps, so no later segment of the
stack may. One stray option on the peer's handshake acknowledgment is to be ignored. Linux 6.18.44 sends none on the
connection, but answers from TIME-WAIT with TSecr 4000. Exit code 1 where the fault stands, 0 where it does not.

    unshare -n python3 by-hand.py
"""

import fcntl
import os
import select
import socket
import struct
import subprocess
import sys

STACK, PEER = socket.inet_aton("192.168.0.1"), socket.inet_aton("192.0.2.1")
ISN = 1000
FIN, SYN, ACK = 1, 2, 16


def checksum(octets):
    total = sum(struct.unpack(f"!{len(octets) // 2}H", octets))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return struct.pack("!H", ~total & 0xFFFF)


def inject(flags, seq, ack=0, options=b""):
    tcp = struct.pack("!HHIIBBHHH", 40000, 8080, seq, ack, (5 + len(options) // 4) << 4, flags, 65535, 0, 0) + options
    pseudo = PEER + STACK + struct.pack("!HH", 6, len(tcp))
    tcp = tcp[:16] + checksum(pseudo + tcp) + tcp[18:]
    ip = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(tcp), 0, 0, 64, 6, 0) + PEER + STACK
    os.write(tun, ip[:10] + checksum(ip) + ip[12:] + tcp)


def answer():
    """Sequence number and options of the next TCP segment that the stack sends."""
    while select.select([tun], [], [], 2)[0]:
        packet = os.read(tun, 65535)
        if packet[0] >> 4 == 4 and packet[9] == 6:
            tcp = packet[20:]
            return struct.unpack("!I", tcp[4:8])[0], tcp[20 : (tcp[12] >> 4) * 4]
    sys.exit("no answer within two seconds")


tun = os.open("/dev/net/tun", os.O_RDWR)
fcntl.ioctl(tun, 0x400454CA, struct.pack("16sH14x", b"tun0", 0x1001))
for command in ("link set tun0 up", "addr add 192.168.0.1/24 dev tun0", "route add 192.0.2.0/24 dev tun0"):
    subprocess.run(["ip", *command.split()], check=True)
listener = socket.create_server(("192.168.0.1", 8080))

inject(SYN, ISN, options=struct.pack("!BBH", 2, 4, 1460))
iss, _ = answer()
inject(ACK, ISN + 1, iss + 1, struct.pack("!BBBBII", 1, 1, 8, 10, 4000, 0))
listener.accept()[0].close()
print("FIN:               options", answer()[1].hex() or "none")
inject(FIN | ACK, ISN + 1, iss + 2)
print("answer to the FIN: options", answer()[1].hex() or "none")
inject(FIN | ACK, ISN + 1, iss + 2)
late = answer()[1]
print("from TIME-WAIT:    options", late.hex() or "none", "(right: none)")
sys.exit(1 if late else 0)
