//! Generator of invalid cases: programs that are ill-typed or malformed, and random texts.
//!
//! The result of an invalid program is a part of the language: the same message at the same place after the same
//! output. So most of these are mutations of good programs that get as far as running; the rest is for the front end,
//! which has to accept or reject all possible bytes. In the original programs all names are bound, so that most faults
//! occur late.

use super::case::{Case, Source};
use super::expressions::generate::Generator;
use super::generator_options::GeneratorOptions;
use super::program;
use super::trees::names::prelude_names;
use super::trees::{mutation, print};
use vlad_derivatives::numbers::Numbers;
use vlad_shared::table::primitives::PRIMITIVES;

/// Words that mean something to the front end, and some without a meaning.
const WORDS: [&str; 66] = [
    "(",
    ")",
    "(",
    ")",
    "[",
    "]",
    "'",
    "#;",
    ".",
    "#(",
    "#[",
    "()",
    "'()",
    "#|c|#",
    ";c\n",
    "#|",
    "|#",
    "\"a\"",
    "\"",
    "#t",
    "#f",
    "#",
    "#xff",
    "#e1",
    "1e",
    "1e999",
    "-1e-999",
    "+inf.0",
    "-nan.0",
    "+nan.0",
    "-0",
    "1.5.2",
    "12x",
    "=>",
    "else",
    "lambda",
    "define",
    "let",
    "let*",
    "letrec",
    "if",
    "cond",
    "and",
    "or",
    "begin",
    "quote",
    "quasiquote",
    "vector",
    "cons",
    "cons*",
    "list",
    "include",
    "set!",
    "((x 1))",
    "(x y)",
    "(x . y)",
    "(lambda x x)",
    "(define x 1)",
    "x",
    "f",
    "0",
    "1",
    "2",
    "-1",
    "0.5",
    "1e300",
];

/// Bytes that tokens, numbers, names or characters of UTF-8 begin or end with, among others.
const BYTES: &[u8] = b"()[]'#;|\"\\. \n\r\t0123456789abefinxyz+-*/=?!,`{}\0\x7f\x80\xc3\xa9\xff\xf0\x9f\xef\xbb\xbf";

/// Generates an invalid case from a seed.
pub fn generate(seed: u64, generator_options: GeneratorOptions) -> Case {
    let mut generator = Generator::new(seed, generator_options, program::reading(seed));
    generator.shape = generator_options.shape_of(seed);
    let source = match generator.numbers.below(20) {
        0..7 => {
            generator.waywardness = 5 + generator.numbers.below(60);
            Source::Tree(generator.program())
        }
        7..10 => {
            let mut tree = generator.program();
            for _ in 0..1 + generator.numbers.below(6) {
                mutation::mutate(&mut tree, &mut generator.numbers);
            }
            Source::Tree(tree)
        }
        10..15 => {
            let text = print::text(&generator.program());
            Source::Text(with_other_words(&text, &mut generator.numbers).into_bytes())
        }
        15 | 16 => {
            let text = print::text(&generator.program());
            Source::Text(with_other_bytes(text.into_bytes(), &mut generator.numbers))
        }
        17 => Source::Text(words(&mut generator.numbers).into_bytes()),
        18 => Source::Text(forms(&mut generator.numbers).into_bytes()),
        _ => Source::Text(bytes(&mut generator.numbers)),
    };
    generator.with_input_and_limit(seed, source)
}

/// A word with a meaning to the front end, a primitive, or a procedure of the prelude.
fn word(numbers: &mut Numbers) -> &'static str {
    let names: Vec<&'static str> = prelude_names().collect();
    let chosen = match numbers.below(3) {
        0 => WORDS.get(numbers.below(WORDS.len())).copied(),
        1 => PRIMITIVES.get(numbers.below(PRIMITIVES.len())).map(|row| row.name),
        _ => names.get(numbers.below(names.len())).copied(),
    };
    chosen.unwrap_or("x")
}

/// The words of a text, each with the white space after it.
fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let ends = |character: char| character.is_whitespace() || matches!(character, '(' | ')' | '\'');
        let word = if ends(first) { first.len_utf8() } else { rest.find(ends).unwrap_or(rest.len()) };
        let (_, behind) = rest.split_at(word);
        let space = behind.find(|character: char| !character.is_whitespace()).unwrap_or(behind.len());
        let (part, others) = rest.split_at(word + space);
        parts.push(part);
        rest = others;
    }
    parts
}

/// A text with some of its words left out, repeated, moved, or replaced by others.
fn with_other_words(text: &str, numbers: &mut Numbers) -> String {
    let mut parts = split(text);
    let most = if numbers.below(3) == 0 { 12 } else { 2 };
    for _ in 0..1 + numbers.below(most) {
        if parts.is_empty() {
            break;
        }
        let (mut at, other) = (numbers.below(parts.len()), numbers.below(parts.len()));
        // Most of the time words change and the parentheses stay, so that there is something to run.
        for _ in 0..8 {
            let is_parenthesis = parts.get(at).is_some_and(|part| part.starts_with(['(', ')']));
            if !is_parenthesis || numbers.below(12) == 0 {
                break;
            }
            at = numbers.below(parts.len());
        }
        let most = if numbers.below(4) == 0 { 4 } else { 1 };
        let length = (1 + numbers.below(most)).min(parts.len() - at);
        match numbers.below(8) {
            0 => drop(parts.drain(at..at + length)),
            1 => drop(parts.remove(at)),
            2 => parts.swap(at, other),
            3 => {
                let copied: Vec<&str> = parts.iter().skip(at).take(length).copied().collect();
                parts.splice(other..other, copied);
            }
            4 => {
                let moved: Vec<&str> = parts.drain(at..at + length).collect();
                let to = other.min(parts.len());
                parts.splice(to..to, moved);
            }
            5 => parts.splice(at..at, [word(numbers), " "]).for_each(drop),
            // The replacement of one word keeps most of a program.
            _ => parts.splice(at..at + 1, [word(numbers), " "]).for_each(drop),
        }
    }
    parts.concat()
}

/// A text with some other bytes in it.
fn with_other_bytes(mut text: Vec<u8>, numbers: &mut Numbers) -> Vec<u8> {
    for _ in 0..1 + numbers.below(8) {
        if text.is_empty() {
            break;
        }
        let at = numbers.below(text.len());
        match numbers.below(5) {
            0 => drop(text.remove(at)),
            1 => text.truncate(at),
            2 => text.insert(at, byte(numbers)),
            3 => {
                let end = (at + numbers.below(40)).min(text.len());
                let copied: Vec<u8> = text.iter().skip(at).take(end - at).copied().collect();
                let to = numbers.below(text.len());
                drop(text.splice(to..to, copied));
            }
            _ => {
                if let Some(place) = text.get_mut(at) {
                    *place = byte(numbers);
                }
            }
        }
    }
    text
}

fn byte(numbers: &mut Numbers) -> u8 {
    let any = numbers.bits() as u8;
    if numbers.below(4) == 0 { any } else { BYTES.get(numbers.below(BYTES.len())).copied().unwrap_or(any) }
}

/// Random bytes.
fn bytes(numbers: &mut Numbers) -> Vec<u8> {
    (0..numbers.below(200)).map(|_| byte(numbers)).collect()
}

/// Random words.
fn words(numbers: &mut Numbers) -> String {
    (0..numbers.below(60)).map(|_| word(numbers)).collect::<Vec<_>>().join(" ")
}

/// Random words in balanced forms: more of them pass the parser.
fn forms(numbers: &mut Numbers) -> String {
    let mut text = String::new();
    let mut open = 0;
    for _ in 0..2 + numbers.below(80) {
        match numbers.below(7) {
            0 | 1 if open < 12 => {
                text.push('(');
                open += 1;
                let head = match numbers.below(2) {
                    0 => WORDS.get(35 + numbers.below(16)).copied().unwrap_or("let"),
                    _ => word(numbers),
                };
                text.push_str(head);
            }
            2 if open > 0 => {
                text.push(')');
                open -= 1;
            }
            3 => text.push_str(["x", "1", "f", "((x 1))"].get(numbers.below(4)).copied().unwrap_or("x")),
            _ => text.push_str(word(numbers)),
        }
        text.push(' ');
    }
    text.push_str(&")".repeat(open));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use vlad_shared::frontend::load::{self, Input, Options};

    #[test]
    fn words_are_split_without_a_loss() {
        let text = "(define (f x)\n  '(1 2))\n";
        assert_eq!(split(text).concat(), text);
        assert_eq!(split(text).get(..4), Some(["(", "define ", "(", "f "].as_slice()));
    }

    #[test]
    fn many_get_as_far_as_running_and_many_do_not() {
        let loads = |seed| {
            let bytes = generate(seed, GeneratorOptions::default()).bytes();
            load::load(Input::Text { name: "program".to_owned(), bytes, folder: None }, &Options::default()).is_ok()
        };
        let loaded = (0..400).filter(|seed| loads(*seed)).count();
        assert!((120..320).contains(&loaded), "{loaded} of 400");
    }
}
