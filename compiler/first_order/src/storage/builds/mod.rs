//! Builds as allocations of arrays and loops that set their elements.
//!
//! | module | body of the build |
//! |---|---|
//! | [`one_hot`] | makes one element otherwise than all others |
//! | [`sparse`] | makes few elements that are not 0, at places that equations name |
//! | [`vectorised`] | computes with packed instructions where no test fails |
//! | [`fused`] | is followed by a loop over the elements that it makes |
//!
//! [`writing`] writes the statements that they have in common.
//!
//! All other builds set their elements one after another. Elements are set in the order of their indices wherever their
//! code may fail, and each is computed by the operations of the body, so neither bits nor failures change.
//!
//! Code that is executed in one of two ways stands there twice, the second time with variables of its own.

mod fused;
mod one_hot;
mod sparse;
mod vectorised;
mod writing;

use super::counts::{Counts, count_for_all};
use super::memory::{allocates_in, allocating};
use super::patterns::fused::{Fused, LoopFacts};
use super::patterns::one_hot::OneHot;
use super::patterns::sparse::equalities;
use super::placement::buffers::Buffered;
use super::placement::destinations::Destination;
use super::placement::known_length::KnownLength;
use super::placement::{Execution, Placement};
use super::releases::{keep, mark};
use super::unrolling::order_of;
use crate::build::Code;
use crate::counted_loops::counters;
use crate::elementwise::is_elementwise_build;
use crate::passes::{Pass, Passes};
use crate::{
    Block, End, Function, FunctionId, FunctionTable, IntegerOperation, Kind, Operand, Order, Place, Statement, Storage,
    Unit, Variable,
};
use std::collections::HashMap;
use vlad_table::internal_bug;

/// Returns a unit without builds and arrays of given elements, for an execution.
pub fn lower(unit: &Unit, execution: Execution<'_>, passes: Passes) -> Unit {
    let allocating = allocating(unit);
    let mut lowered = unit.clone();
    for number in 0..unit.functions.len() as u32 {
        let id = FunctionId(number);
        let function = unit.function(id);
        let mut lowering = Lowering {
            code: Code::of(&mut lowered.functions, id),
            placement: Placement::of(unit, id, execution),
            allocating: &allocating,
            passes,
            facts: LoopFacts { function, counters: counters(function), lengths: lengths(function) },
            buffers: HashMap::new(),
            around: HashMap::new(),
        };
        let body = lowering.block(&function.body);
        lowering.code.set_body(body);
    }
    lowered
}

/// The elements of a build from one index on, up to another one: integers.
#[derive(Clone, Copy)]
struct Part<'unit> {
    targets: &'unit [Variable],
    index: Variable,
    from: Operand,
    to: Operand,
}

/// The code of an element.
#[derive(Clone, Copy)]
struct Element<'shared, 'unit> {
    /// The statements before the block.
    shared: &'shared [&'unit Statement],
    block: &'unit Block,
    counts: Counts,
}

/// The integers of operands from outside of a build.
type Outside = HashMap<Operand, Operand>;

struct Lowering<'code, 'unit> {
    passes: Passes,
    /// The function as it was.
    facts: LoopFacts<'unit>,
    /// The function as it becomes.
    code: Code<'code>,
    placement: Placement<'unit>,
    /// The functions whose calls may allocate, by number.
    allocating: &'unit FunctionTable<bool>,
    /// The two buffers of arrays that loops replace, and the array of the state.
    buffers: HashMap<Variable, [Operand; 3]>,
    /// For the indices of the builds around the present code, the integer of the index and the number of elements.
    around: HashMap<Variable, [Operand; 2]>,
}

/// The arrays of which variables of a function are the lengths.
fn lengths(function: &Function) -> HashMap<Variable, Operand> {
    let mut found = HashMap::new();
    for statement in function.body.all_statements() {
        if let Statement::Length { target, array } = statement {
            found.insert(*target, *array);
        }
    }
    found
}

/// The end of code that has set an element, or has nothing to yield.
fn nothing() -> End {
    End::Yield(Vec::new())
}

impl<'unit> Lowering<'_, 'unit> {
    fn block(&mut self, block: &'unit Block) -> Block {
        self.nested(|lowering| {
            lowering.statements(&block.statements);
            lowering.end(&block.end)
        })
    }

    fn end(&mut self, end: &'unit End) -> End {
        match end {
            End::Branch { test, consequent, alternative } => End::Branch {
                test: *test,
                consequent: Box::new(self.block(consequent)),
                alternative: Box::new(self.block(alternative)),
            },
            End::Yield(_) | End::Repeat(_) | End::BailOut(_) => end.clone(),
        }
    }

    fn statements(&mut self, statements: &'unit [Statement]) {
        let mut statements = statements.iter().peekable();
        while let Some(statement) = statements.next() {
            match statements.peek().and_then(|following| self.fused(statement, following)) {
                Some(fused) => {
                    statements.next();
                    self.fused_loops(&fused);
                }
                None => self.statement(statement),
            }
        }
    }

    /// Two statements as one loop.
    fn fused(&self, first: &'unit Statement, following: &'unit Statement) -> Option<Fused<'unit>> {
        let fused = self.passes.contains(Pass::FuseBuilds).then(|| Fused::of(first, following, &self.facts));
        fused.flatten().filter(|fused| !self.allocates(fused.body))
    }

    /// Returns true if the execution of a block may allocate in the memory of arrays.
    fn allocates(&self, block: &Block) -> bool {
        allocates_in(block, &|id| self.allocating[id], &|array| self.placement.is_elsewhere(array))
    }

    fn statement(&mut self, statement: &'unit Statement) {
        match statement {
            Statement::Build { targets, length, index, body } => self.build(targets, *length, *index, body),
            Statement::Array { target, elements } => self.array(*target, elements),
            Statement::Bind { targets, block } => {
                let block = self.block(block);
                self.code.push(Statement::Bind { targets: targets.clone(), block });
            }
            Statement::Loop { targets, state, initial, body } => {
                self.begin_buffers(state);
                let body = self.block(body);
                let (targets, state, initial) = (targets.clone(), state.clone(), initial.clone());
                self.code.push(Statement::Loop { targets, state, initial, body });
            }
            other => self.code.push(other.clone()),
        }
    }

    /// Makes the buffers of a loop with a state.
    fn begin_buffers(&mut self, state: &[Variable]) {
        let Some(first) = state.first() else { return };
        for Buffered { array, state, length } in self.placement.buffers.of_loop(*first).to_vec() {
            let length = self.known_length(length);
            let [one, other] = [(); 2].map(|()| {
                let target = self.code.fresh(self.facts.function.kind(array.into()));
                self.code.push(Storage::Allocate { target, length, place: Place::Memory }.into());
                Operand::Variable(target)
            });
            self.buffers.insert(array, [one, other, state.into()]);
        }
    }

    fn known_length(&mut self, length: KnownLength) -> Operand {
        match length {
            KnownLength::OfArray(array) => {
                let target = self.code.fresh(Kind::Real);
                self.code.push(Statement::Length { target, array });
                self.code.integer(IntegerOperation::Whole, [target.into()])
            }
            // A test that it is a length may stand in the loop only: any other number gives 0, or is too great.
            KnownLength::Whole(length) => self.code.integer(IntegerOperation::Bound, [length]),
            KnownLength::Elements(count) => Operand::real(count as f64),
        }
    }

    fn array(&mut self, target: Variable, elements: &[Operand]) {
        self.allocate(target, Operand::real(elements.len() as f64));
        for (index, value) in elements.iter().enumerate() {
            let (array, index) = (target.into(), Operand::real(index as f64));
            self.code.push(Statement::Store { array, index, value: *value });
        }
    }

    /// Makes an array whose elements are not set.
    fn allocate(&mut self, target: Variable, length: Operand) {
        let place = self.place(target);
        self.code.push(Storage::Allocate { target, length, place }.into());
    }

    fn place(&self, array: Variable) -> Place {
        let is_of_reals = self.facts.function.kind(array.into()) == Kind::REALS;
        if self.placement.has_no_rows(array) {
            return Place::Rows;
        }
        if let Some(buffers) = self.buffers.get(&array) {
            return Place::Buffer(*buffers);
        }
        match self.placement.destination(array) {
            Some(Destination::Row(_, rows)) if self.placement.even_rows.contains_key(&rows) => {
                Place::EvenRow(rows, self.row_number(rows))
            }
            Some(Destination::Row(result, rows)) if is_of_reals => Place::Row(result, self.row_number(rows)),
            Some(Destination::Result(result)) if is_of_reals => Place::Result(result),
            Some(Destination::Result(_) | Destination::Row(..)) | None => Place::Memory,
        }
    }

    fn row_number(&self, rows: Variable) -> Operand {
        match self.around.get(&rows) {
            Some([number, _]) => *number,
            None => internal_bug!("a row is made in the build of its matrix"),
        }
    }

    fn build(&mut self, targets: &'unit [Variable], length: Operand, index: Variable, body: &'unit Block) {
        let count = self.begin_build(targets, length, index);
        if let ([], End::Yield(values)) = (body.statements.as_slice(), &body.end)
            && values.iter().all(|value| *value == Operand::real(0.0))
        {
            return targets.iter().for_each(|target| self.fill(*target));
        }
        if self.passes.contains(Pass::OneHot) {
            if let Some(hot) = OneHot::of(body, index) {
                return self.one_hot_build(&hot, targets, index, count);
            }
            if let Some(equalities) = equalities(body, index) {
                return self.sparse_build(&equalities, (targets, index), (body, count));
            }
        }
        let counts = count_for_all(&mut self.code, 0, body, count);
        let part = Part { targets, index, from: Operand::real(0.0), to: count };
        let element = Element { shared: &[], block: body, counts };
        if is_elementwise_build(self.facts.function, index, body) {
            return self.elements(part, Order::Parallel, element);
        }
        if !self.passes.contains(Pass::Vectorise) || !self.vectorised_build(part, element) {
            self.usual_part(part, element);
        }
    }

    /// Makes the arrays of a build, and takes its turns; returns the number of elements.
    fn begin_build(&mut self, targets: &[Variable], length: Operand, index: Variable) -> Operand {
        let count = self.code.integer(IntegerOperation::Whole, [length]);
        for target in targets {
            self.allocate(*target, count);
            if let (Some(rows), Some(Destination::Result(result))) =
                (self.placement.even_rows.get(&index), self.placement.destination(*target))
            {
                let (length, content) = (rows.length, rows.content);
                // If it is not a length, it is too great, or the first row is not made.
                let counts = [count, self.known_length(length)];
                self.code.push(Storage::BeginRows { rows: index, result, counts, content }.into());
            }
        }
        self.code.push(Storage::Turns { count }.into());
        count
    }

    /// The elements of a part, one behind the other.
    fn usual_part(&mut self, part: Part<'unit>, element: Element<'_, 'unit>) {
        self.elements(part, order_of(element.block), element);
    }

    fn elements(&mut self, part: Part<'unit>, order: Order, element: Element<'_, 'unit>) {
        let Part { targets, index, from, to } = part;
        self.each((from, to), order, &[], |lowering, number, _| {
            let around = lowering.around.insert(index, [number, to]);
            let end = lowering.element((targets, index), number, element, &End::Repeat(Vec::new()));
            match around {
                Some(around) => lowering.around.insert(index, around),
                None => lowering.around.remove(&index),
            };
            end
        });
    }

    /// Sets the element of a build at an index, given as an integer.
    fn element(
        &mut self,
        (targets, index): (&'unit [Variable], Variable),
        number: Operand,
        element: Element<'_, 'unit>,
        after: &End,
    ) -> End {
        let Element { shared, block, counts } = element;
        let (operation, operands) = (IntegerOperation::Real, vec![number]);
        self.code.push(Storage::Integer { target: index, operation, operands }.into());
        let mark = self.allocates(block).then(|| mark(&mut self.code));
        let is_counted = |statement: &&Statement| matches!(statement, Statement::Count { .. });
        shared.iter().filter(|statement| !is_counted(statement)).for_each(|statement| self.statement(statement));
        let of_block = block.statements.iter().filter(|statement| counts == Counts::Each || !is_counted(statement));
        of_block.for_each(|statement| self.statement(statement));
        self.set_elements(targets, (number, mark), &block.end, after)
    }

    /// Sets the elements at an index to what an end yields, after memory is freed from a mark on.
    fn set_elements(
        &mut self,
        targets: &[Variable],
        (number, mark): (Operand, Option<Operand>),
        end: &'unit End,
        after: &End,
    ) -> End {
        match end {
            End::Yield(values) => {
                let values = match mark {
                    Some(mark) => keep(&mut self.code, (mark, None), values).1,
                    None => values.clone(),
                };
                for (target, value) in targets.iter().zip(values) {
                    if !self.placement.has_no_rows(*target) {
                        self.code.push(Statement::Store { array: (*target).into(), index: number, value });
                    }
                }
                after.clone()
            }
            End::Branch { test, consequent, alternative } => {
                let [consequent, alternative] = [consequent, alternative].map(|block| {
                    Box::new(self.nested(|lowering| {
                        lowering.statements(&block.statements);
                        lowering.set_elements(targets, (number, mark), &block.end, after)
                    }))
                });
                End::Branch { test: *test, consequent, alternative }
            }
            End::BailOut(node) => End::BailOut(*node),
            End::Repeat(_) => internal_bug!("a build is no loop"),
        }
    }

    /// Sets all elements of a new array to +0; those of a row with those of the rows behind it.
    fn fill(&mut self, target: Variable) {
        let behind = match self.placement.destination(target) {
            Some(Destination::Row(_, rows)) if self.placement.even_rows.contains_key(&rows) => {
                if self.placement.even_rows.get(&rows).is_some_and(|rows| rows.content == crate::Content::Zeros) {
                    return;
                }
                None
            }
            Some(Destination::Row(result, rows)) => self.around.get(&rows).map(|rows| (result, *rows)),
            Some(Destination::Result(_)) | None => None,
        };
        self.code.push(Storage::Fill { array: target.into(), behind }.into());
    }
}
