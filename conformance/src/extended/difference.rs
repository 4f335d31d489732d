//! Derivatives as difference quotients, and calls of transformed procedures by them.
//!
//! The derivative of f at x along x' is (f(x + h x') - f(x - h x')) / 2h, with h = 2^-66. The one-sided quotients,
//! which use f(x) as well, show kinks.

use super::arithmetic::{PRECISION, Reference, add, divide, is_finite, multiply, power_of_two, subtract, to_double};
use super::machine::Machine;
use super::refusal::{MOST_DIFFERENCES, NotDifferentiable, Refusal, fault};
use super::rounding::{RoundingErrors, RunPosition};
use super::value::{Compound, CompoundKind, Value};
use astro_float_num::BigFloat;
use std::rc::Rc;

/// The step along a direction, as a power of two.
const STEP: i32 = -66;

/// A bound on the relative rounding error of values with 96 digits, as a power of two: some bits above the last one.
const LEFT_OUT: i32 = 16 - PRECISION as i32;

/// A value and its derivative along a direction, by central differences.
pub struct DirectionalDerivative {
    /// The value.
    pub value: Value,
    /// The derivative of each of its reals.
    pub tangent: Vec<BigFloat>,
    /// The same by the forward and by the backward difference; the two differ if there is no derivative.
    pub sides: [Vec<BigFloat>; 2],
    /// The reason why a quotient inside is no derivative: its procedure has none at its point.
    pub rough_inside: Option<NotDifferentiable>,
    /// True if the point cannot be displaced by the step: 96 digits are too few.
    is_stuck: bool,
    /// True if a whole number that a real was rounded to differs between the two sides of the point, here or in a
    /// quotient inside: the step is then too long to separate the point from the jump.
    pub has_jumped: bool,
}

impl DirectionalDerivative {
    /// Returns true if rounding to 96 digits of the values that it compares can move a quotient by this distance.
    pub fn may_be_off(&self, at: usize, distance: &BigFloat) -> bool {
        let noise = |real: &Rc<BigFloat>| multiply(&real.abs(), &power_of_two(LEFT_OUT - STEP));
        self.value.reals().get(at).is_some_and(|real| noise(real) >= *distance)
    }
}

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
        let procedures = [procedure.clone(), procedure.clone(), procedure.clone()];
        self.slope_of(procedures, point, direction)
    }

    /// Does the same as [`Machine::slope`] for a procedure that itself moves: at the point, ahead and behind.
    fn slope_of(
        &mut self,
        [here, ahead, behind]: [Value; 3],
        point: &Value,
        direction: &[BigFloat],
    ) -> Result<DirectionalDerivative, Refusal> {
        if self.depth == MOST_DIFFERENCES {
            return Err(Refusal::TooDeep);
        }
        let reals = point.reals();
        if reals.len() != direction.len() {
            return fault("a tangent has another shape than its primal");
        }
        let step = power_of_two(STEP);
        let moved = |sign: f64| {
            let step = multiply(&step, &Reference::number(sign));
            point.with_reals(reals.iter().zip(direction).map(|(real, along)| add(real, &multiply(&step, along))))
        };
        let (forth, back) = (moved(1.0), moved(-1.0));
        let is_stuck = is_stuck(&forth.reals(), &back.reals(), direction);
        let jumps_before = self.jumps.begin();
        let rough_before = std::mem::take(&mut self.rough);
        let begin = self.roundings.as_ref().map(RoundingErrors::place);
        let value = self.apply(&here, point.clone())?;
        let mut trails = vec![self.jumps.trail()];
        let end = self.roundings.as_ref().map(RoundingErrors::place);
        let aside = multiply(&step, &relative_length(direction, &reals));
        self.depth += 1;
        self.go_aside(begin.as_ref(), &aside);
        let outer = self.apply(&ahead, forth).and_then(|forth| {
            trails.push(self.jumps.trail());
            self.go_aside(begin.as_ref(), &aside.neg());
            Ok((forth, self.apply(&behind, back)?))
        });
        trails.push(self.jumps.trail());
        let has_jumped = self.jumps.end(jumps_before, &trails);
        self.depth -= 1;
        let (forth, back) = outer?;
        if let (Some(roundings), Some(end)) = (&mut self.roundings, end) {
            roundings.go_back(end);
        }
        let (middle, forth, back) = (value.reals(), forth.reals(), back.reals());
        if middle.len() != forth.len() || middle.len() != back.len() {
            return fault("the value has another shape nearby");
        }
        let quotients = |a: &[Rc<BigFloat>], b: &[Rc<BigFloat>], steps: f64| {
            let length = multiply(&step, &Reference::number(steps));
            a.iter().zip(b).map(|(a, b)| divide(&subtract(a, b), &length)).collect::<Vec<BigFloat>>()
        };
        let tangent = quotients(&forth, &back, 2.0);
        let sides = [quotients(&forth, &middle, 1.0), quotients(&middle, &back, 1.0)];
        let slope = DirectionalDerivative { value, tangent, sides, rough_inside: self.rough, is_stuck, has_jumped };
        let rough_here = (0..slope.tangent.len()).filter_map(|at| roughness(&slope, at)).max();
        self.rough = rough_before.max(slope.rough_inside).max(rough_here);
        Ok(slope)
    }

    /// Starts a run at a displaced point with the operations that begin the run before it.
    fn go_aside(&mut self, begin: Option<&RunPosition>, displacement: &BigFloat) {
        if let (Some(roundings), Some(begin)) = (&mut self.roundings, begin) {
            roundings.go_aside(begin, displacement);
        }
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
        let moved = |sign: f64| {
            let step = multiply(&power_of_two(STEP), &Reference::number(sign));
            f.with_reals(slots.iter().zip(&along).map(|(slot, along)| add(slot, &multiply(&step, along))))
        };
        let direction: Vec<BigFloat> = plain(direction).iter().map(|real| BigFloat::clone(real)).collect();
        let slope = self.slope_of([f.clone(), moved(1.0), moved(-1.0)], x, &direction)?;
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

/// Returns true if a displacement of two steps along a direction is lost in rounding, to a few digits.
fn is_stuck(forth: &[Rc<BigFloat>], back: &[Rc<BigFloat>], direction: &[BigFloat]) -> bool {
    let two_steps = power_of_two(STEP + 1);
    forth.iter().zip(back).zip(direction).any(|((forth, back), along)| {
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

/// The reason why the differences on the two sides of a point are not one derivative; none if they are.
pub fn roughness(slope: &DirectionalDerivative, at: usize) -> Option<NotDifferentiable> {
    let side = |side: &Vec<BigFloat>| side.get(at).cloned().filter(is_finite);
    let [ahead, behind] = slope.sides.each_ref().map(side);
    let (Some(ahead), Some(behind)) = (ahead, behind) else { return Some(NotDifferentiable::NotFinite) };
    if slope.is_stuck {
        return Some(NotDifferentiable::Imprecise);
    }
    let (size, gap) = (ahead.abs(), subtract(&ahead, &behind).abs());
    let other = behind.abs();
    let larger = if size < other { other } else { size };
    // Truncation errors of one-sided differences are of the order of the step; 2^-20 is far from that and from a kink.
    let is_smooth = gap <= add(&multiply(&larger, &power_of_two(-20)), &power_of_two(-50));
    (!is_smooth).then_some(NotDifferentiable::Kink)
}
