//! Planted answers to the questions about timestamps: is a segment too old, does TS.Recent follow it, what is echoed.
//! RFC 7323 sections 3.2, 4.3 and 5.

use ackward_model::timestamp::Age;
use ackward_model::{Flags, Segment, TsVal};

use super::Plant;
use crate::{Endpoint, State};

impl Endpoint {
    /// Whether the timestamp test refuses a segment.
    pub(crate) fn planted_old(&self, segment: &Segment, tsval: TsVal) -> Option<bool> {
        let recent = self.ts.ts_recent;
        let beyond = segment.seq.after(self.rcv.nxt);
        let spared = match self.config.plant? {
            Plant::PawsOff | Plant::GoesBackwards => true,
            Plant::PawsForgetsWrap => tsval.0 > recent.0,
            Plant::PawsFreezesAtWrap => {
                return self.state.is_synchronized().then_some(tsval.0 < recent.0);
            }
            Plant::PawsSparesFin => segment.has(Flags::FIN),
            Plant::PawsToleratesMuch => (-5_000..-1).contains(&tsval.distance_from(recent)),
            Plant::PawsNotWhileOpening => self.state == State::SynReceived,
            Plant::PawsSparesOutOfOrder => beyond,
            Plant::PawsOneTick => tsval + 1 == recent,
            Plant::PawsZeroUnset => recent.0 == 0,
            Plant::PawsTooStrict => {
                return (self.state.is_synchronized() && tsval == recent).then_some(true);
            }
            _ => false,
        };
        spared.then_some(false)
    }

    /// Whether a segment without timestamps is looked at where they were agreed on.
    pub(crate) fn planted_tolerance(&self) -> bool {
        self.plants(Plant::TakesUnstamped) || self.plants(Plant::UnstampedResets)
    }

    /// Whether TS.Recent follows an acceptable segment.
    pub(crate) fn planted_recent(&mut self, segment: &Segment, tsval: TsVal) -> Option<bool> {
        let recent = self.ts.ts_recent;
        let newer = tsval.age_against(recent) == Age::Newer;
        let next = segment.seq == self.rcv.nxt;
        let gap = !self.rcv.text.is_whole();
        let beyond = segment.seq.after(self.rcv.nxt);
        let skips = match self.config.plant? {
            Plant::OldAckSkips => segment.ack.before(self.snd.una),
            Plant::OrphanSkips => {
                let waits = matches!(self.state, State::FinWait1 | State::FinWait2);
                self.deaf && waits && segment.is_empty()
            }
            Plant::UnsignedCompare => tsval.0 < recent.0,
            Plant::SignedCompare => (tsval.0 as i32) < recent.0 as i32,
            Plant::NeverMoves => true,
            Plant::FrozenAfterText => self.rcv.nxt != self.rcv.irs + 1,
            Plant::ExclusiveBound => segment.seq == self.ts.last_ack_sent,
            Plant::GapFillerSkips => next && gap,
            Plant::BareAckSkips => segment.is_empty(),
            Plant::PartlyOldSkips => {
                segment.seq.before(self.rcv.nxt) && segment.end().after(self.rcv.nxt)
            }
            _ => false,
        };
        if skips {
            return Some(false);
        }
        let follows = match self.config.plant? {
            Plant::OutOfOrderMoves => beyond && newer,
            Plant::FirstOutOfOrderMoves => beyond && newer && !gap,
            Plant::RcvNxtForLastAck => !beyond && newer,
            Plant::GoesBackwards => segment.seq.at_or_before(self.ts.last_ack_sent),
            Plant::PawsZeroUnset => {
                recent.0 == 0 && segment.seq.at_or_before(self.ts.last_ack_sent)
            }
            Plant::PawsAtDelivery => {
                let taken = segment.ack.at_or_before(self.snd.nxt) && !segment.payload.is_empty();
                if newer && next && taken {
                    self.rcv.text.forget_held();
                    self.rcv.fin = None;
                }
                false
            }
            _ => false,
        };
        follows.then_some(true)
    }

    /// A segment was refused, by this test or that.
    pub(crate) fn planted_refused(&mut self, segment: &Segment) {
        let Some((tsval, _)) = segment.options.timestamps().filter(|_| self.ts.in_use) else {
            return;
        };
        let reset = segment.has(Flags::RST);
        let follows = match self.config.plant {
            Some(Plant::RefusedAsOldMoves) => {
                !reset && tsval.age_against(self.ts.ts_recent) == Age::Older
            }
            Some(Plant::RefusedAsBeyondMoves) => !reset && segment.seq.after(self.rcv.nxt),
            Some(Plant::ChallengedSynMoves) => segment.has(Flags::SYN) && !reset,
            Some(Plant::ResetMoves) => reset,
            _ => false,
        };
        if follows {
            self.ts.ts_recent = tsval;
        }
    }

    /// Whether TSecr names no TSval that this endpoint has sent.
    pub(crate) fn is_foreign_echo(&self, segment: &Segment) -> bool {
        let echo = segment.options.timestamps().map(|(_, tsecr)| tsecr);
        let sent = |tsecr: TsVal| {
            tsecr.distance_from(self.config.tsval) >= 0
                && tsecr.distance_from(self.clock.last()) <= 0
        };
        echo.is_some_and(|tsecr| tsecr.0 != 0 && !sent(tsecr))
    }

    /// TSval and TSecr as they go out, if they do; `bare` without text, `again` if it acknowledges nothing new either.
    pub(crate) fn planted_stamps(
        &mut self,
        stamps: Option<(TsVal, TsVal)>,
        flags: Flags,
        (bare, again): (bool, bool),
    ) -> Option<(TsVal, TsVal)> {
        let Some(plant) = self.config.plant else {
            return stamps;
        };
        let crossed = flags.contains(Flags::SYN) && !self.listened && self.config.offer.timestamps;
        let unasked = match plant {
            Plant::StampsUnasked => flags.contains(Flags::ACK),
            Plant::StampsTimeWait => self.state == State::TimeWait,
            Plant::CrossingKeepsOptions => flags.contains(Flags::ACK) && crossed,
            _ => false,
        };
        if unasked && stamps.is_none() {
            return Some((self.clock.stamp(self.now), self.ts.ts_recent));
        }
        let (tsval, tsecr) = stamps?;
        let aside = matches!(
            self.state,
            State::SynReceived | State::TimeWait | State::FinWait2
        ) && !flags.contains(Flags::SYN);
        let established = self.state == State::Established;
        match plant {
            Plant::UnstampedDuplicates if again && established => None,
            Plant::UnstampedAtZero if aside && tsecr.0 == 0 => None,
            Plant::ClockRunsBack if again => Some((tsval - 1_000, tsecr)),
            Plant::ClockStands => Some((self.config.tsval, tsecr)),
            Plant::SynEchoes if flags.contains(Flags::SYN) && !flags.contains(Flags::ACK) => {
                Some((tsval, TsVal(1)))
            }
            Plant::EchoesTheLatest if flags == Flags::ACK && bare => {
                Some((tsval, self.planted.latest.unwrap_or(tsecr)))
            }
            Plant::EchoesOneMore if established => Some((tsval, tsecr + 1)),
            _ => stamps,
        }
    }
}
