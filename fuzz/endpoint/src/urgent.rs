//! Urgent text: where it ends, on the way out and on the way in.
//! RFC 9293 section 3.8.5.

use ackward_model::{Flags, Segment, SeqNum};

use crate::{Endpoint, Plant};

impl Endpoint {
    /// As [`Endpoint::write`]; all that was written so far is urgent.
    pub fn write_urgent(&mut self, octets: u32) -> u32 {
        let before = self.snd.up;
        self.snd.up = Some(self.snd.written + octets);
        let taken = self.write(octets);
        if taken == 0 {
            self.snd.up = before;
        }
        taken
    }

    /// Whether urgent text waits to be read.
    pub fn has_urgent_text(&self) -> bool {
        let fin = u32::from(self.rcv.is_past_fin());
        let unread = self.rcv.nxt - fin - self.rcv.text.ready();
        let lasts = self.plants(Plant::UrgentForEver);
        self.rcv.up.is_some_and(|up| lasts || up.after(unread))
    }

    /// The urgent pointer of a segment with text at `seq`, if it has one.
    pub(crate) fn urgent_pointer(&self, seq: SeqNum) -> Option<u16> {
        let end = self.snd.iss + 1 + self.snd.up?;
        if !end.after(seq) || self.plants(Plant::UrgentUnmarked) {
            return None;
        }
        let ahead = end.offset_from(seq) - u32::from(self.plants(Plant::UrgentToTheLast));
        u16::try_from(ahead).ok()
    }

    /// A segment whose text counts may make text urgent.
    pub(crate) fn note_urgent(&mut self, segment: &Segment) {
        let pointer = segment.urgent;
        let ignored = match self.config.plant {
            Some(Plant::UrgentUntold) => true,
            Some(Plant::UrgentOneOctet) => pointer > 1,
            Some(Plant::UrgentInOneSegment) => usize::from(pointer) > segment.payload.len().max(1),
            _ => false,
        };
        if !segment.has(Flags::URG) || ignored {
            return;
        }
        let end = segment.seq + u32::from(pointer);
        let up = self.rcv.up.map_or(end, |before| before.latest(end));
        self.rcv.up = Some(up);
    }
}
