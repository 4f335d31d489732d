//! The notation of rules: terms with metavariables in prefix form.
//!
//! ```text
//! term = metavariable | bound variable | 0 (an Index) | 0.0 (a Double) | true | false
//!      | (metavariable term ...)            an instance that may mention the variables given
//!      | (fun x term) | (let x term term)   binders; a template uses the names of its pattern
//!      | (construct term ...)               if, apply, and the functions of the language
//! ```
//!
//! A metavariable without operands stands for a term without the variables of the pattern, so conditions as "x not in e" need no words.
//! In a pattern the operands of a metavariable are variables, or projections `(fst s)` and `(snd s)`: then s occurs in the instance as that
//! projection only. In a template they are the terms that replace these operands. A term that is no atom is bound by a `let`, so no work is
//! repeated.

use crate::builtins::Builtin;
use crate::typed::Head;

/// A term of a rule.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    /// A metavariable, by its place among those of the rule, and its operands.
    Meta(usize, Vec<Term>),
    /// A variable that the pattern binds, by its place among them.
    Bound(usize),
    /// A number of kind D.
    Double(f64),
    /// A number of kind I.
    Index(f64),
    /// A boolean.
    Boolean(bool),
    /// A function.
    Function(usize, Box<Term>),
    /// A `let`.
    Let(usize, Box<Term>, Box<Term>),
    /// Another construct and its parts.
    Construct(Head, Vec<Term>),
}

/// The names that a rule uses: its metavariables, and the variables that it binds.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// The metavariables.
    pub metavariables: Vec<String>,
    /// The bound variables, in the order in which the pattern binds them.
    pub bound: Vec<String>,
}

/// Reads a term.
///
/// # Errors
/// A message, if the text is no term.
pub fn parse(text: &str, names: &mut Names) -> Result<Term, String> {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut words: Vec<&str> = spaced.split_whitespace().rev().collect();
    let term = parse_term(&mut words, names)?;
    if words.is_empty() { Ok(term) } else { Err(format!("`{text}` goes on after its end")) }
}

/// Terms of rules are a few levels deep, so reading them may recurse.
fn parse_term(words: &mut Vec<&str>, names: &mut Names) -> Result<Term, String> {
    let word = next(words)?;
    if word != "(" {
        return atom(word, names);
    }
    let head = next(words)?;
    let term = match head {
        "fun" => {
            let variable = binder(next(words)?, names);
            Term::Function(variable, Box::new(parse_term(words, names)?))
        }
        "let" => {
            let name = next(words)?;
            let value = parse_term(words, names)?;
            let variable = binder(name, names);
            Term::Let(variable, Box::new(value), Box::new(parse_term(words, names)?))
        }
        head => {
            let mut parts = vec![];
            while words.last().is_some_and(|word| *word != ")") {
                parts.push(parse_term(words, names)?);
            }
            named(head, parts, names)?
        }
    };
    match next(words)? {
        ")" => Ok(term),
        other => Err(format!("`)` expected, found `{other}`")),
    }
}

fn next<'text>(words: &mut Vec<&'text str>) -> Result<&'text str, String> {
    words.pop().ok_or_else(|| "the term ends too early".to_owned())
}

fn binder(name: &str, names: &mut Names) -> usize {
    match names.bound.iter().position(|bound| bound == name) {
        Some(place) => place,
        None => {
            names.bound.push(name.to_owned());
            names.bound.len() - 1
        }
    }
}

fn named(head: &str, parts: Vec<Term>, names: &Names) -> Result<Term, String> {
    if let Some(place) = names.metavariables.iter().position(|name| name == head) {
        return Ok(Term::Meta(place, parts));
    }
    let construct = match head {
        "apply" => Some((Head::Application, 2)),
        "if" => Some((Head::If, 3)),
        name => Builtin::named(name).map(|builtin| (Head::Call(builtin), builtin.arity())),
    };
    match construct.filter(|(_, count)| *count == parts.len()) {
        Some((construct, _)) => Ok(Term::Construct(construct, parts)),
        None => Err(format!("`{head}` of {} parts is no construct", parts.len())),
    }
}

fn atom(word: &str, names: &Names) -> Result<Term, String> {
    if let Some(place) = names.bound.iter().position(|name| name == word) {
        return Ok(Term::Bound(place));
    }
    if let Some(place) = names.metavariables.iter().position(|name| name == word) {
        return Ok(Term::Meta(place, vec![]));
    }
    match (word, word.parse::<f64>()) {
        ("true", _) => Ok(Term::Boolean(true)),
        ("false", _) => Ok(Term::Boolean(false)),
        (_, Ok(number)) if word.contains('.') => Ok(Term::Double(number)),
        (_, Ok(number)) => Ok(Term::Index(number)),
        (_, Err(_)) => Err(format!("`{word}` is no name of the rule")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Term, String> {
        let mut names = Names { metavariables: vec!["n".to_owned(), "f".to_owned(), "k".to_owned()], bound: vec![] };
        parse(text, &mut names)
    }

    #[test]
    fn terms_are_read() {
        let Ok(term) = read("(get (build n (fun i (f i))) k)") else { unreachable!("the term is well formed") };
        let function = Term::Function(0, Box::new(Term::Meta(1, vec![Term::Bound(0)])));
        let build = Term::Construct(Head::Call(Builtin::Build), vec![Term::Meta(0, vec![]), function]);
        assert_eq!(term, Term::Construct(Head::Call(Builtin::Get), vec![build, Term::Meta(2, vec![])]));
    }

    #[test]
    fn wrong_terms_are_refused() {
        for text in ["", "(", "(get n)", "x", "n k", "(fun i (f i)", "(root n k)"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
