//! Inference of shapes by unification, in the order of the items: the type of each expression without the kinds of its numbers.
//!
//! [`rules`] gives each construct the shapes of its parts, with [`signatures`] for the functions of the language. Definitions are
//! generalised. Derivatives relate shapes that are not known yet ([`relations`]). [`errors`] are told with both places.

mod errors;
pub mod relations;
pub mod rules;
pub mod shape_text;
pub mod shapes;
mod signatures;
pub mod state;
