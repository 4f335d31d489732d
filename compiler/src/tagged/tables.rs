//! Tables for the runtime: the frame descriptors of continuations, the stop points, and the exported object of a
//! program.

use super::analyses::regions::EntryKind;
use super::analyses::rows::{LiveInterval, StepRow};
use super::context::Context;
use super::definitions;
use super::points::{Point, entry_object};
use super::unit::Unit;
use crate::c::{Expression as C, Item};
use crate::foreign::Counting;
use crate::specialised::{items, procedures_name, table_name};
use vlad_ad::traps::Traps;
use vlad_core::Awaiting;
use vlad_core::equality::code_classes;
use vlad_cps::{BlockId, Role, Variable};

/// The frame descriptors of the continuations.
pub fn frames<'c>(context: &'c Context<'_>) -> impl Iterator<Item = Item> + 'c {
    context.regions.functions.iter().filter_map(|function| {
        let block = context.unit.converted.block(function.head());
        let (EntryKind::Frame, Role::Continuation { awaiting, iteration }) = (function.entering, block.role) else {
            return None;
        };
        Some(Item::Object {
            storage: "static ",
            ctype: "const struct vlad_frame",
            name: context.frame_name(function.head()),
            contents: vec![continuation(context, function.head(), awaiting, iteration)],
        })
    })
}

/// The descriptor of a continuation's frame: the nodes for the pending calls of faults, and in a stoppable program the
/// data to resume it.
fn continuation(context: &Context<'_>, id: BlockId, awaiting: Awaiting, iteration: Option<Variable>) -> C {
    let kept = context.unit.frame_values(id);
    let block = context.unit.converted.block(id);
    let place = iteration.and_then(|number| block.free.iter().position(|variable| *variable == number));
    let iteration = C::Number(place.map_or(0, |place| place as u64 + 1));
    let has_site = C::Number(u64::from(block.needs_site));
    let mut parts: Vec<C> =
        [kept, u64::from(awaiting.node.0), u64::from(awaiting.awaited.0)].map(C::Number).into_iter().collect();
    let wants = C::Number(context.elisions.demand(id) as u64);
    match context.unit.counting {
        Counting::ByBlock => {
            parts.extend([has_site, wants, iteration]);
            C::call("VLAD_CONTINUATION", parts)
        }
        Counting::Stoppable => {
            let place = context.places.block(context.unit.converted, id);
            parts.push(C::Name(context.function_name(id)));
            parts.extend([u64::from(place.0), u64::from(id.0)].map(C::Number));
            parts.extend([has_site, wants, iteration]);
            C::call("VLAD_STOPPABLE_CONTINUATION", parts)
        }
    }
}

/// The tables of a stoppable program: the descriptors of its functions in their two forms, and its stop points by node.
/// They come before the functions. There are none if the program is not stoppable.
pub fn points(context: &Context<'_>) -> Vec<Item> {
    if context.unit.counting == Counting::ByBlock {
        return Vec::new();
    }
    let functions = (0..context.regions.functions.len()).filter(|number| context.has_stepwise(*number));
    let mut items = definitions::prototypes(context);
    let mut by_node = vec![C::Braces(vec![C::Number(0)]); context.unit.program.expressions.len().max(1)];
    let mut note = |point: &Point| {
        if let Some(place) = by_node.get_mut(point.node.0 as usize) {
            *place = described(context, point);
        }
    };
    let mut described_last = None;
    for number in functions {
        let first = context.regions.first_chunk(number);
        if described_last.replace(first) != Some(first) {
            items.extend(alive(context.alive_name(number), context.rows.alive(first)));
        }
        items.push(entry(context, number));
        context.rows.of_function(number).iter().flat_map(|row| points_of(context, number, row)).for_each(|p| note(&p));
    }
    if definitions::are_there(context) {
        items.push(definitions::entry(context));
    }
    definitions::points(context).iter().for_each(note);
    items.push(Item::Object {
        storage: "static ",
        ctype: "const struct vlad_frame",
        name: format!("{}[{}]", context.points_name(), by_node.len()),
        contents: by_node,
    });
    items.push(frames_by_block(context));
    items
}

/// The table of the variables alive at the stop points of a function, or of all chunks of a cut block; none if it is
/// empty.
fn alive(name: String, alive: &[LiveInterval]) -> Option<Item> {
    let described = |alive: &LiveInterval| {
        C::Braces([u64::from(alive.variable.0), alive.from, alive.to].map(C::Number).into_iter().collect())
    };
    (!alive.is_empty()).then(|| Item::Object {
        storage: "static ",
        ctype: "const struct vlad_alive",
        name: name + "[]",
        contents: alive.iter().map(described).collect(),
    })
}

/// The descriptor of a function in its two forms.
fn entry(context: &Context<'_>, number: usize) -> Item {
    let function = context.regions.function(number);
    let alive = match context.rows.alive(context.regions.first_chunk(number)).len() as u64 {
        0 => [C::Number(0), C::Number(0)],
        count => [C::Name(context.alive_name(number)), C::Number(count)],
    };
    let lambda = context.unit.activation_of(function.head()).lambda.map_or(0, |lambda| u64::from(lambda.0));
    let forms = [C::Name(context.name_of(number)), C::Name(context.stepwise_name(number))];
    let contents = forms.into_iter().chain([C::Number(function.most_steps)]).chain(alive).chain([C::Number(lambda)]);
    entry_object(context.entry_name(number), contents.collect())
}

/// The stop points of a row of a function.
fn points_of<'c>(context: &Context<'_>, number: usize, row: &'c StepRow) -> impl Iterator<Item = Point> + 'c {
    let entry = context.entry_name(number);
    row.nodes.iter().enumerate().map(move |(offset, node)| Point {
        node: *node,
        entry: entry.clone(),
        block: row.block,
        instruction: row.place + offset,
        values: row.values(),
        label: row.label,
        offset: offset as u64,
        has_site: row.has_site,
        has_slots: row.has_slots,
    })
}

/// The descriptor of a stop point.
fn described(context: &Context<'_>, point: &Point) -> C {
    let number = |number: u64| C::Number(number);
    let class = match context.unit.definition(context.unit.converted.block(point.block).activation) {
        Some(_) => point.node,
        None => context.places.node(context.unit.converted, point.block, point.instruction).unwrap_or(point.node),
    };
    let parts = vec![
        number(point.values),
        number(u64::from(point.node.0)),
        C::Name(point.entry.clone()).prefix("&"),
        number(u64::from(class.0)),
        number(u64::from(point.block.0)),
        number(point.instruction as u64),
        number(point.label),
        number(point.offset),
        number(u64::from(point.has_slots)),
        number(u64::from(point.has_site)),
    ];
    C::Braces(vec![C::call("VLAD_POINT", parts)])
}

/// The table of the frame descriptors of continuations, by block.
fn frames_by_block(context: &Context<'_>) -> Item {
    let blocks = context.unit.converted.blocks.iter().zip(0..).map(|(block, number)| {
        let id = BlockId(number);
        let head = context.regions.head(id).map(|function| context.regions.function(function).entering);
        match (block.role, head) {
            (Role::Continuation { .. }, Some(EntryKind::Frame)) => C::Name(context.frame_name(id)).prefix("&"),
            (Role::Continuation { .. } | Role::Entry | Role::Branch, _) => C::Number(0),
        }
    });
    let contents: Vec<C> = blocks.chain([C::Number(0)]).collect();
    Item::Object {
        storage: "static ",
        ctype: "const struct vlad_frame *const",
        name: format!("{}frames[{}]", context.unit.prefix, contents.len()),
        contents,
    }
}

/// Returns the name of the object that a program with a prefix exports.
pub fn program_symbol(prefix: &str) -> String {
    format!("{prefix}program")
}

/// The tables of a program, and the object that it exports. C has no empty arrays, so each table has one extra element
/// at the end.
pub fn program(context: &Context<'_>) -> Vec<Item> {
    let Unit { program, converted, counting, traps, specialised, prefix } = context.unit;
    let has_items = specialised.items.iter().any(Option::is_some);
    let procedures = specialised.procedures.len();
    let specialised = items(specialised, prefix);
    let name = |block: BlockId| context.regions.head(block).map(|_| C::Name(context.function_name(block)));
    let blocks = converted.items.iter().map(|item| {
        let own = name(converted.activation(*item).entry);
        own.unwrap_or_else(|| C::Name(definitions::name(context)))
    });
    let entries = converted.procedures.iter().map(|activation| {
        let own = activation.and_then(|activation| name(converted.activation(activation).entry));
        own.unwrap_or(C::Number(0))
    });
    let classes = code_classes(program).into_iter().map(|class| C::Number(u64::from(class)));
    let end = || [C::Number(0)].into_iter();
    let table = |ctype, name: &str, contents: Vec<C>| Item::Object {
        storage: "static ",
        ctype,
        name: format!("{prefix}{name}[]"),
        contents,
    };
    let counting_constant = match counting {
        Counting::ByBlock => "VLAD_BY_BLOCK",
        Counting::Stoppable => "VLAD_STOPPABLE",
    };
    let mut contents = vec![
        C::name("VLAD_VERSION"),
        C::name(counting_constant),
        C::Number(program.items.len() as u64),
        C::Number(program.lambdas.len() as u64),
        C::Name(format!("{prefix}items")),
        C::Name(format!("{prefix}entries")),
        C::Name(format!("{prefix}classes")),
        C::name("VLAD_STRIDE"),
        C::Number(context.unit.places()),
        if has_items { C::Name(table_name(prefix)) } else { C::Number(0) },
        if procedures == 0 { C::Number(0) } else { C::Name(procedures_name(prefix)) },
        C::Number(procedures as u64),
    ];
    match counting {
        Counting::ByBlock => contents.push(C::name("VLAD_NO_POINTS")),
        Counting::Stoppable => contents.extend([
            C::Name(context.points_name()),
            C::Name(format!("{prefix}frames")),
            C::Number(program.expressions.len() as u64),
            C::Number(converted.blocks.len() as u64),
        ]),
    }
    contents.push(C::name(match traps {
        Traps::Off => "VLAD_TRAPS_OFF",
        Traps::NonFinite => "VLAD_TRAPS_NONFINITE",
    }));
    let mut all = specialised;
    all.extend([
        table("vlad_block *const", "items", blocks.chain(end()).collect()),
        table("vlad_block *const", "entries", entries.chain(end()).collect()),
        table("const uint32_t", "classes", classes.chain(end()).collect()),
        Item::Object {
            storage: "VLAD_EXPORT ",
            ctype: "const struct vlad_program",
            name: program_symbol(prefix),
            contents,
        },
    ]);
    all
}
