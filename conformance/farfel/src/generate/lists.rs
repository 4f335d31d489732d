//! Lists with counters in `READ` and `PRINT`, and loops with a real index.

use super::scope::Variable;
use super::units::plain;
use super::{Generator, integer, name};
use crate::tree::{Action, Counter, Expression, Item, Loop, Place, Statement, Target, Type};

impl Generator {
    /// A `PRINT` of elements of an array, or of expressions in a counter.
    pub(super) fn print_list(&mut self, list: &mut Vec<Statement>) {
        if let Some(unit) = self.stack.last_mut() {
            unit.has_effects = true;
        }
        let arrays = self.variables(|variable| variable.bounds.is_some());
        let mut items = vec![Item::Text("list".to_owned())];
        match self.pick(&arrays) {
            Some(array) if self.chance(70) => {
                self.uses(&array);
                items.push(self.elements(&array));
            }
            Some(_) | None => {
                let (counter, last) = (self.counter(), self.below(4) as i64);
                let step = self.chance(30).then(|| integer(1 + self.below(2) as i64));
                let others = vec![Item::Value(self.bounded(1)), Item::Value(name(&counter))];
                let counter = Counter { name: counter, first: integer(1), last: integer(last), step };
                items.push(Item::Repeated(others, counter));
            }
        }
        list.push(plain(Action::Print(items)));
    }

    /// The elements of an array, with one counter for each dimension.
    fn elements(&mut self, array: &Variable) -> Item {
        let (place, counters) = self.counted(array);
        let element = Item::Value(Expression::Element(place.name, place.indices));
        counters.into_iter().fold(element, |item, counter| Item::Repeated(vec![item], counter))
    }

    /// The list of a `READ` of an array.
    pub(super) fn read_list(&mut self) -> Option<Target> {
        let array = self.target(|variable| variable.bounds.is_some() && variable.sort != Type::Logical)?;
        self.assigns(&array);
        for number in 0..array.size() {
            self.input.push((number % 5) as f64 - 1.0);
        }
        let (place, counters) = self.counted(&array);
        Some(counters.into_iter().fold(Target::Place(place), |target, counter| Target::Repeated(vec![target], counter)))
    }

    /// An element of an array at counters that go through all of it.
    fn counted(&mut self, array: &Variable) -> (Place, Vec<Counter>) {
        let mut counters = Vec::new();
        for (lower, upper) in array.bounds.clone().unwrap_or_default() {
            let name = self.counter();
            counters.push(Counter { name, first: integer(lower), last: integer(upper), step: None });
        }
        let indices = counters.iter().map(|counter| name(&counter.name)).collect();
        (Place { name: array.name.clone(), indices }, counters)
    }

    /// A loop with a real index, whose steps are exact.
    pub(super) fn real_repetition(&mut self, size: usize, list: &mut Vec<Statement>) {
        let index = self.counter_of(Type::Real);
        let real = |quarters: i64| {
            let size = Expression::Real(format!("{:.2}", quarters.abs() as f64 / 4.0));
            if quarters < 0 { Expression::Minus(Box::new(size)) } else { size }
        };
        let (first, trips) = (self.below(9) as i64 - 4, self.below(4) as i64);
        let step = self.pick(&[1, 2, 3, 4, -1, -3]).unwrap_or(1);
        let body = self.within_loop(&index, None, size - 1);
        let (first, last, step) = (real(first), real(first + (trips - 1) * step), Some(real(step)));
        list.push(plain(Action::Do(Loop { index, first, last, step, end: None, body })));
    }
}
