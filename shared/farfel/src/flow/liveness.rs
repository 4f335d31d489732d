//! Liveness: which variables each construct of a subprogram has to pass on.
//!
//! Functional form rebinds variables. So a construct yields those that are assigned in it and live behind it (*outputs*);
//! a loop carries those that are assigned in it and live at its head (*carried*); and a label takes those that are
//! assigned in its block and live at the label (*labels*). The equations are the usual ones of backward data flow; sets
//! at labels and heads of loops start empty, and the subprogram is gone through until they do not grow.

use crate::check::entities::{Entities, Meaning, VarId};
use crate::check::jumps::Targets;
use crate::flow::bits::Bits;
use crate::program::targets::{assigned_targets, closed_targets, differentiated};
use crate::program::units::{BlockId, Item, ItemId, Node, Program, UnitId};
use crate::program::walk::ad_roots;
use crate::syntax::tree::{Action, ExprId, Mode, Row, Tree};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The variables that a call uses beside those in its arguments, and those that are bound again behind it.
#[derive(Clone, Debug, Default)]
pub struct CallFacts {
    /// The variables that it uses.
    pub uses: Vec<VarId>,
    /// The variables that are bound again.
    pub defines: Vec<VarId>,
}

/// The variables that a subprogram's constructs pass on.
#[derive(Clone, Debug, Default)]
pub struct Live {
    /// The variables that are live at the entry.
    pub entry: Vec<VarId>,
    /// The variables that each construct yields.
    pub outputs: FxHashMap<ItemId, Vec<VarId>>,
    /// The variables that each loop carries.
    pub carried: FxHashMap<ItemId, Vec<VarId>>,
    /// The variables that each label takes.
    pub labels: FxHashMap<ItemId, Vec<VarId>>,
    /// The variables that are live behind each call of interest.
    pub after: FxHashMap<ExprId, Rc<[VarId]>>,
    /// The variables whose values each block of differentiation yields or whose derivatives it is asked for.
    pub asked: FxHashMap<ItemId, Vec<VarId>>,
}

/// The facts that liveness depends on.
pub struct Question<'program> {
    /// The expressions.
    pub tree: &'program Tree,
    /// The statements.
    pub program: &'program Program,
    /// The meanings.
    pub entities: &'program Entities,
    /// The targets of jumps.
    pub targets: &'program Targets,
    /// The calls.
    pub calls: &'program FxHashMap<ExprId, CallFacts>,
    /// The variables that are live at the end of the subprogram.
    pub exit: &'program [VarId],
    /// The variables that stand for themselves; others, such as constants, are left out.
    pub is_variable: &'program dyn Fn(VarId) -> bool,
}

/// Finds the liveness of a subprogram.
pub fn live(question: &Question<'_>, unit: UnitId) -> Live {
    let mut analysis = Analysis {
        question,
        numbers: FxHashMap::default(),
        vars: vec![],
        assigned: FxHashMap::default(),
        assigned_in_block: FxHashMap::default(),
        heads: FxHashMap::default(),
        labels: FxHashMap::default(),
        changes: true,
        records: false,
        found: Live::default(),
        exit: Bits::default(),
    };
    let body = question.program.unit(unit).body;
    analysis.find_assigned(body);
    for var in question.exit {
        let number = analysis.number(*var);
        analysis.exit.insert(number);
    }
    while analysis.changes {
        analysis.changes = false;
        let exit = analysis.exit.clone();
        analysis.block(body, exit);
    }
    analysis.records = true;
    let exit = analysis.exit.clone();
    let entry = analysis.block(body, exit);
    let mut found = std::mem::take(&mut analysis.found);
    found.entry = analysis.named(&entry);
    found
}

struct Analysis<'program> {
    question: &'program Question<'program>,
    numbers: FxHashMap<VarId, usize>,
    vars: Vec<VarId>,
    /// The variables that each construct assigns.
    assigned: FxHashMap<ItemId, Bits>,
    assigned_in_block: FxHashMap<BlockId, Bits>,
    heads: FxHashMap<ItemId, Bits>,
    labels: FxHashMap<ItemId, Bits>,
    changes: bool,
    records: bool,
    found: Live,
    exit: Bits,
}

impl<'program> Analysis<'program> {
    fn number(&mut self, var: VarId) -> usize {
        match self.numbers.get(&var) {
            Some(number) => *number,
            None => {
                let number = self.vars.len();
                self.numbers.insert(var, number);
                self.vars.push(var);
                number
            }
        }
    }

    /// Returns the variables of a set, by their own numbers.
    fn named(&self, bits: &Bits) -> Vec<VarId> {
        let mut vars: Vec<VarId> = bits.iter().filter_map(|number| self.vars.get(number).copied()).collect();
        vars.sort_unstable();
        vars
    }

    fn intersection(&self, first: &Bits, second: &Bits) -> Vec<VarId> {
        let mut vars: Vec<VarId> = first
            .iter()
            .filter(|number| second.contains(*number))
            .filter_map(|number| self.vars.get(number).copied())
            .collect();
        vars.sort_unstable();
        vars
    }

    /// Finds the variables that are assigned in a block; these are kept for it and for each construct in it.
    fn find_assigned(&mut self, block: BlockId) -> Bits {
        let (program, question) = (self.question.program, self.question);
        let mut all = Bits::default();
        for item in program.block(block) {
            let mut own = Bits::default();
            let mut vars = vec![];
            assigned_targets(&item.node, &mut |target| vars.extend(self.var_of(target)));
            item.node.roots(&mut |root| {
                for id in question.tree.range(root) {
                    if let Some(facts) = question.calls.get(&id) {
                        vars.extend(&facts.defines);
                    }
                }
            });
            for var in vars {
                let number = self.number(var);
                own.insert(number);
            }
            let blocks = item.node.blocks();
            for block in &blocks {
                own.extend(&self.find_assigned(*block));
            }
            all.extend(&own);
            if !blocks.is_empty() {
                self.assigned.insert(item.id, own);
            }
        }
        self.assigned_in_block.insert(block, all.clone());
        all
    }

    /// Returns the variable that an expression is, or is an element of.
    fn var_of(&self, id: ExprId) -> Option<VarId> {
        match self.question.entities.meaning(id) {
            Meaning::Variable(var) | Meaning::Element(var) => Some(var),
            Meaning::None | Meaning::Call(_) | Meaning::Procedure(_) | Meaning::Intrinsic(_) => None,
        }
    }

    /// Adds the variables that an expression uses, its calls included.
    fn uses(&mut self, root: ExprId, live: &mut Bits) {
        if self.records {
            let question = self.question;
            let calls: Vec<ExprId> = question.tree.range(root).filter(|id| question.calls.contains_key(id)).collect();
            if !calls.is_empty() {
                // What the expression itself reads is read behind its calls.
                let mut after = live.clone();
                self.plain_uses(root, &mut after);
                let vars: Rc<[VarId]> = self.named(&after).into();
                self.found.after.extend(calls.into_iter().map(|call| (call, Rc::clone(&vars))));
            }
        }
        self.plain_uses(root, live);
    }

    fn plain_uses(&mut self, root: ExprId, live: &mut Bits) {
        let question = self.question;
        for id in question.tree.range(root) {
            match question.entities.meaning(id) {
                Meaning::Variable(var) | Meaning::Element(var) if (question.is_variable)(var) => {
                    let number = self.number(var);
                    live.insert(number);
                }
                _ => {}
            }
            if let Some(facts) = question.calls.get(&id) {
                for var in &facts.uses {
                    let number = self.number(*var);
                    live.insert(number);
                }
            }
        }
    }

    /// Removes a scalar that is assigned; of an element the array and the subscripts are used.
    fn assign(&mut self, target: ExprId, live: &mut Bits) {
        match self.question.entities.meaning(target) {
            Meaning::Variable(var) => {
                let number = self.number(var);
                live.remove(number);
            }
            _ => self.uses(target, live),
        }
    }

    /// Returns what is live before a block, given what is live behind it.
    fn block(&mut self, block: BlockId, after: Bits) -> Bits {
        let program = self.question.program;
        let mut live = after;
        for item in program.block(block).iter().rev() {
            live = self.item(item, live);
            if item.label.is_some() && self.question.targets.items.contains(&item.id) {
                let known = self.labels.entry(item.id).or_default();
                self.changes |= known.extend(&live);
                if self.records
                    && let Some(assigned) = self.assigned_in_block.get(&block)
                {
                    let vars = self.intersection(assigned, &live);
                    self.found.labels.insert(item.id, vars);
                }
            }
        }
        live
    }

    fn record_outputs(&mut self, item: &Item, live: &Bits) {
        if self.records
            && let Some(assigned) = self.assigned.get(&item.id)
        {
            let vars = self.intersection(assigned, live);
            self.found.outputs.insert(item.id, vars);
        }
    }

    /// Returns what is live before a statement, given what is live behind it.
    fn item(&mut self, item: &Item, after: Bits) -> Bits {
        let mut live = after;
        match &item.node {
            Node::Action(action) => self.action(item, action, &mut live),
            Node::If(branches, otherwise) => {
                self.record_outputs(item, &live);
                let mut rest = match otherwise {
                    Some(block) => self.block(*block, live.clone()),
                    None => live.clone(),
                };
                for (test, block) in branches.iter().rev() {
                    rest.extend(&self.block(*block, live.clone()));
                    self.uses(*test, &mut rest);
                }
                live = rest;
            }
            Node::Do(index, range, body) => {
                self.record_outputs(item, &live);
                live = self.looped(item, *body, live, Some(*index), None);
                range.iter().flatten().for_each(|bound| self.uses(*bound, &mut live));
            }
            Node::While(test, body) => {
                self.record_outputs(item, &live);
                live = self.looped(item, *body, live, None, Some(*test));
            }
            Node::Ad(mode, opens, closes, body) => {
                closed_targets(closes, &mut |target| self.assign(target, &mut live));
                ad_roots(closes, &mut |root| {
                    let is_target = matches!(self.question.entities.meaning(root), Meaning::Variable(_));
                    if !is_target {
                        self.uses(root, &mut live);
                    }
                });
                let mut asked = Bits::default();
                let mut ask = |analysis: &mut Self, variable: ExprId| {
                    if let Some(var) = analysis.var_of(variable) {
                        let number = analysis.number(var);
                        asked.insert(number);
                    }
                };
                let list = match mode {
                    Mode::Forward => closes,
                    Mode::Reverse => opens,
                };
                differentiated(list, &mut |variable| ask(self, variable));
                live.extend(&asked);
                if *mode == Mode::Reverse {
                    ad_roots(opens, &mut |root| self.uses(root, &mut live));
                }
                if self.records {
                    let assigned = self.assigned_in_block.get(body).cloned().unwrap_or_default();
                    let vars = self.intersection(&assigned, &live);
                    self.found.outputs.insert(item.id, vars);
                    let vars = self.named(&asked);
                    self.found.asked.insert(item.id, vars);
                }
                live = self.block(*body, live);
                match mode {
                    Mode::Forward => ad_roots(opens, &mut |root| self.uses(root, &mut live)),
                    Mode::Reverse => differentiated(closes, &mut |variable| self.uses(variable, &mut live)),
                }
            }
        }
        live
    }

    /// Returns what is live before a loop, apart from its bounds.
    fn looped(&mut self, item: &Item, body: BlockId, after: Bits, index: Option<ExprId>, test: Option<ExprId>) -> Bits {
        let mut head = self.heads.get(&item.id).cloned().unwrap_or_default();
        head.extend(&after);
        let mut live = self.block(body, head.clone());
        if let Some(test) = test {
            self.uses(test, &mut live);
        }
        if let Some(index) = index {
            self.assign(index, &mut live);
        }
        live.extend(&after);
        if let Some(var) = index.and_then(|index| self.var_of(index)) {
            // The index has a new value in the body, and behind the loop, too.
            let number = self.number(var);
            live.remove(number);
        }
        let known = self.heads.entry(item.id).or_default();
        self.changes |= known.extend(&live);
        if self.records
            && let Some(assigned) = self.assigned.get(&item.id)
        {
            let vars = self.intersection(assigned, &live);
            self.found.carried.insert(item.id, vars);
        }
        live
    }

    fn action(&mut self, item: &Item, action: &Action, live: &mut Bits) {
        let jump = |analysis: &Self, number: u32| {
            let target = analysis.question.targets.of_jump.get(&(item.id, number));
            target.and_then(|target| analysis.labels.get(target)).cloned().unwrap_or_default()
        };
        match action {
            Action::Assign(variable, value) => {
                self.assign(*variable, live);
                self.uses(*value, live);
            }
            Action::Read(variables) => variables.iter().rev().for_each(|variable| self.assign(*variable, live)),
            Action::Goto(label) => *live = jump(self, label.number),
            Action::ComputedGoto(labels, value) => {
                for label in labels {
                    live.extend(&jump(self, label.number));
                }
                self.uses(*value, live);
            }
            Action::ArithmeticIf(value, labels) => {
                *live = Bits::default();
                for label in labels {
                    live.extend(&jump(self, label.number));
                }
                self.uses(*value, live);
            }
            Action::Stop if self.question.targets.stops.contains(&item.id) => *live = Bits::default(),
            Action::Return | Action::Stop => *live = self.exit.clone(),
            Action::Row(row, Row::Begin) => self.assign(*row, live),
            Action::Foreign { operands, results } => {
                results.iter().for_each(|result| self.assign(*result, live));
                operands.iter().for_each(|operand| self.uses(*operand, live));
            }
            Action::Call(_) | Action::Print(_) | Action::Row(_, Row::Add(_) | Row::Print) | Action::Continue => {
                item.node.roots(&mut |root| self.uses(root, live));
            }
        }
    }
}
