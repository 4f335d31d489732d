//! Constants of core: numbers, booleans, the empty list, and quoted pairs and vectors of them, in an arena.
//!
//! Invariant ([`Constants::check`]): the parts of a constant have smaller numbers than the constant. So constants are
//! acyclic, one pass from the first to the last can build values of all of them, and no depth of data needs the host's
//! stack.

use crate::summary::summary_of;
use std::io::{self, Write};
use vlad_table::internal_bug;
use vlad_table::number::{self, Notation};

/// The number of a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConstantId(pub u32);

/// A constant, whose parts are constants of the same arena.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// The empty list.
    Nil,
    /// `#t` or `#f`.
    Boolean(bool),
    /// A number.
    Real(f64),
    /// A pair.
    Pair(ConstantId, ConstantId),
    /// A vector.
    Vector(Box<[ConstantId]>),
}

/// An arena of constants.
#[derive(Clone, Debug, Default)]
pub struct Constants {
    arena: Vec<Constant>,
    /// Those that are expressions or patterns, in ascending order.
    roots: Vec<ConstantId>,
}

/// The next thing that [`Constants::write`] writes.
enum Pending<'arena> {
    Constant(ConstantId),
    /// The text after the first element of a list: more elements, or a dotted tail, and the closing parenthesis.
    Rest(ConstantId),
    /// The elements of a vector that are left, each after a space, and the closing parenthesis.
    Elements(&'arena [ConstantId]),
    Text(&'static str),
}

impl Constants {
    /// Adds a constant, whose parts are there.
    pub fn add(&mut self, constant: Constant) -> ConstantId {
        self.arena.push(constant);
        ConstantId(self.arena.len() as u32 - 1)
    }

    /// Adds a list of some elements that ends in `rest`.
    pub fn add_list(&mut self, elements: impl DoubleEndedIterator<Item = ConstantId>, rest: ConstantId) -> ConstantId {
        elements.rev().fold(rest, |rest, element| self.add(Constant::Pair(element, rest)))
    }

    /// The constant of a number.
    #[inline]
    pub fn get(&self, id: ConstantId) -> &Constant {
        match self.arena.get(id.0 as usize) {
            Some(constant) => constant,
            None => internal_bug!("constant {} is in the arena", id.0),
        }
    }

    /// The number of constants, parts included.
    pub fn len(&self) -> usize {
        self.arena.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.arena.is_empty()
    }

    /// The constants in order: parts before the constants that they are parts of.
    pub fn iter(&self) -> impl Iterator<Item = &Constant> {
        self.arena.iter()
    }

    /// The parts of a constant in order.
    pub fn parts(&self, id: ConstantId) -> impl Iterator<Item = ConstantId> {
        let (pair, elements) = match self.get(id) {
            Constant::Nil | Constant::Boolean(_) | Constant::Real(_) => (None, &[][..]),
            Constant::Pair(first, second) => (Some([*first, *second]), &[][..]),
            Constant::Vector(elements) => (None, &**elements),
        };
        pair.into_iter().flatten().chain(elements.iter().copied())
    }

    /// Those that were copied, in ascending order, without their parts. So the place of one of them does not depend on how many parts
    /// others have.
    pub fn roots(&self) -> &[ConstantId] {
        &self.roots
    }

    /// The place of a constant that was copied.
    pub fn root(&self, id: ConstantId) -> usize {
        match self.roots.binary_search(&id) {
            Ok(place) => place,
            Err(_) => internal_bug!("constant {} was copied", id.0),
        }
    }

    /// Copies a constant of another arena with its parts. `copies` has the numbers of those that were copied before.
    pub fn copy(&mut self, from: &Constants, id: ConstantId, copies: &mut [Option<ConstantId>]) -> ConstantId {
        let copy_of = |copies: &[Option<ConstantId>], id: ConstantId| copies.get(id.0 as usize).copied().flatten();
        let mut pending = vec![id];
        while let Some(next) = pending.last().copied() {
            if copy_of(copies, next).is_none() {
                let before = pending.len();
                pending.extend(from.parts(next).filter(|part| copy_of(copies, *part).is_none()));
                if pending.len() > before {
                    continue;
                }
                let copied = |part: &ConstantId| match copy_of(copies, *part) {
                    Some(copy) => copy,
                    None => internal_bug!("parts are copied first"),
                };
                let copy = self.add(match from.get(next) {
                    Constant::Pair(first, second) => Constant::Pair(copied(first), copied(second)),
                    Constant::Vector(elements) => Constant::Vector(elements.iter().map(copied).collect()),
                    atom @ (Constant::Nil | Constant::Boolean(_) | Constant::Real(_)) => atom.clone(),
                });
                if let Some(place) = copies.get_mut(next.0 as usize) {
                    *place = Some(copy);
                }
            }
            pending.pop();
        }
        let Some(copy) = copy_of(copies, id) else { internal_bug!("constant {} has a place for its copy", id.0) };
        if let Err(place) = self.roots.binary_search(&copy) {
            self.roots.insert(place, copy);
        }
        copy
    }

    /// Returns true if two constants have the same structure and the same bits: code with NaN in it is the same as
    /// itself.
    pub fn same(&self, first: ConstantId, second: ConstantId) -> bool {
        let mut pending = vec![(first, second)];
        while let Some((first, second)) = pending.pop() {
            let same = match (self.get(first), self.get(second)) {
                (Constant::Nil, Constant::Nil) => true,
                (Constant::Boolean(a), Constant::Boolean(b)) => a == b,
                (Constant::Real(a), Constant::Real(b)) => a.to_bits() == b.to_bits(),
                (Constant::Pair(a1, a2), Constant::Pair(b1, b2)) => {
                    pending.extend([(*a2, *b2), (*a1, *b1)]);
                    true
                }
                (Constant::Vector(a), Constant::Vector(b)) => {
                    pending.extend(a.iter().copied().zip(b.iter().copied()));
                    a.len() == b.len()
                }
                (
                    Constant::Nil | Constant::Boolean(_) | Constant::Real(_) | Constant::Pair(..) | Constant::Vector(_),
                    _,
                ) => false,
            };
            if !same {
                return false;
            }
        }
        true
    }

    /// Writes a constant as a value of it is printed: without a quotation mark.
    ///
    /// # Errors
    /// The writer's own.
    pub fn write(&self, out: &mut dyn Write, id: ConstantId, notation: Notation) -> io::Result<()> {
        let mut pending = vec![Pending::Constant(id)];
        while let Some(next) = pending.pop() {
            match next {
                Pending::Text(text) => out.write_all(text.as_bytes())?,
                Pending::Constant(id) => match self.get(id) {
                    Constant::Nil => out.write_all(b"()")?,
                    Constant::Boolean(truth) => out.write_all(if *truth { b"#t" } else { b"#f" })?,
                    Constant::Real(real) => number::write(out, *real, notation)?,
                    Constant::Pair(first, second) => {
                        out.write_all(b"(")?;
                        pending.extend([Pending::Rest(*second), Pending::Constant(*first)]);
                    }
                    Constant::Vector(elements) => {
                        out.write_all(b"#(")?;
                        match elements.split_first() {
                            Some((first, rest)) => {
                                pending.extend([Pending::Elements(rest), Pending::Constant(*first)]);
                            }
                            None => out.write_all(b")")?,
                        }
                    }
                },
                Pending::Rest(id) => match self.get(id) {
                    Constant::Nil => out.write_all(b")")?,
                    Constant::Pair(first, second) => {
                        out.write_all(b" ")?;
                        pending.extend([Pending::Rest(*second), Pending::Constant(*first)]);
                    }
                    Constant::Boolean(_) | Constant::Real(_) | Constant::Vector(_) => {
                        out.write_all(b" . ")?;
                        pending.extend([Pending::Text(")"), Pending::Constant(id)]);
                    }
                },
                Pending::Elements(elements) => match elements.split_first() {
                    Some((first, rest)) => {
                        out.write_all(b" ")?;
                        pending.extend([Pending::Elements(rest), Pending::Constant(*first)]);
                    }
                    None => out.write_all(b")")?,
                },
            }
        }
        Ok(())
    }

    /// The text of a constant.
    pub fn text(&self, id: ConstantId) -> String {
        let mut text = Vec::new();
        // Writing to memory does not fail.
        let _ = self.write(&mut text, id, Notation::Shortest);
        String::from_utf8_lossy(&text).into_owned()
    }

    /// The text of a constant in a message: its beginning if it is long.
    pub fn summary(&self, id: ConstantId) -> String {
        summary_of(|out| self.write(out, id, Notation::Shortest))
    }

    /// The text of a constant as an expression: a pair is quoted.
    pub fn expression(&self, id: ConstantId) -> String {
        let mark = if matches!(self.get(id), Constant::Pair(..)) { "'" } else { "" };
        format!("{mark}{}", self.text(id))
    }

    /// Checks that parts stand before the constants that they are parts of.
    ///
    /// # Errors
    /// The number of a constant for which that is not so.
    pub fn check(&self) -> Result<(), String> {
        let ids = (0..self.arena.len() as u32).map(ConstantId);
        match ids.into_iter().find(|id| self.parts(*id).any(|part| part >= *id)) {
            Some(id) => Err(format!("constant {} stands before a part of it", id.0)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `((1 . #t) #(2 ()))`, and the numbers of its parts.
    fn sample() -> (Constants, ConstantId) {
        let mut constants = Constants::default();
        let nil = constants.add(Constant::Nil);
        let [one, truth, two] =
            [Constant::Real(1.0), Constant::Boolean(true), Constant::Real(2.0)].map(|constant| constants.add(constant));
        let pair = constants.add(Constant::Pair(one, truth));
        let vector = constants.add(Constant::Vector([two, nil].into()));
        let list = constants.add_list([pair, vector].into_iter(), nil);
        (constants, list)
    }

    #[test]
    fn constants_are_printed_as_data() {
        let (mut constants, list) = sample();
        assert_eq!(constants.expression(list), "'((1 . #t) #(2 ()))");
        let empty = constants.add(Constant::Vector([].into()));
        assert_eq!(constants.expression(empty), "#()");
    }

    #[test]
    fn a_copy_is_the_same_and_has_its_parts_before_it() {
        let (from, list) = sample();
        let mut into = Constants::default();
        let mut copies = vec![None; from.len()];
        let copy = into.copy(&from, list, &mut copies);
        assert_eq!(into.text(copy), from.text(list));
        assert_eq!(into.copy(&from, list, &mut copies), copy);
        assert_eq!(into.check(), Ok(()));
        assert_eq!(into.len(), from.len());
    }

    #[test]
    fn constants_are_compared_by_bits() {
        let mut constants = Constants::default();
        let reals = [0.0, -0.0, f64::NAN, f64::NAN].map(|real| constants.add(Constant::Real(real)));
        let [plus, minus, nan, other_nan] = reals;
        assert!(!constants.same(plus, minus));
        assert!(constants.same(nan, other_nan));
        let [short, long] = [vec![plus], vec![plus, plus]].map(|parts| constants.add(Constant::Vector(parts.into())));
        assert!(!constants.same(short, long) && !constants.same(short, plus) && constants.same(long, long));
    }

    #[test]
    fn a_part_behind_its_whole_is_found() {
        let mut constants = Constants::default();
        constants.add(Constant::Pair(ConstantId(1), ConstantId(1)));
        constants.add(Constant::Nil);
        assert_eq!(constants.check(), Err("constant 0 stands before a part of it".to_owned()));
    }

    #[test]
    fn deep_data_take_constant_stack() {
        let mut constants = Constants::default();
        let nil = constants.add(Constant::Nil);
        let deep = (0..1_000_000).fold(nil, |part, _| constants.add(Constant::Pair(part, nil)));
        let mut into = Constants::default();
        let copy = into.copy(&constants, deep, &mut vec![None; constants.len()]);
        assert_eq!(into.text(copy).len(), 2_000_002);
        assert!(constants.same(deep, deep));
    }
}
