//! The parameters of random programs, and the choices for the case of a seed that depend on nothing else.

use super::case::Limit;
use super::suspension::Suspension;
use vlad_derivatives::numbers::Numbers;

/// Parameters of the random programs: size, nesting, and the ways in which they are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GeneratorOptions {
    /// The intended size, in hundredths of the usual one.
    pub size: usize,
    /// The greatest nesting depth of operators of differentiation in the text.
    pub depth: usize,
    /// The percentage of programs with a construct in one of the large [`ProgramShape`]s, which the others are too
    /// small for.
    pub shape: usize,
    /// The percentage of cases that are interrupted: run under a limit that they exceed, or suspended and resumed.
    pub interruption: usize,
}

impl Default for GeneratorOptions {
    fn default() -> GeneratorOptions {
        GeneratorOptions { size: 100, depth: 3, shape: 10, interruption: 50 }
    }
}

/// The positions, in the sequence of a case's seed, of choices that change nothing else of the case.
enum ChoicePosition {
    Shape = 1,
    Interruption = 2,
}

impl GeneratorOptions {
    /// The large shape in the program of a seed, if it has one.
    pub fn shape_of(self, seed: u64) -> Option<ProgramShape> {
        let mut numbers = Numbers::new(Numbers::at(seed, ChoicePosition::Shape as u64));
        let has_shape = numbers.below(100) < self.shape;
        has_shape.then(|| ProgramShape::any(&mut numbers))
    }

    /// The limit under which the case of a seed runs, and its suspension, if there is one.
    pub fn limit_and_suspension(self, seed: u64) -> (Limit, Option<Suspension>) {
        let mut numbers = Numbers::new(Numbers::at(seed, ChoicePosition::Interruption as u64));
        let ample = if numbers.below(2) == 0 { Limit::Open } else { Limit::Whole };
        let is_interrupted = numbers.below(100) < self.interruption;
        let within = Limit::Within(numbers.bits() as u32);
        let suspension = Suspension::new(numbers.bits());
        match numbers.below(5) {
            _ if !is_interrupted => (ample, None),
            0 | 1 => (within, None),
            2 | 3 => (ample, Some(suspension)),
            _ => (within, Some(suspension)),
        }
    }
}

/// A shape that a part of a program has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgramShape {
    /// A body of many bindings, by `let*`, nested `let`s and definitions in bodies.
    LongBody,
    /// Many parameters, captured variables and operands.
    Wide,
    /// A `letrec` of many procedures.
    LargeGroup,
    /// Vectors of procedures.
    Procedures,
    /// Capsules in capsules.
    Capsules,
    /// `checkpoint-*j` in the procedures of other operators.
    Checkpoints,
    /// Procedures of `linear-algebra`, called and differentiated.
    Library,
    /// Procedures of the other libraries, and texts.
    Templates,
}

impl ProgramShape {
    /// One of the shapes, the first two more often.
    pub fn any(numbers: &mut Numbers) -> ProgramShape {
        match numbers.below(12) {
            0..3 => ProgramShape::LongBody,
            3..5 => ProgramShape::Wide,
            5 => ProgramShape::LargeGroup,
            6 => ProgramShape::Procedures,
            7 => ProgramShape::Capsules,
            8 => ProgramShape::Checkpoints,
            9 => ProgramShape::Library,
            _ => ProgramShape::Templates,
        }
    }
}
