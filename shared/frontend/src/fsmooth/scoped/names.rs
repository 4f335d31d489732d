//! The functions that operators are, and the names that other languages have for them.

use crate::fsmooth::builtins::Builtin;
use crate::fsmooth::syntax::reader::ReadItem;
use crate::fsmooth::syntax::tree::{Operator, Surface, SurfaceItem, Tree};
use crate::names::{NameId, Names};
use rustc_hash::FxHashMap;
use vlad_table::operations::Operation;
use vlad_table::primitives::Comparison;

/// Returns the function of the language that an operator is.
pub(super) fn builtin(operator: Operator) -> Builtin {
    match operator {
        Operator::Add => Builtin::Operation(Operation::Add),
        Operator::Subtract => Builtin::Operation(Operation::Subtract),
        Operator::Multiply => Builtin::Operation(Operation::Multiply),
        Operator::Divide => Builtin::Operation(Operation::Divide),
        Operator::Power => Builtin::Operation(Operation::Power),
        Operator::Less => Builtin::Compare(Comparison::Less),
        Operator::Greater => Builtin::Compare(Comparison::Greater),
        Operator::NotGreater => Builtin::Compare(Comparison::NotGreater),
        Operator::NotLess => Builtin::Compare(Comparison::NotLess),
        Operator::Equal => Builtin::Compare(Comparison::Equal),
        Operator::Unequal => Builtin::Unequal,
        Operator::And => Builtin::And,
        Operator::Or => Builtin::Or,
        Operator::Not => Builtin::Not,
    }
}

/// Returns advice for a name that other languages have.
pub(super) fn foreign(text: &str) -> Option<&'static str> {
    Some(match text {
        "ln" => "the natural logarithm is called log",
        "pow" | "expt" => "a power is written a ** b",
        "map" => "the library has vectorMap v f",
        "sum" => "the library has vectorSum v",
        "not" => "negation is written !e",
        "fold" | "foldl" | "reduce" => "a loop is written ifold f z n",
        "gradient" => "the operator is called grad",
        "jacobian" => "the operator is called jacob",
        "first" => "the first part of a pair is fst p",
        "second" => "the second part of a pair is snd p",
        "and" | "or" => "the operators are written && and ||",
        "rec" => "there is no recursion: loops are written with build and ifold",
        _ => return None,
    })
}

/// Returns the names that are not what they seem, with advice, which is given if they have no meaning: those behind words that other
/// languages have behind `let`, as `let rec f x` defines a function of the name `rec` here, with the parameters f and x; and the left
/// sides of equations that stand where a definition may be meant.
pub(super) fn misread(surface: &Tree, items: &[ReadItem], names: &Names) -> FxHashMap<NameId, &'static str> {
    let first = surface.bindings().iter().filter_map(|binding| {
        let advice = match names.text(binding.name) {
            "rec" => "`let rec f x` defines `rec`: there is no recursion; loops are written with build and ifold",
            "mutable" => "`let mutable x` defines `mutable`: names do not change; the state of a loop is that of ifold",
            _ => return None,
        };
        surface.parameters(binding.parameters).first().map(|parameter| (parameter.name, advice))
    });
    let in_items = items.iter().filter_map(|item| match item {
        ReadItem::Read(SurfaceItem::Expression(root)) => Some(*root),
        ReadItem::Read(SurfaceItem::Define(_)) | ReadItem::Refused(_) | ReadItem::Unreadable => None,
    });
    let behind_lets = surface.expressions().iter().filter_map(|expression| match *expression {
        Surface::Let(_, body) => Some(body),
        _ => None,
    });
    let in_bindings = surface.bindings().iter().map(|binding| binding.value);
    let equated = in_items.chain(behind_lets).chain(in_bindings).filter_map(|root| match surface.get(root) {
        Surface::Infix(Operator::Equal, left, ..) => match surface.get(left) {
            Surface::Name(name) => Some((name, "`x = e` compares; a definition is written let x = e")),
            _ => None,
        },
        _ => None,
    });
    equated.chain(first).collect()
}
