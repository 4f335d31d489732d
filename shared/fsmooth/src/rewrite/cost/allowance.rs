//! The bounds on the number of expressions that rewriting adds to a program.
//!
//! Half of a bound is there from the beginning, for definitions that need much. The other half is divided among all definitions, so that
//! the first ones leave enough for later ones.

/// The number of expressions that the rewriting of a definition adds to the arena at most.
const MOST_EXPRESSIONS: usize = 150_000;

/// The number of expressions that inlining of a program's own functions adds to all of its definitions at most: a chain of functions,
/// each of which calls the one before, would add as the square of their number.
const MOST_OWN_INLINED: usize = 100_000;

/// The number of expressions that a definition may add for each of its own in any case.
const GROWTH: usize = 8;

/// The number of expressions that all definitions together may add, given the number that they have.
pub fn most_expressions(size: usize) -> usize {
    GROWTH * size + 16 * MOST_EXPRESSIONS
}

/// Bounds on the number of expressions that the definitions of a program add.
pub struct Allowances {
    /// All that are added, in any way.
    pub expressions: Allowance,
    /// Those that inlining of the program's own functions adds.
    pub own: Allowance,
}

/// The room that the definitions of a program share.
pub struct Allowance {
    /// The number that one definition may add at most.
    most: usize,
    /// The room that each definition adds.
    part: usize,
    /// The room that it adds for each of its expressions.
    growth: usize,
    /// The room that is left for this definition and later ones.
    left: usize,
}

impl Allowances {
    /// The bounds for so many definitions.
    pub fn of(definitions: usize) -> Allowances {
        let allowance = |all: usize, most: usize, growth: usize| Allowance {
            most,
            part: all / 2 / definitions.max(1),
            growth,
            left: all / 2,
        };
        Allowances {
            expressions: allowance(most_expressions(0), MOST_EXPRESSIONS, GROWTH),
            own: allowance(MOST_OWN_INLINED, MOST_OWN_INLINED, 0),
        }
    }

    /// Begins a definition of a size.
    pub fn begin(&mut self, size: usize) {
        for allowance in [&mut self.expressions, &mut self.own] {
            allowance.left += allowance.part + allowance.growth * size;
        }
    }
}

impl Allowance {
    /// The number of expressions that the definition may add now.
    pub fn room(&self) -> usize {
        self.most.min(self.left)
    }

    /// Notes that so many have been added.
    pub fn take(&mut self, added: usize) {
        self.left = self.left.saturating_sub(added);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_that_take_much_leave_their_part_to_later_ones() {
        let mut allowances = Allowances::of(100);
        let (mut taken, mut full) = (0, 0);
        for _ in 0..99 {
            allowances.begin(10);
            let room = allowances.expressions.room();
            full += usize::from(room == MOST_EXPRESSIONS);
            allowances.expressions.take(room + 100);
            taken += room + 100;
        }
        assert!(full >= 8, "{full}");
        allowances.begin(10);
        assert_eq!(allowances.expressions.room(), 8 * MOST_EXPRESSIONS / 100 + 10 * GROWTH);
        assert_eq!(allowances.own.room(), MOST_OWN_INLINED / 2 + 100 * (MOST_OWN_INLINED / 2 / 100));
        assert!(taken <= most_expressions(1000) + 100 * 100, "{taken}");
    }
}
