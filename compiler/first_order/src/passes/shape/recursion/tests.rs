//! Recursion as loops: on random units, and against values derived by hand.

use super::*;
use crate::Leaf;
use crate::build::{Building, Code};
use crate::check::check;
use crate::differentiate::remove_levels;
use crate::evaluate::{Limits, Script, call};
use crate::passes::Passes;
use crate::passes::shape::loops::loops;
use crate::random::{Dials, compare};
use crate::text::print::print;

fn value(unit: &Unit, function: FunctionId, arguments: &[f64], depth: u32) -> f64 {
    let arguments: Vec<Leaf> = arguments.iter().copied().map(Leaf::Real).collect();
    let limits = Limits { depth, statements: 1_000_000 };
    let found = call(unit, function, &arguments, &[], &mut Script::default(), limits).unwrap();
    match found.results.as_slice() {
        [Leaf::Real(value)] => *value,
        other => panic!("{other:?}"),
    }
}

fn minus_one(code: &mut Code<'_>, n: Operand) -> Operand {
    code.binary(Operation::Subtract, n, Operand::real(1.0))
}

#[test]
fn evaluated_bits_stay_the_same() {
    let dials = Dials { recursion: 90, forward: 0, reverse: 0, ..Dials::default() };
    let mut changed = 0;
    compare(dials, 0..600, |unit| {
        loops(unit);
        let before = print(unit, None);
        loop_recursion(unit);
        changed += usize::from(print(unit, None) != before);
        true
    });
    assert!(changed > 25, "{changed} units have such recursion");
}

/// The sum of (n - k) x over k = 0, 1, ... while n - k is at least 1, and then x.
#[test]
fn what_is_before_the_calls_and_after_them_is_a_loop_each() {
    let mut building = Building::default();
    let total = building.declare("total", &[Kind::Real; 2], &[Kind::Real]);
    building.define(total, |code, x| {
        let ends = code.compare(Comparison::Less, x[1], Operand::real(1.0));
        code.branch(
            ends,
            |_| End::Yield(vec![x[0]]),
            |code| {
                let product = code.binary(Operation::Multiply, x[0], x[1]);
                let less = minus_one(code, x[1]);
                let rest = code.call(total, &[x[0], less]);
                End::Yield(vec![code.binary(Operation::Add, product, rest[0])])
            },
        )
    });
    let mut unit = building.finish();
    let before = unit.clone();
    loop_recursion(&mut unit);
    check(&unit).unwrap();
    let expected = "\
function total_0 (r7 r8) real
  r11 r12 = loop r1 := r8, r9 := 0
    b2 = r1 < 1
    if b2
      yield r7 r9
    else
      r3 = * r7 r1
      r4 = - r1 1
      r10 = + r9 1
      save r3
      repeat r4 r10
  r18 = loop r13 := r11, r14 := r12
    b15 = r14 = 0
    if b15
      yield r13
    else
      r16 = - r14 1
      r17 = restore
      r6 = + r17 r13
      repeat r6 r16
  yield r18
";
    assert_eq!(print(&unit, None), expected);
    // 0.5 (1 + ... + 100) + 0.5, also where few calls fit.
    assert_eq!(value(&before, total, &[0.5, 100.0], 500), 2525.5);
    assert_eq!(value(&unit, total, &[0.5, 100.0], 5), 2525.5);
}

/// f(n) = 1 for n < 1; n + 2 f(n - 1) if n is greater than x; else f(n - 1) - n x; a third path halves n until it is
/// not greater than 64, by a loop.
#[test]
fn calls_on_different_paths_of_a_loop_are_told_apart() {
    let mut building = Building::default();
    let f = building.declare("f", &[Kind::Real; 2], &[Kind::Real]);
    let half = Operand::real(0.5);
    building.define(f, |code, x| {
        let (n, x) = (x[0], x[1]);
        let is_large = code.compare(Comparison::Greater, n, Operand::real(64.0));
        code.branch(
            is_large,
            |code| {
                let next = code.binary(Operation::Multiply, n, half);
                End::Yield(code.call(f, &[next, x]))
            },
            |code| {
                let ends = code.compare(Comparison::Less, n, Operand::real(1.0));
                code.branch(
                    ends,
                    |_| End::Yield(vec![Operand::real(1.0)]),
                    |code| {
                        let less = minus_one(code, n);
                        let is_greater = code.compare(Comparison::Greater, n, x);
                        let product = code.binary(Operation::Multiply, n, x);
                        code.branch(
                            is_greater,
                            |code| {
                                let rest = code.call(f, &[less, x])[0];
                                let twice = code.binary(Operation::Add, rest, rest);
                                End::Yield(vec![code.binary(Operation::Add, n, twice)])
                            },
                            |code| {
                                let rest = code.call(f, &[less, x])[0];
                                End::Yield(vec![code.binary(Operation::Subtract, rest, product)])
                            },
                        )
                    },
                )
            },
        )
    });
    let mut unit = building.finish();
    loops(&mut unit);
    loop_recursion(&mut unit);
    check(&unit).unwrap();
    let text = print(&unit, None);
    assert!(!text.contains("call") && text.matches("save").count() == 2, "{text}");
    let by_hand = |mut n: f64, x: f64| {
        while n > 64.0 {
            n *= 0.5;
        }
        let mut value = 1.0;
        for k in 1..=n as u32 {
            let k = f64::from(k);
            value = if k > x { k + 2.0 * value } else { value - k * x };
        }
        value
    };
    for (n, x) in [(0.0, 1.0), (1.0, 1.0), (20.0, 7.0), (160.0, 30.0), (20.0, -1.0)] {
        assert_eq!(value(&unit, f, &[n, x], 9), by_hand(n, x), "{n} {x}");
    }
}

/// 1 + 1 + ... + 0: nothing that is computed before the calls is used after them.
#[test]
fn each_call_takes_memory() {
    let mut building = Building::default();
    let count = building.declare("count", &[Kind::Real], &[Kind::Real]);
    building.define(count, |code, x| {
        let ends = code.compare(Comparison::Less, x[0], Operand::real(1.0));
        code.branch(
            ends,
            |_| End::Yield(vec![Operand::real(0.0)]),
            |code| {
                let less = minus_one(code, x[0]);
                let rest = code.call(count, &[less]);
                End::Yield(vec![code.binary(Operation::Add, Operand::real(1.0), rest[0])])
            },
        )
    });
    let mut unit = building.finish();
    loop_recursion(&mut unit);
    check(&unit).unwrap();
    let text = print(&unit, None);
    assert!(text.contains("save #f") && text.contains("= restore"), "{text}");
    assert_eq!(value(&unit, count, &[100.0], 5), 100.0);
}

/// Two calls on a path, and a call before a join of paths.
#[test]
fn other_recursion_stays() {
    let mut building = Building::default();
    let tree = building.declare("tree", &[Kind::Real], &[Kind::Real]);
    building.define(tree, |code, x| {
        let ends = code.compare(Comparison::Less, x[0], Operand::real(1.0));
        code.branch(
            ends,
            |_| End::Yield(vec![x[0]]),
            |code| {
                let less = minus_one(code, x[0]);
                let (left, right) = (code.call(tree, &[less])[0], code.call(tree, &[less])[0]);
                End::Yield(vec![code.binary(Operation::Add, left, right)])
            },
        )
    });
    let joined = building.declare("joined", &[Kind::Real], &[Kind::Real]);
    building.define(joined, |code, x| {
        let ends = code.compare(Comparison::Less, x[0], Operand::real(1.0));
        let value = code.bind(&[Kind::Real], |code| {
            code.branch(
                ends,
                |_| End::Yield(vec![x[0]]),
                |code| {
                    let less = minus_one(code, x[0]);
                    End::Yield(code.call(joined, &[less]))
                },
            )
        });
        End::Yield(vec![code.binary(Operation::Add, value[0], x[0])])
    });
    let mut unit = building.finish();
    let before = print(&unit, None);
    loop_recursion(&mut unit);
    assert_eq!(print(&unit, None), before);
}

/// The code of derivatives of recursion: the sweep counts calls. Evaluation nests deeply.
#[test]
fn derivatives_of_recursion_keep_their_bits() {
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(|| {
        let dials = Dials {
            functions: 2,
            recursion: 90,
            calls: 20,
            reverse: 8,
            forward: 4,
            branches: 20,
            loops: 3,
            records: 0,
            bail_outs: 2,
            ..Dials::default()
        };
        let mut counted = 0;
        compare(dials, 0..280, |unit| {
            Passes::ALL.prepare(unit);
            if remove_levels(unit).is_err() {
                return false;
            }
            Passes::ALL.prepare(unit);
            Passes::ALL.simplify_values(unit);
            counted += usize::from(unit.functions.iter().any(|function| {
                let loops = function.body.statements.iter().filter(|statement| statement.repeats()).count();
                function.name.starts_with("sweep") && loops == 1
            }));
            true
        });
        assert!(counted > 15, "{counted} count");
    });
    thread.unwrap().join().unwrap();
}
