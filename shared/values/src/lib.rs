//! Run-time values: data, lifted reals, tags, vectors and capsules, without the operations of differentiation on them.
//!
//! - [`value`]: the types, in one module since they refer to each other; `drop` frees them in constant host stack;
//! - [`tagged`], [`vector`], [`capsule`]: operations on these values; [`text`]: printing; [`equality`], [`constants`];
//! - [`lifted`]: reals with levels; [`reals`]: arrays of them;
//! - [`fault`]: run-time errors before their place is known; [`watch`]: the limit check; [`allocation`]: fallible
//!   allocation.

pub mod allocation;
pub mod capsule;
pub mod constants;
mod drop;
pub mod equality;
pub mod fault;
pub mod lifted;
pub mod reals;
pub mod tagged;
pub mod text;
pub mod value;
pub mod vector;
pub mod watch;

pub use lifted::{HOLE_LEVEL, Level, LevelPart, Lifted, Number};
pub use reals::Reals;
pub use text::{line, literals, print, row, template};
pub use value::{
    Backpropagator, Bundle, Capsule, Elements, Pair, Points, Primals, Record, Skeleton, Slots, Tagged, Tagging,
    Tangent, Value, Vector, slot_values,
};
