//! The command `ackward`: everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    ackward::commands::run()
}
