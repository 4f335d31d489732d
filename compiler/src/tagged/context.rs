//! The results of all analyses of a program, and the names of its C objects. They are complete before any C is
//! generated.

use super::analyses::elision::Elisions;
use super::analyses::escapes::Escapes;
use super::analyses::globals::Globals;
use super::analyses::places::Representatives;
use super::analyses::regions::{EntryKind, Regions};
use super::analyses::rows::Rows;
use super::unit::Unit;
use crate::c::spelled;
use crate::foreign::Counting;
use vlad_core::ExpressionId;
use vlad_cps::{Activation, BlockId, Converted, Variable};
use vlad_table::internal_bug;

/// The trade-off between the speed and the size of the C code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// The common case of a primitive is inline.
    Quick,
    /// Primitives are left to the runtime: the C compiler would take too long for inline code.
    Short,
}

/// The number of instructions from which on a program is compiled in the short style.
const MANY_INSTRUCTIONS: usize = 20_000;

/// Chooses the style of the C code of a program by its size.
pub fn style(converted: &Converted) -> Style {
    let instructions: usize = converted.blocks.iter().map(|block| block.instructions.len()).sum();
    if instructions < MANY_INSTRUCTIONS { Style::Quick } else { Style::Short }
}

/// A program with the results of all analyses.
#[derive(Clone)]
pub struct Context<'program> {
    /// The program.
    pub unit: Unit<'program>,
    /// The style of its C code.
    pub style: Style,
    /// The facts about its definitions.
    pub globals: Globals,
    /// The procedures that escape: they reach call sites that do not know their code.
    pub escapes: Escapes,
    /// The partition of its blocks into C functions.
    pub regions: Regions,
    /// The rows (sequences of steps) at which it can stop, with the variables that are live there.
    pub rows: Rows,
    /// The values of the reflective basis that are elided.
    pub elisions: Elisions,
    /// The representatives of places (blocks, instructions) in equal code; computed for stoppable programs only.
    pub places: Representatives,
}

impl Context<'_> {
    /// The name of the C function that begins with a block.
    pub fn function_name(&self, block: BlockId) -> String {
        match self.regions.head(block) {
            Some(function) => self.name_of(function),
            None => internal_bug!("block {} is the head of a function", block.0),
        }
    }

    /// The name of a C function by its number.
    pub fn name_of(&self, number: usize) -> String {
        let function = self.regions.function(number);
        let block = function.head();
        let chunk = match function.entering {
            EntryKind::Chunk(chunk) => format!("_{chunk}"),
            EntryKind::Item | EntryKind::Argument | EntryKind::Arguments | EntryKind::Frame | EntryKind::Spill => {
                String::new()
            }
        };
        let name =
            self.unit.activation_of(block).lambda.and_then(|lambda| self.unit.program.lambda(lambda).name.as_deref());
        format!("{}b{}{chunk}{}", self.unit.prefix, block.0, spelled(name.unwrap_or_default()))
    }

    /// The name of the stepwise form of a C function.
    pub fn stepwise_name(&self, number: usize) -> String {
        format!("{}step_{}", self.unit.prefix, self.name_of(number).trim_start_matches(self.unit.prefix))
    }

    /// The name of the descriptor of a C function in its two forms.
    pub fn entry_name(&self, number: usize) -> String {
        format!("{}entry{number}", self.unit.prefix)
    }

    /// The name of the table of the variables alive at the stop points of a function.
    pub fn alive_name(&self, number: usize) -> String {
        format!("{}alive{}", self.unit.prefix, self.regions.first_chunk(number))
    }

    /// The name of the table of stop points.
    pub fn points_name(&self) -> String {
        format!("{}points", self.unit.prefix)
    }

    /// Returns true if a C function of the program has two forms.
    pub fn has_stepwise(&self, number: usize) -> bool {
        self.unit.counting == Counting::Stoppable && self.regions.function(number).most_steps > 0
    }

    /// The name of the frame descriptor of a continuation.
    pub fn frame_name(&self, block: BlockId) -> String {
        format!("{}frame{}", self.unit.prefix, block.0)
    }

    /// The name of a local variable.
    pub fn variable_name(&self, activation: &Activation, variable: Variable) -> String {
        let name = activation.names.get(variable.0 as usize).map(String::as_str).unwrap_or_default();
        format!("x{}{}", variable.0, spelled(name))
    }

    /// Line and column of a node, for comments, after the name of its file in library code.
    pub fn place(&self, node: ExpressionId) -> String {
        let span = self.unit.program.span(node);
        let Some(file) = self.unit.program.sources.get(span.file) else { return String::new() };
        let position = file.position(span.start);
        let shipped = if self.unit.program.is_shipped(node) { format!("{} ", file.name) } else { String::new() };
        format!("{shipped}{}:{}", position.line, position.column)
    }
}
