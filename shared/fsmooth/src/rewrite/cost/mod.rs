//! Costs: the prices by which moves are chosen and results judged, and the bounds on what rewriting makes.
//!
//! [`prices`] has the price of each construct; [`work`] is a coarse view of the prices. [`estimate`] has the steps and the work of a term
//! for given sizes, and [`judge`] compares two forms of a definition by estimates. [`allowance`] bounds the expressions that are added.

pub mod allowance;
pub mod estimate;
pub mod judge;
pub mod prices;
pub mod work;

use crate::typed::ExpressionId;
use rustc_hash::FxHashSet;

/// The branches on the assumptions of definitions that have been rewritten, whose conditions hold as a rule.
pub type Guards = FxHashSet<ExpressionId>;
