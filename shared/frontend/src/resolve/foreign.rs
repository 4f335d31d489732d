//! Advice for unbound names that are defined in related languages.
//!
//! The names are those of R7RS-small that mean nothing here, and frequent ones of Scheme systems, of other Lisps and of
//! libraries for differentiation. No row has a name that exists here (checked by a test).

/// The sort of a foreign name in the language that it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ForeignKind {
    /// A value, mostly a procedure.
    Value,
    /// The keyword of a form, whose parts are no expressions: unbound names in them are not reported.
    Keyword,
}

/// Some foreign names with the advice for each of them.
struct ForeignNames {
    names: &'static [&'static str],
    sort: ForeignKind,
    advice: &'static str,
}

const fn values(names: &'static [&'static str], advice: &'static str) -> ForeignNames {
    ForeignNames { names, sort: ForeignKind::Value, advice }
}

const fn keywords(names: &'static [&'static str], advice: &'static str) -> ForeignNames {
    ForeignNames { names, sort: ForeignKind::Keyword, advice }
}

const NO_MUTATION: &str = "nothing is ever changed: give the new value to the next call, or bind it with `let`";
const NO_STRINGS: &str =
    "there are no strings and no characters among the values, but (write \"text\" value) prints a text";
const NO_SYMBOLS: &str = "there are no symbols: data are reals, booleans, lists, pairs and vectors";
const NO_MACROS: &str = "there are no macros: write a procedure, which may take procedures";
const NO_EXCEPTIONS: &str =
    "there are no exceptions: give a value that says what went wrong, or end the program by (error \"text\" value)";
const NO_CONTINUATIONS: &str =
    "there are no first-class continuations; `interrupt` and `resume` suspend a call and go on with it";
const NO_MULTIPLE_VALUES: &str =
    "there are no multiple values: give a list, and take it apart as in (let (((list a b) e)) ...)";
const NO_PORTS: &str = "the input is read by `read-real`, and `write` prints a value on a line of the output";
const NO_RECORDS: &str = "there are no records: use a list or a pair, and take it apart by a pattern";
const NO_PROMISES: &str = "there are no promises: a procedure without parameters is one that is kept, (lambda () e)";
const NO_EXACTNESS: &str = "all numbers are reals, without exact ones beside them";
const ALL_REALS: &str = "all numbers are reals: `real?` says whether something is one";
const NO_CONSTANT: &str = "define it: (define e (exp 1))";
const IF: &str = "write `if` or `cond`; several expressions in one are (begin e1 e2)";
const EQUAL: &str = "write `equal?`";
const MEMBER: &str = "write (member? x l), which gives #t or #f";
const ASSOCIATION: &str = "(include \"lists\") has (assoc x l), which compares by `equal?`";
const LOOP: &str = "write a loop as in (let loop ((i 0)) (if (< i n) (loop (+ i 1)) i)), or `ifold` or `build`";
const FORWARD: &str = "the derivative of f at x is (cdr (j* f x 1))";
const REVERSE: &str = "the gradient of f at x is (cdr (*j f x 1))";
const JACOBIAN: &str =
    "a column of it is (cdr (j* f x x')) for a unit tangent x', a row (cdr (*j f x y')) for a unit cotangent y'";
const APPLY: &str = "the operands of a call are a tuple: (f (cons a (cons b c))) is (f a b c)";
const FOLD: &str = "write (reduce f x l), which calls (f x a) from the first element a on, or (fold-right f x l)";
const SORT: &str = "(include \"lists\") has (sort less? l), for a list";

const TABLE: [ForeignNames; 91] = [
    // Forms.
    keywords(&["set!"], NO_MUTATION),
    keywords(&["do", "while", "dotimes", "dolist", "for", "for/list", "for/fold"], LOOP),
    keywords(&["when", "unless"], IF),
    keywords(&["case"], "write `cond` with `equal?` or `=` in its tests"),
    keywords(&["case-lambda", "opt-lambda"], "(lambda all ...) takes any number of operands, as a tuple"),
    keywords(&["named-lambda", "fn", "defun", "define*"], "write (define (name parameter ...) body)"),
    keywords(&["letrec*"], "write `letrec`, or definitions at the head of a body"),
    keywords(&["let-values", "let*-values", "define-values", "receive"], NO_MULTIPLE_VALUES),
    keywords(&["define-syntax", "let-syntax", "letrec-syntax", "syntax-rules", "define-macro", "defmacro"], NO_MACROS),
    keywords(&["define-record-type", "define-structure", "define-struct", "defstruct"], NO_RECORDS),
    keywords(&["delay", "delay-force", "make-promise", "cons-stream"], NO_PROMISES),
    keywords(&["guard", "try", "catch"], NO_EXCEPTIONS),
    keywords(&["parameterize", "fluid-let"], "there are no parameter objects: give the value to each call"),
    keywords(
        &["import", "define-library", "require", "use-modules", "cond-expand", "include-ci", "load"],
        "write (include \"file\") at top level",
    ),
    keywords(&["quasiquote", "unquote", "unquote-splicing"], "there is no quasiquotation: write `list` and `cons`"),
    keywords(&["assert"], NO_EXCEPTIONS),
    keywords(&["module", "declare", "the"], "there are no declarations; `real` says that a value is a real"),
    keywords(&["syntax-error"], NO_MACROS),
    // Equality.
    values(&["eq?", "eqv?", "eq", "eql", "equal"], EQUAL),
    values(&["boolean=?"], EQUAL),
    // Numbers.
    values(&["number?", "complex?", "rational?"], ALL_REALS),
    values(&["finite?", "isfinite", "is-finite"], "write (< (abs x) +inf.0)"),
    values(&["integer?", "exact-integer?"], "write (= x (floor x))"),
    values(&["nan?", "isnan", "is-nan"], "only a NaN is not equal to itself: (not (= x x))"),
    values(&["infinite?", "isinf", "is-inf"], "write (= (abs x) +inf.0)"),
    values(&["inf", "Inf", "+inf", "infinity", "Infinity", "+infinity", "INFINITY"], "the infinity is written +inf.0"),
    values(&["-inf", "-infinity", "-Infinity"], "the negative infinity is written -inf.0"),
    values(&["nan", "NaN", "+nan", "-nan", "NAN"], "what is no number is written +nan.0"),
    values(&["exact?", "inexact?", "exact", "inexact", "exact->inexact", "inexact->exact"], NO_EXACTNESS),
    values(&["quotient", "truncate-quotient", "truncate/"], "write (truncate (/ a b))"),
    values(
        &["remainder", "truncate-remainder", "rem"],
        "write (- a (* b (truncate (/ a b)))), or `modulo`, whose result has the sign of b",
    ),
    values(&["floor-remainder", "mod", "%", "fmod"], "write `modulo`"),
    values(&["floor-quotient", "floor/", "div", "//"], "write (floor (/ a b))"),
    values(&["numerator", "denominator", "rationalize"], "there are no fractions: 1/2 is (/ 1 2)"),
    values(&["gcd", "lcm", "exact-integer-sqrt", "exact-rational?"], "define it with `modulo` and `floor`"),
    values(&["square", "sq"], "write `sqr`"),
    values(&["pow", "power", "**"], "write `expt`"),
    values(&["ln"], "write `log`"),
    values(&["atan2"], "write (atan y x)"),
    values(&["add1", "1+", "inc", "incr"], "write (+ x 1)"),
    values(&["sub1", "-1+", "dec", "decr"], "write (- x 1)"),
    values(&["ceil"], "write `ceiling`"),
    values(&["trunc"], "write `truncate`"),
    values(&["fabs"], "write `abs`"),
    values(&["negate", "neg"], "write (- x)"),
    values(
        &["random", "rand", "randn"],
        "(include \"random\") has a generator whose state each call hands on: (random-real (random-state 1))",
    ),
    values(
        &["make-rectangular", "make-polar", "real-part", "imag-part", "angle"],
        "there are no complex numbers: use pairs",
    ),
    values(&["e"], NO_CONSTANT),
    values(&["nil", "null", "empty"], "write '()"),
    values(&["true"], "write #t"),
    values(&["false"], "write #f"),
    // Lists.
    values(
        &["set-car!", "set-cdr!", "append!", "reverse!", "push!", "pop!", "vector-fill!", "vector-copy!", "list-set!"],
        NO_MUTATION,
    ),
    values(&["memq", "memv"], MEMBER),
    values(&["assq", "assv"], ASSOCIATION),
    values(&["list-copy", "tree-copy"], "nothing is ever changed, so a list needs no copy"),
    values(&["make-list"], "write (map-n (lambda (i) x) n)"),
    values(&["nth"], "write (list-ref l i) for a list, (get v i) for a vector"),
    values(&["rest", "tail"], "write `cdr`"),
    values(&["head"], "write `car`"),
    values(&["foldl", "fold-left", "foldr"], FOLD),
    values(&["sort!", "list-sort", "vector-sort"], SORT),
    values(&["delete"], "write (filter p l), which leaves the elements for which p holds"),
    values(&["mapcar"], "write `map`"),
    values(&["flatten"], "(include \"lists\") has (concatenate lists)"),
    values(&["seq"], "write (iota n) for a list, (build n f) for a vector"),
    values(&["last-pair", "list-head"], "write `list-tail` and `last`, or (take l n) of (include \"lists\")"),
    values(&["null-list?"], "write `null?`"),
    values(&["atom?"], "write (not (pair? x))"),
    values(&["call-with-values", "values"], NO_MULTIPLE_VALUES),
    values(&["andmap", "all"], "write `every`"),
    values(&["ormap", "some", "exists"], "write `any`"),
    // Vectors.
    values(&["vector-ref", "list-elt", "aref", "elt"], "write (get v i)"),
    values(&["vector-set!"], "write (vector-set v i x), which gives the vector with the other element"),
    values(&["make-vector"], "write (build n (lambda (i) x))"),
    values(
        &["make-initialized-vector", "vector-tabulate", "build-vector", "tabulate", "make-initialized-list"],
        "write (build n f)",
    ),
    values(&["vector-for-each"], "write (ifold (lambda (s i) ...) s (length v))"),
    values(
        &["vector-copy", "subvector"],
        "nothing is ever changed, so a vector needs no copy; (include \"linear-algebra\") has `vector-slice`",
    ),
    values(&["vector-foldl", "vector-fold"], "(include \"linear-algebra\") has (vector-reduce f x v)"),
    values(&["substring", "digit-value"], NO_STRINGS),
    // Procedures and control.
    values(&["apply", "funcall"], APPLY),
    values(&["call/cc", "call-with-current-continuation", "dynamic-wind", "call/ec"], NO_CONTINUATIONS),
    values(&["force", "make-parameter", "promise?"], NO_PROMISES),
    values(
        &[
            "raise",
            "raise-continuable",
            "with-exception-handler",
            "error-object?",
            "error-object-message",
            "error-object-irritants",
            "read-error?",
        ],
        NO_EXCEPTIONS,
    ),
    values(
        &[
            "eval",
            "environment",
            "interaction-environment",
            "exit",
            "emergency-exit",
            "features",
            "void",
            "command-line",
            "get-environment-variable",
            "get-environment-variables",
        ],
        "a program only computes and prints values",
    ),
    values(
        &["current-second", "current-jiffy", "jiffies-per-second", "runtime", "real-time"],
        "--stats tells how long a run took; a program cannot ask",
    ),
    // Output and input.
    values(
        &["display", "print", "println", "printf", "pp", "newline", "write-simple", "write-shared", "format"],
        "(write \"x = \" x) prints a line; each expression at top level is printed, too",
    ),
    values(
        &[
            "read",
            "read-line",
            "read-char",
            "read-string",
            "peek-char",
            "char-ready?",
            "read-u8",
            "write-char",
            "write-u8",
            "flush-output-port",
            "current-input-port",
            "current-output-port",
            "current-error-port",
            "eof-object",
            "eof-object?",
            "call-with-port",
            "open-input-file",
            "open-output-file",
        ],
        NO_PORTS,
    ),
    // Differentiation.
    values(&["diff", "differentiate", "derivative-f", "derivative-F", "deriv"], FORWARD),
    values(&["grad", "gradient-f", "gradient-F", "gradient-r", "gradient-R"], REVERSE),
    values(&["jvp", "vjp", "pushforward", "pullback"], JACOBIAN),
    values(
        &["j-forward", "j-reverse", "forward", "reverse-mode", "backprop"],
        "forward mode is (j* f x x'), reverse mode (*j f x y')",
    ),
];

/// Words that occur in the names of a whole family, with the advice for all names of the family.
const FAMILIES: [(&[&str], &str); 5] = [
    (&["symbol", "gensym"], NO_SYMBOLS),
    (&["string", "char", "utf8"], NO_STRINGS),
    (&["bytevector", "u8"], "there are no bytes: use a vector of reals"),
    (&["port", "file"], NO_PORTS),
    (&["hash", "alist"], ASSOCIATION),
];

/// Returns the sort of a foreign name and the advice for it; none if the name is not in the table.
pub(super) fn advice(name: &str) -> Option<(ForeignKind, &'static str)> {
    TABLE.iter().find(|row| row.names.contains(&name)).map(|row| (row.sort, row.advice))
}

/// Returns the advice for a name of Scheme that composes more of `car` and `cdr` than names do here, as `cadddr`.
pub(super) fn composition(name: &str) -> Option<String> {
    let letters = name.strip_prefix('c')?.strip_suffix('r')?;
    if letters.len() < 3 || !letters.chars().all(|letter| matches!(letter, 'a' | 'd')) {
        return None;
    }
    let applied: String = letters.chars().map(|letter| format!("(c{letter}r ")).collect();
    let written = format!("write {applied}x{}", ")".repeat(letters.len()));
    Some(match letters.strip_prefix('a') {
        Some(skipped) if !skipped.contains('a') => format!("{written}, or (list-ref x {})", skipped.len()),
        _ => written,
    })
}

/// Returns true for the keyword of a form of another language that defines a name.
pub(super) fn defines(name: &str) -> bool {
    name.starts_with("def") && advice(name).is_some_and(|(sort, _)| sort == ForeignKind::Keyword)
}

/// Returns the advice for a name by its words, for names that are in no row.
pub(super) fn advice_by_words(name: &str) -> Option<&'static str> {
    let words = || name.split(|character: char| !character.is_alphanumeric());
    let is_of = |family: &[&str]| words().any(|word| family.contains(&word));
    FAMILIES.iter().find(|(family, _)| is_of(family)).map(|(_, advice)| *advice)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::{Expanded, Input, Options, expanded};
    use crate::vlad::libraries::LIBRARIES;
    use std::collections::HashSet;
    use vlad_language::named::NamedItem;
    use vlad_language::names::{Keyword, Names};
    use vlad_table::Primitive;

    /// Returns the names that a program can use without defining them, including those of libraries.
    fn known() -> HashSet<String> {
        let includes = LIBRARIES.iter().map(|library| format!("(include \"{}\")", library.name));
        let bytes = includes.collect::<String>().into_bytes();
        let input = Input::Text { name: "test".to_owned(), bytes, folder: None };
        let Expanded { names, prelude, items, .. } = expanded(input, &Options::default()).unwrap();
        let name = |item: &NamedItem| match item {
            NamedItem::Define(name, _, _) => Some(names.text(*name).to_owned()),
            NamedItem::Expression(_) => None,
        };
        prelude.iter().chain(&items).filter_map(name).collect()
    }

    fn is_keyword(name: &str) -> bool {
        Names::new().find(name).and_then(Keyword::of).is_some()
    }

    #[test]
    fn what_exists_is_not_foreign_and_nothing_is_said_twice() {
        let known = known();
        let mut seen = HashSet::new();
        for name in TABLE.iter().flat_map(|row| row.names) {
            assert!(!known.contains(*name) && Primitive::named(name).is_none(), "{name} exists");
            assert!(seen.insert(name), "{name} stands there twice");
        }
        for name in known.iter().map(String::as_str).chain(vlad_table::primitives::PRIMITIVES.map(|row| row.name)) {
            assert_eq!(advice(name), None, "{name}");
        }
    }

    /// Checks that each name of R7RS-small, in its alphabetical order, is a keyword, or defined, or has advice.
    #[test]
    fn each_name_of_scheme_is_decided() {
        let known = known();
        for name in include_str!("r7rs-small.txt").lines() {
            let is_keyword = is_keyword(name);
            let exists = is_keyword || known.contains(name) || Primitive::named(name).is_some();
            let advised = advice(name).is_some() || advice_by_words(name).is_some();
            assert!(exists || advised, "{name}");
        }
    }

    #[test]
    fn names_in_hints_exist() {
        let known = known();
        for row in &TABLE {
            for quoted in row.advice.split('`').skip(1).step_by(2) {
                let is_keyword = is_keyword(quoted);
                assert!(is_keyword || known.contains(quoted) || Primitive::named(quoted).is_some(), "{quoted}");
            }
        }
    }
}
