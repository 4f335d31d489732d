//! `READ` and `PRINT` with loops in their lists.
//!
//! A list without loops is one action. `READ *, a, (b, I = 1, N)` is `READ *, a` and a `DO` around `READ *, b`, since `READ`
//! does not mind line ends. `PRINT` writes one line: its items are collected in a variable that no program can name.
//! So the index of such a loop is a variable of the program, as that of any `DO`.

use crate::program::nesting::Nester;
use crate::program::units::{BlockId, Node};
use crate::syntax::tree::{Action, Expr, ExprId, Label, ListItem, Occurrence, PrintItem, Row, Transfer};
use vlad_core::source::Span;

/// Returns the items of a list that has no loops.
fn singles<T: Copy>(items: &[ListItem<T>]) -> Option<Vec<T>> {
    let single = |item: &ListItem<T>| match item {
        ListItem::Single(item) => Some(*item),
        ListItem::Implied { .. } => None,
    };
    items.iter().map(single).collect()
}

impl Nester<'_> {
    /// Adds the statements of a `READ` or `PRINT` to a block.
    pub(super) fn transfer(&mut self, block: BlockId, transfer: Transfer, label: Option<Label>, span: Span) {
        match transfer {
            Transfer::Read(items) => match singles(&items) {
                Some(variables) => self.push(block, Node::Action(Action::Read(variables)), label, span),
                None => {
                    self.push_label(block, label, span);
                    self.spread(block, items, span, &|variables| Action::Read(variables));
                }
            },
            Transfer::Print(items) => match singles(&items) {
                Some(items) => self.push(block, Node::Action(Action::Print(items)), label, span),
                None => {
                    let row = self.row(span);
                    self.push(block, Node::Action(Action::Row(row, Row::Begin)), label, span);
                    self.spread(block, items, span, &|items: Vec<PrintItem>| Action::Row(row, Row::Add(items)));
                    self.push(block, Node::Action(Action::Row(row, Row::Print)), None, span);
                }
            },
        }
    }

    fn push_label(&mut self, block: BlockId, label: Option<Label>, span: Span) {
        if label.is_some() {
            self.push(block, Node::Action(Action::Continue), label, span);
        }
    }

    /// Makes the variable of the items of a `PRINT`.
    fn row(&mut self, span: Span) -> ExprId {
        let name = self.names.hidden("row");
        self.add_row(Occurrence { name, span });
        self.tree.add(Expr::Name(name), span)
    }

    /// Adds the actions of a list to a block, with a `DO` for each loop. Lists nest as deep as the words allow.
    fn spread<T: Copy>(
        &mut self,
        block: BlockId,
        items: Vec<ListItem<T>>,
        span: Span,
        action: &impl Fn(Vec<T>) -> Action,
    ) {
        let mut pending = vec![];
        for item in items {
            match item {
                ListItem::Single(item) => pending.push(item),
                ListItem::Implied { items, index, range } => {
                    if !pending.is_empty() {
                        self.push(block, Node::Action(action(std::mem::take(&mut pending))), None, span);
                    }
                    let body = self.add_block();
                    self.spread(body, items, span, action);
                    self.push(block, Node::Do(index, range, body), None, span);
                }
            }
        }
        if !pending.is_empty() {
            self.push(block, Node::Action(action(pending)), None, span);
        }
    }
}
