//! What a script of packetdrill says of a stack, once it has run.

pub mod python;
