//! The checker of the invariant of [`Named`]; run in tests on what a language returns for a program without errors.
//!
//! A program with errors satisfies less: a name that is bound twice has been reported, but is still bound twice.

use crate::named::{Named, NamedGroupId, NamedItem, NamedLambdaId, NamedPattern, NamedPatternId, Node, NodeId};
use crate::names::{NameId, Names};
use std::collections::HashSet;
use vlad_core::ConstantId;

/// Checks that named core is sound: every number is in range, everything belongs to one place of one item, and neither
/// a pattern nor a group binds a name twice. The items are those of all texts that the arenas hold, including the
/// prelude's.
///
/// # Errors
/// A description of the violation, for the author of the pass that made the named core.
pub fn check(named: &Named, names: &Names, items: impl IntoIterator<Item = NamedItem>) -> Result<(), String> {
    let mut checker = Checker {
        named,
        names,
        nodes: VisitedSet::new("node", named.count()),
        lambdas: VisitedSet::new("lambda", named.lambda_count()),
        groups: VisitedSet::new("group", named.group_count()),
        patterns: VisitedSet::new("pattern", named.pattern_count()),
        tasks: vec![],
    };
    for item in items {
        match item {
            NamedItem::Define(name, _, node) => {
                checker.name(name)?;
                checker.tree(node)?;
            }
            NamedItem::Expression(node) => checker.tree(node)?,
        }
    }
    [checker.nodes, checker.lambdas, checker.groups, checker.patterns].iter().try_for_each(VisitedSet::all)
}

/// The visited states of the elements of an arena.
struct VisitedSet {
    what: &'static str,
    places: Vec<Visited>,
}

/// The visited state of one element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Visited {
    No,
    Yes,
}

impl VisitedSet {
    fn new(what: &'static str, count: usize) -> VisitedSet {
        VisitedSet { what, places: vec![Visited::No; count] }
    }

    /// Marks an element as visited; fails if it was visited before or does not exist.
    fn meet(&mut self, number: u32) -> Result<(), String> {
        match self.places.get_mut(number as usize) {
            Some(seen @ Visited::No) => {
                *seen = Visited::Yes;
                Ok(())
            }
            Some(Visited::Yes) => Err(format!("{} {number} belongs to two places", self.what)),
            None => Err(format!("{} {number} does not exist", self.what)),
        }
    }

    /// Fails unless every element has been visited.
    fn all(&self) -> Result<(), String> {
        match self.places.iter().position(|seen| *seen == Visited::No) {
            Some(number) => Err(format!("{} {number} belongs to nothing", self.what)),
            None => Ok(()),
        }
    }
}

struct Checker<'loading> {
    named: &'loading Named,
    names: &'loading Names,
    nodes: VisitedSet,
    lambdas: VisitedSet,
    groups: VisitedSet,
    patterns: VisitedSet,
    tasks: Vec<NodeId>,
}

impl Checker<'_> {
    fn tree(&mut self, root: NodeId) -> Result<(), String> {
        self.tasks.push(root);
        while let Some(id) = self.tasks.pop() {
            // The number is checked first: for a missing node the arena itself would report an internal bug.
            self.nodes.meet(id.0)?;
            self.node(self.named.node(id)).map_err(|message| format!("node {}: {message}", id.0))?;
        }
        Ok(())
    }

    fn node(&mut self, node: Node) -> Result<(), String> {
        match node {
            Node::Constant(constant) => self.constant(constant),
            Node::Variable(name) => self.name(name),
            Node::Lambda(lambda) => self.lambda(lambda),
            Node::Application(first, second) | Node::Cons(first, second) => {
                self.tasks.extend([first, second]);
                Ok(())
            }
            Node::If(test, consequent, alternative) => {
                self.tasks.extend([test, consequent, alternative]);
                Ok(())
            }
            Node::Letrec(group, body) => {
                self.tasks.push(body);
                self.group(group)
            }
        }
    }

    fn name(&self, name: NameId) -> Result<(), String> {
        match (name.0 as usize) < self.names.count() {
            true => Ok(()),
            false => Err(format!("name {} does not exist", name.0)),
        }
    }

    /// Checks a name that is bound together with others.
    fn binding(&self, name: NameId, bound: &mut HashSet<NameId>) -> Result<(), String> {
        self.name(name)?;
        match bound.insert(name) {
            true => Ok(()),
            false => Err(format!("`{}` is bound twice", self.names.text(name))),
        }
    }

    fn constant(&self, constant: ConstantId) -> Result<(), String> {
        if constant.0 as usize >= self.named.constants().len() {
            return Err(format!("constant {} does not exist", constant.0));
        }
        Ok(())
    }

    fn lambda(&mut self, id: NamedLambdaId) -> Result<(), String> {
        self.lambdas.meet(id.0)?;
        let lambda = self.named.lambda(id);
        self.tasks.push(lambda.body);
        lambda.name.map_or(Ok(()), |name| self.name(name))?;
        self.pattern(lambda.pattern)
    }

    fn group(&mut self, id: NamedGroupId) -> Result<(), String> {
        self.groups.meet(id.0)?;
        let mut bound = HashSet::new();
        for (name, lambda) in self.named.group(id) {
            self.binding(*name, &mut bound)?;
            self.lambda(*lambda)?;
        }
        Ok(())
    }

    fn pattern(&mut self, root: NamedPatternId) -> Result<(), String> {
        let mut bound = HashSet::new();
        let mut pending = vec![root];
        while let Some(id) = pending.pop() {
            self.patterns.meet(id.0)?;
            match self.named.pattern(id) {
                NamedPattern::Variable(name) => self.binding(name, &mut bound)?,
                NamedPattern::Constant(constant) => self.constant(constant)?,
                NamedPattern::Pair(first, second) => pending.extend([second, first]),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::named::NamedLambda;
    use vlad_core::source::{FileId, Span};

    const NOWHERE: Span = Span { file: FileId(0), start: 0, end: 0 };

    /// The result of the checker for one expression.
    fn verdict(make: impl FnOnce(&mut Named) -> NodeId) -> Result<(), String> {
        let mut named = Named::new();
        let node = make(&mut named);
        check(&named, &Names::new(), [NamedItem::Expression(node)])
    }

    fn refused(make: impl FnOnce(&mut Named) -> NodeId, message: &str) {
        assert_eq!(verdict(make), Err(message.to_owned()));
    }

    /// `(lambda (first second) ())`.
    fn lambda(named: &mut Named, first: NameId, second: NameId) -> NamedLambdaId {
        let first = named.add_pattern(NamedPattern::Variable(first), NOWHERE);
        let second = named.add_pattern(NamedPattern::Variable(second), NOWHERE);
        let pattern = named.add_pattern(NamedPattern::Pair(first, second), NOWHERE);
        let body = named.reserve(NOWHERE);
        named.add_lambda(NamedLambda { name: None, pattern, body, span: NOWHERE })
    }

    #[test]
    fn numbers_are_in_range() {
        refused(|_| NodeId(0), "node 0 does not exist");
        refused(|named| named.add(Node::Variable(NameId(9999)), NOWHERE), "node 0: name 9999 does not exist");
        refused(|named| named.add(Node::Constant(ConstantId(3)), NOWHERE), "node 0: constant 3 does not exist");
        refused(|named| named.add(Node::Lambda(NamedLambdaId(0)), NOWHERE), "node 0: lambda 0 does not exist");
        refused(|named| named.add(Node::Letrec(NamedGroupId(0), NodeId(0)), NOWHERE), "node 0: group 0 does not exist");
    }

    #[test]
    fn nodes_form_trees() {
        refused(
            |named| {
                let part = named.reserve(NOWHERE);
                named.add(Node::Cons(part, part), NOWHERE)
            },
            "node 0 belongs to two places",
        );
        refused(|named| named.add(Node::Cons(NodeId(0), NodeId(0)), NOWHERE), "node 0 belongs to two places");
        refused(
            |named| {
                named.reserve(NOWHERE);
                named.reserve(NOWHERE)
            },
            "node 0 belongs to nothing",
        );
    }

    #[test]
    fn names_are_bound_once() {
        let two = |first, second| {
            move |named: &mut Named| {
                let lambda = lambda(named, first, second);
                named.add(Node::Lambda(lambda), NOWHERE)
            }
        };
        assert_eq!(verdict(two(Names::ARROW, Names::ELSE)), Ok(()));
        refused(two(Names::ARROW, Names::ARROW), "node 1: `=>` is bound twice");
        refused(
            |named| {
                let members = [0, 1].map(|_| (Names::ARROW, lambda(named, Names::ELSE, Names::ARROW)));
                let group = named.add_group(members.to_vec());
                let body = named.reserve(NOWHERE);
                named.add(Node::Letrec(group, body), NOWHERE)
            },
            "node 3: `=>` is bound twice",
        );
    }
}
