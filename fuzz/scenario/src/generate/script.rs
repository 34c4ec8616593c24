//! The moves of a generated conversation: who writes, reads and closes, and what the network does to the segments.

use ackward_model::{Call, Micros, SocketOption};

use super::falsify::Focus;
use super::{Dice, falsify, opening, settings};
use crate::{Move, PeerConfig, Setup};

/// Moves being written, with a guess at how much is in flight, so that few of them are idle.
#[derive(Debug)]
pub(super) struct Script {
    moves: Vec<Move>,
    to_stack: u32,
    to_peer: u32,
    /// The largest segment, in octets of text.
    mss: u32,
    /// How often text fills a segment: once in so many times.
    full_one_in: u32,
    /// Both sides send urgent text.
    urgent: bool,
}

/// A kind of move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    StackWrites,
    PeerWrites,
    Delivers,
    Overtakes,
    Repeats,
    Loses,
    Answers,
    AnswersOvertake,
    AnswersAreLost,
    StackReads,
    PeerReads,
    PeerIdles,
    PeerRetransmits,
    StackShuts,
    StackCloses,
    PeerShuts,
    PeerAborts,
    SettingChanges,
    Falsifies,
    Crafts,
    NetworkTells,
    StackListens,
}

/// How often each kind comes, before a plan has its own mind about it.
const WEIGHTS: [(Kind, u32); 22] = [
    (Kind::StackWrites, 40),
    (Kind::PeerWrites, 60),
    (Kind::Delivers, 80),
    (Kind::Overtakes, 110),
    (Kind::Repeats, 12),
    (Kind::Loses, 6),
    (Kind::Answers, 60),
    (Kind::AnswersOvertake, 10),
    (Kind::AnswersAreLost, 5),
    (Kind::StackReads, 20),
    (Kind::PeerReads, 8),
    (Kind::PeerIdles, 6),
    (Kind::PeerRetransmits, 10),
    (Kind::StackShuts, 4),
    (Kind::StackCloses, 3),
    (Kind::PeerShuts, 5),
    (Kind::PeerAborts, 1),
    (Kind::SettingChanges, 3),
    (Kind::Falsifies, 60),
    (Kind::Crafts, 40),
    (Kind::NetworkTells, 3),
    (Kind::StackListens, 2),
];

/// The moves of a plan.
pub(super) fn moves(
    dice: &mut Dice,
    setup: &Setup,
    peer: &PeerConfig,
    falsifies: bool,
) -> Vec<Move> {
    let mut script = Script {
        moves: Vec::with_capacity(32),
        to_stack: u32::from(setup.open == ackward_model::OpenMode::Passive || peer.opens_too),
        to_peer: u32::from(setup.open == ackward_model::OpenMode::Active),
        mss: u32::from(peer.offer.mss.unwrap_or(536)),
        full_one_in: dice.pick(&[2, 3, 8]),
        urgent: setup
            .socket_options
            .contains(&SocketOption::UrgentInline(true)),
    };
    opening::handshake(dice, &mut script, setup.open, peer);
    let at_defaults = setup.sysctls.is_empty() && setup.socket_options.is_empty();
    let weights = opinion(dice, falsifies, at_defaults);
    let focus = falsify::focus(dice);
    let length = length(dice);
    // Most states come after a closing, so some conversations close early.
    let closing = dice.one_in(4).then(|| dice.below(length));
    for place in 0..length {
        if closing == Some(place) {
            script.close(dice);
        }
        let late = falsifies && closing.is_some_and(|closing| place > closing);
        let (kind, focus) = match dice.below(3) {
            // There is little else to say after a closing than control bits.
            0 if late => (Kind::Crafts, Focus::Flags),
            1 if late => (Kind::Crafts, focus),
            _ => (choose(dice, &weights), focus),
        };
        script.add(dice, kind, focus);
    }
    if dice.one_in(2) {
        for _ in 0..script.to_stack.min(6) {
            script.deliver_to_stack(0);
        }
    }
    if dice.one_in(500) {
        let place = script.moves.len() - dice.below(4).min(script.moves.len() as u32) as usize;
        let by = Micros::from(50_000 + dice.below(50_000));
        script.moves.insert(place, Move::Wait(by));
    }
    script.moves
}

/// Any one move, for a plan that is changed.
pub(crate) fn any_move(dice: &mut Dice, falsifies: bool) -> Move {
    let mut script = Script {
        moves: Vec::with_capacity(1),
        to_stack: 4,
        to_peer: 4,
        mss: dice.pick(&[536, 1000, 1460]),
        full_one_in: 4,
        urgent: false,
    };
    let weights = WEIGHTS.map(|(kind, weight)| match kind {
        Kind::Falsifies | Kind::Crafts | Kind::NetworkTells if !falsifies => 0,
        _ => weight,
    });
    let kind = choose(dice, &weights);
    let focus = falsify::focus(dice);
    script.add(dice, kind, focus);
    script.moves.swap_remove(0)
}

impl Script {
    pub(super) fn push(&mut self, next: Move) {
        self.moves.push(next);
    }

    pub(super) fn deliver_to_stack(&mut self, nth: u8) {
        self.to_stack = self.to_stack.saturating_sub(1);
        // Most segments draw an answer.
        self.to_peer += 1;
        self.push(Move::DeliverToStack(nth));
    }

    pub(super) fn deliver_to_peer(&mut self, nth: u8) {
        self.to_peer = self.to_peer.saturating_sub(1);
        self.to_stack += 1;
        self.push(Move::DeliverToPeer(nth));
    }

    fn add(&mut self, dice: &mut Dice, kind: Kind, focus: falsify::Focus) {
        match kind {
            Kind::StackWrites => {
                let octets = self.amount(dice);
                self.to_peer += octets.div_ceil(1460);
                let urgent = self.urgent && dice.one_in(3);
                self.push(Move::Call(if urgent {
                    Call::WriteUrgent(octets)
                } else {
                    Call::Write(octets)
                }));
            }
            Kind::PeerWrites => self.peer_writes(dice),
            Kind::Delivers if self.to_stack > 0 => self.deliver_to_stack(0),
            Kind::Overtakes if self.to_stack > 1 => {
                let nth = 1 + dice.below(self.to_stack - 1);
                self.deliver_to_stack(nth as u8);
            }
            Kind::Repeats if self.to_stack > 0 => {
                self.push(Move::RepeatToStack(dice.below(self.to_stack) as u8));
            }
            Kind::Loses if self.to_stack > 0 => {
                self.push(Move::DropToStack(dice.below(self.to_stack) as u8));
                self.to_stack -= 1;
            }
            Kind::Delivers | Kind::Overtakes | Kind::Repeats | Kind::Loses => {
                self.peer_writes(dice);
            }
            Kind::Answers => {
                let heard = 1 + dice.below(self.to_peer.clamp(1, 4));
                for _ in 0..heard {
                    self.deliver_to_peer(0);
                }
            }
            Kind::AnswersOvertake => {
                let nth = dice.below(self.to_peer.max(2));
                self.deliver_to_peer(nth as u8);
            }
            Kind::AnswersAreLost => {
                self.to_peer = self.to_peer.saturating_sub(1);
                self.push(Move::DropToPeer(0));
            }
            Kind::StackReads if self.urgent && dice.one_in(2) => {
                self.push(Move::Call(Call::Urgent));
            }
            Kind::StackReads => {
                let max = reads(dice);
                self.push(Move::Call(Call::Read(max)));
                if self.urgent && dice.one_in(2) {
                    self.push(Move::Call(Call::Urgent));
                }
            }
            Kind::PeerReads => {
                let max = reads(dice);
                self.push(Move::PeerRead(max));
            }
            Kind::PeerIdles => {
                // A pause, some minutes, or twelve days.
                let ticks = dice.pick(&[1, 100, 1_000, 300_000, 1 << 30]);
                self.push(Move::PeerClock(ticks));
            }
            Kind::PeerRetransmits => {
                self.to_stack += 1;
                self.push(Move::PeerRetransmit);
            }
            Kind::StackShuts => self.push(Move::Call(Call::ShutdownWrite)),
            Kind::StackCloses => self.push(Move::Call(Call::Close)),
            Kind::PeerShuts => {
                self.to_stack += 1;
                self.push(Move::PeerShutdown);
            }
            Kind::PeerAborts => {
                self.to_stack += 1;
                self.push(Move::PeerAbort);
            }
            Kind::SettingChanges => {
                let call = if dice.one_in(3) {
                    Call::Sysctl(settings::sysctl_midway(dice))
                } else {
                    let option = if dice.one_in(8) {
                        settings::in_header(dice)
                    } else {
                        settings::socket_option(dice)
                    };
                    Call::Set(option)
                };
                self.push(Move::Call(call));
            }
            Kind::Falsifies => {
                if self.to_stack == 0 {
                    self.peer_writes(dice);
                }
                let nth = dice.below(self.to_stack.max(1)) as u8;
                self.to_stack = self.to_stack.saturating_sub(1);
                self.to_peer += 1;
                let mut edits = falsify::edits(dice, focus);
                let urgent = self.urgent && dice.one_in(2);
                if urgent {
                    edits = vec![falsify::urgent(dice)];
                }
                self.push(Move::DeliverEdited { nth, edits });
                if urgent && dice.one_in(2) {
                    self.push(Move::Call(Call::Urgent));
                }
            }
            Kind::NetworkTells => {
                let next = falsify::told(dice);
                self.push(next);
            }
            Kind::StackListens => self.push(Move::Call(Call::Listen)),
            Kind::Crafts => {
                self.to_peer += 1;
                let craft = falsify::craft(dice, focus, self.mss);
                self.push(Move::Craft(craft));
            }
        }
    }

    /// The stack closes, the peer hears of it and answers; perhaps it closes too.
    fn close(&mut self, dice: &mut Dice) {
        self.push(Move::Call(dice.pick(&[Call::ShutdownWrite, Call::Close])));
        for _ in 0..1 + dice.below(3) {
            self.deliver_to_peer(0);
        }
        for _ in 0..self.to_stack.min(1 + dice.below(6)) {
            self.deliver_to_stack(0);
        }
        if dice.one_in(2) {
            self.push(Move::PeerShutdown);
            self.deliver_to_stack(0);
        }
    }

    fn peer_writes(&mut self, dice: &mut Dice) {
        let urgent = self.urgent && dice.one_in(3);
        let octets = if urgent && dice.one_in(3) {
            // It begins in one segment and ends in the next.
            self.mss + 1 + dice.below(self.mss)
        } else {
            self.amount(dice)
        };
        self.to_stack += octets.div_ceil(self.mss);
        self.push(if urgent {
            Move::PeerWriteUrgent(octets as u16)
        } else {
            Move::PeerWrite(octets as u16)
        });
    }

    /// Octets to write: mostly a few, sometimes a full segment, now and then several.
    fn amount(&self, dice: &mut Dice) -> u32 {
        if dice.one_in(self.full_one_in) {
            return self.mss;
        }
        match dice.below(16) {
            0 => self.mss * (2 + dice.below(5)),
            1 => 1 + dice.below(self.mss),
            _ => 1 + dice.below(100),
        }
    }
}

/// How many moves follow the handshake.
fn length(dice: &mut Dice) -> u32 {
    match dice.below(16) {
        0 => 24 + dice.below(16),
        _ => 7 + dice.below(18),
    }
}

/// Each plan leaves out some kinds of moves and overdoes others: so it gets where the average plan does not.
fn opinion(dice: &mut Dice, falsifies: bool, at_defaults: bool) -> [u32; WEIGHTS.len()] {
    let mut mood = dice.bits();
    WEIGHTS.map(|(kind, weight)| {
        let bits = mood & 3;
        mood >>= 2;
        let leaves_out = match kind {
            Kind::Falsifies | Kind::Crafts | Kind::NetworkTells => !falsifies,
            Kind::SettingChanges => at_defaults,
            _ => false,
        };
        match (leaves_out, bits, kind) {
            (true, ..) => 0,
            (_, 0, Kind::PeerWrites | Kind::Delivers | Kind::Answers | Kind::Crafts) => weight,
            (_, _, Kind::Overtakes) if falsifies => weight / 2,
            (_, 0, _) => 0,
            (_, 3, _) => 2 * weight,
            _ => weight,
        }
    })
}

fn choose(dice: &mut Dice, weights: &[u32; WEIGHTS.len()]) -> Kind {
    let mut ticket = dice.below(weights.iter().sum());
    for ((kind, _), weight) in WEIGHTS.iter().zip(weights) {
        if ticket < *weight {
            return *kind;
        }
        ticket -= weight;
    }
    Kind::Delivers
}

fn reads(dice: &mut Dice) -> u32 {
    match dice.below(4) {
        0 => 1 + dice.below(100),
        1 => 1 + dice.below(3_000),
        _ => 1 << 17,
    }
}
