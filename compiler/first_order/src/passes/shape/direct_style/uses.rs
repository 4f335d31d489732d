//! Uses of continuations: the parameters that a function applies, or passes on, exactly once on each path.

use super::application::{Application, applied};
use crate::passes::shape::iteration::are_targets;
use crate::{Block, End, Function, FunctionId, Kind, Operand, Statement, Unit, Variable};
use std::collections::HashMap;

/// The uses of a parameter as a continuation.
#[derive(Clone, Debug)]
pub struct Uses {
    /// The function.
    pub function: FunctionId,
    /// The number of the parameter.
    pub place: usize,
    /// The numbers of the applications of it.
    pub applied: Vec<usize>,
    /// The calls that it is passed to, in the order of the text.
    pub passed: Vec<Passed>,
}

/// A call in tail position that passes a continuation.
#[derive(Clone, Debug)]
pub struct Passed {
    /// The function.
    pub function: FunctionId,
    /// The number of the argument.
    pub place: usize,
    /// The cells that are put before the continuation, in the order in which they are applied.
    pub frames: Vec<Frame>,
}

/// A cell that refers to a continuation.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Its parts.
    pub parts: Vec<Operand>,
    /// The number of the part that is the continuation.
    pub next: usize,
}

/// Finds the parameters of all functions that are used as continuations. Each new application is added to the list.
pub fn uses_of_continuations(unit: &Unit, applications: &mut Vec<Application>) -> Vec<Uses> {
    let mut all = Vec::new();
    for (id, function) in unit.numbered() {
        let is_cell = |parameter: &Variable| function.kind((*parameter).into()) == Kind::Cell;
        let places = function.parameters.iter().enumerate().filter(|(_, parameter)| is_cell(parameter));
        for (place, parameter) in places {
            let mut uses = Uses { function: id, place, applied: Vec::new(), passed: Vec::new() };
            let tracing = Tracing::new(function, *parameter);
            if tracing.is_some_and(|tracing| tracing.is_linear(applications, &mut uses)) {
                all.push(uses);
            }
        }
    }
    all
}

/// A parameter, and the cells that refer to it.
struct Tracing<'unit> {
    function: &'unit Function,
    continuation: Variable,
    cells: HashMap<Variable, Frame>,
}

impl Tracing<'_> {
    /// Finds the cells that refer to a parameter; none if one of them has several such parts.
    fn new(function: &Function, continuation: Variable) -> Option<Tracing<'_>> {
        let mut tracing = Tracing { function, continuation, cells: HashMap::new() };
        for statement in function.body.all_statements() {
            let Statement::Cell { target, parts } = statement else { continue };
            let mut next = parts.iter().enumerate().filter(|(_, part)| tracing.refers(part));
            if let Some((first, _)) = next.next() {
                if next.next().is_some() {
                    return None;
                }
                tracing.cells.insert(*target, Frame { parts: parts.clone(), next: first });
            }
        }
        Some(tracing)
    }

    fn refers(&self, operand: &Operand) -> bool {
        match operand {
            Operand::Variable(variable) => *variable == self.continuation || self.cells.contains_key(variable),
            Operand::Real(_) | Operand::Boolean(_) => false,
        }
    }

    /// Finds the uses; returns false if the parameter is not used once at each end, or is used in another way.
    fn is_linear(&self, applications: &mut Vec<Application>, uses: &mut Uses) -> bool {
        let mut at_ends = 0;
        if !self.ends(&self.function.body, applications, uses, &mut at_ends) {
            return false;
        }
        let all = self.function.body.all_operands().filter(|operand| self.refers(operand)).count();
        // Each cell refers to the parameter, or to a cell that does, once.
        all == at_ends + self.cells.len()
    }

    /// Finds the uses at the ends of a block in tail position; returns false if an end has none and does not bail out.
    fn ends(&self, block: &Block, applications: &mut Vec<Application>, uses: &mut Uses, found: &mut usize) -> bool {
        *found += 1;
        if let Some(applied) = applied(block, self.function)
            && applied.cell == Operand::Variable(self.continuation)
        {
            let number = applications.iter().position(|other| *other == applied.application);
            uses.applied.push(number.unwrap_or(applications.len()));
            if number.is_none() {
                applications.push(applied.application);
            }
            return true;
        }
        match &block.end {
            End::Branch { consequent, alternative, .. } => {
                *found -= 1;
                self.ends(consequent, applications, uses, found) && self.ends(alternative, applications, uses, found)
            }
            End::Yield(results) => match block.statements.last() {
                Some(Statement::Call { targets, function, arguments }) if are_targets(results, targets) => {
                    let passed = self.passed(*function, arguments);
                    let is_passed = passed.is_some();
                    uses.passed.extend(passed);
                    is_passed
                }
                _ => false,
            },
            End::BailOut(_) => {
                *found -= 1;
                true
            }
            End::Repeat(_) => false,
        }
    }

    /// The argument of a call that is a continuation.
    fn passed(&self, function: FunctionId, arguments: &[Operand]) -> Option<Passed> {
        let place = arguments.iter().position(|argument| self.refers(argument))?;
        let (mut frames, mut operand) = (Vec::new(), *arguments.get(place)?);
        while let Operand::Variable(variable) = operand
            && let Some(frame) = self.cells.get(&variable)
        {
            operand = *frame.parts.get(frame.next)?;
            frames.push(frame.clone());
        }
        Some(Passed { function, place, frames })
    }
}
