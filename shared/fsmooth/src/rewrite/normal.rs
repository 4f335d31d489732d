//! Normal forms: the rules of the table and of code ([`super::rules`]), applied from the inside to the outside until none applies.
//!
//! One traversal visits every expression, parts first, with the facts that hold there. The result of a rule is visited again, except for
//! parts in normal form. Applications are bounded; a term that reaches the bound stays as it is then, since every step is valid by itself.

use super::derivation::Step;
use super::facts::totality::Context;
use super::facts::{one_hot, signs, sizes};
use super::rules::fission::{self, Pairs};
use super::rules::{Class, Condition, Rule};
use super::rules::{lets, matching, quotients, selection, structural, unrolling, unswitch};
use super::{globals, terms};
use crate::typed::{Build, Expression, ExpressionId, GlobalId, Ifold, LocalId, Origin, Parts, Program, Type, Types};
use rustc_hash::{FxHashMap, FxHashSet};
use vlad_table::internal_bug;

/// The size up to which an instance is small.
const SMALL: usize = 12;

/// The bounds of one rewriting.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// The number of applications that are left.
    pub steps: usize,
    /// The number of expressions in the arena at which rewriting ends.
    pub expressions: usize,
    /// The number of expressions that inlining may still add.
    pub inlined: usize,
    /// The number of those that may come from functions of the program itself, as opposed to the library's.
    pub own: usize,
}

/// The rewriting of one term.
pub struct Normalising<'run> {
    /// The program, to whose arena terms are added.
    pub program: &'run mut Program,
    /// The rules.
    pub rules: &'run [Rule],
    /// The functions that may be inlined.
    pub functions: &'run FxHashMap<GlobalId, ExpressionId>,
    /// The data with zero tangents that differentiation has made.
    pub lifted: &'run FxHashMap<GlobalId, ExpressionId>,
    /// The greatest class of rules that are applied.
    pub class: Class,
    /// The treatment of loops that make pairs.
    pub pairs: Pairs,
    /// The facts and assumptions.
    pub context: Context,
    /// The expressions that are in normal form by the rules of the class.
    pub normal: FxHashSet<ExpressionId>,
    /// The applications so far.
    pub steps: Vec<Step>,
    /// The bounds.
    pub budget: Budget,
}

/// An expression whose parts are being visited.
struct Frame {
    id: ExpressionId,
    parts: Parts,
    done: Vec<ExpressionId>,
    entered: Entered,
}

/// The facts that hold within the current part of an expression only.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Entered {
    Nothing,
    Condition,
    Index { with_state: bool },
}

enum Next {
    Visit(ExpressionId),
    Return(ExpressionId),
}

impl Normalising<'_> {
    /// Applies the rules up to another class from now on.
    pub fn set_class(&mut self, class: Class) {
        self.class = class;
        self.normal.clear();
    }

    /// Returns the normal form of a term.
    pub fn run(&mut self, root: ExpressionId) -> ExpressionId {
        let mut normal = std::mem::take(&mut self.normal);
        let made = self.run_from(root, &mut normal);
        self.normal = normal;
        made
    }

    fn run_from(&mut self, root: ExpressionId, normal: &mut FxHashSet<ExpressionId>) -> ExpressionId {
        let (mut frames, mut states) = (vec![], vec![]);
        let mut next = Next::Visit(root);
        loop {
            next = match next {
                Next::Visit(id) if normal.contains(&id) => Next::Return(id),
                Next::Visit(id) => {
                    let parts = self.program.parts(id);
                    frames.push(Frame { id, parts, done: vec![], entered: Entered::Nothing });
                    self.advance(&mut frames, normal, &mut states)
                }
                Next::Return(id) => {
                    let Some(frame) = frames.last_mut() else { return id };
                    frame.done.push(id);
                    self.leave(frame.entered, &mut states);
                    frame.entered = Entered::Nothing;
                    self.advance(&mut frames, normal, &mut states)
                }
            };
        }
    }

    /// Goes on to the next part of the innermost expression, or ends it.
    fn advance(
        &mut self,
        frames: &mut Vec<Frame>,
        normal: &mut FxHashSet<ExpressionId>,
        states: &mut Vec<LocalId>,
    ) -> Next {
        let Some(frame) = frames.last_mut() else { internal_bug!("an expression is being visited") };
        if let Some(part) = frame.parts.get(frame.done.len()).copied() {
            frame.entered = self.enter(frame.id, &frame.done, states);
            return Next::Visit(part);
        }
        let (old, done) = (frame.id, std::mem::take(&mut frame.done));
        frames.pop();
        let id = terms::with_parts(self.program, old, &done);
        if self.budget.steps == 0 || self.program.count() > self.budget.expressions {
            return Next::Return(id);
        }
        match self.applied(id, states) {
            Some((name, class, after)) => {
                self.budget.steps -= 1;
                let place = frames.iter().map(|frame| frame.done.len() as u32).collect();
                self.steps.push(Step { rule: name, class, place, before: id, after });
                Next::Visit(after)
            }
            None => {
                normal.insert(id);
                Next::Return(id)
            }
        }
    }

    /// Notes the facts that hold within the next part of an expression.
    fn enter(&mut self, id: ExpressionId, done: &[ExpressionId], states: &mut Vec<LocalId>) -> Entered {
        let facts = &mut self.context.facts;
        let expression = self.program.expression(id);
        if let (Expression::If { .. }, Some(condition)) = (expression, done.first()) {
            facts.conditions.push((*condition, done.len() == 1));
            return Entered::Condition;
        }
        if let (Expression::Let { local, .. }, Some(value)) = (expression, done.first()) {
            facts.set_value(local, *value);
        }
        if let (Some(Build { index, .. }), Some(size)) = (self.program.as_build(id), done.first()) {
            facts.set_range(index, *size);
            facts.indices.push(index);
            return Entered::Index { with_state: false };
        }
        if let (Some(Ifold { index, .. }), []) = (self.program.as_ifold(id), done) {
            facts.enter(self.program, id);
            let state = signs::state_without_negative_zero(self.program, facts, id, states);
            states.extend(state);
            facts.indices.push(index);
            return Entered::Index { with_state: state.is_some() };
        }
        Entered::Nothing
    }

    fn leave(&mut self, entered: Entered, states: &mut Vec<LocalId>) {
        match entered {
            Entered::Nothing => {}
            Entered::Condition => {
                self.context.facts.conditions.pop();
            }
            Entered::Index { with_state } => {
                self.context.facts.indices.pop();
                if with_state {
                    states.pop();
                }
            }
        }
    }

    /// Returns the first rule that applies to an expression whose parts are in normal form, and what it makes.
    fn applied(&mut self, id: ExpressionId, states: &[LocalId]) -> Option<(&'static str, Class, ExpressionId)> {
        self.context.facts.enter(self.program, id);
        if let Some(after) = self.inlined(id) {
            return Some(("inlining", Class::Exact, after));
        }
        if let Some(after) = globals::rewritten(self.program, self.lifted, id) {
            return Some((globals::NAME, Class::Exact, after));
        }
        let (program, context) = (&mut *self.program, &mut self.context);
        let applied = lets::rewritten(program, context, id)
            .or_else(|| structural::rewritten(program, context, id))
            .or_else(|| unrolling::rewritten(program, context, id))
            .or_else(|| selection::rewritten(program, context, id))
            .or_else(|| fission::rewritten(program, context, id, self.pairs));
        if let Some((name, after)) = applied {
            return Some((name, Class::Exact, after));
        }
        let (rules, class) = (self.rules, self.class);
        let head = self.program.apart(id).0;
        for rule in rules.iter().filter(|rule| rule.row.class <= class && rule.may_match(head)) {
            if let Some(after) = self.applied_row(rule, id, states) {
                return Some((rule.row.name, rule.row.class, after));
            }
        }
        if class == Class::Algebra
            && let Some(after) = quotients::rewritten(self.program, id)
        {
            return Some((quotients::NAME, Class::Algebra, after));
        }
        let choice = unswitch::rewritten(self.program, &mut self.context, id);
        choice.map(|(name, after)| (name, Class::Exact, after))
    }

    /// Returns a call of a known function with a copy of the function.
    fn inlined(&mut self, id: ExpressionId) -> Option<ExpressionId> {
        let Expression::Application { function, argument } = self.program.expression(id) else { return None };
        let Expression::Global(global) = self.program.expression(function) else { return None };
        let value = *self.functions.get(&global)?;
        // An error in a function of the library is one of the call; one of the program stays where it is, also in a call from an option.
        let is_of_library = self.program.global(global).origin == Origin::Library;
        let is_own = !is_of_library || self.program.span(value).file == self.program.span(id).file;
        let left = if is_own { self.budget.inlined.min(self.budget.own) } else { self.budget.inlined };
        let size = terms::size(self.program, value, left);
        if size >= left {
            return None;
        }
        self.budget.inlined -= size;
        let function = if is_own {
            self.budget.own -= size;
            self.program.copy(value)
        } else {
            self.program.copy_to(self.program.span(id), value)
        };
        Some(self.program.like(id).apply(function, argument))
    }

    /// Applies a rule of the table to an expression, if its conditions hold.
    pub fn applied_row(&mut self, rule: &Rule, id: ExpressionId, states: &[LocalId]) -> Option<ExpressionId> {
        let instance = matching::instance(self.program, &rule.pattern, id)?;
        let part = |name: &str| {
            let place = rule.names.metavariables.iter().position(|known| known == name);
            place.and_then(|place| instance.metavariable(place))
        };
        // Assumptions of conditions that hold are given back, if another condition fails.
        let before = self.context.facts.assumptions.len();
        let holds = rule.row.conditions.iter().all(|condition| self.holds(*condition, id, &part, states));
        if !holds {
            self.context.facts.assumptions.truncate(before);
            return None;
        }
        matching::make(self.program, &rule.template, &instance, id)
    }

    fn holds(
        &mut self,
        condition: Condition,
        id: ExpressionId,
        part: &impl Fn(&str) -> Option<ExpressionId>,
        states: &[LocalId],
    ) -> bool {
        let (program, context) = (&mut *self.program, &mut self.context);
        match condition {
            Condition::Total => context.is_total(program, id),
            Condition::TotalPart(name) => part(name).is_some_and(|part| context.is_total(program, part)),
            Condition::Below(index, size) => match (part(index), part(size)) {
                (Some(index), Some(size)) => context.is_below(program, index, size),
                (_, _) => false,
            },
            Condition::LengthOf(size, array) => match (part(size), part(array)) {
                (Some(size), Some(array)) => {
                    let length = sizes::length_of(program, &context.facts, array);
                    context.is_equal(program, length, size)
                }
                (_, _) => false,
            },
            Condition::NotNegativeZero(name) => {
                part(name).is_some_and(|part| signs::is_not_negative_zero(program, &context.facts, part, states))
            }
            Condition::Tangent(name) => part(name).is_some_and(|part| signs::is_tangent(program, &context.facts, part)),
            Condition::Small(name) => part(name).is_some_and(|part| terms::size(program, part, SMALL) < SMALL),
            Condition::NotBothByIndex(condition, other) => {
                let (Some(condition), Some(other)) = (part(condition), part(other)) else { return false };
                let index = context.facts.indices.last();
                let sides = |condition| one_hot::equality(program, condition).into_iter().flatten();
                let is_by_index =
                    |condition| index.is_some_and(|index| sides(condition).any(|side| program.is_local(side, *index)));
                let other = program.expression(other);
                let is_other = matches!(other, Expression::If { condition, .. } if is_by_index(condition));
                !(is_by_index(condition) && is_other)
            }
            Condition::OneIsConstant(one, other) => [part(one), part(other)].into_iter().flatten().any(|part| {
                let is_boolean = program.type_of(part) == Types::BOOLEAN;
                matches!(program.expression(part), Expression::Number(_)) || is_boolean
            }),
        }
    }
}

/// Returns the locals of the outermost functions of a definition, which its caller gives, and their body.
pub fn parameters(program: &Program, value: ExpressionId) -> (Vec<LocalId>, ExpressionId) {
    let (mut parameters, mut body) = (vec![], value);
    while let Expression::Lambda { parameter, body: inner } = program.expression(body) {
        // Tests of assumptions cannot speak of functions.
        if !matches!(program.types.get(program.local(parameter).type_id), Type::Function(..)) {
            parameters.push(parameter);
        }
        body = inner;
    }
    (parameters, body)
}
