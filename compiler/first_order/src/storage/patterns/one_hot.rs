//! One-hot builds, which make one element otherwise: the tangents of forward mode that are 1 at one place and 0 elsewhere.
//!
//! ```text
//! build n (fun i -> if i = h then a else b)   ~>   all elements by b, then that at h by a, if h is an index
//! ```
//!
//! The loop is then without a test; if b is 0, the memory is filled at once. The code of b is executed at h as well. It has operations
//! on numbers alone, which cannot fail and change nothing.

use crate::effects::Effect;
use crate::variables::{assigned, is_constant};
use crate::{Block, End, Operand, Statement, Variable};
use vlad_table::Comparison;

/// The most statements that are executed before it is known which element it is.
const MOST_SHARED: usize = 12;

/// A body of a build that makes one element otherwise.
pub struct OneHot<'unit> {
    /// The index of that element, from outside.
    pub place: Operand,
    /// The statements that all elements share.
    pub shared: Vec<&'unit Statement>,
    /// The block of that element.
    pub there: &'unit Block,
    /// The block of all others.
    pub elsewhere: &'unit Block,
}

impl<'unit> OneHot<'unit> {
    /// The parts of a body with an index; none if it is no such body.
    pub fn of(body: &'unit Block, index: Variable) -> Option<OneHot<'unit>> {
        let End::Branch { test: Operand::Variable(test), consequent, alternative } = &body.end else { return None };
        let (mut place, mut shared) = (None, Vec::new());
        for statement in &body.statements {
            match statement {
                Statement::Compare { target, comparison: Comparison::Equal, first, second } if target == test => {
                    let index = Operand::Variable(index);
                    place = match (*first == index, *second == index) {
                        (true, false) => Some(*second),
                        (false, true) => Some(*first),
                        (true, true) | (false, false) => None,
                    };
                }
                other => shared.push(other),
            }
        }
        let place = place.filter(|place| is_constant(*place, &assigned(body, &[])))?;
        let are_simple = shared.len() <= MOST_SHARED
            && shared.iter().all(|statement| {
                statement.effect() == Effect::Value && !statement.operands().contains(&(*test).into())
            });
        let (there, elsewhere) = (&**consequent, &**alternative);
        (are_simple && yields(there, *test) && is_of_numbers(elsewhere, *test)).then_some(OneHot {
            place,
            shared,
            there,
            elsewhere,
        })
    }
}

impl OneHot<'_> {
    /// Returns true if all other elements are +0, whose bytes are 0.
    pub fn is_zero_elsewhere(&self) -> bool {
        matches!(&self.elsewhere.end, End::Yield(values) if values.iter().all(|value| *value == Operand::real(0.0)))
    }
}

/// Returns true if no path through a block gives up, and none reads a variable.
fn yields(block: &Block, test: Variable) -> bool {
    block.all_statements().all(|statement| statement.effect() == Effect::Value)
        && block.leaves().all(|leaf| leaf.end.yielded().is_some())
        && !block.all_operands().any(|operand| operand == test.into())
}

/// Returns true if a block yields values and only computes numbers for them.
fn is_of_numbers(block: &Block, test: Variable) -> bool {
    yields(block, test) && block.all_statements().all(Statement::is_operation)
}
