//! An evaluator of core on reals of 96 digits, in which derivatives are difference quotients: an oracle of derivatives.
//!
//! It shares the front end with the engines and nothing else: no table of operations, no levels, no tapes. `(j* f x
//! x')` runs f at x + h x' and at x - h x', and `(*j f x y')` does so along each coordinate of x. Differences of
//! differences are as good as differences, since their truncation errors are smooth: with h = 2^-66 each of them has a
//! truncation error of the order of h^2, and costs 66 of the 320 bits.
//!
//! Reals can be perturbed by the rounding errors of doubles ([`rounding`]), which shows how much of a difference
//! between a derivative and a quotient rounding alone explains.
//!
//! The evaluator covers the whole language except for the constructs that no difference quotient can define: the number
//! of steps (`primops`), suspended computations (`interrupt`, `resume`), and input. It counts no steps. Recursion on
//! the host's stack is as deep as operators of differentiation are nested ([`refusal::MOST_DIFFERENCES`]), and no
//! deeper.

pub mod arithmetic;
pub mod difference;
pub mod jumps;
pub mod machine;
mod operations;
pub mod primitives;
pub mod refusal;
pub mod rounded;
pub mod rounding;
mod special;
pub mod value;
