//! Mutants of the table of operations: each of its rows with one change, and each evaluation in C with one.
//!
//! A row is an expression, so its possible changes are found in its syntax: constants, operands, operations and their
//! order, tests and the branches that they guard, in coefficients as in evaluations. Shared constants are first
//! replaced by their values, so that a change affects one row. The selected row is looked up where engines look up a
//! row; C that is generated from the table contains the code of all changed rows ([`crate::rules`]).

use crate::Fallible;
use crate::list::Mutant;
use std::fs;
use std::ops::Range;
use std::path::Path;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// The file of the operations, with the terms that rows share.
pub const OPERATIONS: &str = "shared/table/src/operations.rs";

/// The file of the table.
pub const ROWS: &str = "shared/table/src/operations/rows.rs";

/// The offset of the numbers of changed rows, the first of which is one more.
const FIRST: usize = 10_000;

/// A changed row.
pub struct Changed {
    /// The mutant, with its file and description.
    pub mutant: Mutant,
    /// The text of the row.
    pub row: String,
}

/// A row as the table has it.
pub struct Row {
    /// Its text.
    text: String,
    /// The operation, as in `O::Add`.
    pub operation: String,
    /// The operation in C, an expression of the machine `m` and the operands `a` and `b`.
    pub in_c: String,
}

impl Row {
    /// True for an operation on two reals.
    fn is_binary(&self) -> bool {
        self.text.starts_with("binary")
    }

    /// The call that makes the row, and its C if a method called on it tells that: a formula, or the name of a function.
    fn call(expression: &syn::Expr) -> Fallible<(&syn::ExprCall, Option<(String, String)>)> {
        match expression {
            syn::Expr::Call(call) => Ok((call, None)),
            syn::Expr::MethodCall(outer) => {
                let (call, inner) = Row::call(&outer.receiver)?;
                let own = match outer.args.first() {
                    Some(syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. })) => text.value(),
                    _ => return Ok((call, inner)),
                };
                let method = outer.method.to_string();
                let tells = ["formula", "function"].contains(&method.as_str());
                Ok((call, if tells { Some((method, own)) } else { inner }))
            }
            _ => Err("a row is a call".into()),
        }
    }

    fn of(text: String) -> Fallible<Row> {
        let expression = syn::parse_str::<syn::Expr>(&text)?;
        let (call, in_c) = Row::call(&expression)?;
        let operands = if text.starts_with("binary") { "(a, b)" } else { "(a)" };
        let in_c = match in_c {
            Some((method, formula)) if method == "formula" => formula,
            Some((_, function)) => format!("VLAD_MATHEMATICS(m, {function}){operands}"),
            None => format!("VLAD_MATHEMATICS(m, {}){operands}", source(&text, &call.args[1]).trim_matches('"')),
        };
        Ok(Row { operation: source(&text, &call.args[0]).to_owned(), in_c, text })
    }
}

/// One change of a text.
struct Change {
    range: Range<usize>,
    text: String,
}

/// Returns the rows of the table, in which constants that are shared are written out.
pub fn rows(copy: &Path) -> Fallible<Vec<Row>> {
    let shared = fs::read_to_string(copy.join(OPERATIONS))?;
    let items = syn::parse_file(&shared)?.items;
    let terms = items.iter().filter_map(|item| match item {
        syn::Item::Mod(module) if module.ident == "terms" => module.content.as_ref(),
        _ => None,
    });
    let constants: Vec<(String, String)> =
        terms.flat_map(|(_, items)| items).filter_map(|item| shared_term(item, &shared)).collect();
    let text = fs::read_to_string(copy.join(ROWS))?;
    let file = syn::parse_file(&text)?;
    let rows = file.items.iter().find_map(rows_of).ok_or("there is a table of operations")?;
    rows.into_iter().map(|row| Row::of(written_out(source(&text, row), &constants))).collect()
}

/// Returns all changes of rows of the table.
pub fn changed(rows: &[Row]) -> Fallible<Vec<Changed>> {
    let mut all: Vec<Changed> = Vec::new();
    for own in rows {
        let (row, operation) = (&own.text, &own.operation);
        let expression = syn::parse_str::<syn::Expr>(row)?;
        let (call, _) = Row::call(&expression)?;
        let mut finder = Finder { text: row, is_binary: own.is_binary(), in_term: false, changes: Vec::new() };
        finder.evaluation(&call.args[3]);
        finder.in_term = true;
        finder.coefficients(&call.args[4]);
        for change in finder.changes {
            let changed = format!("{}{}{}", &row[..change.range.start], change.text, &row[change.range.end..]);
            let name = format!("row of {operation}: `{}` becomes `{}`", &row[change.range.clone()], change.text);
            let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
            // A swap of equal parts changes nothing.
            if changed != *row && all.iter().all(|other| other.row != changed) {
                let number = FIRST + all.len() + 1;
                let (file, genre) = (ROWS.to_owned(), "Row".to_owned());
                let mutant = Mutant { number, file, genre, start: (0, 0), replacement: String::new(), name };
                all.push(Changed { mutant, row: changed });
            }
        }
    }
    Ok(all)
}

/// The text of a piece of syntax.
fn source<'a>(text: &'a str, syntax: &impl Spanned) -> &'a str {
    &text[syntax.span().byte_range()]
}

/// A constant whose value is made of operands, with its name; constants that are numbers do not count.
fn shared_term(item: &syn::Item, text: &str) -> Option<(String, String)> {
    let syn::Item::Const(constant) = item else { return None };
    let value = source(text, &*constant.expr);
    let is_shared = ["Term", "Test", "[Term; 2]"].contains(&source(text, &*constant.ty));
    (is_shared && !value.starts_with("Constant(")).then(|| (constant.ident.to_string(), value.to_owned()))
}

fn rows_of(item: &syn::Item) -> Option<Vec<&syn::Expr>> {
    match item {
        syn::Item::Const(constant) if constant.ident == "OPERATIONS" => match &*constant.expr {
            syn::Expr::Array(array) => Some(array.elems.iter().collect()),
            _ => None,
        },
        _ => None,
    }
}

/// A row with the names of shared terms replaced by their values.
fn written_out(row: &str, constants: &[(String, String)]) -> String {
    let is_end = |letter: char| !letter.is_alphanumeric() && letter != '_';
    let mut text = String::new();
    for word in row.split_inclusive(is_end) {
        let name = word.trim_end_matches(is_end);
        match constants.iter().find(|(other, _)| other == name) {
            Some((_, value)) => text.extend([&written_out(value, constants), &word[name.len()..]]),
            None => text.push_str(word),
        }
    }
    text
}

/// The visitor that finds changes.
struct Finder<'a> {
    text: &'a str,
    is_binary: bool,
    in_term: bool,
    changes: Vec<Change>,
}

impl Finder<'_> {
    fn replace(&mut self, syntax: &impl Spanned, text: String) {
        self.changes.push(Change { range: syntax.span().byte_range(), text });
    }

    fn of(&self, syntax: &impl Spanned) -> String {
        source(self.text, syntax).to_owned()
    }

    /// Adds changes of the sign and of the last digit, and those in the body.
    fn evaluation(&mut self, evaluation: &syn::Expr) {
        let text = self.of(evaluation);
        let (parameters, arguments) = if self.is_binary { ("|a: f64, b: f64|", "(a, b)") } else { ("|x: f64|", "(x)") };
        let kind = if self.is_binary { "fn(f64, f64) -> f64" } else { "fn(f64) -> f64" };
        for changed in ["-", "(1.0 + 2e-15) * "] {
            let body = format!("{{ let row: {kind} = {text}; {changed}row{arguments} }}");
            self.replace(evaluation, format!("{parameters} {body}"));
        }
        if let syn::Expr::Closure(closure) = evaluation {
            self.visit_expr(&closure.body);
        }
    }

    /// Adds, for each coefficient, changes of the sign, to zero and of the last digits, and those in the term.
    fn coefficients(&mut self, coefficients: &syn::Expr) {
        let syn::Expr::Reference(reference) = coefficients else { return };
        let syn::Expr::Array(array) = &*reference.expr else { return };
        for term in &array.elems {
            let text = self.of(term);
            self.replace(term, format!("Term::Unary(O::Negate, &{text})"));
            self.replace(term, "ZERO".to_owned());
            self.replace(term, format!("Term::Binary(O::Multiply, &Constant(1.0 + 2e-14), &{text})"));
            self.visit_expr(term);
        }
    }

    fn path(&mut self, path: &syn::ExprPath) {
        let name = self.of(path);
        let others: &[&str] = match (name.as_str(), self.in_term, self.is_binary) {
            ("First", true, true) => &["Second", "Result"],
            ("First", true, false) => &["Result"],
            ("Second", true, _) => &["First", "Result"],
            ("Result", true, true) => &["First", "Second"],
            ("Result", true, false) => &["First"],
            ("ONE", true, _) => &["ZERO", "Constant(2.0)"],
            ("ZERO", true, _) => &["ONE"],
            ("a", false, true) => &["b"],
            ("b", false, true) => &["a"],
            _ => &[],
        };
        others.iter().for_each(|other| self.replace(path, (*other).to_owned()));
    }

    /// Adds changes of a call in a term: `Term::Unary`, `Term::Binary`, `Select`, `Test::...`, `Constant`.
    fn call(&mut self, call: &syn::ExprCall) {
        let of = |place: usize| self.of(&call.args[place]);
        // Operands are written as references.
        let inner = |place: usize| of(place).trim_start_matches('&').to_owned();
        let name = self.of(&*call.func);
        let mut whole = Vec::new();
        match name.as_str() {
            "Term::Unary" => whole.push(inner(1)),
            "Term::Binary" => whole.extend([format!("{name}({}, {}, {})", of(0), of(2), of(1)), inner(1), inner(2)]),
            "Select" => whole.extend([inner(1), inner(2), format!("{name}({}, {}, {})", of(0), of(2), of(1))]),
            "Test::Less" | "Test::Nearer" => whole.push(format!("{name}({}, {})", of(1), of(0))),
            "Test::Both" => whole.extend([inner(0), inner(1)]),
            "Constant" => whole.extend(["Constant(0.0)".to_owned(), format!("Constant(-({}))", of(0))]),
            _ => {}
        }
        whole.into_iter().for_each(|text| self.replace(call, text));
        if let "Term::Unary" | "Term::Binary" = name.as_str() {
            let others: &[&str] = match of_operation(&self.of(&call.args[0])) {
                "Add" => &["O::Subtract"],
                "Subtract" => &["O::Add"],
                "Multiply" => &["O::Divide", "O::Add"],
                "Divide" | "GuardedMultiply" => &["O::Multiply"],
                "Power" => &["O::Multiply"],
                "Sine" => &["O::Cosine"],
                "Cosine" => &["O::Sine"],
                "HyperbolicSine" => &["O::HyperbolicCosine"],
                "HyperbolicCosine" => &["O::HyperbolicSine"],
                "SquareRoot" => &["O::Absolute"],
                "Logarithm" => &["O::Exponential"],
                "Floor" => &["O::Ceiling", "O::Truncate"],
                _ => &[],
            };
            others.iter().for_each(|other| self.replace(&call.args[0], (*other).to_owned()));
        }
    }
}

fn of_operation(text: &str) -> &str {
    text.trim_start_matches("O::")
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        self.path(path);
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if self.in_term {
            self.call(call);
            // The operation is no operand.
            let operands = usize::from(self.of(&*call.func).starts_with("Term::"));
            call.args.iter().skip(operands).for_each(|operand| self.visit_expr(operand));
        } else {
            call.args.iter().for_each(|operand| self.visit_expr(operand));
        }
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        let others: &[&str] = match binary.op {
            syn::BinOp::Add(_) => &["-"],
            syn::BinOp::Sub(_) => &["+"],
            syn::BinOp::Mul(_) => &["/"],
            syn::BinOp::Div(_) => &["*"],
            syn::BinOp::Lt(_) => &["<=", ">"],
            syn::BinOp::Eq(_) => &["!=", "<"],
            syn::BinOp::Or(_) => &["&&"],
            _ => &[],
        };
        others.iter().for_each(|other| self.replace(&binary.op, (*other).to_owned()));
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_if(&mut self, choice: &'ast syn::ExprIf) {
        for constant in ["true", "false"] {
            self.replace(&*choice.cond, constant.to_owned());
        }
        visit::visit_expr_if(self, choice);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        if call.method == "floor" {
            self.replace(&call.method, "ceil".to_owned());
            self.replace(&call.method, "trunc".to_owned());
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_lit(&mut self, literal: &'ast syn::ExprLit) {
        if !self.in_term && self.of(literal) == "0.0" {
            self.replace(literal, "-0.0".to_owned());
            self.replace(literal, "1.0".to_owned());
        }
    }
}
