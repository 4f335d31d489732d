//! The residual code of one instance, under construction.
//!
//! Statements go to the innermost open block. Invariant: a block is closed as often as it was opened, also where its
//! evaluation stops early.

use super::execution::Place;
use std::collections::HashMap;
use vlad_core::ExpressionId;
use vlad_first_order::{Block, End, Function, Kind, Operand, Relation, Statement, Variable};
use vlad_table::{Comparison, Operation, internal_bug};

/// A function under construction.
#[derive(Debug)]
pub struct Code {
    function: Function,
    /// The open blocks, innermost last.
    open: Vec<OpenBlock>,
    /// For the results of negations what they negate.
    negations: HashMap<Operand, Operand>,
}

/// A block whose end is not known yet.
#[derive(Debug, Default)]
struct OpenBlock {
    statements: Vec<Statement>,
    /// The steps that its nodes take.
    steps: u64,
    /// Those of them that were taken when the last statement was added.
    before_last: u64,
}

impl Code {
    /// A function with parameters of these kinds, whose body is open.
    pub fn new(name: String, parameters: &[Kind]) -> Code {
        let mut function = Function {
            name,
            variables: Vec::new(),
            parameters: Vec::new(),
            results: Vec::new(),
            body: Block::default(),
        };
        function.parameters = parameters.iter().map(|kind| function.fresh(*kind)).collect();
        Code { function, open: vec![OpenBlock::default()], negations: HashMap::new() }
    }

    /// The parameters.
    pub fn parameters(&self) -> Vec<Operand> {
        self.function.parameters.iter().map(|parameter| Operand::Variable(*parameter)).collect()
    }

    /// Adds a variable.
    pub fn fresh(&mut self, kind: Kind) -> Variable {
        self.function.fresh(kind)
    }

    fn innermost(&mut self) -> &mut OpenBlock {
        match self.open.last_mut() {
            Some(open) => open,
            None => internal_bug!("a block is open"),
        }
    }

    /// Adds a statement to the innermost open block.
    pub fn add(&mut self, statement: Statement) {
        let block = self.innermost();
        block.statements.push(statement);
        block.before_last = block.steps;
    }

    /// Adds a statement, and returns its place.
    pub fn add_at(&mut self, statement: Statement) -> Place {
        let place = Place { depth: self.open.len(), index: self.innermost().statements.len() };
        self.add(statement);
        place
    }

    /// Gives a call in reverse mode that has nothing to sweep yet what another statement sweeps. Returns its targets; none
    /// if that is another call, or has a place after other statements than inputs.
    pub fn seed(&mut self, place: Place, sweep: &Statement) -> Option<Vec<Variable>> {
        let Statement::Reverse { function, arguments, active, cotangents, .. } = sweep else { return None };
        let (before, after) = match self.open.last() {
            Some(open) if self.open.len() == place.depth => open.statements.split_at_checked(place.index + 1)?,
            Some(_) | None => return None,
        };
        let is_call = match before.last() {
            Some(Statement::Reverse { targets, function: of, arguments: on, active, .. }) => {
                let is_result = |operand: &Operand| targets.iter().any(|target| Operand::Variable(*target) == *operand);
                of == function && on == arguments && !active.contains(&true) && !cotangents.iter().any(is_result)
            }
            Some(_) | None => false,
        };
        if !is_call || !after.iter().all(|statement| matches!(statement, Statement::Input { .. })) {
            return None;
        }
        let gradient: Vec<Variable> =
            active.iter().filter(|active| **active).map(|_| self.function.fresh(Kind::Real)).collect();
        let statements = &mut self.innermost().statements;
        // The inputs may be the cotangents.
        if let Some(moved) = statements.get_mut(place.index..) {
            moved.rotate_left(1);
        }
        match statements.last_mut() {
            Some(Statement::Reverse { targets, active: swept, cotangents: of, .. }) => {
                targets.extend(gradient);
                swept.clone_from(active);
                of.clone_from(cotangents);
                Some(targets.clone())
            }
            _ => internal_bug!("the call is the last statement now"),
        }
    }

    /// Counts a step in the innermost open block.
    pub fn count_step(&mut self) {
        self.innermost().steps += 1;
    }

    /// The depth of open blocks.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Opens a block.
    pub fn open(&mut self) {
        self.open.push(OpenBlock::default());
    }

    /// Closes the innermost block.
    pub fn close(&mut self, end: End) -> Block {
        let mut block = self.close_without_end();
        block.end = end;
        merge_tail(&mut block);
        block
    }

    /// Opens a closed block again.
    pub fn reopen(&mut self, block: Block) {
        self.open.push(OpenBlock { statements: block.statements, steps: 0, before_last: 0 });
    }

    /// Closes the innermost block, whose end is to be set.
    pub fn close_without_end(&mut self) -> Block {
        let Some(OpenBlock { mut statements, mut steps, before_last }) = self.open.pop() else {
            internal_bug!("a block that is closed is open")
        };
        // If the block has the value of a call, the steps after that are all that tells it from one in tail position.
        let later = steps - before_last;
        if later > 0 && matches!(statements.last(), Some(Statement::Call { .. } | Statement::Bind { .. })) {
            steps = before_last;
            statements.push(Statement::Count { steps: later });
        }
        if steps > 0 {
            statements.insert(0, Statement::Count { steps });
        }
        Block { statements, end: End::Yield(Vec::new()) }
    }

    /// Closes the body, and returns the function.
    pub fn finish(mut self, end: End, results: Vec<Kind>) -> Function {
        self.function.body = self.close(end);
        self.function.results = results;
        self.function
    }

    /// Adds an operation, and returns its result. A guarded product is never -0. A statement behind it makes that hold however it is
    /// computed, so that [`passes::guards`](vlad_first_order::passes::guards) may take a plain product instead.
    pub fn operation(&mut self, operation: Operation, first: Operand, second: Option<Operand>) -> Operand {
        let mut target = self.fresh(Kind::Real);
        self.add(Statement::Operation { target, operation, first, second });
        if operation == Operation::GuardedMultiply {
            let operand = Operand::Variable(target);
            target = self.fresh(Kind::Real);
            self.add(Statement::PositiveZero { target, operand });
        }
        Operand::Variable(target)
    }

    /// Adds a comparison, and returns its result.
    pub fn compare(&mut self, comparison: Comparison, first: Operand, second: Operand) -> Operand {
        let target = self.fresh(Kind::Boolean);
        self.add(Statement::Compare { target, comparison, first, second });
        Operand::Variable(target)
    }

    /// Adds a comparison of arrays, and returns its result.
    pub fn compare_arrays(&mut self, relation: Relation, first: Operand, second: Operand) -> Operand {
        let target = self.fresh(Kind::Boolean);
        self.add(Statement::CompareArrays { target, relation, first, second });
        Operand::Variable(target)
    }

    /// Adds the sum of two arrays of the same lengths, element by element.
    pub fn sum_of_arrays(&mut self, first: Operand, second: Operand) -> Operand {
        let kind = self.kind(first);
        let Some(of_element) = kind.element() else {
            return self.operation(Operation::Add, first, Some(second));
        };
        let (length, index, target) = (self.fresh(Kind::Real), self.fresh(Kind::Real), self.fresh(kind));
        self.add(Statement::Length { target: length, array: first });
        self.open();
        let [first, second] = [first, second].map(|array| {
            let element = self.fresh(of_element);
            self.add(Statement::Element { target: element, array, index: index.into() });
            Operand::Variable(element)
        });
        let sum = self.sum_of_arrays(first, second);
        let body = self.close(End::Yield(vec![sum]));
        self.add(Statement::Build { targets: vec![target], length: length.into(), index, body });
        Operand::Variable(target)
    }

    /// Returns the kind of an operand.
    pub fn kind(&self, operand: Operand) -> Kind {
        self.function.kind(operand)
    }

    /// Adds a choice between two blocks, and returns the variables of the given kinds that they yield.
    pub fn choose(&mut self, test: Operand, consequent: Block, alternative: Block, kinds: &[Kind]) -> Vec<Operand> {
        let targets: Vec<Variable> = kinds.iter().map(|kind| self.fresh(*kind)).collect();
        let end = End::Branch { test, consequent: Box::new(consequent), alternative: Box::new(alternative) };
        self.add(Statement::Bind { targets: targets.clone(), block: Block { statements: Vec::new(), end } });
        targets.into_iter().map(Operand::Variable).collect()
    }

    /// The negation of a boolean.
    pub fn not(&mut self, test: Operand) -> Operand {
        let negation = self.choose_boolean(test, Operand::Boolean(false), Operand::Boolean(true));
        self.negations.insert(negation, test);
        negation
    }

    /// The boolean that an operand is the negation of.
    pub fn negated(&self, operand: Operand) -> Option<Operand> {
        self.negations.get(&operand).copied()
    }

    /// The conjunction of two booleans.
    pub fn and(&mut self, first: Operand, second: Operand) -> Operand {
        self.choose_boolean(first, second, Operand::Boolean(false))
    }

    /// The disjunction of two booleans.
    pub fn or(&mut self, first: Operand, second: Operand) -> Operand {
        self.choose_boolean(first, Operand::Boolean(true), second)
    }

    /// One of two booleans.
    pub fn choose_boolean(&mut self, test: Operand, consequent: Operand, alternative: Operand) -> Operand {
        match self.choose(test, yields(consequent), yields(alternative), &[Kind::Boolean]).first() {
            Some(result) => *result,
            None => internal_bug!("a choice of one boolean has one result"),
        }
    }

    /// Adds a test that bails out unless a boolean is true.
    pub fn require(&mut self, test: Operand, node: ExpressionId) {
        let go_on = Block::default();
        let fail = Block { statements: Vec::new(), end: End::BailOut(node) };
        self.choose(test, go_on, fail, &[]);
    }
}

/// Makes the block of a last `bind` the tail of a block that yields its targets: then the calls at its end are in tail
/// position.
pub fn merge_tail(block: &mut Block) {
    if let (Some(Statement::Bind { targets, .. }), End::Yield(results)) = (block.statements.last(), &block.end)
        && targets.iter().map(|target| Operand::Variable(*target)).eq(results.iter().copied())
        && let Some(Statement::Bind { block: tail, .. }) = block.statements.pop()
    {
        block.statements.extend(tail.statements);
        block.end = tail.end;
    }
}

fn yields(operand: Operand) -> Block {
    Block { statements: Vec::new(), end: End::Yield(vec![operand]) }
}
