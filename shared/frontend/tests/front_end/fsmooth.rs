//! Depth, length and odd texts of F-smooth: constant host stack, no quadratic time, and errors in place of explosions.

use super::describe;
use std::thread;
use vlad_core::check as core_check;
use vlad_core::diagnostic::Failure;
use vlad_frontend::load::{Input, Options, load, named, surface, tokens, typed};
use vlad_fsmooth::FSMOOTH;

/// The depth, or the length. A stack of 256 KiB has no room for 8 bytes for each level.
const DEEP: usize = 40_000;

fn options() -> Options {
    Options { language: Some(&FSMOOTH), ..Options::default() }
}

fn text(text: &str) -> Input {
    Input::Text { name: "<test>".into(), bytes: text.as_bytes().to_vec(), folder: None }
}

/// Shows, loads and checks a program.
fn all_passes(program: &str) -> Result<String, Failure> {
    tokens(text(program), &options())?;
    surface(text(program), &options())?;
    let shown = typed(text(program), &options())?;
    named(text(program), &options())?;
    let loaded = load(text(program), &options())?;
    core_check::check(&loaded).unwrap_or_else(|message| panic!("{message}"));
    Ok(shown)
}

/// Runs on a small stack.
fn on_small_stack(test: impl FnOnce() + Send + 'static) {
    thread::Builder::new().stack_size(256 << 10).spawn(test).unwrap().join().unwrap();
}

/// Checks that a program has no errors.
fn survives(program: String) {
    on_small_stack(move || {
        all_passes(&program).unwrap_or_else(|failure| panic!("{}", describe(&failure)));
    });
}

/// Checks that a program has an error whose description contains a text.
fn fails(program: String, expected: &'static str) {
    on_small_stack(move || match all_passes(&program) {
        Ok(_) => panic!("no errors"),
        Err(failure) => assert!(describe(&failure).contains(expected), "{}", describe(&failure)),
    });
}

fn nested(before: &str, inner: &str, after: &str) -> String {
    before.repeat(DEEP) + inner + &after.repeat(DEEP) + "\n"
}

#[test]
fn deep_expressions() {
    survives(nested("(", "1", ")"));
    survives(nested("- ", "1", ""));
    survives(nested("!", "true", ""));
    survives(nested("1 + ", "1", ""));
    survives(nested("1 ** ", "1", ""));
    survives(nested("sin (", "1", ")"));
    survives("let v = [| 0 |]\n".to_owned() + &nested("v[", "0", "]"));
    survives(nested("if true then ", "1", " else 2"));
    survives("let f x =\n".to_owned() + &"  let x = x + 1\n".repeat(DEEP) + "  x\n");
    survives(nested("(let x = ", "1", " in x)"));
    survives(nested("(fun x -> ", "1", ") 2"));
    survives("let identity x = x\n".to_owned() + &nested("identity (", "1", ")"));
    survives(nested("(*", "1", "*)") + "2\n");
}

#[test]
fn long_texts() {
    survives("1\n".repeat(DEEP));
    survives(format!("length [| {}0 |]\n", "1; ".repeat(DEEP)));
    survives(
        (0..DEEP / 2)
            .map(|number| format!("let f{} x = f{number} x + 1\n", number + 1))
            .fold("let f0 x = x\n".to_owned(), |all, line| all + &line),
    );
    survives(String::new());
    survives("\n\n// nothing\n(* nothing *)\n".to_owned());
}

#[test]
fn types_that_are_too_large() {
    let too_large = "this type has more than 4096 parts";
    fails(nested("[|", "1", "|]"), too_large);
    fails(nested("(", "1", ", 1)"), too_large);
    fails(nested("fun x -> ", "1", ""), too_large);
    fails(format!("let f (x : {}) = 1\n", nested("Array<", "Double", ">").trim_end()), too_large);
    let doubled = (1..20).map(|number| format!("let f{number} x = f{} (f{0} x)\n", number - 1));
    fails(doubled.fold("let f0 x = (x, x)\n".to_owned(), |all, line| all + &line), too_large);
}

#[test]
fn broken_texts() {
    fails("(".repeat(DEEP), "this `(` is never closed");
    fails(")".repeat(DEEP), "closes nothing");
    fails("let ".repeat(DEEP), "let");
    fails("if ".repeat(DEEP), "something is missing");
    fails("(*".repeat(DEEP), "never closed");
    fails("\u{0}\u{1}\u{7f}".to_owned(), "no token begins");
    fails("let f x = x\n".repeat(3), "is defined twice");
}

#[test]
fn typed_trees_read_back() {
    let program = "let map v f = build (length v) (fun i -> f v[i])\n\
                   let twice f x = f (f x)\n\
                   map [| 1; 2 |] (fun x -> (x, x + 0.5))\n\
                   map (build 3 (fun i -> i)) (fun i -> i / 2)\n\
                   twice (fun v -> map v (negate)) [| 1; 2 |]\n\
                   let order = [| 2; 1; 0 |]\n\
                   map order (fun i -> order[i])\n";
    let shown = all_passes(program).unwrap_or_else(|failure| panic!("{}", describe(&failure)));
    let again = all_passes(&shown).unwrap_or_else(|failure| panic!("{}\nin {shown}", describe(&failure)));
    assert_eq!(shown, again);
    assert_eq!(shown.matches("let map").count(), 3, "{shown}");
}
