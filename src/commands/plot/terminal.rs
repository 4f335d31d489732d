//! A drawing as text: braille characters, each with two columns and four rows of dots, between labelled axes.

use super::axis::shown;
use super::drawing::{Drawing, Marks, Point, Series};
use std::fmt::Write;

/// The bits of the dots of a braille character, by row and column.
const DOTS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

/// The first braille character, which has no dot.
const BLANK: u32 = 0x2800;

/// The letters that mark series.
const LETTERS: &[u8; 26] = b"abcdefghijklmnopqrstuvwxyz";

/// The letters of each series on a line.
const LETTERS_OF_A_LINE: usize = 3;

/// The mark of the points of a path.
const STEP: char = 'o';

/// The most levels of contours in the legend.
const MOST_LEVELS: usize = 12;

/// The size of a field in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Its width.
    pub width: usize,
    /// Its height.
    pub height: usize,
}

/// The characters of a field.
struct Canvas {
    size: Size,
    dots: Vec<u8>,
    /// Letters, which hide the dots.
    letters: Vec<Option<char>>,
}

/// Returns the drawing as lines of text.
pub fn draw(drawing: &Drawing, size: Size) -> String {
    let mut canvas = Canvas::new(size);
    for segment in drawing.contours.iter().flat_map(|contour| &contour.segments) {
        canvas.line(drawing, *segment);
    }
    for series in &drawing.series {
        canvas.series(drawing, series);
    }
    let several = drawing.series.len() > 1;
    for (number, series) in drawing.series.iter().enumerate() {
        canvas.letters_of(drawing, series, several.then_some(number));
    }
    let mut text = String::new();
    if !drawing.title.is_empty() {
        let _ = writeln!(text, "{}", drawing.title);
    }
    framed(&mut text, drawing, &canvas);
    legend(&mut text, drawing);
    text
}

impl Canvas {
    fn new(size: Size) -> Canvas {
        let cells = size.width * size.height;
        Canvas { size, dots: vec![0; cells], letters: vec![None; cells] }
    }

    /// The column and the row of dots of a place.
    fn dot(&self, (x, y): Point) -> (i64, i64) {
        let (columns, rows) = ((self.size.width * 2 - 1) as f64, (self.size.height * 4 - 1) as f64);
        ((x * columns).round() as i64, ((1.0 - y) * rows).round() as i64)
    }

    /// The index of the character with a dot.
    fn cell(&self, column: i64, row: i64) -> Option<usize> {
        let (column, row) = (usize::try_from(column).ok()?, usize::try_from(row).ok()?);
        (column < self.size.width * 2 && row < self.size.height * 4).then(|| row / 4 * self.size.width + column / 2)
    }

    fn set(&mut self, column: i64, row: i64) {
        let Some(cell) = self.cell(column, row) else { return };
        let bit = DOTS.get((row % 4) as usize).and_then(|bits| bits.get((column % 2) as usize));
        if let (Some(dots), Some(bit)) = (self.dots.get_mut(cell), bit) {
            *dots |= bit;
        }
    }

    /// Draws the part of a line that is inside the field.
    fn line(&mut self, drawing: &Drawing, segment: [Point; 2]) {
        let Some([from, to]) = drawing.inside(segment) else { return };
        let ((x, y), (to_x, to_y)) = (self.dot(from), self.dot(to));
        let steps = (to_x - x).abs().max((to_y - y).abs()).max(1);
        for step in 0..=steps {
            let at = |from: i64, to: i64| from + ((to - from) as f64 * step as f64 / steps as f64).round() as i64;
            self.set(at(x, to_x), at(y, to_y));
        }
    }

    fn series(&mut self, drawing: &Drawing, series: &Series) {
        match series.marks {
            Marks::Line | Marks::Path => {
                for pair in series.points.windows(2) {
                    if let [from, to] = *pair {
                        self.line(drawing, [from, to]);
                    }
                }
            }
            Marks::Dots => {}
        }
        // A point between two that are not finite is a part of no line.
        for point in &series.points {
            self.line(drawing, [*point, *point]);
        }
    }

    /// Writes letters on a series, if it has one, and the steps of a path.
    fn letters_of(&mut self, drawing: &Drawing, series: &Series, number: Option<usize>) {
        let mut cells = Vec::new();
        for point in &series.points {
            let place = drawing.inside([*point, *point]).map(|[place, _]| self.dot(place));
            if let Some(cell) = place.and_then(|(column, row)| self.cell(column, row)) {
                cells.push(cell);
            }
        }
        if series.marks == Marks::Path {
            for cell in &cells {
                self.put(*cell, STEP);
            }
        }
        let Some(number) = number else { return };
        if series.marks == Marks::Path {
            cells.truncate(1);
        }
        for part in 0..LETTERS_OF_A_LINE {
            // Series have their letters at different parts, so that they do not hide each other where series meet.
            let share = (part as f64 + 0.15 + 0.618 * number as f64 % 1.0 * 0.7) / LETTERS_OF_A_LINE as f64;
            let at = (share * cells.len() as f64) as usize;
            if let Some(cell) = cells.get(at) {
                self.put(*cell, letter(number));
            }
        }
    }

    fn put(&mut self, cell: usize, letter: char) {
        if let Some(place) = self.letters.get_mut(cell) {
            *place = Some(letter);
        }
    }

    /// The characters of a row.
    fn row(&self, row: usize) -> String {
        let from = row * self.size.width;
        let cells = self.dots.iter().zip(&self.letters).skip(from).take(self.size.width);
        cells.map(|(dots, letter)| letter.unwrap_or_else(|| braille(*dots))).collect()
    }
}

/// The letter of a series.
fn letter(number: usize) -> char {
    LETTERS.get(number % LETTERS.len()).map_or('?', |letter| char::from(*letter))
}

fn braille(dots: u8) -> char {
    if dots == 0 { ' ' } else { char::from_u32(BLANK + u32::from(dots)).unwrap_or('?') }
}

/// Writes the field between its axes.
fn framed(text: &mut String, drawing: &Drawing, canvas: &Canvas) {
    let Size { width, height } = canvas.size;
    let nearest = |place: f64, count: usize| (place * (count - 1) as f64).round() as usize;
    let mut left: Vec<Option<String>> = vec![None; height];
    for (number, label) in drawing.up.marks() {
        if let Some(row) = left.get_mut(nearest(1.0 - drawing.up.place(number), height)) {
            *row = Some(label);
        }
    }
    let margin = left.iter().flatten().map(|label| label.chars().count()).max().unwrap_or(0);
    for (row, label) in left.iter().enumerate() {
        let (label, edge) = match label {
            Some(label) => (label.as_str(), '┤'),
            None => ("", '│'),
        };
        let line = format!("{label:>margin$} {edge}{}", canvas.row(row));
        let _ = writeln!(text, "{}", line.trim_end());
    }
    let mut edge = vec!['─'; width];
    let mut below = vec![' '; margin + 2 + width + 8];
    let mut free = 0;
    for (number, label) in drawing.across.marks() {
        let column = nearest(drawing.across.place(number), width);
        if let Some(mark) = edge.get_mut(column) {
            *mark = '┬';
        }
        let length = label.chars().count();
        let start = (margin + 2 + column).saturating_sub(length / 2);
        if start < free || start + length > below.len() {
            continue;
        }
        below.iter_mut().skip(start).zip(label.chars()).for_each(|(place, character)| *place = character);
        free = start + length + 1;
    }
    let _ = writeln!(text, "{:>margin$} └{}", "", edge.iter().collect::<String>());
    let _ = writeln!(text, "{}", below.iter().collect::<String>().trim_end());
}

/// Writes the names of the series, and the levels of the contours.
fn legend(text: &mut String, drawing: &Drawing) {
    let several = drawing.series.len() > 1;
    for (number, series) in drawing.series.iter().enumerate().filter(|(_, series)| !series.name.is_empty()) {
        let mark = if several { format!("{}: ", letter(number)) } else { String::new() };
        let _ = writeln!(text, "{mark}{}", series.name);
    }
    if !drawing.contours.is_empty() {
        let levels = drawing.contours.iter().take(MOST_LEVELS).map(|contour| shown(contour.level));
        let _ = writeln!(text, "contours at {}", levels.collect::<Vec<String>>().join(", "));
    }
}

#[cfg(test)]
mod tests {
    use super::super::axis::Axis;
    use super::super::drawing::Contour;
    use super::*;

    fn drawing(series: Vec<Series>, contours: Vec<Contour>) -> Drawing {
        let axis = Axis::new(0.0, 1.0);
        Drawing { title: "title".to_owned(), across: axis, up: axis, contours, series }
    }

    fn line(points: &[Point], marks: Marks) -> Series {
        Series { name: "f".to_owned(), marks, points: points.to_vec() }
    }

    #[test]
    fn lines_stand_between_axes() {
        let text = draw(
            &drawing(vec![line(&[(0.0, 0.0), (1.0, 1.0)], Marks::Line)], Vec::new()),
            Size { width: 10, height: 5 },
        );
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "title");
        // Of 20 by 20 dots the diagonal has (i, 19 - i). The last character above has i = 18 in its second row on the left
        // and i = 19 in its first row on the right, the one before i = 16 in its fourth and i = 17 in its third row.
        assert_eq!(lines[1], "1.0 ┤        ⡠⠊");
        assert!(lines[5].starts_with("0.0 ┤⡠⠊"), "{text}");
        // Marks at 0, 0.2, ... 1 of nine steps from character to character.
        assert_eq!(lines[6], "    └┬─┬─┬┬─┬─┬");
        assert!(lines[7].trim_start().starts_with("0.0"), "{text}");
        assert_eq!(lines[8], "f");
    }

    #[test]
    fn series_have_letters_and_paths_have_steps() {
        let several = vec![
            line(&[(0.0, 0.2), (0.5, 0.2), (1.0, 0.2)], Marks::Path),
            line(&[(0.0, 0.8), (0.5, f64::NAN), (1.0, 0.8)], Marks::Dots),
        ];
        let contour = Contour { level: 0.12345678, segments: vec![[(0.0, 0.5), (1.0, 0.5)]] };
        let text = draw(&drawing(several, vec![contour]), Size { width: 20, height: 10 });
        for part in ["a: f\n", "b: f\n", "contours at 0.1235\n"] {
            assert!(text.contains(part), "{text}");
        }
        let rows: Vec<&str> = text.lines().skip(1).take(10).collect();
        // At 0.8 and 0.2 of the height; a path has its letter at its beginning.
        assert_eq!(rows[2].trim_end().chars().filter(|letter| *letter == 'b').count(), 2, "{text}");
        assert_eq!(rows[7].replace(|letter: char| letter > '\u{7f}', ""), "0.2 aoo", "{text}");
        assert!(rows[4].contains('⣀') || rows[5].contains('⠉') || rows[4].contains('⠤'), "{text}");
    }
}
