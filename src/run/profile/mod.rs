//! The profile of a run: the costs of the operators that call procedures.
//!
//! Engines report the facts about operators that are the same in all of them: place, number of steps, actions
//! (`Host::observe`). [`recorder`] adds them up, with time and memory, which are measured here; [`report`] makes the table, the
//! object and the picture.

mod meter;
mod trace;

mod recorder;

mod object;
mod picture;
mod table;

mod report;

pub use object::PROFILE_FORM;
pub use recorder::Recorder;
pub use report::ProfileRequest;
