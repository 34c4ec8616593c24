//! When an event of a script happens, and whether what was seen was in time. Follows packetdrill's own way.

use ackward_model::Micros;
use ackward_packetdrill::Time;

/// Deviations that are forgiven.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tolerance {
    /// At least so much, in microseconds.
    pub usecs: Micros,
    /// And so much of the time since the event before, in per cent.
    pub percent: f64,
}

/// An event's place in time, in microseconds since the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct When {
    /// From then.
    pub(super) from: Micros,
    /// To then.
    pub(super) to: Micros,
    /// Any time is right.
    pub(super) any: bool,
}

impl Default for Tolerance {
    fn default() -> Tolerance {
        Tolerance {
            usecs: 4_000,
            percent: 12.5,
        }
    }
}

impl When {
    /// What `time` comes to for an event that is not counted from the start but from `anchor`.
    pub(super) fn of(time: Time, anchor: Micros) -> When {
        let (from, to) = match time {
            Time::At(at) => (at, at),
            Time::Between(from, to) => (from, to),
            Time::After(by) => (anchor + by, anchor + by),
            Time::Within(from, to) => (anchor + from, anchor + to),
            Time::Any => (anchor, anchor),
        };
        When {
            from,
            to,
            any: time == Time::Any,
        }
    }

    /// `None` if `at` is in time; else by how much it is not, as a message about `what`. `before` is the event before.
    pub(super) fn misses(
        self,
        at: Micros,
        before: Option<Micros>,
        tolerance: Tolerance,
        what: &str,
    ) -> Option<String> {
        let since = before.map_or(0, |before| self.from.saturating_sub(before));
        let share = (since as f64 * tolerance.percent / 100.0) as Micros;
        let allowed = tolerance.usecs.max(share);
        let early = at + allowed < self.from;
        let late = at > self.to + allowed;
        if self.any || !(early || late) {
            return None;
        }
        let seconds = |micros: Micros| micros as f64 / 1e6;
        let expected = match self.from == self.to {
            true => format!("at {:.6} s", seconds(self.from)),
            false => format!(
                "from {:.6} to {:.6} s",
                seconds(self.from),
                seconds(self.to)
            ),
        };
        Some(format!(
            "timing error: expected {what} {expected}, happened at {:.6} s (tolerance {:.6} s)",
            seconds(at),
            seconds(allowed)
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_eighth_of_the_time_since_the_event_before_is_forgiven() {
        let when = When::of(Time::After(1_000_000), 0);
        let tolerance = Tolerance::default();
        assert_eq!(when.misses(1_124_000, Some(0), tolerance, "packet"), None);
        assert!(
            when.misses(1_126_000, Some(0), tolerance, "packet")
                .is_some()
        );
        assert!(
            when.misses(1_126_000, Some(990_000), tolerance, "packet")
                .is_some()
        );
    }

    #[test]
    fn four_milliseconds_are_always_forgiven_on_both_ends_of_a_range() {
        let when = When::of(Time::Between(100_000, 200_000), 7);
        let tolerance = Tolerance::default();
        assert_eq!(when.misses(96_000, None, tolerance, "packet"), None);
        assert_eq!(when.misses(204_000, None, tolerance, "packet"), None);
        assert!(when.misses(95_000, None, tolerance, "packet").is_some());
        assert!(when.misses(205_000, None, tolerance, "packet").is_some());
    }

    #[test]
    fn any_time_is_right_where_the_script_says_so() {
        let when = When::of(Time::Any, 5);
        assert_eq!(
            when.misses(9_000_000, Some(5), Tolerance::default(), "packet"),
            None
        );
    }
}
