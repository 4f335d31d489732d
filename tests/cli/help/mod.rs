//! Help: commands that are not understood, completions and manual pages.

mod manual;
mod usage;
