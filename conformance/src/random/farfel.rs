//! Programs of Farfel in campaigns: of four, two have blocks of differentiation, one has none, and one is a text that is damaged.
//!
//! Each engine is compared with the evaluator; on damaged texts, with the first engine. A finding is a program with the
//! difference behind it.

use super::case::{Case, Limit, Source};
use crate::farfel::{self, damage, difference_alone, differences};
use vlad_engines::{Engine, Settings};
use vlad_farfel_oracle::generate::{Options, program};
use vlad_farfel_oracle::print::plain_text;
use vlad_farfel_oracle::shrink::shrink;
use vlad_shared::table::number::format;

/// The most programs that are tried to make a finding smaller.
const MOST_TRIALS: usize = 1500;

/// The kind of the program of a seed.
enum Kind {
    Good(Options),
    Damaged,
}

fn kind(seed: u64) -> Kind {
    match seed % 4 {
        0 => Kind::Good(Options::PLAIN),
        1 => Kind::Damaged,
        _ => Kind::Good(Options::ALL),
    }
}

/// The case of a seed: its text and its input.
pub fn generate(seed: u64) -> Case {
    let (case, text) = match kind(seed) {
        Kind::Good(options) => {
            let case = farfel::Case::of(seed, options);
            let text = case.text.clone();
            (case, text)
        }
        Kind::Damaged => damage::damaged(seed),
    };
    let source = Source::Text(text.into_bytes());
    Case { seed, source, input: case.tree.input, limit: Limit::Open, suspension: None }
}

/// The differences on an engine of the programs of some numbers, each with its seed.
pub fn check(chosen: &[(u64, u64)], engine: Engine, settings: &Settings) -> Vec<(u64, String)> {
    let mut found = Vec::new();
    let (mut numbers, mut cases) = (Vec::new(), Vec::new());
    for (number, seed) in chosen {
        match kind(*seed) {
            Kind::Good(options) => {
                numbers.push(*number);
                cases.push(farfel::Case::of(*seed, options));
            }
            Kind::Damaged => {
                let difference = damage::difference(*seed, &compared(engine), settings);
                found.extend(difference.map(|difference| (*number, difference)));
            }
        }
    }
    let differences = differences(&cases, engine, settings);
    found.extend(numbers.into_iter().zip(differences).filter_map(|(number, difference)| Some((number, difference?))));
    found
}

/// The engines that are compared on a damaged text.
fn compared(engine: Engine) -> Vec<Engine> {
    let first = Engine::ALL.first().copied().filter(|first| *first != engine);
    first.into_iter().chain([engine]).collect()
}

/// The signature of a difference: its first line without numbers, and for a line of output without the line.
pub fn look(engine: Engine, difference: &str) -> String {
    let line = difference.lines().next().unwrap_or_default();
    let line = if line.starts_with("line ") { line.split(':').next().unwrap_or_default() } else { line };
    let words: String = line.chars().filter(|letter| !letter.is_ascii_digit()).take(80).collect();
    format!("{}: {words}", engine.name())
}

/// A small program with the same signature as that of a seed, and its difference. A difference in a spelling alone is not made smaller.
pub fn smallest(seed: u64, engine: Engine, settings: &Settings, sought: &str) -> String {
    let Kind::Good(options) = kind(seed) else {
        return damage::difference(seed, &compared(engine), settings).unwrap_or_default();
    };
    let plain = |tree: &_| {
        let case = farfel::Case::of_tree(Clone::clone(tree), seed);
        farfel::Case { text: plain_text(tree), ..case }
    };
    let difference = |case: &farfel::Case| {
        difference_alone(case, engine, settings).filter(|difference| look(engine, difference) == sought)
    };
    let tree = program(seed, options);
    let small =
        difference(&plain(&tree)).map(|_| shrink(tree, MOST_TRIALS, &mut |tree| difference(&plain(tree)).is_some()));
    let case = small.map_or_else(|| farfel::Case::of(seed, options), |tree| plain(&tree));
    let input: Vec<String> = case.tree.input.iter().map(|number| format(*number)).collect();
    format!("{}!! input: {}\n\n{}\n", case.text, input.join(" "), difference(&case).unwrap_or_default())
}

/// The signature of the difference between engines on a case, if there is one.
pub fn signature_of(case: &Case, engines: &[Engine], settings: &Settings) -> Option<String> {
    let difference = damage::disagreement(&case.text(), case.input_text(), engines, settings)?;
    Some(look(engines.first().copied()?, &difference))
}
