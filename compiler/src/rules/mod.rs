//! Generation of C from the table of primitives: the parts of the runtime that depend on operations, derivatives and
//! primitives, as a syntax tree of C ([`crate::c`]).
//!
//! Invariant: no derivative and no meaning of a primitive is written in C by hand. [`header`], [`source`] and
//! [`coefficients_source`] return the texts of `rules.h`, `rules.c` and `coefficients.c`, which are compiled into the
//! runtime; [`evaluation`] and [`operations_header`] serve programs, [`mathematics_header`] both. All are based on an exhaustive `match` on [`Operation`], so an
//! operation without a meaning in C does not compile.
//!
//! The build script includes this module and `c` by their paths, so they use nothing else of their crate.

mod coefficients;
mod evaluation;
mod mathematics;
pub mod names;
mod operations;
mod primitives;

pub(crate) use evaluation::{doubles, function};
pub use mathematics::header as mathematics_header;
pub use operations::header as operations_header;
pub(crate) use primitives::comparison_operator;

use crate::c::{Expression as C, Item, Word, print};
use vlad_table::Operation;
use vlad_table::operations::MOST_LEVELS;

/// Returns the text of `rules.h`: the numbers of operations and primitives, operations on plain reals, tables.
pub fn header() -> String {
    let mut items = vec![
        Item::Include("machine.h"),
        Item::IncludeOfSystem("math.h"),
        Item::comment("The most differentiations under way inside one another."),
        Item::Define("VLAD_MOST_LEVELS", C::Unsigned(MOST_LEVELS as u64)),
    ];
    items.extend(evaluation::header());
    items.extend(coefficients::header());
    items.extend(primitives::header());
    print([beginning(), Item::Once { guard: "VLAD_RULES_H", items }])
}

/// Returns the text of `rules.c`: the tables.
pub fn source() -> String {
    print(
        [beginning(), Item::Include("rules.h")].into_iter().chain(coefficients::tables()).chain([primitives::table()]),
    )
}

/// Returns the text of `coefficients.c`: the coefficients on numbers of any levels.
pub fn coefficients_source() -> String {
    let headers = ["arithmetic.h", "number.h", "rules.h", "traps.h"].map(Item::Include);
    print([beginning()].into_iter().chain(headers).chain(coefficients::functions()))
}

fn beginning() -> Item {
    Item::comment("Generated from the table of primitives; see compiler/src/rules.")
}

/// Returns an operation on plain reals as a C expression in the doubles `a` and, if it takes two, `b`, which it may
/// read more than once; `m` is the machine. The text is in parentheses, a call, or a single name.
pub fn evaluation(operation: Operation) -> Word {
    evaluation::expression(operation)
}
