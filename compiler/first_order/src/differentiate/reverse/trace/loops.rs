//! The trace of loops.
//!
//! At the begin of an iteration a variable of the state is the node of its initial value, or that of the value with which
//! the iteration before repeated the loop. The nodes that these may be are found by tracing the body under an assumption,
//! which grows until it holds. In the first iteration no variable of the state has a node of its own.

use super::super::nodes::{
    Alternative, FLAG, FrameKind, Identity, Node, Origin, Step, Traced, TracedEnd, TracedLoop, join,
};
use super::blocks::{BailsOut, Tracer};
use crate::differentiate::refusal::{Refusal, RefusalKind};
use crate::{Block, JournalAction, Kind, Operand, Statement, Variable};
use std::collections::BTreeSet;

/// The source of a loop, without the variables of the state that never change.
#[derive(Debug)]
struct Source<'source> {
    state: Vec<Variable>,
    initial: Vec<Operand>,
    identities: Vec<Identity>,
    /// For each operand of a repeat of the source whether the trace has it: iterations may change its variable.
    changes: Vec<bool>,
    body: &'source Block,
    inner: Node,
}

/// The assumption about a loop.
#[derive(Clone, Debug, PartialEq)]
struct Assumed {
    /// For each variable of the state the nodes that it may be.
    origins: Vec<Origin>,
    /// The alternatives that may hold in another iteration than the first one; they have flags in the state.
    later: BTreeSet<(usize, Alternative)>,
}

impl Tracer<'_> {
    /// Traces a loop; returns where it bails out if it does so at once.
    pub fn trace_loop(
        &mut self,
        targets: &[Variable],
        (state, initial, body): (&[Variable], &[Operand], &Block),
    ) -> Result<BailsOut, Refusal> {
        let reads = self.reads_before(body);
        let changes = changes(state, body);
        let inner = self.draft.next_node();
        let mut source =
            Source { state: Vec::new(), initial: Vec::new(), identities: Vec::new(), changes, body, inner };
        for ((variable, initial), changes) in state.iter().zip(initial).zip(&source.changes) {
            if *changes {
                source.state.push(*variable);
                source.initial.push(*initial);
                source.identities.push(self.draft.moved(*initial));
            } else {
                self.environment.insert(*variable, *initial);
            }
        }
        let mut origins = vec![Origin::default(); source.state.len()];
        for (origin, identity) in origins.iter_mut().zip(&source.identities) {
            origin.add(identity, inner);
        }
        let mut assumed = Assumed { origins, later: BTreeSet::new() };
        let mark = self.draft.mark();
        loop {
            let mut logic = Vec::new();
            let (mut traced, found) = self.attempt(&source, &assumed, &mut logic)?;
            if let TracedEnd::BailOut(at) = traced.body.end {
                self.draft.close(traced.frame);
                self.push(logic);
                self.steps.push(Step::Loop(Box::new(traced)));
                return Ok(Some(at));
            }
            if found == assumed {
                let origins = self.origins_of_yields(&traced.body, targets.len(), inner)?;
                self.add_flags(&mut traced.body, &origins, inner);
                self.draft.close(traced.frame);
                (traced.targets, traced.own) = self.joined(targets, &origins);
                traced.roles = self.roles(targets);
                traced.total = self.draft.fresh(Kind::Real);
                traced.reads = reads;
                if self.instances.division.is_some() && (traced.has_arrays() || self.moves_arrays(&traced)) {
                    return Err(Refusal::new(RefusalKind::CheckpointArrays));
                }
                traced.division = self.instances.division.filter(|_| traced.records_iterations());
                self.push(logic);
                self.steps.push(Step::Loop(Box::new(traced)));
                return Ok(None);
            }
            self.draft.close(traced.frame);
            self.draft.go_back(mark);
            assumed = found;
        }
    }

    /// For a loop that is executed again and has effects, the number of reads before it.
    fn reads_before(&mut self, body: &Block) -> Option<Variable> {
        if !self.instances.needs_journal(self.unit, body) {
            return None;
        }
        let target = self.draft.fresh(Kind::Real);
        self.push([Statement::action(vec![target], JournalAction::Reads, Vec::new())]);
        Some(target)
    }

    /// True if arrays are in the state of a loop or its results, beside cells.
    fn moves_arrays(&self, traced: &TracedLoop) -> bool {
        let mut moved = traced.state.iter().chain(&traced.targets);
        self.references.is_some() && moved.any(|variable| self.draft.kind((*variable).into()).is_array())
    }

    /// Traces a loop under an assumption, and returns the assumption that the trace would have needed.
    fn attempt(
        &mut self,
        source: &Source<'_>,
        assumed: &Assumed,
        logic: &mut Vec<Statement>,
    ) -> Result<(TracedLoop, Assumed), Refusal> {
        let initial_flags = self.draft.flags(&assumed.origins, &source.identities, source.inner, logic);
        let is_recomputed = self.arrays.is_some();
        let frame = self.draft.open(if is_recomputed { FrameKind::Visible } else { FrameKind::Pushed });
        let mut state: Vec<Variable> = Vec::new();
        for (variable, initial) in source.state.iter().zip(&source.initial) {
            let made = self.draft.fresh(self.draft.kind(*initial));
            self.environment.insert(*variable, made.into());
            state.push(made);
        }
        let first = self.draft.fresh(FLAG);
        // A flag that is true in the first iteration and false later is the one of being the first iteration.
        let mut initial = source.initial.clone();
        initial.push(Operand::Boolean(true));
        let mut shared = Vec::new();
        let mut flags = vec![first];
        let mut next = initial_flags.into_iter();
        let (identities, state_own) = self.draft.identities(&assumed.origins, |draft, index, alternative| {
            let value = next.next().unwrap_or(Operand::Boolean(false));
            let is_shared = value == Operand::Boolean(true) && !assumed.later.contains(&(index, alternative));
            shared.push(is_shared.then_some((index, alternative)));
            if is_shared {
                return Operand::Variable(first);
            }
            let flag = draft.fresh(FLAG);
            flags.push(flag);
            initial.push(value);
            Operand::Variable(flag)
        });
        for (variable, identity) in state.iter().zip(identities) {
            self.draft.identify(*variable, identity);
        }
        self.refer(&source.state);
        state.extend(flags);
        let count = self.draft.fresh(Kind::Real);
        let made_from = self.draft.mark().variable();
        let mut body = self.repeated(source.body, source.inner)?;
        let origins = self.origins_of_repeats(&mut body, source, &assumed.origins)?;
        let mut found = Assumed { origins, later: assumed.later.clone() };
        if found.origins == assumed.origins {
            self.add_flags_of_repeats(&mut body, source, &shared, &mut found);
        }
        let (inner, total) = (source.inner, count);
        let (targets, own, roles) = (Vec::new(), Vec::new(), Vec::new());
        let traced = TracedLoop {
            frame,
            is_recomputed,
            is_recorded: false,
            division: None,
            targets,
            own,
            state,
            initial,
            state_own,
            inner,
            body,
            first,
            count,
            total,
            reads: None,
            roles,
            state_roles: self.roles(&source.state),
            made_from,
        };
        Ok((traced, found))
    }

    /// Leaves the values of variables that never change out of the ends that repeat the loop. Returns the origins of the
    /// state, with those of the other values there.
    fn origins_of_repeats(
        &self,
        body: &mut Traced,
        source: &Source<'_>,
        assumed: &[Origin],
    ) -> Result<Vec<Origin>, Refusal> {
        let mut origins = assumed.to_vec();
        let mut can_be_joined = Ok(());
        change_repeats(body, &mut |_, operands| {
            let mut changes = source.changes.iter();
            operands.retain(|_| changes.next().copied().unwrap_or(true));
            let identities = self.identities_of(operands, source.state.len());
            if can_be_joined.is_ok() {
                can_be_joined = self.can_be_joined(&identities, source.inner);
            }
            join(&mut origins, &identities, source.inner);
        });
        can_be_joined.map(|()| origins)
    }

    /// Appends the flags of the state to the ends that repeat the loop: false for the first iteration, then those of its
    /// own. An alternative that shares the flag of the first iteration may not hold there: it is noted as a later one.
    fn add_flags_of_repeats(
        &mut self,
        body: &mut Traced,
        source: &Source<'_>,
        shared: &[Option<(usize, Alternative)>],
        found: &mut Assumed,
    ) {
        change_repeats(body, &mut |steps, operands| {
            let identities = self.identities_of(operands, source.state.len());
            let mut logic = Vec::new();
            let flags = self.draft.flags(&found.origins, &identities, source.inner, &mut logic);
            steps.extend(logic.into_iter().map(Step::Plain));
            operands.push(Operand::Boolean(false));
            for (flag, shared) in flags.into_iter().zip(shared) {
                match shared {
                    None => operands.push(flag),
                    Some(_) if flag == Operand::Boolean(false) => {}
                    Some(alternative) => {
                        found.later.insert(*alternative);
                    }
                }
            }
        });
    }
}

/// Changes the ends that repeat a loop, with the statements before each.
fn change_repeats(body: &mut Traced, change: &mut impl FnMut(&mut Vec<Step>, &mut Vec<Operand>)) {
    body.change_leaves(&mut |leaf| {
        if let TracedEnd::Repeat(operands) = &mut leaf.end {
            change(&mut leaf.steps, operands);
        }
    });
}

/// For each variable of a loop's state whether an iteration may change it.
fn changes(state: &[Variable], body: &Block) -> Vec<bool> {
    let mut changes = vec![false; state.len()];
    for operands in body.repeats() {
        for ((operand, variable), changes) in operands.iter().zip(state).zip(&mut changes) {
            *changes |= *operand != Operand::Variable(*variable);
        }
    }
    changes
}
