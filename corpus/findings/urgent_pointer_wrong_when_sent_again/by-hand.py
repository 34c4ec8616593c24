#!/usr/bin/env python3
"""urgent_pointer_wrong_when_sent_again (RFC 9293 section 3.8.5, MUST-62): SEG.SEQ plus the urgent pointer is the octet
behind the urgent text, in every segment. 536 urgent octets go out in one segment; they are lost, and since the stack has
SACK blocks to send by then, they go again in two. Linux 6.18.44 has segmentation cut them, which copies the header, so
that the second one points 524 octets too far. (packetdrill's device takes both in one packet, unless segmentation offload
is off as in by-hand.pkt.) Exit code 1 where the fault stands, 0 where it does not.

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
SYN, ACK, URG = 2, 16, 32


def checksum(octets):
    octets += b"\0" * (len(octets) % 2)
    total = sum(struct.unpack(f"!{len(octets) // 2}H", octets))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return struct.pack("!H", ~total & 0xFFFF)


def inject(flags, seq, ack=0, options=b"", text=b""):
    tcp = struct.pack("!HHIIBBHHH", 40000, 8080, seq, ack, (5 + len(options) // 4) << 4, flags, 65535, 0, 0)
    tcp += options + text
    pseudo = PEER + STACK + struct.pack("!HH", 6, len(tcp))
    tcp = tcp[:16] + checksum(pseudo + tcp) + tcp[18:]
    ip = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(tcp), 0, 0, 64, 6, 0) + PEER + STACK
    os.write(tun, ip[:10] + checksum(ip) + ip[12:] + tcp)


def sack(*blocks):
    edges = b"".join(struct.pack("!II", left, right) for left, right in blocks)
    return struct.pack("!BBBB", 1, 1, 5, 2 + len(edges)) + edges


def answers():
    """Sequence number, flags, urgent pointer and length of the segments that the stack sends until it is quiet."""
    while select.select([tun], [], [], 0.1)[0]:
        packet = os.read(tun, 65535)
        if packet[0] >> 4 == 4 and packet[9] == 6:
            tcp = packet[20:]
            yield struct.unpack("!I", tcp[4:8])[0], tcp[13], struct.unpack("!H", tcp[18:20])[0], len(tcp) - (tcp[12] >> 4) * 4


tun = os.open("/dev/net/tun", os.O_RDWR)
fcntl.ioctl(tun, 0x400454CA, struct.pack("16sH14x", b"tun0", 0x1001))
for command in ("link set tun0 up", "addr add 192.168.0.1/24 dev tun0", "route add 192.0.2.0/24 dev tun0"):
    subprocess.run(["ip", *command.split()], check=True)
listener = socket.create_server(("192.168.0.1", 8080))

inject(SYN, ISN, options=struct.pack("!BBHBBBB", 2, 4, 536, 1, 1, 4, 2))
iss = next(answers())[0]
inject(ACK, ISN + 1, iss + 1)
connection = listener.accept()[0]
connection.send(b"u" * 536, socket.MSG_OOB)
for _ in range(3):
    connection.send(b"x" * 536)
# Text of the peer's leaves a gap, so that every segment of the stack's has a block from now on.
inject(ACK, ISN + 11, iss + 1, text=b"y")
list(answers())
end = iss + 1 + 536
wrong = False
inject(ACK, ISN + 12, iss + 1, sack((end, end + 3 * 536)))
for seq, flags, urgent, length in answers():
    if length and flags & URG:
        right = end - seq
        wrong |= urgent != right
        print(f"sent again {seq - iss}:{seq - iss + length} urg {urgent} (right: {right})")
sys.exit(1 if wrong else 0)
