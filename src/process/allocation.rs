//! The global allocator of the command. It counts the bytes that are allocated while a program is profiled, and ends
//! the process in an orderly way when memory is exhausted ([`crate::process::exhaustion`]).
//!
//! Programs allocate pairs and procedures by the million, mostly short-lived ones, so the allocator is mimalloc. It
//! does not report how many bytes are allocated, and a profile needs that number exactly, so a layer around it counts
//! on request. Without that request, the layer costs a test of a flag that never changes.

// `GlobalAlloc` is an unsafe trait.
#![allow(unsafe_code)]

use super::exhaustion;
use mimalloc::MiMalloc;
use std::alloc::{GlobalAlloc, Layout};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use vlad_shared::values::allocation::LARGE;

/// The allocator, with its counts.
pub struct Counting {
    is_counting: AtomicBool,
    /// The bytes allocated since counting began, less those freed since: negative if more of the older memory has been
    /// freed.
    live: AtomicI64,
    most: AtomicI64,
}

#[global_allocator]
static ALLOCATOR: Counting =
    Counting { is_counting: AtomicBool::new(false), live: AtomicI64::new(0), most: AtomicI64::new(0) };

/// Starts counting.
pub fn count() {
    ALLOCATOR.is_counting.store(true, Ordering::Relaxed);
}

/// Runs `work` without counting its allocations, which must be freed by `work` or by other uncounted work.
pub fn uncounted<T>(work: impl FnOnce() -> T) -> T {
    let is_counting = ALLOCATOR.is_counting.swap(false, Ordering::Relaxed);
    let done = work();
    ALLOCATOR.is_counting.store(is_counting, Ordering::Relaxed);
    done
}

/// Returns the bytes allocated beyond those before counting began.
pub fn live() -> i64 {
    ALLOCATOR.live.load(Ordering::Relaxed)
}

/// Returns the maximum of [`live`] since the last call.
pub fn take_peak() -> i64 {
    ALLOCATOR.most.swap(live(), Ordering::Relaxed)
}

impl Counting {
    #[inline]
    fn note(&self, taken: usize, given: usize) {
        if self.is_counting.load(Ordering::Relaxed) {
            self.add(taken as i64 - given as i64);
        }
    }

    #[cold]
    fn add(&self, bytes: i64) {
        let live = self.live.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.most.fetch_max(live, Ordering::Relaxed);
    }
}

// SAFETY: every method is that of mimalloc, with the same arguments and the same result - or, where mimalloc has no
// memory, memory from the reserve, which is never passed to mimalloc. The counts do not affect any memory. Two things
// make it worth it: checkpointing is about the memory that a procedure keeps alive, while the resident memory that the
// system reports counts pages that have been touched; and a run that exhausts memory ends as the report requires.
unsafe impl GlobalAlloc for Counting {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.note(layout.size(), 0);
        if layout.size() >= LARGE {
            exhaustion::check_large(layout.size());
        }
        // SAFETY: the caller guarantees the precondition of mimalloc.
        given(|| unsafe { MiMalloc.alloc(layout) }, layout)
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        self.note(layout.size(), 0);
        // SAFETY: as above.
        given(|| unsafe { MiMalloc.alloc_zeroed(layout) }, layout)
    }

    #[inline]
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        self.note(0, layout.size());
        if exhaustion::is_exhausted() && exhaustion::is_reserved(place) {
            return;
        }
        // SAFETY: as above.
        unsafe { MiMalloc.dealloc(place, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        self.note(size, layout.size());
        if exhaustion::is_exhausted() && exhaustion::is_reserved(place) {
            // SAFETY: the caller guarantees that size and alignment form a layout.
            let new = exhaustion::answer(unsafe { Layout::from_size_align_unchecked(size, layout.align()) });
            if !new.is_null() {
                // SAFETY: both places have at least so many bytes, and are disjoint parts of the reserve.
                unsafe { ptr::copy_nonoverlapping(place, new, layout.size().min(size)) };
            }
            return new;
        }
        if size > layout.size() && layout.size() >= LARGE {
            // The old contents are copied at once, so their size counts; the rest is filled later.
            exhaustion::check_large(layout.size());
        }
        // SAFETY: as above.
        let mut moved = unsafe { MiMalloc.realloc(place, layout, size) };
        if moved.is_null() && exhaustion::has_made_way() {
            // SAFETY: as above; what could not be moved is where it was.
            moved = unsafe { MiMalloc.realloc(place, layout, size) };
        }
        if !moved.is_null() {
            return moved;
        }
        // SAFETY: the caller guarantees that size and alignment form a layout.
        let new = exhaustion::answer(unsafe { Layout::from_size_align_unchecked(size, layout.align()) });
        if !new.is_null() {
            // SAFETY: both places have at least so many bytes and are disjoint; mimalloc still owns memory that it
            // could not move.
            unsafe {
                ptr::copy_nonoverlapping(place, new, layout.size().min(size));
                MiMalloc.dealloc(place, layout);
            }
        }
        new
    }
}

/// Returns the result of mimalloc, or the answer of [`exhaustion::answer`] if that is null.
#[inline]
fn given(allocate: impl Fn() -> *mut u8, layout: Layout) -> *mut u8 {
    let place = allocate();
    if place.is_null() { given_at_last(allocate, layout) } else { place }
}

/// The same for an allocation that has failed once.
#[cold]
fn given_at_last(allocate: impl Fn() -> *mut u8, layout: Layout) -> *mut u8 {
    let place = if exhaustion::has_made_way() { allocate() } else { ptr::null_mut() };
    if place.is_null() { exhaustion::answer(layout) } else { place }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn what_is_allocated_is_counted() {
        let large = 1 << 26;
        count();
        take_peak();
        let before = live();
        drop(black_box(vec![0_u8; large]));
        assert!(take_peak() >= before + large as i64 / 2);
        // Allocations of other tests are counted too, but not for ever.
        let is_freed = || live() < before + large as i64 / 2;
        let waited = (0..1000).any(|_| {
            thread::sleep(Duration::from_millis(1));
            is_freed()
        });
        assert!(waited);
    }
}
