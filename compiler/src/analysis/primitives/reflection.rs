//! The reflective basis on abstract values: bundles, tags, and calls of transformed procedures (report, part 17).

use crate::analysis::specialiser::Specialiser;
use crate::analysis::specialiser::frame::Frame;
use crate::analysis::values::domain::{Abstract, AbstractId, Head};
use crate::analysis::values::reason::Stop;
use crate::analysis::values::value::Value;
use vlad_core::ExpressionId;
use vlad_table::{Form, Primitive, ValueTag, internal_bug};

impl Specialiser<'_> {
    /// `(bundle v v')`. A tangent given as a perturbation is returned as one.
    pub fn bundle(
        &mut self,
        frame: &mut Frame,
        primal: Value,
        tangent: Value,
        node: ExpressionId,
    ) -> Result<Value, Stop> {
        let (tangent, is_tagged) = self.without_tag(ValueTag::Perturbation, &tangent, primal.of);
        self.together(frame, &primal, &tangent, node, &mut |_, _, _, _| {})?;
        self.composed(Head::Bundle(is_tagged), &[primal, tangent])
    }

    /// The number of times that a value has a tag, counted from the root.
    pub fn tags(&self, mark: ValueTag, of: AbstractId) -> usize {
        let content = |of: &AbstractId| match self.domain.get(*of) {
            Abstract::Tagged(tag, content) if *tag == mark => Some(*content),
            _ => None,
        };
        std::iter::successors(content(&of), content).count()
    }

    /// The content under a tag, if the value has that tag at its root.
    pub fn unmarked(&self, mark: ValueTag, value: &Value) -> Option<Value> {
        match self.domain.get(value.of) {
            Abstract::Tagged(tag, content) if *tag == mark => {
                Some(Value { of: *content, leaves: value.leaves.clone() })
            }
            _ => None,
        }
    }

    /// `(primal b)` and `(tangent b)`.
    pub fn part_of_bundle(&mut self, primitive: Primitive, bundle: &Value, node: ExpressionId) -> Result<Value, Stop> {
        let (primal, tangent, is_tagged) = self.bundled(bundle).ok_or(Stop::Never(node))?;
        match primitive.row().form {
            Form::PrimalOf => Ok(primal),
            _ if is_tagged => self.composed(Head::Tagged(ValueTag::Perturbation), &[tangent]),
            _ => Ok(tangent),
        }
    }

    /// The parts of a bundle, and whether its tangent is returned as a perturbation.
    fn bundled(&self, bundle: &Value) -> Option<(Value, Value, bool)> {
        match self.decomposed(bundle) {
            (Head::Bundle(is_tagged), parts) => match <[Value; 2]>::try_from(parts) {
                Ok([primal, tangent]) => Some((primal, tangent, is_tagged)),
                Err(_) => internal_bug!("a bundle has two parts"),
            },
            _ => None,
        }
    }

    /// Returns true for a procedure, tagged or not.
    pub fn is_procedure(&self, of: AbstractId) -> bool {
        match self.domain.get(of) {
            Abstract::Primitive(_) | Abstract::Closure(..) | Abstract::Backpropagator(..) => true,
            Abstract::Bundle { primal: content, .. } | Abstract::Tagged(_, content) => self.is_procedure(*content),
            _ => false,
        }
    }

    /// Applies a transformed procedure.
    pub fn transformed(
        &mut self,
        frame: &mut Frame,
        operator: &Value,
        argument: &Value,
        node: ExpressionId,
    ) -> Result<Value, Stop> {
        match self.decomposed(operator) {
            (Head::Bundle(_), _) => {
                let (Some((f, f_tangent, f_is_tagged)), Some((x, x_tangent, x_is_tagged))) =
                    (self.bundled(operator), self.bundled(argument))
                else {
                    return Err(Stop::Never(node));
                };
                let (lifted_f, directions_of_f) = self.lifted(frame, &f, &f_tangent, node)?;
                let (lifted_x, directions) = self.lifted(frame, &x, &x_tangent, node)?;
                let (primal, tangent) =
                    self.forward_call(frame, (&f, lifted_f, Some(directions_of_f)), (&x, lifted_x, directions), node)?;
                self.composed(Head::Bundle(f_is_tagged || x_is_tagged), &[primal, tangent])
            }
            (Head::Tagged(mark), contents) => {
                let (Some(f), Some(x)) = (contents.into_iter().next(), self.unmarked(mark, argument)) else {
                    return Err(Stop::Never(node));
                };
                if mark == ValueTag::Reverse {
                    return self.reversed(frame, &f, &x, node);
                }
                self.applies_tagged = true;
                let result = self.apply(frame, f, x, node)?;
                self.composed(Head::Tagged(mark), &[result])
            }
            (Head::Atom | Head::Pair | Head::Vector | Head::Closure(_) | Head::Backpropagator | Head::Union, _) => {
                internal_bug!("the operator is tagged")
            }
        }
    }
}
