//! The rows of `lists`. The elements are functions of the point where the procedure itself only moves them.

use super::row::{Row, exempt, twice};

/// The rows.
pub const ROWS: &[Row] = &[
    twice("sort", "(lambda (l) (sort < (map exp l)))", "(list 1.5 -0.75 2.25 0.25)"),
    twice("sort-ordered", "(lambda (l) (sort-ordered > (map exp l)))", "(list 1.5 -0.75 2.25 0.25)"),
    twice("merge", "(lambda (a b) (merge < (map exp a) b))", "(cons (list -0.5 1.5) (list 1 2 5))"),
    twice("merge-ordered", "(lambda (a b) (merge-ordered < (map exp a) b))", "(cons (list -0.5 1.5) (list 1 2 5))"),
    twice("append-reversed", "(lambda (a b) (append-reversed (map sin a) b))", "(cons (list 1.5 2.5) (list 3))"),
    twice("take", "(lambda (l) (take (map sin l) 2))", "(list 1.5 -0.75 2.25)"),
    twice("drop", "(lambda (l) (drop (map sin l) 1))", "(list 1.5 -0.75 2.25)"),
    twice("take-while", "(lambda (l) (take-while (lambda (x) (> x 2)) (map exp l)))", "(list 1.5 1.25 0.25)"),
    twice("drop-while", "(lambda (l) (drop-while (lambda (x) (> x 2)) (map exp l)))", "(list 1.5 0.25 1.25)"),
    twice("remove", "(lambda (l) (remove (lambda (x) (> x 2)) (map exp l)))", "(list 0.5 1.5 0.25)"),
    twice("partition", "(lambda (l) (partition (lambda (x) (> x 2)) (map exp l)))", "(list 0.5 1.5 0.25)"),
    twice("delete-duplicates", "(lambda (a b) (delete-duplicates (list 1 (* a b) 1 (sin a))))", "(cons 1.5 2.5)"),
    twice("zip", "(lambda (a b) (zip (map sin a) b))", "(cons (list 1.5 2.5) (list 3 4 5))"),
    twice(
        "unzip",
        "(lambda (l) (unzip (map (lambda ((cons a b)) (cons (* a b) (sin b))) l)))",
        "(list (cons 1.5 2.5) (cons 3 4))",
    ),
    twice("enumerate", "(lambda (l) (enumerate (map sin l)))", "(list 1.5 2.5)"),
    twice("concatenate", "(lambda (a b) (concatenate (list (map sin a) '() b)))", "(cons (list 1.5 2.5) (list 3))"),
    twice("append-map", "(lambda (l) (append-map (lambda (x) (list (sin x) (* x x))) l))", "(list 1.5 2.5)"),
    twice("range", "(lambda (a step) (range (sin a) 3.5 (* step step)))", "(cons 0.5 0.75)"),
    twice("unfold", "(lambda (x) (unfold (lambda (y) (> y 20)) exp (lambda (y) (* y y)) x))", "1.5"),
    twice("fold", "(lambda (x l) (fold (lambda (y x) (sin (* x y))) x l))", "(cons 0.75 (list 1.5 2.5))"),
    twice("find", "(lambda (l) (find (lambda (x) (> x 2)) (map exp l)))", "(list 0.5 1.5 2.5)"),
    twice("assoc", "(lambda (a b) (assoc 2 (list (cons 1 a) (cons 2 (* a b)))))", "(cons 1.5 2.5)"),
    twice("member", "(lambda (a b) (member 2 (list a 2 (* a b) (sin b))))", "(cons 1.5 2.5)"),
    exempt(&["list-length", "count"], "a number of elements"),
    exempt(&["list-index"], "an index"),
    exempt(&["nan-element?"], "a boolean"),
];
