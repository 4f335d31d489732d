//! A program that has a yardstick in C, in several formulations.
//!
//! A formulation is a file of `benches/programs` that defines `answers`, a procedure of gradients that reads the
//! numbers of a problem from the input. All formulations of a problem execute the same operations on reals in the same
//! order, but for copies and additions to 0, which change no accumulator's order of additions; so they print the same
//! digits, which are those of the version `table` of the yardstick.

use crate::fault;
use crate::workload::root;
use std::io;
use vlad_shared::core::Program;
use vlad_shared::frontend::load::{self, Input, Options};

/// A problem.
#[derive(Clone, Copy, Debug)]
pub struct Problem {
    /// The folder below `benches/programs`.
    pub folder: &'static str,
    /// The yardstick.
    pub yardstick: &'static str,
    /// The yardstick's mode.
    pub mode: &'static str,
    /// The modes of the gradients that the program is given, a letter each.
    pub gradients: &'static str,
    /// The formulations, the first of which is that of the literature.
    pub formulations: &'static [Formulation],
    /// The versions of the yardstick besides `table`.
    pub versions: &'static [&'static str],
    /// The input for measurements.
    pub input: &'static str,
    /// An input with little work, whose time is subtracted in measurements.
    pub idle_input: &'static str,
    /// An input for tests.
    pub small_input: &'static str,
    /// The target, if one is laid down: the maximal ratio of the native engine's time to that of the version `table`.
    pub most: Option<f64>,
}

/// A formulation of a problem.
#[derive(Clone, Copy, Debug)]
pub struct Formulation {
    /// The file in the folder of the problem, without its extension.
    pub file: &'static str,
    /// The prefix of the names of its gradients, before `-f` and `-r`.
    pub gradient: &'static str,
}

pub(crate) const fn formulation(file: &'static str) -> Formulation {
    Formulation { file, gradient: "gradient" }
}

impl Problem {
    /// The text of the program in a formulation, which is to be loaded in the folder of the project.
    #[must_use]
    pub fn text(&self, formulation: &Formulation) -> String {
        let (folder, Formulation { file, gradient }) = (self.folder, formulation);
        let gradients: String = self.gradients.chars().map(|mode| format!(" {gradient}-{mode}")).collect();
        format!("(include \"benches/programs/{folder}/{file}\") (answers{gradients})")
    }

    /// Loads the program in a formulation.
    ///
    /// # Errors
    /// Returns an error if it does not load.
    pub fn load(&self, formulation: &Formulation) -> io::Result<Program> {
        let text = self.text(formulation);
        let input = Input::Text { name: "program".to_owned(), bytes: text.clone().into_bytes(), folder: Some(root()) };
        load::load(input, &Options::default()).map_err(|failure| fault(format!("{text}: {:?}", failure.diagnostics)))
    }
}

/// The numbers of a printed value, in their order.
#[must_use]
pub fn numbers_in(printed: &str) -> Vec<f64> {
    printed.split(|c: char| c.is_whitespace() || "()#".contains(c)).filter_map(|word| word.parse().ok()).collect()
}
