//! Elementwise builds: loops whose iterations compute one number each of the elements at their index, and of what stays.
//!
//! No iteration reads what another one writes: the arrays that are built are new, and what is read is older. So several
//! iterations may be executed at once, with packed instructions, and each of them has the operations and the bits that it has
//! alone. C compilers do not see that: the arrays might overlap, for all they know, and at `-O2` gcc vectorises no loop
//! that needs a test of it. So the code says so (`VLAD_ELEMENTWISE`, in `first_order_paths.h`).

use crate::first_order::{Block, End, Function, Kind, Operand, Statement, Variable};
use std::collections::HashSet;
use vlad_table::Operation;

/// True for the body of a build with an index whose iterations may be executed at once.
pub(crate) fn is_elementwise(function: &Function, index: Variable, body: &Block) -> bool {
    let End::Yield(values) = &body.end else { return false };
    let mut elements = Elements { function, index: index.into(), varying: HashSet::new(), reads: false };
    values.iter().all(|value| function.kind(*value) == Kind::Real && *value != elements.index)
        && body.statements.iter().all(|statement| elements.take(statement))
        && elements.reads
}

/// The code of an iteration, as far as it has been looked at.
struct Elements<'unit> {
    function: &'unit Function,
    index: Operand,
    /// The variables that differ between iterations.
    varying: HashSet<Operand>,
    /// True if an element at the index is read.
    reads: bool,
}

impl Elements<'_> {
    /// Returns true if there are packed instructions for a statement, or if it is the same in each iteration.
    fn take(&mut self, statement: &Statement) -> bool {
        if let Statement::Element { target, array, index } = statement
            && *index == self.index
        {
            self.reads = true;
            self.varying.insert((*target).into());
            return self.function.kind((*target).into()) == Kind::Real && !self.varying.contains(array);
        }
        let operands = statement.operands();
        let varies = operands.iter().any(|operand| self.varying.contains(operand));
        if operands.contains(&self.index) {
            return false;
        }
        if varies {
            self.varying.extend(statement.targets().iter().copied().map(Operand::Variable));
        }
        match statement {
            Statement::Operation { operation, .. } => is_packed(*operation),
            Statement::PositiveZero { .. } | Statement::Count { .. } => true,
            Statement::Element { .. } | Statement::Length { .. } => !varies,
            Statement::Compare { .. }
            | Statement::Bind { .. }
            | Statement::Loop { .. }
            | Statement::Call { .. }
            | Statement::Forward { .. }
            | Statement::Reverse { .. }
            | Statement::Input { .. }
            | Statement::Read { .. }
            | Statement::Write { .. }
            | Statement::Push { .. }
            | Statement::Pop { .. }
            | Statement::Tape { .. }
            | Statement::Array { .. }
            | Statement::Build { .. }
            | Statement::Replace { .. }
            | Statement::IsIndex { .. }
            | Statement::CompareArrays { .. }
            | Statement::Zeros { .. }
            | Statement::Accumulators { .. }
            | Statement::Load { .. }
            | Statement::Store { .. }
            | Statement::Steps { .. }
            | Statement::Recount { .. }
            | Statement::Cell { .. }
            | Statement::Parts { .. } => false,
        }
    }
}

/// True for an operation that is a packed instruction of common processors, or a few of them.
fn is_packed(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::Copy
            | Operation::Add
            | Operation::Subtract
            | Operation::Multiply
            | Operation::Divide
            | Operation::Negate
            | Operation::Absolute
            | Operation::SquareRoot
            | Operation::Minimum
            | Operation::Maximum
            | Operation::GuardedMultiply
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::first_order::build::{Building, Code};

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
        let (mut found, function) = (None, &unit.functions[0]);
        function.body.each_statement(&mut |statement| {
            if let Statement::Build { index, body, .. } = statement {
                found = Some(is_elementwise(function, *index, body));
            }
        });
        found.unwrap()
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
}
