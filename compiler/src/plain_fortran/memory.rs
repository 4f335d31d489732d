//! Statements on arrays, cells, stacks of records, accumulators and tapes.

use super::body::Body;
use super::unit::Refusal;
use vlad_first_order::{
    AccumulatorAction, Action, Elements, Kind, MemoryAction, Operand, Relation, Stack, Statement, TapeAction, Variable,
};

impl Body<'_, '_> {
    /// Returns a value as a word: a real.
    fn word(&mut self, value: Operand) -> String {
        let text = self.operand(value);
        match self.function.kind(value) {
            Kind::Real => text,
            Kind::Boolean => match value {
                Operand::Boolean(true) => "1D0".to_owned(),
                Operand::Boolean(false) => "0D0".to_owned(),
                Operand::Variable(_) | Operand::Real(_) => format!("VLBIT({text})"),
            },
            Kind::Array(_) | Kind::Cell | Kind::Integer => format!("DBLE({text})"),
        }
    }

    /// Assigns a variable the value of a word.
    fn assign_word(&mut self, depth: usize, target: Variable, word: &str) -> Result<(), Refusal> {
        let value = match self.function.kind(target.into()) {
            Kind::Real => word.to_owned(),
            Kind::Boolean => format!("{word} .NE. 0D0"),
            Kind::Array(_) | Kind::Cell | Kind::Integer => format!("INT({word})"),
        };
        self.assign(depth, target, &value)
    }

    /// Returns the word of an element.
    fn element(&mut self, array: Operand, index: Operand) -> String {
        let array = self.operand(array);
        match index {
            Operand::Real(bits) => format!("H({array} + {})", bits.real() as i64 + 1),
            Operand::Variable(_) | Operand::Boolean(_) => {
                let index = self.operand(index);
                format!("H({array} + 1 + INT({index}))")
            }
        }
    }

    /// Sets an element of an array.
    pub(super) fn set_element(
        &mut self,
        array: Variable,
        index: Operand,
        value: Operand,
        depth: usize,
    ) -> Result<(), Refusal> {
        let (element, value) = (self.element(array.into(), index), self.word(value));
        self.statement(depth, &format!("{element} = {value}"))
    }

    /// Makes an array or a cell.
    fn make(&mut self, target: Variable, parts: &[Operand], depth: usize) -> Result<(), Refusal> {
        if parts.is_empty() {
            return self.assign(depth, target, "0");
        }
        self.assign(depth, target, &format!("VLNEW({})", parts.len()))?;
        let name = self.variable(target);
        for (part, place) in parts.iter().zip(1..) {
            let word = self.word(*part);
            self.statement(depth, &format!("H({name} + {place}) = {word}"))?;
        }
        Ok(())
    }

    /// Refuses arrays of arrays.
    fn need_flat(&self, array: Operand, what: &str) -> Result<(), Refusal> {
        match self.function.kind(array) {
            Kind::Array(Elements { rank: 1, .. }) => Ok(()),
            Kind::Array(_) => Err(Refusal::new(format!("it {what} arrays of arrays"))),
            Kind::Real | Kind::Boolean | Kind::Cell | Kind::Integer => {
                Err(Refusal::new(format!("it {what} structures")))
            }
        }
    }

    pub(super) fn in_memory(&mut self, statement: &Statement, depth: usize) -> Result<(), Refusal> {
        match statement {
            Statement::Storage(_) => vlad_table::internal_bug!("storage code is made after all passes"),
            Statement::Array { target, elements } => self.make(*target, elements, depth),
            Statement::Cell { target, parts } => self.make(*target, parts, depth),
            Statement::Parts { targets, cell } => {
                let cell = self.operand(*cell);
                for (target, place) in targets.iter().zip(1..) {
                    self.assign_word(depth, *target, &format!("VLPART({cell}, {place})"))?;
                }
                Ok(())
            }
            Statement::Element { target, array, index } | Statement::Load { target, array, index } => {
                let element = self.element(*array, *index);
                self.assign_word(depth, *target, &element)
            }
            Statement::Store { array, index, value } => {
                let (element, value) = (self.element(*array, *index), self.word(*value));
                self.statement(depth, &format!("{element} = {value}"))
            }
            Statement::Replace { target, array, index, value, node: _ } => {
                let array = self.operand(*array);
                self.assign(depth, *target, &format!("VLCOPY({array})"))?;
                self.set_element(*target, *index, *value, depth)
            }
            Statement::Length { target, array } => {
                let array = self.operand(*array);
                self.assign(depth, *target, &format!("H({array})"))
            }
            Statement::IsIndex { target, array, index } => {
                let (array, index) = (self.operand(*array), self.operand(*index));
                self.assign(depth, *target, &format!("VLIDX({array}, {index})"))
            }
            Statement::CompareArrays { target, relation, first, second } => {
                self.need_flat(*first, "compares")?;
                let (first, second) = (self.operand(*first), self.operand(*second));
                let test = match relation {
                    Relation::SameLengths => format!("H({first}) .EQ. H({second})"),
                    Relation::SameElements => format!("VLSAME({first}, {second})"),
                };
                self.assign(depth, *target, &test)
            }
            Statement::Zeros { target, like } | Statement::Accumulators { target, like } => {
                self.need_flat(*like, "makes derivatives of")?;
                let like = self.operand(*like);
                self.assign(depth, *target, &format!("VLZERO({like})"))
            }
            Statement::Push { stack, values } => self.push(*stack, values, depth),
            Statement::Pop { stack, targets } => self.pop(*stack, targets, depth),
            Statement::Act { targets, action, operands } => self.act(targets, *action, operands, depth),
            Statement::Operation { .. }
            | Statement::PositiveZero { .. }
            | Statement::Compare { .. }
            | Statement::Bind { .. }
            | Statement::Loop { .. }
            | Statement::Call { .. }
            | Statement::Forward { .. }
            | Statement::Reverse { .. }
            | Statement::Input { .. }
            | Statement::Read { .. }
            | Statement::Write { .. }
            | Statement::Build { .. }
            | Statement::Steps { .. }
            | Statement::Recount { .. }
            | Statement::Count { .. } => vlad_table::internal_bug!("the statement is one on memory"),
        }
    }

    fn push(&mut self, stack: Stack, values: &[Operand], depth: usize) -> Result<(), Refusal> {
        let (name, number) = match stack {
            Stack::Sweeps => ("STK1", 1),
            Stack::Calls => ("STK2", 2),
        };
        if values.is_empty() {
            return Ok(());
        }
        self.statement(depth, &format!("CALL VLROOM({})", values.len()))?;
        for (value, place) in values.iter().zip(1..) {
            let word = self.word(*value);
            self.statement(depth, &format!("{name}(NTOP({number}) + {place}) = {word}"))?;
        }
        self.statement(depth, &format!("NTOP({number}) = NTOP({number}) + {}", values.len()))
    }

    fn pop(&mut self, stack: Stack, targets: &[Variable], depth: usize) -> Result<(), Refusal> {
        let (name, top) = match stack {
            Stack::Sweeps => ("STK1", "NTOP(1)"),
            Stack::Calls => ("STK2", "NTOP(2)"),
        };
        if targets.is_empty() {
            return Ok(());
        }
        self.statement(depth, &format!("{top} = {top} - {}", targets.len()))?;
        for (target, place) in targets.iter().zip(1..) {
            self.assign_word(depth, *target, &format!("{name}({top} + {place})"))?;
        }
        Ok(())
    }

    fn act(&mut self, targets: &[Variable], action: Action, operands: &[Operand], depth: usize) -> Result<(), Refusal> {
        let texts: Vec<String> = operands.iter().map(|operand| self.operand(*operand)).collect();
        match action {
            Action::Tape(action) => self.on_tape(targets, action, &texts, depth),
            Action::Accumulator(action) => self.on_accumulator(targets, action, &texts, depth),
            Action::Memory(action) => self.on_memory(targets, action, &texts, depth),
            Action::Journal(_) => Err(Refusal::new("`checkpoint-*j` of it reads or writes")),
        }
    }

    fn on_tape(
        &mut self,
        targets: &[Variable],
        action: TapeAction,
        operands: &[String],
        depth: usize,
    ) -> Result<(), Refusal> {
        match (action, operands, targets) {
            (TapeAction::Begin, ..) => self.statement(depth, "CALL VLTBEG"),
            (TapeAction::Sweep, ..) => self.statement(depth, "CALL VLTSWP"),
            (TapeAction::Independent, _, [target]) => {
                let target = self.variable(*target);
                self.statement(depth, &format!("CALL VLTIND({target})"))
            }
            (TapeAction::Node, [number, coefficient], [target]) => {
                let target = self.variable(*target);
                self.statement(depth, &format!("CALL VLTNOD({number}, {coefficient}, 0D0, 0D0, {target})"))
            }
            (TapeAction::Node, [first, one, second, other], [target]) => {
                let target = self.variable(*target);
                self.statement(depth, &format!("CALL VLTNOD({first}, {one}, {second}, {other}, {target})"))
            }
            (TapeAction::Seed, [number, cotangent], _) => {
                self.statement(depth, &format!("CALL VLTSEE({number}, {cotangent})"))
            }
            (TapeAction::Accumulator, [number], [target]) => self.assign(depth, *target, &format!("VLTACC({number})")),
            (TapeAction::Independent | TapeAction::Node | TapeAction::Seed | TapeAction::Accumulator, ..) => {
                vlad_table::internal_bug!("actions have their operands")
            }
        }
    }

    /// A reference is the number of a word of the heap; the word of number 0 is 0.
    fn on_accumulator(
        &mut self,
        targets: &[Variable],
        action: AccumulatorAction,
        operands: &[String],
        depth: usize,
    ) -> Result<(), Refusal> {
        match (action, operands, targets) {
            (AccumulatorAction::Allocate, _, [target]) => {
                self.assign(depth, *target, "VLNEW(1) + 1")?;
                let name = self.variable(*target);
                self.statement(depth, &format!("H({name}) = 0D0"))
            }
            (AccumulatorAction::Refer, [array, index], [target]) => {
                self.assign(depth, *target, &format!("{array} + 1 + INT({index})"))
            }
            (AccumulatorAction::Sum, [reference], [target]) => self.assign(depth, *target, &format!("H({reference})")),
            (AccumulatorAction::Add, [reference, added], _) => {
                self.statement(depth, &format!("IF ({reference} .NE. 0) H({reference}) = H({reference}) + {added}"))
            }
            (AccumulatorAction::HandOver, ..) => {
                Err(Refusal::new("`checkpoint-*j` of it has structures in the state of a loop"))
            }
            (
                AccumulatorAction::Allocate
                | AccumulatorAction::Refer
                | AccumulatorAction::Sum
                | AccumulatorAction::Add,
                ..,
            ) => vlad_table::internal_bug!("actions have their operands"),
        }
    }

    /// Storage is freed by its extent.
    fn on_memory(
        &mut self,
        targets: &[Variable],
        action: MemoryAction,
        operands: &[String],
        depth: usize,
    ) -> Result<(), Refusal> {
        let values: Vec<&str> = match action {
            MemoryAction::Mark | MemoryAction::Size => vec!["0D0"],
            MemoryAction::Release => Vec::new(),
            MemoryAction::Keep => operands.iter().skip(1).map(String::as_str).collect(),
        };
        targets.iter().zip(values).try_for_each(|(target, value)| self.assign(depth, *target, value))
    }
}
