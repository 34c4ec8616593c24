//! How a generated conversation begins: mostly with a handshake that works, sometimes with one that is disturbed.

use ackward_model::{Call, OpenMode};

use super::Dice;
use super::script::Script;
use crate::{Move, PeerConfig};

/// Writes the handshake. What it leaves in flight may meet the text that follows.
pub(super) fn handshake(dice: &mut Dice, script: &mut Script, open: OpenMode, peer: &PeerConfig) {
    if dice.one_in(16) {
        disturbed(dice, script, open);
        return;
    }
    if open == OpenMode::Active && dice.one_in(50) {
        script.push(Move::Call(Call::Listen));
    }
    match open {
        OpenMode::Passive => {
            script.deliver_to_stack(0);
            script.deliver_to_peer(0);
            if dice.one_in(6) {
                return;
            }
            script.deliver_to_stack(0);
        }
        OpenMode::Active if peer.opens_too => {
            // Our SYN overtakes nothing: the two cross.
            script.deliver_to_stack(0);
            if dice.one_in(4) {
                return;
            }
            script.deliver_to_peer(0);
            script.deliver_to_peer(0);
            script.deliver_to_stack(0);
            script.deliver_to_stack(0);
        }
        OpenMode::Active => {
            script.deliver_to_peer(0);
            script.deliver_to_stack(0);
            script.deliver_to_peer(0);
        }
    }
}

/// Repeats, loses and retransmits what opens the connection.
fn disturbed(dice: &mut Dice, script: &mut Script, open: OpenMode) {
    if open == OpenMode::Passive {
        script.push(Move::RepeatToStack(0));
    }
    for _ in 0..2 + dice.below(4) {
        match dice.below(6) {
            0 => script.push(Move::PeerRetransmit),
            1 => script.push(Move::RepeatToStack(dice.below(3) as u8)),
            2 => script.push(Move::PeerWrite(1 + dice.below(50) as u16)),
            3 => script.deliver_to_peer(dice.below(2) as u8),
            _ => script.deliver_to_stack(dice.below(3) as u8),
        }
    }
    script.deliver_to_peer(0);
    script.deliver_to_stack(0);
}
