//! Blocks of differentiation.
//!
//! A block is a procedure of the variables that it differentiates by, to the variables whose values or derivatives are
//! needed behind it. With I those of the opens of `ADF`, J those of the closes of `ADR`, W those that are needed:
//!
//! - `ADF`: `(j* (lambda (I) block -> W) I I')`;
//! - `ADR`: `(*j (lambda (J) block -> W) J W')`, if the cotangents do not depend on what the block computes; else
//!   `((*j (lambda (J) block -> W)) (*j J))`, whose backpropagator gets the cotangents when the block is done.
//!
//! By checkpointing, `checkpoint-*j` takes the place of `*j` in the first form of `ADR`. The second form has no counterpart:
//! `checkpoint-*j` is given its cotangents before it executes anything.
//!
//! All else that the block reads is captured, and so constant.

use crate::check::entities::{VarId, VarKind};
use crate::lower::Lowering;
use crate::lower::implied::Derivatives;
use crate::lower::parts::End;
use crate::program::targets::differentiated;
use crate::program::units::{BlockId, Item};
use crate::syntax::tree::{AdItem, Mode, Type};
use vlad_core::source::Span;
use vlad_language::ReverseOperator;
use vlad_language::named::{Node, NodeId};
use vlad_language::names::NameId;
use vlad_table::Primitive;

impl Lowering<'_> {
    pub(super) fn differentiated(
        &mut self,
        item: &Item,
        mode: Mode,
        opens: &[AdItem],
        closes: &[AdItem],
        body: BlockId,
    ) {
        match mode {
            Mode::Forward => self.forward(item, opens, closes, body),
            Mode::Reverse => self.reverse(item, opens, closes, body),
        }
        self.is_reached = true;
    }

    /// Returns the variables of a list whose derivatives are given or asked for, each once.
    fn variables(&self, items: &[AdItem]) -> Vec<VarId> {
        let mut vars = vec![];
        differentiated(items, &mut |id| {
            if let Some(var) = self.variable(id)
                && !vars.contains(&var)
            {
                vars.push(var);
            }
        });
        vars
    }

    /// Returns the variables that the procedure of a block returns: those needed behind it, and those of its own
    /// operands whose derivatives are asked for.
    fn results_of_block(&self, item: &Item, operands: &[VarId]) -> Vec<VarId> {
        let mut vars = self.outputs(item.id);
        let asked = self.live().and_then(|live| live.asked.get(&item.id)).cloned().unwrap_or_default();
        for var in asked {
            if operands.contains(&var) && !vars.contains(&var) {
                vars.push(var);
            }
        }
        vars.sort_unstable();
        vars
    }

    /// Returns the procedure of a block, and binds nothing.
    fn block_procedure(&mut self, body: BlockId, operands: &[VarId], results: &[VarId], span: Span) -> NodeId {
        let outer = self.hole;
        let inner = self.named.reserve(span);
        self.hole = inner;
        self.block(body, &End::Values(results.to_vec()), span);
        self.hole = outer;
        let names = self.names_of(operands);
        let pattern = self.pattern(&names, span);
        let lambda = self.lambda(None, pattern, inner, span);
        self.lambda_node(lambda, span)
    }

    fn tuple_of(&mut self, vars: &[VarId], span: Span) -> NodeId {
        let nodes = vars.iter().map(|var| self.var(*var, span)).collect();
        self.tuple(nodes, span)
    }

    fn zero(&mut self, var: VarId, span: Span) -> NodeId {
        match self.checked.entities.var(var).kind {
            VarKind::Scalar(Type::Real | Type::Integer) => self.real(0.0, span),
            VarKind::Scalar(Type::Logical) => self.var(var, span),
            VarKind::Array(..) | VarKind::State | VarKind::Procedure(_) | VarKind::Depth => {
                let value = self.var(var, span);
                self.apply(Primitive::Zero, vec![value], span)
            }
        }
    }

    /// Gives names to the derivatives of variables and begins them with zeros.
    fn begin_derivatives(&mut self, vars: &[VarId], span: Span) -> Derivatives {
        let mut derivatives = Derivatives::new();
        for var in vars {
            let zero = self.zero(*var, span);
            let name = self.bind_fresh(zero, span);
            derivatives.insert(*var, name);
        }
        derivatives
    }

    /// Returns names for the derivatives of results, in order, with those that are asked for.
    fn name_derivatives(&mut self, results: &[VarId]) -> (Vec<NameId>, Derivatives) {
        let names: Vec<NameId> = results.iter().map(|_| self.fresh()).collect();
        let derivatives = results.iter().copied().zip(names.iter().copied()).collect();
        (names, derivatives)
    }

    fn forward(&mut self, item: &Item, opens: &[AdItem], closes: &[AdItem], body: BlockId) {
        let span = item.span;
        let operands = self.variables(opens);
        let results = self.results_of_block(item, &operands);
        let tangents = self.begin_derivatives(&operands, span);
        self.open(opens, &tangents);
        let procedure = self.block_procedure(body, &operands, &results, span);
        let primal = self.tuple_of(&operands, span);
        let given = operands.iter().filter_map(|var| tangents.get(var).copied()).collect::<Vec<_>>();
        let given = given.into_iter().map(|name| self.name(name, span)).collect();
        let tangent = self.tuple(given, span);
        let node = self.apply(Primitive::Forward, vec![procedure, primal, tangent], span);
        let (names, derivatives) = self.name_derivatives(&results);
        let primals = self.names_of(&results);
        let (first, second) = (self.pattern(&primals, span), self.pattern(&names, span));
        let pattern = self.pair_pattern(first, second, span);
        self.bind_pattern(pattern, node, span);
        self.close(closes, &derivatives);
    }

    fn reverse(&mut self, item: &Item, opens: &[AdItem], closes: &[AdItem], body: BlockId) {
        let span = item.span;
        let operands = self.variables(closes);
        let results = self.results_of_block(item, &operands);
        let names = self.names_of(&results);
        let has_discrete = results.iter().any(|var| match &self.checked.entities.var(*var).kind {
            VarKind::Scalar(kind) | VarKind::Array(kind, _) => *kind == Type::Logical,
            VarKind::State => true,
            VarKind::Procedure(_) | VarKind::Depth => false,
        });
        let cotangents = if !has_discrete && self.is_independent(opens, &results) {
            let given = self.begin_derivatives(&results, span);
            self.open(opens, &given);
            let procedure = self.block_procedure(body, &operands, &results, span);
            let primal = self.tuple_of(&operands, span);
            let cotangent = self.cotangent(&results, &given, span);
            let operator = match self.reverse_operator {
                ReverseOperator::Recording => Primitive::Reverse,
                ReverseOperator::Checkpointing => Primitive::Checkpoint,
            };
            let node = self.apply(operator, vec![procedure, primal, cotangent], span);
            let (operand_names, cotangents) = self.name_derivatives(&operands);
            let (first, second) = (self.pattern(&names, span), self.pattern(&operand_names, span));
            let pattern = self.pair_pattern(first, second, span);
            self.bind_pattern(pattern, node, span);
            cotangents
        } else {
            let procedure = self.block_procedure(body, &operands, &results, span);
            let procedure = self.apply(Primitive::TransformReverse, vec![procedure], span);
            let primal = self.tuple_of(&operands, span);
            let primal = self.apply(Primitive::TransformReverse, vec![primal], span);
            let node = self.named.add(Node::Application(procedure, primal), span);
            let (value, back) = (self.fresh(), self.fresh());
            let (first, second) = (self.name_pattern(value, span), self.name_pattern(back, span));
            let pattern = self.pair_pattern(first, second, span);
            self.bind_pattern(pattern, node, span);
            let value = self.name(value, span);
            let value = self.apply(Primitive::InvertReverse, vec![value], span);
            let pattern = self.pattern(&names, span);
            self.bind_pattern(pattern, value, span);
            let given = self.begin_derivatives(&results, span);
            self.open(opens, &given);
            let cotangent = self.cotangent(&results, &given, span);
            let back = self.name(back, span);
            let node = self.named.add(Node::Application(back, cotangent), span);
            let node = self.apply(Primitive::Second, vec![node], span);
            let (operand_names, cotangents) = self.name_derivatives(&operands);
            let pattern = self.pattern(&operand_names, span);
            self.bind_pattern(pattern, node, span);
            cotangents
        };
        self.close(closes, &cotangents);
    }

    fn cotangent(&mut self, results: &[VarId], given: &Derivatives, span: Span) -> NodeId {
        let names: Vec<NameId> = results.iter().filter_map(|var| given.get(var).copied()).collect();
        let nodes = names.into_iter().map(|name| self.name(name, span)).collect();
        self.tuple(nodes, span)
    }
}
