//! The checker of the code that the machine runs: runs after [`crate::lowering`], in tests.
//!
//! It is independent of the translation of operands to places and of arguments to moves. It follows each block through
//! the store and tracks the set of registers that hold a value: a register that is read holds one, a register that is
//! written is empty, and the end leaves to the next block exactly the registers that it takes over. So no register is
//! lost, and no dead value is kept. The tests of [`crate::moves`] check exhaustively that each argument arrives at its
//! own parameter.

use crate::code::{Block, Code, End, Index, Location, Move, Operation, PatternStep, SlotSource};
use std::collections::BTreeSet;
use vlad_cps::{self, BlockId, Instruction};

/// Checks the code of a program against the converted program that it was made from, and by itself.
///
/// # Errors
/// Returns the invariant that does not hold, with the block.
pub fn check(code: &Code<'_>) -> Result<(), String> {
    let layout = code.layout;
    if ![0, layout.primitives, layout.globals, layout.registers, layout.spare, layout.end].is_sorted() {
        return Err("the parts of the store are in order".to_owned());
    }
    if code.blocks.len() != code.converted.blocks.len() {
        return Err("each block of the converted program has its block".to_owned());
    }
    for (number, (block, converted)) in code.blocks.iter().zip(&code.converted.blocks).enumerate() {
        let checked = check_origins(block, converted).and_then(|()| check_registers(code, block));
        checked.map_err(|message| format!("block {number}: {message}"))?;
    }
    Ok(())
}

/// Checks that each instruction is a step that is counted, or the origin of the operation at its place.
fn check_origins(block: &Block, converted: &vlad_cps::Block) -> Result<(), String> {
    let (mut steps, mut origins) = (0, Vec::new());
    for (instruction, place) in converted.instructions.iter().zip(0..) {
        match instruction {
            Instruction::Step(_) => steps += 1,
            Instruction::Defined { .. }
            | Instruction::Pair { .. }
            | Instruction::Close { .. }
            | Instruction::Tie { .. }
            | Instruction::Apply { .. }
            | Instruction::Match { .. }
            | Instruction::Drop(_) => origins.push(place),
        }
    }
    if block.steps != steps || *block.origins != *origins || block.operations.len() != origins.len() {
        return Err("its steps and operations are those of the converted block".to_owned());
    }
    Ok(())
}

/// Follows a block through the store.
fn check_registers(code: &Code<'_>, block: &Block) -> Result<(), String> {
    let mut held = FilledRegisters { code, registers: BTreeSet::new() };
    held.write_all(block.free.iter().chain(&block.parameters))?;
    block.operations.iter().try_for_each(|operation| held.operation(operation))?;
    held.end(&block.end)
}

/// The registers that hold a value.
struct FilledRegisters<'code> {
    code: &'code Code<'code>,
    registers: BTreeSet<Index>,
}

impl FilledRegisters<'_> {
    fn read(&mut self, place: Location) -> Result<(), String> {
        let layout = self.code.layout;
        match place {
            Location::Kept(index) if index < layout.registers => Ok(()),
            Location::Kept(register) if self.registers.contains(&register) => Ok(()),
            Location::Moved(register) if self.registers.remove(&register) => Ok(()),
            Location::Kept(register) | Location::Moved(register) => {
                Err(format!("register {register} is read but empty"))
            }
            Location::Slot(_) | Location::Sibling(_) => Ok(()),
        }
    }

    fn read_all(&mut self, places: &[Location]) -> Result<(), String> {
        places.iter().try_for_each(|place| self.read(*place))
    }

    fn write(&mut self, register: Index) -> Result<(), String> {
        let layout = self.code.layout;
        if !(layout.registers..layout.end).contains(&register) {
            return Err(format!("{register} is written but no register"));
        }
        match self.registers.insert(register) {
            true => Ok(()),
            false => Err(format!("register {register} is written but not empty")),
        }
    }

    fn write_all<'index>(&mut self, registers: impl IntoIterator<Item = &'index Index>) -> Result<(), String> {
        registers.into_iter().try_for_each(|register| self.write(*register))
    }

    fn operation(&mut self, operation: &Operation) -> Result<(), String> {
        match operation {
            Operation::Defined { .. } => Ok(()),
            Operation::Pair { to, first, second }
            | Operation::Binary { to, first, second, .. }
            | Operation::Element { to, first, second, .. }
            | Operation::Compare { to, first, second, .. } => {
                self.read_all(&[*first, *second])?;
                self.write(*to)
            }
            Operation::Close { to, captures: operands, .. } | Operation::ApplyTuple { to, operands, .. } => {
                self.read_all(operands)?;
                self.write(*to)
            }
            Operation::Tie { members, captures } => {
                self.read_all(captures)?;
                self.write_all(members.iter().map(|(register, _)| register))
            }
            Operation::Unary { to, operand, .. }
            | Operation::AgainstZero { to, operand, .. }
            | Operation::Ask { to, operand, .. }
            | Operation::First { to, operand }
            | Operation::Second { to, operand }
            | Operation::Apply { to, operand, .. } => {
                self.read(*operand)?;
                self.write(*to)
            }
            Operation::Match { pattern, argument, .. } => {
                self.read(*argument)?;
                pattern.iter().try_for_each(|step| match step {
                    PatternStep::Bind(register) => self.write(*register),
                    PatternStep::Pair | PatternStep::Constant(_) => Ok(()),
                })
            }
            Operation::Drop { register } => self.read(Location::Moved(*register)),
        }
    }

    fn end(mut self, end: &End) -> Result<(), String> {
        match end {
            End::Return(value) => {
                self.read(*value)?;
                self.expect(&[], &[])
            }
            End::Jump { block, moves } => {
                self.carry(&moves.before)?;
                self.carry(&moves.after)?;
                let next = self.code.block(*block);
                self.expect(&next.free, &next.parameters)
            }
            End::Branch { test, consequent, alternative } => {
                self.read(*test)?;
                [consequent, alternative]
                    .into_iter()
                    .try_for_each(|next| self.expect(&self.code.block(*next).free, &[]))
            }
            End::Call { operator, operands, call } => {
                self.read(*operator)?;
                self.read_all(operands)?;
                self.save(call.then)?;
                self.expect(&[], &[])
            }
            End::Enter { block, slots, moves, call } => {
                match slots {
                    SlotSource::Nothing | SlotSource::Own => {}
                    SlotSource::Drop(register) => self.read(Location::Moved(*register))?,
                    SlotSource::Of(operator) => self.read(*operator)?,
                }
                self.carry(&moves.before)?;
                self.save(call.then)?;
                self.carry(&moves.after)?;
                self.expect(&[], &self.code.block(*block).parameters)
            }
        }
    }

    fn carry(&mut self, moves: &[Move]) -> Result<(), String> {
        moves.iter().try_for_each(|one| {
            self.read(one.from)?;
            self.write(one.to)
        })
    }

    /// Moves the values that the awaiting block needs to a frame.
    fn save(&mut self, then: Option<BlockId>) -> Result<(), String> {
        let Some(then) = then else { return Ok(()) };
        self.code.block(then).free.iter().try_for_each(|register| self.read(Location::Moved(*register)))
    }

    fn expect(&self, free: &[Index], parameters: &[Index]) -> Result<(), String> {
        let expected: BTreeSet<Index> = free.iter().chain(parameters).copied().collect();
        match self.registers == expected {
            true => Ok(()),
            false => Err(format!("registers {:?} hold something at its end, not {expected:?}", self.registers)),
        }
    }
}
