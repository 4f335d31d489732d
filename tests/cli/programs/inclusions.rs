//! `INCLUDE` in Farfel, of texts in Farfel and in VLAD: capsules and executables keep the texts, a sandbox reads no others.

use crate::{answer, answer_of, answer_to, folder, quick};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Includes declarations twice, a subprogram, and procedures in VLAD, of which one reads. It prints 2 and the number read,
/// |(3, 4)|, and the sum of four squares.
const PROGRAM: &str = "      INCLUDE 'parts/norm.vlad'
      PROGRAM MAIN
      INTERFACE
        FUNCTION NORM(V)
        REAL V(*)
        END
      END INTERFACE
      INCLUDE 'parts/sizes.inc'
      REAL V(N)
      PRINT *, N
      READ *, X
      PRINT *, X
      V(1) = 6*X
      V(2) = 4
      PRINT *, NORM(V)
      CALL SQUARES(S)
      PRINT *, S
      END
      INCLUDE 'parts/squares'
";
const FILES: [(&str, &str); 4] = [
    ("main.f", PROGRAM),
    (
        "parts/norm.vlad",
        "(define (norm v) (sqrt (ifold (lambda (s i) (+ s (expt (get v i) 2))) 0 (vector-length v))))\n",
    ),
    ("parts/sizes.inc", "      PARAMETER (N = 2)\n"),
    (
        "parts/squares.f",
        "      SUBROUTINE SQUARES(S)\n      INCLUDE 'sizes.inc'\n      S = 0\n      DO 10 I = 1, 2*N\n   10 S = S + I**2\n      END\n",
    ),
];
const OUTPUT: &str = "2\n0.5\n5\n30\n";

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

#[test]
fn all_engines_read_the_texts() {
    let folder = folder("inclusions", &FILES);
    let program = path(&folder, "main.f");
    for engine in ["interp", "hybrid", "native", "auto"] {
        assert_eq!(answer_to(&[&program, "--engine", engine, "--sandbox"], b"0.5").succeeded(), OUTPUT);
    }
    let lifted =
        answer(&["show", "lifted", &program]).failed("", "error[type]: a program that includes a text in another");
    assert!(lifted.contains("main.f:1:15"), "{lifted}");
}

#[test]
fn a_capsule_has_the_texts() {
    let folder = folder("inclusions_capsule", &FILES);
    let (program, capsule) = (path(&folder, "main.f"), path(&folder, "a.capsule"));
    let suspended = answer(&["suspend", &program, "--after", "0", "-o", &capsule]).succeeded();
    fs::remove_dir_all(folder.join("parts")).unwrap();
    for engine in ["interp", "hybrid", "native"] {
        let resumed = answer_to(&["resume", &capsule, "--engine", engine], b"0.5").succeeded();
        assert_eq!(suspended.clone() + &resumed, OUTPUT);
    }
}

#[test]
fn an_executable_has_the_texts() {
    let folder = folder("inclusions_built", &FILES);
    let built = folder.join("program");
    let mut build = quick();
    build.current_dir(&folder).args(["build", "main.f", "--adr", "checkpoint", "-o", "program"]);
    assert_eq!(answer_of(&mut build).succeeded(), "");
    fs::remove_dir_all(folder.join("parts")).unwrap();
    let mut run = Command::new(&built);
    fs::write(folder.join("input"), "5D-1").unwrap();
    run.env_clear().stdin(fs::File::open(folder.join("input")).unwrap());
    assert_eq!(answer_of(&mut run).succeeded(), OUTPUT);
}

#[test]
fn plain_fortran_has_the_code_of_both_languages() {
    let folder = folder("inclusions_fortran", &FILES);
    answer(&["emit", "fortran", &path(&folder, "main.f"), "-o", &path(&folder, "out")]).succeeded();
    let text = fs::read_to_string(folder.join("out/main.f")).unwrap();
    assert!(text.contains("SQRT") && !text.contains("INCLUDE"), "{text}");
}

#[test]
fn a_sandbox_includes_nothing_outside_of_the_folder() {
    let files = [
        ("secret.f", "      SECRET"),
        ("own/main.f", "      INCLUDE '../secret.f'\n      END\n"),
        ("own/other.f", "      INCLUDE '../secret.vlad'\n      X = 1\n      END\n"),
        ("secret.vlad", "(secret"),
    ];
    let folder = folder("inclusions_sandbox", &files);
    for (program, name) in [("own/main.f", "../secret.f"), ("own/other.f", "../secret.vlad")] {
        let errors = answer(&["--sandbox", &path(&folder, program)]);
        let errors = errors.failed("", &format!("error[file]: there is no file `{name}`"));
        assert!(!errors.to_lowercase().contains("      secret"), "{errors}");
    }
}

#[test]
fn inclusions_have_a_limit() {
    let twice = |name: &str| format!("      INCLUDE '{name}'\n").repeat(2);
    let names: Vec<String> = (0..=14).map(|number| format!("part{number}.inc")).collect();
    let mut files: Vec<(&str, String)> = vec![("main.f", twice("part0.inc") + "      END\n")];
    files.extend(names.iter().zip(names.iter().skip(1)).map(|(name, next)| (name.as_str(), twice(next))));
    files.push(("part14.inc", "C     the end\n".to_owned()));
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let folder = folder("inclusions_limit", &files);
    answer(&["check", &path(&folder, "main.f")]).failed("", "error[limit]: a text includes more than 10000 others");
}
