//! How a segment is falsified: one field at a time, by a little or to an edge.

use ackward_model::{Address, Flags};
use arbitrary::Arbitrary;
use serde::{Deserialize, Serialize};

use crate::view::View;
use crate::{AckBase, Echo, OptionSpec, SegmentSpec, SeqBase, TsBase};

/// One falsified field.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, Arbitrary)]
#[serde(rename_all = "snake_case")]
pub enum Edit {
    /// Moves SEG.SEQ; the text moves with it.
    ShiftSeq(i32),
    /// Puts SEG.SEQ at a distance from a place.
    Seq(SeqBase, i32),
    /// Moves SEG.ACK.
    ShiftAck(i32),
    /// Puts SEG.ACK at a distance from a place.
    Ack(AckBase, i32),
    /// Makes TSval newer, or older if negative.
    ShiftTsval(i32),
    /// Puts TSval at a distance from a value.
    Tsval(TsBase, i32),
    /// TSval is 0.
    ZeroTsval,
    /// TSecr is this value.
    Tsecr(u32),
    /// SEG.WND is this field.
    Window(u16),
    /// SEG.WND is smaller by so much, down to 0.
    Shrink(u16),
    /// The control bits are these.
    Flags(Flags),
    /// These control bits change.
    ToggleFlags(Flags),
    /// So many octets of text.
    Len(u16),
    /// The options of this kind are gone.
    DropOption(u8),
    /// The options of this kind come twice, or at all where there is none.
    RepeatOption(u8),
    /// An option of unknown kind, first of all or last.
    UnknownOption(Place),
    /// An end-of-list in front of the options.
    EndOptions,
    /// An option of unknown kind whose length octet is this, which may be impossible.
    OptionLength(u8, Place),
    /// The checksum is wrong.
    Damage,
    /// The datagram has an IP option of unknown kind.
    IpOption,
    /// The datagram has other addresses.
    Address(Address),
    /// URG, with this urgent pointer.
    Urgent(u16),
}

/// Where an option is put.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, Arbitrary)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// In front of all others.
    First,
    /// Behind all others.
    Last,
}

/// A kind of option that nobody has been given.
const UNKNOWN: u8 = 250;

impl Edit {
    /// Falsifies `segment`, given what was seen.
    pub(crate) fn apply(&self, segment: &mut SegmentSpec, view: &View) {
        match *self {
            Edit::ShiftSeq(by) => segment.seq = segment.seq.wrapping_add_signed(by),
            Edit::Seq(base, by) => segment.seq = view.seq(base).wrapping_add_signed(by),
            Edit::ShiftAck(by) => segment.ack = segment.ack.wrapping_add_signed(by),
            Edit::Ack(base, by) => segment.ack = view.ack(base).wrapping_add_signed(by),
            Edit::ShiftTsval(by) => each_tsval(segment, |tsval| tsval.wrapping_add_signed(by)),
            Edit::Tsval(base, by) => {
                each_tsval(segment, |_| view.tsval(base).wrapping_add_signed(by));
            }
            Edit::ZeroTsval => each_tsval(segment, |_| 0),
            Edit::Tsecr(value) => {
                for option in &mut segment.options {
                    if let OptionSpec::Timestamps { tsecr, .. } = option {
                        *tsecr = Echo::Value(value);
                    }
                }
            }
            Edit::Window(field) => segment.window = field,
            Edit::Shrink(by) => segment.window = segment.window.saturating_sub(by),
            Edit::Flags(flags) => segment.flags = flags,
            Edit::ToggleFlags(flags) => segment.flags = Flags(segment.flags.0 ^ flags.0),
            Edit::Len(len) => segment.len = len,
            Edit::DropOption(kind) => segment.options.retain(|option| option.kind() != Some(kind)),
            Edit::RepeatOption(kind) => {
                let place = segment
                    .options
                    .iter()
                    .position(|option| option.kind() == Some(kind));
                let one = match place {
                    Some(place) => Some(segment.options[place].clone()),
                    None => out_of_place(kind),
                };
                segment.options.extend(one);
            }
            Edit::UnknownOption(place) => {
                put(segment, place, OptionSpec::Raw(vec![UNKNOWN, 4, 8, 10]));
            }
            Edit::EndOptions => put(segment, Place::First, OptionSpec::EndOfList),
            Edit::OptionLength(length, place) => {
                put(segment, place, OptionSpec::Raw(vec![UNKNOWN, length]));
            }
            Edit::Damage => segment.damaged = true,
            Edit::IpOption => segment.ip_option = true,
            Edit::Address(address) => segment.address = address,
            Edit::Urgent(pointer) => {
                segment.flags = segment.flags | Flags::URG;
                segment.urgent = pointer;
            }
        }
    }
}

fn put(segment: &mut SegmentSpec, place: Place, option: OptionSpec) {
    match place {
        Place::First => segment.options.insert(0, option),
        Place::Last => segment.options.push(option),
    }
}

/// An option where none of its kind belongs.
fn out_of_place(kind: u8) -> Option<OptionSpec> {
    match kind {
        1 => Some(OptionSpec::NoOperation),
        2 => Some(OptionSpec::MaximumSegmentSize(100)),
        3 => Some(OptionSpec::WindowScale(10)),
        4 => Some(OptionSpec::SackPermitted),
        5 => Some(OptionSpec::Sack(vec![(1, 2)])),
        8 => Some(OptionSpec::Timestamps {
            tsval: 1,
            tsecr: Echo::Value(0),
        }),
        _ => None,
    }
}

fn each_tsval(segment: &mut SegmentSpec, mut change: impl FnMut(u32) -> u32) {
    for option in &mut segment.options {
        if let OptionSpec::Timestamps { tsval, .. } = option {
            *tsval = change(*tsval);
        }
    }
}
