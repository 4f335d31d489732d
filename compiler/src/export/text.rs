//! The C file and the header of a set, and how to compile them.

use super::code::{Code, SET, code};
use super::set::{Arithmetic, ExportSet};
use crate::c::{Item, print};
use crate::emit::operations_header;
use crate::first_order::kind::MOST_RANK;
use crate::toolchain::{PACKED_LOOPS, RELAXED_ARITHMETIC, STRICT_ARITHMETIC, UNOBSERVED};
use std::fmt::Write;

/// A file that is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its path in the folder of the set.
    pub path: String,
    /// Its contents.
    pub text: String,
}

impl Arithmetic {
    /// The flags for C compilers that understand those of GCC.
    pub fn flags(self) -> Vec<&'static str> {
        let (optimisation, arithmetic) = match self {
            Arithmetic::Strict => ("-O2", STRICT_ARITHMETIC.as_slice()),
            Arithmetic::Relaxed => ("-O3", RELAXED_ARITHMETIC.as_slice()),
        };
        [&["-std=c17", optimisation], arithmetic, &UNOBSERVED, &PACKED_LOOPS].concat()
    }

    /// The arithmetic in words, for people who read or compile the files.
    fn text(self) -> &'static str {
        match self {
            Arithmetic::Strict => {
                "Compiled with these flags, results have the bits that the engines of VLAD compute where the C library \
                 is the same."
            }
            Arithmetic::Relaxed => {
                "Relaxed: the C compiler may contract, reassociate and use reciprocals, so results are close to those \
                 of the engines of VLAD, and differ in bits. Without these flags they have the same bits."
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

/// The C file, the header, and a file for make.
pub fn c_files(set: &ExportSet<'_>) -> Vec<File> {
    let code = code(set.program, &set.definitions, &set.exports);
    vec![
        File { path: format!("{}.c", set.name), text: source(set, &code) },
        File { path: format!("{}.h", set.name), text: header(set, &code) },
    ]
}

/// The rules of make.
pub fn makefile(set: &ExportSet<'_>, fortran: Option<&str>) -> File {
    let name = &set.name;
    let mut text = format!(
        "# Compiles {name}.c, which `vlad emit` has made. Programs with it are linked with -lm.\n# {}\nFLAGS = {}\n\n\
         {name}.o: {name}.c {name}.h\n\t$(CC) $(CFLAGS) $(FLAGS) -c {name}.c -o $@\n",
        set.arithmetic.text(),
        set.arithmetic.flags().join(" ")
    );
    if let Some(flags) = fortran {
        let _ = write!(
            text,
            "\n# The module of Fortran.\nFORTRAN = gfortran\n{name}_module.o: {name}.f90\n\t$(FORTRAN) $(FFLAGS) \
             {flags} -c {name}.f90 -o $@\n"
        );
    }
    File { path: "Makefile".to_owned(), text }
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

/// The C file.
fn source(set: &ExportSet<'_>, code: &Code) -> String {
    let name = &set.name;
    let mut text = format!(
        "/* {name}.c: procedures exported from VLAD; {name}.h is their interface. Generated; do not edit.\n *\n * Flags: \
         {}\n * {}\n */\n#include \"{name}.h\"\n\n#include <math.h>\n#include <setjmp.h>\n#include <stdint.h>\n\
         #include <stdlib.h>\n#include <string.h>\n\n",
        set.arithmetic.flags().join(" "),
        set.arithmetic.text()
    );
    // Generated code has variables without a use, and not all of the runtime is used.
    text.push_str(
        "#if defined(__GNUC__) && !defined(__TINYC__)\n#pragma GCC diagnostic ignored \"-Wunused-function\"\n\
         #pragma GCC diagnostic ignored \"-Wunused-variable\"\n#pragma GCC diagnostic ignored \
         \"-Wunused-but-set-variable\"\n#pragma GCC diagnostic ignored \"-Wunused-parameter\"\n#endif\n",
    );
    text.push_str(set.arithmetic.pragma());
    let runtime = [
        include_str!("../../runtime/rounding.h").to_owned(),
        named(include_str!("../../export/machine.h"), name),
        include_str!("../../export/polygamma.h").to_owned(),
        without_includes(include_str!("../../runtime/first_order_paths.h")),
        without_includes(include_str!("../../runtime/kept_arrays.h")),
        without_includes(include_str!("../../runtime/array_operations.h")),
        without_includes(include_str!("../../runtime/numbered_nodes.h")),
        without_includes(&operations_header()),
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
    text.push_str(&print(code.internal.iter().cloned()));
    text.push_str(public(code.public.iter().cloned(), name).trim_end());
    text.push('\n');
    text
}

/// The header.
fn header(set: &ExportSet<'_>, code: &Code) -> String {
    let name = &set.name;
    let guard = format!("VLAD_{}_H", name.to_ascii_uppercase());
    let mut text = format!(
        "/* {name}.h: procedures exported from VLAD. Generated; do not edit.\n *\n\
         \x20* A function has a context, operands x1, x2 ..., which are the numbers and arrays of its signature from left to\n \
         * right, and results r1, r2 ...; it returns a status. A boolean is 0 or 1. The elements of a matrix are row by row, \
         those of an\n * array of three dimensions matrix by matrix, and so on: the last index runs fastest. The sizes of \
         an array are in the order of\n * its indices; if one of a result is 0, so are those behind it. The caller provides \
         the memory of results: room for `capacity`\n * numbers. If it is too small the sizes are set all the same. Where \
         the pointer to a size is 0, the product of the sizes must be\n * the capacity. After another status than success, \
         results are not all set. Results must not overlap with operands.\n *\n * There is no state but the context:\n *\n\
         \x20*     struct {name}_context context;\n *     {name}_begin(&context);\n\
         \x20*     int status = {name}_...(&context, ...);\n *     {name}_end(&context);\n *\n * Flags: {}\n * {}\n */\n\
         #ifndef {guard}\n#define {guard}\n\n#include <stddef.h>\n\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n",
        set.arithmetic.flags().join(" "),
        set.arithmetic.text()
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
