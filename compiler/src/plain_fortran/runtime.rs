//! The part of the runtime that a program needs.

use vlad_core::fixed_form::Lines;

/// A subprogram of the runtime: its name, its comment, its statements with their labels.
struct Subprogram {
    name: &'static str,
    lines: Vec<&'static str>,
}

/// Returns the subprograms of the runtime whose names a text has, with those that they call.
pub fn needed(text: &str) -> String {
    let all = subprograms();
    let mut is_needed: Vec<bool> = all.iter().map(|own| has_word(text, own.name)).collect();
    let mut changes = true;
    while changes {
        changes = false;
        for (number, own) in all.iter().enumerate() {
            let called = is_needed.iter().zip(&all).any(|(needed, other)| {
                *needed && other.name != own.name && other.lines.iter().any(|line| has_word(line, own.name))
            });
            if let Some(place) = is_needed.get_mut(number)
                && called
                && !*place
            {
                *place = true;
                changes = true;
            }
        }
    }
    let mut out = Lines::default();
    for (own, _) in all.iter().zip(&is_needed).filter(|(_, needed)| **needed) {
        for line in &own.lines {
            match line.strip_prefix("C     ") {
                Some(comment) => out.comment(comment),
                None => {
                    let label = line.get(..5).and_then(|label| label.trim().parse().ok());
                    let statement = line.get(6..).unwrap_or("");
                    let depth = (statement.len() - statement.trim_start().len()) / 2;
                    out.statement(label, depth, statement.trim_start());
                }
            }
        }
    }
    out.finish()
}

/// The subprograms, in the order of the file; the header of the file belongs to none.
fn subprograms() -> Vec<Subprogram> {
    let text = include_str!("../../fortran/runtime.f");
    let mut all = Vec::new();
    let mut lines: Vec<&'static str> = Vec::new();
    for line in text.lines() {
        if line == "C" {
            lines.clear();
            continue;
        }
        lines.push(line);
        if line.trim() == "END" {
            let is_comment = |line: &&&str| line.starts_with('C');
            let comments = lines.iter().rev().skip_while(|line| !is_comment(line)).take_while(is_comment).count();
            let statements = lines.iter().filter(|line| !line.starts_with('C')).count();
            let own = lines.split_off(lines.len().saturating_sub(statements + comments.min(1)));
            let first = own.iter().find(|line| !line.starts_with('C')).copied().unwrap_or("");
            let words = first.split(['(', ' ']).filter(|word| !word.is_empty());
            let name = words.skip_while(|word| !matches!(*word, "SUBROUTINE" | "FUNCTION")).nth(1).unwrap_or("");
            all.push(Subprogram { name, lines: own });
            lines.clear();
        }
    }
    all
}

/// Returns true if a text has a word.
pub fn has_word(text: &str, word: &str) -> bool {
    let is_part = |character: char| character.is_ascii_alphanumeric();
    text.match_indices(word).any(|(place, _)| {
        let before = text.get(..place).and_then(|before| before.chars().next_back());
        let after = text.get(place + word.len()..).and_then(|after| after.chars().next());
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subprograms_have_names_and_comments() {
        let all = subprograms();
        assert!(all.len() > 25);
        for own in &all {
            assert!(own.name.starts_with("VL"), "{:?}", own.lines);
            assert!(own.lines.first().is_some_and(|line| line.starts_with("C     ")), "{}", own.name);
            assert_eq!(own.lines.last().map(|line| line.trim()), Some("END"));
        }
    }

    #[test]
    fn what_is_called_is_there() {
        let text = needed("CALL VLREAD(R1)");
        assert!(text.contains("SUBROUTINE VLREAD(X)") && text.contains("SUBROUTINE VLFAIL(TEXT)"));
        assert!(!text.contains("VLTAPE"));
        assert!(text.lines().all(|line| line.starts_with('C') || line.len() <= 72), "{text}");
    }
}
