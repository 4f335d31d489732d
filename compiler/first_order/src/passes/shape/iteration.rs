//! The body of a function as that of a loop in which a call of the function by itself is an iteration: its arguments are
//! moved to the variables of the state as they would be to parameters.
//!
//! If the function is a loop as a whole, the loop's state is part of the new one, and a call begins it anew. [`super::recursion`] makes
//! loops of such bodies.

use crate::{Block, End, Function, FunctionId, Operand, Statement, Variable};

/// A function, taken apart.
#[derive(Debug)]
pub struct Iteration {
    /// The variables of the state. The former parameters of the function are the last ones.
    pub state: Vec<Variable>,
    /// The code.
    pub body: Block,
    parameters: Vec<Variable>,
    /// The values of the state at the begin of a call, on its parameters.
    begins: Vec<Operand>,
}

impl Iteration {
    /// The block that would be the body of the loop.
    pub fn body_of(function: &Function) -> &Block {
        match (function.body.statements.as_slice(), &function.body.end) {
            ([Statement::Loop { targets, body, .. }], End::Yield(results)) if are_targets(results, targets) => body,
            _ => &function.body,
        }
    }

    /// Takes a function's code and parameters.
    pub fn take(function: &mut Function) -> Iteration {
        let parameters = std::mem::take(&mut function.parameters);
        let of_parameters = Operand::all(&parameters);
        let mut whole = std::mem::take(&mut function.body);
        if let ([Statement::Loop { targets, .. }], End::Yield(results)) = (whole.statements.as_slice(), &whole.end)
            && are_targets(results, targets)
            && let Some(Statement::Loop { mut state, initial, mut body, .. }) = whole.statements.pop()
        {
            body.change_leaves(&mut |leaf| {
                if let End::Repeat(next) = &mut leaf.end {
                    next.extend(&of_parameters);
                }
            });
            state.extend(&parameters);
            let begins = initial.into_iter().chain(of_parameters).collect();
            return Iteration { state, body, parameters, begins };
        }
        Iteration { state: parameters.clone(), body: whole, parameters, begins: of_parameters }
    }

    /// The state in the iteration that is a call.
    pub fn next(&self, arguments: &[Operand]) -> Vec<Operand> {
        let place =
            |operand: &Operand| self.parameters.iter().position(|variable| *operand == Operand::Variable(*variable));
        let argument = |operand| place(operand).and_then(|place| arguments.get(place)).unwrap_or(operand);
        self.begins.iter().map(argument).copied().collect()
    }

    /// Gives the function parameters, and returns the state in the first iteration.
    pub fn begin(&self, function: &mut Function) -> Vec<Operand> {
        function.parameters = function.fresh_all(&function.kinds(&self.parameters));
        let arguments = Operand::all(&function.parameters);
        self.next(&arguments)
    }
}

/// Returns true if a function or a loop yields exactly the targets of a statement.
pub fn are_targets(results: &[Operand], targets: &[Variable]) -> bool {
    results.iter().copied().eq(targets.iter().copied().map(Operand::Variable))
}

/// Returns true if a block calls the function last, and yields exactly its results.
pub fn ends_in_call(block: &Block, id: FunctionId) -> bool {
    match (block.statements.last(), &block.end) {
        (Some(Statement::Call { targets, function, .. }), End::Yield(results)) => {
            *function == id && are_targets(results, targets)
        }
        _ => false,
    }
}
