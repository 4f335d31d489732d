//! Typed trees: F-smooth programs after type inference, monomorphic, in arenas.
//!
//! ```text
//! surface tree --infer--> typed tree --(differentiation, rewriting)--> typed tree --lower--> named core
//! ```
//!
//! Every pass of the language reads and makes this tree. Nothing in it is implicit:
//!
//! - Each expression has a type ([`Types`]) and a span; generated code has the span of the text that it was made for.
//! - A global is one *instance* of a definition: a polymorphic definition has one for each type at which it is used.
//!   Instances stand among the items in the order of their definitions, so a global refers to earlier ones only, and
//!   nothing is recursive. All items are evaluated, in order; only expressions are printed.
//! - Functions of the language are constructs here, with all their operands: inference makes `(+)` a lambda, and
//!   `build n` without its function `let n' = n in fun f -> build n' f`.
//! - `a && b` is [`Expression::If`] with `false` as its alternative, `a || b` with `true` as its consequent.
//! - [`Expression::Widen`] is the one coercion: a value of its operand's type stands where a type with `Double` in
//!   place of some `Index` is expected ([`Types::widens`]). The number stays the same; differentiation makes i of it
//!   the pair (i, 0), and does so through arrays, pairs and functions.
//! - Every local is bound at one place of the tree. A pass that copies code gives the copy locals of its own
//!   ([`Program::copy`] does).
//! - Operands are evaluated strictly, from left to right as they stand in the fields. `build` makes its elements, and
//!   `ifold` its states, in the order of the index.
//!
//! **Typing.** With M a type without functions:
//!
//! | construct | operands | type |
//! |---|---|---|
//! | `Number` | | Double or Index |
//! | `If` | Bool, M, M | M |
//! | `Array` | M ... | Array<M> |
//! | `Build` | Index, Index => M | Array<M> |
//! | `Ifold` | M => Index => M, M, Index | M |
//! | `Get` | Array<M>, Index | M |
//! | `Length` | Array<M> | Index |
//! | `OfLength` | Array<M>, Index | Array<M> |
//! | `Pair`, `First`, `Second` | M, N; M * N | M * N; M; N |
//! | `Unary`, `Binary` | by [`builtins::OPERATIONS`](crate::builtins::OPERATIONS) | the kind of the operands |
//! | `Compare` | two of one kind | Bool |
//! | `Write` | M | M |
//! | `Deriv` | M, without Index; a variable of Doubles, in arrays and pairs | [`Types::derivative`] |
//! | `Derivative` | see [`DerivativeOperator`] | D_T of the function's result, which has no Index |
//! | `Forward` | M => N, M, M, without Index | N * N |
//! | `Reverse` | M => N, M, N, without Index | N * M |
//!
//! [`check`] tests all this, [`print`] shows a tree as a text in F-smooth that reads back as the same tree.
//!
//! Trees may be deep: passes use worklists. [`Program::apart`] gives head and parts of any construct.

pub mod check;
pub mod copy;
pub mod fold;
pub mod head;
mod loops;
mod number;
mod plain;
pub mod print;
pub mod select;
pub mod summary;
pub mod types;

use crate::builtins::{DerivativeOperator, ReverseOperator};
use crate::lists::{List, Lists};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;
use vlad_core::numbers::Table;
use vlad_core::source::Span;
use vlad_table::operations::Operation;
use vlad_table::primitives::Comparison;

pub use head::{Head, Parts};
pub use loops::{Build, Ifold, Side};
pub use types::{Type, TypeId, Types};

vlad_core::numbers! {
    /// The number of an expression.
    ExpressionId;
    /// The number of a local variable.
    LocalId;
    /// The number of a global: an instance of a top-level definition.
    GlobalId;
}

/// The elements of an array, a range of the arena of elements.
pub type Elements = List;

/// A variable by which an expression is differentiated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Variable {
    /// A local.
    Local(LocalId),
    /// A global, which varies where the expression itself names it.
    Global(GlobalId),
}

/// An expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expression {
    /// A number; its type tells its kind.
    Number(f64),
    /// `true` or `false`.
    Boolean(bool),
    /// A local variable.
    Local(LocalId),
    /// A global.
    Global(GlobalId),
    /// `fun x -> e`.
    Lambda {
        /// The parameter, whose type is that of the local.
        parameter: LocalId,
        /// The body.
        body: ExpressionId,
    },
    /// `f e`.
    Application {
        /// The function.
        function: ExpressionId,
        /// Its argument.
        argument: ExpressionId,
    },
    /// `let x = e in e`.
    Let {
        /// The variable.
        local: LocalId,
        /// Its value, which does not see it.
        value: ExpressionId,
        /// The expression that sees it.
        body: ExpressionId,
    },
    /// `if e then e else e`.
    If {
        /// The condition.
        condition: ExpressionId,
        /// The value if it is true.
        consequent: ExpressionId,
        /// The value if it is false.
        alternative: ExpressionId,
    },
    /// `[| e ; ... |]`.
    Array(Elements),
    /// `build n f`.
    Build {
        /// The number of elements.
        size: ExpressionId,
        /// The function of the index.
        function: ExpressionId,
    },
    /// `ifold f z n`.
    Ifold {
        /// The function of state and index.
        function: ExpressionId,
        /// The first state.
        start: ExpressionId,
        /// The number of iterations.
        count: ExpressionId,
    },
    /// `e[i]`.
    Get {
        /// The array.
        array: ExpressionId,
        /// The index, from 0.
        index: ExpressionId,
    },
    /// `length e`.
    Length(ExpressionId),
    /// `ofLength e n`: the array, or an error if it does not have n elements.
    OfLength {
        /// The array.
        array: ExpressionId,
        /// The number of elements that it is to have.
        length: ExpressionId,
    },
    /// `(e, e)`.
    Pair(ExpressionId, ExpressionId),
    /// `fst e`.
    First(ExpressionId),
    /// `snd e`.
    Second(ExpressionId),
    /// An operation on one number.
    Unary(Operation, ExpressionId),
    /// An operation on two numbers.
    Binary(Operation, ExpressionId, ExpressionId),
    /// A comparison. `a <> b` is the negation of equality.
    Compare(Comparison, ExpressionId, ExpressionId),
    /// `!e`.
    Not(ExpressionId),
    /// `write e`: prints the value, and is the value.
    Write(ExpressionId),
    /// A value that is widened to the type of this node.
    Widen(ExpressionId),
    /// `deriv e x`.
    Deriv {
        /// The expression.
        body: ExpressionId,
        /// The variable.
        variable: Variable,
    },
    /// `diff f x` and the like.
    Derivative {
        /// The operator.
        operator: DerivativeOperator,
        /// The function.
        function: ExpressionId,
        /// The point at which it is differentiated.
        point: ExpressionId,
    },
    /// `jvp f x x'`.
    Forward {
        /// The function.
        function: ExpressionId,
        /// The point at which it is differentiated.
        point: ExpressionId,
        /// The tangent of the point.
        tangent: ExpressionId,
    },
    /// `vjp f x y'` and the like.
    Reverse {
        /// The operator.
        operator: ReverseOperator,
        /// The function.
        function: ExpressionId,
        /// The point at which it is differentiated.
        point: ExpressionId,
        /// The cotangent of its result.
        cotangent: ExpressionId,
    },
}

/// A local variable.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name in the text; several locals may have one name.
    pub name: Rc<str>,
    /// Its type.
    pub type_id: TypeId,
    /// The span of its name where it is bound.
    pub span: Span,
    /// True for the index of an array of pairs that rewriting does not separate into two arrays.
    pub is_of_table: bool,
}

/// The origin of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The program.
    Program,
    /// The library of the language.
    Library,
    /// An option of the command, whose expression is appended to the program.
    Appended,
    /// The pattern of a definition: the pair that it takes apart, which no text names.
    Pattern,
    /// Differentiation: data of the program with zero tangents.
    Lifted,
}

/// An instance of a top-level definition.
#[derive(Clone, Debug)]
pub struct Global {
    /// The name of the definition; its instances share it.
    pub name: Rc<str>,
    /// The type of this instance.
    pub type_id: TypeId,
    /// The span of the name in the definition.
    pub span: Span,
    /// Its value.
    pub value: ExpressionId,
    /// The text that defines it.
    pub origin: Origin,
}

/// A top-level item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// The evaluation of a global.
    Define(GlobalId),
    /// An expression, whose value is printed.
    Expression(ExpressionId),
}

/// The summary of a tree ([`summary`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The number of expressions in it, at most `u32::MAX`.
    pub size: u32,
    /// A hash of all but variables that are bound: equal for trees that differ in nothing else.
    pub shape: u64,
    /// For each local that is used or bound in it the bit of its number modulo 64.
    locals: u64,
}

/// An expression with its type and its place.
#[derive(Clone, Copy, Debug)]
struct Typed {
    expression: Expression,
    type_id: TypeId,
    span: Span,
}

/// A typed program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The types.
    pub types: Types,
    /// The items, in order.
    pub items: Vec<Item>,
    /// For gradients by forward mode the same by reverse mode, which rewriting may take instead.
    pub reverse_forms: FxHashMap<ExpressionId, ExpressionId>,
    expressions: Table<ExpressionId, Typed>,
    elements: Lists<ExpressionId>,
    locals: Table<LocalId, Local>,
    globals: Table<GlobalId, Global>,
    /// Of each expression the summary, as soon as it is made.
    summaries: RefCell<Vec<Option<Summary>>>,
}

impl Program {
    /// A program without items.
    pub fn new() -> Program {
        Program::default()
    }

    /// A program without items, with types that have been made before.
    pub fn with_types(types: Types) -> Program {
        let mut program = Program::new();
        program.types = types;
        program
    }

    /// Adds an expression.
    pub fn add(&mut self, expression: Expression, type_id: TypeId, span: Span) -> ExpressionId {
        self.expressions.push(Typed { expression, type_id, span })
    }

    /// Replaces an expression by another one of its type.
    pub fn set(&mut self, id: ExpressionId, expression: Expression) {
        self.expressions[id].expression = expression;
        self.summaries.get_mut().clear();
    }

    /// Adds the elements of an array.
    pub fn add_elements(&mut self, elements: impl IntoIterator<Item = ExpressionId>) -> Elements {
        self.elements.add(elements)
    }

    /// Adds a local.
    pub fn add_local(&mut self, name: impl Into<Rc<str>>, type_id: TypeId, span: Span) -> LocalId {
        self.locals.push(Local { name: name.into(), type_id, span, is_of_table: false })
    }

    /// Adds a local like another one.
    pub fn add_local_like(&mut self, local: LocalId) -> LocalId {
        self.locals.push(self.locals[local].clone())
    }

    /// Notes that the array of pairs with an index is not separated.
    pub fn keep_together(&mut self, index: LocalId) {
        self.locals[index].is_of_table = true;
    }

    /// Adds a global; its item is added by the caller.
    pub fn add_global(&mut self, global: Global) -> GlobalId {
        self.globals.push(global)
    }

    /// Replaces the value of a global by another one of its type.
    pub fn set_value(&mut self, id: GlobalId, value: ExpressionId) {
        self.globals[id].value = value;
    }

    /// An expression.
    pub fn expression(&self, id: ExpressionId) -> Expression {
        self.expressions[id].expression
    }

    /// Returns true if one of the expressions in the arena, used or not, fulfils a condition.
    pub fn has(&self, condition: impl Fn(Expression) -> bool) -> bool {
        self.expressions.iter().any(|typed| condition(typed.expression))
    }

    /// Returns the type of an expression.
    pub fn type_of(&self, id: ExpressionId) -> TypeId {
        self.expressions[id].type_id
    }

    /// Sets the span of an expression.
    pub fn set_span(&mut self, id: ExpressionId, span: Span) {
        self.expressions[id].span = span;
    }

    /// Returns the span of an expression.
    pub fn span(&self, id: ExpressionId) -> Span {
        self.expressions[id].span
    }

    /// The elements of an array.
    pub fn elements(&self, elements: Elements) -> &[ExpressionId] {
        self.elements.get(elements)
    }

    /// A local.
    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id]
    }

    /// A global.
    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id]
    }

    /// Returns the number of expressions.
    pub fn count(&self) -> usize {
        self.expressions.len()
    }

    /// Returns the number of locals.
    pub fn local_count(&self) -> usize {
        self.locals.len()
    }

    /// The globals, in the order of their numbers.
    pub fn globals(&self) -> &Table<GlobalId, Global> {
        &self.globals
    }

    /// Returns an expression as a variable, if it is one.
    pub fn as_variable(&self, id: ExpressionId) -> Option<Variable> {
        if let Expression::Local(local) = self.expression(id) {
            return Some(Variable::Local(local));
        }
        if let Expression::Global(global) = self.expression(id) {
            return Some(Variable::Global(global));
        }
        None
    }

    /// Returns the name of a variable.
    pub fn variable_name(&self, variable: Variable) -> Rc<str> {
        match variable {
            Variable::Local(local) => self.local(local).name.clone(),
            Variable::Global(global) => self.global(global).name.clone(),
        }
    }

    /// Returns the type of a variable.
    pub fn variable_type(&self, variable: Variable) -> TypeId {
        match variable {
            Variable::Local(local) => self.local(local).type_id,
            Variable::Global(global) => self.global(global).type_id,
        }
    }
}
