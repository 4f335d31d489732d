//! Derivatives as difference quotients, and calls of transformed procedures by them.

use super::arithmetic::{PRECISION, Reference, add, divide, is_finite, multiply, power_of_two, subtract, to_double};
use super::machine::{MOST_DIFFERENCES, Machine, Refusal, fault};
use super::rounding::{Place, Roundings};
use super::value::{Compound, Sort, Value};
use astro_float_num::BigFloat;
use std::rc::Rc;

/// The step along a direction, as a power of two.
const STEP: i32 = -66;

/// The largest part of a value that its operations leave out, as a power of two: some bits more than the last.
const LEFT_OUT: i32 = 16 - PRECISION as i32;

/// A value and its derivative along a direction, by differences on both sides.
pub struct Slope {
    /// The value.
    pub value: Value,
    /// The derivative of each of its reals.
    pub tangent: Vec<BigFloat>,
    /// The same by what lies ahead alone, and by what lies behind: the two differ where there is none.
    pub sides: [Vec<BigFloat>; 2],
    /// Why there is none, where one of the quotients inside is of a procedure without a derivative there.
    pub rough_inside: Option<Rough>,
    /// True if the point cannot be displaced by the step: 96 digits are too few.
    is_stuck: bool,
    /// True if a whole number that a real was rounded to differs from one side of the point to the other, here or in a quotient
    /// inside: the step is then longer than what it should be short for.
    pub has_jumped: bool,
}

impl Slope {
    /// Tells if a quotient may be off by so much for what 96 digits leave out of the values that it compares.
    pub fn may_be_off(&self, at: usize, distance: &BigFloat) -> bool {
        let noise = |real: &Rc<BigFloat>| multiply(&real.abs(), &power_of_two(LEFT_OUT - STEP));
        self.value.reals().get(at).is_some_and(|real| noise(real) >= *distance)
    }
}

/// Why a quotient is no derivative. Of two reasons the greater one is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rough {
    /// The two sides of the point differ.
    Kink,
    /// 96 digits are too few.
    Imprecise,
    /// One side is no finite number.
    NotFinite,
}

impl Machine<'_> {
    /// The derivative of a procedure at a point along a direction, which has as many reals as the point.
    ///
    /// # Errors
    /// The procedure cannot be followed, or gives something of another shape nearby.
    pub fn slope(&mut self, procedure: &Value, point: &Value, direction: &[BigFloat]) -> Result<Slope, Refusal> {
        let procedures = [procedure.clone(), procedure.clone(), procedure.clone()];
        self.slope_of(procedures, point, direction)
    }

    /// As [`Machine::slope`], of a procedure that itself moves: here, ahead and behind.
    fn slope_of(
        &mut self,
        [here, ahead, behind]: [Value; 3],
        point: &Value,
        direction: &[BigFloat],
    ) -> Result<Slope, Refusal> {
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
        let begin = self.roundings.as_ref().map(Roundings::place);
        let value = self.apply(&here, point.clone())?;
        let mut trails = vec![self.jumps.trail()];
        let end = self.roundings.as_ref().map(Roundings::place);
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
        let slope = Slope { value, tangent, sides, rough_inside: self.rough, is_stuck, has_jumped };
        let rough_here = (0..slope.tangent.len()).filter_map(|at| roughness(&slope, at)).max();
        self.rough = rough_before.max(slope.rough_inside).max(rough_here);
        Ok(slope)
    }

    /// Begins a run of a displaced point with the operations of the run before it.
    fn go_aside(&mut self, begin: Option<&Place>, displacement: &BigFloat) {
        if let (Some(roundings), Some(begin)) = (&mut self.roundings, begin) {
            roundings.go_aside(begin, displacement);
        }
    }

    /// The gradient of a procedure at a point, with a cotangent for its value; and the value.
    ///
    /// # Errors
    /// As for [`Machine::slope`].
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

    /// Calls a procedure that the reflective basis has marked.
    ///
    /// # Errors
    /// As for [`Machine::slope`].
    pub fn transformed(&mut self, procedure: &Compound, operand: &Value) -> Result<Value, Refusal> {
        let parts = procedure.parts.as_slice();
        match (procedure.sort, parts) {
            (Sort::Bundle, [primal, tangent]) => {
                let Some([point, direction]) = operand.parts(Sort::Bundle) else {
                    return fault("a bundled procedure expects a bundle");
                };
                self.bundled(primal, tangent, point, direction)
            }
            (sort @ (Sort::Perturbation | Sort::Sensitivity), [inside]) => match operand.marked(sort) {
                Some(operand) => Ok(Value::compound(sort, [self.apply(inside, operand.clone())?])),
                None => fault("a marked procedure expects an operand with its mark"),
            },
            (Sort::Reverse, [inside]) => match operand.marked(Sort::Reverse) {
                Some(operand) => {
                    let value = self.apply(inside, operand.clone())?;
                    let back = Value::compound(Sort::Backpropagator, [inside.clone(), operand.clone()]);
                    Ok(Value::pair(Value::compound(Sort::Reverse, [value]), back))
                }
                None => fault("a reversed procedure expects a reversed value"),
            },
            (Sort::Backpropagator, [inside, point]) => self.pulled(inside, point, operand),
            (
                Sort::Pair
                | Sort::Vector
                | Sort::Procedure(_)
                | Sort::Bundle
                | Sort::Perturbation
                | Sort::Sensitivity
                | Sort::Reverse
                | Sort::Backpropagator,
                _,
            ) => fault("what is applied is no procedure"),
        }
    }

    /// `((bundle f f') (bundle x x'))`: f moves along f' while x moves along x'.
    fn bundled(&mut self, f: &Value, along: &Value, x: &Value, direction: &Value) -> Result<Value, Refusal> {
        let is_marked = along.marked(Sort::Perturbation).is_some() || direction.marked(Sort::Perturbation).is_some();
        let plain = |tangent: &Value| tangent.marked(Sort::Perturbation).unwrap_or(tangent).reals();
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
        let tangent = if is_marked { Value::compound(Sort::Perturbation, [tangent]) } else { tangent };
        Ok(Value::compound(Sort::Bundle, [slope.value, tangent]))
    }

    /// What a backpropagator gives: the cotangents of f and of x, by one gradient of applying f to x.
    fn pulled(&mut self, f: &Value, x: &Value, cotangent: &Value) -> Result<Value, Refusal> {
        let is_marked = cotangent.marked(Sort::Sensitivity).is_some();
        let cotangent = cotangent.marked(Sort::Sensitivity).unwrap_or(cotangent);
        let cotangent: Vec<BigFloat> = cotangent.reals().iter().map(|real| BigFloat::clone(real)).collect();
        let (slots, point) = (f.reals().len(), x.reals().len());
        let mut cotangents = Vec::new();
        for coordinate in 0..slots + point {
            let along = unit_vector(slots + point, coordinate);
            let (of_slots, of_point) = along.split_at(slots);
            let both =
                self.bundled(f, &f.with_reals(of_slots.iter().cloned()), x, &x.with_reals(of_point.iter().cloned()))?;
            let tangent = match both.parts(Sort::Bundle) {
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
        Ok(if is_marked { Value::compound(Sort::Sensitivity, [pair]) } else { pair })
    }
}

/// Tells if a displacement of two steps along a direction is not what it should be, to a few digits.
fn is_stuck(forth: &[Rc<BigFloat>], back: &[Rc<BigFloat>], direction: &[BigFloat]) -> bool {
    let two_steps = power_of_two(STEP + 1);
    forth.iter().zip(back).zip(direction).any(|((forth, back), along)| {
        let meant = multiply(&two_steps, along);
        let off = subtract(&subtract(forth, back), &meant).abs();
        off > multiply(&meant.abs(), &power_of_two(-40))
    })
}

/// How long a direction is, for a point of length 1.
fn relative_length(direction: &[BigFloat], point: &[Rc<BigFloat>]) -> BigFloat {
    let lengths = direction.iter().zip(point).map(|(along, real)| (to_double(along) / to_double(real)).abs());
    let longest = lengths.filter(|length| length.is_finite()).fold(0.0, f64::max);
    Reference::number(if longest > 0.0 { longest } else { 1.0 })
}

/// The sum of products; a zero is given back as +0, as operators do it.
fn inner_product(tangent: &[BigFloat], cotangent: &[BigFloat]) -> BigFloat {
    let terms = tangent.iter().zip(cotangent).map(|(a, b)| multiply(a, b));
    let sum = terms.fold(Reference::number(0.0), |sum, term| add(&sum, &term));
    if sum.is_zero() { Reference::number(0.0) } else { sum }
}

/// The vector along one of some coordinates.
pub fn unit_vector(count: usize, coordinate: usize) -> Vec<BigFloat> {
    (0..count).map(|other| Reference::number(if other == coordinate { 1.0 } else { 0.0 })).collect()
}

/// Why the differences on the two sides of a point are not one derivative, if they are not.
pub fn roughness(slope: &Slope, at: usize) -> Option<Rough> {
    let side = |side: &Vec<BigFloat>| side.get(at).cloned().filter(is_finite);
    let [ahead, behind] = slope.sides.each_ref().map(side);
    let (Some(ahead), Some(behind)) = (ahead, behind) else { return Some(Rough::NotFinite) };
    if slope.is_stuck {
        return Some(Rough::Imprecise);
    }
    let (size, gap) = (ahead.abs(), subtract(&ahead, &behind).abs());
    let other = behind.abs();
    let larger = if size < other { other } else { size };
    // One-sided differences leave out a part of the order of the step; 2^-20 is far from that and from a kink.
    let is_smooth = gap <= add(&multiply(&larger, &power_of_two(-20)), &power_of_two(-50));
    (!is_smooth).then_some(Rough::Kink)
}
