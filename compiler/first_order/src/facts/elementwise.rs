//! Elementwise loops: each iteration works on the elements at one index, and on values that stay.
//!
//! - A build computes each element of elements at its index. The arrays that are built are new, and those that are read are older.
//! - A loop changes one array of numbers: additions to the accumulators of a row are such loops.
//!
//! ```text
//! for i below n:  x[i] := x[i] + f (y[i], ...)        or in each place of i: m - i
//! ```
//!
//! No iteration reads an element that another one writes: arrays are the same or have no element in common. So several iterations may
//! be executed at once, in any order and with packed instructions, and each of them has the operations and the bits that it has alone.
//! C compilers do not see this: the arrays might overlap, for all they know, and at `-O2` gcc vectorises no loop that needs a test of
//! it. So the code says so (`VLAD_ELEMENTWISE`, in `first_order_paths.h`).

use crate::{Block, End, Function, Kind, Operand, Statement, Variable};
use std::collections::HashSet;
use vlad_table::Operation;

/// True for a build or a loop whose iterations may be executed at once.
pub fn is_elementwise(function: &Function, statement: &Statement) -> bool {
    match statement {
        Statement::Build { index, body, .. } => is_elementwise_build(function, *index, body),
        Statement::Loop { initial, .. } if initial.as_slice() == [Operand::real(0.0)] => statement
            .iteration()
            .is_some_and(|iteration| is_elementwise_iteration(function, iteration.counter, iteration.block)),
        _ => false,
    }
}

/// True for the body of a build with an index whose iterations may be executed at once.
pub fn is_elementwise_build(function: &Function, index: Variable, body: &Block) -> bool {
    let End::Yield(values) = &body.end else { return false };
    let mut elements = Elements::new(function, index.into());
    values.iter().all(|value| elements.is_number(*value))
        && body.statements.iter().all(|statement| elements.take(statement))
        && elements.reads
}

/// True for an iteration of a loop with a counter, if all may be executed at once.
pub fn is_elementwise_iteration(function: &Function, counter: Variable, iteration: &Block) -> bool {
    let End::Repeat(next) = &iteration.end else { return false };
    let counter = Operand::Variable(counter);
    let is_next = |statement: &Statement| {
        matches!(statement, Statement::Operation { target, operation: Operation::Add, first, second }
            if next.as_slice() == [(*target).into()] && *first == counter && *second == Some(Operand::real(1.0)))
    };
    // The index is the counter, or goes down from some number.
    let is_difference = |statement: &&Statement| matches!(statement, Statement::Operation { operation: Operation::Subtract, second, .. } if *second == Some(counter));
    let difference = iteration.statements.iter().find(is_difference);
    let index = difference.and_then(|statement| statement.targets().first()).map_or(counter, |index| (*index).into());
    let mut elements = Elements::new(function, index);
    elements.counters.insert(counter);
    elements.counters.extend(next);
    let mut stores = 0;
    let is_taken = iteration.statements.iter().all(|statement| match statement {
        Statement::Operation { first, .. } if Some(statement) == difference => !elements.varying.contains(first),
        Statement::Operation { .. } if is_next(statement) => true,
        Statement::Element { index: place, .. } | Statement::Load { index: place, .. } => {
            *place == index && elements.take(statement)
        }
        Statement::Store { array, index: place, value } => {
            stores += 1;
            *place == index && function.kind(*array) == Kind::REALS && elements.is_number(*value)
        }
        other => elements.take(other),
    });
    is_taken && stores == 1 && iteration.statements.iter().any(is_next)
}

/// The code of an iteration, as far as it has been looked at.
struct Elements<'unit> {
    function: &'unit Function,
    index: Operand,
    /// The counters of iterations, of which no number is computed.
    counters: HashSet<Operand>,
    /// The variables that differ between iterations.
    varying: HashSet<Operand>,
    /// True if an element at the index is read.
    reads: bool,
}

impl Elements<'_> {
    fn new(function: &Function, index: Operand) -> Elements<'_> {
        let counters = HashSet::from([index]);
        Elements { function, index, counters, varying: HashSet::new(), reads: false }
    }

    /// True for a number that may be an element.
    fn is_number(&self, value: Operand) -> bool {
        self.function.kind(value) == Kind::Real && !self.counters.contains(&value)
    }

    /// Returns true if there are packed instructions for a statement, or if it is the same in each iteration.
    fn take(&mut self, statement: &Statement) -> bool {
        if let Statement::Element { target, array, index } | Statement::Load { target, array, index } = statement
            && *index == self.index
        {
            self.reads = true;
            self.varying.insert((*target).into());
            return self.function.kind((*target).into()) == Kind::Real && !self.varying.contains(array);
        }
        let operands = statement.operands();
        let varies = operands.iter().any(|operand| self.varying.contains(operand));
        if operands.iter().any(|operand| self.counters.contains(operand)) {
            return false;
        }
        if varies {
            self.varying.extend(statement.targets().iter().copied().map(Operand::Variable));
        }
        let is_same = !varies && matches!(statement, Statement::Element { .. } | Statement::Length { .. });
        is_same
            || matches!(statement, Statement::PositiveZero { .. } | Statement::Count { .. })
            || statement.operation().is_some_and(Operation::is_packed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::{Building, Code};
    use vlad_table::Comparison;

    /// True if the build of a function is elementwise, of two vectors of one length and a number.
    fn is_of(element: impl FnOnce(&mut Code<'_>, [Operand; 3], Operand) -> Operand) -> bool {
        let mut building = Building::default();
        let function = building.declare("f", &[Kind::REALS, Kind::REALS, Kind::Real], &[Kind::REALS]);
        building.define(function, |code, p| {
            let length = code.length(p[0]);
            let built = code
                .build(&[Kind::Real], length, |code, index| End::Yield(vec![element(code, [p[0], p[1], p[2]], index)]));
            End::Yield(built)
        });
        let unit = building.finish();
        let function = &unit.functions[0];
        let mut found = function.body.all_statements().filter(|statement| statement.repeats());
        is_elementwise(function, found.next().unwrap())
    }

    #[test]
    fn operations_on_elements_at_the_index_are_elementwise() {
        assert!(is_of(|code, [u, v, number], index| {
            let (first, second) = (code.element(u, index), code.element(v, index));
            let scaled = code.binary(Operation::Multiply, number, first);
            code.binary(Operation::Add, scaled, second)
        }));
    }

    #[test]
    fn an_element_that_stays_is_the_same_in_each_iteration() {
        assert!(is_of(|code, [u, v, _], index| {
            let (first, second) = (code.element(u, index), code.element(v, Operand::real(2.0)));
            code.binary(Operation::Divide, first, second)
        }));
    }

    #[test]
    fn what_has_no_packed_instructions_is_not_elementwise() {
        assert!(!is_of(|_, [_, _, number], _| number));
        assert!(!is_of(|code, [u, _, _], index| {
            let element = code.element(u, index);
            code.binary(Operation::Add, element, index)
        }));
        assert!(!is_of(|code, [u, v, _], index| {
            let other = code.element(u, index);
            code.element(v, other)
        }));
        assert!(!is_of(|code, [u, _, _], index| {
            let element = code.element(u, index);
            code.binary(Operation::Modulo, element, Operand::real(3.0))
        }));
    }

    /// True if the loop of a function over the indices of two vectors is elementwise, given its code, the vectors, its
    /// counter, and how far the last index is from it.
    fn is_loop_of(iteration: impl FnOnce(&mut Code<'_>, [Operand; 2], [Operand; 2])) -> bool {
        let mut building = Building::default();
        let function = building.declare("f", &[Kind::REALS, Kind::REALS], &[]);
        building.define(function, |code, p| {
            let (zero, one) = (Operand::real(0.0), Operand::real(1.0));
            let length = code.length(p[0]);
            let last = code.binary(Operation::Subtract, length, one);
            code.run_loop(&[], &[zero], |code, state| {
                let goes_on = code.compare(Comparison::Less, state[0], length);
                code.branch(
                    goes_on,
                    |code| {
                        let down = code.binary(Operation::Subtract, last, state[0]);
                        iteration(code, [p[0], p[1]], [state[0], down]);
                        End::Repeat(vec![code.binary(Operation::Add, state[0], one)])
                    },
                    |_| End::Yield(Vec::new()),
                )
            });
            End::Yield(Vec::new())
        });
        let unit = building.finish();
        let function = &unit.functions[0];
        let mut found = function.body.all_statements().filter(|statement| statement.repeats());
        is_elementwise(function, found.next().unwrap())
    }

    /// Adds a number to an element of an array that changes.
    fn add(code: &mut Code<'_>, array: Operand, index: Operand, number: Operand) {
        let target = code.fresh(Kind::Real);
        code.push(Statement::Load { target, array, index });
        let value = code.binary(Operation::Add, target.into(), number);
        code.push(Statement::Store { array, index, value });
    }

    #[test]
    fn additions_to_the_elements_of_one_array_are_elementwise() {
        assert!(is_loop_of(|code, [x, y], [_, down]| {
            let element = code.element(y, down);
            let square = code.binary(Operation::GuardedMultiply, element, element);
            add(code, x, down, square);
        }));
    }

    #[test]
    fn iterations_that_depend_on_each_other_are_not_elementwise() {
        // A sum in one element, and an element of another index.
        assert!(!is_loop_of(|code, [x, y], [_, down]| {
            let element = code.element(y, down);
            add(code, x, Operand::real(0.0), element);
        }));
        assert!(!is_loop_of(|code, [x, y], [up, down]| {
            let element = code.element(y, up);
            add(code, x, down, element);
        }));
        assert!(!is_loop_of(|code, [x, y], [_, down]| {
            let first = code.fresh(Kind::Real);
            code.push(Statement::Load { target: first, array: x, index: Operand::real(0.0) });
            let element = code.element(y, down);
            let sum = code.binary(Operation::Add, element, first.into());
            add(code, x, down, sum);
        }));
        // Two arrays, which may be one; and a number that is made of the counter.
        assert!(!is_loop_of(|code, [x, y], [_, down]| {
            let element = code.element(y, down);
            add(code, x, down, element);
            add(code, y, down, element);
        }));
        assert!(!is_loop_of(|code, [x, _], [up, down]| add(code, x, down, up)));
    }
}
