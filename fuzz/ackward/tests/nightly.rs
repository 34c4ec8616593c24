//! A night on a machine where each tool is an echo: what runs, and how it ends.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

#[test]
fn a_night_goes_on_after_a_part_that_failed_and_ends_with_1() {
    let night = Night::new("red", r#"[ "$1" != +stable ]"#);
    let output = night.run();
    assert_eq!(output.status.code(), Some(1));
    assert!(night.log("tests").starts_with("test"));
    assert!(night.log("libfuzzer").contains("libfuzzer-findings"));
    assert!(night.log("campaign").contains("--time 7m"));
    assert_eq!(failed(&output), "libfuzzer");
}

#[test]
fn a_night_in_which_all_is_well_ends_with_0() {
    let night = Night::new("green", "true");
    let output = night.run();
    assert_eq!(failed(&output), "");
    assert_eq!(output.status.code(), Some(0));
    assert!(
        night
            .log("selftest")
            .starts_with("run --release -- selftest")
    );
    let silence = night.log("silence");
    assert!(silence.contains("--stack mutant:none --corpus none --cases 10000000 --seed "));
    let mutants = night.log("mutants");
    assert!(mutants.contains("/28 ") && mutants.ends_with("out/mutants\n"));
    let kill_rate = night.log("kill-rate");
    assert!(kill_rate.contains("/28 ") && kill_rate.ends_with("out/kill-rate\n"));
}

#[test]
fn a_silence_that_a_search_would_forgive_fails_the_night() {
    for (name, said) in [
        ("quality", QUIET.replace("no divergence found", "found: 1")),
        (
            "dropped",
            QUIET.replace("0 not confirmed", "10 not confirmed"),
        ),
        ("alone", QUIET.replace("0 never alone", "1 never alone")),
    ] {
        let output = Night::saying(name, &said, "true").run();
        assert_eq!(failed(&output), "silence", "{name}");
        assert_eq!(output.status.code(), Some(1), "{name}");
    }
    let crashed = Night::new("crashed", r#"case "$*" in *mutant:none*) exit 3 ;; esac"#);
    assert_eq!(failed(&crashed.run()), "silence");
}

/// How a search ends that found nothing.
const QUIET: &str =
    "mutant none: 9 cases, 0 inconclusive, 0 not confirmed, 0 never alone\nno divergence found";

/// The parts that the night names as failed.
fn failed(output: &Output) -> String {
    let complaint = String::from_utf8_lossy(&output.stderr);
    let named = complaint
        .lines()
        .find_map(|line| line.strip_prefix("failed: "));
    named.unwrap_or_default().to_owned()
}

/// A copy of `ci/nightly` in a folder of its own, which goes when the test ends.
struct Night(PathBuf);

impl Night {
    /// `cargo` says how it was called and that nothing was found, and ends as `ending` does.
    fn new(name: &str, ending: &str) -> Night {
        Night::saying(name, QUIET, ending)
    }

    /// `cargo` says how it was called and `words`, and ends as `ending` does.
    fn saying(name: &str, words: &str, ending: &str) -> Night {
        let folder = std::env::temp_dir().join(format!("ackward-{name}-{}", std::process::id()));
        fs::create_dir_all(folder.join("ci")).expect("a folder");
        fs::create_dir_all(folder.join("bin")).expect("a folder");
        let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let script = fs::read_to_string(project.join("ci/nightly")).expect("the script");
        put(&folder.join("ci/nightly"), &script);
        for tool in ["setup", "mutants", "kill-rate"] {
            put(&folder.join("ci").join(tool), "#!/bin/sh\necho \"$@\"\n");
        }
        let cargo =
            format!("#!/bin/sh\necho \"$@\" \"$ACKWARD_FINDINGS\"\necho '{words}'\n{ending}\n");
        put(&folder.join("bin/cargo"), &cargo);
        Night(folder)
    }

    fn run(&self) -> Output {
        let path = std::env::var("PATH").unwrap_or_default();
        Command::new("bash")
            .arg(self.0.join("ci/nightly"))
            .args(["7", "out"])
            .env("PATH", format!("{}:{path}", self.0.join("bin").display()))
            .env_remove("ACKWARD_FINDINGS")
            .current_dir(&self.0)
            .output()
            .expect("the script runs")
    }

    fn log(&self, part: &str) -> String {
        fs::read_to_string(self.0.join(format!("out/{part}.txt"))).expect("a log")
    }
}

impl Drop for Night {
    fn drop(&mut self) {
        // Best effort: the folder lies in the machine's scratch space.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn put(path: &Path, text: &str) {
    fs::write(path, text).expect("a file");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("it can be run");
}
