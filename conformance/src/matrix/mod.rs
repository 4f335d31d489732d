//! The matrix of programs and engines: every file on every column, in parallel, with the results as text, JSON or
//! JUnit, or as annotations of a forge.
//!
//! ```text
//! paths --find--> files --plan--> entries --work--> rows of cells --known--> the same --text|json|junit|github--> a report
//! reports of shards --merge--> rows of cells
//! ```
//!
//! A column is an engine of the project or an external implementation ([`external`]). A cell reports whether the column
//! meets the file's expectations; besides, the engines of a row are compared with each other to the last bit
//! ([`vlad_engines::agreement`]). A file without expectations is only compared.
//!
//! Invariant: the order of rows is that of their paths and the order of cells that of the columns, however the work is
//! distributed. A program that crashes its engine affects one cell.

pub mod bundled;
mod cell;
mod command;
pub mod external;
pub mod find;
pub mod findings;
pub mod known;
mod plan;
mod recorder;
pub mod reports;
mod requirements;
mod table;
pub mod work;

pub use cell::{Cell, Verdict};
pub use plan::{Expectations, Plan, Programs};
pub use table::{Column, Counts, ExpectationKind, FileResults, Status, Table};
