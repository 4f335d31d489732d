//! Points and values in their printed form, which can be read again.

use vlad_shared::core::Program;
use vlad_shared::runtime::run::{Host, InputFault, Origin};
use vlad_shared::table::number::{self, Notation};
use vlad_shared::values::Value;
use vlad_shared::values::print::Layout;

/// Data made of reals, booleans, pairs and vectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Its printed form.
    pub text: String,
}

/// A part of a text.
enum Part<'text> {
    Real(f64),
    Other(&'text str),
}

impl Shape {
    /// The printed form of a value; none if that cannot be read again.
    pub fn of(program: &Program, value: &Value) -> Option<Shape> {
        let mut pending = vec![value.clone()];
        while let Some(value) = pending.pop() {
            match value {
                Value::Nil | Value::Boolean(_) | Value::Real(_) => {}
                Value::Pair(pair) => pending.extend([pair.first.clone(), pair.second.clone()]),
                Value::Vector(vector) => pending.extend(vector.iter()),
                Value::Lifted(_)
                | Value::Primitive(_)
                | Value::Procedure { .. }
                | Value::Capsule(_)
                | Value::Tagged(_) => return None,
            }
        }
        crate::several_engines::text(program, value, Layout::Datum, Notation::Shortest).ok().map(|text| Shape { text })
    }

    /// The text cut into reals and the pieces between them.
    fn parts(&self) -> Vec<Part<'_>> {
        let mut parts = Vec::new();
        for piece in self.text.split_inclusive(['(', ')', ' ']) {
            let word = piece.trim_end_matches(['(', ')', ' ']);
            let (word, behind) = piece.split_at(word.len());
            match number::parse(word) {
                Some(real) => parts.push(Part::Real(real)),
                None => parts.push(Part::Other(word)),
            }
            parts.push(Part::Other(behind));
        }
        parts
    }

    /// Its reals in order.
    pub fn reals(&self) -> Vec<f64> {
        let real = |part: &Part<'_>| match part {
            Part::Real(real) => Some(*real),
            Part::Other(_) => None,
        };
        self.parts().iter().filter_map(real).collect()
    }

    /// The number of its reals.
    pub fn coordinates(&self) -> usize {
        self.reals().len()
    }

    /// A quoted datum of the same shape, with 1 at one coordinate and 0 at all others.
    pub fn direction(&self, coordinate: usize) -> String {
        let mut number = 0;
        let mut text = "'".to_owned();
        for part in self.parts() {
            match part {
                Part::Real(_) => {
                    text.push(if number == coordinate { '1' } else { '0' });
                    number += 1;
                }
                Part::Other(other) => text.push_str(other),
            }
        }
        text
    }
}

/// The part of an expression's value that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// All.
    Whole,
    /// The second half of the pair.
    Second,
}

/// A host that keeps the values of expressions; its input is empty.
pub struct ResultHost {
    shown: Shown,
    /// The values; none for a value that is not data.
    pub shapes: Vec<Option<Shape>>,
}

impl ResultHost {
    /// A host that has kept nothing yet.
    pub fn of(shown: Shown) -> ResultHost {
        ResultHost { shown, shapes: Vec::new() }
    }
}

impl Host for ResultHost {
    fn read_real(&mut self) -> Result<f64, InputFault> {
        Err(InputFault::End)
    }

    fn write(&mut self, program: &Program, value: &Value, origin: Origin) -> std::io::Result<()> {
        if origin == Origin::Result {
            self.shapes.push(match (self.shown, value) {
                (Shown::Whole, value) => Shape::of(program, value),
                (Shown::Second, Value::Pair(pair)) => Shape::of(program, &pair.second),
                (Shown::Second, _) => None,
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_have_the_shape_of_the_point() {
        let shape = Shape { text: "((1.5 . -2) #t #(1e+21 ()) . 4)".to_owned() };
        assert_eq!(shape.reals(), [1.5, -2.0, 1e21, 4.0]);
        assert_eq!(shape.direction(2), "'((0 . 0) #t #(1 ()) . 0)");
        assert_eq!(Shape { text: "7".to_owned() }.direction(0), "'1");
    }
}
