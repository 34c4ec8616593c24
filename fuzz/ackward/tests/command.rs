//! What the command answers when it is used wrongly: one message, the right exit code, nothing half-written.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

#[test]
fn help_teaches_by_example() {
    let output = ackward(&["--help"]);
    assert_eq!(code(&output), 0);
    assert!(said(&output).contains("ackward fuzz --seed 7 --cases 100000 --corpus none"));
    assert!(said(&output).contains("Exit code: 0 conforms, 1 diverges"));
}

#[test]
fn every_subcommand_has_help() {
    for subcommand in [
        "fuzz", "replay", "shrink", "export", "explain", "rules", "stacks",
    ] {
        assert_eq!(code(&ackward(&[subcommand, "--help"])), 0, "{subcommand}");
    }
}

#[test]
fn an_unknown_argument_is_a_matter_of_usage() {
    let output = ackward(&["fuzz", "--speed", "high"]);
    assert_eq!(code(&output), 2);
    assert!(complained(&output).contains("--speed"));
}

#[test]
fn a_time_without_a_number_is_a_matter_of_usage() {
    let output = ackward(&["fuzz", "--time", "soon"]);
    assert_eq!(code(&output), 2);
    assert!(complained(&output).contains("try 60s or 10m"));
}

#[test]
fn an_out_folder_that_cannot_be_written_is_found_before_the_hunt() {
    let output = ackward(&["fuzz", "--time", "1s", "--out", "/dev/null/findings"]);
    assert_eq!(code(&output), 2);
    assert!(complained(&output).contains("/dev/null/findings"));
    assert!(complained(&output).contains("--out DIR"));
}

#[test]
fn a_file_that_is_no_seed_is_named() {
    let folder = Scratch::new("no-seed");
    let corpus = folder.path("corpus");
    fs::create_dir(&corpus).expect("a folder");
    let seed = "0123456789abcdef";
    fs::write(format!("{corpus}/{seed}"), b"\xff\xff not a seed").expect("a file");
    let out = folder.path("out");
    let output = ackward(&["fuzz", "--time", "1s", "--corpus", &corpus, "--out", &out]);
    assert_eq!(code(&output), 2);
    assert!(
        complained(&output).contains(seed),
        "{}",
        complained(&output)
    );
    assert!(!PathBuf::from(out).join("campaign.json").exists());
}

#[test]
fn a_known_list_that_is_none_is_named() {
    let folder = Scratch::new("no-list");
    let list = folder.path("known.toml");
    fs::write(&list, "root = 7").expect("a file");
    let out = folder.path("out");
    let output = ackward(&["fuzz", "--time", "1s", "--known", &list, "--out", &out]);
    assert_eq!(code(&output), 2);
    assert!(complained(&output).contains("known.toml"));
}

#[test]
fn a_profile_that_is_none_is_named() {
    let folder = Scratch::new("no-profile");
    let out = folder.path("out");
    let output = ackward(&["fuzz", "--time", "1s", "--profile", "nobody", "--out", &out]);
    assert_eq!(code(&output), 2);
    assert!(complained(&output).contains("nobody"));
}

#[test]
fn a_truncated_case_is_named_with_line_and_column() {
    let folder = Scratch::new("truncated");
    let case = folder.path("case.json");
    fs::write(&case, "{\n  \"scenario\": {").expect("a file");
    for subcommand in ["replay", "shrink", "export"] {
        let output = ackward(&[subcommand, &case]);
        assert_eq!(code(&output), 2, "{subcommand}");
        assert!(
            complained(&output).contains("case.json"),
            "{}",
            complained(&output)
        );
        assert!(
            complained(&output).contains("line 2"),
            "{}",
            complained(&output)
        );
    }
}

#[test]
fn a_case_that_is_not_there_is_named() {
    let output = ackward(&["replay", "no/such/case.json"]);
    assert_eq!(code(&output), 2);
    assert!(complained(&output).contains("no/such/case.json"));
}

#[test]
fn a_rule_that_is_none_is_named() {
    let output = ackward(&["explain", "7323:99"]);
    assert_eq!(code(&output), 2);
    assert!(complained(&output).contains("ackward rules"));
}

#[test]
fn every_rule_that_is_listed_can_be_explained() {
    let list = ackward(&["rules"]);
    assert_eq!(code(&list), 0);
    for rule in ackward_oracle::rules::cards() {
        assert!(said(&list).contains(rule.id));
        assert_eq!(code(&ackward(&["explain", rule.id])), 0, "{}", rule.id);
    }
}

#[test]
fn stacks_says_what_can_run_here() {
    let output = ackward(&["stacks"]);
    assert_eq!(code(&output), 0);
    assert!(said(&output).contains("linux"));
}

fn ackward(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ackward"))
        .args(arguments)
        .output()
        .expect("the command runs")
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("it was not killed")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn complained(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A folder that goes when the test ends.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let folder = std::env::temp_dir().join(format!("ackward-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        Scratch(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Best effort: the folder lies in the machine's scratch space.
        let _ = fs::remove_dir_all(&self.0);
    }
}
