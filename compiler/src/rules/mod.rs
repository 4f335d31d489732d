//! Generation of C from the table of primitives: the parts of the runtime that depend on operations, derivatives and
//! primitives.
//!
//! Invariant: no derivative and no meaning of a primitive is written in C by hand. [`header`], [`source`] and
//! [`coefficients_source`] return the texts of `rules.h`, `rules.c` and `coefficients.c`, which are compiled into the runtime;
//! [`evaluation`] serves programs as well. All are based on an exhaustive `match` on [`Operation`], so an operation without a
//! meaning in C does not compile.
//!
//! The build script includes this module by its path, so it uses nothing of its crate.

mod coefficients;
mod evaluation;
pub mod names;
mod primitives;
mod text;

use text::line;
use vlad_table::Operation;
use vlad_table::operations::MOST_LEVELS;

/// Returns the text of `rules.h`: the numbers of operations and primitives, operations on plain reals, tables.
pub fn header() -> String {
    let mut out = String::from(
        "/* Generated from the table of primitives; see compiler/src/rules. */\n\
         #ifndef VLAD_RULES_H\n#define VLAD_RULES_H\n\n#include \"machine.h\"\n#include <math.h>\n",
    );
    line(&mut out, format_args!("\n/* The most differentiations under way inside one another. */"));
    line(&mut out, format_args!("#define VLAD_MOST_LEVELS {MOST_LEVELS}u"));
    evaluation::write_header(&mut out);
    coefficients::write_header(&mut out);
    primitives::write_header(&mut out);
    out.push_str("\n#endif\n");
    out
}

/// Returns the text of `rules.c`: the tables.
pub fn source() -> String {
    let mut out = beginning("rules.h");
    coefficients::write_tables(&mut out);
    primitives::write_source(&mut out);
    out
}

/// Returns the text of `coefficients.c`: the coefficients on numbers of any levels.
pub fn coefficients_source() -> String {
    let mut out = beginning("arithmetic.h");
    out.push_str("#include \"number.h\"\n#include \"rules.h\"\n");
    coefficients::write_source(&mut out);
    out
}

/// The beginning of a source file, which includes a header.
fn beginning(header: &str) -> String {
    format!("/* Generated from the table of primitives; see compiler/src/rules. */\n#include \"{header}\"\n")
}

/// Returns an operation on plain reals as a C expression in the doubles `a` and, if it takes two, `b`, which it may read more
/// than once; `m` is the machine. The text is in parentheses, a call, or a single name.
pub fn evaluation(operation: Operation) -> &'static str {
    evaluation::expression(operation)
}
