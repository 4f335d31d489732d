//! The code of `Instruction::Match`, which binds variables to the parts of a lambda's argument.
//!
//! The whole value is tested first and destructured afterwards, so that the message about a mismatch can show all of it.
//! [`super::instructions`] calls [`Body::match_pattern`]. The variables are in the order of the pattern's.

use super::Body;
use crate::c::{Expression as C, Statement};
use vlad_core::{Binder, Constant, ConstantId, ExpressionId, LambdaId, Pattern, PatternId};
use vlad_cps::{Atom, Variable};

impl Body<'_, '_> {
    /// Tests an argument and binds the variables: the argument is taken apart at its last use, else its parts are shared. A
    /// mismatch is reported at the node. The pattern of a procedure's parameters has none: the caller's application is reported,
    /// whose node the machine has.
    pub fn match_pattern(
        &mut self,
        variables: &[Variable],
        lambda: LambdaId,
        binder: Binder,
        argument: Atom,
        node: Option<ExpressionId>,
    ) {
        let pattern = self.context.unit.program.lambda(lambda).pattern;
        let value = self.borrowed(argument);
        let node = node.map_or(C::machine("call_node"), |node| C::Number(u64::from(node.0)));
        let label = self.fresh("mismatch");
        let moved = self.moved(argument);
        let scope = self.nested(|body| {
            let leaves = body.test_pattern(pattern, &value, &label, &node);
            match moved {
                Some(moved) => body.take_apart(pattern, moved, variables),
                None => {
                    for (variable, leaf) in variables.iter().zip(leaves) {
                        body.assign(*variable, C::call("vlad_share", [leaf]));
                    }
                }
            }
        });
        let is_tested = self.context.unit.program.pattern(pattern) != Pattern::Variable;
        self.put(Statement::Scope(scope));
        if is_tested {
            self.mismatch(label, lambda, binder, value, node);
        }
    }

    /// Tests a value against a pattern, pair by pair. Returns the parts that the variables match.
    fn test_pattern(&mut self, pattern: PatternId, value: &C, label: &str, node: &C) -> Vec<C> {
        let program = self.context.unit.program;
        let mut leaves = Vec::new();
        let mut pending = vec![(pattern, value.clone())];
        while let Some((pattern, value)) = pending.pop() {
            match program.pattern(pattern) {
                Pattern::Variable => leaves.push(value),
                Pattern::Constant(constant) => self.test_constant(constant, value, label, node),
                Pattern::Pair(first, second) => {
                    let name = self.fresh("seen");
                    self.put(Statement::Define { ctype: "vlad_value".into(), name: name.clone(), value });
                    self.unless(C::call("vlad_is_pair", [C::name(&*name)]), label);
                    pending.push((second, C::call("vlad_second", [C::name(&*name)])));
                    pending.push((first, C::call("vlad_first", [C::name(&*name)])));
                }
            }
        }
        leaves
    }

    /// Jumps to the code for a mismatch unless a test is true.
    fn unless(&mut self, test: C, label: &str) {
        let go = Statement::Goto(label.to_owned());
        self.put(Statement::when(test.prefix("!").unlikely(), vec![go]));
    }

    /// Tests a value against a constant; comparing it may fail with a fault of its own.
    fn test_constant(&mut self, constant: ConstantId, value: C, label: &str, node: &C) {
        match self.context.unit.program.constant(constant) {
            Constant::Nil => self.unless(C::call("vlad_is_nil", [value]), label),
            Constant::Boolean(_) | Constant::Real(_) | Constant::Pair(..) | Constant::Vector(_) => {
                let name = self.fresh("matches");
                let operands = [self.borrowed(Atom::Constant(constant)), value];
                self.put(Statement::Define {
                    ctype: "int".into(),
                    name: name.clone(),
                    value: C::service("matches", operands),
                });
                let fail = self.fail_at(node.clone());
                self.put(Statement::when(C::machine("fault").dot("kind").unlikely(), fail));
                self.unless(C::Name(name), label);
            }
        }
    }

    /// Destructures a value that matches, at its last use.
    fn take_apart(&mut self, pattern: PatternId, value: C, variables: &[Variable]) {
        let program = self.context.unit.program;
        let mut variables = variables.iter();
        let mut pending = vec![(pattern, value)];
        while let Some((pattern, value)) = pending.pop() {
            match program.pattern(pattern) {
                Pattern::Variable => {
                    if let Some(variable) = variables.next() {
                        self.assign(*variable, value);
                    }
                }
                Pattern::Constant(constant) => {
                    if !matches!(program.constant(constant), Constant::Nil | Constant::Boolean(_)) {
                        self.drop(value);
                    }
                }
                Pattern::Pair(first, second) => {
                    let names = vec![self.fresh("half"), self.fresh("half")];
                    self.put(Statement::Declare { ctype: "vlad_value", names: names.clone() });
                    let halves = names.iter().map(|name| C::name(name).prefix("&"));
                    let operands: Vec<C> = [C::name("m"), value].into_iter().chain(halves).collect();
                    self.put(Statement::Evaluate(C::call("vlad_unpair", operands)));
                    if let [one, other] = names.as_slice() {
                        pending.push((second, C::name(other)));
                        pending.push((first, C::name(one)));
                    }
                }
            }
        }
    }

    /// The code for a mismatch, out of line.
    fn mismatch(&mut self, label: String, lambda: LambdaId, binder: Binder, value: C, node: C) {
        let binder = match binder {
            Binder::Procedure => "VLAD_BINDER_PROCEDURE",
            Binder::Let => "VLAD_BINDER_LET",
        };
        let statements = self.nested(|body| {
            body.put(Statement::Label(label));
            body.put(Body::fault_of("VLAD_FAULT_MISMATCH"));
            let fault = || C::machine("fault");
            body.put(Statement::Assign(fault().dot("detail"), C::Number(u64::from(lambda.0))));
            body.put(Statement::Assign(fault().dot("binder"), C::name(binder)));
            body.put(Statement::Assign(fault().dot("first"), value));
            let fail = body.fail_at(node);
            fail.into_iter().for_each(|statement| body.put(statement));
        });
        self.aside.extend(statements);
    }
}
