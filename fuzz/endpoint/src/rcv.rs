//! What may arrive: the receive window and its edge, which never moves to the left.
//! RFC 9293 sections 3.10.7.4 (first step) and 3.8.6.2, RFC 7323 section 2.

use ackward_model::{Segment, SeqNum, WindowField, WindowScale};

use crate::Choices;
use crate::reassembly::Reassembly;

/// The receive variables.
#[derive(Clone, Debug)]
pub(crate) struct Rcv {
    pub(crate) irs: SeqNum,
    pub(crate) nxt: SeqNum,
    /// The first sequence number never yet allowed.
    pub(crate) edge: SeqNum,
    pub(crate) scale: WindowScale,
    /// The largest segment this end expects, in octets of text.
    pub(crate) mss: u32,
    pub(crate) text: Reassembly,
    /// Where the other side's FIN is, once it was seen.
    pub(crate) fin: Option<SeqNum>,
    /// Where urgent text ends, if there was any.
    pub(crate) up: Option<SeqNum>,
    /// Octets that may be promised.
    pub(crate) buffer: u32,
    choices: Choices,
    /// The window follows each octet read, as only a planted bug has it.
    pub(crate) opens_gradually: bool,
}

impl Rcv {
    pub(crate) fn new(buffer: u32, mss: u32, choices: Choices) -> Rcv {
        Rcv {
            irs: SeqNum(0),
            nxt: SeqNum(0),
            edge: SeqNum(0),
            scale: WindowScale::NONE,
            mss,
            text: Reassembly::default(),
            fin: None,
            up: None,
            buffer,
            choices,
            opens_gradually: false,
        }
    }

    /// The other side's SYN arrived. Nothing is promised yet: a window counts from the acknowledgment beside it.
    pub(crate) fn begin(&mut self, irs: SeqNum) {
        self.irs = irs;
        self.nxt = irs + 1;
        self.edge = self.nxt;
    }

    /// A SYN,ACK is about to promise its window, which is not scaled.
    pub(crate) fn promise_syn_window(&mut self) {
        self.edge = self.nxt + u32::from(self.syn_window().0);
    }

    /// RCV.WND.
    pub(crate) fn wnd(&self) -> u32 {
        self.edge.distance_from(self.nxt).max(0) as u32
    }

    /// Whether any of the segment lies in the window up to `edge`.
    pub(crate) fn accepts(&self, segment: &Segment, edge: SeqNum) -> bool {
        let wnd = edge.distance_from(self.nxt).max(0) as u32;
        let inside = |seq: SeqNum| seq.offset_from(self.nxt) < wnd;
        match (segment.len(), wnd) {
            (0, 0) => segment.seq == self.nxt,
            (0, _) => inside(segment.seq),
            (_, 0) => false,
            _ => inside(segment.seq) || inside(segment.end() - 1),
        }
    }

    /// The window field of a SYN.
    pub(crate) fn syn_window(&self) -> WindowField {
        WindowField(self.buffer.min(u32::from(u16::MAX)) as u16)
    }

    /// The window field of any other segment. Opens the window as far as the buffer allows, in steps that are worth
    /// it, and only if it `may_open`. Rounding up to the scale keeps what was promised. Rounding down does not show all of it, which stays
    /// promised; where little is left it would shut the window.
    pub(crate) fn advertise(&mut self, may_open: bool) -> WindowField {
        let gain = Some(self.gain()).filter(|gain| may_open && *gain >= self.worthwhile());
        let wnd = self.wnd() + gain.unwrap_or(0);
        let step = self.scale.granularity();
        let units = if self.choices.rounds_down && wnd >= 2 * step {
            wnd / step
        } else {
            wnd.div_ceil(step)
        };
        let field = units.min(u32::from(u16::MAX)) as u16;
        self.edge = self
            .edge
            .latest(self.nxt + (u32::from(field) << self.scale.bits()));
        WindowField(field)
    }

    /// Whether the window has been nearly shut and can now be opened by a step worth a segment of its own.
    pub(crate) fn should_update(&self) -> bool {
        self.wnd() < 2 * self.worthwhile() && self.gain() >= self.worthwhile()
    }

    /// Whether everything up to the other side's FIN was received and read.
    pub(crate) fn is_at_end(&self) -> bool {
        self.is_past_fin() && self.text.ready() == 0
    }

    /// Whether everything up to the other side's FIN was received.
    pub(crate) fn is_past_fin(&self) -> bool {
        self.fin.is_some_and(|fin| self.nxt == fin + 1)
    }

    /// How far the edge could move to the right.
    fn gain(&self) -> u32 {
        let free = self.buffer.saturating_sub(self.text.ready());
        let furthest = self.nxt + free.min(self.scale.largest().0);
        furthest.distance_from(self.edge).max(0) as u32
    }

    fn worthwhile(&self) -> u32 {
        if self.opens_gradually {
            return 1;
        }
        (self.buffer / 2).min(self.mss).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    quickcheck! {
        fn the_edge_on_the_wire_never_moves_left(buffer: u32, shift: u8, steps: Vec<(u16, u16)>) -> bool {
            let mut rcv = Rcv::new(buffer % (1 << 24), 1460, Choices::default());
            rcv.begin(SeqNum(u32::MAX - 1000));
            rcv.promise_syn_window();
            rcv.scale = WindowScale::announced(shift % 16);
            let mut wire_edge = rcv.edge;
            steps.into_iter().all(|(arrives, read)| {
                let len = u32::from(arrives).min(rcv.wnd());
                let seq = rcv.nxt;
                rcv.text.take(&mut rcv.nxt, seq, &vec![0; len as usize]);
                rcv.text.read(u32::from(read));
                let edge = rcv.nxt + rcv.advertise(true).scaled(rcv.scale).0;
                let kept = edge.at_or_after(wire_edge) && edge == rcv.edge;
                wire_edge = edge;
                kept
            })
        }
    }
}
