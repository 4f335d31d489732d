//! Statements on arrays in C.

use super::arrays::{allocates_in, kind_code};
use super::buffers::Buffered;
use super::destinations::Destination;
use super::function::{Body, Tail, name, operand};
use super::hot::Hot;
use super::known_length::KnownLength;
use super::packed_builds::Part;
use super::places::Places;
use super::scope::{ctype, variable_name};
use super::wholes::integer_name;
use crate::c::{Expression as C, Infix, Statement as S};
use crate::first_order::elementwise::is_elementwise_build;
use crate::first_order::{Block, End, Kind, Operand, Relation, Statement, Variable};
use vlad_table::internal_bug;

/// The name of the function for elements of a kind.
fn of_kind(kind: Kind, functions: [&'static str; 3]) -> &'static str {
    let [of_reals, of_booleans, of_arrays] = functions;
    match kind {
        Kind::Real => of_reals,
        Kind::Boolean => of_booleans,
        Kind::Array(_) => of_arrays,
        Kind::Cell => internal_bug!("there is no array of cells"),
    }
}

/// The name of the number of elements of a build with an index.
pub(super) fn count_name(index: Variable) -> String {
    format!("n{}", index.0)
}

/// The turns of a build with a count.
pub(super) fn turns(count: &str) -> S {
    S::Evaluate(C::call("VLAD_TURNS", ["m", "turns", count].map(C::name)))
}

impl<'unit> Body<'unit> {
    fn element_of(&self, array: Operand) -> Kind {
        match self.function.kind(array).element() {
            Some(kind) => kind,
            None => internal_bug!("what is indexed is an array"),
        }
    }

    /// Defines a new array whose elements are not set, in the memory of the caller if it has a place there.
    pub(super) fn allocate(&self, target: Variable, length: C, out: &mut Vec<S>) {
        let element = self.element_of(Operand::Variable(target));
        if self.is_in_place(target) {
            return self.define(target, C::call("vlad_rows_in_place", [length]), out);
        }
        if self.in_buffer(target, out) {
            return;
        }
        let (is_there, function, place) = match self.scope.destinations.of(self.id, target) {
            Some(Destination::Result(result)) if element == Kind::Real => {
                ("vlad_fits", "vlad_placed_reals", vec![C::Number(result as u64)])
            }
            Some(Destination::Row(_, row)) if self.even_rows.contains_key(&row) => {
                return self.even_row(row, out, target);
            }
            Some(Destination::Row(result, row)) if element == Kind::Real => {
                ("vlad_fits_in_row", "vlad_placed_row", vec![C::Number(result as u64), C::Name(integer_name(row))])
            }
            Some(Destination::Result(_) | Destination::Row(..)) | None => {
                return self.allocate_as(variable_name(target), target, length, out);
            }
        };
        let operands: Vec<C> = [C::name("m")].into_iter().chain(place).chain([length]).collect();
        self.require(C::call(is_there, operands.clone()), out);
        self.define(target, C::call(function, operands), out);
    }

    /// Defines a new array like another one, of some name and length, in the memory of arrays.
    pub(super) fn allocate_as(&self, name: String, like: Variable, length: C, out: &mut Vec<S>) {
        let element = self.element_of(Operand::Variable(like));
        self.require_room(element, &length, out);
        let function = of_kind(element, ["vlad_new_reals", "vlad_new_truths", "vlad_new_arrays"]);
        let value = C::call(function, [C::name("m"), length]);
        out.push(S::Define { ctype: ctype(self.kind(like)).into(), name, value });
    }

    /// On a fast path, leaves the function unless there is room for an array in the memory of the context.
    fn require_room(&self, element: Kind, length: &C, out: &mut Vec<S>) {
        let size = of_kind(element, ["sizeof(double)", "1", "sizeof(struct vlad_array)"]);
        self.require(C::call("vlad_has_room", [C::name("m"), length.clone(), C::Formula(size.into())]), out);
    }

    /// Returns true for a matrix without an array of its rows.
    pub(super) fn is_in_place(&self, matrix: Variable) -> bool {
        self.scope.in_place.is_some_and(|matrices| matrices.contains(&matrix))
    }

    /// Returns true if the execution of a block may allocate arrays or cells in the memory of arrays. On a fast path arrays that
    /// have a place elsewhere fit there.
    pub(super) fn allocates(&self, block: &Block) -> bool {
        let is_elsewhere = |array| self.scope.is_fast_path() && self.scope.destinations.of(self.id, array).is_some();
        allocates_in(block, &self.scope.allocating, &is_elsewhere)
    }

    fn set(element: Kind, array: C, index: C, value: C) -> S {
        let function = of_kind(element, ["vlad_set_real", "vlad_set_truth", "vlad_set_array"]);
        S::Evaluate(C::call(function, [array, index, value]))
    }

    /// A statement on arrays.
    pub fn on_array(&self, statement: &'unit Statement, out: &mut Vec<S>) {
        match statement {
            Statement::Array { target, elements } => self.array(*target, elements, out),
            Statement::Build { targets, length, index, body } => self.build(targets, *length, *index, body, out),
            Statement::Element { target, array, index } | Statement::Load { target, array, index } => {
                let at = of_kind(self.kind(*target), ["vlad_real_at", "vlad_truth_at", "vlad_array_at"]);
                self.define(*target, C::call(at, [operand(*array), self.integer(*index)]), out);
            }
            Statement::Length { target, array } => {
                self.define(*target, C::call("vlad_array_length", [operand(*array)]), out);
            }
            Statement::IsIndex { target, array, index } => {
                let value = match self.whole_number(*index) {
                    None => C::call("vlad_is_index", [operand(*array), operand(*index)]),
                    Some(integer) => integer.infix(Infix::Less, operand(*array).dot("length")),
                };
                self.define(*target, value, out);
            }
            Statement::CompareArrays { target, relation, first, second } => {
                let function = match relation {
                    Relation::SameLengths => "same_lengths",
                    Relation::SameElements => "same_elements",
                };
                let code = C::Number(self.code(*first).into());
                let service = C::name("m").arrow("services").arrow(function);
                self.define(
                    *target,
                    C::CallPlace(Box::new(service), vec![operand(*first), operand(*second), code]),
                    out,
                );
            }
            Statement::Zeros { target, like } | Statement::Accumulators { target, like } => {
                let zeros = if self.function.kind(*like) == Kind::REALS {
                    let length = operand(*like).dot("length");
                    self.require_room(Kind::Real, &length, out);
                    C::call("vlad_new_zeros", [C::name("m"), length])
                } else {
                    C::service("zeros", [operand(*like), C::Number(self.code(*like).into())])
                };
                self.define(*target, zeros, out);
            }
            Statement::Store { array, index, value } => {
                out.push(Self::set(self.function.kind(*value), operand(*array), self.integer(*index), operand(*value)));
            }
            _ => internal_bug!("a statement on arrays is expected"),
        }
    }

    pub fn code(&self, array: Operand) -> u32 {
        match self.function.kind(array) {
            Kind::Array(elements) => kind_code(elements),
            Kind::Real | Kind::Boolean | Kind::Cell => internal_bug!("an operand is of its kind"),
        }
    }

    fn array(&self, target: Variable, elements: &[Operand], out: &mut Vec<S>) {
        let element = self.element_of(Operand::Variable(target));
        self.allocate(target, C::Number(elements.len() as u64), out);
        for (value, place) in elements.iter().zip(0..) {
            out.push(Self::set(element, name(target), C::Number(place), operand(*value)));
        }
    }

    fn build(
        &self,
        targets: &'unit [Variable],
        length: Operand,
        index: Variable,
        body: &'unit Block,
        out: &mut Vec<S>,
    ) {
        let count = count_name(index);
        out.push(S::integer(&count, self.integer(length)));
        let turns = turns(&count);
        if let ([target], [], End::Yield(elements)) = (targets, body.statements.as_slice(), &body.end)
            && elements.as_slice() == [Operand::real(0.0)]
            && self.scope.destinations.of(self.id, *target).is_none()
        {
            self.require_room(Kind::Real, &C::name(&count), out);
            self.define(*target, C::call("vlad_new_zeros", [C::name("m"), C::name(&count)]), out);
            out.push(turns);
            return;
        }
        for target in targets {
            self.allocate(*target, C::name(&count), out);
            self.begin_rows(*target, index, C::name(&count), out);
        }
        out.push(turns);
        if let Some(hot) = Hot::of(body, index) {
            return self.hot_build(&hot, targets, index, &count, out);
        }
        if let Some(places) = Places::of(body, index) {
            return self.sparse_build(&places, (targets, index), (body, &count), out);
        }
        if let Some(rows) = self.scattered_rows(targets, index, body) {
            return self.scattered_build(&rows, (body, &count), out);
        }
        let counts = self.count_at_once(body, C::name(&count), out);
        if is_elementwise_build(self.function, index, body) {
            let mut each = Vec::new();
            self.iteration(body, counts, &mut each);
            self.end(&body.end, Tail::Build { targets, index }, &mut each);
            let (index, from, to) = (integer_name(index), C::Number(0), C::Name(count));
            out.push(S::Elementwise { index, from, to, sum: None, statements: each });
            return;
        }
        if self.packed_build((targets, index), (body, &count, counts), out) {
            return;
        }
        let part = Part { targets, index, from: C::Number(0), to: C::name(&count) };
        self.usual_part(&part, (&[], body, counts), out);
    }

    /// Stores the elements at an index of a build.
    pub fn elements(&self, targets: &[Variable], index: Variable, values: &[Operand], out: &mut Vec<S>) {
        let mark = format!("mark{}", index.0);
        let allocates = self.building(index).is_some_and(|body| self.allocates(body));
        let values: Vec<C> = if allocates {
            self.keep(&C::Name(mark), None, values, &format!("kept{}", index.0), out)
        } else {
            values.iter().copied().map(operand).collect()
        };
        self.set_elements(targets, index, values, out);
    }

    /// The same for values that need not be moved when memory is released.
    pub(super) fn set_elements(&self, targets: &[Variable], index: Variable, values: Vec<C>, out: &mut Vec<S>) {
        for (target, value) in targets.iter().zip(values).filter(|(target, _)| !self.is_in_place(**target)) {
            let element = self.element_of(Operand::Variable(*target));
            out.push(Self::set(element, name(*target), C::Name(integer_name(index)), value));
        }
    }

    /// The block of the build with an index.
    fn building(&self, index: Variable) -> Option<&'unit Block> {
        let mut found = None;
        self.function.body.each_statement(&mut |statement| {
            if let Statement::Build { index: other, body, .. } = statement
                && *other == index
            {
                found = Some(body);
            }
        });
        found
    }
}

impl Body<'_> {
    /// The C of a length that is known before a loop.
    pub(super) fn known_length(&self, length: KnownLength) -> C {
        match length {
            KnownLength::OfArray(array) => operand(array).dot("length"),
            // Whether it is a length may be tested in the loop only: what is none is 0 or too great.
            KnownLength::Whole(length) => {
                self.whole_number(length).unwrap_or_else(|| C::call("vlad_bound", [operand(length)]))
            }
            KnownLength::Elements(count) => C::Number(count as u64),
        }
    }

    /// Allocates the buffers of a loop.
    pub(super) fn begin_buffers(&self, state: &[Variable], out: &mut Vec<S>) {
        let Some(first) = state.first() else { return };
        for Buffered { array, length, .. } in self.buffers.of_loop(*first) {
            let length = self.known_length(*length);
            for which in 0..2 {
                self.allocate_as(buffer_name(*array, which), *array, length.clone(), out);
            }
        }
    }

    /// Defines an array in the buffer that the state does not have; returns false if it has no buffers.
    fn in_buffer(&self, array: Variable, out: &mut Vec<S>) -> bool {
        let Some(buffer) = self.buffers.of(array) else { return false };
        let [first, second] = [0, 1].map(|which| C::Name(buffer_name(array, which)));
        self.define(array, C::call("vlad_other_buffer", [first, second, name(buffer.state)]), out);
        true
    }
}

fn buffer_name(array: Variable, which: u8) -> String {
    format!("buffer{}_{which}", array.0)
}
