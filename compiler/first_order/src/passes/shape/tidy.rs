//! Tidying: removes copies, branches on constants, operations on constants, calls that only count steps, and dead code. Numbers the rest anew.

mod counting;
mod dead;
pub mod simplify;

use super::loop_state::retain;
use crate::call_graph::{CallGraph, Calls};
use crate::{Function, FunctionId, FunctionTable, Operand, Unit, Variable, VariableTable};
use counting::count_at_once;
pub use dead::remove_dead_code;
use simplify::simplify;

/// The most times that simplification and the removal of dead code are repeated while they shrink the unit.
const MOST_ROUNDS: usize = 6;

/// Tidies a unit.
pub fn tidy(unit: &mut Unit) {
    let mut size = usize::MAX;
    for _ in 0..MOST_ROUNDS {
        unit.functions.iter_mut().for_each(simplify);
        count_at_once(unit);
        remove_unreachable_functions(unit);
        remove_dead_code(unit);
        let now = unit.functions.iter().map(|function| function.body.size()).sum();
        if now >= size {
            break;
        }
        size = now;
    }
    unit.functions.iter_mut().for_each(number_variables);
}

/// Removes the functions that the entry does not reach, if the unit has an entry.
fn remove_unreachable_functions(unit: &mut Unit) {
    let Some(entry) = unit.entry else { return };
    let is_reached = CallGraph::of(unit, Calls::All).reached([entry]);
    let mut next = 0;
    let numbers: FunctionTable<FunctionId> = is_reached
        .iter()
        .map(|is_reached| {
            next += u32::from(*is_reached);
            FunctionId(next.saturating_sub(1))
        })
        .collect();
    let renumber = |function: &mut FunctionId| *function = numbers[*function];
    retain(&mut unit.functions, |place| is_reached[FunctionId(place as u32)]);
    unit.entry.iter_mut().for_each(renumber);
    for function in &mut unit.functions {
        function.body.change_statements(&mut |statement| statement.callee_mut().into_iter().for_each(renumber));
    }
}

/// Numbers the variables of a function in the order of their text, and forgets unused ones.
fn number_variables(function: &mut Function) {
    const UNUSED: Variable = Variable(u32::MAX);
    let mut numbers: VariableTable<Variable> = function.variables.iter().map(|_| UNUSED).collect();
    let mut kinds = Vec::new();
    let old = std::mem::take(&mut function.variables);
    let mut assign = |target: &mut Variable| {
        let number = Variable(kinds.len() as u32);
        kinds.extend(old.get(target.0 as usize));
        numbers[*target] = number;
        *target = number;
    };
    function.parameters.iter_mut().for_each(&mut assign);
    function.body.rename(&mut |_| {}, &mut assign);
    // Targets have their new numbers, operands not yet.
    let mut renumber = |operand: &mut Operand| {
        if let Operand::Variable(variable) = operand {
            *variable = numbers[*variable];
        }
    };
    function.body.rename(&mut renumber, &mut |_| {});
    function.variables = kinds;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::{Building, Code};
    use crate::check::check;
    use crate::passes::Passes;
    use crate::random::{Dials, compare};
    use crate::text::print::print;
    use crate::{End, Kind, Statement};
    use vlad_core::ExpressionId;
    use vlad_table::{Comparison, Operation};

    #[test]
    fn evaluated_bits_stay_the_same() {
        compare(Dials::default(), 0..400, |unit| {
            tidy(unit);
            true
        });
    }

    #[test]
    fn evaluated_bits_stay_the_same_after_all_passes() {
        for (dials, seeds) in [(Dials::default(), 400..800), (Dials::straight(), 800..1000)] {
            compare(dials, seeds, |unit| {
                Passes::ALL.prepare(unit);
                true
            });
        }
    }

    /// The text of a unit after tidying.
    fn tidied(building: Building) -> String {
        let mut unit = building.finish();
        check(&unit).unwrap();
        tidy(&mut unit);
        print(&unit, None)
    }

    #[test]
    fn constants_are_folded_and_branches_on_them_decided() {
        let mut building = Building::default();
        building.entry(&[Kind::Real; 2], |code| {
            let two = code.binary(Operation::Add, Operand::real(1.0), Operand::real(1.0));
            let less = code.compare(Comparison::Less, two, Operand::real(3.0));
            let zero = code.positive_zero(Operand::real(-0.0));
            code.push(Statement::Count { steps: 2 });
            let bound = code.bind(&[Kind::Real], |code| {
                code.push(Statement::Count { steps: 3 });
                let bails_out = |_: &mut Code<'_>| End::BailOut(ExpressionId(0));
                code.branch(less, |code| End::Yield(vec![code.read()]), bails_out)
            });
            // A product by 1 stays: it is a node at every level at which the other factor is active.
            let product = code.binary(Operation::Multiply, bound[0], Operand::real(1.0));
            End::Yield(vec![product, zero])
        });
        let expected = "\
entry function entry_0 () real real
  count 5
  r0 = read
  r1 = * r0 1
  yield r1 0
";
        assert_eq!(tidied(building), expected);
    }

    #[test]
    fn unused_derivatives_arguments_and_results_disappear() {
        let mut building = Building::default();
        let f = building.declare("f", &[Kind::Real; 3], &[Kind::Real; 2]);
        building.define(f, |code, x| {
            let product = code.binary(Operation::Multiply, x[0], x[1]);
            End::Yield(vec![product, code.unary(Operation::Exponential, x[2])])
        });
        building.entry(&[Kind::Real; 2], |code| {
            let x = [code.read(), code.read(), code.read()];
            let some = x.map(Some);
            let forward = code.forward(f, &x, &some);
            code.forward(f, &x, &some);
            End::Yield(vec![forward[2], code.forward(f, &x, &some)[0]])
        });
        let expected = "\
function f_0 (r0 r1) real
  r2 = * r0 r1
  yield r2
entry function entry_1 () real real
  r0 = read
  r1 = read
  r2 = read
  r3 r4 = forward f_0 r0:r0 r1:r1
  r5 = call f_0 r0 r1
  yield r4 r5
";
        assert_eq!(tidied(building), expected);
    }

    #[test]
    fn an_argument_without_use_of_its_cotangent_is_not_active() {
        let mut building = Building::default();
        let f = building.declare("f", &[Kind::Real; 2], &[Kind::Real]);
        building.define(f, |code, x| End::Yield(vec![code.binary(Operation::Multiply, x[0], x[1])]));
        building.entry(&[Kind::Real; 2], |code| {
            let (x, one) = ([code.read(), code.read()], Operand::real(1.0));
            let unused = code.reverse(f, &x, &[true, true], &[one]);
            End::Yield(vec![unused[0], code.reverse(f, &x, &[true, true], &[one])[2]])
        });
        let expected = "\
function f_0 (r0 r1) real
  r2 = * r0 r1
  yield r2
entry function entry_1 () real real
  r0 = read
  r1 = read
  r2 = call f_0 r0 r1
  r3 r4 = reverse f_0 r0 @r1 (1)
  yield r2 r4
";
        assert_eq!(tidied(building), expected);
    }

    /// Two variables of the state that only keep each other alive, a loop that has to stay, and a loop of one iteration.
    #[test]
    fn dead_state_disappears_and_loops_stay() {
        let mut building = Building::default();
        building.entry(&[Kind::Real], |code| {
            let start = code.read();
            code.run_loop(&[Kind::Real; 2], &[start, start, start], |code, state| {
                let ends = code.compare(Comparison::Less, state[0], Operand::real(0.0));
                code.branch(
                    ends,
                    |_| End::Yield(vec![state[1], state[2]]),
                    |code| {
                        let half = code.binary(Operation::Multiply, state[0], Operand::real(0.5));
                        End::Repeat(vec![half, state[2], state[1]])
                    },
                )
            });
            End::Yield(code.run_loop(&[Kind::Real], &[start], |code, state| {
                End::Yield(vec![code.unary(Operation::Sine, state[0])])
            }))
        });
        let expected = "\
entry function entry_0 () real
  r0 = read
  loop r1 := r0
    b2 = r1 < 0
    if b2
      yield
    else
      r3 = * r1 0.5
      repeat r3
  r4 = sin r0
  yield r4
";
        assert_eq!(tidied(building), expected);
    }
}
