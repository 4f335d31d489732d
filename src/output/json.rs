//! The output of `--json`: one object, whose form `vlad run --help` documents.

use super::conclusion::{Conclusion, OutputLine};
use serde_json::{Map, Value, json};
use std::io::{self, BufWriter, Write};
use vlad_compiler::toolchain::ToolchainError;
use vlad_conformance::matrix::reports::json::disagreements;
use vlad_engines::Engine;
use vlad_shared::core::diagnostic::Diagnostic;
use vlad_shared::core::render::{ChainLine, MOST_DIAGNOSTICS, chain_lines};
use vlad_shared::core::source::{SourceMap, Span};
use vlad_shared::runtime::run::Origin;

/// The form of the object, as `vlad run --help` shows it.
pub const JSON_FORM: &str = r#"With --json one object is printed on one line:
  status       "ok", "error" or "disagreement"
  engine       the engine that gave the output or ended the run; null from `vlad check`
  engines      all engines that ran: several with --engine all, or if `auto` changed the engine
  steps        the steps taken; null if the run was cut off and they are not known
  output       the lines printed, in order; each has
    origin     "result" (the value of a top-level expression) or "written" (by the program)
    text       the line, without its end
  diagnostics  the errors, and the warnings of `vlad check`; at most 20; each has
    kind       "read", "syntax", "unbound", "duplicate", "reserved", "file", "type", "pattern",
               "conformance", "input", "raised", "nonfinite", "output", "steps", "depth", "memory",
               "time", "limit", or
               "specialise": an item cannot be specialised, with --specialise always
               "compiler": the engine needs a C compiler, and none works
               "operands": a call that is probably a mistake
               "derivative": an expression with derivatives that are probably a mistake
               "shadowing": a definition of a name that a library also defines
    severity   "error", or "warning" if the program can run all the same
    message    the fault
    hint       a remedy, or null
    place      file, line, column, end_line and end_column, or null; lines and columns count from 1,
               columns in characters, and the end is behind the last character
    labels     further places, each with message and place
    calls      the pending calls, innermost first, each with procedure (or null) and place; among
               them {"again": n, "times": k}: the last n calls occur k more times, and
               {"omitted": n}: n calls are left out
  more_errors  the number of further diagnostics
  disagreements  the differences between the engines; each has
    about      the subject, as in "line 2 of the output"
    answers    the different answers, each with engines and says
  given_up     the items that specialised code gave up and other code executed again; each has
    place      as above
    reason     the reason"#;

/// Writes the object and a newline to the standard output, one line of output at a time, since a copy of all output
/// might not fit into memory.
pub fn write(lines: &[OutputLine], conclusion: Conclusion<'_>, engines: &[Engine]) -> io::Result<()> {
    let Conclusion { diagnostics, sources, steps, .. } = conclusion;
    let mut errors: Vec<Value> =
        diagnostics.iter().take(MOST_DIAGNOSTICS).map(|each| diagnostic(each, sources)).collect();
    errors.extend(conclusion.compiler.map(without_compiler));
    let status = match (conclusion.is_failed(), conclusion.disagreements.is_empty()) {
        (_, false) => "disagreement",
        (false, true) => "ok",
        (true, true) => "error",
    };
    let names: Vec<&str> = engines.iter().map(|engine| engine.name()).collect();
    let (engine, engines, steps) = (json!(names.first()), json!(names), json!(steps));
    let disagreements = disagreements(conclusion.disagreements);
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let written = (|| {
        write!(out, r#"{{"status":"{status}","engine":{engine},"engines":{engines},"steps":{steps},"output":["#)?;
        for (number, line) in lines.iter().enumerate() {
            let separator = if number == 0 { "" } else { "," };
            let origin = origin(line.origin);
            write!(out, r#"{separator}{{"origin":"{origin}","text":"#)?;
            serde_json::to_writer(&mut out, &line.text)?;
            out.write_all(b"}")?;
        }
        let more = diagnostics.len().saturating_sub(MOST_DIAGNOSTICS);
        let errors = Value::Array(errors);
        write!(out, r#"],"diagnostics":{errors},"more_errors":{more},"disagreements":{disagreements}"#)?;
        let given_up: Vec<Value> = conclusion
            .given_up
            .iter()
            .map(|item| json!({ "place": item.span.map(|span| place(span, sources)), "reason": item.message }))
            .collect();
        write!(out, r#","given_up":{}"#, Value::Array(given_up))?;
        let members = [
            ("profile", conclusion.profile),
            ("explanation", conclusion.explanation),
            ("specialised_calls", conclusion.specialised_calls),
        ];
        for (name, value) in members {
            if let Some(value) = value {
                write!(out, r#","{name}":"#)?;
                serde_json::to_writer(&mut out, value)?;
            }
        }
        out.write_all(b"}\n")?;
        out.flush()
    })();
    // Dropping a `BufWriter` would try again to write the buffer.
    let _ = out.into_parts();
    written
}

fn origin(origin: Origin) -> &'static str {
    match origin {
        Origin::Result => "result",
        Origin::Written(_) => "written",
    }
}

fn diagnostic(diagnostic: &Diagnostic, sources: &SourceMap) -> Value {
    let labels: Vec<Value> = diagnostic
        .labels
        .iter()
        .map(|label| json!({ "message": label.message, "place": place(label.span, sources) }))
        .collect();
    let calls: Vec<Value> = chain_lines(diagnostic)
        .into_iter()
        .map(|line| match line {
            ChainLine::Call(call) => json!({ "procedure": call.procedure, "place": place(call.span, sources) }),
            ChainLine::Again { calls, times } => json!({ "again": calls, "times": times }),
            ChainLine::Omitted(calls) => json!({ "omitted": calls }),
        })
        .collect();
    let mut object = Map::new();
    object.insert("kind".to_owned(), diagnostic.kind.name().into());
    object.insert("severity".to_owned(), diagnostic.kind.severity().name().into());
    object.insert("message".to_owned(), diagnostic.message.as_str().into());
    object.insert("hint".to_owned(), diagnostic.hint.as_deref().into());
    object.insert("place".to_owned(), diagnostic.span.map_or(Value::Null, |span| place(span, sources)));
    object.insert("labels".to_owned(), labels.into());
    object.insert("calls".to_owned(), calls.into());
    Value::Object(object)
}

/// The failure to compile a program, in the form of a diagnostic; it is no error of the program.
fn without_compiler(error: &ToolchainError) -> Value {
    let (message, hint) = (error.to_string(), error.advice());
    let message = message.strip_suffix(hint).map_or(message.as_str(), str::trim_end);
    json!({ "kind": "compiler", "severity": "error", "message": message, "hint": hint, "place": null, "labels": [], "calls": [] })
}

/// Returns a place as an object, or null if it is in no file.
pub fn place(span: Span, sources: &SourceMap) -> Value {
    let Some(file) = sources.get(span.file) else { return Value::Null };
    let (start, end) = (file.position(span.start), file.position(span.end));
    json!({
        "file": file.name,
        "line": start.line,
        "column": start.column,
        "end_line": end.line,
        "end_column": end.column,
    })
}
