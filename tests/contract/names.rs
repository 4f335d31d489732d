//! The names that tables and sentences of the report list, and those of the code.

use crate::numbers::{self, source};
use crate::pages::{Page, heads, spans, words};
use std::collections::BTreeSet;
use vlad_compiler::{PASSES, Passes};
use vlad_derivatives::extended::rounded;
use vlad_derivatives::gradcheck::claims::Quantity;
use vlad_engines::Engine;
use vlad_shared::core::diagnostic::{Kind, Severity};
use vlad_shared::core::source::Inclusion;
use vlad_shared::farfel::check::intrinsics::{INTRINSICS, named as intrinsic};
use vlad_shared::frontend::languages::Languages;
use vlad_shared::frontend::vlad::libraries::{LIBRARIES, defined_names};
use vlad_shared::frontend::vlad::prelude;
use vlad_shared::fsmooth::LIBRARY;
use vlad_shared::fsmooth::builtins::{Builtin, DerivativeOperator, FUNCTIONS, KEYWORDS, OPERATIONS};
use vlad_shared::fsmooth::rewrite::rules::Class;
use vlad_shared::language::library::Library;
use vlad_shared::language::names::Keyword;
use vlad_shared::table::operations::OPERATIONS as TABLE;
use vlad_shared::table::primitives::PRIMITIVES;
use vlad_shared::table::{Form, Operation, Primitive, Term, Test};

/// A set of names.
pub type Names = BTreeSet<String>;

/// Makes a set of names.
pub fn names<Name: Into<String>>(names: impl IntoIterator<Item = Name>) -> Names {
    names.into_iter().map(Into::into).collect()
}

/// The difference between what is documented and what exists; none if they are the same.
pub fn difference(documented: &Names, existing: &Names) -> Option<String> {
    let missing: Vec<&String> = existing.difference(documented).collect();
    let unknown: Vec<&String> = documented.difference(existing).collect();
    let differs = !missing.is_empty() || !unknown.is_empty();
    differs.then(|| format!("not in the report {missing:?}, not in the code {unknown:?}"))
}

/// Fails unless what is documented is what exists.
#[track_caller]
pub fn same(subject: &str, documented: &Names, existing: &Names) {
    if let Some(difference) = difference(documented, existing) {
        panic!("{subject}: {difference}");
    }
}

/// Fails unless all of some names are among others.
#[track_caller]
pub fn among(subject: &str, some: &Names, all: &Names) {
    let others: Vec<&String> = some.difference(all).collect();
    assert!(others.is_empty(), "{subject}: {others:?}");
}

#[test]
fn kinds_of_errors() {
    let documented = names(Page::of(11).section("11.2").column("| kind ", 0));
    let errors = Kind::ALL.into_iter().filter(|kind| kind.severity() == Severity::Error);
    same("kinds of errors, 11.2", &documented, &names(errors.map(Kind::name)));
    let warnings = Kind::ALL.into_iter().filter(|kind| kind.severity() == Severity::Warning);
    among(
        "kinds of warnings that 12.14 leaves out",
        &names(warnings.map(Kind::name)),
        &names(Page::of(12).section("12.14").spans()),
    );
}

#[test]
fn keywords() {
    let listed = Page::of(2).between("(errors of kind `reserved`):", "```");
    same("keywords, 2.3", &names(listed.split(' ').filter(|word| !word.is_empty())), &names(Keyword::texts()));
    let listed = Page::of(20).between("begin with a letter or `_`. `", "` are keywords");
    same("keywords of F-smooth, 20.1", &names(listed.split(' ')), &names(KEYWORDS));
}

/// The names that calls in the first columns of tables of calls begin with.
fn calls(page: &Page) -> Names {
    names(heads(&page.column("| call ", 0)))
}

/// The names that a text of VLAD defines.
fn defined(text: &'static str) -> Names {
    names(defined_names(&Library { name: "", text, elementwise: &[] }))
}

#[test]
fn primitives() {
    let primitives = names(PRIMITIVES.iter().map(|row| row.name));
    let known: Names =
        primitives.iter().cloned().chain(Keyword::texts().map(str::to_owned)).chain(defined(prelude::TEXT)).collect();
    for part in [6, 15, 17] {
        among(&format!("part {part} has names that are none"), &calls(&Page::of(part)), &known);
    }
    let documented = names(heads(&Page::of(6).spans()));
    among("primitives that part 6 leaves out", &primitives, &documented);
}

#[test]
fn effects() {
    let listed = Page::of(1).between("primitives have effects: ", "(part 6.6)");
    let reads = |form| matches!(form, Form::ReadReal | Form::EndOfInput);
    let writes = |form| matches!(form, Form::WriteReal | Form::Write | Form::WriteRow | Form::WriteText);
    let existing = PRIMITIVES.iter().filter(|row| reads(row.form) || writes(row.form));
    same("primitives with effects, 1.6", &names(spans(&listed)), &names(existing.map(|row| row.name)));
}

#[test]
fn the_prelude() {
    let documented = calls(&Page::of(7).before("## 7.7"));
    let loops = names(prelude::LOOP_PROCEDURES);
    same("the prelude, 7.1 to 7.6", &documented.union(&loops).cloned().collect(), &defined(prelude::TEXT));
    among("procedures that part 18 leaves out", &loops, &calls(&Page::of(18)));
}

/// The definitions of a text, each from its name on, without comments.
fn definitions(text: &'static str) -> impl Iterator<Item = String> {
    let code = text.lines().map(|line| line.split(';').next().unwrap_or_default()).collect::<Vec<&str>>().join("\n");
    let definitions: Vec<String> =
        code.split("\n(define ").skip(1).map(|it| it.trim_start_matches('(').to_owned()).collect();
    definitions.into_iter()
}

/// Each name that the report lists for a library is defined, and each definition is listed, unless it is a part of others.
#[test]
fn libraries() {
    let all: Vec<String> = LIBRARIES.iter().flat_map(|library| definitions(library.text)).collect();
    for library in &LIBRARIES {
        let page = match library.name {
            "linear-algebra" => Page::of(18).section("18.4"),
            name => Page::of(7).section(&format!("`{name}`**")),
        };
        let defined = names(defined_names(library));
        let listed = match library.name {
            "lists" => spans(&page.between("`lists`**:", "`.")),
            "statistics" => spans(&page.between("samples are lists or vectors:", "`.")),
            "linear-algebra" => [page.column("| about ", 1), page.column("| call ", 0)].concat(),
            "optimize" => [page.column("| call ", 0), page.column("| reason ", 0)].concat(),
            _ => page.column("| call ", 0),
        };
        among(&format!("names that {} has alone", page.name), &names(heads(&listed)), &defined);
        let is_part = |name: &String| all.iter().any(|it| !words(it, name).is_empty() && words(it, name)[0].start > 0);
        let whole = defined.into_iter().filter(|name| !is_part(name)).collect();
        among(&format!("names that {} leaves out", page.name), &whole, &names(heads(&page.spans())));
    }
    let listed = Page::of(1).between("The libraries are ", "A library is a text");
    same("libraries, 1.5", &names(spans(&listed)), &names(LIBRARIES.iter().map(|library| library.name)));
}

#[test]
fn reasons_of_searches() {
    for row in Page::of(7).rows("| reason ") {
        let (name, number) = row[0].split_once(", ").unwrap();
        let definition = format!("(define {} {number})", name.trim_matches('`'));
        assert!(source("shared/frontend/src/vlad/optimize.vlad").contains(&definition), "{definition}");
    }
}

/// Each operation of the table has a row, which has the constants of its coefficients.
#[test]
fn operations() {
    let page = Page::of(9).section("9.4");
    let mut seen = Names::new();
    let rows = page.rows("| operation ");
    for row in &rows {
        let operations: Vec<Operation> = match row[0].as_str() {
            "copy" => vec![Operation::Copy],
            _ => spans(&row[1]).iter().map(|call| of_call(call)).collect(),
        };
        // A letter may stand for what it does in another row.
        let other = row[2].split_once(" as for the ").map(|(_, name)| rows.iter().find(|row| row[0] == name).unwrap());
        let shown = numbers_in(&[&row[2..], other.map_or(&[], |row| &row[2..])].concat().join(" "));
        for operation in operations {
            let mut constants = Vec::new();
            operation.row().coefficients.iter().for_each(|term| collect(term, &mut constants));
            for constant in constants.into_iter().map(f64::abs).filter(|constant| constant.is_finite()) {
                assert!(shown.contains(&constant), "9.4 has no {constant} for `{}`", operation.row().name);
            }
            assert!(seen.insert(format!("{operation:?}")), "9.4 has {operation:?} twice");
        }
    }
    same("operations, 9.4", &seen, &names(TABLE.iter().map(|row| format!("{:?}", row.operation))));
}

/// The operation of a call of a primitive with names as operands.
fn of_call(call: &str) -> Operation {
    let parts: Vec<&str> = call.trim_matches(['(', ')']).split(' ').collect();
    let operations = Primitive::named(parts[0]).unwrap_or_else(|| panic!("9.4: {call}")).row().form.operations();
    let found = operations.into_iter().find(|operation| operation.row().coefficients.len() == parts.len() - 1);
    found.unwrap_or_else(|| panic!("9.4: {call}"))
}

/// The numbers of a text.
fn numbers_in(text: &str) -> Vec<f64> {
    let is_letter = |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | '^');
    let words =
        text.split(|letter| !is_letter(letter)).filter(|word| word.starts_with(|first: char| first.is_ascii_digit()));
    words.filter_map(|word| numbers::read(word.trim_end_matches('.'))).collect()
}

/// Appends the constants of a term.
fn collect(term: &Term, constants: &mut Vec<f64>) {
    match term {
        Term::First | Term::Second | Term::Result => {}
        Term::Constant(constant) => constants.push(*constant),
        Term::Unary(_, operand) => collect(operand, constants),
        Term::Binary(_, first, second) => [first, second].into_iter().for_each(|term| collect(term, constants)),
        Term::Select(test, first, second) => {
            collect_of_test(test, constants);
            [first, second].into_iter().for_each(|term| collect(term, constants));
        }
    }
}

fn collect_of_test(test: &Test, constants: &mut Vec<f64>) {
    match test {
        Test::Zero(term) => collect(term, constants),
        Test::Less(first, second) | Test::Nearer(first, second) => {
            [first, second].into_iter().for_each(|term| collect(term, constants));
        }
        Test::Both(first, second) => [first, second].into_iter().for_each(|test| collect_of_test(test, constants)),
    }
}

#[test]
fn mathematical_functions() {
    let page = Page::of(10).section("10.2");
    let rows = page.rows("| VLAD | C | VLAD | C |");
    let cells = rows.iter().flat_map(|row| [[&row[0], &row[1]], [&row[2], &row[3]]]);
    let pairs = cells.flat_map(|[vlad, c]| spans(vlad).into_iter().zip(spans(c)).collect::<Vec<_>>());
    let (vlad, c): (Vec<String>, Vec<String>) =
        pairs.map(|(vlad, c)| (if c == "atan2" { c.clone() } else { vlad }, c)).unzip();
    same("functions, 10.2", &names(vlad), &names(rounded::functions().map(|operation| operation.row().name)));
    same("functions of C, 10.2", &names(c), &names(rounded::functions().filter_map(Operation::function_in_c)));
}

/// The functions that plain Fortran refuses with `--math system`.
#[test]
fn functions_that_fortran_lacks() {
    let listed = Page::of(21).between("What Fortran has no function for is refused then: ", ".");
    let lacking = TABLE.iter().filter(|row| row.in_fortran.is_none()).map(|row| row.name);
    same("functions that Fortran lacks, 21.9", &names(spans(&listed)), &names(lacking));
}

#[test]
fn capsule_files() {
    let page = Page::of(16);
    let listed = page.between("behind the hash of the program: what ", " gave, each");
    let private = source("shared/snapshot/src/capsule_file/fingerprint.rs");
    let table = private.split_once("const FUNCTIONS").unwrap().1.split_once("];").unwrap().0;
    let of_name = |name: &str| TABLE.iter().find(|row| format!("{:?}", row.operation) == name).unwrap().name;
    let functions = names(table.split("Operation::").skip(1).map(|rest| of_name(rest.trim().trim_end_matches(','))));
    let documented: Names =
        spans(&listed).into_iter().chain(listed.contains("of two reals").then(|| "atan2".to_owned())).collect();
    same("functions of files of version 6, 16.2", &documented, &functions);
    assert_eq!(
        page.section("16.4").rows("| number ").len(),
        numbered("shared/snapshot/src/capsule_file/points.rs", "Awaited::").len(),
        "points, 16.4"
    );
    let documented = page.section("16.5").rows("| byte ").into_iter().flat_map(|row| numbers_of_cell(&row[0]));
    let bytes = source("shared/snapshot/src/capsule_file/instruction.rs");
    let existing = bytes.lines().filter_map(|line| Some(line.split_once("u8 = ")?.1.trim_end_matches(';').to_owned()));
    same("instructions, 16.5", &documented.collect(), &existing.collect());
    let documented = page.numbers("were met: {} if it read the next file, {} if it named one that was there, {} if it read the next file and that is a library, {} for");
    let existing = [Inclusion::First, Inclusion::Again, Inclusion::Library, Inclusion::Data].map(|inclusion| {
        let arm = format!("Inclusion::{inclusion:?} => ");
        numbers::behind("shared/snapshot/src/capsule_file/mod.rs", arm.leak()).value()
    });
    assert_eq!(documented, existing, "inclusions, 16.2");
}

/// The elements of the first array whose elements begin so.
fn numbered(file: &str, prefix: &str) -> Vec<String> {
    let text = source(file);
    let array = text.split_once(&format!("= [\n    {prefix}")).unwrap().1.split_once("];").unwrap().0;
    array.split(prefix).map(|name| name.trim().trim_end_matches(',').to_owned()).collect()
}

/// The numbers at the beginning of a cell.
fn numbers_of_cell(cell: &str) -> Vec<String> {
    let words = cell.split([',', ' ']).filter(|word| !word.is_empty());
    words.take_while(|word| word.starts_with(|first: char| first.is_ascii_digit())).map(str::to_owned).collect()
}

#[test]
fn functions_of_fsmooth() {
    let page = Page::of(20);
    let differentiation = page.section("20.4");
    let table: Vec<String> = [
        page.section("20.2").column("| function ", 0),
        differentiation.column("| function ", 0),
        differentiation.column("| form ", 0),
    ]
    .concat();
    let first = |span: &String| {
        span.split(' ')
            .map(str::to_owned)
            .take_while(|word| word.len() > 1 || !word.starts_with(char::is_alphabetic))
            .collect::<Vec<_>>()
    };
    let documented: Names = table.iter().flat_map(first).collect();
    let words = OPERATIONS.iter().map(|row| row.name).chain(FUNCTIONS.map(|(_, name, _)| name));
    let builtins: Names = names(words.chain(DerivativeOperator::ALL.map(DerivativeOperator::name)));
    among("functions of F-smooth that 20.2 and 20.4 leave out", &builtins, &documented);
    let library = LIBRARY.text.lines().filter_map(|line| line.strip_prefix("let ")?.split(' ').next());
    let library: Names = names(library);
    let is_word = |word: &&String| word.chars().all(char::is_alphanumeric) && Builtin::named(word).is_none();
    let others: Names = documented.iter().filter(is_word).filter(|word| !library.contains(*word)).cloned().collect();
    among("names of 20.2 and 20.4 that are none", &others, &names(KEYWORDS));
}

#[test]
fn types_and_classes_of_fsmooth() {
    let page = Page::of(20);
    let text = source("shared/fsmooth/src/scoped/annotation.rs");
    let arms = text.split_once("fn named(").unwrap().1.split_once("_ => ").unwrap().0;
    let section = page.section("20.2").text;
    let missing = arms.split('"').skip(1).step_by(2).filter(|name| words(&section, name).is_empty());
    assert_eq!(missing.collect::<Vec<&str>>(), [""; 0], "types that 20.2 leaves out");
    let classes = [Class::Exact, Class::ZeroSigns, Class::Algebra].map(|class| class.letter().to_string());
    let documented = page.section("20.5").rows("| class ").into_iter().map(|row| row[0].clone());
    same("classes of rules, 20.5", &documented.collect(), &names(classes));
}

#[test]
fn intrinsic_functions_of_farfel() {
    let listed = Page::of(21).between("The intrinsic functions are `", "` and all specific names");
    let documented = listed.split(' ').map(|name| intrinsic(name).unwrap_or_else(|| panic!("21.4: {name}")));
    let documented = documented.map(|row| format!("{:?}", row.operation));
    same(
        "intrinsic functions, 21.4",
        &documented.collect(),
        &names(INTRINSICS.map(|row| format!("{:?}", row.operation))),
    );
}

#[test]
fn languages_and_their_extensions() {
    let row = Page::of(12).rows("| option | for ").into_iter().find(|row| row[0].contains("--language")).unwrap();
    let listed = row[2].split_once("reads (").unwrap().1.split_once(')').unwrap().0.to_owned();
    same("languages, 12.1", &names(spans(&listed)), &names(Languages::default().all().map(|language| language.name())));
    let listed = Page::of(21).between("A text in Farfel (", "or `--language");
    let farfel = Languages::default().named("farfel").unwrap();
    same("extensions of Farfel", &names(spans(&listed)), &names(farfel.extensions().iter().map(|it| format!(".{it}"))));
}

#[test]
fn engines() {
    same("engines", &names(Page::contents().column("| engine ", 0)), &names(Engine::ALL.map(Engine::name)));
    let compared = Page::of(12).between("Engines are compared with the first in the order ", ". `vlad doctor`");
    same("engines that are compared, 12.5", &names(spans(&compared)), &names(Engine::COMPARED.map(Engine::name)));
}

#[test]
fn examples_of_passes() {
    let row =
        Page::of(12).rows("| option | for ").into_iter().find(|row| row[0].contains("--specialise-passes")).unwrap();
    let lists = spans(&row[2]).into_iter().filter(|list| list.starts_with('-') && !list.starts_with("--"));
    let passes: Vec<Passes> = lists.map(|list| Passes::parse(&list).unwrap()).collect();
    assert!(!passes.is_empty(), "12.1 has no list of passes");
}

#[test]
fn passes() {
    let rows = Page::of(12).section("12.15").rows("| pass | what it does |");
    let existing = PASSES.iter().map(|row| format!("`{}`: {}", row.name, row.help));
    same("passes, 12.15", &names(rows.iter().map(|row| row.join(": "))), &names(existing));
}

#[test]
fn claims() {
    let listed = Page::of(12).between("an object with some of the members ", "; or only numbers");
    same("members of claims, 12.22", &names(spans(&listed)), &names(Quantity::ALL.map(Quantity::name)));
}

/// The formats of data files.
#[test]
fn formats_of_data() {
    let text = source("shared/data/src/request.rs");
    let table = text.split_once("const ALL: ").unwrap().1.split_once("];").unwrap().0;
    let existing = table.split('"').skip(1).step_by(2);
    same("data files, 12.20", &names(Page::of(12).section("12.20").column("| file | datum |", 0)), &names(existing));
}

/// The statuses of exported code.
#[test]
fn statuses_of_exports() {
    let interface = source("compiler/export/interface.h");
    let existing = interface
        .lines()
        .filter_map(|line| Some(line.trim().strip_prefix("EXPORTS_")?.split_once(" = ")?.0.to_owned()));
    let documented = Page::of(19).column("| status ", 0).into_iter().map(|name| name.replace("MODEL_", ""));
    same("statuses, 19.3", &documented.collect(), &existing.collect());
}

/// The flags of the C compiler, all of which a file has.
#[test]
fn flags_of_the_compiler() {
    let section = Page::of(14).section("14.5");
    let text = source("compiler/src/toolchain/flags.rs");
    let code = text.split_once("#[cfg(test)]").unwrap().0;
    let lines = code.lines().filter(|line| !line.trim().starts_with("//"));
    let strings: Names = lines
        .flat_map(|line| line.split('"').skip(1).step_by(2))
        .filter(|it| it.starts_with('-'))
        .map(str::to_owned)
        .collect();
    let is_flag = |word: &&str| word.starts_with('-') && !word.starts_with("--");
    let documented = section
        .spans()
        .into_iter()
        .flat_map(|span| span.split(' ').filter(is_flag).map(str::to_owned).collect::<Vec<_>>());
    same("flags, 14.5", &documented.collect(), &strings);
    let named = Page::of(19).section("19.4").between("name flags for speed as well: ", "stand beside them");
    let named = spans(&named).iter().flat_map(|span| span.split(' ').map(str::to_owned).collect::<Vec<_>>()).collect();
    among("flags of 19.4 that engines do not have", &named, &strings);
}
