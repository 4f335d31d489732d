//! Values that an iteration hands on: to the next iteration, or to the result of the loop or of the `build`.
//!
//! When an iteration is executed again, the values that it has handed on are known already, and arrays among them need
//! not be made again. The shadow array of an array that the iteration has made *must* be the one that the first execution has
//! handed on, for that one has what later iterations have contributed. Where the code of the iteration makes it with one
//! statement, and nothing else there has it or a part of it, the statement is replaced; else what is in it is copied to the
//! one that is made again. A shadow array that the iteration has found is the same in both executions.

use super::super::nodes::code::read_by;
use super::super::nodes::traced::{Role, Step, Traced, TracedBuild, TracedEnd, TracedLoop};
use super::super::sweep::blocks::Sweep;
use super::super::sweep::transfer::{CarriedValue, LoopCarried};
use crate::first_order::differentiate::emitter::Emitter;
use crate::first_order::differentiate::emitter::yielding;
use crate::first_order::{Kind, Operand, Statement, Variable};
use std::collections::BTreeSet;
use vlad_table::Operation;

/// The code that makes known what has been handed on.
#[derive(Debug, Default)]
pub struct Provision {
    /// The variables that are not computed again.
    pub provided: BTreeSet<Variable>,
    /// The assignment of these.
    pub before: Vec<Statement>,
    /// The copies of accumulators, when the code has been executed again.
    pub after: Vec<Statement>,
}

impl Sweep<'_> {
    /// The code for a block that is executed again.
    pub fn provision(&mut self, traced: &Traced, carried: LoopCarried<'_>) -> Provision {
        let (operands, known) = match &traced.end {
            TracedEnd::Yield(operands) => (operands.as_slice(), carried.yielded),
            TracedEnd::Repeat(operands) => (operands.as_slice(), carried.repeated),
            TracedEnd::Branch { .. } | TracedEnd::BailOut(_) => (&[][..], &[][..]),
        };
        let mut provision = Provision::default();
        for (operand, known) in operands.iter().zip(known) {
            let Some(CarriedValue { role, value }) = *known else { continue };
            let place = match role {
                Role::Scalar | Role::Array => computed(traced, *operand).map_or(Place::Found, Place::Provided),
                Role::Shadow => place_of(traced, *operand, carried.made_from),
            };
            match place {
                Place::Provided(target) => {
                    if provision.provided.insert(target) {
                        let block = yielding(vec![value]);
                        provision.before.push(Statement::Bind { targets: vec![target], block });
                    }
                }
                Place::Copied => {
                    let recomputed = self.draft.read(*operand);
                    let mut code = Emitter { function: &mut self.draft.function, statements: &mut provision.after };
                    code.replace_accumulators(recomputed, value);
                }
                Place::Found => {}
            }
        }
        provision
    }

    /// Variables for the arrays of the state after an iteration that is swept over.
    pub fn next_arrays(&mut self, traced: &TracedLoop) -> Vec<Option<CarriedValue>> {
        let mut known = Vec::new();
        for (variable, role) in traced.state.iter().zip(&traced.state_roles) {
            known.push(match role {
                Role::Scalar => None,
                Role::Array | Role::Shadow => {
                    let kind = self.draft.kind(Operand::Variable(*variable));
                    Some(CarriedValue { role: *role, value: Operand::Variable(self.draft.fresh(kind)) })
                }
            });
        }
        known
    }

    /// The arrays that a loop has yielded.
    pub fn yielded_arrays(&mut self, traced: &TracedLoop) -> Vec<Option<CarriedValue>> {
        let mut known = Vec::new();
        for (target, role) in traced.targets.iter().zip(&traced.roles) {
            known.push(match role {
                Role::Scalar => None,
                Role::Array | Role::Shadow => {
                    Some(CarriedValue { role: *role, value: self.draft.read(Operand::Variable(*target)) })
                }
            });
        }
        known
    }

    /// An array of a kind for a place where nobody reads it.
    pub fn no_array(&mut self, kind: Kind, out: &mut Vec<Statement>) -> Operand {
        self.emit(out).assign(kind, |target| Statement::Array { target, elements: Vec::new() })
    }
}

/// The arrays of a loop's state that the code of an iteration reads as those after it: the variable of the state, and that
/// after the iteration.
pub fn read_next(traced: &TracedLoop, known: &[Option<CarriedValue>], code: &[Statement]) -> Vec<(Variable, Variable)> {
    let mut read = BTreeSet::new();
    code.iter().for_each(|statement| read_by(statement, &mut read));
    let next = known.iter().map(|known| known.and_then(|known| known.value.variable()));
    let pairs = traced.state.iter().zip(next).filter_map(|(state, next)| Some((*state, next?)));
    pairs.filter(|(_, next)| read.contains(next)).collect()
}

/// The way in which code gets a value that its first execution has handed on.
enum Place {
    Provided(Variable),
    Copied,
    /// It has it.
    Found,
}

/// The way of a shadow array.
fn place_of(traced: &Traced, operand: Operand, made_from: Variable) -> Place {
    let Some(mut next) = operand.variable() else { return Place::Found };
    let made = next;
    loop {
        if next < made_from {
            return Place::Found;
        }
        match traced.definition(next) {
            Some(Step::Plain(Statement::Element { array: Operand::Variable(array), .. })) => next = *array,
            Some(Step::Plain(Statement::Accumulators { .. })) if next == made => return Place::Provided(made),
            Some(Step::Build(build)) if next == made && build.makes_shadow(made, made_from) => {
                return Place::Provided(made);
            }
            _ => return Place::Copied,
        }
    }
}

impl TracedBuild {
    /// True if the shadow arrays in a target are made there, or before the iteration, so that nothing else in the iteration
    /// has them.
    fn makes_shadow(&self, target: Variable, made_from: Variable) -> bool {
        let place = self.targets.iter().position(|other| *other == target);
        place.is_some_and(|place| makes_shadow(&self.body, place, made_from))
    }
}

fn makes_shadow(path: &Traced, place: usize, made_from: Variable) -> bool {
    match &path.end {
        TracedEnd::Yield(operands) => {
            operands.get(place).is_some_and(|yielded| match place_of(path, *yielded, made_from) {
                Place::Provided(_) | Place::Found => true,
                Place::Copied => false,
            })
        }
        TracedEnd::Branch { consequent, alternative, .. } => {
            makes_shadow(consequent, place, made_from) && makes_shadow(alternative, place, made_from)
        }
        TracedEnd::Repeat(_) | TracedEnd::BailOut(_) => true,
    }
}

/// The variable of the block itself that has the value of what it yields: copies have the value of their operand.
fn computed(traced: &Traced, yielded: Operand) -> Option<Variable> {
    let mut found = None;
    let mut next = yielded.variable();
    while let Some(variable) = next {
        let Some(step) = traced.definition(variable) else { break };
        found = Some(variable);
        next = match step {
            Step::Node { operation: Operation::Copy, first: Operand::Variable(first), .. }
            | Step::Plain(Statement::Operation {
                operation: Operation::Copy, first: Operand::Variable(first), ..
            }) => Some(*first),
            _ => None,
        };
    }
    found
}
