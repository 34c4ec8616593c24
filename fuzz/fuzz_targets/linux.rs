//! The running kernel under libFuzzer: cargo +stable fuzz run -s none linux
#![no_main]

use std::cell::{RefCell, UnsafeCell};

use ackward::glue::Glue;
use ackward_oracle::{Coverage, Known, Profile};
use ackward_stacks::{LinuxOptions, linux};

/// What guides libFuzzer beside edges, since the kernel cannot be instrumented. It zeroes and reads them each run.
struct Counters(UnsafeCell<[u8; 4096]>);
// SAFETY: libFuzzer runs one case at a time, on one thread.
unsafe impl Sync for Counters {}
#[unsafe(link_section = "__libfuzzer_extra_counters")]
#[used]
static COUNTERS: Counters = Counters(UnsafeCell::new([0; 4096]));

struct Extra;
impl Coverage for Extra {
    fn hit(&mut self, feature: u32) {
        // SAFETY: as above; nobody else holds a reference.
        let counters = unsafe { &mut *COUNTERS.0.get() };
        let counter = &mut counters[(feature ^ feature >> 16) as usize % 4096];
        *counter = counter.saturating_add(1);
    }
}

thread_local!(static GLUE: RefCell<Glue> = RefCell::new({
    let host = linux(&LinuxOptions::default()).expect("the kernel can be tested here");
    let profile = Profile::named("linux").expect("it is built in");
    let known = include_str!("../../oracle/known/linux.toml");
    let known = Known::parse(known).expect("the known list is one");
    let findings = std::env::var_os("ACKWARD_FINDINGS").unwrap_or("findings".into());
    Glue::new(host, &profile, known, findings.as_ref())
}));
libfuzzer_sys::fuzz_target!(
    |octets: &[u8]| GLUE.with_borrow_mut(|glue| glue.run(octets, &mut Extra))
);
