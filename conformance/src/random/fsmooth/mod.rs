//! Random programs in F-smooth, well-typed by construction, and ill-typed ones made of them.
//!
//! A program is a few definitions and expressions that use them. An expression is made for a type: its kind of number is
//! respected, so an Index stands where a Double is expected, never the reverse. Sizes and counts are at most four, so every
//! program ends soon; an index may be out of range, which is an error that the engines have to agree on.

pub mod campaign;
mod derivatives;
mod expressions;

use vlad_derivatives::numbers::Numbers;

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FsType {
    /// `Double`.
    Double,
    /// `Index`.
    Index,
    /// `Bool`.
    Boolean,
    /// `Array<T>`.
    Array(Box<FsType>),
    /// `T * U`.
    Pair(Box<FsType>, Box<FsType>),
}

impl FsType {
    /// Returns the type as programs write it.
    pub fn text(&self) -> String {
        match self {
            FsType::Double => "Double".to_owned(),
            FsType::Index => "Index".to_owned(),
            FsType::Boolean => "Bool".to_owned(),
            FsType::Array(element) => format!("Array<{}>", element.text()),
            FsType::Pair(first, second) => format!("({}) * ({})", first.text(), second.text()),
        }
    }
}

/// A function that the program defines.
#[derive(Clone, Debug)]
struct Function {
    name: String,
    parameters: Vec<FsType>,
    result: FsType,
}

/// The generator of a program.
pub struct FsGenerator {
    numbers: Numbers,
    /// The variables in scope, with their types.
    variables: Vec<(String, FsType)>,
    functions: Vec<Function>,
    /// The number of names that have been made.
    names: usize,
}

/// Returns the well-typed program of a seed.
pub fn well_typed(seed: u64) -> String {
    let mut generator = FsGenerator::new(seed);
    let mut text = generator.definitions();
    for _ in 0..1 + generator.numbers.below(3) {
        let wanted = generator.data_type(2);
        let expression = generator.expression(&wanted, 5);
        // A line that begins with a sign would be read as one all the same; one with `let` would be a definition.
        text.push_str(&format!("({expression})\n"));
    }
    text
}

impl FsGenerator {
    fn new(seed: u64) -> FsGenerator {
        FsGenerator { numbers: Numbers::new(seed), variables: vec![], functions: vec![], names: 0 }
    }

    fn definitions(&mut self) -> String {
        let count = 1 + self.numbers.below(4);
        (0..count).map(|_| self.definition()).collect()
    }
}

/// Returns a program that is the well-typed one of a seed, changed in a few places: most are ill-typed or malformed.
pub fn changed(seed: u64) -> String {
    change(well_typed(seed), seed)
}

/// Changes a text in a few places.
fn change(mut text: String, seed: u64) -> String {
    const WORDS: [&str; 24] = [
        "true",
        "1.5",
        "[| 1 |]",
        "(1, 2)",
        "fun x -> x",
        "let y = 1",
        "in",
        "if",
        "then",
        "else",
        "(",
        ")",
        "[",
        "|]",
        "+",
        "&&",
        "sin",
        "build",
        "ifold",
        "v0",
        "f1",
        "deriv",
        ":",
        "grad",
    ];
    let mut numbers = Numbers::new(seed ^ 0x5eed);
    for _ in 0..1 + numbers.below(2) {
        let words: Vec<(usize, usize)> = words(&text);
        let Some((from, to)) = words.get(numbers.below(words.len().max(1))).copied() else { break };
        let replacement = match numbers.below(4) {
            0 => String::new(),
            1 => text.get(from..to).map(|word| format!("{word} {word}")).unwrap_or_default(),
            _ => WORDS.get(numbers.below(WORDS.len())).map(|word| (*word).to_owned()).unwrap_or_default(),
        };
        text.replace_range(from..to, &replacement);
    }
    text
}

/// Returns the places of the words and symbols of a text.
fn words(text: &str) -> Vec<(usize, usize)> {
    let (mut found, mut from) = (vec![], None);
    for (at, character) in text.char_indices() {
        if character.is_alphanumeric() || character == '.' || character == '_' {
            from = from.or(Some(at));
            continue;
        }
        if let Some(from) = from.take() {
            found.push((from, at));
        }
        if !character.is_whitespace() {
            found.push((at, at + character.len_utf8()));
        }
    }
    found
}
