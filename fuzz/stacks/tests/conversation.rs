//! Conversations with the running kernel, over both links, in every family, opened by either side.

mod common;

use ackward_model::{
    Call, Event, Flags, Origin, Outcome, Segment, SocketOption, Sysctl, Trace, TsVal, payload,
};
use ackward_scenario::{Echo, Family, Step};
use ackward_stacks::{DriveOptions, LinkKind};
use common::{active, host, passive, run, segment, stamped};

const LINKS: [LinkKind; 2] = [LinkKind::Tun, LinkKind::Raw];
const FAMILIES: [Family; 3] = [Family::V4, Family::V6, Family::Mapped];

fn outcomes(trace: &Trace) -> Vec<Outcome> {
    let returns = trace.entries.iter().filter_map(|entry| match &entry.event {
        Event::Return(outcome) => Some(outcome.clone()),
        _ => None,
    });
    returns.collect()
}

fn last_emission(trace: &Trace) -> &Segment {
    trace.emissions().last().expect("an emission")
}

fn kinds(trace: &Trace) -> String {
    let letter = |event: &Event| match event {
        Event::In(_, Origin::Step(_)) => 'i',
        Event::In(_, Origin::Reveal) => 'r',
        Event::Out(_) => 'o',
        Event::Call(_) => 'c',
        Event::Return(_) => '=',
        Event::Elapse(_) => '~',
        Event::Sample(_) => '?',
        Event::Icmp(_) => 'm',
    };
    trace
        .entries
        .iter()
        .map(|entry| letter(&entry.event))
        .collect()
}

#[test]
fn text_in_the_wrong_order_is_read_in_the_right_one() {
    for link in LINKS {
        let mut host = host(link);
        for family in FAMILIES {
            for mut scenario in [passive(family), active(family)] {
                let ack = |seq, tsval| {
                    segment(Flags::ACK, seq, 1, 100, stamped(tsval, Echo::Emission(1)))
                };
                scenario
                    .steps
                    .extend([ack(101, 1100), ack(1, 1050), Step::Call(Call::Read(1000))]);
                let (trace, taken) = run(&mut *host, &scenario, &DriveOptions::default());
                let case = format!("{link} {family} {:?}: {trace:#?}", scenario.setup.open);
                assert_eq!(taken, scenario.steps, "{case}");
                let read = Outcome::Data(payload::peer_text(0, 200, 0));
                assert_eq!(outcomes(&trace).last(), Some(&read), "{case}");
            }
        }
    }
}

#[test]
fn a_case_is_written_down_in_the_order_in_which_it_happened() {
    let options = DriveOptions {
        sample: true,
        ..DriveOptions::default()
    };
    for link in LINKS {
        let mut host = host(link);
        let mut scenario = passive(Family::V4);
        scenario.steps.push(Step::Call(Call::Write(17)));
        // SYN, SYN,ACK, ACK, accept, write and its segment, reveal and its answer, sample.
        let (trace, _) = run(&mut *host, &scenario, &options);
        assert_eq!(kinds(&trace), "ioic=c=oro?", "{link}: {trace:#?}");
        let (trace, _) = run(&mut *host, &active(Family::V4), &options);
        assert_eq!(kinds(&trace), "c=oioro?", "{link}: {trace:#?}");
    }
}

#[test]
fn the_application_writes_position_coded_text() {
    let mut host = host(LinkKind::Tun);
    let mut scenario = passive(Family::V6);
    scenario.steps.extend([
        Step::Call(Call::Set(SocketOption::NoDelay(true))),
        Step::Call(Call::Write(10)),
        Step::Call(Call::Write(7)),
    ]);
    let (trace, _) = run(&mut *host, &scenario, &DriveOptions::default());
    let text: Vec<u8> = trace
        .emissions()
        .flat_map(|out| out.payload.clone())
        .collect();
    assert_eq!(text, payload::stack_text(0, 17), "{trace:#?}");
}

#[test]
fn the_reveal_shows_what_the_stack_expects_and_moves_nothing() {
    let mut host = host(LinkKind::Tun);
    for mut scenario in [passive(Family::V4), active(Family::V4)] {
        let text = segment(Flags::ACK, 1, 1, 100, stamped(1200, Echo::Emission(0)));
        scenario.steps.push(text);
        let (trace, _) = run(&mut *host, &scenario, &DriveOptions::default());
        let shown = last_emission(&trace);
        assert_eq!(shown.ack.0, scenario.setup.isn.wrapping_add(101));
        let (_, tsecr) = shown.options.timestamps().expect("timestamps");
        assert_eq!(tsecr, TsVal(1200));
    }
}

#[test]
fn a_connection_without_timestamps_is_revealed_by_a_duplicate_octet() {
    let mut host = host(LinkKind::Tun);
    let mut scenario = passive(Family::V4);
    for step in &mut scenario.steps {
        if let Step::Segment(segment) = step {
            segment.options.clear();
        }
    }
    let (trace, _) = run(&mut *host, &scenario, &DriveOptions::default());
    assert_eq!(kinds(&trace), "ioic=ro");
    let isn = scenario.setup.isn;
    assert_eq!(last_emission(&trace).ack.0, isn.wrapping_add(1));
}

#[test]
fn a_wait_gathers_what_is_emitted_meanwhile() {
    for link in LINKS {
        let mut host = host(link);
        let mut scenario = passive(Family::V4);
        scenario.steps.extend([
            Step::Call(Call::Set(SocketOption::QuickAck(false))),
            segment(Flags::ACK, 1, 1, 10, stamped(1200, Echo::Emission(0))),
            Step::Wait(300_000),
        ]);
        let options = DriveOptions {
            reveal: false,
            ..DriveOptions::default()
        };
        let (trace, _) = run(&mut *host, &scenario, &options);
        assert_eq!(kinds(&trace), "ioic=c=i~o", "{link}: {trace:#?}");
    }
}

#[test]
fn patience_comes_before_the_reveal() {
    let mut host = host(LinkKind::Tun);
    let options = DriveOptions {
        patience: 1000,
        ..DriveOptions::default()
    };
    let (trace, _) = run(&mut *host, &passive(Family::V4), &options);
    assert_eq!(kinds(&trace), "ioic=~ro");
}

#[test]
fn a_stack_short_of_memory_says_so() {
    let mut host = host(LinkKind::Tun);
    let options = DriveOptions {
        sample: true,
        ..DriveOptions::default()
    };
    let mut scenario = passive(Family::V4);
    scenario.setup.socket_options = vec![SocketOption::ReceiveBuffer(2304)];
    let (plenty, _) = run(&mut *host, &scenario, &options);
    // Single octets with holes between them: each takes far more memory than room in the window.
    scenario.steps.extend((0..500).map(|n| {
        segment(
            Flags::ACK,
            2 + 2 * n,
            1,
            1,
            stamped(1100, Echo::Emission(0)),
        )
    }));
    let (short, _) = run(&mut *host, &scenario, &options);
    assert_eq!((plenty.memory_drops, short.memory_drops), (false, true));
}

#[test]
fn a_call_without_a_connection_is_not_done() {
    let mut host = host(LinkKind::Tun);
    let mut scenario = passive(Family::V4);
    scenario.steps.insert(0, Step::Call(Call::Read(10)));
    scenario.steps.push(Step::Call(Call::Close));
    scenario.steps.push(Step::Call(Call::Write(10)));
    let (_, taken) = run(&mut *host, &scenario, &DriveOptions::default());
    assert_eq!(taken, scenario.steps[1..4]);
}

#[test]
fn others_may_listen_on_the_port_at_any_time_and_the_connection_goes_on() {
    for link in LINKS {
        let mut host = host(link);
        for family in FAMILIES {
            for mut scenario in [passive(family), active(family)] {
                for place in (0..=scenario.steps.len()).rev() {
                    scenario.steps.insert(place, Step::Call(Call::Listen));
                }
                let text = segment(Flags::ACK, 1, 1, 100, stamped(1200, Echo::Emission(0)));
                scenario.steps.push(text);
                let (trace, taken) = run(&mut *host, &scenario, &DriveOptions::default());
                let case = format!("{link} {family} {:?}: {trace:#?}", scenario.setup.open);
                assert_eq!(taken, scenario.steps, "{case}");
                let done = |outcome: &Outcome| *outcome == Outcome::Done(0);
                assert!(outcomes(&trace).iter().all(done), "{case}");
                let taken_to = scenario.setup.isn.wrapping_add(101);
                assert_eq!(last_emission(&trace).ack.0, taken_to, "{case}");
            }
        }
    }
}

#[test]
fn urgent_text_is_signalled_before_it_comes_and_found_until_it_is_read() {
    for link in LINKS {
        let mut host = host(link);
        for mut scenario in [passive(Family::V4), active(Family::V6)] {
            let inline = SocketOption::UrgentInline(true);
            scenario.setup.socket_options.push(inline);
            let mut ahead = segment(Flags::ACK, 1, 1, 10, stamped(1200, Echo::Emission(0)));
            if let Step::Segment(ahead) = &mut ahead {
                (ahead.flags, ahead.urgent) = (ahead.flags | Flags::URG, 20);
            }
            let ask = Step::Call(Call::Urgent);
            scenario.steps.extend([
                ahead,
                ask.clone(),
                segment(Flags::ACK, 11, 1, 20, stamped(1200, Echo::Emission(0))),
                ask.clone(),
                Step::Call(Call::Read(19)),
                ask.clone(),
                Step::Call(Call::Read(1)),
                ask,
            ]);
            let (trace, _) = run(&mut *host, &scenario, &DriveOptions::default());
            let told: Vec<_> = outcomes(&trace)
                .into_iter()
                .filter_map(|outcome| match outcome {
                    Outcome::Done(told) => Some(told),
                    _ => None,
                })
                .skip(1)
                .collect();
            assert_eq!(told, [2, 1, 1, 0], "{link}: {trace:#?}");
        }
    }
}

#[test]
fn a_host_forgets_syns_only_where_it_always_answers_with_cookies() {
    let mut host = host(LinkKind::Tun);
    for (always, family) in [(true, Family::V4), (true, Family::V6), (false, Family::V4)] {
        let mut scenario = passive(family);
        scenario.setup.sysctls = vec![Sysctl::SynCookies(always)];
        // Nobody is there whom a reset could concern.
        let reset = segment(Flags::RST, 1, 0, 0, vec![]);
        scenario.steps.insert(1, reset);
        let (trace, _) = run(&mut *host, &scenario, &DriveOptions::default());
        assert_eq!(outcomes(&trace).len(), usize::from(always), "{trace:#?}");
        assert_eq!(last_emission(&trace).has(Flags::RST), !always, "{trace:#?}");
    }
}

#[test]
fn settings_hold_for_their_case_only() {
    let sysctls = [
        Sysctl::Timestamps(false),
        Sysctl::WindowScaling(false),
        Sysctl::Sack(false),
        Sysctl::ReceiveMemory(4096, 8192, 16384),
    ];
    for link in LINKS {
        let mut host = host(link);
        let plain = passive(Family::V4);
        let mut changed = plain.clone();
        changed.setup.sysctls = sysctls.to_vec();
        let syn_ack = |scenario| {
            let (trace, _) = run(&mut *host, scenario, &DriveOptions::default());
            let first = trace.emissions().next().cloned().expect("a SYN,ACK");
            (
                first.options.timestamps().is_some(),
                first.options.window_scale(),
                first.window,
            )
        };
        let [before, during, after] = [&plain, &changed, &plain].map(syn_ack);
        assert_eq!((during.0, during.1), (false, None), "{link}");
        assert_eq!(before, after, "{link}");
        assert!(during.2.0 < before.2.0, "{link}");
    }
}

#[test]
fn a_setting_that_the_kernel_refuses_is_unsupported_and_leaves_the_host_fit() {
    let mut host = host(LinkKind::Tun);
    let mut scenario = passive(Family::V4);
    scenario.setup.sysctls = vec![Sysctl::ReceiveMemory(0, 0, 0)];
    let refused = host.open(&scenario.setup).err();
    let is_unsupported = matches!(refused, Some(ackward_stacks::StackError::Unsupported(_)));
    assert!(is_unsupported, "{refused:?}");
    let (trace, _) = run(&mut *host, &passive(Family::V4), &DriveOptions::default());
    assert_eq!(kinds(&trace), "ioic=ro");
}

#[test]
fn the_stack_tells_of_itself() {
    let mut host = host(LinkKind::Tun);
    let options = DriveOptions {
        sample: true,
        ..DriveOptions::default()
    };
    let (trace, _) = run(&mut *host, &passive(Family::V4), &options);
    let Some(Event::Sample(sample)) = trace.entries.last().map(|entry| &entry.event) else {
        panic!("no sample: {trace:#?}")
    };
    let established = 1;
    assert_eq!(sample.state, Some(established));
    assert_eq!((sample.snd_wscale, sample.rcv_wscale), (Some(7), Some(10)));
    assert!(sample.window_clamp.is_some() && sample.rcv_wnd.is_some());
}

#[test]
fn the_kernel_says_which_segment_it_dropped_and_why() {
    for link in LINKS {
        let mut host = host(link);
        assert!(host.listen_to_kernel(true), "tracepoints need root");
        let mut scenario = passive(Family::V4);
        let far = segment(
            Flags::ACK,
            1_000_000,
            1,
            10,
            stamped(1200, Echo::Emission(0)),
        );
        scenario.steps.push(far);
        run(&mut *host, &scenario, &DriveOptions::default());
        let words = host.kernel_words().expect("it was listened to");
        // The reasons' names differ from kernel to kernel.
        let dropped = |word: &String| word.starts_with("dropped: TCP_");
        let all: Vec<bool> = words.segments.iter().map(dropped).collect();
        assert_eq!(all, [false, false, true, true], "{link}: {words:?}");
    }
}
