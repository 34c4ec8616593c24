//! Bugs that an endpoint can be made to have, one at a time: each shows that the oracle sees its kind.
//! Where they depart from RFC 9293 and RFC 7323 is said by the diagnosis that is expected of the oracle.
//!
//! [`PLANTS`] is the table. What a plant changes stands in the files below, each an answer to a question that the
//! endpoint asks; without a plant it asks for nothing.

mod internet;
mod packing;
mod receive;
mod sack;
mod time;
mod timestamps;
mod transmit;
mod wire;

use ackward_model::{SackBlock, SackBlocks, SeqNum, TsVal};

use crate::{AckPolicy, Config, Endpoint};

/// What is to be known of a plant.
#[derive(Clone, Copy, Debug)]
pub struct PlantCard {
    /// The plant.
    pub plant: Plant,
    /// Its name, as in `mutant:NAME`.
    pub name: &'static str,
    /// What the endpoint does wrong.
    pub does: &'static str,
    /// The root that the oracle must name: a deviation, or `unexplained-` and a rule.
    pub diagnosis: &'static str,
}

/// What plants remember; nothing else looks at it.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Memory {
    /// The other side announced a shift above 14.
    huge_shift: bool,
    /// SYNs sent.
    syns: u32,
    /// One past the furthest octet sent.
    furthest: SeqNum,
    /// TSval of the latest arrival.
    latest: Option<TsVal>,
    /// SACK blocks before the latest arrival.
    stale: SackBlocks,
    /// The latest segment sent has SACK blocks.
    reported: bool,
    /// What the other side says that it holds.
    sacked: Option<SackBlock>,
    /// The edge that the latest window field shows.
    shown: SeqNum,
    /// A window field was the largest that there is.
    saturated: bool,
    /// The latest window is not the one that was sent.
    misread: bool,
    /// Nothing works any more.
    pub(crate) dead: bool,
}

/// Makes the enumeration and the table of one list.
macro_rules! plants {
    ($($(#[doc = $does:literal])+ $plant:ident $name:literal => $diagnosis:literal,)+) => {
        /// A planted bug.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Plant {
            $($(#[doc = $does])+ $plant,)+
        }

        /// Every planted bug.
        pub static PLANTS: &[PlantCard] = &[
            $(PlantCard {
                plant: Plant::$plant,
                name: $name,
                does: concat!($($does),+).trim_ascii(),
                diagnosis: $diagnosis,
            },)+
        ];
    };
}

plants! {
    // What is echoed.
    /// TS.Recent does not follow a segment whose acknowledgment is old.
    OldAckSkips "old-ack-skips" => "old_ack_leaves_ts_recent_alone",
    /// After close, TS.Recent does not follow segments without text.
    OrphanSkips "orphan-skips" => "orphaned_fin_wait_2_leaves_ts_recent_alone",
    /// TS.Recent follows text out of order.
    OutOfOrderMoves "out-of-order-moves" => "out_of_order_text_moves_ts_recent",
    /// TS.Recent follows out-of-order text only where nothing was held before.
    FirstOutOfOrderMoves "first-out-of-order-moves" => "out_of_order_text_moves_ts_recent",
    /// TS.Recent follows segments up to RCV.NXT, not Last.ACK.sent.
    RcvNxtForLastAck "rcv-nxt-for-last-ack" => "ts_recent_compared_with_rcv_nxt",
    /// TSvals are compared as plain numbers.
    UnsignedCompare "unsigned-compare" => "timestamps_compared_without_wrap",
    /// TSvals are compared as signed numbers.
    SignedCompare "signed-compare" => "ts_recent_never_moves",
    /// TS.Recent stays that of the SYN.
    NeverMoves "never-moves" => "ts_recent_never_moves",
    /// TS.Recent stays what it was when the first text came.
    FrozenAfterText "frozen-after-text" => "ts_recent_never_moves",
    /// A segment that begins exactly at Last.ACK.sent does not count.
    ExclusiveBound "exclusive-bound" => "ts_recent_never_moves",
    /// A segment that fills a gap does not count.
    GapFillerSkips "gap-filler-skips" => "ts_recent_never_moves",
    /// A segment without text does not count.
    BareAckSkips "bare-ack-skips" => "ts_recent_never_moves",
    /// A segment whose text is partly old does not count.
    PartlyOldSkips "partly-old-skips" => "ts_recent_never_moves",
    /// TS.Recent goes back to older TSvals, which the timestamp test lets pass.
    GoesBackwards "goes-backwards" => "older_timestamp_moves_ts_recent",
    /// TS.Recent follows segments that the timestamp test refuses.
    RefusedAsOldMoves "refused-as-old-moves" => "refused_segment_moves_ts_recent",
    /// TS.Recent follows segments past the window.
    RefusedAsBeyondMoves "refused-as-beyond-moves" => "refused_segment_moves_ts_recent",
    /// TS.Recent follows a SYN that is challenged, wherever it lies.
    ChallengedSynMoves "challenged-syn-moves" => "refused_segment_moves_ts_recent",
    /// TS.Recent follows a RST that does not end the connection.
    ResetMoves "reset-moves" => "reset_moves_ts_recent",
    /// An acknowledgment without text echoes the latest segment, whatever TS.Recent is.
    EchoesTheLatest "echoes-the-latest" => "acknowledgment_echoes_what_it_answers",
    /// What is echoed is one tick more than TS.Recent.
    EchoesOneMore "echoes-one-more" => "unexplained-7323-4-3-b",

    // The timestamp test.
    /// There is no timestamp test.
    PawsOff "paws-off" => "paws_absent",
    /// The timestamp test compares plain numbers and lets pass what is old across a wrap.
    PawsForgetsWrap "paws-forgets-wrap" => "paws_compares_without_wrap",
    /// The timestamp test compares plain numbers, and refuses what is new across a wrap.
    PawsFreezesAtWrap "paws-freezes-at-wrap" => "paws_compares_without_wrap",
    /// The timestamp test spares a FIN.
    PawsSparesFin "paws-spares-fin" => "paws_absent",
    /// The timestamp test spares what is a little old.
    PawsToleratesMuch "paws-tolerates-much" => "paws_absent",
    /// The timestamp test is not made in SYN-RECEIVED.
    PawsNotWhileOpening "paws-not-while-opening" => "paws_absent",
    /// The timestamp test spares text out of order.
    PawsSparesOutOfOrder "paws-spares-out-of-order" => "paws_spares_out_of_order_text",
    /// The acknowledgment of a segment counts that the timestamp test refuses.
    PawsSparesAck "paws-spares-ack" => "paws_spares_the_acknowledgment",
    /// The timestamp test tolerates one tick.
    PawsOneTick "paws-one-tick" => "paws_tolerates_one_tick",
    /// A TS.Recent of zero counts as unset.
    PawsZeroUnset "paws-zero-unset" => "paws_takes_zero_as_unset",
    /// The timestamp test refuses the same TSval.
    PawsTooStrict "paws-too-strict" => "paws_refuses_equal",
    /// Held text is thrown away when a newer segment fills the gap.
    PawsAtDelivery "paws-at-delivery" => "paws_at_delivery",
    /// A RST with an old TSval is ignored.
    PawsOnReset "paws-on-reset" => "paws_refuses_reset",
    /// In TIME-WAIT, and in FIN-WAIT-2 after close, a RST with an old TSval is ignored.
    PawsOnLateReset "paws-on-late-reset" => "paws_refuses_reset_beside_the_socket",

    // The option.
    /// Duplicate acknowledgments carry no timestamps.
    UnstampedDuplicates "unstamped-duplicates" => "timestamps_left_out",
    /// Segments with text carry no timestamps.
    UnstampedText "unstamped-text" => "timestamps_left_out",
    /// In SYN-RECEIVED, FIN-WAIT-2 and TIME-WAIT, no timestamps are sent while TS.Recent is zero.
    UnstampedAtZero "unstamped-at-zero" => "timestamps_left_out_when_ts_recent_is_zero",
    /// Timestamps are sent whether they were agreed on or not.
    StampsUnasked "stamps-unasked" => "timestamps_not_negotiated",
    /// In TIME-WAIT, timestamps are sent whether they were agreed on or not.
    StampsTimeWait "stamps-time-wait" => "time_wait_stamped_without_agreement",
    /// A segment with timestamps that were not agreed on is refused.
    RefusesUnaskedStamps "refuses-unasked-stamps" => "unnegotiated_timestamps_refused",
    /// A segment without the timestamps that were agreed on is taken.
    TakesUnstamped "takes-unstamped" => "segment_without_timestamps_taken",
    /// A segment without the timestamps that were agreed on resets the connection.
    UnstampedResets "unstamped-resets" => "segment_without_timestamps_resets",
    /// A SYN whose TSecr is not zero is ignored.
    RefusesSynEcho "refuses-syn-echo" => "syn_with_an_echo_ignored",
    /// A reset that ends the connection carries no timestamps.
    BareAborts "bare-aborts" => "resets_without_timestamps",
    /// A reset that answers a segment carries no timestamps.
    BareAnswers "bare-answers" => "answering_resets_without_timestamps",
    /// The round trip is measured by the echo of every acknowledgment.
    TimesDuplicates "times-duplicates" => "round_trip_by_any_echo",
    /// The round trip of text that was sent again is measured from the first time.
    TimesRepeats "times-repeats" => "round_trip_of_what_was_repeated",
    /// The SYN echoes something.
    SynEchoes "syn-echoes" => "echo_without_ack",
    /// Duplicate acknowledgments carry an older TSval.
    ClockRunsBack "clock-runs-back" => "tsval_decreases",
    /// The timestamp clock stands still.
    ClockStands "clock-stands" => "timestamp_clock_too_slow",
    /// A TSecr that was never sent does not complete the handshake.
    ChecksHandshakeEcho "checks-handshake-echo" => "handshake_echo_out_of_range_refused",

    // The receive window.
    /// The window is what the buffer has left by a generous count, wherever the edge was.
    EdgeRetracts "edge-retracts" => "window_edge_retracts",
    /// The window is zero while there is a gap.
    ShutsAtGap "shuts-at-gap" => "window_edge_retracts",
    /// The window is not shifted although the SYNs agreed on it.
    WindowUnshifted "window-unshifted" => "window_sent_unshifted",
    /// In TIME-WAIT, the buffer's size is cut to 16 bits.
    TimeWaitTruncates "time-wait-truncates" => "time_wait_window_truncated",
    /// Acceptability is decided by the latest window.
    LatestWindowOnly "latest-window-only" => "current_window_judges_alone",
    /// Text is taken as far as the buffer goes, past what the window field can say.
    PrivateWindow "private-window" => "private_window_exceeds_the_wire",
    /// A segment that crosses the edge is taken whole.
    StraddlersWhole "straddlers-whole" => "straddling_segment_taken_whole",
    /// One that crosses it by one octet is taken whole.
    OneOctetPast "one-octet-past" => "straddling_segment_taken_whole",
    /// One that crosses it out of order is taken whole.
    StraddlersHeld "straddlers-held" => "straddling_segment_taken_whole",
    /// The connection that a SYN cookie opens has a smaller window than its SYN,ACK promised.
    CookieForgetsWindow "cookie-forgets-window" => "syn_cookie_forgets_the_window",
    /// Text past the edge is taken.
    PastTheEdge "past-the-edge" => "text_past_the_edge_taken",
    /// A FIN is taken that does not fit by its own octet.
    FinPastTheEdge "fin-past-the-edge" => "fin_octet_past_the_edge_taken",
    /// Text is taken while the window is zero.
    ZeroWindowTakes "zero-window-takes" => "zero_window_lets_text_in",
    /// A FIN is taken while the window is zero.
    ZeroWindowFin "zero-window-fin" => "bare_fin_taken_at_zero_window",
    /// The acknowledgment of old text counts where it reaches Last.ACK.sent.
    OldTextCounts "old-text-counts" => "left_edge_at_last_ack",
    /// The acknowledgment of a segment exactly at the edge counts.
    EdgeInclusive "edge-inclusive" => "right_edge_inclusive",
    /// The acknowledgment of a segment past a saturated window counts.
    BeyondCounts "beyond-counts" => "acknowledgment_past_the_edge_counts",
    /// A partly old segment is refused.
    PartlyOldRefused "partly-old-refused" => "partly_old_segment_refused",
    /// A segment with an old acknowledgment is refused.
    OldAckRefused "old-ack-refused" => "old_ack_drops_text",

    // What is acknowledged.
    /// Text out of order is acknowledged as if nothing were missing.
    ThroughTheHole "through-the-hole" => "acknowledges_through_a_hole",
    /// Text in order of three octets, or a multiple, is refused.
    SwallowsThrees "swallows-threes" => "in_order_segment_swallowed",
    /// Text in order that just fits into the window is refused.
    SwallowsTheLast "swallows-the-last" => "in_order_segment_swallowed",
    /// Held text is forgotten when the gap is filled.
    ForgetsHeld "forgets-held" => "held_text_forgotten",
    /// Text that fills a gap is acknowledged before what lies behind it.
    PieceByPiece "piece-by-piece" => "held_text_acknowledged_piece_by_piece",
    /// A FIN is taken before its text.
    FinTooEarly "fin-too-early" => "fin_before_its_text",
    /// The FIN of a segment that begins before RCV.NXT is ignored.
    FinOverlooked "fin-overlooked" => "fin_ignored_on_partly_old_segment",
    /// Probes of a zero window are not answered.
    ProbeUnanswered "probe-unanswered" => "zero_window_probe_unanswered",
    /// Text that is old is not answered.
    DuplicateUnanswered "duplicate-unanswered" => "unacceptable_segment_unanswered",
    /// Text in order waits for text of the stack's own to be acknowledged with.
    NeverAcksAlone "never-acks-alone" => "text_in_order_unacknowledged",
    /// What lies past a window that shrank is sent again each time.
    ResendsPastTheEdge "resends-past-the-edge" => "sent_again_past_a_shrunken_window",
    /// Nothing is sent again.
    NeverSendsAgain "never-sends-again" => "nothing_sent_again",
    /// A window of zero is not probed.
    NeverProbes "never-probes" => "shut_window_never_probed",
    /// Text goes out when the timer expires.
    HoldsBack "holds-back" => "text_held_back",
    /// A SYN without a segment size is ignored.
    IgnoresPlainSyn "ignores-plain-syn" => "syn_unanswered",
    /// Text past the edge is not answered.
    BeyondUnanswered "beyond-unanswered" => "unacceptable_segment_unanswered",
    /// Text that the timestamp test refuses is not answered.
    OldUnanswered "old-unanswered" => "unacceptable_segment_unanswered",
    /// With scaled windows, a duplicate acknowledgment is one octet short.
    AckDecreases "ack-decreases" => "unexplained-9293-ACK-val",
    /// The acknowledgment of a FIN is one too high.
    AckPastFin "ack-past-fin" => "unexplained-9293-ACK-val",
    /// A segment that acknowledges what was never sent is taken.
    UnsentAckTaken "unsent-ack-taken" => "acknowledgment_of_unsent_text_accepted",
    /// In FIN-WAIT-2 after close, a FIN is taken whatever it acknowledges.
    OrphanTakesAnyFin "orphan-takes-any-fin" => "orphaned_fin_wait_2_ignores_the_acknowledgment_field",
    /// Text past the peer's FIN is acknowledged.
    TextPastFin "text-past-fin" => "text_past_the_fin_taken",
    /// After SYNs that crossed, an acknowledgment of nothing completes the handshake.
    CompletedByNothing "completed-by-nothing" => "crossed_syn_completed_by_acknowledgment_of_nothing",
    /// SACK blocks are one octet too long.
    SackTooLong "sack-too-long" => "sack_reports_what_never_came",
    /// A SACK block reaches one octet past the edge.
    SackPastTheEdge "sack-past-the-edge" => "unexplained-9293-WND-int",
    /// One SACK block covers all gaps.
    SackBridges "sack-bridges" => "sack_reports_what_never_came",
    /// The oldest SACK block stands first.
    SackOldestFirst "sack-oldest-first" => "latest_text_not_first_in_sack",
    /// Each piece that came has a SACK block of its own.
    SackInPieces "sack-in-pieces" => "sack_blocks_in_pieces",
    /// SACK blocks are sent without permission.
    SackUnasked "sack-unasked" => "sack_reports_what_never_came",
    /// Every segment permits SACK.
    SackPermitsAlways "sack-permits-always" => "sack_permitted_outside_of_a_syn",
    /// A duplicate is reported again and again.
    DuplicateForEver "duplicate-for-ever" => "duplicate_reported_again",
    /// After an acknowledgment with SACK blocks comes one without.
    SackNowAndThen "sack-now-and-then" => "sack_left_out_now_and_then",
    /// Behind the first SACK block stand the oldest ones.
    SackForgetsLatest "sack-forgets-latest" => "latest_reports_not_repeated",
    /// There is only one SACK block.
    SackOnlyOne "sack-only-one" => "fewer_sack_blocks_than_fit",
    /// What the other side has reported as held is never sent again.
    ForgetsSacked "forgets-sacked" => "sacked_text_forgotten",
    /// Text out of order is not acknowledged.
    OutOfOrderUnanswered "out-of-order-unanswered" => "out_of_order_text_unacknowledged",
    /// Each acknowledgment goes out twice.
    AcksTwice "acks-twice" => "acknowledged_more_than_once",
    /// The acknowledgment of text that a window of zero refuses does not count.
    DeafToAcksAtZero "deaf-to-acks-at-zero" => "acknowledgment_ignored_at_zero_window",
    /// The acknowledgment of a FIN still carries the SACK blocks before it.
    SackStale "sack-stale" => "fin_leaves_stale_sack_blocks",

    // Urgent text.
    /// Urgent text goes out like any other.
    UrgentUnmarked "urgent-unmarked" => "urgent_text_unmarked",
    /// The urgent pointer is that of the last urgent octet, as RFC 1122 had it.
    UrgentToTheLast "urgent-to-the-last" => "urgent_pointer_at_the_last_octet",
    /// What is sent again goes in two segments, both with the urgent pointer of the first.
    UrgentPointerStays "urgent-pointer-stays" => "urgent_pointer_wrong_when_sent_again",
    /// Of urgent text, only the segment with the end of it is marked.
    UrgentAtItsEnd "urgent-at-its-end" => "urgent_text_marked_only_at_its_end",
    /// The user is not told of urgent text.
    UrgentUntold "urgent-untold" => "urgent_text_untold",
    /// The user is told of urgent text of one octet and no more.
    UrgentOneOctet "urgent-one-octet" => "urgent_text_of_some_length_untold",
    /// The user is not told of urgent text that goes on behind the segment which says so.
    UrgentInOneSegment "urgent-in-one-segment" => "urgent_text_of_some_length_untold",
    /// What has been urgent stays so when it has been read.
    UrgentForEver "urgent-for-ever" => "unexplained-9293-MUST-33",

    // Window scale.
    /// The window of a SYN,ACK is shifted.
    ShiftsSynWindow "shifts-syn-window" => "syn_window_scaled_when_received",
    /// The peer's shift is used although only the peer offered one.
    ShiftsUnasked "shifts-unasked" => "scale_used_without_negotiation",
    /// When SYNs cross, the SYN,ACK keeps the shift and the timestamps that the peer did not offer.
    CrossingKeepsOptions "crossing-keeps-options" => "crossing_syn_keeps_own_options",
    /// A SYN,ACK offers a shift unasked.
    OffersUnasked "offers-unasked" => "scale_offered_unasked",
    /// A shift on a later segment is taken for its window.
    LateShift "late-shift" => "scale_taken_after_the_handshake",
    /// A shift above 14 is used.
    HugeShiftUsed "huge-shift-used" => "shift_above_fourteen_used",
    /// A shift of 15 is announced.
    HugeShiftAnnounced "huge-shift-announced" => "shift_above_fourteen_announced",
    /// A repeated SYN announces one less, which is used from then on.
    ShiftChanges "shift-changes" => "shift_changes_between_syns",

    // The send window.
    /// Any segment sets the window.
    OlderSets "older-sets" => "older_segment_sets_the_window",
    /// A segment that begins before SND.WL1 sets the window if it opens it.
    LargestWins "largest-wins" => "older_segment_sets_the_window",
    /// A smaller window with the same numbers is ignored.
    OnlyGrows "only-grows" => "window_of_same_segment_only_grows",
    /// A window that is smaller by less than a step is taken for the same.
    LessThanAStep "less-than-a-step" => "window_smaller_by_less_than_a_step_ignored",
    /// A segment in order with the same window moves SND.WL1 back.
    MovesWl1Back "moves-wl1-back" => "predicted_segment_moves_wl1_back",
    /// A window of 32768 or more counts as negative: nothing is sent into it, and it is not probed.
    SignedWindow "signed-window" => "large_window_read_as_negative",
    /// A window is kept in 16 bits; what reads as zero is not probed.
    ShortWindow "short-window" => "window_kept_in_sixteen_bits",
    /// A FIN goes out though the window is full.
    FinFillsWindow "fin-fills-window" => "fin_one_past_the_peers_window",
    /// A window that ends before SND.NXT counts as huge.
    NegativeIsHuge "negative-is-huge" => "negative_window_read_as_huge",

    // The text.
    /// What is sent again is off by one octet.
    ResendsTheWrong "resends-the-wrong" => "sends_what_was_not_written",
    /// A FIN goes out before the text it ends.
    FinBeforeOwnText "fin-before-own-text" => "sends_what_was_not_written",
    /// The peer's FIN is answered with a FIN that nobody asked for.
    FinUnasked "fin-unasked" => "sends_what_was_not_written",
    /// Old text that comes again replaces what waits to be read.
    WrongCopy "wrong-copy" => "unexplained-9293-DATA-int",
    /// Text that fills a gap is delivered twice.
    DeliversTwice "delivers-twice" => "unexplained-9293-DATA-int",
    /// An octet is lost where a gap is filled.
    LosesAnOctet "loses-an-octet" => "unexplained-9293-DATA-int",
    /// The end of the stream is told when the FIN is seen, though text before it is missing.
    EndTooEarly "end-too-early" => "unexplained-9293-DATA-int",

    // What the application asks for.
    /// No segment carries PSH.
    NeverPushes "never-pushes" => "last_text_not_pushed",
    /// An active open sends no SYN.
    NeverOpens "never-opens" => "open_sends_no_syn",
    /// After the first octet, nothing more can be written.
    WritesOnce "writes-once" => "unexplained-9293-SEND",
    /// A close resets the connection.
    CloseResets "close-resets" => "close_resets",
    /// A close never resets the connection.
    CloseNeverResets "close-never-resets" => "unread_text_forgotten",
    /// A segment is filled as if options took no room.
    ForgetsOptions "forgets-options" => "segment_exceeds_the_peers_size",

    // Explicit congestion notification.
    /// Nobody who asks for it gets it.
    EcnIgnored "ecn-ignored" => "ecn_setup_unanswered",
    /// A SYN,ACK returns both bits of the SYN that asked for it.
    EcnReflected "ecn-reflected" => "ecn_setup_unanswered",
    /// A SYN,ACK agrees to it though the SYN did not ask.
    EcnUnasked "ecn-unasked" => "ecn_agreed_unasked",
    /// Acknowledgments report congestion that no packet was marked with.
    EcnEchoes "ecn-echoes" => "congestion_reported_unmarked",

    // Resets.
    /// Each attempt of a peer is answered with the same initial sequence number.
    IssStands "iss-stands" => "iss_does_not_advance",
    /// A RST is ignored while the receive window is zero.
    DeafAtZero "deaf-at-zero" => "reset_ignored_at_zero_window",
    /// A RST that holds text is ignored.
    NoTextInResets "no-text-in-resets" => "reset_with_text_ignored",
    /// After a RST the user is told that the stream is at its end.
    ResetIsTheEnd "reset-is-the-end" => "unexplained-9293-MUST-12",
    /// In SYN-SENT a SYN without ACK is ignored.
    IgnoresCrossingSyn "ignores-crossing-syn" => "crossing_syn_unanswered",
    /// After a RST in SYN-RECEIVED, nobody listens any more.
    StopsListening "stops-listening" => "listener_refuses",
    /// A RST at the end of held text ends the connection.
    ResetAtSackEdge "reset-at-sack-edge" => "reset_at_sack_edge_obeyed",
    /// A RST at the peer's FIN, not behind it, ends the connection.
    ResetAtFin "reset-at-fin" => "reset_at_own_fin_obeyed",
    /// In SYN-RECEIVED, a RST at the edge ends the attempt.
    ResetAtEdge "reset-at-edge" => "reset_at_the_edge_ends_the_handshake",
    /// A RST ends the connection wherever it lies.
    ResetAnywhere "reset-anywhere" => "reset_obeyed_anywhere",
    /// Text past the peer's FIN is answered with a RST.
    PastFinResets "past-fin-resets" => "text_past_the_fin_resets",
    /// A segment without ACK resets the connection.
    BareTextResets "bare-text-resets" => "resets_without_cause",
    /// A segment whose TSecr was never sent resets the connection.
    ForeignEchoResets "foreign-echo-resets" => "resets_without_cause",
    /// A RST is ignored.
    IgnoresReset "ignores-reset" => "reset_ignored",
    /// In FIN-WAIT-2 after close, a RST outside the window is answered.
    OrphanAnswersResets "orphan-answers-resets" => "orphaned_fin_wait_2_answers_a_reset",
    /// A RST outside the window is answered.
    AnswersResets "answers-resets" => "reset_outside_the_window_answered",
    /// A RST in the window is dropped.
    NeverChallengesResets "never-challenges-resets" => "reset_in_the_window_unchallenged",
    /// A SYN on a connection that stands is dropped.
    NeverChallengesSyns "never-challenges-syns" => "syn_unchallenged",
    /// An acknowledgment of what was never sent is dropped.
    NeverChallengesAcks "never-challenges-acks" => "acknowledgment_of_unsent_text_unanswered",
    /// Where there is no connection, an acknowledgment is sent.
    AcksWhenClosed "acks-when-closed" => "answers_without_a_connection",
    /// A RST that answers an acknowledgment has sequence number 0.
    ResetsAtZero "resets-at-zero" => "reset_stands_elsewhere",
    /// Where there is no connection, a RST is answered by a RST.
    AnswersResetsByResets "answers-resets-by-resets" => "reset_stands_elsewhere",
    /// Where there is no connection, nothing is answered.
    SilentWhenClosed "silent-when-closed" => "no_reset_without_a_connection",
    /// TIME-WAIT lasts for a second.
    ForgetsTimeWait "forgets-time-wait" => "time_wait_cut_short",

    // Packing.
    /// Small segments do not wait for what is in flight.
    NagleAbsent "nagle-absent" => "small_segments_in_flight",
    /// The Nagle algorithm stays on whatever the application says.
    NoDelayIgnored "no-delay-ignored" => "no_delay_ignored",
    /// Whatever the window has left is filled.
    FillsSillyWindows "fills-silly-windows" => "silly_windows_filled",
    /// Behind full segments, whatever the window has left is filled.
    FillsBehindOthers "fills-behind-others" => "silly_window_filled_behind_others",
    /// No segment holds more than 100 octets of text.
    SmallSegments "small-segments" => "segments_not_filled",
    /// The window follows each octet read.
    OpensInCrumbs "opens-in-crumbs" => "window_opened_in_crumbs",
    /// A segment that is not full is never sent.
    WaitsForMore "waits-for-more" => "text_held_back",

    // Patience.
    /// The timeout stays the same however often it expires.
    SteadyTimeouts "steady-timeouts" => "timeout_does_not_grow",
    /// So does the interval between probes.
    SteadyProbes "steady-probes" => "probes_do_not_slow_down",
    /// A window is probed as soon as it is shut.
    ProbesAtOnce "probes-at-once" => "probe_before_its_time",
    /// Something is sent again once, and never after that.
    StopsResending "stops-resending" => "nothing_sent_again",
    /// The SYN of an active open is sent once.
    SynOnce "syn-once" => "nothing_sent_again",
    /// The SYN of an active open is sent twice, then the attempt is given up.
    SynGivesUp "syn-gives-up" => "syn_given_up_early",
    /// The second timeout resets the connection.
    GivesUpEarly "gives-up-early" => "given_up_early",
    /// The third probe resets the connection.
    GivesUpProbing "gives-up-probing" => "shut_window_resets",
    /// A timeout while something lies past a window that shrank resets the connection.
    ShrinkResets "shrink-resets" => "shrunk_window_resets",
    /// Nothing is sent again while something lies past a window that shrank.
    ShrunkForgets "shrunk-forgets" => "nothing_sent_again",

    // Keep-alive.
    /// After a minute of silence a keep-alive is sent, asked for or not.
    KeepAliveUnasked "keep-alive-unasked" => "keep_alive_unasked",
    /// By default a keep-alive is sent after a minute.
    KeepAliveSoon "keep-alive-soon" => "keep_alive_interval_too_short",
    /// Keep-alives are sent by the clock.
    KeepAliveByTheClock "keep-alive-by-the-clock" => "keep_alive_on_a_busy_connection",
    /// No keep-alive is sent.
    KeepAliveNever "keep-alive-never" => "keep_alive_never_sent",
    /// The interval that the application sets means nothing.
    KeepIdleIgnored "keep-idle-ignored" => "keep_alive_interval_ignored",
    /// A keep-alive sends the last octet again.
    KeepAliveText "keep-alive-text" => "keep_alive_holds_text",
    /// One keep-alive without an answer resets the connection.
    KeepAliveOnce "keep-alive-once" => "keep_alive_unanswered_resets",
    /// The user timeout means nothing.
    UserTimeoutIgnored "user-timeout-ignored" => "user_timeout_ignored",

    // What the network says.
    /// A source quench ends the connection.
    QuenchEnds "quench-ends" => "source_quench_ends_the_connection",
    /// A soft ICMP error ends the connection.
    SoftErrorEnds "soft-error-ends" => "soft_icmp_error_ends_the_connection",
    /// A hard ICMP error ends nothing.
    HardErrorSurvived "hard-error-survived" => "hard_icmp_error_survived",
    /// A hard ICMP error about another connection ends this one.
    ForeignErrorEnds "foreign-error-ends" => "icmp_error_of_another_connection_obeyed",

    // What is asked of the IP layer.
    /// The differentiated services field is zero whatever the application sets.
    ClassIgnored "class-ignored" => "traffic_class_ignored",
    /// Only the precedence bits of the differentiated services field are sent.
    ClassAltered "class-altered" => "traffic_class_altered",
    /// The differentiated services field is that of the connection's first segment.
    ClassFixed "class-fixed" => "traffic_class_change_ignored",
    /// The time to live is 64 whatever the application sets.
    HopsIgnored "hops-ignored" => "time_to_live_ignored",
    /// A SYN from a group address is answered.
    TakesFromGroups "takes-from-groups" => "segment_from_a_group_address_taken",
    /// A SYN to a group address is answered.
    TakesToGroups "takes-to-groups" => "segment_to_a_group_address_taken",
    /// An open to a group address is not refused.
    ConnectsToGroups "connects-to-groups" => "unexplained-9293-MUST-46",
    /// The SYN of an active open has another source than the application has chosen.
    BindIgnored "bind-ignored" => "chosen_address_ignored",
    /// What follows the SYN has another source.
    AddressChanges "address-changes" => "address_changes",
    /// A passive open takes the place of the connection there is on the port.
    ListenForgets "listen-forgets" => "passive_open_forgets_the_connection",
    /// A port cannot be listened on while a connection on it is being opened.
    ListenRefused "listen-refused" => "unexplained-9293-MUST-42",
    /// Segments in datagrams with an IP option are dropped.
    RefusesIpOptions "refuses-ip-options" => "segment_with_an_ip_option_dropped",

    // The wire form.
    /// Acknowledgments without text go out with a wrong checksum.
    SpoilsChecksums "spoils-checksums" => "checksum_wrong",
    /// No checksum is looked at.
    TrustsChecksums "trusts-checksums" => "damaged_segment_taken",
    /// An end-of-list is passed over like a no-operation.
    ReadsPastTheEnd "reads-past-the-end" => "options_read_past_their_end",
    /// Text is refused whose segment carries options for a SYN, or unknown ones.
    RefusesOptions "refuses-options" => "text_with_other_options_refused",
    /// An option of unknown kind ends the list.
    StopsAtUnknown "stops-at-unknown" => "options_behind_an_unknown_one_unread",
    /// An option of impossible length is read for ever.
    ReadsForEver "reads-for-ever" => "stops_at_an_impossible_length",
    /// Timestamps are read only two octets into a word.
    AlignedOnly "aligned-only" => "timestamps_read_only_where_aligned",
    /// Each acknowledgment without text announces a segment size.
    SizeEverywhere "size-everywhere" => "size_announced_outside_of_a_syn",
    /// The segment size announced takes no account of headers.
    SizeOfTheLink "size-of-the-link" => "size_announced_exceeds_the_path",
    /// No segment size is announced.
    NoSize "no-size" => "no_size_announced",
    /// A segment size below the default is not heeded.
    SizeUnheeded "size-unheeded" => "announced_size_ignored",
    /// A SYN cookie makes 536 of each smaller segment size.
    CookieRoundsUp "cookie-rounds-up" => "syn_cookie_rounds_the_size_up",
    /// Without an announced segment size, that of Ethernet is assumed.
    EthernetAssumed "ethernet-assumed" => "default_size_too_large",
    /// The options of a SYN end in one of an octet, which is neither end-of-list nor no-operation.
    OptionWithoutLength "option-without-length" => "option_without_a_length",
    /// The padding of acknowledgments without text is what was in memory.
    DirtyPadding "dirty-padding" => "padding_is_not_zero",
    /// Acknowledgments without text carry their timestamps twice.
    StampsTwice "stamps-twice" => "timestamps_twice",

    // What the stack says of itself.
    /// The reported window is the buffer's size.
    ReportsBuffer "reports-buffer" => "reported_window_exceeds_the_wire",
    /// The reported clamp is the buffer's size.
    ReportsClamp "reports-clamp" => "window_clamp_exceeds_the_wire",
}

impl Plant {
    /// The plant of this name.
    pub fn named(name: &str) -> Option<Plant> {
        let card = PLANTS.iter().find(|card| card.name == name);
        card.map(|card| card.plant)
    }

    /// What is to be known of it.
    pub fn card(self) -> &'static PlantCard {
        &PLANTS[self as usize]
    }

    /// Makes of `config` an end on which the bug bears; a stack that has it is as its other choices let it be.
    pub fn suit(self, config: &mut Config) {
        match self {
            Plant::LatestWindowOnly => config.choices.rounds_down = true,
            Plant::TakesUnstamped
            | Plant::UnstampedResets
            | Plant::RefusesSynEcho
            | Plant::BareAborts
            | Plant::BareAnswers
            | Plant::TimesDuplicates => config.offer.timestamps = true,
            Plant::TimesRepeats => config.offer.timestamps = false,
            Plant::GoesBackwards => config.choices.notes_timestamps_first = false,
            Plant::RcvNxtForLastAck => config.acks = AckPolicy::Timer,
            Plant::PastTheEdge => config.buffer = config.buffer.min(30_000),
            Plant::PrivateWindow
            | Plant::TimeWaitTruncates
            | Plant::ReportsBuffer
            | Plant::ReportsClamp => {
                config.buffer = 200_000;
                config.offer.window_scale = None;
            }
            Plant::FinFillsWindow => config.choices.lone_fin = false,
            Plant::NagleAbsent => config.nagle = false,
            // Only a timer that takes longer than text may be held back.
            Plant::HoldsBack => config.retransmission_timeout = Some(3_000_000),
            Plant::ShiftsUnasked => config.offer.window_scale = None,
            Plant::HugeShiftAnnounced => config.offer.window_scale = Some(15),
            // What is refused tells it from a window that is taken back.
            Plant::WindowUnshifted => config.buffer = 1_000,
            Plant::SackBridges
            | Plant::SackTooLong
            | Plant::SackPastTheEdge
            | Plant::SackStale
            | Plant::SackOldestFirst
            | Plant::SackNowAndThen
            | Plant::SackOnlyOne
            | Plant::SackInPieces => config.offer.sack = true,
            Plant::SackForgetsLatest => {
                config.offer.sack = true;
                config.offer.timestamps = true;
                config.choices.reports_duplicates = false;
                config.choices.patient_out_of_order = false;
            }
            Plant::DuplicateForEver => {
                config.offer.sack = true;
                config.choices.reports_duplicates = true;
            }
            _ => {}
        }
    }
}

impl Endpoint {
    /// Whether this endpoint has the bug.
    pub(crate) fn plants(&self, plant: Plant) -> bool {
        self.config.plant == Some(plant)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique_and_find_their_plant() {
        let names: BTreeSet<_> = PLANTS.iter().map(|card| card.name).collect();
        assert_eq!(names.len(), PLANTS.len());
        for card in PLANTS {
            assert_eq!(Plant::named(card.name), Some(card.plant));
            assert_eq!(card.plant.card().name, card.name);
        }
    }
}
