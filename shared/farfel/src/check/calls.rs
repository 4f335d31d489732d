//! The arguments of calls: their number and kinds, where it is known what is called.

use crate::check::entities::{Callee, Meaning, VarId, VarKind};
use crate::check::{Checker, Site};
use crate::program::units::UnitId;
use crate::syntax::tree::{Expr, ExprId, Type};
use vlad_core::diagnostic::Kind;

impl Checker<'_> {
    /// Checks all calls against all that they may call.
    pub(super) fn check_calls(&mut self) {
        for site in std::mem::take(&mut self.sites) {
            for target in self.entities.targets(site.callee) {
                if !self.check_call(&site, target) {
                    break;
                }
            }
            if let Callee::Parameter(_) = site.callee {
                self.check_arguments_are_given(&site);
            }
            self.sites.push(site);
        }
    }

    /// Reports arguments that no call of an unknown procedure may have.
    fn check_arguments_are_given(&mut self, site: &Site) {
        let Expr::Apply(_, parts) = self.tree.expr(site.call) else { return };
        for argument in self.tree.parts(parts) {
            match self.entities.meaning(*argument) {
                Meaning::Variable(_) | Meaning::Procedure(_) => {}
                Meaning::None | Meaning::Element(_) | Meaning::Call(_) | Meaning::Intrinsic(_) => {
                    self.value(*argument);
                }
            }
        }
    }

    /// Checks a call against one subprogram that it may call; returns false if an error was reported.
    fn check_call(&mut self, site: &Site, target: UnitId) -> bool {
        let Expr::Apply(written, parts) = self.tree.expr(site.call) else { return true };
        let span = self.tree.span(site.call);
        let (tree, target_name) = (self.tree, self.program.unit(target).name.name);
        let name = match site.callee {
            Callee::Unit(_) => self.shown(target_name),
            Callee::Parameter(_) => format!("{} (which may be {})", self.shown(written), self.shown(target_name)),
        };
        let result = self.entities.scope(target).result;
        match (site.is_statement, result) {
            (true, Some(_)) => {
                self.error_with_hint(
                    Kind::Type,
                    span,
                    format!("{name} is a function, which CALL does not call"),
                    "X = F(..)",
                );
                return false;
            }
            (false, None) => {
                self.error_with_hint(
                    Kind::Type,
                    span,
                    format!("{name} is a subroutine and has no value"),
                    "CALL P(..)",
                );
                return false;
            }
            _ => {}
        }
        if let (Callee::Parameter(var), Some(result), false) = (site.callee, result, site.is_statement) {
            let (stated, own) = (self.entities.element_type(var), self.entities.element_type(result));
            if stated != own {
                let message = format!("{name} is a function that is {}, but {} here", own.text(), stated.text());
                self.error(Kind::Type, span, message);
                return false;
            }
        }
        let parameters = self.entities.scope(target).parameters.clone();
        let arguments = tree.parts(parts);
        if parameters.len() != arguments.len() {
            let expected = match parameters.len() {
                0 => "no arguments".to_owned(),
                1 => "one argument".to_owned(),
                count => format!("{count} arguments"),
            };
            self.error(Kind::Type, span, format!("{name} takes {expected}, found {}", arguments.len()));
            return false;
        }
        let mut is_sound = true;
        for (argument, parameter) in arguments.iter().zip(parameters) {
            is_sound &= self.check_argument(*argument, parameter, &name);
        }
        is_sound
    }

    /// Returns the name of a variable that is given for a procedure and has the name of a subprogram of the text.
    fn hidden_subprogram(&self, argument: ExprId, parameter: VarId) -> Option<String> {
        match (self.entities.meaning(argument), &self.entities.var(parameter).kind) {
            (Meaning::Variable(var), VarKind::Procedure(_)) => {
                let name = self.entities.var(var).name;
                self.top.contains_key(&name).then(|| self.shown(name))
            }
            _ => None,
        }
    }

    fn check_argument(&mut self, argument: ExprId, parameter: VarId, name: &str) -> bool {
        let span = self.tree.span(argument);
        let parameter_name = self.shown(self.entities.var(parameter).name);
        let expected = match self.entities.var(parameter).kind {
            VarKind::Scalar(kind) => {
                if let Meaning::Variable(var) = self.entities.meaning(argument)
                    && self.entities.is_array(var)
                {
                    format!("a scalar for {parameter_name}, found an array")
                } else {
                    let Some(found) = self.value(argument) else { return false };
                    if found == kind || (kind == Type::Real && self.is_literal(argument)) {
                        return true;
                    }
                    format!("{} for {parameter_name}, found {}", kind.text(), found.text())
                }
            }
            VarKind::Array(kind, _) => match self.entities.meaning(argument) {
                Meaning::Variable(var) if self.entities.is_array(var) => {
                    let found = self.entities.element_type(var);
                    if found == kind {
                        return true;
                    }
                    format!("an array of {} for {parameter_name}, found one of {}", kind.text(), found.text())
                }
                Meaning::Element(_) => {
                    let message = format!("{name} expects an array for {parameter_name}, found an element of one");
                    let hint = "pass the whole array, and the place of the first element as another argument";
                    self.error_with_hint(Kind::Type, span, message, hint);
                    return false;
                }
                Meaning::None
                | Meaning::Variable(_)
                | Meaning::Call(_)
                | Meaning::Procedure(_)
                | Meaning::Intrinsic(_) => format!("an array for {parameter_name}"),
            },
            VarKind::Procedure(_) => match self.entities.meaning(argument) {
                Meaning::Procedure(_) => return true,
                Meaning::None
                | Meaning::Variable(_)
                | Meaning::Element(_)
                | Meaning::Call(_)
                | Meaning::Intrinsic(_) => format!("a procedure for {parameter_name}"),
            },
            VarKind::State | VarKind::Depth => return true,
        };
        let message = format!("{name} expects {expected}");
        match self.hidden_subprogram(argument, parameter) {
            Some(hidden) => {
                let hint = format!("{hidden} is a variable here; declare it EXTERNAL to pass the subprogram {hidden}");
                self.error_with_hint(Kind::Type, span, message, &hint);
            }
            None => self.error(Kind::Type, span, message),
        }
        false
    }
}
