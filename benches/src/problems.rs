//! The programs that have a yardstick in C.

use crate::arrays::ARRAYS;
use crate::problem::{Formulation, Problem, formulation};

const fn with(file: &'static str, gradient: &'static str) -> Formulation {
    Formulation { file, gradient }
}

const POINTS: &[Formulation] = &[
    formulation("lists"),
    formulation("pairs"),
    with("vectors", "vector-gradient"),
    with("church", "church-gradient"),
    formulation("closures"),
    formulation("mutual"),
    with("reflective", "plain-gradient"),
    with("reflective", "tagged-gradient"),
];

const NETWORKS: &[Formulation] = &[
    formulation("lists"),
    formulation("patterns"),
    with("vectors", "vector-gradient"),
    formulation("closures"),
    formulation("mutual"),
    with("reflective", "plain-gradient"),
    with("reflective", "tagged-gradient"),
];

const PROLOG: &[Formulation] = &[
    formulation("lists"),
    formulation("vectors"),
    formulation("closures"),
    formulation("mutual"),
    with("reflective", "plain-gradient"),
    with("reflective", "tagged-gradient"),
];

const LAMBDA: &[Formulation] = &[
    formulation("lists"),
    formulation("church"),
    formulation("closures"),
    formulation("mutual"),
    with("reflective", "plain-gradient"),
    with("reflective", "tagged-gradient"),
];

const TAIL: &[Formulation] = &[
    formulation("tail-let"),
    formulation("tail-ifold"),
    formulation("tail-mutual"),
    formulation("tail-church"),
    formulation("tail-reflective"),
];

const NESTED: &[Formulation] = &[
    formulation("nested-call"),
    formulation("nested-pairs"),
    formulation("nested-closures"),
    formulation("nested-mutual"),
];

const fn saddle(mode: &'static str, most: f64) -> Problem {
    Problem {
        folder: "saddle",
        yardstick: "saddle",
        mode,
        gradients: mode,
        formulations: POINTS,
        versions: &["best"],
        input: "401 1 0.001",
        idle_input: "1 1 0.001",
        small_input: "1 1 0",
        most: Some(most),
    }
}

const fn particle(mode: &'static str, versions: &'static [&'static str]) -> Problem {
    Problem {
        folder: "particle",
        yardstick: "particle",
        mode,
        gradients: mode,
        formulations: POINTS,
        versions,
        input: "201 0 0.0005",
        idle_input: "1 0 0.0005",
        small_input: "1 0 0",
        most: Some(1.3),
    }
}

const fn backprop(mode: &'static str, versions: &'static [&'static str], most: f64) -> Problem {
    Problem {
        folder: "backprop",
        yardstick: "backprop",
        mode,
        gradients: mode,
        formulations: NETWORKS,
        versions,
        input: "200000 0 -0.284227 1.16054 0 0.617194 1.30467 0 -0.084395 0.648461",
        idle_input: "1 0 -0.284227 1.16054 0 0.617194 1.30467 0 -0.084395 0.648461",
        small_input: "7 0 -0.284227 1.16054 0 0.617194 1.30467 0 -0.084395 0.648461",
        most: Some(most),
    }
}

const fn likelihood(
    folder: &'static str,
    mode: &'static str,
    gradients: &'static str,
    formulations: &'static [Formulation],
) -> Problem {
    Problem {
        folder,
        yardstick: "likelihood",
        mode,
        gradients,
        formulations,
        versions: &["best"],
        input: "4000000 0.5 0.5",
        idle_input: "1 0.5 0.5",
        // The digits of the two modes differ after so many steps.
        small_input: "102 0.696 0.266",
        most: Some(1.5),
    }
}

const fn recurrence(
    mode: &'static str,
    formulations: &'static [Formulation],
    versions: &'static [&'static str],
    input: &'static str,
) -> Problem {
    Problem {
        folder: "recurrence",
        yardstick: "recurrence",
        mode,
        gradients: "",
        formulations,
        versions,
        input,
        idle_input: "1 0.1 0.3 0.05",
        small_input: "1000 0.1 0.3 0.05",
        most: Some(1.3),
    }
}

/// The problems whose programs are specialised. The recurrences execute some 5 · 10^7 operations on reals.
pub const PROBLEMS: [Problem; 16] = [
    saddle("ff", 1.1),
    saddle("fr", 1.1),
    saddle("rf", 1.3),
    saddle("rr", 1.3),
    particle("ff", &[]),
    particle("fr", &[]),
    particle("rf", &["best"]),
    particle("rr", &["best"]),
    backprop("r", &["best"], 1.2),
    backprop("f", &[], 1.3),
    likelihood("prolog", "prolog-f", "f", PROLOG),
    likelihood("prolog", "prolog-r", "r", PROLOG),
    likelihood("lambda", "lambda-f", "f", LAMBDA),
    likelihood("lambda", "lambda-r", "r", LAMBDA),
    recurrence("tail", TAIL, &[], "8500000 0.1 0.3 0.05"),
    recurrence("non-tail", NESTED, &["best", "recursion"], "6250000 0.1 0.3 0.05"),
];

impl Problem {
    /// The folders of all problems.
    #[must_use]
    pub fn folders() -> Vec<&'static str> {
        let mut folders: Vec<&str> = PROBLEMS.iter().chain(&ARRAYS).map(|problem| problem.folder).collect();
        folders.dedup();
        folders
    }

    /// The problems of the folders among some words; without any, all but those of arrays.
    #[must_use]
    pub fn selected(words: &[String]) -> Vec<&'static Problem> {
        let is_given = |problem: &&Problem| words.iter().any(|word| word == problem.folder);
        let given: Vec<&Problem> = PROBLEMS.iter().chain(&ARRAYS).filter(is_given).collect();
        if given.is_empty() { PROBLEMS.iter().collect() } else { given }
    }
}
