//! The shapes of expressions: Hindley and Milner's inference, with definitions generalised and locals monomorphic.
//!
//! A definition's *generics* are the variables in its shape. A use has copies of them, which are kept: they tell at which
//! types the definition is used. Other variables that are left over stand for numbers.
//!
//! The shape of a derivative follows from the shapes of function and point, which may be known later. Until then it is a
//! variable and a [`Deferred`] relation; a definition that is generalised keeps its relations.

use super::errors::{self, Expectation};
use super::shapes::{Mismatch, Occurs, Shape, ShapeId, Shapes, Sort};
use crate::fsmooth::builtins::{Builtin, DerivativeOperator};
use crate::fsmooth::scoped::{Body, DefinitionId, Scoped, ScopedId, ScopedItem, ScopedTree, ScopedVariable};
use crate::fsmooth::typed::Types;
use crate::names::Names;
use std::collections::{HashMap, HashSet};
use vlad_core::diagnostic::Diagnostic;
use vlad_core::report::Report;
use vlad_core::source::Span;

/// A relation between shapes that is not known to hold yet.
#[derive(Clone, Copy, Debug)]
pub struct Deferred {
    /// The relation.
    pub relation: Relation,
    /// The shape of the derivative.
    pub result: ShapeId,
    /// The place of the operator.
    pub span: Span,
}

/// A relation to a result.
#[derive(Clone, Copy, Debug)]
pub enum Relation {
    /// The result has a pair in place of each number of this shape.
    Dual(ShapeId),
    /// The result has, in place of each number of the variable, the dual shape of the expression.
    Derivative {
        /// The shape of the variable.
        variable: ShapeId,
        /// The shape of the expression.
        body: ShapeId,
    },
}

/// The shape of a definition.
#[derive(Clone, Debug)]
pub enum Scheme {
    /// A generalised shape.
    Known {
        /// The shape.
        shape: ShapeId,
        /// Its variables.
        generics: Vec<ShapeId>,
        /// The relations between them.
        deferred: Vec<Deferred>,
    },
    /// The definition has an error, and may have any shape.
    Refused,
}

/// The shapes of a program.
#[derive(Debug)]
pub struct Shaped {
    /// The shapes.
    pub shapes: Shapes,
    /// The shape of each expression.
    pub expressions: Vec<ShapeId>,
    /// The shape of each local that is a parameter.
    pub locals: Vec<ShapeId>,
    /// The shape of each definition.
    pub schemes: Vec<Scheme>,
    /// The shapes of the generics at each use of a definition, also as the variable of a `deriv`.
    pub uses: HashMap<ScopedId, Vec<ShapeId>>,
    /// The shapes of a definition's generics where nothing uses it.
    pub unused: HashMap<DefinitionId, Vec<ShapeId>>,
    /// The items that have no errors.
    pub sound: Vec<ScopedItem>,
}

/// Infers the shapes of a program. Errors are reported, and items with errors left out.
pub fn infer(tree: &ScopedTree, types: &Types, names: &Names, report: &mut Report) -> Shaped {
    let shaped = Shaped {
        shapes: Shapes::new(),
        expressions: vec![Shapes::NUMBER; tree.count()],
        locals: vec![Shapes::NUMBER; tree.local_count()],
        schemes: vec![Scheme::Refused; tree.definition_count()],
        uses: HashMap::new(),
        unused: HashMap::new(),
        sound: vec![],
    };
    let mut rules = Rules {
        tree,
        types,
        names,
        report,
        shaped,
        deferred: vec![],
        finite: HashSet::new(),
        errors: 0,
        varying: HashMap::new(),
    };
    for item in &tree.items {
        rules.item(*item);
    }
    rules.shaped
}

pub(super) struct Rules<'tree> {
    pub(super) tree: &'tree ScopedTree,
    types: &'tree Types,
    pub(super) names: &'tree Names,
    report: &'tree mut Report,
    pub(super) shaped: Shaped,
    deferred: Vec<Deferred>,
    /// The classes that are known to be finite.
    finite: HashSet<ShapeId>,
    /// The number of errors in the current item.
    errors: usize,
    /// The definitions by which the current item differentiates, with their shapes and generics in it.
    varying: HashMap<DefinitionId, Option<(ShapeId, Vec<ShapeId>)>>,
}

impl Rules<'_> {
    fn item(&mut self, item: ScopedItem) {
        let body = match item {
            ScopedItem::Expression(body) => Some(body),
            ScopedItem::Define(definition) => self.tree.definition(definition).value,
        };
        let Some(body) = body else { return };
        self.body(body);
        let shapes: Vec<ShapeId> = body.expressions().map(|id| self.shape(id)).collect();
        if self.shaped.shapes.is_cyclic(shapes, &mut self.finite) {
            // The same again, to find the place.
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
        self.deferred.clear();
        self.varying = varying(self.tree, body).map(|definition| (definition, None)).collect();
        for id in body.locals() {
            let local = self.tree.local(id);
            let shape = match local.annotation {
                Some(annotation) => self.shaped.shapes.of_type(self.types, annotation),
                None => self.shaped.shapes.variable(Sort::Any),
            };
            if let Some(place) = self.shaped.locals.get_mut(id.0 as usize) {
                *place = shape;
            }
        }
        for id in body.expressions() {
            let shape = self.expression(id);
            if let Some(place) = self.shaped.expressions.get_mut(id.0 as usize) {
                *place = shape;
            }
        }
        if self.errors == 0 {
            self.relate();
        }
    }

    pub(super) fn shape(&self, id: ScopedId) -> ShapeId {
        self.shaped.expressions.get(id.0 as usize).copied().unwrap_or(Shapes::NUMBER)
    }

    fn generalise(&mut self, definition: DefinitionId, body: Body) {
        let shape = self.shape(body.root);
        let (mut generics, mut seen) = (vec![], HashSet::new());
        self.shaped.shapes.variables(shape, &mut generics, &mut seen);
        for deferred in &self.deferred {
            let related = match deferred.relation {
                Relation::Dual(of) => [of, deferred.result, deferred.result],
                Relation::Derivative { variable, body } => [variable, body, deferred.result],
            };
            related.into_iter().for_each(|shape| self.shaped.shapes.variables(shape, &mut generics, &mut seen));
        }
        let scheme = Scheme::Known { shape, generics, deferred: std::mem::take(&mut self.deferred) };
        if let Some(place) = self.shaped.schemes.get_mut(definition.0 as usize) {
            *place = scheme;
        }
        let (_, generics) = self.instance(definition, self.tree.span(body.root));
        self.settle();
        self.shaped.unused.insert(definition, generics);
    }

    /// Makes the shapes that relations wait for numbers.
    fn settle(&mut self) {
        while self.errors == 0
            && let Some(deferred) = self.deferred.last()
        {
            let unknown = match deferred.relation {
                Relation::Dual(of) => of,
                Relation::Derivative { variable, .. } => variable,
            };
            if self.shaped.shapes.unify(unknown, Shapes::NUMBER).is_err() {
                vlad_table::internal_bug!("a relation waits for a variable alone");
            }
            self.relate();
        }
    }

    /// Reports an error of the current item; of several, the first three.
    fn error(&mut self, diagnostic: Diagnostic) {
        self.errors += 1;
        if self.errors <= 3 {
            self.report.push(diagnostic);
        }
    }

    /// Demands a shape of an expression. Returns true if it has it.
    fn expect(&mut self, id: ScopedId, expected: ShapeId, expectation: Expectation) -> bool {
        match self.shaped.shapes.unify(expected, self.shape(id)) {
            Ok(()) => true,
            Err(mismatch) => {
                let diagnostic = errors::mismatch(self, id, expected, expectation, mismatch);
                self.error(diagnostic);
                false
            }
        }
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

    /// Returns the shape of a variable where it is bound.
    pub(super) fn variable(&self, variable: ScopedVariable) -> ShapeId {
        match variable {
            ScopedVariable::Local(local) => match self.tree.local(local).value {
                Some(value) => self.shape(value),
                None => self.shaped.locals.get(local.0 as usize).copied().unwrap_or(Shapes::NUMBER),
            },
            ScopedVariable::Definition(definition) => match self.shaped.schemes.get(definition.0 as usize) {
                Some(Scheme::Known { shape, .. }) => *shape,
                Some(Scheme::Refused) | None => Shapes::NUMBER,
            },
        }
    }

    /// Returns the shape of a definition at a use. All uses of a definition by which the item differentiates have one
    /// shape.
    fn definition(&mut self, id: ScopedId, definition: DefinitionId) -> ShapeId {
        if matches!(self.shaped.schemes.get(definition.0 as usize), Some(Scheme::Refused) | None) {
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
        let scheme = self.shaped.schemes.get(definition.0 as usize).cloned().unwrap_or(Scheme::Refused);
        let Scheme::Known { shape, generics, deferred } = scheme else {
            return (self.shaped.shapes.variable(Sort::Any), vec![]);
        };
        if generics.is_empty() {
            return (shape, generics);
        }
        let mut copies = HashMap::new();
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
                    self.error(diagnostic);
                }
                result
            }
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

    /// Returns the shapes of the parameters and of the result of a function of the language.
    fn signature(&mut self, builtin: Builtin, id: ScopedId) -> (Vec<ShapeId>, ShapeId) {
        let shapes = &mut self.shaped.shapes;
        let (number, boolean) = (Shapes::NUMBER, Shapes::BOOLEAN);
        match builtin {
            Builtin::Operation(_) => (vec![number; builtin.arity()], number),
            Builtin::Compare(_) | Builtin::Unequal => (vec![number; 2], boolean),
            Builtin::And | Builtin::Or => (vec![boolean; 2], boolean),
            Builtin::Not => (vec![boolean], boolean),
            Builtin::Build => {
                let element = shapes.variable(Sort::Data);
                let (function, array) = (shapes.function(&[number], element), shapes.add(Shape::Array(element)));
                (vec![number, function], array)
            }
            Builtin::Ifold => {
                let state = shapes.variable(Sort::Data);
                let function = shapes.function(&[state, number], state);
                (vec![function, state, number], state)
            }
            Builtin::Get => {
                let element = shapes.variable(Sort::Data);
                (vec![shapes.add(Shape::Array(element)), number], element)
            }
            Builtin::Length => {
                let element = shapes.variable(Sort::Data);
                (vec![shapes.add(Shape::Array(element))], number)
            }
            Builtin::OfLength => {
                let element = shapes.variable(Sort::Data);
                let array = shapes.add(Shape::Array(element));
                (vec![array, number], array)
            }
            Builtin::Forward => {
                let (point, result) = (shapes.variable(Sort::Data), shapes.variable(Sort::Data));
                let function = shapes.function(&[point], result);
                (vec![function, point, point], shapes.add(Shape::Pair(result, result)))
            }
            Builtin::Pair | Builtin::First | Builtin::Second => {
                let (first, second) = (shapes.variable(Sort::Data), shapes.variable(Sort::Data));
                let pair = shapes.add(Shape::Pair(first, second));
                match builtin {
                    Builtin::First => (vec![pair], first),
                    Builtin::Second => (vec![pair], second),
                    _ => (vec![first, second], pair),
                }
            }
            Builtin::Derivative(operator) => self.derivative(operator, id),
            Builtin::Reverse(_) => {
                let (point, result) = (shapes.variable(Sort::Data), shapes.variable(Sort::Data));
                let function = shapes.function(&[point], result);
                (vec![function, point, result], shapes.add(Shape::Pair(result, point)))
            }
        }
    }

    fn derivative(&mut self, operator: DerivativeOperator, id: ScopedId) -> (Vec<ShapeId>, ShapeId) {
        let span = self.tree.span(id);
        let shapes = &mut self.shaped.shapes;
        let number = Shapes::NUMBER;
        let vector = shapes.add(Shape::Array(number));
        let matrix = shapes.add(Shape::Array(vector));
        let dual = shapes.add(Shape::Pair(number, number));
        let mut array = |element| shapes.add(Shape::Array(element));
        let (point, value, result) = match operator {
            DerivativeOperator::Diff | DerivativeOperator::VDiff | DerivativeOperator::MDiff => {
                let (value, result) = (shapes.variable(Sort::Data), shapes.variable(Sort::Data));
                self.deferred.push(Deferred { relation: Relation::Dual(value), result, span });
                (number, value, result)
            }
            DerivativeOperator::Grad => (vector, number, array(dual)),
            DerivativeOperator::Jacob => {
                let row = array(dual);
                (vector, vector, array(row))
            }
            DerivativeOperator::MGrad => {
                let row = array(dual);
                (matrix, number, array(row))
            }
            DerivativeOperator::Hessian => (vector, number, matrix),
        };
        let function = self.shaped.shapes.function(&[point], value);
        (vec![function, point], result)
    }

    /// Makes the relations hold as far as shapes are known; the others are kept.
    fn relate(&mut self) {
        loop {
            let mut pending = std::mem::take(&mut self.deferred);
            let mut progress = false;
            pending.reverse();
            while let Some(deferred) = pending.pop() {
                match self.step(deferred, &mut pending) {
                    Related::Done => progress = true,
                    Related::Stuck => self.deferred.push(deferred),
                }
            }
            if !progress || self.deferred.is_empty() || self.errors > 0 {
                return;
            }
        }
    }

    /// Makes one relation hold for the outermost constructor.
    fn step(&mut self, deferred: Deferred, pending: &mut Vec<Deferred>) -> Related {
        let Deferred { relation, result, span } = deferred;
        let equal = |rules: &mut Self, made: Shape| {
            let made = rules.shaped.shapes.add(made);
            if let Err(mismatch) = rules.shaped.shapes.unify(made, result) {
                let diagnostic = errors::derivative(rules, span, made, result, mismatch);
                rules.error(diagnostic);
            }
        };
        let mut part = |rules: &mut Self, relation: Relation| {
            let result = rules.shaped.shapes.variable(Sort::Data);
            pending.push(Deferred { relation, result, span });
            result
        };
        match relation {
            Relation::Dual(of) => match self.shaped.shapes.get(of) {
                Shape::Number => equal(self, Shape::Pair(Shapes::NUMBER, Shapes::NUMBER)),
                Shape::Boolean => equal(self, Shape::Boolean),
                Shape::Array(element) => {
                    let element = part(self, Relation::Dual(element));
                    equal(self, Shape::Array(element));
                }
                Shape::Pair(first, second) => {
                    let first = part(self, Relation::Dual(first));
                    let second = part(self, Relation::Dual(second));
                    equal(self, Shape::Pair(first, second));
                }
                Shape::Variable(_) => return self.step_back(of, deferred),
                // It would be no data.
                Shape::Function(..) => return Related::Done,
            },
            Relation::Derivative { variable, body } => match self.shaped.shapes.get(variable) {
                Shape::Number => pending.push(Deferred { relation: Relation::Dual(body), result, span }),
                Shape::Array(element) => {
                    let element = part(self, Relation::Derivative { variable: element, body });
                    equal(self, Shape::Array(element));
                }
                Shape::Pair(first, second) => {
                    let first = part(self, Relation::Derivative { variable: first, body });
                    let second = part(self, Relation::Derivative { variable: second, body });
                    equal(self, Shape::Pair(first, second));
                }
                Shape::Variable(Sort::Any) => {
                    let data = self.shaped.shapes.variable(Sort::Data);
                    let _ = self.shaped.shapes.unify(variable, data);
                    return Related::Stuck;
                }
                Shape::Variable(Sort::Data) => return Related::Stuck,
                Shape::Boolean | Shape::Function(..) => {
                    let diagnostic = errors::invariable(self, span, variable);
                    self.error(diagnostic);
                }
            },
        }
        Related::Done
    }

    /// Finds the constructor of a shape from that of its dual, where that decides.
    fn step_back(&mut self, of: ShapeId, deferred: Deferred) -> Related {
        let result = deferred.result;
        let shapes = &mut self.shaped.shapes;
        let shape = match shapes.get(result) {
            Shape::Boolean => Shape::Boolean,
            Shape::Array(_) => Shape::Array(shapes.variable(Sort::Data)),
            Shape::Pair(first, _) => match shapes.get(first) {
                Shape::Number => Shape::Number,
                Shape::Boolean | Shape::Array(_) | Shape::Pair(..) => {
                    Shape::Pair(shapes.variable(Sort::Data), shapes.variable(Sort::Data))
                }
                Shape::Variable(_) | Shape::Function(..) => return Related::Stuck,
            },
            // There is no such dual, as the next step reports.
            Shape::Number => Shape::Number,
            Shape::Variable(_) | Shape::Function(..) => return Related::Stuck,
        };
        let shape = shapes.add(shape);
        match shapes.unify(of, shape) {
            Ok(()) => {
                // It is visited again with the constructor.
                self.deferred.push(deferred);
                Related::Done
            }
            Err(Mismatch::Different | Mismatch::FunctionAsData | Mismatch::Infinite) => Related::Stuck,
        }
    }
}

/// The outcome of a step.
enum Related {
    Done,
    Stuck,
}

/// Returns the definitions by which an item differentiates.
pub(super) fn varying(tree: &ScopedTree, body: Body) -> impl Iterator<Item = DefinitionId> {
    body.expressions().filter_map(|id| match tree.get(id) {
        Scoped::Deriv(_, ScopedVariable::Definition(definition), _) => Some(definition),
        Scoped::Deriv(_, ScopedVariable::Local(_), _)
        | Scoped::Number(..)
        | Scoped::Boolean(_)
        | Scoped::Local(_)
        | Scoped::Definition(_)
        | Scoped::Lambda(..)
        | Scoped::Application(..)
        | Scoped::Let(..)
        | Scoped::If(..)
        | Scoped::Array(_)
        | Scoped::Annotated(..)
        | Scoped::Call(..)
        | Scoped::Unknown => None,
    })
}
