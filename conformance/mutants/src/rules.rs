//! Insertion of the table's mutants into the copy: changes of the few places where engines look up a row, and where C
//! is generated.
//!
//! Each change is a text that occurs exactly once, and its replacement; if the sources no longer match, an error
//! reports it.

use crate::Fallible;
use crate::list::Mutant;
use crate::table::{Changed, OPERATIONS, ROWS, Row};
use std::fs;
use std::path::Path;

const ARITHMETIC: &str = "shared/ad/src/arithmetic.rs";
const COEFFICIENTS: &str = "compiler/src/rules/coefficients.rs";
const EVALUATION: &str = "compiler/src/rules/evaluation.rs";

/// The offset of the numbers of changed evaluations in C, the first of which is one more.
const FIRST_IN_C: usize = 20_000;

/// Inserts changed rows and changed evaluations in C into the copy; returns the mutants.
pub fn place(rows: &[Row], changed: Vec<Changed>, copy: &Path) -> Fallible<Vec<Mutant>> {
    let texts = changed.iter().map(|changed| format!("    ({}, {}),\n", changed.mutant.number, changed.row));
    append(copy, ROWS, &CHANGED_ROWS.replace("ROWS", &texts.collect::<String>()))?;
    append(copy, OPERATIONS, CHOSEN_ROW)?;
    replace(copy, OPERATIONS, "        match OPERATIONS.get(self as usize) {", ROW)?;
    replace(copy, OPERATIONS, "        let Some([first, second]) = READS.get(self as usize) else {", READS)?;
    replace(copy, ARITHMETIC, "OPERATIONS.get(operation as usize).and_then(", "Some(operation.row()).and_then(")?;
    replace(
        copy,
        ARITHMETIC,
        "use vlad_table::operations::{MOST_LEVELS, OPERATIONS};",
        "use vlad_table::operations::MOST_LEVELS;",
    )?;
    // The tables lose `const`, because the selected row is written into them.
    replace(copy, COEFFICIENTS, "const BYTES: &str = \"const uint8_t\";", "const BYTES: &str = \"uint8_t\";")?;
    replace(copy, COEFFICIENTS, "        products(),\n", PRODUCTS_DECLARATION)?;
    replace(
        copy,
        COEFFICIENTS,
        "let mut statements = products_of(row);",
        "let mut statements = all_products_of(row);",
    )?;
    replace(copy, COEFFICIENTS, "    let body = vec![Statement::Choose { value: number,", CHOICE)?;
    append(copy, COEFFICIENTS, CHANGED)?;
    let in_c = evaluations(rows);
    let texts = in_c.iter().map(|(mutant, operation, text)| {
        format!("    ({}, Operation::{}, {text:?}),\n", mutant.number, operation.trim_start_matches("O::"))
    });
    replace(copy, EVALUATION, "pub(super) fn expression(", "fn original(")?;
    replace(
        copy,
        EVALUATION,
        "function(row.operation, operation_function(row.operation))",
        "in_all_mutants(row.operation)",
    )?;
    replace(copy, EVALUATION, "        Item::comment(\"The operations on plain reals.\"),\n", EVALUATION_DECLARATION)?;
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

/// The operations in C with one change each.
fn evaluations(rows: &[Row]) -> Vec<(Mutant, String, String)> {
    let mut all: Vec<(Mutant, String, String)> = Vec::new();
    for Row { operation, in_c, .. } in rows {
        for changed in changed_in_c(in_c) {
            let number = FIRST_IN_C + all.len() + 1;
            let name = format!("{operation} in C: `{in_c}` becomes `{changed}`");
            let (file, genre) = (ROWS.to_owned(), "EvaluationInC".to_owned());
            let mutant = Mutant { number, file, genre, start: (0, 0), replacement: String::new(), name };
            all.push((mutant, operation.clone(), changed));
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

const CHANGED_ROWS: &str = "
/// The rows with one change each.
pub static CHANGED: &[(u32, OperationRow)] = &[
ROWS];
";

const CHOSEN_ROW: &str = "
pub use rows::CHANGED;

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

const PRODUCTS_DECLARATION: &str =
    "        Item::comment(\"The place of the row that is changed, from 1; 0 if none is.\"),
        Item::Extern { ctype: \"uint32_t\", name: \"vlad_changed\".to_owned() },
        products(),
";

const CHOICE: &str = "    items.extend(changed_functions());
    let body = vec![changed_first(), Statement::Choose { value: number,";

const CHANGED: &str = r#"
use vlad_table::operations::{CHANGED, Reads, reads_of};

/// The changed rows with their places, from 1.
fn changed_rows() -> impl Iterator<Item = (u64, &'static OperationRow)> {
    (1..).zip(CHANGED).map(|(place, (_, row))| (place, row))
}

/// The products of a row, after those of its changes.
fn all_products_of(row: &OperationRow) -> Vec<Statement> {
    let changed = changed_rows().filter(|(_, changed)| changed.operation == row.operation).map(|(place, changed)| {
        let mut then = products_of(changed);
        then.push(Statement::Break);
        Statement::when(C::name("vlad_changed").infix(Infix::Equal, C::Unsigned(place)), then)
    });
    changed.chain(products_of(row)).collect()
}

/// The statement that takes the coefficient of the changed row, if it is of the row that is chosen.
fn changed_first() -> Statement {
    let operands = ["m", "operation", "operand", "first", "second", "result", "&changed"].map(C::name);
    let then = vec![
        Statement::Declare { ctype: "vlad_value", names: vec!["changed".to_owned()] },
        Statement::when(C::call("changed_coefficient", operands), vec![Statement::Return(C::name("changed"))]),
    ];
    Statement::when(C::name("vlad_changed"), then)
}

/// The coefficients of changed rows, the choice of one of them, and the choice of the mutant.
fn changed_functions() -> Vec<Item> {
    let name = |place: u64, operand: usize| format!("changed_{place}_{operand}");
    let of_row = |(place, row): (u64, &'static OperationRow)| {
        let terms = row.coefficients.iter().enumerate();
        terms.map(move |(operand, term)| function(name(place, operand), term))
    };
    let mut items: Vec<Item> = changed_rows().flat_map(of_row).collect();
    let cases = changed_rows().map(|(place, row)| {
        let is_other = C::name("operation").infix(Infix::Equal, C::Name(operation_constant(row.operation))).prefix("!");
        let mut statements = vec![Statement::when(is_other, vec![Statement::Return(C::Number(0))])];
        for operand in 0..row.coefficients.len() {
            let value = C::call(name(place, operand), ["m", "a", "b", "r"].map(C::name));
            let is_it = C::name("operand").infix(Infix::Equal, C::Number(operand as u64));
            statements.push(Statement::when(is_it, vec![Statement::Assign(C::name("*changed"), value)]));
        }
        statements.push(Statement::Return(C::Number(1)));
        (C::Number(place), statements)
    });
    let otherwise = vec![Statement::Return(C::Number(0))];
    let choose = Statement::Choose { value: C::name("vlad_changed"), cases: cases.collect(), otherwise };
    let mut parameters = vec![MACHINE, OPERATION, ("uint32_t", "operand")];
    parameters.extend([("vlad_value", "a"), ("vlad_value", "b"), ("vlad_value", "r"), ("vlad_value *", "changed")]);
    let number = |name: &str| {
        let contents = vec![C::Number(0)];
        Item::Object { storage: "", ctype: "uint32_t", name: name.to_owned(), contents }
    };
    let head = Head { storage: "static ", result: "int".into(), name: "changed_coefficient".to_owned(), parameters: crate::c::named(parameters) };
    items.extend([number("vlad_changed"), number("vlad_mutant"), Item::IncludeOfSystem("stdlib.h")]);
    items.extend([Item::Function { head, body: vec![choose] }, choice_of_mutant()]);
    items
}

/// The function that changes the tables for the mutant that the environment names.
fn choice_of_mutant() -> Item {
    let at = |table: &str, row: &OperationRow| {
        C::Index(Box::new(C::name(table)), Box::new(C::Name(operation_constant(row.operation))))
    };
    let cases = (1..).zip(CHANGED).map(|(place, (number, row))| {
        let mut statements = vec![Statement::Assign(C::name("vlad_changed"), C::Number(place))];
        let [first, second] = reads_of(row);
        for (active, reads) in (0..).zip([Reads::NOTHING, first, second, first.and(second)]) {
            let bits = u64::from(reads.first) | u64::from(reads.second) << 1 | u64::from(reads.result) << 2;
            statements.push(Statement::Assign(at("vlad_reads", row).at(active), C::Number(bits)));
        }
        statements.push(Statement::Assign(at("vlad_ones", row), ones(row)));
        for (operand, term) in (0..).zip(row.coefficients) {
            let place = at("vlad_coefficient_of", row).at(operand);
            statements.push(Statement::Assign(place, C::Number(operand_bit(term))));
        }
        statements.push(Statement::Break);
        (C::Number((*number).into()), statements)
    });
    let number = C::Formula("text ? (uint32_t)strtoul(text, 0, 10) : 0".into());
    let text = C::Formula("getenv(\"VLAD_MUTANT\")".into());
    let body = vec![
        Statement::Define { ctype: "const char *".into(), name: "text".to_owned(), value: text },
        Statement::Assign(C::name("vlad_mutant"), number),
        Statement::Choose { value: C::name("vlad_mutant"), cases: cases.collect(), otherwise: vec![Statement::Break] },
    ];
    let (storage, parameters) = ("__attribute__((constructor)) static ", vec![("void", "")]);
    Item::Function { head: Head { storage, result: "void".into(), name: "choose".to_owned(), parameters: crate::c::named(parameters) }, body }
}
"#;

const EVALUATION_DECLARATION: &str = "        Item::comment(\"The mutant that is chosen.\"),
        Item::Extern { ctype: \"uint32_t\", name: \"vlad_mutant\".to_owned() },
        Item::comment(\"The operations on plain reals.\"),
";

const EVALUATIONS: &str = r#"
/// The evaluations with one change each.
static CHANGED: &[(u32, Operation, &str)] = &[
TEXTS];

/// The rule of the selected mutant, for programs; the runtime has all of them.
pub(super) fn expression(operation: Operation) -> Word {
    let chosen = std::env::var("VLAD_MUTANT").ok().and_then(|text| text.parse::<u32>().ok());
    let mut changed = CHANGED.iter().filter(|(_, of, _)| *of == operation);
    changed.find(|(number, ..)| Some(*number) == chosen).map_or_else(|| original(operation), |(.., text)| (*text).into())
}

/// The function of an operation in the runtime, with one expression for all mutants.
fn in_all_mutants(operation: Operation) -> Item {
    let changed = CHANGED.iter().filter(|(_, of, _)| *of == operation);
    let text = changed.fold(original(operation).into_owned(), |others, (number, _, text)| {
        format!("(vlad_mutant == {number}u ? {text} : {others})")
    });
    let mut item = function(operation, operation_function(operation));
    if let Item::Function { body, .. } = &mut item {
        body.pop();
        body.push(Statement::Return(C::Formula(text.into())));
    }
    item
}
"#;
