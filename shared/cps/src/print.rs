//! The printed form of converted programs (`vlad show cps`), in the notation of the equations.
//!
//! ```text
//! b4 = λ k n l x0:a x1:b.          a block: an entry with its parameters
//! b5 = λ n l x3 | k x0.            a continuation, and what its frame keeps: k and free variables
//!   n+3                            three nodes are entered; at each: if n = l then stop
//!   x2 = (+ x0 x1!)                an instruction; x1! is the last use of x1
//!   (x2! k n l x0!)                a call in tail position
//!   (f [b5 k x0!] n l 1)           a call whose continuation is b5 with k and x0: a frame
//!   (k n l x2!)                    the value is returned
//! ```

use crate::tree::{Activation, Atom, Block, BlockId, CallContinuation, Converted, End, Instruction, Role, Variable};
use std::fmt::Write;
use vlad_core::print::patterns::pattern_text;
use vlad_core::{ConstantId, Item, LambdaId, Program};

/// The converted program as text.
pub fn print(program: &Program, converted: &Converted) -> String {
    let mut printing = Printing { program, converted, text: String::new() };
    for (activation, number) in converted.activations.iter().zip(0..) {
        let head = match activation.lambda {
            Some(lambda) => printing.procedure_name(lambda),
            None => printing.item_name(number),
        };
        printing.line(&format!("; {head}"));
        for (block, number) in converted.blocks.iter().zip(0..).skip(activation.entry.0 as usize) {
            if block.activation != converted.block(activation.entry).activation {
                break;
            }
            printing.block(BlockId(number), block, activation);
        }
        printing.line("");
    }
    printing.text
}

struct Printing<'program> {
    program: &'program Program,
    converted: &'program Converted,
    text: String,
}

impl Printing<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn place(&self, span: vlad_core::source::Span) -> String {
        self.program.sources.get(span.file).map_or_else(String::new, |file| {
            let start = file.position(span.start);
            format!(", {}:{}:{}", file.name, start.line, start.column)
        })
    }

    fn procedure_name(&self, lambda: LambdaId) -> String {
        let code = self.program.lambda(lambda);
        let name = code.name.as_deref().unwrap_or("a procedure");
        format!("{name}{}", self.place(code.span))
    }

    fn item_name(&self, activation: u32) -> String {
        let place = self.converted.items.iter().position(|item| item.0 == activation);
        match place.and_then(|place| self.program.items.get(place)) {
            Some(Item::Define(global, node)) => {
                format!(
                    "the definition of {}{}",
                    self.program.global(*global).name,
                    self.place(self.program.span(*node))
                )
            }
            Some(Item::Expression(node)) => format!("an expression{}", self.place(self.program.span(*node))),
            None => "a part".to_owned(),
        }
    }

    fn block(&mut self, id: BlockId, block: &Block, activation: &Activation) {
        let list = |variables: &[Variable], separator: &str| {
            let names: Vec<String> = variables.iter().map(|variable| named(activation, *variable)).collect();
            names.iter().fold(String::new(), |text, name| text + separator + name)
        };
        let parameters = list(&block.parameters, " ");
        let free = list(&block.free, " ");
        let head = match block.role {
            Role::Entry => format!("λ k n l{parameters}."),
            Role::Branch => format!("λ n l | k{free}."),
            Role::Continuation { .. } => format!("λ n l{parameters} | k{free}."),
        };
        self.line(&format!("b{} = {head}", id.0));
        let mut steps = 0;
        for instruction in &block.instructions {
            if matches!(instruction, Instruction::Step(_)) {
                steps += 1;
                continue;
            }
            self.steps(&mut steps);
            let line = self.instruction(instruction, activation);
            self.line(&format!("  {line}"));
        }
        self.steps(&mut steps);
        let end = self.end(&block.end);
        self.line(&format!("  {end}"));
    }

    fn steps(&mut self, steps: &mut u32) {
        if *steps > 0 {
            self.line(&format!("  n+{steps}"));
            *steps = 0;
        }
    }

    fn instruction(&self, instruction: &Instruction, activation: &Activation) -> String {
        let name = |variable: &Variable| named(activation, *variable);
        let names = |variables: &[Variable]| variables.iter().map(name).collect::<Vec<_>>().join(" ");
        match instruction {
            Instruction::Step(node) => format!("n+1 ; {}", node.0),
            Instruction::Defined { global, .. } => format!("defined {}", self.program.global(*global).name),
            Instruction::Pair { variable, first, second } => {
                format!("{} = (cons {} {})", name(variable), self.atom(*first), self.atom(*second))
            }
            Instruction::Close { variable, lambda, captures } => {
                format!("{} = ⟨{}⟩", name(variable), self.row(&self.code(*lambda), captures))
            }
            Instruction::Tie { variables, group, captures } => {
                let members = &self.program.group(*group).members;
                let codes: Vec<String> = members.iter().map(|member| self.code(*member)).collect();
                format!("{} = ⟨{}⟩", names(variables), self.row(&codes.join(", "), captures))
            }
            Instruction::Apply { variable, primitive, operands, .. } => {
                format!("{} = ({})", name(variable), self.row(primitive.name(), operands))
            }
            Instruction::Match { variables, lambda, argument, .. } => {
                let pattern = pattern_text(self.program, self.program.lambda(*lambda).pattern);
                format!("[{}] = {} as {pattern}", names(variables), self.atom(*argument))
            }
            Instruction::Drop(variable) => format!("drop x{}", variable.0),
        }
    }

    fn end(&self, end: &End) -> String {
        match end {
            End::Return(value) => format!("(k n l {})", self.atom(*value)),
            End::Jump { block, arguments } => format!("({})", self.row(&format!("b{} n l", block.0), arguments)),
            End::Branch { test, consequent, alternative } => {
                format!("if {} then (b{} n l) else (b{} n l)", self.atom(*test), consequent.0, alternative.0)
            }
            End::Call { operator, operands, then, .. } => {
                let head = format!("{} {} n l", self.atom(*operator), self.then(*then));
                format!("({})", self.row(&head, operands))
            }
            End::Enter { operator, lambda, arguments, then, .. } => {
                let direct = self.converted.activation(self.converted.procedure(*lambda)).direct;
                let direct = direct.map_or_else(String::new, |block| format!(" at b{}", block.0));
                let head = format!("{}{direct} {} n l", self.atom(*operator), self.then(*then));
                format!("({})", self.row(&head, arguments))
            }
        }
    }

    fn then(&self, then: CallContinuation) -> String {
        match then {
            CallContinuation::Return => "k".to_owned(),
            CallContinuation::Continue(block) => {
                let free = &self.converted.block(block).free;
                free.iter().fold(format!("[b{} k", block.0), |text, variable| format!("{text} x{}!", variable.0)) + "]"
            }
        }
    }

    fn row(&self, head: &str, atoms: &[Atom]) -> String {
        atoms.iter().fold(head.to_owned(), |text, atom| text + " " + &self.atom(*atom))
    }

    fn atom(&self, atom: Atom) -> String {
        match atom {
            Atom::Variable(variable) => format!("x{}", variable.0),
            Atom::Moved(variable) => format!("x{}!", variable.0),
            Atom::Constant(constant) => self.constant(constant),
            Atom::Global(global) => self.program.global(global).name.clone(),
            Atom::Primitive(primitive) => primitive.name().to_owned(),
            Atom::Slot(slot) => format!("slot{slot}"),
            Atom::Sibling(lambda) => format!("sibling {}", self.code(lambda)),
        }
    }

    fn constant(&self, constant: ConstantId) -> String {
        self.program.constants.text(constant)
    }

    /// The code of a procedure: the block of its entry, and its name.
    fn code(&self, lambda: LambdaId) -> String {
        let entry = self.converted.activation(self.converted.procedure(lambda)).entry;
        let mut text = format!("b{}", entry.0);
        if let Some(name) = &self.program.lambda(lambda).name {
            let _ = write!(text, ":{name}");
        }
        text
    }
}

fn named(activation: &Activation, variable: Variable) -> String {
    match activation.names.get(variable.0 as usize) {
        Some(name) if !name.is_empty() => format!("x{}:{name}", variable.0),
        Some(_) | None => format!("x{}", variable.0),
    }
}
