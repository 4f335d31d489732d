//! The points of a stoppable program: where its functions stop and go on, step by step.
//!
//! In the stepwise form of a function each row of steps between which nothing happens tests whether there is fuel for it.
//! If there is not, it leaves what is alive there above the stack - variables in ascending order, the slots as a
//! procedure if they are needed, the site in code of the prelude - and returns to the driver with the point of the step that
//! could not be taken. To go on from a point its function takes all that back and jumps to the row, which takes the fuel
//! for all of its steps; so for those before the point it has been given as much more.
//!
//! A point keeps exactly what the rest of the activation needs: it is what a capsule is made of.

use super::context::Context;
use super::definitions;
use super::function::{Body, drop_slots};
use super::regions::Entering;
use crate::c::{Expression as C, Infix, Item, Statement};
use crate::foreign::Counting;
use vlad_shared::core::ExpressionId;
use vlad_shared::cps::liveness::{alive_before, needs_slots_from};
use vlad_shared::cps::{BlockId, Role, Variable};
use vlad_shared::pending::Awaiting;

/// What describes a point.
#[derive(Clone, Debug)]
pub struct Point {
    /// The node that is entered next.
    pub node: ExpressionId,
    /// The C function that it stands in.
    pub stepwise: String,
    /// The block that it stands in.
    pub block: BlockId,
    /// Its place there.
    pub instruction: usize,
    /// How many values its frame has.
    pub values: u64,
    /// The number of its row in the function.
    pub label: u64,
    /// How many steps of its row come before it.
    pub offset: u64,
    /// Whether the last of the values is the site.
    pub has_site: bool,
}

/// A row of steps: what its points keep.
#[derive(Clone, Debug)]
pub struct Row {
    variables: Vec<Variable>,
    has_slots: bool,
    has_site: bool,
    block: BlockId,
}

impl Row {
    fn values(&self) -> u64 {
        self.variables.len() as u64 + u64::from(self.has_slots) + u64::from(self.has_site)
    }
}

/// The point of a node, known here or to the program.
pub fn point_at(context: &Context<'_>, node: C) -> C {
    C::Index(Box::new(C::Name(context.points_name())), Box::new(node)).prefix("&")
}

impl Body<'_, '_> {
    /// The steps from a place of a block on, all at once if there is fuel for all.
    pub fn row(&mut self, id: BlockId, place: usize, nodes: &[ExpressionId]) {
        let block = self.block(id);
        let row = Row {
            variables: alive_before(block, place),
            has_slots: self.keeps_slots(id) && needs_slots_from(self.context.converted, block, place),
            has_site: self.has_site(),
            block: id,
        };
        let label = self.rows.len() as u64;
        self.points.extend(nodes.iter().enumerate().map(|(offset, node)| Point {
            node: *node,
            stepwise: self.context.stepwise_name(self.number),
            block: id,
            instruction: place + offset,
            values: row.values(),
            label,
            offset: offset as u64,
            has_site: row.has_site,
        }));
        self.put(Statement::Label(point_label(label)));
        let stop = self.nested(|body| body.stop_in(&row, nodes));
        let count = C::Number(nodes.len() as u64);
        self.put(Statement::when(C::name("fuel").infix(Infix::Less, count.clone()).unlikely(), stop));
        self.put(Statement::Subtract(C::name("fuel"), count));
        self.rows.push(row);
    }

    /// Stops within a row: as many steps are taken as there is fuel.
    fn stop_in(&mut self, row: &Row, nodes: &[ExpressionId]) {
        let numbers: Vec<C> = nodes.iter().map(|node| C::Number(u64::from(node.0))).collect();
        let node = match numbers.as_slice() {
            [node] => node.clone(),
            _ => {
                let (ctype, name) = ("static const uint32_t", "nodes[]".to_owned());
                self.put(Statement::Define { ctype, name, value: C::Braces(numbers) });
                C::Index(Box::new(C::name("nodes")), Box::new(C::name("fuel")))
            }
        };
        if self.keeps_slots(row.block) && !row.has_slots {
            self.put(drop_slots());
        }
        self.make_room(row.values() + 1);
        let mut values: Vec<C> = row.variables.iter().map(|variable| self.variable(*variable)).collect();
        if row.has_slots {
            let code = self.activation.lambda.map_or(0, |lambda| u64::from(lambda.0));
            values.push(C::call("vlad_procedure", [C::Number(code), C::name("slots")]));
        }
        if row.has_site {
            values.push(C::call("vlad_raw", [C::name("site")]));
        }
        for (place, value) in values.into_iter().enumerate() {
            self.put(Statement::Assign(C::name("top").at(place as u64), value));
        }
        let point = point_at(self.context, node);
        self.put(Statement::Return(C::service("suspend", [C::name("top"), point])));
    }

    /// Goes on from a point, if there is one.
    pub fn go_on_from_points(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        let cases = rows.iter().zip(0..).map(|(row, label)| self.nested(|body| body.go_on_in(row, label))).collect();
        let kept = C::name("point").arrow("values").infix(Infix::Add, C::Number(1));
        let choose = Statement::Choose { value: C::name("point").arrow("label"), cases };
        self.put(Statement::when(C::name("point"), vec![Statement::Subtract(C::name("top"), kept), choose]));
    }

    fn go_on_in(&mut self, row: &Row, label: u64) {
        for (place, variable) in row.variables.iter().enumerate() {
            self.assign(*variable, C::name("top").at(place as u64));
        }
        let mut place = row.variables.len() as u64;
        if row.has_slots {
            let slots = C::call("vlad_as_slots", [C::name("top").at(place)]);
            self.put(Statement::Assign(C::name("slots"), slots));
            place += 1;
        }
        if row.has_site {
            self.take_site(place);
        }
        self.put_home(row);
        self.put(Statement::Goto(point_label(label)));
    }

    /// In a chunk: what earlier chunks have left for later ones goes where they look for it.
    fn put_home(&mut self, row: &Row) {
        let Entering::Chunk(chunk) = self.function.entering else { return };
        let homes = self.homes(row.block);
        let places = homes.of.len() as u64;
        let needs_site = self.block(row.block).needs_site;
        if places + u64::from(needs_site) > 0 {
            self.make_room(places + u64::from(needs_site));
        }
        for variable in &row.variables {
            let is_left = homes.stored.iter().take(chunk).any(|stored| stored.contains(variable));
            if let (true, Some(place)) = (is_left, homes.of.get(variable)) {
                let value = self.variable(*variable);
                self.put(Statement::Assign(C::name("top").at(*place), value));
            }
        }
        if needs_site {
            self.put(Statement::Assign(C::name("top").at(places), C::call("vlad_raw", [C::name("site")])));
        }
    }

    /// What is alive where a function begins that is a chunk.
    pub fn alive_at_start(&self, block: BlockId) -> Vec<Variable> {
        let start = self.function.pieces.first().map_or(0, |piece| piece.instructions.start);
        alive_before(self.block(block), start)
    }
}

fn point_label(label: u64) -> String {
    format!("point{label}")
}

/// The tables of a stoppable program: what describes its functions in their two forms, and its points by node. They stand
/// before the functions.
pub fn tables(context: &Context<'_>, points: &[Point]) -> Vec<Item> {
    let functions = 0..context.regions.functions.len();
    let of_functions = functions.filter(|number| context.has_stepwise(*number)).map(|number| {
        let steps = context.regions.function(number).most_steps;
        entry(context.entry_name(number), context.name_of(number), context.stepwise_name(number), steps)
    });
    let of_definitions = definitions::are_there(context).then(|| {
        let (name, stepwise) = (definitions::name(context), definitions::stepwise_name(context));
        entry(definitions::entry_name(context), name, stepwise, 1)
    });
    let mut items: Vec<Item> = of_functions.chain(of_definitions).collect();
    let mut by_node = vec![C::Braces(vec![C::Number(0)]); context.program.expressions.len().max(1)];
    for point in points {
        if let Some(place) = by_node.get_mut(point.node.0 as usize) {
            *place = described(context, point);
        }
    }
    items.push(Item::Object {
        storage: "static ",
        ctype: "const struct vlad_frame",
        name: format!("{}[{}]", context.points_name(), by_node.len()),
        contents: by_node,
    });
    items.push(frames_by_block(context));
    items
}

fn entry(name: String, at_once: String, stepwise: String, most_steps: u64) -> Item {
    Item::Object {
        storage: "static ",
        ctype: "const struct vlad_entry",
        name,
        contents: vec![C::Name(at_once), C::Name(stepwise), C::Number(most_steps)],
    }
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
        C::Name(point.stepwise.clone()),
        number(u64::from(class.0)),
        number(u64::from(point.block.0)),
        number(point.instruction as u64),
        number(point.label),
        number(point.offset),
        number(u64::from(point.has_site)),
    ];
    C::Braces(vec![C::call("VLAD_POINT", parts)])
}

/// What the description of a continuation's frame holds: for the pending calls of errors, and in a stoppable program for
/// going on with it.
pub fn continuation(context: &Context<'_>, id: BlockId, awaiting: Awaiting) -> C {
    let kept = super::ends::frame_values(context, id);
    let mut parts: Vec<C> =
        [kept, u64::from(awaiting.node.0), u64::from(awaiting.awaited.0)].map(C::Number).into_iter().collect();
    let wants = C::Number(context.fused.wants(id) as u64);
    match context.counting {
        Counting::ByBlock => {
            parts.push(wants);
            C::call("VLAD_CONTINUATION", parts)
        }
        Counting::Stoppable => {
            let place = context.places.block(context.converted, id);
            parts.push(C::Name(context.function_name(id)));
            parts.extend([u64::from(place.0), u64::from(id.0)].map(C::Number));
            parts.push(C::Number(u64::from(context.converted.block(id).needs_site)));
            parts.push(wants);
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
