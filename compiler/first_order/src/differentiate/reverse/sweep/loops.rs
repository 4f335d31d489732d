//! The sweep over a loop: a loop over its iterations, from the last to the first.
//!
//! ```text
//! loop remaining, last, accumulators of the state after the iteration, accumulators of outer nodes:
//!     pop the record of the iteration, or execute it again
//!     sweep over the body
//!     if remaining = 1: yield the accumulators of outer nodes;  else: repeat remaining - 1, false, ...
//! ```
//!
//! A loop of which the first execution has recorded nothing is swept over in intervals of iterations
//! ([`super::super::recomputed::checkpointed`]), and one that decides at the begin of each iteration whether it is the
//! last one without that decision ([`super::super::recomputed::peeled`]).

use super::super::nodes::{Node, Traced, TracedLoop};
use super::accumulators::{Accumulators, Incoming, LoopCarried, SweepResult, SweepStart, of_nodes, of_own, take};
use super::blocks::Sweep;
use crate::differentiate::emitter::{ZERO, branch, operands, yielding};
use crate::{Block, End, Kind, Operand, Stack, Statement, Variable};
use std::collections::BTreeSet;
use vlad_table::{Comparison, Operation};

impl Sweep<'_> {
    /// Sweeps over a loop.
    pub fn sweep_loop(&mut self, traced: &TracedLoop, accumulators: &mut Accumulators, out: &mut Vec<Statement>) {
        let yielded = take(accumulators, &traced.own);
        let is_read = yielded.iter().any(Option::is_some) || traced.yields_shadow();
        if !is_read && (traced.is_recomputed || !traced.body.calls()) {
            return;
        }
        if let Some(division) = traced.division {
            return self.sweep_checkpointed((traced, division), &yielded, accumulators, out);
        }
        if traced.is_recomputed
            && let Some(peeled) = traced.peeled()
        {
            return self.sweep_peeled((traced, &peeled), &yielded, accumulators, out);
        }
        self.counted.insert(traced.count);
        let outer = self.outer_nodes(&traced.body, traced.inner);
        let start = SweepStart {
            remaining: self.draft.read(Operand::Variable(traced.total)),
            last: Operand::Boolean(true),
            own: vec![ZERO; traced.state_own.iter().flatten().count()],
            outer: of_nodes(accumulators, &outer),
        };
        let Some(result) = self.iterations_swept(traced, (&yielded, &outer), (start, None), out) else { return };
        accumulators.extend(outer.into_iter().zip(result.outer));
    }

    /// The nodes made before a body to whose accumulators the sweep over it adds; those in memory are not among them.
    pub fn outer_nodes(&self, body: &Traced, inner: Node) -> BTreeSet<Node> {
        let mut outer = body.contributed(self.draft);
        outer.retain(|node| *node < inner && !self.draft.is_in_memory(*node));
        outer
    }

    /// Emits the sweep over iterations of a loop, from one of them down to the first one, or to the one after so many;
    /// then it leaves the accumulators of the state as well. There is none if the body bails out.
    pub fn iterations_swept(
        &mut self,
        traced: &TracedLoop,
        (yielded, outer): (&[Option<Operand>], &BTreeSet<Node>),
        (start, until): (SweepStart, Option<Operand>),
        out: &mut Vec<Statement>,
    ) -> Option<SweepResult> {
        let (remaining, last) = (self.draft.fresh(Kind::Real), self.draft.fresh(Kind::Boolean));
        let mut state = vec![remaining, last];
        let own: Vec<Node> = traced.state_own.iter().flatten().copied().collect();
        let of_state = self.fresh_accumulators(&own, &mut state);
        let inside = self.fresh_accumulators(outer, &mut state);
        let mut initial = vec![start.remaining, start.last];
        initial.extend(start.own.into_iter().chain(start.outer));
        let first = self.draft.fresh(Kind::Boolean);
        self.draft.substitute(traced.frame, traced.first, first);
        let (comparison, one) = (Comparison::Equal, Operand::real(1.0));
        let mut statements =
            vec![Statement::Compare { target: first, comparison, first: remaining.into(), second: one }];
        let (yields, repeats) = (self.yielded_arrays(traced), self.next_arrays(traced));
        let incoming = Incoming {
            yielded,
            repeated: &of_own(&of_state, &traced.state_own),
            inner: traced.inner,
            last: Some(last.into()),
            is_recomputed: traced.is_recomputed,
            carried: LoopCarried { yielded: &yields, repeated: &repeats, made_from: traced.made_from },
        };
        let (after, arrays) = if traced.is_recomputed {
            self.recomputed_iteration(traced, inside, (incoming, remaining), &mut statements)?
        } else {
            (self.recorded_iteration(traced, inside, incoming, &mut statements)?, Vec::new())
        };
        for (_, after) in &arrays {
            state.push(*after);
            initial.push(self.no_array(self.draft.kind(Operand::Variable(*after)), out));
        }
        let mut rest = Vec::new();
        let fewer = self.emit(&mut rest).binary(Operation::Subtract, remaining.into(), one);
        let (of_state, of_outer) = (of_nodes(&after, &own), of_nodes(&after, outer));
        let (test, left) = match until {
            None => (first.into(), of_outer.clone()),
            Some(until) => {
                statements.append(&mut rest);
                let is_last = self.emit(&mut statements).compare(Comparison::Equal, fewer, until);
                (is_last, [&of_state[..], &of_outer[..]].concat())
            }
        };
        let mut next = vec![fewer, Operand::Boolean(false)];
        next.extend(of_state.into_iter().chain(of_outer));
        next.extend(arrays.iter().map(|(before, _)| Operand::Variable(*before)));
        let targets: Vec<Variable> = left.iter().map(|_| self.draft.fresh(Kind::Real)).collect();
        let mut values = operands(&targets);
        let end = branch(test, yielding(left), Block { statements: rest, end: End::Repeat(next) });
        out.push(Statement::Loop { targets, state, initial, body: Block { statements, end } });
        let outer = values.split_off(values.len() - outer.len());
        Some(SweepResult { own: values, outer })
    }

    /// Emits the sweep over an iteration, after the pop of its record.
    fn recorded_iteration(
        &mut self,
        traced: &TracedLoop,
        inside: Accumulators,
        incoming: Incoming<'_>,
        out: &mut Vec<Statement>,
    ) -> Option<Accumulators> {
        let after = self.inside(Some(traced.frame), &traced.body, inside, incoming, out)?;
        let targets: Vec<Variable> = self.draft.exports(traced.frame).iter().map(|export| export.1).collect();
        if !targets.is_empty() {
            out.insert(0, Statement::Pop { stack: Stack::Sweeps, targets });
        }
        Some(after)
    }
}
