//! Two endpoints joined by a pipe that is perfect, or loses, repeats and reorders.

use ackward_endpoint::{AckPolicy, Config, Endpoint, Offer, State, Text, TsClock};
use ackward_model::{Micros, Segment, SeqNum, TsVal, payload};
use quickcheck::{TestResult, quickcheck};

/// Decides the fate of segments.
struct Weather {
    seed: u64,
    /// Out of 16: how many are lost, repeated, overtaken.
    lost: u64,
    repeated: u64,
    overtaken: u64,
}

impl Weather {
    fn fair() -> Weather {
        Weather {
            seed: 1,
            lost: 0,
            repeated: 0,
            overtaken: 0,
        }
    }

    fn draw(&mut self, below: u64) -> u64 {
        self.seed = self
            .seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.seed >> 33) % below
    }
}

/// What the user of an end does.
#[derive(Clone, Copy, Default)]
struct User {
    writes: u32,
    /// Octets read at a time, and how much was read in all.
    reads: u32,
    /// Waits for the other side's FIN before closing.
    closes_last: bool,
}

struct Pair {
    ends: [Endpoint; 2],
    /// Segments on their way to each end.
    pipes: [Vec<Segment>; 2],
    received: [Vec<u8>; 2],
    written: [u32; 2],
    now: Micros,
    weather: Weather,
}

fn stack(offer: Offer, buffer: u32) -> Config {
    Config {
        iss: SeqNum(u32::MAX - 20),
        offer,
        buffer,
        tsval: TsVal(u32::MAX - 5),
        clock: TsClock::Coarse { share: 2 },
        text: Text::Stack,
        retransmission_timeout: Some(1_000_000),
        ..Config::default()
    }
}

fn peer(offer: Offer, buffer: u32, acks: AckPolicy) -> Config {
    Config {
        iss: SeqNum(1 << 31),
        offer,
        buffer,
        acks,
        retransmission_timeout: Some(700_000),
        ..Config::default()
    }
}

impl Pair {
    fn new(configs: [Config; 2], weather: Weather) -> Pair {
        Pair {
            ends: configs.map(Endpoint::new),
            pipes: [Vec::new(), Vec::new()],
            received: [Vec::new(), Vec::new()],
            written: [0; 2],
            now: 0,
            weather,
        }
    }

    /// Runs until both ends are done, or an hour of virtual time has passed.
    fn run(&mut self, users: [User; 2]) {
        while self.now < 3_600_000_000 {
            self.collect();
            let moved = self.deliver_one();
            let read = self.act(0, users[0]) | self.act(1, users[1]);
            self.collect();
            if !moved && !read && !self.wait() {
                break;
            }
        }
    }

    /// Whether anything was read.
    fn act(&mut self, index: usize, user: User) -> bool {
        let end = &mut self.ends[index];
        let octets = end.read(user.reads);
        self.received[index].extend(&octets);
        if !end.state().is_synchronized() {
            return !octets.is_empty();
        }
        self.written[index] += end.write(user.writes - self.written[index]);
        if end.is_at_end() || !user.closes_last {
            end.shutdown();
        }
        !octets.is_empty()
    }

    fn collect(&mut self) {
        for (index, end) in self.ends.iter_mut().enumerate() {
            while let Some(segment) = end.poll_emit() {
                let lost = self.weather.draw(16) < self.weather.lost;
                let repeated = self.weather.draw(16) < self.weather.repeated;
                let copies = usize::from(!lost) + usize::from(repeated);
                self.pipes[1 - index].extend(std::iter::repeat_n(segment, copies));
            }
        }
    }

    fn deliver_one(&mut self) -> bool {
        let full: Vec<usize> = (0..2).filter(|end| !self.pipes[*end].is_empty()).collect();
        if full.is_empty() {
            return false;
        }
        let end = full[self.weather.draw(full.len() as u64) as usize];
        let waiting = self.pipes[end].len() as u64;
        let place = if self.weather.draw(16) < self.weather.overtaken {
            self.weather.draw(waiting)
        } else {
            0
        };
        let segment = self.pipes[end].remove(place as usize);
        self.ends[end].receive(self.now, &segment);
        true
    }

    fn wait(&mut self) -> bool {
        let deadline = self.ends.iter().filter_map(Endpoint::next_timer).min();
        let Some(deadline) = deadline else {
            return false;
        };
        self.now = deadline;
        for end in &mut self.ends {
            end.tick(deadline);
        }
        true
    }

    fn states(&self) -> [State; 2] {
        [self.ends[0].state(), self.ends[1].state()]
    }

    /// Each end read exactly what the other wrote.
    fn delivered(&self, users: [User; 2]) -> bool {
        let peer_offsets = self.received[0].iter().zip(0..);
        // Which copy of an octet was taken is the network's choice.
        let from_peer = peer_offsets.map(|(octet, offset)| payload::copy_of(offset, *octet));
        self.received[0].len() == users[1].writes as usize
            && from_peer.max().unwrap_or(0) < 100
            && self.received[1] == payload::stack_text(0, users[0].writes)
    }
}

fn offers(mix: u8) -> Offer {
    Offer {
        mss: [None, Some(536), Some(1000), Some(1460)][usize::from(mix & 3)],
        window_scale: [None, Some(0), Some(7), Some(15)][usize::from(mix >> 2 & 3)],
        timestamps: mix & 16 != 0,
        sack: mix & 32 != 0,
        ecn: mix & 64 != 0,
    }
}

#[test]
fn every_order_of_closing_ends_in_closed_after_time_wait() {
    for (first, second) in [(false, true), (true, false), (false, false)] {
        let users = [(100, first), (200, second)].map(|(writes, closes_last)| User {
            writes,
            reads: 1000,
            closes_last,
        });
        let configs = [
            stack(Offer::default(), 65535),
            peer(Offer::default(), 65535, AckPolicy::Immediate),
        ];
        let mut pair = Pair::new(configs, Weather::fair());
        pair.ends[0].listen();
        pair.ends[1].open();
        pair.run(users);
        assert!(pair.delivered(users), "{first} {second}");
        assert_eq!(pair.states(), [State::Closed; 2], "{first} {second}");
    }
}

#[test]
fn crossing_syns_make_one_connection() {
    let configs = [
        stack(Offer::default(), 65535),
        peer(Offer::default(), 65535, AckPolicy::EverySecond),
    ];
    let users = [User {
        writes: 5000,
        reads: 5000,
        closes_last: false,
    }; 2];
    let mut pair = Pair::new(configs, Weather::fair());
    pair.ends[0].open();
    pair.ends[1].open();
    pair.run(users);
    assert!(pair.delivered(users));
    assert_eq!(pair.states(), [State::Closed; 2]);
}

#[test]
fn a_reader_that_stops_gets_no_more_than_its_buffer() {
    let configs = [
        stack(Offer::default(), 4000),
        peer(Offer::default(), 65535, AckPolicy::Immediate),
    ];
    let mut pair = Pair::new(configs, Weather::fair());
    pair.ends[0].listen();
    pair.ends[1].open();
    pair.now = 3_500_000_000;
    pair.run([
        User::default(),
        User {
            writes: 10_000,
            closes_last: true,
            ..User::default()
        },
    ]);
    // The window is rounded up to the scale, never down.
    assert!(
        (4000..4000 + 256).contains(&pair.ends[0].readable()),
        "{}",
        pair.ends[0].readable()
    );
}

#[test]
fn text_for_a_closed_reader_is_answered_with_a_reset() {
    let configs = [
        stack(Offer::default(), 65535),
        peer(Offer::default(), 65535, AckPolicy::Immediate),
    ];
    let mut pair = Pair::new(configs, Weather::fair());
    pair.ends[0].listen();
    pair.ends[1].open();
    let quiet = User {
        closes_last: true,
        ..User::default()
    };
    pair.run([quiet; 2]);
    pair.ends[0].close();
    pair.ends[1].write(10);
    pair.run([quiet; 2]);
    assert_eq!(pair.states(), [State::Closed; 2]);
}

quickcheck! {
    fn a_bad_network_delivers_the_same_octets(seed: u64, mixes: (u8, u8), written: (u16, u16), policy: u8) -> TestResult {
        let acks = [AckPolicy::Immediate, AckPolicy::EverySecond, AckPolicy::Timer][usize::from(policy % 3)];
        let users = [written.0, written.1].map(|writes| User {
            writes: u32::from(writes) % 40_000,
            reads: 700,
            closes_last: writes % 2 == 0,
        });
        if users[0].closes_last && users[1].closes_last {
            return TestResult::discard();
        }
        let weather = Weather { seed, lost: 2, repeated: 2, overtaken: 6 };
        let mut pair = Pair::new([stack(offers(mixes.0), 9000), peer(offers(mixes.1), 9000, acks)], weather);
        pair.ends[0].listen();
        pair.ends[1].open();
        pair.run(users);
        TestResult::from_bool(pair.delivered(users) && pair.states() == [State::Closed; 2])
    }
}
