//! The log of a computation: each operation on reals at the outermost level, as it is executed, and its cotangent, as the
//! reverse sweep reads it. `vlad trace` shows it.
//!
//! Nothing is computed for a log: it reads the numbers that operations and sweeps work with. Operations of older derivatives
//! inside, and of their coefficients and sweeps, are among its entries, since they are operations at the outermost level as
//! well. An operation that is executed again, under `checkpoint-*j`, has one entry.

use std::collections::HashMap;
use std::rc::Rc;
use vlad_core::ExpressionId;
use vlad_table::Operation;
use vlad_values::{LevelPart, Lifted, Number};

/// The log of the operations at the outermost level.
#[derive(Debug)]
pub struct OperationLog {
    /// The positions of the operand, in order.
    pub inputs: Vec<Input>,
    /// The operations, in the order of their first executions. The number of an operation is that of the inputs and of the
    /// operations before it.
    pub operations: Vec<LoggedOperation>,
    /// The cotangents that the positions of the value were given: the number of an input or operation, and the cotangent.
    pub seeds: Vec<(u64, f64)>,
    /// The number of reverse sweeps.
    pub sweeps: u32,
    /// True if there were more operations than the log may have.
    pub is_full: bool,
    most: usize,
    place: Place,
    /// The numbers of lifted reals of forward mode, which the log keeps alive.
    numbers: HashMap<*const Lifted, u64>,
    kept: Vec<Rc<Lifted>>,
}

/// A position of the operand.
#[derive(Clone, Copy, Debug)]
pub struct Input {
    /// Its value.
    pub value: f64,
    /// Its tangent, in forward mode.
    pub tangent: Option<f64>,
}

/// An execution of an operation.
#[derive(Clone, Debug)]
pub struct LoggedOperation {
    /// The operation.
    pub operation: Operation,
    /// Its operands, one or two.
    pub operands: [Option<Operand>; 2],
    /// The result.
    pub value: f64,
    /// The tangent of the result, in forward mode.
    pub tangent: Option<f64>,
    /// The application that executes it.
    pub place: Place,
    /// The number of executions.
    pub executions: u32,
    /// The reverse step, in reverse mode, if the sweep came to it.
    pub reverse: Option<ReverseStep>,
}

/// An operand of an operation.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    /// Its value.
    pub value: f64,
    /// The number of the input or operation that it comes from; none for a constant of the computation.
    pub source: Option<u64>,
}

/// The step of a reverse sweep at an operation.
#[derive(Clone, Copy, Debug)]
pub struct ReverseStep {
    /// The accumulated cotangent of the result.
    pub cotangent: f64,
    /// The contributions to the operands.
    pub contributions: [Option<f64>; 2],
    /// The number of the sweep, from 1.
    pub sweep: u32,
}

/// The place of an operation: the application, and the one of the user's program through which library code was entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The application.
    pub node: ExpressionId,
    /// The call site.
    pub site: ExpressionId,
}

impl OperationLog {
    /// An empty log, of at most so many operations.
    pub fn new(most: usize) -> OperationLog {
        let start = ExpressionId(0);
        OperationLog {
            inputs: Vec::new(),
            operations: Vec::new(),
            seeds: Vec::new(),
            sweeps: 0,
            is_full: false,
            most,
            place: Place { node: start, site: start },
            numbers: HashMap::new(),
            kept: Vec::new(),
        }
    }

    /// Notes the application that executes the operations that follow.
    pub(crate) fn at(&mut self, place: Place) {
        self.place = place;
    }

    /// Notes a position of the operand.
    pub(crate) fn input(&mut self, number: &Number) {
        let Number::Lifted(lifted) = number else { return };
        let tangent = self.tangent(lifted, self.inputs.len() as u64);
        self.inputs.push(Input { value: lifted.primal.base(), tangent });
    }

    /// Notes an execution of an operation, with its result, which is a real of the level.
    pub(crate) fn operation(&mut self, operation: Operation, operands: [Option<&Number>; 2], result: &Rc<Lifted>) {
        let place = match result.part {
            LevelPart::Node(node) => {
                let Some(place) = (node as usize).checked_sub(self.inputs.len()) else { return };
                if let Some(known) = self.operations.get_mut(place) {
                    known.executions += 1;
                    return;
                }
                place
            }
            LevelPart::Tangent(_) => self.operations.len(),
        };
        if place >= self.most {
            self.is_full = true;
            return;
        }
        let operands = operands.map(|operand| operand.map(|operand| self.operand(operand)));
        let tangent = self.tangent(result, (self.inputs.len() + place) as u64);
        let value = result.primal.base();
        self.operations.push(LoggedOperation {
            operation,
            operands,
            value,
            tangent,
            place: self.place,
            executions: 1,
            reverse: None,
        });
    }

    /// The tangent of a real of forward mode, which gets a number.
    fn tangent(&mut self, lifted: &Rc<Lifted>, number: u64) -> Option<f64> {
        match &lifted.part {
            LevelPart::Tangent(tangent) => {
                self.numbers.insert(Rc::as_ptr(lifted), number);
                self.kept.push(Rc::clone(lifted));
                Some(tangent.base())
            }
            LevelPart::Node(_) => None,
        }
    }

    fn operand(&self, number: &Number) -> Operand {
        let source = match number {
            Number::Lifted(lifted) => match lifted.part {
                LevelPart::Node(node) => Some(node),
                LevelPart::Tangent(_) => self.numbers.get(&Rc::as_ptr(lifted)).copied(),
            },
            Number::Real(_) => None,
        };
        Operand { value: number.base(), source }
    }

    /// Notes a cotangent that a position of the value was given.
    pub(crate) fn seed(&mut self, node: u64, cotangent: &Number) {
        self.seeds.push((node, cotangent.base()));
    }

    /// Notes that a reverse sweep begins.
    pub(crate) fn begin_sweep(&mut self) {
        self.sweeps += 1;
    }

    /// Notes the reverse step of a node.
    pub(crate) fn reverse(&mut self, node: u64, cotangent: &Number, contributions: [Option<f64>; 2]) {
        let (sweep, inputs) = (self.sweeps, self.inputs.len());
        let place = (node as usize).checked_sub(inputs);
        if let Some(operation) = place.and_then(|place| self.operations.get_mut(place)) {
            operation.reverse = Some(ReverseStep { cotangent: cotangent.base(), contributions, sweep });
        }
    }
}
