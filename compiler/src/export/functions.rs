//! The operations on reals of exported code, as C functions, with the mathematical functions that they call.
//!
//! A set contains only the operations that its code calls. So code without mathematical functions needs no library.

use super::mathematics::{Library, Mathematics};
use crate::c::{Head, Item, named, print};
use crate::rules::names::program_function;
use crate::rules::{doubles, function};
use vlad_table::Operation;
use vlad_table::operations::{InC, OPERATIONS};

/// The operations that a text of C calls.
pub struct Functions {
    operations: Vec<Operation>,
    /// True if the code computes a sine and a cosine of one angle together.
    has_pairs: bool,
}

impl Functions {
    /// Finds the operations that a text calls.
    pub fn called(text: &str) -> Functions {
        let is_called = |operation: &Operation| text.contains(&format!("{}(", program_function(*operation)));
        Functions {
            operations: OPERATIONS.iter().map(|row| row.operation).filter(is_called).collect(),
            has_pairs: text.contains("vlad_sine_and_cosine("),
        }
    }

    /// The library of the mathematical functions.
    pub fn library(&self, mathematics: Mathematics) -> Library {
        Library::of(mathematics, self.has_pairs || self.mathematical().next().is_some())
    }

    /// The C of the operations.
    pub fn text(&self, library: Library) -> String {
        let mut text = match library {
            Library::Nothing => String::new(),
            Library::Archive => self.of_archive(),
            Library::System => self.of_system(),
        };
        if library != Library::Nothing {
            text.push('\n');
        }
        if self.has_pairs {
            text.push_str(include_str!("../../export/sine_and_cosine.h"));
            text.push('\n');
        }
        text.push_str(&print([Item::comment("The operations of the table on plain reals.")]));
        let all = self.operations.iter().map(|operation| function(*operation, program_function(*operation)));
        text.push_str(&print(all));
        text
    }

    /// The mathematical functions among the operations, with their names in C.
    fn mathematical(&self) -> impl Iterator<Item = (Operation, &'static str)> {
        self.operations.iter().filter_map(|operation| Some((*operation, operation.function_in_c()?)))
    }

    /// The functions of the archive.
    fn of_archive(&self) -> String {
        let prototypes = self.mathematical().map(|(operation, name)| {
            let parameters = named(doubles(operation.arity()));
            Item::Prototype(Head {
                storage: "",
                result: "double".into(),
                name: format!("vlad_math_{name}"),
                parameters,
            })
        });
        let comment = Item::comment("The mathematical functions of VLAD.");
        let mut text = print([comment].into_iter().chain(prototypes));
        text.push_str("#define VLAD_MATHEMATICS(m, function) vlad_math_##function\n");
        if self.has_pairs {
            text.push_str("void vlad_math_sincos(double x, double *sine, double *cosine);\n");
            text.push_str("#define VLAD_SINE_AND_COSINE(x, sine, cosine) vlad_math_sincos(x, sine, cosine)\n");
        }
        text
    }

    /// The functions of the C library. Those that are defined by their operations are written out.
    fn of_system(&self) -> String {
        let mut text = String::new();
        for operation in &self.operations {
            if let InC::Defined(definition) = operation.row().in_c {
                text.push_str(definition.text);
                text.push('\n');
            }
        }
        text.push_str("/* The mathematical functions of the C library. */\n");
        text.push_str("#define VLAD_MATHEMATICS(m, function) function\n");
        if self.has_pairs {
            text.push_str("#define VLAD_SINE_AND_COSINE(x, sine, cosine) (*(sine) = sin(x), *(cosine) = cos(x))\n");
        }
        text
    }
}
