//! The requirements of RFC 7323, which has no labels of its own: each by its section and a letter.
//! RFC 7323 sections 2 to 5.

use super::Shown::{By, NotYet};
use super::{Requirement, row};

/// Every requirement of RFC 7323 that shows.
#[rustfmt::skip]
pub static OF_RFC_7323: &[Requirement] = &[
    row("2.2-a", "2.2", "the window of a SYN is never scaled", By(&["shifts-syn-window"])),
    row("2.2-b", "2.2", "windows are scaled only if both SYNs offered it", By(&["shifts-unasked", "window-unshifted"])),
    row("2.2-c", "2.2", "a SYN,ACK offers to scale only if the SYN did", By(&["offers-unasked", "crossing-keeps-options"])),
    row("2.2-d", "2.2", "an offer outside of a SYN is ignored", By(&["late-shift"])),
    row("2.3-a", "2.3", "a shift of more than 14 counts as 14", By(&["huge-shift-used"])),
    row("2.3-b", "2.3", "no shift of more than 14 is announced", By(&["huge-shift-announced"])),
    row("2.3-c", "2.3", "the shift stays the same", By(&["shift-changes"])),
    row("2.3-d", "2.3", "every window is shifted by it", By(&["window-unshifted", "time-wait-truncates"])),
    row("2.4-a", "2.4", "the window does not shrink", By(&["edge-retracts", "shuts-at-gap"])),
    row("2.4-b", "2.4", "what lay in any window advertised stays acceptable", By(&["latest-window-only"])),
    row("2.4-c", "2.4", "the furthest edge is kept track of", By(&["latest-window-only"])),
    row("2.4-d", "2.4", "nothing new is sent past the latest window", By(&["older-sets", "largest-wins", "negative-is-huge"])),
    row("2.4-e", "2.4", "what lies past it is sent again once at most", By(&["resends-past-the-edge"])),
    row("3.2-a", "3.2", "once agreed on, timestamps are on every segment", By(&["unstamped-duplicates", "unstamped-text", "unstamped-at-zero"])),
    row("3.2-b", "3.2", "else they are on none", By(&["stamps-unasked", "stamps-time-wait"])),
    row("3.2-c", "3.2", "else they are ignored", By(&["refuses-unasked-stamps"])),
    row("3.2-d", "3.2", "a segment that lacks them is dropped", By(&["takes-unstamped"])),
    row("3.2-e", "3.2", "and does not abort the connection", By(&["unstamped-resets"])),
    row("3.2-f", "3.2", "without ACK, TSecr is zero", By(&["syn-echoes"])),
    row("3.2-g", "3.2", "without ACK, TSecr is ignored", By(&["refuses-syn-echo"])),
    row("3.2-h", "3.2", "a RST carries timestamps", By(&["bare-aborts", "bare-answers"])),
    row("TS-fmt", "3.2", "there is one option a segment, and it is read wherever it stands", By(&["stamps-twice", "aligned-only", "reads-past-the-end"])),
    row("4.1-a", "4.1", "a round trip is measured only where SND.UNA moves", By(&["times-duplicates"])),
    row("4.3-a", "4.3", "TS.Recent follows what is newer and not beyond Last.ACK.sent", By(&["old-ack-skips", "out-of-order-moves", "never-moves", "goes-backwards"])),
    row("4.3-b", "4.3", "TS.Recent is echoed", By(&["echoes-the-latest", "echoes-one-more"])),
    row("4.3-c", "4.3", "Last.ACK.sent is what was sent", By(&["rcv-nxt-for-last-ack"])),
    row("5.2-a", "5.2", "a RST is not subject to the timestamp test", By(&["paws-on-reset", "paws-on-late-reset"])),
    row("5.2-b", "5.2", "the timestamps of a RST change nothing", By(&["reset-moves"])),
    row("5.3-R1", "5.3", "what is older than TS.Recent is acknowledged and dropped", By(&["paws-off", "old-unanswered", "paws-too-strict"])),
    row("5.3-R2", "5.3", "then what lies outside of the window is", By(&["refused-as-beyond-moves", "paws-spares-ack"])),
    row("5.3-R3", "5.3", "then TS.Recent follows, whatever the acknowledgment says", By(&["old-ack-skips", "gap-filler-skips"])),
    row("5.3-R4", "5.3", "then what is in sequence is taken", By(&["swallows-threes", "old-ack-refused"])),
    row("5.3-R5", "5.3", "and what is not is held", By(&["forgets-held"])),
    row("5.3-once", "5.3", "the test is made once, on arrival", By(&["paws-at-delivery"])),
    row("5.4-a", "5.4", "TSval never falls", By(&["clock-runs-back"])),
    row("5.4-b", "5.4", "TSval follows time", By(&["clock-stands"])),
    row("5.5-a", "5.5", "after 24 days of idleness TS.Recent is void", NotYet),
    row("5.5-b", "5.5", "and not before", NotYet),
];
