//! Spelling suggestions: the known name closest to a misspelt one in edits of single characters.
//!
//! A wrong hint is worse than none. So names of one or two characters are never taken for misspellings, names of up
//! to seven characters only for names one edit away, and longer ones for names two edits away. In a name of up to five
//! characters a replaced character makes another word (`sort`, `sqrt`), while a missing, surplus or misplaced one is a
//! slip.
//!
//! Invariant: the whole search for one program takes bounded time, whatever names it has and misspells. A long name is
//! never taken for a misspelling, since a hint could not help.

/// The greatest length in bytes of a name for which a suggestion is searched.
const LONGEST: usize = 64;

/// The greatest length in characters of a name in which a replaced character makes another word.
const SHORT: usize = 5;

/// The greatest number of names inspected for all misspelt names of a program.
const MOST_LOOKED_AT: usize = 1 << 20;

/// The number of names that may still be inspected.
#[derive(Clone, Copy, Debug)]
pub struct SearchBudget(usize);

impl Default for SearchBudget {
    fn default() -> SearchBudget {
        SearchBudget::new()
    }
}

impl SearchBudget {
    /// Returns the full budget of a new program.
    pub fn new() -> SearchBudget {
        SearchBudget(MOST_LOOKED_AT)
    }

    /// Returns true if so many names may be inspected, and deducts them.
    pub fn deduct(&mut self, names: usize) -> bool {
        match self.0.checked_sub(names) {
            Some(left) => {
                self.0 = left;
                true
            }
            None => {
                self.0 = 0;
                false
            }
        }
    }
}

/// Returns the closest of some names, the first in alphabetical order among equals; none if none is close.
pub fn suggest<'names>(name: &str, candidates: impl Iterator<Item = &'names str>) -> Option<&'names str> {
    if name.len() > LONGEST {
        return None;
    }
    let name: Vec<char> = name.chars().collect();
    let allowed = match name.len() {
        0..=2 => return None,
        3..=7 => 1,
        _ => 2,
    };
    let replacement = if name.len() <= SHORT { allowed + 1 } else { 1 };
    candidates
        .filter(|candidate| candidate.len().abs_diff(name.len()) <= 4 * allowed)
        .filter_map(|candidate| Some((distance(&name, candidate, allowed, replacement)?, candidate)))
        .min()
        .map(|(_, candidate)| candidate)
}

/// Returns the number of insertions, deletions, replacements and swaps of neighbours that lead from one name to
/// another, a replacement counting as so many; none if more than are allowed, or if nothing of the name is left.
fn distance(name: &[char], other: &str, allowed: usize, replacement: usize) -> Option<usize> {
    let other: Vec<char> = other.chars().collect();
    if other.len().abs_diff(name.len()) > allowed || other.len() <= allowed {
        return None;
    }
    // Three rows of the edit distance table: for the characters up to the one before, up to this one, and up to the
    // next.
    let mut before: Vec<usize> = vec![];
    let mut row: Vec<usize> = (0..=other.len()).collect();
    let mut last_character = None;
    for (index, character) in name.iter().enumerate() {
        let mut next = vec![index + 1];
        let mut last_other = None;
        for (column, other) in other.iter().enumerate() {
            let at = |row: &[usize], column: usize| row.get(column).copied().unwrap_or(usize::MAX / 2);
            let replaced = at(&row, column) + if character == other { 0 } else { replacement };
            let edited = at(&row, column + 1).min(at(&next, column)) + 1;
            let swapped = match (last_character, last_other) {
                (Some(last), Some(last_other)) if last == other && last_other == character && column > 0 => {
                    at(&before, column - 1) + 1
                }
                _ => usize::MAX / 2,
            };
            next.push(replaced.min(edited).min(swapped));
            last_other = Some(other);
        }
        last_character = Some(character);
        // No later entry is less than the least of the last two rows.
        if row.iter().chain(&next).all(|edits| *edits > allowed) {
            return None;
        }
        before = std::mem::replace(&mut row, next);
    }
    row.last().copied().filter(|distance| *distance <= allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_names_are_suggested() {
        let names = ["reverse", "reduce", "sqrt", "car", "cdr", "x"];
        for (name, expected) in [
            ("revers", Some("reverse")),
            ("reverce", Some("reverse")),
            ("erverse", Some("reverse")),
            ("sqr", Some("sqrt")),
            ("sqtr", Some("sqrt")),
            ("crr", None),
            ("carr", Some("car")),
            ("ca", None),
            ("caddr", None),
            ("sort", None),
            ("do", None),
            ("reverc", None),
            ("y", None),
            ("display", None),
        ] {
            assert_eq!(suggest(name, names.into_iter()), expected, "for {name}");
        }
    }

    /// The edit distance without a bound, by its definition: the least of all edit sequences, found by exhaustive
    /// search.
    fn unbounded(name: &[char], other: &[char], replacement: usize) -> usize {
        match (name, other) {
            ([], rest) | (rest, []) => rest.len(),
            ([first, name @ ..], [second, other @ ..]) if first == second => unbounded(name, other, replacement),
            ([first, name_rest @ ..], [second, other_rest @ ..]) => {
                let replaced = unbounded(name_rest, other_rest, replacement) + replacement;
                let fewer = unbounded(name_rest, other, replacement).min(unbounded(name, other_rest, replacement)) + 1;
                let swapped = match (name_rest, other_rest) {
                    ([third, name_rest @ ..], [fourth, other_rest @ ..]) if first == fourth && second == third => {
                        unbounded(name_rest, other_rest, replacement) + 1
                    }
                    _ => usize::MAX,
                };
                replaced.min(fewer).min(swapped)
            }
        }
    }

    #[test]
    fn giving_up_early_changes_no_distance() {
        let words: Vec<String> = (0..256_u32)
            .map(|bits| (0..4).map(|place| ['a', 'b', 'c', 'd'][(bits >> (2 * place) & 3) as usize]).collect())
            .collect();
        for name in words.iter().step_by(7) {
            for other in &words {
                let (letters, others): (Vec<char>, Vec<char>) = (name.chars().collect(), other.chars().collect());
                for (allowed, replacement) in [(1, 1), (2, 1), (1, 2)] {
                    let expected = unbounded(&letters, &others, replacement);
                    let found = distance(&letters, other, allowed, replacement);
                    assert_eq!(found, (expected <= allowed).then_some(expected), "{name} {other} {allowed}");
                }
            }
        }
    }

    #[test]
    fn looking_has_an_end() {
        let long = "x".repeat(LONGEST + 1);
        assert_eq!(suggest(&long, [long.as_str()].into_iter()), None);
        let mut patience = SearchBudget::new();
        assert!(patience.deduct(MOST_LOOKED_AT - 1) && patience.deduct(1));
        assert!(!patience.deduct(1));
    }
}
