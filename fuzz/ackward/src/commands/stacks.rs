//! `ackward stacks`: what can run here, and why not.

use super::Ending;
use super::failure::Failure;

pub(super) fn run() -> Result<Ending, Failure> {
    for stack in ackward_stacks::stacks() {
        let link = stack.link.map(|link| link.to_string()).unwrap_or_default();
        match stack.problem {
            None => println!("{:<10} {link:<6} can run here", stack.name),
            Some(problem) => println!("{:<10} {link:<6} cannot run here: {problem}", stack.name),
        }
    }
    Ok(Ending::Conforms)
}
