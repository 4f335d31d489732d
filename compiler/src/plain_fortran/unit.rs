//! The data that the modules of the printer share: refusals, the unit that is printed, facts about its functions.

use crate::analysis::Reason;
use crate::export::mathematics::Mathematics;
use vlad_core::fixed_form::Lines;
use vlad_core::{ExpressionId, Program};
use vlad_first_order::{FunctionId, Kind, Statement, Unit};

/// The reason why a program has no form in plain Fortran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// A clause about the program.
    pub message: String,
    /// The expression that it is about, if one is known.
    pub node: Option<ExpressionId>,
    /// A hint, if there is one.
    pub hint: Option<String>,
}

impl Refusal {
    pub(super) fn new(message: impl Into<String>) -> Refusal {
        Refusal { message: message.into(), node: None, hint: None }
    }
}

impl From<Reason> for Refusal {
    fn from(reason: Reason) -> Refusal {
        let hint = (!reason.hint().is_empty()).then(|| reason.hint().to_owned());
        Refusal { message: reason.text().into_owned(), node: reason.node, hint }
    }
}

/// The printer of the functions of a unit.
pub(super) struct UnitPrinter<'unit> {
    pub(super) unit: &'unit Unit,
    pub(super) program: &'unit Program,
    /// The origin of mathematical functions.
    pub(super) mathematics: Mathematics,
    /// The number of functions in the units before this one.
    pub(super) first: usize,
    /// The subroutines that print structures in rows, by the numbers of the rows' shapes and of the cells in them.
    pub(super) rows: Vec<(usize, usize)>,
    pub(super) out: &'unit mut Lines,
}

/// The facts about the functions of a unit that printing needs, by number.
pub(super) struct Facts {
    /// True for functions that may call themselves.
    pub(super) recursive: Vec<bool>,
    /// True for functions that push arrays or cells on a stack of records, or call one that does.
    pub(super) pushing: Vec<bool>,
    /// True for parameters that are read, by function.
    pub(super) read: Vec<Vec<bool>>,
}

impl Facts {
    /// Returns true if a function reads a parameter; the others are no arguments in Fortran.
    pub(super) fn is_read(&self, FunctionId(function): FunctionId, place: usize) -> bool {
        self.read.get(function as usize).and_then(|read| read.get(place)).copied().unwrap_or(false)
    }
}

impl UnitPrinter<'_> {
    /// Returns the name of the subroutine of a function.
    pub(super) fn name(&self, FunctionId(number): FunctionId) -> String {
        format!("S{}", self.first + number as usize)
    }
}

/// Returns true for kinds whose values are places in the heap.
pub(super) fn is_place(kind: Kind) -> bool {
    match kind {
        Kind::Real | Kind::Boolean => false,
        Kind::Array(_) | Kind::Cell | Kind::Integer => true,
    }
}

/// Returns true if a statement makes something in the heap itself.
pub(super) fn makes(statement: &Statement) -> bool {
    matches!(
        statement,
        Statement::Array { .. }
            | Statement::Build { .. }
            | Statement::Replace { .. }
            | Statement::Zeros { .. }
            | Statement::Accumulators { .. }
            | Statement::Cell { .. }
            | Statement::Act { .. }
            | Statement::Call { .. }
    )
}
