//! Faults of Linux 6.18.44 that one field of one segment shows, as transcripts written by hand.

use ackward_model::{Call, Flags, OpenMode, Outcome, SeqNum, TcpOption};
use ackward_packetdrill::{OptionKind, Subject};
use ackward_scenario::step::Live;
use ackward_scenario::{Echo, OptionSpec};

use super::{ACK, Case, P, sack, stamp, stamped};

const FIN: Flags = Flags(0x11);
const MSS: TcpOption = TcpOption::MaximumSegmentSize(1460);
const PADDING: [TcpOption; 2] = [TcpOption::NoOperation, TcpOption::NoOperation];

/// A passive open; the peer offers SACK if `sack`.
pub(crate) fn passive(sack: bool) -> Case {
    let mut case = Case::new(OpenMode::Passive);
    let (mut offer, mut answer) = (Vec::new(), vec![MSS]);
    if sack {
        offer.extend([OptionSpec::NoOperation, OptionSpec::NoOperation]);
        offer.push(OptionSpec::SackPermitted);
        answer.extend(PADDING);
        answer.push(TcpOption::SackPermitted);
    }
    case.peer(Flags::SYN, (0, 0), 0, offer);
    case.stack(Flags::SYN | ACK, 0, 0, 1, answer);
    case
}

/// After its FIN the peer sends it again, an octet later; Linux takes both.
pub(crate) fn past_the_fin() -> (Case, Subject) {
    let mut case = passive(false);
    case.peer(FIN, (1, 1), 1, Vec::new());
    case.call(Call::Accept, Outcome::Done(0));
    case.peer(FIN, (1, 2), 1, Vec::new());
    case.stack(ACK, 1, 0, 3, Vec::new());
    let right = SeqNum(2);
    (case, Subject::Acknowledgment { right })
}

/// The peer's FIN had waited for the text before it; Linux reports the block that the acknowledgment covers.
pub(crate) fn stale_blocks() -> (Case, Subject) {
    let mut case = passive(true);
    case.peer(ACK, (1, 1), 1, Vec::new());
    case.call(Call::Accept, Outcome::Done(0));
    case.call(Call::ShutdownWrite, Outcome::Done(0));
    case.stack(FIN, 1, 0, 1, Vec::new());
    case.peer(ACK, (1, 1), 2, Vec::new());
    case.peer(FIN, (4, 5), 2, Vec::new());
    case.stack(ACK, 2, 0, 1, sack(0, 4, 6));
    case.peer(P, (1, 4), 2, Vec::new());
    case.stack(ACK, 2, 0, 6, sack(0, 4, 6));
    (case, Subject::Blocks { held: Vec::new() })
}

/// SYNs cross and the peer's offers neither window scale nor timestamps; Linux repeats its own offer.
pub(crate) fn crossing_syn() -> (Case, Subject) {
    let mut case = Case::new(OpenMode::Active);
    let offer = || {
        let scale = [TcpOption::NoOperation, TcpOption::WindowScale(10)];
        let start = [MSS, TcpOption::SackPermitted, stamp(7000, 0)];
        start.into_iter().chain(scale).collect()
    };
    case.stack(Flags::SYN, 0, 0, 0, offer());
    let padding = OptionSpec::NoOperation;
    let permitted = OptionSpec::SackPermitted;
    case.peer(
        Flags::SYN,
        (0, 0),
        0,
        vec![padding.clone(), padding, permitted],
    );
    case.stack(Flags::SYN | ACK, 0, 0, 1, offer());
    let unwanted = vec![OptionKind::WindowScale, OptionKind::Timestamps];
    (case, Subject::Unwanted(unwanted))
}

/// SYNs cross, and text that does not even acknowledge the stack's SYN follows; Linux takes it.
pub(crate) fn crossed_syn() -> (Case, Subject) {
    let mut case = Case::new(OpenMode::Active);
    let offer = || {
        let scale = [TcpOption::NoOperation, TcpOption::WindowScale(10)];
        let start = [MSS, TcpOption::SackPermitted, stamp(7000, 0)];
        start.into_iter().chain(scale).collect()
    };
    case.stack(Flags::SYN, 0, 0, 0, offer());
    case.peer(Flags::SYN, (0, 0), 0, Vec::new());
    case.stack(Flags::SYN | ACK, 0, 0, 1, offer());
    case.peer(P, (1, 11), 0, Vec::new());
    case.stack(ACK, 1, 0, 11, Vec::new());
    let seq = case.iss();
    (case, Subject::Reset { seq })
}

/// Both SYNs carried timestamps, the peer's is zero; Linux answers text past the window without.
pub(crate) fn missing_timestamps() -> (Case, Subject) {
    let mut case = Case::new(OpenMode::Passive);
    let zero = |tsecr| vec![OptionSpec::Timestamps { tsval: 0, tsecr }];
    let padded = |tsecr| {
        let padding = [OptionSpec::NoOperation, OptionSpec::NoOperation];
        padding.into_iter().chain(zero(tsecr)).collect()
    };
    case.peer(Flags::SYN, (0, 0), 0, padded(Echo::Value(0)));
    let answer = [MSS].into_iter().chain(stamped(7000, 0)).collect();
    case.stack(Flags::SYN | ACK, 0, 0, 1, answer);
    case.peer(P, (70_001, 70_101), 1, padded(Echo::Emission(0)));
    case.stack(ACK, 1, 0, 1, Vec::new());
    (case, Subject::MissingTimestamps)
}

/// One full segment and no scaling, both sides close; Linux answers in TIME-WAIT with a window cut to 16 bits.
pub(crate) fn small_window() -> (Case, Subject) {
    let mut case = passive(false);
    case.peer(ACK, (1, 1193), 1, Vec::new());
    case.stack(ACK, 1, 0, 1193, Vec::new());
    case.call(Call::Accept, Outcome::Done(0));
    case.call(Call::ShutdownWrite, Outcome::Done(0));
    case.stack(FIN, 1, 0, 1193, Vec::new());
    case.peer(FIN, (1193, 1193), 1, Vec::new());
    case.stack(ACK, 2, 0, 1194, Vec::new());
    case.peer(ACK, (1194, 1194), 2, Vec::new());
    case.peer(ACK, (1193, 1194), 2, Vec::new());
    case.stack(ACK, 2, 0, 1194, Vec::new());
    (case, Subject::Window { least: u16::MAX })
}
