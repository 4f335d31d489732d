//! Builds that are tried with packed instructions first, and made as usual where that does not succeed.
//!
//! An elementwise build ([`crate::first_order::elementwise`]) has neither tests nor branches. Most derivatives have some: an index is
//! tested, and the guards of all products of a region are one test for NaN (`first_order::passes::guards::speculative`). So for such a body
//! there are two loops:
//!
//! ```text
//! if there are elements, and what is tested of the index holds for all of them:
//!     what is the same for each element, once; if that yields arrays, the same of places in these
//!     all elements, packed, as if no test for NaN failed; and the sum of z - z of what is tested
//! unless that was done, and the sum is not NaN:
//!     all elements, as usual
//! ```
//!
//! The first loop has no effect but on the elements, which the second one sets again, so the second one alone says what a build is:
//! it finds what fails, in its order. The sum is NaN also if something is infinite; then both loops run. What fails
//! within the code that is executed once is what fails first in the first iteration: no test before it fails, and no branch before it
//! leaves the code.
//!
//! One element, the *hot* one, may be made otherwise, as in forward mode. The first loop makes it like the others; if it is one of the part,
//! it is made again, as usual.
//!
//! A body that does one thing below some index and another one from it on is two such builds, one behind the other:
//!
//! ```text
//! build n (fun k -> if k < m then p[k] else q[k - m])
//! ```

use super::affine::Affine;
use super::function::{Body, Tail, name, operand};
use super::hot::is_simple;
use super::packable::{Packable, Step};
use super::short::loop_of;
use super::steps::Counts;
use super::wholes::integer_name;
use crate::c::{Expression as C, Infix, Statement as S};
use crate::first_order::variables::free_variables;
use crate::first_order::{Block, End, Operand, Statement, Variable};
use vlad_table::Comparison;

/// The most statements before the branch of a body that is made in two parts.
const MOST_SHARED: usize = 4;

/// The elements of a build from one index on, up to another one.
pub(super) struct Part<'unit> {
    pub targets: &'unit [Variable],
    pub index: Variable,
    pub from: C,
    pub to: C,
}

/// The code of an element: the statements that all blocks share, its block, and the way in which steps are counted.
type Element<'shared, 'unit> = (&'shared [&'unit Statement], &'unit Block, Counts);

/// A body that branches on the comparison of the index with a number.
struct Halves<'unit> {
    /// The index from which on the other block makes the elements.
    most: Operand,
    shared: Vec<&'unit Statement>,
    below: &'unit Block,
    beyond: &'unit Block,
}

impl<'unit> Halves<'unit> {
    fn of(body: &'unit Block, index: Variable) -> Option<Halves<'unit>> {
        let End::Branch { test: Operand::Variable(test), consequent, alternative } = &body.end else { return None };
        let (mut most, mut shared) = (None, Vec::new());
        for statement in &body.statements {
            match statement {
                Statement::Compare { target, comparison: Comparison::Less, first, second } if target == test => {
                    most = (*first == index.into()).then_some(*second);
                }
                other => shared.push(other),
            }
        }
        let most = most?;
        let is_inside = |variable: &Variable| {
            *variable == index || shared.iter().any(|statement| statement.targets().contains(variable))
        };
        let is_executed = |statement: &&&Statement| !matches!(statement, Statement::Count { .. });
        let are_shared = shared.iter().filter(is_executed).count() <= MOST_SHARED
            && shared.iter().filter(is_executed).all(|statement| is_simple(statement));
        let reads_test = free_variables(consequent).contains(test) || free_variables(alternative).contains(test);
        (are_shared && !reads_test && !most.variable().is_some_and(|most| is_inside(&most))).then_some(Halves {
            most,
            shared,
            below: consequent,
            beyond: alternative,
        })
    }
}

impl<'unit> Body<'unit> {
    /// Makes the elements of a build with packed instructions, as far as that can be tried; returns false if it cannot.
    pub fn packed_build(
        &self,
        (targets, index): (&'unit [Variable], Variable),
        (body, count, counts): (&'unit Block, &str, Counts),
        out: &mut Vec<S>,
    ) -> bool {
        let part = |from, to| Part { targets, index, from, to };
        let statements: Vec<&'unit Statement> = body.statements.iter().collect();
        if let Some(packable) = Packable::of(self.function, index, &statements, &body.end, counts) {
            self.tried(&part(C::Number(0), C::name(count)), &packable, (&[], body, counts), out);
            return true;
        }
        let Some(halves) = Halves::of(body, index) else { return false };
        let is_at_once =
            |block: &Block| counts == Counts::AtOnce || !has_counts(&body.statements) && !has_counts(&block.statements);
        let blocks = [halves.below, halves.beyond];
        if !blocks.into_iter().all(is_at_once) {
            return false;
        }
        let packable = blocks.map(|block| {
            let statements: Vec<&'unit Statement> = halves.shared.iter().copied().chain(&block.statements).collect();
            Packable::of(self.function, index, &statements, &block.end, Counts::AtOnce)
        });
        if packable.iter().all(Option::is_none) {
            return false;
        }
        let split = format!("split{}", index.0);
        let bound = C::Name(format!("bound{}", index.0));
        let least = bound.clone().infix(Infix::Less, C::name(count)).choice(bound, C::name(count));
        let mut inside =
            vec![S::integer(format!("bound{}", index.0), self.bound(halves.most)), S::integer(split.clone(), least)];
        let ranges = [(C::Number(0), C::name(&split)), (C::name(&split), C::name(count))];
        for ((block, packable), (from, to)) in blocks.into_iter().zip(packable).zip(ranges) {
            let part = part(from.clone(), to.clone());
            let counts = self.count_at_once(block, to.infix(Infix::Subtract, from), &mut inside);
            let usual = (halves.shared.as_slice(), block, counts);
            match packable {
                Some(packable) => self.tried(&part, &packable, usual, &mut inside),
                None => self.usual_part(&part, usual, &mut inside),
            }
        }
        out.push(S::Scope(inside));
        true
    }

    /// The elements of a part, one behind the other, by what all share and a block.
    pub(super) fn usual_part(&self, part: &Part<'unit>, element: Element<'_, 'unit>, out: &mut Vec<S>) {
        let Part { targets, index, from, to } = part;
        let place = C::Name(integer_name(*index));
        let is_last = place.clone().infix(Infix::Equal, to.clone());
        let mut each = vec![S::If { test: is_last, then: vec![S::Break], otherwise: Vec::new() }];
        self.usual_element((targets, *index), element, &mut each);
        each.push(S::Add(place, C::Number(1)));
        let begin = S::integer(integer_name(*index), from.clone());
        out.push(S::Scope(vec![begin, loop_of(element.1, each)]));
    }

    /// The element at an index whose integer is defined.
    pub(super) fn usual_element(
        &self,
        (targets, index): (&'unit [Variable], Variable),
        (shared, block, counts): Element<'_, 'unit>,
        out: &mut Vec<S>,
    ) {
        self.counters(&[index], out);
        if self.allocates(block) {
            out.push(super::arrays::mark(format!("mark{}", index.0)));
        }
        for statement in shared.iter().filter(|statement| !matches!(statement, Statement::Count { .. })) {
            self.statement(statement, out);
        }
        self.iteration(block, counts, out);
        self.end(&block.end, Tail::Build { targets, index }, out);
    }

    /// The elements of a part, packed, and as usual where that does not succeed.
    fn tried(&self, part: &Part<'unit>, packable: &Packable<'unit>, element: Element<'_, 'unit>, out: &mut Vec<S>) {
        let Part { index, from, to, .. } = part;
        let (done, is_tested) = (C::Name(format!("done{}", index.0)), !packable.tested.is_empty());
        let later = ranges(part, packable, &packable.later_ranges).into_iter().reduce(both);
        let may_not_be_done = is_tested || later.is_some();
        let mut packed = Vec::new();
        let succeeds = self.packed_loop(part, packable, &mut packed);
        if may_not_be_done {
            packed.push(S::Assign(done.clone(), succeeds));
        }
        if let Some(hot) = packable.hot {
            self.hot_element(part, (hot, is_tested.then(|| done.clone())), element, &mut packed);
        }
        let mut then = Vec::new();
        packable.once.iter().for_each(|statement| self.statement(statement, &mut then));
        match later {
            Some(later) => then.push(S::when(later, packed)),
            None => then.extend(packed),
        }
        let has_some = (!packable.once.is_empty() || !packable.ranges.is_empty() || is_tested)
            .then(|| from.clone().infix(Infix::Less, to.clone()));
        let mut inside = Vec::new();
        let are_exact =
            (!packable.outside.is_empty()).then(|| self.moderate_outside(&packable.outside, *index, &mut inside));
        let conditions = has_some.into_iter().chain(are_exact).chain(ranges(part, packable, &packable.ranges));
        let Some(condition) = conditions.reduce(both) else { return out.extend(then) };
        let mut usual = Vec::new();
        if packable.may_fall_back() {
            self.usual_part(part, element, &mut usual);
        }
        if may_not_be_done {
            inside.extend([
                S::Define { ctype: "int".into(), name: format!("done{}", index.0), value: C::Number(0) },
                S::when(condition, then),
                S::when(C::call("VLAD_UNLIKELY", [done.prefix("!")]), usual),
            ]);
        } else {
            inside.push(S::If { test: condition, then, otherwise: usual });
        }
        out.push(S::Scope(inside));
    }

    /// The packed loop of a part. Returns the condition that its elements are right.
    fn packed_loop(&self, part: &Part<'unit>, packable: &Packable<'unit>, out: &mut Vec<S>) -> C {
        let Part { targets, index, from, to } = part;
        let (sum, is_tested) = (format!("sum{}", index.0), !packable.tested.is_empty());
        if is_tested {
            out.push(S::Define { ctype: "double".into(), name: sum.clone(), value: C::Real(0.0) });
        }
        let mut each = Vec::new();
        for step in &packable.each {
            match step {
                Step::Statement(statement) => self.statement(statement, &mut each),
                Step::Read { target, array, place } => {
                    let place = place.place(&packable.outside, *index);
                    self.define(*target, C::call("vlad_real_at", [operand(*array), place]), &mut each);
                }
                Step::Same { target, value } => self.define(*target, operand(*value), &mut each),
            }
        }
        for tested in &packable.tested {
            let difference = operand(*tested).infix(Infix::Subtract, operand(*tested));
            each.push(S::Add(C::name(&sum), difference));
        }
        for (target, value) in targets.iter().zip(&packable.values) {
            each.push(S::Evaluate(C::call(
                "vlad_set_real",
                [name(*target), C::Name(integer_name(*index)), operand(*value)],
            )));
        }
        out.push(S::Elementwise {
            index: integer_name(*index),
            from: from.clone(),
            to: to.clone(),
            sum: is_tested.then(|| sum.clone()),
            statements: each,
        });
        if is_tested { C::name(&sum).infix(Infix::Equal, C::name(&sum)) } else { C::Number(1) }
    }

    /// The element of a part that is made otherwise, at a place, if it is there and a condition holds.
    fn hot_element(
        &self,
        Part { targets, index, from, to }: &Part<'unit>,
        (place, condition): (Operand, Option<C>),
        element: Element<'_, 'unit>,
        out: &mut Vec<S>,
    ) {
        let Some((is_below, place)) = self.hot_index(place, targets, to.clone()) else { return };
        let is_behind = (*from != C::Number(0)).then(|| place.clone().infix(Infix::NotLess, from.clone()));
        let test = condition.into_iter().chain([is_below]).chain(is_behind).reduce(both);
        let mut again = vec![S::integer(integer_name(*index), place)];
        self.usual_element((targets, *index), element, &mut again);
        out.extend(test.map(|test| S::when(test, again)));
    }
}

fn both(one: C, other: C) -> C {
    one.infix(Infix::And, other)
}

/// The conditions under which places of a part that is not empty are indices of what is read there.
fn ranges(Part { index, from, to, .. }: &Part<'_>, packable: &Packable<'_>, of: &[(Operand, Affine)]) -> Vec<C> {
    let mut found = Vec::new();
    for (array, place) in of {
        let length = operand(*array).dot("length");
        if let Affine { factor: 1, constant: constant @ 0.., outside } = place
            && outside.is_empty()
        {
            let end = to.clone().infix(Infix::Add, C::Number(constant.unsigned_abs()));
            found.push(length.infix(Infix::NotLess, end));
            continue;
        }
        let last = to.clone().infix(Infix::Subtract, C::Number(1));
        let (least, most) = if place.factor < 0 { (last, from.clone()) } else { (from.clone(), last) };
        let at = |end: C| place.at(end, (&packable.outside, *index));
        found.push(at(least).infix(Infix::NotLess, C::Number(0)));
        found.push(at(most).infix(Infix::Less, C::call("vlad_signed", [length])));
    }
    found
}

/// Returns true if there are steps among statements.
fn has_counts(statements: &[Statement]) -> bool {
    statements.iter().any(|statement| matches!(statement, Statement::Count { .. }))
}
