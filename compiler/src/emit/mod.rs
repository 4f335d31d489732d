//! Generation of C: from the converted program to one C file.
//!
//! ```text
//! Converted --regions--> functions of blocks --function--> C syntax tree --c::print--> text
//! ```
//!
//! What becomes what is said in `machine.h` (the parts of the machine) and in the modules here:
//!
//! - [`regions`]: which blocks become which C functions;
//! - `check`: the checker of that, which runs in tests;
//! - `function`: one C function, its beginning and its end;
//! - `rows`: the rows of steps of stoppable programs, and what is alive at them;
//! - `points`: where the functions of a stoppable program stop and go on;
//! - `instructions`, `primitives`, `patterns`: what a block does;
//! - `escapes`: which procedures are only called where their code is known;
//! - `definitions`: the one function of all definitions of procedures;
//! - `ends`: how it ends - transfers, frames, calls;
//! - `fused`: values of the reflective basis that are not made;
//! - `atoms`: values, shared or moved as the converted program says;
//! - `classes`: which procedures have equal code;
//! - `operations`: the operations on reals, for all programs.
//!
//! Invariants: a value is counted exactly as the converted program says who owns it; the steps taken are exact at every
//! stop; every cycle of transfers goes through a test that returns to the driver from time to time, so nothing rests on
//! the C compiler making jumps of calls. The text is the same for the same program, whatever file it stands in.

mod atoms;
mod check;
mod classes;
mod context;
mod definitions;
mod ends;
mod escapes;
mod function;
mod fused;
mod instructions;
mod operations;
mod patterns;
mod points;
mod primitives;
mod regions;
mod rows;

pub use classes::code_classes;
pub use operations::header as operations_header;

use crate::c::{self, Expression, Head, Item};
use crate::foreign::Counting;
use context::Context;
use function::{Form, function};
use std::iter;
use vlad_shared::core::Program;
use vlad_shared::cps::{BlockId, Converted, Role};

/// The C file of a program. All names that it defines begin with the prefix, which must be a C name; the program itself is
/// [`program_symbol`].
pub fn generate(program: &Program, converted: &Converted, counting: Counting, prefix: &str) -> String {
    c::print(items(&Context::new(program, converted, counting, prefix)))
}

/// The same if it has at most so many bytes. No more than these are made of a longer one.
pub fn generate_within(
    most: usize,
    program: &Program,
    converted: &Converted,
    counting: Counting,
    prefix: &str,
) -> Option<String> {
    c::print_within(most, items(&Context::new(program, converted, counting, prefix)))
}

/// The parts of the file, each made when it is asked for.
fn items<'c>(context: &'c Context<'_>) -> impl Iterator<Item = Item> + 'c {
    let about = format!("A program of {} blocks, {}.", context.converted.blocks.len(), counting_text(context.counting));
    let beginning = [Item::Comment(about), Item::Include("program.h"), Item::Include("operations.h")];
    let all = || {
        (0..context.regions.functions.len()).flat_map(|number| {
            let stepwise = context.has_stepwise(number).then_some(Form::Stepwise);
            [Form::AtOnce].into_iter().chain(stepwise).map(move |form| (number, form))
        })
    };
    let points = || match context.counting {
        Counting::ByBlock => Vec::new(),
        Counting::Stoppable => definitions::prototypes(context).into_iter().chain(points::tables(context)).collect(),
    };
    let ending = || definitions::definitions(context).into_iter().chain(tables(context));
    beginning
        .into_iter()
        .chain(all().map(|(number, form)| Item::Prototype(head(context, number, form))))
        .chain(frames(context))
        .chain(iter::once_with(points).flatten())
        .chain(all().map(|(number, form)| function(context, number, form)))
        .chain(iter::once_with(ending).flatten())
}

/// Checks the invariants of the division of a program among C functions (see `regions`), in tests.
///
/// # Errors
/// What does not hold, and where.
pub fn check(program: &Program, converted: &Converted) -> Result<(), String> {
    let context = Context::new(program, converted, Counting::Stoppable, "");
    context.places.check(converted)?;
    check::check(&context)
}

/// The name of the object that a program with a prefix exports.
pub fn program_symbol(prefix: &str) -> String {
    format!("{prefix}program")
}

fn counting_text(counting: Counting) -> &'static str {
    match counting {
        Counting::ByBlock => "which counts its steps block by block",
        Counting::Stoppable => "which can stop at each of its steps",
    }
}

/// The head of a function by its number; that of a part of a block is kept apart from the part before, since cutting was the point.
fn head(context: &Context<'_>, number: usize, form: Form) -> Head {
    if form == Form::Stepwise {
        return stepwise_head("static VLAD_COLD ", context.stepwise_name(number));
    }
    let storage = match context.regions.function(number).entering {
        regions::Entering::Spill | regions::Entering::Chunk(_) => "static VLAD_APART ",
        regions::Entering::Item
        | regions::Entering::Argument
        | regions::Entering::Arguments
        | regions::Entering::Frame => "static ",
    };
    block_head(storage, context.name_of(number))
}

/// The head of a function that is a `vlad_stepwise`.
fn stepwise_head(storage: &'static str, name: String) -> Head {
    let mut head = block_head(storage, name);
    head.parameters.push(("const struct vlad_frame *", "point"));
    head
}

/// The head of a function that is a `vlad_block`.
fn block_head(storage: &'static str, name: String) -> Head {
    let parameters = [
        ("struct vlad_machine *", "m"),
        ("vlad_value *", "top"),
        ("int64_t", "fuel"),
        ("struct vlad_slots *", "slots"),
        ("vlad_value", "x"),
    ];
    Head { storage, result: "int", name, parameters: parameters.to_vec() }
}

/// The descriptions of the frames.
fn frames<'c>(context: &'c Context<'_>) -> impl Iterator<Item = Item> + 'c {
    context.regions.functions.iter().filter_map(|function| {
        let block = context.converted.block(function.head());
        let (regions::Entering::Frame, Role::Continuation { awaiting, iteration }) = (function.entering, block.role)
        else {
            return None;
        };
        Some(Item::Object {
            storage: "static ",
            ctype: "const struct vlad_frame",
            name: context.frame_name(function.head()),
            contents: vec![points::continuation(context, function.head(), awaiting, iteration)],
        })
    })
}

/// The tables of a program, and what it exports. C has no empty arrays: each has one more element at the end.
fn tables(context: &Context<'_>) -> Vec<Item> {
    let Context { program, converted, prefix, .. } = context;
    let name = |block: BlockId| context.regions.head(block).map(|_| Expression::Name(context.function_name(block)));
    let blocks = converted.items.iter().map(|item| {
        let own = name(converted.activation(*item).entry);
        own.unwrap_or_else(|| Expression::Name(definitions::name(context)))
    });
    let entries = converted.procedures.iter().map(|activation| {
        let own = activation.and_then(|activation| name(converted.activation(activation).entry));
        own.unwrap_or(Expression::Number(0))
    });
    let classes = code_classes(program).into_iter().map(|class| Expression::Number(u64::from(class)));
    let end = || [Expression::Number(0)].into_iter();
    let table = |ctype, name: &str, contents: Vec<Expression>| Item::Object {
        storage: "static ",
        ctype,
        name: format!("{prefix}{name}[]"),
        contents,
    };
    let counting = match context.counting {
        Counting::ByBlock => "VLAD_BY_BLOCK",
        Counting::Stoppable => "VLAD_STOPPABLE",
    };
    let mut contents = vec![
        Expression::name("VLAD_VERSION"),
        Expression::name(counting),
        Expression::Number(program.items.len() as u64),
        Expression::Number(program.lambdas.len() as u64),
        Expression::Name(format!("{prefix}items")),
        Expression::Name(format!("{prefix}entries")),
        Expression::Name(format!("{prefix}classes")),
        Expression::name("VLAD_STRIDE"),
        Expression::Number(context.places()),
    ];
    match context.counting {
        Counting::ByBlock => contents.push(Expression::name("VLAD_NO_POINTS")),
        Counting::Stoppable => contents.extend([
            Expression::Name(context.points_name()),
            Expression::Name(format!("{prefix}frames")),
            Expression::Number(program.expressions.len() as u64),
            Expression::Number(converted.blocks.len() as u64),
        ]),
    }
    vec![
        table("vlad_block *const", "items", blocks.chain(end()).collect()),
        table("vlad_block *const", "entries", entries.chain(end()).collect()),
        table("const uint32_t", "classes", classes.chain(end()).collect()),
        Item::Object {
            storage: "VLAD_EXPORT ",
            ctype: "const struct vlad_program",
            name: program_symbol(prefix),
            contents,
        },
    ]
}
