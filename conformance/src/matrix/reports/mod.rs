//! The forms of a table: text, JSON and JUnit, and the annotations of a forge; and reports of shards, merged.

pub mod github;
pub mod json;
pub mod junit;
pub mod merge;
pub mod text;
