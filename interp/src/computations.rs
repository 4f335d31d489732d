//! The machine's side of [`vlad_runtime::computations`]: running the computations of operators.

use crate::capsule::{self, point_stack};
use crate::entry::Entry;
use crate::fault::{Stop, Stopped};
use crate::machine::{Machine, Transition};
use crate::state::State;
use std::mem;
use vlad_core::node_ranges::NodeRanges;
use vlad_core::{Expression, ExpressionId};
use vlad_runtime::computations::{CallSite, Ended};
use vlad_runtime::diagnosis::frames::PendingFrame;
use vlad_runtime::operators::{ComputationResult, EnteredOperator, Start, application, transformed};
use vlad_table::{Control, Primitive, internal_bug};
use vlad_values::fault::RuntimeError;
use vlad_values::{Tagged, Value};

impl<'run> Machine<'run> {
    /// Applies a primitive that calls procedures.
    pub fn control(
        &mut self,
        control: Control,
        primitive: Primitive,
        operand: &Value,
        site: CallSite,
    ) -> Result<Transition, Stopped> {
        self.levels.at(site.node, site.site);
        let entered = application::enter(control, primitive, operand, site.node, &mut self.operator_context());
        self.go_into(entered, site)
    }

    /// Applies a tagged procedure.
    pub fn transformed(
        &mut self,
        operator: &Value,
        tagged: &Tagged,
        operand: &Value,
        site: CallSite,
    ) -> Result<Transition, Stopped> {
        self.levels.at(site.node, site.site);
        let entered = transformed::enter(operator, tagged, operand, site.node, &mut self.operator_context());
        self.go_into(entered, site)
    }

    fn go_into(
        &mut self,
        entered: Result<EnteredOperator<State<'run>>, RuntimeError>,
        site: CallSite,
    ) -> Result<Transition, Stopped> {
        match entered.map_err(|trouble| stop(trouble, site))? {
            EnteredOperator::Value(value) => Ok(Transition::Return(value)),
            EnteredOperator::Call { operator, operand } => {
                Ok(Transition::Apply { operator, operand, node: site.node, site: site.site })
            }
            EnteredOperator::Resume { capsule, values } => {
                let points = point_stack(&*capsule.skeleton.points);
                let ranges = self.ranges.get_or_init(|| NodeRanges::of(self.program));
                self.steps.nests(points.calls(self.program, ranges)).map_err(|trouble| stop(trouble, site))?;
                Ok(self.put_back(points, values))
            }
            EnteredOperator::Computation { run, then } => {
                let frames = mem::take(&mut self.frames);
                let start = self.computations.begin(frames, run, then, site, &mut self.steps);
                Ok(self.start(start, site))
            }
        }
    }

    fn start(&mut self, start: Start<State<'run>>, CallSite { node, site }: CallSite) -> Transition {
        match start {
            Start::Apply { operator, operand } => Transition::Apply { operator, operand, node, site },
            Start::State(state) => {
                self.frames = state.frames.into();
                self.steps.nest_again(state.calls);
                self.environment = state.environment;
                capsule::evaluate(state.entry)
            }
        }
    }

    /// Ends the running computation with its value.
    #[cold]
    pub fn computed(&mut self, value: Value) -> Result<Transition, Stopped> {
        self.ended(ComputationResult::Value(value))
    }

    /// Ends the running computation at its limit.
    #[cold]
    pub fn interrupted(&mut self, entry: Entry) -> Result<Transition, Stopped> {
        let state = self.take_state(entry);
        self.ended(ComputationResult::Interrupted(state))
    }

    /// Takes the state of the running computation, and leaves the machine without one.
    pub fn take_state(&mut self, entry: Entry) -> State<'run> {
        let frames = mem::take(&mut self.frames).keep();
        let calls = self.steps.own_nested();
        let environment = mem::take(&mut self.environment);
        State { program: self.program, needs: self.needs.clone(), frames, calls, environment, entry }
    }

    fn ended(&mut self, ending: ComputationResult<State<'run>>) -> Result<Transition, Stopped> {
        let Machine { program, computations, steps, levels, watch, effects, strategy, .. } = self;
        let mut operator_context =
            vlad_runtime::operators::OperatorContext { program, levels, watch, effects, strategy: *strategy };
        match computations.end(ending, steps, &mut operator_context) {
            Ended::Again(start, site) => Ok(self.start(start, site)),
            Ended::Value(frames, value) => {
                self.frames = frames;
                Ok(Transition::Return(value))
            }
            Ended::Fault(frames, trouble, site) => {
                self.frames = frames;
                Err(stop(trouble, site))
            }
        }
    }

    /// The expression node that is entered at an entry.
    pub fn entered(&self, entry: Entry) -> ExpressionId {
        match entry {
            Entry::Node(node) => node,
            Entry::OperatorOfLet(node) => match self.program.expression(node) {
                Expression::Let { operator, .. } => operator,
                Expression::Constant(_)
                | Expression::Variable(_)
                | Expression::Lambda(_)
                | Expression::Application { .. }
                | Expression::Cons { .. }
                | Expression::If { .. }
                | Expression::Letrec { .. } => internal_bug!("node {} is a let", node.0),
            },
        }
    }

    /// The pending calls of all computations, read from their frames, innermost first.
    pub fn pending(&self) -> impl Iterator<Item = PendingFrame> {
        let program = self.program;
        let running = self.frames.iter().map(move |frame| frame.pending(program));
        let waiting = self.computations.pending(move |frames| frames.iter().map(move |frame| frame.pending(program)));
        running.chain(waiting)
    }
}

/// The stop for a fault of an application.
fn stop(trouble: RuntimeError, CallSite { node, site }: CallSite) -> Stopped {
    Box::new(Stop::Fault { fault: trouble.into(), node, site })
}
