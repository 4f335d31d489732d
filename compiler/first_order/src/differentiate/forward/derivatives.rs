//! The derivatives of a unit's functions in forward mode, and the activities of their results.

use super::activity::Activity;
use crate::differentiate::emitter::Emitter;
use crate::{Function, FunctionId, Operand, Statement, Unit, Variable};
use std::collections::{BTreeSet, HashMap, HashSet};
use vlad_table::internal_bug;

/// The number of derivatives of one function that are distinguished by constant tangents other than 0.
const MOST_DIRECTIONS: usize = 16;
/// The number of derivatives of one function that are distinguished by activities.
const MOST_ACTIVITIES: usize = 64;

/// A derivative of a function.
#[derive(Clone, Debug)]
pub struct Derived {
    /// The function to be called.
    pub function: FunctionId,
    /// For each argument its tangent's activity: active tangents are passed after their primal.
    pub parameters: Vec<Activity>,
    /// For each result its tangent's activity: active ones follow the results.
    pub results: Vec<Activity>,
}

/// The derivatives of a unit's functions.
#[derive(Debug, Default)]
pub struct Derivatives {
    derivatives: Vec<Derivative>,
    numbers: HashMap<(FunctionId, Vec<Activity>), usize>,
    variants: HashMap<FunctionId, usize>,
    balanced: HashSet<FunctionId>,
    /// For functions that have been asked for: whether they can leave another record stack than they found.
    stack: HashMap<FunctionId, bool>,
    /// For functions that have been asked for: whether they store in accumulators.
    stores: HashMap<FunctionId, bool>,
    /// The number of statements that have been differentiated.
    pub work: usize,
}

/// A derivative and the state of its making.
#[derive(Debug)]
pub struct Derivative {
    /// The function that it is of.
    pub source: FunctionId,
    /// The function that it is, with the activities of the results that have been found so far.
    pub derived: Derived,
    /// The derivatives whose code was emitted with what is known about the results.
    pub readers: BTreeSet<usize>,
    /// The activities of loop states that have been found, by the first variable of the state.
    pub states: HashMap<Variable, Vec<Activity>>,
}

impl Derived {
    /// The arguments of a call, given primals and tangents.
    pub fn arguments(&self, primals: &[Operand], tangents: &[Operand], code: &mut Emitter<'_>) -> Vec<Operand> {
        let mut arguments = Vec::with_capacity(2 * primals.len());
        for ((primal, tangent), activity) in primals.iter().zip(tangents).zip(&self.parameters) {
            arguments.push(*primal);
            arguments.extend(activity.is_active().then(|| code.materialised(*primal, *tangent)));
        }
        arguments
    }
}

impl Derivatives {
    /// Notes that a function leaves the record stack as it found it.
    pub fn is_balanced(&mut self, function: FunctionId) {
        self.balanced.insert(function);
    }

    /// Stores the code of a derivative; returns the derivatives that have to be emitted again.
    pub fn finish(&mut self, unit: &mut Unit, number: usize, code: Function, results: Vec<Activity>) -> Vec<usize> {
        let derivative = self.at_mut(number);
        if let Some(place) = unit.functions.get_mut(derivative.derived.function.0 as usize) {
            *place = code;
        }
        if derivative.derived.results == results {
            return Vec::new();
        }
        derivative.derived.results = results;
        derivative.readers.iter().copied().collect()
    }

    /// The function to be called for given activities, and the number of the derivative that says so.
    pub fn find(
        &mut self,
        unit: &Unit,
        function: FunctionId,
        parameters: &[Activity],
    ) -> Option<(Derived, Option<usize>)> {
        let reaches_stack = self.reaches_stack(unit, function);
        let original = || Derived {
            function,
            parameters: vec![Activity::ZERO; parameters.len()],
            results: vec![Activity::ZERO; unit.function(function).results.len()],
        };
        if !reaches_stack && parameters.iter().all(|activity| *activity == Activity::ZERO) {
            return Some((original(), None));
        }
        let number = *self.numbers.get(&(function, self.distinguished(unit, function, parameters)))?;
        let stores = self.stores(unit, function);
        let derived = &self.at(number).derived;
        let results = derived.results.clone();
        Some(match results.iter().any(|activity| activity.is_active()) {
            false if !reaches_stack && !stores => (Derived { results, ..original() }, Some(number)),
            true | false => (derived.clone(), Some(number)),
        })
    }

    /// The activities by which derivatives of a function are distinguished: given ones as long as there are few.
    fn distinguished(&self, unit: &Unit, function: FunctionId, parameters: &[Activity]) -> Vec<Activity> {
        let known = |parameters: &Vec<Activity>| self.numbers.contains_key(&(function, parameters.clone()));
        let variants = self.variants.get(&function).copied().unwrap_or(0);
        let exact = parameters.to_vec();
        if variants < MOST_DIRECTIONS || known(&exact) {
            return exact;
        }
        let joined = |activity: &Activity| if *activity == Activity::ZERO { *activity } else { Activity::Active };
        let zeros: Vec<Activity> = parameters.iter().map(joined).collect();
        if variants < MOST_ACTIVITIES || known(&zeros) {
            return zeros;
        }
        let source = unit.function(function);
        let widest = |parameter: &Variable| Activity::widest(source.kind(Operand::Variable(*parameter)));
        source.parameters.iter().map(widest).collect()
    }

    /// Begins a derivative, whose code is to be emitted.
    pub fn create(&mut self, unit: &mut Unit, source: FunctionId, parameters: &[Activity]) -> usize {
        let parameters = self.distinguished(unit, source, parameters);
        let number = self.derivatives.len();
        let function = FunctionId(unit.functions.len() as u32);
        let placeholder = unit.function(source).clone();
        let results = vec![Activity::ZERO; placeholder.results.len()];
        unit.functions.push(placeholder);
        self.numbers.insert((source, parameters.clone()), number);
        *self.variants.entry(source).or_default() += 1;
        if self.balanced.contains(&source) {
            self.balanced.insert(function);
        }
        let derived = Derived { function, parameters, results };
        self.derivatives.push(Derivative { source, derived, readers: BTreeSet::new(), states: HashMap::new() });
        number
    }

    /// The derivative of a number.
    pub fn at(&self, number: usize) -> &Derivative {
        match self.derivatives.get(number) {
            Some(derivative) => derivative,
            None => internal_bug!("derivatives are numbered in order"),
        }
    }

    /// The derivative of a number, to be changed.
    pub fn at_mut(&mut self, number: usize) -> &mut Derivative {
        match self.derivatives.get_mut(number) {
            Some(derivative) => derivative,
            None => internal_bug!("derivatives are numbered in order"),
        }
    }

    /// Returns true if a call of a function can leave another record stack than it found.
    fn reaches_stack(&mut self, unit: &Unit, function: FunctionId) -> bool {
        let balanced = &self.balanced;
        *self.stack.entry(function).or_insert_with(|| reaches_stack(unit, function, balanced))
    }

    /// Returns true if a call of a function may store in accumulators: the tangents of what is stored are no results.
    fn stores(&mut self, unit: &Unit, function: FunctionId) -> bool {
        *self.stores.entry(function).or_insert_with(|| {
            let is_store = |statement: &Statement| matches!(statement, Statement::Store { .. } | Statement::Act { .. });
            executes(unit, function, &HashSet::new(), is_store)
        })
    }

    /// The functions of which it is noted that they leave the record stack as they found it.
    pub fn balanced(&self) -> &HashSet<FunctionId> {
        &self.balanced
    }
}

/// Returns true if a call of a function can leave another record stack than it found, given functions that do not.
pub fn reaches_stack(unit: &Unit, function: FunctionId, balanced: &HashSet<FunctionId>) -> bool {
    executes(unit, function, balanced, |statement| matches!(statement, Statement::Push { .. } | Statement::Pop { .. }))
}

/// Returns true if a call of a function may execute one of some statements, outside of some functions.
pub fn executes(
    unit: &Unit,
    function: FunctionId,
    without: &HashSet<FunctionId>,
    is_one: impl Fn(&Statement) -> bool,
) -> bool {
    let (mut seen, mut pending, mut found) = (HashSet::new(), vec![function], false);
    while let Some(function) = pending.pop() {
        if without.contains(&function) || !seen.insert(function) {
            continue;
        }
        let body = &unit.function(function).body;
        found |= body.all_statements().any(&is_one);
        pending.extend(body.all_statements().filter_map(Statement::callee));
    }
    found
}
