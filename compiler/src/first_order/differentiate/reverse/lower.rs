//! The primal of a trace as code. What the sweep reads is yielded by `bind`s, or pushed: before a call of a recursive
//! function, before a branch to one, and where an iteration or a call ends. There, paths that do not have a value push or
//! yield a dummy, which no sweep reads.

use super::draft::{Draft, FrameId, SegmentId, yielding};
use super::traced::{Step, Traced, TracedEnd, TracedLoop};
use crate::first_order::{Block, End, FunctionId, Kind, Operand, Stack, Statement, Variable};
use std::collections::BTreeSet;
use vlad_table::Operation;

/// The primal in the making.
#[derive(Debug)]
pub(super) struct Lowering<'trace> {
    pub draft: &'trace mut Draft,
    /// The augmented function of each instance.
    pub instances: &'trace [FunctionId],
    /// The counters of the loops that are swept over.
    pub counted: &'trace BTreeSet<Variable>,
}

/// The treatment of the ends of a construct.
#[derive(Clone, Copy, Debug)]
struct Ending<'trace> {
    /// The variables that the sweep over the construct reads.
    exports: &'trace [Variable],
    way: Exporting,
    /// The counter of a loop that is swept over.
    count: Option<Variable>,
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
        steps.into_iter().map(|step| self.step(step)).collect()
    }

    /// The body of an augmented function.
    pub fn augmented(&mut self, traced: Traced, parameters: &[Variable]) -> Block {
        let exports = self.exports(Draft::OUTERMOST);
        let ending = Ending { exports: &exports, way: Exporting::Push, count: None };
        self.block(traced, ending, &parameters.iter().copied().collect())
    }

    fn exports(&self, frame: FrameId) -> Vec<Variable> {
        self.draft.exports(frame).iter().map(|export| export.0).collect()
    }

    fn block(&mut self, traced: Traced, ending: Ending<'_>, visible: &BTreeSet<Variable>) -> Block {
        let mut visible = visible.clone();
        let mut statements = Vec::new();
        for step in traced.steps {
            if let Step::Call(call) = &step {
                statements.extend(self.record(call.before));
            }
            let statement = self.step(step);
            visible.extend(statement.targets());
            statements.push(statement);
        }
        let mut leave = |operands: &mut Vec<Operand>| {
            let values = ending.exports.iter().map(|variable| {
                match (visible.contains(variable), self.draft.kind(Operand::Variable(*variable)), ending.way) {
                    (true, _, _) => Operand::Variable(*variable),
                    (false, Kind::Real, Exporting::Push) => Operand::UNREAD,
                    (false, Kind::Real, Exporting::Yield) => Operand::real(0.0),
                    (false, Kind::Boolean, _) => Operand::Boolean(false),
                    (false, Kind::Array(_), _) => vlad_table::internal_bug!("code with arrays is not traced"),
                }
            });
            match ending.way {
                Exporting::Yield => operands.extend(values),
                Exporting::Push if ending.exports.is_empty() => {}
                Exporting::Push => statements.push(Statement::Push { stack: Stack::Sweeps, values: values.collect() }),
            }
        };
        let end = match traced.end {
            TracedEnd::Yield(mut operands) => {
                leave(&mut operands);
                operands.extend(ending.count.map(Operand::Variable));
                End::Yield(operands)
            }
            TracedEnd::Repeat(mut operands) => {
                leave(&mut operands);
                if let Some(count) = ending.count {
                    let target = self.draft.fresh(Kind::Real);
                    statements.push(Statement::Operation {
                        target,
                        operation: Operation::Add,
                        first: Operand::Variable(count),
                        second: Some(Operand::real(1.0)),
                    });
                    operands.push(Operand::Variable(target));
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

    /// The push of what the sweep reads of a segment; none if that is nothing.
    fn record(&self, segment: SegmentId) -> Option<Statement> {
        let exports = self.draft.exports_of_segment(segment);
        let values = exports.iter().map(|export| Operand::Variable(export.0)).collect();
        (!exports.is_empty()).then_some(Statement::Push { stack: Stack::Sweeps, values })
    }

    fn step(&mut self, step: Step) -> Statement {
        match step {
            Step::Plain(statement) => statement,
            Step::Node { target, operation, first, second, .. } => {
                Statement::Operation { target, operation, first, second }
            }
            Step::Test { test, bails_out, out } => {
                let out =
                    self.block(out, Ending { exports: &[], way: Exporting::Yield, count: None }, &BTreeSet::new());
                let (out, on) = (Box::new(out), Box::new(yielding(Vec::new())));
                let (consequent, alternative) = if bails_out { (out, on) } else { (on, out) };
                let end = End::Branch { test, consequent, alternative };
                Statement::Bind { targets: Vec::new(), block: Block { statements: Vec::new(), end } }
            }
            Step::Bind { frame, mut targets, block, .. } => {
                let exports = self.exports(frame);
                targets.extend(self.draft.exports(frame).iter().map(|export| export.1));
                let ending = Ending { exports: &exports, way: Exporting::Yield, count: None };
                Statement::Bind { targets, block: self.block(block, ending, &BTreeSet::new()) }
            }
            Step::Loop(traced) => self.primal_loop(*traced),
            Step::Call(call) => match self.instances.get(call.instance) {
                Some(function) => {
                    Statement::Call { targets: call.targets, function: *function, arguments: call.arguments }
                }
                None => vlad_table::internal_bug!("the instance of a call exists"),
            },
        }
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
        let ending = Ending { exports: &exports, way: Exporting::Push, count };
        let body = self.block(body, ending, &state.iter().copied().collect());
        Statement::Loop { targets, state, initial, body }
    }
}
