//! Decides whether the IP layer gets what the application asks for, and whether what it brings is taken for what it is.
//! RFC 9293 sections 3.9.1.9 and 3.9.2.

use ackward_model::{Address, Call, Flags, Hook, OpenMode, Outcome, Segment, State};

use crate::rule::{Check, Class, Deviation, Emission, Level, Misfit, Rule, RuleCard};

/// The differentiated services field, the time to live, and IP options.
pub(super) static RULES: &[Rule] = &[
    Rule {
        card: RuleCard {
            id: "9293:MUST-48",
            citation: "RFC 9293 section 3.9.1.9 (MUST-48)",
            level: Level::Must,
            class: Class::Violation,
            statement: "The application sets the differentiated services field of what is sent.",
            provoked_by: "IP_TOS before the connection opens.",
        },
        check: Some(Check::Emission {
            fits: |emission| emission.pace.changed_class || has_class(emission),
            explain: explain_class,
        }),
        deviations: &[Deviation {
            name: "traffic_class_ignored",
            rule: "9293:MUST-48",
            summary: "The differentiated services field is zero whatever the application sets.",
            impact: "What must be fast is not.",
            hooks: &[Hook::Emission("9293:MUST-48", |_, segment| {
                segment.carrier.traffic_class == 0
            })],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:SHLD-21",
            citation: "RFC 9293 section 3.9.1.9 (SHLD-21)",
            level: Level::Should,
            class: Class::Quality,
            statement: "The application can change the differentiated services field while the connection stands.",
            provoked_by: "IP_TOS in the middle of a conversation.",
        },
        check: Some(Check::Emission {
            fits: |emission| !emission.pace.changed_class || has_class(emission),
            explain: explain_class,
        }),
        deviations: &[Deviation {
            name: "traffic_class_change_ignored",
            rule: "9293:SHLD-21",
            summary: "The differentiated services field stays what it was when the connection opened.",
            impact: "An application cannot mark what becomes urgent.",
            hooks: &[Hook::Emission("9293:SHLD-21", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:SHLD-22",
            citation: "RFC 9293 section 3.9.1.9 (SHLD-22)",
            level: Level::Should,
            class: Class::Quality,
            statement: "The differentiated services field goes to the IP layer as the application has set it.",
            provoked_by: "IP_TOS with any value.",
        },
        check: None,
        deviations: &[Deviation {
            name: "traffic_class_altered",
            rule: "9293:SHLD-22",
            summary: "The differentiated services field is not the one that the application sets.",
            impact: "The network treats what is sent as something else.",
            hooks: &[
                Hook::Emission("9293:MUST-48", |_, _| true),
                Hook::Emission("9293:SHLD-21", |_, _| true),
            ],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-49",
            citation: "RFC 9293 section 3.9.2 (MUST-49)",
            level: Level::Must,
            class: Class::Violation,
            statement: "The time to live of what is sent can be set.",
            provoked_by: "IP_TTL before the connection opens.",
        },
        check: Some(Check::Emission {
            fits: |emission| {
                let Emission { segment, pace, .. } = emission;
                let right = |hops| segment.carrier.time_to_live == hops;
                !is_of_the_socket(emission) || pace.time_to_live.is_none_or(right)
            },
            explain: |Emission { segment, pace, .. }| {
                Misfit::new(
                    format!(
                        "a time to live of {}",
                        pace.time_to_live.unwrap_or_default()
                    ),
                    format!("one of {}", segment.carrier.time_to_live),
                )
            },
        }),
        deviations: &[Deviation {
            name: "time_to_live_ignored",
            rule: "9293:MUST-49",
            summary: "The time to live is not the one that was set.",
            impact: "What must not leave a network does, or does not get far enough.",
            hooks: &[Hook::Emission("9293:MUST-49", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-50",
            citation: "RFC 9293 section 3.9.2 (MUST-50)",
            level: Level::Must,
            class: Class::Violation,
            statement: "IP options that TCP does not know are ignored.",
            provoked_by: "Segments in datagrams with such an option.",
        },
        check: None,
        deviations: &[Deviation {
            name: "segment_with_an_ip_option_dropped",
            rule: "9293:MUST-50",
            summary: "A segment is dropped because its datagram has an IP option of unknown kind.",
            impact: "Peers behind a network that adds options cannot connect.",
            hooks: &[Hook::Misread(|_, segment| {
                segment.carrier.options.then(|| Segment {
                    damaged: true,
                    ..segment.clone()
                })
            })],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-63",
            citation: "RFC 9293 section 3.9.2.3 (MUST-63)",
            level: Level::Must,
            class: Class::Violation,
            statement: "A segment from an address that is no host's is ignored.",
            provoked_by: "A SYN from a multicast or broadcast address.",
        },
        check: None,
        deviations: &[Deviation {
            name: "segment_from_a_group_address_taken",
            rule: "9293:MUST-63",
            summary: "A segment from a multicast or broadcast address is taken.",
            impact: "One forged SYN makes the stack answer to a whole network.",
            hooks: &[Hook::Misread(|_, segment| {
                let from = [Address::FromMulticast, Address::FromBroadcast];
                readdressed(segment, &from)
            })],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-57",
            citation: "RFC 9293 section 3.9.2.3 (MUST-57)",
            level: Level::Must,
            class: Class::Violation,
            statement: "A segment to a group address is ignored.",
            provoked_by: "A SYN to a multicast or broadcast address.",
        },
        check: None,
        deviations: &[Deviation {
            name: "segment_to_a_group_address_taken",
            rule: "9293:MUST-57",
            summary: "A segment to a multicast or broadcast address is taken.",
            impact: "One SYN makes every host of a network answer.",
            hooks: &[Hook::Misread(|_, segment| {
                let to = [Address::ToMulticast, Address::ToBroadcast];
                readdressed(segment, &to)
            })],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-46",
            citation: "RFC 9293 section 3.9.1.1 (MUST-46)",
            level: Level::Must,
            class: Class::Violation,
            statement: "An open to a multicast or broadcast address is refused.",
            provoked_by: "A connect to such an address.",
        },
        check: Some(Check::Return {
            fits: |tcb, call, outcome| {
                let opens = matches!((call, outcome), (Call::Connect, Outcome::Done(_)));
                !opens || !tcb.remote_is_void
            },
            explain: |_, _, _| Misfit::new("an error", "success"),
        }),
        deviations: &[],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-43",
            citation: "RFC 9293 section 3.9.1.1 (MUST-43)",
            level: Level::Must,
            class: Class::Violation,
            statement: "A SYN comes from the local address that the application has chosen.",
            provoked_by: "A bind, then a connect.",
        },
        check: Some(Check::Emission {
            fits: |Emission { segment, .. }| !segment.has(Flags::SYN) || has_its_address(segment),
            explain: explain_address,
        }),
        deviations: &[Deviation {
            name: "chosen_address_ignored",
            rule: "9293:MUST-43",
            summary: "A SYN has another source than the application has chosen.",
            impact: "A host with several addresses cannot be told which to use.",
            hooks: &[Hook::Emission("9293:MUST-43", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-45",
            citation: "RFC 9293 section 3.9.1.1 (MUST-45)",
            level: Level::Must,
            class: Class::Violation,
            statement: "All segments of a connection have one local address.",
            provoked_by: "Any conversation.",
        },
        check: Some(Check::Emission {
            fits: |Emission { segment, .. }| segment.has(Flags::SYN) || has_its_address(segment),
            explain: explain_address,
        }),
        deviations: &[Deviation {
            name: "address_changes",
            rule: "9293:MUST-45",
            summary: "Segments of one connection come from more than one address.",
            impact: "The peer resets what seems to be another connection.",
            hooks: &[Hook::Emission("9293:MUST-45", |_, _| true)],
        }],
    },
];

fn has_its_address(segment: &Segment) -> bool {
    segment.carrier.address == Address::Right
}

fn explain_address(_: &Emission<'_>) -> Misfit {
    Misfit::new("the address of the connection", "another one")
}

/// The segment with the addresses of the connection, if it has one of `odd`.
fn readdressed(segment: &Segment, odd: &[Address]) -> Option<Segment> {
    odd.contains(&segment.carrier.address).then(|| {
        let mut segment = segment.clone();
        segment.carrier.address = Address::Right;
        segment
    })
}

/// Whether a socket that the application holds has sent it, and no minimal state in its place.
fn is_of_the_socket(Emission { tcb, segment, .. }: &Emission<'_>) -> bool {
    let held = match tcb.open {
        OpenMode::Active => tcb.state >= State::SynSent,
        OpenMode::Passive => tcb.in_use && tcb.state.is_synchronized(),
    };
    held && !segment.has(Flags::RST)
        && !tcb.orphan
        && !tcb.application_elsewhere
        && tcb.state != State::TimeWait
}

fn has_class(emission: &Emission<'_>) -> bool {
    let right = |class| emission.segment.carrier.traffic_class == class;
    !is_of_the_socket(emission) || emission.pace.traffic_class.is_none_or(right)
}

fn explain_class(Emission { segment, pace, .. }: &Emission<'_>) -> Misfit {
    Misfit::new(
        format!("the octet {:#04x}", pace.traffic_class.unwrap_or_default()),
        format!("{:#04x}", segment.carrier.traffic_class),
    )
}
