//! The static semantics: subprograms and statements to entities, meanings and types, with all errors of the text.
//!
//! | pass | postcondition |
//! |---|---|
//! | `declare` | each subprogram has a scope |
//! | `resolve` | each name has a meaning; implicit variables belong to the outermost subprogram |
//! | `procedures` | it is known which parameters are procedures, and which subprograms may be given for them |
//! | `types`, `statements`, `differentiation` | each expression has a type, and fits where it stands |
//! | `jumps` | each label that is used stands once, where it can be jumped to |

mod calls;
mod declare;
mod differentiation;
pub mod entities;
pub mod intrinsics;
pub mod jumps;
mod procedures;
mod resolve;
mod statements;
mod types;

use crate::program::units::{Program, UnitId};
use crate::syntax::tree::{ExprId, Tree, Type};
use entities::{Callee, Entities, Meaning};
use rustc_hash::FxHashMap;
use vlad_core::diagnostic::{Diagnostic, Kind, Report};
use vlad_core::source::Span;
use vlad_language::names::{NameId, Names};

/// A call, as an expression or a statement.
#[derive(Clone, Debug)]
pub struct Site {
    /// The subprogram that it stands in.
    pub unit: UnitId,
    /// The expression.
    pub call: ExprId,
    /// The procedure that is called.
    pub callee: Callee,
    /// True for a statement.
    pub is_statement: bool,
}

/// A program with its entities.
#[derive(Debug)]
pub struct Checked {
    /// The entities.
    pub entities: Entities,
    /// The calls, in the order of the text within each subprogram.
    pub sites: Vec<Site>,
    /// The main program.
    pub main: Option<UnitId>,
    /// The bounds of arrays that are not constants, by the subprograms that they belong to.
    pub bounds: Vec<(UnitId, ExprId)>,
    /// The labels that are jumped to.
    pub targets: jumps::Targets,
}

/// Checks a program; errors are reported.
pub fn check(tree: &Tree, program: &Program, names: &mut Names, report: &mut Report) -> Checked {
    let mut entities = Entities::default();
    entities.meanings.resize(tree.count(), Meaning::None);
    entities.types.resize(tree.count(), None);
    let mut checker = Checker {
        tree,
        program,
        names,
        report,
        entities,
        top: FxHashMap::default(),
        main: None,
        repeated: vec![],
        bounds: vec![],
        sites: vec![],
        indices: vec![],
    };
    checker.declare();
    checker.resolve();
    checker.find_procedures();
    checker.find_types();
    checker.check_repeated_types();
    checker.check_calls();
    checker.check_statements();
    let Checker { entities, sites, main, bounds, .. } = checker;
    let targets = jumps::check(program, report);
    Checked { entities, sites, main, bounds, targets }
}

/// The passes' common state.
struct Checker<'loading> {
    tree: &'loading Tree,
    program: &'loading Program,
    names: &'loading mut Names,
    report: &'loading mut Report,
    entities: Entities,
    /// The subprograms that are not nested.
    top: FxHashMap<NameId, UnitId>,
    main: Option<UnitId>,
    /// Declarations that repeat the types of functions.
    repeated: Vec<(UnitId, Type, Span)>,
    bounds: Vec<(UnitId, ExprId)>,
    sites: Vec<Site>,
    /// The indices of the loops around the statement that is checked.
    indices: Vec<entities::VarId>,
}

impl Checker<'_> {
    fn error(&mut self, kind: Kind, span: Span, message: impl Into<String>) {
        self.report.push(Diagnostic::new(kind, span, message));
    }

    fn error_with_hint(&mut self, kind: Kind, span: Span, message: impl Into<String>, hint: &str) {
        self.report.push(Diagnostic::new(kind, span, message).with_hint(hint));
    }

    /// Returns a name as written in diagnostics.
    fn shown(&self, name: NameId) -> String {
        self.names.text(name).to_owned()
    }

    fn check_repeated_types(&mut self) {
        for (unit, kind, span) in std::mem::take(&mut self.repeated) {
            let Some(result) = self.entities.scope(unit).result else {
                let message =
                    format!("{} is a subroutine and has no type", self.shown(self.program.unit(unit).name.name));
                self.error(Kind::Type, span, message);
                continue;
            };
            let own = self.entities.element_type(result);
            if own != kind {
                let name = self.shown(self.program.unit(unit).name.name);
                let message = format!("the function {name} is {}, not {}", own.text(), kind.text());
                self.error(Kind::Type, span, message);
            }
        }
    }
}
