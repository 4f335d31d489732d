//! Sparse builds: zeros, then the elements at the places that equations name.

use super::{Element, Lowering, nothing};
use crate::storage::affine::{Affine, outside_of};
use crate::storage::counts::Counts;
use crate::storage::patterns::sparse::inverse;
use crate::{Block, End, IntegerOperation, Kind, Operand, Order, Storage, Variable};

impl<'unit> Lowering<'_, 'unit> {
    /// The zeros of all elements, and the code for those at the places of equalities.
    pub(super) fn sparse_build(
        &mut self,
        equalities: &[Affine],
        (targets, index): (&'unit [Variable], Variable),
        (body, count): (&'unit Block, Operand),
    ) {
        targets.iter().for_each(|target| self.fill(*target));
        let (outside, are_exact) = self.outside(&outside_of(equalities));
        let solved = equalities.iter().map(|equality| {
            let (inverse, twos) = inverse(equality.factor);
            let right_side = self.affine(equality, None, &outside);
            self.code.integer(IntegerOperation::Solve(inverse, twos), [right_side])
        });
        let listed = Some((are_exact.unwrap_or(Operand::Boolean(true)), solved.collect()));
        let number = self.code.fresh(Kind::Integer);
        let body = self.nested(|lowering| {
            let is_element = lowering.code.integer(IntegerOperation::Below, [number.into(), count]);
            let element = Element { shared: &[], block: body, counts: Counts::Each };
            let block = lowering.nested(|it| it.element((targets, index), number.into(), element, &nothing()));
            lowering.when(is_element, block);
            End::Repeat(Vec::new())
        });
        let (variables, initial, order) = (vec![number], vec![Operand::real(0.0)], Order::Sequential);
        let statement = Storage::For { targets: Vec::new(), variables, initial, end: count, listed, order, body };
        self.code.push(statement.into());
    }
}
