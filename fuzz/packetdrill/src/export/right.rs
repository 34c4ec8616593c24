//! What a right stack sends in the place of the segment that is wrong.
//! RFC 9293 section 3.10.7.4, RFC 7323 sections 2.2, 3.2 and 4.3, RFC 2018 section 3 and RFC 2883 section 4.

use ackward_model::{Entry, Event as Seen, Flags, SeqNum, TsVal};

use super::conversation::Conversation;
use super::view::timestamps;
use super::{OptionKind, Subject};
use crate::ast::{Packet, PacketOption, PacketOptions};

/// Puts the right values in the place of the wrong ones.
pub(super) fn correct(script: &Conversation<'_>, packet: &mut Packet) {
    let numbers = &script.numbers;
    match &script.export.subject {
        Subject::Echo { allowed, observed } => {
            let wrong = numbers.peer.script(*observed);
            let right = allowed.first().map(|value| numbers.peer.script(*value));
            if let Some(right) = right {
                echo(packet, wrong, right);
            }
        }
        Subject::BeyondWindow { edge, .. } => {
            let edge = numbers.of_peer(*edge);
            packet.ack = packet.ack.map(|ack| ack.min(edge));
            keep_blocks(packet, |block| {
                block.1 = block.1.min(edge);
                block.0 < block.1
            });
        }
        Subject::Acknowledgment { right } => {
            packet.ack = Some(numbers.peer_number(packet.flags, numbers.of_peer(*right)));
        }
        Subject::Reset { seq } => {
            *packet = Packet {
                flags: Flags::RST,
                seq: numbers.of_stack(*seq),
                len: 0,
                ack: None,
                window: None,
                // RFC 7323 section 3.2 leaves it open whether a RST carries timestamps.
                options: PacketOptions::Unchecked,
                ..Packet::default()
            };
        }
        Subject::Blocks { held } => {
            let twice = received_twice(script);
            let relative =
                |(left, right): (SeqNum, SeqNum)| (numbers.of_peer(left), numbers.of_peer(right));
            let within = |block: &(u32, u32), (left, right): (u32, u32)| {
                left <= block.0 && block.1 <= right && block.0 < block.1
            };
            let mut first = true;
            keep_blocks(packet, |block| {
                let duplicate = std::mem::take(&mut first)
                    && twice.is_some_and(|range| within(block, relative(range)));
                duplicate || held.iter().any(|range| within(block, relative(*range)))
            });
        }
        Subject::Unwanted(kinds) => {
            if let PacketOptions::Exactly(options) = &mut packet.options {
                options.retain(|option| !kinds.iter().any(|kind| kind.is_of(option)));
                *options = laid_out(options);
            }
        }
        Subject::MissingTimestamps => add_timestamps(script, packet),
        Subject::Window { least } => packet.window = Some(*least),
        Subject::Silence | Subject::Report { .. } | Subject::Other { .. } => {}
    }
}

fn echo(packet: &mut Packet, wrong: TsVal, right: TsVal) {
    let PacketOptions::Exactly(options) = &mut packet.options else {
        return;
    };
    for option in options {
        if let PacketOption::Timestamps { tsecr, .. } = option
            && *tsecr == wrong.0
        {
            *tsecr = right.0;
        }
    }
}

fn add_timestamps(script: &Conversation<'_>, packet: &mut Packet) {
    if timestamps(packet).is_some() {
        return;
    }
    let option = PacketOption::Timestamps {
        tsval: script.numbers.stack.next(),
        tsecr: script.view.echoed.unwrap_or_default().0,
    };
    if let PacketOptions::Exactly(options) = &mut packet.options {
        let leading = |option: &PacketOption| {
            matches!(
                option,
                PacketOption::MaximumSegmentSize(_)
                    | PacketOption::SackPermitted
                    | PacketOption::NoOperation
            )
        };
        let place = options.iter().take_while(|option| leading(option)).count();
        options.insert(place, option);
        *options = laid_out(options);
    }
}

/// The text that came most recently, as far as it had come before: what a first block may report once more.
fn received_twice(script: &Conversation<'_>) -> Option<(SeqNum, SeqNum)> {
    let entries = &script.export.trace.entries[..script.export.diverging];
    let injected = |entry: &Entry| match &entry.event {
        Seen::In(segment, _) => Some((segment.text_start(), segment.text_end())),
        _ => None,
    };
    let mut latest_first = entries.iter().rev().filter_map(injected);
    let (left, right) = latest_first.next()?;
    latest_first
        .any(|before| before.0.before(right) && left.before(before.1))
        .then_some((left, right))
}

/// Keeps the SACK blocks that `keep` keeps; an emptied option goes, and its padding with it.
fn keep_blocks(packet: &mut Packet, keep: impl FnMut(&mut (u32, u32)) -> bool) {
    let PacketOptions::Exactly(options) = &mut packet.options else {
        return;
    };
    let sack = options.iter_mut().find_map(|option| match option {
        PacketOption::Sack(blocks) => Some(blocks),
        _ => None,
    });
    let Some(blocks) = sack else {
        return;
    };
    blocks.retain_mut(keep);
    if blocks.is_empty() {
        options.retain(|option| !matches!(option, PacketOption::Sack(_)));
        *options = laid_out(options);
    }
}

/// `options` with fresh padding before each of them, so that it ends at a multiple of four octets. The permission to
/// send SACK and timestamps after it need none between them.
fn laid_out(options: &[PacketOption]) -> Vec<PacketOption> {
    let padding = |option: &&PacketOption| {
        matches!(option, PacketOption::NoOperation | PacketOption::EndOfList)
    };
    let mut rest = options.iter().filter(|option| !padding(option)).peekable();
    let mut all = Vec::new();
    while let Some(option) = rest.next() {
        let partner = rest.next_if(|next| {
            *option == PacketOption::SackPermitted
                && matches!(next, PacketOption::Timestamps { .. })
        });
        let together = [Some(option), partner].into_iter().flatten();
        let len: usize = together.clone().map(PacketOption::wire_len).sum();
        let fill = len.next_multiple_of(4) - len;
        all.extend(std::iter::repeat_n(PacketOption::NoOperation, fill));
        all.extend(together.cloned());
    }
    all
}

impl OptionKind {
    fn is_of(self, option: &PacketOption) -> bool {
        match self {
            OptionKind::WindowScale => matches!(option, PacketOption::WindowScale(_)),
            OptionKind::Timestamps => matches!(option, PacketOption::Timestamps { .. }),
            OptionKind::Sack => matches!(option, PacketOption::Sack(_)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use PacketOption::{MaximumSegmentSize, NoOperation, SackPermitted, WindowScale};

    const STAMP: PacketOption = PacketOption::Timestamps { tsval: 1, tsecr: 2 };

    fn acknowledgment(options: Vec<PacketOption>) -> Packet {
        Packet {
            flags: Flags::ACK,
            seq: 1,
            len: 0,
            ack: Some(1),
            window: None,
            options: PacketOptions::Exactly(options),
            ..Packet::default()
        }
    }

    #[test]
    fn the_last_block_takes_its_padding_along() {
        let sack = PacketOption::Sack(vec![(100, 200)]);
        let mut packet = acknowledgment(vec![
            NoOperation,
            NoOperation,
            STAMP,
            NoOperation,
            NoOperation,
            sack,
        ]);
        keep_blocks(&mut packet, |block| block.1 <= 100);
        assert_eq!(
            packet.options,
            PacketOptions::Exactly(vec![NoOperation, NoOperation, STAMP])
        );
    }

    #[test]
    fn a_block_among_others_goes_alone() {
        let sack = PacketOption::Sack(vec![(100, 200), (10, 20)]);
        let mut packet = acknowledgment(vec![NoOperation, NoOperation, sack]);
        keep_blocks(&mut packet, |block| block.1 <= 100);
        let left = PacketOption::Sack(vec![(10, 20)]);
        assert_eq!(
            packet.options,
            PacketOptions::Exactly(vec![NoOperation, NoOperation, left])
        );
    }

    #[test]
    fn options_that_stay_are_laid_out_as_if_alone() {
        let mss = MaximumSegmentSize(1460);
        let full = [
            mss.clone(),
            SackPermitted,
            STAMP,
            NoOperation,
            WindowScale(7),
        ];
        assert_eq!(laid_out(&full), full);
        assert_eq!(
            laid_out(&[mss.clone(), SackPermitted, NoOperation, WindowScale(7)]),
            [
                mss,
                NoOperation,
                NoOperation,
                SackPermitted,
                NoOperation,
                WindowScale(7)
            ]
        );
    }
}
