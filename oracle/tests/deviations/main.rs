//! Every deviation is recognised by its own name in a transcript that shows it, and right behaviour in the same
//! situation is silent.

mod beside;
#[path = "../notation/mod.rs"]
mod notation;
mod patience;
mod requests;
mod resets;
mod segments;
mod sending;
mod timestamps;
mod windows;
mod wire;

use std::collections::BTreeSet;

use notation::{divergences, diverges_under, roots};

/// An opening: `SYN` options of both sides with timestamps, 17 octets sent by the stack, nothing acknowledged.
const OPEN: &str = "
    < S 0:0(0) win 20000 <mss 1000,sackOK,TS 100/0>
    > S. 0:0(0) ack 1 win 65160 <mss 1460,sackOK,TS 700/100>
    < . 1:1(0) ack 1 win 20000 <TS 110/700>
    accept
    write 17
    > P. 1:18(17) ack 1 win 65160 <TS 701/110>
";

/// Without timestamps, SACK or scaling.
const PLAIN: &str = "
    < S 0:0(0) win 20000 <mss 1000>
    > S. 0:0(0) ack 1 win 64240 <mss 1460>
    < . 1:1(0) ack 1 win 20000
    accept
";

/// The same, with a peer that takes large segments.
const LARGE: &str = "
    < S 0:0(0) win 20000 <mss 40000>
    > S. 0:0(0) ack 1 win 64240 <mss 1460>
    < . 1:1(0) ack 1 win 20000
    accept
";

/// A peer whose window of 17 octets is full while the stack has 13 more to send; the peer has sent 10.
const SMALL_PEER: &str = "
    < S 0:0(0) win 17 <mss 1000>
    > S. 0:0(0) ack 1 win 64240 <mss 1460>
    < . 1:1(0) ack 1 win 17
    accept
    write 30
    > P. 1:18(17) ack 1 win 64240
    < P. 1:11(10) ack 1 win 17
    > . 18:18(0) ack 11 win 64230
";

/// The SYN,ACK holds a cookie.
const COOKIE: &str = "
    syncookies
    < S 0:0(0) win 20000 <mss 200>
    > S. 0:0(0) ack 1 win 64240 <mss 1460>
    < . 1:1(0) ack 1 win 20000
    accept
";

/// A scenario with what a deviating and what a right stack makes of it.
struct Case {
    root: &'static str,
    opening: &'static str,
    given: &'static str,
    wrong: &'static str,
    right: &'static str,
}

/// Every transcript there is.
fn cases() -> impl Iterator<Item = &'static Case> {
    let all = [
        timestamps::CASES,
        windows::CASES,
        segments::CASES,
        resets::CASES,
        sending::CASES,
        wire::CASES,
        requests::CASES,
        patience::CASES,
    ];
    all.into_iter().flatten()
}

#[test]
fn each_deviation_is_named_and_right_behaviour_is_silent() {
    let mut wrong_names = Vec::new();
    for case in cases() {
        let Case {
            root,
            opening,
            given,
            wrong,
            right,
        } = case;
        let silent = roots("rfc", &format!("{opening}\n{given}\n{right}"));
        let named = divergences("rfc", &format!("{opening}\n{given}\n{wrong}"));
        let named: Vec<_> = (named.iter().map(|cause| (cause.root(), cause.rule.id))).collect();
        let departs_from = ackward_oracle::rules::deviation(root).map_or("", |root| root.rule);
        if !silent.is_empty() || named != [((*root).to_owned(), departs_from)] {
            wrong_names.push(format!("{root}: right {silent:?}, wrong {named:?}"));
        }
    }
    assert!(wrong_names.is_empty(), "{}", wrong_names.join("\n"));
}

/// Every branch of the RFC and of a deviation stays when another deviation comes into force.
#[test]
fn a_further_deviation_makes_no_transcript_diverge() {
    let mut broken = Vec::new();
    for Case {
        root,
        opening,
        given,
        wrong,
        right,
    } in cases()
    {
        let [wrong, right] =
            [wrong, right].map(|last| notation::trace(&format!("{opening}\n{given}\n{last}")));
        for deviation in ackward_oracle::rules::deviations() {
            let further = deviation.name;
            for names in [vec![*root, further], vec![further, *root]] {
                if diverges_under(&wrong, &names) {
                    broken.push(format!("{root}, wrong, under {names:?}"));
                }
            }
            if diverges_under(&right, &[further]) {
                broken.push(format!("{root}, right, under {further}"));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn no_deviation_is_without_a_transcript() {
    let shown: BTreeSet<_> = cases().map(|case| case.root).collect();
    for deviation in ackward_oracle::rules::deviations() {
        assert!(
            shown.contains(deviation.name),
            "{} has no transcript",
            deviation.name
        );
    }
}
