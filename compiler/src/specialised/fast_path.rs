//! The fast path of an export: its code as far as it needs nothing but the memory that the caller and earlier calls have
//! provided.
//!
//! A call of exported code prepares a machine, and a place to which code jumps that is given up. Where a function has few
//! operations, these take less time than that. So short exports have their code twice. The fast path has neither: where the usual
//! code would be given up, or needs more memory, it returns at once, and the call begins again with the usual code. Nobody sees
//! that, since what is exported has no effects.
//!
//! A branch is given up if it does what only the usual code can do: calls, records, tapes, and arrays that a loop frees again. Such a
//! branch comes before all loops, so little is executed twice. What is left has one function.

use super::destinations::{Destination, Destinations};
use crate::first_order::{Block, End, Function, FunctionId, Kind, NOWHERE, Operand, Scalar, Statement, Unit, Variable};
use std::collections::BTreeSet;

/// The most statements and ends of a fast path. With more of them a call takes long enough without one.
const MOST_STATEMENTS: usize = 300;

/// The code of a fast path.
pub struct FastPath {
    /// The unit, with the numbers of the functions that it has as a whole.
    pub unit: Unit,
    /// The arrays that are made in the memory of the caller.
    pub destinations: Destinations,
    /// The matrices of results all of whose rows are made there, so that there is no array of the rows.
    pub in_place: BTreeSet<Variable>,
    /// The leaves of the unit's value that are such matrices.
    pub leaves_in_place: BTreeSet<usize>,
}

impl FastPath {
    /// The fast path of a unit, if there is one: some operands have to come to its end. The results are leaves of the unit's value with
    /// the numbers of the caller's memories in which they are wanted.
    pub fn of(unit: &Unit, results: &[(usize, usize)]) -> Option<FastPath> {
        let entry = unit.entry?;
        let function = unit.function(entry);
        let destinations = Destinations::find(unit, results);
        let shortening = Shortening { entry, function, destinations: &destinations };
        let body = shortening.block(&function.body, Position::default())?;
        if function.results.is_empty() || body.size() > MOST_STATEMENTS || !ends(&body) {
            return None;
        }
        let mut unit = unit.clone();
        unit.functions.get_mut(entry.0 as usize)?.body = body;
        let (mut in_place, mut leaves_in_place) = (BTreeSet::new(), BTreeSet::new());
        for (leaf, _) in results {
            if let Some(matrices) = matrices_in_place(entry, unit.function(entry), &destinations, *leaf) {
                in_place.extend(matrices);
                leaves_in_place.insert(*leaf);
            }
        }
        Some(FastPath { unit, destinations, in_place, leaves_in_place })
    }

    /// Returns true if all paths through the code make arrays in the memory of the context.
    pub fn allocates(&self) -> bool {
        let Some(entry) = self.unit.entry else { return false };
        let function = self.unit.function(entry);
        let is_elsewhere = |target: &Variable| {
            let is_vector = matches!(function.kind((*target).into()), Kind::Array(of) if of.rank == 1);
            !self.in_place.contains(target) && !(is_vector && self.destinations.of(entry, *target).is_some())
        };
        function.body.statements.iter().any(|statement| match statement {
            Statement::Zeros { .. } | Statement::Accumulators { .. } => true,
            Statement::Array { .. } | Statement::Build { .. } => statement.targets().iter().any(is_elsewhere),
            _ => false,
        })
    }
}

/// Returns true if some path through a block yields values, or goes on.
fn ends(block: &Block) -> bool {
    let mut ends = false;
    block.each_leaf(&mut |leaf| ends |= matches!(leaf.end, End::Yield(_)));
    ends
}

/// Where a statement stands.
#[derive(Clone, Copy, Default)]
struct Position {
    /// True within a loop.
    is_repeated: bool,
    /// True behind a loop, or within one.
    is_late: bool,
}

/// Gives branches of a function up that the fast path cannot execute.
struct Shortening<'unit> {
    entry: FunctionId,
    function: &'unit Function,
    destinations: &'unit Destinations,
}

impl Shortening<'_> {
    /// What is left of a block, whose depth is bounded; none if a loop comes before what cannot be executed.
    fn block(&self, block: &Block, position: Position) -> Option<Block> {
        match self.whole(block, position) {
            None if !position.is_late => Some(Block { statements: Vec::new(), end: End::BailOut(NOWHERE) }),
            found => found,
        }
    }

    /// The same; none if the block itself cannot be executed.
    fn whole(&self, block: &Block, mut position: Position) -> Option<Block> {
        let mut statements = Vec::new();
        for statement in &block.statements {
            statements.push(self.statement(statement, position)?);
            position.is_late |= statement.repeats();
        }
        let end = match &block.end {
            End::Branch { test, consequent, alternative } => End::Branch {
                test: *test,
                consequent: Box::new(self.block(consequent, position)?),
                alternative: Box::new(self.block(alternative, position)?),
            },
            end => end.clone(),
        };
        Some(Block { statements, end })
    }

    /// What is left of a statement; none if it cannot be executed.
    fn statement(&self, statement: &Statement, position: Position) -> Option<Statement> {
        let mut statement = statement.clone();
        let is_repeated = position.is_repeated;
        let is_possible = match &mut statement {
            Statement::Operation { .. }
            | Statement::PositiveZero { .. }
            | Statement::Compare { .. }
            | Statement::Element { .. }
            | Statement::Load { .. }
            | Statement::Store { .. }
            | Statement::Length { .. }
            | Statement::IsIndex { .. }
            | Statement::Input { .. }
            | Statement::CompareArrays { .. } => true,
            Statement::Array { target, .. } => !is_repeated || self.is_placed(*target),
            Statement::Zeros { target, .. } | Statement::Accumulators { target, .. } => {
                !is_repeated && self.function.kind((*target).into()) == Kind::REALS
            }
            Statement::Build { targets, body, .. } => {
                *body = self.whole(body, Position { is_repeated: true, is_late: true })?;
                !is_repeated || targets.iter().all(|target| self.is_placed(*target))
            }
            Statement::Loop { body, .. } => {
                *body = self.whole(body, Position { is_repeated: true, is_late: true })?;
                true
            }
            Statement::Bind { block, .. } => {
                *block = self.block(block, position)?;
                ends(block)
            }
            Statement::Call { .. }
            | Statement::Forward { .. }
            | Statement::Reverse { .. }
            | Statement::Read { .. }
            | Statement::Write { .. }
            | Statement::Push { .. }
            | Statement::Pop { .. }
            | Statement::Tape { .. }
            | Statement::Replace { .. }
            | Statement::Steps { .. }
            | Statement::Recount { .. }
            | Statement::Count { .. }
            | Statement::Cell { .. }
            | Statement::Parts { .. } => false,
        };
        is_possible.then_some(statement)
    }

    fn is_placed(&self, array: Variable) -> bool {
        self.destinations.of(self.entry, array).is_some()
    }
}

/// The matrices that a leaf of the value is, if each of them has all rows in the memory of the caller, and is nothing but that leaf.
fn matrices_in_place(
    entry: FunctionId,
    function: &Function,
    destinations: &Destinations,
    leaf: usize,
) -> Option<BTreeSet<Variable>> {
    let matrices = yielded(&function.body, leaf)?;
    let mut built = BTreeSet::new();
    let mut uses = 0;
    let mut note = |operand: &Operand| {
        uses += usize::from(matches!(operand, Operand::Variable(variable) if matrices.contains(variable)));
    };
    function.body.each_block(&mut |block| {
        for statement in &block.statements {
            statement.operands().iter().for_each(&mut note);
            let Statement::Build { targets, index, body, .. } = statement else { continue };
            for (place, target) in targets.iter().enumerate().filter(|(_, target)| matrices.contains(target)) {
                let rows = yielded(body, place).unwrap_or_default();
                let is_row = |row: &Variable| {
                    matches!(destinations.of(entry, *row), Some(Destination::Row(_, of)) if of == *index)
                };
                let is_whole = matches!(destinations.of(entry, *target), Some(Destination::Result(_)));
                if is_whole && !rows.is_empty() && rows.iter().all(is_row) {
                    built.insert(*target);
                }
            }
        }
        block.end.operands().iter().for_each(&mut note);
    });
    let mut yields = 0;
    function.body.each_leaf(&mut |block| yields += usize::from(matches!(block.end, End::Yield(_))));
    let are_matrices = matrices.iter().all(|matrix| {
        matches!(function.kind((*matrix).into()), Kind::Array(of) if of.rank == 2 && of.scalar == Scalar::Real)
    });
    (are_matrices && built == matrices && uses == yields).then_some(matrices)
}

/// The variables that the leaves of a block yield at a place; none if one of them yields a constant.
fn yielded(block: &Block, place: usize) -> Option<BTreeSet<Variable>> {
    let mut found = Some(BTreeSet::new());
    block.each_leaf(&mut |leaf| {
        let End::Yield(values) = &leaf.end else { return };
        match values.get(place) {
            Some(Operand::Variable(variable)) => {
                found.as_mut().map(|found| found.insert(*variable));
            }
            Some(Operand::Real(_) | Operand::Boolean(_)) | None => found = None,
        }
    });
    found
}
