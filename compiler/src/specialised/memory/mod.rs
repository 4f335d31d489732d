//! Arrays, cells and storage code in C.
//!
//! | module | |
//! |---|---|
//! | [`on_arrays`], [`on_cells`] | statements on arrays and on cells, and the words of cells and records |
//! | [`storage`] | statements of storage code |
//! | [`releases`] | memory that is freed at the ends of calls and iterations |

pub mod on_arrays;
pub mod on_cells;
pub mod releases;
pub mod storage;
