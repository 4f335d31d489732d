//! The program as subprograms and nested statements.
//!
//! Invariant: statements nest no deeper than [`MOST_NESTED`], and so do subprograms; so passes over them may be
//! recursive.

use crate::syntax::tree::{Action, AdItem, ExprId, Label, Mode, Occurrence, Placed, Type};
use vlad_core::source::Span;
use vlad_language::names::NameId;
use vlad_table::internal_bug;

/// The most statements that are nested in one another, and the most subprograms.
pub const MOST_NESTED: usize = 100;

/// The number of a subprogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitId(pub u32);

/// The number of a block, a sequence of statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub u32);

/// The number of a statement in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ItemId(pub u32);

/// A sort of subprogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitKind {
    /// The main program.
    Program,
    /// A function, with the type before the word.
    Function(Option<Type>),
    /// A subroutine.
    Subroutine,
}

/// A subprogram.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Its sort.
    pub kind: UnitKind,
    /// Its name; that of a main program without a name is `MAIN`.
    pub name: Occurrence,
    /// The subprogram around it.
    pub parent: Option<UnitId>,
    /// The depth of nesting, from 0.
    pub depth: usize,
    /// Its parameters.
    pub parameters: Vec<Occurrence>,
    /// Its specifications.
    pub specifications: Vec<Placed>,
    /// The subprograms directly inside.
    pub nested: Vec<UnitId>,
    /// True if it is an interface: it stands for a procedure in another language, and has no statements of its own.
    pub is_interface: bool,
    /// The variables of its `PRINT` statements that have loops.
    pub rows: Vec<Occurrence>,
    /// Its statements.
    pub body: BlockId,
    /// The place of its first statement.
    pub span: Span,
}

/// A statement with the statements in it.
#[derive(Clone, Debug)]
pub enum Node {
    /// One without others in it.
    Action(Action),
    /// The conditions with what is executed if they hold, and what else.
    If(Vec<(ExprId, BlockId)>, Option<BlockId>),
    /// `DO`, with index, bounds and step.
    Do(ExprId, [Option<ExprId>; 3], BlockId),
    /// `DO WHILE`.
    While(ExprId, BlockId),
    /// A block of differentiation, with its opens and closes.
    Ad(Mode, Vec<AdItem>, Vec<AdItem>, BlockId),
}

/// A statement in a block.
#[derive(Clone, Debug)]
pub struct Item {
    /// Its number.
    pub id: ItemId,
    /// Its label.
    pub label: Option<Label>,
    /// The statement.
    pub node: Node,
    /// The place of its first line.
    pub span: Span,
}

/// The subprograms of a text.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The subprograms, outer ones before those inside.
    pub units: Vec<Unit>,
    /// The blocks.
    pub blocks: Vec<Vec<Item>>,
    /// The number of statements in blocks.
    pub items: u32,
    /// The functions that call intrinsic functions which are passed.
    pub intrinsics: Vec<(NameId, UnitId)>,
}

impl Program {
    /// A subprogram.
    pub fn unit(&self, id: UnitId) -> &Unit {
        match self.units.get(id.0 as usize) {
            Some(unit) => unit,
            None => internal_bug!("subprogram {} exists", id.0),
        }
    }

    /// The statements of a block.
    pub fn block(&self, id: BlockId) -> &[Item] {
        self.blocks.get(id.0 as usize).map_or(&[], Vec::as_slice)
    }

    /// Returns the numbers of all subprograms.
    pub fn unit_ids(&self) -> impl Iterator<Item = UnitId> + use<> {
        (0..self.units.len() as u32).map(UnitId)
    }

    /// Adds an empty block.
    pub fn add_block(&mut self) -> BlockId {
        self.blocks.push(vec![]);
        BlockId(self.blocks.len() as u32 - 1)
    }

    /// Returns the outermost subprogram around one.
    pub fn outermost(&self, unit: UnitId) -> UnitId {
        let mut outermost = unit;
        while let Some(parent) = self.unit(outermost).parent {
            outermost = parent;
        }
        outermost
    }
}

impl Node {
    /// Returns the blocks in a statement.
    pub fn blocks(&self) -> Vec<BlockId> {
        match self {
            Node::Action(_) => vec![],
            Node::If(branches, otherwise) => branches.iter().map(|(_, block)| *block).chain(*otherwise).collect(),
            Node::Do(_, _, body) | Node::While(_, body) | Node::Ad(_, _, _, body) => vec![*body],
        }
    }
}
