//! Loops that replace elements of an array of their state. In most iterations only the newest version of it is read.

use super::choice::Pool;
use super::{Place, Writer};
use crate::build::Code;
use crate::{End, Kind, NOWHERE, Operand, Statement};
use vlad_table::{Comparison, Operation};

impl Writer {
    /// A loop that updates an array, with the array afterwards, and with a sum of what it reads.
    pub(super) fn update(&mut self, code: &mut Code<'_>, pool: &mut Pool, place: Place<'_>) {
        let array = match pool.array(Kind::REALS) {
            Some(array) if self.percent(60) => array,
            _ => self.new_array(code, Kind::REALS, pool),
        };
        let turns = Operand::real(f64::from(self.rng.u8(0..4)));
        let initial = [turns, array, self.real(pool)];
        let is_nested = place.depth < 2 && self.percent(40);
        let hides = self.percent(85);
        let results = code.run_loop(&[Kind::REALS, Kind::Real], &initial, |code, state| {
            let is_done = code.compare(Comparison::Less, state[0], Operand::real(1.0));
            let consequent = code.block(|_| End::Yield(vec![state[1], state[2]]));
            let alternative = code.block(|code| {
                let mut pool = pool.clone();
                if hides {
                    pool.arrays.retain(|(kind, _)| *kind != Kind::REALS);
                }
                pool.reals.extend([state[0], state[2]]);
                let inner = Place { depth: place.depth + 1, recursive: None, ..place };
                self.statements(code, &mut pool, inner, 1);
                let mut newest = state[1];
                for _ in 0..self.rng.u8(1..4) {
                    let read = if self.percent(90) { newest } else { state[1] };
                    let element = self.read(code, read, &pool);
                    pool.reals.push(element);
                    newest = self.replaced(code, newest, &pool);
                }
                if is_nested {
                    pool.arrays.push((Kind::REALS, newest));
                    self.update(code, &mut pool, inner);
                    newest = pool.array(Kind::REALS).unwrap_or(newest);
                }
                let element = self.read(code, newest, &pool);
                let sum = code.binary(Operation::Add, state[2], element);
                let less = code.binary(Operation::Subtract, state[0], Operand::real(1.0));
                let next = if self.percent(95) { newest } else { state[1] };
                End::Repeat(vec![less, next, sum])
            });
            End::Branch { test: is_done, consequent: Box::new(consequent), alternative: Box::new(alternative) }
        });
        pool.add_all(code, &results);
    }

    /// An element of an array, or another real where the index is none.
    fn read(&mut self, code: &mut Code<'_>, array: Operand, pool: &Pool) -> Operand {
        let index = Operand::real(f64::from(self.rng.u8(0..4)));
        let other = self.real(pool);
        let test = code.fresh(Kind::Boolean);
        code.push(Statement::IsIndex { target: test, array, index });
        let element = |code: &mut Code<'_>| End::Yield(vec![code.element(array, index)]);
        code.bind(&[Kind::Real], |code| code.branch(test.into(), element, |_| End::Yield(vec![other])))[0]
    }

    /// The array with another element, if an index is one of it.
    fn replaced(&mut self, code: &mut Code<'_>, array: Operand, pool: &Pool) -> Operand {
        let index = Operand::real(f64::from(self.rng.u8(0..3)));
        let value = self.real(pool);
        let target = code.fresh(Kind::REALS);
        let test = code.fresh(Kind::Boolean);
        code.push(Statement::IsIndex { target: test, array, index });
        let replacing = |code: &mut Code<'_>| {
            code.push(Statement::Replace { target, array, index, value, node: NOWHERE });
            End::Yield(vec![target.into()])
        };
        code.bind(&[Kind::REALS], |code| code.branch(test.into(), replacing, |_| End::Yield(vec![array])))[0]
    }
}
