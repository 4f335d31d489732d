//! The records that recursive functions push at the end of segments, before calls ([`super::super::nodes::frames`]):
//! their pops.
//!
//! A pop stands before the sweep over its segment, and only that sweep tells which values the record has to hold. So a
//! pop is emitted with a placeholder as its only target, which is replaced when the sweep over the function is complete.

use super::super::nodes::SegmentId;
use super::blocks::Sweep;
use crate::{Block, Kind, Stack, Statement, Variable};

impl Sweep<'_> {
    /// Pops the record of a segment, if the frame's values are pushed.
    pub fn pop(&mut self, segment: SegmentId, out: &mut Vec<Statement>) {
        if let Some(frame) = self.frame {
            self.draft.begin_segment(frame, segment);
            let place = self.draft.fresh(Kind::Boolean);
            self.pops.insert(place, segment);
            out.push(Statement::Pop { stack: Stack::Sweeps, targets: vec![place] });
        }
    }

    /// Replaces the placeholders in all of the sweep's code; pops of nothing are left out.
    ///
    /// A segment that several pieces of code sweep over has a pop in each ([`super::linear_recursion`]). A value that
    /// only another piece reads gets a target of its own, which nobody reads.
    pub fn complete_pops(&mut self, block: &mut Block) {
        block.statements.retain_mut(|statement| {
            if let Statement::Pop { targets, .. } = statement
                && let Some(place) = targets.first().copied()
                && let Some(segment) = self.pops.get(&place)
            {
                *targets = self.draft.exports_of_segment(*segment).iter().map(|export| export.1).collect();
                for target in targets.iter_mut() {
                    if self.piece_of(*target) != self.piece_of(place) {
                        *target = self.draft.like(*target);
                    }
                }
                return !targets.is_empty();
            }
            if let Some(inner) = statement.block_mut() {
                self.complete_pops(inner);
            }
            true
        });
        for inner in block.end.blocks_mut().into_iter().flatten() {
            self.complete_pops(inner);
        }
    }

    /// The number of pieces of code that had been begun when a variable was made.
    fn piece_of(&self, variable: Variable) -> usize {
        self.pieces.partition_point(|first| *first <= variable)
    }
}
