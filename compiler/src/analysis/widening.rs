//! Widening: a call within an instance of the same procedure that differs from it in computed reals only is a step of a
//! loop or a recursion. Both are replaced by one instance with the reals that differ unknown if conditions that are not known
//! decide whether the call is made, if there are as many steps as [`Unrolling`] says, or if the steps make many instances. All
//! other differences make instances of their own: loops whose control is known are unrolled, structures are taken apart.

use super::specialiser::Specialiser;
use super::specialiser::budget::Unrolling;
use super::specialiser::frame::Frame;
use super::specialiser::instance::{InstanceId, Subject};
use super::values::domain::{Abstract, AbstractId, Unions};
use super::values::reason::Reason;
use vlad_core::numbers::Number;
use vlad_core::{ExpressionId, LambdaId};

/// The number of steps that are unrolled of a loop with known control that computes with nothing unknown, or of any such
/// loop where more is known then.
const MOST_UNROLLED: usize = 128;

/// The number of steps that are unrolled of a loop with known control.
const MOST_UNROLLED_AT_FIRST: usize = 16;

/// The number of instances that steps of a loop may make before the others are not unrolled.
const MOST_INSTANCES_OF_STEPS: usize = 500;

/// The number of parts that are compared to find that a structure grows.
const MOST_COMPARED: u32 = 2_000;

/// The parts of values whose comparison takes as much work as a node.
const PARTS_OF_A_NODE: u64 = 32;

/// The number of callers that are searched for the loop that a call belongs to.
const MOST_SEARCHED: usize = 200;

impl Specialiser<'_> {
    /// The instance for an application in a frame, widened where it is a step of a loop.
    pub(super) fn instance_for(
        &mut self,
        frame: &Frame,
        operator: AbstractId,
        argument: AbstractId,
        node: ExpressionId,
    ) -> Result<InstanceId, Reason> {
        let subject = Subject::Application(operator, argument);
        if let Some(id) = self.numbers.get(&subject) {
            return Ok(self.current(*id));
        }
        let is_conditional = frame.unknown_conditions > 0;
        if let Abstract::Closure(lambda, _) = *self.domain.get(operator)
            && let Some(id) = self.widened(frame.instance, is_conditional, lambda, (operator, argument), node)?
        {
            return Ok(id);
        }
        self.instance(subject, node, Some(frame.instance), is_conditional)
    }

    /// The instance of the loop that a call is a step of, if it is to be widened.
    fn widened(
        &mut self,
        caller: InstanceId,
        mut is_conditional: bool,
        lambda: LambdaId,
        (operator, argument): (AbstractId, AbstractId),
        node: ExpressionId,
    ) -> Result<Option<InstanceId>, Reason> {
        let mut steps = 0;
        // A step before that has grown.
        let mut grown = None;
        // The outermost step found, and true if conditions after it decide whether the call is made.
        let mut oldest = None;
        let mut around = Some(caller);
        for _ in 0..MOST_SEARCHED {
            let Some(id) = around else { break };
            let (parent, row_is_conditional) = (self.row(id).parent, self.row(id).is_conditional);
            let (before, id) = (id, self.current(id));
            if let Subject::Application(other, other_argument) = self.row(id).subject
                && matches!(*self.domain.get(other), Abstract::Closure(code, _) if code == lambda)
            {
                steps += 1;
                if let Some(operator) = self.domain.generalise(other, operator)?
                    && let Some(argument) = self.domain.generalise(other_argument, argument)?
                {
                    oldest = Some((id, Subject::Application(operator, argument), is_conditional));
                    if is_conditional {
                        break;
                    }
                } else if grown.is_none() && (is_conditional || steps >= MOST_UNROLLED_AT_FIRST) {
                    if before != id && self.covers((other, other_argument), (operator, argument))? {
                        return Ok(Some(id));
                    }
                    let general = self.grown((other, other_argument), (operator, argument))?;
                    grown = general.map(|general| (id, general));
                }
            }
            is_conditional |= row_is_conditional;
            around = parent;
        }
        let walked = std::mem::take(&mut self.domain.walked);
        self.budget.work(walked / PARTS_OF_A_NODE).map_err(|reason| reason.at(node))?;
        let Some((replaced, general, is_conditional)) = oldest else {
            return match grown {
                Some((replaced, general)) => self.generalised(replaced, general, node).map(Some),
                None => Ok(None),
            };
        };
        if !is_conditional {
            let is_constant = self.domain.leaves(operator) + self.domain.leaves(argument) == 0;
            let most = match self.unrolling {
                Unrolling::Few | Unrolling::Exceeded if !is_constant => MOST_UNROLLED_AT_FIRST,
                _ => MOST_UNROLLED,
            };
            let made = self.instances.len() - replaced.place();
            if steps < most && (made < MOST_INSTANCES_OF_STEPS || self.unrolling == Unrolling::Many) {
                return Ok(None);
            }
            if self.unrolling == Unrolling::Few {
                self.unrolling = Unrolling::Exceeded;
            }
        }
        self.generalised(replaced, general, node).map(Some)
    }

    /// Returns true if an application is a case of another one, which has grown. Callers of what that one has replaced would
    /// else be evaluated as if nothing had grown yet.
    fn covers(
        &mut self,
        (other, other_argument): (AbstractId, AbstractId),
        (operator, argument): (AbstractId, AbstractId),
    ) -> Result<bool, Reason> {
        if self.unions != Unions::Folded || !self.domain.has_cells(other) && !self.domain.has_cells(other_argument) {
            return Ok(false);
        }
        let mut is_case = |general: AbstractId, id: AbstractId| {
            let joined = self.domain.join(general, id, self.unions)?;
            Ok(joined.is_ok_and(|joined| joined == general))
        };
        Ok(is_case(other, operator)? && is_case(other_argument, argument)?)
    }

    /// The application that a structure has grown to from an earlier one, joined with that; none where it has not.
    fn grown(
        &mut self,
        (other, other_argument): (AbstractId, AbstractId),
        (operator, argument): (AbstractId, AbstractId),
    ) -> Result<Option<Subject>, Reason> {
        let size = |operator, argument| self.domain.size(operator).saturating_add(self.domain.size(argument));
        let mut work = MOST_COMPARED;
        let has_grown = self.unions == Unions::Folded
            && size(operator, argument) > size(other, other_argument)
            && self.domain.is_embedded(other, operator, &mut work)
            && self.domain.is_embedded(other_argument, argument, &mut work);
        self.budget.work(u64::from(MOST_COMPARED - work))?;
        if !has_grown {
            return Ok(None);
        }
        let (Ok(operator), Ok(argument)) =
            (self.domain.join(other, operator, self.unions)?, self.domain.join(other_argument, argument, self.unions)?)
        else {
            return Ok(None);
        };
        Ok(Some(Subject::Application(operator, argument)))
    }

    /// Replaces an instance by a more general one.
    fn generalised(
        &mut self,
        replaced: InstanceId,
        general: Subject,
        node: ExpressionId,
    ) -> Result<InstanceId, Reason> {
        let (parent, is_conditional) = (self.row(replaced).parent, self.row(replaced).is_conditional);
        let id = self.instance(general, node, parent, is_conditional)?;
        let id = self.current(id);
        if id != replaced {
            self.row_mut(replaced).replaced_by = Some(id);
            let from = self.row(replaced).widened_from.unwrap_or(self.row(replaced).subject);
            self.row_mut(id).widened_from.get_or_insert(from);
            let dependents = self.row(replaced).dependents.clone();
            dependents.into_iter().for_each(|dependent| self.enqueue(dependent));
        }
        Ok(id)
    }
}
