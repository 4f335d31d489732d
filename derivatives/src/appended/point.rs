//! Points in JSON: numbers, booleans and nested arrays, as other tools write them.
//!
//! An array says nothing about the structure of data. Where the pattern of the procedure takes its operand apart, an array
//! is a tuple for it; elsewhere it is a vector, or a list if that is asked for:
//!
//! ```text
//! [1, 2] for (define (f (list a b)) ...)   is  (1 2)
//! [1, 2] for (define (f a b) ...)          is  (1 . 2), the operand of (f 1 2)
//! [1, 2] for (define (f v) ...)            is  #(1 2)
//! ```
//!
//! In a language with types these tell the structure: an array for a pair has its two parts, or the first one and those of the
//! second one, if that is a pair.
//!
//! The recursions are as deep as the JSON, which its reader limits to 128.

use super::data::{Datum, Token};
use serde_json::Value;
use vlad_shared::core::Program;
use vlad_shared::core::constant::Constant;
use vlad_shared::core::program::{Expression, Item, Pattern, PatternId, Reference};
use vlad_shared::data::not_finite;
use vlad_shared::language::interface::Structure;

/// A point, or another operand.
#[derive(Clone, Debug)]
pub enum Point {
    /// The text of an expression.
    Expression(String),
    /// JSON, with the structure of arrays that no pattern takes apart.
    Json(Value, Arrays),
}

/// The structure of arrays that no pattern takes apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrays {
    /// Vectors.
    Vectors,
    /// Lists.
    Lists,
}

/// A part of JSON that is no datum: its path, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoDatum {
    /// The path, as in `[0][2]`; empty for the whole.
    pub path: String,
    /// The reason.
    pub message: String,
}

/// Returns the datum of JSON for a procedure: the value of the last item of a program. Its operands have these structures, if
/// the language of the program tells any.
///
/// # Errors
/// A part of it is no number, boolean or array, or has another structure.
pub fn datum(json: &Value, arrays: Arrays, program: &Program, operands: &[Structure]) -> Result<Datum, NoDatum> {
    let mut reader = Reader { arrays, program, tokens: Vec::new() };
    let parameters = parameters(program);
    match tuple_of(operands, parameters, program) {
        Some(structure) => reader.of(json, &structure, "")?,
        None => reader.any(json, parameters, "")?,
    }
    Ok(Datum { tokens: reader.tokens })
}

/// The structure of the operand of a procedure: that of its first operand, or of a tuple of as many as its pattern takes apart.
fn tuple_of(operands: &[Structure], mut pattern: Option<PatternId>, program: &Program) -> Option<Structure> {
    let mut taken = 1;
    while let Some(Pattern::Pair(_, second)) = pattern.map(|pattern| program.pattern(pattern)) {
        taken += 1;
        pattern = Some(second);
    }
    let operands = operands.iter().take(taken).rev().cloned();
    operands.reduce(|rest, operand| Structure::Pair(Box::new(operand), Box::new(rest)))
}

/// Returns the number that JSON gives; texts stand for numbers that are not finite. None if it is no number.
pub fn real(json: &Value) -> Option<f64> {
    match json {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => not_finite(text),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// The pattern of the procedure that is the value of the last item, if its code is known.
fn parameters(program: &Program) -> Option<PatternId> {
    let known = program.known_definitions();
    let mut node = program.items.last()?.node();
    // A name may be defined as another one, and so on; there are no more of them than items.
    for _ in &program.items {
        if let Some(lambda) = program.procedure_at(node) {
            return Some(program.lambda(lambda).pattern);
        }
        let Expression::Variable(Reference::Global(global)) = program.expression(node) else { return None };
        if let Some(lambda) = known.get(global.0 as usize).copied().flatten() {
            return Some(program.lambda(lambda).pattern);
        }
        node = program.items.iter().find_map(|item| match *item {
            Item::Define(defined, node) if defined == global => Some(node),
            Item::Define(..) | Item::Expression(_) => None,
        })?;
    }
    None
}

/// The tokens of the datum so far.
struct Reader<'run> {
    arrays: Arrays,
    program: &'run Program,
    tokens: Vec<Token>,
}

impl Reader<'_> {
    fn any(&mut self, json: &Value, pattern: Option<PatternId>, path: &str) -> Result<(), NoDatum> {
        match (json, real(json)) {
            (_, Some(real)) => self.tokens.push(Token::Real(real)),
            (Value::Bool(boolean), None) => self.tokens.push(Token::Boolean(*boolean)),
            (Value::Array(parts), None) => self.array(parts, pattern, path)?,
            (Value::Null, None) => return Err(no_datum(path, "null")),
            (Value::Object(_), None) => return Err(no_datum(path, "an object")),
            (Value::String(_), None) => return Err(no_datum(path, "a text that is no number")),
            (Value::Number(_), None) => return Err(no_datum(path, "a number that is too large")),
        }
        Ok(())
    }

    fn array(&mut self, parts: &[Value], pattern: Option<PatternId>, path: &str) -> Result<(), NoDatum> {
        match pattern.map(|pattern| self.program.pattern(pattern)) {
            Some(Pattern::Pair(..)) => return self.tuple(parts, pattern, path),
            Some(Pattern::Constant(id)) if parts.is_empty() && matches!(self.program.constant(id), Constant::Nil) => {
                self.tokens.push(Token::Nil);
                return Ok(());
            }
            Some(Pattern::Constant(_) | Pattern::Variable) | None => {}
        }
        match self.arrays {
            Arrays::Vectors => self.tokens.push(Token::Vector(parts.len())),
            Arrays::Lists => return self.rest(parts, 0, path),
        }
        parts.iter().zip(0..).try_for_each(|(part, index)| self.any(part, None, &inside(path, index)))
    }

    /// The array as a tuple that a pattern takes apart. What the pattern leaves over is a list; a single part for a
    /// variable at its end is that part.
    fn tuple(&mut self, parts: &[Value], mut pattern: Option<PatternId>, path: &str) -> Result<(), NoDatum> {
        for (index, part) in parts.iter().enumerate() {
            match pattern.map(|pattern| self.program.pattern(pattern)) {
                Some(Pattern::Pair(first, second)) => {
                    self.tokens.push(Token::Pair);
                    self.any(part, Some(first), &inside(path, index))?;
                    pattern = Some(second);
                }
                Some(Pattern::Variable) if index + 1 == parts.len() => {
                    return self.any(part, pattern, &inside(path, index));
                }
                Some(Pattern::Constant(_) | Pattern::Variable) | None => {
                    return self.rest(parts, index, path);
                }
            }
        }
        self.tokens.push(Token::Nil);
        Ok(())
    }

    /// The datum of a structure.
    fn of(&mut self, json: &Value, structure: &Structure, path: &str) -> Result<(), NoDatum> {
        match (structure, json) {
            (Structure::Pair(first, second), Value::Array(parts)) => self.pair(parts, [first, second], 0, path),
            (Structure::Array(element), Value::Array(parts)) => {
                self.tokens.push(Token::Vector(parts.len()));
                parts.iter().zip(0..).try_for_each(|(part, index)| self.of(part, element, &inside(path, index)))
            }
            (Structure::Boolean, Value::Bool(_)) => self.any(json, None, path),
            (Structure::Number, _) if real(json).is_some() => self.any(json, None, path),
            (_, Value::Null | Value::Object(_) | Value::String(_)) => self.any(json, None, path),
            _ => Err(other_structure(path, structure, json)),
        }
    }

    /// A pair whose first part is that of an index.
    fn pair(
        &mut self,
        parts: &[Value],
        [first, second]: [&Structure; 2],
        index: usize,
        path: &str,
    ) -> Result<(), NoDatum> {
        self.tokens.push(Token::Pair);
        match (parts.get(index..).unwrap_or_default(), second) {
            ([one, other], _) => {
                self.of(one, first, &inside(path, index))?;
                self.of(other, second, &inside(path, index + 1))
            }
            ([one, _, _, ..], Structure::Pair(second, third)) => {
                self.of(one, first, &inside(path, index))?;
                self.pair(parts, [second, third], index + 1, path)
            }
            (rest, _) => {
                let message =
                    format!("an array of the parts of a pair is expected, found one of {}", rest.len() + index);
                Err(NoDatum { path: path.to_owned(), message })
            }
        }
    }

    /// The list of the parts from an index on.
    fn rest(&mut self, parts: &[Value], from: usize, path: &str) -> Result<(), NoDatum> {
        for (index, part) in parts.iter().enumerate().skip(from) {
            self.tokens.push(Token::Pair);
            self.any(part, None, &inside(path, index))?;
        }
        self.tokens.push(Token::Nil);
        Ok(())
    }
}

/// The path of an element.
pub fn inside(path: &str, index: usize) -> String {
    format!("{path}[{index}]")
}

/// The error of a part that has another structure.
fn other_structure(path: &str, expected: &Structure, found: &Value) -> NoDatum {
    let expected = match expected {
        Structure::Number => "a number",
        Structure::Boolean => "a boolean",
        Structure::Array(_) => "an array",
        Structure::Pair(..) => "an array of the parts of a pair",
    };
    let found = match found {
        Value::Array(_) => "an array",
        Value::Bool(_) => "a boolean",
        Value::Null | Value::Number(_) | Value::String(_) | Value::Object(_) => "a number",
    };
    NoDatum { path: path.to_owned(), message: format!("{expected} is expected, found {found}") }
}

fn no_datum(path: &str, found: &str) -> NoDatum {
    let message = format!("numbers, booleans and arrays are expected, found {found}");
    NoDatum { path: path.to_owned(), message }
}

#[cfg(test)]
mod tests {
    use super::super::data::Form;
    use super::*;
    use vlad_shared::frontend::load::{Input, Options, load};

    fn read(program: &str, json: &str, arrays: Arrays) -> Result<String, NoDatum> {
        let (name, bytes) = ("test".to_owned(), program.as_bytes().to_vec());
        let program = load(Input::Text { name, bytes, folder: None }, &Options::default()).unwrap();
        let json = serde_json::from_str(json).unwrap();
        datum(&json, arrays, &program, &[]).map(|datum| datum.text(Form::Vlad))
    }

    #[test]
    fn patterns_give_arrays_their_structure() {
        for (program, json, expected) in [
            ("(define (f (list a b)) a) f", "[1, 2]", "(1 2)"),
            ("(define (f a b) a) f", "[1, 2]", "(1 . 2)"),
            ("(define (f a b c) a) f", "[1, [2, 3], 4]", "(1 #(2 3) . 4)"),
            ("(define (f (list (list a b) v)) a) (define g f) (define h g) h", "[[1, 2], [3]]", "((1 2) #(3))"),
            ("(define (f v) v) f", "[[1, 2], []]", "#(#(1 2) #())"),
            ("(define (f (cons a rest)) a) f", "[1, 2, 3]", "(1 2 3)"),
            ("(define (f (list a)) a) f", "[1, 2]", "(1 2)"),
            ("(define (f (list a b)) a) f", "[1]", "(1)"),
            ("(define ((f a) b) b) (f 1)", "[true, \"-inf.0\"]", "#(#t -inf.0)"),
            ("sin", "2.5", "2.5"),
        ] {
            assert_eq!(read(program, json, Arrays::Vectors).as_deref(), Ok(expected), "{program} {json}");
        }
        assert_eq!(read("(lambda (v) v)", "[[1, 2], []]", Arrays::Lists).as_deref(), Ok("((1 2) ())"));
    }

    #[test]
    fn types_give_arrays_their_structure() {
        let number = || Box::new(Structure::Number);
        let pair = Structure::Pair(number(), number());
        let nested = Structure::Pair(number(), Box::new(pair.clone()));
        let pairs = Structure::Array(Box::new(pair.clone()));
        let read = |pattern: &str, json: &str, operands: Vec<Structure>| {
            let bytes = format!("(lambda {pattern} 0)").into_bytes();
            let input = Input::Text { name: "test".to_owned(), bytes, folder: None };
            let program = load(input, &Options::default()).unwrap();
            let json = serde_json::from_str(json).unwrap();
            let datum = datum(&json, Arrays::Lists, &program, &operands);
            datum.map(|datum| datum.text(Form::Vlad)).map_err(|wrong| format!("{}: {}", wrong.path, wrong.message))
        };
        let number = Structure::Number;
        assert_eq!(read("(p)", "[1, 2]", vec![pair.clone()]).as_deref(), Ok("(1 . 2)"));
        for json in ["[1, [2, 3]]", "[1, 2, 3]"] {
            assert_eq!(read("(p)", json, vec![nested.clone()]).as_deref(), Ok("(1 2 . 3)"));
            assert_eq!(
                read("(a b c)", json, vec![number.clone(), number.clone(), number.clone()]).as_deref(),
                Ok("(1 2 . 3)")
            );
        }
        assert_eq!(read("(p)", "[[1, 2], [3, 4]]", vec![pairs.clone()]).as_deref(), Ok("#((1 . 2) (3 . 4))"));
        assert_eq!(read("(a p)", "[0, [[1, 2]]]", vec![number.clone(), pairs]).as_deref(), Ok("(0 . #((1 . 2)))"));
        // The others are operands of what the procedure returns.
        assert_eq!(read("(a)", "3", vec![number.clone(), number]).as_deref(), Ok("3"));
        for (json, message) in [
            ("[1]", ": an array of the parts of a pair is expected, found one of 1"),
            ("[1, 2, 3]", ": an array of the parts of a pair is expected, found one of 3"),
            ("[1, [2]]", "[1]: a number is expected, found an array"),
            ("[1, true]", "[1]: a number is expected, found a boolean"),
            ("7", ": an array of the parts of a pair is expected, found a number"),
            ("[null, 2]", "[0]: numbers, booleans and arrays are expected, found null"),
        ] {
            assert_eq!(read("(p)", json, vec![pair.clone()]).unwrap_err(), message);
        }
    }

    #[test]
    fn what_is_no_number_has_a_path() {
        for (json, path, found) in [
            ("null", "", "null"),
            ("[1, {\"a\": 2}]", "[1]", "an object"),
            ("[[0], [1, \"x\"]]", "[1][1]", "a text that is no number"),
        ] {
            let wrong = read("(lambda (v) v)", json, Arrays::Vectors).unwrap_err();
            assert_eq!((wrong.path.as_str(), wrong.message.ends_with(found)), (path, true), "{wrong:?}");
        }
    }
}
