//! The whole way on the running kernel: a probe written by hand says whether a fault stands there; judge and hunt agree.
//! RFC 7323 section 4.3 (echo after an old ACK) and RFC 9293 section 3.10.7.4 (text beyond the window).

use std::path::{Path, PathBuf};
use std::process::Command;

use ackward::campaign::Report;
use ackward::live::Live;
use ackward::neighbourhood;
use ackward::trial::{Conditions, Trial};
use ackward_model::{Call, Event, Flags, Origin, Segment, Sysctl, Trace, TsVal};
use ackward_oracle::{Profile, Reach};
use ackward_scenario::{Echo, Family, OptionSpec, Scenario, SegmentSpec, Step};
use ackward_stacks::{LinkKind, LinuxOptions, linux};

const ECHO_RULE: &str = "7323:4.3-a";
const WINDOW_RULE: &str = "9293:WND-int";

#[test]
fn the_judge_agrees_with_a_probe_on_the_echo_after_an_old_ack() {
    let stands = last_answer(&run(&echo_after_old_ack()).trace)
        .options
        .timestamps();
    let stands = stands.map(|(_, tsecr)| tsecr) != Some(TsVal(200));
    assert_eq!(breaks(&echo_after_old_ack(), ECHO_RULE), stands);
}

#[test]
fn the_judge_agrees_with_a_probe_on_text_beyond_the_window() {
    let stands = !last_answer(&run(&text_beyond_window()).trace)
        .options
        .sack()
        .is_empty();
    assert_eq!(breaks(&text_beyond_window(), WINDOW_RULE), stands);
}

#[test]
fn the_hunt_finds_what_the_probes_find() {
    for link in ["tun", "raw"] {
        let report = hunt(link, "4", 4_000);
        if breaks(&echo_after_old_ack(), ECHO_RULE) {
            let found = report
                .findings
                .iter()
                .find(|entry| entry.rule == ECHO_RULE && entry.reach == Reach::Network);
            let found = found.expect("the echo after an old ACK, from an honest peer");
            assert!(found.injected_segments <= 4, "{found:?}");
            assert_eq!(found.runs, "10/10");
        }
        if breaks(&text_beyond_window(), WINDOW_RULE) {
            let found = report.findings.iter().find(|entry| {
                entry.rule == WINDOW_RULE && entry.settings == ackward::Settings::Defaults
            });
            let found = found.expect("text beyond the window, at default settings");
            assert!(found.injected_segments <= 4, "{found:?}");
            assert_eq!(found.runs, "10/10");
        }
    }
}

#[test]
fn without_a_corpus_a_seed_gives_the_same_scenarios() {
    let hash = || hunt("tun", "mapped", 300).scenarios_hash;
    assert_eq!(hash(), hash());
}

#[test]
fn what_the_hunt_stores_still_diverges_when_replayed() {
    let folder = Scratch::new("replay");
    assert!(fuzz(&folder.0, "tun", "6", 1_000) <= 1);
    for entry in report(&folder.0).findings {
        if entry.runs == "10/10" {
            let case = folder.0.join(&entry.path).join("case.json");
            let status = Command::new(env!("CARGO_BIN_EXE_ackward"))
                .arg("replay")
                .arg(&case)
                .output();
            assert_eq!(
                status.expect("the command runs").status.code(),
                Some(1),
                "{entry:?}"
            );
        }
    }
}

#[test]
fn a_case_without_a_verdict_ends_with_3_whatever_is_asked_of_it() {
    let folder = Scratch::new("inconclusive");
    let mut scenario = echo_after_old_ack();
    // No memory at all is what no kernel takes.
    scenario.setup.sysctls = vec![Sysctl::ReceiveMemory(0, 0, 0)];
    let scenario = serde_json::to_string(&scenario).expect("JSON");
    let case = folder.0.join("case.json");
    let text = format!("{{\"version\": 1, \"scenario\": {scenario}}}");
    std::fs::write(&case, &text).expect("a file");
    for subcommand in ["replay", "shrink", "export"] {
        let command = env!("CARGO_BIN_EXE_ackward");
        let output = Command::new(command).arg(subcommand).arg(&case).output();
        let code = output.expect("the command runs").status.code();
        assert_eq!(code, Some(3), "{subcommand}");
    }
    assert_eq!(std::fs::read_to_string(&case).ok(), Some(text));
}

/// The peer's out-of-order segment acknowledges what the stack sent; the delayed one before it does not yet.
fn echo_after_old_ack() -> Scenario {
    let stamp = |tsval, tsecr| vec![OptionSpec::Timestamps { tsval, tsecr }];
    let mut syn = vec![
        OptionSpec::MaximumSegmentSize(1_460),
        OptionSpec::SackPermitted,
    ];
    syn.extend(stamp(100, Echo::Value(0)));
    Scenario {
        steps: vec![
            segment(Flags::SYN, 0, 0, 0, syn),
            segment(Flags::ACK, 1, 1, 0, stamp(100, Echo::Emission(0))),
            Step::Call(Call::Write(17)),
            segment(Flags::ACK, 18, 18, 17, stamp(300, Echo::Emission(1))),
            segment(Flags::ACK, 1, 1, 17, stamp(200, Echo::Emission(0))),
        ],
        ..Scenario::default()
    }
}

/// A peer without window scaling sends past the largest window that the wire can say.
fn text_beyond_window() -> Scenario {
    let syn = vec![
        OptionSpec::MaximumSegmentSize(1_460),
        OptionSpec::SackPermitted,
    ];
    Scenario {
        steps: vec![
            segment(Flags::SYN, 0, 0, 0, syn),
            segment(Flags::ACK, 1, 1, 0, Vec::new()),
            segment(Flags::ACK, 1, 1, 1_460, Vec::new()),
            segment(Flags::ACK, 1_461 + 65_535, 1, 100, Vec::new()),
        ],
        ..Scenario::default()
    }
}

fn segment(flags: Flags, seq: u32, ack: u32, len: u16, options: Vec<OptionSpec>) -> Step {
    Step::Segment(SegmentSpec {
        urgent: 0,
        address: Default::default(),
        ip_option: false,
        damaged: false,
        flags,
        seq,
        ack,
        window: 65_535,
        len,
        copy: 0,
        options,
    })
}

fn run(scenario: &Scenario) -> ackward::trial::Observation {
    let options = LinuxOptions {
        link: Some(LinkKind::Tun),
    };
    let host = linux(&options).expect("this test needs root and TUN");
    let profile = Profile::named("linux").expect("it is built in");
    let mut live = Live::new(host, &profile);
    live.run(scenario, Conditions::default()).expect("a case")
}

fn breaks(scenario: &Scenario, rule: &str) -> bool {
    let observation = run(scenario);
    observation
        .divergences()
        .iter()
        .any(|divergence| divergence.rule.id == rule)
}

/// The last segment that the stack emitted before the reveal.
fn last_answer(trace: &Trace) -> &Segment {
    let before = trace
        .entries
        .iter()
        .take_while(|entry| !matches!(entry.event, Event::In(_, Origin::Reveal)));
    let emissions = before.filter_map(|entry| match &entry.event {
        Event::Out(segment) => Some(segment),
        _ => None,
    });
    emissions.last().expect("the stack answers")
}

fn hunt(link: &str, family: &str, cases: u32) -> Report {
    let folder = Scratch::new(&format!("hunt-{link}-{family}"));
    assert!(fuzz(&folder.0, link, family, cases) <= 1);
    report(&folder.0)
}

/// The exit code.
fn fuzz(out: &Path, link: &str, family: &str, cases: u32) -> i32 {
    let output = Command::new(env!("CARGO_BIN_EXE_ackward"))
        .args(["fuzz", "--corpus", "none", "--seed", "1", "--mode", "both"])
        .args(["--link", link, "--family", family])
        .args(["--cases", &cases.to_string(), "--out"])
        .arg(out)
        .output()
        .expect("the command runs");
    let code = output.status.code().expect("it was not killed");
    assert!(code <= 1, "{}", String::from_utf8_lossy(&output.stderr));
    code
}

fn report(out: &Path) -> Report {
    let text = std::fs::read_to_string(out.join("campaign.json")).expect("the record");
    serde_json::from_str(&text).expect("the record is one")
}

/// A folder that goes when the test ends.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let folder = std::env::temp_dir().join(format!("ackward-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Scratch(folder)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Best effort: the folder lies in the machine's scratch space.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn what_lies_beside_both_faults_is_right_on_this_kernel() {
    for root in [
        "old_ack_leaves_ts_recent_alone",
        "private_window_exceeds_the_wire",
    ] {
        let host = linux(&LinuxOptions::default()).expect("a namespace and a link");
        let profile = Profile::named("linux").expect("it is built in");
        let mut live = Live::new(host, &profile);
        let beside = neighbourhood::examine(&mut live, root, Family::V4).expect("it runs");
        assert_eq!(beside.len(), 3, "{root}");
        for neighbour in beside {
            assert_eq!(neighbour.held, neighbourhood::RUNS, "{}", neighbour.claim);
        }
    }
}
