//! Compiled programs: from a task to code in the process.
//!
//! [`texts`] calls the code generators, [`prepared`] finds the object in the [`cache`] or has the toolchain make it, and
//! [`loaded`] is the result. [`doctor`] tries all of it out.

mod settings;
mod task;

mod texts;

pub mod cache;
mod loaded;
mod prepared;

pub mod doctor;

pub use loaded::Loaded;
pub use prepared::{Prepared, compile, loaded, prepare};
pub use settings::{Settings, SizePolicy};
pub use task::{Task, can_be_specialised, counting_for};
pub use texts::{Headers, generate};
