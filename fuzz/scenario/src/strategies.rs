//! Property tests over any segment, scenario or plan, with proptest's shrinking.

use ackward_model::Flags;
use arbitrary::{Arbitrary, Unstructured};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::{Echo, Family, Generator, Mode, OptionSpec, Plan, Scenario, SegmentSpec, Setup, Step};

/// Any segment; most have the fields of an ordinary one.
fn segment() -> impl Strategy<Value = SegmentSpec> {
    (
        prop_oneof![4 => Just(Flags::ACK), 2 => Just(Flags::PSH | Flags::ACK), 1 => any::<u8>().prop_map(Flags)],
        prop_oneof![3 => 0..5_000_u32, 1 => any::<u32>()],
        prop_oneof![3 => 0..5_000_u32, 1 => any::<u32>()],
        any::<u16>(),
        0..1_460_u16,
        0..3_u8,
        vec(option(), 0..4),
        any::<bool>(),
    )
        .prop_map(|(flags, seq, ack, window, len, copy, options, damaged)| SegmentSpec {
address: Default::default(),
ip_option: false,
            damaged,
            flags,
            seq,
            ack,
            window,
            urgent: 0,
            len,
            copy,
            options,
        })
}

/// Any option.
fn option() -> impl Strategy<Value = OptionSpec> {
    let echo = prop_oneof![
        (0..8_u32).prop_map(Echo::Emission),
        any::<u32>().prop_map(Echo::Value)
    ];
    prop_oneof![
        Just(OptionSpec::EndOfList),
        Just(OptionSpec::NoOperation),
        any::<u16>().prop_map(OptionSpec::MaximumSegmentSize),
        any::<u8>().prop_map(OptionSpec::WindowScale),
        Just(OptionSpec::SackPermitted),
        vec((any::<u32>(), any::<u32>()), 0..5).prop_map(OptionSpec::Sack),
        (any::<u32>(), echo).prop_map(|(tsval, tsecr)| OptionSpec::Timestamps { tsval, tsecr }),
        vec(any::<u8>(), 0..8).prop_map(OptionSpec::Raw),
    ]
}

/// Any scenario: segments as above, the rest from octets.
fn scenario() -> impl Strategy<Value = Scenario> {
    let from_octets = vec(any::<u8>(), 0..32);
    let steps = prop_oneof![
        4 => segment().prop_map(Step::Segment),
        1 => from_octets.prop_map(|octets| from(&octets).unwrap_or(Step::Wait(1))),
    ];
    (vec(any::<u8>(), 0..32), vec(steps, 0..12)).prop_map(|(octets, steps)| Scenario {
        setup: from(&octets).unwrap_or_else(Setup::default),
        steps,
    })
}

/// Any plan a generator makes.
fn plan(mode: Mode) -> impl Strategy<Value = Plan> {
    let families = prop_oneof![Just(Family::V4), Just(Family::V6), Just(Family::Mapped)];
    (any::<u64>(), families)
        .prop_map(move |(seed, family)| Generator::new(seed, mode, family).plan(0))
}

fn from<'a, T: Arbitrary<'a>>(octets: &'a [u8]) -> Option<T> {
    T::arbitrary(&mut Unstructured::new(octets)).ok()
}

proptest! {
    #[test]
    fn a_scenario_survives_json(scenario in scenario()) {
        let text = serde_json::to_string(&scenario).expect("JSON");
        let read: Scenario = serde_json::from_str(&text).expect("a scenario");
        prop_assert_eq!(read, scenario);
    }

    #[test]
    fn a_plan_survives_json(plan in plan(Mode::Both)) {
        let text = serde_json::to_string(&plan).expect("JSON");
        let read: Plan = serde_json::from_str(&text).expect("a plan");
        prop_assert_eq!(read, plan);
    }

    #[test]
    fn a_scenario_is_a_plan_of_the_same_steps(scenario in scenario()) {
        let plan = Plan::from(scenario.clone());
        prop_assert_eq!(plan.setup, scenario.setup);
        prop_assert_eq!(plan.moves.len(), scenario.steps.len());
    }
}
