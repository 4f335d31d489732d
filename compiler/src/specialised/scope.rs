//! A unit that C is generated for, and the names and types of its parts in C.

use super::calls::Called;
use crate::c::{Expression as C, Field, Head, Word, named, spelled};
use vlad_core::Program;
use vlad_first_order::{Elements, Function, FunctionId, Kind, Operand, Scalar, Unit, Variable};
use vlad_table::internal_bug;

/// The greatest number of operands that a function takes one by one.
const MOST_OPERANDS: usize = 64;

/// A unit that C is generated for.
pub struct Scope<'unit> {
    pub unit: &'unit Unit,
    /// The number of its item.
    pub number: usize,
    pub prefix: &'unit str,
    pub calls: Called,
    /// True if cells are moved, and have headers.
    pub moves_cells: bool,
    /// The program whose places are told where code is given up, if it is exported.
    pub places: Option<&'unit Program>,
    /// True on the fast path of an export ([`vlad_first_order::storage::fast_path`]), which returns where code is given up.
    pub is_fast_path: bool,
}

impl Scope<'_> {
    pub fn entry(&self) -> FunctionId {
        match self.unit.entry {
            Some(entry) => entry,
            None => internal_bug!("a unit has an entry"),
        }
    }

    pub fn head(&self, id: FunctionId) -> Head {
        let function = self.unit.function(id);
        let result = match function.results.as_slice() {
            [] => "void".into(),
            [kind] => ctype(*kind).into(),
            _ => self.results_type(id),
        };
        let mut parameters = named([("struct vlad_machine *", "m")]);
        if self.calls.cycle(id).is_some() {
            parameters.extend(named([("uint64_t", "depth")]));
        }
        if self.takes_structure(id) {
            parameters.push(("const void *", "operands".into()));
            return Head { storage: "static ", result, name: self.function_name(id), parameters };
        }
        let named = function
            .parameters
            .iter()
            .map(|variable| (ctype(function.kind(Operand::Variable(*variable))), variable_name(*variable).into()));
        parameters.extend(named);
        Head { storage: "static ", result, name: self.function_name(id), parameters }
    }

    pub fn name(&self, what: &str, number: usize) -> String {
        format!("{}{what}{number}", self.prefix)
    }

    pub fn function_name(&self, id: FunctionId) -> String {
        let name = spelled(&self.unit.function(id).name);
        format!("{}_{}{name}", self.name("f", self.number), id.0)
    }

    /// Returns true if a function takes its operands in a structure: C compilers need not take arbitrarily many one by one, and tcc
    /// does not.
    pub fn takes_structure(&self, id: FunctionId) -> bool {
        self.unit.function(id).parameters.len() > MOST_OPERANDS
    }

    /// The fields of the structure of a function's operands, which have the names of the parameters.
    pub fn operands(&self, id: FunctionId) -> Vec<Field> {
        let function = self.unit.function(id);
        let field = |variable: &Variable| Field {
            ctype: ctype(function.kind(Operand::Variable(*variable))),
            name: variable_name(*variable).into(),
            comment: "",
        };
        function.parameters.iter().map(field).collect()
    }

    pub fn operands_name(&self, id: FunctionId) -> String {
        format!("{}_operands", self.function_name(id))
    }

    pub fn results_name(&self, id: FunctionId) -> String {
        format!("{}_results", self.function_name(id))
    }

    pub fn results_type(&self, id: FunctionId) -> Word {
        format!("struct {}", self.results_name(id)).into()
    }

    pub fn descriptor(&self) -> String {
        self.name("item", self.number)
    }

    pub fn input_name(&self, input: u32) -> String {
        format!("{}_{input}", self.name("input", self.number))
    }

    pub fn written_name(&self, template: u32) -> String {
        format!("{}_{template}", self.name("written", self.number))
    }

    pub fn result_name(&self) -> String {
        self.name("result", self.number)
    }
}

/// The number of a kind of arrays for the runtime: the rank, and a bit for booleans.
pub fn kind_code(Elements { scalar, rank }: Elements) -> u32 {
    u32::from(rank) | if scalar == Scalar::Boolean { 0x80 } else { 0 }
}

/// The C type of a cell.
pub const CELL: &str = "const union vlad_bits *";

/// The C type of words that are set.
pub const RECORD: &str = "union vlad_bits *";

/// The C type of a leaf.
pub fn ctype(kind: Kind) -> &'static str {
    match kind {
        Kind::Real => "double",
        Kind::Boolean => "int",
        Kind::Array(_) => "struct vlad_array",
        Kind::Cell => CELL,
        Kind::Integer => "uint64_t",
    }
}

/// A leaf as a tagged value.
pub fn leaf(kind: Kind, value: C) -> C {
    match kind {
        Kind::Real => C::call("vlad_real", [value]),
        Kind::Boolean => C::call("vlad_boolean", [value]),
        Kind::Array(_) => C::call("vlad_array_leaf", [C::name("m"), value]),
        Kind::Cell => C::call("vlad_cell_leaf", [value]),
        Kind::Integer => internal_bug!("no value has integers"),
    }
}

/// The fields of the structure of a function's results.
pub fn results(function: &Function) -> Vec<Field> {
    let field =
        |(kind, place): (&Kind, usize)| Field { ctype: ctype(*kind), name: format!("r{place}").into(), comment: "" };
    function.results.iter().zip(0..).map(field).collect()
}

/// The name of a variable.
pub fn variable_name(Variable(number): Variable) -> String {
    format!("v{number}")
}
