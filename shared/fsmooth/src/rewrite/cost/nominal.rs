//! The cost of a term: operations, reads and allocations, with a nominal size for each unknown one.
//!
//! The unit is an addition. Costs compare terms of one definition and are no times.

use crate::rewrite::facts::{linear, one_hot};
use crate::rewrite::terms;
use crate::typed::{Expression, ExpressionId, GlobalId, LocalId, Program, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use vlad_table::operations::{Effort, Operation};

/// The size that counts for one that is not known.
const NOMINAL: f64 = 1000.0;

/// The cost of an allocation.
const ALLOCATION: f64 = 20.0;

/// The cost of an element that is written.
pub const WRITE: f64 = 2.0;

/// The cost of a call of a function that is not known.
pub const CALL: f64 = 10.0;

/// The cost of an element of another row in each turn of the innermost loop, beyond that of its neighbour in one row: what
/// is read lies far apart.
pub const STRIDE: f64 = 8.0;

/// The deepest nest of local functions whose costs are looked at.
const DEEPEST: usize = 8;

/// The costs of the functions of a program.
#[derive(Clone, Debug)]
pub struct Costs {
    /// The size that counts for one that is not known.
    nominal: f64,
    /// The cost of the body of each global function.
    functions: FxHashMap<GlobalId, f64>,
    /// The branches on the assumptions of definitions that have been rewritten.
    guards: FxHashSet<ExpressionId>,
}

impl Default for Costs {
    fn default() -> Costs {
        Costs::at_size(NOMINAL)
    }
}

impl Costs {
    /// No costs yet, for sizes that count as a given one.
    pub fn at_size(nominal: f64) -> Costs {
        Costs { nominal, functions: FxHashMap::default(), guards: FxHashSet::default() }
    }

    /// Notes the cost of a global whose definition comes before those that call it.
    pub fn note(&mut self, program: &Program, global: GlobalId, value: ExpressionId) {
        let mut body = value;
        while let Expression::Lambda { body: inner, .. } = program.expression(body) {
            body = inner;
        }
        let cost = self.of(program, body);
        self.functions.insert(global, cost);
    }

    /// Notes a branch whose condition holds as a rule.
    pub fn note_guard(&mut self, branch: ExpressionId) {
        self.guards.insert(branch);
    }

    /// Returns true for a branch whose condition holds as a rule.
    pub fn is_guard(&self, branch: ExpressionId) -> bool {
        self.guards.contains(&branch)
    }

    /// Returns the cost of evaluating a term.
    pub fn of(&self, program: &Program, root: ExpressionId) -> f64 {
        self.of_term(program, root, &FxHashMap::default(), DEEPEST)
    }

    /// Returns the cost of evaluating a term, with those of calls of some locals. Recursion is bounded by the depth.
    fn of_term(&self, program: &Program, root: ExpressionId, calls: &FxHashMap<LocalId, f64>, depth: usize) -> f64 {
        let (mut total, mut pending) = (0.0, vec![(root, 1.0, None)]);
        let (mut counts, mut calls) = (FxHashMap::default(), calls.clone());
        while let Some((id, times, innermost)) = pending.pop() {
            let expression = program.expression(id);
            if let Expression::Let { local, value, body } = expression
                && is_function(program, value)
            {
                // It costs where it is called.
                let call = self.of_function(program, value, &calls, depth);
                calls.insert(local, call);
                pending.push((body, times, innermost));
                continue;
            }
            total += times * self.own(program, expression);
            if let Expression::Application { function, argument } = expression {
                if let Expression::Local(local) = program.expression(function) {
                    total += times * (calls.get(&local).copied().unwrap_or(CALL) - CALL);
                }
                // A function that is an operand is called in a loop, as a rule.
                let often = if is_function(program, argument) { times * self.nominal } else { times };
                pending.extend([(function, times, innermost), (argument, often, innermost)]);
                continue;
            }
            if innermost.is_some_and(|index| is_strided(program, expression, index)) {
                total += times * STRIDE;
            }
            let parts = program.parts(id);
            if let Some(function) = program.repeated(id) {
                let (mut repeated, mut inner) = (1.0, innermost);
                if let Some((index, count)) = program.as_loop(id) {
                    let count = linear::whole(program.expression(count));
                    repeated = count.map_or(self.nominal, |count| count.max(0) as f64);
                    counts.insert(index, repeated);
                    inner = Some(index);
                }
                if matches!(expression, Expression::Build { .. }) {
                    total += times * repeated * WRITE;
                }
                let of =
                    |part| if part == function { (part, times * repeated, inner) } else { (part, times, innermost) };
                pending.extend(parts.into_iter().map(of));
            } else if let Expression::If { condition, consequent, alternative } = expression {
                let rarely = times / self.turns_of_one(program, condition, &counts);
                let branches = [(condition, times), (consequent, rarely), (alternative, times)];
                pending.extend(branches.map(|(part, times)| (part, times, innermost)));
            } else {
                pending.extend(parts.into_iter().map(|part| (part, times, innermost)));
            }
        }
        total
    }

    /// Returns the cost of a call of a function: a variable, one with some of its arguments, or a lambda.
    fn of_function(
        &self,
        program: &Program,
        function: ExpressionId,
        calls: &FxHashMap<LocalId, f64>,
        depth: usize,
    ) -> f64 {
        let mut head = function;
        loop {
            let expression = program.expression(head);
            if let Expression::Application { function, .. } = expression {
                head = function;
            } else if let Expression::Lambda { body, .. } = expression {
                head = body;
                if !is_function(program, body) {
                    return depth.checked_sub(1).map_or(CALL, |depth| self.of_term(program, body, calls, depth));
                }
            } else if let Expression::Global(global) = expression {
                return self.functions.get(&global).copied().unwrap_or(CALL);
            } else if let Expression::Local(local) = expression {
                return calls.get(&local).copied().unwrap_or(CALL);
            } else {
                return CALL;
            }
        }
    }

    /// Returns the number of turns of a loop of which one fulfils a condition: of an equality with the index of the loop.
    fn turns_of_one(&self, program: &Program, condition: ExpressionId, counts: &FxHashMap<LocalId, f64>) -> f64 {
        let Some([first, second]) = one_hot::equality(program, condition) else { return 1.0 };
        let turns = |side| {
            let Expression::Local(local) = program.expression(side) else { return 1.0 };
            counts.get(&local).copied().unwrap_or(1.0)
        };
        turns(first).max(turns(second)).max(1.0)
    }

    /// Returns the cost of an expression without its parts.
    pub fn own(&self, program: &Program, expression: Expression) -> f64 {
        match expression {
            Expression::Number(_)
            | Expression::Boolean(_)
            | Expression::Local(_)
            | Expression::Lambda { .. }
            | Expression::Widen(_)
            | Expression::First(_)
            | Expression::Second(_)
            | Expression::Let { .. } => 0.0,
            Expression::Global(global) => self.functions.get(&global).copied().unwrap_or(0.0),
            Expression::Application { function, .. } => {
                if matches!(program.expression(function), Expression::Local(_)) { CALL } else { 1.0 }
            }
            Expression::If { .. }
            | Expression::Compare(..)
            | Expression::Not(_)
            | Expression::Get { .. }
            | Expression::OfLength { .. }
            | Expression::Length(_)
            | Expression::Write(_)
            | Expression::Ifold { .. } => 1.0,
            Expression::Pair(..) => WRITE * 2.0,
            Expression::Array(elements) => ALLOCATION + WRITE * program.elements(elements).len() as f64,
            Expression::Build { .. } => ALLOCATION,
            Expression::Unary(operation, _) | Expression::Binary(operation, ..) => operation_cost(operation),
            Expression::Deriv { .. }
            | Expression::Derivative { .. }
            | Expression::Forward { .. }
            | Expression::Reverse { .. } => CALL * self.nominal,
        }
    }
}

fn is_function(program: &Program, id: ExpressionId) -> bool {
    matches!(program.types.get(program.type_of(id)), Type::Function(..))
}

/// Returns true for an element of a matrix whose row changes with an index, and not its column.
pub fn is_strided(program: &Program, expression: Expression, index: LocalId) -> bool {
    let Expression::Get { array, index: column } = expression else { return false };
    let Expression::Get { index: row, .. } = program.expression(array) else { return false };
    terms::mentions(program, row, &[index]) && !terms::mentions(program, column, &[index])
}

fn operation_cost(operation: Operation) -> f64 {
    match operation.effort() {
        Effort::Arithmetic => 1.0,
        Effort::Choice => 2.0,
        Effort::Division => 6.0,
        Effort::Function => 20.0,
        Effort::Series => 80.0,
    }
}
