//! From statements to lines: layout, continuation, comments and case, chosen at random.

use fastrand::Rng;

/// The columns of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Columns {
    /// Labels on the left, statements from column 7, continuation marks in column 6.
    Fixed,
    /// Statements anywhere, continued by `&` at the end or a mark at the beginning.
    Free,
}

/// The case of letters outside texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    Upper,
    Lower,
    Mixed,
}

/// The choices for the layout of a text.
#[derive(Debug)]
pub struct Layout {
    /// The source of choices; none for the plainest ones.
    random: Option<Rng>,
    columns: Columns,
    case: Case,
    /// The percentage of lines with comments, of lines that are continued early, and of blanks that are left out.
    comments: u8,
    breaks: u8,
    tight: u8,
}

/// The longest line.
const LONGEST: usize = 72;

impl Layout {
    /// The plainest layout: in free columns and upper case, without comments.
    pub fn plain() -> Layout {
        Layout { random: None, columns: Columns::Free, case: Case::Upper, comments: 0, breaks: 0, tight: 0 }
    }

    /// A layout that a seed chooses.
    pub fn random(seed: u64) -> Layout {
        let mut random = Rng::with_seed(seed);
        let columns = if random.bool() { Columns::Fixed } else { Columns::Free };
        let case = match random.u8(0..4) {
            0 => Case::Lower,
            1 => Case::Mixed,
            _ => Case::Upper,
        };
        let mut percentage = |most| if random.bool() { random.u8(0..most) } else { 0 };
        let (comments, breaks, tight) = (percentage(20), percentage(30), percentage(100));
        Layout { random: Some(random), columns, case, comments, breaks, tight }
    }

    /// True with a probability in percent; false in the plain layout.
    pub fn chance(&mut self, percentage: u8) -> bool {
        self.random.as_mut().is_some_and(|random| random.u8(0..100) < percentage)
    }

    /// One of some spellings; the first one in the plain layout.
    pub fn any(&mut self, spellings: &'static [&'static str]) -> &'static str {
        let place = self.random.as_mut().map_or(0, |random| random.usize(0..spellings.len().max(1)));
        spellings.get(place).copied().unwrap_or_default()
    }

    /// A blank, or nothing.
    pub fn blank(&mut self) -> &'static str {
        let tight = self.tight;
        if self.chance(tight) { "" } else { " " }
    }

    /// The text with letters in the chosen case, but for what is quoted.
    fn cased(&mut self, text: &str) -> String {
        let mut is_quoted = false;
        text.chars()
            .map(|letter| {
                is_quoted ^= letter == '\'';
                let is_lower = match self.case {
                    Case::Upper => false,
                    Case::Lower => true,
                    Case::Mixed => self.chance(50),
                };
                if is_lower && !is_quoted { letter.to_ascii_lowercase() } else { letter }
            })
            .collect()
    }
}

/// The lines of a text.
pub(super) struct Lines<'layout> {
    layout: &'layout mut Layout,
    text: String,
    depth: usize,
}

impl<'layout> Lines<'layout> {
    pub(super) fn new(layout: &'layout mut Layout) -> Lines<'layout> {
        Lines { layout, text: String::new(), depth: 0 }
    }

    pub(super) fn layout(&mut self) -> &mut Layout {
        self.layout
    }

    pub(super) fn any(&mut self, spellings: &'static [&'static str]) -> &'static str {
        self.layout.any(spellings)
    }

    pub(super) fn blank(&mut self) -> &'static str {
        self.layout.blank()
    }

    pub(super) fn indent(&mut self, by: isize) {
        self.depth = self.depth.saturating_add_signed(by);
    }

    pub(super) fn finish(self) -> String {
        self.text
    }

    /// Adds a statement with a label.
    pub(super) fn statement(&mut self, label: Option<u32>, text: &str) {
        let comments = self.layout.comments;
        if self.layout.chance(comments) {
            let comment =
                self.layout.any(&["C", "C A COMMENT: X = 1", "* ANOTHER ONE", "c END", "! A THIRD", "", "   "]);
            self.text.push_str(comment);
            self.text.push('\n');
        }
        let label = label.map_or(String::new(), |label| label.to_string());
        let indent = " ".repeat((2 * self.depth).min(20));
        let start = match self.layout.columns {
            Columns::Fixed => format!("{label:<6}{indent}"),
            Columns::Free if label.is_empty() => indent.clone(),
            Columns::Free => format!("{label} {indent}"),
        };
        let mut line = start;
        let mut is_fresh = false;
        let parts = parts(text);
        let count = parts.len();
        for (place, part) in parts.into_iter().enumerate() {
            let breaks = self.layout.breaks;
            // Keywords of several words stay on one line, and so does a label with its statement.
            // A mark alone on a line could be the one of its begin or of its end.
            let may_break = place > 1 && place < count && !is_fresh;
            let is_broken = may_break && (line.len() + part.len() > LONGEST - 2 || self.layout.chance(breaks));
            is_fresh = is_broken;
            if is_broken {
                line = self.continued(line, &indent, part.trim_start().starts_with('+'));
            }
            // A digit behind five blanks would be a mark.
            let part = self.layout.cased(if is_broken { part.trim_start() } else { &part });
            line.push_str(&part);
        }
        self.text.push_str(line.trim_end());
        if self.layout.chance(comments) {
            self.text.push_str(" ! IT''S A REMARK");
        }
        self.text.push('\n');
    }

    /// Ends a line that is continued; returns the beginning of the next one.
    fn continued(&mut self, line: String, indent: &str, is_plus: bool) -> String {
        match self.layout.columns {
            Columns::Fixed => {
                self.text.push_str(&line);
                self.text.push('\n');
                format!("     {}{indent}", self.layout.any(&["+", "&", "1", "$", "*", "9"]))
            }
            Columns::Free => {
                let (end, begin) = match self.layout.any(&["end", "begin", "both"]) {
                    "end" if !is_plus => ("&", ""),
                    // An ordinary compiler knows no other mark than `&`.
                    "begin" | "end" if self.layout.random.is_some() => ("", "+ "),
                    _ => (" &", "& "),
                };
                self.text.push_str(&line);
                self.text.push_str(end);
                self.text.push('\n');
                format!("{indent}{begin}")
            }
        }
    }
}

/// The text in parts between which a line may end: words with the blanks behind them, and other characters.
fn parts(text: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let (mut is_quoted, mut may_join) = (false, false);
    for letter in text.chars() {
        let is_part_of_word =
            letter.is_alphanumeric() || letter == '.' || letter == '*' || letter == ' ' || letter == '\'';
        let in_exponent = parts.last().is_some_and(|last| is_exponent(last)) && (letter == '-' || letter == '+');
        match parts.last_mut() {
            Some(last) if is_quoted || in_exponent || letter == ' ' || (may_join && is_part_of_word) => {
                last.push(letter)
            }
            Some(_) | None => parts.push(letter.to_string()),
        }
        is_quoted ^= letter == '\'';
        may_join = is_part_of_word || is_quoted || in_exponent;
    }
    parts
}

/// Returns true for the beginning of a real up to the letter of its exponent.
fn is_exponent(part: &str) -> bool {
    let mut letters = part.chars().rev();
    let is_letter = letters.next().is_some_and(|letter| letter == 'E' || letter == 'D');
    let digits: String = letters.take_while(|letter| letter.is_ascii_digit() || *letter == '.').collect();
    is_letter && digits.chars().any(|digit| digit.is_ascii_digit())
}
