//! The specialising compiler on whole programs: which items have first-order code, and the reasons for the others.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, missing_docs)] // tests may

use std::path::{Path, PathBuf};
use vlad_compiler::analysis::{Reason, Weighing};
use vlad_compiler::{Passes, specialise};
use vlad_core::{Item, Program};
use vlad_first_order::check::check_without_levels;
use vlad_first_order::text::print::print;
use vlad_first_order::{Kind, Statement, Unit};
use vlad_frontend::load::{Input, Options, load};
use vlad_table::Operation;

fn text(program: &str) -> Program {
    let input = Input::Text { name: "test".to_owned(), bytes: program.into(), folder: None };
    load(input, &Options::default()).unwrap()
}

fn example(name: &str) -> Program {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").join(name);
    load(Input::Path(path), &Options::default()).unwrap()
}

/// The outcome for each item that is not the definition of a procedure.
fn outcomes(program: &Program) -> Vec<Result<Unit, Reason>> {
    let is_computed = |item: &Item| match *item {
        Item::Define(_, node) => program.procedure_at(node).is_none(),
        Item::Expression(_) => true,
    };
    let units = program.items.iter().zip(specialise(program, Passes::ALL, Weighing::All));
    units.filter(|(item, _)| is_computed(item)).map(|(_, unit)| unit).collect()
}

fn reason(program: &str) -> String {
    match outcomes(&text(program)).pop() {
        Some(Err(reason)) => reason.text().into_owned(),
        Some(Ok(_)) | None => panic!("{program} is specialised"),
    }
}

fn loops_of(unit: &Unit) -> usize {
    let statements = unit.all_statements();
    statements.filter(|statement| matches!(statement, Statement::Loop { .. })).count()
}

#[test]
fn the_programs_of_the_literature_are_specialised_without_hints() {
    let programs =
        ["saddle-", "particle-"].map(|name| ["ff", "fr", "rf", "rr"].map(|modes| format!("{name}{modes}.vlad")));
    let others = ["backprop-", "probabilistic-prolog-", "probabilistic-lambda-calculus-"]
        .map(|name| ["f", "r"].map(|mode| format!("{name}{mode}.vlad")));
    for name in programs.into_iter().flatten().chain(others.into_iter().flatten()) {
        for outcome in outcomes(&example(&name)) {
            let unit = outcome.unwrap_or_else(|reason| panic!("{name}: {}", reason.text()));
            check_without_levels(&unit).unwrap();
        }
    }
}

#[test]
fn formulations_are_specialised_alike() {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../benches/programs");
    let mut count = 0;
    for folder in ["backprop", "lambda", "particle", "prolog", "recurrence", "saddle"] {
        for entry in programs.join(folder).read_dir().unwrap() {
            let path = entry.unwrap().path();
            let program = load(Input::Path(path.clone()), &Options::default()).unwrap();
            for outcome in outcomes(&program) {
                outcome.unwrap_or_else(|reason| panic!("{}: {}", path.display(), reason.text()));
                count += 1;
            }
        }
    }
    assert!(count > 30, "{count} items");
}

#[test]
fn symbolic_computation_is_done_at_compile_time() {
    // The clauses of the program and the substitutions are gone: arithmetic of the two probabilities is left.
    for name in ["probabilistic-prolog-f.vlad", "probabilistic-prolog-r.vlad"] {
        let unit = outcomes(&example(name)).pop().unwrap().unwrap();
        assert_eq!(unit.functions.len(), 1);
        assert!(unit.size() < 200, "{name}: {} statements", unit.size());
    }
}

#[test]
fn loops_whose_control_is_not_known_are_loops() {
    let program = text("(define (count n s) (if (< n 1) s (count (- n 1) (+ s (* n n))))) (count (read-real) 0)");
    let unit = outcomes(&program).pop().unwrap().unwrap();
    assert_eq!(unit.functions.len(), 1);
    assert_eq!(loops_of(&unit), 1);
    assert!(unit.size() < 20, "{} statements", unit.size());
}

#[test]
fn loops_with_known_control_and_structures_are_unrolled() {
    let program = text("(define x (read-real)) (reduce + 0 (map (lambda (i) (* x i)) (iota 20)))");
    let unit = outcomes(&program).pop().unwrap().unwrap();
    let is_operation = |statement: &&Statement| matches!(statement, Statement::Operation { .. });
    let operations = unit.functions[0].body.all_statements().filter(is_operation).count();
    // 20 sums and 20 products, of which the one by 1 is its operand.
    assert_eq!((unit.functions.len(), operations), (1, 39));
}

/// The sign of a zero of a product by `guarded*` shows nowhere: 0.5 times x needs no guard. The product of x and
/// y is a plain one, and computed again with a guard where that is no number.
#[test]
fn products_of_programs_lose_their_guards_where_those_of_derivatives_do() {
    let of = |product: &str| {
        let program = text(&format!("(define x (read-real)) (define y (read-real)) {product}"));
        let text = print(&outcomes(&program).pop().unwrap().unwrap(), None);
        let count = |operation: &str| text.matches(operation).count();
        [count("= guarded* "), count("= * "), count("= positive-zero ")]
    };
    assert_eq!(of("(guarded* 0.5 x)"), [0, 1, 1]);
    assert_eq!(of("(guarded* x y)"), [1, 1, 2]);
}

#[test]
fn few_steps_are_unrolled_where_structures_do_not_need_more() {
    let unit = |item: &str| {
        let power = "(define (power n x y) (if (= n 0) y (power (- n 1) x (* x y))))";
        let copies = "(define (copies n x) (if (= n 0) '() (cons x (copies (- n 1) x))))";
        let count = "(define (count n m) (if (= n 0) m (count (- n 1) (+ m 1)))) (define hundred (count 100 0))";
        outcomes(&text(&format!("{power} {copies} {count} {item}"))).pop().unwrap().unwrap()
    };
    assert_eq!(loops_of(&unit("(power 12 (read-real) 1)")), 0);
    assert_eq!(loops_of(&unit("(power 100 (read-real) 1)")), 1);
    // The length of the list depends on the control, and the control on a loop that computes with nothing unknown.
    assert_eq!(unit("(copies 100 (read-real))").result.leaves(), 100);
    assert_eq!(unit("(copies hundred (read-real))").result.leaves(), 100);
    // Both in one item: all is unrolled.
    let both = unit("(let ((x (read-real))) (cons (power 100 x 1) (copies 100 x)))");
    assert_eq!((loops_of(&both), both.result.leaves()), (0, 101));
}

#[test]
fn more_steps_are_unrolled_where_more_is_known_then() {
    // What a loop has counted in a definition is the length of a later list.
    let counted =
        "(define x (read-real)) (define (count n k y) (if (= n 0) (cons k y) (count (- n 1) (+ k 1) (* y x))))
                   (define p (count 20 0 1)) (map-n (lambda (i) (* i (cdr p))) (car p))";
    assert_eq!(outcomes(&text(counted)).pop().unwrap().unwrap().result.leaves(), 20);
    // Two derivatives by `*j` around a loop need a tape, and a third one cannot be taken then.
    let nested = "(define (power n x y) (if (= n 0) y (power (- n 1) x (* x y))))
                  (define (d f) (lambda (x) (cdr (*j f x 1)))) ((d (d (d (lambda (x) (power 20 x 1))))) (read-real))";
    assert_eq!(loops_of(&outcomes(&text(nested)).pop().unwrap().unwrap()), 0);
}

#[test]
fn a_condition_around_a_loop_does_not_widen_it() {
    let copies = "(define (copies n x) (if (= n 0) '() (cons x (copies (- n 1) x))))";
    let program = text(&format!("{copies} (if (< (read-real) 0) (copies 3 1) (copies 3 2))"));
    assert_eq!(outcomes(&program).pop().unwrap().unwrap().result.leaves(), 3);
    // A condition within it does.
    let inside = "(define (copies n x) (if (= n 0) '() (cons x (if (< x 0) (copies (- n 1) x) '(1)))))";
    reason(&format!("{inside} (copies 3 (read-real))"));
}

#[test]
fn what_is_not_specialised_has_a_reason() {
    assert_eq!(
        reason("(vector-push (build (read-real) sqrt) 1)"),
        "the length of a vector is not known to the analysis"
    );
    assert_eq!(
        reason("(build (read-real) (lambda (i) (cons i i)))"),
        "a vector whose length is not known, of pairs, procedures or vectors of known lengths, is an operand or the result"
    );
    let numbers = "0 ".repeat(65);
    assert_eq!(
        reason(&format!("(get (vector {numbers}) (read-real))")),
        "a vector of more than 64 elements has an index that is not known"
    );
    assert_eq!(reason("(interrupt sqrt 2 0)"), "`interrupt` is not specialised");
    assert_eq!(
        reason("(let ((x (read-real))) ((*j sqrt) (*j x)))"),
        "a backpropagator is kept or compared where numbers are read"
    );
    assert_eq!(reason("(j* (lambda (x) (cdr ((*j sqrt) (*j x)))) 4 1)"), "an operator takes a backpropagator apart");
    let late = "(define (f x) (let* ((p ((*j sin) (*j x)))) (cdr ((cdr p) (* x (*j-inverse (car p)))))))";
    assert_eq!(
        reason(&format!("{late} (*j f (read-real) 1)")),
        "a backpropagator that is called late is differentiated in reverse mode"
    );
    assert_eq!(
        reason("(let ((p ((*j write) (*j 2)))) (cdr ((cdr p) (*j-inverse (car p)))))"),
        "a backpropagator belongs to a procedure that reads or writes"
    );
    assert_eq!(reason("(car 1)"), "it does not return a value");
    assert_eq!(
        reason("(if (< (read-real) 0) 1 (build (read-real) sqrt))"),
        "a vector whose length is not known is one of several shapes of a value"
    );
    assert_eq!(
        reason("(let ((b (bundle (read-real) 1))) (tangent (if (< (read-real) 0) #f b)))"),
        "a bundle, a value with a tag or a backpropagator is one of several shapes of a value"
    );
    assert_eq!(
        reason("(let ((p (if (< (read-real) 0) #f (cdr ((*j sin) (*j 1)))))) (if p 1 2))"),
        "a bundle, a value with a tag or a backpropagator is one of several shapes of a value"
    );
    let list = "(define (up-to n) (if (< n 1) '() (cons n (up-to (- n 1))))) (up-to (read-real))";
    assert!(reason(list).starts_with("a structure that grows"));
    assert_eq!(
        reason("(define x (car (interrupt sqrt 2 0))) (+ x 1)"),
        "the value of `x` is not known to the analysis"
    );
    let tower = "(define (nest n x) (if (< n 1) x (cdr (j* (lambda (y) (nest (- n 1) y)) x 1)))) (nest (read-real) 1)";
    assert!(reason(tower).starts_with("derivatives are nested more than 32 deep"));
}

#[test]
fn values_of_a_few_shapes_are_unions() {
    let unit = |text_of: &str| outcomes(&text(text_of)).pop().unwrap().unwrap();
    let bail_outs = |unit: &Unit| print(unit, None).matches("bail out").count();
    // The test of a value is that of its alternative, which is known after it: nothing can fail.
    let root = "(define (root x) (if (< x 0) #f (sqrt x)))";
    let tested = unit(&format!("{root} (let ((r (root (read-real)))) (if (not r) 0 (+ r 1)))"));
    assert_eq!(bail_outs(&tested), 0);
    assert!(tested.size() < 25, "{} statements", tested.size());
    let not_tested = unit(&format!("{root} (+ (root (read-real)) 1)"));
    assert_eq!(bail_outs(&not_tested), 1);
    // After an operation that only one alternative permits, it is known, too.
    let twice = unit("(let ((l (if (< (read-real) 0) '() (list 1 (read-real))))) (+ (car l) (cadr l)))");
    assert_eq!(bail_outs(&twice), 1);
    // Two pairs are one alternative.
    let parts = unit("(let ((p (if (< (read-real) 0) (cons 1 '()) (cons #f 2)))) (list (null? (cdr p)) (car p)))");
    assert_eq!(parts.functions[0].results, [Kind::Boolean; 3]);
    // There are at most 8 alternatives.
    let vectors = |count: usize| {
        let vector = |length: usize| format!("((< n {length}) (vector {}))", "n ".repeat(length));
        let cases: String = (1..count).map(vector).collect();
        format!("(define (f n) (cond {cases} (else '()))) (vector? (f (read-real)))")
    };
    assert_eq!(unit(&vectors(8)).functions.len(), 1);
    assert_eq!(reason(&vectors(9)), "a value has one of more than 8 shapes");
}

#[test]
fn structures_that_grow_cross_borders_where_that_pays() {
    let before =
        "(define (up-to n) (if (< n 1) '() (cons n (up-to (- n 1))))) (define n (read-real)) (define l (up-to n))
                  (define (tree n) (if (< n 2) n (list (tree (- n 1)) (tree (- n 2)))))
                  (define (sum l) (if (null? l) 0 (+ (car l) (sum (cdr l)))))";
    let last = |program: &str| outcomes(&text(&format!("{before} {program}"))).pop().unwrap();
    let why = |program: &str| last(program).unwrap_err().text().into_owned();
    let once = "a structure that grows in a loop or a recursion is read, written, kept or differentiated, and gone through once";
    for program in [
        "(up-to n)",
        "l",
        "(sum l)",
        "(write (up-to n))",
        "(equal? l (up-to n))",
        "(*j sum l 1)",
        "(j* sum (up-to n) l)",
    ] {
        assert_eq!(why(program), once, "{program}");
    }
    let repeated = [
        "(ifold (lambda (s i) (+ s (sum l))) 0 n)",
        "(ifold (lambda (last i) (up-to i)) l n)",
        "(ifold (lambda (s i) (if (equal? l (write (up-to i))) i s)) 0 n)",
        "(ifold (lambda (s i) (cdr (*j sum (cons i s) 1))) l n)",
        "(ifold (lambda (s i) (cdr (j* (lambda (x) (cons x l)) 1 1))) l n)",
        "(ifold (lambda (s i) (+ s (cdr (j* sum (up-to n) l)))) 0 n)",
        "(ifold (lambda (s i) (+ s (car (checkpoint-*j sum l 1)))) 0 n)",
    ];
    for program in repeated {
        assert!(last(program).is_ok(), "{program}: {}", why(program));
    }
    assert!(
        why("(ifold (lambda (s i) (equal? (tree n) (tree i))) #f n)").starts_with("structures that grow in several")
    );
    assert!(
        why("(tangent ((j* sum) (bundle l l)))").starts_with("a structure that grows in a loop or a recursion is in a")
    );
    assert!(why("(ifold (lambda (s i) (+ (cons i l))) 0 n)").starts_with("the last operand of a primitive may be"));
}

#[test]
fn structures_that_grow_are_cells() {
    let counts = |program: &str| {
        let unit = outcomes(&text(program)).pop().unwrap().unwrap();
        check_without_levels(&unit).unwrap();
        let (mut cells, mut reads) = (0, 0);
        for statement in unit.all_statements() {
            match statement {
                Statement::Cell { .. } => cells += 1,
                Statement::Parts { .. } => reads += 1,
                _ => {}
            }
        }
        (cells, reads)
    };
    // A list is made by two cells, its end and a pair, and each walk reads them once.
    let list = "(define (up-to n) (if (< n 1) '() (cons n (up-to (- n 1)))))";
    let sum = "(define (sum l) (if (null? l) 0 (+ (car l) (sum (cdr l)))))";
    assert_eq!(counts(&format!("{list} {sum} (sum (up-to (read-real)))")), (2, 1));
    // The length is known: there is no need of cells.
    assert_eq!(counts(&format!("{list} {sum} (sum (up-to 5))")), (0, 0));
    let some = "(define (some n) (cond ((< n 1) '()) ((< n 2) (list n)) (else (list n n))))";
    assert_eq!(counts(&format!("{some} {sum} (sum (some (read-real)))")), (0, 0));
    // Continuations that are applied once are calls.
    let chain = |applied: &str| format!("(define (f n k) (if (< n 1) (k n) (f (- n 1) (lambda (x) {applied}))))");
    let ends = "(f (read-real) (lambda (x) x))";
    assert_eq!(counts(&format!("{} {ends}", chain("(k (* n x))"))), (0, 0));
    // Others are a chain of procedures, whose last one has no next one: an absent cell. Each of the two places where one is
    // applied reads it.
    assert_eq!(counts(&format!("{} {ends}", chain("(+ (k x) (k n))"))), (3, 2));
    // The end of a list of lists has neither a list nor a rest; each of the two walks reads cells of its own.
    let total = "(define (total ls) (if (null? ls) 0 (+ (sum (car ls)) (total (cdr ls)))))";
    let lists = "(define (lists n) (if (< n 1) '() (cons (up-to n) (lists (- n 1)))))";
    assert_eq!(counts(&format!("{list} {sum} {lists} {total} (total (lists (read-real)))")), (5, 2));
    // The first elements are lists of known lengths, and all of them are made as lists of any.
    let subsets = "(define (subsets l) (if (null? l) (list '()) (append (subsets (cdr l))
                       (map (lambda (s) (cons (car l) s)) (subsets (cdr l))))))";
    assert!(counts(&format!("{list} {sum} {subsets} {total} (total (subsets (up-to (read-real))))")).0 > 0);
    // What an earlier definition is serves as what it becomes.
    let pushed =
        "(define (pushed k ls) (if (= k 0) ls (pushed (- k 1) (map (lambda (l) (cons (car l) (cons k (cdr l)))) ls))))";
    let singles = "(define n (read-real)) (define singles (map (lambda (x) (list x)) (up-to n)))";
    assert!(counts(&format!("{list} {sum} {total} {pushed} {singles} (total (pushed n singles))")).0 > 0);
    // The list of a vector is made by two cells, its end and a pair with the absent cell of the end.
    assert!(counts(&format!("{sum} (sum (vector->list (build (read-real) sin)))")).0 > 0);
    // The vector of a list is no cell, and the list is read to count its elements, and once more.
    assert_eq!(counts(&format!("{list} (get (list->vector (up-to (read-real))) 0)")), (2, 2));
    // What nothing reads is not made.
    assert_eq!(counts(&format!("{list} (begin (up-to (read-real)) 1)")), (0, 0));
}

/// The numbers of tests of indices, and of numbers rounded, in the code of an expression.
fn tests_of(program: &str) -> (usize, usize) {
    let unit = outcomes(&text(program)).pop().unwrap().unwrap();
    let (mut indices, mut rounded) = (0, 0);
    for statement in unit.all_statements() {
        match statement {
            Statement::IsIndex { .. } => indices += 1,
            Statement::Operation { operation: Operation::Floor, .. } => rounded += 1,
            _ => {}
        }
    }
    (indices, rounded)
}

#[test]
fn indices_that_are_known_are_not_tested() {
    // The length that is read is rounded, and nothing after it. Where the bound of a counter may be too great, it is tested
    // once, before the loop.
    let over = |code: &str| tests_of(&format!("(let ((v (build (read-real) sqrt))) {code})"));
    assert_eq!(over("(ifold (lambda (s i) (+ s (get v i))) 0 (length v))"), (0, 1));
    assert_eq!(over("(build (length v) (lambda (i) (* 2 (get v i))))"), (0, 1));
    assert_eq!(over("(ifold (lambda (s i) (+ s (get v i))) 0 (+ (length v) 1))"), (0, 2));
    assert_eq!(over("(ifold (lambda (s i) (+ s (get v (+ i 1)))) 0 (length v))"), (1, 1));
    assert_eq!(over("(let ((w (build (read-real) exp))) (build (length w) (lambda (i) (get v i))))"), (0, 2));
}

#[test]
fn programs_that_explode_are_given_up() {
    let growing = "(define (grow n l) (if (= n 0) l (grow (- n 1) (cons l l)))) (grow 40 (read-real))";
    let deep = "(define (wrap n x) (if (= n 0) x (wrap (- n 1) (lambda () x)))) (wrap 100000 1)";
    let ackermann = "(define (a m n) (cond ((= m 0) (+ n 1)) ((= n 0) (a (- m 1) 1)) (else (a (- m 1) (a m (- n 1))))))
                     (define (list-of n) (if (= n 0) '() (cons n (list-of (- n 1))))) (list-of (a 3 9))";
    for program in [growing, deep, ackermann] {
        reason(program);
    }
}
