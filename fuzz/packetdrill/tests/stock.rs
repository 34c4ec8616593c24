//! Stock packetdrill is the judge of exported scripts, on the kernel that runs.
//! Needs root, a `packetdrill` in PATH and a kernel where all these faults stand: `cargo test -- --ignored`.

#![expect(
    clippy::disallowed_methods,
    reason = "the crate is pure; its judge is a program"
)]

mod transcripts;

use std::path::Path;
use std::process::Command;

use ackward_packetdrill::{Expect, Script, Style, Subject, export};
use transcripts::fields::{
    crossed_syn, crossing_syn, missing_timestamps, past_the_fin, small_window, stale_blocks,
};
use transcripts::{
    Case, beyond_window, echo_after_close, echo_after_old_ack, echo_after_old_ack_active,
    stale_echo,
};

/// How often each script runs, in each family.
const REPETITIONS: usize = 5;

/// The families, with what the kernel's runner passes for each.
const FAMILIES: [&[&str]; 3] = [
    &["--ip_version=ipv4"],
    &["--ip_version=ipv6", "--mtu=1520"],
    &["--ip_version=ipv4-mapped-ipv6"],
];

/// Every divergence, opened every way.
fn cases() -> Vec<(&'static str, Case, Subject)> {
    let (bare, bare_subject) = beyond_window(0, false);
    let (stamped, stamped_subject) = beyond_window(u32::MAX - 5, true);
    let fields = [
        ("acknowledgment", past_the_fin()),
        ("blocks", stale_blocks()),
        ("unwanted", crossing_syn()),
        ("missing", missing_timestamps()),
        ("small-window", small_window()),
        ("reset", crossed_syn()),
    ];
    let fields = fields
        .into_iter()
        .map(|(name, (case, subject))| (name, case, subject));
    let mut cases = vec![
        (
            "echo",
            echo_after_old_ack([1000, 2000, 3000, 4000]),
            stale_echo(3000, 2000),
        ),
        (
            "echo-near",
            echo_after_old_ack([u32::MAX, 0, 1, 2]),
            stale_echo(1, 0),
        ),
        (
            "echo-active",
            echo_after_old_ack_active(),
            stale_echo(3000, 1000),
        ),
        ("echo-closed", echo_after_close(), stale_echo(4000, 2000)),
        ("window", bare, bare_subject),
        ("window-stamped", stamped, stamped_subject),
    ];
    cases.extend(fields);
    cases
}

/// Runs `script` in a namespace of its own; the line it failed at, or `None` when it passed.
fn failed_at(script: &Script, name: &str, family: &[&str]) -> Option<usize> {
    let folder = std::env::temp_dir().join(format!("ackward-stock-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = format!("{name}.pkt");
    let defaults = "sysctl -q net.ipv4.tcp_rmem='4096 540000 15728640' net.ipv4.tcp_ecn=0\n";
    std::fs::write(folder.join("defaults.sh"), format!("#!/bin/sh\n{defaults}")).expect("written");
    std::fs::write(folder.join(&file), script.to_string()).expect("written");
    let run = format!(
        "ip link set lo up; chmod +x defaults.sh; exec packetdrill {} {file}",
        family.join(" ")
    );
    let output = Command::new("unshare")
        .args(["-n", "sh", "-c", &run])
        .current_dir(Path::new(&folder))
        .output()
        .expect("unshare runs");
    if output.status.success() {
        return None;
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let place = said
        .split(&format!("{file}:"))
        .nth(1)
        .expect("it names a line");
    let digits = place.chars().take_while(char::is_ascii_digit);
    Some(
        digits
            .collect::<String>()
            .parse()
            .unwrap_or_else(|_| panic!("no line in {said}")),
    )
}

#[test]
#[ignore = "needs root, packetdrill and a kernel with all these faults"]
fn the_faulty_stack_fails_where_meant_and_passes_with_its_own_values() {
    for (name, case, subject) in cases() {
        for style in [Style::Plain, Style::Kselftest] {
            let mut given = case.export(subject.clone(), style);
            let right = export(&given).expect("the dialect can say it");
            given.expect = Expect::Observed;
            let observed = export(&given).expect("the dialect can say it");
            let line = right.failing_line();
            assert!(line.is_some(), "{name}: some line fails");
            for family in FAMILIES {
                for _ in 0..REPETITIONS {
                    assert_eq!(
                        failed_at(&right, name, family),
                        line,
                        "{name} {style:?} {family:?}\n{right}"
                    );
                    assert_eq!(
                        failed_at(&observed, name, family),
                        None,
                        "{name} {style:?} {family:?}\n{observed}"
                    );
                }
            }
        }
    }
}
