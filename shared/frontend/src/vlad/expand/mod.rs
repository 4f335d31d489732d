//! Desugaring of the surface tree to named core: every form becomes the seven constructs (report, part 3).
//!
//! Each form is expanded one layer at a time: its function makes the core nodes of the layer, reserves the nodes of its
//! parts and puts the parts on a worklist. So nesting needs no host stack and every form is a small function. The
//! result of desugaring is part of the meaning, since steps are counted on it:
//!
//! | surface | core | in |
//! |---|---|---|
//! | `(f a b c)`, `(f)` | f applied to `(cons a (cons b c))`, to `()` | [`lists`] |
//! | `cons*`, `list`, `vector` | `cons`, `()`, `list->vector` | [`lists`] |
//! | `(write "text" e)`, `(error "text" e)` | `write-text`, `error-text` of a template and a tuple | [`texts`] |
//! | `lambda`, `define`, bodies | `lambda`, `letrec`, `let` | [`definitions`] |
//! | `let`, `let*`, named `let`, `letrec`, `begin` | applied `lambda`, `letrec` | [`bindings`] |
//! | `if`, `cond`, `and`, `or` | `if`, `let` | [`conditionals`] |
//! | `quote`, `#(d ...)` | constant | [`quotation`] |
//! | parameters, left sides of `let` | patterns | [`patterns`] |
//!
//! Postconditions: the invariant of [`Named`] holds; every malformed form has been reported and replaced by `()`.

pub mod bindings;
pub mod conditionals;
pub mod definitions;
pub mod lists;
pub mod patterns;
pub mod quotation;
pub mod texts;

use crate::vlad::syntax::tree::{Datum, DatumId, Parts, Tree};
use vlad_core::diagnostic::{Diagnostic, Kind, Report};
use vlad_core::source::Span;
use vlad_language::named::name_set::NameSet;
use vlad_language::named::{Named, NamedItem, NamedLambda, NamedPatternId, Node, NodeId};
use vlad_language::names::{Keyword, NameId, Names};

/// A list that begins with a keyword.
#[derive(Clone, Copy, Debug)]
struct Form {
    keyword: Keyword,
    span: Span,
    operands: Parts,
}

/// The pending expansion of a reserved node.
#[derive(Clone, Copy, Debug)]
enum PendingExpansion {
    /// An expression; if it is written as a lambda, the procedure gets that name.
    Expression(DatumId, Option<NameId>),
    /// The body of a form: definitions, then expressions.
    Body(Parts, Form),
    /// Expressions in sequence.
    Sequence(Parts),
    /// The rest of an `and`.
    And(Parts),
    /// The rest of an `or`.
    Or(Parts),
    /// The rest of the clauses of a `cond`.
    Cond(Parts),
    /// The rest of the bindings of a `let*`, and its form.
    LetStar(Parts, Form),
}

/// Expands the items of a text, in order; a definition without a valid name gives none.
pub fn expand(
    tree: &Tree,
    names: &Names,
    items: &[DatumId],
    named: &mut Named,
    report: &mut Report,
) -> Vec<Option<NamedItem>> {
    let mut expander = Expander { tree, names, named, report, work: vec![], seen: NameSet::default() };
    let expanded = items.iter().map(|item| {
        let item = expander.item(*item);
        expander.run();
        item
    });
    expanded.collect()
}

struct Expander<'loading> {
    tree: &'loading Tree,
    names: &'loading Names,
    named: &'loading mut Named,
    report: &'loading mut Report,
    work: Vec<(NodeId, PendingExpansion)>,
    seen: NameSet,
}

impl<'loading> Expander<'loading> {
    /// Expands the forms on the worklist until it is empty.
    fn run(&mut self) {
        while let Some((into, work)) = self.work.pop() {
            match work {
                PendingExpansion::Expression(datum, name) => self.expand_expression(into, datum, name),
                PendingExpansion::Body(parts, form) => self.expand_body(into, parts, form),
                PendingExpansion::Sequence(parts) => self.expand_sequence(into, parts),
                PendingExpansion::And(parts) => self.expand_and(into, parts),
                PendingExpansion::Or(parts) => self.expand_or(into, parts),
                PendingExpansion::Cond(clauses) => self.expand_cond(into, clauses),
                PendingExpansion::LetStar(bindings, form) => self.expand_let_star(into, bindings, form),
            }
        }
    }

    fn expand_expression(&mut self, into: NodeId, datum: DatumId, name: Option<NameId>) {
        let span = self.tree.span(datum);
        match self.tree.datum(datum) {
            Datum::Real(_) | Datum::Boolean(_) | Datum::Vector(_) => self.expand_quoted(into, datum),
            Datum::Quote(quoted) => self.expand_quoted(into, quoted),
            Datum::Name(name) => self.expand_name(into, name, span),
            Datum::Text(_) => self.report.push(
                Diagnostic::new(
                    Kind::Syntax,
                    span,
                    "a string stands only in (include \"file\") at top level, and among the operands of `write` and `error`",
                )
                .with_hint("there are no strings among the values of the language: a number can stand for one"),
            ),
            Datum::Dotted(_) => self.report.push(
                Diagnostic::new(Kind::Syntax, span, "a dot stands only within quoted data")
                    .with_hint("a pair is made by (cons a b), and constant ones are written '(1 . 2)"),
            ),
            Datum::Invalid => {}
            Datum::List(parts) => match (self.form(datum), self.tree.first(parts)) {
                (Some(form), _) => self.expand_form(into, form, name),
                (None, Some(operator)) => match self.operator_of_texts(operator, parts.skip(1)) {
                    Some(primitive) => self.expand_texts(into, (operator, primitive), parts.skip(1)),
                    None => self.expand_application(into, operator, parts.skip(1)),
                },
                (None, None) => self.named.set(into, Node::Constant(Named::NIL)),
            },
        }
    }

    /// Returns the datum as a form, if it is a list that begins with a keyword.
    fn form(&self, datum: DatumId) -> Option<Form> {
        let Datum::List(parts) = self.tree.datum(datum) else { return None };
        let Datum::Name(name) = self.tree.datum(self.tree.first(parts)?) else { return None };
        let keyword = Keyword::of(name)?;
        Some(Form { keyword, span: self.tree.span(datum), operands: parts.skip(1) })
    }

    fn expand_form(&mut self, into: NodeId, form: Form, name: Option<NameId>) {
        match form.keyword {
            Keyword::And => self.expand_and(into, form.operands),
            Keyword::Begin => self.expand_begin(into, form),
            Keyword::Cond => self.expand_cond(into, form.operands),
            Keyword::Cons => self.expand_cons(into, form),
            Keyword::ConsStar => self.expand_cons_star(into, form),
            Keyword::If => self.expand_if(into, form),
            Keyword::Lambda => {
                let lambda = self.lambda(form, name);
                self.named.set(into, Node::Lambda(lambda));
            }
            Keyword::Let => self.expand_let(into, form),
            Keyword::LetStar => self.expand_whole_let_star(into, form),
            Keyword::Letrec => self.expand_letrec(into, form),
            Keyword::List => self.expand_list(into, form),
            Keyword::Or => self.expand_or(into, form.operands),
            Keyword::Quote => match self.tree.parts(form.operands) {
                [quoted] => self.expand_quoted(into, *quoted),
                _ => self.malformed(form, "(quote datum)"),
            },
            Keyword::Vector => self.expand_vector(into, form),
            Keyword::Define | Keyword::Else | Keyword::Include => {
                if let Some((name, _)) = self.defined_name(form) {
                    self.named.mark_refused(name);
                }
                let diagnostic = Diagnostic::new(Kind::Syntax, form.span, misplaced(form.keyword));
                self.report.push(match form.keyword == Keyword::Define {
                    true => diagnostic.with_hint(WHERE_DEFINITIONS_STAND),
                    false => diagnostic,
                });
            }
        }
    }

    /// Expands a name: a variable, unless it is a keyword; `cons` alone is a keyword and a primitive.
    fn expand_name(&mut self, into: NodeId, name: NameId, span: Span) {
        let Some(keyword) = Keyword::of(name) else { return self.named.set(into, Node::Variable(name)) };
        let hint = match keyword {
            Keyword::Cons => return self.named.set(into, Node::Variable(name)),
            Keyword::List | Keyword::ConsStar | Keyword::Vector => {
                format!("a procedure that does the same is (lambda (a b) ({} a b))", keyword.text())
            }
            Keyword::And | Keyword::Or => {
                format!("a procedure that does the same is (lambda (a b) ({} a b))", keyword.text())
            }
            Keyword::Else => "`else` begins the last clause of a `cond`".to_string(),
            Keyword::Begin
            | Keyword::Cond
            | Keyword::Define
            | Keyword::If
            | Keyword::Include
            | Keyword::Lambda
            | Keyword::Let
            | Keyword::LetStar
            | Keyword::Letrec
            | Keyword::Quote => format!("a form with it stands in parentheses: ({} ...)", keyword.text()),
        };
        let message = format!("`{}` is a keyword and has no value", keyword.text());
        self.report.push(Diagnostic::new(Kind::Syntax, span, message).with_hint(hint));
    }

    /// Returns true if a datum is that name.
    fn is_name(&self, datum: DatumId, name: NameId) -> bool {
        self.tree.datum(datum) == Datum::Name(name)
    }

    /// Reports that a form does not have the expected shape.
    fn malformed(&mut self, form: Form, shape: &str) {
        let count = form.operands.count();
        let operands = if count == 1 { "operand" } else { "operands" };
        let message = format!("expected {shape}, found `{}` with {count} {operands}", form.keyword.text());
        let diagnostic = Diagnostic::new(Kind::Syntax, form.span, message);
        // The first operand of a form with a wrong shape, or its first part, is where a name stands in the right one.
        let first = self.tree.first(form.operands).map(|first| match self.tree.datum(first) {
            Datum::List(parts) => self.tree.first(parts).unwrap_or(first),
            _ => first,
        });
        let is_number = first.is_some_and(|first| matches!(self.tree.datum(first), Datum::Real(_)));
        self.report.push(match form.keyword == Keyword::Define && is_number {
            true => diagnostic.with_hint("a name does not begin like a number: +0, 1+ and .5x are none"),
            false => diagnostic,
        });
    }

    /// Reserves the node of an expression and schedules its expansion.
    fn expression(&mut self, datum: DatumId, name: Option<NameId>) -> NodeId {
        let node = self.named.reserve(self.tree.span(datum));
        self.work.push((node, PendingExpansion::Expression(datum, name)));
        node
    }

    /// Makes a reserved node the node of an expression and schedules its expansion.
    fn become_expression(&mut self, into: NodeId, datum: DatumId, name: Option<NameId>) {
        self.named.set_span(into, self.tree.span(datum));
        self.work.push((into, PendingExpansion::Expression(datum, name)));
    }

    /// Makes a node `((lambda pattern body) operand)`; lambda and application get the span of the node.
    fn set_let(&mut self, into: NodeId, pattern: NamedPatternId, operand: NodeId, body: NodeId) {
        let span = self.named.span(into);
        let lambda = self.named.add_lambda(NamedLambda { name: None, pattern, body, span });
        let operator = self.named.add(Node::Lambda(lambda), span);
        self.named.set(into, Node::Application(operator, operand));
    }
}

/// The hint for a definition behind an expression of its body, and for one in the place of an expression.
const WHERE_DEFINITIONS_STAND: &str = "a body is its definitions, then its expressions; in the place of an expression `let` binds a name: (let ((x e)) ...)";

/// Returns the message for a keyword that is no expression.
fn misplaced(keyword: Keyword) -> &'static str {
    match keyword {
        Keyword::Define => "a definition stands only at top level or at the head of a body",
        Keyword::Else => "`else` stands only at the beginning of the last clause of a `cond`",
        Keyword::Include => "`include` stands only at top level",
        Keyword::And
        | Keyword::Begin
        | Keyword::Cond
        | Keyword::Cons
        | Keyword::ConsStar
        | Keyword::If
        | Keyword::Lambda
        | Keyword::Let
        | Keyword::LetStar
        | Keyword::Letrec
        | Keyword::List
        | Keyword::Or
        | Keyword::Quote
        | Keyword::Vector => "this keyword does not stand here",
    }
}
