//! Procedures that only rearrange data are linear: `j*` rearranges the tangent in the same way, and `*j` sums, for each
//! position of the argument, the cotangents of the positions that it is moved to. The expectations come from a small
//! model of data in this file, and all numbers are small whole numbers, so that sums are exact.

use crate::check_all;
use std::fmt;
use vlad_derivatives::numbers::Numbers;

/// Data without procedures.
#[derive(Clone, Debug)]
enum Data {
    Nil,
    Boolean(bool),
    Real(f64),
    /// A real that a rearrangement takes from the position of that number.
    Position(usize),
    Pair(Box<Data>, Box<Data>),
}

impl Data {
    fn pair(first: Data, second: Data) -> Data {
        Data::Pair(Box::new(first), Box::new(second))
    }

    /// Data of a random shape, with leaves that are reals made by `real`.
    fn random(numbers: &mut Numbers, depth: usize, real: &mut dyn FnMut(&mut Numbers) -> Data) -> Data {
        match numbers.below(if depth == 0 { 5 } else { 12 }) {
            0 => Data::Nil,
            1 => Data::Boolean(numbers.below(2) == 0),
            2..5 => real(numbers),
            5..8 => {
                let length = numbers.below(4);
                (0..length).fold(Data::Nil, |rest, _| Data::pair(Data::random(numbers, depth - 1, real), rest))
            }
            _ => Data::pair(Data::random(numbers, depth - 1, real), Data::random(numbers, depth - 1, real)),
        }
    }

    /// The same shape with each real or position replaced, left to right.
    fn map(&self, leaf: &mut dyn FnMut(&Data) -> Data) -> Data {
        match self {
            Data::Nil => Data::Nil,
            Data::Boolean(boolean) => Data::Boolean(*boolean),
            Data::Real(_) | Data::Position(_) => leaf(self),
            Data::Pair(first, second) => Data::pair(first.map(leaf), second.map(leaf)),
        }
    }

    /// The reals and positions, left to right.
    fn leaves(&self) -> Vec<Data> {
        let mut leaves = Vec::new();
        self.map(&mut |leaf| {
            leaves.push(leaf.clone());
            leaf.clone()
        });
        leaves
    }

    /// The same shape with new small whole numbers.
    fn refilled(&self, numbers: &mut Numbers) -> Data {
        self.map(&mut |_| Data::Real(numbers.whole()))
    }

    /// The text as an expression or a pattern, which have the same form in terms of `cons`.
    fn source(&self) -> String {
        match self {
            Data::Nil => "()".to_owned(),
            Data::Boolean(true) => "#t".to_owned(),
            Data::Boolean(false) => "#f".to_owned(),
            Data::Real(real) => real.to_string(),
            Data::Position(position) => format!("x{position}"),
            Data::Pair(first, second) => format!("(cons {} {})", first.source(), second.source()),
        }
    }

    /// The real of a leaf.
    fn real(&self) -> f64 {
        match self {
            Data::Real(real) => *real,
            other => panic!("{other:?} is a real"),
        }
    }
}

/// Formats the data as the language prints it.
impl fmt::Display for Data {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Data::Pair(first, rest) => {
                write!(out, "({first}")?;
                let mut rest = rest;
                while let Data::Pair(next, others) = rest.as_ref() {
                    write!(out, " {next}")?;
                    rest = others;
                }
                match rest.as_ref() {
                    Data::Nil => out.write_str(")"),
                    dotted => write!(out, " . {dotted})"),
                }
            }
            atom => out.write_str(&atom.source()),
        }
    }
}

/// A rearrangement of data.
struct Sample {
    /// Its argument, with positions for reals.
    taken: Data,
    /// Its result, made of positions and constants.
    made: Data,
}

impl Sample {
    fn random(numbers: &mut Numbers) -> Sample {
        let mut positions = 0;
        let taken = Data::random(numbers, 4, &mut |_| {
            positions += 1;
            Data::Position(positions - 1)
        });
        let made = Data::random(numbers, 4, &mut |numbers| match (numbers.below(8), positions) {
            (0, _) | (_, 0) => Data::Real(numbers.whole()),
            _ => Data::Position(numbers.below(positions)),
        });
        // Lists are generated from the end, so the positions are renumbered in reading order.
        let mut next = 0;
        let taken = taken.map(&mut |_| {
            next += 1;
            Data::Position(next - 1)
        });
        Sample { taken, made }
    }

    /// The result for the leaves of an argument, with `constant` applied to the constants of the rearrangement.
    fn apply(&self, argument: &Data, constant: impl Fn(f64) -> f64) -> Data {
        let leaves = argument.leaves();
        self.made.map(&mut |leaf| match leaf {
            Data::Position(position) => leaves[*position].clone(),
            other => Data::Real(constant(other.real())),
        })
    }

    /// The cotangent of the argument: for each position, the sum over its destinations.
    fn transpose(&self, cotangent: &Data) -> Data {
        let (destinations, cotangents) = (self.made.leaves(), cotangent.leaves());
        self.taken.map(&mut |leaf| {
            let position = match leaf {
                Data::Position(position) => *position,
                other => panic!("{other:?} is a position"),
            };
            let went = |destination: &Data| matches!(destination, Data::Position(there) if *there == position);
            let arrived = destinations.iter().zip(&cotangents).filter(|(destination, _)| went(destination));
            Data::Real(arrived.fold(0.0, |sum, (_, cotangent)| sum + cotangent.real()))
        })
    }
}

#[test]
fn rearrangements_are_linear() {
    let mut numbers = Numbers::new(3);
    let mut expectations = Vec::new();
    for _ in 0..400 {
        let sample = Sample::random(&mut numbers);
        let procedure = format!("(lambda (all) (let (({} all)) {}))", sample.taken.source(), sample.made.source());
        let (argument, tangent) = (sample.taken.refilled(&mut numbers), sample.taken.refilled(&mut numbers));
        let cotangent = sample.made.refilled(&mut numbers);
        let result = sample.apply(&argument, |constant| constant);
        let pushed = Data::pair(result.clone(), sample.apply(&tangent, |_| 0.0));
        let pulled = Data::pair(result.clone(), sample.transpose(&cotangent));
        let at = argument.source();
        expectations.push((format!("(j* {procedure} {at} {})", tangent.source()), pushed.to_string()));
        let bundle = |primal: &Data, tangent: &Data| format!("(forward {primal} (perturbation {tangent}))");
        let transformed = format!("((j* {procedure}) (bundle {at} {}))", tangent.source());
        expectations.push((transformed, bundle(&result, &sample.apply(&tangent, |_| 0.0))));
        let back = format!("(cdr ((cdr ((*j {procedure}) (*j {at}))) {}))", cotangent.source());
        expectations.push((back, sample.transpose(&cotangent).to_string()));
        expectations.push((format!("(*j {procedure} {at} {})", cotangent.source()), pulled.to_string()));
    }
    check_all("", &expectations);
}

/// Tests that second derivatives are zeros of the right shape, since the derivative of a rearrangement is constant.
#[test]
fn second_derivatives_of_rearrangements_are_zero() {
    let mut numbers = Numbers::new(4);
    let mut expectations = Vec::new();
    for _ in 0..100 {
        let sample = Sample::random(&mut numbers);
        let procedure = format!("(lambda (all) (let (({} all)) {}))", sample.taken.source(), sample.made.source());
        let (at, tangent) =
            (sample.taken.refilled(&mut numbers).source(), sample.taken.refilled(&mut numbers).source());
        let cotangent = sample.made.refilled(&mut numbers).source();
        let forward = format!("(lambda (y) (cdr (j* {procedure} y {tangent})))");
        let reverse = format!("(lambda (y) (cdr (*j {procedure} y {cotangent})))");
        let of_result = sample.made.map(&mut |_| Data::Real(0.0)).to_string();
        let of_argument = sample.taken.map(&mut |_| Data::Real(0.0)).to_string();
        expectations.push((format!("(cdr (j* {forward} {at} {tangent}))"), of_result));
        expectations.push((format!("(cdr (*j {forward} {at} {cotangent}))"), of_argument.clone()));
        expectations.push((format!("(cdr (j* {reverse} {at} {tangent}))"), of_argument.clone()));
        expectations.push((format!("(cdr (*j {reverse} {at} {tangent}))"), of_argument));
    }
    check_all("", &expectations);
}

/// Tests that data are trees: with v = (3) and f multiplying its two halves, the gradient at (v . v) is ((3) . (3)).
#[test]
fn shared_data_has_a_cotangent_for_each_position() {
    let definitions = "
        (define v (list 3))
        (define (product (cons (list a) (list b))) (* a b))
        (define (double v n) (if (= n 0) v (double (cons v v) (- n 1))))
        (define (total v) (if (pair? v) (+ (total (car v)) (total (cdr v))) v))";
    let expectations = [
        ("(*j product (cons v v) 1)", "(9 (3) 3)"),
        ("(j* product (cons v v) (cons (list 1) (list 0)))", "(9 . 3)"),
        ("(cdr (*j total (double 1 2) 5))", "((5 . 5) 5 . 5)"),
        // 2^12 positions share one object: each has the cotangent 1, and they are summed.
        ("(total (cdr (*j total (double 7 12) 1)))", "4096"),
        ("(cdr (j* total (double 7 12) (double 1 12)))", "4096"),
        // A result that contains its argument many times: copies share the accumulator.
        ("(cdr (*j (lambda (x) (double x 3)) 1 (double 1 3)))", "8"),
        ("(cdr (*j (lambda (x) (total (double x 20))) 1 1))", "1048576"),
    ];
    check_all(definitions, &expectations.map(|(expression, result)| (expression.to_owned(), result.to_owned())));
}
