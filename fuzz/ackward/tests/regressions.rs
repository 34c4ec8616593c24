//! Every script of this project's own ends on the running kernel as its header promises, by both verdicts.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{collections::BTreeMap, fs};

/// A machine that is busy can be late for a script's times; a promise that does not hold fails every time.
const TRIES: usize = 3;

#[test]
fn each_script_ends_as_it_promises() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/regressions");
    let mut open: BTreeMap<PathBuf, String> = fs::read_dir(folder)
        .expect("the folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "pkt"))
        .map(|path| (path.clone(), promised(&path)))
        .collect();
    assert!(open.len() > 20, "only {} scripts", open.len());
    let mut other = String::new();
    for _ in 0..TRIES {
        other.clear();
        for (path, said) in replayed(open.keys()) {
            let promise = open[&path].clone();
            if said == promise {
                open.remove(&path);
            } else {
                other += &format!("{}: {said}, not: {promise}\n", path.display());
            }
        }
        if open.is_empty() {
            return;
        }
    }
    panic!("{other}");
}

/// Both promises of a script's header, as the program words verdicts.
fn promised(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("a script");
    let line = |start: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(start));
        line.unwrap_or_else(|| panic!("{} has no line {start}", path.display()))
            .trim()
            .to_owned()
    };
    format!("{} | RFC: {}", line("// packetdrill:"), line("// ackward:"))
}

/// What the program says of each, without why a line fails.
fn replayed<'a>(paths: impl Iterator<Item = &'a PathBuf>) -> Vec<(PathBuf, String)> {
    let output = Command::new(env!("CARGO_BIN_EXE_ackward"))
        .arg("replay")
        .args(paths)
        .output()
        .expect("the program");
    let said = String::from_utf8(output.stdout).expect("text");
    assert!(
        !said.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    said.lines()
        .filter_map(|line| {
            let (path, said) = line.split_once(": ")?;
            let (packetdrill, rfc) = said.split_once(" | RFC: ")?;
            let packetdrill = packetdrill.split(": ").next()?;
            Some((PathBuf::from(path), format!("{packetdrill} | RFC: {rfc}")))
        })
        .collect()
}
