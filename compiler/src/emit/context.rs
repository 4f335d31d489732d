//! What generating C asks about a program as a whole: names, places, and what is known of definitions.

use super::classes::Places;
use super::escapes::escaping;
use super::fused::Fused;
use super::regions::{Entering, Regions, divide};
use super::rows::Rows;
use crate::foreign::Counting;
use vlad_shared::core::{ExpressionId, GlobalId, Item, LambdaId, Program};
use vlad_shared::cps::{Activation, ActivationId, BlockId, Converted, Variable};
use vlad_shared::internal_bug;

/// How long the part of a C name may be that comes from the program.
const LONGEST_NAME: usize = 24;

/// How C is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// What is usual is done at once.
    Quick,
    /// Primitives are left to the runtime: the C compiler would take too long over the rest.
    Short,
}

/// The instructions of a program from which on its C is short.
const MANY_INSTRUCTIONS: usize = 20_000;

/// A program that C is generated for.
pub struct Context<'program> {
    /// The program.
    pub program: &'program Program,
    /// What it was converted to.
    pub converted: &'program Converted,
    /// How it counts.
    pub counting: Counting,
    /// What the names of all its C objects begin with.
    pub prefix: &'program str,
    /// Whether to write little rather than quick C.
    pub style: Style,
    /// Its blocks, divided among C functions.
    pub regions: Regions,
    /// The rows of steps at which it can stop.
    pub rows: Rows,
    /// Which values of the reflective basis are not made.
    pub fused: Fused,
    /// Which places stand for others in equal code; of stoppable programs.
    pub places: Places,
    /// For each lambda whether procedures of that code can be called by who does not know their code.
    escaping: Vec<bool>,
    /// The code of the definitions that are procedures without slots whatever happens.
    procedures: Vec<Option<LambdaId>>,
    /// For each definition after how many items it has run.
    defined_after: Vec<usize>,
    /// For each activation how many items have run before it can.
    runs_after: Vec<usize>,
}

impl<'program> Context<'program> {
    /// Finds out about a program.
    pub fn new(
        program: &'program Program,
        converted: &'program Converted,
        counting: Counting,
        prefix: &'program str,
    ) -> Self {
        let instructions: usize = converted.blocks.iter().map(|block| block.instructions.len()).sum();
        let mut context = Context {
            program,
            converted,
            counting,
            prefix,
            style: if instructions < MANY_INSTRUCTIONS { Style::Quick } else { Style::Short },
            regions: Regions::default(),
            rows: Rows::default(),
            fused: Fused::default(),
            escaping: Vec::new(),
            procedures: program.definition_codes(),
            defined_after: defined_after(program),
            runs_after: Vec::new(),
            places: Places::default(),
        };
        context.runs_after = runs_after(program, converted);
        context.escaping = escaping(&context);
        context.regions = divide(&context);
        context.rows = Rows::of(&context);
        context.fused = Fused::of(&context);
        if counting == Counting::Stoppable {
            context.places = Places::of(program, converted);
        }
        context
    }

    /// Whether procedures of that code can be called by who does not know their code.
    pub fn escapes(&self, lambda: LambdaId) -> bool {
        self.escaping.get(lambda.0 as usize).copied().unwrap_or(true)
    }

    /// The procedure that an item does nothing but define.
    pub fn definition(&self, activation: ActivationId) -> Option<LambdaId> {
        let place = self.converted.items.binary_search(&activation).ok()?;
        match self.program.items.get(place) {
            Some(Item::Define(_, node)) => self.program.procedure_at(*node),
            Some(Item::Expression(_)) | None => None,
        }
    }

    /// The code of a definition that is a procedure without slots whatever happens.
    pub fn procedure(&self, global: GlobalId) -> Option<LambdaId> {
        self.procedures.get(global.0 as usize).copied().flatten()
    }

    /// Whether a definition has run whenever code of an activation runs.
    pub fn is_defined(&self, global: GlobalId, activation: ActivationId) -> bool {
        let after = self.defined_after.get(global.0 as usize);
        let runs = self.runs_after.get(activation.0 as usize);
        after.zip(runs).is_some_and(|(after, runs)| after <= runs)
    }

    /// Whether procedures of that code have slots.
    pub fn has_slots(&self, lambda: LambdaId) -> bool {
        let lambda = self.program.lambda(lambda);
        let captures = lambda.group.map_or(&lambda.captures, |(group, _)| &self.program.group(group).captures);
        !captures.is_empty()
    }

    /// True if the slots are at hand when a block begins.
    pub fn keeps_slots(&self, id: BlockId) -> bool {
        let has_slots = self.activation_of(id).lambda.is_some_and(|lambda| self.has_slots(lambda));
        has_slots && self.converted.block(id).needs_slots
    }

    /// True if a function that begins with a block knows the user's application through which the prelude was entered.
    pub fn has_site(&self, head: BlockId) -> bool {
        self.activation_of(head).is_shipped && self.converted.block(head).needs_site
    }

    /// The most variables that an activation has.
    pub fn places(&self) -> u64 {
        self.converted.activations.iter().map(|activation| u64::from(activation.variables)).max().unwrap_or_default()
    }

    /// The activation of a block.
    pub fn activation_of(&self, block: BlockId) -> &'program Activation {
        self.converted.activation(self.converted.block(block).activation)
    }

    /// The outermost node of an activation at top level.
    pub fn top_of(&self, activation: ActivationId) -> Option<ExpressionId> {
        let place = self.converted.items.binary_search(&activation).ok()?;
        self.program.items.get(place).map(|item| {
            let (Item::Define(_, node) | Item::Expression(node)) = *item;
            node
        })
    }

    /// The C function that begins with a block.
    pub fn function_name(&self, block: BlockId) -> String {
        match self.regions.head(block) {
            Some(function) => self.name_of(function),
            None => internal_bug!("block {} is the head of a function", block.0),
        }
    }

    /// The function of the first chunk of the block that a function begins with: the function itself unless the block is cut.
    pub fn first_chunk(&self, number: usize) -> usize {
        match self.regions.function(number).entering {
            Entering::Chunk(chunk) => number - chunk,
            Entering::Item | Entering::Argument | Entering::Arguments | Entering::Frame | Entering::Spill => number,
        }
    }

    /// The name of a C function by its number.
    pub fn name_of(&self, number: usize) -> String {
        let function = self.regions.function(number);
        let block = function.head();
        let chunk = match function.entering {
            Entering::Chunk(chunk) => format!("_{chunk}"),
            Entering::Item | Entering::Argument | Entering::Arguments | Entering::Frame | Entering::Spill => {
                String::new()
            }
        };
        let name = self.activation_of(block).lambda.and_then(|lambda| self.program.lambda(lambda).name.as_deref());
        format!("{}b{}{chunk}{}", self.prefix, block.0, spelled(name.unwrap_or_default()))
    }

    /// The name of the form of a C function that takes its steps one by one.
    pub fn stepwise_name(&self, number: usize) -> String {
        format!("{}step_{}", self.prefix, self.name_of(number).trim_start_matches(self.prefix))
    }

    /// The name of what describes a C function in its two forms.
    pub fn entry_name(&self, number: usize) -> String {
        format!("{}entry{number}", self.prefix)
    }

    /// The name of the table of what is alive at the points of a function.
    pub fn alive_name(&self, number: usize) -> String {
        format!("{}alive{}", self.prefix, self.first_chunk(number))
    }

    /// The name of the table of points.
    pub fn points_name(&self) -> String {
        format!("{}points", self.prefix)
    }

    /// Whether a C function of the program has two forms.
    pub fn has_stepwise(&self, number: usize) -> bool {
        self.counting == Counting::Stoppable && self.regions.function(number).most_steps > 0
    }

    /// The frame that goes on with a block.
    pub fn frame_name(&self, block: BlockId) -> String {
        format!("{}frame{}", self.prefix, block.0)
    }

    /// The name of a local variable.
    pub fn variable_name(&self, activation: &Activation, variable: Variable) -> String {
        let name = activation.names.get(variable.0 as usize).map(String::as_str).unwrap_or_default();
        format!("x{}{}", variable.0, spelled(name))
    }

    /// Line and column of a node, for comments.
    pub fn place(&self, node: ExpressionId) -> String {
        let span = self.program.span(node);
        let Some(file) = self.program.sources.get(span.file) else { return String::new() };
        let position = file.position(span.start);
        let shipped = if self.program.is_shipped(node) { format!("{} ", file.name) } else { String::new() };
        format!("{shipped}{}:{}", position.line, position.column)
    }
}

/// For each definition after how many items it has run; those of the prelude run before all.
fn defined_after(program: &Program) -> Vec<usize> {
    let of_prelude = program.prelude.iter().map(|(global, _)| (*global, 0));
    let of_items = program.items.iter().zip(1..).filter_map(|(item, after)| match *item {
        Item::Define(global, _) => Some((global, after)),
        Item::Expression(_) => None,
    });
    let mut all = vec![usize::MAX; program.globals.len()];
    for (global, after) in of_prelude.chain(of_items) {
        match all.get_mut(global.0 as usize) {
            Some(place) => *place = after,
            None => internal_bug!("global {} is in the arena", global.0),
        }
    }
    all
}

/// The conversion puts the procedures that stand in an item right behind the item, and those of the prelude before all.
/// A procedure that is defined by its name alone, and what is in it, cannot run before that definition has.
fn runs_after(program: &Program, converted: &Converted) -> Vec<usize> {
    let mut items = converted.items.iter().zip(&program.items).enumerate().peekable();
    let (mut top, mut inner) = (0, 0);
    let activations = 0..converted.activations.len() as u32;
    let after = activations.map(|number| {
        if let Some((place, (_, item))) = items.next_if(|(_, (activation, _))| activation.0 == number) {
            let (Item::Define(_, node) | Item::Expression(node)) = *item;
            let is_procedure = matches!(item, Item::Define(..)) && program.procedure_at(node).is_some();
            (top, inner) = (place, place + usize::from(is_procedure));
            return top;
        }
        inner
    });
    after.collect()
}

/// A name of the program as a part of a C name, behind an underscore.
fn spelled(name: &str) -> String {
    if name.is_empty() {
        return String::new();
    }
    let letter = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
    format!("_{}", name.chars().take(LONGEST_NAME).map(letter).collect::<String>())
}
