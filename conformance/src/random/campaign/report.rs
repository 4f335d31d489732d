//! The corpus file of a disagreement: the program, the behaviour of the first engine as expectations, and that of the
//! other engine as comments.

use super::compare::{Compared, Disagreement, ObservedBehaviour};
use crate::random::case::{Case, MOST_STEPS};
use std::fmt::Write;
use vlad_shared::core::diagnostic::Kind;

/// The text of a case on which engines disagree; it is UTF-8 if the program is.
pub fn report(case: &Case, compared: &Compared, disagreement: &Disagreement) -> Vec<u8> {
    let mut bytes = case.bytes();
    if !bytes.ends_with(b"\n") {
        bytes.push(b'\n');
    }
    bytes.extend(expectations(case, compared, disagreement).into_bytes());
    bytes
}

/// The comments after the program.
fn expectations(case: &Case, compared: &Compared, disagreement: &Disagreement) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "; Seed {}: {} differs from the first engine in {:?}.",
        case.seed, disagreement.engine, disagreement.aspect
    );
    if !case.input.is_empty() {
        let _ = writeln!(text, ";; input: {}", case.input_text());
    }
    let limited = compared.first.errors.iter().any(|error| error.kind == Kind::Steps);
    let own = disagreement.steps.filter(|steps| limited || *steps != MOST_STEPS);
    if let Some(steps) = own {
        let _ = writeln!(text, ";; limit: steps {steps}");
    }
    let parts = disagreement.route.iter().map(|(engine, until)| match until {
        Some(until) => format!("{engine} until step {until}"),
        None => format!("{engine} to the end"),
    });
    let parts: Vec<String> = parts.collect();
    if !parts.is_empty() {
        let _ = writeln!(text, "; In parts (`vlad suspend --after`, `vlad resume`): {}.", parts.join(", then "));
    }
    for line in compared.first.output.lines() {
        let _ = writeln!(text, ";; exact: {}", without_bits(line));
    }
    for (error, place) in compared.first.errors.iter().zip(&compared.first.places) {
        let _ = writeln!(text, ";; error: {} {place} {}", error.kind, error.message);
        if let Some(hint) = &error.hint {
            let _ = writeln!(text, ";; hint: {hint}");
        }
    }
    if let Some(steps) = compared.first.steps {
        let _ = writeln!(text, ";; steps: {steps}");
    }
    observation("the first engine", &compared.first, &mut text);
    observation(disagreement.engine.name(), &disagreement.observed, &mut text);
    text
}

fn observation(engine: &str, observed: &ObservedBehaviour, text: &mut String) {
    let _ =
        writeln!(text, "; --- {engine}: {} steps", observed.steps.map_or("no".to_owned(), |steps| steps.to_string()));
    let crash = observed.crash.as_deref().unwrap_or("");
    for line in observed.output.lines().chain(observed.rendered.lines()).chain(crash.lines()) {
        let _ = writeln!(text, "; {line}");
    }
}

/// A line of output without the bits after each real.
fn without_bits(line: &str) -> String {
    let mut plain = String::new();
    let mut hidden = false;
    for character in line.chars() {
        match character {
            '[' => hidden = true,
            ']' => hidden = false,
            _ if !hidden => plain.push(character),
            _ => {}
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::check;
    use crate::random::campaign::compare::{Aspect, compare};
    use crate::random::program::generate;
    use crate::random::{GeneratorOptions, Limit};
    use vlad_engines::{Engine, Settings};

    #[test]
    fn a_report_is_a_case_of_the_corpus() {
        let cases: Vec<Case> = (0..100).map(|seed| generate(seed, GeneratorOptions::default())).collect();
        let limits = |case: &Case, compared: &Compared| match case.limit {
            Limit::Open | Limit::Whole => Some(MOST_STEPS),
            Limit::Within(_) => compared.first.steps,
        };
        for (case, compared) in cases.iter().zip(compare(&[Engine::Interp], &Settings::default(), &cases)) {
            let (observed, steps) = (compared.first.clone(), limits(case, &compared));
            let disagreement =
                Disagreement { engine: Engine::Interp, observed, aspect: Aspect::Steps, steps, route: Vec::new() };
            let text = String::from_utf8(report(case, &compared, &disagreement)).unwrap();
            if let Err(difference) = check::check_text(Engine::Interp, "program", &text) {
                panic!("seed {}: {difference}\n{text}", case.seed);
            }
        }
    }

    #[test]
    fn bits_are_left_out() {
        assert_eq!(without_bits("(0.1[3fb999999999999a] . #<procedure f>)"), "(0.1 . #<procedure f>)");
    }
}
