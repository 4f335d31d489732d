//! The layers of the project: the crates that each crate may import, and modules without cycles within each crate and
//! within the C runtime ([`runtime`]).
//!
//! The crates come from `cargo metadata`. The graph of a crate's files comes from its sources, parsed by `syn`: an edge
//! leads from a file that names an item to the file that defines it. A name that a `pub use` or an import stands for counts for the
//! file behind it. In each folder a second graph has the modules as wholes, each a file with the folder of its name; it tells of
//! circles that lead through several files of one module. Tests and their imports do not count.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // tests may

mod cycles;
mod modules;
mod runtime;

use cycles::cycles;
use modules::Crate;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The crates of the project that a crate may import, beside its tests.
const LAYERS: [(&str, &[&str]); 27] = [
    ("vlad-files", &[]),
    ("vlad-table", &[]),
    ("vlad-core", &["vlad-table"]),
    ("vlad-values", &["vlad-core", "vlad-table"]),
    ("vlad-ad", &["vlad-core", "vlad-table", "vlad-values"]),
    ("vlad-runtime", &["vlad-ad", "vlad-core", "vlad-table", "vlad-values"]),
    ("vlad-cps", &["vlad-core", "vlad-table"]),
    ("vlad-snapshot", &["vlad-ad", "vlad-core", "vlad-cps", "vlad-runtime", "vlad-table", "vlad-values"]),
    ("vlad-data", &[]),
    ("vlad-language", &["vlad-core", "vlad-data", "vlad-table"]),
    ("vlad-fsmooth", &["vlad-core", "vlad-data", "vlad-language", "vlad-table"]),
    ("vlad-farfel", &["vlad-core", "vlad-language", "vlad-table"]),
    ("vlad-frontend", &["vlad-core", "vlad-data", "vlad-farfel", "vlad-fsmooth", "vlad-language", "vlad-table"]),
    (
        "vlad-shared",
        &[
            "vlad-ad",
            "vlad-core",
            "vlad-cps",
            "vlad-data",
            "vlad-farfel",
            "vlad-frontend",
            "vlad-fsmooth",
            "vlad-language",
            "vlad-runtime",
            "vlad-snapshot",
            "vlad-table",
            "vlad-values",
        ],
    ),
    ("vlad-interp", &["vlad-ad", "vlad-core", "vlad-runtime", "vlad-table", "vlad-values"]),
    (
        "vlad-hybrid",
        &["vlad-ad", "vlad-core", "vlad-cps", "vlad-runtime", "vlad-snapshot", "vlad-table", "vlad-values"],
    ),
    ("vlad-first-order", &["vlad-ad", "vlad-core", "vlad-table", "vlad-values"]),
    (
        "vlad-compiler",
        &[
            "vlad-ad",
            "vlad-core",
            "vlad-cps",
            "vlad-files",
            "vlad-first-order",
            "vlad-runtime",
            "vlad-snapshot",
            "vlad-table",
            "vlad-values",
        ],
    ),
    (
        "vlad-engines",
        &[
            "vlad-compiler",
            "vlad-core",
            "vlad-first-order",
            "vlad-hybrid",
            "vlad-interp",
            "vlad-runtime",
            "vlad-table",
            "vlad-values",
        ],
    ),
    ("vlad-derivatives", &["vlad-compiler", "vlad-engines", "vlad-shared"]),
    ("vlad-farfel-oracle", &["vlad-table"]),
    ("vlad-portable", &["vlad-core", "vlad-frontend", "vlad-hybrid", "vlad-interp", "vlad-runtime", "vlad-table"]),
    (
        "vlad-conformance",
        &[
            "vlad-compiler",
            "vlad-derivatives",
            "vlad-engines",
            "vlad-farfel-oracle",
            "vlad-files",
            "vlad-first-order",
            "vlad-interp",
            "vlad-portable",
            "vlad-shared",
        ],
    ),
    ("vlad-reference", &["vlad-conformance", "vlad-derivatives", "vlad-engines", "vlad-shared"]),
    (
        "vlad",
        &[
            "vlad-compiler",
            "vlad-conformance",
            "vlad-derivatives",
            "vlad-engines",
            "vlad-files",
            "vlad-first-order",
            "vlad-shared",
        ],
    ),
    ("vlad-calc", &["vlad", "vlad-shared"]),
    (
        "vlad-benches",
        &[
            "vlad-compiler",
            "vlad-conformance",
            "vlad-derivatives",
            "vlad-engines",
            "vlad-files",
            "vlad-hybrid",
            "vlad-interp",
            "vlad-shared",
            "vlad-table",
        ],
    ),
];

/// A crate of the project.
struct Package {
    name: String,
    folder: PathBuf,
    imports: Vec<String>,
}

fn packages() -> Vec<Package> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline", "--locked"])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let package = |package: &Value| {
        let own = |dependency: &&Value| dependency["path"].is_string() && dependency["kind"] != "dev";
        let imports = package["dependencies"].as_array().unwrap().iter().filter(own);
        let mut imports: Vec<String> = imports.map(|import| import["name"].as_str().unwrap().to_owned()).collect();
        imports.sort();
        imports.dedup();
        let manifest = Path::new(package["manifest_path"].as_str().unwrap());
        Package {
            name: package["name"].as_str().unwrap().to_owned(),
            folder: manifest.parent().unwrap().to_owned(),
            imports,
        }
    };
    metadata["packages"].as_array().unwrap().iter().map(package).collect()
}

#[test]
fn crates_import_lower_crates_alone() {
    let layers = BTreeMap::from(LAYERS);
    for package in packages() {
        let allowed = layers.get(package.name.as_str());
        let allowed = allowed.unwrap_or_else(|| panic!("{} has no layer", package.name));
        for import in &package.imports {
            assert!(allowed.contains(&import.as_str()), "{} must not import {import}", package.name);
        }
    }
}

#[test]
fn modules_form_no_cycles() {
    let mut found = Vec::new();
    for package in packages() {
        let source = package.folder.join("src");
        let root = [source.join("lib.rs"), source.join("main.rs")].into_iter().find(|root| root.exists());
        let modules = Crate::parse(&root.unwrap());
        for graph in [modules.files()].iter().chain(&modules.folders()) {
            found.extend(cycles(graph).into_iter().map(|cycle| format!("in {}\n{cycle}", package.name)));
        }
    }
    assert!(found.is_empty(), "modules import each other:\n{}", found.join("\n"));
}

/// The test of the test: three files of which two import each other, one of them through a `pub use` of the root.
#[test]
fn a_cycle_is_found() {
    let crate_of = |inner: &str| {
        Crate::from_texts(&[
            ("", "mod low; mod high; pub use high::Top; pub use low::Base;"),
            ("low", inner),
            ("high", "use crate::Base; pub struct Top(Base);"),
        ])
    };
    let sound = "pub struct Base; #[cfg(test)] mod tests { use crate::Top; }";
    assert_eq!(cycles(&crate_of(sound).files()), [""; 0]);
    for (up, named) in [
        ("fn up(top: crate::Top) {}", "crate::Top"),
        ("fn up() { assert!(crate::Top::is_there()); }", "crate::Top::is_there"),
        ("use crate as all; fn up(top: all::Top) {}", "all::Top"),
    ] {
        let cyclic = format!("pub struct Base; {up}");
        let cycle = format!("high -> low: crate::Base\nlow -> high: {named}");
        assert_eq!(cycles(&crate_of(&cyclic).files()), [cycle]);
    }
}

/// A circle of two modules, although no file leads back to itself: one module has two files.
#[test]
fn a_cycle_of_folders_is_found() {
    let modules = |part: &str| {
        Crate::from_texts(&[
            ("", "mod host; mod profile; mod running;"),
            ("host", "use crate::profile::Recorder; pub struct Host(Recorder);"),
            ("profile", &format!("mod recorder; pub use recorder::Recorder; {part}")),
            ("profile::recorder", "pub struct Recorder;"),
            ("running", "use crate::host::Host; pub fn run(host: Host) {}"),
        ])
    };
    let folders = |part: &str| modules(part).folders().iter().flat_map(cycles).collect::<Vec<_>>();
    assert_eq!(folders(""), [""; 0]);
    let cyclic = "pub fn profile() { crate::running::run(); }";
    assert_eq!(cycles(&modules(cyclic).files()), [""; 0]);
    let cycle = "host -> profile: host names crate::profile::Recorder\n\
                 profile -> running: profile names crate::running::run\n\
                 running -> host: running names crate::host::Host";
    assert_eq!(folders(cyclic), [cycle]);
}
