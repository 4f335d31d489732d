//! Points of every shape, operators inside of what is checked, kinks, and what is refused.

use super::*;

fn question(text: &str, function: &str, point: &str) -> Question {
    Question {
        name: "program".to_owned(),
        bytes: text.as_bytes().to_vec(),
        folder: None,
        options: Options::default(),
        function: function.to_owned(),
        point: point.to_owned(),
        time: Duration::from_secs(60),
        memory: None,
    }
}

fn answer(text: &str, function: &str, point: &str) -> Answer {
    check(Engine::Hybrid, &Settings::default(), &question(text, function, point)).unwrap()
}

#[test]
fn derivatives_of_data_are_compared_entry_by_entry() {
    let text = "(define (f (cons (list a b) v)) (list (* a (get v 0)) (sin (* b (get v 1)))))";
    let answer = answer(text, "f", "(cons (list 2 3) (vector 5 0.5))");
    assert_eq!(answer.point, "((2 3) . #(5 0.5))");
    assert_eq!(answer.entries.len(), 8);
    let first = answer.entries[0];
    assert_eq!((first.forward, first.reverse, first.checkpointed), (5.0, 5.0, 5.0));
    assert_eq!(first.difference, Difference::Derivative { derivative: 5.0, error: 0.0, rounding: 0.0 });
    assert!(answer.worst() < 1e-15, "{answer:?}");
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
        assert!(answer.worst() < 1e-13, "{answer:?}");
    }
    // 2 x^2 + x exp(x^2), by x: 4 x + (1 + 2 x^2) exp(x^2).
    let answer = answer(text, "reflective", "0.7");
    let expected = 2.8 + (1.0 + 2.0 * 0.49) * 0.49f64.exp();
    assert!((answer.entries[0].forward - expected).abs() < 1e-12, "{answer:?}");
    assert!(answer.worst() < 1e-13, "{answer:?}");
}

#[test]
fn a_kink_is_told_from_an_error() {
    assert_eq!(answer("", "abs", "0").entries[0].difference, Difference::Kink);
    assert_eq!(answer("", "sqrt", "0").entries[0].difference, Difference::NotFinite);
    assert!(answer("", "(lambda (x) (max x (* 2 x)))", "1").worst() < 1e-15);
    // A wrong derivative is one: floor hides a slope that the engine cannot see either, a real of the program's own does not.
    let entry = Entry { reverse: 1.5, ..answer("", "sin", "0").entries[0] };
    assert!(entry.is_wrong(1e-9));
}

/// Where reals cancel, doubles keep few digits of what is left, and nobody's rules are wrong.
#[test]
fn rounding_is_told_from_an_error() {
    for (function, point) in [
        // 1e8 + x loses half of the digits of x.
        ("(lambda (x) (sin (* 1e8 (- (+ 1e8 x) 1e8))))", "0.3"),
        // The two parts of the derivative of a product cancel.
        ("(lambda (x) (+ (* (* 1e12 x) (/ 1e12 x)) x))", "0.3"),
        // Two parts that cancel, of a derivative of a derivative; and what is left of 1 - r r for an r near 1.
        ("(lambda (x) (cdr (j* (lambda (y) (atan y y)) x 1)))", "0.103"),
        ("(lambda (x) (cdr (j* (lambda (y) (cdr (j* tanh (* y y) 1))) x 1)))", "4"),
        // Infinities cancel.
        ("(lambda (x) (max (cdr (*j (lambda (y) (atan (tanh y) y)) 1 (/ 0))) x))", "0"),
        // The sum of doubles is less, the double next to it is not.
        ("(lambda (x) (if (< (+ 0.1 0.2) 0.30000000000000004) x (* 2 x)))", "1"),
    ] {
        let answer = answer("", function, point);
        assert!(answer.worst() > 1e-9 && answer.entries[0].is_ill_conditioned(1e-9), "{function}: {answer:?}");
        assert_eq!(answer.wrong(1e-9), 0, "{function}");
    }
    // Counting is exact: no loop takes another turn. By x: 4 x^3.
    let counting = question("(define (f n x) (if (< n 1) x (* x (f (- n 1) x))))", "(lambda (x) (f 3 x))", "1.1");
    let rounded = differences(&counting, "1.1", 1, Some(Roundings::new(1))).unwrap();
    let moved = (to_double(&rounded[0].tangent[0]) - 4.0 * 1.1f64.powi(3)).abs();
    assert!(moved > 1e-15 && moved < 1e-11, "{moved}");
}

/// The angle of (-1, 0) is pi, and that of (-1, -0) is not: a cotangent that is zero has no sign.
#[test]
fn zeros_that_operators_give_back_have_no_sign() {
    let of_zero = answer("", "(lambda (x) (* (atan (cdr (*j (lambda (y) 1) 0 x)) x) x))", "-1");
    assert!(of_zero.worst() < 1e-15, "{of_zero:?}");
    let of_origin = answer("", "(lambda (x) (* x (atan 0 0)))", "2");
    assert!(of_origin.worst() < 1e-15, "{of_origin:?}");
    // Nor is what a quotient leaves out of a derivative that is 0.
    let of_nothing = answer("", "(lambda (x) (+ x (cdr (*j (lambda (y) (- (exp y))) 0 x))))", "0");
    assert!(of_nothing.worst() < 1e-9 && of_nothing.wrong(1e-9) == 0, "{of_nothing:?}");
}

#[test]
fn kinks_inside_of_operators_are_kinks() {
    let answer = answer("", "(lambda (x) (* x (cdr (j* (lambda (y) (* x (max y (* 2 y)))) 0 1))))", "2");
    assert_eq!(answer.entries[0].difference, Difference::Kink);
}

#[test]
fn infinities_inside_of_operators_are_no_kinks() {
    let (infinity, kink) = ("(max 1 (cdr (j* / 0 1)))", "(cdr (j* abs 0 1))");
    for parts in [infinity.to_owned(), format!("{infinity} {kink}"), format!("{kink} {infinity}")] {
        let answer = answer("", &format!("(lambda (x) (+ x {parts}))"), "2");
        assert_eq!(answer.entries[0].difference, Difference::NotFinite, "{parts}");
    }
}

#[test]
fn what_cannot_be_followed_is_refused() {
    let refused = |text: &str, function: &str, point: &str| match check(
        Engine::Interp,
        &Settings::default(),
        &question(text, function, point),
    ) {
        Err(Trouble::Refused(refusal)) => refusal.to_string(),
        Err(Trouble::Other(message)) => message,
        Err(Trouble::Program(diagnostics, _) | Trouble::Operators(diagnostics, _)) => diagnostics[0].message.clone(),
        Err(Trouble::Compiler(error)) => error.to_string(),
        Ok(answer) => panic!("{answer:?}"),
    };
    let counting = "(define (f x) (* x (primops sin x)))";
    assert_eq!(refused(counting, "f", "1"), "no difference quotient follows `primops`");
    assert!(refused("", "(lambda (x) (lambda () x))", "1").contains("nothing else"));
    assert!(refused("", "sin", "#t").contains("expects reals"));
    assert_eq!(refused("", "(lambda (x) 1)", "'()"), "there is no real in the point");
}
