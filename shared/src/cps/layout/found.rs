//! Values and where they are found: looking them up in variables, and giving variables their values.

use super::IMPOSSIBLE;
use crate::capsule_file::Refusal;
use crate::core::{LambdaId, Program};
use crate::cps::convert::observation::{Found, Half, Holder};
use crate::cps::{Atom, Variable};
use crate::value::{Slots, Value, slot_values};
use std::collections::HashMap;
use std::rc::Rc;

/// What an activation has.
pub struct Lookup<'run> {
    /// The program.
    pub program: &'run Program,
    /// The values of definitions.
    pub globals: &'run [Option<Value>],
    /// The values of the variables that are alive.
    pub variables: HashMap<Variable, Value>,
    /// The slots, if they are needed.
    pub slots: Option<Rc<Slots>>,
    /// How many slots the running procedure has.
    pub slot_count: usize,
}

impl Lookup<'_> {
    /// A value; the empty list if the activation has given it up.
    pub fn value(&self, found: &Found) -> Value {
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
            Atom::Constant(constant) => self.program.constant(constant).clone(),
            Atom::Global(global) => self.globals.get(global.0 as usize).cloned().flatten().unwrap_or_default(),
            Atom::Primitive(primitive) => Value::Primitive(primitive),
            Atom::Slot(slot) => slot_values(&self.slots).get(slot as usize).cloned().unwrap_or_default(),
            Atom::Sibling(lambda) => self.procedure(lambda),
        };
        for half in &holder.way {
            value = match (half, value) {
                (Half::First, Value::Pair(pair)) => pair.first.clone(),
                (Half::Second, Value::Pair(pair)) => pair.second.clone(),
                // That part of the tree has been given up.
                (_, _) => return Value::Nil,
            };
        }
        value
    }

    /// A procedure of that code with the slots of the running one.
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

/// A value, and the way to it from the root of the tree that it is a leaf of.
struct Leaf {
    way: Vec<Half>,
    value: Value,
}

/// What an activation is given.
pub struct Given {
    /// The variables that are alive, and for each what it is given: leaves of a tree, with their ways from the root; a
    /// value by itself is a leaf at the root.
    variables: Vec<Vec<Leaf>>,
    /// The place of each variable in them.
    numbers: HashMap<Variable, usize>,
    /// The slots of the running procedure, if a value tells all of them.
    slots: Option<Rc<Slots>>,
    /// Those that are told one by one.
    single_slots: HashMap<u32, Value>,
    slot_count: usize,
}

impl Given {
    /// Nothing yet, for the variables that are alive and a number of slots.
    pub fn new(alive: &[Variable], slot_count: usize) -> Given {
        let variables = alive.iter().map(|_| Vec::new()).collect();
        let numbers = alive.iter().enumerate().map(|(number, variable)| (*variable, number)).collect();
        Given { variables, numbers, slots: None, single_slots: HashMap::new(), slot_count }
    }

    /// The running procedure.
    pub fn procedure(&mut self, procedure: Value) {
        if let Value::Procedure { slots: Some(slots), .. } = procedure {
            self.slots = Some(slots);
        }
    }

    /// The value that is found somewhere: all that hold it and are alive are given it.
    ///
    /// # Errors
    /// It is not the procedure that it is known to be.
    pub fn value(&mut self, found: &Found, value: Value) -> Result<(), Refusal> {
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
                // These are the program's, whatever is given.
                Atom::Constant(_) | Atom::Global(_) | Atom::Primitive(_) => {}
            }
        }
        Ok(())
    }

    /// The leaves of trees that are there even if they are given nothing. To be told behind all values.
    pub fn leaf(&mut self, found: &Found) {
        for Holder { atom, way } in found.holders.iter().filter(|holder| !holder.way.is_empty()) {
            if let Some(leaves) = self.leaves(*atom) {
                leaves.push(Leaf { way: way.clone(), value: Value::Nil });
            }
        }
    }

    /// The value that a variable is given, if it is alive.
    fn leaves(&mut self, atom: Atom) -> Option<&mut Vec<Leaf>> {
        let (Atom::Variable(variable) | Atom::Moved(variable)) = atom else { return None };
        self.numbers.get(&variable).and_then(|number| self.variables.get_mut(*number))
    }

    /// The slots: as a value tells them, or as far as they are told one by one, which is as far as they are needed then.
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

    /// The values of the variables. One that is given nothing is the empty list: converted code keeps what core does not
    /// use up to where that shows, such as the end of a branch.
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

/// The tree with some leaves, of several with one way the first. A way is as long as the logarithm of how many variables an
/// activation has.
fn tree(leaves: Vec<Leaf>) -> Value {
    branch(leaves, 0)
}

fn branch(leaves: Vec<Leaf>, depth: usize) -> Value {
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for leaf in leaves {
        match leaf.way.get(depth) {
            None => return leaf.value,
            Some(Half::First) => first.push(leaf),
            Some(Half::Second) => second.push(leaf),
        }
    }
    if first.is_empty() && second.is_empty() {
        return Value::Nil;
    }
    Value::pair(branch(first, depth + 1), branch(second, depth + 1))
}
