//! Decides whether the wire form of segments is right both ways: checksums, and options whatever their place and length.
//! RFC 9293 sections 3.1, 3.2 and 3.7.1.

use ackward_model::{Flags, Hook, Options, Segment, TcpOption};

use crate::rule::{Check, Class, Deviation, Emission, Level, Misfit, Rule, RuleCard};

/// Checksums and options.
pub(super) static RULES: &[Rule] = &[
    Rule {
        card: RuleCard {
            id: "9293:MUST-2",
            citation: "RFC 9293 section 3.1 (MUST-2)",
            level: Level::Must,
            class: Class::Violation,
            statement: "Every segment carries the checksum of its pseudo header, its header and its text.",
            provoked_by: "Any conversation.",
        },
        check: Some(Check::Emission {
            fits: |Emission { segment, .. }| !segment.damaged,
            explain: |_| Misfit::new("the checksum of what was sent", "another one"),
        }),
        deviations: &[Deviation {
            name: "checksum_wrong",
            rule: "9293:MUST-2",
            summary: "Segments go out whose checksum does not fit them.",
            impact: "The peer discards them, as if the network had lost each one.",
            hooks: &[Hook::Emission("9293:MUST-2", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-3",
            citation: "RFC 9293 section 3.1 (MUST-3)",
            level: Level::Must,
            class: Class::Violation,
            statement: "A segment whose checksum does not fit has no effect.",
            provoked_by: "Segments that are valid but for their checksum.",
        },
        check: None,
        deviations: &[Deviation {
            name: "damaged_segment_taken",
            rule: "9293:MUST-3",
            summary: "A segment is taken although its checksum does not fit.",
            impact: "What the network damages reaches the application.",
            hooks: &[Hook::Misread(|_, segment| {
                segment.damaged.then(|| Segment {
                    damaged: false,
                    ..segment.clone()
                })
            })],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-4",
            citation: "RFC 9293 section 3.1 (MUST-4)",
            level: Level::Must,
            class: Class::Violation,
            statement: "An end-of-list ends the options: what stands behind it is padding.",
            provoked_by: "Options behind an end-of-list.",
        },
        check: None,
        deviations: &[Deviation {
            name: "options_read_past_their_end",
            rule: "9293:MUST-4",
            summary: "Options behind an end-of-list count.",
            impact: "Octets that the RFC calls padding change timestamps, sizes and windows.",
            hooks: &[Hook::Misread(|_, segment| {
                let mut read = Vec::new();
                for option in &segment.options.0 {
                    match option {
                        TcpOption::EndOfList => {}
                        TcpOption::Raw(octets) => read.extend(Options::from_bytes(octets).0),
                        other => read.push(other.clone()),
                    }
                }
                let ends = segment.options.0.contains(&TcpOption::EndOfList);
                ends.then(|| with_options(segment, read))
            })],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-7",
            citation: "RFC 9293 section 3.1 (MUST-7)",
            level: Level::Must,
            class: Class::Violation,
            statement: "An option whose length cannot be does no harm to the stack.",
            provoked_by: "Options of length zero, one, or more than there is room for.",
        },
        check: None,
        deviations: &[Deviation {
            name: "stops_at_an_impossible_length",
            rule: "9293:MUST-7",
            summary: "After an option whose length cannot be, nothing is sent any more.",
            impact: "One segment stops the stack, from whoever can send one.",
            hooks: &[Hook::Death(|_, segment| {
                segment.options.have_impossible_length()
            })],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-6",
            citation: "RFC 9293 section 3.1 (MUST-6)",
            level: Level::Must,
            class: Class::Violation,
            statement: "An option of unknown kind is passed over by its length.",
            provoked_by: "Options behind one of unknown kind.",
        },
        check: None,
        deviations: &[Deviation {
            name: "options_behind_an_unknown_one_unread",
            rule: "9293:MUST-6",
            summary: "Options that stand behind one of unknown kind are not read.",
            impact: "A peer that uses a new option loses its timestamps, its window scale or its SACK.",
            hooks: &[Hook::Misread(|_, segment| {
                let unknown = |option: &TcpOption| matches!(option, TcpOption::Raw(_));
                let place = segment.options.effective().position(unknown)?;
                let behind = segment.options.0.len() > place + 1;
                behind.then(|| with_options(segment, segment.options.0[..place].to_vec()))
            })],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-5",
            citation: "RFC 9293 section 3.1 (MUST-5)",
            level: Level::Must,
            class: Class::Violation,
            statement: "Any segment may carry options.",
            provoked_by: "Text that carries options which nobody agreed on.",
        },
        check: None,
        deviations: &[Deviation {
            name: "text_with_other_options_refused",
            rule: "9293:MUST-5",
            summary: "Text is refused because its segment carries an option that is not for such segments, or unknown.",
            impact: "A peer that uses a new option, or repeats one of its SYN, cannot send at all.",
            hooks: &[Hook::Misread(|_, segment| {
                let foreign = |option: &TcpOption| match option {
                    TcpOption::MaximumSegmentSize(_)
                    | TcpOption::WindowScale(_)
                    | TcpOption::SackPermitted => true,
                    TcpOption::Raw(_) => option.has_its_length(),
                    _ => false,
                };
                let text = !segment.has(Flags::SYN) && !segment.payload.is_empty();
                let refused = text && segment.options.effective().any(foreign);
                refused.then(|| Segment {
                    damaged: true,
                    ..segment.clone()
                })
            })],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-64",
            citation: "RFC 9293 section 3.2 (MUST-64)",
            level: Level::Must,
            class: Class::Violation,
            statement: "Options are read wherever they begin, at any octet.",
            provoked_by: "Timestamps without the two no-operations in front of them.",
        },
        check: None,
        deviations: &[Deviation {
            name: "timestamps_read_only_where_aligned",
            rule: "9293:MUST-64",
            summary: "Timestamps are read only where two octets stand before them in their word.",
            impact: "A peer that lays its options out in another way seems to send none, and TS.Recent stands still.",
            hooks: &[Hook::Misread(|_, segment| {
                let mut place = 0;
                let mut read = segment.options.0.clone();
                read.retain(|option| {
                    let unaligned = place % 4 != 2 && !segment.has(Flags::SYN);
                    place += option.wire_len();
                    !(unaligned && matches!(option, TcpOption::Timestamps { .. }))
                });
                (read.len() < segment.options.0.len()).then(|| with_options(segment, read))
            })],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-65",
            citation: "RFC 9293 section 3.7.1 (MUST-65)",
            level: Level::Must,
            class: Class::Violation,
            statement: "Only a SYN announces a segment size.",
            provoked_by: "Any conversation.",
        },
        check: Some(Check::Emission {
            fits: |Emission { segment, .. }| {
                segment.has(Flags::SYN) || segment.options.maximum_segment_size().is_none()
            },
            explain: |Emission { segment, .. }| {
                let size = segment.options.maximum_segment_size();
                Misfit::new("no segment size", format!("{}", size.unwrap_or_default()))
            },
        }),
        deviations: &[Deviation {
            name: "size_announced_outside_of_a_syn",
            rule: "9293:MUST-65",
            summary: "A segment size stands in a segment that is no SYN.",
            impact: "Octets of no use in each segment; a peer may refuse them.",
            hooks: &[Hook::Emission("9293:MUST-65", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-67",
            citation: "RFC 9293 section 3.7.1 (MUST-67)",
            level: Level::Must,
            class: Class::Violation,
            statement: "The segment size announced is what the largest datagram that can be received leaves beside its headers.",
            provoked_by: "Any SYN.",
        },
        check: Some(Check::Emission {
            fits: |Emission { segment, path, .. }| {
                let size = segment.options.maximum_segment_size();
                size.is_none_or(|size| size <= path.most())
            },
            explain: |Emission { segment, path, .. }| {
                let size = segment.options.maximum_segment_size();
                Misfit::new(
                    format!("a segment size of at most {}", path.most()),
                    format!("{}", size.unwrap_or_default()),
                )
            },
        }),
        deviations: &[Deviation {
            name: "size_announced_exceeds_the_path",
            rule: "9293:MUST-67",
            summary: "The segment size announced is more than a datagram of the link holds.",
            impact: "What the peer sends in full segments is fragmented, or lost each time.",
            hooks: &[Hook::Emission("9293:MUST-67", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:SHLD-5",
            citation: "RFC 9293 section 3.7.1 (SHLD-5)",
            level: Level::Should,
            class: Class::Quality,
            statement: "A SYN announces a segment size where the stack can receive other segments than the default.",
            provoked_by: "Any SYN.",
        },
        check: Some(Check::Emission {
            fits: |Emission { segment, path, .. }| {
                !segment.has(Flags::SYN)
                    || path.most() == path.default_mss()
                    || segment.options.maximum_segment_size().is_some()
            },
            explain: |_| Misfit::new("a segment size", "none"),
        }),
        deviations: &[Deviation {
            name: "no_size_announced",
            rule: "9293:SHLD-5",
            summary: "A SYN announces no segment size.",
            impact: "The peer sends segments of the default size: three times as many on most links.",
            hooks: &[Hook::Emission("9293:SHLD-5", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-68",
            citation: "RFC 9293 section 3.1 (MUST-68)",
            level: Level::Must,
            class: Class::Violation,
            statement: "Every option but end-of-list and no-operation has a length, and is as long as it says.",
            provoked_by: "Any conversation.",
        },
        check: Some(Check::Emission {
            fits: |Emission { segment, .. }| {
                segment.options.effective().all(TcpOption::has_its_length)
            },
            explain: |Emission { segment, .. }| {
                let mut options = segment.options.effective();
                let without = options.find(|option| !option.has_its_length());
                Misfit::new("options with a length", format!("{without:?}"))
            },
        }),
        deviations: &[Deviation {
            name: "option_without_a_length",
            rule: "9293:MUST-68",
            summary: "An option goes out whose length is missing or cannot be.",
            impact: "The peer cannot read the options behind it, and may reset the connection.",
            hooks: &[Hook::Emission("9293:MUST-68", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-69",
            citation: "RFC 9293 section 3.1 (MUST-69)",
            level: Level::Must,
            class: Class::Violation,
            statement: "What stands behind an end-of-list is zero.",
            provoked_by: "Any conversation.",
        },
        check: Some(Check::Emission {
            fits: |Emission { segment, .. }| {
                let read = segment.options.effective().count();
                let mut behind = segment.options.0.iter().skip(read);
                behind.all(|option| *option == TcpOption::EndOfList)
            },
            explain: |Emission { segment, .. }| {
                let read = segment.options.effective().count();
                let behind = &segment.options.0[read..];
                Misfit::new("zeros behind the end of the options", format!("{behind:?}"))
            },
        }),
        deviations: &[Deviation {
            name: "padding_is_not_zero",
            rule: "9293:MUST-69",
            summary: "The octets behind an end-of-list are not zero.",
            impact: "They may tell what is nobody's business, and a peer that reads on finds options there.",
            hooks: &[Hook::Emission("9293:MUST-69", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "7323:TS-fmt",
            citation: "RFC 7323 section 3.2",
            level: Level::Must,
            class: Class::Violation,
            statement: "A segment carries one timestamps option at most.",
            provoked_by: "Any conversation with timestamps.",
        },
        check: Some(Check::Emission {
            fits: |Emission { segment, .. }| timestamps(segment) <= 1,
            explain: |Emission { segment, .. }| {
                Misfit::new("one timestamps option", format!("{}", timestamps(segment)))
            },
        }),
        deviations: &[Deviation {
            name: "timestamps_twice",
            rule: "7323:TS-fmt",
            summary: "A segment carries two timestamps options.",
            impact: "Which of them counts is left to the peer, and the room of the second is lost.",
            hooks: &[Hook::Emission("7323:TS-fmt", |_, _| true)],
        }],
    },
];

fn with_options(segment: &Segment, options: Vec<TcpOption>) -> Segment {
    Segment {
        options: Options(options),
        ..segment.clone()
    }
}

fn timestamps(segment: &Segment) -> usize {
    let options = segment.options.effective();
    options
        .filter(|option| matches!(option, TcpOption::Timestamps { .. }))
        .count()
}
