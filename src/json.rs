//! The JSON that `--json` prints: one object, whose form `vlad run --help` documents.

use crate::console::{Conclusion, OutputLine};
use crate::engine::Engine;
use serde_json::{Map, Value, json};
use std::io::{self, BufWriter, Write};
use vlad_shared::diagnostic::Diagnostic;
use vlad_shared::render::{ChainLine, MOST_DIAGNOSTICS, chain_lines};
use vlad_shared::run::Origin;
use vlad_shared::source::{SourceMap, Span};

/// The form of the object, as `vlad run --help` shows it.
pub const JSON_FORM: &str = r#"With --json one object is printed on one line:
  status       "ok" or "error"
  engine       the name of the engine; null from `vlad check`
  steps        the steps taken; null if the program was cut off and nobody knows
  output       the lines printed, in order; each has
    origin     "result" (the value of a top-level expression) or "written" (by the program)
    text       the line, without its end
  diagnostics  the errors, at most 20; each has
    kind       "read", "syntax", "unbound", "duplicate", "reserved", "file", "type", "pattern",
               "conformance", "input", "output", "steps", "memory", "time" or "limit"
    message    what is wrong
    hint       what to do about it, or null
    place      where, or null: file, line, column, end_line, end_column; lines and columns count
               from 1, columns in characters, and the end is the place after the last character
    labels     further places, each with message and place
    calls      the pending calls, innermost first, each with procedure (or null) and place; among
               them {"again": n, "times": k}: the last n calls stand there k more times, and
               {"omitted": n}: n calls are left out
  more_errors  how many errors more are known"#;

/// Writes the object and a line end to the standard output, line by line: what a program printed may be so much that
/// there is no memory for it twice.
pub fn write(lines: &[OutputLine], conclusion: Conclusion<'_>, engine: Option<Engine>) -> io::Result<()> {
    let Conclusion { diagnostics, sources, steps } = conclusion;
    let errors: Vec<Value> = diagnostics.iter().take(MOST_DIAGNOSTICS).map(|each| diagnostic(each, sources)).collect();
    let status = if diagnostics.is_empty() { "ok" } else { "error" };
    let (engine, steps) = (json!(engine.map(Engine::name)), json!(steps));
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let written = (|| {
        write!(out, r#"{{"status":"{status}","engine":{engine},"steps":{steps},"output":["#)?;
        for (number, line) in lines.iter().enumerate() {
            let separator = if number == 0 { "" } else { "," };
            let origin = origin(line.origin);
            write!(out, r#"{separator}{{"origin":"{origin}","text":"#)?;
            serde_json::to_writer(&mut out, &line.text)?;
            out.write_all(b"}")?;
        }
        let more = diagnostics.len().saturating_sub(MOST_DIAGNOSTICS);
        writeln!(out, r#"],"diagnostics":{},"more_errors":{more}}}"#, Value::Array(errors))?;
        out.flush()
    })();
    // A buffer that cannot be written would be tried again when it is dropped.
    let _ = out.into_parts();
    written
}

fn origin(origin: Origin) -> &'static str {
    match origin {
        Origin::Result => "result",
        Origin::Written => "written",
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
    object.insert("message".to_owned(), diagnostic.message.as_str().into());
    object.insert("hint".to_owned(), diagnostic.hint.as_deref().into());
    object.insert("place".to_owned(), diagnostic.span.map_or(Value::Null, |span| place(span, sources)));
    object.insert("labels".to_owned(), labels.into());
    object.insert("calls".to_owned(), calls.into());
    Value::Object(object)
}

fn place(span: Span, sources: &SourceMap) -> Value {
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
