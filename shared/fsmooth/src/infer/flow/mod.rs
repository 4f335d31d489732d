//! Inference of kinds by the flow of values: which numbers are Index and which Double.
//!
//! [`instances`] goes through the definitions at the types at which they are used ([`monomorphic`]). [`walk`] finds the
//! inequalities between the [`kinds`] of one of them, and [`solve`] their least solution by reachability ([`reach`]).

pub mod instances;
pub mod kinds;
pub mod monomorphic;
pub mod reach;
pub mod solve;
pub mod walk;
