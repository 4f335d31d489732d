//! The trace of code with arrays.
//!
//! An element of an array is a node whose accumulator is in memory, at the same index of the array's shadow array
//! ([`super::super::memory::shadow_arrays`]). Elements are copied where they are read, and where arrays are made of them (report, 9.2), so
//! an element is an operand of operations alone, and what an array is made of is used nowhere else.
//!
//! The sweep over a `build`, and over a loop of code with arrays, executes its body again ([`super::super::recomputed::iterations`]). An array
//! that is made there and handed on is the array that the first execution has made, and so is its shadow array.

use super::super::nodes::frames::FrameKind;
use super::super::nodes::identity::{Identity, Node};
use super::super::nodes::traced::{Role, Step, Traced, TracedBuild, TracedEnd};
use super::blocks::{ArrayContext, Environment, SourceBuild, Tracer, value, values};
use crate::first_order::differentiate::refusal::{Refusal, RefusalKind};
use crate::first_order::{Block, Kind, Operand, Statement, Variable};
use std::collections::HashSet;
use vlad_core::ExpressionId;

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

    /// Refuses to move elements of arrays, and what arrays have been made of, to where paths are joined.
    pub fn can_be_joined(&self, identities: &[Identity], inner: Node) -> Result<(), Refusal> {
        let mut nodes = identities.iter().flat_map(Identity::nodes).filter(|node| *node >= inner);
        if nodes.any(|node| self.draft.element(node).is_some() || self.draft.is_stored(node)) {
            return Err(refused());
        }
        Ok(())
    }

    /// Refuses to use what an array has been made of.
    pub fn can_be_used(&self, operand: Operand) -> Result<(), Refusal> {
        if self.draft.identity(operand).nodes().into_iter().any(|node| self.draft.is_stored(node)) {
            return Err(refused());
        }
        Ok(())
    }

    /// Traces a statement on arrays without a nested block.
    pub fn on_array(
        &mut self,
        statement: &Statement,
        environment: &mut Environment,
        steps: &mut Vec<Step>,
    ) -> Result<(), Refusal> {
        self.context()?;
        match statement {
            Statement::Array { target, elements } => self.array(*target, elements, environment, steps),
            Statement::Element { target, array, index } => {
                let shadow = match self.draft_kind(*target) {
                    Kind::Real => self.shadow(*array)?,
                    Kind::Boolean | Kind::Array(_) | Kind::Cell => None,
                };
                let (array, index) = (value(*array, environment), value(*index, environment));
                let target = self.assigned(*target, environment);
                if let Some(shadow) = shadow {
                    let node = self.draft.node();
                    self.draft.identify(target, Identity::of(node));
                    self.draft.add_element(node, (value(Operand::Variable(shadow), environment), index));
                }
                steps.push(Step::Plain(Statement::Element { target, array, index }));
                Ok(())
            }
            other => {
                let mut made = other.clone();
                made.change_operands(|operand| *operand = value(*operand, environment));
                for target in made.targets_mut() {
                    *target = self.assigned(*target, environment);
                    if matches!(other, Statement::Length { .. }) {
                        self.draft.add_length(*target);
                    }
                }
                steps.push(Step::Plain(made));
                Ok(())
            }
        }
    }

    fn draft_kind(&self, variable: Variable) -> Kind {
        self.unit.function(self.source).kind(Operand::Variable(variable))
    }

    /// Traces an array of given elements. Each that is active is a node that nothing else uses later.
    fn array(
        &mut self,
        source: Variable,
        elements: &[Operand],
        environment: &mut Environment,
        steps: &mut Vec<Step>,
    ) -> Result<(), Refusal> {
        let shadow = self.shadow(Operand::Variable(source))?;
        let is_flat = self.draft_kind(source) == Kind::REALS;
        let elements = values(elements, environment);
        let target = self.assigned(source, environment);
        let shadow = shadow.filter(|_| is_flat);
        let Some(shadow) = shadow else {
            steps.push(Step::Plain(Statement::Array { target, elements }));
            return Ok(());
        };
        let from = self.context()?.repeats_from.unwrap_or(Node(0));
        for element in &elements {
            self.can_be_used(*element)?;
            let identity = self.draft.identity(*element);
            for node in identity.nodes() {
                if identity.otherwise.is_none() || node < from || self.draft.element(node).is_some() {
                    return Err(refused());
                }
                self.draft.add_stored(node);
            }
        }
        let shadow = self.assigned(shadow, environment);
        steps.push(Step::Array { target, elements, shadow });
        let like = Operand::Variable(target);
        steps.push(Step::Plain(Statement::Accumulators { target: shadow, like }));
        Ok(())
    }

    /// Traces a `build`; returns where it bails out if each element does.
    pub fn trace_build(
        &mut self,
        source: SourceBuild<'_>,
        environment: &mut Environment,
        steps: &mut Vec<Step>,
    ) -> Result<Option<ExpressionId>, Refusal> {
        let context = self.context()?;
        let around = context.repeats_from;
        let shadows: Vec<Option<Variable>> = source.targets.iter().map(|target| context.shadows.get(*target)).collect();
        let inner = self.draft.next_node();
        let length = value(source.length, environment);
        let frame = self.draft.open(FrameKind::Visible);
        let index = self.assigned(source.index, environment);
        let made_from = self.draft.mark().variable();
        self.set_repeats_from(Some(inner));
        let body = self.nested(source.body, environment)?;
        self.set_repeats_from(around);
        self.draft.close(frame);
        self.can_be_built(&body, inner)?;
        let roles = self.roles(source.targets);
        let targets: Vec<Variable> = source.targets.iter().map(|target| self.assigned(*target, environment)).collect();
        let mut of_reals = Vec::new();
        let mut after = Vec::new();
        for ((source, target), shadow) in source.targets.iter().zip(&targets).zip(&shadows) {
            let shadow = shadow.filter(|_| self.draft_kind(*source) == Kind::REALS);
            of_reals.push(shadow.map(|shadow| {
                let shadow = self.assigned(shadow, environment);
                let like = Operand::Variable(*target);
                after.push(Step::Plain(Statement::Accumulators { target: shadow, like }));
                shadow
            }));
        }
        let is_active = shadows.iter().any(Option::is_some);
        steps.push(Step::Build(Box::new(TracedBuild {
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
        steps.extend(after);
        Ok(None)
    }

    fn set_repeats_from(&mut self, node: Option<Node>) {
        if let Some(arrays) = &mut self.arrays {
            arrays.repeats_from = node;
        }
    }

    /// Traces the body of a loop of code with arrays, which is executed again.
    pub fn repeated(&mut self, body: &Block, inner: Node, environment: &mut Environment) -> Result<Traced, Refusal> {
        let Some(around) = self.arrays.map(|arrays| arrays.repeats_from) else {
            return self.nested(body, environment);
        };
        self.set_repeats_from(Some(inner));
        let traced = self.nested(body, environment);
        self.set_repeats_from(around);
        traced
    }

    /// Refuses elements that are no nodes of their own.
    fn can_be_built(&self, traced: &Traced, inner: Node) -> Result<(), Refusal> {
        match &traced.end {
            TracedEnd::Yield(operands) => {
                let mut nodes = HashSet::new();
                for operand in operands {
                    let identity = self.draft.identity(*operand);
                    self.can_be_joined(std::slice::from_ref(&identity), inner)?;
                    if identity.nodes().into_iter().any(|node| node < inner || !nodes.insert(node)) {
                        return Err(refused());
                    }
                }
                Ok(())
            }
            TracedEnd::Branch { consequent, alternative, .. } => {
                self.can_be_built(consequent, inner)?;
                self.can_be_built(alternative, inner)
            }
            TracedEnd::BailOut(_) | TracedEnd::Repeat(_) => Ok(()),
        }
    }

    /// The roles of what variables of the source have.
    pub fn roles(&self, variables: &[Variable]) -> Vec<Role> {
        let role = |variable: &Variable| match self.arrays.filter(|arrays| arrays.function == self.source) {
            Some(arrays) if arrays.shadows.is_shadow(*variable) => Role::Shadow,
            Some(_) if self.draft_kind(*variable).is_array() => Role::Array,
            Some(_) | None => Role::Scalar,
        };
        variables.iter().map(role).collect()
    }
}
