//! The parts of the language report that a program needs, so that an implementation can be tested before it has all of them.
//!
//! They are found in the core of the program: the primitives that it refers to, itself or through procedures of the prelude and of
//! libraries, and vectors among its constants. A program with an error before its run has no core; there the words of its text
//! count. Any program needs the parts up to 5, and none needs those about the command, engines and exports.

use super::case::{Case, LAST_PART};
use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;
use vlad_shared::core::diagnostic::{Failure, Kind};
use vlad_shared::core::source::{SourceFile, SourceMap};
use vlad_shared::core::{Constant, ConstantId, Expression, ExpressionId, Pattern, Program, Reference};
use vlad_shared::frontend::vlad::prelude;
use vlad_shared::table::{Control, Form, OnVector, Primitive};

/// The parts that any program needs, up to this one.
const ALWAYS: u8 = 5;

const PRELUDE: u8 = 7;
const DIFFERENTIATION: u8 = 8;
const COEFFICIENTS: u8 = 9;
const LIMITS: u8 = 11;
const VECTORS: u8 = 18;

/// The languages other than VLAD, and their parts.
const LANGUAGES: [(&str, u8); 2] = [("fsmooth", 20), ("farfel", 21)];

/// A set of parts: bit n stands for the part n.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts(u32);

impl Parts {
    /// Adds a part.
    fn add(&mut self, part: u8) {
        self.0 |= 1 << part;
    }

    /// The parts, in ascending order.
    pub fn numbers(self) -> impl Iterator<Item = u8> {
        (0..=LAST_PART).filter(move |part| self.0 & (1 << part) != 0)
    }

    /// The set of some parts; those that do not exist are left out.
    pub fn of(parts: impl IntoIterator<Item = u8>) -> Parts {
        let mut set = Parts::default();
        parts.into_iter().filter(|part| (1..=LAST_PART).contains(part)).for_each(|part| set.add(part));
        set
    }

    /// Returns true if an implementation of these parts, and of those that any program needs, has all parts of a set.
    pub fn contain(self, needed: Parts) -> bool {
        needed.numbers().all(|part| part <= ALWAYS || self.0 & (1 << part) != 0)
    }

    /// The last part.
    pub fn last(self) -> u8 {
        self.numbers().last().unwrap_or(ALWAYS)
    }
}

impl FromStr for Parts {
    type Err = String;

    /// Reads numbers and ranges with commas between them: `..9,18`, `6`, `20..`.
    fn from_str(text: &str) -> Result<Parts, String> {
        let malformed =
            || format!("parts are numbers from 1 to {LAST_PART} and ranges with commas between them, as in ..9,18");
        let number = |text: &str, default: u8| match text {
            "" => Some(default),
            digits => digits.parse().ok().filter(|part| (1..=LAST_PART).contains(part)),
        };
        let mut parts = Parts::default();
        for piece in text.split(',').map(str::trim) {
            let ends = match piece.split_once("..").or_else(|| piece.split_once('-')) {
                Some((first, last)) => number(first, 1).zip(number(last, LAST_PART)),
                None if piece.is_empty() => None,
                None => number(piece, 1).map(|part| (part, part)),
            };
            let (first, last) = ends.filter(|(first, last)| first <= last).ok_or_else(malformed)?;
            (first..=last).for_each(|part| parts.add(part));
        }
        Ok(parts)
    }
}

impl fmt::Display for Parts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<String> = self.numbers().map(|part| part.to_string()).collect();
        out.write_str(&numbers.join(","))
    }
}

/// Returns the parts beyond those of any program that a case needs, whose program was loaded.
pub fn needed(case: &Case, loaded: &Result<Program, Failure>) -> Parts {
    let mut parts = Parts::of(case.parts.iter().copied());
    match loaded {
        Ok(program) => {
            of_core(program, &mut parts);
            of_languages(&program.sources, &mut parts);
        }
        Err(Failure { sources, .. }) => {
            let own = sources.files().iter().filter(|file| file.name != prelude::NAME);
            own.filter(|file| of_language(file).is_none()).for_each(|file| of_words(file, &mut parts));
            of_languages(sources, &mut parts);
        }
    }
    let is_limit = |kind: Kind| matches!(kind, Kind::Steps | Kind::Depth | Kind::Memory | Kind::Time);
    if case.errors.iter().any(|error| is_limit(error.kind)) {
        parts.add(LIMITS);
    }
    // Differentiation in little space is differentiation, and every derivative has coefficients.
    if parts.0 & (1 << DIFFERENTIATION) != 0 {
        parts.add(COEFFICIENTS);
    }
    parts
}

/// Adds the parts of languages other than VLAD in which texts of a program are.
fn of_languages(sources: &SourceMap, parts: &mut Parts) {
    sources.files().iter().filter_map(of_language).for_each(|part| parts.add(part));
}

/// The part of the language of a text, if that is not VLAD. Variants of a language have a word behind its name.
fn of_language(file: &SourceFile) -> Option<u8> {
    let own = file.language.split('-').next()?;
    LANGUAGES.iter().find(|(name, _)| *name == own).map(|(_, part)| *part)
}

/// Adds the parts that core needs.
fn of_core(program: &Program, parts: &mut Parts) {
    for (expression, number) in program.expressions.iter().zip(0..) {
        let Expression::Variable(Reference::Primitive(primitive)) = expression else { continue };
        if !program.is_prelude(ExpressionId(number)) || !is_vain_in_prelude(*primitive) {
            of_primitive(*primitive, parts);
        }
    }
    for (global, _) in &program.prelude {
        of_prelude(&program.global(*global).name, parts);
    }
    if program.shipped_nodes > program.prelude_nodes {
        parts.add(PRELUDE);
    }
    if has_vector(program) {
        parts.add(VECTORS);
    }
}

/// Returns true if a vector is a constant of a program, or a part of one. Strings, which the templates of texts have as vectors, are
/// none.
fn has_vector(program: &Program) -> bool {
    let templates: HashSet<ExpressionId> =
        program.expressions.iter().filter_map(|each| template(program, each)).collect();
    let outside = program.expressions.iter().zip((0..).map(ExpressionId)).filter_map(|(expression, node)| {
        let Expression::Constant(constant) = expression else { return None };
        Some(*constant).filter(|_| !templates.contains(&node))
    });
    let matched = program.patterns.iter().filter_map(|pattern| match pattern {
        Pattern::Constant(constant) => Some(*constant),
        Pattern::Variable | Pattern::Pair(..) => None,
    });
    let mut pending: Vec<ConstantId> = outside.chain(matched).collect();
    let mut seen = HashSet::new();
    while let Some(constant) = pending.pop() {
        if matches!(program.constant(constant), Constant::Vector(_)) {
            return true;
        }
        if seen.insert(constant) {
            pending.extend(program.constants.parts(constant));
        }
    }
    false
}

/// The node of the template, if an expression writes a text or fails with one.
fn template(program: &Program, expression: &Expression) -> Option<ExpressionId> {
    let Expression::Application { operator, operand } = *expression else { return None };
    let Expression::Variable(Reference::Primitive(primitive)) = program.expression(operator) else { return None };
    let Expression::Cons { first, .. } = program.expression(operand) else { return None };
    matches!(primitive.row().form, Form::WriteText | Form::ErrorText).then_some(first)
}

/// Returns true for a primitive that a procedure of the prelude, as `length`, applies to nothing where the program has no vector.
fn is_vain_in_prelude(primitive: Primitive) -> bool {
    matches!(primitive.row().form, Form::Ask(_) | Form::OnVector(OnVector::Length))
}

fn of_primitive(primitive: Primitive, parts: &mut Parts) {
    let form = primitive.row().form;
    parts.add(form.part());
    if matches!(form, Form::Control(Control::Checkpoint(_))) {
        parts.add(DIFFERENTIATION);
    }
}

fn of_prelude(name: &str, parts: &mut Parts) {
    parts.add(if prelude::LOOP_PROCEDURES.contains(&name) { VECTORS } else { PRELUDE });
}

/// Adds the parts that the names in a text of VLAD need.
fn of_words(file: &SourceFile, parts: &mut Parts) {
    for word in words(&file.text) {
        if let Some(primitive) = Primitive::named(word) {
            of_primitive(primitive, parts);
        } else if word == "include" || is_in_prelude(word) {
            of_prelude(word, parts);
        } else if word == "#" {
            // The beginning of a vector.
            parts.add(VECTORS);
        }
    }
}

/// Returns true for the name of a procedure of the prelude.
fn is_in_prelude(name: &str) -> bool {
    let defined = |line: &str| line.strip_prefix("(define (")?.split([' ', ')']).next().map(str::to_owned);
    prelude::TEXT.lines().any(|line| defined(line).is_some_and(|defined| defined == name))
}

/// The words of a text, without those in comments and strings.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let code = text.lines().flat_map(|line| line.split(';').next());
    let outside = code.flat_map(|line| line.split('"').step_by(2));
    outside.flat_map(|piece| piece.split(|each: char| each.is_whitespace() || "()[]'`,".contains(each)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::case;
    use vlad_shared::frontend::load::{Input, Options, load};
    use vlad_shared::frontend::vlad::Vlad;
    use vlad_shared::language::Language;

    fn parts(text: &str) -> String {
        let case = case::parse_any(text, Vlad.comment()).unwrap();
        let input = Input::Text { name: "a.vlad".to_owned(), bytes: text.as_bytes().to_vec(), folder: None };
        needed(&case, &load(input, &Options::default())).to_string()
    }

    #[test]
    fn the_core_of_a_program_tells_its_parts() {
        for (text, expected) in [
            ("1", ""),
            ("((lambda (x) (if x (cons x '(1 2)) x)) #t)", ""),
            ("(+ 1 2)", "6"),
            // Its own procedure of that name.
            ("(define (bundle x) x) (bundle 1)", ""),
            ("(map car '((1)))", "6,7"),
            // The length of a list needs no vector.
            ("(length '(1 2))", "6,7"),
            ("(ifold + 0 3)", "6,18"),
            ("'(1 #(2))", "18"),
            ("(j* sin 0 1)", "6,8,9"),
            ("(j* sin)", "6,17"),
            ("(checkpoint-*j sin 0 1)", "6,8,9,15"),
            ("(primops car 1)", "6,15"),
            // Counts of elements are checked as those of loops are.
            ("(include \"lists\")", "6,7,18"),
            ("(include \"linear-algebra\")", "6,7,18"),
            ("(write \"a text\" 1)", "6"),
            ("(write \"a text\" '(#(1)))", "6,18"),
            ("(define (f x) (f x)) (f 1)\n;; limit: steps 7\n;; error: steps - limit", "11"),
            ("1\n;; part: 13\n;; expect: 1", "13"),
        ] {
            assert_eq!(parts(text), expected, "{text}");
        }
    }

    #[test]
    fn the_words_of_a_program_without_core_tell_its_parts() {
        for (text, expected) in [
            ("(missing \"j* map\") ; *j", ""),
            ("(define (f x) (j* g x))", "8,9"),
            ("(get #(1) missing", "18"),
            ("(map f) (interrupt", "7,15"),
        ] {
            assert_eq!(parts(text), expected, "{text}");
        }
    }

    #[test]
    fn lists_of_parts_are_read() {
        for (text, expected) in [("6", "6"), ("6..8, 18", "6,7,8,18"), ("20..", "20,21,22"), ("1-2,..3", "1,2,3")] {
            assert_eq!(text.parse::<Parts>().unwrap().to_string(), expected, "{text}");
        }
        assert_eq!("..".parse::<Parts>().unwrap(), Parts::of(1..=LAST_PART));
        for text in ["", "0", "23", "9..6", "a", "6,", "6..x", "1..2..3"] {
            assert!(text.parse::<Parts>().is_err(), "{text}");
        }
    }

    #[test]
    fn sets_contain_what_any_program_needs() {
        let parts = Parts::of([6, 18, 99]);
        assert!(parts.contain(Parts::default()) && parts.contain(Parts::of([1, 5, 18])));
        assert!(!parts.contain(Parts::of([6, 7])));
        assert_eq!((parts.last(), Parts::default().last()), (18, 5));
    }
}
