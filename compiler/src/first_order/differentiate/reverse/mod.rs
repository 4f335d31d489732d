//! Reverse mode (`*j`): a function that computes results and cotangents, made of a function without levels.
//!
//! The equation is rule 5a of the report (9.2). The function is traced ([`trace`]), which tells the nodes; the sweep
//! over the trace is emitted ([`sweep`]), which tells what of the primal it reads; then the primal is emitted
//! ([`lower`]), which records that. What is emitted consists of exactly the operations of the rule in their order, so
//! levels around it are removed by the same passes.
//!
//! Records of straight-line code are its variables; those of loops and of recursive functions are on the record stack
//! ([`Statement::Push`]); of linear recursion the calls are counted ([`sweep::linear_recursion`]). Code that uses the record stack itself, the reverse sweep over a loop, is refused.
//!
//! Of a loop nothing is recorded at first if states are to be kept in place of a whole record: its iterations are executed
//! again for the sweep, some at a time ([`recomputed::checkpointed`]).
//!
//! Code with cells is differentiated where no level of reverse mode is around ([`remove_with_cells`]): reals that cells hold
//! have accumulators in memory, to which references are moved with them ([`memory::references`]).
//!
//! Code with arrays is differentiated where no level of reverse mode is around ([`remove_with_arrays`]): its loops are
//! executed again ([`recomputed::iterations`]), and the accumulators of elements are in memory ([`trace::arrays`]).

mod lower;
mod memory;
mod nodes;
mod recomputed;
mod recording;
mod sweep;
#[cfg(test)]
mod tests;
mod trace;

use super::emitter::{Emitter, ZERO};
use super::refusal::{Refusal, RefusalKind};
use crate::first_order::differentiate::emitter::yielding;
use crate::first_order::{
    Block, End, Function, FunctionId, JournalAction, Kind, MOST_DEPTH, Operand, Recording, Stack, Statement, Unit,
    Variable,
};
use lower::Lowering;
use memory::references::References;
use memory::shadow_arrays::{self, Prepared, ShadowArrays};
use nodes::frames::{Draft, FrameKind};
use nodes::identity::{Identity, Node};
use nodes::instances::{Execution, Instance, Instances, PrimalFunctions, ReverseInstance, constant_parameters};
use nodes::traced::{Step, TracedEnd};
use recording::recorded;
use std::collections::{BTreeMap, HashSet};
use sweep::blocks::{Accumulators, Incoming, Sweep};
use sweep::linear_recursion::Linear;
use trace::blocks::{ArrayContext, Environment, Tracer};
use trace::calls::{Begins, TracedInstance};
pub use trace::cells::remove_with_cells;
use vlad_table::internal_bug;

/// Adds a function that calls another one in reverse mode. Its parameters are those of the function, then a cotangent
/// for each real among its results; its results are those of the function, then a cotangent for each parameter that is
/// active. `balanced` are functions that leave the record stack as they found it.
///
/// # Errors
/// Returns a refusal if the function uses the record stack or arrays, if the code becomes too large, or if it cannot be
/// divided as the recording asks.
pub fn remove(
    unit: &mut Unit,
    function: FunctionId,
    (active, recording): (&[bool], Recording),
    balanced: &HashSet<FunctionId>,
) -> Result<FunctionId, Refusal> {
    if shadow_arrays::uses(unit, function, |kind| kind == Kind::Cell) {
        return Err(Refusal::new(RefusalKind::Cells).within(&unit.function(function).name));
    }
    if shadow_arrays::uses(unit, function, Kind::is_array) {
        return Err(Refusal::new(RefusalKind::Arrays).within(&unit.function(function).name));
    }
    let id = FunctionId(unit.functions.len() as u32);
    unit.functions.push(caller(unit.function(function), function));
    let instances = Instances::beside(balanced, recording);
    let functions = functions(
        unit,
        Source { operator: id, active, arrays: None, references: None, is_outermost: false },
        instances,
    );
    unit.functions.truncate(id.0 as usize);
    unit.functions.extend(functions.map_err(|refusal| refusal.within(&unit.function(function).name))?);
    Ok(id)
}

/// Adds a function that calls another one in reverse mode, as [`remove`] does, where the code may have arrays. No level of
/// reverse mode may be around it; if none at all is, it is outermost.
///
/// # Errors
/// Returns a refusal also for recursion with arrays.
pub fn remove_with_arrays(
    unit: &mut Unit,
    (function, is_outermost): (FunctionId, bool),
    (active, recording): (&[bool], Recording),
    balanced: &HashSet<FunctionId>,
) -> Result<FunctionId, Refusal> {
    let id = FunctionId(unit.functions.len() as u32);
    let mut instances = Instances::beside(balanced, recording);
    let in_function = |refusal: Refusal, unit: &Unit| refusal.within(&unit.function(function).name);
    let prepared = shadow_arrays::with_shadow_arrays(unit, &mut instances, function, active);
    let Prepared { function: prepared, shadows } = prepared.map_err(|refusal| in_function(refusal, unit))?;
    let of_prepared = FunctionId(id.0 + 1);
    unit.functions.push(caller_with_shadow_arrays(unit.function(function), &prepared, of_prepared, active));
    unit.functions.push(prepared);
    let arrays = Some((of_prepared, &shadows));
    let functions = functions(unit, Source { operator: id, active, arrays, references: None, is_outermost }, instances);
    unit.functions.truncate(id.0 as usize);
    unit.functions.extend(functions.map_err(|refusal| in_function(refusal, unit))?);
    Ok(id)
}

/// A function that calls a prepared one: the operator is made of it. It yields the results of the source, then the
/// shadow arrays of the arrays of reals among them, then those of the active arrays among its parameters.
fn caller_with_shadow_arrays(source: &Function, prepared: &Function, id: FunctionId, active: &[bool]) -> Function {
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

/// A function that calls another one: the operator is made of it.
fn caller(callee: &Function, function: FunctionId) -> Function {
    let mut caller = Function {
        name: format!("reverse {}", callee.name),
        variables: Vec::new(),
        parameters: Vec::new(),
        results: callee.results.clone(),
        body: yielding(Vec::new()),
    };
    for parameter in &callee.parameters {
        let parameter = caller.fresh(callee.kind(Operand::Variable(*parameter)));
        caller.parameters.push(parameter);
    }
    let targets: Vec<Variable> = callee.results.iter().map(|kind| caller.fresh(*kind)).collect();
    let arguments = caller.parameters.iter().copied().map(Operand::Variable).collect();
    let end = End::Yield(targets.iter().copied().map(Operand::Variable).collect());
    caller.body = Block { statements: vec![Statement::Call { targets, function, arguments }], end };
    caller
}

/// The source of an operator.
#[derive(Clone, Copy)]
struct Source<'source> {
    /// The caller of what is differentiated; the operator gets its number.
    operator: FunctionId,
    active: &'source [bool],
    /// The function that has arrays, with their shadow arrays.
    arrays: Option<(FunctionId, &'source ShadowArrays)>,
    /// The references of reals that cells hold, where there may be cells.
    references: Option<&'source References>,
    /// True if no level is around.
    is_outermost: bool,
}

/// The functions that replace the caller of what is differentiated: the operator itself first, then those of its instances.
fn functions(unit: &Unit, source: Source<'_>, mut instances: Instances) -> Result<Vec<Function>, Refusal> {
    let id = source.operator;
    // The instances are found together with the nodes that their results may be, from none on.
    loop {
        TracedOperator::new(unit, source, &mut instances)?;
        if instances_hold(unit, &mut instances, source.references)? {
            break;
        }
    }
    let made: Vec<Instance> = instances.all.clone();
    let (mut next, mut reverse) = (id.0 + 1, Vec::new());
    for (instance, is_linear) in made.iter().zip(instances.linear.clone()) {
        let primal = PrimalFunctions::from(FunctionId(next), instances.division.is_some());
        let function = FunctionId(next + primal.count());
        next = function.0 + 1;
        let constant = constant_parameters(unit, instance.function);
        reverse.push(ReverseInstance { instance: instance.clone(), primal, function, constant, is_linear });
    }
    let mut functions = vec![TracedOperator::new(unit, source, &mut instances)?.function(unit.function(id), &reverse)];
    for (number, instance) in made.iter().enumerate() {
        let mut tracer = Tracer::new(unit, &mut instances, instance.function, FrameKind::Pushed);
        tracer.references = source.references;
        let traced = tracer.instance(instance)?;
        let name = &unit.function(instance.function).name;
        functions.extend(instance_functions(name, tracer.draft, traced, (number, &reverse)));
    }
    if functions.iter().any(|function| function.body.depth() > MOST_DEPTH) {
        return Err(Refusal::new(RefusalKind::ReverseDepth));
    }
    Ok(functions)
}

/// Traces every instance once more; returns true if all that was assumed of their results holds.
fn instances_hold(unit: &Unit, instances: &mut Instances, references: Option<&References>) -> Result<bool, Refusal> {
    let mut hold = true;
    let mut number = 0;
    while let Some(instance) = instances.all.get(number).cloned() {
        let mut tracer = Tracer::new(unit, instances, instance.function, FrameKind::Pushed);
        tracer.references = references;
        let TracedInstance { origins, body, .. } = tracer.instance(&instance)?;
        if let Some(is_linear) = instances.linear.get_mut(number) {
            // The chains of activations of which code with cells consists are not executed as loops.
            *is_linear = references.is_none() && body.is_linear(number);
        }
        if let Some(known) = instances.results.get_mut(number)
            && *known != origins
        {
            *known = origins;
            hold = false;
        }
        number += 1;
    }
    Ok(hold)
}

/// The trace of the operator's call.
#[derive(Debug)]
struct TracedOperator {
    draft: Draft,
    parameters: Vec<Variable>,
    /// True if it executes again what reads or writes.
    has_journal: bool,
    /// The cotangents that the primal reads: those of the arrays among the results, in code with cells.
    read_cotangents: Option<Vec<Variable>>,
    /// The nodes of the active parameters that are reals; none of arrays.
    nodes: Vec<Option<Node>>,
    steps: Vec<Step>,
    end: TracedEnd,
    is_outermost: bool,
}

impl TracedOperator {
    fn new(unit: &Unit, source: Source<'_>, instances: &mut Instances) -> Result<TracedOperator, Refusal> {
        let Source { operator, active, arrays, references, is_outermost } = source;
        let mut tracer = Tracer::new(unit, instances, operator, FrameKind::Visible);
        tracer.references = references;
        tracer.arrays = arrays.map(|(function, shadows)| ArrayContext { function, shadows, repeats_from: None });
        let caller = unit.function(operator);
        let mut environment = Environment::new();
        let parameters = caller.parameters.iter().map(|parameter| tracer.assigned(*parameter, &mut environment));
        let mut parameters: Vec<Variable> = parameters.collect();
        let read_cotangents = references.map(|_| parameters.split_off(active.len()));
        let (mut nodes, mut steps) = (Vec::new(), Vec::new());
        let sources = parameters.iter().zip(&caller.parameters).zip(active);
        for ((variable, parameter), active) in sources {
            if !active {
                tracer.make_reference(*parameter, None, &mut environment, &mut steps);
                continue;
            }
            let is_real = tracer.draft.kind(Operand::Variable(*variable)) == Kind::Real;
            if !is_real {
                nodes.push(None);
                continue;
            }
            let node = tracer.draft.node();
            tracer.draft.identify(*variable, Identity::of(node));
            nodes.push(Some(node));
            tracer.make_reference(*parameter, Some(node), &mut environment, &mut steps);
        }
        let end = tracer.block(&caller.body, &mut environment, &mut steps)?;
        if let TracedEnd::Yield(operands) = &end {
            operands.iter().try_for_each(|operand| tracer.can_be_used(*operand))?;
        }
        if tracer.arrays.is_some() && tracer.instances.division.is_none() {
            recorded::decide(&mut steps, &tracer.draft);
        }
        let has_journal = tracer.instances.has_journal;
        Ok(TracedOperator {
            draft: tracer.draft,
            parameters,
            has_journal,
            read_cotangents,
            nodes,
            steps,
            end,
            is_outermost,
        })
    }

    /// The operator: the primal, the sweep from the cotangents of the results on, and the cotangents given back.
    fn function(self, caller: &Function, instances: &[ReverseInstance]) -> Function {
        let TracedOperator { mut draft, mut parameters, has_journal, read_cotangents, nodes, steps, end, is_outermost } =
            self;
        let of_source = parameters.len();
        let mut results = caller.results.clone();
        let mut sweep = Sweep::new(&mut draft, instances, None);
        sweep.is_outermost = is_outermost;
        let mut accumulators = Accumulators::new();
        let mut out = Vec::new();
        let mut primals = match &end {
            TracedEnd::Yield(operands) => operands.clone(),
            TracedEnd::Repeat(_) | TracedEnd::Branch { .. } | TracedEnd::BailOut(_) => Vec::new(),
        };
        let mut shadows = primals.split_off(caller.results.len().min(primals.len())).into_iter();
        let mut read = read_cotangents.iter().flatten();
        for kind in caller.results.iter().filter(|kind| kind.is_differentiable()) {
            let read = if kind.is_array() { read.next().copied() } else { None };
            parameters.push(read.unwrap_or_else(|| sweep.draft.fresh(*kind)));
        }
        let mut cotangents = parameters.iter().skip(of_source);
        for (operand, kind) in primals.iter().zip(&caller.results).filter(|(_, kind)| kind.is_differentiable()) {
            let Some(cotangent) = cotangents.next().copied().map(Operand::Variable) else { continue };
            if kind.is_array() {
                let mut code = Emitter { function: &mut sweep.draft.function, statements: &mut out };
                code.require_lengths(*operand, cotangent);
                if read_cotangents.is_none()
                    && let Some(shadow) = shadows.next()
                {
                    code.add_to_accumulators(shadow, cotangent);
                }
                continue;
            }
            let identity = sweep.draft.identity(*operand);
            sweep.contribute(&identity, cotangent, &mut accumulators, &mut out);
        }
        sweep.steps(&steps, &mut accumulators, &mut out);
        let mut yields = primals;
        for node in nodes {
            let accumulator = match node {
                Some(node) => accumulators.get(&node).copied(),
                None => shadows.next(),
            };
            let Some(accumulator) = accumulator else {
                results.push(Kind::Real);
                yields.push(ZERO);
                continue;
            };
            let kind = sweep.draft.kind(accumulator);
            results.push(kind);
            if kind.is_array() {
                // Accumulators in memory begin with +0, and no sum with another operand than -0 is -0.
                yields.push(accumulator);
                continue;
            }
            let target = sweep.draft.fresh(kind);
            out.push(Statement::PositiveZero { target, operand: accumulator });
            yields.push(Operand::Variable(target));
        }
        let mut swept = yielding(Vec::new());
        swept.statements = out;
        sweep.complete_pops(&mut swept);
        let counted = sweep.counted;
        let mut lowering = Lowering {
            draft: &mut draft,
            instances,
            counted: &counted,
            records: true,
            counts: true,
            leaves_recorded: false,
        };
        let on_journal = |action: JournalAction| Statement::action(Vec::new(), action, Vec::new());
        let mut statements: Vec<Statement> =
            has_journal.then(|| on_journal(JournalAction::Begin)).into_iter().collect();
        statements.extend(lowering.statements(steps));
        let end = match end {
            TracedEnd::Yield(_) => {
                statements.extend(swept.statements);
                statements.extend(has_journal.then(|| on_journal(JournalAction::End)));
                End::Yield(yields)
            }
            TracedEnd::BailOut(source) => End::BailOut(source),
            TracedEnd::Repeat(_) | TracedEnd::Branch { .. } => internal_bug!("the operator's call has one path"),
        };
        let body = Block { statements, end };
        finished(Function { name: caller.name.clone(), parameters, results, body, ..draft.function })
    }
}

/// The functions of an instance's primal, and its reverse function.
fn instance_functions(
    name: &str,
    mut draft: Draft,
    traced: TracedInstance,
    (number, instances): (usize, &[ReverseInstance]),
) -> Vec<Function> {
    let TracedInstance { parameters, nodes, inner, body, results, own, .. } = traced;
    let is_linear = instances.get(number).is_some_and(|instance| instance.is_linear);
    let linear = is_linear.then(|| Linear { instance: number, last: draft.segment(), other: draft.segment() });
    let mut sweep = Sweep::new(&mut draft, instances, Some(Draft::OUTERMOST));
    let mut accumulators = Accumulators::new();
    let mut swept = Vec::new();
    for (node, _) in nodes.iter().filter(|(_, begins)| *begins == Begins::Given) {
        let variable = sweep.draft.fresh(Kind::Real);
        swept.push(variable);
        accumulators.insert(*node, Operand::Variable(variable));
    }
    let mut yielded = Vec::new();
    for own in own {
        yielded.push(own.map(|_| {
            let variable = sweep.draft.fresh(Kind::Real);
            swept.push(variable);
            Operand::Variable(variable)
        }));
    }
    let constant = instances.get(number).map_or(&[][..], |reverse| &reverse.constant);
    for parameter in parameters.iter().zip(constant).filter_map(|(parameter, constant)| constant.then_some(*parameter))
    {
        let variable = sweep.draft.fresh(sweep.draft.kind(Operand::Variable(parameter)));
        swept.push(variable);
        sweep.draft.substitute(Draft::OUTERMOST, parameter, variable);
    }
    let mut statements = Vec::new();
    let incoming = Incoming::of_results(&yielded, inner);
    let after = match &linear {
        Some(linear) => {
            let activations = sweep.draft.fresh(Kind::Real);
            swept.push(activations);
            sweep.linear_block(&body, (linear, activations), &accumulators, incoming, &mut statements)
        }
        None => sweep.block(&body, accumulators, incoming, &mut statements),
    };
    let after = after.unwrap_or_default();
    let end = End::Yield(nodes.iter().map(|(node, _)| after.get(node).copied().unwrap_or(ZERO)).collect());
    let mut sweeping = Block { statements, end };
    sweep.complete_pops(&mut sweeping);
    let counted = sweep.counted;
    let popped: Vec<Variable> = draft.exports(Draft::OUTERMOST).iter().map(|export| export.1).collect();
    if !popped.is_empty() {
        sweeping.statements.insert(0, Statement::Pop { stack: Stack::Sweeps, targets: popped });
    }
    let primals = instances.get(number).map_or(&[][..], |instance| instance.primal.executions());
    let mut functions = Vec::new();
    for execution in primals {
        let Execution { records, counts } = *execution;
        let linear = linear.as_ref().filter(|_| records);
        let mut lowering =
            Lowering { draft: &mut draft, instances, counted: &counted, records, counts, leaves_recorded: false };
        let code = lowering.augmented(body.clone(), &parameters, linear);
        let (name, variables) = (format!("{} {name}", execution.name()), draft.function.variables.clone());
        let (parameters, mut results) = (parameters.clone(), results.clone());
        results.extend(linear.map(|_| Kind::Real));
        functions.push(finished(Function { name, variables, parameters, results, body: code }));
    }
    let (name, cotangents) = (format!("sweep {name}"), vec![Kind::Real; nodes.len()]);
    let (variables, parameters) = (draft.function.variables, swept);
    functions.push(finished(Function { name, variables, parameters, results: cotangents, body: sweeping }));
    functions
}

/// Numbers the variables of a function in the order of their assignments, and drops the others.
fn finished(mut function: Function) -> Function {
    let mut assigned = function.parameters.clone();
    function.body.each_statement(&mut |statement| {
        assigned.extend(statement.targets());
        assigned.extend(statement.inner_variables());
    });
    let kinds = assigned.iter().map(|variable| function.kind(Operand::Variable(*variable))).collect();
    let numbers: BTreeMap<Variable, Variable> = assigned.into_iter().zip((0..).map(Variable)).collect();
    let renumber = |variable: &mut Variable| match numbers.get(variable) {
        Some(number) => *variable = *number,
        None => internal_bug!("a variable that is used is assigned"),
    };
    let mut rename = |operand: &mut Operand| {
        if let Operand::Variable(variable) = operand {
            renumber(variable);
        }
    };
    function.parameters.iter_mut().for_each(renumber);
    function.body.rename(&mut rename, &mut { renumber });
    function.variables = kinds;
    function
}
