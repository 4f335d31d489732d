//! The memory in use, for profiles: counted exactly where the engine allocates in Rust, else sampled.

use crate::process::allocation;
use crate::process::memory;
use crate::process::threads;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use vlad_engines::Engine;

/// The time between two samples of resident memory.
const BETWEEN_LOOKS: Duration = Duration::from_millis(1);

/// The quantity that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Bytes allocated and not freed, exactly.
    Allocated,
    /// Resident memory of the process, every millisecond.
    Resident,
}

impl Measure {
    /// Returns the quantity for an engine. The native one has memory of its own, cut from large blocks, so its bytes
    /// are not counted.
    pub fn of(engine: Engine) -> Measure {
        match engine {
            Engine::Interp | Engine::Hybrid | Engine::FirstOrder => Measure::Allocated,
            Engine::Native | Engine::NativeTagged => Measure::Resident,
        }
    }
}

/// A meter of the memory in use, and of its maximum since the last reading.
pub enum Meter {
    /// A meter of [`Measure::Allocated`].
    Allocated,
    /// A meter of [`Measure::Resident`]: a thread takes samples, and each reading takes one, too.
    Resident {
        /// The maximum of the thread's samples since the last reading.
        most: Arc<AtomicU64>,
        /// The last sample of a reading, and its time.
        last: u64,
        looked: Instant,
    },
}

impl Meter {
    /// Starts measuring.
    pub fn new(measure: Measure) -> Meter {
        match measure {
            Measure::Allocated => {
                allocation::count();
                Meter::Allocated
            }
            Measure::Resident => {
                let most = Arc::new(AtomicU64::new(0));
                watch(&most);
                Meter::Resident { most, last: memory::usage().unwrap_or(0), looked: Instant::now() }
            }
        }
    }

    /// Returns the bytes in use now, and their maximum since the last call.
    pub fn take(&mut self) -> (i64, i64) {
        match self {
            Meter::Allocated => (allocation::live(), allocation::take_peak()),
            Meter::Resident { most, last, looked } => {
                // A program may call operators a million times a second, and a sample needs a system call.
                if looked.elapsed() >= BETWEEN_LOOKS / 4 {
                    *last = memory::usage().unwrap_or(*last);
                    *looked = Instant::now();
                }
                let most = most.swap(0, Ordering::Relaxed).max(*last);
                (*last as i64, most as i64)
            }
        }
    }
}

/// Starts a thread that samples resident memory for as long as the meter exists. If no thread can be had, the samples
/// of the readings have to suffice.
fn watch(most: &Arc<AtomicU64>) {
    let most = Arc::downgrade(most);
    let _ = threads::named("meter").spawn(move || {
        while let Some(most) = most.upgrade() {
            most.fetch_max(memory::usage().unwrap_or(0), Ordering::Relaxed);
            drop(most);
            thread::sleep(BETWEEN_LOOKS);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    #[test]
    fn what_was_in_use_for_a_while_is_seen() {
        // Other tests of this process take and free memory meanwhile, so nothing is known but that this much is in use.
        let mut meter = Meter::new(Measure::Resident);
        let large = black_box(vec![1_u8; 1 << 28]);
        thread::sleep(20 * BETWEEN_LOOKS);
        drop(large);
        assert!(meter.take().1 >= 1 << 28);
    }
}
