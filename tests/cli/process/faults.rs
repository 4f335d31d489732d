//! Faults of the environment: full disks, caches that other processes damage, many runs at once, compilers that do not
//! compile, streams that are closed. Nothing half-written is ever used.

use crate::{Answer, answer_of, executable, folder, in_shell, vlad, wait_until};
use rstest::rstest;
use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const PROGRAM: &str = "(define (f x) (* x (+ x 1))) (f 6) (*j f 3 1)";
const OUTPUT: &str = "42\n(12 . 7)\n";

/// The program on the native engine, with a cache of its own.
fn native(cache: &Path) -> Command {
    let mut command = vlad();
    command.args(["--engine", "native", "-e", PROGRAM]).env("VLAD_CACHE", cache);
    command
}

/// Returns the entries of a cache, and checks that it contains nothing but entries and marks of them.
fn entries(cache: &Path) -> Vec<PathBuf> {
    let ends_with = |path: &PathBuf, ending: &str| path.extension().is_some_and(|extension| extension == ending);
    let (marks, entries): (Vec<PathBuf>, Vec<PathBuf>) =
        fs::read_dir(cache).unwrap().map(|entry| entry.unwrap().path()).partition(|path| ends_with(path, "mark"));
    assert!(entries.iter().all(|entry| ends_with(entry, "object")), "{entries:?}");
    let keys: Vec<&str> = entries.iter().map(|entry| entry.file_stem().unwrap().to_str().unwrap()).collect();
    let names_one = |mark: &PathBuf| {
        fs::read_to_string(mark).unwrap().trim_end().split(' ').nth(1).is_some_and(|key| keys.contains(&key))
    };
    assert!(marks.iter().all(names_one), "{marks:?}");
    entries
}

/// A cache that cannot be used is ignored.
#[test]
fn no_cache_is_no_error() {
    let folder = folder("faults_no_cache", &[("file", ""), ("link/keep", "")]);
    std::os::unix::fs::symlink("nowhere/at/all", folder.join("dangling")).unwrap();
    let strange = ["file", "file/below", "dangling"].map(|name| folder.join(name));
    for cache in strange.iter().map(PathBuf::as_path).chain([Path::new("/dev/null"), Path::new("/proc/self/vlad")]) {
        assert_eq!(answer_of(&mut native(cache)).succeeded(), OUTPUT, "{}", cache.display());
    }
    // The superuser may write there nevertheless; then the object is kept.
    let readable = folder.join("link");
    let chmod = |mode: &str| assert!(Command::new("chmod").arg(mode).arg(&readable).status().unwrap().success());
    chmod("500");
    assert_eq!(answer_of(&mut native(&readable)).succeeded(), OUTPUT);
    chmod("700");
    fs::remove_dir_all(folder).unwrap();
}

/// The file system is full when the object, or its entry, is written: at any size the result is right or there is none,
/// and entries that were written are sound.
#[test]
fn a_disk_that_fills_up_leaves_nothing_half_written() {
    let folder = folder("faults_full", &[]);
    let cache = folder.join("cache");
    let mut codes = Vec::new();
    // In blocks of 512 bytes: from too few for the C text to enough for everything.
    for blocks in [1, 8, 40, 80, 120, 150, 160, 170, 180, 200, 400] {
        let limited = answer_of(&mut in_shell(&format!("ulimit -f {blocks};"), &native(&cache)));
        match limited.code {
            Some(0) => assert_eq!(limited.output, OUTPUT),
            Some(4) => {
                assert!(limited.output.is_empty() && limited.errors.starts_with("error[compiler]"), "{limited:?}")
            }
            _ => panic!("{blocks}: {limited:?}"),
        }
        codes.push(limited.code);
        // `auto` falls back to another engine.
        let mut automatic = vlad();
        automatic.args(["-e", PROGRAM]).env("VLAD_CACHE", &cache);
        let automatic = answer_of(&mut in_shell(&format!("ulimit -f {blocks};"), &automatic));
        assert_eq!((automatic.code, automatic.output.as_str()), (Some(0), OUTPUT), "{automatic:?}");
        if cache.exists() {
            entries(&cache);
            fs::remove_dir_all(&cache).unwrap();
        }
    }
    assert!(codes.contains(&Some(0)) && codes.contains(&Some(4)), "{codes:?}");
    fs::remove_dir_all(folder).unwrap();
}

/// A capsule that does not fit leaves the old file unchanged.
#[test]
fn a_capsule_that_does_not_fit_replaces_nothing() {
    let folder = folder("faults_capsule", &[]);
    let capsule = folder.join("c.capsule");
    let program = "(define (f n l) (if (= n 0) l (f (- n 1) (cons n l)))) (null? (f 1e5 '()))";
    let suspend = |after: &str| {
        let mut command = vlad();
        command.args(["suspend", "--after", after, "-e", program, "-o"]).arg(&capsule);
        command
    };
    answer_of(&mut in_shell("ulimit -f 8;", &suspend("50000"))).failed("", "error[output]: `");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    answer_of(&mut suspend("100")).succeeded();
    let old = fs::read(&capsule).unwrap();
    answer_of(&mut in_shell("ulimit -f 8;", &suspend("50000"))).failed("", "error[output]: `");
    assert_eq!((fs::read(&capsule).unwrap(), fs::read_dir(&folder).unwrap().count()), (old, 1));
    fs::remove_dir_all(folder).unwrap();
}

/// Another thread truncates, swaps and removes the entries of the cache all the time, in place and by renaming.
#[test]
fn a_cache_that_others_break_is_never_believed() {
    let folder = folder("faults_broken_cache", &[]);
    let cache = folder.join("cache");
    assert_eq!(answer_of(&mut native(&cache)).succeeded(), OUTPUT);
    let entry = entries(&cache).pop().unwrap();
    let sound = fs::read(&entry).unwrap();
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let beside = folder.join("beside");
            let mut turn = 0_usize;
            while !done.load(Ordering::Relaxed) {
                turn += 1;
                let part = &sound[..sound.len() * (turn % 7) / 7];
                // The entry may be missing; then the next turn tries again.
                let _ = match turn % 4 {
                    0 => fs::write(&beside, part).and_then(|()| fs::rename(&beside, &entry)),
                    1 => OpenOptions::new().write(true).open(&entry).and_then(|file| file.set_len(part.len() as u64)),
                    2 => fs::write(&beside, &sound).and_then(|()| fs::rename(&beside, &entry)),
                    _ => fs::remove_file(&entry),
                };
                thread::sleep(Duration::from_micros(300));
            }
        });
        for _ in 0..30 {
            let answer = answer_of(&mut native(&cache));
            assert_eq!((answer.code, answer.output.as_str(), answer.errors.as_str()), (Some(0), OUTPUT, ""));
        }
        done.store(true, Ordering::Relaxed);
    });
    assert_eq!(answer_of(&mut native(&cache)).succeeded(), OUTPUT);
    fs::remove_dir_all(folder).unwrap();
}

/// Many concurrent runs of one program, none of which finds it in the cache.
fn run_at_once(runs: usize) {
    let folder = folder(&format!("faults_at_once_{runs}"), &[("tmp/keep", "")]);
    let cache = folder.join("cache");
    thread::scope(|scope| {
        for _ in 0..runs {
            scope.spawn(|| {
                let answer = answer_of(native(&cache).args(["--cc", "cc"]).env("TMPDIR", folder.join("tmp")));
                assert_eq!(answer.succeeded(), OUTPUT);
            });
        }
    });
    assert_eq!(entries(&cache).len(), 1);
    assert_eq!(fs::read_dir(folder.join("tmp")).unwrap().count(), 1);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn many_runs_share_a_cold_cache() {
    run_at_once(24);
}

/// To run it: `cargo test --test cli two_hundred -- --ignored`
#[test]
#[ignore = "takes a minute"]
fn two_hundred_runs_share_a_cold_cache() {
    run_at_once(200);
}

/// Compilers that do not compile: on `native` an error of its own kind, on `auto` no error.
#[rstest]
#[case::fails("echo no; exit 1", "failed (exit status: 1); it printed:\n  no")]
#[case::prints_garbage("head -c 100000 /dev/urandom; exit 1", "failed (exit status: 1)")]
#[case::prints_garbage_and_succeeds("head -c 100000 /dev/urandom", "left no usable object: there is no file")]
#[case::is_killed("kill -KILL $$", "failed (signal: 9 (SIGKILL))")]
#[case::dies("kill -SEGV $$", "failed (signal: 11 (SIGSEGV)")]
#[case::empty(": > program.so", "left no usable object: the file is empty")]
#[case::garbage("head -c 100000 /dev/urandom > program.so", "left no usable object: the file is no object")]
#[case::half("cc \"$@\" && head -c 9000 program.so > half && mv half program.so", "left no usable object: ")]
#[case::something_else(
    "echo 'int x;' > other.c && cc -shared -o program.so other.c",
    "left no usable object: it does not hold what was to be compiled"
)]
#[case::a_folder("mkdir program.so", "left no usable object: it is not a file")]
#[case::a_link("ln -s /etc/passwd program.so", "left no usable object: it is not a file")]
fn compilers_that_do_not_compile(#[case] lines: &str, #[case] complaint: &str) {
    let name: String = complaint.chars().chain(lines.chars()).filter(char::is_ascii_alphanumeric).collect();
    let folder = folder(&format!("faults_{name}"), &[("tmp/keep", "")]);
    let compiler = folder.join("broken-cc");
    executable(
        &compiler,
        &format!("#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'broken 1.0'; exit 0; fi\n{lines}\n"),
    );
    let run = |arguments: &[&str]| {
        let mut command = vlad();
        command.args(arguments).args(["-e", PROGRAM, "--cc"]).arg(&compiler);
        answer_of(command.env("VLAD_CACHE", folder.join("cache")).env("TMPDIR", folder.join("tmp")))
    };
    let Answer { code, output, errors } = run(&["--engine", "native"]);
    assert_eq!((code, output.as_str()), (Some(4), ""), "{errors}");
    assert!(errors.starts_with("error[compiler]: the C compiler ") && errors.contains(complaint), "{errors}");
    // At most eight lines of 200 characters, each of which may be written as an escape.
    assert!(errors.len() < 8 * 200 * 10);
    assert_eq!(run(&[]).succeeded(), OUTPUT);
    // The process that compiles in the background is ended with the run, or a moment later.
    wait_until("temporary files are gone", || fs::read_dir(folder.join("tmp")).unwrap().count() == 1);
    assert_eq!(entries(&folder.join("cache")).len(), 0);
    fs::remove_dir_all(folder).unwrap();
}

/// Streams that are closed when the command starts: an input is at its end, an output is lost, and no file that is
/// opened later is taken for one of them.
#[test]
fn closed_streams_are_empty() {
    let closed = |stream: &str, program: &str| {
        answer_of(&mut in_shell(&format!("exec {stream};"), vlad().args(["-e", program])))
    };
    let errors = closed("<&-", "1 (read-real)").failed("1\n", "error[input]: ");
    assert!(errors.contains("the end of the input"), "{errors}");
    let Answer { code, output, .. } = closed(">&-", "1");
    assert_eq!((code, output.as_str()), (Some(0), ""));
    assert_eq!(closed("2>&-", "1").succeeded(), "1\n");
    let Answer { code, output, errors } = closed("2>&-", "1 (car 1)");
    assert_eq!((code, output.as_str(), errors.as_str()), (Some(1), "1\n", ""));
    let all = closed("<&- >&- 2>&-", "1 (read-real)");
    assert_eq!((all.code, all.output.as_str(), all.errors.as_str()), (Some(1), "", ""));
}

/// An output that is open but never read does not delay a limit: neither while it is being written nor when output is
/// left to be flushed.
#[rstest]
#[case::while_it_is_written("(define (f x) (f (write x))) (f 123456)")]
#[case::when_something_is_left(
    "(define (f n) (if (= n 0) 0 (begin (write 123456) (f (- n 1))))) (f 11000) (define (g x) (g x)) (g 1)"
)]
fn an_output_that_nobody_reads_holds_up_nothing(#[case] program: &str, #[values("hybrid", "native")] engine: &str) {
    // The time limit applies to the compiler as well, so the program is compiled to the cache first.
    answer_of(vlad().args(["--engine", engine, "--timeout", "30", "--max-steps", "10", "-e", program]));
    let mut command = vlad();
    command.args(["--engine", engine, "--timeout", "1", "--max-steps", "1000000000000", "-e", program]);
    let begun = Instant::now();
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let code = child.wait().unwrap().code();
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    let answer: Answer = child.wait_with_output().unwrap().into();
    assert_eq!(code, Some(1));
    assert!(answer.errors.starts_with("error[time]:"), "{}", answer.errors);
    assert_eq!(answer.errors.matches("error[").count(), 1, "{}", answer.errors);
    assert!(answer.output.starts_with("123456\n123456\n"));
}
