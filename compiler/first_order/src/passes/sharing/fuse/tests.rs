//! Tests of fusion.

use super::*;
use crate::Kind::Real;
use crate::build::Building;
use crate::check::check;
use crate::differentiate::remove_levels;
use crate::passes::Passes;
use crate::passes::shape::tidy::tidy;
use crate::passes::sharing::common::share_common;
use crate::random::{Dials, Difference, compare, difference, unit};
use crate::template::{Line, Step, Template};
use crate::text::print::print;
use fastrand::Rng;
use vlad_table::{Comparison, Operation};

#[test]
fn random_units_keep_their_bits() {
    compare(Dials::without_levels(), 0..400, |unit| {
        fuse(unit);
        tidy(unit);
        true
    });
}

/// Adds to a block, for each loop and call, another one with some other operands, whose results are added to those
/// of the first.
fn with_copies(function: &mut Function, block: &mut Block, rng: &mut Rng) {
    for mut statement in std::mem::take(&mut block.statements) {
        if let Some(inner) = statement.block_mut() {
            with_copies(function, inner, rng);
        }
        block.statements.push(statement.clone());
        if !matches!(statement, Statement::Loop { .. } | Statement::Call { .. }) {
            continue;
        }
        let mut copy = Block { statements: vec![statement.clone()], end: End::Yield(Vec::new()) };
        let mut new: HashMap<Variable, Variable> = HashMap::new();
        copy.clone().rename(&mut |_| {}, &mut |target| {
            new.insert(*target, function.fresh(function.kind(Operand::Variable(*target))));
        });
        let renamed = |variable: &mut Variable| {
            if let Some(new) = new.get(variable) {
                *variable = *new;
            }
        };
        copy.rename(
            &mut |operand| {
                if let Operand::Variable(variable) = operand {
                    renamed(variable);
                }
            },
            &mut |target| renamed(target),
        );
        copy.statements[0].change_operands(|operand| {
            if rng.u8(0..4) == 0 && function.kind(*operand) == Real {
                *operand = Operand::real(f64::from(rng.i8(-2..3)));
            }
        });
        block.statements.append(&mut copy.statements);
        let targets = statement.targets().to_vec();
        for target in targets {
            if function.kind(target.into()) != Real {
                continue;
            }
            let (sum, second) = (function.fresh(Real), new[&target].into());
            let (operation, first) = (Operation::Add, target.into());
            block.statements.push(Statement::Operation { target: sum, operation, first, second: Some(second) });
            let end = block.end.operands_mut();
            let place = end.iter_mut().find(|operand| **operand == target.into());
            if let Some(place) = place {
                *place = sum.into();
            } else {
                block.statements.push(Statement::Write { template: u32::MAX, leaves: vec![sum.into()] });
            }
        }
    }
    for inner in block.end.blocks_mut().into_iter().flatten() {
        with_copies(function, inner, rng);
    }
}

/// Loops and calls beside copies of themselves, some of whose operands differ.
#[test]
fn random_units_with_copies_keep_their_bits() {
    let mut fused = 0;
    for seed in 0..500 {
        let mut before = unit(seed, Dials::without_levels());
        let mut rng = Rng::with_seed(seed);
        let template = before.written.len() as u32;
        before.written.push(Line::of(Template::of(vec![Step::RealLeaf])));
        for function in &mut before.functions {
            let mut body = std::mem::take(&mut function.body);
            with_copies(function, &mut body, &mut rng);
            body.change_statements(&mut |statement| {
                if let Statement::Write { template: number @ u32::MAX, .. } = statement {
                    *number = template;
                }
            });
            function.body = body;
        }
        let mut after = before.clone();
        fuse(&mut after);
        let size = |unit: &Unit| -> usize { unit.functions.iter().map(|function| function.body.size()).sum() };
        fused += usize::from(after.functions.len() > before.functions.len() || size(&after) < size(&before));
        tidy(&mut after);
        check(&after).unwrap();
        let difference = difference(&before, &after, seed);
        assert!(
            !matches!(difference, Difference::Found(_)),
            "seed {seed}: {difference:?}\n{}\n{}",
            print(&before, None),
            print(&after, None)
        );
    }
    assert!(fused > 100, "{fused}");
}

/// A unit whose entry has the gradient, along two directions, of a function.
fn gradient(write: impl FnOnce(&mut Building) -> FunctionId) -> Unit {
    let mut building = Building::default();
    let function = write(&mut building);
    building.entry(&[Real, Real], |code| {
        let (x, y) = (code.read(), code.read());
        let (zero, one) = (Some(Operand::real(0.0)), Some(Operand::real(1.0)));
        let along_x = code.forward(function, &[x, y], &[one, zero])[1];
        let along_y = code.forward(function, &[x, y], &[zero, one])[1];
        End::Yield(vec![along_x, along_y])
    });
    let mut unit = building.finish();
    Passes::ALL.prepare(&mut unit);
    remove_levels(&mut unit).unwrap();
    Passes::ALL.prepare(&mut unit);
    share_common(&mut unit);
    fuse(&mut unit);
    tidy(&mut unit);
    share_common(&mut unit);
    tidy(&mut unit);
    unit
}

#[test]
fn a_gradient_by_two_forward_passes_of_a_loop_is_one_loop() {
    let unit = gradient(|building| {
        let power = building.declare("power", &[Real, Real], &[Real]);
        building.define(power, |code, p| {
            let initial = [p[0], Operand::real(0.0)];
            End::Yield(code.run_loop(&[Real], &initial, |code, state| {
                let is_last = code.compare(Comparison::Less, Operand::real(5.0), state[1]);
                code.branch(
                    is_last,
                    |_| End::Yield(vec![state[0]]),
                    |code| {
                        let product = code.binary(Operation::Multiply, state[0], p[1]);
                        let sine = code.unary(Operation::Sine, product);
                        let next = code.binary(Operation::Add, state[1], Operand::real(1.0));
                        End::Repeat(vec![sine, next])
                    },
                )
            }))
        });
        power
    });
    let text = print(&unit, None);
    assert_eq!((text.matches("loop").count(), text.matches("= sin ").count()), (1, 1), "{text}");
}

#[test]
fn a_gradient_by_two_forward_passes_of_a_recursion_is_one_recursion() {
    let unit = gradient(|building| {
        let sum = building.declare("sum", &[Real, Real], &[Real]);
        building.define(sum, |code, p| {
            let is_last = code.compare(Comparison::Less, p[0], Operand::real(1.0));
            code.branch(
                is_last,
                |_| End::Yield(vec![p[1]]),
                |code| {
                    let less = code.binary(Operation::Subtract, p[0], Operand::real(1.0));
                    let rest = code.call(sum, &[less, p[1]])[0];
                    let sine = code.unary(Operation::Sine, rest);
                    let product = code.binary(Operation::Multiply, sine, p[0]);
                    End::Yield(vec![product])
                },
            )
        });
        sum
    });
    let text = print(&unit, None);
    assert_eq!((text.matches("call").count(), text.matches("= sin ").count()), (2, 1), "{text}");
}
