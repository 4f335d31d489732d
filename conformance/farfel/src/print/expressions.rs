//! Expressions as text, by the precedence of Fortran.

use super::layout::Layout;
use crate::tree::{Expression, Intrinsic, Operator};

/// The precedence of an expression, from that of `.EQV.` to that of operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Precedence {
    Equivalence,
    Or,
    And,
    Not,
    Relation,
    Sum,
    Product,
    Power,
    Operand,
}

/// The printer of expressions.
pub(crate) struct Expressions<'layout> {
    pub(crate) layout: &'layout mut Layout,
}

impl Expressions<'_> {
    /// The text of an expression.
    pub(crate) fn text(&mut self, expression: &Expression) -> String {
        match expression {
            Expression::Real(text) => text.clone(),
            Expression::Integer(integer) => integer.to_string(),
            Expression::Logical(logical) => if *logical { ".TRUE." } else { ".FALSE." }.to_owned(),
            Expression::Name(name) => name.clone(),
            Expression::Passed(intrinsic) => passed(*intrinsic).to_owned(),
            Expression::Element(name, parts) | Expression::Call(name, parts) => self.applied(name, parts),
            Expression::Intrinsic(intrinsic, parts) => {
                let name = self.layout.any(names(*intrinsic));
                self.applied(name, parts)
            }
            Expression::Minus(part) => format!("-{}", self.at_least(Precedence::Product, part)),
            Expression::Not(part) => format!(".NOT. {}", self.at_least(Precedence::Relation, part)),
            Expression::Binary(operator, first, second) => {
                let own = precedence(expression);
                let next = |own| match own {
                    Precedence::Equivalence => Precedence::Or,
                    Precedence::Or => Precedence::And,
                    Precedence::And => Precedence::Not,
                    Precedence::Not | Precedence::Relation => Precedence::Sum,
                    Precedence::Sum => Precedence::Product,
                    Precedence::Product => Precedence::Power,
                    Precedence::Power | Precedence::Operand => Precedence::Operand,
                };
                let (left, right) = match own {
                    Precedence::Power => (Precedence::Operand, Precedence::Power),
                    Precedence::Relation => (Precedence::Sum, Precedence::Sum),
                    own => (own, next(own)),
                };
                let first = self.at_least(left, first);
                // A minus cannot follow an operator.
                let second = match (own, &**second) {
                    (Precedence::Relation, Expression::Minus(_)) => format!("({})", self.text(second)),
                    (_, second) => self.at_least(right, second),
                };
                let blank = self.layout.blank();
                format!("{first}{blank}{}{blank}{second}", symbol(*operator))
            }
        }
    }

    fn applied(&mut self, name: &str, parts: &[Expression]) -> String {
        let parts: Vec<String> = parts.iter().map(|part| self.text(part)).collect();
        format!("{name}({})", parts.join(&format!(",{}", self.layout.blank())))
    }

    fn at_least(&mut self, least: Precedence, part: &Expression) -> String {
        let text = self.text(part);
        if precedence(part) < least || self.layout.chance(3) { format!("({text})") } else { text }
    }
}

fn precedence(expression: &Expression) -> Precedence {
    match expression {
        Expression::Minus(_) => Precedence::Sum,
        Expression::Not(_) => Precedence::Not,
        Expression::Binary(operator, ..) => match operator {
            Operator::Add | Operator::Subtract => Precedence::Sum,
            Operator::Multiply | Operator::Divide => Precedence::Product,
            Operator::Power => Precedence::Power,
            Operator::And => Precedence::And,
            Operator::Or => Precedence::Or,
            Operator::Equivalent | Operator::NotEquivalent => Precedence::Equivalence,
            Operator::Equal
            | Operator::NotEqual
            | Operator::Less
            | Operator::NotGreater
            | Operator::Greater
            | Operator::NotLess => Precedence::Relation,
        },
        Expression::Real(_)
        | Expression::Integer(_)
        | Expression::Logical(_)
        | Expression::Name(_)
        | Expression::Passed(_)
        | Expression::Element(..)
        | Expression::Call(..)
        | Expression::Intrinsic(..) => Precedence::Operand,
    }
}

fn symbol(operator: Operator) -> &'static str {
    match operator {
        Operator::Add => "+",
        Operator::Subtract => "-",
        Operator::Multiply => "*",
        Operator::Divide => "/",
        Operator::Power => "**",
        Operator::Equal => ".EQ.",
        Operator::NotEqual => ".NE.",
        Operator::Less => ".LT.",
        Operator::NotGreater => ".LE.",
        Operator::Greater => ".GT.",
        Operator::NotLess => ".GE.",
        Operator::And => ".AND.",
        Operator::Or => ".OR.",
        Operator::Equivalent => ".EQV.",
        Operator::NotEquivalent => ".NEQV.",
    }
}

/// The name of an intrinsic function as an argument.
pub(super) fn passed(intrinsic: Intrinsic) -> &'static str {
    names(intrinsic).first().copied().unwrap_or_default()
}

/// The names of an intrinsic function, for operands of any type.
fn names(intrinsic: Intrinsic) -> &'static [&'static str] {
    match intrinsic {
        Intrinsic::Abs => &["ABS"],
        Intrinsic::Sqrt => &["SQRT", "DSQRT"],
        Intrinsic::Exp => &["EXP", "DEXP"],
        Intrinsic::Log => &["LOG", "ALOG", "DLOG"],
        Intrinsic::Log10 => &["LOG10", "ALOG10", "DLOG10"],
        Intrinsic::Sin => &["SIN", "DSIN"],
        Intrinsic::Cos => &["COS", "DCOS"],
        Intrinsic::Tan => &["TAN", "DTAN"],
        Intrinsic::Asin => &["ASIN", "DASIN"],
        Intrinsic::Acos => &["ACOS", "DACOS"],
        Intrinsic::Atan => &["ATAN", "DATAN"],
        Intrinsic::Atan2 => &["ATAN2", "DATAN2"],
        Intrinsic::Sinh => &["SINH", "DSINH"],
        Intrinsic::Cosh => &["COSH", "DCOSH"],
        Intrinsic::Tanh => &["TANH", "DTANH"],
        Intrinsic::Erf => &["ERF"],
        Intrinsic::Erfc => &["ERFC"],
        Intrinsic::RealMax => &["AMAX0"],
        Intrinsic::RealMin => &["AMIN0"],
        Intrinsic::WholeMax => &["MAX1"],
        Intrinsic::WholeMin => &["MIN1"],
        Intrinsic::Product => &["DPROD"],
        Intrinsic::Max => &["MAX"],
        Intrinsic::Min => &["MIN"],
        Intrinsic::Mod => &["MOD"],
        Intrinsic::Sign => &["SIGN"],
        Intrinsic::Dim => &["DIM"],
        Intrinsic::Int => &["INT", "IFIX", "IDINT"],
        Intrinsic::Aint => &["AINT", "DINT"],
        Intrinsic::Nint => &["NINT", "IDNINT"],
        Intrinsic::Anint => &["ANINT", "DNINT"],
        Intrinsic::Real => &["REAL", "FLOAT", "DBLE"],
    }
}
