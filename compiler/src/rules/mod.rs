//! C from the table of primitives: what the native engine's runtime knows of operations, derivatives and primitives.
//!
//! Invariant: no derivative and no meaning of a primitive is written in C by hand. [`header`] and [`source`] give the
//! texts of `rules.h` and `rules.c`, which the runtime is compiled with; [`evaluation`] serves programs as well. A
//! closed `match` on [`Operation`] stands behind them, so an operation without a meaning in C does not compile.
//!
//! The build script includes this module by its path, so it uses nothing of its crate.

mod coefficients;
mod evaluation;
pub mod names;
mod primitives;

use std::fmt::Write;
use vlad_shared::differentiation::arithmetic::MOST_LEVELS;
use vlad_shared::internal_bug;
use vlad_shared::table::Operation;

/// The text of `rules.h`: numbers of operations and primitives, operations on plain reals, tables.
pub fn header() -> String {
    let mut out = String::from(
        "/* Generated from the table of primitives; see compiler/src/rules. */\n\
         #ifndef VLAD_RULES_H\n#define VLAD_RULES_H\n\n#include \"machine.h\"\n#include <math.h>\n",
    );
    line(&mut out, format_args!("\n/* The most differentiations under way inside one another. */"));
    line(&mut out, format_args!("#define VLAD_MOST_LEVELS {MOST_LEVELS}u"));
    out.push_str(INLINE);
    evaluation::write_header(&mut out);
    coefficients::write_header(&mut out);
    primitives::write_header(&mut out);
    out.push_str("\n#endif\n");
    out
}

/// Functions of an operation that is often known where they are called: then nothing is left of their choice.
const INLINE: &str = "
#if defined(__GNUC__) && !defined(__TINYC__)
#define VLAD_INLINE inline __attribute__((always_inline))
#else
#define VLAD_INLINE inline
#endif
";

/// The text of `rules.c`: the tables, and coefficients on numbers of any levels.
pub fn source() -> String {
    let mut out = String::from(
        "/* Generated from the table of primitives; see compiler/src/rules. */\n#include \"machine_private.h\"\n",
    );
    coefficients::write_source(&mut out);
    primitives::write_source(&mut out);
    out
}

/// An operation on plain reals as a C expression in the doubles `a` and, if it takes two, `b`, which may be read more
/// than once; `m` is the machine. The text stands in parentheses or is a call.
pub fn evaluation(operation: Operation) -> &'static str {
    evaluation::expression(operation)
}

/// Adds a line.
fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    if out.write_fmt(text).is_err() || out.write_char('\n').is_err() {
        internal_bug!("a string takes any text");
    }
}

/// A double as a C constant of the same bits.
fn real_constant(x: f64) -> String {
    if x.is_nan() {
        "((double)NAN)".to_owned()
    } else if x.is_infinite() {
        if x > 0.0 { "HUGE_VAL".to_owned() } else { "(-HUGE_VAL)".to_owned() }
    } else if x.is_sign_negative() {
        format!("({x:?})")
    } else {
        format!("{x:?}")
    }
}
