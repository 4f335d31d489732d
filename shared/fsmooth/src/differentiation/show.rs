//! D of a function as a text: `vlad show derivative`.

use crate::differentiation::differentiate_with;
use crate::typed::{Origin, Program, print, select};
use rustc_hash::FxHashSet;
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_language::suggest::suggest;

/// Returns a program in F-smooth that defines a function, D of it, and all that they name, each of its instances.
///
/// # Errors
/// The program does not define the function, or D cannot follow it.
pub fn shown(program: &mut Program, function: &str) -> Result<String, Box<Diagnostic>> {
    let own: FxHashSet<String> = program.globals().iter().map(|global| global.name.to_string()).collect();
    let mut duals = differentiate_with(program, Some(function));
    if duals.iter().any(|(global, _)| program.global(*global).origin == Origin::Program) {
        duals.retain(|(global, _)| program.global(*global).origin == Origin::Program);
    }
    let Some((first, _)) = duals.first() else {
        let message = format!("there is no definition of `{function}` in the program");
        let near = suggest(function, own.iter().map(String::as_str));
        let diagnostic = Diagnostic::new(Kind::Unbound, None, message);
        return Err(Box::new(match near {
            Some(near) => diagnostic.with_hint(format!("did you mean `{near}`?")),
            None => diagnostic.with_hint("of the library, the functions that a program uses are part of it"),
        }));
    };
    let span = program.global(*first).span;
    let mut needed = vec![];
    for (global, dual) in &duals {
        needed.push(*global);
        needed.extend(*dual);
    }
    if duals.iter().all(|(_, dual)| dual.is_none()) {
        let type_id = program.global(*first).type_id;
        let is_function = !program.types.is_data(type_id);
        let (message, hint) = if !is_function || program.types.dual(type_id) == type_id {
            let reason = if is_function { "has no derivative" } else { "is no function" };
            let message = format!("`{function}` {reason}: it has the type `{}`", program.types.brief_text(type_id));
            (message, "derivatives are of functions over Doubles")
        } else {
            let message = format!("the derivative of `{function}` is no code: the engines compute it as `jvp`");
            (message, "D does not follow `jvp` and `vjp`, or functions that are parameters of a function around it")
        };
        return Err(Box::new(Diagnostic::new(Kind::Type, span, message).with_hint(hint)));
    }
    select::keep_definitions(program, needed);
    Ok(print::program(program))
}
