//! The prelude: procedures of the language that are written in it.
//!
//! It is loaded with every program, as a file named `<prelude>`, and is definitions of lambdas only, so that its
//! procedures need no step to have their values.

/// The name that diagnostics give it.
pub const NAME: &str = "<prelude>";

/// The definitions that stand first in it, and do as one operator does whose iterations are steps (report, part 18): of their
/// nodes the applications of a parameter alone count.
pub const FRAME_MACHINES: [&str; 2] = ["build", "ifold"];

/// The definitions that call themselves for the elements that are left, and wait for that, so that pending calls tell which
/// element it is that they are at.
pub const RECURSIVE: [&str; 6] = ["map", "map2", "map-n", "v+", "v-", "k*v"];

/// What an application is of a procedure for two lists or vectors, if it is written with more: Scheme's procedures of these
/// names take any number.
#[derive(Clone, Copy, Debug)]
pub enum OfSeveral {
    /// `(p a b c)` is `(p a (p b c))`.
    Nested,
    /// `(p f a b c)` is `(q f a (q cons b c))`, q the procedure of that name.
    Paired(&'static str),
    /// `(p f a b c)` is `(p f (q cons a (q cons b c)))`.
    PairedBefore(&'static str),
}

/// What an application of a procedure of the prelude, or of a library, is that is written with more operands than two.
pub fn of_several(name: &str) -> Option<OfSeveral> {
    match name {
        "append" | "vector-append" => Some(OfSeveral::Nested),
        "map" => Some(OfSeveral::Paired("map2")),
        "vector-map" => Some(OfSeveral::Paired("vector-map2")),
        "for-each" | "every" | "any" => Some(OfSeveral::PairedBefore("map2")),
        _ => None,
    }
}

/// Its text.
pub const TEXT: &str = include_str!("prelude.vlad");
