//! How long a segment takes there and back: one at a time is measured, and none that went twice.
//! RFC 6298 section 3 (Karn's algorithm), RFC 7323 section 4.1.

use ackward_model::{Micros, Segment, SeqNum};

use crate::{Endpoint, Plant};

/// The measurement under way, and what those before it came to.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct RoundTrip {
    /// The acknowledgment number that ends it, and when it began.
    timed: Option<(SeqNum, Micros)>,
    smoothed: Option<Micros>,
}

impl Endpoint {
    /// The round trip as measured so far, microseconds.
    pub fn round_trip(&self) -> Option<Micros> {
        self.round_trip.smoothed
    }

    /// Something up to `end` goes out for the first time.
    pub(crate) fn time(&mut self, end: SeqNum) {
        self.round_trip.timed.get_or_insert((end, self.now));
    }

    /// Something goes out again: an acknowledgment would not tell which of the two it is for.
    pub(crate) fn stop_timing(&mut self) {
        if !self.plants(Plant::TimesRepeats) {
            self.round_trip.timed = None;
        }
    }

    /// `ack` moves SND.UNA.
    pub(crate) fn timed(&mut self, ack: SeqNum) {
        let over = |(end, _): &(SeqNum, Micros)| ack.at_or_after(*end);
        if let Some((_, began)) = self.round_trip.timed.take_if(|timed| over(timed)) {
            self.round_trip.take(self.now - began);
        }
    }

    /// An acknowledgment, new or not.
    pub(crate) fn planted_timing(&mut self, segment: &Segment) {
        if !self.plants(Plant::TimesDuplicates) || !self.ts.in_use {
            return;
        }
        let echo = segment.options.timestamps().map(|(_, tsecr)| tsecr);
        let ticks = echo.map_or(0, |tsecr| self.clock.last().distance_from(tsecr));
        if let Ok(ticks @ 1..) = Micros::try_from(ticks) {
            self.round_trip.take(ticks * 1_000);
        }
    }
}

impl RoundTrip {
    /// One more measurement.
    fn take(&mut self, measured: Micros) {
        let smoothed = self
            .smoothed
            .map_or(measured, |before| (7 * before + measured) / 8);
        self.smoothed = Some(smoothed);
    }
}
