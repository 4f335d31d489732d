//! Subprograms: parameters, variables, nested subprograms, and bodies that begin with values for all variables.

use super::scope::{Parameter, Procedure, Signature, Unit, Variable};
use super::{Generator, bounds, integer, name, scalar};
use crate::tree::{Action, Declared, Expression, Item, Specification, Statement, Subprogram, SubprogramKind, Type};
use std::collections::BTreeSet;

/// Names of variables that several units have: a declaration hides those of the units around.
const REALS: [&str; 9] = ["X", "Y", "Z", "T", "U", "V", "W", "A", "B"];
const INTEGERS: [&str; 4] = ["I", "J", "K", "N"];
const LOGICALS: [&str; 2] = ["P", "Q"];

impl Generator {
    /// The main program.
    pub(super) fn main_unit(&mut self) -> Subprogram {
        let tree = self.unit("MAIN".to_owned(), SubprogramKind::Main, Vec::new());
        self.stack.pop();
        tree
    }

    /// A subprogram beside the main program.
    pub(super) fn global_unit(&mut self) -> Subprogram {
        let (tree, procedure) = self.subprogram();
        self.global.push(procedure);
        tree
    }

    /// A subprogram of some kind, and its row.
    fn subprogram(&mut self) -> (Subprogram, Procedure) {
        if self.stack.len() > 1 && !self.options.is_ordinary && self.chance(12) {
            return self.statement_function();
        }
        let result = match self.below(10) {
            0..=4 => Some(Type::Real),
            5 => Some(Type::Integer),
            _ => None,
        };
        // The parameters of subprograms that can be given to others.
        let parameters = match (result, self.below(10)) {
            (Some(Type::Real), 0..=3) => vec![Parameter::Scalar(Type::Real, false)],
            (Some(Type::Real), 4..=5) => vec![Parameter::Scalar(Type::Real, false); 2],
            (None, 0..=4) => vec![Parameter::Scalar(Type::Real, true)],
            (_, _) => (0..self.below(4)).map(|_| self.parameter()).collect(),
        };
        let (kind, title) = match result {
            None => (SubprogramKind::Subroutine, self.name("SUB")),
            Some(sort) => {
                let states = self.chance(30);
                let is_implied = self.options.is_ordinary || self.chance(70);
                let title = self.name(if (sort == Type::Integer) == is_implied { "KF" } else { "F" });
                (SubprogramKind::Function((states || !is_implied).then_some(sort)), title)
            }
        };
        let tree = self.unit(title.clone(), kind, parameters.clone());
        let Some(unit) = self.stack.pop() else { return (tree, missing(title)) };
        let assigns = parameters.iter().any(|parameter| {
            matches!(parameter, Parameter::Scalar(_, true) | Parameter::Array(_, true) | Parameter::Procedure(_))
        });
        let procedure = Procedure {
            name: title,
            parameters,
            result,
            uses: unit.uses,
            has_effects: unit.has_effects || assigns,
            is_parameter: false,
        };
        (tree, procedure)
    }

    fn statement_function(&mut self) -> (Subprogram, Procedure) {
        let title = self.name("SF");
        let mut unit = self.new_unit(false);
        let parameter = Variable { name: "X".to_owned(), ..variable(&unit, Type::Real) };
        unit.variables.push(parameter);
        unit.hidden.insert(title.clone());
        self.stack.push(unit);
        let value = self.real(3);
        let uses = self.stack.pop().map(|unit| unit.uses).unwrap_or_default();
        let body = vec![plain(Action::Assign(scalar(&title), value))];
        let tree = Subprogram {
            kind: SubprogramKind::Statement,
            name: title.clone(),
            parameters: vec!["X".to_owned()],
            specifications: Vec::new(),
            nested: Vec::new(),
            body,
        };
        let parameters = vec![Parameter::Scalar(Type::Real, false)];
        let procedure = Procedure {
            name: title,
            parameters,
            result: Some(Type::Real),
            uses,
            has_effects: false,
            is_parameter: false,
        };
        (tree, procedure)
    }

    fn parameter(&mut self) -> Parameter {
        match self.below(10) {
            0..=3 => Parameter::Scalar(Type::Real, self.rng.bool()),
            4..=5 => Parameter::Scalar(Type::Integer, self.chance(30)),
            6 => Parameter::Array(2 + self.below(3) as i64, self.rng.bool()),
            7 => Parameter::Scalar(Type::Logical, self.chance(30)),
            _ => Parameter::Procedure(self.signature()),
        }
    }

    fn signature(&mut self) -> Signature {
        self.pick(&[Signature::OfOne, Signature::OfOne, Signature::OfTwo, Signature::Changes])
            .unwrap_or(Signature::OfOne)
    }

    fn new_unit(&mut self, is_main: bool) -> Unit {
        self.units += 1;
        Unit {
            number: self.units,
            variables: Vec::new(),
            procedures: Vec::new(),
            hidden: BTreeSet::new(),
            uses: BTreeSet::new(),
            has_effects: false,
            called: BTreeSet::new(),
            counters: Vec::new(),
            in_block: false,
            is_main,
            loops: 0,
        }
    }

    /// Generates a unit, and leaves it on the stack.
    fn unit(&mut self, title: String, kind: SubprogramKind, parameters: Vec<Parameter>) -> Subprogram {
        let mut unit = self.new_unit(kind == SubprogramKind::Main);
        unit.hidden.insert(title.clone());
        let mut specifications = Vec::new();
        let is_outermost = self.stack.is_empty();
        let mut names = Vec::new();
        for parameter in &parameters {
            names.push(self.declare_parameter(&mut unit, parameter, &mut specifications));
        }
        let given = unit.variables.len();
        let result = match kind {
            SubprogramKind::Function(Some(sort)) => Some(sort),
            SubprogramKind::Function(None) => Some(Type::implied(&title)),
            SubprogramKind::Main | SubprogramKind::Subroutine | SubprogramKind::Statement => None,
        };
        self.declare_variables(&mut unit, is_outermost, &mut specifications);
        self.stack.push(unit);
        let nested = self.nested();
        let mut body = self.beginning(given);
        if let Some(sort) = result {
            let value = self.value(sort, 1);
            body.push(plain(Action::Assign(scalar(&title), value)));
        }
        let size = 1 + self.below(2 * self.options.size as usize);
        body.extend(self.statements(size));
        if let Some(sort) = result {
            let value = self.value(sort, 3);
            body.push(plain(Action::Assign(scalar(&title), value)));
        }
        if kind == SubprogramKind::Main {
            body.extend(self.printed_variables());
        }
        self.declare_counters(&mut specifications, &mut body);
        self.declare_functions(&mut specifications);
        Subprogram { kind, name: title, parameters: names, specifications, nested, body }
    }

    fn declare_parameter(
        &mut self,
        unit: &mut Unit,
        parameter: &Parameter,
        specifications: &mut Vec<Specification>,
    ) -> String {
        let taken = |unit: &Unit, title: &str| {
            unit.variables.iter().any(|variable| variable.name == title) || unit.hidden.contains(title)
        };
        match parameter {
            Parameter::Scalar(sort, is_assigned) => {
                let pool: &[&str] = match sort {
                    Type::Real => &REALS,
                    Type::Integer => &INTEGERS,
                    Type::Logical => &LOGICALS,
                };
                let free: Vec<&str> = pool.iter().copied().filter(|title| !taken(unit, title)).collect();
                let title = match self.pick(&free) {
                    Some(title) => title.to_owned(),
                    None => self.name(if *sort == Type::Integer { "L" } else { "R" }),
                };
                if *sort == Type::Logical || self.chance(30) {
                    specifications.push(typed(*sort, &title, Vec::new()));
                }
                let variable = Variable { name: title.clone(), is_assignable: *is_assigned, ..variable(unit, *sort) };
                unit.variables.push(variable);
                title
            }
            Parameter::Array(size, is_assigned) => {
                let title = self.name("R");
                // The parameter may be smaller than what is given to it, and has bounds of its own.
                let own = 1 + self.below(*size as usize) as i64;
                let lower = if self.chance(30) { self.below(4) as i64 - 2 } else { 1 };
                let own = vec![(lower, lower + own - 1)];
                if self.chance(50) {
                    specifications.push(typed(Type::Real, &title, bounds(&own)));
                } else {
                    let declared = Declared { name: title.clone(), bounds: bounds(&own) };
                    specifications.push(Specification::Dimension(vec![declared]));
                }
                let variable = Variable {
                    name: title.clone(),
                    bounds: Some(own),
                    is_assignable: *is_assigned,
                    ..variable(unit, Type::Real)
                };
                unit.variables.push(variable);
                title
            }
            Parameter::Procedure(signature) => {
                let title = self.name(if *signature == Signature::Changes { "PS" } else { "G" });
                if self.options.is_ordinary || self.chance(60) {
                    specifications.push(Specification::External(vec![title.clone()]));
                }
                let real = |is_assigned| Parameter::Scalar(Type::Real, is_assigned);
                let (parameters, result) = match signature {
                    Signature::OfOne => (vec![real(false)], Some(Type::Real)),
                    Signature::OfTwo => (vec![real(false); 2], Some(Type::Real)),
                    Signature::Changes => (vec![real(true)], None),
                };
                unit.procedures.push(Procedure {
                    name: title.clone(),
                    parameters,
                    result,
                    uses: BTreeSet::new(),
                    has_effects: true,
                    is_parameter: true,
                });
                title
            }
        }
    }

    fn declare_variables(&mut self, unit: &mut Unit, is_outermost: bool, specifications: &mut Vec<Specification>) {
        let titles: Vec<(&str, Type)> = REALS
            .iter()
            .map(|title| (*title, Type::Real))
            .chain(INTEGERS.iter().map(|title| (*title, Type::Integer)))
            .chain(LOGICALS.iter().map(|title| (*title, Type::Logical)))
            .collect();
        for (title, sort) in titles {
            let is_taken = unit.variables.iter().any(|variable| variable.name == title);
            let wanted = if is_outermost { 45 } else { 18 };
            if is_taken || !self.chance(wanted) {
                continue;
            }
            // In a nested unit a variable is its own only if it is declared.
            let is_declared = !is_outermost || sort == Type::Logical || self.options.is_ordinary || self.chance(40);
            if is_declared {
                specifications.push(typed(sort, title, Vec::new()));
            }
            let variable = Variable { name: title.to_owned(), ..variable(unit, sort) };
            unit.variables.push(variable);
        }
        for _ in 0..self.below(3) {
            let sort = if self.chance(80) { Type::Real } else { Type::Integer };
            let title = self.name(if sort == Type::Real { "R" } else { "M" });
            let count = if self.chance(70) { 1 } else { 2 };
            let own: Vec<(i64, i64)> = (0..count)
                .map(|_| {
                    let lower = if self.chance(25) { self.below(5) as i64 - 2 } else { 1 };
                    (lower, lower + 1 + self.below(3) as i64)
                })
                .collect();
            specifications.push(typed(sort, &title, bounds(&own)));
            let variable = Variable { name: title, bounds: Some(own), ..variable(unit, sort) };
            unit.variables.push(variable);
        }
        if self.chance(20) {
            let title = self.name("C");
            let value = Expression::Real(format!("{}.5", self.below(4)));
            specifications.push(Specification::Constant(title.clone(), value));
            let constant = Variable { name: title, is_assignable: false, ..variable(unit, Type::Real) };
            unit.variables.push(constant);
        }
    }

    fn nested(&mut self) -> Vec<Subprogram> {
        if self.stack.len() > self.options.nesting as usize {
            return Vec::new();
        }
        let most = if self.stack.len() == 1 { 4 } else { 2 };
        let mut nested = Vec::new();
        for _ in 0..self.below(most) {
            let (tree, procedure) = self.subprogram();
            self.add_nested(procedure);
            nested.push(tree);
        }
        nested
    }

    fn add_nested(&mut self, procedure: Procedure) {
        if let Some(unit) = self.stack.last_mut() {
            unit.procedures.push(procedure);
        }
    }

    /// Statements that give all variables values but the parameters, which have some.
    fn beginning(&mut self, given: usize) -> Vec<Statement> {
        let own = self.stack.last().map(|unit| unit.variables.clone()).unwrap_or_default();
        let mut body = Vec::new();
        for variable in own.iter().skip(given).filter(|variable| variable.is_assignable) {
            if variable.bounds.is_some() {
                continue;
            }
            let is_read = self.stack.len() == 1 && variable.sort != Type::Logical && self.chance(15);
            if is_read && self.stack.last().is_some_and(|unit| unit.is_main) {
                let number = self.below(9) as f64 - 4.0;
                self.input.push(if variable.sort == Type::Real { number + 0.25 } else { number });
                body.push(plain(Action::Read(vec![scalar(&variable.name)])));
                continue;
            }
            let value = self.literal(variable.sort);
            body.push(plain(Action::Assign(scalar(&variable.name), value)));
        }
        body
    }

    fn printed_variables(&mut self) -> Vec<Statement> {
        let own = self.stack.last().map(|unit| unit.variables.clone()).unwrap_or_default();
        let mut body = Vec::new();
        for some in own.chunks(3) {
            let items = some.iter().map(|variable| Item::Value(name(&variable.name))).collect();
            body.push(plain(Action::Print(items)));
        }
        body
    }

    /// Repeats the types of some nested functions that are called.
    fn declare_functions(&mut self, specifications: &mut Vec<Specification>) {
        if self.options.is_ordinary {
            return;
        }
        let Some(unit) = self.stack.last() else { return };
        let called = unit.procedures.iter().filter(|own| unit.called.contains(&own.name) && !own.is_parameter);
        let typed_functions: Vec<(String, Type)> =
            called.filter_map(|own| Some((own.name.clone(), own.result?))).collect();
        for (title, sort) in typed_functions {
            if self.chance(15) {
                specifications.push(typed(sort, &title, Vec::new()));
            }
        }
    }

    /// Declares the counters of loops, or leaves them implied by their names; those around the first statements have values.
    fn declare_counters(&mut self, specifications: &mut Vec<Specification>, body: &mut Vec<Statement>) {
        let counters = self.stack.last().map(|unit| unit.counters.clone()).unwrap_or_default();
        for (title, is_declared) in counters {
            if is_declared {
                specifications.push(typed(Type::Integer, &title, Vec::new()));
            }
            if self.chance(20) {
                body.insert(0, plain(Action::Assign(scalar(&title), integer(0))));
            }
        }
    }
}

/// A statement without a label.
pub(super) fn plain(action: Action) -> Statement {
    Statement { label: None, action }
}

fn typed(sort: Type, title: &str, bounds: Vec<crate::tree::Bound>) -> Specification {
    Specification::Typed(sort, vec![Declared { name: title.to_owned(), bounds }])
}

/// A variable of a unit without a name.
fn variable(unit: &Unit, sort: Type) -> Variable {
    Variable { name: String::new(), unit: unit.number, sort, bounds: None, is_assignable: true, range: None }
}

fn missing(name: String) -> Procedure {
    Procedure {
        name,
        parameters: Vec::new(),
        result: None,
        uses: BTreeSet::new(),
        has_effects: true,
        is_parameter: false,
    }
}
