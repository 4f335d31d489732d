//! Finding and running C compilers, most of them broken: scripts that do things which a compiler must not do.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // tests may

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use vlad_compiler::compiled::cache::{Cache, CachePolicy};
use vlad_compiler::compiled::doctor;
use vlad_compiler::toolchain::{
    CompilerSetting, DEFAULT_TIME_LIMIT, Family, Header, Job, Optimisation, Search, Source, Toolchain, ToolchainError,
};

const TEXT: &str = "__attribute__((visibility(\"default\"))) int answer(void) { return 42; }\n";

fn job<'a>(sources: &'a [Source<'a>]) -> Job<'a> {
    Job { sources, headers: &[], optimisation: Optimisation::Full, time_limit: DEFAULT_TIME_LIMIT, memory_limit: None }
}

const ANSWER: [Source<'static>; 1] = [Source { name: "answer", text: TEXT }];

/// The system's own compiler, which the tests need.
fn system() -> Toolchain {
    Toolchain::find(&Search { path: std::env::var_os("PATH"), ..Search::default() }, DEFAULT_TIME_LIMIT).unwrap()
}

/// A search for an explicitly chosen compiler.
fn chosen(compiler: impl Into<OsString>) -> Search {
    Search { option: Some(compiler.into()), path: std::env::var_os("PATH"), ..Search::default() }
}

/// Writes an executable file. A separate process writes it: if this process did, a child that another test starts
/// meanwhile could hold the file open for writing when it is to be executed.
fn executable(path: &Path, text: &str) {
    let mut shell = Command::new("sh")
        .args(["-c", "cat > \"$0\" && chmod 755 \"$0\""])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    shell.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    assert!(shell.wait().unwrap().success());
}

/// A compiler that reports a version and otherwise runs the lines.
fn fake(folder: &Path, lines: &str) -> PathBuf {
    let path = folder.join("fake-cc");
    executable(&path, &format!("#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'fake 1.0'; exit 0; fi\n{lines}\n"));
    path
}

/// The error of compiling with such a compiler.
fn failure(lines: &str, limit: Duration) -> ToolchainError {
    let folder = TempDir::new().unwrap();
    let toolchain = Toolchain::find(&chosen(fake(folder.path(), lines)), limit).unwrap();
    assert_eq!(toolchain.family(), Family::Unknown);
    assert_eq!(toolchain.identity().version, "fake 1.0");
    let error = toolchain.compile(&Job { time_limit: limit, ..job(&ANSWER) }).unwrap_err();
    check_message(&error);
    error
}

/// Checks that a message names the engines that need no compiler, is short, and contains no control characters.
fn check_message(error: &ToolchainError) {
    let text = error.to_string();
    assert!(text.contains("--engine hybrid or --engine interp"), "{text}");
    assert!(text.len() < 4000, "{text}");
    assert!(!text.chars().any(|character| character.is_control() && character != '\n'), "{text}");
}

#[test]
fn the_systems_compiler_works() {
    let toolchain = system();
    assert_eq!(toolchain.choice(), CompilerSetting::Usual);
    assert!(toolchain.program().is_absolute());
    assert!(!toolchain.identity().version.is_empty());
    doctor::probe(&toolchain, DEFAULT_TIME_LIMIT).unwrap();
    let built = toolchain.compile(&job(&ANSWER)).unwrap();
    assert_eq!(built.bytes(), fs::read(built.path()).unwrap());
    let folder = built.path().parent().unwrap().to_owned();
    drop(built);
    assert!(!folder.exists());
}

#[test]
fn a_tiny_compiler_works_where_there_is_one() {
    if let Ok(toolchain) = Toolchain::find(&chosen("tcc"), DEFAULT_TIME_LIMIT) {
        assert_eq!(toolchain.family(), Family::Tcc);
        doctor::probe(&toolchain, DEFAULT_TIME_LIMIT).unwrap();
    }
}

#[test]
fn several_programs_make_one_object() {
    let texts = [
        "#include \"common.h\"\nEXPORT int first_program(void) { return NUMBER; }\n",
        "#include \"common.h\"\nEXPORT int second_program(void) { return NUMBER; }",
        "#include \"common.h\"\nEXPORT int third_program(void) { return NUMBER; }",
    ];
    let sources =
        [("first", texts[0]), ("second", texts[1]), ("third", texts[2])].map(|(name, text)| Source { name, text });
    let header = "#ifndef COMMON\n#define COMMON\n#define NUMBER 7\n\
                  #define EXPORT __attribute__((visibility(\"default\")))\nstatic int hidden;\n#endif\n";
    let headers = [Header { name: "common.h", text: header }];
    for optimisation in [Optimisation::Least, Optimisation::Fast, Optimisation::Full] {
        let job = Job { headers: &headers, optimisation, ..job(&sources) };
        let object = Cache::open(CachePolicy::Bypass).object(&system(), &job).unwrap();
        for name in ["first_program", "second_program", "third_program"] {
            assert!(object.library.symbol(name).is_some());
        }
        assert!(object.library.symbol("fourth_program").is_none());
        assert!(object.library.symbol("").is_none());
        assert!(object.library.symbol("a\0b").is_none());
    }
}

#[test]
fn many_functions_compile() {
    let text: String = (0..10_000)
        .map(|number| format!("double f{number}(double x) {{ return x + {number}; }}\n"))
        .chain(["__attribute__((visibility(\"default\"))) int f_program(void) { return 0; }\n".to_owned()])
        .collect();
    let sources = [Source { name: "f", text: &text }];
    system().compile(&Job { optimisation: Optimisation::Fast, ..job(&sources) }).unwrap();
}

#[test]
fn absent_compilers_are_named() {
    let nowhere = Some(OsString::from("/nonexistent"));
    let searches = [
        (chosen("no-such-compiler"), "no-such-compiler (from --cc)"),
        (chosen("/no/such compiler"), "/no/such compiler (from --cc)"),
        (chosen("/tmp"), "/tmp (from --cc): not a file"),
        (chosen("/etc/passwd"), "/etc/passwd (from --cc): not an executable file"),
        (chosen(""), " (from --cc): an empty name"),
        (chosen("/a\nb\u{1b}[31m"), "/a\\nb\\u{1b}[31m (from --cc)"),
        (chosen(OsStr::from_bytes(b"/a\xff")), "/a\u{fffd} (from --cc)"),
        (Search { vlad_variable: Some("nope".into()), ..Search::default() }, "nope (from VLAD_CC): not on the search"),
        (Search { path: nowhere.clone(), ..Search::default() }, "cc: not on the search path; gcc: not"),
        (Search { variable: Some("gcc -m32".into()), path: nowhere, ..Search::default() }, "gcc -m32 (from CC): not"),
    ];
    for (search, expected) in searches {
        let error = Toolchain::find(&search, DEFAULT_TIME_LIMIT).unwrap_err();
        check_message(&error);
        let text = error.to_string();
        assert!(matches!(error, ToolchainError::NotFound { .. }), "{text}");
        assert!(text.starts_with("no C compiler was found: ") && text.contains(expected), "{text}");
    }
}

#[test]
fn the_users_choice_is_the_only_one_looked_at() {
    let path = std::env::var_os("PATH");
    let find = |option: Option<&str>, vlad_variable: Option<&str>, variable: Option<&str>| {
        let [option, vlad_variable, variable] = [option, vlad_variable, variable].map(|name| name.map(OsString::from));
        Toolchain::find(&Search { option, vlad_variable, variable, path: path.clone() }, DEFAULT_TIME_LIMIT)
            .map(|toolchain| toolchain.choice())
    };
    assert_eq!(find(Some("cc"), Some("no"), Some("no")), Ok(CompilerSetting::Option));
    assert_eq!(find(None, Some("cc"), Some("no")), Ok(CompilerSetting::VladVariable));
    assert_eq!(find(None, None, Some("cc")), Ok(CompilerSetting::Variable));
    assert_eq!(find(None, None, Some("cc -ffast-math")), Ok(CompilerSetting::Usual));
    assert_eq!(find(None, None, None), Ok(CompilerSetting::Usual));
    assert!(find(Some("no"), Some("cc"), Some("cc")).is_err());
    assert!(find(None, Some("no"), Some("cc")).is_err());
}

#[test]
fn files_that_are_no_programs_cannot_be_started() {
    let folder = TempDir::new().unwrap();
    for text in ["neither script nor program\n", "#!/no/such/interpreter\n"] {
        let path = folder.path().join("cc");
        executable(&path, text);
        let error = Toolchain::find(&chosen(&path), DEFAULT_TIME_LIMIT).unwrap_err();
        check_message(&error);
        assert!(matches!(error, ToolchainError::CannotStart { .. }), "{error}");
    }
}

#[test]
fn odd_paths_do_not_matter() {
    let folder = TempDir::new().unwrap();
    for name in ["with spaces", "it's \"quoted\" $HOME `id`", "line\nend", "-o", "-", "*?[", "\u{fc}nic\u{f6}de"] {
        let odd = folder.path().join(name);
        fs::create_dir(&odd).unwrap();
        let compiler = odd.join(name);
        executable(&compiler, &format!("#!/bin/sh\nexec {} \"$@\"\n", system().program().display()));
        let toolchain = Toolchain::find(&chosen(&compiler), DEFAULT_TIME_LIMIT).unwrap();
        doctor::probe(&toolchain, DEFAULT_TIME_LIMIT).unwrap();
        let by_name = Search { option: Some(name.into()), path: Some(odd.into()), ..Search::default() };
        assert_eq!(Toolchain::find(&by_name, DEFAULT_TIME_LIMIT).unwrap().program(), compiler);
    }
    let not_unicode = folder.path().join(OsStr::from_bytes(b"\xff\xfe"));
    executable(&not_unicode, "#!/bin/sh\nexec cc \"$@\"\n");
    doctor::probe(&Toolchain::find(&chosen(not_unicode), DEFAULT_TIME_LIMIT).unwrap(), DEFAULT_TIME_LIMIT).unwrap();
}

#[test]
fn a_failing_compiler_is_quoted() {
    let error = failure("echo one; printf 'two\\033[31m\\377' >&2; exit 3", DEFAULT_TIME_LIMIT);
    let text = error.to_string();
    assert!(text.contains("failed (exit status: 3); it printed:\n  one\n  two\\u{1b}[31m\u{fffd}\n"), "{text}");
    let error = failure("kill -SEGV $$", DEFAULT_TIME_LIMIT);
    assert!(error.to_string().contains("failed (signal: 11 (SIGSEGV)"), "{error}");
}

#[test]
fn an_error_of_the_c_is_quoted() {
    let broken = [Source { name: "broken", text: "int main( {" }];
    let error = system().compile(&job(&broken)).unwrap_err();
    check_message(&error);
    assert!(matches!(&error, ToolchainError::Failed { output, .. } if output.contains("program.c")), "{error}");
}

#[test]
fn output_is_bounded() {
    let error = failure("yes garbage | head -c 100000000; exit 1", DEFAULT_TIME_LIMIT);
    assert!(matches!(&error, ToolchainError::Failed { output, .. } if output.len() == 1 << 16), "{error}");
    let error = failure("head -c 100000000 /dev/zero; exit 1", DEFAULT_TIME_LIMIT);
    assert!(matches!(error, ToolchainError::Failed { .. }), "{error}");
    let error = failure("exec yes", Duration::from_secs(1));
    assert!(matches!(error, ToolchainError::TimedOut { .. }), "{error}");
}

#[test]
fn a_hanging_compiler_is_ended_with_its_children() {
    let start = Instant::now();
    let error = failure("sleep 1000 & echo child $!; wait", Duration::from_secs(1));
    assert!(start.elapsed() < Duration::from_secs(10));
    let ToolchainError::TimedOut { output, .. } = &error else { panic!("{error}") };
    soon_gone(output);
}

/// Asserts that the child whose number was printed ends soon, if it has not ended yet.
fn soon_gone(output: &str) {
    let child = output.trim().strip_prefix("child ").unwrap();
    // A child that has ended may still have to be reaped.
    let gone = || match fs::read_to_string(format!("/proc/{child}/stat")) {
        Ok(stat) => stat.contains(") Z "),
        Err(_) => true,
    };
    let deadline = Instant::now() + Duration::from_secs(5);
    while !gone() {
        assert!(Instant::now() < deadline);
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_compiler_that_hangs_at_once_is_ended() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("cc");
    executable(&path, "#!/bin/sh\nexec sleep 1000\n");
    let error = Toolchain::find(&chosen(&path), Duration::from_secs(1)).unwrap_err();
    check_message(&error);
    assert!(matches!(error, ToolchainError::TimedOut { .. }), "{error}");
}

#[test]
fn what_a_compiler_leaves_running_does_not_hold_up_and_is_ended() {
    let start = Instant::now();
    // The second leaves a program that continues to print.
    for left in ["sleep 1000 & echo child $!; exit 1", "yes >/dev/null & echo child $!; yes '' & exit 1"] {
        let error = failure(left, DEFAULT_TIME_LIMIT);
        let ToolchainError::Failed { output, .. } = &error else { panic!("{error}") };
        soon_gone(output.lines().find(|line| !line.is_empty()).unwrap());
    }
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn success_without_an_object_is_none() {
    let compile = "cc -shared -fPIC -o program.so program.c";
    let cases = [
        ("exit 0".to_owned(), "there is no file"),
        ("mkdir program.so".to_owned(), "it is not a file"),
        (": > program.so".to_owned(), "the file is empty"),
        ("echo hello, world > program.so".to_owned(), "the file is no object"),
        ("head -c 100000 /dev/urandom > program.so".to_owned(), "the file is no object"),
        ("ln -s /etc/passwd program.so".to_owned(), "it is not a file"),
        ("cc -c -o program.so program.c".to_owned(), "the file is no shared object"),
        ("echo 'int x;' > x.c && cc -shared -fPIC -o program.so x.c".to_owned(), "it does not hold what"),
        (format!("{compile} && head -c 100 program.so > cut && mv cut program.so"), "the file"),
        (format!("{compile} && head -c 4000 program.so > cut && mv cut program.so"), "the file"),
        (format!("{compile} && head -c -1 program.so > cut && mv cut program.so"), "the file"),
    ];
    for (lines, expected) in cases {
        let error = failure(&lines, DEFAULT_TIME_LIMIT);
        let ToolchainError::NoObject { reason, .. } = &error else { panic!("{lines}: {error}") };
        assert!(reason.starts_with(expected), "{lines}: {error}");
    }
}

/// A function that calls an undefined one.
const CALLER: &str = "void nowhere(void); __attribute__((visibility(\"default\"))) void x_program(void) { nowhere(); }";

#[test]
fn an_object_with_missing_symbols_is_not_loadable() {
    let sources = [Source { name: "x", text: CALLER }];
    let error = Cache::open(CachePolicy::Bypass).object(&system(), &job(&sources)).unwrap_err();
    check_message(&error);
    assert!(matches!(&error, ToolchainError::NotLoadable { reason, .. } if reason.contains("nowhere")), "{error}");
}

#[test]
fn a_compiler_sees_a_plain_world() {
    let ToolchainError::Failed { output, .. } = failure("env; cat; ls; echo \"$@\"; exit 1", DEFAULT_TIME_LIMIT) else {
        panic!("it should fail");
    };
    let known = ["PATH", "HOME", "LD_LIBRARY_PATH", "LC_ALL=C", "TMPDIR=.", "PWD", "OLDPWD", "SHLVL", "_"];
    for line in output.lines().filter(|line| line.contains('=') && !line.starts_with('-')) {
        assert!(known.iter().any(|name| line.starts_with(name)), "{line}");
    }
    assert!(output.contains("\nprogram.c\n"), "{output}");
    let flags = "-std=c11 -O2 -ffp-contract=off -fno-builtin -fno-math-errno -fno-trapping-math -pipe -fPIC -shared \
                 -fno-tree-slp-vectorize -fvisibility=hidden -w -o program.so program.c\n";
    assert!(output.ends_with(flags), "{output}");
}

#[test]
fn the_report_tells_all_flags() {
    let report = std::fs::read_to_string("../docs/report/14-native.md").unwrap();
    let told: Vec<&str> = report.split(['`', ' ', '\n']).collect();
    for optimisation in [Optimisation::Least, Optimisation::Fast, Optimisation::Full] {
        for flag in system().flags(optimisation) {
            assert!(told.contains(&flag), "the report does not tell of {flag}");
        }
    }
}

/// The variable that is set in processes that run a test about the environment; without it these tests do nothing.
const ELSEWHERE: &str = "VLAD_TEST_ELSEWHERE";

/// Runs one of the tests of this file in a process with other variables.
fn elsewhere(test: &str, variables: &[(&str, &OsStr)]) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([test, "--exact"]).env(ELSEWHERE, "1");
    for (name, value) in variables {
        command.env(name, value);
    }
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}

#[test]
fn no_folder_for_temporary_files() {
    if std::env::var_os(ELSEWHERE).is_none() {
        return;
    }
    let error = system().compile(&job(&ANSWER)).unwrap_err();
    check_message(&error);
    assert!(matches!(error, ToolchainError::Folder { .. }), "{error}");
}

#[test]
fn an_unwritable_folder_for_temporary_files_is_named() {
    for folder in ["/dev/null", "/nonexistent/folder", "/proc", "/dev/full", "/etc/passwd/x"] {
        elsewhere("no_folder_for_temporary_files", &[("TMPDIR", OsStr::new(folder))]);
    }
}

#[test]
fn the_probe() {
    if std::env::var_os(ELSEWHERE).is_none() {
        return;
    }
    doctor::probe(&system(), DEFAULT_TIME_LIMIT).unwrap();
    let diagnosis = doctor::diagnose(&Search::with_environment(None), CachePolicy::Bypass, DEFAULT_TIME_LIMIT);
    diagnosis.probe.unwrap();
}

#[test]
fn flags_of_the_environment_do_not_matter() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("stdint.h"), "#error wrong header\n").unwrap();
    let odd = folder.path().join("it's \"odd\"\n $HOME");
    fs::create_dir(&odd).unwrap();
    let flags = OsStr::new("-Dint=broken -ffast-math");
    let path = folder.path().as_os_str();
    elsewhere(
        "the_probe",
        &[
            ("CFLAGS", flags),
            ("CPPFLAGS", flags),
            ("LDFLAGS", OsStr::new("-lnowhere")),
            ("CC", OsStr::new("cc -Dint=broken")),
            ("CPATH", path),
            ("C_INCLUDE_PATH", path),
            ("LIBRARY_PATH", path),
            ("GCC_EXEC_PREFIX", OsStr::new("/nonexistent/")),
            ("COMPILER_PATH", path),
            ("DEPENDENCIES_OUTPUT", OsStr::new("/nonexistent/file")),
            ("LANG", OsStr::new("xx_YY")),
            ("TMPDIR", odd.as_os_str()),
        ],
    );
    assert_eq!(fs::read_dir(&odd).unwrap().count(), 0);
}
