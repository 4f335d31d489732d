//! The parts of statements: targets, operands and nested blocks, once for every pass.

use super::{Block, End, FunctionId, Operand, Statement, Storage, Variable};
use std::collections::HashMap;

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
        match self {
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
            | Statement::Read { target } => std::slice::from_ref(target),
            Statement::Bind { targets, .. }
            | Statement::Loop { targets, .. }
            | Statement::Call { targets, .. }
            | Statement::Forward { targets, .. }
            | Statement::Reverse { targets, .. }
            | Statement::Pop { targets, .. }
            | Statement::Build { targets, .. }
            | Statement::Parts { targets, .. }
            | Statement::Tape { targets, .. } => targets,
            Statement::Storage(storage) => storage.targets(),
            Statement::Write { .. }
            | Statement::Push { .. }
            | Statement::Store { .. }
            | Statement::Recount { .. }
            | Statement::Count { .. } => &[],
        }
    }

    /// The same variables, to be changed.
    pub fn targets_mut(&mut self) -> &mut [Variable] {
        match self {
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
            | Statement::Read { target } => std::slice::from_mut(target),
            Statement::Bind { targets, .. }
            | Statement::Loop { targets, .. }
            | Statement::Call { targets, .. }
            | Statement::Forward { targets, .. }
            | Statement::Reverse { targets, .. }
            | Statement::Pop { targets, .. }
            | Statement::Build { targets, .. }
            | Statement::Parts { targets, .. }
            | Statement::Tape { targets, .. } => targets,
            Statement::Storage(storage) => storage.targets_mut(),
            Statement::Write { .. }
            | Statement::Push { .. }
            | Statement::Store { .. }
            | Statement::Recount { .. }
            | Statement::Count { .. } => &mut [],
        }
    }

    /// The variables that the statement assigns for its nested block: the state of a loop, the index of a build.
    pub fn inner_variables(&self) -> &[Variable] {
        match self {
            Statement::Loop { state, .. } => state,
            Statement::Build { index, .. } => std::slice::from_ref(index),
            Statement::Storage(storage) => storage.inner_variables(),
            _ => &[],
        }
    }

    /// The same variables, to be changed.
    pub fn inner_variables_mut(&mut self) -> &mut [Variable] {
        match self {
            Statement::Loop { state, .. } => state,
            Statement::Build { index, .. } => std::slice::from_mut(index),
            Statement::Storage(storage) => storage.inner_variables_mut(),
            _ => &mut [],
        }
    }

    /// Returns true if the statement executes its nested block more than once, or never.
    pub fn repeats(&self) -> bool {
        matches!(self, Statement::Loop { .. } | Statement::Build { .. } | Statement::Storage(Storage::For { .. }))
    }

    /// The operands that the statement itself reads, in order; not those of nested blocks.
    pub fn operands(&self) -> Vec<Operand> {
        match self {
            Statement::Operation { first, second, .. } => [Some(*first), *second].into_iter().flatten().collect(),
            Statement::PositiveZero { operand, .. } => vec![*operand],
            Statement::Compare { first, second, .. } => vec![*first, *second],
            Statement::Loop { initial, .. } => initial.clone(),
            Statement::Call { arguments, .. } => arguments.clone(),
            Statement::Forward { arguments, tangents, .. } => {
                arguments.iter().copied().chain(tangents.iter().flatten().copied()).collect()
            }
            Statement::Reverse { arguments, cotangents, .. } => arguments.iter().chain(cotangents).copied().collect(),
            Statement::Write { leaves, .. } => leaves.clone(),
            Statement::Push { values, .. } => values.clone(),
            Statement::Tape { operands, .. }
            | Statement::Array { elements: operands, .. }
            | Statement::Cell { parts: operands, .. } => operands.clone(),
            Statement::Build { length, .. } => vec![*length],
            Statement::Element { array, index, .. }
            | Statement::IsIndex { array, index, .. }
            | Statement::Load { array, index, .. } => vec![*array, *index],
            Statement::Length { array: operand, .. } | Statement::Parts { cell: operand, .. } => vec![*operand],
            Statement::CompareArrays { first, second, .. } => vec![*first, *second],
            Statement::Zeros { like, .. } | Statement::Accumulators { like, .. } => vec![*like],
            Statement::Store { array, index, value } | Statement::Replace { array, index, value, .. } => {
                vec![*array, *index, *value]
            }
            Statement::Recount { before, after } => vec![*before, *after],
            Statement::Storage(storage) => storage.operands(),
            Statement::Bind { .. }
            | Statement::Input { .. }
            | Statement::Read { .. }
            | Statement::Pop { .. }
            | Statement::Steps { .. }
            | Statement::Count { .. } => Vec::new(),
        }
    }

    /// Changes each operand that the statement itself reads.
    pub fn change_operands(&mut self, mut change: impl FnMut(&mut Operand)) {
        match self {
            Statement::Operation { first, second, .. } => {
                change(first);
                second.iter_mut().for_each(change);
            }
            Statement::PositiveZero { operand, .. } => change(operand),
            Statement::Compare { first, second, .. } => {
                change(first);
                change(second);
            }
            Statement::Loop { initial: operands, .. }
            | Statement::Call { arguments: operands, .. }
            | Statement::Write { leaves: operands, .. }
            | Statement::Tape { operands, .. }
            | Statement::Array { elements: operands, .. }
            | Statement::Cell { parts: operands, .. }
            | Statement::Push { values: operands, .. } => operands.iter_mut().for_each(change),
            Statement::Build { length: operand, .. }
            | Statement::Length { array: operand, .. }
            | Statement::Parts { cell: operand, .. }
            | Statement::Zeros { like: operand, .. }
            | Statement::Accumulators { like: operand, .. } => change(operand),
            Statement::Element { array, index, .. }
            | Statement::IsIndex { array, index, .. }
            | Statement::Load { array, index, .. } => {
                change(array);
                change(index);
            }
            Statement::CompareArrays { first, second, .. } => {
                change(first);
                change(second);
            }
            Statement::Store { array, index, value } | Statement::Replace { array, index, value, .. } => {
                [array, index, value].into_iter().for_each(change);
            }
            Statement::Forward { arguments, tangents, .. } => {
                arguments.iter_mut().for_each(&mut change);
                tangents.iter_mut().flatten().for_each(change);
            }
            Statement::Reverse { arguments, cotangents, .. } => {
                arguments.iter_mut().for_each(&mut change);
                cotangents.iter_mut().for_each(change);
            }
            Statement::Recount { before, after } => [before, after].into_iter().for_each(change),
            Statement::Storage(storage) => storage.change_operands(&mut change),
            Statement::Bind { .. }
            | Statement::Input { .. }
            | Statement::Read { .. }
            | Statement::Pop { .. }
            | Statement::Steps { .. }
            | Statement::Count { .. } => {}
        }
    }

    /// The block nested in the statement.
    pub fn block(&self) -> Option<&Block> {
        match self {
            Statement::Bind { block, .. }
            | Statement::Loop { body: block, .. }
            | Statement::Build { body: block, .. } => Some(block),
            Statement::Storage(storage) => storage.block(),
            Statement::Operation { .. }
            | Statement::PositiveZero { .. }
            | Statement::Compare { .. }
            | Statement::Call { .. }
            | Statement::Forward { .. }
            | Statement::Reverse { .. }
            | Statement::Input { .. }
            | Statement::Read { .. }
            | Statement::Write { .. }
            | Statement::Push { .. }
            | Statement::Pop { .. }
            | Statement::Tape { .. }
            | Statement::Array { .. }
            | Statement::Element { .. }
            | Statement::Replace { .. }
            | Statement::Length { .. }
            | Statement::IsIndex { .. }
            | Statement::CompareArrays { .. }
            | Statement::Zeros { .. }
            | Statement::Accumulators { .. }
            | Statement::Load { .. }
            | Statement::Store { .. }
            | Statement::Steps { .. }
            | Statement::Recount { .. }
            | Statement::Cell { .. }
            | Statement::Parts { .. }
            | Statement::Count { .. } => None,
        }
    }

    /// The same block, to be changed.
    pub fn block_mut(&mut self) -> Option<&mut Block> {
        match self {
            Statement::Bind { block, .. }
            | Statement::Loop { body: block, .. }
            | Statement::Build { body: block, .. } => Some(block),
            Statement::Storage(storage) => storage.block_mut(),
            Statement::Operation { .. }
            | Statement::PositiveZero { .. }
            | Statement::Compare { .. }
            | Statement::Call { .. }
            | Statement::Forward { .. }
            | Statement::Reverse { .. }
            | Statement::Input { .. }
            | Statement::Read { .. }
            | Statement::Write { .. }
            | Statement::Push { .. }
            | Statement::Pop { .. }
            | Statement::Tape { .. }
            | Statement::Array { .. }
            | Statement::Element { .. }
            | Statement::Replace { .. }
            | Statement::Length { .. }
            | Statement::IsIndex { .. }
            | Statement::CompareArrays { .. }
            | Statement::Zeros { .. }
            | Statement::Accumulators { .. }
            | Statement::Load { .. }
            | Statement::Store { .. }
            | Statement::Steps { .. }
            | Statement::Recount { .. }
            | Statement::Cell { .. }
            | Statement::Parts { .. }
            | Statement::Count { .. } => None,
        }
    }

    /// The function that the statement calls, at whatever level.
    pub fn callee(&self) -> Option<FunctionId> {
        match self {
            Statement::Call { function, .. }
            | Statement::Forward { function, .. }
            | Statement::Reverse { function, .. } => Some(*function),
            Statement::Operation { .. }
            | Statement::PositiveZero { .. }
            | Statement::Compare { .. }
            | Statement::Bind { .. }
            | Statement::Loop { .. }
            | Statement::Input { .. }
            | Statement::Read { .. }
            | Statement::Write { .. }
            | Statement::Push { .. }
            | Statement::Pop { .. }
            | Statement::Tape { .. }
            | Statement::Array { .. }
            | Statement::Build { .. }
            | Statement::Element { .. }
            | Statement::Replace { .. }
            | Statement::Length { .. }
            | Statement::IsIndex { .. }
            | Statement::CompareArrays { .. }
            | Statement::Zeros { .. }
            | Statement::Accumulators { .. }
            | Statement::Load { .. }
            | Statement::Store { .. }
            | Statement::Steps { .. }
            | Statement::Recount { .. }
            | Statement::Cell { .. }
            | Statement::Parts { .. }
            | Statement::Count { .. }
            | Statement::Storage(_) => None,
        }
    }

    /// The same function, to be changed.
    pub fn callee_mut(&mut self) -> Option<&mut FunctionId> {
        match self {
            Statement::Call { function, .. }
            | Statement::Forward { function, .. }
            | Statement::Reverse { function, .. } => Some(function),
            Statement::Operation { .. }
            | Statement::PositiveZero { .. }
            | Statement::Compare { .. }
            | Statement::Bind { .. }
            | Statement::Loop { .. }
            | Statement::Input { .. }
            | Statement::Read { .. }
            | Statement::Write { .. }
            | Statement::Push { .. }
            | Statement::Pop { .. }
            | Statement::Tape { .. }
            | Statement::Array { .. }
            | Statement::Build { .. }
            | Statement::Element { .. }
            | Statement::Replace { .. }
            | Statement::Length { .. }
            | Statement::IsIndex { .. }
            | Statement::CompareArrays { .. }
            | Statement::Zeros { .. }
            | Statement::Accumulators { .. }
            | Statement::Load { .. }
            | Statement::Store { .. }
            | Statement::Steps { .. }
            | Statement::Recount { .. }
            | Statement::Cell { .. }
            | Statement::Parts { .. }
            | Statement::Count { .. }
            | Statement::Storage(_) => None,
        }
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
    /// Visits the statements of the block and of all blocks in it, in the order of their text.
    pub fn each_statement<'block>(&'block self, visit: &mut impl FnMut(&'block Statement)) {
        for statement in &self.statements {
            visit(statement);
            if let Some(block) = statement.block() {
                block.each_statement(visit);
            }
        }
        for block in self.end.blocks().into_iter().flatten() {
            block.each_statement(visit);
        }
    }

    /// Visits the blocks in which paths through the construct end whose block this is: their ends are no branches.
    pub fn each_leaf<'block>(&'block self, visit: &mut impl FnMut(&'block Block)) {
        match self.end.blocks() {
            None => visit(self),
            Some(blocks) => blocks.into_iter().for_each(|block| block.each_leaf(visit)),
        }
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

    /// Leaves the counts of steps out.
    pub fn remove_counts(&mut self) {
        self.statements.retain(|statement| !matches!(statement, Statement::Count { .. }));
        self.statements.iter_mut().filter_map(Statement::block_mut).for_each(Block::remove_counts);
        self.end.blocks_mut().into_iter().flatten().for_each(Block::remove_counts);
    }

    /// The number of statements and ends, in all blocks.
    pub fn size(&self) -> usize {
        let mut size = 0;
        self.each_block(&mut |block| size += block.statements.len() + 1);
        size
    }

    /// The number of operands and targets of statements and ends, in all blocks.
    pub fn operand_count(&self) -> usize {
        let mut count = 0;
        self.each_block(&mut |block| {
            let statements = block.statements.iter();
            count += statements.map(|statement| statement.operands().len() + statement.targets().len()).sum::<usize>();
            count += block.end.operands().len();
        });
        count
    }

    /// Visits the block and all blocks in it, each before those in it.
    pub fn each_block<'block>(&'block self, visit: &mut impl FnMut(&'block Block)) {
        visit(self);
        for block in self.statements.iter().filter_map(Statement::block).chain(self.end.blocks().into_iter().flatten())
        {
            block.each_block(visit);
        }
    }

    /// The depth of nested blocks: 1 if there are none inside.
    pub fn depth(&self) -> usize {
        let inner = self.statements.iter().filter_map(Statement::block).chain(self.end.blocks().into_iter().flatten());
        1 + inner.map(Block::depth).max().unwrap_or(0)
    }
}
