//! Abstract vectors of any length.

use super::{Abstract, AbstractId, Arrays, Domain, Facts, Head, Reason, bounded, hash_of};

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
        if kinds.is_empty() || kinds.iter().any(|kind| kind.array().is_none()) {
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
