//! The picture of the actions of `checkpoint-*j`, as in the talk of 2018: steps of the execution on the horizontal
//! axis, one line for each action.
//!
//! An advance is a thin line from its first to its last step; an interval that is recorded and reversed is a filled
//! bar; the lifetime of a state is a vertical line at its position. The picture is SVG without scripts and fonts of its
//! own.

use super::recorder::{Profile, ProfileRow};
use super::trace::{Lifetime, Trace};
use std::fmt::{self, Write};
use vlad_shared::ad::checkpointing::Action;
use vlad_shared::core::render::escapes::in_xml;
use vlad_shared::core::{Program, render};

/// The most applications that are shown, those with the most steps.
const MOST_PANELS: usize = 8;

/// The width of the picture, and the margins around the drawing field.
const WIDTH: f64 = 960.0;
const LEFT: f64 = 90.0;
const RIGHT: f64 = 30.0;
const ABOVE: f64 = 66.0;
const BELOW: f64 = 50.0;
const LEGEND: f64 = 40.0;

/// The largest height of an action, and the largest height of all actions of a panel.
const ROW: f64 = 26.0;
const MOST_HEIGHT: f64 = 900.0;

/// The approximate number of marks of an axis.
const MARKS: u64 = 6;

const STYLE: &str = "text{font-family:sans-serif;font-size:12px;fill:#222}.title{font-size:14px;font-weight:bold}\
.axis,.grid{fill:none;stroke:#222}.grid{stroke:#ddd}.run{fill:none;stroke:#1f6fb4}.record{fill:#d9541e}\
.state{fill:none;stroke:#5a5a5a}";

/// The coordinates of a panel.
struct Field<'row> {
    row: &'row ProfileRow,
    trace: &'row Trace,
    /// The upper edge of the field.
    top: f64,
    /// The height of one action.
    pitch: f64,
}

/// The picture of a profile.
pub fn draw(profile: &Profile, program: &Program) -> String {
    let mut panels: Vec<(&ProfileRow, &Trace)> = profile.checkpointed().collect();
    let all = panels.len();
    // The largest are chosen, and shown in the order of the rows.
    let mut sizes: Vec<u64> = panels.iter().map(|(row, _)| row.longest.all_steps()).collect();
    sizes.sort_unstable_by(|one, other| other.cmp(one));
    let least = sizes.get(MOST_PANELS - 1).copied().unwrap_or(0);
    panels.retain(|(row, _)| row.longest.all_steps() >= least);
    panels.truncate(MOST_PANELS);

    let mut body = String::new();
    let mut top = 0.0;
    for (row, trace) in &panels {
        top += ABOVE;
        let pitch = (MOST_HEIGHT / lines(trace)).min(ROW);
        let field = Field { row, trace, top, pitch };
        panel(&mut body, &field, program);
        top += field.height() + BELOW;
    }
    if panels.is_empty() {
        top += ABOVE;
        text(&mut body, LEFT, top - 20.0, "start", "title", "nothing was executed again by checkpoint-*j");
    }
    if all > panels.len() {
        let more = format!("{} more applications, with fewer steps, are not shown", all - panels.len());
        text(&mut body, LEFT, top + 4.0, "start", "", &more);
    }
    legend(&mut body, top + LEGEND / 2.0);
    let height = top + LEGEND;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height:.1}\" \
         viewBox=\"0 0 {WIDTH} {height:.1}\">\n<title>Checkpointing</title>\n<style>{STYLE}</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{body}</svg>\n"
    )
}

/// Returns the number of lines: one for each action, and one for the first execution.
fn lines(trace: &Trace) -> f64 {
    trace.actions.seen() as f64 + 1.0
}

impl Field<'_> {
    fn height(&self) -> f64 {
        self.pitch * lines(self.trace)
    }

    /// Returns the x coordinate of a number of steps.
    fn x(&self, steps: u64) -> f64 {
        LEFT + (WIDTH - LEFT - RIGHT) * steps as f64 / self.row.longest.steps.max(1) as f64
    }

    /// Returns the y coordinate of the middle of an action; the first execution comes before the actions.
    fn y(&self, number: Option<u64>) -> f64 {
        self.top + self.pitch * (number.map_or(0.0, |number| number as f64 + 1.0) + 0.5)
    }
}

/// Draws one application: title, axes, states and actions.
fn panel(out: &mut String, field: &Field<'_>, program: &Program) {
    let Field { row, trace, top, pitch } = *field;
    let place = render::place(&program.sources, program.span(row.node));
    let which =
        if row.applications > 1 { format!(" (the longest of {} calls)", row.applications) } else { String::new() };
    let title = format!("{} at {place}, depth {}{which}", row.operator.name(), row.depth);
    text(out, LEFT, top - 44.0, "start", "title", &title);
    text(out, LEFT, top - 26.0, "start", "", &summary(row));
    if let Some(omissions) = omissions(trace) {
        text(out, LEFT, top - 10.0, "start", "", &omissions);
    }
    axes(out, field);
    for life in trace.lives() {
        state(out, field, life);
    }
    let (thin, thick) = ((pitch * 0.12).clamp(0.5, 2.0), pitch * 0.7);
    let run = |out: &mut String, y, from, to| {
        let (from, to) = (field.x(from), field.x(to));
        put(out, format_args!("<path class=\"run\" stroke-width=\"{thin:.2}\" d=\"M{from:.2} {y:.2}H{to:.2}\"/>\n"));
    };
    run(out, field.y(None), 0, row.longest.steps);
    for step in trace.actions.kept() {
        let y = field.y(Some(step.number));
        match step.action {
            Action::Advance { from, steps } => run(out, y, from, from + steps),
            Action::Reverse { from, steps } => {
                // An interval too narrow to be seen is drawn a little wider.
                let (x, y) = (field.x(from), y - thick / 2.0);
                let width = (field.x(from + steps) - x).max(1.2);
                let (height, class) = (thick.max(1.2), "record");
                put(
                    out,
                    format_args!(
                        "<rect class=\"{class}\" x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\"/>\n"
                    ),
                );
            }
        }
    }
}

/// Returns the figures of the application in words.
fn summary(row: &ProfileRow) -> String {
    let costs = &row.longest;
    let numbers = [costs.steps, costs.splits, costs.reversals, costs.snapshots as u64, costs.executed];
    let [steps, splits, reversals, snapshots, executed] = numbers.map(grouped);
    format!(
        "steps: {steps}; splits: {splits}; intervals reversed: {reversals}; most states kept: {snapshots}; \
         steps executed again: {executed}"
    )
}

/// Returns the note about actions and states that are not shown.
fn omissions(trace: &Trace) -> Option<String> {
    let every = (trace.actions.every(), trace.past.every());
    match every {
        (1, 1) => None,
        (actions, 1) => Some(format!("Shown are one in {actions} actions, and the largest.")),
        (1, states) => Some(format!("Shown are one in {states} states, and those kept longest.")),
        (actions, states) => Some(format!(
            "Shown are one in {actions} actions, and the largest; and one in {states} states, and those kept longest."
        )),
    }
}

/// Formats a number with its digits in groups of three.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(' ');
        }
        out.push(digit);
    }
    out
}

/// Draws a state: from the end of the action that reached it to the beginning of the one that removed it.
fn state(out: &mut String, field: &Field<'_>, life: Lifetime) {
    let from = if life.born.is_some() { field.y(life.born) } else { field.top };
    let to = if life.died.is_some() { field.y(life.died) } else { field.top + field.height() };
    let (x, width) = (field.x(life.position), (field.pitch * 0.06).clamp(0.4, 1.2));
    put(out, format_args!("<path class=\"state\" stroke-width=\"{width:.2}\" d=\"M{x:.2} {from:.2}V{to:.2}\"/>\n"));
}

/// Draws the axes: steps to the right, actions downwards; the line before action 1 is the first execution.
fn axes(out: &mut String, field: &Field<'_>) {
    let (right, bottom) = (WIDTH - RIGHT, field.top + field.height());
    let top = field.top;
    for steps in marks(field.row.longest.steps) {
        let x = field.x(steps);
        put(out, format_args!("<path class=\"grid\" d=\"M{x:.2} {top:.2}V{bottom:.2}\"/>\n"));
        text(out, x, bottom + 16.0, "middle", "", &grouped(steps));
    }
    for number in marks(field.trace.actions.seen()).into_iter().filter(|number| *number > 0) {
        let y = field.y(Some(number - 1));
        put(out, format_args!("<path class=\"axis\" d=\"M{:.2} {y:.2}H{LEFT}\"/>\n", LEFT - 4.0));
        text(out, LEFT - 8.0, y + 4.0, "end", "", &grouped(number));
    }
    put(out, format_args!("<path class=\"axis\" d=\"M{LEFT} {top:.2}V{bottom:.2}H{right}\"/>\n"));
    text(out, (LEFT + right) / 2.0, bottom + 34.0, "middle", "", "steps of the execution");
    let (x, y) = (18.0, (top + bottom) / 2.0);
    put(
        out,
        format_args!(
            "<text x=\"{x}\" y=\"{y:.2}\" text-anchor=\"middle\" transform=\"rotate(-90 {x} {y:.2})\">actions</text>\n"
        ),
    );
}

/// Returns round numbers from 0 to a length: about [`MARKS`] of them, spaced by a power of ten or two or five times
/// that.
fn marks(length: u64) -> Vec<u64> {
    let mut power = 1_u64;
    while length / power > 10 * MARKS {
        power *= 10;
    }
    let distance = [1, 2, 5, 10].into_iter().map(|factor| factor * power).find(|distance| length / distance <= MARKS);
    (0..=length).step_by(distance.unwrap_or(10 * power) as usize).collect()
}

/// Draws the legend.
fn legend(out: &mut String, y: f64) {
    put(out, format_args!("<path class=\"run\" stroke-width=\"2\" d=\"M{LEFT} {y:.2}h40\"/>\n"));
    text(out, LEFT + 48.0, y + 4.0, "start", "", "executed (first the whole, then advances)");
    let x = LEFT + 320.0;
    put(out, format_args!("<rect class=\"record\" x=\"{x}\" y=\"{:.2}\" width=\"40\" height=\"12\"/>\n", y - 6.0));
    text(out, x + 48.0, y + 4.0, "start", "", "recorded and reversed");
    let x = LEFT + 540.0;
    put(out, format_args!("<path class=\"state\" stroke-width=\"1.2\" d=\"M{x} {:.2}v20\"/>\n", y - 10.0));
    text(out, x + 10.0, y + 4.0, "start", "", "a state that is kept");
}

fn text(out: &mut String, x: f64, y: f64, anchor: &str, class: &str, text: &str) {
    let text = in_xml(text);
    put(
        out,
        format_args!("<text class=\"{class}\" x=\"{x:.2}\" y=\"{y:.2}\" text-anchor=\"{anchor}\">{text}</text>\n"),
    );
}

/// Appends a text. Writing to a string cannot fail, so the result is ignored.
fn put(out: &mut String, text: fmt::Arguments<'_>) {
    let _ = out.write_fmt(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_in_groups() {
        let texts = [0, 12, 123, 1234, 123_456, 1_234_567].map(grouped);
        assert_eq!(texts, ["0", "12", "123", "1 234", "123 456", "1 234 567"]);
    }

    #[test]
    fn marks_are_round_and_few() {
        assert_eq!(marks(0), [0]);
        assert_eq!(marks(5), [0, 1, 2, 3, 4, 5]);
        assert_eq!(marks(17), [0, 5, 10, 15]);
        assert_eq!(marks(100_000), [0, 20_000, 40_000, 60_000, 80_000, 100_000]);
        for length in (0..2000).chain([u64::MAX / 7, u64::MAX]) {
            assert!((1..=MARKS as usize + 1).contains(&marks(length).len()), "{length}");
        }
    }
}
