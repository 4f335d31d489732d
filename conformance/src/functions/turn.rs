//! The points of a turn: special, hard and pseudo-random ones, and a report of those at which two functions differ.

use super::hard::{hard_point, near_quarter};
use super::points::{Points, special_points};
use super::worst::worst;
use super::{Function, is_same};
use vlad_derivatives::extended::arithmetic::Reference;
use vlad_shared::table::Operation;

/// The numbers of points of a function in a turn.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// Pseudo-random ones.
    pub random: usize,
    /// Ones that are hard to round.
    pub hard: usize,
    /// The doubles from which a hard one is chosen.
    pub choice: u64,
    /// The distance of the exponents of angles near multiples of a quarter of a turn.
    pub every: usize,
}

impl Turn {
    /// The turn of ordinary tests.
    pub const SHORT: Turn = Turn { random: 1000, hard: 12, choice: 1 << 13, every: 24 };

    /// A turn of many points, of which one in a hundred is hard.
    pub fn of(points: usize) -> Turn {
        Turn { random: points - points / 100, hard: points / 100, choice: 1 << 16, every: 1 }
    }
}

/// Gives each point of a function to a check.
pub fn each_point(
    turn: Turn,
    reference: &mut Reference,
    (operation, function): (Operation, Function),
    mut check: impl FnMut(&mut Reference, [f64; 2]),
) {
    let mut points = Points::new(operation, 1);
    for point in special_points(operation) {
        check(reference, point);
    }
    for word in worst(operation) {
        let x = f64::from_bits(*word);
        check(reference, [x, x]);
        check(reference, [-x, -x]);
    }
    for _ in 0..turn.random {
        let point = points.point();
        check(reference, point);
    }
    let mut found = 0;
    for _ in 0..20 * turn.hard {
        if found == turn.hard {
            break;
        }
        if let Some(point) = hard_point(reference, (operation, function), points.point(), turn.choice) {
            check(reference, point);
            found += 1;
        }
    }
    if [Operation::Sine, Operation::Cosine, Operation::Tangent].contains(&operation) {
        for exponent in (-52..971).step_by(turn.every) {
            let near = near_quarter(reference, exponent);
            check(reference, [near, near]);
            check(reference, [-near, -near]);
        }
    }
}

/// The points at which functions differ, as text.
#[derive(Clone, Debug, Default)]
pub struct Differences {
    text: String,
    /// The number of points that were compared.
    pub points: usize,
    /// The number of those at which results differ.
    pub count: usize,
}

impl Differences {
    /// The most that are printed of a function.
    const PRINTED: usize = 8;

    /// Compares two results at a point.
    pub fn compare(&mut self, operands: &[f64], found: f64, expected: f64) {
        self.points += 1;
        if is_same(found, expected) {
            return;
        }
        self.count += 1;
        if self.count <= Differences::PRINTED {
            let words: Vec<String> =
                operands.iter().map(|real| format!("{real:e} ({:016x})", real.to_bits())).collect();
            let (found_bits, bits) = (found.to_bits(), expected.to_bits());
            let at = words.join(" ");
            let text = format!("  at {at}: {found:e} ({found_bits:016x}), not {expected:e} ({bits:016x})\n");
            self.text.push_str(&text);
        }
    }

    /// The report of a function; none if there is no difference.
    pub fn report(&self, name: &str) -> Option<String> {
        (self.count > 0).then(|| format!("{name} differs at {} of {} points\n{}", self.count, self.points, self.text))
    }
}

/// Compares a function with an expected result at all points of a turn.
pub fn compare(
    turn: Turn,
    reference: &mut Reference,
    (operation, function): (Operation, Function),
    mut expected: impl FnMut(&mut Reference, [f64; 2]) -> f64,
) -> Differences {
    let mut differences = Differences::default();
    each_point(turn, reference, (operation, function), |reference, point| {
        let expected = expected(reference, point);
        differences.compare(function.operands(&point), function.at(point), expected);
    });
    differences
}
