//! Executables made of programs: what they do is what `vlad FILE` does, without vlad, its cache or a compiler.

use crate::{Answer, answer, answer_of, answer_of_input, folder, in_shell, quick, vlad};
use serde_json::{Value, json};
use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program with values, derivatives and output.
const ORDINARY: &str = "(define (f x) (+ (expt x 4) (* 2 (expt x 3))))\n(write (list 1 #t))\n(j* f 3 1)\n(*j f 2 1)\n";

/// A program that is specialised, reads, writes, and fails in specialised code.
const GIVES_UP: &str = "(define a (read-real))
(define (f x) (if (< x 0) (car x) (* x x)))
(write (f a))
(cdr (j* f (read-real) 1))
(write (f (- 0 a)))
(write 5)
";

/// A program that stops at nodes, which is not specialised.
const STOPS: &str = "(define (f x) (let loop ((i 2000) (x x)) (if (zero? i) x (loop (- i 1) (+ 1 (/ x 2))))))
(checkpoint-*j f 1 1)
(define z (interrupt (lambda (x) (* x x)) 3 4))
(list (resume z) (primops resume z))
";

/// Builds an executable in a folder, which is the working directory.
fn build(folder: &Path, arguments: &[&str]) -> PathBuf {
    let program = folder.join("program");
    let built = answer_of(quick().current_dir(folder).args(["build", "-o", "program"]).args(arguments));
    assert_eq!(built.succeeded(), "");
    program
}

/// An executable in an environment where nothing else can be found.
fn alone(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_clear().env("PATH", "").current_dir("/").stdin(Stdio::null());
    command
}

/// Asserts that the executable of a program does what vlad does with its file and the same options.
fn check(program: &str, input: &str, options: &[&str]) -> Answer {
    let folder = folder("agrees", &[("a.vlad", program)]);
    let mut run = quick();
    run.current_dir(&folder).arg("a.vlad").args(options);
    let expected = answer_of_input(&mut run, input.as_bytes());
    let built = build(&folder, &["a.vlad"]);
    fs::remove_file(folder.join("a.vlad")).unwrap();
    let answer = answer_of_input(alone(&built).args(options), input.as_bytes());
    fs::remove_file(built).unwrap();
    let parts = |answer: &Answer| (answer.code, answer.output.clone(), answer.errors.clone());
    assert_eq!(parts(&answer), parts(&expected), "{program}");
    answer
}

#[test]
fn executables_do_what_their_programs_do() {
    assert_eq!(check(ORDINARY, "", &[]).succeeded(), "(1 #t)\n(1 #t)\n(135 . 162)\n(32 . 56)\n");
    assert!(check(ORDINARY, "", &["--bits"]).succeeded().contains("4064400000000000"));
    assert_eq!(check("", "", &[]).succeeded(), "");
    assert_eq!(check("(+ (read-real) (read-real))", "1\n2e3\n", &[]).succeeded(), "2001\n");
    let errors = check("(+ (read-real) (read-real))", "1", &[]).failed("", "error[input]:");
    assert!(errors.contains("--> a.vlad:1:16"), "{errors}");
    check("(define (outer x) (* 2 (car x)))\n1\n(outer 3)\n2\n", "", &[]).failed("1\n", "error[type]: `car`");
}

#[test]
fn executables_go_on_where_specialised_code_gives_up() {
    let errors = check(GIVES_UP, "3 4", &[]).failed("9\n9\n8\n", "error[type]: `car` expects a pair, found -3");
    assert!(errors.contains("--> a.vlad:2:"), "{errors}");
    check(GIVES_UP, "-3", &[]).failed("", "error[type]: `car` expects a pair, found -3");
    check(GIVES_UP, "3 x", &[]).failed("9\n9\n", "error[input]:");
    check(GIVES_UP, "", &[]).failed("", "error[input]:");
}

#[test]
fn programs_that_are_not_specialised_can_be_built() {
    let output = check(STOPS, "", &[]).succeeded();
    assert_eq!(output, "(2 . 0)\n(9 1)\n");
    for how in [&["--specialise", "never"][..], &["--engine", "hybrid"], &["--engine", "interp"]] {
        let folder = folder("evaluated", &[("a.vlad", GIVES_UP)]);
        let built = build(&folder, &[&["a.vlad"], how].concat());
        answer_of_input(&mut alone(&built), b"3 4").failed("9\n9\n8\n", "error[type]: `car` expects a pair, found -3");
    }
}

#[test]
fn included_files_and_libraries_are_in_the_executable() {
    let part = "(define (norm v) (sqrt (vector-dot v v)))\n(define (first l)\n  (car l))\n";
    let main =
        "(include \"inner/part\")\n(include \"linear-algebra\")\n(include \"other\")\n(norm #(3 4))\n(first five)\n";
    let files = [("main.vlad", main), ("inner/part.vlad", part), ("given/other.vlad", "(define five 5)\n")];
    let folder = folder("includes", &files);
    let options = ["-I", "given", "main.vlad"];
    let expected = answer_of(quick().current_dir(&folder).args(options));
    let built = build(&folder, &options);
    files.iter().for_each(|(name, _)| fs::remove_file(folder.join(name)).unwrap());
    let answer = answer_of(&mut alone(&built));
    assert_eq!(answer.errors, expected.errors);
    let errors = answer.failed("5\n", "error[type]: `car` expects a pair, found 5");
    assert!(errors.contains("--> inner/part.vlad:3:3"), "{errors}");
}

#[test]
fn programs_need_not_be_in_files() {
    let folder = folder("texts", &[]);
    let built = build(&folder, &["-e", "(* 2 (read-real))"]);
    assert_eq!(answer_of_input(&mut alone(&built), b"21").succeeded(), "42\n");
    let mut of_input = quick();
    of_input.current_dir(&folder).args(["build", "-", "-o", "program"]);
    assert_eq!(answer_of_input(&mut of_input, b"(* 3 (read-real)) (car 1)").succeeded(), "");
    let errors = answer_of_input(&mut alone(&built), b"14").failed("42\n", "error[type]:");
    assert!(errors.contains("--> <stdin>:1:19"), "{errors}");
}

#[test]
fn limits_are_those_of_the_executable_and_of_its_build() {
    let endless = "(define (f x) (begin (write x) (f (+ x 1))))\n(f 0)\n";
    let answer = check(endless, "", &["--max-output", "1000"]);
    assert!(answer.output.len() <= 1000 && answer.output.starts_with("0\n1\n2\n"), "{}", answer.output);
    assert!(answer.code == Some(1) && answer.errors.starts_with("error[output]:"), "{}", answer.errors);
    let folder = folder("limits", &[("a.vlad", endless), ("b.vlad", "(define (f x) (f x))\n1\n(f 1)\n")]);
    let built = build(&folder, &["a.vlad", "--max-output", "10", "--timeout", "300"]);
    let answer = answer_of(&mut alone(&built));
    assert_eq!(answer.output, "0\n1\n2\n3\n4\n");
    answer_of(alone(&built).args(["--max-output", "4"])).failed("0\n1\n", "error[output]:");
    let built = build(&folder, &["b.vlad"]);
    answer_of(alone(&built).args(["--timeout", "0.3"])).failed("1\n", "error[time]:");
    let deep = build(&folder, &["-e", "(define (f x) (+ 1 (f x))) 1 (f 1)", "--sandbox"]);
    // On a busy machine, the time of the sandbox may end before its memory does.
    let errors = answer_of(alone(&deep).args(["--timeout", "300", "--max-depth", "1000000000"]));
    let errors = errors.failed("1\n", "error[memory]:");
    assert!(errors.contains(&format!("limit of {} bytes", 512 << 20)), "{errors}");
}

#[test]
fn checkpointing_is_fixed_by_the_build() {
    let loops = "(define (f x) (let loop ((i 3000) (x x)) (if (zero? i) x (loop (- i 1) (+ 1 (/ x 2))))))\n(checkpoint-*j f 1 1)\n";
    let folder = folder("checkpoints", &[("a.vlad", loops)]);
    let too_few = ["a.vlad", "--checkpoint", "binomial", "--snapshots", "1", "--passes", "1", "--base-case", "1"];
    let built = build(&folder, &too_few);
    let errors = answer_of(&mut alone(&built)).failed("", "error[limit]:");
    assert_eq!(errors, answer_of(quick().current_dir(&folder).args(too_few)).errors);
    let built = build(&folder, &["a.vlad", "--checkpoint", "binomial", "--snapshots", "4"]);
    assert_eq!(answer_of(&mut alone(&built)).succeeded(), "(2 . 0)\n");
}

#[test]
fn the_command_line_of_an_executable() {
    let folder = folder("arguments", &[]);
    let built = build(&folder, &["-e", "(+ 1 2)"]);
    let help = answer_of(alone(&built).arg("--help")).succeeded();
    assert!(help.contains("Usage: program [OPTIONS]") && help.contains("--max-memory"), "{help}");
    assert!(!help.contains("sandbox") && !help.contains("--engine"), "{help}");
    let version = format!("program (built by vlad {})\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(answer_of(alone(&built).arg("--version")).succeeded(), version);
    let told: Value = serde_json::from_str(&answer_of(alone(&built).arg("--json")).succeeded()).unwrap();
    assert_eq!((&told["engine"], &told["output"][0]["text"]), (&json!("native"), &json!("3")));
    let stats = answer_of(alone(&built).arg("--stats"));
    assert!(stats.code == Some(0) && stats.errors.contains("engine: native\n"), "{stats:?}");
    for words in [&["run"][..], &["a.vlad"], &["-e", "1"], &["build", "-e", "1", "-o", "x"], &["--engine", "interp"]] {
        let refused = answer_of(alone(&built).args(words));
        assert_eq!((refused.code, refused.output.as_str()), (Some(2), ""), "{words:?}");
    }
}

/// Copies a file that is to be run. Another process does it, for the reason of `executable`.
fn copy(from: &Path, to: &Path) {
    assert!(Command::new("cp").arg(from).arg(to).status().unwrap().success());
}

#[test]
fn an_executable_can_be_started_in_any_way() {
    let folder = folder("ways", &[]);
    let built = build(&folder, &["-e", "(+ 1 2) (read-real)"]);
    let expected = "error[input]:";
    for name in ["renamed", "a b'c", "vlad"] {
        copy(&built, &folder.join(name));
        answer_of(&mut alone(&folder.join(name))).failed("3\n", expected);
    }
    symlink("program", folder.join("link")).unwrap();
    answer_of(&mut alone(&folder.join("link"))).failed("3\n", expected);
    let shell = |script: &str| answer_of(Command::new("/bin/sh").args(["-c", script]).current_dir(&folder));
    shell("PATH=. exec program < /dev/null").failed("3\n", expected);
    shell("exec ./program <&-").failed("3\n", expected);
    shell("./program < /dev/null 2> /dev/null | { read line; echo \"$line\"; }").succeeded();
    assert_eq!(shell("echo 5 | ./program >&-").succeeded(), "");
}

#[test]
fn an_executable_leaves_nothing_and_looks_for_nothing() {
    let folder = folder("traces", &[("home/x", ""), ("temporary/x", "")]);
    let built = build(&folder, &["-e", "(define (f x) (if (< x 0) (car x) x)) (f (read-real)) (f (read-real))"]);
    let mut command = alone(&built);
    command.env("HOME", folder.join("home")).env("TMPDIR", folder.join("temporary")).env("VLAD_CC", "/no/such/cc");
    answer_of_input(&mut command, b"1 -1").failed("1\n", "error[type]: `car` expects a pair, found -1");
    for name in ["home", "temporary"] {
        assert_eq!(fs::read_dir(folder.join(name)).unwrap().count(), 1, "{name}");
    }
}

#[test]
fn a_build_of_a_program_with_errors_writes_nothing() {
    let folder = folder("errors", &[("a.vlad", "(define (f x) (+ x y))\n(f 1")]);
    let checked = answer_of(quick().current_dir(&folder).args(["check", "a.vlad"]));
    let built = answer_of(quick().current_dir(&folder).args(["build", "a.vlad", "-o", "program"]));
    assert_eq!(built.errors, checked.errors);
    built.failed("", "error[");
    answer_of(quick().current_dir(&folder).args(["build", "b.vlad", "-o", "program"])).failed("", "error[file]:");
    let always =
        ["build", "-e", "(list->vector (list (read-real)))(primops car 1)", "-o", "program", "--specialise", "always"];
    answer_of(quick().current_dir(&folder).args(always)).failed("", "error[specialise]:");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
}

#[test]
fn the_command_line_of_a_build() {
    for words in [
        &["build", "-e", "1"][..],
        &["build", "-o", "x"],
        &["build", "-e", "1", "-o", "x", "--max-steps", "1"],
        &["build", "-e", "1", "-o", "x", "--json"],
        &["build", "-e", "1", "-o", "x", "--engine", "all"],
        &["build", "-e", "1", "-o", "x", "--depth", "1", "--passes", "1"],
    ] {
        let refused = answer(words);
        assert_eq!((refused.code, refused.output.as_str()), (Some(2), ""), "{words:?}");
    }
    let folder = folder("order", &[]);
    let written = ["-o", "program", "--engine", "hybrid", "build", "-e", "7"];
    assert_eq!(answer_of(vlad().current_dir(&folder).args(written)).succeeded(), "");
    assert_eq!(answer_of(&mut alone(&folder.join("program"))).succeeded(), "7\n");
}

/// The name of a text without a file is no path.
#[test]
fn a_text_without_a_file_is_not_taken_for_one() {
    let folder = folder("angle", &[]);
    for value in ["1", "2"] {
        answer_of(quick().current_dir(&folder).args(["build", "-e", value, "-o", "<expression>"])).succeeded();
        let printed = Command::new(folder.join("<expression>")).output().unwrap();
        assert_eq!(printed.stdout, format!("{value}\n").as_bytes());
    }
}

#[test]
fn files_that_are_not_executables_are_not_replaced() {
    let files = [("a.vlad", "1"), ("text", "text"), ("empty.vlad", ""), ("folder/x", "")];
    let folder = folder("targets", &files);
    let refused = |source: &str, target: &str, why: &str| {
        let answer = answer_of(quick().current_dir(&folder).args(["build", source, "-o", target]));
        answer.failed("", &format!("error[output]: `{target}` cannot be written: {why}"));
    };
    refused("a.vlad", "folder", "it is a folder");
    refused("a.vlad", "folder/", "it is a folder");
    refused("a.vlad", "new/", "that is not the name of a file");
    refused("a.vlad", "a.vlad", "the file there is not a program");
    refused("a.vlad", "text", "the file there is not a program");
    refused("empty.vlad", "empty.vlad", "it is a text of the program");
    refused("a.vlad", "/dev/null", "it is not an ordinary file");
    refused("a.vlad", "no/such/x", "No such file");
    refused("a.vlad", "text/x", "Not a directory");
    for (name, text) in files {
        assert_eq!(fs::read_to_string(folder.join(name)).unwrap(), text);
    }
    // A library is in the format of executables.
    let library = folder.join("lib.so");
    let made = Command::new("cc").args(["-shared", "-o"]).arg(&library).args(["-x", "c", "/dev/null"]).status();
    if made.is_ok_and(|status| status.success()) {
        refused("a.vlad", "lib.so", "the file there is not a program");
    }
    // An executable of its own folder, since a file that runs is not to be replaced by mistake.
    copy(Path::new(env!("CARGO_BIN_EXE_vlad")), &folder.join("own"));
    let own = Command::new(folder.join("own")).args(["build", "-e", "1", "-o", "own"]).current_dir(&folder).output();
    Answer::from(own.unwrap()).failed("", "error[output]: `own` cannot be written: it is the command that is running");
}

#[test]
fn an_executable_is_replaced_also_while_it_runs() {
    let folder = folder("running", &[]);
    let built = build(&folder, &["-e", "1 (read-real)"]);
    let mut first = alone(&built).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    // The output is flushed before the number is read, so the program has been loaded.
    let mut line = [0; 2];
    first.stdout.as_mut().unwrap().read_exact(&mut line).unwrap();
    fs::set_permissions(&built, fs::Permissions::from_mode(0o640)).unwrap();
    build(&folder, &["-e", "2"]);
    assert_eq!(fs::metadata(&built).unwrap().permissions().mode() & 0o777, 0o750);
    assert_eq!(answer_of(&mut alone(&built)).succeeded(), "2\n");
    first.stdin.take().unwrap().write_all(b"8").unwrap();
    let first = Answer::from(first.wait_with_output().unwrap());
    assert_eq!((first.code, first.output.as_str()), (Some(0), "8\n"));
    // A link stays.
    symlink("program", folder.join("link")).unwrap();
    let linked = answer_of(quick().current_dir(&folder).args(["build", "-e", "3", "-o", "link"]));
    assert_eq!(linked.succeeded(), "");
    assert!(folder.join("link").is_symlink());
    assert_eq!(answer_of(&mut alone(&built)).succeeded(), "3\n");
}

#[test]
fn a_damaged_executable_says_so() {
    let folder = folder("damaged", &[]);
    let built = fs::read(build(&folder, &["-e", "(+ 1 2)"])).unwrap();
    let text = b"(+ 1 2)";
    let place = built.windows(text.len()).rposition(|window| window == text).unwrap();
    let damaged = folder.join("damaged");
    let run = |bytes: &[u8]| {
        fs::write(folder.join("bytes"), bytes).unwrap();
        copy(&folder.join("bytes"), &damaged);
        fs::set_permissions(&damaged, fs::Permissions::from_mode(0o755)).unwrap();
        answer_of(&mut alone(&damaged))
    };
    assert_eq!(run(&built).succeeded(), "3\n");
    assert_eq!(run(&[&built[..], b"more"].concat()).succeeded(), "3\n");
    let complaint = format!("error[file]: `{}` is damaged", damaged.display());
    for length in [built.len() - 1, built.len() - 300, place + 3, place - 1] {
        run(&built[..length]).failed("", &complaint);
    }
    let flipped = |at: usize| {
        let mut bytes = built.clone();
        bytes[at] ^= 1;
        bytes
    };
    for at in [place, place + 3, built.len() - 1, built.len() - 100, built.len() - 5000] {
        run(&flipped(at)).failed("", &complaint);
    }
    // Bytes behind an executable without a payload mean nothing.
    let plain = fs::read(env!("CARGO_BIN_EXE_vlad")).unwrap();
    let run_plain = |bytes: &[u8]| {
        run(bytes);
        answer_of(alone(&damaged).args(["--engine", "hybrid", "-e", "4"])).succeeded()
    };
    assert_eq!(run_plain(&[&plain, &built[place - 1000..]].concat()), "4\n");
}

#[test]
fn builds_can_be_repeated() {
    let folder = folder("repeated", &[("a.vlad", GIVES_UP)]);
    let built = fs::read(build(&folder, &["a.vlad", "--no-cache"])).unwrap();
    assert!(built == fs::read(build(&folder, &["a.vlad", "--no-cache"])).unwrap());
    assert!(built == fs::read(build(&folder, &["a.vlad"])).unwrap());
    // It is no longer than what is loaded of this executable, and some more.
    assert!(built.len() < fs::read(env!("CARGO_BIN_EXE_vlad")).unwrap().len() + (1 << 20));
}

#[test]
fn a_build_needs_a_compiler_unless_the_engine_needs_none() {
    let folder = folder("compilers", &[("a.vlad", ORDINARY)]);
    let without = |arguments: &[&str]| {
        let mut command = vlad();
        command.current_dir(&folder).env("PATH", "").env_remove("CC").args(["build", "a.vlad", "-o", "program"]);
        answer_of(command.args(arguments))
    };
    for arguments in [&[][..], &["--engine", "native"], &["--cc", "/no/such/cc"]] {
        let answer = without(arguments);
        assert_eq!((answer.code, answer.output.as_str()), (Some(4), ""), "{answer:?}");
        assert!(answer.errors.contains("--engine hybrid"), "{answer:?}");
        assert!(!folder.join("program").exists());
    }
    assert_eq!(without(&["--engine", "hybrid"]).succeeded(), "");
    assert_eq!(answer_of(&mut alone(&folder.join("program"))).succeeded(), "(1 #t)\n(1 #t)\n(135 . 162)\n(32 . 56)\n");
}

/// The bound on the C of a program depends on the compiler; a compiler of an unknown family has the lower one.
#[test]
fn a_program_that_is_too_large_is_left_to_another_engine() {
    let long = "(list (car '(1)) (sin 2) ((lambda (x) (* x x)) 3))\n".repeat(30_000);
    let folder = folder("large", &[("a.vlad", &long)]);
    let cc = folder.join("cc");
    crate::executable(&cc, "#!/bin/sh\nexit 1\n");
    let build = |engine: &str| {
        let arguments = ["build", "a.vlad", "-o", "program", "--engine", engine, "--cc", cc.to_str().unwrap()];
        answer_of(vlad().current_dir(&folder).args(arguments))
    };
    let refused = build("native");
    assert!(refused.code == Some(4) && refused.errors.contains("too large to be compiled"), "{refused:?}");
    let built = build("auto");
    assert_eq!((built.code, built.output.as_str()), (Some(0), ""), "{built:?}");
    assert!(
        built.errors.starts_with("note: `hybrid` runs the program, since `native` cannot: the program is too large")
    );
    let output = answer_of(&mut alone(&folder.join("program"))).succeeded();
    assert_eq!(output.lines().filter(|line| *line == "(1 0.9092974268256817 9)").count(), 30_000);
}

/// Checks that results are close, and that NaN and infinities are kept. With reciprocals and gcc, 5 / 3 is one unit in the last
/// place less.
#[test]
fn relaxed_arithmetic_is_close() {
    let program = "(define (f x) (ifold (lambda (s i) (+ s (/ x 3))) 0 2))
                   (/ (read-real) 3) (*j f (read-real) 1) (- (read-real) (read-real)) (/ 1 (read-real))";
    let folder = folder("relaxed", &[("a.vlad", program)]);
    let built = answer_of(vlad().current_dir(&folder).args(["build", "a.vlad", "--relaxed", "-o", "program"]));
    assert_eq!(built.succeeded(), "");
    let output = answer_of_input(&mut alone(&folder.join("program")), b"5 5 1e999 1e999 0").succeeded();
    let lines: Vec<&str> = output.lines().collect();
    let is_close = |text: &str, wanted: f64| (text.parse::<f64>().unwrap() / wanted - 1.0).abs() < 1e-15;
    assert!(is_close(lines[0], 5.0 / 3.0), "{output}");
    let (value, slope) = lines[1].trim_matches(['(', ')']).split_once(" . ").unwrap();
    assert!(is_close(value, 10.0 / 3.0) && is_close(slope, 2.0 / 3.0), "{output}");
    assert_eq!(lines[2..], ["+nan.0", "+inf.0"]);
    let arguments = ["build", "a.vlad", "--relaxed", "--engine", "hybrid", "-o", "other"];
    let refused = answer_of(vlad().current_dir(&folder).args(arguments));
    assert_eq!(refused.code, Some(2));
    assert!(
        refused.errors.contains("--relaxed is for compiled code, and `hybrid` evaluates the program"),
        "{refused:?}"
    );
}

/// A part of the corpus, whose expectations are those of the language.
#[test]
fn executables_of_the_corpus_do_what_it_expects() {
    let folder = folder("corpus", &[]);
    let script = folder.join("built");
    let vlad = env!("CARGO_BIN_EXE_vlad");
    let text = format!(
        "#!/bin/sh\nprogram={}/$$\ntrap 'rm -f \"$program\"' EXIT\n'{vlad}' build \"$1\" -o \"$program\" || exit\nPATH= \
         \"$program\"\n",
        folder.display()
    );
    crate::executable(&script, &text);
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance/corpus");
    let external = format!("built='{}' {{}}", script.display());
    let mut command = quick();
    command.args(["conform", "--engine", "interp", "--external", &external]).arg(corpus.join("differentiation"));
    command.arg(corpus.join("errors"));
    command.args(["nested", "reverse-*", "calls-*", "input-*"].iter().flat_map(|filter| ["--filter", filter]));
    let report = answer_of(&mut command);
    assert_eq!(report.code, Some(0), "{}{}", report.output, report.errors);
    let files: u32 = report.output.split(' ').next().unwrap().parse().unwrap();
    assert!(files > 50, "{}", report.output);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
}

#[test]
fn signals_and_closed_outputs() {
    let folder = folder("signals", &[]);
    let built = build(&folder, &["-e", "(define (f x) (begin (write x) (f (+ x 1)))) (f 0)"]);
    let command = alone(&built);
    let shell = |script: &str| answer_of(in_shell(script, &command).env("PATH", "/usr/bin:/bin"));
    assert_eq!(shell("\"$0\" | head -n 2; exit 0;").succeeded(), "0\n1\n");
}
