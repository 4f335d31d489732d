//! The conditions that properties are made of.

/// Returns the message as an error unless the condition holds.
pub fn ensure(holds: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(message()) }
}
