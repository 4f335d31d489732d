//! The name that was meant by a misspelt one: the closest by edits of single characters.

/// The closest of some names, the first in alphabetical order among equals; none if none is close.
pub(super) fn suggest<'names>(name: &str, candidates: impl Iterator<Item = &'names str>) -> Option<&'names str> {
    let name: Vec<char> = name.chars().collect();
    let allowed = match name.len() {
        0 | 1 => return None,
        2..=4 => 1,
        _ => 2,
    };
    candidates
        .filter(|candidate| candidate.len().abs_diff(name.len()) <= 4 * allowed)
        .filter_map(|candidate| Some((distance(&name, candidate, allowed)?, candidate)))
        .min()
        .map(|(_, candidate)| candidate)
}

/// How many insertions, deletions, replacements and swaps of neighbours lead from one name to another; none if more
/// than are allowed, or if nothing of the name is left.
fn distance(name: &[char], other: &str, allowed: usize) -> Option<usize> {
    let other: Vec<char> = other.chars().collect();
    if other.len().abs_diff(name.len()) > allowed || other.len() <= allowed {
        return None;
    }
    // Three rows of the usual table: for the characters up to the one before, up to this one, and up to the next.
    let mut before: Vec<usize> = vec![];
    let mut row: Vec<usize> = (0..=other.len()).collect();
    let mut last_character = None;
    for (index, character) in name.iter().enumerate() {
        let mut next = vec![index + 1];
        let mut last_other = None;
        for (column, other) in other.iter().enumerate() {
            let at = |row: &[usize], column: usize| row.get(column).copied().unwrap_or(usize::MAX / 2);
            let replaced = at(&row, column) + usize::from(character != other);
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
            ("ca", Some("car")),
            ("caddr", Some("car")),
            ("y", None),
            ("display", None),
        ] {
            assert_eq!(suggest(name, names.into_iter()), expected, "for {name}");
        }
    }
}
