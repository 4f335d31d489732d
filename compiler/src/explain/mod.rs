//! The explanation of what the specialising compiler does with each item of a program (`vlad explain`).

mod resources;

pub use crate::procedures::{Call, Procedure};
use resources::Fusions;
pub use resources::Resources;
pub use vlad_first_order::differentiate::{Record, Reversal};

use crate::analysis::{Analysis, Cause, Described, Reason, Weighing};
use crate::c;
use crate::pipeline;
use crate::procedures::Specialised;
use crate::specialised;
use std::time::{Duration, Instant};
use vlad_core::{Expression, Item, Program};
use vlad_first_order::call_graph::{CallGraph, Calls, Component, Positions};
use vlad_first_order::passes::{Pass, Passes};
use vlad_first_order::{Statement, Unit};

/// The explanation of an item.
#[derive(Clone, Debug)]
pub struct Explained {
    /// The item.
    pub item: Item,
    /// The code, or the reason why there is none.
    pub outcome: Result<Explanation, Reason>,
    /// The time of each phase that was entered.
    pub times: Times,
}

/// The explanation of an item that is specialised.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The instances as the analysis found them, the item itself first.
    pub instances: Vec<Instance>,
    /// The functions that are called in reverse mode, with their records.
    pub reversals: Vec<Reversal>,
    /// The resources that its code takes when it is executed.
    pub resources: Resources,
    /// The sizes of the code.
    pub sizes: Sizes,
}

/// An instance of a procedure.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Its description.
    pub described: Described,
    /// The way in which it calls itself, if it does.
    pub repetition: Option<Repetition>,
}

/// The way in which an instance calls itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// A loop that changes so many variables.
    Loop(usize),
    /// Calls in tail position of instances that call each other.
    TailCalls,
    /// Calls in other positions.
    Recursion,
}

/// The sizes of an item's code.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// The number of statements after the analysis.
    pub analysed: usize,
    /// The number of statements after the removal of levels.
    pub without_levels: usize,
    /// The number of statements after all passes.
    pub simplified: usize,
    /// The number of bytes of C.
    pub c: usize,
}

/// The times of the phases.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// The analysis.
    pub analysis: Duration,
    /// The removal of levels, with the passes before it.
    pub levels: Duration,
    /// The passes after it.
    pub passes: Duration,
    /// The generation of C.
    pub c: Duration,
}

impl Explained {
    /// Returns true if the item is not specialised though it computes something: it is no constant, variable or
    /// definition of a procedure.
    pub fn is_refused(&self, program: &Program) -> bool {
        let computes = match program.expression(self.item.node()) {
            Expression::Constant(_) | Expression::Variable(_) | Expression::Lambda(_) => false,
            Expression::Application { .. }
            | Expression::Let { .. }
            | Expression::Cons { .. }
            | Expression::If { .. }
            | Expression::Letrec { .. } => true,
        };
        computes && self.outcome.is_err()
    }
}

/// Explains each item of a program, for runs without a limit of steps and without checkpoint options.
pub fn explain(program: &Program, passes: Passes, weighing: Weighing) -> Vec<Explained> {
    let mut analysis = Analysis::new(program, weighing);
    let explained = |item: &Item| {
        let mut times = Times::default();
        let (mut all, mut later) = (Duration::ZERO, Duration::ZERO);
        let compile = |analysis: &Analysis<'_>, unit| {
            timed(&mut later, || explanation(program, unit, analysis, (passes, weighing), &mut times))
        };
        let outcome = timed(&mut all, || analysis.next_item(compile))?;
        times.analysis = all.saturating_sub(later);
        let is_data = matches!(item, Item::Define(global, _) if analysis.is_data(*global));
        let outcome = if is_data { Err(Reason::new(Cause::Data)) } else { outcome };
        let outcome = outcome.map_err(|reason| reason.at(item.node()));
        Some(Explained { item: *item, outcome, times })
    };
    program.items.iter().map_while(explained).collect()
}

/// The calls with specialised code for items that have none (`procedures`); none where every item has code.
pub fn calls(program: &Program, items: &[Explained], passes: Passes, weighing: Weighing) -> Vec<Procedure> {
    if !items.iter().any(|explained| explained.is_refused(program)) {
        return Vec::new();
    }
    Specialised::of(program, passes, weighing, usize::MAX).procedures
}

fn explanation(
    program: &Program,
    mut unit: Unit,
    analysis: &Analysis<'_>,
    (passes, weighing): (Passes, Weighing),
    times: &mut Times,
) -> Result<Explanation, Reason> {
    pipeline::check_analysed(&unit, weighing)?;
    let described = analysis.described();
    let (analysed, repetitions) = (unit.size(), repetitions(&unit));
    let (mut statements, mut fusions) = (0, Fusions::default());
    let lowered =
        timed(&mut times.levels, || pipeline::without_levels(&mut unit, passes, weighing)).and_then(|reversals| {
            statements = unit.size();
            timed(&mut times.passes, || {
                pipeline::simplified(&mut unit, passes, weighing, &mut |pass, unit| fusions.observe(pass, unit))
            })?;
            Ok(reversals)
        });
    let reversals = lowered.map_err(|reason| placed(program, reason, &described))?;
    let (simplified, resources) = (unit.size(), Resources::of(program, &unit, fusions.count));
    let text = timed(&mut times.c, || {
        c::print(specialised::items(&Specialised { items: vec![Some(unit)], ..Specialised::default() }, "vlad_"))
    });
    let instances = described.into_iter().zip(repetitions);
    Ok(Explanation {
        instances: instances.map(|(described, repetition)| Instance { described, repetition }).collect(),
        reversals,
        resources,
        sizes: Sizes { analysed, without_levels: statements, simplified, c: text.len() },
    })
}

/// The refusal of a derivative, with the place of the only procedure that has the name in it.
fn placed(program: &Program, reason: Reason, described: &[Described]) -> Reason {
    let Cause::Derivative(refusal) = &reason.cause else { return reason };
    let mut found: Vec<_> = described.iter().filter_map(|described| described.procedure).collect();
    found.sort_unstable_by_key(|lambda| lambda.0);
    found.dedup();
    found.retain(|lambda| program.lambda(*lambda).name.as_deref() == Some(refusal.function.as_str()));
    match found.as_slice() {
        [lambda] if !program.is_shipped(program.lambda(*lambda).node) => reason.at(program.lambda(*lambda).node),
        _ => reason,
    }
}

/// For each function of an analysed unit the way in which it calls itself.
fn repetitions(unit: &Unit) -> Vec<Option<Repetition>> {
    let mut found = vec![None; unit.functions.len()];
    for Component { members, .. } in CallGraph::of(unit, Calls::All).components() {
        let positions = Positions::of(unit, members);
        let repetition = if positions.is_tail { Repetition::TailCalls } else { Repetition::Recursion };
        for member in members.iter().filter(|_| positions.is_repeated) {
            found.get_mut(member.0 as usize).into_iter().for_each(|found| *found = Some(repetition));
        }
    }
    // The pass for loops knows what a loop changes. Names lead back to the functions.
    let mut loops = unit.clone();
    for (number, function) in loops.functions.iter_mut().enumerate() {
        function.name = number.to_string();
    }
    Passes::NONE.with(Pass::Tidy).with(Pass::Loops).prepare(&mut loops);
    for function in &loops.functions {
        for statement in function.body.all_statements() {
            if let (Statement::Loop { state, .. }, Ok(number)) = (statement, function.name.parse::<usize>()) {
                found.get_mut(number).into_iter().for_each(|found| *found = Some(Repetition::Loop(state.len())));
            }
        }
    }
    found
}

/// Adds the time of some work.
fn timed<T>(time: &mut Duration, work: impl FnOnce() -> T) -> T {
    let begun = Instant::now();
    let result = work();
    *time += begun.elapsed();
    result
}
