//! Commands that are not understood, and requests for help.

use crate::{answer, folder, vlad};
use rstest::rstest;

#[rstest]
#[case::nothing(&[], "Usage")]
#[case::no_file(&["run"], "required")]
#[case::nothing_to_check(&["check"], "required")]
#[case::nothing_to_show(&["show", "core"], "required")]
#[case::two_files(&["a.vlad", "b.vlad"], "unexpected argument 'b.vlad'")]
#[case::file_and_expression(&["-e", "1", "a.vlad"], "cannot be used with")]
#[case::misspelt_subcommand(&["chekc", "a.vlad"], "a similar subcommand exists: 'check'")]
#[case::misspelt_subcommand_alone(&["confrom"], "a similar subcommand exists: 'conform'")]
#[case::misspelt_subcommand_behind_options(&["--engine", "interp", "rnu", "a.vlad"], "a similar subcommand exists: 'run'")]
#[case::option_before_a_subcommand_without_it(&["--bits", "check", "a.vlad"], "unexpected argument '--bits'")]
#[case::unknown_option(&["--fast", "a.vlad"], "unexpected argument '--fast'")]
#[case::option_of_a_run(&["check", "--bits", "a.vlad"], "unexpected argument '--bits'")]
#[case::unknown_stage(&["show", "types", "a.vlad"], "possible values: tokens, ast, typed, lifted, named, core")]
#[case::unknown_engine(&["--engine", "scheme", "a.vlad"], "possible values: auto, interp")]
#[case::engine_of_a_run(&["check", "--engine", "interp", "a.vlad"], "unexpected argument '--engine'")]
#[case::all_is_no_column(&["conform", "--engine", "all"], "possible values: interp")]
#[case::unknown_format(&["conform", "--format", "yaml"], "possible values: text, json, junit")]
#[case::no_jobs(&["conform", "--jobs", "0"], "invalid value '0'")]
#[case::no_time_for_cases(&["conform", "--timeout", "0"], "a time is")]
#[case::no_external(&["conform", "--external", ""], "there is no command")]
#[case::open_quote(&["conform", "--external", "a 'b"], "a single quote is not closed")]
#[case::nothing_to_do_with_the_cache(&["cache"], "Usage")]
#[case::unknown_thing_to_do_with_the_cache(&["cache", "fill"], "unrecognized subcommand")]
#[case::color(&["--color", "sometimes", "a.vlad"], "possible values: auto, always, never")]
#[case::negative_steps(&["--max-steps", "-1", "a.vlad"], "invalid value '-1'")]
#[case::half_steps(&["--max-steps", "1.5", "a.vlad"], "invalid value '1.5'")]
#[case::many_steps(&["--max-steps", "18446744073709551616", "a.vlad"], "too large")]
#[case::no_steps(&["--max-steps"], "required")]
#[case::negative_memory(&["--max-memory=-1G", "a.vlad"], "a size is")]
#[case::no_memory(&["--max-memory", "0", "a.vlad"], "a size is")]
#[case::much_memory(&["--max-memory", "99999999999G", "a.vlad"], "a size is")]
#[case::unknown_unit(&["--max-memory", "1X", "a.vlad"], "a size is")]
#[case::no_time(&["--timeout", "0", "a.vlad"], "a time is")]
#[case::negative_time(&["--timeout", "-0.5", "a.vlad"], "a time is")]
#[case::endless_time(&["--timeout", "inf", "a.vlad"], "a time is")]
#[case::undefined_time(&["--timeout", "nan", "a.vlad"], "a time is")]
#[case::time_in_words(&["--timeout", "soon", "a.vlad"], "a time is")]
fn a_command_that_is_not_understood_is_refused(#[case] arguments: &[&str], #[case] complaint: &str) {
    let answer = answer(arguments);
    assert_eq!((answer.code, answer.output.as_str()), (Some(2), ""));
    assert!(answer.errors.contains(complaint), "{}", answer.errors);
}

/// Paragraphs of help are wrapped at the width of the terminal, and nowhere else.
#[rstest]
fn no_line_of_help_ends_early(
    #[values("run", "profile", "suspend", "resume", "check", "show", "conform", "fuzz", "gradcheck", "derive", "plot")]
    command: &str,
) {
    let help = answer(&[command, "--help"]).succeeded();
    let lines: Vec<&str> = help.lines().collect();
    let width = lines.iter().map(|line| line.chars().count()).max().unwrap();
    for pair in lines.windows(2).filter(|pair| pair.iter().all(|line| line.starts_with(|first: char| first > ' '))) {
        let next = pair[1].split(' ').next().unwrap();
        assert!(pair[0].chars().count() + 1 + next.chars().count() > width, "{pair:?} of {width}");
    }
}

#[test]
fn help_and_version_are_results() {
    for arguments in [&["--help"], &["-h"], &["help"]] {
        let help = answer(arguments).succeeded();
        for promise in
            ["Exit codes:", "--engine", "--max-steps", "--timeout", "check", "show", "conform", "cache", "doctor"]
        {
            assert!(help.contains(promise), "{promise} in {arguments:?}");
        }
    }
    assert!(answer(&["run", "--help"]).succeeded().contains("more_errors"));
    assert!(answer(&["conform", "--help"]).succeeded().contains("disagreements"));
    assert_eq!(answer(&["--version"]).succeeded(), format!("vlad {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_file_may_have_the_name_of_a_subcommand() {
    let folder = folder("subcommand", &[("run", "1"), ("check", "2")]);
    for (arguments, output) in [(&["./run"][..], "1\n"), (&["run", "run"], "1\n"), (&["run", "check"], "2\n")] {
        let answer = vlad().args(arguments).current_dir(&folder).output().unwrap();
        assert_eq!(String::from_utf8(answer.stdout).unwrap(), output, "{arguments:?}");
    }
}

/// The options of a subcommand may precede it, with their values.
#[test]
fn options_may_stand_before_a_subcommand() {
    let folder = folder("options_first", &[("a.vlad", "(+ 1 2)\n;; expect: 3\n"), ("run", "7")]);
    let output = |words: &[&str]| {
        let answer = vlad().args(words).current_dir(&folder).output().unwrap();
        assert!(answer.status.success(), "{words:?}: {}", String::from_utf8_lossy(&answer.stderr));
        String::from_utf8(answer.stdout).unwrap()
    };
    for words in [
        &["--engine", "interp", "run", "a.vlad"][..],
        &["--engine=interp", "run", "a.vlad"],
        &["--color", "never", "--engine", "hybrid", "run", "a.vlad"],
        &["-I", "run", "--engine", "interp", "run", "a.vlad"],
    ] {
        assert_eq!(output(words), "3\n", "{words:?}");
    }
    assert!(output(&["--engine", "interp", "conform", "a.vlad"]).contains("interp  1 passed"));
    assert_eq!(output(&["-e", "(+ 1 2)", "show", "core"]), output(&["show", "core", "a.vlad"]));
    // The value of an option is no subcommand.
    assert_eq!(output(&["-I", "check", "run", "run"]), "7\n");
}

/// The stage may precede the program or follow it; a program whose file has the name of a stage comes last.
#[test]
fn the_two_words_of_show() {
    let folder = folder("show_order", &[("a.vlad", "(+ 1 2)"), ("core", "7")]);
    let output = |words: &[&str]| {
        let answer = vlad().args(words).current_dir(&folder).output().unwrap();
        assert!(answer.status.success(), "{words:?}: {}", String::from_utf8_lossy(&answer.stderr));
        String::from_utf8(answer.stdout).unwrap()
    };
    assert_eq!(output(&["show", "a.vlad", "core"]), output(&["show", "core", "a.vlad"]));
    assert_eq!(output(&["show", "tokens", "core"]), output(&["show", "tokens", "./core"]));
}

/// A missing file is reported as a file, unless its name resembles that of a subcommand.
#[test]
fn a_file_that_is_not_there() {
    answer(&["nowhere.vlad"]).failed("", "error[file]:");
    answer(&["chart"]).failed("", "error[file]:");
    let folder = folder("nearly_a_subcommand", &[("chekc", "7")]);
    let answer = vlad().arg("chekc").current_dir(&folder).output().unwrap();
    assert_eq!(String::from_utf8(answer.stdout).unwrap(), "7\n");
}
