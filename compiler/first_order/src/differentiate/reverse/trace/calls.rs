//! Calls of recursive functions, and the traces of their instances.
//!
//! The augmented function of an instance has the parameters of the function, then a flag for each pair of parameters that
//! may be one node. It yields the results, then the flags of their identities, and pushes the values that its sweep
//! reads.
//!
//! The reverse function takes the accumulators of the parameters' own nodes, unless the call is their last use
//! ([`super::super::nodes::last_uses`]), then those of the results' own nodes, then the values of the parameters that the
//! function passes on in all calls of itself. It returns the accumulators of the parameters.

use super::super::nodes::{
    Alternative, FLAG, Identity, Instance, Node, Origin, Parameter, Step, Traced, TracedCall, flag_count,
};
use super::blocks::Tracer;
use crate::differentiate::refusal::Refusal;
use crate::{FunctionId, Kind, Operand, Statement, Variable};
use std::collections::BTreeSet;
use vlad_table::internal_bug;

/// The accumulator of a parameter when its function is swept over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begins {
    /// The caller gives it.
    Given,
    /// It is +0: nothing follows.
    Absent,
}

/// The trace of an instance.
#[derive(Debug)]
pub struct TracedInstance {
    pub parameters: Vec<Variable>,
    /// The nodes of those parameters that have one.
    pub nodes: Vec<(Node, Begins)>,
    /// The first node of the body: one that is moved into it, or made in it.
    pub inner: Node,
    pub body: Traced,
    /// The kinds of the results and of their flags.
    pub results: Vec<Kind>,
    /// The own nodes of the results.
    pub own: Vec<Option<Node>>,
    pub origins: Vec<Origin>,
}

impl Tracer<'_> {
    /// Traces a call of a recursive function.
    pub fn recursive_call(
        &mut self,
        targets: &[Variable],
        function: FunctionId,
        arguments: &[Operand],
    ) -> Result<(), Refusal> {
        let identities = self.identities_of(arguments, arguments.len());
        let mut logic = Vec::new();
        let mut parameters: Vec<Parameter> = Vec::new();
        let mut same = Vec::new();
        for (index, identity) in identities.iter().enumerate() {
            let mut flags = Vec::new();
            let mut parameter = if identity.is_active() { Parameter::Own(Vec::new()) } else { Parameter::Inactive };
            let mut equal = Operand::Boolean(false);
            for (earlier, other) in identities.iter().enumerate().take(index) {
                let Parameter::Own(earlier_ones) = &mut parameter else { break };
                if !matches!(parameters.get(earlier), Some(Parameter::Own(_))) {
                    continue;
                }
                match self.draft.are_one(other, identity, Node(0), &mut logic) {
                    Operand::Boolean(true) => {
                        parameter = Parameter::Same(earlier);
                        flags.clear();
                    }
                    Operand::Boolean(false) => {}
                    one => {
                        let later = self.draft.not(equal, &mut logic);
                        equal = self.draft.or(equal, one, &mut logic);
                        earlier_ones.push(earlier);
                        flags.push(self.draft.and(one, later, &mut logic));
                    }
                }
            }
            parameters.push(parameter);
            same.extend(flags);
        }
        self.mark_last_uses(&mut parameters, &identities);
        let instance = self.instances.number(self.unit, Instance { function, parameters })?;
        let origins = self.instances.results.get(instance).cloned().unwrap_or_default();
        let results = self.all_assigned(targets);
        let own: Vec<Option<Node>> = origins.iter().map(|origin| origin.own.then(|| self.draft.node())).collect();
        let (activations, before) = (self.draft.fresh(Kind::Real), self.draft.segment());
        let mut made = results.clone();
        let mut after = Vec::new();
        for (index, (result, origin)) in results.iter().zip(&origins).enumerate() {
            let mut flags = Vec::new();
            let identity = self.in_caller(origin, index, &own, &identities, &mut flags, &mut after);
            self.draft.identify(*result, identity);
            made.extend(flags);
        }
        self.refer(targets);
        let arguments = arguments.iter().copied().chain(same).collect();
        self.push(logic);
        self.steps.push(Step::Call(TracedCall { instance, targets: made, arguments, own, activations, before }));
        self.push(after);
        Ok(())
    }

    /// Marks the arguments whose nodes are not live after the call, unless flags tell that they may be one node.
    fn mark_last_uses(&self, parameters: &mut [Parameter], identities: &[Identity]) {
        let mut shared = BTreeSet::new();
        for (index, parameter) in parameters.iter().enumerate() {
            match parameter {
                Parameter::Own(earlier) if !earlier.is_empty() => shared.extend(earlier.iter().copied().chain([index])),
                Parameter::Own(_) | Parameter::Inactive | Parameter::Same(_) | Parameter::LastUse => {}
            }
        }
        for (index, (parameter, identity)) in parameters.iter_mut().zip(identities).enumerate() {
            let is_own = matches!(parameter, Parameter::Own(_)) && !shared.contains(&index);
            if is_own && self.references.is_none() && !identity.nodes().into_iter().any(|node| self.live.contains(node))
            {
                *parameter = Parameter::LastUse;
            }
        }
    }

    /// The identity of a result, whose nodes are parameters in the callee, in terms of the arguments' identities.
    fn in_caller(
        &mut self,
        origin: &Origin,
        result: usize,
        own: &[Option<Node>],
        arguments: &[Identity],
        flags: &mut Vec<Variable>,
        out: &mut Vec<Statement>,
    ) -> Identity {
        let argument = |node: Node| match arguments.get(node.0 as usize) {
            Some(identity) => identity.clone(),
            None => internal_bug!("the nodes before those of a callee are those of its parameters"),
        };
        let (alternatives, last) = origin.alternatives();
        if let Some(node) = last {
            return argument(node);
        }
        let mut choices = Vec::new();
        for alternative in alternatives {
            let flag = self.draft.fresh(FLAG);
            flags.push(flag);
            let flag = Operand::Variable(flag);
            match alternative {
                Alternative::Outer(node) => {
                    let identity = argument(node);
                    for (choice, node) in &identity.choices {
                        choices.push((self.draft.and(flag, *choice, out), *node));
                    }
                    if let Some(node) = identity.otherwise {
                        let chosen = self.draft.any(identity.choices.iter().map(|choice| choice.0), out);
                        let other = self.draft.not(chosen, out);
                        choices.push((self.draft.and(flag, other, out), node));
                    }
                }
                Alternative::Equal(earlier) => match own.get(earlier).copied().flatten() {
                    Some(node) => choices.push((flag, node)),
                    None => internal_bug!("a result that may be an inner node has an own one"),
                },
            }
        }
        Identity { choices, otherwise: own.get(result).copied().flatten() }
    }

    /// Traces the body of an instance; returns it with the nodes that its results may be.
    pub fn instance(&mut self, instance: &Instance) -> Result<TracedInstance, Refusal> {
        let function = self.unit.function(instance.function);
        let nodes: Vec<Node> = instance.parameters.iter().map(|_| self.draft.node()).collect();
        let inner = self.draft.next_node();
        self.live.inner = inner;
        let mut parameters = self.all_assigned(&function.parameters);
        let mut flags = Vec::new();
        let mut active = Vec::new();
        for ((variable, parameter), node) in parameters.iter().zip(&instance.parameters).zip(&nodes) {
            let identity = match parameter {
                Parameter::Inactive => continue,
                Parameter::Same(earlier) => match parameters.get(*earlier) {
                    Some(earlier) => self.draft.identity(Operand::Variable(*earlier)),
                    None => internal_bug!("the earlier parameter is one of the function's"),
                },
                Parameter::LastUse => {
                    let node = self.draft.node();
                    active.push((node, Begins::Absent));
                    Identity::of(node)
                }
                Parameter::Own(earlier) => {
                    active.push((*node, Begins::Given));
                    let mut choices = Vec::new();
                    for earlier in earlier {
                        let flag = self.draft.fresh(FLAG);
                        flags.push(flag);
                        choices.push((Operand::Variable(flag), Node(*earlier as u32)));
                    }
                    Identity { choices, otherwise: Some(*node) }
                }
            };
            self.draft.identify(*variable, identity);
        }
        self.refer(&function.parameters);
        parameters.extend(flags);
        let mut body = self.nested(&function.body)?;
        let count = function.results.len();
        let mut origins = self.origins_of_yields(&body, count, inner)?;
        for origin in &mut origins {
            // A caller needs a flag for each of several, since some of its arguments may be inactive.
            origin.inactive |= origin.outer.len() > 1;
        }
        self.add_flags(&mut body, &origins, inner);
        let own = origins.iter().map(|origin| origin.own.then(|| self.draft.node())).collect();
        let mut results = function.results.clone();
        results.extend(vec![FLAG; flag_count(&origins)]);
        Ok(TracedInstance { parameters, nodes: active, inner, body, results, own, origins })
    }
}
