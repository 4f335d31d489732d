//! A drawing as SVG without scripts and fonts of its own.

use super::axis::shown;
use super::drawing::{Drawing, Marks, Point, Series};
use std::fmt::Write;
use vlad_shared::core::render::escapes::in_xml;

/// The size of the picture, and the margins around the field.
const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 560.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 190.0;
const ABOVE: f64 = 44.0;
const BELOW: f64 = 46.0;

/// The height of a line of the legend.
const LINE: f64 = 18.0;

/// The colours of series, which can be told apart without most kinds of colour vision (Okabe and Ito).
const COLOURS: [&str; 8] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#a09000"];

const STYLE: &str = "text{font-family:sans-serif;font-size:12px;fill:#222}.title{font-size:14px;font-weight:bold}\
.axis,.grid,.line{fill:none;stroke:#222}.grid{stroke:#ddd}.line{stroke-width:1.8}.contour{fill:none;stroke-width:1}";

/// Returns the picture of a drawing.
pub fn draw(drawing: &Drawing) -> String {
    let mut body = String::new();
    axes(&mut body, drawing);
    // Writing to a string cannot fail.
    let _ = writeln!(body, "<g clip-path=\"url(#field)\">");
    let mut legend = Vec::new();
    for (number, contour) in drawing.contours.iter().enumerate() {
        let colour = shade(number, drawing.contours.len());
        let path: String = contour.segments.iter().filter_map(|segment| segment_path(drawing, *segment)).collect();
        let _ = writeln!(body, "<path class=\"contour\" stroke=\"{colour}\" d=\"{path}\"/>");
        legend.push((colour, shown(contour.level)));
    }
    for (series, colour) in drawing.series.iter().zip(COLOURS.iter().cycle()) {
        draw_series(&mut body, drawing, series, colour);
        legend.push(((*colour).to_owned(), series.name.clone()));
    }
    let _ = writeln!(body, "</g>");
    for (number, (colour, name)) in legend.iter().filter(|(_, name)| !name.is_empty()).enumerate() {
        let (x, y) = (WIDTH - RIGHT + 14.0, ABOVE + 8.0 + LINE * number as f64);
        let _ = writeln!(body, "<path class=\"line\" style=\"stroke:{colour}\" d=\"M{x:.1} {y:.1}h20\"/>");
        text(&mut body, x + 28.0, y + 4.0, "start", "", name);
    }
    text(&mut body, LEFT, ABOVE - 16.0, "start", "title", &drawing.title);
    let height = HEIGHT.max(ABOVE + LINE * legend.len() as f64 + BELOW);
    let (field_width, field_height) = (WIDTH - LEFT - RIGHT, HEIGHT - ABOVE - BELOW);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height:.1}\" \
         viewBox=\"0 0 {WIDTH} {height:.1}\">\n<title>{}</title>\n<style>{STYLE}</style>\n<clipPath id=\"field\"><rect \
         x=\"{LEFT}\" y=\"{ABOVE}\" width=\"{field_width}\" height=\"{field_height}\"/></clipPath>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{body}</svg>\n",
        in_xml(&drawing.title)
    )
}

/// The coordinates of a place on the axes.
fn coordinates((x, y): Point) -> Point {
    (LEFT + x * (WIDTH - LEFT - RIGHT), ABOVE + (1.0 - y) * (HEIGHT - ABOVE - BELOW))
}

/// The colour of a contour, from blue for the lowest to red for the highest.
fn shade(number: usize, count: usize) -> String {
    let part = number as f64 / (count.max(2) - 1) as f64;
    let mix = |low: f64, high: f64| (low + (high - low) * part).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mix(60.0, 200.0), mix(110.0, 90.0), mix(190.0, 60.0))
}

fn axes(out: &mut String, drawing: &Drawing) {
    let (right, bottom) = coordinates((1.0, 0.0));
    for (number, label) in drawing.across.marks() {
        let (x, _) = coordinates((drawing.across.place(number), 0.0));
        let _ = writeln!(out, "<path class=\"grid\" d=\"M{x:.1} {ABOVE}V{bottom:.1}\"/>");
        text(out, x, bottom + 18.0, "middle", "", &label);
    }
    for (number, label) in drawing.up.marks() {
        let (_, y) = coordinates((0.0, drawing.up.place(number)));
        let _ = writeln!(out, "<path class=\"grid\" d=\"M{LEFT} {y:.1}H{right:.1}\"/>");
        text(out, LEFT - 8.0, y + 4.0, "end", "", &label);
    }
    let _ = writeln!(out, "<path class=\"axis\" d=\"M{LEFT} {ABOVE}V{bottom:.1}H{right:.1}\"/>");
}

/// The path of the visible part of a line; none if nothing of it is visible.
fn segment_path(drawing: &Drawing, segment: [Point; 2]) -> Option<String> {
    let [from, to] = drawing.inside(segment)?.map(coordinates);
    Some(format!("M{:.1} {:.1}L{:.1} {:.1}", from.0, from.1, to.0, to.1))
}

fn draw_series(out: &mut String, drawing: &Drawing, series: &Series, colour: &str) {
    if matches!(series.marks, Marks::Line | Marks::Path) {
        let mut path = String::new();
        let mut end = None;
        for pair in series.points.windows(2) {
            let &[from, to] = pair else { continue };
            let Some(visible) = drawing.inside([from, to]) else { continue };
            let [from, to] = visible.map(coordinates).map(|(x, y)| format!("{x:.1} {y:.1}"));
            // A line that goes on where the one before it ended needs no beginning.
            if end.as_ref() != Some(&from) {
                let _ = write!(path, "M{from}");
            }
            let _ = write!(path, "L{to}");
            end = Some(to);
        }
        let _ = writeln!(out, "<path class=\"line\" style=\"stroke:{colour}\" d=\"{path}\"/>");
    }
    if matches!(series.marks, Marks::Dots | Marks::Path) {
        for point in &series.points {
            if let Some([place, _]) = drawing.inside([*point, *point]) {
                let (x, y) = coordinates(place);
                let _ = writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.6\" fill=\"{colour}\"/>");
            }
        }
    }
}

fn text(out: &mut String, x: f64, y: f64, anchor: &str, class: &str, content: &str) {
    let content = in_xml(content);
    let _ =
        writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" class=\"{class}\">{content}</text>");
}
