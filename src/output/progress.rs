//! The progress line on the standard error, if that is a terminal.
//!
//! A long run shows its current activity and the time. During a `checkpoint-*j` it also shows the reversed share of the
//! execution. The console owns this line and erases it before any other output. Commands that run many programs show a
//! count of them instead ([`show_count`]).

use super::console::Console;
use crate::process::threads;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use vlad_shared::ad::checkpointing::Action;
use vlad_shared::runtime::event::Event;

/// The running time after which the line appears.
const SHOWN_AFTER: Duration = Duration::from_secs(1);

/// The time between two updates of the line.
const BETWEEN_LINES: Duration = Duration::from_millis(100);

/// The number of characters of a full bar.
const BAR: usize = 30;

/// The reversed share of the execution of a `checkpoint-*j`: the outermost application with a known number of steps. The
/// thread of the run writes it, and the drawing thread reads it.
#[derive(Debug, Default)]
struct ReverseProgress {
    /// The steps of the execution; 0 without an application.
    steps: AtomicU64,
    /// The steps that have been reversed.
    reversed: AtomicU64,
}

/// The current activity of the command, in a few words.
#[derive(Debug)]
pub struct Activity(Mutex<&'static str>);

impl Activity {
    /// The first activity.
    pub fn new(words: &'static str) -> Activity {
        Activity(Mutex::new(words))
    }

    /// Replaces the activity.
    pub fn set(&self, words: &'static str) {
        *self.lock() = words;
    }

    fn words(&self) -> &'static str {
        *self.lock()
    }

    fn lock(&self) -> MutexGuard<'_, &'static str> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The listener of a run that updates the progress line.
#[derive(Debug, Default)]
pub struct Progress {
    share: Arc<ReverseProgress>,
    /// The number of running operators.
    depth: usize,
    /// The depth of the application that is shown.
    shown: Option<usize>,
}

impl Progress {
    /// Starts the thread that draws the line until the console is concluded; `None` without a terminal.
    pub fn show(console: &Arc<Console>, activity: &Arc<Activity>) -> Option<Progress> {
        if !console.has_line() {
            return None;
        }
        let progress = Progress::default();
        let (share, console, begun) = (Arc::clone(&progress.share), Arc::clone(console), Instant::now());
        let activity = Arc::clone(activity);
        // Without a thread there is no line.
        let _ = threads::named("progress").spawn(move || {
            thread::sleep(SHOWN_AFTER);
            while console.show_progress(&share.line(activity.words(), begun.elapsed())) {
                thread::sleep(BETWEEN_LINES);
            }
        });
        Some(progress)
    }

    /// Records an event of an operator.
    pub fn note(&mut self, event: Event) {
        match event {
            Event::Begun { .. } => self.depth += 1,
            Event::Measured { steps } => {
                if self.shown.is_none() {
                    self.shown = Some(self.depth);
                    self.share.reversed.store(0, Ordering::Relaxed);
                    self.share.steps.store(steps, Ordering::Relaxed);
                }
            }
            Event::Restarted => {
                (self.depth, self.shown) = (0, None);
                self.share.steps.store(0, Ordering::Relaxed);
            }
            Event::Executed { .. } | Event::Action { action: Action::Advance { .. }, .. } => {}
            Event::Action { action: Action::Reverse { from, steps }, .. } => {
                // Intervals are reversed from the last to the first, so all later steps are reversed.
                if self.shown == Some(self.depth) {
                    let all = self.share.steps.load(Ordering::Relaxed);
                    self.share.reversed.store(all.saturating_sub(from + steps), Ordering::Relaxed);
                }
            }
            Event::Ended { .. } => {
                if self.shown == Some(self.depth) {
                    self.shown = None;
                    self.share.steps.store(0, Ordering::Relaxed);
                }
                self.depth = self.depth.saturating_sub(1);
            }
        }
    }
}

/// Replaces the line by a count of finished tasks.
pub fn show_count(text: &str) {
    let mut errors = io::stderr().lock();
    if errors.is_terminal() {
        let _ = write!(errors, "\r{text}\x1b[K").and_then(|()| errors.flush());
    }
}

/// Writes a line about a finished task, even if the standard error is no terminal.
pub fn write_task(text: &str) {
    // A failed write of a note is ignored.
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Erases the line of [`show_count`].
pub fn erase_count() {
    let mut errors = io::stderr().lock();
    if errors.is_terminal() {
        let _ = write!(errors, "\r\x1b[K").and_then(|()| errors.flush());
    }
}

impl ReverseProgress {
    /// Returns the line for an activity and the time since the run began.
    fn line(&self, activity: &str, time: Duration) -> String {
        let seconds = time.as_secs();
        let time =
            if seconds < 60 { format!("{seconds} s") } else { format!("{} min {} s", seconds / 60, seconds % 60) };
        let (steps, reversed) = (self.steps.load(Ordering::Relaxed), self.reversed.load(Ordering::Relaxed));
        if steps == 0 {
            return format!("{activity}: {time}");
        }
        let share = reversed.min(steps) as f64 / steps as f64;
        let filled = (share * BAR as f64) as usize;
        let bar = format!("{}{}", "=".repeat(filled), " ".repeat(BAR - filled));
        format!("[{bar}] {:.0} % reversed: {time}", (share * 100.0).floor())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vlad_shared::core::ExpressionId;
    use vlad_shared::table::Primitive;

    const TIME: Duration = Duration::from_secs(3);

    fn line(progress: &Progress) -> String {
        progress.share.line("running", TIME)
    }

    #[test]
    fn the_share_is_that_of_the_outermost_operator() {
        let mut progress = Progress::default();
        let begun = Event::Begun { operator: Primitive::Reverse, node: ExpressionId(0) };
        let reverse = |from, steps| Event::Action { action: Action::Reverse { from, steps }, snapshots: 1 };
        progress.note(begun);
        assert_eq!(line(&progress), "running: 3 s");
        progress.note(Event::Measured { steps: 100 });
        assert!(line(&progress).ends_with("] 0 % reversed: 3 s"));
        progress.note(reverse(90, 10));
        assert!(line(&progress).ends_with("] 0 % reversed: 3 s"));
        // A nested operator has a share of its own, which is not shown.
        for event in [begun, Event::Measured { steps: 7 }, reverse(0, 1), Event::Ended { steps: 0 }] {
            progress.note(event);
        }
        progress.note(reverse(40, 50));
        assert_eq!(line(&progress), format!("[==={}] 10 % reversed: 3 s", " ".repeat(27)));
        progress.note(Event::Ended { steps: 0 });
        assert_eq!(line(&progress), "running: 3 s");
        assert_eq!(progress.share.line("running", Duration::from_secs(125)), "running: 2 min 5 s");
    }
}
