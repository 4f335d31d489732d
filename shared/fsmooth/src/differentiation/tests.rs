//! Tests on trees made by hand: the text of what operators become, and the operations of the table.

use super::differentiate;
use crate::builder::Builder;
use crate::builtins::{DerivativeOperator, OPERATIONS};
use crate::typed::check::check;
use crate::typed::{
    Expression, ExpressionId, Global, GlobalId, Item, LocalId, Origin, Program, TypeId, Types, Variable, print,
};
use vlad_core::source::{FileId, Span};
use vlad_table::operations::{Arity, Operation};

const NOWHERE: Span = Span { file: FileId(0), start: 0, end: 0 };

/// A program in the making.
struct Maker {
    program: Program,
}

impl Maker {
    fn new() -> Maker {
        Maker { program: Program::new() }
    }

    fn terms(&mut self) -> Builder<'_> {
        self.program.at(NOWHERE)
    }

    fn define(&mut self, name: &str, value: ExpressionId) -> GlobalId {
        let type_id = self.program.type_of(value);
        let global = Global { name: name.into(), type_id, span: NOWHERE, value, origin: Origin::Program };
        let global = self.program.add_global(global);
        self.program.items.push(Item::Define(global));
        global
    }

    fn function(
        &mut self,
        name: &str,
        type_id: TypeId,
        body: impl FnOnce(&mut Builder, LocalId) -> ExpressionId,
    ) -> ExpressionId {
        let parameter = self.terms().fresh(name, type_id);
        let body = body(&mut self.terms(), parameter);
        self.terms().lambda(parameter, body)
    }

    fn derivative(
        &mut self,
        operator: DerivativeOperator,
        function: ExpressionId,
        point: ExpressionId,
    ) -> ExpressionId {
        let (of_point, of_function) = (self.program.type_of(point), self.program.type_of(function));
        let crate::typed::Type::Function(_, result) = self.program.types.get(of_function) else { panic!() };
        let type_id = match operator {
            DerivativeOperator::Hessian => Types::MATRIX,
            _ => self.program.types.derivative(of_point, result),
        };
        self.terms().add(Expression::Derivative { operator, function, point }, type_id)
    }

    /// Differentiates the program, checks it and returns its text.
    fn differentiated(mut self) -> String {
        assert_eq!(check(&self.program), Ok(()));
        differentiate(&mut self.program);
        assert_eq!(check(&self.program), Ok(()), "{}", print::program(&self.program));
        print::program(&self.program)
    }
}

fn two_to_the_third(build: &mut Builder) -> ExpressionId {
    let (two, three) = (build.number(2.0), build.number(3.0));
    build.binary(Operation::Power, two, three)
}

#[test]
fn a_global_function_has_one_dual() {
    let mut maker = Maker::new();
    let square = maker.function("x", Types::DOUBLE, |build, x| {
        let (a, b) = (build.local(x), build.local(x));
        build.binary(Operation::Multiply, a, b)
    });
    let square = maker.define("square", square);
    for _ in 0..2 {
        let function = maker.terms().variable(Variable::Global(square));
        let point = two_to_the_third(&mut maker.terms());
        let slope = maker.derivative(DerivativeOperator::Diff, function, point);
        maker.program.items.push(Item::Expression(slope));
    }
    let expected = "\
let square = fun (x : Double) -> x * x
let square' = fun (x' : Double * Double) -> (fst x' * fst x', guarded (fst x') (snd x') + guarded (fst x') (snd x'))
(
  let x = 2.0 ** 3.0 in
  let result = square' (x, 1.0) in
  (fst result, snd result + 0.0))
(
  let x = 2.0 ** 3.0 in
  let result = square' (x, 1.0) in
  (fst result, snd result + 0.0))
";
    assert_eq!(maker.differentiated(), expected);
}

#[test]
fn gradients_build_one_hot_seeds() {
    let mut maker = Maker::new();
    let function = maker.function("v", Types::VECTOR, |build, v| {
        let index = build.add(Expression::Number(0.0), Types::INDEX);
        let array = build.local(v);
        let element = build.add(Expression::Get { array, index }, Types::DOUBLE);
        build.unary(Operation::Exponential, element)
    });
    let elements: Vec<_> = [1.0, 2.0].into_iter().map(|value| maker.terms().number(value)).collect();
    let elements = maker.program.add_elements(elements);
    let point = maker.terms().add(Expression::Array(elements), Types::VECTOR);
    let slope = maker.derivative(DerivativeOperator::Grad, function, point);
    maker.program.items.push(Item::Expression(slope));
    let expected = "\
(
  let x = [|1.0; 2.0|] in
  build (length x) (fun (i : Index) ->
    let v' = build (length x) (fun (j : Index) -> (x[j], if i == j then 1.0 else 0.0)) in
    let a = v'[0] in
    let r = exp (fst a) in
    (r, guarded r (snd a) + 0.0)))
";
    assert_eq!(maker.differentiated(), expected);
}

#[test]
fn hessians_take_second_tangents() {
    let mut maker = Maker::new();
    let function = maker.function("v", Types::VECTOR, |build, v| {
        let index = build.add(Expression::Number(0.0), Types::INDEX);
        let array = build.local(v);
        let element = build.add(Expression::Get { array, index }, Types::DOUBLE);
        build.unary(Operation::Sine, element)
    });
    let elements = maker.program.add_elements(vec![]);
    let point = maker.terms().add(Expression::Array(elements), Types::VECTOR);
    let slope = maker.derivative(DerivativeOperator::Hessian, function, point);
    maker.program.items.push(Item::Expression(slope));
    let text = maker.differentiated();
    assert!(
        text.contains("let x' = build (length x) (fun (j : Index) -> (x[j], if i == j then 1.0 else 0.0)) in"),
        "{text}"
    );
    let seed = "((fst x'[j_2], if i_2 == j_2 then 1.0 else 0.0), (snd x'[j_2], 0.0))";
    assert!(text.contains(seed), "{text}");
}

#[test]
fn every_operation_of_the_table_has_a_derivative() {
    for row in OPERATIONS {
        let mut maker = Maker::new();
        let pair = maker.program.types.pair(Types::DOUBLE, Types::DOUBLE);
        let x = maker.terms().fresh("x", pair);
        let mut build = maker.terms();
        let (first, second) = (build.local(x), build.local(x));
        let (first, second) = (build.first(first), build.second(second));
        let body = match row.operation.arity() {
            Arity::One => build.unary(row.operation, first),
            Arity::Two => build.binary(row.operation, first, second),
        };
        let type_id = build.program.types.derivative(pair, Types::DOUBLE);
        let slope = build.add(Expression::Deriv { body, variable: Variable::Local(x) }, type_id);
        let function = build.lambda(x, slope);
        maker.define("f", function);
        let text = maker.differentiated();
        assert!(!text.contains("deriv") && !text.contains("jvp"), "{text}");
    }
}

#[test]
fn data_is_no_function_to_differentiate() {
    let mut maker = Maker::new();
    let value = maker.terms().number(1.0);
    maker.define("camera", value);
    let refused = super::shown(&mut maker.program, "camera").unwrap_err();
    assert_eq!(refused.message, "`camera` is no function: it has the type `Double`");
}
