//! The code generator for converted code: translates the blocks of a program into one C file on tagged values, the
//! values of the runtime. `compiled::texts` calls it for all code without a specialised form.
//!
//! The C code runs on the abstract machine of `machine.h`. Each pass is a function of the program (`unit`) and of the
//! results of earlier passes. The passes in the order of `pipeline`:
//!
//! | pass | result |
//! |---|---|
//! | `analyses` | facts about the blocks, for all parts of the file |
//! | `context` | these facts, with the style of the code and a name for each C object |
//! | `function`, `definitions`, `tables` | the parts of the C file, each a syntax tree that is built on demand |
//!
//! In tests `check` checks the postconditions of the analyses.
//!
//! The modules form layers, from the lowest on: `unit` and `steps`; `analyses`; `context`; then
//!
//! - `points`: stop points;
//! - `body`: a C function under construction, with the code of each instruction and of each end of a block;
//! - `heads`: heads of functions;
//! - `function`: a whole function;
//! - `definitions`: the single C function of all definitions of procedures;
//! - `tables`: frame descriptors, stop points, and the exported object of a program.
//!
//! Invariants: reference counts follow exactly the ownership in the converted program. The steps taken are exact at
//! every stop. Every cycle of transfers tests the fuel and returns to the driver when it runs out. So nothing depends
//! on C compilers turning tail calls into jumps. The text depends only on the program, not on the name of its file.

mod analyses;
mod body;
mod check;
mod context;
mod definitions;
mod function;
mod heads;
mod points;
mod steps;
mod tables;
mod unit;

pub use tables::program_symbol;

use crate::c::{self, Item};
use crate::foreign::Counting;
use crate::procedures::Specialised;
use analyses::{elision, escapes, globals, places, regions, rows};
use context::Context;
use std::iter;
use unit::Unit;
use vlad_ad::traps::Traps;
use vlad_core::Program;
use vlad_cps::Converted;

/// Returns the C file of a program without traps, with the given specialised code. All defined names begin with the
/// prefix, which must be a C name. The program itself is [`program_symbol`].
pub fn generate(
    program: &Program,
    converted: &Converted,
    counting: Counting,
    specialised: &Specialised,
    prefix: &str,
) -> String {
    let traps = Traps::Off;
    pipeline(Unit { program, converted, counting, traps, specialised, prefix }, |_, items| c::print(items))
}

/// Returns the file of [`generate`], with traps or without, or `None` if its text exceeds `most` bytes. Generation stops
/// at that size.
pub fn generate_within(
    most: usize,
    program: &Program,
    converted: &Converted,
    counting: Counting,
    traps: Traps,
    specialised: &Specialised,
    prefix: &str,
) -> Option<String> {
    pipeline(Unit { program, converted, counting, traps, specialised, prefix }, |_, items| c::print_within(most, items))
}

/// Checks the postconditions of the analyses of a program (see `check`), in tests.
///
/// # Errors
/// The first violated invariant, with its location.
pub fn check(program: &Program, converted: &Converted) -> Result<(), String> {
    let (counting, traps, specialised) = (Counting::Stoppable, Traps::Off, Specialised::NOTHING);
    pipeline(Unit { program, converted, counting, traps, specialised, prefix: "" }, |context, _| {
        context.places.check(converted)?;
        check::check(context)
    })
}

/// Translates a converted program to C syntax. `finish` receives the results of the analyses and an iterator over the
/// parts of the C file, which builds them on demand.
fn pipeline<'program, T>(
    unit: Unit<'program>,
    finish: impl FnOnce(&Context<'program>, &mut dyn Iterator<Item = Item>) -> T,
) -> T {
    let style = context::style(unit.converted);
    let globals = globals::globals(unit);
    let escapes = escapes::escapes(unit, &globals);
    let regions = regions::divide(unit, &escapes);
    let rows = rows::rows(unit, &regions);
    let elisions = elision::elisions(unit, &regions);
    let places = places::places(unit);
    let context = &Context { unit, style, globals, escapes, regions, rows, elisions, places };

    let mut file = beginning(unit)
        .into_iter()
        .chain(function::prototypes(context))
        .chain(tables::frames(context))
        .chain(iter::once_with(|| tables::points(context)).flatten())
        .chain(function::functions(context))
        .chain(iter::once_with(|| definitions::definitions(context)).flatten())
        .chain(iter::once_with(|| tables::program(context)).flatten());
    finish(context, &mut file)
}

fn beginning(unit: Unit<'_>) -> [Item; 3] {
    let counting = match unit.counting {
        Counting::ByBlock => "which counts its steps block by block",
        Counting::Stoppable => "which can stop at each of its steps",
    };
    let about = format!("A program of {} blocks, {counting}.", unit.converted.blocks.len());
    [Item::Comment(about), Item::Include("program.h"), Item::Include("operations.h")]
}
