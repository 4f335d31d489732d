//! Records that are a few booleans, as bytes.
//!
//! A row ([`super::recorded`]) of records that have up to eight booleans, and nothing else, takes a byte for each of them, and
//! a word behind them for the number of records in a part of the loop. What a part of a loop has pushed, a part of the loop
//! that sweeps over it pops: both have the same iterations. [`super::packing`] tells
//! which records of a unit are bytes.

use crate::c::{Expression as C, Infix};
use crate::specialised::function::operand;
use vlad_first_order::{Block, Kind, Operand, Statement, Variable};

/// The greatest number of booleans of a record that may be a byte.
pub const MOST_FLAGS: usize = 8;

/// For each number of booleans, true if records of so many are bytes.
pub type Packed = [bool; MOST_FLAGS + 1];

/// True for the kinds of a record that a byte has room for.
pub fn is_packed(kinds: &[Kind]) -> bool {
    (1..=MOST_FLAGS).contains(&kinds.len()) && kinds.iter().all(|kind| *kind == Kind::Boolean)
}

/// True if the iterations of a block push or pop something else.
pub fn may_record(block: &Block) -> bool {
    let mut found = false;
    block.each_statement(&mut |statement| {
        found |= matches!(statement, Statement::Call { .. } | Statement::Act { .. });
    });
    found
}

/// The byte of some booleans.
pub fn byte(values: &[Operand]) -> C {
    let flags = values.iter().zip(0..).map(|(value, bit)| C::call("vlad_flag", [operand(*value), C::Number(bit)]));
    flags.reduce(|all, flag| all.infix(Infix::Add, flag)).unwrap_or(C::Number(0))
}

/// The booleans of a byte.
pub fn flags<'row>(row: &'row str, targets: &'row [Variable]) -> impl Iterator<Item = (Variable, C)> + 'row {
    let flag = move |bit| C::call("vlad_flag_of", [C::name(row).at(0), C::Number(bit)]);
    targets.iter().zip(0..).map(move |(target, bit)| (*target, flag(bit)))
}
