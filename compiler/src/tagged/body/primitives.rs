//! Primitives: inline code for common operands, and calls of the runtime for all others.
//!
//! The fast path of a primitive implements the table's form on plain reals, or on pairs. For other operands, like a
//! real of a level or a value of the wrong type, the slow path calls the runtime. It handles all cases and faults. In a
//! program with traps, operations on reals have no fast path, since the runtime tests their results.

use super::Body;
use super::atoms::number_of;
use crate::c::{Expression as C, Infix, Statement};
use crate::rules::comparison_operator;
use crate::rules::names::program_function;
use crate::tagged::context::Style;
use vlad_ad::traps::Traps;
use vlad_core::ExpressionId;
use vlad_cps::{Atom, Variable};
use vlad_table::{
    Comparison, Form, OnVector, Operation, Predicate, Primitive, ResultKind, Single, Tag, ValueTag, internal_bug,
};

/// An application of a primitive.
#[derive(Clone, Copy)]
struct Application<'a> {
    variable: Variable,
    primitive: Primitive,
    operands: &'a [Atom],
    node: ExpressionId,
}

impl Body<'_, '_> {
    /// Binds a variable to the result of a primitive.
    pub fn apply(&mut self, variable: Variable, primitive: Primitive, operands: &[Atom], node: ExpressionId) {
        let this = Application { variable, primitive, operands, node };
        let is_tested = self.context.unit.traps != Traps::Off;
        match (primitive.row().form, operands) {
            (Form::Fold { .. } | Form::Binary(_) | Form::Unary(_) | Form::UnaryOrBinary(..), _) if is_tested => {
                self.slowly(this);
            }
            (Form::Fold { operation, .. }, [_, _, ..])
            | (Form::Binary(operation) | Form::UnaryOrBinary(_, operation), [_, _]) => self.fold(this, operation),
            (Form::Fold { operation, single, .. }, [operand]) => self.single(this, operation, single, *operand),
            (Form::Unary(operation) | Form::UnaryOrBinary(operation, _), [operand]) => {
                let (operand, test) = self.real_operand(*operand);
                self.with_fast_path(this, test, real(operation, [operand]));
            }
            (Form::Chain(comparison), operands) => self.chain(this, comparison, operands),
            (Form::AgainstZero(comparison), [operand]) => {
                let (operand, test) = self.real_operand(*operand);
                let holds = operand.infix(comparison_operator(comparison), C::Real(0.0));
                self.with_fast_path(this, test, C::call("vlad_boolean", [holds]));
            }
            (Form::Ask(predicate), [operand]) => self.ask(this, predicate, *operand),
            (Form::First, [operand]) => self.half(this, *operand, "vlad_first", "vlad_take_first"),
            (Form::Second, [operand]) => self.half(this, *operand, "vlad_second", "vlad_take_second"),
            (Form::Real, [operand]) => {
                let (value, test) = self.real_operand(*operand);
                self.with_fast_path(this, test, C::call("vlad_real", [value]));
            }
            (Form::OnVector(OnVector::Length), [vector]) => self.length(this, *vector),
            (Form::OnVector(OnVector::Element), [vector, index]) => self.element(this, *vector, *index),
            (Form::OnVector(OnVector::Replace), [vector, index, value]) => {
                self.replace(this, *vector, *index, *value);
            }
            (Form::OnVector(OnVector::Append), [vector, value]) => self.append(this, *vector, *value),
            (Form::Mark(mark), [operand]) => self.tag(this, kind_of(mark), *operand),
            (Form::TransformForward, [operand]) => self.tag(this, "VLAD_CONSTANT", *operand),
            (Form::Unmark(mark), [operand]) => self.untag(this, kind_of(mark), *operand),
            (Form::Invert(mark), [operand]) => self.slot(this, Some(kind_of(mark)), 0, *operand),
            (Form::PrimalOf, [operand]) => self.slot(this, None, 0, *operand),
            (Form::TangentOf, [operand]) => self.slot(this, Some("VLAD_BUNDLE"), 1, *operand),
            (Form::Bundle, [primal, tangent]) => self.bundle(this, *primal, *tangent),
            // Every other form, and any other number of operands: the general path handles all forms.
            _ => self.slowly(this),
        }
        if primitive.row().form.signature().result == ResultKind::Boolean {
            self.booleans.insert(variable);
        }
    }

    /// Assigns the value if the tests hold; otherwise takes the slow path.
    fn with_fast_path(&mut self, this: Application<'_>, tests: impl IntoIterator<Item = C>, value: C) {
        let Some(test) = tests.into_iter().reduce(|all, test| all.infix(Infix::BitAnd, test)) else {
            return self.assign(this.variable, value);
        };
        if self.style() == Style::Short {
            return self.slowly(this);
        }
        let then = self.nested(|body| body.assign(this.variable, value));
        let otherwise = self.nested(|body| body.slowly(this));
        self.put(Statement::If { test: test.likely(), then, otherwise });
    }

    fn fold(&mut self, this: Application<'_>, operation: Operation) {
        let (values, tests): (Vec<C>, Vec<Option<C>>) =
            this.operands.iter().map(|operand| self.real_operand(*operand)).unzip();
        let folded = values
            .into_iter()
            .reduce(|folded, value| C::call(program_function(operation), [C::name("m"), folded, value]));
        if let Some(folded) = folded {
            self.with_fast_path(this, tests.into_iter().flatten(), C::call("vlad_real", [folded]));
        }
    }

    /// A fold of one operand.
    fn single(&mut self, this: Application<'_>, folded: Operation, single: Single, operand: Atom) {
        let (operand, test) = self.real_operand(operand);
        let value = match single {
            Single::Itself => C::call("vlad_real", [operand]),
            Single::Unary(operation) => real(operation, [operand]),
            Single::From(constant) => match C::finite(constant) {
                Some(constant) => real(folded, [constant, operand]),
                None => return self.slowly(this),
            },
        };
        self.with_fast_path(this, test, value);
    }

    fn chain(&mut self, this: Application<'_>, comparison: Comparison, operands: &[Atom]) {
        let (values, tests): (Vec<C>, Vec<Option<C>>) =
            operands.iter().map(|operand| self.real_operand(*operand)).unzip();
        let neighbours = values.iter().zip(values.iter().skip(1));
        let each = neighbours.map(|(a, b)| a.clone().infix(comparison_operator(comparison), b.clone()));
        let all = each.reduce(|all, holds| all.infix(Infix::BitAnd, holds)).unwrap_or(C::Number(1));
        self.with_fast_path(this, tests.into_iter().flatten(), C::call("vlad_boolean", [all]));
    }

    /// Generates a predicate, which accepts any value.
    fn ask(&mut self, this: Application<'_>, predicate: Predicate, operand: Atom) {
        let question = match predicate {
            Predicate::Null => "vlad_is_nil",
            Predicate::Boolean => "vlad_is_boolean",
            Predicate::Real => "vlad_is_number",
            Predicate::Pair => "vlad_is_pair",
            Predicate::Procedure => "vlad_is_procedure",
            Predicate::Capsule => "vlad_is_capsule",
            Predicate::False => "vlad_is_false",
            Predicate::Vector => "vlad_is_vector",
            Predicate::Tagged(Tag::Perturbation) => "vlad_is_perturbation",
            Predicate::Tagged(Tag::Sensitivity) => "vlad_is_sensitivity",
            Predicate::Tagged(Tag::Reverse) => "vlad_is_reversed",
            Predicate::Tagged(Tag::Bundle) => "vlad_is_bundle",
            Predicate::Tagged(Tag::Backpropagator) => internal_bug!("nobody asks for backpropagators"),
        };
        let value = self.borrowed(operand);
        self.assign(this.variable, C::call("vlad_boolean", [C::call(question, [value])]));
        if let Some(moved) = self.moved(operand) {
            self.drop(moved);
        }
    }

    fn half(&mut self, this: Application<'_>, operand: Atom, look: &str, take: &str) {
        let value = self.borrowed(operand);
        let half = match self.moved(operand) {
            Some(pair) => C::call(take, [C::name("m"), pair]),
            None => C::call("vlad_share", [C::call(look, [value.clone()])]),
        };
        self.with_fast_path(this, [C::call("vlad_is_pair", [value])], half);
    }

    fn length(&mut self, this: Application<'_>, vector: Atom) {
        let value = self.borrowed(vector);
        let test = C::call("vlad_is_vector", [value.clone()]);
        self.looked_up(this, test, C::call("vlad_length", [value]), vector);
    }

    fn element(&mut self, this: Application<'_>, vector: Atom, index: Atom) {
        let (value, place) = (self.borrowed(vector), self.borrowed(index));
        let test = C::call("vlad_has_plain", [value.clone(), place.clone()]);
        self.looked_up(this, test, C::call("vlad_plain_at", [value, place]), vector);
    }

    /// Assigns the plain real that is read from a vector if a test holds; otherwise takes the slow path.
    fn looked_up(&mut self, this: Application<'_>, test: C, result: C, vector: Atom) {
        if self.style() == Style::Short {
            return self.slowly(this);
        }
        let then = self.nested(|body| match body.moved(vector) {
            Some(vector) => {
                let name = body.fresh("found");
                body.put(Statement::Define { ctype: "vlad_value".into(), name: name.clone(), value: result });
                body.drop(vector);
                body.assign(this.variable, C::Name(name));
            }
            None => body.assign(this.variable, result),
        });
        let otherwise = self.nested(|body| body.slowly(this));
        self.put(Statement::If { test: test.likely(), then, otherwise });
    }

    /// Generates `vector-set`. The services take the vector and the value, so that a vector with a single reference is
    /// changed in place.
    fn replace(&mut self, this: Application<'_>, vector: Atom, index: Atom, value: Atom) {
        let quick = [self.borrowed(vector), self.borrowed(index), self.borrowed(value)];
        let operands = [self.owned(vector), self.borrowed(index), self.owned(value)];
        let slow = |body: &mut Self| {
            body.assign(this.variable, C::service("vector_set", operands));
            body.check_fault(this.node);
            if let Some(index) = body.moved(index) {
                body.drop(index);
            }
        };
        self.changed(this, vector, ["vlad_can_set", "vlad_set"], quick.to_vec(), slow);
    }

    fn append(&mut self, this: Application<'_>, vector: Atom, value: Atom) {
        let quick = [self.borrowed(vector), self.borrowed(value)];
        let operands = [self.owned(vector), self.owned(value)];
        let slow = |body: &mut Self| {
            body.assign(this.variable, C::service("vector_push", operands));
            body.check_fault(this.node);
        };
        self.changed(this, vector, ["vlad_can_push", "vlad_push"], quick.to_vec(), slow);
    }

    /// Generates an update of a vector. At the vector's last use a fast path may change it in place.
    fn changed(
        &mut self,
        this: Application<'_>,
        vector: Atom,
        [test, change]: [&'static str; 2],
        operands: Vec<C>,
        slow: impl FnOnce(&mut Self),
    ) {
        if self.style() == Style::Short || self.moved(vector).is_none() {
            return slow(self);
        }
        let test = C::call(test, operands.clone());
        let then = self.nested(|body| body.assign(this.variable, C::call(change, operands)));
        let otherwise = self.nested(slow);
        self.put(Statement::If { test: test.likely(), then, otherwise });
    }

    fn tag(&mut self, this: Application<'_>, kind: &str, operand: Atom) {
        let content = self.owned(operand);
        self.assign(this.variable, C::call("vlad_tag", [C::name("m"), C::name(kind), content]));
    }

    fn untag(&mut self, this: Application<'_>, kind: &str, operand: Atom) {
        let value = self.borrowed(operand);
        let untagged = match self.moved(operand) {
            Some(moved) => C::call("vlad_take_untagged", [C::name("m"), moved, C::name(kind)]),
            None => C::call("vlad_untag", [value, C::name(kind)]),
        };
        self.assign(this.variable, untagged);
    }

    /// Reads a slot of a tagged value of a kind, or of any bundle.
    fn slot(&mut self, this: Application<'_>, kind: Option<&str>, slot: u64, operand: Atom) {
        let value = self.borrowed(operand);
        let test = match kind {
            Some(kind) => C::call("vlad_kind", [value.clone()]).infix(Infix::Equal, C::name(kind)),
            None => C::call("vlad_is_bundle", [value.clone()]),
        };
        let taken = match self.moved(operand) {
            Some(moved) => C::call("vlad_take_slot", [C::name("m"), moved, C::Number(slot)]),
            None => C::call("vlad_share", [C::call("vlad_slot", [value, C::Number(slot)])]),
        };
        self.with_fast_path(this, [test], taken);
    }

    fn bundle(&mut self, this: Application<'_>, primal: Atom, tangent: Atom) {
        let tests = [primal, tangent].map(|part| C::call("vlad_is_number", [self.borrowed(part)]));
        let parts = [C::name("m"), self.owned(primal), self.owned(tangent)];
        self.with_fast_path(this, tests, C::call("vlad_bundle_of_numbers", parts));
    }

    /// The slow path: a call of the runtime. Moved operands are dropped after it, unless it reported a fault.
    fn slowly(&mut self, this: Application<'_>) {
        let values: Vec<C> = this.operands.iter().map(|operand| self.borrowed(*operand)).collect();
        let moved: Vec<Option<C>> = this.operands.iter().map(|operand| self.moved(*operand)).collect();
        let primitive = number_of(this.primitive);
        let few = |function: &str| {
            C::call(function, [C::name("m"), primitive.clone()].into_iter().chain(values.clone()).collect::<Vec<_>>())
        };
        let result = match moved.as_slice() {
            [None] => few("vlad_slow_one"),
            [Some(_)] => few("vlad_slow_one_take"),
            [None, None] => few("vlad_slow_two"),
            [Some(_), None] => few("vlad_slow_two_take_first"),
            [None, Some(_)] => few("vlad_slow_two_take_second"),
            [Some(_), Some(_)] => few("vlad_slow_two_take_both"),
            _ => {
                let count = C::Number(values.len() as u64);
                C::call("vlad_slow_many", [C::name("m"), primitive, count, C::Literal("const vlad_value", values)])
            }
        };
        self.assign(this.variable, result);
        self.check_fault(this.node);
        if moved.len() > 2 {
            moved.into_iter().flatten().for_each(|value| self.drop(value));
        }
    }
}

/// An operation on doubles as a value.
fn real<const OPERANDS: usize>(operation: Operation, operands: [C; OPERANDS]) -> C {
    let all: Vec<C> = [C::name("m")].into_iter().chain(operands).collect();
    C::call("vlad_real", [C::call(program_function(operation), all)])
}

/// The kind of values with a tag.
fn kind_of(mark: ValueTag) -> &'static str {
    match mark {
        ValueTag::Perturbation => "VLAD_PERTURBATION",
        ValueTag::Sensitivity => "VLAD_SENSITIVITY",
        ValueTag::Reverse => "VLAD_REVERSED",
    }
}
