//! Code of the stepwise form of a function that stops or resumes within a row of steps. `points` describes the stop
//! points.

use super::Body;
use crate::c::{Expression as C, Infix, Statement};
use crate::tagged::analyses::rows::StepRow;
use crate::tagged::points::point_at;
use vlad_table::internal_bug;

impl Body<'_, '_> {
    /// Takes the next row of steps at once if there is fuel for all of them; otherwise stops within it.
    pub fn row(&mut self) {
        let Some(row) = self.rows.next() else { internal_bug!("each row of steps is known before") };
        self.put(Statement::Label(point_label(row.label)));
        let stop = self.nested(|body| body.stop_in(row));
        let count = C::Number(row.nodes.len() as u64);
        self.put(Statement::when(C::name("fuel").infix(Infix::Less, count.clone()).unlikely(), stop));
        self.put(Statement::Subtract(C::name("fuel"), count));
    }

    /// Stops within a row, after as many steps as there is fuel for.
    fn stop_in(&mut self, row: &StepRow) {
        let numbers: Vec<C> = row.nodes.iter().map(|node| C::Number(u64::from(node.0))).collect();
        let node = match numbers.as_slice() {
            [node] => node.clone(),
            _ => {
                let (ctype, name) = ("static const uint32_t".into(), "nodes[]".to_owned());
                self.put(Statement::Define { ctype, name, value: C::Braces(numbers) });
                C::Index(Box::new(C::name("nodes")), Box::new(C::name("fuel")))
            }
        };
        let slots = if self.keeps_slots(row.block) { C::name("slots") } else { C::Number(0) };
        let site = if row.has_site { C::name("site") } else { C::Number(0) };
        let operands = [C::name("top"), slots, site, point_at(self.context, node)];
        self.put(Statement::Return(C::service("suspend", operands)));
    }

    /// Resumes at a stop point, if the function is given one.
    pub fn resume_dispatch(&mut self) {
        let rows = self.context.rows.of_function(self.number);
        let Some(first) = rows.first().map(|row| row.label) else { return };
        let case = |(number, row): (u64, &StepRow)| (C::Number(number), vec![Statement::Goto(point_label(row.label))]);
        let cases = (0..).zip(rows).map(case).collect();
        let label = C::name("point").arrow("label");
        let value = if first == 0 { label } else { label.infix(Infix::Subtract, C::Number(first)) };
        let go_on = self.nested(|body| {
            body.take_site_in(C::name("x"));
            body.put(Statement::Choose { value, cases, otherwise: Vec::new() });
        });
        self.put(Statement::when(C::name("point"), go_on));
    }
}

fn point_label(label: u64) -> String {
    format!("point{label}")
}
