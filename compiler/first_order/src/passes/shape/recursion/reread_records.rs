//! Values that need not be saved for the code after recursive calls, since they are in records for a reverse sweep.
//!
//! [`super`] makes two loops of recursion: the way down executes the code before the calls, and the way up that after them. The
//! primal of reverse mode pushes a record before each call. The code after the call often reads the same values, or a few
//! operations on them. These are not saved. The way up reads the records of the way down again, the last one first
//! ([`Stack::Again`]), and executes those operations again, on the same values. Its own records are pushed above them.
//!
//! Every path to a call has to push the same records whenever it is taken. The path to the end of the recursion begins the reading,
//! and passes over the records that it has pushed itself. There is one position to read at. So where the recursion ends, no code
//! may begin to read or call a function on records, and the code after calls may neither pop nor call one.
//!
//! The code has no levels. An iteration of the way down that is a call repeats with the depth of that call
//! ([`Continuation::depth`]) last.

use super::continuation::Continuation;
use crate::call_graph::{CallGraph, Calls};
use crate::variables::assigned;
use crate::{Block, End, Function, FunctionId, FunctionTable, Kind, Operand, Stack, Statement, Unit, Variable};
use std::collections::{HashMap, HashSet};
use vlad_table::Effort;

/// The most operations that are executed again for a value.
const MOST_OPERATIONS: usize = 4;

/// The most words of records that are read again for each one that is not saved.
const MOST_WORDS: usize = 4;

/// For each function true if it may push or pop records of sweeps.
pub fn touch_records(unit: &Unit) -> FunctionTable<bool> {
    let touches = |id: &FunctionId| unit.function(*id).body.all_statements().any(is_on_records);
    CallGraph::of(unit, Calls::All).reaching(unit.ids().filter(touches))
}

fn is_on_records(statement: &Statement) -> bool {
    matches!(statement, Statement::Push { stack: Stack::Sweeps, .. } | Statement::Pop { stack: Stack::Sweeps, .. })
}

/// The pass, with the functions that touch the records of sweeps ([`touch_records`]).
pub struct Records<'unit> {
    pub touching: &'unit FunctionTable<bool>,
}

/// A record that a path pushes.
type Pushed = Vec<Operand>;

impl Records<'_> {
    /// Makes the code after the calls read again what it can of a way down with a state. Nothing is changed where that is of
    /// no use.
    pub fn read_again(
        &self,
        (state, down): (&[Variable], &mut Block),
        continuations: &mut [Continuation],
        function: &mut Function,
    ) {
        let Some(paths) = self.paths(down, continuations) else { return };
        if continuations.iter().any(|call| self.pops_or_calls(&call.code)) {
            return;
        }
        let mut defined = assigned(down, &[]);
        defined.extend(state);
        let mut plans = Vec::new();
        let (mut dropped, mut words) = (0, 0);
        for (continuation, path) in continuations.iter().zip(&paths) {
            let plan = Plan::of(continuation, path, &defined, function);
            dropped += plan.values.len();
            words += path.pushed().map(Vec::len).sum::<usize>();
            plans.push(plan);
        }
        if words == 0 || words > MOST_WORDS * dropped || !self.pass_over_last(down, &mut Vec::new(), function) {
            return;
        }
        for (continuation, plan) in continuations.iter_mut().zip(plans) {
            continuation.code.substitute(&plan.values);
            continuation.code.statements.splice(0..0, plan.code);
        }
    }

    /// The paths to the calls. There are none if a path does not push the same records each time, or if an iteration that is no
    /// call pushes any.
    fn paths(&self, down: &Block, continuations: &[Continuation]) -> Option<Vec<Path>> {
        let mut found: Vec<Option<Path>> = vec![None; continuations.len()];
        self.find_paths(down, &Path::default(), continuations, &mut found)?;
        found.into_iter().collect()
    }

    fn find_paths(
        &self,
        block: &Block,
        before: &Path,
        continuations: &[Continuation],
        found: &mut [Option<Path>],
    ) -> Option<()> {
        let mut path = before.clone();
        for statement in &block.statements {
            path.is_regular &= is_push(statement) || !self.touches(statement);
            path.statements.push(statement.clone());
        }
        match &block.end {
            End::Yield(_) | End::BailOut(_) => {}
            End::Repeat(next) => {
                let made = |call: &Continuation| next.last() == Some(&Operand::Variable(call.depth));
                match continuations.iter().position(made) {
                    Some(call) if path.is_regular => *found.get_mut(call)? = Some(path),
                    None if path.is_regular && path.pushed().next().is_none() => {}
                    Some(_) | None => return None,
                }
            }
            End::Branch { consequent, alternative, .. } => {
                self.find_paths(consequent, &path, continuations, found)?;
                self.find_paths(alternative, &path, continuations, found)?;
            }
        }
        Some(())
    }

    /// Begins to read again where the recursion ends: below what the path to its end pushes. Returns false, and changes
    /// nothing, if that is not known.
    fn pass_over_last(&self, block: &mut Block, before: &mut Vec<Pushed>, function: &mut Function) -> bool {
        let mut places = Vec::new();
        if !self.find_ends(block, &mut Vec::new(), before, &mut places) {
            return false;
        }
        for (place, pushed) in places {
            let mut inner = &mut *block;
            for is_consequent in place {
                let End::Branch { consequent, alternative, .. } = &mut inner.end else { return false };
                inner = if is_consequent { consequent } else { alternative };
            }
            let begin = Statement::Push { stack: Stack::Again, values: Vec::new() };
            let passed = pushed.iter().rev().map(|pushed| again(pushed, function));
            inner.statements.splice(0..0, [begin].into_iter().chain(passed).collect::<Vec<_>>());
        }
        true
    }

    /// Finds the outermost blocks in which the recursion ends on all paths, with the records that have been pushed before them.
    /// Returns false if these are not known, or such a block may read again.
    fn find_ends(
        &self,
        block: &Block,
        place: &mut Vec<bool>,
        before: &mut Vec<Pushed>,
        places: &mut Vec<(Vec<bool>, Vec<Pushed>)>,
    ) -> bool {
        if block.repeats().next().is_none() {
            places.push((place.clone(), before.clone()));
            return !self.may_read_again(block);
        }
        let End::Branch { consequent, alternative, .. } = &block.end else { return true };
        let known = before.len();
        for statement in &block.statements {
            match statement {
                Statement::Push { stack: Stack::Sweeps, values } => before.push(values.clone()),
                _ if self.touches(statement) => return false,
                _ => {}
            }
        }
        for (inner, is_consequent) in [(consequent, true), (alternative, false)] {
            place.push(is_consequent);
            if !self.find_ends(inner, place, before, places) {
                return false;
            }
            place.pop();
        }
        before.truncate(known);
        true
    }

    /// True if a block reads records again, or calls a function that may do so: there is one position to read at.
    fn may_read_again(&self, block: &Block) -> bool {
        let reads_again = |statement: &Statement| matches!(statement, Statement::Push { stack: Stack::Again, .. });
        block.all_statements().any(|statement| reads_again(statement) || self.calls_touching(statement))
    }

    /// True if a statement, or what it executes, may push or pop.
    fn touches(&self, statement: &Statement) -> bool {
        statement.with_inner().any(is_on_records) || self.calls_touching(statement)
    }

    /// True if a statement, or what it executes, calls a function that may push or pop.
    fn calls_touching(&self, statement: &Statement) -> bool {
        statement.with_inner().filter_map(Statement::callee).any(|callee| self.touching[callee])
    }

    /// True if code pops, or calls a function that may push or pop.
    fn pops_or_calls(&self, code: &Block) -> bool {
        let pops = |statement: &Statement| matches!(statement, Statement::Pop { stack: Stack::Sweeps, .. });
        code.all_statements().any(|statement| pops(statement) || self.calls_touching(statement))
    }
}

fn is_push(statement: &Statement) -> bool {
    matches!(statement, Statement::Push { stack: Stack::Sweeps, .. })
}

/// The statement that reads again, or passes over, a record.
fn again(pushed: &Pushed, function: &mut Function) -> Statement {
    let kinds: Vec<Kind> = pushed.iter().map(|value| function.kind(*value)).collect();
    Statement::Pop { stack: Stack::Again, targets: function.fresh_all(&kinds) }
}

/// The statements on the way to a call.
#[derive(Clone)]
struct Path {
    statements: Vec<Statement>,
    /// True if they push the same records each time.
    is_regular: bool,
}

impl Default for Path {
    fn default() -> Path {
        Path { statements: Vec::new(), is_regular: true }
    }
}

impl Path {
    fn pushed(&self) -> impl DoubleEndedIterator<Item = &Pushed> {
        self.statements.iter().filter_map(|statement| match statement {
            Statement::Push { stack: Stack::Sweeps, values } => Some(values),
            _ => None,
        })
    }
}

/// The code that reads again what a path has pushed.
struct Plan {
    code: Vec<Statement>,
    /// The operands in place of the values that need not be saved.
    values: HashMap<Variable, Operand>,
}

impl Plan {
    fn of(continuation: &Continuation, path: &Path, defined: &HashSet<Variable>, function: &mut Function) -> Plan {
        let mut known = HashMap::new();
        let mut code = Vec::new();
        for pushed in path.pushed().rev() {
            let statement = again(pushed, function);
            for (value, target) in pushed.iter().zip(statement.targets()) {
                if let Operand::Variable(variable) = value {
                    known.entry(*variable).or_insert(Operand::Variable(*target));
                }
            }
            code.push(statement);
        }
        let definitions = path
            .statements
            .iter()
            .flat_map(|statement| statement.targets().iter().map(move |target| (*target, statement)));
        let mut recomputed = Recomputed { definitions: definitions.collect(), defined, known, code };
        let mut values = HashMap::new();
        for saved in &continuation.saved {
            let (mut operations, mark) = (MOST_OPERATIONS, recomputed.code.len());
            let before = recomputed.known.clone();
            match recomputed.value(Operand::Variable(*saved), &mut operations, function) {
                Some(value) => {
                    values.insert(*saved, value);
                }
                None => {
                    recomputed.code.truncate(mark);
                    recomputed.known = before;
                }
            }
        }
        Plan { code: recomputed.code, values }
    }
}

/// Values that are computed again from those of records.
struct Recomputed<'path> {
    definitions: HashMap<Variable, &'path Statement>,
    /// The variables of the way down.
    defined: &'path HashSet<Variable>,
    known: HashMap<Variable, Operand>,
    code: Vec<Statement>,
}

impl Recomputed<'_> {
    /// The value of an operand of the way down, by at most so many operations.
    fn value(&mut self, operand: Operand, operations: &mut usize, function: &mut Function) -> Option<Operand> {
        let Operand::Variable(variable) = operand else { return Some(operand) };
        if let Some(known) = self.known.get(&variable) {
            return Some(*known);
        }
        if !self.defined.contains(&variable) {
            return Some(operand);
        }
        let Statement::Operation { operation, first, second, .. } = *self.definitions.get(&variable)? else {
            return None;
        };
        if operation.effort() > Effort::Arithmetic {
            return None;
        }
        *operations = operations.checked_sub(1)?;
        let first = self.value(*first, operations, function)?;
        let second = match second {
            Some(second) => Some(self.value(*second, operations, function)?),
            None => None,
        };
        let target = function.fresh(Kind::Real);
        self.code.push(Statement::Operation { target, operation: *operation, first, second });
        self.known.insert(variable, Operand::Variable(target));
        Some(Operand::Variable(target))
    }
}
