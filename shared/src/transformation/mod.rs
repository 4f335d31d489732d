//! The transformed code of a procedure, for reading: `vlad show forward`, `vlad show reverse`.
//!
//! The engines differentiate by levels (report, part 8), not by rewriting programs. What is printed here is the other
//! account of the same derivatives, in which a procedure is transformed as code: forward mode after TR-ECE-08-01,
//! section 4, and reverse mode after Pearlmutter and Siskind (TOPLAS 30(2), 2008). The output is a program text; behind
//! the definitions of the program that it was made of, it runs, on the reflective basis alone.
//!
//! | module | what it has |
//! |---|---|
//! | [`source`] | named core with what its names mean, and which procedures a procedure reaches |
//! | [`spelling`] | what things are called |
//! | [`forward`] | the forward transformation, expression by expression |
//! | [`blocks`] | procedures as sequences of statements, for reverse mode |
//! | [`captures`] | of which variables blocks and procedures give the sensitivities |
//! | [`reverse`] | the reverse transformation: a forward phase, and a backpropagator |
//! | [`sweep`] | the reverse phase that a backpropagator runs |
//! | [`lifting`] | procedures that are given to operators |
//! | [`preamble`] | how to read it; the transformed primitives |
//! | [`vectors`] | those of vectors, where procedures are data |
//!
//! Invariant: constant host stack, however deep the code is.

mod blocks;
mod captures;
mod forward;
mod lifting;
mod preamble;
mod reverse;
mod source;
mod spelling;
mod sweep;
mod vectors;

use crate::core::Program;
use crate::diagnostic::Diagnostic;
use crate::report::Failure;
use preamble::Preamble;
use source::Source;
use spelling::Spelling;

/// Which transformation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// `j*`.
    Forward,
    /// `*j`.
    Reverse,
}

impl Mode {
    /// How the transformation is written.
    fn operator(self) -> &'static str {
        match self {
            Mode::Forward => "j*",
            Mode::Reverse => "*j",
        }
    }

    /// What stands behind the names of transformed values.
    fn mark(self) -> &'static str {
        match self {
            Mode::Forward => ">",
            Mode::Reverse => "<",
        }
    }
}

/// Whether procedures are data in what is transformed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// They are only called; all data are tagged.
    First,
    /// They are data, too. Those that are transformed as code have no tag, so pairs of them have none either, and
    /// whatever looks at data looks for a tag first.
    Higher,
}

/// How a procedure at top level is written where it is a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TopValues {
    /// By its transformed code.
    AsCode,
    /// With a tag, since it may come to a primitive that takes values as a whole.
    Tagged,
}

/// The transformed code of the procedure that a name means at the top level of a program, with that of all that it
/// calls.
///
/// # Errors
/// The name is not defined, or not as a procedure that is written out.
pub fn transformed(program: &Program, name: &str, mode: Mode) -> Result<String, Failure> {
    print(program, name, mode)
        .map_err(|diagnostic| Failure { diagnostics: vec![*diagnostic], sources: program.sources.clone() })
}

fn print(program: &Program, name: &str, mode: Mode) -> Result<String, Box<Diagnostic>> {
    let (source, variable) = Source::of(program, name)?;
    let root = source.root(variable, name, mode)?;
    let reached = source.reached(variable, root);
    let mut spelling = Spelling::new(&source, &reached, mode);
    let top_values = if reached.wholes { TopValues::Tagged } else { TopValues::AsCode };
    let order = if reached.values { Order::Higher } else { Order::First };
    Ok(match mode {
        Mode::Forward => {
            let preamble = Preamble::new(mode, order, &reached, &mut spelling);
            let mut definitions = "\n; Procedures.\n".to_owned();
            for (variable, lambda) in &reached.procedures {
                definitions += "\n";
                definitions += &forward::definition(&source, &spelling, &preamble, top_values, (*variable, *lambda));
            }
            preamble.text(&source, &spelling, &reached, variable, name) + &definitions
        }
        Mode::Reverse => {
            let bodies: Vec<_> = reached
                .procedures
                .iter()
                .map(|(_, lambda)| blocks::build(&source, &spelling, top_values, *lambda))
                .collect();
            let captures = bodies.iter().any(captures::Body::captures);
            let order = if captures { Order::Higher } else { order };
            let preamble = Preamble::new(mode, order, &reached, &mut spelling);
            let mut definitions = "\n; Procedures.\n".to_owned();
            for ((variable, _), body) in reached.procedures.iter().zip(&bodies) {
                definitions += "\n";
                definitions += &reverse::definition(&source, &spelling, &preamble, top_values, *variable, body);
            }
            preamble.text(&source, &spelling, &reached, variable, name) + &definitions
        }
    })
}
