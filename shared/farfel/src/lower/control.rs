//! Control flow: blocks with labels, conditions, jumps.
//!
//! A statement that control leaves only at its end is an expression, which yields the variables assigned in it. Any other
//! stands in tail position, and what follows it in its block is part of it. A block with labels that are jumped to begins
//! with a `letrec` of one procedure a label.

use crate::check::entities::VarId;
use crate::lower::Lowering;
use crate::lower::parts::End;
use crate::program::units::{BlockId, Item, ItemId, Node as Statement};
use crate::syntax::tree::{Action, ExprId, Label};
use vlad_core::program::STOP;
use vlad_core::source::Span;
use vlad_language::named::{Named, Node, NodeId};
use vlad_language::names::NameId;
use vlad_table::Primitive;

impl Lowering<'_> {
    /// Returns the names of variables.
    pub(super) fn names_of(&self, vars: &[VarId]) -> Vec<NameId> {
        vars.iter().map(|var| self.name_of(*var)).collect()
    }

    fn nodes_of(&mut self, vars: &[VarId], span: Span) -> Vec<NodeId> {
        vars.iter().map(|var| self.var(*var, span)).collect()
    }

    /// Returns the variables that a construct yields.
    pub(super) fn outputs(&self, item: ItemId) -> Vec<VarId> {
        self.live().and_then(|live| live.outputs.get(&item)).cloned().unwrap_or_default()
    }

    /// Returns the variables that a loop carries.
    pub(super) fn carried(&self, item: ItemId) -> Vec<VarId> {
        self.live().and_then(|live| live.carried.get(&item)).cloned().unwrap_or_default()
    }

    pub(super) fn live(&self) -> Option<&crate::flow::liveness::Live> {
        self.plan.live.get(self.unit.0 as usize)
    }

    /// Fills the hole with a continuation.
    pub(super) fn finish(&mut self, end: &End, span: Span) {
        match end {
            End::Values(vars) => {
                let names = self.names_of(vars);
                self.fill_tuple(&names, span);
            }
            End::Return => self.leave(span),
            End::Next(procedure, counter, vars) => {
                let mut operands = vec![];
                if let Some(counter) = counter {
                    let (counter, one) = (self.name(*counter, span), self.real(1.0, span));
                    operands.push(self.apply(Primitive::Add, vec![counter, one], span));
                }
                operands.extend(self.nodes_of(vars, span));
                self.fill_call(*procedure, operands, span);
            }
        }
    }

    /// Fills the hole with a block and its continuation.
    pub(super) fn block(&mut self, block: BlockId, end: &End, span: Span) {
        let program = self.program;
        let items = program.block(block);
        let mut bodies = self.begin_labels(items, span).into_iter();
        self.is_reached = true;
        for item in items {
            if self.is_target(item) {
                let Some(body) = bodies.next() else { continue };
                if self.is_reached {
                    self.jump(item.id, item.span);
                }
                self.hole = body;
                self.is_reached = true;
            }
            if self.is_reached {
                self.item(item);
            }
        }
        if self.is_reached {
            let span = items.last().map_or(span, |item| item.span);
            self.finish(end, span);
        }
    }

    fn is_target(&self, item: &Item) -> bool {
        item.label.is_some() && self.checked.targets.items.contains(&item.id)
    }

    /// Begins a block with the procedures of its labels; returns their bodies, which are still to be filled in.
    fn begin_labels(&mut self, items: &[Item], span: Span) -> Vec<NodeId> {
        let targets: Vec<&Item> = items.iter().filter(|item| self.is_target(item)).collect();
        if targets.is_empty() {
            return vec![];
        }
        let (mut members, mut bodies) = (vec![], vec![]);
        for item in targets {
            let number = item.label.map_or(0, |label| label.number);
            let name = self.names.hidden(&number.to_string());
            self.labels.insert(item.id, name);
            let vars = self.label_vars(item.id);
            let names = self.names_of(&vars);
            let pattern = self.pattern(&names, item.span);
            let body = self.named.reserve(item.span);
            members.push((name, self.lambda(Some(name), pattern, body, item.span)));
            bodies.push(body);
        }
        let group = self.named.add_group(members);
        let rest = self.named.reserve(span);
        self.fill(Node::Letrec(group, rest), span);
        self.hole = rest;
        bodies
    }

    fn label_vars(&self, item: ItemId) -> Vec<VarId> {
        self.live().and_then(|live| live.labels.get(&item)).cloned().unwrap_or_default()
    }

    /// Fills the hole with a jump to a labelled statement.
    fn jump(&mut self, target: ItemId, span: Span) {
        let vars = self.label_vars(target);
        let operands = self.nodes_of(&vars, span);
        if let Some(name) = self.labels.get(&target).copied() {
            self.fill_call(name, operands, span);
        }
    }

    /// Lowers a jump of a statement to a label.
    fn jump_to(&mut self, from: ItemId, label: Label) {
        if let Some(target) = self.checked.targets.of_jump.get(&(from, label.number)).copied() {
            self.jump(target, label.span);
        }
        self.is_reached = false;
    }

    fn item(&mut self, item: &Item) {
        match &item.node {
            Statement::Action(action) => self.action(item, action),
            Statement::If(branches, otherwise) => self.condition(item, branches, *otherwise),
            Statement::Do(index, range, body) => self.counted_loop(item, *index, *range, *body),
            Statement::While(test, body) => self.conditional_loop(item, *test, *body),
            Statement::Ad(mode, opens, closes, body) => self.differentiated(item, *mode, opens, closes, *body),
        }
    }

    fn action(&mut self, item: &Item, action: &Action) {
        match action {
            Action::Goto(label) => self.jump_to(item.id, *label),
            Action::ComputedGoto(labels, value) => self.computed_jump(item, labels, *value),
            Action::ArithmeticIf(value, labels) => self.arithmetic_if(item, *value, labels),
            Action::Stop if self.checked.targets.stops.contains(&item.id) => self.stop(item.span),
            Action::Return | Action::Stop => {
                self.leave(item.span);
                self.is_reached = false;
            }
            Action::Assign(..)
            | Action::Call(_)
            | Action::Continue
            | Action::Read(_)
            | Action::Print(_)
            | Action::Row(..)
            | Action::Foreign { .. } => {
                self.simple(item.span, action);
            }
        }
    }

    /// Ends the run, by a binding that nothing matches.
    fn stop(&mut self, span: Span) {
        let never = self.named.add(Node::Constant(Named::FALSE), span);
        self.require(never, STOP, span);
        self.fill(Node::Constant(Named::NIL), span);
        self.is_reached = false;
    }

    /// Fills the hole with a choice whose first branch is filled by a function; the second is the next hole.
    fn branch(&mut self, test: NodeId, span: Span, first: impl FnOnce(&mut Self)) {
        let (consequent, alternative) = (self.named.reserve(span), self.named.reserve(span));
        self.fill(Node::If(test, consequent, alternative), span);
        self.hole = consequent;
        first(self);
        self.hole = alternative;
    }

    fn computed_jump(&mut self, item: &Item, labels: &[Label], value: ExprId) {
        let span = item.span;
        let value = self.expression(value);
        let value = self.bind_fresh(value, span);
        for (place, label) in labels.iter().enumerate() {
            let (chosen, number) = (self.name(value, span), self.real(place as f64 + 1.0, span));
            let test = self.apply(Primitive::Equal, vec![chosen, number], span);
            self.branch(test, span, |lowering| lowering.jump_to(item.id, *label));
        }
        // Any other number goes on behind the statement.
        self.is_reached = true;
    }

    fn arithmetic_if(&mut self, item: &Item, value: ExprId, labels: &[Label; 3]) {
        let span = item.span;
        let value = self.expression(value);
        let value = self.bind_fresh(value, span);
        let [negative, zero, positive] = *labels;
        for (primitive, label) in [(Primitive::Less, negative), (Primitive::Equal, zero)] {
            let (number, nothing) = (self.name(value, span), self.real(0.0, span));
            let test = self.apply(primitive, vec![number, nothing], span);
            self.branch(test, span, |lowering| lowering.jump_to(item.id, label));
        }
        self.jump_to(item.id, positive);
    }

    fn condition(&mut self, item: &Item, branches: &[(ExprId, BlockId)], otherwise: Option<BlockId>) {
        let outputs = self.outputs(item.id);
        if !self.escapes.contains(&item.id) {
            let node = self.named.reserve(item.span);
            let first = match branches.first() {
                Some((test, _)) => self.expression(*test),
                None => return,
            };
            let names = self.names_of(&outputs);
            let outer = self.bind_results(&names, node, item.span);
            self.hole = node;
            self.choices(branches, first, otherwise, &End::Values(outputs), item.span);
            self.hole = outer;
            self.is_reached = true;
            return;
        }
        // The usual jump on a condition needs no procedure for what follows.
        if let ([(test, block)], None) = (branches, otherwise)
            && self.ends_in_jump(*block)
        {
            let test = self.expression(*test);
            let block = *block;
            self.branch(test, item.span, |lowering| lowering.block(block, &End::Return, item.span));
            self.is_reached = true;
            return;
        }
        let join = self.names.hidden("join");
        let names = self.names_of(&outputs);
        let pattern = self.pattern(&names, item.span);
        let body = self.named.reserve(item.span);
        let lambda = self.lambda(Some(join), pattern, body, item.span);
        let group = self.named.add_group(vec![(join, lambda)]);
        let rest = self.named.reserve(item.span);
        self.fill(Node::Letrec(group, rest), item.span);
        self.hole = rest;
        let first = match branches.first() {
            Some((test, _)) => self.expression(*test),
            None => return,
        };
        self.choices(branches, first, otherwise, &End::Next(join, None, outputs), item.span);
        self.hole = body;
        self.is_reached = true;
    }

    /// Returns true if control never reaches the end of a block.
    fn ends_in_jump(&self, block: BlockId) -> bool {
        matches!(
            self.program.block(block).last().map(|item| &item.node),
            Some(Statement::Action(Action::Goto(_) | Action::Return | Action::Stop | Action::ArithmeticIf(..)))
        )
    }

    /// Binds the results of a node, or evaluates it if it has none; returns the next hole.
    pub(super) fn bind_results(&mut self, names: &[NameId], node: NodeId, span: Span) -> NodeId {
        match names {
            [] => self.effect(node, span),
            names => {
                let pattern = self.pattern(names, span);
                self.bind_pattern(pattern, node, span);
            }
        }
        self.hole
    }

    /// Fills the hole with nested choices, each with the same continuation.
    fn choices(
        &mut self,
        branches: &[(ExprId, BlockId)],
        first: NodeId,
        otherwise: Option<BlockId>,
        end: &End,
        span: Span,
    ) {
        for (place, (test, block)) in branches.iter().enumerate() {
            let test_span = self.tree.span(*test);
            let test = if place == 0 { first } else { self.expression(*test) };
            self.branch(test, test_span, |lowering| lowering.block(*block, end, span));
        }
        match otherwise {
            Some(block) => self.block(block, end, span),
            None => self.finish(end, span),
        }
    }
}
