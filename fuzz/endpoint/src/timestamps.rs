//! Which timestamp is echoed, and which segments are too old to be taken.
//! RFC 7323 sections 4.3 and 5.

use ackward_model::timestamp::Age;
use ackward_model::{Micros, SeqNum, TsVal};

/// The receiver's side of the timestamps option.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timestamps {
    /// Both SYNs carried the option.
    pub(crate) in_use: bool,
    /// TS.Recent.
    pub(crate) ts_recent: TsVal,
    /// Last.ACK.sent.
    pub(crate) last_ack_sent: SeqNum,
    recent_since: Micros,
}

/// After so long without a segment TS.Recent says nothing any more (RFC 7323 5.5).
const OUTDATED: Micros = 24 * 24 * 3_600 * 1_000_000;

impl Timestamps {
    pub(crate) fn unused() -> Timestamps {
        Timestamps {
            in_use: false,
            ts_recent: TsVal(0),
            last_ack_sent: SeqNum(0),
            recent_since: 0,
        }
    }

    /// Takes the value of a SYN, whatever was there before.
    pub(crate) fn begin(&mut self, tsval: TsVal, now: Micros) {
        self.in_use = true;
        self.ts_recent = tsval;
        self.recent_since = now;
    }

    /// Whether PAWS refuses a segment with this TSval.
    pub(crate) fn is_old(&self, tsval: TsVal, now: Micros) -> bool {
        tsval.age_against(self.ts_recent) == Age::Older && now - self.recent_since < OUTDATED
    }

    /// Whether TS.Recent follows an acceptable segment. PAWS has let it pass.
    pub(crate) fn follows(&self, seq: SeqNum, tsval: TsVal, now: Micros) -> bool {
        let outdated = now - self.recent_since >= OUTDATED;
        let not_older = matches!(tsval.age_against(self.ts_recent), Age::Newer | Age::Same);
        seq.at_or_before(self.last_ack_sent) && (not_older || outdated)
    }

    /// Remembers the TSval to echo.
    pub(crate) fn remember(&mut self, tsval: TsVal, now: Micros) {
        self.ts_recent = tsval;
        self.recent_since = now;
    }
}
