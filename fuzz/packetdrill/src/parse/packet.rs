//! How the lines about segments and ICMP messages are read.
//! RFC 9293 section 3.1 in packetdrill's notation; `!`, `...(0)`, `/udp(1 > 2)` and more are of the FreeBSD scripts.

use ackward_model::Flags;
use winnow::Parser;
use winnow::combinator::{
    alt, cut_err, delimited, not, opt, peek, preceded, repeat, separated, terminated,
};
use winnow::error::{ContextError, ErrMode, StrContext, StrContextValue};
use winnow::stream::Stream;
use winnow::token::take_while;

use super::expression::name;
use super::token::{self, Input, Read, hexadecimal, keyword, number, space, symbol, wrong};
use crate::ast::{
    AccurateEcn, Action, Ecn, EcnCounter, Icmp, IpField, Numbering, Packet, PacketOption,
    PacketOptions, UdpPorts,
};

/// Octets of options that a header has room for.
const ROOM: usize = 40;

/// `< ...`.
pub(super) fn injected(input: &mut Input<'_>) -> Read<Action> {
    symbol("<").parse_next(input)?;
    let start = input.checkpoint();
    let action = cut_err(datagram(true)).parse_next(input)?;
    let fault = match &action {
        Action::In(packet) => {
            if packet.window.is_none() {
                Some("a segment that is injected has a window (`win 1000`)")
            } else if packet.options == PacketOptions::Unchecked {
                Some("a segment that is injected has options that are known, not `<...>`")
            } else if packet.numbering == Numbering::Unchecked {
                Some("a segment that is injected has a sequence number, not `...`")
            } else {
                either(&packet.ip)
            }
        }
        Action::Icmp(message) => either(&message.ip),
        _ => None,
    };
    match fault {
        None => Ok(action),
        Some(message) => {
            input.reset(&start);
            wrong(message)
        }
    }
}

fn either(fields: &[IpField]) -> Option<&'static str> {
    let either = fields.contains(&IpField::Ecn(Ecn::Either));
    either.then_some("a segment that is injected is marked with one of `ect0` and `ect1`")
}

/// `> ...`.
pub(super) fn expected(input: &mut Input<'_>) -> Read<Action> {
    symbol(">").parse_next(input)?;
    cut_err(datagram(false)).parse_next(input)
}

fn datagram<'a>(injected: bool) -> impl FnMut(&mut Input<'a>) -> Read<Action> {
    move |input| {
        let ip = opt(ip).parse_next(input)?.unwrap_or_default();
        if opt(keyword("udp")).parse_next(input)?.is_some() {
            let octets = delimited(symbol("("), number(16, "an amount of octets"), symbol(")"));
            let mut octets = cut_err(octets.context(described("`(` and an amount of octets")));
            return Ok(Action::Udp(injected, octets.parse_next(input)? as u16));
        }
        let start = input.checkpoint();
        if opt(keyword("icmp")).parse_next(input)?.is_some() {
            if !injected {
                input.reset(&start);
                return wrong("ICMP messages are injected (`<`), not awaited");
            }
            return cut_err(|input: &mut _| icmp(input, ip.clone()))
                .map(Action::Icmp)
                .parse_next(input);
        }
        let packet = segment(input, ip)?;
        Ok(if injected {
            Action::In(packet)
        } else {
            Action::Out(packet)
        })
    }
}

fn described(what: &'static str) -> StrContext {
    StrContext::Expected(StrContextValue::Description(what))
}

/// `[ect0]`, `(ttl 3)`.
fn ip(input: &mut Input<'_>) -> Read<Vec<IpField>> {
    let fields = |close| {
        let close = cut_err(symbol(close).context(described("the end of what is said of IP")));
        terminated(separated(1.., cut_err(ip_field), symbol(",")), close)
    };
    alt((
        preceded(symbol("["), fields("]")),
        preceded(symbol("("), fields(")")),
    ))
    .parse_next(input)
}

fn ip_field(input: &mut Input<'_>) -> Read<IpField> {
    let start = input.checkpoint();
    let name = terminated(opt(token::word), space).parse_next(input)?;
    let octet = |input: &mut _| hexadecimal(8, "an octet in hexadecimal").parse_next(input);
    let hops = |input: &mut _| number(8, "an amount of hops").parse_next(input);
    Ok(match name.unwrap_or_default() {
        "noecn" => IpField::Ecn(Ecn::NotEct),
        "ect0" => IpField::Ecn(Ecn::Ect0),
        "ect1" => IpField::Ecn(Ecn::Ect1),
        "ect01" => IpField::Ecn(Ecn::Either),
        "ce" => IpField::Ecn(Ecn::Ce),
        name @ ("tos" | "class") => IpField::TrafficClass {
            octet: octet(input)? as u8,
            ipv6: name == "class",
        },
        name @ ("ttl" | "hlim") => IpField::TimeToLive {
            hops: hops(input)? as u8,
            ipv6: name == "hlim",
        },
        "flowlabel" => {
            IpField::FlowLabel(hexadecimal(20, "a flow label in hexadecimal").parse_next(input)?)
        }
        _ => {
            input.reset(&start);
            return token::expected(
                "one of `noecn`, `ect0`, `ect1`, `ect01`, `ce`, `tos 0x..`, `class 0x..`, `ttl ..`, `hlim ..` and `flowlabel 0x..`",
                input,
            );
        }
    })
}

fn segment(input: &mut Input<'_>, ip: Vec<IpField>) -> Read<Packet> {
    let ports = opt(ports).parse_next(input)?;
    let (flags, accurate_ecn) = flags(input)?;
    let (seq, len, numbering) = cut_err(sequence).parse_next(input)?;
    let field = |name, bits, what| opt(preceded(keyword(name), number(bits, what)));
    let ack = field("ack", 32, "an acknowledgment number").parse_next(input)?;
    let window = field("win", 16, "a window").parse_next(input)?;
    let urgent = field("urg", 16, "an urgent pointer").parse_next(input)?;
    let options = opt(options).parse_next(input)?.unwrap_or_default();
    let udp = opt(udp).parse_next(input)?;
    Ok(Packet {
        ip,
        ports,
        flags,
        accurate_ecn,
        seq,
        numbering,
        len,
        ack,
        window: window.map(|window| window as u16),
        urgent: urgent
            .map(|urgent| urgent as u16)
            .filter(|urgent| *urgent != 0),
        options,
        udp,
    })
}

/// `80 > 1024`.
fn ports(input: &mut Input<'_>) -> Read<(u16, u16)> {
    let digits = take_while(1.., |c: char| c.is_ascii_digit());
    let source = terminated(digits, (space, symbol(">"))).try_map(str::parse::<u16>);
    (source, number(16, "a port").map(|port| port as u16)).parse_next(input)
}

/// `S.`, `-`, `P5.`.
fn flags(input: &mut Input<'_>) -> Read<(Flags, AccurateEcn)> {
    let start = input.checkpoint();
    let bits = take_while(1.., |c: char| c.is_ascii_alphanumeric() || ".-".contains(c));
    // A dot may stand alone; three are what follows.
    let apart = preceded(space, ('.', not('.')));
    let (text, acknowledges) = (bits, opt(apart))
        .context(described("the control bits (`S`, `P.`, `-`)"))
        .parse_next(input)?;
    let text = format!("{text}{}", if acknowledges.is_some() { "." } else { "" });
    let (counters, letters): (Vec<char>, Vec<char>) =
        text.chars().partition(|c| ('0'..='7').contains(c));
    let accurate = match counters[..] {
        [] if letters.contains(&'A') => Some(AccurateEcn::Set),
        [] => Some(AccurateEcn::Clear),
        [counter] if !letters.iter().any(|letter| "EWA".contains(*letter)) => counter
            .to_digit(8)
            .map(|counter| AccurateEcn::Counter(counter as u8)),
        _ => None,
    };
    let rest: String = letters
        .into_iter()
        .filter(|letter| *letter != 'A')
        .collect();
    let once = |rest: &str| rest.chars().all(|c| rest.matches(c).count() == 1);
    let flags = Flags::from_letters(&rest).filter(|_| once(&rest));
    let (Some(accurate), Some(flags)) = (accurate, flags) else {
        input.reset(&start);
        return wrong(format!(
            "control bits are letters out of `FSRPEWAU.`, each once, `-` for none, and one digit out of 0 to 7 in the place of `E`, `W` and `A`; `{}` is not",
            text.chars().take(20).collect::<String>()
        ));
    };
    space.parse_next(input)?;
    Ok((flags, accurate))
}

/// `1:1001(1000)`, with `!` where it is as on the wire, or `...(1000)`.
fn sequence(input: &mut Input<'_>) -> Read<(u32, u16, Numbering)> {
    let len = || {
        delimited(
            symbol("(").context(described("`(` and an amount of octets")),
            number(16, "an amount of octets").map(|len| len as u16),
            symbol(")").context(described("`)`")),
        )
    };
    if opt(symbol("...")).parse_next(input)?.is_some() {
        let len = cut_err(len()).parse_next(input)?;
        return Ok((0, len, Numbering::Unchecked));
    }
    let (seq, len) = range(input)?;
    let absolute = opt(symbol("!")).parse_next(input)?.is_some();
    let numbering = if absolute {
        Numbering::Absolute
    } else {
        Numbering::Relative
    };
    Ok((seq, len, numbering))
}

/// `1:1001(1000)`.
fn range(input: &mut Input<'_>) -> Read<(u32, u16)> {
    let start = input.checkpoint();
    let what = "a sequence number";
    let colon = || symbol(":").context(described("`:` and the sequence number behind the text"));
    let (first, _, last) =
        (number(32, what), cut_err(colon()), number(32, what)).parse_next(input)?;
    let len = delimited(
        symbol("(").context(described("`(` and an amount of octets")),
        number(16, "an amount of octets"),
        symbol(")").context(described("`)`")),
    );
    let len = cut_err(len).parse_next(input)?;
    if first.checked_add(len) != Some(last) {
        input.reset(&start);
        return wrong(format!(
            "{first}:{last}({len}) does not add up: the second number is the first and the amount of octets, and under 2^32"
        ));
    }
    Ok((first, len as u16))
}

/// `/udp(9899 > 1)`.
fn udp(input: &mut Input<'_>) -> Read<UdpPorts> {
    (symbol("/"), cut_err((keyword("udp"), symbol("(")))).parse_next(input)?;
    let ports = cut_err(ports.context(described("two ports"))).parse_next(input)?;
    cut_err(symbol(")").context(described("`)`"))).parse_next(input)?;
    Ok(UdpPorts(ports.0, ports.1))
}

fn icmp(input: &mut Input<'_>, ip: Vec<IpField>) -> Read<Icmp> {
    let kind = name
        .context(described("the type of the ICMP message"))
        .parse_next(input)?;
    let mtu_follows = |name: &String| name != "mtu";
    let code = opt(name.verify(mtu_follows)).parse_next(input)?;
    let mtu = opt(preceded(keyword("mtu"), number(32, "an MTU"))).parse_next(input)?;
    let mut quoted = None;
    let mut carried = None;
    if opt(symbol("[")).parse_next(input)?.is_some() {
        quoted = Some(cut_err(range).parse_next(input)?);
        carried = opt(udp).parse_next(input)?;
        cut_err(symbol("]").context(described("`]`"))).parse_next(input)?;
    }
    Ok(Icmp {
        ip,
        kind,
        code,
        mtu,
        quoted,
        udp: carried,
    })
}

/// `<nop,nop,TS val 1 ecr 2>`, `<...>`.
fn options(input: &mut Input<'_>) -> Read<PacketOptions> {
    let start = input.checkpoint();
    symbol("<").parse_next(input)?;
    let end = || cut_err(symbol(">").context(described("`,` or `>`")));
    if opt(symbol("...")).parse_next(input)?.is_some() {
        end().parse_next(input)?;
        return Ok(PacketOptions::Unchecked);
    }
    let options: Vec<PacketOption> =
        terminated(separated(1.., cut_err(option), symbol(",")), end()).parse_next(input)?;
    let octets: usize = options.iter().map(PacketOption::wire_len).sum();
    // What a name stands for is not known here.
    let named = options.iter().any(PacketOption::is_named);
    if octets > ROOM || !named && !octets.is_multiple_of(4) {
        input.reset(&start);
        return wrong(format!(
            "options fill a multiple of four octets, with `nop` or `eol` between or behind them, and at most {ROOM}; these fill {octets}"
        ));
    }
    Ok(PacketOptions::Exactly(options))
}

fn option(input: &mut Input<'_>) -> Read<PacketOption> {
    let start = input.checkpoint();
    let name = terminated(opt(token::word), space).parse_next(input)?;
    Ok(match name.unwrap_or_default() {
        "nop" => PacketOption::NoOperation,
        "eol" => PacketOption::EndOfList,
        "mss" => PacketOption::MaximumSegmentSize(number(16, "an MSS").parse_next(input)? as u16),
        "wscale" => PacketOption::WindowScale(number(8, "a shift").parse_next(input)? as u8),
        "sackOK" => PacketOption::SackPermitted,
        "sack" => PacketOption::Sack(blocks(input)?),
        "TS" => PacketOption::Timestamps {
            tsval: preceded(value_name("val"), number(32, "TSval")).parse_next(input)?,
            tsecr: preceded(value_name("ecr"), number(32, "TSecr")).parse_next(input)?,
        },
        "md5" => PacketOption::Md5(
            blob.context(described("a digest"))
                .parse_next(input)?
                .to_owned(),
        ),
        name @ ("FO" | "FOEXP") => PacketOption::FastOpen {
            cookie: opt(blob).parse_next(input)?.unwrap_or_default().to_owned(),
            experimental: name == "FOEXP",
        },
        "ECN" => PacketOption::AccurateEcn(repeat(0..=3, counter).parse_next(input)?),
        _ => {
            input.reset(&start);
            return token::expected(
                "one of the options `nop`, `eol`, `mss`, `wscale`, `sackOK`, `sack`, `TS`, `md5`, `FO`, `FOEXP` and `ECN`",
                input,
            );
        }
    })
}

fn value_name<'a>(name: &'static str) -> impl Parser<Input<'a>, &'a str, ErrMode<ContextError>> {
    keyword(name).context(described("`val`, TSval, `ecr` and TSecr"))
}

fn blocks(input: &mut Input<'_>) -> Read<Vec<(u32, u32)>> {
    let edge = || number(32, "an edge of a block");
    let colon = || cut_err(symbol(":").context(described("`:` and the block's right edge")));
    let follows = peek(take_while(1, |c: char| c.is_ascii_digit()));
    let block = (preceded(follows, edge()), colon(), edge()).map(|(left, _, right)| (left, right));
    let block = block.context(described("a block (`1:1001`)"));
    repeat(1..=4, block).parse_next(input)
}

fn counter(input: &mut Input<'_>) -> Read<(EcnCounter, u32)> {
    let kind = alt((
        keyword("e0b").value(EcnCounter::Ect0),
        keyword("ceb").value(EcnCounter::Ce),
        keyword("e1b").value(EcnCounter::Ect1),
    ));
    (kind, number(24, "a counter")).parse_next(input)
}

/// Octets in hexadecimal, or the name of some.
fn blob<'a>(input: &mut Input<'a>) -> Read<&'a str> {
    terminated(token::word, space).parse_next(input)
}
