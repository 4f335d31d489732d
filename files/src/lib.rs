//! The files that the project makes while it runs: capsules, pictures, reports, findings, rewritten programs, executables,
//! cache entries, and the private folders in which compilers work; and the other programs that it runs.
//!
//! | module | contents |
//! |---|---|
//! | [`draft`] | a file that replaces another one atomically: readers see the old contents or the new ones |
//! | [`elf`] | executables, as far as they are copied |
//! | [`output`] | the same for a path that a user gives, which may also be a terminal or a pipe |
//! | [`private`] | a folder that only the user may enter, removed with its contents |
//! | [`ending`] | the names of partial files, and the termination of the process, which removes them |
//! | [`process`] | the execution of another program within bounds |
//!
//! Invariants: a file has no name until it is complete, on systems with nameless files (`O_TMPFILE`). If it needs a
//! name before that, for a moment or for longer, [`ending`] records the name, and [`ending::leave`] removes the file.
//! After that no file gets a name.

pub mod draft;
pub mod elf;
pub mod ending;
pub mod output;
pub mod private;
pub mod process;
