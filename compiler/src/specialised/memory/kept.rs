//! The release of memory in C, and what is kept of it ([`vlad_first_order::storage::releases`]).

use crate::c::{Expression as C, Statement as S};
use crate::specialised::function::{Body, name, operand};
use crate::specialised::scope::ctype;
use vlad_first_order::storage::memory::LEAST_RELEASED;
use vlad_first_order::{Kind, Operand, Variable};

/// Values that the runtime moves: their variables afterwards, and the array of C in which they are.
struct Moved {
    targets: Vec<Variable>,
    array: String,
}

impl Moved {
    /// The array, and the number of its elements.
    fn operands(&self) -> [C; 2] {
        let array = if self.targets.is_empty() { C::Number(0) } else { C::name(&self.array) };
        [array, C::Number(self.targets.len() as u64)]
    }

    /// Defines the array of some values.
    fn define(&self, kind: &'static str, values: Vec<C>, out: &mut Vec<S>) {
        if !self.targets.is_empty() {
            let name = format!("{}[{}]", self.array, self.targets.len());
            out.push(S::Define { ctype: kind.into(), name, value: C::Braces(values) });
        }
    }

    /// The variables, and their new values.
    fn values(&self) -> impl Iterator<Item = (Variable, C)> + '_ {
        self.targets.iter().copied().zip((0..).map(|place| C::name(&self.array).at(place)))
    }
}

impl Body<'_> {
    /// Releases what has been allocated since a mark if it is more than a limit, but for some arrays and cells.
    pub fn keep(
        &self,
        targets: &[Variable],
        (mark, limit): (Operand, Option<Operand>),
        values: &[Operand],
        out: &mut Vec<S>,
    ) {
        let Some(first) = targets.first() else {
            return out.push(S::Evaluate(C::call("vlad_release_arrays", [C::name("m"), operand(mark)])));
        };
        let (next, targets) = targets.split_at(usize::from(limit.is_some()));
        let limit = limit.map_or(C::Number(LEAST_RELEASED as u64), |limit| self.integer(limit));
        let are_cells = |target: &Variable| self.kind(*target) == Kind::Cell;
        let (cells, arrays) = targets.iter().copied().partition(are_cells);
        let arrays = Moved { targets: arrays, array: format!("kept{}", first.0) };
        let cells = Moved { targets: cells, array: format!("cells{}", first.0) };
        match next.first() {
            Some(next) if !cells.targets.is_empty() => {
                self.define(*next, limit, out);
                for (target, value) in targets.iter().zip(values) {
                    self.define(*target, operand(*value), out);
                }
                self.replace_state(operand(mark), *next, [&arrays, &cells], out);
            }
            next => {
                arrays.define(ctype(Kind::REALS), values.iter().copied().map(operand).collect(), out);
                let [roots, count] = arrays.operands();
                let operands = [C::name("m"), operand(mark), limit, roots, self.kinds_of(&arrays), count];
                let call = C::call("vlad_keep_arrays", operands);
                match next {
                    Some(next) => self.define(*next, call, out),
                    None => out.push(S::Evaluate(call)),
                }
                for (target, value) in arrays.values() {
                    self.define(target, value, out);
                }
            }
        }
    }

    /// Replaces the next limit, arrays and cells if more than the limit has been allocated since a mark. Cells are rarely moved, and
    /// their variables need no memory otherwise.
    fn replace_state(&self, mark: C, limit: Variable, [arrays, cells]: [&Moved; 2], out: &mut Vec<S>) {
        let mut then = Vec::new();
        for moved in [arrays, cells] {
            let kind = moved.targets.first().map_or(Kind::Cell, |target| self.kind(*target));
            moved.define(ctype(kind), moved.targets.iter().copied().map(name).collect(), &mut then);
        }
        let ([roots, count], kinds) = (arrays.operands(), self.kinds_of(arrays));
        let of_both = [roots, kinds, count].into_iter().chain(cells.operands());
        let operands = [C::name("m"), mark.clone(), name(limit)].into_iter().chain(of_both);
        then.push(S::Assign(name(limit), C::call("vlad_keep_state", operands.collect::<Vec<_>>())));
        let new = arrays.values().chain(cells.values());
        then.extend(new.map(|(target, value)| S::Assign(name(target), value)));
        let test = C::call("vlad_exceeds", [C::name("m"), mark, name(limit)]);
        out.push(S::If { test, then, otherwise: Vec::new() });
    }

    /// The kinds of arrays for the runtime.
    fn kinds_of(&self, arrays: &Moved) -> C {
        if arrays.targets.is_empty() {
            return C::Number(0);
        }
        let kinds = arrays.targets.iter().map(|array| C::Number(self.code((*array).into()).into()));
        C::Literal("const unsigned char", kinds.collect())
    }
}
