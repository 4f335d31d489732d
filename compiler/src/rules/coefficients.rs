//! The linearisation of operations, in C: the coefficients (partial derivatives) on plain reals with their products,
//! and on numbers of any levels.
//!
//! The C code of a term executes exactly the operations that evaluating the term executes: of a choice only the branch
//! that is taken, and none for a test, since tests consist of operands and constants alone.

use super::names::{operation_constant, operation_function, words};
use crate::c::{Expression as C, Field, Head, Infix, Item, Statement, named};
use std::mem;
use vlad_table::operations::OPERATIONS;
use vlad_table::{Operation, OperationRow, Term, Test, internal_bug};

/// A table of coefficients, with an element for each operation.
struct Table {
    about: &'static str,
    name: &'static str,
    element: fn(&OperationRow) -> C,
}

const TABLES: [Table; 3] = [
    Table {
        about: "What coefficients read, for each operation and each set of active operands (bits 0 and 1): bit 0 the \
                first operand, bit 1 the second, bit 2 the result.",
        name: "vlad_reads[VLAD_OPERATIONS][4]",
        element: reads,
    },
    Table {
        about: "Of which operands (bits 0 and 1) the coefficient is the constant 1.",
        name: "vlad_ones[VLAD_OPERATIONS]",
        element: ones,
    },
    Table {
        about: "Of which operand (bit 0 the first, bit 1 the second) or of the result (bit 2) the coefficient of an \
                operand is just the value; 0 if it is none of them.",
        name: "vlad_coefficient_of[VLAD_OPERATIONS][2]",
        element: operands_as_coefficients,
    },
];

const BYTES: &str = "const uint8_t";

/// Declarations, and the function of the products of coefficients with parts where all numbers are plain.
pub(super) fn header() -> Vec<Item> {
    let declared =
        |table: Table| [Item::comment(table.about), Item::Extern { ctype: BYTES, name: table.name.to_owned() }];
    let mut items: Vec<Item> = TABLES.into_iter().flat_map(declared).collect();
    let ones = ["VLAD_ONES_MULTIPLIED", "VLAD_ONES_LEFT_OUT"].map(str::to_owned);
    let half = |name: &'static str| Field { ctype: "double", name: name.into(), comment: "" };
    items.extend([
        Item::comment("Whether products with a coefficient that is the constant 1 are left out."),
        Item::Enumeration("vlad_products_with_one", ones.into_iter().zip(0..).collect()),
        Item::Structure("vlad_products".into(), vec![half("first"), half("second")]),
        Item::comment("The guarded products of the coefficients of the active operands with u and v; all are plain."),
        products(),
    ]);
    items
}

/// The tables of coefficients.
pub(super) fn tables() -> impl Iterator<Item = Item> {
    TABLES.into_iter().map(|Table { name, element, .. }| {
        let elements = OPERATIONS.iter().map(|row| C::Element(operation_constant(row.operation), element(row).into()));
        Item::Object { storage: "", ctype: BYTES, name: name.to_owned(), contents: elements.collect() }
    })
}

fn reads(row: &OperationRow) -> C {
    let bits = [(false, false), (true, false), (false, true), (true, true)].map(|(first, second)| {
        let reads = row.operation.reads(first, second);
        u64::from(reads.first) | u64::from(reads.second) << 1 | u64::from(reads.result) << 2
    });
    C::Braces(bits.map(C::Number).into())
}

fn ones(row: &OperationRow) -> C {
    let ones = row.coefficients.iter().enumerate();
    C::Number(ones.fold(0, |ones, (operand, term)| ones | u64::from(is_one(term)) << operand))
}

/// Returns true if a coefficient is the constant 1, whose products may be left out.
fn is_one(term: &Term) -> bool {
    matches!(term, Term::Constant(1.0))
}

fn operands_as_coefficients(row: &OperationRow) -> C {
    C::Braces([0, 1].map(|operand| C::Number(row.coefficients.get(operand).map_or(0, operand_bit))).into())
}

/// The bit of the operand or the result that a term is; 0 for any other term.
fn operand_bit(term: &Term) -> u64 {
    match term {
        Term::First => 1,
        Term::Second => 2,
        Term::Result => 4,
        Term::Constant(_) | Term::Unary(..) | Term::Binary(..) | Term::Select(..) => 0,
    }
}

fn products() -> Item {
    let cases = OPERATIONS.iter().map(|row| {
        let mut statements = products_of(row);
        statements.push(Statement::Break);
        (C::Name(operation_constant(row.operation)), statements)
    });
    let zeros = C::Braces(vec![C::Real(0.0), C::Real(0.0)]);
    let body = vec![
        Statement::Define { ctype: "struct vlad_products".into(), name: "products".to_owned(), value: zeros },
        Statement::Unused(&["a", "b", "r"]),
        Statement::Choose { value: C::name("operation"), cases: cases.collect(), otherwise: vec![Statement::Break] },
        Statement::Return(C::name("products")),
    ];
    let mut parameters = vec![MACHINE, OPERATION, ("enum vlad_products_with_one", "ones"), ("uint32_t", "active")];
    parameters.extend(["a", "b", "r", "u", "v"].map(|name| ("double", name)));
    let parameters = named(parameters);
    let (storage, result) = ("static VLAD_INLINE ", "struct vlad_products".into());
    Item::Function { head: Head { storage, result, name: "vlad_products_of".to_owned(), parameters }, body }
}

/// The statements that compute the guarded products for the active operands, all plain.
fn products_of(row: &OperationRow) -> Vec<Statement> {
    let halves = row.coefficients.iter().zip([(1, "u", "first"), (2, "v", "second")]);
    let product = |(term, (bit, part, half)): (&Term, (u64, &str, &'static str))| {
        let product = C::call("vlad_real_guarded_multiply", [C::name("m"), plain(term), C::name(part)]);
        let product = if is_one(term) {
            let left_out = C::name("ones").infix(Infix::Equal, C::name("VLAD_ONES_LEFT_OUT"));
            left_out.choice(C::name(part), product)
        } else {
            product
        };
        let is_active = C::name("active").infix(Infix::BitAnd, C::Unsigned(bit));
        Statement::when(is_active, vec![Statement::Assign(C::name("products").dot(half), product)])
    };
    halves.map(product).collect()
}

/// Translates a term on plain reals to a C expression in `a`, `b` and `r`.
fn plain(term: &Term) -> C {
    let operation = |operation: Operation, operands: &[&Term]| {
        let operands = operands.iter().map(|operand| plain(operand));
        C::call(operation_function(operation), [C::name("m")].into_iter().chain(operands).collect::<Vec<_>>())
    };
    match term {
        Term::First | Term::Second | Term::Result | Term::Constant(_) => atom(term, C::name),
        Term::Unary(unary, inner) => operation(*unary, &[inner]),
        Term::Binary(binary, left, right) => operation(*binary, &[left, right]),
        Term::Select(test, yes, no) => condition(test, C::name).choice(plain(yes), plain(no)),
    }
}

/// Translates a test to a C expression. `base` gives the plain real under an operand of the operation.
fn condition(test: &Test, base: fn(&'static str) -> C) -> C {
    match test {
        Test::Zero(term) => atom(term, base).infix(Infix::Equal, C::Real(0.0)),
        Test::Less(left, right) => atom(left, base).infix(Infix::Less, atom(right, base)),
        Test::Nearer(left, right) => {
            let size = |term| C::call("vlad_absolute", [C::name("m"), atom(term, base)]);
            size(left).infix(Infix::Less, size(right))
        }
        Test::Both(left, right) => condition(left, base).infix(Infix::And, condition(right, base)),
    }
}

/// The plain real under an operand of the operation, or a constant.
fn atom(term: &Term, base: fn(&'static str) -> C) -> C {
    match term {
        Term::First => base("a"),
        Term::Second => base("b"),
        Term::Result => base("r"),
        Term::Constant(constant) => C::constant(*constant),
        Term::Unary(..) | Term::Binary(..) | Term::Select(..) => {
            internal_bug!("tests are made of operands and constants alone")
        }
    }
}

/// A function for each coefficient that is computed, and the choice among them.
pub(super) fn functions() -> Vec<Item> {
    let all = || OPERATIONS.iter().flat_map(computed);
    let mut items: Vec<Item> = all().map(|(row, operand, term)| function(name_of(row, operand), term)).collect();
    let cases = all().map(|(row, operand, _)| {
        let case = C::Name(operation_constant(row.operation)).infix(Infix::Multiply, C::Number(2));
        let operands = ["m", "first", "second", "result"].map(C::name);
        let coefficient = C::call(name_of(row, operand), operands);
        (case.infix(Infix::Add, C::Number(operand as u64)), vec![Statement::Return(coefficient)])
    });
    let number = C::name("operation").infix(Infix::Multiply, C::Number(2)).infix(Infix::Add, C::name("operand"));
    let otherwise = vec![Statement::Return(C::call("vlad_real", [C::Real(0.0)]))];
    let body = vec![Statement::Choose { value: number, cases: cases.collect(), otherwise }];
    let mut parameters = vec![MACHINE, OPERATION, ("uint32_t", "operand")];
    parameters.extend(["first", "second", "result"].map(|name| ("vlad_value", name)));
    let head = Head {
        storage: "",
        result: "vlad_value".into(),
        name: "vlad_coefficient".to_owned(),
        parameters: named(parameters),
    };
    items.push(Item::Function { head, body });
    items
}

const MACHINE: (&str, &str) = ("struct vlad_machine *", "m");
const OPERATION: (&str, &str) = ("uint32_t", "operation");

/// The coefficients of an operation that are not just an operand or the result, each with the number of its operand.
fn computed(row: &OperationRow) -> impl Iterator<Item = (&OperationRow, usize, &Term)> {
    let all = row.coefficients.iter().enumerate().map(move |(operand, term)| (row, operand, term));
    all.filter(|(_, _, term)| operand_bit(term) == 0)
}

fn name_of(row: &OperationRow, operand: usize) -> String {
    format!("coefficient_{}_{operand}", words(row.operation))
}

/// The function that computes a coefficient on numbers of any levels.
fn function(name: String, term: &Term) -> Item {
    let mut body = Body { statements: vec![Statement::Unused(&["m", "a", "b", "r"])], names: 0 };
    let value = body.term(term).owned();
    body.statements.push(Statement::Return(value));
    let parameters = named([MACHINE].into_iter().chain(["a", "b", "r"].map(|name| ("vlad_value", name))));
    let head = Head { storage: "static ", result: "vlad_value".into(), name, parameters };
    Item::Function { head, body: body.statements }
}

/// The value of a term, with its ownership.
enum TermValue {
    /// An operand, which the caller owns.
    Borrowed(&'static str),
    /// A constant, which is not in the heap.
    Constant(C),
    /// A variable that owns the value.
    Variable(String),
}

impl TermValue {
    /// The expression that reads the value.
    fn read(&self) -> C {
        match self {
            TermValue::Borrowed(name) => C::name(*name),
            TermValue::Constant(value) => value.clone(),
            TermValue::Variable(name) => C::name(name),
        }
    }

    /// The expression that transfers the ownership of the value.
    fn owned(self) -> C {
        match self {
            TermValue::Borrowed(name) => C::call("vlad_share", [C::name(name)]),
            TermValue::Constant(value) => value,
            TermValue::Variable(name) => C::Name(name),
        }
    }
}

/// The statements of a function under construction, and the supply of names in it.
struct Body {
    statements: Vec<Statement>,
    names: u32,
}

impl Body {
    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("t{}", self.names)
    }

    /// Adds the statements that evaluate a term at the levels of the operands.
    fn term(&mut self, term: &Term) -> TermValue {
        match term {
            Term::First => TermValue::Borrowed("a"),
            Term::Second => TermValue::Borrowed("b"),
            Term::Result => TermValue::Borrowed("r"),
            Term::Constant(constant) if constant.is_finite() => {
                TermValue::Constant(C::call("vlad_real", [C::constant(*constant)]))
            }
            Term::Constant(constant) => {
                TermValue::Constant(C::call("vlad_constant_coefficient", [C::name("m"), C::constant(*constant)]))
            }
            Term::Unary(operation, inner) => {
                let inner = self.term(inner);
                self.operation("vlad_unary", *operation, vec![inner])
            }
            Term::Binary(operation, left, right) => {
                let operands = vec![self.term(left), self.term(right)];
                self.operation("vlad_binary", *operation, operands)
            }
            Term::Select(test, yes, no) => {
                let name = self.fresh();
                self.statements.push(Statement::Declare { ctype: "vlad_value", names: vec![name.clone()] });
                let test = condition(test, |name| C::call("vlad_base", [C::name(name)]));
                let (then, otherwise) = (self.branch(&name, yes), self.branch(&name, no));
                self.statements.push(Statement::If { test, then, otherwise });
                TermValue::Variable(name)
            }
        }
    }

    /// The statements that assign the value of a term to a variable.
    fn branch(&mut self, name: &str, term: &Term) -> Vec<Statement> {
        let around = mem::take(&mut self.statements);
        let value = self.term(term).owned();
        self.statements.push(Statement::Assign(C::name(name), value));
        mem::replace(&mut self.statements, around)
    }

    /// Names the result of an operation, and drops the operands that were computed for it.
    fn operation(&mut self, function: &str, operation: Operation, operands: Vec<TermValue>) -> TermValue {
        let name = self.fresh();
        let mut all = vec![C::name("m"), C::Name(operation_constant(operation))];
        all.extend(operands.iter().map(TermValue::read));
        let value = C::call(function, all);
        self.statements.push(Statement::Define { ctype: "vlad_value".into(), name: name.clone(), value });
        for operand in operands {
            if let TermValue::Variable(operand) = operand {
                let dropped = C::call("vlad_drop", [C::name("m"), C::Name(operand)]);
                self.statements.push(Statement::Evaluate(dropped));
            }
        }
        TermValue::Variable(name)
    }
}
