//! What a campaign tells while it runs: a line that moves where there is a terminal, else a line now and then.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::campaign::Standings;
use crate::words::counted;

/// How progress is shown. All of it goes to standard error.
pub(super) enum Progress {
    /// In a line that is drawn anew.
    Terminal(ProgressBar),
    /// In a plain line each time so much has passed since the start.
    Plain(Duration),
}

impl Progress {
    /// What standard error can show.
    pub(super) fn new() -> Progress {
        if !std::io::stderr().is_terminal() {
            return Progress::Plain(BETWEEN_LINES);
        }
        let bar = ProgressBar::new_spinner().with_style(ProgressStyle::default_spinner());
        bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(4));
        Progress::Terminal(bar)
    }

    /// Something that stays to be read.
    pub(super) fn say(&self, text: &str) {
        match self {
            Progress::Terminal(bar) => bar.println(text),
            Progress::Plain(_) => eprintln!("{text}"),
        }
    }

    /// How it goes.
    pub(super) fn stand(&mut self, standings: &Standings) {
        match self {
            Progress::Terminal(bar) => bar.set_message(line(standings)),
            Progress::Plain(next) if standings.elapsed >= *next => {
                eprintln!("{}", line(standings));
                *next = standings.elapsed + BETWEEN_LINES;
            }
            Progress::Plain(_) => {}
        }
    }

    /// Takes the moving line away.
    pub(super) fn end(self) {
        if let Progress::Terminal(bar) = self {
            bar.finish_and_clear();
        }
    }
}

fn line(standings: &Standings) -> String {
    format!(
        "{} s  {} cases  {:.0} cases/s  {:.0} segments/s  {} features  {}",
        standings.elapsed.as_secs(),
        standings.cases,
        standings.cases_per_second(),
        standings.segments_per_second(),
        standings.features,
        counted(standings.findings as u64, "finding")
    )
}

const BETWEEN_LINES: Duration = Duration::from_secs(30);
