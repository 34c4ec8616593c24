//! The judge asks for no memory while a conversation goes on.

mod notation;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use ackward_model::Trace;
use ackward_oracle::{NoCoverage, Verdict};
use notation::{long_conversation, permitting};

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, and how often this thread asked it for memory.
struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

// SAFETY: the system's allocator does all of it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: as the caller promised.
        unsafe { System.alloc(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: as the caller promised.
        unsafe { System.realloc(memory, layout, size) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as the caller promised.
        unsafe { System.dealloc(memory, layout) }
    }
}

fn count() {
    // A thread that ends counts no more.
    let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
}

/// How often the judge asks for memory on its second pass over `trace`.
fn allocations(trace: &Trace) -> usize {
    let mut judge = permitting(&[]);
    let mut counts = [0; 2];
    for count in &mut counts {
        let before = ALLOCATIONS.get();
        let verdict = judge.judge(trace, &mut NoCoverage);
        *count = ALLOCATIONS.get() - before;
        assert!(matches!(verdict, Verdict::Conforms), "{verdict:#?}");
    }
    counts[1]
}

#[test]
fn an_event_costs_no_allocation_in_steady_state() {
    for hypotheses in [1, 8] {
        let [short, long] =
            [100, 2_000].map(|segments| long_conversation(segments, hypotheses, true));
        let per_trace = allocations(&short);
        assert_eq!(allocations(&long), per_trace, "{hypotheses} hypotheses");
    }
}

#[test]
fn text_that_nobody_reads_is_remembered_in_a_list_that_doubles() {
    let [short, long] = [128, 2_048].map(|segments| long_conversation(segments, 1, false));
    assert!(allocations(&long) <= allocations(&short) + 4);
}
