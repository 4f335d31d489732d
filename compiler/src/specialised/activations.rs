//! Calls of functions, and the ways out of them, with what they count: turns, steps and the depth of recursion.
//!
//! A function with a loop has the steps that it counts in a local, and adds them to the shared number at its end. A function of a fast path
//! ([`vlad_first_order::storage::fast_path`]) returns at once where the usual code would bail out, or needs more memory.

use super::function::{Body, operand, shared};
use crate::c::{Expression as C, Infix, Statement as S};
use vlad_first_order::{Block, End, FunctionId, Operand, Variable};

impl Body<'_> {
    /// Calls a function, in tail position or not.
    pub fn call(
        &self,
        targets: &[Variable],
        callee: FunctionId,
        arguments: &[Operand],
        is_tail: bool,
        out: &mut Vec<S>,
    ) {
        let mut arguments: Vec<C> = arguments.iter().copied().map(operand).collect();
        if self.scope.takes_structure(callee) {
            // One after another: calls of the same function may follow in the same scope.
            let (ctype, name) =
                (format!("struct {}", self.scope.operands_name(callee)).into(), format!("operands{}", out.len()));
            out.push(S::Define { ctype, name: name.clone(), value: C::Braces(arguments) });
            arguments = vec![C::Name(name).prefix("&")];
        }
        arguments.splice(0..0, [C::name("m")].into_iter().chain(self.depth_of(callee, is_tail)));
        let call = C::call(self.scope.function_name(callee), arguments);
        let shares_turns = self.scope.calls.takes_turns(callee);
        if shares_turns {
            self.give_turns(out);
        }
        match targets {
            [] => out.push(S::Evaluate(call)),
            [target] => self.define(*target, call, out),
            [first, ..] => {
                let name = format!("results{}", first.0);
                let ctype = self.scope.results_type(callee);
                out.push(S::Define { ctype, name: name.clone(), value: call });
                for (target, place) in targets.iter().zip(0..) {
                    self.define(*target, C::name(&name).dot(format!("r{place}")), out);
                }
            }
        }
        if shares_turns && self.has_turns {
            out.push(S::Assign(C::name("turns"), shared("turns")));
        }
    }

    /// The depth of recursion at which a function that calls itself is entered: in its cycle one more than that of the caller,
    /// unless the call is in tail position, or closes no cycle.
    fn depth_of(&self, callee: FunctionId, is_tail: bool) -> Option<C> {
        let cycle = self.scope.calls.cycle(callee)?;
        Some(match self.scope.calls.cycle(self.id) == Some(cycle) {
            false => C::Number(0),
            true if is_tail || !self.scope.calls.closes_cycle(callee) => C::name("depth"),
            true => C::name("depth").infix(Infix::Add, C::Number(1)),
        })
    }

    /// Returns results from the function.
    pub fn give_results(&self, values: &[Operand], out: &mut Vec<S>) {
        self.give_turns(out);
        if self.has_steps {
            out.push(S::Add(shared("steps"), C::name("steps")));
        }
        match values {
            [] => {}
            [value] => out.push(S::Return(operand(*value))),
            values => {
                let value = C::Braces(values.iter().copied().map(operand).collect());
                let (ctype, name) = (self.scope.results_type(self.id), "results".to_owned());
                out.extend([S::Define { ctype, name, value }, S::Return(C::name("results"))]);
            }
        }
    }

    /// Gives the turns back to the machine, if they are in a local.
    fn give_turns(&self, out: &mut Vec<S>) {
        if self.has_turns {
            out.push(S::Assign(shared("turns"), C::name("turns")));
        }
    }

    /// The place where the function counts steps.
    pub fn counter(&self) -> C {
        if self.has_steps { C::name("steps") } else { shared("steps") }
    }

    /// The number of steps counted so far, but for those in locals of callers: differences are taken of it.
    pub fn steps_so_far(&self) -> C {
        if self.has_steps { shared("steps").infix(Infix::Add, self.counter()) } else { self.counter() }
    }

    /// Leaves the function of a fast path; its results are not read.
    pub fn leave(&self, out: &mut Vec<S>) {
        out.push(S::Assign(C::machine("status"), C::name("VLAD_AGAIN")));
        let (ctype, name) = (self.scope.head(self.id).result, "none".to_owned());
        out.push(S::Define { ctype, name, value: C::Braces(vec![C::Number(0)]) });
        out.push(S::Return(C::name("none")));
    }

    /// The C of the test of a branch; on a fast path with the outcome that is likely, if the other block leaves the function.
    pub fn test(&self, test: Operand, [consequent, alternative]: [&Block; 2]) -> C {
        let leaves = |block: &Block| self.scope.is_fast_path && matches!(block.end, End::BailOut(_));
        match (leaves(consequent), leaves(alternative)) {
            (false, true) => C::call("VLAD_LIKELY", [operand(test)]),
            (true, false) => C::call("VLAD_UNLIKELY", [operand(test)]),
            (false, false) | (true, true) => operand(test),
        }
    }

    /// On a fast path, leaves the function unless a condition holds under which there is memory for an array.
    pub fn require(&self, condition: C, out: &mut Vec<S>) {
        if self.scope.is_fast_path {
            let mut then = Vec::new();
            self.leave(&mut then);
            out.push(S::when(C::call("VLAD_UNLIKELY", [condition.prefix("!")]), then));
        }
    }
}
