//! Cotangent forwarding: a given array is read in place of accumulators that get this array and nothing else.
//!
//! ```text
//! a = build n i: accumulators like y[i]
//! for i below n, each j:  a[i][j] := a[i][j] + g[i][j]     ~>    ... g[i][j] + 0 ...
//! ... a[i][j] ...
//! ```
//!
//! A reverse sweep makes accumulators for each array of the primal code. It adds the given cotangent to the accumulators of the
//! result. They get nothing more if the primal code does not read its result; a matrix product does not. The sum 0 + g is g, but for
//! the sign of a zero, so the sweep reads g with +0 in place of zeros.
//!
//! The given array must not change. It does not if all arrays that change in the function are accumulators that were made there, and
//! the given array is none of them: a sweep returns accumulators only when it is done with them. Later passes do not recognise
//! reverse sweeps in the result, so this pass comes late.

use crate::variables::reads;
use crate::{Block, End, Function, Kind, Operand, Statement, Unit, Variable};
use std::collections::{HashMap, HashSet};
use vlad_table::Operation;

/// Reads given arrays in place of accumulators.
pub fn read_given(unit: &mut Unit) {
    for function in &mut unit.functions {
        let uses = Uses::of(function);
        let found = uses.given(function);
        if found.is_empty() {
            continue;
        }
        let is_found =
            |array: &Operand| found.iter().any(|addition| Operand::Variable(addition.accumulators) == *array);
        let rows = uses.taken_from.iter().filter(|(_, array)| is_found(array)).map(|(row, _)| *row).collect();
        let mut body = std::mem::take(&mut function.body);
        Given { found: &found, rows }.replace(&mut body, function);
        function.body = body;
    }
}

/// The arrays of a function.
#[derive(Default)]
struct Uses {
    /// For each element that is an array the array that it is taken from.
    taken_from: HashMap<Variable, Operand>,
    /// The accumulators, and the arrays of such.
    accumulators: HashSet<Variable>,
    /// The arrays that a `build` makes of accumulators.
    of_rows: HashSet<Variable>,
    /// The arrays that change.
    stored: HashSet<Operand>,
    /// The number of loads of an array.
    loads: HashMap<Variable, usize>,
    /// The number of rows that are taken of an array.
    elements: HashMap<Variable, usize>,
    /// The number of times that a variable is read in any way.
    reads: HashMap<Variable, usize>,
}

/// A loop that adds an array of rows to accumulators, element by element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Addition {
    accumulators: Variable,
    given: Operand,
    /// The row of the accumulators in the loop.
    row: Variable,
}

impl Uses {
    fn of(function: &Function) -> Uses {
        let mut uses = Uses { reads: reads(&function.body), ..Uses::default() };
        for statement in function.body.all_statements() {
            match statement {
                Statement::Element { target, array: array @ Operand::Variable(from), .. }
                    if function.kind((*target).into()).is_array() =>
                {
                    uses.taken_from.insert(*target, *array);
                    *uses.elements.entry(*from).or_default() += 1;
                }
                Statement::Load { array: Operand::Variable(array), .. } => *uses.loads.entry(*array).or_default() += 1,
                Statement::Store { array, .. } => {
                    uses.stored.insert(*array);
                }
                Statement::Accumulators { target, .. } => {
                    uses.accumulators.insert(*target);
                }
                Statement::Build { targets, body, .. } => {
                    let End::Yield(values) = &body.end else { continue };
                    for (target, value) in targets.iter().zip(values) {
                        if let Operand::Variable(row) = value
                            && makes_accumulators(body, *row)
                        {
                            uses.of_rows.insert(*target);
                            uses.accumulators.insert(*target);
                        }
                    }
                }
                _ => {}
            }
        }
        uses
    }

    /// The array that an array is, or is a part of.
    fn whole(&self, mut array: Operand) -> Operand {
        while let Operand::Variable(variable) = array
            && let Some(from) = self.taken_from.get(&variable)
        {
            array = *from;
        }
        array
    }

    fn is_of_accumulators(&self, array: Operand) -> bool {
        matches!(self.whole(array), Operand::Variable(whole) if self.accumulators.contains(&whole))
    }

    /// The additions after which accumulators are given arrays.
    fn given(&self, function: &Function) -> Vec<Addition> {
        let mut found = Vec::new();
        if self.accumulators.is_empty() || !self.stored.iter().all(|array| self.is_of_accumulators(*array)) {
            return found;
        }
        for block in function.body.all_blocks() {
            for (place, statement) in block.statements.iter().enumerate() {
                let Some(addition) = addition(statement) else { continue };
                let is_made = |statement: &Statement| statement.targets().contains(&addition.accumulators);
                let made = block.statements.iter().take(place).position(is_made);
                let between = block.statements.iter().take(place).skip(made.map_or(place, |made| made + 1));
                let is_read = |statement: &Statement| {
                    statement.operands().contains(&addition.accumulators.into())
                        || statement.block().is_some_and(|block| reads(block).contains_key(&addition.accumulators))
                };
                let length_of = |statement: &Statement| match statement {
                    Statement::Build { length, .. } => Some(*length),
                    _ => None,
                };
                let made_length = made.and_then(|made| block.statements.get(made)).and_then(length_of);
                let has_length = made_length.is_some() && made_length == length_of(statement);
                if has_length && !between.into_iter().any(is_read) && self.is_alone(addition, function) {
                    found.push(addition);
                }
            }
        }
        found
    }

    /// True if accumulators and their rows are only read, but for the addition.
    fn is_alone(&self, addition: Addition, function: &Function) -> bool {
        let of = |counts: &HashMap<Variable, usize>, variable: Variable| counts.get(&variable).copied().unwrap_or(0);
        let Addition { accumulators, given, row } = addition;
        if self.is_of_accumulators(given) || function.kind(given) != function.kind(accumulators.into()) {
            return false;
        }
        let is_loaded = |row: &Variable| of(&self.reads, *row) == of(&self.loads, *row);
        let taken = |found: &&Variable| self.taken_from.get(found) == Some(&Operand::Variable(accumulators));
        self.of_rows.contains(&accumulators)
            && of(&self.reads, accumulators) == of(&self.elements, accumulators)
            && self.taken_from.keys().filter(taken).all(|taken| *taken == row || is_loaded(taken))
    }
}

/// The addition of an array of rows to accumulators that a statement is.
fn addition(statement: &Statement) -> Option<Addition> {
    let (index, statements) = changing(statement)?;
    let [
        Statement::Element { target: from, array: given, index: of_given },
        Statement::Element { target: row, array: Operand::Variable(accumulators), index: of_row },
        Statement::Length { target: length, array: measured },
        inner @ Statement::Build { length: of_inner, .. },
    ] = statements
    else {
        return None;
    };
    let is_of_rows = adds(inner, (*row).into(), (*from).into())
        && [of_given, of_row].into_iter().all(|place| *place == index)
        && (*measured, *of_inner) == ((*row).into(), (*length).into());
    is_of_rows.then_some(Addition { accumulators: *accumulators, given: *given, row: *row })
}

/// True if a statement adds one array of reals to another one, element by element.
fn adds(statement: &Statement, to: Operand, from: Operand) -> bool {
    let Some((index, statements)) = changing(statement) else { return false };
    let [
        Statement::Element { target: element, array: given, index: of_given },
        Statement::Load { target: old, array: loaded, index: of_old },
        Statement::Operation { target: new, operation: Operation::Add, first, second: Some(second) },
        Statement::Store { array: stored, index: of_new, value },
    ] = statements
    else {
        return false;
    };
    (*first, *second, *value) == ((*old).into(), (*element).into(), (*new).into())
        && [of_given, of_old, of_new].into_iter().all(|place| *place == index)
        && (*given, *loaded, *stored) == (from, to, to)
}

/// The index and the code of a `build` that makes nothing, and only changes arrays.
fn changing(statement: &Statement) -> Option<(Operand, &[Statement])> {
    let Statement::Build { targets, index, body: Block { statements, end: End::Yield(values) }, .. } = statement else {
        return None;
    };
    (targets.is_empty() && values.is_empty()).then_some(((*index).into(), statements.as_slice()))
}

/// True if an array of accumulators is made in a block and read by its end alone.
fn makes_accumulators(body: &Block, row: Variable) -> bool {
    let is_made = |statement: &Statement| matches!(statement, Statement::Accumulators { target, .. } if *target == row);
    body.statements.iter().any(is_made) && reads(body).get(&row) == Some(&1)
}

/// The accumulators that are left out.
struct Given<'found> {
    found: &'found [Addition],
    /// The rows that are taken of them.
    rows: HashSet<Variable>,
}

impl Given<'_> {
    fn of(&self, array: Operand) -> Option<Operand> {
        self.found.iter().find(|addition| Operand::Variable(addition.accumulators) == array).map(|found| found.given)
    }

    /// Reads the given arrays in a block, without the accumulators and the additions.
    fn replace(&self, block: &mut Block, function: &mut Function) {
        for mut statement in std::mem::take(&mut block.statements) {
            if addition(&statement).is_some_and(|addition| self.found.contains(&addition)) {
                continue;
            }
            match &mut statement {
                Statement::Build { targets, body, .. } => self.leave_out(targets, body),
                Statement::Element { array, .. } => *array = self.of(*array).unwrap_or(*array),
                Statement::Load { target, array: Operand::Variable(row), index } if self.rows.contains(row) => {
                    let element = function.fresh(Kind::Real);
                    block.statements.push(Statement::Element { target: element, array: (*row).into(), index: *index });
                    statement = Statement::PositiveZero { target: *target, operand: element.into() };
                }
                _ => {}
            }
            if let Some(inner) = statement.block_mut() {
                self.replace(inner, function);
            }
            block.statements.push(statement);
        }
        for inner in block.end.blocks_mut().into_iter().flatten() {
            self.replace(inner, function);
        }
    }

    /// Leaves accumulators out of what a `build` makes.
    fn leave_out(&self, targets: &mut Vec<Variable>, body: &mut Block) {
        let End::Yield(values) = &mut body.end else { return };
        let is_left_out: Vec<bool> = targets.iter().map(|target| self.of((*target).into()).is_some()).collect();
        let mut left_out = is_left_out.iter().copied();
        targets.retain(|_| left_out.next() != Some(true));
        let mut left_out = is_left_out.iter().copied();
        let mut rows = Vec::new();
        values.retain(|row| {
            let is_left_out = left_out.next() == Some(true);
            rows.extend(is_left_out.then_some(*row));
            !is_left_out
        });
        let is_row = |target: &Variable| rows.contains(&Operand::Variable(*target));
        body.statements.retain(|statement| !statement.targets().iter().any(is_row));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::{Building, Code};
    use crate::check::check;
    use crate::text::print::print;

    /// Adds an array to another one of the same length, by a function of an index that adds one element.
    fn add(code: &mut Code<'_>, length: Operand, each: impl FnOnce(&mut Code<'_>, Operand)) {
        code.build(&[], length, |code, index| {
            each(code, index);
            End::Yield(Vec::new())
        });
    }

    fn accumulators(code: &mut Code<'_>, like: Operand) -> Operand {
        let target = code.fresh(Kind::REALS);
        code.push(Statement::Accumulators { target, like });
        target.into()
    }

    fn load(code: &mut Code<'_>, array: Operand, index: Operand) -> Operand {
        let target = code.fresh(Kind::Real);
        code.push(Statement::Load { target, array, index });
        target.into()
    }

    fn add_element(code: &mut Code<'_>, [to, from]: [Operand; 2], index: Operand) {
        let element = code.element(from, index);
        let old = load(code, to, index);
        let value = code.binary(Operation::Add, old, element);
        code.push(Statement::Store { array: to, index, value });
    }

    /// The code of a function of rows that adds them to accumulators, and yields what other code makes of these.
    fn of_rows(read: impl FnOnce(&mut Code<'_>, Operand, Operand) -> Operand) -> String {
        let mut building = Building::default();
        let rows = Kind::REALS.array().unwrap();
        let function = building.declare("f", &[rows], &[Kind::Real]);
        building.define(function, |code, p| {
            let length = code.length(p[0]);
            let made = code.build(&[rows], length, |code, index| {
                let row = code.element(p[0], index);
                End::Yield(vec![accumulators(code, row)])
            })[0];
            add(code, length, |code, index| {
                let (from, to) = (code.element(p[0], index), code.element(made, index));
                let length = code.length(to);
                add(code, length, |code, index| add_element(code, [to, from], index));
            });
            End::Yield(vec![read(code, made, p[0])])
        });
        after(building)
    }

    fn after(building: Building) -> String {
        let mut unit = building.finish();
        read_given(&mut unit);
        check(&unit).unwrap();
        print(&unit, None)
    }

    #[test]
    fn what_is_added_once_is_read() {
        let text = of_rows(|code, made, _| {
            let row = code.element(made, Operand::real(1.0));
            load(code, row, Operand::real(2.0))
        });
        assert!(!text.contains("accumulators") && !text.contains("load") && !text.contains("store"), "{text}");
    }

    #[test]
    fn accumulators_that_change_again_or_are_moved_stay() {
        let zero = Operand::real(0.0);
        let again = of_rows(|code, made, given| {
            let (to, from) = (code.element(made, zero), code.element(given, zero));
            add_element(code, [to, from], zero);
            load(code, to, zero)
        });
        assert!(again.contains("accumulators"), "{again}");
        let moved = of_rows(|code, made, _| {
            let bound = code.bind(&[Kind::REALS.array().unwrap()], |_| End::Yield(vec![made]))[0];
            let row = code.element(bound, zero);
            load(code, row, zero)
        });
        assert!(moved.contains("accumulators"), "{moved}");
    }

    #[test]
    fn an_array_that_may_change_is_not_read() {
        let zero = Operand::real(0.0);
        let text = of_rows(|code, made, given| {
            let (row, other) = (code.element(made, zero), code.element(given, zero));
            code.push(Statement::Store { array: other, index: zero, value: zero });
            load(code, row, zero)
        });
        assert!(text.contains("accumulators"), "{text}");
    }
}
