//! The allocator of the command, which counts the bytes that are allocated while a program is profiled, and ends the process
//! in good order where there is no more memory ([`crate::exhaustion`]).
//!
//! Programs allocate pairs and procedures by the million, mostly short-lived ones: hence mimalloc. It does not tell how
//! many bytes are allocated, and a profile is to tell that exactly: a layer around it counts, but only once it is asked
//! to. Until then it costs a look at a flag that never changes.

// An allocator cannot be had without: the trait is unsafe.
#![allow(unsafe_code)]

use crate::exhaustion;
use mimalloc::MiMalloc;
use std::alloc::{GlobalAlloc, Layout};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

/// The allocator, with its counts.
pub struct Counting {
    is_counting: AtomicBool,
    /// The bytes allocated since it has been counting, less those freed: negative if more of what was there before is
    /// freed.
    live: AtomicI64,
    most: AtomicI64,
}

#[global_allocator]
static ALLOCATOR: Counting =
    Counting { is_counting: AtomicBool::new(false), live: AtomicI64::new(0), most: AtomicI64::new(0) };

/// Counts from now on.
pub fn count() {
    ALLOCATOR.is_counting.store(true, Ordering::Relaxed);
}

/// Does something without counting what it allocates, which it or something else done so must free.
pub fn uncounted<T>(work: impl FnOnce() -> T) -> T {
    let is_counting = ALLOCATOR.is_counting.swap(false, Ordering::Relaxed);
    let done = work();
    ALLOCATOR.is_counting.store(is_counting, Ordering::Relaxed);
    done
}

/// The bytes allocated, beyond those before it was counted.
pub fn live() -> i64 {
    ALLOCATOR.live.load(Ordering::Relaxed)
}

/// The most bytes allocated since this was asked before.
pub fn take_most() -> i64 {
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

// SAFETY: every method is that of mimalloc, with the same arguments and the same result - or, where mimalloc has no memory,
// what the reserve gives, which is never given to mimalloc. What is counted is nobody's memory. It is worth it: what a
// procedure keeps alive is what checkpointing is about, and resident memory, which the system tells, is of pages that have
// been touched, not of what is alive; and a run that meets the end of memory ends as the report says.
unsafe impl GlobalAlloc for Counting {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.note(layout.size(), 0);
        if layout.size() >= exhaustion::LARGE {
            exhaustion::before_large(layout.size());
        }
        // SAFETY: the caller promises what mimalloc asks for.
        given(unsafe { MiMalloc.alloc(layout) }, layout)
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        self.note(layout.size(), 0);
        // SAFETY: as above.
        given(unsafe { MiMalloc.alloc_zeroed(layout) }, layout)
    }

    #[inline]
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        self.note(0, layout.size());
        if exhaustion::is_noticed() && exhaustion::is_reserved(place) {
            return;
        }
        // SAFETY: as above.
        unsafe { MiMalloc.dealloc(place, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        self.note(size, layout.size());
        if exhaustion::is_noticed() && exhaustion::is_reserved(place) {
            // SAFETY: the caller promises that the size is one of a layout.
            let new = exhaustion::answer(unsafe { Layout::from_size_align_unchecked(size, layout.align()) });
            if !new.is_null() {
                // SAFETY: both places have so many bytes, and they are different parts.
                unsafe { ptr::copy_nonoverlapping(place, new, layout.size().min(size)) };
            }
            return new;
        }
        if size > layout.size() && layout.size() >= exhaustion::LARGE {
            // What was there is copied; what is new is filled later.
            exhaustion::before_large(layout.size());
        }
        // SAFETY: as above.
        let moved = unsafe { MiMalloc.realloc(place, layout, size) };
        if !moved.is_null() {
            return moved;
        }
        // SAFETY: the caller promises that the size is one of a layout.
        let new = exhaustion::answer(unsafe { Layout::from_size_align_unchecked(size, layout.align()) });
        if !new.is_null() {
            // SAFETY: both places have so many bytes, and they are different; what mimalloc could not move is still its own.
            unsafe {
                ptr::copy_nonoverlapping(place, new, layout.size().min(size));
                MiMalloc.dealloc(place, layout);
            }
        }
        new
    }
}

/// What mimalloc gave, or what there is instead.
#[inline]
fn given(place: *mut u8, layout: Layout) -> *mut u8 {
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
        take_most();
        let before = live();
        drop(black_box(vec![0_u8; large]));
        assert!(take_most() >= before + large as i64 / 2);
        // Other tests allocate, too, but not for ever.
        let is_freed = || live() < before + large as i64 / 2;
        let waited = (0..1000).any(|_| {
            thread::sleep(Duration::from_millis(1));
            is_freed()
        });
        assert!(waited);
    }
}
