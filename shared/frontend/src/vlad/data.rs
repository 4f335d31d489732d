//! Definitions of data files in VLAD: numbers, booleans, and vectors of them, each row of a table on a line.

use super::syntax::lexer::{self, Atom, TokenKind};
use vlad_core::diagnostic::Report;
use vlad_core::source::FileId;
use vlad_data::Data;
use vlad_language::names::{Keyword, Names};
use vlad_language::{DataDefinition, Encoding};
use vlad_table::number;

/// Returns the definition of a datum by a name.
pub fn definition(name: &str, datum: &Data) -> DataDefinition {
    if !is_name(name) {
        return DataDefinition::NoName;
    }
    let mut text = format!("(define {name} ");
    write(&mut text, datum, Rows::OnLines);
    text.push_str(")\n");
    DataDefinition::Text(text)
}

/// Returns true if a text is a name that can be defined.
fn is_name(text: &str) -> bool {
    let (mut names, mut report) = (Names::new(), Report::default());
    let lexed = lexer::lex(FileId(0), text, Encoding::Sound, &mut names, &mut report);
    match *lexed.tokens.as_slice() {
        [lexer::Token { kind: TokenKind::Atom(Atom::Name(name)), start: 0, end }] => {
            end as usize == text.len() && report.is_empty() && Keyword::of(name).is_none()
        }
        _ => false,
    }
}

/// The place of the elements of an array.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rows {
    /// Each on a line of its own.
    OnLines,
    /// All on one line.
    Together,
}

/// Writes a datum. Data files are at most some hundred arrays deep, which their formats see to.
fn write(out: &mut String, datum: &Data, rows: Rows) {
    match datum {
        Data::Real(real) => out.push_str(&number::format(*real)),
        Data::Boolean(boolean) => out.push_str(if *boolean { "#t" } else { "#f" }),
        Data::Reals(reals) => {
            out.push_str("#(");
            for (place, real) in reals.iter().enumerate() {
                if place > 0 {
                    out.push(' ');
                }
                out.push_str(&number::format(*real));
            }
            out.push(')');
        }
        Data::Array(elements) => {
            out.push_str("#(");
            for (place, element) in elements.iter().enumerate() {
                if place > 0 {
                    out.push_str(if rows == Rows::OnLines { "\n  " } else { " " });
                }
                write(out, element, Rows::Together);
            }
            out.push(')');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_language() {
        for name in ["price", "x*", "->y", "größe", "+x"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", "1x", "a b", "(x", "x)", "define", "x;", " x", "'x", ".", "#t", "12", "a\"b"] {
            assert!(!is_name(name), "{name}");
        }
    }

    #[test]
    fn data_read_back() {
        let table = Data::Array(vec![Data::Reals(vec![1.0, -0.5]), Data::Reals(vec![f64::INFINITY, f64::NAN])]);
        let text = "(define m #(#(1 -0.5)\n  #(+inf.0 +nan.0)))\n";
        assert_eq!(definition("m", &table), DataDefinition::Text(text.to_owned()));
        let mixed = Data::Array(vec![Data::Boolean(true), Data::Reals(vec![])]);
        assert_eq!(definition("b", &mixed), DataDefinition::Text("(define b #(#t\n  #()))\n".to_owned()));
    }
}
