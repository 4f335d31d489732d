//! Definitions of data files in F-smooth: numbers, booleans, and arrays of them, each row of a table on a line.

use super::syntax::lexer::{self, TokenKind};
use vlad_core::diagnostic::Report;
use vlad_core::source::FileId;
use vlad_data::Data;
use vlad_language::names::Names;
use vlad_language::{DataDefinition, Encoding};
use vlad_table::number;

/// An array without elements, which the syntax of arrays does not have.
const EMPTY: &str = "(build 0 (fun i -> 0))";

/// Returns the definition of a datum by a name.
pub fn definition(name: &str, datum: &Data) -> DataDefinition {
    if !is_name(name) {
        return DataDefinition::NoName;
    }
    let mut text = format!("let {name} =\n  ");
    write(&mut text, datum, "\n    ");
    text.push('\n');
    DataDefinition::Text(text)
}

/// Returns true if a text is a name that can be defined.
fn is_name(text: &str) -> bool {
    let (mut names, mut report) = (Names::new(), Report::default());
    let tokens = lexer::lex(FileId(0), text, Encoding::Sound, &mut names, &mut report);
    match *tokens.as_slice() {
        [lexer::Token { kind: TokenKind::Name(_), start: 0, end, .. }] => end as usize == text.len(),
        _ => false,
    }
}

/// Writes a datum, with `between` after the semicolons of its elements. Data files are at most some hundred arrays deep,
/// which their formats see to.
fn write(out: &mut String, datum: &Data, between: &str) {
    let list = |out: &mut String, count: usize, write: &mut dyn FnMut(&mut String, usize)| {
        out.push_str(if count == 0 { EMPTY } else { "[| " });
        for place in 0..count {
            if place > 0 {
                out.push(';');
                out.push_str(between);
            }
            write(out, place);
        }
        out.push_str(if count == 0 { "" } else { " |]" });
    };
    match datum {
        Data::Real(real) => out.push_str(&number(*real)),
        Data::Boolean(boolean) => out.push_str(if *boolean { "true" } else { "false" }),
        Data::Reals(reals) => list(out, reals.len(), &mut |out, place| {
            out.push_str(&reals.get(place).map_or(String::new(), |real| number(*real)));
        }),
        Data::Array(elements) => list(out, elements.len(), &mut |out, place| {
            if let Some(element) = elements.get(place) {
                write(out, element, " ");
            }
        }),
    }
}

/// A number as an expression. The literals of the language have no sign of an exponent, no infinities and no NaN.
fn number(real: f64) -> String {
    if real.is_nan() {
        "(0 / 0)".to_owned()
    } else if real.is_infinite() {
        (if real > 0.0 { "(1 / 0)" } else { "(-1 / 0)" }).to_owned()
    } else if real == 0.0 && real.is_sign_negative() {
        "-0.".to_owned()
    } else {
        number::format(real).replace("e+", "e")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_expressions() {
        let table = Data::Array(vec![Data::Reals(vec![1.0, -0.5e-20]), Data::Reals(vec![1e30, f64::NEG_INFINITY])]);
        let text = "let m =\n  [| [| 1; -5e-21 |];\n    [| 1e30; (-1 / 0) |] |]\n";
        assert_eq!(definition("m", &table), DataDefinition::Text(text.to_owned()));
        let flags = Data::Array(vec![Data::Boolean(true)]);
        assert_eq!(definition("b'", &flags), DataDefinition::Text("let b' =\n  [| true |]\n".to_owned()));
        for name in ["", "let", "a b", "1x", "x-y", "x)", "true"] {
            assert_eq!(definition(name, &flags), DataDefinition::NoName, "{name}");
        }
    }
}
