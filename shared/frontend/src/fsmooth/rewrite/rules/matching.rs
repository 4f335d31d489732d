//! Matching of rules: instances of a pattern in a typed tree, and the terms that a template makes of them.

use super::notation::{Construct, Term};
use crate::fsmooth::rewrite::terms;
use crate::fsmooth::typed::copy::Substitution;
use crate::fsmooth::typed::{Expression, ExpressionId, LocalId, Program, Type, TypeId, Types};
use rustc_hash::FxHashMap;

/// An instance of a pattern.
#[derive(Clone, Debug, Default)]
pub struct Instance {
    /// The instance of each metavariable, with the operands that it has in the pattern.
    metavariables: FxHashMap<usize, (ExpressionId, Vec<Operand>)>,
    /// The local that each variable of the pattern stands for.
    bound: FxHashMap<usize, LocalId>,
}

/// An operand of a metavariable in a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operand {
    Variable(LocalId),
    First(LocalId),
    Second(LocalId),
}

impl Operand {
    fn local(self) -> LocalId {
        match self {
            Operand::Variable(local) | Operand::First(local) | Operand::Second(local) => local,
        }
    }
}

impl Instance {
    /// Returns the instance of a metavariable.
    pub fn metavariable(&self, place: usize) -> Option<ExpressionId> {
        self.metavariables.get(&place).map(|(id, _)| *id)
    }

    /// Sets the local that a variable stands for.
    #[cfg(test)]
    pub fn bind(&mut self, place: usize, local: LocalId) {
        self.bound.insert(place, local);
    }

    /// Sets the instance of a metavariable, with the locals that are its operands.
    #[cfg(test)]
    pub fn set(&mut self, place: usize, id: ExpressionId, operands: &[LocalId]) {
        let operands = operands.iter().map(|local| Operand::Variable(*local)).collect();
        self.metavariables.insert(place, (id, operands));
    }
}

/// Matches a pattern with an expression.
pub fn instance(program: &Program, pattern: &Term, id: ExpressionId) -> Option<Instance> {
    let mut instance = Instance::default();
    matches(program, pattern, id, &mut instance).then_some(instance)
}

/// Patterns are a few levels deep, so matching may recurse.
fn matches(program: &Program, pattern: &Term, id: ExpressionId, instance: &mut Instance) -> bool {
    let expression = program.expression(id);
    match pattern {
        Term::Meta(place, operands) => metavariable(program, *place, operands, id, instance),
        Term::Bound(place) => match (expression, instance.bound.get(place)) {
            (Expression::Local(local), Some(bound)) => local == *bound,
            (_, _) => false,
        },
        Term::Double(number) => is_number(program, id, *number, Types::DOUBLE),
        Term::Index(number) => is_number(program, id, *number, Types::INDEX),
        Term::Boolean(value) => expression == Expression::Boolean(*value),
        Term::Function(place, body) => {
            let Expression::Lambda { parameter, body: found } = expression else { return false };
            instance.bound.insert(*place, parameter);
            matches(program, body, found, instance)
        }
        Term::Let(place, value, body) => {
            let Expression::Let { local, value: found_value, body: found_body } = expression else { return false };
            if !matches(program, value, found_value, instance) {
                return false;
            }
            instance.bound.insert(*place, local);
            matches(program, body, found_body, instance)
        }
        Term::Construct(construct, parts) => {
            if construct_of(expression) != Some(*construct) {
                return false;
            }
            let mut found = vec![];
            program.parts(id, &mut found);
            // Binders of a function come before the parts that are checked against them.
            found.len() == parts.len()
                && parts.iter().zip(found).all(|(part, found)| matches(program, part, found, instance))
        }
    }
}

fn is_number(program: &Program, id: ExpressionId, number: f64, type_id: TypeId) -> bool {
    let is_equal = matches!(program.expression(id), Expression::Number(found) if found.to_bits() == number.to_bits());
    is_equal && program.type_of(id) == type_id
}

fn metavariable(program: &Program, place: usize, operands: &[Term], id: ExpressionId, instance: &mut Instance) -> bool {
    let mut found = vec![];
    for operand in operands {
        let (term, kind): (&Term, fn(LocalId) -> Operand) = match operand {
            Term::Construct(Construct::First, parts) => match parts.first() {
                Some(part) => (part, Operand::First),
                None => return false,
            },
            Term::Construct(Construct::Second, parts) => match parts.first() {
                Some(part) => (part, Operand::Second),
                None => return false,
            },
            other => (other, Operand::Variable),
        };
        let Term::Bound(place) = term else { return false };
        match instance.bound.get(place) {
            Some(local) => found.push(kind(*local)),
            None => return false,
        }
    }
    if let Some((earlier, _)) = instance.metavariables.get(&place) {
        return terms::same(program, *earlier, id);
    }
    let hidden: Vec<LocalId> = instance.bound.values().copied().collect();
    if !hidden.is_empty() && !mentions_only(program, id, &hidden, &found) {
        return false;
    }
    instance.metavariables.insert(place, (id, found));
    true
}

/// Returns true if a tree mentions those of the hidden locals only that are operands, and these only as such.
fn mentions_only(program: &Program, root: ExpressionId, hidden: &[LocalId], operands: &[Operand]) -> bool {
    let mut is_fine = true;
    terms::walk(program, root, |id, expression| {
        if projection(program, id).is_some_and(|operand| operands.contains(&operand)) {
            return false;
        }
        if let Expression::Local(local) = expression
            && hidden.contains(&local)
        {
            is_fine &= operands.contains(&Operand::Variable(local));
        }
        is_fine
    });
    is_fine
}

/// Returns `fst s` and `snd s` as an operand.
fn projection(program: &Program, id: ExpressionId) -> Option<Operand> {
    let (pair, kind): (ExpressionId, fn(LocalId) -> Operand) = match program.expression(id) {
        Expression::First(pair) => (pair, Operand::First),
        Expression::Second(pair) => (pair, Operand::Second),
        Expression::Number(_)
        | Expression::Boolean(_)
        | Expression::Local(_)
        | Expression::Global(_)
        | Expression::Lambda { .. }
        | Expression::Application { .. }
        | Expression::Let { .. }
        | Expression::If { .. }
        | Expression::Array(_)
        | Expression::Build { .. }
        | Expression::Ifold { .. }
        | Expression::Get { .. }
        | Expression::Length(_)
        | Expression::Pair(..)
        | Expression::Unary(..)
        | Expression::Binary(..)
        | Expression::Compare(..)
        | Expression::Not(_)
        | Expression::Write(_)
        | Expression::Widen(_)
        | Expression::Deriv { .. }
        | Expression::Derivative { .. }
        | Expression::OfLength { .. }
        | Expression::Forward { .. }
        | Expression::Reverse { .. } => return None,
    };
    if let Expression::Local(local) = program.expression(pair) { Some(kind(local)) } else { None }
}

/// Returns the construct of an expression; none for those that patterns do not have.
/// The construct that an expression is, if patterns have it.
pub fn construct_of(expression: Expression) -> Option<Construct> {
    match expression {
        Expression::Application { .. } => Some(Construct::Apply),
        Expression::If { .. } => Some(Construct::If),
        Expression::Build { .. } => Some(Construct::Build),
        Expression::Ifold { .. } => Some(Construct::Ifold),
        Expression::Get { .. } => Some(Construct::Get),
        Expression::Length(_) => Some(Construct::Length),
        Expression::OfLength { .. } => Some(Construct::OfLength),
        Expression::Pair(..) => Some(Construct::Pair),
        Expression::First(_) => Some(Construct::First),
        Expression::Second(_) => Some(Construct::Second),
        Expression::Not(_) => Some(Construct::Not),
        Expression::Unary(operation, _) => Some(Construct::Unary(operation)),
        Expression::Binary(operation, ..) => Some(Construct::Binary(operation)),
        Expression::Compare(comparison, ..) => Some(Construct::Compare(comparison)),
        Expression::Number(_)
        | Expression::Write(_)
        | Expression::Boolean(_)
        | Expression::Local(_)
        | Expression::Global(_)
        | Expression::Lambda { .. }
        | Expression::Let { .. }
        | Expression::Array(_)
        | Expression::Widen(_)
        | Expression::Deriv { .. }
        | Expression::Derivative { .. }
        | Expression::Forward { .. }
        | Expression::Reverse { .. } => None,
    }
}

/// The making of a term from a template.
pub struct Making<'making> {
    program: &'making mut Program,
    instance: &'making Instance,
    /// The expression that the term replaces: the term has its type, and new parts its span.
    replaced: ExpressionId,
    /// The metavariables that have been used: further uses are copies.
    used: Vec<usize>,
    /// The variables that have been bound anew, since a second binder needs a local of its own.
    bound: Vec<usize>,
    /// The locals of variables that the template alone binds.
    added: FxHashMap<usize, LocalId>,
}

/// Makes the term of a template; none if it has no type, which a rule that is well formed excludes.
pub fn make(
    program: &mut Program,
    template: &Term,
    instance: &Instance,
    replaced: ExpressionId,
) -> Option<ExpressionId> {
    let mut making = Making { program, instance, replaced, used: vec![], bound: vec![], added: FxHashMap::default() };
    making.term(template, &FxHashMap::default())
}

impl Making<'_> {
    /// Makes a term, in which some locals stand for those of the pattern.
    fn term(&mut self, template: &Term, renamed: &FxHashMap<LocalId, LocalId>) -> Option<ExpressionId> {
        match template {
            Term::Meta(place, operands) => self.metavariable(*place, operands, renamed),
            Term::Bound(place) => {
                let local = self.added.get(place).or_else(|| self.instance.bound.get(place))?;
                let local = renamed.get(local).copied().unwrap_or(*local);
                Some(terms::local(self.program, local, self.replaced))
            }
            Term::Double(number) => Some(self.add(Expression::Number(*number), Types::DOUBLE)),
            Term::Index(number) => Some(self.add(Expression::Number(*number), Types::INDEX)),
            Term::Boolean(value) => Some(self.add(Expression::Boolean(*value), Types::BOOLEAN)),
            Term::Function(place, body) => {
                let old = *self.instance.bound.get(place)?;
                let type_id = self.program.local(old).type_id;
                let (local, renamed) = self.bind(*place, old, type_id, renamed);
                let body = self.term(body, &renamed)?;
                let (from, to) = (self.program.local(local).type_id, self.program.type_of(body));
                let type_id = self.program.types.function(from, to);
                Some(self.add(Expression::Lambda { parameter: local, body }, type_id))
            }
            Term::Let(place, value, body) => {
                let value = self.term(value, renamed)?;
                let Some(old) = self.instance.bound.get(place).copied() else {
                    let local = terms::fresh(self.program, "t", value);
                    self.added.insert(*place, local);
                    let body = self.term(body, renamed)?;
                    let type_id = self.program.type_of(body);
                    return Some(self.add(Expression::Let { local, value, body }, type_id));
                };
                let type_id = self.program.type_of(value);
                let (local, renamed) = self.bind(*place, old, type_id, renamed);
                let body = self.term(body, &renamed)?;
                let type_id = self.program.type_of(body);
                Some(self.add(Expression::Let { local, value, body }, type_id))
            }
            Term::Construct(construct, parts) => {
                let made: Option<Vec<ExpressionId>> = parts.iter().map(|part| self.term(part, renamed)).collect();
                self.construct(*construct, &made?)
            }
        }
    }

    fn add(&mut self, expression: Expression, type_id: TypeId) -> ExpressionId {
        let span = self.program.span(self.replaced);
        self.program.add(expression, type_id, span)
    }

    /// Returns the local that a template binds for one of the pattern: itself, if it is not bound yet.
    fn bind(
        &mut self,
        place: usize,
        old: LocalId,
        type_id: TypeId,
        renamed: &FxHashMap<LocalId, LocalId>,
    ) -> (LocalId, FxHashMap<LocalId, LocalId>) {
        let mut renamed = renamed.clone();
        let described = self.program.local(old).clone();
        if self.bound.contains(&place) || described.type_id != type_id {
            let local = self.program.add_local(described.name, type_id, described.span);
            renamed.insert(old, local);
            return (local, renamed);
        }
        self.bound.push(place);
        renamed.remove(&old);
        (old, renamed)
    }

    fn metavariable(
        &mut self,
        place: usize,
        operands: &[Term],
        renamed: &FxHashMap<LocalId, LocalId>,
    ) -> Option<ExpressionId> {
        let (id, expected) = self.instance.metavariables.get(&place)?.clone();
        if expected.len() != operands.len() {
            return None;
        }
        let mut body = id;
        if self.used.contains(&place) {
            body = self.program.copy(id, &Substitution::default());
        } else {
            self.used.push(place);
        }
        let mut bindings = vec![];
        for (expected, operand) in expected.iter().zip(operands) {
            let is_itself = match (expected, operand) {
                (Operand::Variable(local), Term::Bound(place)) => {
                    self.instance.bound.get(place) == Some(local) && !renamed.contains_key(local)
                }
                (_, _) => false,
            };
            if is_itself {
                continue;
            }
            let value = self.term(operand, renamed)?;
            body = self.replace_operand(body, *expected, value, &mut bindings);
        }
        for (local, value) in bindings.into_iter().rev() {
            let type_id = self.program.type_of(body);
            body = self.add(Expression::Let { local, value, body }, type_id);
        }
        Some(body)
    }

    /// Puts a value in the place of an operand: an atom itself, and else a local that is bound to it.
    fn replace_operand(
        &mut self,
        body: ExpressionId,
        operand: Operand,
        value: ExpressionId,
        bindings: &mut Vec<(LocalId, ExpressionId)>,
    ) -> ExpressionId {
        let mut atom = value;
        if !terms::is_atom(self.program.expression(value)) {
            let name = self.program.local(operand.local()).name.clone();
            let local = terms::fresh(self.program, &name, value);
            bindings.push((local, value));
            atom = terms::local(self.program, local, value);
        }
        terms::replace(self.program, body, |program, id| {
            let is_operand = match operand {
                Operand::Variable(local) => program.expression(id) == Expression::Local(local),
                Operand::First(_) | Operand::Second(_) => projection(program, id) == Some(operand),
            };
            is_operand.then(|| {
                let (expression, type_id, span) = (program.expression(atom), program.type_of(atom), program.span(id));
                program.add(expression, type_id, span)
            })
        })
    }

    /// Makes a construct of its parts, with the type that it has.
    fn construct(&mut self, construct: Construct, parts: &[ExpressionId]) -> Option<ExpressionId> {
        let type_of = |making: &Self, place: usize| parts.get(place).map(|part| making.program.type_of(*part));
        let first = type_of(self, 0)?;
        let (expression, type_id) = match (construct, parts) {
            (Construct::Apply, [function, argument]) => {
                let Type::Function(_, result) = self.program.types.get(first) else { return None };
                (Expression::Application { function: *function, argument: *argument }, result)
            }
            (Construct::If, [condition, consequent, alternative]) => {
                let type_id = type_of(self, 1)?;
                let (condition, consequent, alternative) = (*condition, *consequent, *alternative);
                (Expression::If { condition, consequent, alternative }, type_id)
            }
            (Construct::Build, [size, function]) => {
                let Type::Function(_, result) = self.program.types.get(type_of(self, 1)?) else { return None };
                let type_id = self.program.types.array(result);
                (Expression::Build { size: *size, function: *function }, type_id)
            }
            (Construct::Ifold, [function, start, count]) => {
                let type_id = type_of(self, 1)?;
                (Expression::Ifold { function: *function, start: *start, count: *count }, type_id)
            }
            (Construct::Get, [array, index]) => {
                let Type::Array(element) = self.program.types.get(first) else { return None };
                (Expression::Get { array: *array, index: *index }, element)
            }
            (Construct::Length, [array]) => (Expression::Length(*array), Types::INDEX),
            (Construct::OfLength, [array, length]) => (Expression::OfLength { array: *array, length: *length }, first),
            (Construct::Pair, [one, other]) => {
                let type_id = type_of(self, 1)?;
                (Expression::Pair(*one, *other), self.program.types.pair(first, type_id))
            }
            (Construct::First, [pair]) => {
                let Type::Pair(one, _) = self.program.types.get(first) else { return None };
                (Expression::First(*pair), one)
            }
            (Construct::Second, [pair]) => {
                let Type::Pair(_, other) = self.program.types.get(first) else { return None };
                (Expression::Second(*pair), other)
            }
            (Construct::Not, [operand]) => (Expression::Not(*operand), Types::BOOLEAN),
            (Construct::Unary(operation), [operand]) => (Expression::Unary(operation, *operand), first),
            (Construct::Binary(operation), [one, other]) => (Expression::Binary(operation, *one, *other), first),
            (Construct::Compare(comparison), [one, other]) => {
                (Expression::Compare(comparison, *one, *other), Types::BOOLEAN)
            }
            (
                Construct::Apply
                | Construct::If
                | Construct::Build
                | Construct::Ifold
                | Construct::Get
                | Construct::Length
                | Construct::OfLength
                | Construct::Pair
                | Construct::First
                | Construct::Second
                | Construct::Not
                | Construct::Unary(_)
                | Construct::Binary(_)
                | Construct::Compare(_),
                _,
            ) => return None,
        };
        Some(self.add(expression, type_id))
    }
}
