//! The allocator of the command, which counts the bytes that are allocated while a program is profiled.
//!
//! Programs allocate pairs and procedures by the million, mostly short-lived ones: hence mimalloc. It does not tell how
//! many bytes are allocated, and a profile is to tell that exactly: a layer around it counts, but only once it is asked
//! to. Until then it costs a look at a flag that never changes.

// An allocator cannot be had without: the trait is unsafe.
#![allow(unsafe_code)]

use mimalloc::MiMalloc;
use std::alloc::{GlobalAlloc, Layout};
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

// SAFETY: every method is that of mimalloc, with the same arguments and the same result; what is counted is nobody's
// memory. It is worth it: what a procedure keeps alive is what checkpointing is about, and resident memory, which the
// system tells, is of pages that have been touched, not of what is alive.
unsafe impl GlobalAlloc for Counting {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.note(layout.size(), 0);
        // SAFETY: the caller promises what mimalloc asks for.
        unsafe { MiMalloc.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        self.note(layout.size(), 0);
        // SAFETY: as above.
        unsafe { MiMalloc.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        self.note(0, layout.size());
        // SAFETY: as above.
        unsafe { MiMalloc.dealloc(place, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        self.note(size, layout.size());
        // SAFETY: as above.
        unsafe { MiMalloc.realloc(place, layout, size) }
    }
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
