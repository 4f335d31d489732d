//! The kinds of one item, or of one instance of a definition: the inequalities of each construct.
//!
//! Shapes are known here. So each expression has a type with kinds, made from those of its parts, and values flow where a
//! construct takes them.

use super::kinds::{Interface, Kind, Kinded, KindedId, Kinds, Role};
use super::monomorphic::{Monomorphic, Request};
use crate::builtins::{self, Builtin, DerivativeOperator, KindRule};
use crate::infer::unification::state::{Shaped, varying};
use crate::lists::List;
use crate::scoped::{Body, DefinitionId, Scoped, ScopedId, ScopedLocalId, ScopedTree, ScopedVariable};
use crate::syntax::tree::Notation;
use crate::typed::fold::{Seen, fold};
use crate::typed::{Type, TypeId, Types};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::rc::Rc;
use vlad_core::source::Span;
use vlad_table::internal_bug;

/// The kinds of an item.
#[derive(Debug)]
pub(crate) struct Walked {
    /// The expressions and locals.
    pub body: Body,
    /// The inequalities.
    pub kinds: Kinds,
    /// The type of each expression, from the first.
    expressions: Vec<KindedId>,
    /// The type of each parameter, from the first local.
    locals: Vec<KindedId>,
    /// The definitions that the expressions are uses of.
    pub uses: FxHashMap<ScopedId, (Request, KindedId)>,
    /// The types of the operands of calls.
    pub signatures: FxHashMap<ScopedId, Signature>,
    /// The types to which the expressions of `deriv` are widened.
    pub widened: FxHashMap<ScopedId, KindedId>,
}

/// A type for each operand of a function of the language.
pub(crate) type OperandTypes = SmallVec<[KindedId; 3]>;

/// The types of the operands of a call.
#[derive(Debug)]
pub(crate) struct Signature {
    /// The types that the function takes.
    pub taken: OperandTypes,
    /// The types of the operands that are not given, which flow there.
    pub missing: OperandTypes,
    /// The type of the result.
    pub result: KindedId,
}

impl Walked {
    /// The type of an expression.
    pub fn expression(&self, id: ScopedId) -> KindedId {
        let Some(kinded) = self.expressions.get(id.0.wrapping_sub(self.body.first) as usize) else {
            internal_bug!("expression {} is walked in order", id.0)
        };
        *kinded
    }

    /// The type of a parameter.
    pub fn local(&self, id: ScopedLocalId) -> KindedId {
        let Some(kinded) = self.locals.get(id.0.wrapping_sub(self.body.first_local) as usize) else {
            internal_bug!("local {} belongs to the item", id.0)
        };
        *kinded
    }
}

/// The inputs of a walk.
pub(super) struct WalkContext<'run> {
    pub tree: &'run ScopedTree,
    pub shaped: &'run Shaped,
    pub types: &'run mut Types,
    pub interfaces: &'run FxHashMap<Request, Rc<Interface>>,
}

/// Finds the inequalities of an item. The interfaces of all definitions that it uses are known.
pub(super) fn walk(context: WalkContext<'_>, body: Body, monomorphic: &mut Monomorphic) -> Walked {
    let (nodes, locals) = ((body.root.0 - body.first) as usize + 1, (body.end_local - body.first_local) as usize);
    let walked = Walked {
        body,
        kinds: Kinds::default(),
        expressions: Vec::with_capacity(nodes),
        locals: Vec::with_capacity(locals),
        uses: FxHashMap::default(),
        signatures: FxHashMap::default(),
        widened: FxHashMap::default(),
    };
    let shared = varying(context.tree, body).map(|definition| (definition, None)).collect();
    let mut walk = Walk { context, monomorphic, walked, shared };
    for id in body.locals() {
        let kinded = walk.parameter(id);
        walk.walked.locals.push(kinded);
    }
    for id in body.expressions() {
        let kinded = walk.expression(id);
        walk.walked.expressions.push(kinded);
    }
    walk.walked
}

struct Walk<'run, 'context> {
    context: WalkContext<'context>,
    monomorphic: &'run mut Monomorphic,
    walked: Walked,
    /// The definitions by which the item differentiates: their uses have one type.
    shared: FxHashMap<DefinitionId, Option<(Request, KindedId)>>,
}

impl Walk<'_, '_> {
    fn kinds(&mut self) -> &mut Kinds {
        &mut self.walked.kinds
    }

    fn span(&self, id: ScopedId) -> Span {
        self.context.tree.span(id)
    }

    /// Returns the type of an expression, with Double for every number.
    fn shape(&mut self, id: ScopedId) -> TypeId {
        self.monomorphic.of_expression(self.context.shaped, self.context.types, id)
    }

    fn parameter(&mut self, id: ScopedLocalId) -> KindedId {
        let local = self.context.tree.local(id);
        match local.annotation {
            Some(annotation) => self.walked.kinds.fixed(self.context.types, annotation),
            None => {
                let shape = self.monomorphic.of_local(self.context.shaped, self.context.types, id);
                self.walked.kinds.fresh(self.context.types, shape)
            }
        }
    }

    fn flow(&mut self, id: ScopedId, to: KindedId, role: Role) {
        let (from, span) = (self.walked.expression(id), self.span(id));
        self.kinds().flow(from, to, span, role);
    }

    fn expression(&mut self, id: ScopedId) -> KindedId {
        match self.context.tree.get(id) {
            Scoped::Number(_, Notation::Whole) => self.kinds().number(),
            Scoped::Number(_, Notation::Fraction) => self.kinds().add(Kinded::Number(Kind::DOUBLE)),
            Scoped::Boolean(_) => self.kinds().add(Kinded::Boolean),
            Scoped::Local(local) => self.local(local),
            Scoped::Definition(definition) => self.definition(id, definition),
            Scoped::Lambda(local, body) => {
                let (parameter, body) = (self.walked.local(local), self.walked.expression(body));
                self.kinds().add(Kinded::Function(parameter, body))
            }
            Scoped::Application(function, argument) => {
                let function = self.walked.expression(function);
                let (parameter, result) = self.kinds().function(function);
                self.flow(argument, parameter, Role::Flow);
                result
            }
            Scoped::Let(_, _, body) => self.walked.expression(body),
            Scoped::If(_, consequent, alternative) => self.joined(id, &[consequent, alternative]),
            Scoped::Array(elements) => {
                let tree = self.context.tree;
                let elements = tree.operands(elements);
                let array = self.shape(id);
                let Type::Array(element) = self.context.types.get(array) else {
                    internal_bug!("an array has the type of one")
                };
                let element = self.walked.kinds.fresh(self.context.types, element);
                elements.iter().for_each(|part| self.flow(*part, element, Role::Flow));
                self.kinds().add(Kinded::Array(element))
            }
            Scoped::Annotated(inner, annotation) => {
                let kinded = self.walked.kinds.fixed(self.context.types, annotation);
                self.flow(inner, kinded, Role::Annotation);
                kinded
            }
            Scoped::Deriv(body, variable, place) => self.deriv(id, body, variable, place),
            Scoped::Call(builtin, operands, _) => self.call(id, builtin, operands),
            Scoped::Unknown => internal_bug!("an item with errors is not walked"),
        }
    }

    /// Returns the type into which several values flow.
    fn joined(&mut self, id: ScopedId, parts: &[ScopedId]) -> KindedId {
        let shape = self.shape(id);
        let joined = self.walked.kinds.fresh(self.context.types, shape);
        parts.iter().for_each(|part| self.flow(*part, joined, Role::Flow));
        joined
    }

    fn local(&self, local: ScopedLocalId) -> KindedId {
        match self.context.tree.local(local).value {
            Some(value) => self.walked.expression(value),
            None => self.walked.local(local),
        }
    }

    /// Returns the type of a definition at a use.
    fn definition(&mut self, id: ScopedId, definition: DefinitionId) -> KindedId {
        let known = self.shared.get(&definition).cloned().flatten();
        let (request, kinded) = match known {
            Some(known) => known,
            None => {
                let request = self.monomorphic.request(self.context.shaped, self.context.types, id, definition);
                let Some(interface) = self.context.interfaces.get(&request) else {
                    internal_bug!("the interfaces of used definitions are known")
                };
                let kinded = self.walked.kinds.instantiate(interface, self.context.tree.span(id));
                (request, kinded)
            }
        };
        if let Some(place) = self.shared.get_mut(&definition) {
            *place = Some((request.clone(), kinded));
        }
        self.walked.uses.insert(id, (request, kinded));
        kinded
    }

    fn deriv(&mut self, id: ScopedId, body: ScopedId, variable: ScopedVariable, place: Span) -> KindedId {
        let shape = self.shape(body);
        let widened = self.walked.kinds.continuous(self.context.types, shape);
        self.flow(body, widened, Role::Flow);
        self.walked.widened.insert(id, widened);
        let variable = match variable {
            ScopedVariable::Local(local) => self.local(local),
            ScopedVariable::Definition(definition) => self.definition(id, definition),
        };
        // A variable that varies is D.
        for leaf in self.walked.kinds.leaves(variable) {
            self.kinds().at_most(Kind::DOUBLE, leaf, place, Role::Variable);
        }
        let shape = self.shape(id);
        self.walked.kinds.continuous(self.context.types, shape)
    }

    fn call(&mut self, id: ScopedId, builtin: Builtin, operands: List) -> KindedId {
        let tree = self.context.tree;
        let given = tree.operands(operands);
        // The shapes of the missing operands and of the result.
        let mut shape = self.shape(id);
        let mut missing = vec![];
        for _ in given.len()..builtin.arity() {
            let Type::Function(parameter, result) = self.context.types.get(shape) else {
                internal_bug!("a call without all operands is a function")
            };
            missing.push(parameter);
            shape = result;
        }
        let missing: OperandTypes =
            missing.into_iter().map(|shape| self.walked.kinds.fresh(self.context.types, shape)).collect();
        let own: OperandTypes =
            given.iter().map(|operand| self.walked.expression(*operand)).chain(missing.iter().copied()).collect();
        let (taken, result) = self.rule(builtin, &own, shape);
        let roles = roles(builtin);
        let symbol = self.span(id);
        for (position, (from, to)) in own.iter().zip(&taken).enumerate() {
            let span = given.get(position).map_or(symbol, |operand| self.span(*operand));
            let role = roles.get(position).copied().unwrap_or(Role::Flow);
            self.kinds().flow(*from, *to, span, role);
        }
        let whole = missing
            .iter()
            .rev()
            .fold(result, |result, missing| self.walked.kinds.add(Kinded::Function(*missing, result)));
        self.walked.signatures.insert(id, Signature { taken, missing, result });
        whole
    }

    /// Returns the types that a function takes, for the types of all its operands, and that of its result.
    fn rule(&mut self, builtin: Builtin, own: &[KindedId], shape: TypeId) -> (OperandTypes, KindedId) {
        let kinds = &mut self.walked.kinds;
        let types = &mut *self.context.types;
        let operand = |position: usize| match own.get(position) {
            Some(kinded) => *kinded,
            None => internal_bug!("`{}` has operand {position}", builtin.name()),
        };
        let new_index = |kinds: &mut Kinds| kinds.add(Kinded::Number(Kind::INDEX));
        match builtin {
            Builtin::Operation(operation) => {
                let rule = builtins::operation(operation).map_or(KindRule::Double, |row| row.kinds);
                let number = match rule {
                    KindRule::Kept => kinds.number(),
                    KindRule::Double => kinds.add(Kinded::Number(Kind::DOUBLE)),
                };
                (smallvec![number; own.len()], number)
            }
            Builtin::Quotient => {
                let index = new_index(kinds);
                (smallvec![index; 2], index)
            }
            Builtin::Compare(_) | Builtin::Unequal => {
                let number = kinds.number();
                (smallvec![number; own.len()], kinds.add(Kinded::Boolean))
            }
            Builtin::And | Builtin::Or | Builtin::Not => {
                let boolean = kinds.add(Kinded::Boolean);
                (smallvec![boolean; own.len()], boolean)
            }
            Builtin::Build => {
                let (index, array) = (new_index(kinds), kinds.fresh(types, shape));
                let element = kinds.element(array);
                let function = kinds.add(Kinded::Function(index, element));
                (smallvec![index, function], array)
            }
            Builtin::Ifold => {
                let (index, state) = (new_index(kinds), kinds.fresh(types, shape));
                let step = kinds.add(Kinded::Function(index, state));
                let function = kinds.add(Kinded::Function(state, step));
                (smallvec![function, state, index], state)
            }
            Builtin::Get => {
                let array = operand(0);
                (smallvec![array, new_index(kinds)], kinds.element(array))
            }
            Builtin::Length => (smallvec![operand(0)], new_index(kinds)),
            Builtin::OfLength => (smallvec![operand(0), new_index(kinds)], operand(0)),
            Builtin::Forward => {
                let (point, value) = kinds.function(operand(0));
                let (point, value) = (continuous_like(kinds, point), continuous_like(kinds, value));
                let function = kinds.add(Kinded::Function(point, value));
                (smallvec![function, point, point], kinds.add(Kinded::Pair(value, value)))
            }
            Builtin::Write => (own.into(), operand(0)),
            Builtin::Pair => (own.into(), kinds.add(Kinded::Pair(operand(0), operand(1)))),
            Builtin::First => (own.into(), kinds.pair(operand(0)).0),
            Builtin::Second => (own.into(), kinds.pair(operand(0)).1),
            Builtin::Derivative(operator) => {
                let (_, value) = kinds.function(operand(0));
                let value = continuous_like(kinds, value);
                let point = match operator {
                    DerivativeOperator::Diff | DerivativeOperator::VDiff | DerivativeOperator::MDiff => Types::DOUBLE,
                    DerivativeOperator::Grad | DerivativeOperator::Hessian | DerivativeOperator::Jacob => Types::VECTOR,
                    DerivativeOperator::MGrad => Types::MATRIX,
                };
                let point = kinds.continuous(types, point);
                let function = kinds.add(Kinded::Function(point, value));
                (smallvec![function, point], kinds.continuous(types, shape))
            }
            Builtin::Reverse(_) => {
                let (point, value) = kinds.function(operand(0));
                let (point, value) = (continuous_like(kinds, point), continuous_like(kinds, value));
                let function = kinds.add(Kinded::Function(point, value));
                (smallvec![function, point, value], kinds.add(Kinded::Pair(value, point)))
            }
        }
    }
}

/// Returns a type of the structure of another one, whose numbers are all D.
fn continuous_like(kinds: &mut Kinds, id: KindedId) -> KindedId {
    let see = |kinds: &mut Kinds, id| {
        let seen = kinds.get(id);
        let double = if let Kinded::Number(_) = seen { Kinded::Number(Kind::DOUBLE) } else { seen };
        seen.parts().map_or_else(|| Seen::Known(kinds.add(double)), Seen::Of)
    };
    fold(kinds, id, see, |kinds, _, parts| kinds.add(parts.into()))
}

/// Returns the roles of the operands of a function, where they matter.
fn roles(builtin: Builtin) -> &'static [Role] {
    match builtin {
        Builtin::Build => &[Role::Size, Role::Flow],
        Builtin::Ifold => &[Role::Flow, Role::Flow, Role::Count],
        Builtin::Get => &[Role::Flow, Role::Index],
        Builtin::OfLength => &[Role::Flow, Role::Length],
        Builtin::Quotient => &[Role::Operand, Role::Operand],
        _ => &[],
    }
}
