//! Builds that are tried with packed instructions first, and made as usual if these fail.
//!
//! An elementwise build ([`crate::elementwise`]) has neither tests nor branches. Most derivatives have some: an index is
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
//! The first loop has no effect but on the elements, which the second one sets again. So the second one alone is the meaning of a build,
//! and finds its failures in their order. The sum is NaN also if a tested number is infinite; then both loops run. A failure of the code
//! that is executed once is the first one of the first iteration: no test before it fails, and no branch before it leaves the code.
//!
//! One element, the *hot* one, may be made otherwise, as in forward mode. The first loop makes it like the others; if it is one of the
//! part, it is made again, as usual.
//!
//! The two halves of a build ([`crate::storage::patterns::halves`]) are two such builds, one behind the other.

use super::{Element, Lowering, Outside, Part, nothing};
use crate::storage::affine::Affine;
use crate::storage::counts::{Counts, count_for_all};
use crate::storage::patterns::halves::Halves;
use crate::storage::patterns::packable::{Packable, Step};
use crate::storage::placement::known_length::KnownLength;
use crate::{Block, End, IntegerOperation, Kind, Operand, Order, Statement};
use vlad_table::{Comparison, Operation};

impl<'unit> Lowering<'_, 'unit> {
    /// Makes the elements of a build with packed instructions, as far as that can be tried; returns false if it cannot.
    pub(super) fn vectorised_build(&mut self, part: Part<'unit>, element: Element<'_, 'unit>) -> bool {
        let Element { block: body, counts, .. } = element;
        let statements: Vec<&'unit Statement> = body.statements.iter().collect();
        if let Some(packable) = Packable::of(self.facts.function, part.index, &statements, &body.end, counts) {
            self.tried(part, &packable, element);
            return true;
        }
        let Some(halves) = Halves::of(body, part.index) else { return false };
        let is_at_once =
            |block: &Block| counts == Counts::AtOnce || !has_counts(&body.statements) && !has_counts(&block.statements);
        let blocks = [halves.below, halves.beyond];
        if !blocks.into_iter().all(is_at_once) {
            return false;
        }
        let packable = blocks.map(|block| {
            let statements: Vec<&'unit Statement> = halves.shared.iter().copied().chain(&block.statements).collect();
            Packable::of(self.facts.function, part.index, &statements, &block.end, Counts::AtOnce)
        });
        if packable.iter().all(Option::is_none) {
            return false;
        }
        let bound = self.code.integer(IntegerOperation::Bound, [halves.most]);
        let is_inside = self.code.integer(IntegerOperation::Below, [bound, part.to]);
        let split = self.code.integer(IntegerOperation::Choose, [is_inside, bound, part.to]);
        let parts = [Part { to: split, ..part }, Part { from: split, ..part }];
        for ((block, packable), part) in blocks.into_iter().zip(packable).zip(parts) {
            // Both parts have the statements that they share.
            let block = self.copied(|lowering| {
                let elements = lowering.code.integer(IntegerOperation::Subtract, [part.to, part.from]);
                let counts = count_for_all(&mut lowering.code, 0, block, elements);
                let element = Element { shared: &halves.shared, block, counts };
                match packable {
                    Some(packable) => lowering.tried(part, &packable, element),
                    None => lowering.usual_part(part, element),
                }
                nothing()
            });
            self.code.bind_block(&[], block);
        }
        true
    }

    /// The elements of a part, packed, and as usual where that does not succeed.
    fn tried(&mut self, part: Part<'unit>, packable: &Packable<'unit>, element: Element<'_, 'unit>) {
        let Part { from, to, .. } = part;
        let is_tested = !packable.tested.is_empty();
        let may_not_be_done = is_tested || !packable.later_ranges.is_empty();
        let has_some = !packable.once.is_empty() || !packable.ranges.is_empty() || is_tested;
        let mut conditions = Vec::new();
        if has_some {
            conditions.push(self.code.integer(IntegerOperation::Below, [from, to]));
        }
        let (outside, are_exact) = self.outside(&packable.outside);
        conditions.extend(are_exact);
        conditions.extend(self.ranges(part, &packable.ranges, &outside));
        let Some(condition) = self.all(conditions) else {
            packable.once.iter().for_each(|statement| self.statement(statement));
            self.packed_part(part, packable, element, &outside);
            return;
        };
        let usual = match packable.may_fall_back() {
            true => self.nested(|lowering| {
                lowering.usual_part(part, element);
                nothing()
            }),
            false => Block::default(),
        };
        let packed = self.copied(|lowering| {
            packable.once.iter().for_each(|statement| lowering.statement(statement));
            let later = lowering.ranges(part, &packable.later_ranges, &outside);
            let done = match lowering.all(later) {
                None => lowering.packed_part(part, packable, element, &outside),
                Some(later) => {
                    let packed = lowering
                        .nested(|lowering| End::Yield(vec![lowering.packed_part(part, packable, element, &outside)]));
                    let not_done = Block { statements: Vec::new(), end: End::Yield(vec![Operand::Boolean(false)]) };
                    lowering.choose(&[Kind::Boolean], later, packed, not_done).first().copied().unwrap_or(later)
                }
            };
            End::Yield(if may_not_be_done { vec![done] } else { Vec::new() })
        });
        if may_not_be_done {
            let not_done = Block { statements: Vec::new(), end: End::Yield(vec![Operand::Boolean(false)]) };
            let done = self.choose(&[Kind::Boolean], condition, packed, not_done);
            let is_done = self.code.integer(IntegerOperation::Likely, done);
            self.choose(&[], is_done, Block::default(), usual);
        } else {
            self.choose(&[], condition, packed, usual);
        }
    }

    /// The elements of a part by packed instructions, and the one that is made otherwise. Returns the condition that they are right.
    fn packed_part(
        &mut self,
        part: Part<'unit>,
        packable: &Packable<'unit>,
        element: Element<'_, 'unit>,
        outside: &Outside,
    ) -> Operand {
        let Part { targets, from, to, .. } = part;
        let state: &[(Kind, Operand)] =
            if packable.tested.is_empty() { &[] } else { &[(Kind::Real, Operand::real(0.0))] };
        let sum = self.each((from, to), Order::Parallel, state, |lowering, number, state| {
            for step in &packable.each {
                lowering.step(step, number, outside);
            }
            for (target, value) in targets.iter().zip(&packable.values) {
                lowering.code.push(Statement::Store { array: (*target).into(), index: number, value: *value });
            }
            let differences: Vec<Operand> = packable
                .tested
                .iter()
                .map(|tested| lowering.code.binary(Operation::Subtract, *tested, *tested))
                .collect();
            let all = differences.into_iter().reduce(|all, one| lowering.code.binary(Operation::Add, all, one));
            let sums = state.iter().zip(all).map(|(sum, all)| lowering.code.binary(Operation::Add, *sum, all));
            End::Repeat(sums.collect())
        });
        let done = sum.first().map(|sum| self.code.compare(Comparison::Equal, *sum, *sum));
        if let Some(hot) = packable.hot {
            self.hot_element(part, (hot, done), element);
        }
        done.unwrap_or(Operand::Boolean(true))
    }

    fn step(&mut self, step: &Step<'unit>, number: Operand, outside: &Outside) {
        match step {
            Step::Statement(statement) => self.statement(statement),
            Step::Read { target, array, place } => {
                let index = self.affine(place, Some(number), outside);
                self.code.push(Statement::Element { target: *target, array: *array, index });
            }
            Step::Same { target, value } => {
                let (target, operation, first) = (*target, Operation::Copy, *value);
                self.code.push(Statement::Operation { target, operation, first, second: None });
            }
        }
    }

    /// The element of a part that is made otherwise, at a place, if it is there and a condition holds.
    fn hot_element(
        &mut self,
        Part { targets, index, from, to }: Part<'unit>,
        (place, condition): (Operand, Option<Operand>),
        element: Element<'_, 'unit>,
    ) {
        let Some((is_below, number)) = self.element_at(place, targets, Some(to)) else { return };
        let is_behind =
            (from != Operand::real(0.0)).then(|| self.code.integer(IntegerOperation::NotBelow, [number, from]));
        let Some(test) = self.all(condition.into_iter().chain([is_below]).chain(is_behind)) else { return };
        let block = self.copied(|lowering| lowering.element((targets, index), number, element, &nothing()));
        self.when(test, block);
    }

    /// The conditions under which places of a part that is not empty are indices of what is read there.
    fn ranges(
        &mut self,
        Part { from, to, .. }: Part<'unit>,
        of: &[(Operand, Affine)],
        outside: &Outside,
    ) -> Vec<Operand> {
        let mut found = Vec::new();
        for (array, place) in of {
            let length = self.known_length(KnownLength::OfArray(*array));
            if let Affine { factor: 1, constant: constant @ 0.., outside } = place
                && outside.is_empty()
            {
                let end = match constant {
                    0 => to,
                    _ => self.code.integer(IntegerOperation::Add, [to, Operand::real(*constant as f64)]),
                };
                found.push(self.code.integer(IntegerOperation::NotBelow, [length, end]));
                continue;
            }
            let last = self.code.integer(IntegerOperation::Subtract, [to, Operand::real(1.0)]);
            let (least, most) = if place.factor < 0 { (last, from) } else { (from, last) };
            let [least, most] = [least, most].map(|end| self.affine(place, Some(end), outside));
            let is_negative = self.code.integer(IntegerOperation::Less, [least, Operand::real(0.0)]);
            found.push(self.code.integer(IntegerOperation::Not, [is_negative]));
            found.push(self.code.integer(IntegerOperation::Less, [most, length]));
        }
        found
    }
}

/// Returns true if there are steps among statements.
fn has_counts(statements: &[Statement]) -> bool {
    statements.iter().any(|statement| matches!(statement, Statement::Count { .. }))
}
