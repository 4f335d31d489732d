//! The table of rules: one row each, in the notation of [`super::notation`].
//!
//! **Classes.** A rule of class X changes no bit of any result. One of class Z changes nothing but the sign of zeros, and
//! is applied to tangents only: to terms with a guarded product at their root, which differentiation alone makes. One of
//! class R rounds otherwise, and is applied with `--algebra` only.
//!
//! **Errors.** A rule keeps the evaluations of its pattern, or has a condition that those which it drops, moves or
//! repeats less often are total.
//!
//! A row is data, so one test instantiates every row with random terms, and compares both sides numerically.

use super::notation::{self, Names, Term};
use vlad_table::internal_bug;

/// The bits that a rule keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// All bits.
    Exact,
    /// All but the signs of zeros, in tangents.
    ZeroSigns,
    /// Equal in exact arithmetic.
    Algebra,
}

impl Class {
    /// The letter of the class.
    pub fn letter(self) -> char {
        match self {
            Class::Exact => 'X',
            Class::ZeroSigns => 'Z',
            Class::Algebra => 'R',
        }
    }
}

/// A side condition, about metavariables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The term that the rule is applied to is total.
    Total,
    /// The instance of a metavariable is total.
    TotalPart(&'static str),
    /// The first one is an index below the second one.
    Below(&'static str, &'static str),
    /// The first one is the length of the second one.
    LengthOf(&'static str, &'static str),
    /// A Double that is not -0.
    NotNegativeZero(&'static str),
    /// A tangent.
    Tangent(&'static str),
    /// An instance so small that it may be repeated.
    Small(&'static str),
    /// One of the two is a number or a boolean.
    OneIsConstant(&'static str, &'static str),
    /// An instance that is not a choice by the index of the innermost loop, when the given condition is one.
    NotBothByIndex(&'static str, &'static str),
}

/// The name of the rule about iterations that make the same in every turn.
pub const CONSTANT_STEP: &str = "ifold of a constant step";

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The name.
    pub name: &'static str,
    /// The class.
    pub class: Class,
    /// The metavariables with their types, as in `n k : Index; f : Index => Double`. Rules hold at other types, too;
    /// these are the ones at which they are tested.
    pub variables: &'static str,
    /// The pattern.
    pub pattern: &'static str,
    /// The template.
    pub template: &'static str,
    /// The side conditions.
    pub conditions: &'static [Condition],
}

const fn row(
    name: &'static str,
    class: Class,
    variables: &'static str,
    pattern: &'static str,
    template: &'static str,
    conditions: &'static [Condition],
) -> Row {
    Row { name, class, variables, pattern, template, conditions }
}

use Class::{Algebra as R, Exact as X, ZeroSigns as Z};
use Condition::{Below, LengthOf, NotBothByIndex, NotNegativeZero, OneIsConstant, Small, Tangent, Total, TotalPart};

/// The rules, in the order in which they are tried.
pub const ROWS: &[Row] = &[
    // Functions and `let`.
    row("beta", X, "e : Double; f : Double => Double", "(apply (fun x (f x)) e)", "(let x e (f x))", &[]),
    row(
        "apply of let",
        X,
        "e a : Double; f : Double => Double => Double",
        "(apply (let x e (f x)) a)",
        "(let x e (apply (f x) a))",
        &[],
    ),
    row(
        "let of let",
        X,
        "a : Double; b c : Double => Double",
        "(let x (let y a (b y)) (c x))",
        "(let y a (let x (b y) (c x)))",
        &[],
    ),
    row(
        "fst of let",
        X,
        "a : Double; b : Double => Double * Double",
        "(fst (let x a (b x)))",
        "(let x a (fst (b x)))",
        &[],
    ),
    row(
        "snd of let",
        X,
        "a : Double; b : Double => Double * Double",
        "(snd (let x a (b x)))",
        "(let x a (snd (b x)))",
        &[],
    ),
    row(
        "length of let",
        X,
        "a : Double; b : Double => Vector",
        "(length (let x a (b x)))",
        "(let x a (length (b x)))",
        &[],
    ),
    row(
        "get of let",
        X,
        "a : Double; b : Double => Vector; k : Index",
        "(get (let x a (b x)) k)",
        "(let x a (get (b x) k))",
        &[],
    ),
    row(
        "if of let",
        X,
        "a b c : Double; d : Double => Bool",
        "(if (let x a (d x)) b c)",
        "(let x a (if (d x) b c))",
        &[],
    ),
    row(
        "let into a branch",
        X,
        "a b : Double; c : Bool; f : Double => Double",
        "(let x a (if c (f x) b))",
        "(if c (let x a (f x)) b)",
        &[TotalPart("a")],
    ),
    row(
        "let into a branch",
        X,
        "a b : Double; c : Bool; f : Double => Double",
        "(let x a (if c b (f x)))",
        "(if c b (let x a (f x)))",
        &[TotalPart("a")],
    ),
    // Pairs.
    row("fst of pair", X, "a b : Double", "(fst (pair a b))", "a", &[TotalPart("b")]),
    row("snd of pair", X, "a b : Double", "(snd (pair a b))", "b", &[TotalPart("a")]),
    row("pair of projections", X, "a : Double * Double", "(pair (fst a) (snd a))", "a", &[TotalPart("a")]),
    // Conditionals.
    row("if true", X, "a b : Double", "(if true a b)", "a", &[]),
    row("if false", X, "a b : Double", "(if false a b)", "b", &[]),
    row("if of equal branches", X, "c : Bool; a : Double", "(if c a a)", "a", &[TotalPart("c")]),
    row("if as its condition", X, "c : Bool", "(if c true false)", "c", &[]),
    row("if of not", X, "c : Bool; a b : Double", "(if (not c) a b)", "(if c b a)", &[]),
    row("not of not", X, "c : Bool", "(not (not c))", "c", &[]),
    row("if of and", X, "c d : Bool; a b : Double", "(if (if c d false) a b)", "(if c (if d a b) b)", &[Small("b")]),
    row("if of or", X, "c d : Bool; a b : Double", "(if (if c true d) a b)", "(if c a (if d a b))", &[Small("a")]),
    row("fst of if", X, "c : Bool; a b : Double * Double", "(fst (if c a b))", "(if c (fst a) (fst b))", &[]),
    row("snd of if", X, "c : Bool; a b : Double * Double", "(snd (if c a b))", "(if c (snd a) (snd b))", &[]),
    row("length of if", X, "c : Bool; a b : Vector", "(length (if c a b))", "(if c (length a) (length b))", &[]),
    row(
        "get of if",
        X,
        "c : Bool; a b : Vector; k : Index",
        "(get (if c a b) k)",
        "(if c (get a k) (get b k))",
        &[Small("k")],
    ),
    row(
        "guarded product of if",
        X,
        "c : Bool; e a b : Double",
        "(guarded e (if c a b))",
        "(let t e (if c (guarded t a) (guarded t b)))",
        &[OneIsConstant("a", "b")],
    ),
    row(
        "guarded product of if",
        X,
        "c : Bool; e a b : Double",
        "(guarded (if c a b) e)",
        "(if c (guarded a e) (guarded b e))",
        &[OneIsConstant("a", "b"), Small("e")],
    ),
    row(
        "product of if",
        X,
        "c : Bool; e a b : Double",
        "(* e (if c a b))",
        "(let t e (if c (* t a) (* t b)))",
        &[OneIsConstant("a", "b")],
    ),
    row(
        "product of if",
        X,
        "c : Bool; e a b : Double",
        "(* (if c a b) e)",
        "(if c (* a e) (* b e))",
        &[OneIsConstant("a", "b"), Small("e")],
    ),
    row("sum of choices", X, "c : Bool; a b d e : Double", "(+ (if c a b) (if c d e))", "(if c (+ a d) (+ b e))", &[]),
    row(
        "sum of if",
        X,
        "c : Bool; e a b : Double",
        "(+ e (if c a b))",
        "(let t e (if c (+ t a) (+ t b)))",
        &[OneIsConstant("a", "b"), NotBothByIndex("c", "e")],
    ),
    row(
        "sum of if",
        X,
        "c : Bool; e a b : Double",
        "(+ (if c a b) e)",
        "(if c (+ a e) (+ b e))",
        &[OneIsConstant("a", "b"), Small("e"), NotBothByIndex("c", "e")],
    ),
    row(
        "difference of choices",
        X,
        "c : Bool; a b d e : Double",
        "(- (if c a b) (if c d e))",
        "(if c (- a d) (- b e))",
        &[],
    ),
    row(
        "difference of if",
        X,
        "c : Bool; e a b : Double",
        "(- e (if c a b))",
        "(let t e (if c (- t a) (- t b)))",
        &[OneIsConstant("a", "b"), NotBothByIndex("c", "e")],
    ),
    row(
        "difference of if",
        X,
        "c : Bool; e a b : Double",
        "(- (if c a b) e)",
        "(if c (- a e) (- b e))",
        &[OneIsConstant("a", "b"), Small("e"), NotBothByIndex("c", "e")],
    ),
    // Arrays.
    row(
        "get of build",
        X,
        "n k : Index; f : Index => Double",
        "(get (build n (fun i (f i))) k)",
        "(f k)",
        &[Below("k", "n"), Total],
    ),
    row("length of build", X, "n : Index; f : Index => Double", "(length (build n (fun i (f i))))", "n", &[Total]),
    row(
        "build of get",
        X,
        "n : Index; v : Vector",
        "(build n (fun i (get v i)))",
        "v",
        &[TotalPart("v"), LengthOf("n", "v")],
    ),
    row(
        "build of an invariant if",
        X,
        "n : Index; c : Bool; f g : Index => Double",
        "(build n (fun i (if c (f i) (g i))))",
        "(let t n (if c (build t (fun i (f i))) (build t (fun i (g i)))))",
        &[TotalPart("n"), TotalPart("c")],
    ),
    row(
        "array of its length",
        X,
        "n : Index; v : Vector",
        "(ofLength v n)",
        "v",
        &[LengthOf("n", "v"), TotalPart("n")],
    ),
    row(
        "length of an array of a length",
        X,
        "n : Index; v : Vector",
        "(length (ofLength v n))",
        "n",
        &[LengthOf("n", "v"), TotalPart("v")],
    ),
    row(
        "array of a length, of let",
        X,
        "a : Double; n : Index; b : Double => Vector",
        "(ofLength (let x a (b x)) n)",
        "(let x a (ofLength (b x) n))",
        &[],
    ),
    // Iterations.
    row("ifold of no iteration", X, "z : Double; f : Double => Index => Double", "(ifold f z 0)", "z", &[]),
    row(
        "ifold of one iteration",
        X,
        "z : Double; f : Double => Index => Double",
        "(ifold (fun s (fun i (f s i))) z 1)",
        "(f z 0)",
        &[],
    ),
    row("ifold without a change", X, "z : Double; n : Index", "(ifold (fun s (fun i s)) z n)", "z", &[Total]),
    row(CONSTANT_STEP, X, "z e : Double; n : Index", "(ifold (fun s (fun i e)) z n)", "(if (< 0 n) e z)", &[Total]),
    row(
        "ifold of one hot index",
        X,
        "z : Double; n j : Index; f : Double => Index => Double",
        "(ifold (fun s (fun i (if (= i j) (f s i) s))) z n)",
        "(f z j)",
        &[Below("j", "n"), Total],
    ),
    row(
        "ifold of one hot index",
        X,
        "z : Double; n j : Index; f : Double => Index => Double",
        "(ifold (fun s (fun i (if (= j i) (f s i) s))) z n)",
        "(f z j)",
        &[Below("j", "n"), Total],
    ),
    row(
        "sum of two hot indices",
        X,
        "n j k : Index; f g : Index => Double",
        "(ifold (fun s (fun i (+ s (+ (if (= i j) (f i) 0.0) (if (= i k) (g i) 0.0))))) 0.0 n)",
        "(+ (+ (f j) 0.0) (+ (g k) 0.0))",
        &[Below("j", "n"), Below("k", "n"), Total],
    ),
    row(
        "sum of two hot indices",
        X,
        "n j k : Index; f g : Index => Double",
        "(ifold (fun s (fun i (+ s (+ (if (= i j) (f i) 0.0) (if (= k i) (g i) 0.0))))) 0.0 n)",
        "(+ (+ (f j) 0.0) (+ (g k) 0.0))",
        &[Below("j", "n"), Below("k", "n"), Total],
    ),
    row(
        "sum of two hot indices",
        X,
        "n j k : Index; f g : Index => Double",
        "(ifold (fun s (fun i (+ s (+ (if (= j i) (f i) 0.0) (if (= i k) (g i) 0.0))))) 0.0 n)",
        "(+ (+ (f j) 0.0) (+ (g k) 0.0))",
        &[Below("j", "n"), Below("k", "n"), Total],
    ),
    row(
        "sum of two hot indices",
        X,
        "n j k : Index; f g : Index => Double",
        "(ifold (fun s (fun i (+ s (+ (if (= j i) (f i) 0.0) (if (= k i) (g i) 0.0))))) 0.0 n)",
        "(+ (+ (f j) 0.0) (+ (g k) 0.0))",
        &[Below("j", "n"), Below("k", "n"), Total],
    ),
    row(
        "ifold of an invariant if",
        X,
        "z : Double; n : Index; c : Bool; f : Double => Index => Double",
        "(ifold (fun s (fun i (if c (f s i) s))) z n)",
        "(let t z (if c (ifold (fun s (fun i (f s i))) t n) t))",
        &[Total],
    ),
    row(
        "ifold of an invariant if",
        X,
        "z : Double; n : Index; c : Bool; f : Double => Index => Double",
        "(ifold (fun s (fun i (if c s (f s i)))) z n)",
        "(let t z (if c t (ifold (fun s (fun i (f s i))) t n)))",
        &[Total],
    ),
    // Numbers.
    row("times one", X, "e : Double", "(* e 1.0)", "e", &[]),
    row("one times", X, "e : Double", "(* 1.0 e)", "e", &[]),
    row("divided by one", X, "e : Double", "(/ e 1.0)", "e", &[]),
    row("less zero", X, "e : Double", "(- e 0.0)", "e", &[]),
    row("sign of sign", X, "e : Double", "(negate (negate e))", "e", &[]),
    row("plus zero", X, "e : Double", "(+ e 0.0)", "e", &[NotNegativeZero("e")]),
    row("zero plus", X, "e : Double", "(+ 0.0 e)", "e", &[NotNegativeZero("e")]),
    row("guarded by zero", X, "e : Double", "(guarded e 0.0)", "0.0", &[TotalPart("e")]),
    row("guarded by zero", X, "e : Double", "(guarded 0.0 e)", "0.0", &[TotalPart("e")]),
    row("guarded by zero", X, "e : Double", "(guarded e -0.0)", "0.0", &[TotalPart("e")]),
    row("guarded by zero", X, "e : Double", "(guarded -0.0 e)", "0.0", &[TotalPart("e")]),
    row("guarded by one", X, "e : Double", "(guarded e 1.0)", "e", &[NotNegativeZero("e")]),
    row("guarded by one", X, "e : Double", "(guarded 1.0 e)", "e", &[NotNegativeZero("e")]),
    row("tangent by one", Z, "e : Double", "(guarded e 1.0)", "e", &[]),
    row("tangent by one", Z, "e : Double", "(guarded 1.0 e)", "e", &[]),
    row("tangent by minus one", Z, "e : Double", "(guarded e -1.0)", "(negate e)", &[]),
    row("tangent by minus one", Z, "e : Double", "(guarded -1.0 e)", "(negate e)", &[]),
    row("tangent plus zero", Z, "e : Double", "(+ e 0.0)", "e", &[Tangent("e")]),
    row("zero plus tangent", Z, "e : Double", "(+ 0.0 e)", "e", &[Tangent("e")]),
    // Algebra.
    row("plus zero", R, "e : Double", "(+ e 0.0)", "e", &[]),
    row("zero plus", R, "e : Double", "(+ 0.0 e)", "e", &[]),
    row("guarded as plain", R, "a b : Double", "(guarded a b)", "(* a b)", &[]),
    row("times zero", R, "e : Double", "(* e 0.0)", "0.0", &[TotalPart("e")]),
    row("zero times", R, "e : Double", "(* 0.0 e)", "0.0", &[TotalPart("e")]),
    row("times zero", R, "e : Double", "(* e -0.0)", "0.0", &[TotalPart("e")]),
    row("zero times", R, "e : Double", "(* -0.0 e)", "0.0", &[TotalPart("e")]),
    row("less itself", R, "e : Double", "(- e e)", "0.0", &[TotalPart("e")]),
    row("plus its sign", R, "e : Double", "(+ e (negate e))", "0.0", &[TotalPart("e")]),
    row("times minus one", R, "e : Double", "(* e -1.0)", "(negate e)", &[]),
    row("minus one times", R, "e : Double", "(* -1.0 e)", "(negate e)", &[]),
    row("plus a sign", R, "a b : Double", "(+ a (negate b))", "(- a b)", &[]),
    row("minus a sign", R, "a b : Double", "(- a (negate b))", "(+ a b)", &[]),
    row("times a sign", R, "a b : Double", "(* a (negate b))", "(negate (* a b))", &[]),
    row("sign times", R, "a b : Double", "(* (negate a) b)", "(negate (* a b))", &[]),
];

/// A rule that is ready for use.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its row.
    pub row: Row,
    /// The pattern.
    pub pattern: Term,
    /// The template.
    pub template: Term,
    /// The names of its variables.
    pub names: Names,
}

/// Returns the rules of the table.
pub fn rules() -> Vec<Rule> {
    ROWS.iter()
        .map(|row| match rule(row) {
            Ok(rule) => rule,
            Err(message) => internal_bug!("the rule `{}` is well formed: {message}", row.name),
        })
        .collect()
}

/// Reads a row.
fn rule(row: &Row) -> Result<Rule, String> {
    let mut names = Names { metavariables: metavariables(row.variables), bound: vec![] };
    let pattern = notation::parse(row.pattern, &mut names)?;
    let template = notation::parse(row.template, &mut names)?;
    Ok(Rule { row: *row, pattern, template, names })
}

/// Returns the names in declarations such as `n k : Index; f : Index => Double`.
fn metavariables(variables: &str) -> Vec<String> {
    let groups = variables.split(';').filter_map(|group| group.split(':').next());
    groups.flat_map(|names| names.split_whitespace().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_can_be_read() {
        for row in ROWS {
            assert!(rule(row).is_ok(), "{}: {:?}", row.name, rule(row).err());
        }
    }
}
