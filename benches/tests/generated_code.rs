//! The C of every formulation of every problem: numerical code on plain numbers, with no value tagged, nothing
//! allocated but records of reverse sweeps, and every call direct.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // tests may

use vlad_benches::{ARRAYS, Formulation, PROBLEMS, Problem};
use vlad_compiler::foreign::Counting;
use vlad_compiler::{Passes, generate};

/// The beginnings of the names that numerical code may call: its own functions, operations of the table, and the ends of
/// loops, turns, records and effects of `first_order.h`.
const CALLED: [&str; 27] = [
    "vlad_f",
    "vlad_operation_",
    "vlad_with_bits",
    "vlad_push_record",
    "vlad_pop_record",
    "vlad_pushing_part",
    "vlad_popping_part",
    "vlad_room_for_records",
    "vlad_top_of_records",
    "vlad_set_top_of_records",
    "vlad_bail_out",
    "vlad_input_real",
    "vlad_bound",
    "vlad_part",
    "vlad_real_of",
    "vlad_steps_between",
    "vlad_whole",
    "vlad_apart",
    "vlad_sine_and_cosine",
    "vlad_read_again",
    "vlad_pop_again",
    "VLAD_TURN",
    "VLAD_ENTER",
    "m->services->read_number",
    "if",
    "for",
    "return",
];

/// The functions of specialised code in a C text, each with its head.
fn numerical_functions(text: &str) -> Vec<&str> {
    let is_number = |name: &str| name.starts_with(|c: char| c.is_ascii_digit());
    let is_head = |line: &str| {
        line.starts_with("static ")
            && line.ends_with(") {")
            && line.split_once(" vlad_f").is_some_and(|(_, name)| is_number(name))
    };
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if is_head(line.trim_end()) {
            let end = text[at..].find("\n}\n").unwrap();
            found.push(&text[at..at + end]);
        }
        at += line.len();
    }
    found
}

/// The expressions that are called in a text: what stands before each opening parenthesis, up to an operator.
fn called(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices('(').map(|(place, _)| {
        let before = &text[..place];
        let is_part = |c: char| c.is_alphanumeric() || "_->.])".contains(c);
        before[before.trim_end_matches(is_part).len()..].trim_start_matches('-')
    })
}

fn check(problem: &Problem, formulation: &Formulation) {
    let program = problem.load(formulation).unwrap();
    let text = generate(&program, Counting::ByBlock, Some(Passes::ALL));
    let functions = numerical_functions(&text);
    let of = format!("{} {} {formulation:?}", problem.folder, problem.mode);
    assert!(!functions.is_empty(), "{of}");
    for function in functions {
        for name in called(function).filter(|name| !name.is_empty()) {
            let is_allowed = CALLED.iter().any(|allowed| name.starts_with(allowed));
            assert!(is_allowed, "{of} calls {name}:\n{function}");
        }
        for word in ["vlad_value", "->tag", ".tag", "malloc", "memory"] {
            assert!(!function.contains(word), "{of} has {word}:\n{function}");
        }
    }
}

#[test]
fn numerical_code_has_no_tags_no_allocation_and_no_indirect_calls() {
    for problem in &PROBLEMS {
        for formulation in problem.formulations {
            check(problem, formulation);
        }
    }
}

/// The C of a program on arrays.
fn text_on_arrays(mode: &str) -> String {
    let problem = ARRAYS.iter().find(|problem| problem.mode == mode).unwrap();
    generate(&problem.load(&problem.formulations[0]).unwrap(), Counting::ByBlock, Some(Passes::ALL))
}

#[test]
fn inner_loops_on_arrays_are_unrolled() {
    for mode in ["inner-product", "matrix-product", "matrix-product-gradient", "k-means-gradient"] {
        let text = text_on_arrays(mode);
        let functions = numerical_functions(&text);
        assert!(functions.iter().any(|function| function.contains("VLAD_UNROLLED\n")), "{mode}");
    }
}

#[test]
fn angles_are_reduced_once() {
    let text = text_on_arrays("bundle-adjustment-gradient");
    let functions = numerical_functions(&text);
    assert_eq!(functions.iter().filter(|function| function.contains("= vlad_sine_and_cosine(m, v")).count(), 1);
    assert!(!text.contains(" vlad_operation_cosine(m, v"), "{text}");
}

#[test]
fn the_matrices_with_which_a_loop_begins_are_freed_in_it() {
    let text = text_on_arrays("matrix-product-gradient");
    let (_, function) = text.split_once("_0_item(struct vlad_machine *m) {").unwrap();
    // A loop has a limit that changes.
    let (_, release) = function.split_once("= vlad_keep_arrays(m, ").unwrap();
    let (mark, _) = release.split_once(',').unwrap();
    let mark = function.find(&format!("uint64_t {mark} = vlad_arrays_mark(m)")).unwrap();
    let made = function.find("_sine_rows(m, ").unwrap();
    assert!(mark < made, "{text}");
}

#[test]
fn calls_are_found() {
    let calls: Vec<&str> = called("x = f(1.0, (g)(y)) + m->services->poll(m) + (a - b)").collect();
    assert_eq!(calls, ["f", "", "g)", "m->services->poll", ""]);
}
