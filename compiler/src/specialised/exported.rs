//! Units that are exported: their functions, for a machine that is made for a call (`compiler/export/machine.h`).

use super::calls::Called;
use super::failures::Failure;
use super::scope::Scope;
use crate::c::{Expression as C, Item, Word};
use std::collections::BTreeSet;
use vlad_core::{ExpressionId, Program};
use vlad_first_order::passes::Passes;
use vlad_first_order::storage::fast_path::FastPath;
use vlad_first_order::storage::lower;
use vlad_first_order::storage::memory::{allocating, moves_cells};
use vlad_first_order::storage::placement::Execution;
use vlad_first_order::storage::placement::destinations::Destinations;
use vlad_first_order::{Kind, Statement, Unit};

/// The C of a unit.
#[derive(Debug)]
pub struct Exported {
    /// The functions, after the types of their results.
    pub items: Vec<Item>,
    /// The function that computes the leaves of the unit's value. It takes the machine.
    pub entry: String,
    /// The kinds of these leaves.
    pub results: Vec<Kind>,
    /// The C type of the result: of a leaf, if there is one alone, else a structure with the fields `r0`, `r1` and so on.
    pub result: Word,
    /// True if the code may be given up: it fails for some operands, or needs memory or much of the host's stack.
    pub may_end_early: bool,
}

/// The C of a fast path.
#[derive(Debug)]
pub struct ExportedFastPath {
    /// Its code, which sets the machine's `status` when it is given up.
    pub code: Exported,
    /// The leaves of the unit's value that are matrices in the memory of the caller, without an array of their rows.
    pub in_place: BTreeSet<usize>,
    /// True if it makes arrays in the memory of the context.
    pub allocates: bool,
}

/// The C of a unit of a program, whose names contain a number. The results are leaves of the unit's value with the numbers of
/// the caller's memories in which they are wanted.
pub fn exported(
    unit: &Unit,
    number: usize,
    program: &Program,
    (results, passes): (&[(usize, usize)], Passes),
) -> Exported {
    let destinations = Destinations::find(unit, results);
    let lowered = lower(unit, Execution::Exported(&destinations), passes);
    code(&Scope::new(&lowered, number, "vlad_", Some(program)))
}

/// The C of the fast path of a unit, if it has one ([`FastPath`]).
pub fn exported_fast_path(
    unit: &Unit,
    number: usize,
    program: &Program,
    (results, passes): (&[(usize, usize)], Passes),
) -> Option<ExportedFastPath> {
    let path = FastPath::of(unit, results)?;
    let lowered = lower(&path.unit, Execution::FastPath(&path.destinations, &path.in_place), passes);
    let mut scope = Scope::new(&lowered, number, "vlad_fast_", Some(program));
    scope.is_fast_path = true;
    Some(ExportedFastPath { code: code(&scope), in_place: path.leaves_in_place.clone(), allocates: path.allocates() })
}

fn code(scope: &Scope<'_>) -> Exported {
    let entry = scope.entry();
    let head = scope.head(entry);
    Exported {
        items: scope.functions(),
        entry: head.name,
        results: scope.unit.function(entry).results.clone(),
        result: head.result,
        may_end_early: scope.may_end_early(),
    }
}

impl<'unit> Scope<'unit> {
    /// The scope of a unit.
    pub fn new(unit: &'unit Unit, number: usize, prefix: &'unit str, places: Option<&'unit Program>) -> Scope<'unit> {
        let (calls, moves_cells) = (Called::of(unit), moves_cells(unit));
        Scope { unit, number, prefix, calls, moves_cells, places, is_fast_path: false }
    }

    /// The call that gives code up, because of a node.
    pub fn bail_out(&self, node: ExpressionId) -> C {
        let Some(program) = self.places else { return C::call("vlad_bail_out", [C::name("m")]) };
        let Failure { place, words } = Failure::of(program, node);
        let text = |text: Option<String>| text.map_or(C::Number(0), C::Text);
        C::call("vlad_fail", [C::name("m"), text(place), text(words)])
    }

    fn may_end_early(&self) -> bool {
        let allocating = allocating(self.unit);
        let records = |statement: &Statement| matches!(statement, Statement::Push { .. } | Statement::Act { .. });
        self.calls.reached().any(|id| {
            let body = &self.unit.function(id).body;
            self.calls.closes_cycle(id) || allocating[id] || body.all_statements().any(records) || body.may_bail_out()
        })
    }
}
