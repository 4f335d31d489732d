//! Results: for each leaf of a signature, its source in the value that the analysis found.

use super::signature::{LeafType, Type};
use std::fmt::Write;
use vlad_first_order::kind::MOST_RANK;
use vlad_first_order::template::{Step, Template};
use vlad_first_order::{Bits, Elements, Scalar};

/// The source of a number in a result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A leaf of the value, by its number.
    Leaf(usize),
    /// A constant.
    Known(Bits),
}

/// The source of a boolean in a result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Truth {
    /// A leaf of the value, by its number.
    Leaf(usize),
    /// A constant.
    Known(bool),
}

/// The source of an array in a result.
#[derive(Clone, Debug, PartialEq)]
pub enum Array {
    /// A leaf of the value, an array.
    Leaf(usize),
    /// Separate numbers, possibly none.
    Elements(Vec<Number>),
    /// Separate arrays of one dimension less, at least one.
    Parts(Vec<Array>),
}

/// The source of a leaf of the signature's result.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// A real.
    Real(Number),
    /// A boolean.
    Boolean(Truth),
    /// An array.
    Array {
        /// Its source.
        array: Array,
        /// The number of its dimensions.
        rank: u32,
    },
}

/// A value with its leaves.
#[derive(Clone, Debug)]
enum Shape {
    Nil,
    Real(Number),
    Boolean(Truth),
    Array(Elements, usize),
    /// A chain of pairs, each the second part of the previous one: the first parts in reverse order, and the last
    /// second part.
    Pairs(Vec<Shape>, Box<Shape>),
    Vector(Vec<Shape>),
    /// A value without a representation in C: its description.
    Other(&'static str),
}

/// The sources of the leaves of the expected type in a value of a template.
///
/// # Errors
/// The type of the value, in words.
pub fn outputs(template: &Template, expected: &Type) -> Result<Vec<Output>, String> {
    let shape = shape(template);
    let mut found = Vec::new();
    let mut pending = vec![(&shape, expected)];
    while let Some((shape, expected)) = pending.pop() {
        match (shape, expected) {
            (Shape::Nil, Type::Nil) => {}
            (Shape::Pairs(firsts, rest), Type::Pair(..)) => {
                let (mut parts, mut expected) = (Vec::new(), expected);
                for first in firsts.iter().rev() {
                    let Type::Pair(of_first, of_second) = expected else { return Err(words(&self::shape(template))) };
                    parts.push((first, &**of_first));
                    expected = of_second;
                }
                parts.push((rest, expected));
                pending.extend(parts.into_iter().rev());
            }
            (shape, Type::Leaf(leaf)) => match output(shape, *leaf) {
                Some(output) => found.push(output),
                None => return Err(words(&self::shape(template))),
            },
            (_, Type::Nil | Type::Pair(..)) => return Err(words(&self::shape(template))),
        }
    }
    Ok(found)
}

fn output(shape: &Shape, leaf: LeafType) -> Option<Output> {
    match (leaf, shape) {
        (LeafType::Real, Shape::Real(number)) => Some(Output::Real(*number)),
        (LeafType::Boolean, Shape::Boolean(truth)) => Some(Output::Boolean(*truth)),
        (LeafType::Array(rank), shape) => array(shape, rank).map(|array| Output::Array { array, rank }),
        (LeafType::Real | LeafType::Boolean, _) => None,
    }
}

/// The source of an array. The recursion is bounded by the number of dimensions.
fn array(shape: &Shape, rank: u32) -> Option<Array> {
    match shape {
        Shape::Array(Elements { scalar: Scalar::Real, rank: found }, leaf) => {
            (u32::from(*found) == rank).then_some(Array::Leaf(*leaf))
        }
        Shape::Vector(parts) if rank > 1 && !parts.is_empty() => {
            parts.iter().map(|part| array(part, rank - 1)).collect::<Option<Vec<Array>>>().map(Array::Parts)
        }
        Shape::Vector(elements) => {
            let number = |element: &Shape| match element {
                Shape::Real(number) => Some(*number),
                _ => None,
            };
            elements.iter().map(number).collect::<Option<Vec<Number>>>().map(Array::Elements)
        }
        _ => None,
    }
}

/// The value of a template.
fn shape(template: &Template) -> Shape {
    let mut stack: Vec<Shape> = Vec::new();
    let mut leaves = 0..;
    let mut leaf = || leaves.next().unwrap_or_default();
    for step in &template.steps {
        let next = match step {
            Step::Nil => Shape::Nil,
            Step::Boolean(truth) => Shape::Boolean(Truth::Known(*truth)),
            Step::Real(bits) => Shape::Real(Number::Known(*bits)),
            Step::RealLeaf => Shape::Real(Number::Leaf(leaf())),
            Step::BooleanLeaf => Shape::Boolean(Truth::Leaf(leaf())),
            Step::ArrayLeaf(elements) => Shape::Array(*elements, leaf()),
            Step::Pair => {
                let (second, first) = (stack.pop(), stack.pop());
                let first = first.unwrap_or(Shape::Nil);
                match second {
                    Some(Shape::Pairs(mut firsts, rest)) => {
                        firsts.push(first);
                        Shape::Pairs(firsts, rest)
                    }
                    second => Shape::Pairs(vec![first], Box::new(second.unwrap_or(Shape::Nil))),
                }
            }
            Step::Vector(count) => Shape::Vector(stack.split_off(stack.len().saturating_sub(*count as usize))),
            Step::CellLeaf(_) => {
                leaf();
                Shape::Other("a structure of any size")
            }
            Step::Primitive(_) => Shape::Other("a procedure"),
            Step::Procedure(_, count) => {
                stack.truncate(stack.len().saturating_sub(*count as usize));
                Shape::Other("a procedure")
            }
            Step::Bundle(_) => {
                stack.truncate(stack.len().saturating_sub(2));
                Shape::Other("a bundle")
            }
            Step::Tagged(_) => {
                stack.pop();
                Shape::Other("a tagged value")
            }
            Step::Backpropagator => {
                stack.truncate(stack.len().saturating_sub(2));
                Shape::Other("a backpropagator")
            }
            Step::Either(_) => {
                stack.truncate(stack.len().saturating_sub(3));
                Shape::Other("a value of several shapes")
            }
            Step::Last => {
                stack.truncate(stack.len().saturating_sub(2));
                Shape::Other("a value of several shapes")
            }
        };
        stack.push(next);
    }
    stack.pop().unwrap_or(Shape::Nil)
}

/// The greatest length of a description.
const MOST_WORDS: usize = 120;

/// The type of a value in the notation of signatures, if it has one, else in words.
fn words(shape: &Shape) -> String {
    let mut text = String::new();
    write_words(shape, &mut text);
    if text.len() > MOST_WORDS {
        let cut = text.char_indices().map(|(place, _)| place).nth(MOST_WORDS).unwrap_or(text.len());
        text.truncate(cut);
        text.push_str("...");
    }
    text
}

/// Writes a value's type until the text is long. The recursion is as deep as values of the analysis.
fn write_words(shape: &Shape, text: &mut String) {
    if text.len() > MOST_WORDS {
        return;
    }
    if let Some(rank) = (1..=u32::from(MOST_RANK)).find(|rank| array(shape, *rank).is_some()) {
        let _ = write!(text, "{}", LeafType::Array(rank));
        return;
    }
    match shape {
        Shape::Nil => text.push_str("()"),
        Shape::Real(_) => text.push_str("real"),
        Shape::Boolean(_) => text.push_str("boolean"),
        Shape::Array(Elements { scalar, rank }, _) => {
            let of = match scalar {
                Scalar::Real => "reals",
                Scalar::Boolean => "booleans",
            };
            let _ = write!(text, "{}{of}", "vectors of ".repeat(usize::from(*rank)));
        }
        Shape::Vector(elements) => {
            text.push_str("#(");
            for (place, element) in elements.iter().enumerate() {
                text.push_str(if place == 0 { "" } else { " " });
                write_words(element, text);
            }
            text.push(')');
        }
        Shape::Pairs(firsts, rest) => {
            text.push('(');
            for (place, first) in firsts.iter().rev().enumerate() {
                text.push_str(if place == 0 { "" } else { " " });
                write_words(first, text);
            }
            if !matches!(**rest, Shape::Nil) {
                text.push_str(" . ");
                write_words(rest, text);
            }
            text.push(')');
        }
        Shape::Other(words) => text.push_str(words),
    }
}
