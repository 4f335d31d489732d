//! Written types to types.

use crate::syntax::tree::{Tree, WrittenType, WrittenTypeId};
use crate::typed::fold::{Compound, Seen, fold};
use crate::typed::types::MOST_PARTS;
use crate::typed::{TypeId, Types};
use vlad_core::diagnostic::{Diagnostic, Kind, Report};
use vlad_language::names::Names;

/// The names of types, for hints.
const NAMES: &str = "the types are Double, Index (also called Card), Num, which is either of them, Bool, Array<T>, T * U, T => U, Vector, Matrix, DoubleD, VectorD and MatrixD";

/// Returns a written type; none if it has been reported.
pub fn written(
    tree: &Tree,
    names: &Names,
    root: WrittenTypeId,
    types: &mut Types,
    report: &mut Report,
) -> Option<TypeId> {
    let mut context = (types, report, false);
    // Of several errors the first one is reported.
    let refuse = |(_, report, is_refused): &mut (&mut Types, &mut Report, bool), diagnostic: Diagnostic| {
        if !std::mem::replace(is_refused, true) {
            report.push(diagnostic);
        }
        None
    };
    let see = |context: &mut (&mut Types, &mut Report, bool), id| {
        let (written, span) = tree.types[id];
        let message = match written {
            WrittenType::Pair(first, second) => return Seen::Of(Compound::Pair(first, second)),
            WrittenType::Function(parameter, result) => return Seen::Of(Compound::Function(parameter, result)),
            WrittenType::Of(name, element) if names.text(name) == "Array" => return Seen::Of(Compound::Array(element)),
            WrittenType::Of(name, _) => format!("`{}` has no type of elements", names.text(name)),
            WrittenType::Name(name) => match (names.text(name), named(names.text(name), context.0)) {
                (_, Some(type_id)) => return Seen::Known(Some(type_id)),
                ("Array", None) => "the type `Array` has the type of its elements: Array<Double>".to_owned(),
                (other, None) => format!("`{other}` is no type"),
            },
        };
        Seen::Known(refuse(context, Diagnostic::new(Kind::Unbound, span, message).with_hint(NAMES)))
    };
    fold(&mut context, root, see, |context, _, parts| {
        if parts.into_iter().any(|part| part.is_none()) {
            return None;
        }
        let parts = parts.map(|part| part.unwrap_or(Types::DOUBLE));
        let is_function = |part| !context.0.is_data(part);
        if !matches!(parts, Compound::Function(..)) && parts.into_iter().any(is_function) {
            let message = "a function is no element of an array and no part of a pair";
            return refuse(context, Diagnostic::new(Kind::Type, tree.types[root].1, message));
        }
        let id = context.0.add(parts.into());
        if context.0.parts(id) > MOST_PARTS {
            let message = format!("this type has more than {MOST_PARTS} parts");
            return refuse(context, Diagnostic::new(Kind::Limit, tree.types[root].1, message));
        }
        Some(id)
    })
}

/// Returns the type of a name.
fn named(name: &str, types: &mut Types) -> Option<TypeId> {
    let dual = types.pair(Types::DOUBLE, Types::DOUBLE);
    Some(match name {
        "Num" => Types::NUMBER,
        "Double" => Types::DOUBLE,
        "Index" | "Card" => Types::INDEX,
        "Bool" => Types::BOOLEAN,
        "Vector" => Types::VECTOR,
        "Matrix" => Types::MATRIX,
        "DoubleD" => dual,
        "VectorD" => types.array(dual),
        "MatrixD" => {
            let row = types.array(dual);
            types.array(row)
        }
        _ => return None,
    })
}
