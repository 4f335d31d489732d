//! The shapes of expressions: Hindley and Milner's inference, with definitions generalised and locals monomorphic.
//!
//! A definition's *generics* are the variables in its shape. A use has copies of them, which are kept: they tell at which
//! types the definition is used. Other variables that are left over stand for numbers.
//!
//! The shape of a derivative follows from the shapes of function and point, which may be known later. Until then it is a
//! variable and a [`Deferred`] relation; a definition that is generalised keeps its relations.

use super::errors::{self, Expectation};
use super::shapes::{Occurs, Shape, ShapeId, Shapes, Sort};
use super::state::{Deferred, Relation, Rules, Scheme, Shaped, varying};
use crate::builtins::Builtin;
use crate::scoped::{Body, DefinitionId, Output, Scoped, ScopedId, ScopedItem, ScopedTree, ScopedVariable};
use crate::typed::Types;
use crate::typed::types::MOST_PARTS;
use rustc_hash::{FxHashMap, FxHashSet};
use vlad_core::diagnostic::{Diagnostic, Kind, Report};
use vlad_core::numbers::Table;
use vlad_core::source::Span;
use vlad_language::names::Names;

/// Infers the shapes of a program. Errors are reported, and items with errors left out.
pub fn infer(tree: &ScopedTree, types: &Types, names: &Names, report: &mut Report) -> Shaped {
    let shaped = Shaped {
        shapes: Shapes::new(),
        expressions: Table::filled(tree.count(), Shapes::NUMBER),
        locals: Table::filled(tree.locals.len(), Shapes::NUMBER),
        schemes: Table::filled(tree.definitions.len(), Scheme::Refused),
        uses: FxHashMap::default(),
        unused: Table::filled(tree.definitions.len(), vec![]),
        sound: vec![],
    };
    let mut rules = Rules {
        tree,
        types,
        names,
        report,
        shaped,
        deferred: vec![],
        finite: FxHashSet::default(),
        errors: 0,
        found: vec![],
        is_infinite: false,
        varying: FxHashMap::default(),
    };
    for item in &tree.items {
        rules.item(*item);
    }
    rules.shaped
}

impl Rules<'_> {
    fn item(&mut self, item: ScopedItem) {
        let body = match item {
            ScopedItem::Expression(body) => Some(body),
            ScopedItem::Define(definition) => self.tree.definition(definition).value,
        };
        let Some(body) = body else { return };
        self.checked(item, body);
        for diagnostic in self.found.drain(..) {
            self.report.push(diagnostic);
        }
    }

    fn checked(&mut self, item: ScopedItem, body: Body) {
        self.body(body);
        let shaped = &self.shaped;
        let shapes = body.expressions().map(|id| shaped.expressions[id]);
        if shaped.shapes.is_cyclic(shapes, &mut self.finite) {
            // The same again, to find the place. Errors may have followed from the cycle, and are found again if not.
            self.shaped.shapes.occurs = Occurs::AtOnce;
            self.body(body);
            self.shaped.shapes.occurs = Occurs::Later;
        }
        if self.errors > 0 {
            return;
        }
        match item {
            ScopedItem::Define(definition) => self.generalise(definition, body),
            ScopedItem::Expression(_) => self.settle(),
        }
        if self.errors == 0 {
            self.shaped.sound.push(item);
        }
    }

    fn body(&mut self, body: Body) {
        self.errors = 0;
        self.found.clear();
        self.is_infinite = false;
        self.deferred.clear();
        self.varying = varying(self.tree, body).map(|definition| (definition, None)).collect();
        for id in body.locals() {
            let local = self.tree.local(id);
            let shape = match local.annotation {
                Some(annotation) => self.shaped.shapes.of_type(self.types, annotation),
                None => self.shaped.shapes.variable(Sort::Any),
            };
            self.shaped.locals[id] = shape;
        }
        for id in body.expressions() {
            let shape = self.expression(id);
            self.shaped.expressions[id] = shape;
        }
        if self.errors == 0 {
            self.relate();
        }
    }

    fn generalise(&mut self, definition: DefinitionId, body: Body) {
        let shape = self.shape(body.root);
        if self.shaped.shapes.exceeds(shape, MOST_PARTS) {
            // Uses would copy it, and definitions that use each other could double it each time.
            let message = format!("this type has more than {MOST_PARTS} parts");
            self.error(Diagnostic::new(Kind::Limit, self.tree.definition(definition).span, message));
            return;
        }
        if self.tree.definition(definition).output == Output::WhenEvaluated {
            self.settle();
            self.shaped.schemes[definition] = Scheme::Known { shape, generics: vec![], deferred: vec![] };
            return;
        }
        let (mut generics, mut seen) = (vec![], FxHashSet::default());
        self.shaped.shapes.variables(shape, &mut generics, &mut seen);
        for deferred in &self.deferred {
            let related = match deferred.relation {
                Relation::Dual(of) => [of, deferred.result, deferred.result],
                Relation::Derivative { variable, body } => [variable, body, deferred.result],
            };
            related.into_iter().for_each(|shape| self.shaped.shapes.variables(shape, &mut generics, &mut seen));
        }
        let deferred = std::mem::take(&mut self.deferred);
        self.shaped.schemes[definition] = Scheme::Known { shape, generics, deferred };
        let (_, generics) = self.instance(definition, self.tree.span(body.root));
        self.settle();
        self.shaped.unused[definition] = generics;
    }

    /// Demands a shape of an expression. Returns true if it has it.
    fn expect(&mut self, id: ScopedId, expected: ShapeId, expectation: Expectation) -> bool {
        match self.shaped.shapes.unify(expected, self.shape(id)) {
            Ok(()) => true,
            Err(mismatch) => {
                if matches!(expectation, Expectation::Operand(call, _) if self.is_second_of_pattern(call)) {
                    // It has been told of the first part.
                    self.errors += 1;
                    return false;
                }
                let diagnostic = errors::mismatch(self, id, expected, expectation, mismatch);
                self.unequal(mismatch, diagnostic);
                false
            }
        }
    }

    fn is_second_of_pattern(&self, call: ScopedId) -> bool {
        self.tree.is_of_pattern(call) && matches!(self.tree.get(call), Scoped::Call(Builtin::Second, ..))
    }

    fn expression(&mut self, id: ScopedId) -> ShapeId {
        match self.tree.get(id) {
            Scoped::Number(..) => Shapes::NUMBER,
            Scoped::Boolean(_) => Shapes::BOOLEAN,
            Scoped::Local(local) => self.variable(ScopedVariable::Local(local)),
            Scoped::Definition(definition) => self.definition(id, definition),
            Scoped::Lambda(local, body) => {
                let parameter = self.variable(ScopedVariable::Local(local));
                let body = self.shape(body);
                self.shaped.shapes.add(Shape::Function(parameter, body))
            }
            Scoped::Application(function, argument) => self.application(id, function, argument),
            Scoped::Let(_, _, body) => self.shape(body),
            Scoped::If(condition, consequent, alternative) => {
                self.expect(condition, Shapes::BOOLEAN, Expectation::Condition);
                let result = self.shaped.shapes.variable(Sort::Data);
                let _ = self.expect(consequent, result, Expectation::Branch(consequent))
                    && self.expect(alternative, result, Expectation::Branch(consequent));
                result
            }
            Scoped::Array(elements) => {
                let element = self.shaped.shapes.variable(Sort::Data);
                let elements = self.tree.operands(elements);
                let first = elements.first().copied().unwrap_or(id);
                elements.iter().all(|part| self.expect(*part, element, Expectation::Element(first)));
                self.shaped.shapes.add(Shape::Array(element))
            }
            Scoped::Annotated(inner, annotation) => {
                let shape = self.shaped.shapes.of_type(self.types, annotation);
                self.expect(inner, shape, Expectation::Annotation(self.tree.span(id)));
                shape
            }
            Scoped::Deriv(body, variable, _) => self.deriv(id, body, variable),
            Scoped::Call(builtin, operands, _) => {
                let (parameters, result) = self.signature(builtin, id);
                let operands = self.tree.operands(operands);
                // Of operands in the wrong order the first one is reported.
                let mut pairs = operands.iter().zip(&parameters).enumerate();
                pairs.all(|(position, (operand, parameter))| {
                    self.expect(*operand, *parameter, Expectation::Operand(id, position))
                });
                let rest = parameters.get(operands.len()..).unwrap_or(&[]);
                self.shaped.shapes.function(rest, result)
            }
            Scoped::Unknown => {
                self.errors += 1;
                self.shaped.shapes.variable(Sort::Any)
            }
        }
    }

    /// Returns the shape of a definition at a use. All uses of a definition by which the item differentiates have one
    /// shape.
    fn definition(&mut self, id: ScopedId, definition: DefinitionId) -> ShapeId {
        if matches!(self.shaped.schemes[definition], Scheme::Refused) {
            self.errors += 1;
            return self.shaped.shapes.variable(Sort::Any);
        }
        let known = self.varying.get(&definition).cloned().flatten();
        let (shape, generics) = match known {
            Some(known) => known,
            None => self.instance(definition, self.tree.span(id)),
        };
        if let Some(place) = self.varying.get_mut(&definition) {
            *place = Some((shape, generics.clone()));
        }
        self.shaped.uses.insert(id, generics);
        shape
    }

    /// Returns the shape of a definition with new variables, and these.
    fn instance(&mut self, definition: DefinitionId, span: Span) -> (ShapeId, Vec<ShapeId>) {
        let Scheme::Known { shape, generics, deferred } = self.shaped.schemes[definition].clone() else {
            return (self.shaped.shapes.variable(Sort::Any), vec![]);
        };
        if generics.is_empty() {
            return (shape, generics);
        }
        let mut copies = FxHashMap::default();
        let shapes = &mut self.shaped.shapes;
        let copy = shapes.copy(shape, &mut copies);
        for Deferred { relation, result, .. } in deferred {
            let mut of = |shape| shapes.copy(shape, &mut copies);
            let relation = match relation {
                Relation::Dual(shape) => Relation::Dual(of(shape)),
                Relation::Derivative { variable, body } => {
                    Relation::Derivative { variable: of(variable), body: of(body) }
                }
            };
            let result = of(result);
            self.deferred.push(Deferred { relation, result, span });
        }
        let generics = generics.into_iter().map(|generic| shapes.copy(generic, &mut copies)).collect();
        (copy, generics)
    }

    fn application(&mut self, id: ScopedId, function: ScopedId, argument: ScopedId) -> ShapeId {
        let shape = self.shape(function);
        match self.shaped.shapes.get(shape) {
            Shape::Function(parameter, result) => match self.expect(argument, parameter, Expectation::Argument(id)) {
                true => result,
                false => self.shaped.shapes.variable(Sort::Any),
            },
            Shape::Variable(Sort::Any) => {
                let (parameter, result) = (self.shape(argument), self.shaped.shapes.variable(Sort::Any));
                let expected = self.shaped.shapes.add(Shape::Function(parameter, result));
                if let Err(mismatch) = self.shaped.shapes.unify(expected, shape) {
                    let diagnostic = errors::mismatch(self, function, expected, Expectation::Callee(id), mismatch);
                    self.unequal(mismatch, diagnostic);
                }
                result
            }
            // A type that an earlier error has left open may be one of functions.
            Shape::Variable(Sort::Data) if self.errors > 0 => self.shaped.shapes.variable(Sort::Any),
            Shape::Variable(Sort::Data) | Shape::Number | Shape::Boolean | Shape::Array(_) | Shape::Pair(..) => {
                let diagnostic = errors::no_function(self, function, argument);
                self.error(diagnostic);
                self.shaped.shapes.variable(Sort::Any)
            }
        }
    }

    fn deriv(&mut self, id: ScopedId, body: ScopedId, variable: ScopedVariable) -> ShapeId {
        let data = self.shaped.shapes.variable(Sort::Data);
        self.expect(body, data, Expectation::Differentiated);
        let variable = match variable {
            ScopedVariable::Local(_) => self.variable(variable),
            ScopedVariable::Definition(definition) => self.definition(id, definition),
        };
        let result = self.shaped.shapes.variable(Sort::Data);
        let relation = Relation::Derivative { variable, body: data };
        self.deferred.push(Deferred { relation, result, span: self.tree.span(id) });
        result
    }
}
