//! The results of the matrix as text for people: a paragraph for each file with a fault, a line for each that is
//! skipped, warnings, and the counts.

use crate::matrix::cell::Verdict;
use crate::matrix::table::{Column, ExpectationKind, FileResults, Table};
use std::fmt::Write;
use vlad_shared::core::render::escapes::on_one_line;

/// The report.
pub fn report(table: &Table) -> String {
    let mut out = String::new();
    for row in &table.rows {
        paragraph(&mut out, row, &table.columns);
    }
    summary(&mut out, table);
    out
}

/// Appends a line. Writing to a string cannot fail, so there is no error to return.
fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = writeln!(out, "{text}");
}

fn paragraph(out: &mut String, row: &FileResults, columns: &[Column]) {
    let path = on_one_line(&row.path.to_string_lossy());
    match row.sort {
        ExpectationKind::Rewritten => line(out, format_args!("rewritten  {path}")),
        ExpectationKind::Case | ExpectationKind::Program | ExpectationKind::Broken => {}
    }
    // A failure that several columns share is reported once.
    let mut told: Vec<(Vec<&str>, &Vec<String>)> = Vec::new();
    for (column, cell) in columns.iter().zip(&row.cells) {
        let Verdict::Failed(reasons) = &cell.verdict else { continue };
        match told.iter_mut().find(|(_, same)| *same == reasons) {
            Some((names, _)) => names.push(column.name()),
            None => told.push((vec![column.name()], reasons)),
        }
    }
    for (names, reasons) in told {
        let names = names.join(", ");
        line(out, format_args!("failed     {path} on {names}"));
        reasons.iter().for_each(|reason| line(out, format_args!("    {}", on_one_line(reason))));
    }
    for (column, cell) in columns.iter().zip(&row.cells) {
        if let Verdict::Skipped(reason) = &cell.verdict {
            line(out, format_args!("skipped    {path} on {}: {}", column.name(), on_one_line(reason)));
        }
    }
    if !row.disagreements.is_empty() {
        line(out, format_args!("disagree   {path}"));
        for disagreement in &row.disagreements {
            line(out, format_args!("    {}", on_one_line(&disagreement.about)));
            for answer in &disagreement.answers {
                let engines: Vec<&str> = answer.engines.iter().map(|engine| engine.name()).collect();
                line(out, format_args!("        {}: {}", engines.join(", "), on_one_line(&answer.says)));
            }
        }
    }
}

fn summary(out: &mut String, table: &Table) {
    for warning in &table.warnings {
        line(out, format_args!("warning: {}", on_one_line(warning)));
    }
    let rows = table.rows.len();
    let files = if rows == 1 { "1 file".to_owned() } else { format!("{rows} files") };
    let seconds = table.time.as_secs_f64();
    line(out, format_args!("{files} in {seconds:.1} s"));
    let width = table.columns.iter().map(|column| column.name().chars().count()).max().unwrap_or(0);
    for (number, column) in table.columns.iter().enumerate() {
        let counts = table.counts(number);
        let mut told = format!("{} passed", counts.passed);
        for (count, word) in [(counts.failed, "failed"), (counts.known, "known to fail"), (counts.skipped, "skipped")] {
            if count > 0 {
                let _ = write!(told, ", {count} {word}");
            }
        }
        line(out, format_args!("  {:width$}  {told}", on_one_line(column.name())));
    }
    let engines = table.columns.iter().filter(|column| matches!(column, Column::Engine(_))).count();
    let disagreeing = table.rows.iter().filter(|row| !row.disagreements.is_empty()).count();
    let programs = table.rows.iter().filter(|row| row.sort == ExpectationKind::Program).count();
    if programs > 0 {
        line(out, format_args!("{programs} without expectations: only compared"));
    }
    match (engines, disagreeing) {
        (0 | 1, _) => {}
        (_, 0) => line(out, format_args!("the engines agree")),
        (_, 1) => line(out, format_args!("the engines disagree on 1 file")),
        (_, several) => line(out, format_args!("the engines disagree on {several} files")),
    }
    line(out, format_args!("{}", table.status().name()));
}
