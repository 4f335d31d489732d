//! Blocks of differentiation. Both kinds run once, forwards: `ADF` with one tangent, `ADR` with a unit vector of tangents for each
//! real of the variables in its closing assignments, from whose images the gradient is summed.
//!
//! `ADF`: the opening expressions are evaluated, then the named reals become numbers of a new level; after the block each
//! real of the store takes its primal, and the closing assignments take tangents from a snapshot. `ADR`: the same, but the opening
//! expressions are evaluated at the end, on primals, and are the cotangents of final values; the gradient belongs to the
//! values at the begin of the block.

use super::expressions::{operation, real};
use super::machine::{Binding, Evaluator, Flow, Reference};
use super::statements::trips;
use super::store::{CellId, OWNER};
use super::value::{Halt, Value, broken, failed};
use crate::number::{Number, scaled, sum};
use crate::tree::{Block, Close, Counter, Mode, Open, Operator, Type};
use std::collections::BTreeMap;

/// Numbers of cells.
type Numbers = BTreeMap<CellId, Number>;

impl<'program> Evaluator<'program> {
    /// Executes a block.
    pub(super) fn differentiate(&mut self, block: &'program Block) -> Result<(), Halt> {
        self.differentiates = true;
        self.level += 1;
        let level = self.level;
        let opened = match block.mode {
            Mode::Forward => self.opened(&block.opens)?,
            Mode::Reverse => {
                let mut cells = Vec::new();
                self.closed_cells(&block.closes, &mut cells)?;
                cells.into_iter().map(|cell| (cell, Number::Plain(1.0))).collect()
            }
        };
        let places: BTreeMap<CellId, usize> = match block.mode {
            Mode::Forward => opened.keys().map(|cell| (*cell, 0)).collect(),
            Mode::Reverse => opened.keys().enumerate().map(|(place, cell)| (*cell, place)).collect(),
        };
        let width = places.values().max().map_or(0, |place| place + 1);
        self.store.replace_reals(|cell, number| match (places.get(&cell), opened.get(&cell)) {
            (Some(place), Some(tangent)) => {
                let mut tangents = vec![Number::Plain(0.0); width];
                if let Some(own) = tangents.get_mut(*place) {
                    *own = tangent.clone();
                }
                Number::dual(level, number.clone(), tangents)
            }
            (_, _) => number.clone(),
        });
        match self.execute(&block.body)? {
            Flow::Next => {}
            Flow::Return | Flow::Jump(_) => return broken("a block of differentiation is left"),
        }
        let mut finals: BTreeMap<CellId, Vec<Number>> = BTreeMap::new();
        self.store.replace_reals(|cell, number| {
            finals.insert(cell, (0..width).map(|place| number.tangent_at(level, place)).collect());
            number.primal_at(level)
        });
        self.level -= 1;
        let taken: Numbers = match block.mode {
            Mode::Forward => {
                finals.into_iter().filter_map(|(cell, all)| Some((cell, all.into_iter().next()?))).collect()
            }
            Mode::Reverse => {
                let cotangents = self.opened(&block.opens)?;
                places.iter().map(|(cell, place)| (*cell, gradient(&cotangents, &finals, *place))).collect()
            }
        };
        self.close(&block.closes, &taken)
    }

    /// The numbers that opening assignments give, by cells.
    fn opened(&mut self, opens: &'program [Open]) -> Result<Numbers, Halt> {
        let mut numbers = Numbers::new();
        self.open(opens, &mut numbers)?;
        Ok(numbers)
    }

    fn open(&mut self, opens: &'program [Open], numbers: &mut Numbers) -> Result<(), Halt> {
        for open in opens {
            match open {
                Open::Bare(name) => {
                    let reference = self.variable(name)?;
                    self.must_have_value(&reference, name)?;
                    numbers.insert(reference.cells.start, Number::Plain(1.0));
                }
                Open::Given(place, value) => {
                    let whole = match (value, place.indices.is_empty()) {
                        (crate::tree::Expression::Name(name), true) => match self.lookup(name)? {
                            Binding::Variable(array) if array.bounds.is_some() => Some(array),
                            Binding::Variable(_)
                            | Binding::Constant(_)
                            | Binding::Procedure(_)
                            | Binding::Intrinsic(_) => None,
                        },
                        (_, _) => None,
                    };
                    match whole {
                        Some(array) => {
                            let cells = self.cells(&place.name)?;
                            if cells.len() != array.cells.len() {
                                return failed("arrays of different sizes");
                            }
                            for (cell, from) in cells.zip(array.cells.clone()) {
                                let number = self.store.real(from).cloned();
                                numbers.insert(cell, number.unwrap_or(Number::Plain(0.0)));
                            }
                        }
                        None => {
                            let value = self.value(value)?;
                            let target = self.place(place)?;
                            self.must_have_value(&target, &place.name)?;
                            numbers.insert(target.cells.start, real(&value)?);
                        }
                    }
                }
                Open::Repeated(opens, counter) => {
                    self.count(counter, &mut |this| this.open(opens, numbers))?;
                }
            }
        }
        Ok(())
    }

    fn must_have_value(&self, reference: &Reference, name: &str) -> Result<(), Halt> {
        match self.store.real(reference.cells.start) {
            Some(_) => Ok(()),
            None => failed(format!("{name} has no value that could be differentiated")),
        }
    }

    /// The cells of the variables whose cotangents are taken.
    fn closed_cells(&mut self, closes: &'program [Close], cells: &mut Vec<CellId>) -> Result<(), Halt> {
        for close in closes {
            match close {
                Close::Taken(_, of) => {
                    let all = self.cells(&of.name)?;
                    if self.store.real(all.start).is_none() && !all.is_empty() {
                        return failed(format!("{} has no value that could be differentiated", of.name));
                    }
                    cells.extend(all);
                }
                Close::Repeated(closes, _) => self.closed_cells(closes, cells)?,
            }
        }
        Ok(())
    }

    fn close(&mut self, closes: &'program [Close], taken: &Numbers) -> Result<(), Halt> {
        for close in closes {
            match close {
                Close::Taken(to, of) => {
                    let (of, to) = (self.place(of)?, self.place(to)?);
                    if of.bounds.is_some() != to.bounds.is_some() || of.cells.len() != to.cells.len() {
                        return failed("arrays of different sizes");
                    }
                    for (from, cell) in of.cells.clone().zip(to.cells.clone()) {
                        let number = taken.get(&from).cloned().unwrap_or(Number::Plain(0.0));
                        let target = Reference { cells: cell..cell + 1, bounds: None, ..to.clone() };
                        self.assign(&target, Value::Real(number))?;
                    }
                }
                Close::Repeated(closes, counter) => {
                    self.count(counter, &mut |this| this.close(closes, taken))?;
                }
            }
        }
        Ok(())
    }

    /// Does something for each value of a counter, which is bound meanwhile.
    fn count(
        &mut self,
        counter: &'program Counter,
        each: &mut dyn FnMut(&mut Self) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let mut value = self.value(&counter.first)?;
        let last = self.value(&counter.last)?;
        let step = counter.step.as_ref().map_or(Ok(Value::Integer(1)), |step| self.value(step))?;
        let cell = self.store.allocate(1, Some(value.clone()));
        let reference = Reference { cells: cell..cell + 1, bounds: None, sort: Type::Integer, route: OWNER };
        let before = self.hide(&counter.name, Binding::Variable(reference.clone()));
        for _ in 0..trips(&value, &last, &step)? {
            self.assign(&reference, value.clone())?;
            each(self)?;
            value = operation(Operator::Add, &value, &step)?;
        }
        self.restore(&counter.name, before);
        Ok(())
    }
}

/// The sum of cotangents multiplied with tangents of final values.
fn gradient(cotangents: &Numbers, finals: &BTreeMap<CellId, Vec<Number>>, place: usize) -> Number {
    cotangents.iter().fold(Number::Plain(0.0), |total, (cell, cotangent)| {
        match finals.get(cell).and_then(|tangents| tangents.get(place)) {
            Some(tangent) => sum(&total, &scaled(cotangent, tangent)),
            None => total,
        }
    })
}
