//! Farfel: the invariant of its named core on all cases of the corpus; depth and length of its programs.

use super::{check_named, describe};
use std::fmt::Write;
use std::path::Path;
use std::thread;
use std::time::Instant;
use vlad_core::check as core_check;
use vlad_core::diagnostic::Failure;
use vlad_farfel::Farfel;
use vlad_frontend::load::{Input, Options, load, named, surface, tokens};

/// More than the statements that may nest.
const DEEP: usize = 100_000;

fn options() -> Options {
    Options { language: Some(&Farfel), ..Options::default() }
}

fn input(program: &str) -> Input {
    Input::Text { name: "<test>".into(), bytes: program.as_bytes().to_vec(), folder: None }
}

fn try_load(program: &str) -> Result<(), Failure> {
    let loaded = load(input(program), &options())?;
    core_check::check(&loaded).unwrap_or_else(|message| panic!("{message}"));
    Ok(())
}

/// Loads, checks and shows a program on a stack as threads have it.
fn survives(program: String) {
    let outcome = thread::Builder::new().stack_size(2 << 20).spawn(move || {
        tokens(input(&program), &options()).unwrap();
        surface(input(&program), &options()).unwrap();
        named(input(&program), &options()).unwrap();
        try_load(&program).unwrap_or_else(|failure| panic!("{}", describe(&failure)));
    });
    outcome.unwrap().join().unwrap();
}

/// Loads a program with an error on such a stack, and checks the beginning of the first one.
fn fails(program: String, message: &str) {
    let outcome = thread::Builder::new().stack_size(2 << 20).spawn(move || describe(&try_load(&program).unwrap_err()));
    let found = outcome.unwrap().join().unwrap();
    assert!(found.contains(message), "{}", found.lines().next().unwrap());
}

#[test]
fn named_core_is_sound_on_the_corpus() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/corpus/farfel")];
    let mut count = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                check_named(Input::Path(path));
                count += 1;
            }
        }
    }
    assert!(count >= 150, "{count} cases");
}

#[test]
fn expressions_nest_to_any_depth() {
    survives(format!("X = {}1{}\nPRINT *, X\nEND\n", "(".repeat(DEEP), ")".repeat(DEEP)));
    survives(format!("LOGICAL P\nP = {}.TRUE.\nPRINT *, P\nEND\n", ".NOT. ".repeat(DEEP)));
    survives(format!("X = 1{}\nPRINT *, X\nEND\n", "**1".repeat(DEEP)));
    survives(format!("X = 1{}\nPRINT *, X\nEND\n", "+1".repeat(DEEP)));
    let call = format!("X = {}1.{}", "F(".repeat(DEEP / 4), ")".repeat(DEEP / 4));
    survives(format!("PROGRAM MAIN\n{call}\nPRINT *, X\nEND\nFUNCTION F(X)\nF = X\nEND\n"));
    survives(format!("PROGRAM MAIN\nPRINT *, MAX(1{})\nEND\n", ", 2".repeat(DEEP)));
}

#[test]
fn continuations_and_bodies_have_any_length() {
    survives(format!("      X = 1\n{}      PRINT *, X\n      END\n", "     & + 1\n".repeat(DEEP)));
    survives(format!("X = 1\n{}PRINT *, X\nEND\n", "X = X + 1\n".repeat(DEEP)));
    survives(format!("X = 1\n{}PRINT *, X\nEND\n", "IF (X .GT. 1) X = 2\n".repeat(DEEP / 4)));
    let branches = "ELSE IF (N .EQ. 3) THEN\nK = 1\n".repeat(DEEP / 4);
    survives(format!("N = 1\nK = 0\nIF (N .EQ. 2) THEN\nK = 2\n{branches}END IF\nPRINT *, K\nEND\n"));
}

#[test]
fn statements_and_subprograms_nest_to_a_limit() {
    let ifs = |count: usize| {
        format!("X = 1\n{}Y = 1\n{}END\n", "IF (X .GT. 0) THEN\n".repeat(count), "END IF\n".repeat(count))
    };
    survives(ifs(99));
    fails(ifs(DEEP), "statements are nested more than 100 deep");
    let blocks = |count: usize| {
        format!("X = 1\n{}X = 2*X\n{}PRINT *, X\nEND\n", "ADF (X)\n".repeat(count), "END ADF\n".repeat(count))
    };
    survives(blocks(99));
    let jumps =
        format!("X = 1\n{}GOTO 10\n{}10 PRINT *, X\nEND\n", "IF (X .GT. 0) THEN\n".repeat(99), "END IF\n".repeat(99));
    survives(jumps);
    let subprograms = |count: usize| "SUBROUTINE P\n".repeat(count) + &"END\n".repeat(count);
    survives(subprograms(99));
    fails(subprograms(DEEP), "subprograms are nested more than 100 deep");
    let list = |count: usize| {
        format!("X = 1\nADF ({}TANGENT(X) = 1{})\nEND ADF\nEND\n", "(".repeat(count), ", I = 1, 2)".repeat(count))
    };
    survives(list(90));
    fails(list(DEEP), "parentheses nest more than 100 deep");
}

/// A program with many labels, which jumps between them in another order.
fn labels(count: usize) -> String {
    let mut program = "K = 0\n".to_owned();
    for number in 0..count {
        let target = (number * 7) % count + 1;
        writeln!(program, "{} K = K + 1\nIF (K .LT. 0) GOTO {target}", number + 1).unwrap();
    }
    program + "PRINT *, K\nEND\n"
}

#[test]
fn labels_by_the_thousand() {
    survives(labels(20_000));
}

#[test]
fn time_grows_with_the_length() {
    let time = |lines: usize| {
        let body = "Y = X*2.5 + SIN(X)/3\nIF (Y .GT. 3) THEN\nX = X + Y*(2 - X)\nEND IF\n".repeat(lines / 40 / 4);
        let mut program = "PROGRAM MAIN\nEND\n".to_owned();
        for number in 0..40 {
            write!(program, "SUBROUTINE P{number}(X)\n{body}END\n").unwrap();
        }
        let start = Instant::now();
        try_load(&program).unwrap();
        start.elapsed().as_secs_f64()
    };
    time(1_000);
    let (short, long) = (time(10_000), time(100_000));
    // Linear would be 10; machines under load are allowed their share.
    assert!(long < 60.0 * short.max(0.01), "{short} s for 10000 lines, {long} s for 100000");
}

#[test]
fn loops_of_which_there_would_be_many_copies_hide_their_number() {
    let hidden = |loops: &str| {
        let core =
            named(input(&format!("      S = 0\n{loops}   10 S = S + I\n      PRINT *, S\n      END\n")), &options());
        core.unwrap().matches("(#real ").count()
    };
    // Of a loop of more turns the compiler makes no copies.
    for turns in [64, 65, 1000] {
        assert_eq!(hidden(&format!("      DO 10 I = 1, {turns}\n")), 0);
    }
    assert_eq!(hidden("      DO 10 J = 1, 8\n      DO 10 I = 1, 8\n"), 0);
    // The inner loop of 9 turns is copied, the outer one is not.
    assert_eq!(hidden("      DO 10 J = 1, 8\n      DO 10 I = 1, 9\n"), 1);
    assert_eq!(hidden("      N = 2\n      DO 10 J = 15, 1, -2\n      DO 10 K = 1, N\n      DO 10 I = 1, 9\n"), 1);
    assert_eq!(hidden("      DO 10 J = 1, 70\n      DO 10 K = 1, 8\n      DO 10 I = 1, 9\n"), 1);
    // A row of PRINT has a value for each turn.
    assert_eq!(hidden("      DO 10 J = 1, 8\n      PRINT *, (I, I = 1, J)\n      DO 10 I = 1, 9\n"), 0);
}
