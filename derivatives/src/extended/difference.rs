//! Derivatives as difference quotients, and calls of transformed procedures by them.
//!
//! The derivative of f at x along x' is (f(x + h x') - f(x - h x')) / 2h where f is smooth, with a step h of 2^-66; one more run, at
//! x + 64 h x', shows whether f is smooth. Where it is not, runs with steps of up to 2^18 h on both sides show whether there is a
//! derivative ([`super::limits`]).
//!
//! The steps of a quotient inside of another are smaller by 2^28. So they do not reach from a displaced point back to the point
//! itself, where the procedure may have a kink. The innermost of three quotients has the first step again, since 320 bits do not
//! suffice for a smaller one.

use super::arithmetic::{PRECISION, Reference, add, divide, multiply, power_of_two, subtract, to_double};
use super::limits::{Estimate, RATIO, STEPS, both_sided, mean, one_sided, smooth};
use super::machine::Machine;
use super::refusal::{MOST_DIFFERENCES, NotDifferentiable, Refusal, fault};
use super::rounding::RunPosition;
use super::value::{Compound, CompoundKind, Value};
use astro_float_num::BigFloat;
use std::rc::Rc;

/// The shortest steps of nested quotients along their directions, the outermost first, as powers of two.
const SHORTEST: [i32; MOST_DIFFERENCES] = [-66, -94, -66];

/// A bound on the relative rounding error of values with 96 digits, as a power of two: some bits above the last one.
const LEFT_OUT: i32 = 16 - PRECISION as i32;

/// A value and its derivative along a direction, by difference quotients.
pub struct DirectionalDerivative {
    /// The value.
    pub value: Value,
    /// The derivative of each of its reals; a quotient where there is none.
    pub tangent: Vec<BigFloat>,
    /// The bound of the error of each derivative, or the reason why there is none.
    pub bounds: Vec<Result<BigFloat, NotDifferentiable>>,
    /// The reason why a real inside is not known: an operation gives none, or a procedure that is differentiated inside has no
    /// derivative at its point.
    pub rough_inside: Option<NotDifferentiable>,
    /// True if there are quotients inside. The bounds do not cover their truncation errors.
    pub has_inside: bool,
    /// True if a whole number that a real was rounded to differs between the runs of the quotient, here or in one
    /// inside: the steps are then too long to separate the point from the jump.
    pub has_jumped: bool,
}

impl DirectionalDerivative {
    /// The reason why the derivative of a real of the value is not known; none if it is.
    pub fn roughness(&self, at: usize) -> Option<NotDifferentiable> {
        let here = match self.bounds.get(at) {
            Some(Ok(_)) => None,
            Some(Err(reason)) => Some(*reason),
            None => Some(NotDifferentiable::NotFinite),
        };
        self.rough_inside.max(here)
    }

    /// Returns true if the error of the derivative may be this distance.
    pub fn may_be_off(&self, at: usize, distance: &BigFloat) -> bool {
        matches!(self.bounds.get(at), Some(Ok(bound)) if bound >= distance)
    }
}

/// A value that moves along a direction with as many reals as it has. It stays if the direction has none.
struct Line<'run> {
    value: &'run Value,
    direction: &'run [BigFloat],
}

impl Line<'_> {
    /// The value after a displacement.
    fn after(&self, displacement: &BigFloat) -> Value {
        if displacement.is_zero() {
            return self.value.clone();
        }
        let reals = self.value.reals();
        let moved = reals.iter().zip(self.direction).map(|(real, along)| add(real, &multiply(displacement, along)));
        self.value.with_reals(moved)
    }
}

/// The runs of a quotient.
struct Runs<'run> {
    procedure: Line<'run>,
    point: Line<'run>,
    /// The place of simulated rounding errors before each run, and the displacement there for one of the point by 1.
    begin: Option<(RunPosition, BigFloat)>,
    /// The place after the first run, which is that after the quotient.
    end: Option<RunPosition>,
    /// The trails of the runs so far.
    trails: Vec<u64>,
}

/// A quotient of the shortest step, and the derivative.
type Judged = (BigFloat, Result<Estimate, NotDifferentiable>);

impl Machine<'_> {
    /// The derivative of a procedure at a point along a direction, which has as many reals as the point.
    ///
    /// # Errors
    /// Returns the refusal if the procedure cannot be followed or its value has another shape nearby.
    pub fn slope(
        &mut self,
        procedure: &Value,
        point: &Value,
        direction: &[BigFloat],
    ) -> Result<DirectionalDerivative, Refusal> {
        self.slope_along(Line { value: procedure, direction: &[] }, Line { value: point, direction })
    }

    /// Does the same as [`Machine::slope`] for a procedure that may move itself.
    fn slope_along(&mut self, procedure: Line, point: Line) -> Result<DirectionalDerivative, Refusal> {
        let Some(shortest) = SHORTEST.get(self.depth).copied() else { return Err(Refusal::TooDeep) };
        let reals = point.value.reals();
        if reals.len() != point.direction.len() {
            return fault("a tangent has another shape than its primal");
        }
        self.look_at_clock()?;
        let is_stuck = is_stuck(&point, shortest);
        let begin = self.roundings.as_ref().map(|errors| (errors.place(), relative_length(point.direction, &reals)));
        let mut runs = Runs { procedure, point, begin, end: None, trails: Vec::new() };
        let jumps_before = self.jumps.begin();
        let rough_before = self.rough.take();
        self.has_inside = false;
        self.depth += 1;
        let judged = self.judged(&mut runs, shortest);
        self.depth -= 1;
        let has_jumped = self.jumps.end(jumps_before, &runs.trails);
        if let (Some(roundings), Some(end)) = (&mut self.roundings, runs.end) {
            roundings.go_back(end);
        }
        let (value, judged) = judged?;
        let (mut tangent, mut bounds) = (Vec::new(), Vec::new());
        for (quotient, estimate) in judged {
            let (derivative, bound) = match estimate {
                Ok(_) | Err(NotDifferentiable::Kink) if is_stuck => (quotient, Err(NotDifferentiable::Imprecise)),
                Ok(Estimate { derivative, bound }) => (derivative, Ok(bound)),
                // Steps that lead over jumps tell nothing else.
                Err(NotDifferentiable::Imprecise) if has_jumped && !is_stuck => {
                    (quotient, Err(NotDifferentiable::Kink))
                }
                Err(reason) => (quotient, Err(reason)),
            };
            tangent.push(derivative);
            bounds.push(bound);
        }
        let (rough_inside, has_inside) = (self.rough, self.has_inside);
        let rough_here = bounds.iter().filter_map(|bound| bound.as_ref().err().copied()).max();
        self.rough = rough_before.max(rough_inside).max(rough_here);
        self.has_inside = true;
        Ok(DirectionalDerivative { value, tangent, bounds, rough_inside, has_inside, has_jumped })
    }

    /// The value at the point, and the derivatives of its reals.
    fn judged(&mut self, runs: &mut Runs, shortest: i32) -> Result<(Value, Vec<Judged>), Refusal> {
        let value = self.run_after(runs, &Reference::number(0.0))?;
        let middle = value.reals();
        let mut quotients = |displacement: &BigFloat| {
            let moved = self.run_after(runs, displacement)?.reals();
            if moved.len() != middle.len() {
                return fault("the value has another shape nearby");
            }
            let quotient = |(moved, here): (&Rc<BigFloat>, &Rc<BigFloat>)| divide(&subtract(moved, here), displacement);
            Ok(moved.iter().zip(&middle).map(quotient).collect::<Vec<BigFloat>>())
        };
        let steps = std::array::from_fn(|shorter| power_of_two(shortest + RATIO * (STEPS - 1 - shorter) as i32));
        let [longest, longer, long, step]: [BigFloat; STEPS] = steps;
        let (ahead, behind, farther) = (quotients(&step)?, quotients(&step.neg())?, quotients(&long)?);
        let noises: Vec<BigFloat> =
            middle.iter().map(|here| multiply(&here.abs(), &power_of_two(LEFT_OUT - shortest))).collect();
        let pairs = || ahead.iter().zip(&behind);
        let smooth: Vec<Option<Estimate>> =
            pairs().zip(&farther).zip(&noises).map(|(((a, b), c), noise)| smooth([a, b, c], noise)).collect();
        let means = pairs().map(|(a, b)| mean(a, b));
        if smooth.iter().all(Option::is_some) {
            return Ok((value, means.zip(smooth.into_iter().flatten().map(Ok)).collect()));
        }
        let sides = [
            [quotients(&longest)?, quotients(&longer)?, farther, ahead.clone()],
            [quotients(&longest.neg())?, quotients(&longer.neg())?, quotients(&long.neg())?, behind.clone()],
        ];
        let at = |quotients: &Vec<BigFloat>, at: usize| quotients.get(at).cloned().unwrap_or_default();
        let judged = smooth.into_iter().zip(&noises).enumerate().map(|(real, (smooth, noise))| match smooth {
            Some(estimate) => Ok(estimate),
            None => {
                both_sided(sides.each_ref().map(|side| one_sided(&side.each_ref().map(|step| at(step, real)), noise)))
            }
        });
        Ok((value, means.zip(judged).collect()))
    }

    /// Runs the procedure at the point, both displaced, with the same rounding errors in all runs.
    fn run_after(&mut self, runs: &mut Runs, displacement: &BigFloat) -> Result<Value, Refusal> {
        if let (Some(roundings), Some((begin, length))) = (&mut self.roundings, &runs.begin) {
            roundings.go_aside(begin, multiply(displacement, length));
        }
        let value = self.apply(&runs.procedure.after(displacement), runs.point.after(displacement))?;
        runs.trails.push(self.jumps.trail());
        if let (Some(roundings), None) = (&self.roundings, &runs.end) {
            runs.end = Some(roundings.place_outside());
        }
        Ok(value)
    }

    /// The value of a procedure at a point, and its gradient there for a cotangent of the value.
    ///
    /// # Errors
    /// See [`Machine::slope`].
    pub fn gradient(
        &mut self,
        procedure: &Value,
        point: &Value,
        cotangent: &[BigFloat],
    ) -> Result<(Value, Vec<BigFloat>), Refusal> {
        let count = point.reals().len();
        let mut value = None;
        let mut gradient = Vec::new();
        for coordinate in 0..count {
            let slope = self.slope(procedure, point, &unit_vector(count, coordinate))?;
            if slope.tangent.len() != cotangent.len() {
                return fault("a cotangent has another shape than the value");
            }
            gradient.push(inner_product(&slope.tangent, cotangent));
            value = Some(slope.value);
        }
        match value {
            Some(value) => Ok((value, gradient)),
            None => Ok((self.apply(procedure, point.clone())?, gradient)),
        }
    }

    /// Calls a procedure that an operator of the reflective basis has tagged.
    ///
    /// # Errors
    /// See [`Machine::slope`].
    pub fn transformed(&mut self, procedure: &Compound, operand: &Value) -> Result<Value, Refusal> {
        let parts = procedure.parts.as_slice();
        match (procedure.sort, parts) {
            (CompoundKind::Bundle, [primal, tangent]) => {
                let Some([point, direction]) = operand.parts(CompoundKind::Bundle) else {
                    return fault("a bundled procedure expects a bundle");
                };
                self.bundled(primal, tangent, point, direction)
            }
            (sort @ (CompoundKind::Perturbation | CompoundKind::Sensitivity), [inside]) => match operand.marked(sort) {
                Some(operand) => Ok(Value::compound(sort, [self.apply(inside, operand.clone())?])),
                None => fault("a marked procedure expects an operand with its mark"),
            },
            (CompoundKind::Reverse, [inside]) => match operand.marked(CompoundKind::Reverse) {
                Some(operand) => {
                    let value = self.apply(inside, operand.clone())?;
                    let back = Value::compound(CompoundKind::Backpropagator, [inside.clone(), operand.clone()]);
                    Ok(Value::pair(Value::compound(CompoundKind::Reverse, [value]), back))
                }
                None => fault("a reversed procedure expects a reversed value"),
            },
            (CompoundKind::Backpropagator, [inside, point]) => self.pulled(inside, point, operand),
            (
                CompoundKind::Pair
                | CompoundKind::Vector
                | CompoundKind::Procedure(_)
                | CompoundKind::Bundle
                | CompoundKind::Perturbation
                | CompoundKind::Sensitivity
                | CompoundKind::Reverse
                | CompoundKind::Backpropagator,
                _,
            ) => fault("what is applied is no procedure"),
        }
    }

    /// Evaluates `((bundle f f') (bundle x x'))`: f moves along f' while x moves along x'.
    fn bundled(&mut self, f: &Value, along: &Value, x: &Value, direction: &Value) -> Result<Value, Refusal> {
        let is_marked = along.marked(CompoundKind::Perturbation).is_some()
            || direction.marked(CompoundKind::Perturbation).is_some();
        let plain = |tangent: &Value| tangent.marked(CompoundKind::Perturbation).unwrap_or(tangent).reals();
        let (slots, along) = (f.reals(), plain(along));
        if slots.len() != along.len() {
            return fault("the tangent of a procedure has other slots");
        }
        let along: Vec<BigFloat> = along.iter().map(|real| BigFloat::clone(real)).collect();
        let direction: Vec<BigFloat> = plain(direction).iter().map(|real| BigFloat::clone(real)).collect();
        let (procedure, point) = (Line { value: f, direction: &along }, Line { value: x, direction: &direction });
        let slope = self.slope_along(procedure, point)?;
        let tangent = slope.value.with_reals(slope.tangent);
        let tangent = if is_marked { Value::compound(CompoundKind::Perturbation, [tangent]) } else { tangent };
        Ok(Value::compound(CompoundKind::Bundle, [slope.value, tangent]))
    }

    /// Calls a backpropagator: returns the cotangents of f and of x, by one gradient of the application of f to x.
    fn pulled(&mut self, f: &Value, x: &Value, cotangent: &Value) -> Result<Value, Refusal> {
        let is_marked = cotangent.marked(CompoundKind::Sensitivity).is_some();
        let cotangent = cotangent.marked(CompoundKind::Sensitivity).unwrap_or(cotangent);
        let cotangent: Vec<BigFloat> = cotangent.reals().iter().map(|real| BigFloat::clone(real)).collect();
        let (slots, point) = (f.reals().len(), x.reals().len());
        let mut cotangents = Vec::new();
        for coordinate in 0..slots + point {
            let along = unit_vector(slots + point, coordinate);
            let (of_slots, of_point) = along.split_at(slots);
            let both =
                self.bundled(f, &f.with_reals(of_slots.iter().cloned()), x, &x.with_reals(of_point.iter().cloned()))?;
            let tangent = match both.parts(CompoundKind::Bundle) {
                Some([_, tangent]) => tangent.reals(),
                _ => return fault("a bundle has two parts"),
            };
            if tangent.len() != cotangent.len() {
                return fault("a cotangent has another shape than the value");
            }
            let tangent: Vec<BigFloat> = tangent.iter().map(|real| BigFloat::clone(real)).collect();
            cotangents.push(inner_product(&tangent, &cotangent));
        }
        let of_point = cotangents.split_off(slots);
        let pair = Value::pair(f.with_reals(cotangents), x.with_reals(of_point));
        Ok(if is_marked { Value::compound(CompoundKind::Sensitivity, [pair]) } else { pair })
    }
}

/// Returns true if a displacement of two of the shortest steps is lost in rounding, to a few digits.
fn is_stuck(point: &Line, shortest: i32) -> bool {
    let step = power_of_two(shortest);
    let (forth, back) = (point.after(&step).reals(), point.after(&step.neg()).reals());
    let two_steps = power_of_two(shortest + 1);
    forth.iter().zip(&back).zip(point.direction).any(|((forth, back), along)| {
        let meant = multiply(&two_steps, along);
        let off = subtract(&subtract(forth, back), &meant).abs();
        off > multiply(&meant.abs(), &power_of_two(-40))
    })
}

/// The length of a direction relative to its point.
fn relative_length(direction: &[BigFloat], point: &[Rc<BigFloat>]) -> BigFloat {
    let lengths = direction.iter().zip(point).map(|(along, real)| (to_double(along) / to_double(real)).abs());
    let longest = lengths.filter(|length| length.is_finite()).fold(0.0, f64::max);
    Reference::number(if longest > 0.0 { longest } else { 1.0 })
}

/// The sum of products; a zero is returned as +0, as by the operators.
fn inner_product(tangent: &[BigFloat], cotangent: &[BigFloat]) -> BigFloat {
    let terms = tangent.iter().zip(cotangent).map(|(a, b)| multiply(a, b));
    let sum = terms.fold(Reference::number(0.0), |sum, term| add(&sum, &term));
    if sum.is_zero() { Reference::number(0.0) } else { sum }
}

/// The unit vector along one of `count` coordinates.
pub fn unit_vector(count: usize, coordinate: usize) -> Vec<BigFloat> {
    (0..count).map(|other| Reference::number(if other == coordinate { 1.0 } else { 0.0 })).collect()
}
