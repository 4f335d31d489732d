//! The resources of specialised code: its loops, the memory of arrays, records and tapes, and the values that are converted
//! at its borders.

use vlad_core::Program;
use vlad_first_order::call_graph::executed;
use vlad_first_order::elementwise::is_elementwise;
use vlad_first_order::passes::Pass;
use vlad_first_order::template::{Step, Template};
use vlad_first_order::{AccumulatorAction, Action, Stack, Statement, TapeAction, Unit};

/// The resources that the code of an item takes when it is executed.
#[derive(Clone, Debug, Default)]
pub struct Resources {
    /// The number of loops and builds. A region that is computed again with guards (`regions`) has its loops twice.
    pub loops: usize,
    /// The number of loops that were fused with others.
    pub fused: usize,
    /// The number of loops whose iterations may be executed at once.
    pub elementwise: usize,
    /// The number of statements that make arrays.
    pub arrays: usize,
    /// The number of statements that make cells, and accumulators to which cells refer.
    pub cells: usize,
    /// The number of values in the largest record that a reverse sweep reads; none without records.
    pub record: Option<usize>,
    /// The number of values in the largest record of a recursion that is executed as loops; none without one.
    pub calls: Option<usize>,
    /// True if nodes are added to a tape.
    pub has_tape: bool,
    /// The definitions whose values have vectors that are copied into arrays.
    pub copied_in: Vec<String>,
    /// True if vectors of the item's value, or of what it writes, are copied out of arrays.
    pub copies_out: bool,
}

impl Resources {
    /// The resources of a unit after all passes, given the fusions of its loops.
    pub fn of(program: &Program, unit: &Unit, fused: usize) -> Resources {
        let inputs = unit.inputs.iter().filter(|(_, template)| has_arrays(template));
        let mut resources = Resources {
            loops: repeated(unit),
            fused,
            copied_in: inputs.map(|(global, _)| program.global(*global).name.clone()).collect(),
            copies_out: has_arrays(&unit.result) || unit.written.iter().any(|line| has_arrays(&line.template)),
            ..Resources::default()
        };
        for function in executed(unit).map(|id| unit.function(id)) {
            for statement in function.body.all_statements() {
                resources.elementwise += usize::from(is_elementwise(function, statement));
                resources.add(statement);
            }
        }
        resources
    }

    fn add(&mut self, statement: &Statement) {
        match statement {
            Statement::Array { .. } | Statement::Zeros { .. } | Statement::Accumulators { .. } => self.arrays += 1,
            Statement::Build { targets, .. } => self.arrays += targets.len(),
            Statement::Cell { parts, .. } => self.cells += usize::from(!parts.is_empty()),
            Statement::Push { stack, values } => {
                let record = match stack {
                    Stack::Sweeps => &mut self.record,
                    Stack::Calls => &mut self.calls,
                };
                *record = (*record).max(Some(values.len()));
            }
            Statement::Act { action, .. } => {
                self.has_tape |= *action == Action::Tape(TapeAction::Node);
                self.cells += usize::from(*action == Action::Accumulator(AccumulatorAction::Allocate));
            }
            _ => {}
        }
    }
}

/// The fusions of the loops of a unit, counted while its passes run.
#[derive(Default)]
pub struct Fusions {
    /// Their number.
    pub count: usize,
    /// The number of loops after the last pass.
    loops: usize,
}

impl Fusions {
    /// Sees a unit after a pass.
    pub fn observe(&mut self, pass: Pass, unit: &Unit) {
        let loops = repeated(unit);
        if pass == Pass::Fuse {
            self.count += self.loops.saturating_sub(loops);
        }
        self.loops = loops;
    }
}

/// The number of loops and builds in the code of a unit that is executed.
fn repeated(unit: &Unit) -> usize {
    let statements = executed(unit).flat_map(|id| unit.function(id).body.all_statements());
    statements.filter(|statement| statement.repeats()).count()
}

/// Returns true if a value has vectors that are arrays.
fn has_arrays(template: &Template) -> bool {
    template.steps.iter().any(|step| matches!(step, Step::ArrayLeaf(_)))
}
