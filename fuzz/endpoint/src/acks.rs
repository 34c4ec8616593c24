//! When arrived text is acknowledged: at once, with the next segment, or when a timer expires.
//! RFC 9293 section 3.8.6.3, RFC 5681 section 4.2.

use ackward_model::Micros;

use crate::AckPolicy;

/// What is owed to the other side.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Acks {
    due: Due,
    segments: u32,
    octets: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Due {
    #[default]
    Nothing,
    By(Micros),
    Now,
}

/// RFC 9293 MUST-40 allows half a second.
const DELAY: Micros = 200_000;

impl Acks {
    /// An acknowledgment must go out before anything else happens.
    pub(crate) fn owe_now(&mut self) {
        self.due = Due::Now;
    }

    /// Text of this many octets arrived in order.
    pub(crate) fn owe(&mut self, policy: AckPolicy, octets: u32, mss: u32, now: Micros) {
        self.segments += 1;
        self.octets += octets;
        let at_once = match policy {
            AckPolicy::Immediate => true,
            AckPolicy::EverySecond => self.segments >= 2,
            AckPolicy::Timer => self.octets >= 2 * mss,
        };
        if at_once {
            self.due = Due::Now;
        } else if self.due == Due::Nothing {
            self.due = Due::By(now + DELAY);
        }
    }

    /// An acknowledgment of everything went out.
    pub(crate) fn paid(&mut self) {
        *self = Acks::default();
    }

    /// Whether one must go out at `now`.
    pub(crate) fn is_due(&self, now: Micros) -> bool {
        match self.due {
            Due::Nothing => false,
            Due::By(deadline) => deadline <= now,
            Due::Now => true,
        }
    }

    /// When the delayed one must go out.
    pub(crate) fn deadline(&self) -> Option<Micros> {
        match self.due {
            Due::By(deadline) => Some(deadline),
            Due::Nothing | Due::Now => None,
        }
    }
}
