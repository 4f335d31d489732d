//! What operators run inside: the machine's side of [`vlad_shared::computations`].

use crate::capsule::{self, State};
use crate::fault::{Stop, Stopped};
use crate::machine::{Machine, Transition};
use std::mem;
use vlad_shared::computations::{Ended, Site};
use vlad_shared::core::{Expression, ExpressionId};
use vlad_shared::differentiation::application::{self, Ending, Entered, Start};
use vlad_shared::differentiation::transformed;
use vlad_shared::internal_bug;
use vlad_shared::pending::PendingFrame;
use vlad_shared::run::Trouble;
use vlad_shared::table::{Control, Primitive};
use vlad_shared::tagged::Tagged;
use vlad_shared::value::Value;

/// What is entered next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A node.
    Node(ExpressionId),
    /// The lambda of a `let`.
    OperatorOfLet(ExpressionId),
}

impl Entry {
    /// The node.
    pub fn node(self) -> ExpressionId {
        match self {
            Entry::Node(node) | Entry::OperatorOfLet(node) => node,
        }
    }
}

impl<'run> Machine<'run> {
    /// The primitives that call procedures.
    pub fn control(
        &mut self,
        control: Control,
        primitive: Primitive,
        operand: &Value,
        site: Site,
    ) -> Result<Transition, Stopped> {
        let entered = application::enter(control, primitive, operand, site.node, &mut self.means());
        self.go_into(entered, site)
    }

    /// A call of a tagged procedure.
    pub fn transformed(
        &mut self,
        operator: &Value,
        tagged: &Tagged,
        operand: &Value,
        site: Site,
    ) -> Result<Transition, Stopped> {
        let entered = transformed::enter(operator, tagged, operand, site.node, &mut self.means());
        self.go_into(entered, site)
    }

    fn go_into(&mut self, entered: Result<Entered<State<'run>>, Trouble>, site: Site) -> Result<Transition, Stopped> {
        match entered.map_err(|trouble| stop(trouble, site))? {
            Entered::Value(value) => Ok(Transition::Return(value)),
            Entered::Call { operator, operand } => {
                Ok(Transition::Apply { operator, operand, node: site.node, site: site.site })
            }
            Entered::Resume { capsule, values } => Ok(self.put_back(&*capsule.skeleton.points, values)),
            Entered::Computation { run, then } => {
                let frames = mem::take(&mut self.frames);
                let start = self.computations.begin(frames, run, then, site, &mut self.steps);
                Ok(self.start(start, site))
            }
        }
    }

    fn start(&mut self, start: Start<State<'run>>, Site { node, site }: Site) -> Transition {
        match start {
            Start::Apply { operator, operand } => Transition::Apply { operator, operand, node, site },
            Start::State(state) => {
                self.frames = state.frames.into();
                self.environment = state.environment;
                capsule::evaluate(state.entry)
            }
        }
    }

    /// The computation has its value.
    #[cold]
    pub fn computed(&mut self, value: Value) -> Result<Transition, Stopped> {
        self.ended(Ending::Value(value))
    }

    /// The computation has come to its limit.
    #[cold]
    pub fn interrupted(&mut self, entry: Entry) -> Result<Transition, Stopped> {
        let state = self.take_state(entry);
        self.ended(Ending::Interrupted(state))
    }

    /// The state of the running computation, which is over with that.
    pub fn take_state(&mut self, entry: Entry) -> State<'run> {
        let frames = mem::take(&mut self.frames).keep();
        let environment = mem::take(&mut self.environment);
        State { program: self.program, needs: self.needs.clone(), frames, environment, entry }
    }

    fn ended(&mut self, ending: Ending<State<'run>>) -> Result<Transition, Stopped> {
        let Machine { program, computations, steps, levels, watch, effects, strategy, .. } = self;
        let mut means = application::Means { program, levels, watch, effects, strategy: *strategy };
        match computations.end(ending, steps, &mut means) {
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

    /// The node that is entered next.
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

    /// What the frames of all computations tell of the calls that they await, innermost first.
    pub fn pending(&self) -> impl Iterator<Item = PendingFrame> {
        let program = self.program;
        let running = self.frames.iter().map(move |frame| frame.pending(program));
        let waiting = self.computations.pending(move |frames| frames.iter().map(move |frame| frame.pending(program)));
        running.chain(waiting)
    }
}

/// A fault of an application.
fn stop(trouble: Trouble, Site { node, site }: Site) -> Stopped {
    Box::new(Stop::Fault { fault: trouble.into(), node, site })
}
