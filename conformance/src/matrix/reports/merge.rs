//! Reports of the matrix read back, and merged into one: what the shards of a run found, as if one machine had run all.
//!
//! Invariant: the merged report of the shards of a run is that of the whole run, but for the time.

use crate::corpus::parts::Parts;
use crate::matrix::cell::{Cell, Verdict};
use crate::matrix::external::External;
use crate::matrix::table::{Column, ExpectationKind, FileResults, Table};
use crate::shard;
use serde::Deserialize;
use std::time::Duration;
use vlad_engines::Engine;
use vlad_engines::agreement::{Answer, Disagreement};
use vlad_portable::digest::ProgramDigest;

/// The object of a report ([`super::json`]), as far as it is read.
#[derive(Deserialize)]
struct Report {
    seconds: f64,
    shard: Option<String>,
    #[serde(default)]
    warnings: Vec<String>,
    columns: Vec<ReportedColumn>,
    files: Vec<ReportedFile>,
}

#[derive(Deserialize)]
struct ReportedColumn {
    name: String,
    kind: String,
}

#[derive(Deserialize)]
struct ReportedFile {
    file: String,
    sort: String,
    #[serde(default)]
    parts: Vec<u8>,
    cells: Vec<ReportedCell>,
    disagreements: Vec<ReportedDisagreement>,
    digest: Option<String>,
}

#[derive(Deserialize)]
struct ReportedCell {
    verdict: String,
    reasons: Vec<String>,
    line: Option<usize>,
    steps: Option<u64>,
    seconds: f64,
}

#[derive(Deserialize)]
struct ReportedDisagreement {
    about: String,
    answers: Vec<ReportedAnswer>,
}

#[derive(Deserialize)]
struct ReportedAnswer {
    engines: Vec<String>,
    says: String,
}

/// Reads a report in JSON.
///
/// # Errors
/// The text is no report of the matrix.
pub fn read(text: &str) -> Result<Table, String> {
    let report: Report = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let columns = report.columns.iter().map(column).collect::<Result<Vec<Column>, String>>()?;
    let rows =
        report.files.into_iter().map(|file| row(file, columns.len())).collect::<Result<Vec<FileResults>, String>>()?;
    let shard = report.shard.map(|shard| shard.parse()).transpose()?;
    Ok(Table { columns, rows, warnings: report.warnings, time: duration(report.seconds)?, shard })
}

fn column(reported: &ReportedColumn) -> Result<Column, String> {
    let ReportedColumn { name, kind } = reported;
    match kind.as_str() {
        "engine" => Engine::named(name).map(Column::Engine).ok_or_else(|| format!("there is no engine `{name}`")),
        "external" => Ok(Column::External(External::named(name))),
        other => Err(format!("there is no column of the kind `{other}`")),
    }
}

fn row(file: ReportedFile, columns: usize) -> Result<FileResults, String> {
    let sort = ExpectationKind::ALL.into_iter().find(|sort| sort.name() == file.sort);
    let sort = sort.ok_or_else(|| format!("there is no file of the sort `{}`", file.sort))?;
    if file.cells.len() != columns {
        return Err(format!("{} has {} cells in {columns} columns", file.file, file.cells.len()));
    }
    let cells = file.cells.into_iter().map(cell).collect::<Result<Vec<Cell>, String>>()?;
    let disagreements =
        file.disagreements.into_iter().map(disagreement).collect::<Result<Vec<Disagreement>, String>>()?;
    let digest = file.digest.map(|digest| ProgramDigest::parse(&digest)).transpose()?;
    let parts = Parts::of(file.parts);
    Ok(FileResults { path: file.file.into(), sort, parts, cells, disagreements, digest })
}

fn cell(reported: ReportedCell) -> Result<Cell, String> {
    let ReportedCell { verdict, reasons, line, steps, seconds } = reported;
    let verdict = match verdict.as_str() {
        "passed" => Verdict::Passed,
        "failed" => Verdict::Failed(reasons),
        "known" => Verdict::Known(reasons),
        "skipped" => Verdict::Skipped(reasons.into_iter().next().unwrap_or_default()),
        other => return Err(format!("there is no verdict `{other}`")),
    };
    Ok(Cell { verdict, steps, time: duration(seconds)?, line })
}

fn disagreement(reported: ReportedDisagreement) -> Result<Disagreement, String> {
    let answer = |answer: ReportedAnswer| {
        let engine = |name: String| Engine::named(&name).ok_or_else(|| format!("there is no engine `{name}`"));
        let engines = answer.engines.into_iter().map(engine).collect::<Result<Vec<Engine>, String>>()?;
        Ok(Answer { engines, says: answer.says })
    };
    let answers = reported.answers.into_iter().map(answer).collect::<Result<Vec<Answer>, String>>()?;
    Ok(Disagreement { about: reported.about, answers })
}

fn duration(seconds: f64) -> Result<Duration, String> {
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

/// Merges reports. The time is the sum of theirs.
///
/// # Errors
/// They have different columns, a file in common, or are not all shards of a run.
pub fn merged(tables: Vec<Table>) -> Result<Table, String> {
    let shards: Vec<Option<shard::Shard>> = tables.iter().map(|table| table.shard).collect();
    shard::complete(&shards)?;
    let mut tables = tables.into_iter();
    let mut whole = tables.next().ok_or("there is no report")?;
    let names = |table: &Table| table.columns.iter().map(|column| column.name().to_owned()).collect::<Vec<String>>();
    let columns = names(&whole);
    for table in tables {
        let own = names(&table);
        if own != columns {
            return Err(format!("a report has the columns {}, and another one {}", columns.join(", "), own.join(", ")));
        }
        whole.rows.extend(table.rows);
        // Shards of one run warn of the same.
        let new: Vec<String> = table.warnings.into_iter().filter(|warning| !whole.warnings.contains(warning)).collect();
        whole.warnings.extend(new);
        whole.time += table.time;
    }
    whole.rows.sort_by(|one, other| one.path.cmp(&other.path));
    let same = whole.rows.windows(2).find(|pair| matches!(pair, [one, other] if one.path == other.path));
    if let Some(row) = same.and_then(|pair| pair.first()) {
        return Err(format!("two reports have the file {}", row.path.display()));
    }
    whole.shard = None;
    Ok(whole)
}
