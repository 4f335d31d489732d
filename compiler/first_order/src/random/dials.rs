//! The contents of random units.

/// The size of random units, and the weights of their statements; a weight of 0 excludes what it is of.
#[derive(Clone, Copy, Debug)]
pub struct Dials {
    /// The number of functions beside the entry.
    pub functions: usize,
    /// The most statements of a block.
    pub statements: usize,
    /// Operations of the table.
    pub operations: u32,
    /// Binds, with branches in most of them; also the percentage of branches in tail position.
    pub branches: u32,
    /// Loops.
    pub loops: u32,
    /// Calls at no new level.
    pub calls: u32,
    /// The percentage of functions that are recursive.
    pub recursion: u32,
    /// Calls in forward mode.
    pub forward: u32,
    /// Calls in reverse mode.
    pub reverse: u32,
    /// Reads, writes and counts.
    pub effects: u32,
    /// Pushes, each with its pop further down in the block.
    pub records: u32,
    /// The percentage of blocks that can bail out instead of yielding.
    pub bail_outs: u32,
    /// The percentage of loops over an array that leave the code where another array is shorter.
    pub index_tests: u32,
    /// Statements on arrays, and arrays among parameters, results and states.
    pub arrays: u32,
    /// The percentage of statements on arrays that are loops which replace elements; reverse mode takes none.
    pub replacements: u32,
    /// Statements on cells, and cells among parameters, results and states.
    pub cells: u32,
    /// The percentage of reals that are moved into arrays, and out of them, without a copy.
    pub moves: u32,
    /// The percentage of constants that are zeros, infinities, NaN, tiny or huge.
    pub special: u32,
}

impl Default for Dials {
    /// Everything.
    fn default() -> Dials {
        Dials {
            functions: 3,
            statements: 5,
            operations: 40,
            branches: 12,
            loops: 8,
            calls: 12,
            recursion: 50,
            forward: 8,
            reverse: 8,
            effects: 3,
            records: 4,
            bail_outs: 3,
            index_tests: 0,
            arrays: 0,
            replacements: 0,
            cells: 0,
            moves: 20,
            special: 10,
        }
    }
}

impl Dials {
    /// Operations, branches, and calls at any level of functions that are not recursive.
    pub fn straight() -> Dials {
        Dials { loops: 0, recursion: 0, records: 0, ..Dials::default() }
    }

    /// Everything but what reverse mode does not take together with arrays, and arrays.
    pub fn with_arrays() -> Dials {
        Dials { arrays: 30, records: 0, ..Dials::default() }
    }

    /// Everything but reverse mode, and arrays whose elements are replaced.
    pub fn with_replacements() -> Dials {
        Dials { replacements: 50, reverse: 0, ..Dials::with_arrays() }
    }

    /// Everything, and cells.
    pub fn with_cells() -> Dials {
        Dials { cells: 30, ..Dials::default() }
    }

    /// Code without levels of differentiation.
    pub fn without_levels() -> Dials {
        Dials { forward: 0, reverse: 0, ..Dials::default() }
    }
}
