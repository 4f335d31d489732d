//! Calls that only count steps: each becomes one count of all of them.
//!
//! If the analysis has found the result of a call, the callee keeps nothing but its steps and calls of functions like it. A loop or a
//! recursion that the analysis has executed as a whole leaves as many functions as it made calls.

use crate::call_graph::{CallGraph, Calls};
use crate::{Block, End, Function, FunctionTable, Statement, Unit};

/// Replaces all calls of functions without results that only count.
pub fn count_at_once(unit: &mut Unit) {
    let has_none = |function: &Function| function.results.is_empty();
    if !unit.functions.iter().any(has_none) {
        return;
    }
    let mut counted: FunctionTable<Option<u64>> = FunctionTable::filled(unit.functions.len(), None);
    // Callees come first; what is in a cycle calls something that is not counted yet.
    for id in CallGraph::of(unit, Calls::Plain).components().iter().flat_map(|component| &component.members) {
        let function = Some(unit.function(*id)).filter(|function| has_none(function));
        counted[*id] = function.and_then(|function| steps_of(&function.body, &counted));
    }
    if counted.iter().all(Option::is_none) {
        return;
    }
    for function in &mut unit.functions {
        function.body.change_statements(&mut |statement| {
            if let Statement::Call { function, .. } = statement
                && let Some(steps) = counted[*function]
            {
                *statement = Statement::Count { steps };
            }
        });
    }
}

/// The steps that a block counts, if it does nothing else.
fn steps_of(block: &Block, counted: &FunctionTable<Option<u64>>) -> Option<u64> {
    match &block.end {
        End::Yield(_) => {}
        End::Repeat(_) | End::Branch { .. } | End::BailOut(_) => return None,
    }
    block.statements.iter().try_fold(0_u64, |sum, statement| match statement {
        Statement::Count { steps } => sum.checked_add(*steps),
        Statement::Call { function, .. } => sum.checked_add(counted[*function]?),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use crate::build::Building;
    use crate::passes::shape::tidy::tidy;
    use crate::text::print::print;
    use crate::{End, Kind, Operand, Statement};

    #[test]
    fn what_only_counts_is_called_no_more() {
        let mut building = Building::default();
        let steps = |steps| Statement::Count { steps };
        let mut callee = None;
        for _ in 0..3 {
            let before = callee;
            let function = building.declare("f", &[Kind::Real], &[Kind::Real]);
            building.define(function, |code, parameters| {
                code.push(steps(2));
                if let Some(before) = before {
                    code.call(before, &[parameters[0]]);
                    code.call(before, &[Operand::real(1.0)]);
                }
                End::Yield(vec![Operand::real(3.0)])
            });
            callee = Some(function);
        }
        // Its steps depend on its operand.
        let other = building.declare("g", &[Kind::Real], &[]);
        building.define(other, |code, parameters| {
            let test = code.compare(vlad_table::Comparison::Less, parameters[0], Operand::real(1.0));
            let yields = |code: &mut crate::build::Code<'_>| {
                code.push(steps(1));
                End::Yield(Vec::new())
            };
            code.branch(test, yields, |_| End::Yield(Vec::new()))
        });
        building.entry(&[], |code| {
            let read = code.read();
            code.call(callee.unwrap(), &[read]);
            code.call(other, &[read]);
            End::Yield(Vec::new())
        });
        let mut unit = building.finish();
        tidy(&mut unit);
        let expected = "\
function g_0 (r0)
  b1 = r0 < 1
  if b1
    count 1
    yield
  else
    yield
entry function entry_1 ()
  r0 = read
  count 14
  call g_0 r0
  yield
";
        assert_eq!(print(&unit, None), expected);
    }
}
