//! Derivatives of a procedure at a point as data: gradients, Jacobians, Hessians and Taylor coefficients.
//!
//! ```text
//! program, F, X --run--> X and (F X) as data --run--> a derivative along each direction --assemble--> data
//! ```
//!
//! The shape of a derivative follows from those of the point X and of the value Y: a Jacobian has the shape of Y with a
//! datum of the shape of X in the place of each real, a Hessian the same with data of the shape of a gradient in the places
//! of the reals of X.
//!
//! Invariant: no derivative is computed here. Each number is one that an operator of the language returned, but for the
//! division by k! in the coefficient of order k.

use crate::appended::data::Datum;
use crate::appended::point::Point;
use crate::appended::{Call, Evaluation, NoValues, Numbers, Shown};
use vlad_engines::{Engine, Settings};
use vlad_shared::frontend::load::{Input, Options};
use vlad_shared::frontend::vlad::appendix::{Made, Part};
use vlad_shared::language::Pairs;
use vlad_shared::runtime::run::Limits;

/// The most numbers of a derivative.
const MOST_NUMBERS: usize = 1_000_000;

/// The highest order of Taylor coefficients. The operators that are nested for it take time that doubles with each order.
pub const HIGHEST_ORDER: u32 = 30;

/// A quantity that can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// The derivatives of a value that is a real.
    Gradient,
    /// The derivatives of each real of the value.
    Jacobian,
    /// The second derivatives of each real of the value.
    Hessian,
    /// The Taylor coefficients of orders up to this one, along a direction.
    Taylor(u32),
}

/// The mode by which it is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// `j*`, nested for higher orders.
    Forward,
    /// `*j`, nested for higher orders.
    Reverse,
    /// `checkpoint-*j`, nested for higher orders.
    Checkpoint,
    /// `j*` of `*j`, for Hessians.
    ForwardOverReverse,
}

/// A question for [`derive`].
#[derive(Clone, Debug)]
pub struct Question {
    /// The program.
    pub program: Input,
    /// The options for finding files.
    pub options: Options,
    /// The text of an expression for the procedure. It sees the program's definitions.
    pub function: String,
    /// The point.
    pub point: Point,
    /// The direction of Taylor coefficients; if none is given, the point is a real and the direction 1.
    pub along: Option<Point>,
    /// The quantity; if none is given, the gradient of a value that is a real, else the Jacobian.
    pub quantity: Option<Quantity>,
    /// The mode; if none is given, the one that takes the fewest applications of operators.
    pub mode: Option<Mode>,
    /// The limits of each run.
    pub limits: Limits,
}

/// A derivative.
#[derive(Clone, Debug, PartialEq)]
pub struct Derived {
    /// The point.
    pub point: Datum,
    /// The value there.
    pub value: Datum,
    /// The quantity.
    pub quantity: Quantity,
    /// The mode by which it was found.
    pub mode: Mode,
    /// The quantity's numbers; Taylor coefficients are a list.
    pub derivative: Datum,
    /// The use of pairs in the data of the program.
    pub pairs: Pairs,
}

/// The reason why there is no derivative.
#[derive(Debug)]
pub enum NoDerivative {
    /// The program has no values.
    Values(NoValues),
    /// The quantity does not exist for this point and value, or not by this mode.
    Refused(String),
}

impl Quantity {
    /// The name of the quantity.
    pub fn name(self) -> &'static str {
        match self {
            Quantity::Gradient => "gradient",
            Quantity::Jacobian => "jacobian",
            Quantity::Hessian => "hessian",
            Quantity::Taylor(_) => "taylor",
        }
    }
}

impl Mode {
    /// The name of the mode.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Forward => "forward",
            Mode::Reverse => "reverse",
            Mode::Checkpoint => "checkpoint",
            Mode::ForwardOverReverse => "forward over reverse",
        }
    }

    /// The operators of the outer and of the inner derivative.
    fn operators(self) -> [&'static str; 2] {
        match self {
            Mode::Forward => ["j*"; 2],
            Mode::Reverse => ["*j"; 2],
            Mode::Checkpoint => ["checkpoint-*j"; 2],
            Mode::ForwardOverReverse => ["j*", "*j"],
        }
    }
}

impl From<NoValues> for NoDerivative {
    fn from(trouble: NoValues) -> NoDerivative {
        NoDerivative::Values(trouble)
    }
}

/// Finds a derivative on an engine. The program reads its numbers once, however often it runs.
///
/// # Errors
/// See [`NoDerivative`].
pub fn derive(on: (Engine, &Settings), question: &Question, numbers: &mut Numbers) -> Result<Derived, NoDerivative> {
    let Question { program, options, limits, .. } = question;
    let (program, options, limits) = (program.clone(), options.clone(), *limits);
    let evaluation = Evaluation::of(program, options, limits);
    let operands = [Some(("--at", &question.point)), question.along.as_ref().map(|along| ("--along", along))];
    let operands: Vec<(&str, &Point)> = operands.into_iter().flatten().collect();
    let call = Call::new(evaluation, ("--function", &question.function), &operands)?;
    let at = vec![call.point(), call.value()];
    let shown = call.evaluation.values(on, at, Shown::Whole, numbers)?;
    let [point, value] = shown.as_slice() else { return refused("the program prints no value of the procedure") };
    let default = if value.is_real() { Quantity::Gradient } else { Quantity::Jacobian };
    let quantity = question.quantity.unwrap_or(default);
    refuse_empty(point, value, quantity)?;
    let mode = mode(question, quantity, point, value)?;
    let shown = match quantity {
        Quantity::Gradient | Quantity::Jacobian | Quantity::Hessian => Shown::Second,
        Quantity::Taylor(_) => Shown::Whole,
    };
    let expressions = match quantity {
        Quantity::Gradient | Quantity::Jacobian => first(&call, mode, point, value),
        Quantity::Hessian => second(&call, mode, point, value),
        Quantity::Taylor(order) => taylor(&call, mode, order),
    };
    let found = call.evaluation.values(on, expressions, shown, numbers)?;
    let derivative = match quantity {
        Quantity::Gradient | Quantity::Jacobian => assembled_first(mode, point, value, &found),
        Quantity::Hessian => assembled_second(mode, point, value, &found),
        Quantity::Taylor(_) => assembled_taylor(&found),
    };
    let pairs = call.evaluation.pairs();
    Ok(Derived { point: point.clone(), value: value.clone(), quantity, mode, derivative, pairs })
}

fn refused<T>(message: &str) -> Result<T, NoDerivative> {
    Err(NoDerivative::Refused(message.to_owned()))
}

/// Refuses a quantity without numbers, one with too many of them, and a gradient of what is no real.
fn refuse_empty(point: &Datum, value: &Datum, quantity: Quantity) -> Result<(), NoDerivative> {
    let (inputs, outputs) = (point.coordinates(), value.coordinates());
    if inputs == 0 {
        return refused("there is no real in the point");
    }
    if outputs == 0 {
        return refused("there is no real in the value");
    }
    if quantity == Quantity::Gradient && !value.is_real() {
        return refused("only a real has a gradient, and the value is none: `--jacobian` gives its derivatives");
    }
    let numbers = match quantity {
        Quantity::Gradient | Quantity::Jacobian => outputs.checked_mul(inputs),
        Quantity::Hessian => outputs.checked_mul(inputs).and_then(|numbers| numbers.checked_mul(inputs)),
        Quantity::Taylor(order) => outputs.checked_mul(order as usize + 1),
    };
    match numbers.filter(|numbers| *numbers <= MOST_NUMBERS) {
        Some(_) => Ok(()),
        None => refused(&format!(
            "the {} of {outputs} reals by {inputs} has more than {MOST_NUMBERS} numbers",
            quantity.name()
        )),
    }
}

/// Returns the mode that is asked for, if the quantity can be found by it, or the one with the fewest applications.
fn mode(question: &Question, quantity: Quantity, point: &Datum, value: &Datum) -> Result<Mode, NoDerivative> {
    match quantity {
        Quantity::Gradient | Quantity::Jacobian => {
            let fewer_outputs = value.coordinates() < point.coordinates();
            Ok(question.mode.unwrap_or(if fewer_outputs { Mode::Reverse } else { Mode::Forward }))
        }
        Quantity::Hessian => Ok(question.mode.unwrap_or(Mode::ForwardOverReverse)),
        Quantity::Taylor(order) if order > HIGHEST_ORDER => refused(&format!(
            "Taylor coefficients have orders up to {HIGHEST_ORDER}, since each order doubles the time"
        )),
        Quantity::Taylor(_) => {
            if question.along.is_none() && !point.is_real() {
                return refused("the point is no real: `--along` gives the direction of the Taylor coefficients");
            }
            let mode = question.mode.unwrap_or(Mode::Forward);
            if mode != Mode::Forward && !(point.is_real() && value.is_real() && question.along.is_none()) {
                return refused(
                    "by reverse mode there are Taylor coefficients of procedures from reals to reals alone",
                );
            }
            Ok(mode)
        }
    }
}

/// The applications of an operator that give the first derivatives: along each coordinate of the point or of the value.
fn first(call: &Call, mode: Mode, point: &Datum, value: &Datum) -> Vec<Made> {
    let [operator, _] = mode.operators();
    let applied = |along| call.derivative(operator, [Part::Datum(along)]);
    match mode {
        Mode::Forward | Mode::ForwardOverReverse => {
            (0..point.coordinates()).map(|input| applied(point.direction(input))).collect()
        }
        Mode::Reverse | Mode::Checkpoint => {
            (0..value.coordinates()).map(|output| applied(value.direction(output))).collect()
        }
    }
}

/// The data with the derivatives along coordinates as a Jacobian.
fn assembled_first(mode: Mode, point: &Datum, value: &Datum, found: &[Datum]) -> Datum {
    let rows: Vec<Datum> = match mode {
        Mode::Reverse | Mode::Checkpoint => found.iter().map(|row| point.with_reals(&row.reals())).collect(),
        Mode::Forward | Mode::ForwardOverReverse => {
            let columns: Vec<Vec<f64>> = found.iter().map(Datum::reals).collect();
            transposed(&columns, value.coordinates()).iter().map(|row| point.with_reals(row)).collect()
        }
    };
    value.with(rows.iter().map(|row| row.tokens.as_slice()))
}

/// The rows of a matrix with so many rows that is given by its columns.
fn transposed(columns: &[Vec<f64>], rows: usize) -> Vec<Vec<f64>> {
    let entry = |column: &Vec<f64>, row: usize| column.get(row).copied().unwrap_or(f64::NAN);
    (0..rows).map(|row| columns.iter().map(|column| entry(column, row)).collect()).collect()
}

/// The applications of operators that give the second derivatives.
fn second(call: &Call, mode: Mode, point: &Datum, value: &Datum) -> Vec<Made> {
    let [outer, inner] = mode.operators();
    let derivative = format!(
        "(lambda (f x inner outer) ({outer} (lambda (p) ((lambda ((cons y d)) d) ({inner} f p inner))) x outer))"
    );
    let applied = |along: String, outer: String| call.derivative(&derivative, [along, outer].map(Part::Datum));
    let inputs = point.coordinates();
    match mode {
        Mode::Forward => {
            let pairs = (0..inputs).flat_map(|inner| (0..inputs).map(move |outer| (inner, outer)));
            pairs.map(|(inner, outer)| applied(point.direction(inner), point.direction(outer))).collect()
        }
        Mode::Reverse | Mode::Checkpoint | Mode::ForwardOverReverse => {
            let pairs = (0..value.coordinates()).flat_map(|output| (0..inputs).map(move |input| (output, input)));
            pairs.map(|(output, input)| applied(value.direction(output), point.direction(input))).collect()
        }
    }
}

/// The data with second derivatives as a Hessian of each real of the value.
fn assembled_second(mode: Mode, point: &Datum, value: &Datum, found: &[Datum]) -> Datum {
    let (inputs, outputs) = (point.coordinates(), value.coordinates());
    let reals: Vec<Vec<f64>> = found.iter().map(Datum::reals).collect();
    // The rows of all Hessians, one after the other.
    let rows: Vec<Vec<f64>> = match mode {
        // Of each pair of coordinates, the second derivative of each real of the value.
        Mode::Forward => {
            let hessians = transposed(&reals, outputs);
            hessians.iter().flat_map(|hessian| hessian.chunks(inputs.max(1)).map(<[f64]>::to_vec)).collect()
        }
        Mode::Reverse | Mode::Checkpoint | Mode::ForwardOverReverse => reals,
    };
    let rows: Vec<Datum> = rows.iter().map(|row| point.with_reals(row)).collect();
    let hessians: Vec<Datum> =
        rows.chunks(inputs.max(1)).map(|rows| point.with(rows.iter().map(|row| row.tokens.as_slice()))).collect();
    value.with(hessians.iter().map(|hessian| hessian.tokens.as_slice()))
}

/// The derivatives of orders from 0 on along the direction.
fn taylor(call: &Call, mode: Mode, order: u32) -> Vec<Made> {
    let [operator, _] = mode.operators();
    let along = if call.operands.len() > 1 { call.operand(1) } else { Part::Datum("1".to_owned()) };
    (0..=order).map(|order| call.derivative(&nested(operator, order), [along.clone()])).collect()
}

/// An expression for a procedure of three operands: a procedure, a point and a direction. Its value is the derivative of
/// an order, by an operator that is nested so often. Of the names of the language it uses that of the operator alone, since
/// the program may define the others anew.
pub fn nested(operator: &str, order: u32) -> String {
    let mut derivative = "f".to_owned();
    for _ in 0..order {
        derivative = format!("(lambda (p) ((lambda ((cons y d)) d) ({operator} {derivative} p t)))");
    }
    format!("(lambda (f x t) ({derivative} x))")
}

/// The list of the coefficients with these derivatives.
fn assembled_taylor(found: &[Datum]) -> Datum {
    let mut factorial = 1.0;
    let mut coefficients = Vec::new();
    for (order, derivative) in found.iter().enumerate() {
        factorial *= order.max(1) as f64;
        let reals: Vec<f64> = derivative.reals().iter().map(|real| real / factorial).collect();
        coefficients.push(derivative.with_reals(&reals));
    }
    Datum::list(&coefficients)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::appended::data::Form;

    fn question(text: &str, at: &str) -> Question {
        Question {
            program: Input::Text { name: "program".to_owned(), bytes: text.as_bytes().to_vec(), folder: None },
            options: Options::default(),
            function: "f".to_owned(),
            point: Point::Expression(at.to_owned()),
            along: None,
            quantity: None,
            mode: None,
            limits: Limits::default(),
        }
    }

    fn found(question: &Question) -> String {
        let on = (Engine::Hybrid, &Settings::default());
        derive(on, question, &mut Numbers::none()).unwrap().derivative.text(Form::Vlad)
    }

    fn refusal(question: &Question) -> String {
        let on = (Engine::Hybrid, &Settings::default());
        match derive(on, question, &mut Numbers::none()).unwrap_err() {
            NoDerivative::Refused(message) => message,
            NoDerivative::Values(other) => panic!("{other:?}"),
        }
    }

    const MODES: [Option<Mode>; 4] = [None, Some(Mode::Forward), Some(Mode::Reverse), Some(Mode::Checkpoint)];

    #[test]
    fn derivatives_have_the_shapes_of_point_and_value_in_every_mode() {
        // At (3, #(4 5)): x y0 + y1, and (x^2 y0 . y1 x): the Jacobian and, of the second, the Hessian by hand.
        let real = "(define (f (cons x v)) (+ (* x (get v 0)) (get v 1)))";
        let pair = "(define (f (cons x v)) (cons (* x x (get v 0)) (* (get v 1) x)))";
        let at = "(cons 3 #(4 5))";
        for mode in MODES {
            let with = |text: &str, quantity| Question { quantity, mode, ..question(text, at) };
            assert_eq!(found(&with(real, None)), "(4 . #(3 1))");
            assert_eq!(found(&with(pair, None)), "((24 . #(9 0)) 5 . #(0 3))");
            let hessian = found(&with(real, Some(Quantity::Hessian)));
            assert_eq!(hessian, "((0 . #(1 0)) . #((1 . #(0 0)) (0 . #(0 0))))", "{mode:?}");
            let hessians = found(&with(pair, Some(Quantity::Hessian)));
            let (first, second) =
                ("((8 . #(6 0)) . #((6 . #(0 0)) (0 . #(0 0))))", "((0 . #(0 1)) . #((0 . #(0 0)) (1 . #(0 0))))");
            // A pair of two pairs: the second one is printed as the rest of a list.
            assert_eq!(hessians, format!("({first} {}", second.strip_prefix('(').unwrap()), "{mode:?}");
        }
    }

    #[test]
    fn taylor_coefficients_are_divided_by_factorials() {
        let order = Some(Quantity::Taylor(4));
        for mode in MODES {
            // x^4 at 2: 16, 32, 24, 8, 1.
            let power = Question { quantity: order, mode, ..question("(define (f x) (* x x x x))", "2") };
            assert_eq!(found(&power), "(16 32 24 8 1)");
        }
        // x y at (1, 2) along (3, 4): (1 + 3 t)(2 + 4 t) = 2 + 10 t + 12 t^2.
        let along = Some(Point::Expression("(list 3 4)".to_owned()));
        let product = Question {
            quantity: Some(Quantity::Taylor(3)),
            along,
            ..question("(define (f (list x y)) (cons #t (* x y)))", "(list 1 2)")
        };
        assert_eq!(found(&product), "((#t . 2) (#t . 10) (#t . 12) (#t . 0))");
    }

    #[test]
    fn what_has_no_derivative_is_refused() {
        let vector = "(define (f v) v)";
        let refused = |text: &str, at: &str, quantity| refusal(&Question { quantity, ..question(text, at) });
        assert!(refused(vector, "#(1 2)", Some(Quantity::Gradient)).contains("--jacobian"));
        assert!(refused(vector, "#()", None).contains("no real in the point"));
        assert!(refused("(define (f x) #t)", "1", None).contains("no real in the value"));
        assert!(refused(vector, "#(1 2)", Some(Quantity::Taylor(2))).contains("--along"));
        assert!(refused("(define (f x) x)", "1", Some(Quantity::Taylor(31))).contains("up to 30"));
        assert!(refused(vector, "(build 1001 (lambda (i) i))", None).contains("more than 1000000"));
        let reverse = Question {
            mode: Some(Mode::Reverse),
            quantity: Some(Quantity::Taylor(2)),
            ..question("(define (f x) (list x x))", "1")
        };
        assert!(refusal(&reverse).contains("reals to reals"));
    }

    #[test]
    fn numbers_are_read_once() {
        let question = question("(define a (read-real)) (write a) (define (f x) (* a x))", "(read-real)");
        let mut numbers = Numbers::of(Box::new("3 5 7".as_bytes()));
        let derived = derive((Engine::Hybrid, &Settings::default()), &question, &mut numbers).unwrap();
        assert_eq!((derived.point, derived.derivative), (Datum::real(5.0), Datum::real(3.0)));
    }
}
