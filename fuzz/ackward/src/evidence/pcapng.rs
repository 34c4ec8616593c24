//! The trace as a capture that any packet analyser opens, with a comment on the packet that is wrong.
//! Addresses come from the ranges that RFC 5737 and RFC 3849 keep for documentation.

use std::borrow::Cow;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::time::Duration;

use ackward_model::wire::{self, Route};
use ackward_model::{Event, OpenMode};
use ackward_scenario::Family;
use pcap_file::pcapng::blocks::enhanced_packet::{EnhancedPacketBlock, EnhancedPacketOption};
use pcap_file::pcapng::blocks::interface_description::{
    InterfaceDescriptionBlock, InterfaceDescriptionOption,
};
use pcap_file::pcapng::blocks::section_header::{SectionHeaderBlock, SectionHeaderOption};
use pcap_file::pcapng::{PcapNgBlock, PcapNgWriter};
use pcap_file::{DataLink, Endianness, PcapError};

use super::transcript::marked;
use crate::finding::Finding;

/// The service's port, and that of whoever connects to it.
const PORTS: (u16, u16) = (8080, 40_000);
/// Times are written in units of 10^-9 s whatever is declared, so that is what has to be declared.
const NANOSECONDS: u8 = 9;

/// The capture of `finding`'s run. Times count from the beginning of the case.
pub fn capture(finding: &Finding) -> io::Result<Vec<u8>> {
    let section = SectionHeaderBlock {
        endianness: Endianness::Little,
        options: vec![
            SectionHeaderOption::UserApplication(Cow::Borrowed("ackward")),
            SectionHeaderOption::OS(Cow::Owned(finding.stack.clone())),
        ],
        ..SectionHeaderBlock::default()
    };
    let interface = InterfaceDescriptionBlock {
        linktype: DataLink::RAW,
        snaplen: 0,
        options: vec![InterfaceDescriptionOption::IfTsResol(NANOSECONDS)],
    };
    let mut writer = PcapNgWriter::with_section_header(Vec::new(), section).map_err(broken)?;
    writer
        .write_block(&interface.into_block())
        .map_err(broken)?;
    let commented = commented(finding);
    let inward = inward(finding);
    let mut datagram = Vec::new();
    for (index, entry) in finding.trace.entries.iter().enumerate() {
        let (segment, route) = match &entry.event {
            Event::In(segment, _) => (segment, inward),
            Event::Out(segment) => (segment, inward.reversed()),
            _ => continue,
        };
        wire::encode(segment, route, &mut datagram);
        let comment = (Some(index) == commented)
            .then(|| EnhancedPacketOption::Comment(Cow::Owned(comment(finding))));
        let packet = EnhancedPacketBlock {
            interface_id: 0,
            timestamp: Duration::from_micros(entry.at),
            original_len: datagram.len() as u32,
            data: Cow::Borrowed(&datagram),
            options: comment.into_iter().collect(),
        };
        writer.write_block(&packet.into_block()).map_err(broken)?;
    }
    Ok(writer.into_inner())
}

/// The packet that shows the fault, or the last one before what does.
fn commented(finding: &Finding) -> Option<usize> {
    let entries = &finding.trace.entries;
    let marked = marked(&finding.trace, &finding.divergence);
    let packet = |index: &usize| matches!(entries[*index].event, Event::In(..) | Event::Out(_));
    (0..entries.len().min(marked + 1)).rev().find(packet)
}

fn comment(finding: &Finding) -> String {
    let divergence = &finding.divergence;
    format!(
        "{} ({}, {}): right here: {}; seen here: {}",
        finding.root,
        divergence.rule.id,
        divergence.rule.citation,
        divergence.allowed,
        divergence.observed
    )
}

/// The way to the stack.
fn inward(finding: &Finding) -> Route {
    let setup = &finding.scenario.setup;
    let (peer, stack) = match setup.family {
        Family::V4 | Family::Mapped => (
            IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)),
            IpAddr::V4(Ipv4Addr::new(198, 51, 100, 1)),
        ),
        Family::V6 => (
            IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 0, 1, 0, 0, 0, 1)),
            IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 0, 2, 0, 0, 0, 1)),
        ),
    };
    let (peer_port, stack_port) = match setup.open {
        OpenMode::Passive => (PORTS.1, PORTS.0),
        OpenMode::Active => PORTS,
    };
    Route {
        source: (peer, peer_port),
        destination: (stack, stack_port),
    }
}

fn broken(error: PcapError) -> io::Error {
    io::Error::other(error)
}
