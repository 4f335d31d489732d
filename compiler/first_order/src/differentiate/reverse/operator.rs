//! The functions that reverse mode makes: the operator, and for each instance of a recursive function its primals and its
//! sweep.
//!
//! The order matters. The code is traced, and the sweep over the trace is emitted. This tells which values of the primal
//! it reads. Then the primal is emitted, which records these. In the operator, primal and sweep are one function, so what
//! the sweep reads outside of loops is in scope.

use super::lower::Lowering;
use super::memory::references::References;
use super::memory::shadow_arrays::ShadowArrays;
use super::nodes::{
    Draft, Execution, FrameKind, Identity, Instance, Instances, Node, PrimalFunctions, ReverseInstance, Step,
    TracedEnd, constant_parameters,
};
use super::recording::recorded;
use super::sweep::{Accumulators, Incoming, Linear, Sweep, of_nodes, of_own};
use super::trace::blocks::{ArrayContext, Tracer};
use super::trace::calls::{Begins, TracedInstance};
use crate::differentiate::emitter::ZERO;
use crate::differentiate::refusal::{Refusal, RefusalKind};
use crate::{
    Block, End, Function, FunctionId, JournalAction, Kind, MOST_DEPTH, Operand, Stack, Statement, Unit, Variable,
};
use std::collections::BTreeMap;
use vlad_table::internal_bug;

/// The source of an operator.
#[derive(Clone, Copy, Debug)]
pub struct Source<'source> {
    /// The active parameters of the function that is differentiated.
    pub active: &'source [bool],
    /// The function that has arrays, with their shadow arrays.
    pub arrays: Option<(FunctionId, &'source ShadowArrays)>,
    /// The references of reals that cells hold, where there may be cells.
    pub references: Option<&'source References>,
    /// True if no level is around.
    pub is_outermost: bool,
}

/// The functions of an operator: itself first, then those of its instances.
pub fn functions(
    unit: &Unit,
    (id, source): (FunctionId, Source<'_>),
    mut instances: Instances,
) -> Result<Vec<Function>, Refusal> {
    // The instances are found together with the nodes that their results may be, from none on.
    loop {
        TracedOperator::new(unit, (id, source), &mut instances)?;
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
    let mut functions =
        vec![TracedOperator::new(unit, (id, source), &mut instances)?.function(unit.function(id), &reverse)];
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
    fn new(
        unit: &Unit,
        (operator, source): (FunctionId, Source<'_>),
        instances: &mut Instances,
    ) -> Result<TracedOperator, Refusal> {
        let Source { active, arrays, references, is_outermost } = source;
        let mut tracer = Tracer::new(unit, instances, operator, FrameKind::Visible);
        tracer.references = references;
        tracer.arrays = arrays.map(|(function, shadows)| ArrayContext { function, shadows, repeats_from: None });
        let caller = unit.function(operator);
        let mut parameters = tracer.all_assigned(&caller.parameters);
        let read_cotangents = references.map(|_| parameters.split_off(active.len()));
        let mut nodes = Vec::new();
        for ((variable, parameter), active) in parameters.iter().zip(&caller.parameters).zip(active) {
            let is_real = tracer.draft.kind(Operand::Variable(*variable)) == Kind::Real;
            let node = (*active && is_real).then(|| tracer.draft.node());
            if let Some(node) = node {
                tracer.draft.identify(*variable, Identity::of(node));
            }
            if is_real || !active {
                tracer.make_reference(*parameter, node);
            }
            nodes.extend(active.then_some(node));
        }
        let end = tracer.block(&caller.body)?;
        if let TracedEnd::Yield(operands) = &end {
            operands.iter().try_for_each(|operand| tracer.can_be_used(*operand))?;
        }
        let mut steps = std::mem::take(&mut tracer.steps);
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
    ///
    /// ```text
    /// operator (parameters, cotangents of results): results, cotangents of active parameters
    /// ```
    fn function(self, caller: &Function, instances: &[ReverseInstance]) -> Function {
        let TracedOperator { mut draft, mut parameters, has_journal, read_cotangents, nodes, steps, end, is_outermost } =
            self;
        let of_source = parameters.len();
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
        let active = primals.iter().zip(&caller.results).filter(|(_, kind)| kind.is_differentiable());
        for ((operand, kind), cotangent) in active.zip(parameters.iter().skip(of_source)) {
            let cotangent = Operand::Variable(*cotangent);
            if !kind.is_array() {
                let identity = sweep.draft.identity(*operand);
                sweep.contribute(&identity, cotangent, &mut accumulators, &mut out);
                continue;
            }
            sweep.emit(&mut out).require_lengths(*operand, cotangent);
            if read_cotangents.is_none()
                && let Some(shadow) = shadows.next()
            {
                sweep.emit(&mut out).add_to_accumulators(shadow, cotangent);
            }
        }
        sweep.steps(&steps, &mut accumulators, &mut out);
        let (mut results, mut yields) = (caller.results.clone(), primals);
        for node in nodes {
            let accumulator = match node {
                Some(node) => accumulators.get(&node).copied(),
                None => shadows.next(),
            };
            let (kind, cotangent) = match accumulator {
                None => (Kind::Real, ZERO),
                // Accumulators in memory begin with +0, and no sum with another operand than -0 is -0.
                Some(shadow) if sweep.draft.kind(shadow).is_array() => (sweep.draft.kind(shadow), shadow),
                Some(accumulator) => (Kind::Real, sweep.emit(&mut out).without_signs_of_zeros(accumulator)),
            };
            results.push(kind);
            yields.push(cotangent);
        }
        let mut swept = Block { statements: out, end: End::Yield(yields) };
        sweep.complete_pops(&mut swept);
        let counted = sweep.counted;
        let mut lowering = Lowering::new(&mut draft, instances, &counted, Execution::FIRST);
        let on_journal = |action: JournalAction| has_journal.then(|| Statement::action(Vec::new(), action, Vec::new()));
        let mut statements: Vec<Statement> = on_journal(JournalAction::Begin).into_iter().collect();
        statements.extend(lowering.statements(steps));
        let end = match end {
            TracedEnd::Yield(_) => {
                statements.extend(swept.statements.into_iter().chain(on_journal(JournalAction::End)));
                swept.end
            }
            TracedEnd::BailOut(source) => End::BailOut(source),
            TracedEnd::Repeat(_) | TracedEnd::Branch { .. } => internal_bug!("the operator's call has one path"),
        };
        let body = Block { statements, end };
        finished(Function { name: caller.name.clone(), parameters, results, body, ..draft.function })
    }
}

/// The functions of an instance's primal, and its reverse function.
///
/// ```text
/// augmented f (parameters): results                        pushes its record
/// sweep f (accumulators of parameters and of results): accumulators of parameters
/// ```
fn instance_functions(
    name: &str,
    mut draft: Draft,
    traced: TracedInstance,
    (number, instances): (usize, &[ReverseInstance]),
) -> Vec<Function> {
    let TracedInstance { parameters, nodes, inner, body, results, own, .. } = traced;
    let Some(reverse) = instances.get(number) else { internal_bug!("an instance has its functions") };
    let linear = reverse.is_linear.then(|| Linear { instance: number, last: draft.segment(), other: draft.segment() });
    let mut sweep = Sweep::new(&mut draft, instances, Some(Draft::OUTERMOST));
    let mut swept = Vec::new();
    let given = nodes.iter().filter(|(_, begins)| *begins == Begins::Given).map(|(node, _)| node);
    let accumulators = sweep.fresh_accumulators(given, &mut swept);
    let yielded = of_own(&sweep.fresh_accumulators(own.iter().flatten(), &mut swept), &own);
    for (parameter, _) in parameters.iter().zip(&reverse.constant).filter(|(_, constant)| **constant) {
        let variable = sweep.draft.like(*parameter);
        swept.push(variable);
        sweep.draft.substitute(Draft::OUTERMOST, *parameter, variable);
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
    let after = of_nodes(&after.unwrap_or_default(), nodes.iter().map(|(node, _)| node));
    let mut sweeping = Block { statements, end: End::Yield(after) };
    sweep.complete_pops(&mut sweeping);
    let counted = sweep.counted;
    let targets: Vec<Variable> = draft.exports(Draft::OUTERMOST).iter().map(|export| export.1).collect();
    if !targets.is_empty() {
        sweeping.statements.insert(0, Statement::Pop { stack: Stack::Sweeps, targets });
    }
    let mut functions = Vec::new();
    for execution in reverse.primal.executions() {
        let linear = linear.as_ref().filter(|_| execution.records);
        let mut lowering = Lowering::new(&mut draft, instances, &counted, *execution);
        let body = lowering.augmented(body.clone(), &parameters, linear);
        let (name, variables) = (format!("{} {name}", execution.name()), draft.function.variables.clone());
        let (parameters, mut results) = (parameters.clone(), results.clone());
        results.extend(linear.map(|_| Kind::Real));
        functions.push(finished(Function { name, variables, parameters, results, body }));
    }
    let (name, results) = (format!("sweep {name}"), vec![Kind::Real; nodes.len()]);
    let variables = draft.function.variables;
    functions.push(finished(Function { name, variables, parameters: swept, results, body: sweeping }));
    functions
}

/// Numbers the variables of a function in the order of their assignments, and drops the others.
fn finished(mut function: Function) -> Function {
    let mut assigned = function.parameters.clone();
    assigned.extend(function.body.all_statements().flat_map(Statement::assigned));
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
