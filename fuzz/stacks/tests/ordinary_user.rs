//! An ordinary user, to whom `/dev/net/tun` is closed, runs cases over the link `raw`.
//!
//! Without the usual test harness: a user namespace must be made before the first thread.

mod common;

use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};
use std::{env, fs};

use ackward_model::{Call, Event, Flags, Outcome, Sysctl, payload};
use ackward_scenario::{Echo, Family, Step};
use ackward_stacks::{DriveOptions, LinkKind, LinuxOptions, linux, prepare, stacks};
use common::{active, passive, run, segment, stamped};

const NOBODY: u32 = 65534;
const AS_NOBODY: &str = "--as-nobody";

fn main() -> ExitCode {
    if env::args().any(|argument| argument == AS_NOBODY) {
        as_nobody();
        return ExitCode::SUCCESS;
    }
    // A copy where everyone may execute it.
    let place = env::temp_dir().join(format!("ackward-ordinary-user-{}", std::process::id()));
    fs::copy(env::current_exe().expect("this program"), &place).expect("a copy of it");
    fs::set_permissions(&place, fs::Permissions::from_mode(0o755)).expect("its mode");
    let status = Command::new(&place)
        .arg(AS_NOBODY)
        .current_dir("/")
        .uid(NOBODY)
        .gid(NOBODY)
        .status();
    fs::remove_file(&place).expect("the copy goes");
    let passed = status
        .expect("this test needs root, to become somebody else")
        .success();
    println!(
        "test an_ordinary_user_runs_cases_over_raw ... {}",
        if passed { "ok" } else { "FAILED" }
    );
    if passed {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn as_nobody() {
    prepare().expect("this test needs user namespaces for ordinary users");
    let [tun, raw] = [LinkKind::Tun, LinkKind::Raw].map(|kind| {
        let rows = stacks();
        rows.into_iter()
            .find(|row| row.link == Some(kind))
            .expect("a row for each link")
    });
    let problem = tun.problem.expect("/dev/net/tun is closed to nobody");
    assert!(
        problem.contains("/dev/net/tun") && problem.contains("--link raw"),
        "{problem}"
    );
    assert_eq!(raw.problem, None);

    let mut host = linux(&LinuxOptions::default()).expect("a link that opens");
    assert_eq!(host.info().link, Some(LinkKind::Raw));
    for family in [Family::V4, Family::V6, Family::Mapped] {
        for mut scenario in [passive(family), active(family)] {
            scenario.setup.sysctls = vec![Sysctl::WindowScaling(false)];
            scenario.steps.extend([
                segment(Flags::ACK, 1, 1, 100, stamped(1100, Echo::Emission(0))),
                Step::Call(Call::Read(1000)),
            ]);
            let (trace, _) = run(&mut *host, &scenario, &DriveOptions::default());
            let read = Event::Return(Outcome::Data(payload::peer_text(0, 100, 0)));
            assert!(
                trace.entries.iter().any(|entry| entry.event == read),
                "{trace:#?}"
            );
            let first = trace.emissions().next().expect("a SYN or SYN,ACK");
            assert_eq!(first.options.window_scale(), None);
        }
        host.renew().expect("a fresh namespace");
    }
    drop(host);
    let mut host = common::host(LinkKind::Raw);
    assert!(!host.listen_to_kernel(true), "tracepoints are for root");
}
