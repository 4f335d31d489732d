//! Statements, with the names of a context.

use super::closures::Closure;
use super::context::{Context, Location};
use super::{Lifting, Refused};
use crate::check::entities::{Extent, Meaning, Origin, VarKind};
use crate::program::units::{BlockId, Item, Node};
use crate::syntax::tree::{Action, AdItem, Expr, ExprId, Mode, PrintItem, Row};
use rustc_hash::FxHashMap;
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_core::fixed_form::Lines;
use vlad_table::internal_bug;

impl Lifting<'_> {
    /// Prints the statements of a block.
    pub(super) fn block(&mut self, context: &mut Context, block: BlockId, depth: usize) -> Result<(), Refused> {
        let program = self.program;
        let reached: Vec<&Item> =
            program.block(block).iter().filter(|item| !context.unreached.contains(&item.id)).collect();
        let mut items = reached.into_iter();
        while let Some(item) = items.next() {
            if let Node::Action(Action::Row(_, Row::Begin)) = &item.node {
                self.row(context, item, &mut items, depth)?;
            } else {
                self.item(context, item, depth)?;
            }
        }
        Ok(())
    }

    /// Prints the statements that make a row and print it, up to the last of them, as one `PRINT` with loops in its list.
    fn row<'tree>(
        &mut self,
        context: &mut Context,
        begin: &Item,
        items: &mut impl Iterator<Item = &'tree Item>,
        depth: usize,
    ) -> Result<(), Refused> {
        let mut text = "PRINT *".to_owned();
        for item in items.take_while(|item| !matches!(item.node, Node::Action(Action::Row(_, Row::Print)))) {
            text.push_str(", ");
            text.push_str(&self.row_part(context, item)?);
        }
        context.body.statement(begin.label.map(|label| label.number), depth, &text);
        Ok(())
    }

    /// Returns a part of the list of such a `PRINT`. Lists are nested to a bounded depth.
    fn row_part(&mut self, context: &mut Context, item: &Item) -> Result<String, Refused> {
        match &item.node {
            Node::Action(Action::Row(_, Row::Add(items))) => self.printed(context, items),
            Node::Do(index, range, body) => {
                let range = self.range(context, *index, range)?;
                let program = self.program;
                let parts = program.block(*body).iter().map(|item| self.row_part(context, item));
                Ok(format!("({}, {range})", parts.collect::<Result<Vec<_>, _>>()?.join(", ")))
            }
            Node::Action(_) | Node::If(..) | Node::While(..) | Node::Ad(..) => {
                internal_bug!("a row is made by loops and additions alone")
            }
        }
    }

    /// Returns items of a `PRINT`, with commas between them.
    fn printed(&mut self, context: &mut Context, items: &[PrintItem]) -> Result<String, Refused> {
        let texts = items.iter().map(|item| match item {
            PrintItem::Value(value) => self.expression(context, *value),
            PrintItem::Text(number) => {
                let written = self.tree.texts.get(*number as usize).map_or("", String::as_str);
                Ok(format!("'{}'", written.replace('\'', "''")))
            }
        });
        Ok(texts.collect::<Result<Vec<_>, _>>()?.join(", "))
    }

    fn item(&mut self, context: &mut Context, item: &Item, depth: usize) -> Result<(), Refused> {
        let label = item.label.map(|label| label.number);
        let text = match &item.node {
            Node::Action(action) => self.action(context, action)?,
            Node::If(branches, otherwise) => {
                for (place, (test, block)) in branches.iter().enumerate() {
                    let test = self.expression(context, *test)?;
                    let (word, label) = if place == 0 { ("IF", label) } else { ("ELSE IF", None) };
                    context.body.statement(label, depth, &format!("{word} ({test}) THEN"));
                    self.block(context, *block, depth + 1)?;
                }
                if let Some(block) = otherwise {
                    context.body.statement(None, depth, "ELSE");
                    self.block(context, *block, depth + 1)?;
                }
                context.body.statement(None, depth, "END IF");
                return Ok(());
            }
            Node::Do(index, range, body) => {
                let range = self.range(context, *index, range)?;
                context.body.statement(label, depth, &format!("DO {range}"));
                self.block(context, *body, depth + 1)?;
                context.body.statement(None, depth, "END DO");
                return Ok(());
            }
            Node::While(test, body) => {
                let test = self.expression(context, *test)?;
                context.body.statement(label, depth, &format!("DO WHILE ({test})"));
                self.block(context, *body, depth + 1)?;
                context.body.statement(None, depth, "END DO");
                return Ok(());
            }
            Node::Ad(mode, opens, closes, body) => {
                let opens = self.list(context, opens, false)?;
                context.body.statement(label, depth, &format!("{} ({opens})", mode.block()));
                let call = self.differentiated(context, *mode, *body)?;
                context.body.statement(None, depth + 1, &call);
                let closes = self.list(context, closes, true)?;
                let closes = if closes.is_empty() { closes } else { format!(" ({closes})") };
                context.body.statement(None, depth, &format!("END {}{closes}", mode.block()));
                return Ok(());
            }
        };
        context.body.statement(label, depth, &text);
        Ok(())
    }

    fn action(&mut self, context: &mut Context, action: &Action) -> Result<String, Refused> {
        Ok(match action {
            Action::Assign(variable, value) => {
                let variable = self.expression(context, *variable)?;
                format!("{variable} = {}", self.expression(context, *value)?)
            }
            Action::Call(call) => format!("CALL {}", self.expression(context, *call)?),
            Action::Continue => "CONTINUE".to_owned(),
            Action::Return => "RETURN".to_owned(),
            Action::Stop => "STOP".to_owned(),
            Action::Read(variables) => {
                let variables = variables.iter().map(|variable| self.expression(context, *variable));
                format!("READ *, {}", variables.collect::<Result<Vec<_>, _>>()?.join(", "))
            }
            Action::Print(items) if items.is_empty() => "PRINT *".to_owned(),
            Action::Print(items) => format!("PRINT *, {}", self.printed(context, items)?),
            Action::Foreign { .. } => {
                let message = "a program with interfaces has no lifted form, which is in Farfel alone";
                let span = self.program.unit(context.unit).span;
                return Err(Box::new(Diagnostic::new(Kind::Type, span, message)));
            }
            Action::Row(..) => internal_bug!("the statements of a row are printed together"),
            Action::Goto(label) => format!("GO TO {}", label.number),
            Action::ComputedGoto(labels, value) => {
                let labels: Vec<String> = labels.iter().map(|label| label.number.to_string()).collect();
                format!("GO TO ({}), {}", labels.join(", "), self.expression(context, *value)?)
            }
            Action::ArithmeticIf(value, [below, zero, above]) => {
                let value = self.expression(context, *value)?;
                format!("IF ({value}) {}, {}, {}", below.number, zero.number, above.number)
            }
        })
    }

    fn range(&mut self, context: &mut Context, index: ExprId, range: &[Option<ExprId>; 3]) -> Result<String, Refused> {
        let index = self.expression(context, index)?;
        let parts = range.iter().flatten().map(|part| self.expression(context, *part));
        Ok(format!("{index} = {}", parts.collect::<Result<Vec<_>, _>>()?.join(", ")))
    }

    /// Returns the list at the beginning or the end of a block of differentiation.
    fn list(&mut self, context: &mut Context, items: &[AdItem], is_end: bool) -> Result<String, Refused> {
        let mut texts = vec![];
        for item in items {
            texts.push(match item {
                AdItem::Bare(variable) => self.expression(context, *variable)?,
                AdItem::Set { mode, variable, other, .. } => {
                    let kind = format!("{}({})", mode.kind(), self.expression(context, *variable)?);
                    let other = self.expression(context, *other)?;
                    if is_end { format!("{other} = {kind}") } else { format!("{kind} = {other}") }
                }
                AdItem::Implied { items, index, range, .. } => {
                    self.name_index(context, *index);
                    let inner = self.list(context, items, is_end)?;
                    format!("({inner}, {})", self.range(context, *index, range)?)
                }
            });
        }
        Ok(texts.join(", "))
    }

    /// Gives the index of a list a name that is an integer's without a declaration.
    fn name_index(&self, context: &mut Context, index: ExprId) {
        let (Meaning::Variable(var), Expr::Name(name)) = (self.checked.entities.meaning(index), self.tree.expr(index))
        else {
            return;
        };
        let own = self.names.text(name);
        let base =
            if own.starts_with(|letter| ('I'..='N').contains(&letter)) { own.to_owned() } else { format!("I{own}") };
        let (mut free, mut number) = (base.clone(), 0);
        while context.taken.contains(&free) || self.taken.contains(&free) && free != own {
            number += 1;
            free = format!("{base}{number}");
        }
        context.indices.insert(var, free);
    }

    /// Prints the statements of a block of differentiation as a subroutine, and returns the call of it.
    fn differentiated(&mut self, context: &mut Context, mode: Mode, body: BlockId) -> Result<String, Refused> {
        let passed = self.mentioned(context, body)?;
        context.blocks += 1;
        let name = self.free_name(&format!("{}_{}{}", context.name, mode.block(), context.blocks));
        self.taken.insert(name.clone());
        let to: FxHashMap<usize, usize> = passed.iter().copied().zip(0..).collect();
        let mut taken = context.taken.clone();
        let mut locations = vec![];
        for location in passed.iter().filter_map(|place| context.locations.get(*place)) {
            let is_result = location.name == context.name;
            let name = if is_result { self.variable_name(location.var, &mut taken) } else { location.name.clone() };
            locations.push(Location { var: location.var, name });
        }
        taken.extend(locations.iter().map(|location| location.name.clone()));
        let moved = |closure: &Closure| closure.moved(&to);
        let procedures = context.procedures.iter().filter_map(|(var, closure)| Some((*var, moved(closure)?)));
        let mut inner = Context {
            name: name.clone(),
            unit: context.unit,
            is_whole: false,
            of: context.of.iter().filter_map(|(var, place)| Some((*var, *to.get(place)?))).collect(),
            procedures: procedures.collect(),
            indices: FxHashMap::default(),
            taken,
            used: (0..locations.len()).collect(),
            locations,
            constants: Default::default(),
            unreached: context.unreached.clone(),
            blocks: 0,
            body: Lines::default(),
        };
        self.block(&mut inner, body, 0)?;
        let list = |locations: &mut dyn Iterator<Item = &Location>| {
            locations.map(|location| location.name.as_str()).collect::<Vec<_>>().join(", ")
        };
        let head = format!("SUBROUTINE {name}({})", list(&mut inner.locations.iter()));
        self.finish(inner, &head)?;
        context.used.extend(&passed);
        let arguments = list(&mut passed.iter().filter_map(|place| context.locations.get(*place)));
        Ok(format!("CALL {name}({arguments})"))
    }

    /// Returns the locations that the statements of a block need, each once.
    fn mentioned(&mut self, context: &mut Context, body: BlockId) -> Result<Vec<usize>, Refused> {
        let mut roots = vec![];
        self.program.visit(body, &mut |item| {
            // The variable of a row is that of the list that is printed.
            let row = match &item.node {
                Node::Action(Action::Row(row, _)) => Some(*row),
                _ => None,
            };
            item.node.roots(&mut |root| roots.extend((row != Some(root)).then_some(root)));
        });
        let mut found: Vec<usize> = vec![];
        for id in roots.into_iter().flat_map(|root| self.tree.range(root)) {
            let var = match self.checked.entities.meaning(id) {
                Meaning::Variable(var) | Meaning::Element(var) => var,
                Meaning::Call(callee) | Meaning::Procedure(callee) => {
                    let closure = self.closure(context, callee, self.tree.span(id))?;
                    closure.add_locations(&mut found);
                    continue;
                }
                Meaning::None | Meaning::Intrinsic(_) => continue,
            };
            let about = self.checked.entities.var(var);
            let bounds = match &about.kind {
                VarKind::Array(_, dimensions) => dimensions
                    .iter()
                    .flat_map(|dimension| [dimension.lower, dimension.upper])
                    .filter_map(|extent| match extent {
                        Extent::Computed(bound, _) => Some(bound),
                        Extent::Known(_) | Extent::Assumed => None,
                    })
                    .collect(),
                VarKind::Scalar(_) | VarKind::Procedure(_) | VarKind::State | VarKind::Depth => vec![],
            };
            let is_index = about.origin == Origin::Hidden && !self.bounds.contains_key(&var);
            for var in bounds.into_iter().chain((!is_index).then_some(var)) {
                if let Some(place) = context.of.get(&var)
                    && !found.contains(place)
                    && crate::flow::effects::literal(self.tree, &self.checked.entities, var).is_none()
                {
                    found.push(*place);
                }
            }
        }
        Ok(found)
    }
}
