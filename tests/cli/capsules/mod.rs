//! `vlad suspend` and `vlad resume`: a suspended run continues from a file.

use crate::{Answer, answer, answer_to, folder};
use rstest::rstest;
use std::fs;
use std::path::Path;

/// Prints 1, a sum, the result of an operator, and a number that it reads.
const PROGRAM: &str =
    "(include \"parts/sum.vlad\") (include \"./parts/sum.vlad\") 1 (sum 10) (cdr (j* sum 20 1)) (sum (read-real))";
const SUM: &str = "(define (sum n) (if (< n 1) (sin n) (+ (* n n) (sum (- n 1)))))";

/// Returns the path of a file in a folder, as an argument.
fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

fn stats_steps(answer: &Answer) -> u64 {
    let line = answer.errors.lines().find_map(|line| line.strip_prefix("steps: "));
    line.unwrap().parse().unwrap()
}

#[rstest]
#[case::interp("interp", "interp")]
#[case::interp_then_hybrid("interp", "hybrid")]
#[case::hybrid("hybrid", "hybrid")]
#[case::hybrid_then_interp("hybrid", "interp")]
#[case::native("native", "native")]
#[case::native_then_interp("native", "interp")]
#[case::native_then_hybrid("native", "hybrid")]
#[case::interp_then_native("interp", "native")]
#[case::hybrid_then_native("hybrid", "native")]
fn a_run_goes_on_where_it_was_suspended(#[case] first: &str, #[case] second: &str) {
    let folder = folder(&format!("suspended_{first}_{second}"), &[("main.vlad", PROGRAM), ("parts/sum.vlad", SUM)]);
    let (program, capsule) = (path(&folder, "main.vlad"), path(&folder, "a.capsule"));
    let whole = answer_to(&["--engine", second, "--stats", "--bits", &program], b"3");
    assert_eq!(whole.code, Some(0), "{}", whole.errors);
    let steps = stats_steps(&whole);
    for after in [0, 1, 2, 3, 50, 100, 151, 200, 300, 400, steps - 1] {
        let suspended = answer_to(
            &["suspend", &program, "--bits", "--engine", first, "--after", &after.to_string(), "-o", &capsule],
            if after < 340 { b"" } else { b"3" },
        );
        assert_eq!(suspended.code, Some(0), "{}", suspended.errors);
        let resumed = answer_to(&["resume", &capsule, "--bits", "--stats", "--engine", second], b"3");
        assert_eq!(resumed.code, Some(0), "{}", resumed.errors);
        assert_eq!(suspended.output + &resumed.output, whole.output, "after {after}");
        assert_eq!(stats_steps(&resumed), steps);
    }
    // The capsule contains the program, so its files are not needed.
    let after = ["--after", "60", "-o", &capsule];
    answer(&[&["suspend", &program, "--engine", first], &after[..]].concat()).succeeded();
    fs::rename(folder.join("main.vlad"), folder.join("moved.vlad")).unwrap();
    fs::remove_dir_all(folder.join("parts")).unwrap();
    let rest: String =
        whole.output.lines().skip(1).map(|line| line.split('[').next().unwrap().to_owned() + "\n").collect();
    assert_eq!(answer_to(&["resume", &capsule, "--engine", second], b"3").succeeded(), rest);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "nothing is left behind");
}

#[test]
fn a_run_is_suspended_again() {
    let folder = folder(
        "suspended_again",
        &[("main.vlad", "(define (sum n) (if (= n 0) 0 (+ n (sum (- n 1))))) (sum 4) (sum 100)")],
    );
    let (program, capsule) = (path(&folder, "main.vlad"), path(&folder, "a.capsule"));
    let mut output = answer(&["suspend", &program, "--after", "3", "-o", &capsule]).succeeded();
    for after in ["40", "100", "500"] {
        output += &answer(&["resume", &capsule, "--after", after, "-o", &capsule]).succeeded();
    }
    output += &answer(&["resume", &capsule]).succeeded();
    assert_eq!(output, "10\n5050\n");
}

#[test]
fn an_operator_is_not_cut() {
    let folder = folder("suspended_in_operator", &[]);
    let capsule = path(&folder, "a.capsule");
    let program = "(define (f x) (if (> x 100) x (f (* x 2)))) (+ 1 (primops f 1)) 2";
    let suspended = answer(&["suspend", "-e", program, "--after", "20", "-o", &capsule]);
    // Seven rounds of 13 steps and the last test with x, 98 in all. The first expression ends after them.
    assert_eq!((suspended.code, suspended.output.as_str()), (Some(0), "99\n"));
    assert!(suspended.errors.starts_with("note: the run is suspended after "), "{}", suspended.errors);
    assert_eq!(answer(&["resume", &capsule]).succeeded(), "2\n");
}

#[test]
fn what_cannot_be_suspended_leaves_no_file() {
    let folder = folder("not_suspended", &[]);
    let (capsule, old) = (path(&folder, "a.capsule"), path(&folder, "old"));
    answer(&["suspend", "-e", "(* 3 4)", "--after", "2", "-o", &old]).succeeded();
    let as_it_was = fs::read(&old).unwrap();
    // The program takes five steps.
    let errors = answer(&["suspend", "-e", "(+ 1 2)", "--after", "5", "-o", &capsule])
        .failed("3\n", "error[limit]: the program ends after 5 steps");
    assert!(errors.contains("after 5"), "{errors}");
    answer(&["suspend", "-e", "1 (car 1)", "--after", "50", "-o", &capsule]).failed("1\n", "error[type]:");
    answer(&["suspend", "-e", "(+ 1 2", "--after", "1", "-o", &capsule]).failed("", "error[read]:");
    answer(&["suspend", "-e", "(+ 1 2)", "--max-steps", "3", "--after", "4", "-o", &old]).failed("", "error[steps]:");
    assert_eq!(fs::read(&old).unwrap(), as_it_was);
    assert!(!Path::new(&capsule).exists());
    let nowhere = path(&folder, "nowhere/a.capsule");
    answer(&["suspend", "-e", "(+ 1 2)", "--after", "1", "-o", &nowhere]).failed("", "error[output]:");
    answer(&["suspend", "-e", "(+ 1 2)", "--after", "1", "-o", folder.to_str().unwrap()]).failed("", "error[output]:");
    answer(&["suspend", "-e", "(+ 1 2)", "--after", "1", "-o", "/dev/null"]).failed("", "error[output]:");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    // A run can be suspended before its last step.
    assert_eq!(answer(&["suspend", "-e", "(+ 1 2)", "--after", "4", "-o", &old]).succeeded(), "");
    assert_eq!(answer(&["resume", &old]).succeeded(), "3\n");
}

#[test]
fn what_is_no_capsule_is_not_replaced() {
    let folder = folder("not_replaced", &[("main.vlad", "(+ 1 2)"), ("empty", "")]);
    let (program, empty) = (path(&folder, "main.vlad"), path(&folder, "empty"));
    let errors = answer(&["suspend", &program, "--after", "1", "-o", &program]).failed("", "error[output]:");
    assert!(errors.contains("the file there is not a capsule"), "{errors}");
    assert_eq!(fs::read_to_string(&program).unwrap(), "(+ 1 2)");
    answer(&["suspend", &program, "--after", "1", "-o", &empty]).succeeded();
    assert_eq!(answer(&["resume", &empty]).succeeded(), "3\n");
    // Of an endless file only the head is read.
    answer(&["resume", "/dev/zero"]).failed("", "error[file]:");
}

/// Tests files of the version before, which have a fingerprint of the C library's functions: one whose program applies none of
/// them, and one with a hyperbolic sine of another library, also as its derivative's coefficient.
#[test]
fn older_files_are_read_where_their_functions_are_the_same() {
    let old = |name: &str| format!("{}/tests/cli/capsules/version-6-{name}.capsule", env!("CARGO_MANIFEST_DIR"));
    for engine in ["interp", "hybrid", "native"] {
        assert_eq!(answer(&["resume", &old("arithmetic"), "--engine", engine]).succeeded(), "(24 8)\n");
    }
    let refused = answer(&["resume", &old("sinh")]);
    assert!(refused.errors.contains("with other results of sinh, cosh"), "{}", refused.errors);
    refused.failed("", "error[file]:");
}

#[test]
fn files_that_are_none_are_refused() {
    let folder = folder(
        "refused",
        &[("other.vlad", "(+ 1 3)"), ("renamed.vlad", "(define (g y) (* y 2)) ; again\n(g 4)"), ("empty", "")],
    );
    let capsule = path(&folder, "a.capsule");
    answer(&["suspend", "-e", "(define (f x) (* x 2)) (f 4)", "--after", "3", "-o", &capsule]).succeeded();
    assert_eq!(answer(&["resume", &capsule, &path(&folder, "renamed.vlad")]).succeeded(), "8\n");
    answer(&["resume", &capsule, &path(&folder, "other.vlad")]).failed("", "error[file]:");
    let foreign = answer(&["resume", &path(&folder, "other.vlad")]);
    assert!(foreign.errors.contains("is no capsule file"), "{}", foreign.errors);
    foreign.failed("", "error[file]:");
    answer(&["resume", &path(&folder, "empty")]).failed("", "error[file]:");
    answer(&["resume", &path(&folder, "missing")]).failed("", "error[file]:");
    answer(&["resume", &capsule, "--max-steps", "2"]).failed("", "error[steps]:");
    answer(&["resume", &capsule, "--max-steps", "3"]).failed("", "error[steps]: the limit of 3 steps is reached\n -->");
    let mut bytes = fs::read(&capsule).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&capsule, bytes).unwrap();
    answer(&["resume", &capsule]).failed("", "error[file]:");
}

#[rstest]
#[case(&["suspend", "-e", "1", "--after", "1"])]
#[case(&["suspend", "-e", "1", "-o", "x"])]
#[case(&["suspend", "--after", "1", "-o", "x"])]
#[case(&["suspend", "-e", "1", "--after", "-1", "-o", "x"])]
#[case(&["suspend", "-e", "1", "--after", "1", "-o", "x", "--engine", "all"])]
#[case(&["resume"])]
#[case(&["resume", "x", "--after", "3"])]
#[case(&["resume", "x", "--engine", "all"])]
fn commands_that_are_not_understood(#[case] arguments: &[&str]) {
    let answer = answer(arguments);
    assert_eq!((answer.code, answer.output.as_str()), (Some(2), ""), "{}", answer.errors);
}
