//! Steps, pending calls and depth: what they cost, and the limits on them.

mod costs;
mod depth;
mod nesting;
mod steps;
