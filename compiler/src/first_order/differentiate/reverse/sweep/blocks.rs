//! The reverse sweep over a trace (report, 9.2): the operations in exact reverse order, each of which adds to the
//! accumulators of its active operands, from the first to the last.
//!
//! The accumulator of a node is the operand that holds its present value; an absent one is the constant +0. The sweep
//! over a branch branches in the same way, the one over a loop pops the records of the iterations from the last to the
//! first, and both yield the accumulators that they change. Where a value was moved, its accumulator is handed over.

use super::super::nodes::frames::{Draft, FrameId, SegmentId};
use super::super::nodes::identity::{Identity, Node};
use super::super::nodes::instances::{Parameter, ReverseInstance};
use super::super::nodes::traced::{Ends, Step, Traced, TracedCall, TracedEnd, TracedLoop};
use super::super::recording::recorded::BodyRecord;
pub use super::transfer::{Incoming, LoopCarried, SweepResult, SweepStart};
use crate::first_order::differentiate::coefficients::Primals;
use crate::first_order::differentiate::emitter::yielding;
use crate::first_order::differentiate::emitter::{Emitter, ZERO};
use crate::first_order::{AccumulatorAction, Block, End, Kind, Operand, Stack, Statement, Variable};
use std::collections::{BTreeMap, BTreeSet};
use vlad_table::{Comparison, Operation};

/// The accumulators at a point of the sweep; absent ones are +0.
pub type Accumulators = BTreeMap<Node, Operand>;

/// The sweep in the making.
#[derive(Debug)]
pub struct Sweep<'trace> {
    pub draft: &'trace mut Draft,
    /// The instances that are called, with the numbers of their reverse functions.
    pub instances: &'trace [ReverseInstance],
    /// The counters of the loops that are swept over: variables of their state.
    pub counted: BTreeSet<Variable>,
    /// The frame whose paths are swept over, if its values are pushed.
    pub frame: Option<FrameId>,
    /// The pops whose targets are not known yet: for each the placeholder that is its only target, and the segment whose
    /// record it pops ([`Sweep::complete_pops`]).
    pub pops: BTreeMap<Variable, SegmentId>,
    /// True if no level is around this one.
    pub is_outermost: bool,
    /// For each piece of code that pops records of its own the first variable made in it ([`super::linear_recursion`]).
    pub pieces: Vec<Variable>,
    /// In linear recursion its instance, and the number of activations below the next one.
    pub fewer: Option<(usize, Operand)>,
    /// The records of the loop or `build` that is being swept over.
    pub body_record: BodyRecord,
}

impl<'trace> Sweep<'trace> {
    /// No code yet, for paths of that frame.
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

/// The accumulator of a node that no operation follows any more.
fn take(accumulators: &mut Accumulators, node: Option<Node>) -> Option<Operand> {
    node.and_then(|node| accumulators.remove(&node))
}

impl Sweep<'_> {
    pub fn emit<'code>(&'code mut self, out: &'code mut Vec<Statement>) -> Emitter<'code> {
        Emitter { function: &mut self.draft.function, statements: out }
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

    /// The accumulators of moved values become those of the inner nodes that the values are.
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
        for node in identity.nodes().into_iter().filter(|node| *node >= inner) {
            let old = accumulators.get(&node).copied().unwrap_or(ZERO);
            let is_node = self.draft.is_node(&identity, node, out);
            let new = self.draft.select(is_node, accumulator, old, out);
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

    /// Emits the sweep over a block of a frame.
    fn inside(
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
        let (mut yes, mut no) = (Vec::new(), Vec::new());
        let after_yes = self.path(consequent, accumulators.clone(), incoming, &mut yes);
        let after_no = self.path(alternative, accumulators.clone(), incoming, &mut no);
        match (incoming.last, consequent.ends(), alternative.ends()) {
            (Some(last), Some(Ends::Yield), Some(Ends::Repeat)) => {
                self.joined_paths(|_| last, [(yes, after_yes), (no, after_no)], out)
            }
            (Some(last), Some(Ends::Repeat), Some(Ends::Yield)) => {
                self.joined_paths(|_| last, [(no, after_no), (yes, after_yes)], out)
            }
            _ => self.joined_paths(|draft| draft.read(test), [(yes, after_yes), (no, after_no)], out),
        }
    }

    /// Emits a branch to one of two pieces of the sweep, given with the accumulators that they leave. A piece that bails out
    /// leaves none.
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
        let of = |after: &Accumulators, node: Node| after.get(&node).copied().unwrap_or(ZERO);
        let (mut targets, mut yes_yields, mut no_yields) = (Vec::new(), Vec::new(), Vec::new());
        let mut after = Accumulators::new();
        for node in nodes {
            let (on_yes, on_no) = (of(&after_yes, node), of(&after_no, node));
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
        let yes = Box::new(Block { statements: yes, end: End::Yield(yes_yields) });
        let no = Box::new(Block { statements: no, end: End::Yield(no_yields) });
        let end = End::Branch { test: test(self.draft), consequent: yes, alternative: no };
        out.push(Statement::Bind { targets, block: Block { statements: Vec::new(), end } });
        Some(after)
    }

    fn step(&mut self, step: &Step, accumulators: &mut Accumulators, out: &mut Vec<Statement>) {
        match step {
            Step::Plain(_) | Step::Test { .. } => {}
            Step::Node { node, target, operation, first, second } => {
                let Some(accumulator) = accumulators.remove(node) else { return };
                let operands: Vec<Operand> = [Some(*first), *second].into_iter().flatten().collect();
                for (index, operand) in operands.iter().enumerate() {
                    let identity = self.draft.identity(*operand);
                    if !identity.is_active() {
                        continue;
                    }
                    let reads = operation.reads(index == 0, index == 1);
                    let mut read = |is_read, operand| if is_read { self.draft.read(operand) } else { ZERO };
                    let primals = Primals {
                        first: read(reads.first, *first),
                        second: second.map(|second| read(reads.second, second)),
                        result: read(reads.result, Operand::Variable(*target)),
                    };
                    let product = self.emit(out).contribution(*operation, index, &primals, accumulator);
                    self.contribute(&identity, product, accumulators, out);
                }
            }
            Step::Allocate { node, reference } => {
                let operands = vec![self.draft.read(Operand::Variable(*reference))];
                let sum = self.draft.fresh(Kind::Real);
                out.push(Statement::action(vec![sum], AccumulatorAction::Sum, operands));
                accumulators.insert(*node, Operand::Variable(sum));
            }
            Step::Bind { own, inner, block, .. } => {
                let yielded: Vec<_> = own.iter().map(|own| take(accumulators, *own)).collect();
                if yielded.iter().all(Option::is_none) && !block.calls() {
                    return;
                }
                let incoming = Incoming::of_results(&yielded, *inner);
                if let Some(after) = self.inside(None, block, std::mem::take(accumulators), incoming, out) {
                    *accumulators = after;
                }
            }
            Step::Loop(traced) => {
                let recorded = traced.recorded_state(&traced.counters(), |_| traced.is_recorded);
                let around = std::mem::replace(
                    &mut self.body_record,
                    BodyRecord::of(traced.is_recorded, &traced.state, recorded),
                );
                self.sweep_loop(traced, accumulators, out);
                self.body_record = around;
            }
            Step::Build(traced) => {
                let around =
                    std::mem::replace(&mut self.body_record, BodyRecord::of(traced.is_recorded, &[], Vec::new()));
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

    /// Sweeps over a loop: a loop over its iterations from the last to the first, whose state is the number of the
    /// iteration, whether it is the last one, the accumulators of the state after it, and those of outer nodes.
    fn sweep_loop(&mut self, traced: &TracedLoop, accumulators: &mut Accumulators, out: &mut Vec<Statement>) {
        let yielded: Vec<_> = traced.own.iter().map(|own| take(accumulators, *own)).collect();
        let is_read = yielded.iter().any(Option::is_some) || traced.yields_shadow();
        if !is_read && (traced.is_recomputed || !traced.body.calls()) {
            return;
        }
        if traced.is_recomputed
            && traced.division.is_none()
            && let Some(peeled) = traced.peeled()
        {
            return self.sweep_peeled((traced, &peeled), &yielded, accumulators, out);
        }
        if let Some(division) = traced.division {
            return self.sweep_checkpointed((traced, division), &yielded, accumulators, out);
        }
        self.counted.insert(traced.count);
        let outer = self.outer_nodes(&traced.body, traced.inner);
        let begun = SweepStart {
            remaining: self.draft.read(Operand::Variable(traced.total)),
            last: Operand::Boolean(true),
            own: vec![ZERO; traced.state_own.iter().flatten().count()],
            outer: outer.iter().map(|node| accumulators.get(node).copied().unwrap_or(ZERO)).collect(),
        };
        let Some(left) = self.iterations_swept(traced, (&yielded, &outer), (begun, None), out) else { return };
        accumulators.extend(outer.into_iter().zip(left.outer));
    }

    /// Emits the sweep over iterations of a loop from one of them down to the first one, or to the one after so many; then
    /// it leaves the accumulators of the state as well. There is none if the body bails out.
    pub fn iterations_swept(
        &mut self,
        traced: &TracedLoop,
        (yielded, outer): (&[Option<Operand>], &BTreeSet<Node>),
        (begun, until): (SweepStart, Option<Operand>),
        out: &mut Vec<Statement>,
    ) -> Option<SweepResult> {
        let remaining = self.draft.fresh(Kind::Real);
        let last = self.draft.fresh(Kind::Boolean);
        let mut state = vec![remaining, last];
        let mut initial = vec![begun.remaining, begun.last];
        let mut inside = Accumulators::new();
        let mut repeated = Vec::new();
        for own in &traced.state_own {
            repeated.push(own.map(|_| {
                let variable = self.draft.fresh(Kind::Real);
                state.push(variable);
                Operand::Variable(variable)
            }));
        }
        initial.extend(begun.own);
        for node in outer {
            let variable = self.draft.fresh(Kind::Real);
            state.push(variable);
            inside.insert(*node, Operand::Variable(variable));
        }
        initial.extend(begun.outer);
        let first = self.draft.fresh(Kind::Boolean);
        self.draft.substitute(traced.frame, traced.first, first);
        let mut statements = vec![Statement::Compare {
            target: first,
            comparison: Comparison::Equal,
            first: Operand::Variable(remaining),
            second: Operand::real(1.0),
        }];
        let (yields, repeats) = (self.yielded_arrays(traced), self.next_arrays(traced));
        let incoming = Incoming {
            yielded,
            repeated: &repeated,
            inner: traced.inner,
            last: Some(Operand::Variable(last)),
            is_recomputed: traced.is_recomputed,
            carried: LoopCarried { yielded: &yields, repeated: &repeats, made_from: traced.made_from },
        };
        let frame = Some(traced.frame);
        let (mut after, arrays) = if traced.is_recomputed {
            self.recomputed_iteration(traced, inside, (incoming, remaining), &mut statements)?
        } else {
            (self.inside(frame, &traced.body, inside, incoming, &mut statements)?, Vec::new())
        };
        for (_, after) in &arrays {
            state.push(*after);
            initial.push(self.no_array(self.draft.kind(Operand::Variable(*after)), out));
        }
        let exports: Vec<Variable> = self.draft.exports(traced.frame).iter().map(|export| export.1).collect();
        if !exports.is_empty() && !traced.is_recomputed {
            statements.insert(0, Statement::Pop { stack: Stack::Sweeps, targets: exports });
        }
        let mut rest = Vec::new();
        let fewer = self.emit(&mut rest).binary(Operation::Subtract, Operand::Variable(remaining), Operand::real(1.0));
        let mut next = vec![fewer, Operand::Boolean(false)];
        for own in traced.state_own.iter().filter(|own| own.is_some()) {
            next.push(take(&mut after, *own).unwrap_or(ZERO));
        }
        let of_outer: Vec<Operand> = outer.iter().map(|node| after.get(node).copied().unwrap_or(ZERO)).collect();
        let mut left = of_outer.clone();
        let mut test = Operand::Variable(first);
        if let Some(until) = until {
            statements.append(&mut rest);
            left.splice(0..0, next.iter().skip(2).copied());
            let (comparison, first, second) = (Comparison::Equal, fewer, until);
            test = self.emit(&mut statements).assign(Kind::Boolean, |target| Statement::Compare {
                target,
                comparison,
                first,
                second,
            });
        }
        next.extend(of_outer);
        next.extend(arrays.iter().map(|(before, _)| Operand::Variable(*before)));
        let targets: Vec<Variable> = left.iter().map(|_| self.draft.fresh(Kind::Real)).collect();
        let mut values: Vec<Operand> = targets.iter().copied().map(Operand::Variable).collect();
        let end = End::Branch {
            test,
            consequent: Box::new(yielding(left)),
            alternative: Box::new(Block { statements: rest, end: End::Repeat(next) }),
        };
        out.push(Statement::Loop { targets, state, initial, body: Block { statements, end } });
        let outer = values.split_off(values.len() - outer.len());
        Some(SweepResult { own: values, outer })
    }

    /// Sweeps over a call: the reverse function gets the accumulators of the arguments and of the results' own nodes,
    /// and the values of constant parameters; it returns the accumulators of the arguments.
    fn call(&mut self, call: &TracedCall, accumulators: &mut Accumulators, out: &mut Vec<Statement>) {
        let results: Vec<Operand> =
            call.own.iter().filter(|own| own.is_some()).map(|own| take(accumulators, *own).unwrap_or(ZERO)).collect();
        let Some(ReverseInstance { instance, function, constant, is_linear, .. }) = self.instances.get(call.instance)
        else {
            vlad_table::internal_bug!("the instance of a call exists");
        };
        let (instance, function, constant, is_linear) = (instance.clone(), *function, constant.clone(), *is_linear);
        let mut arguments = Vec::new();
        let mut returned = Vec::new();
        for (index, parameter) in instance.parameters.iter().enumerate() {
            let Some(argument) = call.arguments.get(index) else { continue };
            let identity = self.draft.identity(*argument);
            let identity = self.read_identity(&identity);
            match parameter {
                Parameter::Inactive | Parameter::Same(_) => continue,
                Parameter::LastUse => {
                    returned.push((identity, self.draft.fresh(Kind::Real)));
                    continue;
                }
                Parameter::Own(_) => {}
            }
            let mut accumulator = ZERO;
            for node in identity.nodes() {
                let is_node = self.draft.is_node(&identity, node, out);
                let candidate = accumulators.get(&node).copied().unwrap_or(ZERO);
                accumulator = self.draft.select(is_node, candidate, accumulator, out);
            }
            arguments.push(accumulator);
            returned.push((identity, self.draft.fresh(Kind::Real)));
        }
        arguments.extend(results);
        for argument in
            call.arguments.iter().zip(&constant).filter_map(|(argument, constant)| constant.then_some(argument))
        {
            arguments.push(self.draft.read(*argument));
        }
        if is_linear {
            arguments.push(match self.fewer {
                Some((instance, fewer)) if instance == call.instance => fewer,
                Some(_) | None => self.draft.read(Operand::Variable(call.activations)),
            });
        }
        let targets = returned.iter().map(|(_, target)| *target).collect();
        out.push(Statement::Call { targets, function, arguments });
        // Of several arguments that are one node the first has the accumulator: it comes last.
        for (identity, target) in returned.iter().rev() {
            for node in identity.nodes() {
                let old = accumulators.get(&node).copied().unwrap_or(ZERO);
                let is_node = self.draft.is_node(identity, node, out);
                let new = self.draft.select(is_node, Operand::Variable(*target), old, out);
                accumulators.insert(node, new);
            }
        }
    }
}
