//! The C file and the header of a set, and how to compile them.

use super::code::{Code, SET, code};
use super::files::File;
use super::functions::Functions;
use super::mathematics::Library;
use super::set::{Arithmetic, ExportSet};
use crate::c::{Item, print};
use crate::toolchain::{PACKED_LOOPS, RELAXED_ARITHMETIC, STRICT_ARITHMETIC, UNOBSERVED};
use std::fmt::Write;
use vlad_first_order::kind::MOST_RANK;

impl Arithmetic {
    /// The flags for C compilers that understand those of GCC.
    pub fn flags(self) -> Vec<&'static str> {
        let (optimisation, arithmetic) = match self {
            Arithmetic::Strict => ("-O2", STRICT_ARITHMETIC.as_slice()),
            Arithmetic::Relaxed => ("-O3", RELAXED_ARITHMETIC.as_slice()),
        };
        [&["-std=c17", optimisation], arithmetic, &UNOBSERVED, &PACKED_LOOPS].concat()
    }

    /// The results in words, for people who read or compile the files.
    fn text(self, library: Library) -> &'static str {
        match (self, library) {
            (Arithmetic::Strict, Library::Nothing | Library::Archive) => {
                "Results have the bits that the engines of VLAD compute, with any flags by which the C compiler contracts and \
                 reassociates nothing."
            }
            (Arithmetic::Strict, Library::System) => {
                "Compiled with these flags, results have the bits that the engines of VLAD compute, but where functions of \
                 the C library differ in their last places."
            }
            (Arithmetic::Relaxed, _) => {
                "Relaxed: the C compiler may contract, reassociate and use reciprocals, so results are close to those \
                 of the engines of VLAD, and differ in bits."
            }
        }
    }

    /// The pragma that says the same to compilers that do not go by flags.
    fn pragma(self) -> &'static str {
        match self {
            Arithmetic::Strict => "#ifdef __clang__\n#pragma STDC FP_CONTRACT OFF\n#endif\n",
            Arithmetic::Relaxed => "#ifdef __clang__\n#pragma STDC FP_CONTRACT ON\n#endif\n",
        }
    }
}

/// The C file and the header of a set, with the library that they need.
pub(super) struct CFiles {
    /// The files, and the archive if it is the library.
    pub(super) files: Vec<File>,
    /// The library of mathematical functions.
    pub(super) library: Library,
}

impl CFiles {
    /// Generates the files.
    pub(super) fn of(set: &ExportSet<'_>) -> CFiles {
        let code = code(set.program, &set.definitions, (&set.exports, set.passes));
        let name = &set.name;
        let body = print(code.internal.iter().cloned()) + public(code.public.iter().cloned(), name).trim_end() + "\n";
        let functions = Functions::called(&body);
        let library = functions.library(set.mathematics);
        let about = format!(
            "Flags: {}\n * {}\n * {}\n */\n",
            set.arithmetic.flags().join(" "),
            set.arithmetic.text(library),
            library.text(name)
        );
        let mut files = vec![
            File::text(format!("{name}.c"), source(set, &about, &functions, library, &body)),
            File::text(format!("{name}.h"), header(set, &about, &code)),
        ];
        files.extend(library.files(name));
        CFiles { files, library }
    }
}

/// The files for programs in C, with a file for make.
pub fn c_files(set: &ExportSet<'_>) -> Vec<File> {
    let CFiles { mut files, library } = CFiles::of(set);
    files.push(makefile(set, library, None));
    files
}

/// The rules of make.
pub(super) fn makefile(set: &ExportSet<'_>, library: Library, fortran: Option<&str>) -> File {
    let name = &set.name;
    let module = fortran.map(|_| format!(" {name}_module.o")).unwrap_or_default();
    let mut text = format!(
        "# Compiles {name}.c, which `vlad emit` has made, to an object and a shared library.\n# {}\n# {}\nFLAGS = {}\n\n\
         .PHONY: all\nall: {name}.o lib{name}.so{module}\n\n\
         {name}.o: {name}.c {name}.h\n\t$(CC) $(CFLAGS) $(FLAGS) -c {name}.c -o $@\n",
        library.text(name),
        set.arithmetic.text(library),
        set.arithmetic.flags().join(" ")
    );
    let (archive, operand) = match library {
        Library::Nothing => (String::new(), String::new()),
        Library::Archive | Library::System => {
            let operand = format!(" {}", library.operand(name).unwrap_or_default());
            (if library == Library::Archive { operand.clone() } else { String::new() }, operand)
        }
    };
    let _ = write!(
        text,
        "\n# The same as a shared library.\nlib{name}.so: {name}.c {name}.h{archive}\n\t$(CC) $(CFLAGS) \
         $(FLAGS) $(LDFLAGS) -fPIC -shared {name}.c{operand} -o $@\n"
    );
    if let Some(flags) = fortran {
        let _ = write!(
            text,
            "\n# The module of Fortran.\nFORTRAN = gfortran\n{name}_module.o: {name}.f90\n\t$(FORTRAN) $(FFLAGS) \
             {flags} -c {name}.f90 -o $@\n"
        );
    }
    File::text("Makefile", text)
}

/// A file of the runtime without its inclusions of other files of it.
fn without_includes(text: &str) -> String {
    text.lines().filter(|line| !line.starts_with("#include \"")).flat_map(|line| [line, "\n"]).collect()
}

/// A file of `compiler/export` with the name of a set in place of `exports`.
pub(super) fn named(text: &str, name: &str) -> String {
    text.replace("exports_", &format!("{name}_")).replace("EXPORTS_", &format!("{}_", name.to_ascii_uppercase()))
}

/// A file without the comment at its begin.
fn without_head(text: &str) -> &str {
    text.split_once("*/\n").map_or(text, |(_, rest)| rest).trim_start()
}

/// Public items, with the name of the set.
fn public(items: impl IntoIterator<Item = Item>, name: &str) -> String {
    print(items).replace(SET, name)
}

/// The C file, with what its comment says of flags and libraries.
fn source(set: &ExportSet<'_>, about: &str, functions: &Functions, library: Library, body: &str) -> String {
    let name = &set.name;
    let mut text = format!(
        "/* {name}.c: procedures exported from VLAD; {name}.h is their interface. Generated; do not edit.\n *\n * {about}\
         #include \"{name}.h\"\n\n"
    );
    // The macros of the infinity and of what is no number need no library.
    if library == Library::System || ["HUGE_VAL", "NAN"].iter().any(|constant| body.contains(constant)) {
        text.push_str("#include <math.h>\n");
    }
    text.push_str("#include <setjmp.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n\n");
    // Generated code has variables without a use, and not all of the runtime is used.
    text.push_str(
        "#if defined(__GNUC__) && !defined(__TINYC__)\n#pragma GCC diagnostic ignored \"-Wunused-function\"\n\
         #pragma GCC diagnostic ignored \"-Wunused-variable\"\n#pragma GCC diagnostic ignored \
         \"-Wunused-but-set-variable\"\n#pragma GCC diagnostic ignored \"-Wunused-parameter\"\n#endif\n",
    );
    text.push_str(set.arithmetic.pragma());
    let runtime = [
        include_str!("../../runtime/interface/rounding.h").to_owned(),
        named(include_str!("../../export/machine.h"), name),
        include_str!("../../export/square_root.h").to_owned(),
        without_includes(include_str!("../../runtime/interface/first_order_paths.h")),
        without_includes(include_str!("../../runtime/interface/kept_arrays.h")),
        without_includes(include_str!("../../runtime/interface/array_operations.h")),
        without_includes(include_str!("../../runtime/typed/numbered_nodes.h")),
        functions.text(library),
        named(include_str!("../../export/runtime.h"), name),
        named(include_str!("../../export/results.h"), name).replace("@MOST_RANK@", &MOST_RANK.to_string()),
        named(include_str!("../../export/calls.h"), name),
    ];
    for part in runtime {
        text.push('\n');
        text.push_str(part.trim_end());
        text.push('\n');
    }
    text.push_str("\n/* The code of the exports. */\n");
    text.push_str(body);
    text
}

/// The header, with what its comment says of flags and libraries.
fn header(set: &ExportSet<'_>, about: &str, code: &Code) -> String {
    let name = &set.name;
    let guard = format!("VLAD_{}_H", name.to_ascii_uppercase());
    let mut text = format!(
        "/* {name}.h: procedures exported from VLAD. Generated; do not edit.\n *\n\
         \x20* A function has a context, operands, which are the numbers and arrays of its signature from left to right, by their\n \
         * names in the definition, and results r1, r2 ...; it returns a status. A boolean is 0 or 1. The elements of a matrix are row by row, \
         those of an\n * array of three dimensions matrix by matrix, and so on: the last index runs fastest. The sizes of \
         an array are in the order of\n * its indices; if one of a result is 0, so are those behind it. The caller provides \
         the memory of results: room for `capacity`\n * numbers. If it is too small the sizes are set all the same. Where \
         the pointer to a size is 0, the product of the sizes must be\n * the capacity. After another status than success, \
         results are not all set. Results must not overlap with operands.\n *\n * There is no state but the context:\n *\n\
         \x20*     struct {name}_context context;\n *     {name}_begin(&context);\n\
         \x20*     int status = {name}_...(&context, ...);\n *     {name}_end(&context);\n *\n * {about}\
         #ifndef {guard}\n#define {guard}\n\n#include <stddef.h>\n\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n"
    );
    text.push_str(named(without_head(include_str!("../../export/interface.h")), name).trim_end());
    text.push_str("\n\n/* The exports. */\n");
    for (export, heads) in set.exports.iter().zip(&code.heads) {
        let words = match export.request.expression == export.request.name {
            true => format!("{}: {}", export.request.name, export.signature),
            false => format!("{} = {}: {}", export.request.name, export.request.expression, export.signature),
        };
        // The expression may contain the character that stands for the set.
        text.push_str(&print([Item::Comment(words)]));
        text.push_str(&public(heads.iter().cloned().map(Item::Prototype), name));
    }
    text.push_str("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
    text
}
