//! Random units: the inputs of tests that compare bits before and after a pass.
//!
//! Units are well formed and end: functions call functions with higher numbers; recursion, of a function or of a pair of
//! them, and loops count down. Operands are chosen such that values are often aliases of one another: arguments given
//! twice, results that are arguments, state that starts as an outer variable or changes places.

mod arrays;
mod cells;
mod choice;
mod compare;
mod dials;
mod replacements;

use super::build::{Building, Code};
use super::template::{Line, Step, Template};
use super::{End, FunctionId, Kind, Operand, Stack, Statement, Unit};
use choice::Pool;
pub use compare::{Difference, Observed, compare, difference, observe, taken};
pub use dials::Dials;
use fastrand::Rng;
use std::ops::Range;
use vlad_core::{ExpressionId, GlobalId};
use vlad_table::operations::OPERATIONS;
use vlad_table::{Arity, Comparison, Operation};

/// A random unit.
pub fn unit(seed: u64, dials: Dials) -> Unit {
    let mut rng = Rng::with_seed(seed);
    let mut building = Building::default();
    let mut signatures: Vec<Signature> = Vec::new();
    while signatures.len() < dials.functions {
        let (number, draw) = (signatures.len(), rng.u32(0..100));
        let recursion = if draw >= dials.recursion {
            Recursion::None
        } else if draw % 3 == 0 && number + 1 < dials.functions {
            Recursion::Pair(number, number + 1)
        } else {
            Recursion::Pair(number, number)
        };
        let mut parameters = [kinds(&mut rng, &dials, 0..3), vec![Kind::Real], kinds(&mut rng, &dials, 0..3)].concat();
        if recursion != Recursion::None {
            parameters.insert(0, Kind::Real);
        }
        let mut results = [kinds(&mut rng, &dials, 0..2), vec![Kind::Real], kinds(&mut rng, &dials, 0..2)].concat();
        // Cells do not leave a level: most functions can be called at one.
        if dials.cells > 0 && rng.u8(0..3) > 0 {
            results.retain(|kind| *kind != Kind::Cell);
        }
        let members = if let Recursion::Pair(first, second) = recursion { second - first + 1 } else { 1 };
        for _ in 0..members {
            let id = building.declare("f", &parameters, &results);
            signatures.push(Signature { id, parameters: parameters.clone(), results: results.clone(), recursion });
        }
    }
    building.unit.inputs = vec![(
        GlobalId(0),
        Template::of(vec![Step::RealLeaf, Step::RealLeaf, Step::BooleanLeaf, Step::Pair, Step::Pair]),
    )];
    building.unit.written = [vec![Step::RealLeaf], vec![Step::RealLeaf, Step::BooleanLeaf, Step::Pair]]
        .map(|steps| Line::of(Template::of(steps)))
        .into();
    let mut writer = Writer { rng, dials, signatures };
    for number in (0..writer.signatures.len()).rev() {
        let signature = writer.signatures[number].clone();
        building.define(signature.id, |code, parameters| writer.function(code, number, &signature, parameters));
    }
    let results: Vec<Kind> = [vec![Kind::Real; 9], vec![Kind::Boolean]].concat();
    building.entry(&results, |code| {
        let mut pool = Pool::default();
        for (kind, number) in [(Kind::Real, 0), (Kind::Real, 1), (Kind::Boolean, 2)] {
            pool.add(kind, code.input(kind, number));
        }
        let place = Place { calls_from: 0, recursive: None, depth: 0, results: &results };
        let mut observed = Pool::default();
        for _ in 0..3 {
            writer.statements(code, &mut pool, place, 3);
            let level = writer.level();
            let given = writer.call(code, &mut pool, place, level);
            observed.add_all(code, &given);
        }
        let reals = observed.reals.iter().chain(&pool.reals).rev().take(9).copied();
        let mut yielded: Vec<Operand> = reals.collect();
        yielded.resize(9, Operand::real(0.0));
        yielded.push(writer.boolean(&observed));
        End::Yield(yielded)
    });
    building.finish()
}

fn kinds(rng: &mut Rng, dials: &Dials, count: Range<usize>) -> Vec<Kind> {
    let count = rng.usize(count);
    let mut kind = |_| match rng.u8(0..20) {
        0..4 => Kind::Boolean,
        4..8 if dials.arrays > 0 => arrays::kind(rng),
        8..12 if dials.cells > 0 => Kind::Cell,
        _ => Kind::Real,
    };
    (0..count).map(&mut kind).collect()
}

/// Returns true for a kind of arguments that may be active.
fn may_vary(kind: Kind) -> bool {
    kind.is_differentiable() && kind != Kind::Cell
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Recursion {
    None,
    /// Between the functions of two numbers, possibly one.
    Pair(usize, usize),
}

#[derive(Clone, Debug)]
struct Signature {
    id: FunctionId,
    parameters: Vec<Kind>,
    results: Vec<Kind>,
    recursion: Recursion,
}

/// The place of a block.
#[derive(Clone, Copy)]
struct Place<'place> {
    /// The first function that may be called.
    calls_from: usize,
    /// The function to call again, and the counter to give it.
    recursive: Option<(FunctionId, Operand)>,
    depth: u32,
    /// The kinds that the block yields.
    results: &'place [Kind],
}

/// The level of a call.
#[derive(Clone, Copy)]
enum Level {
    None,
    Forward,
    Reverse,
}

struct Writer {
    rng: Rng,
    dials: Dials,
    signatures: Vec<Signature>,
}

impl Writer {
    fn function(&mut self, code: &mut Code<'_>, number: usize, signature: &Signature, parameters: &[Operand]) -> End {
        let mut pool = Pool::default();
        pool.add_all(code, parameters);
        let mut place = Place { calls_from: number + 1, recursive: None, depth: 0, results: &signature.results };
        let Recursion::Pair(first, second) = signature.recursion else {
            self.statements(code, &mut pool, place, self.dials.statements);
            return self.end(code, &mut pool, place);
        };
        place.calls_from = second + 1;
        let partner = self.signatures[if number == first { second } else { first }].id;
        let ends = code.compare(Comparison::Less, parameters[0], Operand::real(1.0));
        let mut step_pool = pool.clone();
        let mut base = |code: &mut Code<'_>| {
            self.statements(code, &mut pool, place, 3);
            self.end(code, &mut pool, place)
        };
        let consequent = code.block(&mut base);
        let alternative = code.block(|code| {
            let counter = code.binary(Operation::Subtract, parameters[0], Operand::real(1.0));
            self.statements(code, &mut step_pool, place, 3);
            if self.percent(60) {
                let arguments = self.recursive_arguments(code, counter, &signature.parameters, &step_pool);
                let results = code.call(partner, &arguments);
                step_pool.add_all(code, &results);
                self.statements(code, &mut step_pool, place, 2);
            }
            let place = Place { recursive: Some((partner, counter)), ..place };
            self.end(code, &mut step_pool, place)
        });
        End::Branch { test: ends, consequent: Box::new(consequent), alternative: Box::new(alternative) }
    }

    /// Arguments of a recursive call: the counter first, some parameters as they are.
    fn recursive_arguments(
        &mut self,
        code: &mut Code<'_>,
        counter: Operand,
        parameters: &[Kind],
        pool: &Pool,
    ) -> Vec<Operand> {
        let mut arguments = self.of_kinds(code, parameters, pool);
        let (mut reals, mut booleans) = (pool.reals.iter(), pool.booleans.iter());
        for (argument, kind) in arguments.iter_mut().zip(parameters) {
            // The operands of the pool begin with the parameters.
            let same = match kind {
                Kind::Integer => vlad_table::internal_bug!("first-order code has no integers"),
                Kind::Real => reals.next(),
                Kind::Boolean => booleans.next(),
                Kind::Array(_) | Kind::Cell => None,
            };
            if let Some(same) = same
                && self.percent(30)
            {
                *argument = *same;
            }
        }
        arguments[0] = counter;
        arguments
    }

    fn statements(&mut self, code: &mut Code<'_>, pool: &mut Pool, place: Place<'_>, most: usize) {
        let most = if place.depth > 0 { most.min(4) } else { most };
        for _ in 0..self.rng.usize(most / 2..=most) {
            self.statement(code, pool, place);
        }
    }

    fn statement(&mut self, code: &mut Code<'_>, pool: &mut Pool, place: Place<'_>) {
        let dials = self.dials;
        let nested = |weight: u32| if place.depth < 4 { weight } else { 0 };
        let called = |weight: u32| if place.calls_from < self.signatures.len() { weight } else { 0 };
        let weights = [
            dials.operations,
            4,
            8,
            nested(dials.branches),
            nested(dials.loops),
            called(dials.calls),
            called(dials.forward),
            called(dials.reverse),
            dials.effects,
            nested(dials.records),
            nested(dials.arrays),
            nested(dials.cells),
        ];
        let mut draw = self.rng.u32(0..weights.iter().sum());
        let mut choice = 0;
        while draw >= weights[choice] {
            draw -= weights[choice];
            choice += 1;
        }
        match choice {
            0 => self.operation(code, pool),
            1 => {
                let operand = self.real(pool);
                pool.reals.push(code.positive_zero(operand));
            }
            2 => {
                let operands = self.of_kinds(code, &[Kind::Real, Kind::Real], pool);
                let comparison = self.comparison();
                pool.booleans.push(code.compare(comparison, operands[0], operands[1]));
            }
            3 => {
                let results = kinds(&mut self.rng, &self.dials, 0..4);
                let inner = Place { depth: place.depth + 1, results: &results, recursive: None, ..place };
                let bound = code.bind(&results, |code| {
                    let mut pool = pool.clone();
                    self.statements(code, &mut pool, inner, 3);
                    self.end(code, &mut pool, inner)
                });
                pool.add_all(code, &bound);
            }
            4 => self.repeated(code, pool, place),
            5 => drop(self.call(code, pool, place, Level::None)),
            6 => drop(self.call(code, pool, place, Level::Forward)),
            7 => drop(self.call(code, pool, place, Level::Reverse)),
            8 => self.effect(code, pool),
            10 => self.on_arrays(code, pool, place),
            11 => self.on_cells(code, pool, place),
            _ => {
                let values = kinds(&mut self.rng, &self.dials, 1..4);
                let operands = self.of_kinds(code, &values, pool);
                code.push(Statement::Push { stack: Stack::Sweeps, values: operands });
                self.statements(code, pool, Place { depth: place.depth + 1, ..place }, 2);
                let popped = code.pop(&values);
                pool.add_all(code, &popped);
            }
        }
    }

    fn operation(&mut self, code: &mut Code<'_>, pool: &mut Pool) {
        const USUAL: [Operation; 5] =
            [Operation::Add, Operation::Add, Operation::Subtract, Operation::Multiply, Operation::GuardedMultiply];
        let operands = self.of_kinds(code, &[Kind::Real, Kind::Real], pool);
        let one = Operand::real(1.0);
        pool.reals.push(match self.rng.u32(0..100) {
            // Values that are moved, as nodes of their own.
            0..8 => code.unary(Operation::Copy, operands[0]),
            8..16 => code.binary(Operation::Multiply, operands[0], one),
            // Values that stay moderate.
            16..26 => code.unary(Operation::Sine, operands[0]),
            26..88 => code.binary(USUAL[self.rng.usize(0..USUAL.len())], operands[0], operands[1]),
            _ => {
                let operation = OPERATIONS[self.rng.usize(0..OPERATIONS.len())].operation;
                match operation.arity() {
                    Arity::One => code.unary(operation, operands[0]),
                    Arity::Two => code.binary(operation, operands[0], operands[1]),
                }
            }
        });
    }

    fn effect(&mut self, code: &mut Code<'_>, pool: &mut Pool) {
        match self.rng.u8(0..4) {
            0 => pool.reals.push(code.read()),
            1 => {
                let leaves = vec![self.real(pool)];
                code.push(Statement::Write { template: 0, leaves });
            }
            2 => {
                let leaves = self.of_kinds(code, &[Kind::Real, Kind::Boolean], pool);
                code.push(Statement::Write { template: 1, leaves });
            }
            _ => code.push(Statement::Count { steps: self.rng.u64(1..9) }),
        }
    }

    /// A loop of at most four iterations.
    fn repeated(&mut self, code: &mut Code<'_>, pool: &mut Pool, place: Place<'_>) {
        let results = kinds(&mut self.rng, &self.dials, 0..4);
        let mut of_state = vec![Kind::Real];
        of_state.extend(kinds(&mut self.rng, &self.dials, 0..4));
        let mut initial = self.of_kinds(code, &of_state, pool);
        initial[0] = Operand::real(f64::from(self.rng.u8(0..4)));
        let inner = Place { depth: place.depth + 1, results: &results, recursive: None, ..place };
        let bound = code.run_loop(&results, &initial, |code, state| {
            let mut pool = pool.clone();
            pool.add_all(code, state);
            self.statements(code, &mut pool, inner, 3);
            let ends = code.compare(Comparison::Less, state[0], Operand::real(1.0));
            let mut rest = pool.clone();
            let consequent = code.block(|code| self.end(code, &mut pool, inner));
            let alternative = code.block(|code| {
                let counter = code.binary(Operation::Subtract, state[0], Operand::real(1.0));
                self.repeat_end(code, &mut rest, inner, &of_state, state, counter)
            });
            End::Branch { test: ends, consequent: Box::new(consequent), alternative: Box::new(alternative) }
        });
        pool.add_all(code, &bound);
    }

    fn repeat_end(
        &mut self,
        code: &mut Code<'_>,
        pool: &mut Pool,
        place: Place<'_>,
        of_state: &[Kind],
        state: &[Operand],
        counter: Operand,
    ) -> End {
        let inner = Place { depth: place.depth + 1, ..place };
        self.statements(code, pool, inner, 2);
        if place.depth < 5 && self.percent(self.dials.branches) {
            let test = self.boolean(pool);
            let mut other = pool.clone();
            let consequent = code.block(|code| self.repeat_end(code, pool, inner, of_state, state, counter));
            let alternative = code.block(|code| match self.percent(50) {
                true => self.repeat_end(code, &mut other, inner, of_state, state, counter),
                false => self.end(code, &mut other, inner),
            });
            return End::Branch { test, consequent: Box::new(consequent), alternative: Box::new(alternative) };
        }
        self.mix(code, pool);
        let mut next = self.of_kinds(code, of_state, pool);
        for place in 0..next.len() {
            if self.percent(40) {
                // Its own value, or that of another variable of the state.
                let from = if self.rng.bool() { place } else { self.rng.usize(0..state.len()) };
                if of_state[from] == of_state[place] {
                    next[place] = state[from];
                }
            }
        }
        next[0] = counter;
        End::Repeat(next)
    }

    fn call(&mut self, code: &mut Code<'_>, pool: &mut Pool, place: Place<'_>, level: Level) -> Vec<Operand> {
        let callee = self.signatures[self.rng.usize(place.calls_from..self.signatures.len())].clone();
        let mut arguments = self.of_kinds(code, &callee.parameters, pool);
        if callee.recursion != Recursion::None {
            arguments[0] = Operand::real(f64::from(self.rng.u8(0..4)));
        }
        let varies: Vec<bool> = callee.parameters.iter().map(|kind| may_vary(*kind) && self.percent(85)).collect();
        let level = if callee.results.contains(&Kind::Cell) { Level::None } else { level };
        let results = match level {
            Level::None => code.call(callee.id, &arguments),
            Level::Forward => {
                let tangents: Vec<Option<Operand>> = varies
                    .iter()
                    .zip(&arguments)
                    .map(|(varies, argument)| varies.then(|| self.tangent(code, *argument, pool)))
                    .collect();
                code.forward(callee.id, &arguments, &tangents)
            }
            Level::Reverse => {
                // The lengths of arrays among the results are those of the results of a call without a level.
                let results = match callee.results.iter().any(|kind| kind.is_array()) {
                    true => code.call(callee.id, &arguments),
                    false => Vec::new(),
                };
                let mut cotangents = Vec::new();
                for (place, _) in callee.results.iter().enumerate().filter(|(_, kind)| kind.is_differentiable()) {
                    let like = results.get(place).copied().unwrap_or(Operand::real(0.0));
                    cotangents.push(self.tangent(code, like, pool));
                }
                code.reverse(callee.id, &arguments, &varies, &cotangents)
            }
        };
        pool.add_all(code, &results);
        results
    }

    /// The level of a call whose results are observed.
    fn level(&mut self) -> Level {
        let (forward, reverse) = (self.dials.forward, self.dials.reverse);
        match forward + reverse {
            0 => Level::None,
            all if self.rng.u32(0..all) < forward => Level::Forward,
            _ => Level::Reverse,
        }
    }

    /// The end of a block that yields, calls the recursive function in tail position, branches or bails out.
    fn end(&mut self, code: &mut Code<'_>, pool: &mut Pool, place: Place<'_>) -> End {
        let inner = Place { depth: place.depth + 1, ..place };
        if place.depth < 5 && self.percent(self.dials.bail_outs) {
            // Seldom, or nothing else would be seen.
            let operand = self.real(pool);
            let test = code.compare(Comparison::Greater, operand, Operand::real(8.0));
            let node = ExpressionId(self.rng.u32(0..100));
            return code.branch(test, |_| End::BailOut(node), |code| self.end(code, pool, inner));
        }
        if place.depth < 3 && self.percent(3 * self.dials.branches) {
            let test = self.boolean(pool);
            let mut other = pool.clone();
            let consequent = code.block(|code| {
                self.statements(code, pool, inner, 3);
                self.end(code, pool, inner)
            });
            let alternative = code.block(|code| {
                self.statements(code, &mut other, inner, 3);
                self.end(code, &mut other, inner)
            });
            return End::Branch { test, consequent: Box::new(consequent), alternative: Box::new(alternative) };
        }
        if let Some((function, counter)) = place.recursive
            && self.percent(60)
        {
            let signature = self.signatures.iter().find(|signature| signature.id == function).cloned().unwrap();
            let arguments = self.recursive_arguments(code, counter, &signature.parameters, pool);
            return End::Yield(code.call(function, &arguments));
        }
        self.mix(code, pool);
        let mut results = self.of_kinds(code, place.results, pool);
        if let Some(mixed) = pool.reals.last()
            && let Some(place) = place.results.iter().position(|kind| *kind == Kind::Real)
            && self.percent(70)
        {
            results[place] = *mixed;
        }
        End::Yield(results)
    }
}
