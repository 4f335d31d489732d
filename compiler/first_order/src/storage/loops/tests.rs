//! Random loops of the kinds that this pass is about, before and after it.

use crate::build::{Building, Code};
use crate::check::check_without_levels;
use crate::passes::{Pass, Passes};
use crate::random::{Difference, difference};
use crate::storage::lower;
use crate::storage::placement::Execution;
use crate::template::{Step, Template};
use crate::text::print::print;
use crate::{End, Kind, Operand, Stack, Statement, Storage, Unit};
use fastrand::Rng;
use std::collections::BTreeSet;
use vlad_core::{ExpressionId, GlobalId};
use vlad_table::{Comparison, Operation};

/// A generator of loops.
struct Loops {
    rng: Rng,
    /// Reals from outside of the loops.
    reals: Vec<Operand>,
    array: Operand,
}

/// The header of a loop: the same one stands before the loop that pops what another one has pushed.
#[derive(Clone, Copy)]
struct Header {
    from: f64,
    /// The bound; none for the length of the array.
    bound: Option<Operand>,
    /// The number that is subtracted from the length.
    less: f64,
    comparison: Comparison,
    /// True if the counter is the second operand.
    is_mirrored: bool,
    /// True if the loop goes on where the comparison holds.
    holds: bool,
    steps: u64,
}

impl Loops {
    fn header(&mut self) -> Header {
        let (comparison, is_mirrored, holds) = match self.rng.u8(0..9) {
            0..3 => (Comparison::Less, false, true),
            3 => (Comparison::Equal, self.rng.bool(), false),
            4 => (Comparison::NotLess, false, false),
            5 => (Comparison::NotGreater, false, true),
            6 => (Comparison::Greater, true, true),
            7 => (Comparison::Less, true, false),
            _ => (Comparison::Greater, false, false),
        };
        let bound = match self.rng.u8(0..8) {
            0..3 => None,
            3..6 => Some(Operand::real(f64::from(self.rng.u8(0..8)))),
            6 => Some([-1.0, 2.5, f64::NAN, -0.0].map(Operand::real)[self.rng.usize(0..4)]),
            _ => Some(self.reals[self.rng.usize(0..self.reals.len())]),
        };
        let from = f64::from(self.rng.u8(0..6).saturating_sub(3));
        let less = f64::from(self.rng.u8(0..2));
        Header { from, bound, less, comparison, is_mirrored, holds, steps: u64::from(self.rng.u8(0..3)) }
    }

    fn real(&mut self, others: &[Operand]) -> Operand {
        match self.rng.u8(0..4) {
            0 => self.reals[self.rng.usize(0..self.reals.len())],
            1 => Operand::real(f64::from(self.rng.i8(-3..4))),
            _ if others.is_empty() => self.reals[0],
            _ => others[self.rng.usize(0..others.len())],
        }
    }

    /// A loop with a header; an iteration gets the state and returns the next one.
    fn run(
        &mut self,
        code: &mut Code<'_>,
        header: Header,
        initial: &[Operand],
        iteration: impl FnOnce(&mut Loops, &mut Code<'_>, &[Operand]) -> Vec<Operand>,
    ) -> Vec<Operand> {
        let bound = header.bound.unwrap_or_else(|| {
            let length = code.length(self.array);
            match header.less {
                0.0 => length,
                less => code.binary(Operation::Subtract, length, Operand::real(less)),
            }
        });
        let initial: Vec<Operand> = [Operand::real(header.from)].into_iter().chain(initial.iter().copied()).collect();
        let kinds: Vec<Kind> = initial.iter().map(|value| code.kind(*value)).collect();
        code.run_loop(&kinds, &initial, |code, state| {
            if header.steps > 0 {
                code.push(Statement::Count { steps: header.steps });
            }
            let operands = if header.is_mirrored { [bound, state[0]] } else { [state[0], bound] };
            let test = code.compare(header.comparison, operands[0], operands[1]);
            let goes_on = code.block(|code| {
                let next = code.binary(Operation::Add, state[0], Operand::real(1.0));
                let others = iteration(self, code, state);
                End::Repeat([next].into_iter().chain(others).collect())
            });
            let ends = code.block(|code| {
                code.push(Statement::Count { steps: 1 });
                End::Yield(state.to_vec())
            });
            let (goes_on, ends) = (Box::new(goes_on), Box::new(ends));
            match header.holds {
                true => End::Branch { test, consequent: goes_on, alternative: ends },
                false => End::Branch { test, consequent: ends, alternative: goes_on },
            }
        })
    }

    /// An element at a whole number computed of a counter, or a real where that is no index.
    fn element(&mut self, code: &mut Code<'_>, counter: Operand, other: Operand) -> Operand {
        let shifted = code.binary(Operation::Add, counter, Operand::real(f64::from(self.rng.i8(-2..3))));
        let size = if self.rng.bool() { code.length(self.array) } else { Operand::real(3.0) };
        let index = match self.rng.u8(0..3) {
            0 => shifted,
            1 => code.binary(Operation::Modulo, shifted, size),
            _ => {
                let rest = code.binary(Operation::Modulo, shifted, size);
                code.binary(Operation::Subtract, rest, Operand::real(1.0))
            }
        };
        self.element_at(code, index, other)
    }

    /// The element at an index, or another real.
    fn element_at(&mut self, code: &mut Code<'_>, index: Operand, other: Operand) -> Operand {
        let test = code.fresh(Kind::Boolean);
        code.push(Statement::IsIndex { target: test, array: self.array, index });
        let (array, leaves) = (self.array, self.rng.u8(0..8) == 0);
        code.bind(&[Kind::Real], |code| {
            code.branch(
                test.into(),
                |code| End::Yield(vec![code.element(array, index)]),
                |_| if leaves { End::BailOut(ExpressionId(0)) } else { End::Yield(vec![other]) },
            )
        })[0]
    }

    /// A loop with sums, elements, an index that is chosen and records, and the loop that pops these.
    fn recording(&mut self, code: &mut Code<'_>) -> Vec<Operand> {
        let header = self.header();
        let (zero, x) = (Operand::real(0.0), self.real(&[]));
        let kinds = [vec![Kind::Real], vec![Kind::Boolean], vec![Kind::Boolean, Kind::Real], vec![Kind::Boolean; 2]]
            [self.rng.usize(0..4)]
        .clone();
        let is_apart = self.rng.u8(0..4) == 0;
        let of_record = kinds.clone();
        let pushed = self.run(code, header, &[x, zero], |loops, code, state| {
            let (counter, sum, best) = (state[0], state[1], state[2]);
            let element = loops.element(code, counter, sum);
            let sum = code.binary(Operation::Add, sum, element);
            // The index that is chosen is one: its element is the limit.
            let limit = loops.element_at(code, best, sum);
            let is_less = code.compare(Comparison::Less, element, limit);
            let chosen = code.bind(&[Kind::Real], |code| {
                code.branch(is_less, |_| End::Yield(vec![counter]), |_| End::Yield(vec![best]))
            })[0];
            let values = of_record.iter().map(|kind| if *kind == Kind::Real { sum } else { is_less }).collect();
            code.push(Statement::Push { stack: Stack::Sweeps, values });
            vec![sum, chosen]
        });
        let popped = self.run(code, header, &[zero], |loops, code, state| {
            if is_apart {
                let inner = Header { steps: 0, from: 0.0, bound: Some(Operand::real(2.0)), ..BELOW };
                loops.run(code, inner, &[], |_, _, _| Vec::new());
            }
            let record = code.pop(&kinds);
            let sum = code.binary(Operation::Multiply, state[1], Operand::real(0.5));
            let sums = record.iter().zip(&kinds).map(|(value, kind)| match kind {
                Kind::Real => *value,
                _ => code.bind(&[Kind::Real], |code| {
                    code.branch(
                        *value,
                        |_| End::Yield(vec![Operand::real(1.0)]),
                        |_| End::Yield(vec![Operand::real(-0.0)]),
                    )
                })[0],
            });
            let sums: Vec<Operand> = sums.collect();
            vec![sums.into_iter().fold(sum, |sum, value| code.binary(Operation::Add, sum, value))]
        });
        let last = self.element(code, pushed[2], pushed[1]);
        vec![pushed[1], popped[1], last]
    }

    /// A loop whose state recurs: its reals are quotients of themselves, its boolean alternates.
    fn recurring(&mut self, code: &mut Code<'_>) -> Vec<Operand> {
        let (x, odd) = (self.real(&[]), Operand::Boolean(true));
        let count = Operand::real(f64::from(self.rng.u8(0..60)));
        let step = |code: &mut Code<'_>, real: Operand, odd: Operand| {
            let real = code.binary(Operation::Divide, Operand::real(3.0), real);
            let steps = code.bind(&[Kind::Boolean], |code| {
                code.branch(
                    odd,
                    |code| {
                        code.push(Statement::Count { steps: 2 });
                        End::Yield(vec![Operand::Boolean(false)])
                    },
                    |_| End::Yield(vec![Operand::Boolean(true)]),
                )
            });
            vec![real, steps[0]]
        };
        if self.rng.bool() {
            let header = Header { bound: Some(count), ..self.header() };
            let last = self.run(code, header, &[x, odd], |_, code, state| step(code, state[1], state[2]));
            return vec![last[1]];
        }
        let kinds = [Kind::Real, Kind::Real, Kind::Boolean];
        let last = code.run_loop(&kinds, &[count, x, odd], |code, state| {
            code.push(Statement::Count { steps: 1 });
            let ends = code.compare(Comparison::Equal, state[0], Operand::real(0.0));
            code.branch(
                ends,
                |_| End::Yield(state.to_vec()),
                |code| {
                    let left = code.binary(Operation::Subtract, state[0], Operand::real(1.0));
                    let next = step(code, state[1], state[2]);
                    End::Repeat([left].into_iter().chain(next).collect())
                },
            )
        });
        vec![last[1]]
    }
}

const BELOW: Header = Header {
    from: 0.0,
    bound: None,
    less: 0.0,
    comparison: Comparison::Less,
    is_mirrored: false,
    holds: true,
    steps: 0,
};

/// A unit with some loops.
fn unit(seed: u64) -> Unit {
    let mut building = Building::default();
    building.unit.inputs = vec![(
        GlobalId(0),
        Template::of(vec![Step::RealLeaf, Step::RealLeaf, Step::BooleanLeaf, Step::Pair, Step::Pair]),
    )];
    let mut rng = Rng::with_seed(seed);
    building.entry(&[Kind::Real; 6], |code| {
        let [x, y] = [0, 1].map(|input| code.input(Kind::Real, input));
        let length = Operand::real(f64::from(rng.u8(0..5)));
        let array = code
            .build(&[Kind::REALS], length, |code, index| End::Yield(vec![code.binary(Operation::Multiply, index, x)]))
            [0];
        let mut loops = Loops { rng, reals: vec![x, y], array };
        let mut results = Vec::new();
        while results.len() < 6 {
            let found = if loops.rng.bool() { loops.recording(code) } else { loops.recurring(code) };
            results.extend(found);
        }
        results.truncate(6);
        End::Yield(results)
    });
    building.finish()
}

/// The statements of storage code in a unit, by name.
fn statements(unit: &Unit) -> impl Iterator<Item = String> {
    let statements = unit.all_statements();
    statements.filter_map(|statement| match statement {
        Statement::Storage(Storage::Integer { operation, .. }) => Some(operation.name().to_owned()),
        Statement::Storage(other) => format!("{other:?}").split([' ', '{']).next().map(str::to_owned),
        _ => None,
    })
}

#[test]
fn loops_compute_the_same() {
    let parts = [Pass::Ranges, Pass::Periods, Pass::Vectorise, Pass::FuseBuilds];
    let (mut found, mut compared) = (BTreeSet::new(), 0);
    for seed in 0..3000 {
        // Half of them have all passes, the others some.
        let left_out = parts.iter().enumerate().filter(|(place, _)| seed % 2 == 1 && seed >> (place + 1) & 1 == 1);
        let passes = left_out.fold(Passes::ALL, |passes, (_, pass)| passes.without(*pass));
        let before = unit(seed);
        let after = lower(&before, Execution::Machine, passes);
        let text = || format!("seed {seed}, {passes}:\n{}\n{}", print(&before, None), print(&after, None));
        assert_eq!(check_without_levels(&after), Ok(()), "{}", text());
        match difference(&before, &after, seed) {
            Difference::NotComparable => {}
            Difference::None => compared += 1,
            Difference::Found(difference) => panic!("{difference}\n{}", text()),
        }
        found.extend(statements(&after));
    }
    assert!(compared > 1500, "only {compared} units are comparable");
    let names = [
        "Apart",
        "CountEach",
        "For",
        "Part",
        "Turns",
        "below",
        "bits",
        "bound",
        "choose",
        "equals",
        "not-below",
        "not-negative",
        "periods",
        "real-of-remainder",
        "remainder",
        "same",
    ];
    let missing: Vec<&&str> = names.iter().filter(|name| !found.contains(**name)).collect();
    assert!(missing.is_empty(), "no unit has {missing:?}");
}
