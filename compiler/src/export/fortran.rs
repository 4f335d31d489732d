//! A module for Fortran: interfaces to the C functions (`compiler/export/module.f90`).

use super::set::{Export, ExportSet};
use super::signature::LeafType;
use super::text::{CFiles, makefile, named};
use crate::emitted::File;
use std::fmt::Write;

/// The greatest length of a comment, which is a line.
const MOST_COMMENT: usize = 120;

/// The C files and the module.
pub fn fortran_files(set: &ExportSet<'_>) -> Vec<File> {
    let name = &set.name;
    let (mut public, mut interfaces) = (String::new(), String::new());
    for export in &set.exports {
        let _ = writeln!(public, "  public :: {name}_{}", export.name);
        interfaces.push_str(&interface(name, export));
    }
    let text = named(include_str!("../../export/module.f90"), name)
        .replace("module exports\n", &format!("module {name}\n"))
        .replace("@PUBLIC@\n", &public)
        .replace("@INTERFACES@\n", &interfaces);
    let CFiles { mut files, library } = CFiles::of(set);
    files.push(makefile(set, library, Some("-std=f2018 -O2")));
    files.push(File::text(format!("{name}.f90"), text));
    files
}

/// The interface of a function.
fn interface(set: &str, export: &Export) -> String {
    let (mut names, mut declarations) = (Vec::new(), Vec::new());
    let mut declare = |name: String, of: &str| {
        declarations.push(format!("      {of} :: {name}\n"));
        names.push(name);
    };
    declare("context".to_owned(), &format!("type({set}_context), intent(inout)"));
    for (leaf, place) in export.signature.operand_leaves().into_iter().zip(1..) {
        let name = format!("x{place}");
        match leaf {
            LeafType::Real => declare(name, "real(c_double), value"),
            LeafType::Boolean => declare(name, "integer(c_int), value"),
            LeafType::Array(_) => {
                declare(name.clone(), ARRAY_IN);
                leaf.sizes().into_iter().for_each(|size| declare(format!("{name}_{size}"), SIZE));
            }
        }
    }
    for (leaf, place) in export.signature.result.leaves().into_iter().zip(1..) {
        let name = format!("r{place}");
        match leaf {
            LeafType::Real => declare(name, "real(c_double), intent(inout)"),
            LeafType::Boolean => declare(name, "integer(c_int), intent(inout)"),
            LeafType::Array(_) => {
                declare(name.clone(), ARRAY_OUT);
                declare(format!("{name}_capacity"), SIZE);
                leaf.sizes().into_iter().for_each(|size| declare(format!("{name}_{size}"), LENGTH));
            }
        }
    }
    let name = format!("{set}_{}", export.name);
    let comment = comment(&format!("{}: {}", export.request.name, export.signature));
    format!(
        "    ! {comment}\n    function {name}( &\n        {}) &\n        result(status) bind(c, name=\"{name}\")\n      import \
         :: c_int, c_double, c_size_t, {set}_context\n{}      integer(c_int) :: status\n    end function\n",
        names.join(", &\n        "),
        declarations.concat()
    )
}

const ARRAY_IN: &str = "real(c_double), dimension(*), intent(in)";
const ARRAY_OUT: &str = "real(c_double), dimension(*), intent(inout)";
const SIZE: &str = "integer(c_size_t), value";
const LENGTH: &str = "integer(c_size_t), intent(inout), optional";

/// A text as a comment of one line.
fn comment(text: &str) -> String {
    text.chars().map(|letter| if letter.is_ascii_graphic() { letter } else { ' ' }).take(MOST_COMMENT).collect()
}
