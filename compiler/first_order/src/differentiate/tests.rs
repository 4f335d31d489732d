//! Removed levels against the evaluation that runs them, and against values derived by hand.

use super::*;
use crate::Kind::Real;
use crate::build::{Building, Code};
use crate::check::check;
use crate::evaluate::{Limits, Script, call, evaluate};
use crate::random::{Dials, compare};
use crate::template::{Line, Step, Template};
use crate::text::print::print;
use crate::{End, Kind, Leaf, Stack};
use vlad_table::{Comparison, Operation};

#[test]
fn random_units_keep_their_bits() {
    let dials = Dials { reverse: 0, forward: 20, ..Dials::default() };
    compare(dials, 0..250, |unit| remove_levels(unit).is_ok());
}

#[test]
fn random_units_with_many_levels_keep_their_bits() {
    let dials = Dials { reverse: 0, forward: 60, functions: 4, statements: 3, recursion: 20, ..Dials::default() };
    compare(dials, 0..250, |unit| remove_levels(unit).is_ok());
}

/// Removes the levels of a unit, and compares the results at some points with expected ones, before and after.
fn check_at(building: Building, function: FunctionId, points: &[(f64, f64)]) -> Unit {
    let unit = building.finish();
    let mut removed = unit.clone();
    remove_levels(&mut removed).unwrap();
    check(&removed).unwrap_or_else(|message| panic!("{message}\n{}", print(&removed, None)));
    let limits = Limits { depth: 100, statements: 1000 };
    for (x, expected) in points {
        for unit in [&unit, &removed] {
            let found = call(unit, function, &[Leaf::Real(*x)], &[], &mut Script::default(), limits).unwrap();
            assert_eq!(found.results, [Leaf::Real(*expected)], "at {x}\n{}", print(unit, None));
        }
    }
    removed
}

/// Declares the n-th derivative of a function, by nested forward levels.
fn nth_derivative(building: &mut Building, mut function: FunctionId, n: u32) -> FunctionId {
    for _ in 0..n {
        let derivative = building.declare("derivative", &[Real], &[Real]);
        building.define(derivative, |code, x| End::Yield(vec![derivative_at(code, function, x[0])]));
        function = derivative;
    }
    function
}

/// The derivative of a function of one real.
fn derivative_at(code: &mut Code<'_>, function: FunctionId, x: Operand) -> Operand {
    code.forward(function, &[x], &[Some(Operand::real(1.0))])[1]
}

fn unary(building: &mut Building, operation: Operation) -> FunctionId {
    let function = building.declare("f", &[Real], &[Real]);
    building.define(function, |code, x| End::Yield(vec![code.unary(operation, x[0])]));
    function
}

/// x to the power n, by multiplications in a recursion or in a loop.
fn power(building: &mut Building, n: f64, is_loop: bool) -> FunctionId {
    let power = building.declare("power", &[Real, Real], &[Real]);
    building.define(power, |code, parameters| {
        let (x, n) = (parameters[0], parameters[1]);
        if is_loop {
            let product = code.run_loop(&[Real], &[n, Operand::real(1.0)], |code, state| {
                let ends = code.compare(Comparison::Equal, state[0], Operand::real(0.0));
                code.branch(
                    ends,
                    |_| End::Yield(vec![state[1]]),
                    |code| {
                        let rest = code.binary(Operation::Subtract, state[0], Operand::real(1.0));
                        End::Repeat(vec![rest, code.binary(Operation::Multiply, x, state[1])])
                    },
                )
            });
            return End::Yield(product);
        }
        let ends = code.compare(Comparison::Equal, n, Operand::real(0.0));
        code.branch(
            ends,
            |_| End::Yield(vec![Operand::real(1.0)]),
            |code| {
                let rest = code.binary(Operation::Subtract, n, Operand::real(1.0));
                let product = code.call(power, &[x, rest])[0];
                End::Yield(vec![code.binary(Operation::Multiply, x, product)])
            },
        )
    });
    let function = building.declare("f", &[Real], &[Real]);
    building.define(function, |code, x| End::Yield(code.call(power, &[x[0], Operand::real(n)])));
    function
}

#[test]
fn levels_nest() {
    for is_loop in [true, false] {
        // 5 x^4, 20 x^3, 60 x^2, 120 x.
        for (n, at_two) in [(1, 80.0), (2, 160.0), (3, 240.0), (4, 240.0)] {
            let mut building = Building::default();
            let function = power(&mut building, 5.0, is_loop);
            let derivative = nth_derivative(&mut building, function, n);
            check_at(building, derivative, &[(2.0, at_two), (0.0, 0.0)]);
        }
    }
}

#[test]
fn coefficients_have_the_edges_of_the_report() {
    type Points = &'static [(f64, f64)];
    const INFINITY: f64 = f64::INFINITY;
    let rows: [(Operation, u32, Points); 7] = [
        (Operation::SquareRoot, 1, &[(0.0, INFINITY), (-0.0, INFINITY), (-1.0, f64::NAN), (4.0, 0.25)]),
        (Operation::SquareRoot, 2, &[(4.0, -0.03125)]),
        (Operation::Logarithm, 1, &[(0.0, INFINITY), (-0.0, -INFINITY), (-2.0, -0.5)]),
        (Operation::Absolute, 1, &[(-3.0, -1.0), (-0.0, 0.0), (f64::NAN, 0.0), (2.0, 1.0)]),
        (Operation::Exponential, 4, &[(0.0, 1.0)]),
        (Operation::ArcSine, 1, &[(1.0, INFINITY)]),
        (Operation::Floor, 1, &[(2.5, 0.0)]),
    ];
    for (operation, n, points) in rows {
        let mut building = Building::default();
        let function = unary(&mut building, operation);
        let derivative = nth_derivative(&mut building, function, n);
        check_at(building, derivative, points);
    }
}

#[test]
fn the_derivative_of_the_exponent_is_chosen_by_both_operands() {
    // 0^y is 0 for y > 0, with the derivative 0; at y = 0 it is 1, with the derivative log 0.
    let mut building = Building::default();
    let power = building.declare("power", &[Real, Real], &[Real]);
    building.define(power, |code, p| End::Yield(vec![code.binary(Operation::Power, p[0], p[1])]));
    let function = building.declare("f", &[Real], &[Real]);
    building.define(function, |code, y| {
        let zero = code.binary(Operation::Multiply, y[0], Operand::real(0.0));
        End::Yield(vec![code.forward(power, &[zero, y[0]], &[None, Some(Operand::real(1.0))])[1]])
    });
    check_at(building, function, &[(2.0, 0.0), (0.0, f64::NEG_INFINITY)]);
}

#[test]
fn products_with_zero_tangents_are_guarded() {
    // The tangent of 0 x is 0, and the coefficient of the root an infinity.
    let mut building = Building::default();
    let function = building.declare("f", &[Real], &[Real]);
    building.define(function, |code, x| {
        let zero = code.binary(Operation::Subtract, x[0], x[0]);
        End::Yield(vec![code.unary(Operation::SquareRoot, zero)])
    });
    let derivative = building.declare("derivative", &[Real], &[Real]);
    building.define(derivative, |code, x| End::Yield(vec![code.forward(function, &[x[0]], &[Some(x[0])])[1]]));
    check_at(building, derivative, &[(1.0, 0.0), (-0.0, 0.0)]);
}

#[test]
fn levels_are_not_confused() {
    // d/dx of x (d/dy of x y) is 2 x, and of x (d/dy of x + y) is 1.
    for (operation, at_seven) in [(Operation::Multiply, 14.0), (Operation::Add, 1.0)] {
        let mut building = Building::default();
        let inner = building.declare("inner", &[Real, Real], &[Real]);
        building.define(inner, |code, p| End::Yield(vec![code.binary(operation, p[0], p[1])]));
        let outer = building.declare("outer", &[Real], &[Real]);
        building.define(outer, |code, x| {
            let (three, one) = (Operand::real(3.0), Operand::real(1.0));
            let slope = code.forward(inner, &[x[0], three], &[None, Some(one)])[1];
            End::Yield(vec![code.binary(Operation::Multiply, x[0], slope)])
        });
        let derivative = nth_derivative(&mut building, outer, 1);
        check_at(building, derivative, &[(7.0, at_seven)]);
    }
}

#[test]
fn constant_tangents_are_known() {
    // The second derivative of a linear function is the constant 0: no code computes it.
    let mut building = Building::default();
    let function = building.declare("f", &[Real], &[Real]);
    building.define(function, |code, x| End::Yield(vec![code.binary(Operation::Add, x[0], Operand::real(2.0))]));
    let first = nth_derivative(&mut building, function, 1);
    let second = nth_derivative(&mut building, first, 1);
    let removed = check_at(building, second, &[(7.0, 0.0)]);
    assert_eq!(removed.function(first).body.end, End::Yield(vec![Operand::real(1.0)]));
    assert_eq!(removed.function(second).body.end, End::Yield(vec![Operand::real(0.0)]));
}

#[test]
fn directions_make_a_function_each() {
    let mut building = Building::default();
    let product = building.declare("product", &[Real, Real], &[Real]);
    building.define(product, |code, p| End::Yield(vec![code.binary(Operation::Multiply, p[0], p[1])]));
    let gradient = building.declare("gradient", &[Real], &[Real]);
    building.define(gradient, |code, x| {
        let (zero, one, three) = (Some(Operand::real(0.0)), Some(Operand::real(1.0)), Operand::real(3.0));
        let first = code.forward(product, &[x[0], three], &[one, zero])[1];
        let second = code.forward(product, &[x[0], three], &[zero, one])[1];
        let again = code.forward(product, &[x[0], three], &[one, None])[1];
        let sum = code.binary(Operation::Add, first, second);
        End::Yield(vec![code.binary(Operation::Add, sum, again)])
    });
    let removed = check_at(building, gradient, &[(5.0, 11.0)]);
    assert_eq!(removed.functions.len(), 4, "{}", print(&removed, None));
}

#[test]
fn tangents_stay_with_their_values_on_the_record_stack() {
    let mut building = Building::default();
    let function = building.declare("f", &[Real], &[Real]);
    let pushes = building.declare("pushes", &[Real], &[]);
    building.define(pushes, |code, x| {
        code.push(Statement::Push { stack: Stack::Sweeps, values: vec![x[0], Operand::Boolean(true)] });
        End::Yield(Vec::new())
    });
    building.define(function, |code, x| {
        code.call(pushes, &[x[0]]);
        code.call(pushes, &[Operand::real(3.0)]);
        let three = code.pop(&[Real, Kind::Boolean])[0];
        let back = code.pop(&[Real, Kind::Boolean])[0];
        let square = code.binary(Operation::Multiply, back, back);
        End::Yield(vec![code.binary(Operation::Multiply, square, three)])
    });
    // 3 x^2: the second derivative is 6.
    let derivative = nth_derivative(&mut building, function, 2);
    check_at(building, derivative, &[(5.0, 6.0)]);
}

#[test]
fn procedures_that_differentiate_themselves_are_refused() {
    let mut building = Building::default();
    let function = building.declare("f", &[Real], &[Real]);
    building.define(function, |code, x| {
        let ends = code.compare(Comparison::Less, x[0], Operand::real(0.0));
        code.branch(
            ends,
            |_| End::Yield(vec![x[0]]),
            |code| {
                let less = code.binary(Operation::Subtract, x[0], Operand::real(1.0));
                End::Yield(vec![derivative_at(code, function, less)])
            },
        )
    });
    let refusal = remove_levels(&mut building.finish()).unwrap_err();
    assert!(refusal.text().contains("`f`"), "{}", refusal.text());
}

#[test]
fn growing_constant_tangents_are_widened() {
    // f(x, n) = f(2 x, n - 1) has a tangent of its own for each n.
    let mut building = Building::default();
    let double = building.declare("double", &[Real, Real], &[Real]);
    building.define(double, |code, p| {
        let ends = code.compare(Comparison::Equal, p[1], Operand::real(0.0));
        code.branch(
            ends,
            |_| End::Yield(vec![p[0]]),
            |code| {
                let (two, one) = (Operand::real(2.0), Operand::real(1.0));
                let doubled = code.binary(Operation::Multiply, two, p[0]);
                let rest = code.binary(Operation::Subtract, p[1], one);
                End::Yield(code.call(double, &[doubled, rest]))
            },
        )
    });
    let function = building.declare("f", &[Real], &[Real]);
    building.define(function, |code, x| {
        End::Yield(vec![code.forward(double, &[Operand::real(1.0), x[0]], &[Some(Operand::real(1.0)), None])[1]])
    });
    let removed = check_at(building, function, &[(10.0, 1024.0), (40.0, f64::powi(2.0, 40))]);
    assert!(removed.functions.len() < 30);
}

#[test]
fn too_much_code_is_refused() {
    // Each level makes two or three operations out of one.
    let mut building = Building::default();
    let function = power(&mut building, 5.0, true);
    let derivative = nth_derivative(&mut building, function, 25);
    building.entry(&[Real], |code| End::Yield(code.call(derivative, &[Operand::real(1.0)])));
    let mut unit = building.finish();
    assert!(remove_levels(&mut unit).unwrap_err().text().contains("too much code"));
}

#[test]
fn written_and_read_once() {
    let mut building = Building::default();
    building.unit.written = vec![Line::of(Template::of(vec![Step::RealLeaf]))];
    let function = building.declare("f", &[Real], &[Real]);
    building.define(function, |code, x| {
        let factor = code.read();
        code.push(Statement::Write { template: 0, leaves: vec![x[0]] });
        code.push(Statement::Count { steps: 3 });
        End::Yield(vec![code.binary(Operation::Multiply, x[0], factor)])
    });
    building.entry(&[Real, Real], |code| {
        End::Yield(code.forward(function, &[Operand::real(3.0)], &[Some(Operand::real(1.0))]))
    });
    let mut unit = building.finish();
    remove_levels(&mut unit).unwrap();
    let mut script = Script { input: vec![10.0], output: Vec::new() };
    let evaluated = evaluate(&unit, &[], &mut script, Limits { depth: 10, statements: 100 }).unwrap();
    assert_eq!((evaluated.results, evaluated.steps), (vec![Leaf::Real(30.0), Leaf::Real(10.0)], 3));
    assert_eq!(script.output, [(0, vec![Leaf::Real(3.0)])]);
}
