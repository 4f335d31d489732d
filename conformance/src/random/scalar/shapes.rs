//! Values of several shapes: which one it is, data decide.

use super::Scalar;
use crate::random::expressions::generate::Binding;
use crate::random::trees::tree::{Form, Node, Order, Pattern};
use crate::random::trees::types::Type;

impl Scalar {
    /// An expression that binds a value of one shape or another one, and mostly tests which it is. Without a test it may
    /// fail.
    pub fn of_several_shapes(&mut self, wanted: &Type, size: usize) -> Node {
        let shape = match self.base.numbers.below(4) {
            0 => Type::Real,
            1 => Type::pair(Type::Real, Type::Real),
            2 => Type::pair(Type::reals(), Type::Real),
            _ => Type::reals(),
        };
        let value = self.one_shape_or_another(&shape, size / 3);
        let name = self.base.fresh(&shape);
        let variable = Node::name(&name, shape.clone());
        let inside = self.base.fresh(&shape);
        let bound = vec![Binding { name: inside.clone(), gives: shape.clone() }];
        let body = self.body(bound, |this| this.expression(wanted, size / 3));
        let body = Node::new(
            Form::Let(Order::Together, vec![Pattern::Name(inside)]),
            wanted.clone(),
            [variable.clone(), body],
        );
        let body = if self.base.chance(self.dials.errors) {
            body
        } else {
            let question = if shape == Type::Real { "real?" } else { "pair?" };
            let test = Node::call(question, Type::Boolean, [variable]);
            let other = self.expression(wanted, size / 3);
            if self.base.chance(70) {
                Node::new(Form::If, wanted.clone(), [test, body, other])
            } else {
                let negated = Node::call("not", Type::Boolean, [test]);
                Node::new(Form::If, wanted.clone(), [negated, other, body])
            }
        };
        Node::new(Form::Let(Order::Together, vec![Pattern::Name(name)]), wanted.clone(), [value, body])
    }

    /// An expression that reduces a list whose length data decide. Long ones are longer than any that is known.
    pub fn of_any_length(&mut self, wanted: &Type, size: usize) -> Node {
        let mut list = self.filtered(size / 4);
        if self.base.chance(60) {
            let others = self.filtered(size / 4);
            list = Node::call("append", Type::reals(), [list, others]);
        }
        if self.base.chance(50) {
            let each = self.lambda(&[Type::Real], &Type::Real, size / 4);
            list = Node::call("map", Type::reals(), [each, list]);
        }
        let step = self.lambda(&[wanted.clone(), Type::Real], wanted, size / 3);
        let start = self.leaf(wanted);
        Node::call("reduce", wanted.clone(), [step, start, list])
    }

    pub fn filtered(&mut self, size: usize) -> Node {
        let test = self.lambda(&[Type::Real], &Type::Boolean, size / 2);
        let list = self.expression(&Type::reals(), size / 2);
        Node::call("filter", Type::reals(), [test, list])
    }

    /// A value of a shape, or one of another shape; or one of three in a vector, at an index that data decide.
    fn one_shape_or_another(&mut self, shape: &Type, size: usize) -> Node {
        let value = self.expression(shape, size);
        let other = self.other_shape(shape, size / 2);
        if self.base.chance(25) {
            let third = self.other_shape(shape, size / 2);
            let vector = Node::call("vector", Type::reals(), [value, other, third]);
            let limit = Node::real(2.0);
            let number = self.leaf(&Type::Real);
            let number = Node::call("abs", Type::Real, [number]);
            let number = Node::call("min", Type::Real, [limit, number]);
            let index = Node::call("floor", Type::Real, [number]);
            return Node::call("get", shape.clone(), [vector, index]);
        }
        let test = self.boolean(size / 3);
        let branches = if self.base.chance(50) { [test, value, other] } else { [test, other, value] };
        Node::new(Form::If, shape.clone(), branches)
    }

    fn other_shape(&mut self, shape: &Type, size: usize) -> Node {
        match self.base.numbers.below(5) {
            0 | 1 => Node::new(Form::Nil, Type::reals(), []),
            2 => Node::new(Form::Boolean(false), Type::Boolean, []),
            3 if *shape != Type::Real => self.expression(&Type::Real, size),
            _ => self.lambda(&[Type::Real], &Type::Real, size),
        }
    }
}
