//! How the lines about segments and ICMP messages are written.
//! The notation of packetdrill's grammar; what only the FreeBSD scripts have, as they write it.

use std::fmt::{self, Display, Formatter};

use crate::ast::{
    AccurateEcn, Ecn, EcnCounter, Icmp, IpField, Numbering, Packet, PacketOption, PacketOptions,
    UdpPorts,
};

impl Display for Packet {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_ip(&self.ip, f)?;
        if let Some((source, destination)) = self.ports {
            write!(f, "{source} > {destination} ")?;
        }
        let flags = match self.accurate_ecn {
            AccurateEcn::Clear => self.flags.to_string(),
            AccurateEcn::Set if self.flags.to_string() == "-" => "A".to_owned(),
            AccurateEcn::Set => format!("A{}", self.flags),
            AccurateEcn::Counter(counter) => {
                let letters = self.flags.to_string();
                format!("{}{counter}", letters.trim_matches('-'))
            }
        };
        let (start, end) = (self.seq, self.seq.wrapping_add(u32::from(self.len)));
        match self.numbering {
            Numbering::Relative => write!(f, "{flags} {start}:{end}({})", self.len)?,
            Numbering::Absolute => write!(f, "{flags} {start}:{end}({})!", self.len)?,
            Numbering::Unchecked => write!(f, "{flags} ...({})", self.len)?,
        }
        for (name, value) in [
            ("ack", self.ack),
            ("win", self.window.map(u32::from)),
            ("urg", self.urgent.map(u32::from)),
        ] {
            if let Some(value) = value {
                write!(f, " {name} {value}")?;
            }
        }
        write!(f, "{}", self.options)?;
        match self.udp {
            Some(ports) => write!(f, "{ports}"),
            None => Ok(()),
        }
    }
}

impl Display for Icmp {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_ip(&self.ip, f)?;
        write!(f, "icmp {}", self.kind)?;
        if let Some(code) = &self.code {
            write!(f, " {code}")?;
        }
        if let Some(mtu) = self.mtu {
            write!(f, " mtu {mtu}")?;
        }
        if let Some((seq, len)) = self.quoted {
            write!(f, " [{seq}:{}({len})", seq.wrapping_add(u32::from(len)))?;
            if let Some(ports) = self.udp {
                write!(f, "{ports}")?;
            }
            f.write_str("]")?;
        }
        Ok(())
    }
}

impl Display for UdpPorts {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "/udp({} > {})", self.0, self.1)
    }
}

/// With a space behind it, unless there is nothing to write.
fn write_ip(fields: &[IpField], f: &mut Formatter<'_>) -> fmt::Result {
    if fields.is_empty() {
        return Ok(());
    }
    let fields: Vec<String> = fields.iter().map(ToString::to_string).collect();
    write!(f, "[{}] ", fields.join(","))
}

impl Display for IpField {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            IpField::Ecn(ecn) => write!(f, "{ecn}"),
            IpField::TrafficClass { octet, ipv6 } => {
                write!(f, "{} {octet:#x}", if ipv6 { "class" } else { "tos" })
            }
            IpField::TimeToLive { hops, ipv6 } => {
                write!(f, "{} {hops}", if ipv6 { "hlim" } else { "ttl" })
            }
            IpField::FlowLabel(label) => write!(f, "flowlabel {label:#x}"),
        }
    }
}

impl Display for Ecn {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ecn::NotEct => "noecn",
            Ecn::Ect0 => "ect0",
            Ecn::Ect1 => "ect1",
            Ecn::Ce => "ce",
            Ecn::Either => "ect01",
        })
    }
}

/// With a space before it, since there may be nothing to write.
impl Display for PacketOptions {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            PacketOptions::Unchecked => f.write_str(" <...>"),
            PacketOptions::Exactly(options) if options.is_empty() => Ok(()),
            PacketOptions::Exactly(options) => {
                let options: Vec<String> = options.iter().map(ToString::to_string).collect();
                write!(f, " <{}>", options.join(","))
            }
        }
    }
}

impl Display for PacketOption {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            PacketOption::EndOfList => f.write_str("eol"),
            PacketOption::NoOperation => f.write_str("nop"),
            PacketOption::MaximumSegmentSize(mss) => write!(f, "mss {mss}"),
            PacketOption::WindowScale(shift) => write!(f, "wscale {shift}"),
            PacketOption::SackPermitted => f.write_str("sackOK"),
            PacketOption::Sack(blocks) => {
                f.write_str("sack")?;
                blocks
                    .iter()
                    .try_for_each(|(left, right)| write!(f, " {left}:{right}"))
            }
            PacketOption::Timestamps { tsval, tsecr } => write!(f, "TS val {tsval} ecr {tsecr}"),
            PacketOption::Md5(digest) => write!(f, "md5 {digest}"),
            PacketOption::FastOpen {
                cookie,
                experimental,
            } => {
                f.write_str(if *experimental { "FOEXP" } else { "FO" })?;
                match cookie.as_str() {
                    "" => Ok(()),
                    cookie => write!(f, " {cookie}"),
                }
            }
            PacketOption::AccurateEcn(counters) => {
                f.write_str("ECN")?;
                counters.iter().try_for_each(|(counter, value)| {
                    let name = match counter {
                        EcnCounter::Ect0 => "e0b",
                        EcnCounter::Ce => "ceb",
                        EcnCounter::Ect1 => "e1b",
                    };
                    write!(f, " {name} {value}")
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ackward_model::Flags;

    #[test]
    fn a_segment_prints_as_packetdrill_reads_it() {
        let packet = Packet {
            flags: Flags::PSH | Flags::ACK,
            seq: 1,
            len: 17,
            ack: Some(1),
            window: Some(20_000),
            options: PacketOptions::Exactly(vec![
                PacketOption::NoOperation,
                PacketOption::NoOperation,
                PacketOption::Timestamps {
                    tsval: 3000,
                    tsecr: 100,
                },
            ]),
            ..Packet::default()
        };
        assert_eq!(
            packet.to_string(),
            "P. 1:18(17) ack 1 win 20000 <nop,nop,TS val 3000 ecr 100>"
        );
    }
}
