//! The writing of storage code: integers, blocks, loops over ranges, and numbers of affine places.

use super::{Lowering, Outside};
use crate::storage::affine::Affine;
use crate::variables::with_new_variables;
use crate::{Block, End, Kind, Operand, Variable};
use crate::{IntegerOperation, Order, Storage};
use vlad_table::internal_bug;

impl Lowering<'_, '_> {
    /// The conjunction of booleans; none of none.
    pub(super) fn all(&mut self, tests: impl IntoIterator<Item = Operand>) -> Option<Operand> {
        tests.into_iter().reduce(|all, one| self.code.integer(IntegerOperation::Both, [all, one]))
    }

    /// Writes a block apart.
    pub(super) fn nested(&mut self, write: impl FnOnce(&mut Self) -> End) -> Block {
        let around = self.code.begin_block();
        let end = write(self);
        self.code.end_block(around, end)
    }

    /// Writes a block whose variables are new, since the same code stands elsewhere.
    pub(super) fn copied(&mut self, write: impl FnOnce(&mut Self) -> End) -> Block {
        let mut block = self.nested(write);
        with_new_variables(self.code.function(), &mut block);
        block
    }

    /// Executes one of two blocks that yield values of these kinds.
    pub(super) fn choose(
        &mut self,
        kinds: &[Kind],
        test: Operand,
        consequent: Block,
        alternative: Block,
    ) -> Vec<Operand> {
        let (consequent, alternative) = (Box::new(consequent), Box::new(alternative));
        let end = End::Branch { test, consequent, alternative };
        self.code.bind_block(kinds, Block { statements: Vec::new(), end })
    }

    /// Executes a block if a test holds.
    pub(super) fn when(&mut self, test: Operand, block: Block) {
        self.choose(&[], test, block, Block::default());
    }

    /// Executes code for each integer of a range, in an order; returns the last state.
    pub(super) fn each(
        &mut self,
        (from, end): (Operand, Operand),
        order: Order,
        state: &[(Kind, Operand)],
        write: impl FnOnce(&mut Self, Operand, &[Operand]) -> End,
    ) -> Vec<Operand> {
        let kinds: Vec<Kind> = state.iter().map(|(kind, _)| *kind).collect();
        let variables: Vec<Variable> =
            [Kind::Integer].iter().chain(&kinds).map(|kind| self.code.fresh(*kind)).collect();
        let operands: Vec<Operand> = variables.iter().copied().map(Operand::Variable).collect();
        let initial = [from].into_iter().chain(state.iter().map(|(_, initial)| *initial)).collect();
        let body = match operands.split_first() {
            Some((index, state)) => self.nested(|lowering| write(lowering, *index, state)),
            None => internal_bug!("a loop has an index"),
        };
        let targets: Vec<Variable> = kinds.iter().map(|kind| self.code.fresh(*kind)).collect();
        let statement = Storage::For { targets: targets.clone(), variables, initial, end, listed: None, order, body };
        self.code.push(statement.into());
        targets.into_iter().map(Operand::Variable).collect()
    }

    /// The integers of operands from outside, and the test that all of them are whole numbers of moderate size.
    pub(super) fn outside(&mut self, operands: &[Operand]) -> (Outside, Option<Operand>) {
        let (mut outside, mut tests) = (Outside::new(), Vec::new());
        for operand in operands {
            let integer = self.code.integer(IntegerOperation::Moderate, [*operand]);
            tests.push(self.code.integer(IntegerOperation::Equals, [integer, *operand]));
            outside.insert(*operand, integer);
        }
        let all = self.all(tests);
        (outside, all)
    }

    /// An affine number at an index, or without it.
    pub(super) fn affine(&mut self, affine: &Affine, index: Option<Operand>, outside: &Outside) -> Operand {
        let mut terms: Vec<(Operand, i64)> = index.map(|index| (index, affine.factor)).into_iter().collect();
        for (operand, factor) in &affine.outside {
            match outside.get(operand) {
                Some(integer) => terms.push((*integer, *factor)),
                None => internal_bug!("the operands from outside are known"),
            }
        }
        let size = |number: i64| Operand::real(number.unsigned_abs() as f64);
        let mut sum = (affine.constant > 0).then(|| size(affine.constant));
        terms.sort_by_key(|(_, factor)| *factor < 0);
        for (integer, factor) in terms.into_iter().filter(|(_, factor)| *factor != 0) {
            let term = match factor.unsigned_abs() {
                1 => integer,
                _ => self.code.integer(IntegerOperation::Multiply, [integer, size(factor)]),
            };
            sum = Some(match (sum, factor > 0) {
                (None, true) => term,
                (Some(sum), true) => self.code.integer(IntegerOperation::Add, [sum, term]),
                (sum, false) => {
                    self.code.integer(IntegerOperation::Subtract, [sum.unwrap_or(Operand::real(0.0)), term])
                }
            });
        }
        match (sum, affine.constant < 0) {
            (sum, false) => sum.unwrap_or(Operand::real(0.0)),
            (sum, true) => {
                let sum = sum.unwrap_or(Operand::real(0.0));
                self.code.integer(IntegerOperation::Subtract, [sum, size(affine.constant)])
            }
        }
    }
}
