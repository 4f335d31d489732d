//! The rules that make normal forms: a rule replaces a term wherever it applies.
//!
//! Most rules are rows of one [`table`], in a [`notation`] for terms, and [`matching`] applies one.
//! The other rules are code, and are tried in this order: the fate of a `let` ([`lets`]), rules about any operand ([`structural`]), short
//! loops ([`unrolling`]), selections ([`selection`]) and loops over pairs ([`fission`]); behind the table, [`quotients`] and [`unswitch`].

pub mod fission;
pub mod lets;
pub mod matching;
pub mod notation;
pub mod quotients;
pub mod selection;
pub mod structural;
pub mod table;
pub mod unrolling;
pub mod unswitch;

pub use table::{CONSTANT_STEP, Class, Condition, Rule, rules};

use crate::typed::ExpressionId;

/// The name of a rule that applies to an expression, and the term that replaces it.
pub type Named = (&'static str, ExpressionId);
