//! The evaluation of first-order code as an engine: the code of `native` before C is made of it, without a C compiler.
//!
//! Items are evaluated in turn until one has no first-order code or bails out; then `hybrid` runs the program from its
//! start, and each effect reaches the host once. So the whole behaviour can be compared with that of any engine.
//!
//! Invariant: as in `native`, a run with a limit of steps has no first-order code. The evaluator has no other limits but
//! its own, beyond which `hybrid` takes over.

use std::collections::HashMap;
use std::io;
use vlad_compiler::first_order::evaluate::{self, Effects, evaluate};
use vlad_compiler::first_order::template::Template;
use vlad_compiler::first_order::{Leaf, Unit};
use vlad_compiler::specialise;
use vlad_core::{GlobalId, Item, Program};
use vlad_runtime::attempt::Attempt;
use vlad_runtime::run::{Host, InputFault, Limits, Origin, Outcome, Report};
use vlad_table::internal_bug;
use vlad_values::Value;

/// The limits of an item: deeper or longer evaluations are left to `hybrid`.
const LIMITS: evaluate::Limits = evaluate::Limits { depth: 600, statements: 3_000_000 };

/// Runs a program.
pub fn run(program: &Program, host: &mut dyn Host, limits: &Limits) -> Report {
    let mut run = Run { program, attempt: Attempt::default(), host };
    let steps = if limits.steps.is_some() { None } else { run.evaluated() };
    if let Some(steps) = steps {
        return Report { outcome: Outcome::Finished, steps };
    }
    run.attempt.restart();
    let report = vlad_hybrid::run(program, &mut run, limits);
    if matches!(report.outcome, Outcome::Finished) {
        run.attempt.check_whole();
    }
    report
}

/// A run whose effects have happened once at most.
struct Run<'run> {
    program: &'run Program,
    attempt: Attempt,
    host: &'run mut dyn Host,
}

impl Run<'_> {
    /// Evaluates the first-order code of all items. Returns the steps; none if an item has no such code, or bails out.
    fn evaluated(&mut self) -> Option<u64> {
        let program = self.program;
        let mut known: HashMap<GlobalId, Vec<Leaf>> = HashMap::new();
        let mut steps = 0;
        for (item, unit) in program.items.iter().zip(specialise(program)) {
            let (Item::Define(_, node) | Item::Expression(node)) = *item;
            if program.procedure_at(node).is_some() && matches!(item, Item::Define(..)) {
                steps += 1;
                continue;
            }
            let unit = unit.ok()?;
            let inputs = unit.inputs.iter().map(|(global, _)| known.get(global).cloned());
            let inputs: Vec<Leaf> = inputs.collect::<Option<Vec<_>>>()?.concat();
            let mut effects = ItemEffects { run: self, unit: &unit, has_failed: false };
            let ended = evaluate(&unit, &inputs, &mut effects, LIMITS);
            if effects.has_failed {
                return None;
            }
            let ended = ended.ok()?;
            steps += ended.steps;
            match *item {
                Item::Define(global, _) => {
                    known.insert(global, ended.results);
                }
                Item::Expression(_) => {
                    let value = value(&unit.result, &ended.results);
                    self.attempt.write(self.host, program, &value, Origin::Result).ok()?;
                }
            }
        }
        Some(steps)
    }
}

/// The effects of an item.
struct ItemEffects<'item, 'run> {
    run: &'item mut Run<'run>,
    unit: &'item Unit,
    /// True if a line could not be written; the evaluation has no way to end there, so later effects are left out.
    has_failed: bool,
}

impl Effects for ItemEffects<'_, '_> {
    fn read(&mut self) -> Option<f64> {
        let Run { attempt, host, .. } = &mut *self.run;
        if self.has_failed { None } else { attempt.read(&mut **host).ok() }
    }

    fn write(&mut self, template: u32, leaves: &[Leaf]) {
        let Some(template) = self.unit.written.get(template as usize) else {
            internal_bug!("every value that is written has a template");
        };
        let Run { attempt, host, program } = &mut *self.run;
        let value = value(template, leaves);
        self.has_failed = self.has_failed || attempt.write(&mut **host, program, &value, Origin::Written).is_err();
    }
}

fn value(template: &Template, leaves: &[Leaf]) -> Value {
    match template.value(leaves) {
        Some(value) => value,
        None => internal_bug!("the leaves of a value fit its template"),
    }
}

/// The host of the second execution.
impl Host for Run<'_> {
    fn read_real(&mut self) -> Result<f64, InputFault> {
        self.attempt.read(self.host)
    }

    fn write(&mut self, program: &Program, value: &Value, origin: Origin) -> io::Result<()> {
        self.attempt.write(self.host, program, value, origin)
    }
}
