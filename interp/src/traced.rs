//! Runs whose last item is logged, operation by operation ([`vlad_ad::log`]).

use crate::machine::Machine;
use vlad_ad::log::OperationLog;
use vlad_core::Program;
use vlad_runtime::run::{Host, Limits, Outcome, Report};

/// Runs a program, and logs at most `most` operations of its last item at the outermost level of differentiation. There is no
/// log if the run does not come to that item.
pub fn run_logged(
    program: &Program,
    host: &mut dyn Host,
    limits: &Limits,
    most: usize,
) -> (Report, Option<Box<OperationLog>>) {
    let mut machine = Machine::new(program, host, limits);
    let mut outcome = Outcome::Finished;
    for (number, item) in program.items.iter().enumerate() {
        if number + 1 == program.items.len() {
            machine.levels.begin_log(OperationLog::new(most));
        }
        if let Err(failed) = machine.run_whole_item(number, *item) {
            outcome = failed;
            break;
        }
    }
    let log = machine.levels.end_log();
    (Report { outcome, steps: machine.steps.total() }, log)
}
