//! Random units: the inputs of tests that compare bits before and after a pass.
//!
//! Units are well formed and end: functions call functions with higher numbers; recursion, of a function or of a pair of
//! them, and loops count down. Operands are chosen such that values are often aliases of one another: arguments given
//! twice, results that are arguments, state that starts as an outer variable or changes places.

use super::build::{Building, Code};
use super::check::check;
use super::evaluate::{Evaluated, Leaf, Limits, Script, Stop, evaluate};
use super::print::print;
use super::template::{Step, Template};
use super::{End, FunctionId, Kind, Operand, Statement, Unit};
use fastrand::Rng;
use std::ops::Range;
use vlad_core::{ExpressionId, GlobalId};
use vlad_table::operations::OPERATIONS;
use vlad_table::{Arity, Comparison, Operation};

/// The size of random units, and the weights of their statements; a weight of 0 excludes what it is of.
#[derive(Clone, Copy, Debug)]
pub struct Dials {
    /// The number of functions beside the entry.
    pub functions: usize,
    /// The most statements of a block.
    pub statements: usize,
    /// Operations of the table.
    pub operations: u32,
    /// Binds, with branches in most of them; also the percentage of branches in tail position.
    pub branches: u32,
    /// Loops.
    pub loops: u32,
    /// Calls at no new level.
    pub calls: u32,
    /// The percentage of functions that are recursive.
    pub recursion: u32,
    /// Calls in forward mode.
    pub forward: u32,
    /// Calls in reverse mode.
    pub reverse: u32,
    /// Reads, writes and counts.
    pub effects: u32,
    /// Pushes, each with its pop further down in the block.
    pub records: u32,
    /// The percentage of blocks that bail out instead of yielding.
    pub bail_outs: u32,
    /// The percentage of constants that are zeros, infinities, NaN, tiny or huge.
    pub special: u32,
}

impl Default for Dials {
    /// Everything.
    fn default() -> Dials {
        Dials {
            functions: 5,
            statements: 5,
            operations: 40,
            branches: 12,
            loops: 8,
            calls: 12,
            recursion: 50,
            forward: 8,
            reverse: 8,
            effects: 6,
            records: 4,
            bail_outs: 1,
            special: 30,
        }
    }
}

impl Dials {
    /// Operations, branches, and calls at any level of functions that are not recursive.
    pub fn straight() -> Dials {
        Dials { loops: 0, recursion: 0, records: 0, ..Dials::default() }
    }

    /// Code without levels of differentiation.
    pub fn without_levels() -> Dials {
        Dials { forward: 0, reverse: 0, ..Dials::default() }
    }
}

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
        let mut parameters = kinds(&mut rng, 0..5);
        if recursion != Recursion::None {
            parameters.insert(0, Kind::Real);
        }
        let results = kinds(&mut rng, 1..4);
        let members = if let Recursion::Pair(first, second) = recursion { second - first + 1 } else { 1 };
        for _ in 0..members {
            let id = building.declare("f", &parameters, &results);
            signatures.push(Signature { id, parameters: parameters.clone(), results: results.clone(), recursion });
        }
    }
    building.unit.inputs = vec![(
        GlobalId(0),
        Template { steps: vec![Step::RealLeaf, Step::RealLeaf, Step::BooleanLeaf, Step::Pair, Step::Pair] },
    )];
    building.unit.written = vec![
        Template { steps: vec![Step::RealLeaf] },
        Template { steps: vec![Step::RealLeaf, Step::BooleanLeaf, Step::Pair] },
    ];
    let mut writer = Writer { rng, dials, signatures };
    for number in (0..writer.signatures.len()).rev() {
        let signature = writer.signatures[number].clone();
        building.define(signature.id, |code, parameters| writer.function(code, number, &signature, parameters));
    }
    building.entry(&[Kind::Real, Kind::Real, Kind::Boolean], |code| {
        let mut pool = Pool::default();
        for (kind, number) in [(Kind::Real, 0), (Kind::Real, 1), (Kind::Boolean, 2)] {
            pool.add(kind, code.input(kind, number));
        }
        let place =
            Place { calls_from: 0, recursive: None, depth: 0, results: &[Kind::Real, Kind::Real, Kind::Boolean] };
        writer.statements(code, &mut pool, place, 3);
        writer.end(code, &mut pool, place)
    });
    building.finish()
}

fn kinds(rng: &mut Rng, count: Range<usize>) -> Vec<Kind> {
    let count = rng.usize(count);
    (0..count).map(|_| if rng.u8(0..5) == 0 { Kind::Boolean } else { Kind::Real }).collect()
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

/// The operands in sight.
#[derive(Clone, Debug, Default)]
struct Pool {
    reals: Vec<Operand>,
    booleans: Vec<Operand>,
}

impl Pool {
    fn add(&mut self, kind: Kind, operand: Operand) {
        match kind {
            Kind::Real => self.reals.push(operand),
            Kind::Boolean => self.booleans.push(operand),
        }
    }

    fn add_all(&mut self, code: &mut Code<'_>, operands: &[Operand]) {
        for operand in operands {
            let kind = code.kind(*operand);
            self.add(kind, *operand);
        }
    }
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

struct Writer {
    rng: Rng,
    dials: Dials,
    signatures: Vec<Signature>,
}

impl Writer {
    fn percent(&mut self, percentage: u32) -> bool {
        self.rng.u32(0..100) < percentage
    }

    fn constant(&mut self) -> Operand {
        const USUAL: [f64; 8] = [1.0, -1.0, 2.0, 0.5, 3.0, -0.3, 1.7, 10.0];
        const SPECIAL: [f64; 12] =
            [0.0, 0.0, -0.0, 1e16, -1e16, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e-310, 5e-324, 1e308, -0.0];
        let special = self.dials.special;
        let list: &[f64] = if self.percent(special) { &SPECIAL } else { &USUAL };
        Operand::real(list[self.rng.usize(0..list.len())])
    }

    fn real(&mut self, pool: &Pool) -> Operand {
        if pool.reals.is_empty() || self.percent(12) {
            return self.constant();
        }
        // The newest half of the operands is preferred, or values would not come far.
        let from = if self.rng.bool() { pool.reals.len() / 2 } else { 0 };
        pool.reals[self.rng.usize(from..pool.reals.len())]
    }

    fn boolean(&mut self, pool: &Pool) -> Operand {
        if pool.booleans.is_empty() || self.percent(10) {
            return Operand::Boolean(self.rng.bool());
        }
        pool.booleans[self.rng.usize(0..pool.booleans.len())]
    }

    fn of_kind(&mut self, kind: Kind, pool: &Pool) -> Operand {
        match kind {
            Kind::Real => self.real(pool),
            Kind::Boolean => self.boolean(pool),
        }
    }

    /// Operands of some kinds; now and then one of them twice.
    fn of_kinds(&mut self, kinds: &[Kind], pool: &Pool) -> Vec<Operand> {
        let mut chosen: Vec<Operand> = kinds.iter().map(|kind| self.of_kind(*kind, pool)).collect();
        if chosen.len() > 1 && self.percent(25) {
            let (from, to) = (self.rng.usize(0..chosen.len()), self.rng.usize(0..chosen.len()));
            if kinds[from] == kinds[to] {
                chosen[to] = chosen[from];
            }
        }
        chosen
    }

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
                let arguments = self.recursive_arguments(counter, &signature.parameters, &step_pool);
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
    fn recursive_arguments(&mut self, counter: Operand, parameters: &[Kind], pool: &Pool) -> Vec<Operand> {
        let mut arguments = self.of_kinds(parameters, pool);
        let (mut reals, mut booleans) = (pool.reals.iter(), pool.booleans.iter());
        for (argument, kind) in arguments.iter_mut().zip(parameters) {
            // The operands of the pool begin with the parameters.
            let same = if *kind == Kind::Real { reals.next() } else { booleans.next() };
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
        let most = if place.depth > 0 { most.min(3) } else { most };
        for _ in 0..self.rng.usize(0..=most) {
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
                let operands = self.of_kinds(&[Kind::Real, Kind::Real], pool);
                let comparison = self.comparison();
                pool.booleans.push(code.compare(comparison, operands[0], operands[1]));
            }
            3 => {
                let results = kinds(&mut self.rng, 0..4);
                let inner = Place { depth: place.depth + 1, results: &results, recursive: None, ..place };
                let bound = code.bind(&results, |code| {
                    let mut pool = pool.clone();
                    self.statements(code, &mut pool, inner, 3);
                    self.end(code, &mut pool, inner)
                });
                pool.add_all(code, &bound);
            }
            4 => self.repeated(code, pool, place),
            5..=7 => self.call(code, pool, place, choice),
            8 => self.effect(code, pool),
            _ => {
                let values = kinds(&mut self.rng, 1..4);
                let operands = self.of_kinds(&values, pool);
                code.push(Statement::Push { values: operands });
                self.statements(code, pool, Place { depth: place.depth + 1, ..place }, 2);
                let popped = code.pop(&values);
                pool.add_all(code, &popped);
            }
        }
    }

    fn comparison(&mut self) -> Comparison {
        const COMPARISONS: [Comparison; 5] =
            [Comparison::Equal, Comparison::Less, Comparison::Greater, Comparison::NotGreater, Comparison::NotLess];
        COMPARISONS[self.rng.usize(0..COMPARISONS.len())]
    }

    fn operation(&mut self, code: &mut Code<'_>, pool: &mut Pool) {
        const USUAL: [Operation; 6] = [
            Operation::Add,
            Operation::Subtract,
            Operation::Multiply,
            Operation::Multiply,
            Operation::Add,
            Operation::Divide,
        ];
        let operation = if self.percent(60) {
            USUAL[self.rng.usize(0..USUAL.len())]
        } else {
            OPERATIONS[self.rng.usize(0..OPERATIONS.len())].operation
        };
        let operands = self.of_kinds(&[Kind::Real, Kind::Real], pool);
        pool.reals.push(match operation.arity() {
            Arity::One => code.unary(operation, operands[0]),
            Arity::Two => code.binary(operation, operands[0], operands[1]),
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
                let leaves = self.of_kinds(&[Kind::Real, Kind::Boolean], pool);
                code.push(Statement::Write { template: 1, leaves });
            }
            _ => code.push(Statement::Count { steps: self.rng.u64(1..9) }),
        }
    }

    /// A loop of at most four iterations.
    fn repeated(&mut self, code: &mut Code<'_>, pool: &mut Pool, place: Place<'_>) {
        let results = kinds(&mut self.rng, 0..4);
        let mut of_state = vec![Kind::Real];
        of_state.extend(kinds(&mut self.rng, 0..4));
        let mut initial = self.of_kinds(&of_state, pool);
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
        let mut next = self.of_kinds(of_state, pool);
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

    fn call(&mut self, code: &mut Code<'_>, pool: &mut Pool, place: Place<'_>, choice: usize) {
        let callee = self.signatures[self.rng.usize(place.calls_from..self.signatures.len())].clone();
        let mut arguments = self.of_kinds(&callee.parameters, pool);
        if callee.recursion != Recursion::None {
            arguments[0] = Operand::real(f64::from(self.rng.u8(0..4)));
        }
        let varies: Vec<bool> = callee.parameters.iter().map(|kind| *kind == Kind::Real && self.percent(70)).collect();
        let results = match choice {
            5 => code.call(callee.id, &arguments),
            6 => {
                let tangents: Vec<Option<Operand>> =
                    varies.iter().map(|varies| if *varies { Some(self.real(pool)) } else { None }).collect();
                code.forward(callee.id, &arguments, &tangents)
            }
            _ => {
                let reals = callee.results.iter().filter(|kind| **kind == Kind::Real);
                let cotangents: Vec<Operand> = reals.map(|_| self.real(pool)).collect();
                code.reverse(callee.id, &arguments, &varies, &cotangents)
            }
        };
        pool.add_all(code, &results);
    }

    /// The end of a block that yields, calls the recursive function in tail position, branches or bails out.
    fn end(&mut self, code: &mut Code<'_>, pool: &mut Pool, place: Place<'_>) -> End {
        if self.percent(self.dials.bail_outs) {
            return End::BailOut(ExpressionId(self.rng.u32(0..100)));
        }
        let inner = Place { depth: place.depth + 1, ..place };
        if place.depth < 5 && self.percent(4 * self.dials.branches) {
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
            let arguments = self.recursive_arguments(counter, &signature.parameters, pool);
            return End::Yield(code.call(function, &arguments));
        }
        End::Yield(self.of_kinds(place.results, pool))
    }
}

/// An observed evaluation: its end, and its effects up to there.
pub type Observed = (Result<Evaluated, Stop>, Script);

/// Evaluates a random unit on inputs of a seed.
pub fn observe(unit: &Unit, seed: u64) -> Observed {
    let mut rng = Rng::with_seed(seed);
    let mut real = || match rng.u8(0..8) {
        0 => [0.0, -0.0, 1e16, f64::INFINITY, f64::NAN, 1e-310][rng.usize(0..6)],
        1 => f64::from(rng.i8(-3..4)),
        _ => 6.0 * rng.f64() - 3.0,
    };
    let inputs = [Leaf::Real(real()), Leaf::Real(real()), Leaf::Boolean(seed % 2 == 0)];
    let mut script = Script { input: (0..20).map(|_| real()).collect(), output: Vec::new() };
    let evaluated = evaluate(unit, &inputs, &mut script, Limits { depth: 400, statements: 20_000 });
    (evaluated, script)
}

/// Compares random units before and after a pass, which returns false where it refuses; the result is checked.
///
/// At least two thirds of the units have to be comparable: not refused, and with an evaluation within limits.
pub fn compare(dials: Dials, seeds: Range<u64>, mut pass: impl FnMut(&mut Unit) -> bool) {
    let (mut compared, all) = (0, seeds.end - seeds.start);
    for seed in seeds {
        let before = unit(seed, dials);
        let mut after = before.clone();
        if !pass(&mut after) {
            continue;
        }
        if let Err(message) = check(&after) {
            panic!("seed {seed}: {message}\n{}\n{}", print(&before, None), print(&after, None));
        }
        let mut is_comparable = false;
        for inputs in 3 * seed..3 * seed + 3 {
            let (expected, found) = (observe(&before, inputs), observe(&after, inputs));
            if [&expected, &found].iter().any(|seen| matches!(seen.0, Err(Stop::TooDeep | Stop::TooLong))) {
                continue;
            }
            is_comparable = true;
            if !same(&expected, &found) {
                let (before, after) = (print(&before, None), print(&after, None));
                panic!("seed {seed}, inputs {inputs}: {expected:?}\nthen {found:?}\n{before}\n{after}");
            }
        }
        compared += u64::from(is_comparable);
    }
    assert!(3 * compared >= 2 * all, "only {compared} of {all} units are comparable");
}

/// Compares what is observable; the steps of an evaluation that stops are not, nor are the bits of unread NaN.
fn same(a: &Observed, b: &Observed) -> bool {
    a.0 == b.0 && a.1.output == b.1.output && a.1.input.len() == b.1.input.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_units_are_well_formed_and_varied() {
        let (mut finished, mut finite, mut derivatives) = (0, 0, 0);
        for seed in 0..1000 {
            let unit = unit(seed, Dials::default());
            check(&unit).unwrap_or_else(|message| panic!("seed {seed}: {message}\n{}", print(&unit, None)));
            if let (Ok(evaluated), _) = observe(&unit, seed) {
                finished += 1;
                let is_finite = |leaf: &Leaf| matches!(leaf, Leaf::Real(real) if real.is_finite() && *real != 0.0);
                finite += usize::from(evaluated.results.iter().any(is_finite));
            }
            let mut levels = 0;
            let has_level =
                |statement: &Statement| matches!(statement, Statement::Forward { .. } | Statement::Reverse { .. });
            unit.functions.iter().for_each(|function| {
                function.body.each_statement(&mut |statement| levels += usize::from(has_level(statement)));
            });
            derivatives += usize::from(levels > 0);
        }
        assert!(finished > 800 && finite > 600 && derivatives > 500, "{finished} {finite} {derivatives}");
    }
}
