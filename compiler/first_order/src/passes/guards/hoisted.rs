//! Hoisted guards: a loop tests once, before it, the factors of guarded products that do not change in it.
//!
//! A guarded product is +0 if a factor is a zero. It is a plain one where one factor is finite and not zero: the guard is active
//! only if the other factor is zero, and then the plain product is a zero as well. Its sign may differ, so the result has to be
//! *marked*: the sign of a zero in it is not observed ([`Marks`]). An innermost loop, or build, with such factors becomes two, of
//! which the first has plain products:
//!
//! ```text
//! if each factor is finite and not 0: the loop with plain products; else the loop as it was
//! ```
//!
//! Loops of more than [`MOST_SIZE`] statements stay, and only innermost loops become two, so code at most doubles. The pass runs on
//! code without levels, as all passes of this folder do.

use super::zero_signs::Marks;
use crate::variables::{assigned, with_new_variables};
use crate::{Block, End, Function, Kind, MOST_DEPTH, Operand, Statement, Unit, Variable};
use vlad_table::{Comparison, Operation};

/// The greatest number of statements of a loop that is made twice.
const MOST_SIZE: usize = 200;

/// The greatest number of factors that are tested before a loop.
const MOST_FACTORS: usize = 4;

/// Tests factors before loops, in every function.
pub fn test_factors(unit: &mut Unit) {
    let marks = Marks::of(unit);
    for (id, function) in unit.numbered_mut() {
        let mut body = std::mem::take(&mut function.body);
        if body.depth() + 3 <= MOST_DEPTH {
            block(function, &mut body, &|variable| marks.is_marked(id, variable));
        }
        function.body = body;
    }
}

fn block(function: &mut Function, code: &mut Block, is_marked: &impl Fn(Variable) -> bool) {
    for mut statement in std::mem::take(&mut code.statements) {
        let factors = factors(&statement, is_marked);
        if !factors.is_empty() {
            versions(function, statement, &factors, is_marked, &mut code.statements);
            continue;
        }
        if let Some(inner) = statement.block_mut() {
            block(function, inner, is_marked);
        }
        code.statements.push(statement);
    }
    for inner in code.end.blocks_mut().into_iter().flatten() {
        block(function, inner, is_marked);
    }
}

/// The variables from outside of an innermost loop that are factors of guarded products in it.
fn factors(statement: &Statement, is_marked: &impl Fn(Variable) -> bool) -> Vec<Variable> {
    let (Statement::Loop { body, .. } | Statement::Build { body, .. }) = statement else { return Vec::new() };
    if body.all_statements().any(Statement::repeats) || body.size() > MOST_SIZE {
        return Vec::new();
    }
    let inside = assigned(body, statement.inner_variables());
    let mut found = Vec::new();
    for operands in body.all_statements().filter_map(|inner| product(inner, is_marked)) {
        let outer = operands.into_iter().filter_map(Operand::variable).find(|operand| !inside.contains(operand));
        if let Some(outer) = outer.filter(|outer| !found.contains(outer)) {
            found.push(outer);
        }
    }
    found.truncate(MOST_FACTORS);
    found
}

/// The factors of a guarded product with a marked result.
fn product(statement: &Statement, is_marked: &impl Fn(Variable) -> bool) -> Option<[Operand; 2]> {
    match statement {
        Statement::Operation { target, operation: Operation::GuardedMultiply, first, second: Some(second) }
            if is_marked(*target) =>
        {
            Some([*first, *second])
        }
        _ => None,
    }
}

/// Appends a loop in two versions, and the test that chooses one.
fn versions(
    function: &mut Function,
    guarded: Statement,
    factors: &[Variable],
    is_marked: &impl Fn(Variable) -> bool,
    code: &mut Vec<Statement>,
) {
    let targets = guarded.targets().to_vec();
    let mut plain = guarded.clone();
    if let Some(body) = plain.block_mut() {
        body.change_statements(&mut |statement| {
            let needs_none = |operand: Operand| operand.variable().is_some_and(|operand| factors.contains(&operand));
            if product(statement, is_marked).is_some_and(|operands| operands.into_iter().any(needs_none))
                && let Statement::Operation { operation, .. } = statement
            {
                *operation = Operation::Multiply;
            }
        });
    }
    let mut version = |statement: Statement| {
        let end = End::Yield(Operand::all(&targets));
        let mut block = Block { statements: vec![statement], end };
        with_new_variables(function, &mut block);
        Box::new(block)
    };
    let (consequent, alternative) = (version(plain), version(guarded));
    let test = are_ordinary(function, factors, code);
    let end = End::Branch { test, consequent, alternative };
    code.push(Statement::Bind { targets, block: Block { statements: Vec::new(), end } });
}

/// Appends the test that all factors are finite and not zero: the differences from themselves are zero, and they are not.
fn are_ordinary(function: &mut Function, factors: &[Variable], code: &mut Vec<Statement>) -> Operand {
    let mut all = Block { statements: Vec::new(), end: End::Yield(vec![Operand::Boolean(true)]) };
    let no = || Box::new(Block { statements: Vec::new(), end: End::Yield(vec![Operand::Boolean(false)]) });
    for factor in factors.iter().rev() {
        let factor = Operand::Variable(*factor);
        let (difference, is_finite, is_zero) =
            (function.fresh(Kind::Real), function.fresh(Kind::Boolean), function.fresh(Kind::Boolean));
        let (zero, comparison) = (Operand::real(0.0), Comparison::Equal);
        let of_zero = Statement::Compare { target: is_zero, comparison, first: factor, second: zero };
        let end = End::Branch { test: is_zero.into(), consequent: no(), alternative: Box::new(all) };
        let nonzero = Block { statements: vec![of_zero], end };
        let statements = vec![
            Statement::Operation {
                target: difference,
                operation: Operation::Subtract,
                first: factor,
                second: Some(factor),
            },
            Statement::Compare { target: is_finite, comparison, first: difference.into(), second: zero },
        ];
        let end = End::Branch { test: is_finite.into(), consequent: Box::new(nonzero), alternative: no() };
        all = Block { statements, end };
    }
    let target = function.fresh(Kind::Boolean);
    code.push(Statement::Bind { targets: vec![target], block: all });
    Operand::Variable(target)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Leaf;
    use crate::build::Building;
    use crate::evaluate::{Limits, Script, evaluate};
    use crate::passes::shape::tidy::tidy;
    use crate::random::{Dials, compare};
    use crate::text::print::print;

    #[test]
    fn testing_factors_keeps_the_bits_of_random_units() {
        let mut changed = 0;
        compare(Dials { recursion: 0, ..Dials::with_arrays() }, 0..1500, |unit| {
            let before = print(unit, None);
            test_factors(unit);
            changed += usize::from(print(unit, None) != before);
            tidy(unit);
            true
        });
        assert!(changed > 20, "{changed}");
    }

    /// The sum of three products of a factor, which is read first, and a number; the sign of a zero sum does not show.
    #[test]
    fn loops_have_plain_products_where_the_factor_is_ordinary() {
        let mut building = Building::default();
        building.entry(&[Kind::Real], |code| {
            let (factor, other) = (code.read(), code.read());
            let zero = Operand::real(0.0);
            let sum = code.run_loop(&[Kind::Real], &[zero, zero], |code, state| {
                let is_less = code.compare(Comparison::Less, state[1], Operand::real(3.0));
                code.branch(
                    is_less,
                    |code| {
                        let product = code.binary(Operation::GuardedMultiply, other, factor);
                        let sum = code.binary(Operation::Add, state[0], product);
                        let next = code.binary(Operation::Add, state[1], Operand::real(1.0));
                        End::Repeat(vec![sum, next])
                    },
                    |_| End::Yield(vec![state[0]]),
                )
            });
            let sum = code.positive_zero(sum[0]);
            End::Yield(vec![sum])
        });
        let mut unit = building.finish();
        test_factors(&mut unit);
        let text = print(&unit, None);
        assert_eq!((text.matches("= loop").count(), text.matches("= guarded* ").count()), (2, 1), "{text}");
        crate::check::check(&unit).unwrap();
        let infinity = f64::INFINITY;
        for (factor, other, expected) in [
            (2.0, 5.0, 30.0),
            (0.0, infinity, 0.0),
            (infinity, 0.0, 0.0),
            (f64::NAN, 0.0, 0.0),
            (-2.0, 0.0, 0.0),
            (infinity, 1.0, infinity),
            (2.0, infinity, infinity),
        ] {
            let mut script = Script { input: vec![other, factor], output: Vec::new() };
            let evaluated = evaluate(&unit, &[], &mut script, Limits { depth: 20, statements: 200 }).unwrap();
            assert_eq!(evaluated.results, [Leaf::Real(expected)], "{factor} {other}");
        }
    }
}
