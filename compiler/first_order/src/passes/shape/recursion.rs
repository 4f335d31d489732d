//! Recursion that is not tail recursion as two loops.
//!
//! A function that calls itself at most once on each path, f(x) = after(x, f(next(x))), goes down to the end of the recursion and
//! comes back. One loop executes the code before the calls, and saves the values that the code after them reads, on a stack of its
//! own ([`Stack::Calls`]). Another loop executes the code after the calls, the last call first. Each operation is executed as often
//! as before, in the same order and on the same values, so no bit, no step and no effect changes. A saved value takes a word, where a
//! call takes a frame of the host stack. A known depth is not counted ([`depth`]).
//!
//! Each call saves or records something, so memory is taken in proportion to the depth of the recursion. An argument that never
//! changes is a variable of neither loop. If there are several calls, on different paths, a record says which one was made. Functions
//! that call themselves within a loop, before a join of paths, or twice on a path stay as they are.

mod continuation;
mod depth;

use super::iteration::Iteration;
use super::loop_state::{reduce_state, retain};
use crate::variables::free_variables;
use crate::{Block, End, Function, FunctionId, Kind, MOST_DEPTH, Operand, Stack, Statement, Unit, Variable};
use continuation::Continuation;
use std::collections::HashMap;
use vlad_table::{Comparison, Operation};

/// The number of calls of itself that a function may have.
const MOST_CALLS: usize = 8;

/// Makes loops of recursion in code without levels.
pub fn loop_recursion(unit: &mut Unit) {
    for (id, function) in unit.numbered_mut() {
        // Records have no arrays, whose memory is that of the calls (`storage::memory`).
        if function.variables.iter().any(|kind| kind.is_array() || *kind == Kind::Cell) {
            continue;
        }
        let body = Iteration::body_of(function);
        if let Some(calls @ 1..=MOST_CALLS) = calls_in(body, id)
            && body.depth() + calls + 2 <= MOST_DEPTH
        {
            make_loops(id, function);
        }
    }
}

/// The number of calls of a function in its code, if they are as the loops need them.
fn calls_in(block: &Block, id: FunctionId) -> Option<usize> {
    let mut own = 0;
    for statement in &block.statements {
        match statement {
            Statement::Call { function, .. } if *function == id => own += 1,
            _ if statement.callee() == Some(id) => return None,
            _ => {}
        }
        if statement.with_inner().skip(1).any(|inner| inner.callee() == Some(id)) {
            return None;
        }
    }
    let mut later = 0;
    for inner in block.end.blocks().into_iter().flatten() {
        later += calls_in(inner, id)?;
    }
    match (own, later) {
        (0, later) => Some(later),
        (1, 0) if block.repeats().next().is_none() => Some(1),
        _ => None,
    }
}

fn make_loops(id: FunctionId, function: &mut Function) {
    let mut iteration = Iteration::take(function);
    let mut down = std::mem::take(&mut iteration.body);
    let mut initial = iteration.begin(function);
    let depth = function.fresh(Kind::Real);
    let mut continuations = Vec::new();
    take_continuations(&mut down, id, &iteration, depth, function, &mut continuations);
    let mut state = std::mem::take(&mut iteration.state);
    state.push(depth);
    initial.push(Operand::real(0.0));
    take_constants(&state, &initial, &mut down, &mut continuations);
    let counts = depth::take_counts(&mut down, &mut continuations, function.results.len());
    let mut kinds = function.results.clone();
    retain(&mut kinds, |place| !counts.contains(&place));
    find_saved(&mut continuations, function);
    let layout = save(&mut down, &mut continuations, function);

    let targets: Vec<Variable> = kinds.iter().copied().chain([Kind::Real]).map(|kind| function.fresh(kind)).collect();
    let mut returned = Operand::all(&targets);
    let mut way_down = Statement::Loop { targets, state, initial, body: down };
    reduce_state(&mut way_down);
    let mut statements = Vec::new();
    match depth::counted_down(&way_down) {
        Some(known) if depth::pops_records(&continuations) => returned = known,
        Some(_) | None => statements.push(way_down),
    }
    let calls = returned.last().copied().unwrap_or(Operand::real(0.0));
    let mut way_up = way_up(continuations, &layout, returned, (kinds, function));
    reduce_state(&mut way_up);
    let mut results = Operand::all(way_up.targets());
    for place in counts {
        results.insert(place, calls);
    }
    function.body.end = End::Yield(results);
    statements.push(way_up);
    function.body.statements = statements;
}

/// Makes iterations of the calls in a block, and takes the code after them. The depth becomes the last variable of the
/// state, and the last result.
fn take_continuations(
    block: &mut Block,
    id: FunctionId,
    iteration: &Iteration,
    depth: Variable,
    function: &mut Function,
    continuations: &mut Vec<Continuation>,
) {
    let place = block.statements.iter().position(|statement| statement.callee() == Some(id));
    if let Some(place) = place
        && let rest = block.statements.split_off(place + 1)
        && let Some(Statement::Call { targets, arguments, .. }) = block.statements.pop()
    {
        let deeper = function.fresh(Kind::Real);
        block.statements.push(Statement::Operation {
            target: deeper,
            operation: Operation::Add,
            first: Operand::Variable(depth),
            second: Some(Operand::real(1.0)),
        });
        let mut next = iteration.next(&arguments);
        next.push(Operand::Variable(deeper));
        let end = std::mem::replace(&mut block.end, End::Repeat(next));
        let code = Block { statements: rest, end };
        continuations.push(Continuation { targets, code, depth: deeper, saved: Vec::new() });
        return;
    }
    match &mut block.end {
        End::Yield(operands) | End::Repeat(operands) => operands.push(Operand::Variable(depth)),
        End::Branch { consequent, alternative, .. } => {
            take_continuations(consequent, id, iteration, depth, function, continuations);
            take_continuations(alternative, id, iteration, depth, function, continuations);
        }
        End::BailOut(_) => {}
    }
}

/// Replaces the variables of the state that never change by what they begin as, also after the calls.
fn take_constants(state: &[Variable], initial: &[Operand], down: &mut Block, continuations: &mut [Continuation]) {
    let mut values: HashMap<Variable, Operand> = state.iter().copied().zip(initial.iter().copied()).collect();
    for (variable, next) in down.repeats().flat_map(|next| state.iter().zip(next)) {
        if *next != Operand::Variable(*variable) && values.get(variable) != Some(next) {
            values.remove(variable);
        }
    }
    down.substitute(&values);
    for continuation in continuations {
        continuation.code.substitute(&values);
    }
}

/// The layout of the records of all calls.
struct Layout {
    reals: usize,
    booleans: usize,
    /// The booleans that say which call was made, one for each but the first.
    tags: usize,
}

impl Layout {
    fn kinds(&self) -> impl Iterator<Item = Kind> {
        let reals = std::iter::repeat_n(Kind::Real, self.reals);
        reals.chain(std::iter::repeat_n(Kind::Boolean, self.booleans + self.tags))
    }
}

/// Finds what the code after the calls reads of what is computed before.
fn find_saved(continuations: &mut [Continuation], function: &Function) {
    let is_real = |variable: &Variable| function.kind(Operand::Variable(*variable)) == Kind::Real;
    for continuation in continuations.iter_mut() {
        let mut saved = free_variables(&continuation.code);
        saved.retain(|variable| !continuation.targets.contains(variable) && !function.parameters.contains(variable));
        let (reals, booleans): (Vec<Variable>, Vec<Variable>) = saved.into_iter().partition(is_real);
        continuation.saved = [reals, booleans].concat();
    }
}

/// Saves before each iteration that is a call what the code after the call reads; at least a boolean, unless there is a
/// record of each call from before: so the depth is limited.
fn save(down: &mut Block, continuations: &mut [Continuation], function: &Function) -> Layout {
    let kind = |variable: &Variable| function.kind(Operand::Variable(*variable));
    let mut layout = Layout { reals: 0, booleans: 0, tags: continuations.len() - 1 };
    for continuation in continuations.iter() {
        let reals = continuation.saved.iter().filter(|saved| kind(saved) == Kind::Real).count();
        layout.reals = layout.reals.max(reals);
        layout.booleans = layout.booleans.max(continuation.saved.len() - reals);
    }
    if layout.reals + layout.booleans + layout.tags == 0 {
        if depth::pops_records(continuations) {
            return layout;
        }
        layout.booleans = 1;
    }
    let number_of = |leaf: &Block| match &leaf.end {
        End::Repeat(next) => {
            let made = |call: &Continuation| next.last() == Some(&Operand::Variable(call.depth));
            continuations.iter().position(made)
        }
        _ => None,
    };
    down.change_leaves(&mut |leaf| {
        let Some(number) = number_of(leaf) else { return };
        let Some(continuation) = continuations.get(number) else { return };
        let of = |of: Kind| {
            continuation.saved.iter().filter(move |variable| kind(variable) == of).copied().map(Operand::Variable)
        };
        let reals = of(Kind::Real).chain(std::iter::repeat(Operand::real(0.0))).take(layout.reals);
        let booleans = of(Kind::Boolean).chain(std::iter::repeat(Operand::Boolean(false))).take(layout.booleans);
        let tags = (1..=layout.tags).map(|tag| Operand::Boolean(tag == number));
        let values = reals.chain(booleans).chain(tags).collect();
        leaf.statements.push(Statement::Push { stack: Stack::Calls, values });
    });
    layout
}

/// The loop of what is after the calls. It begins with the results of the last call, and the number of calls that wait.
fn way_up(
    continuations: Vec<Continuation>,
    layout: &Layout,
    initial: Vec<Operand>,
    (results, function): (Vec<Kind>, &mut Function),
) -> Statement {
    let mut state = function.fresh_all(&results);
    let values = Operand::all(&state);
    let waiting = function.fresh(Kind::Real);
    state.push(waiting);
    let (done, less) = (function.fresh(Kind::Boolean), function.fresh(Kind::Real));
    let restored: Vec<Variable> = layout.kinds().map(|kind| function.fresh(kind)).collect();
    let (reals, others) = restored.split_at(layout.reals);
    let (booleans, tags) = others.split_at(layout.booleans);

    let mut code = Block::default();
    for (continuation, number) in continuations.into_iter().zip(0_usize..) {
        let is_real = |variable: &Variable| function.kind(Operand::Variable(*variable)) == Kind::Real;
        let (of_reals, of_booleans): (Vec<Variable>, Vec<Variable>) = continuation.saved.into_iter().partition(is_real);
        let places = of_reals.into_iter().zip(reals).chain(of_booleans.into_iter().zip(booleans));
        let restored = places.map(|(variable, place)| (variable, Operand::Variable(*place)));
        let replaced = restored.chain(continuation.targets.into_iter().zip(values.iter().copied())).collect();
        let mut after = continuation.code;
        after.substitute(&replaced);
        after.change_leaves(&mut |leaf| {
            if let End::Yield(values) = &mut leaf.end {
                let next = values.iter().copied().chain([Operand::Variable(less)]).collect();
                leaf.end = End::Repeat(next);
            }
        });
        code = match number.checked_sub(1).and_then(|tag| tags.get(tag)) {
            None => after,
            Some(tag) => Block {
                statements: Vec::new(),
                end: End::Branch {
                    test: Operand::Variable(*tag),
                    consequent: Box::new(after),
                    alternative: Box::new(code),
                },
            },
        };
    }
    let before = [
        Statement::Operation {
            target: less,
            operation: Operation::Subtract,
            first: Operand::Variable(waiting),
            second: Some(Operand::real(1.0)),
        },
        Statement::Pop { stack: Stack::Calls, targets: restored },
    ];
    let before = before.into_iter().filter(|statement| !statement.targets().is_empty()).collect::<Vec<_>>();
    code.statements.splice(0..0, before);
    let test = Statement::Compare {
        target: done,
        comparison: Comparison::Equal,
        first: Operand::Variable(waiting),
        second: Operand::real(0.0),
    };
    let finished = Block { statements: Vec::new(), end: End::Yield(values) };
    let end =
        End::Branch { test: Operand::Variable(done), consequent: Box::new(finished), alternative: Box::new(code) };
    let targets = results.into_iter().map(|kind| function.fresh(kind)).collect();
    Statement::Loop { targets, state, initial, body: Block { statements: vec![test], end } }
}

#[cfg(test)]
mod tests;
