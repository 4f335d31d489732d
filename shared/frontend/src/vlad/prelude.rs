//! The prelude: procedures of the language that are written in the language.
//!
//! It is loaded with every program, as a file named `<prelude>`. It consists of definitions of lambdas only, so its
//! procedures are bound without a step.

/// The name that diagnostics give it.
pub const NAME: &str = "<prelude>";

/// The loop procedures: the first definitions of the prelude, each of which behaves like one operator whose iterations
/// are steps (report, part 18). Of their nodes, the applications of a parameter alone are steps.
pub const LOOP_PROCEDURES: [&str; 2] = ["build", "ifold"];

/// The recursive definitions that await their call for the remaining elements, so that the pending calls give the index
/// of the element at which an error arose.
pub const RECURSIVE: [&str; 6] = ["map", "map2", "map-n", "v+", "v-", "k*v"];

/// The rewriting of an application of a procedure for two lists or vectors that is written with more operands: Scheme's
/// procedures of these names take any number.
#[derive(Clone, Copy, Debug)]
pub enum VariadicRewrite {
    /// `(p a b c)` is `(p a (p b c))`.
    Nested,
    /// `(p f a b c)` is `(q f a (q cons b c))`, q the procedure of that name.
    Paired(&'static str),
    /// `(p f a b c)` is `(p f (q cons a (q cons b c)))`.
    PairedBefore(&'static str),
}

/// Returns the rewriting for a procedure of the prelude, or of a library, that is applied to more operands than two.
pub fn variadic_rewrite(name: &str) -> Option<VariadicRewrite> {
    match name {
        "append" | "vector-append" => Some(VariadicRewrite::Nested),
        "map" => Some(VariadicRewrite::Paired("map2")),
        "vector-map" => Some(VariadicRewrite::Paired("vector-map2")),
        "for-each" | "every" | "any" => Some(VariadicRewrite::PairedBefore("map2")),
        _ => None,
    }
}

/// Its text.
pub const TEXT: &str = include_str!("prelude.vlad");
