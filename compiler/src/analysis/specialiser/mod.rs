//! Instances: a procedure specialised on abstract values of its slots and its argument, the paper's entries
//! (closure, argument) |-> result of an analysis.
//!
//! An instance begins with no result: as far as is known, it never returns. It is evaluated again whenever the result of an instance
//! that it calls grows, until nothing changes; then the code agrees with all results. Every chain of growing values is finite.

pub(super) mod budget;
pub(super) mod code;
pub(super) mod execution;
pub mod frame;
mod global;
pub(super) mod instance;
pub(super) mod worth;

pub use global::{Elements, Global};

use super::values::domain::{Abstract, AbstractId, Domain, Unions};
use super::values::reason::{Cause, Reason, Stop};
use super::values::value::{Leaves, Rows, Value};
use budget::{Budget, Unrolling};
use code::Code;
use execution::Sweep;
use frame::Frame;
use instance::{Instance, InstanceId, Subject};
use std::collections::{HashMap, VecDeque};
use vlad_core::{ExpressionId, GlobalId, LambdaId, Program};
use vlad_first_order::template::{Line, Template};
use vlad_first_order::{End, Function, FunctionId, Kind, Operand, Statement, Table, Variable};
use vlad_table::{Primitive, internal_bug};
use vlad_values::print::Layout;
use worth::Weighing;

/// The depth of calls at which the analysis gives up: a structure or a computation is unrolled without end.
const MOST_UNROLLED_CALLS: u32 = 1_500;

/// The depth of instances that are evaluated where they are called first; deeper ones are put off.
const MOST_NESTED_INSTANCES: u32 = 12;

/// The analysis of a program.
pub struct Specialiser<'program> {
    pub(in crate::analysis) program: &'program Program,
    pub(in crate::analysis) domain: Domain,
    pub(in crate::analysis) budget: Budget,
    pub(in crate::analysis) globals: Vec<Global>,
    /// For each lambda the number of its class of equal code.
    pub(in crate::analysis) classes: Vec<u32>,
    pub(in crate::analysis) instances: Table<InstanceId, Instance>,
    pub(in crate::analysis) numbers: HashMap<Subject, InstanceId>,
    queue: VecDeque<InstanceId>,
    /// The instances with code of the item that is done, by the numbers of their functions.
    pub(in crate::analysis) reached: Vec<InstanceId>,
    nested: u32,
    pub(in crate::analysis) unrolling: Unrolling,
    /// The joins of values of the item that differ in more than reals and booleans.
    pub(in crate::analysis) unions: Unions,
    inputs: Vec<(GlobalId, Template)>,
    /// For each global that is read the number of its first leaf among the inputs.
    input_places: HashMap<GlobalId, u32>,
    input_count: u32,
    pub(in crate::analysis) written: Vec<Line>,
    /// True if the item compares backpropagators.
    pub(in crate::analysis) compares_backpropagators: bool,
    /// True if the item applies procedures with tags of `perturb` or `sensitize`.
    pub(in crate::analysis) applies_tagged: bool,
    pub(in crate::analysis) written_places: HashMap<(AbstractId, Layout), u32>,
    /// The procedure `build` of the prelude.
    pub(in crate::analysis) build: Option<LambdaId>,
    /// The number of vectors of the item that are arrays though their length is known.
    pub(in crate::analysis) known_arrays: usize,
    /// True if there are to be no such arrays.
    pub(in crate::analysis) takes_known_apart: bool,
    /// The rows of known lengths that are arrays.
    pub(in crate::analysis) rows: Rows,
    /// The items whose conversions are weighed.
    pub(in crate::analysis) weighing: Weighing,
    /// The elements of data that items read.
    pub(in crate::analysis) elements: Elements,
    /// True if the item reads data.
    pub(in crate::analysis) reads_data: bool,
    /// The shape of the data that the item defines.
    pub(in crate::analysis) shape: Option<AbstractId>,
}

impl<'program> Specialiser<'program> {
    /// An analysis before the first item.
    pub fn new(program: &'program Program, weighing: Weighing) -> Specialiser<'program> {
        Specialiser {
            program,
            domain: Domain::default(),
            budget: Budget::new(),
            globals: vec![Global::Unbound; program.globals.len()],
            classes: vlad_core::equality::code_classes(program),
            instances: Table::default(),
            numbers: HashMap::new(),
            queue: VecDeque::new(),
            reached: Vec::new(),
            nested: 0,
            unrolling: Unrolling::Few,
            unions: Unions::Refused,
            inputs: Vec::new(),
            input_places: HashMap::new(),
            input_count: 0,
            written: Vec::new(),
            compares_backpropagators: false,
            applies_tagged: false,
            written_places: HashMap::new(),
            build: None,
            known_arrays: 0,
            takes_known_apart: false,
            rows: Rows::OfValue,
            weighing,
            elements: Elements::Unknown,
            reads_data: false,
            shape: None,
        }
    }

    /// Forgets the instances of the item before, or of an earlier attempt.
    pub(in crate::analysis) fn begin_item(&mut self, unrolling: Unrolling, unions: Unions) {
        self.budget.begin_item(unions);
        self.unrolling = unrolling;
        self.unions = unions;
        self.nested = 0;
        self.instances = Table::default();
        self.numbers.clear();
        self.queue.clear();
        self.reached.clear();
        self.inputs.clear();
        self.input_places.clear();
        self.input_count = 0;
        self.written.clear();
        self.compares_backpropagators = false;
        self.applies_tagged = false;
        self.written_places.clear();
        self.known_arrays = 0;
        self.reads_data = false;
    }

    /// Evaluates an item until nothing changes. Returns its instance.
    pub(in crate::analysis) fn fixpoint(&mut self, node: ExpressionId) -> Result<InstanceId, Reason> {
        let entry = self.instance(Subject::Item(node), node, None, false)?;
        self.enqueue(entry);
        while let Some(next) = self.queue.pop_front() {
            self.evaluate_queued(next)?;
        }
        Ok(entry)
    }

    fn evaluate_queued(&mut self, id: InstanceId) -> Result<(), Reason> {
        self.row_mut(id).is_queued = false;
        if self.row(id).replaced_by.is_none() { self.evaluate(id) } else { Ok(()) }
    }

    pub(in crate::analysis) fn row(&self, id: InstanceId) -> &Instance {
        &self.instances[id]
    }

    pub(in crate::analysis) fn row_mut(&mut self, id: InstanceId) -> &mut Instance {
        &mut self.instances[id]
    }

    /// The result of an instance.
    pub(in crate::analysis) fn result(&self, id: InstanceId) -> Option<AbstractId> {
        self.row(id).result
    }

    /// The inputs that are read.
    pub(in crate::analysis) fn take_inputs(&mut self) -> Vec<(GlobalId, Template)> {
        std::mem::take(&mut self.inputs)
    }

    /// The code of an instance, which is taken, the sweeps of backpropagators in it, and the last targets of calls whose steps
    /// are counted.
    pub(in crate::analysis) fn take_code(&mut self, id: InstanceId) -> (Function, Vec<Sweep>, Vec<Variable>) {
        let row = self.row_mut(id);
        match row.code.take() {
            Some(code) => (code, std::mem::take(&mut row.sweeps), std::mem::take(&mut row.counted)),
            None => internal_bug!("an instance that is called has been evaluated"),
        }
    }

    pub(in crate::analysis) fn enqueue(&mut self, id: InstanceId) {
        let row = self.row_mut(id);
        if !row.is_queued {
            row.is_queued = true;
            self.queue.push_back(id);
        }
    }

    pub(in crate::analysis) fn instance(
        &mut self,
        subject: Subject,
        node: ExpressionId,
        parent: Option<InstanceId>,
        is_conditional: bool,
    ) -> Result<InstanceId, Reason> {
        if let Some(id) = self.numbers.get(&subject) {
            return Ok(*id);
        }
        self.budget.instances(self.instances.len() + 1).map_err(|reason| reason.at(node))?;
        let depth = parent.map_or(0, |parent| self.row(parent).depth + 1);
        if depth > MOST_UNROLLED_CALLS {
            return Err(Reason::new(Cause::Unrolled(MOST_UNROLLED_CALLS)).at(node));
        }
        let id = self.instances.push(Instance { parent, depth, is_conditional, ..Instance::new(subject, node) });
        self.numbers.insert(subject, id);
        Ok(id)
    }

    /// Follows replacements.
    pub(in crate::analysis) fn current(&self, mut id: InstanceId) -> InstanceId {
        while let Some(by) = self.row(id).replaced_by {
            id = by;
        }
        id
    }

    /// Calls the instance of an application.
    pub(in crate::analysis) fn call(
        &mut self,
        frame: &mut Frame,
        operator: &Value,
        argument: &Value,
        node: ExpressionId,
    ) -> Result<Value, Stop> {
        let (id, result) = self.callee(frame, operator.of, argument.of, node)?;
        let arguments = self.arguments(frame, id, operator, argument)?;
        let targets = self.targets(frame, &self.kinds(result));
        self.budget.leaves(arguments.len() + targets.len()).map_err(|reason| reason.at(node))?;
        frame.code.add(Statement::Call { targets: targets.clone(), function: FunctionId(id.0), arguments });
        let leaves: Vec<Operand> = targets.into_iter().map(Operand::Variable).collect();
        Ok(Value { of: result, leaves: leaves.into() })
    }

    /// Fresh variables of some kinds.
    pub(in crate::analysis) fn targets(&self, frame: &mut Frame, kinds: &[Kind]) -> Vec<Variable> {
        kinds.iter().map(|kind| frame.code.fresh(*kind)).collect()
    }

    /// The operands of a call of an instance: the leaves of the operator, and those of the argument.
    pub(in crate::analysis) fn arguments(
        &mut self,
        frame: &mut Frame,
        id: InstanceId,
        operator: &Value,
        argument: &Value,
    ) -> Result<Vec<Operand>, Stop> {
        let (general_operator, general_argument) = self.application(id);
        let mut operands = self.coerced(frame, operator, general_operator)?;
        operands.extend(self.coerced(frame, argument, general_argument)?);
        Ok(operands)
    }

    /// The operator and the argument of an instance that is called.
    pub(in crate::analysis) fn application(&self, id: InstanceId) -> (AbstractId, AbstractId) {
        match self.row(id).subject {
            Subject::Application(operator, argument) => (operator, argument),
            Subject::Item(_)
            | Subject::Flat(..)
            | Subject::Counted(_)
            | Subject::Stored(..)
            | Subject::MadeAgain(_)
            | Subject::Listed(..)
            | Subject::Filled(_) => internal_bug!("an application is expected"),
        }
    }

    /// The instance of an application and its result, on which the caller depends from now on.
    pub(in crate::analysis) fn callee(
        &mut self,
        frame: &Frame,
        operator: AbstractId,
        argument: AbstractId,
        node: ExpressionId,
    ) -> Result<(InstanceId, AbstractId), Stop> {
        let id = self.instance_for(frame, operator, argument, node)?;
        self.depended_on(frame, id, node)
    }

    /// The instance of any subject and its result, on which the caller depends from now on.
    pub(in crate::analysis) fn called(
        &mut self,
        frame: &Frame,
        subject: Subject,
        node: ExpressionId,
    ) -> Result<(InstanceId, AbstractId), Stop> {
        let is_conditional = frame.unknown_conditions > 0;
        let id = self.instance(subject, node, Some(frame.instance), is_conditional)?;
        self.depended_on(frame, id, node)
    }

    fn depended_on(
        &mut self,
        frame: &Frame,
        mut id: InstanceId,
        node: ExpressionId,
    ) -> Result<(InstanceId, AbstractId), Stop> {
        loop {
            self.row_mut(id).dependents.insert(frame.instance);
            self.row_mut(frame.instance).callees.insert(id);
            if self.row(id).code.is_none() && !self.row(id).is_running {
                if self.nested < MOST_NESTED_INSTANCES {
                    let before = self.queue.len();
                    self.evaluate(id)?;
                    self.settle(before)?;
                } else {
                    self.enqueue(id);
                }
            }
            let current = self.current(id);
            if current == id {
                break;
            }
            id = current;
        }
        match self.row(id).result {
            Some(result) => Ok((id, result)),
            None => Err(Stop::Never(node)),
        }
    }

    /// Evaluates what an instance that was called has put into the queue until nothing in it changes but what is being
    /// evaluated: a caller sees what a loop of its own has grown to, not the first steps of it.
    fn settle(&mut self, before: usize) -> Result<(), Reason> {
        let is_idle = |this: &Self, id: &InstanceId| !this.row(*id).is_running;
        while let Some(place) = self.queue.iter().skip(before).position(|id| is_idle(self, id)) {
            let Some(next) = self.queue.remove(before + place) else { break };
            self.evaluate_queued(next)?;
        }
        Ok(())
    }

    /// Evaluates an instance once. If its result grows, what depends on it is evaluated again.
    fn evaluate(&mut self, id: InstanceId) -> Result<(), Reason> {
        self.nested += 1;
        self.row_mut(id).is_running = true;
        let outcome = self.evaluate_subject(id);
        self.row_mut(id).is_running = false;
        self.nested -= 1;
        let (code, result) = outcome?;
        let row = self.row_mut(id);
        row.code = Some(code);
        if row.result != result {
            row.result = result;
            let dependents = row.dependents.clone();
            dependents.into_iter().for_each(|dependent| self.enqueue(dependent));
        }
        Ok(())
    }

    fn evaluate_subject(&mut self, id: InstanceId) -> Result<(Function, Option<AbstractId>), Reason> {
        let (subject, node, before) = (self.row(id).subject, self.row(id).node, self.row(id).result);
        let mut frame = self.frame(id, subject);
        let row = self.row_mut(id);
        row.mixed_cells = None;
        row.callees.clear();
        let outcome = match subject {
            Subject::Item(node) => self.value_of_item(&mut frame, node),
            Subject::Application(operator, argument) => self.body(&mut frame, operator, argument, node),
            Subject::Flat(operator, argument) => self.applied_flat(&mut frame, (operator, argument), node),
            Subject::Counted(_)
            | Subject::Stored(..)
            | Subject::MadeAgain(_)
            | Subject::Listed(..)
            | Subject::Filled(_) => self.on_cells(&mut frame, subject, node),
        };
        self.row_mut(id).sweeps = std::mem::take(&mut frame.sweeps);
        self.row_mut(id).counted = std::mem::take(&mut frame.counted);
        match outcome {
            Ok(value) => {
                let result = match before {
                    None => value.of,
                    Some(before) => {
                        let joined = self.domain.join(before, value.of, self.unions)?;
                        joined.map_err(|misfit| Reason::new(Cause::without_join(misfit, Cause::Results)).at(node))?
                    }
                };
                let end = match self.coerced(&mut frame, &value, result) {
                    Ok(operands) => End::Yield(operands),
                    Err(Stop::Never(place)) => End::BailOut(place),
                    Err(Stop::GiveUp(reason)) => return Err(reason.at(node)),
                };
                Ok((frame.code.finish(end, self.kinds(result)), Some(result)))
            }
            Err(Stop::Never(place)) => {
                let kinds = before.map_or(Vec::new(), |before| self.kinds(before));
                Ok((frame.code.finish(End::BailOut(place), kinds), before))
            }
            Err(Stop::GiveUp(reason)) => Err(self.in_the_program(reason.at(node), id)),
        }
    }

    /// The reason with a place in the program, where it arose in library code: the call that led there.
    fn in_the_program(&self, mut reason: Reason, id: InstanceId) -> Reason {
        reason.node = reason.node.map(|node| self.place_in_the_program(node, id));
        reason
    }

    /// A node that an instance evaluates, or where that is library code, the call in the program that led there.
    pub(in crate::analysis) fn place_in_the_program(&self, mut node: ExpressionId, id: InstanceId) -> ExpressionId {
        let mut around = Some(id);
        while self.program.is_shipped(node)
            && let Some(id) = around
        {
            node = self.row(id).node;
            around = self.row(id).parent;
        }
        node
    }

    /// The frame in which an instance begins.
    fn frame(&self, id: InstanceId, subject: Subject) -> Frame {
        let (name, group, kinds) = match subject {
            Subject::Item(_) => ("item".to_owned(), None, Vec::new()),
            Subject::Application(operator, argument) => {
                let group = match self.domain.get(operator) {
                    Abstract::Closure(lambda, _) => self.program.lambda(*lambda).group.map(|(group, _)| group),
                    _ => None,
                };
                (self.name_of(operator), group, [self.kinds(operator), self.kinds(argument)].concat())
            }
            Subject::Flat(..)
            | Subject::Counted(_)
            | Subject::Stored(..)
            | Subject::MadeAgain(_)
            | Subject::Listed(..)
            | Subject::Filled(_) => {
                let (name, kinds) = self.flat_parameters(subject);
                (name, None, kinds)
            }
        };
        Frame::new(id, Code::new(name, &kinds), group)
    }

    /// The name of a procedure, for readers.
    pub(in crate::analysis) fn name_of(&self, operator: AbstractId) -> String {
        let name = match self.domain.get(operator) {
            Abstract::Closure(lambda, _) => self.program.lambda(*lambda).name.clone(),
            Abstract::Primitive(primitive) => Some(primitive.name().to_owned()),
            _ => None,
        };
        name.unwrap_or_else(|| "lambda".to_owned())
    }

    /// Evaluates the body of a procedure: the paper's A, from inside.
    fn body(
        &mut self,
        frame: &mut Frame,
        operator: AbstractId,
        argument: AbstractId,
        node: ExpressionId,
    ) -> Result<Value, Stop> {
        let parameters = Leaves::from(frame.code.parameters());
        let (mut leaves, argument_leaves) = parameters.split(self.domain.leaves(operator));
        let argument = Value { of: argument, leaves: argument_leaves };
        match self.domain.get(operator).clone() {
            Abstract::Closure(lambda, slots) => {
                for slot in &slots {
                    let (of_slot, others) = leaves.split(self.domain.leaves(*slot));
                    frame.slots.push(Value { of: *slot, leaves: of_slot });
                    leaves = others;
                }
                let lambda = self.program.lambda(lambda);
                self.matching(frame, lambda.pattern, argument, node)?;
                self.expression(frame, lambda.body)
            }
            Abstract::Primitive(Primitive::SameValue) => {
                let (first, second) = self.parts_of_pair(frame, &argument, node)?;
                self.equal_opened(frame, &first, &second, node)
            }
            _ => self.apply(frame, Value { of: operator, leaves }, argument, node),
        }
    }

    /// The leaves of a definition's value, as inputs of the item.
    pub(in crate::analysis) fn input(&mut self, frame: &mut Frame, global: GlobalId, of: AbstractId) -> Leaves {
        let kinds = self.kinds(of);
        if kinds.is_empty() {
            return Leaves::none();
        }
        let first = match self.input_places.get(&global) {
            Some(first) => *first,
            None => {
                let first = self.input_count;
                self.inputs.push((global, self.domain.template(of)));
                self.input_places.insert(global, first);
                self.input_count += kinds.len() as u32;
                first
            }
        };
        let targets = self.targets(frame, &kinds);
        for (target, input) in targets.iter().zip(first..) {
            frame.code.add(Statement::Input { target: *target, input });
        }
        let operands: Vec<Operand> = targets.into_iter().map(Operand::Variable).collect();
        operands.into()
    }
}
