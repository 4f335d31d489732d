//! The names of the operands of exports: the parameters of the procedure's definition, as far as C, Python and Fortran
//! allow them.
//!
//! A parameter is a pattern. A variable names the operand, and the variables in a pattern of pairs name its parts. A
//! part without a variable of its own gets the name of the enclosing variable with a number, and without any variable
//! a name by its position, such as `x1`. No two names of an export are equal.
//!
//! `set` asks for the names in C, and `wrappers` for those in Fortran and Python.

use super::names::PYTHON_KEYWORDS;
use super::signature::{LeafType, Type};
use std::collections::BTreeSet;
use vlad_core::{LambdaId, Pattern, PatternId, Program};

/// The greatest length of a name. Longer names are made of it, and Fortran allows 63 characters.
const MOST_LETTERS: usize = 31;

/// Words that cannot name a parameter: keywords of C and C++, macros and types of the headers of C, and other names in
/// the public functions. [`PYTHON_KEYWORDS`] are excluded as well.
const RESERVED: &str = "alignas alignof and_eq asm auto bitand bitor bool case catch char char8_t char16_t char32_t co_await \
    co_return co_yield compl complex concept const const_cast consteval constexpr constinit decltype default delete do double \
    dynamic_cast enum explicit export extern false float friend goto imaginary inline int long mutable namespace new noexcept \
    noreturn not_eq nullptr operator or_eq private protected public register reinterpret_cast requires restrict short signed \
    sizeof static static_assert static_cast struct switch template this thread_local throw true typedef typeid typename typeof \
    typeof_unqual union unsigned using virtual void volatile wchar_t xor xor_eq \
    EOF I INFINITY NAN NULL WNOHANG errno linux math_errhandling size_t stderr stdin stdout unix \
    context operands places results status";

/// The other names in the functions of the Fortran module, in lower case.
const OF_FORTRAN: &str = "context status c_double c_int c_loc c_null_ptr c_ptr c_size_t present";

/// The names of the Greek letters in the order of Unicode. The first sigma is the one at the end of words.
const GREEK: [&str; 25] = [
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu", "xi",
    "omicron", "pi", "rho", "sigma", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega",
];

/// The treatment of capitals. Fortran ignores them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capitals {
    /// Names that differ in capitals are different.
    Distinguish,
    /// Names that differ in capitals are equal.
    Ignored,
}

/// An operand or a part of one, with its name in the definition if it has one.
struct Wanted {
    name: Option<String>,
    /// The name by its position, if it has no name or one without letters.
    place: String,
    /// The suffixes that make names of its sizes, such as `length`; these names are distinct as well.
    others: Vec<String>,
}

/// The patterns of a procedure's operands, in order; `None` for an operand that is a part of a variable.
pub(super) fn patterns(program: &Program, procedure: Option<LambdaId>, count: usize) -> Vec<Option<PatternId>> {
    let mut rest = procedure.map(|lambda| program.lambda(lambda).pattern);
    let mut found = Vec::new();
    for _ in 1..count {
        let parts = match rest.map(|pattern| program.pattern(pattern)) {
            Some(Pattern::Pair(first, others)) => (Some(first), Some(others)),
            Some(Pattern::Variable | Pattern::Constant(_)) | None => (None, None),
        };
        found.push(parts.0);
        rest = parts.1;
    }
    found.push(rest);
    found
}

/// The names of operands as wholes, in Python.
pub(super) fn of_operands(program: &Program, patterns: &[Option<PatternId>], operands: &[Type]) -> Vec<String> {
    let mut leaves = 1;
    let mut wanted = Vec::new();
    for ((pattern, operand), place) in patterns.iter().zip(operands).zip(1..) {
        let place = match operand {
            Type::Leaf(_) => format!("x{leaves}"),
            Type::Nil | Type::Pair(..) => format!("p{place}"),
        };
        leaves += operand.leaves().len();
        wanted.push(Wanted { name: variable(program, *pattern), place, others: Vec::new() });
    }
    distinct(&wanted, Vec::new(), Capitals::Distinguish)
}

/// The names of the leaves of operands in C and Fortran, apart from taken names.
pub(super) fn of_leaves(
    program: &Program,
    patterns: &[Option<PatternId>],
    operands: &[Type],
    mut taken: Vec<String>,
    capitals: Capitals,
) -> Vec<String> {
    if capitals == Capitals::Ignored {
        taken.extend(OF_FORTRAN.split_whitespace().map(str::to_owned));
    }
    let mut wanted = Vec::new();
    for (pattern, operand) in patterns.iter().zip(operands) {
        leaves(program, *pattern, operand, &mut wanted);
    }
    distinct(&wanted, taken, capitals)
}

/// The names of the results and of their variables in C and Fortran. Operands must not have them.
pub(super) fn of_results(results: &[LeafType]) -> Vec<String> {
    let of = |(leaf, place): (&LeafType, usize)| {
        let ends = leaf.sizes().into_iter().chain(["capacity".to_owned()]);
        let own: Vec<String> = ends.flat_map(|end| [format!("r{place}_{end}"), format!("at_r{place}_{end}")]).collect();
        [format!("r{place}"), format!("status{place}")].into_iter().chain(own)
    };
    results.iter().zip(1..).flat_map(of).collect()
}

/// The name of a variable.
fn variable(program: &Program, pattern: Option<PatternId>) -> Option<String> {
    let pattern = pattern.filter(|pattern| matches!(program.pattern(*pattern), Pattern::Variable))?;
    Some(program.pattern_name(pattern).to_owned())
}

/// Adds the parts of an operand from left to right.
fn leaves(program: &Program, pattern: Option<PatternId>, operand: &Type, wanted: &mut Vec<Wanted>) {
    let mut pending = vec![(pattern, operand)];
    while let Some((pattern, of)) = pending.pop() {
        let parts = pattern.map(|pattern| program.pattern(pattern));
        match (of, parts) {
            (Type::Pair(first, second), Some(Pattern::Pair(of_first, of_second))) => {
                pending.extend([(Some(of_second), &**second), (Some(of_first), &**first)]);
            }
            _ => {
                let around = variable(program, pattern).filter(|name| spelled(name).is_some());
                for (leaf, number) in of.leaves().into_iter().zip(1..) {
                    let name = match (&around, of) {
                        (Some(name), Type::Nil | Type::Pair(..)) => Some(format!("{name}_{number}")),
                        (around, _) => around.clone(),
                    };
                    let place = format!("x{}", wanted.len() + 1);
                    wanted.push(Wanted { name, place, others: leaf.sizes() });
                }
            }
        }
    }
}

/// Distinct names of parameters. Names that need no change are assigned first.
fn distinct(all: &[Wanted], taken: Vec<String>, capitals: Capitals) -> Vec<String> {
    let folded = |name: &str| match capitals {
        Capitals::Distinguish => name.to_owned(),
        Capitals::Ignored => name.to_ascii_lowercase(),
    };
    let mut used: BTreeSet<String> = taken.iter().map(|name| folded(name)).collect();
    let mut take = |name: &str, others: &[String]| {
        let others = others.iter().map(|other| format!("{name}_{other}"));
        let own: Vec<String> = others.chain([name.to_owned()]).map(|name| folded(&name)).collect();
        let is_free = own.iter().all(|name| !used.contains(name));
        if is_free {
            used.extend(own);
        }
        is_free
    };
    let spellings: Vec<Option<String>> = all.iter().map(|wanted| wanted.name.as_deref().and_then(spelled)).collect();
    let mut names: Vec<Option<String>> = Vec::new();
    for (wanted, spelling) in all.iter().zip(&spellings) {
        let own = spelling.clone().filter(|spelling| wanted.name.as_ref() == Some(spelling));
        names.push(own.filter(|name| take(name, &wanted.others)));
    }
    let rest = names.into_iter().zip(all.iter().zip(spellings));
    let named = rest.map(|(name, (wanted, spelling))| {
        name.unwrap_or_else(|| {
            let first = spelling.unwrap_or_else(|| wanted.place.clone());
            let mut name = first.clone();
            let mut number = 2;
            while !take(&name, &wanted.others) {
                name = format!("{first}_{number}");
                number += 1;
            }
            name
        })
    });
    named.collect()
}

/// The name of a parameter in C, Python and Fortran; none if it has no letter or digit of ASCII or Greek. It may be
/// taken.
fn spelled(name: &str) -> Option<String> {
    let mut text = String::new();
    for letter in name.chars() {
        match letter {
            '_' => text.push('_'),
            letter if letter.is_ascii_alphanumeric() => text.push(letter),
            letter => text.push_str(&greek(letter).unwrap_or_else(|| "_".to_owned())),
        }
    }
    if !text.contains(|letter: char| letter.is_ascii_alphanumeric()) {
        return None;
    }
    // The names of the runtime begin with `vlad`.
    let is_of_runtime = text.get(..4).is_some_and(|begin| begin.eq_ignore_ascii_case("vlad"));
    if is_of_runtime || !text.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
        text.insert(0, 'x');
    }
    text.truncate(MOST_LETTERS);
    let is_reserved = RESERVED.split_whitespace().chain(PYTHON_KEYWORDS).any(|word| word == text);
    if is_reserved || is_like_a_macro(&text) {
        text.push('_');
    }
    Some(text)
}

/// Returns true for a name like a macro of a C header: of capitals with `_`, as `M_PI`.
fn is_like_a_macro(name: &str) -> bool {
    name.contains('_') && !name.contains(|letter: char| letter.is_ascii_lowercase())
}

/// The name of a Greek letter; that of a capital letter begins with a capital.
fn greek(letter: char) -> Option<String> {
    let of = |first: u32| GREEK.get((letter as u32).checked_sub(first)? as usize);
    if let Some(name) = of(0x3B1) {
        return Some((*name).to_owned());
    }
    let name = of(0x391)?;
    let (first, rest) = name.split_at(1);
    Some(first.to_ascii_uppercase() + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(names: &[&str], others: &[&str], capitals: Capitals) -> Vec<String> {
        let others: Vec<String> = others.iter().map(|other| (*other).to_owned()).collect();
        let wanted: Vec<Wanted> = (1..)
            .zip(names)
            .map(|(place, name)| Wanted {
                name: Some((*name).to_owned()),
                place: format!("x{place}"),
                others: others.clone(),
            })
            .collect();
        distinct(&wanted, vec!["r1".to_owned(), "context".to_owned()], capitals)
    }

    #[test]
    fn names_are_made_into_ones_of_all_languages() {
        for (name, spelling) in [
            ("velocity", Some("velocity")),
            ("x-1", Some("x_1")),
            ("x'", Some("x_")),
            ("lambda", Some("lambda_")),
            ("class", Some("class_")),
            ("int", Some("int_")),
            ("None", Some("None_")),
            ("context", Some("context_")),
            ("2x", Some("x2x")),
            ("_a", Some("x_a")),
            ("M_PI", Some("M_PI_")),
            ("A-1", Some("A_1_")),
            ("Rate_1", Some("Rate_1")),
            ("Vlad_run", Some("xVlad_run")),
            ("\u{3b8}0", Some("theta0")),
            ("\u{3bb}", Some("lambda_")),
            ("\u{394}t", Some("Deltat")),
            ("\u{e9}tat", Some("x_tat")),
            ("_", None),
            ("+", None),
            ("\u{6570}", None),
        ] {
            assert_eq!(spelled(name).as_deref(), spelling, "{name}");
        }
        assert_eq!(spelled(&"a".repeat(80)).map(|name| name.len()), Some(MOST_LETTERS));
        for word in RESERVED.split_whitespace().chain(PYTHON_KEYWORDS) {
            assert_eq!(spelled(word), Some(format!("{word}_")));
        }
    }

    #[test]
    fn names_are_distinct() {
        let plain = |names: &[&str]| of(names, &[], Capitals::Distinguish);
        assert_eq!(plain(&["a-b", "a_b", "a+b", "a.b"]), ["a_b_2", "a_b", "a_b_3", "a_b_4"]);
        assert_eq!(plain(&["int", "int_", "r1", "x", "X"]), ["int__2", "int_", "r1_2", "x", "X"]);
        assert_eq!(plain(&["_", "x1", "+"]), ["x1_2", "x1", "x3"]);
        assert_eq!(of(&["x", "X"], &[], Capitals::Ignored), ["x", "X_2"]);
        assert_eq!(of(&["x_length", "x"], &["length"], Capitals::Distinguish), ["x_length", "x_2"]);
    }
}
