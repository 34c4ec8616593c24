//! Laws of the judge, over conversations of an honest stack, and over such with one emission falsified.

mod notation;
#[path = "../../fuzz/scenario/tests/stage/mod.rs"]
#[allow(dead_code)]
mod stage;

use ackward_endpoint::AckPolicy;
use ackward_model::{
    Event, Options, SackBlock, SackBlocks, Segment, TcpOption, Trace, WindowField,
};
use ackward_oracle::{Diagnosis, NoCoverage, Verdict, rules};
use ackward_scenario::{Conversation, Family, Generator, Mode};
use notation::{diverges_under, permitting, transcript};

/// Fewer may miss what only one conversation in five hundred shows.
const CONVERSATIONS: usize = 2_000;

#[test]
fn an_honest_stack_conforms() {
    for trace in conversations(1) {
        let verdict = permitting(&[]).judge(&trace, &mut NoCoverage);
        assert!(
            matches!(verdict, Verdict::Conforms),
            "{verdict:#?} in\n{}",
            transcript(&trace)
        );
    }
}

#[test]
fn a_deviation_makes_no_honest_conversation_diverge() {
    let possible = conversations(2).filter(|trace| !diverges_under(trace, &[]));
    no_deviation_beside_makes_diverge(possible.map(|trace| (trace, Vec::new())));
}

#[test]
fn all_deviations_together_make_no_honest_conversation_diverge() {
    let names: Vec<_> = rules::deviations()
        .map(|deviation| deviation.name)
        .collect();
    for trace in conversations(4).filter(|trace| !diverges_under(trace, &[])) {
        assert!(!diverges_under(&trace, &names), "{}", transcript(&trace));
    }
}

#[test]
fn what_explains_a_falsified_conversation_does_so_beside_any_further_deviation() {
    let mut dice = Dice(3);
    let explained = conversations(3).filter_map(|mut trace| {
        falsify(&mut trace, &mut dice);
        let causes = match permitting(&[]).judge(&trace, &mut NoCoverage) {
            Verdict::Diverges(causes) => causes,
            _ => return None,
        };
        let names = causes.iter().map(|cause| match cause.diagnosis {
            Diagnosis::ExplainedBy(deviation) => Some(deviation.name),
            Diagnosis::Unexplained(_) => None,
        });
        let names: Vec<_> = names.collect::<Option<_>>()?;
        let alone = permitting(&names).judge(&trace, &mut NoCoverage);
        assert!(
            matches!(alone, Verdict::Conforms),
            "{names:?} do not explain\n{}",
            transcript(&trace)
        );
        Some((trace, names))
    });
    no_deviation_beside_makes_diverge(explained);
}

/// For each trace that is possible where these deviations are permitted, that it stays so where one more is, whichever
/// is asked first. The shortest trace of which that is not true is shown.
#[track_caller]
fn no_deviation_beside_makes_diverge(possible: impl Iterator<Item = (Trace, Vec<&'static str>)>) {
    let mut shortest: Option<(Trace, String)> = None;
    for (trace, names) in possible {
        for deviation in rules::deviations() {
            for place in [0, names.len()] {
                let mut more = names.clone();
                more.insert(place, deviation.name);
                let verdict = permitting(&more).judge(&trace, &mut NoCoverage);
                let length = trace.entries.len();
                if let Verdict::Diverges(causes) = verdict
                    && (shortest.as_ref()).is_none_or(|(other, _)| length < other.entries.len())
                {
                    let cause = &causes[0];
                    let why = format!(
                        "{} may not break this, but under {more:?} entry {} must be {}, not {}:",
                        deviation.name, cause.entry, cause.allowed, cause.observed
                    );
                    shortest = Some((trace.clone(), why));
                }
            }
        }
    }
    if let Some((trace, why)) = shortest {
        panic!("{why}\n{}", transcript(&trace));
    }
}

/// Conversations of stacks of all sizes: of a small one every window is soon full.
fn conversations(seed: u64) -> impl Iterator<Item = Trace> {
    let mut dice = Dice(seed);
    let plans = Generator::new(seed, Mode::Both, Family::V4).take(CONVERSATIONS);
    plans.map(move |plan| {
        let mut config = stage::config(&plan.setup);
        config.buffer = dice.one_of([65_535, 30_000, 3_000, 1_000, 200]);
        config.acks = dice.one_of([
            AckPolicy::Immediate,
            AckPolicy::EverySecond,
            AckPolicy::Timer,
        ]);
        config.offer.window_scale = dice.one_of([config.offer.window_scale, None]);
        stage::play_against(config, &mut Conversation::new(&plan)).trace
    })
}

/// Changes one field of one emission to what it could be mistaken for, and at times cuts off what follows.
fn falsify(trace: &mut Trace, dice: &mut Dice) {
    let is_emission = |place: &usize| matches!(trace.entries[*place].event, Event::Out(_));
    let emissions: Vec<usize> = (0..trace.entries.len()).filter(is_emission).collect();
    if emissions.is_empty() {
        return;
    }
    let place = *dice.one_of(&emissions);
    let seen = trace.entries[..place].iter().rev().take(8);
    let mut seen: Vec<Segment> = seen
        .filter_map(|entry| match &entry.event {
            Event::In(segment, _) | Event::Out(segment) => Some(segment.clone()),
            _ => None,
        })
        .collect();
    if let Event::Out(segment) = &mut trace.entries[place].event {
        seen.push(segment.clone());
        falsify_field(segment, dice.one_of(&seen), dice);
    }
    if dice.one_of([true, false]) {
        trace.entries.truncate(place + 1);
    }
}

fn falsify_field(segment: &mut Segment, other: &Segment, dice: &mut Dice) {
    let near = dice.one_of([0, 1, u32::MAX]);
    match dice.below(6) {
        0 => segment.ack = dice.one_of([other.seq, other.end(), segment.ack]) + near,
        1 => segment.seq = dice.one_of([other.seq, other.end(), other.ack]) + near,
        2 => {
            let field = dice.one_of([other.window.0, segment.window.0, 0, u16::MAX]);
            segment.window = WindowField(field.wrapping_add(near as u16));
        }
        3 => segment.options = dice.one_of([other.options.clone(), Options::none()]),
        4 => {
            let held = SackBlock {
                left: other.seq,
                right: other.end(),
            };
            let option = TcpOption::Sack(SackBlocks::new([held]));
            segment.options.0.push(option);
        }
        _ => {
            if let Some((value, _)) = other.options.timestamps() {
                for option in &mut segment.options.0 {
                    if let TcpOption::Timestamps { tsecr, .. } = option {
                        *tsecr = value + near;
                    }
                }
            }
        }
    }
}

/// Chance from a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    fn one_of<T>(
        &mut self,
        choices: impl IntoIterator<Item = T, IntoIter: ExactSizeIterator>,
    ) -> T {
        let mut choices = choices.into_iter();
        let place = self.below(choices.len());
        choices.nth(place).expect("there is one to choose")
    }
}
