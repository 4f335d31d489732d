//! The primal of a trace as code. What the sweep reads is yielded by `bind`s, or pushed: before a call of a recursive
//! function, before a branch to one, and where an iteration or a call ends. There, paths that do not have a value push or
//! yield a dummy, which no sweep reads.

use super::super::emitter::Emitter;
use super::nodes::code::with_other_names;
use super::nodes::frames::{Draft, FrameId, SegmentId, Selection};
use super::nodes::instances::{Execution, ReverseInstance};
use super::nodes::traced::{Step, Traced, TracedBuild, TracedEnd, TracedLoop};
use super::recomputed::selection::NONE;
use super::sweep::linear_recursion::Linear;
use crate::first_order::differentiate::emitter::{choice, yielding};
use crate::first_order::{AccumulatorAction, Action, Block, End, Kind, Operand, Stack, Statement, Variable};
use std::collections::{BTreeMap, BTreeSet};
use vlad_table::Operation;

/// The primal in the making.
#[derive(Debug)]
pub(super) struct Lowering<'trace> {
    pub draft: &'trace mut Draft,
    /// The instances, with the functions that execute their primals.
    pub instances: &'trace [ReverseInstance],
    /// The counters of the loops that are swept over.
    pub counted: &'trace BTreeSet<Variable>,
    /// True if the sweep over the code follows, which reads what is exported. The bodies of `build`s, and of loops that are
    /// executed again, are swept over elsewhere.
    pub records: bool,
    /// True if the code is executed for the first time: steps are counted, and tests are made.
    pub counts: bool,
    /// True in the body of a kept loop or `build`: what is dear records what the sweep reads, and nothing else does.
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
    /// The choice of a choosing loop, and the variable of its state that has the counter of the iteration that has chosen last.
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
    /// The end of a construct that is not the body of a linear recursion.
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

impl Lowering<'_> {
    /// The code of the outermost frame, if the sweep is in its scope.
    pub fn statements(&mut self, steps: Vec<Step>) -> Vec<Statement> {
        steps.into_iter().filter_map(|step| self.step(step)).collect()
    }

    /// The code of a block that is executed again, but for the variables that are provided. In a kept construct what is
    /// dear or recorded beside it ([`super::recording::min_cut`]) is left out; the variables that it assigns are returned as well.
    pub fn recomputed(
        &mut self,
        steps: &[Step],
        (provided, recorded): (&BTreeSet<Variable>, &BTreeSet<Variable>),
    ) -> (Vec<Statement>, BTreeSet<Variable>) {
        let (mut statements, mut expensive) = (Vec::new(), BTreeSet::new());
        let leaves_recorded = std::mem::replace(&mut self.leaves_recorded, false);
        for step in steps {
            // What a statement with several targets assigns besides, for the sweep, is still read.
            let mut targets = step.targets().iter();
            let has_one = matches!(step, Step::Plain(_) | Step::Node { .. } | Step::Array { .. });
            if has_one && targets.any(|target| provided.contains(target)) {
                continue;
            }
            let Some(mut statement) = self.step(step.clone()) else { continue };
            let is_chosen = step.targets().iter().any(|target| recorded.contains(target));
            if leaves_recorded && (step.is_expensive() || is_chosen) {
                expensive.extend(statement.targets().iter().filter(|target| !provided.contains(target)));
                continue;
            }
            for target in statement.targets_mut().iter_mut().filter(|target| provided.contains(target)) {
                *target = self.draft.fresh(self.draft.kind(Operand::Variable(*target)));
            }
            statements.push(statement);
        }
        (statements, expensive)
    }

    /// The body of a function that executes the primal of an instance.
    pub fn augmented(&mut self, traced: Traced, parameters: &[Variable], linear: Option<&Linear>) -> Block {
        let exports = if self.records { self.exports(Draft::OUTERMOST) } else { Vec::new() };
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
            let records = self.records;
            if self.leaves_recorded {
                self.records = step.is_expensive();
            }
            let statement = self.step(step);
            self.records = records;
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
        let mut leave = |operands: &mut Vec<Operand>| {
            let mut nothing = Vec::new();
            let mut computed = BTreeMap::new();
            for statement in ending.computed {
                let mut read = statement.operands().into_iter().filter_map(Operand::variable);
                if read.all(|variable| visible.contains(&variable)) {
                    let mut made = statement.clone();
                    for target in made.targets_mut() {
                        let fresh = self.draft.fresh(self.draft.kind(Operand::Variable(*target)));
                        computed.insert(std::mem::replace(target, fresh), fresh);
                    }
                    nothing.push(made);
                }
            }
            let values: Vec<Operand> = ending
                .exports
                .iter()
                .map(|variable| {
                    if let Some(made) = computed.get(variable) {
                        return Operand::Variable(*made);
                    }
                    match (visible.contains(variable), self.draft.kind(Operand::Variable(*variable)), ending.way) {
                        (true, _, _) => Operand::Variable(*variable),
                        (false, Kind::Real, Exporting::Push) => Operand::UNREAD,
                        (false, Kind::Real, Exporting::Yield) => Operand::real(0.0),
                        (false, Kind::Boolean, _) => Operand::Boolean(false),
                        (false, kind @ Kind::Array(_), _) => {
                            let target = self.draft.fresh(kind);
                            nothing.push(Statement::Array { target, elements: Vec::new() });
                            Operand::Variable(target)
                        }
                        (false, kind @ Kind::Cell, _) => {
                            let target = self.draft.fresh(kind);
                            nothing.push(Statement::Cell { target, parts: Vec::new() });
                            Operand::Variable(target)
                        }
                    }
                })
                .collect();
            statements.extend(nothing);
            match ending.way {
                Exporting::Yield => operands.extend(values),
                Exporting::Push if ending.exports.is_empty() => {}
                Exporting::Push => statements.push(Statement::Push { stack: Stack::Sweeps, values }),
            }
        };
        let end = match traced.end {
            TracedEnd::Yield(mut operands) => {
                if !ending.spares_last {
                    leave(&mut operands);
                }
                operands.extend(ending.count.map(Operand::Variable));
                operands.extend(ending.selection.map(|(_, latest)| Operand::Variable(latest)));
                operands.extend(ending.activations.map(|activations| activations.number));
                End::Yield(operands)
            }
            TracedEnd::Repeat(mut operands) => {
                leave(&mut operands);
                if let Some(count) = ending.count {
                    operands.push(self.one_more(count.into(), &mut statements));
                }
                if let Some((selection, latest)) = ending.selection {
                    operands.push(self.chosen_last(selection, latest, &mut statements));
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

    fn one_more(&mut self, number: Operand, out: &mut Vec<Statement>) -> Operand {
        let mut emit = Emitter { function: &mut self.draft.function, statements: out };
        emit.binary(Operation::Add, number, Operand::real(1.0))
    }

    /// The counter of the iteration of a choosing loop that has chosen last, after one more, given that before it.
    fn chosen_last(&mut self, selection: &Selection, before: Variable, out: &mut Vec<Statement>) -> Operand {
        let mut comparison = selection.comparison.clone();
        let flag = self.draft.fresh(Kind::Boolean);
        comparison.targets_mut().fill(flag);
        let latest = self.draft.fresh(Kind::Real);
        let (counter, before) = (Operand::Variable(selection.counter.0), Operand::Variable(before));
        let (yes, no) = if selection.selected_if { (counter, before) } else { (before, counter) };
        out.extend([
            comparison,
            choice(vec![latest], Operand::Variable(flag), yielding(vec![yes]), yielding(vec![no])),
        ]);
        Operand::Variable(latest)
    }

    /// A choosing loop, and the push of what it records: the last variable of its state.
    fn recording_selection(
        &mut self,
        targets: Vec<Variable>,
        (state, initial, body): (Vec<Variable>, Vec<Operand>, Block),
    ) -> Statement {
        let mut inside: Vec<Variable> =
            targets.iter().map(|target| self.draft.fresh(self.draft.kind(Operand::Variable(*target)))).collect();
        let results = yielding(inside.iter().copied().map(Operand::Variable).collect()).end;
        let latest = self.draft.fresh(Kind::Real);
        inside.push(latest);
        let choosing = self.renamed(Statement::Loop { targets: inside, state, initial, body });
        let push = Statement::Push { stack: Stack::Sweeps, values: vec![Operand::Variable(latest)] };
        Statement::Bind { targets, block: Block { statements: vec![choosing, push], end: results } }
    }

    /// The push of what the sweep reads of a segment; none if that is nothing.
    fn record(&self, segment: SegmentId) -> Option<Statement> {
        if !self.records {
            return None;
        }
        let exports = self.draft.exports_of_segment(segment);
        let values = exports.iter().map(|export| Operand::Variable(export.0)).collect();
        (!exports.is_empty()).then_some(Statement::Push { stack: Stack::Sweeps, values })
    }

    /// A call whose steps have been counted before: their number is made again what it was.
    fn uncounted(&mut self, mut call: Statement) -> Statement {
        let targets = call.targets().to_vec();
        for target in call.targets_mut() {
            *target = self.draft.fresh(self.draft.kind(Operand::Variable(*target)));
        }
        let results = call.targets().iter().copied().map(Operand::Variable).collect();
        let [before, after] = [(); 2].map(|()| self.draft.fresh(Kind::Real));
        let recount = Statement::Recount { before: after.into(), after: before.into() };
        let statements = vec![Statement::Steps { target: before }, call, Statement::Steps { target: after }, recount];
        Statement::Bind { targets, block: Block { statements, end: End::Yield(results) } }
    }

    fn step(&mut self, step: Step) -> Option<Statement> {
        let leaves_recorded = std::mem::replace(&mut self.leaves_recorded, false);
        let statement = self.statement(step);
        self.leaves_recorded = leaves_recorded;
        statement
    }

    fn statement(&mut self, step: Step) -> Option<Statement> {
        Some(match step {
            Step::Plain(Statement::Count { .. }) | Step::Test { .. } if !self.counts => return None,
            // What is executed again writes nothing.
            Step::Plain(Statement::Write { .. }) if !self.counts => return None,
            // Cotangents of results are added once.
            Step::Plain(Statement::Tape { action: Action::Accumulator(AccumulatorAction::Add), .. })
                if !self.counts =>
            {
                return None;
            }
            Step::Plain(Statement::Build { targets, length, index, mut body }) if !self.counts => {
                body.remove_counts();
                Statement::Build { targets, length, index, body }
            }
            Step::Plain(call @ Statement::Call { .. }) if !self.counts => self.uncounted(call),
            Step::Plain(statement) => statement,
            Step::Node { target, operation, first, second, .. } => {
                Statement::Operation { target, operation, first, second }
            }
            Step::Test { test, bails_out, out } => {
                let out = self.block(out, Ending::new(&[], Exporting::Yield, None), &BTreeSet::new());
                let (out, on) = (Box::new(out), Box::new(yielding(Vec::new())));
                let (consequent, alternative) = if bails_out { (out, on) } else { (on, out) };
                let end = End::Branch { test, consequent, alternative };
                Statement::Bind { targets: Vec::new(), block: Block { statements: Vec::new(), end } }
            }
            Step::Bind { frame, mut targets, block, .. } => {
                let exports = if self.records { self.exports(frame) } else { Vec::new() };
                if self.records {
                    targets.extend(self.draft.exports(frame).iter().map(|export| export.1));
                }
                let ending = Ending::new(&exports, Exporting::Yield, None);
                Statement::Bind { targets, block: self.block(block, ending, &BTreeSet::new()) }
            }
            Step::Loop(traced) if traced.division.is_some() => self.plain_loop(*traced),
            Step::Loop(traced) if traced.is_recomputed => self.loop_with_states(*traced),
            Step::Loop(traced) => self.primal_loop(*traced),
            Step::Allocate { reference, .. } => {
                Statement::action(vec![reference], AccumulatorAction::Allocate, Vec::new())
            }
            Step::Array { target, elements, .. } => Statement::Array { target, elements },
            Step::Build(traced) => {
                let TracedBuild { frame, is_recorded, targets, length, index, body, .. } = *traced;
                let body = if is_recorded && self.records {
                    self.recorded_body(frame, body, None, &BTreeSet::new())
                } else {
                    self.swept_elsewhere(body, None, &BTreeSet::new())
                };
                self.renamed(Statement::Build { targets, length, index, body })
            }
            Step::Call(call) => match self.instances.get(call.instance) {
                Some(instance) => {
                    let function = instance.primal.of(Execution { records: self.records, counts: self.counts });
                    let mut targets = call.targets;
                    targets.extend((self.records && instance.is_linear).then_some(call.activations));
                    Statement::Call { targets, function, arguments: call.arguments }
                }
                None => vlad_table::internal_bug!("the instance of a call exists"),
            },
        })
    }

    /// A loop that records nothing, since its iterations are executed again.
    fn plain_loop(&mut self, traced: TracedLoop) -> Statement {
        let TracedLoop { mut targets, mut state, mut initial, body, count, total, .. } = traced;
        let count = self.counted.contains(&count).then_some(count);
        if let Some(count) = count {
            state.push(count);
            initial.push(Operand::real(1.0));
            targets.push(total);
        }
        let body = self.swept_elsewhere(body, count, &state.iter().copied().collect());
        self.renamed(Statement::Loop { targets, state, initial, body })
    }

    /// The body of a loop that is executed again and records nothing, and the variables of its state. All have other names.
    pub fn advancing(&mut self, traced: &TracedLoop) -> (Vec<Variable>, Block) {
        let visible = traced.state.iter().copied().collect();
        let mut body = self.swept_elsewhere(traced.body.clone(), None, &visible);
        let names = with_other_names(&mut body, &traced.state, self.draft);
        let state = traced.state.iter().map(|variable| names.get(variable).copied().unwrap_or(*variable)).collect();
        (state, body)
    }

    /// The body of a loop that is executed again and records what the sweep reads, and the variables of its state. They have
    /// the names of the trace, unless the sweep has these.
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

    /// A loop whose iterations are executed again: each pushes what is recorded of its state.
    fn loop_with_states(&mut self, traced: TracedLoop) -> Statement {
        let TracedLoop { frame, is_recorded, mut targets, mut state, mut initial, body, count, total, .. } = traced;
        let count = (self.records && self.counted.contains(&count)).then_some(count);
        if let Some(count) = count {
            state.push(count);
            initial.push(Operand::real(1.0));
            targets.push(total);
        }
        let visible = state.iter().copied().collect();
        if is_recorded && self.records {
            if let Some(selection) = self.draft.selection(frame).cloned() {
                let latest = self.draft.fresh(Kind::Real);
                state.push(latest);
                initial.push(Operand::real(NONE));
                let selection = Some((&selection, latest));
                let ending = Ending { selection, ..Ending::new(&[], Exporting::Push, count) };
                let body = self.recorded_block(body, ending, &visible);
                return self.recording_selection(targets, (state, initial, body));
            }
            let body = self.recorded_body(frame, body, count, &visible);
            return self.renamed(Statement::Loop { targets, state, initial, body });
        }
        let mut body = self.swept_elsewhere(body, count, &visible);
        let recorded = if self.records { self.exports(frame) } else { Vec::new() };
        if !recorded.is_empty() {
            let values = recorded.into_iter().map(Operand::Variable).collect();
            body.statements.insert(0, Statement::Push { stack: Stack::Sweeps, values });
        }
        self.renamed(Statement::Loop { targets, state, initial, body })
    }

    /// The body of a kept construct, which pushes its records where it ends.
    fn recorded_body(
        &mut self,
        frame: FrameId,
        body: Traced,
        count: Option<Variable>,
        visible: &BTreeSet<Variable>,
    ) -> Block {
        let (exports, computed) = (self.exports(frame), self.draft.computed(frame).to_vec());
        let (way, spares_last) = (Exporting::Push, self.draft.spares_last(frame));
        let ending = Ending {
            computed: &computed,
            exports: &exports,
            way,
            spares_last,
            count,
            selection: None,
            activations: None,
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
        let records = std::mem::replace(&mut self.records, false);
        let body = self.block(body, Ending::new(&[], Exporting::Yield, count), visible);
        self.records = records;
        body
    }

    /// The statement with other variables inside, where the sweep has those of the trace.
    fn renamed(&mut self, mut statement: Statement) -> Statement {
        if !self.records {
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

    fn primal_loop(&mut self, traced: TracedLoop) -> Statement {
        let TracedLoop { frame, mut targets, mut state, mut initial, body, count, total, .. } = traced;
        let exports = self.exports(frame);
        let count = self.counted.contains(&count).then_some(count);
        if let Some(count) = count {
            state.push(count);
            initial.push(Operand::real(1.0));
            targets.push(total);
        }
        let ending = Ending::new(&exports, Exporting::Push, count);
        let body = self.block(body, ending, &state.iter().copied().collect());
        Statement::Loop { targets, state, initial, body }
    }
}
