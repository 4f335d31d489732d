//! Tests of points of every shape, nested operators, verdicts, and refusals.

use super::*;

fn question(text: &str, function: &str, point: &str) -> Question {
    Question {
        program: Input::Text { name: "program".to_owned(), bytes: text.as_bytes().to_vec(), folder: None },
        options: Options::default(),
        function: function.to_owned(),
        point: Point::Expression(point.to_owned()),
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
    answer.entries.iter().map(|entry| entry.verdict(1e-9)).collect()
}

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
    let found = Derivative { derivative: 5.0, error: 0.0, rounding: 0.0, range: Range::Finite };
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
    assert_eq!(entry.verdict(1e-9), Verdict::Wrong);
}

/// Cancellation leaves doubles few correct digits, with correct rules of differentiation.
#[test]
fn rounding_is_told_from_an_error() {
    for (function, point) in [
        // 1e8 + x loses half of the digits of x.
        ("(lambda (x) (sin (* 1e8 (- (+ 1e8 x) 1e8))))", "0.3"),
        // The two parts of the derivative of a product cancel.
        ("(lambda (x) (+ (* (* 1e12 x) (/ 1e12 x)) x))", "0.3"),
        // Two parts that cancel, of a derivative of a derivative; and the remainder of 1 - r r for an r near 1.
        ("(lambda (x) (cdr (j* (lambda (y) (atan y y)) x 1)))", "0.103"),
        ("(lambda (x) (cdr (j* (lambda (y) (cdr (j* tanh (* y y) 1))) x 1)))", "4"),
        // A sum in which doubles keep no digit of x, and a logarithm that is infinite.
        ("(lambda (x) (log (- (+ 1e8 x) 1e8)))", "1e-9"),
        // A part of a sum that not even 96 digits keep.
        ("(lambda (x) (- (+ x 1e100) 1e100))", "1"),
        // e^x - 1 near 0.
        ("(lambda (x) (/ (- (exp x) 1) x))", "1e-9"),
        // The sum of doubles is less, the double next to it is not.
        ("(lambda (x) (if (< (+ 0.1 0.2) 0.30000000000000004) x (* 2 x)))", "1"),
    ] {
        let answer = answer("", function, point);
        let only_one = Counts { ill_conditioned: 1, ..Counts::default() };
        assert_eq!(answer.counts(1e-9), only_one, "{function}: {answer:?}");
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

/// The angle of (-1, 0) is pi, and that of (-1, -0) is not: a cotangent that is zero has no sign.
#[test]
fn zeros_that_operators_give_back_have_no_sign() {
    let of_zero = answer("", "(lambda (x) (* (atan (cdr (*j (lambda (y) 1) 0 x)) x) x))", "-1");
    assert!(worst(&of_zero) < 1e-15, "{of_zero:?}");
    let of_origin = answer("", "(lambda (x) (* x (atan 0 0)))", "2");
    assert!(worst(&of_origin) < 1e-15, "{of_origin:?}");
    // Nor has the truncation error of a derivative that is 0 a sign.
    let of_nothing = answer("", "(lambda (x) (+ x (cdr (*j (lambda (y) (- (exp y))) 0 x))))", "0");
    assert!(worst(&of_nothing) < 1e-9 && of_nothing.counts(1e-9).right == 1, "{of_nothing:?}");
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
    let entry = |error, rounding, range, checkpointed| {
        let found = Derivative { derivative: 1.0, error, rounding, range };
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
        assert_eq!(entry.verdict(1e-9), verdict, "{entry:?}");
    }
    let counts = Counts::of(cases.map(|(entry, _)| entry.verdict(1e-9)).into_iter());
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
