//! Repeated calls: a call of a function with the arguments of an earlier call is not executed.
//!
//! The function depends on its arguments alone and has no effects, and the earlier call has ended without bailing out wherever the
//! later one is in its scope. So the later one would end too, with the same results to the bit. The steps of the earlier one are
//! counted again ([`Statement::Recount`]). A program that evaluates a procedure at a point, and differentiates it there in a direction on
//! which it does not depend, evaluates it once.
//!
//! Calls that return arrays stay: the memory of arrays ends with a block.

use crate::effects::pure_functions;
use crate::{Block, Function, FunctionId, FunctionTable, Kind, Operand, Statement, Unit, Variable};
use std::collections::HashMap;

/// Executes equal calls once, in every function. Numbers of steps that nobody reads are left to [`super::super::shape::tidy`].
pub fn share_calls(unit: &mut Unit) {
    let returns_scalars = |function: &Function| !function.results.iter().any(|kind| kind.is_array());
    let pure = pure_functions(unit);
    let are_shared: FunctionTable<bool> =
        unit.functions.iter().zip(pure).map(|(function, is_pure)| is_pure && returns_scalars(function)).collect();
    for function in &mut unit.functions {
        let mut body = std::mem::take(&mut function.body);
        let mut sharing =
            Sharing { are_shared: &are_shared, function, values: HashMap::new(), executed: HashMap::new() };
        sharing.block(&mut body);
        function.body = body;
    }
}

/// A call, by all that its results depend on.
type Call = (FunctionId, Vec<Operand>);

/// The results of a call that was executed, and the numbers of steps before and after it.
struct Executed {
    targets: Vec<Variable>,
    before: Variable,
    after: Variable,
}

struct Sharing<'unit> {
    are_shared: &'unit FunctionTable<bool>,
    function: &'unit mut Function,
    /// The operands that stand for the results of calls that are not executed.
    values: HashMap<Variable, Operand>,
    /// The calls in scope.
    executed: HashMap<Call, Executed>,
}

impl Sharing<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut in_block = Vec::new();
        for mut statement in std::mem::take(&mut block.statements) {
            statement.change_operands(|operand| operand.substitute(&self.values));
            if let Some(inner) = statement.block_mut() {
                self.block(inner);
            }
            let Some(call) = self.shared_call(&statement) else {
                block.statements.push(statement);
                continue;
            };
            if let Some(earlier) = self.executed.get(&call) {
                let copies = statement.targets().iter().zip(&earlier.targets);
                self.values.extend(copies.map(|(target, result)| (*target, Operand::Variable(*result))));
                let [before, after] = [earlier.before, earlier.after].map(Operand::Variable);
                block.statements.push(Statement::Recount { before, after });
                continue;
            }
            let [before, after] = [(); 2].map(|()| self.function.fresh(Kind::Real));
            let executed = Executed { targets: statement.targets().to_vec(), before, after };
            self.executed.insert(call.clone(), executed);
            in_block.push(call);
            let around = [Statement::Steps { target: before }, statement, Statement::Steps { target: after }];
            block.statements.extend(around);
        }
        block.end.operands_mut().iter_mut().for_each(|operand| operand.substitute(&self.values));
        for inner in block.end.blocks_mut().into_iter().flatten() {
            self.block(inner);
        }
        for call in in_block {
            self.executed.remove(&call);
        }
    }

    /// The call that a statement is, if it may share the results of another one.
    fn shared_call(&self, statement: &Statement) -> Option<Call> {
        let Statement::Call { function, arguments, .. } = statement else { return None };
        self.are_shared[*function].then(|| (*function, arguments.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::End;
    use crate::Kind::Real;
    use crate::build::{Building, Code};
    use crate::passes::shape::tidy::tidy;
    use crate::random::{Dials, compare};
    use crate::text::print::print;
    use vlad_table::{Comparison, Operation};

    #[test]
    fn random_units_keep_their_bits_and_steps() {
        compare(Dials::without_levels(), 0..1500, |unit| {
            share_calls(unit);
            true
        });
    }

    /// A call in a branch is not known behind it; one before the branch is known in it.
    #[test]
    fn calls_are_known_in_the_scope_of_the_first() {
        let mut building = Building::default();
        let callee = building.declare("g", &[Real], &[Real]);
        building.define(callee, |code, p| {
            code.push(Statement::Count { steps: 3 });
            End::Yield(vec![code.unary(Operation::Sine, p[0])])
        });
        let function = building.declare("f", &[Real, Real], &[Real]);
        building.define(function, |code, p| {
            let first = code.call(callee, &[p[0]])[0];
            let is_less = code.compare(Comparison::Less, first, p[1]);
            let call_of = |operand: Operand| move |code: &mut Code<'_>| End::Yield(code.call(callee, &[operand]));
            let chosen = code.bind(&[Real], |code| code.branch(is_less, call_of(p[0]), call_of(p[1])))[0];
            let last = code.call(callee, &[p[1]])[0];
            End::Yield(vec![code.binary(Operation::Add, chosen, last)])
        });
        let mut unit = building.finish();
        share_calls(&mut unit);
        tidy(&mut unit);
        let text = print(&unit, None);
        let count = |word: &str| text.matches(word).count();
        assert_eq!((count("call "), count("count-again"), count("= steps")), (3, 1, 2), "{text}");
    }
}
