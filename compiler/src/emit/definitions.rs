//! The definitions of procedures: all of them have one function, which finds in a table what it defines.
//!
//! Such an item takes one step, that of its lambda, and gives a procedure without slots. A function for each would cost the
//! C compiler as much as the procedures themselves.

use super::block_head;
use super::context::Context;
use super::function::Body;
use crate::c::{Expression as C, Infix, Item, Statement};
use crate::foreign::Counting;

/// The function of all definitions.
pub fn name(context: &Context<'_>) -> String {
    format!("{}define", context.prefix)
}

/// The table and the function; nothing if there is no such item.
pub fn definitions(context: &Context<'_>) -> Vec<Item> {
    let lambdas: Vec<Option<u64>> = context
        .converted
        .items
        .iter()
        .map(|item| context.definition(*item).map(|lambda| u64::from(lambda.0)))
        .collect();
    if lambdas.iter().all(Option::is_none) {
        return Vec::new();
    }
    let table = format!("{}defined", context.prefix);
    let defined = C::Index(Box::new(C::Name(table.clone())), Box::new(C::name("x").dot("word")));
    let mut body = vec![Statement::Comment("definitions of procedures".to_owned())];
    body.push(match context.counting {
        Counting::ByBlock => {
            let registers = ["top", "fuel", "slots", "x"].map(C::name).into_iter().chain([C::Name(name(context))]);
            let test = C::name("fuel").infix(Infix::Less, C::Number(1));
            Statement::when(test.unlikely(), vec![Statement::Return(C::service("pause", registers))])
        }
        Counting::ByNode => {
            let place = [C::name("top"), C::name("fuel"), C::machine("call_node"), C::machine("site")];
            let stop = Statement::Return(C::service("stop", place));
            let test = C::name("fuel").infix(Infix::Equal, C::Number(0));
            Statement::when(test.unlikely(), vec![Body::fault_of("VLAD_FAULT_STEPS"), stop])
        }
    });
    body.push(Statement::Subtract(C::name("fuel"), C::Number(1)));
    let procedure = C::call("vlad_procedure", [defined, C::Number(0)]);
    let operands = [C::name("m"), C::name("top"), C::name("fuel"), procedure];
    body.push(Statement::Evaluate(C::call("VLAD_RETURN", operands)));
    let contents = lambdas.into_iter().map(|lambda| C::Number(lambda.unwrap_or_default())).collect();
    let object = Item::Object { storage: "static ", ctype: "const uint32_t", name: format!("{table}[]"), contents };
    vec![object, Item::Function { head: block_head("static ", name(context)), body }]
}
