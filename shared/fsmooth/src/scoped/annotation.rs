//! Written types to types.

use crate::syntax::tree::{Tree, WrittenType, WrittenTypeId};
use crate::typed::types::MOST_PARTS;
use crate::typed::{Type, TypeId, Types};
use vlad_core::diagnostic::{Diagnostic, Kind, Report};
use vlad_language::names::Names;

/// The names of types, for hints.
const NAMES: &str = "the types are Double, Index (also called Card), Num, which is either of them, Bool, Array<T>, T * U, T => U, Vector, Matrix, DoubleD, VectorD and MatrixD";

enum Step {
    Visit(WrittenTypeId),
    Array,
    Pair,
    Function,
}

/// Returns a written type; none if it has been reported.
pub fn written(
    tree: &Tree,
    names: &Names,
    root: WrittenTypeId,
    types: &mut Types,
    report: &mut Report,
) -> Option<TypeId> {
    let (mut steps, mut made) = (vec![Step::Visit(root)], vec![]);
    while let Some(step) = steps.pop() {
        let new = match step {
            Step::Visit(id) => match tree.types[id].0 {
                WrittenType::Name(name) if names.text(name) == "Num" => {
                    made.push(Types::NUMBER);
                    continue;
                }
                WrittenType::Name(name) => match named(names.text(name), types) {
                    Some(type_id) => type_id,
                    None => {
                        let message = match names.text(name) {
                            "Array" => "the type `Array` has the type of its elements: Array<Double>".to_owned(),
                            other => format!("`{other}` is no type"),
                        };
                        let diagnostic = Diagnostic::new(Kind::Unbound, tree.types[id].1, message);
                        report.push(diagnostic.with_hint(NAMES));
                        return None;
                    }
                },
                WrittenType::Of(name, element) if names.text(name) == "Array" => {
                    steps.extend([Step::Array, Step::Visit(element)]);
                    continue;
                }
                WrittenType::Of(name, _) => {
                    let message = format!("`{}` has no type of elements", names.text(name));
                    report.push(Diagnostic::new(Kind::Unbound, tree.types[id].1, message).with_hint(NAMES));
                    return None;
                }
                WrittenType::Pair(first, second) => {
                    steps.extend([Step::Pair, Step::Visit(second), Step::Visit(first)]);
                    continue;
                }
                WrittenType::Function(parameter, result) => {
                    steps.extend([Step::Function, Step::Visit(result), Step::Visit(parameter)]);
                    continue;
                }
            },
            Step::Array => Type::Array(made.pop()?),
            Step::Pair => {
                let (second, first) = (made.pop()?, made.pop()?);
                Type::Pair(first, second)
            }
            Step::Function => {
                let (result, parameter) = (made.pop()?, made.pop()?);
                Type::Function(parameter, result)
            }
        };
        let is_sound = match new {
            Type::Array(element) => types.is_data(element),
            Type::Pair(first, second) => types.is_data(first) && types.is_data(second),
            Type::Double | Type::Index | Type::Boolean | Type::Function(..) => true,
        };
        if !is_sound {
            let message = "a function is no element of an array and no part of a pair";
            report.push(Diagnostic::new(Kind::Type, tree.types[root].1, message));
            return None;
        }
        let id = types.add(new);
        if types.parts(id) > MOST_PARTS {
            let message = format!("this type has more than {MOST_PARTS} parts");
            report.push(Diagnostic::new(Kind::Limit, tree.types[root].1, message));
            return None;
        }
        made.push(id);
    }
    made.pop()
}

/// Returns the type of a name.
fn named(name: &str, types: &mut Types) -> Option<Type> {
    let dual = |types: &mut Types| types.pair(Types::DOUBLE, Types::DOUBLE);
    Some(match name {
        "Double" => Type::Double,
        "Index" | "Card" => Type::Index,
        "Bool" => Type::Boolean,
        "Vector" => Type::Array(Types::DOUBLE),
        "Matrix" => Type::Array(Types::VECTOR),
        "DoubleD" => Type::Pair(Types::DOUBLE, Types::DOUBLE),
        "VectorD" => Type::Array(dual(types)),
        "MatrixD" => {
            let dual = dual(types);
            Type::Array(types.array(dual))
        }
        _ => return None,
    })
}
