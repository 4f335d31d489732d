//! Axes: ranges with round marks, and the places of numbers on them.

use vlad_shared::table::math::{log10, pow};

/// The approximate number of marks of an axis.
const MARKS: f64 = 5.0;

/// The least distance of marks, as a part of the distance that gives so many.
const LEAST_STEP: f64 = 0.8;

/// The most marks, whatever rounding does to their number.
const MOST_MARKS: usize = 16;

/// An interval of numbers. Invariant: both ends are finite, and the lower one is less.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Axis {
    /// The interval between two numbers that are finite; wider if they are the same.
    pub fn new(low: f64, high: f64) -> Axis {
        if low < high {
            return Axis { low, high };
        }
        let margin = if low == 0.0 { 1.0 } else { low.abs() * 0.1 };
        let (below, above) = (low - margin, low + margin);
        match below < above && below.is_finite() && above.is_finite() {
            true => Axis { low: below, high: above },
            // At the end of the doubles.
            false => Axis { low: low.min(0.0), high: low.max(0.0) },
        }
    }

    /// The least interval with all numbers that are finite; none if there is none.
    pub fn of(numbers: impl Iterator<Item = f64>) -> Option<Axis> {
        let ends = numbers.filter(|number| number.is_finite()).fold(None, |ends, number| match ends {
            None => Some((number, number)),
            Some((low, high)) => Some((f64::min(low, number), f64::max(high, number))),
        });
        ends.map(|(low, high)| Axis::new(low, high))
    }

    /// The place of a number: 0 for the lower end, 1 for the upper one.
    pub fn place(&self, number: f64) -> f64 {
        let width = self.high - self.low;
        if width.is_finite() {
            return (number - self.low) / width;
        }
        // Halves of doubles have differences that are finite.
        (number / 2.0 - self.low / 2.0) / (self.high / 2.0 - self.low / 2.0)
    }

    /// The number at a place.
    pub fn at(&self, place: f64) -> f64 {
        self.low * (1.0 - place) + self.high * place
    }

    /// Round numbers in the interval, with a text for each.
    pub fn marks(&self) -> Vec<(f64, String)> {
        let raw = (self.high / 2.0 - self.low / 2.0) / MARKS * 2.0;
        let power = log10(raw).floor();
        let unit = pow(10.0, power);
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * unit).find(|step| *step >= raw * LEAST_STEP);
        let step = step.unwrap_or(raw);
        if !(step.is_finite() && step > 0.0) {
            return Vec::new();
        }
        let first = (self.low / step - 1e-9).ceil();
        let numbers = (0..MOST_MARKS).map(|index| (first + index as f64) * step);
        let slack = step * 1e-9;
        let inside =
            numbers.take_while(|number| *number <= self.high + slack).filter(|number| *number >= self.low - slack);
        let text = labels(step, self.low.abs().max(self.high.abs()));
        inside.map(|number| (number, text(number))).collect()
    }
}

/// The text of numbers that are this step apart, and at most so large.
fn labels(step: f64, most: f64) -> impl Fn(f64) -> String {
    let digits = -log10(step).floor();
    move |number| {
        // A mark at zero may be off by rounding.
        let number = if number.abs() < step * 1e-6 { 0.0 } else { number };
        if (1e-5..1e6).contains(&most) && digits <= 8.0 {
            return format!("{number:.*}", digits.max(0.0) as usize);
        }
        let own = log10(number.abs()).floor();
        let significant = if number == 0.0 { 0.0 } else { (own + digits).clamp(0.0, 15.0) };
        let rounded = format!("{number:.*e}", significant as usize);
        rounded.parse::<f64>().map_or(rounded, |number| format!("{number:e}"))
    }
}

/// The text of a number with four digits.
pub fn shown(level: f64) -> String {
    let size = level.abs();
    if level == 0.0 || (1e-3..1e5).contains(&size) {
        let digits = if level == 0.0 { 0.0 } else { (3.0 - log10(size).floor()).max(0.0) };
        let text = format!("{level:.*}", digits as usize);
        return if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text };
    }
    format!("{level:.3e}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(low: f64, high: f64) -> Vec<String> {
        Axis::new(low, high).marks().into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn marks_are_round() {
        assert_eq!(texts(0.0, 1.0), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(texts(-3.1, 7.0), ["-2", "0", "2", "4", "6"]);
        assert_eq!(texts(0.0, 1e9), ["0e0", "2e8", "4e8", "6e8", "8e8", "1e9"]);
        assert_eq!(texts(1e-9, 2e-9).first().map(String::as_str), Some("1e-9"));
        assert_eq!(texts(100.0, 100.25), ["100.00", "100.05", "100.10", "100.15", "100.20", "100.25"]);
    }

    #[test]
    fn every_interval_has_an_axis() {
        for (low, high) in [(0.0, 0.0), (5.0, 5.0), (f64::MAX, f64::MAX), (-f64::MAX, f64::MAX), (5e-324, 5e-324)] {
            let axis = Axis::new(low, high);
            assert!(axis.low < axis.high && axis.low <= low && high <= axis.high, "{axis:?}");
            assert!(axis.marks().len() <= MOST_MARKS);
            assert!((0.0..=1.0).contains(&axis.place(low)), "{axis:?}");
            assert!(axis.at(0.5).is_finite());
        }
        assert_eq!(Axis::of([f64::NAN, 2.0, f64::INFINITY, -1.0].into_iter()), Some(Axis { low: -1.0, high: 2.0 }));
        assert_eq!(Axis::of([f64::NAN].into_iter()), None);
    }

    #[test]
    fn numbers_have_four_digits() {
        assert_eq!(
            [0.0, 1234.56, 0.5, -3.21456, 1e-7, 2.5e9].map(shown),
            ["0", "1235", "0.5", "-3.215", "1.000e-7", "2.500e9"]
        );
    }
}
