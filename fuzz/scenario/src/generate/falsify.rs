//! How a generated peer breaks rules: one or two fields of a valid segment, or a segment around an edge.

use ackward_model::{Address, Flags, IcmpKind};

use super::Dice;
use crate::{AckBase, Craft, Edit, Move, Place, SeqBase, TsBase};

/// What a plan's peer mostly gets wrong: faults hide behind one field more than behind many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Focus {
    Sequence,
    Edge,
    Acknowledgment,
    Timestamps,
    Window,
    Flags,
    Options,
}

const FOCI: [Focus; 8] = [
    Focus::Sequence,
    Focus::Edge,
    Focus::Edge,
    Focus::Acknowledgment,
    Focus::Timestamps,
    Focus::Window,
    Focus::Flags,
    Focus::Options,
];

pub(super) fn focus(dice: &mut Dice) -> Focus {
    dice.pick(&FOCI)
}

/// One edit, sometimes two or three.
pub(super) fn edits(dice: &mut Dice, focus: Focus) -> Vec<Edit> {
    let count = match dice.below(16) {
        0 => 3,
        1..4 => 2,
        _ => 1,
    };
    (0..count)
        .map(|_| {
            let focus = strayed(dice, focus);
            edit(dice, focus)
        })
        .collect()
}

/// One time in three another focus.
fn strayed(dice: &mut Dice, usual: Focus) -> Focus {
    if dice.one_in(3) { focus(dice) } else { usual }
}

/// A segment from scratch: true to the connection but for what the plan's focus is on.
pub(super) fn craft(dice: &mut Dice, focus: Focus, mss: u32) -> Craft {
    let mut craft = Craft {
        seq: (SeqBase::RcvNxt, 0),
        ack: (AckBase::SndNxt, 0),
        tsval: (TsBase::Newest, 3 + dice.below(100) as i32),
        window: 65_535,
        flags: Flags::PSH | Flags::ACK,
        len: match dice.below(8) {
            0 => 0,
            1 => 1,
            2 => mss as u16,
            _ => 1 + dice.below(100) as u16,
        },
        copy: 100 + dice.below(100) as u8,
    };
    let first = strayed(dice, focus);
    disguise(dice, &mut craft, first);
    if dice.one_in(3) {
        let second = self::focus(dice);
        disguise(dice, &mut craft, second);
    }
    craft
}

/// Makes one thing about a segment from scratch what no honest peer would.
fn disguise(dice: &mut Dice, craft: &mut Craft, focus: Focus) {
    match focus {
        Focus::Sequence => craft.seq = (SeqBase::RcvNxt, around(dice, craft.len)),
        Focus::Edge => {
            let straddles = -i32::from(craft.len) / 2;
            let touches = -i32::from(craft.len);
            let by = dice.pick(&[0, 0, 0, 1, 100, -1, straddles, touches, touches + 1]);
            craft.seq = (SeqBase::Edge, by);
        }
        Focus::Acknowledgment => craft.ack = acknowledgment(dice),
        Focus::Timestamps => craft.tsval = timestamp(dice),
        Focus::Window => craft.window = window(dice),
        Focus::Flags => {
            craft.flags = flags(dice);
            if dice.one_in(2) {
                craft.len = 0;
            }
        }
        Focus::Options => craft.seq = (SeqBase::Irs, dice.below(3) as i32),
    }
}

fn edit(dice: &mut Dice, focus: Focus) -> Edit {
    match focus {
        Focus::Sequence => match dice.below(3) {
            0 => Edit::Len(dice.below(200) as u16),
            1 => Edit::Seq(SeqBase::RcvNxt, around(dice, 50)),
            _ => Edit::ShiftSeq(around(dice, 50)),
        },
        Focus::Edge => Edit::Seq(SeqBase::Edge, dice.pick(&[0, 1, -1, -20, -100])),
        Focus::Acknowledgment => {
            if dice.one_in(2) {
                Edit::ShiftAck(dice.pick(&[-1, 1, -20, 100, -70_000, i32::MIN]))
            } else {
                let (base, by) = acknowledgment(dice);
                Edit::Ack(base, by)
            }
        }
        Focus::Timestamps => match dice.below(4) {
            0 => Edit::ZeroTsval,
            1 => Edit::ShiftTsval(dice.pick(&[-1, -2, -3, -1_000, i32::MIN])),
            2 => Edit::Tsecr(dice.near_a_boundary(3)),
            _ => {
                let (base, by) = timestamp(dice);
                Edit::Tsval(base, by)
            }
        },
        Focus::Window => {
            if dice.one_in(2) {
                Edit::Window(window(dice))
            } else {
                Edit::Shrink(1 + dice.below(60_000) as u16)
            }
        }
        Focus::Flags => {
            if dice.one_in(2) {
                Edit::Flags(flags(dice))
            } else {
                Edit::ToggleFlags(dice.pick(&[Flags::FIN, Flags::ACK, Flags::PSH, Flags::SYN]))
            }
        }
        Focus::Options => {
            let kind = dice.pick(&[1, 2, 3, 3, 4, 5, 8, 8]);
            let place = dice.pick(&[Place::First, Place::Last]);
            match dice.below(8) {
                0..3 => Edit::RepeatOption(kind),
                3..6 => Edit::DropOption(kind),
                6 => Edit::UnknownOption(place),
                _ if dice.one_in(6) => Edit::Address(group_address(dice)),
                _ => dice.pick(&[
                    Edit::EndOptions,
                    Edit::OptionLength(0, place),
                    Edit::OptionLength(40, place),
                    Edit::Damage,
                    Edit::Damage,
                    Edit::IpOption,
                ]),
            }
        }
    }
}

/// Some or all of a segment's text is urgent, or text that is still to come.
pub(super) fn urgent(dice: &mut Dice) -> Edit {
    Edit::Urgent(dice.pick(&[0, 1, 1, 1, 2, 10, 100, 1_460, u16::MAX]))
}

/// What the network says of a segment of the stack, mostly one in flight.
pub(super) fn told(dice: &mut Dice) -> Move {
    Move::Icmp {
        kind: dice.pick(&[
            IcmpKind::NetworkUnreachable,
            IcmpKind::HostUnreachable,
            IcmpKind::ProtocolUnreachable,
            IcmpKind::PortUnreachable,
            IcmpKind::SourceQuench,
            IcmpKind::TimeExceeded,
            IcmpKind::ParameterProblem,
        ]),
        seq: dice.pick(&[
            (AckBase::SndUna, 0),
            (AckBase::SndUna, 0),
            (AckBase::SndUna, -1),
            (AckBase::SndNxt, -1),
            (AckBase::SndNxt, 1_000),
        ]),
        foreign: dice.one_in(4),
    }
}

/// An address that is no host's.
fn group_address(dice: &mut Dice) -> Address {
    dice.pick(&[
        Address::FromMulticast,
        Address::FromBroadcast,
        Address::ToMulticast,
        Address::ToBroadcast,
    ])
}

fn around(dice: &mut Dice, len: u16) -> i32 {
    let len = i32::from(len);
    let near = dice.below(200) as i32 - 100;
    dice.pick(&[-1, 1, -len, len, -len - 1, near, near, i32::MIN])
}

fn acknowledgment(dice: &mut Dice) -> (AckBase, i32) {
    let base = dice.pick(&[AckBase::SndUna, AckBase::SndNxt]);
    (
        base,
        dice.pick(&[0, 0, 1, -1, -20, 1_000, -66_000, i32::MIN]),
    )
}

fn timestamp(dice: &mut Dice) -> (TsBase, i32) {
    let base = dice.pick(&[TsBase::Newest, TsBase::Recent]);
    (
        base,
        dice.pick(&[0, -1, -2, -3, 1, 2, 1_000, i32::MAX, i32::MIN]),
    )
}

fn window(dice: &mut Dice) -> u16 {
    dice.pick(&[0, 0, 1, 2, 100, 536, 1_460, 32_767, 32_768, 65_535])
}

fn flags(dice: &mut Dice) -> Flags {
    dice.pick(&[
        Flags::NONE,
        Flags::RST,
        Flags::RST | Flags::ACK,
        Flags::SYN,
        Flags::SYN | Flags::ACK,
        Flags::FIN,
        Flags::FIN | Flags::ACK,
        Flags::ACK,
        Flags::SYN | Flags::FIN,
    ])
}
