//! The trace of code with arrays.
//!
//! An element of an array is a node whose accumulator is in memory, at the same index of the shadow array
//! ([`super::super::memory::shadow_arrays`]). Elements are copied where they are read, and where arrays are made of them
//! (report, 9.2). So an element is an operand of operations alone, and a value that an array is made of is used nowhere
//! else. Code that does otherwise is refused.
//!
//! Bodies of `build`s and of loops are executed again by the sweep ([`super::super::recomputed::iterations`]); they may
//! not read, write or call recursive functions.

use super::super::nodes::{FrameKind, Identity, Node, Role, Step, Traced, TracedBuild};
use super::blocks::{ArrayContext, Tracer};
use crate::differentiate::refusal::{Refusal, RefusalKind};
use crate::{Block, Kind, Operand, Statement, Variable};
use std::collections::HashSet;

fn refused() -> Refusal {
    Refusal::new(RefusalKind::Arrays)
}

impl Tracer<'_> {
    /// The context, if there may be arrays.
    fn context(&self) -> Result<ArrayContext<'_>, Refusal> {
        self.arrays.ok_or_else(refused)
    }

    /// The shadow array of a variable of the source.
    fn shadow(&self, operand: Operand) -> Result<Option<Variable>, Refusal> {
        let context = self.context()?;
        Ok(match operand {
            Operand::Variable(variable) if context.function == self.source => context.shadows.get(variable),
            Operand::Variable(_) | Operand::Real(_) | Operand::Boolean(_) => None,
        })
    }

    /// True in the body of a loop or a `build` that is executed again.
    pub fn repeats(&self) -> bool {
        self.arrays.is_some_and(|arrays| arrays.repeats_from.is_some())
    }

    /// Refuses to move elements of arrays, and values that arrays have been made of, to places where paths are joined.
    pub fn can_be_joined(&self, identities: &[Identity], inner: Node) -> Result<(), Refusal> {
        let mut nodes = identities.iter().flat_map(Identity::nodes).filter(|node| *node >= inner);
        if nodes.any(|node| self.draft.elements.contains_key(&node) || self.draft.stored.contains(&node)) {
            return Err(refused());
        }
        Ok(())
    }

    /// Refuses to use a value that an array has been made of.
    pub fn can_be_used(&self, operand: Operand) -> Result<(), Refusal> {
        if self.draft.identity(operand).nodes().into_iter().any(|node| self.draft.stored.contains(&node)) {
            return Err(refused());
        }
        Ok(())
    }

    /// Traces a statement on arrays. Beside cells, references tell nodes apart there as well.
    pub fn on_array(&mut self, statement: &Statement) -> Result<(), Refusal> {
        if self.references.is_some() {
            return self.on_cell(statement);
        }
        self.context()?;
        match statement {
            Statement::Load { .. } | Statement::Store { .. } => return Err(refused()),
            Statement::Array { target, elements } => self.array(*target, &self.values(elements))?,
            Statement::Build { targets, length, index, body } => {
                self.trace_build(targets, (self.value(*length), *index, body))?;
            }
            Statement::Element { target, array, index } => {
                let shadow = match self.draft_kind(*target) {
                    Kind::Real => self.shadow(*array)?,
                    Kind::Boolean | Kind::Array(_) | Kind::Cell | Kind::Integer => None,
                };
                self.plain(statement);
                if let Some(shadow) = shadow
                    && let Operand::Variable(made) = self.value((*target).into())
                {
                    let node = self.draft.node();
                    self.draft.identify(made, Identity::of(node));
                    self.draft.elements.insert(node, (self.value(shadow.into()), self.value(*index)));
                }
            }
            other => {
                self.plain(other);
                if let Some(Step::Plain(Statement::Length { target, .. })) = self.steps.last() {
                    self.draft.lengths.insert(*target);
                }
            }
        }
        Ok(())
    }

    fn draft_kind(&self, variable: Variable) -> Kind {
        self.unit.function(self.source).kind(Operand::Variable(variable))
    }

    /// Traces an array of given elements. Each that is active is a node that nothing else uses later.
    fn array(&mut self, source: Variable, elements: &[Operand]) -> Result<(), Refusal> {
        let shadow = self.shadow(Operand::Variable(source))?;
        let is_flat = self.draft_kind(source) == Kind::REALS;
        let (target, elements) = (self.assigned(source), elements.to_vec());
        let shadow = shadow.filter(|_| is_flat);
        let Some(shadow) = shadow else {
            self.push([Statement::Array { target, elements }]);
            return Ok(());
        };
        let from = self.context()?.repeats_from.unwrap_or(Node(0));
        for element in &elements {
            self.can_be_used(*element)?;
            let identity = self.draft.identity(*element);
            for node in identity.nodes() {
                if identity.otherwise.is_none() || node < from || self.draft.elements.contains_key(&node) {
                    return Err(refused());
                }
                self.draft.stored.insert(node);
            }
        }
        let shadow = self.assigned(shadow);
        self.steps.push(Step::Array { target, elements, shadow });
        self.push([Statement::Accumulators { target: shadow, like: target.into() }]);
        Ok(())
    }

    /// Traces a `build` with a length, an index and a body.
    fn trace_build(
        &mut self,
        sources: &[Variable],
        (length, index, body): (Operand, Variable, &Block),
    ) -> Result<(), Refusal> {
        let context = self.context()?;
        let shadows: Vec<Option<Variable>> = sources.iter().map(|target| context.shadows.get(*target)).collect();
        let inner = self.draft.next_node();
        let frame = self.draft.open(FrameKind::Visible);
        let index = self.assigned(index);
        let made_from = self.draft.mark().variable();
        let body = self.repeated(body, inner)?;
        self.draft.close(frame);
        self.can_be_built(&body, inner)?;
        let roles = self.roles(sources);
        let targets = self.all_assigned(sources);
        let is_active = shadows.iter().any(Option::is_some);
        let (mut of_reals, mut after) = (Vec::new(), Vec::new());
        for ((source, target), shadow) in sources.iter().zip(&targets).zip(shadows) {
            let shadow = shadow.filter(|_| self.draft_kind(*source) == Kind::REALS);
            let shadow = shadow.map(|shadow| self.assigned(shadow));
            after.extend(shadow.map(|shadow| Statement::Accumulators { target: shadow, like: (*target).into() }));
            of_reals.push(shadow);
        }
        self.steps.push(Step::Build(Box::new(TracedBuild {
            frame,
            is_recorded: false,
            targets,
            length,
            index,
            body,
            inner,
            shadows: of_reals,
            roles,
            is_active,
            made_from,
        })));
        self.push(after);
        Ok(())
    }

    fn set_repeats_from(&mut self, node: Option<Node>) {
        if let Some(arrays) = &mut self.arrays {
            arrays.repeats_from = node;
        }
    }

    /// Traces a body that is executed repeatedly, with nodes from a certain one on.
    pub fn repeated(&mut self, body: &Block, inner: Node) -> Result<Traced, Refusal> {
        let around = self.arrays.and_then(|arrays| arrays.repeats_from);
        self.set_repeats_from(Some(inner));
        let traced = self.nested(body);
        self.set_repeats_from(around);
        traced
    }

    /// Refuses elements that are no nodes of their own.
    fn can_be_built(&self, traced: &Traced, inner: Node) -> Result<(), Refusal> {
        let mut can_be_built = Ok(());
        traced.each_yield(&mut |operands| {
            let identities: Vec<Identity> = operands.iter().map(|operand| self.draft.identity(*operand)).collect();
            let mut nodes = HashSet::new();
            let is_own = |node: Node| node >= inner && nodes.insert(node);
            if !identities.iter().flat_map(Identity::nodes).all(is_own) {
                can_be_built = Err(refused());
            }
            if can_be_built.is_ok() {
                can_be_built = self.can_be_joined(&identities, inner);
            }
        });
        can_be_built
    }

    /// The roles of the values of some variables of the source.
    pub fn roles(&self, variables: &[Variable]) -> Vec<Role> {
        let role = |variable: &Variable| match self.arrays.filter(|arrays| arrays.function == self.source) {
            Some(arrays) if arrays.shadows.is_shadow(*variable) => Role::Shadow,
            Some(_) if self.draft_kind(*variable).is_array() => Role::Array,
            Some(_) | None => Role::Scalar,
        };
        variables.iter().map(role).collect()
    }
}
