//! Derivatives of procedures at points, as data: what `vlad derive`, `vlad gradcheck` and their relatives compute, and the
//! oracle that checks it.
//!
//! - [`appended`]: calls of procedures of a program, appended to it, at points that a user gives;
//! - [`derive`]: derivatives, Jacobians, Hessians and series by calls of `j*` and `*j`;
//! - [`extended`]: the language on reals of 96 digits, for difference quotients, which use no rule of differentiation;
//! - [`gradcheck`]: derivatives by every mode, compared with those quotients;
//! - [`numbers`]: pseudo-random numbers.
//!
//! Only `appended` runs engines; `extended` shares with them the core of a program alone.

pub mod appended;
pub mod derive;
pub mod extended;
pub mod gradcheck;
pub mod numbers;
