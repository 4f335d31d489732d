//! Rematerialisation: blocks that are rarely executed compute their operands again.
//!
//! ```text
//! r3 ... r8 = pop in row k2                 r3 ... r8 = pop in row k2
//! b20 = r19 = r19                           b20 = r19 = r19
//! if b20                                    if b20
//!   yield r19                         ~>      yield r19
//! else                                      else
//!                                             r30 ... r35 = reread 0 ... 5 in row k2
//!   r21 = guarded* r3 r4                      r21 = guarded* r30 r31
//! ```
//!
//! It is the last pass on storage code ([`super::PASSES`]). The guarded products of a region (`passes::guards::speculative`) are
//! plain ones in the usual case, and a branch on NaN leads to a block that computes all of them again, with guards. The block reads
//! most of what the region reads. There are more reals than registers, so a C compiler would store these operands in each
//! iteration, for the block alone. Instead the block loads them again, from the record of the iteration and from arrays, and
//! executes the operations on them again (Briggs, Cooper and Torczon 1992), at the one place where it costs nothing. The addresses
//! are hidden from C compilers ([`Storage::RereadInRow`], [`Storage::Apart`]), which would take the values of the first loads and
//! keep them.
//!
//! No bit changes. The operations are the same; the words of a record stay until the next iteration pops its own; an element is read
//! again if nothing has changed an array since. No step changes, since operations count none.

use super::words::{Place, places};
use crate::variables::free_variables;
use crate::{Block, End, Function, Kind, Operand, Statement, Storage, Unit, Variable};
use std::collections::{BTreeMap, HashMap, HashSet};
use vlad_table::Comparison;

/// The least number of reals that a block reads and computes again: fewer stay in registers.
const LEAST: usize = 6;

/// Lets the rarely executed blocks of a unit compute their operands again.
pub fn rematerialise(unit: &mut Unit) {
    for function in &mut unit.functions {
        let mut body = std::mem::take(&mut function.body);
        Walk { function, iteration: Iteration::default(), place: 0, last_change: 0 }.block(&mut body);
        function.body = body;
    }
}

/// The source of a variable that can be computed again.
enum Source {
    /// A word of the record at an address.
    Word(Variable, u64),
    /// An operation, or the element of an array.
    Statement(Statement),
}

/// The definition of a variable that can be computed again.
struct Definition {
    /// The place of the statement in the text.
    place: usize,
    /// The place where the first of the elements that it depends on was read: no array may have changed since.
    since: usize,
    source: Source,
}

/// The present iteration of the innermost loop, or the whole function.
#[derive(Default)]
struct Iteration {
    /// The variables that it has defined; without a definition if they cannot be computed again.
    definitions: HashMap<Variable, Option<Definition>>,
    /// The tests that are false for NaN alone.
    tests: HashSet<Variable>,
}

/// A walk over the statements of a function, in the order of the text.
struct Walk<'unit> {
    function: &'unit mut Function,
    iteration: Iteration,
    /// The place of the present statement.
    place: usize,
    /// The place of the last statement after which an array may have other elements, or its memory may be free.
    last_change: usize,
}

impl Walk<'_> {
    fn block(&mut self, block: &mut Block) {
        block.statements.iter_mut().for_each(|statement| self.statement(statement));
        if let End::Branch { test, consequent, alternative } = &mut block.end {
            if self.is_rare(*test, consequent, alternative) {
                self.compute_again(alternative);
            }
            self.block(consequent);
            self.block(alternative);
        }
    }

    /// Returns true for the block of a region that is executed if a test finds a NaN: the other block only yields what the region has
    /// computed, and neither repeats a loop.
    fn is_rare(&self, test: Operand, other: &Block, block: &Block) -> bool {
        let is_test = |test: Variable| self.iteration.tests.contains(&test);
        test.variable().is_some_and(is_test)
            && other.statements.is_empty()
            && other.end.yielded().is_some()
            && block.repeats().next().is_none()
    }

    fn statement(&mut self, statement: &mut Statement) {
        self.place += 1;
        if changes_arrays(statement) {
            self.last_change = self.place;
        }
        let around = statement.repeats().then(|| std::mem::take(&mut self.iteration));
        statement.block_mut().into_iter().for_each(|block| self.block(block));
        if let Some(around) = around {
            self.iteration = around;
        }
        self.define(statement);
    }

    /// Notes the variables that a statement defines.
    fn define(&mut self, statement: &Statement) {
        if let Statement::Storage(Storage::PopInRow { targets, address: Operand::Variable(address), row }) = statement
            && !row.is_packed
        {
            let kinds: Vec<Kind> = targets.iter().map(|target| self.function.kind((*target).into())).collect();
            for (target, place) in targets.iter().zip(places(&kinds).0) {
                let source = if let Place::Real(word) = place { Some(Source::Word(*address, word)) } else { None };
                let definition = source.map(|source| Definition { place: self.place, since: usize::MAX, source });
                self.iteration.definitions.insert(*target, definition);
            }
            return;
        }
        if let Statement::Compare { target, comparison: Comparison::Equal, first, second } = statement
            && first == second
        {
            self.iteration.tests.insert(*target);
        }
        for target in statement.targets() {
            let source = || Source::Statement(statement.clone());
            let definition = |since| Definition { place: self.place, since, source: source() };
            let definition = self.since(statement).map(definition);
            self.iteration.definitions.insert(*target, definition);
        }
    }

    /// The place where the first of the elements that the target of a statement depends on was read; none if the statement is not
    /// executed again.
    fn since(&self, statement: &Statement) -> Option<usize> {
        if let Statement::Element { target, .. } = statement {
            return (self.function.kind((*target).into()) == Kind::Real).then_some(self.place);
        }
        let Statement::Operation { operation, .. } = statement else { return None };
        let read = statement.operands().into_iter().filter_map(Operand::variable);
        let defined_here = read.filter_map(|read| self.iteration.definitions.get(&read));
        let since: Option<Vec<usize>> = defined_here.map(|definition| Some(definition.as_ref()?.since)).collect();
        let first = since.map(|since| since.into_iter().min().unwrap_or(usize::MAX));
        first.filter(|_| operation.is_instruction())
    }

    /// Lets a block compute again what it reads, if there is much of it.
    fn compute_again(&mut self, block: &mut Block) {
        let definition = |variable: Variable| self.iteration.definition(variable, self.last_change);
        let mut pending = free_variables(block);
        pending.retain(|variable| definition(*variable).is_some());
        if pending.len() < LEAST {
            return;
        }
        // The variables that are computed again, in the order of the text.
        let mut needed: BTreeMap<(usize, Variable), &Source> = BTreeMap::new();
        while let Some(variable) = pending.pop() {
            if let Some(Definition { place, source, .. }) = definition(variable)
                && needed.insert((*place, variable), source).is_none()
                && let Source::Statement(operation @ Statement::Operation { .. }) = source
            {
                pending.extend(operation.operands().into_iter().filter_map(Operand::variable));
            }
        }
        let mut copies = Copies::default();
        for ((_, variable), source) in needed {
            copies.add(self.function, variable, source);
        }
        copies.insert(block);
    }
}

impl Iteration {
    /// The definition by which a variable can be computed again, given the place of the last change of an array.
    fn definition(&self, variable: Variable, last_change: usize) -> Option<&Definition> {
        let definition = self.definitions.get(&variable)?.as_ref();
        definition.filter(|definition| definition.since > last_change)
    }
}

/// The statements that compute variables again.
#[derive(Default)]
struct Copies {
    /// For each address of a record the reals that are read there, and their words.
    records: BTreeMap<Variable, (Vec<Variable>, Vec<u64>)>,
    /// Copies of arrays, and the arrays.
    arrays: (Vec<Variable>, Vec<Operand>),
    /// The reading of elements, and the operations.
    computations: Vec<Statement>,
    /// The new names of variables.
    names: HashMap<Variable, Operand>,
}

impl Copies {
    /// Adds a variable, behind those that it depends on.
    fn add(&mut self, function: &mut Function, variable: Variable, source: &Source) {
        match source {
            Source::Word(address, word) => {
                let copy = self.name(function, variable);
                let (targets, words) = self.records.entry(*address).or_default();
                targets.push(copy);
                words.push(*word);
            }
            Source::Statement(statement) => {
                if let Statement::Element { array: Operand::Variable(array), .. } = statement
                    && !self.names.contains_key(array)
                {
                    let copy = self.name(function, *array);
                    self.arrays.0.push(copy);
                    self.arrays.1.push((*array).into());
                }
                let mut statement = statement.clone();
                statement.change_operands(|operand| operand.substitute(&self.names));
                let copy = self.name(function, variable);
                statement.targets_mut().fill(copy);
                self.computations.push(statement);
            }
        }
    }

    /// Gives a variable a new name.
    fn name(&mut self, function: &mut Function, variable: Variable) -> Variable {
        let copy = function.fresh(function.kind(variable.into()));
        self.names.insert(variable, copy.into());
        copy
    }

    /// Inserts the statements at the beginning of a block, which reads their targets.
    fn insert(self, block: &mut Block) {
        block.substitute(&self.names);
        let reread = |(address, (targets, words)): (Variable, (Vec<Variable>, Vec<u64>))| {
            Storage::RereadInRow { targets, address: address.into(), words }.into()
        };
        let (targets, values) = self.arrays;
        let apart = (!targets.is_empty()).then(|| Storage::Apart { targets, values }.into());
        let copies = self.records.into_iter().map(reread).chain(apart).chain(self.computations);
        let copies: Vec<Statement> = copies.collect();
        block.statements.splice(0..0, copies);
    }
}

/// Returns true if an array may have other elements after a statement, or its memory may be free.
fn changes_arrays(statement: &Statement) -> bool {
    statement.repeats()
        || matches!(
            statement,
            Statement::Store { .. }
                | Statement::Act { .. }
                | Statement::Call { .. }
                | Statement::Storage(Storage::Fill { .. } | Storage::FillRows { .. } | Storage::Keep { .. })
        )
}

#[cfg(test)]
mod tests {
    use crate::build::{Building, Code};
    use crate::check::check_without_levels;
    use crate::passes::Passes;
    use crate::random::{Difference, difference};
    use crate::storage::lower;
    use crate::storage::placement::Execution;
    use crate::template::{Step, Template};
    use crate::text::print::print;
    use crate::{End, Kind, Operand, Stack, Statement, Storage, Unit};
    use fastrand::Rng;
    use vlad_core::GlobalId;
    use vlad_table::{Comparison, Operation};

    /// A loop of so many iterations, with one real beside the counter.
    fn counted(
        code: &mut Code<'_>,
        count: f64,
        first: Operand,
        iteration: impl FnOnce(&mut Code<'_>, Operand) -> Operand,
    ) -> Operand {
        let body = |code: &mut Code<'_>, state: &[Operand]| {
            let test = code.compare(Comparison::Less, state[0], Operand::real(count));
            let goes_on = |code: &mut Code<'_>| {
                let next = iteration(code, state[1]);
                End::Repeat(vec![code.binary(Operation::Add, state[0], Operand::real(1.0)), next])
            };
            code.branch(test, goes_on, |_| End::Yield(vec![state[1]]))
        };
        code.run_loop(&[Kind::Real], &[Operand::real(0.0), first], body)[0]
    }

    /// Computes with some reals and adds what it computes to them; returns a sum of products of all.
    fn compute(rng: &mut Rng, code: &mut Code<'_>, reals: &mut Vec<Operand>, product: Operation) -> Operand {
        for _ in 0..rng.usize(0..6) {
            let operation = [product, Operation::Add, Operation::Subtract, Operation::Sine][rng.usize(0..4)];
            let [first, second] = [(); 2].map(|()| reals[rng.usize(0..reals.len())]);
            let is_sine = operation == Operation::Sine;
            reals.push(if is_sine { code.unary(operation, first) } else { code.binary(operation, first, second) });
        }
        reals.iter().fold(Operand::real(1.0), |sum, real| {
            let operation = if rng.bool() { product } else { Operation::Add };
            code.binary(operation, sum, *real)
        })
    }

    /// A unit with a loop that pops records, reads elements, and computes again with guards what is a NaN without.
    fn unit(seed: u64) -> Unit {
        let (mut building, mut rng) = (Building::default(), Rng::with_seed(seed));
        let steps = vec![Step::RealLeaf, Step::RealLeaf, Step::BooleanLeaf, Step::Pair, Step::Pair];
        building.unit.inputs = vec![(GlobalId(0), Template::of(steps))];
        building.entry(&[Kind::Real], |code| {
            let [x, y] = [0, 1].map(|input| code.input(Kind::Real, input));
            let element = |code: &mut Code<'_>, index| End::Yield(vec![code.binary(Operation::Multiply, index, x)]);
            let array = code.build(&[Kind::REALS], Operand::real(4.0), element)[0];
            let (count, size) = (f64::from(rng.u8(0..5)), rng.usize(3..9));
            counted(code, count, y, |code, state| {
                let mut reals = vec![x, y, state];
                let sum = compute(&mut rng, code, &mut reals, Operation::Multiply);
                let values = (0..size).map(|_| reals[rng.usize(0..reals.len())]).collect();
                code.push(Statement::Push { stack: Stack::Sweeps, values });
                sum
            });
            let last = counted(code, count, x, |code, state| {
                let mut reals = code.pop(&vec![Kind::Real; size]);
                reals.push(state);
                for _ in 0..rng.usize(0..6) {
                    reals.push(code.element(array, Operand::real(f64::from(rng.u8(0..4)))));
                }
                let plain = compute(&mut rng, code, &mut reals, Operation::Multiply);
                let test = code.compare(Comparison::Equal, plain, plain);
                let guarded = |code: &mut Code<'_>| {
                    End::Yield(vec![compute(&mut rng, code, &mut reals, Operation::GuardedMultiply)])
                };
                let block = code.block(|code| code.branch(test, |_| End::Yield(vec![plain]), guarded));
                code.bind_block(&[Kind::Real], block)[0]
            });
            End::Yield(vec![last])
        });
        building.finish()
    }

    #[test]
    fn random_regions_compute_the_same() {
        let (mut records, mut arrays, mut compared) = (0, 0, 0);
        for seed in 0..1500 {
            let before = unit(seed);
            let after = lower(&before, Execution::Machine, None, Passes::ALL);
            let text = || format!("seed {seed}:\n{}\n{}", print(&before, None), print(&after, None));
            assert_eq!(check_without_levels(&after), Ok(()), "{}", text());
            match difference(&before, &after, seed) {
                Difference::NotComparable => {}
                Difference::None => compared += 1,
                Difference::Found(difference) => panic!("{difference}\n{}", text()),
            }
            let function = &after.functions[0];
            let is_array = |value: &Operand| function.kind(*value).is_array();
            for statement in function.body.all_statements() {
                match statement {
                    Statement::Storage(Storage::RereadInRow { .. }) => records += 1,
                    Statement::Storage(Storage::Apart { values, .. }) => {
                        arrays += usize::from(values.iter().any(is_array))
                    }
                    _ => {}
                }
            }
        }
        assert!(records > 300 && arrays > 100 && compared > 1400, "{records} {arrays} {compared}");
    }
}
