//! Which of the ways that the RFCs leave open an endpoint goes: drawn once for each connection, from a seed.
//! RFC 9293 sections 3.8 and 3.10.7.4, RFC 7323 sections 3.2 and 4.3, RFC 2883, RFC 5961 section 5.

use ackward_model::{SeqNum, TsVal};

use crate::{AckPolicy, Config, Offer, Text, TsClock};

/// What is open and bears on single segments. The default is the plainest way.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Choices {
    /// Text out of order is acknowledged like any other, not at once (RFC 5681 section 4.2, a SHOULD).
    pub patient_out_of_order: bool,
    /// Text that came twice is reported in the first SACK block (RFC 2883).
    pub reports_duplicates: bool,
    /// A segment that crosses the edge is dropped whole; else the part inside is taken.
    pub drops_straddlers: bool,
    /// TS.Recent follows a segment before the window test, as RFC 7323 4.3 reads; else after it, as 5.3 does.
    pub notes_timestamps_first: bool,
    /// A segment with a very old acknowledgment is taken, as RFC 9293 has it; else refused, as RFC 5961 section 5 does.
    pub bears_ancient_acks: bool,
    /// Every other challenge is held back (RFC 5961 section 7).
    pub limits_challenges: bool,
    /// The window field is rounded down, so that the edge may move left by less than one step; else up.
    pub rounds_down: bool,
    /// The FIN goes out alone.
    pub lone_fin: bool,
    /// A SYN that comes again in SYN-RECEIVED is answered with the SYN,ACK; else with an acknowledgment.
    pub repeats_syn_ack: bool,
}

/// A source of chance (SplitMix64): the same seed, the same luck.
struct Luck(u64);

impl Luck {
    fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.draw().is_multiple_of(n)
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.draw() as usize % choices.len()]
    }

    /// A number near a boundary of a 32-bit space, or anywhere.
    fn near_a_boundary(&mut self) -> u32 {
        let distance = self.draw() as u32 % 3_000;
        let anywhere = self.draw() as u32;
        let base = self.pick(&[0, 1 << 31, anywhere]);
        distance.wrapping_neg().wrapping_add(base)
    }
}

impl Config {
    /// An end for the application of a stack, as `seed` chooses it; 0 is the plainest one.
    pub fn drawn(seed: u64) -> Config {
        let plain = Config {
            iss: SeqNum(10_000),
            offer: Offer {
                ecn: true,
                ..Offer::default()
            },
            text: Text::Stack,
            retransmission_timeout: Some(1_000_000),
            nagle: true,
            ..Config::default()
        };
        if seed == 0 {
            return plain;
        }
        let mut luck = Luck(seed);
        Config {
            iss: SeqNum(luck.near_a_boundary()),
            offer: Offer {
                mss: luck.pick(&[Some(1460), Some(1460), Some(1000), Some(536)]),
                window_scale: luck.pick(&[Some(7), Some(7), Some(0), Some(2), Some(14), None]),
                timestamps: !luck.one_in(8),
                sack: !luck.one_in(6),
                ecn: true,
            },
            buffer: luck.pick(&[1_000, 8_192, 30_000, 65_535, 65_535, 200_000, 1 << 20]),
            tsval: TsVal(luck.near_a_boundary()),
            clock: luck.pick(&[
                TsClock::PerSegment { step: 10 },
                TsClock::PerSegment { step: 0 },
                TsClock::Coarse { share: 3 },
            ]),
            acks: luck.pick(&[
                AckPolicy::Immediate,
                AckPolicy::EverySecond,
                AckPolicy::Timer,
            ]),
            retransmission_timeout: luck.pick(&[Some(200_000), Some(1_000_000), Some(3_000_000)]),
            choices: Choices {
                patient_out_of_order: luck.one_in(4),
                reports_duplicates: luck.one_in(2),
                drops_straddlers: luck.one_in(2),
                notes_timestamps_first: luck.one_in(4),
                bears_ancient_acks: luck.one_in(2),
                limits_challenges: luck.one_in(4),
                rounds_down: luck.one_in(3),
                lone_fin: luck.one_in(2),
                repeats_syn_ack: luck.one_in(2),
            },
            ..plain
        }
    }
}
