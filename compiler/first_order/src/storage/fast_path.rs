//! The fast path of an export: its code as far as it needs nothing but the memory that the caller and earlier calls have
//! provided.
//!
//! A call of exported code prepares a machine, and a jump target for bailing out. For a short function that takes longer than its
//! operations. So short exports have their code twice. The fast path prepares neither: where the usual code would bail out, or
//! needs more memory, it returns at once, and the call begins again with the usual code. No bit depends on that: exported code has no
//! effects, and its results do not overlap with operands.
//!
//! A branch bails out if it needs the usual code: for a call, a record, a tape, or an array that a loop makes and frees again. Arrays that
//! a loop makes in two buffers are allowed. No loop comes before such a branch but for short tests, so little is executed twice.
//! Calls bail out, so the fast path is one function. Counts of steps have been removed before.

use super::placement::buffers::Buffers;
use super::placement::destinations::Destinations;
use super::placement::in_place::matrices_in_place;
use crate::effects::Effect;
use crate::{Block, End, Function, FunctionId, Kind, NOWHERE, Statement, Unit, Variable};
use std::collections::BTreeSet;

/// The most statements and ends of a fast path. With more of them a call takes long enough without one.
const MOST_STATEMENTS: usize = 300;

/// The most statements and ends of a loop that tests something.
const MOST_OF_TEST: usize = 20;

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
    buffers: Buffers,
}

impl FastPath {
    /// The fast path of a unit, if there is one: some operands have to come to its end. The results are leaves of the unit's value with
    /// the numbers of the caller's memories in which they are wanted.
    pub fn of(unit: &Unit, results: &[(usize, usize)]) -> Option<FastPath> {
        let entry = unit.entry?;
        let function = unit.function(entry);
        let destinations = Destinations::find(unit, results);
        let shortening = Shortening { entry, function, destinations: &destinations, buffers: Buffers::find(function) };
        let body = shortening.block(&function.body, Position::BeforeLoops)?;
        if function.results.is_empty() || body.size() > MOST_STATEMENTS || !ends(&body) {
            return None;
        }
        let buffers = shortening.buffers;
        let mut unit = unit.clone();
        unit.functions.get_mut(entry.0 as usize)?.body = body;
        let (mut in_place, mut leaves_in_place) = (BTreeSet::new(), BTreeSet::new());
        for (leaf, memory) in results {
            if let Some(matrices) = matrices_in_place((entry, unit.function(entry)), &destinations, (*leaf, *memory)) {
                in_place.extend(matrices);
                leaves_in_place.insert(*leaf);
            }
        }
        Some(FastPath { unit, destinations, in_place, leaves_in_place, buffers })
    }

    /// Returns true if all paths through the code make arrays in the memory of the context. Without such memory the fast path is not tried.
    pub fn allocates(&self) -> bool {
        let Some(entry) = self.unit.entry else { return false };
        let function = self.unit.function(entry);
        let is_elsewhere = |target: &Variable| {
            let is_vector = matches!(function.kind((*target).into()), Kind::Array(of) if of.rank == 1);
            let is_there = is_vector && self.destinations.of(entry, *target).is_some();
            !is_there && !self.in_place.contains(target)
        };
        function.body.statements.iter().any(|statement| match statement {
            Statement::Zeros { .. } | Statement::Accumulators { .. } => true,
            Statement::Array { .. } | Statement::Build { .. } => statement.targets().iter().any(is_elsewhere),
            Statement::Loop { state, .. } => state.first().is_some_and(|first| self.buffers.are_of(*first)),
            _ => false,
        })
    }
}

/// Returns true if some path through a block yields values, or goes on.
fn ends(block: &Block) -> bool {
    block.yields().next().is_some()
}

/// The place of a statement among loops.
#[derive(Clone, Copy, PartialEq)]
enum Position {
    BeforeLoops,
    BehindLoop,
    InLoop,
}

/// Lets branches of a function bail out that the fast path cannot execute.
struct Shortening<'unit> {
    entry: FunctionId,
    function: &'unit Function,
    destinations: &'unit Destinations,
    buffers: Buffers,
}

impl Shortening<'_> {
    /// The block with branches that bail out; none if a loop comes before one of them. Recursion is bounded by the depth of blocks.
    fn block(&self, block: &Block, position: Position) -> Option<Block> {
        match self.whole(block, position) {
            None if position == Position::BeforeLoops => {
                Some(Block { statements: Vec::new(), end: End::BailOut(NOWHERE) })
            }
            found => found,
        }
    }

    /// The same; none if a statement of the block itself cannot be executed.
    fn whole(&self, block: &Block, mut position: Position) -> Option<Block> {
        let mut statements = Vec::new();
        for statement in &block.statements {
            statements.push(self.statement(statement, position)?);
            if position == Position::BeforeLoops && has_loop(self.function, statement) {
                position = Position::BehindLoop;
            }
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

    /// The statement with branches that bail out; none if it cannot be executed.
    fn statement(&self, statement: &Statement, position: Position) -> Option<Statement> {
        let mut statement = statement.clone();
        let is_repeated = position == Position::InLoop;
        let is_possible = match &mut statement {
            Statement::Array { target, .. } => !is_repeated || self.has_place(*target),
            Statement::Zeros { target, .. } | Statement::Accumulators { target, .. } => {
                !is_repeated && self.function.kind((*target).into()) == Kind::REALS
            }
            Statement::Build { targets, body, .. } => {
                *body = self.whole(body, Position::InLoop)?;
                !is_repeated || targets.iter().all(|target| self.has_place(*target))
            }
            Statement::Loop { state, body, .. } => {
                *body = self.whole(body, Position::InLoop)?;
                !(is_repeated && state.first().is_some_and(|first| self.buffers.are_of(*first)))
            }
            Statement::Bind { block, .. } => {
                *block = self.block(block, position)?;
                ends(block)
            }
            other => matches!(other.effect(), Effect::Value | Effect::Load | Effect::Store),
        };
        is_possible.then_some(statement)
    }

    fn has_place(&self, array: Variable) -> bool {
        self.destinations.of(self.entry, array).is_some() || self.buffers.include(array)
    }
}

/// Returns true for a loop, and for a statement with one in it, but for loops that only test something.
fn has_loop(function: &Function, statement: &Statement) -> bool {
    if is_test(function, statement) {
        return false;
    }
    statement.repeats()
        || statement
            .block()
            .is_some_and(|block| block.all_statements().any(|inner| inner.repeats() && !is_test(function, inner)))
}

/// Returns true for a loop without loops in it whose state is a counter and truth values.
fn is_test(function: &Function, statement: &Statement) -> bool {
    let Statement::Loop { state, body, .. } = statement else { return false };
    let is_short = body.size() <= MOST_OF_TEST && !body.all_statements().any(Statement::repeats);
    let mut kinds = state.iter().map(|variable| function.kind((*variable).into()));
    is_short && kinds.next() == Some(Kind::Real) && kinds.all(|kind| kind == Kind::Boolean)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check;
    use crate::evaluate::Stop;
    use crate::passes::shape::inline::inline;
    use crate::random::{Dials, observe, unit};

    /// Fast paths have the results of the whole, unless they bail out.
    #[test]
    fn fast_paths_of_random_units_compute_the_same() {
        let plain = Dials { forward: 0, reverse: 0, recursion: 0, effects: 0, ..Dials::with_arrays() };
        let dials = Dials { functions: 2, statements: 4, loops: 6, calls: 4, arrays: 10, ..plain };
        let (mut found, mut shortened, mut ended) = (0, 0, 0);
        for seed in 0..3000 {
            let mut whole = unit(seed, dials);
            inline(&mut whole);
            whole.remove_counts();
            let Some(path) = FastPath::of(&whole, &[]) else { continue };
            found += 1;
            shortened += usize::from(path.unit.functions.iter().zip(&whole.functions).any(|(a, b)| a.body != b.body));
            check(&path.unit).unwrap_or_else(|message| panic!("seed {seed}: {message}"));
            for inputs in 3 * seed..3 * seed + 3 {
                let (expected, found) = (observe(&whole, inputs), observe(&path.unit, inputs));
                match found.0 {
                    Err(Stop::BailOut(_)) => {}
                    result => {
                        ended += 1;
                        assert_eq!(result, expected.0, "seed {seed}, inputs {inputs}");
                    }
                }
            }
        }
        assert!(found > 100 && shortened > 10 && ended > 100, "{found}, {shortened}, {ended}");
    }
}
