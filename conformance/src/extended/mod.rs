//! Core, evaluated on reals of 96 digits, where derivatives are difference quotients.
//!
//! An oracle that shares the front end with the engines and nothing else: no table of operations, no levels, no tapes.
//! `(j* f x x')` runs f at x + h x' and at x - h x', and `(*j f x y')` does so along each coordinate of x. Differences of
//! differences are as good as differences, since what they leave out is smooth: with h = 2^-66 each of them leaves out a part
//! of the order of h^2, and costs 66 of the 320 bits.
//!
//! Reals can be made to be off as doubles are ([`rounding`]), which tells how much of a difference between a derivative and a
//! quotient rounding alone explains.
//!
//! It follows the whole language but for what no difference quotient can mean: the number of steps (`primops`), suspended
//! computations (`interrupt`, `resume`), and input. It counts no steps. Recursion of the host goes as deep as operators of
//! differentiation are nested ([`machine::MOST_DIFFERENCES`]), and no deeper.

pub mod arithmetic;
pub mod difference;
pub mod jumps;
pub mod machine;
pub mod primitives;
pub mod rounding;
pub mod value;
