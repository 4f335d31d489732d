//! The relations between the shapes of derivatives and of what they are derivatives of.

use super::errors;
use super::shapes::{Mismatch, Shape, ShapeId, Shapes, Sort};
use super::state::{Deferred, Relation, Rules};
use vlad_table::internal_bug;

impl Rules<'_> {
    /// Makes the shapes that relations wait for numbers.
    pub(super) fn settle(&mut self) {
        while self.errors == 0
            && let Some(deferred) = self.deferred.last()
        {
            let unknown = match deferred.relation {
                Relation::Dual(of) => of,
                Relation::Derivative { variable, .. } => variable,
            };
            if self.shaped.shapes.unify(unknown, Shapes::NUMBER).is_err() {
                internal_bug!("a relation waits for a variable alone");
            }
            self.relate();
        }
    }

    /// Makes the relations hold as far as shapes are known; the others are kept.
    pub(super) fn relate(&mut self) {
        loop {
            let mut pending = std::mem::take(&mut self.deferred);
            let mut progress = false;
            pending.reverse();
            while let Some(deferred) = pending.pop() {
                match self.step(deferred, &mut pending) {
                    Related::Done => progress = true,
                    Related::Stuck => self.deferred.push(deferred),
                }
            }
            if !progress || self.deferred.is_empty() || self.errors > 0 {
                return;
            }
        }
    }

    /// Makes one relation hold for the outermost constructor.
    fn step(&mut self, deferred: Deferred, pending: &mut Vec<Deferred>) -> Related {
        let Deferred { relation, result, span } = deferred;
        let equal = |rules: &mut Self, made: Shape| {
            let made = rules.shaped.shapes.add(made);
            if let Err(mismatch) = rules.shaped.shapes.unify(made, result) {
                let diagnostic = errors::derivative(rules, span, made, result, mismatch);
                rules.unequal(mismatch, diagnostic);
            }
        };
        let mut part = |rules: &mut Self, relation: Relation| {
            let result = rules.shaped.shapes.variable(Sort::Data);
            pending.push(Deferred { relation, result, span });
            result
        };
        match relation {
            Relation::Dual(of) => match self.shaped.shapes.get(of) {
                Shape::Number => equal(self, Shape::Pair(Shapes::NUMBER, Shapes::NUMBER)),
                Shape::Boolean => equal(self, Shape::Boolean),
                Shape::Array(element) => {
                    let element = part(self, Relation::Dual(element));
                    equal(self, Shape::Array(element));
                }
                Shape::Pair(first, second) => {
                    let first = part(self, Relation::Dual(first));
                    let second = part(self, Relation::Dual(second));
                    equal(self, Shape::Pair(first, second));
                }
                Shape::Variable(_) => return self.step_back(of, deferred),
                // It would be no data.
                Shape::Function(..) => return Related::Done,
            },
            Relation::Derivative { variable, body } => match self.shaped.shapes.get(variable) {
                Shape::Number => pending.push(Deferred { relation: Relation::Dual(body), result, span }),
                Shape::Array(element) => {
                    let element = part(self, Relation::Derivative { variable: element, body });
                    equal(self, Shape::Array(element));
                }
                Shape::Pair(first, second) => {
                    let first = part(self, Relation::Derivative { variable: first, body });
                    let second = part(self, Relation::Derivative { variable: second, body });
                    equal(self, Shape::Pair(first, second));
                }
                Shape::Variable(Sort::Any) => {
                    let data = self.shaped.shapes.variable(Sort::Data);
                    let _ = self.shaped.shapes.unify(variable, data);
                    return Related::Stuck;
                }
                Shape::Variable(Sort::Data) => return Related::Stuck,
                Shape::Boolean | Shape::Function(..) => {
                    let diagnostic = errors::invariable(self, span, variable);
                    self.error(diagnostic);
                }
            },
        }
        Related::Done
    }

    /// Finds the constructor of a shape from that of its dual, where that decides.
    fn step_back(&mut self, of: ShapeId, deferred: Deferred) -> Related {
        let result = deferred.result;
        let shapes = &mut self.shaped.shapes;
        let shape = match shapes.get(result) {
            Shape::Boolean => Shape::Boolean,
            Shape::Array(_) => Shape::Array(shapes.variable(Sort::Data)),
            Shape::Pair(first, _) => match shapes.get(first) {
                Shape::Number => Shape::Number,
                Shape::Boolean | Shape::Array(_) | Shape::Pair(..) => {
                    Shape::Pair(shapes.variable(Sort::Data), shapes.variable(Sort::Data))
                }
                Shape::Variable(_) | Shape::Function(..) => return Related::Stuck,
            },
            // There is no such dual, as the next step reports.
            Shape::Number => Shape::Number,
            Shape::Variable(_) | Shape::Function(..) => return Related::Stuck,
        };
        let shape = shapes.add(shape);
        match shapes.unify(of, shape) {
            Ok(()) => {
                // It is visited again with the constructor.
                self.deferred.push(deferred);
                Related::Done
            }
            Err(Mismatch::Different | Mismatch::FunctionAsData | Mismatch::Infinite) => Related::Stuck,
        }
    }
}

/// The outcome of a step.
enum Related {
    Done,
    Stuck,
}
