//! Insertion of mutants into the text of a file: `a < b` becomes `(if crate::mutants::is(7) { a <= b } else { a < b
//! })`.
//!
//! The syntax tree gives the extent of the expression whose operator is changed, of the function whose result is
//! replaced, and of the arm that is left out. The mutated text of an expression is made from the original; mutants
//! nested in it are in the other branch alone, so that texts grow linearly with the depth, and not exponentially.

use crate::Fallible;
use crate::list::{Mutant, Place};
use proc_macro2::{LineColumn, Span};
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// A file with its mutants.
pub struct FileMutants {
    /// The text.
    pub text: String,
    /// The byte range of each mutant's own text.
    pub regions: Vec<(usize, Range<usize>)>,
}

/// A change: the mutant, and the text that replaces the range if the mutant is selected.
struct Change {
    mutant: usize,
    range: Range<usize>,
    form: Form,
}

/// The form of a change.
enum Form {
    /// An expression that replaces the one in the range.
    Expression(String),
    /// The result of a function, whose body begins before the range, which is empty.
    Result(String),
    /// A guard of an arm, before the range, which is empty.
    Guard,
    /// A conjunct of the existing guard of an arm: the range begins after `if`.
    GuardAlso,
}

/// Inserts mutants into the text of a file; those without a place in it are left out.
pub fn place(text: &str, mutants: &[Mutant]) -> Fallible<FileMutants> {
    let file = syn::parse_file(text)?;
    let mut finder = Finder { text, lines: starts_of_lines(text), mutants, changes: Vec::new(), constant: 0 };
    finder.visit_file(&file);
    let mut changes = finder.changes;
    // Outer ones first; those of the same expression are adjacent.
    changes.sort_by_key(|change| (change.range.start, usize::MAX - change.range.end, change.mutant));
    let mut writer = Writer { text, out: FileMutants { text: String::new(), regions: Vec::new() } };
    writer.write(0..text.len(), &changes);
    Ok(writer.out)
}

fn starts_of_lines(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(place, _)| place + 1)).collect()
}

/// The visitor that finds the places of mutants.
struct Finder<'a> {
    text: &'a str,
    lines: Vec<usize>,
    mutants: &'a [Mutant],
    changes: Vec<Change>,
    /// The number of enclosing constants and functions that are evaluated at compile time: no mutant can be tested for
    /// there.
    constant: usize,
}

impl Finder<'_> {
    fn offset(&self, place: LineColumn) -> usize {
        let line = self.lines[place.line - 1];
        let before = self.text[line..].char_indices().nth(place.column).map_or(self.text.len() - line, |(at, _)| at);
        line + before
    }

    fn range(&self, span: Span) -> Range<usize> {
        self.offset(span.start())..self.offset(span.end())
    }

    /// The mutants of a genre that begin where the span does.
    fn at(&self, genre: &str, span: Span) -> Vec<Mutant> {
        let place = |at: LineColumn| -> Place { (at.line, at.column) };
        let here = |mutant: &&Mutant| mutant.genre == genre && mutant.start == place(span.start());
        if self.constant > 0 { Vec::new() } else { self.mutants.iter().filter(here).cloned().collect() }
    }

    fn expression(&mut self, whole: Span, part: Span, genre: &str) {
        for mutant in self.at(genre, part) {
            let (range, part) = (self.range(whole), self.range(part));
            let (before, after) = (&self.text[range.start..part.start], &self.text[part.end..range.end]);
            let form = Form::Expression(format!("{before}{}{after}", mutant.replacement));
            self.changes.push(Change { mutant: mutant.number, range, form });
        }
    }

    fn body(&mut self, block: &syn::Block) {
        let Some(first) = block.stmts.first() else { return };
        for mutant in self.at("FnValue", first.span()) {
            let begin = self.range(block.span()).start + 1;
            let form = Form::Result(mutant.replacement);
            self.changes.push(Change { mutant: mutant.number, range: begin..begin, form });
        }
    }

    fn function(&mut self, signature: &syn::Signature, block: &syn::Block, walk: impl FnOnce(&mut Self)) {
        let constant = usize::from(signature.constness.is_some());
        self.constant += constant;
        // A single body cannot return results of two types where the signature names none.
        if !self.text[self.range(signature.output.span())].contains("impl ") {
            self.body(block);
        }
        walk(self);
        self.constant -= constant;
    }

    fn constantly(&mut self, walk: impl FnOnce(&mut Self)) {
        self.constant += 1;
        walk(self);
        self.constant -= 1;
    }
}

/// Returns true if a condition binds names: it cannot be put in parentheses.
fn binds(expression: &syn::Expr) -> bool {
    match expression {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(binary) => binds(&binary.left) || binds(&binary.right),
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.sig, &item.block, |finder| visit::visit_item_fn(finder, item));
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.sig, &item.block, |finder| visit::visit_impl_item_fn(finder, item));
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        match &item.default {
            Some(block) => self.function(&item.sig, block, |finder| visit::visit_trait_item_fn(finder, item)),
            None => visit::visit_trait_item_fn(self, item),
        }
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.constantly(|finder| visit::visit_item_const(finder, item));
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.constantly(|finder| visit::visit_item_static(finder, item));
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.constantly(|finder| visit::visit_impl_item_const(finder, item));
    }

    fn visit_type_array(&mut self, item: &'ast syn::TypeArray) {
        self.constantly(|finder| visit::visit_type_array(finder, item));
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        if !binds(&binary.left) && !binds(&binary.right) {
            self.expression(binary.span(), binary.op.span(), "BinaryOperator");
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        self.expression(unary.span(), unary.op.span(), "UnaryOperator");
        visit::visit_expr_unary(self, unary);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        for mutant in self.at("MatchArm", arm.span()) {
            let (begin, form) = match &arm.guard {
                Some((_, guard)) => (self.range(guard.span()).start, Form::GuardAlso),
                None => (self.range(arm.pat.span()).end, Form::Guard),
            };
            self.changes.push(Change { mutant: mutant.number, range: begin..begin, form });
        }
        if let Some((_, guard)) = &arm.guard {
            self.expression(guard.span(), guard.span(), "MatchArmGuard");
        }
        visit::visit_arm(self, arm);
    }
}

/// The writer of the text with its changes.
struct Writer<'a> {
    text: &'a str,
    out: FileMutants,
}

impl Writer<'_> {
    fn push(&mut self, text: &str) {
        self.out.text.push_str(text);
    }

    /// Writes text that belongs to a mutant.
    fn own(&mut self, mutant: usize, text: &str) {
        let start = self.out.text.len();
        self.push(text);
        self.out.regions.push((mutant, start..self.out.text.len()));
    }

    /// Writes a range; the changes are those within it, in order.
    fn write(&mut self, range: Range<usize>, changes: &[Change]) {
        let mut at = range.start;
        let mut rest = changes;
        while let Some(first) = rest.first() {
            self.push(&self.text[at..first.range.start]);
            at = first.range.end;
            let same = rest.iter().take_while(|change| change.range == first.range).count();
            let (here, others) = rest.split_at(same);
            let inside = others.iter().take_while(|change| change.range.start < first.range.end).count();
            let (inside, after) = others.split_at(inside);
            match &first.form {
                Form::Expression(_) => self.choice(first.range.clone(), here, inside),
                Form::Result(_) | Form::Guard | Form::GuardAlso => here.iter().for_each(|change| self.insert(change)),
            }
            rest = after;
        }
        self.push(&self.text[at..range.end]);
    }

    fn choice(&mut self, range: Range<usize>, here: &[Change], inside: &[Change]) {
        self.push("(");
        for change in here {
            if let Form::Expression(text) = &change.form {
                self.own(change.mutant, &format!("if crate::mutants::is({}) {{ {text} }} else ", change.mutant));
            }
        }
        self.push("{ ");
        self.write(range, inside);
        self.push(" })");
    }

    fn insert(&mut self, change: &Change) {
        let mutant = change.mutant;
        match &change.form {
            Form::Result(text) => self.own(mutant, &format!(" if crate::mutants::is({mutant}) {{ return {text}; }}")),
            Form::Guard => self.own(mutant, &format!(" if !crate::mutants::is({mutant})")),
            Form::GuardAlso => self.own(mutant, &format!("!crate::mutants::is({mutant}) && ")),
            Form::Expression(text) => self.own(mutant, text),
        }
    }
}
