//! Expressions that make procedures: lambdas, names of the language, results of other procedures.

use super::generate::Generator;
use crate::random::trees::tree::{Form, Node};
use crate::random::trees::types::{ReflectiveTag, Type};
use vlad_shared::table::Form as PrimitiveForm;
use vlad_shared::table::primitives::PRIMITIVES;

/// Procedures of one real. Those of the table that are not here come behind them, so that seeds keep their programs.
const OF_ONE: [&str; 36] = [
    "sin", "cos", "tan", "exp", "log", "sqrt", "atan", "asin", "acos", "sinh", "cosh", "tanh", "abs", "floor",
    "ceiling", "round", "truncate", "-", "/", "sqr", "cube", "+", "real", "erf", "erfc", "lgamma", "log1p", "expm1",
    "asinh", "acosh", "atanh", "cbrt", "exp2", "log2", "log10", "gamma",
];

/// Procedures of two reals.
const OF_TWO: [&str; 10] = ["+", "*", "-", "/", "max", "min", "atan", "expt", "modulo", "hypot"];

fn of_one() -> Vec<&'static str> {
    let unary = PRIMITIVES.iter().filter(|row| matches!(row.form, PrimitiveForm::Unary(_))).map(|row| row.name);
    OF_ONE.into_iter().chain(unary.filter(|name| !OF_ONE.contains(name))).collect()
}

impl Generator {
    /// The name of a primitive or of a procedure of the prelude that has a type.
    pub fn known_procedure(&mut self, operands: &[Type], result: &Type) -> Option<&'static str> {
        let names: &[&str] = match (operands, result) {
            ([Type::Real | Type::Count], Type::Real) => return Some(self.word(&of_one())),
            ([Type::Real | Type::Count, Type::Real | Type::Count], Type::Real) => &OF_TWO,
            ([Type::Real | Type::Count], Type::Boolean) => &["zero?", "positive?", "negative?", "even?", "real?"],
            ([Type::Real, Type::Real], Type::Boolean) => &["=", "<", ">", "<=", ">="],
            ([Type::List(element)], Type::Real) if **element == Type::Real => {
                &["sum", "product", "length", "magnitude"]
            }
            ([Type::Vector(_)], Type::Real) => &["length", "vector-length"],
            ([Type::Pair(first, _)], result) if **first == *result => &["car"],
            ([Type::Pair(_, second)], result) if **second == *result => &["cdr"],
            ([first, second], Type::Pair(one, other)) if first == &**one && second == &**other => &["cons"],
            ([own], result) if own == result => &["identity", "write", "zero"],
            ([_], Type::Boolean) => {
                &["null?", "boolean?", "pair?", "procedure?", "capsule?", "vector?", "not", "forward?"]
            }
            ([Type::Capsule(rest)], result) if **rest == *result => &["resume"],
            ([own], Type::Marked(ReflectiveTag::Bundle, inside)) if own == &**inside => &["j*-transform"],
            ([own], Type::Marked(ReflectiveTag::Reversed, inside)) if own == &**inside => &["*j-transform"],
            ([own], Type::Marked(ReflectiveTag::Perturbation, inside)) if own == &**inside => &["perturb"],
            ([own], Type::Marked(ReflectiveTag::Sensitivity, inside)) if own == &**inside => &["sensitize"],
            ([Type::Marked(ReflectiveTag::Bundle, inside)], result) if **inside == *result => &["primal", "tangent"],
            ([Type::Marked(ReflectiveTag::Reversed, inside)], result) if **inside == *result => &["*j-inverse"],
            ([], Type::Real) => &["+", "*"],
            _ => return None,
        };
        Some(self.word(names))
    }

    /// A procedure.
    pub fn procedure_expression(&mut self, operands: &[Type], result: &Type, size: usize) -> Node {
        let gives = Type::procedure(operands, result.clone());
        match (self.numbers.below(20), operands) {
            (0..3, _) => match self.known_procedure(operands, result) {
                Some(name) => Node::name(name, gives),
                None => self.lambda(operands, result, size),
            },
            (3, [operand]) => {
                let between = if self.chance(70) { Type::Real } else { self.some_type() };
                let outer = self.expression(&Type::procedure([between.clone()], result.clone()), size / 2);
                let inner = self.expression(&Type::procedure([operand.clone()], between), size / 2);
                Node::call("compose", gives, [outer, inner])
            }
            (4, _) => {
                // The result of a procedure: the inner procedure captures an operand of the outer one.
                let captured = self.some_type();
                let maker = Type::procedure([captured.clone()], gives.clone());
                let (maker, value) = (self.expression(&maker, size / 2), self.expression(&captured, size / 2));
                Node::new(Form::Call, gives, [maker, value])
            }
            (5, _) => {
                let name = self.word(&["zero", "plus", "identity"]);
                let procedure = self.expression(&gives, size / 2);
                let operands = if name == "plus" { vec![procedure.clone(), procedure] } else { vec![procedure] };
                Node::call(name, gives, operands)
            }
            _ => self.lambda(operands, result, size),
        }
    }
}
