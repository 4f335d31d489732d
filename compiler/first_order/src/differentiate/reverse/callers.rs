//! The callers of a function that is differentiated: the operator is made of such a caller.
//!
//! A caller has the parameters and results that the operator has, but for cotangents of reals, and one call. The call
//! passes the accumulators in memory of active parameters along, and returns those of the results.

use super::memory::references::{MOST_PARTS, References, Referring, kind_of_reference};
use crate::differentiate::emitter::operands;
use crate::{Block, End, Function, FunctionId, Kind, Operand, Statement, Unit, Variable};

/// A function that calls another one.
pub fn caller(callee: &Function, function: FunctionId) -> Function {
    let mut caller =
        Function { name: format!("reverse {}", callee.name), results: callee.results.clone(), ..Function::default() };
    for parameter in &callee.parameters {
        let parameter = caller.fresh(callee.kind(Operand::Variable(*parameter)));
        caller.parameters.push(parameter);
    }
    let targets: Vec<Variable> = callee.results.iter().map(|kind| caller.fresh(*kind)).collect();
    let arguments = operands(&caller.parameters);
    let end = End::Yield(operands(&targets));
    caller.body = Block { statements: vec![Statement::Call { targets, function, arguments }], end };
    caller
}

/// A function that calls one with shadow arrays. It yields the results of the source, then the shadow arrays of the
/// arrays of reals among them, then those of the active arrays among its parameters.
pub fn caller_with_shadow_arrays(source: &Function, prepared: &Function, id: FunctionId, active: &[bool]) -> Function {
    let mut caller = caller(source, id);
    let mut made = Vec::new();
    for (parameter, _) in caller.parameters.clone().into_iter().zip(active).filter(|(_, active)| **active) {
        let kind = caller.kind(Operand::Variable(parameter));
        if kind.is_array() && kind.is_differentiable() {
            made.push((caller.fresh(kind), parameter));
        }
    }
    let of_results: Vec<Kind> = prepared.results.iter().skip(source.results.len()).copied().collect();
    let of_results: Vec<Variable> = of_results.into_iter().map(|kind| caller.fresh(kind)).collect();
    let shadows = made.iter().map(|(shadow, _)| Operand::Variable(*shadow));
    if let Some(Statement::Call { targets, arguments, .. }) = caller.body.statements.first_mut() {
        targets.extend(&of_results);
        arguments.extend(shadows.clone());
    }
    if let End::Yield(operands) = &mut caller.body.end {
        operands.extend(of_results.into_iter().map(Operand::Variable).chain(shadows));
    }
    let accumulators = made.into_iter().map(|(target, parameter)| {
        let like = Operand::Variable(parameter);
        Statement::Accumulators { target, like }
    });
    caller.body.statements.splice(0..0, accumulators);
    caller
}

/// A function that calls one with references, and its references. The trace makes the accumulators of its parameters, and
/// its first statements make the shadow arrays. Its last parameters are the cotangents of arrays.
pub fn caller_with_references(
    unit: &Unit,
    source: FunctionId,
    referring: &Referring,
    id: FunctionId,
) -> (Function, References) {
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

/// True if every cell of a function has so few parts that it can be moved, and no arrays.
pub fn cells_are_small(function: &Function) -> bool {
    let is_array = |part: &Operand| function.kind(*part).is_array();
    !function.body.all_statements().any(|statement| {
        matches!(statement, Statement::Cell { parts, .. } if parts.len() > MOST_PARTS || parts.iter().any(is_array))
    })
}
