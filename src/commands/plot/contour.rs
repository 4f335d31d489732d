//! Contour lines of a function that is known on a grid: marching squares, with linear interpolation on the edges of cells.

use super::axis::Axis;
use super::drawing::{Contour, Point};

/// The number of contours.
const LEVELS: usize = 10;

/// A function on a grid.
#[derive(Clone, Debug)]
pub struct Grid {
    /// The horizontal axis, and the number of its points.
    pub across: (Axis, usize),
    /// The vertical axis, and the number of its points.
    pub up: (Axis, usize),
    /// The values, row by row from the bottom.
    pub values: Vec<f64>,
}

impl Grid {
    /// The points of the grid, in the order of the values.
    pub fn points((across, columns): (Axis, usize), (up, rows): (Axis, usize)) -> Vec<Point> {
        let at = |axis: Axis, index: usize, count: usize| axis.at(index as f64 / (count.max(2) - 1) as f64);
        let row = |row: usize| (0..columns).map(move |column| (at(across, column, columns), at(up, row, rows)));
        (0..rows).flat_map(row).collect()
    }

    /// The contours, at values that are as far apart in the sorted values of the grid: there are as many points of the grid
    /// between any two that follow each other, so a narrow valley has contours like the slopes around it.
    pub fn contours(&self) -> Vec<Contour> {
        let mut sorted: Vec<f64> = self.values.iter().copied().filter(|value| value.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        let at = |part: usize| sorted.get((sorted.len().max(1) - 1) * part / (LEVELS + 1)).copied();
        let mut levels: Vec<f64> = (1..=LEVELS).filter_map(at).collect();
        levels.dedup();
        let points = Grid::points(self.across, self.up);
        levels.into_iter().map(|level| Contour { level, segments: self.segments(level, &points) }).collect()
    }

    fn segments(&self, level: f64, points: &[Point]) -> Vec<[Point; 2]> {
        let columns = self.across.1;
        let mut segments = Vec::new();
        for corner in 0..points.len() {
            if (corner + 1).is_multiple_of(columns.max(1)) {
                continue;
            }
            // The corners of a cell, around it.
            let corners = [corner, corner + 1, corner + 1 + columns, corner + columns].map(|index| {
                let value = self.values.get(index).copied().filter(|value| value.is_finite())?;
                Some((*points.get(index)?, value))
            });
            let [Some(a), Some(b), Some(c), Some(d)] = corners else { continue };
            cell([a, b, c, d], level, &mut segments);
        }
        segments
    }
}

/// Adds the lines of a level in a cell.
fn cell([a, b, c, d]: [(Point, f64); 4], level: f64, segments: &mut Vec<[Point; 2]>) {
    let crossings: Vec<Point> =
        [(a, b), (b, c), (c, d), (d, a)].into_iter().filter_map(|(from, to)| crossing(from, to, level)).collect();
    match *crossings {
        [first, second] => segments.push([first, second]),
        [first, second, third, fourth] => {
            // A saddle: the value in the middle tells which corners belong together.
            let middle = a.1 / 4.0 + b.1 / 4.0 + c.1 / 4.0 + d.1 / 4.0;
            match (middle >= level) == (a.1 >= level) {
                true => segments.extend([[first, second], [third, fourth]]),
                false => segments.extend([[fourth, first], [second, third]]),
            }
        }
        _ => {}
    }
}

/// Returns the point of an edge at which the level is crossed.
fn crossing((from, at_from): (Point, f64), (to, at_to): (Point, f64), level: f64) -> Option<Point> {
    if (at_from >= level) == (at_to >= level) {
        return None;
    }
    let part = (level / 2.0 - at_from / 2.0) / (at_to / 2.0 - at_from / 2.0);
    let between = |from: f64, to: f64| from * (1.0 - part) + to * part;
    Some((between(from.0, to.0), between(from.1, to.1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(function: impl Fn(Point) -> f64) -> Grid {
        let (across, up) = ((Axis::new(-1.0, 1.0), 41), (Axis::new(-2.0, 2.0), 31));
        let values = Grid::points(across, up).into_iter().map(function).collect();
        Grid { across, up, values }
    }

    #[test]
    fn contours_of_linear_functions_are_exact() {
        let slope = |(x, y): Point| 3.0 * x - y;
        let contours = grid(slope).contours();
        assert_eq!(contours.len(), LEVELS);
        for contour in contours {
            assert!(!contour.segments.is_empty());
            for point in contour.segments.iter().flatten() {
                assert!((slope(*point) - contour.level).abs() < 1e-12, "{contour:?}");
            }
        }
    }

    #[test]
    fn contours_of_a_bowl_are_circles() {
        for contour in grid(|(x, y)| x * x + y * y).contours() {
            for (x, y) in contour.segments.iter().flatten() {
                // Linear interpolation is off by at most h^2/4 for a step of h = 4/30.
                assert!((x * x + y * y - contour.level).abs() < 0.005, "{}", contour.level);
            }
        }
    }

    #[test]
    fn a_saddle_has_two_branches_in_a_cell() {
        let mut segments = Vec::new();
        let corners = [((0.0, 0.0), 1.0), ((1.0, 0.0), -1.0), ((1.0, 1.0), 1.0), ((0.0, 1.0), -1.0)];
        cell(corners, 0.0, &mut segments);
        assert_eq!(segments.len(), 2);
        cell(corners, 2.0, &mut segments);
        assert_eq!(segments.len(), 2);
    }

    #[test]
    fn what_is_not_finite_has_no_contours() {
        assert!(grid(|_| f64::NAN).contours().is_empty());
        assert!(grid(|_| 1.0).contours().iter().all(|contour| contour.segments.is_empty()));
    }
}
