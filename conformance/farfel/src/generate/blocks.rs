//! Blocks of differentiation: some variables in their opening assignments, statements that use them, and places for the
//! derivatives.

use super::scope::Variable;
use super::units::plain;
use super::{Generator, binary, integer, name, scalar};
use crate::tree::{Action, Block, Close, Counter, Expression, Mode, Open, Operator, Place, Statement, Type};

impl Generator {
    /// A block of some size.
    pub(super) fn block(&mut self, size: usize, list: &mut Vec<Statement>) {
        let mode = if self.rng.bool() { Mode::Forward } else { Mode::Reverse };
        let count = 1 + self.below(2);
        let independent = self.distinct(count);
        let dependent = self.distinct(1);
        if independent.is_empty() || dependent.is_empty() {
            return list.push(plain(Action::Continue));
        }
        let opened = match mode {
            Mode::Forward => &independent,
            Mode::Reverse => &dependent,
        };
        let opens: Vec<Open> = opened.iter().map(|variable| self.open(variable)).collect();
        let was_in_block = self.stack.last_mut().is_some_and(|unit| std::mem::replace(&mut unit.in_block, true));
        let mut body = Vec::new();
        for variable in &dependent {
            if self.chance(80) && variable.is_assignable {
                body.push(self.image(variable, &independent));
            }
        }
        let some = self.statements(size - 1);
        let place = self.below(body.len() + 1);
        body.splice(place..place, some);
        if let Some(unit) = self.stack.last_mut() {
            unit.in_block = was_in_block;
        }
        let taken = match mode {
            Mode::Forward => &dependent,
            Mode::Reverse => &independent,
        };
        let closes: Vec<Close> = taken.iter().filter_map(|variable| self.close(variable)).collect();
        list.push(plain(Action::Differentiate(Block { mode, opens, body, closes })));
    }

    /// Some different variables that are real.
    fn distinct(&mut self, count: usize) -> Vec<Variable> {
        let mut all = self.variables(|variable| {
            variable.sort == Type::Real && !variable.is_assumed && (variable.is_assignable || variable.bounds.is_some())
        });
        let mut chosen = Vec::new();
        for _ in 0..count {
            if !all.is_empty() {
                let place = self.below(all.len());
                let variable = all.swap_remove(place);
                self.uses(&variable);
                chosen.push(variable);
            }
        }
        chosen
    }

    /// An assignment to a variable that depends on others.
    fn image(&mut self, variable: &Variable, independent: &[Variable]) -> Statement {
        self.assigns(variable);
        let mut value = self.real(1);
        for other in independent {
            let part = match other.bounds {
                Some(_) => self.element_of(other),
                None => name(&other.name),
            };
            let part = if self.chance(50) { binary(Operator::Multiply, part.clone(), part) } else { part };
            let operator = if self.rng.bool() { Operator::Multiply } else { Operator::Add };
            value = binary(operator, value, part);
        }
        plain(Action::Assign(self.place_of(variable), value))
    }

    fn place_of(&mut self, variable: &Variable) -> Place {
        match variable.bounds {
            Some(_) => match self.element_of(variable) {
                Expression::Element(name, indices) => Place { name, indices },
                _ => scalar(&variable.name),
            },
            None => scalar(&variable.name),
        }
    }

    fn open(&mut self, variable: &Variable) -> Open {
        let Some(bounds) = variable.bounds.clone() else {
            return if self.chance(40) {
                Open::Bare(variable.name.clone())
            } else {
                Open::Given(scalar(&variable.name), self.given())
            };
        };
        let alike = self.variables(|other| {
            other.sort == Type::Real && other.bounds.is_some() && !other.is_assumed && other.size() == variable.size()
        });
        match self.below(3) {
            0 => {
                let indices = bounds.iter().map(|(lower, _)| integer(*lower)).collect();
                Open::Given(Place { name: variable.name.clone(), indices }, self.given())
            }
            1 if !alike.is_empty() => {
                let from = self.pick(&alike).map_or(variable.name.clone(), |from| {
                    self.uses(&from);
                    from.name
                });
                Open::Given(scalar(&variable.name), name(&from))
            }
            _ => {
                let counters: Vec<String> = bounds.iter().map(|_| self.name("I")).collect();
                let indices = counters.iter().map(|counter| name(counter)).collect();
                let place = Place { name: variable.name.clone(), indices };
                let value = match counters.first() {
                    Some(counter) if self.chance(50) => {
                        binary(Operator::Add, name(counter), Expression::Real("0.5".to_owned()))
                    }
                    Some(_) | None => self.given(),
                };
                let mut open = Open::Given(place, value);
                for (counter, (lower, upper)) in counters.into_iter().zip(bounds) {
                    let counter = Counter { name: counter, first: integer(lower), last: integer(upper), step: None };
                    open = Open::Repeated(vec![open], counter);
                }
                open
            }
        }
    }

    /// A tangent or a cotangent.
    fn given(&mut self) -> Expression {
        if self.chance(50) { self.literal(Type::Real) } else { self.bounded(1) }
    }

    fn close(&mut self, variable: &Variable) -> Option<Close> {
        let size = variable.size();
        match variable.bounds.clone() {
            None => {
                let (to, _) = self.real_place()?;
                Some(Close::Taken(to, scalar(&variable.name)))
            }
            Some(bounds) if bounds.len() == 1 && self.chance(70) => {
                let to = self.target(|other| {
                    other.sort == Type::Real
                        && !other.is_assumed
                        && other.bounds.as_ref().is_some_and(|own| own.len() == 1)
                        && other.size() >= size
                })?;
                self.assigns(&to);
                let (lower, upper) = bounds.first().copied()?;
                let first = to.bounds.as_ref().and_then(|bounds| bounds.first()).map(|(lower, _)| *lower)?;
                if to.size() == size && self.chance(30) {
                    return Some(Close::Taken(scalar(&to.name), scalar(&variable.name)));
                }
                let counter = self.name("I");
                let shifted = match first - lower {
                    0 => name(&counter),
                    shift => binary(Operator::Add, name(&counter), integer(shift)),
                };
                let taken = Close::Taken(
                    Place { name: to.name, indices: vec![shifted] },
                    Place { name: variable.name.clone(), indices: vec![name(&counter)] },
                );
                let counter = Counter { name: counter, first: integer(lower), last: integer(upper), step: None };
                Some(Close::Repeated(vec![taken], counter))
            }
            Some(bounds) if bounds.len() > 1 && self.chance(50) => {
                let to = self.target(|other| other.sort == Type::Real && other.bounds.as_ref() == Some(&bounds))?;
                self.assigns(&to);
                let counters: Vec<String> = bounds.iter().map(|_| self.name("I")).collect();
                let of = |array: &str| Place {
                    name: array.to_owned(),
                    indices: counters.iter().map(|counter| name(counter)).collect(),
                };
                let mut close = Close::Taken(of(&to.name), of(&variable.name));
                for (counter, (lower, upper)) in counters.iter().zip(bounds) {
                    let (first, last) = (integer(lower), integer(upper));
                    let counter = Counter { name: counter.clone(), first, last, step: None };
                    close = Close::Repeated(vec![close], counter);
                }
                Some(close)
            }
            Some(_) => {
                let (to, _) = self.real_place()?;
                let from = self.place_of(variable);
                Some(Close::Taken(to, from))
            }
        }
    }

    fn real_place(&mut self) -> Option<(Place, Variable)> {
        let variable = self.target(|variable| variable.sort == Type::Real)?;
        self.assigns(&variable);
        Some((self.place_of(&variable), variable))
    }
}
