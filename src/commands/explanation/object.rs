//! The explanation as JSON.

use super::words::{Timing, call_word};
use crate::output::json::place;
use crate::run::refusals::place_of;
use serde_json::{Value, json};
use vlad_compiler::analysis::Described;
use vlad_compiler::explain::{Explained, Explanation, Instance, Procedure, Record, Repetition, Resources};
use vlad_shared::core::{Item, Program};

/// The array of the items of a program.
pub fn object(program: &Program, items: &[Explained], timing: Timing) -> Value {
    items.iter().map(|explained| item(program, explained, timing)).collect()
}

/// The array of the calls that have specialised code for other items.
pub fn calls(program: &Program, calls: &[Procedure]) -> Value {
    let call = |procedure: &Procedure| {
        let lambda = program.lambda(procedure.lambda);
        let operands: Vec<String> = procedure.operands.iter().map(ToString::to_string).collect();
        let at = place(lambda.span, &program.sources);
        json!({ "name": lambda.name, "place": at, "call": call_word(procedure.call), "operands": operands })
    };
    calls.iter().map(call).collect()
}

fn item(program: &Program, explained: &Explained, timing: Timing) -> Value {
    let at = |span| place(span, &program.sources);
    let name = match explained.item {
        Item::Define(global, _) => Some(program.global(global).name.as_str()),
        Item::Expression(_) => None,
    };
    let reason = explained.outcome.as_ref().err().map(|reason| {
        json!({
            "message": reason.text(),
            "hint": reason.hint(),
            "place": at(place_of(program, explained, reason)),
        })
    });
    let explanation = explained.outcome.as_ref().ok();
    let mut object = json!({
        "name": name,
        "place": at(program.span(explained.item.node())),
        "specialised": explanation.is_some(),
        "reason": reason,
        "value": explanation.and_then(|explanation| explanation.instances.first()?.described.result.as_deref()),
        "procedures": explanation.map_or_else(Vec::new, |explanation| procedures(program, explanation)),
        "reverse_mode": explanation.map_or_else(Vec::new, reversals),
        "resources": explanation.map(|explanation| resources(&explanation.resources)),
        "statements": explanation.map(|Explanation { sizes, .. }| json!({
            "analysed": sizes.analysed,
            "without_levels": sizes.without_levels,
            "simplified": sizes.simplified,
        })),
        "c_bytes": explanation.map(|explanation| explanation.sizes.c),
    });
    if let (Timing::Shown, Value::Object(members)) = (timing, &mut object) {
        let seconds = json!({
            "analysis": explained.times.analysis.as_secs_f64(),
            "levels": explained.times.levels.as_secs_f64(),
            "passes": explained.times.passes.as_secs_f64(),
            "c": explained.times.c.as_secs_f64(),
        });
        members.insert("seconds".to_owned(), seconds);
    }
    object
}

fn reversals(explanation: &Explanation) -> Vec<Value> {
    let word = |record| match record {
        Record::Values => "values",
        Record::Repetition => "repetition",
        Record::Tape => "tape",
        Record::States => "states",
    };
    let reversals = explanation.reversals.iter();
    reversals.map(|each| json!({ "procedure": each.function, "record": word(each.record) })).collect()
}

fn resources(resources: &Resources) -> Value {
    json!({
        "loops": resources.loops,
        "fused": resources.fused,
        "elementwise": resources.elementwise,
        "arrays": resources.arrays,
        "cells": resources.cells,
        "record": resources.record,
        "calls": resources.calls,
        "tape": resources.has_tape,
        "copied_in": resources.copied_in,
        "copies_out": resources.copies_out,
    })
}

/// The procedures of an item, in the order in which the code reaches them. The first instance is the item.
fn procedures(program: &Program, explanation: &Explanation) -> Vec<Value> {
    let mut procedures: Vec<(&Described, Vec<Value>)> = Vec::new();
    for each in explanation.instances.iter().skip(1) {
        let described = &each.described;
        let is_same = |(other, _): &&mut (&Described, Vec<Value>)| {
            (other.procedure, &other.name) == (described.procedure, &described.name)
        };
        match procedures.iter_mut().find(is_same) {
            Some((_, instances)) => instances.push(instance(program, each)),
            None => procedures.push((described, vec![instance(program, each)])),
        }
    }
    let procedure = |(described, instances): (&Described, Vec<Value>)| {
        let at = described.procedure.map(|lambda| place(program.lambda(lambda).span, &program.sources));
        json!({ "name": described.name, "place": at, "instances": instances })
    };
    procedures.into_iter().map(procedure).collect()
}

fn instance(program: &Program, Instance { described, repetition }: &Instance) -> Value {
    let (repeats, state) = match repetition {
        Some(Repetition::Loop(state)) => (Some("loop"), Some(state)),
        Some(Repetition::TailCalls) => (Some("tail calls"), None),
        Some(Repetition::Recursion) => (Some("recursion"), None),
        None => (None, None),
    };
    let slots = described.slots.iter().map(|(name, value)| json!({ "name": name, "value": value }));
    let widened = described.widened.iter().map(|widened| {
        let call = place(program.span(widened.call), &program.sources);
        json!({ "variable": widened.variable, "value": widened.value, "call": call })
    });
    json!({
        "slots": slots.collect::<Vec<_>>(),
        "argument": described.argument,
        "result": described.result,
        "repeats": repeats,
        "state": state,
        "unrolled": described.unrolled,
        "widened": widened.collect::<Vec<_>>(),
    })
}
