//! Frames: the variables that subprograms which are passed assign.
//!
//! The state is the pair of the number of frames and the list of them, the newest first. A frame is the tuple of its
//! variables. Before a call that takes the state, variables of frames that the subprogram assigns are written back; after
//! it, they are read again.

use crate::check::entities::VarId;
use crate::lower::Lowering;
use crate::lower::parts::Helpers;
use crate::program::units::UnitId;
use vlad_core::source::Span;
use vlad_language::named::{NamedItem, NodeId};
use vlad_language::names::NameId;
use vlad_table::Primitive;

impl Lowering<'_> {
    /// Defines the procedures that frames need.
    pub(super) fn define_helpers(&mut self, span: Span) -> Vec<NamedItem> {
        let helpers = Helpers { frame: self.names.hidden("frame"), replace: self.names.hidden("replace-frame") };
        self.helpers = Some(helpers);
        self.next_fresh = 0;
        let (frames, newer, frame) = (self.fresh(), self.fresh(), self.fresh());
        let define = |lowering: &mut Self, name: NameId, operands: &[NameId], body: NodeId| {
            let pattern = lowering.pattern(operands, span);
            let lambda = lowering.lambda(Some(name), pattern, body, span);
            NamedItem::Define(name, span, lowering.lambda_node(lambda, span))
        };
        let found = {
            let first = self.part(Primitive::First, frames, span);
            let (rest, fewer) = (self.part(Primitive::Second, frames, span), self.one_less(newer, span));
            let operator = self.name(helpers.frame, span);
            let next = self.call(operator, vec![rest, fewer], span);
            let test = self.is_zero(newer, span);
            self.choice(test, first, next, span)
        };
        let replaced = {
            let (new, rest) = (self.name(frame, span), self.part(Primitive::Second, frames, span));
            let here = self.cons(new, rest, span);
            let (rest, fewer) = (self.part(Primitive::Second, frames, span), self.one_less(newer, span));
            let (operator, new) = (self.name(helpers.replace, span), self.name(frame, span));
            let next = self.call(operator, vec![rest, fewer, new], span);
            let first = self.part(Primitive::First, frames, span);
            let there = self.cons(first, next, span);
            let test = self.is_zero(newer, span);
            self.choice(test, here, there, span)
        };
        vec![
            define(self, helpers.frame, &[frames, newer], found),
            define(self, helpers.replace, &[frames, newer, frame], replaced),
        ]
    }

    fn part(&mut self, primitive: Primitive, name: NameId, span: Span) -> NodeId {
        let whole = self.name(name, span);
        self.apply(primitive, vec![whole], span)
    }

    fn one_less(&mut self, name: NameId, span: Span) -> NodeId {
        let (number, one) = (self.name(name, span), self.real(1.0, span));
        self.apply(Primitive::Subtract, vec![number, one], span)
    }

    fn is_zero(&mut self, name: NameId, span: Span) -> NodeId {
        let (number, zero) = (self.name(name, span), self.real(0.0, span));
        self.apply(Primitive::Equal, vec![number, zero], span)
    }

    /// Returns the owners of the frames whose variables the subprogram holds, with the variables and the depth.
    fn held_frames(&self) -> Vec<(UnitId, Vec<VarId>, VarId)> {
        let Some(own) = self.plan.occurrences.get(self.unit.0 as usize) else { return vec![] };
        let around = self.plan.frames_around(self.checked, self.unit).into_iter().map(|(owner, _)| owner);
        let frames = around.chain([self.unit]).filter_map(|owner| {
            let (vars, depth) = self.plan.frames.get(&owner)?;
            let is_held = owner == self.unit || vars.iter().any(|var| own.vars.contains(var));
            is_held.then(|| (owner, vars.clone(), *depth))
        });
        frames.collect()
    }

    /// Returns the number of frames that are newer than the one of a depth.
    fn newer(&mut self, state: VarId, depth: VarId, span: Span) -> NodeId {
        let (state, depth, one) = (self.var(state, span), self.var(depth, span), self.real(1.0, span));
        let count = self.apply(Primitive::First, vec![state], span);
        self.apply(Primitive::Subtract, vec![count, depth, one], span)
    }

    fn frames_of(&mut self, state: VarId, span: Span) -> NodeId {
        let state = self.var(state, span);
        self.apply(Primitive::Second, vec![state], span)
    }

    /// Binds the variables of a frame to what the state has.
    fn read_frame(&mut self, state: VarId, vars: &[VarId], depth: VarId, span: Span) {
        let Some(helpers) = self.helpers else { return };
        let (frames, newer) = (self.frames_of(state, span), self.newer(state, depth, span));
        let operator = self.name(helpers.frame, span);
        let frame = self.call(operator, vec![frames, newer], span);
        let names: Vec<NameId> = vars.iter().map(|var| self.name_of(*var)).collect();
        let pattern = self.pattern(&names, span);
        self.bind_pattern(pattern, frame, span);
    }

    /// Binds the state with the present values of a frame's variables.
    fn write_frame(&mut self, state: VarId, vars: &[VarId], depth: VarId, span: Span) {
        let Some(helpers) = self.helpers else { return };
        let (frames, newer) = (self.frames_of(state, span), self.newer(state, depth, span));
        let values = vars.iter().map(|var| self.var(*var, span)).collect();
        let frame = self.tuple(values, span);
        let operator = self.name(helpers.replace, span);
        let replaced = self.call(operator, vec![frames, newer, frame], span);
        let old = self.var(state, span);
        let count = self.apply(Primitive::First, vec![old], span);
        let new = self.cons(count, replaced, span);
        self.bind_var(state, new, span);
    }

    /// Begins the state where a subprogram is not given one, reads frames around it, and adds its own.
    pub(super) fn enter_frames(&mut self, span: Span) {
        let Some(state) = self.plan.state(self.unit) else { return };
        if !self.plan.conventions.needs_state(self.unit) {
            let (zero, none) = (self.real(0.0, span), self.nil(span));
            let empty = self.cons(zero, none, span);
            self.bind_var(state, empty, span);
        }
        for (owner, vars, depth) in self.held_frames() {
            if owner != self.unit {
                self.read_frame(state, &vars, depth, span);
                continue;
            }
            let old = self.var(state, span);
            let count = self.apply(Primitive::First, vec![old], span);
            self.bind_var(depth, count, span);
            let (count, one) = (self.var(depth, span), self.real(1.0, span));
            let count = self.apply(Primitive::Add, vec![count, one], span);
            let values = vars.iter().map(|var| self.var(*var, span)).collect();
            let frame = self.tuple(values, span);
            let frames = self.frames_of(state, span);
            let frames = self.cons(frame, frames, span);
            let new = self.cons(count, frames, span);
            self.bind_var(state, new, span);
        }
    }

    /// Writes frames around the subprogram back, and removes its own.
    pub(super) fn leave_frames(&mut self, span: Span) {
        let Some(state) = self.plan.state(self.unit) else { return };
        if !self.plan.conventions.needs_state(self.unit) {
            return;
        }
        self.write_frames(span, false);
        if self.plan.frames.contains_key(&self.unit) {
            let old = self.var(state, span);
            let count = self.apply(Primitive::First, vec![old], span);
            let one = self.real(1.0, span);
            let count = self.apply(Primitive::Subtract, vec![count, one], span);
            let frames = self.frames_of(state, span);
            let frames = self.apply(Primitive::Second, vec![frames], span);
            let new = self.cons(count, frames, span);
            self.bind_var(state, new, span);
        }
    }

    /// Writes the variables of frames back that the subprogram assigns.
    pub(super) fn write_frames(&mut self, span: Span, with_own: bool) {
        let Some(state) = self.plan.state(self.unit) else { return };
        for (owner, vars, depth) in self.held_frames() {
            let is_bound = vars.iter().any(|var| self.plan.binds(self.unit, *var));
            // The own frame is written at the entry; without assignments it stays as it is.
            if is_bound && (with_own || owner != self.unit) {
                self.write_frame(state, &vars, depth, span);
            }
        }
    }

    /// Reads the variables of frames again.
    pub(super) fn read_frames(&mut self, span: Span) {
        let Some(state) = self.plan.state(self.unit) else { return };
        for (_, vars, depth) in self.held_frames() {
            self.read_frame(state, &vars, depth, span);
        }
    }
}
