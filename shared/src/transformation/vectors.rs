//! The transformed primitives that vectors are made and taken apart with, where procedures are data.
//!
//! A vector of data has a tag as a whole. One that holds a procedure that is transformed as code has none, like a pair that
//! holds one: it is a vector of its elements, each transformed, and its sensitivity is one of their sensitivities.

use super::preamble::Preamble;
use crate::internal_bug;
use crate::table::Primitive;

/// The names of the language that the definitions here are written with.
pub const BASIS: [&str; 10] = [
    "build",
    "every",
    "fold-right",
    "get",
    "list->vector",
    "vector->list",
    "vector-length",
    "vector-push",
    "vector-set",
    "vector?",
];

/// What a vector and a list are as vector and list of transformed elements, and the other way round, in forward mode.
pub fn forward_helpers(Preamble { elements, listed, whole, split, .. }: &Preamble) -> String {
    format!(
        "\n\
         ; Vectors and lists of transformed elements.\n\
         (define ({elements} v)\n  (if (forward? v)\n      (build (vector-length (primal v))\n             \
         (lambda (i) (bundle (get (primal v) i) (get (tangent v) i))))\n      v))\n\
         (define ({listed} l)\n  (if (pair? (if (forward? l) (primal l) l))\n      \
         (let (((cons x rest) ({split} l))) (cons x ({listed} rest)))\n      (if (forward? l) (primal l) l)))\n\
         (define ({whole} v)\n  (let ((of (lambda (part) (build (vector-length v) (lambda (i) (part (get v i)))))))\n    \
         (if (every forward? (vector->list v)) (bundle (of primal) (of tangent)) v)))\n"
    )
}

/// The same in reverse mode.
pub fn reverse_helpers(Preamble { elements, listed, whole, split, .. }: &Preamble) -> String {
    format!(
        "\n\
         ; Vectors and lists of transformed elements.\n\
         (define ({elements} v)\n  (if (reverse? v)\n      (build (vector-length (*j-inverse v))\n             \
         (lambda (i) (*j (get (*j-inverse v) i))))\n      v))\n\
         (define ({listed} l)\n  (if (pair? (if (reverse? l) (*j-inverse l) l))\n      \
         (let (((cons x rest) ({split} l))) (cons x ({listed} rest)))\n      (if (reverse? l) (*j-inverse l) l)))\n\
         (define ({whole} v)\n  (if (every reverse? (vector->list v))\n      \
         (*j (build (vector-length v) (lambda (i) (*j-inverse (get v i)))))\n      v))\n"
    )
}

/// A primitive in forward mode.
pub fn forward_primitive(preamble: &Preamble, primitive: Primitive, name: &str) -> String {
    let Preamble { cons, elements, listed, whole, split, .. } = preamble;
    let plain = primitive.name();
    let untagged = match primitive {
        Primitive::VectorToList => format!("(fold-right {cons} (j* '()) (vector->list operands))"),
        Primitive::ListToVector => format!("(list->vector ({listed} operands))"),
        Primitive::VectorSet => format!(
            "(let* (((cons v rest) ({split} operands)) ((cons i x) ({split} rest)))\n        \
             ({whole} (vector-set ({elements} v) (primal i) x)))"
        ),
        Primitive::VectorPush => {
            format!("(let (((cons v x) ({split} operands))) (vector-push ({elements} v) x))")
        }
        Primitive::Get | Primitive::OfLength => {
            format!("(let (((cons v i) ({split} operands))) ({plain} ({elements} v) (primal i)))")
        }
        other => internal_bug!("{other:?} is none of the primitives on elements"),
    };
    format!("(define ({name} operands)\n  (if (forward? operands)\n      ((j* {plain}) operands)\n      {untagged}))\n")
}

/// A primitive in reverse mode.
pub fn reverse_primitive(preamble: &Preamble, primitive: Primitive, name: &str) -> String {
    let Preamble { cons, elements, listed, whole, split, zero, .. } = preamble;
    let plain = primitive.name();
    let untagged = match primitive {
        Primitive::VectorToList => format!(
            "(cons (fold-right {cons} (*j '()) (vector->list operands))\n            \
             (lambda (c) (cons '() (list->vector c))))"
        ),
        Primitive::ListToVector => {
            format!("(cons (list->vector ({listed} operands))\n            (lambda (c) (cons '() (vector->list c))))")
        }
        Primitive::VectorSet => format!(
            "(let* (((cons v rest) ({split} operands)) ((cons i x) ({split} rest)))\n        \
             (let ((v ({elements} v)) (place (*j-inverse i)))\n          \
             (cons ({whole} (vector-set v place x))\n                \
             (lambda (c)\n                  \
             (cons '()\n                        (cons (vector-set c place ({zero} (get v place)))\n                              \
             (cons ({zero} i) (get c place))))))))"
        ),
        Primitive::VectorPush => format!(
            "(let (((cons v x) ({split} operands)))\n        \
             (let ((v ({elements} v)))\n          \
             (cons (vector-push v x)\n                \
             (lambda (c)\n                  (let ((n (vector-length v)))\n                    \
             (cons '() (cons (build n (lambda (i) (get c i))) (get c n))))))))"
        ),
        Primitive::OfLength => format!(
            "(let (((cons v n) ({split} operands)))\n        \
             (cons (of-length ({elements} v) (*j-inverse n))\n              (lambda (c) (cons '() (cons c ({zero} n))))))"
        ),
        Primitive::Get => format!(
            "(let (((cons v i) ({split} operands)))\n        \
             (let ((v ({elements} v)) (place (*j-inverse i)))\n          \
             (cons ({plain} v place)\n                \
             (lambda (c) (cons '() (cons (vector-set ({zero} v) place c) ({zero} i)))))))"
        ),
        other => internal_bug!("{other:?} is none of the primitives on elements"),
    };
    format!("(define ({name} operands)\n  (if (reverse? operands)\n      ((*j {plain}) operands)\n      {untagged}))\n")
}
