//! The functions that the language has without a definition: one row each.
//!
//! Operations are those of the project's table; the kind of their numbers is the rule of this language.

use vlad_table::operations::{Arity, OPERATIONS as TABLE, Operation, OperationRow};
use vlad_table::primitives::Comparison;

/// The kinds of the numbers of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KindRule {
    /// Operands and result are of one kind, which the least solution decides.
    Kept,
    /// Operands and result are `Double`.
    Double,
}

/// An operation that programs name.
#[derive(Clone, Copy, Debug)]
pub struct OperationName {
    /// The name in programs: a word, or the symbol of an infix operator.
    pub name: &'static str,
    /// The operation.
    pub operation: Operation,
    /// The kinds of its numbers.
    pub kinds: KindRule,
}

/// The operations that programs can name, in the order of the table. Unary minus is the sign, not a name.
pub const OPERATIONS: [OperationName; TABLE.len() - 1] = named();

/// The name of an operation, and the kinds of its numbers; none for [`Operation::Copy`].
const fn name_of(row: &OperationRow) -> Option<(&'static str, KindRule)> {
    match row.operation {
        Operation::Add
        | Operation::Subtract
        | Operation::Multiply
        | Operation::Negate
        | Operation::Absolute
        | Operation::Maximum
        | Operation::Minimum
        | Operation::Modulo => Some((row.name, KindRule::Kept)),
        Operation::Power => Some(("**", KindRule::Double)),
        // The product of the rules of differentiation, which is +0 where a factor is zero (report, rule 5b).
        Operation::GuardedMultiply => Some(("guarded", KindRule::Double)),
        Operation::Copy => None,
        _ => Some((row.name, KindRule::Double)),
    }
}

#[allow(clippy::indexing_slicing)] // evaluated at compile time: an index out of range does not compile
const fn named() -> [OperationName; TABLE.len() - 1] {
    let mut named = [OperationName { name: "", operation: Operation::Copy, kinds: KindRule::Double }; TABLE.len() - 1];
    let (mut row, mut next) = (0, 0);
    while row < TABLE.len() {
        if let Some((name, kinds)) = name_of(&TABLE[row]) {
            named[next] = OperationName { name, operation: TABLE[row].operation, kinds };
            next += 1;
        }
        row += 1;
    }
    named
}

/// Returns the row of an operation; none for [`Operation::Copy`], which programs cannot name.
pub fn operation(operation: Operation) -> Option<&'static OperationName> {
    OPERATIONS.iter().find(|row| row.operation == operation)
}

/// The operators of differentiation that take a function and a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DerivativeOperator {
    /// `(Double => M) => Double => D_T M`.
    Diff,
    /// `(Vector => Double) => Vector => VectorD`.
    Grad,
    /// `(Vector => Vector) => Vector => MatrixD`; row i is the derivative by input i.
    Jacob,
    /// As [`DerivativeOperator::Diff`].
    VDiff,
    /// As [`DerivativeOperator::Diff`].
    MDiff,
    /// `(Matrix => Double) => Matrix => MatrixD`.
    MGrad,
    /// `(Vector => Double) => Vector => Matrix`.
    Hessian,
}

impl DerivativeOperator {
    /// All of them.
    pub const ALL: [DerivativeOperator; 7] = [
        DerivativeOperator::Diff,
        DerivativeOperator::Grad,
        DerivativeOperator::Jacob,
        DerivativeOperator::VDiff,
        DerivativeOperator::MDiff,
        DerivativeOperator::MGrad,
        DerivativeOperator::Hessian,
    ];

    /// Returns the name in programs.
    pub fn name(self) -> &'static str {
        match self {
            DerivativeOperator::Diff => "diff",
            DerivativeOperator::Grad => "grad",
            DerivativeOperator::Jacob => "jacob",
            DerivativeOperator::VDiff => "vdiff",
            DerivativeOperator::MDiff => "mdiff",
            DerivativeOperator::MGrad => "mgrad",
            DerivativeOperator::Hessian => "hessian",
        }
    }
}

/// The operators of reverse mode, `(M => N) => M => N => N * M`: of a function, a point and a cotangent of the result
/// they make the result and the cotangent of the point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReverseOperator {
    /// `*j`, as `vjp`.
    Reverse,
    /// `checkpoint-*j`, as `vjpCheckpoint`.
    Checkpoint,
}

impl ReverseOperator {
    /// Both.
    pub const ALL: [ReverseOperator; 2] = [ReverseOperator::Reverse, ReverseOperator::Checkpoint];

    /// Returns the name in programs.
    pub fn name(self) -> &'static str {
        match self {
            ReverseOperator::Reverse => "vjp",
            ReverseOperator::Checkpoint => "vjpCheckpoint",
        }
    }
}

/// The words that cannot be names.
pub const KEYWORDS: [&str; 9] = ["fun", "let", "in", "if", "then", "else", "true", "false", "deriv"];

/// Returns true if a word is a keyword or the name of a function of the language.
pub fn is_taken(word: &str) -> bool {
    KEYWORDS.contains(&word)
        || FUNCTIONS.iter().any(|(_, name, _)| *name == word)
        || OPERATIONS.iter().any(|row| row.name == word)
        || DerivativeOperator::ALL.iter().any(|operator| operator.name() == word)
        || ReverseOperator::ALL.iter().any(|operator| operator.name() == word)
}

/// A function of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // [`Builtin::name`] says which they are
pub enum Builtin {
    Operation(Operation),
    Quotient,
    Compare(Comparison),
    Unequal,
    And,
    Or,
    Not,
    Build,
    Ifold,
    Get,
    Length,
    OfLength,
    Pair,
    First,
    Second,
    Write,
    Forward,
    Derivative(DerivativeOperator),
    Reverse(ReverseOperator),
}

/// The functions of the language that stand for themselves, with their names and numbers of operands. `deriv` is a form, and so a keyword.
///
/// `ofLength`, `Array<M> => Card => Array<M>`, is the array itself, or an error if its length is another one. `jvp`, of
/// the type `(M => N) => M => M => N * N`, makes the result and its tangent of a function, a point and a tangent of the
/// point: the operator `j*`. `quotient`, `Index => Index => Index`, is the whole part of a quotient, rounded down: a division
/// of the type Index. `write`, `M => M`, prints its operand and is it.
pub const FUNCTIONS: [(Builtin, &str, usize); 11] = [
    (Builtin::Build, "build", 2),
    (Builtin::Ifold, "ifold", 3),
    (Builtin::Get, "get", 2),
    (Builtin::Length, "length", 1),
    (Builtin::OfLength, "ofLength", 2),
    (Builtin::Pair, "pair", 2),
    (Builtin::First, "fst", 1),
    (Builtin::Second, "snd", 1),
    (Builtin::Forward, "jvp", 3),
    (Builtin::Quotient, "quotient", 2),
    (Builtin::Write, "write", 1),
];

/// The operators beside those of [`OPERATIONS`] that rules of rewriting name by their symbols.
const SYMBOLS: [Builtin; 6] = [
    Builtin::Not,
    Builtin::Compare(Comparison::Equal),
    Builtin::Compare(Comparison::Less),
    Builtin::Compare(Comparison::Greater),
    Builtin::Compare(Comparison::NotGreater),
    Builtin::Compare(Comparison::NotLess),
];

/// The greatest number of operands of a function of the language.
pub const MOST_OPERANDS: usize = 3;

impl Builtin {
    /// Returns the function of a name or symbol; `&&`, `||` and `<>` are none.
    pub fn named(word: &str) -> Option<Builtin> {
        let operation = OPERATIONS.iter().find(|row| row.name == word).map(|row| Builtin::Operation(row.operation));
        let derivative = || DerivativeOperator::ALL.into_iter().find(|operator| operator.name() == word);
        let reverse = || ReverseOperator::ALL.into_iter().find(|operator| operator.name() == word);
        let other = || FUNCTIONS.iter().find(|(_, name, _)| *name == word).map(|(function, ..)| *function);
        let symbol = || SYMBOLS.into_iter().find(|builtin| builtin.name() == word);
        operation
            .or_else(|| derivative().map(Builtin::Derivative))
            .or_else(|| reverse().map(Builtin::Reverse))
            .or_else(other)
            .or_else(symbol)
    }

    /// Returns its name or symbol.
    pub fn name(self) -> &'static str {
        match self {
            Builtin::Operation(of) => operation(of).map_or("copy", |row| row.name),
            Builtin::Compare(Comparison::Equal) => "==",
            Builtin::Compare(Comparison::Less) => "<",
            Builtin::Compare(Comparison::Greater) => ">",
            Builtin::Compare(Comparison::NotGreater) => "<=",
            Builtin::Compare(Comparison::NotLess) => ">=",
            Builtin::Unequal => "<>",
            Builtin::And => "&&",
            Builtin::Or => "||",
            Builtin::Not => "!",
            Builtin::Derivative(operator) => operator.name(),
            Builtin::Reverse(operator) => operator.name(),
            function => function.row().map_or("", |(_, name, _)| name),
        }
    }

    /// Returns the row of a function that stands for itself.
    fn row(self) -> Option<(Builtin, &'static str, usize)> {
        FUNCTIONS.into_iter().find(|(function, ..)| *function == self)
    }

    /// Returns the number of operands.
    pub fn arity(self) -> usize {
        match self {
            Builtin::Operation(operation) => match operation.arity() {
                Arity::One => 1,
                Arity::Two => 2,
            },
            Builtin::Not => 1,
            Builtin::Compare(_) | Builtin::Unequal | Builtin::And | Builtin::Or | Builtin::Derivative(_) => 2,
            Builtin::Reverse(_) => MOST_OPERANDS,
            function => function.row().map_or(0, |(_, _, operands)| operands),
        }
    }

    /// All functions that have names.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let words = OPERATIONS.iter().map(|row| row.name).filter(|name| name.starts_with(char::is_alphabetic));
        let derivatives = DerivativeOperator::ALL.into_iter().map(DerivativeOperator::name);
        let reverses = ReverseOperator::ALL.into_iter().map(ReverseOperator::name);
        FUNCTIONS.into_iter().map(|(_, name, _)| name).chain(words).chain(derivatives).chain(reverses)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_name_one_function_each() {
        let names: Vec<&str> = Builtin::names().collect();
        for name in &names {
            assert_eq!(Builtin::named(name).map(Builtin::name), Some(*name));
            assert!(is_taken(name) && names.iter().filter(|other| *other == name).count() == 1, "{name}");
        }
        assert!(OPERATIONS.iter().all(|row| operation(row.operation).is_some_and(|found| found.name == row.name)));
    }
}
