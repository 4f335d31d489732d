//! The names and forms that other languages have for functions of the language.

use crate::builtins::Builtin;
use crate::syntax::reader::ReadItem;
use crate::syntax::tree::{Surface, SurfaceId, SurfaceItem, Tree};
use crate::syntax::words::LOOPS;
use rustc_hash::FxHashMap;
use vlad_core::source::Span;
use vlad_language::names::NameId;
use vlad_table::primitives::Comparison;

/// Returns advice for a name that other languages have.
pub(super) fn foreign(text: &str) -> Option<&'static str> {
    Some(match text {
        "ln" => "the natural logarithm is called log",
        "pow" | "expt" => "a power is written a ** b",
        "map" => "the library has vectorMap v f",
        "sum" => "the library has vectorSum v",
        "zip" => "the library has vectorZip v w",
        "range" | "iota" | "arange" => "the library has vectorRange n",
        "zeros" => "the library has vectorZeros n and matrixZeros r c",
        "len" | "size" => "the number of elements is length v",
        "vectorAppend" | "matrixAppend" | "concat" | "concatenate" | "push" => "arrays are joined by append v w",
        "print" | "printf" | "printfn" | "println" | "trace" | "display" | "show" | "echo" => {
            "a value is printed by write e, whose value is that of e"
        }
        "random" | "rand" | "randn" | "rnd" => {
            "the library has randomReal and others, which take a state and make a pair of a number and the next state"
        }
        "mod" => "the remainder is written modulo a b",
        "div" => "the whole part of a quotient is quotient a b",
        "True" | "False" => "the booleans are true and false",
        "begin" | "end" => "grouping is written with ( )",
        "return" => "the value of a function is that of its last expression",
        "for" | "while" | "do" | "done" => LOOPS,
        "elif" => "a further condition is written else if e then e",
        "match" | "with" => "cases are written if e then e else e, and a pair is taken apart by let (a, b) = e",
        "lambda" | "function" | "def" => "a function is written fun x -> e, a definition let f x = e",
        "where" => "names are bound before they are used: let x = e in e",
        "ref" | "mutable" | "var" => "nothing changes: the state of a loop is that of ifold",
        "import" | "open" | "module" | "namespace" => "a program is one text, which sees the library of the language",
        "type" | "struct" | "class" => {
            "types are not declared; they are made of Double, Index, Bool, Array<T> and T * U"
        }
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

/// Returns the place of `=` in an item that is `v[i] = e`: it compares, and is probably meant as an assignment.
pub(super) fn assignment(surface: &Tree, root: SurfaceId) -> Option<Span> {
    let Surface::Infix(Builtin::Compare(Comparison::Equal), left, _, symbol) = surface.get(root) else { return None };
    let is_element = matches!(surface.get(left), Surface::Index(..));
    let is_in_parentheses = surface.span(root).start < surface.span(left).start;
    (is_element && !is_in_parentheses && symbol.end - symbol.start == 1).then_some(symbol)
}

/// Returns the names that stand on the left sides of equations where a definition may be meant, with advice, which is given if they have
/// no meaning.
pub(super) fn misread(surface: &Tree, items: &[ReadItem]) -> FxHashMap<NameId, &'static str> {
    let in_items = items.iter().filter_map(|item| match item {
        ReadItem::Read(SurfaceItem::Expression(root)) => Some(*root),
        ReadItem::Read(SurfaceItem::Define(_)) | ReadItem::Refused(_) | ReadItem::Unreadable => None,
    });
    let behind_lets = surface.expressions.iter().filter_map(|(expression, _)| match *expression {
        Surface::Let(_, body) => Some(body),
        _ => None,
    });
    let in_bindings = surface.bindings.iter().map(|binding| binding.value);
    let equated = in_items.chain(behind_lets).chain(in_bindings).filter_map(|root| match surface.get(root) {
        Surface::Infix(Builtin::Compare(Comparison::Equal), left, ..) => match surface.get(left) {
            Surface::Name(name) => Some((name, "`x = e` compares; a definition is written let x = e")),
            _ => None,
        },
        _ => None,
    });
    equated.collect()
}
