//! Loop-carried values: those that an iteration passes to the next one, or to the result of the loop or of the `build`.
//!
//! When an iteration is executed again, these values are known, and the arrays among them need not be made again. A
//! shadow array that the iteration makes *must* be the one that the first execution has passed on: it has the
//! contributions of later iterations. If one statement of the iteration makes it, and nothing else there has it or a part
//! of it, the statement is replaced. Otherwise its accumulators are copied to the one that is made again. A shadow array
//! from before the iteration is the same in both executions.

use super::super::nodes::{Role, Step, Traced, TracedBuild, TracedEnd, TracedLoop, read_in};
use super::super::sweep::{CarriedValue, LoopCarried, Sweep};
use crate::differentiate::emitter::{Emitter, assignment};
use crate::{Kind, Operand, Statement, Variable};
use std::collections::BTreeSet;
use vlad_table::Operation;

/// The code that provides the loop-carried values of an iteration.
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
    /// The provision for a block that is executed again.
    pub fn provision(&mut self, traced: &Traced, carried: LoopCarried<'_>) -> Provision {
        let known = match &traced.end {
            TracedEnd::Yield(_) => carried.yielded,
            TracedEnd::Repeat(_) => carried.repeated,
            TracedEnd::Branch { .. } | TracedEnd::BailOut(_) => &[],
        };
        let mut provision = Provision::default();
        for (operand, known) in traced.end.operands().iter().zip(known) {
            let Some(CarriedValue { role, value }) = *known else { continue };
            let place = match role {
                Role::Scalar | Role::Array => computed(traced, *operand).map_or(Place::Found, Place::Provided),
                Role::Shadow => place_of(traced, *operand, carried.made_from),
            };
            match place {
                Place::Provided(target) => {
                    if provision.provided.insert(target) {
                        provision.before.push(assignment(vec![target], vec![value]));
                    }
                }
                Place::Copied => {
                    let made = self.draft.read(*operand);
                    let mut code = Emitter { function: &mut self.draft.function, statements: &mut provision.after };
                    code.replace_accumulators(made, value);
                }
                Place::Found => {}
            }
        }
        provision
    }

    /// Variables for the arrays of the state after an iteration that is swept over.
    pub fn next_arrays(&mut self, traced: &TracedLoop) -> Vec<Option<CarriedValue>> {
        carried(&traced.state, &traced.state_roles, |variable| self.draft.like(variable).into())
    }

    /// The arrays that a loop has yielded.
    pub fn yielded_arrays(&mut self, traced: &TracedLoop) -> Vec<Option<CarriedValue>> {
        carried(&traced.targets, &traced.roles, |target| self.draft.read(Operand::Variable(target)))
    }

    /// An array of a kind for a place where nobody reads it.
    pub fn no_array(&mut self, kind: Kind, out: &mut Vec<Statement>) -> Operand {
        self.emit(out).assign(kind, |target| Statement::Array { target, elements: Vec::new() })
    }
}

/// The values of those variables that are arrays.
fn carried(
    variables: &[Variable],
    roles: &[Role],
    mut value: impl FnMut(Variable) -> Operand,
) -> Vec<Option<CarriedValue>> {
    let mut carried = |(variable, role): (&Variable, &Role)| match role {
        Role::Scalar => None,
        Role::Array | Role::Shadow => Some(CarriedValue { role: *role, value: value(*variable) }),
    };
    variables.iter().zip(roles).map(&mut carried).collect()
}

/// The arrays of a loop's state that the code of an iteration reads as those after it: the variable of the state, and
/// that after the iteration.
pub fn read_next(traced: &TracedLoop, known: &[Option<CarriedValue>], code: &[Statement]) -> Vec<(Variable, Variable)> {
    let read = read_in(code);
    let next = known.iter().map(|known| known.and_then(|known| known.value.variable()));
    let pairs = traced.state.iter().zip(next).filter_map(|(state, next)| Some((*state, next?)));
    pairs.filter(|(_, next)| read.contains(next)).collect()
}

/// The way in which code gets a loop-carried value.
enum Place {
    /// It is assigned to the variable, in place of the statement that makes it.
    Provided(Variable),
    /// Its accumulators are copied to those that the code makes.
    Copied,
    /// The code has it.
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
    /// True if the shadow arrays in a target are made there, or before the iteration, so that nothing else in the
    /// iteration has them.
    fn makes_shadow(&self, target: Variable, made_from: Variable) -> bool {
        let Some(place) = self.targets.iter().position(|other| *other == target) else { return false };
        let mut makes = true;
        self.body.each_leaf(&mut |leaf| {
            makes &= match &leaf.end {
                TracedEnd::Yield(operands) => operands.get(place).is_some_and(|yielded| {
                    matches!(place_of(leaf, *yielded, made_from), Place::Provided(_) | Place::Found)
                }),
                TracedEnd::Branch { .. } | TracedEnd::Repeat(_) | TracedEnd::BailOut(_) => true,
            };
        });
        makes
    }
}

/// The variable of the block itself that has the value of what it yields: copies have the value of their operand.
fn computed(traced: &Traced, yielded: Operand) -> Option<Variable> {
    let mut found = None;
    let mut next = yielded.variable();
    while let Some(variable) = next {
        let Some(step) = traced.definition(variable) else { break };
        found = Some(variable);
        let copied = (step.operation() == Some(Operation::Copy)).then(|| step.operands()).into_iter().flatten().next();
        next = copied.and_then(Operand::variable);
    }
    found
}
