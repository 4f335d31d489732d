//! The C of exports. Each export has an internal function from leaves of operands to leaves of results, and a public
//! function that takes and returns numbers and arrays.
//!
//! The names of public functions contain [`SET`] in place of the name of the set.

use super::leaves::{Computed, Leaves, define_leaves, destinations, makes_arrays, results_of};
use super::names::SIZES;
use super::outputs::{Number, Output};
use super::set::Export;
use super::signature::LeafType;
use super::sizes::Size;
use super::units::needed;
use crate::c::{Expression as C, Head, Item, Statement as S, Word};
use crate::specialised::{ExportedFastPath, exported, exported_fast_path};
use std::collections::{BTreeMap, BTreeSet};
use vlad_core::{GlobalId, Program};
use vlad_first_order::Unit;
use vlad_first_order::passes::Passes;

/// The character that stands for the name of the set.
pub const SET: char = '$';

/// The C of a set.
pub struct Code {
    /// The functions of units, and the functions from leaves to leaves.
    pub internal: Vec<Item>,
    /// The public functions.
    pub public: Vec<Item>,
    /// Their heads, by export: the function of the export, and the function for the sizes of its results.
    pub heads: Vec<Vec<Head>>,
}

/// Generates the C of exports.
pub fn code(program: &Program, definitions: &BTreeMap<GlobalId, Unit>, (exports, passes): (&[Export], Passes)) -> Code {
    let mut code = Code { internal: Vec::new(), public: Vec::new(), heads: Vec::new() };
    let mut used: BTreeSet<GlobalId> = BTreeSet::new();
    for export in exports {
        used.extend(needed(&export.unit, definitions, &export.operands).unwrap_or_default());
    }
    let mut computed = Vec::new();
    // A definition reads only earlier ones.
    for item in &program.items {
        let vlad_core::Item::Define(global, _) = item else { continue };
        if let Some(unit) = definitions.get(global).filter(|_| used.contains(global)) {
            let exported = exported(unit, computed.len(), program, (&[], passes));
            code.internal.extend(exported.items.iter().cloned());
            computed.push(Computed { global: *global, unit, exported });
        }
    }
    for (export, place) in exports.iter().zip(computed.len()..) {
        let needed = needed_by(&export.unit, definitions, export);
        let destinations = destinations(&export.outputs);
        let own = exported(&export.unit, place, program, (&destinations, passes));
        code.internal.extend(own.items.iter().cloned());
        let before: Vec<&Computed<'_>> = computed.iter().filter(|of| needed.contains(&of.global)).collect();
        let leaves =
            Leaves { export, outputs: &export.outputs, unit: &export.unit, own: &own, before: &before, is_fast: false };
        let writer = Writer { name: export.name.clone(), leaves };
        code.internal.push(writer.leaves.function(writer.name()));
        let fast = if writer.may_end_early() && before.is_empty() {
            exported_fast_path(&export.unit, place, program, (&destinations, passes))
        } else {
            None
        };
        if let Some(fast) = &fast {
            code.internal.extend(fast.code.items.iter().cloned());
            let leaves = Leaves { own: &fast.code, is_fast: true, ..writer.leaves };
            code.internal.push(leaves.function(writer.fast_name()));
        }
        let (head, functions) = writer.public(fast.as_ref());
        code.heads.push(vec![head]);
        code.public.extend(functions);
        if let Some(sizes) = &export.sizes {
            let needed = needed_by(&sizes.unit, definitions, export);
            let own = exported(&sizes.unit, place + exports.len(), program, (&[], passes));
            code.internal.extend(own.items.iter().cloned());
            let before: Vec<&Computed<'_>> = computed.iter().filter(|of| needed.contains(&of.global)).collect();
            let outputs: Vec<Output> = (0..own.results.len()).map(|leaf| Output::Real(Number::Leaf(leaf))).collect();
            let name = format!("{}{SIZES}", export.name);
            let leaves =
                Leaves { export, outputs: &outputs, unit: &sizes.unit, own: &own, before: &before, is_fast: false };
            let writer = Writer { name, leaves };
            code.internal.push(writer.leaves.function(writer.name()));
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

struct Writer<'units> {
    /// The name of the function.
    name: String,
    leaves: Leaves<'units>,
}

impl Writer<'_> {
    fn name(&self) -> String {
        format!("vlad_leaves_{}", self.name)
    }

    fn fast_name(&self) -> String {
        format!("vlad_fast_leaves_{}", self.name)
    }

    /// The public function with its head. With a fast path, the function for calls that leave that path comes first.
    fn public(&self, fast: Option<&ExportedFastPath>) -> (Head, Vec<Item>) {
        let results = self.leaves.export.signature.result.leaves();
        let parameters = results.iter().zip(1..).flat_map(|(leaf, place)| result_parameters(*leaf, place));
        let head = self.head(parameters.collect());
        let mut body = self.begin();
        let memories = define_places(&results, &mut body);
        self.call(memories, &mut body);
        give(&results, &BTreeSet::new(), &mut body);
        let Some(fast) = fast else { return (head.clone(), vec![Item::Function { head, body }]) };
        let in_full =
            Head { storage: "static VLAD_APART ", name: format!("vlad_in_full_{}", self.name), ..head.clone() };
        let operands = in_full.parameters.iter().map(|(_, name)| C::Name(name.to_string()));
        let call_in_full = C::call(in_full.name.clone(), operands.collect::<Vec<C>>());
        let mut fast_body = self.begin();
        let memories = define_places(&results, &mut fast_body);
        let function = if fast.allocates { "vlad_run_fast_in_memory" } else { "vlad_run_fast" };
        let operands = [C::name("context"), C::Name(self.fast_name()), self.operands(), C::name("results"), memories];
        let is_given_up = C::call("VLAD_UNLIKELY", [C::call(function, operands)]);
        fast_body.push(S::when(is_given_up, vec![S::Return(call_in_full)]));
        give(&results, &results_of(self.leaves.outputs, &fast.in_place), &mut fast_body);
        (head.clone(), vec![Item::Function { head: in_full, body }, Item::Function { head, body: fast_body }])
    }

    /// The public function for the sizes of results, and its head.
    fn public_sizes(&self, sizes: &[Vec<Size>]) -> (Head, Item) {
        let results = self.leaves.export.signature.result.leaves();
        let names: Vec<String> =
            results.iter().zip(1..).flat_map(|(leaf, place)| size_names(*leaf, &result_name(place))).collect();
        let parameters = names.iter().map(|name| ("size_t *", Word::from(name.clone())));
        let head = self.head(parameters.collect());
        let mut body = self.begin();
        self.call(C::Number(0), &mut body);
        for (name, size) in names.iter().zip(sizes.iter().flatten()) {
            let size = match *size {
                Size::Known(size) => C::Number(size),
                Size::Leaf(leaf) => C::call("vlad_whole", [C::name("results").at(leaf as u64).dot("real")]),
            };
            body.push(S::Assign(C::name(name).prefix("*"), size));
        }
        body.push(S::Return(C::Number(0)));
        (head.clone(), Item::Function { head, body })
    }

    /// The head of a public function, given the parameters for results.
    fn head(&self, results: Vec<(&'static str, Word)>) -> Head {
        let mut parameters: Vec<(&'static str, Word)> = vec![("struct $_context *", "context".into())];
        parameters.extend(self.given().flat_map(|(leaf, name)| operand_parameters(leaf, name)));
        parameters.extend(results);
        Head { storage: "", result: "int".into(), name: format!("{SET}_{}", self.name), parameters }
    }

    /// The parts of the operands with their names.
    fn given(&self) -> impl Iterator<Item = (LeafType, &str)> {
        let export = self.leaves.export;
        export.signature.operand_leaves().into_iter().zip(export.parameters.iter().map(String::as_str))
    }

    /// The beginning of a public function: the leaves of operands and results.
    fn begin(&self) -> Vec<S> {
        let given: Vec<C> = self.given().map(|(leaf, name)| operand(leaf, name)).collect();
        let mut body = Vec::new();
        define_leaves("operands", given, &mut body);
        let count = self.leaves.outputs.len().max(1);
        body.push(S::Declare { ctype: "union vlad_leaf", names: vec![format!("results[{count}]")] });
        body
    }

    /// Calls the function from leaves to leaves, with the caller's memory for results.
    fn call(&self, memories: C, body: &mut Vec<S>) {
        let call = [C::Name(self.name()), self.operands(), C::name("results")];
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

    /// The leaves of the operands.
    fn operands(&self) -> C {
        let has_operands = !self.leaves.export.signature.operand_leaves().is_empty();
        if has_operands { C::name("operands") } else { C::Number(0) }
    }

    /// Returns true if calls may end early, or need memory.
    fn may_end_early(&self) -> bool {
        self.leaves.own.may_end_early
            || self.leaves.before.iter().any(|computed| computed.exported.may_end_early)
            || makes_arrays(self.leaves.outputs)
            || self.leaves.export.signature.operand_leaves().into_iter().any(|leaf| leaf.rank() > 1)
    }
}

/// Hands the results to the caller, and returns the first status other than success. Matrices in place need no copy.
fn give(results: &[LeafType], in_place: &BTreeSet<usize>, body: &mut Vec<S>) {
    let mut statuses = Vec::new();
    let mut memories = 0..;
    for (leaf, place) in results.iter().zip(1_u64..) {
        let (name, result) = (C::Name(result_name(place)), C::name("results").at(place - 1));
        let rank = match *leaf {
            LeafType::Real => {
                body.push(S::Assign(name.prefix("*"), result.dot("real")));
                continue;
            }
            LeafType::Boolean => {
                body.push(S::Assign(name.prefix("*"), result.dot("boolean")));
                continue;
            }
            LeafType::Array(rank) => rank,
        };
        let memory = memories.next().unwrap_or_default();
        let (array, capacity) = (result.dot("array"), C::Name(format!("r{place}_capacity")));
        let mut sizes: Vec<C> = size_names(*leaf, &result_name(place)).into_iter().map(C::Name).collect();
        let (function, first) = if rank == 1 {
            ("vlad_give_vector", vec![array, name, capacity])
        } else if in_place.contains(&(place as usize - 1)) {
            ("vlad_give_in_place", vec![array, C::name("places").at(memory).prefix("&"), capacity])
        } else {
            sizes = vec![C::Literal("size_t *const ", sizes)];
            ("vlad_give_parts", vec![array, C::Number(rank.into()), name, capacity])
        };
        let status = format!("status{place}");
        let value = C::call(function, first.into_iter().chain(sizes).collect::<Vec<C>>());
        body.push(S::Define { ctype: "int".into(), name: status.clone(), value });
        statuses.push(C::Name(status));
    }
    let last = statuses.pop().unwrap_or(C::Number(0));
    for status in statuses {
        body.push(S::when(status.clone(), vec![S::Return(status)]));
    }
    body.push(S::Return(last));
}

/// Defines the caller's memory for the arrays among the results, and returns its name.
fn define_places(results: &[LeafType], body: &mut Vec<S>) -> C {
    let place = |(leaf, place): (&LeafType, usize)| match leaf {
        LeafType::Real | LeafType::Boolean => None,
        LeafType::Array(_) => {
            let (elements, capacity) = (C::Name(format!("r{place}")), C::Name(format!("r{place}_capacity")));
            Some(C::Braces(vec![elements, capacity, C::name("VLAD_NO_ROW"), C::Number(0)]))
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

fn result_name(place: u64) -> String {
    format!("r{place}")
}

/// The names of the sizes of an operand or a result.
fn size_names(leaf: LeafType, name: &str) -> Vec<String> {
    leaf.sizes().into_iter().map(|size| format!("{name}_{size}")).collect()
}

fn operand_parameters(leaf: LeafType, name: &str) -> Vec<(&'static str, Word)> {
    let ctype = match leaf {
        LeafType::Real => "double",
        LeafType::Boolean => "int",
        LeafType::Array(_) => "const double *",
    };
    let sizes = size_names(leaf, name).into_iter().map(|size| ("size_t", size.into()));
    std::iter::once((ctype, Word::from(name.to_owned()))).chain(sizes).collect()
}

fn result_parameters(leaf: LeafType, place: u64) -> Vec<(&'static str, Word)> {
    let name = |what: &str| Word::from(format!("r{place}{what}"));
    let first = match leaf {
        LeafType::Real => vec![("double *", name(""))],
        LeafType::Boolean => vec![("int *", name(""))],
        LeafType::Array(_) => vec![("double *", name("")), ("size_t", name("_capacity"))],
    };
    let sizes = size_names(leaf, &result_name(place)).into_iter().map(|size| ("size_t *", size.into()));
    first.into_iter().chain(sizes).collect()
}

/// An operand as a leaf.
fn operand(leaf: LeafType, name: &str) -> C {
    let sizes = size_names(leaf, name).into_iter().map(C::Name);
    let name = C::Name(name.to_owned());
    match leaf {
        LeafType::Real => C::call("vlad_leaf_of_real", [name]),
        LeafType::Boolean => C::call("vlad_leaf_of_boolean", [name]),
        LeafType::VECTOR => C::call("vlad_leaf_of_vector", [name].into_iter().chain(sizes).collect::<Vec<C>>()),
        LeafType::Array(_) => C::call("vlad_leaf_of_given", [name, C::Literal("const size_t", sizes.collect())]),
    }
}
