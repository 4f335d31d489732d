//! Storage code: first-order code that says where its arrays are, which numbers are integers, and how its loops go through them.
//! It is the last form of a unit before C, which `crate::specialised` prints.
//!
//! It is first-order code with one more kind, `Kind::Integer`, and the statements of [`Storage`](crate::Storage). They are
//! made here alone: passes before this stage meet none of them.
//!
//! | module | |
//! |---|---|
//! | [`placement`], [`destinations`], [`buffers`], [`in_place`], [`rows`], [`known_length`] | the memory in which each array is made |
//! | [`memory`], [`escapes`] | the functions and loops that allocate and free memory; arrays that nothing else refers to |
//! | [`patterns`] | bodies of builds, and loops behind them, that are made otherwise than element by element |
//! | [`builds`] | builds become allocations and loops that set elements |
//! | [`affine`] | multiples of an index plus what is known outside |
//!
//! Invariants are those of first-order code, except that arrays change: an array is `Storage::Allocate`d, and its elements are
//! set by `Statement::Store`. Only a loop, a store to an array of its own or `Storage::Fill` stands between an allocation
//! and the first use of an array elsewhere.

pub mod affine;
pub mod buffers;
pub mod builds;
pub mod counts;
pub mod destinations;
pub mod early_marks;
pub mod escapes;
pub mod failures;
pub mod fast_path;
pub mod in_place;
pub mod known_length;
pub mod memory;
pub mod patterns;
pub mod placement;
pub mod rows;
pub mod unrolling;
