//! The scripts written by hand bear witness apart from the exporter: both must ask for the same answer.

use ackward_packetdrill::Style;

use super::script;
use super::transcripts::fields::{
    crossed_syn, crossing_syn, missing_timestamps, small_window, stale_blocks,
};
use super::transcripts::{beyond_window, echo_after_close, echo_after_old_ack, stale_echo};

macro_rules! by_hand {
    ($root:literal) => {
        include_str!(concat!(
            "../../../../corpus/findings/",
            $root,
            "/by-hand.pkt"
        ))
    };
}

/// The answer that a script asks for in the line that fails, as far as it does not hang on the numbers of its scenario.
#[derive(PartialEq, Eq, Debug)]
struct Asked {
    flags: String,
    /// Whether it acknowledges more than the line expected before it; `None` without ACK.
    advances: Option<bool>,
    /// The kinds of its options; `None` where any will do.
    options: Option<Vec<String>>,
}

impl Asked {
    fn of(line: &str, before: &[&str]) -> Asked {
        let options = line.split_once('<').map_or("", |(_, rest)| rest);
        let kinds = options.trim_end_matches('>').split(',');
        let kind = |option: &str| option.split(' ').next().unwrap_or_default().to_owned();
        let expected = |line: &&&str| line.contains(" > ");
        let earlier = before.iter().rev().find(expected);
        Asked {
            flags: line
                .split_whitespace()
                .nth(2)
                .unwrap_or_default()
                .to_owned(),
            advances: acknowledged(line)
                .map(|ack| earlier.and_then(|line| acknowledged(line)) < Some(ack)),
            options: (options != "...>").then(|| kinds.map(kind).collect()),
        }
    }

    /// Whether a stack that is right by one is right by the other.
    fn agrees_with(&self, other: &Asked) -> bool {
        let options = self.options.is_none() || other.options.is_none();
        (&self.flags, self.advances) == (&other.flags, other.advances)
            && (options || self.options == other.options)
    }
}

fn acknowledged(line: &str) -> Option<u32> {
    let mut words = line.split_whitespace();
    words.find(|word| *word == "ack")?;
    words.next()?.parse().ok()
}

#[test]
fn the_line_that_fails_asks_for_the_answer_that_a_human_asked_for() {
    let echo = echo_after_old_ack([1000, 2000, 3000, 4000]);
    let pairs = [
        (
            by_hand!("old_ack_leaves_ts_recent_alone"),
            (echo, stale_echo(3000, 2000)),
        ),
        (
            by_hand!("orphaned_fin_wait_2_leaves_ts_recent_alone"),
            (echo_after_close(), stale_echo(4000, 2000)),
        ),
        (
            by_hand!("private_window_exceeds_the_wire"),
            beyond_window(0, false),
        ),
        (
            by_hand!("crossed_syn_completed_by_acknowledgment_of_nothing"),
            crossed_syn(),
        ),
        (by_hand!("crossing_syn_keeps_own_options"), crossing_syn()),
        (by_hand!("fin_leaves_stale_sack_blocks"), stale_blocks()),
        (by_hand!("time_wait_window_truncated"), small_window()),
        (
            by_hand!("timestamps_left_out_when_ts_recent_is_zero"),
            missing_timestamps(),
        ),
    ];
    for (human, (case, subject)) in pairs {
        let exported = script(&case.export(subject, Style::Plain));
        let failing = exported.failing_line().expect("a line fails") - 1;
        let exported = exported.to_string();
        let exported: Vec<&str> = exported.lines().collect();
        let human: Vec<&str> = human.lines().collect();
        let marked = human.iter().position(|line| line.contains("FAILS HERE"));
        let marked = marked.expect("a line is marked") + 1;
        let ours = Asked::of(exported[failing], &exported[..failing]);
        let theirs = Asked::of(human[marked], &human[..marked]);
        assert!(ours.agrees_with(&theirs), "{ours:?}\n{theirs:?}");
    }
}
