//! A module for Fortran: interfaces to the C functions (`compiler/export/module.f90`).

use crate::export::files::File;
use crate::export::parameters::{self, Capitals};
use crate::export::set::{Export, ExportSet};
use crate::export::signature::LeafType;
use crate::export::text::{CFiles, makefile, named};
use std::fmt::Write;

/// The greatest length of a comment, which takes one line.
const MOST_COMMENT: usize = 120;

/// The C files and the module.
pub fn fortran_files(set: &ExportSet<'_>) -> Vec<File> {
    let name = &set.name;
    let (mut public, mut interfaces, mut functions) = (String::new(), String::new(), String::new());
    for (export, number) in set.exports.iter().zip(1..) {
        let _ = writeln!(public, "  public :: {name}_{}", export.name);
        let function = Function::of(set, export, number);
        interfaces.push_str(&function.interface(name));
        functions.push_str(&function.with_optional_lengths(name));
    }
    let text = named(include_str!("../../../export/module.f90"), name)
        .replace("module exports\n", &format!("module {name}\n"))
        .replace("@PUBLIC@\n", &public)
        .replace("@INTERFACES@\n", &interfaces)
        .replace("@FUNCTIONS@\n", &functions);
    let CFiles { mut files, library } = CFiles::of(set);
    files.push(makefile(set, library, Some("-std=f2008 -O2")));
    files.push(File::text(format!("{name}.f90"), text));
    files
}

/// A function of C. If it returns sizes, which are optional, the module has a function of its own around it: before
/// Fortran 2018 a function of C has no optional arguments.
struct Function {
    /// Its name in C, and that of the function of the module.
    name: String,
    /// The name of the interface to C.
    inner: String,
    comment: String,
    /// The arguments with their types.
    arguments: Vec<(String, &'static str)>,
}

impl Function {
    fn of(set: &ExportSet<'_>, export: &Export, number: usize) -> Function {
        let (name, signature) = (format!("{}_{}", set.name, export.name), &export.signature);
        let mut taken = parameters::of_results(&signature.result.leaves());
        taken.extend([name.clone(), format!("{}_context", set.name)]);
        let names = parameters::of_leaves(set.program, &export.patterns, &signature.operands, taken, Capitals::Ignored);
        let mut arguments = Vec::new();
        for (leaf, name) in signature.operand_leaves().into_iter().zip(names) {
            match leaf {
                LeafType::Real => arguments.push((name, "real(c_double), value")),
                LeafType::Boolean => arguments.push((name, "integer(c_int), value")),
                LeafType::Array(_) => {
                    arguments.push((name.clone(), ARRAY_IN));
                    arguments.extend(leaf.sizes().into_iter().map(|size| (format!("{name}_{size}"), SIZE)));
                }
            }
        }
        for (leaf, place) in signature.result.leaves().into_iter().zip(1..) {
            let name = format!("r{place}");
            match leaf {
                LeafType::Real => arguments.push((name, "real(c_double), intent(inout)")),
                LeafType::Boolean => arguments.push((name, "integer(c_int), intent(inout)")),
                LeafType::Array(_) => {
                    arguments.push((name.clone(), ARRAY_OUT));
                    arguments.push((format!("{name}_capacity"), SIZE));
                    arguments.extend(leaf.sizes().into_iter().map(|size| (format!("{name}_{size}"), LENGTH)));
                }
            }
        }
        let has_lengths = arguments.iter().any(|(_, of)| *of == LENGTH);
        let inner = if has_lengths { format!("vlad_c_{number}") } else { name.clone() };
        let comment = comment(&format!("{}: {signature}", export.request.name));
        Function { name, inner, comment, arguments }
    }

    /// The interface to C.
    fn interface(&self, set: &str) -> String {
        let declared = |of: &str| if of == LENGTH { "type(c_ptr), value".to_owned() } else { of.to_owned() };
        let (head, declarations) = (self.head(&self.inner), self.declarations(set, declared));
        format!(
            "    ! {}\n{head} bind(c, name=\"{}\")\n      import :: c_int, c_double, c_size_t, c_ptr, {set}_context\n\
             {declarations}    end function\n",
            self.comment, self.name
        )
    }

    /// The function of the module around the function of C, if there is one.
    fn with_optional_lengths(&self, set: &str) -> String {
        if self.inner == self.name {
            return String::new();
        }
        let declared = |of: &str| if of == LENGTH { format!("{LENGTH}, optional, target") } else { of.to_owned() };
        let (head, mut text) = (self.head(&self.name), self.declarations(set, declared));
        let lengths = self.arguments.iter().filter(|(_, of)| *of == LENGTH).map(|(name, _)| name);
        let places = lengths.clone().map(|name| format!("      type(c_ptr) :: at_{name}\n"));
        text.extend(places.collect::<Vec<_>>());
        for name in lengths {
            let _ =
                write!(text, "      at_{name} = c_null_ptr\n      if (present({name})) at_{name} = c_loc({name})\n");
        }
        let given =
            self.arguments.iter().map(|(name, of)| if *of == LENGTH { format!("at_{name}") } else { name.clone() });
        let given: Vec<String> = ["context".to_owned()].into_iter().chain(given).collect();
        format!(
            "  ! {}\n{head}\n{text}      status = {}( &\n        {})\n    end function\n",
            self.comment,
            self.inner,
            given.join(", &\n        ")
        )
    }

    fn head(&self, name: &str) -> String {
        let names: Vec<&str> =
            ["context"].into_iter().chain(self.arguments.iter().map(|(name, _)| name.as_str())).collect();
        format!("    function {name}( &\n        {}) &\n        result(status)", names.join(", &\n        "))
    }

    fn declarations(&self, set: &str, declared: impl Fn(&str) -> String) -> String {
        let own = self.arguments.iter().map(|(name, of)| format!("      {} :: {name}\n", declared(of)));
        let context = format!("      type({set}_context), intent(inout) :: context\n");
        let status = "      integer(c_int) :: status\n".to_owned();
        [context].into_iter().chain(own).chain([status]).collect()
    }
}

const ARRAY_IN: &str = "real(c_double), dimension(*), intent(in)";
const ARRAY_OUT: &str = "real(c_double), dimension(*), intent(inout)";
const SIZE: &str = "integer(c_size_t), value";
const LENGTH: &str = "integer(c_size_t), intent(inout)";

/// A text as a comment of one line.
fn comment(text: &str) -> String {
    text.chars().map(|letter| if letter.is_ascii_graphic() { letter } else { ' ' }).take(MOST_COMMENT).collect()
}
