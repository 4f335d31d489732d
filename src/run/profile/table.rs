//! A profile as a table of text.

use super::meter::Measure;
use super::recorder::{Profile, ProfileRow};
use std::fmt::Write;
use vlad_shared::core::{Program, render};

/// The most rows that are shown.
const MOST_SHOWN: usize = 60;

/// The names of the columns. Those from the third on contain numbers.
const HEAD: [&str; 13] = [
    "operator",
    "place",
    "depth",
    "calls",
    "repeated",
    "steps",
    "splits",
    "reversals",
    "states",
    "executed again",
    "ratio",
    "peak bytes",
    "seconds",
];

/// The number of columns that contain text.
const TEXTS: usize = 2;

type Cells = [String; HEAD.len()];

/// Returns the table, with an explanation of its columns.
pub fn table(profile: &Profile, program: &Program) -> String {
    let rows: Vec<&ProfileRow> = profile.rows.iter().filter(|row| row.applications > 0).collect();
    if rows.is_empty() {
        return "profile: no operator that calls a procedure was applied\n".to_owned();
    }
    let mut lines: Vec<Cells> = vec![HEAD.map(str::to_owned)];
    lines.extend(rows.iter().take(MOST_SHOWN).map(|row| cells(row, program)));
    let mut out = "profile:\n".to_owned();
    set(&mut out, &lines);
    if rows.len() > MOST_SHOWN {
        line(&mut out, format_args!("... {} more rows (--json tells all of them)", rows.len() - MOST_SHOWN));
    }
    if profile.left_out > 0 {
        line(&mut out, format_args!("... {} more calls at other places or depths", profile.left_out));
    }
    let unfinished: u64 = rows.iter().map(|row| row.unfinished).sum();
    if unfinished > 0 {
        line(&mut out, format_args!("{unfinished} of the calls had not ended when the run did."));
    }
    out.push_str(explanation(profile.measure));
    out
}

/// Returns the explanation of the columns.
fn explanation(measure: Measure) -> &'static str {
    match measure {
        Measure::Allocated => {
            "Calls that are repeated stand within what another operator executed again. Steps are of the procedures called,\n\
             without operators inside; ratio: (steps + executed again) / steps.\n\
             Peak bytes: the most allocated during one call, beyond what was allocated when it began.\n"
        }
        Measure::Resident => {
            "Calls that are repeated stand within what another operator executed again. Steps are of the procedures called,\n\
             without operators inside; ratio: (steps + executed again) / steps.\n\
             Peak bytes: resident memory of the process at its highest during one call, looked at each millisecond, beyond\n\
             that when it began. What is freed may stay resident, so later calls may show less than they use.\n"
        }
    }
}

fn cells(row: &ProfileRow, program: &Program) -> Cells {
    let costs = &row.costs;
    // Only `checkpoint-*j` executes again, so other operators have no such figures.
    let of_actions = |figure: u64| if row.trace.is_some() { figure.to_string() } else { "-".to_owned() };
    let ratio = costs.ratio().filter(|_| row.trace.is_some());
    [
        row.operator.name().to_owned(),
        render::place(&program.sources, program.span(row.node)),
        row.depth.to_string(),
        row.applications.to_string(),
        row.again.to_string(),
        costs.steps.to_string(),
        of_actions(costs.splits),
        of_actions(costs.reversals),
        of_actions(costs.snapshots as u64),
        of_actions(costs.executed),
        ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}")),
        costs.peak.to_string(),
        format!("{:.6}", costs.time.as_secs_f64()),
    ]
}

/// Appends lines in columns: texts aligned left, numbers aligned right.
fn set(out: &mut String, lines: &[Cells]) {
    let mut widths = [0; HEAD.len()];
    for cells in lines {
        for (width, cell) in widths.iter_mut().zip(cells) {
            *width = cell.chars().count().max(*width);
        }
    }
    for cells in lines {
        let mut text = String::new();
        for (number, (cell, width)) in cells.iter().zip(widths).enumerate() {
            let separator = if number == 0 { "" } else { "  " };
            let padding = " ".repeat(width - cell.chars().count());
            let (before, after) = if number < TEXTS { ("", padding.as_str()) } else { (padding.as_str(), "") };
            text.extend([separator, before, cell, after]);
        }
        line(out, format_args!("{text}"));
    }
}

/// Appends a line. Writing to a string cannot fail, so the result is ignored.
fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = writeln!(out, "{text}");
}
