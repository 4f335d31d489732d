//! Lifting: a program without nested subprograms and procedure parameters, in Farfel again.
//!
//! - *Closure conversion*: the variables around a nested subprogram that it needs become parameters, and arguments of its calls.
//! - *Specialisation*: a subprogram has a version for each combination of procedures that is given for its parameters; the
//!   variables that those capture become parameters of the version. A variable that two of them capture is passed once.
//! - The statements of a block of differentiation become a subroutine, which is all that the block calls.
//!
//! Versions are made as calls ask for them, from the main program on, or from all subprograms without procedure parameters.
//! Variables are passed by reference, so procedures that share one still do.

mod closures;
mod context;
mod declarations;
mod expressions;
mod statements;

use crate::check::entities::{Callee, Extent, Origin, VarId, VarKind};
use crate::check::{Checked, intrinsics};
use crate::flow::effects::{self, Effects};
use crate::flow::unreached;
use crate::program::units::{Program, UnitId, UnitKind};
use crate::syntax::tree::{ExprId, Tree, Type};
use closures::{Closure, Key};
use context::{Context, Location};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, HashSet};
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_core::fixed_form::Lines;
use vlad_core::source::Span;
use vlad_language::names::Names;

/// The most versions of subprograms.
const MOST_VERSIONS: usize = 2000;

/// The most procedures in a procedure.
const MOST_PROCEDURES: usize = 1000;

/// An error of the lifting.
type Refused = Box<Diagnostic>;

/// The state of the lifting.
struct Lifting<'program> {
    tree: &'program Tree,
    program: &'program Program,
    checked: &'program Checked,
    names: &'program Names,
    effects: Vec<Effects>,
    /// The hidden variables of the bounds of arrays, with what they are assigned.
    bounds: FxHashMap<VarId, ExprId>,
    versions: BTreeMap<Key, usize>,
    /// The versions in the order in which they were asked for.
    keys: Vec<(Key, String)>,
    /// The names of subprograms that are taken, and those of variables.
    taken: HashSet<String>,
    out: Lines,
}

/// Returns the text of a program after lifting.
///
/// # Errors
/// A program that makes procedures without end, or one in which nothing gives subprograms the procedures that they take.
pub fn lifted(tree: &Tree, program: &Program, checked: &Checked, names: &Names) -> Result<String, Refused> {
    let occurrences = effects::occurrences(tree, program, checked);
    let effects = effects::effects(tree, program, checked, &occurrences, &FxHashMap::default());
    let vars = &checked.entities.vars;
    let mut bounds = FxHashMap::default();
    for var in vars {
        let VarKind::Array(_, dimensions) = &var.kind else { continue };
        for extent in dimensions.iter().flat_map(|dimension| [dimension.lower, dimension.upper]) {
            if let Extent::Computed(bound, value) = extent {
                bounds.insert(bound, value);
            }
        }
    }
    let named = vars.iter().filter(|var| var.origin != Origin::Result);
    let taken = named.map(|var| names.text(var.name).to_owned());
    let taken = taken.chain(intrinsics::INTRINSICS.iter().map(|intrinsic| intrinsic.name.to_owned())).collect();
    let mut lifting = Lifting {
        tree,
        program,
        checked,
        names,
        effects,
        bounds,
        versions: BTreeMap::new(),
        keys: vec![],
        taken,
        out: Lines::default(),
    };
    let is_first = |unit: &UnitId| {
        let parameters = &checked.entities.scope(*unit).parameters;
        program.unit(*unit).parent.is_none() && !parameters.iter().any(|var| checked.entities.is_procedure(*var))
    };
    let first: Vec<UnitId> = match checked.main {
        Some(main) => vec![main],
        None => program.unit_ids().filter(is_first).collect(),
    };
    if let (true, Some(unit)) = (first.is_empty(), program.unit_ids().next()) {
        let message = "each subprogram takes procedures, and there is no main program that gives them, so nothing has a lifted form";
        let hint = "a subprogram is lifted for the procedures that it is given; write a program unit that calls it";
        return Err(Box::new(Diagnostic::new(Kind::Type, program.unit(unit).span, message).with_hint(hint)));
    }
    for unit in first {
        let callee = Closure { unit, vars: vec![], procedures: vec![] };
        lifting.version(Key { callee, given: vec![], added: vec![] }, program.unit(unit).span)?;
    }
    let mut next = 0;
    while let Some((key, name)) = lifting.keys.get(next).cloned() {
        lifting.subprogram(&key, name)?;
        next += 1;
    }
    Ok(lifting.out.finish())
}

impl Lifting<'_> {
    /// Returns the name of a version, which is printed later if it is new.
    fn version(&mut self, key: Key, span: Span) -> Result<String, Refused> {
        if let Some((_, name)) = self.versions.get(&key).and_then(|number| self.keys.get(*number)) {
            return Ok(name.clone());
        }
        if self.keys.len() >= MOST_VERSIONS {
            return Err(endless(span));
        }
        let name = self.free_name(&self.path(key.callee.unit));
        self.taken.insert(name.clone());
        self.versions.insert(key.clone(), self.keys.len());
        self.keys.push((key, name.clone()));
        Ok(name)
    }

    /// Returns the name of a subprogram with those around it.
    fn path(&self, unit: UnitId) -> String {
        let own = self.names.text(self.program.unit(unit).name.name);
        match self.program.unit(unit).parent {
            // Subprograms in the main program see nothing that others could confuse with them.
            Some(parent) => format!("{}_{own}", self.path(parent)),
            None => own.to_owned(),
        }
    }

    /// Returns a name that nothing has, from another one.
    fn free_name(&self, base: &str) -> String {
        let mut name = base.to_owned();
        let mut number = 0;
        while self.taken.contains(&name) {
            number += 1;
            name = format!("{base}_{number}");
        }
        name
    }

    /// Returns the variables around a subprogram that it needs.
    fn needed(&self, unit: UnitId) -> Vec<VarId> {
        self.effects.get(unit.0 as usize).map(|effects| effects.reads.iter().copied().collect()).unwrap_or_default()
    }

    /// Prints a version.
    fn subprogram(&mut self, key: &Key, name: String) -> Result<(), Refused> {
        let unit = key.callee.unit;
        let entities = &self.checked.entities;
        let scope = entities.scope(unit);
        let mut context = Context {
            name: name.clone(),
            unit,
            is_whole: true,
            locations: vec![],
            of: FxHashMap::default(),
            procedures: FxHashMap::default(),
            indices: FxHashMap::default(),
            taken: HashSet::new(),
            used: Default::default(),
            constants: Default::default(),
            unreached: unreached::statements(self.program, self.checked, self.program.unit(unit).body)
                .into_iter()
                .map(|item| item.id)
                .collect(),
            blocks: 0,
            body: Lines::default(),
        };
        let is_variable = |var: &VarId| match entities.var(*var).kind {
            VarKind::Scalar(_) | VarKind::Array(..) => true,
            VarKind::Procedure(_) | VarKind::State | VarKind::Depth => false,
        };
        let own: Vec<VarId> = scope.own.iter().copied().filter(is_variable).collect();
        let own_names = own.iter().map(|var| self.names.text(entities.var(*var).name).to_owned());
        let reserved: HashSet<String> = own_names.collect();
        context.taken.clone_from(&reserved);
        for var in &key.added {
            let name = self.variable_name(*var, &mut context.taken);
            context.used.insert(context.locations.len());
            context.locations.push(Location { var: *var, name });
        }
        context.of.extend(key.callee.vars.iter().copied());
        context.procedures.extend(key.callee.procedures.iter().cloned());
        let parameters = scope.parameters.iter().filter(|var| entities.is_procedure(**var));
        context.procedures.extend(parameters.copied().zip(key.given.iter().cloned()));
        let mut given = HashSet::new();
        for var in own {
            let about = entities.var(var);
            let own_name = self.names.text(about.name).to_owned();
            let is_plain = about.origin != Origin::Hidden && given.insert(own_name.clone());
            let name = match about.origin {
                Origin::Result => name.clone(),
                _ if is_plain => own_name,
                _ => self.variable_name(var, &mut context.taken),
            };
            context.of.insert(var, context.locations.len());
            context.locations.push(Location { var, name });
        }
        let parameters = scope.parameters.iter().filter(|var| !entities.is_procedure(**var));
        let parameters: Vec<usize> = parameters.filter_map(|var| context.of.get(var).copied()).collect();
        let parameters: Vec<usize> = parameters.into_iter().chain(0..key.added.len()).collect();
        context.used.extend(&parameters);
        self.block(&mut context, self.program.unit(unit).body, 0)?;
        let arguments = parameters.iter().filter_map(|place| context.locations.get(*place));
        let arguments: Vec<&str> = arguments.map(|location| location.name.as_str()).collect();
        let arguments = arguments.join(", ");
        let head = match (self.program.unit(unit).kind, scope.result) {
            (UnitKind::Program, _) => format!("PROGRAM {name}"),
            (UnitKind::Function(_), Some(result)) => {
                format!("{} FUNCTION {name}({arguments})", type_name(entities.element_type(result)))
            }
            (UnitKind::Function(_) | UnitKind::Subroutine, _) => format!("SUBROUTINE {name}({arguments})"),
        };
        self.finish(context, &head)
    }

    /// Returns a name for a variable of another subprogram.
    fn variable_name(&self, var: VarId, taken: &mut HashSet<String>) -> String {
        let about = self.checked.entities.var(var);
        let base = match about.origin {
            _ if self.bounds.contains_key(&var) => "NBOUND".to_owned(),
            Origin::Result => format!("{}_V", self.names.text(about.name)),
            Origin::Parameter(_) | Origin::Declared | Origin::Implicit | Origin::Constant(_) | Origin::Hidden => {
                self.names.text(about.name).to_owned()
            }
        };
        let is_subprogram = |name: &str| self.program.units.iter().any(|unit| self.names.text(unit.name.name) == name);
        let (mut name, mut number) = (base.clone(), 0);
        while taken.contains(&name) || intrinsics::named(&name).is_some() || is_subprogram(&name) {
            number += 1;
            name = format!("{base}{number}");
        }
        taken.insert(name.clone());
        name
    }

    /// Returns the procedure that a callee is in a context.
    fn closure(&self, context: &mut Context, callee: Callee, span: Span) -> Result<Closure, Refused> {
        let lost =
            || Box::new(Diagnostic::new(Kind::Limit, span, "this procedure is never given, so it has no lifted form"));
        let unit = match callee {
            Callee::Parameter(var) => return context.procedures.get(&var).cloned().ok_or_else(lost),
            Callee::Unit(unit) => unit,
        };
        let mut closure = Closure { unit, vars: vec![], procedures: vec![] };
        for var in self.needed(unit) {
            match self.checked.entities.var(var).kind {
                VarKind::Procedure(_) => {
                    let procedure = context.procedures.get(&var).cloned().ok_or_else(lost)?;
                    closure.procedures.push((var, procedure));
                }
                VarKind::Scalar(_) | VarKind::Array(..) => {
                    let location = context.of.get(&var).copied().ok_or_else(lost)?;
                    closure.vars.push((var, location));
                }
                VarKind::State | VarKind::Depth => {}
            }
        }
        if closure.size() > MOST_PROCEDURES {
            return Err(endless(span));
        }
        Ok(closure)
    }
}

fn endless(span: Span) -> Refused {
    let message = "the program has no end of lifted subprograms: procedures are made and passed on by recursion";
    Box::new(Diagnostic::new(Kind::Limit, span, message))
}

/// Returns the words for a type.
fn type_name(kind: Type) -> &'static str {
    match kind {
        Type::Real => "DOUBLE PRECISION",
        Type::Integer => "INTEGER",
        Type::Logical => "LOGICAL",
    }
}
