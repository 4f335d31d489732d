//! `vlad explain`: reports the specialised items of a program and the obstacles of the others, or explains a kind of
//! error.

mod kinds;
mod object;
mod text;
mod words;

use crate::commands::inspection;
use crate::options::limits::LimitArguments;
use crate::options::passes::PassArguments;
use crate::options::program::ProgramArguments;
use crate::output::conclusion::Conclusion;
use crate::output::console::{Console, Form};
use crate::process::exit::Exit;
use clap::Args;
use vlad_compiler::analysis::Weighing;
use vlad_compiler::explain::{Explained, calls, explain as explained};
use vlad_shared::core::diagnostic::Failure;
use vlad_shared::frontend::languages::Languages;
use vlad_shared::frontend::load;
use words::Timing;

/// The form of the object that `vlad explain --json` adds, as its help shows it.
pub const EXPLANATION_FORM: &str = r#"With --json the object of `vlad run --json` is printed, with two more members:
  explanation  an object for each item at top level, except definitions of procedures, with
    name         the defined name, or null
    place        the place of the item
    specialised  true or false
    reason       the obstacle to specialisation, with message, hint and place; or null
    value        the abstract value of the item, or null
    procedures   the procedures that it calls, each with name, place and instances; an instance has
                 slots, argument, result,
                 repeats ("loop", "tail calls", "recursion" or null),
                 state (the variables that a loop changes, or null),
                 unrolled (the number of enclosing calls of the same procedure) and
                 widened (the values that were known at the first call only)
    reverse_mode the applications of *j, each with procedure and
                 record ("values", "repetition", "tape" or "states")
    resources    loops, fused (loops that were merged into others),
                 elementwise (loops that C compilers may vectorise),
                 arrays and cells (the places that make them),
                 record and calls (the number of values in the largest record of a reverse sweep and
                 of a pending call, or null), tape,
                 copied_in (the definitions with vectors that are copied into arrays), copies_out;
                 or null
    statements   the numbers of statements: analysed, without_levels, simplified; or null
    c_bytes      the number of bytes of C, or null
    seconds      with --times: the times of the phases analysis, levels, passes and c
  specialised_calls  an object for each specialised call in an item that is not specialised, with
    name         the name of the procedure
    place        the place of the procedure
    call         "application", "j*" or "*j"
    operands     the shapes of the operands: "real", "vector", "matrix", or lists of them"#;

/// The text behind the options in `vlad explain --help`.
pub fn help() -> String {
    format!(
        "FILE may also be a kind of error or warning, as messages show it in brackets: `vlad explain type` prints its \
         meaning, an example and a remedy. A file with the name of a kind is given as a path: vlad explain ./type. The \
         kinds are {}. With --json the explanation of a kind is an object with kind, severity, meaning, example (the \
         arguments of a command), message (of that command) and remedy.\n\n{EXPLANATION_FORM}",
        kinds::names()
    )
}

/// The arguments of `vlad explain`.
#[derive(Debug, Args)]
pub struct ExplainArguments {
    /// The program.
    #[command(flatten)]
    pub program: ProgramArguments,
    /// The limits on memory, time and output.
    #[command(flatten)]
    pub limits: LimitArguments,
    /// The passes over specialised code.
    #[command(flatten)]
    pub passes: PassArguments,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// Add the time of each phase: analysis, removal of levels, passes and generation of C
    #[arg(long)]
    pub times: bool,
}

/// Prints which items of a program are specialised.
pub fn explain(arguments: &ExplainArguments, languages: Languages) -> Exit {
    // A kind is a word; a file of that name is given as a path.
    let word = arguments.program.file().and_then(|file| file.to_str());
    if let Some(explanation) = word.and_then(kinds::explanation) {
        let text = if arguments.json { format!("{}\n", explanation.object()) } else { explanation.text() };
        return Console::plain().conclude_with_text(&text);
    }
    let form = if arguments.json { Form::Json } else { Form::Text };
    let timing = if arguments.times { Timing::Shown } else { Timing::LeftOut };
    let console = inspection::console(form, &arguments.program, &arguments.limits);
    let options = arguments.program.options(languages);
    match arguments.program.input().and_then(|input| load::load(input, &options)) {
        Ok(program) => {
            let passes = arguments.passes.passes;
            let items: Vec<Explained> = explained(&program, passes, Weighing::All)
                .into_iter()
                .filter(|explained| program.procedure_at(explained.item.node()).is_none())
                .collect();
            let calls = calls(&program, &items, passes, Weighing::All);
            match form {
                Form::Text => {
                    let text = text::text(&program, &items, &calls, timing, arguments.program.style());
                    console.conclude_with_text(&text)
                }
                Form::Json => {
                    let explanation = object::object(&program, &items, timing);
                    let calls = object::calls(&program, &calls);
                    let conclusion = Conclusion::new(&[], &program.sources, None);
                    let (explanation, specialised_calls) = (Some(&explanation), Some(&calls));
                    console.conclude(Conclusion { explanation, specialised_calls, ..conclusion })
                }
            }
        }
        Err(Failure { diagnostics, sources }) => console.conclude(Conclusion::new(&diagnostics, &sources, None)),
    }
}
