//! The number of arguments that functions take at once.
//!
//! A global that is written with nested parameters takes them all. A local does if every use of it has as many arguments.

use crate::typed::{Expression, ExpressionId, GlobalId, Item, LocalId, Program};
use rustc_hash::FxHashMap;

/// The greatest number of arguments that are passed at once.
const MOST: usize = 32;

/// The arities of a program's functions.
#[derive(Debug)]
pub(super) struct Arities {
    globals: Vec<usize>,
    locals: FxHashMap<LocalId, usize>,
}

impl Arities {
    /// Finds the arities.
    pub fn of(program: &Program) -> Arities {
        let globals = program.globals().iter().map(|global| parameters(program, global.value)).collect();
        let mut arities = Arities { globals, locals: FxHashMap::default() };
        let mut uses = Uses { program, fewest: FxHashMap::default(), bound: vec![] };
        for item in &program.items {
            match *item {
                Item::Define(global) => uses.visit(program.global(global).value),
                Item::Expression(id) => uses.visit(id),
            }
        }
        for (local, count) in uses.bound {
            if count >= 2 && uses.fewest.get(&local).is_none_or(|fewest| *fewest >= count) {
                arities.locals.insert(local, count);
            }
        }
        arities
    }

    /// The number of arguments that a global takes at once; 0 for one that is written as no function.
    pub fn global(&self, id: GlobalId) -> usize {
        self.globals.get(id.0 as usize).copied().unwrap_or(0)
    }

    /// The number of arguments that a local takes at once, if it is 2 or more.
    pub fn local(&self, id: LocalId) -> usize {
        self.locals.get(&id).copied().unwrap_or(0)
    }
}

/// Returns the number of nested parameters.
fn parameters(program: &Program, id: ExpressionId) -> usize {
    let (mut body, mut count) = (id, 0);
    while let Expression::Lambda { body: inner, .. } = program.expression(body) {
        count += 1;
        body = inner;
        if count == MOST {
            break;
        }
    }
    count
}

/// The uses of locals.
struct Uses<'program> {
    program: &'program Program,
    /// The fewest arguments with which a local is used.
    fewest: FxHashMap<LocalId, usize>,
    /// The locals that are bound to functions, with the number of their parameters.
    bound: Vec<(LocalId, usize)>,
}

impl Uses<'_> {
    fn visit(&mut self, root: ExpressionId) {
        // An expression with the number of arguments to which it is applied.
        let mut pending = vec![(root, 0_usize)];
        while let Some((id, arguments)) = pending.pop() {
            let expression = self.program.expression(id);
            if let Expression::Application { function, argument } = expression {
                pending.extend([(function, arguments + 1), (argument, 0)]);
                continue;
            }
            if let Expression::Local(local) = expression {
                let fewest = self.fewest.entry(local).or_insert(arguments);
                *fewest = arguments.min(*fewest);
            }
            if let Expression::Let { local, value, .. } = expression {
                self.bound.push((local, parameters(self.program, value)));
            }
            if let Expression::Ifold { function, start, count } = expression {
                // The step takes state and index.
                pending.extend([(function, 2), (start, 0), (count, 0)]);
                continue;
            }
            pending.extend(self.program.parts(id).into_iter().map(|part| (part, 0)));
        }
    }
}
