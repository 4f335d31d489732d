//! The report as a contract: its numbers, tables and lists of names are those of the code.
//!
//! Each fact stands in one line: a sentence of a page, and where the code has it. A number that the code has as a private
//! constant is read from the source. A sentence that is not found is an error as well, so a page that changes has its facts
//! changed with it.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // tests may

mod language_facts;
mod names;
mod numbers;
mod options;
mod pages;
mod system_facts;

use numbers::Source;
use pages::Page;
use std::collections::BTreeMap;

/// Returns the complaint about a sentence whose numbers are not those of the code.
fn complaint(page: &Page, sentence: &str, sources: &[Source]) -> Option<String> {
    let shown = page.numbers(sentence);
    let wrong = shown.iter().zip(sources).find(|(shown, source)| (*shown / source.value() - 1.0).abs() > 1e-12)?;
    let (shown, source) = wrong;
    Some(format!("{}: `{sentence}` has {shown}, but {} is {}", page.name, source.place(), source.value()))
}

#[test]
fn numbers_are_those_of_the_code() {
    let facts = language_facts::FACTS.iter().chain(system_facts::FACTS);
    let mut pages = BTreeMap::new();
    let complaints = facts.filter_map(|(part, sentence, sources)| {
        assert_eq!(sentence.matches("{}").count(), sources.len(), "{sentence}");
        complaint(pages.entry(*part).or_insert_with(|| Page::of(*part)), sentence, sources)
    });
    let complaints: Vec<String> = complaints.collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
