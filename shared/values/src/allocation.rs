//! Fallible allocation: room for one more element in a list that may be very long, which the system may refuse.
//!
//! Most data structures cannot continue without memory. For them a failed allocation is final: the command's allocator
//! reports it and ends the process, except where [`is_asked_for`] says that the caller handles the refusal. A vector of
//! the language does: its program ends with an error at its source position.

use std::cell::Cell;

/// The size from which memory is checked against the memory limit before it is filled: so much can be filled between two
/// periodic checks.
pub const LARGE: usize = 4 << 20;

thread_local! {
    /// True while this thread asks for memory that it can do without.
    static ASKED_FOR: Cell<bool> = const { Cell::new(false) };
}

/// Reserves memory for one more element; returns false if the system refuses it.
#[inline]
pub fn for_one_more<T>(list: &mut Vec<T>) -> bool {
    list.len() < list.capacity() || ask(list)
}

/// Returns the bytes that [`for_one_more`] may move to another place, where they need as much memory again.
#[inline]
pub fn moved_for_one_more<T>(list: &Vec<T>) -> usize {
    if list.len() < list.capacity() { 0 } else { size_of_val(list.as_slice()) }
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
            assert!(moved_for_one_more(&list) == 0 || list.len() == list.capacity());
            assert!(for_one_more(&mut list) && list.capacity() > list.len());
            assert_eq!(moved_for_one_more(&list), 0);
            list.push(number);
        }
        assert!(!is_asked_for());
    }
}
