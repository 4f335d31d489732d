//! Choices: binds that choose their results by a test, and do nothing else with it (`common`).
//!
//! If a test has the same outcome again, the result of an earlier choice is the value that its side yields. So a side of a later choice
//! need not compute a value that a side of the earlier one has yielded, and two results that are equal on both sides are equal. Forward
//! mode makes such pairs: the coefficient of a square root is chosen once for the primal, and again with its tangent.

use super::computation::{Computation, computation};
use crate::{Block, End, Operand, Statement, Variable};
use std::collections::{HashMap, HashSet};

/// A bind that chooses.
pub struct Choice {
    test: Variable,
    targets: Vec<Variable>,
    /// The side for a test that holds, and the other one.
    sides: [Side; 2],
}

/// A side of a choice.
struct Side {
    yields: Vec<Operand>,
    /// The variables that are assigned in it.
    assigned: HashSet<Variable>,
    /// The computations of results, on operands from outside of the bind or on other results.
    computed: Vec<(Computation, Variable)>,
}

/// The facts about earlier results where a test has a known outcome.
#[derive(Default)]
pub struct Facts {
    /// Results that are operands from before the choice.
    pub values: Vec<(Variable, Operand)>,
    /// Computations whose values are results.
    pub computed: Vec<(Computation, Variable)>,
}

impl Choice {
    /// The choice that a bind is, if each of its two sides yields.
    pub fn of(statement: &Statement) -> Option<Choice> {
        let Statement::Bind { targets, block } = statement else { return None };
        let End::Branch { test: Operand::Variable(test), consequent, alternative } = &block.end else { return None };
        if !block.statements.is_empty() {
            return None;
        }
        let sides = [Side::of(consequent, targets)?, Side::of(alternative, targets)?];
        Some(Choice { test: *test, targets: targets.clone(), sides })
    }

    /// Adds what is known of the results where a test has an outcome.
    pub fn add_facts(&self, test: Variable, outcome: bool, facts: &mut Facts) {
        if self.test != test {
            return;
        }
        let side = self.side(outcome);
        for (target, yields) in self.targets.iter().zip(&side.yields) {
            if side.is_outer(*yields) {
                facts.values.push((*target, *yields));
            }
        }
        facts.computed.extend(side.computed.iter().cloned());
    }

    /// The result that is equal to a result of a later choice.
    pub fn equal(&self, later: &Choice, place: usize) -> Option<Variable> {
        let is_equal = |own: usize, target: Variable| {
            [true, false].into_iter().all(|outcome| {
                let (side, later) = (self.side(outcome), later.side(outcome));
                let (own, later) = (side.yields.get(own), later.yields.get(place));
                later == Some(&Operand::Variable(target)) || later == own && own.is_some_and(|own| side.is_outer(*own))
            })
        };
        let mut targets = self.targets.iter().copied().enumerate();
        targets.find(|(own, target)| self.test == later.test && is_equal(*own, *target)).map(|(_, target)| target)
    }

    /// The results.
    pub fn targets(&self) -> &[Variable] {
        &self.targets
    }

    fn side(&self, outcome: bool) -> &Side {
        let [consequent, alternative] = &self.sides;
        if outcome { consequent } else { alternative }
    }
}

impl Side {
    fn of(block: &Block, targets: &[Variable]) -> Option<Side> {
        let End::Yield(yields) = &block.end else { return None };
        let assigned = block.statements.iter().flat_map(Statement::targets).copied().collect();
        let mut side = Side { yields: yields.clone(), assigned, computed: Vec::new() };
        let mut results: HashMap<Variable, Operand> = HashMap::new();
        for statement in &block.statements {
            let [target] = statement.targets() else { continue };
            let place = yields.iter().position(|operand| *operand == Operand::Variable(*target));
            let Some(result) = place.and_then(|place| targets.get(place)) else { continue };
            let mut statement = statement.clone();
            statement.change_operands(|operand| operand.substitute(&results));
            results.insert(*target, Operand::Variable(*result));
            if statement.block().is_none()
                && statement.operands().iter().all(|operand| side.is_outer(*operand))
                && let Some(computation) = computation(&statement)
            {
                side.computed.push((computation, *result));
            }
        }
        Some(side)
    }

    /// Returns true if an operand is not assigned in the side.
    fn is_outer(&self, operand: Operand) -> bool {
        !matches!(operand, Operand::Variable(variable) if self.assigned.contains(&variable))
    }
}
