//! Plays a plan against a live connection: the honest peer, the network between, and whoever falsifies segments.
//! RFC 9293 section 3.10 from the peer's side.

use ackward_endpoint::{Choices, Config, Endpoint, Outline, Text};
use ackward_model::{Event, Flags, Micros, OpenMode, SeqNum, TcpOption, Trace, TsVal};

use crate::network::{self, Network};
use crate::normalize::{Link, fit_segment};
use crate::view::View;
use crate::{
    Craft, Director, Echo, IcmpSpec, Move, OptionSpec, PeerConfig, Plan, SegmentSpec, Setup, Step,
};

/// A conversation makes no more moves than this.
pub const MAX_MOVES: usize = 64;
/// A conversation takes no more steps than this.
pub const MAX_STEPS: usize = 48;

/// A plan in play.
#[derive(Clone, Debug)]
pub struct Conversation<'a> {
    plan: &'a Plan,
    position: usize,
    steps: usize,
    now: Micros,
    peer: Endpoint,
    network: Network,
    view: View,
    /// Entries of the trace that were looked at.
    heard: usize,
}

impl<'a> Conversation<'a> {
    /// From the plan's first move. The SYN of a peer that opens is in flight already.
    pub fn new(plan: &'a Plan) -> Conversation<'a> {
        let isn = SeqNum(plan.setup.isn);
        let mut peer = Endpoint::new(endpoint_config(&plan.peer, isn));
        if plan.setup.open == OpenMode::Passive || plan.peer.opens_too {
            peer.open();
        } else {
            peer.listen();
        }
        let mut conversation = Conversation {
            plan,
            position: 0,
            steps: 0,
            now: 0,
            peer,
            network: Network::default(),
            view: View::new(isn, TsVal(plan.peer.tsval)),
            heard: 0,
        };
        conversation.send();
        conversation
    }

    /// Looks at what was emitted since the last time.
    fn look(&mut self, seen: &Trace) {
        for (place, entry) in seen.entries.iter().enumerate().skip(self.heard) {
            if let Event::Out(segment) = &entry.event {
                self.network.to_peer.push((self.view.emissions(), place));
                self.view.emitted(segment);
            }
        }
        self.heard = seen.entries.len();
    }

    /// Makes a move. Most moves of the peer and losses are no step.
    fn make(&mut self, next: &Move, seen: &Trace) -> Option<Step> {
        match next {
            Move::Call(call) => Some(Step::Call(*call)),
            Move::PeerWrite(octets) => {
                self.peer.write(u32::from(*octets));
                None
            }
            Move::PeerWriteUrgent(octets) => {
                self.peer.write_urgent(u32::from(*octets));
                None
            }
            Move::PeerRead(max) => {
                self.peer.discard(*max);
                None
            }
            Move::PeerShutdown => {
                self.peer.shutdown();
                None
            }
            Move::PeerAbort => {
                self.peer.abort();
                None
            }
            Move::PeerRetransmit => {
                self.peer.retransmit();
                None
            }
            Move::PeerClock(ticks) => {
                self.pass(Micros::from(*ticks) * 1_000);
                None
            }
            Move::DeliverToStack(nth) => {
                let outline = network::take(&mut self.network.to_stack, *nth)?;
                Some(self.inject(self.specify(&outline)))
            }
            Move::RepeatToStack(nth) => {
                let outline = network::nth(&self.network.to_stack, *nth)?;
                Some(self.inject(self.specify(&outline)))
            }
            Move::DropToStack(nth) => {
                network::take(&mut self.network.to_stack, *nth);
                None
            }
            Move::DeliverToPeer(nth) => {
                let (k, place) = network::take(&mut self.network.to_peer, *nth)?;
                if let Event::Out(segment) = &seen.entries[place].event {
                    self.view.heard(k);
                    self.peer.receive(self.now, segment);
                }
                None
            }
            Move::DropToPeer(nth) => {
                network::take(&mut self.network.to_peer, *nth);
                None
            }
            Move::Wait(by) => {
                self.pass(*by);
                Some(Step::Wait(*by))
            }
            Move::DeliverEdited { nth, edits } => {
                let outline = network::take(&mut self.network.to_stack, *nth)?;
                let mut segment = self.specify(&outline);
                for edit in edits {
                    edit.apply(&mut segment, &self.view);
                }
                Some(self.inject(segment))
            }
            Move::Craft(craft) => Some(self.inject(self.craft(craft))),
            Move::Step(Step::Segment(segment)) => Some(self.inject(segment.clone())),
            Move::Step(Step::Wait(by)) => {
                self.pass(*by);
                Some(Step::Wait(*by))
            }
            Move::Step(step @ (Step::Call(_) | Step::Icmp(_))) => Some(step.clone()),
            Move::Icmp { kind, seq, foreign } => Some(Step::Icmp(IcmpSpec {
                kind: *kind,
                seq: self.view.ack(seq.0).wrapping_add_signed(seq.1),
                foreign: *foreign,
            })),
        }
    }

    fn pass(&mut self, by: Micros) {
        self.now = self.now.saturating_add(by);
        self.peer.tick(self.now);
    }

    /// Puts what the peer sends into the network.
    fn send(&mut self) {
        while let Some(outline) = self.peer.poll_outline() {
            self.network.to_stack.push(outline);
        }
    }

    fn inject(&mut self, mut segment: SegmentSpec) -> Step {
        fit_segment(Link::of(&self.plan.setup), &mut segment);
        self.view.injected(&segment);
        Step::Segment(segment)
    }

    /// The peer's segment in relative numbers.
    fn specify(&self, outline: &Outline) -> SegmentSpec {
        let acknowledges = outline.flags.contains(Flags::ACK);
        let iss = if acknowledges {
            self.view.iss()
        } else {
            SeqNum(0)
        };
        let mut options = Vec::with_capacity(6);
        outline.each_option(|option| options.push(self.specify_option(option)));
        SegmentSpec {
            urgent: outline.urgent,
            address: Default::default(),
            ip_option: false,
            damaged: false,
            flags: outline.flags,
            seq: outline.seq.offset_from(SeqNum(self.plan.setup.isn)),
            ack: outline.ack.offset_from(iss),
            window: outline.window.0,
            len: outline.len,
            copy: outline.copy,
            options,
        }
    }

    fn specify_option(&self, option: TcpOption) -> OptionSpec {
        let iss = self.view.iss();
        match option {
            TcpOption::EndOfList => OptionSpec::EndOfList,
            TcpOption::NoOperation => OptionSpec::NoOperation,
            TcpOption::MaximumSegmentSize(mss) => OptionSpec::MaximumSegmentSize(mss),
            TcpOption::WindowScale(shift) => OptionSpec::WindowScale(shift),
            TcpOption::SackPermitted => OptionSpec::SackPermitted,
            TcpOption::Sack(blocks) => {
                let relative = blocks
                    .as_slice()
                    .iter()
                    .map(|block| (block.left.offset_from(iss), block.right.offset_from(iss)));
                OptionSpec::Sack(relative.collect())
            }
            TcpOption::Timestamps { tsval, tsecr } => OptionSpec::Timestamps {
                tsval: tsval.0,
                tsecr: self.view.echo(tsecr),
            },
            TcpOption::Raw(octets) => OptionSpec::Raw(octets),
        }
    }

    fn craft(&self, craft: &Craft) -> SegmentSpec {
        let Craft {
            seq,
            ack,
            tsval,
            window,
            flags,
            len,
            copy,
        } = *craft;
        let mut options = Vec::new();
        if self.plan.peer.offer.timestamps {
            let newest = self.view.emissions().checked_sub(1);
            options = vec![
                OptionSpec::NoOperation,
                OptionSpec::NoOperation,
                OptionSpec::Timestamps {
                    tsval: self.view.tsval(tsval.0).wrapping_add_signed(tsval.1),
                    tsecr: newest.map_or(Echo::Value(0), |k| Echo::Emission(k as u32)),
                },
            ];
        }
        let acknowledges = flags.contains(Flags::ACK);
        SegmentSpec {
            urgent: 0,
            address: Default::default(),
            ip_option: false,
            damaged: false,
            flags,
            seq: self.view.seq(seq.0).wrapping_add_signed(seq.1),
            ack: if acknowledges {
                self.view.ack(ack.0).wrapping_add_signed(ack.1)
            } else {
                0
            },
            window,
            len,
            copy,
            options,
        }
    }
}

impl Director for Conversation<'_> {
    fn setup(&self) -> &Setup {
        &self.plan.setup
    }

    fn next(&mut self, seen: &Trace) -> Option<Step> {
        self.look(seen);
        while self.steps < MAX_STEPS && self.position < MAX_MOVES {
            let next = self.plan.moves.get(self.position)?;
            self.position += 1;
            let step = self.make(next, seen);
            self.send();
            if step.is_some() {
                self.steps += 1;
                return step;
            }
        }
        None
    }
}

fn endpoint_config(peer: &PeerConfig, isn: SeqNum) -> Config {
    let PeerConfig {
        offer,
        buffer,
        tsval,
        clock,
        acks,
        opens_too: _,
    } = *peer;
    Config {
        iss: isn,
        offer,
        buffer,
        tsval: TsVal(tsval),
        clock,
        acks,
        text: Text::Peer,
        // Time that the peer spends waiting is a move of its own.
        retransmission_timeout: None,
        // Small segments make a conversation lively.
        nagle: false,
        choices: Choices::default(),
        syn_cookies: false,
        plant: None,
    }
}
