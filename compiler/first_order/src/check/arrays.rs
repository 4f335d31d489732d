//! The checks of statements on arrays.

use super::{Construct, Scope};
use crate::{Elements, Kind, Operand, Scalar, Statement, Variable};

impl Scope<'_> {
    /// The kind of the elements of an operand that is an array.
    fn element(&self, array: Operand) -> Result<Kind, String> {
        self.kind(array)?.element().ok_or_else(|| "an operand that is indexed is no array".to_owned())
    }

    /// The kind of the elements of an operand that is an array of scalars.
    fn scalar(&self, array: Operand) -> Result<Kind, String> {
        match self.element(array)? {
            Kind::Array(_) => Err("an array whose elements are replaced has scalars".to_owned()),
            element => Ok(element),
        }
    }

    /// Checks an index: a real, or an integer of storage code.
    fn index(&self, index: Operand) -> Result<(), String> {
        match self.kind(index)? {
            Kind::Real | Kind::Integer => Ok(()),
            Kind::Boolean | Kind::Array(_) | Kind::Cell => {
                Err("number 0 of the indices is of the wrong kind".to_owned())
            }
        }
    }

    /// Checks a statement on arrays.
    pub fn on_array(&mut self, statement: &Statement, depth: usize) -> Result<(), String> {
        let of_reals = |kind| matches!(kind, Kind::Array(Elements { scalar: Scalar::Real, .. }));
        match statement {
            Statement::Array { target, elements } => {
                let kinds = self.kinds(&[*target])?;
                let element = kinds.first().and_then(|kind| kind.element()).ok_or("an array is of an array's kind")?;
                self.operands("elements", elements, &vec![element; elements.len()])?;
                self.targets(&[*target], &kinds)
            }
            Statement::Build { targets, length, index, body } => {
                self.operands("lengths", &[*length], &[Kind::Real])?;
                self.targets_of(&[*index], Kind::Real)?;
                let arrays = self.kinds(targets)?;
                let elements: Option<Vec<Kind>> = arrays.iter().map(|kind| kind.element()).collect();
                let elements = elements.ok_or("what is built is an array")?;
                self.block(body, Construct { results: &elements, state: None }, depth + 1)?;
                self.hide(&[*index]);
                self.targets(targets, &arrays)
            }
            Statement::Element { target, array, index } => {
                let kind = self.element(*array)?;
                self.index(*index)?;
                self.targets(&[*target], &[kind])
            }
            Statement::Length { target, array } => {
                self.element(*array)?;
                self.targets(&[*target], &[self.number_kind(*target)])
            }
            Statement::IsIndex { target, array, index } => {
                self.element(*array)?;
                self.index(*index)?;
                self.targets(&[*target], &[Kind::Boolean])
            }
            Statement::CompareArrays { target, first, second, .. } => {
                self.element(*first)?;
                let kind = self.kind(*first)?;
                self.operands("operands", &[*second], &[kind])?;
                self.targets(&[*target], &[Kind::Boolean])
            }
            Statement::Zeros { target, like } | Statement::Accumulators { target, like } => {
                let kind = self.kind(*like)?;
                if !of_reals(kind) {
                    return Err("zeros have the lengths of an array of reals".to_owned());
                }
                self.targets(&[*target], &[kind])
            }
            Statement::Load { target, array, index } => {
                let element = self.scalar(*array)?;
                self.index(*index)?;
                self.targets(&[*target], &[element])
            }
            Statement::Store { array, index, value } => {
                self.index(*index)?;
                let element = self.element(*array)?;
                self.operands("operands", &[*value], &[element])
            }
            Statement::Replace { target, array, index, value, node: _ } => {
                let element = self.scalar(*array)?;
                let kind = self.kind(*array)?;
                self.operands("operands", &[*index, *value], &[Kind::Real, element])?;
                self.targets(&[*target], &[kind])
            }
            _ => Err("a statement on arrays is expected".to_owned()),
        }
    }

    /// Assigns targets that are all of one kind.
    fn targets_of(&mut self, targets: &[Variable], kind: Kind) -> Result<(), String> {
        self.targets(targets, &vec![kind; targets.len()])
    }
}
