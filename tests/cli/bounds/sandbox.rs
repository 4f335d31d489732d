//! `--sandbox`: the files, the cache and the resources that an untrusted program can use. The threat model is in
//! docs/reliability/04.

use crate::{Answer, answer_of, executable, folder, vlad};
use rstest::rstest;
use serde_json::Value;
use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use vlad_engines::Engine;

/// The command in a sandbox.
fn sandboxed(arguments: &[&str]) -> Command {
    let mut command = vlad();
    command.args(arguments).arg("--sandbox");
    command
}

fn answer(arguments: &[&str]) -> Answer {
    answer_of(&mut sandboxed(arguments))
}

/// Makes a folder that contains the folder of a program and, beside that, files that the program must not read.
fn course(name: &str, program: &str) -> (PathBuf, String) {
    let files = [
        ("secret.vlad", "secret"),
        ("own-secrets/key.vlad", "secret"),
        ("given/shared.vlad", "(define shared 5)"),
        ("own/program.vlad", program),
        ("own/part.vlad", "(define part 1)"),
        ("own/parts/inner.vlad", "(define inner 4)"),
        ("own/parts/deep.vlad", "(include \"../part.vlad\") (define deep 2)"),
    ];
    let folder = folder(name, &files);
    symlink("../secret.vlad", folder.join("own/link.vlad")).unwrap();
    symlink("..", folder.join("own/up")).unwrap();
    symlink("/", folder.join("own/root")).unwrap();
    symlink("link.vlad", folder.join("own/link-to-link.vlad")).unwrap();
    symlink("parts/inner.vlad", folder.join("own/inside.vlad")).unwrap();
    let program = folder.join("own/program.vlad").to_str().unwrap().to_owned();
    (folder, program)
}

#[rstest]
#[case("/etc/passwd")]
#[case("../secret.vlad")]
#[case("../own-secrets/key.vlad")]
#[case("parts/../../secret.vlad")]
#[case("../own/../secret.vlad")]
#[case("link.vlad")]
#[case("link-to-link.vlad")]
#[case("up/secret.vlad")]
#[case("root/etc/passwd")]
#[case("/proc/self/environ")]
#[case("/dev/zero")]
#[case("/dev/stdin")]
fn nothing_outside_is_included(#[case] name: &str) {
    let test = format!("sandbox{}", name.replace('/', "_"));
    let (folder, program) = course(&test, &format!("(include \"{name}\")"));
    for command in ["run", "check"] {
        let errors = answer(&[command, &program]).failed("", &format!("error[file]: there is no file `{name}`"));
        assert!(!errors.contains("root:") && !errors.contains("secret\n"), "{errors}");
        // The error does not reveal if there is such a file.
        let absent = format!("{name}-absent");
        fs::write(&program, format!("(include \"{absent}\")")).unwrap();
        let other = answer(&[command, &program]).failed("", "error[file]:").replace(&absent, name);
        let first_lines = |text: &str| text.lines().take(1).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(first_lines(&errors), first_lines(&other));
        fs::write(&program, format!("(include \"{name}\")")).unwrap();
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_is_inside_is_included() {
    let (folder, program) = course("sandbox_inside", "(include \"inside.vlad\") (include \"root\") inner");
    // A link to a folder does not hide a library of its name; this one leads outside, so it is as if there were
    // nothing.
    answer(&[&program]).failed("", "error[file]: there is no file `root`");
    fs::write(
        &program,
        "(include \"inside.vlad\") (include \"parts/deep.vlad\") (include \"linear-algebra\") (+ part deep inner)",
    )
    .unwrap();
    assert_eq!(answer(&[&program]).succeeded(), "7\n");
    // The same if the folder is reached by a link, and if it is the working directory of the command.
    symlink("own", folder.join("alias")).unwrap();
    assert_eq!(answer(&[folder.join("alias/program.vlad").to_str().unwrap()]).succeeded(), "7\n");
    assert_eq!(answer_of(sandboxed(&["program.vlad"]).current_dir(folder.join("own"))).succeeded(), "7\n");
    fs::write(&program, "(include \"shared.vlad\") shared").unwrap();
    answer(&[&program]).failed("", "error[file]:");
    assert_eq!(answer(&[&program, "-I", folder.join("given").to_str().unwrap()]).succeeded(), "5\n");
    // A name that leads outside hides no other file, with the extension or without.
    symlink("../secret.vlad", folder.join("own/part")).unwrap();
    fs::write(&program, "(include \"part\") part").unwrap();
    assert_eq!(answer(&[&program]).succeeded(), "1\n");
    fs::write(&program, "(include \"link\") secret").unwrap();
    answer(&[&program]).failed("", "error[file]: there is no file `link`");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_program_itself_is_in_its_folder() {
    let (folder, program) = course("sandbox_itself", "1");
    for link in ["own/link.vlad", "own/up/secret.vlad/../secret.vlad", "own/link-to-link.vlad"] {
        let errors = answer(&[folder.join(link).to_str().unwrap()]).failed("", "error[file]:");
        assert!(!errors.contains("unbound"), "{errors}");
    }
    assert_eq!(answer(&[&program]).succeeded(), "1\n");
    fs::remove_dir_all(folder).unwrap();
}

/// A program that is in no file has no folder: files in the working directory of the command are not its own.
#[test]
fn texts_include_libraries_alone() {
    let (folder, _) = course("sandbox_texts", "");
    let own = folder.join("own");
    let text = "(include \"part.vlad\") part";
    assert_eq!(answer_of(vlad().args(["-e", text]).current_dir(&own)).succeeded(), "1\n");
    answer_of(sandboxed(&["-e", text]).current_dir(&own)).failed("", "error[file]: there is no file `part.vlad`");
    let standard_input = File::open(own.join("parts/deep.vlad")).unwrap();
    answer_of(sandboxed(&["-"]).current_dir(&own).stdin(standard_input)).failed("", "error[file]:");
    assert_eq!(answer(&["-e", "(include \"linear-algebra\") (vector-add #(1) #(2))"]).succeeded(), "#(3)\n");
    fs::remove_dir_all(folder).unwrap();
}

/// Every engine stops at the same byte.
#[test]
fn output_is_limited_exactly() {
    let endless = "(define (f x) (f (write x))) (f 12345678901234567890)";
    let twice = "(define (twice n x) (if (= n 0) x (twice (- n 1) (cons x x)))) (twice 60 1)";
    for program in [endless, twice] {
        let outputs = Engine::ALL.map(|engine| {
            let arguments = ["--engine", engine.name(), "--max-output", "100K", "-e", program];
            let Answer { code, output, errors } = answer(&arguments);
            assert_eq!((code, output.len()), (Some(1), 100 << 10), "{engine}: {errors}");
            let expected = "error[output]: the output cannot be written: the limit of 102400 bytes is reached";
            assert!(errors.starts_with(expected), "{errors}");
            output
        });
        assert!(outputs.iter().all(|output| *output == outputs[0]));
        let told = answer(&["--json", "--max-output", "100K", "-e", program]);
        let told: Value = serde_json::from_str(&told.output).unwrap();
        assert_eq!(told["diagnostics"][0]["kind"], "output");
        let lines = told["output"].as_array().unwrap();
        let bytes: usize = lines.iter().map(|line| line["text"].as_str().unwrap().len() + 1).sum();
        assert!(bytes <= 100 << 10 && (bytes > 100 * 1000 || program == twice), "{bytes}");
    }
    // Output up to the limit is printed, to the last byte.
    assert_eq!(answer(&["--max-output", "2", "-e", "1"]).succeeded(), "1\n");
    answer(&["--max-output", "1", "-e", "1"]).failed("1", "error[output]:");
    answer(&["show", "core", "--max-output", "1", "-e", "1"]).failed("1", "error[output]:");
}

/// A sandbox has default limits; each option replaces its own.
#[test]
fn limits_go_without_saying() {
    let chatty = "(define (f x) (f (write x))) (f 1)";
    // A busy machine may need more than ten seconds for so much output.
    let Answer { output, errors, .. } = answer(&["--timeout", "100", "-e", chatty]);
    assert_eq!(output.len(), 16 << 20, "{errors}");
    let deep = "(define (f x) (+ 1 (f x))) (f 1)";
    let errors = answer(&["--engine", "hybrid", "--timeout", "100", "--max-depth", "1000000000", "-e", deep])
        .failed("", "error[memory]:");
    assert!(errors.contains("536870912"), "{errors}");
    let errors = answer(&["--engine", "hybrid", "--max-memory", "50M", "--max-depth", "1000000000", "-e", deep])
        .failed("", "error[memory]:");
    assert!(errors.contains("52428800"), "{errors}");
    let begun = Instant::now();
    let mut waiting = sandboxed(&["--engine", "hybrid", "-e", "(read-real)"]);
    let mut child = waiting.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let input = child.stdin.take();
    let errors = Answer::from(child.wait_with_output().unwrap()).failed("", "error[time]:");
    drop(input);
    assert!(errors.contains("10 s") && begun.elapsed() < Duration::from_secs(20), "{errors}");
}

/// A hostile text takes at most the resources that it was given.
#[rstest]
#[case::parentheses("(".repeat(1 << 20))]
#[case::brackets(format!("{}1{}", "(car (list ".repeat(100_000), "))".repeat(100_000)))]
#[case::lambdas(format!("{}1{}", "(lambda (x) ".repeat(50_000), ")".repeat(50_000)))]
#[case::quotes(format!("{}1", "'".repeat(1 << 20)))]
#[case::digits("9".repeat(1 << 20))]
#[case::exponent("1e999999999999".to_owned())]
#[case::name("x".repeat(1 << 20))]
#[case::comments("#| ".repeat(1 << 19))]
#[case::one_long_line(format!("{} (car 1)", "1 ".repeat(1 << 19)))]
#[case::errors("(if) ".repeat(1 << 17))]
#[case::unbound((0..100_000).map(|number| format!("(a{number}) ")).collect())]
#[case::vectors(format!("#({})", "1 ".repeat(1 << 19)))]
#[case::numbers("(define (f n) (build n (lambda (i) (f n)))) (f 4e9)".to_owned())]
#[case::tower("(define (f n x) (if (= n 0) x (j* (lambda (y) (f (- n 1) y)) x 1))) (f 1000 1)".to_owned())]
#[case::doubling("(define (f n g) (if (= n 0) g (f (- n 1) (lambda (x) (g (g x)))))) ((f 60 sin) 1)".to_owned())]
#[case::equal("(define (t n x) (if (= n 0) x (t (- n 1) (cons x x)))) (equal? (t 60 1) (t 60 1))".to_owned())]
#[case::tangent("(define (t n x) (if (= n 0) x (t (- n 1) (cons x x)))) (j* (lambda (x) x) (t 60 1) 1)".to_owned())]
fn hostile_texts_waste_what_they_were_given(#[case] text: String) {
    let folder = folder("hostile", &[("text.vlad", &text)]);
    let file = folder.join("text.vlad");
    let limits = ["--timeout", "1.5", "--max-memory", "200M", "--max-output", "100K"];
    for command in [&["run", "--engine", "hybrid"][..], &["run", "--engine", "interp"], &["check"]] {
        let begun = Instant::now();
        let Answer { code, output, errors } = answer(&[command, &limits, &[file.to_str().unwrap()]].concat());
        assert!(matches!(code, Some(0 | 1)), "{command:?} {code:?}: {errors}");
        assert!(output.len() <= 100 << 10 && errors.len() < 100 << 10, "{} {}", output.len(), errors.len());
        // One and a half seconds for loading and the same for running, with a reserve for busy machines.
        assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
    }
    fs::remove_dir_all(folder).unwrap();
}

/// A file that is included again is not read again.
#[test]
fn includes_do_not_multiply() {
    let (folder, program) = course("sandbox_includes", "(include \"0.vlad\") x40");
    for number in 0..40 {
        let next = format!("(include \"{}.vlad\") ", number + 1);
        fs::write(folder.join(format!("own/{number}.vlad")), next.repeat(40)).unwrap();
    }
    fs::write(folder.join("own/40.vlad"), "(define x40 7)").unwrap();
    assert_eq!(answer(&["--timeout", "5", &program]).succeeded(), "7\n");
    fs::remove_dir_all(folder).unwrap();
}

/// In a program that can stop at each of its steps, with more than a thousand live values at most of them, the
/// generated C is in proportion to the program.
#[test]
fn many_values_that_are_alive_fit() {
    let each = |part: fn(usize) -> String| (0..1600).map(part).collect::<String>();
    let (parameters, uses) = (each(|number| format!("p{number} ")), each(|number| format!("(sin p{number}) ")));
    let zeros = each(|_| "0 ".to_owned());
    let text = format!("(define (f {parameters}) (list {uses})) interrupt (car (f {zeros}))");
    assert_eq!(answer(&["-e", &text]).succeeded(), "#<procedure interrupt>\n0\n");
}

/// A word without an end is read until the memory limit.
#[test]
fn endless_input_is_limited() {
    let zeros = || File::open("/dev/zero").unwrap();
    for arguments in [&["-e", "(read-real)"][..], &["-"]] {
        let limits = ["--max-memory", "100M", "--timeout", "3"];
        let answer = answer_of(sandboxed(&[&limits, arguments].concat()).stdin(zeros()));
        assert_eq!((answer.code, answer.output.as_str()), (Some(1), ""), "{answer:?}");
        assert!(answer.errors.len() < 10_000, "{}", answer.errors.len());
    }
}

/// No file is kept unless the user has named a folder, and no temporary file is left.
#[test]
fn nothing_is_kept_outside_a_private_folder() {
    let home = folder("sandbox_home", &[("tmp/keep", "")]);
    let program = ["--engine", "native", "-e", "(+ 1 2)"];
    let without_capture = |command: &mut Command| {
        command.env_remove("VLAD_CACHE").env("XDG_CACHE_HOME", home.join("cache")).env("HOME", &home);
        answer_of(command.env("TMPDIR", home.join("tmp"))).succeeded()
    };
    assert_eq!(without_capture(&mut sandboxed(&program)), "3\n");
    assert!(!home.join("cache").exists());
    assert_eq!(fs::read_dir(home.join("tmp")).unwrap().count(), 1);
    without_capture(vlad().args(program));
    assert!(home.join("cache/vlad").exists());
    let private = home.join("private");
    assert_eq!(answer_of(sandboxed(&program).env("VLAD_CACHE", &private)).succeeded(), "3\n");
    let kept: Vec<_> = fs::read_dir(&private).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(kept.iter().filter(|path| path.extension().is_some_and(|ending| ending == "object")).count(), 1);
    fs::remove_dir_all(home).unwrap();
}

/// A compiler that fails and prints the limits under which it runs.
fn telling_compiler(folder: &Path) -> PathBuf {
    let compiler = folder.join("telling-cc");
    let text = "#!/bin/sh\n[ \"$1\" = --version ] && { echo 'telling 1'; exit; }\n\
                echo memory $(ulimit -v) core $(ulimit -c) time $(ulimit -t) file $(ulimit -f); exit 1\n";
    executable(&compiler, text);
    compiler
}

#[test]
fn the_compiler_has_limits_too() {
    let folder = folder("sandbox_compiler", &[]);
    let compiler = telling_compiler(&folder);
    let told = |arguments: &[&str]| {
        let mut command = vlad();
        command.args(["--engine", "native", "--no-cache", "-e", "1", "--cc"]).arg(&compiler).args(arguments);
        let answer = answer_of(&mut command);
        assert_eq!(answer.code, Some(4), "{answer:?}");
        answer.errors
    };
    let errors = told(&["--sandbox"]);
    assert!(errors.contains("memory 524288 core 0 time 1") && !errors.contains("file unlimited"), "{errors}");
    let errors = told(&["--sandbox", "--max-memory", "1G", "--timeout", "100"]);
    assert!(errors.contains("memory 1048576 core 0 time 10"), "{errors}");
    // This is the least memory with which a compiler works.
    let errors = told(&["--max-memory", "100M"]);
    assert!(errors.contains("memory 262144 core 0"), "{errors}");
    fs::remove_dir_all(folder).unwrap();
}

/// A program whose C code is much larger than its text is ended by the time limit on `native`, or refused if the code
/// is too large; `auto` runs it on another engine.
#[test]
fn enormous_code_is_limited() {
    let text = |count: u32| {
        let definitions = (0..count).map(|number| format!("(define (f{number} x) (+ x (* x {number})))\n"));
        let calls = (0..count).map(|number| format!("(f{number} 2)\n"));
        format!("{}(f7 1)\n{}", definitions.collect::<String>(), calls.collect::<String>())
    };
    let folder = folder("sandbox_code", &[("large.vlad", &text(8_000)), ("larger.vlad", &text(20_000))]);
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let begun = Instant::now();
    let slow = answer(&["--engine", "native", "--timeout", "3", "--max-memory", "16G", &file("large.vlad")]);
    assert!(slow.code == Some(1) && slow.errors.starts_with("error[time]:"), "{slow:?}");
    assert!(begun.elapsed() < Duration::from_secs(30));
    let refused = answer(&["--engine", "native", "--timeout", "30", &file("larger.vlad")]);
    assert!(refused.code == Some(4) && refused.errors.contains("too large to be compiled"), "{refused:?}");
    let answer = answer_of(&mut sandboxed(&["--timeout", "30", &file("larger.vlad")]));
    assert!(answer.code == Some(0) && answer.output.starts_with("8\n"), "{}", answer.errors);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn capsules_are_limited() {
    let folder = folder("sandbox_capsules", &[]);
    let capsule = folder.join("c.capsule");
    let arguments = ["suspend", "--after", "100000", "-o", capsule.to_str().unwrap(), "-e"];
    let program = "(define (f n l) (if (= n 0) l (f (- n 1) (cons n l)))) (null? (f 1e6 '()))";
    let suspend = |more: &[&str]| answer(&[&arguments[..], &[program], more].concat());
    let errors = suspend(&["--max-output", "10K"]).failed("", "error[output]:");
    assert!(errors.contains("cannot be written: the limit of 10240 bytes is reached"), "{errors}");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    suspend(&[]).succeeded();
    assert_eq!(answer(&["resume", capsule.to_str().unwrap()]).succeeded(), "#f\n");
    fs::remove_dir_all(folder).unwrap();
}
