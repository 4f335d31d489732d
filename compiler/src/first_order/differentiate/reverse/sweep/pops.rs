//! Pops of what the primal has pushed at the end of segments. While the sweep over a segment is emitted, the pop before it has
//! a placeholder as its only target.

use super::super::nodes::frames::SegmentId;
use super::blocks::Sweep;
use crate::first_order::{Block, Kind, Operand, Stack, Statement, Variable};

impl Sweep<'_> {
    /// Pops the record of a segment, where the frame has records. What is in it will be known when the sweep over the
    /// segment is complete.
    pub fn pop(&mut self, segment: SegmentId, out: &mut Vec<Statement>) {
        if let Some(frame) = self.frame {
            self.draft.begin_segment(frame, segment);
            let place = self.draft.fresh(Kind::Boolean);
            self.pops.insert(place, segment);
            out.push(Statement::Pop { stack: Stack::Sweeps, targets: vec![place] });
        }
    }

    /// Writes the records of segments into their pops, in all of the sweep's code.
    pub fn complete_pops(&mut self, block: &mut Block) {
        block.statements.retain_mut(|statement| {
            if let Statement::Pop { targets, .. } = statement
                && let Some(place) = targets.first().copied()
                && let Some(segment) = self.pops.get(&place)
            {
                *targets = self.draft.exports_of_segment(*segment).iter().map(|export| export.1).collect();
                for target in targets.iter_mut() {
                    if self.piece_of(*target) != self.piece_of(place) {
                        *target = self.draft.fresh(self.draft.kind(Operand::Variable(*target)));
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
