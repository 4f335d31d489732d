//! Fuzzing with random text: it is read or refused, and never causes a panic.

use super::{check_named, describe, try_load};
use fastrand::Rng;
use vlad_core::{check as core_check, print as core_print};
use vlad_frontend::load::{Input, Options, load};

const TOKENS: [&str; 49] = [
    "(", "(", "(", "(", ")", ")", ")", "[", "]", "'", "#;", ".", "1", "-2.5", "#t", "#f", "x", "y", "f", "sin", "+",
    "cons", "list", "cons*", "lambda", "define", "let", "let*", "letrec", "if", "cond", "else", "and", "or", "begin",
    "quote", "vector", "include", "\"a\"", "12x", "()", "=>", "((x 1))", "(x y)", "map", "#|c|#", "#(", "#[",
    "#(1 #t)",
];

/// Returns a balanced form of random parts, so that much of the text passes the parser.
fn form(numbers: &mut Rng, depth: usize) -> String {
    let heads = &TOKENS[16..37];
    let mut parts = vec![heads[numbers.usize(..heads.len())].to_string()];
    for _ in 0..numbers.usize(..5) {
        parts.push(match numbers.usize(..6) {
            0..3 if depth > 0 => form(numbers, depth - 1),
            0 => "((x 1) (y x))".into(),
            1 => "(x)".into(),
            2 => "(define x 1)".into(),
            3 => ["x", "y", "f", "1", "#t"][numbers.usize(..5)].into(),
            _ => TOKENS[12 + numbers.usize(..8)].into(),
        });
    }
    format!("({})", parts.join(" "))
}

fn load_and_show(text: &str) {
    match try_load(text) {
        Ok(program) => {
            core_check::check(&program).unwrap();
            core_print::print(&program);
        }
        Err(failure) => {
            assert!(!failure.diagnostics.is_empty());
            describe(&failure);
        }
    }
}

#[test]
fn soup_of_tokens() {
    let mut numbers = Rng::with_seed(1);
    for _ in 0..5_000 {
        let tokens: Vec<&str> = (0..numbers.usize(..25)).map(|_| TOKENS[numbers.usize(..TOKENS.len())]).collect();
        load_and_show(&tokens.join(" "));
    }
}

#[test]
fn soup_of_forms() {
    let mut numbers = Rng::with_seed(2);
    for _ in 0..5_000 {
        load_and_show(&form(&mut numbers, 4));
    }
}

#[test]
fn soup_of_bytes() {
    let mut numbers = Rng::with_seed(3);
    let alphabet = b"()[]'#;|\"\\. \n\r\t0123456789abxyz+-*/=?!,`{}\0\x7f\x80\xc3\xa9\xff\xf0\x9f";
    for round in 0..5_000 {
        let length = numbers.usize(..40);
        let bytes = (0..length).map(|_| match round % 2 {
            0 => alphabet[numbers.usize(..alphabet.len())],
            _ => numbers.usize(..256) as u8,
        });
        let input = Input::Text { name: "soup".into(), bytes: bytes.collect(), folder: None };
        check_named(input.clone());
        match load(input, &Options::default()) {
            Ok(program) => core_check::check(&program).unwrap(),
            Err(failure) => {
                describe(&failure);
                for diagnostic in &failure.diagnostics {
                    let span = diagnostic.span.unwrap();
                    let text = &failure.sources.get(span.file).unwrap().text;
                    assert!(text.get(span.start as usize..span.end as usize).is_some(), "{span:?} in {text:?}");
                }
            }
        }
    }
}
