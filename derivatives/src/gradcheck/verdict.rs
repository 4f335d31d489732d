//! Verdicts on derivatives that were compared with difference quotients, and their counts.

use crate::extended::machine::Range;
use vlad_shared::table::number;

/// A derivative of a real of the value by a real of the point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// The number of the real of the point, in the order printed, from 0.
    pub input: usize,
    /// The number of the real of the value.
    pub output: usize,
    /// By `j*`.
    pub forward: f64,
    /// By `*j`.
    pub reverse: f64,
    /// By `checkpoint-*j`.
    pub checkpointed: f64,
    /// The number that something else claims it to be, if one is compared in the place of those three.
    pub claimed: Option<f64>,
    /// By differences.
    pub difference: Difference,
    /// True if the real of the value is a number at all.
    pub is_of_a_number: bool,
}

/// The result of the difference quotients for an entry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Difference {
    /// There is a derivative.
    Derivative(Derivative),
    /// There is none to compare with.
    Missing(Reason),
}

/// A derivative by difference quotients, and the largest error of the numbers compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Derivative {
    /// The derivative, rounded to a double, which is finite.
    pub derivative: f64,
    /// The distance of the farthest number compared; infinite if one of them is no finite number.
    pub distance: f64,
    /// The size that errors are relative to.
    pub size: f64,
    /// The relative error that rounding explains; 0 if it was not estimated, because the error is small.
    pub rounding: f64,
    /// The range of all results between the point and the value.
    pub range: Range,
}

/// The reason why there is nothing to compare with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// The slopes on the two sides of the point differ, or the values jump, of the procedure or of one that is differentiated
    /// inside.
    Kink,
    /// 96 digits are too few, or the steps are too long.
    Imprecise,
    /// The slope, or that of a procedure that is differentiated inside, is infinite or no number.
    NotFinite,
}

/// The errors up to which a number is right. One of them is enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// The relative error.
    pub relative: f64,
    /// The distance from the derivative.
    pub absolute: f64,
}

impl Tolerance {
    /// A relative error alone.
    pub const fn relative(relative: f64) -> Tolerance {
        Tolerance { relative, absolute: 0.0 }
    }
}

/// The result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The error is within the tolerance.
    Right,
    /// There is nothing to compare with.
    NotCompared(Reason),
    /// The error is over the tolerance, and no more than rounding explains.
    IllConditioned,
    /// The error is over the tolerance, and a real involved is no finite double: the value of the procedure, one
    /// inside, or the derivative itself. Or the value is not a number, though there is a quotient.
    WrongBeyondRange,
    /// The error is over the tolerance, and nothing explains it; or `checkpoint-*j` has other bits than `*j`.
    Wrong,
}

/// The numbers of entries of each verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Right ones.
    pub right: usize,
    /// Ill-conditioned ones.
    pub ill_conditioned: usize,
    /// Those that were not compared.
    pub not_compared: usize,
    /// Wrong ones of both kinds.
    pub wrong: usize,
}

impl Reason {
    /// The reason in a word or two.
    pub fn text(self) -> &'static str {
        match self {
            Reason::Kink => "kink",
            Reason::Imprecise => "imprecise",
            Reason::NotFinite => "not finite",
        }
    }
}

impl Difference {
    /// The derivative, or the reason why there is none, for people.
    pub fn text(&self) -> String {
        match self {
            Difference::Derivative(found) => number::format(found.derivative),
            Difference::Missing(reason) => reason.text().to_owned(),
        }
    }
}

impl Derivative {
    /// The relative error.
    pub fn error(&self) -> f64 {
        self.distance / self.size
    }

    /// Returns true if rounding explains the error. A derivative that rounding moves by as much as itself may also
    /// become infinite, unless a result before it was too large for a double.
    fn is_explained(&self) -> bool {
        match self.distance.is_infinite() {
            true => self.rounding >= 1.0 && self.range == Range::Finite,
            false => self.error() <= self.rounding,
        }
    }
}

impl Verdict {
    /// Returns true if it is one of the two wrong ones.
    pub fn is_wrong(self) -> bool {
        matches!(self, Verdict::Wrong | Verdict::WrongBeyondRange)
    }

    /// The verdict in a word or two.
    pub fn text(self) -> &'static str {
        match self {
            Verdict::Right => "right",
            Verdict::NotCompared(_) => "not compared",
            Verdict::IllConditioned => "ill-conditioned",
            Verdict::Wrong | Verdict::WrongBeyondRange => "wrong",
        }
    }
}

impl Entry {
    /// The numbers that are compared with the quotient.
    pub fn compared(&self) -> impl Iterator<Item = f64> {
        let own = match self.claimed {
            Some(_) => [None; 3],
            None => [Some(self.forward), Some(self.reverse), Some(self.checkpointed)],
        };
        own.into_iter().chain([self.claimed]).flatten()
    }

    /// Records where simulated rounding moves the derivative, if to any number: it explains twice that distance.
    pub fn explain(&mut self, moved: Option<f64>) {
        let Difference::Derivative(found) = &mut self.difference else { return };
        let moved = moved.filter(|moved| moved.is_finite());
        let distance = moved.map_or(f64::INFINITY, |moved| (moved - found.derivative).abs());
        found.rounding = found.rounding.max(2.0 * distance / found.size);
    }

    /// The relative error, if there is a derivative.
    pub fn error(&self) -> Option<f64> {
        match self.difference {
            Difference::Derivative(found) => Some(found.error()),
            Difference::Missing(_) => None,
        }
    }

    /// Returns the verdict for a tolerance. `checkpoint-*j` must have the very bits of `*j`, at a kink, too, unless a claim
    /// is compared.
    pub fn verdict(&self, tolerance: Tolerance) -> Verdict {
        let is_same = self.claimed.is_some()
            || self.reverse.to_bits() == self.checkpointed.to_bits()
            || (self.reverse.is_nan() && self.checkpointed.is_nan());
        match self.difference {
            _ if !is_same => Verdict::Wrong,
            Difference::Missing(reason) => Verdict::NotCompared(reason),
            Difference::Derivative(_) if !self.is_of_a_number => Verdict::WrongBeyondRange,
            Difference::Derivative(found) if found.error() <= tolerance.relative => Verdict::Right,
            Difference::Derivative(found) if found.distance <= tolerance.absolute => Verdict::Right,
            Difference::Derivative(found) if found.is_explained() => Verdict::IllConditioned,
            Difference::Derivative(Derivative { range: Range::Exceeded, .. }) => Verdict::WrongBeyondRange,
            Difference::Derivative(found) if found.distance.is_infinite() => Verdict::WrongBeyondRange,
            Difference::Derivative(_) => Verdict::Wrong,
        }
    }
}

impl Counts {
    /// Counts verdicts.
    pub fn of(verdicts: impl Iterator<Item = Verdict>) -> Counts {
        let mut counts = Counts::default();
        for verdict in verdicts {
            *match verdict {
                Verdict::Right => &mut counts.right,
                Verdict::NotCompared(_) => &mut counts.not_compared,
                Verdict::IllConditioned => &mut counts.ill_conditioned,
                Verdict::WrongBeyondRange | Verdict::Wrong => &mut counts.wrong,
            } += 1;
        }
        counts
    }

    /// The number of entries that are not right.
    pub fn not_right(&self) -> usize {
        self.ill_conditioned + self.not_compared + self.wrong
    }
}
