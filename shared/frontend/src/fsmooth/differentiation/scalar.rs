//! D of operations on Doubles, from the project's table (report, rules 5a and 5b).
//!
//! ```text
//! D (op a)    =  let a' = D a in (op (fst a'), c (x) snd a')
//! D (a op b)  =  let a' = D a in let b' = D b in (fst a' op fst b', c1 (x) snd a' + c2 (x) snd b')
//! ```
//!
//! c is the coefficient of the table, over the primals of the operands and the result, and (x) the guarded product. A
//! constant coefficient is not multiplied: 1 leaves the tangent, -1 negates or subtracts it, 0 makes it 0. Nothing but
//! signs of zeros depends on that, and an exit of an operator removes them. Literals, and numbers that were indices,
//! are passive: their tangent is 0, so they have no product.

use crate::fsmooth::terms::{Binding, Terms};
use crate::fsmooth::typed::{Expression, ExpressionId, LocalId};
use vlad_table::internal_bug;
use vlad_table::operations::{Operation, Term, Test};
use vlad_table::primitives::Comparison;

/// A differentiated operand that can be read more than once.
#[derive(Clone, Copy)]
enum Operand {
    /// A dual local.
    Active(LocalId),
    /// A plain local, whose tangent is zero.
    Passive(LocalId),
    /// A number.
    Number(f64),
}

impl Operand {
    fn primal(self, terms: &mut Terms) -> ExpressionId {
        match self {
            Operand::Active(local) => {
                let pair = terms.local(local);
                terms.first(pair)
            }
            Operand::Passive(local) => terms.local(local),
            Operand::Number(value) => terms.number(value),
        }
    }

    fn tangent(self, terms: &mut Terms) -> Option<ExpressionId> {
        match self {
            Operand::Active(local) => {
                let pair = terms.local(local);
                Some(terms.second(pair))
            }
            Operand::Passive(_) | Operand::Number(_) => None,
        }
    }
}

/// The values that terms of the table name.
struct Values {
    operands: [Option<Operand>; 2],
    result: Option<LocalId>,
}

/// Returns the primal of a differentiated number, if its tangent is the literal 0.0.
pub(super) fn passive(terms: &Terms, dual: ExpressionId) -> Option<ExpressionId> {
    let Expression::Pair(primal, tangent) = terms.program.expression(dual) else { return None };
    matches!(terms.program.expression(tangent), Expression::Number(0.0)).then_some(primal)
}

/// Returns the primal of a differentiated number.
pub(super) fn primal(terms: &mut Terms, dual: ExpressionId) -> ExpressionId {
    match passive(terms, dual) {
        Some(primal) => primal,
        None => terms.first(dual),
    }
}

/// D of an operation on Doubles, of its operands' D.
pub(super) fn operation(terms: &mut Terms, operation: Operation, duals: &[ExpressionId]) -> ExpressionId {
    let mut bindings = vec![];
    let mut operands = [None; 2];
    for ((place, dual), name) in operands.iter_mut().zip(duals).zip(["a", "b"]) {
        *place = Some(operand(terms, *dual, name, &mut bindings));
    }
    let coefficients = operation.row().coefficients.iter();
    let active: Vec<(&Term, Operand)> = coefficients
        .zip(operands.iter().flatten())
        .map(|(coefficient, operand)| (coefficient, *operand))
        .filter(|(_, operand)| matches!(operand, Operand::Active(_)))
        .collect();
    let primal = match operands {
        [Some(first), Some(second)] => {
            let (first, second) = (first.primal(terms), second.primal(terms));
            terms.binary(operation, first, second)
        }
        [Some(only), None] => {
            let only = only.primal(terms);
            terms.unary(operation, only)
        }
        [None, _] => internal_bug!("an operation has operands"),
    };
    let reads_result = active.iter().any(|(coefficient, _)| coefficient.reads().result);
    let mut values = Values { operands, result: None };
    let primal = if reads_result {
        let result = terms.binding("r", primal);
        bindings.push(result);
        values.result = Some(result.local);
        terms.local(result.local)
    } else {
        primal
    };
    let tangent = tangent(terms, &active, &values);
    let dual = terms.pair(primal, tangent);
    terms.bind(bindings.into_iter(), dual)
}

/// Makes an operand that can be read more than once.
fn operand(terms: &mut Terms, dual: ExpressionId, name: &str, bindings: &mut Vec<Binding>) -> Operand {
    if let Expression::Local(local) = terms.program.expression(dual) {
        return Operand::Active(local);
    }
    let Some(primal) = passive(terms, dual) else {
        let binding = terms.binding(name, dual);
        bindings.push(binding);
        return Operand::Active(binding.local);
    };
    if let Expression::Number(value) = terms.program.expression(primal) {
        return Operand::Number(value);
    }
    if let Expression::Local(local) = terms.program.expression(primal) {
        return Operand::Passive(local);
    }
    let binding = terms.binding(name, primal);
    bindings.push(binding);
    Operand::Passive(binding.local)
}

/// The sum, from left to right, of the products of coefficients and tangents.
fn tangent(terms: &mut Terms, active: &[(&Term, Operand)], values: &Values) -> ExpressionId {
    let mut sum: Option<ExpressionId> = None;
    for (coefficient, operand) in active {
        let Some(tangent) = operand.tangent(terms) else { internal_bug!("an active operand has a tangent") };
        sum = Some(match (sum, coefficient) {
            (Some(sum), Term::Constant(-1.0)) => terms.binary(Operation::Subtract, sum, tangent),
            (Some(sum), _) => {
                let product = product(terms, coefficient, tangent, values);
                terms.binary(Operation::Add, sum, product)
            }
            (None, _) => product(terms, coefficient, tangent, values),
        });
    }
    match sum {
        Some(sum) => sum,
        None => terms.number(0.0),
    }
}

fn product(terms: &mut Terms, coefficient: &Term, tangent: ExpressionId, values: &Values) -> ExpressionId {
    match coefficient {
        Term::Constant(1.0) => tangent,
        Term::Constant(-1.0) => terms.unary(Operation::Negate, tangent),
        Term::Constant(0.0) => terms.number(0.0),
        Term::Constant(_)
        | Term::First
        | Term::Second
        | Term::Result
        | Term::Unary(..)
        | Term::Binary(..)
        | Term::Select(..) => {
            let coefficient = term(terms, coefficient, values);
            terms.binary(Operation::GuardedMultiply, coefficient, tangent)
        }
    }
}

/// A term of the table as an expression. The recursion is that of the table, whose terms are small.
fn term(terms: &mut Terms, term_: &Term, values: &Values) -> ExpressionId {
    let read = |terms: &mut Terms, operand: Option<Operand>| match operand {
        Some(operand) => operand.primal(terms),
        None => internal_bug!("a coefficient reads operands that are there"),
    };
    let [first, second] = values.operands;
    match *term_ {
        Term::First => read(terms, first),
        Term::Second => read(terms, second),
        Term::Result => match values.result {
            Some(result) => terms.local(result),
            None => internal_bug!("a result that coefficients read is bound"),
        },
        Term::Constant(value) => terms.number(value),
        Term::Unary(operation, operand) => {
            let operand = term(terms, operand, values);
            terms.unary(operation, operand)
        }
        Term::Binary(operation, first, second) => {
            let (first, second) = (term(terms, first, values), term(terms, second, values));
            terms.binary(operation, first, second)
        }
        Term::Select(ref condition, yes, no) => {
            let condition = test(terms, condition, values);
            let (yes, no) = (term(terms, yes, values), term(terms, no, values));
            terms.choice(condition, yes, no)
        }
    }
}

/// A test of the table as a condition.
fn test(terms: &mut Terms, test_: &Test, values: &Values) -> ExpressionId {
    match *test_ {
        Test::Zero(operand) => {
            let (operand, zero) = (term(terms, operand, values), terms.number(0.0));
            terms.compare(Comparison::Equal, operand, zero)
        }
        Test::Less(first, second) => {
            let (first, second) = (term(terms, first, values), term(terms, second, values));
            terms.compare(Comparison::Less, first, second)
        }
        Test::Nearer(first, second) => {
            let size = |terms: &mut Terms, of| term(terms, &Term::Unary(Operation::Absolute, of), values);
            let (first, second) = (size(terms, first), size(terms, second));
            terms.compare(Comparison::Less, first, second)
        }
        Test::Both(first, second) => {
            let (first, second) = (test(terms, first, values), test(terms, second, values));
            terms.both(first, second)
        }
    }
}
