//! The sweep of coefficients and libraries against 96 digits at some points of each function, and the log of all points.

use rstest::rstest;
use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, path};
use vlad_conformance::sweep::{self, Density};
use vlad_derivatives::extended::rounded;
use vlad_shared::table::Primitive;

#[rstest]
fn some_points_have_no_finding(
    #[values("coefficients", "linear-algebra", "norms", "special", "statistics")] name: &str,
) {
    let files = sweep::files().unwrap();
    let file = files.iter().find(|file| file.file_stem().is_some_and(|stem| stem == name)).unwrap();
    let text = fs::read_to_string(file).unwrap();
    for function in sweep::functions(&text).unwrap() {
        let found = sweep::sweep(&text, &function, Density::Few).unwrap();
        assert!(found.findings.is_empty(), "{}", found.findings.join("\n"));
        assert!(found.points >= 16, "{}", found.name);
    }
}

/// A function that loses digits is found, and one that is 0 where it should not be.
#[test]
fn lost_digits_are_found() {
    let text = ";; sweep: loss moderate\n(define (loss x) (- (* (+ x 1e8) (+ x 1e8)) 1e16))\n\
                (define (exact-loss x) (* x (+ x 2e8)))\n";
    let found = sweep::sweep(text, &sweep::functions(text).unwrap()[0], Density::Few).unwrap();
    assert!(found.findings.iter().any(|finding| finding.contains("relative error")), "{:?}", found.findings);
    let text = ";; sweep: rough real\n(define (rough x) (- 1 (- 1 x)))\n(define (exact-rough x) x)\n";
    let found = sweep::sweep(text, &sweep::functions(text).unwrap()[0], Density::Few).unwrap();
    assert!(found.findings.iter().any(|finding| finding.contains("not finite, or 0")), "{:?}", found.findings);
}

#[test]
fn words_that_name_no_grid_are_refused() {
    assert!(sweep::functions(";; sweep: f nowhere\n").unwrap_err().contains("nowhere"));
    assert!(sweep::functions(";; sweep: f\n").unwrap_err().contains("no grid"));
}

#[test]
fn each_function_of_the_table_is_swept() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("sweep/coefficients.vlad");
    let swept = sweep::functions(&fs::read_to_string(file).unwrap()).unwrap();
    for operation in rounded::functions() {
        let name = Primitive::applying(operation).unwrap().name();
        let is_swept = swept.iter().any(|function| function.name == name);
        assert!(is_swept, "conformance/sweep/coefficients.vlad has no line that begins with `;; sweep: {name}`");
    }
}

/// The figures of the report are not less than those of the log, and not by much greater.
#[test]
fn the_report_has_the_figures_of_the_log() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(path::Path::to_path_buf).unwrap();
    let log = fs::read_to_string(root.join("docs/reliability/10-numerics.md")).unwrap();
    let report = fs::read_to_string(root.join("docs/report/09-coefficients-and-edges.md")).unwrap();
    let most: BTreeMap<&str, f64> = report
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |")?.rsplit_once("` | "))
        .filter_map(|(names, most)| Some((names, most.parse::<f64>().ok()?)))
        .flat_map(|(names, most)| names.split("` `").map(move |name| (name, most)))
        .collect();
    let rows = log.lines().skip_while(|line| *line != "## `coefficients`").filter_map(|line| line.strip_prefix("| `"));
    let mut compared = 0;
    for row in rows.take_while(|row| !row.starts_with("slope-")) {
        let cells: Vec<&str> = row.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let most = most.get(cells[0]).unwrap_or_else(|| panic!("9.7 of the report has no figure for `{}`", cells[0]));
        let worst = cells[3].parse::<f64>().unwrap();
        assert!(worst <= *most && *most <= 1.1 * worst + 1.2, "{}: {worst} in the log, {most} in the report", cells[0]);
        compared += 1;
    }
    assert!(compared > 25, "{compared}");
}

/// Each file has a table in the log with a row for each function, and no finding.
#[test]
fn the_log_has_each_function_once() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(path::Path::to_path_buf).unwrap();
    let log = fs::read_to_string(root.join("docs/reliability/10-numerics.md")).unwrap();
    let mut rows: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut table = "";
    for line in log.lines() {
        if let Some(name) = line.strip_prefix("## `") {
            table = name.trim_end_matches('`');
        } else if let Some(row) = line.strip_prefix("| `") {
            rows.entry(table).or_default().push(row.split('`').next().unwrap().to_owned());
        }
        assert!(!line.starts_with("- "), "the log has a finding: {line}");
    }
    for file in sweep::files().unwrap() {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let functions = sweep::functions(&fs::read_to_string(&file).unwrap()).unwrap();
        let names: Vec<String> =
            functions.iter().map(|function| function.name.trim_start_matches("sweep-").to_owned()).collect();
        assert_eq!(rows.get(&*name), Some(&names), "rows of {name} in docs/reliability/10-numerics.md");
    }
}
