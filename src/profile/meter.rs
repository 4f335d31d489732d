//! How much memory is in use, for profiles: counted exactly where the engine's memory is Rust's, else looked at.

use crate::{allocation, memory};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use vlad_conformance::engine::Engine;

/// The time between two looks at resident memory.
const BETWEEN_LOOKS: Duration = Duration::from_millis(1);

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Bytes allocated and not freed, exactly.
    Allocated,
    /// Resident memory of the process, every millisecond.
    Resident,
}

impl Measure {
    /// What can be measured of an engine. The native one has memory of its own, cut from large pieces.
    pub fn of(engine: Engine) -> Measure {
        match engine {
            Engine::Interp | Engine::Hybrid => Measure::Allocated,
            Engine::Native => Measure::Resident,
        }
    }
}

/// The memory in use, and the most since it was last asked for.
pub enum Meter {
    /// Of [`Measure::Allocated`].
    Allocated,
    /// Of [`Measure::Resident`]; a thread looks as well as whoever asks.
    Resident {
        /// The most since it was last asked for.
        most: Arc<AtomicU64>,
        /// What the last look found, and when that was.
        last: u64,
        looked: Instant,
    },
}

impl Meter {
    /// Measures from now on.
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

    /// The bytes in use now, and the most since this was asked before.
    pub fn take(&mut self) -> (i64, i64) {
        match self {
            Meter::Allocated => (allocation::live(), allocation::take_most()),
            Meter::Resident { most, last, looked } => {
                // A program may call operators a million times a second, and a look asks the system.
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

/// Looks at resident memory for as long as somebody has the meter. Without a thread to be had, the meter's own looks
/// have to do.
fn watch(most: &Arc<AtomicU64>) {
    let most = Arc::downgrade(most);
    let _ = thread::Builder::new().name("meter".to_owned()).spawn(move || {
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
        let mut meter = Meter::new(Measure::Resident);
        let before = meter.take().0;
        let large = black_box(vec![1_u8; 1 << 27]);
        thread::sleep(20 * BETWEEN_LOOKS);
        drop(large);
        assert!(meter.take().1 >= before + (1 << 26));
    }
}
