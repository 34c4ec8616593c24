//! Which requirements of RFC 9293 and RFC 7323 are checked: one counts when a planted bug that breaks it is found.
//! RFC 9293 appendix B, of whose 119 labels [`REQUIREMENTS`] has a line each; [`OF_RFC_7323`] has those of RFC 7323.

mod rfc7323;

pub use rfc7323::OF_RFC_7323;

use std::fmt::Write as _;

use ackward_endpoint::Plant;

use crate::selftest::rule_of;

use Shown::{By, Never, NotYet};

/// One labelled requirement.
#[derive(Clone, Copy, Debug)]
pub struct Requirement {
    /// Its label, for example `MUST-40`. RFC 7323 has none: section and letter.
    pub label: &'static str,
    /// The section that has it.
    pub section: &'static str,
    /// What it asks, restated in a few words.
    pub asks: &'static str,
    /// Whether it is checked.
    pub shown: Shown,
}

/// Whether a requirement is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shown {
    /// By these planted bugs, each of which breaks it, and each of which `ackward selftest` must find.
    By(&'static [&'static str]),
    /// It could be checked from outside, and is not.
    NotYet,
    /// Nothing that a stack sends or returns tells whether it is met, and why.
    Never(&'static str),
}

impl Requirement {
    /// The rules that fail when it is broken, each once.
    pub fn rules(&self) -> Vec<String> {
        let Shown::By(bugs) = self.shown else {
            return Vec::new();
        };
        let plants = bugs.iter().filter_map(|bug| Plant::named(bug));
        let mut rules: Vec<String> = plants.map(|plant| rule_of(plant.card())).collect();
        rules.dedup();
        rules
    }
}

/// How many of `requirements` are checked, and how many could be.
pub fn count(requirements: &[Requirement]) -> (usize, usize) {
    let shown = |wanted: fn(&Shown) -> bool| {
        let all = requirements.iter();
        all.filter(|requirement| wanted(&requirement.shown)).count()
    };
    (
        shown(|shown| matches!(shown, Shown::By(_))),
        shown(|shown| !matches!(shown, Shown::Never(_))),
    )
}

/// Both tables, a line for each requirement, and the counts below them.
pub fn tables() -> String {
    let of_7323 = table(OF_RFC_7323);
    let of_9293 = table(REQUIREMENTS);
    let (checked_7323, checkable_7323) = count(OF_RFC_7323);
    let (checked, checkable) = count(REQUIREMENTS);
    format!(
        "The requirements of RFC 7323:\n\n{of_7323}\nThe labelled requirements of RFC 9293:\n\n{of_9293}\n\
         RFC 7323: {checked_7323} of {checkable_7323} requirements that can be checked from outside.\n\
         RFC 9293: {checked} of {checkable} labels that can be checked from outside; {} labels in all.\n",
        REQUIREMENTS.len()
    )
}

fn table(requirements: &[Requirement]) -> String {
    let mut table = String::new();
    for requirement in requirements {
        let Requirement {
            label,
            section,
            asks,
            ..
        } = requirement;
        let by = match requirement.shown {
            Shown::By(_) => requirement.rules().join(", "),
            Shown::NotYet => "not yet".to_owned(),
            Shown::Never(why) => format!("not observable: {why}"),
        };
        // Writing to a string does not fail.
        let _ = writeln!(table, "{label:<8} {section:<10} {asks}\n{:20}{by}", "");
    }
    table
}

const fn row(
    label: &'static str,
    section: &'static str,
    asks: &'static str,
    shown: Shown,
) -> Requirement {
    Requirement {
        label,
        section,
        asks,
        shown,
    }
}

/// Every labelled requirement of RFC 9293, by label.
#[rustfmt::skip]
pub static REQUIREMENTS: &[Requirement] = &[
    row("MUST-1", "3.1", "windows are unsigned", By(&["signed-window"])),
    row("MUST-2", "3.1", "every segment carries its checksum", By(&["spoils-checksums"])),
    row("MUST-3", "3.1", "what a checksum contradicts has no effect", By(&["trusts-checksums"])),
    row("MUST-4", "3.1", "end of list, no-operation and segment size are understood", By(&["reads-past-the-end"])),
    row("MUST-5", "3.1", "options may stand in any segment", By(&["refuses-options"])),
    row("MUST-6", "3.1", "an unknown option with a length is passed over", By(&["stops-at-unknown"])),
    row("MUST-7", "3.1", "an option of impossible length does no harm", By(&["reads-for-ever"])),
    row("MUST-8", "3.4.1", "initial sequence numbers follow a clock", By(&["iss-stands"])),
    row("MUST-9", "3.4.1", "what is added to that clock cannot be computed from outside", Never("a secret does not show")),
    row("MUST-10", "3.5", "both ends may open at once", By(&["ignores-crossing-syn"])),
    row("MUST-11", "3.5", "SYN-RECEIVED remembers who opened", By(&["stops-listening"])),
    row("MUST-12", "3.6", "the application is told whether the connection ended or was aborted", By(&["reset-is-the-end"])),
    row("MUST-13", "3.6.1", "TIME-WAIT lasts twice the segment lifetime", By(&["forgets-time-wait"])),
    row("MUST-14", "3.7.1", "segment sizes are announced and heeded", By(&["size-unheeded"])),
    row("MUST-15", "3.7.1", "without an announced size, 536 octets are assumed, 1220 in IPv6", By(&["ethernet-assumed"])),
    row("MUST-16", "3.7.1", "no segment exceeds the announced size or the path, options counted", By(&["forgets-options"])),
    row("MUST-17", "3.7.4", "the Nagle algorithm can be switched off", By(&["no-delay-ignored"])),
    row("MUST-18", "3.8.1", "round trips of repeated segments are not measured", By(&["times-repeats"])),
    row("MUST-19", "3.8.2", "slow start, congestion avoidance, and a timeout that grows", By(&["steady-timeouts"])),
    row("MUST-20", "3.8.3", "excessive retransmission ends in closing, not before R2", By(&["stops-resending"])),
    row("MUST-21", "3.8.3", "the application can set R2", By(&["user-timeout-ignored"])),
    row("MUST-22", "3.8.3", "a SYN is retransmitted as text is", By(&["syn-once"])),
    row("MUST-23", "3.8.3", "a SYN is retransmitted for three minutes", By(&["syn-gives-up"])),
    row("MUST-24", "3.8.4", "keep-alive can be switched for each connection", By(&["keep-alive-never"])),
    row("MUST-25", "3.8.4", "keep-alive is off by default", By(&["keep-alive-unasked"])),
    row("MUST-26", "3.8.4", "keep-alive only where nothing is outstanding and nothing comes", By(&["keep-alive-by-the-clock"])),
    row("MUST-27", "3.8.4", "the keep-alive interval can be set", By(&["keep-idle-ignored"])),
    row("MUST-28", "3.8.4", "the keep-alive interval is two hours by default, or more", By(&["keep-alive-soon"])),
    row("MUST-29", "3.8.4", "one unanswered keep-alive ends nothing", By(&["keep-alive-once"])),
    row("MUST-30", "3.8.5", "the urgent mechanism is there", By(&["urgent-unmarked"])),
    row("MUST-31", "3.8.5", "urgent text may have any length", By(&["urgent-one-octet", "urgent-at-its-end", "urgent-in-one-segment"])),
    row("MUST-32", "3.8.5", "the application is told of urgent text", By(&["urgent-untold"])),
    row("MUST-33", "3.8.5", "the application can learn how much urgent text is left", By(&["urgent-for-ever"])),
    row("MUST-34", "3.8.6", "a window that shrinks below what was sent does no harm", By(&["negative-is-huge"])),
    row("MUST-35", "3.8.6", "a window that shrinks to zero is probed", By(&["never-probes"])),
    row("MUST-36", "3.8.6.1", "a window of zero is probed", By(&["never-probes"])),
    row("MUST-37", "3.8.6.1", "while probes are answered the connection stays", By(&["gives-up-probing"])),
    row("MUST-38", "3.8.6.2.1", "the sender avoids silly windows", By(&["fills-silly-windows", "fills-behind-others"])),
    row("MUST-39", "3.8.6.2.2", "the receiver avoids silly windows", By(&["opens-in-crumbs"])),
    row("MUST-40", "3.8.6.3", "text is acknowledged within half a second", By(&["never-acks-alone"])),
    row("MUST-41", "3.9.1.1", "a passive open touches no other connection", By(&["listen-forgets"])),
    row("MUST-42", "3.9.1.1", "a port may listen while a connection on it is opening", By(&["listen-refused"])),
    row("MUST-43", "3.9.1.1", "the application can choose the local address", By(&["bind-ignored"])),
    row("MUST-44", "3.9.1.1", "else the IP layer chooses it before the SYN", NotYet),
    row("MUST-45", "3.9.1.1", "all segments of a connection have one local address", By(&["address-changes"])),
    row("MUST-46", "3.9.1.1", "an open to a broadcast or multicast address is refused", By(&["connects-to-groups"])),
    row("MUST-47", "3.9.1.8", "soft errors can be reported to the application", NotYet),
    row("MUST-48", "3.9.1.9", "the application can set the differentiated services field", By(&["class-ignored"])),
    row("MUST-49", "3.9.2", "the time to live can be set", By(&["hops-ignored"])),
    row("MUST-50", "3.9.2", "unknown IP options are ignored", By(&["refuses-ip-options"])),
    row("MUST-51", "3.9.2.1", "the application can set a source route", Never("hosts drop source routes by default")),
    row("MUST-52", "3.9.2.1", "which goes before a received one", Never("hosts drop source routes by default")),
    row("MUST-53", "3.9.2.1", "a received return route is used", Never("hosts drop source routes by default")),
    row("MUST-54", "3.9.2.2", "ICMP errors reach the connection that caused them", By(&["foreign-error-ends"])),
    row("MUST-55", "3.9.2.2", "source quench is discarded", By(&["quench-ends"])),
    row("MUST-56", "3.9.2.2", "soft ICMP errors end nothing", By(&["soft-error-ends"])),
    row("MUST-57", "3.9.2.3", "a SYN to a broadcast or multicast address is discarded", By(&["takes-to-groups"])),
    row("MUST-58", "3.10.7.4", "acknowledgments are aggregated", By(&["piece-by-piece"])),
    row("MUST-59", "3.10.7.4", "what is queued is processed before it is acknowledged", By(&["piece-by-piece"])),
    row("MUST-60", "3.9.1.2", "text is not held back for ever", By(&["waits-for-more"])),
    row("MUST-61", "3.9.1.2", "the last segment of what is written carries PSH", By(&["never-pushes"])),
    row("MUST-62", "3.8.5", "the urgent pointer points behind the urgent text", By(&["urgent-to-the-last"])),
    row("MUST-63", "3.9.2.3", "a SYN from an invalid address is ignored", By(&["takes-from-groups"])),
    row("MUST-64", "3.2", "options are read at any alignment", By(&["aligned-only"])),
    row("MUST-65", "3.7.1", "a segment size is sent in SYNs alone", By(&["size-everywhere"])),
    row("MUST-66", "3.4", "RST and URG count at a window of zero", By(&["deaf-at-zero"])),
    row("MUST-67", "3.7.1", "the size announced is no more than can be received", By(&["size-of-the-link"])),
    row("MUST-68", "3.1", "every option but the two of one octet has a length", By(&["option-without-length"])),
    row("MUST-69", "3.1", "what follows the end of the options is zero", By(&["dirty-padding"])),
    row("SHLD-1", "3.4.1", "initial sequence numbers are those of RFC 6528", Never("the quality of a secret function does not show")),
    row("SHLD-2", "3.5.3", "a RST may hold text", By(&["no-text-in-resets"])),
    row("SHLD-3", "3.6.1", "to close with text unread resets", By(&["close-never-resets"])),
    row("SHLD-4", "3.6.1", "timestamps shorten TIME-WAIT", NotYet),
    row("SHLD-5", "3.7.1", "a SYN announces a size other than the default", By(&["no-size"])),
    row("SHLD-6", "3.7.3", "of several path sizes the smallest is announced", Never("it needs an interface whose size varies by packet")),
    row("SHLD-7", "3.7.4", "short segments are coalesced", By(&["nagle-absent"])),
    row("SHLD-8", "3.8.2", "congestion is notified explicitly", By(&["ecn-ignored", "ecn-reflected"])),
    row("SHLD-9", "3.8.3", "R1 is reported", Never("the sockets interface has no R1")),
    row("SHLD-10", "3.8.3", "R1 is three retransmissions", Never("the sockets interface has no R1")),
    row("SHLD-11", "3.8.3", "R2 is 100 seconds or more", By(&["gives-up-early"])),
    row("SHLD-12", "3.8.4", "a keep-alive holds no text", By(&["keep-alive-text"])),
    row("SHLD-13", "3.9.1.2", "new applications do not use urgent text", Never("it binds applications")),
    row("SHLD-14", "3.8.6", "the window does not shrink", By(&["edge-retracts"])),
    row("SHLD-15", "3.8.6", "nothing new is sent past a window that shrank", By(&["negative-is-huge"])),
    row("SHLD-16", "3.8.6", "what lies inside such a window is sent again as ever", By(&["shrunk-forgets"])),
    row("SHLD-17", "3.8.6", "what lies past such a window ends nothing", By(&["shrink-resets"])),
    row("SHLD-18", "3.8.6.3", "acknowledgments are delayed", NotYet),
    row("SHLD-19", "3.8.6.3", "at least every second full segment is acknowledged", NotYet),
    row("SHLD-20", "3.9.1.8", "reports of errors can be switched off", Never("the sockets interface has no such reports")),
    row("SHLD-21", "3.9.1.9", "the differentiated services field can be changed later", By(&["class-fixed"])),
    row("SHLD-22", "3.9.1.9", "it is passed on unchanged", By(&["class-altered"])),
    row("SHLD-23", "3.9.2", "it is not changed without need", Never("it binds applications")),
    row("SHLD-24", "3.9.2.1", "a later source route goes before an earlier one", Never("hosts drop source routes by default")),
    row("SHLD-25", "3.9.2.2", "soft ICMP errors are told to the application", NotYet),
    row("SHLD-26", "3.9.2.2", "hard ICMP errors end the connection", By(&["hard-error-survived"])),
    row("SHLD-27", "3.9.1.2", "PSH bits are collapsed into the largest segment", NotYet),
    row("SHLD-28", "3.9.1.2", "segments are full where they can be", By(&["small-segments"])),
    row("SHLD-29", "3.8.6.1", "the first probe comes after a retransmission timeout", By(&["probes-at-once"])),
    row("SHLD-30", "3.8.6.1", "the interval between probes grows", By(&["steady-probes"])),
    row("SHLD-31", "3.10.7.4", "text out of order is held", By(&["forgets-held"])),
    row("MAY-1", "3.6.1", "a close may end reading too", NotYet),
    row("MAY-2", "3.6.1", "TIME-WAIT may take a new SYN", NotYet),
    row("MAY-3", "3.7.1", "a size may be announced in every SYN", NotYet),
    row("MAY-4", "3.8.1", "a repeated packet may keep its IP identification", NotYet),
    row("MAY-5", "3.8.4", "there may be keep-alive", NotYet),
    row("MAY-6", "3.8.4", "a keep-alive may hold an octet", NotYet),
    row("MAY-7", "3.8.6", "what lies past a window that shrank may be sent again", NotYet),
    row("MAY-8", "3.8.6.1", "a window may stay shut for ever", NotYet),
    row("MAY-9", "3.9.1.9", "a received field may be passed up", Never("the sockets interface passes nothing up")),
    row("MAY-10", "3.9.2", "the IP timestamp option may be supported", Never("hosts do not show it")),
    row("MAY-11", "3.9.2", "the IP record route option may be supported", Never("hosts do not show it")),
    row("MAY-12", "3.10.7.4", "acknowledgments outside of a range are refused", By(&["unsent-ack-taken", "never-challenges-acks"])),
    row("MAY-13", "3.10.7.4", "text out of order may be acknowledged at once", NotYet),
    row("MAY-14", "3.9.1.7", "there may be a flush", Never("the sockets interface has none")),
    row("MAY-15", "3.9.1.2", "a send may ask for PSH", Never("the sockets interface has no such flag")),
    row("MAY-16", "3.9.1.2", "text may be aggregated", NotYet),
    row("MAY-17", "3.9.1.3", "PSH may be passed up", Never("the sockets interface passes nothing up")),
    row("MAY-18", "3.8.2", "other congestion control may be used", Never("the choice is free")),
    row("REC-1", "3.1", "windows are kept in 32 bits", By(&["short-window"])),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_of_the_119_labels_has_one_line() {
        let labels: BTreeSet<&str> = REQUIREMENTS.iter().map(|one| one.label).collect();
        let kinds = [("MUST", 69), ("SHLD", 31), ("MAY", 18), ("REC", 1)];
        for (kind, last) in kinds {
            for number in 1..=last {
                let label = format!("{kind}-{number}");
                assert!(labels.contains(label.as_str()), "{label}");
            }
        }
        assert_eq!((labels.len(), REQUIREMENTS.len()), (119, 119));
        assert_eq!(count(REQUIREMENTS).1, 100);
    }

    #[test]
    fn a_label_that_counts_has_a_bug_that_is_planted() {
        for requirement in REQUIREMENTS.iter().chain(OF_RFC_7323) {
            if let By(bugs) = requirement.shown {
                assert!(!bugs.is_empty(), "{}", requirement.label);
                for bug in bugs {
                    assert!(Plant::named(bug).is_some(), "{}: {bug}", requirement.label);
                }
            }
        }
    }
}
