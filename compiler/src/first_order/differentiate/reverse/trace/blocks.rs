//! The trace of a function: its statements with the nodes that they make and the identities of the values they move.
//!
//! Tracing renames variables, inlines the calls of functions that are not recursive, and follows branches on constants.
//! A `bind` with one path becomes a part of the block around it, so that its values need no joining.

use super::super::memory::references::References;
use super::super::memory::shadow_arrays::{MOST_STATEMENTS, ShadowArrays};
use super::super::nodes::frames::{Draft, FrameKind};
use super::super::nodes::identity::{FLAG, Identity, Node, Origin, flag_count, join};
use super::super::nodes::instances::Instances;
use super::super::nodes::last_uses::{LastReads, LiveNodes};
use super::super::nodes::traced::{Step, Traced, TracedEnd};
use crate::first_order::differentiate::refusal::{Refusal, RefusalKind};
use crate::first_order::{AccumulatorAction, Action, Block, End, FunctionId, Operand, Statement, Unit, Variable};
use std::collections::HashMap;
use vlad_core::ExpressionId;
use vlad_table::{Operation, internal_bug};

/// The greatest number of variables of a function's trace, flags included.
const MOST_VARIABLES: usize = 40_000;

/// The values of the source's variables.
pub type Environment = HashMap<Variable, Operand>;

/// The context of tracing code with arrays.
#[derive(Clone, Copy, Debug)]
pub struct ArrayContext<'unit> {
    /// The function that has them.
    pub function: FunctionId,
    pub shadows: &'unit ShadowArrays,
    /// The first node of the innermost body that is being traced that is executed repeatedly; none outside of them.
    pub repeats_from: Option<Node>,
}

/// The source of a `build`.
#[derive(Clone, Copy, Debug)]
pub struct SourceBuild<'source> {
    pub targets: &'source [Variable],
    pub length: Operand,
    pub index: Variable,
    pub body: &'source Block,
}

/// The state of tracing one function.
#[derive(Debug)]
pub struct Tracer<'unit> {
    pub unit: &'unit Unit,
    pub instances: &'unit mut Instances,
    /// The function whose code is being traced.
    pub source: FunctionId,
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
            draft: Draft::new(kind),
            arrays: None,
            live: LiveNodes::new(),
            references: None,
            statements: 0,
            depth: 0,
        }
    }

    /// Traces a block; its statements are appended to the steps.
    pub fn block(
        &mut self,
        block: &Block,
        environment: &mut Environment,
        steps: &mut Vec<Step>,
    ) -> Result<TracedEnd, Refusal> {
        self.depth += 1;
        if self.depth > crate::first_order::MOST_DEPTH {
            return Err(Refusal::new(RefusalKind::ReverseDepth));
        }
        let mut last_reads = None;
        for (place, statement) in block.statements.iter().enumerate() {
            let leads_to_recursion = self.instances.lead_to_recursion(self.unit, statement);
            if leads_to_recursion {
                let last = last_reads.get_or_insert_with(|| LastReads::of(block));
                self.live.begin((last, place), environment, &self.draft);
            }
            let bails_out = self.statement(statement, environment, steps)?;
            if leads_to_recursion {
                self.live.end();
            }
            if let Some(source) = bails_out {
                self.depth -= 1;
                return Ok(TracedEnd::BailOut(source));
            }
        }
        let end = match &block.end {
            End::Yield(operands) => TracedEnd::Yield(values(operands, environment)),
            End::Repeat(operands) => TracedEnd::Repeat(values(operands, environment)),
            End::Branch { test, consequent, alternative } => match value(*test, environment) {
                Operand::Boolean(true) => self.block(consequent, environment, steps)?,
                Operand::Boolean(false) => self.block(alternative, environment, steps)?,
                test => self.branch(test, [consequent, alternative], environment, steps)?,
            },
            End::BailOut(source) => TracedEnd::BailOut(*source),
        };
        self.depth -= 1;
        Ok(end)
    }

    /// Traces a branch. One of which a block bails out is a test, and the other block follows it.
    fn branch(
        &mut self,
        test: Operand,
        [consequent, alternative]: [&Block; 2],
        environment: &mut Environment,
        steps: &mut Vec<Step>,
    ) -> Result<TracedEnd, Refusal> {
        let consequent = self.nested(consequent, environment)?;
        let alternative = self.nested(alternative, environment)?;
        let (out, bails_out, other) = match (consequent, alternative) {
            (out @ Traced { end: TracedEnd::BailOut(_), .. }, other) => (out, true, other),
            (other, out @ Traced { end: TracedEnd::BailOut(_), .. }) => (out, false, other),
            (consequent, alternative) => {
                let (consequent, alternative) = (Box::new(consequent), Box::new(alternative));
                let before = self.draft.segment();
                return Ok(TracedEnd::Branch { test, consequent, alternative, before });
            }
        };
        steps.push(Step::Test { test, bails_out, out });
        steps.extend(other.steps);
        Ok(other.end)
    }

    /// Traces a block apart.
    pub fn nested(&mut self, block: &Block, environment: &mut Environment) -> Result<Traced, Refusal> {
        let mut steps = Vec::new();
        let end = self.block(block, environment, &mut steps)?;
        Ok(Traced { steps, end })
    }

    /// Traces a statement; returns where it bails out if it does on all paths.
    fn statement(
        &mut self,
        statement: &Statement,
        environment: &mut Environment,
        steps: &mut Vec<Step>,
    ) -> Result<Option<ExpressionId>, Refusal> {
        self.statements += 1;
        if self.statements > MOST_STATEMENTS || self.draft.function.variables.len() > MOST_VARIABLES {
            return Err(Refusal::new(RefusalKind::ReverseSize));
        }
        match statement {
            Statement::Operation { target, operation, first, second } => {
                let first = value(*first, environment);
                let second = second.map(|second| value(second, environment));
                let active = [Some(first), second].into_iter().flatten();
                for operand in active.clone() {
                    self.can_be_used(operand)?;
                }
                let mut made = None;
                let step = if active.map(|operand| self.draft.identity(operand)).any(|identity| identity.is_active()) {
                    let node = self.draft.node();
                    made = Some(node);
                    let target_made = self.draft.fresh_active(Identity::of(node));
                    environment.insert(*target, Operand::Variable(target_made));
                    Step::Node { node, target: target_made, operation: *operation, first, second }
                } else {
                    let target = self.assigned(*target, environment);
                    if let Operand::Variable(length) = first
                        && self.draft.is_length(length)
                        && keeps_whole(*operation, second)
                    {
                        self.draft.add_length(target);
                    }
                    Step::Plain(Statement::Operation { target, operation: *operation, first, second })
                };
                steps.push(step);
                self.make_reference(*target, made, environment, steps);
            }
            Statement::PositiveZero { target, operand } => {
                let operand = value(*operand, environment);
                let target = self.assigned(*target, environment);
                self.draft.identify(target, self.draft.identity(operand));
                steps.push(Step::Plain(Statement::PositiveZero { target, operand }));
            }
            Statement::Compare { target, comparison, first, second } => {
                let (first, second) = (value(*first, environment), value(*second, environment));
                let target = self.assigned(*target, environment);
                steps.push(Step::Plain(Statement::Compare { target, comparison: *comparison, first, second }));
            }
            Statement::Bind { targets, block } => return self.bind(targets, block, environment, None, steps),
            Statement::Loop { targets, state, initial, body } => {
                let initial = values(initial, environment);
                let inner = std::mem::replace(&mut self.live.inner, Node(u32::MAX));
                let bails_out = self.trace_loop(targets, (state, &initial, body), environment, steps);
                self.live.inner = inner;
                return bails_out;
            }
            Statement::Call { targets, function, arguments } => {
                return self.call(targets, *function, &values(arguments, environment), environment, steps);
            }
            Statement::Forward { .. } | Statement::Reverse { .. } => {
                return Err(Refusal::new(RefusalKind::InnerLevels));
            }
            Statement::Input { target, input } => {
                let target = self.assigned(*target, environment);
                steps.push(Step::Plain(Statement::Input { target, input: *input }));
            }
            Statement::Read { .. } | Statement::Write { .. } if self.repeats() => {
                return Err(Refusal::new(RefusalKind::Arrays));
            }
            Statement::Read { target } => {
                let target = self.assigned(*target, environment);
                steps.push(Step::Plain(Statement::Read { target }));
            }
            Statement::Write { template, leaves } => {
                let leaves = values(leaves, environment);
                steps.push(Step::Plain(Statement::Write { template: *template, leaves }));
            }
            Statement::Build { .. }
            | Statement::Array { .. }
            | Statement::Element { .. }
            | Statement::Length { .. }
            | Statement::IsIndex { .. }
            | Statement::CompareArrays { .. }
            | Statement::Zeros { .. }
            | Statement::Accumulators { .. }
            | Statement::Load { .. }
            | Statement::Store { .. }
                if self.references.is_some() =>
            {
                self.on_cell(statement, environment, steps)?;
            }
            Statement::Build { targets, length, index, body } => {
                let source = SourceBuild { targets, length: *length, index: *index, body };
                return self.trace_build(source, environment, steps);
            }
            Statement::Array { .. }
            | Statement::Element { .. }
            | Statement::Length { .. }
            | Statement::IsIndex { .. }
            | Statement::CompareArrays { .. }
            | Statement::Zeros { .. }
            | Statement::Accumulators { .. } => self.on_array(statement, environment, steps)?,
            Statement::Load { .. } | Statement::Store { .. } | Statement::Replace { .. } => {
                return Err(Refusal::new(RefusalKind::Arrays));
            }
            Statement::Cell { .. }
            | Statement::Parts { .. }
            | Statement::Tape {
                action: Action::Accumulator(AccumulatorAction::Refer | AccumulatorAction::Add), ..
            } => self.on_cell(statement, environment, steps)?,
            Statement::Push { .. } | Statement::Pop { .. } | Statement::Tape { .. } => {
                return Err(Refusal::new(RefusalKind::RecordStack));
            }
            Statement::Steps { .. } | Statement::Recount { .. } => {
                internal_bug!("steps are read only where no level is left")
            }
            Statement::Count { steps: count } => steps.push(Step::Plain(Statement::Count { steps: *count })),
        }
        Ok(None)
    }

    /// Makes the variable that stands for one of the source.
    pub fn assigned(&mut self, target: Variable, environment: &mut Environment) -> Variable {
        let made = self.draft.fresh(self.unit.function(self.source).kind(Operand::Variable(target)));
        environment.insert(target, Operand::Variable(made));
        made
    }

    /// Traces a `bind`, or the body of a function that is inlined, whose parameters have the values given.
    fn bind(
        &mut self,
        targets: &[Variable],
        block: &Block,
        environment: &mut Environment,
        callee: Option<(FunctionId, Environment)>,
        steps: &mut Vec<Step>,
    ) -> Result<Option<ExpressionId>, Refusal> {
        let inner = self.draft.next_node();
        let frame = self.draft.open(FrameKind::Yielded);
        let mut traced = match callee {
            Some((function, mut callee)) => {
                let caller = std::mem::replace(&mut self.source, function);
                let traced = self.nested(block, &mut callee)?;
                self.source = caller;
                traced
            }
            None => self.nested(block, environment)?,
        };
        match traced.end {
            TracedEnd::Yield(operands) => {
                self.draft.close(frame);
                self.draft.merge(frame);
                steps.extend(traced.steps);
                environment.extend(targets.iter().copied().zip(operands));
                Ok(None)
            }
            TracedEnd::BailOut(source) => {
                self.draft.close(frame);
                self.draft.merge(frame);
                steps.extend(traced.steps);
                Ok(Some(source))
            }
            TracedEnd::Repeat(_) => vlad_table::internal_bug!("a bind repeats nothing"),
            TracedEnd::Branch { .. } => {
                let origins = self.origins_of_yields(&traced, targets.len(), inner)?;
                self.add_flags(&mut traced, &origins, inner);
                self.draft.close(frame);
                let (targets, own) = self.joined(targets, &origins, environment);
                steps.push(Step::Bind { frame, targets, own, inner, block: traced, is_recorded: false });
                Ok(None)
            }
        }
    }

    /// The origins of what a construct yields.
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

    /// Adds the flags of the origins to what each path of a construct yields.
    pub fn add_flags(&mut self, traced: &mut Traced, origins: &[Origin], inner: Node) {
        match &mut traced.end {
            TracedEnd::Yield(operands) => {
                let identities = self.identities_of(operands, origins.len());
                let mut logic = Vec::new();
                operands.extend(self.draft.flags(origins, &identities, inner, &mut logic));
                traced.steps.extend(logic.into_iter().map(Step::Plain));
            }
            TracedEnd::Branch { consequent, alternative, .. } => {
                self.add_flags(consequent, origins, inner);
                self.add_flags(alternative, origins, inner);
            }
            TracedEnd::Repeat(_) | TracedEnd::BailOut(_) => {}
        }
    }

    /// Makes the variables in which the paths of a construct are joined: the targets and their flags.
    pub fn joined(
        &mut self,
        targets: &[Variable],
        origins: &[Origin],
        environment: &mut Environment,
    ) -> (Vec<Variable>, Vec<Option<Node>>) {
        let mut made: Vec<Variable> = targets.iter().map(|target| self.assigned(*target, environment)).collect();
        let flags: Vec<Variable> = (0..flag_count(origins)).map(|_| self.draft.fresh(FLAG)).collect();
        let mut next = flags.iter();
        let (identities, own) = self.draft.identities(origins, |_, _, _| next_flag(&mut next));
        for (variable, identity) in made.iter().zip(identities) {
            self.draft.identify(*variable, identity);
        }
        self.refer(targets, environment);
        made.extend(flags);
        (made, own)
    }

    fn call(
        &mut self,
        targets: &[Variable],
        function: FunctionId,
        arguments: &[Operand],
        environment: &mut Environment,
        steps: &mut Vec<Step>,
    ) -> Result<Option<ExpressionId>, Refusal> {
        let callee = self.unit.function(function);
        if self.repeats() && self.instances.is_recursive(self.unit, function) {
            return Err(Refusal::new(RefusalKind::Arrays));
        }
        let has_arrays = self.arrays.is_some_and(|arrays| arrays.function == function);
        if !has_arrays
            && !self.has_references(function)
            && !arguments.iter().any(|argument| self.draft.identity(*argument).is_active())
        {
            // Records of this level could come between those that an inner level pushes and pops.
            if self.instances.reaches_stack(self.unit, function) {
                return Err(Refusal::new(RefusalKind::RecordStack));
            }
            let targets = targets.iter().map(|target| self.assigned(*target, environment)).collect();
            steps.push(Step::Plain(Statement::Call { targets, function, arguments: arguments.to_vec() }));
            return Ok(None);
        }
        if self.instances.is_recursive(self.unit, function) {
            self.recursive_call(targets, function, arguments, environment, steps)?;
            return Ok(None);
        }
        let parameters = callee.parameters.iter().copied().zip(arguments.iter().copied()).collect();
        self.bind(targets, &callee.body, environment, Some((function, parameters)), steps)
    }
}

impl Traced {
    /// Visits what each path yields.
    pub fn each_yield(&self, visit: &mut impl FnMut(&[Operand])) {
        match &self.end {
            TracedEnd::Yield(operands) => visit(operands),
            TracedEnd::Branch { consequent, alternative, .. } => {
                consequent.each_yield(visit);
                alternative.each_yield(visit);
            }
            TracedEnd::Repeat(_) | TracedEnd::BailOut(_) => {}
        }
    }
}

/// The next flag of those that were made for joined variables.
pub fn next_flag<'flag>(flags: &mut impl Iterator<Item = &'flag Variable>) -> Operand {
    match flags.next() {
        Some(flag) => Operand::Variable(*flag),
        None => vlad_table::internal_bug!("there is a flag for each alternative"),
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

/// The value of an operand of the source.
pub fn value(operand: Operand, environment: &Environment) -> Operand {
    match operand {
        Operand::Variable(variable) => match environment.get(&variable) {
            Some(operand) => *operand,
            None => vlad_table::internal_bug!("variables are assigned before they are used"),
        },
        Operand::Real(_) | Operand::Boolean(_) => operand,
    }
}

pub fn values(operands: &[Operand], environment: &Environment) -> Vec<Operand> {
    operands.iter().map(|operand| value(*operand, environment)).collect()
}
