//! Loops that a comparison of their counter, with a number that stays, ends and nothing else.
//!
//! Their iterations are executed in parts, whose turns are taken at once. Within a part nothing is called for the turns, and
//! what the iterations compute with is in variables of its own: it need not be in memory because there are calls around.
//! As many iterations as an array has elements are one part, as in builds: memory bounds their number.

use super::recorded::Row;
use crate::c::{Expression as C, Infix, Statement as S};
use crate::specialised::facts::bounds::{bound_name, bounds};
use crate::specialised::facts::wholes::integer_name;
use crate::specialised::function::{Body, Tail, name};
use crate::specialised::memory::on_arrays::turns;
use crate::specialised::scope::variable_name;
use vlad_first_order::Order;
use vlad_first_order::counted_loops::Counted;
use vlad_first_order::elementwise::is_elementwise_iteration;
use vlad_first_order::storage::unrolling::{is_left, order_of};
use vlad_first_order::{Block, Kind, Operand, Statement, Variable};

impl<'unit> Body<'unit> {
    /// The records of the iterations of a counted loop, if they are in a row.
    pub fn row_of(&self, counted: &Counted<'unit>) -> Option<Row<'unit>> {
        self.row(counted.iteration, counted.test)
    }

    /// Declares the results of a loop, and defines the begin of its state, and its bounds.
    pub fn begin_loop(&self, statement: &'unit Statement, out: &mut Vec<S>) {
        let Statement::Loop { targets, state, initial, .. } = statement else { return };
        self.declare(targets, out);
        for (variable, value) in state.iter().zip(initial) {
            if self.is_integer(*variable) {
                out.push(S::integer(integer_name(*variable), self.integer(*value)));
            } else {
                self.define(*variable, self.value_for(*variable, *value), out);
            }
        }
        for bound in bounds(statement, &self.integers) {
            out.push(S::integer(bound_name(bound.target), self.bound(bound.most)));
        }
    }

    /// The iterations of a counted loop.
    pub fn iterations(&self, counted: &Counted<'unit>, tail: Tail<'unit>, out: &mut Vec<S>) {
        let Counted { state, initial, .. } = *counted;
        let begins = state.iter().zip(initial).find(|(variable, _)| counted.counter == **variable);
        let is_from_zero = begins.is_some_and(|(_, initial)| *initial == Operand::real(0.0));
        if is_from_zero && let Some(counter) = self.elementwise_counter(counted, state) {
            return self.elementwise(counter, counted, (state, tail), out);
        }
        let has_length = is_from_zero && self.length(counted.most).is_some();
        if has_length && self.row(counted.iteration, counted.test).is_none() {
            self.in_one_part(counted, state, tail, out);
        } else {
            let parts = self.by_parts(counted, tail);
            out.push(S::Loop(parts));
        }
    }

    /// The iterations in one part, for each element of an array.
    fn in_one_part(&self, counted: &Counted<'unit>, state: &'unit [Variable], tail: Tail<'unit>, out: &mut Vec<S>) {
        let Counted { counter, test, iteration, .. } = counted;
        let bound = C::Name(bound_name(*test));
        out.push(turns(C::Name(bound_name(counted.test))));
        let counts = self.count_at_once(iteration, bound.clone(), out);
        let mut then = Vec::new();
        self.counters(state, &mut then);
        self.iteration(iteration, counts, &mut then);
        self.end(&iteration.end, tail, &mut then);
        let mut inside = Vec::new();
        self.define(*test, self.integer((*counter).into()).infix(Infix::Less, bound), &mut inside);
        inside.push(S::If { test: name(*test), then, otherwise: vec![S::Break] });
        // The end leaves what is executed once.
        let mut once = Vec::new();
        apart_from_calls(&self.apart(state, iteration, None), loop_of(iteration, inside), &mut once);
        self.after_last(counted, state, tail, &mut once);
        out.push(S::Loop(once));
    }

    /// The counter of a loop, if it is elementwise.
    fn elementwise_counter(&self, counted: &Counted<'unit>, state: &[Variable]) -> Option<Variable> {
        let [counter] = state else { return None };
        let is_elementwise =
            counted.counter == *counter && is_elementwise_iteration(self.function, *counter, counted.iteration);
        is_elementwise.then_some(*counter)
    }

    /// The iterations of an elementwise loop, in one part: each changes an element of its own, so memory bounds their number. They are in
    /// the order of the addresses, since C compilers pack those that go down less well.
    fn elementwise(
        &self,
        counter: Variable,
        counted: &Counted<'unit>,
        (state, tail): (&'unit [Variable], Tail<'unit>),
        out: &mut Vec<S>,
    ) {
        let bound = C::Name(bound_name(counted.test));
        out.push(turns(C::Name(bound_name(counted.test))));
        let counts = self.count_at_once(counted.iteration, bound.clone(), out);
        let (place, each) = (format!("each{}", counter.0), C::Name(format!("each{}", counter.0)));
        let from_last = bound.clone().infix(Infix::Subtract, C::Number(1)).infix(Infix::Subtract, each.clone());
        let value = if indexes(counter, counted.iteration) { each } else { from_last };
        let mut inside = vec![S::integer(integer_name(counter), value)];
        self.counters(state, &mut inside);
        self.iteration(counted.iteration, counts, &mut inside);
        // The end leaves what is executed once.
        let (from, to) = (C::Number(0), bound.clone());
        let mut once = vec![
            S::Elementwise { index: place, from, to, sum: None, statements: inside },
            S::Assign(C::Name(integer_name(counter)), bound),
        ];
        self.after_last(counted, state, tail, &mut once);
        out.push(S::Loop(once));
    }

    /// The block after the last iteration.
    pub fn after_last(&self, counted: &Counted<'unit>, state: &'unit [Variable], tail: Tail<'unit>, out: &mut Vec<S>) {
        self.define(counted.test, C::Number(0), out);
        self.counters(state, out);
        self.block(counted.after, tail, out);
    }

    /// The reals of a state whose iterations enter no code that needs all registers.
    fn apart(&self, state: &[Variable], iteration: &Block, row: Option<&Row<'unit>>) -> Vec<Variable> {
        let is_apart = !is_left(iteration) && (row.is_some() || !has_records(iteration));
        let is_real = |variable: &Variable| self.kind(*variable) == Kind::Real && !self.is_integer(*variable);
        state.iter().copied().filter(|variable| is_apart && is_real(variable)).collect()
    }

    /// The iterations in parts, whose turns are taken at once: within a part nothing is called for them.
    fn by_parts(&self, counted: &Counted<'unit>, tail: Tail<'unit>) -> Vec<S> {
        let Counted { counter, test, iteration, .. } = counted;
        let (counter, bound, part) =
            (self.integer((*counter).into()), C::Name(bound_name(*test)), format!("part{}", test.0));
        let row = self.row(iteration, *test);
        let value = match &row {
            Some(row) => row.part(counter.clone(), bound.clone()),
            None => C::call("vlad_part", [counter.clone(), bound.clone()]),
        };
        let taken = C::name(&part).infix(Infix::Subtract, counter.clone());
        let mut before = Vec::new();
        let counts = self.count_at_once(iteration, taken.clone(), &mut before);
        let state = match tail {
            Tail::Loop { state, .. } => state,
            Tail::Function | Tail::Bind { .. } | Tail::For { .. } => &[],
        };
        let repeating = self.repeating(counted.counter.into(), state, iteration).filter(|_| row.is_none());
        let mut then = Vec::new();
        self.counters(state, &mut then);
        match &row {
            Some(row) => self.in_row(row, (iteration, counts), &mut then),
            None => self.iteration(iteration, counts, &mut then),
        }
        self.end(&iteration.end, tail, &mut then);
        if let Some(repeating) = &repeating {
            self.leave_out_periods(repeating, (counter.clone(), C::name(&part)), &mut then);
        }
        let mut inside = Vec::new();
        self.define(*test, counter.clone().infix(Infix::Less, C::name(&part)), &mut inside);
        inside.push(S::If { test: name(*test), then, otherwise: vec![S::Break] });
        let mut otherwise = Vec::new();
        self.after_last(counted, state, tail, &mut otherwise);
        let mut code = vec![
            S::integer(part, value),
            S::Evaluate(C::call("VLAD_TURNS", [C::name("m"), C::name("turns"), taken.clone()])),
        ];
        code.extend(before);
        code.extend(row.as_ref().map(|row| row.begin(taken)));
        let mut iterations = loop_of(iteration, inside);
        if let Some(repeating) = &repeating {
            let mut kept = Vec::new();
            self.keep_state(repeating, counter.clone(), &mut kept);
            kept.push(iterations);
            iterations = S::Scope(kept);
        }
        apart_from_calls(&self.apart(state, iteration, row.as_ref()), iterations, &mut code);
        code.extend(row.as_ref().map(Row::end));
        code.push(S::If { test: counter.infix(Infix::Less, bound), then: Vec::new(), otherwise });
        code
    }
}

/// The loop in C of some code, for an iteration that is a block.
fn loop_of(iteration: &Block, code: Vec<S>) -> S {
    match order_of(iteration) {
        Order::Unrolled => S::Unrolled(code),
        Order::Sequential | Order::Parallel => S::Loop(code),
    }
}

/// True if a counter is an index in a block.
fn indexes(counter: Variable, block: &Block) -> bool {
    let mut found = false;
    block.each_statement(&mut |statement| {
        found |= matches!(statement, Statement::Store { index, .. } if *index == Operand::Variable(counter));
    });
    found
}

/// A loop that works on copies of some reals, of which C compilers do not know that they are copies. The originals are live
/// where the turns of the next part are taken, by a call that leaves them no register.
fn apart_from_calls(reals: &[Variable], inside: S, out: &mut Vec<S>) {
    if reals.is_empty() {
        out.push(inside);
        return;
    }
    let real = |name: String, value| S::Define { ctype: "double".into(), name, value };
    let apart = |variable: &Variable| C::Name(format!("apart{}", variable.0));
    let mut scope = Vec::new();
    for variable in reals {
        out.push(real(format!("apart{}", variable.0), C::call("vlad_apart", [name(*variable)])));
        scope.push(real(variable_name(*variable), apart(variable)));
    }
    scope.push(inside);
    scope.extend(reals.iter().map(|variable| S::Assign(apart(variable), name(*variable))));
    out.push(S::Scope(scope));
    out.extend(reals.iter().map(|variable| S::Assign(name(*variable), C::call("vlad_apart", [apart(variable)]))));
}

/// True if records are pushed or popped in a block.
fn has_records(block: &Block) -> bool {
    let mut found = false;
    block.each_statement(&mut |statement| {
        found |= matches!(statement, Statement::Push { .. } | Statement::Pop { .. });
    });
    found
}
