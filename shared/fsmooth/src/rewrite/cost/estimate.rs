//! Estimates of a term for given sizes: the steps that the engines count (report, part 5.4), and its work.
//!
//! ```text
//! steps (build n f) = 4 + steps n + n (1 + steps of f)        steps (let x = a in b) = 2 + steps a + steps b
//! ```
//!
//! A term is evaluated on *outlines* of values: the number of an index, the length of an array with the outline of its elements, a
//! function. One turn stands for all turns of a loop. Of two branches on an unknown condition the dearer or the cheaper one counts. A
//! branch on the index of a loop counts for as many turns as fulfil the condition.
//!
//! Work is in units of an addition ([`super::prices`]). A depth bounds recursion, and fuel bounds calls. An expression beyond these
//! bounds counts once, without the functions that it calls.

mod outline;
mod sparse;

use super::{Guards, prices};
use crate::builtins::Builtin;
use crate::rewrite::facts::one_hot;
use crate::rewrite::terms;
use crate::typed::{Expression, ExpressionId, GlobalId, Head, LocalId, Program, Types};
use outline::Outline;
use rustc_hash::FxHashMap;
use vlad_table::operations::Operation;

pub use outline::{Branches, Sizes};

/// The deepest nest of operands that is evaluated.
const DEEPEST: usize = 160;

/// The number of expressions that are evaluated at most.
const FUEL: usize = 60_000;

/// The work of a function that an operator of the engines differentiates, in evaluations of the function.
const DIFFERENTIATED: f64 = 4.0;

/// The measure of a term.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// The steps.
    pub steps: f64,
    /// The work.
    pub work: f64,
}

/// Returns the estimate of a term for some sizes.
pub fn estimate(program: &Program, guards: &Guards, sizes: &Sizes, root: ExpressionId) -> Estimate {
    let mut run = Run::new(program, guards, sizes);
    run.value(root, 1.0, DEEPEST);
    run.total
}

/// Returns true if a condition, or one of those that it is the conjunction of, is false by what is known of sizes.
pub fn is_refuted(program: &Program, guards: &Guards, sizes: &Sizes, condition: ExpressionId) -> bool {
    let is_false = |condition| {
        let outline = Run::new(program, guards, sizes).value(condition, 1.0, DEEPEST);
        matches!(outline, Outline::Chance(chance) if chance == 0.0)
    };
    let mut rest = condition;
    while let Expression::If { condition, consequent, alternative } = program.expression(rest)
        && program.expression(alternative) == Expression::Boolean(false)
    {
        if is_false(condition) {
            return true;
        }
        rest = consequent;
    }
    is_false(rest)
}

impl<'run> Run<'run> {
    fn new(program: &'run Program, guards: &'run Guards, sizes: &'run Sizes) -> Run<'run> {
        Run {
            program,
            guards,
            sizes,
            total: Estimate::default(),
            locals: FxHashMap::default(),
            globals: FxHashMap::default(),
            innermost: None,
            fuel: FUEL,
        }
    }
}

struct Run<'run> {
    program: &'run Program,
    guards: &'run Guards,
    sizes: &'run Sizes,
    total: Estimate,
    locals: FxHashMap<LocalId, Outline>,
    globals: FxHashMap<GlobalId, Outline>,
    /// The index of the innermost loop.
    innermost: Option<LocalId>,
    fuel: usize,
}

impl Run<'_> {
    fn charge(&mut self, times: f64, steps: f64, work: f64) {
        self.total.steps += times * steps;
        self.total.work += times * work;
    }

    /// Evaluates an expression that is evaluated so many times: bodies of `let`s in a loop, operands by recursion.
    fn value(&mut self, root: ExpressionId, times: f64, depth: usize) -> Outline {
        let (mut id, Some(depth)) = (root, depth.checked_sub(1)) else { return self.beyond(root, times) };
        loop {
            if self.fuel == 0 {
                return self.beyond(id, times);
            }
            self.fuel -= 1;
            let expression = self.program.expression(id);
            if let Expression::Let { local, value, body } = expression {
                self.charge(times, 2.0, 0.0);
                let value = self.value(value, times, depth);
                self.locals.insert(local, value);
                id = body;
            } else if let Expression::Widen(operand) = expression {
                id = operand;
            } else if let Expression::If { condition, consequent, alternative } = expression {
                self.charge(times, 1.0, prices::own(Head::If, 3));
                let chance = self.value(condition, times, depth);
                if !self.guards.contains(&id) {
                    return self.branch(&chance, (consequent, alternative), times, depth);
                }
                id = consequent;
            } else {
                return self.one(id, times, depth);
            }
        }
    }

    /// Evaluates an expression that is neither a `let` nor a branch.
    fn one(&mut self, id: ExpressionId, times: f64, depth: usize) -> Outline {
        let (head, parts) = self.program.apart(id);
        let is_step = terms::is_atom(self.program.expression(id));
        if is_step || matches!(head, Head::Lambda(_) | Head::Call(Builtin::Write)) {
            self.charge(times, 1.0, 0.0);
        }
        match (head, &*parts) {
            (Head::Number(bits), _) => Outline::Number(f64::from_bits(bits)),
            (Head::Boolean(value), _) => Outline::Chance(if value { 1.0 } else { 0.0 }),
            (Head::Local(local), _) => self.local(local),
            (Head::Global(global), _) => self.global(global, depth),
            (Head::Lambda(parameter), &[body]) => Outline::Function { parameter, body },
            (Head::Application, _) => self.application(id, times, depth),
            (Head::Array, listed) => self.list(listed, times, depth),
            (Head::Call(Builtin::Build), &[size, function]) => self.build((id, size, function), times, depth),
            (Head::Call(Builtin::Ifold), &[function, start, count]) => {
                self.fold((id, function, start, count), times, depth)
            }
            (Head::Call(Builtin::Write), &[operand]) => self.value(operand, times, depth),
            (Head::Call(Builtin::Forward | Builtin::Reverse(_)), &[function, point, other]) => {
                self.charge(times, 4.0, prices::CALL);
                let function = self.value(function, times, depth);
                let point = self.value(point, times, depth);
                self.value(other, times, depth);
                let before = self.total.work;
                self.call(function, &[point], times, depth);
                self.total.work = before + DIFFERENTIATED * (self.total.work - before);
                self.unknown(id)
            }
            (Head::Call(builtin), operands) if !matches!(builtin, Builtin::Derivative(_)) => {
                self.operation(id, (builtin, operands), times, depth)
            }
            (_, _) => self.beyond(id, times),
        }
    }

    /// Evaluates an operation on numbers, arrays or pairs.
    fn operation(
        &mut self,
        id: ExpressionId,
        (builtin, operands): (Builtin, &[ExpressionId]),
        times: f64,
        depth: usize,
    ) -> Outline {
        let is_index = self.program.type_of(id) == Types::INDEX;
        let is_strided = |index| prices::is_strided(self.program, self.program.expression(id), index);
        let stride = if self.innermost.is_some_and(is_strided) { prices::STRIDE } else { 0.0 };
        let steps = match (builtin, operands) {
            (Builtin::Operation(Operation::Divide), _) if is_index => 5.0,
            (Builtin::Pair, _) => 1.0,
            (_, [_]) => 2.0,
            (_, _) => 3.0,
        };
        self.charge(times, steps, prices::own(Head::Call(builtin), operands.len()) + stride);
        let operands: Vec<Outline> = operands.iter().map(|part| self.value(*part, times, depth)).collect();
        let known = match (builtin, &*operands) {
            (Builtin::Get, [Outline::Array { element, .. }, _]) => Some((**element).clone()),
            (Builtin::Length, [Outline::Array { length, .. }]) => Some(Outline::Number(*length)),
            (Builtin::OfLength, [array, _]) => Some(array.clone()),
            (Builtin::Pair, [first, second]) => Some(Outline::pair(first.clone(), second.clone())),
            (Builtin::First, [Outline::Pair(part, _)]) | (Builtin::Second, [Outline::Pair(_, part)]) => {
                Some((**part).clone())
            }
            (Builtin::Operation(operation), [first, second]) if is_index => {
                outline::arithmetic(operation, first, second)
            }
            (Builtin::Compare(comparison), [first, second]) => Some(outline::chance(comparison, first, second)),
            (Builtin::Not, [Outline::Chance(chance)]) => Some(Outline::Chance(1.0 - chance)),
            (_, _) => None,
        };
        known.unwrap_or_else(|| self.unknown(id))
    }

    /// Evaluates the elements of an array that are written one by one.
    fn list(&mut self, listed: &[ExpressionId], times: f64, depth: usize) -> Outline {
        let own = prices::own(Head::Array, listed.len());
        let is_constant =
            |id: &ExpressionId| matches!(self.program.expression(*id), Expression::Number(_) | Expression::Boolean(_));
        let length = listed.len() as f64;
        if listed.iter().all(is_constant) {
            self.charge(times, 1.0, own);
            let element = listed.first().map(|first| self.unknown(*first));
            return Outline::array(length, element.unwrap_or(Outline::Unknown));
        }
        self.charge(times, 3.0 + length, own);
        let mut first = None;
        for element in listed {
            let outline = self.value(*element, times, depth);
            first.get_or_insert(outline);
        }
        Outline::array(length, first.unwrap_or(Outline::Unknown))
    }

    fn unknown(&self, id: ExpressionId) -> Outline {
        Outline::of_type(self.program, self.program.type_of(id), self.sizes.common)
    }

    fn local(&mut self, local: LocalId) -> Outline {
        if let Some(outline) = self.locals.get(&local) {
            return outline.clone();
        }
        let type_id = self.program.local(local).type_id;
        let outline = Outline::of_type(self.program, type_id, self.sizes.of(local));
        self.locals.insert(local, outline.clone());
        outline
    }

    /// Returns the outline of a global, which is evaluated elsewhere.
    fn global(&mut self, global: GlobalId, depth: usize) -> Outline {
        if let Some(outline) = self.globals.get(&global) {
            return outline.clone();
        }
        let (before, innermost) = (self.total, self.innermost.take());
        let outline = self.value(self.program.global(global).value, 0.0, depth);
        (self.total, self.innermost) = (before, innermost);
        self.globals.insert(global, outline.clone());
        outline
    }

    /// Evaluates the branches for the outline of their condition.
    fn branch(
        &mut self,
        condition: &Outline,
        (consequent, alternative): (ExpressionId, ExpressionId),
        times: f64,
        depth: usize,
    ) -> Outline {
        let Outline::Chance(chance) = *condition else {
            let before = self.total;
            let one = self.value(consequent, times, depth);
            let first = std::mem::replace(&mut self.total, before);
            let other = self.value(alternative, times, depth);
            let is_first_dearer = first.steps + first.work > self.total.steps + self.total.work;
            if is_first_dearer == (self.sizes.branches == Branches::Dearer) {
                self.total = first;
            }
            let is_data = |outline: &Outline| !matches!(outline, Outline::Unknown | Outline::Chance(_));
            return [one, other].into_iter().find(is_data).unwrap_or(Outline::Unknown);
        };
        let one = (chance > 0.0).then(|| self.value(consequent, times * chance, depth));
        let other = (chance < 1.0).then(|| self.value(alternative, times * (1.0 - chance), depth));
        if let (Some(Outline::Chance(one)), Some(Outline::Chance(other))) = (&one, &other) {
            return Outline::Chance(one * chance + other * (1.0 - chance));
        }
        one.or(other).unwrap_or(Outline::Unknown)
    }

    fn application(&mut self, id: ExpressionId, times: f64, depth: usize) -> Outline {
        let (mut head, mut arguments) = (id, vec![]);
        while let Expression::Application { function, argument } = self.program.expression(head) {
            arguments.push(argument);
            head = function;
        }
        arguments.reverse();
        let function = self.value(head, times, depth);
        let arguments: Vec<Outline> =
            arguments.into_iter().map(|argument| self.value(argument, times, depth)).collect();
        // The application and the pairs of its tuple.
        self.charge(times, arguments.len() as f64, 1.0);
        let outline = self.call(function, &arguments, times, depth);
        if matches!(outline, Outline::Unknown) { self.unknown(id) } else { outline }
    }

    fn call(&mut self, function: Outline, arguments: &[Outline], times: f64, depth: usize) -> Outline {
        let mut function = function;
        for (place, argument) in arguments.iter().enumerate() {
            let Outline::Function { parameter, body } = function else {
                self.charge(times, 0.0, prices::CALL);
                return Outline::Unknown;
            };
            self.locals.insert(parameter, argument.clone());
            // Functions of several parameters take them at once.
            function = if let Expression::Lambda { parameter, body } = self.program.expression(body)
                && place + 1 < arguments.len()
            {
                Outline::Function { parameter, body }
            } else {
                self.value(body, times, depth)
            };
        }
        function
    }

    fn build(
        &mut self,
        (id, size, function): (ExpressionId, ExpressionId, ExpressionId),
        times: f64,
        depth: usize,
    ) -> Outline {
        let count = self.value(size, times, depth).number().unwrap_or(self.sizes.common).max(0.0);
        self.charge(times, 3.0 + count, prices::own(Head::Call(Builtin::Build), 2));
        let index = Outline::Turn { count };
        if let Expression::Lambda { parameter, body } = self.program.expression(function)
            && one_hot::is_sparse(self.program, parameter, body)
        {
            self.charge(times, 1.0, 0.0);
            self.locals.insert(parameter, index);
            let outer = self.innermost.replace(parameter);
            self.sparse_element(body, &[parameter], times * count, depth);
            self.innermost = outer;
            return Outline::array(count, Outline::Unknown);
        }
        self.charge(times * count, 0.0, prices::WRITE);
        let function = self.value(function, times, depth);
        let element = self.turn(id, function, &[index], times * count, depth);
        if let Outline::Unknown | Outline::Chance(_) = element
            && let Outline::Array { element, .. } = self.unknown(id)
        {
            return Outline::Array { length: count, element };
        }
        Outline::array(count, element)
    }

    fn fold(
        &mut self,
        (id, function, start, count): (ExpressionId, ExpressionId, ExpressionId, ExpressionId),
        times: f64,
        depth: usize,
    ) -> Outline {
        let function = self.value(function, times, depth);
        let start = self.value(start, times, depth);
        let count = self.value(count, times, depth).number().unwrap_or(self.sizes.common).max(0.0);
        self.charge(times, 4.0 + count, prices::own(Head::Call(Builtin::Ifold), 3));
        let index = Outline::Turn { count };
        // A number that is the first state is not that of the others.
        let is_data = |outline: &Outline| matches!(outline, Outline::Array { .. } | Outline::Pair(..));
        let start = if is_data(&start) { start } else { self.unknown(id) };
        let last = self.turn(id, function, &[start.clone(), index], times * count, depth);
        [last, start].into_iter().find(is_data).unwrap_or_else(|| self.unknown(id))
    }

    /// Evaluates one turn of a loop for all of them.
    fn turn(
        &mut self,
        id: ExpressionId,
        function: Outline,
        arguments: &[Outline],
        times: f64,
        depth: usize,
    ) -> Outline {
        let outer = self.innermost;
        self.innermost = self.program.as_loop(id).map(|(index, _)| index).or(outer);
        let outline = self.call(function, arguments, times, depth);
        self.innermost = outer;
        outline
    }

    /// Counts what is not evaluated: each expression once.
    fn beyond(&mut self, root: ExpressionId, times: f64) -> Outline {
        let (mut steps, mut work) = (0.0, 0.0);
        self.program.walk(root, |id, head| {
            steps += 2.0;
            work += prices::own(head, self.program.parts(id).len());
            true
        });
        self.charge(times, steps, work);
        self.unknown(root)
    }
}
