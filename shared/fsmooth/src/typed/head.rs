//! Expressions as heads with parts: the form of passes that treat most constructs alike.

use super::{Expression, ExpressionId, GlobalId, LocalId, Program, Variable};
use crate::builtins::Builtin;
use smallvec::{SmallVec, smallvec};
use vlad_table::internal_bug;

/// The parts of an expression, in the order in which they are evaluated or stand.
pub type Parts = SmallVec<[ExpressionId; 3]>;

/// An expression without its parts and its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Head {
    /// A number, by its bits.
    Number(u64),
    /// A boolean.
    Boolean(bool),
    /// A local.
    Local(LocalId),
    /// A global.
    Global(GlobalId),
    /// A function of a parameter.
    Lambda(LocalId),
    /// An application.
    Application,
    /// A `let` of a variable.
    Let(LocalId),
    /// A choice.
    If,
    /// An array of the parts.
    Array,
    /// A value that is widened.
    Widen,
    /// A `deriv` by a variable.
    Deriv(Variable),
    /// A function of the language with all its operands.
    Call(Builtin),
}

impl Head {
    /// Returns the local that an expression uses or binds.
    pub fn local(self) -> Option<LocalId> {
        if let Head::Local(local) | Head::Lambda(local) | Head::Let(local) | Head::Deriv(Variable::Local(local)) = self
        {
            return Some(local);
        }
        None
    }

    /// Returns the local that an expression binds.
    pub fn bound(self) -> Option<LocalId> {
        if let Head::Lambda(local) | Head::Let(local) = self { Some(local) } else { None }
    }

    /// Returns the local that an expression uses.
    pub fn used(self) -> Option<LocalId> {
        self.local().filter(|_| self.bound().is_none())
    }

    /// Returns the place of the function among the parts of a loop, which is evaluated for each turn.
    pub fn repeated(self) -> Option<usize> {
        match self {
            Head::Call(Builtin::Build) => Some(1),
            Head::Call(Builtin::Ifold) => Some(0),
            _ => None,
        }
    }

    /// The same head with another local in the place of its own.
    #[must_use]
    pub fn with_local(self, of: impl FnOnce(LocalId) -> LocalId) -> Head {
        match self {
            Head::Local(local) => Head::Local(of(local)),
            Head::Lambda(parameter) => Head::Lambda(of(parameter)),
            Head::Let(local) => Head::Let(of(local)),
            Head::Deriv(Variable::Local(local)) => Head::Deriv(Variable::Local(of(local))),
            other => other,
        }
    }
}

impl Program {
    /// Returns the parts of an expression.
    pub fn parts(&self, id: ExpressionId) -> Parts {
        self.apart(id).1
    }

    /// Visits the expressions of a tree, parents first; the visitor tells if the parts of one are visited.
    pub fn walk(&self, root: ExpressionId, mut visit: impl FnMut(ExpressionId, Head) -> bool) {
        let mut pending = vec![root];
        while let Some(id) = pending.pop() {
            let (head, parts) = self.apart(id);
            if visit(id, head) {
                pending.extend(parts.into_iter().rev());
            }
        }
    }

    /// Returns true if the head of an expression of a tree fulfils a condition.
    pub fn any(&self, root: ExpressionId, mut condition: impl FnMut(Head) -> bool) -> bool {
        let mut is_any = false;
        self.walk(root, |_, head| {
            is_any |= condition(head);
            !is_any
        });
        is_any
    }

    /// Returns the head and the parts of an expression.
    pub fn apart(&self, id: ExpressionId) -> (Head, Parts) {
        let call = |builtin, parts: &[ExpressionId]| (Head::Call(builtin), Parts::from_slice(parts));
        match self.expression(id) {
            Expression::Number(value) => (Head::Number(value.to_bits()), smallvec![]),
            Expression::Boolean(value) => (Head::Boolean(value), smallvec![]),
            Expression::Local(local) => (Head::Local(local), smallvec![]),
            Expression::Global(global) => (Head::Global(global), smallvec![]),
            Expression::Lambda { parameter, body } => (Head::Lambda(parameter), smallvec![body]),
            Expression::Application { function, argument } => (Head::Application, smallvec![function, argument]),
            Expression::Let { local, value, body } => (Head::Let(local), smallvec![value, body]),
            Expression::If { condition, consequent, alternative } => {
                (Head::If, smallvec![condition, consequent, alternative])
            }
            Expression::Array(elements) => (Head::Array, Parts::from_slice(self.elements(elements))),
            Expression::Widen(operand) => (Head::Widen, smallvec![operand]),
            Expression::Deriv { body, variable } => (Head::Deriv(variable), smallvec![body]),
            Expression::Build { size, function } => call(Builtin::Build, &[size, function]),
            Expression::Ifold { function, start, count } => call(Builtin::Ifold, &[function, start, count]),
            Expression::Get { array, index } => call(Builtin::Get, &[array, index]),
            Expression::Length(array) => call(Builtin::Length, &[array]),
            Expression::OfLength { array, length } => call(Builtin::OfLength, &[array, length]),
            Expression::Pair(first, second) => call(Builtin::Pair, &[first, second]),
            Expression::First(pair) => call(Builtin::First, &[pair]),
            Expression::Second(pair) => call(Builtin::Second, &[pair]),
            Expression::Unary(operation, operand) => call(Builtin::Operation(operation), &[operand]),
            Expression::Binary(operation, first, second) => call(Builtin::Operation(operation), &[first, second]),
            Expression::Compare(comparison, first, second) => call(Builtin::Compare(comparison), &[first, second]),
            Expression::Not(operand) => call(Builtin::Not, &[operand]),
            Expression::Write(operand) => call(Builtin::Write, &[operand]),
            Expression::Derivative { operator, function, point } => {
                call(Builtin::Derivative(operator), &[function, point])
            }
            Expression::Forward { function, point, tangent } => call(Builtin::Forward, &[function, point, tangent]),
            Expression::Reverse { operator, function, point, cotangent } => {
                call(Builtin::Reverse(operator), &[function, point, cotangent])
            }
        }
    }

    /// Returns the expression of a head and parts. The functions `&&`, `||`, `<>` and `quotient` are made of other heads.
    pub fn together(&mut self, head: Head, parts: &[ExpressionId]) -> Expression {
        match (head, parts) {
            (Head::Number(bits), []) => Expression::Number(f64::from_bits(bits)),
            (Head::Boolean(value), []) => Expression::Boolean(value),
            (Head::Local(local), []) => Expression::Local(local),
            (Head::Global(global), []) => Expression::Global(global),
            (Head::Lambda(parameter), &[body]) => Expression::Lambda { parameter, body },
            (Head::Application, &[function, argument]) => Expression::Application { function, argument },
            (Head::Let(local), &[value, body]) => Expression::Let { local, value, body },
            (Head::If, &[condition, consequent, alternative]) => Expression::If { condition, consequent, alternative },
            (Head::Array, elements) => Expression::Array(self.add_elements(elements.iter().copied())),
            (Head::Widen, &[operand]) => Expression::Widen(operand),
            (Head::Deriv(variable), &[body]) => Expression::Deriv { body, variable },
            (Head::Call(builtin), parts) => call(builtin, parts),
            (head, _) => internal_bug!("{head:?} has other parts"),
        }
    }
}

/// The call of a function of the language.
fn call(builtin: Builtin, operands: &[ExpressionId]) -> Expression {
    match (builtin, operands) {
        (Builtin::Build, &[size, function]) => Expression::Build { size, function },
        (Builtin::Ifold, &[function, start, count]) => Expression::Ifold { function, start, count },
        (Builtin::Get, &[array, index]) => Expression::Get { array, index },
        (Builtin::Length, &[array]) => Expression::Length(array),
        (Builtin::OfLength, &[array, length]) => Expression::OfLength { array, length },
        (Builtin::Pair, &[first, second]) => Expression::Pair(first, second),
        (Builtin::First, &[pair]) => Expression::First(pair),
        (Builtin::Second, &[pair]) => Expression::Second(pair),
        (Builtin::Operation(operation), &[operand]) => Expression::Unary(operation, operand),
        (Builtin::Operation(operation), &[first, second]) => Expression::Binary(operation, first, second),
        (Builtin::Compare(comparison), &[first, second]) => Expression::Compare(comparison, first, second),
        (Builtin::Not, &[operand]) => Expression::Not(operand),
        (Builtin::Write, &[operand]) => Expression::Write(operand),
        (Builtin::Derivative(operator), &[function, point]) => Expression::Derivative { operator, function, point },
        (Builtin::Forward, &[function, point, tangent]) => Expression::Forward { function, point, tangent },
        (Builtin::Reverse(operator), &[function, point, cotangent]) => {
            Expression::Reverse { operator, function, point, cotangent }
        }
        (builtin, _) => internal_bug!("`{}` is no expression of so many operands", builtin.name()),
    }
}
