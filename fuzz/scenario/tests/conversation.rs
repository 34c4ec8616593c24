//! Plans in play, against an endpoint that stands in for the stack.

mod stage;

use ackward_endpoint::{Offer, State};
use ackward_model::timestamp::Age;
use ackward_model::{Call, Event, Flags, OpenMode, Outcome, payload};
use ackward_scenario::conversation::MAX_STEPS;
use ackward_scenario::{
    AckBase, Conversation, Craft, Echo, Edit, Family, Generator, Mode, Move, OptionSpec,
    PeerConfig, Plan, Replay, Scenario, SegmentSpec, SeqBase, Setup, Step, TsBase, encode,
};
use quickcheck::quickcheck;
use stage::{Arrival, play};

const SHAPES: u64 = 10_000;

/// Text with an acknowledgment that others have overtaken is next in order, and newer than what was echoed last.
fn old_ack_in_order(arrival: &Arrival) -> bool {
    let segment = &arrival.segment;
    arrival.state.is_synchronized()
        && segment.has(Flags::ACK)
        && segment.seq == arrival.rcv_nxt
        && segment.ack.before(arrival.snd_una)
        && !segment.payload.is_empty()
        && arrival.rcv_nxt_after != arrival.rcv_nxt
        && newer_than_echoed(arrival)
}

fn newer_than_echoed(arrival: &Arrival) -> bool {
    match (arrival.segment.options.timestamps(), arrival.echoed) {
        (Some((tsval, _)), Some(echoed)) => tsval.age_against(echoed) == Age::Newer,
        _ => false,
    }
}

/// ... and fills a gap.
fn old_ack_fills_gap(arrival: &Arrival) -> bool {
    old_ack_in_order(arrival) && arrival.rcv_nxt_after.after(arrival.segment.end())
}

/// Text wholly at or past every edge, not too far, from a peer without scaling, after a full-size segment.
fn beyond_every_edge(plan: &Plan, arrivals: &[Arrival]) -> bool {
    let full = |arrival: &Arrival| {
        arrival.segment.payload.len() >= 1400 && arrival.segment.seq == arrival.rcv_nxt
    };
    let Some(first_full) = arrivals.iter().position(full) else {
        return false;
    };
    plan.peer.offer.window_scale.is_none()
        && arrivals[first_full + 1..].iter().any(|arrival| {
            let beyond = arrival.segment.seq.distance_from(arrival.edge);
            arrival.state == State::Established
                && arrival.segment.flags.without(Flags::PSH) == Flags::ACK
                && !arrival.segment.payload.is_empty()
                && (0..1000).contains(&beyond)
        })
}

fn count(mode: Mode, has_shape: impl Fn(&Plan, &[Arrival]) -> bool) -> u64 {
    Generator::new(1, mode, Family::V4)
        .take(SHAPES as usize)
        .filter(|plan| has_shape(plan, &play(&mut Conversation::new(plan)).arrivals))
        .count() as u64
}

#[test]
fn one_network_plan_in_a_hundred_has_an_old_ack_fill_a_gap() {
    let fills = count(Mode::Network, |_, arrivals| {
        arrivals.iter().any(old_ack_fills_gap)
    });
    let in_order = count(Mode::Network, |_, arrivals| {
        arrivals.iter().any(old_ack_in_order)
    });
    println!("old ACK fills a gap: {fills}, is next in order: {in_order} of {SHAPES}");
    assert!(fills > SHAPES / 100);
}

#[test]
fn one_peer_plan_in_a_hundred_overruns_the_edge_of_an_unscaled_window() {
    let overruns = count(Mode::Peer, beyond_every_edge);
    println!("text beyond every edge: {overruns} of {SHAPES}");
    assert!(overruns > SHAPES / 100);
}

/// The handshake of a passive open, then `moves`.
fn plan(peer: PeerConfig, moves: impl IntoIterator<Item = Move>) -> Plan {
    let handshake = [
        Move::DeliverToStack(0),
        Move::DeliverToPeer(0),
        Move::DeliverToStack(0),
    ];
    Plan {
        setup: Setup {
            isn: u32::MAX - 5,
            ..Setup::default()
        },
        peer,
        moves: handshake.into_iter().chain(moves).collect(),
    }
}

fn segments(steps: &[Step]) -> Vec<&SegmentSpec> {
    let mut segments = Vec::new();
    for step in steps {
        if let Step::Segment(segment) = step {
            segments.push(segment);
        }
    }
    segments
}

#[test]
fn two_deliveries_swapped_make_an_old_ack_fill_a_gap() {
    let plan = plan(
        PeerConfig::default(),
        [
            Move::PeerWrite(17),
            Move::Call(Call::Write(17)),
            Move::DeliverToPeer(0),
            Move::DropToStack(1),
            Move::PeerWrite(17),
            Move::DeliverToStack(1),
            Move::DeliverToStack(0),
        ],
    );
    let played = play(&mut Conversation::new(&plan));
    let segments = segments(&played.steps);
    let numbers = |segment: &SegmentSpec| (segment.seq, segment.ack, segment.len);
    assert_eq!(numbers(segments[2]), (18, 18, 17));
    assert_eq!(numbers(segments[3]), (1, 1, 17));
    assert!(old_ack_fills_gap(&played.arrivals[3]));
    let echo = |segment: &SegmentSpec| match segment.options.last() {
        Some(OptionSpec::Timestamps { tsecr, .. }) => Some(*tsecr),
        _ => None,
    };
    assert_eq!(echo(segments[2]), Some(Echo::Emission(1)));
    assert_eq!(echo(segments[3]), Some(Echo::Emission(0)));
}

#[test]
fn a_craft_at_the_edge_lies_beyond_every_window() {
    let craft = Craft {
        seq: (SeqBase::Edge, 0),
        ack: (AckBase::SndNxt, 0),
        tsval: (TsBase::Newest, 3),
        window: 65_535,
        flags: Flags::PSH | Flags::ACK,
        len: 100,
        copy: 1,
    };
    let offer = Offer {
        window_scale: None,
        timestamps: false,
        ..Offer::default()
    };
    let peer = PeerConfig {
        offer,
        ..PeerConfig::default()
    };
    let plan = plan(
        peer,
        [
            Move::PeerWrite(1460),
            Move::DeliverToStack(0),
            Move::Craft(craft),
        ],
    );
    let played = play(&mut Conversation::new(&plan));
    assert!(beyond_every_edge(&plan, &played.arrivals));
    // The stand-in reads nothing, so its window has not moved since the SYN.
    assert_eq!(segments(&played.steps)[3].seq, 65_536);
}

#[test]
fn edits_are_relative_to_what_was_seen() {
    let edit = |edit| {
        let plan = plan(
            PeerConfig::default(),
            [
                Move::PeerWrite(10),
                Move::DeliverEdited {
                    nth: 0,
                    edits: vec![edit],
                },
            ],
        );
        let played = play(&mut Conversation::new(&plan));
        segments(&played.steps)[2].clone()
    };
    assert_eq!(edit(Edit::Seq(SeqBase::RcvNxt, -1)).seq, 0);
    assert_eq!(edit(Edit::Ack(AckBase::SndNxt, 1)).ack, 2);
    assert_eq!(edit(Edit::Tsval(TsBase::Recent, -1)).tsval(), Some(0));
    assert_eq!(
        edit(Edit::ShiftTsval(i32::MIN)).tsval(),
        Some((1 << 31) + 21)
    );
    assert_eq!(edit(Edit::ToggleFlags(Flags::ACK)).flags, Flags::PSH);
    assert_eq!(edit(Edit::DropOption(8)).tsval(), None);
    assert_eq!(edit(Edit::RepeatOption(8)).options.len(), 4);
}

quickcheck! {
    fn the_steps_taken_replay_to_the_same_trace(seed: u64) -> bool {
        [Mode::Network, Mode::Peer].into_iter().all(|mode| {
            let plan = Generator::new(seed, mode, Family::V4).plan(0);
            let played = play(&mut Conversation::new(&plan));
            let scenario = Scenario { setup: plan.setup.clone(), steps: played.steps };
            let again = play(&mut Replay::new(&scenario));
            let as_plan = Plan::from(scenario);
            let as_moves = play(&mut Conversation::new(&as_plan));
            again.trace == played.trace && as_moves.trace == played.trace
        })
    }

    fn any_octets_can_be_played(octets: Vec<u8>, seed: u64, flip: usize) -> bool {
        let mut torn = encode::encode(&Generator::new(seed, Mode::Both, Family::V6).plan(0));
        let place = flip % torn.len();
        torn[place] ^= 1 << (flip % 8);
        [octets, torn].iter().all(|octets| {
            let plan = encode::decode(octets);
            play(&mut Conversation::new(&plan)).steps.len() <= MAX_STEPS
        })
    }

    fn a_network_plan_brings_the_reader_what_the_peer_wrote(seed: u64) -> bool {
        let plan = Generator::new(seed, Mode::Network, Family::V4).plan(0);
        let played = play(&mut Conversation::new(&plan));
        let mut read = Vec::new();
        for entry in &played.trace.entries {
            if let Event::Return(Outcome::Data(octets)) = &entry.event {
                read.extend(octets);
            }
        }
        // Copies are counted from 0, one a retransmission.
        read.iter().zip(0..).all(|(octet, offset)| payload::copy_of(offset, *octet) < 64)
    }

    fn a_network_plan_keeps_to_the_window_and_to_what_was_heard(seed: u64) -> bool {
        let mut plan = Generator::new(seed, Mode::Network, Family::V4).plan(0);
        plan.peer.offer.window_scale = None;
        let played = play(&mut Conversation::new(&plan));
        let probes = plan.moves.iter().filter(|next| **next == Move::PeerRetransmit).count() as u32;
        played.arrivals.iter().filter(|arrival| !arrival.segment.has(Flags::RST)).all(|arrival| {
            let segment = &arrival.segment;
            let in_window = segment.payload.is_empty()
                || segment.text_end().at_or_before(arrival.edge + probes);
            let heard = !segment.has(Flags::ACK)
                || !arrival.state.is_synchronized()
                || segment.ack.at_or_before(played.stack.snd_nxt());
            in_window && heard
        })
    }
}

#[test]
fn most_plans_begin_with_a_handshake_that_works() {
    let plans = Generator::new(1, Mode::Network, Family::V4).take(1_000);
    let established = plans.filter(|plan| {
        let played = play(&mut Conversation::new(plan));
        let mut states = played.arrivals.iter().map(|arrival| arrival.state);
        states.any(|state| state == State::Established)
    });
    let established = established.count();
    assert!(established > 800, "{established} of 1000");
}

#[test]
fn crossing_syns_are_played() {
    let crossing = Generator::new(3, Mode::Network, Family::V4)
        .take(1_000)
        .filter(|plan| plan.setup.open == OpenMode::Active && plan.peer.opens_too)
        .filter(|plan| {
            let played = play(&mut Conversation::new(plan));
            let states = played.arrivals.iter().map(|arrival| arrival.state);
            let states: Vec<State> = states.collect();
            states.contains(&State::SynReceived) && states.contains(&State::Established)
        });
    assert!(crossing.count() > 10);
}
