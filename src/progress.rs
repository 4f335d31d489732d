//! The line on a terminal that tells how far a long run is.
//!
//! Of `checkpoint-*j` the share of the execution that has been reversed is known; of anything else only the time. The
//! line stands on the standard error if that is a terminal; the console sees to it that it never gets between lines
//! of output.

use crate::console::Console;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use vlad_shared::checkpointing::Action;
use vlad_shared::effects::Event;

/// The time for which a run is not long.
const PATIENCE: Duration = Duration::from_secs(1);

/// The time between two lines.
const BETWEEN_LINES: Duration = Duration::from_millis(100);

/// The characters of a whole bar.
const BAR: usize = 30;

/// How far the outermost application of `checkpoint-*j` is whose steps are known. The drawing thread reads it.
#[derive(Debug, Default)]
struct Share {
    /// All steps; 0 if there is no such application.
    steps: AtomicU64,
    /// How many of them have been reversed.
    reversed: AtomicU64,
}

/// What the command is doing, in a few words.
#[derive(Debug)]
pub struct Activity(Mutex<&'static str>);

impl Activity {
    /// An activity that is under way.
    pub fn new(words: &'static str) -> Activity {
        Activity(Mutex::new(words))
    }

    /// Notes that it is another one now.
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

/// Listens to a run on behalf of the line.
#[derive(Debug, Default)]
pub struct Progress {
    share: Arc<Share>,
    /// How many operators are under way.
    depth: usize,
    /// The depth of the application that the share is of.
    shown: Option<usize>,
}

impl Progress {
    /// Shows a line from after a second on until the console is concluded, if there is a terminal to show it.
    pub fn show(console: &Arc<Console>, activity: &Arc<Activity>) -> Option<Progress> {
        if !console.has_line() {
            return None;
        }
        let progress = Progress::default();
        let (share, console, begun) = (Arc::clone(&progress.share), Arc::clone(console), Instant::now());
        let activity = Arc::clone(activity);
        // Without a thread to be had there is no line.
        let _ = thread::Builder::new().name("progress".to_owned()).spawn(move || {
            thread::sleep(PATIENCE);
            while console.show_progress(&share.line(activity.words(), begun.elapsed())) {
                thread::sleep(BETWEEN_LINES);
            }
        });
        Some(progress)
    }

    /// Takes note of what an operator tells.
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
                // The reversal begins: what lies behind the interval is done.
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

/// Shows how far many pieces of work are, on a line of the standard error, if that is a terminal.
pub fn show_count(text: &str) {
    let mut errors = io::stderr().lock();
    if errors.is_terminal() {
        let _ = write!(errors, "\r{text}").and_then(|()| errors.flush());
    }
}

/// Takes that line away.
pub fn take_count_away() {
    let mut errors = io::stderr().lock();
    if errors.is_terminal() {
        let _ = write!(errors, "\r\x1b[K").and_then(|()| errors.flush());
    }
}

impl Share {
    /// The line after some time of an activity.
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
    fn the_share_is_of_the_outermost_operator_that_knows() {
        let mut progress = Progress::default();
        let begun = Event::Begun { operator: Primitive::Reverse, node: ExpressionId(0) };
        let reverse = |from, steps| Event::Action { action: Action::Reverse { from, steps }, snapshots: 1 };
        progress.note(begun);
        assert_eq!(line(&progress), "running: 3 s");
        progress.note(Event::Measured { steps: 100 });
        assert!(line(&progress).ends_with("] 0 % reversed: 3 s"));
        progress.note(reverse(90, 10));
        assert!(line(&progress).ends_with("] 0 % reversed: 3 s"));
        // One inside has a share of its own, which is not shown.
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
