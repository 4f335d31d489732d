//! The `vlad` command.
fn main() {}
