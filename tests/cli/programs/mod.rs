//! Programs and their data: sources, inclusions, libraries, data files and output.

mod data;
mod inclusions;
mod json;
mod libraries;
mod running;
