//! The extension of a program by calls of its procedures on operands of guessed shapes, as items behind its own.
//!
//! These items are never run: the analysis sees them as any others, and their code becomes that of the calls
//! ([`super::Specialised::of`]). A call in tagged code tries this code first. So it has no effects, and no bit depends on it ([`super`]).

use super::procedure::{Call, OPERAND, Procedure};
use super::shapes::Shapes;
use crate::analysis::{Analysis, Assumed, Cause, Reason, Weighing, repeats};
use crate::pipeline::lowered;
use crate::reached::reaches_primitive;
use vlad_core::source::Span;
use vlad_core::{
    Constant, Expression, ExpressionId, Global, GlobalId, Item, LambdaId, Pattern, PatternId, Program, Reference,
};
use vlad_first_order::Unit;
use vlad_first_order::passes::Passes;
use vlad_table::{Control, Form, Primitive};

/// The greatest number of calls with specialised code.
const MOST_CALLS: usize = 64;

/// The number of analyses that exceed their budget after which no more calls are tried: each takes long.
const MOST_EXCEEDED: usize = 3;

/// A call in the extension of a program.
struct Candidate {
    /// The definition of the procedure.
    global: GlobalId,
    lambda: LambdaId,
    call: Call,
    /// The globals of the operands, and their shapes.
    operands: Vec<(GlobalId, Assumed)>,
    /// The number of nodes that the call has besides its operands.
    nodes: u64,
}

/// An extended program.
pub struct Extension {
    /// The program.
    pub program: Program,
    /// In the order of their items: definitions of the operands, and the call.
    candidates: Vec<Candidate>,
}

impl Extension {
    /// Extends a program with calls of all procedures whose operands may be reals and vectors.
    pub fn of(program: &Program) -> Extension {
        let shapes = Shapes::of(program);
        let mut extension = Extension { program: program.clone(), candidates: Vec::new() };
        let operators = [(Call::Forward, Primitive::Forward), (Call::Reverse, Primitive::Reverse)];
        let operators = operators.into_iter().filter(|(_, primitive)| refers_to_primitive(program, *primitive));
        let operators: Vec<(Call, Primitive)> = operators.collect();
        let is_passed = passed_definitions(program);
        for item in &program.items {
            let Item::Define(global, node) = *item else { continue };
            let Some(lambda) = program.procedure_at(node) else { continue };
            let span = program.span(node);
            if let Some(shapes) = shapes_of(program, &shapes, lambda) {
                extension.add_application(global, lambda, shapes, span);
            }
            if !is_passed.get(global.0 as usize).copied().unwrap_or(false) {
                continue;
            }
            let pattern = program.lambda(lambda).pattern;
            let Some((point, _)) = shapes.assumed(program, lambda, pattern, 0) else { continue };
            for (call, primitive) in &operators {
                let companion = if *call == Call::Forward { point.clone() } else { Assumed::Real };
                extension.add_operator((global, lambda), (*call, *primitive), [point.clone(), companion], span);
            }
        }
        extension
    }

    fn add_application(&mut self, global: GlobalId, lambda: LambdaId, shapes: Vec<Assumed>, span: Span) {
        let operands = self.operands(shapes, span);
        let parts: Vec<Reference> = operands.iter().map(|(operand, _)| Reference::Global(*operand)).collect();
        self.add_call(Reference::Global(global), &parts, span);
        self.candidates.push(Candidate { global, lambda, call: Call::Plain, operands, nodes: 2 });
    }

    fn add_operator(
        &mut self,
        (global, lambda): (GlobalId, LambdaId),
        (call, primitive): (Call, Primitive),
        shapes: [Assumed; 2],
        span: Span,
    ) {
        let operands = self.operands(shapes.into(), span);
        let points = operands.iter().map(|(operand, _)| Reference::Global(*operand));
        let parts: Vec<Reference> = std::iter::once(Reference::Global(global)).chain(points).collect();
        self.add_call(Reference::Primitive(primitive), &parts, span);
        // The procedure and the pair that it is in, too.
        self.candidates.push(Candidate { global, lambda, call, operands, nodes: 4 });
    }

    /// Adds definitions of operands of some shapes.
    fn operands(&mut self, shapes: Vec<Assumed>, span: Span) -> Vec<(GlobalId, Assumed)> {
        let nothing = self.program.constants.add(Constant::Nil);
        let mut operands = Vec::with_capacity(shapes.len());
        for shape in shapes {
            let operand = GlobalId(self.program.globals.len() as u32);
            // No text reads as this name.
            self.program.globals.push(Global { name: format!("operand {}", operand.0), span });
            let value = self.node(Expression::Constant(nothing), span);
            self.program.items.push(Item::Define(operand, value));
            operands.push((operand, shape));
        }
        operands
    }

    /// Adds the call of an operator on operands, at least one.
    fn add_call(&mut self, operator: Reference, operands: &[Reference], span: Span) {
        let mut argument = None;
        for operand in operands.iter().rev() {
            let first = self.node(Expression::Variable(*operand), span);
            argument = Some(match argument {
                None => first,
                Some(second) => self.node(Expression::Cons { first, second }, span),
            });
        }
        let Some(operand) = argument else { vlad_table::internal_bug!("a call has operands") };
        let operator = self.node(Expression::Variable(operator), span);
        let application = self.node(Expression::Application { operator, operand }, span);
        self.program.items.push(Item::Expression(application));
    }

    fn node(&mut self, expression: Expression, span: Span) -> ExpressionId {
        self.program.expressions.push(expression);
        self.program.spans.push(span);
        ExpressionId(self.program.expressions.len() as u32 - 1)
    }

    /// Specialises the calls of the procedures that are reached. The analysis stands behind the program's own items.
    pub fn procedures(
        &self,
        analysis: &mut Analysis<'_>,
        is_reached: &[bool],
        (passes, weighing): (Passes, Weighing),
    ) -> Vec<Procedure> {
        let (mut procedures, mut exceeded) = (Vec::new(), 0);
        let program = &self.program;
        for candidate in &self.candidates {
            let is_reached = is_reached.get(candidate.global.0 as usize).copied().unwrap_or(false);
            if !is_reached || procedures.len() == MOST_CALLS || exceeded == MOST_EXCEEDED {
                candidate.operands.iter().for_each(|_| analysis.skip_item());
                analysis.skip_item();
                continue;
            }
            let assumed: Vec<Result<(), Reason>> =
                candidate.operands.iter().map(|(_, shape)| analysis.assume_item(shape)).collect();
            match analysis.next_item(|_, unit| lowered(unit, passes, weighing)) {
                Some(Ok(unit)) if assumed.iter().all(Result::is_ok) => {
                    procedures.extend(candidate.procedure(unit, program))
                }
                Some(Err(reason)) => exceeded += usize::from(is_of_budget(&reason)),
                Some(Ok(_)) | None => {}
            }
        }
        procedures
    }
}

impl Candidate {
    /// The procedure with its code; none if this has effects. Code without loops and recursion saves less than attempts cost.
    fn procedure(&self, mut unit: Unit, program: &Program) -> Option<Procedure> {
        if unit.effect().is_some() || !repeats(&unit) {
            return None;
        }
        for (global, _) in &mut unit.inputs {
            if let Some(place) = self.operands.iter().position(|(operand, _)| operand == global) {
                *global = GlobalId(OPERAND | place as u32);
            }
        }
        let operands: Vec<Assumed> = self.operands.iter().map(|(_, shape)| shape.clone()).collect();
        // A node for each operand, and one for each pair of them.
        let call_steps = self.nodes + 2 * operands.len() as u64 - 1;
        let nests = reaches_primitive(program, self.lambda, begins_computations);
        Some(Procedure { lambda: self.lambda, call: self.call, operands, unit, call_steps, nests })
    }
}

/// Returns true for a primitive that calls a procedure as a computation of its own.
fn begins_computations(primitive: Primitive) -> bool {
    matches!(primitive.row().form, Form::Control(control) if control != Control::IfProcedure)
}

/// The guessed shapes of the operands that the tagged code of a procedure takes separately; none if one has no guess.
fn shapes_of(program: &Program, shapes: &Shapes, lambda: LambdaId) -> Option<Vec<Assumed>> {
    let pattern = program.lambda(lambda).pattern;
    let parts: Vec<PatternId> = match program.variables_in_a_row(pattern) {
        Some(count) if count > 1 => {
            program.patterns_within(pattern).filter(|part| program.pattern(*part) == Pattern::Variable).collect()
        }
        Some(_) | None => vec![pattern],
    };
    let mut place = 0;
    let mut assumed = Vec::with_capacity(parts.len());
    for part in parts {
        let (shape, next) = shapes.assumed(program, lambda, part, place)?;
        assumed.push(shape);
        place = next;
    }
    Some(assumed)
}

/// For each definition, true if it is referred to in another way than as the operator of an application.
fn passed_definitions(program: &Program) -> Vec<bool> {
    let mut is_operator = vec![false; program.expressions.len()];
    for expression in &program.expressions {
        if let Expression::Application { operator, .. } = expression
            && let Some(place) = is_operator.get_mut(operator.0 as usize)
        {
            *place = true;
        }
    }
    let mut is_passed = vec![false; program.globals.len()];
    for (expression, is_operator) in program.expressions.iter().zip(is_operator) {
        if let Expression::Variable(Reference::Global(global)) = expression
            && !is_operator
            && let Some(place) = is_passed.get_mut(global.0 as usize)
        {
            *place = true;
        }
    }
    is_passed
}

fn refers_to_primitive(program: &Program, primitive: Primitive) -> bool {
    program.expressions.contains(&Expression::Variable(Reference::Primitive(primitive)))
}

fn is_of_budget(reason: &Reason) -> bool {
    matches!(
        reason.cause,
        Cause::Work(_)
            | Cause::Instances(_)
            | Cause::Unrolled(_)
            | Cause::Leaves(_)
            | Cause::Parts(_)
            | Cause::Depth(_)
            | Cause::Size(_)
            | Cause::Once(_)
            | Cause::Operands(_)
    )
}
