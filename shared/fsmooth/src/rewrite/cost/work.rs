//! The class of work of an expression, by which rules and moves decide between computing a value again and keeping it.
//!
//! It is a coarse view of the prices in [`super::nominal`], and depends on the constructs of the expression alone.

use crate::rewrite::terms;
use crate::typed::{Expression, ExpressionId, Program, Type, Types};
use vlad_table::operations::{Effort, Operation};

/// The work that an expression takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Work {
    /// Reading parts of values.
    Reading,
    /// A few operations of arithmetic.
    Little,
    /// Elementary functions, loops, arrays or calls.
    Much,
}

/// Returns the work that an expression takes. A `build` of elements that take little work takes little, too: it is
/// fused with its uses.
pub fn work(program: &Program, root: ExpressionId) -> Work {
    let mut work = Work::Reading;
    program.walk(root, |_, expression| {
        work = work.max(work_at(expression));
        work < Work::Much
    });
    work
}

fn work_at(expression: Expression) -> Work {
    let is_reading = matches!(
        expression,
        Expression::Number(_)
            | Expression::Boolean(_)
            | Expression::Local(_)
            | Expression::Global(_)
            | Expression::Get { .. }
            | Expression::Length(_)
            | Expression::First(_)
            | Expression::Second(_)
            | Expression::Widen(_)
    );
    let is_cheap = |of: Operation| of.effort() == Effort::Arithmetic || of == Operation::GuardedMultiply;
    let is_arithmetic = matches!(expression, Expression::Unary(of, _) | Expression::Binary(of, ..) if is_cheap(of));
    let is_frame = matches!(
        expression,
        Expression::Pair(..)
            | Expression::If { .. }
            | Expression::Compare(..)
            | Expression::Not(_)
            | Expression::Let { .. }
            | Expression::OfLength { .. }
            | Expression::Build { .. }
            | Expression::Lambda { .. }
    );
    match (is_reading, is_arithmetic || is_frame) {
        (true, _) => Work::Reading,
        (false, true) => Work::Little,
        (false, false) => Work::Much,
    }
}

/// The least size of arithmetic that is moved.
const LEAST_ARITHMETIC: usize = 40;

/// Returns true if a term takes much work by itself or in its parts, and is data.
pub fn is_movable(program: &Program, id: ExpressionId) -> bool {
    let expression = program.expression(id);
    let may_be_much = matches!(
        expression,
        Expression::Ifold { .. }
            | Expression::Build { .. }
            | Expression::Unary(..)
            | Expression::Binary(..)
            | Expression::Get { .. }
            | Expression::If { .. }
            | Expression::Array(_)
    );
    let may_be_long = matches!(expression, Expression::Binary(..) | Expression::Let { .. } | Expression::Pair(..));
    may_be_much && work(program, id) == Work::Much || may_be_long && is_long_arithmetic(program, id)
}

/// Returns true for a number or a pair of numbers that takes many operations, each of which takes little work.
pub fn is_long_arithmetic(program: &Program, id: ExpressionId) -> bool {
    let type_id = program.type_of(id);
    let is_pair = |id| matches!(program.types.get(id), Type::Pair(Types::DOUBLE, Types::DOUBLE));
    (type_id == Types::DOUBLE || is_pair(type_id))
        && work(program, id) == Work::Little
        && terms::size(program, id, LEAST_ARITHMETIC) >= LEAST_ARITHMETIC
}
