//! The shapes of the functions of the language.

use super::shapes::{Shape, ShapeId, Shapes, Sort};
use super::state::{Deferred, Relation, Rules};
use crate::builtins::{Builtin, DerivativeOperator};
use crate::scoped::ScopedId;

impl Rules<'_> {
    /// Returns the shapes of the parameters and of the result of a function of the language.
    pub(super) fn signature(&mut self, builtin: Builtin, id: ScopedId) -> (Vec<ShapeId>, ShapeId) {
        let shapes = &mut self.shaped.shapes;
        let (number, boolean) = (Shapes::NUMBER, Shapes::BOOLEAN);
        match builtin {
            Builtin::Operation(_) | Builtin::Quotient => (vec![number; builtin.arity()], number),
            Builtin::Compare(_) | Builtin::Unequal => (vec![number; 2], boolean),
            Builtin::And | Builtin::Or => (vec![boolean; 2], boolean),
            Builtin::Not => (vec![boolean], boolean),
            Builtin::Build => {
                let element = shapes.variable(Sort::Data);
                let (function, array) = (shapes.function(&[number], element), shapes.add(Shape::Array(element)));
                (vec![number, function], array)
            }
            Builtin::Ifold => {
                let state = shapes.variable(Sort::Data);
                let function = shapes.function(&[state, number], state);
                (vec![function, state, number], state)
            }
            Builtin::Get => {
                let element = shapes.variable(Sort::Data);
                (vec![shapes.add(Shape::Array(element)), number], element)
            }
            Builtin::Length => {
                let element = shapes.variable(Sort::Data);
                (vec![shapes.add(Shape::Array(element))], number)
            }
            Builtin::Write => {
                let value = shapes.variable(Sort::Data);
                (vec![value], value)
            }
            Builtin::OfLength => {
                let element = shapes.variable(Sort::Data);
                let array = shapes.add(Shape::Array(element));
                (vec![array, number], array)
            }
            Builtin::Forward => {
                let (point, result) = (shapes.variable(Sort::Data), shapes.variable(Sort::Data));
                let function = shapes.function(&[point], result);
                (vec![function, point, point], shapes.add(Shape::Pair(result, result)))
            }
            Builtin::Pair | Builtin::First | Builtin::Second => {
                let (first, second) = (shapes.variable(Sort::Data), shapes.variable(Sort::Data));
                let pair = shapes.add(Shape::Pair(first, second));
                if builtin == Builtin::Pair {
                    (vec![first, second], pair)
                } else {
                    (vec![pair], if builtin == Builtin::First { first } else { second })
                }
            }
            Builtin::Derivative(operator) => self.derivative(operator, id),
            Builtin::Reverse(_) => {
                let (point, result) = (shapes.variable(Sort::Data), shapes.variable(Sort::Data));
                let function = shapes.function(&[point], result);
                (vec![function, point, result], shapes.add(Shape::Pair(result, point)))
            }
        }
    }

    /// Returns the shapes of the parameters of a function of the language, for a message.
    pub(super) fn parameters(&mut self, builtin: Builtin, id: ScopedId) -> Vec<ShapeId> {
        let known = self.deferred.len();
        let (parameters, _) = self.signature(builtin, id);
        self.deferred.truncate(known);
        parameters
    }

    fn derivative(&mut self, operator: DerivativeOperator, id: ScopedId) -> (Vec<ShapeId>, ShapeId) {
        let span = self.tree.span(id);
        let shapes = &mut self.shaped.shapes;
        let number = Shapes::NUMBER;
        let vector = shapes.add(Shape::Array(number));
        let matrix = shapes.add(Shape::Array(vector));
        let dual = shapes.add(Shape::Pair(number, number));
        let mut array = |element| shapes.add(Shape::Array(element));
        let (point, value, result) = match operator {
            DerivativeOperator::Diff | DerivativeOperator::VDiff | DerivativeOperator::MDiff => {
                let (value, result) = (shapes.variable(Sort::Data), shapes.variable(Sort::Data));
                self.deferred.push(Deferred { relation: Relation::Dual(value), result, span });
                (number, value, result)
            }
            DerivativeOperator::Grad => (vector, number, array(dual)),
            DerivativeOperator::Jacob => {
                let row = array(dual);
                (vector, vector, array(row))
            }
            DerivativeOperator::MGrad => {
                let row = array(dual);
                (matrix, number, array(row))
            }
            DerivativeOperator::Hessian => (vector, number, matrix),
        };
        let function = self.shaped.shapes.function(&[point], value);
        (vec![function, point], result)
    }
}
