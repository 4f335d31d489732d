//! The lists at the beginning and end of blocks of differentiation.

use crate::farfel::check::Checker;
use crate::farfel::check::entities::{Meaning, VarId};
use crate::farfel::syntax::tree::{AdItem, ExprId, Mode, Type};
use vlad_core::diagnostic::Kind;
use vlad_core::source::Span;

impl Checker<'_> {
    /// Checks the list that begins a block.
    pub(super) fn check_opens(&mut self, mode: Mode, opens: &[AdItem]) {
        let mut seen = vec![];
        self.check_open_items(mode, opens, &mut seen);
    }

    fn check_open_items(&mut self, mode: Mode, opens: &[AdItem], seen: &mut Vec<VarId>) {
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
                    self.differentiated(*variable, mode, &mut vec![]);
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
    fn differentiated(&mut self, id: ExprId, mode: Mode, seen: &mut Vec<VarId>) {
        let span = self.tree.span(id);
        let var = match self.entities.meaning(id) {
            Meaning::Variable(var) => {
                if seen.contains(&var) {
                    let message = format!("{} is named twice in this list", self.shown(self.entities.var(var).name));
                    self.error(Kind::Duplicate, span, message);
                }
                seen.push(var);
                var
            }
            Meaning::Element(var) => var,
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
