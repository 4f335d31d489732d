//! The names of the C library's mathematical functions, of which none may be called: their last bits differ between machines.

use crate::{answer, folder};
use object::{Object, ObjectSymbol};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use vlad_shared::table::Evaluation;
use vlad_shared::table::operations::OPERATIONS;

/// The functions of C whose results are not fixed by IEEE 754 and that are no operation, and those that a C compiler puts in their place.
const OTHERS: [&str; 11] = ["exp10", "gamma", "j0", "j1", "jn", "lgamma_r", "powi", "sincos", "y0", "y1", "yn"];

fn is_function(name: &str) -> bool {
    OTHERS.contains(&name) || OPERATIONS.iter().any(|row| row.operation.function_in_c() == Some(name))
}

/// The functions among the names that a file takes from elsewhere.
fn imported(file: &Path) -> BTreeSet<String> {
    let bytes = fs::read(file).unwrap();
    let object = object::File::parse(&*bytes).unwrap();
    let symbols = object.symbols().chain(object.dynamic_symbols()).filter(|symbol| symbol.is_undefined());
    let names: BTreeSet<String> = symbols.filter_map(|symbol| Some(symbol.name().ok()?.to_owned())).collect();
    assert!(names.len() > 10, "{} imports nothing: the test sees nothing", file.display());
    names.into_iter().filter(|name| is_function(name.trim_start_matches('_').split('@').next().unwrap())).collect()
}

/// A program that applies all operations to numbers that are not known before it runs, and differentiates them.
fn everything() -> String {
    let mut program = "(define x (read-real)) (define (d f) (list (j* f x 1) (*j f x 1)))\n".to_owned();
    for row in OPERATIONS.iter().filter(|row| !matches!(row.name, "negate" | "copy" | "atan2")) {
        match row.evaluation {
            Evaluation::Unary(_) => program += &format!("(d {})\n", row.name),
            Evaluation::Binary(_) => program += &format!("(d (lambda (x) ({} x (+ x 1))))\n", row.name),
        }
    }
    program + "(d (lambda (x) (atan x (+ x 1))))\n"
}

/// Executables of `vlad build` are copies of the command.
#[test]
fn the_command_imports_no_function() {
    assert_eq!(imported(Path::new(env!("CARGO_BIN_EXE_vlad"))), BTreeSet::new());
}

#[test]
fn generated_code_names_no_function() {
    let folder = folder("symbols-c", &[("all.vlad", &everything())]);
    let code = answer(&["show", "c", folder.join("all.vlad").to_str().unwrap()]).succeeded();
    assert!(code.len() > 2000, "{code}");
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    for (at, _) in code.match_indices('(') {
        let name = code[..at].trim_end().rsplit(|character: char| !is_part(character)).next().unwrap();
        assert!(!is_function(name), "`{name}` is called: {}", &code[at.saturating_sub(80)..at]);
    }
}

/// The archive that goes with exports needs no library at all: it defines each symbol that its members take.
#[test]
fn the_archive_of_functions_is_complete() {
    let folder = folder("symbols-archive", &[("all.vlad", "(define (f x) (expt x (sin x)))\n")]);
    let (program, out) = (folder.join("all.vlad"), folder.join("out"));
    let words = ["emit", "c", program.to_str().unwrap(), "--export", "f:real->real", "-o", out.to_str().unwrap()];
    answer(&words).succeeded();
    let archive = fs::read(out.join("liball_math.a")).unwrap();
    let members = object::read::archive::ArchiveFile::parse(&*archive).unwrap();
    let (mut defined, mut taken) = (BTreeSet::new(), BTreeSet::new());
    for member in members.members() {
        let data = member.unwrap().data(&*archive).unwrap();
        let object = object::File::parse(data).unwrap();
        for symbol in object.symbols() {
            let name = symbol.name().unwrap().to_owned();
            match symbol.is_undefined() {
                true => taken.insert(name),
                false => defined.insert(name),
            };
        }
    }
    // The assembler's own name for a table that the linker makes, and the null symbol.
    let needed: Vec<&String> =
        taken.difference(&defined).filter(|name| !["", "_GLOBAL_OFFSET_TABLE_"].contains(&name.as_str())).collect();
    assert!(defined.len() > 60 && needed.is_empty(), "{needed:?}");
}
