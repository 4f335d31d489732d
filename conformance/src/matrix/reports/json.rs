//! The results of the matrix as one JSON object, whose form `vlad conform --help` shows.

use crate::matrix::cell::{Cell, Verdict};
use crate::matrix::table::{Column, FileResults, Table};
use serde_json::{Value, json};
use vlad_engines::agreement::Disagreement;
use vlad_portable::digest::ProgramDigest;

/// The form of the object, as `--help` shows it.
pub const FORM: &str = r#"With --format json one object is printed:
  status        "ok", "failed" or "disagreement"
  seconds       the time of the run
  shard         the part of the files, as in "1/4", or null
  warnings      texts
  columns       each with name, kind ("engine" or "external"), passed, failed, known, skipped
  files         each with
    file        its path
    sort        "case", "rewritten", "program" (without expectations) or "broken"
    parts       the parts of the language report that its program needs, beyond 1 to 5
    cells       one for each column, with column, verdict ("passed", "failed", "known" to fail, or "skipped"), reasons,
                line (the line of a failure, or null), steps (or null), seconds
    disagreements  each with about and answers; an answer has engines and says
    digest      the digest of the program and its results, or null"#;

/// The report, which ends in a newline.
pub fn report(table: &Table) -> String {
    let columns: Vec<Value> = table
        .columns
        .iter()
        .enumerate()
        .map(|(number, column)| {
            let kind = match column {
                Column::Engine(_) => "engine",
                Column::External(_) => "external",
            };
            let counts = table.counts(number);
            json!({
                "name": column.name(),
                "kind": kind,
                "passed": counts.passed,
                "failed": counts.failed,
                "known": counts.known,
                "skipped": counts.skipped,
            })
        })
        .collect();
    let files: Vec<Value> = table.rows.iter().map(|row| file(row, &table.columns)).collect();
    let (status, seconds) = (table.status().name(), table.time.as_secs_f64());
    let shard = table.shard.map(|shard| shard.to_string());
    let object = json!({
        "status": status,
        "seconds": seconds,
        "shard": shard,
        "warnings": table.warnings,
        "columns": columns,
        "files": files,
    });
    format!("{object}\n")
}

fn file(row: &FileResults, columns: &[Column]) -> Value {
    let cells: Vec<Value> = columns.iter().zip(&row.cells).map(|(column, each)| cell(column, each)).collect();
    json!({
        "file": row.path.to_string_lossy(),
        "sort": row.sort.name(),
        "parts": row.parts.numbers().collect::<Vec<u8>>(),
        "cells": cells,
        "disagreements": disagreements(&row.disagreements),
        "digest": row.digest.as_ref().map(ProgramDigest::digits),
    })
}

fn cell(column: &Column, cell: &Cell) -> Value {
    let (verdict, reasons) = match &cell.verdict {
        Verdict::Passed => ("passed", Vec::new()),
        Verdict::Failed(reasons) => ("failed", reasons.clone()),
        Verdict::Known(reasons) => ("known", reasons.clone()),
        Verdict::Skipped(reason) => ("skipped", vec![reason.clone()]),
    };
    json!({
        "column": column.name(),
        "verdict": verdict,
        "reasons": reasons,
        "line": cell.line,
        "steps": cell.steps,
        "seconds": cell.time.as_secs_f64(),
    })
}

/// Disagreements as an array, each with `about` and `answers`.
pub fn disagreements(disagreements: &[Disagreement]) -> Value {
    let one = |each: &Disagreement| {
        let answers: Vec<Value> = each
            .answers
            .iter()
            .map(|answer| {
                let engines: Vec<&str> = answer.engines.iter().map(|engine| engine.name()).collect();
                json!({ "engines": engines, "says": answer.says })
            })
            .collect();
        json!({ "about": each.about, "answers": answers })
    };
    disagreements.iter().map(one).collect()
}
