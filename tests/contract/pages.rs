//! The pages of the report: their sections, sentences and tables.

use crate::numbers;
use std::fs;
use std::ops::Range;
use std::path::Path;

/// The most bytes of a number.
const LONGEST_NUMBER: usize = 24;

/// A text of the report: a part, or a section of it.
pub struct Page {
    /// Its name in messages.
    pub name: String,
    /// Its lines.
    pub text: String,
}

impl Page {
    /// Reads the part of a number.
    pub fn of(part: u8) -> Page {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/report");
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let is_part = |name: &str| name.starts_with(&format!("{part:02}-"));
        let path = names.into_iter().find(|path| is_part(&path.file_name().unwrap().to_string_lossy())).unwrap();
        Page { name: format!("part {part} of the report"), text: fs::read_to_string(path).unwrap() }
    }

    /// The page before the parts, with the contents.
    pub fn contents() -> Page {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/report/README.md");
        Page { name: "the contents of the report".to_owned(), text: fs::read_to_string(path).unwrap() }
    }

    /// The page up to a text.
    pub fn before(&self, end: &str) -> Page {
        let (text, _) = self.text.split_once(end).unwrap_or_else(|| panic!("{} has no `{end}`", self.name));
        Page { name: format!("{} before {end}", self.name), text: text.to_owned() }
    }

    /// The section whose heading begins so, as `9.4`, or the paragraphs behind bold words, up to the next ones.
    pub fn section(&self, heading: &str) -> Page {
        let marks = ["## ", "### ", "**"];
        let rank = |line: &str| marks.iter().position(|mark| line.starts_with(mark));
        let begins = |line: &str| rank(line).is_some_and(|rank| line[marks[rank].len()..].starts_with(heading));
        let mut lines = self.text.lines().skip_while(|line| !begins(line));
        let first = lines.next().unwrap_or_else(|| panic!("{} has no section `{heading}`", self.name));
        let is_inside = |line: &&str| rank(line).is_none_or(|other| rank(first).is_some_and(|rank| other > rank));
        let rest: Vec<&str> = lines.take_while(is_inside).collect();
        Page { name: format!("{heading}, {}", self.name), text: format!("{first}\n{}\n", rest.join("\n")) }
    }

    /// The rows of the tables whose head begins so, as cells.
    pub fn rows(&self, head: &str) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        let mut is_inside = false;
        for line in self.text.lines() {
            match line.strip_prefix('|') {
                None => is_inside = false,
                Some(_) if line.starts_with(head) => is_inside = true,
                Some(row) if is_inside && !row.starts_with("---") => rows.push(cells(row)),
                Some(_) => {}
            }
        }
        assert!(!rows.is_empty(), "{} has no table `{head}`", self.name);
        rows
    }

    /// The words in code of a column of these tables.
    pub fn column(&self, head: &str, column: usize) -> Vec<String> {
        self.rows(head).iter().filter_map(|row| row.get(column)).flat_map(|cell| spans(cell)).collect()
    }

    /// The words in code of the text outside of its blocks.
    pub fn spans(&self) -> Vec<String> {
        let mut is_block = false;
        let lines = self.text.lines().filter(|line| {
            is_block ^= line.starts_with("```");
            !is_block && !line.starts_with("```")
        });
        spans(&lines.collect::<Vec<&str>>().join(" "))
    }

    /// The numbers that stand in the places of `{}` in a sentence, which occurs once; their units are those of the sentence.
    pub fn numbers(&self, sentence: &str) -> Vec<f64> {
        let flat = self.text.split_whitespace().collect::<Vec<&str>>().join(" ");
        let parts: Vec<&str> = sentence.split("{}").collect();
        let (first, rest) = parts.split_first().unwrap();
        assert!(!parts.contains(&""), "a sentence has words around its numbers: {sentence}");
        let behind = flat.match_indices(first).map(|(at, _)| &flat[at + first.len()..]);
        let found: Vec<Vec<f64>> = behind.filter_map(|text| following(text, rest)).collect();
        match found.as_slice() {
            [numbers] => numbers.clone(),
            others => panic!("{} has the sentence `{sentence}` {} times", self.name, others.len()),
        }
    }

    /// The text between two others, with single blanks.
    pub fn between(&self, before: &str, after: &str) -> String {
        let flat = self.text.split_whitespace().collect::<Vec<&str>>().join(" ");
        let cut = flat.split_once(before).and_then(|(_, rest)| rest.split_once(after));
        cut.unwrap_or_else(|| panic!("{} has no `{before}` ... `{after}`", self.name)).0.to_owned()
    }
}

/// The numbers before each of some texts, which follow each other.
fn following(mut text: &str, parts: &[&str]) -> Option<Vec<f64>> {
    let mut numbers = Vec::new();
    for part in parts {
        let ends = text.match_indices(part).map(|(at, _)| at).take_while(|at| *at < LONGEST_NUMBER);
        let (at, number) = ends.filter_map(|at| Some((at, numbers::read(&text[..at])?))).next()?;
        numbers.push(number * numbers::unit(part));
        text = &text[at + part.len()..];
    }
    Some(numbers)
}

/// The cells of a row of a table, without the bar at its beginning.
fn cells(row: &str) -> Vec<String> {
    let row = row.replace("\\|", "\u{1}");
    row.trim_end().trim_end_matches('|').split('|').map(|cell| cell.trim().replace('\u{1}', "|")).collect()
}

/// The parts of a text in code.
pub fn spans(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The names that calls in code begin with, and names in code.
pub fn heads(spans: &[String]) -> Vec<String> {
    let head = |span: &String| match span.strip_prefix('(') {
        Some(call) => Some(call.split([' ', ')']).next()?.to_owned()).filter(|head| !head.starts_with('(')),
        None => (!span.contains([' ', '\''])).then(|| span.clone()),
    };
    spans.iter().filter_map(head).filter(|head| !head.is_empty()).collect()
}

/// The places in a text at which a word stands by itself.
pub fn words(text: &str, word: &str) -> Vec<Range<usize>> {
    let is_letter = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '?' | '>' | '*');
    let found = text.match_indices(word).map(|(at, word)| at..at + word.len());
    found
        .filter(|place| !text[..place.start].ends_with(is_letter) && !text[place.end..].starts_with(is_letter))
        .collect()
}
