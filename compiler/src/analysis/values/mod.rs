//! Abstract values, and the reasons for which a program has none.

pub mod domain;
pub mod reason;
pub(super) mod shape;
pub(super) mod value;
