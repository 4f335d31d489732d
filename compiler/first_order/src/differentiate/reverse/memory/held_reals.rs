//! The reals that cells hold: the variables that may be moved into a cell or out of one, and may be active.
//!
//! Variables are joined in *classes* (Steensgaard's analysis, of code without pointers that change). Source and target of
//! a move are in one class, and so are the parts of cells that are moved to one place. A real is *held* if a cell has a
//! part of its class and an operation of the class is active. It follows that a held real is moved only to variables of
//! held reals, and that a cell has the same parts wherever it is read.
//!
//! Reals enter and leave the level in arrays. So elements that are read from an array of active reals are held as well,
//! and so are reals that are stored in one. An array that a `build` loads from accumulators is of the class of these.

use crate::{Block, End, Function, FunctionId, Kind, Operand, Statement, Variable};
use std::collections::BTreeMap;
use vlad_table::internal_bug;

/// The number of a class, or of one that has been joined with another.
type ClassId = usize;

/// A class of variables.
#[derive(Clone, Debug, Default)]
struct Class {
    /// The class that it has been joined with.
    joined: Option<ClassId>,
    /// Of cells the classes of their parts; none as long as no cell with parts is known.
    parts: Option<Vec<ClassId>>,
    /// Of cells: true if some were made outside of the level, or are parts of such.
    is_given: bool,
    /// True for a part of a cell.
    in_cell: bool,
    is_active: bool,
}

/// The classes of a function: that of its first variable, and those of its parameters and results.
#[derive(Debug)]
struct OfFunction {
    first: ClassId,
    parameters: Vec<ClassId>,
    results: Vec<ClassId>,
}

/// The reals of some functions that cells hold.
#[derive(Debug, Default)]
pub struct HeldReals {
    classes: Vec<Class>,
    functions: BTreeMap<FunctionId, OfFunction>,
    /// The classes of an operation's operands, and that of its result.
    operations: Vec<(Vec<ClassId>, ClassId)>,
    /// The classes of the values of definitions.
    inputs: Vec<ClassId>,
}

/// The classes of what the enclosing construct yields, and of the state that it repeats.
#[derive(Clone, Copy)]
struct Ends<'around> {
    yields: &'around [ClassId],
    repeats: &'around [ClassId],
}

impl HeldReals {
    /// The held reals of functions that call each other, given the active parameters of one of them.
    pub fn of(functions: &BTreeMap<FunctionId, Function>, root: FunctionId, active: &[bool]) -> HeldReals {
        let mut held = HeldReals::default();
        for (id, function) in functions {
            let first = held.fresh(function.variables.len());
            let parameters = function.parameters.iter().map(|parameter| first + parameter.0 as usize).collect();
            let result = held.fresh(function.results.len());
            let results = (result..result + function.results.len()).collect();
            held.functions.insert(*id, OfFunction { first, parameters, results });
        }
        for (id, function) in functions {
            let yields = held.results(*id);
            held.block((*id, function), &function.body, Ends { yields: &yields, repeats: &[] });
        }
        if let Some(function) = functions.get(&root) {
            for (parameter, _) in function.parameters.iter().zip(active).filter(|(_, active)| **active) {
                let class = held.class(root, *parameter);
                held.activate(class);
            }
        }
        held.spread();
        if let Some(function) = functions.get(&root) {
            held.give(root, function);
        }
        held
    }

    /// True if a variable of a function is a held real, or an array of active reals.
    pub fn is_held(&self, function: FunctionId, of: &Function, variable: Variable) -> bool {
        self.is_held_as(of.kind(Operand::Variable(variable)), self.class(function, variable))
    }

    /// For each result of a function whether it is one.
    pub fn held_results(&self, function: FunctionId, of: &Function) -> Vec<bool> {
        let results = self.results(function).into_iter().zip(&of.results);
        results.map(|(class, kind)| self.is_held_as(*kind, class)).collect()
    }

    fn is_held_as(&self, kind: Kind, class: ClassId) -> bool {
        match kind {
            Kind::Real => self.holds(class),
            Kind::Array(_) => kind.is_differentiable() && self.row(class).is_active,
            Kind::Boolean | Kind::Cell | Kind::Integer => false,
        }
    }

    /// True if a variable of a function may be active.
    pub fn is_active(&self, function: FunctionId, variable: Variable) -> bool {
        self.row(self.class(function, variable)).is_active
    }

    /// The number of the result of a function that is of the class of an array.
    pub fn result_of_class(&self, function: FunctionId, (id, array): (FunctionId, Variable)) -> Option<usize> {
        let class = self.representative(self.class(id, array));
        self.results(function).into_iter().position(|result| self.representative(result) == class)
    }

    /// For each part of a cell whether it is a held real.
    pub fn held_parts(&self, function: FunctionId, of: &Function, cell: Variable, parts: &[Operand]) -> Vec<bool> {
        let classes = self.row(self.class(function, cell)).parts.clone().unwrap_or_default();
        let parts = classes.into_iter().zip(parts);
        parts.map(|(class, part)| of.kind(*part) == Kind::Real && self.holds(class)).collect()
    }

    /// True if cells that were made outside of the level are of a class that holds held reals: these have no references.
    pub fn are_given(&self) -> bool {
        (0..self.classes.len()).any(|class| self.row(class).is_given && self.has_held_parts(class))
    }

    /// True for a cell of such a class.
    pub fn is_given(&self, function: FunctionId, cell: Variable) -> bool {
        let class = self.class(function, cell);
        self.row(class).is_given && self.has_held_parts(class)
    }

    fn has_held_parts(&self, class: ClassId) -> bool {
        self.row(class).parts.iter().flatten().any(|part| self.holds(*part))
    }

    /// Makes the cells that a function is given, those of definitions, and all that are in them, given ones.
    fn give(&mut self, root: FunctionId, function: &Function) {
        let is_cell = |parameter: &&Variable| function.kind((**parameter).into()) == Kind::Cell;
        let cells = function.parameters.iter().filter(is_cell);
        let mut pending: Vec<ClassId> = cells.map(|cell| self.class(root, *cell)).collect();
        pending.append(&mut self.inputs);
        while let Some(class) = pending.pop() {
            let row = self.row_mut(class);
            if !std::mem::replace(&mut row.is_given, true) {
                pending.extend(row.parts.iter().flatten());
            }
        }
    }

    fn holds(&self, class: ClassId) -> bool {
        let Class { in_cell, is_active, .. } = self.row(class);
        *in_cell && *is_active
    }

    fn results(&self, function: FunctionId) -> Vec<ClassId> {
        self.of_function(function).results.clone()
    }

    /// Adds classes; returns the first one.
    fn fresh(&mut self, count: usize) -> ClassId {
        let first = self.classes.len();
        self.classes.extend(vec![Class::default(); count]);
        first
    }

    fn class(&self, function: FunctionId, variable: Variable) -> ClassId {
        self.of_function(function).first + variable.0 as usize
    }

    fn of_function(&self, function: FunctionId) -> &OfFunction {
        match self.functions.get(&function) {
            Some(of) => of,
            None => internal_bug!("the functions that are called are analysed"),
        }
    }

    fn class_of(&self, function: FunctionId, operand: Operand) -> Option<ClassId> {
        match operand {
            Operand::Variable(variable) => Some(self.class(function, variable)),
            Operand::Real(_) | Operand::Boolean(_) => None,
        }
    }

    fn representative(&self, mut class: ClassId) -> ClassId {
        while let Some(joined) = self.classes.get(class).and_then(|row| row.joined) {
            class = joined;
        }
        class
    }

    /// The representative of a class, which refers to it from now on.
    fn shortened(&mut self, class: ClassId) -> ClassId {
        let representative = self.representative(class);
        if let Some(row) = self.classes.get_mut(class)
            && class != representative
        {
            row.joined = Some(representative);
        }
        representative
    }

    fn row(&self, class: ClassId) -> &Class {
        match self.classes.get(self.representative(class)) {
            Some(row) => row,
            None => internal_bug!("every class has a row"),
        }
    }

    fn row_mut(&mut self, class: ClassId) -> &mut Class {
        let class = self.representative(class);
        match self.classes.get_mut(class) {
            Some(row) => row,
            None => internal_bug!("every class has a row"),
        }
    }

    /// Makes a class active; returns false if it was.
    fn activate(&mut self, class: ClassId) -> bool {
        !std::mem::replace(&mut self.row_mut(class).is_active, true)
    }

    /// Joins two classes, and those of their parts.
    fn join(&mut self, a: ClassId, b: ClassId) {
        let mut pending = vec![(a, b)];
        while let Some((a, b)) = pending.pop() {
            let (a, b) = (self.shortened(a), self.shortened(b));
            if a == b {
                continue;
            }
            let joined = Class { joined: Some(a), ..Class::default() };
            let Class { parts, in_cell, is_active, is_given, .. } = std::mem::replace(self.row_mut(b), joined);
            let row = self.row_mut(a);
            row.is_given |= is_given;
            row.in_cell |= in_cell;
            row.is_active |= is_active;
            match (&row.parts, parts) {
                (Some(known), Some(parts)) => pending.extend(known.iter().copied().zip(parts)),
                (None, parts) => row.parts = parts,
                (Some(_), None) => {}
            }
        }
    }

    fn join_all(&mut self, function: FunctionId, classes: &[ClassId], operands: &[Operand]) {
        for (class, operand) in classes.iter().zip(operands) {
            if let Some(of_operand) = self.class_of(function, *operand) {
                self.join(*class, of_operand);
            }
        }
    }

    /// The classes of the parts of a cell that has so many.
    fn parts(&mut self, cell: ClassId, count: usize) -> Vec<ClassId> {
        if let Some(parts) = &self.row(cell).parts {
            return parts.clone();
        }
        let first = self.fresh(count);
        let parts: Vec<ClassId> = (first..first + count).collect();
        for part in &parts {
            self.row_mut(*part).in_cell = true;
        }
        self.row_mut(cell).parts = Some(parts.clone());
        parts
    }

    fn classes_of(&self, function: FunctionId, variables: &[Variable]) -> Vec<ClassId> {
        variables.iter().map(|variable| self.class(function, *variable)).collect()
    }

    fn block(&mut self, (id, of): (FunctionId, &Function), block: &Block, ends: Ends<'_>) {
        for statement in &block.statements {
            self.statement((id, of), statement);
        }
        match &block.end {
            End::Yield(operands) => self.join_all(id, ends.yields, operands),
            End::Repeat(operands) => self.join_all(id, ends.repeats, operands),
            End::Branch { consequent, alternative, .. } => {
                self.block((id, of), consequent, ends);
                self.block((id, of), alternative, ends);
            }
            End::BailOut(_) => {}
        }
    }

    fn statement(&mut self, (id, of): (FunctionId, &Function), statement: &Statement) {
        match statement {
            Statement::Storage(_) => internal_bug!("storage code is made after all passes"),
            Statement::Operation { target, first, second, .. } => {
                let operands = [Some(*first), *second].into_iter().flatten();
                let operands = operands.filter_map(|operand| self.class_of(id, operand)).collect();
                self.operations.push((operands, self.class(id, *target)));
            }
            Statement::PositiveZero { target, operand } => {
                self.join_all(id, &[self.class(id, *target)], &[*operand]);
            }
            Statement::Bind { targets, block } => {
                let yields = self.classes_of(id, targets);
                self.block((id, of), block, Ends { yields: &yields, repeats: &[] });
            }
            Statement::Loop { targets, state, initial, body } => {
                let (yields, repeats) = (self.classes_of(id, targets), self.classes_of(id, state));
                self.join_all(id, &repeats, initial);
                self.block((id, of), body, Ends { yields: &yields, repeats: &repeats });
            }
            Statement::Call { targets, function, arguments } => self.call(id, targets, *function, arguments),
            Statement::Cell { target, parts } if !parts.is_empty() => {
                let classes = self.parts(self.class(id, *target), parts.len());
                self.join_all(id, &classes, parts);
            }
            Statement::Parts { targets, cell } => {
                if let Some(cell) = self.class_of(id, *cell) {
                    for (part, target) in self.parts(cell, targets.len()).into_iter().zip(targets) {
                        self.join(part, self.class(id, *target));
                    }
                }
            }
            Statement::Element { target, array, .. } => {
                let target = self.class(id, *target);
                self.row_mut(target).in_cell = true;
                self.operations.push((self.class_of(id, *array).into_iter().collect(), target));
            }
            Statement::Store { array, value, .. } => {
                if let (Some(array), Some(value)) = (self.class_of(id, *array), self.class_of(id, *value)) {
                    self.row_mut(value).in_cell = true;
                    self.operations.push((vec![value], array));
                }
            }
            Statement::Array { target, elements } => {
                let elements = elements.iter().filter_map(|element| self.class_of(id, *element)).collect();
                self.operations.push((elements, self.class(id, *target)));
            }
            Statement::Build { targets, body, .. } => self.build((id, of), targets, body),
            Statement::Input { target, .. } => self.inputs.push(self.class(id, *target)),
            // No reals are moved; or the trace refuses them.
            Statement::Cell { .. }
            | Statement::Compare { .. }
            | Statement::Forward { .. }
            | Statement::Reverse { .. }
            | Statement::Read { .. }
            | Statement::Write { .. }
            | Statement::Push { .. }
            | Statement::Pop { .. }
            | Statement::Act { .. }
            | Statement::Length { .. }
            | Statement::IsIndex { .. }
            | Statement::Replace { .. }
            | Statement::CompareArrays { .. }
            | Statement::Zeros { .. }
            | Statement::Accumulators { .. }
            | Statement::Load { .. }
            | Statement::Steps { .. }
            | Statement::Recount { .. }
            | Statement::Count { .. } => {}
        }
    }

    fn build(&mut self, (id, of): (FunctionId, &Function), targets: &[Variable], body: &Block) {
        let first = self.fresh(targets.len());
        let elements: Vec<ClassId> = (first..first + targets.len()).collect();
        self.block((id, of), body, Ends { yields: &elements, repeats: &[] });
        for (target, element) in targets.iter().zip(elements) {
            self.operations.push((vec![element], self.class(id, *target)));
        }
        let End::Yield(yielded) = &body.end else { return };
        for statement in &body.statements {
            let Statement::Load { target: loaded, array, .. } = statement else { continue };
            let targets = targets.iter().zip(yielded).filter(|pair| *pair.1 == Operand::Variable(*loaded));
            for (target, _) in targets {
                self.join_all(id, &[self.class(id, *target)], &[*array]);
            }
        }
    }

    fn call(&mut self, id: FunctionId, targets: &[Variable], callee: FunctionId, arguments: &[Operand]) {
        for (target, result) in self.classes_of(id, targets).into_iter().zip(self.results(callee)) {
            self.join(target, result);
        }
        let parameters = self.of_function(callee).parameters.clone();
        self.join_all(id, &parameters, arguments);
    }

    /// Makes the results of operations on active operands active.
    fn spread(&mut self) {
        let operations = std::mem::take(&mut self.operations);
        let mut has_changed = true;
        while std::mem::take(&mut has_changed) {
            for (operands, target) in &operations {
                if operands.iter().any(|operand| self.row(*operand).is_active) {
                    has_changed |= self.activate(*target);
                }
            }
        }
    }
}
