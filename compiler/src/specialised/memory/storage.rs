//! The statements of storage code in C; among them the release of memory ([`vlad_first_order::storage::releases`]).

use super::on_arrays::turns;
use crate::c::{Expression as C, Infix, Statement as S};
use crate::specialised::function::{Body, Tail, name, operand};
use crate::specialised::scope::{ctype, variable_name};
use vlad_first_order::counted_loops::natural;
use vlad_first_order::storage::memory::LEAST_RELEASED;
use vlad_first_order::{Block, Kind, Operand, Variable};
use vlad_first_order::{IntegerOperation, Listed, Order, Storage};
use vlad_table::internal_bug;

/// Values that the runtime moves: their variables afterwards, and the array of C in which they are.
struct Moved {
    targets: Vec<Variable>,
    array: String,
}

impl Moved {
    /// The array, and the number of its elements.
    fn operands(&self) -> [C; 2] {
        let array = if self.targets.is_empty() { C::Number(0) } else { C::name(&self.array) };
        [array, C::Number(self.targets.len() as u64)]
    }

    /// Defines the array of some values.
    fn define(&self, kind: &'static str, values: Vec<C>, out: &mut Vec<S>) {
        if !self.targets.is_empty() {
            let name = format!("{}[{}]", self.array, self.targets.len());
            out.push(S::Define { ctype: kind.into(), name, value: C::Braces(values) });
        }
    }

    /// The variables, and their new values.
    fn values(&self) -> impl Iterator<Item = (Variable, C)> + '_ {
        self.targets.iter().copied().zip((0..).map(|place| C::name(&self.array).at(place)))
    }
}

impl<'unit> Body<'unit> {
    /// A statement of storage code.
    pub fn storage(&self, statement: &'unit Storage<Block>, out: &mut Vec<S>) {
        match statement {
            Storage::Integer { target, operation, operands } => {
                self.define(*target, self.integer_operation(*operation, operands), out);
            }
            Storage::For { targets, variables, initial, end, listed, order, body } => {
                self.each((targets, variables), (initial, *end, listed.as_ref()), (*order, body), out);
            }
            Storage::Allocate { target, length, place } => self.allocate(*target, self.integer(*length), place, out),
            Storage::BeginRows { rows, result, counts, content } => {
                self.begin_rows(*rows, *result, *counts, *content, out);
            }
            Storage::Fill { array, behind: None } => {
                out.push(S::Evaluate(C::call("vlad_set_zeros", [operand(*array)])));
            }
            Storage::Fill { array, behind: Some((result, [row, rows])) } => {
                let (row, rows) = (self.integer(*row), self.integer(*rows));
                let operands = [C::name("m"), C::Number(*result as u64), row, rows, operand(*array)];
                out.push(S::Evaluate(C::call("vlad_set_zeros_from", operands)));
            }
            Storage::Part { target, range } => {
                self.define(*target, C::call("vlad_part", range.map(|bound| self.integer(bound))), out);
            }
            Storage::Apart { targets, values } => {
                for (target, value) in targets.iter().zip(values) {
                    self.define(*target, C::call("vlad_apart", [operand(*value)]), out);
                }
            }
            Storage::SineAndCosine { targets: [sine, cosine], angle } => {
                let (ctype, name) = ("struct vlad_sine_and_cosine".into(), format!("both{}", sine.0));
                let value = C::call("vlad_sine_and_cosine", [C::name("m"), operand(*angle)]);
                out.push(S::Define { ctype, name: name.clone(), value });
                self.define(*sine, C::name(&name).dot("sine"), out);
                self.define(*cosine, C::Name(name).dot("cosine"), out);
            }
            Storage::Turns { count } => out.push(match natural(*count) {
                Some(1.0) => S::Evaluate(C::call("VLAD_TURN", ["m", "turns"].map(C::name))),
                _ => turns(self.integer(*count)),
            }),
            Storage::CountEach { steps, times } => {
                out.push(S::Add(self.counter(), self.integer(*times).infix(Infix::Multiply, C::Number(*steps))));
            }
            Storage::Mark { target } => self.define(*target, C::call("vlad_arrays_mark", [C::name("m")]), out),
            Storage::Keep { targets, mark, limit, values } => self.keep(targets, (*mark, *limit), values, out),
        }
    }

    /// The value of an operation on integers.
    fn integer_operation(&self, operation: IntegerOperation, operands: &[Operand]) -> C {
        use IntegerOperation as O;
        let integer = |place: usize| match operands.get(place) {
            Some(operand) => self.integer(*operand),
            None => internal_bug!("an operation on integers has its operands"),
        };
        let plain = |place: usize| match operands.get(place) {
            Some(value) => operand(*value),
            None => internal_bug!("an operation on integers has its operands"),
        };
        let signed = |place: usize| C::call("vlad_signed", [integer(place)]);
        let unsigned = |whole: C| C::call("vlad_unsigned", [whole]);
        match operation {
            O::Add => integer(0).infix(Infix::Add, integer(1)),
            O::Subtract => integer(0).infix(Infix::Subtract, integer(1)),
            O::Multiply => integer(0).infix(Infix::Multiply, integer(1)),
            O::Choose => plain(0).choice(integer(1), integer(2)),
            O::Solve(inverse, twos) => C::call("vlad_solved", [signed(0), C::Bits(inverse), C::Number(twos.into())]),
            O::Whole => integer(0),
            O::Bound => C::call("vlad_bound", [plain(0)]),
            O::NotNegative => C::call("vlad_whole_bound", [signed(0)]),
            O::Moderate => unsigned(C::call("vlad_moderate", [plain(0)])),
            O::ModerateInteger => unsigned(C::call("vlad_moderate_whole", [signed(0)])),
            O::Remainder => C::call("vlad_remainder", [signed(0), signed(1)]),
            O::RealOfRemainder => C::call("vlad_real_of_remainder", [integer(0)]),
            O::Bits => C::call("vlad_bits_of", [plain(0)]),
            O::Periods => C::call("vlad_periods", [0, 1, 2, 3].map(integer)),
            O::Equals => C::call("vlad_real_of", [integer(0)]).infix(Infix::Equal, plain(1)),
            O::Same => integer(0).infix(Infix::Equal, integer(1)),
            O::Real => C::call("vlad_real_of", [integer(0)]),
            O::Below => integer(0).infix(Infix::Less, integer(1)),
            O::NotBelow => integer(0).infix(Infix::NotLess, integer(1)),
            O::Less => signed(0).infix(Infix::Less, signed(1)),
            O::Not => plain(0).prefix("!"),
            O::Both => plain(0).infix(Infix::And, plain(1)),
            O::Likely => C::call("VLAD_LIKELY", [plain(0)]),
        }
    }

    /// A loop over a range, or over listed indices.
    fn each(
        &self,
        (targets, variables): (&'unit [Variable], &'unit [Variable]),
        (initial, end, listed): (&[Operand], Operand, Option<&Listed>),
        (order, body): (Order, &'unit Block),
        out: &mut Vec<S>,
    ) {
        let (Some((index, state)), Some((from, first))) = (variables.split_first(), initial.split_first()) else {
            internal_bug!("a loop over a range has an index")
        };
        for (variable, value) in state.iter().zip(first) {
            self.define(*variable, self.value(*value, self.kind(*variable)), out);
        }
        let (mut inside, mut statements, mut to, mut place) =
            (Vec::new(), Vec::new(), self.integer(end), variable_name(*index));
        if let Some((test, items)) = listed {
            let (list, most) = (format!("places{}", index.0), format!("most{}", index.0));
            place = format!("turn{}", index.0);
            let number = operand(*test).choice(C::Number(items.len() as u64), to);
            let items = items.iter().map(|item| self.integer(*item)).collect();
            inside.push(S::Define { ctype: "uint64_t".into(), name: format!("{list}[]"), value: C::Braces(items) });
            inside.push(S::integer(most.clone(), number));
            let item = C::Index(Box::new(C::Name(list)), Box::new(C::name(&place)));
            self.define(*index, operand(*test).choice(item, C::name(&place)), &mut statements);
            to = C::Name(most);
        }
        self.block(body, Tail::For { state }, &mut statements);
        let sum = state.first().map(|sum| variable_name(*sum));
        inside.push(match order {
            Order::Parallel => S::Elementwise { index: place, from: self.integer(*from), to, sum, statements },
            Order::Sequential | Order::Unrolled => {
                let header = if order == Order::Unrolled { Some("VLAD_UNROLLED") } else { None };
                S::For { header, index: place, from: self.integer(*from), to, statements }
            }
        });
        match listed {
            Some(_) => out.push(S::Scope(inside)),
            None => out.extend(inside),
        }
        for (target, variable) in targets.iter().zip(state) {
            self.define(*target, name(*variable), out);
        }
    }

    /// Releases what has been allocated since a mark if it is more than a limit, but for some arrays and cells.
    pub fn keep(
        &self,
        targets: &[Variable],
        (mark, limit): (Operand, Option<Operand>),
        values: &[Operand],
        out: &mut Vec<S>,
    ) {
        let Some(first) = targets.first() else {
            return out.push(S::Evaluate(C::call("vlad_release_arrays", [C::name("m"), operand(mark)])));
        };
        let (next, targets) = targets.split_at(usize::from(limit.is_some()));
        let limit = limit.map_or(C::Number(LEAST_RELEASED as u64), |limit| self.integer(limit));
        let are_cells = |target: &Variable| self.kind(*target) == Kind::Cell;
        let (cells, arrays) = targets.iter().copied().partition(are_cells);
        let arrays = Moved { targets: arrays, array: format!("kept{}", first.0) };
        let cells = Moved { targets: cells, array: format!("cells{}", first.0) };
        match next.first() {
            next if !cells.targets.is_empty() => {
                if let Some(next) = next {
                    self.define(*next, limit, out);
                }
                for (target, value) in targets.iter().zip(values) {
                    self.define(*target, operand(*value), out);
                }
                self.move_cells(operand(mark), next.copied(), [&arrays, &cells], out);
            }
            next => {
                arrays.define(ctype(Kind::REALS), values.iter().copied().map(operand).collect(), out);
                let [roots, count] = arrays.operands();
                let operands = [C::name("m"), operand(mark), limit, roots, self.kinds_of(&arrays), count];
                let call = C::call("vlad_keep_arrays", operands);
                match next {
                    Some(next) => self.define(*next, call, out),
                    None => out.push(S::Evaluate(call)),
                }
                for (target, value) in arrays.values() {
                    self.define(target, value, out);
                }
            }
        }
    }

    /// Moves arrays and cells to a mark if more than a limit has been allocated since: the state of a loop, with the variable of its
    /// limit, which it replaces, or the results of a call. Cells are rarely moved, and their variables need no memory otherwise.
    fn move_cells(&self, mark: C, limit: Option<Variable>, [arrays, cells]: [&Moved; 2], out: &mut Vec<S>) {
        let mut then = Vec::new();
        for moved in [arrays, cells] {
            let kind = moved.targets.first().map_or(Kind::Cell, |target| self.kind(*target));
            moved.define(ctype(kind), moved.targets.iter().copied().map(name).collect(), &mut then);
        }
        let ([roots, count], kinds) = (arrays.operands(), self.kinds_of(arrays));
        let operands = [C::name("m"), mark.clone()].into_iter().chain(limit.map(name));
        let operands: Vec<C> = operands.chain([roots, kinds, count]).chain(cells.operands()).collect();
        then.push(match limit {
            Some(limit) => S::Assign(name(limit), C::call("vlad_keep_state", operands)),
            None => S::Evaluate(C::call("vlad_keep_results", operands)),
        });
        let new = arrays.values().chain(cells.values());
        then.extend(new.map(|(target, value)| S::Assign(name(target), value)));
        let limit = limit.map_or(C::Number(LEAST_RELEASED as u64), name);
        let test = C::call("vlad_exceeds", [C::name("m"), mark, limit]);
        out.push(S::If { test, then, otherwise: Vec::new() });
    }

    /// The kinds of arrays for the runtime.
    fn kinds_of(&self, arrays: &Moved) -> C {
        if arrays.targets.is_empty() {
            return C::Number(0);
        }
        let kinds = arrays.targets.iter().map(|array| C::Number(self.code((*array).into()).into()));
        C::Literal("const unsigned char", kinds.collect())
    }
}
