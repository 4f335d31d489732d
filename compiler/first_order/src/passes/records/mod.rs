//! The records of reverse sweeps: which values they have, and in which places. For code without levels.
//!
//! | pass | postcondition |
//! |---|---|
//! | [`shared_fields`] | no value is recorded twice, and none that is not read |
//! | [`derived_fields`] | no operation of a sweep whose value its record has |
//! | [`whole_cells`] | no two places that never have values at once, or that are parts of one cell |

pub mod derived_fields;
pub mod shared_fields;
pub mod whole_cells;
