//! Definite errors of assignment: a scalar that is used where no path has assigned it, and a constant or an index that a
//! call may assign.
//!
//! The analysis errs on the side of accepting: at a label that is jumped to, and at the head of a loop, all that is
//! assigned in the block may have been assigned before.

use crate::check::Checked;
use crate::check::entities::{Meaning, Origin, VarId, VarKind};
use crate::flow::effects::{Effects, arguments};
use crate::program::targets::assigned_targets;
use crate::program::units::{BlockId, Item, Node, Program, UnitId};
use crate::program::walk::ad_roots;
use crate::syntax::tree::{Action, ExprId, Mode, Row, Tree};
use std::collections::{BTreeSet, HashSet};
use vlad_core::diagnostic::{Diagnostic, Kind, Report};
use vlad_language::names::Names;

/// Reports uses of variables that nothing has assigned.
pub fn check(
    tree: &Tree,
    program: &Program,
    checked: &Checked,
    effects: &[Effects],
    names: &Names,
    report: &mut Report,
) {
    let anywhere: HashSet<VarId> = assigned_anywhere(tree, program, checked, effects);
    let shared: HashSet<VarId> = effects.iter().flat_map(|effects| effects.may_write.iter().copied()).collect();
    for unit in program.unit_ids() {
        let (anywhere, shared, reported) = (&anywhere, &shared, HashSet::new());
        let mut walk =
            Walk { tree, program, checked, effects, names, report, unit, anywhere, reported, indices: vec![], shared };
        walk.block(program.unit(unit).body, &mut Assigned::default());
        if let Some(result) = checked.entities.scope(unit).result.filter(|result| !anywhere.contains(result)) {
            let about = checked.entities.var(result);
            let message = format!("the function {} never gets a value", names.text(about.name));
            let hint = format!("assign its name: {} = ..", names.text(about.name));
            report.push(Diagnostic::new(Kind::Type, about.span, message).with_hint(hint));
        }
    }
}

/// The variables that may be assigned, in the order in which that was found: what a branch adds can be taken back.
#[derive(Default)]
struct Assigned {
    vars: HashSet<VarId>,
    order: Vec<VarId>,
}

impl Assigned {
    fn insert(&mut self, var: VarId) {
        if self.vars.insert(var) {
            self.order.push(var);
        }
    }

    fn extend(&mut self, vars: impl IntoIterator<Item = VarId>) {
        vars.into_iter().for_each(|var| self.insert(var));
    }

    fn contains(&self, var: VarId) -> bool {
        self.vars.contains(&var)
    }

    fn mark(&self) -> usize {
        self.order.len()
    }

    /// Takes back what has been added since a mark, and returns it.
    fn undo(&mut self, mark: usize) -> Vec<VarId> {
        let added = self.order.split_off(mark);
        for var in &added {
            self.vars.remove(var);
        }
        added
    }
}

/// Returns the variables that are assigned anywhere in the program.
fn assigned_anywhere(tree: &Tree, program: &Program, checked: &Checked, effects: &[Effects]) -> HashSet<VarId> {
    let mut all = HashSet::new();
    for unit in program.unit_ids() {
        program.visit(program.unit(unit).body, &mut |item| {
            assigned_targets(&item.node, &mut |target| {
                if let Meaning::Variable(var) | Meaning::Element(var) = checked.entities.meaning(target) {
                    all.insert(var);
                }
            });
        });
    }
    for site in &checked.sites {
        all.extend(given(tree, checked, effects, site.call, &checked.entities.targets(site.callee)));
    }
    all
}

/// Returns the variables that a call may assign through parameters.
fn given(tree: &Tree, checked: &Checked, effects: &[Effects], call: ExprId, targets: &[UnitId]) -> Vec<VarId> {
    let mut vars = vec![];
    for target in targets {
        let Some(effects) = effects.get(target.0 as usize) else { continue };
        let parameters = &checked.entities.scope(*target).parameters;
        for (argument, parameter) in arguments(tree, call).iter().zip(parameters) {
            if let (Meaning::Variable(var), true) =
                (checked.entities.meaning(*argument), effects.parameters.contains(parameter))
            {
                vars.push(var);
            }
        }
    }
    vars
}

struct Walk<'loading> {
    tree: &'loading Tree,
    program: &'loading Program,
    checked: &'loading Checked,
    effects: &'loading [Effects],
    names: &'loading Names,
    report: &'loading mut Report,
    unit: UnitId,
    anywhere: &'loading HashSet<VarId>,
    reported: HashSet<VarId>,
    /// The indices of the loops around.
    indices: Vec<VarId>,
    /// The variables that subprograms assign from inside.
    shared: &'loading HashSet<VarId>,
}

impl Walk<'_> {
    /// Checks a block, given what may be assigned before, to which what may be assigned in it is added.
    fn block(&mut self, block: BlockId, assigned: &mut Assigned) {
        let program = self.program;
        let items = program.block(block);
        let has_targets =
            items.iter().any(|item| item.label.is_some() && self.checked.targets.items.contains(&item.id));
        if has_targets {
            self.assigned_in(block, assigned);
        }
        for item in items {
            self.item(item, assigned);
        }
    }

    fn assigned_in(&self, block: BlockId, assigned: &mut Assigned) {
        let (tree, checked, effects) = (self.tree, self.checked, self.effects);
        self.program.visit(block, &mut |item| {
            assigned_targets(&item.node, &mut |target| {
                if let Meaning::Variable(var) = checked.entities.meaning(target) {
                    assigned.insert(var);
                }
            });
            item.node.roots(&mut |root| {
                for id in tree.range(root) {
                    if let Meaning::Call(callee) = checked.entities.meaning(id) {
                        assigned.extend(given(tree, checked, effects, id, &checked.entities.targets(callee)));
                    }
                }
            });
        });
    }

    fn item(&mut self, item: &Item, assigned: &mut Assigned) {
        match &item.node {
            Node::Action(Action::Assign(variable, value)) => {
                self.uses(*value, assigned);
                self.assign(*variable, assigned);
            }
            Node::Action(Action::Read(variables)) => {
                variables.iter().for_each(|variable| self.assign(*variable, assigned));
            }
            Node::Action(Action::Foreign { operands, results }) => {
                operands.iter().for_each(|operand| self.uses(*operand, assigned));
                results.iter().for_each(|result| self.assign(*result, assigned));
            }
            Node::Action(Action::Row(row, Row::Begin)) => self.assign(*row, assigned),
            Node::Action(_) => item.node.roots(&mut |root| self.uses(root, assigned)),
            Node::If(branches, otherwise) => {
                let mut after = vec![];
                for (test, block) in branches {
                    self.uses(*test, assigned);
                    let before = assigned.mark();
                    self.block(*block, assigned);
                    after.extend(assigned.undo(before));
                }
                if let Some(block) = otherwise {
                    self.block(*block, assigned);
                }
                assigned.extend(after);
            }
            Node::Do(index, range, body) => {
                range.iter().flatten().for_each(|bound| self.uses(*bound, assigned));
                self.assign(*index, assigned);
                self.assigned_in(*body, assigned);
                let depth = self.indices.len();
                if let Meaning::Variable(var) = self.checked.entities.meaning(*index) {
                    self.indices.push(var);
                }
                self.block(*body, assigned);
                self.indices.truncate(depth);
            }
            Node::While(test, body) => {
                let before = assigned.mark();
                self.uses(*test, assigned);
                assigned.undo(before);
                self.assigned_in(*body, assigned);
                self.block(*body, assigned);
            }
            Node::Ad(mode, opens, _, body) => {
                if *mode == Mode::Forward {
                    ad_roots(opens, &mut |root| self.uses(root, assigned));
                }
                self.block(*body, assigned);
                if *mode == Mode::Reverse {
                    ad_roots(opens, &mut |root| self.uses(root, assigned));
                }
                assigned_targets(&item.node, &mut |target| self.assign(target, assigned));
            }
        }
    }

    /// Reports a constant, or the index of a loop around, that a call may assign.
    fn check_given(&mut self, var: VarId, root: ExprId) {
        let about = self.checked.entities.var(var);
        let what = match about.origin {
            Origin::Constant(_) => "a constant",
            _ if self.indices.contains(&var) => "the index of a DO around",
            _ => return,
        };
        let is_it = |id: &ExprId| self.checked.entities.meaning(*id) == Meaning::Variable(var);
        let place = self.tree.range(root).find(is_it).unwrap_or(root);
        let message = format!("{} is {what}, and the procedure may assign it", self.names.text(about.name));
        let diagnostic = Diagnostic::new(Kind::Type, self.tree.span(place), message);
        self.report.push(diagnostic.with_hint("put it in parentheses, which passes its value"));
    }

    fn assign(&mut self, target: ExprId, assigned: &mut Assigned) {
        match self.checked.entities.meaning(target) {
            Meaning::Variable(var) => {
                assigned.insert(var);
            }
            _ => self.uses(target, assigned),
        }
    }

    fn uses(&mut self, root: ExprId, assigned: &mut Assigned) {
        let entities = &self.checked.entities;
        let mut called = BTreeSet::new();
        for id in self.tree.range(root) {
            if let Meaning::Call(callee) = entities.meaning(id) {
                called.extend(given(self.tree, self.checked, self.effects, id, &entities.targets(callee)));
            }
        }
        for var in &called {
            self.check_given(*var, root);
        }
        assigned.extend(called);
        for id in self.tree.range(root) {
            let Meaning::Variable(var) = entities.meaning(id) else { continue };
            let about = entities.var(var);
            let is_scalar = matches!(about.kind, VarKind::Scalar(_));
            let is_given = matches!(about.origin, Origin::Parameter(_) | Origin::Constant(_) | Origin::Hidden);
            let is_unknown = match about.owner == self.unit && !self.shared.contains(&var) {
                true => !assigned.contains(var),
                false => !self.anywhere.contains(&var),
            };
            if is_scalar && !is_given && is_unknown && self.reported.insert(var) {
                let name = self.names.text(about.name);
                let message = format!("{name} is used here, and nothing has assigned it");
                self.report.push(Diagnostic::new(Kind::Type, self.tree.span(id), message));
            }
        }
    }
}
