//! The lists at the beginning and end of blocks of differentiation.

use crate::check::Checker;
use crate::check::entities::{Meaning, VarId};
use crate::syntax::tree::{AdItem, Expr, ExprId, Mode, Type};
use vlad_core::diagnostic::Kind;
use vlad_core::source::Span;

/// The variables and elements that a list has named.
#[derive(Default)]
struct Seen {
    variables: Vec<VarId>,
    /// The elements, with their subscripts where these are literals.
    elements: Vec<(VarId, Option<Vec<u64>>)>,
}

impl Checker<'_> {
    /// Checks the list that begins a block.
    pub(super) fn check_opens(&mut self, mode: Mode, opens: &[AdItem]) {
        let mut seen = Seen::default();
        self.check_open_items(mode, opens, &mut seen);
    }

    fn check_open_items(&mut self, mode: Mode, opens: &[AdItem], seen: &mut Seen) {
        for item in opens {
            match item {
                AdItem::Bare(variable) => {
                    if let Meaning::Variable(var) = self.entities.meaning(*variable)
                        && self.entities.is_array(var)
                    {
                        let name = self.shown(self.entities.var(var).name);
                        let kind = mode.kind();
                        let hint = format!(
                            "{}(({kind}({name}(I)) = V(I), I = 1, N)), or {kind}({name}) = V for arrays of one size",
                            mode.block()
                        );
                        let message = "an array needs the elements of its derivative";
                        self.error_with_hint(Kind::Type, self.tree.span(*variable), message, &hint);
                        continue;
                    }
                    self.differentiated(*variable, mode, seen);
                }
                AdItem::Set { mode: own, word, variable, other } => {
                    self.check_word(mode, *own, *word);
                    self.differentiated(*variable, mode, seen);
                    self.derivative(*variable, *other);
                }
                AdItem::Implied { items, range, .. } => {
                    range.iter().flatten().for_each(|bound| {
                        self.integer(*bound);
                    });
                    self.check_open_items(mode, items, seen);
                }
            }
        }
    }

    /// Checks the list that ends a block.
    pub(super) fn check_closes(&mut self, mode: Mode, closes: &[AdItem]) {
        for item in closes {
            match item {
                AdItem::Bare(_) => {}
                AdItem::Set { mode: own, word, variable, other } => {
                    self.check_word(mode, *own, *word);
                    self.differentiated(*variable, mode, &mut Seen::default());
                    let is_array =
                        matches!(self.entities.meaning(*other), Meaning::Variable(var) if self.entities.is_array(var));
                    if !is_array {
                        self.assigned(*other);
                        self.number(*other);
                    }
                    self.derivative(*variable, *other);
                }
                AdItem::Implied { items, range, .. } => {
                    range.iter().flatten().for_each(|bound| {
                        self.integer(*bound);
                    });
                    self.check_closes(mode, items);
                }
            }
        }
    }

    fn check_word(&mut self, mode: Mode, own: Mode, word: Span) {
        if mode != own {
            let message =
                format!("{} belongs to {}; in {} it is {}", own.kind(), own.block(), mode.block(), mode.kind());
            self.error(Kind::Type, word, message);
        }
    }

    /// Checks a variable whose derivative is given or asked for; in opens none is named twice.
    fn differentiated(&mut self, id: ExprId, mode: Mode, seen: &mut Seen) {
        let span = self.tree.span(id);
        let var = match self.entities.meaning(id) {
            Meaning::Variable(var) => {
                if seen.variables.contains(&var) || seen.elements.iter().any(|(other, _)| *other == var) {
                    let message = format!("{} is named twice in this list", self.shown(self.entities.var(var).name));
                    self.error(Kind::Duplicate, span, message);
                }
                seen.variables.push(var);
                var
            }
            Meaning::Element(var) => {
                let subscripts = self.literal_subscripts(id);
                let is_repeated = |(other, place): &(VarId, Option<Vec<u64>>)| {
                    *other == var && place.is_some() && *place == subscripts
                };
                if seen.variables.contains(&var) || seen.elements.iter().any(is_repeated) {
                    let message = format!("{} is named twice in this list", self.shown_element(id));
                    self.error(Kind::Duplicate, span, message);
                }
                seen.elements.push((var, subscripts));
                var
            }
            Meaning::None => return,
            Meaning::Call(_) | Meaning::Procedure(_) | Meaning::Intrinsic(_) => {
                return self.error(Kind::Type, span, format!("{} is of a variable", mode.kind()));
            }
        };
        let kind = self.entities.element_type(var);
        if kind != Type::Real {
            let message = format!("only reals have a {}, and this is {}", mode.kind(), kind.text());
            self.error(Kind::Type, span, message);
        }
    }

    /// Returns the subscripts of an element, as their bits, if all are literals.
    fn literal_subscripts(&self, id: ExprId) -> Option<Vec<u64>> {
        let Expr::Apply(_, parts) = self.tree.expr(id) else { return None };
        let literal = |part: &ExprId| match self.tree.expr(*part) {
            Expr::Integer(value) => Some(value.to_bits()),
            Expr::Real(_) | Expr::Logical(_) | Expr::Name(_) | Expr::Apply(..) | Expr::Unary(..) | Expr::Binary(..) => {
                None
            }
        };
        self.tree.parts(parts).iter().map(literal).collect()
    }

    /// Returns an element as a message names it.
    fn shown_element(&self, id: ExprId) -> String {
        match self.tree.expr(id) {
            Expr::Apply(name, _) => format!("an element of {}", self.shown(name)),
            _ => String::new(),
        }
    }

    /// Checks the other side of a derivative: an array for an array, a number for a number.
    fn derivative(&mut self, variable: ExprId, other: ExprId) {
        let is_array = |checker: &Self, id| matches!(checker.entities.meaning(id), Meaning::Variable(var) if checker.entities.is_array(var));
        match (is_array(self, variable), is_array(self, other)) {
            (true, true) => {
                if let Meaning::Variable(var) = self.entities.meaning(other)
                    && self.entities.element_type(var) != Type::Real
                {
                    self.error(Kind::Type, self.tree.span(other), "the derivative of an array is an array of reals");
                }
            }
            (true, false) => {
                let hint = "name the elements: ((TANGENT(X(I)) = V(I), I = 1, N))";
                self.error_with_hint(
                    Kind::Type,
                    self.tree.span(other),
                    "the derivative of a whole array is a whole array",
                    hint,
                );
            }
            (false, _) => {
                self.number(other);
            }
        }
    }
}
