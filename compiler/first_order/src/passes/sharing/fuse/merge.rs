//! Two blocks as one: the computations that they have in common are executed once (`fuse`).
//!
//! Both blocks are walked at the same time. Statements whose computation has been executed are left out, and their variables become
//! those of the earlier ones. Binds, loops and calls are merged in pairs, in the order of the text, if they decide alike: the tests
//! of their branches are the same operands. In two loops some states are assumed to be equal: those that begin and develop alike. The
//! assumption is then verified; it holds if the next states are equal provided that the present ones are (a congruence, as in the
//! value numbering of Alpern, Wegman and Zadeck). For recursive functions the same is assumed of their results.
//!
//! A merged loop ends, fails and repeats exactly if each of the two does. So do merged functions.

use crate::passes::shape::loop_state::retain_state;
use crate::passes::sharing::computation::{Executed, computation};
use crate::{Block, End, FunctionId, Operand, Statement, Variable};
use std::collections::HashMap;
use vlad_table::Operation;

/// The functions of a unit, of which two can be made one.
pub trait MergeCalls {
    /// A function that does what two do, for calls with some arguments; none if that does not pay.
    fn merged(&mut self, functions: [FunctionId; 2], arguments: [&[Operand]; 2]) -> Option<MergedCall>;
}

/// A merge under way.
pub struct Merge<'pass> {
    functions: &'pass mut dyn MergeCalls,
    known: Knowledge,
}

/// The values and computations that are known at a place of the text.
#[derive(Default)]
pub struct Knowledge {
    /// The operands that stand for variables, and the variables in the order of insertion.
    values: HashMap<Variable, Operand>,
    known_values: Vec<Variable>,
    executed: Executed,
}

/// A state of the knowledge to which a failed merge goes back.
struct Before {
    values: usize,
    computed: usize,
}

/// The statements of the second block that are not yet merged.
struct Rest {
    statements: std::vec::IntoIter<Statement>,
    /// The next statement, if it is a construct.
    construct: Option<Statement>,
}

impl<'pass> Merge<'pass> {
    pub fn new(functions: &'pass mut dyn MergeCalls) -> Merge<'pass> {
        Merge { functions, known: Knowledge::default() }
    }

    /// The two blocks as one, if they end alike.
    pub fn blocks(&mut self, first: Block, second: Block) -> Option<Block> {
        let before = self.known.executed.len();
        let mut statements = Vec::with_capacity(first.statements.len() + second.statements.len());
        let mut rest = Rest { statements: second.statements.into_iter(), construct: None };
        for mut statement in first.statements {
            self.known.replace_in(&mut statement);
            if self.known.is_known(&statement) {
                continue;
            }
            if !is_construct(&statement) {
                self.known.execute(statement, &mut statements);
                continue;
            }
            let merged = loop {
                self.advance(&mut rest, &mut statements);
                let Some(other) = rest.construct.take() else { break None };
                if let Some(merged) = self.constructs(&statement, &other) {
                    break Some(merged);
                }
                if contains_loop_or_call(&other) {
                    rest.construct = Some(other);
                    break None;
                }
                self.known.execute(other, &mut statements);
            };
            match merged {
                Some(merged) => statements.push(merged),
                None => self.known.execute(statement, &mut statements),
            }
        }
        loop {
            self.advance(&mut rest, &mut statements);
            let Some(other) = rest.construct.take() else { break };
            self.known.execute(other, &mut statements);
        }
        let mut ends = [first.end, second.end];
        ends.iter_mut().flat_map(End::operands_mut).for_each(|operand| self.known.replace(operand));
        let [first, second] = ends;
        let end = self.ends(first, second);
        self.known.executed.forget(before);
        Some(Block { statements, end: end? })
    }

    /// Executes the statements of the second block up to the next construct.
    fn advance(&mut self, rest: &mut Rest, statements: &mut Vec<Statement>) {
        while rest.construct.is_none()
            && let Some(mut statement) = rest.statements.next()
        {
            self.known.replace_in(&mut statement);
            if self.known.is_known(&statement) {
                continue;
            }
            if is_construct(&statement) {
                rest.construct = Some(statement);
            } else {
                self.known.execute(statement, statements);
            }
        }
    }

    fn ends(&mut self, first: End, second: End) -> Option<End> {
        Some(match (first, second) {
            (End::BailOut(node), _) | (_, End::BailOut(node)) => End::BailOut(node),
            (End::Yield(first), End::Yield(second)) => End::Yield([first, second].concat()),
            (End::Repeat(first), End::Repeat(second)) => End::Repeat([first, second].concat()),
            (
                End::Branch { test, consequent, alternative },
                End::Branch { test: other, consequent: other_consequent, alternative: other_alternative },
            ) if test == other => End::Branch {
                test,
                consequent: Box::new(self.blocks(*consequent, *other_consequent)?),
                alternative: Box::new(self.blocks(*alternative, *other_alternative)?),
            },
            (End::Yield(_) | End::Repeat(_) | End::Branch { .. }, _) => return None,
        })
    }

    /// Two constructs as one.
    pub fn constructs(&mut self, first: &Statement, second: &Statement) -> Option<Statement> {
        let before = self.known.place();
        let merged = match (first, second) {
            (Statement::Bind { targets, block }, Statement::Bind { targets: others, block: other }) => {
                self.blocks(block.clone(), other.clone()).map(|block| {
                    self.learn_results(&equal_results(&block, targets.len(), others.len()), targets, others);
                    Statement::Bind { targets: [&targets[..], others].concat(), block }
                })
            }
            (Statement::Loop { .. }, Statement::Loop { .. }) => self.loops(first, second),
            (
                Statement::Call { targets, function, arguments },
                Statement::Call { targets: others, function: other, arguments: other_arguments },
            ) => {
                let merged = self.functions.merged([*function, *other], [arguments, other_arguments]);
                merged.map(|merged| {
                    self.learn_results(&merged.same, targets, others);
                    let targets = [&targets[..], others].concat();
                    Statement::Call { targets, function: merged.function, arguments: merged.arguments }
                })
            }
            _ => None,
        };
        if merged.is_none() {
            self.known.go_back(&before);
        }
        merged
    }

    /// Lets the results of a second construct be those of the first that are equal.
    fn learn_results(&mut self, same: &[Option<usize>], targets: &[Variable], others: &[Variable]) {
        for (other, same) in others.iter().zip(same) {
            if let Some(target) = same.and_then(|same| targets.get(same)) {
                self.known.learn(*other, Operand::Variable(*target));
            }
        }
    }

    /// The knowledge after what was merged.
    pub fn knowledge(self) -> Knowledge {
        self.known
    }

    fn loops(&mut self, first: &Statement, second: &Statement) -> Option<Statement> {
        let Statement::Loop { targets, state, initial, body } = first else { return None };
        let Statement::Loop { targets: others, state: other_state, initial: other_initial, body: other } = second
        else {
            return None;
        };
        let loops = [(state, initial, body), (other_state, other_initial, other)];
        let [first, second] = loops.map(|(state, initial, body)| Loop { state, initial, body });
        let mut same = alike(&first, &second);
        let body = loop {
            let before = self.known.place();
            for (variable, same) in other_state.iter().zip(&same) {
                if let Some(same) = same.and_then(|same| state.get(same)) {
                    self.known.learn(*variable, Operand::Variable(*same));
                }
            }
            let merged = self.blocks(body.clone(), other.clone())?;
            let wrong = unequal(&merged, state.len(), &same);
            if wrong.is_empty() {
                break merged;
            }
            self.known.go_back(&before);
            for place in wrong {
                if let Some(same) = same.get_mut(place) {
                    *same = None;
                }
            }
        };
        if same.iter().all(Option::is_none) {
            return None;
        }
        let keep = |place: usize| place < state.len() || same.get(place - state.len()) == Some(&None);
        let (mut all, mut begin) = ([&state[..], other_state].concat(), [&initial[..], other_initial].concat());
        let mut body = body;
        retain_state((&mut all, &mut begin, &mut body), keep);
        self.learn_results(&equal_results(&body, targets.len(), others.len()), targets, others);
        let targets = [&targets[..], others].concat();
        Some(Statement::Loop { targets, state: all, initial: begin, body })
    }
}

impl Knowledge {
    /// Returns true if the computation of a statement has been executed; its targets become those of the earlier one.
    pub fn is_known(&mut self, statement: &Statement) -> bool {
        let earlier = computation(statement).and_then(|computation| self.executed.get(&computation).cloned());
        for (target, earlier) in statement.targets().iter().zip(earlier.iter().flatten()) {
            self.learn(*target, Operand::Variable(*earlier));
        }
        earlier.is_some()
    }

    /// Appends a statement, whose operands are final, and whose computation is new.
    fn execute(&mut self, statement: Statement, statements: &mut Vec<Statement>) {
        self.remember(&statement);
        statements.push(statement);
    }

    /// Remembers the computation of a statement that has been executed.
    pub fn remember(&mut self, statement: &Statement) {
        if let Some(computation) = computation(statement) {
            self.executed.learn(computation, statement.targets());
        }
    }

    /// Learns what another one knows of the values of some variables.
    pub fn learn_from(&mut self, other: &Knowledge, variables: &[Variable]) {
        for variable in variables {
            if let Some(value) = other.values.get(variable) {
                self.learn(*variable, *value);
            }
        }
    }

    /// Lets an operand stand for a variable.
    pub fn learn(&mut self, variable: Variable, value: Operand) {
        self.values.insert(variable, value);
        self.known_values.push(variable);
    }

    fn place(&self) -> Before {
        Before { values: self.known_values.len(), computed: self.executed.len() }
    }

    fn go_back(&mut self, before: &Before) {
        for variable in self.known_values.drain(before.values..) {
            self.values.remove(&variable);
        }
        self.executed.forget(before.computed);
    }

    pub fn replace(&self, operand: &mut Operand) {
        operand.substitute(&self.values);
    }

    /// Replaces the variables in a statement and in its blocks.
    pub fn replace_in(&self, statement: &mut Statement) {
        statement.change_operands(|operand| self.replace(operand));
        if let Some(block) = statement.block_mut() {
            block.rename(&mut |operand| self.replace(operand), &mut |_| {});
        }
    }
}

/// For each state of a second loop a state of the first that has the same value at the start, and the same development,
/// each at most once.
fn alike(first: &Loop<'_>, second: &Loop<'_>) -> Vec<Option<usize>> {
    let (developments, others) = (first.developments(), second.developments());
    let mut is_taken = vec![false; first.initial.len()];
    let pair = |(operand, development): (&Operand, &Vec<Development>)| {
        let mut candidates = first.initial.iter().zip(&developments).zip(&is_taken);
        let place =
            candidates.position(|((first, other), is_taken)| !is_taken && first == operand && other == development)?;
        if let Some(is_taken) = is_taken.get_mut(place) {
            *is_taken = true;
        }
        Some(place)
    };
    second.initial.iter().zip(&others).map(pair).collect()
}

/// A loop without its targets.
struct Loop<'unit> {
    state: &'unit [Variable],
    initial: &'unit [Operand],
    body: &'unit Block,
}

/// The next value of a state of a loop, as far as its operation and the constants in it.
#[derive(Clone, PartialEq)]
enum Development {
    /// The present value.
    Same,
    Constant(Operand),
    Operation(Operation, [Option<Operand>; 2]),
    Other,
}

impl Loop<'_> {
    /// For each state its next values, where the loop repeats.
    fn developments(&self) -> Vec<Vec<Development>> {
        let mut operations: HashMap<Variable, Development> = HashMap::new();
        for statement in self.body.all_statements() {
            if let Statement::Operation { target, operation, first, second } = statement {
                let constants = [first.constant(), second.and_then(Operand::constant)];
                operations.insert(*target, Development::Operation(*operation, constants));
            }
        }
        let mut developments: Vec<Vec<Development>> = vec![Vec::new(); self.state.len()];
        for operands in self.body.repeats() {
            for ((operand, state), developments) in operands.iter().zip(self.state).zip(&mut developments) {
                developments.push(match operand {
                    Operand::Variable(variable) if variable == state => Development::Same,
                    Operand::Variable(variable) => operations.get(variable).cloned().unwrap_or(Development::Other),
                    constant @ (Operand::Real(_) | Operand::Boolean(_)) => Development::Constant(*constant),
                });
            }
        }
        developments
    }
}

/// The places, among those of the second loop, of the states that do not stay equal as assumed.
fn unequal(body: &Block, first: usize, same: &[Option<usize>]) -> Vec<usize> {
    let mut wrong = vec![false; same.len()];
    for operands in body.repeats() {
        for (place, (same, wrong)) in same.iter().zip(&mut wrong).enumerate() {
            *wrong |= same.is_some_and(|same| operands.get(same) != operands.get(first + place));
        }
    }
    wrong.iter().enumerate().filter(|(_, wrong)| **wrong).map(|(place, _)| place).collect()
}

/// For each of the last `count` results the equal one among the `first` before them.
pub fn equal_results(body: &Block, first: usize, count: usize) -> Vec<Option<usize>> {
    let mut same: Vec<Vec<bool>> = vec![vec![true; first]; count];
    for results in body.yields() {
        for (place, same) in same.iter_mut().enumerate() {
            for (other, same) in same.iter_mut().enumerate() {
                *same &= results.get(other) == results.get(first + place);
            }
        }
    }
    // The result at the same place is the likeliest.
    let equal = |(place, same): (usize, &Vec<bool>)| {
        let at_place = (same.get(place) == Some(&true)).then_some(place);
        at_place.or_else(|| same.iter().position(|same| *same))
    };
    same.iter().enumerate().map(equal).collect()
}

/// Returns true for statements that are merged in pairs.
pub fn is_construct(statement: &Statement) -> bool {
    matches!(statement, Statement::Bind { .. } | Statement::Loop { .. } | Statement::Call { .. })
}

/// Returns true for loops, calls, and binds that contain one.
pub fn contains_loop_or_call(statement: &Statement) -> bool {
    let is_either = |inner: &Statement| matches!(inner, Statement::Loop { .. } | Statement::Call { .. });
    match statement {
        Statement::Bind { .. } => statement.with_inner().any(is_either),
        other => is_either(other),
    }
}

/// The merged function for two calls, its arguments, and for each result of the second function the result of the first
/// that is equal.
pub struct MergedCall {
    pub function: FunctionId,
    pub arguments: Vec<Operand>,
    pub same: Vec<Option<usize>>,
}
