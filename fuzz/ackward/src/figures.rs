//! How often a stack acknowledges an honest sender, with window scaling and without, for small segments and large.
//! RFC 9293 section 3.8.6.3, RFC 5681 section 4.2. Figures, no verdicts: acknowledgments may be delayed and saved.

use std::fmt::Write as _;

use ackward_model::{Call, Event, Flags, Micros, Segment, SeqNum, Trace, WindowScale};
use ackward_scenario::{Director, Family, OptionSpec, SegmentSpec, Setup, Step};
use ackward_stacks::{DriveOptions, Host, StackError, drive};

/// What one conversation came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Figure {
    /// Octets of text in each segment.
    pub segment: u16,
    /// Windows were scaled.
    pub scaled: bool,
    /// The application reads when so many segments have come.
    pub read_after: u32,
    /// Segments with text that were sent.
    pub segments: u32,
    /// Acknowledgments without text that came back.
    pub acknowledgments: u32,
    /// How often two segments or more were not acknowledged when the next one went out.
    pub held_back: u32,
    /// How long the sender waited for the window to open, milliseconds.
    pub waited: u32,
}

/// The sizes of an Ethernet link and of large loopback segments, octets.
const SIZES: [u16; 2] = [1_400, 21_000];
/// A reader who is quick and one who is not.
const READERS: [u32; 2] = [1, 8];
/// Segments of one conversation.
const SEGMENTS: u32 = 64;
/// The sender looks at the window again after so long, microseconds.
const PAUSE: Micros = 1_000;
/// So often it does before it sends what fits (RFC 9293 section 3.8.6.2.1), and before it gives up.
const OVERRIDE: u32 = 200;
const PATIENCE: u32 = 5_000;

/// Holds the conversations, one after the other.
pub fn figures(host: &mut dyn Host, family: Family) -> Result<Vec<Figure>, StackError> {
    let mut figures = Vec::new();
    let options = DriveOptions {
        reveal: false,
        ..DriveOptions::default()
    };
    for segment in SIZES {
        for read_after in READERS {
            for scaled in [true, false] {
                let mut sender = Sender::new(family, segment, read_after, scaled);
                let (mut trace, mut taken) = (Trace::default(), Vec::new());
                drive(host, &mut sender, &options, &mut trace, &mut taken)?;
                sender.look(&trace);
                figures.push(sender.figure);
            }
        }
    }
    Ok(figures)
}

/// The figures as a table.
pub fn table(figures: &[Figure]) -> String {
    let mut table = String::from(
        "An honest sender sends text in order:\n\n\
         octets  read after  scaling  segments  acknowledgments  per segment  two or more waited  sender waited\n",
    );
    for figure in figures {
        let Figure {
            segment,
            scaled,
            read_after,
            segments,
            acknowledgments,
            held_back,
            waited,
        } = *figure;
        let scaling = if scaled { "yes" } else { "no" };
        let share = f64::from(acknowledgments) / f64::from(segments.max(1));
        // Writing to a string does not fail.
        let _ = writeln!(
            table,
            "{segment:>6}  {read_after:>10}  {scaling:<7}  {segments:>8}  {acknowledgments:>15}  {share:>11.2}  \
             {held_back:>18}  {waited:>10} ms",
        );
    }
    table
}

/// Sends segments of one size, each as soon as the window takes it.
struct Sender {
    setup: Setup,
    figure: Figure,
    looked: usize,
    shift: WindowScale,
    /// The stack has answered the SYN.
    synchronized: bool,
    acknowledged: u32,
    edge: u32,
    opened: bool,
    /// Octets sent.
    sent: u32,
    /// Segments that nobody has read.
    unread: u32,
    /// Looks at the window since the last segment.
    pauses: u32,
}

impl Sender {
    fn new(family: Family, segment: u16, read_after: u32, scaled: bool) -> Sender {
        Sender {
            setup: Setup {
                family,
                isn: 1_000,
                ..Setup::default()
            },
            figure: Figure {
                segment,
                scaled,
                read_after,
                segments: 0,
                acknowledgments: 0,
                held_back: 0,
                waited: 0,
            },
            looked: 0,
            shift: WindowScale::NONE,
            synchronized: false,
            acknowledged: 1,
            edge: 1,
            opened: false,
            sent: 0,
            unread: 0,
            pauses: 0,
        }
    }

    /// Takes note of what the stack has sent.
    fn look(&mut self, seen: &Trace) {
        for entry in &seen.entries[self.looked..] {
            if let Event::Out(segment) = &entry.event {
                self.hear(segment);
            }
        }
        self.looked = seen.entries.len();
    }

    fn hear(&mut self, segment: &Segment) {
        let scale = if segment.has(Flags::SYN) {
            self.synchronized = true;
            let shift = segment
                .options
                .window_scale()
                .filter(|_| self.figure.scaled);
            self.shift = shift.map_or(WindowScale::NONE, WindowScale::announced);
            WindowScale::NONE
        } else {
            self.figure.acknowledgments += 1;
            self.shift
        };
        self.acknowledged = segment.ack.offset_from(SeqNum(self.setup.isn));
        self.edge = self.acknowledged + segment.window.scaled(scale).0;
    }

    fn segment(&self, flags: Flags, seq: u32, len: u16, options: Vec<OptionSpec>) -> Step {
        Step::Segment(SegmentSpec {
            flags,
            seq,
            ack: u32::from(flags.contains(Flags::ACK)),
            window: 65_535,
            len,
            options,
            ..SegmentSpec::default()
        })
    }
}

impl Director for Sender {
    fn setup(&self) -> &Setup {
        &self.setup
    }

    fn next(&mut self, seen: &Trace) -> Option<Step> {
        let begun = self.looked > 0 || !seen.entries.is_empty();
        self.look(seen);
        let len = u32::from(self.figure.segment);
        if !begun {
            let mut offer = vec![OptionSpec::MaximumSegmentSize(self.figure.segment)];
            if self.figure.scaled {
                offer.extend([OptionSpec::NoOperation, OptionSpec::WindowScale(7)]);
            }
            return Some(self.segment(Flags::SYN, 0, 0, offer));
        }
        if !self.synchronized {
            return None;
        }
        if !self.opened {
            self.opened = true;
            return Some(self.segment(Flags::ACK, 1, 0, Vec::new()));
        }
        let room = self.edge.saturating_sub(1 + self.sent);
        let waits = room < len && (self.pauses < OVERRIDE || room == 0);
        if self.unread >= self.figure.read_after || waits && self.unread > 0 {
            let octets = std::mem::take(&mut self.unread) * len;
            return Some(Step::Call(Call::Read(octets)));
        }
        if self.sent >= SEGMENTS * len {
            return None;
        }
        if waits {
            self.pauses += 1;
            self.figure.waited += (PAUSE / 1_000) as u32;
            return (self.pauses < PATIENCE).then_some(Step::Wait(PAUSE));
        }
        let (seq, fits) = (1 + self.sent, len.min(room));
        self.figure.held_back += u32::from(seq - self.acknowledged >= 2 * len);
        self.figure.segments += 1;
        self.sent += fits;
        (self.unread, self.pauses) = (self.unread + 1, 0);
        Some(self.segment(Flags::PSH | Flags::ACK, seq, fits as u16, Vec::new()))
    }
}

#[cfg(test)]
mod tests {
    use ackward_stacks::Stack;

    use super::*;

    #[test]
    fn every_conversation_comes_to_its_end_and_is_acknowledged() {
        let mut host = Stack::Mutant(None).open().expect("it is in process");
        let figures = figures(&mut *host, Family::V4).expect("it can not fail");
        assert_eq!(figures.len(), SIZES.len() * READERS.len() * 2);
        for figure in &figures {
            assert!(figure.segments >= SEGMENTS, "{figure:?}");
            assert!(figure.acknowledgments > SEGMENTS / 4, "{figure:?}");
            assert!(figure.acknowledgments <= 2 * figure.segments, "{figure:?}");
        }
        assert_eq!(table(&figures).lines().count(), figures.len() + 3);
    }
}
