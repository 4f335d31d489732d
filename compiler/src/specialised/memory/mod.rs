//! Arrays, cells, records and storage code in C.
//!
//! | module | |
//! |---|---|
//! | [`on_arrays`], [`on_cells`] | statements on arrays and on cells, and the words of cells and records |
//! | [`records`] | pushes and pops of records, in rows where each iteration has one |
//! | [`storage`], [`kept`] | statements of storage code; what stays when memory is released |

pub mod kept;
pub mod on_arrays;
pub mod on_cells;
pub mod records;
pub mod storage;
