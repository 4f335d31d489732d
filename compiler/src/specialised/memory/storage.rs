//! The statements of storage code in C.

use super::on_arrays::turns;
use crate::c::{Expression as C, Infix, Statement as S};
use crate::specialised::function::{Body, Tail, name, operand};
use crate::specialised::memory::records::end_row;
use crate::specialised::scope::variable_name;
use vlad_first_order::counted_loops::natural;
use vlad_first_order::{Block, Operand, Variable};
use vlad_first_order::{IntegerOperation, Listed, Order, Storage};
use vlad_table::internal_bug;

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
            Storage::FillRows { matrix, result, counts: [from, length] } => {
                let (from, length) = (self.integer(*from), self.integer(*length));
                let operands = [C::name("m"), C::Number(*result as u64), operand(*matrix), from, length];
                out.push(S::Evaluate(C::call("vlad_zero_rows", operands)));
            }
            Storage::Part { target, range, row } => self.define(*target, self.part(*range, *row), out),
            Storage::BeginRow { target, row, count } => self.begin_row(*target, *row, *count, out),
            Storage::EndRow { address, row } => out.push(end_row(*address, *row)),
            Storage::PushInRow { address, row, values } => self.push_in_row(*address, *row, values, out),
            Storage::PopInRow { targets, address, row } => self.pop_in_row(targets, *address, *row, out),
            Storage::RereadInRow { targets, address, words } => self.reread_in_row(targets, *address, words, out),
            Storage::Apart { targets, values } => {
                for (target, value) in targets.iter().zip(values) {
                    let function = if self.kind(*target).is_array() { "vlad_array_apart" } else { "vlad_apart" };
                    self.define(*target, C::call(function, [operand(*value)]), out);
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
}
