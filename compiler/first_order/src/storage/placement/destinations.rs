//! Destination passing: arrays of results that are made where the caller wants them (Shaikhha et al. 2018, section 4.2).
//!
//! A vector or a matrix of an export's result is *placed* in the memory of the caller if it is made once in a call, by a `build` or as
//! an array of elements, and if no other array is placed there on the same path. So nobody can see that the memory is not the machine's.
//! The search goes backwards from the results, through the blocks that yield them and through calls of functions with one call site. If
//! there are other arrays among the results, nothing else may refer to it: it is the same result on all paths, and no part of another
//! one. A row of a matrix is placed if an iteration of the `build` makes it in the same way; the array of the rows is in the memory of
//! arrays.
//!
//! All other arrays are copied at the end of the call (`vlad_give_vector`), and so are arrays that do not fit: their lengths are known
//! only when they are made.

use crate::call_graph::{CallGraph, Calls};
use crate::storage::escapes::are_read_alone;
use crate::{Block, End, Function, FunctionId, Kind, Operand, Scalar, Statement, Unit, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// The destination of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// The memory of a result, by its number.
    Result(usize),
    /// A row of the memory of a result; the variable is the number of the row.
    Row(usize, Variable),
}

impl Destination {
    /// Returns true for a row whose number a variable is.
    pub fn is_row_with(self, number: Variable) -> bool {
        matches!(self, Destination::Row(_, of) if of == number)
    }
}

/// The arrays of a unit that have a destination.
#[derive(Clone, Debug, Default)]
pub struct Destinations {
    of: BTreeMap<(u32, Variable), Destination>,
}

impl Destinations {
    /// The destination of an array that a function makes.
    pub fn of(&self, function: FunctionId, variable: Variable) -> Option<Destination> {
        self.of.get(&(function.0, variable)).copied()
    }

    /// The destinations for results of a unit's entry, given as numbers of leaves with numbers of memories.
    pub fn find(unit: &Unit, results: &[(usize, usize)]) -> Destinations {
        let Some(entry) = unit.entry else { return Destinations::default() };
        let arrays = unit.function(entry).results.iter().filter(|kind| kind.is_array()).count();
        let mut search = Search {
            unit,
            once: called_once(unit),
            is_alone: arrays == 1,
            branches: 0,
            made: BTreeMap::new(),
            placed: Vec::new(),
            found: BTreeMap::new(),
        };
        search.enter(entry, &[]);
        for (leaf, memory) in results {
            search.yielded(entry, &unit.function(entry).body, *leaf, *memory);
        }
        Destinations { of: search.found }
    }
}

/// For each function its one call site, if it has one alone that is executed at most once in a call of its caller.
fn called_once(unit: &Unit) -> BTreeSet<FunctionId> {
    let mut sites = vec![0_usize; unit.functions.len()];
    for callee in unit.all_statements().filter_map(Statement::callee) {
        sites.get_mut(callee.0 as usize).into_iter().for_each(|count| *count += 1);
    }
    let graph = CallGraph::of(unit, Calls::Plain);
    let all = sites.into_iter().zip(0..);
    let once = all.filter(|(count, _)| *count == 1).map(|(_, number)| FunctionId(number));
    once.filter(|id| !graph.is_recursive(*id)).collect()
}

/// The branches that lead to a place: the number of each with the side.
type Path = Vec<(u32, bool)>;

/// The making of a variable.
struct Made<'unit> {
    statement: &'unit Statement,
    path: Path,
    /// The build in whose iterations it is made, if there is one loop around it and that is one.
    within: Option<Variable>,
    /// True if there is a loop around it.
    is_repeated: bool,
}

struct Search<'unit> {
    unit: &'unit Unit,
    once: BTreeSet<FunctionId>,
    /// True if there is one array among the results.
    is_alone: bool,
    branches: u32,
    made: BTreeMap<(u32, Variable), Made<'unit>>,
    /// The memories with the paths of what is placed in them; with the build for rows.
    placed: Vec<(usize, Option<Variable>, Path)>,
    found: BTreeMap<(u32, Variable), Destination>,
}

/// The loops around a block.
#[derive(Clone, Copy)]
struct Around {
    within: Option<Variable>,
    is_repeated: bool,
}

impl<'unit> Search<'unit> {
    /// Notes where the variables of a function are made that is called on a path.
    fn enter(&mut self, id: FunctionId, path: &[(u32, bool)]) {
        self.note(id, &self.unit.function(id).body, path, Around { within: None, is_repeated: false });
    }

    /// Notes the variables of a block, whose depth is bounded.
    fn note(&mut self, id: FunctionId, block: &'unit Block, path: &[(u32, bool)], around: Around) {
        for statement in &block.statements {
            for target in statement.targets() {
                let Around { within, is_repeated } = around;
                self.made.insert((id.0, *target), Made { statement, path: path.to_vec(), within, is_repeated });
            }
            let inside = match statement {
                Statement::Build { index, .. } if !around.is_repeated => {
                    Around { within: Some(*index), is_repeated: true }
                }
                _ if statement.repeats() => Around { within: None, is_repeated: true },
                _ => around,
            };
            if let Some(inner) = statement.block() {
                self.note(id, inner, path, inside);
            }
        }
        if let End::Branch { consequent, alternative, .. } = &block.end {
            let branch = self.branches;
            self.branches += 1;
            for (side, inner) in [(true, consequent), (false, alternative)] {
                let mut path = path.to_vec();
                path.push((branch, side));
                self.note(id, inner, &path, around);
            }
        }
    }

    /// Places what the leaves of a block yield.
    fn yielded(&mut self, id: FunctionId, block: &'unit Block, place: usize, memory: usize) {
        for variable in block.yields().filter_map(|values| values.get(place)?.variable()) {
            if self.is_private(id, block, variable, place) {
                self.place(id, variable, memory);
            }
        }
    }

    /// Returns true if what the leaves of a block yield at a place is the one reference to an array, or any is right.
    fn is_private(&self, id: FunctionId, block: &Block, array: Variable, place: usize) -> bool {
        let body = &self.unit.function(id).body;
        self.is_alone || are_read_alone(body, &[array], block, |_, at| at == place)
    }

    /// Places the array that a variable of a function is.
    fn place(&mut self, id: FunctionId, variable: Variable, memory: usize) {
        let Some(made) = self.made.get(&(id.0, variable)) else { return };
        if made.is_repeated {
            return;
        }
        let (statement, path) = (made.statement, made.path.clone());
        let Some(place) = statement.targets().iter().position(|target| *target == variable) else { return };
        match statement {
            Statement::Bind { block, .. } => self.yielded(id, block, place, memory),
            Statement::Call { function, .. } if self.once.contains(function) => {
                self.enter(*function, &path);
                self.yielded(*function, &self.unit.function(*function).body, place, memory);
            }
            Statement::Build { index, body, .. } => {
                let rank = rank(self.unit.function(id), variable);
                let placed = rank > 0 && self.put((id, variable), (memory, None, path));
                if placed && rank == 2 {
                    self.rows(id, body, place, (memory, *index));
                }
            }
            Statement::Array { .. } if rank(self.unit.function(id), variable) == 1 => {
                self.put((id, variable), (memory, None, path));
            }
            _ => {}
        }
    }

    /// Places the rows that the body of a build yields.
    fn rows(&mut self, id: FunctionId, body: &'unit Block, place: usize, (memory, index): (usize, Variable)) {
        for variable in body.yields().filter_map(|values| values.get(place)?.variable()) {
            let Some(made) = self.made.get(&(id.0, variable)) else { continue };
            if made.within != Some(index) || !self.is_private(id, body, variable, place) {
                continue;
            }
            let (statement, path) = (made.statement, made.path.clone());
            match statement {
                Statement::Bind { targets, block } => {
                    if let Some(place) = targets.iter().position(|target| *target == variable) {
                        self.rows(id, block, place, (memory, index));
                    }
                }
                Statement::Build { .. } | Statement::Array { .. } => {
                    self.put((id, variable), (memory, Some(index), path));
                }
                _ => {}
            }
        }
    }

    /// Gives an array a destination, unless another one is placed there that is made on the same path.
    fn put(
        &mut self,
        (id, variable): (FunctionId, Variable),
        (memory, row, path): (usize, Option<Variable>, Path),
    ) -> bool {
        let excludes = |other: &Path| {
            path.iter().any(|(branch, side)| other.iter().any(|(same, taken)| same == branch && taken != side))
        };
        let is_free = self.placed.iter().all(|(of, of_row, other)| {
            *of != memory || *of_row != row && (of_row.is_none() || row.is_none()) || excludes(other)
        });
        if !is_free || self.found.contains_key(&(id.0, variable)) {
            return false;
        }
        let destination = row.map_or(Destination::Result(memory), |index| Destination::Row(memory, index));
        self.found.insert((id.0, variable), destination);
        self.placed.push((memory, row, path));
        true
    }
}

/// The rank of a vector or a matrix of reals; 0 for what has no place.
fn rank(function: &Function, variable: Variable) -> u8 {
    match function.kind(Operand::Variable(variable)) {
        Kind::Array(elements) if elements.scalar == Scalar::Real && elements.rank <= 2 => elements.rank,
        Kind::Array(_) | Kind::Real | Kind::Boolean | Kind::Cell | Kind::Integer => 0,
    }
}
