//! Position-coded text: an octet tells its stream offset and which copy of it was sent.
//! Serves RFC 9293 section 3.10.7.4 (what is delivered must be what was accepted).

/// Which copy of the peer's text a segment carries. Two segments over the same offsets carry different octets
/// exactly when their copies differ.
pub type Copy = u8;

/// The octet at stream `offset` (0 is the first octet after the SYN) in copy `copy` of the peer's text.
pub fn peer_octet(offset: u32, copy: Copy) -> u8 {
    position(offset) ^ copy
}

/// Which copy an octet read at stream `offset` came from.
pub fn copy_of(offset: u32, octet: u8) -> Copy {
    position(offset) ^ octet
}

/// The octet at stream `offset` of what the stack's application writes.
pub fn stack_octet(offset: u32) -> u8 {
    position(offset ^ 0x5555_0000)
}

/// Whether `octets` are what the stack's application writes from stream `offset` on.
pub fn is_stack_text(offset: u32, octets: &[u8]) -> bool {
    // Without a branch an octet, so that many are compared at once.
    let differences = (offset..)
        .zip(octets)
        .fold(0, |differences, (offset, octet)| {
            differences | (stack_octet(offset) ^ octet)
        });
    differences == 0
}

/// `len` octets of the peer's text from stream `offset` on.
pub fn peer_text(offset: u32, len: u32, copy: Copy) -> Vec<u8> {
    (0..len)
        .map(|i| peer_octet(offset.wrapping_add(i), copy))
        .collect()
}

/// `len` octets of what the stack's application writes from stream `offset` on.
pub fn stack_text(offset: u32, len: u32) -> Vec<u8> {
    (0..len)
        .map(|i| stack_octet(offset.wrapping_add(i)))
        .collect()
}

fn position(offset: u32) -> u8 {
    (offset.wrapping_mul(0x9E37_79B1) >> 24) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    quickcheck! {
        fn an_octet_names_its_copy(offset: u32, copy: u8) -> bool {
            copy_of(offset, peer_octet(offset, copy)) == copy
        }
    }

    #[test]
    fn one_wrong_octet_is_noticed() {
        let mut text = stack_text(77, 1460);
        assert!(is_stack_text(77, &text) && !is_stack_text(78, &text));
        text[1459] ^= 1;
        assert!(!is_stack_text(77, &text));
    }

    #[test]
    fn neighbouring_offsets_differ() {
        assert!((0..10_000).all(|offset| stack_octet(offset) != stack_octet(offset + 1)));
    }
}
