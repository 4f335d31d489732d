//! Definitions of procedures: top-level items that only define a procedure share one C function and a table of lambdas.
//!
//! Such an item takes one step for its lambda, and its value is a procedure without captured slots. A function for each
//! item would cost the C compiler as much as the procedures themselves. In a stoppable program the function has a
//! stepwise form like any other; the label of a stop point is the number of its item.

use super::context::Context;
use super::heads::{block_head, stepwise_head};
use super::points::{Point, entry_object, point_at};
use crate::c::{Expression as C, Infix, Item, Statement};
use crate::foreign::Counting;

/// The name of the function of all definitions.
pub fn name(context: &Context<'_>) -> String {
    format!("{}define", context.unit.prefix)
}

/// The name of its stepwise form.
pub fn stepwise_name(context: &Context<'_>) -> String {
    format!("{}step_define", context.unit.prefix)
}

/// The name of the descriptor of its two forms.
pub fn entry_name(context: &Context<'_>) -> String {
    format!("{}entry_define", context.unit.prefix)
}

fn table(context: &Context<'_>) -> String {
    format!("{}defined", context.unit.prefix)
}

/// Returns true if the program has definitions of procedures.
pub fn are_there(context: &Context<'_>) -> bool {
    context.unit.converted.items.iter().any(|item| context.unit.definition(*item).is_some())
}

/// The prototypes of the two forms, for the tables before them that refer to them.
pub fn prototypes(context: &Context<'_>) -> Vec<Item> {
    if !are_there(context) {
        return Vec::new();
    }
    let heads = [block_head("static ", name(context)), stepwise_head("static VLAD_COLD ", stepwise_name(context))];
    heads.map(Item::Prototype).into()
}

/// The descriptor of the two forms; no variable is alive at their stop points.
pub fn entry(context: &Context<'_>) -> Item {
    let forms = [C::Name(name(context)), C::Name(stepwise_name(context))];
    entry_object(entry_name(context), forms.into_iter().chain([1, 0, 0, 0].map(C::Number)).collect())
}

/// The table and the function, in one or two forms; nothing if the program has no such item.
pub fn definitions(context: &Context<'_>) -> Vec<Item> {
    let lambdas: Vec<Option<u64>> = context
        .unit
        .converted
        .items
        .iter()
        .map(|item| context.unit.definition(*item).map(|lambda| u64::from(lambda.0)))
        .collect();
    if lambdas.iter().all(Option::is_none) {
        return Vec::new();
    }
    let contents = lambdas.iter().map(|lambda| C::Number(lambda.unwrap_or_default())).collect();
    let object = Item::Object { storage: "static ", ctype: "const uint32_t", name: table(context) + "[]", contents };
    let registers = ["top", "fuel", "slots", "x"].map(C::name);
    let test = || C::name("fuel").infix(Infix::Less, C::Number(1)).unlikely();
    let (service, goes_on) = match context.unit.counting {
        Counting::ByBlock => ("pause", C::Name(name(context))),
        Counting::Stoppable => ("run_short", C::Name(entry_name(context)).prefix("&")),
    };
    let ask = Statement::Return(C::service(service, registers.into_iter().chain([goes_on])));
    let comment = Statement::Comment("definitions of procedures".to_owned());
    let body = [comment.clone(), Statement::when(test(), vec![ask])].into_iter().chain(define(context)).collect();
    let mut items = vec![object, Item::Function { head: block_head("static ", name(context)), body }];
    if context.unit.counting == Counting::Stoppable {
        let point = || C::name("point");
        let go_on = vec![Statement::Assign(C::name("x"), C::call("vlad_raw", [point().arrow("label")]))];
        let node = C::Choice(Box::new(point()), Box::new(point().arrow("node")), Box::new(C::machine("call_node")));
        let operands = [C::name("top"), C::Number(0), C::Number(0), point_at(context, node)];
        let stop = vec![Statement::Return(C::service("suspend", operands))];
        let body = [comment, Statement::when(point(), go_on), Statement::when(test(), stop)];
        let body = body.into_iter().chain(define(context)).collect();
        items.push(Item::Function { head: stepwise_head("static VLAD_COLD ", stepwise_name(context)), body });
    }
    items
}

/// The definition itself, executed when there is fuel for its step.
fn define(context: &Context<'_>) -> [Statement; 2] {
    let defined = C::Index(Box::new(C::Name(table(context))), Box::new(C::name("x").dot("word")));
    let procedure = C::call("vlad_procedure", [defined, C::Number(0)]);
    let operands = [C::name("m"), C::name("top"), C::name("fuel"), procedure];
    [Statement::Subtract(C::name("fuel"), C::Number(1)), Statement::Evaluate(C::call("VLAD_RETURN", operands))]
}

/// The stop points of the definitions, one for each.
pub fn points(context: &Context<'_>) -> Vec<Point> {
    let items = context.unit.converted.items.iter().enumerate();
    let of_items = items.filter(|(_, item)| context.unit.definition(**item).is_some()).filter_map(|(number, item)| {
        Some(Point {
            node: context.unit.top_of(*item)?,
            entry: entry_name(context),
            block: context.unit.converted.activation(*item).entry,
            instruction: 0,
            values: 0,
            label: number as u64,
            offset: 0,
            has_site: false,
            has_slots: false,
        })
    });
    of_items.collect()
}
