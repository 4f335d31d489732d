//! The comparison of random units before and after a pass.

use super::{Dials, unit};
use crate::first_order::Unit;
use crate::first_order::check::check;
use crate::first_order::evaluate::{Evaluated, Leaf, Limits, Script, Stop, evaluate};
use crate::first_order::print::print;
use fastrand::Rng;
use std::ops::Range;

/// An observed evaluation: its end, and its effects up to there.
pub type Observed = (Result<Evaluated, Stop>, Script);

/// Evaluates a random unit on inputs of a seed.
pub fn observe(unit: &Unit, seed: u64) -> Observed {
    let mut rng = Rng::with_seed(seed);
    let mut real = || match rng.u8(0..8) {
        0 => [0.0, -0.0, 1e16, f64::INFINITY, f64::NAN, 1e-310][rng.usize(0..6)],
        1 => f64::from(rng.i8(-3..4)),
        _ => 6.0 * rng.f64() - 3.0,
    };
    let inputs = [Leaf::Real(real()), Leaf::Real(real()), Leaf::Boolean(seed.is_multiple_of(2))];
    let mut script = Script { input: (0..20).map(|_| real()).collect(), output: Vec::new() };
    let evaluated = evaluate(unit, &inputs, &mut script, Limits { depth: 400, statements: 20_000 });
    (evaluated, script)
}

/// Compares random units before and after a pass, which returns false where it refuses; the result is checked.
///
/// At least two thirds of the units have to be comparable: not refused, and with an evaluation within limits.
pub fn compare(dials: Dials, seeds: Range<u64>, mut pass: impl FnMut(&mut Unit) -> bool) {
    let (mut compared, all) = (0, seeds.end - seeds.start);
    for seed in seeds {
        let before = unit(seed, dials);
        let mut after = before.clone();
        if !pass(&mut after) {
            continue;
        }
        if let Err(message) = check(&after) {
            panic!("seed {seed}: {message}\n{}\n{}", print(&before, None), print(&after, None));
        }
        let mut is_comparable = false;
        for inputs in 3 * seed..3 * seed + 3 {
            let (expected, found) = (observe(&before, inputs), observe(&after, inputs));
            if [&expected, &found].iter().any(|seen| matches!(seen.0, Err(Stop::TooDeep | Stop::TooLong))) {
                continue;
            }
            is_comparable = true;
            if !same(&expected, &found) {
                let (before, after) = (print(&before, None), print(&after, None));
                panic!("seed {seed}, inputs {inputs}: {expected:?}\nthen {found:?}\n{before}\n{after}");
            }
        }
        compared += u64::from(is_comparable);
    }
    assert!(3 * compared >= 2 * all, "only {compared} of {all} units are comparable");
}

/// Compares what is observable; the steps of an evaluation that stops are not, nor are the bits of unread NaN.
fn same(a: &Observed, b: &Observed) -> bool {
    a.0 == b.0 && a.1.output == b.1.output && a.1.input.len() == b.1.input.len()
}

#[cfg(test)]
mod tests {
    use super::super::super::Statement;
    use super::*;

    #[test]
    fn random_units_are_well_formed_and_varied() {
        let (mut finished, mut finite, mut derivatives) = (0, 0, 0);
        for seed in 0..1000 {
            let unit = unit(seed, Dials::default());
            check(&unit).unwrap_or_else(|message| panic!("seed {seed}: {message}\n{}", print(&unit, None)));
            if let (Ok(evaluated), _) = observe(&unit, seed) {
                finished += 1;
                let is_finite = |leaf: &Leaf| matches!(leaf, Leaf::Real(real) if real.is_finite() && *real != 0.0);
                finite += usize::from(evaluated.results.iter().any(is_finite));
            }
            let mut levels = 0;
            let has_level =
                |statement: &Statement| matches!(statement, Statement::Forward { .. } | Statement::Reverse { .. });
            unit.functions.iter().for_each(|function| {
                function.body.each_statement(&mut |statement| levels += usize::from(has_level(statement)));
            });
            derivatives += usize::from(levels > 0);
        }
        assert!(finished > 800 && finite > 600 && derivatives > 500, "{finished} {finite} {derivatives}");
    }
}
