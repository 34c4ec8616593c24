//! The parser of scripts under libFuzzer: cargo +stable fuzz run -s none script
#![no_main]

use ackward_packetdrill::parse;

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Ok(parsed) = parse(text) {
        let written = parsed.script.to_string();
        let again = parse(&written).expect("what was written can be read");
        assert_eq!(again.script, parsed.script, "{written}");
    }
});
