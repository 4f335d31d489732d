//! Joins of abstract values (the paper's union), and their widening.

use super::{Abstract, AbstractId, Domain, Head, Misfit, Reason, Unions};

/// The way in which two abstract values are brought together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Widening {
    /// To the least abstract value above both (the paper's union), which may be one of those unions.
    Join(Unions),
    /// To a value whose computed reals are [`Abstract::AnyReal`] where the two differ. There is none if they differ
    /// elsewhere.
    ComputedOnly,
}

/// The cause for which there is no value above two.
#[derive(Clone, Debug)]
pub(super) enum NoJoin {
    /// There is none.
    Misfit(Misfit),
    /// It is too large.
    Reason(Reason),
}

impl From<Reason> for NoJoin {
    fn from(reason: Reason) -> NoJoin {
        NoJoin::Reason(reason)
    }
}

impl From<Misfit> for NoJoin {
    fn from(misfit: Misfit) -> NoJoin {
        NoJoin::Misfit(misfit)
    }
}

impl Domain {
    /// The least abstract value above two, or the obstacle to it.
    ///
    /// # Errors
    /// Returns the reason if the value is too large.
    pub fn join(&mut self, a: AbstractId, b: AbstractId, unions: Unions) -> Result<Result<AbstractId, Misfit>, Reason> {
        match self.widen(a, b, Widening::Join(unions)) {
            Ok(joined) => Ok(Ok(joined)),
            Err(NoJoin::Misfit(misfit)) => Ok(Err(misfit)),
            Err(NoJoin::Reason(reason)) => Err(reason),
        }
    }

    /// A value above two that differ in computed reals only; none if they differ elsewhere.
    ///
    /// # Errors
    /// Returns the reason if the value is too large.
    pub fn generalise(&mut self, a: AbstractId, b: AbstractId) -> Result<Option<AbstractId>, Reason> {
        if self.row(a).1.skeleton != self.row(b).1.skeleton {
            return Ok(None);
        }
        match self.widen(a, b, Widening::ComputedOnly) {
            Ok(general) => Ok(Some(general)),
            Err(NoJoin::Misfit(_)) => Ok(None),
            Err(NoJoin::Reason(reason)) => Err(reason),
        }
    }

    pub(super) fn widen(&mut self, a: AbstractId, b: AbstractId, widening: Widening) -> Result<AbstractId, NoJoin> {
        // Chains of pairs are walked in a loop; the depth of the rest is bounded.
        let (mut firsts, mut a, mut b) = (Vec::new(), a, b);
        let mut joined = loop {
            self.walked += 1;
            if a == b {
                break a;
            }
            match (self.get(a), self.get(b)) {
                (&Abstract::Pair(first_a, second_a), &Abstract::Pair(first_b, second_b)) => {
                    firsts.push(self.widen(first_a, first_b, widening)?);
                    (a, b) = (second_a, second_b);
                }
                (Abstract::Back, _) if matches!(widening, Widening::Join(_)) => {
                    self.absorbed.push(b);
                    break a;
                }
                (_, Abstract::Back) if matches!(widening, Widening::Join(_)) => {
                    self.absorbed.push(a);
                    break b;
                }
                (Abstract::Real { .. } | Abstract::AnyReal, Abstract::Real { .. } | Abstract::AnyReal) => {
                    if widening == Widening::ComputedOnly && !self.differ_by_computing(a, b) {
                        return Err(Misfit::Shapes.into());
                    }
                    break self.same_number(a, b);
                }
                (Abstract::Boolean(_) | Abstract::AnyBoolean, Abstract::Boolean(_) | Abstract::AnyBoolean)
                    if matches!(widening, Widening::Join(_)) =>
                {
                    break self.any_boolean();
                }
                (Abstract::Array(_), Abstract::Array(_) | Abstract::Vector(_))
                | (Abstract::Vector(_), Abstract::Array(_)) => match widening {
                    Widening::Join(_) => break self.rectangular(a, b)?.ok_or(Misfit::Array)?,
                    Widening::ComputedOnly => return Err(Misfit::Shapes.into()),
                },
                _ => {
                    let ((head, parts), (other, other_parts)) = (self.decompose(a), self.decompose(b));
                    let is_alike = head == other && head != Head::Atom && parts.len() == other_parts.len();
                    if let Widening::Join(unions) = widening
                        && (!is_alike || head == Head::Union)
                    {
                        break self.united(a, b, unions)?;
                    }
                    if !is_alike {
                        return Err(Misfit::Shapes.into());
                    }
                    let mut joined = Vec::with_capacity(parts.len());
                    for (part, other) in parts.iter().zip(&other_parts) {
                        joined.push(self.widen(*part, *other, widening)?);
                    }
                    break self.compose(head, &joined)?;
                }
            }
        };
        for first in firsts.into_iter().rev() {
            joined = self.pair(first, joined)?;
        }
        Ok(joined)
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
