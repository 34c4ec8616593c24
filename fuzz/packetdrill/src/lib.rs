//! The packetdrill dialect: its syntax tree, its parser and printer, and the export of a finding to a script that shows it.
//! Pure: no clock, file, socket or environment. Same finding, same script.
#![forbid(unsafe_code)]

pub mod ast;
pub mod export;
mod parse;
mod print;

pub use ast::{
    Action, Event, Expression, Item, Packet, PacketOption, PacketOptions, Script, SystemCall,
    SystemResult, Time,
};
pub use export::{Expect, Export, ExportError, Header, OptionKind, Style, Subject, export};
pub use parse::{ParseError, Parsed, parse};
pub use print::wrapped;
