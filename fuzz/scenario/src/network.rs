//! What is in flight between the stack and the peer, in either direction, oldest first.

use ackward_endpoint::Outline;

/// The two queues of a network that delays, repeats, reorders and loses, as it is told.
#[derive(Clone, Default, Debug)]
pub(crate) struct Network {
    pub(crate) to_stack: Vec<Outline>,
    /// Numbers of the stack's emissions, with the place of each in the trace.
    pub(crate) to_peer: Vec<(usize, usize)>,
}

/// The `nth` of a queue, modulo its length.
pub(crate) fn nth<T: Copy>(queue: &[T], nth: u8) -> Option<T> {
    place(queue, nth).map(|place| queue[place])
}

/// Takes the `nth` out of a queue, modulo its length.
pub(crate) fn take<T>(queue: &mut Vec<T>, nth: u8) -> Option<T> {
    place(queue, nth).map(|place| queue.remove(place))
}

fn place<T>(queue: &[T], nth: u8) -> Option<usize> {
    usize::from(nth).checked_rem(queue.len())
}
