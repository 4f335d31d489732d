//! Insertion of the table's mutants into the copy: changes of the few places where engines look up a row, and where C is
//! generated.
//!
//! Each change is a text that occurs exactly once, and its replacement; if the sources no longer match, an error reports
//! it.

use crate::Fallible;
use crate::list::Mutant;
use crate::table::{Changed, OPERATIONS};
use std::fs;
use std::path::Path;

const ARITHMETIC: &str = "shared/ad/src/arithmetic.rs";
const COEFFICIENTS: &str = "compiler/src/rules/coefficients.rs";
const EVALUATION: &str = "compiler/src/rules/evaluation.rs";

/// The offset of the numbers of changed evaluations in C, the first of which is one more.
const FIRST_IN_C: usize = 20_000;

/// Inserts changed rows and changed evaluations in C into the copy; returns the mutants.
pub fn place(changed: Vec<Changed>, copy: &Path) -> Fallible<Vec<Mutant>> {
    let rows = changed.iter().map(|changed| format!("    ({}, {}),\n", changed.mutant.number, changed.row));
    append(copy, OPERATIONS, &ROWS.replace("ROWS", &rows.collect::<String>()))?;
    replace(copy, OPERATIONS, "        match OPERATIONS.get(self as usize) {", ROW)?;
    replace(copy, OPERATIONS, "        let Some([first, second]) = READS.get(self as usize) else {", READS)?;
    replace(copy, ARITHMETIC, "OPERATIONS.get(operation as usize).and_then(", "Some(operation.row()).and_then(")?;
    replace(copy, ARITHMETIC, "use crate::table::operations::OPERATIONS;\n", "")?;
    for name in ["vlad_reads[", "vlad_ones[", "vlad_coefficient_of["] {
        // The declaration and the definition lose `const`, because the selected row is written into the array.
        replace(copy, COEFFICIENTS, &format!("extern const uint8_t {name}"), &format!("extern uint8_t {name}"))?;
        replace(copy, COEFFICIENTS, &format!("nconst uint8_t {name}"), &format!("nuint8_t {name}"))?;
    }
    replace(copy, COEFFICIENTS, "struct vlad_products {\n    double first;", PRODUCTS_DECLARATION)?;
    replace(copy, COEFFICIENTS, "        line(out, format_args!(\"    case {constant}:\"));\n", PRODUCTS)?;
    replace(
        copy,
        COEFFICIENTS,
        "fn write_choice(out: &mut String) {\n",
        "fn write_choice(out: &mut String) {\n    write_changed(out);\n",
    )?;
    replace(copy, COEFFICIENTS, "vlad_value result) {\\n\\\n         \\x20   switch", CHOICE)?;
    append(copy, COEFFICIENTS, CHANGED)?;
    let in_c = evaluations(&fs::read_to_string(copy.join(EVALUATION))?);
    let texts = in_c
        .iter()
        .map(|(mutant, operation, text)| format!("    ({}, Operation::{operation}, {text:?}),\n", mutant.number));
    replace(copy, EVALUATION, "pub(super) fn expression(", "fn original(")?;
    replace(copy, EVALUATION, "expression(row.operation));", "in_all_mutants(row.operation));")?;
    replace(
        copy,
        EVALUATION,
        "    line(out, format_args!(\"\\n/* The operations on plain reals. */\"));\n",
        EVALUATION_DECLARATION,
    )?;
    append(copy, EVALUATION, &EVALUATIONS.replace("TEXTS", &texts.collect::<String>()))?;
    let of_rows = changed.into_iter().map(|changed| changed.mutant);
    Ok(of_rows.chain(in_c.into_iter().map(|(mutant, _, _)| mutant)).collect())
}

fn append(copy: &Path, file: &str, more: &str) -> Fallible<()> {
    let text = fs::read_to_string(copy.join(file))?;
    // The insertion is before the tests, which are last.
    let end = text.find("#[cfg(test)]\nmod tests").unwrap_or(text.len());
    Ok(fs::write(copy.join(file), format!("{}{more}\n{}", &text[..end], &text[end..]))?)
}

fn replace(copy: &Path, file: &str, old: &str, new: &str) -> Fallible<()> {
    let text = fs::read_to_string(copy.join(file))?;
    match text.matches(old).count() {
        1 => Ok(fs::write(copy.join(file), text.replacen(old, new, 1))?),
        count => Err(format!("{file} has `{old}` {count} times, not once").into()),
    }
}

/// The evaluations in C with one change each, by the texts of the table in the compiler.
fn evaluations(text: &str) -> Vec<(Mutant, String, String)> {
    let mut all: Vec<(Mutant, String, String)> = Vec::new();
    for line in text.lines() {
        let Some((operation, expression)) =
            line.trim().strip_prefix("Operation::").and_then(|l| l.split_once(" => \""))
        else {
            continue;
        };
        let expression = expression.trim_end_matches("\",");
        for changed in changed_in_c(expression) {
            let number = FIRST_IN_C + all.len() + 1;
            let name = format!("{operation} in C: `{expression}` becomes `{changed}`");
            let (file, genre) = (EVALUATION.to_owned(), "EvaluationInC".to_owned());
            let mutant = Mutant { number, file, genre, start: (0, 0), replacement: String::new(), name };
            all.push((mutant, operation.to_owned(), changed));
        }
    }
    all
}

/// All versions of a C expression with one change.
fn changed_in_c(expression: &str) -> Vec<String> {
    const SWAPS: [(&str, &str); 16] = [
        (" + ", " - "),
        (" - ", " + "),
        (" * ", " / "),
        (" / ", " * "),
        ("a < b", "a <= b"),
        ("b < a", "b <= a"),
        ("? b : a", "? a : b"),
        ("(a, b)", "(b, a)"),
        ("->floor(", "->ceil("),
        ("->ceil(", "->floor("),
        ("->rint(", "->floor("),
        ("->trunc(", "->floor("),
        (" || ", " && "),
        ("a == 0.0", "a != 0.0"),
        ("? 0.0 :", "? -0.0 :"),
        ("? 0.0 :", "? a * b :"),
    ];
    let signed = [format!("(-({expression}))"), format!("((1.0 + 2e-15) * {expression})")];
    let swapped = SWAPS.iter().filter(|(from, _)| expression.contains(from));
    signed.into_iter().chain(swapped.map(|(from, to)| expression.replacen(from, to, 1))).collect()
}

const ROWS: &str = "
/// The rows with one change each.
pub static CHANGED: &[(u32, OperationRow)] = &[
ROWS];

/// The row that stands for that of an operation, if its mutant is chosen.
fn chosen_row(operation: Operation) -> Option<&'static OperationRow> {
    static CHOSEN: std::sync::OnceLock<Option<&'static OperationRow>> = std::sync::OnceLock::new();
    let chosen = CHOSEN.get_or_init(|| CHANGED.iter().find(|(number, _)| crate::mutants::is(*number)).map(|(_, row)| row));
    chosen.filter(|row| row.operation == operation)
}

/// The operands and results that the coefficients of a row read: of the first operand, of the second.
pub fn reads_of(row: &OperationRow) -> [Reads; 2] {
    [0, 1].map(|operand| row.coefficients.get(operand).map_or(Reads::NOTHING, Term::reads))
}
";

const ROW: &str = "        if let Some(row) = chosen_row(self) {
            return row;
        }
        match OPERATIONS.get(self as usize) {";

const READS: &str = "        let changed = chosen_row(self).map(reads_of);
        let Some([first, second]) = changed.as_ref().or(READS.get(self as usize)) else {";

const PRODUCTS_DECLARATION: &str = "/* The place of the row that is changed, from 1; 0 if none is. */
extern uint32_t vlad_changed;
struct vlad_products {
    double first;";

const PRODUCTS: &str = "        line(out, format_args!(\"    case {constant}:\"));
        for (place, (_, changed)) in vlad_table::operations::CHANGED.iter().enumerate() {
            if changed.operation == row.operation {
                line(out, format_args!(\"        if (vlad_changed == {}u) {{\", place + 1));
                for (operand, term) in changed.coefficients.iter().enumerate() {
                    let (part, name) = if operand == 0 { (\"u\", \"first\") } else { (\"v\", \"second\") };
                    let product = plain_product(term, part);
                    line(out, format_args!(\"        if (active & {}u) products.{name} = {product};\", 1 << operand));
                }
                line(out, format_args!(\"        break;\\n        }}\"));
            }
        }
";

const CHOICE: &str = "vlad_value result) {\\n\\
         \\x20   if (vlad_changed) {\\n\\
         \\x20       vlad_value changed;\\n\\
         \\x20       if (changed_coefficient(m, operation, operand, first, second, result, &changed)) return changed;\\n\\
         \\x20   }\\n\\
         \\x20   switch";

const CHANGED: &str = r#"
/// The coefficients of changed rows, and the choice of one of them.
fn write_changed(out: &mut String) {
    use vlad_table::operations::{CHANGED, reads_of};
    for (place, (_, row)) in CHANGED.iter().enumerate() {
        for (operand, term) in row.coefficients.iter().enumerate() {
            let parameters = "struct vlad_machine *m, vlad_value a, vlad_value b, vlad_value r";
            line(out, format_args!("\nstatic vlad_value changed_{}_{operand}({parameters}) {{", place + 1));
            line(out, format_args!("    (void)m, (void)a, (void)b, (void)r;"));
            let mut body = Body { out, names: 0 };
            let value = body.term(term).owned();
            line(out, format_args!("    return {value};\n}}"));
        }
    }
    out.push_str("\nuint32_t vlad_changed;\nstatic int changed_coefficient(struct vlad_machine *m, uint32_t operation, uint32_t operand, vlad_value a, vlad_value b, vlad_value r, vlad_value *changed) {\n    switch (vlad_changed) {\n");
    for (place, (_, row)) in CHANGED.iter().enumerate() {
        let (number, constant) = (place + 1, operation_constant(row.operation));
        line(out, format_args!("    case {number}: if (operation != {constant}) return 0;"));
        for operand in 0..row.coefficients.len() {
            line(out, format_args!("        if (operand == {operand}) *changed = changed_{number}_{operand}(m, a, b, r);"));
        }
        line(out, format_args!("        return 1;"));
    }
    out.push_str("    default: return 0;\n    }\n}\n\n#include <stdlib.h>\n\nuint32_t vlad_mutant;\n__attribute__((constructor)) static void choose(void) {\n    const char *text = getenv(\"VLAD_MUTANT\");\n    vlad_mutant = text ? (uint32_t)strtoul(text, 0, 10) : 0;\n    switch (vlad_mutant) {\n");
    for (place, (number, row)) in CHANGED.iter().enumerate() {
        let constant = operation_constant(row.operation);
        let [first, second] = reads_of(row);
        let bits = [vlad_table::operations::Reads::NOTHING, first, second, first.and(second)];
        line(out, format_args!("    case {number}:\n        vlad_changed = {};", place + 1));
        for (active, reads) in bits.iter().enumerate() {
            let bits = u8::from(reads.first) | u8::from(reads.second) << 1 | u8::from(reads.result) << 2;
            line(out, format_args!("        vlad_reads[{constant}][{active}] = {bits};"));
        }
        let ones = row.coefficients.iter().enumerate();
        let ones = ones.fold(0, |ones, (operand, term)| ones | u8::from(is_one(term)) << operand);
        line(out, format_args!("        vlad_ones[{constant}] = {ones};"));
        for (operand, term) in row.coefficients.iter().enumerate() {
            line(out, format_args!("        vlad_coefficient_of[{constant}][{operand}] = {};", operand_bit(term)));
        }
        line(out, format_args!("        break;"));
    }
    out.push_str("    default: break;\n    }\n}\n");
}
"#;

const EVALUATION_DECLARATION: &str =
    "    line(out, format_args!(\"\\n/* The mutant that is chosen. */\\nextern uint32_t vlad_mutant;\"));
    line(out, format_args!(\"\\n/* The operations on plain reals. */\"));
";

const EVALUATIONS: &str = r#"
/// The evaluations with one change each.
static CHANGED: &[(u32, Operation, &str)] = &[
TEXTS];

/// The rule of the selected mutant, for programs; the runtime has all of them.
pub(super) fn expression(operation: Operation) -> &'static str {
    let chosen = std::env::var("VLAD_MUTANT").ok().and_then(|text| text.parse::<u32>().ok());
    let mut changed = CHANGED.iter().filter(|(_, of, _)| *of == operation);
    changed.find(|(number, ..)| Some(*number) == chosen).map_or_else(|| original(operation), |(.., text)| text)
}

/// One expression for all mutants.
fn in_all_mutants(operation: Operation) -> String {
    let changed = CHANGED.iter().filter(|(_, of, _)| *of == operation);
    changed.fold(original(operation).to_owned(), |others, (number, _, text)| {
        format!("(vlad_mutant == {number}u ? {text} : {others})")
    })
}
"#;
