//! The checker of the invariant of [`Program`]; run in tests after every pass that makes or rewrites core.

use crate::{
    ConstantId, Expression, ExpressionId, GlobalId, GroupId, Item, LambdaId, Pattern, PatternId, Program, Reference,
};
use std::collections::HashSet;

/// Checks that a program is sound: every number is in range, every node belongs to one place, locals are bound where
/// they are referred to, captures refer to the enclosing activation, and the prelude's nodes come first.
///
/// # Errors
/// A description of the violation, for the author of the pass that made the program.
pub fn check(program: &Program) -> Result<(), String> {
    let mut checker = Checker {
        program,
        visited_expressions: vec![Visited::No; program.expressions.len()],
        visited_lambdas: vec![Visited::No; program.lambdas.len()],
        visited_groups: vec![Visited::No; program.groups.len()],
        tasks: vec![],
    };
    checker.tables()?;
    checker.prelude()?;
    for item in &program.items {
        checker.item(item.node())?;
    }
    for (what, visited) in [
        ("expression", &checker.visited_expressions),
        ("lambda", &checker.visited_lambdas),
        ("group", &checker.visited_groups),
    ] {
        if let Some(number) = visited.iter().position(|visited| *visited == Visited::No) {
            return Err(format!("{what} {number} belongs to nothing"));
        }
    }
    Ok(())
}

/// The visited state of a node, a lambda or a group.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Visited {
    No,
    Yes,
}

/// The context in which an expression runs.
#[derive(Clone, Copy)]
struct Scope {
    /// The number of locals bound around it.
    locals: u32,
    /// The number of slots of its activation.
    slots: u32,
    /// The number of members of the group that its activation belongs to.
    members: u32,
    /// The text it belongs to.
    region: Region,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Region {
    Prelude,
    Library,
    Program,
}

struct Checker<'program> {
    program: &'program Program,
    visited_expressions: Vec<Visited>,
    visited_lambdas: Vec<Visited>,
    visited_groups: Vec<Visited>,
    tasks: Vec<(ExpressionId, Scope)>,
}

/// Returns the message as an error unless the condition holds.
fn ensure(holds: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(message()) }
}

/// Marks an element of an arena as visited; fails if it was visited before or does not exist.
fn visit(visited: &mut [Visited], number: u32, what: &str) -> Result<(), String> {
    match visited.get_mut(number as usize) {
        Some(visited @ Visited::No) => {
            *visited = Visited::Yes;
            Ok(())
        }
        Some(Visited::Yes) => Err(format!("{what} {number} belongs to two places")),
        None => Err(format!("{what} {number} does not exist")),
    }
}

impl Checker<'_> {
    fn tables(&self) -> Result<(), String> {
        let program = self.program;
        ensure(program.spans.len() == program.expressions.len(), || "a span for each expression".into())?;
        ensure(program.pattern_spans.len() == program.patterns.len(), || "a span for each pattern".into())?;
        ensure(program.pattern_names.len() == program.patterns.len(), || "a name for each pattern".into())?;
        ensure(program.machine_nodes <= program.prelude_nodes, || "frame machines are of the prelude".to_owned())?;
        let is_machine = |global: &GlobalId| {
            let global = program.globals.get(global.0 as usize);
            global.is_some_and(|global| program.elementwise.loops.contains(&global.name.as_str()))
        };
        let machines = program.prelude.iter().filter(|(global, _)| is_machine(global)).count();
        let iterations = (0..program.machine_nodes).filter(|node| program.counts(ExpressionId(*node))).count();
        ensure(machines == iterations, || "a frame machine has one node that counts".to_owned())?;
        program.constants.check()?;
        let (prelude, shipped) = (program.prelude_nodes, program.shipped_nodes);
        ensure(prelude <= shipped && shipped as usize <= program.expressions.len(), || {
            "the prelude and libraries have nodes that exist".into()
        })?;
        for (number, span) in program.spans.iter().chain(&program.pattern_spans).enumerate() {
            let length = program.sources.get(span.file).map(|file| file.text.len());
            let sound = span.start <= span.end && length.is_some_and(|length| span.end as usize <= length);
            ensure(sound, || format!("span {number} is {span:?}, outside of the text"))?;
        }
        let mut definitions = program.prelude.len() as u32;
        for (number, (global, _)) in program.prelude.iter().enumerate() {
            ensure(global.0 as usize == number, || {
                format!("definition {number} of the prelude has number {}", global.0)
            })?;
        }
        for item in &program.items {
            if let Item::Define(global, _) = item {
                ensure(*global == GlobalId(definitions), || format!("global {} is defined out of order", global.0))?;
                definitions += 1;
            }
        }
        ensure(program.globals.len() == definitions as usize, || "every global is defined".into())
    }

    fn prelude(&mut self) -> Result<(), String> {
        for (global, lambda) in &self.program.prelude {
            let node = self.lambda_exists(*lambda)?.node;
            let scope = Scope { locals: 0, slots: 0, members: 0, region: Region::Prelude };
            self.tasks.push((node, scope));
            self.run()?;
            let made = self.program.expressions.get(node.0 as usize).copied();
            ensure(made == Some(Expression::Lambda(*lambda)), || {
                format!("global {} of the prelude is a lambda", global.0)
            })?;
        }
        Ok(())
    }

    fn region(&self, id: ExpressionId) -> Region {
        match (self.program.is_prelude(id), self.program.is_shipped(id)) {
            (true, _) => Region::Prelude,
            (false, true) => Region::Library,
            (false, false) => Region::Program,
        }
    }

    fn item(&mut self, expression: ExpressionId) -> Result<(), String> {
        let region = self.region(expression);
        ensure(region != Region::Prelude, || "an item is none of the prelude's".to_owned())?;
        let scope = Scope { locals: 0, slots: 0, members: 0, region };
        self.tasks.push((expression, scope));
        self.run()
    }

    fn run(&mut self) -> Result<(), String> {
        while let Some((expression, scope)) = self.tasks.pop() {
            self.expression(expression, scope).map_err(|message| format!("expression {}: {message}", expression.0))?;
        }
        Ok(())
    }

    fn expression(&mut self, id: ExpressionId, scope: Scope) -> Result<(), String> {
        visit(&mut self.visited_expressions, id.0, "expression")?;
        let region = self.region(id);
        ensure(region == scope.region, || format!("is of the {region:?}, but belongs to the {:?}", scope.region))?;
        let Some(expression) = self.program.expressions.get(id.0 as usize).copied() else {
            return Err("does not exist".into());
        };
        match expression {
            Expression::Constant(constant) => self.constant(constant),
            Expression::Variable(reference) => self.reference(reference, scope),
            Expression::Lambda(lambda) => self.lambda(lambda, id, scope),
            Expression::Application { operator, operand } => {
                if let Some(Expression::Lambda(_)) = self.program.expressions.get(operator.0 as usize) {
                    return Err("is an application of a lambda, but no let".into());
                }
                self.tasks.extend([(operator, scope), (operand, scope)]);
                Ok(())
            }
            Expression::Cons { first, second } => {
                self.tasks.extend([(first, scope), (second, scope)]);
                Ok(())
            }
            Expression::If { test, consequent, alternative } => {
                self.tasks.extend([(test, scope), (consequent, scope), (alternative, scope)]);
                Ok(())
            }
            Expression::Let { operator, lambda, operand } => {
                self.tasks.push((operand, scope));
                self.expression_let(operator, lambda, scope)
            }
            Expression::Letrec { group, body } => self.letrec(group, body, id, scope),
        }
    }

    fn constant(&self, constant: ConstantId) -> Result<(), String> {
        let exists = (constant.0 as usize) < self.program.constants.len();
        ensure(exists, || format!("constant {} does not exist", constant.0))
    }

    fn reference(&self, reference: Reference, scope: Scope) -> Result<(), String> {
        let exists = match reference {
            Reference::Local(local) => local < scope.locals,
            Reference::Slot(slot) => slot < scope.slots,
            Reference::Sibling(member) => member < scope.members,
            Reference::Global(global) => match scope.region {
                Region::Prelude => (global.0 as usize) < self.program.prelude.len(),
                Region::Library | Region::Program => (global.0 as usize) < self.program.globals.len(),
            },
            Reference::Primitive(_) => true,
        };
        ensure(exists, || format!("{reference:?} does not exist there"))
    }

    fn captures(&self, captures: &[Reference], scope: Scope) -> Result<(), String> {
        let mut distinct = HashSet::new();
        for capture in captures {
            match capture {
                Reference::Local(_) | Reference::Slot(_) | Reference::Sibling(_) => self.reference(*capture, scope)?,
                Reference::Global(_) | Reference::Primitive(_) => return Err(format!("captures {capture:?}")),
            }
            ensure(distinct.insert(*capture), || format!("captures {capture:?} twice"))?;
        }
        Ok(())
    }

    fn lambda_exists(&self, lambda: LambdaId) -> Result<&crate::Lambda, String> {
        self.program.lambdas.get(lambda.0 as usize).ok_or_else(|| format!("lambda {} does not exist", lambda.0))
    }

    fn lambda(&mut self, id: LambdaId, node: ExpressionId, scope: Scope) -> Result<(), String> {
        visit(&mut self.visited_lambdas, id.0, "lambda")?;
        let lambda = self.lambda_exists(id)?;
        ensure(lambda.node == node, || format!("lambda {} has the node {}", id.0, lambda.node.0))?;
        ensure(lambda.group.is_none() && lambda.depth == 0, || format!("lambda {} stands alone", id.0))?;
        self.captures(&lambda.captures, scope)?;
        let locals = self.pattern(lambda.pattern)?;
        let slots = lambda.captures.len() as u32;
        self.tasks.push((lambda.body, Scope { locals, slots, members: 0, ..scope }));
        Ok(())
    }

    fn expression_let(&mut self, operator: ExpressionId, id: LambdaId, scope: Scope) -> Result<(), String> {
        visit(&mut self.visited_expressions, operator.0, "expression")?;
        visit(&mut self.visited_lambdas, id.0, "lambda")?;
        let lambda = self.lambda_exists(id)?;
        let written = self.program.expressions.get(operator.0 as usize).copied();
        ensure(written == Some(Expression::Lambda(id)), || "its operator is another node".into())?;
        ensure(lambda.node == operator, || format!("lambda {} has the node {}", id.0, lambda.node.0))?;
        ensure(lambda.captures.is_empty() && lambda.group.is_none(), || "its lambda captures nothing".into())?;
        ensure(lambda.depth == scope.locals, || {
            format!("its lambda has depth {}, not {}", lambda.depth, scope.locals)
        })?;
        let locals = scope.locals + self.pattern(lambda.pattern)?;
        self.tasks.push((lambda.body, Scope { locals, ..scope }));
        Ok(())
    }

    fn letrec(&mut self, id: GroupId, body: ExpressionId, node: ExpressionId, scope: Scope) -> Result<(), String> {
        visit(&mut self.visited_groups, id.0, "group")?;
        let program = self.program;
        let Some(group) = program.groups.get(id.0 as usize) else { return Err("no such group".into()) };
        self.captures(&group.captures, scope)?;
        let members = group.members.len() as u32;
        for (number, member) in group.members.iter().enumerate() {
            visit(&mut self.visited_lambdas, member.0, "lambda")?;
            let lambda = self.lambda_exists(*member)?;
            ensure(lambda.group == Some((id, number as u32)), || format!("lambda {} knows its group", member.0))?;
            ensure(lambda.node == node && lambda.depth == 0, || format!("lambda {} knows its node", member.0))?;
            ensure(lambda.captures.is_empty(), || format!("lambda {} captures through its group", member.0))?;
            let locals = self.pattern(lambda.pattern)?;
            let slots = group.captures.len() as u32;
            let body = lambda.body;
            self.tasks.push((body, Scope { locals, slots, members, ..scope }));
        }
        self.tasks.push((body, Scope { locals: scope.locals + members, ..scope }));
        Ok(())
    }

    /// Checks a pattern and returns its number of variables.
    fn pattern(&self, pattern: PatternId) -> Result<u32, String> {
        let mut variables = 0;
        let mut pending = vec![pattern];
        while let Some(pattern) = pending.pop() {
            match self.program.patterns.get(pattern.0 as usize) {
                None => return Err(format!("pattern {} does not exist", pattern.0)),
                Some(Pattern::Variable) => variables += 1,
                Some(Pattern::Constant(constant)) => self.constant(*constant)?,
                Some(Pattern::Pair(first, second)) => pending.extend([*second, *first]),
            }
        }
        Ok(variables)
    }
}
