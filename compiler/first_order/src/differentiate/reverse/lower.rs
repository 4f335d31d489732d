//! The primal of a trace as code.
//!
//! The statements of the trace become code again. The sweep has been emitted, so it is known which values it reads. These
//! are yielded by `bind`s, or pushed: before a call of a recursive function, before a branch to one, and where an
//! iteration or a call ends. There, paths that do not have a value push or yield a dummy, which no sweep reads.
//!
//! The same code may be executed several times ([`Execution`]). The sweep also emits parts of it where they are executed
//! again ([`Lowering::recomputed`], [`Lowering::recording`], [`Lowering::advancing`]).

use super::nodes::{
    Draft, Execution, FrameId, ReverseInstance, SegmentId, Selection, Step, Traced, TracedEnd, TracedLoop,
    with_other_names,
};
use super::sweep::Linear;
use crate::differentiate::emitter::{Emitter, choice, operands, yielding};
use crate::{AccumulatorAction, Action, Block, End, Kind, Operand, Stack, Statement, Variable};
use std::collections::{BTreeMap, BTreeSet};
use vlad_table::{Operation, internal_bug};

/// The record of a loop in which no iteration was selected: no counter is as large.
pub const NONE: f64 = ((1_u64 << 53) - 1) as f64;

/// The primal in the making.
#[derive(Debug)]
pub struct Lowering<'trace> {
    draft: &'trace mut Draft,
    /// The instances, with the functions that execute their primals.
    instances: &'trace [ReverseInstance],
    /// The counters of the loops that are swept over.
    counted: &'trace BTreeSet<Variable>,
    /// The execution that is emitted. Nothing is recorded in the bodies of `build`s, and of loops that are executed
    /// again: they are swept over elsewhere.
    execution: Execution,
    /// True directly in the body of a recorded loop or `build`: a step that is never executed again records what the
    /// sweep over it reads, and no other does. When code is executed again, such steps are left out.
    pub leaves_recorded: bool,
}

/// The treatment of the ends of a construct.
#[derive(Clone, Copy, Debug)]
struct Ending<'trace> {
    /// The statements that compute for the sweep alone, and are exported.
    computed: &'trace [Statement],
    /// The variables that the sweep over the construct reads.
    exports: &'trace [Variable],
    way: Exporting,
    /// True if what ends a loop exports nothing.
    spares_last: bool,
    /// The counter of a loop that is swept over.
    count: Option<Variable>,
    /// The selection of a selecting loop, and the variable of its state that has the counter of the iteration that was
    /// selected last.
    selection: Option<(&'trace Selection, Variable)>,
    /// The activations of a linear recursion, if they are counted.
    activations: Option<Activations<'trace>>,
}

/// The activations of a linear recursion.
#[derive(Clone, Copy, Debug)]
struct Activations<'trace> {
    instance: usize,
    /// The number of those below the present one, as far as they have been called.
    number: Operand,
    /// The variables that the sweep reads of an activation that makes a call.
    other: &'trace [Variable],
}

impl<'trace> Ending<'trace> {
    /// The end of a construct that exports variables, and is neither a recorded one nor the body of a linear recursion.
    fn new(exports: &'trace [Variable], way: Exporting, count: Option<Variable>) -> Ending<'trace> {
        Ending { computed: &[], exports, way, spares_last: false, count, selection: None, activations: None }
    }
}

/// The way of a value to the sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exporting {
    Yield,
    Push,
}

impl<'trace> Lowering<'trace> {
    pub fn new(
        draft: &'trace mut Draft,
        instances: &'trace [ReverseInstance],
        counted: &'trace BTreeSet<Variable>,
        execution: Execution,
    ) -> Lowering<'trace> {
        Lowering { draft, instances, counted, execution, leaves_recorded: false }
    }
}

impl Lowering<'_> {
    /// The code of the outermost frame, if the sweep is in its scope.
    pub fn statements(&mut self, steps: Vec<Step>) -> Vec<Statement> {
        steps.into_iter().filter_map(|step| self.step(step)).collect()
    }

    /// The code of a block that is executed again, but for the variables that are provided. In a recorded construct,
    /// recorded steps are left out, among them those chosen by their cost ([`super::recording::min_cut`]); the variables
    /// that they assign are returned as well.
    pub fn recomputed(
        &mut self,
        steps: &[Step],
        (provided, recorded): (&BTreeSet<Variable>, &BTreeSet<Variable>),
    ) -> (Vec<Statement>, BTreeSet<Variable>) {
        let (mut statements, mut left_out) = (Vec::new(), BTreeSet::new());
        let leaves_recorded = std::mem::replace(&mut self.leaves_recorded, false);
        for step in steps {
            // The other targets of a statement with several, and what it assigns for the sweep, are still read.
            let has_one = matches!(step, Step::Plain(_) | Step::Node { .. } | Step::Array { .. });
            if has_one && step.targets().iter().any(|target| provided.contains(target)) {
                continue;
            }
            let Some(mut statement) = self.step(step.clone()) else { continue };
            let is_chosen = step.targets().iter().any(|target| recorded.contains(target));
            if leaves_recorded && (step.is_expensive() || is_chosen) {
                left_out.extend(statement.targets().iter().filter(|target| !provided.contains(target)));
                continue;
            }
            for target in statement.targets_mut().iter_mut().filter(|target| provided.contains(target)) {
                *target = self.draft.like(*target);
            }
            statements.push(statement);
        }
        (statements, left_out)
    }

    /// The body of a function that executes the primal of an instance.
    pub fn augmented(&mut self, traced: Traced, parameters: &[Variable], linear: Option<&Linear>) -> Block {
        let exports = if self.execution.records { self.exports(Draft::OUTERMOST) } else { Vec::new() };
        let mut ending = Ending::new(&exports, Exporting::Push, None);
        let of_segment = |segment| self.draft.exports_of_segment(segment).iter().map(|export| export.0).collect();
        let [last, other]: [Vec<Variable>; 2] =
            linear.map_or_else(Default::default, |linear| [linear.last, linear.other].map(of_segment));
        if let Some(Linear { instance, .. }) = linear {
            ending.exports = &last;
            ending.activations = Some(Activations { instance: *instance, number: Operand::real(0.0), other: &other });
        }
        self.block(traced, ending, &parameters.iter().copied().collect())
    }

    fn exports(&self, frame: FrameId) -> Vec<Variable> {
        self.draft.exports(frame).iter().map(|export| export.0).collect()
    }

    fn block(&mut self, traced: Traced, mut ending: Ending<'_>, visible: &BTreeSet<Variable>) -> Block {
        let mut visible = visible.clone();
        let mut statements = Vec::new();
        for step in traced.steps {
            let mut counted = None;
            if let Step::Call(call) = &step {
                statements.extend(self.record(call.before));
                counted = ending.activations.filter(|activations| activations.instance == call.instance);
                counted = counted.map(|counted| Activations { number: call.activations.into(), ..counted });
            }
            let records = self.execution.records;
            if self.leaves_recorded {
                self.execution.records = step.is_expensive();
            }
            let statement = self.step(step);
            self.execution.records = records;
            if let Some(statement) = statement {
                visible.extend(statement.targets());
                statements.push(statement);
            }
            if let Some(below) = counted {
                let number = self.one_more(below.number, &mut statements);
                ending.exports = below.other;
                ending.activations = Some(Activations { number, ..below });
            }
        }
        let end = match traced.end {
            TracedEnd::Yield(mut operands) => {
                if !ending.spares_last {
                    self.leave(ending, &visible, &mut operands, &mut statements);
                }
                operands.extend(ending.count.map(Operand::Variable));
                operands.extend(ending.selection.map(|(_, latest)| Operand::Variable(latest)));
                operands.extend(ending.activations.map(|activations| activations.number));
                End::Yield(operands)
            }
            TracedEnd::Repeat(mut operands) => {
                self.leave(ending, &visible, &mut operands, &mut statements);
                if let Some(count) = ending.count {
                    operands.push(self.one_more(count.into(), &mut statements));
                }
                if let Some((selection, latest)) = ending.selection {
                    operands.push(self.selected_last(selection, latest, &mut statements));
                }
                End::Repeat(operands)
            }
            TracedEnd::Branch { test, consequent, alternative, before } => {
                statements.extend(self.record(before));
                End::Branch {
                    test,
                    consequent: Box::new(self.block(*consequent, ending, &visible)),
                    alternative: Box::new(self.block(*alternative, ending, &visible)),
                }
            }
            TracedEnd::BailOut(source) => End::BailOut(source),
        };
        Block { statements, end }
    }

    /// Exports values where a path ends: pushes them, or yields them with the operands.
    fn leave(
        &mut self,
        ending: Ending<'_>,
        visible: &BTreeSet<Variable>,
        operands: &mut Vec<Operand>,
        out: &mut Vec<Statement>,
    ) {
        let mut computed = BTreeMap::new();
        for statement in ending.computed {
            let mut read = statement.operands().into_iter().filter_map(Operand::variable);
            if read.all(|variable| visible.contains(&variable)) {
                let mut made = statement.clone();
                for target in made.targets_mut() {
                    let fresh = self.draft.like(*target);
                    computed.insert(std::mem::replace(target, fresh), fresh);
                }
                out.push(made);
            }
        }
        let mut values = Vec::new();
        for variable in ending.exports {
            values.push(match computed.get(variable) {
                Some(made) => Operand::Variable(*made),
                None if visible.contains(variable) => Operand::Variable(*variable),
                None => self.dummy(*variable, ending.way, out),
            });
        }
        match ending.way {
            Exporting::Yield => operands.extend(values),
            Exporting::Push if values.is_empty() => {}
            Exporting::Push => out.push(Statement::Push { stack: Stack::Sweeps, values }),
        }
    }

    /// A value for a variable that a path does not have, and that nobody reads there.
    fn dummy(&mut self, variable: Variable, way: Exporting, out: &mut Vec<Statement>) -> Operand {
        let kind = self.draft.kind(variable.into());
        let mut emit = Emitter { function: &mut self.draft.function, statements: out };
        match (kind, way) {
            (Kind::Real, Exporting::Push) => Operand::UNREAD,
            (Kind::Real, Exporting::Yield) => Operand::real(0.0),
            (Kind::Boolean, _) => Operand::Boolean(false),
            (Kind::Integer, _) => internal_bug!("first-order code has no integers"),
            (Kind::Array(_), _) => emit.assign(kind, |target| Statement::Array { target, elements: Vec::new() }),
            (Kind::Cell, _) => emit.assign(kind, |target| Statement::Cell { target, parts: Vec::new() }),
        }
    }

    fn one_more(&mut self, number: Operand, out: &mut Vec<Statement>) -> Operand {
        let mut emit = Emitter { function: &mut self.draft.function, statements: out };
        emit.binary(Operation::Add, number, Operand::real(1.0))
    }

    /// The counter of the iteration of a selecting loop that was selected last, after one more, given that before it.
    fn selected_last(&mut self, selection: &Selection, before: Variable, out: &mut Vec<Statement>) -> Operand {
        let mut comparison = selection.comparison.clone();
        let flag = self.draft.fresh(Kind::Boolean);
        comparison.targets_mut().fill(flag);
        out.push(comparison);
        let (counter, before) = (selection.counter.0.into(), before.into());
        let (yes, no) = if selection.selected_if { (counter, before) } else { (before, counter) };
        let mut emit = Emitter { function: &mut self.draft.function, statements: out };
        emit.assign(Kind::Real, |target| choice(vec![target], flag.into(), yielding(vec![yes]), yielding(vec![no])))
    }

    /// A selecting loop, and the push of what it records: the last variable of its state.
    fn recording_selection(
        &mut self,
        targets: Vec<Variable>,
        (state, initial, body): (Vec<Variable>, Vec<Operand>, Block),
    ) -> Statement {
        let mut inside: Vec<Variable> = targets.iter().map(|target| self.draft.like(*target)).collect();
        let end = End::Yield(operands(&inside));
        let latest = self.draft.fresh(Kind::Real);
        inside.push(latest);
        let selecting = self.renamed(Statement::Loop { targets: inside, state, initial, body });
        let push = Statement::Push { stack: Stack::Sweeps, values: vec![latest.into()] };
        Statement::Bind { targets, block: Block { statements: vec![selecting, push], end } }
    }

    /// The push of what the sweep reads of a segment; none if that is nothing.
    fn record(&self, segment: SegmentId) -> Option<Statement> {
        if !self.execution.records {
            return None;
        }
        let exports = self.draft.exports_of_segment(segment);
        let values = exports.iter().map(|export| Operand::Variable(export.0)).collect();
        (!exports.is_empty()).then_some(Statement::Push { stack: Stack::Sweeps, values })
    }

    /// A call of which the steps have been counted before: afterwards their number is the same as before.
    fn uncounted(&mut self, mut call: Statement) -> Statement {
        let targets = call.targets().to_vec();
        for target in call.targets_mut() {
            *target = self.draft.like(*target);
        }
        let end = End::Yield(operands(call.targets()));
        let [before, after] = [(); 2].map(|()| self.draft.fresh(Kind::Real));
        let recount = Statement::Recount { before: after.into(), after: before.into() };
        let statements = vec![Statement::Steps { target: before }, call, Statement::Steps { target: after }, recount];
        Statement::Bind { targets, block: Block { statements, end } }
    }

    fn step(&mut self, step: Step) -> Option<Statement> {
        let leaves_recorded = std::mem::replace(&mut self.leaves_recorded, false);
        let statement = self.statement(step);
        self.leaves_recorded = leaves_recorded;
        statement
    }

    fn statement(&mut self, step: Step) -> Option<Statement> {
        Some(match step {
            Step::Plain(statement) if self.execution.counts => statement,
            Step::Plain(statement) => return self.plain_again(statement),
            Step::Test { .. } if !self.execution.counts => return None,
            Step::Test { test, bails_out, out } => {
                let out = self.block(out, Ending::new(&[], Exporting::Yield, None), &BTreeSet::new());
                let on = yielding(Vec::new());
                let (consequent, alternative) = if bails_out { (out, on) } else { (on, out) };
                choice(Vec::new(), test, consequent, alternative)
            }
            Step::Node { target, operation, first, second, .. } => {
                Statement::Operation { target, operation, first, second }
            }
            Step::Bind { frame, mut targets, block, .. } => {
                let mut exports = Vec::new();
                if self.execution.records {
                    exports = self.exports(frame);
                    targets.extend(self.draft.exports(frame).iter().map(|export| export.1));
                }
                let ending = Ending::new(&exports, Exporting::Yield, None);
                Statement::Bind { targets, block: self.block(block, ending, &BTreeSet::new()) }
            }
            Step::Loop(traced) => self.traced_loop(*traced),
            Step::Allocate { reference, .. } => {
                Statement::action(vec![reference], AccumulatorAction::Allocate, Vec::new())
            }
            Step::Array { target, elements, .. } => Statement::Array { target, elements },
            Step::Build(traced) => {
                let body = if traced.is_recorded && self.execution.records {
                    self.recorded_body(traced.frame, traced.body, None, &BTreeSet::new())
                } else {
                    self.swept_elsewhere(traced.body, None, &BTreeSet::new())
                };
                let (targets, length, index) = (traced.targets, traced.length, traced.index);
                self.renamed(Statement::Build { targets, length, index, body })
            }
            Step::Call(call) => {
                let Some(instance) = self.instances.get(call.instance) else {
                    internal_bug!("the instance of a call exists")
                };
                let mut targets = call.targets;
                targets.extend((self.execution.records && instance.is_linear).then_some(call.activations));
                let function = instance.primal.of(self.execution);
                Statement::Call { targets, function, arguments: call.arguments }
            }
        })
    }

    /// A statement that makes no node, executed again: steps have been counted, lines written, and cotangents of results
    /// added.
    fn plain_again(&mut self, statement: Statement) -> Option<Statement> {
        match statement {
            Statement::Count { .. }
            | Statement::Write { .. }
            | Statement::Act { action: Action::Accumulator(AccumulatorAction::Add), .. } => None,
            Statement::Build { targets, length, index, mut body } => {
                body.remove_counts();
                Some(Statement::Build { targets, length, index, body })
            }
            call @ Statement::Call { .. } => Some(self.uncounted(call)),
            other => Some(other),
        }
    }

    /// A loop. If its iterations are recorded, each pushes what the sweep reads where it ends. If they are executed
    /// again, each pushes what is recorded of its state where it begins. In a divided loop nothing is pushed.
    fn traced_loop(&mut self, traced: TracedLoop) -> Statement {
        let TracedLoop { frame, mut targets, mut state, mut initial, body, total, .. } = traced;
        let (records, is_divided) = (self.execution.records, traced.division.is_some());
        let is_counted = self.counted.contains(&traced.count) && (records || is_divided);
        let count = is_counted.then_some(traced.count);
        if let Some(count) = count {
            state.push(count);
            initial.push(Operand::real(1.0));
            targets.push(total);
        }
        let visible = state.iter().copied().collect();
        if !is_divided && !traced.is_recomputed {
            let exports = self.exports(frame);
            let body = self.block(body, Ending::new(&exports, Exporting::Push, count), &visible);
            return Statement::Loop { targets, state, initial, body };
        }
        let selection = self.draft.special(frame).selection.clone();
        let body = match selection {
            _ if is_divided || !records => self.swept_elsewhere(body, count, &visible),
            Some(selection) if traced.is_recorded => {
                let latest = self.draft.fresh(Kind::Real);
                state.push(latest);
                initial.push(Operand::real(NONE));
                let selection = Some((&selection, latest));
                let ending = Ending { selection, ..Ending::new(&[], Exporting::Push, count) };
                let body = self.recorded_block(body, ending, &visible);
                return self.recording_selection(targets, (state, initial, body));
            }
            None if traced.is_recorded => self.recorded_body(frame, body, count, &visible),
            Some(_) | None => {
                let mut body = self.swept_elsewhere(body, count, &visible);
                let values = operands(&self.exports(frame));
                if !values.is_empty() {
                    body.statements.insert(0, Statement::Push { stack: Stack::Sweeps, values });
                }
                body
            }
        };
        self.renamed(Statement::Loop { targets, state, initial, body })
    }

    /// The body of a loop that is executed again and records nothing, and the variables of its state. All have other
    /// names.
    pub fn advancing(&mut self, traced: &TracedLoop) -> (Vec<Variable>, Block) {
        let visible = traced.state.iter().copied().collect();
        let mut body = self.swept_elsewhere(traced.body.clone(), None, &visible);
        let names = with_other_names(&mut body, &traced.state, self.draft);
        let state = traced.state.iter().map(|variable| names.get(variable).copied().unwrap_or(*variable)).collect();
        (state, body)
    }

    /// The body of a loop that is executed again and records what the sweep reads, and the variables of its state. They
    /// have the names of the trace, unless the sweep has these.
    pub fn recording(&mut self, traced: &TracedLoop) -> (Vec<Variable>, Block) {
        let exports = self.exports(traced.frame);
        if !traced.is_recomputed {
            let ending = Ending::new(&exports, Exporting::Push, None);
            let visible = traced.state.iter().copied().collect();
            return (traced.state.clone(), self.block(traced.body.clone(), ending, &visible));
        }
        let (state, mut body) = self.advancing(traced);
        let place = |recorded: &Variable| traced.state.iter().position(|variable| variable == recorded);
        let recorded = exports.iter().filter_map(|recorded| state.get(place(recorded)?).copied());
        let values = recorded.map(Operand::Variable).collect();
        body.statements.insert(0, Statement::Push { stack: Stack::Sweeps, values });
        (state, body)
    }

    /// The body of a recorded construct, which pushes its records where it ends.
    fn recorded_body(
        &mut self,
        frame: FrameId,
        body: Traced,
        count: Option<Variable>,
        visible: &BTreeSet<Variable>,
    ) -> Block {
        let (exports, special) = (self.exports(frame), self.draft.special(frame).clone());
        let ending = Ending {
            computed: &special.computed,
            spares_last: special.spares_last,
            ..Ending::new(&exports, Exporting::Push, count)
        };
        self.recorded_block(body, ending, visible)
    }

    fn recorded_block(&mut self, body: Traced, ending: Ending<'_>, visible: &BTreeSet<Variable>) -> Block {
        self.leaves_recorded = true;
        let body = self.block(body, ending, visible);
        self.leaves_recorded = false;
        body
    }

    fn swept_elsewhere(&mut self, body: Traced, count: Option<Variable>, visible: &BTreeSet<Variable>) -> Block {
        let records = std::mem::replace(&mut self.execution.records, false);
        let body = self.block(body, Ending::new(&[], Exporting::Yield, count), visible);
        self.execution.records = records;
        body
    }

    /// The statement with other variables inside, where the sweep has those of the trace.
    fn renamed(&mut self, mut statement: Statement) -> Statement {
        if !self.execution.records {
            return statement;
        }
        let others = statement.inner_variables().to_vec();
        let names = match statement.block_mut() {
            Some(block) => with_other_names(block, &others, self.draft),
            None => return statement,
        };
        for variable in statement.inner_variables_mut() {
            *variable = names.get(variable).copied().unwrap_or(*variable);
        }
        statement
    }
}
