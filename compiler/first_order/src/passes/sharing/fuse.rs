//! Fusion: loops and calls that decide alike become one, which computes what they have in common once.
//!
//! The forward passes of a gradient, one for each direction, compute the same primals and take the same branches; only their
//! tangents differ. Two loops of one block become one if [`merge`] succeeds. Two calls become a call of a new function, if it is at
//! least a quarter smaller than the two together. The second one is moved to the first, with the operations that it needs.
//!
//! No value changes: operations keep their operands, and pure code may be executed earlier. The second of two loops ends and fails
//! exactly if the first does, so it may be moved before code that would not have been reached. No effect stands between them, nor in
//! them. Steps are those of both.

mod merge;

use crate::effects::pure_functions;
use crate::passes::shape::tidy::simplify::simplify;
use crate::{Block, End, Function, FunctionId, FunctionTable, Kind, Operand, Statement, Unit, Variable};
use merge::{Knowledge, Merge, MergeCalls, MergedCall, contains_loop_or_call, equal_results};
use std::collections::{HashMap, HashSet};
use vlad_core::ExpressionId;

/// The number of functions that are made of two in a unit.
const MOST_MERGED: usize = 128;

/// The number of earlier loops and calls with which one is compared.
const MOST_COMPARED: usize = 12;

/// Fuses the loops and calls of a unit.
pub fn fuse(unit: &mut Unit) {
    let are_pure = pure_functions(unit);
    let mut functions = Functions { unit, are_pure, merged: HashMap::new(), order: Vec::new(), made: 0 };
    for id in functions.unit.ids() {
        // A merge may look at the function, so it stays as it is until then.
        let body = functions.unit.function(id).body.clone();
        functions.unit.function_mut(id).body = functions.block(body);
    }
}

/// The functions of a unit, and what is known of them.
struct Functions<'unit> {
    unit: &'unit mut Unit,
    /// For each function, true if it depends on its arguments alone, and has no effects.
    are_pure: FunctionTable<bool>,
    /// The functions that were made of two, by these and by the way in which their arguments are equal; none where that
    /// does not pay.
    merged: HashMap<Equality, Option<Merged>>,
    /// The entries of the table in the order in which they were made.
    order: Vec<Equality>,
    made: usize,
}

/// Two functions, and their arguments with numbers in place of variables.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Equality {
    functions: [FunctionId; 2],
    arguments: Vec<Operand>,
}

/// A function made of two.
#[derive(Clone)]
struct Merged {
    function: FunctionId,
    /// For each result of the second function the equal result of the first; while the function is being made, an
    /// assumption.
    same: Vec<Option<usize>>,
    is_assumed: bool,
}

impl Functions<'_> {
    fn block(&mut self, block: Block) -> Block {
        let mut statements: Vec<Statement> = Vec::with_capacity(block.statements.len());
        // Results of fused statements that are equal may make equal the operations on them, and loops that begin there.
        let mut known = Knowledge::default();
        for mut statement in block.statements {
            known.replace_in(&mut statement);
            if known.is_known(&statement) {
                continue;
            }
            if let Some(inner) = statement.block_mut() {
                *inner = self.block(std::mem::take(inner));
            }
            match self.fused(&statements, &statement) {
                Some((fused, learned)) => {
                    statements = fused;
                    known.learn_from(&learned, statement.targets());
                }
                None => {
                    known.remember(&statement);
                    statements.push(statement);
                }
            }
        }
        let mut end = Block { statements: Vec::new(), end: block.end };
        end.rename(&mut |operand| known.replace(operand), &mut |_| {});
        let mut end = end.end;
        for inner in end.blocks_mut().into_iter().flatten() {
            *inner = self.block(std::mem::take(inner));
        }
        Block { statements, end }
    }

    /// The statements of a block with a further one, if that is fused with one of them, and what is known of its results.
    fn fused(&mut self, statements: &[Statement], last: &Statement) -> Option<(Vec<Statement>, Knowledge)> {
        if !contains_loop_or_call(last) || !last.is_pure(&self.are_pure) {
            return None;
        }
        let mut needed: HashSet<Variable> = last.variables_read().collect();
        let (mut moved, mut compared) = (Vec::new(), 0);
        for (place, earlier) in statements.iter().enumerate().rev() {
            if !earlier.is_pure(&self.are_pure) {
                return None;
            }
            let is_needed = earlier.targets().iter().any(|target| needed.contains(target));
            if contains_loop_or_call(earlier) {
                if is_needed || compared == MOST_COMPARED {
                    return None;
                }
                compared += 1;
                let mut merge = Merge::new(self);
                if let Some(fused) = merge.constructs(earlier, last) {
                    let known = merge.knowledge();
                    let (before, after) = statements.split_at(place);
                    let after = after.iter().enumerate().skip(1);
                    let stays = after.filter(|(offset, _)| !moved.contains(&(place + offset)));
                    let stays: Vec<Statement> = stays.map(|(_, statement)| statement.clone()).collect();
                    moved.reverse();
                    let moved = moved.iter().filter_map(|place| statements.get(*place)).cloned();
                    return Some((before.iter().cloned().chain(moved).chain([fused]).chain(stays).collect(), known));
                }
            } else if is_needed {
                moved.push(place);
                needed.extend(earlier.variables_read());
            }
        }
        None
    }

    /// Makes a function of two.
    fn make(&mut self, key: &Equality, of_first: usize) -> Option<Merged> {
        if self.made == MOST_MERGED {
            return None;
        }
        self.made += 1;
        let (arguments, others) = key.arguments.split_at(of_first);
        let [first, second] = key.functions.map(|function| self.unit.function(function).clone());
        let (first, second) = (with_constants(first, arguments), with_constants(second, others));
        let count = second.results.len();
        // Recursion may be decided by the results: assume that they are equal if they may be.
        let mut same: Vec<Option<usize>> = match first.results == second.results {
            true => (0..count).map(Some).collect(),
            false => vec![None; count],
        };
        let function = FunctionId(self.unit.functions.len() as u32);
        let begun = self.order.len();
        loop {
            let mut new = joined(&first, &second, key, of_first);
            let parts = std::mem::replace(&mut new.body, unreachable()).statements;
            if self.unit.functions.len() == function.0 as usize {
                // It stays like this if it is not used.
                self.unit.functions.push(new.clone());
                self.are_pure.push(true);
            }
            self.remember(key, Some(Merged { function, same: same.clone(), is_assumed: false }));
            new.body = self.merged_body(parts)?;
            simplify(&mut new);
            let found = equal_results(&new.body, first.results.len(), count);
            let is_assumed = self.merged.get(key).and_then(Option::as_ref).is_some_and(|merged| merged.is_assumed);
            let is_wrong = is_assumed && same.iter().zip(&found).any(|(same, found)| same.is_some() && same != found);
            if is_wrong {
                // What was made under the assumption is made again.
                for key in self.order.drain(begun..) {
                    self.merged.remove(&key);
                }
                for (same, found) in same.iter_mut().zip(&found) {
                    *same = same.filter(|_| *same == *found);
                }
                continue;
            }
            let sizes = first.body.size() + second.body.size();
            if 4 * new.body.size() > 3 * sizes {
                for key in self.order.drain(begun..) {
                    self.merged.remove(&key);
                }
                self.remember(key, None);
                return None;
            }
            let same = if is_assumed { same } else { found };
            *self.unit.function_mut(function) = new;
            let merged = Merged { function, same, is_assumed };
            self.remember(key, Some(merged.clone()));
            return Some(merged);
        }
    }

    fn remember(&mut self, key: &Equality, merged: Option<Merged>) {
        if self.merged.insert(key.clone(), merged).is_none() {
            self.order.push(key.clone());
        }
    }

    /// The body of a function made of two, each of which is a bind.
    fn merged_body(&mut self, parts: Vec<Statement>) -> Option<Block> {
        let mut blocks = parts.into_iter().map(|part| match part {
            Statement::Bind { targets, block } => {
                if matches!(block.end, End::Yield(_)) {
                    return block;
                }
                let end = End::Yield(Operand::all(&targets));
                Block { statements: vec![Statement::Bind { targets, block }], end }
            }
            other => Block { statements: vec![other], end: End::Yield(Vec::new()) },
        });
        let (first, second) = (blocks.next()?, blocks.next()?);
        Merge::new(self).blocks(first, second)
    }
}

impl MergeCalls for Functions<'_> {
    fn merged(&mut self, functions: [FunctionId; 2], arguments: [&[Operand]; 2]) -> Option<MergedCall> {
        let mut variables: Vec<Variable> = Vec::new();
        let mut is_shared = false;
        let mut numbered = Vec::new();
        for (which, arguments) in arguments.iter().enumerate() {
            let of_first = variables.len();
            for argument in *arguments {
                let Operand::Variable(variable) = argument else {
                    numbered.push(*argument);
                    continue;
                };
                let known = variables.iter().position(|known| known == variable);
                is_shared |= which == 1 && known.is_some_and(|known| known < of_first);
                let number = known.unwrap_or(variables.len());
                if known.is_none() {
                    variables.push(*variable);
                }
                numbered.push(Operand::Variable(Variable(number as u32)));
            }
        }
        let are_pure = functions.iter().all(|function| self.are_pure[*function]);
        if !are_pure || !is_shared && !variables.is_empty() {
            return None;
        }
        let key = Equality { functions, arguments: numbered };
        let merged = match self.merged.get_mut(&key) {
            Some(Some(merged)) => {
                merged.is_assumed = true;
                Some(merged.clone())
            }
            Some(None) => None,
            None => self.make(&key, arguments[0].len()),
        }?;
        let arguments = variables.into_iter().map(Operand::Variable).collect();
        Some(MergedCall { function: merged.function, arguments, same: merged.same })
    }
}

/// A function that knows its constant arguments: what is computed of them may be equal to constants of another function.
fn with_constants(mut function: Function, arguments: &[Operand]) -> Function {
    let given = function.parameters.iter().copied().zip(arguments.iter().copied());
    let constants: HashMap<Variable, Operand> =
        given.filter(|(_, argument)| !matches!(argument, Operand::Variable(_))).collect();
    if !constants.is_empty() {
        function.body.substitute(&constants);
        simplify(&mut function);
    }
    function
}

/// The body of a function that nobody calls.
fn unreachable() -> Block {
    Block { statements: Vec::new(), end: End::BailOut(ExpressionId(0)) }
}

/// A function whose body is two binds: the bodies of two functions on the arguments of a key.
fn joined(first: &Function, second: &Function, key: &Equality, of_first: usize) -> Function {
    let is_one = first.name == second.name;
    let name = if is_one { first.name.clone() } else { format!("{}_{}", first.name, second.name) };
    let mut kinds: Vec<Option<Kind>> = Vec::new();
    let parameters = first.parameters.iter().map(|parameter| (first, *parameter));
    let parameters = parameters.chain(second.parameters.iter().map(|parameter| (second, *parameter)));
    for ((function, parameter), argument) in parameters.zip(&key.arguments) {
        if let Operand::Variable(number) = argument {
            let number = number.0 as usize;
            kinds.resize(kinds.len().max(number + 1), None);
            if let Some(kind) = kinds.get_mut(number) {
                *kind = Some(function.kind(Operand::Variable(parameter)));
            }
        }
    }
    let variables: Vec<Kind> = kinds.into_iter().flatten().collect();
    let mut new = Function {
        name,
        parameters: (0..variables.len() as u32).map(Variable).collect(),
        variables,
        results: [&first.results[..], &second.results].concat(),
        body: Block::default(),
    };
    let (of_first, of_second) = key.arguments.split_at(of_first);
    for (function, arguments) in [(first, of_first), (second, of_second)] {
        let (targets, block) = imported(&mut new, function, arguments);
        new.body.statements.push(Statement::Bind { targets, block });
    }
    new
}

/// The body of a function on some arguments in the variables of another one, and new variables for its results.
fn imported(into: &mut Function, function: &Function, arguments: &[Operand]) -> (Vec<Variable>, Block) {
    let offset = into.variables.len() as u32;
    into.variables.extend(&function.variables);
    let values: HashMap<Variable, Operand> =
        function.parameters.iter().copied().zip(arguments.iter().copied()).collect();
    let mut body = function.body.clone();
    let mut rename = |operand: &mut Operand| {
        if let Operand::Variable(variable) = operand {
            let inner = Operand::Variable(Variable(variable.0 + offset));
            *operand = values.get(variable).copied().unwrap_or(inner);
        }
    };
    body.rename(&mut rename, &mut |target| target.0 += offset);
    let targets = into.fresh_all(&function.results);
    (targets, body)
}

#[cfg(test)]
mod tests;
