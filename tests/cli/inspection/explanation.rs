//! `vlad explain`, `--specialise always`, and the choice of passes.

use crate::{answer, answer_of, answer_to, folder, vlad};
use rstest::rstest;
use vlad_shared::core::diagnostic::Kind;

/// The explanation of a text, without the sizes of code, which are no part of what is tested.
fn explained(program: &str) -> String {
    let shown = answer(&["explain", "-e", program]).succeeded();
    shown.lines().filter(|line| !line.starts_with("  statements: ")).flat_map(|line| [line, "\n"]).collect()
}

const PROGRAM: &str = "\
(define (f x) (if (< x 0) (build x sqrt) x))
(define (sum n) (let loop ((i 0) (a 0)) (if (< i n) (loop (+ i 1) (+ a i)) a)))
(define y (read-real))
(sum y)
(f y)
";

/// The branches of `f` are a vector whose length is not known and a number, and so is the value of the expression. The loop changes both of its variables, whose
/// start values are known to the first call alone.
#[test]
fn what_is_not_specialised_comes_first() {
    assert_eq!(
        explained(PROGRAM),
        "\
1 item is not specialised, 2 specialised, besides the definitions of 2 procedures

the expression at <expression>:5:1 is not specialised: a vector whose length is not known is one of several shapes of a value
 --> <expression>:5:1
  |
5 | (f y)
  | ^^^^^
  = hint: let all cases return a vector that `build` makes, perhaps an empty one, and a number or a boolean that says which \
case it is

the definition of `y` is specialised, with the value real

the expression at <expression>:4:1 is specialised, with the value real
  sum at <expression>:2:1, 1 instance
    real -> real
  loop at <expression>:2:17, 1 instance
    (real . real) -> real, with n = real
      a loop that changes 2 variables
      known at first, and not after the call at <expression>:2:53: i = 0, a = 0
"
    );
    // Reading takes one statement, the count of steps another one, and the end of the block is the third.
    let shown = answer(&["explain", "-e", "(define y (read-real))"]).succeeded();
    assert!(shown.contains("\n  statements: 3 after the analysis, 3 without levels, 3 after all passes; "), "{shown}");
}

/// A procedure that is interrupted is not part of an item with code; it and its derivative have code of their own.
#[test]
fn calls_with_code_for_other_items_are_listed() {
    let program = "(define (power x n) (if (= n 0) 1 (* x (power x (- n 1)))))
(define (slope x) (cdr (j* (lambda (x) (power x 5)) x 1)))
(define (sum v) (ifold (lambda (s i) (+ s (get v i))) 0 (length v)))
(interrupt (lambda (x) (+ (power x 5) (sum (cdr (*j sum (vector x) 1))))) 2 1)";
    let shown = explained(program);
    let expected = "\nspecialised for calls from there:\n  \
                    power at <expression>:1:1, on real, real\n  \
                    sum at <expression>:3:1, on vector\n  \
                    j* of sum at <expression>:3:1, on vector, vector\n  \
                    *j of sum at <expression>:3:1, on vector, real\n";
    assert!(shown.contains(expected), "{shown}");
    let printed = answer(&["explain", "--json", "-e", program]).succeeded();
    let object: serde_json::Value = serde_json::from_str(&printed).unwrap();
    let call = &object["specialised_calls"][3];
    assert_eq!((&call["name"], &call["call"]), (&serde_json::json!("sum"), &serde_json::json!("*j")));
    assert_eq!(call["operands"], serde_json::json!(["vector", "real"]));
}

#[rstest]
#[case::nothing("", "there is nothing to compute\n")]
#[case::comment("; 1", "there is nothing to compute\n")]
#[case::procedure("(define (f x) x)", "there is nothing to compute, besides the definition of a procedure\n")]
#[case::known(
    "(+ 1 2)",
    "1 item is specialised\n\nthe expression at <expression>:1:1 is specialised, with the value 3\n"
)]
#[case::data(
    "(define z (list #t (lambda (x) x) car (cons (< (read-real) 1) 2)))",
    "1 item is specialised\n\n\
     the definition of `z` is specialised, with the value (#t #<procedure> #<procedure car> (boolean . 2))\n"
)]
#[case::vector(
    "(vector 1 (read-real) '(2 3))",
    "1 item is specialised\n\n\
     the expression at <expression>:1:1 is specialised, with the value #(1 real (2 3))\n"
)]
#[case::union(
    "(define x (read-real)) (define z (if (< x 0) #f (if (< x 1) (list x) (lambda (y) x))))",
    "2 items are specialised\n\n\
     the definition of `x` is specialised, with the value real\n\n\
     the definition of `z` is specialised, with the value {#f | (real) | #<procedure>}\n"
)]
#[case::bundle(
    "(bundle (read-real) 1) (perturb 2)",
    "2 items are specialised\n\n\
     the expression at <expression>:1:1 is specialised, with the value (forward real (perturbation 1))\n\n\
     the expression at <expression>:1:24 is specialised, with the value (perturbation 2)\n"
)]
fn abstract_values_are_shown_as_the_language_prints_values(#[case] program: &str, #[case] expected: &str) {
    assert_eq!(explained(program), expected);
}

#[rstest]
#[case::slots(
    "(define (g n) (lambda (x) (* n x))) ((g 2) (read-real))",
    "  lambda at <expression>:1:15, 1 instance\n    real -> real, with n = 2\n"
)]
#[case::recursion(
    "(define (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))) (fib (read-real))",
    "  fib at <expression>:1:1, 1 instance\n    real -> real\n      a recursion\n"
)]
#[case::mutual(
    "(define (even? n) (if (= n 0) #t (odd? (- n 1)))) (define (odd? n) (if (= n 0) #f (even? (- n 1))))
     (even? (read-real))",
    "  odd? at <expression>:1:51, 1 instance\n    real -> boolean\n      a loop of procedures that call each other\n"
)]
#[case::unrolled(
    "(define (total l) (if (null? l) 0 (+ (car l) (total (cdr l))))) (total (list (read-real) 2))",
    "  total at <expression>:1:1, 3 instances, calls unrolled 2 deep\n    (real 2) -> real\n    (2) -> 2\n    () -> 0\n"
)]
#[case::operators(
    "(define (f x) (* x x)) (cdr (j* f (read-real) 1))",
    "  f at <expression>:1:1, 1 instance\n    real -> real\n"
)]
fn procedures_are_shown_with_their_instances(#[case] program: &str, #[case] expected: &str) {
    let shown = explained(program);
    assert!(shown.contains(expected), "{shown}");
}

const LOOPS: &str = "(define n (read-real)) (define v (build n sqrt))
(define (f x) (let loop ((i 0) (x x)) (if (= i n) x (loop (+ i 1) (sin x)))))
(define (squares v) (ifold (lambda (s i) (+ s (sqr (get v i)))) 0 (length v)))";

/// A chain of sines keeps one number of a turn; the level around it needs a tape. A sum of squares reads the elements
/// again, and its cotangents are the accumulators, so one array is made. The two directions of a gradient are one loop.
#[rstest]
#[case::records(
    "(cdr (*j f 1 1))",
    "  reverse mode of f: what the sweep reads is kept, and of turns and calls recorded\n\
     \x20 memory: records for sweeps of up to 1 value\n"
)]
#[case::tape("(*j (lambda (x) (cdr (*j f x 1))) 1 1)", "  reverse mode of lambda: a tape records each operation\n")]
#[case::states(
    "(checkpoint-*j f 1 1)",
    "  reverse mode of f: states of loops are kept, from which their turns are executed again and recorded\n"
)]
#[case::repetition(
    "(cdr (*j squares v 1))",
    "  reverse mode of squares: the sweep executes turns and the making of elements again\n\
     \x20 elementwise: 1 loop, of which C compilers may execute several iterations at once\n\
     \x20 memory: arrays, made in 1 place\n  copied between vectors and arrays: `v`, what the item returns or writes\n"
)]
#[case::fused(
    "(define (g (list x y)) (let loop ((i 0) (x x) (y y)) (if (= i n) (+ x y) (loop (+ i 1) (sin y) (+ x y)))))
     (list (cdr (j* g (list n n) (list 1 0))) (cdr (j* g (list n n) (list 0 1))))",
    "  fused: 1 loop with others\n"
)]
#[case::elementwise(
    "(build (length v) (lambda (i) (* 2 (get v i))))",
    "  elementwise: 1 loop, of which C compilers may execute several iterations at once\n"
)]
#[case::calls(
    "(define (power x n) (if (= n 0) 1 (* x (power x (- n 1))))) (power 2 n)",
    "  memory: records for calls of up to 1 value\n"
)]
fn resources_are_shown(#[case] program: &str, #[case] expected: &str) {
    let shown = explained(&format!("{LOOPS}\n{program}"));
    assert!(shown.contains(expected), "{shown}");
}

/// Each reason with the place that it is about, and a word of its hint.
#[rstest]
#[case::primitive(
    "(+ 1 (interrupt car '(1) 0))",
    "`interrupt` is not specialised\n --> <expression>:1:6\n",
    "of its own"
)]
#[case::definition(
    "(define z (resume (car '(7)))) (car z)",
    "the value of `z` is not known to the analysis\n --> <expression>:1:37\n",
    "change that one first"
)]
#[case::checkpoint_options(
    "(checkpoint-*j sin 1 1 (read-real) #f)",
    "an option of `checkpoint-*j` is not known, or may not suffice for the steps that are taken\n --> <expression>:1:1\n",
    "write the options as numbers"
)]
#[case::checkpoint_arrays(
    "(define n (read-real)) (define (f x) (get (ifold (lambda (v i) (build n (lambda (k) (* x (get v k))))) (build n sqrt) n) 0)) (checkpoint-*j f 2 1)",
    "`checkpoint-*j` of a loop that gives vectors to its next turn, in `f`\n --> <expression>:1:24\n",
    "give numbers to the next turn"
)]
#[case::checkpoint_recursion(
    "(define (f x n) (if (< n 2) x (+ (f x (- n 1)) (f x (- n 2))))) (checkpoint-*j (lambda (x) (f x (read-real))) 2 1)",
    "`checkpoint-*j` of a recursion that calls itself more than once",
    "use a loop"
)]
#[case::fails("(car 1)", "it does not return a value\n --> <expression>:1:1\n", "--engine interp")]
#[case::results(
    "(define (f n) (if (< n 0) (vector) (vector-push (f (- n 1)) n))) (f (read-real))",
    "a value has one of more than 8 shapes\n --> <expression>:1:15\n",
    "let a number say which of the cases it is"
)]
#[case::kept(
    "(define (f n) (if (< n 0) '() (cons n (f (- n 1))))) (zero (f (read-real)))",
    "a structure that grows in a loop or a recursion is in a bundle, an operand of `zero`, `plus` or `(*j f)`, or \
     beside a vector of unknown length at an operator of differentiation\n --> <expression>:1:54\n",
    "lists without such vectors"
)]
#[case::length(
    "(define n (read-real)) (vector-push (build n sqrt) 1)",
    "the length of a vector is not known to the analysis\n --> <expression>:1:24\n",
    "`ifold`"
)]
#[case::shape(
    "(define n (read-real)) (j* (lambda (v) (get v 0)) (build n sqrt) #(1 2))",
    "a vector whose length is not known meets one of another shape\n --> <expression>:1:24\n",
    "make both with `build`"
)]
#[case::vector_of_parts(
    "(define n (read-real)) (write (build n (lambda (i) (cons i i))))",
    "a vector whose length is not known, of pairs, procedures or vectors of known lengths, is an operand or the result\n --> <expression>:1:24\n",
    "a vector of reals for each part"
)]
#[case::grows(
    "(define (f l) (if (< (read-real) 0) 0 (f (vector-push l 1)))) (f (vector))",
    "calls are unrolled\n --> <expression>:1:39\n",
    "a structure grows"
)]
#[case::recursive_derivative(
    "(define (f x) (cdr (j* f x 1))) (f (read-real))",
    "it does not return a value\n",
    "recursion does not end"
)]
#[case::three_reverse_modes(
    "(define (power x n) (let loop ((i 0) (p 1)) (if (< i n) (loop (+ i 1) (* p x)) p)))
     (define n (read-real))
     (define (slope x) (cdr (*j (lambda (x) (power x n)) x 1)))
     (define (curvature x) (cdr (*j slope x 1)))
     (*j curvature (read-real) 1)",
    "a derivative is taken of `*j` of code with a `*j` of a loop or a recursion in it, in `slope`\n --> <expression>:3:6\n",
    "use `j*` for one of the derivatives"
)]
#[case::in_the_prelude(
    "(define y (read-real)) (cdr (map-n (lambda (i) (build y sqrt)) y))",
    "a vector whose length is not known is one of several shapes of a value\n --> <expression>:1:29\n",
    "perhaps an empty one"
)]
fn reasons_have_places_and_hints(#[case] program: &str, #[case] expected: &str, #[case] hint: &str) {
    let shown = explained(program);
    assert!(shown.contains(expected), "{shown}");
    assert!(shown.lines().any(|line| line.contains("= hint: ") && line.contains(hint)), "{shown}");
}

#[test]
fn reasons_may_be_in_other_files() {
    let folder = folder(
        "explained",
        &[("a.vlad", "(include \"b\") (f 1)"), ("b.vlad", "\n(define (f x) (interrupt sqrt x 0))")],
    );
    let shown = answer_of(vlad().current_dir(&folder).args(["explain", "a.vlad"])).succeeded();
    let expected =
        "the expression at a.vlad:1:15 is not specialised: `interrupt` is not specialised\n --> b.vlad:2:15\n";
    assert!(shown.contains(expected), "{shown}");
    let from_input = answer_to(&["explain", "-"], PROGRAM.as_bytes()).succeeded();
    assert_eq!(from_input.replace("<stdin>", "<expression>"), answer(&["explain", "-e", PROGRAM]).succeeded());
    answer(&["explain", "-e", "(f 1)"]).failed("", "error[unbound]:");
}

/// Only times differ from one explanation to the next.
#[test]
fn times_are_shown_where_they_are_wanted() {
    let shown = |arguments: &[&str]| answer(&[&["explain", "-e", PROGRAM], arguments].concat()).succeeded();
    let (plain, timed) = (shown(&[]), shown(&["--times"]));
    assert_eq!(plain, shown(&[]));
    let (times, others): (Vec<&str>, Vec<&str>) = timed.lines().partition(|line| line.contains("times"));
    assert_eq!(times.len(), 3, "{timed}");
    assert!(times.iter().all(|line| line.ends_with(" ms") && line.contains("levels ")), "{timed}");
    assert_eq!(others.join("\n").trim_end(), plain.trim_end());
    let object = |arguments: &[&str]| -> serde_json::Value { serde_json::from_str(&shown(arguments)).unwrap() };
    assert_eq!(object(&["--json"]), object(&["--json"]));
    let item = |arguments: &[&str]| object(arguments)["explanation"][0].clone();
    assert!(item(&["--json"])["seconds"].is_null() && item(&["--json", "--times"])["seconds"]["analysis"].is_f64());
}

#[test]
fn the_object_has_what_the_text_has() {
    let object: serde_json::Value =
        serde_json::from_str(&answer(&["explain", "--json", "-e", PROGRAM]).succeeded()).unwrap();
    let items = object["explanation"].as_array().unwrap();
    let of = |member: &str| items.iter().map(|item| item[member].clone()).collect::<Vec<_>>();
    assert_eq!(of("specialised"), [true, true, false]);
    assert_eq!(of("name"), [serde_json::json!("y"), serde_json::Value::Null, serde_json::Value::Null]);
    assert_eq!((&items[2]["place"]["line"], &items[2]["reason"]["place"]["column"]), (&5.into(), &1.into()));
    let instance = &items[1]["procedures"][1]["instances"][0];
    assert_eq!((&instance["repeats"], &instance["state"]), (&"loop".into(), &2.into()));
    assert_eq!(instance["slots"][0], serde_json::json!({ "name": "n", "value": "real" }));
    assert_eq!((&instance["widened"][1]["variable"], &instance["widened"][1]["value"]), (&"a".into(), &"0".into()));
}

/// With `--specialise always` nothing is run if an item cannot be specialised.
#[test]
fn all_items_may_have_to_be_specialised() {
    let always = |program: &str| answer(&["run", "--specialise", "always", "-e", program]);
    let errors = always("(write 1) (define z (interrupt sqrt 4 0)) z").failed("", "error[specialise]: ");
    assert!(
        errors.starts_with(
            "error[specialise]: the definition of `z` cannot be specialised: `interrupt` is not specialised\n \
             --> <expression>:1:21\n"
        ),
        "{errors}"
    );
    assert_eq!(errors.matches("error[").count(), 1, "{errors}");
    assert!(errors.contains("= hint: "), "{errors}");
    // What computes nothing need not be specialised.
    assert_eq!(always("(define (f x) x) (define g f) f 3 #(1 2) (g 4)").succeeded(), "#<procedure f>\n3\n#(1 2)\n4\n");
    assert_eq!(always("").succeeded(), "");
    // An error of the program comes when it is met.
    always("(write 1) (+ (read-real) 1)").failed("1\n1\n", "error[input]");
}

#[rstest]
#[case::steps(&["run", "--max-steps", "9", "-e", "1"])]
#[case::profile(&["profile", "-e", "1"])]
#[case::suspend(&["suspend", "--after", "1", "-o", "never-written", "-e", "1"])]
#[case::resume(&["resume", "never-read"])]
fn runs_that_are_not_specialised_cannot_have_to_be(#[case] arguments: &[&str]) {
    let refused = answer(&[arguments, &["--specialise", "always"]].concat());
    assert_eq!((refused.code, refused.output.as_str()), (Some(2), ""));
    assert!(refused.errors.starts_with("error: --specialise always: a "), "{}", refused.errors);
}

/// Results do not depend on the passes, and compiled code does.
#[test]
fn passes_may_be_left_out() {
    let program = "(define (f x) (* x (sin (* x x)))) (define y (read-real)) (cdr (j* f y 1)) (cdr (*j f y 1))";
    let run = |passes: &str| {
        let arguments = ["--engine", "native", "--bits", "--specialise-passes", passes, "-e", program];
        answer_to(&arguments, b"1.5").succeeded()
    };
    let all = run("all");
    for passes in ["none", "-common,-guards", "tidy"] {
        assert_eq!(run(passes), all, "{passes}");
    }
    let size = |passes: &str| {
        let shown = answer(&["explain", "--specialise-passes", passes, "-e", program]).succeeded();
        shown.lines().filter(|line| line.starts_with("  statements: ")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_ne!(size("all"), size("none"));
    let refused = answer(&["--specialise-passes", "tidy,speed", "-e", "1"]);
    assert_eq!((refused.code, refused.errors.contains("`speed` is not a pass")), (Some(2), true), "{}", refused.errors);
}

/// The example of each kind ends with the message that its explanation shows.
#[test]
fn kinds_have_examples_that_run() {
    for kind in Kind::ALL.map(Kind::name).into_iter().chain(["compiler"]) {
        let object: serde_json::Value =
            serde_json::from_str(&answer(&["explain", kind, "--json"]).succeeded()).unwrap();
        let text = |member: &str| object[member].as_str().unwrap().to_owned();
        let example: Vec<&str> =
            object["example"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
        let (head, shown) = (format!("{}[{kind}]: ", text("severity")), answer(&example));
        let expected = format!("{head}{}", text("message"));
        assert!(shown.errors.starts_with(&expected), "vlad {example:?}: {}", shown.errors);
        let explained = answer(&["explain", &format!("{}[{kind}]", text("severity"))]).succeeded();
        assert!(explained.starts_with(&head) && explained.contains(&expected), "{explained}");
        assert!(explained.replace('\n', " ").ends_with(&format!("  {} ", text("remedy"))), "{explained}");
        assert!(explained.lines().skip(5).all(|line| line.chars().count() <= 100), "{explained}");
    }
}

/// The name of a kind is not that of a file, which is given as a path.
#[test]
fn files_with_the_names_of_kinds_are_paths() {
    let folder = folder("kinds", &[("type", "(+ 1 2)")]);
    let explain = |word: &str| answer_of(vlad().current_dir(&folder).args(["explain", word])).succeeded();
    assert!(explain("type").starts_with("error[type]: "));
    assert!(explain("./type").starts_with("1 item is specialised"));
    answer(&["explain", "abandoned"]).failed("", "error[file]");
}
