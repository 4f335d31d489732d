//! The definitions of the variables of a function, in the order of its text.

use std::collections::HashMap;
use vlad_first_order::Storage;
use vlad_first_order::effects::Effect;
use vlad_first_order::storage::words::Place;
use vlad_first_order::{Block, Statement, Variable};

/// The definitions of the variables of a function.
#[derive(Default)]
pub struct Definitions<'unit> {
    /// The statements, in the order of the text.
    pub statements: Vec<&'unit Statement>,
    /// The place of the statement that defines a variable; of a state and an index, that of the loop.
    pub places: HashMap<Variable, usize>,
    /// The statements after which an array may have other elements, or its memory may be free.
    changes: Vec<usize>,
    /// The loops: the place of each, and the place after its last statement.
    loops: Vec<(usize, usize)>,
    /// The words of popped reals: the name of the address of their record, and their place in it.
    pub words: HashMap<Variable, (String, Place)>,
}

impl<'unit> Definitions<'unit> {
    /// The definitions of a block.
    pub fn of(block: &'unit Block) -> Definitions<'unit> {
        let mut definitions = Definitions::default();
        definitions.add(block);
        definitions
    }

    fn add(&mut self, block: &'unit Block) {
        for statement in &block.statements {
            let place = self.statements.len();
            self.statements.push(statement);
            let variables = statement.targets().iter().chain(statement.inner_variables());
            self.places.extend(variables.map(|variable| (*variable, place)));
            if changes_arrays(statement) {
                self.changes.push(place);
            }
            if let Some(inner) = statement.block() {
                self.add(inner);
                if !matches!(statement, Statement::Bind { .. }) {
                    self.loops.push((place, self.statements.len()));
                }
            }
        }
        for inner in block.end.blocks().into_iter().flatten() {
            self.add(inner);
        }
    }

    /// Notes that reals are read in the words of a record that has a name of its own in all of an iteration.
    pub fn add_words(&mut self, record: &str, targets: &[Variable], places: &[Place]) {
        let words = targets.iter().zip(places).filter(|(_, place)| matches!(place, Place::Real(_)));
        self.words.extend(words.map(|(target, place)| (*target, (record.to_owned(), *place))));
    }

    /// The place of the innermost loop around a statement; none outside of loops.
    pub fn iteration(&self, place: usize) -> Option<usize> {
        self.loops.iter().filter(|(begin, end)| (*begin + 1..*end).contains(&place)).map(|(begin, _)| *begin).max()
    }

    /// Returns true if arrays are what they were between two places of an iteration.
    pub fn stay(&self, first: usize, second: usize) -> bool {
        !self.changes.iter().any(|place| (first..second).contains(place))
    }
}

/// Returns true if an array may have other elements after a statement, or its memory may be free.
fn changes_arrays(statement: &Statement) -> bool {
    matches!(statement.effect(), Effect::Store | Effect::Call | Effect::Repeated)
        || matches!(statement, Statement::Act { .. } | Statement::Storage(Storage::Keep { .. }))
}
