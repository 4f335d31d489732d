//! Removal of dead code from a unit, across calls: statements without effect whose targets are not used, unused results
//! and parameters of functions, unused targets and state of binds and loops, unused derivatives.
//!
//! An operation with a dead result makes a node whose accumulator no sweep adds to, and a tangent that nothing reads: at
//! no level does any bit depend on it. Statements that may not end or may bail out are not dead. An argument whose
//! cotangent is not used need not be active: the contributions to other accumulators are the same without its node.
//!
//! Liveness is the reachability of nodes in one graph: those of variables, results, and calls and binds that are kept.

use crate::first_order::call_graph::{block_is_removable, removable};
use crate::first_order::passes::shape::loop_state::retain;
use crate::first_order::{Block, End, FunctionId, Operand, Statement, Unit, Variable};

/// Removes dead code.
pub fn remove_dead_code(unit: &mut Unit) {
    let liveness = Liveness::of(unit);
    let signatures: Vec<Signature> = (0..unit.functions.len()).map(|number| liveness.signature(unit, number)).collect();
    for (number, function) in unit.functions.iter_mut().enumerate() {
        let Some(signature) = signatures.get(number) else { continue };
        retain(&mut function.parameters, |place| signature.parameters.get(place) == Some(&true));
        retain(&mut function.results, |place| signature.results.get(place) == Some(&true));
        let removing = Removing { liveness: &liveness, signatures: &signatures, number };
        let keep: Vec<bool> = signature.results.clone();
        removing.block(&mut function.body, &keep, &[]);
    }
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
    first: Vec<Node>,
    edges: Vec<Vec<Node>>,
    live: Vec<bool>,
    /// For each function, true if calls of it can be removed.
    removable: Vec<bool>,
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
        let mut first = Vec::with_capacity(unit.functions.len());
        let mut next = ROOT + 1;
        for function in &unit.functions {
            first.push(next);
            next += function.variables.len() + function.results.len();
        }
        let removable = removable(unit);
        let mut liveness = Liveness { first, edges: vec![Vec::new(); next], live: Vec::new(), removable };
        for (number, function) in unit.functions.iter().enumerate() {
            let results: Vec<Node> =
                (0..function.results.len()).map(|place| liveness.result(unit, number, place)).collect();
            if unit.entry.is_none_or(|entry| entry.0 as usize == number) {
                results.iter().for_each(|result| liveness.edge(ROOT, *result));
                let parameters = function.parameters.iter().filter(|_| unit.entry.is_none());
                parameters.for_each(|parameter| liveness.edge(ROOT, liveness.variable(number, *parameter)));
            }
            liveness.block(unit, number, &function.body, Construct { kept: ROOT, results: &results, state: &[] });
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

    fn first(&self, function: usize) -> Node {
        self.first.get(function).copied().unwrap_or(ROOT)
    }

    fn variable(&self, function: usize, variable: Variable) -> Node {
        self.first(function) + variable.0 as usize
    }

    fn result(&self, unit: &Unit, function: usize, place: usize) -> Node {
        self.first(function) + unit.function(FunctionId(function as u32)).variables.len() + place
    }

    fn is_live(&self, function: usize, variable: Variable) -> bool {
        self.live.get(self.variable(function, variable)) == Some(&true)
    }

    fn signature(&self, unit: &Unit, number: usize) -> Signature {
        let function = unit.function(FunctionId(number as u32));
        let is_live = |place: usize| self.live.get(self.result(unit, number, place)) == Some(&true);
        Signature {
            parameters: function.parameters.iter().map(|parameter| self.is_live(number, *parameter)).collect(),
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
    fn edges(&mut self, function: usize, from: &[Node], to: &[Operand]) {
        for (from, to) in from.iter().zip(to) {
            self.use_from(function, *from, *to);
        }
    }

    fn use_from(&mut self, function: usize, from: Node, operand: Operand) {
        if let Operand::Variable(variable) = operand {
            self.edge(from, self.variable(function, variable));
        }
    }

    fn block(&mut self, unit: &Unit, number: usize, block: &Block, construct: Construct<'_>) {
        for statement in &block.statements {
            self.statement(unit, number, statement);
        }
        match &block.end {
            End::Yield(values) => self.edges(number, construct.results, values),
            End::Repeat(values) => self.edges(number, construct.state, values),
            End::Branch { test, consequent, alternative } => {
                self.use_from(number, construct.kept, *test);
                self.block(unit, number, consequent, construct);
                self.block(unit, number, alternative, construct);
            }
            End::BailOut(_) => {}
        }
    }

    fn statement(&mut self, unit: &Unit, number: usize, statement: &Statement) {
        let targets: Vec<Node> = statement.targets().iter().map(|target| self.variable(number, *target)).collect();
        match statement {
            Statement::Operation { .. }
            | Statement::PositiveZero { .. }
            | Statement::Compare { .. }
            | Statement::Input { .. }
            | Statement::Steps { .. }
            | Statement::Array { .. }
            | Statement::Element { .. }
            | Statement::Length { .. }
            | Statement::IsIndex { .. }
            | Statement::Replace { .. }
            | Statement::CompareArrays { .. }
            | Statement::Zeros { .. }
            | Statement::Accumulators { .. }
            | Statement::Cell { .. }
            | Statement::Parts { .. }
            | Statement::Load { .. } => {
                for target in targets {
                    statement.operands().into_iter().for_each(|operand| self.use_from(number, target, operand));
                }
            }
            Statement::Read { .. }
            | Statement::Pop { .. }
            | Statement::Tape { .. }
            | Statement::Write { .. }
            | Statement::Push { .. }
            | Statement::Store { .. }
            | Statement::Recount { .. }
            | Statement::Count { .. } => {
                statement.operands().into_iter().for_each(|operand| self.use_from(number, ROOT, operand));
            }
            Statement::Bind { block, .. } => {
                let kept = self.node();
                if !block_is_removable(block, &self.removable) {
                    self.edge(ROOT, kept);
                }
                targets.iter().for_each(|target| self.edge(*target, kept));
                self.block(unit, number, block, Construct { kept, results: &targets, state: &[] });
            }
            Statement::Build { length, body, .. } => {
                let kept = self.node();
                if !block_is_removable(body, &self.removable) {
                    self.edge(ROOT, kept);
                }
                targets.iter().for_each(|target| self.edge(*target, kept));
                self.use_from(number, kept, *length);
                self.block(unit, number, body, Construct { kept, results: &targets, state: &[] });
            }
            Statement::Loop { state, initial, body, .. } => {
                let state: Vec<Node> = state.iter().map(|variable| self.variable(number, *variable)).collect();
                self.edges(number, &state, initial);
                self.block(unit, number, body, Construct { kept: ROOT, results: &targets, state: &state });
            }
            Statement::Call { function, arguments, .. } => {
                self.call(unit, *function, &targets);
                let parameters = self.parameters(unit, *function);
                self.edges(number, &parameters, arguments);
            }
            Statement::Forward { function, arguments, tangents, .. } => {
                self.call(unit, *function, &targets);
                let parameters = self.parameters(unit, *function);
                self.edges(number, &parameters, arguments);
                for (parameter, tangent) in parameters.iter().zip(tangents) {
                    tangent.iter().for_each(|tangent| self.use_from(number, *parameter, *tangent));
                }
            }
            Statement::Reverse { function, arguments, active, cotangents, .. } => {
                let kept = self.call(unit, *function, &targets);
                let parameters = self.parameters(unit, *function);
                self.edges(number, &parameters, arguments);
                // Every result has its cotangent, and every cotangent that is used its argument.
                let callee = function.0 as usize;
                let results = unit.function(*function).results.len();
                (0..results).for_each(|place| self.edge(kept, self.result(unit, callee, place)));
                cotangents.iter().for_each(|cotangent| self.use_from(number, kept, *cotangent));
                let active = parameters.iter().zip(active).filter(|(_, active)| **active);
                for (target, (parameter, _)) in targets.iter().skip(results).zip(active) {
                    self.edge(*target, *parameter);
                }
            }
        }
    }

    fn parameters(&self, unit: &Unit, function: FunctionId) -> Vec<Node> {
        let parameters = &unit.function(function).parameters;
        parameters.iter().map(|parameter| self.variable(function.0 as usize, *parameter)).collect()
    }

    /// Adds the edges of the targets of a call: its results, then tangents of the real ones; cotangents follow none.
    /// Returns the node of the call itself.
    fn call(&mut self, unit: &Unit, function: FunctionId, targets: &[Node]) -> Node {
        let kept = self.node();
        if self.removable.get(function.0 as usize) != Some(&true) {
            self.edge(ROOT, kept);
        }
        targets.iter().for_each(|target| self.edge(*target, kept));
        let kinds = &unit.function(function).results;
        let is_differentiable = |place: &usize| kinds.get(*place).is_some_and(|kind| kind.is_differentiable());
        let reals = (0..kinds.len()).filter(is_differentiable);
        for (target, place) in targets.iter().zip((0..kinds.len()).chain(reals)) {
            self.edge(*target, self.result(unit, function.0 as usize, place));
        }
        kept
    }
}

/// The removal of dead code from one function.
struct Removing<'unit> {
    liveness: &'unit Liveness,
    signatures: &'unit [Signature],
    number: usize,
}

impl Removing<'_> {
    fn is_live(&self, variable: &Variable) -> bool {
        self.liveness.is_live(self.number, *variable)
    }

    fn are_live(&self, variables: &[Variable]) -> Vec<bool> {
        variables.iter().map(|variable| self.is_live(variable)).collect()
    }

    /// Removes dead code from a block in tail position of a construct, of which some results and state are kept.
    fn block(&self, block: &mut Block, results: &[bool], state: &[bool]) {
        block.statements.retain_mut(|statement| self.statement(statement));
        match &mut block.end {
            End::Yield(values) => retain(values, |place| results.get(place) == Some(&true)),
            End::Repeat(values) => retain(values, |place| state.get(place) == Some(&true)),
            End::Branch { consequent, alternative, .. } => {
                self.block(consequent, results, state);
                self.block(alternative, results, state);
            }
            End::BailOut(_) => {}
        }
    }

    /// Removes what is dead in a statement; returns false if all of it is.
    fn statement(&self, statement: &mut Statement) -> bool {
        match statement {
            Statement::Operation { target, .. }
            | Statement::PositiveZero { target, .. }
            | Statement::Compare { target, .. }
            | Statement::Input { target, .. }
            | Statement::Steps { target }
            | Statement::Array { target, .. }
            | Statement::Element { target, .. }
            | Statement::Length { target, .. }
            | Statement::IsIndex { target, .. }
            | Statement::Replace { target, .. }
            | Statement::CompareArrays { target, .. }
            | Statement::Zeros { target, .. }
            | Statement::Accumulators { target, .. }
            | Statement::Cell { target, .. }
            | Statement::Load { target, .. } => self.is_live(target),
            // All parts are read, or none.
            Statement::Parts { targets, .. } => self.are_live(targets).contains(&true),
            Statement::Read { .. }
            | Statement::Pop { .. }
            | Statement::Tape { .. }
            | Statement::Write { .. }
            | Statement::Push { .. }
            | Statement::Store { .. }
            | Statement::Recount { .. }
            | Statement::Count { .. } => true,
            Statement::Bind { targets, block } | Statement::Build { targets, body: block, .. } => {
                let live = self.are_live(targets);
                if !live.contains(&true) && block_is_removable(block, &self.liveness.removable) {
                    return false;
                }
                retain(targets, |place| live.get(place) == Some(&true));
                self.block(block, &live, &[]);
                true
            }
            Statement::Loop { targets, state, initial, body } => {
                let (live, of_state) = (self.are_live(targets), self.are_live(state));
                retain(targets, |place| live.get(place) == Some(&true));
                retain(state, |place| of_state.get(place) == Some(&true));
                retain(initial, |place| of_state.get(place) == Some(&true));
                self.block(body, &live, &of_state);
                true
            }
            Statement::Call { .. } | Statement::Forward { .. } | Statement::Reverse { .. } => self.call(statement),
        }
    }

    fn call(&self, statement: &mut Statement) -> bool {
        let Some(callee) = statement.callee() else { return true };
        let live = self.are_live(statement.targets());
        if !live.contains(&true) && self.liveness.removable.get(callee.0 as usize) == Some(&true) {
            return false;
        }
        let Some(Signature { parameters, results, reals }) = self.signatures.get(callee.0 as usize) else {
            return true;
        };
        let is_passed = |place: usize| parameters.get(place) == Some(&true);
        let is_result = |place: usize| results.get(place) == Some(&true);
        let has_derivatives = live.iter().skip(results.len()).any(|live| *live);
        match statement {
            Statement::Call { targets, arguments, .. } => {
                retain(targets, is_result);
                retain(arguments, is_passed);
            }
            Statement::Forward { targets, arguments, tangents, function } => {
                let of_tangents = results.iter().zip(reals).filter(|(_, real)| **real).map(|(result, _)| *result);
                let keep: Vec<bool> = results.iter().copied().chain(of_tangents).collect();
                retain(targets, |place| keep.get(place) == Some(&true));
                retain(arguments, is_passed);
                retain(tangents, is_passed);
                if !has_derivatives {
                    targets.truncate(results.iter().filter(|result| **result).count());
                    let (targets, arguments) = (std::mem::take(targets), std::mem::take(arguments));
                    *statement = Statement::Call { targets, function: *function, arguments };
                }
            }
            Statement::Reverse { targets, arguments, active, function, .. } => {
                // All results are live: each has its cotangent.
                for (active, target) in active.iter_mut().filter(|active| **active).zip(results.len()..) {
                    *active = live.get(target) == Some(&true);
                }
                retain(targets, |place| place < results.len() || live.get(place) == Some(&true));
                retain(arguments, is_passed);
                retain(active, is_passed);
                if !has_derivatives {
                    let (targets, arguments) = (std::mem::take(targets), std::mem::take(arguments));
                    *statement = Statement::Call { targets, function: *function, arguments };
                }
            }
            Statement::Operation { .. }
            | Statement::PositiveZero { .. }
            | Statement::Compare { .. }
            | Statement::Bind { .. }
            | Statement::Loop { .. }
            | Statement::Input { .. }
            | Statement::Read { .. }
            | Statement::Write { .. }
            | Statement::Push { .. }
            | Statement::Pop { .. }
            | Statement::Tape { .. }
            | Statement::Build { .. }
            | Statement::Array { .. }
            | Statement::Element { .. }
            | Statement::Length { .. }
            | Statement::IsIndex { .. }
            | Statement::Replace { .. }
            | Statement::CompareArrays { .. }
            | Statement::Zeros { .. }
            | Statement::Accumulators { .. }
            | Statement::Load { .. }
            | Statement::Store { .. }
            | Statement::Steps { .. }
            | Statement::Recount { .. }
            | Statement::Cell { .. }
            | Statement::Parts { .. }
            | Statement::Count { .. } => {}
        }
        true
    }
}
