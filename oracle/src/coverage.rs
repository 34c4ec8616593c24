//! Where a trace has been: features that guide a search on a stack that cannot be instrumented.

/// Takes note of features as the judge meets them.
pub trait Coverage {
    /// `feature` is a hash of what was met: state, acceptability, timestamp relation, window relation, outcome.
    fn hit(&mut self, feature: u32);
}

/// Takes note of nothing.
#[derive(Clone, Copy, Debug)]
pub struct NoCoverage;

impl Coverage for NoCoverage {
    fn hit(&mut self, _feature: u32) {}
}
