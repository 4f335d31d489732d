//! The printed form of first-order code (`vlad show ir`): one statement a line, nested blocks indented.
//!
//! A variable is the letters of its kind and its number: `r` for a real, `b` for a boolean, `k` for an integer, `c` for a cell, `a` for
//! an array of reals and `ab` for one of booleans, with one `a` more for each further index. Functions have their names in C
//! ([`crate::names`]); that of the entry stands behind `entry`. Reals have the shortest notation that reads back. Shapes are the steps
//! that build the value; leaves are `real` and `boolean`. [`super::read`] reads the text.
//!
//! ```text
//! input x: real real pair                inputs 0 and 1
//! shape 0: boolean                       a shape of values that are written; `row shape`: as a row
//! function f_0 (r0 b1) real real         parameters, kinds of results, then the body
//!   r2 = * r0 0.5                        an operation of the table
//!   b3 = r2 < 1                          a comparison
//!   r4 = positive-zero r2
//!   r5 r6 = bind                         the block follows
//!     if b3
//!       yield r2 1
//!     else
//!       bail out at 17
//!   r7 = loop r8 := r2, r9 := 0          the state with its initial values
//!     repeat r8 1
//!   r10 r11 = call f_0 r2 #t
//!   r12 r13 r14 r15 = forward f_0 r2:1 #t        primals, with tangents behind colons
//!   r16 r17 r18 = reverse f_0 @r2 #t (r2 1)      active arguments have an @; cotangents of the results
//!   r19 = input 1
//!   r20 = read
//!   write 0 b3
//!   push r2 r4
//!   r21 r22 = pop
//!   a22 = array r2 r4
//!   a24 = build r2 r23                     the length, and the index; the block yields the elements
//!     yield r23
//!   r25 = element a24 0
//!   r26 = length a24
//!   b27 = is-index a24 r26
//!   b28 = same-lengths a22 a24
//!   a29 = zeros a24
//!   a30 = accumulators a24
//!   r31 = load a30 0
//!   store a30 0 r2
//!   count 3
//! ```

use crate::kind::Elements;
use crate::names::names;
use crate::template::{Step, Template};
use crate::{
    Block, Division, End, Function, FunctionId, Kind, Operand, Recording, Scalar, Stack, Statement, Unit, Variable,
};
use crate::{Content, IntegerOperation, Order, Place, Storage};
use vlad_core::Program;
use vlad_table::{Comparison, ValueTag, number};
use vlad_values::print::Layout;

/// The text of a unit; inputs have the names of definitions if the program is given.
pub fn print(unit: &Unit, program: Option<&Program>) -> String {
    let mut printing = Printing { names: names(unit), lines: Vec::new() };
    for (global, template) in &unit.inputs {
        let name = program.map_or_else(|| global.0.to_string(), |program| program.global(*global).name.to_string());
        printing.line(0, format!("input {name}: {}", shape(template)));
    }
    for (number, line) in unit.written.iter().enumerate() {
        let layout = match line.layout {
            Layout::Datum => "",
            Layout::Row => "row ",
            Layout::Text => "text ",
        };
        printing.line(0, format!("{layout}shape {number}: {}", shape(&line.template)));
    }
    if !unit.result.steps.is_empty() {
        printing.line(0, format!("result: {}", shape(&unit.result)));
    }
    for (function, number) in unit.functions.iter().zip(0..) {
        printing.function(function, FunctionId(number), unit.entry == Some(FunctionId(number)));
    }
    printing.lines.join("\n") + "\n"
}

fn shape(template: &Template) -> String {
    let step = |step: &Step| match step {
        Step::Nil => "()".to_owned(),
        Step::Boolean(boolean) => truth(*boolean).to_owned(),
        Step::Real(bits) => number::format(bits.real()),
        Step::Primitive(primitive) => format!("primitive-{}", primitive.name()),
        Step::RealLeaf => "real".to_owned(),
        Step::BooleanLeaf => "boolean".to_owned(),
        Step::ArrayLeaf(elements) => kind_name(Kind::Array(*elements)),
        Step::CellLeaf(number) => format!("cell-{number}"),
        Step::Pair => "pair".to_owned(),
        Step::Procedure(lambda, slots) => format!("procedure-{}/{slots}", lambda.0),
        Step::Vector(length) => format!("vector/{length}"),
        Step::Bundle(true) => "bundle-of-perturbation".to_owned(),
        Step::Bundle(false) => "bundle".to_owned(),
        Step::Tagged(ValueTag::Perturbation) => "perturbation".to_owned(),
        Step::Tagged(ValueTag::Sensitivity) => "sensitivity".to_owned(),
        Step::Tagged(ValueTag::Reverse) => "reverse".to_owned(),
        Step::Backpropagator => "backpropagator".to_owned(),
        Step::Either(steps) => format!("either/{steps}"),
        Step::Last => "last".to_owned(),
    };
    let steps = |steps: &[Step]| steps.iter().map(step).collect::<Vec<_>>().join(" ");
    let cells = template.cells.iter().zip(0..).map(|(cell, number)| format!(", cell-{number} is {}", steps(cell)));
    steps(&template.steps) + &cells.collect::<String>()
}

/// The name of a kind: `array` for each index that leads to the scalars.
fn kind_name(kind: Kind) -> String {
    match kind {
        Kind::Real => "real".to_owned(),
        Kind::Boolean => "boolean".to_owned(),
        Kind::Array(Elements { scalar, rank }) => {
            let scalar = match scalar {
                Scalar::Real => "reals",
                Scalar::Boolean => "booleans",
            };
            format!("{}{scalar}", "array-of-".repeat(rank.into()))
        }
        Kind::Cell => "cell".to_owned(),
        Kind::Integer => "integer".to_owned(),
    }
}

fn truth(boolean: bool) -> &'static str {
    if boolean { "#t" } else { "#f" }
}

pub(crate) fn comparison_name(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Equal => "=",
        Comparison::Less => "<",
        Comparison::Greater => ">",
        Comparison::NotGreater => "<=",
        Comparison::NotLess => ">=",
    }
}

/// The name of a variable.
fn variable(function: &Function, variable: Variable) -> String {
    let letters = match function.kind(variable.into()) {
        Kind::Real => "r".to_owned(),
        Kind::Boolean => "b".to_owned(),
        Kind::Array(Elements { scalar: Scalar::Real, rank }) => "a".repeat(rank.into()),
        Kind::Array(Elements { scalar: Scalar::Boolean, rank }) => "a".repeat(rank.into()) + "b",
        Kind::Cell => "c".to_owned(),
        Kind::Integer => "k".to_owned(),
    };
    format!("{letters}{}", variable.0)
}

fn operand(function: &Function, operand: Operand) -> String {
    match operand {
        Operand::Variable(name) => variable(function, name),
        Operand::UNREAD => UNREAD.to_owned(),
        Operand::Real(bits) => number::format(bits.real()),
        Operand::Boolean(boolean) => truth(boolean).to_owned(),
    }
}

/// The text of [`Operand::UNREAD`].
pub(crate) const UNREAD: &str = "unread";

fn operands(function: &Function, list: &[Operand]) -> String {
    list.iter().map(|item| operand(function, *item)).collect::<Vec<_>>().join(" ")
}

/// The text of a statement of storage code without its targets and its block.
fn storage(function: &Function, statement: &Storage<Block>) -> String {
    let text = |list: &[Operand]| operands(function, list);
    match statement {
        Storage::Integer { operation: IntegerOperation::Solve(inverse, twos), operands, .. } => {
            format!("solve {} by {inverse:#x} {twos}", text(operands))
        }
        Storage::Integer { operation, operands, .. } => format!("{} {}", operation.name(), text(operands)),
        Storage::For { variables, initial, end, listed, order, .. } => {
            let order = match order {
                Order::Sequential => "for",
                Order::Unrolled => "unrolled for",
                Order::Parallel => "parallel for",
            };
            let pair = |(name, value): (&Variable, &Operand)| {
                format!("{} := {}", variable(function, *name), operand(function, *value))
            };
            let state: Vec<String> = variables.iter().zip(initial).map(pair).collect();
            let listed = listed
                .as_ref()
                .map_or_else(String::new, |(test, items)| format!(" or if {} of {}", text(&[*test]), text(items)));
            format!("{order} {} below {}{listed}", state.join(", "), text(&[*end]))
        }
        Storage::Allocate { length, place, .. } => {
            let place = match place {
                Place::Memory => String::new(),
                Place::Result(result) => format!(" in result {result}"),
                Place::Row(result, row) => format!(" in result {result} row {}", text(&[*row])),
                Place::EvenRow(rows, row) => {
                    format!(" in rows of {} row {}", variable(function, *rows), text(&[*row]))
                }
                Place::Rows => " without rows".to_owned(),
                Place::Buffer(arrays) => format!(" in buffer {}", text(arrays)),
            };
            format!("allocate {}{place}", text(&[*length]))
        }
        Storage::BeginRows { rows, result, counts, content } => {
            let content = match content {
                Content::Unset => "unset",
                Content::Zeros => "zero",
            };
            format!("{content} rows of {} in result {result} {}", variable(function, *rows), text(counts))
        }
        Storage::Fill { array, behind: None } => format!("fill {}", text(&[*array])),
        Storage::Fill { array, behind: Some((result, rows)) } => {
            format!("fill {} and rows behind in result {result} {}", text(&[*array]), text(rows))
        }
        Storage::Part { range, .. } => format!("part {}", text(range)),
        Storage::Apart { values, .. } => format!("apart {}", text(values)),
        Storage::SineAndCosine { angle, .. } => format!("sine-and-cosine {}", text(&[*angle])),
        Storage::Turns { count } => format!("turns {}", text(&[*count])),
        Storage::CountEach { steps, times } => format!("count {steps} times {}", text(&[*times])),
        Storage::Mark { .. } => "mark".to_owned(),
        Storage::Keep { mark, limit, values, .. } => {
            let limit = limit.map_or_else(String::new, |limit| format!(" beyond {}", text(&[limit])));
            format!("keep {} from {}{limit}", text(values), text(&[*mark]))
        }
    }
}

struct Printing {
    names: Vec<String>,
    lines: Vec<String>,
}

impl Printing {
    fn line(&mut self, indentation: usize, text: impl AsRef<str>) {
        self.lines.push(format!("{:1$}{2}", "", 2 * indentation, text.as_ref().trim_end()));
    }

    fn name(&self, function: FunctionId) -> String {
        self.names.get(function.0 as usize).cloned().unwrap_or_else(|| format!("?{}", function.0))
    }

    fn function(&mut self, function: &Function, id: FunctionId, is_entry: bool) {
        let parameters: Vec<String> = function.parameters.iter().map(|name| variable(function, *name)).collect();
        let kinds = function.results.iter().map(|kind| kind_name(*kind));
        let entry = if is_entry { "entry " } else { "" };
        let (parameters, kinds) = (parameters.join(" "), kinds.collect::<Vec<_>>().join(" "));
        self.line(0, format!("{entry}function {} ({parameters}) {kinds}", self.name(id)));
        self.block(function, &function.body, 1);
    }

    fn block(&mut self, function: &Function, block: &Block, indentation: usize) {
        for statement in &block.statements {
            let text = self.statement(function, statement);
            let targets: Vec<String> = statement.targets().iter().map(|name| variable(function, *name)).collect();
            let assigns = if targets.is_empty() { String::new() } else { format!("{} = ", targets.join(" ")) };
            self.line(indentation, assigns + &text);
            if let Some(inner) = statement.block() {
                self.block(function, inner, indentation + 1);
            }
        }
        match &block.end {
            End::Yield(results) => self.line(indentation, format!("yield {}", operands(function, results))),
            End::Repeat(state) => self.line(indentation, format!("repeat {}", operands(function, state))),
            End::Branch { test, consequent, alternative } => {
                self.line(indentation, format!("if {}", operand(function, *test)));
                self.block(function, consequent, indentation + 1);
                self.line(indentation, "else");
                self.block(function, alternative, indentation + 1);
            }
            End::BailOut(node) => self.line(indentation, format!("bail out at {}", node.0)),
        }
    }

    /// The text of a statement without its targets and its block.
    fn statement(&self, function: &Function, statement: &Statement) -> String {
        let text = |list: &[Operand]| operands(function, list);
        let all = text(&statement.operands());
        match statement {
            Statement::Operation { operation, .. } => format!("{} {all}", operation.row().name),
            Statement::PositiveZero { .. } => format!("positive-zero {all}"),
            Statement::Compare { comparison, first, second, .. } => {
                format!("{} {} {}", text(&[*first]), comparison_name(*comparison), text(&[*second]))
            }
            Statement::Bind { .. } => "bind".to_owned(),
            Statement::Loop { state, initial, .. } => {
                let pair = |(name, value): (&Variable, &Operand)| {
                    format!("{} := {}", variable(function, *name), operand(function, *value))
                };
                format!("loop {}", state.iter().zip(initial).map(pair).collect::<Vec<_>>().join(", "))
            }
            Statement::Call { function, .. } => format!("call {} {all}", self.name(*function)),
            Statement::Forward { function: callee, arguments, tangents, .. } => {
                let pair = |(argument, tangent): (&Operand, &Option<Operand>)| match tangent {
                    Some(tangent) => format!("{}:{}", operand(function, *argument), operand(function, *tangent)),
                    None => operand(function, *argument),
                };
                let arguments: Vec<String> = arguments.iter().zip(tangents).map(pair).collect();
                format!("forward {} {}", self.name(*callee), arguments.join(" "))
            }
            Statement::Reverse { function: callee, arguments, active, cotangents, recording, .. } => {
                let marked = |(argument, active): (&Operand, &bool)| {
                    format!("{}{}", if *active { "@" } else { "" }, operand(function, *argument))
                };
                let mut words = vec![self.name(*callee)];
                words.extend(arguments.iter().zip(active).map(marked));
                let mode = match recording {
                    Recording::Everything => "reverse".to_owned(),
                    Recording::Checkpoints(Division { words, state_words, least }) => {
                        format!("checkpointed {words} {state_words} {least} reverse")
                    }
                };
                format!("{mode} {} ({})", words.join(" "), text(cotangents))
            }
            Statement::Input { input, .. } => format!("input {input}"),
            Statement::Read { .. } => "read".to_owned(),
            Statement::Write { template, .. } => format!("write {template} {all}"),
            Statement::Push { stack: Stack::Sweeps, .. } => format!("push {all}"),
            Statement::Push { stack: Stack::Calls, .. } => format!("save {all}"),
            Statement::Pop { stack: Stack::Sweeps, .. } => "pop".to_owned(),
            Statement::Pop { stack: Stack::Calls, .. } => "restore".to_owned(),
            Statement::Act { action, .. } => format!("{} {all}", action.name()).trim_end().to_owned(),
            Statement::Array { .. } => format!("array {all}"),
            Statement::Build { index, .. } => format!("build {all} {}", variable(function, *index)),
            Statement::Element { .. } => format!("element {all}"),
            Statement::Length { .. } => format!("length {all}"),
            Statement::Replace { node, .. } => format!("replace {all} at {}", node.0),
            Statement::IsIndex { .. } => format!("is-index {all}"),
            Statement::CompareArrays { relation, .. } => format!("{} {all}", relation.name()),
            Statement::Zeros { .. } => format!("zeros {all}"),
            Statement::Accumulators { .. } => format!("accumulators {all}"),
            Statement::Cell { .. } => format!("cell {all}").trim_end().to_owned(),
            Statement::Parts { .. } => format!("parts {all}"),
            Statement::Load { .. } => format!("load {all}"),
            Statement::Store { .. } => format!("store {all}"),
            Statement::Steps { .. } => "steps".to_owned(),
            Statement::Recount { .. } => format!("count-again {all}"),
            Statement::Count { steps } => format!("count {steps}"),
            Statement::Storage(statement) => storage(function, statement),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Relation;
    use crate::build::Building;
    use crate::template::Line;
    use vlad_core::{ExpressionId, GlobalId, LambdaId};
    use vlad_table::Operation;

    /// Every kind of statement, end and step, as in the header of this module.
    #[test]
    fn everything_has_its_notation() {
        let mut building = Building::default();
        building.unit.inputs = vec![(GlobalId(7), Template::of(vec![Step::RealLeaf, Step::BooleanLeaf, Step::Pair]))];
        let steps = vec![Step::Nil, Step::Boolean(false), Step::Procedure(LambdaId(4), 2)];
        building.unit.written = vec![Line::of(Template::of(steps))];
        let f = building.declare("f", &[Kind::Real, Kind::Boolean], &[Kind::Real, Kind::Real]);
        building.define(f, |code, x| {
            let half = code.binary(Operation::Multiply, x[0], Operand::real(0.5));
            let less = code.compare(Comparison::Less, half, Operand::real(-0.0));
            let positive = code.positive_zero(half);
            code.bind(&[Kind::Real], |code| {
                code.branch(less, |_| End::Yield(vec![half]), |_| End::BailOut(ExpressionId(17)))
            });
            code.run_loop(&[Kind::Real], &[positive, x[1]], |_, state| {
                End::Repeat(vec![Operand::real(f64::NAN), state[1]])
            });
            let yes = Operand::Boolean(true);
            code.call(f, &[half, yes]);
            code.forward(f, &[half, yes], &[Some(Operand::real(1.0)), None]);
            code.reverse(f, &[half, yes], &[true, false], &[half, Operand::real(1e300)]);
            code.input(Kind::Boolean, 1);
            code.read();
            code.push(Statement::Write { template: 0, leaves: vec![] });
            code.push(Statement::Push { stack: Stack::Sweeps, values: vec![half, less] });
            code.pop(&[Kind::Real, Kind::Boolean]);
            let array = Kind::REALS;
            let target = code.fresh(array);
            code.push(Statement::Array { target, elements: vec![half, positive] });
            let built = code.build(&[array], half, |_, index| End::Yield(vec![index]))[0];
            code.element(built, Operand::real(0.0));
            let length = code.length(built);
            let test = code.fresh(Kind::Boolean);
            code.push(Statement::IsIndex { target: test, array: built, index: length });
            let same = code.fresh(Kind::Boolean);
            let (relation, first) = (Relation::SameLengths, target.into());
            code.push(Statement::CompareArrays { target: same, relation, first, second: built });
            let (zeros, accumulators, loaded) = (code.fresh(array), code.fresh(array), code.fresh(Kind::Real));
            code.push(Statement::Zeros { target: zeros, like: built });
            code.push(Statement::Accumulators { target: accumulators, like: built });
            let (array, index) = (accumulators.into(), Operand::real(0.0));
            code.push(Statement::Load { target: loaded, array, index });
            code.push(Statement::Store { array, index, value: half });
            code.push(Statement::Count { steps: 3 });
            End::Yield(vec![half, half])
        });
        building.unit.entry = Some(f);
        let expected = "\
input 7: real boolean pair
shape 0: () #f procedure-4/2
entry function f_0 (r0 b1) real real
  r2 = * r0 0.5
  b3 = r2 < -0
  r4 = positive-zero r2
  r5 = bind
    if b3
      yield r2
    else
      bail out at 17
  r8 = loop r6 := r4, b7 := b1
    repeat +nan.0 b7
  r9 r10 = call f_0 r2 #t
  r11 r12 r13 r14 = forward f_0 r2:1 #t
  r15 r16 r17 = reverse f_0 @r2 #t (r2 1e+300)
  b18 = input 1
  r19 = read
  write 0
  push r2 b3
  r20 b21 = pop
  a22 = array r2 r4
  a24 = build r2 r23
    yield r23
  r25 = element a24 0
  r26 = length a24
  b27 = is-index a24 r26
  b28 = same-lengths a22 a24
  a29 = zeros a24
  a30 = accumulators a24
  r31 = load a30 0
  store a30 0 r2
  count 3
  yield r2 r2
";
        assert_eq!(print(&building.finish(), None), expected);
    }
}
