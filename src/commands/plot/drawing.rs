//! A drawing that both forms show: series of points in a field between two axes.

use super::axis::Axis;

/// A point.
pub type Point = (f64, f64);

/// The marks of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marks {
    /// A line through its points.
    Line,
    /// A dot for each point.
    Dots,
    /// A line, with a dot for each point.
    Path,
}

/// Points that belong together.
#[derive(Clone, Debug)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// The marks.
    pub marks: Marks,
    /// The points, in their order. One that is not finite interrupts a line.
    pub points: Vec<Point>,
}

/// The lines at which a function of two variables has one value.
#[derive(Clone, Debug)]
pub struct Contour {
    /// The value.
    pub level: f64,
    /// The lines.
    pub segments: Vec<[Point; 2]>,
}

/// A drawing.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// The title.
    pub title: String,
    /// The horizontal axis.
    pub across: Axis,
    /// The vertical axis.
    pub up: Axis,
    /// The contours, below the series.
    pub contours: Vec<Contour>,
    /// The series.
    pub series: Vec<Series>,
}

impl Drawing {
    /// Returns the part of a line inside the field, in places on the axes; none if it is outside.
    pub fn inside(&self, [from, to]: [Point; 2]) -> Option<[Point; 2]> {
        let place = |(x, y): Point| (self.across.place(x), self.up.place(y));
        let ((x, y), (to_x, to_y)) = (place(from), place(to));
        if ![x, y, to_x, to_y].iter().all(|place| place.is_finite()) {
            return None;
        }
        // Liang and Barsky: the parts of the line beyond each edge are cut off.
        let (across, up) = (to_x - x, to_y - y);
        let (mut first, mut last) = (0.0, 1.0);
        for (direction, distance) in [(-across, x), (across, 1.0 - x), (-up, y), (up, 1.0 - y)] {
            if direction == 0.0 && distance < 0.0 {
                return None;
            }
            if direction < 0.0 {
                first = f64::max(first, distance / direction);
            } else if direction > 0.0 {
                last = f64::min(last, distance / direction);
            }
        }
        let at = |part: f64| (x + part * across, y + part * up);
        (first <= last).then(|| [at(first), at(last)])
    }
}

/// The least interval that shows all points of some series.
pub fn extent(series: &[Series], coordinate: impl Fn(&Point) -> f64) -> Option<Axis> {
    Axis::of(series.iter().flat_map(|series| &series.points).map(coordinate))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_at_the_edges() {
        let axis = Axis::new(0.0, 10.0);
        let drawing =
            Drawing { title: String::new(), across: axis, up: axis, contours: Vec::new(), series: Vec::new() };
        assert_eq!(drawing.inside([(2.5, 5.0), (7.5, 5.0)]), Some([(0.25, 0.5), (0.75, 0.5)]));
        assert_eq!(drawing.inside([(-10.0, 5.0), (10.0, 5.0)]), Some([(0.0, 0.5), (1.0, 0.5)]));
        assert_eq!(drawing.inside([(5.0, -10.0), (5.0, 20.0)]), Some([(0.5, 0.0), (0.5, 1.0)]));
        assert_eq!(drawing.inside([(-1.0, 5.0), (-1.0, 6.0)]), None);
        assert_eq!(drawing.inside([(-5.0, 8.0), (5.0, 18.0)]), None);
        assert_eq!(drawing.inside([(1.0, f64::NAN), (2.0, 1.0)]), None);
    }
}
