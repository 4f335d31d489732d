//! The labels and jumps of subprograms.
//!
//! A jump leads to a statement of the same block or of one around it; so never into a block, and never out of a block of
//! differentiation.

use crate::program::units::{BlockId, ItemId, Node, Program, UnitKind};
use crate::syntax::tree::{Action, Label};
use rustc_hash::FxHashMap;
use std::collections::HashSet;
use vlad_core::diagnostic::{Diagnostic, Kind, Report};

/// The labelled statements that are jumped to, by the numbers of their labels, for each subprogram.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    /// The statements that are jumped to, which begin blocks of control flow.
    pub items: HashSet<ItemId>,
    /// For each block with jumps, the statement of each label that is jumped to from it.
    pub of_jump: FxHashMap<(ItemId, u32), ItemId>,
    /// The statements `STOP` that end the run in a subprogram; that of the main program is a jump to its end.
    pub stops: HashSet<ItemId>,
}

/// A block that is open, with the labels in it.
struct Open {
    labels: FxHashMap<u32, ItemId>,
    /// True for the block of a differentiation, which is not left.
    is_closed: bool,
}

/// Finds the targets of all jumps; errors are reported.
pub fn check(program: &Program, report: &mut Report) -> Targets {
    let mut targets = Targets::default();
    for unit in program.unit_ids() {
        let mut all: FxHashMap<u32, Label> = FxHashMap::default();
        program.visit(program.unit(unit).body, &mut |item| {
            let Some(label) = item.label else { return };
            if let Some(first) = all.insert(label.number, label) {
                let message = format!("the label {} stands twice in this subprogram", label.number);
                report.push(
                    Diagnostic::new(Kind::Duplicate, label.span, message).with_label(first.span, "the first one"),
                );
            }
        });
        let mut walk =
            Walk { program, report, all: &all, open: vec![], kind: program.unit(unit).kind, targets: &mut targets };
        walk.block(program.unit(unit).body, false);
    }
    targets
}

struct Walk<'loading> {
    program: &'loading Program,
    report: &'loading mut Report,
    all: &'loading FxHashMap<u32, Label>,
    open: Vec<Open>,
    kind: UnitKind,
    targets: &'loading mut Targets,
}

impl Walk<'_> {
    fn block(&mut self, block: BlockId, is_closed: bool) {
        let program = self.program;
        let labels = program.block(block).iter().filter_map(|item| Some((item.label?.number, item.id))).collect();
        self.open.push(Open { labels, is_closed });
        for item in program.block(block) {
            match &item.node {
                Node::Action(action) => match action {
                    Action::Goto(label) => self.jump(item.id, *label),
                    Action::ComputedGoto(labels, _) => labels.iter().for_each(|label| self.jump(item.id, *label)),
                    Action::ArithmeticIf(_, labels) => labels.iter().for_each(|label| self.jump(item.id, *label)),
                    Action::Return | Action::Stop if self.open.iter().any(|open| open.is_closed) => {
                        let message = "a block of differentiation is not left by RETURN or STOP";
                        self.report.push(Diagnostic::new(Kind::Syntax, item.span, message));
                    }
                    Action::Stop if self.kind != UnitKind::Program => {
                        self.targets.stops.insert(item.id);
                    }
                    Action::Assign(..)
                    | Action::Call(_)
                    | Action::Continue
                    | Action::Return
                    | Action::Stop
                    | Action::Read(_)
                    | Action::Print(_)
                    | Action::Row(..)
                    | Action::Foreign { .. } => {}
                },
                Node::If(..) | Node::Do(..) | Node::While(..) => {
                    item.node.blocks().into_iter().for_each(|block| self.block(block, false));
                }
                Node::Ad(_, _, _, body) => self.block(*body, true),
            }
        }
        self.open.pop();
    }

    fn jump(&mut self, from: ItemId, label: Label) {
        let mut leaves = false;
        for open in self.open.iter().rev() {
            if let Some(target) = open.labels.get(&label.number) {
                if leaves {
                    let message = "a block of differentiation is not left by a jump";
                    self.report.push(Diagnostic::new(Kind::Syntax, label.span, message));
                }
                self.targets.items.insert(*target);
                self.targets.of_jump.insert((from, label.number), *target);
                return;
            }
            leaves |= open.is_closed;
        }
        let diagnostic = match self.all.get(&label.number) {
            Some(target) => {
                let message = format!("the label {} stands in a block that this jump would enter", label.number);
                Diagnostic::new(Kind::Syntax, label.span, message).with_label(target.span, "the label")
            }
            None => Diagnostic::new(Kind::Unbound, label.span, format!("there is no label {}", label.number)),
        };
        self.report.push(diagnostic);
    }
}
