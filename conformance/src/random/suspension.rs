//! Runs in parts: a run is suspended, written to a capsule file, read again, and resumed by one of two engines.
//!
//! Invariant: the observable behaviour of a run in parts is that of the whole run, steps included (report, part 16).

use vlad_derivatives::numbers::Numbers;
use vlad_engines::{Engine, Ready, Task};
use vlad_shared::core::Program;
use vlad_shared::runtime::run::{Host, Report};
use vlad_shared::runtime::suspended::{PartEnd, PartRequest, Suspended};
use vlad_shared::snapshot::capsule_file;

/// The points at which a case is suspended, and the engines that resume it, as choices that are made when its steps are
/// known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suspension {
    seed: u64,
}

/// The parts of a run: an engine, and the step after which it is suspended; the last part is not suspended.
pub type Route = Vec<(Engine, Option<u64>)>;

impl Suspension {
    /// The suspension of a seed.
    pub fn new(seed: u64) -> Suspension {
        Suspension { seed }
    }

    /// The seed of its choices.
    pub fn seed(self) -> u64 {
        self.seed
    }

    /// The route of a run of so many steps over two engines; `other` runs at least one part.
    pub fn route(self, steps: u64, first: Engine, other: Engine) -> Route {
        let mut numbers = Numbers::new(self.seed);
        let count = match numbers.below(10) {
            0..6 => 1,
            6..9 => 2 + numbers.below(2),
            _ => 4 + numbers.below(12),
        };
        let mut stops: Vec<u64> = (0..count).map(|_| numbers.bits() % (steps + 1)).collect();
        stops.sort_unstable();
        let mut turn = || if numbers.below(2) == 0 { first } else { other };
        let mut route: Route = stops.into_iter().map(|stop| (turn(), Some(stop))).collect();
        let runs_already = route.iter().any(|(engine, _)| *engine == other);
        route.push((if runs_already { turn() } else { other }, None));
        route
    }
}

/// A run in parts.
#[derive(Debug)]
pub struct Parts {
    /// The end of the last part.
    pub report: Report,
    /// The number of suspensions; smaller than the number of stops if several of these are inside one operator.
    pub suspensions: u64,
}

/// Runs a program in parts, the last of which runs to the end.
///
/// # Errors
/// Returns a message if the file of a suspended run cannot be written or is refused, or if the last part is suspended.
pub fn run_in_parts(task: Task<'_>, host: &mut dyn Host, parts: &[(&Ready, Option<u64>)]) -> Result<Parts, String> {
    let mut from = None;
    for (suspensions, (ready, until)) in (0..).zip(parts) {
        match ready.run_part(task, host, PartRequest { from: from.take(), until: *until, ..PartRequest::default() }) {
            PartEnd::Ended(report) => return Ok(Parts { report, suspensions }),
            PartEnd::Suspended(suspended) => from = Some(through_a_file(task.program, &suspended)?),
        }
    }
    Err("a part of a run does not end where no end is asked for".to_owned())
}

/// Writes a suspended run to a file and reads it again.
///
/// # Errors
/// Returns a message if the run cannot be written, or the file is refused.
pub fn through_a_file(program: &Program, suspended: &Suspended) -> Result<Suspended, String> {
    let mut file = Vec::new();
    capsule_file::write(program, suspended, &mut file).map_err(|error| format!("no file can be written: {error}"))?;
    let read = capsule_file::open(&file).and_then(|opened| opened.suspended(program));
    read.map_err(|refusal| format!("what is written after {} steps {refusal}", suspended.steps))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_route_leads_over_the_other_engine_and_ends() {
        for seed in 0..500 {
            let route = Suspension::new(seed).route(20, Engine::Interp, Engine::Hybrid);
            assert!(route.iter().any(|(engine, _)| *engine == Engine::Hybrid), "{route:?}");
            let stops: Vec<Option<u64>> = route.iter().map(|(_, stop)| *stop).collect();
            let (last, stops) = stops.split_last().unwrap();
            assert_eq!(*last, None);
            assert!(!stops.is_empty() && stops.is_sorted() && stops.iter().all(|stop| *stop <= Some(20)), "{stops:?}");
        }
    }
}
