//! A stack in which nothing is wrong is never found to be wrong. `ci/kill-rate` puts mechanical mutants in its place.

use ackward::selftest::first_divergence;
use ackward_oracle::Profile;
use ackward_stacks::Stack;

/// What a mechanical mutant of the endpoint has to survive.
const CASES: u64 = 2_000;

#[test]
fn a_stack_without_a_bug_never_diverges() {
    let rfc = Profile::named("rfc").expect("it is built in");
    let found = first_divergence(Stack::Mutant(None), 1, CASES, &rfc);
    assert_eq!(found.expect("it is in process"), None);
}
