//! The evaluation of inputs: the values of definitions, and how they change.
//!
//! An input is evaluated in parts: up to the end of each definition that is computed, so that its value is kept whatever
//! happens behind it. A part is a part of a run ([`PartRequest`]) of the program of all definitions: it begins at an item
//! with the values of all definitions before it, and is suspended before the item behind it, where their values are read. So no
//! definition is evaluated twice, no effect is repeated, and every engine that can suspend runs can evaluate inputs.

use super::background::{Compilation, SessionCompiler};
use super::host::SessionHost;
use super::input::SessionInput;
use super::settled::are_settled;
use crate::output::console::Console;
use crate::process::interruption::Interruption;
use std::ops::Range;
use std::sync::Arc;
use vlad_engines::{Engine, Native, Ready, Settings, Task};
use vlad_shared::core::diagnostic::{Diagnostic, Failure, Kind};
use vlad_shared::core::{GlobalId, Item, Program};
use vlad_shared::frontend::load::Input;
use vlad_shared::frontend::load::session::{Group, Session, SessionItemId};
use vlad_shared::runtime::restart::Restartable;
use vlad_shared::runtime::run::{Limits, Outcome};
use vlad_shared::runtime::suspended::{PartEnd, PartRequest, Scope, Suspended};
use vlad_shared::snapshot::correspondence::{OtherCode, carry_over};
use vlad_shared::table::internal_bug;
use vlad_shared::values::Value;
use vlad_shared::values::watch::RestartSignal;

/// The definitions of a session with their values.
pub struct Evaluation {
    session: Session,
    bound: Bound,
}

/// The values of definitions in terms of the program that they come from.
#[derive(Clone, Default)]
struct Bound {
    program: Arc<Program>,
    /// The items of the session by their numbers in the program.
    ids: Vec<SessionItemId>,
    globals: Vec<Option<Value>>,
}

/// The conditions of an evaluation.
pub struct Circumstances<'session> {
    /// The engine that begins. It is [`Engine::FOR_PARTS`] in the place of `native` where compiled code may not rely on the program.
    pub engine: Engine,
    /// The compiler of code with which `native` goes on; none to stay with the engine.
    pub compiler: Option<&'session SessionCompiler>,
    /// True once `native` has gone on.
    pub has_moved: bool,
    /// True if another engine has evaluated in the place of `native`.
    pub has_stayed: bool,
    /// The interrupt key, if there is a terminal.
    pub interruption: Option<&'session Interruption>,
    /// The settings of the compiler, if the engine has one.
    pub settings: &'session Settings,
    /// The limits of the input.
    pub limits: Limits,
    /// The output.
    pub console: &'session Console,
    /// The input.
    pub input: &'session mut SessionInput,
}

/// The reason for which an input has not been evaluated to its end.
pub enum Trouble {
    /// An error in its text, or of the run.
    Failed(Failure),
    /// The engine does not work.
    Compiler(String),
    /// The output is closed.
    OutputClosed,
}

impl Evaluation {
    /// An evaluation without definitions.
    pub fn new(session: Session) -> Evaluation {
        Evaluation { session, bound: Bound::default() }
    }

    /// The session.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Returns the value of a definition, with the program that it belongs to; none if it has none yet.
    pub fn value(&self, id: SessionItemId) -> Option<(&Program, &Value)> {
        let place = self.bound.ids.iter().position(|other| *other == id)?;
        let Item::Define(global, _) = self.bound.program.items.get(place)? else { return None };
        let value = self.bound.globals.get(global.0 as usize)?.as_ref()?;
        Some((&self.bound.program, value))
    }

    /// Has files that were included read anew.
    pub fn forget_files(&mut self) {
        self.session.forget_files();
    }

    /// Returns the program of all definitions and an input, for a look at it.
    ///
    /// # Errors
    /// The errors in the text of the input.
    pub fn program_of(&self, input: &Input) -> Result<Program, Failure> {
        let (mut session, first) = self.session.with_inputs(std::slice::from_ref(input))?;
        Ok(session.group(first)?.map_or_else(Program::default, |group| group.program))
    }

    /// Returns the errors in the texts of inputs that are evaluated together, if there are any.
    ///
    /// # Errors
    /// These errors.
    pub fn check(&self, inputs: &[Input]) -> Result<(), Failure> {
        self.session.with_inputs(inputs).map(|_| ())
    }

    /// Evaluates inputs, one behind the other; returns the steps taken. If their texts have an error, nothing changes. If
    /// the run has one, the definitions before the error are made, and names that were to be defined for the first time have
    /// no value.
    pub fn evaluate(&mut self, inputs: &[Input], circumstances: &mut Circumstances<'_>) -> (u64, Result<(), Trouble>) {
        let (mut session, mut from) = match self.session.with_inputs(inputs) {
            Ok(read) => read,
            Err(failure) => return (0, Err(Trouble::Failed(failure))),
        };
        let mut bound = self.bound.clone();
        let mut steps = 0;
        let result = loop {
            let group = match session.group(from) {
                Ok(Some(group)) => group,
                Ok(None) => break Ok(()),
                Err(failure) => return (steps, Err(Trouble::Failed(failure))),
            };
            let items = group.items.clone();
            bound = match bound.carried_to(group) {
                Ok(carried) => carried,
                Err(failure) => return (steps, Err(Trouble::Failed(failure))),
            };
            match bound.run(items.clone(), &mut steps, circumstances) {
                Ok(()) => session.finish_group(items.clone()),
                Err(trouble) => break Err(trouble),
            }
            from = items.end;
        };
        session.finish_input();
        (self.session, self.bound) = (session, bound);
        (steps, result)
    }
}

impl Bound {
    /// Returns the values in terms of the program of a group.
    fn carried_to(&self, group: Group) -> Result<Bound, Failure> {
        let Group { program, ids, .. } = group;
        let mut globals = vec![None; program.globals.len()];
        for (GlobalId(global), code) in &program.prelude {
            if let Some(place) = globals.get_mut(*global as usize) {
                *place = Some(Value::Procedure { code: *code, slots: None });
            }
        }
        let mut pairs = Vec::new();
        let (mut places, mut values) = (Vec::new(), Vec::new());
        let mut new = ids.iter().enumerate().peekable();
        // Both lists are in the order of the session.
        for (old, id) in self.ids.iter().enumerate() {
            while new.next_if(|(_, other)| *other < id).is_some() {}
            let Some((place, _)) = new.next_if(|(_, other)| *other == id) else { continue };
            pairs.push((old, place));
            let defined = (self.program.items.get(old), program.items.get(place));
            let (Some(Item::Define(from, _)), Some(Item::Define(to, node))) = defined else { continue };
            let Some(Some(value)) = self.globals.get(from.0 as usize) else { continue };
            // The code of a definition that is written as a procedure may have another form now.
            match (program.procedure_at(*node), globals.get_mut(to.0 as usize)) {
                (Some(code), Some(global)) => *global = Some(Value::Procedure { code, slots: None }),
                (Some(_) | None, _) => {
                    places.push(*to);
                    values.push(value.clone());
                }
            }
        }
        match carry_over(&self.program, &program, &pairs, values) {
            Ok(values) => {
                for (GlobalId(global), value) in places.into_iter().zip(values) {
                    if let Some(place) = globals.get_mut(global as usize) {
                        *place = Some(value);
                    }
                }
                Ok(Bound { program: Arc::new(program), ids, globals })
            }
            Err(OtherCode) => {
                let message = "this definition gives another form to code that values of earlier definitions refer to";
                let hint = "leave the session and begin anew, or use another name";
                let diagnostics = vec![Diagnostic::new(Kind::Duplicate, None, message).with_hint(hint)];
                Err(Failure { diagnostics, sources: program.sources })
            }
        }
    }

    /// Evaluates items, whose steps are added to `steps`.
    fn run(
        &mut self,
        items: Range<usize>,
        steps: &mut u64,
        circumstances: &mut Circumstances<'_>,
    ) -> Result<(), Trouble> {
        let program = Arc::clone(&self.program);
        let mut limits = circumstances.limits_of_group();
        let compilation = self.begin_to_compile(items.clone(), &limits, circumstances);
        let engine = self.engine_for(items.clone(), circumstances);
        let Circumstances { settings, console, input, .. } = circumstances;
        let made_ready = engine.make_ready_for(Scope::Items, &[Task { program: &program, limits: &limits }], settings);
        let ready = made_ready.map_err(|error| Trouble::Compiler(error.to_string()))?.pop();
        let Some(mut ready) = ready else { internal_bug!("an engine makes every program ready") };
        let may_restart = || compilation.as_ref().is_some_and(Compilation::may_come);
        let mut from = items.start;
        while from < items.end {
            let part = self.part(from..items.end);
            let mut host = SessionHost::new(console, input);
            let request = self.request(&part, *steps);
            let end = {
                let mut host = Restartable::new(&mut host, &may_restart);
                let end = ready.run_part(Task { program: &program, limits: &limits }, &mut host, request.clone());
                match is_abandoned(&end).then(|| compilation.as_ref().and_then(Compilation::take)).flatten() {
                    Some(loaded) => {
                        host.restart();
                        circumstances.has_moved = true;
                        limits.abandonment = circumstances.interruption.map(Interruption::signal);
                        ready = Ready::Native(Box::new(Native::without_compiler(loaded, None)));
                        ready.run_part(Task { program: &program, limits: &limits }, &mut host, request)
                    }
                    None => end,
                }
            };
            match end {
                PartEnd::Suspended(suspended) => {
                    *steps = suspended.steps;
                    self.globals = suspended.globals;
                }
                PartEnd::Ended(report) => {
                    *steps = report.steps;
                    let (reached, _) = host.reached;
                    self.bind_procedures(part.start..reached);
                    return Err(match report.outcome {
                        Outcome::OutputClosed => Trouble::OutputClosed,
                        Outcome::Failed(diagnostic) => {
                            let sources = program.sources.clone();
                            Trouble::Failed(Failure { diagnostics: vec![*diagnostic], sources })
                        }
                        // It ends what was typed, and nothing is wrong with it.
                        Outcome::Stopped => {
                            Trouble::Failed(Failure { diagnostics: vec![], sources: program.sources.clone() })
                        }
                        Outcome::Finished => internal_bug!("a part ends before the last item of its program"),
                    });
                }
            }
            from = part.end;
        }
        Ok(())
    }

    /// The engine that begins to evaluate items.
    fn engine_for(&self, items: Range<usize>, circumstances: &mut Circumstances<'_>) -> Engine {
        if circumstances.engine != Engine::Native {
            return circumstances.engine;
        }
        // Definitions that are written as procedures are bound without an evaluation, so no code is compiled for them.
        let own = self.program.items.get(items.clone()).unwrap_or_default();
        let is_evaluated = own.iter().any(|item| match *item {
            Item::Define(_, node) => self.program.procedure_at(node).is_none(),
            Item::Expression(_) => true,
        });
        if is_evaluated && are_settled(&self.program, &self.globals, items) {
            return Engine::Native;
        }
        circumstances.has_stayed |= is_evaluated;
        Engine::FOR_PARTS
    }

    /// Begins to compile items, where there is a compiler and code may rely on the program.
    fn begin_to_compile(
        &self,
        items: Range<usize>,
        limits: &Limits,
        circumstances: &Circumstances<'_>,
    ) -> Option<Compilation> {
        let compiler = circumstances.compiler?;
        if !are_settled(&self.program, &self.globals, items) {
            return None;
        }
        compiler.begin(Arc::clone(&self.program), *limits, circumstances.settings, limits.abandonment?)
    }

    /// The request to evaluate items, after so many steps of the input.
    fn request(&self, part: &Range<usize>, steps: u64) -> PartRequest {
        let Some(first) = self.program.items.get(part.start) else { internal_bug!("a part has an item") };
        let from = Suspended::before_item(part.start, first.node(), self.globals.clone(), steps);
        PartRequest { from: Some(from), until: None, before: Some(part.end) }
    }

    /// Returns the first of some items up to the end of a definition that is computed, or all of them.
    fn part(&self, items: Range<usize>) -> Range<usize> {
        let computed = |place: &usize| match self.program.items.get(*place) {
            Some(Item::Define(_, node)) => self.program.procedure_at(*node).is_none(),
            Some(Item::Expression(_)) | None => false,
        };
        let end = items.clone().find(computed).map_or(items.end, |place| place + 1);
        items.start..end
    }

    /// Binds definitions that are written as procedures, and whose evaluation takes nothing.
    fn bind_procedures(&mut self, items: Range<usize>) {
        for item in self.program.items.get(items).unwrap_or_default() {
            if let Item::Define(GlobalId(global), node) = *item
                && let Some(code) = self.program.procedure_at(node)
                && let Some(place) = self.globals.get_mut(global as usize)
            {
                *place = Some(Value::Procedure { code, slots: None });
            }
        }
    }
}

impl Circumstances<'_> {
    /// The limits for the items of a group, with a signal of its own on which the engine is left for another.
    fn limits_of_group(&self) -> Limits {
        let Some(interruption) = self.interruption else {
            let abandonment = self.compiler.map(|_| RestartSignal::unsaid());
            return Limits { abandonment, ..self.limits };
        };
        Limits { abandonment: Some(interruption.signal()), ..self.limits }
    }
}

fn is_abandoned(end: &PartEnd) -> bool {
    matches!(end, PartEnd::Ended(report) if report.is_abandoned())
}
