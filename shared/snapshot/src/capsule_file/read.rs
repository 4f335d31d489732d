//! Reading of values: an interpreter of the stack programs that [`super::write`] writes, for untrusted input.
//!
//! Every part is checked when it is made. The result of an instruction takes memory in proportion to the bytes of the
//! instruction and its operands, so nothing is allocated for absent data. Parts refer to earlier ones only, so there
//! are no cycles.

use crate::capsule_file::bytes::Source;
use crate::capsule_file::instruction;
use crate::capsule_file::points::{PointsOwner, ProgramFacts};
use crate::capsule_file::refusal::Refusal;
use std::rc::Rc;
use vlad_ad::reflection::constant;
use vlad_core::LambdaId;
use vlad_table::Primitive;
use vlad_values::capsule::hole;
use vlad_values::{
    Backpropagator, Bundle, Capsule, Number, Pair, Primals, Reals, Skeleton, Slots, Tagged, Tagging, Tangent, Value,
    Vector,
};

/// An element of the stack.
enum StackElement {
    Value(Value),
    /// A skeleton, and the number of its holes.
    Skeleton(Rc<Skeleton>, usize),
}

/// A part that may be referred to again.
enum SharedPart {
    Pair(Rc<Pair>),
    Slots(Rc<Slots>),
    Skeleton(Rc<Skeleton>, usize),
    Capsule(Rc<Capsule>),
    Tagged(Rc<Tagged>),
    Vector(Rc<Vector>),
}

/// A skeleton whose values are being read.
#[derive(Clone, Copy)]
struct OpenSkeleton {
    /// The length of the stack below its own elements.
    base: usize,
    holes: usize,
    /// Its number; 0 means no skeleton.
    number: usize,
}

struct Reader<'reading, 'file> {
    facts: &'reading ProgramFacts<'reading>,
    source: &'reading mut Source<'file>,
    stack: Vec<StackElement>,
    open: Vec<OpenSkeleton>,
    /// The number of skeletons opened so far.
    opened: usize,
    /// The kept parts, each with the number of the skeleton to which it belongs. Holes in a part are holes of that
    /// skeleton, so no other skeleton may refer to the part; skeletons themselves are closed.
    kept: Vec<(SharedPart, usize)>,
}

const MALFORMED: Refusal = Refusal::damaged("a value in it is malformed");

/// Reads values up to their end mark.
pub fn values(facts: &ProgramFacts<'_>, source: &mut Source<'_>) -> Result<Vec<Value>, Refusal> {
    let mut reader = Reader { facts, source, stack: Vec::new(), open: Vec::new(), opened: 0, kept: Vec::new() };
    loop {
        match reader.source.byte()? {
            instruction::END => break,
            instruction => reader.execute(instruction)?,
        }
    }
    if !reader.open.is_empty() {
        return Err(MALFORMED);
    }
    reader.stack.into_iter().map(value).collect()
}

fn value(made: StackElement) -> Result<Value, Refusal> {
    match made {
        StackElement::Value(value) => Ok(value),
        StackElement::Skeleton(..) => Err(MALFORMED),
    }
}

impl Reader<'_, '_> {
    fn execute(&mut self, instruction: u8) -> Result<(), Refusal> {
        let made = match instruction {
            instruction::NIL => Value::Nil,
            instruction::FALSE => Value::Boolean(false),
            instruction::TRUE => Value::Boolean(true),
            instruction::REAL => Value::Real(self.source.real()?),
            instruction::HOLE => self.hole()?,
            instruction::PRIMITIVE => {
                let primitive = Primitive::named(self.source.text()?);
                Value::Primitive(primitive.ok_or(Refusal::damaged("a primitive that it names is not known here"))?)
            }
            instruction::PAIR => {
                let (second, first) = (self.pop()?, self.pop()?);
                Value::pair(first, second)
            }
            instruction::PROCEDURE => self.procedure()?,
            instruction::PROCEDURE_AGAIN => self.procedure_again()?,
            instruction::CAPSULE => self.capsule(Primals::Same)?,
            instruction::CAPSULE_OF_OTHERS => self.capsule(Primals::Other)?,
            instruction::PERTURBATION => Value::tagged(Tagged::Perturbation(self.pop()?)),
            instruction::SENSITIVITY => Value::tagged(Tagged::Sensitivity(self.pop()?)),
            instruction::REVERSE => Value::tagged(Tagged::Reverse(self.pop()?)),
            instruction::CONSTANT => constant(&self.pop()?),
            instruction::BUNDLE => self.bundle(Tagging::Plain)?,
            instruction::BUNDLE_OF_PERTURBATION => self.bundle(Tagging::Tagged)?,
            instruction::BACKPROPAGATOR => {
                let reads: Rc<[f64]> = self.reals()?;
                self.backpropagator(Some(reads))?
            }
            instruction::BACKPROPAGATOR_OF_OTHERS => self.backpropagator(None)?,
            instruction::VECTOR => {
                let count = usize::try_from(self.source.number()?).map_err(|_| MALFORMED)?;
                Value::vector(self.pop_some(count)?.into_iter().collect())
            }
            instruction::VECTOR_OF_REALS => {
                let reals: Vec<f64> = self.reals()?;
                Value::vector(Vector::from(Reals::Plain(reals)))
            }
            instruction::OPEN => return self.open(),
            instruction::SKELETON => return self.skeleton(),
            instruction::KEEP => return self.keep(),
            instruction::AGAIN => return self.again(),
            _ => return Err(MALFORMED),
        };
        self.stack.push(StackElement::Value(made));
        Ok(())
    }

    /// The height of the stack below which no values may be popped.
    fn base(&self) -> usize {
        self.innermost().base
    }

    /// The innermost open skeleton, or a placeholder if there is none.
    fn innermost(&self) -> OpenSkeleton {
        self.open.last().copied().unwrap_or(OpenSkeleton { base: 0, holes: 0, number: 0 })
    }

    fn pop(&mut self) -> Result<Value, Refusal> {
        if self.stack.len() <= self.base() {
            return Err(MALFORMED);
        }
        self.stack.pop().map_or(Err(MALFORMED), value)
    }

    /// Pops the last `count` values.
    fn pop_some(&mut self, count: usize) -> Result<Vec<Value>, Refusal> {
        let start = self.stack.len().checked_sub(count).filter(|start| *start >= self.base()).ok_or(MALFORMED)?;
        self.stack.drain(start..).map(value).collect()
    }

    fn hole(&mut self) -> Result<Value, Refusal> {
        let number = self.source.number()?;
        if number < self.innermost().holes as u64 { Ok(hole(number).into()) } else { Err(MALFORMED) }
    }

    /// Reads the code of a procedure, and returns it with the number of its slots.
    fn code(&mut self) -> Result<(LambdaId, usize), Refusal> {
        let number = self.source.number()?;
        let code = self.facts.code.lambda(number).ok_or(Refusal::damaged("a procedure in it is not in the program"))?;
        if !self.facts.is_made(code) {
            return Err(Refusal::NOT_MADE);
        }
        let program = self.facts.program;
        let lambda = program.lambda(code);
        let captures = lambda.group.map_or(&lambda.captures, |(group, _)| &program.group(group).captures);
        Ok((code, captures.len()))
    }

    fn procedure(&mut self) -> Result<Value, Refusal> {
        let (code, count) = self.code()?;
        let slots = self.pop_some(count)?;
        let slots = (count > 0).then(|| Rc::new(Slots::new(slots)));
        Ok(Value::Procedure { code, slots })
    }

    fn bundle(&mut self, marking: Tagging) -> Result<Value, Refusal> {
        let (tangent, primal) = (self.pop()?, self.pop()?);
        Ok(Value::tagged(Tagged::Bundle(Bundle { primal, tangent: Tangent::Given(tangent), marking })))
    }

    /// Reads some reals, preceded by their number.
    fn reals<T: FromIterator<f64>>(&mut self) -> Result<T, Refusal> {
        let count = self.source.number()?;
        (0..count).map(|_| self.source.real()).collect()
    }

    fn backpropagator(&mut self, reads: Option<Rc<[f64]>>) -> Result<Value, Refusal> {
        let (operand, operator) = (self.pop()?, self.pop()?);
        Ok(Value::tagged(Tagged::Backpropagator(Backpropagator::new(operator, operand, reads))))
    }

    fn procedure_again(&mut self) -> Result<Value, Refusal> {
        let (code, count) = self.code()?;
        match self.part()? {
            SharedPart::Slots(slots) if slots.values().len() == count => {
                Ok(Value::Procedure { code, slots: Some(Rc::clone(slots)) })
            }
            SharedPart::Slots(_)
            | SharedPart::Pair(_)
            | SharedPart::Skeleton(..)
            | SharedPart::Capsule(_)
            | SharedPart::Tagged(_)
            | SharedPart::Vector(_) => Err(MALFORMED),
        }
    }

    /// Reads the number of a kept part and returns the part.
    fn part(&mut self) -> Result<&SharedPart, Refusal> {
        let number = usize::try_from(self.source.number()?).unwrap_or(usize::MAX);
        let here = self.innermost().number;
        match self.kept.get(number) {
            Some((part, place)) if *place == here || matches!(part, SharedPart::Skeleton(..)) => Ok(part),
            Some(_) | None => Err(MALFORMED),
        }
    }

    fn open(&mut self) -> Result<(), Refusal> {
        // No bound is needed: each hole must be filled by a real, which takes some bytes.
        let holes = usize::try_from(self.source.number()?).map_err(|_| MALFORMED)?;
        self.opened += 1;
        self.open.push(OpenSkeleton { base: self.stack.len(), holes, number: self.opened });
        Ok(())
    }

    fn skeleton(&mut self) -> Result<(), Refusal> {
        let point_stack = self.facts.read(PointsOwner::Capsule, self.source)?;
        let Some(OpenSkeleton { base, holes, .. }) = self.open.pop() else { return Err(MALFORMED) };
        let values = self.stack.drain(base..).map(value).collect::<Result<Vec<Value>, Refusal>>()?;
        if !self.facts.are_needed(&point_stack, &values) {
            return Err(Refusal::damaged("a capsule in it lacks values that it needs"));
        }
        let points = Box::new(point_stack);
        self.stack.push(StackElement::Skeleton(Rc::new(Skeleton { points, values }), holes));
        Ok(())
    }

    fn capsule(&mut self, primals: Primals) -> Result<Value, Refusal> {
        // The skeleton is below the reals on the stack.
        let place = self.stack.iter().rposition(|made| matches!(made, StackElement::Skeleton(..))).ok_or(MALFORMED)?;
        let count = self.stack.len() - place - 1;
        let reals = self.pop_some(count)?;
        let reals: Option<Vec<Number>> = reals.iter().map(Value::number).collect();
        let reals = reals.ok_or(MALFORMED)?;
        if self.stack.len() <= self.base() {
            return Err(MALFORMED);
        }
        match self.stack.pop() {
            Some(StackElement::Skeleton(skeleton, holes)) if holes == reals.len() => {
                Ok(Value::Capsule(Rc::new(Capsule { skeleton, reals, primals })))
            }
            Some(StackElement::Skeleton(..) | StackElement::Value(_)) | None => Err(MALFORMED),
        }
    }

    /// Keeps the result of the last instruction.
    fn keep(&mut self) -> Result<(), Refusal> {
        if self.stack.len() <= self.base() {
            return Err(MALFORMED);
        }
        let part = match self.stack.last() {
            Some(StackElement::Value(Value::Pair(pair))) => SharedPart::Pair(Rc::clone(pair)),
            Some(StackElement::Value(Value::Procedure { slots: Some(slots), .. })) => {
                SharedPart::Slots(Rc::clone(slots))
            }
            Some(StackElement::Value(Value::Capsule(capsule))) => SharedPart::Capsule(Rc::clone(capsule)),
            Some(StackElement::Value(Value::Tagged(tagged))) => SharedPart::Tagged(Rc::clone(tagged)),
            Some(StackElement::Value(Value::Vector(vector))) => SharedPart::Vector(Rc::clone(vector)),
            Some(StackElement::Skeleton(skeleton, holes)) => SharedPart::Skeleton(Rc::clone(skeleton), *holes),
            Some(StackElement::Value(_)) | None => return Err(MALFORMED),
        };
        self.kept.push((part, self.innermost().number));
        Ok(())
    }

    fn again(&mut self) -> Result<(), Refusal> {
        let made = match self.part()? {
            SharedPart::Pair(pair) => StackElement::Value(Value::Pair(Rc::clone(pair))),
            SharedPart::Capsule(capsule) => StackElement::Value(Value::Capsule(Rc::clone(capsule))),
            SharedPart::Tagged(tagged) => StackElement::Value(Value::Tagged(Rc::clone(tagged))),
            SharedPart::Vector(vector) => StackElement::Value(Value::Vector(Rc::clone(vector))),
            SharedPart::Skeleton(skeleton, holes) => StackElement::Skeleton(Rc::clone(skeleton), *holes),
            SharedPart::Slots(_) => return Err(MALFORMED),
        };
        self.stack.push(made);
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // tests may
mod tests {
    use super::super::points::ProgramFacts;
    use super::*;
    use vlad_frontend::load::{Input, Options, load};

    /// Returns true if all of these instructions are accepted in turn.
    fn are_taken(facts: &ProgramFacts<'_>, instructions: &[&[u8]]) -> bool {
        let bytes = instructions.concat();
        let mut source = Source::new(&bytes);
        let source = &mut source;
        let mut reader = Reader { facts, source, stack: Vec::new(), open: Vec::new(), opened: 0, kept: Vec::new() };
        instructions.iter().all(|_| reader.source.byte().and_then(|byte| reader.execute(byte)).is_ok())
    }

    fn with_ground(text: &str, check: impl FnOnce(&ProgramFacts<'_>)) {
        let input = Input::Text { name: "program".to_owned(), bytes: text.as_bytes().to_vec(), folder: None };
        check(&ProgramFacts::of(&load(input, &Options::default()).unwrap()));
    }

    #[test]
    fn a_skeleton_is_made_of_what_is_in_it() {
        use instruction::{NIL, OPEN, PAIR};
        with_ground("1", |facts| {
            assert!(are_taken(facts, &[&[NIL], &[NIL], &[PAIR]]));
            assert!(are_taken(facts, &[&[NIL], &[OPEN, 0], &[NIL], &[NIL], &[PAIR]]));
            assert!(!are_taken(facts, &[&[NIL], &[OPEN, 0], &[NIL], &[PAIR]]));
        });
    }

    /// Procedures that share slots have equally many of them.
    #[test]
    fn slots_are_those_of_the_code() {
        use instruction::{KEEP, NIL, PROCEDURE, PROCEDURE_AGAIN};
        with_ground("(define ((one a) x) (+ a x)) (define ((two a b) x) (+ a (+ b x)))", |facts| {
            let slots = |number: u8| {
                let lambda = facts.program.lambda(facts.code.lambda(number.into())?);
                lambda.group.is_none().then_some(lambda.captures.len())
            };
            let of_count = |count| (0..128).find(|number| slots(*number) == Some(count)).unwrap();
            let (one, two) = (of_count(1), of_count(2));
            assert!(are_taken(facts, &[&[NIL], &[PROCEDURE, one], &[KEEP], &[PROCEDURE_AGAIN, one, 0]]));
            assert!(!are_taken(facts, &[&[NIL], &[PROCEDURE, one], &[KEEP], &[PROCEDURE_AGAIN, two, 0]]));
            assert!(!are_taken(facts, &[&[NIL], &[NIL], &[PROCEDURE, two], &[KEEP], &[PROCEDURE_AGAIN, one, 0]]));
        });
    }
}
