//! The printer of C: the one place that knows its spelling.
//!
//! Parentheses are printed where the grammar of C needs them, and where compilers advise them. Text that comes from a
//! program - names, in comments - cannot end a comment or a line.

use super::{Expression, Field, Head, Infix, Item, Statement};

/// Prints a file.
pub fn print(items: impl IntoIterator<Item = Item>) -> String {
    let mut printer = Printer { text: String::new(), depth: 0 };
    items.into_iter().for_each(|item| printer.item(&item));
    printer.text
}

/// Like [`print`], but returns `None` if the text exceeds `most` bytes. It asks for no item after the one that exceeds
/// them.
pub fn print_within(most: usize, items: impl IntoIterator<Item = Item>) -> Option<String> {
    let mut printer = Printer { text: String::new(), depth: 0 };
    for item in items {
        printer.item(&item);
        if printer.text.len() > most {
            return None;
        }
    }
    Some(printer.text)
}

/// The precedence of expressions, in the order of C.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Precedence {
    Any,
    Choice,
    Or,
    And,
    BitAnd,
    Equality,
    Relation,
    Sum,
    Product,
    Prefix,
    Postfix,
}

struct Printer {
    text: String,
    depth: usize,
}

impl Printer {
    fn line(&mut self, text: &str) {
        self.indent();
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn indent(&mut self) {
        (0..self.depth).for_each(|_| self.text.push_str("    "));
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Comment(text) => self.line(&comment(text)),
            Item::Include(name) => self.line(&format!("#include \"{name}\"")),
            Item::IncludeOfSystem(name) => self.line(&format!("#include <{name}>")),
            Item::Define(name, value) => {
                self.text.push_str(&format!("#define {name} "));
                self.expression(value, Precedence::Postfix);
                self.text.push('\n');
            }
            Item::Once { guard, items } => {
                self.line(&format!("#ifndef {guard}\n#define {guard}"));
                items.iter().for_each(|item| self.item(item));
                self.line("#endif");
            }
            Item::Enumeration(name, constants) => {
                self.line(&format!("enum {name} {{"));
                constants.iter().for_each(|(name, number)| self.line(&format!("    {name} = {number},")));
                self.line("};");
            }
            Item::Structure(name, fields) => {
                self.line(&format!("struct {name} {{"));
                for Field { ctype, name, comment: after } in fields {
                    let after = if after.is_empty() { String::new() } else { format!(" {}", comment(after)) };
                    self.line(&format!("    {}{name};{after}", typed(ctype)));
                }
                self.line("};");
            }
            Item::Extern { ctype, name } => self.line(&format!("extern {}{name};", typed(ctype))),
            Item::Prototype(head) => {
                let text = head_text(head);
                self.line(&format!("{text};"));
            }
            Item::Function { head, body } => {
                let text = head_text(head);
                self.line(&format!("{text} {{"));
                self.statements(body);
                self.line("}\n");
            }
            Item::Object { storage, ctype, name, contents } => {
                self.line(&format!("{storage}{ctype} {name} = {{"));
                self.depth += 1;
                for expression in contents {
                    self.indent();
                    self.expression(expression, Precedence::Any);
                    self.text.push_str(",\n");
                }
                self.depth -= 1;
                self.line("};");
            }
        }
    }

    /// A loop over the whole numbers of a range.
    fn range(&mut self, (index, from, to): (&str, &Expression, &Expression), statements: &[Statement]) {
        self.indent();
        self.text.push_str(&format!("for (uint64_t {index} = "));
        self.expression(from, Precedence::Any);
        self.text.push_str(&format!("; {index} < "));
        self.expression(to, Precedence::Any);
        self.text.push_str(&format!("; {index}++) {{\n"));
        self.statements(statements);
        self.line("}");
    }

    fn statements(&mut self, statements: &[Statement]) {
        self.depth += 1;
        statements.iter().for_each(|statement| self.statement(statement));
        self.depth -= 1;
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Comment(text) => self.line(&comment(text)),
            Statement::Declare { ctype, names } => {
                let list = names.join(if ctype.ends_with('*') { ", *" } else { ", " });
                self.line(&format!("{}{list};", typed(ctype)));
            }
            Statement::Define { ctype, name, value } => self.ended(&format!("{}{name} = ", typed(ctype)), value),
            Statement::Assign(place, value) => self.assignment(place, " = ", value),
            Statement::Add(place, value) => self.assignment(place, " += ", value),
            Statement::Subtract(place, value) => self.assignment(place, " -= ", value),
            Statement::Evaluate(value) => self.ended("", value),
            Statement::If { test, then, otherwise } => self.conditional(test, then, otherwise),
            Statement::Scope(statements) => {
                self.line("{");
                self.statements(statements);
                self.line("}");
            }
            Statement::Choose { value, cases, otherwise } => {
                self.headed("switch (", value, ") {\n");
                for (number, statements) in cases {
                    self.headed("case ", number, ": {\n");
                    self.statements(statements);
                    self.line("}");
                }
                if !otherwise.is_empty() {
                    self.line("default: {");
                    self.statements(otherwise);
                    self.line("}");
                }
                self.line("}");
            }
            Statement::Loop(statements) => {
                self.line("for (;;) {");
                self.statements(statements);
                self.line("}");
            }
            Statement::Elementwise { index, from, to, sum, statements } => {
                match sum {
                    None => self.line("VLAD_ELEMENTWISE"),
                    Some(sum) => self.line(&format!("VLAD_ELEMENTWISE_SUM({sum})")),
                }
                self.range((index, from, to), statements);
            }
            Statement::For { header, index, from, to, statements } => {
                header.iter().for_each(|header| self.line(header));
                self.range((index, from, to), statements);
            }
            Statement::Break => self.line("break;"),
            Statement::Unused(names) => self.line(&format!("(void){};", names.join(", (void)"))),
            Statement::Goto(label) => self.line(&format!("goto {label};")),
            // In C a label needs a statement, and the next text may be a declaration or the end of the block.
            Statement::Label(label) => {
                self.text.push_str(label);
                self.text.push_str(":;\n");
            }
            Statement::Return(value) => self.ended("return ", value),
        }
    }

    fn conditional(&mut self, test: &Expression, then: &[Statement], otherwise: &[Statement]) {
        self.headed("if (", test, ") {\n");
        self.statements(then);
        if !otherwise.is_empty() {
            self.line("} else {");
            self.statements(otherwise);
        }
        self.line("}");
    }

    /// Prints a statement that consists of some text and an expression.
    fn ended(&mut self, start: &str, value: &Expression) {
        self.headed(start, value, ";\n");
    }

    /// Prints an indented expression between two texts.
    fn headed(&mut self, start: &str, value: &Expression, end: &str) {
        self.indent();
        self.text.push_str(start);
        self.expression(value, Precedence::Any);
        self.text.push_str(end);
    }

    fn assignment(&mut self, place: &Expression, operator: &str, value: &Expression) {
        self.indent();
        self.expression(place, Precedence::Postfix);
        self.text.push_str(operator);
        self.expression(value, Precedence::Any);
        self.text.push_str(";\n");
    }

    fn list(&mut self, expressions: &[Expression]) {
        for (place, expression) in expressions.iter().enumerate() {
            if place > 0 {
                self.text.push_str(", ");
            }
            self.expression(expression, Precedence::Any);
        }
    }

    /// Prints an expression, in parentheses if its precedence is lower than its context needs.
    fn expression(&mut self, expression: &Expression, needed: Precedence) {
        let in_parentheses = tightness(expression) < needed;
        if in_parentheses {
            self.text.push('(');
        }
        self.bare(expression);
        if in_parentheses {
            self.text.push(')');
        }
    }

    fn bare(&mut self, expression: &Expression) {
        match expression {
            Expression::Name(name) => self.text.push_str(name),
            Expression::Number(number) => self.text.push_str(&number.to_string()),
            Expression::Unsigned(number) => self.text.push_str(&format!("{number}u")),
            Expression::Bits(bits) => self.text.push_str(&format!("0x{bits:016x}u")),
            Expression::Real(real) => self.text.push_str(&format!("{real:?}")),
            Expression::Text(text) => self.text.push_str(&string(text)),
            Expression::Formula(text) => self.text.push_str(text),
            Expression::Call(function, operands) => {
                self.text.push_str(function);
                self.operands(operands);
            }
            Expression::CallPlace(place, operands) => {
                self.expression(place, Precedence::Postfix);
                self.operands(operands);
            }
            Expression::Arrow(of, field) => self.field(of, "->", field),
            Expression::Dot(of, field) => self.field(of, ".", field),
            Expression::Index(of, index) => {
                self.expression(of, Precedence::Postfix);
                self.text.push('[');
                self.expression(index, Precedence::Any);
                self.text.push(']');
            }
            Expression::Prefix(operator, of) => {
                self.text.push_str(operator);
                // Two signs in a row would be another operator.
                let is_sign = |of: &Expression| matches!(of, Expression::Prefix("-", _));
                let is_double = *operator == "-" && is_sign(of);
                self.expression(of, if is_double { Precedence::Postfix } else { Precedence::Prefix });
            }
            Expression::Infix(operator, left, right) => {
                let (text, own) = infix(*operator);
                // A right operand of the same precedence gets parentheses. An operand of lower precedence, or with a
                // mixed operator, gets them on both sides.
                let on_the_left = if own >= Precedence::Relation { own } else { Precedence::Relation };
                self.expression(left, if same_operator(*operator, left) { own } else { on_the_left });
                self.text.push_str(text);
                self.expression(right, if own >= Precedence::Sum { Precedence::Prefix } else { Precedence::Sum });
            }
            Expression::Choice(test, yes, no) => {
                self.expression(test, Precedence::Or);
                self.text.push_str(" ? ");
                self.expression(yes, Precedence::Or);
                self.text.push_str(" : ");
                self.expression(no, Precedence::Choice);
            }
            Expression::Braces(parts) => self.braces(parts),
            Expression::Element(index, value) => {
                self.text.push_str(&format!("[{index}] = "));
                self.expression(value, Precedence::Any);
            }
            Expression::Literal(ctype, parts) => {
                // The length is stated since some C compilers cannot count elements that are structures.
                self.text.push_str(&format!("({ctype}[{}])", parts.len()));
                self.braces(parts);
            }
        }
    }

    fn operands(&mut self, operands: &[Expression]) {
        self.text.push('(');
        self.list(operands);
        self.text.push(')');
    }

    fn braces(&mut self, parts: &[Expression]) {
        self.text.push('{');
        self.list(parts);
        self.text.push('}');
    }

    fn field(&mut self, of: &Expression, operator: &str, field: &str) {
        self.expression(of, Precedence::Postfix);
        self.text.push_str(operator);
        self.text.push_str(field);
    }
}

fn same_operator(operator: Infix, expression: &Expression) -> bool {
    matches!(expression, Expression::Infix(other, ..) if *other == operator && !matches!(other, Infix::Subtract | Infix::Divide))
}

fn infix(operator: Infix) -> (&'static str, Precedence) {
    match operator {
        Infix::Add => (" + ", Precedence::Sum),
        Infix::Subtract => (" - ", Precedence::Sum),
        Infix::Multiply => (" * ", Precedence::Product),
        Infix::Divide => (" / ", Precedence::Product),
        Infix::Less => (" < ", Precedence::Relation),
        Infix::Greater => (" > ", Precedence::Relation),
        Infix::NotGreater => (" <= ", Precedence::Relation),
        Infix::NotLess => (" >= ", Precedence::Relation),
        Infix::Equal => (" == ", Precedence::Equality),
        Infix::BitAnd => (" & ", Precedence::BitAnd),
        Infix::And => (" && ", Precedence::And),
        Infix::Or => (" || ", Precedence::Or),
    }
}

fn tightness(expression: &Expression) -> Precedence {
    match expression {
        Expression::Name(_)
        | Expression::Number(_)
        | Expression::Unsigned(_)
        | Expression::Bits(_)
        | Expression::Real(_)
        | Expression::Text(_)
        | Expression::Call(..)
        | Expression::CallPlace(..)
        | Expression::Arrow(..)
        | Expression::Dot(..)
        | Expression::Index(..)
        | Expression::Braces(_)
        | Expression::Element(..)
        | Expression::Literal(..) => Precedence::Postfix,
        Expression::Formula(_) => Precedence::Any,
        Expression::Prefix(..) => Precedence::Prefix,
        Expression::Infix(operator, ..) => infix(*operator).1,
        Expression::Choice(..) => Precedence::Choice,
    }
}

/// A type, with a space after it if it needs one.
fn typed(ctype: &str) -> String {
    if ctype.ends_with('*') { ctype.to_owned() } else { format!("{ctype} ") }
}

fn head_text(head: &Head) -> String {
    let parameters: Vec<String> =
        head.parameters.iter().map(|(ctype, name)| format!("{}{name}", typed(ctype))).collect();
    format!("{}{}{}({})", head.storage, typed(&head.result), head.name, parameters.join(", "))
}

/// A string, whatever the text contains.
fn string(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b" _-+*/.,:;<>()[]{}=!&|~^%#@$'`".contains(&byte);
    let letter = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("\\{byte:03o}") };
    format!("\"{}\"", text.bytes().map(letter).collect::<String>())
}

/// A comment of one line, whatever the text contains.
fn comment(text: &str) -> String {
    let text: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    format!("/* {} */", text.replace("*/", "* /").replace("/*", "/ *"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(expression: Expression) -> String {
        let mut printer = Printer { text: String::new(), depth: 0 };
        printer.expression(&expression, Precedence::Any);
        printer.text
    }

    #[test]
    fn parentheses_stand_where_they_are_needed() {
        let name = Expression::name;
        let difference = name("a").infix(Infix::Subtract, name("b").infix(Infix::Subtract, name("c")));
        assert_eq!(text(difference), "a - (b - c)");
        let both =
            name("a").infix(Infix::Less, name("b")).infix(Infix::BitAnd, name("c").infix(Infix::Equal, name("d")));
        assert_eq!(text(both), "a < b & (c == d)");
        let row = name("a").infix(Infix::And, name("b")).infix(Infix::And, name("c").prefix("!"));
        assert_eq!(text(row), "a && b && !c");
        assert_eq!(text(name("a").prefix("-").prefix("-")), "-(-a)");
        assert_eq!(text(name("p").arrow("q").at(3).dot("r").prefix("&")), "&p->q[3].r");
    }

    #[test]
    fn no_part_is_asked_for_that_is_not_needed() {
        let parts = || [Item::Include("a.h"), Item::Include("b.h")].into_iter();
        let long = print(parts()).len();
        assert_eq!(print_within(long, parts()), Some(print(parts())));
        let endless = parts().chain(std::iter::repeat_with(|| unreachable!("a part is asked for")));
        assert_eq!(print_within(long - 1, endless), None);
    }

    #[test]
    fn no_name_ends_a_string() {
        assert_eq!(text(Expression::Text("a \"b\"\\\n?".to_owned())), "\"a \\042b\\042\\134\\012\\077\"");
    }

    #[test]
    fn no_name_ends_a_comment() {
        assert_eq!(comment("a*/\nb"), "/* a* / b */");
    }
}
