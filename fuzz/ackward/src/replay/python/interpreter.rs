//! What a real Python makes of the blocks of a script, within a time.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::{Block, Outcome, Snapshot};

/// Runs all blocks in one process of `interpreter`, which is gone when this returns.
pub(super) fn run(interpreter: &Path, blocks: &[Block], limit: Duration) -> io::Result<Outcome> {
    let deadline = Instant::now() + limit;
    let mut child = Command::new(interpreter)
        // Neither the environment nor the working directory has a say in what a script finds.
        .args(["-I", "-X", "utf8", "-c", PROGRAM])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        // Ctrl-C is for the one who waits here, and is no failure of the block that runs.
        .process_group(0)
        .spawn()?;
    let answers = converse(&mut child, blocks);
    let mut at = 0;
    let ended = loop {
        match answers.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(Answer::Begun(index)) => at = index,
            Ok(Answer::Ended { failed, printed }) => break (failed, printed),
            Err(mpsc::RecvTimeoutError::Timeout) => {
                let message = format!("it had not ended after {} s", limit.as_secs_f64());
                break (Some(message), String::new());
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                let message = format!("{} ended and gave no answer", interpreter.display());
                break (Some(message), String::new());
            }
        }
    };
    // It may have ended by itself, or may wait for something that the script began.
    let _ = child.kill();
    child.wait()?;
    let line = blocks.get(at).map_or(0, |block| block.line);
    Ok(match ended {
        (None, printed) => Outcome::Held { printed },
        (Some(message), printed) => Outcome::Failed {
            line,
            message,
            printed,
        },
    })
}

/// Tells the process the blocks, and passes on what it answers.
/// Both go on beside the one who waits, since the process may neither read nor write, and end with it at the latest.
fn converse(child: &mut Child, blocks: &[Block]) -> Receiver<Answer> {
    let tasks: Vec<_> = blocks
        .iter()
        .map(|block| Task {
            code: block.trimmed(),
            names: &block.snapshot,
        })
        .collect();
    let tasks = serde_json::to_vec(&tasks).unwrap_or_default();
    if let Some(mut input) = child.stdin.take() {
        // One that does not listen does not answer either.
        thread::spawn(move || input.write_all(&tasks));
    }
    let (sender, answers) = mpsc::channel();
    if let Some(output) = child.stdout.take() {
        thread::spawn(move || {
            for line in BufReader::new(output.take(LONGEST_ANSWER)).lines() {
                let answer = line.ok().and_then(|line| serde_json::from_str(&line).ok());
                let Some(true) = answer.map(|answer| sender.send(answer).is_ok()) else {
                    return;
                };
            }
        });
    }
    answers
}

/// What the process is to run.
#[derive(Serialize)]
struct Task<'a> {
    code: &'a str,
    names: &'a Snapshot,
}

/// A line that the process writes.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Answer {
    /// It begins with this block.
    Begun(usize),
    /// It has ended.
    Ended {
        /// With this exception.
        failed: Option<String>,
        /// What the blocks printed.
        printed: String,
    },
}

const PROGRAM: &str = include_str!("interpreter.py");

/// More octets are not read.
const LONGEST_ANSWER: u64 = 1 << 24;

#[cfg(test)]
mod tests {
    use super::super::tests::{PYTHON, block, python_is_here};
    use super::*;

    const LIMIT: Duration = Duration::from_secs(20);

    fn run_one(code: &str, limit: Duration) -> Option<Outcome> {
        run(
            Path::new(PYTHON),
            &[block(3, "a = 1"), block(7, code)],
            limit,
        )
        .ok()
    }

    #[test]
    fn a_block_that_does_not_end_fails_at_its_line() {
        if !python_is_here() {
            return;
        }
        let begun = Instant::now();
        let outcome = run_one("while True: pass", Duration::from_secs(2));
        let message = "it had not ended after 2 s".to_owned();
        assert!(
            matches!(&outcome, Some(Outcome::Failed { line: 7, message: said, .. }) if *said == message),
            "{outcome:?}"
        );
        assert!(begun.elapsed() < LIMIT);
    }

    #[test]
    fn no_process_is_left_behind() {
        if !python_is_here() {
            return;
        }
        let begun = Instant::now();
        // The thread would keep the process for longer than the test may take.
        let code = "import os, threading, time\n\
            threading.Thread(target=time.sleep, args=(60,)).start()\n\
            assert False, os.getpid()";
        let outcome = run_one(code, LIMIT);
        let Some(Outcome::Failed { message, .. }) = outcome else {
            unreachable!("{outcome:?}");
        };
        let process = message.trim_start_matches("AssertionError: ");
        assert!(process.parse::<u32>().is_ok(), "{message}");
        assert!(!Path::new("/proc").join(process).exists());
        assert!(begun.elapsed() < LIMIT);
    }

    #[test]
    fn what_ends_without_an_answer_has_failed() {
        let silent = run(Path::new("/bin/true"), &[block(3, "")], LIMIT);
        assert!(
            matches!(silent, Ok(Outcome::Failed { line: 3, .. })),
            "{silent:?}"
        );
        assert!(run(Path::new("/no/such/python"), &[block(3, "")], LIMIT).is_err());
        if python_is_here() {
            let left = run_one("import os; os._exit(0)", LIMIT);
            assert!(
                matches!(left, Some(Outcome::Failed { line: 7, .. })),
                "{left:?}"
            );
        }
    }

    #[test]
    fn nothing_that_a_block_writes_is_taken_for_an_answer() {
        if !python_is_here() {
            return;
        }
        let code = "import os; os.system('echo no answer'); print('printed'); sys.exit()";
        let printed = "printed\n".to_owned();
        assert_eq!(run_one(code, LIMIT), Some(Outcome::Held { printed }));
        let endless = "for _ in range(100_000): print('aaaaaaaaaa')";
        let Some(Outcome::Held { printed }) = run_one(endless, LIMIT) else {
            unreachable!()
        };
        assert_eq!(printed.len(), 1 << 16);
    }
}
