//! Cells: structures of any size, such as lists, trees, and chains of procedures of which each has the next one in a
//! slot.
//!
//! A cell is the union of what such a structure can be, in whose parts [`Abstract::Back`] stands for the cell: a list of
//! reals is the cell of `{() | (real . back)}`. A cell is made where a union is a part of a union with which it shares a
//! sort that has parts, and these are alike: neither has reals where the other one has structures. There a loop or a recursion
//! makes ever larger structures; so trees are one structure, and a list of lists is one of lists that are cells of their own. Reals
//! and booleans of cells are not known, so only structure makes them grow, and the chain of growing cells is finite or ends in
//! giving up.

use super::join::{NoJoin, Widening};
use super::unions::MOST_RECURRENCE;
use super::{Abstract, AbstractId, Arrays, Domain, Facts, Head, Misfit, Reason, Sort, Unions, bounded, hash_of};
use std::collections::BTreeSet;

/// The greatest number of parts of the union of a cell.
const MOST_PARTS_OF_CELL: u32 = 200;

/// The greatest number of leaves of the union of a cell (`VLAD_MOST_WORDS` in `first_order_paths.h`).
const MOST_LEAVES_OF_CELL: usize = 60;

/// The number of elements from which on a list of a definition may be read as one of any length.
const LEAST_OF_LONG_LIST: usize = 16;

/// The number of structures of an item that are taken to be more general ones.
const MOST_GENERALISED: usize = 20;

/// The number of values that are joined to make a cell.
const MOST_JOINED: usize = 200;

/// A part of a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    id: AbstractId,
    /// The structure that [`Abstract::Back`] in it is.
    around: AbstractId,
}

impl Domain {
    fn cell(&mut self, body: AbstractId) -> Result<AbstractId, Reason> {
        let of_body = self.row(body).1;
        let facts = Facts {
            leaves: 1,
            size: of_body.size.saturating_add(1),
            depth: of_body.depth + 1,
            skeleton: hash_of(&(of_body.skeleton, "cell")),
            has_cells: true,
            is_open: false,
            ..of_body
        };
        bounded(facts)?;
        let cell = self.number(Abstract::Cell(body), facts);
        Ok(self.generalised(cell))
    }

    /// Takes the cells of a structure to be those of a more general one from now on. Returns false if they are
    /// already, and for one structure too many.
    pub fn generalise_cells(&mut self, cell: AbstractId, general: AbstractId) -> bool {
        let (cell, general) = (self.generalised(cell), self.generalised(general));
        cell != general && self.general.len() < MOST_GENERALISED && self.general.insert(cell, general).is_none()
    }

    /// Takes the cells of each structure to be its own.
    pub fn forget_general_cells(&mut self) {
        self.general.clear();
    }

    /// The cell that the cells of a structure are taken to be.
    fn generalised(&self, mut cell: AbstractId) -> AbstractId {
        while let Some(general) = self.general.get(&cell) {
            cell = *general;
        }
        cell
    }

    /// A value with the cells that its cells are taken to be. A large one is left as it is.
    ///
    /// # Errors
    /// Returns the reason if the value is too large.
    pub fn with_general_cells(&mut self, id: AbstractId) -> Result<AbstractId, Reason> {
        let facts = self.row(id).1;
        if !facts.has_cells || facts.size > MOST_PARTS_OF_CELL {
            return Ok(id);
        }
        if let Abstract::Cell(body) = *self.get(id) {
            let general = self.generalised(id);
            if general != id {
                return Ok(general);
            }
            let body = self.with_general_cells(body)?;
            return self.cell(body);
        }
        let (head, mut parts) = self.decompose(id);
        if head == Head::Atom {
            return Ok(id);
        }
        for part in &mut parts {
            *part = self.with_general_cells(*part)?;
        }
        self.compose(head, &parts)
    }

    /// The union that a cell is, with the cell in the place of its backs.
    ///
    /// # Errors
    /// Returns the reason if the value is too large.
    pub fn unfolded(&mut self, cell: AbstractId) -> Result<AbstractId, Reason> {
        match *self.get(cell) {
            Abstract::Cell(body) => self.with_cell(body, cell),
            _ => Ok(cell),
        }
    }

    /// A part of the union of a cell with the cell in the place of its backs. The size of unions of cells bounds the
    /// recursion.
    fn with_cell(&mut self, id: AbstractId, cell: AbstractId) -> Result<AbstractId, Reason> {
        if !self.row(id).1.is_open {
            return Ok(id);
        }
        if *self.get(id) == Abstract::Back {
            return Ok(cell);
        }
        let (head, parts) = self.decompose(id);
        let parts: Result<Vec<_>, _> = parts.iter().map(|part| self.with_cell(*part, cell)).collect();
        self.compose(head, &parts?)
    }

    /// The number of unions around one another, from the outermost one, that recur in it. It is counted up to a bound.
    pub(super) fn recurrence(&self, union: AbstractId) -> u32 {
        if self.closes || self.row(union).1.size > MOST_PARTS_OF_CELL {
            return 0;
        }
        self.recurrence_in(union, union, MOST_RECURRENCE)
    }

    fn recurrence_in(&self, id: AbstractId, structure: AbstractId, most: u32) -> u32 {
        if most == 0 {
            return 0;
        }
        let is_union = matches!(self.get(id), Abstract::Union(_));
        let of_part = |part: AbstractId| match self.get(part) {
            // What is in a cell that is an alternative is no part of another alternative, and a structure before a cell of its
            // own is one of known parts, which are read where they are used.
            Abstract::Cell(_) if is_union || !self.sorts(part).into_iter().any(Sort::is_closure) => 0,
            _ if self.is_recurring(part, structure) => 1 + self.recurrence_in(part, structure, most - 1),
            _ => self.recurrence_in(part, structure, most),
        };
        self.decompose(id).1.into_iter().map(of_part).max().unwrap_or(0)
    }

    /// Returns true for a union or a cell that may be the structure that it is in: they share a sort, and have like parts. A list
    /// of lists has lists where they have reals, so that these are structures of their own. Chains of several procedures are one
    /// structure.
    fn is_recurring(&self, id: AbstractId, structure: AbstractId) -> bool {
        let is_structure = matches!(self.get(id), Abstract::Union(_) | Abstract::Cell(_));
        is_structure && {
            let mut compared = BTreeSet::new();
            let (part, whole) = (Part { id, around: id }, Part { id: structure, around: structure });
            let mut in_common = self.in_common(part, whole).into_iter();
            in_common.any(|(sort, part, whole)| {
                sort.is_closure() || sort.has_parts() && self.have_like_parts(part, whole, &mut compared)
            })
        }
    }

    /// The alternatives of two values that have the same sort.
    fn in_common(&self, a: Part, b: Part) -> Vec<(Sort, Part, Part)> {
        let others = self.opened_alternatives(b);
        let pairs = self.opened_alternatives(a).into_iter().filter_map(|(sort, alternative)| {
            let (_, other) = others.iter().find(|(other, _)| *other == sort)?;
            Some((sort?, alternative, *other))
        });
        pairs.collect()
    }

    /// Returns false for two alternatives of one sort of which one has a real or a boolean where the other one has a structure.
    /// What is compared already is taken to be alike.
    fn have_like_parts(&self, a: Part, b: Part, compared: &mut BTreeSet<(Part, Part)>) -> bool {
        if !compared.insert((a, b)) {
            return true;
        }
        let (parts, others) = (self.decompose(a.id).1, self.decompose(b.id).1);
        parts.into_iter().zip(others).all(|(part, other)| {
            let (part, other) = (Part { id: part, ..a }, Part { id: other, ..b });
            let differ =
                matches!((self.is_atom(part), self.is_atom(other)), (Some(part), Some(other)) if part != other);
            let in_common = self.in_common(part, other).into_iter();
            !differ
                && in_common
                    .filter(|(sort, ..)| sort.has_parts())
                    .all(|(_, part, other)| self.have_like_parts(part, other, compared))
        })
    }

    /// True if all alternatives of a value are reals and booleans, false if none is.
    fn is_atom(&self, part: Part) -> Option<bool> {
        let mut are_atoms = self
            .opened_alternatives(part)
            .into_iter()
            .map(|(sort, _)| matches!(sort, Some(Sort::Real | Sort::Boolean)));
        let first = are_atoms.next()?;
        are_atoms.all(|is_atom| is_atom == first).then_some(first)
    }

    /// The alternatives of a value with their sorts, those of a structure in the place of a cell.
    fn opened_alternatives(&self, part: Part) -> Vec<(Option<Sort>, Part)> {
        let mut opened = Vec::new();
        for id in self.alternatives(part.id) {
            let (body, around) = match *self.get(id) {
                Abstract::Cell(body) => (body, body),
                Abstract::Back => (part.around, part.around),
                _ => (id, part.around),
            };
            let alternatives = self.alternatives(body).into_iter();
            opened.extend(alternatives.map(|id| (self.sort(id), Part { id, around })));
        }
        opened
    }

    /// The lists of all lengths with the elements of a long list; none for another value, and where its elements are not alike.
    ///
    /// # Errors
    /// Returns the reason if the value is too large.
    pub fn of_any_length(&mut self, list: AbstractId) -> Result<Option<AbstractId>, Reason> {
        let (mut elements, mut rest) = (Vec::new(), list);
        while let Abstract::Pair(first, others) = *self.get(rest) {
            elements.push(self.of_any_length(first)?.unwrap_or(first));
            rest = others;
        }
        if elements.len() < LEAST_OF_LONG_LIST || self.sort(rest) != Some(Sort::Nil) {
            return Ok(None);
        }
        let Some(mut element) = elements.pop() else { return Ok(None) };
        for other in elements {
            match self.join(element, other, Unions::Folded)? {
                Ok(joined) => element = joined,
                Err(_) => return Ok(None),
            }
        }
        self.list_of(element)
    }

    /// The lists of all lengths with some elements; none where they are no parts of structures.
    ///
    /// # Errors
    /// Returns the reason if the value is too large.
    pub fn list_of(&mut self, element: AbstractId) -> Result<Option<AbstractId>, Reason> {
        // Several lengths show the recurrence.
        let mut list = self.nil();
        let mut any = list;
        for _ in 0..=MOST_RECURRENCE {
            list = self.pair(element, list)?;
            match self.join(any, list, Unions::Folded)? {
                Ok(joined) => any = joined,
                Err(_) => return Ok(None),
            }
        }
        Ok(self.has_cells(any).then_some(any))
    }

    /// The cell that some values are.
    pub(super) fn cell_of(&mut self, values: Vec<AbstractId>, unions: Unions) -> Result<AbstractId, NoJoin> {
        if unions != Unions::Folded || values.iter().any(|value| self.row(*value).1.is_open) {
            return Err(Misfit::Shapes.into());
        }
        let around = (std::mem::take(&mut self.absorbed), std::mem::replace(&mut self.closes, true));
        let body = self.body_of(values);
        (self.absorbed, self.closes) = around;
        match body? {
            Some(body) if matches!(self.get(body), Abstract::Union(_)) && self.leaves(body) <= MOST_LEAVES_OF_CELL => {
                Ok(self.cell(body)?)
            }
            _ => Err(Misfit::Shapes.into()),
        }
    }

    /// The union of a cell. Whatever a back is joined with is joined with the union as well.
    fn body_of(&mut self, mut pending: Vec<AbstractId>) -> Result<Option<AbstractId>, NoJoin> {
        let mut body: Option<AbstractId> = None;
        for _ in 0..MOST_JOINED {
            let Some(next) = pending.pop() else { return Ok(body) };
            let next = match *self.get(next) {
                Abstract::Back => continue,
                // Its backs are the backs of the new one.
                Abstract::Cell(body) => body,
                Abstract::Union(ref alternatives) if self.row(next).1.has_cells => {
                    pending.extend(alternatives);
                    continue;
                }
                _ => next,
            };
            let of_next = self.row(next).1;
            self.may_be_alternative(next)?;
            if of_next.arrays != Arrays::None {
                return Err(Misfit::Array.into());
            }
            if of_next.size > MOST_PARTS_OF_CELL || self.leaves(next) > MOST_LEAVES_OF_CELL {
                return Err(Misfit::Shapes.into());
            }
            let next = self.without_knowledge(next)?;
            // A cell in it is that of the new structure before it is joined with a part of it.
            let next = self.with_backs(next, next, &mut pending)?;
            let joined = match body {
                Some(body) => self.widen(body, next, Widening::Join(Unions::Folded))?,
                None => next,
            };
            let closed = self.with_backs(joined, joined, &mut pending)?;
            pending.append(&mut self.absorbed);
            // A back adds nothing to a union that it is joined with.
            body = Some(closed);
        }
        Err(Misfit::Shapes.into())
    }

    /// A part of a structure with backs in the place of the unions in it that recur in the structure; these are to be joined.
    /// Others that recur in themselves are structures of their own.
    fn with_backs(
        &mut self,
        id: AbstractId,
        structure: AbstractId,
        found: &mut Vec<AbstractId>,
    ) -> Result<AbstractId, NoJoin> {
        let (head, mut parts) = self.decompose(id);
        if head == Head::Atom {
            return Ok(id);
        }
        for part in &mut parts {
            if self.is_recurring(*part, structure) {
                found.push(*part);
                *part = self.atom(Abstract::Back);
            } else {
                *part = self.with_backs(*part, structure, found)?;
            }
        }
        let closed = self.compose(head, &parts)?;
        let is_another = head == Head::Union && id != structure && !self.row(closed).1.is_open;
        if is_another && self.recurrence_in(closed, closed, 1) > 0 {
            return self.cell_of(vec![closed], Unions::Folded);
        }
        Ok(closed)
    }

    /// Returns true if a value may have grown to another one: it is it, or a part of it, where what has the same sort is
    /// compared part by part (homeomorphic embedding).
    pub fn is_embedded(&self, small: AbstractId, large: AbstractId, work: &mut u32) -> bool {
        if small == large {
            return true;
        }
        if *work == 0 || self.row(large).1.size > MOST_PARTS_OF_CELL || self.row(small).1.size > MOST_PARTS_OF_CELL {
            return false;
        }
        *work -= 1;
        let is_real = |of: &Abstract| matches!(of, Abstract::Real { .. } | Abstract::AnyReal);
        let is_boolean = |of: &Abstract| matches!(of, Abstract::Boolean(_) | Abstract::AnyBoolean);
        let (of_small, of_large) = (self.get(small), self.get(large));
        if let (Abstract::Cell(small), Abstract::Cell(large)) = (of_small, of_large)
            && self.is_embedded(*small, *large, work)
        {
            return true;
        }
        if is_real(of_small) && is_real(of_large) || is_boolean(of_small) && is_boolean(of_large) {
            return true;
        }
        let ((head, parts), (other, others)) = (self.decompose(small), self.decompose(large));
        let is_alike = head == other && head != Head::Atom && parts.len() == others.len();
        if is_alike && parts.iter().zip(&others).all(|(part, other)| self.is_embedded(*part, *other, work)) {
            return true;
        }
        match of_large {
            Abstract::Cell(body) => self.is_embedded(small, *body, work),
            _ => others.iter().any(|other| self.is_embedded(small, *other, work)),
        }
    }

    /// Returns true if a structure has at most one cell as a part of each of its cells: then it has no more paths than cells.
    pub fn is_linear(&self, cell: AbstractId) -> bool {
        let Abstract::Cell(body) = *self.get(cell) else { return !self.has_cells(cell) };
        self.alternatives(body).into_iter().all(|alternative| self.cells_in(alternative) <= 1)
    }

    /// The number of cells that are parts of an alternative of a cell; what has more than one is counted as having many. The
    /// size of unions of cells bounds the recursion.
    fn cells_in(&self, id: AbstractId) -> usize {
        match self.get(id) {
            Abstract::Back => 1,
            // Another structure in each cell.
            Abstract::Cell(_) => 2,
            Abstract::Union(alternatives) => {
                alternatives.iter().map(|alternative| self.cells_in(*alternative)).max().unwrap_or(0)
            }
            _ => self.decompose(id).1.into_iter().map(|part| self.cells_in(part)).sum(),
        }
    }

    /// The number of parts of a value.
    pub fn size(&self, id: AbstractId) -> u32 {
        self.row(id).1.size
    }
}
