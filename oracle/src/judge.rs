//! Judges a trace: is every event allowed, and if not, what single cause explains it.
//! RFC 9293 section 3.10.7 and RFC 7323, through the reference.

use ackward_model::Trace;

use crate::{Coverage, Profile, Verdict};

/// Judges traces of one stack. Keeps its working memory from trace to trace.
#[derive(Debug)]
pub struct Judge {
    _profile: Profile,
}

impl Judge {
    /// A judge under `profile`.
    pub fn new(profile: &Profile) -> Judge {
        Judge {
            _profile: profile.clone(),
        }
    }

    /// The verdict on `trace`.
    pub fn judge(&mut self, _trace: &Trace, _coverage: &mut dyn Coverage) -> Verdict {
        Verdict::Conforms
    }

    /// Whether, in the trace judged last, an answer was due and had not come, but too little time had passed to call
    /// it missing. The same case run again with a wait of 600 ms before its reveal can be judged.
    pub fn suspects_silence(&self) -> bool {
        false
    }
}
