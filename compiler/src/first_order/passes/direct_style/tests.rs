//! Tests of direct style: random units in continuation-passing style, and the text of small ones.

use super::*;
use crate::first_order::Kind;
use crate::first_order::build::{Building, Code};
use crate::first_order::check::check;
use crate::first_order::passes::Passes;
use crate::first_order::print::print;
use crate::first_order::random::{Difference, difference};
use crate::first_order::template::{Step, Template};
use fastrand::Rng;
use vlad_core::{ExpressionId, GlobalId};
use vlad_table::{Comparison, Operation};

/// The parts of a continuation: three booleans that say which function it is, the next continuation, and two reals.
const PARTS: [Kind; 6] = [Kind::Boolean, Kind::Boolean, Kind::Boolean, Kind::Cell, Kind::Real, Kind::Real];

/// Functions in continuation-passing style.
struct Writer {
    rng: Rng,
    /// The functions of continuations: one that yields the value, and two that take a continuation and the two reals.
    members: [FunctionId; 3],
    /// The procedures, of a counter, a real, a continuation and another real.
    procedures: Vec<FunctionId>,
    /// The percentage of ends that use a continuation in another way.
    odd: u8,
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

    fn apply(&mut self, code: &mut Code<'_>, cell: Operand, value: Operand) -> End {
        let targets: Vec<_> = PARTS.iter().map(|kind| code.fresh(*kind)).collect();
        code.push(Statement::Parts { targets: targets.clone(), cell });
        let parts: Vec<Operand> = targets.into_iter().map(Operand::Variable).collect();
        let [halt, first, second] = self.members;
        let leads = [parts[3], parts[4], parts[5], value];
        code.branch(
            parts[0],
            |code| End::Yield(code.call(halt, &[value])),
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
    fn end(&mut self, code: &mut Code<'_>, counter: Operand, next: Operand, mut reals: Vec<Operand>) -> End {
        let is_done = code.compare(Comparison::Less, counter, Operand::real(1.0));
        let value = self.real(code, &mut reals);
        let consequent = code.block(|code| self.apply(code, next, value));
        let alternative = code.block(|code| self.proceed(code, counter, next, reals));
        End::Branch { test: is_done, consequent: Box::new(consequent), alternative: Box::new(alternative) }
    }

    fn proceed(&mut self, code: &mut Code<'_>, counter: Operand, next: Operand, mut reals: Vec<Operand>) -> End {
        let less = code.binary(Operation::Subtract, counter, Operand::real(1.0));
        code.push(Statement::Count { steps: self.rng.u64(1..9) });
        let (first, second) = (self.real(code, &mut reals), self.real(code, &mut reals));
        let mut continuation = next;
        for _ in 0..[0, 1, 1, 1, 2][self.rng.usize(0..5)] {
            let left = if self.rng.bool() { less } else { Operand::real(0.0) };
            let member = self.rng.usize(1..3);
            let real = self.real(code, &mut reals);
            continuation = self.cell(code, member, continuation, [left, real]);
        }
        if self.percent(self.odd) {
            return match self.rng.u8(0..3) {
                0 => End::Yield(vec![first]),
                1 => {
                    let other = code.call(self.procedures[0], &[less, first, next, second]);
                    reals.extend(other);
                    let value = self.real(code, &mut reals);
                    self.apply(code, next, value)
                }
                _ => {
                    let halting = self.cell(code, 0, continuation, [first, second]);
                    self.apply(code, halting, second)
                }
            };
        }
        match self.rng.u8(0..10) {
            0 => self.apply(code, next, first),
            1 => {
                let test = code.compare(Comparison::Less, first, second);
                let procedures = [self.procedure(), self.procedure()];
                let [one, other] = procedures.map(|procedure| {
                    code.block(|code| End::Yield(code.call(procedure, &[less, second, continuation, first])))
                });
                End::Branch { test, consequent: Box::new(one), alternative: Box::new(other) }
            }
            2 => {
                let test = code.compare(Comparison::Less, first, Operand::real(-1.5));
                let ends = code.block(|_| End::BailOut(ExpressionId(0)));
                let procedure = self.procedure();
                let goes_on = code.block(|code| End::Yield(code.call(procedure, &[less, first, continuation, second])));
                End::Branch { test, consequent: Box::new(ends), alternative: Box::new(goes_on) }
            }
            _ => End::Yield(code.call(self.procedure(), &[less, first, continuation, second])),
        }
    }

    fn procedure(&mut self) -> FunctionId {
        self.procedures[self.rng.usize(0..self.procedures.len())]
    }
}

/// A random unit in continuation-passing style, with a derivative in each mode of what it computes.
fn random_unit(seed: u64) -> Unit {
    let mut rng = Rng::with_seed(seed);
    let mut building = Building::default();
    let of_member = [Kind::Cell, Kind::Real, Kind::Real, Kind::Real];
    let members = [
        building.declare("halt", &[Kind::Real], &[Kind::Real]),
        building.declare("first", &of_member, &[Kind::Real]),
        building.declare("second", &of_member, &[Kind::Real]),
    ];
    let of_procedure = [Kind::Real, Kind::Real, Kind::Cell, Kind::Real];
    let procedures: Vec<FunctionId> =
        (0..rng.usize(1..4)).map(|_| building.declare("procedure", &of_procedure, &[Kind::Real])).collect();
    let run = building.declare("run", &[Kind::Real; 3], &[Kind::Real]);
    let odd = if rng.bool() { 0 } else { 8 };
    let mut writer = Writer { rng, members, procedures: procedures.clone(), odd };
    building.define(members[0], |code, x| End::Yield(vec![code.binary(Operation::Multiply, x[0], x[0])]));
    for member in [members[1], members[2]] {
        building.define(member, |code, x| writer.end(code, x[1], x[0], vec![x[2], x[3]]));
    }
    for procedure in procedures.clone() {
        building.define(procedure, |code, x| writer.end(code, x[0], x[2], vec![x[1], x[3]]));
    }
    building.define(run, |code, x| {
        let absent = code.fresh(Kind::Cell);
        code.push(Statement::Cell { target: absent, parts: Vec::new() });
        let halt = writer.cell(code, 0, absent.into(), [x[0], x[1]]);
        let member = writer.rng.usize(1..3);
        let start = if writer.rng.bool() { halt } else { writer.cell(code, member, halt, [Operand::real(0.0), x[1]]) };
        End::Yield(code.call(procedures[0], &[x[2], x[0], start, x[1]]))
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
    for seed in 0..1500 {
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
    assert!(compared > 2400 && converted > 1000 && without_cells > 500, "{found}");
}
