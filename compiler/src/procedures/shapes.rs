//! Guesses of the shapes of operands, from the uses that procedures make of them.
//!
//! A parameter is taken for a real unless it is used as a vector, or as a vector of vectors: directly, in a procedure that
//! captures it, or by another definition that it is passed to. One that is called or taken apart is of another shape. A
//! guess that is wrong costs the attempts to use code that was made for it, and nothing else.

use crate::analysis::Assumed;
use std::cmp::max;
use vlad_core::{Constant, Expression, ExpressionId, LambdaId, Pattern, PatternId, Program, Reference};
use vlad_table::{Form, OnVector, Predicate, Primitive};

/// The shape of a parameter. Uses raise it, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Shape {
    Real,
    Vector,
    Matrix,
    Other,
}

/// A use of a parameter, by its position among the variables of its pattern.
#[derive(Clone, Copy, Debug)]
enum Use {
    /// As a value of a shape.
    As(usize, Shape),
    /// As the operand at a position of a definition's procedure.
    Passed(usize, LambdaId, usize),
}

/// The guesses for all procedures that definitions name, those of the prelude among them.
#[derive(Debug)]
pub struct Shapes {
    /// For each lambda the shapes of the variables of its pattern; nothing for the others.
    parameters: Vec<Vec<Shape>>,
}

impl Shapes {
    /// Guesses the shapes of all parameters, by a fixed point over the definitions that pass them to each other.
    pub fn of(program: &Program) -> Shapes {
        let codes = program.known_definitions();
        let mut shapes = Shapes { parameters: vec![Vec::new(); program.lambdas.len()] };
        let mut uses = Vec::new();
        for lambda in codes.iter().copied().flatten() {
            let count = program.pattern_variables(program.lambda(lambda).pattern).len();
            if let Some(parameters) = shapes.parameters.get_mut(lambda.0 as usize) {
                *parameters = vec![Shape::Real; count];
            }
            let found = Uses { program, codes: &codes, count, found: Vec::new() }.of_body(lambda);
            uses.extend(found.into_iter().map(|of| (lambda, of)));
        }
        while uses.iter().fold(false, |changed, (lambda, of)| shapes.raise(*lambda, *of) || changed) {}
        shapes
    }

    /// Returns true if the use says more of its parameter.
    fn raise(&mut self, lambda: LambdaId, of: Use) -> bool {
        let (parameter, shape) = match of {
            Use::As(parameter, shape) => (parameter, shape),
            Use::Passed(parameter, callee, place) => (parameter, self.shape(callee, place)),
        };
        let place = self.parameters.get_mut(lambda.0 as usize).and_then(|all| all.get_mut(parameter));
        place.is_some_and(|known| {
            let before = *known;
            *known = max(before, shape);
            *known != before
        })
    }

    fn shape(&self, lambda: LambdaId, place: usize) -> Shape {
        let known = self.parameters.get(lambda.0 as usize).and_then(|all| all.get(place));
        known.copied().unwrap_or(Shape::Real)
    }

    /// The shape of a part of the pattern of a procedure, whose variables begin at a position; none if it has other parts
    /// than reals and vectors, or is deep. Returns the position after it, too.
    pub fn assumed(
        &self,
        program: &Program,
        lambda: LambdaId,
        pattern: PatternId,
        place: usize,
    ) -> Option<(Assumed, usize)> {
        let (mut firsts, mut place, mut rest) = (Vec::new(), place, pattern);
        let last = loop {
            match program.pattern(rest) {
                Pattern::Pair(first, second) => {
                    // Patterns within patterns are rare: one level is enough.
                    let Pattern::Variable = program.pattern(first) else { return None };
                    firsts.push(self.variable(lambda, place)?);
                    place += 1;
                    rest = second;
                }
                Pattern::Variable => {
                    place += 1;
                    break self.variable(lambda, place - 1)?;
                }
                Pattern::Constant(constant) => match program.constant(constant) {
                    Constant::Nil => break Assumed::Nil,
                    Constant::Boolean(_) | Constant::Real(_) | Constant::Pair(..) | Constant::Vector(_) => return None,
                },
            }
        };
        let pair = |rest, first| Assumed::Pair(Box::new(first), Box::new(rest));
        Some((firsts.into_iter().rev().fold(last, pair), place))
    }

    fn variable(&self, lambda: LambdaId, place: usize) -> Option<Assumed> {
        match self.shape(lambda, place) {
            Shape::Real => Some(Assumed::Real),
            Shape::Vector => Some(Assumed::Array(1)),
            Shape::Matrix => Some(Assumed::Array(2)),
            Shape::Other => None,
        }
    }
}

/// The walk that finds the uses of the parameters of a procedure.
struct Uses<'all> {
    program: &'all Program,
    /// The code of each definition that is written as a procedure.
    codes: &'all [Option<LambdaId>],
    /// The number of parameters.
    count: usize,
    found: Vec<Use>,
}

/// An activation within the procedure: its own, or that of a procedure that it makes.
#[derive(Clone, Copy)]
struct Activation<'all> {
    /// The activation around it, and the variables that it captures there.
    around: Option<(usize, &'all [Reference])>,
}

impl<'all> Uses<'all> {
    fn of_body(mut self, lambda: LambdaId) -> Vec<Use> {
        let mut activations = vec![Activation { around: None }];
        let mut pending = vec![(self.program.lambda(lambda).body, 0)];
        while let Some((node, activation)) = pending.pop() {
            if let Expression::Application { operator, operand } = self.program.expression(node) {
                self.application(&activations, activation, operator, operand);
            }
            pending.extend(self.program.parts(node).map(|part| (part, activation)));
            for made in self.program.procedures(node) {
                let lambda = self.program.lambda(*made);
                let captures = lambda.group.map_or(&lambda.captures, |(group, _)| &self.program.group(group).captures);
                pending.push((lambda.body, activations.len()));
                activations.push(Activation { around: Some((activation, captures)) });
            }
        }
        self.found
    }

    /// The parameter that a node is a reference to.
    fn parameter(&self, activations: &[Activation<'_>], mut activation: usize, node: ExpressionId) -> Option<usize> {
        let Expression::Variable(mut reference) = self.program.expression(node) else { return None };
        loop {
            let around = activations.get(activation)?.around;
            match (around, reference) {
                (None, Reference::Local(local)) => return Some(local as usize).filter(|local| *local < self.count),
                (Some((outer, captures)), Reference::Slot(slot)) => {
                    reference = *captures.get(slot as usize)?;
                    activation = outer;
                }
                (None, Reference::Slot(_))
                | (Some(_), Reference::Local(_))
                | (_, Reference::Sibling(_) | Reference::Global(_) | Reference::Primitive(_)) => return None,
            }
        }
    }

    fn application(
        &mut self,
        activations: &[Activation<'_>],
        activation: usize,
        operator: ExpressionId,
        operand: ExpressionId,
    ) {
        let parameter = |this: &Self, node| this.parameter(activations, activation, node);
        if let Some(called) = parameter(self, operator) {
            self.found.push(Use::As(called, Shape::Other));
            return;
        }
        match self.program.expression(operator) {
            Expression::Variable(Reference::Primitive(primitive)) => {
                let first = match self.program.expression(operand) {
                    Expression::Cons { first, .. } => first,
                    _ => operand,
                };
                let Some(shape) = shape_of_first(primitive) else { return };
                if let Some(used) = parameter(self, first) {
                    self.found.push(Use::As(used, shape));
                } else if shape == Shape::Vector
                    && let Some(used) = self.row_of(first).and_then(|vector| parameter(self, vector))
                {
                    self.found.push(Use::As(used, Shape::Matrix));
                }
            }
            Expression::Variable(Reference::Global(global)) => {
                let Some(callee) = self.codes.get(global.0 as usize).copied().flatten() else { return };
                let (mut place, mut node) = (0, operand);
                let mut pattern = self.program.lambda(callee).pattern;
                loop {
                    let (part, of) = match (self.program.pattern(pattern), self.program.expression(node)) {
                        (Pattern::Pair(part, rest), Expression::Cons { first, second }) => {
                            (pattern, node) = (rest, second);
                            (part, first)
                        }
                        _ => {
                            self.passed(parameter(self, node), callee, pattern, place);
                            return;
                        }
                    };
                    self.passed(parameter(self, of), callee, part, place);
                    place += self.program.pattern_variables(part).len();
                }
            }
            Expression::Variable(Reference::Local(_) | Reference::Slot(_) | Reference::Sibling(_))
            | Expression::Constant(_)
            | Expression::Lambda(_)
            | Expression::Application { .. }
            | Expression::Let { .. }
            | Expression::Cons { .. }
            | Expression::If { .. }
            | Expression::Letrec { .. } => {}
        }
    }

    fn passed(&mut self, parameter: Option<usize>, callee: LambdaId, pattern: PatternId, place: usize) {
        let Some(parameter) = parameter else { return };
        self.found.push(match self.program.pattern(pattern) {
            Pattern::Variable => Use::Passed(parameter, callee, place),
            Pattern::Constant(_) | Pattern::Pair(..) => Use::As(parameter, Shape::Other),
        });
    }

    /// The vector of which a node is an element.
    fn row_of(&self, node: ExpressionId) -> Option<ExpressionId> {
        let Expression::Application { operator, operand } = self.program.expression(node) else { return None };
        let Expression::Variable(Reference::Primitive(Primitive::Get)) = self.program.expression(operator) else {
            return None;
        };
        match self.program.expression(operand) {
            Expression::Cons { first, .. } => Some(first),
            _ => None,
        }
    }
}

/// The shape of the first operand of a primitive; none if it says nothing.
fn shape_of_first(primitive: Primitive) -> Option<Shape> {
    match primitive.row().form {
        Form::OnVector(on) => match on {
            OnVector::Length
            | OnVector::Element
            | OnVector::Replace
            | OnVector::Append
            | OnVector::ToList
            | OnVector::OfLength => Some(Shape::Vector),
            OnVector::FromList => Some(Shape::Other),
            OnVector::Size | OnVector::Iterations => None,
        },
        Form::First | Form::Second | Form::Control(_) => Some(Shape::Other),
        Form::Ask(Predicate::Null | Predicate::Pair) => Some(Shape::Other),
        Form::Ask(_)
        | Form::Fold { .. }
        | Form::Unary(_)
        | Form::Binary(_)
        | Form::UnaryOrBinary(..)
        | Form::Chain(_)
        | Form::AgainstZero(_)
        | Form::Pair
        | Form::SameValue
        | Form::Real
        | Form::Zero
        | Form::Plus
        | Form::TransformForward
        | Form::Bundle
        | Form::PrimalOf
        | Form::TangentOf
        | Form::Mark(_)
        | Form::Unmark(_)
        | Form::Invert(_)
        | Form::ReadReal
        | Form::WriteReal
        | Form::Write
        | Form::WriteRow
        | Form::EndOfInput
        | Form::WriteText
        | Form::Error
        | Form::ErrorText => None,
    }
}
