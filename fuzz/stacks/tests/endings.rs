//! However a case ends, nothing of it is left in the kernel.

mod common;

use std::fs;

use ackward_model::{Call, Flags};
use ackward_scenario::{Echo, Family, Scenario, Setup, Step};
use ackward_stacks::{DriveOptions, LinkKind};
use common::{active, host, passive, run, segment, stamped, syn_options};

/// Sockets of the thread's namespace, as the kernel lists them.
fn sockets() -> Vec<String> {
    ["tcp", "tcp6"]
        .iter()
        .flat_map(|file| {
            let text = fs::read_to_string(format!("/proc/thread-self/net/{file}")).expect("/proc");
            text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
        })
        .collect()
}

/// Open sockets and those in TIME-WAIT of the thread's namespace.
fn sockstat() -> (String, String) {
    let text = fs::read_to_string("/proc/thread-self/net/sockstat").expect("/proc");
    let tcp = text.lines().find(|line| line.starts_with("TCP:"));
    let words: Vec<&str> = tcp.expect("a line").split(' ').collect();
    (words[2].to_owned(), words[6].to_owned())
}

fn fin(seq: u32, ack: u32) -> Step {
    let flags = Flags::FIN | Flags::ACK;
    segment(flags, seq, ack, 0, stamped(2000, Echo::Emission(0)))
}

fn ack(seq: u32, ack: u32, len: u16) -> Step {
    segment(Flags::ACK, seq, ack, len, stamped(1900, Echo::Emission(0)))
}

fn endings() -> Vec<(&'static str, Vec<Step>)> {
    let close = || Step::Call(Call::Close);
    let open = || passive(Family::V4).steps;
    let with = |more: Vec<Step>| [open(), more].concat();
    vec![
        ("LISTEN", vec![]),
        ("SYN-RECEIVED", open()[..1].to_vec()),
        ("ESTABLISHED", open()),
        (
            "ESTABLISHED beside another listener",
            with(vec![Step::Call(Call::Listen)]),
        ),
        ("ESTABLISHED with text unread", with(vec![ack(1, 1, 100)])),
        ("FIN-WAIT-1", with(vec![close()])),
        (
            "FIN-WAIT-1, socket open",
            with(vec![Step::Call(Call::ShutdownWrite)]),
        ),
        ("FIN-WAIT-2", with(vec![close(), ack(1, 2, 0)])),
        ("CLOSING", with(vec![close(), fin(1, 1)])),
        ("TIME-WAIT", with(vec![close(), ack(1, 2, 0), fin(1, 2)])),
        (
            "TIME-WAIT, socket open",
            with(vec![
                Step::Call(Call::ShutdownWrite),
                ack(1, 2, 0),
                fin(1, 2),
            ]),
        ),
        ("CLOSE-WAIT", with(vec![fin(1, 1)])),
        ("LAST-ACK", with(vec![fin(1, 1), close()])),
        ("CLOSED", with(vec![fin(1, 1), close(), ack(2, 2, 0)])),
        (
            "text in flight",
            with(vec![Step::Call(Call::Write(5000)), close()]),
        ),
    ]
}

#[test]
fn no_ending_leaves_a_socket() {
    for link in [LinkKind::Tun, LinkKind::Raw] {
        let mut host = host(link);
        for family in [Family::V4, Family::V6, Family::Mapped] {
            for (name, steps) in endings() {
                let scenario = Scenario {
                    setup: Setup {
                        family,
                        ..Setup::default()
                    },
                    steps,
                };
                for reveal in [true, false] {
                    let options = DriveOptions {
                        reveal,
                        ..DriveOptions::default()
                    };
                    let (trace, taken) = run(&mut *host, &scenario, &options);
                    assert_eq!(taken, scenario.steps, "{link} {family} {name}");
                    let left = sockets();
                    assert!(
                        left.is_empty(),
                        "{link} {family} {name}: {left:#?}\n{trace:#?}"
                    );
                }
            }
        }
    }
}

#[test]
fn an_active_opening_leaves_no_socket_whether_answered_or_not() {
    let mut host = host(LinkKind::Tun);
    let answered = active(Family::V4);
    let ignored = Scenario {
        steps: vec![],
        ..answered.clone()
    };
    for (scenario, emissions) in [(answered, 3), (ignored, 1)] {
        let (trace, _) = run(&mut *host, &scenario, &DriveOptions::default());
        assert_eq!(trace.emissions().count(), emissions);
        assert_eq!(sockets(), Vec::<String>::new());
    }
}

#[test]
fn three_thousand_cases_in_a_row_leave_the_socket_counts_flat() {
    let mut host = host(LinkKind::Tun);
    let endings = endings();
    let before = sockstat();
    for n in 0..3000 {
        let (_, steps) = &endings[n % endings.len()];
        let scenario = Scenario {
            setup: Setup::default(),
            steps: steps.clone(),
        };
        run(&mut *host, &scenario, &DriveOptions::default());
    }
    assert_eq!(sockstat(), before);
}

#[test]
fn a_thousand_half_open_cases_draw_no_syn_cookie() {
    let mut host = host(LinkKind::Raw);
    let scenario = Scenario {
        setup: Setup::default(),
        steps: vec![segment(
            Flags::SYN,
            0,
            0,
            0,
            syn_options(900, Echo::Value(0)),
        )],
    };
    for _ in 0..1000 {
        let (trace, _) = run(&mut *host, &scenario, &DriveOptions::default());
        let syn_ack = trace.emissions().next().expect("a SYN,ACK");
        // A cookie would hide the low bits of its timestamp in what SACK and window scale were offered.
        assert_eq!(syn_ack.options.window_scale(), Some(10));
    }
}
