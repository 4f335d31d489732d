//! The calls of procedures that are parameters.

use rustc_hash::FxHashMap;
use vlad_language::named::NamedPatternId;

/// The greatest number of procedures that pass a parameter on to each other.
const MOST_PASSED: usize = 16;

/// The calls of parameters: for each of them the least number of operands that are written, and the parameters for
/// which it is passed on.
#[derive(Default)]
pub(super) struct ParameterCalls {
    pub(super) least: FxHashMap<NamedPatternId, usize>,
    pub(super) passed: FxHashMap<NamedPatternId, Vec<NamedPatternId>>,
}

impl ParameterCalls {
    /// Returns the least number of operands with which a parameter is called, by itself or where it is passed on; none if no call is
    /// seen.
    pub(super) fn least(&self, parameter: NamedPatternId) -> Option<usize> {
        let (mut seen, mut pending) = (vec![], vec![parameter]);
        let mut least: Option<usize> = None;
        while let Some(parameter) = pending.pop() {
            if seen.contains(&parameter) || seen.len() == MOST_PASSED {
                continue;
            }
            seen.push(parameter);
            let own = self.least.get(&parameter).copied();
            least = least.into_iter().chain(own).min();
            pending.extend(self.passed.get(&parameter).into_iter().flatten());
        }
        least
    }
}
