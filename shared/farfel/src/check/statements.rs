//! The statements: types of what they evaluate, and variables that they assign.

use crate::check::Checker;
use crate::check::entities::{Meaning, Origin, VarId, VarKind};
use crate::program::units::{BlockId, Item, Node};
use crate::syntax::tree::{Action, Expr, ExprId, PrintItem, Row, Statement, Type};
use vlad_core::diagnostic::Kind;

impl Checker<'_> {
    /// Checks the statements, constants and bounds of all subprograms.
    pub(super) fn check_statements(&mut self) {
        let program = self.program;
        for unit in program.unit_ids() {
            for placed in &program.unit(unit).specifications {
                let Statement::Parameter(constants) = &placed.statement else { continue };
                for (name, value) in constants {
                    self.check_constant(*value);
                    let var = self.entities.scope(unit).names.get(&name.name).copied();
                    if let Some(crate::check::entities::Entity::Variable(var)) = var {
                        self.check_assigned_type(self.entities.element_type(var), *value);
                    }
                }
            }
            self.check_block(program.unit(unit).body);
        }
        for (_, bound) in self.bounds.clone() {
            self.integer(bound);
            for id in self.tree.range(bound) {
                let is_known = match self.entities.meaning(id) {
                    Meaning::Variable(var) => {
                        !matches!(self.entities.var(var).origin, Origin::Result | Origin::Declared)
                            && !self.entities.is_array(var)
                    }
                    Meaning::None | Meaning::Intrinsic(_) => true,
                    Meaning::Element(_) | Meaning::Call(_) | Meaning::Procedure(_) => false,
                };
                if !is_known {
                    let message = "a bound is an expression of constants, parameters and variables from around";
                    self.error(Kind::Type, self.tree.span(id), message);
                }
            }
        }
    }

    fn check_constant(&mut self, value: ExprId) {
        self.value(value);
        for id in self.tree.range(value) {
            let is_constant = match self.entities.meaning(id) {
                Meaning::Variable(var) => {
                    matches!(self.entities.var(var).origin, Origin::Constant(before) if before < value)
                }
                Meaning::None | Meaning::Intrinsic(_) => true,
                Meaning::Element(_) | Meaning::Call(_) | Meaning::Procedure(_) => false,
            };
            if !is_constant {
                self.error(Kind::Type, self.tree.span(id), "the value of a constant consists of constants above it");
            }
        }
    }

    fn check_block(&mut self, block: BlockId) {
        let program = self.program;
        for item in program.block(block) {
            self.check_item(item);
        }
    }

    fn check_item(&mut self, item: &Item) {
        match &item.node {
            Node::Action(action) => self.check_action(action),
            Node::If(branches, otherwise) => {
                for (test, block) in branches {
                    self.logical(*test);
                    self.check_block(*block);
                }
                otherwise.iter().for_each(|block| self.check_block(*block));
            }
            Node::Do(index, range, body) => {
                let kind = self.number(*index);
                let var = self.assigned(*index);
                for bound in range.iter().flatten() {
                    let found = self.number(*bound);
                    if let (Some(Type::Integer), Some(Type::Real)) = (kind, found) {
                        let message = "the index of this DO is INTEGER, and this is REAL";
                        self.error_with_hint(Kind::Type, self.tree.span(*bound), message, "INT(..) converts");
                    }
                }
                if let Some(step) = range[2]
                    && matches!(self.tree.expr(step), Expr::Integer(value) | Expr::Real(value) if value == 0.0)
                {
                    self.error(Kind::Type, self.tree.span(step), "the step of a DO is not zero");
                }
                self.indices.extend(var);
                self.check_block(*body);
                if var.is_some() {
                    self.indices.pop();
                }
            }
            Node::While(test, body) => {
                self.logical(*test);
                self.check_block(*body);
            }
            Node::Ad(mode, opens, closes, body) => {
                self.check_opens(*mode, opens);
                self.check_block(*body);
                self.check_closes(*mode, closes);
            }
        }
    }

    fn check_action(&mut self, action: &Action) {
        match action {
            Action::Assign(variable, value) => {
                self.assigned(*variable);
                self.value(*value);
                if let Some(kind) = self.entities.type_of(*variable) {
                    self.check_assigned_type(kind, *value);
                }
            }
            Action::Read(variables) => {
                for variable in variables {
                    self.assigned(*variable);
                    self.number(*variable);
                }
            }
            Action::Print(items) | Action::Row(_, Row::Add(items)) => self.check_printed(items),
            Action::Row(_, Row::Begin | Row::Print) => {}
            Action::ComputedGoto(_, value) => {
                self.integer(*value);
            }
            Action::ArithmeticIf(value, _) => {
                self.number(*value);
            }
            Action::Call(_)
            | Action::Continue
            | Action::Return
            | Action::Stop
            | Action::Goto(_)
            | Action::Foreign { .. } => {}
        }
    }

    fn check_printed(&mut self, items: &[PrintItem]) {
        for item in items {
            match item {
                PrintItem::Value(value) => match self.entities.meaning(*value) {
                    Meaning::Variable(_) => {}
                    _ => {
                        self.value(*value);
                    }
                },
                PrintItem::Text(_) => {}
            }
        }
    }

    fn check_assigned_type(&mut self, kind: Type, value: ExprId) {
        let Some(found) = self.entities.type_of(value) else { return };
        if (kind == Type::Logical) != (found == Type::Logical) {
            let message = format!("{} is assigned to a variable that is {}", found.text(), kind.text());
            self.error(Kind::Type, self.tree.span(value), message);
        }
    }

    /// Checks a variable that a statement assigns; returns it if it is a scalar variable.
    pub(super) fn assigned(&mut self, id: ExprId) -> Option<VarId> {
        let span = self.tree.span(id);
        let name = match self.tree.expr(id) {
            Expr::Name(name) | Expr::Apply(name, _) => self.shown(name),
            _ => String::new(),
        };
        match self.entities.meaning(id) {
            Meaning::Element(_) | Meaning::None => None,
            Meaning::Variable(var) => {
                let about = self.entities.var(var);
                match (&about.kind, about.origin) {
                    (VarKind::Array(..), _) => {
                        let hint = "assign the elements in a DO loop";
                        self.error_with_hint(Kind::Type, span, format!("{name} is an array"), hint);
                        None
                    }
                    (_, Origin::Constant(_)) => {
                        self.error(Kind::Type, span, format!("{name} is a constant"));
                        None
                    }
                    _ if self.indices.contains(&var) => {
                        self.error(
                            Kind::Type,
                            span,
                            format!("{name} is the index of a DO around, which is not assigned"),
                        );
                        None
                    }
                    _ => Some(var),
                }
            }
            Meaning::Call(_) | Meaning::Procedure(_) | Meaning::Intrinsic(_) => {
                self.error(Kind::Type, span, format!("{name} is no variable"));
                None
            }
        }
    }
}
