//! The context in which statements are printed: the names that stand for variables and procedures.

use super::closures::Closure;
use crate::check::entities::VarId;
use crate::program::units::{ItemId, UnitId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeSet, HashSet};
use vlad_core::fixed_form::Lines;

/// A variable of a subprogram that is printed.
#[derive(Clone, Debug)]
pub struct Location {
    /// The variable of the program.
    pub var: VarId,
    /// Its name.
    pub name: String,
}

/// A subprogram while it is printed.
#[derive(Debug)]
pub struct Context {
    /// Its name.
    pub name: String,
    /// The subprogram whose statements these are.
    pub unit: UnitId,
    /// True unless it is a block of differentiation of that subprogram.
    pub is_whole: bool,
    /// Its variables: the additional parameters first.
    pub locations: Vec<Location>,
    /// The variables that have names in its statements.
    pub of: FxHashMap<VarId, usize>,
    /// The procedures that stand for parameters.
    pub procedures: FxHashMap<VarId, Closure>,
    /// The indices of lists, which are local to them.
    pub indices: FxHashMap<VarId, String>,
    /// The names that are taken.
    pub taken: HashSet<String>,
    /// The locations that statements use.
    pub used: BTreeSet<usize>,
    /// The constants that statements use.
    pub constants: BTreeSet<VarId>,
    /// The statements that control never reaches, which are left out.
    pub unreached: HashSet<ItemId>,
    /// The number of its blocks of differentiation.
    pub blocks: usize,
    /// Its statements.
    pub body: Lines,
}
