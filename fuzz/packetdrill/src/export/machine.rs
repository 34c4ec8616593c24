//! Which parts of a script depend on the machine it runs on, and how they are made to depend on nothing.
//! RFC 7323 section 2.2: the announced shift; RFC 9293 section 3.7.1: the announced MSS.

use ackward_model::{Flags, Segment, SocketOption, Sysctl};
use ackward_scenario::Family;

use super::view::timestamps;
use super::{Export, Style, Subject, application};
use crate::ast::{Packet, PacketOption, PacketOptions};

/// An MTU of 1500 leaves 20 octets less in IPv6; the customary runners make it up with an MTU of 1520.
const IPV6_MTU: &str = "--mtu=1520";
const IPV6_EXTRA: u16 = 20;
/// The shift that follows from the receive memory that the kernel's selftests set.
const KSELFTEST_SHIFT: u8 = 8;
/// Linux's default receive memory on a machine with memory enough.
const DEFAULT_MEMORY: Sysctl = Sysctl::ReceiveMemory(4_096, 131_072, 6_291_456);

/// The commands before the first event.
pub(super) fn init(export: &Export<'_>) -> impl Iterator<Item = String> {
    let defaults = (export.style == Style::Kselftest).then(|| "./defaults.sh".to_owned());
    let set = export.scenario.setup.sysctls.iter().copied();
    defaults.into_iter().chain(set.map(application::sysctl))
}

/// A script for people runs as it is in the family where the fault was found.
pub(super) fn options(export: &Export<'_>) -> Vec<String> {
    let options: &[&str] = match (export.style, export.scenario.setup.family) {
        (Style::Kselftest, _) | (Style::Plain, Family::V4) => &[],
        (Style::Plain, Family::V6) => &["--ip_version=ipv6", IPV6_MTU],
        // Quoted, because the grammar takes no hyphen in a word.
        (Style::Plain, Family::Mapped) => &["--ip_version=\"ipv4-mapped-ipv6\""],
    };
    options.iter().map(|option| (*option).to_owned()).collect()
}

/// The command that gives the selftests' receive memory its default size again, where a window is at stake and none of
/// `pinned` does so.
pub(super) fn pin_memory(export: &Export<'_>, pinned: &[String]) -> Option<String> {
    let untouched = !export.scenario.setup.sysctls.iter().any(is_receive_memory);
    let wanted = export.style == Style::Kselftest
        && !matches!(
            export.subject,
            Subject::Echo { .. } | Subject::BeyondWindow { .. }
        );
    let announced = export
        .trace
        .emissions()
        .find(|segment| segment.has(Flags::SYN))
        .and_then(|syn| syn.options.window_scale());
    (wanted && untouched && pinned.is_empty())
        .then(|| application::sysctl(announced.map_or(DEFAULT_MEMORY, memory_announcing)))
}

/// Makes the options of the stack's SYN independent of the machine, with the command that this takes, if any. One that
/// is `asserted` is read exactly.
pub(super) fn pin(export: &Export<'_>, packet: &mut Packet, asserted: bool) -> Option<String> {
    let varies = shift_varies(export);
    // A line without timestamps need not be read exactly: no later line refers to it.
    if !asserted && timestamps(packet).is_none() && (export.style == Style::Plain || varies) {
        packet.options = PacketOptions::Unchecked;
    }
    let PacketOptions::Exactly(options) = &mut packet.options else {
        return None;
    };
    let mut command = None;
    for option in options {
        match option {
            PacketOption::MaximumSegmentSize(mss) if export.scenario.setup.family == Family::V6 => {
                *mss = mss.saturating_add(IPV6_EXTRA);
            }
            PacketOption::WindowScale(shift) if varies && keeps_kselftest_memory(export) => {
                *shift = KSELFTEST_SHIFT;
            }
            PacketOption::WindowScale(shift) if varies => {
                command = Some(application::sysctl(memory_announcing(*shift)));
            }
            _ => {}
        }
    }
    command
}

/// Whether the shift that the stack announces follows from a setting that differs from machine to machine.
fn shift_varies(export: &Export<'_>) -> bool {
    let setup = &export.scenario.setup;
    let locked = |option: &SocketOption| {
        matches!(
            option,
            SocketOption::ReceiveBuffer(_) | SocketOption::WindowClamp(_)
        )
    };
    let announced =
        |segment: &Segment| segment.has(Flags::SYN) && segment.options.window_scale().is_some();
    export.trace.emissions().any(announced)
        && !setup.sysctls.iter().any(is_receive_memory)
        && !setup.socket_options.iter().any(locked)
}

/// Receive memory from which the shift `shift` follows.
fn memory_announcing(shift: u8) -> Sysctl {
    Sysctl::ReceiveMemory(4_096, 131_072, 1 << (u32::from(shift).min(14) + 15))
}

fn is_receive_memory(sysctl: &Sysctl) -> bool {
    matches!(sysctl, Sysctl::ReceiveMemory(..))
}

/// Whether the script leaves the receive memory as the kernel's selftests set it: it does when windows do not matter.
fn keeps_kselftest_memory(export: &Export<'_>) -> bool {
    export.style == Style::Kselftest && matches!(export.subject, Subject::Echo { .. })
}
