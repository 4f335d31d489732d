//! The points of a stoppable program: where its functions stop and go on, step by step.
//!
//! In the stepwise form of a function each row of steps (see `rows`) tests whether there is fuel for it. If there is not,
//! it returns to the driver with the point of the step that could not be taken, and the runtime makes a frame of what is
//! alive there: variables in ascending order, from their places in the machine, the slots as a procedure if they are needed,
//! the site in shipped code. To go on from a point the runtime puts all that back, and the function jumps to the
//! row, which takes the fuel for all of its steps; so for those before the point it has been given as much more.
//!
//! A point keeps exactly what the rest of the activation needs: it is what a capsule is made of.

use super::context::Context;
use super::definitions;
use super::function::Body;
use super::regions::Entering;
use super::rows::{Alive, Row};
use crate::c::{Expression as C, Infix, Item, Statement};
use crate::foreign::Counting;
use vlad_shared::core::ExpressionId;
use vlad_shared::cps::{BlockId, Role, Variable};
use vlad_shared::internal_bug;
use vlad_shared::pending::Awaiting;

/// What describes a point.
#[derive(Clone, Debug)]
pub struct Point {
    /// The node that is entered next.
    pub node: ExpressionId,
    /// What describes the C function that it stands in.
    pub entry: String,
    /// The block that it stands in.
    pub block: BlockId,
    /// Its place there.
    pub instruction: usize,
    /// How many values its frame has.
    pub values: u64,
    /// The number of its row.
    pub label: u64,
    /// How many steps of its row come before it.
    pub offset: u64,
    /// Whether the last of the values is the site.
    pub has_site: bool,
    /// True if the last of the others is a procedure with the slots.
    pub has_slots: bool,
}

/// The points of a row, of a function.
fn points_of<'c>(context: &Context<'_>, number: usize, row: &'c Row) -> impl Iterator<Item = Point> + 'c {
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

/// The point of a node, known here or to the program.
pub fn point_at(context: &Context<'_>, node: C) -> C {
    C::Index(Box::new(C::Name(context.points_name())), Box::new(node)).prefix("&")
}

impl Body<'_, '_> {
    /// The next row of steps, all at once if there is fuel for all.
    pub fn row(&mut self) {
        let Some(row) = self.rows.next() else { internal_bug!("each row of steps is known before") };
        self.put(Statement::Label(point_label(row.label)));
        let stop = self.nested(|body| body.stop_in(row));
        let count = C::Number(row.nodes.len() as u64);
        self.put(Statement::when(C::name("fuel").infix(Infix::Less, count.clone()).unlikely(), stop));
        self.put(Statement::Subtract(C::name("fuel"), count));
    }

    /// Stops within a row: as many steps are taken as there is fuel.
    fn stop_in(&mut self, row: &Row) {
        let numbers: Vec<C> = row.nodes.iter().map(|node| C::Number(u64::from(node.0))).collect();
        let node = match numbers.as_slice() {
            [node] => node.clone(),
            _ => {
                let (ctype, name) = ("static const uint32_t", "nodes[]".to_owned());
                self.put(Statement::Define { ctype, name, value: C::Braces(numbers) });
                C::Index(Box::new(C::name("nodes")), Box::new(C::name("fuel")))
            }
        };
        let slots = if self.keeps_slots(row.block) { C::name("slots") } else { C::Number(0) };
        let site = if row.has_site { C::name("site") } else { C::Number(0) };
        let operands = [C::name("top"), slots, site, point_at(self.context, node)];
        self.put(Statement::Return(C::service("suspend", operands)));
    }

    /// Goes on from a point, if there is one.
    pub fn go_on_from_points(&mut self) {
        let rows = self.context.rows.of_function(self.number);
        let Some(first) = rows.first().map(|row| row.label) else { return };
        let cases = rows.iter().map(|row| vec![Statement::Goto(point_label(row.label))]).collect();
        let label = C::name("point").arrow("label");
        let value = if first == 0 { label } else { label.infix(Infix::Subtract, C::Number(first)) };
        let go_on = self.nested(|body| {
            body.take_site_in(C::name("x"));
            body.put(Statement::Choose { value, cases });
        });
        self.put(Statement::when(C::name("point"), go_on));
    }
}

fn point_label(label: u64) -> String {
    format!("point{label}")
}

/// The tables of a stoppable program: what describes its functions in their two forms, and its points by node. They stand
/// before the functions.
pub fn tables(context: &Context<'_>) -> Vec<Item> {
    let functions = (0..context.regions.functions.len()).filter(|number| context.has_stepwise(*number));
    let mut items = Vec::new();
    let mut by_node = vec![C::Braces(vec![C::Number(0)]); context.program.expressions.len().max(1)];
    let mut note = |point: &Point| {
        if let Some(place) = by_node.get_mut(point.node.0 as usize) {
            *place = described(context, point);
        }
    };
    let mut described_last = None;
    for number in functions {
        let first = context.first_chunk(number);
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

/// The table of what is alive at the points of a function, or of all chunks of a block that is cut; none if nothing is.
fn alive(name: String, alive: &[Alive]) -> Option<Item> {
    let described = |alive: &Alive| {
        C::Braces([u64::from(alive.variable.0), alive.from, alive.to].map(C::Number).into_iter().collect())
    };
    (!alive.is_empty()).then(|| Item::Object {
        storage: "static ",
        ctype: "const struct vlad_alive",
        name: name + "[]",
        contents: alive.iter().map(described).collect(),
    })
}

/// The description of a function in its two forms.
fn entry(context: &Context<'_>, number: usize) -> Item {
    let function = context.regions.function(number);
    let alive = match context.rows.alive(context.first_chunk(number)).len() as u64 {
        0 => [C::Number(0), C::Number(0)],
        count => [C::Name(context.alive_name(number)), C::Number(count)],
    };
    let lambda = context.activation_of(function.head()).lambda.map_or(0, |lambda| u64::from(lambda.0));
    let forms = [C::Name(context.name_of(number)), C::Name(context.stepwise_name(number))];
    let contents = forms.into_iter().chain([C::Number(function.most_steps)]).chain(alive).chain([C::Number(lambda)]);
    entry_object(context.entry_name(number), contents.collect())
}

/// The description of a function in its two forms, of these parts.
pub fn entry_object(name: String, contents: Vec<C>) -> Item {
    Item::Object { storage: "static ", ctype: "const struct vlad_entry", name, contents }
}

fn described(context: &Context<'_>, point: &Point) -> C {
    let number = |number: u64| C::Number(number);
    let class = match context.definition(context.converted.block(point.block).activation) {
        Some(_) => point.node,
        None => context.places.node(context.converted, point.block, point.instruction).unwrap_or(point.node),
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

/// What the description of a continuation's frame holds: for the pending calls of errors, and in a stoppable program for
/// going on with it.
pub fn continuation(context: &Context<'_>, id: BlockId, awaiting: Awaiting, iteration: Option<Variable>) -> C {
    let kept = super::ends::frame_values(context, id);
    let block = context.converted.block(id);
    let place = iteration.and_then(|number| block.free.iter().position(|variable| *variable == number));
    let iteration = C::Number(place.map_or(0, |place| place as u64 + 1));
    let has_site = C::Number(u64::from(block.needs_site));
    let mut parts: Vec<C> =
        [kept, u64::from(awaiting.node.0), u64::from(awaiting.awaited.0)].map(C::Number).into_iter().collect();
    let wants = C::Number(context.fused.wants(id) as u64);
    match context.counting {
        Counting::ByBlock => {
            parts.extend([has_site, wants, iteration]);
            C::call("VLAD_CONTINUATION", parts)
        }
        Counting::Stoppable => {
            let place = context.places.block(context.converted, id);
            parts.push(C::Name(context.function_name(id)));
            parts.extend([u64::from(place.0), u64::from(id.0)].map(C::Number));
            parts.extend([has_site, wants, iteration]);
            C::call("VLAD_STOPPABLE_CONTINUATION", parts)
        }
    }
}

/// The frames of continuations by block.
fn frames_by_block(context: &Context<'_>) -> Item {
    let blocks = context.converted.blocks.iter().zip(0..).map(|(block, number)| {
        let id = BlockId(number);
        let head = context.regions.head(id).map(|function| context.regions.function(function).entering);
        match (block.role, head) {
            (Role::Continuation { .. }, Some(Entering::Frame)) => C::Name(context.frame_name(id)).prefix("&"),
            (Role::Continuation { .. } | Role::Entry | Role::Branch, _) => C::Number(0),
        }
    });
    let contents: Vec<C> = blocks.chain([C::Number(0)]).collect();
    Item::Object {
        storage: "static ",
        ctype: "const struct vlad_frame *const",
        name: format!("{}frames[{}]", context.prefix, contents.len()),
        contents,
    }
}
