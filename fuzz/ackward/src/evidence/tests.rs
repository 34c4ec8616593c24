//! What a finding's folder holds, and that nobody ever sees half of one.

use std::fs;
use std::path::PathBuf;

use ackward_packetdrill::Style;

use super::*;
use crate::finding::Case;

/// A folder of this test's own, removed when the test is over.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("ackward-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Scratch(path)
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.0.join(folder)).expect("a folder");
        let mut names: Vec<String> = entries
            .map(|entry| {
                entry
                    .expect("an entry")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        names.sort();
        names
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_folder_holds_scripts_capture_report_transcript_and_case() {
    let (scratch, finding) = (Scratch::new("whole"), example::echo());
    let written = write_finding(&finding, &scratch.0).expect("it can be written");
    assert_eq!(written.folder, "old_ack_leaves_ts_recent_alone");
    assert_eq!(written.probe_segments, 2);
    assert_eq!(
        scratch.names(&written.folder),
        [
            "case.json",
            "report.md",
            "repro-assert-ecr.pkt",
            "repro-kselftest.pkt",
            "repro.pkt",
            "trace.pcapng",
            "transcript.txt"
        ]
    );
    let stored = fs::read_to_string(scratch.0.join(&written.folder).join("case.json"));
    let read = Case::parse(&stored.expect("a file")).expect("a case");
    assert_eq!(read.scenario, finding.scenario);
}

#[test]
fn a_later_finding_takes_the_place_of_an_earlier_one_and_leaves_nothing_else() {
    let (scratch, finding) = (Scratch::new("again"), example::echo());
    let written = write_finding(&finding, &scratch.0).expect("it can be written");
    let old = scratch.0.join(&written.folder).join("old.txt");
    fs::write(&old, "").expect("a file");
    write_finding(&finding, &scratch.0).expect("it can be written");
    assert!(!old.exists());
    assert_eq!(scratch.names(""), [written.folder]);
}

#[test]
fn what_cannot_be_written_leaves_nothing_behind() {
    let (scratch, finding) = (Scratch::new("taken"), example::echo());
    // A file where the old folder would be moved to, and a folder where the new one should go.
    let stale = format!(".{}.{}.stale", finding.root, std::process::id());
    fs::create_dir(scratch.0.join(&finding.root)).expect("a folder");
    fs::write(scratch.0.join(&stale), "").expect("a file");
    assert!(write_finding(&finding, &scratch.0).is_err());
    assert_eq!(scratch.names(""), [stale, finding.root]);
}

#[test]
fn a_transcript_marks_the_line_and_says_why() {
    let finding = example::echo();
    let text = transcript(&finding);
    let lines: Vec<&str> = text.lines().collect();
    let marked = lines
        .iter()
        .position(|line| line.starts_with(">>>"))
        .expect("one is marked");
    assert!(lines[marked].ends_with("> . 18:18(0) ack 35 win 20000 <sackOK,TS val 0 ecr 2000>"));
    assert!(lines[marked - 1].ends_with("^ why: this segment moved TS.Recent to 3000"));
    assert!(lines[marked + 1].ends_with("right here: ecr 3000"));
    assert!(lines[marked + 2].ends_with("seen here:  ecr 2000"));
    assert!(text.contains("write(17) = 17"));
    assert!(text.contains("it dropped none of these segments"));
}

#[test]
fn the_wrong_packet_of_a_capture_has_a_comment() {
    use pcap_file::pcapng::{Block, PcapNgReader};
    let bytes = capture(&example::echo()).expect("it can be written");
    let mut reader = PcapNgReader::new(bytes.as_slice()).expect("a capture");
    let mut packets = Vec::new();
    while let Some(block) = reader.next_block() {
        if let Block::EnhancedPacket(packet) = block.expect("a block") {
            packets.push((packet.timestamp.as_micros(), packet.options.len()));
        }
    }
    assert_eq!(packets.len(), 8);
    assert_eq!(packets.last(), Some(&(225, 1)));
    assert!(packets[..7].iter().all(|(_, comments)| *comments == 0));
}

#[test]
fn a_report_has_everything_a_maintainer_asks_for() {
    let finding = example::echo();
    let page = report(
        &finding,
        script(&finding, Style::Plain, false).as_ref(),
        &["repro.pkt"],
    );
    for part in [
        "# linux 6.18.44: old_ack_leaves_ts_recent_alone",
        "RFC 7323 section 4.3",
        "The scenario injects 4 segments",
        "It showed in 10/10 runs.",
        "The script injects 2 more",
        "Reach: network",
        "Settings: defaults",
        "ackward replay case.json",
        "exec packetdrill repro.pkt",
        "+0 > . 18:18(0) ack 35",
    ] {
        assert!(page.contains(part), "{part} is missing in:\n{page}");
    }
}
