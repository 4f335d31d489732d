//! The reverse sweep over a trace (report, 9.2): the operations in exact reverse order, each of which adds to the
//! accumulators of its active operands, from the first to the last.
//!
//! The sweep over a branch branches in the same way, and the one over a loop pops the records of the iterations from the
//! last to the first; both yield the accumulators that they change. If a construct moves a value, its accumulator
//! moves the other way: from the construct's result to the node inside that the value was ([`Sweep::store`]).
//!
//! [`super::super::operator`] makes a [`Sweep`] for each trace: that of the operator, and one for each *instance*, a recursive
//! function with given active parameters. It gives the accumulators of the results. Each value of the primal is read through the
//! draft, which notes that the primal has to pass it on ([`Draft::read`]).

use super::super::nodes::{
    Draft, Ends, FrameId, Identity, Node, Parameter, ReverseInstance, SegmentId, Step, Traced, TracedCall, TracedEnd,
};
use super::super::recording::recorded::BodyRecord;
use super::accumulators::{Accumulators, Incoming, at, take};
use crate::differentiate::coefficients::Primals;
use crate::differentiate::emitter::{Emitter, ZERO, choice};
use crate::{AccumulatorAction, Block, End, Kind, Operand, Statement, Variable};
use std::collections::{BTreeMap, BTreeSet};
use vlad_table::{Operation, internal_bug};

/// The sweep in the making.
#[derive(Debug)]
pub struct Sweep<'trace> {
    pub draft: &'trace mut Draft,
    /// All instances, with the numbers of their reverse functions.
    pub instances: &'trace [ReverseInstance],
    /// The counters of the loops that are swept over: variables of their state.
    pub counted: BTreeSet<Variable>,
    /// The frame that is swept over, if its values are pushed: an instance or the body of a loop.
    pub frame: Option<FrameId>,
    /// The pops whose targets are not known yet: for each the placeholder that is its only target, and the segment whose
    /// record it pops ([`Sweep::complete_pops`]).
    pub pops: BTreeMap<Variable, SegmentId>,
    /// True if no level is around this one.
    pub is_outermost: bool,
    /// For each piece of code that pops records of its own the first variable made in it ([`super::linear_recursion`]).
    pub pieces: Vec<Variable>,
    /// In an activation of linear recursion that makes a call: its instance, and the number of activations below the called one.
    pub fewer: Option<(usize, Operand)>,
    /// The record of the loop or `build` that is being swept over.
    pub body_record: BodyRecord,
}

impl<'trace> Sweep<'trace> {
    /// A sweep without code, over that frame.
    pub fn new(
        draft: &'trace mut Draft,
        instances: &'trace [ReverseInstance],
        frame: Option<FrameId>,
    ) -> Sweep<'trace> {
        Sweep {
            draft,
            instances,
            counted: BTreeSet::new(),
            frame,
            pops: BTreeMap::new(),
            is_outermost: false,
            pieces: Vec::new(),
            fewer: None,
            body_record: BodyRecord::default(),
        }
    }
}

impl Sweep<'_> {
    pub fn emit<'code>(&'code mut self, out: &'code mut Vec<Statement>) -> Emitter<'code> {
        Emitter { function: &mut self.draft.function, statements: out }
    }

    /// Makes variables for the accumulators of some nodes, and appends them to others.
    pub fn fresh_accumulators<'node>(
        &mut self,
        nodes: impl IntoIterator<Item = &'node Node>,
        variables: &mut Vec<Variable>,
    ) -> Accumulators {
        let mut accumulators = Accumulators::new();
        for node in nodes {
            let variable = self.draft.fresh(Kind::Real);
            variables.push(variable);
            accumulators.insert(*node, variable.into());
        }
        accumulators
    }

    /// Emits the sweep over a block; returns the accumulators that it leaves, or none if the block bails out.
    pub fn block(
        &mut self,
        traced: &Traced,
        mut accumulators: Accumulators,
        incoming: Incoming<'_>,
        out: &mut Vec<Statement>,
    ) -> Option<Accumulators> {
        match &traced.end {
            TracedEnd::Yield(operands) => {
                self.transfer(operands, incoming.yielded, incoming.inner, &mut accumulators, out);
            }
            TracedEnd::Repeat(operands) => {
                self.transfer(operands, incoming.repeated, incoming.inner, &mut accumulators, out);
            }
            TracedEnd::Branch { test, consequent, alternative, before } => {
                accumulators = self.branch(*test, [consequent, alternative], &accumulators, incoming, out)?;
                if consequent.calls_on_a_path() || alternative.calls_on_a_path() {
                    self.pop(*before, out);
                }
            }
            TracedEnd::BailOut(_) => return None,
        }
        self.steps(&traced.steps, &mut accumulators, out);
        Some(accumulators)
    }

    /// Emits the sweep over statements.
    pub fn steps(&mut self, steps: &[Step], accumulators: &mut Accumulators, out: &mut Vec<Statement>) {
        for step in steps.iter().rev() {
            self.step(step, accumulators, out);
        }
    }

    /// Gives the accumulators of moved values, of results or of the next state, to the inner nodes that the values are.
    fn transfer(
        &mut self,
        operands: &[Operand],
        moved: &[Option<Operand>],
        inner: Node,
        accumulators: &mut Accumulators,
        out: &mut Vec<Statement>,
    ) {
        // Of several values that are one node the first has the accumulator: it comes last.
        for (operand, accumulator) in operands.iter().zip(moved).rev() {
            let Some(accumulator) = accumulator else { continue };
            let identity = self.draft.identity(*operand);
            self.store(&identity, *accumulator, inner, accumulators, out);
        }
    }

    /// Replaces the accumulator of the node that a value is, if that is one from `inner` on.
    pub fn store(
        &mut self,
        identity: &Identity,
        accumulator: Operand,
        inner: Node,
        accumulators: &mut Accumulators,
        out: &mut Vec<Statement>,
    ) {
        let identity = self.read_identity(identity);
        self.store_read(&identity, accumulator, inner, accumulators, out);
    }

    /// The same, for an identity whose flags the sweep has.
    fn store_read(
        &mut self,
        identity: &Identity,
        accumulator: Operand,
        inner: Node,
        accumulators: &mut Accumulators,
        out: &mut Vec<Statement>,
    ) {
        for node in identity.nodes().into_iter().filter(|node| *node >= inner) {
            let is_node = self.draft.is_node(identity, node, out);
            let new = self.draft.select(is_node, accumulator, at(accumulators, node), out);
            accumulators.insert(node, new);
        }
    }

    pub fn read_identity(&mut self, identity: &Identity) -> Identity {
        let choices = identity.choices.iter().map(|(flag, node)| (self.draft.read(*flag), *node)).collect();
        Identity { choices, otherwise: identity.otherwise }
    }

    /// Emits the sweep over one of the blocks of a branch.
    fn path(
        &mut self,
        traced: &Traced,
        accumulators: Accumulators,
        incoming: Incoming<'_>,
        out: &mut Vec<Statement>,
    ) -> Option<Accumulators> {
        let begun = self.frame.map(|frame| (frame, self.draft.begun_segments(frame)));
        let after = if incoming.is_recomputed {
            self.recompute(traced, accumulators, incoming, out)
        } else {
            self.block(traced, accumulators, incoming, out)
        };
        if let Some((frame, begun)) = begun {
            self.draft.end_segments(frame, begun);
        }
        after
    }

    /// Emits the sweep over a block of another frame; none if its values are not pushed.
    pub fn inside(
        &mut self,
        frame: Option<FrameId>,
        traced: &Traced,
        accumulators: Accumulators,
        incoming: Incoming<'_>,
        out: &mut Vec<Statement>,
    ) -> Option<Accumulators> {
        let around = std::mem::replace(&mut self.frame, frame);
        let after = self.block(traced, accumulators, incoming, out);
        self.frame = around;
        after
    }

    fn branch(
        &mut self,
        test: Operand,
        [consequent, alternative]: [&Traced; 2],
        accumulators: &Accumulators,
        incoming: Incoming<'_>,
        out: &mut Vec<Statement>,
    ) -> Option<Accumulators> {
        let [yes, no] = [consequent, alternative].map(|path| {
            let mut code = Vec::new();
            let after = self.path(path, accumulators.clone(), incoming, &mut code);
            (code, after)
        });
        match (incoming.last, consequent.ends(), alternative.ends()) {
            (Some(last), Some(Ends::Yield), Some(Ends::Repeat)) => self.joined_paths(|_| last, [yes, no], out),
            (Some(last), Some(Ends::Repeat), Some(Ends::Yield)) => self.joined_paths(|_| last, [no, yes], out),
            _ => self.joined_paths(|draft| draft.read(test), [yes, no], out),
        }
    }

    /// Emits a branch to one of two pieces of the sweep, given with the accumulators that they leave. A piece that bails
    /// out leaves none.
    pub fn joined_paths(
        &mut self,
        test: impl FnOnce(&mut Draft) -> Operand,
        [(yes, after_yes), (no, after_no)]: [(Vec<Statement>, Option<Accumulators>); 2],
        out: &mut Vec<Statement>,
    ) -> Option<Accumulators> {
        let (after_yes, after_no) = match (after_yes, after_no) {
            (Some(after_yes), Some(after_no)) => (after_yes, after_no),
            (Some(after), None) => {
                out.extend(yes);
                return Some(after);
            }
            (None, after) => {
                out.extend(no);
                return after;
            }
        };
        let nodes: BTreeSet<Node> = after_yes.keys().chain(after_no.keys()).copied().collect();
        let (mut targets, mut yes_yields, mut no_yields) = (Vec::new(), Vec::new(), Vec::new());
        let mut after = Accumulators::new();
        for node in nodes {
            let (on_yes, on_no) = (at(&after_yes, node), at(&after_no, node));
            let mut merged = on_yes;
            if on_yes != on_no {
                let target = self.draft.fresh(Kind::Real);
                targets.push(target);
                yes_yields.push(on_yes);
                no_yields.push(on_no);
                merged = Operand::Variable(target);
            }
            after.insert(node, merged);
        }
        if yes.is_empty() && no.is_empty() && targets.is_empty() {
            return Some(after);
        }
        let yes = Block { statements: yes, end: End::Yield(yes_yields) };
        let no = Block { statements: no, end: End::Yield(no_yields) };
        out.push(choice(targets, test(self.draft), yes, no));
        Some(after)
    }

    fn step(&mut self, step: &Step, accumulators: &mut Accumulators, out: &mut Vec<Statement>) {
        match step {
            Step::Plain(_) | Step::Test { .. } => {}
            Step::Node { node, target, operation, first, second } => {
                let Some(accumulator) = accumulators.remove(node) else { return };
                self.operation((*target, *operation), (*first, *second), accumulator, accumulators, out);
            }
            Step::Allocate { node, reference } => {
                let operands = vec![self.draft.read(Operand::Variable(*reference))];
                let sum = self.draft.fresh(Kind::Real);
                out.push(Statement::action(vec![sum], AccumulatorAction::Sum, operands));
                accumulators.insert(*node, sum.into());
            }
            Step::Bind { own, inner, block, .. } => {
                let yielded = take(accumulators, own);
                if yielded.iter().all(Option::is_none) && !block.calls() {
                    return;
                }
                let incoming = Incoming::of_results(&yielded, *inner);
                if let Some(after) = self.inside(None, block, std::mem::take(accumulators), incoming, out) {
                    *accumulators = after;
                }
            }
            Step::Loop(traced) => {
                let state = traced.recordable_state(&traced.counters(), |_| traced.is_recorded);
                let record = BodyRecord::of(traced.is_recorded, &traced.state, state);
                let around = std::mem::replace(&mut self.body_record, record);
                self.sweep_loop(traced, accumulators, out);
                self.body_record = around;
            }
            Step::Build(traced) => {
                let record = BodyRecord::of(traced.is_recorded, &[], Vec::new());
                let around = std::mem::replace(&mut self.body_record, record);
                self.sweep_build(traced, accumulators, out);
                self.body_record = around;
            }
            Step::Array { elements, shadow, .. } => self.sweep_array((elements, *shadow), accumulators, out),
            Step::Call(call) => {
                self.call(call, accumulators, out);
                self.pop(call.before, out);
            }
        }
    }

    /// Sweeps over an operation `z := f(x, y)`: for each active operand, from the first to the last,
    ///
    /// ```text
    /// accumulator of x += coefficient of x *guarded accumulator of z
    /// ```
    fn operation(
        &mut self,
        (target, operation): (Variable, Operation),
        (first, second): (Operand, Option<Operand>),
        accumulator: Operand,
        accumulators: &mut Accumulators,
        out: &mut Vec<Statement>,
    ) {
        for (index, operand) in [Some(first), second].into_iter().flatten().enumerate() {
            let identity = self.draft.identity(operand);
            if !identity.is_active() {
                continue;
            }
            let reads = operation.reads(index == 0, index == 1);
            let mut read = |is_read, operand| if is_read { self.draft.read(operand) } else { ZERO };
            let primals = Primals {
                first: read(reads.first, first),
                second: second.map(|second| read(reads.second, second)),
                result: read(reads.result, Operand::Variable(target)),
            };
            let product = self.emit(out).contribution(operation, index, &primals, accumulator);
            self.contribute(&identity, product, accumulators, out);
        }
    }

    /// Sweeps over a call: the reverse function gets the accumulators of the arguments and of the results' own nodes,
    /// and the values of constant parameters; it returns the accumulators of the arguments.
    fn call(&mut self, call: &TracedCall, accumulators: &mut Accumulators, out: &mut Vec<Statement>) {
        let of_results = call.own.iter().flatten().map(|own| accumulators.remove(own).unwrap_or(ZERO));
        let of_results: Vec<Operand> = of_results.collect();
        let Some(reverse) = self.instances.get(call.instance) else { internal_bug!("the instance of a call exists") };
        let (mut arguments, mut returned) = (Vec::new(), Vec::new());
        for (parameter, argument) in reverse.instance.parameters.iter().zip(&call.arguments) {
            let identity = self.draft.identity(*argument);
            let identity = self.read_identity(&identity);
            match parameter {
                Parameter::Inactive | Parameter::Same(_) => continue,
                Parameter::LastUse => {}
                Parameter::Own(_) => arguments.push(self.accumulator_of(&identity, accumulators, out)),
            }
            returned.push((identity, self.draft.fresh(Kind::Real)));
        }
        arguments.extend(of_results);
        for (argument, _) in call.arguments.iter().zip(&reverse.constant).filter(|(_, constant)| **constant) {
            arguments.push(self.draft.read(*argument));
        }
        if reverse.is_linear {
            arguments.push(match self.fewer {
                Some((instance, fewer)) if instance == call.instance => fewer,
                Some(_) | None => self.draft.read(Operand::Variable(call.activations)),
            });
        }
        let targets = returned.iter().map(|(_, target)| *target).collect();
        out.push(Statement::Call { targets, function: reverse.function, arguments });
        // Of several arguments that are one node the first has the accumulator: it comes last.
        for (identity, target) in returned.into_iter().rev() {
            self.store_read(&identity, target.into(), Node(0), accumulators, out);
        }
    }

    /// The accumulator of the node that a value is, given an identity whose flags the sweep has.
    fn accumulator_of(
        &mut self,
        identity: &Identity,
        accumulators: &Accumulators,
        out: &mut Vec<Statement>,
    ) -> Operand {
        let mut accumulator = ZERO;
        for node in identity.nodes() {
            let is_node = self.draft.is_node(identity, node, out);
            accumulator = self.draft.select(is_node, at(accumulators, node), accumulator, out);
        }
        accumulator
    }
}
