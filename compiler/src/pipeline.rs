//! The pipeline of the specialising compiler, from core to first-order code without levels.
//!
//! | pass | postcondition |
//! |---|---|
//! | [`analyse`] | first-order code, with levels of differentiation, for each item that can be typed |
//! | [`passes::prepare`] | tail recursion is loops, small functions are inlined |
//! | [`remove_levels`] | no levels: derivatives are ordinary code |
//! | [`passes::prepare`] | the same of the code of derivatives |
//! | [`passes::simplify_values`] | equal operations are executed once; guards and signs of zeros cost little |

use crate::analysis::{Reason, analyse};
use crate::first_order::differentiate::remove_levels;
use crate::first_order::{Unit, passes};
use vlad_core::{Item, Program};

/// The size of an item's code, in statements, above which it is left to the tagged back end: C compilers take longer
/// than in proportion.
const MOST_SIZE: usize = 60_000;

/// Compiles each item of a program to first-order code without levels, or says why there is none.
pub fn specialise(program: &Program) -> Vec<Result<Unit, Reason>> {
    let units = analyse(program);
    let lower = |(item, unit): (&Item, Result<Unit, Reason>)| {
        let (Item::Define(_, node) | Item::Expression(node)) = *item;
        unit.and_then(without_levels).map_err(|reason| reason.at(node))
    };
    program.items.iter().zip(units).map(lower).collect()
}

/// Removes the levels of a unit.
///
/// # Errors
/// Returns the reason if that is not possible, or makes too much code.
pub fn without_levels(mut unit: Unit) -> Result<Unit, Reason> {
    passes::prepare(&mut unit);
    remove_levels(&mut unit).map_err(|refusal| Reason::new(refusal.message))?;
    passes::prepare(&mut unit);
    passes::simplify_values(&mut unit);
    let size: usize = unit.functions.iter().map(|function| function.body.size()).sum();
    if size > MOST_SIZE {
        return Err(Reason::new(format!("its code has more than {MOST_SIZE} statements")));
    }
    Ok(unit)
}
