//! Tests of direct style: random units in continuation-passing style, and the text of small ones.

use super::*;
use crate::Kind;
use crate::build::{Building, Code};
use crate::check::check;
use crate::passes::Passes;
use crate::random::{Difference, difference};
use crate::template::{Step, Template};
use crate::text::print::print;
use fastrand::Rng;
use vlad_core::{ExpressionId, GlobalId};
use vlad_table::{Comparison, Operation};

/// The parts of a continuation: three booleans that say which function it is, the next continuation, and two reals.
const PARTS: [Kind; 6] = [Kind::Boolean, Kind::Boolean, Kind::Boolean, Kind::Cell, Kind::Real, Kind::Real];

/// Functions of continuations: one that has none after it, and two that take a continuation and the two reals.
type Members = [FunctionId; 3];

/// Functions in continuation-passing style.
struct Writer {
    rng: Rng,
    /// Those of continuations that are given a real, and of those that are given a real and one of the former, if there are such.
    members: Members,
    of_both: Option<Members>,
    /// The procedures, of a counter, a real, a continuation and another real; and of a second continuation, which goes
    /// with the first.
    procedures: Vec<FunctionId>,
    /// The percentage of ends that use a continuation in another way.
    odd: u8,
    /// True if the second continuation of a procedure comes before the first.
    is_turned: bool,
}

/// The continuation of a function, and that which goes with it.
#[derive(Clone, Copy)]
struct Next {
    first: Operand,
    second: Option<Operand>,
}

impl Writer {
    fn percent(&mut self, percentage: u8) -> bool {
        self.rng.u8(0..100) < percentage
    }

    fn real(&mut self, code: &mut Code<'_>, reals: &mut Vec<Operand>) -> Operand {
        let mut pick = || reals[self.rng.usize(0..reals.len())];
        let (first, second) = (pick(), pick());
        let result = match self.rng.u8(0..4) {
            0 => return first,
            1 => code.binary(Operation::Add, first, second),
            2 => code.binary(Operation::Multiply, first, Operand::real(0.5)),
            _ => code.unary(Operation::Sine, first),
        };
        reals.push(result);
        result
    }

    /// A cell of one of the functions of continuations.
    fn cell(&mut self, code: &mut Code<'_>, member: usize, next: Operand, reals: [Operand; 2]) -> Operand {
        let target = code.fresh(Kind::Cell);
        let mut parts: Vec<Operand> = (0..3).map(|number| Operand::Boolean(number == member)).collect();
        if self.percent(self.odd) {
            parts[2] = code.compare(Comparison::Equal, reals[0], reals[0]);
        }
        parts.push(next);
        parts.extend(reals);
        code.push(Statement::Cell { target, parts });
        target.into()
    }

    /// Applies a continuation to a value, and to the continuation that goes with it.
    fn apply(&mut self, code: &mut Code<'_>, next: Next, value: Operand) -> End {
        let targets: Vec<_> = PARTS.iter().map(|kind| code.fresh(*kind)).collect();
        code.push(Statement::Parts { targets: targets.clone(), cell: next.first });
        let parts: Vec<Operand> = targets.into_iter().map(Operand::Variable).collect();
        let [halt, first, second] = next.second.and(self.of_both).unwrap_or(self.members);
        let values: Vec<Operand> = [value].into_iter().chain(next.second).collect();
        let leads = [&parts[3..], &values].concat();
        code.branch(
            parts[0],
            |code| End::Yield(code.call(halt, &values)),
            |code| {
                code.branch(
                    parts[1],
                    |code| {
                        code.push(Statement::Count { steps: 3 });
                        End::Yield(code.call(first, &leads))
                    },
                    |code| End::Yield(code.call(second, &leads)),
                )
            },
        )
    }

    /// The end of a procedure or a continuation, with what is left of a counter.
    fn end(&mut self, code: &mut Code<'_>, counter: Operand, next: Next, mut reals: Vec<Operand>) -> End {
        let is_done = code.compare(Comparison::Less, counter, Operand::real(1.0));
        let value = self.real(code, &mut reals);
        let consequent = code.block(|code| self.apply(code, next, value));
        let alternative = code.block(|code| self.proceed(code, counter, next, reals));
        End::Branch { test: is_done, consequent: Box::new(consequent), alternative: Box::new(alternative) }
    }

    /// A continuation after some new ones.
    fn extended(&mut self, code: &mut Code<'_>, next: Operand, less: Operand, reals: &mut Vec<Operand>) -> Operand {
        let mut continuation = next;
        for _ in 0..[0, 1, 1, 1, 2][self.rng.usize(0..5)] {
            let left = if self.rng.bool() { less } else { Operand::real(0.0) };
            let member = self.rng.usize(1..3);
            let real = self.real(code, reals);
            continuation = self.cell(code, member, continuation, [left, real]);
        }
        continuation
    }

    fn proceed(&mut self, code: &mut Code<'_>, counter: Operand, next: Next, mut reals: Vec<Operand>) -> End {
        let less = code.binary(Operation::Subtract, counter, Operand::real(1.0));
        code.push(Statement::Count { steps: self.rng.u64(1..9) });
        let (first, second) = (self.real(code, &mut reals), self.real(code, &mut reals));
        let continuation = self.extended(code, next.first, less, &mut reals);
        let also = next.second.map(|next| self.extended(code, next, less, &mut reals));
        let extended = Next { first: continuation, second: also };
        if self.percent(self.odd) {
            return match self.rng.u8(0..4) {
                0 => End::Yield(vec![first]),
                1 => {
                    let other = self.call(code, self.procedures[0], less, next, [first, second]);
                    reals.extend(other);
                    let value = self.real(code, &mut reals);
                    self.apply(code, next, value)
                }
                2 if also.is_some() => self.apply(code, Next { first: also.unwrap(), second: None }, first),
                _ => {
                    let halting = self.cell(code, 0, continuation, [first, second]);
                    self.apply(code, Next { first: halting, second: also }, second)
                }
            };
        }
        match self.rng.u8(0..10) {
            0 => self.apply(code, Next { first: next.first, second: also }, first),
            1 => {
                let test = code.compare(Comparison::Less, first, second);
                let procedures = [self.procedure(), self.procedure()];
                let [one, other] = procedures.map(|procedure| {
                    code.block(|code| End::Yield(self.call(code, procedure, less, extended, [second, first])))
                });
                End::Branch { test, consequent: Box::new(one), alternative: Box::new(other) }
            }
            2 => {
                let test = code.compare(Comparison::Less, first, Operand::real(-1.5));
                let ends = code.block(|_| End::BailOut(ExpressionId(0)));
                let procedure = self.procedure();
                let goes_on =
                    code.block(|code| End::Yield(self.call(code, procedure, less, extended, [first, second])));
                End::Branch { test, consequent: Box::new(ends), alternative: Box::new(goes_on) }
            }
            _ => {
                let procedure = self.procedure();
                End::Yield(self.call(code, procedure, less, extended, [first, second]))
            }
        }
    }

    fn procedure(&mut self) -> FunctionId {
        self.procedures[self.rng.usize(0..self.procedures.len())]
    }

    fn call(
        &self,
        code: &mut Code<'_>,
        procedure: FunctionId,
        counter: Operand,
        next: Next,
        reals: [Operand; 2],
    ) -> Vec<Operand> {
        let mut arguments = vec![counter, reals[0], next.first, reals[1]];
        arguments.extend(next.second);
        if self.is_turned && next.second.is_some() {
            arguments.swap(2, 4);
        }
        code.call(procedure, &arguments)
    }

    /// Defines the functions of continuations.
    fn define(&mut self, building: &mut Building, members: Members) {
        let [halt, first, second] = members;
        building.define(halt, |code, x| match x.get(1) {
            None => End::Yield(vec![code.binary(Operation::Multiply, x[0], x[0])]),
            Some(next) => self.apply(code, Next { first: *next, second: None }, x[0]),
        });
        for member in [first, second] {
            building.define(member, |code, x| {
                let next = Next { first: x[0], second: x.get(4).copied() };
                if next.second.is_none() && self.of_both.is_some() {
                    let value = self.real(code, &mut vec![x[2], x[3]]);
                    return self.apply(code, next, value);
                }
                self.end(code, x[1], next, vec![x[2], x[3]])
            });
        }
    }
}

fn declared(building: &mut Building, values: &[Kind]) -> Members {
    let of_member = [&[Kind::Cell, Kind::Real, Kind::Real], values].concat();
    [("halt", values), ("first", &of_member), ("second", &of_member)]
        .map(|(name, kinds)| building.declare(name, kinds, &[Kind::Real]))
}

/// A random unit in continuation-passing style, with a derivative in each mode of what it computes.
fn random_unit(seed: u64) -> Unit {
    let mut rng = Rng::with_seed(seed);
    let mut building = Building::default();
    let members = declared(&mut building, &[Kind::Real]);
    let of_both = rng.bool().then(|| declared(&mut building, &[Kind::Real, Kind::Cell]));
    let mut of_procedure = vec![Kind::Real, Kind::Real, Kind::Cell, Kind::Real];
    of_procedure.extend(of_both.map(|_| Kind::Cell));
    let procedures: Vec<FunctionId> =
        (0..rng.usize(1..4)).map(|_| building.declare("procedure", &of_procedure, &[Kind::Real])).collect();
    let run = building.declare("run", &[Kind::Real; 3], &[Kind::Real]);
    let (odd, is_turned) = (if rng.bool() { 0 } else { 8 }, rng.bool());
    let mut writer = Writer { rng, members, of_both, procedures: procedures.clone(), odd, is_turned };
    writer.define(&mut building, members);
    of_both.into_iter().for_each(|members| writer.define(&mut building, members));
    for procedure in procedures.clone() {
        building.define(procedure, |code, x| {
            let next = match x.get(4) {
                Some(other) if is_turned => Next { first: *other, second: Some(x[2]) },
                other => Next { first: x[2], second: other.copied() },
            };
            writer.end(code, x[0], next, vec![x[1], x[3]])
        });
    }
    building.define(run, |code, x| {
        let absent = code.fresh(Kind::Cell);
        code.push(Statement::Cell { target: absent, parts: Vec::new() });
        let mut start = |code: &mut Code<'_>| {
            let halt = writer.cell(code, 0, absent.into(), [x[0], x[1]]);
            let member = writer.rng.usize(1..3);
            if writer.rng.bool() { halt } else { writer.cell(code, member, halt, [Operand::real(0.0), x[1]]) }
        };
        let next = Next { first: start(code), second: of_both.map(|_| start(code)) };
        End::Yield(writer.call(code, procedures[0], x[2], next, [x[0], x[1]]))
    });
    building.unit.inputs = vec![(
        GlobalId(0),
        Template::of(vec![Step::RealLeaf, Step::RealLeaf, Step::BooleanLeaf, Step::Pair, Step::Pair]),
    )];
    let turns = Operand::real(writer.rng.u8(0..6).into());
    building.entry(&[Kind::Real; 6], |code| {
        let (x, y) = (code.input(Kind::Real, 0), code.input(Kind::Real, 1));
        let point = [x, y, turns];
        let forward = code.forward(run, &point, &[Some(y), Some(Operand::real(1.0)), None]);
        let reverse = code.reverse(run, &point, &[true, true, false], &[x]);
        End::Yield([code.call(run, &point), forward, reverse].concat())
    });
    building.finish()
}

#[test]
fn random_units_in_continuation_passing_style_keep_their_bits() {
    let (mut compared, mut converted, mut without_cells) = (0, 0, 0);
    for seed in 0..2000 {
        let before = random_unit(seed);
        check(&before).unwrap_or_else(|message| panic!("seed {seed}: {message}\n{}", print(&before, None)));
        let mut after = before.clone();
        to_direct_style(&mut after);
        check(&after).unwrap_or_else(|message| panic!("seed {seed}: {message}\n{}", print(&after, None)));
        converted += usize::from(after.functions.len() > before.functions.len());
        let mut prepared = before.clone();
        Passes::ALL.prepare(&mut prepared);
        let mut has_cells = false;
        prepared.functions.iter().for_each(|function| has_cells |= function.variables.contains(&Kind::Cell));
        without_cells += usize::from(!has_cells);
        for after in [after, prepared] {
            match difference(&before, &after, seed) {
                Difference::NotComparable => {}
                Difference::None => compared += 1,
                Difference::Found(found) => {
                    panic!("seed {seed}, {found}\n{}\n{}", print(&before, None), print(&after, None))
                }
            }
        }
    }
    let found = format!("{compared} compared, {converted} converted, {without_cells} without cells");
    assert!(compared > 3500 && converted > 1500 && without_cells > 400, "{found}");
}
