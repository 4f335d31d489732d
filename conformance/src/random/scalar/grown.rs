//! Structures whose size data decide, at borders: lists and trees as points, tangents, values and cotangents of derivatives,
//! as definitions, as operands of `equal?` and `write`, and as results.
//!
//! Lists that are made in this way are in scope apart from all other variables: these have [`super::LIST`] elements.

use super::Scalar;
use crate::random::expressions::generate::Binding;
use crate::random::trees::tree::{Form, Node, Order, Parameters, Pattern};
use crate::random::trees::types::Type;

/// The structure that is made and gone through.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Structure {
    List,
    Tree,
}

impl Scalar {
    /// An expression that makes structures of any size, and differentiates or compares them.
    pub fn grown(&mut self, wanted: &Type, size: usize) -> Node {
        let number = if self.base.may_differentiate() && self.base.chance(85) {
            self.grown_real(size / 2)
        } else {
            self.compared(size / 2)
        };
        if *wanted == Type::Real { number } else { self.binding(number, |this| this.expression(wanted, size / 3)) }
    }

    /// An expression whose value is a structure of any size, or has one.
    pub fn grown_value(&mut self, size: usize) -> Node {
        match self.base.numbers.below(4) {
            0 => self.list(size),
            1 => {
                let list = self.list(size);
                let name = if self.base.chance(50) { "write" } else { "write-row" };
                Node::call(name, Type::reals(), [list])
            }
            _ if self.base.may_differentiate() => {
                let structure = self.structure();
                self.derivative_at(structure, size, |_, both| both)
            }
            _ => self.tree(size),
        }
    }

    fn structure(&mut self) -> Structure {
        if self.base.chance(25) { Structure::Tree } else { Structure::List }
    }

    fn grown_real(&mut self, size: usize) -> Node {
        if self.base.chance(40) {
            return self.derivative_of_list(size);
        }
        let structure = self.structure();
        self.derivative_at(structure, size, |this, both| this.reduced_part(structure, both, size / 4))
    }

    /// A derivative at a structure, or at a pair of a number and one, and what is made of its value, which is bound.
    fn derivative_at(&mut self, structure: Structure, size: usize, make: impl FnOnce(&mut Self, Node) -> Node) -> Node {
        let point = match structure {
            Structure::List => self.list(size / 4),
            Structure::Tree => self.tree(size / 4),
        };
        self.let_grown(point, |this, point| {
            let (is_reverse, has_number) = (this.base.chance(60), this.base.chance(25));
            let inside = this.base.fresh(&Type::reals());
            let variable = Node::name(&inside, Type::reals());
            this.base.operators += 1;
            let (pattern, body) = if has_number {
                let number = Binding { name: this.base.fresh(&Type::Real), gives: Type::Real };
                let pattern =
                    Pattern::Pair(Box::new(Pattern::Name(number.name.clone())), Box::new(Pattern::Name(inside)));
                (pattern, this.body(vec![number], |this| this.body_at(structure, variable, size / 2)))
            } else {
                (Pattern::Name(inside), this.body_at(structure, variable, size / 2))
            };
            this.base.operators -= 1;
            let procedure = Node::new(
                Form::Lambda(Parameters::Each(vec![pattern])),
                Type::procedure([Type::reals()], Type::Real),
                [body],
            );
            let with_number = |this: &mut Self, list: Node| {
                if has_number { Node::cons(this.leaf(&Type::Real), list) } else { list }
            };
            let whole = with_number(this, point.clone());
            let both = if is_reverse {
                let cotangent = if this.base.chance(60) { Node::real(1.0) } else { this.expression(&Type::Real, 4) };
                Node::call("*j", Type::reals(), [procedure, whole, cotangent])
            } else {
                let tangent = this.conforming(structure, point, size / 6);
                let tangent = with_number(this, tangent);
                Node::call("j*", Type::reals(), [procedure, whole, tangent])
            };
            let derivative = match (is_reverse, has_number) {
                (true, false) => Node::call("cdr", Type::reals(), [both]),
                (true, true) => Node::call("cddr", Type::reals(), [both]),
                // A number: a list of it is what follows.
                (false, _) => Node::new(Form::List, Type::reals(), [Node::call("cdr", Type::Real, [both])]),
            };
            make(this, derivative)
        })
    }

    /// A number that is computed from a part of a derivative at a structure.
    fn reduced_part(&mut self, structure: Structure, derivative: Node, size: usize) -> Node {
        match structure {
            Structure::List => self.reduced(derivative, size),
            // Of a list of one number, and of trees, alike.
            Structure::Tree => self.walked(derivative, size),
        }
    }

    /// The value of what is differentiated at a structure.
    fn body_at(&mut self, structure: Structure, variable: Node, size: usize) -> Node {
        let reduced = match structure {
            Structure::List => {
                let list = if self.base.chance(40) { self.changed(variable.clone(), size / 3) } else { variable };
                self.reduced(list, size / 2)
            }
            Structure::Tree => self.walked(variable, size / 2),
        };
        if self.base.chance(40) {
            return reduced;
        }
        let name = self.base.word(&["*", "+", "-", "/"]);
        let other = self.expression(&Type::Real, size / 3);
        Node::call(name, Type::Real, [reduced, other])
    }

    /// A derivative whose value is a list of any size, and a number that is computed of it.
    fn derivative_of_list(&mut self, size: usize) -> Node {
        self.base.operators += 1;
        let x = Binding { name: self.base.fresh(&Type::Real), gives: Type::Real };
        let parameters = Parameters::Each(vec![Pattern::Name(x.name.clone())]);
        let body = self.body(vec![x], |this| this.list(size / 2));
        self.base.operators -= 1;
        let gives = Type::procedure([Type::Real], Type::reals());
        let procedure = Node::new(Form::Lambda(parameters), gives.clone(), [body]);
        let name = self.base.fresh(&gives);
        let f = Node::name(&name, gives);
        let point = self.leaf(&Type::Real);
        let inside = if self.base.chance(60) {
            let value = Node::new(Form::Call, Type::reals(), [f.clone(), point.clone()]);
            let cotangent = self.conforming(Structure::List, value, size / 6);
            let both = Node::call("*j", Type::reals(), [f, point, cotangent]);
            Node::call("cdr", Type::Real, [both])
        } else {
            let direction = self.leaf(&Type::Real);
            let both = Node::call("j*", Type::reals(), [f, point, direction]);
            let part = self.base.word(&["cdr", "cdr", "car"]);
            self.reduced(Node::call(part, Type::reals(), [both]), size / 4)
        };
        Node::new(Form::Let(Order::Together, vec![Pattern::Name(name)]), Type::Real, [procedure, inside])
    }

    /// A tangent or cotangent of a structure; now and then one that may not conform.
    fn conforming(&mut self, structure: Structure, like: Node, size: usize) -> Node {
        match structure {
            _ if self.base.chance(self.dials.errors) => self.list(size),
            _ if self.base.chance(25) => like,
            Structure::Tree => like,
            Structure::List => {
                let each = self.lambda(&[Type::Real], &Type::Real, size);
                Node::call("map", Type::reals(), [each, like])
            }
        }
    }

    /// Two structures that are compared.
    fn compared(&mut self, size: usize) -> Node {
        let first = self.list(size / 3);
        self.let_grown(first, |this, first| {
            let second = if this.base.chance(50) { this.changed(first.clone(), size / 4) } else { this.list(size / 3) };
            let test = Node::call("equal?", Type::Boolean, [first, second]);
            let (one, other) = (this.expression(&Type::Real, size / 4), this.leaf(&Type::Real));
            Node::new(Form::If, Type::Real, [test, one, other])
        })
    }

    /// A list whose length data decide.
    pub fn list(&mut self, size: usize) -> Node {
        if self.base.chance(50)
            && let Some(name) = self.grown.last().cloned()
        {
            let list = Node::name(&name, Type::reals());
            return if self.base.chance(60) { list } else { self.changed(list, size / 2) };
        }
        match self.base.numbers.below(6) {
            0 => self.filtered(size),
            1 if size > 6 => {
                let (first, second) = (self.list(size / 2), self.list(size / 2));
                Node::call("append", Type::reals(), [first, second])
            }
            2 if size > 6 => {
                let list = self.list(size / 2);
                self.changed(list, size / 2)
            }
            _ => self.counted(Structure::List, size),
        }
    }

    /// Another list, which depends on one.
    fn changed(&mut self, list: Node, size: usize) -> Node {
        match self.base.numbers.below(6) {
            0 => Node::call("reverse", Type::reals(), [list]),
            1 => {
                let first = self.expression(&Type::Real, size);
                Node::cons(first, list)
            }
            2 => Node::call("append", Type::reals(), [list.clone(), list]),
            _ => {
                let each = self.lambda(&[Type::Real], &Type::Real, size);
                Node::call("map", Type::reals(), [each, list])
            }
        }
    }

    fn tree(&mut self, size: usize) -> Node {
        self.counted(Structure::Tree, size)
    }

    /// `(let up ((n count)) (if (> n 0) (cons e (up (- n 1))) '()))`; of a tree two more are made.
    fn counted(&mut self, structure: Structure, size: usize) -> Node {
        let counter = Binding { name: self.base.fresh(&Type::Count), gives: Type::Count };
        let count = self.leaf(&Type::Count);
        let name = self.base.fresh(&Type::procedure([], Type::reals()));
        let again = |less: f64| {
            let left = Node::call("-", Type::Count, [variable(&counter), Node::real(less)]);
            Node::new(Form::Call, Type::reals(), [Node::name(&name, Type::procedure([], Type::reals())), left])
        };
        self.loops += 1;
        let element = self.within(vec![counter.clone()], |this| this.expression(&Type::Real, size / 2));
        self.loops -= 1;
        let rest = match structure {
            Structure::List => again(1.0),
            Structure::Tree => Node::cons(again(1.0), again(2.0)),
        };
        let positive = Node::call(">", Type::Boolean, [variable(&counter), Node::real(0.0)]);
        let end = Node::new(Form::Nil, Type::reals(), []);
        let body = Node::new(Form::If, Type::reals(), [positive, Node::cons(element, rest), end]);
        Node::new(Form::Loop(name, vec![Pattern::Name(counter.name)]), Type::reals(), [count, body])
    }

    /// A number that is computed of all elements of a list.
    fn reduced(&mut self, list: Node, size: usize) -> Node {
        match self.base.numbers.below(5) {
            0 => Node::call("sum", Type::Real, [list]),
            1 => {
                let step = self.lambda(&[Type::Real, Type::Real], &Type::Real, size);
                let start = self.leaf(&Type::Real);
                Node::call("fold-right", Type::Real, [step, start, list])
            }
            2 | 3 => {
                let step = self.lambda(&[Type::Real, Type::Real], &Type::Real, size);
                let start = self.leaf(&Type::Real);
                Node::call("reduce", Type::Real, [step, start, list])
            }
            _ => {
                let each = self.lambda(&[Type::Real], &Type::Real, size);
                Node::call("sum", Type::Real, [Node::call("map", Type::reals(), [each, list])])
            }
        }
    }

    /// `(let walk ((t tree)) (if (pair? t) (f (car t) (if (pair? (cdr t)) ...)) e))`.
    fn walked(&mut self, tree: Node, size: usize) -> Node {
        let inside = self.base.fresh(&Type::reals());
        let own = self.base.fresh(&Type::procedure([], Type::Real));
        let tree_inside = || Node::name(&inside, Type::reals());
        let again = |part: &str| {
            let part = Node::call(part, Type::reals(), [tree_inside()]);
            Node::new(Form::Call, Type::Real, [Node::name(&own, Type::procedure([], Type::Real)), part])
        };
        let element = Node::call("car", Type::Real, [tree_inside()]);
        let of_element = self.lambda(&[Type::Real], &Type::Real, size);
        let of_element = Node::new(Form::Call, Type::Real, [of_element, element]);
        let name = self.base.word(&["*", "+", "-"]);
        let branches = Node::call(name, Type::Real, [again("cadr"), again("cddr")]);
        let rest = Node::call("pair?", Type::Boolean, [Node::call("cdr", Type::reals(), [tree_inside()])]);
        let branches = Node::new(Form::If, Type::Real, [rest, branches, Node::real(0.0)]);
        let both = Node::call("+", Type::Real, [of_element, branches]);
        let test = Node::call("pair?", Type::Boolean, [tree_inside()]);
        let body = Node::new(Form::If, Type::Real, [test, both, Node::real(1.0)]);
        Node::new(Form::Loop(own, vec![Pattern::Name(inside)]), Type::Real, [tree, body])
    }

    /// Binds a structure to a name.
    fn let_grown(&mut self, value: Node, make: impl FnOnce(&mut Self, Node) -> Node) -> Node {
        let name = self.base.fresh(&Type::reals());
        let body = make(self, Node::name(&name, Type::reals()));
        Node::new(Form::Let(Order::Together, vec![Pattern::Name(name)]), body.gives.clone(), [value, body])
    }
}

fn variable(binding: &Binding) -> Node {
    Node::name(&binding.name, binding.gives.clone())
}
