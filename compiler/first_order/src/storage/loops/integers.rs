//! Reals that are whole numbers, and their integers.
//!
//! An index of a build, and a counter of a loop, is an integer, from which the real of the same value is made where it is
//! read. Lengths of arrays are integers already, and so are sums, differences and remainders of such numbers. C compilers
//! then see what is indexed and where a loop ends, and no call of a rounding stands in a remainder.
//!
//! Whole numbers below 2^53 are reals, so what reals compute of them is exact, and the integer has the same value: no
//! counter gets near 2^50 in a run that ends, and expressions are nested [`MOST_NESTED`] times at most. The integers are
//! words that wrap around; where the sign counts, operations take it into account. A remainder of a division by 0 is no
//! number: its integer is the greatest one, which is no index, and it is compared and computed with as a real.

use super::lowering::{Lowering, Whole};
use crate::counted_loops::{Last, Range, whole};
use crate::{Bits, IntegerOperation as O, Kind, Operand, Statement, Storage, Variable};
use vlad_table::{Comparison, Operation};

/// The greatest depth of nested expressions.
const MOST_NESTED: u32 = 3;

/// The greatest size of a constant in an expression.
const MOST_CONSTANT: f64 = 2_147_483_648.0;

/// The end of a range that no counter reaches in a run that ends.
const NEVER: Operand = Operand::Real(Bits((9_007_199_254_740_991_u64 as f64).to_bits()));

/// A comparison of a loop's counter with a number that does not change in the loop: whether it is less. It is one of
/// integers: with the number of whole numbers from 0 below that number.
struct Bound {
    /// The result of the comparison.
    target: Variable,
    /// The number.
    most: Operand,
}

impl<'unit> Lowering<'_, 'unit> {
    /// Looks up the integer of a real.
    pub(super) fn known(&self, real: Operand) -> Option<Whole> {
        match self.operand(real) {
            Operand::Variable(variable) => self.wholes.get(&variable).copied(),
            constant => natural_constant(constant).map(Whole::of),
        }
    }

    /// The integer of a real that is a whole number where it is read.
    pub(super) fn whole(&mut self, real: Operand) -> Operand {
        let real = self.operand(real);
        if self.code.kind(real) == Kind::Integer {
            return real;
        }
        match self.known(real) {
            Some(whole) => whole.integer,
            None => self.code.integer(O::Whole, [real]),
        }
    }

    /// Assigns to a variable the real of an integer.
    pub(super) fn real(&mut self, target: Variable, integer: Operand) {
        self.code.push(Storage::Integer { target, operation: O::Real, operands: vec![integer] }.into());
        self.wholes.insert(target, Whole::of(integer));
    }

    /// The number of whole numbers from 0 below a real.
    fn bound(&mut self, real: Operand) -> Operand {
        match self.known(real) {
            Some(Whole { integer, is_length: true, .. }) | Some(Whole { integer: integer @ Operand::Real(_), .. }) => {
                integer
            }
            Some(Whole { integer, .. }) => self.code.integer(O::NotNegative, [integer]),
            None => {
                let real = self.operand(real);
                self.code.integer(O::Bound, [real])
            }
        }
    }

    /// The integer behind the last number of a counter that begins with a constant, given the bound of a range. It is [`NEVER`] for one
    /// that no iteration leaves.
    pub(super) fn end_of(&mut self, range: Range, from: Operand, bound: Operand) -> Operand {
        let known = self.known(bound).filter(|whole| !whole.may_be_none);
        let bound = self.operand(bound);
        if let (Operand::Real(from), Operand::Real(bound)) = (from, bound) {
            return match range.end(from.real(), bound.real()) {
                Some(end) => self.bound(Operand::real(end)),
                None if range.holds => Operand::real(0.0),
                None => NEVER,
            };
        }
        let end = match range.last {
            Last::Below => self.bound(bound),
            Last::Through => {
                let floor = self.code.unary(Operation::Floor, bound);
                let next = self.code.binary(Operation::Add, floor, Operand::real(1.0));
                self.bound(next)
            }
            Last::Before if from == Operand::real(0.0) && known.is_some_and(|whole| whole.is_length) => {
                self.bound(bound)
            }
            Last::Before => {
                let end = self.code.integer(O::Bound, [bound]);
                let is_whole = self.code.integer(O::Equals, [end, bound]);
                let is_reached = self.code.integer(O::NotBelow, [end, from]);
                let test = self.code.integer(O::Both, [is_whole, is_reached]);
                return self.code.integer(O::Choose, [test, end, NEVER]);
            }
        };
        if range.holds || known.is_some() {
            return end;
        }
        let target = self.code.fresh(Kind::Boolean);
        self.code.push(Statement::Compare { target, comparison: Comparison::Equal, first: bound, second: bound });
        self.code.integer(O::Choose, [target.into(), end, NEVER])
    }

    /// Computes the bounds of a loop before it.
    pub(super) fn begin_bounds(&mut self, statement: &'unit Statement) {
        for Bound { target, most } in self.bounds_of(statement) {
            let bound = self.bound(most);
            self.bounds.insert(target, bound);
        }
    }

    fn bounds_of(&self, statement: &Statement) -> Vec<Bound> {
        let Statement::Loop { state, body, .. } = statement else { return Vec::new() };
        let assigned = crate::variables::assigned(body, state);
        let bound = |inner: &Statement| match inner {
            Statement::Compare { target, comparison: Comparison::Less, first: Operand::Variable(counter), second }
                if self.counters.contains(counter)
                    && state.contains(counter)
                    && crate::variables::is_constant(*second, &assigned) =>
            {
                Some(Bound { target: *target, most: *second })
            }
            _ => None,
        };
        body.all_statements().filter_map(bound).collect()
    }

    /// Writes a statement with integers for the whole numbers in it, and notes the integer of its result.
    pub(super) fn with_integers(&mut self, statement: &'unit Statement) {
        match statement {
            Statement::Length { target, array } => {
                let (integer, array) = (self.code.fresh(Kind::Integer), self.operand(*array));
                self.code.push(Statement::Length { target: integer, array });
                self.real(*target, integer.into());
                self.wholes.insert(*target, Whole { is_length: true, ..Whole::of(integer.into()) });
            }
            Statement::Storage(Storage::Integer { target, operation, operands }) => {
                self.on_integers(*target, *operation, operands);
            }
            Statement::Operation { target, operation: Operation::Modulo, first, second: Some(second) }
                if self.is_size(*second) && self.signed([*first, *second]).is_some() =>
            {
                let Some(operands) = self.signed([*first, *second]) else { return };
                let integer = self.code.integer(O::Remainder, operands);
                let operands = vec![integer];
                self.code.push(Storage::Integer { target: *target, operation: O::RealOfRemainder, operands }.into());
                let may_be_none = self.operand(*second).variable().is_some();
                self.wholes.insert(*target, Whole { may_be_none, ..Whole::of(integer) });
            }
            Statement::Operation { target, operation, first, second } => {
                self.same(statement);
                if let Some(whole) = self.of_operation(*operation, *first, *second) {
                    self.wholes.insert(*target, whole);
                }
            }
            Statement::Compare { target, first, .. } if let Some(bound) = self.bounds.get(target).copied() => {
                let operands = vec![self.whole(*first), bound];
                self.code.push(Storage::Integer { target: *target, operation: O::Below, operands }.into());
            }
            Statement::Compare { target, comparison, first, second }
                if first != second && self.are_compared_as_integers([*first, *second]) =>
            {
                let Some([first, second]) = self.signed([*first, *second]) else { return };
                self.code.push(Statement::Compare { target: *target, comparison: *comparison, first, second });
            }
            Statement::IsIndex { target, array, index } if let Some(whole) = self.known(*index) => {
                let (length, array) = (self.code.fresh(Kind::Integer), self.operand(*array));
                self.code.push(Statement::Length { target: length, array });
                let operands = vec![whole.integer, length.into()];
                self.code.push(Storage::Integer { target: *target, operation: O::Below, operands }.into());
            }
            Statement::Element { index, .. } | Statement::Load { index, .. } | Statement::Store { index, .. } => {
                let integer = self.known(*index).map(|whole| whole.integer);
                let mut statement = statement.clone();
                statement.change_operands(|operand| *operand = self.operand(*operand));
                if let (
                    Some(integer),
                    Statement::Element { index, .. } | Statement::Load { index, .. } | Statement::Store { index, .. },
                ) = (integer, &mut statement)
                {
                    *index = integer;
                }
                self.code.push(statement);
            }
            _ => self.same(statement),
        }
    }

    /// An operation on integers: of reals whose integers are known it is another one.
    fn on_integers(&mut self, target: Variable, operation: O, operands: &[Operand]) {
        let known = operands.last().and_then(|last| self.known(*last)).map(|whole| whole.integer);
        let operands = self.operands(operands);
        let (operation, operands) = match (operation, operands.as_slice(), known) {
            (O::Real, [integer], _) => return self.real(target, *integer),
            (O::Whole, _, Some(known)) => {
                self.renamed.insert(target, known);
                return;
            }
            (O::Bound, [real], Some(_)) => {
                let bound = self.bound(*real);
                self.renamed.insert(target, bound);
                return;
            }
            (O::Moderate, _, Some(known)) => (O::ModerateInteger, vec![known]),
            (O::Equals, [integer, _], Some(known)) => (O::Same, vec![*integer, known]),
            (operation, _, _) => (operation, operands),
        };
        self.code.push(Storage::Integer { target, operation, operands }.into());
    }

    /// True for the length of an array, or a positive constant.
    fn is_size(&self, operand: Operand) -> bool {
        match operand {
            Operand::Real(bits) => bits.real() > 0.0,
            Operand::Variable(_) | Operand::Boolean(_) => self.known(operand).is_some_and(|whole| whole.is_length),
        }
    }

    /// The integers of two reals; a negative constant stands for itself.
    fn signed(&self, reals: [Operand; 2]) -> Option<[Operand; 2]> {
        let integer = |real: Operand| match negated_constant(real) {
            Some(_) => Some(real),
            None => self.known(real).map(|whole| whole.integer),
        };
        let [first, second] = reals.map(integer);
        Some([first?, second?])
    }

    /// Returns true for whole numbers that are compared as such, with their signs: what may be no number is not.
    fn are_compared_as_integers(&self, reals: [Operand; 2]) -> bool {
        let is_number = |real: &Operand| !self.known(*real).is_some_and(|whole| whole.may_be_none);
        let is_variable = |real: &Operand| self.operand(*real).variable().is_some();
        reals.iter().all(is_number) && reals.iter().any(is_variable) && self.signed(reals).is_some()
    }

    /// The integer of a result, if it is a whole number.
    fn of_operation(&mut self, operation: Operation, first: Operand, second: Option<Operand>) -> Option<Whole> {
        let depth_of = |operand: Operand| match operand {
            Operand::Variable(_) => self.known(operand).filter(|whole| !whole.may_be_none).map(|whole| whole.depth),
            Operand::Real(bits) => is_constant(bits.real()).then_some(0),
            Operand::Boolean(_) => None,
        };
        let of_variable = |operand: Operand| matches!(operand, Operand::Variable(_));
        let depth = 1 + depth_of(first)?.max(second.map_or(Some(0), depth_of)?);
        if depth > MOST_NESTED || !of_variable(first) && !second.is_some_and(of_variable) {
            return None;
        }
        let integer = match (operation, second) {
            (Operation::Add, Some(second)) => match (negated_constant(first), negated_constant(second)) {
                (None, None) => {
                    let operands = [self.whole(first), self.whole(second)];
                    self.code.integer(O::Add, operands)
                }
                (None, Some(less)) => self.less(first, less),
                (Some(less), _) => self.less(second, less),
            },
            (Operation::Subtract, Some(second)) => {
                let from = match negated_constant(first) {
                    None => self.whole(first),
                    Some(less) => self.code.integer(O::Subtract, [Operand::real(0.0), less]),
                };
                match negated_constant(second) {
                    None => {
                        let operands = [from, self.whole(second)];
                        self.code.integer(O::Subtract, operands)
                    }
                    Some(more) => self.code.integer(O::Add, [from, more]),
                }
            }
            (Operation::Floor | Operation::Ceiling | Operation::Round | Operation::Truncate, None) => self.whole(first),
            _ => return None,
        };
        Some(Whole { depth, ..Whole::of(integer) })
    }

    fn less(&mut self, real: Operand, less: Operand) -> Operand {
        let integer = self.whole(real);
        self.code.integer(O::Subtract, [integer, less])
    }
}

/// True for a whole number that may be part of an expression.
fn is_constant(real: f64) -> bool {
    real.abs() <= MOST_CONSTANT && real.fract() == 0.0
}

/// The integer of a constant that is a whole number and not negative.
fn natural_constant(operand: Operand) -> Option<Operand> {
    match operand {
        Operand::Real(bits) => whole(bits.real()).map(|integer| Operand::real(integer as f64)),
        Operand::Variable(_) | Operand::Boolean(_) => None,
    }
}

/// The size of a negative constant that is a whole number.
fn negated_constant(operand: Operand) -> Option<Operand> {
    match operand {
        Operand::Real(bits) if bits.real() < 0.0 => natural_constant(Operand::real(-bits.real())),
        Operand::Real(_) | Operand::Variable(_) | Operand::Boolean(_) => None,
    }
}
