//! Tables of opposite tangents. Of class Z.
//!
//! ```text
//! let t = build n (fun k -> guarded (a * b[k])) in c[build n (fun k -> guarded (-a * b[k]))]
//!   ~>  let t = build n (fun k -> guarded (a * b[k])) in c[build n (fun k -> -t[k])]
//! ```
//!
//! If a function uses only the difference of two inputs, its derivatives by both are computed by the same operations on opposite
//! numbers. Rounding is symmetric, so the results are opposite but for the signs of zeros.

use super::search::{self, Search};
use crate::builder::Builder;
use crate::rewrite::derivation::Step;
use crate::rewrite::facts::signs;
use crate::rewrite::facts::totality::Context;
use crate::rewrite::rules::Class;
use crate::rewrite::terms;
use crate::typed::{Build, Expression, ExpressionId, LocalId, Program, Side, Type, Types};
use rustc_hash::FxHashMap;
use vlad_table::operations::Operation;

/// The deepest nest of operands, and of `let`s, that is compared.
const DEEPEST: usize = 64;

/// The most terms that are compared for two elements.
const FUEL: usize = 10_000;

/// The least size of an element that is read from a table instead.
const LEAST: usize = 12;

/// Reads the opposite of a table in place of an array, if there is one.
pub fn read(program: &mut Program, context: &mut Context, search: &mut Search) -> Option<Step> {
    search.visit(program, search::BUILDS, |program, path, before| {
        let array = program.as_build(before)?;
        if !is_of_tangents(program, context, array.element) || terms::size(program, array.element, LEAST) < LEAST {
            return None;
        }
        let table = path.iter().rev().find_map(|(around, part)| {
            let Expression::Let { local, value, .. } = program.expression(*around) else { return None };
            let own = (*part == 1).then(|| program.as_build(value)).flatten()?;
            let is_alike = program.type_of(value) == program.type_of(before)
                && context.facts.is_equal(program, own.size, array.size);
            let known = FxHashMap::from_iter([(array.index, (own.index, Signs::SAME))]);
            let mut comparison = Comparison { program, context, known, fuel: FUEL };
            (is_alike && comparison.of(own.element, array.element, DEEPEST).opposite).then_some(local)
        })?;
        let after = opposite(program, table, before)?;
        Some(Step::at(path, ("opposite of a table", Class::ZeroSigns), before, after))
    })
}

/// True for a tangent, or a pair of tangents, behind `let`s.
fn is_of_tangents(program: &Program, context: &Context, element: ExpressionId) -> bool {
    let is_tangent = |id| program.type_of(id) == Types::DOUBLE && signs::is_tangent(program, &context.facts, id);
    if let Expression::Pair(first, second) = program.expression(program.lets(element).1) {
        return is_tangent(first) && is_tangent(second);
    }
    is_tangent(element)
}

/// The array of the opposites of the elements of a table.
fn opposite(program: &mut Program, table: LocalId, before: ExpressionId) -> Option<ExpressionId> {
    let Build { size, index, element } = program.as_build(before)?;
    let own = program.add_local_like(index);
    let is_pair = matches!(program.types.get(program.type_of(element)), Type::Pair(..));
    let mut build = program.like(element);
    let read = |build: &mut Builder| {
        let (array, index) = (build.local(table), build.local(own));
        build.get(array, index)
    };
    let opposite = if is_pair {
        let [first, second] = [0, 1].map(|_| read(&mut build));
        let (first, second) = (build.first(first), build.second(second));
        let [first, second] = [first, second].map(|part| build.unary(Operation::Negate, part));
        build.pair(first, second)
    } else {
        let read = read(&mut build);
        build.unary(Operation::Negate, read)
    };
    Some(program.like(before).build(Build { size, index: own, element: opposite }))
}

/// The signs that a term can have in comparison with another one, of which it has the absolute value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Signs {
    /// The terms are equal.
    same: bool,
    /// One is the other one with the other sign.
    opposite: bool,
}

impl Signs {
    const NONE: Signs = Signs { same: false, opposite: false };
    const SAME: Signs = Signs { same: true, opposite: false };
    #[cfg(test)]
    const OPPOSITE: Signs = Signs { same: false, opposite: true };
    #[cfg(test)]
    const ZERO: Signs = Signs { same: true, opposite: true };

    fn both(self, other: Signs) -> Signs {
        Signs { same: self.same && other.same, opposite: self.opposite && other.opposite }
    }

    fn product(self, other: Signs) -> Signs {
        Signs {
            same: self.same && other.same || self.opposite && other.opposite,
            opposite: self.same && other.opposite || self.opposite && other.same,
        }
    }

    fn negated(self) -> Signs {
        Signs { same: self.opposite, opposite: self.same }
    }
}

/// A number in an element of a table: parts of parts of a pair.
struct Column {
    table: LocalId,
    index: ExpressionId,
    /// The sides, from the outermost pair.
    sides: Vec<Side>,
}

impl Column {
    fn of(program: &Program, id: ExpressionId) -> Option<Column> {
        let (mut id, mut sides) = (id, vec![]);
        while let Some((side, pair)) = program.as_projection(id) {
            sides.insert(0, side);
            id = pair;
        }
        let Expression::Get { array, index } = program.expression(id) else { return None };
        let Expression::Local(table) = program.expression(array) else { return None };
        Some(Column { table, index, sides })
    }

    /// The term that is computed for it, behind the `let`s of an element.
    fn value(&self, program: &Program, element: ExpressionId) -> Option<ExpressionId> {
        let mut value = program.lets(element).1;
        for side in &self.sides {
            let Expression::Pair(first, second) = program.expression(value) else { return None };
            value = side.of((first, second));
        }
        Some(value)
    }
}

struct Comparison<'run> {
    program: &'run Program,
    context: &'run Context,
    /// The locals of the second term, each with that of the first one that it is compared with.
    known: FxHashMap<LocalId, (LocalId, Signs)>,
    /// The number of terms that may still be compared: columns of tables stand for what they are made of.
    fuel: usize,
}

impl Comparison<'_> {
    /// Compares two terms. Recursion is bounded by the depth.
    fn of(&mut self, one: ExpressionId, other: ExpressionId, depth: usize) -> Signs {
        let (mut one, mut other, Some(depth), Some(fuel)) =
            (one, other, depth.checked_sub(1), self.fuel.checked_sub(1))
        else {
            return Signs::NONE;
        };
        self.fuel = fuel;
        while let (
            Expression::Let { local: first, value: of_first, body: after_first },
            Expression::Let { local: second, value: of_second, body: after_second },
        ) = (self.program.expression(one), self.program.expression(other))
        {
            let signs = self.of(of_first, of_second, depth);
            if signs == Signs::NONE {
                return Signs::NONE;
            }
            self.known.insert(second, (first, signs));
            (one, other) = (after_first, after_second);
        }
        match (self.program.expression(one), self.program.expression(other)) {
            (Expression::Number(first), Expression::Number(second)) => {
                Signs { same: first.to_bits() == second.to_bits(), opposite: first == -second }
            }
            (Expression::Binary(first, a, b), Expression::Binary(second, c, d)) if first == second => {
                let (left, right) = (self.of(a, c, depth), self.of(b, d, depth));
                match first {
                    Operation::Add | Operation::Subtract => left.both(right),
                    Operation::Multiply | Operation::GuardedMultiply => left.product(right),
                    _ => self.equal(one, other),
                }
            }
            (Expression::Pair(a, b), Expression::Pair(c, d)) => self.of(a, c, depth).both(self.of(b, d, depth)),
            (Expression::Unary(Operation::Negate, a), Expression::Unary(Operation::Negate, b)) => self.of(a, b, depth),
            (Expression::Unary(Operation::Negate, a), _) => self.of(a, other, depth).negated(),
            (_, Expression::Unary(Operation::Negate, b)) => self.of(one, b, depth).negated(),
            (_, Expression::Local(local)) if self.known.contains_key(&local) => self.local(one, local),
            (Expression::Local(first), Expression::Local(second)) if first == second => Signs::SAME,
            (Expression::Local(first), Expression::Local(second)) => {
                let value = |local| self.context.facts.value(local);
                match (value(first), value(second)) {
                    (_, Some(value)) if self.is_negation(value) => self.of(one, value, depth),
                    (Some(value), _) if self.is_negation(value) => self.of(value, other, depth),
                    _ => Signs::NONE,
                }
            }
            _ => match self.equal(one, other) {
                Signs::NONE => self.columns(one, other, depth).unwrap_or(Signs::NONE),
                signs => signs,
            },
        }
    }

    /// Compares two columns of one table at one index.
    fn columns(&mut self, one: ExpressionId, other: ExpressionId, depth: usize) -> Option<Signs> {
        let (first, second) = (Column::of(self.program, one)?, Column::of(self.program, other)?);
        let is_at_same_place = first.table == second.table && self.equal(first.index, second.index).same;
        let element = self.program.as_build(self.context.facts.value(first.table)?)?.element;
        let (one, other) = (first.value(self.program, element)?, second.value(self.program, element)?);
        is_at_same_place.then(|| self.of(one, other, depth))
    }

    fn is_negation(&self, id: ExpressionId) -> bool {
        matches!(self.program.expression(id), Expression::Unary(Operation::Negate, _))
    }

    fn local(&self, one: ExpressionId, local: LocalId) -> Signs {
        match (self.program.expression(one), self.known.get(&local)) {
            (Expression::Local(first), Some((expected, signs))) if first == *expected => *signs,
            _ => Signs::NONE,
        }
    }

    /// Compares terms as wholes.
    fn equal(&self, one: ExpressionId, other: ExpressionId) -> Signs {
        let mut renamed: FxHashMap<LocalId, LocalId> = self
            .known
            .iter()
            .filter(|(_, (_, signs))| signs.same)
            .map(|(second, (first, _))| (*first, *second))
            .collect();
        let used = terms::free_locals(self.program, other);
        let is_opposite = |local: &LocalId| self.known.get(local).is_some_and(|(_, signs)| !signs.same);
        match !used.iter().any(is_opposite) && terms::matching(self.program, one, other, &mut renamed) {
            true => Signs::SAME,
            false => Signs::NONE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_products_and_sums() {
        assert_eq!(Signs::OPPOSITE.product(Signs::OPPOSITE), Signs::SAME);
        assert_eq!(Signs::OPPOSITE.product(Signs::SAME), Signs::OPPOSITE);
        assert_eq!(Signs::ZERO.product(Signs::SAME), Signs::ZERO);
        assert_eq!(Signs::OPPOSITE.both(Signs::ZERO), Signs::OPPOSITE);
        assert_eq!(Signs::OPPOSITE.both(Signs::SAME), Signs::NONE);
    }
}
