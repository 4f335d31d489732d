//! Reachability among kinds, along their inequalities.

use super::kinds::{Kind, Kinds};

/// The direction in which inequalities are followed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Forward,
    Backward,
}

/// The edges at each kind.
pub(super) struct Adjacency {
    direction: Direction,
    edges: Vec<Vec<u32>>,
}

impl Adjacency {
    pub fn new(kinds: &Kinds, direction: Direction) -> Adjacency {
        let mut edges = vec![vec![]; kinds.count()];
        for (number, edge) in (0..).zip(&kinds.edges) {
            let at = if direction == Direction::Forward { edge.from } else { edge.to };
            if let Some(edges) = edges.get_mut(at.0 as usize) {
                edges.push(number);
            }
        }
        Adjacency { direction, edges }
    }

    /// Marks all kinds that are reachable from some and not marked, breadth first; returns them.
    pub fn reach(
        &self,
        kinds: &Kinds,
        from: impl IntoIterator<Item = Kind>,
        marked: &mut [bool],
        mut reached_by: Option<&mut Vec<Option<u32>>>,
    ) -> Vec<Kind> {
        let mut found = vec![];
        for kind in from {
            if let Some(mark @ false) = marked.get_mut(kind.0 as usize) {
                *mark = true;
                found.push(kind);
            }
        }
        let (mut next, sources) = (0, found.len());
        while let Some(kind) = found.get(next).copied() {
            next += 1;
            // What flows into I is an error where it does, and not of all that I flows into.
            if kind == Kind::INDEX && next > sources {
                continue;
            }
            for number in self.edges.get(kind.0 as usize).into_iter().flatten() {
                let Some(edge) = kinds.edges.get(*number as usize) else { continue };
                let to = if self.direction == Direction::Forward { edge.to } else { edge.from };
                if let Some(mark @ false) = marked.get_mut(to.0 as usize) {
                    *mark = true;
                    found.push(to);
                    if let Some(place) = reached_by.as_mut().and_then(|reached| reached.get_mut(to.0 as usize)) {
                        *place = Some(*number);
                    }
                }
            }
        }
        found
    }
}
