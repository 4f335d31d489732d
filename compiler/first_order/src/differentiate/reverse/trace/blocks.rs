//! The tracer: blocks, branches, and the statements without a module of their own.
//!
//! Tracing renames variables, inlines the calls of functions that are not recursive, and follows branches on constants.
//! A `bind` with one path becomes a part of the block around it, so that its values need no joining. Code that reverse
//! mode does not take is refused here ([`RefusalKind`]).

use super::super::memory::references::References;
use super::super::memory::shadow_arrays::{MOST_STATEMENTS, ShadowArrays};
use super::super::nodes::{
    Draft, FLAG, FrameKind, Identity, Instances, LastReads, LiveNodes, Node, Origin, Step, Traced, TracedEnd,
    flag_count, join,
};
use crate::differentiate::refusal::{Refusal, RefusalKind};
use crate::{AccumulatorAction, Action, Block, End, FunctionId, MOST_DEPTH, Operand, Statement, Unit, Variable};
use std::collections::HashMap;
use vlad_core::ExpressionId;
use vlad_table::{Operation, internal_bug};

/// The greatest number of variables of a function's trace, flags included.
const MOST_VARIABLES: usize = 40_000;

/// The values of the source's variables.
pub type Environment = HashMap<Variable, Operand>;

/// The place where a statement bails out on all paths; none if it does not.
pub type BailsOut = Option<ExpressionId>;

/// The context of tracing code with arrays.
#[derive(Clone, Copy, Debug)]
pub struct ArrayContext<'unit> {
    /// The function that has them.
    pub function: FunctionId,
    pub shadows: &'unit ShadowArrays,
    /// The first node of the innermost body that is being traced that is executed repeatedly; none outside of them.
    pub repeats_from: Option<Node>,
}

/// The state of tracing one function.
#[derive(Debug)]
pub struct Tracer<'unit> {
    pub unit: &'unit Unit,
    pub instances: &'unit mut Instances,
    /// The function whose code is being traced.
    pub source: FunctionId,
    /// The values of its variables.
    pub environment: Environment,
    /// The trace of the block that is being traced, so far.
    pub steps: Vec<Step>,
    pub draft: Draft,
    /// Present if code with arrays is traced.
    pub arrays: Option<ArrayContext<'unit>>,
    /// The nodes that are live at the statement that is being traced.
    pub live: LiveNodes,
    /// The references of reals that cells hold; none if there may be no cells.
    pub references: Option<&'unit References>,
    statements: usize,
    depth: usize,
}

impl<'unit> Tracer<'unit> {
    pub fn new(
        unit: &'unit Unit,
        instances: &'unit mut Instances,
        source: FunctionId,
        kind: FrameKind,
    ) -> Tracer<'unit> {
        Tracer {
            unit,
            instances,
            source,
            environment: Environment::new(),
            steps: Vec::new(),
            draft: Draft::new(kind),
            arrays: None,
            live: LiveNodes::new(),
            references: None,
            statements: 0,
            depth: 0,
        }
    }

    /// The value of an operand of the source.
    pub fn value(&self, operand: Operand) -> Operand {
        match operand {
            Operand::Variable(variable) => match self.environment.get(&variable) {
                Some(operand) => *operand,
                None => internal_bug!("variables are assigned before they are used"),
            },
            Operand::Real(_) | Operand::Boolean(_) => operand,
        }
    }

    pub fn values(&self, operands: &[Operand]) -> Vec<Operand> {
        operands.iter().map(|operand| self.value(*operand)).collect()
    }

    /// Makes the variable that stands for one of the source.
    pub fn assigned(&mut self, target: Variable) -> Variable {
        let made = self.draft.fresh(self.unit.function(self.source).kind(target.into()));
        self.environment.insert(target, made.into());
        made
    }

    pub fn all_assigned(&mut self, targets: &[Variable]) -> Vec<Variable> {
        targets.iter().map(|target| self.assigned(*target)).collect()
    }

    /// Appends statements that make no node.
    pub fn push(&mut self, statements: impl IntoIterator<Item = Statement>) {
        self.steps.extend(statements.into_iter().map(Step::Plain));
    }

    /// Traces a block apart.
    pub fn nested(&mut self, block: &Block) -> Result<Traced, Refusal> {
        let around = std::mem::take(&mut self.steps);
        let end = self.block(block)?;
        Ok(Traced { steps: std::mem::replace(&mut self.steps, around), end })
    }

    /// Traces a block as a part of the present one.
    pub fn block(&mut self, block: &Block) -> Result<TracedEnd, Refusal> {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return Err(Refusal::new(RefusalKind::ReverseDepth));
        }
        let end = self.statements(block)?;
        self.depth -= 1;
        Ok(end)
    }

    fn statements(&mut self, block: &Block) -> Result<TracedEnd, Refusal> {
        let mut last_reads = None;
        for (place, statement) in block.statements.iter().enumerate() {
            let leads_to_recursion = self.instances.lead_to_recursion(self.unit, statement);
            if leads_to_recursion {
                let last = last_reads.get_or_insert_with(|| LastReads::of(block));
                self.live.begin((last, place), &self.environment, &self.draft);
            }
            let bails_out = self.statement(statement)?;
            if leads_to_recursion {
                self.live.end();
            }
            if let Some(source) = bails_out {
                return Ok(TracedEnd::BailOut(source));
            }
        }
        Ok(match &block.end {
            End::Yield(operands) => TracedEnd::Yield(self.values(operands)),
            End::Repeat(operands) => TracedEnd::Repeat(self.values(operands)),
            End::Branch { test, consequent, alternative } => match self.value(*test) {
                Operand::Boolean(true) => self.block(consequent)?,
                Operand::Boolean(false) => self.block(alternative)?,
                test => self.branch(test, [consequent, alternative])?,
            },
            End::BailOut(source) => TracedEnd::BailOut(*source),
        })
    }

    /// Traces a branch. One of which a block bails out is a test, and the other block follows it.
    fn branch(&mut self, test: Operand, [consequent, alternative]: [&Block; 2]) -> Result<TracedEnd, Refusal> {
        let consequent = self.nested(consequent)?;
        let alternative = self.nested(alternative)?;
        let (out, bails_out, other) = match (consequent, alternative) {
            (out @ Traced { end: TracedEnd::BailOut(_), .. }, other) => (out, true, other),
            (other, out @ Traced { end: TracedEnd::BailOut(_), .. }) => (out, false, other),
            (consequent, alternative) => {
                let (consequent, alternative) = (Box::new(consequent), Box::new(alternative));
                let before = self.draft.segment();
                return Ok(TracedEnd::Branch { test, consequent, alternative, before });
            }
        };
        self.steps.push(Step::Test { test, bails_out, out });
        self.steps.extend(other.steps);
        Ok(other.end)
    }

    fn statement(&mut self, statement: &Statement) -> Result<BailsOut, Refusal> {
        self.statements += 1;
        if self.statements > MOST_STATEMENTS || self.draft.function.variables.len() > MOST_VARIABLES {
            return Err(Refusal::new(RefusalKind::ReverseSize));
        }
        match statement {
            Statement::Operation { target, operation, first, second } => {
                self.operation((*target, *operation), self.value(*first), second.map(|second| self.value(second)))?;
            }
            Statement::PositiveZero { target, operand } => {
                let operand = self.value(*operand);
                let target = self.assigned(*target);
                self.draft.identify(target, self.draft.identity(operand));
                self.push([Statement::PositiveZero { target, operand }]);
            }
            Statement::Bind { targets, block } => return self.bind(targets, block, None),
            Statement::Loop { targets, state, initial, body } => {
                let inner = std::mem::replace(&mut self.live.inner, Node(u32::MAX));
                let bails_out = self.trace_loop(targets, (state, &self.values(initial), body));
                self.live.inner = inner;
                return bails_out;
            }
            Statement::Call { targets, function, arguments } => {
                return self.call(targets, *function, &self.values(arguments));
            }
            Statement::Read { .. } | Statement::Write { .. } if self.repeats() => {
                return Err(Refusal::new(RefusalKind::Arrays));
            }
            Statement::Compare { .. }
            | Statement::Input { .. }
            | Statement::Read { .. }
            | Statement::Write { .. }
            | Statement::Count { .. } => self.plain(statement),
            Statement::Build { .. }
            | Statement::Array { .. }
            | Statement::Element { .. }
            | Statement::Length { .. }
            | Statement::IsIndex { .. }
            | Statement::CompareArrays { .. }
            | Statement::Zeros { .. }
            | Statement::Accumulators { .. }
            | Statement::Load { .. }
            | Statement::Store { .. } => self.on_array(statement)?,
            Statement::Cell { .. }
            | Statement::Parts { .. }
            | Statement::Act {
                action: Action::Accumulator(AccumulatorAction::Refer | AccumulatorAction::Add), ..
            } => self.on_cell(statement)?,
            Statement::Replace { .. } => return Err(Refusal::new(RefusalKind::Arrays)),
            Statement::Push { .. } | Statement::Pop { .. } | Statement::Act { .. } => {
                return Err(Refusal::new(RefusalKind::RecordStack));
            }
            Statement::Forward { .. } | Statement::Reverse { .. } => {
                return Err(Refusal::new(RefusalKind::InnerLevels));
            }
            Statement::Steps { .. } | Statement::Recount { .. } | Statement::Storage(_) => {
                internal_bug!("steps are read, and storage code is made, only where no level is left")
            }
        }
        Ok(None)
    }

    /// Traces an operation: it makes a node if an operand is active.
    fn operation(
        &mut self,
        (source, operation): (Variable, Operation),
        first: Operand,
        second: Option<Operand>,
    ) -> Result<(), Refusal> {
        let mut is_active = false;
        for operand in [Some(first), second].into_iter().flatten() {
            self.can_be_used(operand)?;
            is_active |= self.draft.identity(operand).is_active();
        }
        let node = is_active.then(|| self.draft.node());
        let target = self.assigned(source);
        if let Some(node) = node {
            self.draft.identify(target, Identity::of(node));
            self.steps.push(Step::Node { node, target, operation, first, second });
        } else {
            let is_length = first.variable().is_some_and(|first| self.draft.lengths.contains(&first));
            if is_length && keeps_whole(operation, second) {
                self.draft.lengths.insert(target);
            }
            self.push([Statement::Operation { target, operation, first, second }]);
        }
        self.make_reference(source, node);
        Ok(())
    }

    /// Traces a statement that makes no node and moves nothing: the same statement, on values of the trace.
    pub fn plain(&mut self, statement: &Statement) {
        let mut made = statement.clone();
        let mut inside = statement.inner_variables().to_vec();
        if let Some(body) = statement.block() {
            inside.extend(body.all_statements().flat_map(Statement::assigned));
        }
        self.all_assigned(&inside);
        made.change_operands(|operand| *operand = self.value(*operand));
        let name = |variable: &mut Variable| {
            if let Operand::Variable(made) = self.value((*variable).into()) {
                *variable = made;
            }
        };
        made.inner_variables_mut().iter_mut().for_each(name);
        if let Some(body) = made.block_mut() {
            body.rename(&mut |operand| *operand = self.value(*operand), &mut { name });
        }
        for target in made.targets_mut() {
            *target = self.assigned(*target);
        }
        self.push([made]);
    }

    /// Traces a `bind`, or the body of a function that is inlined, whose parameters have the values given.
    fn bind(
        &mut self,
        targets: &[Variable],
        block: &Block,
        callee: Option<(FunctionId, Environment)>,
    ) -> Result<BailsOut, Refusal> {
        let inner = self.draft.next_node();
        let frame = self.draft.open(FrameKind::Yielded);
        let mut traced = match callee {
            Some((function, parameters)) => {
                let caller = std::mem::replace(&mut self.source, function);
                let environment = std::mem::replace(&mut self.environment, parameters);
                let traced = self.nested(block)?;
                (self.source, self.environment) = (caller, environment);
                traced
            }
            None => self.nested(block)?,
        };
        if let TracedEnd::Branch { .. } = traced.end {
            let origins = self.origins_of_yields(&traced, targets.len(), inner)?;
            self.add_flags(&mut traced, &origins, inner);
            self.draft.close(frame);
            let (targets, own) = self.joined(targets, &origins);
            self.steps.push(Step::Bind { frame, targets, own, inner, block: traced, is_recorded: false });
            return Ok(None);
        }
        self.draft.close(frame);
        self.draft.merge(frame);
        self.steps.extend(traced.steps);
        match traced.end {
            TracedEnd::Yield(operands) => {
                self.environment.extend(targets.iter().copied().zip(operands));
                Ok(None)
            }
            TracedEnd::BailOut(source) => Ok(Some(source)),
            TracedEnd::Repeat(_) | TracedEnd::Branch { .. } => internal_bug!("a bind with one path repeats nothing"),
        }
    }

    /// The origins of the values that a construct yields.
    pub fn origins_of_yields(&self, traced: &Traced, count: usize, inner: Node) -> Result<Vec<Origin>, Refusal> {
        let mut origins = vec![Origin::default(); count];
        let mut can_be_joined = Ok(());
        traced.each_yield(&mut |operands| {
            let identities = self.identities_of(operands, count);
            if can_be_joined.is_ok() {
                can_be_joined = self.can_be_joined(&identities, inner);
            }
            join(&mut origins, &identities, inner);
        });
        can_be_joined.map(|()| origins)
    }

    pub fn identities_of(&self, operands: &[Operand], count: usize) -> Vec<Identity> {
        operands.iter().take(count).map(|operand| self.draft.moved(*operand)).collect()
    }

    /// Appends the flags of the origins to the values that each path of a construct yields.
    pub fn add_flags(&mut self, traced: &mut Traced, origins: &[Origin], inner: Node) {
        traced.change_leaves(&mut |leaf| {
            if let TracedEnd::Yield(operands) = &mut leaf.end {
                let identities = self.identities_of(operands, origins.len());
                let mut logic = Vec::new();
                operands.extend(self.draft.flags(origins, &identities, inner, &mut logic));
                leaf.steps.extend(logic.into_iter().map(Step::Plain));
            }
        });
    }

    /// Makes the variables in which the paths of a construct are joined: the targets and their flags.
    pub fn joined(&mut self, targets: &[Variable], origins: &[Origin]) -> (Vec<Variable>, Vec<Option<Node>>) {
        let mut made = self.all_assigned(targets);
        let flags: Vec<Variable> = (0..flag_count(origins)).map(|_| self.draft.fresh(FLAG)).collect();
        let mut next = flags.iter();
        let (identities, own) = self.draft.identities(origins, |_, _, _| match next.next() {
            Some(flag) => Operand::Variable(*flag),
            None => internal_bug!("there is a flag for each alternative"),
        });
        for (variable, identity) in made.iter().zip(identities) {
            self.draft.identify(*variable, identity);
        }
        self.refer(targets);
        made.extend(flags);
        (made, own)
    }

    fn call(&mut self, targets: &[Variable], function: FunctionId, arguments: &[Operand]) -> Result<BailsOut, Refusal> {
        if self.repeats() && self.instances.is_recursive(self.unit, function) {
            return Err(Refusal::new(RefusalKind::Arrays));
        }
        let has_arrays = self.arrays.is_some_and(|arrays| arrays.function == function);
        let is_active = |argument: &Operand| self.draft.identity(*argument).is_active();
        if !has_arrays && !self.has_references(function) && !arguments.iter().any(is_active) {
            // Records of this level could come between those that an inner level pushes and pops.
            if self.instances.reaches_stack(self.unit, function) {
                return Err(Refusal::new(RefusalKind::RecordStack));
            }
            let targets = self.all_assigned(targets);
            self.push([Statement::Call { targets, function, arguments: arguments.to_vec() }]);
            return Ok(None);
        }
        if self.instances.is_recursive(self.unit, function) {
            return self.recursive_call(targets, function, arguments).map(|()| None);
        }
        let callee = self.unit.function(function);
        let parameters = callee.parameters.iter().copied().zip(arguments.iter().copied()).collect();
        self.bind(targets, &callee.body, Some((function, parameters)))
    }
}

/// Returns true for operations, given their second operand, whose value is the first one if that is a whole number.
fn keeps_whole(operation: Operation, second: Option<Operand>) -> bool {
    match operation {
        Operation::Copy | Operation::Floor => true,
        Operation::Add => second == Some(Operand::real(0.0)),
        _ => false,
    }
}
