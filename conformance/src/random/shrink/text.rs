//! Shrinking of a text without a tree: pieces of it are left out, large ones first, then smaller ones.

use crate::random::case::{Case, Source};

/// The most texts that a search tries.
const MOST_TRIALS: usize = 4_000;

/// Returns the smallest text of those tried that still fails, as reported by `fails`. The given text fails.
pub fn shrink(case: Case, bytes: &[u8], fails: &mut dyn FnMut(&Case) -> bool) -> Case {
    let mut best = bytes.to_vec();
    let mut trials = 0;
    let with = |bytes: &[u8]| Case { source: Source::Text(bytes.to_vec()), ..case.clone() };
    let mut length = best.len().div_ceil(2);
    while length > 0 && trials < MOST_TRIALS {
        let mut at = 0;
        let mut progress = false;
        while at < best.len() && trials < MOST_TRIALS {
            let smaller: Vec<u8> = best.iter().take(at).chain(best.iter().skip(at + length)).copied().collect();
            trials += 1;
            if fails(&with(&smaller)) {
                best = smaller;
                progress = true;
            } else {
                at += length;
            }
        }
        // A piece that could not be left out before may be now.
        if !progress || length > 1 {
            length /= 2;
        }
    }
    with(&best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Limit;

    #[test]
    fn what_does_not_matter_goes() {
        let source = Source::Text(b"(define (f x) (car x)) (f (list 1 2 3)) \xff".to_vec());
        let Source::Text(bytes) = &source.clone() else { unreachable!() };
        let case = Case { seed: 0, source, input: Vec::new(), limit: Limit::Whole, suspension: None };
        let small = shrink(case, bytes, &mut |case| case.text().contains("(car x)"));
        assert_eq!(small.bytes(), b"(car x)");
    }
}
