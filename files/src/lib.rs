//! Every file that the project makes while it runs: capsules, pictures, reports, findings, rewritten programs, entries of the
//! cache, and the private folders in which compilers work.
//!
//! | module | contents |
//! |---|---|
//! | [`draft`] | a file that takes the place of another one as a whole: old contents or new ones |
//! | [`output`] | the same for a path that a user gives, which may also be a terminal or a pipe |
//! | [`private`] | a folder that nobody else may enter, removed with all that is in it |
//! | [`ending`] | the names of what is unfinished, and the end of the process, which removes them |
//!
//! Invariants: a file has no name until it is whole, where the system has such files (`O_TMPFILE`); where a name is needed for
//! a moment, or for longer, [`ending`] knows it, and [`ending::leave`] removes it. After that nothing gets a name.

pub mod draft;
pub mod ending;
pub mod output;
pub mod private;
