//! Statements on cells: they are made, read, and walked. All cells of a unit have parts of the same kinds, so any of them
//! may be moved to where a cell is.

use super::choice::Pool;
use super::{Place, Writer};
use crate::build::Code;
use crate::{End, Kind, Operand, Statement, Variable};
use vlad_table::{Comparison, Operation};

/// The kinds of the parts of a cell: those of a tree with two reals at each place.
const PARTS: [Kind; 5] = [Kind::Boolean, Kind::Real, Kind::Cell, Kind::Real, Kind::Cell];

impl Writer {
    pub(super) fn on_cells(&mut self, code: &mut Code<'_>, pool: &mut Pool, place: Place<'_>) {
        match (self.rng.u8(0..10), pool.cells.last().copied()) {
            (0..4, Some(_)) => {
                let cell = self.of_kind(code, Kind::Cell, pool);
                let parts = parts(code, cell);
                pool.add_all(code, &parts);
            }
            (4..6, Some(cell)) => self.walk(code, cell, pool, place),
            _ => {
                let cell = self.new_cell(code, pool);
                pool.cells.push(cell);
            }
        }
    }

    /// A cell with parts; now and then an absent one.
    pub(super) fn new_cell(&mut self, code: &mut Code<'_>, pool: &Pool) -> Operand {
        let parts = if self.percent(15) {
            Vec::new()
        } else {
            let mut parts = self.of_kinds(code, &PARTS[..2], pool);
            parts.push(self.next_cell(code, pool));
            parts.push(self.real(pool));
            parts.push(self.next_cell(code, pool));
            parts
        };
        let target = code.fresh(Kind::Cell);
        code.push(Statement::Cell { target, parts });
        target.into()
    }

    /// A cell that another one refers to.
    fn next_cell(&mut self, code: &mut Code<'_>, pool: &Pool) -> Operand {
        match pool.cells.last() {
            Some(_) if self.percent(80) => self.of_kind(code, Kind::Cell, pool),
            _ => {
                let target = code.fresh(Kind::Cell);
                code.push(Statement::Cell { target, parts: Vec::new() });
                target.into()
            }
        }
    }

    /// A loop along the first or the second part of cells, which adds up what they hold, or makes others of them.
    fn walk(&mut self, code: &mut Code<'_>, cell: Operand, pool: &mut Pool, place: Place<'_>) {
        let makes = self.percent(40);
        let (results, start) = ([Kind::Real, Kind::Cell], self.real(pool));
        let next = if self.rng.bool() { 2 } else { 4 };
        let inner = Place { depth: place.depth + 1, recursive: None, ..place };
        let other = self.next_cell(code, pool);
        let initial = [Operand::real(f64::from(self.rng.u8(0..4))), cell, start, other];
        let bound = code.run_loop(&results, &initial, |code, state| {
            let test = code.compare(Comparison::Less, state[0], Operand::real(1.0));
            let mut pool = pool.clone();
            let consequent = code.block(|_| End::Yield(vec![state[2], state[3]]));
            let alternative = code.block(|code| {
                let parts = parts(code, state[1]);
                pool.add_all(code, &parts);
                pool.reals.push(state[2]);
                self.statements(code, &mut pool, inner, 2);
                let (first, second) = (self.real(&pool), self.real(&pool));
                let product = code.binary(Operation::Multiply, first, second);
                let sum = code.binary(Operation::Add, state[2], product);
                let counter = code.binary(Operation::Subtract, state[0], Operand::real(1.0));
                let sum = if self.percent(80) { sum } else { parts[1] };
                pool.reals.push(sum);
                pool.cells.push(state[3]);
                let made = if makes { self.new_cell(code, &pool) } else { state[3] };
                End::Repeat(vec![counter, parts[next], sum, made])
            });
            End::Branch { test, consequent: Box::new(consequent), alternative: Box::new(alternative) }
        });
        pool.add_all(code, &bound);
    }
}

/// The parts of a cell.
fn parts(code: &mut Code<'_>, cell: Operand) -> Vec<Operand> {
    let targets: Vec<Variable> = PARTS.iter().map(|kind| code.fresh(*kind)).collect();
    code.push(Statement::Parts { targets: targets.clone(), cell });
    targets.into_iter().map(Operand::Variable).collect()
}
