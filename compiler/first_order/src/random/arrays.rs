//! Statements on arrays: what is built, read, folded, and tangents of arrays.

use super::choice::Pool;
use super::{Place, Writer};
use crate::build::Code;
use crate::{Elements, End, Kind, Operand, Relation, Scalar, Statement};
use fastrand::Rng;
use vlad_core::ExpressionId;
use vlad_table::{Comparison, Operation};

/// A kind of arrays.
pub(super) fn kind(rng: &mut Rng) -> Kind {
    let scalar = if rng.u8(0..6) == 0 { Scalar::Boolean } else { Scalar::Real };
    Kind::Array(Elements { scalar, rank: if rng.u8(0..4) == 0 { 2 } else { 1 } })
}

impl Writer {
    pub(super) fn on_arrays(&mut self, code: &mut Code<'_>, pool: &mut Pool, place: Place<'_>) {
        if self.percent(self.dials.replacements) {
            return self.update(code, pool, place);
        }
        let Some((kind, array)) = pool.arrays.last().copied().filter(|_| self.percent(75)) else {
            let kind = kind(&mut self.rng);
            let array = self.built(code, kind, pool, place);
            return pool.add(kind, array);
        };
        match self.rng.u8(0..10) {
            0 => {
                let length = code.length(array);
                pool.reals.push(length);
            }
            1 => {
                let target = code.fresh(Kind::Boolean);
                let relation = if self.rng.bool() { Relation::SameLengths } else { Relation::SameElements };
                let second = pool.array(kind).unwrap_or(array);
                code.push(Statement::CompareArrays { target, relation, first: array, second });
                pool.booleans.push(Operand::Variable(target));
            }
            2..5 => {
                let index = Operand::real(f64::from(self.rng.u8(0..3)));
                let element = self.element(code, kind, array, index, pool);
                if let Some(kind) = kind.element() {
                    pool.add(kind, element);
                }
            }
            5..8 if kind == Kind::REALS => self.fold(code, array, pool, place),
            _ => {
                let array = self.built(code, kind, pool, place);
                pool.add(kind, array);
            }
        }
    }

    /// The element at an index, or another value where the index is not valid.
    fn element(&mut self, code: &mut Code<'_>, kind: Kind, array: Operand, index: Operand, pool: &Pool) -> Operand {
        let of_element = kind.element().unwrap();
        let target = code.fresh(Kind::Boolean);
        code.push(Statement::IsIndex { target, array, index });
        code.bind(&[of_element], |code| {
            let consequent = code.block(|code| {
                let element = code.element(array, index);
                End::Yield(vec![self.copied(code, of_element, element)])
            });
            let alternative = code.block(|code| End::Yield(vec![self.of_kind(code, of_element, pool)]));
            End::Branch { test: target.into(), consequent: Box::new(consequent), alternative: Box::new(alternative) }
        })[0]
    }

    /// A real as it passes an operation on vectors: copied, as a rule.
    fn copied(&mut self, code: &mut Code<'_>, kind: Kind, operand: Operand) -> Operand {
        if kind == Kind::Real && !self.percent(self.dials.moves) {
            code.unary(Operation::Copy, operand)
        } else {
            operand
        }
    }

    /// An array of which each element depends on its index.
    fn built(&mut self, code: &mut Code<'_>, kind: Kind, pool: &Pool, place: Place<'_>) -> Operand {
        let length = match pool.arrays.last() {
            Some((_, array)) if self.percent(50) => code.length(*array),
            _ => Operand::real(f64::from(self.rng.u8(0..4))),
        };
        let of_element = kind.element().unwrap();
        if self.percent(20) {
            return self.given(code, kind, pool);
        }
        let inner = Place { depth: place.depth + 1, recursive: None, ..place };
        code.build(&[kind], length, |code, index| {
            let mut pool = pool.clone();
            pool.reals.push(index);
            self.statements(code, &mut pool, inner, 2);
            self.mix(code, &mut pool);
            let element = self.of_kind(code, of_element, &pool);
            End::Yield(vec![self.copied(code, of_element, element)])
        })[0]
    }

    /// An array of given elements.
    fn given(&mut self, code: &mut Code<'_>, kind: Kind, pool: &Pool) -> Operand {
        let of_element = kind.element().unwrap();
        let mut elements = Vec::new();
        for _ in 0..self.rng.u8(0..4) {
            let element = self.of_kind(code, of_element, pool);
            elements.push(self.copied(code, of_element, element));
        }
        let target = code.fresh(kind);
        code.push(Statement::Array { target, elements });
        target.into()
    }

    /// An array where there is none.
    pub(super) fn new_array(&mut self, code: &mut Code<'_>, kind: Kind, pool: &Pool) -> Operand {
        let of_element = kind.element().unwrap();
        let length = Operand::real(f64::from(self.rng.u8(0..4)));
        code.build(&[kind], length, |code, index| {
            let mut pool = pool.clone();
            pool.reals.push(index);
            let element = self.of_kind(code, of_element, &pool);
            End::Yield(vec![self.copied(code, of_element, element)])
        })[0]
    }

    /// A loop over the elements of an array.
    fn fold(&mut self, code: &mut Code<'_>, array: Operand, pool: &mut Pool, place: Place<'_>) {
        let (length, initial) = (code.length(array), self.real(pool));
        let inner = Place { depth: place.depth + 1, recursive: None, ..place };
        let results = code.run_loop(&[Kind::Real], &[Operand::real(0.0), initial], |code, state| {
            let test = code.compare(Comparison::Less, state[0], length);
            let mut pool = pool.clone();
            let consequent = code.block(|code| {
                self.index_test(code, &pool, state[0]);
                let element = code.element(array, state[0]);
                let element = self.copied(code, Kind::Real, element);
                pool.reals.extend([state[1], element]);
                self.statements(code, &mut pool, inner, 2);
                let (first, second) = (self.real(&pool), self.real(&pool));
                let product = code.binary(Operation::Multiply, first, second);
                let next = code.binary(Operation::Add, state[1], product);
                let counter = code.binary(Operation::Add, state[0], Operand::real(1.0));
                End::Repeat(vec![counter, if self.percent(80) { next } else { element }])
            });
            let alternative = code.block(|_| End::Yield(vec![state[1]]));
            End::Branch { test, consequent: Box::new(consequent), alternative: Box::new(alternative) }
        });
        pool.reals.push(results[0]);
    }

    /// Now and then, leaves the code unless an operand is an index of some array.
    fn index_test(&mut self, code: &mut Code<'_>, pool: &Pool, index: Operand) {
        if !self.percent(self.dials.index_tests) {
            return;
        }
        let array = pool.arrays[self.rng.usize(0..pool.arrays.len())].1;
        let target = code.fresh(Kind::Boolean);
        code.push(Statement::IsIndex { target, array, index });
        code.bind(&[], |code| {
            let end = |_: &mut Code<'_>| End::BailOut(ExpressionId(0));
            code.branch(target.into(), |_| End::Yield(Vec::new()), end)
        });
    }

    /// A tangent or cotangent of a value: of the same lengths.
    pub(super) fn tangent(&mut self, code: &mut Code<'_>, value: Operand, pool: &Pool) -> Operand {
        let kind = code.kind(value);
        if kind.element().is_none() {
            return self.real(pool);
        }
        let length = code.length(value);
        code.build(&[kind], length, |code, index| {
            let mut pool = pool.clone();
            pool.reals.push(index);
            let element = code.element(value, index);
            End::Yield(vec![self.tangent(code, element, &pool)])
        })[0]
    }
}
