//! Passes on code as text: each file of `tests/passes` has a unit, a line `=>`, and the unit after some passes.
//!
//! The first line names the passes in their order, as `; pass: tidy, common`: names of [`PASSES`], or `storage` for the
//! storage code of the unit. The next lines say in a comment what the file shows. The checker runs on both units.
//! `VLAD_BLESS=1 cargo test -p vlad-first-order --test passes` rewrites what stands behind `=>`.

use rstest::rstest;
use std::path::{Path, PathBuf};
use std::{env, fs};
use vlad_first_order::Unit;
use vlad_first_order::check::check;
use vlad_first_order::passes::selection::Row;
use vlad_first_order::passes::{PASSES, Passes};
use vlad_first_order::storage;
use vlad_first_order::storage::placement::Execution;
use vlad_first_order::text::print::print;
use vlad_first_order::text::read::read;

/// The line between the units.
const BETWEEN: &str = "=>\n";

/// The name for storage code in place of that of a pass.
const STORAGE: &str = "storage";

/// The names of the passes of a file; none if its first line names none.
fn names(text: &str) -> Vec<&str> {
    let line = text.lines().next().unwrap_or_default();
    line.strip_prefix("; pass: ").map(|names| names.split(", ").collect()).unwrap_or_default()
}

/// The pass of a row, unless it is a part of the lowering to storage code.
fn pass(row: &Row) -> Option<fn(&mut Unit)> {
    let on_storage = || storage::PASSES.iter().find(|(pass, _)| *pass == row.pass).map(|(_, run)| *run);
    row.run.or_else(on_storage)
}

/// Executes a pass; returns false if there is none of the name.
fn execute(name: &str, unit: &mut Unit) -> bool {
    if name == STORAGE {
        *unit = storage::lower(unit, Execution::Machine, Passes::ALL);
        return true;
    }
    let row = PASSES.iter().find(|row| row.name == name);
    row.and_then(pass).map(|run| run(unit)).is_some()
}

#[rstest]
fn code_becomes(#[files("tests/passes/*.ir")] path: PathBuf) {
    let text = fs::read_to_string(&path).unwrap();
    let (before, expected) = text.split_once(BETWEEN).unwrap_or((&text, ""));
    let mut unit = read(before).unwrap_or_else(|wrong| panic!("{wrong}"));
    assert_eq!(check(&unit), Ok(()), "before the passes");
    let names = names(&text);
    assert!(!names.is_empty(), "the first line is `; pass: NAME`");
    for name in names {
        assert!(execute(name, &mut unit), "there is no pass `{name}`");
    }
    let after = print(&unit, None);
    assert_eq!(check(&unit), Ok(()), "after the passes\n{after}");
    if env::var_os("VLAD_BLESS").is_some_and(|value| value == "1") {
        fs::write(&path, format!("{before}{BETWEEN}{after}")).unwrap();
    } else {
        assert_eq!(after, expected);
    }
}

/// Each pass has a file that shows what it does, and one where it does something else or nothing.
#[test]
fn each_pass_has_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/passes");
    let files = fs::read_dir(folder).unwrap().map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
    let files: Vec<String> = files.collect();
    let count = |name: &str| files.iter().filter(|text| names(text).contains(&name)).count();
    let few: Vec<&str> =
        PASSES.iter().filter(|row| pass(row).is_some()).map(|row| row.name).filter(|name| count(name) < 2).collect();
    assert!(few.is_empty() && count(STORAGE) >= 4, "{few:?} have fewer than two files, or storage code has few");
}
