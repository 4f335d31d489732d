//! Tests of capsule files that are forged with a right checksum, at the level of their contents: values of other kinds,
//! other points, other records of the input read. An engine refuses them or resumes them; none panics, and each stays
//! usable.

use std::any::Any;
use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use vlad_conformance::fast_build::fast_build_settings;
use vlad_derivatives::numbers::Numbers;
use vlad_engines::{Engine, Ready, Task};
use vlad_shared::core::diagnostic::Kind;
use vlad_shared::core::{ExpressionId, Program};
use vlad_shared::frontend::load::{Input, Options, load};
use vlad_shared::runtime::run::{Limits, Outcome, Report, StreamHost};
use vlad_shared::runtime::suspended::{Awaited, PartEnd, PartRequest, PointStack, Scope, Suspended};
use vlad_shared::snapshot::capsule_file;
use vlad_shared::snapshot::capsule_file::code::Code;
use vlad_shared::table::Primitive;
use vlad_shared::table::number::Notation;
use vlad_shared::values::{
    Backpropagator, Bundle, Capsule, Number, Primals, Skeleton, Slots, Tagged, Tagging, Tangent, Value,
};

/// The most steps that a forged run takes after it is resumed.
const MOST_STEPS: u64 = 400;

/// A program with engines that run parts of it.
struct Trial {
    program: Program,
    engines: Vec<(Engine, Ready)>,
}

impl Trial {
    fn of(text: &str) -> Trial {
        let input = Input::Text { name: "program".to_owned(), bytes: text.as_bytes().to_vec(), folder: None };
        let program = load(input, &Options::default()).unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics));
        let limits = Limits { steps: Some(MOST_STEPS), ..Limits::default() };
        let task = Task { program: &program, limits: &limits };
        let ready =
            |engine: Engine| engine.make_ready_for(Scope::Part, &[task], &fast_build_settings()).unwrap().remove(0);
        let engines = Engine::ALL.map(|engine| (engine, ready(engine))).into();
        Trial { program, engines }
    }

    fn suspended(&self, after: u64) -> Option<Suspended> {
        let limits = Limits { steps: Some(10_000), ..Limits::default() };
        let task = Task { program: &self.program, limits: &limits };
        match self.engines[0].1.run_part(
            task,
            &mut host(),
            PartRequest { until: Some(after), ..PartRequest::default() },
        ) {
            PartEnd::Suspended(suspended) => Some(*suspended),
            PartEnd::Ended(_) => None,
        }
    }

    /// The state as it is read from its file; none if the file is refused.
    fn read(&self, forged: &Suspended) -> Option<Suspended> {
        let mut file = Vec::new();
        capsule_file::write(&self.program, forged, &mut file).unwrap();
        capsule_file::open(&file).and_then(|opened| opened.suspended(&self.program)).ok()
    }

    /// Resumes a forged state on an engine, for some steps.
    fn go_on(&self, (engine, ready): &(Engine, Ready), forged: &Suspended, until: Option<u64>, what: &str) -> PartEnd {
        let limits =
            Limits { steps: Some(forged.steps.saturating_add(MOST_STEPS)), memory: Some(4 << 30), ..Limits::default() };
        let task = Task { program: &self.program, limits: &limits };
        let part = PartRequest { from: Some(forged.clone()), until, ..PartRequest::default() };
        catch_unwind(AssertUnwindSafe(|| ready.run_part(task, &mut host(), part)))
            .unwrap_or_else(|_| panic!("{engine} panicked: {what}"))
    }

    /// Returns true if a file of the state is not refused. In that case all engines resume it, and a state that one of
    /// them suspends again is written and read once more.
    fn use_forged(&self, forged: &Suspended, what: &str) -> bool {
        let Some(forged) = self.read(forged) else { return false };
        for engine in &self.engines {
            self.go_on(engine, &forged, None, what);
            if let PartEnd::Suspended(again) = self.go_on(engine, &forged, Some(forged.steps + 7), what) {
                // The state is not one of any run if a procedure waits in place of a primitive: then it is refused.
                self.read(&again);
            }
        }
        true
    }
}

fn host() -> StreamHost<Cursor<&'static str>, Vec<u8>> {
    StreamHost::new(Cursor::new("1 2.5 -3 4 5 6 7 8"), Vec::new(), Notation::WithBits)
}

/// The parts of a value, in order.
fn parts(value: &Value) -> Vec<Value> {
    match value {
        Value::Nil | Value::Boolean(_) | Value::Real(_) | Value::Lifted(_) | Value::Primitive(_) => Vec::new(),
        Value::Pair(pair) => vec![pair.first.clone(), pair.second.clone()],
        Value::Procedure { slots, .. } => slots.iter().flat_map(|slots| slots.values().to_vec()).collect(),
        Value::Vector(vector) => vector.iter().collect(),
        Value::Tagged(tagged) => tagged.contents().into_iter().cloned().collect(),
        Value::Capsule(capsule) => {
            let reals = capsule.reals.iter().cloned().map(Value::from);
            capsule.values().iter().cloned().chain(reals).collect()
        }
    }
}

/// The value with its parts replaced by as many others; none if it cannot have them.
fn with_parts(value: &Value, parts: Vec<Value>) -> Option<Value> {
    Some(match value {
        Value::Nil | Value::Boolean(_) | Value::Real(_) | Value::Lifted(_) | Value::Primitive(_) => value.clone(),
        Value::Pair(_) => Value::pair(parts[0].clone(), parts[1].clone()),
        Value::Procedure { code, slots } => {
            Value::Procedure { code: *code, slots: slots.as_ref().map(|_| Rc::new(Slots::new(parts))) }
        }
        Value::Vector(_) => Value::vector(parts.into_iter().collect()),
        Value::Tagged(tagged) => Value::tagged(tagged.with(parts[0].clone(), parts.get(1).cloned(), Primals::Same)),
        Value::Capsule(capsule) => {
            let (values, reals) = parts.split_at(capsule.values().len());
            let reals = reals.iter().map(Value::number).collect::<Option<Vec<Number>>>()?;
            let points = Box::new(point_stack_of(capsule).clone());
            let skeleton = Rc::new(Skeleton::new(points, values.to_vec()));
            Value::Capsule(Rc::new(Capsule { skeleton, reals, primals: capsule.primals }))
        }
    })
}

fn point_stack_of(capsule: &Capsule) -> &PointStack {
    (&*capsule.skeleton.points as &dyn Any).downcast_ref().unwrap()
}

fn size(value: &Value) -> usize {
    1 + parts(value).iter().map(size).sum::<usize>()
}

/// The part of a number, counted in preorder from the value itself.
fn part(value: &Value, number: usize) -> Value {
    if number == 0 {
        return value.clone();
    }
    let mut left = number - 1;
    for inner in parts(value) {
        let count = size(&inner);
        if left < count {
            return part(&inner, left);
        }
        left -= count;
    }
    panic!("there is a part {number}")
}

/// The value with the part of a number replaced.
fn replaced(value: &Value, number: usize, by: &Value) -> Option<Value> {
    if number == 0 {
        return Some(by.clone());
    }
    let (mut left, mut inner) = (number - 1, parts(value));
    for place in &mut inner {
        let count = size(place);
        if left < count {
            *place = replaced(place, left, by)?;
            return with_parts(value, inner);
        }
        left -= count;
    }
    panic!("there is a part {number}")
}

/// Values of every kind.
fn strangers() -> Vec<Value> {
    let list = Value::list([Value::Real(1.0), Value::Boolean(true)]);
    let primitive = |name| Value::Primitive(Primitive::named(name).unwrap());
    let bundle =
        Bundle { primal: Value::Real(1.0), tangent: Tangent::Given(Value::Boolean(true)), marking: Tagging::Plain };
    let back = |operator, reads: &[f64]| {
        Value::tagged(Tagged::Backpropagator(Backpropagator::new(operator, Value::Nil, Some(reads.into()))))
    };
    let mut strangers = vec![
        Value::Nil,
        Value::Boolean(false),
        list.clone(),
        Value::vector([Value::Real(1.0), Value::Real(2.0)].into_iter().collect()),
        Value::vector([list.clone()].into_iter().collect()),
        Value::vector([].into_iter().collect()),
        Value::tagged(Tagged::Perturbation(Value::Real(1.0))),
        Value::tagged(Tagged::Sensitivity(list.clone())),
        Value::tagged(Tagged::Reverse(primitive("sin"))),
        Value::tagged(Tagged::Bundle(bundle)),
        back(primitive("read-real"), &[]),
        back(primitive("sin"), &[1.0]),
        back(Value::Real(1.0), &[]),
    ];
    strangers.extend([0.0, -0.0, -1.0, 0.5, 1e308, f64::INFINITY, f64::NAN, 4294967296.0].map(Value::Real));
    strangers.extend(["+", "car", "j*", "*j", "read-real", "resume", "vector-push", "build-size"].map(primitive));
    strangers
}

/// Programs that keep values of every kind in definitions, slots, locals, frames and capsules, and use them.
const PROGRAMS: [&str; 7] = [
    "(define (f s l) (if (null? l) (s 1) (+ (s (car l)) (f s (cdr l))))) (f (lambda (x) (* x x)) (list 1 2 3))
     (define l (list (cons 1 2) #t car (lambda (x) (+ x 1)))) (map (lambda (p) (cons p l)) l) ((cadr (cdr (cdr l))) 2)",
    "(letrec ((even (lambda (n) (if (= n 0) #t (odd (- n 1))))) (odd (lambda (n) (if (= n 0) #f (even (- n 1))))))
       (let* ((g (lambda (x) (even x))) (h (lambda (y) (cons (g (+ y 1)) even)))) (list (g 4) (h 5) (odd 3))))",
    "(define ((f a) x) (let ((s (lambda (y) (+ a (* y x))))) (if (> x 50) (s x) (+ (s 1) ((f (s 2)) (+ x 7))))))
     (define z (interrupt (f 2) 3 60)) (define y (list z (lambda (w) (resume z)))) (resume z) (cons z ((cadr y) 1))
     (equal? z (car y)) (j* resume z z) (cdr (*j resume z 1)) (primops resume z)",
    "(define (f x) (* x (sin (+ x (read-real))))) (define b (bundle 2 (perturb 1))) (define p ((*j f) (*j 2)))
     (tangent ((j* sin) b)) ((cdr p) 1) (define q (list (j* sin) (perturb p) (sensitize b) (cdr p) b (*j b)))
     (map forward? q) (+ 1 (cdr ((cdr p) 10))) (unsensitize ((cdr p) (sensitize 2))) (equal? (cdr p) (cadr (cdr (cdr q))))
     (cdr (*j (lambda (w) (cdr ((cdr p) w))) 1 1)) (checkpoint-*j (lambda (w) (+ (cdr ((cdr p) w)) (read-real))) 1 1)",
    "(define v (build 4 (lambda (i) (* i 1.5)))) (define m (build 2 (lambda (i) (build 2 (lambda (j) (cons v i))))))
     (define (f x) (ifold (lambda (s i) (vector-set (vector-push s (* x i)) i (get v i))) (list->vector (list x 1)) 3))
     (f 2) (define z (interrupt f 2 25)) (resume z) (equal? m (list->vector (vector->list m))) (f (get v 3)) (get v 1)",
    "(define (g x) (let ((p ((*j sin) (*j x))) (b ((j* exp) (bundle x 1))))
                     (* (*j-inverse (car p)) (+ (tangent b) (cdr ((cdr p) x))))))
     (define z (interrupt g 2 19)) (resume z) (*j g 2 1) (*j (lambda (x) (resume (interrupt g x 19))) 2 1) (j* z z z)",
    "(define c (cons 3 4)) (define (h (cons a b) n) (let ((k (lambda (x) (+ a (* b x))))) (if (< n 1) (k n) (+ (k 1) (h (cons b a) (- n 1))))))
     (let loop ((n 5) (s 0) (t (list 1 2))) (if (= n 0) (cons s t) (loop (- n 1) (+ s (* n (h c 3))) (cons s t))))",
];

/// Replaces every part of the state of each program by values of every kind, and by other parts of the state.
#[test]
fn values_of_other_kinds_do_no_harm() {
    let (mut accepted, mut numbers) = (0, Numbers::new(16));
    let thoroughness = std::env::var("VLAD_FORGED").ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    for text in PROGRAMS {
        let trial = Trial::of(text);
        for after in (5..).step_by(29) {
            let Some(state) = trial.suspended(after) else { break };
            assert!(trial.use_forged(&state, text), "what is not forged is read");
            let computed = state.globals.iter().flatten();
            let mut pool = strangers();
            for value in computed.clone().chain(&state.values) {
                pool.extend(
                    (0..size(value)).map(|number| part(value, number)).filter(|part| !matches!(part, Value::Lifted(_))),
                );
            }
            let mut forge = |value: &Value, put: &dyn Fn(Value) -> Suspended| {
                for number in 0..size(value) {
                    for _ in 0..2 * thoroughness {
                        let by = &pool[numbers.below(pool.len())];
                        if let Some(forged) = replaced(value, number, by) {
                            accepted += usize::from(trial.use_forged(
                                &put(forged),
                                &format!("{text} after {after}: part {number} of {value:?} by {by:?}"),
                            ));
                        }
                    }
                }
            };
            for (place, value) in state.globals.iter().enumerate() {
                let Some(value) = value else { continue };
                forge(value, &|forged| {
                    let mut state = state.clone();
                    state.globals[place] = Some(forged);
                    state
                });
            }
            for (place, value) in state.values.iter().enumerate() {
                forge(value, &|forged| {
                    let mut state = state.clone();
                    state.values[place] = forged;
                    state
                });
            }
        }
    }
    assert!(accepted > 1000, "{accepted}");
}

/// Replaces points, the item and the count by those of other states, with numbers of values around the required one.
#[test]
fn points_of_other_places_do_no_harm() {
    let (mut accepted, mut numbers) = (0, Numbers::new(17));
    for text in PROGRAMS {
        let trial = Trial::of(text);
        let states: Vec<Suspended> = (3..).step_by(17).map_while(|after| trial.suspended(after)).collect();
        let code = Code::of(&trial.program);
        let nodes: Vec<ExpressionId> = (0..).map_while(|number| code.node(number)).collect();
        for state in &states {
            for _ in 0..60 {
                let mut forged = state.clone();
                let other = &states[numbers.below(states.len())];
                let points = &mut forged.point_stack.points;
                match numbers.below(7) {
                    0 => points.truncate(numbers.below(points.len()) + 1),
                    1 => {
                        let place = numbers.below(points.len());
                        points[place].node = nodes[numbers.below(nodes.len())];
                        points[place].site = points[place].node;
                    }
                    2 => {
                        let awaited = [
                            Awaited::Entry,
                            Awaited::Operator,
                            Awaited::Operand,
                            Awaited::Let,
                            Awaited::First,
                            Awaited::Second,
                            Awaited::Test,
                        ];
                        let place = numbers.below(points.len());
                        points[place].awaited = awaited[numbers.below(awaited.len())];
                    }
                    3 => forged.item = other.item,
                    4 => forged.point_stack = other.point_stack.clone(),
                    5 => {
                        let (place, from) =
                            (numbers.below(points.len()), numbers.below(other.point_stack.points.len()));
                        points.splice(place..=place, other.point_stack.points[from..].iter().copied());
                    }
                    _ => forged.steps = [0, 1, 1 << 32, 1 << 60, (1 << 60) - 1][numbers.below(5)],
                }
                // As many values as before, fewer or more.
                let count = (forged.values.len() + numbers.below(5)).saturating_sub(2);
                let mut values: Vec<Value> = forged.values.iter().chain(&other.values).cloned().collect();
                values.resize(count.max(forged.values.len()), Value::Real(1.0));
                for keep in 0..=values.len() {
                    forged.values = values[..keep].to_vec();
                    accepted += usize::from(trial.use_forged(&forged, text));
                }
            }
        }
    }
    assert!(accepted > 200, "{accepted}");
}

/// The error of a forged state on each engine: its kind, its message, and the text at its place.
fn errors(trial: &Trial, forged: &Suspended) -> Vec<(Kind, String, String)> {
    let forged = trial.read(forged).unwrap_or_else(|| panic!("it is a file of the program"));
    let error = |engine| match trial.go_on(engine, &forged, None, "") {
        PartEnd::Ended(Report { outcome: Outcome::Failed(diagnostic), .. }) => {
            let place = diagnostic.span.map_or("", |span| trial.program.sources.text(span));
            (diagnostic.kind, diagnostic.message.clone(), place.to_owned())
        }
        end => panic!("{}: {end:?}", engine.0),
    };
    trial.engines.iter().map(error).collect()
}

fn check_forged(trial: &Trial, forged: &Suspended, place: &str) {
    for (kind, message, found) in errors(trial, forged) {
        assert_eq!(
            (kind, message.as_str(), found.as_str()),
            (Kind::File, "the capsule is not from a run of this program", place)
        );
    }
}

/// A program with a backpropagator in a definition, and its state when the last expression is entered.
fn with_backpropagator(text: &str) -> (Trial, Suspended) {
    let trial = Trial::of(text);
    let last = trial.program.items.len() - 1;
    let mut states = (1..).map(|after| trial.suspended(after).unwrap());
    let state = states.find(|state| state.item == last).unwrap();
    (trial, state)
}

/// The state with each backpropagator in its definitions replaced by another.
fn with_other(state: &Suspended, make: &dyn Fn(&Backpropagator) -> Backpropagator) -> Suspended {
    let mut state = state.clone();
    for value in state.globals.iter_mut().flatten() {
        for number in 0..size(value) {
            if let Value::Tagged(tagged) = part(value, number)
                && let Tagged::Backpropagator(backpropagator) = &*tagged
            {
                let other = Value::tagged(Tagged::Backpropagator(make(backpropagator)));
                *value = replaced(value, number, &other).unwrap();
            }
        }
    }
    state
}

const READING: &str = "(define (f x) (* x (+ (read-real) (read-real)))) (define p ((*j f) (*j 2))) ((cdr p) 1)";

#[test]
fn a_backpropagator_that_has_noted_too_few_reads_is_an_error_of_the_capsule() {
    let (trial, state) = with_backpropagator(READING);
    assert!(trial.use_forged(&state, READING));
    for reads in [&[][..], &[1.0]] {
        let fewer =
            |old: &Backpropagator| Backpropagator::new(old.operator.clone(), old.operand.clone(), Some(reads.into()));
        check_forged(&trial, &with_other(&state, &fewer), "(read-real)");
    }
    // Records of more numbers than it reads do no harm.
    let more = |old: &Backpropagator| {
        Backpropagator::new(old.operator.clone(), old.operand.clone(), Some([1.0, 2.5, 3.0].into()))
    };
    let forged = trial.read(&with_other(&state, &more)).unwrap();
    for engine in &trial.engines {
        let end = trial.go_on(engine, &forged, None, READING);
        assert!(matches!(end, PartEnd::Ended(Report { outcome: Outcome::Finished, .. })), "{end:?}");
    }
}

#[test]
fn an_operand_that_makes_a_procedure_read_more_is_an_error_of_the_capsule() {
    // It reads as many numbers as its operand says.
    let text = "(define (f n) (if (< n 1) 0 (+ (* n (read-real)) (f (- n 1))))) (define p ((*j f) (*j 2))) ((cdr p) 1)";
    let (trial, state) = with_backpropagator(text);
    let longer = |old: &Backpropagator| Backpropagator::new(old.operator.clone(), Value::Real(3.0), old.reads.clone());
    check_forged(&trial, &with_other(&state, &longer), "(read-real)");
    // The same for a procedure that reads where the other did not, and for one inside operators that execute it again.
    let read = Value::Primitive(Primitive::named("read-real").unwrap());
    let reading = |_: &Backpropagator| Backpropagator::new(read.clone(), Value::Nil, Some([].into()));
    check_forged(&trial, &with_other(&state, &reading), "((cdr p) 1)");
    for operator in ["*j", "checkpoint-*j", "j*"] {
        let text = format!(
            "(define (f n) (if (< n 1) 0 (+ (* n (read-real)) (f (- n 1))))) (define p ((*j f) (*j 2)))
             ({operator} (lambda (w) (+ (cdr ((cdr p) w)) (cdr (checkpoint-*j (lambda (y) (* y w)) w w)))) 1 1)"
        );
        let (trial, state) = with_backpropagator(&text);
        check_forged(&trial, &with_other(&state, &longer), "(read-real)");
    }
}
