//! Signs of zeros: operations that change nothing but the sign of a zero that nobody observes are left out.
//!
//! Two reals are *alike* if they are equal to the bit, or both zeros, or both NaN. A variable is *marked* if each of its uses has one
//! result for alike values: the same to the bit if the result is not marked, an alike one if it is. So all marked variables can be
//! replaced by alike ones at once. The observable values keep their bits: results of the item, output, decisions. The marks are the
//! greatest ones with this property, over all functions: a parameter is marked if the callee allows it, a result if all callers
//! do, a recorded value if its targets are marked wherever such records are popped. The rows of operations say how the sign of a zero
//! operand influences the result ([`vlad_table::Zero`]).
//!
//! | operation | left out for | the result has to be marked |
//! |---|---|---|
//! | x + +0, x - -0, 1 (x) x, `PositiveZero` | x | yes |
//! | +0 - x, -1 (x) x | -x | yes |
//! | x + -0, x - +0, x * 1, x / 1, copy | x | no: the same to the bit |
//! | x * -1, x / -1 | -x | no |
//!
//! Some reals are *never -0*: constants, absolute values, exponentials, sums with one of these, differences from one of these. Adding
//! +0 to such a real changes nothing, marked or not.
//!
//! Derivatives have many such operations: products with coefficients 1 and -1, and sums that begin with 0. Guards compare with zero,
//! and tangents leave their level as +0, so the signs of zero tangents are not observed on the way.
//!
//! Accumulators in memory begin with +0. If only sums with accumulators, and differences from them, are stored there, they are never
//! -0, and the values that are added to them, or subtracted from them, may be replaced by alike ones.

use crate::passes::records::shared_fields::{Layout, layout_of_targets, layout_of_values};
use crate::{
    AccumulatorAction, Action, Block, End, FunctionId, FunctionTable, Number, Operand, Statement, Unit, Variable,
};
use std::collections::{HashMap, HashSet};
use vlad_table::{Operation, Zero};

/// The marked variables of each function.
#[derive(Clone, Debug, PartialEq)]
pub struct Marks {
    functions: FunctionTable<Vec<bool>>,
    results: FunctionTable<Vec<bool>>,
    /// For each layout of records the places whose targets are marked wherever it is popped.
    records: HashMap<Layout, Vec<bool>>,
}

impl Marks {
    /// Returns true if the sign of a zero in a variable of a function is not observable.
    pub fn is_marked(&self, function: FunctionId, variable: Variable) -> bool {
        self.functions[function].get(variable.0 as usize) == Some(&true)
    }

    /// Marks, by number of function and variable, all whose zeros have signs that are not observable.
    pub fn of(unit: &Unit) -> Marks {
        let mut marks = Marks {
            functions: unit.functions.iter().map(|function| vec![true; function.variables.len()]).collect(),
            results: unit.functions.iter().map(|function| vec![true; function.results.len()]).collect(),
            records: HashMap::new(),
        };
        let called = unit.functions.iter().flat_map(|function| calls_at_levels(&function.body));
        for entry in unit.entry.into_iter().chain(called) {
            marks.results[entry].fill(false);
        }
        if unit.entry.is_none() {
            marks.results.iter_mut().for_each(|results| results.fill(false));
        }
        let accumulators = accumulators(unit);
        loop {
            let accumulators = &accumulators;
            let mut marking =
                Marking { unit, accumulators, marks: &mut marks, function: FunctionId(0), has_changed: false };
            // Marks of results go from callers to callees, and marks of parameters back.
            for (id, function) in unit.numbered().chain(unit.numbered().rev()) {
                marking.function = id;
                let results = marking.marks.results[id].clone();
                marking.block(&function.body, &results, &[]);
            }
            if !marking.has_changed {
                return marks;
            }
        }
    }
}

/// The functions that are called at new levels: those are looked at as if anybody called them.
fn calls_at_levels(body: &Block) -> Vec<FunctionId> {
    body.all_statements().filter(|statement| statement.begins_level()).filter_map(Statement::callee).collect()
}

/// The variables of each function that have the values of accumulators in memory, unless one may be -0.
fn accumulators(unit: &Unit) -> Vec<HashSet<Variable>> {
    let mut all = Vec::new();
    for function in &unit.functions {
        let (mut loaded, mut sums) = (HashSet::new(), HashSet::new());
        let mut are_sums = true;
        // Loads and sums stand before the stores of their values.
        for statement in function.body.all_statements() {
            match statement {
                Statement::Load { target, .. } => {
                    loaded.insert(*target);
                }
                Statement::Operation { target, operation: Operation::Add, first, second: Some(second) } => {
                    let is_loaded =
                        |operand: &Operand| matches!(operand, Operand::Variable(variable) if loaded.contains(variable));
                    if is_loaded(first) || is_loaded(second) {
                        sums.insert(*target);
                    }
                }
                Statement::Operation {
                    target,
                    operation: Operation::Subtract,
                    first: Operand::Variable(first),
                    ..
                } if loaded.contains(first) => {
                    sums.insert(*target);
                }
                Statement::Store { value, .. } => {
                    are_sums &=
                        matches!(value, Operand::Variable(value) if loaded.contains(value) || sums.contains(value));
                }
                _ => {}
            }
        }
        if !are_sums {
            return Vec::new();
        }
        all.push(loaded);
    }
    all
}

struct Marking<'unit> {
    unit: &'unit Unit,
    accumulators: &'unit [HashSet<Variable>],
    marks: &'unit mut Marks,
    function: FunctionId,
    has_changed: bool,
}

impl Marking<'_> {
    /// A use of an operand that distinguishes alike values unless it is allowed.
    fn used(&mut self, operand: Operand, is_allowed: bool) {
        if let Operand::Variable(variable) = operand
            && !is_allowed
            && let Some(mark @ true) = self.marks.functions[self.function].get_mut(variable.0 as usize)
        {
            *mark = false;
            self.has_changed = true;
        }
    }

    /// True for the value of an accumulator in memory.
    fn is_accumulator(&self, operand: Operand) -> bool {
        let loaded = self.accumulators.get(self.function.place());
        operand.variable().is_some_and(|variable| loaded.is_some_and(|loaded| loaded.contains(&variable)))
    }

    fn moved(&mut self, operands: &[Operand], marks: &[bool]) {
        for (operand, mark) in operands.iter().zip(marks) {
            self.used(*operand, *mark);
        }
    }

    fn marked(&self, variables: &[Variable]) -> Vec<bool> {
        variables.iter().map(|variable| self.marks.is_marked(self.function, *variable)).collect()
    }

    /// Goes through a block backwards, given the marks of what it yields and of the state that it repeats with.
    fn block(&mut self, block: &Block, yields: &[bool], repeats: &[bool]) {
        match &block.end {
            End::Yield(operands) => self.moved(operands, yields),
            End::Repeat(operands) => self.moved(operands, repeats),
            End::Branch { consequent, alternative, .. } => {
                self.block(consequent, yields, repeats);
                self.block(alternative, yields, repeats);
            }
            End::BailOut(_) => {}
        }
        for statement in block.statements.iter().rev() {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Storage(_) => vlad_table::internal_bug!("storage code is made after all passes"),
            Statement::Operation { target, operation, first, second } => {
                let is_marked = self.marks.is_marked(self.function, *target);
                let [mut of_first, mut of_second] = allowed(*operation, *first, *second, is_marked);
                if *operation == Operation::Add {
                    of_first |= second.is_some_and(|second| self.is_accumulator(second));
                    of_second |= self.is_accumulator(*first);
                }
                of_second |= *operation == Operation::Subtract && self.is_accumulator(*first);
                self.used(*first, of_first);
                second.iter().for_each(|second| self.used(*second, of_second));
            }
            Statement::Bind { targets, block } => {
                let marks = self.marked(targets);
                self.block(block, &marks, &[]);
            }
            Statement::Loop { targets, state, initial, body } => {
                let marks = self.marked(targets);
                let of_state = self.marked(state);
                self.block(body, &marks, &of_state);
                let of_state = self.marked(state);
                self.moved(initial, &of_state);
            }
            Statement::Call { targets, function, arguments } => {
                let marks = self.marked(targets);
                for (mark, is_marked) in self.marks.results[*function].iter_mut().zip(marks) {
                    self.has_changed |= *mark && !is_marked;
                    *mark &= is_marked;
                }
                let parameters = &self.unit.function(*function).parameters;
                let marks: Vec<bool> =
                    parameters.iter().map(|parameter| self.marks.is_marked(*function, *parameter)).collect();
                self.moved(arguments, &marks);
            }
            Statement::Push { values, .. } => {
                let layout = layout_of_values(self.unit.function(self.function), values);
                // What is never popped is not observed.
                let marks = self.marks.records.get(&layout).cloned().unwrap_or_else(|| vec![true; values.len()]);
                self.moved(values, &marks);
            }
            Statement::Pop { targets, .. } => {
                let layout = layout_of_targets(self.unit.function(self.function), targets);
                let marks = self.marked(targets);
                let record = self.marks.records.entry(layout).or_insert_with(|| vec![true; targets.len()]);
                for (record, is_marked) in record.iter_mut().zip(marks) {
                    self.has_changed |= *record && !is_marked;
                    *record &= is_marked;
                }
            }
            Statement::Build { targets, body, .. } => self.block(body, &vec![false; targets.len()], &[]),
            Statement::Act { action: Action::Accumulator(AccumulatorAction::Add), .. } => {}
            Statement::Forward { .. }
            | Statement::Reverse { .. }
            | Statement::Write { .. }
            | Statement::Array { .. }
            | Statement::Store { .. }
            | Statement::Replace { .. }
            | Statement::Cell { .. }
            | Statement::Act { .. } => {
                statement.operands().into_iter().for_each(|operand| self.used(operand, false));
            }
            // Their operands are no reals, or zeros of both signs are one to them.
            _ => {}
        }
    }
}

/// For each operand of an operation: alike operands give a result that is the same, or alike if it is marked.
fn allowed(operation: Operation, first: Operand, second: Option<Operand>, is_marked: bool) -> [bool; 2] {
    let is_nonzero = |operand: Option<Operand>| operand.and_then(Operand::number).is_some_and(|number| number != 0.0);
    let allows = |place: usize, other: Option<Operand>| match operation.row().facts.zeros.get(place) {
        Some(Zero::Same) | None => true,
        Some(Zero::Alike) => is_marked,
        Some(Zero::Added) => is_marked || is_nonzero(other),
        Some(Zero::Distinct) => false,
    };
    [allows(0, second), allows(1, Some(first))]
}

/// Leaves out what changes only signs of zeros that are not observable.
pub fn leave_out_zero_signs(unit: &mut Unit) {
    let marks = Marks::of(unit);
    for (id, function) in unit.numbered_mut() {
        let mut known = Known::default();
        leave_out(&mut function.body, &mut known, &|variable| marks.is_marked(id, variable));
    }
}

/// The facts about the variables of a function that are defined so far.
#[derive(Default)]
struct Known {
    /// The operands that stand for variables.
    values: HashMap<Variable, Operand>,
    /// The variables that are never -0.
    never_negative_zero: HashSet<Variable>,
}

impl Known {
    fn is_never_negative_zero(&self, operand: Operand) -> bool {
        match operand {
            Operand::Variable(variable) => self.never_negative_zero.contains(&variable),
            Operand::Real(bits) => bits.real() != 0.0 || bits.real().is_sign_positive(),
            Operand::Boolean(_) => false,
        }
    }

    /// Notes what a statement defines. A sum is -0 if both operands are, a difference if the first is and the second is +0.
    fn note(&mut self, statement: &Statement) {
        let target = match statement {
            Statement::Operation { target, operation: Operation::Add, first, second: Some(second) }
                if self.is_never_negative_zero(*first) || self.is_never_negative_zero(*second) =>
            {
                target
            }
            Statement::Operation { target, operation: Operation::Subtract, first, .. }
                if self.is_never_negative_zero(*first) =>
            {
                target
            }
            Statement::Operation { target, operation: Operation::Absolute | Operation::Exponential, .. }
            | Statement::PositiveZero { target, .. } => target,
            _ => return,
        };
        self.never_negative_zero.insert(*target);
    }
}

fn leave_out(block: &mut Block, known: &mut Known, is_marked: &impl Fn(Variable) -> bool) {
    let replace = |operand: &mut Operand, values: &HashMap<Variable, Operand>| {
        operand.substitute(values);
    };
    for mut statement in std::mem::take(&mut block.statements) {
        statement.change_operands(|operand| replace(operand, &known.values));
        match simpler(&statement, known, is_marked) {
            Some((target, Simpler::Copy(operand))) => {
                known.values.insert(target, operand);
                continue;
            }
            Some((target, Simpler::Negation(first))) => {
                statement = Statement::Operation { target, operation: Operation::Negate, first, second: None };
            }
            None => {}
        }
        known.note(&statement);
        if let Some(block) = statement.block_mut() {
            leave_out(block, known, is_marked);
        }
        block.statements.push(statement);
    }
    block.end.operands_mut().iter_mut().for_each(|operand| replace(operand, &known.values));
    for block in block.end.blocks_mut().into_iter().flatten() {
        leave_out(block, known, is_marked);
    }
}

enum Simpler {
    Copy(Operand),
    Negation(Operand),
}

/// The target of an operation, and what it is without it (the table in the header).
fn simpler(statement: &Statement, known: &Known, is_marked: &impl Fn(Variable) -> bool) -> Option<(Variable, Simpler)> {
    use Operation::{Add, Copy, Divide, GuardedMultiply, Multiply, Subtract};
    let (target, operation, first, second) = match statement {
        Statement::PositiveZero { target, operand } => {
            let is_unchanged = is_marked(*target) || known.is_never_negative_zero(*operand);
            return is_unchanged.then_some((*target, Simpler::Copy(*operand)));
        }
        Statement::Operation { target, operation: Copy, first, .. } => return Some((*target, Simpler::Copy(*first))),
        Statement::Operation { target, operation, first, second: Some(second) } => {
            (*target, *operation, *first, *second)
        }
        _ => return None,
    };
    let is_marked = is_marked(target);
    let found = match (operation, first.number(), second.number()) {
        (Add, _, Some(zero)) if zero == 0.0 && (is_marked || zero.is_sign_negative()) => Simpler::Copy(first),
        (Add, Some(zero), _) if zero == 0.0 && (is_marked || zero.is_sign_negative()) => Simpler::Copy(second),
        (Subtract, _, Some(zero)) if zero == 0.0 && (is_marked || zero.is_sign_positive()) => Simpler::Copy(first),
        (Subtract, Some(0.0), _) if is_marked => Simpler::Negation(second),
        (Multiply | Divide, _, Some(1.0)) => Simpler::Copy(first),
        (Multiply, Some(1.0), _) => Simpler::Copy(second),
        (Multiply | Divide, _, Some(-1.0)) => Simpler::Negation(first),
        (Multiply, Some(-1.0), _) => Simpler::Negation(second),
        (GuardedMultiply, _, Some(1.0)) if is_marked => Simpler::Copy(first),
        (GuardedMultiply, Some(1.0), _) if is_marked => Simpler::Copy(second),
        (GuardedMultiply, _, Some(-1.0)) if is_marked => Simpler::Negation(first),
        (GuardedMultiply, Some(-1.0), _) if is_marked => Simpler::Negation(second),
        _ => return None,
    };
    Some((target, found))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind::Real;
    use crate::build::Building;
    use crate::differentiate::remove_levels;
    use crate::passes::shape::tidy::tidy;
    use crate::text::print::print;

    /// 20 - x is never -0, so neither are its differences, and the zero of such a one needs no care; that of x y does.
    #[test]
    fn differences_from_a_constant_are_never_negative_zero() {
        let mut building = Building::default();
        building.entry(&[Real, Real], |code| {
            let (x, y) = (code.read(), code.read());
            let one = code.binary(Operation::Subtract, Operand::real(20.0), x);
            let other = code.binary(Operation::Subtract, one, y);
            let product = code.binary(Operation::Multiply, x, y);
            let [first, second] = [other, product].map(|operand| code.positive_zero(operand));
            End::Yield(vec![first, second])
        });
        let mut unit = building.finish();
        leave_out_zero_signs(&mut unit);
        let text = print(&unit, None);
        assert_eq!(text.matches("positive-zero").count(), 1, "{text}");
        assert!(text.contains("positive-zero r4"), "{text}");
    }

    #[test]
    fn the_tangent_of_a_sum_is_a_sum() {
        let mut building = Building::default();
        let sum = building.declare("sum", &[Real, Real], &[Real]);
        building.define(sum, |code, p| End::Yield(vec![code.binary(Operation::Add, p[0], p[1])]));
        building.entry(&[Real], |code| {
            let (x, y) = (code.read(), code.read());
            End::Yield(vec![code.forward(sum, &[x, y], &[Some(x), Some(y)])[1]])
        });
        let mut unit = building.finish();
        remove_levels(&mut unit).unwrap();
        leave_out_zero_signs(&mut unit);
        tidy(&mut unit);
        let text = print(&unit, None);
        assert!(!text.contains("guarded") && text.matches("= + ").count() == 1, "{text}");
    }
}
