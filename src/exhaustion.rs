//! What becomes of the process when the system gives no more memory, wherever that is noticed.
//!
//! Rust ends a process by SIGABRT then. Here it ends as by a limit of memory: with an error of that kind, after what was
//! printed. The thread that asked cannot go on and waits; a thread that watches ([`watch`]) tells the end, with memory that
//! is kept for that ([`Reserve`]). If nobody watches, or whoever does comes to no end, the thread that asked writes the error
//! itself, which takes no memory.
//!
//! A limit of memory is looked at from time to time, and a piece as large as [`LARGE`] is filled between two looks. So whoever
//! asks for one is stopped before, if it would take the process beyond the limit, and the watcher tells that.
//!
//! The C library asks for memory by itself when a thread begins, and ends the process if there is none. So some address space
//! is kept for it, too ([`Reservation`]), and given back at the first request that is not granted.
//!
//! Who can do without the memory ([`room::is_asked_for`]) is told that there is none, and goes on.

// Memory that is handed out is shared: the reserve is an unsafe cell; and the system is asked for address space itself.
#![allow(unsafe_code)]

use crate::ending::Ending;
use crate::memory;
use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, munmap};
use std::alloc::Layout;
use std::cell::{Cell, UnsafeCell};
use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;
use vlad_shared::room;

/// The bytes that are kept for telling the end. Nothing is resident of them until then.
const RESERVED: usize = 1 << 20;

/// The bytes of address space that are kept for the C library: for a thread and what it allocates when it begins.
const RESERVATION_SIZE: usize = 4 << 20;

/// The bytes from which on a piece is looked at before it is given.
pub const LARGE: usize = 4 << 20;

/// The time that a thread which gets no memory gives others to tell the end.
const LONGEST_WAIT: Duration = Duration::from_secs(2);

/// What is written where nobody watches.
const LAST_WORDS: &[u8] = b"error[memory]: the system gives no more memory\n";

/// The address space for the C library.
static RESERVATION: Reservation = Reservation(AtomicPtr::new(ptr::null_mut()));
/// The memory for whoever tells the end.
static RESERVE: Reserve = Reserve { bytes: UnsafeCell::new([0; RESERVED]), used: AtomicUsize::new(0) };

/// The resident memory over which the watcher acts.
static BOUND: AtomicU64 = AtomicU64::new(u64::MAX);
static IS_PASSED: AtomicBool = AtomicBool::new(false);
static IS_WATCHED: AtomicBool = AtomicBool::new(false);
static IS_NOTICED: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// Whether this thread tells the end.
    static TELLS: Cell<bool> = const { Cell::new(false) };
}

/// Takes it on to look, again and again, whether memory is exhausted, and to tell the end then: this thread gets what is
/// reserved.
pub fn watch() {
    tell();
    RESERVATION.make();
    IS_WATCHED.store(true, Ordering::Relaxed);
}

/// Has whoever asks for a large piece stopped if that would take the process beyond so much resident memory.
pub fn stop_at(bound: u64) {
    BOUND.store(bound, Ordering::Relaxed);
}

/// Whether somebody has been stopped for that.
pub fn is_passed() -> bool {
    IS_PASSED.load(Ordering::Relaxed)
}

/// Stops whoever asks for a large piece, of which so many bytes are filled at once, if that is too much.
#[cold]
pub fn before_large(bytes: usize) {
    let usage = memory::usage().unwrap_or(0);
    if usage.saturating_add(bytes as u64) > BOUND.load(Ordering::Relaxed) && IS_WATCHED.load(Ordering::Relaxed) {
        IS_PASSED.store(true, Ordering::Relaxed);
        // If the end has been told already, it comes anyway.
        thread::sleep(LONGEST_WAIT);
    }
}

/// Lets this thread tell the end with what is reserved.
pub fn tell() {
    TELLS.set(true);
}

/// Whether somebody has asked for memory in vain.
#[inline]
pub fn is_noticed() -> bool {
    IS_NOTICED.load(Ordering::Relaxed)
}

/// What an allocator answers when it has no memory: null to whoever can do without, reserved memory to whoever tells the
/// end; everybody else gets no answer.
#[cold]
pub fn answer(layout: Layout) -> *mut u8 {
    if room::is_asked_for() {
        return ptr::null_mut();
    }
    RESERVATION.give_back();
    IS_NOTICED.store(true, Ordering::Relaxed);
    if TELLS.get() {
        let place = RESERVE.take(layout);
        if !place.is_null() {
            return place;
        }
    } else if IS_WATCHED.load(Ordering::Relaxed) {
        thread::sleep(LONGEST_WAIT);
    }
    // Locks may be held by whoever waits as this thread does, so the error goes past all of them; what cannot be written
    // nobody hears.
    let _ = rustix::io::write(rustix::stdio::stderr(), LAST_WORDS);
    signal_hook::low_level::exit(i32::from(Ending::Failure.code()))
}

/// Whether a place is in what is reserved: then it is never freed.
pub fn is_reserved(place: *mut u8) -> bool {
    RESERVE.holds(place)
}

/// Address space that nobody uses; null if there is none.
struct Reservation(AtomicPtr<c_void>);

impl Reservation {
    /// Takes it from the system. Where there is none to be had, the C library has to do without.
    fn make(&self) {
        let (protection, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE | MapFlags::NORESERVE);
        // SAFETY: the system chooses a place where nothing is, and nobody reads or writes there.
        let mapped = unsafe { mmap_anonymous(ptr::null_mut(), RESERVATION_SIZE, protection, flags) };
        if let Ok(place) = mapped {
            self.0.store(place, Ordering::Relaxed);
        }
    }

    /// Gives it back, once.
    fn give_back(&self) {
        let place = self.0.swap(ptr::null_mut(), Ordering::Relaxed);
        if !place.is_null() {
            // SAFETY: this is the place that the system gave, with its length; the exchange sees to it that only one thread
            // gives it back, and nobody else knows it.
            let _ = unsafe { munmap(place, RESERVATION_SIZE) };
        }
    }
}

/// Memory that is handed out once.
#[repr(align(16))]
struct Reserve {
    bytes: UnsafeCell<[u8; RESERVED]>,
    used: AtomicUsize,
}

// SAFETY: nothing is read or written through the cell but by those who were given a part of it, each another one: `used`
// only grows, in one atomic operation per part.
unsafe impl Sync for Reserve {}

impl Reserve {
    /// A part, if there is enough left; zero where nobody was before, which is everywhere.
    fn take(&self, layout: Layout) -> *mut u8 {
        let begun = self.bytes.get().cast::<u8>();
        let place = |used: usize| {
            let padding = begun.wrapping_add(used).align_offset(layout.align());
            used.checked_add(padding)
        };
        let taken = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
            place(used)?.checked_add(layout.size()).filter(|end| *end <= RESERVED)
        });
        taken.ok().and_then(place).map_or(ptr::null_mut(), |offset| begun.wrapping_add(offset))
    }

    fn holds(&self, place: *mut u8) -> bool {
        let begun = self.bytes.get().cast::<u8>() as usize;
        (begun..begun + RESERVED).contains(&(place as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_the_reserve_do_not_meet() {
        let reserve = Reserve { bytes: UnsafeCell::new([0; RESERVED]), used: AtomicUsize::new(0) };
        let mut end = 0;
        for (size, align) in [(1, 1), (8, 8), (100, 64), (3, 2), (16, 16)] {
            let place = reserve.take(Layout::from_size_align(size, align).unwrap());
            assert!(reserve.holds(place) && (place as usize).is_multiple_of(align) && place as usize >= end);
            end = place as usize + size;
        }
        assert!(reserve.take(Layout::from_size_align(RESERVED, 1).unwrap()).is_null());
        assert!(!reserve.holds(ptr::null_mut()) && !reserve.holds((&raw const end).cast_mut().cast()));
    }
}
