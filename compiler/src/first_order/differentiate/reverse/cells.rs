//! The trace of code with cells.
//!
//! The node of a real that a cell may hold has its accumulator in memory ([`super::references`]), from the operation on
//! that makes it: the sweep adds contributions there, and takes the sum when it comes to the operation. All other nodes are
//! told apart as in code without cells. A held real has the same reference wherever it is moved, so nothing is known of which
//! node it is, and nothing has to be.

use super::super::refusal::{Refusal, RefusalKind};
use super::identity::{Identity, Node};
use super::instances::Instances;
use super::references::{References, Referring, with_references};
use super::trace::{Environment, Tracer, value};
use super::traced::Step;
use super::{Source, caller, companions, functions};
use crate::first_order::{Function, FunctionId, Kind, Operand, Recording, Statement, Unit, Variable};
use std::collections::HashSet;

/// Adds a function that calls another one in reverse mode, as [`super::remove`] does, where the code may have cells. No level of
/// reverse mode may be around it.
///
/// # Errors
/// Returns a refusal also for code with arrays.
pub fn remove_with_cells(
    unit: &mut Unit,
    function: FunctionId,
    active: &[bool],
    balanced: &HashSet<FunctionId>,
) -> Result<FunctionId, Refusal> {
    let in_function = |refusal: Refusal, unit: &Unit| refusal.within(&unit.function(function).name);
    if companions::uses(unit, function, Kind::is_array) {
        return Err(in_function(Refusal::new(RefusalKind::Arrays), unit));
    }
    let id = FunctionId(unit.functions.len() as u32);
    let mut instances = Instances::beside(balanced, Recording::Everything);
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

/// A function that calls one with references: the operator is made of it. The trace makes the accumulators of its
/// parameters.
fn operator(unit: &Unit, source: FunctionId, referring: &Referring, id: FunctionId) -> (Function, References) {
    let mut operator = caller(unit.function(source), referring.root);
    let mut references = referring.references.clone();
    let mut of_parameters = Vec::new();
    for (parameter, _) in operator.parameters.clone().into_iter().zip(&referring.parameters).filter(|held| *held.1) {
        let reference = operator.fresh(Kind::Cell);
        references.insert(id, parameter, reference.into());
        of_parameters.push(Operand::Variable(reference));
    }
    let of_results = referring.results.iter().filter(|held| **held);
    let of_results: Vec<Variable> = of_results.map(|_| operator.fresh(Kind::Cell)).collect();
    if let Some(Statement::Call { targets, arguments, .. }) = operator.body.statements.first_mut() {
        let results = targets.clone();
        let held = results.iter().zip(&referring.results).filter(|(_, held)| **held);
        for ((result, _), reference) in held.zip(&of_results) {
            references.insert(id, *result, (*reference).into());
        }
        targets.extend(of_results);
        arguments.extend(of_parameters);
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
        for variable in variables {
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

    /// Traces a statement on cells.
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
        for target in made.targets_mut() {
            *target = self.assigned(*target, environment);
        }
        steps.push(Step::Plain(made));
        self.refer(statement.targets(), environment);
        Ok(())
    }
}
