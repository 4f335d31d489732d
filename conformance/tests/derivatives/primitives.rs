//! Every primitive of the table, applied as a value under `j*` and `*j`.

use crate::batch::{Batch, Expected};
use crate::expression::{Expression, tuple};
use crate::modes::{Basis, Mode, definitions};
use crate::reference::Reference;
use crate::rows::applications;
use rstest::rstest;
use vlad_conformance::fast_build::{fast_build_settings, observe_text_with};
use vlad_conformance::observe::RunConditions;
use vlad_engines::Engine;
use vlad_shared::table::primitives::PRIMITIVES;
use vlad_shared::table::{CheckpointForm, Comparison, Control, Form, OnVector, Operation, Single, ValueTag};

const TOLERANCE: f64 = 1e-14;

/// A batch and its reference. In the texts `j*` and `*j` mean those of the basis.
struct Oracle {
    basis: Basis,
    batch: Batch,
    reference: Reference,
}

impl Oracle {
    /// Expects the gradient of a procedure, by both modes, to be that of an expression.
    fn gradient(&mut self, procedure: &str, expression: &Expression, point: &[f64]) {
        let argument = tuple(point);
        for coordinate in 0..point.len() {
            let estimate = expression.derivative(&mut self.reference, point, &[coordinate]);
            let mut basis = vec![0.0; point.len()];
            basis[coordinate] = 1.0;
            let forward = format!("(cdr (j* {procedure} {argument} {}))", tuple(&basis));
            let gradient = format!("(cdr (*j {procedure} {argument} 1))");
            let rest = (0..coordinate).fold(gradient, |inner, _| format!("(cdr {inner})"));
            let reverse = if coordinate + 1 == point.len() { rest } else { format!("(car {rest})") };
            for text in [forward, reverse] {
                let text = self.basis.on(&text);
                self.batch.expect("gradient", &text, Expected::Derivative(estimate.clone(), TOLERANCE));
            }
        }
    }

    fn exactly(&mut self, text: &str, result: &str) {
        self.batch.expect("result", &self.basis.on(text), Expected::Exactly(result.to_owned()));
    }

    /// Expects the derivatives of a procedure that takes one of two branches by a test: those of x*x and of sin.
    fn branches(&mut self, test: &str, holds: impl Fn(f64) -> bool) {
        let square = Expression::Apply(Operation::Multiply, vec![Expression::Variable(0), Expression::Variable(0)]);
        let sine = Expression::Apply(Operation::Sine, vec![Expression::Variable(0)]);
        for point in [-1.0, -0.5, 0.5, 1.0, 1.5] {
            let taken = if holds(point) { &square } else { &sine };
            self.gradient(&format!("(lambda (x) (if {test} (* x x) (sin x)))"), taken, &[point]);
            let procedures = format!("(if-procedure {test} (lambda () (* x x)) (lambda () (sin x)))");
            self.gradient(&format!("(lambda (x) {procedures})"), taken, &[point]);
        }
    }

    /// Expects the derivatives of the left fold of an operation over operands, by the form of the table.
    fn folds(&mut self, name: &str, operation: Operation, single: Single) {
        let variable = Expression::Variable(0);
        let alone = match single {
            Single::Itself => variable,
            Single::Unary(operation) => Expression::Apply(operation, vec![variable]),
            Single::From(constant) => Expression::Apply(operation, vec![Expression::Constant(constant), variable]),
        };
        for point in [0.75, -2.5, 1e3] {
            self.gradient(name, &alone, &[point]);
        }
        let over = |variables: &[usize]| {
            let variables = variables.iter().map(|number| Expression::Variable(*number));
            variables.reduce(|folded, next| Expression::Apply(operation, vec![folded, next])).unwrap()
        };
        for point in [[0.75, -1.5, 2.25], [-3.0, -0.5, -4.5], [1e3, 7.0, 1e-3]] {
            self.gradient(name, &over(&[0, 1]), &point[..2]);
            self.gradient(name, &over(&[0, 1, 2]), &point);
            self.gradient(&format!("(lambda (a b c) ({name} a b c c b))"), &over(&[0, 1, 2, 2, 1]), &point);
        }
    }

    fn operation(&mut self, name: &str, operation: Operation) {
        for (expression, point) in applications(operation) {
            match &expression {
                Expression::Apply(_, operands) if !operation.varies_with(0) => {
                    let procedure = format!("(lambda (x) ({name} {} x))", operands[0]);
                    self.gradient(&procedure, &expression, &point);
                }
                _ => self.gradient(name, &expression, &point),
            }
        }
    }

    fn control(&mut self, control: Control) {
        let sine = |name: &str| format!("(({name} sin) 0.75)");
        match control {
            Control::IfProcedure => self.branches("(= x 1)", |x| x == 1.0),
            // j* and *j themselves are differentiated as values: the derivatives of (sin x, x' cos x) by x and x', at
            // 0.75 and 1. A primitive is discrete: it is its own tangent.
            Control::Forward => {
                let pushed = "(cdr (j* j* (cons* sin 0.75 1) (cons* sin 1 0)))";
                self.exactly(&format!("(= (car {pushed}) {})", sine("forward")), "#t");
                self.exactly(&format!("(= (cdr {pushed}) (- (sin 0.75)))"), "#t");
                let pulled = "(cdr (cdr (*j j* (cons* sin 0.75 1) (cons 0 1))))";
                self.exactly(&format!("(= (car {pulled}) (- (sin 0.75)))"), "#t");
                self.exactly(&format!("(= (cdr {pulled}) (cos 0.75))"), "#t");
            }
            Control::Reverse => {
                let pushed = "(cdr (j* *j (cons* sin 0.75 1) (cons* sin 1 0)))";
                self.exactly(&format!("(= (car {pushed}) {})", sine("reverse")), "#t");
                self.exactly(&format!("(= (cdr {pushed}) (- (sin 0.75)))"), "#t");
                let pulled = "(cdr (cdr (*j *j (cons* sin 0.75 1) (cons 0 1))))";
                self.exactly(&format!("(= (car {pulled}) (- (sin 0.75)))"), "#t");
                self.exactly(&format!("(= (cdr {pulled}) (cos 0.75))"), "#t");
            }
            // The same as for `*j`; the checkpoint options are not differentiated.
            Control::Checkpoint(division) => {
                let (name, more, zeros) = match division {
                    CheckpointForm::OfRun => ("checkpoint-*j", "1", "1"),
                    CheckpointForm::Bisection => ("checkpoint-*j-bisection", "(cons* 1 #f 1)", "(cons* 0 #f 0)"),
                    CheckpointForm::Binomial => ("checkpoint-*j-binomial", "(cons* 1 1 #f 1)", "(cons* 0 0 #f 0)"),
                };
                let pushed = format!("(cdr (j* {name} (cons* sin 0.75 {more}) (cons* sin 1 {zeros})))");
                let slope =
                    if division == CheckpointForm::OfRun { "(- (cos 0.75) (sin 0.75))" } else { "(- (sin 0.75))" };
                self.exactly(&format!("(= (car {pushed}) (cos 0.75))"), "#t");
                self.exactly(&format!("(= (cdr {pushed}) {slope})"), "#t");
            }
            // A count is discrete: it depends on no real.
            Control::CountSteps => {
                let steps = "(lambda (x) (primops (lambda (y) (* y y)) x))";
                self.exactly(&format!("(j* {steps} 3 1)"), "(5 . 0)");
                self.exactly(&format!("(*j {steps} 3 1)"), "(5 . 0)");
            }
            // Suspended and resumed, x^2 has the derivative 2 x.
            Control::Interrupt | Control::Resume => {
                let square = "(lambda (x) (resume (interrupt (lambda (y) (* y y)) x 3)))";
                self.exactly(&format!("(j* {square} 3 1)"), "(9 . 6)");
                self.exactly(&format!("(*j {square} 3 1)"), "(9 . 6)");
            }
        }
    }

    /// Expects that a real keeps its derivatives wherever it is moved. The length of a vector depends on no real, and
    /// sizes are used without their tangents.
    fn on_vector(&mut self, on: OnVector) {
        let vector = |elements: &str| format!("(list->vector (list {elements}))");
        let (v, of_v) = (vector("2 3 4"), vector("5 6 7"));
        match on {
            OnVector::Length => {
                self.exactly(&format!("(j* vector-length {v} {of_v})"), "(3 . 0)");
                self.exactly(&format!("(*j vector-length {v} 1)"), "(3 . #(0 0 0))");
            }
            OnVector::Element => {
                self.exactly(&format!("(j* get (cons {v} 1) (cons {of_v} 8))"), "(3 . 6)");
                self.exactly(&format!("(*j get (cons {v} 1) 9)"), "(3 #(0 9 0) . 0)");
            }
            OnVector::Replace => {
                let arguments = format!("(cons* {v} 1 10) (cons* {of_v} 0 11)");
                self.exactly(&format!("(j* vector-set {arguments})"), "(#(2 10 4) . #(5 11 7))");
                let pulled = format!("(*j vector-set (cons* {v} 1 10) {of_v})");
                self.exactly(&pulled, "(#(2 10 4) #(5 0 7) 0 . 6)");
            }
            OnVector::Append => {
                self.exactly(&format!("(j* vector-push (cons {v} 8) (cons {of_v} 9))"), "(#(2 3 4 8) . #(5 6 7 9))");
                let pulled = format!("(*j vector-push (cons {v} 8) {})", vector("1 2 3 4"));
                self.exactly(&pulled, "(#(2 3 4 8) #(1 2 3) . 4)");
            }
            OnVector::ToList => {
                self.exactly(&format!("(j* vector->list {v} {of_v})"), "((2 3 4) 5 6 7)");
                self.exactly(&format!("(*j vector->list {v} (list 5 6 7))"), "((2 3 4) . #(5 6 7))");
            }
            OnVector::FromList => {
                self.exactly("(j* list->vector (list 2 3) (list 5 6))", "(#(2 3) . #(5 6))");
                self.exactly(&format!("(*j list->vector (list 2 3) {})", vector("5 6")), "(#(2 3) 5 6)");
            }
            OnVector::Size => {
                self.exactly("(j* build-size 3 1)", "(3 . 0)");
                self.exactly("(*j build-size 3 1)", "(3 . 0)");
            }
            OnVector::Iterations => {
                self.exactly("(j* ifold-size 3 1)", "(3 . 0)");
                self.exactly("(*j ifold-size 3 1)", "(3 . 0)");
            }
            OnVector::OfLength => {
                self.exactly(&format!("(j* of-length (cons {v} 3) (cons {of_v} 8))"), "(#(2 3 4) . #(5 6 7))");
                self.exactly(&format!("(*j of-length (cons {v} 3) {of_v})"), "(#(2 3 4) #(5 6 7) . 0)");
            }
        }
    }

    fn primitive(&mut self, name: &str, form: Form) {
        match form {
            Form::Fold { operation, empty: _, single } => self.folds(name, operation, single),
            Form::Unary(operation) | Form::Binary(operation) => self.operation(name, operation),
            Form::UnaryOrBinary(unary, binary) => {
                self.operation(name, unary);
                self.operation(name, binary);
            }
            Form::Chain(comparison) => {
                self.branches(&format!("({name} x 1)"), |x| comparison.holds(x, 1.0));
                self.branches(&format!("({name} -1 x 1)"), |x| comparison.holds(-1.0, x) && comparison.holds(x, 1.0));
            }
            Form::AgainstZero(comparison) => self.branches(&format!("({name} x)"), |x| comparison.holds(x, 0.0)),
            // The value of a predicate is discrete: it is its own tangent, and no cotangent comes back through it.
            Form::Ask(_) => {
                self.exactly(&format!("(equal? (cdr (j* {name} 3 1)) ({name} 3))"), "#t");
                self.exactly(&format!("(cdr (*j {name} 3 ({name} 3)))"), "0");
            }
            Form::SameValue => {
                self.branches("(equal? x 1)", |x| Comparison::Equal.holds(x, 1.0));
                self.exactly("(cdr (*j equal? (cons 3 (list 4 5)) #f))", "(0 0 0)");
            }
            Form::First => {
                self.exactly("(cdr (j* car (cons 3 4) (cons 5 6)))", "5");
                self.exactly("(cdr (*j car (cons 3 4) 7))", "(7 . 0)");
            }
            Form::Second => {
                self.exactly("(cdr (j* cdr (cons 3 4) (cons 5 6)))", "6");
                self.exactly("(cdr (*j cdr (cons 3 4) 7))", "(0 . 7)");
            }
            Form::Pair => {
                self.exactly("(cdr (j* cons (cons 3 4) (cons 5 6)))", "(5 . 6)");
                self.exactly("(cdr (*j cons (cons 3 4) (cons 5 6)))", "(5 . 6)");
            }
            Form::Real => self.gradient(name, &Expression::Variable(0), &[0.75]),
            Form::Zero => {
                self.exactly("(cdr (j* zero (list 3 4) (list 5 6)))", "(0 0)");
                self.exactly("(cdr (*j zero (list 3 4) (list 5 6)))", "(0 0)");
            }
            Form::Plus => {
                self.gradient(
                    name,
                    &Expression::Apply(Operation::Add, (0..2).map(Expression::Variable).collect()),
                    &[2.0, 3.0],
                );
                self.exactly("(cdr (*j plus (cons (list 1 2) (list 3 4)) (list 5 6)))", "((5 6) 5 6)");
            }
            // A rearrangement acts on tangents as on primals; in reverse, each cotangent goes to the place of its real.
            Form::TransformForward => {
                self.exactly("(cdr (j* j*-transform (list 3) (list 5)))", "(forward (5) (perturbation (0)))");
                self.exactly("(cdr (*j j*-transform (list 3) (bundle (list 7) (list 8))))", "(7)");
            }
            Form::Bundle => {
                self.exactly("(cdr (j* bundle (cons 3 4) (cons 5 6)))", "(forward 5 (perturbation 6))");
                self.exactly("(cdr (*j bundle (cons 3 4) (bundle 5 6)))", "(5 . 6)");
            }
            Form::PrimalOf => {
                self.exactly("(cdr (j* primal (bundle 3 4) (bundle 5 6)))", "5");
                self.exactly("(cdr (*j primal (bundle 3 4) 7))", "(forward 7 (perturbation 0))");
            }
            Form::TangentOf => {
                self.exactly("(cdr (j* tangent (bundle 3 4) (bundle 5 6)))", "6");
                self.exactly("(cdr (*j tangent (bundle 3 4) 7))", "(forward 0 (perturbation 7))");
            }
            Form::Mark(mark) => {
                self.exactly(&format!("(cdr (j* {name} 3 5))"), &format!("({} 5)", tag_of(mark)));
                self.exactly(&format!("(cdr (*j {name} 3 ({} 7)))", maker_of(mark)), "7");
            }
            Form::Unmark(mark) | Form::Invert(mark) => {
                let maker = maker_of(mark);
                self.exactly(&format!("(cdr (j* {name} ({maker} 3) ({maker} 5)))"), "5");
                self.exactly(&format!("(cdr (*j {name} ({maker} 3) 7))"), &format!("({} 7)", tag_of(mark)));
                if let Form::Unmark(_) = form {
                    self.exactly(&format!("(cdr (j* {name} 3 5))"), "5");
                }
            }
            Form::OnVector(on) => self.on_vector(on),
            // They have programs of their own below.
            Form::ReadReal | Form::EndOfInput | Form::WriteReal | Form::Write | Form::WriteRow | Form::WriteText => {}
            // They have no value.
            Form::Error | Form::ErrorText => {}
            Form::Control(control) => self.control(control),
        }
    }
}

/// The printed form of a tag.
fn tag_of(mark: ValueTag) -> &'static str {
    match mark {
        ValueTag::Perturbation => "perturbation",
        ValueTag::Sensitivity => "sensitivity",
        ValueTag::Reverse => "reverse",
    }
}

/// The procedure that makes it.
fn maker_of(mark: ValueTag) -> &'static str {
    match mark {
        ValueTag::Perturbation => "perturb",
        ValueTag::Sensitivity => "sensitize",
        ValueTag::Reverse => "*j-transform",
    }
}

/// Checks all rows on all bases, by all engines. A form without an expectation does not compile; a row that adds none
/// fails.
#[rstest]
fn derivatives_of_every_primitive(
    #[values(Basis::Operators, Basis::Checkpointed, Basis::Reflective, Basis::Marked)] basis: Basis,
) {
    let program = format!("{}\n{}", definitions(&Mode::OPERATORS), basis.definitions());
    let mut oracle = Oracle { basis, batch: Batch::new(&program), reference: Reference::new().unwrap() };
    for row in &PRIMITIVES {
        let before = oracle.batch.len();
        oracle.primitive(row.name, row.form);
        let has_own_program = matches!(
            row.form,
            Form::ReadReal
                | Form::EndOfInput
                | Form::WriteReal
                | Form::Write
                | Form::WriteRow
                | Form::WriteText
                | Form::Error
                | Form::ErrorText
        );
        assert!(has_own_program || oracle.batch.len() > before, "{} is checked", row.name);
    }
    oracle.batch.check();
}

/// The lines that a program prints for an input.
fn output(engine: Engine, program: &str, input: &str) -> Vec<String> {
    let setting =
        RunConditions { input: input.to_owned(), compilation: fast_build_settings(), ..RunConditions::default() };
    let observation = observe_text_with(engine, program, &setting);
    assert!(observation.diagnostics.is_empty(), "{engine}:\n{}", observation.rendered());
    observation.output
}

/// Checks that effects happen once and show primals, and that a written value is returned with its derivatives.
#[rstest]
fn derivatives_through_input_and_output(
    #[values(Basis::Operators, Basis::Checkpointed, Basis::Reflective, Basis::Marked)] basis: Basis,
) {
    let output = |engine, text: &str, input: &str| {
        output(engine, &format!("{}\n{}", basis.definitions(), basis.on(text)), input)
    };
    for engine in Engine::ALL {
        for name in ["write-real", "write"] {
            assert_eq!(output(engine, &format!("(j* {name} 3 5)"), ""), ["3", "(3 . 5)"]);
            assert_eq!(output(engine, &format!("(*j {name} 3 5)"), ""), ["3", "(3 . 5)"]);
        }
        assert_eq!(output(engine, "(j* write-row (list 3 #t) (list 5 #t))", ""), ["3 #t", "((3 #t) 5 #t)"]);
        assert_eq!(output(engine, "(*j write-row (list 3 #t) (list 5 #t))", ""), ["3 #t", "((3 #t) 5 #t)"]);
        assert_eq!(output(engine, "(j* (lambda (x) (write \"x \" x)) 3 5)", ""), ["x 3", "(3 . 5)"]);
        assert_eq!(output(engine, "(*j (lambda (x) (write \"x \" x)) 3 5)", ""), ["x 3", "(3 . 5)"]);
        // x times each number of the input: 2 * 3.
        let all = "(lambda (x) (let all ((p x)) (if (end-of-input?) p (all (* p (read-real))))))";
        assert_eq!(output(engine, &format!("(j* {all} 1 1)"), "2 3"), ["(6 . 6)"]);
        assert_eq!(output(engine, &format!("(*j {all} 1 1)"), "2 3"), ["(6 . 6)"]);
        // x times the number read, and x once more: 4 + 1.
        let product = "(lambda (x) (+ x (* x (read-real))))";
        assert_eq!(output(engine, &format!("(j* {product} 3 1)"), "4"), ["(15 . 5)"]);
        assert_eq!(output(engine, &format!("(*j {product} 3 1)"), "4"), ["(15 . 5)"]);
        // Nested: each evaluation of the inner derivative reads and writes once.
        let inner = "(lambda (x) (cdr (*j (lambda (y) (write-real (* y (* x (read-real))))) x 1)))";
        assert_eq!(output(engine, &format!("(j* {inner} 3 1)"), "4 5"), ["36", "(12 . 4)"]);
        assert_eq!(output(engine, &format!("(*j {inner} 3 1) (read-real)"), "4 5"), ["36", "(12 . 4)", "5"]);
    }
}
