//! Templates of values as static arrays, which the runtime interprets (`compiler/runtime/specialised.c`).

use super::arrays::kind_code;
use crate::c::{Expression as C, Item};
use crate::first_order::template::{Step, Template};
use crate::foreign::interface::kind;
use vlad_core::LambdaId;
use vlad_table::ValueTag;

/// The array of the steps of a template, and the template of that name.
pub fn items(name: String, template: &Template) -> [Item; 2] {
    let steps = format!("{name}_steps");
    let contents: Vec<C> = template.steps.iter().flat_map(step).collect();
    let counts = [contents.len(), template.leaves(), height(template)];
    let described = [C::name(&steps)].into_iter().chain(counts.map(|count| C::Number(count as u64))).collect();
    [
        Item::Object {
            storage: "static ",
            ctype: "const struct vlad_template_step",
            name: format!("{steps}[]"),
            contents,
        },
        Item::Object { storage: "static ", ctype: "const struct vlad_template", name, contents: described },
    ]
}

fn step(step: &Step) -> Vec<C> {
    let of = |kind: &str, count: u32, tag: C, word: C| {
        C::Braces(vec![C::name(kind), C::Number(count.into()), C::Braces(vec![tag, word])])
    };
    let slots = |count: u32, tag| of("VLAD_STEP_SLOTS", count, tag, C::Number(0));
    let value = |tag: &str, word| of("VLAD_STEP_VALUE", 0, C::name(tag), word);
    vec![match step {
        Step::Nil => value("VLAD_NIL", C::Number(0)),
        Step::Boolean(boolean) => value("VLAD_BOOLEAN", C::Number(u64::from(*boolean))),
        Step::Real(bits) => value("VLAD_REAL", C::Bits(bits.0)),
        Step::Primitive(primitive) => value("VLAD_PRIMITIVE", C::Number(*primitive as u64)),
        Step::RealLeaf => of("VLAD_STEP_LEAF", 0, C::name("VLAD_REAL"), C::Number(0)),
        Step::BooleanLeaf => of("VLAD_STEP_LEAF", 0, C::name("VLAD_BOOLEAN"), C::Number(0)),
        Step::ArrayLeaf(elements) => of("VLAD_STEP_ARRAY", kind_code(*elements), C::name("VLAD_VECTOR"), C::Number(0)),
        Step::Pair => of("VLAD_STEP_PAIR", 0, C::Number(0), C::Number(0)),
        Step::Procedure(lambda, 0) => of("VLAD_STEP_VALUE", 0, procedure(*lambda, kind::PLAIN), C::Number(0)),
        Step::Procedure(lambda, count) => slots(*count, procedure(*lambda, kind::PROCEDURE)),
        Step::Vector(count) => of("VLAD_STEP_VECTOR", *count, C::name("VLAD_VECTOR"), C::Number(0)),
        Step::Bundle(is_tagged) => slots(2, C::name(if *is_tagged { "VLAD_MARKED_BUNDLE" } else { "VLAD_BUNDLE" })),
        Step::Tagged(ValueTag::Perturbation) => slots(1, C::name("VLAD_PERTURBATION")),
        Step::Tagged(ValueTag::Sensitivity) => slots(1, C::name("VLAD_SENSITIVITY")),
        Step::Tagged(ValueTag::Reverse) => slots(1, C::name("VLAD_REVERSED")),
        Step::Backpropagator => {
            // No value, no record and no reads (record.h).
            let others = [("VLAD_NIL"), ("VLAD_RAW"), ("VLAD_RAW")].map(|tag| value(tag, C::Number(0)));
            let all = slots(2 + others.len() as u32, C::name("VLAD_BACKPROPAGATOR"));
            return others.into_iter().chain([all]).collect();
        }
        Step::Either(others) => of("VLAD_STEP_EITHER", *others, C::Number(0), C::Number(0)),
        Step::Last => of("VLAD_STEP_LAST", 0, C::Number(0), C::Number(0)),
    }]
}

/// The tag of a procedure, without slots or with them.
fn procedure(LambdaId(lambda): LambdaId, kind: u8) -> C {
    C::Bits(u64::from(lambda) << 32 | u64::from(kind))
}

/// The maximal height of the stack.
fn height(template: &Template) -> usize {
    let (mut height, mut most) = (0_usize, 0);
    for step in &template.steps {
        let taken = match step {
            Step::Nil
            | Step::Boolean(_)
            | Step::Real(_)
            | Step::Primitive(_)
            | Step::RealLeaf
            | Step::BooleanLeaf
            | Step::ArrayLeaf(_) => 0,
            Step::Pair | Step::Bundle(_) | Step::Last => 2,
            Step::Either(_) => 3,
            // Three values more are pushed before.
            Step::Backpropagator => {
                most = most.max(height + 3);
                2
            }
            Step::Tagged(_) => 1,
            Step::Procedure(_, parts) | Step::Vector(parts) => *parts as usize,
        };
        height = height.saturating_sub(taken) + 1;
        most = most.max(height);
    }
    most
}
