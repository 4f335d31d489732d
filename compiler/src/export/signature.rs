//! Signatures of exports: the shapes of operands and results.
//!
//! ```text
//! signature  type {, type} -> type
//! type       real | boolean | vector | matrix | arrayN
//!            (type ...)              a list
//!            (type ... . type)       pairs: the last type is the rest
//! ```
//!
//! A vector consists of reals and has any length. A matrix is a vector of vectors of one length. They are the arrays of
//! one and two dimensions, also named `array1` and `array2`. `array3` is a vector of matrices of one size, and so on.

use crate::analysis::Assumed;
use std::fmt;
use vlad_first_order::kind::MOST_RANK;

/// The greatest depth of parentheses.
const MOST_DEPTH: usize = 40;

/// The greatest number of numbers and arrays in a signature.
const MOST_LEAVES: usize = 256;

/// The shape of an operand or a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// A real, a boolean or an array.
    Leaf(LeafType),
    /// The empty list.
    Nil,
    /// A pair.
    Pair(Box<Type>, Box<Type>),
}

/// A part of an operand or a result that is a variable in C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LeafType {
    /// A real.
    Real,
    /// A boolean.
    Boolean,
    /// An array of reals with this number of dimensions, at least one. Its elements are arrays of one dimension less,
    /// of equal sizes.
    Array(u32),
}

/// A signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The operands, at least one.
    pub operands: Vec<Type>,
    /// The result.
    pub result: Type,
}

impl LeafType {
    /// A vector of reals.
    pub const VECTOR: LeafType = LeafType::Array(1);
    /// A matrix of reals.
    pub const MATRIX: LeafType = LeafType::Array(2);

    /// The type for a word.
    fn of_word(word: &str) -> Option<LeafType> {
        match word {
            "real" => Some(LeafType::Real),
            "boolean" => Some(LeafType::Boolean),
            "vector" => Some(LeafType::VECTOR),
            "matrix" => Some(LeafType::MATRIX),
            _ => {
                let rank = word.strip_prefix("array")?;
                let is_number = rank.chars().all(|digit| digit.is_ascii_digit()) && !rank.starts_with('0');
                rank.parse().ok().filter(|_| is_number).map(LeafType::Array)
            }
        }
    }

    /// The number of dimensions; 0 of a scalar.
    pub fn rank(self) -> u32 {
        match self {
            LeafType::Real | LeafType::Boolean => 0,
            LeafType::Array(rank) => rank,
        }
    }

    /// The suffixes of the names of an array's sizes in other languages.
    pub fn sizes(self) -> Vec<String> {
        match self {
            LeafType::Real | LeafType::Boolean => Vec::new(),
            LeafType::VECTOR => vec!["length".to_owned()],
            LeafType::MATRIX => vec!["rows".to_owned(), "columns".to_owned()],
            LeafType::Array(rank) => (1..=rank).map(|dimension| format!("size{dimension}")).collect(),
        }
    }
}

impl fmt::Display for LeafType {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            LeafType::Real => out.write_str("real"),
            LeafType::Boolean => out.write_str("boolean"),
            LeafType::VECTOR => out.write_str("vector"),
            LeafType::MATRIX => out.write_str("matrix"),
            LeafType::Array(rank) => write!(out, "array{rank}"),
        }
    }
}

impl Type {
    /// The leaves, from left to right.
    pub fn leaves(&self) -> Vec<LeafType> {
        let (mut found, mut pending) = (Vec::new(), vec![self]);
        while let Some(next) = pending.pop() {
            match next {
                Type::Leaf(leaf) => found.push(*leaf),
                Type::Nil => {}
                Type::Pair(first, second) => pending.extend([&**second, &**first]),
            }
        }
        found
    }

    /// The shape for the analysis.
    pub fn assumed(&self) -> Assumed {
        match self {
            Type::Leaf(LeafType::Real) => Assumed::Real,
            Type::Leaf(LeafType::Boolean) => Assumed::Boolean,
            Type::Leaf(LeafType::Array(rank)) => Assumed::Array(*rank),
            Type::Nil => Assumed::Nil,
            Type::Pair(first, second) => Assumed::Pair(Box::new(first.assumed()), Box::new(second.assumed())),
        }
    }
}

impl Signature {
    /// Parses a signature.
    ///
    /// # Errors
    /// Returns a description of the first error.
    pub fn parse(text: &str) -> Result<Signature, String> {
        let Some((operands, result)) = text.split_once("->") else {
            return Err(format!("a signature is `OPERANDS->RESULT`, found `{text}`"));
        };
        let mut parser = Parser { tokens: tokens(operands), next: 0 };
        let mut all = vec![parser.type_of(0)?];
        while parser.takes(",") {
            all.push(parser.type_of(0)?);
        }
        parser.end()?;
        let mut parser = Parser { tokens: tokens(result), next: 0 };
        let result = parser.type_of(0)?;
        parser.end()?;
        Signature::new(all, result)
    }

    /// A signature.
    ///
    /// # Errors
    /// There are too many parts, or a part has too many dimensions.
    pub fn new(operands: Vec<Type>, result: Type) -> Result<Signature, String> {
        let signature = Signature { operands, result };
        let leaves: Vec<LeafType> = signature.operand_leaves().into_iter().chain(signature.result.leaves()).collect();
        if leaves.len() > MOST_LEAVES {
            return Err(format!("a signature has at most {MOST_LEAVES} parts; use a vector"));
        }
        if let Some(found) = leaves.iter().map(|leaf| leaf.rank()).find(|rank| *rank > u32::from(MOST_RANK)) {
            return Err(format!("an array has at most {MOST_RANK} dimensions, found {found}"));
        }
        Ok(signature)
    }

    /// The leaves of all operands.
    pub fn operand_leaves(&self) -> Vec<LeafType> {
        self.operands.iter().flat_map(Type::leaves).collect()
    }
}

fn tokens(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '(' | ')' | ',' | '.' => 1,
            _ => rest.find(|c: char| c.is_whitespace() || "(),.".contains(c)).unwrap_or(rest.len()),
        };
        let (token, others) = rest.split_at(length);
        found.push(token);
        rest = others.trim_start();
    }
    found
}

struct Parser<'text> {
    tokens: Vec<&'text str>,
    next: usize,
}

impl<'text> Parser<'text> {
    fn token(&self) -> Option<&'text str> {
        self.tokens.get(self.next).copied()
    }

    fn takes(&mut self, token: &str) -> bool {
        let is_next = self.token() == Some(token);
        self.next += usize::from(is_next);
        is_next
    }

    fn type_of(&mut self, depth: usize) -> Result<Type, String> {
        let found = self.token();
        if let Some(leaf) = found.and_then(LeafType::of_word) {
            self.next += 1;
            return Ok(Type::Leaf(leaf));
        }
        if found != Some("(") {
            let found = found.map_or("nothing, which is written `()`".to_owned(), |found| format!("`{found}`"));
            return Err(format!("expected real, boolean, vector, matrix, arrayN or a list of types, found {found}"));
        }
        if depth == MOST_DEPTH {
            return Err(format!("types are nested at most {MOST_DEPTH} deep"));
        }
        self.next += 1;
        let mut parts = Vec::new();
        let mut rest = Type::Nil;
        loop {
            if self.takes(")") {
                break;
            }
            if !parts.is_empty() && self.takes(".") {
                rest = self.type_of(depth + 1)?;
                if !self.takes(")") {
                    return Err("expected `)` after the type behind a dot".to_owned());
                }
                break;
            }
            parts.push(self.type_of(depth + 1)?);
        }
        Ok(parts.into_iter().rev().fold(rest, |rest, part| Type::Pair(Box::new(part), Box::new(rest))))
    }

    fn end(&self) -> Result<(), String> {
        match self.token() {
            None => Ok(()),
            Some(token) => Err(format!("expected the end of a type, found `{token}`")),
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, second) = match self {
            Type::Leaf(leaf) => return write!(out, "{leaf}"),
            Type::Nil => return out.write_str("()"),
            Type::Pair(first, second) => (first, second),
        };
        write!(out, "({first}")?;
        let mut rest = second;
        loop {
            match &**rest {
                Type::Pair(first, second) => {
                    write!(out, " {first}")?;
                    rest = second;
                }
                Type::Nil => return out.write_str(")"),
                Type::Leaf(leaf) => return write!(out, " . {leaf})"),
            }
        }
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, operand) in self.operands.iter().enumerate() {
            write!(out, "{}{operand}", if place == 0 { "" } else { "," })?;
        }
        write!(out, "->{}", self.result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_read_and_printed() {
        for text in [
            "real->real",
            "real,vector,matrix->boolean",
            "(real real)->(real . vector)",
            "((real . boolean) vector)->((matrix) real . real)",
            "()->()",
            "array3,(real . array16)->(array4 matrix)",
        ] {
            assert_eq!(Signature::parse(text).map(|signature| signature.to_string()), Ok(text.to_owned()));
        }
        let spaced = Signature::parse(" real , ( real  .vector ) -> ( real )").map(|signature| signature.to_string());
        assert_eq!(spaced.as_deref(), Ok("real,(real . vector)->(real)"));
        let leaves = Signature::parse("(real (vector . boolean)),matrix->real").map(|it| it.operand_leaves());
        assert_eq!(leaves, Ok(vec![LeafType::Real, LeafType::VECTOR, LeafType::Boolean, LeafType::MATRIX]));
        let by_rank = Signature::parse("array1,array2->array3").map(|signature| signature.to_string());
        assert_eq!(by_rank.as_deref(), Ok("vector,matrix->array3"));
    }

    #[test]
    fn what_is_no_signature_is_refused() {
        for text in ["", "real", "->real", "real->", "real,->real", "reals->real", "(real->real", "real->real real"] {
            assert!(Signature::parse(text).is_err(), "{text}");
        }
        for text in ["( . real)->real", "(real . real real)->real", "real)->real", "real->real,real", "real->->real"] {
            assert!(Signature::parse(text).is_err(), "{text}");
        }
        for word in
            ["array", "array0", "array03", "array+3", "array3x", "array17", "array99999999999999999999", "arrays"]
        {
            assert!(Signature::parse(&format!("{word}->real")).is_err(), "{word}");
        }
        let deep = format!("{}real{}->real", "(".repeat(100_000), ")".repeat(100_000));
        assert!(Signature::parse(&deep).is_err());
        assert!(Signature::parse(&format!("({})->real", "real ".repeat(300))).is_err());
    }
}
