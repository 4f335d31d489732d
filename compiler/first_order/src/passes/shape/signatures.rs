//! Arguments that all calls of a function give alike, and results that it always yields alike. A parameter for which every
//! call gives the same constant is replaced by the constant; parameters for which every call gives the same operand are
//! replaced by the first of them. The same holds for results: callers take a constant result as the constant, and the first
//! of equal ones for all. Calls of a function by itself may also pass such parameters on.
//!
//! Values are only moved, and an operand that is given twice is one node, so no bit changes at any level. Tidying removes
//! the parameters and results that nobody uses any more. Functions that are applied at a new level keep theirs: there,
//! two parameters are two nodes.

use super::loop_state::classes;
use crate::{Function, FunctionTable, Operand, Statement, Unit, Variable};
use std::collections::HashMap;

/// The calls of a function.
#[derive(Clone, Debug, Default)]
struct Calls {
    /// The arguments that other functions give.
    outer: Vec<Vec<Operand>>,
    /// The arguments that it gives itself.
    own: Vec<Vec<Operand>>,
    /// True if it is applied at a new level.
    is_applied: bool,
}

/// Replaces parameters by what all calls give for them, and results by what they always are.
pub fn share_in_signatures(unit: &mut Unit) {
    share_arguments(unit);
    share_results(unit);
}

/// Replaces the targets of calls.
fn share_results(unit: &mut Unit) {
    let shared: FunctionTable<Vec<Shared>> = unit.functions.iter().map(shared_results).collect();
    for function in &mut unit.functions {
        let mut values = HashMap::new();
        for statement in function.body.all_statements() {
            let Statement::Call { targets, function: callee, .. } = statement else { continue };
            for (target, shared) in targets.iter().zip(&shared[*callee]) {
                let value = match shared {
                    Shared::No => None,
                    Shared::Constant(constant) => Some(*constant),
                    Shared::Result(first) => targets.get(*first).copied().map(Operand::Variable),
                };
                values.extend(value.map(|value| (*target, value)));
            }
        }
        function.body.substitute(&values);
    }
}

/// The value of a result, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Shared {
    No,
    Constant(Operand),
    /// An earlier result.
    Result(usize),
}

fn shared_results(function: &Function) -> Vec<Shared> {
    let yields: Vec<&[Operand]> = function.body.yields().collect();
    let column = |place: usize| yields.iter().map(move |values| values.get(place));
    let shared = |place: usize| match column(place).next().flatten() {
        Some(constant @ (Operand::Real(_) | Operand::Boolean(_)))
            if column(place).all(|value| value == Some(constant)) =>
        {
            Shared::Constant(*constant)
        }
        Some(_) => (0..place).find(|earlier| column(*earlier).eq(column(place))).map_or(Shared::No, Shared::Result),
        None => Shared::No,
    };
    (0..function.results.len()).map(shared).collect()
}

/// Replaces parameters.
fn share_arguments(unit: &mut Unit) {
    let mut calls: FunctionTable<Calls> = FunctionTable::filled(unit.functions.len(), Calls::default());
    for (id, function) in unit.numbered() {
        for statement in function.body.all_statements() {
            let Some(callee) = statement.callee() else { continue };
            let calls = &mut calls[callee];
            match statement {
                Statement::Call { arguments, .. } if callee == id => calls.own.push(arguments.clone()),
                Statement::Call { arguments, .. } => calls.outer.push(arguments.clone()),
                _ => calls.is_applied = true,
            }
        }
    }
    // Without an entry, any function may be called from elsewhere.
    if unit.entry.is_some() {
        for (function, calls) in unit.functions.iter_mut().zip(&calls) {
            if !calls.is_applied && !calls.outer.is_empty() {
                let values = replaced(function, calls);
                function.body.substitute(&values);
            }
        }
    }
}

/// The parameters that are another one or a constant.
fn replaced(function: &Function, calls: &Calls) -> HashMap<Variable, Operand> {
    let parameters = &function.parameters;
    let mut values = HashMap::new();
    let classes = classes(parameters, &calls.outer, &calls.own);
    for ((place, parameter), class) in parameters.iter().enumerate().zip(classes) {
        let own = Operand::Variable(*parameter);
        let given = |arguments: &Vec<Operand>| arguments.get(place).copied();
        let first = calls.outer.first().and_then(given);
        let is_constant = matches!(first, Some(Operand::Real(_) | Operand::Boolean(_)))
            && calls.outer.iter().all(|arguments| given(arguments) == first)
            && calls.own.iter().all(|arguments| given(arguments) == first || given(arguments) == Some(own));
        match (first, parameters.get(class)) {
            (Some(constant), _) if is_constant => {
                values.insert(*parameter, constant);
            }
            (_, Some(earlier)) if earlier != parameter => {
                values.insert(*parameter, Operand::Variable(*earlier));
            }
            _ => {}
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::End;
    use crate::Kind::Real;
    use crate::build::Building;
    use crate::check;
    use crate::passes::shape::tidy::tidy;
    use crate::random::{Dials, compare};
    use crate::text::print::print;
    use vlad_table::{Comparison, Operation};

    #[test]
    fn random_units_keep_their_bits() {
        for dials in [Dials::default(), Dials { recursion: 90, calls: 30, ..Dials::default() }] {
            compare(dials, 0..300, |unit| {
                share_in_signatures(unit);
                true
            });
        }
    }

    /// power(x, y, n, step): calls give x twice, and 1 for the step.
    #[test]
    fn equal_and_constant_arguments_are_no_parameters() {
        let mut building = Building::default();
        let power = building.declare("power", &[Real; 4], &[Real]);
        building.define(power, |code, x| {
            let ends = code.compare(Comparison::Less, x[2], Operand::real(1.0));
            code.branch(
                ends,
                |_| End::Yield(vec![x[0]]),
                |code| {
                    let less = code.binary(Operation::Subtract, x[2], x[3]);
                    let rest = code.call(power, &[x[1], x[0], less, x[3]])[0];
                    End::Yield(vec![code.binary(Operation::Multiply, rest, x[1])])
                },
            )
        });
        building.entry(&[Real, Real], |code| {
            let (x, n, one) = (code.read(), code.read(), Operand::real(1.0));
            let first = code.call(power, &[x, x, n, one])[0];
            End::Yield(vec![first, code.call(power, &[n, n, x, one])[0]])
        });
        let mut unit = building.finish();
        share_in_signatures(&mut unit);
        check::check(&unit).unwrap();
        tidy(&mut unit);
        let text = print(&unit, None);
        let head = text.lines().find(|line| line.starts_with("function power")).unwrap();
        assert!(head.contains("(r0 r1) real"), "{text}");
    }

    /// Of (x, 2, x + 1, x) callers use the results, of which two have to be yielded.
    #[test]
    fn equal_and_constant_results_are_taken_once() {
        let mut building = Building::default();
        let twice = building.declare("twice", &[Real], &[Real; 4]);
        building.define(twice, |code, x| {
            let positive = code.compare(Comparison::Less, Operand::real(0.0), x[0]);
            let two = Operand::real(2.0);
            code.branch(
                positive,
                |code| End::Yield(vec![x[0], two, code.binary(Operation::Add, x[0], Operand::real(1.0)), x[0]]),
                |code| {
                    let root = code.unary(Operation::SquareRoot, x[0]);
                    End::Yield(vec![root, two, x[0], root])
                },
            )
        });
        building.entry(&[Real; 4], |code| {
            let x = code.read();
            End::Yield(code.call(twice, &[x]))
        });
        let mut unit = building.finish();
        share_in_signatures(&mut unit);
        check::check(&unit).unwrap();
        tidy(&mut unit);
        let text = print(&unit, None);
        assert!(text.contains("r1 r2 = call twice_0 r0\n  yield r1 2 r2 r1"), "{text}");
    }
}
