//! Functions of a unit and variables of a function, found by their numbers.

use super::effects::Effect;
use super::{Function, FunctionId, Kind, Number, Operand, Statement, Unit, Variable};
use vlad_table::internal_bug;

impl Function {
    /// Adds a variable.
    pub fn fresh(&mut self, kind: Kind) -> Variable {
        self.variables.push(kind);
        Variable(self.variables.len() as u32 - 1)
    }

    /// Adds variables of some kinds.
    pub fn fresh_all(&mut self, kinds: &[Kind]) -> Vec<Variable> {
        kinds.iter().map(|kind| self.fresh(*kind)).collect()
    }

    /// The kinds of variables.
    pub fn kinds(&self, variables: &[Variable]) -> Vec<Kind> {
        variables.iter().map(|variable| self.kind((*variable).into())).collect()
    }

    /// The kind of an operand.
    pub fn kind(&self, operand: Operand) -> Kind {
        match operand {
            Operand::Variable(variable) => match self.variables.get(variable.0 as usize) {
                Some(kind) => *kind,
                None => internal_bug!("every variable has a kind"),
            },
            Operand::Real(_) => Kind::Real,
            Operand::Boolean(_) => Kind::Boolean,
        }
    }
}

impl Unit {
    /// The number of its statements.
    pub fn size(&self) -> usize {
        self.functions.iter().map(|function| function.body.size()).sum()
    }

    /// The statements of all functions, in the order of their text.
    pub fn all_statements(&self) -> impl Iterator<Item = &Statement> {
        self.functions.iter().flat_map(|function| function.body.all_statements())
    }

    /// The effect that it has, as a clause; none if it has none.
    pub fn effect(&self) -> Option<&'static str> {
        self.all_statements().find_map(|statement| match statement.effect() {
            Effect::World if matches!(statement, Statement::Read { .. }) => Some("reads numbers"),
            Effect::World => Some("writes"),
            _ => None,
        })
    }

    /// The numbers of the functions.
    pub fn ids(&self) -> impl Iterator<Item = FunctionId> + use<> {
        (0..self.functions.len() as u32).map(FunctionId)
    }

    /// The functions with their numbers.
    pub fn numbered(&self) -> impl DoubleEndedIterator<Item = (FunctionId, &Function)> {
        self.functions.iter().enumerate().map(|(place, function)| (FunctionId::at(place), function))
    }

    /// The functions with their numbers, to be changed.
    pub fn numbered_mut(&mut self) -> impl Iterator<Item = (FunctionId, &mut Function)> {
        self.functions.iter_mut().enumerate().map(|(place, function)| (FunctionId::at(place), function))
    }

    /// Leaves the counts of steps out ([`crate::Block::remove_counts`]).
    pub fn remove_counts(&mut self) {
        self.functions.iter_mut().for_each(|function| function.body.remove_counts());
    }

    /// The function of a number, to be changed.
    pub fn function_mut(&mut self, id: FunctionId) -> &mut Function {
        match self.functions.get_mut(id.0 as usize) {
            Some(function) => function,
            None => internal_bug!("function {} is in the unit", id.0),
        }
    }

    /// The function of a number.
    pub fn function(&self, id: FunctionId) -> &Function {
        match self.functions.get(id.0 as usize) {
            Some(function) => function,
            None => internal_bug!("function {} is in the unit", id.0),
        }
    }
}
