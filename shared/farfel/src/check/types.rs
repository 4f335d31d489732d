//! The types of expressions.
//!
//! Parts have smaller numbers than the whole, so one loop over all expressions suffices. An expression that is no value -
//! a whole array, a procedure - has no type; where a value is needed, [`Checker::value`] reports it.

use crate::check::Checker;
use crate::check::entities::{Callee, Meaning, VarKind};
use crate::check::intrinsics::{Intrinsic, Operands};
use crate::syntax::tree::{Binary, Expr, ExprId, Type, Unary};
use vlad_core::diagnostic::Kind;

impl Checker<'_> {
    /// Finds the types of all expressions.
    pub(super) fn find_types(&mut self) {
        for id in (0..self.tree.count() as u32).map(ExprId) {
            let kind = self.find_type(id);
            if let Some(place) = self.entities.types.get_mut(id.0 as usize) {
                *place = kind;
            }
        }
    }

    fn find_type(&mut self, id: ExprId) -> Option<Type> {
        match self.tree.expr(id) {
            Expr::Integer(_) => Some(Type::Integer),
            Expr::Real(_) => Some(Type::Real),
            Expr::Logical(_) => Some(Type::Logical),
            Expr::Unary(operation, operand) => {
                let kind = self.value(operand)?;
                match operation {
                    Unary::Group => Some(kind),
                    Unary::Plus | Unary::Minus => self.number(operand),
                    Unary::Not => self.logical(operand),
                }
            }
            Expr::Binary(operation, first, second) => self.operation(operation, first, second),
            Expr::Name(_) | Expr::Apply(..) => match self.entities.meaning(id) {
                Meaning::Variable(var) => match self.entities.var(var).kind {
                    VarKind::Scalar(kind) => Some(kind),
                    VarKind::Array(..) | VarKind::Procedure(_) | VarKind::State | VarKind::Depth => None,
                },
                Meaning::Element(var) => {
                    self.subscripts(id, var);
                    Some(self.entities.element_type(var))
                }
                Meaning::Call(Callee::Unit(unit)) => {
                    self.entities.scope(unit).result.map(|result| self.entities.element_type(result))
                }
                Meaning::Call(Callee::Parameter(var)) => Some(self.entities.element_type(var)),
                Meaning::Intrinsic(intrinsic) => self.intrinsic_type(id, intrinsic),
                Meaning::None | Meaning::Procedure(_) => None,
            },
        }
    }

    /// Returns the type of an expression that has to be a value.
    pub(super) fn value(&mut self, id: ExprId) -> Option<Type> {
        let kind = self.entities.type_of(id);
        if kind.is_none() {
            let span = self.tree.span(id);
            match self.entities.meaning(id) {
                Meaning::Variable(_) => {
                    let hint = "a whole array stands as an argument, in PRINT, and in TANGENT(..) and COTANGENT(..)";
                    self.error_with_hint(Kind::Type, span, "a whole array is no value here", hint);
                }
                Meaning::Procedure(_) => {
                    let hint = "a function is called with parentheses, also without arguments";
                    self.error_with_hint(Kind::Type, span, "a procedure is no value", hint);
                }
                Meaning::None | Meaning::Element(_) | Meaning::Call(_) | Meaning::Intrinsic(_) => {}
            }
        }
        kind
    }

    /// Returns the type of an expression that has to be a number.
    pub(super) fn number(&mut self, id: ExprId) -> Option<Type> {
        match self.value(id)? {
            Type::Logical => {
                self.error(Kind::Type, self.tree.span(id), "a number is expected here, found LOGICAL");
                None
            }
            kind @ (Type::Real | Type::Integer) => Some(kind),
        }
    }

    /// Checks that an expression is an integer.
    pub(super) fn integer(&mut self, id: ExprId) -> Option<Type> {
        match self.value(id)? {
            Type::Integer => Some(Type::Integer),
            kind @ (Type::Real | Type::Logical) => {
                let message = format!("INTEGER is expected here, found {}", kind.text());
                self.error(Kind::Type, self.tree.span(id), message);
                None
            }
        }
    }

    /// Checks that an expression is a truth value.
    pub(super) fn logical(&mut self, id: ExprId) -> Option<Type> {
        match self.value(id)? {
            Type::Logical => Some(Type::Logical),
            kind @ (Type::Real | Type::Integer) => {
                let message = format!("LOGICAL is expected here, found {}", kind.text());
                self.error(Kind::Type, self.tree.span(id), message);
                None
            }
        }
    }

    fn operation(&mut self, operation: Binary, first: ExprId, second: ExprId) -> Option<Type> {
        match operation {
            Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide | Binary::Power => {
                let (first, second) = (self.number(first), self.number(second));
                match (first?, second?) {
                    (Type::Integer, Type::Integer) => Some(Type::Integer),
                    _ => Some(Type::Real),
                }
            }
            Binary::Equal
            | Binary::NotEqual
            | Binary::Less
            | Binary::LessOrEqual
            | Binary::Greater
            | Binary::GreaterOrEqual => {
                self.number(first);
                self.number(second);
                Some(Type::Logical)
            }
            Binary::And | Binary::Or | Binary::Equivalent | Binary::NotEquivalent => {
                self.logical(first);
                self.logical(second);
                Some(Type::Logical)
            }
        }
    }

    fn subscripts(&mut self, id: ExprId, var: crate::check::entities::VarId) {
        let Expr::Apply(name, parts) = self.tree.expr(id) else { return };
        let VarKind::Array(_, dimensions) = &self.entities.var(var).kind else { return };
        let (expected, found) = (dimensions.len(), parts.count());
        if expected != found {
            let message = format!("{} has {expected} dimensions, found {found} subscripts", self.shown(name));
            self.error(Kind::Type, self.tree.span(id), message);
        }
        for part in self.tree.parts(parts) {
            self.integer(*part);
        }
    }

    /// Returns true if an expression is an integer literal, which may stand for a real.
    pub(super) fn is_literal(&self, id: ExprId) -> bool {
        let mut id = id;
        loop {
            match self.tree.expr(id) {
                Expr::Integer(_) => return true,
                Expr::Unary(Unary::Minus | Unary::Plus | Unary::Group, inner) => id = inner,
                _ => return false,
            }
        }
    }

    fn intrinsic_type(&mut self, id: ExprId, intrinsic: Intrinsic) -> Option<Type> {
        let Expr::Apply(_, parts) = self.tree.expr(id) else { return None };
        let (least, most) = intrinsic.count;
        let count = parts.count();
        if count < least || most.is_some_and(|most| count > most) {
            let expected = match most {
                Some(1) => "one argument".to_owned(),
                Some(most) => format!("{most} arguments"),
                None => format!("at least {least} arguments"),
            };
            let message = format!("{} takes {expected}, found {count}", intrinsic.name);
            self.error(Kind::Type, self.tree.span(id), message);
            return intrinsic.result;
        }
        let mut joined = None;
        for part in self.tree.parts(parts) {
            let Some(kind) = self.number(*part) else { continue };
            let expected = match intrinsic.operands {
                Operands::Reals if kind == Type::Integer && !self.is_literal(*part) => Some(Type::Real),
                Operands::Integers if kind == Type::Real => Some(Type::Integer),
                Operands::Reals | Operands::Integers | Operands::Numbers => None,
            };
            if let Some(expected) = expected {
                let message = format!("{} takes {}, found {}", intrinsic.name, expected.text(), kind.text());
                let hint = match expected {
                    Type::Real => "REAL(..) converts",
                    Type::Integer | Type::Logical => "INT(..) converts",
                };
                self.error_with_hint(Kind::Type, self.tree.span(*part), message, hint);
            }
            joined = match (joined, kind) {
                (None | Some(Type::Integer), kind) => Some(kind),
                (Some(joined), _) => Some(joined),
            };
        }
        intrinsic.result.or(joined)
    }
}
