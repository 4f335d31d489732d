//! The functions that code with cells consists of, before they get references ([`super::references`]).
//!
//! A recursive function is usually one function for all calls of it. Then the cells of all these calls are of one class
//! ([`super::held_reals`]). If some of them were made outside of the level and others hold active reals, the classes are
//! too coarse. In that case each call from outside of a recursion gets a copy of the function ([`Copies::OfEachCall`]).

use super::super::nodes::Instances;
use super::shadow_arrays::{ArraysOf, Inlining};
use crate::call_graph::{CallGraph, Calls};
use crate::differentiate::refusal::{Refusal, RefusalKind};
use crate::{Function, FunctionId, Unit};
use std::collections::BTreeMap;

/// The greatest number of functions, copies included.
const MOST_FUNCTIONS: usize = 60;

/// The functions for the calls of a recursive function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copies {
    /// One for all.
    Shared,
    /// One for each call from outside of the recursion.
    OfEachCall,
}

/// A function and those that it calls, with the calls of functions that are not recursive inlined.
#[derive(Debug, Default)]
pub struct Sources {
    /// By numbers of their own, which calls in them have.
    pub functions: BTreeMap<FunctionId, Function>,
    /// For each its number in the unit.
    pub origins: BTreeMap<FunctionId, FunctionId>,
}

/// The copies of the functions of a recursion that belong together, by the numbers in the unit.
type Group = BTreeMap<FunctionId, FunctionId>;

impl Sources {
    /// The functions that a function of a unit reaches; its own number is the one in the unit.
    pub fn of(unit: &Unit, instances: &mut Instances, root: FunctionId, copies: Copies) -> Result<Sources, Refusal> {
        let graph = CallGraph::of(unit, Calls::Plain);
        let mut sources = Sources::default();
        let mut next = unit.functions.len() as u32;
        let mut groups: Vec<Group> = vec![Group::from([(root, root)])];
        let mut pending = vec![(root, root, 0)];
        while let Some((id, origin, group)) = pending.pop() {
            if sources.functions.len() == MOST_FUNCTIONS {
                return Err(Refusal::new(RefusalKind::ReverseSize));
            }
            let mut function = Inlining::inlined(unit, instances, origin, ArraysOf::Borders)?;
            function.body.change_statements(&mut |statement| {
                let Some(callee) = statement.callee_mut() else { return };
                let called = *callee;
                let is_inside = graph.component(called) == graph.component(origin);
                let own = match copies {
                    Copies::OfEachCall if !is_inside => groups.len(),
                    Copies::OfEachCall | Copies::Shared => group,
                };
                if own == groups.len() {
                    groups.push(Group::new());
                }
                let Some(members) = groups.get_mut(own) else { return };
                *callee = *members.entry(called).or_insert_with(|| {
                    next += 1;
                    let made = if copies == Copies::Shared { called } else { FunctionId(next) };
                    pending.push((made, called, own));
                    made
                });
            });
            sources.functions.insert(id, function);
            sources.origins.insert(id, origin);
        }
        Ok(sources)
    }
}
