//! Statements without control flow: assignments, calls, input and output.

use crate::check::entities::{Meaning, VarId};
use crate::lower::Lowering;
use crate::syntax::tree::{Action, Expr, ExprId, PrintItem, Row, Type};
use vlad_core::source::Span;
use vlad_language::named::NodeId;
use vlad_language::names::NameId;
use vlad_table::Primitive;

impl Lowering<'_> {
    /// Lowers a statement without control flow.
    pub(super) fn simple(&mut self, span: Span, action: &Action) {
        match action {
            Action::Assign(variable, value) => self.assignment(*variable, *value),
            Action::Call(call) => self.call_statement(*call),
            Action::Read(variables) => variables.iter().for_each(|variable| self.read(*variable)),
            Action::Print(items) => self.print(items, span),
            Action::Row(row, step) => self.row(*row, step, span),
            Action::Foreign { operands, results } => self.foreign_call(operands, results, span),
            Action::Continue
            | Action::Return
            | Action::Stop
            | Action::Goto(_)
            | Action::ComputedGoto(..)
            | Action::ArithmeticIf(..) => {}
        }
    }

    fn assignment(&mut self, variable: ExprId, value: ExprId) {
        match self.checked.entities.meaning(variable) {
            Meaning::Variable(var) => {
                let kind = self.checked.entities.element_type(var);
                let node = self.converted(value, kind);
                self.bind_var(var, node, self.tree.span(variable).to(self.tree.span(value)));
            }
            Meaning::Element(array) => {
                let kind = self.checked.entities.element_type(array);
                let place = self.element_place(variable, array);
                let node = self.converted(value, kind);
                self.set_element(array, place, node, self.tree.span(variable));
            }
            Meaning::None | Meaning::Call(_) | Meaning::Procedure(_) | Meaning::Intrinsic(_) => {}
        }
    }

    /// Returns the place of an element that is assigned; calls in its subscripts are bound before.
    pub(super) fn element_place(&mut self, element: ExprId, array: VarId) -> NodeId {
        let tree = self.tree;
        let Expr::Apply(_, parts) = tree.expr(element) else { return self.nil(tree.span(element)) };
        let written = tree.parts(parts);
        let subscripts = written.iter().map(|part| self.expression(*part)).collect();
        self.place(array, subscripts, written, tree.span(element))
    }

    pub(super) fn set_element(&mut self, array: VarId, place: NodeId, value: NodeId, span: Span) {
        let old = self.var(array, span);
        self.note_element(array, span);
        let new = self.apply(Primitive::VectorSet, vec![old, place, value], span);
        self.bind_var(array, new, span);
    }

    fn call_statement(&mut self, call: ExprId) {
        let tree = self.tree;
        let (Meaning::Call(callee), Expr::Apply(_, parts)) = (self.checked.entities.meaning(call), tree.expr(call))
        else {
            return;
        };
        self.mark_places(call);
        let operand = |part: &ExprId| self.by_reference(*part).unwrap_or_else(|| self.expression(*part));
        let operands = tree.parts(parts).iter().map(operand).collect();
        self.bound_call(call, callee, operands, None, tree.span(call));
    }

    fn read(&mut self, variable: ExprId) {
        let span = self.tree.span(variable);
        let kind = self.checked.entities.type_of(variable);
        let place = match self.checked.entities.meaning(variable) {
            Meaning::Element(array) => {
                let place = self.element_place(variable, array);
                Some((array, self.bind_fresh(place, span)))
            }
            _ => None,
        };
        let value = self.apply(Primitive::ReadReal, vec![], span);
        let name = self.bind_fresh(value, span);
        if kind == Some(Type::Integer) {
            let read = self.name(name, span);
            let whole = self.apply(Primitive::Truncate, vec![read], span);
            let read = self.name(name, span);
            let test = self.apply(Primitive::Equal, vec![read, whole], span);
            self.require(test, "a whole number is expected in the input for an INTEGER", span);
        }
        let mut value = self.name(name, span);
        if kind == Some(Type::Integer) {
            value = self.without_sign_of_zero(value, span);
        }
        match (place, self.checked.entities.meaning(variable)) {
            (Some((array, place)), _) => {
                let place = self.name(place, span);
                self.set_element(array, place, value, span);
            }
            (None, Meaning::Variable(var)) => self.bind_var(var, value, span),
            (None, _) => {}
        }
    }

    fn print(&mut self, items: &[PrintItem], span: Span) {
        let list = self.row_items(items, span);
        let row = self.apply(Primitive::WriteRow, vec![list], span);
        self.effect(row, span);
    }

    /// A step of a `PRINT` with loops: the variable has the list of the items so far, the last one first.
    fn row(&mut self, row: ExprId, step: &Row, span: Span) {
        let Meaning::Variable(var) = self.checked.entities.meaning(row) else { return };
        match step {
            Row::Begin => {
                let none = self.nil(span);
                self.bind_var(var, none, span);
            }
            Row::Add(items) => {
                let added = self.row_items(items, span);
                let added = self.apply_named("reverse", vec![added], span);
                let before = self.var(var, span);
                let list = self.apply_named("append", vec![added, before], span);
                self.bind_var(var, list, span);
            }
            Row::Print => {
                let list = self.var(var, span);
                let list = self.apply_named("reverse", vec![list], span);
                let written = self.apply(Primitive::WriteRow, vec![list], span);
                self.effect(written, span);
            }
        }
    }

    /// Returns the list of the items of a row; calls in them are bound before.
    fn row_items(&mut self, items: &[PrintItem], span: Span) -> NodeId {
        let values: Vec<(PrintItem, Option<NodeId>)> = items
            .iter()
            .map(|item| match item {
                PrintItem::Value(value) => match self.checked.entities.meaning(*value) {
                    Meaning::Variable(var) if self.checked.entities.is_array(var) => (*item, None),
                    _ => (*item, Some(self.expression(*value))),
                },
                PrintItem::Text(_) => (*item, None),
            })
            .collect();
        let mut list = self.nil(span);
        for (item, node) in values.into_iter().rev() {
            list = match (item, node) {
                (PrintItem::Value(value), Some(node)) => {
                    let node = self.printed(node, self.checked.entities.type_of(value), self.tree.span(value));
                    self.cons(node, list, span)
                }
                (PrintItem::Value(value), None) => self.printed_array(value, list),
                (PrintItem::Text(text), _) => {
                    let text = self.tree.texts.get(text as usize).cloned().unwrap_or_default();
                    let text = self.text(&text, span);
                    self.cons(text, list, span)
                }
            };
        }
        list
    }

    /// Returns a value as an item of a row: a truth value is the text T or F.
    fn printed(&mut self, node: NodeId, kind: Option<Type>, span: Span) -> NodeId {
        if kind != Some(Type::Logical) {
            return node;
        }
        let (yes, no) = (self.text("T", span), self.text("F", span));
        self.choice(node, yes, no, span)
    }

    /// Returns the elements of an array before a list of items.
    fn printed_array(&mut self, id: ExprId, list: NodeId) -> NodeId {
        let span = self.tree.span(id);
        let Meaning::Variable(array) = self.checked.entities.meaning(id) else { return list };
        let kind = self.checked.entities.element_type(array);
        let size = self.element_count(array, span);
        self.let_in(vec![size], span, |lowering, size| {
            let size: Vec<NameId> = size.to_vec();
            let (rest, index) = (lowering.fresh(), lowering.fresh());
            let last = size.first().map(|size| lowering.name(*size, span)).unwrap_or_else(|| lowering.nil(span));
            let (counter, one) = (lowering.name(index, span), lowering.real(1.0, span));
            let place = lowering.apply(Primitive::Subtract, vec![last, counter, one], span);
            let vector = lowering.var(array, span);
            let element = lowering.apply(Primitive::Get, vec![vector, place], span);
            let element = lowering.printed(element, Some(kind), span);
            let rest_node = lowering.name(rest, span);
            let body = lowering.cons(element, rest_node, span);
            let pattern = lowering.pattern(&[rest, index], span);
            let lambda = lowering.lambda(None, pattern, body, span);
            let lambda = lowering.lambda_node(lambda, span);
            let count = size.first().map(|size| lowering.name(*size, span)).unwrap_or_else(|| lowering.nil(span));
            lowering.apply_named("ifold", vec![lambda, list, count], span)
        })
    }
}
