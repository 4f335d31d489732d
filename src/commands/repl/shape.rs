//! The shape of a value, in words.

use vlad_shared::core::Program;
use vlad_shared::core::print::patterns::pattern_text;
use vlad_shared::values::{Elements, Tagged, Value};

/// The most parts of a value that are described; the others are left out.
const MOST_PARTS: usize = 40;

/// A pending piece of a description.
enum Piece<'value> {
    Value(&'value Value),
    Text(&'static str),
}

/// Describes a value: its reals and booleans by their kinds, procedures by their parameters.
pub fn shape(program: &Program, value: &Value) -> String {
    let mut text = String::new();
    let mut pending = vec![Piece::Value(value)];
    let mut left = MOST_PARTS;
    while let Some(piece) = pending.pop() {
        let value = match piece {
            Piece::Text(piece) => {
                text.push_str(piece);
                continue;
            }
            Piece::Value(value) => value,
        };
        if left == 0 {
            text.push_str("...");
            continue;
        }
        left -= 1;
        match value {
            Value::Nil => text.push_str("()"),
            Value::Boolean(_) => text.push_str("boolean"),
            Value::Real(_) | Value::Lifted(_) => text.push_str("real"),
            Value::Primitive(primitive) => text += &format!("the primitive `{}`", primitive.name()),
            Value::Procedure { code, .. } => {
                text += &format!("procedure of {}", pattern_text(program, program.lambda(*code).pattern));
            }
            Value::Capsule(_) => text.push_str("capsule"),
            Value::Tagged(tagged) => {
                text.push_str(match &**tagged {
                    Tagged::Perturbation(_) => "perturbation of ",
                    Tagged::Sensitivity(_) => "sensitivity of ",
                    Tagged::Reverse(_) => "reversed ",
                    Tagged::Bundle(_) => "bundle of ",
                    Tagged::Backpropagator(_) => "backpropagator of ",
                });
                pending.extend(tagged.contents().first().map(|content| Piece::Value(content)));
            }
            Value::Vector(vector) => {
                text += &format!("vector of {}", vector.len());
                match vector.elements() {
                    Elements::Reals(_) => text.push_str(" reals"),
                    Elements::Values(values) => {
                        if let Some(first) = values.first() {
                            text.push_str(", the first a ");
                            pending.push(Piece::Value(first));
                        }
                    }
                }
            }
            Value::Pair(_) => {
                text.push('(');
                let mut parts = Vec::new();
                let mut rest = value;
                while let Value::Pair(pair) = rest {
                    if parts.len() > 2 * MOST_PARTS {
                        break;
                    }
                    if !parts.is_empty() {
                        parts.push(Piece::Text(" "));
                    }
                    parts.push(Piece::Value(&pair.first));
                    rest = &pair.second;
                }
                if !matches!(rest, Value::Nil) {
                    parts.extend([Piece::Text(" . "), Piece::Value(rest)]);
                }
                parts.push(Piece::Text(")"));
                pending.extend(parts.into_iter().rev());
            }
        }
    }
    text
}
