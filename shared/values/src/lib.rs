//! Run-time values: data, lifted reals, tags, vectors and capsules, without the operations of differentiation on them.
//!
//! The types refer to each other, so they are defined in one module, [`value`]; `drop` frees them in constant host stack. Modules
//! above them are [`tagged`], [`vector`] and [`capsule`] with their own operations, [`print`], [`equality`] and [`constants`]. [`lifted`] has the
//! reals with levels, [`reals`] arrays of them; [`fault`] the errors of a run before their place is known, [`watch`] the clock and
//! memory check, and [`allocation`] the memory that may be refused.

pub mod allocation;
pub mod capsule;
pub mod constants;
mod drop;
pub mod equality;
pub mod fault;
pub mod lifted;
pub mod print;
pub mod reals;
pub mod tagged;
pub mod value;
pub mod vector;
pub mod watch;

pub use lifted::{HOLE_LEVEL, Level, Lifted, Number, Part};
pub use reals::Reals;
pub use value::{
    Backpropagator, Bundle, Capsule, Elements, Pair, Points, Primals, Record, Skeleton, Slots, Tagged, Tagging,
    Tangent, Value, Vector, slot_values,
};
