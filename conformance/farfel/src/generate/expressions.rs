//! Expressions: of moderate size, without poles but for a few.

use super::scope::Variable;
use super::{Generator, binary, integer, intrinsic, name};
use crate::tree::{Expression, Intrinsic, Operator, Type};

impl Generator {
    /// An expression of a type.
    pub(super) fn value(&mut self, sort: Type, depth: u32) -> Expression {
        match sort {
            Type::Real => self.real(depth),
            Type::Integer => self.small_integer(depth),
            Type::Logical => self.logical(depth),
        }
    }

    pub(super) fn literal(&mut self, sort: Type) -> Expression {
        match sort {
            Type::Real => {
                const ALL: [&str; 12] =
                    ["0.5", "1.25", "2.0", "1.5E0", "2.D0", ".75", "3.", "1E1", "25E-2", "0.1", "7.5e-1", "1.0d-1"];
                let text = self.pick(&ALL).unwrap_or("1.0").to_uppercase();
                let real = Expression::Real(text);
                if self.chance(30) { Expression::Minus(Box::new(real)) } else { real }
            }
            Type::Integer => {
                let number = self.below(9) as i64 - 3;
                integer(number)
            }
            Type::Logical => Expression::Logical(self.rng.bool()),
        }
    }

    /// A real.
    pub(super) fn real(&mut self, depth: u32) -> Expression {
        if depth == 0 || self.chance(20) {
            return self.real_leaf();
        }
        let next = depth - 1;
        match self.below(26) {
            0..=4 => binary(Operator::Add, self.real(next), self.real(next)),
            5..=6 => binary(Operator::Subtract, self.real(next), self.real(next)),
            7..=10 => binary(Operator::Multiply, self.real(next), self.real(next)),
            11 => {
                let below = binary(Operator::Add, Expression::Real("2.5".to_owned()), self.bounded(next));
                binary(Operator::Divide, self.real(next), below)
            }
            12 => Expression::Minus(Box::new(self.real(next))),
            13 => self.power(next),
            14..=16 => self.bounded(next),
            17 => {
                let part = self.real(next);
                let square = binary(Operator::Multiply, part.clone(), part);
                let positive = binary(Operator::Add, Expression::Real("1.0".to_owned()), square);
                let function =
                    self.pick(&[Intrinsic::Sqrt, Intrinsic::Log, Intrinsic::Log10]).unwrap_or(Intrinsic::Sqrt);
                intrinsic(function, [positive])
            }
            18 => {
                let function = self
                    .pick(&[Intrinsic::Exp, Intrinsic::Sinh, Intrinsic::Cosh, Intrinsic::Tan])
                    .unwrap_or(Intrinsic::Exp);
                let part = self.bounded(next);
                intrinsic(function, [part])
            }
            19 => {
                let function = self.pick(&[Intrinsic::Asin, Intrinsic::Acos]).unwrap_or(Intrinsic::Asin);
                let half = binary(Operator::Multiply, Expression::Real("0.5".to_owned()), self.bounded(next));
                intrinsic(function, [half])
            }
            20 => self.piecewise(next),
            23 => {
                let function = self.pick(&[Intrinsic::Erf, Intrinsic::Erfc]).unwrap_or(Intrinsic::Erf);
                intrinsic(function, [self.real(next)])
            }
            24 => {
                let below = binary(Operator::Add, Expression::Real("2.5".to_owned()), self.bounded(next));
                intrinsic(Intrinsic::Atan2, [self.real(next), below])
            }
            21 => intrinsic(Intrinsic::Real, [self.small_integer(next)]),
            22 => self.called(Type::Real).unwrap_or_else(|| self.real_leaf()),
            _ => binary(Operator::Multiply, self.small_integer(next), self.real(next)),
        }
    }

    fn real_leaf(&mut self) -> Expression {
        match self.below(10) {
            0..=5 => match self.scalar_of(Type::Real) {
                Some(variable) => {
                    self.uses(&variable);
                    name(&variable.name)
                }
                None => self.literal(Type::Real),
            },
            6 => match self.scalar_of(Type::Integer) {
                Some(variable) => {
                    self.uses(&variable);
                    binary(Operator::Multiply, name(&variable.name), Expression::Real("0.5".to_owned()))
                }
                None => self.literal(Type::Real),
            },
            7 => self.element(Type::Real).unwrap_or_else(|| self.literal(Type::Real)),
            _ => self.literal(Type::Real),
        }
    }

    /// A real between -2 and 2.
    pub(super) fn bounded(&mut self, depth: u32) -> Expression {
        let function =
            self.pick(&[Intrinsic::Sin, Intrinsic::Cos, Intrinsic::Tanh, Intrinsic::Atan]).unwrap_or(Intrinsic::Sin);
        let part = self.real(depth);
        intrinsic(function, [part])
    }

    fn power(&mut self, depth: u32) -> Expression {
        if self.chance(70) {
            let base = self.real(depth);
            let exponent = integer(2 + self.below(2) as i64);
            return binary(Operator::Power, base, exponent);
        }
        let base = binary(Operator::Add, Expression::Real("2.5".to_owned()), self.bounded(depth));
        let exponent = if self.rng.bool() { self.bounded(depth) } else { self.small_integer(1) };
        binary(Operator::Power, base, exponent)
    }

    fn piecewise(&mut self, depth: u32) -> Expression {
        let (first, second) = (self.real(depth), self.real(depth));
        match self.below(10) {
            0 => intrinsic(Intrinsic::Max, [first, second]),
            8 => intrinsic(Intrinsic::Product, [first, second]),
            // Of an ordinary compiler these are of single precision.
            9 if !self.options.is_ordinary => {
                let function = self.pick(&[Intrinsic::RealMax, Intrinsic::RealMin]).unwrap_or(Intrinsic::RealMax);
                intrinsic(function, [self.small_integer(1), self.small_integer(1)])
            }
            1 => intrinsic(Intrinsic::Min, [first, second]),
            2 => {
                let third = self.real(depth);
                intrinsic(Intrinsic::Max, [first, second, third])
            }
            3 => intrinsic(Intrinsic::Abs, [first]),
            4 => intrinsic(Intrinsic::Sign, [first, second]),
            5 => intrinsic(Intrinsic::Dim, [first, second]),
            6 => {
                let below = binary(Operator::Add, Expression::Real("2.5".to_owned()), self.bounded(depth));
                intrinsic(Intrinsic::Mod, [first, below])
            }
            _ => {
                let function = self.pick(&[Intrinsic::Aint, Intrinsic::Anint]).unwrap_or(Intrinsic::Aint);
                intrinsic(function, [first])
            }
        }
    }

    /// An element of an array in scope.
    pub(super) fn element(&mut self, sort: Type) -> Option<Expression> {
        let all = self.variables(|variable| variable.sort == sort && variable.bounds.is_some());
        let array = self.pick(&all)?;
        self.uses(&array);
        Some(self.element_of(&array))
    }

    /// An element of an array, with indices within its bounds.
    pub(super) fn element_of(&mut self, array: &Variable) -> Expression {
        let bounds = array.bounds.clone().unwrap_or_default();
        let indices = bounds.iter().map(|(lower, upper)| self.index(*lower, *upper)).collect();
        Expression::Element(array.name.clone(), indices)
    }

    fn index(&mut self, lower: i64, upper: i64) -> Expression {
        let within = self
            .variables(|variable| variable.range.is_some_and(|(least, greatest)| least >= lower && greatest <= upper));
        match self.pick(&within) {
            Some(variable) if self.chance(70) => {
                self.uses(&variable);
                name(&variable.name)
            }
            Some(_) | None if self.chance(25) => {
                // |e| mod the extent, from the lower bound on.
                let value = intrinsic(Intrinsic::Abs, [self.small_integer(1)]);
                let rest = intrinsic(Intrinsic::Mod, [value, integer(upper - lower + 1)]);
                if lower == 0 { rest } else { binary(Operator::Add, rest, integer(lower)) }
            }
            Some(_) | None => integer(lower + self.below((upper - lower + 1).max(1) as usize) as i64),
        }
    }

    /// An integer, which is small.
    pub(super) fn small_integer(&mut self, depth: u32) -> Expression {
        if depth == 0 || self.chance(35) {
            return self.integer_leaf();
        }
        let next = depth - 1;
        let value = match self.below(13) {
            0..=3 => binary(Operator::Add, self.integer_leaf(), self.small_integer(next)),
            4..=5 => binary(Operator::Subtract, self.small_integer(next), self.integer_leaf()),
            6 => binary(Operator::Multiply, self.integer_leaf(), integer(1 + self.below(3) as i64)),
            7 => binary(Operator::Divide, self.small_integer(next), integer(2 + self.below(3) as i64)),
            8 => {
                let function = self.pick(&[Intrinsic::Int, Intrinsic::Nint]).unwrap_or(Intrinsic::Int);
                let scaled = binary(Operator::Multiply, Expression::Real("3.0".to_owned()), self.bounded(next));
                intrinsic(function, [scaled])
            }
            9 => binary(Operator::Power, intrinsic(Intrinsic::Mod, [self.integer_leaf(), integer(3)]), integer(2)),
            10 => {
                let function = self
                    .pick(&[Intrinsic::Max, Intrinsic::Min, Intrinsic::Sign, Intrinsic::Dim])
                    .unwrap_or(Intrinsic::Max);
                intrinsic(function, [self.integer_leaf(), self.small_integer(next)])
            }
            11 => {
                let function = self.pick(&[Intrinsic::WholeMax, Intrinsic::WholeMin]).unwrap_or(Intrinsic::WholeMax);
                intrinsic(function, [self.bounded(next), self.bounded(next)])
            }
            _ => return self.called(Type::Integer).unwrap_or_else(|| self.integer_leaf()),
        };
        if self.chance(50) { intrinsic(Intrinsic::Mod, [value, integer(5 + self.below(5) as i64)]) } else { value }
    }

    fn integer_leaf(&mut self) -> Expression {
        match self.below(4) {
            0..=1 => match self.scalar_of(Type::Integer) {
                Some(variable) => {
                    self.uses(&variable);
                    name(&variable.name)
                }
                None => self.literal(Type::Integer),
            },
            2 if self.chance(30) => self.element(Type::Integer).unwrap_or_else(|| self.literal(Type::Integer)),
            _ => self.literal(Type::Integer),
        }
    }

    /// A truth value.
    pub(super) fn logical(&mut self, depth: u32) -> Expression {
        if depth == 0 {
            return match self.scalar_of(Type::Logical) {
                Some(variable) if self.chance(60) => {
                    self.uses(&variable);
                    name(&variable.name)
                }
                Some(_) | None if self.chance(30) => {
                    self.element(Type::Logical).unwrap_or_else(|| self.literal(Type::Logical))
                }
                Some(_) | None => self.literal(Type::Logical),
            };
        }
        let next = depth - 1;
        match self.below(10) {
            0..=5 => {
                let all = [
                    Operator::Less,
                    Operator::NotGreater,
                    Operator::Greater,
                    Operator::NotLess,
                    Operator::Equal,
                    Operator::NotEqual,
                ];
                let operator = self.pick(&all).unwrap_or(Operator::Less);
                if self.chance(40) {
                    binary(operator, self.small_integer(next), self.small_integer(next))
                } else {
                    binary(operator, self.real(next), self.real(next))
                }
            }
            6 => Expression::Not(Box::new(self.logical(next))),
            _ => {
                let all = [Operator::And, Operator::Or, Operator::Equivalent, Operator::NotEquivalent];
                let operator = self.pick(&all).unwrap_or(Operator::And);
                binary(operator, self.logical(next), self.logical(next))
            }
        }
    }

    /// A call of a function without effects.
    fn called(&mut self, sort: Type) -> Option<Expression> {
        if self.options.is_ordinary && self.stack.last().is_some_and(|unit| unit.in_block) {
            return None;
        }
        let (procedure, arguments) = self.call(|procedure| procedure.result == Some(sort) && !procedure.has_effects)?;
        Some(Expression::Call(procedure.name, arguments))
    }
}
