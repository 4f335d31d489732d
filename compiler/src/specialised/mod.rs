//! Code generation for first-order code: each unit becomes static C functions on doubles and truth values, with a
//! descriptor by which the runtime runs them (`compiler/runtime/interface/first_order.h`).
//!
//! A unit is lowered to storage code first ([`vlad_first_order::storage`]).
//!
//! | module | |
//! |---|---|
//! | [`calls`] | functions that are reached, that need host stack, and that take turns |
//! | [`scope`], [`template`] | names and types in C; templates of values as static arrays |
//! | [`function`] | a function of a unit as a function of C: blocks, operands, operations |
//! | [`activations`] | calls, returns, the exits of fast paths, and the steps that are counted |
//! | [`memory`] | arrays, cells, records and storage code |
//! | [`exported`], [`failures`] | units without a machine around them, and the places and words of their failures |
//!
//! Invariants: variables are locals; nothing is allocated but the record stack, arrays and cells; every call names its callee. Each
//! operation is one operator or one call, so the C compiler computes the bits of the table. Every loop and every cycle
//! of calls takes turns, so that limits are checked (`first_order.h`).
//!
//! Units contain no level of differentiation: the passes of [`vlad_first_order`] have removed all.

mod activations;
mod calls;
mod exported;
mod failures;
mod function;
mod memory;
mod scope;
mod template;

pub use exported::{Exported, ExportedFastPath, exported, exported_fast_path};

use crate::c::{Expression as C, Head, Item, Statement, named};
use crate::procedures::{Call, Procedure, Specialised};
use scope::{Scope, leaf, results};
use vlad_first_order::Unit;
use vlad_first_order::storage::lower;
use vlad_first_order::storage::placement::Execution;

/// The items that are specialised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Specialise {
    /// None.
    Never,
    /// Those that can be, and are faster then.
    #[default]
    Auto,
    /// Those that can be; the command refuses programs with others that compute something.
    Always,
}

/// Returns the C of the units of a program, and the tables of their descriptors: by item, and of procedures. All names
/// begin with the prefix; there is nothing if nothing is specialised.
pub fn items(specialised: &Specialised, prefix: &str) -> Vec<Item> {
    let Specialised { items: units, procedures, passes, depends_on_data: _ } = specialised;
    let has_items = units.iter().any(Option::is_some);
    if !has_items && procedures.is_empty() {
        return Vec::new();
    }
    let mut items = vec![Item::Include("first_order.h")];
    let mut descriptor = |unit: &Unit, number| {
        let lowered = lower(unit, Execution::Machine, *passes);
        let scope = Scope::new(&lowered, number, prefix, None);
        items.extend(scope.items());
        C::Name(scope.descriptor()).prefix("&")
    };
    let of_item =
        |(number, unit): (usize, &Option<Unit>)| unit.as_ref().map_or(C::Number(0), |unit| descriptor(unit, number));
    let table: Vec<C> = units.iter().enumerate().map(of_item).collect();
    let of_procedure = |(number, procedure): (usize, &Procedure)| {
        let code = descriptor(&procedure.unit, units.len() + number);
        let call = match procedure.call {
            Call::Plain => "VLAD_CALL_PLAIN",
            Call::Forward => "VLAD_CALL_FORWARD",
            Call::Reverse => "VLAD_CALL_REVERSE",
        };
        let (lambda, operands) = (u64::from(procedure.lambda.0), procedure.operands.len() as u64);
        let numbers = [lambda, operands, procedure.call_steps, u64::from(procedure.nests)];
        C::Braces([code, C::name(call)].into_iter().chain(numbers.map(C::Number)).collect())
    };
    let apart: Vec<C> = procedures.iter().enumerate().map(of_procedure).collect();
    let storage = "static ";
    if has_items {
        let (ctype, name) = ("const struct vlad_specialised *const", format!("{}[]", table_name(prefix)));
        items.push(Item::Object { storage, ctype, name, contents: table });
    }
    if !apart.is_empty() {
        let (ctype, name) = ("const struct vlad_specialised_procedure", format!("{}[]", procedures_name(prefix)));
        items.push(Item::Object { storage, ctype, name, contents: apart });
    }
    items
}

/// The name of the table of the procedures that are specialised.
pub fn procedures_name(prefix: &str) -> String {
    format!("{prefix}specialised_procedures")
}

/// The name of the table of descriptors.
pub fn table_name(prefix: &str) -> String {
    format!("{prefix}specialised")
}

impl Scope<'_> {
    fn items(&self) -> Vec<Item> {
        let mut items = self.templates();
        items.extend(self.functions());
        items.push(self.run());
        items.extend(self.described());
        items
    }

    /// The functions of the unit, after the types of their results and operands.
    fn functions(&self) -> Vec<Item> {
        let mut items = Vec::new();
        for id in self.calls.reached() {
            let function = self.unit.function(id);
            if function.results.len() > 1 {
                items.push(Item::Structure(self.results_name(id).into(), results(function)));
            }
            if self.takes_structure(id) {
                items.push(Item::Structure(self.operands_name(id).into(), self.operands(id)));
            }
        }
        items.extend(self.calls.reached().map(|id| Item::Prototype(self.head(id))));
        items.extend(self.calls.reached().map(|id| function::function(self, id)));
        items
    }

    fn templates(&self) -> Vec<Item> {
        let inputs = self.unit.inputs.iter().map(|(_, template)| template);
        let inputs = inputs.zip(0..).map(|(template, input)| (self.input_name(input), template));
        let written =
            self.unit.written.iter().zip(0..).map(|(line, written)| (self.written_name(written), &line.template));
        let all = inputs.chain(written).chain([(self.result_name(), &self.unit.result)]);
        all.flat_map(|(name, template)| template::items(name, template)).collect()
    }

    /// The function that the runtime calls: it stores the leaves of the item's value.
    fn run(&self) -> Item {
        let entry = self.entry();
        let results = &self.unit.function(entry).results;
        let call = C::call(self.function_name(entry), [C::name("m")]);
        let store = |place: u64, kind, value| Statement::Assign(C::name("leaves").at(place), leaf(kind, value));
        let body = match results.as_slice() {
            [] => vec![Statement::Unused(&["leaves"]), Statement::Evaluate(call)],
            [kind] => vec![store(0, *kind, call)],
            kinds => {
                let results = "results".to_owned();
                let mut body = vec![Statement::Define { ctype: self.results_type(entry), name: results, value: call }];
                let field = |place: u64| C::name("results").dot(format!("r{place}"));
                body.extend(kinds.iter().zip(0..).map(|(kind, place)| store(place, *kind, field(place))));
                body
            }
        };
        let parameters = named([("struct vlad_machine *", "m"), ("vlad_value *", "leaves")]);
        let head = Head { storage: "static ", result: "void".into(), name: self.name("run", self.number), parameters };
        Item::Function { head, body }
    }

    /// The descriptor, after the table of the inputs.
    fn described(&self) -> Vec<Item> {
        let inputs = self.unit.inputs.iter().zip(0..).map(|((global, _), input)| {
            C::Braces(vec![C::Number(global.0.into()), C::Name(self.input_name(input)).prefix("&")])
        });
        let inputs: Vec<C> = inputs.collect();
        let leaves: usize = self.unit.inputs.iter().map(|(_, template)| template.leaves()).sum();
        let count = C::Number(inputs.len() as u64);
        let (storage, name) = ("static ", self.name("inputs", self.number));
        let table = if inputs.is_empty() { C::Number(0) } else { C::name(&name) };
        let object = |ctype, name, contents| Item::Object { storage, ctype, name, contents };
        let run = C::Name(self.name("run", self.number));
        let result = C::Name(self.result_name()).prefix("&");
        let nesting = C::Number(self.unit.nesting.max(1).into());
        let contents = vec![run, result, table, count, C::Number(leaves as u64), nesting];
        let table = (!inputs.is_empty()).then(|| object("const struct vlad_input", format!("{name}[]"), inputs));
        table.into_iter().chain([object("const struct vlad_specialised", self.descriptor(), contents)]).collect()
    }
}
