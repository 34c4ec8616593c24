//! The arrows of the house go one way: who may know whom, read from what Cargo itself says.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

/// What each package may know. A package that is not in the list is a new room: say here what it may know.
const MAY_KNOW: &[(&str, &[&str])] = &[
    ("ackward-model", &[]),
    ("ackward-oracle", &["ackward-model"]),
    ("ackward-endpoint", &["ackward-model"]),
    ("ackward-scenario", &["ackward-model", "ackward-endpoint"]),
    (
        "ackward-packetdrill",
        &["ackward-model", "ackward-scenario"],
    ),
    (
        "ackward-stacks",
        &["ackward-model", "ackward-scenario", "ackward-endpoint"],
    ),
    (
        "ackward",
        &[
            "ackward-model",
            "ackward-oracle",
            "ackward-endpoint",
            "ackward-scenario",
            "ackward-packetdrill",
            "ackward-stacks",
        ],
    ),
    (
        "ackward-fuzz",
        &[
            "ackward",
            "ackward-model",
            "ackward-oracle",
            "ackward-scenario",
            "ackward-packetdrill",
            "ackward-stacks",
        ],
    ),
];

#[test]
fn every_package_knows_only_what_it_may() {
    let known = who_knows_whom();
    let allowed: BTreeMap<&str, BTreeSet<&str>> = MAY_KNOW
        .iter()
        .map(|(package, others)| (*package, others.iter().copied().collect()))
        .collect();
    assert_eq!(
        known.keys().map(String::as_str).collect::<Vec<_>>(),
        allowed.keys().copied().collect::<Vec<_>>(),
        "the packages of the workspace"
    );
    for (package, others) in &known {
        for other in others {
            assert!(
                allowed[package.as_str()].contains(other.as_str()),
                "{package} must not depend on {other}"
            );
        }
    }
}

#[test]
fn the_judge_never_sees_the_witness() {
    // The honest peer and the reference are written twice, so that one mistake cannot hide in both.
    let known = who_knows_whom();
    assert!(!known["ackward-oracle"].contains("ackward-endpoint"));
    assert!(!known["ackward-endpoint"].contains("ackward-oracle"));
}

/// For each package of the workspace, the others it depends on. What only its tests use does not count.
fn who_knows_whom() -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--no-deps"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
    let packages = metadata["packages"].as_array().expect("there are packages");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let names: BTreeSet<String> = packages
        .iter()
        .map(|package| text(&package["name"]))
        .collect();
    packages
        .iter()
        .map(|package| {
            let others = package["dependencies"]
                .as_array()
                .into_iter()
                .flatten()
                .filter(|dependency| dependency["kind"] != "dev")
                .map(|dependency| text(&dependency["name"]))
                .filter(|name| names.contains(name))
                .collect();
            (text(&package["name"]), others)
        })
        .collect()
}
