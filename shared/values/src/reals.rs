//! Arrays of unboxed reals: 8 bytes for each real, and 8 more for the tangent or node number that each level adds.
//!
//! Dual numbers are an array of primals and an array of tangents; reals of a tape are an array of primals and one of
//! node numbers. The primals and tangents may in turn be of older levels. A real that is not of the level has a marker
//! (`NO_TANGENT`, `NO_NODE`) in place of its tangent or node number, and is returned as it was stored.

use crate::allocation;
use crate::lifted::{Level, LevelPart, Lifted, Number};
use std::cmp::Ordering;
use std::rc::Rc;

/// The node number of a real that is not of the level.
const NO_NODE: u64 = u64::MAX;

/// The tangent of a real that is not of the level: a NaN with a payload that no operation produces, since none works on
/// it.
const NO_TANGENT: u64 = 0x7ff8_0000_766c_6164;

/// An array of reals.
#[derive(Clone, Debug)]
pub enum Reals {
    /// Plain reals.
    Plain(Vec<f64>),
    /// Reals of a level, some of them possibly of older levels only.
    Lifted(Box<LiftedReals>),
}

/// Reals of a level: primals, and the parts that the level adds.
#[derive(Clone, Debug)]
pub struct LiftedReals {
    level: Level,
    primals: Reals,
    parts: LevelParts,
}

/// The parts that a level adds: tangents in forward mode, node numbers in reverse mode.
#[derive(Clone, Debug)]
enum LevelParts {
    Tangents(Reals),
    Nodes(Vec<u64>),
}

impl Default for Reals {
    fn default() -> Reals {
        Reals::Plain(Vec::new())
    }
}

impl Reals {
    /// The number of reals.
    pub fn len(&self) -> usize {
        let mut reals = self;
        loop {
            match reals {
                Reals::Plain(plain) => return plain.len(),
                Reals::Lifted(lifted) => reals = &lifted.primals,
            }
        }
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The real at an index; none if the index is not below the length.
    pub fn get(&self, index: usize) -> Option<Number> {
        let lifted = match self {
            Reals::Plain(plain) => return plain.get(index).copied().map(Number::Real),
            Reals::Lifted(lifted) => lifted,
        };
        let primal = lifted.primals.get(index)?;
        let part = match &lifted.parts {
            LevelParts::Nodes(nodes) => match nodes.get(index) {
                Some(node) if *node != NO_NODE => LevelPart::Node(*node),
                Some(_) | None => return Some(primal),
            },
            LevelParts::Tangents(tangents) if tangents.base(index)?.to_bits() == NO_TANGENT => return Some(primal),
            LevelParts::Tangents(tangents) => LevelPart::Tangent(tangents.get(index)?),
        };
        Some(Number::Lifted(Rc::new(Lifted { level: lifted.level, primal, part })))
    }

    /// The plain real under all levels; none if the index is not below the length.
    pub fn base(&self, index: usize) -> Option<f64> {
        let mut reals = self;
        loop {
            match reals {
                Reals::Plain(plain) => return plain.get(index).copied(),
                Reals::Lifted(lifted) => reals = &lifted.primals,
            }
        }
    }

    /// The reals in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Number> + ExactSizeIterator {
        (0..self.len()).map(|index| self.get(index).unwrap_or(Number::Real(0.0)))
    }

    /// Returns the bytes that may be moved to make room for one more real.
    pub fn moved_for_one_more(&self) -> usize {
        match self {
            Reals::Plain(plain) => allocation::moved_for_one_more(plain),
            Reals::Lifted(lifted) => {
                let of_parts = match &lifted.parts {
                    LevelParts::Tangents(tangents) => tangents.moved_for_one_more(),
                    LevelParts::Nodes(nodes) => allocation::moved_for_one_more(nodes),
                };
                of_parts + lifted.primals.moved_for_one_more()
            }
        }
    }

    /// Reserves memory for one more real; returns false if the system refuses it.
    pub fn has_room(&mut self) -> bool {
        match self {
            Reals::Plain(plain) => allocation::for_one_more(plain),
            Reals::Lifted(lifted) => {
                let of_parts = match &mut lifted.parts {
                    LevelParts::Tangents(tangents) => tangents.has_room(),
                    LevelParts::Nodes(nodes) => allocation::for_one_more(nodes),
                };
                of_parts && lifted.primals.has_room()
            }
        }
    }

    /// Appends a real.
    pub fn push(&mut self, number: Number) {
        if let Reals::Plain(plain) = self
            && let Number::Real(real) = number
        {
            plain.push(real);
            return;
        }
        let (lifted, primal, part) = self.raised_for(number);
        lifted.primals.push(primal);
        match (&mut lifted.parts, part) {
            (LevelParts::Tangents(tangents), part) => tangents.push(tangent(part)),
            (LevelParts::Nodes(nodes), part) => nodes.push(node(part)),
        }
    }

    /// Replaces an existing real.
    pub fn set(&mut self, index: usize, number: Number) {
        if let Reals::Plain(plain) = self
            && let Number::Real(real) = number
        {
            if let Some(place) = plain.get_mut(index) {
                *place = real;
            }
            return;
        }
        let (lifted, primal, part) = self.raised_for(number);
        lifted.primals.set(index, primal);
        match (&mut lifted.parts, part) {
            (LevelParts::Tangents(tangents), part) => tangents.set(index, tangent(part)),
            (LevelParts::Nodes(nodes), part) => {
                if let Some(place) = nodes.get_mut(index) {
                    *place = node(part);
                }
            }
        }
    }

    /// Makes the array one of a level not older than that of a number, one of the two being lifted. Returns the
    /// number's primal at that level, and the part that the level adds to it.
    fn raised_for(&mut self, number: Number) -> (&mut LiftedReals, Number, Option<LevelPart>) {
        let own = match self {
            Reals::Plain(_) => None,
            Reals::Lifted(lifted) => Some(lifted.level),
        };
        let (primal, part) = match number {
            Number::Lifted(lifted) => match Some(lifted.level).cmp(&own) {
                Ordering::Less => (Number::Lifted(lifted), None),
                Ordering::Equal => (lifted.primal.clone(), Some(lifted.part.clone())),
                Ordering::Greater => {
                    self.raise(lifted.level, &lifted.part);
                    (lifted.primal.clone(), Some(lifted.part.clone()))
                }
            },
            Number::Real(_) => (number, None),
        };
        match self {
            Reals::Lifted(lifted) => (lifted, primal, part),
            Reals::Plain(_) => vlad_table::internal_bug!("one of the two is lifted"),
        }
    }

    /// Raises the array to a newer level, at which all its present reals are constant.
    fn raise(&mut self, level: Level, like: &LevelPart) {
        let count = self.len();
        let parts = match like {
            LevelPart::Tangent(_) => LevelParts::Tangents(Reals::Plain(vec![f64::from_bits(NO_TANGENT); count])),
            LevelPart::Node(_) => LevelParts::Nodes(vec![NO_NODE; count]),
        };
        let primals = std::mem::take(self);
        *self = Reals::Lifted(Box::new(LiftedReals { level, primals, parts }));
    }
}

impl FromIterator<Number> for Reals {
    fn from_iter<I: IntoIterator<Item = Number>>(numbers: I) -> Reals {
        let mut reals = Reals::default();
        numbers.into_iter().for_each(|number| reals.push(number));
        reals
    }
}

fn tangent(part: Option<LevelPart>) -> Number {
    match part {
        Some(LevelPart::Tangent(tangent)) => tangent,
        Some(LevelPart::Node(_)) => vlad_table::internal_bug!("a level is either forward or reverse"),
        None => Number::Real(f64::from_bits(NO_TANGENT)),
    }
}

fn node(part: Option<LevelPart>) -> u64 {
    match part {
        Some(LevelPart::Node(node)) => node,
        Some(LevelPart::Tangent(_)) => vlad_table::internal_bug!("a level is either forward or reverse"),
        None => NO_NODE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lifted(level: Level, primal: Number, part: LevelPart) -> Number {
        Number::Lifted(Rc::new(Lifted { level, primal, part }))
    }

    fn shown(number: &Number) -> String {
        match number {
            Number::Real(real) => format!("{real}"),
            Number::Lifted(lifted) => match &lifted.part {
                LevelPart::Tangent(tangent) => {
                    format!("({} {}' {})", lifted.level, shown(&lifted.primal), shown(tangent))
                }
                LevelPart::Node(node) => format!("({} {} @{node})", lifted.level, shown(&lifted.primal)),
            },
        }
    }

    #[test]
    fn each_is_given_back_as_it_came() {
        let plain = Number::Real(1.0);
        let taped = lifted(0, Number::Real(2.0), LevelPart::Node(7));
        let dual = lifted(1, taped.clone(), LevelPart::Tangent(Number::Real(3.0)));
        let of_constant = lifted(1, Number::Real(4.0), LevelPart::Tangent(taped.clone()));
        let numbers = [plain, taped, dual, of_constant];
        let reals: Reals = numbers.iter().cloned().collect();
        let expected: Vec<String> = numbers.iter().map(shown).collect();
        assert_eq!(expected, ["1", "(0 2 @7)", "(1 (0 2 @7)' 3)", "(1 4' (0 2 @7))"]);
        assert_eq!(reals.iter().map(|number| shown(&number)).collect::<Vec<_>>(), expected);
        assert_eq!((0..4).map(|index| reals.base(index).unwrap()).collect::<Vec<_>>(), [1.0, 2.0, 2.0, 4.0]);
    }

    #[test]
    fn what_a_tape_does_not_know_has_no_node() {
        let mut reals: Reals = [Number::Real(1.0), Number::Real(2.0)].into_iter().collect();
        assert!(!reals.is_empty() && Reals::default().is_empty());
        reals.set(1, lifted(0, Number::Real(5.0), LevelPart::Node(3)));
        reals.push(Number::Real(6.0));
        assert_eq!(reals.iter().map(|number| shown(&number)).collect::<Vec<_>>(), ["1", "(0 5 @3)", "6"]);
        assert!(reals.get(3).is_none());
    }
}
