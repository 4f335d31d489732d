//! Tests of the evaluator: derivatives in closed form and by the report.

use super::super::build::Building;
use super::super::{Kind, Operand};
use super::*;
use vlad_table::{Comparison, Operation};

const LIMITS: Limits = Limits { depth: 100, statements: 10_000 };

fn reals(building: Building, arguments: &[f64]) -> Result<Vec<f64>, Stop> {
    let unit = building.finish();
    super::super::check::check(&unit).unwrap();
    let function = FunctionId(unit.functions.len() as u32 - 1);
    let arguments: Vec<Leaf> = arguments.iter().copied().map(Leaf::Real).collect();
    let evaluated = call(&unit, function, &arguments, &[], &mut Script::default(), LIMITS)?;
    let real = |leaf: &Leaf| match leaf {
        Leaf::Real(real) => *real,
        Leaf::Boolean(boolean) => f64::from(u8::from(*boolean)),
        Leaf::Array(_) | Leaf::Cell(_) => unreachable!("no result is an array or a cell"),
    };
    Ok(evaluated.results.iter().map(real).collect())
}

/// x^4 + 2 x^3 as in the report, part 8.
fn polynomial(building: &mut Building) -> FunctionId {
    let polynomial = building.declare("polynomial", &[Kind::Real], &[Kind::Real]);
    building.define(polynomial, |code, x| {
        let power = code.binary(Operation::Power, x[0], Operand::real(4.0));
        let square = code.binary(Operation::Multiply, x[0], x[0]);
        let cube = code.binary(Operation::Multiply, square, x[0]);
        let double = code.binary(Operation::Multiply, Operand::real(2.0), cube);
        End::Yield(vec![code.binary(Operation::Add, power, double)])
    });
    polynomial
}

/// The derivative of a function of one real, in forward or in reverse mode.
fn derivative(building: &mut Building, function: FunctionId, forward: bool) -> FunctionId {
    let derivative = building.declare("derivative", &[Kind::Real], &[Kind::Real]);
    building.define(derivative, |code, x| {
        let one = Operand::real(1.0);
        End::Yield(vec![match forward {
            true => code.forward(function, x, &[Some(one)])[1],
            false => code.reverse(function, x, &[true], &[one])[1],
        }])
    });
    derivative
}

#[test]
fn derivatives_nest_in_every_combination() {
    for first in [true, false] {
        let mut building = Building::default();
        let function = polynomial(&mut building);
        derivative(&mut building, function, first);
        assert_eq!(reals(building, &[3.0]), Ok(vec![162.0]));
        for second in [true, false] {
            let mut building = Building::default();
            let function = polynomial(&mut building);
            let inner = derivative(&mut building, function, first);
            derivative(&mut building, inner, second);
            assert_eq!(reals(building, &[3.0]), Ok(vec![12.0 * 9.0 + 12.0 * 3.0]));
        }
    }
}

#[test]
fn sums_of_the_two_modes_are_grouped_as_the_report_says() {
    let mut building = Building::default();
    let function = building.declare("f", &[Kind::Real], &[Kind::Real]);
    building.define(function, |code, x| {
        let product = code.binary(Operation::Multiply, Operand::real(1e16), x[0]);
        let sum = code.binary(Operation::Add, product, x[0]);
        End::Yield(vec![code.binary(Operation::Add, sum, x[0])])
    });
    let both = building.declare("both", &[Kind::Real], &[Kind::Real, Kind::Real]);
    building.define(both, |code, x| {
        let one = Operand::real(1.0);
        let forward = code.forward(function, x, &[Some(one)])[1];
        End::Yield(vec![forward, code.reverse(function, x, &[true], &[one])[1]])
    });
    assert_eq!(reals(building, &[1.0]), Ok(vec![1e16, 1e16 + 2.0]));
}

#[test]
fn constants_have_derivatives_of_zero_and_zeros_lose_their_sign() {
    let mut building = Building::default();
    let function = building.declare("f", &[Kind::Real, Kind::Boolean], &[Kind::Boolean, Kind::Real, Kind::Real]);
    building.define(function, |_, x| End::Yield(vec![x[1], x[0], Operand::real(-0.0)]));
    let all = building.declare("all", &[Kind::Real], &[Kind::Real; 9]);
    building.define(all, |code, x| {
        let (zero, yes) = (Operand::real(-0.0), Operand::Boolean(true));
        let constant = code.forward(function, &[x[0], yes], &[None, None]);
        let forward = code.forward(function, &[x[0], yes], &[Some(zero), None]);
        let reverse = code.reverse(function, &[x[0], yes], &[true, false], &[zero, zero]);
        End::Yield([&constant[1..], &forward[1..], &reverse[3..]].concat())
    });
    let bits = |reals: Vec<f64>| reals.into_iter().map(f64::to_bits).collect::<Vec<_>>();
    let expected = vec![-0.0, -0.0, 0.0, 0.0, -0.0, -0.0, 0.0, 0.0, 0.0];
    assert_eq!(reals(building, &[-0.0]).map(bits), Ok(bits(expected)));
}

#[test]
fn loops_and_recursion_end_within_limits() {
    for (count, expected) in [(10.0, Ok(vec![55.0])), (90.0, Err(Stop::TooDeep))] {
        let mut building = Building::default();
        let sum = building.declare("sum", &[Kind::Real], &[Kind::Real]);
        building.define(sum, |code, n| {
            let ends = code.compare(Comparison::Less, n[0], Operand::real(1.0));
            let added = code.bind(&[Kind::Real], |code| {
                code.branch(
                    ends,
                    |_| End::Yield(vec![Operand::real(0.0)]),
                    |code| {
                        let less = code.binary(Operation::Subtract, n[0], Operand::real(1.0));
                        let rest = code.call(sum, &[less]);
                        End::Yield(vec![code.binary(Operation::Add, n[0], rest[0])])
                    },
                )
            });
            End::Yield(added)
        });
        assert_eq!(reals(building, &[count]), expected);
    }
    for (count, expected) in [(10.0, Ok(vec![55.0])), (1e9, Err(Stop::TooLong))] {
        let mut building = Building::default();
        let sum = building.declare("sum", &[Kind::Real], &[Kind::Real]);
        building.define(sum, |code, n| {
            let all = code.run_loop(&[Kind::Real], &[n[0], Operand::real(0.0)], |code, state| {
                let ends = code.compare(Comparison::Less, state[0], Operand::real(1.0));
                code.branch(
                    ends,
                    |_| End::Yield(vec![state[1]]),
                    |code| {
                        let less = code.binary(Operation::Subtract, state[0], Operand::real(1.0));
                        End::Repeat(vec![less, code.binary(Operation::Add, state[0], state[1])])
                    },
                )
            });
            End::Yield(all)
        });
        assert_eq!(reals(building, &[count]), expected);
    }
}
