//! Memory: the limit of a program applies to all memory of the process, and exhausted memory is an error.

use crate::{Answer, answer_of, folder, in_shell, vlad};
use nix::sys::resource::{UsageWho, getrusage};
use rstest::rstest;
use serde_json::Value;
use std::env;
use std::process::Command;
use vlad_engines::Engine;

/// Environment variable of the process that runs `measured` for another one: the arguments of the command, one on a
/// line.
const ARGUMENTS: &str = "VLAD_TEST_MEASURED";

/// The text before the number of bytes that the command took.
const MARK: &str = "most memory: ";

/// Runs the command and prints its peak memory. The system reports that of all children of a process together, so this
/// is a process of its own.
#[test]
fn measured() {
    let Some(arguments) = env::var_os(ARGUMENTS) else { return };
    let arguments = arguments.into_string().unwrap();
    let answer = answer_of(vlad().args(arguments.lines()));
    // The system reports it in units of 1024 bytes.
    let most = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap().max_rss() * 1024;
    println!("{MARK}{most}\n{}", answer.errors);
}

/// Returns the peak memory of a command, and its errors.
fn measure(arguments: &[&str]) -> (u64, String) {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", "bounds::memory::measured", "--nocapture"]).env(ARGUMENTS, arguments.join("\n"));
    let output = String::from_utf8(command.output().unwrap().stdout).unwrap();
    let (_, told) = output.split_once(MARK).unwrap_or_else(|| panic!("{output}"));
    let (most, errors) = told.split_once('\n').unwrap();
    (most.parse().unwrap(), errors.to_owned())
}

const DEEP: &str = "(define (f x) (+ 1 (f x))) (f 1)";
const DATA: &str = "(define (go n l) (if (= n 0) l (go (- n 1) (list l 1 2 3)))) (go 1e9 1)";
const TAPE: &str = "(define (go n x) (if (= n 0) x (go (- n 1) (sin (* 1.1 x))))) (*j (lambda (x) (go 1e9 x)) 0.5 1)";
/// Each step makes a vector of 8 megabytes.
const VECTORS: &str = "(define v (build 1000000 (lambda (i) i)))
    (define (go n l) (if (= n 0) l (go (- n 1) (cons (vector-set v 0 n) l)))) (go 1e9 '())";

#[rstest]
#[case::deep(DEEP)]
#[case::data(DATA)]
#[case::tape(TAPE)]
#[case::vectors(VECTORS)]
fn memory_is_passed_by_a_tenth_at_most(
    #[values(Engine::Interp, Engine::Hybrid, Engine::Native)] engine: Engine,
    #[case] program: &str,
) {
    // After this run the program is in the cache: a compiler would be measured as well, since it is a child.
    answer_of(vlad().args(["--engine", engine.name(), "--max-memory", "20M", "-e", program]));
    let limit = 200 << 20;
    let (most, errors) = measure(&[
        "--engine",
        engine.name(),
        "--max-memory",
        "200M",
        "--max-depth",
        "1000000000",
        "-e",
        &program.replace('\n', " "),
    ]);
    assert!(errors.starts_with("error[memory]: the memory limit of 209715200 bytes is reached"), "{errors}");
    assert!(most > limit / 3 && most <= limit / 10 * 11, "{most}");
}

/// Nothing checks the memory while a large array is filled, so it is checked before: the error has a place.
#[rstest]
fn an_array_that_is_too_large_has_a_place(
    #[values(Engine::Interp, Engine::Hybrid, Engine::Native)] engine: Engine,
    #[values(
        "build 1000000000 (fun i -> 1.5 * i)",
        "let large = build 2000000000 (fun i -> 1.5)\nlarge[3]",
        "let of n = build n (fun i -> 1.5 * i)\nof 1000000000"
    )]
    program: &str,
) {
    let language = ["--language", "fsmooth", "--max-memory", "40M"];
    let answer = answer_of(vlad().args(["--engine", engine.name()]).args(language).args(["-e", program]));
    assert!(answer.errors.starts_with("error[memory]: the memory limit of 41943040 bytes is reached"), "{answer:?}");
    assert!(answer.errors.contains(" --> <expression>:"), "{answer:?}");
}

/// A text that is kept for JSON takes memory while it is printed; an open parenthesis takes memory while it is read.
#[test]
fn memory_is_passed_by_a_tenth_at_most_without_an_engine() {
    let twice = "(define (twice n x) (if (= n 0) x (twice (- n 1) (cons x x)))) (twice 60 1)";
    let open = "(".repeat(100_000);
    for arguments in [&["--json", "-e", twice][..], &["-e", &open]] {
        let limited = [&["--max-memory", "100M"], arguments].concat();
        let (most, _) = measure(&limited);
        assert!(most <= (110 << 20), "{most}");
    }
}

/// Runs the command with so many kibibytes of address space.
fn within(kibibytes: u32, arguments: &[&str]) -> Answer {
    answer_of(&mut in_shell(&format!("ulimit -v {kibibytes};"), vlad().args(arguments)))
}

/// If the system grants no more memory, the error is of the same kind, wherever the allocation failed, and the output
/// stays.
#[rstest]
#[case::deep(DEEP)]
#[case::data(DATA)]
#[case::tape(TAPE)]
#[case::vectors(VECTORS)]
fn no_memory_is_an_error(
    #[values(Engine::Interp, Engine::Hybrid, Engine::Native)] engine: Engine,
    #[case] program: &str,
) {
    let program = format!("(write 7) {program}");
    // Compilers need more memory than that; after this run the program is in the cache.
    answer_of(vlad().args(["--engine", engine.name(), "--max-memory", "20M", "-e", &program]));
    for kibibytes in [100_000, 150_000] {
        // The default limit is half of the address space, and would be reached before.
        let answer = within(
            kibibytes,
            &["--engine", engine.name(), "--max-memory", "4G", "--max-depth", "1000000000", "-e", &program],
        );
        if engine == Engine::Native && answer.code == Some(4) {
            // There may be too little memory to ask the compiler for its version.
            continue;
        }
        answer.failed("7\n7\n", "error[memory]: the system gives no more memory");
    }
}

/// The allocator reserves address space in pieces of a hundred megabytes where there is so much; the rest has to do for
/// the threads that report the end.
#[test]
fn output_stays_with_any_address_space() {
    for kibibytes in (80_000..240_000).step_by(8_000) {
        let answer = within(
            kibibytes,
            &[
                "--engine",
                "interp",
                "--max-memory",
                "4G",
                "--max-depth",
                "1000000000",
                "-e",
                &format!("(write 7) {DEEP}"),
            ],
        );
        answer.failed("7\n7\n", "error[memory]: the system gives no more memory");
    }
}

/// The tables of the allocator find room where hardly more address space is left than the piece that it reserves first.
#[test]
fn the_allocator_has_room_for_its_tables() {
    for kibibytes in (156_000..182_000).step_by(50) {
        let answer = within(kibibytes, &["--engine", "interp", "--max-memory", "4G", "-e", "7"]);
        assert_eq!(answer.succeeded(), "7\n", "{kibibytes}");
    }
}

/// A stack that the environment asks for is not that of the threads that report the end.
#[test]
fn large_stacks_take_no_memory_from_reports() {
    let mut command = vlad();
    command.args([
        "--engine",
        "interp",
        "--max-memory",
        "4G",
        "--max-depth",
        "1000000000",
        "-e",
        &format!("(write 7) {DEEP}"),
    ]);
    command.env("RUST_MIN_STACK", "1000000000");
    let answer = answer_of(&mut in_shell("ulimit -v 100000;", &command));
    answer.failed("7\n7\n", "error[memory]: the system gives no more memory");
}

/// The same before anything runs, also with JSON.
#[test]
fn no_memory_for_loading_is_an_error() {
    let folder = folder("no_memory_for_loading", &[("open.vlad", &"(".repeat(16 << 20))]);
    let file = folder.join("open.vlad");
    let file = file.to_str().unwrap();
    within(150_000, &["--max-memory", "4G", file]).failed("", "error[memory]: the system gives no more memory");
    let told = within(150_000, &["--json", "--max-memory", "4G", file]);
    let object: Value = serde_json::from_str(&told.output).unwrap_or_else(|error| panic!("{error}: {told:?}"));
    assert_eq!((told.code, object["diagnostics"][0]["kind"].as_str()), (Some(1), Some("memory")));
    within(150_000, &["show", "ast", "--max-memory", "4G", file]).failed("", "error[memory]:");
    std::fs::remove_dir_all(folder).unwrap();
}

/// With any amount of memory with which the system can load the process, the process ends itself with that error.
#[test]
fn hardly_any_memory_is_no_crash() {
    let starts = |kibibytes: &u32| matches!(within(*kibibytes, &["--version"]).code, Some(0 | 1));
    let least = (1_000..60_000).step_by(1_000).find(starts).unwrap();
    for kibibytes in (least..least + 30_000).step_by(1_500) {
        let answer =
            within(kibibytes, &["--engine", "hybrid", "--max-memory", "4G", "--max-depth", "1000000000", "-e", DEEP]);
        answer.failed("", "error[memory]: the system gives no more memory");
    }
}

/// With any amount of memory the process starts or ends itself with that error. The allocator takes address space in
/// steps of two megabytes, so all amounts within one step are tried, at distances smaller than what is mapped before
/// `main`.
#[test]
fn a_start_is_no_crash() {
    let ends = |kibibytes: &u32| within(*kibibytes, &["--version"]).code == Some(1);
    let least = (1_000..60_000).step_by(1_000).find(ends).unwrap();
    for kibibytes in (least + 5_000..least + 7_100).step_by(8) {
        let answer = within(kibibytes, &["--version"]);
        let starts = answer.code == Some(0) && answer.errors.is_empty();
        let ends =
            answer.code == Some(1) && answer.errors.starts_with("error[memory]: the system gives no more memory");
        assert!(starts || ends, "{kibibytes}: {answer:?}");
    }
}
