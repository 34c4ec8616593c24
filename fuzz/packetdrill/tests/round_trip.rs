//! What is written is read as it was, whatever the script.
//! Packetdrill's grammar, both ways.

use ackward_model::Flags;
use ackward_packetdrill::ast::{AccurateEcn, Ecn, EcnCounter, Icmp, IpField, Numbering, UdpPorts};
use ackward_packetdrill::{
    Action, Event, Expression, Item, Packet, PacketOption, PacketOptions, Script, SystemCall,
    SystemResult, Time, parse,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

proptest! {
    #[test]
    fn what_is_written_is_read_as_it_was(script in script()) {
        let text = script.to_string();
        match parse(&text) {
            Ok(parsed) => prop_assert_eq!(parsed.script, script, "{}", text),
            Err(error) => prop_assert!(false, "{}\n{}", error, text),
        }
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in ".{0,200}") {
        let _ = parse(&text);
    }
}

fn script() -> impl Strategy<Value = Script> {
    let options = vec(
        prop_oneof![
            Just("--strict_segments".to_owned()),
            "--[a-z_]{1,9}=[0-9]{1,5}",
            "--local_ip=[0-9]{1,3}\\.[0-9]{1,3}\\.0\\.1",
            "--define=[A-Z]{1,5}=\"[a-z ]{0,5}\"",
        ],
        0..3,
    );
    let init = option::of(command()).prop_map(|command| {
        let lines = command.map(|command| command.split('\n').map(str::to_owned).collect());
        lines.unwrap_or_default()
    });
    let events = vec(event(), 1..8);
    (options, init, events, option::of(command())).prop_map(|(options, init, events, cleanup)| {
        Script {
            options,
            init,
            items: events.into_iter().map(Item::Event).collect(),
            cleanup,
            ..Script::default()
        }
    })
}

fn command() -> impl Strategy<Value = String> {
    "([a-z \n/#\"]|\\\\`){0,20}"
}

fn event() -> impl Strategy<Value = Event> {
    let awaited = prop_oneof![
        packet(false).prop_map(Action::Out),
        any::<u16>().prop_map(|octets| Action::Udp(false, octets)),
    ];
    let other = prop_oneof![
        packet(true).prop_map(Action::In),
        icmp().prop_map(Action::Icmp),
        any::<u16>().prop_map(|octets| Action::Udp(true, octets)),
        system_call().prop_map(Action::Call),
        command().prop_map(Action::Shell),
        "([a-z =<>\n]){0,20}"
            .prop_map(|code| { Action::Code(code.trim_matches([' ', '\t']).to_owned()) }),
    ];
    let time = || 0..10_000_000_u64;
    let exact = prop_oneof![time().prop_map(Time::At), time().prop_map(Time::After)];
    let loose = prop_oneof![
        Just(Time::Any),
        (time(), time()).prop_map(|(first, more)| Time::Within(first, first + more)),
        (time(), time()).prop_map(|(first, more)| Time::Between(first, first + more)),
        time().prop_map(Time::At),
        time().prop_map(Time::After),
    ];
    prop_oneof![
        (loose, awaited).prop_map(|(time, action)| Event { time, action }),
        (exact, other).prop_map(|(time, action)| Event { time, action }),
    ]
}

fn packet(injected: bool) -> impl Strategy<Value = Packet> {
    let bits = (any::<u8>(), accurate_ecn()).prop_map(|(flags, accurate)| {
        let mut flags = Flags(flags);
        if let AccurateEcn::Counter(_) = accurate {
            flags = flags.without(Flags::ECE | Flags::CWR) | Flags::PSH;
        }
        (flags, accurate)
    });
    let seq =
        (0..=u32::MAX - 65535, any::<u16>(), 0..3_u8).prop_map(
            move |(seq, len, kind)| match kind {
                0 => (seq, len, Numbering::Relative),
                1 => (seq, len, Numbering::Absolute),
                _ if injected => (seq, len, Numbering::Relative),
                _ => (0, len, Numbering::Unchecked),
            },
        );
    let window = if injected {
        any::<u16>().prop_map(Some).boxed()
    } else {
        option::of(any::<u16>()).boxed()
    };
    let fields = (option::of(any::<u32>()), window, option::of(1..=u16::MAX));
    let around = (
        vec(ip_field(injected), 0..3),
        option::of((any::<u16>(), any::<u16>())),
        option::of((any::<u16>(), any::<u16>())),
    );
    (bits, seq, fields, options(injected), around).prop_map(
        |((flags, accurate_ecn), (seq, len, numbering), (ack, window, urgent), options, around)| {
            let (ip, ports, udp) = around;
            Packet {
                ip,
                ports,
                flags,
                accurate_ecn,
                seq,
                numbering,
                len,
                ack,
                window,
                urgent,
                options,
                udp: udp.map(|(source, destination)| UdpPorts(source, destination)),
            }
        },
    )
}

fn accurate_ecn() -> impl Strategy<Value = AccurateEcn> {
    prop_oneof![
        Just(AccurateEcn::Clear),
        Just(AccurateEcn::Set),
        (0..8_u8).prop_map(AccurateEcn::Counter),
    ]
}

fn ip_field(injected: bool) -> impl Strategy<Value = IpField> {
    prop_oneof![
        Just(IpField::Ecn(Ecn::NotEct)),
        Just(IpField::Ecn(Ecn::Ect0)),
        Just(IpField::Ecn(Ecn::Ect1)),
        Just(IpField::Ecn(Ecn::Ce)),
        Just(IpField::Ecn(if injected { Ecn::Ce } else { Ecn::Either })),
        (any::<u8>(), any::<bool>())
            .prop_map(|(octet, ipv6)| IpField::TrafficClass { octet, ipv6 }),
        (any::<u8>(), any::<bool>()).prop_map(|(hops, ipv6)| IpField::TimeToLive { hops, ipv6 }),
        (0..1_u32 << 20).prop_map(IpField::FlowLabel),
    ]
}

fn options(injected: bool) -> impl Strategy<Value = PacketOptions> {
    let exactly = vec(packet_option(), 0..4).prop_map(|options| {
        let mut kept = Vec::new();
        let mut octets = 0;
        for option in options {
            if octets + option.wire_len() <= 36 {
                octets += option.wire_len();
                kept.push(option);
            }
        }
        let padding = octets.next_multiple_of(4) - octets;
        kept.extend(std::iter::repeat_n(PacketOption::NoOperation, padding));
        PacketOptions::Exactly(kept)
    });
    if injected {
        exactly.boxed()
    } else {
        prop_oneof![exactly, Just(PacketOptions::Unchecked)].boxed()
    }
}

fn packet_option() -> impl Strategy<Value = PacketOption> {
    let block = || (any::<u32>(), any::<u32>());
    let counter = prop_oneof![
        Just(EcnCounter::Ect0),
        Just(EcnCounter::Ce),
        Just(EcnCounter::Ect1)
    ];
    prop_oneof![
        Just(PacketOption::EndOfList),
        Just(PacketOption::NoOperation),
        any::<u16>().prop_map(PacketOption::MaximumSegmentSize),
        any::<u8>().prop_map(PacketOption::WindowScale),
        Just(PacketOption::SackPermitted),
        vec(block(), 1..4).prop_map(PacketOption::Sack),
        block().prop_map(|(tsval, tsecr)| PacketOption::Timestamps { tsval, tsecr }),
        "valid|[0-9a-f]{32}".prop_map(PacketOption::Md5),
        ("([0-9a-f]{2}){0,16}|TFO_COOKIE", any::<bool>()).prop_map(|(cookie, experimental)| {
            PacketOption::FastOpen {
                cookie,
                experimental,
            }
        }),
        vec((counter, 0..1_u32 << 24), 0..=3).prop_map(PacketOption::AccurateEcn),
    ]
}

fn icmp() -> impl Strategy<Value = Icmp> {
    let name = || "[a-z][a-z_]{3,11}";
    let quoted = option::of(((0..=u32::MAX - 65535), any::<u16>()));
    (
        vec(ip_field(true), 0..2),
        name(),
        option::of(name()),
        option::of(any::<u32>()),
        quoted,
        option::of((any::<u16>(), any::<u16>())),
    )
        .prop_map(|(ip, kind, code, mtu, quoted, udp)| Icmp {
            ip,
            kind,
            code,
            mtu,
            quoted,
            udp: udp
                .filter(|_| quoted.is_some())
                .map(|(source, destination)| UdpPorts(source, destination)),
        })
}

fn system_call() -> impl Strategy<Value = SystemCall> {
    let result = (
        expression(),
        option::of("E[A-Z]{2,6}"),
        option::of("[a-z]{1,5}( [a-z]{1,5}){0,2}"),
    );
    let until = option::of(0..10_000_000_u64);
    (until, "[a-z_]{1,9}", vec(expression(), 0..4), result).prop_map(
        |(until, name, arguments, (value, errno, note))| SystemCall {
            until,
            name,
            arguments,
            result: SystemResult { value, errno, note },
        },
    )
}

fn expression() -> impl Strategy<Value = Expression> {
    let word = || "[A-Z][A-Z_0-9]{0,6}";
    let text = || "([a-z ]|\\\\\"){0,6}";
    let leaf = prop_oneof![
        Just(Expression::Ellipsis),
        any::<i64>().prop_map(Expression::Integer),
        any::<u64>().prop_map(Expression::Hexadecimal),
        word().prop_map(Expression::Word),
        vec(text(), 1..3).prop_map(Expression::Text),
        text().prop_map(Expression::Beginning),
    ];
    leaf.prop_recursive(3, 12, 3, move |inner| {
        let parts = || vec(inner.clone(), 0..3);
        let alternative = inner.clone().prop_filter("joined or named once", |inner| {
            !matches!(inner, Expression::Or(_) | Expression::Field(..))
        });
        prop_oneof![
            vec(alternative, 2..4).prop_map(Expression::Or),
            (word(), inner.clone()).prop_map(|(name, value)| Expression::member(&name, value)),
            ("htons|inet_addr|msg_iov", parts())
                .prop_map(|(name, arguments)| Expression::Apply(name, arguments)),
            parts().prop_map(Expression::Array),
            parts().prop_map(Expression::Structure),
        ]
    })
}
