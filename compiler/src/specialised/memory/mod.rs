//! Arrays, cells, records and storage code in C.
//!
//! | module | |
//! |---|---|
//! | [`on_arrays`] | statements on arrays |
//! | [`records`] | cells; pushes and pops of records, in rows where each iteration has one |
//! | [`storage`] | statements of storage code, with the release of memory |

pub mod on_arrays;
pub mod records;
pub mod storage;
