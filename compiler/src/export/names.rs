//! Names of sets and exports in C, Python and Fortran.

use std::collections::BTreeMap;

/// The greatest length of a name. The name of the set, `_` and the name of the export fit the 63 characters of Fortran.
const MOST_LETTERS: usize = 31;

/// The names of the interface (`compiler/export/interface.h`) without that of the set, in lower case.
const OWN: [&str; 18] = [
    "stack_bytes",
    "begin",
    "begin_with",
    "begin_in",
    "end",
    "context_bytes",
    "status_text",
    "context",
    "status",
    "message",
    "ok",
    "failed",
    "length",
    "too_small",
    "ragged",
    "out_of_memory",
    "too_deep",
    "module",
];

/// The end of the name of the function for the sizes of an export's results.
pub const SIZES: &str = "_sizes";

/// Words that cannot name a set. Files, modules and packages bear its name, so keywords of C and C++, headers of C, and
/// modules that the Python package imports are excluded.
const RESERVED: &str = "assert auto bool case char complex const ctype ctypes default delete do double enum errno extern fenv float \
    goto inline int inttypes iso646 limits locale long math namespace new numpy operator os private public \
    register restrict setjmp short signal signed sizeof static stdalign stdarg stdatomic stdbool stddef stdint \
    stdio stdlib stdnoreturn string struct switch template tgmath this threading threads time typedef typename \
    uchar union unsigned void volatile wchar wctype";

/// The keywords of Python.
pub const PYTHON_KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// Checks the name of a set: a name of C that can begin the names of functions, files and modules.
///
/// # Errors
/// The reason against the name.
pub fn check_set(name: &str) -> Result<(), String> {
    let is_word = name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    let begins_well = name.chars().next().is_some_and(|letter| letter.is_ascii_alphabetic());
    if !is_word || !begins_well || name.len() > MOST_LETTERS || is_reserved(name) {
        return Err(format!(
            "`{name}` cannot be the name of files and functions in C: at most {MOST_LETTERS} letters, digits and `_`, \
             the first a letter, and no keyword or name of a header or module that is used"
        ));
    }
    let lower = name.to_ascii_lowercase();
    if lower == "vlad" || lower.starts_with("vlad_") {
        return Err(format!("`{name}` is taken: names of the runtime begin with `vlad`"));
    }
    Ok(())
}

fn is_reserved(name: &str) -> bool {
    RESERVED.split_whitespace().chain(PYTHON_KEYWORDS).any(|word| word.eq_ignore_ascii_case(name))
}

/// The default name of a set: the name of the program's file if it can be a name of C, else `exports`.
pub fn set_of_file(stem: &str) -> String {
    let name: String = spelled(stem).chars().take(MOST_LETTERS).collect();
    if check_set(&name).is_ok() { name } else { "exports".to_owned() }
}

/// The name of an export in C, without that of its set. Characters other than letters and digits become `_`.
pub fn spelled(name: &str) -> String {
    name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect()
}

/// The names of exports in C.
///
/// # Errors
/// An export has no name of its own in C.
pub fn of_exports(names: &[&str]) -> Result<Vec<String>, String> {
    let mut taken: BTreeMap<String, &str> = BTreeMap::new();
    let mut all = Vec::new();
    for name in names {
        let spelling = spelled(name);
        if !spelling.chars().any(|letter| letter.is_ascii_alphanumeric()) || spelling.len() > MOST_LETTERS {
            return Err(format!(
                "`{name}` cannot be a name in C, which has at most {MOST_LETTERS} letters, digits and `_`: export it \
                 by another name, as in `f={name}:real->real`"
            ));
        }
        // Fortran does not distinguish capitals.
        let lower = spelling.to_ascii_lowercase();
        if OWN.contains(&lower.as_str()) || lower.starts_with("_vlad") {
            return Err(format!("`{name}` is a name of the interface: export it by another name"));
        }
        if let Some(other) = taken.insert(lower, name) {
            return Err(match other == *name {
                true => format!("`{name}` is exported twice"),
                false => {
                    format!("`{other}` and `{name}` have the same name in C or Fortran: export one by another name")
                }
            });
        }
        all.push(spelling);
    }
    for (lower, name) in &taken {
        if let Some(of) = lower.strip_suffix(SIZES).and_then(|of| taken.get(of)) {
            return Err(format!(
                "`{name}` is also the function for the sizes of the results of `{of}`: export one by another name"
            ));
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_sets() {
        for name in ["f", "model_2", "A"] {
            assert_eq!(check_set(name), Ok(()));
        }
        for name in [
            "",
            "2f",
            "_f",
            "a-b",
            "int",
            "lambda",
            "math",
            "Math",
            "None",
            "numpy",
            "vlad",
            "vlad_x",
            "\u{e9}",
            &"a".repeat(32),
        ] {
            assert!(check_set(name).is_err(), "{name}");
        }
        assert_eq!(set_of_file("my-model"), "my_model");
        assert_eq!(set_of_file("2 models"), "exports");
        assert_eq!(set_of_file("int"), "exports");
        assert_eq!(set_of_file("math"), "exports");
    }

    #[test]
    fn names_of_exports() {
        let of = |names: &[&str]| of_exports(names).ok();
        assert_eq!(
            of(&["sum-of-squares", "f'", "int"]),
            Some(["sum_of_squares", "f_", "int"].map(str::to_owned).into())
        );
        for names in
            [&["f", "f"][..], &["a-b", "a_b"], &["F", "f"], &["end"], &["Begin"], &["stack-bytes"], &["+"], &[""]]
        {
            assert_eq!(of(names), None, "{names:?}");
        }
    }
}
