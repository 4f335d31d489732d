//! The release of memory at the ends of calls and of iterations, in storage code.
//!
//! ```text
//! f (x):                                  f (x):
//!   ...                             ~>      mark = mark
//!   yield a                                 ...
//!                                           a' = keep a from mark
//!                                           yield a'
//!
//! loop s := a:                            mark = mark
//!   ...                             ~>    loop s := a, limit := 65536:
//!   repeat b                                ...
//!                                           more b' = keep b from mark beyond limit
//!                                           repeat b' more
//! ```
//!
//! It takes a unit whose builds are lowered, and asks [`super::memory`] which calls and iterations release memory. A call keeps
//! its results, an iteration the next state; both keep what they keep where it is, or move it to the mark, so no bit changes. The
//! mark of a loop may be set before the statements that make its first state ([`early_marks`]).
//!
//! Records of an iteration may have arrays of its own. These have to stay until they are popped, which is after the loop. The mark
//! of such a loop is one more variable of its state. It moves to the end of memory behind each push of new arrays, and at the
//! end of each iteration. A bind with such a push yields the mark that is valid behind it.
//!
//! On fast paths nothing is released: loops there have buffers, and the caller frees all memory at once.

mod early_marks;

use super::memory::{LEAST_RELEASED, Releases, records_arrays};
use super::placement::Execution;
use crate::build::Code;
use crate::call_graph::{CallGraph, Calls};
use crate::{Block, End, Function, FunctionId, Kind, Operand, Statement, Storage, Unit, Variable};
use early_marks::mark_places;
use std::collections::{HashMap, HashSet};

/// Returns a unit whose calls and iterations release what they allocate.
pub fn release(unit: &Unit, execution: Execution<'_>) -> Unit {
    let mut released = unit.clone();
    if execution.is_fast_path() {
        return released;
    }
    let graph = CallGraph::of(unit, Calls::All);
    let releases = Releases::of(unit, &graph);
    for id in unit.ids() {
        let function = unit.function(id);
        let code = Code::of(&mut released.functions, id);
        Releasing { unit, releases: &releases, graph: &graph, function, code, around: None }.whole(id);
    }
    released
}

/// Appends the release of memory from a mark on that keeps the arrays and cells among some values. Returns the next limit, if
/// there is a limit, and the values.
pub fn keep(
    code: &mut Code<'_>,
    (mark, limit): (Operand, Option<Operand>),
    values: &[Operand],
) -> (Option<Operand>, Vec<Operand>) {
    let next = limit.map(|_| code.fresh(Kind::Integer));
    let (mut targets, mut kept): (Vec<Variable>, Vec<Operand>) = (next.into_iter().collect(), Vec::new());
    let after = values.iter().map(|value| {
        let kind = code.kind(*value);
        if !is_kept(kind) {
            return *value;
        }
        let target = code.fresh(kind);
        targets.push(target);
        kept.push(*value);
        target.into()
    });
    let after = after.collect();
    code.push(Storage::Keep { targets, mark, limit, values: kept }.into());
    (next.map(Operand::Variable), after)
}

/// Appends a mark.
pub fn mark(code: &mut Code<'_>) -> Operand {
    let target = code.fresh(Kind::Integer);
    code.push(Storage::Mark { target }.into());
    target.into()
}

fn is_kept(kind: Kind) -> bool {
    kind.is_array() || kind == Kind::Cell
}

/// A loop whose iterations release memory.
struct Around {
    /// The mark where the present code is.
    mark: Operand,
    /// The limit, if the state has arrays or cells.
    limit: Option<Operand>,
    /// The variables that an iteration assigns, if its records have arrays.
    recording: Option<HashSet<Variable>>,
}

/// The construct that a block is in tail position of.
#[derive(Clone, Copy)]
enum Tail {
    /// A function, with its mark if its calls release memory.
    Function(Option<Operand>),
    /// A bind.
    Bind {
        /// True if it yields the mark of the loop around it.
        gives_mark: bool,
    },
    /// A loop.
    Iteration,
}

/// A function in the making.
struct Releasing<'code, 'unit> {
    unit: &'unit Unit,
    releases: &'code Releases,
    graph: &'code CallGraph,
    /// The function as it was.
    function: &'unit Function,
    /// The function as it becomes.
    code: Code<'code>,
    /// The innermost loop around the present code, if its iterations release memory.
    around: Option<Around>,
}

impl<'unit> Releasing<'_, 'unit> {
    fn whole(mut self, id: FunctionId) {
        let outside = self.code.begin_block();
        let own = self.releases.by_calls(self.unit, id).then(|| mark(&mut self.code));
        let end = self.contents(&self.function.body, Tail::Function(own));
        let body = self.code.end_block(outside, end);
        self.code.set_body(body);
    }

    /// A block. A mark that moves in it has not moved for what follows elsewhere.
    fn block(&mut self, block: &'unit Block, tail: Tail) -> Block {
        let (outside, mark) = (self.code.begin_block(), self.around.as_ref().map(|around| around.mark));
        let end = self.contents(block, tail);
        self.set_mark(mark);
        self.code.end_block(outside, end)
    }

    /// The statements of a block, and its end.
    fn contents(&mut self, block: &'unit Block, tail: Tail) -> End {
        let places = mark_places((self.unit, self.graph, self.releases), self.function, block);
        let mut marks: HashMap<usize, Operand> = HashMap::new();
        for (number, statement) in block.statements.iter().enumerate() {
            for place in places.iter().filter(|place| place.before == number) {
                marks.insert(place.of, mark(&mut self.code));
            }
            self.statement(statement, marks.get(&number).copied());
        }
        self.end(&block.end, tail)
    }

    /// A statement; a loop whose iterations release memory has a mark.
    fn statement(&mut self, statement: &'unit Statement, mark: Option<Operand>) {
        match (statement, mark) {
            (Statement::Bind { targets, block }, _) => self.bind(targets, block),
            (Statement::Loop { targets, state, initial, body }, Some(mark)) => {
                self.releasing_loop(targets, (state, initial), body, mark);
            }
            (other, _) => {
                let mut statement = other.clone();
                if let (Some(block), Some(place)) = (other.block(), statement.block_mut()) {
                    let around = self.around.take();
                    *place = self.block(block, Tail::Iteration);
                    self.around = around;
                }
                self.code.push(statement);
                if self.records(other) {
                    self.move_mark();
                }
            }
        }
    }

    /// A bind, which yields a mark that moves in it.
    fn bind(&mut self, targets: &[Variable], block: &'unit Block) {
        let moves = block_has(block, &|statement| self.records(statement));
        let (mut targets, block) = (targets.to_vec(), self.block(block, Tail::Bind { gives_mark: moves }));
        let mark = moves.then(|| self.code.fresh(Kind::Integer));
        targets.extend(mark);
        self.code.push(Statement::Bind { targets, block });
        self.set_mark(mark.map(Operand::Variable));
    }

    /// A loop whose iterations release memory from a mark on.
    fn releasing_loop(
        &mut self,
        targets: &[Variable],
        (state, initial): (&[Variable], &[Operand]),
        body: &'unit Block,
        mark: Operand,
    ) {
        let (mut state, mut initial) = (state.to_vec(), initial.to_vec());
        let is_kept = initial.iter().any(|value| is_kept(self.function.kind(*value)));
        let records = records_arrays(body, self.function);
        let mut carried = |first: Operand| {
            let variable = self.code.fresh(Kind::Integer);
            state.push(variable);
            initial.push(first);
            Operand::Variable(variable)
        };
        // What an iteration leaves between recorded arrays is never released later.
        let first_limit = Operand::real(if records { 0.0 } else { LEAST_RELEASED });
        let limit = is_kept.then(|| carried(first_limit));
        let mark = if records { carried(mark) } else { mark };
        let recording = records.then(|| body.all_statements().flat_map(Statement::targets).copied().collect());
        let outside = self.around.replace(Around { mark, limit, recording });
        let body = self.block(body, Tail::Iteration);
        self.around = outside;
        let targets = targets.to_vec();
        self.code.push(Statement::Loop { targets, state, initial, body });
    }

    fn end(&mut self, end: &'unit End, tail: Tail) -> End {
        match (end, tail) {
            (End::Branch { test, consequent, alternative }, _) => {
                let [consequent, alternative] =
                    [consequent, alternative].map(|block| Box::new(self.block(block, tail)));
                End::Branch { test: *test, consequent, alternative }
            }
            (End::Yield(values), Tail::Function(Some(mark))) => {
                End::Yield(keep(&mut self.code, (mark, None), values).1)
            }
            (End::Yield(values), Tail::Bind { gives_mark: true }) => {
                let mark = self.around.as_ref().map(|around| around.mark);
                End::Yield(values.iter().copied().chain(mark).collect())
            }
            (End::Repeat(values), _) => End::Repeat(self.next_state(values)),
            (End::Yield(_) | End::BailOut(_), _) => end.clone(),
        }
    }

    /// The next state of the loop around the present code, behind the release of memory.
    fn next_state(&mut self, values: &[Operand]) -> Vec<Operand> {
        let Some(around) = &self.around else { return values.to_vec() };
        let (limit, mut next) = keep(&mut self.code, (around.mark, around.limit), values);
        next.extend(limit);
        next.extend(around.recording.as_ref().map(|_| mark(&mut self.code)));
        next
    }

    /// Returns true if a statement records arrays of the present iteration, but for inner loops: these have marks of their own.
    fn records(&self, statement: &Statement) -> bool {
        let Some(assigned) = self.around.as_ref().and_then(|around| around.recording.as_ref()) else { return false };
        let is_new = |value: &Operand| {
            self.function.kind(*value).is_array() && value.variable().is_some_and(|value| assigned.contains(&value))
        };
        match statement {
            Statement::Push { values, .. } => values.iter().any(is_new),
            Statement::Loop { .. } => false,
            other => other.block().is_some_and(|block| block_has(block, &|inner| self.records(inner))),
        }
    }

    /// Moves the mark of the loop around the present code to the end of memory.
    fn move_mark(&mut self) {
        let mark = mark(&mut self.code);
        self.set_mark(Some(mark));
    }

    fn set_mark(&mut self, mark: Option<Operand>) {
        if let (Some(around), Some(mark)) = (&mut self.around, mark) {
            around.mark = mark;
        }
    }
}

/// Returns true for a block with a statement of some sort, but for the blocks of its statements.
fn block_has(block: &Block, is_such: &impl Fn(&Statement) -> bool) -> bool {
    block.statements.iter().any(is_such)
        || block.end.blocks().into_iter().flatten().any(|inner| block_has(inner, is_such))
}

#[cfg(test)]
mod tests;
