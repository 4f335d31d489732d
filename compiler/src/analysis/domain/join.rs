//! Joins of abstract values (the paper's union), and their widening.

use super::{Abstract, AbstractId, Domain, Head, Reason};

/// The way in which two abstract values are brought together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Widening {
    /// To the least abstract value above both (the paper's union).
    Join,
    /// To a value whose computed reals are [`Abstract::AnyReal`] where the two differ. There is none if they differ
    /// elsewhere.
    ComputedOnly,
}

impl Domain {
    /// The least abstract value above two; none if they differ in more than their reals and booleans, and no unions are
    /// made.
    ///
    /// # Errors
    /// Returns the reason if the value is too large.
    pub fn join(&mut self, a: AbstractId, b: AbstractId) -> Result<Option<AbstractId>, Reason> {
        self.widen(a, b, Widening::Join)
    }

    /// A value above two that differ in computed reals only; none if they differ elsewhere.
    ///
    /// # Errors
    /// Returns the reason if the value is too large.
    pub fn generalise(&mut self, a: AbstractId, b: AbstractId) -> Result<Option<AbstractId>, Reason> {
        if self.row(a).1.skeleton != self.row(b).1.skeleton {
            return Ok(None);
        }
        self.widen(a, b, Widening::ComputedOnly)
    }

    pub(super) fn widen(
        &mut self,
        a: AbstractId,
        b: AbstractId,
        widening: Widening,
    ) -> Result<Option<AbstractId>, Reason> {
        // Chains of pairs are walked in a loop; the depth of the rest is bounded.
        let (mut firsts, mut a, mut b) = (Vec::new(), a, b);
        let mut joined = loop {
            if a == b {
                break a;
            }
            match (self.get(a), self.get(b)) {
                (&Abstract::Pair(first_a, second_a), &Abstract::Pair(first_b, second_b)) => {
                    let Some(first) = self.widen(first_a, first_b, widening)? else { return Ok(None) };
                    firsts.push(first);
                    (a, b) = (second_a, second_b);
                }
                (Abstract::Back, _) if widening == Widening::Join => {
                    self.absorbed.push(b);
                    break a;
                }
                (_, Abstract::Back) if widening == Widening::Join => {
                    self.absorbed.push(a);
                    break b;
                }
                (Abstract::Real { .. } | Abstract::AnyReal, Abstract::Real { .. } | Abstract::AnyReal) => {
                    if widening == Widening::ComputedOnly && !self.differ_by_computing(a, b) {
                        return Ok(None);
                    }
                    break self.same_number(a, b);
                }
                (Abstract::Boolean(_) | Abstract::AnyBoolean, Abstract::Boolean(_) | Abstract::AnyBoolean)
                    if widening == Widening::Join =>
                {
                    break self.any_boolean();
                }
                _ => {
                    let ((head, parts), (other, other_parts)) = (self.decompose(a), self.decompose(b));
                    let is_alike = head == other && head != Head::Atom && parts.len() == other_parts.len();
                    if widening == Widening::Join && (!is_alike || head == Head::Union) {
                        match self.united(a, b)? {
                            Some(union) => break union,
                            None => return Ok(None),
                        }
                    }
                    if !is_alike {
                        return Ok(None);
                    }
                    let mut joined = Vec::with_capacity(parts.len());
                    for (part, other) in parts.iter().zip(&other_parts) {
                        let Some(part) = self.widen(*part, *other, widening)? else { return Ok(None) };
                        joined.push(part);
                    }
                    break self.compose(head, &joined)?;
                }
            }
        };
        for first in firsts.into_iter().rev() {
            joined = self.pair(first, joined)?;
        }
        Ok(Some(joined))
    }

    /// Returns true if one of two different reals is computed, or unknown: then there may be ever more of them.
    fn differ_by_computing(&self, a: AbstractId, b: AbstractId) -> bool {
        let may_vary = |id| !matches!(self.get(id), Abstract::Real { is_computed: false, .. });
        may_vary(a) || may_vary(b)
    }

    /// The join of two different abstract reals: the number itself if both have the same bits.
    fn same_number(&mut self, a: AbstractId, b: AbstractId) -> AbstractId {
        match (self.get(a), self.get(b)) {
            (Abstract::Real { bits, .. }, Abstract::Real { bits: other, .. }) if bits == other => {
                let real = bits.real();
                self.computed(real)
            }
            _ => self.any_real(),
        }
    }
}
