//! The trace of code with cells.
//!
//! The node of a real that a cell may hold has its accumulator in memory ([`super::super::memory::references`]), from the
//! operation on that makes it: the sweep adds contributions there, and takes the sum when it comes to the operation. All
//! other nodes are told apart as in code without cells. A held real has the same reference wherever it is moved, so
//! nothing is known of which node it is, and nothing has to be.

use super::super::nodes::{Identity, Node, Step};
use super::blocks::Tracer;
use crate::differentiate::refusal::{Refusal, RefusalKind};
use crate::{FunctionId, Kind, Operand, Statement, Variable};

impl Tracer<'_> {
    /// The reference of a variable of the source.
    pub fn reference(&self, variable: Variable) -> Option<Operand> {
        self.references?.get(self.source, variable)
    }

    /// True for a function with references: it is traced whatever its arguments are.
    pub fn has_references(&self, function: FunctionId) -> bool {
        self.references.is_some_and(|references| references.has(function))
    }

    /// Makes those variables of the source that have references the nodes that these refer to.
    pub fn refer(&mut self, variables: &[Variable]) {
        let of_source = self.unit.function(self.source);
        for variable in variables.iter().filter(|variable| of_source.kind((**variable).into()) == Kind::Real) {
            let Some(reference) = self.reference(*variable) else { continue };
            if let Operand::Variable(made) = self.value(Operand::Variable(*variable)) {
                let node = self.draft.node();
                self.draft.references.insert(node, self.value(reference));
                self.draft.identify(made, Identity::of(node));
            }
        }
    }

    /// After a value that may have a reference has been made: its accumulator, if it is a node; else an absent cell.
    pub fn make_reference(&mut self, source: Variable, node: Option<Node>) {
        let Some(Operand::Variable(reference)) = self.reference(source) else { return };
        let reference = self.assigned(reference);
        let Some(node) = node else {
            return self.push([Statement::Cell { target: reference, parts: Vec::new() }]);
        };
        self.steps.push(Step::Allocate { node, reference });
        self.refer(&[source]);
    }

    /// Traces a statement on cells, on accumulators in memory, or on arrays beside cells.
    pub fn on_cell(&mut self, statement: &Statement) -> Result<(), Refusal> {
        if self.references.is_none() {
            return Err(Refusal::new(RefusalKind::Cells));
        }
        self.plain(statement);
        self.refer(statement.targets());
        Ok(())
    }
}
