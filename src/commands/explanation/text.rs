//! The explanation as text: the number of specialised items, then the items that are not specialised with the reason
//! for each, then the specialised ones.

use super::words::{Timing, call_word};
use crate::run::refusals::{place_of, title};
use std::fmt::Write;
use std::time::Duration;
use vlad_compiler::analysis::Described;
use vlad_compiler::explain::{Call, Explained, Explanation, Instance, Procedure, Record, Repetition, Resources, Times};
use vlad_shared::core::Program;
use vlad_shared::core::render::{Style, place, render_explanation};

/// The number of instances of a procedure that are shown.
const MOST_INSTANCES: usize = 6;

/// Appends a line. Writing to a string cannot fail, so there is no error to return.
macro_rules! line {
    ($out:expr, $($text:tt)*) => {{
        let _ = writeln!($out, $($text)*);
    }};
}

/// The explanation of some items of a program, and of the calls that have code for those that have none.
pub fn text(program: &Program, items: &[Explained], calls: &[Procedure], timing: Timing, style: Style) -> String {
    let mut out = String::new();
    let refused: Vec<&Explained> = items.iter().filter(|explained| explained.is_refused(program)).collect();
    let specialised = items.iter().filter(|explained| explained.outcome.is_ok()).count();
    line!(out, "{}", summary(program, specialised, refused.len()));
    for explained in refused {
        if let Err(reason) = &explained.outcome {
            line!(out, "\n{} is not specialised: {}", title(program, explained), reason.text());
            let span = place_of(program, explained, reason);
            out.push_str(&render_explanation(span, reason.hint(), &program.sources, style));
        }
    }
    if !calls.is_empty() {
        line!(out, "\nspecialised for calls from there:");
    }
    for procedure in calls {
        line!(out, "  {}", call_text(program, procedure));
    }
    for explained in items {
        if let Ok(explanation) = &explained.outcome {
            line!(out, "\n{} is specialised{}", title(program, explained), value(explanation));
            describe(&mut out, program, explanation);
            if timing == Timing::Shown {
                line!(out, "  times: {}", times(explained.times));
            }
        }
    }
    if timing == Timing::Shown {
        let mut total = Times::default();
        for Explained { times, .. } in items {
            total.analysis += times.analysis;
            total.levels += times.levels;
            total.passes += times.passes;
            total.c += times.c;
        }
        line!(out, "\ntimes of all items: {}", times(total));
    }
    out
}

/// The description of a call that has specialised code.
fn call_text(program: &Program, procedure: &Procedure) -> String {
    let lambda = program.lambda(procedure.lambda);
    let name = lambda.name.as_deref().unwrap_or("lambda");
    let of = match procedure.call {
        Call::Plain => String::new(),
        Call::Forward | Call::Reverse => format!("{} of ", call_word(procedure.call)),
    };
    let operands: Vec<String> = procedure.operands.iter().map(ToString::to_string).collect();
    format!("{of}{name} at {}, on {}", place(&program.sources, lambda.span), operands.join(", "))
}

fn summary(program: &Program, specialised: usize, refused: usize) -> String {
    let procedures = program.items.iter().filter(|item| program.procedure_at(item.node()).is_some()).count();
    let besides = match procedures {
        0 => String::new(),
        1 => ", besides the definition of a procedure".to_owned(),
        _ => format!(", besides the definitions of {procedures} procedures"),
    };
    match (specialised, refused) {
        (0, 0) => format!("there is nothing to compute{besides}"),
        (all, 0) => format!("{} specialised{besides}", counted(all, "item is", "items are")),
        (some, refused) => {
            format!("{} not specialised, {some} specialised{besides}", counted(refused, "item is", "items are"))
        }
    }
}

fn counted(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

/// The value of an item, if it is known to have one.
fn value(explanation: &Explanation) -> String {
    let result = explanation.instances.first().and_then(|instance| instance.described.result.as_deref());
    result.map_or_else(String::new, |result| format!(", with the value {result}"))
}

fn describe(out: &mut String, program: &Program, explanation: &Explanation) {
    // The first instance is the item.
    let mut rest: Vec<&Instance> = explanation.instances.iter().skip(1).collect();
    while let Some(Instance { described: first, .. }) = rest.first() {
        let is_same = |instance: &&Instance| {
            (instance.described.procedure, &instance.described.name) == (first.procedure, &first.name)
        };
        let (instances, others): (Vec<&Instance>, Vec<&Instance>) = rest.iter().copied().partition(is_same);
        let unrolled = instances.iter().map(|instance| instance.described.unrolled).max().unwrap_or(0);
        let unrolled = if unrolled == 0 { String::new() } else { format!(", calls unrolled {unrolled} deep") };
        let at = first
            .procedure
            .map_or_else(String::new, |lambda| format!(" at {}", place(&program.sources, program.lambda(lambda).span)));
        line!(out, "  {}{at}, {}{unrolled}", first.name, counted(instances.len(), "instance", "instances"));
        for Instance { described, repetition } in instances.iter().take(MOST_INSTANCES) {
            line!(out, "    {}", of_types(described));
            match repetition {
                Some(Repetition::Loop(state)) => {
                    line!(out, "      a loop that changes {}", counted(*state, "variable", "variables"));
                }
                Some(Repetition::TailCalls) => line!(out, "      a loop of procedures that call each other"),
                Some(Repetition::Recursion) => line!(out, "      a recursion"),
                None => {}
            }
            if let Some(widened) = described.widened.first() {
                let values = described.widened.iter().map(|each| format!("{} = {}", each.variable, each.value));
                let values: Vec<String> = values.collect();
                let at = place(&program.sources, program.span(widened.call));
                line!(out, "      known at first, and not after the call at {at}: {}", values.join(", "));
            }
        }
        if instances.len() > MOST_INSTANCES {
            line!(out, "    ... and {} more", instances.len() - MOST_INSTANCES);
        }
        rest = others;
    }
    for reversal in &explanation.reversals {
        line!(out, "  reverse mode of {}: {}", reversal.function, record(reversal.record));
    }
    describe_resources(out, &explanation.resources);
    let sizes = explanation.sizes;
    line!(
        out,
        "  statements: {} after the analysis, {} without levels, {} after all passes; {} bytes of C",
        sizes.analysed,
        sizes.without_levels,
        sizes.simplified,
        sizes.c
    );
}

fn record(record: Record) -> &'static str {
    match record {
        Record::Values => "what the sweep reads is kept, and of turns and calls recorded",
        Record::Repetition => "the sweep executes turns and the making of elements again",
        Record::Tape => "a tape records each operation",
        Record::States => "states of loops are kept, from which their turns are executed again and recorded",
    }
}

fn describe_resources(out: &mut String, resources: &Resources) {
    if resources.fused > 0 {
        line!(out, "  fused: {} with others", counted(resources.fused, "loop", "loops"));
    }
    if resources.elementwise > 0 {
        let loops = counted(resources.elementwise, "loop", "loops");
        line!(out, "  elementwise: {loops}, of which C compilers may execute several iterations at once");
    }
    let mut memory = Vec::new();
    if resources.arrays > 0 {
        memory.push(format!("arrays, made in {}", counted(resources.arrays, "place", "places")));
    }
    if resources.cells > 0 {
        memory.push(format!(
            "cells, made in {}, for up to a quarter of the memory limit",
            counted(resources.cells, "place", "places")
        ));
    }
    if let Some(values) = resources.record {
        memory.push(format!("records for sweeps of up to {}", counted(values, "value", "values")));
    }
    if let Some(values) = resources.calls {
        memory.push(format!("records for calls of up to {}", counted(values, "value", "values")));
    }
    if resources.has_tape {
        memory.push("a tape of 32 bytes for each operation".to_owned());
    }
    if !memory.is_empty() {
        line!(out, "  memory: {}", memory.join("; "));
    }
    let mut copied: Vec<String> = resources.copied_in.iter().map(|name| format!("`{name}`")).collect();
    if resources.copies_out {
        copied.push("what the item returns or writes".to_owned());
    }
    if !copied.is_empty() {
        line!(out, "  copied between vectors and arrays: {}", copied.join(", "));
    }
}

/// The types of an instance.
fn of_types(described: &Described) -> String {
    let result = described.result.as_deref().unwrap_or("no result");
    let slots: Vec<String> = described.slots.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let with = if slots.is_empty() { String::new() } else { format!(", with {}", slots.join(", ")) };
    format!("{} -> {result}{with}", described.argument)
}

fn times(times: Times) -> String {
    let shown = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1e3);
    let Times { analysis, levels, passes, c } = times;
    format!("analysis {}, levels {}, passes {}, C {}", shown(analysis), shown(levels), shown(passes), shown(c))
}
