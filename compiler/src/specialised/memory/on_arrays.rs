//! Statements on arrays in C.

use crate::c::{Expression as C, Statement as S};
use crate::specialised::function::{Body, operand};
use crate::specialised::scope::kind_code;
use vlad_first_order::{Content, Place};
use vlad_first_order::{Kind, Operand, Relation, Statement, Variable};
use vlad_table::internal_bug;

/// The name of the function for elements of a kind.
fn of_kind(kind: Kind, functions: [&'static str; 3]) -> &'static str {
    let [of_reals, of_booleans, of_arrays] = functions;
    match kind {
        Kind::Real => of_reals,
        Kind::Boolean => of_booleans,
        Kind::Array(_) => of_arrays,
        Kind::Cell | Kind::Integer => internal_bug!("there is no array of cells"),
    }
}

/// Takes so many turns at once.
pub fn turns(count: C) -> S {
    S::Evaluate(C::call("VLAD_TURNS", [C::name("m"), C::name("turns"), count]))
}

impl<'unit> Body<'unit> {
    fn element_of(&self, array: Operand) -> Kind {
        match self.function.kind(array).element() {
            Some(kind) => kind,
            None => internal_bug!("what is indexed is an array"),
        }
    }

    /// Defines a new array whose elements are not set.
    pub fn allocate(&self, target: Variable, length: C, place: &Place, out: &mut Vec<S>) {
        let (is_there, function, of_place) = match place {
            Place::Memory => {
                let element = self.element_of(Operand::Variable(target));
                self.require_room(element, &length, out);
                let function = of_kind(element, ["vlad_new_reals", "vlad_new_truths", "vlad_new_arrays"]);
                return self.define(target, C::call(function, [C::name("m"), length]), out);
            }
            Place::Rows => return self.define(target, C::call("vlad_rows_in_place", [length]), out),
            Place::Buffer(arrays) => {
                return self.define(target, C::call("vlad_other_buffer", arrays.map(operand)), out);
            }
            Place::EvenRow(rows, row) => {
                let operands = [C::Name(rows_name(*rows)), self.integer(*row), C::Name(width_name(*rows))];
                return self.define(target, C::call("vlad_row", operands), out);
            }
            Place::Result(result) => ("vlad_fits", "vlad_placed_reals", vec![C::Number(*result as u64)]),
            Place::Row(result, row) => {
                ("vlad_fits_in_row", "vlad_placed_row", vec![C::Number(*result as u64), self.integer(*row)])
            }
        };
        let operands: Vec<C> = [C::name("m")].into_iter().chain(of_place).chain([length]).collect();
        self.require(C::call(is_there, operands.clone()), out);
        self.define(target, C::call(function, operands), out);
    }

    /// On a fast path, leaves the function unless there is room for an array in the memory of the context.
    fn require_room(&self, element: Kind, length: &C, out: &mut Vec<S>) {
        let size = of_kind(element, ["sizeof(double)", "1", "sizeof(struct vlad_array)"]);
        self.require(C::call("vlad_has_room", [C::name("m"), length.clone(), C::Formula(size.into())]), out);
    }

    /// Prepares the memory of a result for the rows of a matrix.
    pub fn begin_rows(
        &self,
        rows: Variable,
        result: usize,
        [count, width]: [Operand; 2],
        content: Content,
        out: &mut Vec<S>,
    ) {
        let (result, count) = (C::Number(result as u64), self.integer(count));
        out.push(S::integer(width_name(rows), self.integer(width)));
        let operands = [C::name("m"), result.clone(), count.clone(), C::Name(width_name(rows))];
        self.require(C::call("vlad_fits_as_rows", operands), out);
        let first = C::call("vlad_first_row", [C::name("m"), result, C::Name(width_name(rows))]);
        out.push(S::Define { ctype: "double *".into(), name: rows_name(rows), value: first });
        match content {
            Content::Unset => {}
            Content::Zeros => {
                let operands = [C::Name(rows_name(rows)), count, C::Name(width_name(rows))];
                out.push(S::Evaluate(C::call("vlad_set_rows_zero", operands)));
            }
        }
    }

    fn set(element: Kind, array: C, index: C, value: C) -> S {
        let function = of_kind(element, ["vlad_set_real", "vlad_set_truth", "vlad_set_array"]);
        S::Evaluate(C::call(function, [array, index, value]))
    }

    /// A statement on arrays.
    pub fn on_array(&self, statement: &'unit Statement, out: &mut Vec<S>) {
        match statement {
            Statement::Element { target, array, index } | Statement::Load { target, array, index } => {
                let at = of_kind(self.kind(*target), ["vlad_real_at", "vlad_truth_at", "vlad_array_at"]);
                self.define(*target, C::call(at, [operand(*array), self.integer(*index)]), out);
            }
            Statement::Length { target, array } => {
                let length = match self.kind(*target) {
                    Kind::Integer => operand(*array).dot("length"),
                    _ => C::call("vlad_array_length", [operand(*array)]),
                };
                self.define(*target, length, out);
            }
            Statement::IsIndex { target, array, index } => {
                let value = C::call("vlad_is_index", [operand(*array), operand(*index)]);
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
            Kind::Real | Kind::Boolean | Kind::Cell | Kind::Integer => internal_bug!("an operand is of its kind"),
        }
    }
}

fn width_name(rows: Variable) -> String {
    format!("width{}", rows.0)
}

fn rows_name(rows: Variable) -> String {
    format!("rows{}", rows.0)
}
