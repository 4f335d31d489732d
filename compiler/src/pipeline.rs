//! The pipeline of the specialising compiler, from core to first-order code without levels.
//!
//! | pass | postcondition |
//! |---|---|
//! | [`Analysis`] | first-order code, with levels of differentiation, for each item that can be typed |
//! | [`Passes::prepare`] | tail recursion is loops, small functions are inlined |
//! | [`remove_levels`] | no levels: derivatives are ordinary code |
//! | [`Passes::prepare`] | the same of the code of derivatives |
//! | [`Passes::simplify_values`] | equal operations are executed once; guards and signs of zeros cost little |
//! | [`update_in_place`] | elements of vectors are replaced without copies |
//!
//! The native engine and exports call [`lowered`] for each unit of an analysis. `vlad show ir` calls [`specialise`]. `vlad explain` calls
//! the stages one by one. The header of each pass argues why no bit changes. Storage code is made later, where C is printed.

use crate::analysis::{Analysis, Cause, Reason, Weighing, statements_once};
use vlad_core::Program;
use vlad_first_order::Unit;
use vlad_first_order::call_graph::nesting;
use vlad_first_order::differentiate::{Reversal, remove_levels};
use vlad_first_order::passes::in_place::update_in_place;
use vlad_first_order::passes::{Pass, Passes};

/// The greatest sizes of an item's code.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    /// The number of statements.
    statements: usize,
    /// The number of statements outside of loops and recursion.
    once: usize,
    /// The number of operands and targets: calls that pass the elements of long vectors one by one have many.
    operands: usize,
    /// The factor by which the code of derivatives may exceed these sizes before the passes. Nested levels leave much dead code.
    shrinking: usize,
}

impl Bounds {
    /// The bounds where the tagged back end can take over, whose code needs no analysis. A C compiler takes a second for so much code.
    /// Its time grows faster than the code.
    const BESIDE_OTHER_CODE: Bounds = Bounds { statements: 10_000, once: 4_000, operands: 60_000, shrinking: 9 };

    /// The bounds where there is no other back end.
    const ALONE: Bounds = Bounds { statements: 60_000, once: usize::MAX, operands: 100_000, shrinking: SHRINKING };

    fn of(weighing: Weighing) -> Bounds {
        match weighing {
            Weighing::All => Bounds::BESIDE_OTHER_CODE,
            Weighing::None => Bounds::ALONE,
        }
    }
}

/// The factor by which code may exceed the bounds before the passes. They divide the code of the examples by 2.4 at most. Code that
/// is too large in the end should not go through all of them.
const SHRINKING: usize = 3;

/// The treatment of code that copies a vector in each iteration of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copies {
    /// It is left to the tagged back end, which updates vectors in place by counting references.
    Refused,
    /// It is accepted: there is no other back end.
    Accepted,
}

/// Compiles each item of a program to first-order code without levels, or says why there is none.
pub fn specialise(program: &Program, passes: Passes, weighing: Weighing) -> Vec<Result<Unit, Reason>> {
    specialise_with(program, passes, weighing, Copies::Refused)
}

/// The same, with a treatment of copies.
pub fn specialise_with(
    program: &Program,
    passes: Passes,
    weighing: Weighing,
    copies: Copies,
) -> Vec<Result<Unit, Reason>> {
    let analysis = Analysis::new(program, weighing);
    let mut analysis = match copies {
        Copies::Refused => analysis,
        Copies::Accepted => analysis.with_elements_of_data(),
    };
    let lower = |item: &vlad_core::Item| {
        let outcome = analysis.next_item(|_, mut unit| {
            without_levels(&mut unit, passes, weighing)?;
            simplified_with(&mut unit, passes, (weighing, copies), &mut |_, _| {})?;
            Ok(unit)
        })?;
        Some(outcome.map_err(|reason| reason.at(item.node())))
    };
    program.items.iter().map_while(lower).collect()
}

/// Compiles an analysed unit to code without levels.
///
/// # Errors
/// Returns the reason if that is not possible, or makes too much code.
pub fn lowered(mut unit: Unit, passes: Passes, weighing: Weighing) -> Result<Unit, Reason> {
    without_levels(&mut unit, passes, weighing)?;
    simplified(&mut unit, passes, weighing, &mut |_, _| {})?;
    Ok(unit)
}

/// Removes the levels of a unit. Returns the functions that were called in reverse mode.
///
/// # Errors
/// Returns the reason if that is not possible, or makes too much code.
pub fn without_levels(unit: &mut Unit, passes: Passes, weighing: Weighing) -> Result<Vec<Reversal>, Reason> {
    check_analysed(unit, weighing)?;
    // The calls are still those of the program: no function has been inlined.
    unit.nesting = nesting(unit);
    passes.prepare(unit);
    check_size(unit, SHRINKING, weighing)?;
    remove_levels(unit).map_err(|refusal| Reason::new(Cause::Derivative(refusal)))
}

/// Simplifies a unit without levels, for an observer that sees it after each pass on values.
///
/// # Errors
/// Returns the reason if it has too much code, or would copy vectors again and again.
pub fn simplified(
    unit: &mut Unit,
    passes: Passes,
    weighing: Weighing,
    observer: &mut dyn FnMut(Pass, &Unit),
) -> Result<(), Reason> {
    simplified_with(unit, passes, (weighing, Copies::Refused), observer)
}

fn simplified_with(
    unit: &mut Unit,
    passes: Passes,
    (weighing, copies): (Weighing, Copies),
    observer: &mut dyn FnMut(Pass, &Unit),
) -> Result<(), Reason> {
    let times = Bounds::of(weighing).shrinking;
    check_size(unit, times, weighing)?;
    passes.prepare(unit);
    check_size(unit, times, weighing)?;
    passes.simplify_values_observed(unit, observer);
    if let Err(node) = update_in_place(unit)
        && copies == Copies::Refused
    {
        return Err(Reason::new(Cause::VectorCopied).at(node));
    }
    check_size(unit, 1, weighing)
}

/// Checks that an analysed unit is not too large for the passes.
///
/// # Errors
/// Returns the reason if it has too much code.
pub fn check_analysed(unit: &Unit, weighing: Weighing) -> Result<(), Reason> {
    check_size(unit, SHRINKING, weighing)
}

/// Checks the size of a unit against the bounds, multiplied by a factor.
fn check_size(unit: &Unit, times: usize, weighing: Weighing) -> Result<(), Reason> {
    let Bounds { statements, once, operands, .. } = Bounds::of(weighing);
    if unit.size() > statements.saturating_mul(times) {
        return Err(Reason::new(Cause::Size(statements)));
    }
    if unit.size() > once && statements_once(unit) > once.saturating_mul(times) {
        return Err(Reason::new(Cause::Once(once)));
    }
    let found: usize = unit.functions.iter().map(|function| function.body.operand_count()).sum();
    match found > operands.saturating_mul(times) {
        true => Err(Reason::new(Cause::Operands(operands))),
        false => Ok(()),
    }
}
