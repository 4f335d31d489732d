//! The record of an execution in reverse mode.

/// The record that a reverse sweep reads. It determines time and space, and no bit of a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Recording {
    /// All that the sweep reads, from the execution on (`*j`).
    #[default]
    Everything,
    /// Of loops a few states; their iterations are executed again for the sweep, some at a time (`checkpoint-*j`).
    Checkpoints(Division),
}

/// The division of a loop's iterations. A base case is as many as are recorded at once, and is swept over as a whole. Longer
/// intervals are divided into parts of one length, which is that of a base case times a power of the number of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Division {
    /// The words of a base case's record.
    pub words: u32,
    /// The words of the states of one division.
    pub state_words: u32,
    /// The least number of iterations of a base case, and of parts of a division, however large a record or a state is.
    pub least: u32,
}

impl Default for Division {
    /// Records that stay in the caches of processors, and so many states that 10^9 iterations with a state of a few numbers
    /// are divided once.
    fn default() -> Division {
        Division { words: 1 << 15, state_words: 1 << 18, least: 32 }
    }
}

impl Division {
    /// The number of iterations of a base case whose records have so many words each.
    pub fn base_case(&self, words: usize) -> u32 {
        fitting(self.words, words).max(self.least)
    }

    /// The number of parts of a division whose states have so many words each.
    pub fn parts(&self, words: usize) -> u32 {
        fitting(self.state_words, words).max(self.least).max(2)
    }
}

fn fitting(all: u32, words: usize) -> u32 {
    u32::try_from(all as usize / words.max(1)).unwrap_or(u32::MAX)
}
