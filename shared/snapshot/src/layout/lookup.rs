//! Lookup of the values of core in the variables of converted code, and assignment of the variables from the values.

use crate::capsule_file::Refusal;
use std::collections::HashMap;
use std::rc::Rc;
use vlad_core::LambdaId;
use vlad_cps::convert::observation::{Holder, PairHalf, ValueLocations};
use vlad_cps::{Atom, Variable};
use vlad_values::{Slots, Value, slot_values};

/// The refusal of points or values that no run has.
pub(super) const IMPOSSIBLE: Refusal = Refusal::Damaged("no run is suspended with such values");

/// The state of an activation in which values are looked up.
pub struct Lookup<'run> {
    /// The values of constants, by their numbers.
    pub constants: &'run [Value],
    /// The values of definitions.
    pub globals: &'run [Option<Value>],
    /// The values of the live variables.
    pub variables: HashMap<Variable, Value>,
    /// The slots, if they are needed.
    pub slots: Option<Rc<Slots>>,
    /// The number of slots of the running procedure.
    pub slot_count: usize,
}

impl Lookup<'_> {
    /// Looks a value up; the result is the empty list if the activation has released it.
    pub fn value(&self, found: &ValueLocations) -> Value {
        let holder = found.holders.iter().find(|holder| match holder.atom {
            Atom::Variable(variable) | Atom::Moved(variable) => self.variables.contains_key(&variable),
            Atom::Constant(_) | Atom::Global(_) | Atom::Primitive(_) | Atom::Slot(_) | Atom::Sibling(_) => true,
        });
        holder.map(|holder| self.held(holder)).unwrap_or_default()
    }

    fn held(&self, holder: &Holder) -> Value {
        let mut value = match holder.atom {
            Atom::Variable(variable) | Atom::Moved(variable) => {
                self.variables.get(&variable).cloned().unwrap_or_default()
            }
            Atom::Constant(constant) => self.constants.get(constant.0 as usize).cloned().unwrap_or_default(),
            Atom::Global(global) => self.globals.get(global.0 as usize).cloned().flatten().unwrap_or_default(),
            Atom::Primitive(primitive) => Value::Primitive(primitive),
            Atom::Slot(slot) => slot_values(&self.slots).get(slot as usize).cloned().unwrap_or_default(),
            Atom::Sibling(lambda) => self.procedure(lambda),
        };
        for half in &holder.way {
            value = match (half, value) {
                (PairHalf::First, Value::Pair(pair)) => pair.first.clone(),
                (PairHalf::Second, Value::Pair(pair)) => pair.second.clone(),
                // This part of the tree has been released.
                (_, _) => return Value::Nil,
            };
        }
        value
    }

    /// A procedure of the given code with the slots of the running one.
    pub fn procedure(&self, code: LambdaId) -> Value {
        let slots = match &self.slots {
            Some(slots) => Some(Rc::clone(slots)),
            None => empty_slots(self.slot_count),
        };
        Value::Procedure { code, slots }
    }
}

fn empty_slots(count: usize) -> Option<Rc<Slots>> {
    (count > 0).then(|| Rc::new(Slots::new((0..count).map(|_| Value::Nil))))
}

/// A value, and the path to it from the root of the tree of which it is a leaf.
struct Leaf {
    way: Vec<PairHalf>,
    value: Value,
}

/// The values that are assigned to the variables and slots of an activation.
pub struct ActivationValues {
    /// The values of each live variable: leaves of a tree, with their paths from the root. A value by itself is a leaf
    /// at the root.
    variables: Vec<Vec<Leaf>>,
    /// The index of each variable in them.
    numbers: HashMap<Variable, usize>,
    /// The slots of the running procedure, if a value supplies all of them.
    slots: Option<Rc<Slots>>,
    /// The slots that are supplied one by one.
    single_slots: HashMap<u32, Value>,
    slot_count: usize,
}

impl ActivationValues {
    /// An empty assignment, for the given live variables and number of slots.
    pub fn new(alive: &[Variable], slot_count: usize) -> ActivationValues {
        let variables = alive.iter().map(|_| Vec::new()).collect();
        let numbers = alive.iter().enumerate().map(|(number, variable)| (*variable, number)).collect();
        ActivationValues { variables, numbers, slots: None, single_slots: HashMap::new(), slot_count }
    }

    /// Takes the slots from the running procedure.
    pub fn procedure(&mut self, procedure: Value) {
        if let Value::Procedure { slots: Some(slots), .. } = procedure {
            self.slots = Some(slots);
        }
    }

    /// Assigns a value to all its live holders.
    ///
    /// # Errors
    /// Returns an error if it is not the procedure that it must be.
    pub fn value(&mut self, found: &ValueLocations, value: Value) -> Result<(), Refusal> {
        for Holder { atom, way } in &found.holders {
            match atom {
                Atom::Variable(_) | Atom::Moved(_) => {
                    if let Some(leaves) = self.leaves(*atom) {
                        check_code(found.code, &value)?;
                        leaves.push(Leaf { way: way.clone(), value: value.clone() });
                    }
                }
                Atom::Slot(slot) => {
                    self.single_slots.insert(*slot, value.clone());
                }
                Atom::Sibling(_) => {
                    check_code(found.code, &value)?;
                    if self.slots.is_none() {
                        self.procedure(value.clone());
                    }
                }
                // The program determines these.
                Atom::Constant(_) | Atom::Global(_) | Atom::Primitive(_) => {}
            }
        }
        Ok(())
    }

    /// Adds the leaves of trees that exist even if no value is assigned to them. Called after all values.
    pub fn leaf(&mut self, found: &ValueLocations) {
        for Holder { atom, way } in found.holders.iter().filter(|holder| !holder.way.is_empty()) {
            if let Some(leaves) = self.leaves(*atom) {
                leaves.push(Leaf { way: way.clone(), value: Value::Nil });
            }
        }
    }

    /// The leaves assigned to a variable, if it is live.
    fn leaves(&mut self, atom: Atom) -> Option<&mut Vec<Leaf>> {
        let (Atom::Variable(variable) | Atom::Moved(variable)) = atom else { return None };
        self.numbers.get(&variable).and_then(|number| self.variables.get_mut(*number))
    }

    /// The slots: those of a value that supplies all of them, or those supplied one by one, which are then all that are
    /// needed.
    pub fn slots(&mut self) -> Option<Rc<Slots>> {
        if self.slot_count == 0 {
            return None;
        }
        let told = self.slots.clone().filter(|slots| slots.values().len() == self.slot_count);
        Some(told.unwrap_or_else(|| {
            let single = &mut self.single_slots;
            Rc::new(Slots::new((0..self.slot_count as u32).map(|slot| single.remove(&slot).unwrap_or_default())))
        }))
    }

    /// The values of the variables. A variable to which nothing was assigned is the empty list: converted code keeps
    /// variables that core does not use until their release, for example at the end of a branch.
    pub fn values(self) -> Vec<Value> {
        self.variables.into_iter().map(tree).collect()
    }
}

fn check_code(code: Option<LambdaId>, value: &Value) -> Result<(), Refusal> {
    match (code, value) {
        (None, _) => Ok(()),
        (Some(code), Value::Procedure { code: found, .. }) if code == *found => Ok(()),
        (Some(_), _) => Err(IMPOSSIBLE),
    }
}

/// Builds the tree with some leaves; of several with the same path it takes the first. The length of a path is
/// logarithmic in the number of variables of an activation.
fn tree(leaves: Vec<Leaf>) -> Value {
    branch(leaves, 0)
}

fn branch(leaves: Vec<Leaf>, depth: usize) -> Value {
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for leaf in leaves {
        match leaf.way.get(depth) {
            None => return leaf.value,
            Some(PairHalf::First) => first.push(leaf),
            Some(PairHalf::Second) => second.push(leaf),
        }
    }
    if first.is_empty() && second.is_empty() {
        return Value::Nil;
    }
    Value::pair(branch(first, depth + 1), branch(second, depth + 1))
}
