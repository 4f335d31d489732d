//! A profile as JSON: a member of the object that `--json` prints.

use super::meter::Measure;
use super::recorder::{Costs, Profile, ProfileRow};
use super::trace::{Step, Trace};
use crate::output::json::place;
use serde_json::{Value, json};
use vlad_shared::ad::checkpointing::Action;
use vlad_shared::core::Program;

/// The form of the member, as `vlad profile --help` shows it.
pub const PROFILE_FORM: &str = r#"  profile      the costs of operators; only from `vlad profile`, and not if the run was cut off:
    memory     the measure of peak_bytes: "allocated" (exact bytes) or "resident" (of the process)
    left_out   the number of applications in no row; there are at most 1000 rows
    rows       one for all applications of an operator at one place and one depth; each has
      operator      the name of the operator
      place         the place of the application
      depth         the number of enclosing operators
      applications  the number of applications
      again         the number of those in intervals that another operator executed again
      unfinished    the number of those that had not ended when the run did
      steps         the steps of their procedures, without those in nested operators
      splits        the splits of intervals: the advances of checkpoint-*j
      reversals     the intervals that checkpoint-*j recorded and reversed
      snapshots     the largest number of states kept at a time
      executed      the steps of all repeated executions
      ratio         (steps + executed) / steps, or null
      peak_bytes    the largest growth of memory during one application
      seconds       the time from beginning to end
      longest       the same figures, from `steps` on, of the application with the most steps; and
        every       n, if one in n of its actions is listed, beside the largest
        actions     each with number (from 0), action ("advance" or "reverse"), from, steps,
                    snapshots (the states kept when it begins)"#;

/// The profile of a program.
pub fn object(profile: &Profile, program: &Program) -> Value {
    let memory = match profile.measure {
        Measure::Allocated => "allocated",
        Measure::Resident => "resident",
    };
    let rows: Vec<Value> =
        profile.rows.iter().filter(|row| row.applications > 0).map(|each| row(each, program)).collect();
    json!({ "memory": memory, "left_out": profile.left_out, "rows": rows })
}

fn row(row: &ProfileRow, program: &Program) -> Value {
    let mut object = json!({
        "operator": row.operator.name(),
        "place": place(program.span(row.node), &program.sources),
        "depth": row.depth,
        "applications": row.applications,
        "again": row.again,
        "unfinished": row.unfinished,
    });
    let mut longest = costs(&row.longest);
    extend(&mut longest, actions(row.trace.as_deref()));
    extend(&mut object, costs(&row.costs));
    extend(&mut object, json!({ "longest": longest }));
    object
}

fn costs(costs: &Costs) -> Value {
    json!({
        "steps": costs.steps,
        "splits": costs.splits,
        "reversals": costs.reversals,
        "snapshots": costs.snapshots,
        "executed": costs.executed,
        "ratio": costs.ratio(),
        "peak_bytes": costs.peak,
        "seconds": costs.time.as_secs_f64(),
    })
}

fn actions(trace: Option<&Trace>) -> Value {
    let every = trace.map_or(1, |trace| trace.actions.every());
    let actions: Vec<Value> = trace.into_iter().flat_map(|trace| trace.actions.kept()).map(action).collect();
    json!({ "every": every, "actions": actions })
}

fn action(step: &Step) -> Value {
    let (name, from, steps) = match step.action {
        Action::Advance { from, steps } => ("advance", from, steps),
        Action::Reverse { from, steps } => ("reverse", from, steps),
    };
    json!({ "number": step.number, "action": name, "from": from, "steps": steps, "snapshots": step.snapshots })
}

/// Adds the members of one object to another.
fn extend(object: &mut Value, more: Value) {
    if let (Value::Object(object), Value::Object(more)) = (object, more) {
        object.extend(more);
    }
}
