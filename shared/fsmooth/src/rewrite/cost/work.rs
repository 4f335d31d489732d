//! The class of work of an expression, by which rules and moves decide between computing a value again and keeping it.
//!
//! It is a coarse view of the prices in [`super::prices`], and depends on the constructs of the expression alone.

use crate::builtins::Builtin;
use crate::rewrite::terms;
use crate::typed::{ExpressionId, Head, Program, Type, Types};
use vlad_table::operations::{Arity, Effort, Operation};

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
    program.walk(root, |_, head| {
        work = work.max(work_at(head));
        work < Work::Much
    });
    work
}

fn work_at(head: Head) -> Work {
    match head {
        Head::Number(_) | Head::Boolean(_) | Head::Local(_) | Head::Global(_) | Head::Widen => Work::Reading,
        Head::Call(Builtin::Get | Builtin::Length | Builtin::First | Builtin::Second) => Work::Reading,
        Head::Call(Builtin::Operation(Operation::GuardedMultiply)) => Work::Little,
        Head::Call(Builtin::Operation(operation)) if operation.effort() == Effort::Arithmetic => Work::Little,
        Head::Call(Builtin::Pair | Builtin::Compare(_) | Builtin::Not | Builtin::OfLength | Builtin::Build) => {
            Work::Little
        }
        Head::If | Head::Let(_) | Head::Lambda(_) => Work::Little,
        Head::Application | Head::Array | Head::Deriv(_) | Head::Call(_) => Work::Much,
    }
}

/// The least size of arithmetic that is moved.
const LEAST_ARITHMETIC: usize = 40;

/// Returns true if a term takes much work by itself or in its parts, and is data.
pub fn is_movable(program: &Program, id: ExpressionId) -> bool {
    let head = program.apart(id).0;
    let may_be_much = matches!(
        head,
        Head::If | Head::Array | Head::Call(Builtin::Ifold | Builtin::Build | Builtin::Get | Builtin::Operation(_))
    );
    let may_be_long = match head {
        Head::Call(Builtin::Operation(operation)) => operation.arity() == Arity::Two,
        head => matches!(head, Head::Let(_) | Head::Call(Builtin::Pair)),
    };
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
