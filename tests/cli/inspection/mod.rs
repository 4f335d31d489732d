//! Commands that show programs and their costs.

mod check_and_show;
mod explanation;
mod plot;
mod profile;
mod trace;
