//! A trace as JSON.

use super::arguments::TraceMode;
use super::question::{Traced, shown};
use serde_json::{Value, json};
use std::collections::HashMap;
use vlad_derivatives::appended::data::Form;
use vlad_shared::ad::log::{LoggedOperation, Operand};
use vlad_shared::table::number;

/// Returns the object with at most so many inputs and operations, on one line.
pub fn object(traced: &Traced, most: usize) -> String {
    let log = &traced.log;
    let (mode, part) = match traced.mode {
        TraceMode::Forward => ("forward", "tangent"),
        TraceMode::Reverse => ("reverse", "adjoint"),
        TraceMode::Checkpoint => ("checkpoint", "adjoint"),
    };
    let adjoints = traced.adjoints_of_inputs();
    let (first_inputs, last_inputs) = shown(log.inputs.len(), most);
    let inputs: Vec<Value> = log
        .inputs
        .iter()
        .enumerate()
        .filter(|(place, _)| *place < first_inputs || *place >= last_inputs)
        .map(|(place, input)| {
            let own = input.tangent.or_else(|| adjoints.get(place).copied());
            json!({"name": traced.name(place as u64), "value": real(input.value), part: own.map(real)})
        })
        .collect();
    let seeds: HashMap<u64, f64> = log.seeds.iter().copied().collect();
    let (first, last) = shown(log.operations.len(), most);
    let head = json!({
        "mode": mode,
        "point": traced.point.text(Form::Vlad),
        "value": traced.value.text(Form::Vlad),
        "direction": traced.direction,
        "result": traced.result.text(Form::Vlad),
        "inputs": inputs,
        "all_operations": log.operations.len(),
    });
    // A trace may have a million operations, so each is written as soon as it is made.
    let mut text = head.to_string();
    text.pop();
    text.push_str(",\"operations\":[");
    let mut is_first = true;
    for (place, operation) in log.operations.iter().enumerate() {
        if place < first || place >= last {
            if !is_first {
                text.push(',');
            }
            is_first = false;
            text.push_str(&operation_object(traced, place, operation, part, &seeds).to_string());
        }
    }
    text.push_str("]}\n");
    text
}

fn operation_object(
    traced: &Traced,
    place: usize,
    operation: &LoggedOperation,
    part: &str,
    seeds: &HashMap<u64, f64>,
) -> Value {
    let number = (traced.log.inputs.len() + place) as u64;
    let contributions = operation.reverse.map_or([None; 2], |step| step.contributions);
    let operands = operation.operands.iter().zip(contributions).filter_map(|(operand, contribution)| {
        let Operand { value, source } = (*operand)?;
        let name = source.map(|source| traced.name(source));
        Some(json!({"name": name, "value": real(value), "contribution": contribution.map(real)}))
    });
    let own = operation.tangent.or_else(|| operation.reverse.map(|step| step.cotangent));
    let mut object = json!({
        "name": traced.name(number),
        "operation": operation.operation.row().name,
        "operands": operands.collect::<Vec<Value>>(),
        "value": real(operation.value),
        part: own.map(real),
        "executions": operation.executions,
        "sweep": operation.reverse.map(|step| step.sweep),
        "place": traced.place(place),
    });
    if let (Some(seed), Some(members)) = (seeds.get(&number), object.as_object_mut()) {
        members.insert("output".to_owned(), real(*seed));
    }
    object
}

/// Returns a real as a number, or as a text if JSON has no number for it.
fn real(real: f64) -> Value {
    if real.is_finite() { json!(real) } else { json!(number::format(real)) }
}
