//! Reachability among kinds, along their inequalities.

use super::kinds::{Edge, Kind, Kinds};

/// The direction in which inequalities are followed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Forward,
    Backward,
}

/// The edges at each kind.
pub(super) struct Adjacency {
    direction: Direction,
    starts: Vec<u32>,
    edges: Vec<u32>,
}

impl Adjacency {
    pub fn new(kinds: &Kinds, direction: Direction) -> Adjacency {
        let at = |edge: &Edge| match direction {
            Direction::Forward => edge.from.0 as usize,
            Direction::Backward => edge.to.0 as usize,
        };
        let mut starts = vec![0_u32; kinds.count() + 1];
        for edge in &kinds.edges {
            if let Some(start) = starts.get_mut(at(edge) + 1) {
                *start += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut next = starts.clone();
        let mut edges = vec![0; kinds.edges.len()];
        for (number, edge) in kinds.edges.iter().enumerate() {
            if let Some(next) = next.get_mut(at(edge)) {
                if let Some(place) = edges.get_mut(*next as usize) {
                    *place = number as u32;
                }
                *next += 1;
            }
        }
        Adjacency { direction, starts, edges }
    }

    fn at(&self, kind: Kind) -> &[u32] {
        let index = kind.0 as usize;
        match (self.starts.get(index), self.starts.get(index + 1)) {
            (Some(from), Some(to)) => self.edges.get(*from as usize..*to as usize).unwrap_or(&[]),
            (_, _) => &[],
        }
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
            for number in self.at(kind) {
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
