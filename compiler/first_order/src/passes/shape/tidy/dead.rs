//! Removal of dead code from a unit, across calls: statements without effect whose targets are not used, unused results
//! and parameters of functions, unused targets and state of binds and loops, unused derivatives.
//!
//! An operation with a dead result makes a node whose accumulator no sweep adds to, and a tangent that nothing reads: at
//! no level does any bit depend on it. Statements that may not end or may bail out are not dead. An argument whose
//! cotangent is not used need not be active: the contributions to other accumulators are the same without its node.
//!
//! Liveness is the reachability of nodes in one graph: those of variables, of results, and of the calls and blocks that are kept. The
//! pass tidies first-order code at all levels, and storage code again once its loops are made.

use crate::effects::{Effect, removable_functions};
use crate::passes::shape::loop_state::retain;
use crate::{Block, End, FunctionId, FunctionTable, Operand, Statement, Storage, Unit, Variable};

/// Removes dead code.
pub fn remove_dead_code(unit: &mut Unit) {
    let liveness = Liveness::of(unit);
    let signatures: FunctionTable<Signature> = unit.ids().map(|id| liveness.signature(unit, id)).collect();
    for id in unit.ids() {
        let (function, signature) = (unit.function_mut(id), &signatures[id]);
        retain_live(&mut function.parameters, &signature.parameters);
        retain_live(&mut function.results, &signature.results);
        let removing = Removing { liveness: &liveness, signatures: &signatures, id };
        removing.block(&mut function.body, &signature.results, &[]);
    }
}

/// Keeps the elements at live places.
fn retain_live<T>(list: &mut Vec<T>, live: &[bool]) {
    retain(list, |place| live.get(place) == Some(&true));
}

/// A node of the graph.
type Node = usize;

/// The node of everything that is used in any case.
const ROOT: Node = 0;

/// The live parameters and results of a function.
struct Signature {
    parameters: Vec<bool>,
    results: Vec<bool>,
    /// For each result, true if it is real.
    reals: Vec<bool>,
}

/// The live nodes, and the graph until they are known.
struct Liveness {
    /// The node of the first variable of each function; its results follow the variables.
    first: FunctionTable<Node>,
    edges: Vec<Vec<Node>>,
    live: Vec<bool>,
    /// For each function, true if calls of it can be removed.
    removable: FunctionTable<bool>,
}

/// The nodes behind the ends of a block in tail position.
#[derive(Clone, Copy)]
struct Construct<'nodes> {
    /// The construct itself: live if it is kept.
    kept: Node,
    results: &'nodes [Node],
    state: &'nodes [Node],
}

impl Liveness {
    fn of(unit: &Unit) -> Liveness {
        let mut next = ROOT + 1;
        let mut first = FunctionTable::default();
        for function in &unit.functions {
            first.push(next);
            next += function.variables.len() + function.results.len();
        }
        let edges = vec![Vec::new(); next];
        let mut liveness = Liveness { first, edges, live: Vec::new(), removable: removable_functions(unit) };
        for (id, function) in unit.ids().zip(&unit.functions) {
            let results: Vec<Node> =
                (0..function.results.len()).map(|place| liveness.result(unit, id, place)).collect();
            if unit.entry.is_none_or(|entry| entry == id) {
                results.iter().for_each(|result| liveness.edge(ROOT, *result));
                let parameters = function.parameters.iter().filter(|_| unit.entry.is_none());
                parameters.for_each(|parameter| liveness.edge(ROOT, liveness.variable(id, *parameter)));
            }
            liveness.block(unit, id, &function.body, Construct { kept: ROOT, results: &results, state: &[] });
        }
        liveness.propagate();
        liveness
    }

    fn propagate(&mut self) {
        self.live = vec![false; self.edges.len()];
        let mut pending = vec![ROOT];
        while let Some(node) = pending.pop() {
            if let Some(live @ false) = self.live.get_mut(node) {
                *live = true;
                pending.extend(self.edges.get(node).into_iter().flatten());
            }
        }
    }

    fn variable(&self, function: FunctionId, variable: Variable) -> Node {
        self.first[function] + variable.0 as usize
    }

    fn result(&self, unit: &Unit, function: FunctionId, place: usize) -> Node {
        self.first[function] + unit.function(function).variables.len() + place
    }

    fn is_live(&self, function: FunctionId, variable: Variable) -> bool {
        self.live.get(self.variable(function, variable)) == Some(&true)
    }

    fn signature(&self, unit: &Unit, id: FunctionId) -> Signature {
        let function = unit.function(id);
        let is_live = |place: usize| self.live.get(self.result(unit, id, place)) == Some(&true);
        Signature {
            parameters: function.parameters.iter().map(|parameter| self.is_live(id, *parameter)).collect(),
            results: (0..function.results.len()).map(is_live).collect(),
            reals: function.results.iter().map(|kind| kind.is_differentiable()).collect(),
        }
    }

    fn node(&mut self) -> Node {
        self.edges.push(Vec::new());
        self.edges.len() - 1
    }

    fn edge(&mut self, from: Node, to: Node) {
        if let Some(edges) = self.edges.get_mut(from) {
            edges.push(to);
        }
    }

    /// Adds the edges from nodes to the operands at the same places.
    fn edges(&mut self, function: FunctionId, from: &[Node], to: &[Operand]) {
        for (from, to) in from.iter().zip(to) {
            self.use_from(function, *from, *to);
        }
    }

    fn use_from(&mut self, function: FunctionId, from: Node, operand: Operand) {
        if let Operand::Variable(variable) = operand {
            self.edge(from, self.variable(function, variable));
        }
    }

    fn block(&mut self, unit: &Unit, id: FunctionId, block: &Block, construct: Construct<'_>) {
        for statement in &block.statements {
            self.statement(unit, id, statement);
        }
        match &block.end {
            End::Yield(values) => self.edges(id, construct.results, values),
            End::Repeat(values) => self.edges(id, construct.state, values),
            End::Branch { test, consequent, alternative } => {
                self.use_from(id, construct.kept, *test);
                self.block(unit, id, consequent, construct);
                self.block(unit, id, alternative, construct);
            }
            End::BailOut(_) => {}
        }
    }

    fn statement(&mut self, unit: &Unit, id: FunctionId, statement: &Statement) {
        let targets: Vec<Node> = statement.targets().iter().map(|target| self.variable(id, *target)).collect();
        match statement.effect() {
            Effect::Value | Effect::Structure | Effect::Replace | Effect::Changing | Effect::Load | Effect::Steps => {
                for target in targets {
                    statement.operands().into_iter().for_each(|operand| self.use_from(id, target, operand));
                }
            }
            Effect::Store | Effect::Count | Effect::Recount | Effect::Records | Effect::World => {
                statement.operands().into_iter().for_each(|operand| self.use_from(id, ROOT, operand));
            }
            Effect::Nested | Effect::Repeated => self.nested(unit, id, statement, &targets),
            Effect::Call => self.called(unit, id, statement, &targets),
        }
    }

    fn nested(&mut self, unit: &Unit, id: FunctionId, statement: &Statement, targets: &[Node]) {
        let Some(block) = statement.block() else { return };
        if let Statement::Loop { state, initial, .. } = statement {
            let state: Vec<Node> = state.iter().map(|variable| self.variable(id, *variable)).collect();
            self.edges(id, &state, initial);
            return self.block(unit, id, block, Construct { kept: ROOT, results: targets, state: &state });
        }
        let kept = self.node();
        if !block.is_removable(&self.removable) {
            self.edge(ROOT, kept);
        }
        targets.iter().for_each(|target| self.edge(*target, kept));
        if let Statement::Storage(Storage::For { variables, initial, end, listed, .. }) = statement {
            let listed = listed.iter().flat_map(|(test, items)| items.iter().chain([test]));
            [initial.first(), Some(end)]
                .into_iter()
                .flatten()
                .chain(listed)
                .for_each(|operand| self.use_from(id, kept, *operand));
            let state: Vec<Node> = variables.iter().skip(1).map(|variable| self.variable(id, *variable)).collect();
            targets.iter().zip(&state).for_each(|(target, state)| self.edge(*target, *state));
            self.edges(id, &state, initial.get(1..).unwrap_or_default());
            return self.block(unit, id, block, Construct { kept, results: &[], state: &state });
        }
        statement.operands().into_iter().for_each(|operand| self.use_from(id, kept, operand));
        self.block(unit, id, block, Construct { kept, results: targets, state: &[] });
    }

    fn called(&mut self, unit: &Unit, id: FunctionId, statement: &Statement, targets: &[Node]) {
        let Some(callee) = statement.callee() else { return };
        let kept = self.call(unit, callee, targets);
        let parameters = &unit.function(callee).parameters;
        let parameters: Vec<Node> = parameters.iter().map(|parameter| self.variable(callee, *parameter)).collect();
        self.edges(id, &parameters, &statement.operands());
        if let Statement::Forward { tangents, .. } = statement {
            for (parameter, tangent) in parameters.iter().zip(tangents) {
                tangent.iter().for_each(|tangent| self.use_from(id, *parameter, *tangent));
            }
        }
        if let Statement::Reverse { active, cotangents, .. } = statement {
            // Every result has its cotangent, and every cotangent that is used its argument.
            let results = unit.function(callee).results.len();
            (0..results).for_each(|place| self.edge(kept, self.result(unit, callee, place)));
            cotangents.iter().for_each(|cotangent| self.use_from(id, kept, *cotangent));
            let active = parameters.iter().zip(active).filter(|(_, active)| **active);
            for (target, (parameter, _)) in targets.iter().skip(results).zip(active) {
                self.edge(*target, *parameter);
            }
        }
    }

    /// Adds the edges of the targets of a call: its results, then tangents of the real ones; cotangents follow none.
    /// Returns the node of the call itself.
    fn call(&mut self, unit: &Unit, function: FunctionId, targets: &[Node]) -> Node {
        let kept = self.node();
        if !self.removable[function] {
            self.edge(ROOT, kept);
        }
        targets.iter().for_each(|target| self.edge(*target, kept));
        let kinds = &unit.function(function).results;
        let is_differentiable = |place: &usize| kinds.get(*place).is_some_and(|kind| kind.is_differentiable());
        let reals = (0..kinds.len()).filter(is_differentiable);
        for (target, place) in targets.iter().zip((0..kinds.len()).chain(reals)) {
            self.edge(*target, self.result(unit, function, place));
        }
        kept
    }
}

/// The removal of dead code from one function.
struct Removing<'unit> {
    liveness: &'unit Liveness,
    signatures: &'unit FunctionTable<Signature>,
    id: FunctionId,
}

impl Removing<'_> {
    fn is_live(&self, variable: &Variable) -> bool {
        self.liveness.is_live(self.id, *variable)
    }

    fn are_live(&self, variables: &[Variable]) -> Vec<bool> {
        variables.iter().map(|variable| self.is_live(variable)).collect()
    }

    /// Removes dead code from a block in tail position of a construct, of which some results and state are kept.
    fn block(&self, block: &mut Block, results: &[bool], state: &[bool]) {
        block.statements.retain_mut(|statement| self.statement(statement));
        match &mut block.end {
            End::Yield(values) => retain_live(values, results),
            End::Repeat(values) => retain_live(values, state),
            End::Branch { consequent, alternative, .. } => {
                self.block(consequent, results, state);
                self.block(alternative, results, state);
            }
            End::BailOut(_) => {}
        }
    }

    /// Removes the dead parts of a statement; returns false if the whole statement is dead. [`Statement::Parts`] keeps all of its targets.
    fn statement(&self, statement: &mut Statement) -> bool {
        let live = self.are_live(statement.targets());
        if !live.contains(&true) && statement.is_removable(&self.liveness.removable) {
            return false;
        }
        if let Some(callee) = statement.callee() {
            self.call(&self.signatures[callee], &live, statement);
        }
        if let Statement::Bind { targets, block } | Statement::Build { targets, body: block, .. } = statement {
            retain_live(targets, &live);
            self.block(block, &live, &[]);
        }
        if let Statement::Loop { targets, state, initial, body } = statement {
            let of_state = self.are_live(state);
            retain_live(targets, &live);
            retain_live(state, &of_state);
            retain_live(initial, &of_state);
            self.block(body, &live, &of_state);
        }
        if let Statement::Storage(Storage::For { targets, variables, initial, body, .. }) = statement {
            let of_all: Vec<bool> =
                variables.iter().enumerate().map(|(place, variable)| place == 0 || self.is_live(variable)).collect();
            let of_state = of_all.get(1..).unwrap_or_default();
            retain_live(targets, of_state);
            retain_live(variables, &of_all);
            retain_live(initial, &of_all);
            self.block(body, &[], of_state);
        }
        true
    }

    /// Removes dead arguments and results of a call. A call with dead derivatives becomes a plain one.
    fn call(&self, Signature { parameters, results, reals }: &Signature, live: &[bool], statement: &mut Statement) {
        if let Statement::Call { targets, arguments, .. } = statement {
            retain_live(targets, results);
            return retain_live(arguments, parameters);
        }
        if let Statement::Forward { targets, arguments, tangents, .. } = statement {
            let of_tangents = results.iter().zip(reals).filter(|(_, real)| **real).map(|(result, _)| *result);
            let keep: Vec<bool> = results.iter().copied().chain(of_tangents).collect();
            retain_live(targets, &keep);
            retain_live(arguments, parameters);
            retain_live(tangents, parameters);
        }
        if let Statement::Reverse { targets, arguments, active, .. } = statement {
            // All results are live: each has its cotangent.
            for (active, target) in active.iter_mut().filter(|active| **active).zip(results.len()..) {
                *active = live.get(target) == Some(&true);
            }
            retain(targets, |place| place < results.len() || live.get(place) == Some(&true));
            retain_live(arguments, parameters);
            retain_live(active, parameters);
        }
        let has_derivatives = live.iter().skip(results.len()).any(|live| *live);
        if let Statement::Forward { targets, arguments, function, .. }
        | Statement::Reverse { targets, arguments, function, .. } = statement
            && !has_derivatives
        {
            targets.truncate(results.iter().filter(|result| **result).count());
            let (targets, arguments) = (std::mem::take(targets), std::mem::take(arguments));
            *statement = Statement::Call { targets, function: *function, arguments };
        }
    }
}
