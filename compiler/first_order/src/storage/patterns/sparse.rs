//! Builds with few elements that are not 0: rows of sparse matrices, as Jacobians by forward mode are.
//!
//! ```text
//! build n (fun i -> if 2 + 3 i = j then a else if 4 + i = k then b else 0)
//!   ~>  all elements 0, then those at (j - 2) / 3 and at k - 4, as far as these are indices
//! ```
//!
//! An element that is not 0 stands behind an equality of an affine number ([`crate::storage::affine`]) and a number from outside. Solved
//! for the index, each equality names one element at most. If the numbers from outside are whole and of moderate size, no element is
//! missed; if not, every element is made in turn, by the same code. For elements that are 0, operations on numbers alone are left out:
//! they cannot fail, and change nothing.

use crate::storage::affine::{Affine, Affines};
use crate::variables::assigned;
use crate::{Block, End, Operand, Statement, Variable};
use std::collections::HashMap;
use vlad_table::Comparison;

/// The most equalities of the index.
const MOST_PLACES: usize = 16;

/// The places of the elements that a body with an index makes and that may not be 0, as equalities
/// `index * factor = constant + outside`; none if it is no such body.
pub fn equalities(body: &Block, index: Variable) -> Option<Vec<Affine>> {
    let mut search = Search { affines: Affines::new(index, assigned(body, &[])), tests: HashMap::new(), found: vec![] };
    search.block(body)?;
    (1..=MOST_PLACES).contains(&search.found.len()).then_some(search.found)
}

struct Search {
    affines: Affines,
    /// The equalities of the index that tests are.
    tests: HashMap<Variable, Affine>,
    found: Vec<Affine>,
}

impl Search {
    /// Searches a block that is executed for elements that are 0 as well. None if the elements are not as they have to be. Recursion is
    /// bounded by the depth of branches in code.
    fn block(&mut self, block: &Block) -> Option<()> {
        for statement in &block.statements {
            self.statement(statement)?;
        }
        match &block.end {
            End::Yield(values) => values.iter().all(|value| *value == Operand::real(0.0)).then_some(()),
            End::Branch { test, consequent, alternative } => {
                let equality = match test {
                    Operand::Variable(test) => self.tests.get(test).cloned(),
                    Operand::Real(_) | Operand::Boolean(_) => None,
                };
                match equality {
                    Some(equality) if consequent.computes_values() => self.found.push(equality),
                    Some(_) | None => self.block(consequent)?,
                }
                self.block(alternative)
            }
            End::Repeat(_) | End::BailOut(_) => None,
        }
    }

    fn statement(&mut self, statement: &Statement) -> Option<()> {
        match statement {
            Statement::Operation { target, operation, first, second } => {
                if let Some(second) = second {
                    self.affines.note(*target, *operation, (*first, *second));
                }
                Some(())
            }
            Statement::PositiveZero { .. } => Some(()),
            Statement::Compare { target, comparison: Comparison::Equal, first, second } => {
                let sides = (self.affines.of(*first), self.affines.of(*second));
                if let (Some(first), Some(second)) = sides
                    && let Some(difference) = first.plus(&second, -1)
                    && difference.factor != 0
                {
                    let rest = Affine { factor: 0, ..difference.clone() };
                    let solved = Affine { factor: difference.factor, ..Affine::default() }.plus(&rest, -1);
                    self.tests.extend(solved.map(|solved| (*target, solved)));
                }
                Some(())
            }
            Statement::Compare { .. } => Some(()),
            _ => None,
        }
    }
}

/// The inverse of the odd part of a factor that is not 0, modulo 2^64, and the number of twos in it. The inverse modulo 8 is
/// the number itself; each step of Newton's iteration doubles the number of bits.
pub fn inverse(factor: i64) -> (u64, u32) {
    let twos = factor.trailing_zeros();
    let odd = (factor >> twos).cast_unsigned();
    let inverse = (0..5).fold(odd, |inverse, _| inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse))));
    (inverse, twos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_have_inverses() {
        for factor in (-1024_i64..=1024).filter(|factor| *factor != 0) {
            let (inverse, twos) = inverse(factor);
            // What the C computes: of a multiple the index, of other numbers none that is an index.
            let solved = |product: i64| product.cast_unsigned().wrapping_mul(inverse).rotate_right(twos);
            for index in [0, 1, 2, 1000, 1 << 32] {
                assert_eq!(solved(index * factor), index.cast_unsigned(), "{factor}");
                for product in [index * factor + 1, -index * factor - 1, index * factor - (1 << 52) - 1] {
                    assert_eq!(
                        solved(product) <= 1 << 33,
                        product % factor == 0 && product / factor >= 0 && product / factor <= 1 << 33,
                        "{product} by {factor}"
                    );
                }
            }
        }
    }
}
