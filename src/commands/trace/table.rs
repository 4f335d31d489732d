//! A trace as a table.

use super::arguments::TraceMode;
use super::question::{Traced, shown};
use std::fmt::Write;
use vlad_derivatives::appended::data::Form;
use vlad_shared::ad::log::{LoggedOperation, Operand};
use vlad_shared::table::number;

/// The widest cell; a wider text is not aligned.
const WIDEST: usize = 48;

/// Returns the table with at most so many operations.
pub fn table(traced: &Traced, most: usize) -> String {
    let log = &traced.log;
    let (word, given, found) = match traced.mode {
        TraceMode::Forward => ("tangent", "tangent", "tangent of the value"),
        TraceMode::Reverse | TraceMode::Checkpoint => ("adjoint", "cotangent", "cotangent of the operand"),
    };
    let mut text = format!(
        "at {}: {}, with the {given} {}\n",
        traced.point.text(Form::Vlad),
        traced.value.text(Form::Vlad),
        traced.direction
    );
    let is_repeated = traced.mode == TraceMode::Checkpoint;
    let mut heads = vec!["name", "operation", "value", word];
    if is_repeated {
        heads.extend(["executions", "sweep"]);
    }
    heads.push("place");
    let mut rows: Vec<Vec<String>> = vec![heads.into_iter().map(str::to_owned).collect()];
    let (first, last) = shown(log.operations.len(), most);
    let adjoints = traced.adjoints_of_inputs();
    let (first_inputs, last_inputs) = shown(log.inputs.len(), most);
    for (place, input) in log.inputs.iter().enumerate() {
        if place >= first_inputs && place < last_inputs {
            if place == first_inputs {
                rows.push(vec!["...".to_owned(), format!("{} reals", last_inputs - first_inputs)]);
            }
            continue;
        }
        let part = input.tangent.or_else(|| adjoints.get(place).copied());
        let mut row = vec![traced.name(place as u64), String::new(), number::format(input.value)];
        row.push(part.map_or_else(String::new, number::format));
        rows.push(row);
    }
    for (place, operation) in log.operations.iter().enumerate() {
        if place >= first && place < last {
            if place == first {
                rows.push(vec!["...".to_owned(), format!("{} operations", last - first)]);
            }
            continue;
        }
        rows.push(row(traced, place, operation, is_repeated));
    }
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        cells.max().unwrap_or(0).min(WIDEST)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in &rows {
        let mut line = String::new();
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            // Names, operations and places are texts; the other columns are numbers.
            let is_text = column < 2 || column + 1 == columns;
            let _ = if is_text { write!(line, "{cell:<width$}  ") } else { write!(line, "{cell:>width$}  ") };
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
    let outputs: Vec<String> =
        log.seeds.iter().map(|(node, seed)| format!("{} gets {}", traced.name(*node), number::format(*seed))).collect();
    if !outputs.is_empty() && outputs.len() <= most {
        let _ = writeln!(text, "seeds: {}", outputs.join(", "));
    }
    let count = log.operations.len();
    let noun = if count == 1 { "operation" } else { "operations" };
    let _ = writeln!(text, "{count} {noun}; {found}: {}", traced.result.text(Form::Vlad));
    text
}

fn row(traced: &Traced, place: usize, operation: &LoggedOperation, is_repeated: bool) -> Vec<String> {
    let number = (traced.log.inputs.len() + place) as u64;
    let operands = operation.operands.iter().flatten().map(|operand| operand_text(traced, operand));
    let written: Vec<String> = std::iter::once(operation.operation.row().name.to_owned()).chain(operands).collect();
    let part = operation.tangent.or_else(|| operation.reverse.map(|step| step.cotangent));
    let mut row = vec![
        traced.name(number),
        written.join(" "),
        number::format(operation.value),
        part.map_or_else(String::new, number::format),
    ];
    if is_repeated {
        row.push(operation.executions.to_string());
        row.push(operation.reverse.map_or_else(String::new, |step| step.sweep.to_string()));
    }
    row.push(traced.place(place));
    row
}

/// An operand by its name; a constant by its value.
pub fn operand_text(traced: &Traced, operand: &Operand) -> String {
    operand.source.map_or_else(|| number::format(operand.value), |source| traced.name(source))
}
