//! The operators of differentiation on abstract values: `j*` and `*j` become statements of the residual code, which the
//! passes of `first_order::differentiate` replace.

use super::domain::{Abstract, AbstractId};
use super::evaluate::Condition;
use super::frame::Frame;
use super::reason::Stop;
use super::specialiser::Specialiser;
use super::value::Value;
use crate::first_order::{FunctionId, Kind, Operand, Statement};
use vlad_core::ExpressionId;
use vlad_table::internal_bug;

impl Specialiser<'_> {
    /// `(j* f x x')`.
    pub fn forward(
        &mut self,
        frame: &mut Frame,
        f: &Value,
        x: &Value,
        tangent: &Value,
        node: ExpressionId,
    ) -> Result<Value, Stop> {
        let mut positions = Vec::new();
        self.together(frame, x, tangent, node, &mut |this, _, x, tangent| {
            let direction = this.real_operand(tangent);
            let is_zero = matches!(direction, Operand::Real(bits) if bits.real() == 0.0);
            positions.push((x.clone(), (!is_zero).then_some(direction)));
        })?;
        // A position with a zero tangent is constant at the level; the others are not known inside.
        let any = self.domain.any_real();
        let mut lifted = positions.iter().map(|(x, direction)| match direction {
            Some(_) => Value::leaf(any, Operand::Boolean(false)),
            None => x.clone(),
        });
        let lifted = self.rebuilt(x, &mut lifted)?;
        let (id, result) = self.callee(frame, f.of, lifted.of, node)?;
        let arguments = self.arguments(id, f, x);
        let (general_operator, general_argument) = self.application(id);
        let mut tangents = vec![None; self.domain.leaves(general_operator)];
        let mut directions = positions.iter().map(|(_, direction)| *direction);
        self.positions_of(general_argument, &mut |of| match of {
            Abstract::AnyReal => tangents.push(directions.next().flatten()),
            Abstract::AnyBoolean => tangents.push(None),
            _ => {
                directions.next();
            }
        });
        let kinds = self.kinds(result);
        let reals = kinds.iter().filter(|kind| **kind == Kind::Real).count();
        let mut all_kinds = kinds.clone();
        all_kinds.extend(std::iter::repeat_n(Kind::Real, reals));
        let targets = self.targets(frame, &all_kinds);
        frame.code.add(Statement::Forward {
            targets: targets.clone(),
            function: FunctionId(id.0),
            arguments,
            tangents,
        });
        let operands: Vec<Operand> = targets.into_iter().map(Operand::Variable).collect();
        let (primals, tangents) = operands.split_at(kinds.len());
        let primal = Value { of: result, leaves: primals.to_vec().into() };
        let mut tangents = tangents.iter().copied();
        let zero = self.domain.literal(0.0);
        let mut parts = Vec::new();
        self.positions_of(result, &mut |of| match of {
            Abstract::AnyReal => match tangents.next() {
                Some(tangent) => parts.push(Value::leaf(any, tangent)),
                None => internal_bug!("each real of the result has a tangent"),
            },
            Abstract::Real { .. } => parts.push(Value::known(zero)),
            _ => {}
        });
        let tangent = self.rebuilt(&primal, &mut parts.into_iter())?;
        self.pair(primal, tangent)
    }

    /// `(*j f x y')`.
    pub fn reverse(
        &mut self,
        frame: &mut Frame,
        f: &Value,
        x: &Value,
        cotangent: &Value,
        node: ExpressionId,
    ) -> Result<Value, Stop> {
        let any = self.domain.any_real();
        let lifted = self.domain.with_reals(x.of, any)?;
        let (id, result) = self.callee(frame, f.of, lifted, node)?;
        let arguments = self.arguments(id, f, x);
        let (general_operator, general_argument) = self.application(id);
        let mut active = vec![false; self.domain.leaves(general_operator)];
        active.extend(self.kinds(general_argument).iter().map(|kind| *kind == Kind::Real));
        let kinds = self.kinds(result);
        // The value of f is needed for its shape alone, to find the cotangents of its reals.
        let shape = Value { of: result, leaves: vec![Operand::Boolean(false); kinds.len()].into() };
        let mut cotangents = Vec::new();
        self.positions_with(&shape, cotangent, node, &mut |this, y, y_bar| {
            if matches!(this.domain.get(y.of), Abstract::AnyReal) {
                cotangents.push(this.real_operand(y_bar));
            }
        })?;
        let mut all_kinds = kinds.clone();
        all_kinds.extend(active.iter().filter(|active| **active).map(|_| Kind::Real));
        let targets = self.targets(frame, &all_kinds);
        frame.code.add(Statement::Reverse {
            targets: targets.clone(),
            function: FunctionId(id.0),
            arguments,
            active,
            cotangents,
        });
        let operands: Vec<Operand> = targets.into_iter().map(Operand::Variable).collect();
        let (primals, gradient) = operands.split_at(kinds.len());
        let primal = Value { of: result, leaves: primals.to_vec().into() };
        // Booleans have to agree, too.
        self.together(frame, &primal, cotangent, node, &mut |_, _, _, _| {})?;
        let mut gradient = gradient.iter().map(|operand| Value::leaf(any, *operand));
        let gradient = self.rebuilt(x, &mut gradient)?;
        self.pair(primal, gradient)
    }

    /// Visits the reals of two values that have to conform, from left to right. The value fails where they do not.
    pub fn together(
        &mut self,
        frame: &mut Frame,
        value: &Value,
        companion: &Value,
        node: ExpressionId,
        visit: &mut dyn FnMut(&mut Self, &mut Frame, &Value, &Value),
    ) -> Result<(), Stop> {
        let mut positions = Vec::new();
        self.positions_with(value, companion, node, &mut |_, a, b| positions.push((a.clone(), b.clone())))?;
        for (a, b) in positions {
            match self.domain.get(a.of) {
                Abstract::Real { .. } | Abstract::AnyReal => visit(self, frame, &a, &b),
                _ => match self.equal(frame, &a, &b, node)? {
                    Condition::Known(true) => {}
                    Condition::Known(false) => return Err(Stop::Never(node)),
                    Condition::Unknown(test) => frame.code.require(test, node),
                },
            }
        }
        Ok(())
    }

    /// Visits the reals and the booleans of two values that have the same structure.
    fn positions_with(
        &mut self,
        value: &Value,
        companion: &Value,
        node: ExpressionId,
        visit: &mut dyn FnMut(&Self, &Value, &Value),
    ) -> Result<(), Stop> {
        let mut pending = vec![(value.clone(), companion.clone())];
        while let Some((a, b)) = pending.pop() {
            self.budget.node().map_err(|reason| Stop::GiveUp(reason.at(node)))?;
            match (self.domain.get(a.of), self.domain.get(b.of)) {
                (Abstract::Nil, Abstract::Nil) => {}
                (Abstract::Primitive(p), Abstract::Primitive(q)) if p == q => {}
                (Abstract::Boolean(_) | Abstract::AnyBoolean, Abstract::Boolean(_) | Abstract::AnyBoolean)
                | (Abstract::Real { .. } | Abstract::AnyReal, Abstract::Real { .. } | Abstract::AnyReal) => {
                    visit(self, &a, &b);
                }
                (Abstract::Pair(..), Abstract::Pair(..)) => {
                    if let (Some((a1, a2)), Some((b1, b2))) = (self.parts(&a), self.parts(&b)) {
                        pending.extend([(a2, b2), (a1, b1)]);
                    }
                }
                (Abstract::Closure(code, slots), Abstract::Closure(other, other_slots))
                    if self.class(*code) == self.class(*other) && slots.len() == other_slots.len() =>
                {
                    let (ours, theirs) = (self.slots(&a, slots), self.slots(&b, other_slots));
                    pending.extend(ours.into_iter().zip(theirs).rev());
                }
                _ => return Err(Stop::Never(node)),
            }
        }
        Ok(())
    }

    /// Visits the reals and the unknown booleans of an abstract value, from left to right.
    fn positions_of(&self, of: AbstractId, visit: &mut dyn FnMut(&Abstract)) {
        let mut pending = vec![of];
        while let Some(of) = pending.pop() {
            match self.domain.get(of) {
                of @ (Abstract::Real { .. } | Abstract::AnyReal | Abstract::AnyBoolean) => visit(of),
                Abstract::Pair(first, second) => pending.extend([*second, *first]),
                Abstract::Closure(_, slots) => pending.extend(slots.iter().rev()),
                Abstract::Nil | Abstract::Boolean(_) | Abstract::Primitive(_) => {}
            }
        }
    }

    /// A value with its reals replaced, from left to right.
    pub fn rebuilt(&mut self, value: &Value, reals: &mut dyn Iterator<Item = Value>) -> Result<Value, Stop> {
        let mut leaves = Vec::new();
        let of = self.rebuilt_part(value, reals, &mut leaves)?;
        Ok(Value { of, leaves: leaves.into() })
    }

    fn rebuilt_part(
        &mut self,
        value: &Value,
        reals: &mut dyn Iterator<Item = Value>,
        leaves: &mut Vec<Operand>,
    ) -> Result<AbstractId, Stop> {
        let (mut firsts, mut rest) = (Vec::new(), value.clone());
        while let Some((first, second)) = self.parts(&rest) {
            firsts.push(self.rebuilt_part(&first, reals, leaves)?);
            rest = second;
        }
        let mut of = match self.domain.get(rest.of).clone() {
            Abstract::Real { .. } | Abstract::AnyReal => match reals.next() {
                Some(real) => {
                    leaves.extend(real.leaves.as_slice());
                    real.of
                }
                None => internal_bug!("there is a value for each real"),
            },
            Abstract::AnyBoolean => {
                leaves.extend(rest.leaves.as_slice());
                rest.of
            }
            Abstract::Closure(lambda, slots) => {
                let mut rebuilt = Vec::with_capacity(slots.len());
                for slot in self.slots(&rest, &slots) {
                    rebuilt.push(self.rebuilt_part(&slot, reals, leaves)?);
                }
                self.domain.closure(lambda, &rebuilt)?
            }
            Abstract::Nil | Abstract::Boolean(_) | Abstract::Primitive(_) | Abstract::Pair(..) => rest.of,
        };
        for first in firsts.into_iter().rev() {
            of = self.domain.pair(first, of)?;
        }
        Ok(of)
    }
}
