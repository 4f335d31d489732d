//! Templates of values as static arrays, which the runtime interprets (`compiler/runtime/typed/template.c`): in prefix order, so that
//! a value is made, and taken apart, from the outside.

use super::scope::kind_code;
use crate::c::{Expression as C, Item};
use crate::foreign::interface::kind;
use vlad_core::LambdaId;
use vlad_first_order::template::{Step, Template};
use vlad_table::{ValueTag, internal_bug};

/// The arrays of the steps of a template and of the cells in it, the array of its cells, and the template of that name.
pub fn items(name: String, template: &Template) -> Vec<Item> {
    let height = template.cells.iter().chain([&template.steps]).map(|steps| height(steps)).max().unwrap_or(1);
    let cells = if template.cells.is_empty() { C::Number(0) } else { C::Name(format!("{name}_cells")) };
    let mut items = Vec::new();
    let mut described = |name: &str, steps: &[Step]| {
        let contents = in_prefix_order(steps);
        let leaves = steps.iter().filter(|step| step.is_leaf()).count();
        let counts = [contents.len(), leaves, height, words(steps)];
        let array = format!("{name}_steps");
        let row =
            [C::name(&array)].into_iter().chain(counts.map(|count| C::Number(count as u64))).chain([cells.clone()]);
        let row = row.collect();
        items.push(object("const struct vlad_template_step", format!("{array}[]"), contents));
        row
    };
    let of_cells: Vec<C> = template
        .cells
        .iter()
        .enumerate()
        .map(|(number, steps)| C::Braces(described(&format!("{name}_cell{number}"), steps)))
        .collect();
    let whole = described(&name, &template.steps);
    if !of_cells.is_empty() {
        items.push(object("const struct vlad_template", format!("{name}_cells[]"), of_cells));
    }
    items.push(object("const struct vlad_template", name, whole));
    items
}

fn object(ctype: &'static str, name: String, contents: Vec<C>) -> Item {
    Item::Object { storage: "static ", ctype, name, contents }
}

/// The number of the words of a cell.
fn words(steps: &[Step]) -> usize {
    1 + steps.iter().filter(|step| matches!(step, Step::RealLeaf | Step::CellLeaf(_))).count()
}

/// A height of a stack that suffices for the parts of a value.
fn height(steps: &[Step]) -> usize {
    // A backpropagator has three parts more.
    steps
        .iter()
        .map(|step| step.taken().saturating_sub(1) + if *step == Step::Backpropagator { 3 } else { 0 })
        .sum::<usize>()
        + 1
}

/// The steps in prefix order, as rows of C.
fn in_prefix_order(steps: &[Step]) -> Vec<C> {
    enum Task {
        Step(usize),
        Row(C),
    }
    let parts = parts(steps);
    let lengths = lengths(steps, &parts);
    let length = |place: usize| lengths.get(place).copied().unwrap_or_default();
    let (mut rows, mut pending) = (Vec::new(), vec![Task::Step(steps.len().saturating_sub(1))]);
    while let Some(task) = pending.pop() {
        let place = match task {
            Task::Row(row) => {
                rows.push(row);
                continue;
            }
            Task::Step(place) => place,
        };
        let (Some(step), Some(parts)) = (steps.get(place), parts.get(place)) else {
            internal_bug!("a template has the parts of its steps")
        };
        match (step, parts.as_slice()) {
            (Step::Either(_), [_, first, second]) => {
                rows.push(counted("VLAD_STEP_EITHER", length(*first) + 1));
                let skip = counted("VLAD_STEP_SKIP", length(*second));
                pending.extend([Task::Step(*second), Task::Row(skip), Task::Step(*first)]);
            }
            (Step::Last, [_, value]) => {
                rows.push(counted("VLAD_STEP_LAST", 0));
                pending.push(Task::Step(*value));
            }
            (step, parts) => {
                rows.push(row(*step));
                if *step == Step::Backpropagator {
                    // No value, no record and no reads (record.h).
                    let others = ["VLAD_RAW", "VLAD_RAW", "VLAD_NIL"].map(|tag| value(tag, C::Number(0)));
                    pending.extend(others.map(Task::Row));
                }
                pending.extend(parts.iter().rev().map(|part| Task::Step(*part)));
            }
        }
    }
    rows
}

/// For each step the steps that make its parts, from left to right.
fn parts(steps: &[Step]) -> Vec<Vec<usize>> {
    let mut made: Vec<usize> = Vec::new();
    let mut parts = Vec::with_capacity(steps.len());
    for (place, step) in steps.iter().enumerate() {
        parts.push(made.split_off(made.len().saturating_sub(step.taken())));
        made.push(place);
    }
    parts
}

/// For each step the number of rows that its value takes.
fn lengths(steps: &[Step], parts: &[Vec<usize>]) -> Vec<usize> {
    let mut lengths: Vec<usize> = Vec::with_capacity(steps.len());
    for (step, parts) in steps.iter().zip(parts) {
        let of_parts: usize = parts.iter().filter_map(|part| lengths.get(*part)).sum();
        lengths.push(match step {
            // The boolean has no row of its own; after the first value is the end of that.
            Step::Either(_) => of_parts + 1,
            Step::Last => of_parts,
            Step::Backpropagator => of_parts + 4,
            _ => of_parts + 1,
        });
    }
    lengths
}

fn of(kind: &str, count: u64, tag: C, word: C) -> C {
    C::Braces(vec![C::name(kind), C::Number(count), C::Braces(vec![tag, word])])
}

fn counted(kind: &str, count: usize) -> C {
    of(kind, count as u64, C::Number(0), C::Number(0))
}

fn value(tag: &str, word: C) -> C {
    of("VLAD_STEP_VALUE", 0, C::name(tag), word)
}

/// The row of a step that is no alternative.
fn row(step: Step) -> C {
    let slots = |count: u64, tag| of("VLAD_STEP_SLOTS", count, tag, C::Number(0));
    let leaf = |tag: &str| of("VLAD_STEP_LEAF", 0, C::name(tag), C::Number(0));
    match step {
        Step::Nil => value("VLAD_NIL", C::Number(0)),
        Step::Boolean(boolean) => value("VLAD_BOOLEAN", C::Number(u64::from(boolean))),
        Step::Real(bits) => value("VLAD_REAL", C::Bits(bits.0)),
        Step::Primitive(primitive) => value("VLAD_PRIMITIVE", C::Number(primitive as u64)),
        Step::RealLeaf => leaf("VLAD_REAL"),
        Step::BooleanLeaf => leaf("VLAD_BOOLEAN"),
        Step::ArrayLeaf(elements) => {
            of("VLAD_STEP_ARRAY", kind_code(elements).into(), C::name("VLAD_VECTOR"), C::Number(0))
        }
        Step::CellLeaf(number) => counted("VLAD_STEP_CELL", number as usize),
        Step::Pair => counted("VLAD_STEP_PAIR", 2),
        Step::Procedure(lambda, 0) => of("VLAD_STEP_VALUE", 0, procedure(lambda, kind::PLAIN), C::Number(0)),
        Step::Procedure(lambda, count) => slots(count.into(), procedure(lambda, kind::PROCEDURE)),
        Step::Vector(count) => of("VLAD_STEP_VECTOR", count.into(), C::name("VLAD_VECTOR"), C::Number(0)),
        Step::Bundle(is_tagged) => slots(2, C::name(if is_tagged { "VLAD_MARKED_BUNDLE" } else { "VLAD_BUNDLE" })),
        Step::Tagged(ValueTag::Perturbation) => slots(1, C::name("VLAD_PERTURBATION")),
        Step::Tagged(ValueTag::Sensitivity) => slots(1, C::name("VLAD_SENSITIVITY")),
        Step::Tagged(ValueTag::Reverse) => slots(1, C::name("VLAD_REVERSED")),
        Step::Backpropagator => slots(5, C::name("VLAD_BACKPROPAGATOR")),
        Step::Either(_) | Step::Last => internal_bug!("alternatives have rows of their own"),
    }
}

/// The tag of a procedure, without slots or with them.
fn procedure(LambdaId(lambda): LambdaId, kind: u8) -> C {
    C::Bits(u64::from(lambda) << 32 | u64::from(kind))
}
