//! Lines in the fixed form of Fortran: statements from column 7 to 72, continued by a mark in column 6.

use std::fmt::Write;

/// The number of columns of a line that a statement has.
const WIDTH: usize = 66;

/// The most lines that continue a statement, which compilers take at least.
const MOST_CONTINUED: usize = 250;

/// The greatest indentation, in steps.
const MOST_INDENTED: usize = 12;

/// A text in fixed form.
#[derive(Debug, Default)]
pub struct Lines {
    text: String,
    has_long_statement: bool,
}

impl Lines {
    /// Adds a comment.
    pub fn comment(&mut self, text: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "C     {text}");
    }

    /// Adds a statement at a depth of nesting.
    pub fn statement(&mut self, label: Option<u32>, depth: usize, text: &str) {
        let indent = 2 * depth.min(MOST_INDENTED);
        let mut head = match label {
            Some(label) => format!("{label:>5} "),
            None => " ".repeat(6),
        };
        let (mut rest, mut continued) = (text, 0);
        loop {
            let (line, after) = split(rest, WIDTH - indent);
            let _ = writeln!(self.text, "{head}{}{line}", " ".repeat(indent));
            if after.is_empty() {
                break;
            }
            rest = after;
            continued += 1;
            head = "     &".to_owned();
        }
        self.has_long_statement |= continued > MOST_CONTINUED;
    }

    /// Returns true if a statement has more lines than compilers take.
    pub fn has_long_statement(&self) -> bool {
        self.has_long_statement
    }

    /// The lines so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Adds other lines.
    pub fn append(&mut self, other: Lines) {
        self.text.push_str(&other.text);
        self.has_long_statement |= other.has_long_statement;
    }

    /// Returns the text.
    pub fn finish(self) -> String {
        self.text
    }
}

/// Divides a statement where a line is full: behind a comma or a blank, outside of quotes. What has no such place stays on
/// one line.
fn split(text: &str, width: usize) -> (&str, &str) {
    if text.len() <= width {
        return (text, "");
    }
    let (mut best, mut is_quoted) = (None, false);
    for (place, character) in text.char_indices() {
        if place >= width && best.is_some() {
            break;
        }
        match character {
            '\'' => is_quoted = !is_quoted,
            ',' | ' ' if !is_quoted => best = Some(place + 1),
            _ => {}
        }
    }
    text.split_at_checked(best.unwrap_or(text.len())).unwrap_or((text, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_divided_outside_of_quotes() {
        let mut lines = Lines::default();
        let arguments: Vec<String> = (0..30).map(|number| format!("R{number}")).collect();
        lines.statement(Some(10), 1, &format!("CALL S1({}, 'a, b c')", arguments.join(", ")));
        assert!(!lines.has_long_statement());
        let text = lines.finish();
        assert!(text.lines().all(|line| line.len() <= 72), "{text}");
        assert!(text.starts_with("   10   CALL S1(R0, R1,"), "{text}");
        assert_eq!(text.matches("'a, b c'").count(), 1);
        let joined: String = text.lines().map(|line| line.get(6..).unwrap().trim_start()).collect();
        assert_eq!(joined.replace(' ', ""), format!("CALLS1({},'a,bc')", arguments.join(",")));
    }

    #[test]
    fn long_statements_are_known() {
        let mut lines = Lines::default();
        lines.statement(None, 0, &vec!["R1"; 20_000].join(", "));
        assert!(lines.has_long_statement());
    }
}
