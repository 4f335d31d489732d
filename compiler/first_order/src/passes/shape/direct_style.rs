//! Continuation-passing style as direct style, after Danvy, "Back to direct style" (1994).
//!
//! A function f(x, k) that ends by applying k to values, or by calling functions of the same kind with k or with a cell
//! that refers to k, becomes a function f'(x) that returns those values:
//!
//! | end of f | end of f' |
//! |---|---|
//! | apply k to v | yield v |
//! | call g with k | yield the results of a call of g' |
//! | call g with a new cell of the code h and k | yield the results of h' with the results of g' |
//!
//! f itself calls f' and applies k to the results. The code of continuations now follows calls, in the same order, on the
//! same values and with the same steps, so no bit changes at any level. A continuation takes no cell, and reverse mode
//! finds ordinary recursion.
//!
//! Functions that use k in another way - more than once on a path, not at all, in a value - keep it, and so do those that
//! would call them.

mod application;
mod uses;

use super::tail::merge_binds;
use crate::{Block, End, Function, FunctionId, Operand, Statement, Unit, Variable};
use application::{Application, Applied, Member};
use std::collections::{HashMap, HashSet};
use uses::{Frame, Passed, Uses, uses_of_continuations};

/// Makes direct style of continuation-passing style.
pub fn to_direct_style(unit: &mut Unit) {
    unit.functions.iter_mut().for_each(|function| merge_binds(&mut function.body));
    // Each conversion takes a continuation from a function that puts a cell before it, and changes the uses of others.
    while let Some((application, converted)) = next_conversion(unit) {
        convert(unit, &application, converted);
    }
}

/// An application, and functions that can be converted together, of which one puts a cell before its continuation.
fn next_conversion(unit: &Unit) -> Option<(Application, Vec<Uses>)> {
    let mut applications = Vec::new();
    let found = uses_of_continuations(unit, &mut applications);
    let puts_cells = |uses: &Uses| uses.passed.iter().any(|passed| !passed.frames.is_empty());
    applications.into_iter().enumerate().find_map(|(number, application)| {
        let converted = convertible(&found, number, &application);
        converted.iter().any(puts_cells).then_some((application, converted))
    })
}

/// The functions that can be converted together, all of which apply their continuations as one application says.
fn convertible(found: &[Uses], number: usize, application: &Application) -> Vec<Uses> {
    let fits = |uses: &&Uses| uses.applied.iter().all(|applied| *applied == number);
    let mut chosen: Vec<&Uses> = found.iter().filter(fits).collect();
    loop {
        let count = chosen.len();
        let places: HashSet<(FunctionId, usize)> = chosen.iter().map(|uses| (uses.function, uses.place)).collect();
        let takes = |frame: &Frame| {
            let member = application.member(&frame.parts, frame.next);
            member.is_some_and(|member| places.contains(&member.continuation()))
        };
        let is_fit =
            |passed: &Passed| places.contains(&(passed.function, passed.place)) && passed.frames.iter().all(takes);
        chosen.retain(|uses| uses.passed.iter().all(is_fit));
        if chosen.len() == count {
            // A function is converted for one continuation at a time.
            let mut functions = HashSet::new();
            chosen.retain(|uses| functions.insert(uses.function));
            if chosen.len() == count {
                return chosen.into_iter().cloned().collect();
            }
        }
    }
}

/// Converts functions.
fn convert(unit: &mut Unit, application: &Application, converted: Vec<Uses>) {
    let numbers = converted.iter().map(|uses| uses.function).zip(unit.functions.len() as u32..);
    let direct: HashMap<FunctionId, FunctionId> =
        numbers.map(|(before, number)| (before, FunctionId(number))).collect();
    for uses in converted {
        let Some(function) = unit.functions.get_mut(uses.function.0 as usize) else { continue };
        let Some(id) = direct.get(&uses.function) else { continue };
        let wrapper = wrapper(function, *id, uses.place, application);
        let mut function = std::mem::replace(function, wrapper);
        let mut body = std::mem::take(&mut function.body);
        let continuation = function.parameters.remove(uses.place);
        let mut passed = uses.passed.into_iter();
        let mut conversion = Conversion { application, continuation, direct: &direct, function: &mut function };
        conversion.block(&mut body, &mut passed);
        // The cells that refer to it are read no more.
        body.statements.insert(0, Statement::Cell { target: continuation, parts: Vec::new() });
        function.body = body;
        function.results.clone_from(&application.values);
        unit.functions.push(function);
    }
}

/// A function with the parameters and results of another one that calls that in direct style, and applies the
/// continuation.
fn wrapper(function: &Function, direct: FunctionId, place: usize, application: &Application) -> Function {
    let mut wrapper = Function {
        name: function.name.clone(),
        variables: Vec::new(),
        parameters: Vec::new(),
        results: function.results.clone(),
        body: Block::default(),
    };
    wrapper.parameters = wrapper.fresh_all(&function.kinds(&function.parameters));
    let mut arguments = Operand::all(&wrapper.parameters);
    let continuation = arguments.remove(place);
    let targets = wrapper.fresh_all(&application.values);
    let values = Operand::all(&targets);
    let mut body = application.block(continuation, &values, &mut wrapper);
    body.statements.insert(0, Statement::Call { targets, function: direct, arguments });
    wrapper.body = body;
    wrapper
}

struct Conversion<'unit> {
    application: &'unit Application,
    continuation: Variable,
    /// The functions in direct style.
    direct: &'unit HashMap<FunctionId, FunctionId>,
    function: &'unit mut Function,
}

impl Conversion<'_> {
    /// Converts the ends of a block; the calls that pass a continuation are given in their order.
    fn block(&mut self, block: &mut Block, passed: &mut impl Iterator<Item = Passed>) {
        // Another cell that is applied is given the continuation, as calls are.
        if let Some(Applied { place, values, cell, .. }) = application::applied(block, self.function)
            && cell == Operand::Variable(self.continuation)
        {
            block.statements.truncate(place);
            block.end = End::Yield(values);
            return;
        }
        match &mut block.end {
            End::Branch { consequent, alternative, .. } => {
                self.block(consequent, passed);
                self.block(alternative, passed);
            }
            End::Yield(_) => {
                if let Some(Statement::Call { arguments, .. }) = block.statements.pop()
                    && let Some(passed) = passed.next()
                {
                    block.end = End::Yield(self.calls(passed, arguments, &mut block.statements));
                }
            }
            End::Repeat(_) | End::BailOut(_) => {}
        }
    }

    /// Calls a function, and after it what its continuation does up to that of the function around.
    fn calls(&mut self, passed: Passed, mut arguments: Vec<Operand>, statements: &mut Vec<Statement>) -> Vec<Operand> {
        arguments.remove(passed.place);
        let mut values = self.call(passed.function, arguments, statements);
        for frame in &passed.frames {
            let Some(Member { steps, function, arguments, .. }) = self.application.member(&frame.parts, frame.next)
            else {
                vlad_table::internal_bug!("the code of each cell is known");
            };
            if steps > 0 {
                statements.push(Statement::Count { steps });
            }
            values = self.call(function, [arguments, values].concat(), statements);
        }
        values
    }

    fn call(&mut self, of: FunctionId, arguments: Vec<Operand>, statements: &mut Vec<Statement>) -> Vec<Operand> {
        let Some(function) = self.direct.get(&of).copied() else {
            vlad_table::internal_bug!("function {} is in direct style", of.0);
        };
        let targets = self.function.fresh_all(&self.application.values);
        let values = Operand::all(&targets);
        statements.push(Statement::Call { targets, function, arguments });
        values
    }
}

#[cfg(test)]
mod tests;
