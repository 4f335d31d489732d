//! The operators of differentiation on abstract values: `j*` and `*j` become statements of the residual code, which the
//! passes of `first_order::differentiate` replace.

use crate::analysis::evaluate::Condition;
use crate::analysis::specialiser::Specialiser;
use crate::analysis::specialiser::frame::Frame;
use crate::analysis::values::domain::{Abstract, AbstractId, Arrays, Head, Unions};
use crate::analysis::values::reason::{Cause, Reason, Stop};
use crate::analysis::values::value::Value;
use vlad_core::ExpressionId;
use vlad_first_order::{FunctionId, Operand, Recording, Relation, Statement};
use vlad_table::internal_bug;

/// For each real of a value, or for each leaf, its tangent; none where it is constant at the level.
type Directions = Vec<Option<Operand>>;

impl Specialiser<'_> {
    /// `(j* f x x')`: the value and its tangent.
    pub fn forward(
        &mut self,
        frame: &mut Frame,
        f: &Value,
        x: &Value,
        tangent: &Value,
        node: ExpressionId,
    ) -> Result<(Value, Value), Stop> {
        if self.is_flat(frame, f, (x, tangent), node)? {
            return self.forward_flat(frame, (f, x, tangent), node);
        }
        let (lifted, directions) = self.lifted(frame, x, tangent, node)?;
        self.forward_call(frame, (f, f.of, None), (x, lifted, directions), node)
    }

    /// Returns true if a point, its tangent, or the value of a procedure there, or its cotangent, contains structures of any
    /// size. While instances still grow, the one may before the other.
    fn is_flat(
        &mut self,
        frame: &Frame,
        f: &Value,
        (x, other): (&Value, &Value),
        node: ExpressionId,
    ) -> Result<bool, Stop> {
        let has_cells = self.domain.has_cells(x.of) || self.domain.has_cells(other.of);
        if self.unions != Unions::Folded || has_cells {
            return Ok(has_cells);
        }
        let any = self.domain.any_real();
        let lifted = self.domain.with_reals(x.of, any)?;
        let (_, result) = self.callee(frame, f.of, lifted, node)?;
        Ok(self.domain.has_cells(result))
    }

    /// The abstract value of something that is lifted with a tangent, and the direction of each of its reals. A real
    /// with a zero tangent is constant at the level; the others are not known inside.
    pub fn lifted(
        &mut self,
        frame: &mut Frame,
        x: &Value,
        tangent: &Value,
        node: ExpressionId,
    ) -> Result<(AbstractId, Directions), Stop> {
        self.without_backpropagators(&[x.of], node)?;
        let (mut reals, mut directions) = (Vec::new(), Vec::new());
        let any = self.domain.any_real();
        self.together(frame, x, tangent, node, &mut |this, _, x, tangent| {
            let direction = this.real_operand(tangent);
            let is_zero = matches!(direction, Operand::Real(bits) if bits.real() == 0.0);
            directions.push((!is_zero).then_some(direction));
            let of = if matches!(this.domain.get(x.of), Abstract::Array(_)) { x.of } else { any };
            reals.push(if is_zero { x.clone() } else { Value::leaf(of, direction) });
        })?;
        Ok((self.rebuilt(x, &mut reals.into_iter())?.of, directions))
    }

    /// Calls f on x in forward mode, each given with its lifted abstract value and the directions of its reals.
    pub fn forward_call(
        &mut self,
        frame: &mut Frame,
        (f, lifted_f, directions_of_f): (&Value, AbstractId, Option<Directions>),
        (x, lifted_x, directions): (&Value, AbstractId, Directions),
        node: ExpressionId,
    ) -> Result<(Value, Value), Stop> {
        let (id, result) = self.callee(frame, lifted_f, lifted_x, node)?;
        self.without_backpropagators(&[result], node)?;
        let arguments = self.arguments(frame, id, f, x)?;
        let (general_f, general_x) = self.application(id);
        let mut tangents = match directions_of_f {
            Some(directions) => self.of_leaves(general_f, &directions),
            None => vec![None; self.domain.leaves(general_f)],
        };
        tangents.extend(self.of_leaves(general_x, &directions));
        let kinds = self.kinds(result);
        self.crosses(result, node)?;
        let mut all_kinds = kinds.clone();
        all_kinds.extend(kinds.iter().filter(|kind| kind.is_differentiable()));
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
        let (any, zero) = (self.domain.any_real(), self.domain.literal(0.0));
        let mut parts = Vec::new();
        self.positions_of(result, &mut |id, of| match of {
            Abstract::AnyReal | Abstract::Array(_) => match tangents.next() {
                Some(tangent) => parts.push(Value::leaf(if *of == Abstract::AnyReal { any } else { id }, tangent)),
                None => internal_bug!("each real of the result has a tangent"),
            },
            Abstract::Real { .. } => parts.push(Value::known(zero)),
            _ => {}
        });
        let tangent = self.rebuilt(&primal, &mut parts.into_iter())?;
        Ok((primal, tangent))
    }

    /// The directions of the leaves of an abstract value, of those of its reals.
    fn of_leaves(&self, of: AbstractId, directions: &[Option<Operand>]) -> Directions {
        let (mut of_leaves, mut directions) = (Vec::new(), directions.iter().copied());
        self.positions_of(of, &mut |_, of| match of {
            Abstract::AnyReal | Abstract::Array(_) => of_leaves.push(directions.next().flatten()),
            // A cell is part of a procedure, which is constant.
            Abstract::AnyBoolean | Abstract::Cell(_) => of_leaves.push(None),
            _ => {
                directions.next();
            }
        });
        of_leaves
    }

    /// `(*j f x y')`, and the same with checkpoints.
    pub fn reverse(
        &mut self,
        frame: &mut Frame,
        (f, x, cotangent): (&Value, &Value, &Value),
        recording: Recording,
        node: ExpressionId,
    ) -> Result<Value, Stop> {
        self.without_backpropagators(&[x.of], node)?;
        if self.is_flat(frame, f, (x, cotangent), node)? {
            return self.reverse_flat(frame, (f, x, cotangent), recording, node);
        }
        let any = self.domain.any_real();
        let lifted = self.domain.with_reals(x.of, any)?;
        self.crosses(x.of, node)?;
        let (id, result) = self.callee(frame, f.of, lifted, node)?;
        self.without_backpropagators(&[result], node)?;
        self.crosses(result, node)?;
        let arguments = self.arguments(frame, id, f, x)?;
        let (general_operator, general_argument) = self.application(id);
        let mut active = vec![false; self.domain.leaves(general_operator)];
        let of_argument = self.kinds(general_argument);
        active.extend(of_argument.iter().map(|kind| kind.is_differentiable()));
        let kinds = self.kinds(result);
        let cotangents = self.cotangents(result, cotangent, node)?;
        let mut all_kinds = kinds.clone();
        all_kinds.extend(of_argument.iter().filter(|kind| kind.is_differentiable()));
        let targets = self.targets(frame, &all_kinds);
        frame.code.add(Statement::Reverse {
            targets: targets.clone(),
            function: FunctionId(id.0),
            arguments,
            active,
            cotangents,
            recording,
        });
        let operands: Vec<Operand> = targets.into_iter().map(Operand::Variable).collect();
        let (primals, gradient) = operands.split_at(kinds.len());
        let primal = Value { of: result, leaves: primals.to_vec().into() };
        // Booleans have to agree, too.
        self.together(frame, &primal, cotangent, node, &mut |_, _, _, _| {})?;
        let mut positions = Vec::new();
        self.positions_of(x.of, &mut |id, of| match of {
            Abstract::Array(_) => positions.push(id),
            Abstract::Real { .. } | Abstract::AnyReal => positions.push(any),
            _ => {}
        });
        let mut gradient = positions.into_iter().zip(gradient).map(|(of, operand)| Value::leaf(of, *operand));
        let gradient = self.rebuilt(x, &mut gradient)?;
        self.pair(primal, gradient)
    }

    /// The cotangents of the unknown reals of a result.
    pub fn cotangents(
        &mut self,
        result: AbstractId,
        cotangent: &Value,
        node: ExpressionId,
    ) -> Result<Vec<Operand>, Stop> {
        // The result is needed for its shape alone.
        let shape = Value { of: result, leaves: vec![Operand::Boolean(false); self.domain.leaves(result)].into() };
        let mut cotangents = Vec::new();
        self.positions_with(&shape, cotangent, node, &mut |this, y, y_bar| {
            if matches!(this.domain.get(y.of), Abstract::AnyReal | Abstract::Array(_)) {
                cotangents.push(this.real_operand(y_bar));
            }
        })?;
        Ok(cotangents)
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
        self.without_backpropagators(&[value.of, companion.of], node)?;
        let mut positions = Vec::new();
        self.positions_with(value, companion, node, &mut |_, a, b| positions.push((a.clone(), b.clone())))?;
        for (a, b) in positions {
            match self.domain.get(a.of) {
                Abstract::Real { .. } | Abstract::AnyReal => visit(self, frame, &a, &b),
                Abstract::Array(_) => {
                    let test = frame.code.compare_arrays(Relation::SameLengths, a.operand(), b.operand());
                    frame.code.require(test, node);
                    visit(self, frame, &a, &b);
                }
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
        if self.domain.has_cells(value.of) || self.domain.has_cells(companion.of) {
            return self.give_up(Cause::GrownInOperator, node);
        }
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
                (Abstract::Array(_), Abstract::Array(_)) if a.of == b.of && self.is_array_of_reals(a.of) => {
                    visit(self, &a, &b);
                }
                (Abstract::Array(_), Abstract::Array(_) | Abstract::Vector(_))
                | (Abstract::Vector(_), Abstract::Array(_)) => return self.give_up(Cause::VectorShape, node),
                (Abstract::Union(_), _) | (_, Abstract::Union(_)) => {
                    pending.extend(self.aligned(&a, &b, node)?.into_iter().rev());
                }
                _ => {
                    let ((head, parts), (other, others)) = (self.decomposed(&a), self.decomposed(&b));
                    if !self.is_same_head(head, other) || parts.len() != others.len() {
                        return Err(Stop::Never(node));
                    }
                    pending.extend(parts.into_iter().zip(others).rev());
                }
            }
        }
        Ok(())
    }

    /// Gives up if a value cannot cross the border of a level: if it contains cells, or does not cross that of an item.
    pub fn crosses(&self, of: AbstractId, node: ExpressionId) -> Result<(), Reason> {
        if self.domain.has_cells(of) {
            return Err(Reason::new(Cause::GrownInOperator).at(node));
        }
        self.leaves_item(of, node)
    }

    /// Gives up if a value cannot cross the border of an item: if it contains vectors of unknown length whose elements are no
    /// reals. Only for reals the order of positions is that of arrays.
    pub fn leaves_item(&self, of: AbstractId, node: ExpressionId) -> Result<(), Reason> {
        match self.domain.arrays(of) {
            Arrays::None | Arrays::Plain => Ok(()),
            Arrays::OfParts => Err(Reason::new(Cause::VectorOfParts).at(node)),
            Arrays::Alternatives => Err(Reason::new(Cause::UnionOfVectors).at(node)),
        }
    }

    /// Returns true for arrays of reals, of any rank.
    fn is_array_of_reals(&self, of: AbstractId) -> bool {
        matches!(self.kinds(of).as_slice(), [kind] if kind.is_differentiable())
    }

    /// Visits the reals and the unknown booleans of an abstract value, and its arrays of reals, from left to right.
    fn positions_of(&self, of: AbstractId, visit: &mut dyn FnMut(AbstractId, &Abstract)) {
        let mut pending = vec![of];
        while let Some(id) = pending.pop() {
            match self.domain.get(id) {
                of @ (Abstract::Real { .. } | Abstract::AnyReal | Abstract::AnyBoolean) => visit(id, of),
                of @ Abstract::Array(_) if self.is_array_of_reals(id) => visit(id, of),
                of @ Abstract::Cell(_) => visit(id, of),
                _ => pending.extend(self.domain.decompose(id).1.iter().rev()),
            }
        }
    }

    /// A value with its reals replaced, from left to right.
    pub fn rebuilt(&mut self, value: &Value, reals: &mut dyn Iterator<Item = Value>) -> Result<Value, Stop> {
        let mut leaves = Vec::new();
        let of = self.rebuilt_part(value, None, reals, &mut leaves)?;
        Ok(Value { of, leaves: leaves.into() })
    }

    /// The same for a sum, of which a summand is the value and the other one the companion: bundles are marked as either of the two is.
    pub fn rebuilt_with(
        &mut self,
        value: &Value,
        companion: &Value,
        reals: &mut dyn Iterator<Item = Value>,
    ) -> Result<Value, Stop> {
        let mut leaves = Vec::new();
        let of = self.rebuilt_part(value, Some(companion), reals, &mut leaves)?;
        Ok(Value { of, leaves: leaves.into() })
    }

    fn next_real(&self, reals: &mut dyn Iterator<Item = Value>, leaves: &mut Vec<Operand>) -> AbstractId {
        match reals.next() {
            Some(real) => {
                leaves.extend(real.leaves.as_slice());
                real.of
            }
            None => internal_bug!("there is a value for each real"),
        }
    }

    fn rebuilt_part(
        &mut self,
        value: &Value,
        companion: Option<&Value>,
        reals: &mut dyn Iterator<Item = Value>,
        leaves: &mut Vec<Operand>,
    ) -> Result<AbstractId, Stop> {
        let (mut firsts, mut rest, mut companion) = (Vec::new(), value.clone(), companion.cloned());
        while let Some((first, second)) = self.parts(&rest) {
            let (of_first, of_second) = companion.and_then(|companion| self.parts(&companion)).unzip();
            firsts.push(self.rebuilt_part(&first, of_first.as_ref(), reals, leaves)?);
            (rest, companion) = (second, of_second);
        }
        let mut of = match self.domain.get(rest.of) {
            Abstract::Real { .. } | Abstract::AnyReal => self.next_real(reals, leaves),
            Abstract::Array(_) if self.is_array_of_reals(rest.of) => self.next_real(reals, leaves),
            _ => match self.decomposed(&rest) {
                (Head::Atom, _) => {
                    leaves.extend(rest.leaves.as_slice());
                    rest.of
                }
                (head, parts) => {
                    let other = companion.map(|companion| self.decomposed(&companion));
                    let head = match (head, other.as_ref().map(|(head, _)| *head)) {
                        (Head::Bundle(is_tagged), Some(Head::Bundle(other))) => Head::Bundle(is_tagged || other),
                        _ => head,
                    };
                    // There is no bundle in a union.
                    let others = if head == Head::Union { None } else { other };
                    let others = others.map_or(Vec::new(), |(_, parts)| parts);
                    let mut rebuilt = Vec::with_capacity(parts.len());
                    for (place, part) in parts.iter().enumerate() {
                        rebuilt.push(self.rebuilt_part(part, others.get(place), reals, leaves)?);
                    }
                    self.domain.compose(head, &rebuilt)?
                }
            },
        };
        for first in firsts.into_iter().rev() {
            of = self.domain.pair(first, of)?;
        }
        Ok(of)
    }
}
