//! Nesting: statements in sequence to subprograms and blocks.
//!
//! `END` closes the innermost open subprogram. Nested subprograms stand between specifications and statements. Labelled
//! ends of loops may be shared: the labelled statement belongs to the innermost of them.

use crate::program::units::{BlockId, Item, ItemId, MOST_NESTED, Node, Program, Unit, UnitId, UnitKind};
use crate::syntax::tree::{Action, AdItem, Expr, ExprId, Label, Mode, Occurrence, Placed, Statement, Tree};
use vlad_core::diagnostic::{Diagnostic, Kind, Report};
use vlad_core::source::Span;
use vlad_language::names::Names;

/// A statement that is open: statements follow that belong to it.
enum Construct {
    If { branches: Vec<(ExprId, BlockId)>, otherwise: Option<BlockId> },
    Do { label: Option<u32>, index: ExprId, range: [Option<ExprId>; 3], body: BlockId },
    While { test: ExprId, body: BlockId },
    Ad { mode: Mode, opens: Vec<AdItem>, body: BlockId },
}

impl Construct {
    /// Returns the word that begins it, and the words that end it.
    fn words(&self) -> (&'static str, &'static str) {
        match self {
            Construct::If { .. } => ("IF", "END IF"),
            Construct::Do { .. } => ("DO", "END DO"),
            Construct::While { .. } => ("DO WHILE", "END DO"),
            Construct::Ad { mode: Mode::Forward, .. } => ("ADF", "END ADF"),
            Construct::Ad { mode: Mode::Reverse, .. } => ("ADR", "END ADR"),
        }
    }

    /// Returns the block that the next statement belongs to.
    fn block(&self) -> BlockId {
        match self {
            Construct::If { branches, otherwise } => {
                otherwise.or(branches.last().map(|(_, block)| *block)).unwrap_or(BlockId(0))
            }
            Construct::Do { body, .. } | Construct::While { body, .. } | Construct::Ad { body, .. } => *body,
        }
    }
}

/// A construct with the place and label of its first statement.
struct OpenConstruct {
    construct: Construct,
    label: Option<Label>,
    span: Span,
}

/// A subprogram that is open.
pub(super) struct OpenUnit {
    pub(super) id: UnitId,
    /// True if a statement that is executed has been read.
    pub(super) in_statements: bool,
    constructs: Vec<OpenConstruct>,
}

/// Nests the statements of a text, which are taken from the tree.
pub fn nest(tree: &mut Tree, names: &mut Names, report: &mut Report) -> Program {
    let statements = std::mem::take(&mut tree.statements);
    let mut nester =
        Nester { tree, names, report, program: Program::default(), open: vec![], interface: None, last: None };
    for statement in statements {
        nester.last = Some(statement.span);
        if !nester.in_interface(&statement) {
            nester.statement(statement);
        }
    }
    nester.end_of_interfaces();
    while let Some(unit) = nester.open.pop() {
        nester.end_constructs(unit.constructs);
        let Unit { name, span, .. } = *nester.program.unit(unit.id);
        let message = format!("END is missing at the end of {}", nester.names.text(name.name));
        let label = "begins here";
        nester.report.push(Diagnostic::new(Kind::Syntax, nester.last, message).with_label(span, label));
    }
    nester.program
}

/// The state of nesting.
pub(super) struct Nester<'loading> {
    pub(super) tree: &'loading mut Tree,
    pub(super) names: &'loading mut Names,
    pub(super) report: &'loading mut Report,
    pub(super) program: Program,
    pub(super) open: Vec<OpenUnit>,
    /// The block of interfaces that is open: the place of its first line, and the number of subprograms around it.
    pub(super) interface: Option<(Span, usize)>,
    pub(super) last: Option<Span>,
}

impl Nester<'_> {
    pub(super) fn error(&mut self, span: Span, message: impl Into<String>) {
        self.report.push(Diagnostic::new(Kind::Syntax, span, message));
    }

    fn statement(&mut self, placed: Placed) {
        let Placed { label, statement, span } = placed;
        match statement {
            Statement::Program(name) => self.begin_unit(UnitKind::Program, name, vec![], span),
            Statement::Function(kind, name, parameters) => {
                self.begin_unit(UnitKind::Function(kind), name, parameters, span);
            }
            Statement::Subroutine(name, parameters) => self.begin_unit(UnitKind::Subroutine, name, parameters, span),
            Statement::End => self.end_unit(label, span),
            Statement::Interface => self.begin_interfaces(span),
            Statement::EndInterface => self.error(span, "this END INTERFACE closes nothing"),
            Statement::Intent(..) => {
                let hint = "a subprogram in Farfel assigns its parameters, or it does not";
                let message = "INTENT stands only in an interface";
                self.report.push(Diagnostic::new(Kind::Syntax, span, message).with_hint(hint));
            }
            Statement::Declare(..)
            | Statement::Parameter(_)
            | Statement::External(_)
            | Statement::Intrinsic(_)
            | Statement::Implicit(_) => {
                let placed = Placed { label, statement, span };
                self.need_unit(span);
                let Some(unit) = self.open.last() else { return };
                let mut nested = self.program.unit(unit.id).nested.iter();
                let has_nested = nested.any(|nested| !self.program.unit(*nested).is_interface);
                if unit.in_statements {
                    self.error(span, "specifications stand before the statements");
                } else if has_nested {
                    self.error(span, "specifications stand before nested subprograms");
                } else if let Some(unit) = self.program.units.get_mut(unit.id.0 as usize) {
                    unit.specifications.push(placed);
                }
            }
            Statement::Action(Action::Assign(variable, value))
                if self.open.last().is_none_or(|unit| !unit.in_statements)
                    && matches!(self.tree.expr(variable), Expr::Apply(..)) =>
            {
                // A statement function or the first statement: declarations decide later.
                self.need_unit(span);
                let placed = Placed { label, statement: Statement::Action(Action::Assign(variable, value)), span };
                self.assignment_or_function(placed);
            }
            Statement::Action(_)
            | Statement::LogicalIf(..)
            | Statement::Transfer(_)
            | Statement::LogicalTransfer(..)
            | Statement::If(_)
            | Statement::ElseIf(_)
            | Statement::Else
            | Statement::EndIf
            | Statement::Do(..)
            | Statement::While(_)
            | Statement::EndDo
            | Statement::Ad(..)
            | Statement::EndAd(..) => {
                self.need_unit(span);
                if let Some(unit) = self.open.last_mut() {
                    unit.in_statements = true;
                }
                self.executed(Placed { label, statement, span });
            }
        }
    }

    /// Begins the main program if no subprogram is open.
    fn need_unit(&mut self, span: Span) {
        if self.open.is_empty() {
            let name = Occurrence { name: self.names.intern("MAIN"), span };
            self.begin_unit(UnitKind::Program, name, vec![], span);
        }
    }

    pub(super) fn begin_unit(&mut self, kind: UnitKind, name: Occurrence, parameters: Vec<Occurrence>, span: Span) {
        let parent = self.open.last().map(|unit| unit.id);
        if parent.is_some() {
            if kind == UnitKind::Program {
                self.error(span, "a main program is not nested; is an END missing before it?");
            } else if self.open.last().is_some_and(|unit| unit.in_statements) {
                let hint = "or END is missing at the end of the subprogram above";
                let message = "nested subprograms stand before the statements of the subprogram around them";
                self.report.push(Diagnostic::new(Kind::Syntax, span, message).with_hint(hint));
            }
        }
        let depth = parent.map_or(0, |parent| self.program.unit(parent).depth + 1);
        if depth == MOST_NESTED {
            let message = format!("subprograms are nested more than {MOST_NESTED} deep");
            self.report.push(Diagnostic::new(Kind::Limit, span, message));
        }
        let body = self.program.add_block();
        let id = UnitId(self.program.units.len() as u32);
        let unit = Unit {
            kind,
            name,
            parent,
            depth,
            parameters,
            specifications: vec![],
            nested: vec![],
            is_interface: self.interface.is_some(),
            rows: vec![],
            body,
            span,
        };
        self.program.units.push(unit);
        if let Some(parent) = parent.and_then(|parent| self.program.units.get_mut(parent.0 as usize)) {
            parent.nested.push(id);
        }
        self.open.push(OpenUnit { id, in_statements: false, constructs: vec![] });
    }

    /// Ends a subprogram; a label of its END can be jumped to.
    pub(super) fn end_unit(&mut self, label: Option<Label>, span: Span) {
        if label.is_some() && self.open.last().is_some_and(|unit| unit.constructs.is_empty()) {
            self.add(Node::Action(Action::Continue), label, span);
        }
        match self.open.pop() {
            Some(unit) => self.end_constructs(unit.constructs),
            None => self.error(span, "this END closes nothing"),
        }
    }

    /// Reports constructs that are still open at the end of a subprogram.
    fn end_constructs(&mut self, constructs: Vec<OpenConstruct>) {
        for open in constructs {
            let (begins, ends) = open.construct.words();
            let message = match open.construct {
                Construct::Do { label: Some(label), .. } => {
                    format!("the statement with the label {label} is missing, which ends this DO")
                }
                _ => format!("{ends} is missing for this {begins}"),
            };
            self.error(open.span, message);
        }
    }

    /// Adds a statement to the innermost block.
    pub(super) fn add(&mut self, node: Node, label: Option<Label>, span: Span) {
        if let Some(block) = self.innermost_block() {
            self.push(block, node, label, span);
        }
    }

    fn innermost_block(&self) -> Option<BlockId> {
        let unit = self.open.last()?;
        Some(unit.constructs.last().map_or(self.program.unit(unit.id).body, |open| open.construct.block()))
    }

    /// Adds an empty block.
    pub(super) fn add_block(&mut self) -> BlockId {
        self.program.add_block()
    }

    /// Adds a variable of a `PRINT` to the innermost subprogram.
    pub(super) fn add_row(&mut self, row: Occurrence) {
        let unit = self.open.last().map(|unit| unit.id);
        if let Some(unit) = unit.and_then(|unit| self.program.units.get_mut(unit.0 as usize)) {
            unit.rows.push(row);
        }
    }

    pub(super) fn push(&mut self, block: BlockId, node: Node, label: Option<Label>, span: Span) {
        let id = ItemId(self.program.items);
        self.program.items += 1;
        if let Some(block) = self.program.blocks.get_mut(block.0 as usize) {
            block.push(Item { id, label, node, span });
        }
    }

    pub(super) fn executed(&mut self, placed: Placed) {
        let Placed { label, statement, span } = placed;
        let is_structural = !matches!(
            statement,
            Statement::Action(_)
                | Statement::LogicalIf(..)
                | Statement::Transfer(_)
                | Statement::LogicalTransfer(..)
                | Statement::EndDo
        );
        if let Some(label) = label.filter(|label| is_structural && self.ends_a_loop(label.number)) {
            let message = format!("this statement cannot end the DO of the label {}", label.number);
            let hint = format!("write {} CONTINUE behind it", label.number);
            self.report.push(Diagnostic::new(Kind::Syntax, span, message).with_hint(hint));
        }
        match statement {
            Statement::Action(action) => self.add(Node::Action(action), label, span),
            Statement::LogicalIf(test, action) => {
                let block = self.program.add_block();
                self.push(block, Node::Action(action), None, span);
                self.add(Node::If(vec![(test, block)], None), label, span);
            }
            Statement::Transfer(transfer) => {
                if let Some(block) = self.innermost_block() {
                    self.transfer(block, transfer, label, span);
                }
            }
            Statement::LogicalTransfer(test, transfer) => {
                let block = self.program.add_block();
                self.transfer(block, transfer, None, span);
                self.add(Node::If(vec![(test, block)], None), label, span);
            }
            Statement::If(test) => {
                let block = self.program.add_block();
                self.begin(Construct::If { branches: vec![(test, block)], otherwise: None }, label, span);
            }
            Statement::ElseIf(test) => {
                let block = self.program.add_block();
                match self.innermost() {
                    Some(Construct::If { branches, otherwise: None }) => branches.push((test, block)),
                    _ => self.error(span, "this ELSE IF belongs to no IF"),
                }
            }
            Statement::Else => {
                let block = self.program.add_block();
                match self.innermost() {
                    Some(Construct::If { otherwise: otherwise @ None, .. }) => *otherwise = Some(block),
                    _ => self.error(span, "this ELSE belongs to no IF"),
                }
            }
            Statement::EndIf => {
                self.end(span, "END IF", |construct| matches!(construct, Construct::If { .. }), vec![]);
                if label.is_some() {
                    self.add(Node::Action(Action::Continue), label, span);
                }
            }
            Statement::Do(end, index, range) => {
                let body = self.program.add_block();
                self.begin(Construct::Do { label: end.map(|label| label.number), index, range, body }, label, span);
            }
            Statement::While(test) => {
                let body = self.program.add_block();
                self.begin(Construct::While { test, body }, label, span);
            }
            Statement::EndDo => {
                // With a label it is the last statement of the loop, which can be jumped to.
                if label.is_some() {
                    self.add(Node::Action(Action::Continue), label, span);
                }
                let of_label = label.filter(|label| self.ends_a_loop(label.number));
                if of_label.is_none() {
                    let ends = |construct: &Construct| {
                        matches!(construct, Construct::Do { label: None, .. } | Construct::While { .. })
                    };
                    self.end(span, "END DO", ends, vec![]);
                }
            }
            Statement::Ad(mode, opens) => {
                let body = self.program.add_block();
                self.begin(Construct::Ad { mode, opens, body }, label, span);
            }
            Statement::EndAd(mode, closes) => {
                // With a label it is the end of the block's statements, which can be jumped to.
                if label.is_some() {
                    self.add(Node::Action(Action::Continue), label, span);
                }
                let words = Construct::Ad { mode, opens: vec![], body: BlockId(0) }.words().1;
                let ends =
                    move |construct: &Construct| matches!(construct, Construct::Ad { mode: own, .. } if *own == mode);
                self.end(span, words, ends, closes);
            }
            Statement::Program(_)
            | Statement::Function(..)
            | Statement::Subroutine(..)
            | Statement::End
            | Statement::Declare(..)
            | Statement::Parameter(_)
            | Statement::External(_)
            | Statement::Intrinsic(_)
            | Statement::Implicit(_)
            | Statement::Interface
            | Statement::EndInterface
            | Statement::Intent(..) => {}
        }
        if let Some(label) = label {
            self.end_loops(label.number);
        }
    }

    fn innermost(&mut self) -> Option<&mut Construct> {
        self.open.last_mut()?.constructs.last_mut().map(|open| &mut open.construct)
    }

    fn begin(&mut self, construct: Construct, label: Option<Label>, span: Span) {
        let Some(unit) = self.open.last_mut() else { return };
        unit.constructs.push(OpenConstruct { construct, label, span });
        if unit.constructs.len() == MOST_NESTED {
            let message = format!("statements are nested more than {MOST_NESTED} deep");
            self.report.push(Diagnostic::new(Kind::Limit, span, message));
        }
    }

    /// Closes the innermost construct, which has to be of that sort.
    fn end(&mut self, span: Span, words: &str, is_it: impl Fn(&Construct) -> bool, closes: Vec<AdItem>) {
        let Some(unit) = self.open.last_mut() else { return };
        match unit.constructs.pop_if(|open| is_it(&open.construct)) {
            Some(open) => self.close(open, closes),
            None => {
                let diagnostic = match unit.constructs.last() {
                    Some(open) => {
                        let (begins, ends) = open.construct.words();
                        let message = format!("{words} does not end this {begins}: {ends} is missing");
                        Diagnostic::new(Kind::Syntax, span, message).with_label(open.span, "begins here")
                    }
                    None => Diagnostic::new(Kind::Syntax, span, format!("this {words} closes nothing")),
                };
                // One open construct of that sort further out is taken to be meant.
                if let Some(at) = unit.constructs.iter().rposition(|open| is_it(&open.construct)) {
                    let inner = unit.constructs.split_off(at);
                    let outer = inner.into_iter().next();
                    if let Some(open) = outer {
                        self.close(open, closes);
                    }
                }
                self.report.push(diagnostic);
            }
        }
    }

    fn close(&mut self, open: OpenConstruct, closes: Vec<AdItem>) {
        let node = match open.construct {
            Construct::If { branches, otherwise } => Node::If(branches, otherwise),
            Construct::Do { index, range, body, .. } => Node::Do(index, range, body),
            Construct::While { test, body } => Node::While(test, body),
            Construct::Ad { mode, opens, body } => Node::Ad(mode, opens, closes, body),
        };
        self.add(node, open.label, open.span);
    }

    fn ends_a_loop(&self, number: u32) -> bool {
        self.open.last().is_some_and(|unit| {
            unit.constructs
                .iter()
                .any(|open| matches!(open.construct, Construct::Do { label: Some(label), .. } if label == number))
        })
    }

    /// Closes the loops that end with a label.
    fn end_loops(&mut self, number: u32) {
        while self.ends_a_loop(number) {
            let Some(unit) = self.open.last_mut() else { return };
            let Some(open) = unit.constructs.pop() else { return };
            match open.construct {
                Construct::Do { label: Some(label), .. } if label == number => self.close(open, vec![]),
                _ => {
                    let (begins, ends) = open.construct.words();
                    let message =
                        format!("{ends} is missing for this {begins} before the label {number}, which ends a DO");
                    self.error(open.span, message);
                }
            }
        }
    }
}
