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

use crate::builder::{Binding, Builder};
use crate::typed::{Expression, ExpressionId, LocalId};
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
    fn primal(self, build: &mut Builder) -> ExpressionId {
        match self {
            Operand::Active(local) => {
                let pair = build.local(local);
                build.first(pair)
            }
            Operand::Passive(local) => build.local(local),
            Operand::Number(value) => build.number(value),
        }
    }

    fn tangent(self, build: &mut Builder) -> Option<ExpressionId> {
        match self {
            Operand::Active(local) => {
                let pair = build.local(local);
                Some(build.second(pair))
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
pub(super) fn passive(build: &Builder, dual: ExpressionId) -> Option<ExpressionId> {
    let Expression::Pair(primal, tangent) = build.program.expression(dual) else { return None };
    matches!(build.program.expression(tangent), Expression::Number(0.0)).then_some(primal)
}

/// Returns the primal of a differentiated number.
pub(super) fn primal(build: &mut Builder, dual: ExpressionId) -> ExpressionId {
    match passive(build, dual) {
        Some(primal) => primal,
        None => build.first(dual),
    }
}

/// D of an operation on Doubles, of its operands' D.
pub(super) fn operation(build: &mut Builder, operation: Operation, duals: &[ExpressionId]) -> ExpressionId {
    let mut bindings = vec![];
    let mut operands = [None; 2];
    for ((place, dual), name) in operands.iter_mut().zip(duals).zip(["a", "b"]) {
        *place = Some(operand(build, *dual, name, &mut bindings));
    }
    let coefficients = operation.row().coefficients.iter();
    let active: Vec<(&Term, Operand)> = coefficients
        .zip(operands.iter().flatten())
        .map(|(coefficient, operand)| (coefficient, *operand))
        .filter(|(_, operand)| matches!(operand, Operand::Active(_)))
        .collect();
    let primal = match operands {
        [Some(first), Some(second)] => {
            let (first, second) = (first.primal(build), second.primal(build));
            build.binary(operation, first, second)
        }
        [Some(only), None] => {
            let only = only.primal(build);
            build.unary(operation, only)
        }
        [None, _] => internal_bug!("an operation has operands"),
    };
    let reads_result = active.iter().any(|(coefficient, _)| coefficient.reads().result);
    let mut values = Values { operands, result: None };
    let primal = if reads_result {
        let result = build.binding("r", primal);
        bindings.push(result);
        values.result = Some(result.local);
        build.local(result.local)
    } else {
        primal
    };
    let tangent = tangent(build, &active, &values);
    let dual = build.pair(primal, tangent);
    build.bind(bindings, dual)
}

/// Makes an operand that can be read more than once.
fn operand(build: &mut Builder, dual: ExpressionId, name: &str, bindings: &mut Vec<Binding>) -> Operand {
    if let Expression::Local(local) = build.program.expression(dual) {
        return Operand::Active(local);
    }
    let Some(primal) = passive(build, dual) else {
        let binding = build.binding(name, dual);
        bindings.push(binding);
        return Operand::Active(binding.local);
    };
    if let Expression::Number(value) = build.program.expression(primal) {
        return Operand::Number(value);
    }
    if let Expression::Local(local) = build.program.expression(primal) {
        return Operand::Passive(local);
    }
    let binding = build.binding(name, primal);
    bindings.push(binding);
    Operand::Passive(binding.local)
}

/// The sum, from left to right, of the products of coefficients and tangents.
fn tangent(build: &mut Builder, active: &[(&Term, Operand)], values: &Values) -> ExpressionId {
    let mut sum: Option<ExpressionId> = None;
    for (coefficient, operand) in active {
        let Some(tangent) = operand.tangent(build) else { internal_bug!("an active operand has a tangent") };
        sum = Some(match (sum, coefficient) {
            (Some(sum), Term::Constant(-1.0)) => build.binary(Operation::Subtract, sum, tangent),
            (Some(sum), _) => {
                let product = product(build, coefficient, tangent, values);
                build.binary(Operation::Add, sum, product)
            }
            (None, _) => product(build, coefficient, tangent, values),
        });
    }
    match sum {
        Some(sum) => sum,
        None => build.number(0.0),
    }
}

fn product(build: &mut Builder, coefficient: &Term, tangent: ExpressionId, values: &Values) -> ExpressionId {
    match coefficient {
        Term::Constant(1.0) => tangent,
        Term::Constant(-1.0) => build.unary(Operation::Negate, tangent),
        Term::Constant(0.0) => build.number(0.0),
        Term::Constant(_)
        | Term::First
        | Term::Second
        | Term::Result
        | Term::Unary(..)
        | Term::Binary(..)
        | Term::Select(..) => {
            let coefficient = term(build, coefficient, values);
            build.binary(Operation::GuardedMultiply, coefficient, tangent)
        }
    }
}

/// A term of the table as an expression. The recursion is that of the table, whose terms are small.
fn term(build: &mut Builder, term_: &Term, values: &Values) -> ExpressionId {
    let read = |build: &mut Builder, operand: Option<Operand>| match operand {
        Some(operand) => operand.primal(build),
        None => internal_bug!("a coefficient reads operands that are there"),
    };
    let [first, second] = values.operands;
    match *term_ {
        Term::First => read(build, first),
        Term::Second => read(build, second),
        Term::Result => match values.result {
            Some(result) => build.local(result),
            None => internal_bug!("a result that coefficients read is bound"),
        },
        Term::Constant(value) => build.number(value),
        Term::Unary(operation, operand) => {
            let operand = term(build, operand, values);
            build.unary(operation, operand)
        }
        Term::Binary(operation, first, second) => {
            let (first, second) = (term(build, first, values), term(build, second, values));
            build.binary(operation, first, second)
        }
        Term::Select(ref condition, yes, no) => {
            let condition = test(build, condition, values);
            let (yes, no) = (term(build, yes, values), term(build, no, values));
            build.choice(condition, yes, no)
        }
    }
}

/// A test of the table as a condition.
fn test(build: &mut Builder, test_: &Test, values: &Values) -> ExpressionId {
    match *test_ {
        Test::Zero(operand) => {
            let (operand, zero) = (term(build, operand, values), build.number(0.0));
            build.compare(Comparison::Equal, operand, zero)
        }
        Test::Less(first, second) => {
            let (first, second) = (term(build, first, values), term(build, second, values));
            build.compare(Comparison::Less, first, second)
        }
        Test::Nearer(first, second) => {
            let size = |build: &mut Builder, of| term(build, &Term::Unary(Operation::Absolute, of), values);
            let (first, second) = (size(build, first), size(build, second));
            build.compare(Comparison::Less, first, second)
        }
        Test::Both(first, second) => {
            let (first, second) = (test(build, first, values), test(build, second, values));
            build.both(first, second)
        }
    }
}
