//! An evaluator of core on reals of 96 digits, in which derivatives are difference quotients: an oracle of derivatives.
//!
//! It shares the front end with the engines and nothing else: no table of operations, no levels, no tapes. `(j* f x
//! x')` runs f at x + h x' and at x - h x', and `(*j f x y')` does so along each coordinate of x. Differences of
//! differences are as good as differences, since their truncation errors are smooth: each of them has a truncation error of
//! the order of h^2, and costs as many of the 320 bits as h has: 66, or 94 for the second of three that are nested. Points where
//! a procedure is not smooth are classified ([`limits`]), inside of others as well.
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
pub mod limits;
pub mod machine;
mod operations;
pub mod primitives;
pub mod refusal;
pub mod rounded;
pub mod rounding;
mod special;
pub mod value;
