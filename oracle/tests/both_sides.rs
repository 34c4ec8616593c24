//! Two honest ends over a network that loses, repeats and reorders: neither is ever found to be wrong.

mod notation;

use ackward_endpoint::{AckPolicy, Config, Endpoint, Offer, Text, TsClock};
use ackward_model::{
    Call, Event, Micros, OpenMode, Origin, Outcome, Segment, SeqNum, Trace, TsVal,
};
use ackward_oracle::{NoCoverage, Verdict};
use notation::{permitting, transcript};

const CONVERSATIONS: u64 = 1_000;
const MOVES: usize = 200;

#[test]
fn neither_of_two_honest_ends_diverges() {
    for seed in 0..CONVERSATIONS {
        for end in converse(Dice(seed)) {
            let verdict = permitting(&[]).judge(&end.trace, &mut NoCoverage);
            assert!(
                !matches!(verdict, Verdict::Diverges(_)),
                "seed {seed}: {verdict:#?} in\n{}",
                transcript(&end.trace)
            );
        }
    }
}

/// One end, with what happened there as it would be told of a stack. What its user reads is not told: to the judge, text
/// that comes in is the peer's, and here it is coded as a stack's.
struct End {
    tcp: Endpoint,
    trace: Trace,
    /// Segments on their way to it.
    pipe: Vec<Segment>,
}

fn converse(mut dice: Dice) -> [End; 2] {
    let crossing = dice.below(8) == 0;
    let opens = [
        OpenMode::Active,
        if crossing {
            OpenMode::Active
        } else {
            OpenMode::Passive
        },
    ];
    let mut ends = opens.map(|open| {
        let mut tcp = Endpoint::new(config(&mut dice));
        match open {
            OpenMode::Active => tcp.open(),
            OpenMode::Passive => tcp.listen(),
        }
        let trace = Trace {
            open,
            ..Trace::default()
        };
        let mut end = End {
            tcp,
            trace,
            pipe: Vec::new(),
        };
        if open == OpenMode::Active {
            end.told(0, Call::Connect, 0);
        }
        end
    });
    let mut now = 0;
    for _ in 0..MOVES {
        carry(now, &mut ends, &mut dice);
        let end = &mut ends[dice.below(2)];
        match dice.below(16) {
            0 | 1 => end.write(now, [1, 17, 500, 3_000][dice.below(4)]),
            2 => _ = end.tcp.discard(1 << dice.below(12)),
            3 if dice.below(8) == 0 => {
                end.tcp.shutdown();
                end.told(now, Call::ShutdownWrite, 0);
            }
            4 => {
                now += [100, 250_000, 1_000_000][dice.below(3)];
                ends.iter_mut().for_each(|end| end.tcp.tick(now));
            }
            _ if end.pipe.is_empty() => {}
            _ => end.receive(now, &mut dice),
        }
    }
    ends
}

/// Puts what both ends send into the network.
fn carry(now: Micros, ends: &mut [End; 2], dice: &mut Dice) {
    for from in 0..2 {
        while let Some(segment) = ends[from].tcp.poll_emit() {
            let copies = [1, 1, 1, 1, 1, 1, 2, 0][dice.below(8)];
            let pipe = &mut ends[1 - from].pipe;
            pipe.extend(std::iter::repeat_n(segment.clone(), copies));
            ends[from].trace.push(now, Event::Out(segment));
        }
    }
}

impl End {
    fn told(&mut self, now: Micros, call: Call, done: u32) {
        self.trace.push(now, Event::Call(call));
        self.trace.push(now, Event::Return(Outcome::Done(done)));
    }

    fn write(&mut self, now: Micros, octets: u32) {
        if self.tcp.state().is_synchronized() {
            let taken = self.tcp.write(octets);
            self.told(now, Call::Write(octets), taken);
        }
    }

    /// One of the segments on their way arrives, the first one more often than not.
    fn receive(&mut self, now: Micros, dice: &mut Dice) {
        let place = dice.below(2) * dice.below(self.pipe.len());
        let segment = self.pipe.remove(place);
        self.tcp.receive(now, &segment);
        let step = self.trace.entries.len();
        self.trace.push(now, Event::In(segment, Origin::Step(step)));
    }
}

fn config(dice: &mut Dice) -> Config {
    let acks = [
        AckPolicy::Immediate,
        AckPolicy::EverySecond,
        AckPolicy::Timer,
    ];
    Config {
        nagle: true,
        iss: SeqNum([0, u32::MAX - 20, (1 << 31) - 20][dice.below(3)]),
        offer: Offer {
            mss: [Some(536), Some(100), Some(1_460)][dice.below(3)],
            window_scale: [None, Some(0), Some(7), Some(14)][dice.below(4)],
            timestamps: dice.below(2) == 0,
            sack: dice.below(2) == 0,
            ecn: false,
        },
        // No more than a SYN,ACK that is sent again can say: its window is never scaled.
        buffer: [200, 3_000, 65_535][dice.below(3)],
        tsval: TsVal([1, u32::MAX - 5, (1 << 31) - 5][dice.below(3)]),
        clock: [TsClock::default(), TsClock::Coarse { share: 2 }][dice.below(2)],
        acks: acks[dice.below(3)],
        text: Text::Stack,
        retransmission_timeout: Some(700_000),
        ..Config::default()
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
}
