//! Flow analysis: a polyvariant abstract interpretation of core that leaves first-order code (TR-ECE-08-01,
//! section 5).
//!
//! The paper's letters, and where they are here:
//!
//! | paper | here |
//! |---|---|
//! | v, an abstract value; R, B | [`values::domain::Abstract`]; its `AnyReal`, `AnyBoolean` |
//! | sigma, an abstract environment | [`specialiser::frame::Frame`]: the values of locals and slots |
//! | E, the abstract evaluator | `evaluate`: [`Specialiser::expression`] |
//! | A, abstract application | `apply`: [`Specialiser::apply`]; its inside is `Specialiser::body` |
//! | a, an analysis: bindings of (closure, argument) to results | [`specialiser`]: instances; `widening` |
//! | bottom | [`values::reason::Stop::Never`] |
//! | union | [`values::domain::Domain::join`] |
//!
//! The paper analyses first and then generates code by walking through the program again with the analysis at hand
//! (section 6). Here the evaluator appends the code of what it does not know to the code of the instance that it
//! evaluates, so each rule of the language is written once. The code of the last evaluation of each instance is kept.
//!
//! Differences from the paper: abstract values are hash-consed, instances are evaluated again only if something that
//! they depend on has changed, reals are widened without hints, and there are unions, of a few shapes, where an item cannot
//! be typed else. What cannot be typed, or exceeds a budget, is not
//! specialised, for a [`Reason`]; nothing here decides what a program means.

pub mod values;

pub mod specialiser;

mod evaluate;

mod apply;
mod widening;

mod coercion;
mod flat;
mod unions;

mod primitives;

mod assumed;
mod data;
mod describe;

pub use assumed::Assumed;
pub use data::shape_of as shape_of_data;
pub use describe::{Described, Widened};
pub use specialiser::worth::{Weighing, repeats, statements_once};
pub use values::reason::{Cause, Reason};

use primitives::{backpropagators, computations};
use specialiser::budget::Unrolling;
use specialiser::instance::{Instance, InstanceId};
use specialiser::{Elements, Global, Specialiser, worth};
use std::collections::{BTreeMap, BTreeSet};
use values::domain::{Abstract, AbstractId, Unions};
use vlad_core::{ExpressionId, GlobalId, Item, LambdaId, Program};
use vlad_first_order::{FunctionId, Unit};

/// Analyses all items of a program.
pub fn analyse(program: &Program, weighing: Weighing) -> Vec<Result<Unit, Reason>> {
    let mut analysis = Analysis::new(program, weighing);
    std::iter::from_fn(|| analysis.next_item(|_, unit| Ok(unit))).collect()
}

/// The analysis of a program, item by item: for each the first-order code, with statements of differentiation, or the
/// reason why there is none. Definitions of procedures need none; their reason says so.
pub struct Analysis<'program> {
    specialiser: Specialiser<'program>,
    /// True if the code of an item has elements of data in it.
    depends_on_data: bool,
    items: std::slice::Iter<'program, Item>,
}

impl<'program> Analysis<'program> {
    /// The analysis before the first item.
    pub fn new(program: &'program Program, weighing: Weighing) -> Analysis<'program> {
        let mut specialiser = Specialiser::new(program, weighing);
        for (global, lambda) in &program.prelude {
            specialiser.define_procedure(*global, *lambda);
            if program.global(*global).name == "build" {
                specialiser.build = Some(*lambda);
            }
        }
        Analysis { specialiser, depends_on_data: false, items: program.items.iter() }
    }

    /// Analyses the next item, and compiles its code further; none after the last item. If either fails, it is done again
    /// with more steps of the item's loops unrolled, where that makes a difference.
    pub fn next_item<T>(
        &mut self,
        mut compile: impl FnMut(&Self, Unit) -> Result<T, Reason>,
    ) -> Option<Result<T, Reason>> {
        let item = *self.items.next()?;
        let outcome = self.with_rows(item, &mut compile);
        if outcome.is_ok() || !self.specialiser.reads_data || self.specialiser.elements == Elements::Known {
            return Some(outcome);
        }
        self.specialiser.elements = Elements::Known;
        let with_elements = self.with_rows(item, &mut compile);
        self.specialiser.elements = Elements::Unknown;
        self.depends_on_data |= with_elements.is_ok();
        Some(with_elements.or(outcome))
    }

    /// Analyses an item, and compiles its code further, once more where that may help.
    fn attempted<T>(
        &mut self,
        item: Item,
        compile: &mut impl FnMut(&Self, Unit) -> Result<T, Reason>,
    ) -> Result<T, Reason> {
        let mut outcome =
            self.specialiser.item(item, Unrolling::Few, Unions::Refused).and_then(|unit| compile(self, unit));
        if outcome.is_err() && self.specialiser.unrolling == Unrolling::Exceeded {
            outcome =
                self.specialiser.item(item, Unrolling::Many, Unions::Refused).and_then(|unit| compile(self, unit));
        }
        if outcome.is_err() && self.specialiser.known_arrays > 0 {
            self.specialiser.takes_known_apart = true;
            outcome = self.specialiser.item(item, Unrolling::Few, Unions::Refused).and_then(|unit| compile(self, unit));
            self.specialiser.takes_known_apart = false;
        }
        if let Err(reason) = outcome {
            outcome = self.with_unions(item, reason, compile);
        }
        outcome
    }

    /// Analyses an item that is not specialised else, for a reason, with unions, then with cells: both are slower than
    /// structures that are known, so the others are tried first.
    fn with_unions<T>(
        &mut self,
        item: Item,
        mut reason: Reason,
        compile: &mut impl FnMut(&Self, Unit) -> Result<T, Reason>,
    ) -> Result<T, Reason> {
        for unions in [Unions::Made, Unions::Folded] {
            if !may_be_solved(&reason.cause, unions) {
                continue;
            }
            let mut outcome = self.specialiser.item(item, Unrolling::Few, unions).and_then(|unit| compile(self, unit));
            if outcome.is_err() && self.specialiser.unrolling == Unrolling::Exceeded && unions == Unions::Made {
                outcome = self.specialiser.item(item, Unrolling::Many, unions).and_then(|unit| compile(self, unit));
            }
            match outcome {
                Ok(unit) => return Ok(unit),
                // Cells are no help where something else is in the way, and then tell less of it.
                Err(other) if unions == Unions::Made || is_of_cells(&reason.cause) || is_of_cells(&other.cause) => {
                    reason = other;
                }
                Err(_) => {}
            }
        }
        Err(reason)
    }

    /// The code of the procedure that a definition is known to have as its value.
    pub fn procedure_of(&self, global: GlobalId) -> Option<LambdaId> {
        let Some(Global::Known(value)) = self.specialiser.globals.get(global.0 as usize) else { return None };
        if let Abstract::Closure(lambda, _) = self.specialiser.domain.get(*value) { Some(*lambda) } else { None }
    }

    /// The instances of the latest item, by the numbers of their functions, if it has first-order code.
    pub fn described(&self) -> Vec<Described> {
        self.specialiser.described()
    }
}

/// Returns true if a cause is about structures that grow.
fn is_of_cells(cause: &Cause) -> bool {
    matches!(
        cause,
        Cause::GrownBefore
            | Cause::VectorAsList
            | Cause::GrownInOperator
            | Cause::GrownCompared
            | Cause::GrownMixed
            | Cause::GrownOperands
            | Cause::GrownOnce
            | Cause::Derivative(_)
    )
}

/// Returns true if unions, or cells, may be what an item needs that is not specialised for a cause.
fn may_be_solved(cause: &Cause, unions: Unions) -> bool {
    match cause {
        Cause::Branches | Cause::Results => true,
        Cause::Work(_)
        | Cause::Instances(_)
        | Cause::Unrolled(_)
        | Cause::Leaves(_)
        | Cause::Parts(_)
        | Cause::Depth(_)
        | Cause::Size(_)
        | Cause::Once(_)
        | Cause::Operands(_)
        | Cause::VectorAsList
        | Cause::GrownBefore => unions == Unions::Folded,
        Cause::Procedure
        | Cause::Data
        | Cause::NoValue
        | Cause::VectorLength
        | Cause::VectorIndex(_)
        | Cause::VectorShape
        | Cause::VectorOfParts
        | Cause::VectorCopied
        | Cause::Constant
        | Cause::BackpropagatorApart
        | Cause::BackpropagatorKept
        | Cause::BackpropagatorLate
        | Cause::BackpropagatorEffects
        | Cause::Primitive(_)
        | Cause::Definition(_)
        | Cause::UnionOfMany
        | Cause::UnionOfVectors
        | Cause::UnionOfMarks
        | Cause::GrownInOperator
        | Cause::GrownCompared
        | Cause::GrownMixed
        | Cause::GrownOperands
        | Cause::GrownOnce
        | Cause::Expressions
        | Cause::Derivative(_)
        | Cause::CheckpointOptions => false,
    }
}

impl Specialiser<'_> {
    fn define_procedure(&mut self, global: GlobalId, lambda: LambdaId) {
        let known = match self.domain.closure(lambda, &[]) {
            Ok(closure) => Global::Known(closure),
            Err(_) => Global::Unknown,
        };
        self.define(global, known);
    }

    fn define(&mut self, global: GlobalId, known: Global) {
        if let Some(place) = self.globals.get_mut(global.0 as usize) {
            *place = known;
        }
    }

    fn item(&mut self, item: Item, unrolling: Unrolling, unions: Unions) -> Result<Unit, Reason> {
        let (Item::Define(_, node) | Item::Expression(node)) = item;
        self.unrolling = unrolling;
        if let Item::Define(global, node) = item
            && let Some(lambda) = self.program.procedure_at(node)
        {
            self.define_procedure(global, lambda);
            return Err(Reason::new(Cause::Procedure).at(node));
        }
        let data = self.data(item)?;
        self.shape = match data {
            Some(Global::Data { shape, .. }) if self.elements == Elements::Unknown => Some(shape),
            Some(Global::Data { .. } | Global::Known(_) | Global::Unknown | Global::Unbound) | None => None,
        };
        self.domain.forget_general_cells();
        let mut outcome = self.unit(node, unrolling, unions);
        if let Item::Define(..) = item
            && self.unrolling == Unrolling::Exceeded
            && let Ok((_, few)) = outcome
        {
            // What is known of a definition, as the length that a loop has counted, serves later items.
            outcome = self.unit(node, Unrolling::Many, unions);
            if !matches!(outcome, Ok((_, many)) if self.domain.leaves(many) < self.domain.leaves(few)) {
                outcome = self.unit(node, Unrolling::Few, unions);
            }
        }
        if let Item::Define(global, _) = item {
            let known = match (data, &outcome) {
                (Some(data), _) => data,
                (None, Ok((_, result))) => Global::Known(*result),
                (None, Err(_)) => Global::Unknown,
            };
            self.define(global, known);
        }
        // What is known of its value serves later items all the same.
        let (unit, _) = outcome?;
        if worth::pays(&unit, self.weighing) { Ok(unit) } else { Err(Reason::new(Cause::GrownOnce).at(node)) }
    }

    /// The code of an item, and the abstract value of its result.
    fn unit(&mut self, node: ExpressionId, unrolling: Unrolling, unions: Unions) -> Result<(Unit, AbstractId), Reason> {
        self.begin_item(unrolling, unions);
        let entry = self.fixpoint(node).map_err(|reason| reason.at(node))?;
        if let Some(id) = self.mixing(entry) {
            return self.with_general_cells(id, node, unrolling, unions);
        }
        let Some(result) = self.result(entry) else {
            return Err(Reason::new(Cause::NoValue).at(node));
        };
        self.leaves_item(result, node)?;
        let is_kept = self.domain.has_backpropagators(result);
        let mut unit = Unit {
            entry: Some(FunctionId(0)),
            inputs: self.take_inputs(),
            written: std::mem::take(&mut self.written),
            result: self.domain.template(result),
            ..Unit::default()
        };
        // Instances are numbered again, in the order in which they are reached.
        let mut numbers = BTreeMap::from([(entry, FunctionId(0))]);
        let mut reached = vec![entry];
        let (mut next, mut sweeps, mut counted) = (0, Vec::new(), Vec::new());
        while let Some(id) = reached.get(next).copied() {
            next += 1;
            let (mut function, its_sweeps, its_counted) = self.take_code(id);
            sweeps.push(its_sweeps);
            counted.push(its_counted);
            function.body.change_statements(&mut |statement| {
                if let Some(callee) = statement.callee_mut() {
                    let count = numbers.len() as u32;
                    *callee = *numbers.entry(InstanceId(callee.0)).or_insert_with(|| {
                        reached.push(InstanceId(callee.0));
                        FunctionId(count)
                    });
                }
            });
            unit.functions.push(function);
        }
        if is_kept || self.compares_backpropagators {
            backpropagators::reads_nothing(&unit).map_err(|reason| reason.at(node))?;
        }
        backpropagators::execute_again(&mut unit, &sweeps).map_err(|reason| reason.at(node))?;
        computations::count_steps(&mut unit, &counted, &sweeps, self.applies_tagged)
            .map_err(|reason| reason.at(node))?;
        self.reached = reached;
        Ok((unit, result))
    }

    /// An instance that an entry calls whose code would need cells of one structure as those of another one.
    fn mixing(&self, entry: InstanceId) -> Option<InstanceId> {
        let (mut called, mut pending) = (BTreeSet::from([entry]), vec![entry]);
        while let Some(id) = pending.pop() {
            let Instance { mixed_cells, callees, .. } = self.row(id);
            if mixed_cells.is_some() {
                return Some(id);
            }
            pending.extend(callees.iter().map(|id| self.current(*id)).filter(|id| called.insert(*id)));
        }
        None
    }

    /// The code of an item if all cells of the structure that an instance has as another one are made as those of that.
    fn with_general_cells(
        &mut self,
        mixing: InstanceId,
        node: ExpressionId,
        unrolling: Unrolling,
        unions: Unions,
    ) -> Result<(Unit, AbstractId), Reason> {
        let Instance { mixed_cells, node: place, .. } = *self.row(mixing);
        let is_changed = mixed_cells.is_some_and(|(cell, general)| self.domain.generalise_cells(cell, general));
        if is_changed { self.unit(node, unrolling, unions) } else { Err(Reason::new(Cause::GrownMixed).at(place)) }
    }
}
