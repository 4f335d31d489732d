//! Assignment of locations to variables (closure conversion): locals of an activation, captured slots, siblings of a
//! group.
//!
//! The traversal of core visits an operator before its operand, so the captures of a procedure come out in order of
//! first free occurrence: when a variable is visited, every procedure between it and its binding captures it, unless it
//! has done so before. The members of a group share their captures, so a group is one unit here.
//!
//! If nested procedures all use the variables of the outermost one, the number of slots grows with the square of the
//! length of the program. So it is bounded, and a program that exceeds the bound is refused.

use super::unresolved::Unresolved;
use crate::resolve::scope::{Scopes, Usage, Variable};
use crate::vlad::prelude;
use rustc_hash::FxHashMap;
use vlad_core::diagnostic::{Diagnostic, Kind, Report};
use vlad_core::source::Span;
use vlad_core::{
    ConstantId, Expression, ExpressionId, Global, GlobalId, Group, GroupId, Item, Lambda, LambdaId, Pattern, PatternId,
    Program, Reference,
};
use vlad_language::named::{
    NamedGroupId, NamedItem, NamedLambda, NamedLambdaId, NamedPattern, NamedPatternId, Node, NodeId,
};
use vlad_language::names::NameId;
use vlad_table::internal_bug;

/// The greatest number of slots that all procedures of a program may have together.
pub const MOST_SLOTS: usize = 1 << 22;

/// The number of a unit: a piece of code whose activations have slots of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct UnitId(u32);

/// A lambda, a group, or a top-level item.
struct Unit {
    /// The enclosing unit; none for an item.
    around: Option<UnitId>,
    owner: Owner,
    /// The variables copied into the slots.
    captures: Vec<Reference>,
}

/// The owner of a unit.
#[derive(Clone, Copy)]
enum Owner {
    Item,
    Lambda(LambdaId),
    Group(GroupId),
}

/// The location of the members of a group.
#[derive(Clone, Copy)]
struct GroupPlace {
    /// The unit within which they are siblings.
    inside: UnitId,
    /// The unit within which they are locals, the first of number `first`.
    around: UnitId,
    first: u32,
}

/// A pending node, whose activation has `depth` locals bound around it.
struct Task {
    node: NodeId,
    into: ExpressionId,
    unit: UnitId,
    depth: u32,
}

/// The kind of text that an item belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Text {
    Library,
    Program,
}

struct Numbering<'loading> {
    unresolved: Unresolved<'loading>,
    scopes: &'loading Scopes,
    program: Program,
    units: Vec<Unit>,
    slots: FxHashMap<(UnitId, Variable), u32>,
    /// The unit and the local number of each variable of a pattern.
    locals: Vec<Option<(UnitId, u32)>>,
    groups: Vec<Option<GroupPlace>>,
    /// The new numbers of the constants copied so far.
    constants: Vec<Option<ConstantId>>,
    /// The numbers of the prelude's definitions, and the number of the program's first definition.
    prelude: Vec<Option<GlobalId>>,
    first_global: u32,
    tasks: Vec<Task>,
    /// The span of the variable whose capture exceeded the bound on slots.
    overflow: Option<Span>,
}

/// Resolves the variables of a program without errors to locations; none if its procedures have too many slots, which
/// is reported.
pub fn number(unresolved: Unresolved<'_>, scopes: &Scopes, report: &mut Report) -> Option<Program> {
    let mut numbering = Numbering {
        unresolved,
        scopes,
        program: empty_program(unresolved.named.count()),
        units: vec![],
        slots: FxHashMap::default(),
        locals: vec![None; unresolved.named.pattern_count()],
        groups: vec![None; unresolved.named.group_count()],
        constants: vec![None; unresolved.named.constants().len()],
        prelude: vec![],
        first_global: 0,
        tasks: vec![],
        overflow: None,
    };
    numbering.prelude();
    numbering.program.prelude_nodes = numbering.program.expressions.len() as u32;
    numbering.items();
    match numbering.overflow {
        None => Some(numbering.finish()),
        Some(span) => {
            let message = format!("the procedures of the program have more than {MOST_SLOTS} slots in all");
            let hint = "each procedure has a slot for every variable around it that it, or a procedure within it, uses";
            report.push(Diagnostic::new(Kind::Limit, span, message).with_hint(hint));
            None
        }
    }
}

/// Returns an empty program with capacity for so many nodes.
fn empty_program(nodes: usize) -> Program {
    let (expressions, spans) = (Vec::with_capacity(nodes), Vec::with_capacity(nodes));
    Program { expressions, spans, ..Program::default() }
}

impl Numbering<'_> {
    /// Adds the procedures of the prelude that are used.
    fn prelude(&mut self) {
        let mut used = vec![];
        for (place, item) in self.unresolved.prelude.iter().enumerate() {
            let NamedItem::Define(name, span, node) = *item else { internal_bug!("the prelude only defines") };
            match self.scopes.usage(place) {
                Usage::Used => {
                    let global = self.global(name, span);
                    self.prelude.push(Some(global));
                    used.push((global, node));
                }
                Usage::Unused => self.prelude.push(None),
            }
        }
        self.first_global = self.program.globals.len() as u32;
        for (global, node) in used {
            let made = self.item(node);
            let Expression::Lambda(lambda) = self.program.expression(made) else {
                internal_bug!("the prelude defines lambdas")
            };
            self.program.prelude.push((global, lambda));
            if prelude::LOOP_PROCEDURES.contains(&self.program.global(global).name.as_str()) {
                self.program.machine_nodes = self.program.expressions.len() as u32;
            }
        }
    }

    /// Adds the items of the program. Those of libraries get their nodes first; the order of items stays that of the
    /// program.
    fn items(&mut self) {
        for item in self.unresolved.items {
            if let NamedItem::Define(name, span, _) = *item {
                self.global(name, span);
            }
        }
        let items = self.unresolved.items;
        let mut made: Vec<Option<ExpressionId>> = items.iter().map(|item| self.item_of(item, Text::Library)).collect();
        self.program.shipped_nodes = self.program.expressions.len() as u32;
        let mut next = self.first_global;
        for (item, made) in items.iter().zip(&mut made) {
            let Some(node) = made.take().or_else(|| self.item_of(item, Text::Program)) else {
                internal_bug!("an item is a library's or the program's own")
            };
            self.program.items.push(match item {
                NamedItem::Define(..) => {
                    next += 1;
                    Item::Define(GlobalId(next - 1), node)
                }
                NamedItem::Expression(_) => Item::Expression(node),
            });
        }
    }

    /// Adds the expression of an item if it belongs to such a text.
    fn item_of(&mut self, item: &NamedItem, text: Text) -> Option<ExpressionId> {
        let node = item.node();
        let is_library = self.unresolved.sources.is_library(self.unresolved.named.span(node).file);
        (is_library == (text == Text::Library)).then(|| self.item(node))
    }

    fn global(&mut self, name: NameId, span: Span) -> GlobalId {
        let name = self.unresolved.names.text(name).to_string();
        self.program.globals.push(Global { name, span });
        GlobalId(self.program.globals.len() as u32 - 1)
    }

    /// Adds an expression at top level, which has an activation of its own.
    fn item(&mut self, node: NodeId) -> ExpressionId {
        let unit = self.unit(None, Owner::Item);
        let made = self.later(node, unit, 0);
        while let Some(Task { node, into, unit, depth }) = self.tasks.pop() {
            let expression = self.expression(node, into, unit, depth);
            match self.program.expressions.get_mut(into.0 as usize) {
                Some(place) => *place = expression,
                None => internal_bug!("expression {} is in the arena", into.0),
            }
        }
        made
    }

    fn unit(&mut self, around: Option<UnitId>, owner: Owner) -> UnitId {
        self.units.push(Unit { around, owner, captures: vec![] });
        UnitId(self.units.len() as u32 - 1)
    }

    /// Reserves the number of an expression.
    fn reserve(&mut self, span: Span) -> ExpressionId {
        self.program.expressions.push(Expression::Constant(ConstantId(0)));
        self.program.spans.push(span);
        ExpressionId(self.program.expressions.len() as u32 - 1)
    }

    /// Reserves the number of an expression and schedules it as the next one.
    fn later(&mut self, node: NodeId, unit: UnitId, depth: u32) -> ExpressionId {
        let into = self.reserve(self.unresolved.named.span(node));
        self.tasks.push(Task { node, into, unit, depth });
        into
    }

    /// Reserves the numbers of expressions and schedules them next, in order.
    fn schedule_all<const COUNT: usize>(
        &mut self,
        nodes: [NodeId; COUNT],
        unit: UnitId,
        depth: u32,
    ) -> [ExpressionId; COUNT] {
        let from = self.tasks.len();
        let made = nodes.map(|node| self.later(node, unit, depth));
        self.tasks.get_mut(from..).unwrap_or_default().reverse();
        made
    }

    fn expression(&mut self, node: NodeId, into: ExpressionId, unit: UnitId, depth: u32) -> Expression {
        match self.unresolved.named.node(node) {
            Node::Constant(constant) => Expression::Constant(self.constant(constant)),
            Node::Variable(_) => Expression::Variable(self.variable(node, unit)),
            Node::Lambda(lambda) => Expression::Lambda(self.lambda(lambda, into, unit)),
            Node::Application(operator, operand) => match self.unresolved.named.node(operator) {
                Node::Lambda(lambda) => self.expression_let(operator, lambda, operand, unit, depth),
                Node::Constant(_)
                | Node::Variable(_)
                | Node::Application(..)
                | Node::Cons(..)
                | Node::If(..)
                | Node::Letrec(..) => {
                    let [operator, operand] = self.schedule_all([operator, operand], unit, depth);
                    Expression::Application { operator, operand }
                }
            },
            Node::Cons(first, second) => {
                let [first, second] = self.schedule_all([first, second], unit, depth);
                Expression::Cons { first, second }
            }
            Node::If(test, consequent, alternative) => {
                let [test, consequent, alternative] = self.schedule_all([test, consequent, alternative], unit, depth);
                Expression::If { test, consequent, alternative }
            }
            Node::Letrec(group, body) => self.letrec(group, body, into, unit, depth),
        }
    }

    /// `((lambda p b) e)`: b runs in the enclosing activation.
    fn expression_let(
        &mut self,
        operator: NodeId,
        lambda: NamedLambdaId,
        operand: NodeId,
        unit: UnitId,
        depth: u32,
    ) -> Expression {
        let written = self.unresolved.named.lambda(lambda);
        let operator = self.reserve(self.unresolved.named.span(operator));
        let (pattern, inner_depth) = self.pattern(written.pattern, unit, depth);
        // The worklist is a stack, and the operator comes before the operand.
        let operand = self.later(operand, unit, depth);
        let body = self.later(written.body, unit, inner_depth);
        let lambda = self.add_lambda(written, pattern, body, None, depth, operator);
        match self.program.expressions.get_mut(operator.0 as usize) {
            Some(place) => *place = Expression::Lambda(lambda),
            None => internal_bug!("expression {} is in the arena", operator.0),
        }
        Expression::Let { operator, lambda, operand }
    }

    fn lambda(&mut self, lambda: NamedLambdaId, node: ExpressionId, around: UnitId) -> LambdaId {
        let written = self.unresolved.named.lambda(lambda);
        let unit = self.unit(Some(around), Owner::Lambda(LambdaId(self.program.lambdas.len() as u32)));
        let (pattern, depth) = self.pattern(written.pattern, unit, 0);
        let body = self.later(written.body, unit, depth);
        self.add_lambda(written, pattern, body, None, 0, node)
    }

    fn letrec(
        &mut self,
        named_group: NamedGroupId,
        body: NodeId,
        into: ExpressionId,
        around: UnitId,
        depth: u32,
    ) -> Expression {
        let group = GroupId(self.program.groups.len() as u32);
        let inside = self.unit(Some(around), Owner::Group(group));
        self.program.groups.push(Group { members: vec![], captures: vec![] });
        if let Some(place) = self.groups.get_mut(named_group.0 as usize) {
            *place = Some(GroupPlace { inside, around, first: depth });
        }
        let members = self.unresolved.named.group(named_group);
        let from = self.tasks.len();
        let mut made = Vec::with_capacity(members.len());
        for (place, (_, lambda)) in members.iter().enumerate() {
            let written = self.unresolved.named.lambda(*lambda);
            let (pattern, inner_depth) = self.pattern(written.pattern, inside, 0);
            let member_body = self.later(written.body, inside, inner_depth);
            made.push(self.add_lambda(written, pattern, member_body, Some((group, place as u32)), 0, into));
        }
        let body = self.later(body, around, depth + members.len() as u32);
        self.tasks.get_mut(from..).unwrap_or_default().reverse();
        if let Some(group) = self.program.groups.get_mut(group.0 as usize) {
            group.members = made;
        }
        Expression::Letrec { group, body }
    }

    fn add_lambda(
        &mut self,
        written: NamedLambda,
        pattern: PatternId,
        body: ExpressionId,
        group: Option<(GroupId, u32)>,
        depth: u32,
        node: ExpressionId,
    ) -> LambdaId {
        let name = written.name.map(|name| self.unresolved.names.text(name).to_string());
        self.program.lambdas.push(Lambda {
            name,
            pattern,
            body,
            captures: vec![],
            group,
            depth,
            node,
            span: written.span,
        });
        LambdaId(self.program.lambdas.len() as u32 - 1)
    }

    /// Adds a pattern whose variables become the next locals; returns the number of locals after it.
    fn pattern(&mut self, pattern: NamedPatternId, unit: UnitId, depth: u32) -> (PatternId, u32) {
        let mut depth = depth;
        let root = self.reserve_pattern(pattern);
        let mut pending = vec![(pattern, root)];
        while let Some((named, into)) = pending.pop() {
            let made = match self.unresolved.named.pattern(named) {
                NamedPattern::Variable(name) => {
                    if let Some(place) = self.locals.get_mut(named.0 as usize) {
                        *place = Some((unit, depth));
                    }
                    depth += 1;
                    if let Some(place) = self.program.pattern_names.get_mut(into.0 as usize) {
                        self.unresolved.names.text(name).clone_into(place);
                    }
                    Pattern::Variable
                }
                NamedPattern::Constant(constant) => Pattern::Constant(self.constant(constant)),
                NamedPattern::Pair(first, second) => {
                    let (left, right) = (self.reserve_pattern(first), self.reserve_pattern(second));
                    pending.extend([(second, right), (first, left)]);
                    Pattern::Pair(left, right)
                }
            };
            if let Some(place) = self.program.patterns.get_mut(into.0 as usize) {
                *place = made;
            }
        }
        (root, depth)
    }

    fn reserve_pattern(&mut self, pattern: NamedPatternId) -> PatternId {
        self.program.patterns.push(Pattern::Variable);
        self.program.pattern_spans.push(self.unresolved.named.pattern_span(pattern));
        self.program.pattern_names.push(String::new());
        PatternId(self.program.patterns.len() as u32 - 1)
    }

    fn constant(&mut self, constant: ConstantId) -> ConstantId {
        self.program.constants.copy(self.unresolved.named.constants(), constant, &mut self.constants)
    }

    fn variable(&mut self, node: NodeId, unit: UnitId) -> Reference {
        let Some(variable) = self.scopes.variable(node) else {
            internal_bug!("a program without errors has no unbound names")
        };
        match variable {
            Variable::Pattern(_) | Variable::Member(..) => {
                let reference = self.bound(variable, unit);
                if self.slots.len() > MOST_SLOTS {
                    self.overflow = self.overflow.or(Some(self.unresolved.named.span(node)));
                    self.tasks.clear();
                }
                reference
            }
            Variable::Program(place) => Reference::Global(GlobalId(self.first_global + place)),
            Variable::Prelude(place) => match self.prelude.get(place as usize).copied().flatten() {
                Some(global) => Reference::Global(global),
                None => internal_bug!("a definition of the prelude that is referred to is used"),
            },
            Variable::Primitive(primitive) => Reference::Primitive(primitive),
        }
    }

    /// Returns the location of a variable within a unit that binds it or is enclosed by its binding; adds captures as
    /// needed.
    fn bound(&mut self, variable: Variable, unit: UnitId) -> Reference {
        let mut capturing = vec![];
        let mut here = unit;
        let mut reference = loop {
            if let Some(reference) = self.without_capture(variable, here) {
                break reference;
            }
            if let Some(slot) = self.slots.get(&(here, variable)) {
                break Reference::Slot(*slot);
            }
            capturing.push(here);
            match self.units.get(here.0 as usize).and_then(|unit| unit.around) {
                Some(around) => here = around,
                None => internal_bug!("a bound variable is bound in a unit around"),
            }
        };
        while let Some(unit) = capturing.pop() {
            let Some(Unit { captures, .. }) = self.units.get_mut(unit.0 as usize) else {
                internal_bug!("unit {} exists", unit.0)
            };
            let slot = captures.len() as u32;
            captures.push(reference);
            self.slots.insert((unit, variable), slot);
            reference = Reference::Slot(slot);
        }
        reference
    }

    /// Returns the location of a variable within a unit if it need not be captured there.
    fn without_capture(&self, variable: Variable, unit: UnitId) -> Option<Reference> {
        match variable {
            Variable::Pattern(pattern) => {
                let (home, local) = self.locals.get(pattern.0 as usize).copied().flatten()?;
                (home == unit).then_some(Reference::Local(local))
            }
            Variable::Member(group, place) => {
                let home = self.groups.get(group.0 as usize).copied().flatten()?;
                if home.inside == unit {
                    Some(Reference::Sibling(place))
                } else {
                    (home.around == unit).then_some(Reference::Local(home.first + place))
                }
            }
            Variable::Program(_) | Variable::Prelude(_) | Variable::Primitive(_) => None,
        }
    }

    /// Stores the captures in the lambdas and groups and returns the program.
    fn finish(mut self) -> Program {
        for unit in self.units {
            let place = match unit.owner {
                Owner::Item => None,
                Owner::Lambda(lambda) => {
                    self.program.lambdas.get_mut(lambda.0 as usize).map(|lambda| &mut lambda.captures)
                }
                Owner::Group(group) => self.program.groups.get_mut(group.0 as usize).map(|group| &mut group.captures),
            };
            if let Some(place) = place {
                *place = unit.captures;
            }
        }
        self.program
    }
}
