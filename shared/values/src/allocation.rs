//! Fallible allocation: room for one more element in a list that may be very long, which the system may refuse.
//!
//! Most data structures cannot continue without memory. For them a failed allocation is final: the command's allocator
//! reports it and ends the process, except where [`is_asked_for`] says that the caller handles the refusal. A vector of
//! the language does: its program ends with an error at its source position.

use std::cell::Cell;

thread_local! {
    /// True while this thread asks for memory that it can do without.
    static ASKED_FOR: Cell<bool> = const { Cell::new(false) };
}

/// Reserves memory for one more element; returns false if the system refuses it.
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

/// Returns true while this thread asks for memory that it can do without; queried by an allocator that has none.
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
