//! Items of which nothing is known but the shape of their values: operands of exported procedures, and data ([`super::data`]).

use super::Analysis;
use super::specialiser::Global;
use super::values::domain::{AbstractId, Domain, Head};
use super::values::reason::Reason;
use std::fmt;
use vlad_core::Item;

/// The shape of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assumed {
    /// The empty list.
    Nil,
    /// Any real.
    Real,
    /// Any boolean.
    Boolean,
    /// A pair.
    Pair(Box<Assumed>, Box<Assumed>),
    /// An array of reals of so many dimensions, at least one and at most as many as arrays have: a vector of any length of arrays of
    /// one dimension less.
    Array(u32),
    /// The same of booleans.
    Booleans(u32),
    /// A vector of parts.
    Vector(Vec<Assumed>),
}

impl fmt::Display for Assumed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Assumed::Nil => f.write_str("()"),
            Assumed::Real => f.write_str("real"),
            Assumed::Boolean => f.write_str("boolean"),
            Assumed::Array(1) => f.write_str("vector"),
            Assumed::Array(2) => f.write_str("matrix"),
            Assumed::Array(rank) => write!(f, "array{rank}"),
            Assumed::Booleans(rank) => write!(f, "booleans{rank}"),
            Assumed::Vector(parts) => {
                f.write_str("#(")?;
                for (place, part) in parts.iter().enumerate() {
                    write!(f, "{}{part}", if place == 0 { "" } else { " " })?;
                }
                f.write_str(")")
            }
            Assumed::Pair(first, rest) => {
                write!(f, "({first}")?;
                let mut rest = rest;
                while let Assumed::Pair(first, others) = &**rest {
                    write!(f, " {first}")?;
                    rest = others;
                }
                if **rest != Assumed::Nil {
                    write!(f, " . {rest}")?;
                }
                f.write_str(")")
            }
        }
    }
}

impl Analysis<'_> {
    /// Passes over the next item: no later item depends on it.
    pub fn skip_item(&mut self) {
        self.items.next();
    }

    /// Passes over the next item, a definition. To later items its value is any one of a shape.
    ///
    /// # Errors
    /// Returns the reason if the value is too large.
    pub fn assume_item(&mut self, shape: &Assumed) -> Result<(), Reason> {
        let value = shape.value(&mut self.specialiser.domain)?;
        if let Some(Item::Define(global, _)) = self.items.next() {
            self.specialiser.define(*global, Global::Known(value));
        }
        Ok(())
    }
}

impl Assumed {
    /// The abstract value of a shape. Its depth is that of the text that it was read from, which is bounded.
    pub(super) fn value(&self, domain: &mut Domain) -> Result<AbstractId, Reason> {
        match self {
            Assumed::Nil => Ok(domain.nil()),
            Assumed::Real => Ok(domain.any_real()),
            Assumed::Boolean => Ok(domain.any_boolean()),
            Assumed::Pair(first, second) => {
                let (first, second) = (first.value(domain)?, second.value(domain)?);
                domain.pair(first, second)
            }
            Assumed::Array(rank) => {
                let real = domain.any_real();
                (0..*rank).try_fold(real, |element, _| array(domain, element))
            }
            Assumed::Booleans(rank) => {
                let boolean = domain.any_boolean();
                (0..*rank).try_fold(boolean, |element, _| array(domain, element))
            }
            Assumed::Vector(parts) => {
                let parts: Result<Vec<AbstractId>, Reason> = parts.iter().map(|part| part.value(domain)).collect();
                domain.compose(Head::Vector, &parts?)
            }
        }
    }
}

fn array(domain: &mut Domain, element: AbstractId) -> Result<AbstractId, Reason> {
    match domain.array(element)? {
        Some(array) => Ok(array),
        None => vlad_table::internal_bug!("there are arrays of reals of as many dimensions"),
    }
}
