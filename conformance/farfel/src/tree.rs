//! Programs of Farfel as trees. Trees are made by the generator, with a bounded depth, so recursion over them is bounded too.

/// The type of a variable or of a function's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// A double.
    Real,
    /// A whole number.
    Integer,
    /// A truth value.
    Logical,
}

impl Type {
    /// The type that the first letter of a name implies.
    pub fn implied(name: &str) -> Type {
        match name.bytes().next() {
            Some(b'I'..=b'N') => Type::Integer,
            Some(_) | None => Type::Real,
        }
    }
}

/// A program: its main program and the subprograms beside it, in the order of the text.
#[derive(Clone, Debug)]
pub struct Program {
    /// The units; one of them is the main program.
    pub units: Vec<Subprogram>,
    /// The numbers that are given to `READ`.
    pub input: Vec<f64>,
}

/// The kind of a subprogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubprogramKind {
    /// The main program.
    Main,
    /// A subroutine.
    Subroutine,
    /// A function, with the type of its result if the heading states it.
    Function(Option<Type>),
    /// A function of one statement, which assigns its result: a statement function.
    Statement,
}

/// A subprogram with those that are nested in it.
#[derive(Clone, Debug)]
pub struct Subprogram {
    /// The kind.
    pub kind: SubprogramKind,
    /// The name.
    pub name: String,
    /// The names of the parameters.
    pub parameters: Vec<String>,
    /// The specifications.
    pub specifications: Vec<Specification>,
    /// The nested subprograms.
    pub nested: Vec<Subprogram>,
    /// The statements.
    pub body: Vec<Statement>,
}

/// A specification statement.
#[derive(Clone, Debug)]
pub enum Specification {
    /// A type with the names declared of it.
    Typed(Type, Vec<Declared>),
    /// `DIMENSION`.
    Dimension(Vec<Declared>),
    /// `PARAMETER (x = e)`, of a constant whose type its name implies, or is declared.
    Constant(String, Expression),
    /// `EXTERNAL`.
    External(Vec<String>),
    /// `INTRINSIC`.
    Intrinsic(Vec<Intrinsic>),
}

/// A declared name, with its bounds if it is an array.
#[derive(Clone, Debug)]
pub struct Declared {
    /// The name.
    pub name: String,
    /// The bounds; none for a scalar.
    pub bounds: Vec<Bound>,
}

/// A dimension of an array.
#[derive(Clone, Debug)]
pub struct Bound {
    /// The lower bound, 1 if it is not written.
    pub lower: Option<Expression>,
    /// The upper bound; none for `*`.
    pub upper: Option<Expression>,
}

/// An expression.
#[derive(Clone, Debug)]
pub enum Expression {
    /// A real, as it is written.
    Real(String),
    /// An integer.
    Integer(i64),
    /// A truth value.
    Logical(bool),
    /// A variable, an array as a whole, or a subprogram as an argument.
    Name(String),
    /// An element of an array.
    Element(String, Vec<Expression>),
    /// A call of a function of the program.
    Call(String, Vec<Expression>),
    /// An intrinsic function as an argument.
    Passed(Intrinsic),
    /// A call of an intrinsic function.
    Intrinsic(Intrinsic, Vec<Expression>),
    /// The negative of a number.
    Minus(Box<Expression>),
    /// The negation of a truth value.
    Not(Box<Expression>),
    /// An operation on two operands.
    Binary(Operator, Box<Expression>, Box<Expression>),
}

/// An operator with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // they are those of the language
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Equal,
    NotEqual,
    Less,
    NotGreater,
    Greater,
    NotLess,
    And,
    Or,
    Equivalent,
    NotEquivalent,
}

/// An intrinsic function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // they are those of the language
pub enum Intrinsic {
    Abs,
    Sqrt,
    Exp,
    Log,
    Log10,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Atan2,
    Sinh,
    Cosh,
    Tanh,
    Erf,
    Erfc,
    Max,
    Min,
    /// Of integers, as a real: `AMAX0`.
    RealMax,
    /// `AMIN0`.
    RealMin,
    /// Of reals, as an integer: `MAX1`.
    WholeMax,
    /// `MIN1`.
    WholeMin,
    Product,
    Mod,
    Sign,
    Dim,
    Int,
    Aint,
    Nint,
    Anint,
    Real,
}

/// A statement with its label.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The label.
    pub label: Option<u32>,
    /// The statement itself.
    pub action: Action,
}

/// A statement without its label.
#[derive(Clone, Debug)]
pub enum Action {
    /// An assignment to a variable or an element.
    Assign(Place, Expression),
    /// A call of a subroutine.
    Call(String, Vec<Expression>),
    /// `CONTINUE`.
    Continue,
    /// `RETURN`.
    Return,
    /// `STOP`.
    Stop,
    /// `READ *`.
    Read(Vec<Target>),
    /// `PRINT *`.
    Print(Vec<Item>),
    /// The logical `IF` with one statement.
    If(Expression, Box<Action>),
    /// The blocks of `IF`, each with its condition; that of `ELSE` has none.
    Branches(Vec<(Option<Expression>, Vec<Statement>)>),
    /// The arithmetic `IF`: for a negative number, zero, a positive one.
    Sign(Expression, [u32; 3]),
    /// A `DO` loop.
    Do(Loop),
    /// `DO WHILE`.
    While(Expression, Vec<Statement>),
    /// `GOTO`.
    Goto(u32),
    /// The computed `GOTO`.
    Computed(Vec<u32>, Expression),
    /// A block of differentiation.
    Differentiate(Block),
}

/// A counted loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The index.
    pub index: String,
    /// The first value.
    pub first: Expression,
    /// The last value.
    pub last: Expression,
    /// The step.
    pub step: Option<Expression>,
    /// The label of the statement that ends it, which is the last one of the body, perhaps of an inner loop there; none for `END DO`.
    pub end: Option<u32>,
    /// The body.
    pub body: Vec<Statement>,
}

/// The mode of a block of differentiation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// `ADF`.
    Forward,
    /// `ADR`.
    Reverse,
}

/// A block of differentiation.
#[derive(Clone, Debug)]
pub struct Block {
    /// The mode.
    pub mode: Mode,
    /// The opening assignments.
    pub opens: Vec<Open>,
    /// The statements.
    pub body: Vec<Statement>,
    /// The closing assignments.
    pub closes: Vec<Close>,
}

/// An opening assignment.
#[derive(Clone, Debug)]
pub enum Open {
    /// A variable alone: its tangent or cotangent is 1.
    Bare(String),
    /// The tangent or cotangent of a variable, an element or an array.
    Given(Place, Expression),
    /// A list with a counter.
    Repeated(Vec<Open>, Counter),
}

/// A closing assignment.
#[derive(Clone, Debug)]
pub enum Close {
    /// A place for the tangent or cotangent of another one.
    Taken(Place, Place),
    /// A list with a counter.
    Repeated(Vec<Close>, Counter),
}

/// The counter of an implied loop.
#[derive(Clone, Debug)]
pub struct Counter {
    /// The name, which is local to lists of differentiation.
    pub name: String,
    /// The first value.
    pub first: Expression,
    /// The last value.
    pub last: Expression,
    /// The step.
    pub step: Option<Expression>,
}

/// A variable, an array as a whole, or an element.
#[derive(Clone, Debug)]
pub struct Place {
    /// The name.
    pub name: String,
    /// The indices; none for a variable or a whole array.
    pub indices: Vec<Expression>,
}

/// An item of `READ`.
#[derive(Clone, Debug)]
pub enum Target {
    /// A variable or an element.
    Place(Place),
    /// A list with a counter, which is a variable of the program.
    Repeated(Vec<Target>, Counter),
}

/// An item of `PRINT`.
#[derive(Clone, Debug)]
pub enum Item {
    /// A value, or an array as a whole.
    Value(Expression),
    /// A text.
    Text(String),
    /// A list with a counter, which is a variable of the program.
    Repeated(Vec<Item>, Counter),
}
