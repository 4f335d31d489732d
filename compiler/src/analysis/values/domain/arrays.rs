//! Abstract vectors of any length.

use super::{Abstract, AbstractId, Arrays, Domain, Facts, Head, Reason, bounded, hash_of};
use vlad_first_order::kind::MOST_RANK;

impl Domain {
    /// The arrays that a value contains.
    pub fn arrays(&self, id: AbstractId) -> Arrays {
        self.row(id).1.arrays
    }

    /// Vectors of any length of such elements, if their kinds permit arrays of them.
    ///
    /// # Errors
    /// Returns the reason if the value is too large.
    pub fn array(&mut self, element: AbstractId) -> Result<Option<AbstractId>, Reason> {
        let kinds = self.kinds(element);
        if self.arrays(element) == Arrays::Alternatives
            || kinds.is_empty()
            || kinds.iter().any(|kind| kind.array().is_none())
        {
            return Ok(None);
        }
        let of_element = self.row(element).1;
        let is_plain = matches!(self.get(element), Abstract::AnyReal | Abstract::AnyBoolean | Abstract::Array(_));
        let facts = Facts {
            size: of_element.size.saturating_add(1),
            depth: of_element.depth + 1,
            skeleton: hash_of(&(of_element.skeleton, "array")),
            arrays: of_element.arrays.max(if is_plain { Arrays::Plain } else { Arrays::OfParts }),
            ..of_element
        };
        bounded(facts)?;
        Ok(Some(self.number(Abstract::Array(element), facts)))
    }

    /// The arrays of scalars that vectors of known and of unknown lengths may be seen as, if they have the shape of such.
    ///
    /// # Errors
    /// Returns the reason if the value is too large.
    pub fn rectangular(&mut self, a: AbstractId, b: AbstractId) -> Result<Option<AbstractId>, Reason> {
        for scalar in [self.any_real(), self.any_boolean()] {
            let both_have = |rank: &u8| self.has_rank(a, *rank, scalar) && self.has_rank(b, *rank, scalar);
            let Some(rank) = (1..=MOST_RANK).find(both_have) else { continue };
            let mut of = scalar;
            for _ in 0..rank {
                let Some(array) = self.array(of)? else { return Ok(None) };
                of = array;
            }
            return Ok(Some(of));
        }
        Ok(None)
    }

    /// Returns true for scalars, vectors of them, and so on, of so many dimensions, which bound the depth.
    fn has_rank(&self, of: AbstractId, rank: u8, scalar: AbstractId) -> bool {
        match (self.get(of), self.get(scalar)) {
            (Abstract::Array(element), _) => rank > 0 && self.has_rank(*element, rank - 1, scalar),
            (Abstract::Vector(parts), _) => rank > 0 && parts.iter().all(|part| self.has_rank(*part, rank - 1, scalar)),
            (Abstract::Real { .. }, Abstract::AnyReal) | (Abstract::Boolean(_), Abstract::AnyBoolean) => rank == 0,
            _ => rank == 0 && of == scalar,
        }
    }

    /// An abstract value without its known reals and booleans: the least one above all that differ from it in these alone.
    ///
    /// # Errors
    /// Returns the reason if the value is too large.
    pub fn without_knowledge(&mut self, id: AbstractId) -> Result<AbstractId, Reason> {
        match self.get(id) {
            Abstract::Real { .. } => Ok(self.any_real()),
            Abstract::Boolean(_) => Ok(self.any_boolean()),
            _ => {
                let (head, parts) = self.decompose(id);
                if head == Head::Atom {
                    return Ok(id);
                }
                let parts: Result<Vec<_>, _> = parts.iter().map(|part| self.without_knowledge(*part)).collect();
                self.compose(head, &parts?)
            }
        }
    }
}
