//! The cost of a term: operations, reads and allocations, where sizes that are not known count as a nominal one.
//!
//! The unit is an addition. Costs compare terms of one definition; they are no times. With two nominal sizes they tell how
//! a cost grows.

use super::facts;
use super::linear;
use crate::fsmooth::typed::{Expression, ExpressionId, GlobalId, LocalId, Program};
use std::collections::HashMap;
use vlad_table::operations::Operation;
use vlad_table::primitives::Comparison;

/// The size that counts for one that is not known.
const NOMINAL: f64 = 1000.0;

/// The cost of an allocation, and of each element that is written.
const ALLOCATION: f64 = 20.0;
const WRITE: f64 = 2.0;

/// The cost of a call of a function that is not known.
const CALL: f64 = 10.0;

/// The costs of the functions of a program.
#[derive(Clone, Debug)]
pub struct Costs {
    /// The size that counts for one that is not known.
    nominal: f64,
    /// The cost of the body of each global function.
    functions: HashMap<GlobalId, f64>,
}

impl Default for Costs {
    fn default() -> Costs {
        Costs::at_size(NOMINAL)
    }
}

impl Costs {
    /// No costs yet, for sizes that count as a given one.
    pub fn at_size(nominal: f64) -> Costs {
        Costs { nominal, functions: HashMap::new() }
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

    /// Returns the cost of evaluating a term.
    pub fn of(&self, program: &Program, root: ExpressionId) -> f64 {
        let (mut total, mut pending, mut parts) = (0.0, vec![(root, 1.0)], vec![]);
        let mut counts = HashMap::new();
        while let Some((id, times)) = pending.pop() {
            let expression = program.expression(id);
            total += times * self.own(program, expression);
            program.parts(id, &mut parts);
            let is_loop = facts::loop_index(program, expression);
            let repeated = is_loop.map_or(1.0, |(_, count)| {
                linear::whole(program.expression(count)).map_or(self.nominal, |count| count.max(0) as f64)
            });
            if let Some((index, _)) = is_loop {
                counts.insert(index, repeated);
            }
            if let Expression::Build { function, .. } | Expression::Ifold { function, .. } = expression {
                if matches!(expression, Expression::Build { .. }) {
                    total += times * repeated * WRITE;
                }
                let of = |part: &ExpressionId| if *part == function { times * repeated } else { times };
                pending.extend(parts.iter().map(|part| (*part, of(part))));
                parts.clear();
            } else if let Expression::If { condition, consequent, alternative } = expression {
                parts.clear();
                let rarely = times / self.turns_of_one(program, condition, &counts);
                pending.extend([(condition, times), (consequent, rarely), (alternative, times)]);
            } else {
                pending.extend(parts.drain(..).map(|part| (part, times)));
            }
        }
        total
    }

    /// Returns the number of turns of a loop of which one fulfils a condition: of an equality with the index of the loop.
    fn turns_of_one(&self, program: &Program, condition: ExpressionId, counts: &HashMap<LocalId, f64>) -> f64 {
        let Expression::Compare(Comparison::Equal, first, second) = program.expression(condition) else { return 1.0 };
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
            | Expression::First(_)
            | Expression::Second(_)
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

fn operation_cost(operation: Operation) -> f64 {
    match operation {
        Operation::Add
        | Operation::Subtract
        | Operation::Multiply
        | Operation::Negate
        | Operation::Absolute
        | Operation::Maximum
        | Operation::Minimum
        | Operation::Copy => 1.0,
        Operation::GuardedMultiply | Operation::Floor | Operation::Ceiling | Operation::Round | Operation::Truncate => {
            2.0
        }
        Operation::Divide | Operation::SquareRoot | Operation::Modulo => 6.0,
        Operation::Exponential
        | Operation::Logarithm
        | Operation::Sine
        | Operation::Cosine
        | Operation::Tangent
        | Operation::ArcSine
        | Operation::ArcCosine
        | Operation::ArcTangent
        | Operation::ArcTangent2
        | Operation::HyperbolicSine
        | Operation::HyperbolicCosine
        | Operation::HyperbolicTangent
        | Operation::Power
        | Operation::ErrorFunction
        | Operation::ComplementaryErrorFunction
        | Operation::LogarithmOfOnePlus
        | Operation::ExponentialMinusOne => 20.0,
        Operation::LogGamma | Operation::Polygamma => 80.0,
    }
}
