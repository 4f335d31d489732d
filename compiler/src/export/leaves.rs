//! The functions from leaves of operands to leaves of results. The usual one runs on a prepared machine. The one of a
//! fast path returns true to leave the path.

use super::outputs::{Array, Number, Output, Truth};
use super::set::Export;
use super::signature::{LeafType, Type};
use crate::c::{Expression as C, Head, Item, Statement as S};
use crate::specialised::Exported;
use std::collections::BTreeSet;
use vlad_core::GlobalId;
use vlad_first_order::{Bits, Kind, Unit};
use vlad_table::internal_bug;

/// A definition that each call computes.
pub struct Computed<'units> {
    pub global: GlobalId,
    pub unit: &'units Unit,
    pub exported: Exported,
}

/// An export with the code that computes its leaves.
pub struct Leaves<'units> {
    pub export: &'units Export,
    pub outputs: &'units [Output],
    /// The unit of the results, and its code.
    pub unit: &'units Unit,
    pub own: &'units Exported,
    /// The definitions that are computed first.
    pub before: &'units [&'units Computed<'units>],
    /// True for the code of a fast path.
    pub is_fast: bool,
}

const ARRAY: &str = "struct vlad_array";

impl Leaves<'_> {
    /// The function, with a name.
    pub fn function(&self, name: String) -> Item {
        let parameters = vec![
            ("struct vlad_machine *", "m".into()),
            ("const union vlad_leaf *", "operands".into()),
            ("union vlad_leaf *", "results".into()),
        ];
        let result = if self.is_fast { "int" } else { "void" };
        let head = Head { storage: "static ", result: result.into(), name, parameters };
        let mut body = vec![S::Unused(&["operands", "results"])];
        for computed in self.before {
            self.inputs(computed.unit, &format!("inputs{}", computed.global.0), &mut body);
            let leaves = call(&computed.exported, &format!("value{}", computed.global.0), &mut body);
            let leaves = leaves.into_iter().zip(&computed.exported.results).map(|(leaf, kind)| of_kind(*kind, leaf));
            define_leaves(&definition_name(computed.global), leaves.collect(), &mut body);
        }
        self.inputs(self.unit, "inputs", &mut body);
        let leaves = call(self.own, "value", &mut body);
        if self.is_fast {
            body.push(S::when(C::call("VLAD_UNLIKELY", [C::machine("status")]), vec![S::Return(C::Number(1))]));
        }
        for (output, place) in self.outputs.iter().zip(0..) {
            self.output(output, place, &leaves, &mut body);
        }
        body.push(S::Assign(C::machine("first_order").dot("inputs"), C::Number(0)));
        if self.is_fast {
            body.push(S::Return(C::Number(0)));
        }
        Item::Function { head, body }
    }

    /// Makes the leaves that a unit reads, and stores them in the machine.
    fn inputs(&self, unit: &Unit, name: &str, body: &mut Vec<S>) {
        let mut leaves = Vec::new();
        for (global, template) in &unit.inputs {
            match self.export.operands.iter().position(|operand| operand == global) {
                None => {
                    let of = |place| C::Name(definition_name(*global)).at(place);
                    leaves.extend((0..template.leaves() as u64).map(of));
                }
                Some(operand) => {
                    let operands = &self.export.signature.operands;
                    let first: usize = operands.iter().take(operand).map(|of| of.leaves().len()).sum();
                    let of_operand = operands.get(operand).map(Type::leaves).unwrap_or_default();
                    for (leaf, place) in of_operand.into_iter().zip(first as u64..) {
                        let operand = C::name("operands").at(place);
                        leaves.push(match leaf {
                            LeafType::Real | LeafType::Boolean | LeafType::VECTOR => operand,
                            LeafType::Array(rank) => {
                                let given = [C::name("m"), operand, C::Number(rank.into())];
                                self.require(C::call("vlad_has_room_for_parts", given.clone()), body);
                                let (ctype, array) = ("union vlad_leaf".into(), format!("{name}_array{place}"));
                                let value = C::call("vlad_leaf_of_parts", given);
                                body.push(S::Define { ctype, name: array.clone(), value });
                                C::Name(array)
                            }
                        });
                    }
                }
            }
        }
        if !leaves.is_empty() {
            define_leaves(name, leaves, body);
            body.push(S::Assign(C::machine("first_order").dot("inputs"), C::name(name)));
        }
    }

    /// Leaves a fast path unless a condition holds.
    fn require(&self, condition: C, body: &mut Vec<S>) {
        if self.is_fast {
            body.push(S::when(C::call("VLAD_UNLIKELY", [condition.prefix("!")]), vec![S::Return(C::Number(1))]));
        }
    }

    /// Defines a new array, given the number of its items and their size.
    fn allocate(&self, name: &str, function: &str, (count, size): (usize, &'static str), body: &mut Vec<S>) {
        let count = C::Number(count as u64);
        self.require(C::call("vlad_has_room", [C::name("m"), count.clone(), C::Formula(size.into())]), body);
        let value = C::call(function, [C::name("m"), count]);
        body.push(S::Define { ctype: ARRAY.into(), name: name.to_owned(), value });
    }

    /// Stores a leaf of the results.
    fn output(&self, output: &Output, place: u64, leaves: &[C], body: &mut Vec<S>) {
        let value = match output {
            Output::Real(real) => C::call("vlad_leaf_of_real", [number(*real, leaves)]),
            Output::Boolean(truth) => C::call("vlad_leaf_of_boolean", [boolean(*truth, leaves)]),
            Output::Array { array, .. } => {
                C::call("vlad_leaf_of_array", [self.array(array, &format!("array{place}"), leaves, body)])
            }
        };
        body.push(S::Assign(C::name("results").at(place), value));
    }

    /// An array, which is made if only its elements exist. The recursion is as deep as the array has dimensions.
    fn array(&self, array: &Array, name: &str, leaves: &[C], body: &mut Vec<S>) -> C {
        match array {
            Array::Leaf(leaf) => return leaf_of(*leaf, leaves),
            Array::Elements(elements) => {
                self.allocate(name, "vlad_new_reals", (elements.len(), "sizeof(double)"), body);
                for (element, index) in elements.iter().zip(0..) {
                    let element = number(*element, leaves);
                    body.push(S::Evaluate(C::call("vlad_set_real", [C::name(name), C::Number(index), element])));
                }
            }
            Array::Parts(parts) => {
                self.allocate(name, "vlad_new_arrays", (parts.len(), "sizeof(struct vlad_array)"), body);
                for (part, index) in parts.iter().zip(0..) {
                    let part = self.array(part, &format!("{name}_{index}"), leaves, body);
                    body.push(S::Evaluate(C::call("vlad_set_array", [C::name(name), C::Number(index), part])));
                }
            }
        }
        C::name(name)
    }
}

/// Returns true if an array of the results is made after the code has run.
pub fn makes_arrays(outputs: &[Output]) -> bool {
    outputs.iter().any(|output| match output {
        Output::Array { array, .. } => matches!(array, Array::Elements(_) | Array::Parts(_)),
        Output::Real(_) | Output::Boolean(_) => false,
    })
}

/// The leaves of a unit's value that are arrays of results, each with its number among these arrays.
pub fn destinations(outputs: &[Output]) -> Vec<(usize, usize)> {
    let arrays = outputs.iter().filter_map(|output| match output {
        Output::Array { array, .. } => Some(array),
        Output::Real(_) | Output::Boolean(_) => None,
    });
    let leaves = arrays.zip(0..).filter_map(|(array, memory)| match array {
        Array::Leaf(leaf) => Some((*leaf, memory)),
        Array::Elements(_) | Array::Parts(_) => None,
    });
    leaves.collect()
}

/// The results that are leaves of the value with these numbers.
pub fn results_of(outputs: &[Output], leaves: &BTreeSet<usize>) -> BTreeSet<usize> {
    let is_among =
        |output: &Output| matches!(output, Output::Array { array: Array::Leaf(leaf), .. } if leaves.contains(leaf));
    outputs.iter().zip(0..).filter(|(output, _)| is_among(output)).map(|(_, place)| place).collect()
}

/// Defines an array of leaves, if there are any.
pub fn define_leaves(name: &str, leaves: Vec<C>, body: &mut Vec<S>) {
    if !leaves.is_empty() {
        let name = format!("{name}[{}]", leaves.len());
        body.push(S::Define { ctype: "union vlad_leaf".into(), name, value: C::Braces(leaves) });
    }
}

fn definition_name(global: GlobalId) -> String {
    format!("definition{}", global.0)
}

/// Calls the entry of a unit, and returns the leaves of its value.
fn call(of: &Exported, name: &str, body: &mut Vec<S>) -> Vec<C> {
    let call = C::call(of.entry.clone(), [C::name("m")]);
    if of.results.is_empty() {
        body.push(S::Evaluate(call));
        return Vec::new();
    }
    body.push(S::Define { ctype: of.result.clone(), name: name.to_owned(), value: call });
    match of.results.len() {
        1 => vec![C::name(name)],
        count => (0..count).map(|place| C::name(name).dot(format!("r{place}"))).collect(),
    }
}

fn of_kind(kind: Kind, leaf: C) -> C {
    let function = match kind {
        Kind::Real => "vlad_leaf_of_real",
        Kind::Boolean => "vlad_leaf_of_boolean",
        Kind::Array(_) => "vlad_leaf_of_array",
        Kind::Cell | Kind::Integer => internal_bug!("no value of an item has cells"),
    };
    C::call(function, [leaf])
}

fn leaf_of(leaf: usize, leaves: &[C]) -> C {
    match leaves.get(leaf) {
        Some(leaf) => leaf.clone(),
        None => internal_bug!("a unit has as many results as its value has leaves"),
    }
}

fn number(number: Number, leaves: &[C]) -> C {
    match number {
        Number::Leaf(leaf) => leaf_of(leaf, leaves),
        Number::Known(Bits(bits)) => {
            C::finite(f64::from_bits(bits)).unwrap_or_else(|| C::call("vlad_with_bits", [C::Bits(bits)]))
        }
    }
}

fn boolean(truth: Truth, leaves: &[C]) -> C {
    match truth {
        Truth::Leaf(leaf) => leaf_of(leaf, leaves),
        Truth::Known(truth) => C::Number(u64::from(truth)),
    }
}
