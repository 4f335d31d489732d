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
use vlad_table::{
    Arity, CheckpointForm, Comparison, Control, Form, OnVector, Operation, Predicate, Single, Tag, ValueTag,
};
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

    /// The value and the derivatives of an operation under nested levels of some modes. `active` has a bit for each
    /// active operand. Each level lifts the operands, and takes the value and the derivatives at the levels inside it.
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
        let has_second = meaning.split(|letter: char| !letter.is_alphanumeric()).any(|word| word == "b");
        assert_eq!(has_second, row.operation.arity() == Arity::Two);
    }
}

#[test]
fn every_primitive_has_its_row() {
    let header = rules::header();
    let number_of = |constant: &str| -> u8 {
        let line = header.lines().find_map(|line| line.trim().strip_prefix(&format!("VLAD_{constant} = ")));
        line.unwrap_or_else(|| panic!("{constant}")).trim_end_matches(',').parse().unwrap()
    };
    for (number, row) in PRIMITIVES.iter().enumerate() {
        let constant = rules::names::primitive_constant(row.primitive);
        assert!(header.contains(&format!("{constant} = {number},")), "{constant}");
        let native = primitive_row(number);
        let (form, operations, single, detail) = expected_row(row.form);
        assert_eq!(native.form, number_of(&format!("FORM_{form}")), "{}", row.name);
        assert_eq!([native.operation, native.other], operations, "{}", row.name);
        assert_eq!(native.single, number_of(&format!("SINGLE_{single}")), "{}", row.name);
        assert_eq!(native.detail, detail.map_or(0, number_of), "{}", row.name);
        let (empty, from) = match row.form {
            Form::Fold { empty, single, .. } => (empty, if let Single::From(from) = single { from } else { 0.0 }),
            _ => (None, 0.0),
        };
        assert_eq!((native.has_empty != 0).then_some(native.empty), empty, "{}", row.name);
        assert_eq!(native.from.to_bits(), from.to_bits(), "{}", row.name);
    }
}

/// The expected form, operations, treatment of a single operand, and detail: constants by the names that the runtime
/// uses.
fn expected_row(form: Form) -> (&'static str, [u8; 2], &'static str, Option<&'static str>) {
    let comparison = |comparison| match comparison {
        Comparison::Equal => "COMPARISON_EQUAL",
        Comparison::Less => "COMPARISON_LESS",
        Comparison::Greater => "COMPARISON_GREATER",
        Comparison::NotGreater => "COMPARISON_NOT_GREATER",
        Comparison::NotLess => "COMPARISON_NOT_LESS",
    };
    let mark = |mark| match mark {
        ValueTag::Perturbation => "MARK_PERTURBATION",
        ValueTag::Sensitivity => "MARK_SENSITIVITY",
        ValueTag::Reverse => "MARK_REVERSE",
    };
    let plain = |form| (form, [0, 0], "ITSELF", None);
    let detailed = |form, detail| (form, [0, 0], "ITSELF", Some(detail));
    match form {
        Form::Fold { operation, single: Single::Itself, .. } => ("FOLD", [operation as u8, 0], "ITSELF", None),
        Form::Fold { operation, single: Single::Unary(other), .. } => {
            ("FOLD", [operation as u8, other as u8], "UNARY", None)
        }
        Form::Fold { operation, single: Single::From(_), .. } => ("FOLD", [operation as u8, 0], "FROM", None),
        Form::Unary(operation) => ("UNARY", [operation as u8, 0], "ITSELF", None),
        Form::Binary(operation) => ("BINARY", [operation as u8, 0], "ITSELF", None),
        Form::UnaryOrBinary(unary, binary) => ("UNARY_OR_BINARY", [unary as u8, binary as u8], "ITSELF", None),
        Form::Chain(holds) => detailed("CHAIN", comparison(holds)),
        Form::AgainstZero(holds) => detailed("AGAINST_ZERO", comparison(holds)),
        Form::Ask(predicate) => detailed(
            "ASK",
            match predicate {
                Predicate::Null => "PREDICATE_NULL",
                Predicate::Boolean => "PREDICATE_BOOLEAN",
                Predicate::Real => "PREDICATE_REAL",
                Predicate::Pair => "PREDICATE_PAIR",
                Predicate::Procedure => "PREDICATE_PROCEDURE",
                Predicate::Capsule => "PREDICATE_CAPSULE",
                Predicate::False => "PREDICATE_FALSE",
                Predicate::Tagged(Tag::Perturbation) => "PREDICATE_PERTURBATION",
                Predicate::Tagged(Tag::Sensitivity) => "PREDICATE_SENSITIVITY",
                Predicate::Tagged(Tag::Reverse) => "PREDICATE_REVERSE",
                Predicate::Tagged(Tag::Bundle) => "PREDICATE_BUNDLE",
                Predicate::Vector => "PREDICATE_VECTOR",
                Predicate::Tagged(Tag::Backpropagator) => unreachable!("nobody asks for backpropagators"),
            },
        ),
        Form::First => plain("FIRST"),
        Form::Second => plain("SECOND"),
        Form::Pair => plain("PAIR"),
        Form::SameValue => plain("SAME_VALUE"),
        Form::Real => plain("REAL"),
        Form::Zero => plain("ZERO"),
        Form::Plus => plain("PLUS"),
        Form::TransformForward => plain("TRANSFORM_FORWARD"),
        Form::Bundle => plain("BUNDLE"),
        Form::PrimalOf => plain("PRIMAL_OF"),
        Form::TangentOf => plain("TANGENT_OF"),
        Form::Mark(of) => detailed("MARK", mark(of)),
        Form::Unmark(of) => detailed("UNMARK", mark(of)),
        Form::Invert(of) => detailed("INVERT", mark(of)),
        Form::OnVector(on) => detailed(
            "ON_VECTOR",
            match on {
                OnVector::Length => "ON_VECTOR_LENGTH",
                OnVector::Element => "ON_VECTOR_ELEMENT",
                OnVector::Replace => "ON_VECTOR_REPLACE",
                OnVector::Append => "ON_VECTOR_APPEND",
                OnVector::ToList => "ON_VECTOR_TO_LIST",
                OnVector::FromList => "ON_VECTOR_FROM_LIST",
                OnVector::Size => "ON_VECTOR_SIZE",
                OnVector::Iterations => "ON_VECTOR_ITERATIONS",
                OnVector::OfLength => "ON_VECTOR_OF_LENGTH",
            },
        ),
        Form::ReadReal => plain("READ_REAL"),
        Form::WriteReal => plain("WRITE_REAL"),
        Form::Write => plain("WRITE"),
        Form::WriteRow => plain("WRITE_ROW"),
        Form::EndOfInput => plain("END_OF_INPUT"),
        Form::WriteText => plain("WRITE_TEXT"),
        Form::Error => plain("ERROR"),
        Form::ErrorText => plain("ERROR_TEXT"),
        Form::Control(control) => detailed(
            "CONTROL",
            match control {
                Control::IfProcedure => "CONTROL_IF_PROCEDURE",
                Control::Forward => "CONTROL_FORWARD",
                Control::Reverse => "CONTROL_REVERSE",
                Control::CountSteps => "CONTROL_COUNT_STEPS",
                Control::Interrupt => "CONTROL_INTERRUPT",
                Control::Resume => "CONTROL_RESUME",
                Control::Checkpoint(CheckpointForm::OfRun) => "CONTROL_CHECKPOINT_OF_RUN",
                Control::Checkpoint(CheckpointForm::Bisection) => "CONTROL_CHECKPOINT_BISECTION",
                Control::Checkpoint(CheckpointForm::Binomial) => "CONTROL_CHECKPOINT_BINOMIAL",
            },
        ),
    }
}
