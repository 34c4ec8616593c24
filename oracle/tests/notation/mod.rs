//! Transcripts in packetdrill-like notation, for tests: `<` goes into the stack, `>` comes out of it.
//!
//! ```text
//! < S 0:0(0) win 20000 <mss 1000,sackOK,TS 100/0>
//! > S. 0:0(0) ack 1 win 65160 <mss 1460,sackOK,TS 700/100,wscale 7>
//! < . 1:1(0) ack 1 win 20000 <TS 110/700>
//! write 17
//! < P. 18:35(17) ack 18 win 20000 <TS 310/701> copy 2
//! read 10 = data 0
//! wait 600
//! ```
#![allow(dead_code)] // Each test file uses its part of this.

use ackward_model::payload::{peer_octet, peer_text, stack_text};
use ackward_model::{
    Address, Call, Carrier, Event, Flags, Icmp, IcmpKind, OpenMode, Options, Origin, Outcome,
    SackBlock, SackBlocks, Sample, Segment, SeqNum, SocketOption, Sysctl, TcpOption, Trace, TsVal,
    Window, WindowField,
};
use ackward_oracle::profile::Quirk;
use ackward_oracle::{Divergence, Judge, NoCoverage, Profile, Verdict};

pub(crate) const PEER_ISN: u32 = 0xFFFF_FF00;
pub(crate) const STACK_ISS: u32 = 5_000_000;

/// The trace that `text` describes; a first line `active` makes it an active open.
pub(crate) fn trace(text: &str) -> Trace {
    let mut trace = Trace::default();
    let mut now = 0;
    let mut read = 0;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        now += 10;
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["active"] => {
                trace.open = OpenMode::Active;
                call(&mut trace, now, Call::Connect, Outcome::Done(0));
            }
            ["<", "icmp", kind, seq, rest @ ..] => {
                let kind = match *kind {
                    "unreachable" => IcmpKind::HostUnreachable,
                    "port" => IcmpKind::PortUnreachable,
                    "quench" => IcmpKind::SourceQuench,
                    other => panic!("no message {other}"),
                };
                trace.push(
                    now,
                    Event::Icmp(Icmp {
                        kind,
                        seq: SeqNum(STACK_ISS) + number(seq),
                        foreign: *rest == ["foreign"],
                    }),
                );
            }
            ["<", rest @ ..] => {
                let step = trace.entries.len();
                trace.push(now, Event::In(segment(rest, true), Origin::Step(step)));
            }
            [">", rest @ ..] => trace.push(now, Event::Out(segment(rest, false))),
            ["accept"] => call(&mut trace, now, Call::Accept, Outcome::Done(0)),
            ["accept", "=", "nothing"] => call(&mut trace, now, Call::Accept, Outcome::Error(11)),
            ["close"] => call(&mut trace, now, Call::Close, Outcome::Done(0)),
            ["listen"] => call(&mut trace, now, Call::Listen, Outcome::Done(0)),
            ["listen", "=", "refused"] => call(&mut trace, now, Call::Listen, Outcome::Error(98)),
            ["shutdown"] => call(&mut trace, now, Call::ShutdownWrite, Outcome::Done(0)),
            ["write", octets] => {
                let octets = number(octets);
                call(&mut trace, now, Call::Write(octets), Outcome::Done(octets));
            }
            ["urgent", octets] => {
                let octets = number(octets);
                let written = Outcome::Done(octets);
                call(&mut trace, now, Call::WriteUrgent(octets), written);
            }
            ["poll", "=", told] => {
                call(&mut trace, now, Call::Urgent, Outcome::Done(number(told)));
            }
            ["write", octets, "=", "error", errno] => {
                let refused = Outcome::Error(number(errno) as i32);
                call(&mut trace, now, Call::Write(number(octets)), refused);
            }
            ["read", octets, "=", "data", copy] => {
                let (octets, copy) = (number(octets), number(copy) as u8);
                let data = (read..read + octets)
                    .map(|offset| peer_octet(offset, copy))
                    .collect();
                read += octets;
                call(&mut trace, now, Call::Read(octets), Outcome::Data(data));
            }
            ["read", octets, "=", "end"] => {
                call(
                    &mut trace,
                    now,
                    Call::Read(number(octets)),
                    Outcome::Data(Vec::new()),
                );
            }
            ["read", octets, "=", "nothing"] => {
                call(
                    &mut trace,
                    now,
                    Call::Read(number(octets)),
                    Outcome::Error(11),
                );
            }
            ["read", octets, "=", "reset"] => {
                let read = Call::Read(number(octets));
                call(&mut trace, now, read, Outcome::Error(104));
            }
            ["sample", "rtt", microseconds] => {
                let rtt = Some(u64::from(number(microseconds)));
                let sample = Sample {
                    rtt,
                    ..Sample::default()
                };
                trace.push(now, Event::Sample(sample));
            }
            ["sample", name, octets] => {
                let window = Some(Window(number(octets)));
                let mut sample = Sample::default();
                match *name {
                    "rcv_wnd" => sample.rcv_wnd = window,
                    "window_clamp" => sample.window_clamp = window,
                    other => panic!("no sample {other}"),
                }
                trace.push(now, Event::Sample(sample));
            }
            ["syncookies"] => trace.sysctls.push(Sysctl::SynCookies(true)),
            ["remote", "broadcast"] => trace.remote_is_void = true,
            ["option", name, value] => {
                let value = number(value);
                trace.socket_options.push(socket_option(name, value));
            }
            ["set", name, value] => {
                let set = Call::Set(socket_option(name, number(value)));
                call(&mut trace, now, set, Outcome::Done(0));
            }
            ["nodelay"] => {
                let set = Call::Set(SocketOption::NoDelay(true));
                call(&mut trace, now, set, Outcome::Done(0));
            }
            ["wait", milliseconds] => {
                let by = u64::from(number(milliseconds)) * 1000;
                trace.push(now, Event::Elapse(by));
                now += by;
            }
            other => panic!("not in the notation: {other:?}"),
        }
    }
    trace
}

fn call(trace: &mut Trace, now: u64, call: Call, outcome: Outcome) {
    trace.push(now, Event::Call(call));
    trace.push(now, Event::Return(outcome));
}

/// What is odd about the addresses that a line gives.
fn address(line: &str) -> Address {
    let odd = [
        ("from multicast", Address::FromMulticast),
        ("to broadcast", Address::ToBroadcast),
        ("from elsewhere", Address::Other),
    ];
    let found = odd.iter().find(|(words, _)| line.contains(words));
    found.map_or(Address::Right, |(_, address)| *address)
}

fn socket_option(name: &str, value: u32) -> SocketOption {
    match name {
        "keepalive" => SocketOption::KeepAlive(value != 0),
        "keepidle" => SocketOption::KeepIdle(value),
        "usertimeout" => SocketOption::UserTimeout(value),
        "tos" => SocketOption::TrafficClass(value as u8),
        "ttl" => SocketOption::TimeToLive(value as u8),
        "inline" => SocketOption::UrgentInline(value == 1),
        other => panic!("no option {other}"),
    }
}

fn number(word: &str) -> u32 {
    word.parse()
        .unwrap_or_else(|_| panic!("not a number: {word}"))
}

fn segment(words: &[&str], inbound: bool) -> Segment {
    let (own, other) = if inbound {
        (PEER_ISN, STACK_ISS)
    } else {
        (STACK_ISS, PEER_ISN)
    };
    let flags = Flags::from_letters(words[0]).expect("flags in packetdrill's letters");
    let (seq, rest) = words[1].split_once(':').expect("seq:end(len)");
    let len = rest.split_once('(').expect("(len)").1.trim_end_matches(')');
    let (seq, len) = (number(seq), number(len));
    let line = words[2..].join(" ");
    let (fields, rest) = line.split_once('<').unwrap_or((&line, ""));
    let (options, tail) = rest.split_once('>').unwrap_or((rest, ""));
    let field = |name: &str| {
        let mut words = fields.split_whitespace().chain(tail.split_whitespace());
        words.find(|word| *word == name)?;
        words.next().map(number)
    };
    let answers_what_has_no_ack = !inbound && flags == Flags::RST | Flags::ACK && seq == 0;
    let own = if answers_what_has_no_ack { 0 } else { own };
    let offset = seq
        .wrapping_sub(1)
        .wrapping_add(u32::from(flags.contains(Flags::SYN)));
    Segment {
        damaged: line.contains("bad checksum"),
        carrier: Carrier {
            traffic_class: field("tos").unwrap_or(0) as u8,
            time_to_live: field("ttl").unwrap_or(64) as u8,
            options: line.contains("ip option"),
            address: address(&line),
        },
        seq: SeqNum(own) + seq,
        ack: field("ack").map_or(SeqNum(0), |ack| SeqNum(other) + ack),
        flags,
        window: WindowField(field("win").unwrap_or(20_000) as u16),
        urgent: field("urg").unwrap_or(0) as u16,
        options: Options(
            options
                .split(',')
                .filter(|o| !o.is_empty())
                .map(|o| option(o, other))
                .fold(Vec::new(), laid_out),
        ),
        payload: if inbound {
            peer_text(offset, len, field("copy").unwrap_or(0) as u8)
        } else {
            stack_text(offset, len)
        },
    }
}

/// Puts `option` behind `options`; timestamps where every stack puts them, but for those behind a lone `nop`.
fn laid_out(mut options: Vec<TcpOption>, option: TcpOption) -> Vec<TcpOption> {
    let place: usize = options.iter().map(TcpOption::wire_len).sum();
    if matches!(option, TcpOption::Timestamps { .. }) && options != [TcpOption::NoOperation] {
        let padding = (6 - place % 4) % 4;
        options.extend(std::iter::repeat_n(TcpOption::NoOperation, padding));
    }
    options.push(option);
    options
}

fn option(text: &str, other: u32) -> TcpOption {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        ["mss", mss] => TcpOption::MaximumSegmentSize(number(mss) as u16),
        ["wscale", shift] => TcpOption::WindowScale(number(shift) as u8),
        ["nop"] => TcpOption::NoOperation,
        ["eol"] => TcpOption::EndOfList,
        ["raw", octets] => {
            let octet = |digits| u8::from_str_radix(digits, 16).expect("octets in base 16");
            let places = (0..octets.len()).step_by(2);
            TcpOption::Raw(
                places
                    .map(|place| octet(&octets[place..place + 2]))
                    .collect(),
            )
        }
        ["sackOK"] => TcpOption::SackPermitted,
        ["TS", values] => {
            let (tsval, tsecr) = values.split_once('/').expect("tsval/tsecr");
            TcpOption::Timestamps {
                tsval: TsVal(number(tsval)),
                tsecr: TsVal(number(tsecr)),
            }
        }
        ["sack", blocks @ ..] => TcpOption::Sack(SackBlocks::new(blocks.iter().map(|block| {
            let (left, right) = block.split_once(':').expect("left:right");
            SackBlock {
                left: SeqNum(other) + number(left),
                right: SeqNum(other) + number(right),
            }
        }))),
        unknown => panic!("no option {unknown:?}"),
    }
}

/// The verdict on a transcript under a built-in profile.
pub(crate) fn judge(profile: &str, text: &str) -> Verdict {
    let profile = Profile::named(profile).expect("a built-in profile");
    Judge::new(&profile).judge(&trace(text), &mut NoCoverage)
}

/// The divergences of a transcript.
pub(crate) fn divergences(profile: &str, text: &str) -> Vec<Divergence> {
    match judge(profile, text) {
        Verdict::Diverges(divergences) => divergences,
        Verdict::Conforms => Vec::new(),
        Verdict::Inconclusive(why) => panic!("inconclusive: {why}"),
    }
}

/// The roots of a transcript.
pub(crate) fn roots(profile: &str, text: &str) -> Vec<String> {
    divergences(profile, text)
        .iter()
        .map(Divergence::root)
        .collect()
}

/// Asserts that nothing in the transcript is wrong.
#[track_caller]
pub(crate) fn conforms(text: &str) {
    let found = divergences("rfc", text);
    assert!(found.is_empty(), "{found:#?}\nin\n{text}");
}

/// Asserts the one root of the transcript.
#[track_caller]
pub(crate) fn diverges(root: &str, text: &str) {
    assert_eq!(roots("rfc", text), [root], "in\n{text}");
}

/// A judge that permits the named deviations and no others.
pub(crate) fn permitting(names: &[&str]) -> Judge {
    let quirk = names.iter().map(|name| Quirk {
        name: (*name).to_owned(),
        reason: String::new(),
    });
    Judge::new(&Profile {
        name: "test".to_owned(),
        quirk: quirk.collect(),
    })
}

/// Whether some event of the trace is wrong where the named deviations are permitted.
pub(crate) fn diverges_under(trace: &Trace, names: &[&str]) -> bool {
    let verdict = permitting(names).judge(trace, &mut NoCoverage);
    matches!(verdict, Verdict::Diverges(_))
}

/// A trace as text; what the notation has no word for is shown in Rust's.
pub(crate) fn transcript(trace: &Trace) -> String {
    let syn = |inbound| {
        let mut segments = trace.entries.iter().filter_map(|entry| match &entry.event {
            Event::In(segment, _) if inbound => Some(segment),
            Event::Out(segment) if !inbound => Some(segment),
            _ => None,
        });
        segments
            .find(|segment| segment.has(Flags::SYN))
            .map_or(SeqNum(0), |syn| syn.seq)
    };
    let (isn, iss) = (syn(true), syn(false));
    let mut text = String::new();
    if trace.open == OpenMode::Active {
        text += "active\n";
    }
    for entry in &trace.entries {
        text += &match &entry.event {
            Event::In(segment, _) => format!("< {}", line(segment, isn, iss)),
            Event::Out(segment) => format!("> {}", line(segment, iss, isn)),
            Event::Return(Outcome::Data(octets)) => format!("= {} octets", octets.len()),
            other => format!("{other:?}"),
        };
        text += "\n";
    }
    text
}

fn line(segment: &Segment, own: SeqNum, other: SeqNum) -> String {
    let seq = segment.seq.offset_from(own);
    let len = segment.payload.len();
    let mut line = format!(
        "{} {seq}:{}({len})",
        segment.flags,
        seq.wrapping_add(len as u32)
    );
    if segment.has(Flags::ACK) {
        line += &format!(" ack {}", segment.ack.offset_from(other));
    }
    line += &format!(" win {}", segment.window.0);
    let words = segment.options.0.iter().filter_map(|option| match option {
        TcpOption::NoOperation => None,
        TcpOption::MaximumSegmentSize(mss) => Some(format!("mss {mss}")),
        TcpOption::WindowScale(shift) => Some(format!("wscale {shift}")),
        TcpOption::SackPermitted => Some("sackOK".to_owned()),
        TcpOption::Timestamps { tsval, tsecr } => Some(format!("TS {tsval:?}/{tsecr:?}")),
        TcpOption::Sack(blocks) => {
            let ends = blocks.as_slice().iter().map(|block| {
                let (left, right) = (
                    block.left.offset_from(other),
                    block.right.offset_from(other),
                );
                format!(" {left}:{right}")
            });
            Some(format!("sack{}", ends.collect::<String>()))
        }
        other => Some(format!("{other:?}")),
    });
    let words: Vec<_> = words.collect();
    if !words.is_empty() {
        line += &format!(" <{}>", words.join(","));
    }
    line
}

/// A conversation in which the stack acknowledges each of `segments` segments of text at once, and is never in doubt about
/// any; where `reading`, the application reads each. Of what its TCB may be, `hypotheses` stay possible throughout: the
/// acknowledgments of segments that cross the edge behind a gap may have counted or not.
pub(crate) fn long_conversation(segments: u32, hypotheses: u32, reading: bool) -> Trace {
    let mut text = "
        < S 0:0(0) win 20000 <mss 1000,sackOK,TS 100/0,wscale 7>
        > S. 0:0(0) ack 1 win 129 <mss 1460,sackOK,TS 700/100,wscale 7>
        < . 1:1(0) ack 1 win 20000 <TS 110/700>
        accept
        write 40
        > P. 1:41(40) ack 1 win 2 <TS 701/110>
    "
    .to_owned();
    for ack in 2..=hypotheses {
        // Of one that crosses the edge behind a gap the acknowledgment may count or not.
        text += &format!("< . 200:300(100) ack {ack} win 20000 <TS 111/701>\n");
    }
    for number in 0..segments {
        let (start, end, tick) = (1 + number * 100, 101 + number * 100, 120 + number);
        text += &format!(
            "< P. {start}:{end}(100) ack 1 win 20000 <TS {tick}/701>
             > . 41:41(0) ack {end} win 520 <TS {}/{tick}>\n",
            702 + number
        );
        if reading {
            text += "read 100 = data 0\n";
        }
    }
    trace(&text)
}
