//! Recognition of arrays with few elements that are not 0 ([`super::sparse`]).

use crate::fsmooth::rewrite::terms;
use crate::fsmooth::typed::{Expression, ExpressionId, LocalId, Program, Types};
use vlad_table::primitives::Comparison;

/// The deepest nest of branches and `let`s.
const DEEPEST: usize = 24;

/// Returns true if the elements of an array are 0 but where the index fulfils an equality.
pub fn is_sparse(program: &Program, index: LocalId, element: ExpressionId) -> bool {
    let (mut equalities, mut made, mut pending) = (0, vec![index], vec![(element, DEEPEST)]);
    while let Some((id, depth)) = pending.pop() {
        let Some(depth) = depth.checked_sub(1) else { return false };
        match program.expression(id) {
            Expression::Let { local, value, body } if program.type_of(value) == Types::INDEX => {
                made.extend(terms::mentions(program, value, &made).then_some(local));
                pending.push((body, depth));
            }
            Expression::If { condition, alternative, .. } if is_equality(program, condition, &made) => {
                equalities += 1;
                pending.push((alternative, depth));
            }
            Expression::If { consequent, alternative, .. } => {
                pending.extend([(consequent, depth), (alternative, depth)]);
            }
            Expression::Number(number) if number.to_bits() == 0 => {}
            _ => return false,
        }
    }
    equalities > 0
}

/// True for an equality of what is made of an index.
pub fn is_equality(program: &Program, condition: ExpressionId, made: &[LocalId]) -> bool {
    let Expression::Compare(Comparison::Equal, first, _) = program.expression(condition) else { return false };
    program.type_of(first) == Types::INDEX && terms::mentions(program, condition, made)
}
