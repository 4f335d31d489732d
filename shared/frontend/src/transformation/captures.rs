//! The statements of a procedure, and the free locals of its blocks and inner procedures.
//!
//! In reverse mode (Pearlmutter and Siskind 2008) a backpropagator returns the sensitivities of the free variables of
//! its procedure, and the reverse phase of a block those of the enclosing locals that it uses. Procedures that capture
//! nothing have no sensitivity, so locals bound to them are left out.

use crate::transformation::statements::{
    Block, BlockId, Group, Local, LocalDescription, Operand, OperandId, Statement,
};
use std::collections::HashSet;
use vlad_table::internal_bug;

/// A procedure in statements.
#[derive(Default)]
pub struct Body {
    operands: Vec<Operand>,
    locals: Vec<LocalDescription>,
    groups: Vec<GroupInfo>,
    blocks: Vec<Block>,
    /// For each block, the enclosing locals that it uses.
    used: Vec<Vec<Local>>,
    /// The operands with parts that have sensitivities.
    matters: HashSet<OperandId>,
    /// The remarks about the procedure for readers of the printed code.
    pub notes: Vec<String>,
}

/// A group of procedures that use the same locals.
pub struct GroupInfo {
    /// The locals bound to them.
    pub members: Vec<Local>,
    /// Their bodies.
    pub blocks: Vec<BlockId>,
    /// The enclosing locals that they use.
    pub captures: Vec<Local>,
}

/// Computes the free locals of all blocks and groups; called when all have been added.
pub fn find(body: &mut Body) {
    let mut raw: Vec<Vec<Local>> = vec![];
    for block in &body.blocks {
        let found = free(body, block, &raw);
        raw.push(found);
    }
    // Groups are numbered from the outside in, so the captures of the procedures that a group uses are known before its
    // own.
    for group in 0..body.groups.len() {
        let group = Group(group as u32);
        let GroupInfo { members, blocks, .. } = body.group(group);
        let mut found = FreeLocals::but(members.iter().copied());
        for block in blocks {
            found.use_all(raw.get(block.0 as usize).into_iter().flatten());
        }
        let captures = found.order.into_iter().filter(|local| body.has_sensitivity(*local)).collect();
        body.group_mut(group).captures = captures;
    }
    let kept = |used: &Vec<Local>| used.iter().copied().filter(|local| body.has_sensitivity(*local)).collect();
    body.used = raw.iter().map(kept).collect();
    // Pairs come after their parts.
    for (number, operand) in body.operands.iter().enumerate() {
        let matters = match operand {
            Operand::Local(local) => body.has_sensitivity(*local),
            Operand::Constant(_) | Operand::Top(..) | Operand::Code(_) => false,
            Operand::Pair(first, second) => body.matters.contains(first) || body.matters.contains(second),
        };
        if matters {
            body.matters.insert(OperandId(number as u32));
        }
    }
}

/// The locals that are used and not bound, in order of first use.
#[derive(Default)]
struct FreeLocals {
    order: Vec<Local>,
    /// Those that are found already, or bound.
    known: HashSet<Local>,
}

impl FreeLocals {
    fn but(bound: impl IntoIterator<Item = Local>) -> FreeLocals {
        FreeLocals { order: vec![], known: bound.into_iter().collect() }
    }

    fn use_all<'locals>(&mut self, locals: impl IntoIterator<Item = &'locals Local>) {
        for local in locals {
            if self.known.insert(*local) {
                self.order.push(*local);
            }
        }
    }
}

/// Returns the enclosing locals that a block uses; those of the blocks within it are given.
fn free(body: &Body, block: &Block, within: &[Vec<Local>]) -> Vec<Local> {
    let mut found = FreeLocals::but(block.parameter);
    let of = |block: &BlockId| within.get(block.0 as usize).into_iter().flatten();
    for statement in &block.statements {
        match statement {
            Statement::Bind(local, operand) => {
                found.use_all(&body.locals_of(*operand));
                found.known.insert(*local);
            }
            Statement::Call { into, operator, operand } => {
                found.use_all(&body.locals_of(*operator));
                found.use_all(&body.locals_of(*operand));
                found.known.insert(*into);
            }
            Statement::Split(first, second, whole) => {
                found.use_all([whole]);
                found.known.extend([*first, *second]);
            }
            Statement::Check(_, whole) => found.use_all([whole]),
            Statement::If { into, test, consequent, alternative } => {
                found.use_all(&body.locals_of(*test));
                found.use_all(of(consequent));
                found.use_all(of(alternative));
                found.known.insert(*into);
            }
            Statement::Lambda(group) | Statement::Letrec(group) => {
                let GroupInfo { members, blocks, .. } = body.group(*group);
                found.known.extend(members);
                blocks.iter().for_each(|block| found.use_all(of(block)));
            }
        }
    }
    found.use_all(&body.locals_of(block.result));
    found.order
}

impl Body {
    /// Returns the block of the procedure itself.
    pub fn root(&self) -> BlockId {
        BlockId(self.blocks.len() as u32 - 1)
    }

    /// Returns true if an inner procedure uses enclosing locals.
    pub fn captures(&self) -> bool {
        self.groups.iter().any(|group| !group.captures.is_empty())
    }

    /// Returns true if a local has a sensitivity: all do, except procedures that capture nothing.
    pub fn has_sensitivity(&self, local: Local) -> bool {
        match self.local(local).group {
            Some(group) => !self.group(group).captures.is_empty(),
            None => true,
        }
    }

    /// Returns true if an operand has parts with sensitivities.
    pub fn carries_sensitivity(&self, operand: OperandId) -> bool {
        self.matters.contains(&operand)
    }

    /// Returns the locals of an operand, from left to right.
    pub fn locals_of(&self, operand: OperandId) -> Vec<Local> {
        let mut found = vec![];
        let mut pending = vec![operand];
        while let Some(operand) = pending.pop() {
            match self.operand(operand) {
                Operand::Local(local) => found.push(local),
                Operand::Constant(_) | Operand::Top(..) | Operand::Code(_) => {}
                Operand::Pair(first, second) => pending.extend([second, first]),
            }
        }
        found
    }

    /// Returns the enclosing locals that either of two blocks uses.
    pub fn used_by(&self, consequent: BlockId, alternative: BlockId) -> Vec<Local> {
        let mut found = FreeLocals::default();
        for block in [consequent, alternative] {
            found.use_all(self.used.get(block.0 as usize).into_iter().flatten());
        }
        found.order
    }

    pub(super) fn add_operand(&mut self, operand: Operand) -> OperandId {
        self.operands.push(operand);
        OperandId(self.operands.len() as u32 - 1)
    }

    pub(super) fn add_local(&mut self, name: String) -> Local {
        self.locals.push(LocalDescription { name, group: None });
        Local(self.locals.len() as u32 - 1)
    }

    pub(super) fn add_group(&mut self, members: Vec<Local>) -> Group {
        let group = Group(self.groups.len() as u32);
        for member in &members {
            match self.locals.get_mut(member.0 as usize) {
                Some(known) => known.group = Some(group),
                None => internal_bug!("local {} is known", member.0),
            }
        }
        self.groups.push(GroupInfo { members, blocks: vec![], captures: vec![] });
        group
    }

    pub(super) fn add_block(&mut self, block: Block) -> BlockId {
        self.blocks.push(block);
        BlockId(self.blocks.len() as u32 - 1)
    }

    /// An operand.
    pub fn operand(&self, id: OperandId) -> Operand {
        match self.operands.get(id.0 as usize) {
            Some(operand) => *operand,
            None => internal_bug!("operand {} is in the arena", id.0),
        }
    }

    /// Returns the description of a local.
    pub fn local(&self, local: Local) -> &LocalDescription {
        match self.locals.get(local.0 as usize) {
            Some(known) => known,
            None => internal_bug!("local {} is known", local.0),
        }
    }

    /// The procedures of a group.
    pub fn group(&self, group: Group) -> &GroupInfo {
        match self.groups.get(group.0 as usize) {
            Some(members) => members,
            None => internal_bug!("group {} is in the arena", group.0),
        }
    }

    pub(super) fn group_mut(&mut self, group: Group) -> &mut GroupInfo {
        match self.groups.get_mut(group.0 as usize) {
            Some(members) => members,
            None => internal_bug!("group {} is in the arena", group.0),
        }
    }

    /// A block.
    pub fn block(&self, id: BlockId) -> &Block {
        match self.blocks.get(id.0 as usize) {
            Some(block) => block,
            None => internal_bug!("block {} is in the arena", id.0),
        }
    }
}
