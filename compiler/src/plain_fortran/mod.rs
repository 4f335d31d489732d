//! Whole programs in plain Fortran 77: first-order code without levels, printed as subroutines.
//!
//! | first-order code | Fortran |
//! |---|---|
//! | a function | a subroutine; its results are the last arguments, and are no operands of the same call |
//! | reals, booleans | `DOUBLE PRECISION` and `LOGICAL` variables |
//! | arrays, cells | whole numbers: places in a heap in `COMMON` |
//! | `bind`, branches | `IF` blocks, whose ends assign what is yielded |
//! | a loop | a label, to which `GO TO` returns |
//! | a bail-out | a message with the place in the program, and `STOP` |
//!
//! Derivatives are ordinary code by then, so nothing in the text is about differentiation. Storage is freed by its extent: a
//! function, or the body of a loop, that lets no array and no cell escape frees what it has made. A recursive function has the
//! word `RECURSIVE`, which is Fortran 90: Fortran 77 has no recursion.
//!
//! The runtime (`compiler/fortran/runtime.f`) follows the program, with what the program needs of it. Mathematical functions are those
//! of VLAD, in an archive that goes with the program, or those of the Fortran compiler.

mod body;
mod escape;
mod memory;
mod operations;
mod parameters;
mod rows;
mod runtime;
mod unit;

use crate::Passes;
use crate::analysis::{Cause, Reason, Weighing};
use crate::export::files::File;
use crate::export::mathematics::{Library, Mathematics};
use crate::pipeline::{Copies, specialise_with};
use body::Body;
use runtime::has_word;
pub use unit::Refusal;
use unit::{Facts, UnitPrinter};
use vlad_core::fixed_form::Lines;
use vlad_core::{Item, Program};
use vlad_first_order::call_graph::{CallGraph, Calls};
use vlad_first_order::{Function, FunctionId, Unit};
use vlad_table::math::NAMES_IN_FORTRAN;

/// Returns a program in plain Fortran, NAME.f, with the archive of mathematical functions if it calls any of VLAD.
///
/// # Errors
/// The first reason why it has no such form.
pub fn plain_fortran(program: &Program, name: &str, mathematics: Mathematics) -> Result<Vec<File>, Refusal> {
    if let Some(item) = program.items.iter().find(|item| matches!(item, Item::Expression(_))) {
        let message = "it has values that are not printed by PRINT".to_owned();
        return Err(Refusal { message, node: Some(item.node()), hint: None });
    }
    let mut units: Vec<Unit> = Vec::new();
    for unit in specialise_with(program, Passes::ALL, Weighing::None, Copies::Accepted) {
        match unit {
            Ok(unit) => units.push(unit),
            // A definition of a procedure is part of what calls it.
            Err(Reason { cause: Cause::Procedure, .. }) => {}
            Err(reason) => return Err(reason.into()),
        }
    }
    if units.iter().any(|unit| !unit.inputs.is_empty()) {
        return Err(Refusal::new("it uses values that definitions compute"));
    }
    if units.iter().any(|unit| unit.result.leaves() > 0) {
        return Err(Refusal::new("it defines values that are computed"));
    }
    if units.is_empty() {
        return Err(Refusal::new("it has no main program"));
    }
    let mut text = Lines::default();
    let mut made = 0;
    let mut entries = Vec::new();
    let mut subprograms = Lines::default();
    for unit in &units {
        let Some(entry) = unit.entry else { continue };
        let rows = Vec::new();
        let mut printer = UnitPrinter { unit, program, mathematics, first: made, rows, out: &mut subprograms };
        entries.push(printer.name(entry));
        printer.functions(entry)?;
        made += unit.functions.len();
    }
    let calls = NAMES_IN_FORTRAN.iter().any(|(_, function)| has_word(subprograms.text(), function));
    let library = match mathematics {
        Mathematics::Vlad => Library::of(mathematics, calls),
        Mathematics::System => Library::System,
    };
    text.comment(name);
    for line in about(library, name) {
        text.comment(&line);
    }
    text.statement(None, 0, "PROGRAM VLMAIN");
    text.statement(None, 0, "CALL VLINIT");
    for entry in entries {
        text.statement(None, 0, &format!("CALL {entry}"));
    }
    text.statement(None, 0, "END");
    text.append(subprograms);
    if text.has_long_statement() {
        return Err(Refusal::new("it has a call with more operands than a statement has room for"));
    }
    let mut text = text.finish();
    text.push_str(&runtime::needed(&text));
    let file = File::text(format!("{name}.f"), text);
    Ok([file].into_iter().chain(library.files(name)).collect())
}

/// The library in words, in short lines.
fn about(library: Library, name: &str) -> Vec<String> {
    match library {
        Library::Nothing => vec!["No mathematical function is called.".to_owned()],
        Library::Archive => {
            let archive = library.operand(name).unwrap_or_default();
            vec!["The mathematical functions are those of VLAD: link with".to_owned(), format!("{archive}.")]
        }
        Library::System => vec!["The mathematical functions are those of the Fortran compiler.".to_owned()],
    }
}

impl<'unit> UnitPrinter<'unit> {
    fn functions(&mut self, entry: FunctionId) -> Result<(), Refusal> {
        let unit = self.unit;
        let graph = CallGraph::of(unit, Calls::All);
        let facts = Facts {
            recursive: graph.numbers().map(|id| graph.is_recursive(id)).collect(),
            pushing: escape::pushing(unit),
            read: parameters::read(unit),
        };
        for id in graph.reached([entry]).all_true() {
            self.function(id, unit.function(id), &facts)?;
        }
        self.rows_of_cells()
    }

    fn function(&mut self, id: FunctionId, function: &'unit Function, facts: &Facts) -> Result<(), Refusal> {
        let body = Body::print(self, id, function, facts)?;
        let number = id.0 as usize;
        self.out.comment(&function.name);
        let word =
            if facts.recursive.get(number).copied().unwrap_or(false) { "RECURSIVE SUBROUTINE" } else { "SUBROUTINE" };
        let arguments = match body.arguments.as_slice() {
            [] => String::new(),
            arguments => format!("({})", arguments.join(", ")),
        };
        self.out.statement(None, 0, &format!("{word} {}{arguments}", self.name(id)));
        body.declarations(self.out);
        self.out.append(body.lines);
        self.out.statement(None, 0, "END");
        Ok(())
    }
}
