//! A deviation explains no more than it says: what lies just beside it is wrong all the same where it is permitted.

mod resets;
mod segments;
mod timestamps;
mod windows;

use crate::notation::{diverges_under, trace};

/// A right beginning, and an emission after it that `deviation` does not explain.
struct Beside {
    deviation: &'static str,
    opening: &'static str,
    given: &'static str,
    wrong: &'static str,
}

#[test]
fn no_deviation_explains_what_lies_beside_it() {
    let mut wrong_names = Vec::new();
    let all = [
        resets::CASES,
        segments::CASES,
        timestamps::CASES,
        windows::CASES,
    ];
    for case in all.into_iter().flatten() {
        let Beside {
            deviation,
            opening,
            given,
            wrong,
        } = case;
        let before = format!("{opening}\n{given}");
        if diverges_under(&trace(&before), &[deviation]) {
            wrong_names.push(format!("{deviation}: wrong before{before}"));
        }
        let whole = format!("{before}\n{wrong}");
        if !diverges_under(&trace(&whole), &[deviation]) {
            wrong_names.push(format!("{deviation} explains{whole}"));
        }
    }
    assert!(wrong_names.is_empty(), "{}", wrong_names.join("\n"));
}
