//! Subprograms: parameters, variables, nested subprograms, and bodies that begin with values for all variables.

use super::scope::{Parameter, Procedure, Signature, Unit, Variable};
use super::{Generator, binary, bounds, integer, name, scalar};
use crate::tree::{
    Action, Declared, Expression, Item, Operator, Specification, Statement, Subprogram, SubprogramKind, Target, Type,
};
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
            // Ordinary compilers want to be told of recursion.
            (Some(Type::Real), 6..=7) if !self.options.is_ordinary => {
                vec![Parameter::Scalar(Type::Real, false), Parameter::Depth]
            }
            (_, _) => (0..self.below(4)).flat_map(|_| self.parameter()).collect(),
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

    /// A parameter, or the extent of an array with the array.
    fn parameter(&mut self) -> Vec<Parameter> {
        vec![match self.below(11) {
            0..=3 => Parameter::Scalar(Type::Real, self.rng.bool()),
            4..=5 => Parameter::Scalar(Type::Integer, self.chance(30)),
            6 => Parameter::Array(2 + self.below(3) as i64, self.rng.bool()),
            7 => Parameter::Scalar(Type::Logical, self.chance(30)),
            8 => {
                let size = 2 + self.below(3) as i64;
                return vec![Parameter::Extent(size), Parameter::Array(size, self.rng.bool())];
            }
            _ => Parameter::Procedure(self.signature()),
        }]
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
            passed: Vec::new(),
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
        for (place, parameter) in parameters.iter().enumerate() {
            let extent = match place.checked_sub(1).and_then(|before| parameters.get(before)) {
                Some(Parameter::Extent(_)) => names.last().cloned(),
                Some(_) | None => None,
            };
            let title = match parameter {
                Parameter::Array(size, is_assigned) => {
                    self.declare_array(&mut unit, *size, *is_assigned, extent, &mut specifications)
                }
                _ => self.declare_parameter(&mut unit, parameter, &mut specifications),
            };
            names.push(title);
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
            if parameters.contains(&Parameter::Depth) {
                self.repeat_self(&title, &names, &mut body);
            }
        }
        if kind == SubprogramKind::Main {
            body.extend(self.printed_variables());
        }
        self.declare_counters(&mut specifications, &mut body);
        self.declare_functions(&mut specifications);
        let passed = self.stack.last().map(|unit| unit.passed.clone()).unwrap_or_default();
        if !passed.is_empty() {
            specifications.push(Specification::Intrinsic(passed));
        }
        Subprogram { kind, name: title, parameters: names, specifications, nested, body }
    }

    /// Adds an activation of a function by itself: of a real and of the number of activations that are left.
    fn repeat_self(&mut self, title: &str, parameters: &[String], body: &mut Vec<Statement>) {
        let Some(depth) = parameters.last() else { return };
        let less = binary(Operator::Subtract, name(depth), integer(1));
        let arguments = vec![self.bounded(2), less];
        let call = Expression::Call(title.to_owned(), arguments);
        let value = match self.below(3) {
            0 => binary(Operator::Add, call, self.real(1)),
            1 => binary(Operator::Multiply, call, self.bounded(1)),
            _ => binary(Operator::Add, name(title), call),
        };
        let more = binary(Operator::Greater, name(depth), integer(0));
        let assignment = Action::Assign(scalar(title), value);
        body.push(plain(if self.chance(50) {
            Action::If(more, Box::new(assignment))
        } else {
            Action::Branches(vec![(Some(more), vec![plain(assignment)])])
        }));
    }

    /// Declares an array parameter: it may be smaller than what is given to it, and has bounds of its own.
    fn declare_array(
        &mut self,
        unit: &mut Unit,
        size: i64,
        is_assigned: bool,
        extent: Option<String>,
        specifications: &mut Vec<Specification>,
    ) -> String {
        let title = self.name("R");
        let own = if extent.is_some() { size } else { 1 + self.below(size as usize) as i64 };
        let lower = if extent.is_none() && self.chance(30) { self.below(4) as i64 - 2 } else { 1 };
        let ranges = if own == 4 && extent.is_none() && self.chance(50) {
            vec![(1, 2), (lower, lower + 1)]
        } else {
            vec![(lower, lower + own - 1)]
        };
        let mut written = bounds(&ranges);
        let is_assumed = extent.is_none() && self.chance(25);
        if let Some(last) = written.last_mut() {
            if is_assumed {
                last.upper = None;
            } else if let Some(extent) = &extent {
                last.upper = Some(name(extent));
            }
        }
        if self.chance(50) {
            specifications.push(typed(Type::Real, &title, written));
        } else {
            let declared = Declared { name: title.clone(), bounds: written };
            specifications.push(Specification::Dimension(vec![declared]));
        }
        let variable = Variable {
            name: title.clone(),
            bounds: Some(ranges),
            is_assignable: is_assigned,
            is_assumed,
            ..variable(unit, Type::Real)
        };
        unit.variables.push(variable);
        title
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
        let (sort, is_assigned) = match parameter {
            Parameter::Scalar(sort, is_assigned) => (*sort, *is_assigned),
            _ => (Type::Integer, false),
        };
        match parameter {
            Parameter::Scalar(..) | Parameter::Extent(_) | Parameter::Depth | Parameter::Array(..) => {
                let pool: &[&str] = match sort {
                    Type::Real => &REALS,
                    Type::Integer => &INTEGERS,
                    Type::Logical => &LOGICALS,
                };
                let free: Vec<&str> = pool.iter().copied().filter(|title| !taken(unit, title)).collect();
                let title = match self.pick(&free) {
                    Some(title) => title.to_owned(),
                    None => self.name(if sort == Type::Integer { "L" } else { "R" }),
                };
                if sort == Type::Logical || self.chance(30) {
                    specifications.push(typed(sort, &title, Vec::new()));
                }
                let variable = Variable { name: title.clone(), is_assignable: is_assigned, ..variable(unit, sort) };
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
            let sort = match self.below(20) {
                0..=15 => Type::Real,
                16..=18 => Type::Integer,
                _ => Type::Logical,
            };
            let title = self.name(if sort == Type::Real { "R" } else { "M" });
            let count = match self.below(20) {
                0..=13 => 1,
                14..=17 => 2,
                _ => 3,
            };
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
        if self.chance(15) {
            let (title, value) = (self.name("KC"), 1 + self.below(2) as i64);
            specifications.push(Specification::Constant(title.clone(), integer(value)));
            let range = Some((value, value));
            let constant = Variable { name: title, is_assignable: false, range, ..variable(unit, Type::Integer) };
            unit.variables.push(constant);
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
                body.push(plain(Action::Read(vec![Target::Place(scalar(&variable.name))])));
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
                specifications.push(typed(Type::implied(&title), &title, Vec::new()));
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
    Variable {
        name: String::new(),
        unit: unit.number,
        sort,
        bounds: None,
        is_assignable: true,
        is_assumed: false,
        range: None,
    }
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
