//! The trace of code with cells.
//!
//! The node of a real that a cell may hold has its accumulator in memory ([`super::super::memory::references`]), from the operation on
//! that makes it: the sweep adds contributions there, and takes the sum when it comes to the operation. All other nodes are
//! told apart as in code without cells. A held real has the same reference wherever it is moved, so nothing is known of which
//! node it is, and nothing has to be.

use super::super::memory::references::{MOST_PARTS, References, Referring, kind_of_reference, with_references};
use super::super::nodes::identity::{Identity, Node};
use super::super::nodes::instances::Instances;
use super::super::nodes::traced::Step;
use super::super::{Source, caller, functions};
use super::blocks::{Environment, Tracer, value};
use crate::first_order::differentiate::refusal::{Refusal, RefusalKind};
use crate::first_order::{End, Function, FunctionId, Kind, Operand, Recording, Statement, Unit, Variable};
use std::collections::HashSet;

/// Adds a function that calls another one in reverse mode, as [`super::super::remove`] does, where the code may have cells. No level of
/// reverse mode may be around it.
///
/// # Errors
/// Returns a refusal also for arrays of active reals, other than those in which these enter and leave the level.
pub fn remove_with_cells(
    unit: &mut Unit,
    function: FunctionId,
    (active, recording): (&[bool], Recording),
    balanced: &HashSet<FunctionId>,
) -> Result<FunctionId, Refusal> {
    let in_function = |refusal: Refusal, unit: &Unit| refusal.within(&unit.function(function).name);
    let id = FunctionId(unit.functions.len() as u32);
    let mut instances = Instances::beside(balanced, recording);
    if recording != Recording::Everything && !unit.functions.iter().all(cells_are_small) {
        return Err(in_function(Refusal::new(RefusalKind::CheckpointCells), unit));
    }
    let next = FunctionId(id.0 + 1);
    let referring = with_references(unit, &mut instances, (function, active), next);
    let referring = referring.map_err(|refusal| in_function(refusal, unit))?;
    let (operator, references) = operator(unit, function, &referring, id);
    unit.functions.push(operator);
    unit.functions.extend(referring.functions);
    let source = Source { operator: id, active, arrays: None, references: Some(&references), is_outermost: false };
    let functions = functions(unit, source, instances);
    unit.functions.truncate(id.0 as usize);
    unit.functions.extend(functions.map_err(|refusal| in_function(refusal, unit))?);
    Ok(id)
}

/// True if every cell of a function has so few parts that it can be moved, and no arrays.
fn cells_are_small(function: &Function) -> bool {
    let mut are_small = true;
    function.body.each_statement(&mut |statement| {
        if let Statement::Cell { parts, .. } = statement {
            are_small &= parts.len() <= MOST_PARTS && !parts.iter().any(|part| function.kind(*part).is_array());
        }
    });
    are_small
}

/// A function that calls one with references: the operator is made of it. The trace makes the accumulators of its
/// parameters, and its first statements make the shadow arrays of arrays. Its last parameters are the cotangents of arrays.
fn operator(unit: &Unit, source: FunctionId, referring: &Referring, id: FunctionId) -> (Function, References) {
    let mut operator = caller(unit.function(source), referring.root);
    let mut references = referring.references.clone();
    let (mut of_parameters, mut shadows, mut made) = (Vec::new(), Vec::new(), Vec::new());
    for (parameter, _) in operator.parameters.clone().into_iter().zip(&referring.parameters).filter(|held| *held.1) {
        let kind = operator.kind(parameter.into());
        let reference = operator.fresh(kind_of_reference(kind));
        references.insert(id, parameter, reference.into());
        of_parameters.push(Operand::Variable(reference));
        if kind.is_array() {
            shadows.push(Operand::Variable(reference));
            made.push(Statement::Accumulators { target: reference, like: parameter.into() });
        }
    }
    let kinds: Vec<Kind> = operator.results.clone();
    let of_results = kinds.iter().zip(&referring.results).filter(|(_, held)| **held);
    let of_results: Vec<Variable> = of_results.map(|(kind, _)| operator.fresh(kind_of_reference(*kind))).collect();
    let arrays = kinds.into_iter().filter(|kind| kind.is_array() && kind.is_differentiable());
    let cotangents: Vec<Variable> = arrays.map(|kind| operator.fresh(kind)).collect();
    operator.parameters.extend(&cotangents);
    of_parameters.extend(cotangents.into_iter().map(Operand::Variable));
    if let Some(Statement::Call { targets, arguments, .. }) = operator.body.statements.first_mut() {
        let results = targets.clone();
        let held = results.iter().zip(&referring.results).filter(|(_, held)| **held);
        for ((result, _), reference) in held.zip(&of_results) {
            references.insert(id, *result, (*reference).into());
        }
        targets.extend(of_results);
        arguments.extend(of_parameters);
    }
    operator.body.statements.splice(0..0, made);
    if let End::Yield(operands) = &mut operator.body.end {
        operands.extend(shadows);
    }
    (operator, references)
}

impl Tracer<'_> {
    /// The reference of a variable of the source.
    pub fn reference(&self, variable: Variable) -> Option<Operand> {
        self.references?.get(self.source, variable)
    }

    /// True for a function with references: it is traced whatever its arguments are.
    pub fn has_references(&self, function: FunctionId) -> bool {
        self.references.is_some_and(|references| references.has(function))
    }

    /// Makes those variables of the source that have references the nodes that these refer to.
    pub fn refer(&mut self, variables: &[Variable], environment: &Environment) {
        let of_source = self.unit.function(self.source);
        for variable in variables.iter().filter(|variable| of_source.kind((**variable).into()) == Kind::Real) {
            let Some(reference) = self.reference(*variable) else { continue };
            if let Operand::Variable(made) = value(Operand::Variable(*variable), environment) {
                self.refer_to(made, value(reference, environment));
            }
        }
    }

    /// Makes a variable the node that a reference refers to.
    fn refer_to(&mut self, variable: Variable, reference: Operand) {
        let node = self.draft.node();
        self.draft.add_reference(node, reference);
        self.draft.identify(variable, Identity::of(node));
    }

    /// After a value that may have a reference has been made: its accumulator, if it is a node; else an absent cell.
    pub fn make_reference(
        &mut self,
        source: Variable,
        node: Option<Node>,
        environment: &mut Environment,
        steps: &mut Vec<Step>,
    ) {
        let Some(Operand::Variable(reference)) = self.reference(source) else { return };
        let reference = self.assigned(reference, environment);
        let Some(node) = node else {
            steps.push(Step::Plain(Statement::Cell { target: reference, parts: Vec::new() }));
            return;
        };
        steps.push(Step::Allocate { node, reference });
        self.refer(&[source], environment);
    }

    /// Traces a statement on cells, on accumulators in memory, or on arrays beside cells.
    pub fn on_cell(
        &mut self,
        statement: &Statement,
        environment: &mut Environment,
        steps: &mut Vec<Step>,
    ) -> Result<(), Refusal> {
        if self.references.is_none() {
            return Err(Refusal::new(RefusalKind::Cells));
        }
        let mut made = statement.clone();
        made.change_operands(|operand| *operand = value(*operand, environment));
        let mut inside = statement.inner_variables().to_vec();
        if let Some(body) = statement.block() {
            body.each_statement(&mut |inner| inside.extend(inner.targets().iter().chain(inner.inner_variables())));
        }
        for variable in inside {
            self.assigned(variable, environment);
        }
        let name = |variable: &mut Variable| {
            if let Operand::Variable(made) = value((*variable).into(), environment) {
                *variable = made;
            }
        };
        made.inner_variables_mut().iter_mut().for_each(name);
        if let Some(body) = made.block_mut() {
            body.rename(&mut |operand| *operand = value(*operand, environment), &mut { name });
        }
        for target in made.targets_mut() {
            *target = self.assigned(*target, environment);
        }
        steps.push(Step::Plain(made));
        self.refer(statement.targets(), environment);
        Ok(())
    }
}
