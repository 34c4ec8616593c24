//! What the parser makes of scripts, and of what is none.
//! Packetdrill's grammar.

use ackward_packetdrill::{Parsed, parse};

const SCRIPT: &str = r#"// A comment.
--ip_version=ipv4   // to the reader
--local_ip=192.168.0.2
--define=CC="reno"

`../common/defaults.sh
sysctl -q net.ipv4.tcp_ecn=1`

    0 socket(..., SOCK_STREAM, IPPROTO_TCP) = 3
   +0 bind(3, {sa_family = AF_INET, sin_port = htons(8080),
               sin_addr = inet_addr("192.168.0.2")}, ...) = 0
 +.1...0.35 connect(3, ..., ...) = -1 EINPROGRESS (Operation now in progress)
+.1~+.25 > [ect01] SEWA 0:0(0) win 65535 <mss 1460,sackOK,TS val 100 ecr 0,nop,wscale 8>
   +0 < (tos 0x28, flowlabel 0x1) P5. 1:1001(1000) ack 1 win 257 urg 7 <nop,nop,sack 3:5 7:9>
   +0 < . 1:1(0) ack 1 win 0 <ECN e1b 1 ceb 0 e0b 1,nop,FO 3021b9d889017eeb,eol,eol>
    * > R. ...(0) ack 1 win 5 <...>/udp(9899 > 1)
   +0 < icmp unreachable frag_needed mtu 1300 [1:1001(1000)]
   +0 > udp (4)
   +0 epoll_ctl(4, EPOLL_CTL_ADD, 3, {events=EPOLLIN|EPOLLERR, fd=3}) = 0
   +0 sendmsg(3, {msg_name(...)=..., msg_iov(1)=[{..., 4}], msg_flags=0}, 0x40) = 4 (flags)
   +0 send(3, "a\"b" "c", 2, 0) = 2
   +0 %{  assert tcpi_state == 1
print("}")  }%
1.5 `true`
`cleanup`
"#;

#[test]
fn everything_of_the_dialect_is_read_and_written_again() {
    let Parsed { script, lines } = parse(SCRIPT).expect("a script");
    assert_eq!(
        script.options,
        [
            "--ip_version=ipv4",
            "--local_ip=192.168.0.2",
            "--define=CC=\"reno\""
        ]
    );
    assert_eq!(
        script.init,
        ["../common/defaults.sh", "sysctl -q net.ipv4.tcp_ecn=1"]
    );
    assert_eq!(script.cleanup.as_deref(), Some("cleanup"));
    let printed: Vec<String> = script.events().map(ToString::to_string).collect();
    assert_eq!(
        printed,
        [
            "    0 socket(..., SOCK_STREAM, IPPROTO_TCP) = 3",
            "   +0 bind(3, {sa_family=AF_INET, sin_port=htons(8080), sin_addr=inet_addr(\"192.168.0.2\")}, ...) = 0",
            "+.1....35 connect(3, ..., ...) = -1 EINPROGRESS (Operation now in progress)",
            "+.1~+.25 > [ect01] ASEW 0:0(0) win 65535 <mss 1460,sackOK,TS val 100 ecr 0,nop,wscale 8>",
            "   +0 < [tos 0x28,flowlabel 0x1] P.5 1:1001(1000) ack 1 win 257 urg 7 <nop,nop,sack 3:5 7:9>",
            "   +0 < . 1:1(0) ack 1 win 0 <ECN e1b 1 ceb 0 e0b 1,nop,FO 3021b9d889017eeb,eol,eol>",
            "    * > R. ...(0) ack 1 win 5 <...>/udp(9899 > 1)",
            "   +0 < icmp unreachable frag_needed mtu 1300 [1:1001(1000)]",
            "   +0 > udp (4)",
            "   +0 epoll_ctl(4, EPOLL_CTL_ADD, 3, {events=EPOLLIN|EPOLLERR, fd=3}) = 0",
            "   +0 sendmsg(3, {msg_name(...)=..., msg_iov(1)=[{..., 4}], msg_flags=0}, 0x40) = 4 (flags)",
            "   +0 send(3, \"a\\\"b\" \"c\", 2, 0) = 2",
            "   +0 %{ assert tcpi_state == 1\nprint(\"}\") }%",
            "  1.5 `true`",
        ]
    );
    assert_eq!(
        lines,
        [9, 10, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 24]
    );
    assert_eq!(parse(&script.to_string()).expect("a script").script, script);
}

#[test]
fn what_cannot_be_read_is_named_with_its_place() {
    let error = |line: &str| {
        let text = format!("0 `true`\n// é\n{line}\n");
        parse(&text).expect_err("this cannot be read").to_string()
    };
    let cases = [
        (
            "+0 < S 0:0(0)",
            "line 3, column 6: a segment that is injected has a window (`win 1000`)",
        ),
        (
            "+0 < S 0:5(4) win 1",
            "line 3, column 8: 0:5(4) does not add up: the second number is the first and the amount of octets, and under 2^32",
        ),
        (
            "+0 < S 0:0(0) win 65536",
            "line 3, column 19: a window is a number from 0 to 65535",
        ),
        (
            "+0 > S 0:0(0) <mss 1460,nop>",
            "line 3, column 15: options fill a multiple of four octets, with `nop` or `eol` between or behind them, and at most 40; these fill 5",
        ),
        (
            "+0 > S 0:0(0) <msss 1460>",
            "line 3, column 16: one of the options `nop`, `eol`, `mss`, `wscale`, `sackOK`, `sack`, `TS`, `md5`, `FO`, `FOEXP` and `ECN` belongs here, not `msss`",
        ),
        (
            "+0 > X 0:0(0)",
            "line 3, column 6: control bits are letters out of `FSRPEWAU.`, each once, `-` for none, and one digit out of 0 to 7 in the place of `E`, `W` and `A`; `X` is not",
        ),
        (
            "+0 read(3, ..., 5",
            "line 4, column 1: `,` or `)` belongs here, but the script ends",
        ),
        (
            "+0 read(3, ..., 5) 5",
            "line 3, column 20: `=` and what the call returns belongs here, not `5`",
        ),
        (
            "+0~+1 close(3) = 0",
            "line 3, column 7: only a segment that is awaited (`>`) may come at any time or within two",
        ),
        (
            "+0 `unfinished",
            "line 4, column 1: the closing quote belongs here, but the script ends",
        ),
        (
            "close(3) = 0",
            "line 3, column 1: a time (`+0`, `.1`, `*`) belongs here, not `close(3)`",
        ),
        (
            "+0 ?",
            "line 3, column 4: a segment (`<`, `>`), a system call, a command (in backquotes) or `%{ code }%` belongs here, not `?`",
        ),
        (
            "+2~+1 > . 1:1(0)",
            "line 3, column 3: the second of two times is not before the first",
        ),
        (
            "+0 > icmp unreachable",
            "line 3, column 6: ICMP messages are injected (`<`), not awaited",
        ),
    ];
    for (line, message) in cases {
        assert_eq!(error(line), message, "{line}");
    }
}

#[test]
fn brackets_nested_without_end_are_refused() {
    let text = format!("0 read({}", "[".repeat(100_000));
    let error = parse(&text).expect_err("no script").to_string();
    assert!(error.ends_with("this is nested too deeply"), "{error}");
}
