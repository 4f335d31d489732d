//! The end of a printed subprogram: its declarations before its statements.

use super::context::Context;
use super::{Lifting, Refused, type_name};
use crate::check::entities::{Extent, Meaning, Origin, VarKind};
use std::collections::BTreeSet;
use vlad_core::fixed_form::Lines;

impl Lifting<'_> {
    /// Prints a subprogram whose statements are there.
    pub(super) fn finish(&mut self, mut context: Context, head: &str) -> Result<(), Refused> {
        let entities = &self.checked.entities;
        let (mut arrays, mut entry) = (Lines::default(), Lines::default());
        let mut scalars: Vec<(&'static str, Vec<String>)> = vec![];
        let mut printed = 0;
        // Bounds may need more variables.
        let mut done = BTreeSet::new();
        while printed < context.used.len() {
            printed = context.used.len();
            for place in context.used.clone() {
                let Some(location) = context.locations.get(place).cloned() else { continue };
                let about = entities.var(location.var);
                if !done.insert(place) {
                    continue;
                }
                let is_own =
                    context.is_whole && about.owner == context.unit && context.of.get(&location.var) == Some(&place);
                if is_own && about.origin == Origin::Result && context.name == location.name {
                    continue;
                }
                match &about.kind {
                    VarKind::Scalar(kind) => {
                        if is_own && let Origin::Constant(_) = about.origin {
                            context.constants.insert(location.var);
                            continue;
                        }
                        let kind = type_name(*kind);
                        match scalars.iter_mut().find(|(known, _)| *known == kind) {
                            Some((_, names)) => names.push(location.name.clone()),
                            None => scalars.push((kind, vec![location.name.clone()])),
                        }
                        if is_own && let Some(value) = self.bounds.get(&location.var).copied() {
                            let value = self.expression(&mut context, value)?;
                            entry.statement(None, 0, &format!("{} = {value}", location.name));
                        }
                    }
                    VarKind::Array(kind, dimensions) => {
                        let mut bounds = vec![];
                        for dimension in dimensions.clone() {
                            let upper = self.bound(&mut context, dimension.upper, is_own)?;
                            bounds.push(match dimension.lower {
                                Extent::Known(1.0) => upper,
                                lower => format!("{}:{upper}", self.bound(&mut context, lower, is_own)?),
                            });
                        }
                        let (kind, bounds) = (type_name(*kind), bounds.join(", "));
                        arrays.statement(None, 0, &format!("{kind} {}({bounds})", location.name));
                    }
                    VarKind::Procedure(_) | VarKind::State | VarKind::Depth => {}
                }
            }
        }
        let mut constants = Lines::default();
        // A constant may need others, which are declared before it.
        let mut pending: Vec<_> = context.constants.iter().copied().collect();
        while let Some(var) = pending.pop() {
            let Origin::Constant(value) = entities.var(var).origin else { continue };
            for other in self.tree.range(value) {
                if let Meaning::Variable(other) = entities.meaning(other)
                    && context.constants.insert(other)
                {
                    pending.push(other);
                }
            }
        }
        for var in context.constants.clone() {
            let Origin::Constant(value) = entities.var(var).origin else { continue };
            let (name, kind) = (self.constant_name(var), entities.element_type(var));
            let value = self.expression(&mut context, value)?;
            constants.statement(None, 0, &format!("{} {name}", type_name(kind)));
            constants.statement(None, 0, &format!("PARAMETER ({name} = {value})"));
        }
        self.out.statement(None, 0, head);
        for (kind, names) in scalars {
            self.out.statement(None, 0, &format!("{kind} {}", names.join(", ")));
        }
        self.out.append(constants);
        self.out.append(arrays);
        self.out.append(entry);
        self.out.append(std::mem::take(&mut context.body));
        self.out.statement(None, 0, "END");
        Ok(())
    }

    fn bound(&mut self, context: &mut Context, extent: Extent, is_own: bool) -> Result<String, Refused> {
        Ok(match extent {
            Extent::Known(value) => vlad_table::number::format(value),
            Extent::Computed(_, value) if is_own => self.expression(context, value)?,
            Extent::Computed(var, _) => {
                let location = context.of.get(&var).copied();
                let name =
                    location.and_then(|location| context.locations.get(location)).map(|found| found.name.clone());
                context.used.extend(location);
                name.unwrap_or_default()
            }
            Extent::Assumed => "*".to_owned(),
        })
    }
}
