//! Whether what is evaluated here is what Python would say.

use std::fs;
use std::process::{Command, Stdio};

use ackward_packetdrill::{Action, Parsed, parse};

use super::*;

pub(super) const PYTHON: &str = "python3";

pub(super) fn python_is_here() -> bool {
    let mut version = Command::new(PYTHON);
    let version = version.arg("--version").stdout(Stdio::null()).status();
    version.is_ok_and(|status| status.success())
}

pub(super) fn block(line: u32, code: &str) -> Block {
    let mut snapshot = Snapshot::default();
    snapshot.insert("tcpi_snd_cwnd", 10);
    snapshot.insert("tcpi_pacing_rate", u64::MAX);
    snapshot.insert("tcpi_options", 0b10_0110);
    Block {
        code: code.to_owned(),
        line,
        snapshot,
    }
}

/// What a script of these blocks comes to, one on each line.
fn outcome(codes: &[&str], interpreter: Option<&Path>) -> Outcome {
    let blocks: Vec<_> = (1..)
        .zip(codes)
        .map(|(line, code)| block(line, code))
        .collect();
    run(&blocks, interpreter)
}

fn held(printed: &str) -> Outcome {
    Outcome::Held {
        printed: printed.to_owned(),
    }
}

fn failed(line: u32, message: &str) -> Outcome {
    Outcome::Failed {
        line,
        message: message.to_owned(),
        printed: String::new(),
    }
}

#[test]
fn an_assertion_fails_at_its_block_with_its_message() {
    let scripts: [(&[&str], Outcome); 6] = [
        (&["assert tcpi_snd_cwnd == 10, tcpi_snd_cwnd"], held("")),
        (
            &["", "assert tcpi_snd_cwnd > 10"],
            failed(2, "AssertionError"),
        ),
        (
            &["assert 5 <= tcpi_snd_cwnd <= 9, 'cwnd=%d' % tcpi_snd_cwnd"],
            failed(1, "AssertionError: cwnd=10"),
        ),
        (
            &["assert (tcpi_options & TCPI_OPT_SYN_DATA) == 0, tcpi_options"],
            failed(1, "AssertionError: 38"),
        ),
        (
            &["pass", "assert tcpi_rtt < 9"],
            failed(2, "NameError: name 'tcpi_rtt' is not defined"),
        ),
        (&["x += 1"], failed(1, "NameError: name 'x' is not defined")),
    ];
    for (codes, expected) in scripts {
        assert_eq!(outcome(codes, None), expected, "{codes:?}");
    }
}

#[test]
fn blocks_share_variables_and_each_finds_its_own_snapshot() {
    let codes = [
        "cwnd = tcpi_snd_cwnd; TCP_CA_Loss = 7; tcpi_snd_cwnd += 3",
        "cwnd += 10; print(cwnd)",
        "print(tcpi_snd_cwnd, TCP_CA_Loss); assert cwnd == 20",
    ];
    assert_eq!(outcome(&codes, None), held("20\n10 4\n"));
}

#[test]
fn one_block_beyond_what_is_known_here_sends_all_to_python() {
    let codes = ["a = [1]; print(a)", "assert a == [2], a"];
    assert_eq!(outcome(&codes, None), Outcome::NeedsPython { line: 1 });
    assert_eq!(
        outcome(&["a = 1", "b = len(a)"], None),
        Outcome::NeedsPython { line: 2 }
    );
    let nowhere = Path::new("/no/such/python");
    assert_eq!(
        outcome(&codes, Some(nowhere)),
        Outcome::NeedsPython { line: 1 }
    );
    if python_is_here() {
        let expected = Outcome::Failed {
            line: 2,
            message: "AssertionError: [1]".to_owned(),
            printed: "[1]\n".to_owned(),
        };
        assert_eq!(outcome(&codes, Some(Path::new(PYTHON))), expected);
        // What no number here can hold.
        let big = outcome(
            &["a = tcpi_pacing_rate ** 2", "print(a)"],
            Some(Path::new(PYTHON)),
        );
        assert_eq!(big, held("340282366920938463426481119284349108225\n"));
    }
}

#[test]
fn python_says_the_same() {
    if !python_is_here() {
        return;
    }
    for codes in NATIVE {
        agree(codes);
    }
}

#[test]
fn a_mistake_is_found_by_python_before_any_block_is_run() {
    if !python_is_here() {
        return;
    }
    for mistake in MISTAKES {
        let codes = ["assert False", *mistake];
        assert_eq!(
            outcome(&codes, None),
            Outcome::NeedsPython { line: 2 },
            "{mistake}"
        );
        let found = outcome(&codes, Some(Path::new(PYTHON)));
        assert!(
            matches!(&found, Outcome::Failed { line: 2, message, .. } if message.contains("Error")),
            "{mistake}: {found:?}"
        );
    }
}

#[test]
fn hostile_code_neither_overflows_nor_lasts() {
    let hostile = [
        "(".repeat(100_000),
        format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000)),
        format!("a = {}1", "-".repeat(100_000)),
        format!("a = {}1", "not ".repeat(100_000)),
        format!("a = 1{}", " ** 1".repeat(100_000)),
        format!("a = 1{}", " + 1".repeat(100_000)),
        format!("a = 1{}", " < 1".repeat(100_000)),
        format!("a = 1{}", " and 1".repeat(100_000)),
        format!("{}1{}", "print(".repeat(100_000), ")".repeat(100_000)),
        format!("print({})", "1, ".repeat(100_000)),
        format!("a = 'aaaa'{}", "; a += a".repeat(100)),
        format!("a = 7{}", "; a *= a".repeat(100)),
        format!(
            "a = '{}'{}",
            "a".repeat(60_000),
            "; print(a)".repeat(10_000)
        ),
        "a = 2 ** 10 ** 10 ** 10".to_owned(),
        "a = 1 << 10 ** 30".to_owned(),
        "'%".to_owned(),
        "a = '%' % 1".to_owned(),
        "\\".to_owned(),
    ];
    for code in hostile {
        let start: String = code.chars().take(20).collect();
        let outcome = outcome(&[&code], None);
        assert_eq!(outcome, Outcome::NeedsPython { line: 1 }, "{start}");
    }
    // As much as is read.
    let nested = format!("{}1{}", "(".repeat(50), ")".repeat(50));
    let code = format!("{nested}{}", " + 1".repeat(450));
    assert_eq!(
        outcome(&[&format!("print({code})")], None),
        Outcome::NeedsPython { line: 1 }
    );
    assert_eq!(
        outcome(&[&format!("a = {code}; print(a)")], None),
        held("451\n")
    );
}

/// Says how much of the public scripts is evaluated here, and lets Python check that.
#[test]
#[ignore = "needs a folder of scripts, named by ACKWARD_SCRIPTS"]
fn most_public_blocks_need_no_python() {
    let folder = std::env::var_os("ACKWARD_SCRIPTS").expect("ACKWARD_SCRIPTS names a folder");
    let mut codes = Vec::new();
    collect(Path::new(&folder), &mut codes);
    assert!(!codes.is_empty(), "no code");
    let all = codes.len();
    codes.retain(|code| {
        let native = statements(code).is_some();
        if !native {
            println!("{code}");
        }
        native
    });
    println!("{} of {all} blocks need no Python", codes.len());
    assert!(codes.len() * 100 >= all * 85);
    codes.sort();
    codes.dedup();
    if python_is_here() {
        for code in codes {
            // Each is looked at alone, since of a script only those up to the first that fails are run.
            agree_on(&[Block {
                code,
                line: 1,
                snapshot: Snapshot::of_tcp_info(&[0; 280]),
            }]);
        }
    }
}

/// Finds the code in all scripts under a folder.
fn collect(folder: &Path, codes: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, codes);
        } else if path.extension().is_some_and(|extension| extension == "pkt")
            && let Ok(text) = fs::read_to_string(&path)
            && let Ok(Parsed { script, .. }) = parse(&text)
        {
            codes.extend(script.events().filter_map(|event| match &event.action {
                Action::Code(code) => Some(code.clone()),
                _ => None,
            }));
        }
    }
}

fn agree(codes: &[&str]) {
    let blocks: Vec<_> = (1..)
        .zip(codes)
        .map(|(line, code)| block(line, code))
        .collect();
    agree_on(&blocks);
}

fn agree_on(blocks: &[Block]) {
    let here = natively(blocks).ok();
    let there = interpreter::run(Path::new(PYTHON), blocks, LIMIT).ok();
    let codes: Vec<_> = blocks.iter().map(|block| &block.code).collect();
    assert!(here.is_some(), "{codes:?}");
    assert_eq!(here, there, "{codes:?}");
}

/// Scripts that need no Python.
const NATIVE: &[&[&str]] = &[
    // Division and remainder of negative numbers.
    &["print(7 // 2, -7 // 2, 7 // -2, -7 // -2, 0 // -2, -8 // 2, True // 2)"],
    &["print(7 % 2, -7 % 2, 7 % -2, -7 % -2, 0 % -2, -8 % 2)"],
    &["print(7 / 2, -7 / 2, 8 / 2, 1 / 3, 2 / 3 * 3, 1e300 * 1e10, -1e300 * 1e10)"],
    // Precedence.
    &["print(2 + 3 * 4 ** 2 - -1, -2 ** 2, 2 ** 3 ** 2, (2 ** 3) ** 2, 2 ** +1, ~5, - - 5, -~5)"],
    &["print(1 | 6 & 3 ^ 1, 1 << 2 + 1, 256 >> 1 >> 2, -5 >> 1, -5 & 0xff, -1 ^ 5, 5 >> 500)"],
    &["print(1 + 1 == 2 != 3, not 1 == 2, not not 0, 1 < 2 < 3 < 3, 3 > 2 >= 2 > 1, 1 == 1.0)"],
    &["print(0 or 5, 0 and 5, 3 or 5, 3 and 5, None or 0, not None, 1 or x_y, 0 and x_y)"],
    &["print(1 or 0 and 0, (1 or 0) and 0, not 0 and 0, 6 - 3 - 2, 24 / 4 / 2, 7 - 2 * 3 % 4)"],
    // Truth values and strings.
    &["print(True, False, None, True + True, -True, +False, ~4, True & False, True | 2)"],
    &["print(True ^ True, True == 1, None == None, None == 0, None != 'a', 'a' == 1, 'a' < 'b')"],
    &[
        "print('a' + \"b\", '\\n\\t\\'\\\\', '', 'é', \"it's\")",
        "print()",
        "print(1,)",
    ],
    &["print('%d of %s at %x %u%%' % (1, 'a', 255, 3), '%s' % 1.5, '%s' % None, '%i' % True)"],
    &["print('%d' % 7 + 'x', '%s' % 'a%d', 'a%%b%%' % (), '%%%d' % 3, '%s' % (1 == 1))"],
    // Numbers as they are written.
    &[
        "print(1e15, 1e16, 1.5e-4, 1e-5, 1.5e-7, 1e22, 1e100, -0.0, 123456789.125, 1., .5, 0.1 + 0.2)",
    ],
    &["print(1e999, -1e999, 1e999 - 1e999, 1e999 == 1e999, 0x10, 0b11, 0o17, 0x7fffffff)"],
    &[
        "print(1e999 - 1e999 != 1e999 - 1e999, 1e999 - 1e999 < 1, 9007199254740992 == 9007199254740992.0)",
    ],
    &["print(tcpi_pacing_rate, tcpi_pacing_rate * (tcpi_pacing_rate // 2), -tcpi_pacing_rate)"],
    &[
        "print(2 ** 126, -2 ** 126, 2 ** 126 - 1 + 2 ** 126, tcpi_pacing_rate + 0.5, 3 * 2 ** 100 * 1.0)",
    ],
    // Functions.
    &["print(abs(-3), abs(-2.5), abs(True), min(3, 1, 2), max(1, 2.5), min(1, 1.0), max(1, 1.0))"],
    &["print(int(2.9), int(-2.9), int(True), int(1e30), min('b', 'a'), max(min(1, 2), 0))"],
    // Statements.
    &[
        "a = 1; a += 2; a *= 7; a -= 1; a //= 3; a **= 2; a %= 10; print(a);",
        "a /= 4; print(a)",
    ],
    &[
        "a = 5; a <<= 3; a |= 3; a &= 0x2a; a ^= 1; a >>= 1; print(a)",
        "(a) = 9; print(a)",
    ],
    &[
        "a = (1 +\n    2)  # three\n\n# a comment\n   # another\nprint(a)\r\nprint(a); \\\n  print(a)",
    ],
    &["assert 1;\\\n\n", "assert 0 == 1, 'why'; \\\n\t assert 0"],
    &[
        "assert 1; # yes",
        "",
        "\n\n",
        "pass; pass",
        " \tassert 1 \t",
    ],
    // Failures.
    &[
        "print(1)",
        "assert tcpi_snd_cwnd == 3, tcpi_snd_cwnd",
        "print(2)",
    ],
    &["assert False, ''"],
    &["assert False, None"],
    &["assert 0.0, 'a' + 'b'"],
    &["assert (tcpi_snd_cwnd > 3 and\n  tcpi_snd_cwnd < 5), 'no\\nway'"],
    &["print(1, no_such_name)"],
    &["x = x"],
    &["cwnd += 10"],
    &["assert x < 1, y"],
    &["assert 1 < 0, y"],
    &["print(TCP_CA_Open, TCP_INFINITE_SSTHRESH)"],
];

/// Code that Python cannot read.
const MISTAKES: &[&str] = &[
    "assert",
    "assert 1,",
    "a =",
    "= 1",
    "1 = 2",
    "a + 1 = 2",
    "1 2",
    "a b",
    "(1",
    "1)",
    "a = 1;; b = 2",
    ";",
    "print(,)",
    "print(1 2)",
    "a == ",
    "not",
    "a not b",
    "x = 010",
    "1 +",
    "** 2",
    "a <> b",
    "'a",
    "\"a'",
    "a = 1\n  b = 2",
    "a = $b",
    "assert 1 then 2",
    "1 += 2",
    "True = 1",
    "pass = 1",
    "a ! b",
    "and 1",
    "a = 1if",
    "if",
    "(a) += 1 2",
    "a = (1,,2)",
    "\\ a",
    "a\0",
];
