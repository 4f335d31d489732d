//! Walks: what the machine works with at each step of a run - the expression that it enters, its environment, and its
//! continuation.
//!
//! A walk keeps the views of a range of steps and ends behind it. A run is deterministic, so earlier steps are seen by
//! another walk: nothing has to be undone, and no state is kept.

use crate::continuation::{Frame, Part};
use crate::direct_sizes::DirectSizes;
use crate::entry::Entry;
use crate::machine::{Machine, StepVisitor};
use std::cell::RefCell;
use std::collections::HashSet;
use std::ops::Range;
use std::rc::Rc;
use vlad_core::{Expression, ExpressionId, LambdaId, PatternId, Program, Reference};
use vlad_runtime::run::{Host, Limits, Outcome, Report};
use vlad_values::Value;
use vlad_values::print::summary;
use vlad_values::slot_values;

/// The most frames, and the most variables, that a view has.
const MOST_SHOWN: usize = 12;

/// The machine at a step.
#[derive(Clone, Debug)]
pub struct View {
    /// The number of steps before this one.
    pub step: u64,
    /// The expression that is entered.
    pub node: ExpressionId,
    /// The variables in scope, innermost first, with their values.
    pub environment: Vec<(String, String)>,
    /// The number of variables that are left out.
    pub hidden_variables: usize,
    /// The frames of the continuation, innermost first.
    pub continuation: Vec<FrameView>,
    /// The number of frames that are left out.
    pub hidden_frames: usize,
    /// The number of operators inside of which the step is.
    pub operators: usize,
}

/// A frame of a continuation.
#[derive(Clone, Debug)]
pub struct FrameView {
    /// The construct.
    pub node: ExpressionId,
    /// The part of it whose value is awaited.
    pub awaited: ExpressionId,
    /// The value of an earlier part that waits, if one does.
    pub waiting: Option<String>,
}

/// The views of some steps.
#[derive(Debug)]
pub struct Walk {
    /// The views, in order.
    pub views: Vec<View>,
    /// The report of the run, if it ended within the range.
    pub report: Option<Report>,
}

/// The visitor of each step.
struct Walker {
    /// The ticks at which the first item that is walked through began.
    begun: Option<u64>,
    range: Range<u64>,
    names: Names,
    views: Rc<RefCell<Vec<View>>>,
}

/// Walks through the steps of a program from an item on, and keeps the views of those in the range, where the first step has
/// number 0.
pub fn walk(program: &Program, host: &mut dyn Host, limits: &Limits, item: usize, range: Range<u64>) -> Walk {
    let mut machine = Machine::new(program, host, limits);
    let views = Rc::new(RefCell::new(Vec::new()));
    let end = range.end;
    let mut outcome = Outcome::Finished;
    let mut walker = Some(Walker { begun: None, range, names: Names::of(program), views: Rc::clone(&views) });
    let mut begun = 0;
    for (number, each) in program.items.iter().enumerate() {
        if number == item
            && let Some(mut walker) = walker.take()
        {
            begun = machine.steps.ticks;
            walker.begun = Some(begun);
            machine.direct_sizes = DirectSizes::none();
            machine.steps.look_at_each_step();
            machine.walker = Some(Box::new(walker));
        }
        if let Err(failed) = machine.run_whole_item(number, *each) {
            outcome = failed;
            break;
        }
    }
    let taken = machine.steps.ticks - begun;
    let report = Report { outcome, steps: machine.steps.total() };
    drop(machine);
    let report = Some(report).filter(|report| !(report.is_abandoned() && taken >= end));
    Walk { views: views.take(), report }
}

impl StepVisitor for Walker {
    /// Keeps a view of the step that is about to be taken, if it is in the range.
    fn visit(&mut self, machine: &Machine<'_>, entry: Entry) -> bool {
        let Some(begun) = self.begun else { return true };
        let step = machine.steps.ticks - begun;
        if step >= self.range.end {
            return false;
        }
        if self.range.contains(&step) {
            let view = self.view(machine, entry, step);
            self.views.borrow_mut().push(view);
        }
        true
    }
}

impl Walker {
    fn view(&self, machine: &Machine<'_>, entry: Entry, step: u64) -> View {
        let program = machine.program;
        let environment = &machine.environment;
        let locals = self.names.locals(entry.node());
        let named = locals.iter().zip(environment.locals.iter());
        let mut variables: Vec<(&str, &Value)> = named.map(|(name, value)| (name.as_str(), value)).collect();
        variables.reverse();
        if let Some(code) = environment.code {
            let slots = self.names.slots(code).iter().map(String::as_str);
            variables.extend(slots.zip(slot_values(&environment.slots)));
        }
        let hidden_variables = variables.len().saturating_sub(MOST_SHOWN);
        let shown = variables.into_iter().take(MOST_SHOWN);
        let mut continuation = Vec::new();
        let mut frames = 0;
        for frame in machine.frames.iter() {
            if frames < MOST_SHOWN {
                continuation.push(frame_view(program, frame));
            }
            frames += 1;
        }
        View {
            step,
            node: entry.node(),
            environment: shown.map(|(name, value)| (name.to_owned(), summary(program, value))).collect(),
            hidden_variables,
            hidden_frames: frames - continuation.len(),
            continuation,
            operators: machine.computations.depth(),
        }
    }
}

fn frame_view(program: &Program, frame: &Frame) -> FrameView {
    let awaiting = frame.pending(program).awaiting;
    let waiting = match &frame.awaited {
        Part::Operand { operator: value, .. } | Part::Second { first: value, .. } => Some(summary(program, value)),
        Part::Operator(_) | Part::Let(_) | Part::First(_) | Part::Test(_) => None,
    };
    FrameView { node: awaiting.node, awaited: awaiting.awaited, waiting }
}

/// The names of the variables of a program: those of locals by nodes, and those of slots by procedures.
struct Names {
    /// The innermost binding at each node.
    scopes: Vec<Option<u32>>,
    /// The bindings of locals, each with the enclosing one.
    bindings: Vec<(String, Option<u32>)>,
    /// The procedure whose activation each node belongs to.
    activations: Vec<Option<LambdaId>>,
    slots: Vec<Vec<String>>,
}

impl Names {
    fn of(program: &Program) -> Names {
        let nodes = program.expressions.len();
        let mut names = Names {
            scopes: vec![None; nodes],
            bindings: Vec::new(),
            activations: vec![None; nodes],
            slots: Vec::new(),
        };
        let items = program.items.iter().map(|item| (item.node(), None, None));
        let mut pending: Vec<(ExpressionId, Option<u32>, Option<LambdaId>)> = items.collect();
        let of_lets: HashSet<LambdaId> = program
            .expressions
            .iter()
            .filter_map(|expression| match expression {
                Expression::Let { lambda, .. } => Some(*lambda),
                Expression::Constant(_)
                | Expression::Variable(_)
                | Expression::Lambda(_)
                | Expression::Application { .. }
                | Expression::Cons { .. }
                | Expression::If { .. }
                | Expression::Letrec { .. } => None,
            })
            .collect();
        for (number, lambda) in (0..).map(LambdaId).zip(&program.lambdas) {
            if !of_lets.contains(&number) {
                let scope = names.bind(program, lambda.pattern, None);
                pending.push((lambda.body, scope, Some(number)));
            }
        }
        while let Some((node, scope, activation)) = pending.pop() {
            names.note(node, scope, activation);
            match program.expression(node) {
                Expression::Constant(_) | Expression::Variable(_) | Expression::Lambda(_) => {}
                Expression::Application { operator: first, operand: second } | Expression::Cons { first, second } => {
                    pending.extend([(first, scope, activation), (second, scope, activation)]);
                }
                Expression::Let { operator, lambda, operand } => {
                    names.note(operator, scope, activation);
                    pending.push((operand, scope, activation));
                    let lambda = program.lambda(lambda);
                    pending.push((lambda.body, names.bind(program, lambda.pattern, scope), activation));
                }
                Expression::If { test, consequent, alternative } => {
                    pending.extend([test, consequent, alternative].map(|part| (part, scope, activation)));
                }
                Expression::Letrec { group, body } => {
                    let members = &program.group(group).members;
                    let inner = members.iter().fold(scope, |scope, member| {
                        let name = program.lambda(*member).name.clone();
                        names.add(name.unwrap_or_else(|| "lambda".to_owned()), scope)
                    });
                    pending.push((body, inner, activation));
                }
            }
        }
        names.find_slots(program);
        names
    }

    fn note(&mut self, node: ExpressionId, scope: Option<u32>, activation: Option<LambdaId>) {
        if let Some(place) = self.scopes.get_mut(node.0 as usize) {
            *place = scope;
        }
        if let Some(place) = self.activations.get_mut(node.0 as usize) {
            *place = activation;
        }
    }

    fn bind(&mut self, program: &Program, pattern: PatternId, scope: Option<u32>) -> Option<u32> {
        let variables = program.pattern_variables(pattern);
        variables.into_iter().fold(scope, |scope, variable| self.add(program.pattern_name(variable).to_owned(), scope))
    }

    fn add(&mut self, name: String, scope: Option<u32>) -> Option<u32> {
        self.bindings.push((name, scope));
        Some(self.bindings.len() as u32 - 1)
    }

    /// Finds the names of slots; the procedures around a procedure have smaller numbers.
    fn find_slots(&mut self, program: &Program) {
        for lambda in &program.lambdas {
            let captures = match lambda.group {
                Some((group, _)) => &program.group(group).captures,
                None => &lambda.captures,
            };
            let around = self.activations.get(lambda.node.0 as usize).copied().flatten();
            let locals = self.locals(lambda.node);
            let name = |reference: &Reference| match *reference {
                Reference::Local(local) => locals.get(local as usize).cloned(),
                Reference::Slot(slot) => {
                    let slots = around.and_then(|around| self.slots.get(around.0 as usize));
                    slots.and_then(|slots| slots.get(slot as usize)).cloned()
                }
                Reference::Sibling(place) => {
                    let group = around.and_then(|around| program.lambda(around).group);
                    let member = group.and_then(|(group, _)| program.group(group).members.get(place as usize));
                    member.and_then(|member| program.lambda(*member).name.clone())
                }
                Reference::Global(_) | Reference::Primitive(_) => None,
            };
            let found = captures.iter().map(|reference| name(reference).unwrap_or_default()).collect();
            self.slots.push(found);
        }
    }

    /// The names of the locals in scope at a node, outermost first.
    fn locals(&self, node: ExpressionId) -> Vec<String> {
        let mut names = Vec::new();
        let mut scope = self.scopes.get(node.0 as usize).copied().flatten();
        while let Some((name, around)) = scope.and_then(|scope| self.bindings.get(scope as usize)) {
            names.push(name.clone());
            scope = *around;
        }
        names.reverse();
        names
    }

    /// The names of the slots of a procedure.
    fn slots(&self, lambda: LambdaId) -> &[String] {
        self.slots.get(lambda.0 as usize).map_or(&[], Vec::as_slice)
    }
}
