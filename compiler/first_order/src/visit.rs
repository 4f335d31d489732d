//! The parts of statements and ends - targets, operands, nested blocks, callees -, once for every pass, and the walks over blocks.

use super::effects::Effect;
use super::{Block, End, FunctionId, Operand, Statement, Storage, Variable};
use std::collections::HashMap;
use vlad_table::Operation;

/// The targets of a statement, borrowed in one of two ways.
macro_rules! targets {
    ($statement:expr, $from_one:path, $of_storage:path) => {
        match $statement {
            Statement::Storage(storage) => $of_storage(storage),
            Statement::Operation { target, .. }
            | Statement::PositiveZero { target, .. }
            | Statement::Compare { target, .. }
            | Statement::Input { target, .. }
            | Statement::Array { target, .. }
            | Statement::Element { target, .. }
            | Statement::Replace { target, .. }
            | Statement::Length { target, .. }
            | Statement::IsIndex { target, .. }
            | Statement::CompareArrays { target, .. }
            | Statement::Zeros { target, .. }
            | Statement::Accumulators { target, .. }
            | Statement::Load { target, .. }
            | Statement::Steps { target }
            | Statement::Cell { target, .. }
            | Statement::Read { target } => $from_one(target),
            Statement::Bind { targets, .. }
            | Statement::Loop { targets, .. }
            | Statement::Call { targets, .. }
            | Statement::Forward { targets, .. }
            | Statement::Reverse { targets, .. }
            | Statement::Pop { targets, .. }
            | Statement::Build { targets, .. }
            | Statement::Parts { targets, .. }
            | Statement::Act { targets, .. } => targets,
            Statement::Write { .. }
            | Statement::Push { .. }
            | Statement::Store { .. }
            | Statement::Recount { .. }
            | Statement::Count { .. } => Default::default(),
        }
    };
}

/// Visits the operands of a statement, borrowed in one of two ways: `iter` or `iter_mut`.
macro_rules! visit_operands {
    ($statement:expr, $iter:ident, $visit:ident, $visit_storage:ident) => {
        match $statement {
            Statement::Operation { first, second, .. } => {
                $visit(first);
                second.$iter().for_each(&mut $visit);
            }
            Statement::PositiveZero { operand, .. }
            | Statement::Build { length: operand, .. }
            | Statement::Length { array: operand, .. }
            | Statement::Parts { cell: operand, .. }
            | Statement::Zeros { like: operand, .. }
            | Statement::Accumulators { like: operand, .. } => $visit(operand),
            Statement::Compare { first, second, .. }
            | Statement::CompareArrays { first, second, .. }
            | Statement::Element { array: first, index: second, .. }
            | Statement::IsIndex { array: first, index: second, .. }
            | Statement::Load { array: first, index: second, .. }
            | Statement::Recount { before: first, after: second } => {
                $visit(first);
                $visit(second);
            }
            Statement::Store { array, index, value } | Statement::Replace { array, index, value, .. } => {
                $visit(array);
                $visit(index);
                $visit(value);
            }
            Statement::Loop { initial: operands, .. }
            | Statement::Call { arguments: operands, .. }
            | Statement::Write { leaves: operands, .. }
            | Statement::Act { operands, .. }
            | Statement::Array { elements: operands, .. }
            | Statement::Cell { parts: operands, .. }
            | Statement::Push { values: operands, .. } => operands.$iter().for_each(&mut $visit),
            Statement::Forward { arguments, tangents, .. } => {
                arguments.$iter().chain(tangents.$iter().flatten()).for_each(&mut $visit);
            }
            Statement::Reverse { arguments, cotangents, .. } => {
                arguments.$iter().chain(cotangents.$iter()).for_each(&mut $visit);
            }
            Statement::Bind { .. }
            | Statement::Input { .. }
            | Statement::Read { .. }
            | Statement::Pop { .. }
            | Statement::Steps { .. }
            | Statement::Count { .. } => {}
            Statement::Storage(storage) => storage.$visit_storage(&mut $visit),
        }
    };
}

impl Operand {
    /// Replaces the operand if it is a variable with a value.
    pub fn substitute(&mut self, values: &HashMap<Variable, Operand>) {
        if let Operand::Variable(variable) = self
            && let Some(value) = values.get(variable)
        {
            *self = *value;
        }
    }
}

impl Statement {
    /// Returns true if the statement is a call or a bind whose results are what its block yields, the end of which is given: if it
    /// is the last one, it is in tail position.
    pub fn has_results_of(&self, end: &End) -> bool {
        let is_such = matches!(self, Statement::Call { .. } | Statement::Bind { .. });
        let results = self.targets().iter().map(|target| Operand::Variable(*target));
        is_such && matches!(end, End::Yield(end) if results.eq(end.iter().copied()))
    }

    /// The variables that the statement assigns in the block where it stands, in order.
    pub fn targets(&self) -> &[Variable] {
        targets!(self, std::slice::from_ref, Storage::targets)
    }

    /// The same variables, to be changed.
    pub fn targets_mut(&mut self) -> &mut [Variable] {
        targets!(self, std::slice::from_mut, Storage::targets_mut)
    }

    /// The variables that the statement assigns for its nested block: the state of a loop, the index of a build.
    pub fn inner_variables(&self) -> &[Variable] {
        if let Statement::Loop { state, .. } = self {
            return state;
        }
        if let Statement::Storage(storage) = self {
            return storage.inner_variables();
        }
        if let Statement::Build { index, .. } = self { std::slice::from_ref(index) } else { &[] }
    }

    /// The same variables, to be changed.
    pub fn inner_variables_mut(&mut self) -> &mut [Variable] {
        if let Statement::Loop { state, .. } = self {
            return state;
        }
        if let Statement::Storage(storage) = self {
            return storage.inner_variables_mut();
        }
        if let Statement::Build { index, .. } = self { std::slice::from_mut(index) } else { &mut [] }
    }

    /// All variables that the statement assigns: in its block, and for its nested block.
    pub fn assigned(&self) -> impl Iterator<Item = Variable> {
        self.targets().iter().chain(self.inner_variables()).copied()
    }

    /// The statement and all statements in its block, in the order of their text.
    pub fn with_inner(&self) -> impl Iterator<Item = &Statement> {
        std::iter::once(self).chain(self.block().into_iter().flat_map(Block::all_statements))
    }

    /// Returns true if the statement executes its nested block more than once, or never.
    pub fn repeats(&self) -> bool {
        self.effect() == Effect::Repeated
    }

    /// The operands that the statement itself reads, in order; not those of nested blocks.
    pub fn operands(&self) -> Vec<Operand> {
        let mut found = Vec::new();
        let mut add = |operand: &Operand| found.push(*operand);
        visit_operands!(self, iter, add, each_operand);
        found
    }

    /// The variables that the statement and all statements in its block read.
    pub fn variables_read(&self) -> impl Iterator<Item = Variable> {
        let inside = self.block().into_iter().flat_map(Block::all_operands);
        self.operands().into_iter().chain(inside).filter_map(Operand::variable)
    }

    /// Changes each operand that the statement itself reads.
    pub fn change_operands(&mut self, mut change: impl FnMut(&mut Operand)) {
        visit_operands!(self, iter_mut, change, change_operands);
    }

    /// The block nested in the statement.
    pub fn block(&self) -> Option<&Block> {
        let (Statement::Bind { block, .. }
        | Statement::Loop { body: block, .. }
        | Statement::Build { body: block, .. }
        | Statement::Storage(Storage::For { body: block, .. })) = self
        else {
            return None;
        };
        Some(block)
    }

    /// The same block, to be changed.
    pub fn block_mut(&mut self) -> Option<&mut Block> {
        let (Statement::Bind { block, .. }
        | Statement::Loop { body: block, .. }
        | Statement::Build { body: block, .. }
        | Statement::Storage(Storage::For { body: block, .. })) = self
        else {
            return None;
        };
        Some(block)
    }

    /// The operation of the table that the statement executes.
    pub fn operation(&self) -> Option<Operation> {
        if let Statement::Operation { operation, .. } = self { Some(*operation) } else { None }
    }

    /// Returns true if the statement calls a function at a new level of differentiation.
    pub fn begins_level(&self) -> bool {
        matches!(self, Statement::Forward { .. } | Statement::Reverse { .. })
    }

    /// The function that the statement calls, at whatever level.
    pub fn callee(&self) -> Option<FunctionId> {
        let (Statement::Call { function, .. }
        | Statement::Forward { function, .. }
        | Statement::Reverse { function, .. }) = self
        else {
            return None;
        };
        Some(*function)
    }

    /// The same function, to be changed.
    pub fn callee_mut(&mut self) -> Option<&mut FunctionId> {
        let (Statement::Call { function, .. }
        | Statement::Forward { function, .. }
        | Statement::Reverse { function, .. }) = self
        else {
            return None;
        };
        Some(function)
    }
}

impl End {
    /// The operands of the end itself; not those of nested blocks.
    pub fn operands(&self) -> &[Operand] {
        match self {
            End::Yield(operands) | End::Repeat(operands) => operands,
            End::Branch { test, .. } => std::slice::from_ref(test),
            End::BailOut(_) => &[],
        }
    }

    /// The same operands, to be changed.
    pub fn operands_mut(&mut self) -> &mut [Operand] {
        match self {
            End::Yield(operands) | End::Repeat(operands) => operands,
            End::Branch { test, .. } => std::slice::from_mut(test),
            End::BailOut(_) => &mut [],
        }
    }

    /// The variables that the end and all blocks in it read.
    pub fn variables_read(&self) -> impl Iterator<Item = Variable> {
        let inside = self.blocks().into_iter().flatten().flat_map(Block::all_operands);
        self.operands().iter().copied().chain(inside).filter_map(Operand::variable)
    }

    /// The values that it yields.
    pub fn yielded(&self) -> Option<&[Operand]> {
        if let End::Yield(values) = self { Some(values) } else { None }
    }

    /// The state with which it repeats a loop.
    pub fn repeated(&self) -> Option<&[Operand]> {
        if let End::Repeat(values) = self { Some(values) } else { None }
    }

    /// The two blocks of a branch.
    pub fn blocks(&self) -> Option<[&Block; 2]> {
        match self {
            End::Branch { consequent, alternative, .. } => Some([consequent, alternative]),
            End::Yield(_) | End::Repeat(_) | End::BailOut(_) => None,
        }
    }

    /// The same blocks, to be changed.
    pub fn blocks_mut(&mut self) -> Option<[&mut Block; 2]> {
        match self {
            End::Branch { consequent, alternative, .. } => Some([consequent, alternative]),
            End::Yield(_) | End::Repeat(_) | End::BailOut(_) => None,
        }
    }
}

impl Block {
    /// The statements of the block and of all blocks in it, in the order of their text.
    pub fn all_statements(&self) -> impl Iterator<Item = &Statement> {
        let mut pending = vec![(self.statements.iter(), &self.end)];
        std::iter::from_fn(move || {
            loop {
                let (statements, end) = pending.last_mut()?;
                if let Some(statement) = statements.next() {
                    pending.extend(statement.block().map(|block| (block.statements.iter(), &block.end)));
                    return Some(statement);
                }
                let blocks = end.blocks();
                pending.pop();
                pending.extend(blocks.into_iter().flatten().rev().map(|block| (block.statements.iter(), &block.end)));
            }
        })
    }

    /// The block and all blocks in it, each before those in it.
    pub fn all_blocks(&self) -> impl Iterator<Item = &Block> {
        let mut pending = vec![self];
        std::iter::from_fn(move || {
            let block = pending.pop()?;
            let first = pending.len();
            pending.extend(block.statements.iter().filter_map(Statement::block));
            pending.extend(block.end.blocks().into_iter().flatten());
            pending.get_mut(first..).into_iter().for_each(<[&Block]>::reverse);
            Some(block)
        })
    }

    /// The operands that the block and all blocks in it read, those of each block together.
    pub fn all_operands(&self) -> impl Iterator<Item = Operand> {
        self.all_blocks().flat_map(|block| {
            let of_end = block.end.operands().iter().copied();
            block.statements.iter().flat_map(Statement::operands).chain(of_end)
        })
    }

    /// The blocks in which paths through the construct end whose block this is, in the order of their text: their ends are no
    /// branches.
    pub fn leaves(&self) -> impl Iterator<Item = &Block> {
        let mut pending = vec![self];
        std::iter::from_fn(move || {
            loop {
                let block = pending.pop()?;
                match block.end.blocks() {
                    None => return Some(block),
                    Some(blocks) => pending.extend(blocks.into_iter().rev()),
                }
            }
        })
    }

    /// The values that are yielded at the ends of its paths.
    pub fn yields(&self) -> impl Iterator<Item = &[Operand]> {
        self.leaves().filter_map(|leaf| leaf.end.yielded())
    }

    /// The states with which the loop whose body this is is repeated.
    pub fn repeats(&self) -> impl Iterator<Item = &[Operand]> {
        self.leaves().filter_map(|leaf| leaf.end.repeated())
    }

    /// Changes the blocks in which paths through the construct end whose block this is.
    pub fn change_leaves(&mut self, change: &mut impl FnMut(&mut Block)) {
        if let End::Branch { consequent, alternative, .. } = &mut self.end {
            consequent.change_leaves(change);
            alternative.change_leaves(change);
        } else {
            change(self);
        }
    }

    /// Changes each statement of the block and of all blocks in it; inner ones after the statement that has them.
    pub fn change_statements(&mut self, change: &mut impl FnMut(&mut Statement)) {
        for statement in &mut self.statements {
            change(statement);
            if let Some(block) = statement.block_mut() {
                block.change_statements(change);
            }
        }
        for block in self.end.blocks_mut().into_iter().flatten() {
            block.change_statements(change);
        }
    }

    /// Rewrites the statements of the block and of all blocks in it, inner ones before the statement that has them: the function
    /// appends to a list the statements that take the place of one.
    pub fn rewrite(&mut self, rewrite: &mut impl FnMut(Statement, &mut Vec<Statement>)) {
        for mut statement in std::mem::take(&mut self.statements) {
            if let Some(block) = statement.block_mut() {
                block.rewrite(rewrite);
            }
            rewrite(statement, &mut self.statements);
        }
        for block in self.end.blocks_mut().into_iter().flatten() {
            block.rewrite(rewrite);
        }
    }

    /// Changes all variables and operands: first the operands, then the targets of each statement.
    pub fn rename(&mut self, operand: &mut impl FnMut(&mut Operand), target: &mut impl FnMut(&mut Variable)) {
        for statement in &mut self.statements {
            statement.change_operands(&mut *operand);
            statement.targets_mut().iter_mut().for_each(&mut *target);
            statement.inner_variables_mut().iter_mut().for_each(&mut *target);
            if let Some(block) = statement.block_mut() {
                block.rename(operand, target);
            }
        }
        self.end.operands_mut().iter_mut().for_each(&mut *operand);
        for block in self.end.blocks_mut().into_iter().flatten() {
            block.rename(operand, target);
        }
    }

    /// Replaces variables by operands, wherever they are read.
    pub fn substitute(&mut self, values: &HashMap<Variable, Operand>) {
        self.rename(&mut |operand| operand.substitute(values), &mut |_| {});
    }

    /// Leaves the counts of steps out: as many as none have been counted at each place.
    pub fn remove_counts(&mut self) {
        self.rewrite(&mut |statement, kept| match statement {
            Statement::Count { .. } | Statement::Recount { .. } => {}
            Statement::Steps { target } => kept.push(Statement::Operation {
                target,
                operation: Operation::Copy,
                first: Operand::real(0.0),
                second: None,
            }),
            other => kept.push(other),
        });
    }

    /// The number of statements and ends, in all blocks.
    pub fn size(&self) -> usize {
        self.all_blocks().map(|block| block.statements.len() + 1).sum()
    }

    /// The number of operands and targets of statements and ends, in all blocks.
    pub fn operand_count(&self) -> usize {
        let targets: usize = self.all_statements().map(|statement| statement.targets().len()).sum();
        targets + self.all_operands().count()
    }

    /// The depth of nested blocks: 1 if there are none inside.
    pub fn depth(&self) -> usize {
        let inner = self.statements.iter().filter_map(Statement::block).chain(self.end.blocks().into_iter().flatten());
        1 + inner.map(Block::depth).max().unwrap_or(0)
    }
}
