//! One-hot builds: all elements by one block, then the other one.

use super::{Element, Lowering, Part, nothing};
use crate::storage::counts::Counts;
use crate::storage::patterns::one_hot::OneHot;
use crate::{IntegerOperation, Kind, Operand, Statement, Variable};

impl<'unit> Lowering<'_, 'unit> {
    /// The loop for all elements but one, and the code for that one.
    pub(super) fn one_hot_build(
        &mut self,
        hot: &OneHot<'unit>,
        targets: &'unit [Variable],
        index: Variable,
        count: Operand,
    ) {
        let element = |block| Element { shared: &hot.shared, block, counts: Counts::Each };
        if hot.is_zero_elsewhere() {
            targets.iter().for_each(|target| self.fill(*target));
        } else {
            self.usual_part(Part { targets, index, from: Operand::real(0.0), to: count }, element(hot.elsewhere));
        }
        let Some((test, number)) = self.element_at(hot.place, targets, None) else { return };
        let block = self.copied(|lowering| lowering.element((targets, index), number, element(hot.there), &nothing()));
        self.when(test, block);
    }

    /// The condition that a number is an index of arrays that are built, and below a limit, and its integer.
    pub(super) fn element_at(
        &mut self,
        place: Operand,
        targets: &[Variable],
        limit: Option<Operand>,
    ) -> Option<(Operand, Operand)> {
        let array = (*targets.first()?).into();
        let target = self.code.fresh(Kind::Boolean);
        self.code.push(Statement::IsIndex { target, array, index: place });
        let number = self.code.integer(IntegerOperation::Whole, [place]);
        let is_below = limit.map(|limit| self.code.integer(IntegerOperation::Below, [number, limit]));
        let test = self.all([target.into()].into_iter().chain(is_below))?;
        Some((test, number))
    }
}
