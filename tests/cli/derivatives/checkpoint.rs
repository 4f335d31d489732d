//! The checkpoint options: where `checkpoint-*j` splits an execution.

use crate::answer;
use rstest::rstest;
use serde_json::Value;
use vlad_engines::Engine;

/// A loop, its derivative by `checkpoint-*j` and by `*j`, and its steps.
const PROGRAM: &str = "(define (go n x) (if (= n 0) x (go (- n 1) (sin (* 1.1 x)))))
                       (define (f x) (go 300 x))
                       (checkpoint-*j f 0.5 1) (*j f 0.5 1) (primops f 0.5)";

/// Returns the only row of `checkpoint-*j` in the profile of a run with some options, and the steps of its procedure.
fn row(options: &[&str]) -> (Value, u64) {
    let told = answer(&[&["profile", "--json", "--engine", "interp", "-e", PROGRAM], options].concat()).succeeded();
    let told: Value = serde_json::from_str(&told).unwrap();
    let line = |number: usize| told["output"][number]["text"].as_str().unwrap();
    assert_eq!(line(0), line(1), "{options:?}");
    (told["profile"]["rows"][0].clone(), line(2).parse().unwrap())
}

#[rstest]
#[case::depth(&["--checkpoint", "binomial", "--depth", "1"], "--depth is for --checkpoint bisection")]
#[case::snapshots(&["--snapshots", "1"], "--snapshots and --passes are for --checkpoint binomial")]
#[case::passes(&["--checkpoint", "bisection", "--passes", "1"], "--snapshots and --passes are for")]
#[case::no_base_case(&["--base-case", "0"], "invalid value '0'")]
#[case::negative(&["--depth", "-1"], "invalid value '-1'")]
#[case::large(&["--checkpoint", "binomial", "--passes", "18446744073709551616"], "too large")]
#[case::no_number(&["--checkpoint", "binomial", "--snapshots", "many"], "invalid value 'many'")]
#[case::unknown(&["--checkpoint", "revolve"], "possible values: bisection, binomial")]
fn options_that_do_not_go_together_are_refused(#[case] options: &[&str], #[case] complaint: &str) {
    for command in [&[][..], &["run"], &["profile"]] {
        let answer = answer(&[command, options, &["-e", "1"]].concat());
        assert_eq!((answer.code, answer.output.as_str()), (Some(2), ""), "{command:?}");
        assert!(answer.errors.contains(complaint), "{command:?}: {}", answer.errors);
    }
}

#[test]
fn without_options_intervals_are_halved_until_their_tapes_are_short() {
    // Each of the first loop's rounds makes two nodes. In the second program most steps make none.
    for (rounds, expression, halvings) in [(300, "x", 0), (32_000, "x", 0), (70_000, "x", 2), (70_000, "1", 0)] {
        let program = format!(
            "(define (go n x) (if (= n 0) x (go (- n 1) (sin (* 1.1 x)))))
             (checkpoint-*j (lambda (x) (* x (go {rounds} {expression}))) 0.5 1)"
        );
        for engine in Engine::ALL {
            let told = answer(&["profile", "--json", "--engine", engine.name(), "-e", &program]).succeeded();
            let told: Value = serde_json::from_str(&told).unwrap();
            let row = &told["profile"]["rows"][0];
            assert_eq!(row["reversals"].as_u64(), Some(1 << halvings), "{engine} {rounds} {expression}");
            assert_eq!(row["snapshots"], halvings + 1);
        }
    }
}

#[test]
fn bisection_executes_half_as_much_again_for_each_level() {
    for depth in 0..8_u32 {
        let (row, steps) = row(&["--depth", &depth.to_string()]);
        // Each level advances over the first half of each interval, rounded down; then everything is recorded once.
        let mut executed = steps;
        let mut intervals = vec![steps];
        for _ in 0..depth {
            executed += intervals.iter().map(|length| length / 2).sum::<u64>();
            intervals = intervals.iter().flat_map(|length| [length / 2, length - length / 2]).collect();
        }
        assert_eq!((row["executed"].as_u64(), row["reversals"].as_u64()), (Some(executed), Some(1 << depth)));
        let ratio = row["ratio"].as_f64().unwrap();
        assert!((ratio - (2.0 + f64::from(depth) / 2.0)).abs() < 0.01, "{depth}: {ratio}");
        assert_eq!(row["longest"]["actions"].as_array().unwrap().len(), (2 << depth) - 1);
    }
}

#[test]
fn a_base_case_bounds_what_is_recorded() {
    for options in [&["--base-case", "100"][..], &["--checkpoint", "binomial", "--base-case", "100"]] {
        let (row, steps) = row(options);
        let actions = row["longest"]["actions"].as_array().unwrap();
        let reversed = actions.iter().filter(|action| action["action"] == "reverse");
        let lengths: Vec<u64> = reversed.map(|action| action["steps"].as_u64().unwrap()).collect();
        assert!(lengths.iter().all(|length| *length <= 100) && lengths.iter().sum::<u64>() == steps, "{options:?}");
    }
}

#[test]
fn binomial_checkpointing_keeps_as_many_states_as_it_may() {
    let (row, steps) = row(&["--checkpoint", "binomial", "--snapshots", "3", "--passes", "4"]);
    // eta(3, 4) = 7! / (3! 4!) = 35 intervals.
    assert_eq!(row["snapshots"], 4);
    let longest = steps.div_ceil(35);
    let actions = row["longest"]["actions"].as_array().unwrap();
    let reversed = actions.iter().filter(|action| action["action"] == "reverse");
    assert!(reversed.clone().all(|action| action["steps"].as_u64().unwrap() <= longest));
    assert!(reversed.count() <= 35);
    // Each step is executed once at first, at most four more times, and once to be recorded.
    assert!(row["ratio"].as_f64().unwrap() <= 6.0);
}

#[test]
fn what_is_not_enough_is_an_error() {
    let options = ["--checkpoint", "binomial", "--snapshots", "1", "--passes", "1", "--base-case", "10"];
    answer(&[&options[..], &["-e", PROGRAM]].concat()).failed("", "error[limit]:");
}

#[test]
fn operands_come_before_options() {
    let program = "(checkpoint-*j-bisection (lambda (x) (* x (sin x))) 0.5 1 2 #f)";
    let told = answer(&["profile", "--json", "--checkpoint", "binomial", "--engine", "interp", "-e", program]);
    let told: Value = serde_json::from_str(&told.succeeded()).unwrap();
    assert_eq!(told["profile"]["rows"][0]["reversals"], 4);
}

#[test]
fn help_tells_what_they_mean() {
    for arguments in [&["--help"][..], &["run", "--help"], &["profile", "-h"]] {
        let help = answer(arguments).succeeded();
        for promise in ["--checkpoint", "--depth", "--snapshots", "--passes", "--base-case", "1000", "bisection"] {
            assert!(help.contains(promise), "{promise} in {arguments:?}");
        }
    }
}

/// Loops of 2 * 10^6 turns at least, whose records take 100 MB and more: one loop, short ones and long ones in one another, and
/// one that calls a recursive procedure.
#[rstest]
#[case::one("(define (f x) (let loop ((i 0) (y x)) (if (= i n) y (loop (+ i 1) (sin (* 1.1 (+ y (* x y))))))))", "6e6")]
#[case::short_inner(
    "(define (f x) (let loop ((i 0) (y x)) (if (= i n) y (loop (+ i 1) (let inner ((j 0) (y y)) (if (= j 4) y (inner
     (+ j 1) (* y (+ 0.9 (* x y))))))))))",
    "2e6"
)]
#[case::long_inner(
    "(define (f x) (let loop ((i 0) (y x)) (if (= i 40) y (loop (+ i 1) (let inner ((j 0) (y y)) (if (= j n) y (inner
     (+ j 1) (* y (+ 0.9 (* x y))))))))))",
    "2e5"
)]
#[case::recursion(
    "(define (p k y) (if (= k 0) y (sin (* 1.1 (p (- k 1) (* y y))))))
     (define (f x) (let loop ((i 0) (y x)) (if (= i n) y (loop (+ i 1) (+ (* x y) (p (real 3) y))))))",
    "1e6"
)]
fn loops_of_specialised_code_keep_few_states(#[case] definitions: &str, #[case] turns: &str) {
    let program = |operator: &str, turns: &str| format!("(define n (real {turns})) {definitions} ({operator} f 0.1 1)");
    let run = |operator: &str, turns: &str| {
        let program = program(operator, turns);
        answer(&["--engine", "native", "--specialise", "always", "--max-memory", "48M", "-e", &program])
    };
    run("*j", turns).failed("", "error[memory]");
    let long = run("checkpoint-*j", turns).succeeded();
    assert!(long.starts_with('(') && !long.contains("nan"), "{long}");
    // The bits are those of *j, where that has the memory.
    assert_eq!(run("checkpoint-*j", "7e3").succeeded(), run("*j", "7e3").succeeded());
}

#[test]
fn options_of_a_run_are_for_code_that_is_not_specialised() {
    let always = &["--engine", "native", "--specialise", "always", "--depth", "2", "-e"];
    let answered = answer(&[&always[..], &["(checkpoint-*j sin 0 1)"]].concat());
    assert_eq!(answered.code, Some(2), "{}", answered.errors);
    assert!(answered.errors.contains("a run with checkpoint options is not specialised"), "{}", answered.errors);
    assert_eq!(answer(&[&always[..], &["(checkpoint-*j-bisection sin 0 1 3 #f)"]].concat()).succeeded(), "(0 . 1)\n");
    assert_eq!(answer(&[&always[..], &["(*j sin 0 1)"]].concat()).succeeded(), "(0 . 1)\n");
}
