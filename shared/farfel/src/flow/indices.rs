//! Indices of loops that procedures assign through scope while the loop runs.
//!
//! A nested subprogram that assigns an undeclared `I` shares it with all others. Where no program can tell,
//! [`super::separate`] has given each a variable of its own before; what is left is an error.

use crate::check::Checked;
use crate::check::entities::{Meaning, VarId};
use crate::flow::effects::Effects;
use crate::program::units::{BlockId, Item, Node, Program};
use crate::syntax::tree::{ExprId, Tree};
use vlad_core::diagnostic::{Diagnostic, Kind, Report};
use vlad_language::names::Names;

/// Reports calls that may assign the index of a loop around them.
pub fn check(
    tree: &Tree,
    program: &Program,
    checked: &Checked,
    effects: &[Effects],
    names: &Names,
    report: &mut Report,
) {
    let mut walk = Walk { tree, program, checked, effects, names, report, indices: vec![] };
    for unit in program.unit_ids() {
        walk.block(program.unit(unit).body);
    }
}

struct Walk<'loading> {
    tree: &'loading Tree,
    program: &'loading Program,
    checked: &'loading Checked,
    effects: &'loading [Effects],
    names: &'loading Names,
    report: &'loading mut Report,
    /// The indices of the loops around.
    indices: Vec<VarId>,
}

impl Walk<'_> {
    fn block(&mut self, block: BlockId) {
        let program = self.program;
        for item in program.block(block) {
            self.item(item);
        }
    }

    fn item(&mut self, item: &Item) {
        if !self.indices.is_empty() {
            item.node.roots(&mut |root| self.expression(root));
        }
        let depth = self.indices.len();
        if let Node::Do(index, ..) = &item.node
            && let Meaning::Variable(var) = self.checked.entities.meaning(*index)
        {
            self.indices.push(var);
        }
        item.node.blocks().into_iter().for_each(|block| self.block(block));
        self.indices.truncate(depth);
    }

    fn expression(&mut self, root: ExprId) {
        for id in self.tree.range(root) {
            let Meaning::Call(callee) = self.checked.entities.meaning(id) else { continue };
            for target in self.checked.entities.targets(callee) {
                let Some(effects) = self.effects.get(target.0 as usize) else { continue };
                let Some(index) = self.indices.iter().find(|index| effects.may_write.contains(index)) else { continue };
                let name = self.program.unit(target).name.name;
                let (index, unit) = (self.names.text(self.checked.entities.var(*index).name), self.names.text(name));
                let message = format!("{index} is the index of a DO around, and {unit} may assign it");
                let hint = format!("declare {index} in the subprogram that assigns it, which gives it one of its own");
                self.report.push(Diagnostic::new(Kind::Type, self.tree.span(id), message).with_hint(hint));
                break;
            }
        }
    }
}
