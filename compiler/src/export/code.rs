//! The C of exports: for each a function that computes leaves of results from those of operands, and the public function,
//! which takes and returns numbers, vectors and matrices.
//!
//! Texts of public functions have [`SET`] in place of the name of the set.

use super::names::SIZES;
use super::outputs::{Number, Output, Truth, Vector};
use super::set::Export;
use super::signature::LeafType;
use super::sizes::Size;
use super::units::needed;
use crate::c::{Expression as C, Head, Item, Statement as S, Word};
use crate::first_order::{Bits, Kind, Unit};
use crate::specialised::{Exported, exported};
use std::collections::{BTreeMap, BTreeSet};
use vlad_core::{GlobalId, Program};
use vlad_table::internal_bug;

/// The character that stands for the name of the set.
pub const SET: char = '$';

/// The C of a set.
pub struct Code {
    /// The functions of units, and those that compute leaves.
    pub internal: Vec<Item>,
    /// The public functions.
    pub public: Vec<Item>,
    /// Their heads, of each export its own, and that of the function for the sizes of its results.
    pub heads: Vec<Vec<Head>>,
}

/// Generates the C of exports.
pub fn code(program: &Program, definitions: &BTreeMap<GlobalId, Unit>, exports: &[Export]) -> Code {
    let mut code = Code { internal: Vec::new(), public: Vec::new(), heads: Vec::new() };
    let mut used: BTreeSet<GlobalId> = BTreeSet::new();
    for export in exports {
        used.extend(needed(&export.unit, definitions, &export.operands).unwrap_or_default());
    }
    let mut computed = Vec::new();
    // A definition reads those before it in the program.
    for item in &program.items {
        let vlad_core::Item::Define(global, _) = item else { continue };
        if let Some(unit) = definitions.get(global).filter(|_| used.contains(global)) {
            let exported = exported(unit, computed.len(), program, &[]);
            code.internal.extend(exported.items.iter().cloned());
            computed.push(Computed { global: *global, unit, exported });
        }
    }
    for (export, place) in exports.iter().zip(computed.len()..) {
        let needed = needed_by(&export.unit, definitions, export);
        let own = exported(&export.unit, place, program, &destinations(&export.outputs));
        code.internal.extend(own.items.iter().cloned());
        let before: Vec<&Computed<'_>> = computed.iter().filter(|of| needed.contains(&of.global)).collect();
        let name = export.name.clone();
        let writer = Writer { export, name, unit: &export.unit, outputs: &export.outputs, before: &before, own: &own };
        code.internal.push(writer.leaves());
        let (head, function) = writer.public();
        code.heads.push(vec![head]);
        code.public.push(function);
        if let Some(sizes) = &export.sizes {
            let needed = needed_by(&sizes.unit, definitions, export);
            let own = exported(&sizes.unit, place + exports.len(), program, &[]);
            code.internal.extend(own.items.iter().cloned());
            let before: Vec<&Computed<'_>> = computed.iter().filter(|of| needed.contains(&of.global)).collect();
            let outputs: Vec<Output> = (0..own.results.len()).map(|leaf| Output::Real(Number::Leaf(leaf))).collect();
            let name = format!("{}{SIZES}", export.name);
            let writer = Writer { export, name, unit: &sizes.unit, outputs: &outputs, before: &before, own: &own };
            code.internal.push(writer.leaves());
            let (head, function) = writer.public_sizes(&sizes.sizes);
            if let Some(heads) = code.heads.last_mut() {
                heads.push(head);
            }
            code.public.push(function);
        }
    }
    code
}

/// The definitions that the code of an export reads.
fn needed_by(unit: &Unit, definitions: &BTreeMap<GlobalId, Unit>, export: &Export) -> BTreeSet<GlobalId> {
    needed(unit, definitions, &export.operands).unwrap_or_default()
}

/// A definition that is computed in calls.
struct Computed<'units> {
    global: GlobalId,
    unit: &'units Unit,
    exported: Exported,
}

struct Writer<'units> {
    export: &'units Export,
    /// The name of the function.
    name: String,
    unit: &'units Unit,
    outputs: &'units [Output],
    before: &'units [&'units Computed<'units>],
    own: &'units Exported,
}

impl Writer<'_> {
    fn name(&self) -> String {
        format!("vlad_leaves_{}", self.name)
    }

    /// The function that computes the leaves of the results.
    fn leaves(&self) -> Item {
        let parameters = vec![
            ("struct vlad_machine *", "m".into()),
            ("const union vlad_leaf *", "operands".into()),
            ("union vlad_leaf *", "results".into()),
        ];
        let head = Head { storage: "static ", result: "void".into(), name: self.name(), parameters };
        let mut body = vec![S::Unused(&["operands", "results"])];
        for computed in self.before {
            self.inputs(computed.unit, &format!("inputs{}", computed.global.0), &mut body);
            let leaves = call(&computed.exported, &format!("value{}", computed.global.0), &mut body);
            let leaves = leaves.into_iter().zip(&computed.exported.results).map(|(leaf, kind)| of_kind(*kind, leaf));
            define_leaves(&definition_name(computed.global), leaves.collect(), &mut body);
        }
        self.inputs(self.unit, "inputs", &mut body);
        let leaves = call(self.own, "value", &mut body);
        for (output, place) in self.outputs.iter().zip(0..) {
            self.output(output, place, &leaves, &mut body);
        }
        body.push(S::Assign(C::machine("first_order").dot("inputs"), C::Number(0)));
        Item::Function { head, body }
    }

    /// Makes the leaves that a unit reads, and gives them to the machine.
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
                    let of_operand = operands.get(operand).map(super::signature::Type::leaves).unwrap_or_default();
                    leaves.extend(of_operand.into_iter().zip(first as u64..).map(|(leaf, place)| {
                        let operand = C::name("operands").at(place);
                        match leaf {
                            LeafType::Matrix => C::call("vlad_rows", [C::name("m"), operand]),
                            LeafType::Real | LeafType::Boolean | LeafType::Vector => operand,
                        }
                    }));
                }
            }
        }
        if !leaves.is_empty() {
            define_leaves(name, leaves, body);
            body.push(S::Assign(C::machine("first_order").dot("inputs"), C::name(name)));
        }
    }

    /// Stores a leaf of the results.
    fn output(&self, output: &Output, place: u64, leaves: &[C], body: &mut Vec<S>) {
        let value = match output {
            Output::Real(real) => C::call("vlad_leaf_of_real", [number(*real, leaves)]),
            Output::Boolean(truth) => C::call("vlad_leaf_of_boolean", [boolean(*truth, leaves)]),
            Output::Vector(vector) => {
                C::call("vlad_leaf_of_array", [array(vector, &format!("vector{place}"), leaves, body)])
            }
            Output::Matrix(leaf) => C::call("vlad_leaf_of_array", [leaf_of(*leaf, leaves)]),
            Output::Rows(rows) => {
                let name = format!("rows{place}");
                let value = C::call("vlad_new_arrays", [C::name("m"), C::Number(rows.len() as u64)]);
                body.push(S::Define { ctype: ARRAY.into(), name: name.clone(), value });
                for (row, index) in rows.iter().zip(0..) {
                    let row = array(row, &format!("row{place}_{index}"), leaves, body);
                    body.push(S::Evaluate(C::call("vlad_set_array", [C::name(&name), C::Number(index), row])));
                }
                C::call("vlad_leaf_of_array", [C::Name(name)])
            }
        };
        body.push(S::Assign(C::name("results").at(place), value));
    }

    /// The public function, and its head.
    fn public(&self) -> (Head, Item) {
        let results = self.export.signature.result.leaves();
        let parameters = results.iter().zip(1..).flat_map(|(leaf, place)| result_parameters(*leaf, place));
        let head = self.head(parameters.collect());
        let mut body = self.begin();
        let memories = define_places(&results, &mut body);
        self.call(memories, &mut body);
        give(&results, &mut body);
        (head.clone(), Item::Function { head, body })
    }

    /// The public function for the sizes of results, and its head.
    fn public_sizes(&self, sizes: &[Vec<Size>]) -> (Head, Item) {
        let results = self.export.signature.result.leaves();
        let arrays = results.iter().zip(1..).filter(|(leaf, _)| !matches!(leaf, LeafType::Real | LeafType::Boolean));
        let names = arrays.map(|(leaf, place)| match leaf {
            LeafType::Matrix => vec![format!("r{place}_rows"), format!("r{place}_columns")],
            LeafType::Real | LeafType::Boolean | LeafType::Vector => vec![format!("r{place}_length")],
        });
        let names: Vec<Vec<String>> = names.collect();
        let parameters = names.iter().flatten().map(|name| ("size_t *", Word::from(name.clone())));
        let head = self.head(parameters.collect());
        let mut body = self.begin();
        self.call(C::Number(0), &mut body);
        for (name, size) in names.iter().flatten().zip(sizes.iter().flatten()) {
            let size = match *size {
                Size::Known(size) => C::Number(size),
                Size::Leaf(leaf) => C::call("vlad_whole", [C::name("results").at(leaf as u64).dot("real")]),
            };
            body.push(S::Assign(C::name(name).prefix("*"), size));
        }
        body.push(S::Return(C::Number(0)));
        (head.clone(), Item::Function { head, body })
    }

    /// The head of a public function, with the parameters behind those for the operands.
    fn head(&self, results: Vec<(&'static str, Word)>) -> Head {
        let operands = self.export.signature.operand_leaves();
        let mut parameters: Vec<(&'static str, Word)> = vec![("struct $_context *", "context".into())];
        parameters.extend(operands.iter().zip(1..).flat_map(|(leaf, place)| operand_parameters(*leaf, place)));
        parameters.extend(results);
        Head { storage: "", result: "int".into(), name: format!("{SET}_{}", self.name), parameters }
    }

    /// The begin of a public function: the leaves of operands and results.
    fn begin(&self) -> Vec<S> {
        let operands = self.export.signature.operand_leaves();
        let given: Vec<C> = operands.iter().zip(1..).map(|(leaf, place)| operand(*leaf, place)).collect();
        let mut body = Vec::new();
        define_leaves("operands", given, &mut body);
        let count = self.outputs.len().max(1);
        body.push(S::Declare { ctype: "union vlad_leaf", names: vec![format!("results[{count}]")] });
        body
    }

    /// Calls the function that computes the leaves, with the places of results.
    fn call(&self, memories: C, body: &mut Vec<S>) {
        let has_operands = !self.export.signature.operand_leaves().is_empty();
        let operands = if has_operands { C::name("operands") } else { C::Number(0) };
        let call = [C::Name(self.name()), operands, C::name("results")];
        if self.may_end_early() {
            let all: Vec<C> = [C::name("context")].into_iter().chain(call).chain([memories]).collect();
            let value = C::call("vlad_run", all);
            body.push(S::Define { ctype: "int".into(), name: "status".into(), value });
            body.push(S::when(C::name("status"), vec![S::Return(C::name("status"))]));
        } else {
            body.push(S::Unused(&["context"]));
            body.push(S::Evaluate(C::call("VLAD_RUN_ALWAYS", call.into_iter().chain([memories]).collect::<Vec<C>>())));
        }
    }

    /// Returns true if calls may end early, or need memory.
    fn may_end_early(&self) -> bool {
        let makes_arrays = |output: &Output| matches!(output, Output::Vector(Vector::Elements(_)) | Output::Rows(_));
        self.own.may_end_early
            || self.before.iter().any(|computed| computed.exported.may_end_early)
            || self.outputs.iter().any(makes_arrays)
            || self.export.signature.operand_leaves().contains(&LeafType::Matrix)
    }
}

const ARRAY: &str = "struct vlad_array";

/// Gives the results to the caller: each, and then the first status that is no success.
fn give(results: &[LeafType], body: &mut Vec<S>) {
    let mut statuses = Vec::new();
    for (leaf, place) in results.iter().zip(1_u64..) {
        let (name, result) = (C::Name(format!("r{place}")), C::name("results").at(place - 1));
        let lengths: &[&str] = match leaf {
            LeafType::Real => {
                body.push(S::Assign(name.prefix("*"), result.dot("real")));
                continue;
            }
            LeafType::Boolean => {
                body.push(S::Assign(name.prefix("*"), result.dot("boolean")));
                continue;
            }
            LeafType::Vector => &["capacity", "length"],
            LeafType::Matrix => &["capacity", "rows", "columns"],
        };
        let function = if *leaf == LeafType::Vector { "vlad_give_vector" } else { "vlad_give_matrix" };
        let mut operands = vec![result.dot("array"), name];
        operands.extend(lengths.iter().map(|length| C::Name(format!("r{place}_{length}"))));
        let status = format!("status{place}");
        let value = C::call(function, operands);
        body.push(S::Define { ctype: "int".into(), name: status.clone(), value });
        statuses.push(C::Name(status));
    }
    let last = statuses.pop().unwrap_or(C::Number(0));
    for status in statuses {
        body.push(S::when(status.clone(), vec![S::Return(status)]));
    }
    body.push(S::Return(last));
}

/// The leaves of a unit's value that are arrays of results, with the numbers of these among the vectors and matrices.
fn destinations(outputs: &[Output]) -> Vec<(usize, usize)> {
    let arrays = outputs.iter().filter(|output| !matches!(output, Output::Real(_) | Output::Boolean(_)));
    let leaves = arrays.zip(0..).filter_map(|(output, memory)| match output {
        Output::Vector(Vector::Leaf(leaf)) | Output::Matrix(leaf) => Some((*leaf, memory)),
        Output::Vector(Vector::Elements(_)) | Output::Rows(_) | Output::Real(_) | Output::Boolean(_) => None,
    });
    leaves.collect()
}

/// Defines the places of the vectors and matrices among the results, and returns them.
fn define_places(results: &[LeafType], body: &mut Vec<S>) -> C {
    let place = |(leaf, place): (&LeafType, usize)| match leaf {
        LeafType::Real | LeafType::Boolean => None,
        LeafType::Vector | LeafType::Matrix => {
            let (elements, capacity) = (C::Name(format!("r{place}")), C::Name(format!("r{place}_capacity")));
            Some(C::Braces(vec![elements, capacity, C::Number(0)]))
        }
    };
    let places: Vec<C> = results.iter().zip(1..).filter_map(place).collect();
    if places.is_empty() {
        return C::Number(0);
    }
    let name = format!("places[{}]", places.len());
    body.push(S::Define { ctype: "struct vlad_place".into(), name, value: C::Braces(places) });
    C::name("places")
}

fn definition_name(global: GlobalId) -> String {
    format!("definition{}", global.0)
}

fn define_leaves(name: &str, leaves: Vec<C>, body: &mut Vec<S>) {
    if !leaves.is_empty() {
        let name = format!("{name}[{}]", leaves.len());
        body.push(S::Define { ctype: "union vlad_leaf".into(), name, value: C::Braces(leaves) });
    }
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
        Kind::Cell => internal_bug!("no value of an item has cells"),
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

/// The array of a vector, made where its elements have no array.
fn array(vector: &Vector, name: &str, leaves: &[C], body: &mut Vec<S>) -> C {
    let elements = match vector {
        Vector::Leaf(leaf) => return leaf_of(*leaf, leaves),
        Vector::Elements(elements) => elements,
    };
    let value = C::call("vlad_new_reals", [C::name("m"), C::Number(elements.len() as u64)]);
    body.push(S::Define { ctype: ARRAY.into(), name: name.to_owned(), value });
    for (element, index) in elements.iter().zip(0..) {
        let element = number(*element, leaves);
        body.push(S::Evaluate(C::call("vlad_set_real", [C::name(name), C::Number(index), element])));
    }
    C::name(name)
}

fn operand_parameters(leaf: LeafType, place: usize) -> Vec<(&'static str, Word)> {
    let name = |what: &str| Word::from(format!("x{place}{what}"));
    match leaf {
        LeafType::Real => vec![("double", name(""))],
        LeafType::Boolean => vec![("int", name(""))],
        LeafType::Vector => vec![("const double *", name("")), ("size_t", name("_length"))],
        LeafType::Matrix => {
            vec![("const double *", name("")), ("size_t", name("_rows")), ("size_t", name("_columns"))]
        }
    }
}

fn result_parameters(leaf: LeafType, place: usize) -> Vec<(&'static str, Word)> {
    let name = |what: &str| Word::from(format!("r{place}{what}"));
    match leaf {
        LeafType::Real => vec![("double *", name(""))],
        LeafType::Boolean => vec![("int *", name(""))],
        LeafType::Vector => {
            vec![("double *", name("")), ("size_t", name("_capacity")), ("size_t *", name("_length"))]
        }
        LeafType::Matrix => vec![
            ("double *", name("")),
            ("size_t", name("_capacity")),
            ("size_t *", name("_rows")),
            ("size_t *", name("_columns")),
        ],
    }
}

/// An operand as a leaf.
fn operand(leaf: LeafType, place: usize) -> C {
    let name = |what: &str| C::Name(format!("x{place}{what}"));
    match leaf {
        LeafType::Real => C::call("vlad_leaf_of_real", [name("")]),
        LeafType::Boolean => C::call("vlad_leaf_of_boolean", [name("")]),
        LeafType::Vector => C::call("vlad_leaf_of_vector", [name(""), name("_length")]),
        LeafType::Matrix => C::call("vlad_leaf_of_matrix", [name(""), name("_rows"), name("_columns")]),
    }
}
