//! The evaluation of first-order code as an engine: the code of `native` before C is made of it, without a C compiler.
//!
//! Items are evaluated in turn until one has no first-order code or bails out; then `hybrid` goes on with that item, and
//! each effect reaches the host once ([`Restartable`]). So the whole behaviour can be compared with that of any engine.
//!
//! Invariant: as in `native`, a run with a limit of steps or with checkpoint options has no first-order code. The evaluator has no other limits but
//! its own, beyond which `hybrid` takes over.

use std::collections::HashMap;
use vlad_compiler::analysis::Weighing;
use vlad_compiler::{Passes, can_be_specialised, specialise};
use vlad_core::{GlobalId, Item, Program};
use vlad_first_order::evaluate::{self, Effects, evaluate};
use vlad_first_order::template::{Line, Template};
use vlad_first_order::{Leaf, Unit};
use vlad_runtime::restart::Restartable;
use vlad_runtime::run::{Host, Limits, Origin, Outcome, Report};
use vlad_table::internal_bug;
use vlad_values::print::Layout;
use vlad_values::{Value, row, template};

/// The limits of an item: deeper or longer evaluations are left to `hybrid`.
const LIMITS: evaluate::Limits = evaluate::Limits { depth: 600, statements: 3_000_000 };

/// Runs a program.
pub fn run(program: &Program, host: &mut dyn Host, limits: &Limits) -> Report {
    if !can_be_specialised(program, limits) {
        return vlad_hybrid::run(program, host, limits);
    }
    let mut host = Restartable::new(host, &|| true);
    match evaluated(program, &mut host) {
        Some(steps) => Report { outcome: Outcome::Finished, steps },
        None => {
            host.restart();
            vlad_hybrid::run(program, &mut host, limits)
        }
    }
}

/// Evaluates the first-order code of all items. Returns the steps; none if an item has no such code, or bails out.
fn evaluated(program: &Program, host: &mut dyn Host) -> Option<u64> {
    let mut known: HashMap<GlobalId, (Template, Vec<Leaf>)> = HashMap::new();
    let mut steps = 0;
    for ((number, item), unit) in program.items.iter().enumerate().zip(specialise(program, Passes::ALL, Weighing::None))
    {
        host.begin_item(number, *item, steps);
        if matches!(item, Item::Define(..)) && program.procedure_at(item.node()).is_some() {
            steps += 1;
            continue;
        }
        let unit = unit.ok()?;
        let mut inputs: Vec<Leaf> = Vec::new();
        for (global, template) in &unit.inputs {
            // A list of known length may be read as one of any length, which has other leaves.
            let (_, leaves) = known.get(global).filter(|(result, _)| result == template)?;
            inputs.extend_from_slice(leaves);
        }
        let mut effects = ItemEffects { program, unit: &unit, host: &mut *host, has_failed: false };
        let ended = evaluate(&unit, &inputs, &mut effects, LIMITS);
        if effects.has_failed {
            return None;
        }
        let ended = ended.ok()?;
        steps += ended.steps;
        match *item {
            Item::Define(global, _) => {
                known.insert(global, (unit.result.clone(), ended.results));
            }
            Item::Expression(_) => {
                host.write(program, &value(&unit.result, &ended.results), Origin::Result).ok()?;
            }
        }
    }
    Some(steps)
}

/// The effects of an item.
struct ItemEffects<'item> {
    program: &'item Program,
    unit: &'item Unit,
    host: &'item mut dyn Host,
    /// True after an effect that failed, which is the last one; the evaluation cannot end at a line that is not written.
    has_failed: bool,
}

impl Effects for ItemEffects<'_> {
    fn read(&mut self) -> Option<f64> {
        if self.has_failed {
            return None;
        }
        let read = self.host.read_real().ok();
        self.has_failed = read.is_none();
        read
    }

    fn write(&mut self, template: u32, leaves: &[Leaf]) {
        let Some(Line { layout, template }) = self.unit.written.get(template as usize) else {
            internal_bug!("every value that is written has a template");
        };
        if !self.has_failed {
            let value = value(template, leaves);
            let is_possible = match layout {
                Layout::Datum => true,
                Layout::Row => row::check(&value).is_ok(),
                Layout::Text => template::check(&value).is_some(),
            };
            self.has_failed = !is_possible || self.host.write(self.program, &value, Origin::Written(*layout)).is_err();
        }
    }
}

fn value(template: &Template, leaves: &[Leaf]) -> Value {
    match template.value(leaves) {
        Some(value) => value,
        None => internal_bug!("the leaves of a value fit its template"),
    }
}
