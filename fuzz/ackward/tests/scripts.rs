//! What becomes of the public scripts of packetdrill: they belong to others, so a folder of them must be named.
//! Packetdrill's grammar.

use std::fs;
use std::path::{Path, PathBuf};

use ackward_packetdrill::{Parsed, parse};

/// Reads all scripts under the folder that the environment names, and prints each that cannot be read.
#[test]
#[ignore = "needs a folder of scripts, named by ACKWARD_SCRIPTS"]
fn public_scripts_are_read_and_written_again() {
    let folder = std::env::var_os("ACKWARD_SCRIPTS").expect("ACKWARD_SCRIPTS names a folder");
    let mut files = Vec::new();
    collect(Path::new(&folder), &mut files);
    assert!(!files.is_empty(), "no scripts");
    let mut failed = 0;
    for file in &files {
        let text = fs::read_to_string(file).expect("the script can be read");
        match parse(&text) {
            Err(error) => {
                failed += 1;
                println!("{}: {error}", file.display());
            }
            Ok(Parsed { script, .. }) => {
                let again = parse(&script.to_string()).expect("what was written can be read");
                assert_eq!(again.script, script, "{}", file.display());
            }
        }
    }
    println!("{} of {} scripts cannot be read", failed, files.len());
    assert!(failed * 20 <= files.len(), "{failed} failed");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "pkt") {
            files.push(path);
        }
    }
}
