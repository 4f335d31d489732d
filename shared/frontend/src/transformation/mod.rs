//! Source transformation for display: `vlad show forward` and `vlad show reverse` print the transformed code of a
//! procedure.
//!
//! The engines differentiate by levels (report, part 8), not by rewriting programs. This module prints the other
//! account of the same derivatives, in which a procedure is transformed as code: forward mode after TR-ECE-08-01,
//! section 4, and reverse mode after Pearlmutter and Siskind (TOPLAS 30(2), 2008). The output is a program text.
//! Appended to the definitions of the original program, it runs on the reflective basis alone.
//!
//! | module | content |
//! |---|---|
//! | `source` | the input: named core with resolved names, and the procedures that a procedure reaches |
//! | `spelling` | the names in transformed code |
//! | `forward` | the forward transformation, expression by expression |
//! | `blocks` | procedures as sequences of statements, for reverse mode |
//! | `captures` | the variables whose sensitivities blocks and procedures return |
//! | `reverse` | the reverse transformation: a forward phase, and a backpropagator |
//! | `sweep` | the reverse phase that a backpropagator runs |
//! | `lifting` | local procedures that are passed to operators of differentiation |
//! | `statements`, `local_names`, `helper_names`, `modes` | data that these share |
//! | `preamble` | the explanation of the output; the transformed primitives |
//! | `vectors` | the transformed primitives of vectors, where procedures are data |
//!
//! Invariant: constant host stack, however deeply the code nests.

mod blocks;
mod captures;
mod forward;
mod helper_names;
mod lifting;
mod local_names;
mod modes;
mod preamble;
mod reverse;
mod source;
mod spelling;
mod statements;
mod sweep;
mod vectors;

pub use modes::Mode;

use crate::languages::Languages;
use helper_names::Preamble;
use modes::{Order, TopValues};
use source::Source;
use spelling::Spelling;
use vlad_core::Program;
use vlad_core::diagnostic::{Diagnostic, Failure};

/// Returns the transformed code, in VLAD, of the procedure that a top-level name of a program is bound to, with that of
/// all procedures that it calls.
///
/// # Errors
/// The name is not defined, or not defined as a procedure written in the program.
pub fn transformed(program: &Program, name: &str, mode: Mode, languages: Languages) -> Result<String, Failure> {
    print(program, name, mode, languages)
        .map_err(|diagnostic| Failure { diagnostics: vec![*diagnostic], sources: program.sources.clone() })
}

fn print(program: &Program, name: &str, mode: Mode, languages: Languages) -> Result<String, Box<Diagnostic>> {
    let (source, variable) = Source::of(program, name, languages)?;
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
