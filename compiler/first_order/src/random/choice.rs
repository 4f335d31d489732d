//! The choice of operands and constants.

use super::Writer;
use crate::build::Code;
use crate::{Kind, Operand};
use vlad_table::{Comparison, Operation};

/// The operands in sight.
#[derive(Clone, Debug, Default)]
pub(super) struct Pool {
    pub(super) reals: Vec<Operand>,
    pub(super) booleans: Vec<Operand>,
    pub(super) arrays: Vec<(Kind, Operand)>,
    pub(super) cells: Vec<Operand>,
}

impl Pool {
    pub(super) fn add(&mut self, kind: Kind, operand: Operand) {
        match kind {
            Kind::Integer => vlad_table::internal_bug!("first-order code has no integers"),
            Kind::Real => self.reals.push(operand),
            Kind::Boolean => self.booleans.push(operand),
            Kind::Array(_) => self.arrays.push((kind, operand)),
            Kind::Cell => self.cells.push(operand),
        }
    }

    /// The newest array of a kind.
    pub(super) fn array(&self, kind: Kind) -> Option<Operand> {
        self.arrays.iter().rev().find(|array| array.0 == kind).map(|array| array.1)
    }

    pub(super) fn add_all(&mut self, code: &mut Code<'_>, operands: &[Operand]) {
        for operand in operands {
            let kind = code.kind(*operand);
            self.add(kind, *operand);
        }
    }
}

impl Writer {
    pub(super) fn percent(&mut self, percentage: u32) -> bool {
        self.rng.u32(0..100) < percentage
    }

    pub(super) fn constant(&mut self) -> Operand {
        const USUAL: [f64; 8] = [1.0, -1.0, 2.0, 0.5, 0.1, -0.3, 1.7, 0.7];
        const SPECIAL: [f64; 12] =
            [0.0, 0.0, -0.0, 1e16, -1e16, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e-310, 5e-324, 1e308, -0.0];
        let special = self.dials.special;
        let list: &[f64] = if self.percent(special) { &SPECIAL } else { &USUAL };
        Operand::real(list[self.rng.usize(0..list.len())])
    }

    pub(super) fn real(&mut self, pool: &Pool) -> Operand {
        if pool.reals.is_empty() || self.percent(7) {
            return self.constant();
        }
        // The newest operands are preferred, or values would not come far.
        let from = if self.percent(60) { pool.reals.len().saturating_sub(3) } else { 0 };
        pool.reals[self.rng.usize(from..pool.reals.len())]
    }

    pub(super) fn boolean(&mut self, pool: &Pool) -> Operand {
        if pool.booleans.is_empty() || self.percent(10) {
            return Operand::Boolean(self.rng.bool());
        }
        pool.booleans[self.rng.usize(0..pool.booleans.len())]
    }

    pub(super) fn of_kind(&mut self, code: &mut Code<'_>, kind: Kind, pool: &Pool) -> Operand {
        match kind {
            Kind::Integer => vlad_table::internal_bug!("first-order code has no integers"),
            Kind::Real => self.real(pool),
            Kind::Boolean => self.boolean(pool),
            Kind::Array(_) => match pool.array(kind) {
                Some(array) if self.percent(80) => array,
                _ => self.new_array(code, kind, pool),
            },
            Kind::Cell => match pool.cells.len() {
                count @ 1.. if self.percent(85) => pool.cells[self.rng.usize(count.saturating_sub(3)..count)],
                _ => self.new_cell(code, pool),
            },
        }
    }

    /// Operands of some kinds; now and then one of them twice.
    pub(super) fn of_kinds(&mut self, code: &mut Code<'_>, kinds: &[Kind], pool: &Pool) -> Vec<Operand> {
        let mut chosen: Vec<Operand> = kinds.iter().map(|kind| self.of_kind(code, *kind, pool)).collect();
        if chosen.len() > 1 && self.percent(15) {
            let (from, to) = (self.rng.usize(0..chosen.len()), self.rng.usize(0..chosen.len()));
            if kinds[from] == kinds[to] {
                chosen[to] = chosen[from];
            }
        }
        chosen
    }

    pub(super) fn comparison(&mut self) -> Comparison {
        const COMPARISONS: [Comparison; 5] =
            [Comparison::Equal, Comparison::Less, Comparison::Greater, Comparison::NotGreater, Comparison::NotLess];
        COMPARISONS[self.rng.usize(0..COMPARISONS.len())]
    }

    /// Adds a real that depends on several others, so that most values are used, and some of them often.
    pub(super) fn mix(&mut self, code: &mut Code<'_>, pool: &mut Pool) {
        if pool.reals.is_empty() || self.percent(10) {
            return;
        }
        let mut any = || pool.reals[self.rng.usize(0..pool.reals.len())];
        let first = code.binary(Operation::Multiply, any(), any());
        let second = code.binary(Operation::Multiply, any(), any());
        let sine = code.unary(Operation::Sine, any());
        let sum = code.binary(Operation::Add, first, second);
        let sum = code.binary(Operation::Add, sum, any());
        pool.reals.push(code.binary(Operation::Add, sum, sine));
    }
}
