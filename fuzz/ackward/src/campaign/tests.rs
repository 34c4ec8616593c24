//! How a campaign ends when a job fails.

use std::sync::atomic::Ordering;

use super::*;

/// Whether the record is there after a job has failed when `cases` were run.
fn recorded(cases: u64) -> bool {
    let out = std::env::temp_dir().join(format!("ackward-end-{cases}-{}", std::process::id()));
    std::fs::create_dir_all(&out).expect("a folder");
    let options = Options {
        stack: Stack::default(),
        profile: Profile::named("rfc").expect("it is built in"),
        family: Family::V4,
        mode: Mode::Both,
        seed: 1,
        limit: Limit::Cases(9),
        jobs: 1,
        known: Known::default(),
        corpus: Corpus::None,
        out: out.clone(),
    };
    let shared = Shared::new(&options, Interrupt::default(), Vec::new());
    shared.cases.store(cases, Ordering::Relaxed);
    let full = || Err(CampaignError::Evidence(io::Error::other("no space left")));
    let ended = finish(&shared, vec![full(), full()]);
    assert!(matches!(ended, Err(CampaignError::Evidence(_))));
    let recorded = out.join("campaign.json").exists();
    std::fs::remove_dir_all(&out).expect("it was there");
    recorded
}

#[test]
fn the_record_is_written_even_when_a_job_fails() {
    assert!(recorded(7));
}

#[test]
fn nothing_is_recorded_of_a_campaign_that_never_began() {
    assert!(!recorded(0));
}
