//! Names of functions that are unique in their unit, readable, and identifiers of C after a prefix.

use super::Unit;

/// The names of the functions, by number: the name in the program as far as C permits, then the number.
pub fn names(unit: &Unit) -> Vec<String> {
    let name = |name: &str| {
        let words = name.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        words.collect::<Vec<_>>().join("_")
    };
    unit.functions
        .iter()
        .enumerate()
        .map(|(number, function)| match name(&function.name) {
            name if name.is_empty() => format!("procedure_{number}"),
            name if name.starts_with(|first: char| first.is_ascii_digit()) => format!("n{name}_{number}"),
            name => format!("{name}_{number}"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::Building;

    #[test]
    fn names_are_unique_identifiers() {
        let mut building = Building::default();
        for name in ["set-x!", "1+", "+", "a_1", "a"] {
            building.declare(name, &[], &[]);
        }
        assert_eq!(names(&building.finish()), ["set_x_0", "n1_1", "procedure_2", "a_1_3", "a_4"]);
    }
}
