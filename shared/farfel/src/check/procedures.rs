//! The parameters that are procedures, and the subprograms that may be given for each: a fixed point over the calls.
//!
//! A parameter is a procedure if it is declared `EXTERNAL`, called, given a subprogram, or handed on to a parameter that
//! is one.

use crate::check::entities::{Callee, Meaning, Origin, VarId, VarKind};
use crate::check::{Checker, Site};
use crate::syntax::tree::{Expr, ExprId};

impl Checker<'_> {
    /// Finds the procedures among the parameters, and changes the meanings of their names.
    pub(super) fn find_procedures(&mut self) {
        let tree = self.tree;
        // Only arguments that are names of procedures, or of parameters that may be some, matter.
        let mut candidates: Vec<(Callee, Vec<(usize, ExprId)>)> = vec![];
        for Site { call, callee, .. } in &self.sites {
            let Expr::Apply(_, parts) = tree.expr(*call) else { continue };
            let arguments =
                tree.parts(parts).iter().enumerate().filter(|(_, argument)| match self.entities.meaning(**argument) {
                    Meaning::Procedure(_) => true,
                    Meaning::Variable(var) => matches!(
                        (self.entities.var(var).origin, &self.entities.var(var).kind),
                        (Origin::Parameter(_), VarKind::Scalar(_) | VarKind::Procedure(_))
                    ),
                    Meaning::None | Meaning::Element(_) | Meaning::Call(_) | Meaning::Intrinsic(_) => false,
                });
            let arguments: Vec<(usize, ExprId)> = arguments.map(|(place, argument)| (place, *argument)).collect();
            if !arguments.is_empty() {
                candidates.push((*callee, arguments));
            }
        }
        let mut changes = true;
        while changes {
            changes = false;
            for (callee, arguments) in &candidates {
                for target in self.entities.targets(*callee) {
                    for (place, argument) in arguments {
                        let Some(parameter) = self.entities.scope(target).parameters.get(*place).copied() else {
                            continue;
                        };
                        changes |= self.flow(*argument, parameter);
                    }
                }
            }
        }
        for id in (0..tree.count() as u32).map(ExprId) {
            if let Meaning::Variable(var) = self.entities.meaning(id)
                && self.entities.is_procedure(var)
            {
                self.entities.set_meaning(id, Meaning::Procedure(Callee::Parameter(var)));
            }
        }
    }

    /// Lets an argument flow to a parameter; returns true if anything is new.
    fn flow(&mut self, argument: ExprId, parameter: VarId) -> bool {
        let (units, is_procedure) = match self.entities.meaning(argument) {
            Meaning::Procedure(Callee::Unit(unit)) => (vec![unit], true),
            Meaning::Variable(var) => {
                if !self.entities.is_procedure(var) && self.entities.is_procedure(parameter) {
                    let kind = self.entities.element_type(var);
                    self.set_kind(var, VarKind::Procedure(kind));
                    self.flow(argument, parameter);
                    return true;
                }
                (self.entities.targets(Callee::Parameter(var)), self.entities.is_procedure(var))
            }
            Meaning::None
            | Meaning::Element(_)
            | Meaning::Call(_)
            | Meaning::Procedure(Callee::Parameter(_))
            | Meaning::Intrinsic(_) => return false,
        };
        let mut changes = false;
        if is_procedure && let VarKind::Scalar(kind) = self.entities.var(parameter).kind {
            self.set_kind(parameter, VarKind::Procedure(kind));
            changes = true;
        }
        if !units.is_empty() {
            let flows = self.entities.flows.entry(parameter).or_default();
            let before = flows.len();
            flows.extend(units);
            changes |= flows.len() > before;
        }
        changes
    }
}
