//! Room for one thing more in a list that may be very long: the system may refuse it.
//!
//! Most of what grows cannot go on without memory; there the allocator's answer is final, and the command has an allocator
//! that tells the end ([`is_asked_for`] says when it must not). A vector of the language can: its program ends with an error
//! that knows its place.

use std::cell::Cell;

thread_local! {
    /// Whether this thread asks for memory that it can do without.
    static ASKED_FOR: Cell<bool> = const { Cell::new(false) };
}

/// Makes room for one more; false if the system gives no memory.
#[inline]
pub fn for_one_more<T>(list: &mut Vec<T>) -> bool {
    list.len() < list.capacity() || ask(list)
}

#[cold]
fn ask<T>(list: &mut Vec<T>) -> bool {
    ASKED_FOR.set(true);
    let given = list.try_reserve(1).is_ok();
    ASKED_FOR.set(false);
    given
}

/// Whether this thread is asking for memory that it can do without: for an allocator that has none.
pub fn is_asked_for() -> bool {
    ASKED_FOR.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_made_where_there_is_none() {
        let mut list: Vec<u8> = Vec::new();
        for number in 0..100 {
            assert!(for_one_more(&mut list) && list.capacity() > list.len());
            list.push(number);
        }
        assert!(!is_asked_for());
    }
}
