//! Data made of reals, booleans, pairs and vectors, as they enter and leave the expressions behind a program.
//!
//! Invariant: a datum is a sequence of tokens in preorder, so neither its depth nor its length needs host stack, and the
//! reals of another datum can take the places of its own.

use std::fmt::Write;
use vlad_shared::language::Pairs;
use vlad_shared::table::number;
use vlad_shared::values::Value;

/// A token of a datum in preorder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Token {
    /// A real.
    Real(f64),
    /// A boolean.
    Boolean(bool),
    /// The empty list.
    Nil,
    /// A pair, whose halves follow.
    Pair,
    /// A vector of so many elements, which follow.
    Vector(usize),
}

/// Data made of reals, booleans, pairs and vectors.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Datum {
    /// Its tokens.
    pub tokens: Vec<Token>,
}

/// A text form of data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The form of the language.
    Vlad,
    /// JSON: lists, vectors and pairs are arrays. The last part of a list that does not end in the empty list is an
    /// element like the others. A real that JSON has no number for is a text.
    Json,
}

/// The words of a text form.
struct Words {
    list: &'static str,
    vector: &'static str,
    end: &'static str,
    between: &'static str,
    before_tail: &'static str,
    nil: &'static str,
    booleans: [&'static str; 2],
}

impl Form {
    fn words(self) -> Words {
        match self {
            Form::Vlad => Words {
                list: "(",
                vector: "#(",
                end: ")",
                between: " ",
                before_tail: " . ",
                nil: "()",
                booleans: ["#f", "#t"],
            },
            Form::Json => Words {
                list: "[",
                vector: "[",
                end: "]",
                between: ",",
                before_tail: ",",
                nil: "[]",
                booleans: ["false", "true"],
            },
        }
    }

    fn real(self, real: f64) -> String {
        match self {
            Form::Vlad => number::format(real),
            Form::Json => json_real(real),
        }
    }
}

/// Returns a real as JSON: the shortest number that reads back, or a text if JSON has no number for it.
fn json_real(real: f64) -> String {
    if real.is_finite() { serde_json::json!(real).to_string() } else { format!("\"{}\"", number::format(real)) }
}

/// A pending part of a text.
enum Pending {
    /// A datum.
    Datum,
    /// The rest of a list after an element.
    Rest,
    /// So many elements of a vector, after another one or as the first ones.
    Elements { left: usize, is_first: bool },
    /// The end of a list whose last part is written.
    End,
}

impl Datum {
    /// A real.
    pub fn real(real: f64) -> Datum {
        Datum { tokens: vec![Token::Real(real)] }
    }

    /// The list of some data.
    pub fn list<'data>(parts: impl IntoIterator<Item = &'data Datum>) -> Datum {
        let mut tokens = Vec::new();
        for part in parts {
            tokens.push(Token::Pair);
            tokens.extend(&part.tokens);
        }
        tokens.push(Token::Nil);
        Datum { tokens }
    }

    /// The data of a value; none if it has other parts, such as procedures.
    pub fn of(value: &Value) -> Option<Datum> {
        let mut tokens = Vec::new();
        let mut pending = vec![value.clone()];
        while let Some(value) = pending.pop() {
            tokens.push(match value {
                Value::Nil => Token::Nil,
                Value::Boolean(boolean) => Token::Boolean(boolean),
                Value::Real(real) => Token::Real(real),
                Value::Pair(pair) => {
                    pending.extend([pair.second.clone(), pair.first.clone()]);
                    Token::Pair
                }
                Value::Vector(vector) => {
                    pending.extend(vector.iter().rev());
                    Token::Vector(vector.len())
                }
                Value::Lifted(_)
                | Value::Primitive(_)
                | Value::Procedure { .. }
                | Value::Capsule(_)
                | Value::Tagged(_) => return None,
            });
        }
        Some(Datum { tokens })
    }

    /// Its reals in order.
    pub fn reals(&self) -> Vec<f64> {
        let real = |token: &Token| match token {
            Token::Real(real) => Some(*real),
            Token::Boolean(_) | Token::Nil | Token::Pair | Token::Vector(_) => None,
        };
        self.tokens.iter().filter_map(real).collect()
    }

    /// The number of its reals.
    pub fn coordinates(&self) -> usize {
        self.tokens.iter().filter(|token| matches!(token, Token::Real(_))).count()
    }

    /// Returns true if it is a real, and nothing around it.
    pub fn is_real(&self) -> bool {
        matches!(*self.tokens, [Token::Real(_)])
    }

    /// Returns the datum of its shape with other data in the places of its reals, in their order; a place without a datum
    /// keeps its real.
    pub fn with<'data>(&self, parts: impl IntoIterator<Item = &'data [Token]>) -> Datum {
        let mut parts = parts.into_iter();
        let mut tokens = Vec::new();
        for token in &self.tokens {
            match token {
                Token::Real(_) => tokens.extend(parts.next().unwrap_or(std::slice::from_ref(token))),
                Token::Boolean(_) | Token::Nil | Token::Pair | Token::Vector(_) => tokens.push(*token),
            }
        }
        Datum { tokens }
    }

    /// Returns the datum of its shape with other reals.
    pub fn with_reals(&self, reals: &[f64]) -> Datum {
        let tokens: Vec<[Token; 1]> = reals.iter().map(|real| [Token::Real(*real)]).collect();
        self.with(tokens.iter().map(|token| token.as_slice()))
    }

    /// An expression for it: the datum, quoted.
    pub fn quoted(&self) -> String {
        format!("'{}", self.text(Form::Vlad))
    }

    /// An expression for the datum of the same shape with 1 at one coordinate and 0 at all others.
    pub fn direction(&self, coordinate: usize) -> String {
        let mut reals = vec![0.0; self.coordinates()];
        if let Some(real) = reals.get_mut(coordinate) {
            *real = 1.0;
        }
        self.with_reals(&reals).quoted()
    }

    /// Its text in a form.
    pub fn text(&self, form: Form) -> String {
        let words = form.words();
        let mut text = String::new();
        let mut tokens = self.tokens.iter().copied();
        let mut pending = vec![Pending::Datum];
        while let Some(next) = pending.pop() {
            match next {
                Pending::Datum => {
                    if let Some(token) = tokens.next() {
                        open(token, form, &words, &mut text, &mut pending);
                    }
                }
                Pending::Rest => match tokens.next() {
                    Some(Token::Pair) => {
                        text.push_str(words.between);
                        pending.extend([Pending::Rest, Pending::Datum]);
                    }
                    Some(Token::Nil) | None => text.push_str(words.end),
                    Some(tail @ (Token::Real(_) | Token::Boolean(_) | Token::Vector(_))) => {
                        text.push_str(words.before_tail);
                        pending.push(Pending::End);
                        open(tail, form, &words, &mut text, &mut pending);
                    }
                },
                Pending::Elements { left: 0, .. } | Pending::End => text.push_str(words.end),
                Pending::Elements { left, is_first } => {
                    if !is_first {
                        text.push_str(words.between);
                    }
                    pending.extend([Pending::Elements { left: left - 1, is_first: false }, Pending::Datum]);
                }
            }
        }
        text
    }

    /// The same datum for JSON: where a pair has two parts and makes up nothing else, as an array of these. What ends in the empty
    /// list is a list.
    pub fn for_json(&self, pairs: Pairs) -> Datum {
        match pairs {
            Pairs::Lists => self.clone(),
            Pairs::Halves => self.with_pairs_as_arrays(),
        }
    }

    fn with_pairs_as_arrays(&self) -> Datum {
        let mut tokens = self.tokens.clone();
        // Of each datum behind a token, the flag for a list.
        let mut behind: Vec<bool> = Vec::new();
        for token in tokens.iter_mut().rev() {
            let is_list = match token {
                Token::Real(_) | Token::Boolean(_) => false,
                Token::Nil => true,
                Token::Vector(length) => {
                    behind.truncate(behind.len().saturating_sub(*length));
                    false
                }
                Token::Pair => {
                    let halves = (behind.pop(), behind.pop());
                    halves.1.unwrap_or(false)
                }
            };
            if *token == Token::Pair && !is_list {
                *token = Token::Vector(2);
            }
            behind.push(is_list);
        }
        Datum { tokens }
    }

    /// The places of its reals as paths in its JSON form, `[0][2]`, in their order; the path of a datum that is a real is
    /// empty.
    pub fn paths(&self) -> Vec<String> {
        let mut paths = Vec::new();
        let mut tokens = self.tokens.iter();
        // The data to come: each with its path, and for the rest of a list the index of its next element.
        let mut pending: Vec<(String, Option<usize>)> = vec![(String::new(), None)];
        while let (Some((path, rest)), Some(token)) = (pending.pop(), tokens.next()) {
            let own = rest.map_or_else(|| path.clone(), |index| format!("{path}[{index}]"));
            match (token, rest) {
                (Token::Real(_), _) => paths.push(own),
                (Token::Boolean(_) | Token::Nil, _) => {}
                (Token::Pair, _) => {
                    let index = rest.unwrap_or(0);
                    pending.push((path.clone(), Some(index + 1)));
                    pending.push((format!("{path}[{index}]"), None));
                }
                (Token::Vector(length), _) => {
                    pending.extend((0..*length).rev().map(|index| (format!("{own}[{index}]"), None)));
                }
            }
        }
        paths
    }
}

/// Writes a token, and schedules the data that belong to it.
fn open(token: Token, form: Form, words: &Words, text: &mut String, pending: &mut Vec<Pending>) {
    let [no, yes] = words.booleans;
    match token {
        // Writing to a string cannot fail.
        Token::Real(real) => drop(write!(text, "{}", form.real(real))),
        Token::Boolean(boolean) => text.push_str(if boolean { yes } else { no }),
        Token::Nil => text.push_str(words.nil),
        Token::Pair => {
            text.push_str(words.list);
            pending.extend([Pending::Rest, Pending::Datum]);
        }
        Token::Vector(length) => {
            text.push_str(words.vector);
            pending.push(Pending::Elements { left: length, is_first: true });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Token::{Boolean, Nil, Pair, Real, Vector};

    /// The datum ((1.5 . -2) #t #(1e+21 ()) . 4).
    fn example() -> Datum {
        let tokens =
            vec![Pair, Pair, Real(1.5), Real(-2.0), Pair, Boolean(true), Pair, Vector(2), Real(1e21), Nil, Real(4.0)];
        Datum { tokens }
    }

    #[test]
    fn data_have_two_forms() {
        assert_eq!(example().text(Form::Vlad), "((1.5 . -2) #t #(1e+21 ()) . 4)");
        assert_eq!(example().text(Form::Json), "[[1.5,-2.0],true,[1e+21,[]],4.0]");
        assert_eq!(Datum { tokens: vec![Vector(0)] }.text(Form::Vlad), "#()");
        let matrix = Datum { tokens: vec![Vector(2), Vector(1), Real(0.1), Vector(1), Real(-0.0)] };
        assert_eq!(matrix.text(Form::Json), "[[0.1],[-0.0]]");
        let list = Datum::list([&Datum::real(f64::INFINITY), &Datum::real(f64::NAN)]);
        assert_eq!(
            (list.text(Form::Json), list.text(Form::Vlad)),
            ("[\"+inf.0\",\"+nan.0\"]".into(), "(+inf.0 +nan.0)".into())
        );
    }

    #[test]
    fn pairs_that_make_up_no_lists_are_arrays() {
        // ((1 . (2 . 3)) #((4 . 5))), a list.
        let pair = Datum { tokens: vec![Pair, Real(1.0), Pair, Real(2.0), Real(3.0)] };
        let array = Datum { tokens: vec![Vector(1), Pair, Real(4.0), Real(5.0)] };
        let both = Datum::list([&pair, &array]);
        assert_eq!(both.for_json(Pairs::Halves).text(Form::Json), "[[1.0,[2.0,3.0]],[[4.0,5.0]]]");
        assert_eq!(both.for_json(Pairs::Lists).text(Form::Json), "[[1.0,2.0,3.0],[[4.0,5.0]]]");
        assert_eq!(
            both.for_json(Pairs::Halves).paths(),
            ["[0][0]", "[0][1][0]", "[0][1][1]", "[1][0][0]", "[1][0][1]"]
        );
    }

    #[test]
    fn directions_have_the_shape_of_the_point() {
        let datum = example();
        assert_eq!(datum.reals(), [1.5, -2.0, 1e21, 4.0]);
        assert_eq!(datum.direction(2), "'((0 . 0) #t #(1 ()) . 0)");
        assert_eq!(Datum::real(7.0).direction(0), "'1");
    }

    #[test]
    fn reals_have_paths_and_can_be_replaced() {
        assert_eq!(example().paths(), ["[0][0]", "[0][1]", "[2][0]", "[3]"]);
        assert_eq!(Datum::real(1.0).paths(), [""]);
        let inner = [Vector(1), Real(3.0)];
        let outer = Datum::list([&Datum::real(0.0), &Datum::real(1.0)]);
        assert_eq!(outer.with([inner.as_slice(); 2]).text(Form::Vlad), "(#(3) #(3))");
    }

    #[test]
    fn depth_takes_no_stack() {
        let mut tokens = vec![Pair; 1 << 20];
        tokens.push(Nil);
        tokens.extend(std::iter::repeat_n(Nil, 1 << 20));
        let datum = Datum { tokens };
        assert_eq!(datum.text(Form::Vlad).len(), (1 << 21) + 2);
        assert_eq!(datum.with_reals(&[]), datum);
    }
}
