//! Numbers: those of the report, in digits and in words, and those of constants in the sources, which are small expressions.

use std::fs;
use std::path::Path;

/// The words for numbers, for the denominators of fractions, for fractions and for times.
const WORDS: [(&str, f64); 27] = [
    ("one", 1.0),
    ("two", 2.0),
    ("three", 3.0),
    ("four", 4.0),
    ("five", 5.0),
    ("six", 6.0),
    ("seven", 7.0),
    ("eight", 8.0),
    ("nine", 9.0),
    ("ten", 10.0),
    ("sixteen", 16.0),
    ("twenty", 20.0),
    ("thirty", 30.0),
    ("a", 1.0),
    ("quarter", 4.0),
    ("sixteenth", 16.0),
    ("half", 0.5),
    ("a quarter", 0.25),
    ("a fifth", 0.2),
    ("a tenth", 0.1),
    ("a hundredth", 0.01),
    ("a thousandth", 0.001),
    ("millisecond", 0.001),
    ("a minute", 60.0),
    ("ten thousand", 1e4),
    ("a million", 1e6),
    ("two million", 2e6),
];

/// Reads a number of the report: `4000000`, `2^22`, `1e-9`, `512M`, `three`.
pub fn read(text: &str) -> Option<f64> {
    if let Some((_, number)) = WORDS.iter().find(|(word, _)| *word == text) {
        return Some(*number);
    }
    if let Some((base, exponent)) = text.split_once('^') {
        return Some(read(base)?.powi(exponent.parse().ok()?));
    }
    let unit = unit(text.get(text.len().checked_sub(1)?..)?);
    let digits = if unit == 1.0 { text } else { &text[..text.len() - 1] };
    let is_number = digits.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '-' | '.'));
    digits.parse().ok().filter(|_| is_number).map(|number: f64| number * unit)
}

/// The unit that a text behind a number begins with, in bytes or seconds; 1 if it is none.
pub fn unit(text: &str) -> f64 {
    let word = text.trim_start().split([' ', ',', '.', ';', ')', ':']).next().unwrap_or_default();
    match word {
        "K" | "KiB" | "kilobytes" => 1024.0,
        "M" | "MB" | "MiB" | "megabyte" | "megabytes" => f64::from(1 << 20),
        "G" | "GiB" | "gigabytes" => f64::from(1 << 30),
        "minutes" => 60.0,
        _ => 1.0,
    }
}

/// A number of the sources.
#[derive(Clone, Copy)]
pub struct Source {
    file: &'static str,
    /// The text that the number stands behind.
    behind: &'static str,
    /// True if that text is the name of a constant.
    is_name: bool,
    factor: f64,
}

/// The value of a constant of Rust, or of a definition of the preprocessor of C.
pub const fn constant(file: &'static str, name: &'static str) -> Source {
    Source { file, behind: name, is_name: true, factor: 1.0 }
}

/// The number behind the first occurrence of a text, whose parts between ` ... ` follow each other.
pub const fn behind(file: &'static str, text: &'static str) -> Source {
    Source { file, behind: text, is_name: false, factor: 1.0 }
}

impl Source {
    /// This number times another one.
    pub const fn times(self, factor: f64) -> Source {
        Source { factor: self.factor * factor, ..self }
    }

    /// Reads the number.
    pub fn value(&self) -> f64 {
        let text = source(self.file);
        let value = if self.is_name {
            named(&text, self.behind)
        } else {
            let mut parts = self.behind.split(" ... ");
            parts.try_fold(text.as_str(), |rest, part| Some(rest.split_once(part)?.1)).map(|rest| evaluate(&text, rest))
        };
        self.factor * value.flatten().unwrap_or_else(|| panic!("{} has no number `{}`", self.file, self.behind))
    }

    /// The place of the number, for messages.
    pub fn place(&self) -> String {
        format!("`{}` in {}", self.behind, self.file)
    }
}

/// Reads a file of the sources.
pub fn source(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The value of a constant; none if the text does not define it, and inside none if the value is no number.
fn named(text: &str, name: &str) -> Option<Option<f64>> {
    let rust = text.split_once(&format!("const {name}:")).and_then(|(_, rest)| rest.split_once('='));
    let c = || text.split_once(&format!("#define {name} "));
    rust.or_else(c).map(|(_, rest)| evaluate(text, rest))
}

/// The value of the expression that a text begins with; names are constants of a file.
fn evaluate(file: &str, text: &str) -> Option<f64> {
    Expression { file, rest: text }.shifted()
}

/// The rest of an expression.
struct Expression<'text> {
    file: &'text str,
    rest: &'text str,
}

impl Expression<'_> {
    fn takes(&mut self, token: &str) -> bool {
        let rest = self.rest.trim_start_matches(' ').strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn shifted(&mut self) -> Option<f64> {
        let value = self.product()?;
        Some(if self.takes("<<") { value * self.product()?.exp2() } else { value })
    }

    fn product(&mut self) -> Option<f64> {
        let mut value = self.operand()?;
        while self.takes("* ") {
            value *= self.operand()?;
        }
        Some(value)
    }

    fn operand(&mut self) -> Option<f64> {
        if self.takes("-") {
            return Some(-self.operand()?);
        }
        if self.takes("(") {
            let cast =
                self.rest.split_once("_t)").filter(|(name, _)| name.chars().all(|letter| letter.is_alphanumeric()));
            if let Some((_, rest)) = cast {
                self.rest = rest;
                return self.operand();
            }
            let value = self.shifted()?;
            self.takes(" as f64");
            return self.takes(")").then_some(value);
        }
        let is_letter = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | ':' | '.');
        let text = self.rest.trim_start();
        let mut end = text.find(|letter| !is_letter(letter)).unwrap_or(text.len());
        if text[..end].ends_with('e') && text[..end].starts_with(|first: char| first.is_ascii_digit()) {
            end += 1 + text[end + 1..].find(|letter| !is_letter(letter)).unwrap_or(0);
        }
        let (word, rest) = text.split_at(end);
        self.rest = rest;
        if word.starts_with(|first: char| first.is_ascii_digit()) {
            let digits = word.replace('_', "");
            return digits
                .trim_end_matches(|letter: char| letter.is_alphabetic())
                .parse()
                .ok()
                .or_else(|| literal(&digits));
        }
        let unit = match word {
            "Some" | "UINT64_C" | "UINT32_C" | "Duration::from_secs" | "Tolerance::relative" => 1.0,
            "Duration::from_millis" => 0.001,
            name => return named(self.file, name)?,
        };
        self.operand().map(|value| value * unit)
    }
}

/// The value of a literal with a type behind it.
fn literal(digits: &str) -> Option<f64> {
    ["u64", "u32", "usize", "u"].iter().find_map(|suffix| digits.strip_suffix(suffix)?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_report() {
        let numbers = [("4000000", 4e6), ("2^22", 4_194_304.0), ("1e-9", 1e-9), ("16M", 16_777_216.0), ("three", 3.0)];
        for (text, number) in numbers {
            assert_eq!(read(text), Some(number), "{text}");
        }
        for text in ["", "N", "inf", "nan", "the three", "2^"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_of_the_sources() {
        let file = "const A: u64 = 1 << 22;\nconst B: f64 = 8 * A;\nconst C: Duration = Duration::from_millis(20 * 5);\n\
                    const D: f64 = (1_u64 << 3) as f64;\nconst E: f64 = 1e-9;\n#define F ((size_t)3 << 1)\n\
                    #define G (UINT64_C(1) << 4)\n#define H (1u << 2)\nconst I: i32 = -66;\n";
        let values = [4_194_304.0, 33_554_432.0, 0.1, 8.0, 1e-9, 6.0, 16.0, 4.0, -66.0];
        for (name, value) in ["A", "B", "C", "D", "E", "F", "G", "H", "I"].into_iter().zip(values) {
            assert_eq!(named(file, name), Some(Some(value)), "{name}");
        }
        assert_eq!(named(file, "J"), None);
    }
}
