//! The linearisation of operations, in C: the coefficients (partial derivatives) on plain reals with their products, and on
//! numbers of any levels.
//!
//! The C code of a term executes exactly the operations that evaluating the term executes: of a choice only the branch that
//! is taken, and none for a test, since tests consist of operands and constants alone.

use super::names::{operation_constant, operation_function, words};
use super::text::{line, real_constant};
use vlad_table::operations::OPERATIONS;
use vlad_table::{OperationRow, Term, Test, internal_bug};

/// Writes declarations, and the function of the products of coefficients with parts where all numbers are plain.
pub(super) fn write_header(out: &mut String) {
    out.push_str(DECLARATIONS);
    for row in &OPERATIONS {
        let constant = operation_constant(row.operation);
        line(out, format_args!("    case {constant}:"));
        for (operand, term) in row.coefficients.iter().enumerate() {
            let part = if operand == 0 { "u" } else { "v" };
            let name = if operand == 0 { "first" } else { "second" };
            let product = plain_product(term, part);
            line(out, format_args!("        if (active & {}u) products.{name} = {product};", 1 << operand));
        }
        line(out, format_args!("        break;"));
    }
    out.push_str("    default: break;\n    }\n    return products;\n}\n");
}

const DECLARATIONS: &str = "
/* What coefficients read, for each operation and each set of active operands (bits 0 and 1): bit 0 the first operand,
 * bit 1 the second, bit 2 the result. */
extern const uint8_t vlad_reads[VLAD_OPERATIONS][4];
/* Of which operands (bits 0 and 1) the coefficient is the constant 1. */
extern const uint8_t vlad_ones[VLAD_OPERATIONS];
/* Of which operand (bit 0 the first, bit 1 the second) or of the result (bit 2) the coefficient of an operand is just
 * the value; 0 if it is none of them. */
extern const uint8_t vlad_coefficient_of[VLAD_OPERATIONS][2];

/* Whether products with a coefficient that is the constant 1 are left out. */
enum vlad_products_with_one { VLAD_ONES_MULTIPLIED = 0, VLAD_ONES_LEFT_OUT = 1 };
struct vlad_products {
    double first;
    double second;
};
/* The guarded products of the coefficients of the active operands (bits 0 and 1) with u and v; all reals are plain. */
static VLAD_INLINE struct vlad_products vlad_products_of(struct vlad_machine *m, uint32_t operation,
                                                         enum vlad_products_with_one ones, uint32_t active, double a,
                                                         double b, double r, double u, double v) {
    struct vlad_products products = {0.0, 0.0};
    (void)a, (void)b, (void)r;
    switch (operation) {
";

/// The guarded product of a coefficient and a part, all plain, as a C expression in `a`, `b`, `r` and the part.
fn plain_product(term: &Term, part: &str) -> String {
    let product = format!("vlad_real_guarded_multiply(m, {}, {part})", plain(term));
    if is_one(term) { format!("ones == VLAD_ONES_LEFT_OUT ? {part} : {product}") } else { product }
}

/// Returns true if a coefficient is the constant 1, whose products may be left out.
fn is_one(term: &Term) -> bool {
    matches!(term, Term::Constant(1.0))
}

/// Translates a term on plain reals to a C expression in `a`, `b` and `r`.
fn plain(term: &Term) -> String {
    match term {
        Term::First => "a".to_owned(),
        Term::Second => "b".to_owned(),
        Term::Result => "r".to_owned(),
        Term::Constant(constant) => real_constant(*constant),
        Term::Unary(operation, inner) => format!("{}(m, {})", operation_function(*operation), plain(inner)),
        Term::Binary(operation, left, right) => {
            format!("{}(m, {}, {})", operation_function(*operation), plain(left), plain(right))
        }
        Term::Select(test, yes, no) => {
            format!("({} ? {} : {})", condition(test, &plain_atom), plain(yes), plain(no))
        }
    }
}

/// Translates a test to a C expression.
fn condition(test: &Test, atom: &dyn Fn(&Term) -> String) -> String {
    match test {
        Test::Zero(term) => format!("{} == 0.0", atom(term)),
        Test::Less(left, right) => format!("{} < {}", atom(left), atom(right)),
        Test::Both(left, right) => format!("({} && {})", condition(left, atom), condition(right, atom)),
    }
}

fn plain_atom(term: &Term) -> String {
    base_of(term, |name| name.to_owned())
}

fn lifted_atom(term: &Term) -> String {
    base_of(term, |name| format!("vlad_base({name})"))
}

/// An operand of a test: the plain real under an operand of the operation, or a constant.
fn base_of(term: &Term, base: impl Fn(&str) -> String) -> String {
    match term {
        Term::First => base("a"),
        Term::Second => base("b"),
        Term::Result => base("r"),
        Term::Constant(constant) => real_constant(*constant),
        Term::Unary(..) | Term::Binary(..) | Term::Select(..) => {
            internal_bug!("tests are made of operands and constants alone")
        }
    }
}

/// Writes the tables of coefficients.
pub(super) fn write_tables(out: &mut String) {
    out.push_str("\nconst uint8_t vlad_reads[VLAD_OPERATIONS][4] = {\n");
    for row in &OPERATIONS {
        let bits = [(false, false), (true, false), (false, true), (true, true)].map(|(first, second)| {
            let reads = row.operation.reads(first, second);
            u8::from(reads.first) | u8::from(reads.second) << 1 | u8::from(reads.result) << 2
        });
        line(
            out,
            format_args!(
                "    [{}] = {{{}}},",
                operation_constant(row.operation),
                bits.map(|b| b.to_string()).join(", ")
            ),
        );
    }
    out.push_str("};\n\nconst uint8_t vlad_ones[VLAD_OPERATIONS] = {\n");
    for row in &OPERATIONS {
        let ones = row.coefficients.iter().enumerate();
        let ones = ones.fold(0, |ones, (operand, term)| ones | u8::from(is_one(term)) << operand);
        line(out, format_args!("    [{}] = {ones},", operation_constant(row.operation)));
    }
    out.push_str("};\n");
    out.push_str("\nconst uint8_t vlad_coefficient_of[VLAD_OPERATIONS][2] = {\n");
    for row in &OPERATIONS {
        let [first, second] = [0, 1].map(|operand| row.coefficients.get(operand).map_or(0, operand_bit));
        line(out, format_args!("    [{}] = {{{first}, {second}}},", operation_constant(row.operation)));
    }
    out.push_str("};\n");
}

/// A function for each coefficient that is computed, and the choice among them.
pub(super) fn write_source(out: &mut String) {
    for row in &OPERATIONS {
        for (operand, term) in computed(row) {
            write_coefficient(out, row, operand, term);
        }
    }
    write_choice(out);
}

/// The coefficients of an operation that are not just an operand or the result, each with the number of its operand.
fn computed(row: &OperationRow) -> impl Iterator<Item = (usize, &Term)> {
    row.coefficients.iter().enumerate().filter(|(_, term)| operand_bit(term) == 0)
}

/// The bit of the operand or the result that a term is; 0 for any other term.
fn operand_bit(term: &Term) -> u8 {
    match term {
        Term::First => 1,
        Term::Second => 2,
        Term::Result => 4,
        Term::Constant(_) | Term::Unary(..) | Term::Binary(..) | Term::Select(..) => 0,
    }
}

fn coefficient_function(row: &OperationRow, operand: usize) -> String {
    format!("coefficient_{}_{operand}", words(row.operation))
}

fn write_coefficient(out: &mut String, row: &OperationRow, operand: usize, term: &Term) {
    let name = coefficient_function(row, operand);
    let parameters = "struct vlad_machine *m, vlad_value a, vlad_value b, vlad_value r";
    line(out, format_args!("\nstatic vlad_value {name}({parameters}) {{"));
    line(out, format_args!("    (void)m, (void)a, (void)b, (void)r;"));
    let mut body = Body { out, names: 0 };
    let value = body.term(term).owned();
    line(out, format_args!("    return {value};\n}}"));
}

fn write_choice(out: &mut String) {
    out.push_str(
        "\nvlad_value vlad_coefficient(struct vlad_machine *m, uint32_t operation, uint32_t operand,\n\
         \x20                           vlad_value first, vlad_value second, vlad_value result) {\n\
         \x20   switch (operation * 2 + operand) {\n",
    );
    for row in &OPERATIONS {
        for (operand, _) in computed(row) {
            let (constant, function) = (operation_constant(row.operation), coefficient_function(row, operand));
            line(
                out,
                format_args!("    case {constant} * 2 + {operand}: return {function}(m, first, second, result);"),
            );
        }
    }
    out.push_str("    default: return vlad_real(0.0);\n    }\n}\n");
}

/// A C expression for the value of a term, with its ownership.
enum Made {
    /// An operand, which the caller owns.
    Borrowed(&'static str),
    /// A constant, which is not in the heap.
    Constant(String),
    /// A variable that owns the value.
    Variable(String),
}

impl Made {
    /// The expression that reads the value.
    fn text(&self) -> &str {
        match self {
            Made::Borrowed(name) => name,
            Made::Constant(text) | Made::Variable(text) => text,
        }
    }

    /// The expression that transfers the ownership of the value.
    fn owned(self) -> String {
        match self {
            Made::Borrowed(name) => format!("vlad_share({name})"),
            Made::Constant(text) | Made::Variable(text) => text,
        }
    }
}

/// The statements of a function under construction, and the supply of names in it.
struct Body<'out> {
    out: &'out mut String,
    names: u32,
}

impl Body<'_> {
    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("t{}", self.names)
    }

    /// Writes the statements that evaluate a term at the levels of the operands.
    fn term(&mut self, term: &Term) -> Made {
        match term {
            Term::First => Made::Borrowed("a"),
            Term::Second => Made::Borrowed("b"),
            Term::Result => Made::Borrowed("r"),
            Term::Constant(constant) => Made::Constant(format!("vlad_real({})", real_constant(*constant))),
            Term::Unary(operation, inner) => {
                let inner = self.term(inner);
                let call = format!("vlad_unary(m, {}, {})", operation_constant(*operation), inner.text());
                self.made_of(&call, [Some(inner), None])
            }
            Term::Binary(operation, left, right) => {
                let (left, right) = (self.term(left), self.term(right));
                let operands = format!("{}, {}", left.text(), right.text());
                let call = format!("vlad_binary(m, {}, {operands})", operation_constant(*operation));
                self.made_of(&call, [Some(left), Some(right)])
            }
            Term::Select(test, yes, no) => {
                let name = self.fresh();
                line(self.out, format_args!("    vlad_value {name};"));
                line(self.out, format_args!("    if ({}) {{", condition(test, &lifted_atom)));
                self.branch(&name, yes);
                line(self.out, format_args!("    }} else {{"));
                self.branch(&name, no);
                line(self.out, format_args!("    }}"));
                Made::Variable(name)
            }
        }
    }

    fn branch(&mut self, name: &str, term: &Term) {
        let value = self.term(term).owned();
        line(self.out, format_args!("    {name} = {value};"));
    }

    /// Names the result of a call, and drops the operands that were computed for it.
    fn made_of(&mut self, call: &str, operands: [Option<Made>; 2]) -> Made {
        let name = self.fresh();
        line(self.out, format_args!("    vlad_value {name} = {call};"));
        for operand in operands.into_iter().flatten() {
            if let Made::Variable(operand) = operand {
                line(self.out, format_args!("    vlad_drop(m, {operand});"));
            }
        }
        Made::Variable(name)
    }
}
