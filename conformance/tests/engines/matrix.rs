//! Tests of the matrix as a whole: results of files on engines for any distribution of the work, and their reports.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;
use vlad_conformance::corpus::parts::Parts;
use vlad_conformance::matrix::findings::Findings;
use vlad_conformance::matrix::known::KnownFailures;
use vlad_conformance::matrix::reports::{json, junit, text};
use vlad_conformance::matrix::{
    Cell, Column, ExpectationKind, Expectations, FileResults, Plan, Programs, Status, Table, Verdict, find, work,
};
use vlad_engines::agreement::{Answer, Disagreement};
use vlad_engines::{Engine, Settings};
use vlad_shared::frontend::languages::Languages;

/// A new folder with some files.
fn folder(name: &str, files: &[(String, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    for (file, text) in files {
        fs::write(folder.join(file), text).unwrap();
    }
    folder
}

fn run(folder: &Path, jobs: usize) -> Table {
    let plan = Plan {
        files: find::find(&[folder.to_path_buf()], &[], Languages::default()).unwrap(),
        warnings: Vec::new(),
        shard: None,
        languages: Languages::default(),
        language: None,
        rewriting: None,
        reverse: None,
        columns: Engine::ALL.map(Column::Engine).to_vec(),
        settings: Settings::default(),
        jobs: NonZeroUsize::new(jobs).unwrap(),
        time: Duration::from_secs(60),
        memory: None,
        expectations: Expectations::Kept,
        programs: Programs::Compared,
    };
    let findings = Findings::begin();
    work::run(&plan, &findings, &|_, _| {});
    findings.table(&plan, "it was not run")
}

#[test]
fn rows_are_in_order_however_the_work_is_shared_out() {
    let files: Vec<(String, &str)> = (0..150)
        .map(|number| {
            let text = match number % 5 {
                0 => "(+ 1 2)\n;; expect: 3\n",
                1 => "(+ 1 2)\n;; expect: 4\n",
                2 => "(car 1)\n;; error: type 1:1-1:8 pair\n",
                3 => "(car 1\n",
                _ => "1\n;; expect: 1\n;; limit: memory 2G\n",
            };
            (format!("{number:03}.vlad"), text)
        })
        .collect();
    let folder = folder("shared_out", &files);
    for jobs in [1, 3, 200] {
        let table = run(&folder, jobs);
        let names: Vec<PathBuf> = files.iter().map(|(name, _)| folder.join(name)).collect();
        assert_eq!(table.rows.iter().map(|row| row.path.clone()).collect::<Vec<_>>(), names);
        for (number, row) in table.rows.iter().enumerate() {
            assert_eq!(row.cells.len(), Engine::ALL.len());
            for cell in &row.cells {
                assert_eq!(matches!(cell.verdict, Verdict::Failed(_)), number % 5 == 1, "{row:?}");
            }
            assert_eq!(row.sort, if number % 5 == 3 { ExpectationKind::Program } else { ExpectationKind::Case });
        }
        assert_eq!(table.status(), Status::Failure);
        assert_eq!(table.counts(0).failed, 30);
    }
}

/// A table in which two engines disagree.
fn at_odds() -> Table {
    let answer = |engine, says: &str| Answer { engines: vec![engine], says: says.to_owned() };
    let disagreement = Disagreement {
        about: "line 1 of the output".to_owned(),
        answers: vec![answer(Engine::Interp, "1[3ff0000000000000]"), answer(Engine::Hybrid, "<2>")],
    };
    let cell = || Cell { verdict: Verdict::Passed, steps: Some(1), time: Duration::ZERO, line: None };
    let row = FileResults {
        parts: Parts::default(),
        path: PathBuf::from("a.vlad"),
        sort: ExpectationKind::Program,
        cells: vec![cell(), cell()],
        disagreements: vec![disagreement],
        digest: None,
    };
    let columns = [Engine::Interp, Engine::Hybrid].map(Column::Engine).to_vec();
    Table { columns, rows: vec![row], warnings: Vec::new(), time: Duration::ZERO, shard: None }
}

#[test]
fn disagreement_is_worse_than_failure_and_told_by_all_reports() {
    let mut table = at_odds();
    assert_eq!(table.status(), Status::Disagreement);
    table.rows[0].cells[0].verdict = Verdict::Failed(vec!["reason".to_owned()]);
    assert_eq!(table.status(), Status::Disagreement);
    let report = text::report(&at_odds());
    for line in ["disagree   a.vlad\n", "line 1 of the output", "interp: 1[3ff0", "hybrid: <2>", "on 1 file\n"] {
        assert!(report.contains(line), "{line}: {report}");
    }
    assert!(report.ends_with("disagreement\n"), "{report}");
    let report = json::report(&at_odds());
    assert!(report.contains(r#""answers":[{"engines":["interp"],"says":"1[3ff0000000000000]"}"#), "{report}");
    assert!(report.contains(r#""status":"disagreement""#), "{report}");
    let report = junit::report(&at_odds());
    assert_eq!(report.matches("<failure ").count(), 1, "{report}");
    assert!(report.contains("`&lt;2&gt;`, but on interp `1[3ff0000000000000]`"), "{report}");
}

/// A disagreement is excused only if the engines that are not listed agree.
#[test]
fn disagreements_are_known_by_engine() {
    let answers = [(Engine::Interp, "1"), (Engine::Hybrid, "2"), (Engine::Native, "1")];
    let outcomes =
        [("hybrid: x", true), ("interp: x\nnative: x", true), ("interp: x", false), ("x", true), ("y", false)];
    for (list, is_excused) in outcomes {
        let said = |text: &str| answers.iter().filter(|(_, own)| *own == text).map(|(engine, _)| *engine).collect();
        let answer = |text: &str| Answer { engines: said(text), says: text.to_owned() };
        let disagreement = Disagreement { about: "line 1".to_owned(), answers: vec![answer("1"), answer("2")] };
        let cell = Cell { verdict: Verdict::Passed, steps: None, time: Duration::ZERO, line: None };
        let row = FileResults {
            parts: Parts::default(),
            path: PathBuf::from("a/x"),
            sort: ExpectationKind::Program,
            cells: vec![cell; 3],
            disagreements: vec![disagreement],
            digest: None,
        };
        let columns = answers.iter().map(|(engine, _)| Column::Engine(*engine)).collect();
        let mut table = Table { columns, rows: vec![row], warnings: Vec::new(), time: Duration::ZERO, shard: None };
        KnownFailures::parse("list", list).unwrap().apply(&mut table);
        let expected = if is_excused { Status::Success } else { Status::Disagreement };
        assert_eq!(table.status(), expected, "{list}: {table:?}");
    }
}
