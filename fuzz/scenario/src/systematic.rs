//! Every kind of segment at every edge in every state, once: what chance would find only late.
//! RFC 9293 section 3.10, RFC 7323 section 5.3, RFC 5961 sections 3 to 5.

use std::sync::LazyLock;

use ackward_endpoint::Offer;
use ackward_model::{Address, Call, Flags, OpenMode};

use crate::{AckBase, Craft, Edit, Family, Move, PeerConfig, Place, Plan, SeqBase, Setup, TsBase};

/// How many cells there are.
pub fn count() -> u64 {
    CELLS.len() as u64
}

/// The plan of one cell, by number; the numbers go round. Neighbours have little in common, so that a part of them is a
/// sample of all.
pub fn plan(number: u64, family: Family) -> Plan {
    let place = number.wrapping_mul(STRIDE) % count();
    CELLS[place as usize].plan(number, family)
}

/// A prime beyond any number of cells, so that each is met once a round.
const STRIDE: u64 = 2_147_483_647;

/// One case: where the connection stands, what arrives, and what both ends can do.
#[derive(Clone, Copy, Debug)]
struct Cell {
    stage: Stage,
    arrival: Arrival,
    /// Timestamps, SACK and window scaling are offered.
    options: bool,
}

/// What arrives.
#[derive(Clone, Copy, Debug)]
enum Arrival {
    Craft(Craft),
    Edit(Edit),
}

/// Where the connection stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Listen,
    SynSent,
    SynReceived,
    SynCrossed,
    Established,
    EstablishedActively,
    TextInFlight,
    TextUnread,
    Gap,
    FinWait1,
    FinWait1Closed,
    FinWait2,
    FinWait2Closed,
    FinWait2Gap,
    CloseWait,
    Closing,
    LastAck,
    TimeWait,
    Reset,
}

const STAGES: [Stage; 19] = [
    Stage::Listen,
    Stage::SynSent,
    Stage::SynReceived,
    Stage::SynCrossed,
    Stage::Established,
    Stage::EstablishedActively,
    Stage::TextInFlight,
    Stage::TextUnread,
    Stage::Gap,
    Stage::FinWait1,
    Stage::FinWait1Closed,
    Stage::FinWait2,
    Stage::FinWait2Closed,
    Stage::FinWait2Gap,
    Stage::CloseWait,
    Stage::Closing,
    Stage::LastAck,
    Stage::TimeWait,
    Stage::Reset,
];

/// Control bits, and octets of text.
const CLASSES: [(Flags, u16); 15] = [
    (Flags::NONE, 0),
    (Flags::PSH, TEXT),
    (Flags::ACK, 0),
    (Flags(Flags::PSH.0 | Flags::ACK.0), 1),
    (Flags(Flags::PSH.0 | Flags::ACK.0), TEXT),
    (Flags(Flags::FIN.0 | Flags::ACK.0), 0),
    (Flags(Flags::FIN.0 | Flags::ACK.0), TEXT),
    (Flags::FIN, 0),
    (Flags::RST, 0),
    (Flags(Flags::RST.0 | Flags::ACK.0), 0),
    (Flags(Flags::RST.0 | Flags::ACK.0), TEXT),
    (Flags::SYN, 0),
    (Flags(Flags::SYN.0 | Flags::ACK.0), 0),
    (Flags(Flags::SYN.0 | Flags::FIN.0), 0),
    (Flags(Flags::SYN.0 | Flags::RST.0), 0),
];

const TEXT: u16 = 100;
const BEFORE: i32 = -(TEXT as i32);

/// The first of each kind of edge is where nothing is wrong.
const SEQS: [(SeqBase, i32); 14] = [
    (SeqBase::RcvNxt, 0),
    (SeqBase::RcvNxt, i32::MIN),
    (SeqBase::RcvNxt, -70_000),
    (SeqBase::RcvNxt, BEFORE),
    (SeqBase::RcvNxt, -1),
    (SeqBase::RcvNxt, 1),
    (SeqBase::Edge, BEFORE),
    (SeqBase::Edge, BEFORE + 1),
    (SeqBase::Edge, -1),
    (SeqBase::Edge, 0),
    (SeqBase::Edge, 1),
    (SeqBase::Irs, -1),
    (SeqBase::Irs, 0),
    (SeqBase::Irs, 1),
];
const ACKS: [(AckBase, i32); 9] = [
    (AckBase::SndNxt, 0),
    (AckBase::SndUna, i32::MIN),
    (AckBase::SndUna, -70_000),
    (AckBase::SndUna, -1),
    (AckBase::SndUna, 0),
    (AckBase::SndUna, 1),
    (AckBase::SndNxt, -1),
    (AckBase::SndNxt, 1),
    (AckBase::SndNxt, 70_000),
];
const TSVALS: [(TsBase, i32); 6] = [
    (TsBase::Newest, 1),
    (TsBase::Recent, i32::MIN),
    (TsBase::Recent, i32::MAX),
    (TsBase::Recent, -1),
    (TsBase::Recent, 0),
    (TsBase::Recent, 1),
];
const WINDOWS: [u16; 3] = [65_535, 0, 1];

/// What is done to the options and to the wire form of a segment that the peer did send.
const EDITS: [Edit; 20] = [
    Edit::RepeatOption(2),
    Edit::RepeatOption(3),
    Edit::RepeatOption(4),
    Edit::RepeatOption(5),
    Edit::RepeatOption(8),
    Edit::DropOption(1),
    Edit::DropOption(3),
    Edit::DropOption(8),
    Edit::ZeroTsval,
    Edit::UnknownOption(Place::First),
    Edit::UnknownOption(Place::Last),
    Edit::EndOptions,
    Edit::OptionLength(0, Place::First),
    Edit::OptionLength(40, Place::Last),
    Edit::Damage,
    Edit::IpOption,
    Edit::Address(Address::FromMulticast),
    Edit::Address(Address::FromBroadcast),
    Edit::Address(Address::ToMulticast),
    Edit::Address(Address::ToBroadcast),
];

/// Near both wraps and far from them.
const NUMBERS: [u32; 5] = [12_345, 0, u32::MAX - 150, i32::MAX as u32 - 150, u32::MAX];

static CELLS: LazyLock<Vec<Cell>> = LazyLock::new(|| {
    let mut cells = Vec::new();
    for stage in STAGES {
        for options in [true, false] {
            let mut add = |arrival| {
                cells.push(Cell {
                    stage,
                    arrival,
                    options,
                });
            };
            for (flags, len) in CLASSES {
                crafts(flags, len, options, |craft| add(Arrival::Craft(craft)));
            }
            EDITS.into_iter().for_each(|edit| add(Arrival::Edit(edit)));
        }
    }
    cells
});

/// Every pair of edges of two fields; the other fields are right.
fn crafts(flags: Flags, len: u16, stamped: bool, mut add: impl FnMut(Craft)) {
    let plain = Craft {
        seq: SEQS[0],
        ack: ACKS[0],
        tsval: TSVALS[0],
        window: WINDOWS[0],
        flags,
        len,
        copy: 100,
    };
    let acks = if flags.contains(Flags::ACK) {
        &ACKS[..]
    } else {
        &ACKS[..1]
    };
    let tsvals = if stamped { &TSVALS[..] } else { &TSVALS[..1] };
    for seq in SEQS {
        for ack in acks.iter().copied() {
            add(Craft { seq, ack, ..plain });
        }
        for tsval in tsvals[1..].iter().copied() {
            add(Craft {
                seq,
                tsval,
                ..plain
            });
        }
    }
    for ack in acks[1..].iter().copied() {
        for tsval in tsvals[1..].iter().copied() {
            add(Craft {
                ack,
                tsval,
                ..plain
            });
        }
        add(Craft {
            ack,
            window: 0,
            ..plain
        });
    }
    for window in WINDOWS[1..].iter().copied() {
        add(Craft { window, ..plain });
    }
}

impl Cell {
    fn plan(&self, number: u64, family: Family) -> Plan {
        let (open, opens_too) = match self.stage {
            Stage::SynCrossed => (OpenMode::Active, true),
            Stage::SynSent | Stage::EstablishedActively => (OpenMode::Active, false),
            _ => (OpenMode::Passive, false),
        };
        let offer = Offer {
            window_scale: self.options.then_some(7),
            timestamps: self.options,
            sack: self.options,
            ..Offer::default()
        };
        let pick = |number: u64| NUMBERS[number as usize % NUMBERS.len()];
        let mut moves = self.stage.moves();
        match self.arrival {
            Arrival::Craft(craft) => moves.push(Move::Craft(craft)),
            // The SYN itself.
            Arrival::Edit(edit) if self.stage == Stage::Listen => {
                moves = vec![Move::DeliverEdited {
                    nth: 0,
                    edits: vec![edit],
                }];
            }
            Arrival::Edit(edit) => moves.extend([
                Move::PeerWrite(TEXT),
                Move::DeliverEdited {
                    nth: 0,
                    edits: vec![edit],
                },
            ]),
        }
        moves.extend(after());
        let mut plan = Plan {
            setup: Setup {
                family,
                open,
                isn: pick(number),
                ..Setup::default()
            },
            peer: PeerConfig {
                offer,
                tsval: pick(number / NUMBERS.len() as u64),
                opens_too,
                ..PeerConfig::default()
            },
            moves,
        };
        plan.normalize();
        plan
    }
}

impl Stage {
    /// How to get there.
    fn moves(self) -> Vec<Move> {
        let write = |octets| Move::Call(Call::Write(octets));
        let (shut, close) = (Move::Call(Call::ShutdownWrite), Move::Call(Call::Close));
        let (to_stack, to_peer) = (Move::DeliverToStack(0), Move::DeliverToPeer(0));
        let opening = match self {
            Stage::Listen => return vec![Move::DropToStack(0)],
            Stage::SynSent => return vec![],
            Stage::SynReceived | Stage::SynCrossed => return vec![to_stack],
            Stage::EstablishedActively => {
                return vec![to_peer.clone(), to_stack, to_peer];
            }
            _ => vec![to_stack.clone(), to_peer.clone(), to_stack.clone()],
        };
        let gap = [
            Move::PeerWrite(20),
            Move::PeerWrite(30),
            Move::DeliverToStack(1),
        ];
        // The peer hears of the FIN and acknowledges it.
        let heard = [to_peer, to_stack.clone()];
        let rest: Vec<Move> = match self {
            Stage::TextInFlight => vec![write(300)],
            Stage::TextUnread => vec![Move::PeerWrite(50), to_stack],
            Stage::Gap => gap.into(),
            Stage::FinWait1 => vec![shut],
            Stage::FinWait1Closed => vec![close],
            Stage::FinWait2 => [vec![shut], heard.into()].concat(),
            Stage::FinWait2Closed => [vec![close], heard.into()].concat(),
            Stage::FinWait2Gap => [vec![shut], heard.into(), gap.into()].concat(),
            Stage::CloseWait => vec![Move::PeerShutdown, to_stack],
            Stage::Closing => vec![shut, Move::PeerShutdown, to_stack],
            Stage::LastAck => vec![Move::PeerShutdown, to_stack, shut],
            Stage::TimeWait => {
                [vec![shut], heard.into(), vec![Move::PeerShutdown, to_stack]].concat()
            }
            Stage::Reset => vec![Move::PeerAbort, to_stack],
            _ => Vec::new(),
        };
        [opening, rest].concat()
    }
}

/// What shows the effect: text both ways, and a segment that every connection answers.
fn after() -> [Move; 6] {
    [
        Move::Call(Call::Read(1 << 17)),
        Move::PeerWrite(10),
        Move::DeliverToStack(0),
        Move::Call(Call::Write(7)),
        Move::Craft(Craft {
            seq: (SeqBase::RcvNxt, -1),
            ack: (AckBase::SndNxt, 0),
            tsval: (TsBase::Newest, 1),
            window: 65_535,
            flags: Flags::ACK,
            len: 0,
            copy: 0,
        }),
        Move::DeliverToStack(0),
    ]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_cell_is_met_once_a_round() {
        let plans: BTreeSet<u64> = (0..count())
            .map(|number| number.wrapping_mul(STRIDE) % count())
            .collect();
        assert_eq!(plans.len() as u64, count());
    }

    #[test]
    fn the_first_edge_of_each_kind_is_right() {
        let mut crafts_of_text = Vec::new();
        crafts(Flags::ACK, 0, true, |craft| crafts_of_text.push(craft));
        let first = crafts_of_text[0];
        assert_eq!(first.seq, (SeqBase::RcvNxt, 0));
        assert_eq!(first.ack, (AckBase::SndNxt, 0));
        assert_eq!(crafts_of_text.len(), 14 * 9 + 14 * 5 + 8 * 6 + 2);
    }
}
