//! Planted answers to the question how much text goes into a segment, and when.
//! RFC 9293 sections 3.7.4, 3.8.6.2.1 and 3.9.1.2.

use super::Plant;
use crate::Endpoint;

impl Endpoint {
    /// How much text goes into the next segment, if not as much as the RFC has it.
    pub(crate) fn planted_text(&self) -> Option<u32> {
        let fitting = self.snd.unsent().min(self.snd.usable());
        match self.config.plant? {
            Plant::FillsSillyWindows => {
                let alone = self.snd.una == self.snd.nxt;
                alone.then(|| fitting.min(self.snd.mss.saturating_sub(40)))
            }
            Plant::FillsBehindOthers if self.config.nagle && !self.snd.is_congested() => {
                let largest = self.snd.mss.saturating_sub(40).max(1);
                let burst = self.snd.nxt.offset_from(self.snd.una);
                let full = burst > 0 && burst.is_multiple_of(largest);
                Some(match fitting {
                    _ if fitting >= largest => largest,
                    _ if burst == 0 && fitting < self.snd.unsent() => 0,
                    _ if burst == 0 || full => fitting,
                    _ => 0,
                })
            }
            Plant::WaitsForMore if !self.snd.shut => {
                let largest = self.snd.mss.saturating_sub(40);
                Some(if fitting >= largest { largest } else { 0 })
            }
            _ => None,
        }
    }

    /// The most text in a segment, where `largest` would fit.
    pub(crate) fn planted_size(&self, largest: u32) -> u32 {
        match self.config.plant {
            Some(Plant::SmallSegments) => largest.min(100),
            _ => largest,
        }
    }
}
