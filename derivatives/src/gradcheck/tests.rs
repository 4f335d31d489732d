//! Tests of points of every shape, nested operators, verdicts, and refusals.

use super::*;

fn question(text: &str, function: &str, point: &str) -> Question {
    Question {
        program: Input::Text { name: "program".to_owned(), bytes: text.as_bytes().to_vec(), folder: None },
        options: Options::default(),
        function: function.to_owned(),
        point: Point::Expression(point.to_owned()),
        typed: None,
        time: Duration::from_secs(60),
        memory: None,
    }
}

fn answer(text: &str, function: &str, point: &str) -> Answer {
    check(Engine::Hybrid, &Settings::default(), &question(text, function, point)).unwrap()
}

fn worst(answer: &Answer) -> f64 {
    answer.worst().unwrap()
}

/// The verdicts of the entries, for the default tolerance of the command.
fn verdicts(text: &str, function: &str, point: &str) -> Vec<Verdict> {
    let answer = answer(text, function, point);
    answer.entries.iter().map(|entry| entry.verdict(TOLERANCE)).collect()
}

/// The default tolerance of the command.
const TOLERANCE: Tolerance = Tolerance::relative(1e-9);

const KINK: Verdict = Verdict::NotCompared(Reason::Kink);
const NOT_FINITE: Verdict = Verdict::NotCompared(Reason::NotFinite);
const IMPRECISE: Verdict = Verdict::NotCompared(Reason::Imprecise);

#[test]
fn derivatives_of_data_are_compared_entry_by_entry() {
    let text = "(define (f (cons (list a b) v)) (list (* a (get v 0)) (sin (* b (get v 1)))))";
    let answer = answer(text, "f", "(cons (list 2 3) (vector 5 0.5))");
    assert_eq!(answer.point, "((2 3) . #(5 0.5))");
    assert_eq!(answer.entries.len(), 8);
    let first = answer.entries[0];
    assert_eq!((first.forward, first.reverse, first.checkpointed), (5.0, 5.0, 5.0));
    let found = Derivative { derivative: 5.0, distance: 0.0, size: 5.0, rounding: 0.0, range: Range::Finite };
    assert_eq!(first.difference, Difference::Derivative(found));
    assert!(worst(&answer) < 1e-15, "{answer:?}");
    // By b: v1 cos(b v1).
    assert!((answer.entries[3].forward - 0.5 * 1.5f64.cos()).abs() < 1e-15);
}

#[test]
fn operators_inside_of_what_is_checked_are_differences_too() {
    let text = "
        (define (square-by-j x) (* x (cdr (j* (lambda (y) (* y y x)) x 1))))     ; 2 x^3
        (define (by-reverse x) (cdr (*j (lambda (y) (cdr (*j (lambda (z) (* z z z y)) y 1))) x 1)))   ; 9 x^2
        (define (reflective x)
          (let (((cons y back) ((*j (lambda (y) (* x y y))) (*j x))))
            (+ (cdr (unsensitize (back (sensitize 1)))) (unperturb (tangent ((j* (lambda (u) (exp (* u x)))) (bundle x (perturb 1))))))))";
    for (function, expected) in [("square-by-j", 6.0 * 1.3 * 1.3), ("by-reverse", 18.0 * 1.3)] {
        let answer = answer(text, function, "1.3");
        assert!((answer.entries[0].forward - expected).abs() < 1e-12, "{function}");
        assert!(worst(&answer) < 1e-13, "{answer:?}");
    }
    // 2 x^2 + x exp(x^2), by x: 4 x + (1 + 2 x^2) exp(x^2).
    let answer = answer(text, "reflective", "0.7");
    let expected = 2.8 + (1.0 + 2.0 * 0.49) * 0.49f64.exp();
    assert!((answer.entries[0].forward - expected).abs() < 1e-12, "{answer:?}");
    assert!(worst(&answer) < 1e-13, "{answer:?}");
}

#[test]
fn a_kink_is_told_from_an_error() {
    assert_eq!(verdicts("", "abs", "0"), [KINK]);
    assert_eq!(verdicts("", "sqrt", "0"), [NOT_FINITE]);
    assert!(worst(&answer("", "(lambda (x) (max x (* 2 x)))", "1")) < 1e-15);
    // An error is reported as wrong: here `*j` differs from `checkpoint-*j`.
    let entry = Entry { reverse: 1.5, ..answer("", "sin", "0").entries[0] };
    assert_eq!(entry.verdict(TOLERANCE), Verdict::Wrong);
}

/// Cancellation leaves doubles few correct digits, with correct rules of differentiation.
#[test]
fn rounding_is_told_from_an_error() {
    for (function, point) in [
        // 1e8 + x loses half of the digits of x.
        ("(lambda (x) (sin (* 1e8 (- (+ 1e8 x) 1e8))))", "0.3"),
        // The two parts of the derivative of a product cancel.
        ("(lambda (x) (+ (* (* 1e12 x) (/ 1e12 x)) x))", "0.3"),
        // Two parts that cancel, of a derivative of a derivative.
        ("(lambda (x) (cdr (j* (lambda (y) (atan (* 0.7 y) y)) x 1)))", "0.103"),
        // A sum in which doubles keep no digit of x, and a logarithm that is infinite.
        ("(lambda (x) (log (- (+ 1e8 x) 1e8)))", "1e-9"),
        // A part of a sum that not even 96 digits keep.
        ("(lambda (x) (- (+ x 1e100) 1e100))", "1"),
        // e^x - 1 near 0.
        ("(lambda (x) (/ (- (exp x) 1) x))", "1e-9"),
        // By hand e^-40 / (1 + e^-40)^2, but the two parts of the derivative of the quotient agree in all digits of a double.
        ("(lambda (x) (/ (exp x) (+ 1 (exp x))))", "40.3"),
        // The sum of doubles is less, the double next to it is not.
        ("(lambda (x) (if (< (+ 0.1 0.2) 0.30000000000000004) x (* 2 x)))", "1"),
    ] {
        let answer = answer("", function, point);
        let only_one = Counts { ill_conditioned: 1, ..Counts::default() };
        assert_eq!(answer.counts(TOLERANCE), only_one, "{function}: {answer:?}");
        assert!(worst(&answer) > 1e-9, "{function}: {answer:?}");
    }
    // Counting is exact: no loop takes another turn. By x: 4 x^3.
    let counting = question("(define (f n x) (if (< n 1) x (* x (f (- n 1) x))))", "(lambda (x) (f 3 x))", "1.1");
    let (settings, seed) = (Settings::default(), RoundingErrors::new(1));
    let subject = Subject::of(Engine::Hybrid, &settings, &counting, Order::First).unwrap();
    let rounded = subject.differences(1, Some(seed)).unwrap();
    let moved = (to_double(&rounded.slopes[0].tangent[0]) - 4.0 * 1.1f64.powi(3)).abs();
    assert!(moved > 1e-15 && moved < 1e-11, "{moved}");
}

/// The part of itself by which simulated rounding moves a derivative.
fn moved(function: &str, point: &str) -> f64 {
    let (settings, question) = (Settings::default(), question("", function, point));
    let subject = Subject::of(Engine::Hybrid, &settings, &question, Order::First).unwrap();
    let derivative = |seed: Option<u64>| {
        let found = subject.differences(1, seed.map(RoundingErrors::new)).unwrap();
        assert_eq!(found.slopes[0].roughness(0), None, "{function}");
        to_double(&found.slopes[0].tangent[0])
    };
    let exact = derivative(None);
    (0..ROUNDINGS).map(|seed| (derivative(Some(seed)) / exact - 1.0).abs()).fold(0.0, f64::max)
}

/// An operation does not lose the digits of its derivative because its value is much larger.
#[test]
fn small_derivatives_of_operations_are_well_conditioned() {
    for (function, point) in [
        ("tanh", "19"),
        ("erf", "6"),
        ("(lambda (x) (- 1 (erfc x)))", "6"),
        ("(lambda (x) (/ 1 (+ 1 (exp (- x)))))", "40"),
        ("(lambda (x) (log (+ 1 (exp x))))", "-50"),
        ("asin", "0.9999999999"),
        ("(lambda (x) (expt x 2.5))", "1e-5"),
        ("(lambda (x) (+ 1e9 (sin x)))", "1.5707"),
    ] {
        let moved = moved(function, point);
        assert!(moved > 0.0 && moved < 1e-11, "{function}: {moved}");
    }
    for (function, point) in [
        ("(lambda (x) (/ (exp x) (+ 1 (exp x))))", "40.3"),
        ("(lambda (x) (log (- 1 (tanh x))))", "12"),
        ("(lambda (x) (/ (- 1 (cos x)) (* x x)))", "1e-4"),
    ] {
        assert!(moved(function, point) > 1e-6, "{function}");
    }
}

/// A point, the derivative there and its verdict, by calculus.
#[test]
fn points_without_smoothness_are_classified() {
    const RIGHT: Verdict = Verdict::Right;
    for (function, point, expected) in [
        // Derivatives that are 0.
        ("(lambda (x) (let ((y (max x 0))) (* y y)))", "0", RIGHT),
        ("(lambda (x) (* x (abs x)))", "0", RIGHT),
        ("(lambda (x) (* x (abs x) (exp x)))", "0", RIGHT),
        ("(lambda (x) (* x (sqrt (abs x))))", "0", RIGHT),
        ("(lambda (x) (expt (max x 0) 1.1))", "0", RIGHT),
        ("(lambda (x) (if (= x 0) 0 (* x x (sin (/ 1 x)))))", "0", RIGHT),
        ("(lambda (x) (* x x x x x x x x))", "0", RIGHT),
        ("(lambda (x) (let ((y (max 0 (- 1 (* x 2))))) (* y y)))", "0.5", RIGHT),
        ("(lambda (x) (expt (abs x) 1.5))", "0", RIGHT),
        // Others beside a part that is not smooth.
        ("(lambda (x) (+ (* 3 x) (* x (abs x))))", "0", RIGHT),
        ("(lambda (x) (* (+ 1 (abs x)) (sin (* x (abs x)))))", "0", RIGHT),
        ("(lambda (x) (abs (- x 1)))", "1.0000000000000002", RIGHT),
        // Kinks.
        ("(lambda (x) (+ x (* 1e-9 (abs x))))", "0", KINK),
        ("(lambda (x) (max 0 x))", "0", KINK),
        ("(lambda (x) (sqrt (* x x)))", "0", KINK),
        // Jumps: with each side's value at the point, with one between, and with one outside.
        ("floor", "2", KINK),
        ("(lambda (x) (if (< x 0) -1 1))", "0", KINK),
        ("(lambda (x) (if (< x 0) -1 (if (> x 0) 1 0)))", "0", KINK),
        ("(lambda (x) (if (= x 0) 0 (/ x (abs x))))", "0", KINK),
        ("(lambda (x) (if (= x 0) 7 x))", "0", KINK),
        ("(lambda (x) (atan x 0))", "0", KINK),
        ("(lambda (x) (+ x (round x)))", "0.5", KINK),
        // Slopes that are infinite.
        ("cbrt", "0", NOT_FINITE),
        ("(lambda (x) (if (< x 0) (- (sqrt (- x))) (sqrt x)))", "0", NOT_FINITE),
        ("(lambda (x) (sqrt (max x 0)))", "0", NOT_FINITE),
        ("(lambda (x) (sqrt (abs x)))", "0", NOT_FINITE),
        ("(lambda (x) (if (= x 0) 0 (* x (log (abs x)))))", "0", NOT_FINITE),
        // Steps over many periods, and over a kink beside the point.
        ("abs", "1e-21", IMPRECISE),
        ("(lambda (x) (sin (exp x)))", "150", IMPRECISE),
    ] {
        assert_eq!(verdicts("", function, point), [expected], "{function} {point}");
    }
    // A vector times its length, and a power of a length of which the engine has no derivative at 0.
    let length = "(define (length-of v) (sqrt (+ (* (get v 0) (get v 0)) (* (get v 1) (get v 1)))))";
    let hinge = "(lambda (v) (list (* (get v 0) (abs (get v 0))) (max (get v 1) 0)))";
    assert_eq!(verdicts("", hinge, "(vector 0 0)"), [RIGHT, RIGHT, RIGHT, KINK]);
    let product = format!("{length} (define (f v) (* (get v 0) (length-of v)))");
    let claimed = claims::judge(
        Engine::Hybrid,
        &Settings::default(),
        &question(&product, "f", "(vector 0 0)"),
        &serde_json::json!([0.0, 1e-3]),
    )
    .unwrap();
    let judged: Vec<Verdict> = claimed.claims.iter().map(|claim| claim.verdict(TOLERANCE)).collect();
    assert_eq!(judged, [RIGHT, Verdict::Wrong]);
}

/// Gradients inside of the procedure, at such points and beside them.
#[test]
fn quotients_inside_make_the_same_decisions() {
    const RIGHT: Verdict = Verdict::Right;
    let derivative = "(define (d f) (lambda (x) (cdr (j* f x 1))))
        (define (hinge x) (let ((y (max x 0))) (* y y)))
        (define (odd x) (* x (abs x)))
        (define (cubic x) (* x x (abs x)))
        (define (root x) (* x (sqrt (abs x))))
        (define (sign x) (if (< x 0) -1 (if (> x 0) 1 0)))";
    for (function, point, expected) in [
        ("(lambda (x) (* x ((d hinge) 0)))", "2", RIGHT),
        ("(lambda (x) (* x ((d root) 0)))", "2", RIGHT),
        ("(lambda (x) (* x ((d sign) 0)))", "2", KINK),
        ("(lambda (x) (* x ((d abs) 0)))", "2", KINK),
        ("(lambda (x) (* x ((d cbrt) 0)))", "2", NOT_FINITE),
        // Second derivatives: of 2 max(x, 0), 2 |x|, 3 x |x|, 3/2 sqrt|x|.
        ("(d hinge)", "0", KINK),
        ("(d odd)", "0", KINK),
        ("(d cubic)", "0", RIGHT),
        ("(d hinge)", "1e-12", RIGHT),
        ("(d odd)", "-1e-15", RIGHT),
    ] {
        assert_eq!(verdicts(derivative, function, point), [expected], "{function} {point}");
    }
    let judged = |function: &str, claims: serde_json::Value| {
        let question = question(derivative, function, "0");
        let judgement = claims::judge(Engine::Hybrid, &Settings::default(), &question, &claims).unwrap();
        judgement.claims[0].verdict(TOLERANCE)
    };
    for (function, expected) in [
        ("hinge", [KINK, KINK]),
        ("odd", [KINK, KINK]),
        ("cubic", [RIGHT, Verdict::Wrong]),
        ("(lambda (x) (* x x))", [Verdict::Wrong, RIGHT]),
        ("(lambda (x) (expt (abs x) 2.5))", [RIGHT, Verdict::Wrong]),
        ("(lambda (x) (expt (abs x) 1.5))", [NOT_FINITE, NOT_FINITE]),
    ] {
        let found = [0.0, 2.0].map(|claim| judged(function, serde_json::json!({"hessian": claim})));
        assert_eq!(found, expected, "{function}");
    }
}

/// Operands of periodic functions that 96 digits do not hold, or that take too many digits of pi.
#[test]
fn operands_beyond_all_digits_take_no_time() {
    for (function, point, expected) in [
        ("(lambda (x) (sin (exp x)))", "1e6", IMPRECISE),
        ("(lambda (x) (cos (exp (exp x))))", "20", IMPRECISE),
        ("(lambda (x) (tan (exp (exp (exp x)))))", "3", IMPRECISE),
        ("(lambda (x) (* x (cdr (j* (lambda (y) (sin (exp y))) 1e5 1))))", "1", IMPRECISE),
        ("(lambda (x) (* x (sin 1e308)))", "1", Verdict::Right),
    ] {
        assert_eq!(verdicts("", function, point), [expected], "{function}");
    }
    let value = question("", "(lambda (x) (sin (exp x)))", "1e6");
    let judged = claims::judge(Engine::Hybrid, &Settings::default(), &value, &serde_json::json!({"value": 0.5}));
    assert_eq!(judged.unwrap().claims[0].verdict(TOLERANCE), IMPRECISE);
}

/// Time limits hold for operators nested as deep as the recursion of a program.
#[test]
fn nested_operators_are_refused_before_the_stack_ends() {
    let text = "(define (f n x) (if (= n 0) (* x x) (cdr (j* (lambda (y) (f (- n 1) y)) x 1))))";
    let subject = question(text, "(lambda (x) (f 8 x))", "1");
    match check(Engine::Interp, &Settings::default(), &subject) {
        Err(NoAnswer::Refused(Refusal::TooDeep)) => {}
        other => panic!("{other:?}"),
    }
}

/// The angle of (-1, 0) is pi, and that of (-1, -0) is not: a cotangent that is zero has no sign.
#[test]
fn zeros_that_operators_give_back_have_no_sign() {
    let of_zero = answer("", "(lambda (x) (* (atan (cdr (*j (lambda (y) 1) 0 x)) x) x))", "-1");
    assert!(worst(&of_zero) < 1e-15, "{of_zero:?}");
    let of_origin = answer("", "(lambda (x) (* x (atan 0 0)))", "2");
    assert!(worst(&of_origin) < 1e-15, "{of_origin:?}");
    // Nor has the truncation error of a derivative that is 0 a sign.
    let of_nothing = answer("", "(lambda (x) (+ x (cdr (*j (lambda (y) (- (exp y))) 0 x))))", "0");
    assert!(worst(&of_nothing) < 1e-9 && of_nothing.counts(TOLERANCE).right == 1, "{of_nothing:?}");
}

#[test]
fn kinks_inside_of_operators_are_kinks() {
    assert_eq!(verdicts("", "(lambda (x) (* x (cdr (j* (lambda (y) (* x (max y (* 2 y)))) 0 1))))", "2"), [KINK]);
}

#[test]
fn infinities_inside_of_operators_are_no_kinks() {
    let (infinity, kink) = ("(max 1 (cdr (j* / 0 1)))", "(cdr (j* abs 0 1))");
    for parts in [infinity.to_owned(), format!("{infinity} {kink}"), format!("{kink} {infinity}")] {
        assert_eq!(verdicts("", &format!("(lambda (x) (+ x {parts}))"), "2"), [NOT_FINITE], "{parts}");
    }
}

/// Cases in which e^800 is infinite and the quotient is not: by hand, 1; then 1/4 and -1/4.
#[test]
fn what_is_too_large_for_a_double_is_no_excuse() {
    let beyond = Verdict::WrongBeyondRange;
    assert_eq!(verdicts("(define (f x) (log (+ 1 (exp x))))", "f", "800"), [beyond]);
    let softmax = "(define (f (list a b)) (let ((t (+ (exp a) (exp b)))) (list (/ (exp a) t) (/ (exp b) t))))";
    assert_eq!(verdicts(softmax, "f", "(list 800 800)"), [beyond; 4]);
    // By hand 0, up to e^-799: 0 is right for a division by infinity, and means nothing if the value is infinity
    // divided by itself.
    assert_eq!(verdicts(softmax, "f", "(list 800 1)"), [beyond, Verdict::Right, beyond, Verdict::Right]);
    // Infinities that cancel in a derivative inside, and one from before the derivative.
    let inside = "(lambda (x) (max (cdr (*j (lambda (y) (atan (tanh y) y)) 1 (/ 0))) x))";
    assert_eq!(verdicts("", inside, "0"), [beyond]);
    assert_eq!(verdicts("(define large (exp 800))", "(lambda (x) (/ (* x large) large))", "2"), [beyond]);
    // An infinity that has no effect does not make a right derivative wrong.
    assert_eq!(verdicts("", "(lambda (x) (* 3 (min x (exp 800))))", "2"), [Verdict::Right]);
    // Nor is there anything finite to compare an infinite derivative with.
    assert_eq!(verdicts("", "exp", "800"), [NOT_FINITE]);
}

#[test]
fn steps_that_are_too_short_or_too_long_tell_nothing() {
    // A double with no neighbour at the distance of a step, in 96 digits.
    assert_eq!(verdicts("", "(lambda (x) (modulo x 5e-324))", "1e308"), [IMPRECISE]);
    assert_eq!(verdicts("", "(lambda (x) (* x x))", "1e100"), [IMPRECISE]);
    assert_eq!(verdicts("", "(lambda (x) (+ (sin x) 1e100))", "1"), [IMPRECISE]);
    // Steps over many periods, here and in a derivative inside.
    assert_eq!(verdicts("", "(lambda (x) (modulo x 5e-324))", "1e20"), [KINK]);
    assert_eq!(verdicts("", "(lambda (x) (floor (* x 1e30)))", "1.1"), [KINK]);
    assert_eq!(verdicts("", "(lambda (x) (* x (cdr (j* (lambda (y) (floor (* y 1e30))) x 1))))", "1.1"), [KINK]);
    // By x, 0 and 2x: a jump of one part does not keep another from being compared.
    assert_eq!(verdicts("", "(lambda (x) (list (floor x) (* x x)))", "2"), [KINK, Verdict::Right]);
    assert_eq!(verdicts("", "(lambda (x) (* x (+ (floor x) (modulo x 0.75))))", "1.3"), [Verdict::Right]);
    // Derivatives below the truncation error of a quotient: 0 is confirmed, and so is agreement.
    assert_eq!(verdicts("", "(lambda (x) (* x x))", "1e-300"), [IMPRECISE]);
    assert_eq!(verdicts("", "(lambda (x) (* x x x))", "0"), [Verdict::Right]);
    assert_eq!(verdicts("", "(lambda (x) (* 1e-40 (sin x)))", "1"), [Verdict::Right]);
}

#[test]
fn verdicts_are_counted() {
    let entry = |distance, rounding, range, checkpointed| {
        let found = Derivative { derivative: 1.0, distance, size: 1.0, rounding, range };
        let difference = Difference::Derivative(found);
        let claimed = None;
        Entry {
            input: 0,
            output: 0,
            forward: 1.0,
            reverse: 1.0,
            checkpointed,
            claimed,
            difference,
            is_of_a_number: true,
        }
    };
    let (finite, exceeded, infinite) = (Range::Finite, Range::Exceeded, f64::INFINITY);
    let cases = [
        (entry(1e-10, 0.0, finite, 1.0), Verdict::Right),
        (entry(1e-10, 0.0, exceeded, 1.0), Verdict::Right),
        (entry(1e-8, 1e-7, finite, 1.0), Verdict::IllConditioned),
        (entry(infinite, 1e3, finite, 1.0), Verdict::IllConditioned),
        (entry(1e-8, 1e-9, finite, 1.0), Verdict::Wrong),
        (entry(1e-10, 0.0, finite, 1.0f64.next_up()), Verdict::Wrong),
        (entry(1e-8, 1e-9, exceeded, 1.0), Verdict::WrongBeyondRange),
        (entry(infinite, 1e3, exceeded, 1.0), Verdict::WrongBeyondRange),
        (entry(infinite, 1e-3, finite, 1.0), Verdict::WrongBeyondRange),
        (Entry { is_of_a_number: false, ..entry(0.0, 0.0, finite, 1.0) }, Verdict::WrongBeyondRange),
        (Entry { difference: Difference::Missing(Reason::Kink), ..entry(0.0, 0.0, finite, 1.0) }, KINK),
        (Entry { difference: Difference::Missing(Reason::Kink), ..entry(0.0, 0.0, finite, -1.0) }, Verdict::Wrong),
    ];
    for (entry, verdict) in cases {
        assert_eq!(entry.verdict(TOLERANCE), verdict, "{entry:?}");
    }
    let absolute = Tolerance { relative: 1e-9, absolute: 1e-6 };
    let verdicts = cases.map(|(entry, _)| entry.verdict(absolute));
    assert_eq!(verdicts[2..5], [Verdict::Right, Verdict::IllConditioned, Verdict::Right]);
    assert_eq!(verdicts[5..8], [Verdict::Wrong, Verdict::Right, Verdict::WrongBeyondRange]);
    let counts = Counts::of(cases.map(|(entry, _)| entry.verdict(TOLERANCE)).into_iter());
    assert_eq!(counts, Counts { right: 2, wrong: 7, not_compared: 1, ill_conditioned: 2 });
    assert_eq!(counts.not_right(), 10);
}

/// The texts of procedure and point are closed: nothing in them changes the program outside.
#[test]
fn texts_of_options_are_one_expression_each() {
    let failed = |function: &str, point: &str| {
        let question = question("(define (f x) (* x x))\n(define y 3)", function, point);
        match check(Engine::Interp, &Settings::default(), &question) {
            Err(NoAnswer::Program(diagnostics, sources)) => {
                let first = &diagnostics[0];
                let place = first.span.unwrap();
                let file = sources.get(place.file).unwrap();
                format!("{} {}:{} {}", first.kind, file.name, file.position(place.start).column, first.message)
            }
            other => panic!("{other:?}"),
        }
    };
    for (function, point, expected) in [
        ("f", "1) (write 2", "read --at:2 this `)` closes nothing"),
        ("f) (write 1", "2", "read --function:2 this `)` closes nothing"),
        ("f", "", "syntax --at:1 `--at` expects one expression, found nothing"),
        ("f", "; 1", "syntax --at:1 `--at` expects one expression, found nothing"),
        ("#;f", "1", "syntax --function:1 `--function` expects one expression, found nothing"),
        ("f", "1 2", "syntax --at:3 `--at` expects one expression, found more"),
        ("f", "#| 1", "read --at:1 this comment has no end"),
        ("f", "(define z 1)", "syntax --at:1 a definition stands only at top level or at the head of a body"),
        ("f", "(include \"linear-algebra\")", "syntax --at:1 `include` stands only at top level"),
        ("f", "(car 5)", "type --at:1 `car` expects a pair, found 5"),
        ("g", "1", "unbound --function:1 `g` is not defined"),
        ("--function", "1", "unbound --function:1 `--function` is not defined"),
    ] {
        assert_eq!(failed(function, point), expected, "{function}, {point}");
    }
    let text = "(define (f x) (* x x))\n(define y 3) ; no line end";
    assert_eq!(answer(text, "f ; a comment", "(+ y 1) #| and another |#").point, "4");
    // Names that the program defines refer to its own definitions.
    assert_eq!(answer("(define (--function x) x) (define --at 5)", "--function", "(+ --at 1)").value, "6");
    assert_eq!(answer("(define (car x) 7) (define (cdr x) 8)", "sin", "0").entries[0].forward, 1.0);
}

#[test]
fn what_cannot_be_followed_is_refused() {
    let refused = |text: &str, function: &str, point: &str| match check(
        Engine::Interp,
        &Settings::default(),
        &question(text, function, point),
    ) {
        Err(NoAnswer::Refused(refusal)) => refusal.to_string(),
        Err(NoAnswer::Other(message) | NoAnswer::Claims(message)) => message,
        Err(NoAnswer::Point(wrong)) => wrong.message,
        Err(NoAnswer::Program(diagnostics, _) | NoAnswer::Operators(diagnostics, _)) => diagnostics[0].message.clone(),
        Err(NoAnswer::Compiler(error)) => error.to_string(),
        Ok(answer) => panic!("{answer:?}"),
    };
    let counting = "(define (f x) (* x (primops sin x)))";
    assert_eq!(refused(counting, "f", "1"), "no difference quotient follows `primops`");
    assert!(refused("", "(lambda (x) (lambda () x))", "1").contains("nothing else"));
    assert!(refused("", "sin", "#t").contains("expects reals"));
    assert_eq!(refused("", "(lambda (x) 1)", "'()"), "there is no real in the point");
    assert_eq!(refused("", "(lambda (x) #t)", "1"), "there is no real in the value");
}

/// Farfel knows no lower case: neither in names, nor in the extension of a file.
#[test]
fn names_are_spelled_as_the_language_of_the_program_spells_them() {
    let bytes = b"      FUNCTION F(X)\n      F = X**3\n      END\n".to_vec();
    let text = Input::Read { path: "cube.F".into(), bytes };
    let question = Question { program: text, ..question("", "f", "2") };
    let answer = check(Engine::Hybrid, &Settings::default(), &question).unwrap();
    assert_eq!(answer.entries.len(), 1);
    assert_eq!(answer.entries[0].forward, 12.0);
}
