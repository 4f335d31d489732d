//! The test of the assumptions of a definition, which is evaluated before the rewritten body: `true` if all of them hold.
//!
//! It is total, and it takes few steps. An assumption about all values of an index is tested for one of them, if the comparison is
//! monotonic in the index; otherwise a loop tests all.

use super::known::{Assumption, Relation};
use crate::builder::Builder;
use crate::rewrite::terms;
use crate::typed::{Expression, ExpressionId, Ifold, LocalId, Program, Types};
use rustc_hash::FxHashMap;
use vlad_core::source::Span;
use vlad_table::operations::Operation;
use vlad_table::primitives::Comparison;

/// Returns the conjunction of the tests of some assumptions, each under those before; none for no assumption.
pub fn test(program: &mut Program, assumptions: &[Assumption], span: Span) -> Option<ExpressionId> {
    let mut whole = None;
    for assumption in assumptions.iter().rev() {
        let one = one(program, assumption, span);
        whole = Some(match whole {
            None => one,
            Some(others) => program.at(span).both(one, others),
        });
    }
    whole
}

/// The test of one assumption: a comparison. An index is the one of those that it ranges over for which the comparison is
/// hardest to satisfy, if that is seen: if it holds there, it holds for all. Otherwise the comparison is in an iteration.
fn one(program: &mut Program, assumption: &Assumption, span: Span) -> ExpressionId {
    let comparison = match assumption.relation {
        Relation::Equal => Comparison::Equal,
        Relation::Less => Comparison::Less,
        Relation::NotGreater => Comparison::NotGreater,
    };
    let mut renamed = FxHashMap::default();
    let mut loops = vec![];
    for (index, count) in &assumption.indices {
        let count = program.copy_with(*count, &renamed);
        let name = program.local(*index).name.clone();
        let own = program.at(span).fresh(&name, Types::INDEX);
        let used = terms::local(program, own, count);
        renamed.insert(*index, used);
        loops.push((own, count));
    }
    let (mut left, mut right) =
        (program.copy_with(assumption.left, &renamed), program.copy_with(assumption.right, &renamed));
    let mut counts = vec![];
    while let Some((index, count)) = loops.last().copied()
        && !counts.iter().any(|other| terms::mentions(program, *other, &[index]))
        && let Some(trend) = trend_of_difference(program, assumption.relation, [left, right], index)
    {
        let place = match trend {
            Trend::Increasing => {
                let count = program.copy(count);
                let mut build = program.at(span);
                let one = build.index(1.0);
                build.binary(Operation::Subtract, count, one)
            }
            Trend::Constant | Trend::Decreasing => program.at(span).index(0.0),
        };
        let again = program.copy(place);
        left = terms::substitute(program, left, index, place);
        right = terms::substitute(program, right, index, again);
        counts.push(count);
        loops.pop();
    }
    let mut build = program.at(span);
    let mut test = build.compare(comparison, left, right);
    for count in counts {
        test = for_whole(&mut build, count, test);
        let none = build.index(0.0);
        let condition = build.compare(Comparison::Less, none, count);
        let alternative = build.boolean(true);
        test = build.choice(condition, test, alternative);
    }
    for (index, count) in loops.into_iter().rev() {
        let state = build.fresh("holds", Types::BOOLEAN);
        let holds = build.local(state);
        let turn = build.both(holds, test);
        let start = build.boolean(true);
        test = build.ifold(Ifold { state, index, turn, start, count });
        test = for_whole(&mut build, count, test);
    }
    test
}

/// The change of a number with an index that becomes greater, as computed: rounding keeps the order of finite numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trend {
    Constant,
    Increasing,
    Decreasing,
}

impl Trend {
    fn of_opposite(self) -> Trend {
        match self {
            Trend::Constant => Trend::Constant,
            Trend::Increasing => Trend::Decreasing,
            Trend::Decreasing => Trend::Increasing,
        }
    }

    fn of_sum(self, other: Trend) -> Option<Trend> {
        match (self, other) {
            (Trend::Constant, one) | (one, Trend::Constant) => Some(one),
            (one, other) => (one == other).then_some(one),
        }
    }

    /// The trend of sums of a number with an index, of differences, and of products with a constant; none if it is not seen.
    fn of(program: &Program, id: ExpressionId, index: LocalId, depth: usize) -> Option<Trend> {
        if !terms::mentions(program, id, &[index]) {
            return Some(Trend::Constant);
        }
        let depth = depth.checked_sub(1)?;
        match program.expression(id) {
            Expression::Local(_) => Some(Trend::Increasing),
            Expression::Binary(Operation::Add, first, second) => {
                Trend::of(program, first, index, depth)?.of_sum(Trend::of(program, second, index, depth)?)
            }
            Expression::Binary(Operation::Subtract, first, second) => {
                let of_second = Trend::of(program, second, index, depth)?;
                Trend::of(program, first, index, depth)?.of_sum(of_second.of_opposite())
            }
            Expression::Binary(Operation::Multiply, first, second) => {
                let (factor, other) = match (program.expression(first), program.expression(second)) {
                    (Expression::Number(number), _) if number.is_finite() => (number, second),
                    (_, Expression::Number(number)) if number.is_finite() => (number, first),
                    _ => return None,
                };
                let of_other = Trend::of(program, other, index, depth)?;
                Some(if factor < 0.0 { of_other.of_opposite() } else { of_other })
            }
            _ => None,
        }
    }
}

/// A test that holds for a whole count alone, if that is not certain.
fn for_whole(build: &mut Builder, count: ExpressionId, test: ExpressionId) -> ExpressionId {
    if is_whole(build.program, count, MOST_NESTED) {
        return test;
    }
    let [one, other] = [0, 1].map(|_| {
        let copy = build.program.copy(count);
        build.add(Expression::Widen(copy), Types::DOUBLE)
    });
    let floor = build.unary(Operation::Floor, other);
    let whole = build.compare(Comparison::Equal, one, floor);
    build.both(whole, test)
}

/// Returns true for a number that is certainly whole. An index that a caller of an export gives may be none.
fn is_whole(program: &Program, id: ExpressionId, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    match program.expression(id) {
        Expression::Length(_) => true,
        Expression::Number(number) => number.fract() == 0.0,
        Expression::Binary(Operation::Add | Operation::Subtract | Operation::Multiply, first, second) => {
            is_whole(program, first, depth) && is_whole(program, second, depth)
        }
        _ => false,
    }
}

/// The greatest depth of numbers that are looked at.
const MOST_NESTED: usize = 16;

/// The trend of the difference of two sides with an index: if it is increasing, the relation is hardest to satisfy for the last index.
fn trend_of_difference(
    program: &Program,
    relation: Relation,
    sides: [ExpressionId; 2],
    index: LocalId,
) -> Option<Trend> {
    let [left, right] = sides.map(|side| Trend::of(program, side, index, MOST_NESTED));
    let difference = left?.of_sum(right?.of_opposite())?;
    (relation != Relation::Equal || difference == Trend::Constant).then_some(difference)
}
