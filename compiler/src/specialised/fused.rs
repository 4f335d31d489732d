//! Loops that take the elements of an array as it is built.
//!
//! ```text
//! a = build n (fun i -> exp v[i]);  loop k = 0, s = 0.0 below n: s + a[k]
//! ```
//!
//! Both are one loop: an iteration makes an element, and then does what the other loop does with it. A processor adds while it waits for
//! the function of the next element, which takes longer, and no array is read once more. Each loop computes the same as before, in the
//! same order. What the second loop does has no effect and cannot fail, so nobody sees that some of it comes before the last elements.
//!
//! Elements without calls of functions are better made alone, with packed instructions.

use super::arrays::bound_name;
use super::counted::Counted;
use super::function::{Body, Tail};
use super::on_arrays::{count_name, turns};
use super::packable::Packable;
use super::steps::Counts;
use super::wholes::integer_name;
use crate::c::{Expression as C, Infix, Statement as S};
use crate::first_order::effects::is_packed;
use crate::first_order::{Block, End, Kind, Operand, Statement, Variable};

/// A build, and the loop behind it that is executed with it.
struct Fused<'unit> {
    array: &'unit [Variable],
    length: Operand,
    index: Variable,
    body: &'unit Block,
    following: &'unit Statement,
    counted: Counted<'unit>,
    targets: &'unit [Variable],
    state: &'unit [Variable],
}

impl<'unit> Fused<'unit> {
    /// The parts of two statements, one behind the other; none if they are no such loops.
    fn of(first: &'unit Statement, following: &'unit Statement, of: &Body<'unit>) -> Option<Fused<'unit>> {
        let Statement::Build { targets: array, length, index, body } = first else { return None };
        let Statement::Loop { targets, state, initial, body: iterations } = following else { return None };
        let counted = of.counted(iterations)?;
        let fused = Fused { array, length: *length, index: *index, body, following, counted, targets, state };
        (calls_for_elements(body, *index, of) && fused.takes_elements(initial, of)).then_some(fused)
    }

    /// Returns true if the loop is over all elements, computes numbers without leaving the code, and reads the element of its turn alone.
    fn takes_elements(&self, initial: &[Operand], of: &Body<'unit>) -> bool {
        let Counted { counter, most, iteration, .. } = &self.counted;
        let ([array], [first, others @ ..]) = (self.array, self.state) else { return false };
        let is_over_all = *counter == (*first).into()
            && initial.first() == Some(&Operand::real(0.0))
            && of.length(*most).is_some_and(|most| of.length(self.length) == Some(most));
        let are_plain =
            |variable: &Variable| matches!(of.kind(*variable), Kind::Real | Kind::Boolean) && !of.is_integer(*variable);
        let mut may_be_taken = true;
        iteration.each_statement(&mut |statement| {
            may_be_taken &= match statement {
                Statement::Operation { .. }
                | Statement::PositiveZero { .. }
                | Statement::Compare { .. }
                | Statement::Length { .. }
                | Statement::Count { .. }
                | Statement::Bind { .. } => true,
                Statement::Element { array: read, index, .. } => *read != (*array).into() || index == counter,
                _ => false,
            };
        });
        iteration.each_block(&mut |block| may_be_taken &= !matches!(block.end, End::BailOut(_)));
        is_over_all && others.iter().all(are_plain) && may_be_taken
    }
}

/// Returns true if the elements of a build are reals each of which takes a call of a function, and are made one behind the other.
fn calls_for_elements(body: &Block, index: Variable, of: &Body<'_>) -> bool {
    let End::Yield(values) = &body.end else { return false };
    let are_reals = values.iter().all(|value| of.function.kind(*value) == Kind::Real);
    let calls =
        |statement: &Statement| matches!(statement, Statement::Operation { operation, .. } if !is_packed(*operation));
    let statements: Vec<&Statement> = body.statements.iter().collect();
    let is_packable = Packable::of(of.function, index, &statements, &body.end, Counts::AtOnce).is_some();
    are_reals && body.statements.iter().any(calls) && !of.allocates(body) && !is_packable
}

impl<'unit> Body<'unit> {
    /// The code of statements, one behind the other.
    pub(super) fn statements(&self, statements: impl IntoIterator<Item = &'unit Statement>, out: &mut Vec<S>) {
        let mut statements = statements.into_iter().peekable();
        while let Some(statement) = statements.next() {
            match statements.peek().and_then(|following| Fused::of(statement, following, self)) {
                Some(fused) => {
                    statements.next();
                    self.marks_before(statement, out);
                    self.fused_loops(&fused, out);
                }
                None => self.statement(statement, out),
            }
        }
    }

    fn fused_loops(&self, fused: &Fused<'unit>, out: &mut Vec<S>) {
        let Fused { array, length, index, body, following, counted, targets, state } = fused;
        let count = count_name(*index);
        out.push(S::integer(&count, self.integer(*length)));
        array.iter().for_each(|array| self.allocate(*array, C::name(&count), out));
        out.push(turns(&count));
        let counts = self.count_at_once(body, C::name(&count), out);
        self.marks_before(following, out);
        self.begin_loop(following, out);
        let bound = C::Name(bound_name(counted.test));
        out.push(turns(&bound_name(counted.test)));
        let counts_of_following = self.count_at_once(counted.iteration, bound, out);

        let place = C::Name(integer_name(*index));
        let is_last = place.clone().infix(Infix::Equal, C::name(&count));
        let mut each = vec![S::If { test: is_last, then: vec![S::Break], otherwise: Vec::new() }];
        self.usual_element((array, *index), (&[], body, counts), &mut each);
        self.counters(state, &mut each);
        self.iteration(counted.iteration, counts_of_following, &mut each);
        self.end(&counted.iteration.end, Tail::Loop { targets, state }, &mut each);
        each.push(S::Add(place, C::Number(1)));
        out.push(S::Scope(vec![S::integer(integer_name(*index), C::Number(0)), S::Loop(each)]));
        let mut once = Vec::new();
        self.after_last(counted, state, Tail::Loop { targets, state }, &mut once);
        out.push(S::Loop(once));
        self.counters(targets, out);
    }
}
