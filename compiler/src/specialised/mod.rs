//! Code generation for first-order code: each unit becomes static C functions on doubles and truth values, with a
//! descriptor by which the runtime runs them (`compiler/runtime/first_order.h`).
//!
//! | module | |
//! |---|---|
//! | [`calls`] | the call graph: functions that are reached, that need host stack, and that take turns |
//! | [`function`] | a function of a unit as a function of C |
//! | [`template`] | templates of values as static arrays |
//!
//! Invariants: variables are locals; nothing is allocated but the record stack; every call names its callee. Each
//! operation is one operator or one call, so the C compiler computes the bits of the table. Every loop and every cycle
//! of calls takes turns, so that limits are checked (`first_order.h`).
//!
//! Units contain no level of differentiation: the passes of [`crate::first_order`] have removed all.

mod calls;
mod function;
mod template;

use crate::c::{Expression as C, Field, Head, Item, Statement, named};
use crate::first_order::{Function, FunctionId, Kind, Operand, Unit};
use calls::CallGraph;
use vlad_table::internal_bug;

/// The items that are specialised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Specialise {
    /// None.
    Never,
    /// Those that can be.
    #[default]
    Auto,
    /// Those that can be; the user wants to know the reasons for the others.
    Always,
}

/// The treatment of steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StepCounting {
    /// They are counted.
    #[default]
    Counted,
    /// They are not, and the run counts too few.
    Ignored,
}

/// Returns the C of the units of a program, by item, and the table of their descriptors. All names begin with the
/// prefix; there is nothing if no item has a unit.
pub fn items(units: &[Option<Unit>], prefix: &str, counting: StepCounting) -> Vec<Item> {
    if units.iter().all(Option::is_none) {
        return Vec::new();
    }
    let mut items = vec![Item::Include("first_order.h")];
    let mut table = Vec::new();
    for (number, unit) in units.iter().enumerate() {
        let Some(unit) = unit else {
            table.push(C::Number(0));
            continue;
        };
        let scope = Scope { unit, number, prefix, counting, calls: CallGraph::of(unit) };
        items.extend(scope.items());
        table.push(C::Name(scope.descriptor()).prefix("&"));
    }
    let (storage, ctype) = ("static ", "const struct vlad_specialised *const");
    items.push(Item::Object { storage, ctype, name: format!("{}[]", table_name(prefix)), contents: table });
    items
}

/// The name of the table of descriptors.
pub fn table_name(prefix: &str) -> String {
    format!("{prefix}specialised")
}

/// A unit that C is generated for.
struct Scope<'unit> {
    unit: &'unit Unit,
    /// The number of its item.
    number: usize,
    prefix: &'unit str,
    counting: StepCounting,
    calls: CallGraph,
}

impl Scope<'_> {
    fn items(&self) -> Vec<Item> {
        let mut items = self.templates();
        for id in self.calls.reached() {
            let function = self.unit.function(id);
            if function.results.len() > 1 {
                items.push(Item::Structure(self.results_name(id).into(), results(function)));
            }
        }
        items.extend(self.calls.reached().map(|id| Item::Prototype(self.head(id))));
        items.extend(self.calls.reached().map(|id| function::function(self, id)));
        items.push(self.run());
        items.extend(self.described());
        items
    }

    fn templates(&self) -> Vec<Item> {
        let inputs = self.unit.inputs.iter().map(|(_, template)| template);
        let inputs = inputs.zip(0..).map(|(template, input)| (self.input_name(input), template));
        let written =
            self.unit.written.iter().zip(0..).map(|(template, written)| (self.written_name(written), template));
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
        let contents = vec![run, result, table, count, C::Number(leaves as u64)];
        let table = (!inputs.is_empty()).then(|| object("const struct vlad_input", format!("{name}[]"), inputs));
        table.into_iter().chain([object("const struct vlad_specialised", self.descriptor(), contents)]).collect()
    }

    fn entry(&self) -> FunctionId {
        match self.unit.entry {
            Some(entry) => entry,
            None => internal_bug!("a unit has an entry"),
        }
    }

    fn head(&self, id: FunctionId) -> Head {
        let function = self.unit.function(id);
        let result = match function.results.as_slice() {
            [] => "void".into(),
            [kind] => ctype(*kind).into(),
            _ => self.results_type(id),
        };
        let mut parameters = named([("struct vlad_machine *", "m")]);
        let named = function.parameters.iter().map(|variable| {
            (ctype(function.kind(Operand::Variable(*variable))), function::variable_name(*variable).into())
        });
        parameters.extend(named);
        Head { storage: "static ", result, name: self.function_name(id), parameters }
    }

    fn name(&self, what: &str, number: usize) -> String {
        format!("{}{what}{number}", self.prefix)
    }

    fn function_name(&self, id: FunctionId) -> String {
        let name = crate::c::spelled(&self.unit.function(id).name);
        format!("{}_{}{name}", self.name("f", self.number), id.0)
    }

    fn results_name(&self, id: FunctionId) -> String {
        format!("{}_results", self.function_name(id))
    }

    fn results_type(&self, id: FunctionId) -> crate::c::Word {
        format!("struct {}", self.results_name(id)).into()
    }

    fn descriptor(&self) -> String {
        self.name("item", self.number)
    }

    fn input_name(&self, input: u32) -> String {
        format!("{}_{input}", self.name("input", self.number))
    }

    fn written_name(&self, template: u32) -> String {
        format!("{}_{template}", self.name("written", self.number))
    }

    fn result_name(&self) -> String {
        self.name("result", self.number)
    }
}

/// The C type of a leaf.
fn ctype(kind: Kind) -> &'static str {
    match kind {
        Kind::Real => "double",
        Kind::Boolean => "int",
    }
}

/// A leaf as a tagged value.
fn leaf(kind: Kind, value: C) -> C {
    match kind {
        Kind::Real => C::call("vlad_real", [value]),
        Kind::Boolean => C::call("vlad_boolean", [value]),
    }
}

/// The fields of the structure of a function's results.
fn results(function: &Function) -> Vec<Field> {
    let field =
        |(kind, place): (&Kind, usize)| Field { ctype: ctype(*kind), name: format!("r{place}").into(), comment: "" };
    function.results.iter().zip(0..).map(field).collect()
}
