//! The least solution of the kinds of an item, and the interface of a definition.

use super::kinds::{Conflict, Demand, Edge, Interface, InterfaceEdge, Kind, Kinded, KindedId, Kinds, Solution};
use super::reach::{Adjacency, Direction};
use crate::typed::Origin;
use crate::typed::fold::{Seen, fold_once};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use vlad_core::numbers::Table;
use vlad_core::source::Span;

impl Kinds {
    /// Solves the inequalities, which are given in forward direction as well.
    pub(super) fn solve(&self, forward: &Adjacency) -> (Solution, Vec<Conflict>) {
        // Where no inequality names I, all variables are D.
        if !self.edges.iter().any(|edge| edge.from == Kind::INDEX || edge.to == Kind::INDEX) {
            let doubles = (0..self.count).map(|kind| Kind(kind) != Kind::INDEX).collect();
            return (Solution { doubles }, vec![]);
        }
        let mut doubles = vec![false; self.count()];
        let mut reached_by: Vec<Option<u32>> = vec![None; self.count()];
        forward.reach(self, [Kind::DOUBLE], &mut doubles, Some(&mut reached_by));
        let demands = self.edges.iter().filter(|edge| edge.to == Kind::INDEX);
        let demands = demands.filter(|edge| doubles.get(edge.from.0 as usize) == Some(&true));
        let conflicts = demands.map(|edge| Conflict { demand: *edge, source: self.source(edge, &reached_by) });
        let conflicts = conflicts.collect();
        // The free kinds that I flows into, and all that flow into them.
        let mut indices = doubles.clone();
        forward.reach(self, [Kind::INDEX], &mut indices, None);
        let indices: Vec<Kind> = (0..self.count)
            .map(Kind)
            .filter(|kind| indices.get(kind.0 as usize) == Some(&true) && doubles.get(kind.0 as usize) == Some(&false))
            .collect();
        let mut is_index = vec![false; self.count()];
        let backward = Adjacency::new(self, Direction::Backward);
        backward.reach(self, indices.into_iter().chain([Kind::INDEX]), &mut is_index, None);
        for (double, index) in doubles.iter_mut().zip(&is_index) {
            *double = *double || !*index;
        }
        (Solution { doubles }, conflicts)
    }

    /// Returns the place of the Double that flows along an edge.
    fn source(&self, demand: &Edge, reached_by: &[Option<u32>]) -> Span {
        let mut edge = demand;
        while edge.from != Kind::DOUBLE {
            let before = reached_by.get(edge.from.0 as usize).copied().flatten();
            match before.and_then(|before| self.edges.get(before as usize)) {
                Some(before) => edge = before,
                None => break,
            }
        }
        edge.span
    }

    /// Returns the place that demands an Index, if that is what was reached.
    fn demand(&self, reached: Kind, reached_by: &[Option<u32>]) -> Option<Demand> {
        if reached != Kind::INDEX {
            return None;
        }
        let last = reached_by.get(reached.0 as usize).copied().flatten()?;
        let edge = self.edges.get(last as usize)?;
        Some(edge.inner.unwrap_or(Demand { span: edge.span, role: edge.role }))
    }

    /// Returns the type and the inequalities of a definition's kinds alone, with variables numbered from 2.
    pub(super) fn interface(&self, forward: &Adjacency, root: KindedId, origin: Origin) -> Interface {
        let mut numbers: FxHashMap<Kind, Kind> =
            [Kind::INDEX, Kind::DOUBLE].map(|kind| (kind, kind)).into_iter().collect();
        let mut order = vec![Kind::INDEX, Kind::DOUBLE];
        for leaf in self.leaves(root) {
            if let Entry::Vacant(entry) = numbers.entry(leaf) {
                entry.insert(Kind(order.len() as u32));
                order.push(leaf);
            }
        }
        let mut edges = vec![];
        let mut reached = vec![false; self.count()];
        let mut reached_by: Vec<Option<u32>> = vec![None; self.count()];
        for from in &order {
            let found = forward.reach(self, [*from], &mut reached, Some(&mut reached_by));
            for to in found {
                if let Some(place) = reached.get_mut(to.0 as usize) {
                    *place = false;
                }
                match (numbers.get(from), numbers.get(&to)) {
                    // A conflict within the definition is reported there, and not at its uses.
                    (Some(&Kind::DOUBLE), Some(&Kind::INDEX)) => {}
                    (Some(from), Some(to)) if from != to && *to != Kind::DOUBLE => {
                        let demand = match origin {
                            Origin::Program | Origin::Appended | Origin::Pattern | Origin::Lifted => {
                                self.demand(*to, &reached_by)
                            }
                            Origin::Library => None,
                        };
                        edges.push(InterfaceEdge { from: *from, to: *to, demand });
                    }
                    (_, _) => {}
                }
            }
        }
        edges.sort_unstable_by_key(|edge| (edge.from, edge.to));
        Interface { types: self.structure(root, &numbers), count: order.len() as u32, edges }
    }

    /// Copies a type with other numbers of its variables; the whole is the last one.
    fn structure(&self, root: KindedId, numbers: &FxHashMap<Kind, Kind>) -> Table<KindedId, Kinded> {
        let see = |copy: &mut Kinds, id| match self.get(id) {
            Kinded::Number(kind) => {
                Seen::Known(copy.add(Kinded::Number(numbers.get(&kind).copied().unwrap_or(Kind::DOUBLE))))
            }
            seen => seen.parts().map_or_else(|| Seen::Known(copy.add(seen)), Seen::Of),
        };
        let mut copy = Kinds::default();
        fold_once(&mut copy, &mut FxHashMap::default(), root, see, |copy, parts| copy.add(parts.into()));
        copy.types
    }
}
