//! The rules, one file each, and the one list of them.

use crate::{Deviation, RuleCard};

/// Every rule, in the order in which the first failing one names an unexplained divergence.
pub fn cards() -> &'static [&'static RuleCard] {
    &[]
}

/// Every deviation, in the order in which a diagnosis tries them.
pub fn deviations() -> &'static [&'static Deviation] {
    &[]
}
