//! Numbers that carry tangents: nested dual numbers, with a vector of tangents at each level.
//!
//! A level is a block of differentiation that is being executed; the newest level is the outermost structure of a number,
//! and its primal and tangents are numbers of older levels. So recursion is bounded by the levels. The derivatives are a table
//! of its own, apart from that of the engines. A tangent that is a plain zero stays one, whatever it is multiplied with.

use std::rc::Rc;
use vlad_table::math;

/// A real that is being differentiated, or a plain one.
#[derive(Clone, Debug)]
pub enum Number {
    /// A constant for all levels.
    Plain(f64),
    /// A number of a level.
    Dual(Rc<Dual>),
}

/// The parts of a number of a level.
#[derive(Debug)]
pub struct Dual {
    level: u32,
    primal: Number,
    tangents: Vec<Number>,
}

/// An operation on one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // they are the usual functions
pub enum Unary {
    Negate,
    Abs,
    Sqrt,
    Exp,
    Log,
    Log10,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Erf,
    Erfc,
    Truncate,
    Nearest,
}

/// An operation on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // they are the usual functions
pub enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Atan2,
}

impl Number {
    /// A number of a level.
    pub fn dual(level: u32, primal: Number, tangents: Vec<Number>) -> Number {
        Number::Dual(Rc::new(Dual { level, primal, tangents }))
    }

    /// The number with another plain one in the place of its own. The recursion is as deep as there are levels.
    #[must_use]
    pub fn with_base(&self, base: f64) -> Number {
        match self {
            Number::Plain(_) => Number::Plain(base),
            Number::Dual(dual) => Number::dual(dual.level, dual.primal.with_base(base), dual.tangents.clone()),
        }
    }

    /// The plain number without all tangents.
    pub fn base(&self) -> f64 {
        let mut number = self;
        loop {
            match number {
                Number::Plain(real) => return *real,
                Number::Dual(dual) => number = &dual.primal,
            }
        }
    }

    /// The primal at a level, the newest one.
    #[must_use]
    pub fn primal_at(&self, level: u32) -> Number {
        match self {
            Number::Dual(dual) if dual.level == level => dual.primal.clone(),
            Number::Dual(_) | Number::Plain(_) => self.clone(),
        }
    }

    /// One of the tangents at a level, the newest one.
    #[must_use]
    pub fn tangent_at(&self, level: u32, place: usize) -> Number {
        match self {
            Number::Dual(dual) if dual.level == level => dual.tangents.get(place).cloned().unwrap_or(ZERO),
            Number::Dual(_) | Number::Plain(_) => ZERO,
        }
    }

    fn level(&self) -> u32 {
        match self {
            Number::Plain(_) => 0,
            Number::Dual(dual) => dual.level,
        }
    }

    fn is_plain_zero(&self) -> bool {
        matches!(self, Number::Plain(real) if *real == 0.0)
    }
}

const ZERO: Number = Number::Plain(0.0);

/// Applies an operation to a number.
#[must_use]
pub fn unary(operation: Unary, x: &Number) -> Number {
    let dual = match x {
        Number::Plain(real) => return Number::Plain(plain_unary(operation, *real)),
        Number::Dual(dual) => dual,
    };
    let result = unary(operation, &dual.primal);
    let Some(slope) = slope(operation, &dual.primal, &result) else { return result };
    let tangents = dual.tangents.iter().map(|tangent| scaled(&slope, tangent)).collect();
    Number::dual(dual.level, result, tangents)
}

fn plain_unary(operation: Unary, x: f64) -> f64 {
    match operation {
        Unary::Negate => -x,
        Unary::Abs => x.abs(),
        Unary::Sqrt => x.sqrt(),
        Unary::Exp => math::exp(x),
        Unary::Log => math::log(x),
        Unary::Log10 => math::log10(x),
        Unary::Sin => math::sin(x),
        Unary::Cos => math::cos(x),
        Unary::Tan => math::tan(x),
        Unary::Asin => math::asin(x),
        Unary::Acos => math::acos(x),
        Unary::Atan => math::atan(x),
        Unary::Sinh => math::sinh(x),
        Unary::Cosh => math::cosh(x),
        Unary::Tanh => math::tanh(x),
        Unary::Erf => math::erf(x),
        Unary::Erfc => math::erfc(x),
        Unary::Truncate => x.trunc(),
        Unary::Nearest => x.round(),
    }
}

/// The derivative of an operation at x, with its result; none if the result is locally constant.
fn slope(operation: Unary, x: &Number, result: &Number) -> Option<Number> {
    let one = || Number::Plain(1.0);
    let square = |x: &Number| binary(Binary::Multiply, x, x);
    let slope = match operation {
        Unary::Negate => Number::Plain(-1.0),
        Unary::Abs => Number::Plain(match x.base() {
            base if base < 0.0 => -1.0,
            base if base > 0.0 => 1.0,
            _ => 0.0,
        }),
        Unary::Sqrt => binary(Binary::Divide, &Number::Plain(0.5), result),
        Unary::Exp => result.clone(),
        Unary::Log => binary(Binary::Divide, &one(), x),
        Unary::Log10 => binary(Binary::Divide, &Number::Plain(std::f64::consts::LOG10_E), x),
        Unary::Sin => unary(Unary::Cos, x),
        Unary::Cos => unary(Unary::Negate, &unary(Unary::Sin, x)),
        Unary::Tan => binary(Binary::Add, &one(), &square(result)),
        Unary::Asin | Unary::Acos => {
            let root = unary(Unary::Sqrt, &binary(Binary::Subtract, &one(), &square(x)));
            let sign = if operation == Unary::Asin { 1.0 } else { -1.0 };
            binary(Binary::Divide, &Number::Plain(sign), &root)
        }
        Unary::Atan => binary(Binary::Divide, &one(), &binary(Binary::Add, &one(), &square(x))),
        Unary::Sinh => unary(Unary::Cosh, x),
        Unary::Cosh => unary(Unary::Sinh, x),
        Unary::Tanh => binary(Binary::Subtract, &one(), &square(result)),
        Unary::Erf | Unary::Erfc => {
            let sign = if operation == Unary::Erf { 1.0 } else { -1.0 };
            let factor = Number::Plain(sign * std::f64::consts::FRAC_2_SQRT_PI);
            binary(Binary::Multiply, &factor, &unary(Unary::Exp, &unary(Unary::Negate, &square(x))))
        }
        Unary::Truncate | Unary::Nearest => return None,
    };
    Some(slope)
}

/// Applies an operation to two numbers.
#[must_use]
pub fn binary(operation: Binary, x: &Number, y: &Number) -> Number {
    let level = x.level().max(y.level());
    if let (Number::Plain(x), Number::Plain(y)) = (x, y) {
        return Number::Plain(plain_binary(operation, *x, *y));
    }
    let (x_primal, y_primal) = (x.primal_at(level), y.primal_at(level));
    let result = binary(operation, &x_primal, &y_primal);
    let x_slope = (x.level() == level).then(|| slope_in_first(operation, &x_primal, &y_primal));
    let y_slope = (y.level() == level).then(|| slope_in_second(operation, &x_primal, &y_primal, &result));
    let count = |number: &Number| match number {
        Number::Dual(dual) if dual.level == level => dual.tangents.len(),
        Number::Dual(_) | Number::Plain(_) => 0,
    };
    let part = |slope: &Option<Number>, number: &Number, place| {
        slope.as_ref().map_or(ZERO, |slope| scaled(slope, &number.tangent_at(level, place)))
    };
    let tangents = (0..count(x).max(count(y))).map(|place| sum(&part(&x_slope, x, place), &part(&y_slope, y, place)));
    Number::dual(level, result, tangents.collect())
}

fn plain_binary(operation: Binary, x: f64, y: f64) -> f64 {
    match operation {
        Binary::Add => x + y,
        Binary::Subtract => x - y,
        Binary::Multiply => x * y,
        Binary::Divide => x / y,
        Binary::Power => math::pow(x, y),
        Binary::Atan2 => math::atan2(x, y),
    }
}

fn slope_in_first(operation: Binary, x: &Number, y: &Number) -> Number {
    match operation {
        Binary::Add | Binary::Subtract => Number::Plain(1.0),
        Binary::Multiply => y.clone(),
        Binary::Divide => binary(Binary::Divide, &Number::Plain(1.0), y),
        Binary::Power => {
            let less = binary(Binary::Subtract, y, &Number::Plain(1.0));
            if y.base() == 0.0 && y.level() == 0 {
                return ZERO;
            }
            binary(Binary::Multiply, y, &binary(Binary::Power, x, &less))
        }
        Binary::Atan2 => binary(Binary::Divide, y, &squares(x, y)),
    }
}

fn slope_in_second(operation: Binary, x: &Number, y: &Number, result: &Number) -> Number {
    match operation {
        Binary::Add => Number::Plain(1.0),
        Binary::Subtract => Number::Plain(-1.0),
        Binary::Multiply => x.clone(),
        Binary::Divide => unary(Unary::Negate, &binary(Binary::Divide, result, y)),
        Binary::Power => binary(Binary::Multiply, result, &unary(Unary::Log, x)),
        Binary::Atan2 => unary(Unary::Negate, &binary(Binary::Divide, x, &squares(x, y))),
    }
}

fn squares(x: &Number, y: &Number) -> Number {
    sum(&binary(Binary::Multiply, x, x), &binary(Binary::Multiply, y, y))
}

/// A tangent multiplied with a slope.
#[must_use]
pub fn scaled(slope: &Number, tangent: &Number) -> Number {
    if tangent.is_plain_zero() { ZERO } else { binary(Binary::Multiply, slope, tangent) }
}

/// The sum of two tangents.
#[must_use]
pub fn sum(first: &Number, second: &Number) -> Number {
    match (first.is_plain_zero(), second.is_plain_zero()) {
        (true, _) => second.clone(),
        (_, true) => first.clone(),
        (false, false) => binary(Binary::Add, first, second),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // tests may
    use super::*;

    /// The derivative and the second derivative at a place agree with symmetric difference quotients.
    #[test]
    fn slopes_agree_with_difference_quotients() {
        let all = [
            (Unary::Negate, 0.7),
            (Unary::Abs, -0.7),
            (Unary::Sqrt, 0.7),
            (Unary::Exp, 0.7),
            (Unary::Log, 0.7),
            (Unary::Log10, 0.7),
            (Unary::Sin, 0.7),
            (Unary::Cos, 0.7),
            (Unary::Tan, 0.7),
            (Unary::Asin, 0.3),
            (Unary::Acos, 0.3),
            (Unary::Atan, 0.7),
            (Unary::Sinh, 0.7),
            (Unary::Cosh, 0.7),
            (Unary::Tanh, 0.7),
            (Unary::Erf, 0.7),
            (Unary::Erfc, 0.7),
            (Unary::Truncate, 0.7),
            (Unary::Nearest, 0.7),
        ];
        for (operation, x) in all {
            check(&|x| unary(operation, x), x, &format!("{operation:?}"));
        }
        let all = [Binary::Add, Binary::Subtract, Binary::Multiply, Binary::Divide, Binary::Power, Binary::Atan2];
        for operation in all {
            let constant = Number::Plain(1.3);
            check(&|x| binary(operation, x, &constant), 0.7, &format!("{operation:?}, first"));
            check(&|x| binary(operation, &constant, x), 0.7, &format!("{operation:?}, second"));
            check(&|x| binary(operation, x, &unary(Unary::Exp, x)), 0.7, &format!("{operation:?}, both"));
        }
    }

    fn check(f: &dyn Fn(&Number) -> Number, x: f64, name: &str) {
        let inner = Number::dual(1, Number::Plain(x), vec![Number::Plain(1.0)]);
        let both = f(&Number::dual(2, inner, vec![ZERO, Number::Plain(1.0)]));
        let (step, value) = (1e-4, |x: f64| f(&Number::Plain(x)).base());
        let first = (value(x + step) - value(x - step)) / (2.0 * step);
        let second = (value(x + step) - 2.0 * value(x) + value(x - step)) / (step * step);
        let tangent = both.tangent_at(2, 1);
        assert_eq!(both.base(), value(x), "{name}");
        assert!(both.tangent_at(2, 0).is_plain_zero() || both.tangent_at(2, 0).base() == 0.0, "{name}");
        assert!((tangent.base() - first).abs() < 1e-6, "{name}: {} for {first}", tangent.base());
        let twice = tangent.tangent_at(1, 0).base();
        assert!((twice - second).abs() < 1e-5, "{name}: {twice} for {second}");
    }
}
