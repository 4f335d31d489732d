//! Checks of dependencies: licences, sources and duplicates are those that `deny.toml` allows, as `cargo deny` would
//! check them; `docs/dependencies.md` states the reason for each direct dependency.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // tests may

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The only source of crates outside the project.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// The target whose dependencies are checked, as in `deny.toml`.
const TARGET: &str = "x86_64-unknown-linux-gnu";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap()
}

/// The packages that a build for the target may take.
fn packages() -> Vec<Value> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["metadata", "--locked", "--all-features", "--format-version", "1", "--filter-platform", TARGET]);
    let output = command.current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let nodes = metadata["resolve"]["nodes"].as_array().unwrap();
    let taken: BTreeSet<&str> = nodes.iter().map(|node| node["id"].as_str().unwrap()).collect();
    let packages = metadata["packages"].as_array().unwrap().iter();
    let packages: Vec<Value> = packages.filter(|package| taken.contains(text(package, "id"))).cloned().collect();
    assert!(packages.len() > 100, "{} packages", packages.len());
    packages
}

fn text<'value>(package: &'value Value, what: &str) -> &'value str {
    package[what].as_str().unwrap_or_default()
}

/// The quoted words of a list of `deny.toml`; of a list of tables the first word of each line.
fn policy(list: &str) -> Vec<String> {
    let policy = read("deny.toml");
    let (_, rest) = policy.split_once(&format!("\n{list} = [")).unwrap();
    let (inside, _) = rest.split_once("]\n").unwrap();
    let quoted = |part: &str| part.split('"').skip(1).step_by(2).map(str::to_owned).collect::<Vec<String>>();
    match inside.contains('{') {
        true => inside.lines().filter_map(|line| quoted(line).first().cloned()).collect(),
        false => quoted(inside),
    }
}

/// Returns true if the allowed licences satisfy a licence expression, which is a conjunction of alternatives.
fn is_met(expression: &str, allowed: &[String]) -> bool {
    let plain = |licence: &str| licence.trim().trim_end_matches('+').trim_end_matches("-or-later").to_owned();
    expression.replace('/', " OR ").split(" AND ").all(|part| {
        let part = part.trim();
        let inner = part.strip_prefix('(').and_then(|part| part.strip_suffix(')')).unwrap_or(part);
        assert!(!inner.contains(['(', ')']), "{expression} is no conjunction of alternatives");
        inner.split(" OR ").any(|licence| allowed.contains(&plain(licence)))
    })
}

#[test]
fn expressions_of_licences() {
    let allowed = ["MIT".to_owned(), "MPL-2.0".to_owned()];
    for met in ["MIT", "Apache-2.0 OR MIT", "Apache-2.0/MIT", "MPL-2.0+", "(MIT OR Zlib) AND MPL-2.0"] {
        assert!(is_met(met, &allowed), "{met}");
    }
    for unmet in ["", "GPL-3.0", "MIT AND GPL-3.0", "(MIT OR Zlib) AND Unicode-3.0", "MIT WITH exception"] {
        assert!(!is_met(unmet, &allowed), "{unmet}");
    }
}

#[test]
fn licences_are_allowed() {
    let allowed = policy("allow");
    assert!(allowed.contains(&"MIT".to_owned()));
    let guilty: Vec<String> = packages()
        .iter()
        .filter(|package| !is_met(text(package, "license"), &allowed))
        .map(|package| format!("{}: {:?}", text(package, "name"), package["license"]))
        .collect();
    assert!(guilty.is_empty(), "{guilty:#?}");
}

#[test]
fn the_project_has_the_licence_of_its_file() {
    assert!(read("LICENSE").starts_with("MIT License"));
    let own: Vec<Value> = packages().into_iter().filter(|package| package["source"].is_null()).collect();
    assert!(own.iter().any(|package| package["name"] == "vlad"));
    for package in &own {
        assert_eq!(text(package, "license"), "MIT", "{}", text(package, "name"));
    }
    for apart in ["conformance/fuzz/Cargo.toml", "conformance/mutants/Cargo.toml"] {
        assert!(read(apart).contains("\nlicense = \"MIT\"\n"), "{apart}");
    }
}

#[test]
fn crates_come_from_one_place() {
    for package in packages() {
        let source = package["source"].as_str();
        assert!(source.is_none_or(|source| source == REGISTRY), "{}: {source:?}", text(&package, "name"));
    }
}

/// Checks that each crate has one version, except for those that the policy names, and that each of these is needed.
#[test]
fn no_crate_stands_there_twice() {
    let mut versions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in packages() {
        versions.entry(text(&package, "name").to_owned()).or_default().push(text(&package, "version").to_owned());
    }
    let mut skipped = policy("skip");
    for (name, versions) in &versions {
        let fits = |skip: &String, version: &String| {
            let (skipped, prefix) = skip.split_once('@').unwrap();
            skipped == name && version.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('.'))
        };
        let left = versions.iter().filter(|version| !skipped.iter().any(|skip| fits(skip, version))).count();
        assert!(left <= 1, "{name} stands there as {versions:?}");
        if versions.len() > 1 {
            skipped.retain(|skip| !versions.iter().any(|version| fits(skip, version)));
        }
    }
    assert!(skipped.is_empty(), "these stand there once: {skipped:?}");
}

/// The manifests of the project: those of the workspace, and of crates apart.
fn manifests() -> Vec<PathBuf> {
    let own = packages().into_iter().filter(|package| package["source"].is_null());
    let own = own.map(|package| PathBuf::from(text(&package, "manifest_path")));
    own.chain(["conformance/fuzz/Cargo.toml", "conformance/mutants/Cargo.toml"].map(|path| root().join(path))).collect()
}

/// The names of the crates that a manifest depends on directly, or that it lists for the whole workspace.
fn direct(manifest: &str, is_of_workspace: bool) -> Vec<String> {
    let mut counts = false;
    let mut found = Vec::new();
    for line in manifest.lines().map(str::trim) {
        if line.starts_with('[') {
            counts =
                line.trim_end_matches(']').ends_with("dependencies") && line.contains("workspace") == is_of_workspace;
        } else if counts && !line.starts_with('#') {
            let name = line.split(['.', ' ', '=']).next().unwrap_or_default();
            found.extend((!name.is_empty()).then(|| name.to_owned()));
        }
    }
    found
}

#[test]
fn every_direct_dependency_is_explained() {
    let used = manifests().into_iter().flat_map(|manifest| direct(&fs::read_to_string(manifest).unwrap(), false));
    let mut used: BTreeSet<String> = used.filter(|name| name != "vlad" && !name.starts_with("vlad-")).collect();
    // The workspace's name `im` refers to another crate.
    assert!(used.remove("im") && used.insert("imbl".to_owned()));
    let page = read("docs/dependencies.md");
    let (used_page, _) = page.split_once("## Considered, and not used").unwrap();
    let rows = used_page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    let explained: BTreeSet<String> = rows.map(|(name, _)| name.to_owned()).collect();
    assert_eq!(used, explained);
}

/// The lines of code of the crate in a folder, without crates in folders of it.
fn code(folder: &Path) -> String {
    let mut found = String::new();
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() && !path.join("Cargo.toml").exists() && !path.ends_with("target") {
            found.push_str(&code(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(path).unwrap();
            let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            lines.for_each(|line| found.extend([line, "\n"]));
        }
    }
    found
}

/// Checks that the code of a crate has a path that begins with each dependency, except for those that its manifest ignores.
#[test]
fn every_direct_dependency_is_used() {
    let mut asked = BTreeSet::new();
    for path in manifests() {
        let manifest = fs::read_to_string(&path).unwrap();
        let code = code(path.parent().unwrap());
        let is_used = |name: &String| {
            let name = name.replace('-', "_");
            let is_in_name = |letter: char| letter.is_alphanumeric() || letter == '_';
            let is_path = |rest: &str| ["::", " as "].iter().any(|next| rest.starts_with(next));
            code.match_indices(&name)
                .any(|(place, _)| !code[..place].ends_with(is_in_name) && is_path(&code[place + name.len()..]))
        };
        let direct = direct(&manifest, false);
        let unused: Vec<&String> = direct.iter().filter(|name| !is_used(name)).collect();
        let ignored = manifest.split_once("\nignored = [").map_or("", |(_, rest)| rest.split(']').next().unwrap());
        let ignored: Vec<&str> = ignored.split('"').skip(1).step_by(2).collect();
        assert_eq!(unused, ignored, "in {}", path.display());
        asked.extend(direct);
    }
    let unused: Vec<String> =
        direct(&read("Cargo.toml"), true).into_iter().filter(|name| !asked.contains(name)).collect();
    assert_eq!(unused, [""; 0], "in [workspace.dependencies]");
}
