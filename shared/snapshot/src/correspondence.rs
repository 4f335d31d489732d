//! Values of one program in terms of another one that has the same items, read from the same texts, among others.
//!
//! The code of an item is a run of nodes and lambdas with consecutive numbers, in an order that depends on its text
//! alone ([`vlad_core::Program`]). So a node or lambda of an item corresponds to the one at the same distance from the
//! item's first in the other program. Procedures and capsules are the values that refer to code.

use crate::layout::capsules::{Codes, translate_code};
use std::any::Any;
use std::cell::Cell;
use vlad_core::{ExpressionId, LambdaId, Program};
use vlad_runtime::suspended::{Point, PointStack};
use vlad_table::internal_bug;
use vlad_values::{Points, Value};

/// The code of an item.
#[derive(Clone, Copy, Debug)]
struct Extent {
    node: u32,
    nodes: u32,
    lambda: u32,
    lambdas: u32,
}

/// The correspondence of code in two programs.
#[derive(Debug)]
struct Correspondence {
    nodes: Vec<Option<ExpressionId>>,
    lambdas: Vec<Option<LambdaId>>,
    /// True if all pairs of items have the same code.
    is_whole: bool,
}

/// The reason why a value has no counterpart: its code is not the same in the other program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherCode;

/// Returns values of `old` as values of `new`. The pairs in `items` are numbers of items from the same text, in the old
/// program and in the new one; procedures of the prelude correspond by their names.
///
/// # Errors
/// A value refers to code that is not the same in the new program.
pub fn carry_over(
    old: &Program,
    new: &Program,
    items: &[(usize, usize)],
    values: Vec<Value>,
) -> Result<Vec<Value>, OtherCode> {
    let correspondence = Correspondence::of(old, new, items);
    if correspondence.is_identity() {
        return Ok(values);
    }
    let is_missing = Cell::new(false);
    let codes = |code: LambdaId| {
        correspondence.lambda(code).unwrap_or_else(|| {
            is_missing.set(true);
            code
        })
    };
    let node = |node: ExpressionId| {
        correspondence.node(node).unwrap_or_else(|| {
            is_missing.set(true);
            node
        })
    };
    let carried = translate_code(new, values, &codes as &Codes<'_>, &mut |points, values| {
        let Some(PointStack { points }) = (points as &dyn Any).downcast_ref::<PointStack>() else {
            internal_bug!("the capsules of a suspended run stand at points of core");
        };
        let points = points.iter().map(|point| Point { node: node(point.node), site: node(point.site), ..*point });
        Ok((Box::new(PointStack { points: points.collect() }) as Box<dyn Points>, values))
    });
    match carried {
        Ok(values) if !is_missing.get() => Ok(values),
        Ok(_) | Err(_) => Err(OtherCode),
    }
}

impl Correspondence {
    fn of(old: &Program, new: &Program, items: &[(usize, usize)]) -> Correspondence {
        let (nodes, lambdas) = (vec![None; old.expressions.len()], vec![None; old.lambdas.len()]);
        let mut correspondence = Correspondence { nodes, lambdas, is_whole: true };
        let (of_old, of_new) = (extents(old), extents(new));
        let of_items = items.iter().filter_map(|(one, other)| {
            let (one, other) = (old.items.get(*one)?.node(), new.items.get(*other)?.node());
            Some((one, other))
        });
        let of_prelude = old.prelude.iter().filter_map(|(global, lambda)| {
            let name = &old.global(*global).name;
            let (_, other) = new.prelude.iter().find(|(global, _)| new.global(*global).name == *name)?;
            Some((old.lambda(*lambda).node, new.lambda(*other).node))
        });
        for (one, other) in of_items.chain(of_prelude) {
            if let (Some(one), Some(other)) = (extent_at(&of_old, one), extent_at(&of_new, other)) {
                correspondence.note(one, other);
            }
        }
        correspondence
    }

    fn note(&mut self, one: Extent, other: Extent) {
        if one.nodes != other.nodes || one.lambdas != other.lambdas {
            self.is_whole = false;
            return;
        }
        for distance in 0..one.nodes {
            if let Some(place) = self.nodes.get_mut((one.node + distance) as usize) {
                *place = Some(ExpressionId(other.node + distance));
            }
        }
        for distance in 0..one.lambdas {
            if let Some(place) = self.lambdas.get_mut((one.lambda + distance) as usize) {
                *place = Some(LambdaId(other.lambda + distance));
            }
        }
    }

    /// Returns true if all code that both programs have has the same numbers in them.
    fn is_identity(&self) -> bool {
        let same_nodes = (0..).zip(&self.nodes).all(|(number, node)| node.is_none_or(|node| node.0 == number));
        self.is_whole
            && same_nodes
            && (0..).zip(&self.lambdas).all(|(number, code)| code.is_none_or(|code| code.0 == number))
    }

    fn node(&self, node: ExpressionId) -> Option<ExpressionId> {
        self.nodes.get(node.0 as usize).copied().flatten()
    }

    fn lambda(&self, lambda: LambdaId) -> Option<LambdaId> {
        self.lambdas.get(lambda.0 as usize).copied().flatten()
    }
}

/// Returns the extents of the code of all items and of the prelude's procedures, in the order of their nodes.
fn extents(program: &Program) -> Vec<Extent> {
    let of_prelude = program.prelude.iter().map(|(_, lambda)| program.lambda(*lambda).node);
    let mut roots: Vec<u32> =
        of_prelude.chain(program.items.iter().map(|item| item.node())).map(|node| node.0).collect();
    roots.sort_unstable();
    let ends = roots.iter().copied().skip(1).chain([program.expressions.len() as u32]);
    let mut extents: Vec<Extent> = roots
        .iter()
        .zip(ends)
        .map(|(node, end)| Extent { node: *node, nodes: end - node, lambda: 0, lambdas: 0 })
        .collect();
    for (number, lambda) in (0_u32..).zip(&program.lambdas) {
        let place = extents.partition_point(|extent| extent.node <= lambda.node.0);
        let Some(extent) = place.checked_sub(1).and_then(|place| extents.get_mut(place)) else {
            internal_bug!("every lambda belongs to an item");
        };
        if extent.lambdas == 0 {
            extent.lambda = number;
        }
        extent.lambdas += 1;
    }
    extents
}

fn extent_at(extents: &[Extent], node: ExpressionId) -> Option<Extent> {
    let place = extents.binary_search_by_key(&node.0, |extent| extent.node).ok()?;
    extents.get(place).copied()
}
