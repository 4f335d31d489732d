//! The transformed primitives that make vectors and select their elements, where procedures are data.
//!
//! A vector of data has a tag as a whole. A vector that holds a procedure transformed as code has none, like a pair
//! that holds one: it is the vector of its transformed elements, and its sensitivity is the vector of their
//! sensitivities.

use crate::transformation::helper_names::Preamble;
use vlad_table::{Primitive, internal_bug};

/// The names of the language that these definitions use.
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

/// Returns the helpers that convert vectors and lists to and from vectors and lists of transformed elements, in forward
/// mode.
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

/// Returns the same helpers for reverse mode.
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

/// Returns the definition of a transformed primitive in forward mode.
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

/// Returns the definition of a transformed primitive in reverse mode.
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
