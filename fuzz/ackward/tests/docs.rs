//! What README and ARCHITECTURE say, where it can drift: commands, paths, rules, and the command that runs the tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use ackward_oracle::rules;

const PAGES: &[&str] = &["README.md", "ARCHITECTURE.md"];

#[test]
fn the_readme_lists_the_subcommands_that_there_are() {
    let page = file("README.md");
    let listed: Vec<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `ackward ")?.split('`').next())
        .collect();
    let help = ackward(&["--help"]);
    let there_are: Vec<&str> = said(&help)
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert_eq!(listed, there_are);
}

#[test]
fn every_command_that_is_shown_can_be_typed() {
    let shown = commands_shown();
    assert!(shown.len() > 5, "{shown:?}");
    for command in shown {
        let mut words: Vec<&str> = command.split_whitespace().collect();
        // With `--help` the arguments are read, and nothing runs.
        words.push("--help");
        let output = ackward(&words);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "ackward {command}\n{complaint}");
    }
}

#[test]
fn every_path_and_link_leads_somewhere() {
    for name in PAGES {
        let page = file(name);
        let mut paths = links(&page);
        paths.extend(code_spans(&page).into_iter().filter(|span| is_path(span)));
        assert!(paths.len() > 3, "{name}: {paths:?}");
        for path in paths {
            assert!(root().join(path).exists(), "{name}: {path}");
        }
    }
}

#[test]
fn the_tests_are_run_as_the_readme_says() {
    let page = file("README.md");
    let (_, section) = page.split_once("\n## Tests\n").expect("a section on tests");
    let section = section.split("\n## ").next().expect("its text");
    let blocks = fenced(section, "sh");
    let [command] = blocks.as_slice() else {
        panic!("one way to run the tests, not {}", blocks.len());
    };
    let gate = file(".ci/run");
    let gate: Vec<&str> = gate.lines().map(str::trim).collect();
    for line in command.lines() {
        assert!(gate.contains(&line), ".ci/run does not call `{line}`");
    }
    assert!(gate.contains(&"ci/setup"), ".ci/run sets nothing up");
}

#[test]
fn every_rule_and_root_that_is_named_is_known() {
    let listed = ackward(&["rules"]);
    let mut named = 0;
    for name in PAGES {
        for word in words(&file(name)) {
            if is_rule(&word) {
                assert!(said(&listed).contains(&word), "{name}: {word}");
                named += 1;
            } else if is_root(&word) {
                let explained = ackward(&["explain", &word]).status;
                assert!(explained.success(), "{name}: {word}");
                named += 1;
            }
        }
    }
    assert!(named > 3, "{named} names");
}

#[test]
fn the_finding_that_the_readme_shows_is_worded_as_the_program_words_it() {
    let page = file("README.md");
    let transcript = fenced(&page, "text").remove(0);
    let header = transcript.lines().next().expect("a header");
    let (root, rule) = header
        .strip_prefix("violation: ")
        .and_then(|rest| rest.strip_suffix(')')?.split_once(" (rule "))
        .expect("class, root and rule");
    let deviation = rules::deviation(root).expect("a root that there is");
    let card = &rules::rule(rule).expect("a rule that there is").card;
    assert_eq!(deviation.rule, card.id);
    let told = words_in_a_row(&transcript);
    for sentence in [card.citation, card.statement, deviation.summary] {
        assert!(told.contains(&words_in_a_row(sentence)), "{sentence}");
    }
}

#[test]
fn a_rule_is_explained_by_a_conversation_that_breaks_it_and_one_that_keeps_it() {
    for name in ["9293:MUST-66", "old_ack_leaves_ts_recent_alone"] {
        let explained = ackward(&["explain", name]);
        let explained = said(&explained);
        let (breaks, keeps) = explained
            .split_once("which is right:")
            .expect("an example and its opposite");
        assert!(breaks.contains(">>>"), "{explained}");
        assert!(keeps.contains("< S 0:0(0)"), "{explained}");
        assert!(!keeps.contains(">>>"), "{explained}");
    }
}

#[test]
fn the_page_counts_the_requirements_as_the_program_does() {
    let listed = ackward(&["rules"]);
    let listed = said(&listed);
    let page = words_in_a_row(&file("README.md"));
    let counts = listed.trim_end().lines().rev().take(2);
    for count in counts.map(|line| line.trim_end_matches('.')) {
        assert!(page.contains(count), "{count}");
    }
}

/// What follows `ackward` on each line of a shell block in the README.
fn commands_shown() -> Vec<String> {
    fenced(&file("README.md"), "sh")
        .iter()
        .flat_map(|block| block.lines())
        .filter_map(|line| line.strip_prefix("ackward "))
        .map(|line| line.split(" > ").next().unwrap_or(line).to_owned())
        .collect()
}

/// The blocks fenced as `language`, without their fences.
fn fenced(page: &str, language: &str) -> Vec<String> {
    page.split(&format!("\n```{language}\n"))
        .skip(1)
        .filter_map(|rest| Some(rest.split_once("\n```")?.0.to_owned()))
        .collect()
}

/// Where the links within the project lead.
fn links(page: &str) -> Vec<&str> {
    page.split("](")
        .skip(1)
        .filter_map(|rest| Some(rest.split_once(')')?.0))
        .filter(|link| !link.starts_with("https://"))
        .collect()
}

/// What stands between backticks outside of fenced blocks.
fn code_spans(page: &str) -> Vec<&str> {
    let prose = page.split("```").step_by(2);
    prose
        .flat_map(|text| text.split('`').skip(1).step_by(2))
        .collect()
}

/// Whether `span` names a place in the project.
fn is_path(span: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "./_-".contains(c);
    span.contains('/')
        && span.chars().all(plain)
        && !span.starts_with('/')
        && !span.starts_with("findings/")
}

/// Whether `word` looks like `7323:4.3-a`.
fn is_rule(word: &str) -> bool {
    word.split_once(':').is_some_and(|(rfc, rest)| {
        rfc.len() == 4
            && rfc.bytes().all(|digit| digit.is_ascii_digit())
            && rest.starts_with(|c: char| c.is_ascii_alphanumeric())
    })
}

/// Whether `word` looks like `old_ack_leaves_ts_recent_alone`.
fn is_root(word: &str) -> bool {
    word.matches('_').count() >= 3
}

/// Words of letters, digits and what names of rules and roots hold beside them.
fn words(page: &str) -> Vec<String> {
    let part = |c: char| c.is_ascii_alphanumeric() || "_:.-".contains(c);
    page.split(|c: char| !part(c))
        .map(|word| word.trim_end_matches(['.', ':', '-']).to_owned())
        .collect()
}

fn words_in_a_row(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn file(path: &str) -> String {
    fs::read_to_string(root().join(path)).expect("a file of the project")
}

/// The top of the project.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn ackward(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ackward"))
        .args(arguments)
        .output()
        .expect("the command runs")
}

fn said(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("it writes UTF-8")
}
