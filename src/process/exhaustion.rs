//! Exhausted memory: the process ends with an error when the system grants no more, wherever an allocation fails.
//!
//! Rust would abort the process (SIGABRT). Here it ends as at a memory limit: with an error of that kind, after the
//! printed output. The failing thread cannot continue and waits. A watching thread ([`watch`]) reports the end, with
//! memory that is reserved for the report ([`Reserve`]). If no thread watches, or the watching thread does not finish,
//! the failing thread writes the error itself without an allocation.
//!
//! A memory limit is checked periodically, but an allocation of [`room::LARGE`] bytes or more can be filled between two
//! checks. So a large allocation beyond the limit is not made: its thread waits while the watching thread reports the
//! limit.
//!
//! The C library allocates memory when a thread starts, and ends the process if there is none. So some address space is
//! reserved for it ([`Reservation`]), and released at the first failing allocation. The allocator also reserves address
//! space, hundreds of megabytes if possible, at its first allocation, which precedes `main`. So our reservation is made
//! when the process is loaded. It is first released for the watching thread ([`make_way`]), or earlier if the allocator
//! has left too little address space for its own tables ([`has_made_way`]). The runtimes of C and Rust map memory
//! before `main`, like the stack for signal handlers. Room for it is kept from the allocator as well ([`START`]), since
//! the Rust runtime would abort the process without it.
//!
//! A fallible allocation ([`room::is_asked_for`]) gets null, and its thread continues.

// The reserve is an unsafe cell, since the memory in it is shared; address space is mapped directly.
#![allow(unsafe_code)]

use super::exit::Exit;
use super::memory;
use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, munmap};
use std::alloc::Layout;
use std::cell::{Cell, UnsafeCell};
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;
use std::{hint, ptr, thread};
use vlad_shared::values::allocation as room;

/// The size of the reserve for reporting the end. None of it is resident until then.
const RESERVED: usize = 1 << 20;

/// The address space that is reserved for the C library, for threads and their allocations when they start, and the
/// smaller sizes that are tried where there is less.
const RESERVATION_SIZES: [usize; 3] = [8 << 20, 6 << 20, 4 << 20];

/// The address space that the allocator leaves for the start of the process: a stack for handlers of signals takes some
/// tens of kilobytes, the first allocation of the C library 132.
const START: usize = 256 << 10;

/// A size that divides those of all pages.
const SMALLEST_PAGE: usize = 4096;

/// The time that a thread whose allocation failed waits for another thread to report the end.
const LONGEST_WAIT: Duration = Duration::from_secs(2);

/// The error that is written if no thread watches.
const LAST_WORDS: &[u8] = b"error[memory]: the system gives no more memory\n";

/// The address space for the C library.
static RESERVATION: Reservation = Reservation(AtomicPtr::new(ptr::null_mut()));
/// The memory for threads that report the end.
static RESERVE: Reserve = Reserve { bytes: UnsafeCell::new([0; RESERVED]), used: AtomicUsize::new(0) };

/// The resident memory above which the watching thread acts.
static BOUND: AtomicU64 = AtomicU64::new(u64::MAX);
static IS_PASSED: AtomicBool = AtomicBool::new(false);
static IS_WATCHED: AtomicBool = AtomicBool::new(false);
static IS_NOTICED: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// True if this thread reports the end.
    static TELLS: Cell<bool> = const { Cell::new(false) };
}

/// Reserves the address space before anything is allocated, and has the allocator reserve its own.
#[cfg(target_os = "linux")]
extern "C" fn reserve_first() {
    RESERVATION.make();
    let start = map(START);
    drop(hint::black_box(Box::new(0_u8)));
    if let Some(place) = start {
        // SAFETY: this is the place that has just been mapped, with its length, and no other code has its address.
        unsafe { unmap(place, START) };
    }
}

// SAFETY: the system calls the functions of this section when it loads the process. This one needs nothing that is
// initialised later: it maps address space, stores where, and allocates with an allocator that initialises itself.
#[cfg(target_os = "linux")]
#[used]
#[unsafe(link_section = ".init_array")]
static RESERVE_FIRST: extern "C" fn() = reserve_first;

/// Releases the reserved address space, for the thread that is about to watch and reserves it again.
pub fn make_way() {
    RESERVATION.give_back();
}

/// Returns true if there is more address space than when an allocation failed, so that it may succeed now: no thread
/// watches yet, and what was reserved has been released.
#[cold]
pub fn has_made_way() -> bool {
    !IS_WATCHED.load(Ordering::Relaxed) && RESERVATION.give_back()
}

/// Makes the calling thread the one that checks periodically for exhausted memory and then reports the end; it may use
/// the reserve.
pub fn watch() {
    tell();
    IS_WATCHED.store(true, Ordering::Relaxed);
    RESERVATION.make();
}

/// Stops large allocations that would take the resident memory beyond `bound`.
pub fn stop_at(bound: u64) {
    BOUND.store(bound, Ordering::Relaxed);
}

/// Returns true if an allocation has been stopped for that reason.
pub fn is_limit_exceeded() -> bool {
    IS_PASSED.load(Ordering::Relaxed)
}

/// Stops a large allocation if filling `bytes` of it at once would exceed the bound, except for a thread that reports the end.
#[cold]
pub fn check_large(bytes: usize) {
    if TELLS.get() {
        return;
    }
    let usage = memory::usage().unwrap_or(0);
    if usage.saturating_add(bytes as u64) > BOUND.load(Ordering::Relaxed) && IS_WATCHED.load(Ordering::Relaxed) {
        IS_PASSED.store(true, Ordering::Relaxed);
        // If the end has already been reported, the process ends during this wait.
        thread::sleep(LONGEST_WAIT);
    }
}

/// Marks the calling thread as one that reports the end: it may use the reserve.
pub fn tell() {
    TELLS.set(true);
}

/// Returns true if an allocation has failed.
#[inline]
pub fn is_exhausted() -> bool {
    IS_NOTICED.load(Ordering::Relaxed)
}

/// Returns the result of an allocation that the system refuses: null for a fallible allocation, part of the reserve for
/// a thread that reports the end. Otherwise it does not return.
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
    // Waiting threads may hold locks, so the error is written directly. If that fails, there is no other place to
    // report it.
    let _ = rustix::io::write(rustix::stdio::stderr(), LAST_WORDS);
    signal_hook::low_level::exit(i32::from(Exit::Failure.code()))
}

/// Returns true if a place is in the reserve; then it is never freed.
pub fn is_reserved(place: *mut u8) -> bool {
    RESERVE.holds(place)
}

/// Address space that is mapped and not used: its place, which is the start of a page, plus the number of its size in
/// [`RESERVATION_SIZES`]; null if there is none.
struct Reservation(AtomicPtr<c_void>);

impl Reservation {
    /// Maps the address space. If that fails, the C library has no reserve.
    fn make(&self) {
        for (number, size) in RESERVATION_SIZES.into_iter().enumerate() {
            if let Some(place) = map(size) {
                self.0.store(place.wrapping_byte_add(number), Ordering::Relaxed);
                return;
            }
        }
    }

    /// Unmaps the address space, once; returns true if there was some.
    fn give_back(&self) -> bool {
        let numbered = self.0.swap(ptr::null_mut(), Ordering::Relaxed);
        let number = numbered.addr() % SMALLEST_PAGE;
        let size = RESERVATION_SIZES.get(number).filter(|_| !numbered.is_null());
        // SAFETY: this is the place that was mapped, with its length; because of the exchange only one thread unmaps it,
        // and no other code has its address.
        size.is_some_and(|size| unsafe { unmap(numbered.wrapping_byte_sub(number), *size) })
    }
}

/// Maps address space of a size in bytes, none of it resident; returns its place.
fn map(size: usize) -> Option<*mut c_void> {
    let (protection, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE | MapFlags::NORESERVE);
    // SAFETY: the system chooses an unused place, and the process neither reads nor writes there.
    unsafe { mmap_anonymous(ptr::null_mut(), size, protection, flags) }.ok()
}

/// Unmaps address space; returns true if that succeeds.
///
/// # Safety
///
/// The place is one that [`map`] returned for this size, and nothing uses it.
unsafe fn unmap(place: *mut c_void, size: usize) -> bool {
    // SAFETY: the caller guarantees it.
    unsafe { munmap(place, size) }.is_ok()
}

/// Memory of which each part is given out at most once.
#[repr(align(16))]
struct Reserve {
    bytes: UnsafeCell<[u8; RESERVED]>,
    used: AtomicUsize,
}

// SAFETY: only the receiver of a part reads or writes it through the cell, and parts are disjoint: `used` only grows,
// by one atomic operation for each part.
unsafe impl Sync for Reserve {}

impl Reserve {
    /// Returns a part, or null if there is not enough left. The part is zero, since none is given out twice.
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
