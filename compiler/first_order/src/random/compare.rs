//! The comparison of random units before and after a pass.

use super::{Dials, unit};
use crate::Leaf;
use crate::Unit;
use crate::check::check;
use crate::evaluate::{Evaluated, Limits, Script, Stop, evaluate};
use crate::text::print::print;
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
    let mut script = Script { input: (0..500).map(|_| real()).collect(), output: Vec::new() };
    let evaluated = evaluate(unit, &inputs, &mut script, Limits { depth: 400, statements: 20_000 });
    (evaluated, script)
}

/// The seeds of a test that are taken: the first quarter, and all of them where the environment has `VLAD_ALL_UNITS`.
pub fn taken(seeds: Range<u64>) -> Range<u64> {
    let all = seeds.end - seeds.start;
    let count = if std::env::var_os("VLAD_ALL_UNITS").is_some() { all } else { all.div_ceil(4) };
    seeds.start..seeds.start + count
}

/// Compares random units before and after a pass, which returns false where it refuses; the result is checked.
///
/// At least a quarter of the units has to be comparable: not refused, and with an evaluation within limits.
pub fn compare(dials: Dials, seeds: Range<u64>, mut pass: impl FnMut(&mut Unit) -> bool) {
    let seeds = taken(seeds);
    let all = seeds.end - seeds.start;
    let mut compared = 0;
    for seed in seeds {
        let before = unit(seed, dials);
        let mut after = before.clone();
        if !pass(&mut after) {
            continue;
        }
        match checked_difference(&before, &after, seed) {
            Difference::NotComparable => {}
            Difference::None => compared += 1,
            Difference::Found(_) => fail(before, seed, pass),
        }
    }
    assert!(4 * compared >= all, "only {compared} of {all} units are comparable");
}

/// Fails with the difference that a pass makes in a unit as small as it can be.
fn fail(before: Unit, seed: u64, mut pass: impl FnMut(&mut Unit) -> bool) -> ! {
    let mut found = |before: &Unit| {
        let mut after = before.clone();
        let is_passed = check(before).is_ok() && pass(&mut after);
        match is_passed.then(|| checked_difference(before, &after, seed)) {
            Some(Difference::Found(found)) => {
                Some(format!("{found}\n{}\n{}", print(before, None), print(&after, None)))
            }
            _ => None,
        }
    };
    let small = shrunk(before, |unit| found(unit).is_some());
    panic!("seed {seed}, {}", found(&small).unwrap_or_default());
}

/// The difference between a unit and what a pass makes of it, which may be that this is not well-formed.
fn checked_difference(before: &Unit, after: &Unit, seed: u64) -> Difference {
    check(after).map_or_else(Difference::Found, |()| difference(before, after, seed))
}

/// A unit with as few statements as a fault needs: each is left out that can be, those that use others first.
fn shrunk(mut unit: Unit, mut is_faulty: impl FnMut(&Unit) -> bool) -> Unit {
    loop {
        let count = unit.all_statements().count();
        for place in (0..count).rev() {
            if let Some(smaller) = without_statement(&unit, place)
                && is_faulty(&smaller)
            {
                unit = smaller;
            }
        }
        if unit.all_statements().count() == count {
            return unit;
        }
    }
}

/// The unit without the statement at a place of its text, with the statements in it; none behind the last place.
fn without_statement(unit: &Unit, place: usize) -> Option<Unit> {
    let mut smaller = unit.clone();
    let mut next = 0;
    for function in &mut smaller.functions {
        function.body.rewrite(&mut |statement, kept| {
            if next != place {
                kept.push(statement);
            }
            next += 1;
        });
    }
    (place < next).then_some(smaller)
}

/// The difference between two units in evaluations.
#[derive(Debug)]
pub enum Difference {
    /// There is no evaluation of both within the limits.
    NotComparable,
    /// They are the same.
    None,
    /// The evaluations that differ.
    Found(String),
}

/// Compares two units on inputs that depend on a seed.
pub fn difference(before: &Unit, after: &Unit, seed: u64) -> Difference {
    let mut result = Difference::NotComparable;
    for inputs in 3 * seed..3 * seed + 3 {
        let (expected, found) = (observe(before, inputs), observe(after, inputs));
        if [&expected, &found].iter().any(|seen| matches!(seen.0, Err(Stop::TooDeep | Stop::TooLong))) {
            continue;
        }
        if !same(&expected, &found) {
            return Difference::Found(format!("inputs {inputs}: {expected:?}\nthen {found:?}"));
        }
        result = Difference::None;
    }
    result
}

/// Compares what is observable; the steps of an evaluation that stops are not, nor are the bits of unread NaN.
fn same(a: &Observed, b: &Observed) -> bool {
    a.0 == b.0 && a.1.output == b.1.output && a.1.input.len() == b.1.input.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Function, Kind, Operand, Statement, Variable};
    use std::collections::HashMap;
    use vlad_table::Operation;

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
            derivatives += usize::from(unit.all_statements().any(Statement::begins_level));
        }
        assert!(finished > 700 && finite > 600 && derivatives > 900, "{finished} {finite} {derivatives}");
    }

    /// Leaves the statements of a faulty unit without which the fault is gone, or the unit is none.
    #[test]
    fn faulty_units_shrink() {
        let is_faulty = |unit: &Unit| {
            let is_product = |statement: &Statement| statement.operation() == Some(Operation::Multiply);
            check(unit).is_ok() && unit.all_statements().any(is_product)
        };
        let units = (0..40).map(|seed| unit(seed, Dials::default())).filter(is_faulty);
        let mut count = 0;
        for before in units {
            let small = shrunk(before.clone(), is_faulty);
            let statements = |unit: &Unit| unit.all_statements().count();
            assert!(is_faulty(&small) && statements(&small) < statements(&before));
            for place in 0..statements(&small) {
                assert!(!without_statement(&small, place).is_some_and(|smaller| is_faulty(&smaller)));
            }
            count += 1;
        }
        assert!(count > 20, "only {count}");
    }

    /// The number of units in which a change of nodes is seen.
    fn seen(change: impl Fn(&mut Function)) -> usize {
        let noticed = |seed: &u64| {
            let before = unit(*seed, Dials::default());
            let mut after = before.clone();
            after.functions.iter_mut().for_each(&change);
            check(&after).unwrap();
            matches!(difference(&before, &after, *seed), Difference::Found(_))
        };
        (0..250).filter(noticed).count()
    }

    /// Replaces operations whose value is an operand by moves.
    fn without(function: &mut Function, is_move: impl Fn(Operation, Option<Operand>) -> bool) {
        let mut values: HashMap<Variable, Operand> = HashMap::new();
        for statement in function.body.all_statements() {
            if let Statement::Operation { target, operation, first, second } = statement
                && is_move(*operation, *second)
            {
                values.insert(*target, *first);
            }
        }
        let mut replace = |operand: &mut Operand| {
            while let Operand::Variable(variable) = operand
                && let Some(value) = values.get(variable)
            {
                *operand = *value;
            }
        };
        function.body.rename(&mut replace, &mut |_| {});
    }

    /// Makes a node of its own for every second use of the first real parameter.
    fn separate(function: &mut Function) {
        let kinds = function.variables.clone();
        let is_real = |variable: &Variable| kinds[variable.0 as usize] == Kind::Real;
        let Some(first) = function.parameters.iter().copied().find(is_real).map(Operand::Variable) else { return };
        let target = function.fresh(Kind::Real);
        let mut uses = 0;
        let mut replace = |operand: &mut Operand| {
            uses += usize::from(*operand == first);
            if *operand == first && uses % 2 == 0 {
                *operand = target.into();
            }
        };
        function.body.rename(&mut replace, &mut |_| {});
        let copy = Statement::Operation { target, operation: Operation::Copy, first, second: None };
        function.body.statements.insert(0, copy);
    }

    #[test]
    fn changes_of_nodes_and_guards_are_seen() {
        assert!(seen(separate) >= 10);
        assert!(seen(|function| without(function, |operation, _| operation == Operation::Copy)) >= 1);
        let is_by_one = |operation, second| operation == Operation::Multiply && second == Some(Operand::real(1.0));
        assert!(seen(|function| without(function, is_by_one)) >= 2);
        let unguarded = |statement: &mut Statement| {
            if let Statement::Operation { operation: operation @ Operation::GuardedMultiply, .. } = statement {
                *operation = Operation::Multiply;
            }
        };
        assert!(seen(|function| function.body.change_statements(&mut { unguarded })) >= 4);
    }
}
