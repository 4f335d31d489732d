//! Pictures of series, in SVG: the seconds of a call over the size, both logarithmic.

use crate::code::Version;
use crate::{Figure, LONGEST};
use plotters::prelude::*;
use std::io;
use std::path::Path;
use vlad_benches::fault;

/// The colours of the series, which can be told apart without most kinds of colour vision (Okabe and Ito).
const COLOURS: [RGBColor; 11] = [
    RGBColor(0, 0, 0),
    RGBColor(90, 90, 90),
    RGBColor(150, 150, 150),
    RGBColor(0, 114, 178),
    RGBColor(86, 180, 233),
    RGBColor(0, 158, 115),
    RGBColor(120, 210, 180),
    RGBColor(213, 94, 0),
    RGBColor(240, 160, 100),
    RGBColor(204, 121, 167),
    RGBColor(230, 190, 210),
];

/// Writes the picture of the figures of a problem.
pub fn plot(path: &Path, title: &str, figures: &[Figure]) -> io::Result<()> {
    let area = SVGBackend::new(path, (820, 560)).into_drawing_area();
    area.fill(&WHITE).map_err(fault)?;
    let sizes = figures.iter().map(|figure| figure.size as f64);
    let (from, to) = (sizes.clone().fold(f64::INFINITY, f64::min), sizes.fold(1.0, f64::max));
    let least = figures.iter().map(|figure| figure.seconds).fold(f64::INFINITY, f64::min);
    let most = figures.iter().map(|figure| figure.seconds).fold(LONGEST, f64::max);
    let mut chart = ChartBuilder::on(&area)
        .caption(title, ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(70)
        .build_cartesian_2d((from..to).log_scale(), (least * 0.5..most * 2.0).log_scale())
        .map_err(fault)?;
    let mut mesh = chart.configure_mesh();
    mesh.x_desc("n").y_desc("seconds of a call").y_label_formatter(&|seconds| format!("{seconds:.0e}"));
    mesh.x_label_formatter(&|size| format!("{size:.0}")).light_line_style(WHITE).draw().map_err(fault)?;
    let mut names: Vec<&str> = Vec::new();
    for figure in figures {
        if !names.contains(&figure.variant.as_str()) {
            names.push(&figure.variant);
        }
    }
    for (name, colour) in names.into_iter().zip(COLOURS) {
        let points = figures.iter().filter(|figure| figure.variant == name);
        let points = points.map(|figure| (figure.size as f64, figure.seconds));
        let title = if name == "best" { "best by hand".to_owned() } else { Version::title(name).replace('`', "") };
        let series = LineSeries::new(points, colour.stroke_width(2));
        let series = chart.draw_series(series).map_err(fault)?;
        series.label(title).legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK)
        .draw()
        .map_err(fault)?;
    area.present().map_err(fault)
}
