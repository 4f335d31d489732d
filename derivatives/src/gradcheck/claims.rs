//! Derivatives that another tool claims, as JSON in the shape of `vlad derive`, compared with difference quotients.
//!
//! ```text
//! {"value": Y, "gradient": X, "jacobian": X in the places of the reals of Y, "hessian": X in the places of the reals of X}
//! ```
//!
//! Each member is optional; numbers or arrays without an object around them are the gradient if the value is a real, else
//! the Jacobian.
//!
//! Invariant: each number of the JSON is compared, or the whole is refused. A claim is judged by the quotient alone, and
//! not by what the engines compute.

use super::verdict::{Derivative, Difference, Entry, Reason, Tolerance, Verdict};
use super::{DOUBTFUL, NoAnswer, Order, Question, ROUNDINGS, Subject, floor, least_size, other, reason};
use crate::appended::data::{Datum, Form};
use crate::appended::point::{inside, real};
use crate::extended::arithmetic::{Reference, subtract, to_double};
use crate::extended::refusal::Refusal;
use crate::extended::rounding::RoundingErrors;
use serde_json::Value;
use vlad_engines::{Engine, Settings};

/// The quantities that can be claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// The value of the procedure.
    Value,
    /// The derivatives of a value that is a real.
    Gradient,
    /// The derivatives of any value.
    Jacobian,
    /// The second derivatives of a value that is a real.
    Hessian,
}

impl Quantity {
    /// All of them, in the order of reports.
    pub const ALL: [Quantity; 4] = [Quantity::Value, Quantity::Gradient, Quantity::Jacobian, Quantity::Hessian];

    /// The name of its member.
    pub fn name(self) -> &'static str {
        match self {
            Quantity::Value => "value",
            Quantity::Gradient => "gradient",
            Quantity::Jacobian => "jacobian",
            Quantity::Hessian => "hessian",
        }
    }
}

/// The members of the object of `vlad derive` that say how numbers were found.
const DESCRIPTIONS: [&str; 4] = ["function", "quantity", "mode", "engine"];

/// The member with the point that the claims are about.
const POINT: &str = "point";

/// A claim and its comparison.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The quantity that it is a part of.
    pub quantity: Quantity,
    /// Its path in the JSON of that quantity.
    pub path: String,
    /// The comparison. For a value, the input is the first, and the numbers of the modes are that of the engine.
    pub entry: Entry,
}

/// The result for all claims.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The point, as it is printed.
    pub point: String,
    /// The value there, as it is printed.
    pub value: String,
    /// The claims, in the order of [`Quantity::ALL`] and of the JSON.
    pub claims: Vec<Claim>,
}

impl Claim {
    /// Returns the verdict.
    pub fn verdict(&self, tolerance: Tolerance) -> Verdict {
        self.entry.verdict(tolerance)
    }
}

/// Compares claims with difference quotients.
///
/// # Errors
/// The JSON has other members or another shape; or as for [`super::check`].
pub fn judge(engine: Engine, settings: &Settings, question: &Question, json: &Value) -> Result<Judgement, NoAnswer> {
    let subject = Subject::of(engine, settings, question, Order::First)?;
    let (point, value) = subject.point_and_value()?;
    let pairs = subject.call.evaluation.pairs();
    let mut claims = Vec::new();
    for (quantity, claimed) in quantities(json, &point.for_json(pairs), &value)? {
        let order = match quantity {
            Quantity::Value | Quantity::Gradient | Quantity::Jacobian => Order::First,
            Quantity::Hessian => Order::Second,
        };
        if matches!(quantity, Quantity::Gradient | Quantity::Hessian) && !value.is_real() {
            return misfit(&format!(
                "a {} is claimed, but the value is no real: {}",
                quantity.name(),
                value.text(Form::Vlad)
            ));
        }
        let shape = match quantity {
            Quantity::Value => value.clone(),
            Quantity::Gradient => point.clone(),
            Quantity::Jacobian => value.with(vec![point.tokens.as_slice(); value.coordinates()]),
            Quantity::Hessian => point.with(vec![point.tokens.as_slice(); point.coordinates()]),
        };
        let shape = shape.for_json(pairs);
        let paths = shape.paths();
        let numbers = numbers(quantity.name(), claimed, &shape, &paths)?;
        let mut entries = match quantity {
            Quantity::Value => subject.value_entries(&point, &value, &numbers)?,
            Quantity::Gradient | Quantity::Jacobian => subject.entries(&point, &value, Some(&numbers))?,
            Quantity::Hessian => {
                let gradient = Subject::of(engine, settings, question, order)?;
                let (point, value) = gradient.point_and_value()?;
                gradient.entries(&point, &value, Some(&numbers))?
            }
        };
        // By outputs and then by inputs, as in the JSON.
        entries.sort_by_key(|entry| (entry.output, entry.input));
        claims.extend(paths.into_iter().zip(entries).map(|(path, entry)| Claim { quantity, path, entry }));
    }
    if claims.is_empty() {
        return misfit("nothing is claimed: there is no member \"value\", \"gradient\", \"jacobian\" or \"hessian\"");
    }
    Ok(Judgement { point: point.text(Form::Vlad), value: value.text(Form::Vlad), claims })
}

fn misfit<T>(message: &str) -> Result<T, NoAnswer> {
    Err(NoAnswer::Claims(message.to_owned()))
}

/// The quantities that JSON claims, in the order of [`Quantity::ALL`].
fn quantities<'json>(
    json: &'json Value,
    point: &Datum,
    value: &Datum,
) -> Result<Vec<(Quantity, &'json Value)>, NoAnswer> {
    let Value::Object(members) = json else {
        let first = if value.is_real() { Quantity::Gradient } else { Quantity::Jacobian };
        return Ok(vec![(first, json)]);
    };
    if let Some(claimed) = members.get(POINT) {
        let paths = point.paths();
        let same = numbers(POINT, claimed, point, &paths)?.iter().zip(point.reals()).all(|(a, b)| *a == b);
        if !same {
            return misfit(&format!("the claims are about another point: {}", claimed));
        }
    }
    let is_known = |name: &str| {
        name == POINT || DESCRIPTIONS.contains(&name) || Quantity::ALL.iter().any(|quantity| quantity.name() == name)
    };
    if let Some(name) = members.keys().find(|name| !is_known(name)) {
        return misfit(&format!(
            "there is no comparison for the member \"{name}\", but for \"value\", \"gradient\", \"jacobian\" and \"hessian\""
        ));
    }
    Ok(Quantity::ALL.into_iter().filter_map(|quantity| Some((quantity, members.get(quantity.name())?))).collect())
}

/// The numbers of JSON that has a shape, whose reals have these paths.
fn numbers(name: &str, json: &Value, shape: &Datum, paths: &[String]) -> Result<Vec<f64>, NoAnswer> {
    let mut found = Vec::new();
    leaves(json, "", &mut found);
    let mut numbers = Vec::new();
    let mut wanted = paths.iter();
    for (path, leaf) in found {
        // Booleans are the same in all shapes that conform.
        if matches!(leaf, Value::Bool(_)) {
            continue;
        }
        let Some(number) = real(leaf) else { return misfit(&format!("{name}{path} is no number, but {leaf}")) };
        match wanted.next() {
            Some(own) if *own == path => numbers.push(number),
            Some(own) => {
                return misfit(&format!(
                    "{name}{own} is expected, found {name}{path}; the shape is that of {}",
                    shape.text(Form::Json)
                ));
            }
            None => {
                return misfit(&format!("{name}{path} is too much; the shape is that of {}", shape.text(Form::Json)));
            }
        }
    }
    match wanted.next() {
        Some(own) => misfit(&format!("{name}{own} is missing; the shape is that of {}", shape.text(Form::Json))),
        None => Ok(numbers),
    }
}

/// Collects the parts of JSON that are no arrays, with their paths. The recursion is as deep as the JSON, which its reader
/// limits.
fn leaves<'json>(json: &'json Value, path: &str, found: &mut Vec<(String, &'json Value)>) {
    match json {
        Value::Array(parts) => {
            parts.iter().enumerate().for_each(|(index, part)| leaves(part, &inside(path, index), found));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
            found.push((path.to_owned(), json));
        }
    }
}

impl Subject<'_> {
    /// The entries of the value itself, which is compared with the value on reals of 96 digits.
    fn value_entries(&self, point: &Datum, value: &Datum, claimed: &[f64]) -> Result<Vec<Entry>, NoAnswer> {
        let inputs = point.coordinates();
        let along = self.differences_along(0..1, inputs, None)?;
        let Some(slope) = along.slopes.first() else { return other("there is no real in the point") };
        let references = slope.value.reals();
        let floor = floor(references.iter().map(|real| to_double(real)));
        let unknown = slope.rough_inside.map(reason);
        let mut entries = Vec::new();
        for ((output, own), claimed) in value.reals().into_iter().enumerate().zip(claimed) {
            let reference = references.get(output).map(|real| (real, to_double(real)));
            let difference = match (reference.filter(|(_, rounded)| rounded.is_finite()), unknown) {
                (_, Some(reason)) => Difference::Missing(reason),
                (None, None) => Difference::Missing(Reason::NotFinite),
                (Some((exact, rounded)), None) => {
                    let size = rounded.abs().max(floor).max(least_size(slope, rounded));
                    let distance = match claimed.is_finite() {
                        true => to_double(&subtract(&Reference::number(*claimed), exact).abs()),
                        false => f64::INFINITY,
                    };
                    let (derivative, range) = (rounded, along.range);
                    Difference::Derivative(Derivative { derivative, distance, size, rounding: 0.0, range })
                }
            };
            let claimed = Some(*claimed);
            let is_of_a_number = !own.is_nan();
            entries.push(Entry {
                input: 0,
                output,
                forward: own,
                reverse: own,
                checkpointed: own,
                claimed,
                difference,
                is_of_a_number,
            });
        }
        if entries.iter().any(|entry| entry.error().is_some_and(|error| error > DOUBTFUL)) {
            for seed in 0..ROUNDINGS {
                let moved = match self.differences_along(0..1, inputs, Some(RoundingErrors::new(seed))) {
                    Ok(rounded) => rounded.slopes.first().map(|slope| slope.value.reals()),
                    Err(NoAnswer::Refused(Refusal::Fault(_))) => None,
                    Err(trouble) => return Err(trouble),
                };
                for entry in &mut entries {
                    let moved = moved.as_ref().and_then(|reals| reals.get(entry.output)).map(|real| to_double(real));
                    entry.explain(moved);
                }
            }
        }
        Ok(entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::appended::point::Point;
    use std::time::Duration;
    use vlad_shared::frontend::load::{Input, Options};

    fn judged(text: &str, at: &str, claims: &str) -> Result<Judgement, String> {
        let question = Question {
            program: Input::Text { name: "program".to_owned(), bytes: text.as_bytes().to_vec(), folder: None },
            options: Options::default(),
            function: "f".to_owned(),
            point: Point::Expression(at.to_owned()),
            typed: None,
            time: Duration::from_secs(60),
            memory: None,
        };
        let claims = serde_json::from_str(claims).unwrap();
        judge(Engine::Hybrid, &Settings::default(), &question, &claims).map_err(|reason| match reason {
            NoAnswer::Claims(message) => message,
            other => format!("{other:?}"),
        })
    }

    fn verdicts(text: &str, at: &str, claims: &str, tolerance: Tolerance) -> Vec<(String, &'static str)> {
        let judgement = judged(text, at, claims).unwrap();
        let shown =
            |claim: &Claim| (format!("{}{}", claim.quantity.name(), claim.path), claim.verdict(tolerance).text());
        judgement.claims.iter().map(shown).collect()
    }

    const STRICT: Tolerance = Tolerance { relative: 1e-9, absolute: 0.0 };

    #[test]
    fn each_number_has_a_verdict() {
        // f = x^2 y at (3, 4): value 36, gradient (24, 9), Hessian ((8, 6), (6, 0)).
        let f = "(define (f (list x y)) (* x x y))";
        let claims = r#"{"value": 36, "gradient": [24, 9.1], "hessian": [[8, 6], [6.5, 0]]}"#;
        let expected = [
            ("value", "right"),
            ("gradient[0]", "right"),
            ("gradient[1]", "wrong"),
            ("hessian[0][0]", "right"),
            ("hessian[0][1]", "right"),
            ("hessian[1][0]", "wrong"),
            ("hessian[1][1]", "right"),
        ];
        let expected = expected.map(|(path, verdict)| (path.to_owned(), verdict));
        assert_eq!(verdicts(f, "(list 3 4)", claims, STRICT), expected);
        let loose = Tolerance { relative: 1e-9, absolute: 0.2 };
        let claims = r#"[24.1, 9.1]"#;
        assert!(verdicts(f, "(list 3 4)", claims, loose).iter().all(|(_, verdict)| *verdict == "right"));
    }

    #[test]
    fn kinks_are_not_compared_and_rounding_is_explained() {
        let kink = verdicts("(define (f x) (abs x))", "0", "1", STRICT);
        assert_eq!(kink, [("gradient".to_owned(), "not compared")]);
        // The derivative at x is 1/2 + x/3 + x^2/8 + ...; perturbing e^x by 2^-45 moves it by 2^-45 / x^2.
        let cancelling = "(define (f x) (/ (- (exp x) 1) x))";
        let verdict = |claim: &str| verdicts(cancelling, "1e-4", claim, STRICT).remove(0).1;
        assert_eq!([verdict("0.4999"), verdict("\"NaN\"")], ["wrong", "wrong"]);
        assert_eq!([verdict("0.50003333458"), verdict("0.50003334")], ["right", "ill-conditioned"]);
        // The derivative of a value near 1 is not lost in the rounding of the value.
        for (function, at, right) in [
            // 2/sqrt(pi) e^-36 and e^-81, 4 / (e^19 + e^-19)^2, e^-40 / (1 + e^-40)^2, -2/sqrt(pi) e^-100.
            ("erf", "6", "2.617301239249265e-16"),
            ("erf", "9", "7.492073428245975e-36"),
            ("tanh", "19", "1.2556531168192118e-16"),
            ("(lambda (x) (/ 1 (+ 1 (exp (- x)))))", "40", "4.248354255291589e-18"),
            ("erfc", "10", "-4.197656231354417e-44"),
        ] {
            let verdict = |claim: &str| verdicts(&format!("(define f {function})"), at, claim, STRICT).remove(0).1;
            assert_eq!([verdict("0"), verdict("1e-12"), verdict(right)], ["wrong", "wrong", "right"], "{function}");
        }
        let message = judged(cancelling, "1e-4", "[0.5]").unwrap_err();
        assert!(message.contains("gradient is expected, found gradient[0]"), "{message}");
    }

    #[test]
    fn other_shapes_are_refused() {
        let f = "(define (f (list x y)) (list (* x y) x))";
        let refused = |claims: &str| judged(f, "(list 3 4)", claims).unwrap_err();
        assert!(refused("[[4, 3], [1]]").contains("jacobian[1][1] is missing"));
        assert!(refused("[[4, 3], [1, 0, 0]]").contains("jacobian[1][2] is too much"));
        assert!(refused("[[4, 3], [1, null]]").contains("jacobian[1][1] is no number, but null"));
        assert!(refused("{\"gradient\": [4, 3]}").contains("the value is no real"));
        assert!(refused("{\"taylor\": [4, 3]}").contains("\"taylor\""));
        assert!(refused("{\"point\": [3, 5], \"jacobian\": [[4, 3], [1, 0]]}").contains("another point"));
        assert!(refused("{\"mode\": \"forward\"}").contains("nothing is claimed"));
    }
}
