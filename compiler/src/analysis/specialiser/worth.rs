//! The worth of specialising an item with structures of any size at its borders, which are its definitions, output and value,
//! or at those of a derivative in it.
//!
//! Such a structure is converted element by element, which takes more time than code with values as the runtime has them
//! takes to go through it once, also where it differentiates. So an item is left to that code unless it repeats: a loop or a
//! recursion is within another one.

use vlad_first_order::call_graph::{CallGraph, Calls, repeated};
use vlad_first_order::template::Template;
use vlad_first_order::{Block, FunctionTable, Recording, Statement, Unit};

/// The items whose conversions are weighed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weighing {
    /// All: other code takes the place of theirs.
    All,
    /// None: there is to be no other code.
    None,
}

/// The repetitions within each other from which on an item is worth it.
const REPEATED: u32 = 2;

/// Returns false if the structures of any size at the borders of an analysed unit cost more than its code saves.
pub fn pays(unit: &Unit, weighing: Weighing) -> bool {
    if weighing == Weighing::None {
        return true;
    }
    let has_cells = |template: &Template| !template.cells.is_empty();
    let converts = has_cells(&unit.result)
        || unit.written.iter().any(|line| has_cells(&line.template))
        || unit.inputs.iter().any(|(_, template)| has_cells(template))
        || unit.functions.iter().any(|function| has_flat_borders(&function.body));
    !converts || unit.entry.is_some_and(|entry| depths(unit)[entry] >= REPEATED)
}

/// Returns the number of statements that are neither in a loop nor in a function that may be called again and again. Whatever they
/// compute, compiling them takes longer.
pub fn statements_once(unit: &Unit) -> usize {
    let functions = unit.functions.iter().zip(repeated(unit));
    functions.filter(|(_, repeats)| !repeats).map(|(function, _)| outside_of_loops(&function.body)).sum()
}

/// The number of statements of a block but for those in loops. Blocks are nested to a bounded depth.
fn outside_of_loops(block: &Block) -> usize {
    let of_statement = |statement: &Statement| match statement {
        Statement::Bind { block, .. } => 1 + outside_of_loops(block),
        _ => 1,
    };
    let of_statements: usize = block.statements.iter().map(of_statement).sum();
    of_statements + block.end.blocks().into_iter().flatten().map(outside_of_loops).sum::<usize>()
}

/// Returns true if a unit has a loop or a recursion.
pub fn repeats(unit: &Unit) -> bool {
    unit.entry.is_some_and(|entry| depths(unit)[entry] > 0)
}

/// Returns true if reals of structures go into arrays, at the borders of derivatives: nothing else has places to store in before
/// levels are removed.
fn has_flat_borders(block: &Block) -> bool {
    block.all_statements().any(|statement| matches!(statement, Statement::Accumulators { .. }))
}

/// For each function the number of repetitions within each other that a call of it may enter.
fn depths(unit: &Unit) -> FunctionTable<u32> {
    let mut depths = FunctionTable::filled(unit.functions.len(), 0);
    // The depths of functions of the same component are 0 until all are found.
    for component in CallGraph::of(unit, Calls::All).components() {
        let inside = component.members.iter().map(|member| depth(&unit.function(*member).body, &depths));
        let all = u32::from(component.is_cycle) + inside.max().unwrap_or(0);
        component.members.iter().for_each(|member| depths[*member] = all);
    }
    depths
}

/// The same for a block. Blocks are nested to a bounded depth.
fn depth(block: &Block, depths: &FunctionTable<u32>) -> u32 {
    let of_statement = |statement: &Statement| match statement {
        Statement::Loop { body, .. } | Statement::Build { body, .. } => 1 + depth(body, depths),
        Statement::Bind { block, .. } => depth(block, depths),
        other => {
            let within = other.callee().map_or(0, |callee| depths[callee]);
            within + u32::from(within > 0 && is_executed_again(other))
        }
    };
    let of_statements = block.statements.iter().map(of_statement);
    let of_ends = block.end.blocks().into_iter().flatten().map(|block| depth(block, depths));
    of_statements.chain(of_ends).max().unwrap_or(0)
}

/// Returns true for a level that executes its loops again to record them.
fn is_executed_again(statement: &Statement) -> bool {
    matches!(statement, Statement::Reverse { recording: Recording::Checkpoints(_), .. })
}

#[cfg(test)]
mod tests {
    use super::Weighing;
    use crate::analysis::analyse;
    use crate::analysis::values::reason::Cause;
    use vlad_frontend::load::{Input, Options, load};

    /// The last item of a program is specialised, or left for the cost of conversions.
    fn is_specialised(text: &str) -> bool {
        let text =
            format!("(define (up-to n) (if (< n 1) '() (cons n (up-to (- n 1))))) (define n (read-real)) {text}");
        let input = Input::Text { name: "test".to_owned(), bytes: text.into(), folder: None };
        let program = load(input, &Options::default()).unwrap();
        assert!(analyse(&program, Weighing::None).pop().unwrap().is_ok());
        match analyse(&program, Weighing::All).pop().unwrap() {
            Ok(_) => true,
            Err(reason) => {
                assert_eq!(reason.cause, Cause::GrownOnce);
                false
            }
        }
    }

    #[test]
    fn what_is_gone_through_once_is_left() {
        assert!(!is_specialised("(up-to n)"));
        assert!(!is_specialised("(define l (up-to n)) (reduce + 0 l)"));
        assert!(is_specialised("(define l (up-to n)) (ifold (lambda (s i) (+ s (reduce + 0 l))) 0 n)"));
        let derivatives = [
            "(j* (lambda (x) (reduce (lambda (s y) (+ s (* x y))) 0 l)) 2 1)",
            "(*j (lambda (l) (reduce + 0 (map sqr l))) (up-to n) 1)",
            "(j* (lambda (x) (map (lambda (y) (* x y)) (up-to n))) 2 1)",
        ];
        for derivative in derivatives {
            assert!(!is_specialised(&format!("(define l (up-to n)) {derivative}")), "{derivative}");
            let repeated = format!("(define l (up-to n)) (ifold (lambda (s i) (+ s (car {derivative}))) 0 n)");
            assert!(is_specialised(&repeated.replace("(car (j* (lambda (x) (map", "(caar (j* (lambda (x) (map")));
        }
        assert!(is_specialised(
            "(*j (lambda (l) (reduce (lambda (s x) (reduce (lambda (s y) (+ s (* x y))) s l)) 0 l)) (up-to n) 1)"
        ));
        assert!(is_specialised("(reduce + 0 (up-to n))"));
        // What is checkpointed is executed several times.
        assert!(is_specialised(
            "(define l (up-to n)) (checkpoint-*j (lambda (x) (reduce (lambda (s y) (+ s (* x y))) 0 l)) 2 1)"
        ));
    }
}
