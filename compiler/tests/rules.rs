//! The C that is generated from the table of primitives agrees with the table, row by row.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, missing_docs)] // tests may

mod twin;

use twin::native::{Kind, Machine, Native, primitive_row};
use twin::random::SPECIAL;
use twin::{Twin, same};
use vlad_ad::{Levels, TraversalContext, forward, reverse};
use vlad_compiler::rules;
use vlad_core::Program;
use vlad_table::operations::OPERATIONS;
use vlad_table::primitives::PRIMITIVES;
use vlad_table::{Arity, Comparison, Control, Division, Form, Mark, Operation, Predicate, Single, Tag};
use vlad_values::Value;
use vlad_values::watch::LimitCheck;

/// One computation on both engines.
struct Both {
    machine: Machine,
    levels: Levels,
    watch: LimitCheck,
    program: Program,
}

/// The mode of differentiation of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Forward,
    Reverse,
}

impl Both {
    fn new() -> Both {
        let watch = LimitCheck::default();
        let (machine, levels) = (Machine::new(vec![0], u64::MAX), Levels::new(watch.clone()));
        Both { machine, levels, watch, program: Program::default() }
    }

    fn apply(&mut self, operation: Operation, operands: [&Twin; 2]) -> Twin {
        let numbers = operands.map(|twin| twin.shared.number().unwrap());
        match operation.arity() {
            Arity::One => Twin {
                shared: self.levels.unary(operation, &numbers[0]).into(),
                native: self.machine.unary(operation, operands[0].native),
            },
            Arity::Two => Twin {
                shared: self.levels.binary(operation, &numbers[0], &numbers[1]).into(),
                native: self.machine.binary(operation, operands[0].native, operands[1].native),
            },
        }
    }

    /// The value and the derivatives of an operation under nested levels of some modes. `active` has a bit for each active
    /// operand. Each level lifts the operands, and takes the value and the derivatives at the levels inside it.
    fn derivatives(&mut self, operation: Operation, operands: [Twin; 2], active: usize, modes: &[Mode]) -> Twin {
        let Some((mode, inner)) = modes.split_first() else {
            return self.apply(operation, [&operands[0], &operands[1]]);
        };
        // The point of differentiation: the list of the active operands.
        let is_active = |place: usize| active >> place & 1 == 1;
        let x = self.list(|place| is_active(place).then(|| operands[place].clone()));
        let seed = self.list(|place| is_active(place).then(|| Twin::real([1.0, -0.75][place])));
        let (level, lifted) = self.enter(*mode, &x, &seed);
        let mut rest = lifted.clone();
        let mut lifted_operands = operands;
        for place in (0..2).filter(|place| is_active(*place)) {
            let Value::Pair(pair) = &rest.shared else { unreachable!("a list") };
            let [first, second] = rest.native.halves();
            lifted_operands[place] = Twin { shared: pair.first.clone(), native: first };
            rest = Twin { shared: pair.second.clone(), native: second };
        }
        let y = self.derivatives(operation, lifted_operands, active, inner);
        let made = self.leave(*mode, level, &x, &y);
        [x, seed, lifted, y].into_iter().for_each(|twin| self.machine.give_up(twin.native));
        made
    }

    fn enter(&mut self, mode: Mode, x: &Twin, seed: &Twin) -> (u32, Twin) {
        let mut context = TraversalContext { program: &self.program, watch: &mut self.watch };
        let ((level, shared), (native_level, native)) = match mode {
            Mode::Forward => (
                forward::enter(&mut self.levels, &x.shared, &seed.shared, &mut context).unwrap(),
                self.machine.forward_enter(x.native, seed.native),
            ),
            Mode::Reverse => (
                reverse::enter(&mut self.levels, &x.shared, &mut context).unwrap(),
                self.machine.reverse_enter(x.native),
            ),
        };
        assert_eq!(level, native_level);
        (level, Twin { shared, native })
    }

    /// Leaves a level; the cotangent of a result is 1 in all components.
    fn leave(&mut self, mode: Mode, level: u32, x: &Twin, y: &Twin) -> Twin {
        let mut context = TraversalContext { program: &self.program, watch: &mut self.watch };
        match mode {
            Mode::Forward => {
                let (primal, tangent) = forward::leave(&mut self.levels, level, &y.shared, &mut context).unwrap();
                Twin { shared: Value::pair(primal, tangent), native: self.machine.forward_leave(level, y.native) }
            }
            Mode::Reverse => {
                let ones = ones(&y.shared);
                let shared =
                    reverse::leave(&mut self.levels, level, &x.shared, &y.shared, &ones, &mut context).unwrap();
                let ones = self.native_ones(y.native);
                let native = self.machine.reverse_leave(level, x.native, y.native, ones);
                self.machine.give_up(ones);
                Twin { shared, native }
            }
        }
    }

    /// The list of the twins that exist for the operands.
    fn list(&self, of: impl Fn(usize) -> Option<Twin>) -> Twin {
        let mut list = Twin { shared: Value::Nil, native: Native::NIL };
        for place in (0..2).rev() {
            if let Some(twin) = of(place) {
                list = Twin {
                    shared: Value::pair(twin.shared, list.shared),
                    native: self.machine.pair(twin.native.share(), list.native),
                };
            }
        }
        list
    }

    fn native_ones(&self, value: Native) -> Native {
        match value.kind() {
            Kind::Pair => {
                let [first, second] = value.halves();
                let first = self.native_ones(first);
                self.machine.pair(first, self.native_ones(second))
            }
            Kind::Real | Kind::Lifted => Native::real(1.0),
            _ => value,
        }
    }
}

fn ones(value: &Value) -> Value {
    match value {
        Value::Pair(pair) => Value::pair(ones(&pair.first), ones(&pair.second)),
        Value::Real(_) | Value::Lifted(_) => Value::Real(1.0),
        _ => value.clone(),
    }
}

/// Checks an operation at some operands, through levels of some modes.
fn check(operation: Operation, a: f64, b: f64, active: usize, modes: &[Mode]) {
    let mut both = Both::new();
    let made = both.derivatives(operation, [Twin::real(a), Twin::real(b)], active, modes);
    if let Err(difference) = same(&made.shared, made.native) {
        panic!("{operation:?} at {a:?}, {b:?}, active {active}, {modes:?}: {difference}");
    }
    both.machine.give_up(made.native);
    assert_eq!(both.machine.live(), 0, "{operation:?} {modes:?} leaves nothing behind");
}

/// Checks every operation at all special operands, through levels of some modes.
fn check_all(modes: &[Mode]) {
    for row in &OPERATIONS {
        for a in SPECIAL {
            match row.operation.arity() {
                Arity::One => check(row.operation, a, 0.0, 1, modes),
                Arity::Two => {
                    for b in SPECIAL {
                        (1..4).for_each(|active| check(row.operation, a, b, active, modes));
                    }
                }
            }
        }
    }
}

#[test]
fn operations_on_plain_reals() {
    check_all(&[]);
}

#[test]
fn coefficients_on_plain_reals() {
    check_all(&[Mode::Forward]);
    check_all(&[Mode::Reverse]);
}

#[test]
fn coefficients_on_lifted_reals() {
    for outer in [Mode::Forward, Mode::Reverse] {
        for inner in [Mode::Forward, Mode::Reverse] {
            check_all(&[outer, inner]);
        }
    }
}

#[test]
fn third_derivatives() {
    use Mode::{Forward, Reverse};
    for modes in [[Forward, Forward, Forward], [Reverse, Forward, Reverse], [Forward, Reverse, Reverse]] {
        for row in &OPERATIONS {
            for (a, b) in [(0.5, 0.25), (-0.0, 3.0), (0.0, -0.0), (2.0, f64::INFINITY)] {
                (1..4).for_each(|active| {
                    check(row.operation, a, b, if row.operation.arity() == Arity::One { 1 } else { active }, &modes)
                });
            }
        }
    }
}

#[test]
fn every_operation_has_a_meaning_in_c() {
    let header = rules::header();
    for row in &OPERATIONS {
        let constant = rules::names::operation_constant(row.operation);
        assert!(header.contains(&format!("{constant} = {},", row.operation as u8)), "{constant}");
        let meaning = rules::evaluation(row.operation);
        assert!(header.contains(&format!("return {meaning};")), "{constant}");
        assert_eq!(meaning.contains('b') && row.operation != Operation::Absolute, row.operation.arity() == Arity::Two);
    }
}

#[test]
fn every_primitive_has_its_row() {
    for (number, row) in PRIMITIVES.iter().enumerate() {
        let constant = rules::names::primitive_constant(row.primitive);
        assert!(rules::header().contains(&format!("{constant} = {number},")), "{constant}");
        let native = primitive_row(number);
        let found = (native.form, native.operation, native.other, native.single, native.detail);
        assert_eq!(found, expected_row(row.form), "{}", row.name);
        let (empty, from) = match row.form {
            Form::Fold { empty, single, .. } => (empty, if let Single::From(from) = single { from } else { 0.0 }),
            _ => (None, 0.0),
        };
        assert_eq!((native.has_empty != 0).then_some(native.empty), empty, "{}", row.name);
        assert_eq!(native.from.to_bits(), from.to_bits(), "{}", row.name);
    }
}

/// The expected form, operation, other operation, treatment of a single operand, and detail.
fn expected_row(form: Form) -> (u8, u8, u8, u8, u8) {
    let comparison = |comparison| match comparison {
        Comparison::Equal => 0,
        Comparison::Less => 1,
        Comparison::Greater => 2,
        Comparison::NotGreater => 3,
        Comparison::NotLess => 4,
    };
    let mark = |mark| match mark {
        Mark::Perturbation => 0,
        Mark::Sensitivity => 1,
        Mark::Reverse => 2,
    };
    match form {
        Form::Fold { operation, single: Single::Itself, .. } => (0, operation as u8, 0, 0, 0),
        Form::Fold { operation, single: Single::Unary(other), .. } => (0, operation as u8, other as u8, 1, 0),
        Form::Fold { operation, single: Single::From(_), .. } => (0, operation as u8, 0, 2, 0),
        Form::Unary(operation) => (1, operation as u8, 0, 0, 0),
        Form::Binary(operation) => (2, operation as u8, 0, 0, 0),
        Form::UnaryOrBinary(unary, binary) => (3, unary as u8, binary as u8, 0, 0),
        Form::Chain(holds) => (4, 0, 0, 0, comparison(holds)),
        Form::AgainstZero(holds) => (5, 0, 0, 0, comparison(holds)),
        Form::Ask(predicate) => (
            6,
            0,
            0,
            0,
            match predicate {
                Predicate::Null => 0,
                Predicate::Boolean => 1,
                Predicate::Real => 2,
                Predicate::Pair => 3,
                Predicate::Procedure => 4,
                Predicate::Capsule => 5,
                Predicate::False => 6,
                Predicate::Tagged(Tag::Perturbation) => 7,
                Predicate::Tagged(Tag::Sensitivity) => 8,
                Predicate::Tagged(Tag::Reverse) => 9,
                Predicate::Tagged(Tag::Bundle) => 10,
                Predicate::Vector => 11,
                Predicate::Tagged(Tag::Backpropagator) => unreachable!("nobody asks for backpropagators"),
            },
        ),
        Form::First => (7, 0, 0, 0, 0),
        Form::Second => (8, 0, 0, 0, 0),
        Form::Pair => (9, 0, 0, 0, 0),
        Form::SameValue => (10, 0, 0, 0, 0),
        Form::Real => (11, 0, 0, 0, 0),
        Form::Zero => (12, 0, 0, 0, 0),
        Form::Plus => (13, 0, 0, 0, 0),
        Form::TransformForward => (14, 0, 0, 0, 0),
        Form::Bundle => (15, 0, 0, 0, 0),
        Form::PrimalOf => (16, 0, 0, 0, 0),
        Form::TangentOf => (17, 0, 0, 0, 0),
        Form::Mark(of) => (18, 0, 0, 0, mark(of)),
        Form::Unmark(of) => (19, 0, 0, 0, mark(of)),
        Form::Invert(of) => (20, 0, 0, 0, mark(of)),
        Form::OnVector(on) => (21, 0, 0, 0, on as u8),
        Form::ReadReal => (22, 0, 0, 0, 0),
        Form::WriteReal => (23, 0, 0, 0, 0),
        Form::Write => (24, 0, 0, 0, 0),
        Form::Control(control) => (
            25,
            0,
            0,
            0,
            match control {
                Control::IfProcedure => 0,
                Control::Forward => 1,
                Control::Reverse => 2,
                Control::CountSteps => 3,
                Control::Interrupt => 4,
                Control::Resume => 5,
                Control::Checkpoint(Division::OfRun) => 6,
                Control::Checkpoint(Division::Bisection) => 7,
                Control::Checkpoint(Division::Binomial) => 8,
            },
        ),
    }
}
