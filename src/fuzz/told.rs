//! What came of a campaign, as a text or an object; findings as files.

use super::FuzzArguments;
use super::supervisor::Campaign;
use super::trial::Outcome;
use crate::console::Console;
use crate::ending::Ending;
use serde_json::json;
use std::fmt::Write;
use std::path::PathBuf;
use vlad_conformance::random::tally::Finding;
use vlad_files::output;

/// What the object of `--json` looks like.
pub const FORM: &str = "\
With --json one object is printed:
  {\"seed\": S, \"seconds\": T, \"cases\": N, \"good\": N, \"bad\": N, \"refused\": N,
   \"interrupted\": N, \"limited\": N, \"suspended\": N,
   \"runs\": {ENGINE: N, ...}, \"endings\": {KIND: N, ...},
   \"gradients\": {\"procedures\": N, \"checked\": N, \"compared\": N, \"zeros\": N, \"kinks\": N,
    \"not_finite\": N, \"imprecise\": N, \"ill_conditioned\": N, \"beyond_range\": N,
    \"unchecked\": {REASON: N, ...}},
   \"executed\": {OPERATION: {STACK: N, ...}, ...}, \"written\": {NAME: {NESTING: N, ...}, ...},
   \"shapes\": {FEATURE: N, ...},
   \"found\": N,
   \"findings\": [{\"number\": N, \"look\": WORDS, \"file\": FILE or null, \"text\": PROGRAM}, ...]}
STACK is primal, or the operators around an operation: F for j*, R for *j and checkpoint-*j. NESTING is - or the \
innermost operator around a name and how many there are: F, R, C for checkpoint-*j, T for the reflective basis.";

/// The file of a finding.
fn file(arguments: &FuzzArguments, finding: &Finding) -> Option<PathBuf> {
    let name = format!("seed-{}-case-{}.vlad", arguments.seed, finding.number);
    arguments.output.as_ref().map(|folder| folder.join(name))
}

/// Writes a finding to its file, if there is to be one.
///
/// # Errors
/// The file cannot be written.
pub fn show(arguments: &FuzzArguments, finding: &Finding) -> Result<(), String> {
    match file(arguments, finding) {
        Some(path) => output::write(&path, finding.text.as_bytes())
            .map_err(|error| format!("a finding cannot be written to {}: {error}", path.display())),
        None => Ok(()),
    }
}

/// Tells what came of a campaign.
pub fn tell(arguments: &FuzzArguments, campaign: &Campaign, console: &Console) -> Ending {
    let text = if arguments.json { object(arguments, campaign) } else { text(arguments, campaign) };
    match console.conclude_with_text(&text) {
        Ending::Success if campaign.tally.found() > 0 => Ending::Disagreement,
        ending => ending,
    }
}

/// Tells what came of a case that was run again.
pub fn tell_outcome(outcome: &Outcome, console: &Console) -> Ending {
    let (text, otherwise) = match outcome {
        Outcome::Fine => ("nothing is wrong\n".to_owned(), Ending::Success),
        Outcome::Differs => {
            ("a finding: engines disagree, or a derivative is wrong\n".to_owned(), Ending::Disagreement)
        }
        Outcome::Breaks(how) => (format!("a process breaks down: {how}\n"), Ending::Disagreement),
    };
    match console.conclude_with_text(&text) {
        Ending::Success => otherwise,
        ending => ending,
    }
}

fn text(arguments: &FuzzArguments, campaign: &Campaign) -> String {
    let tally = &campaign.tally;
    let mut text = String::new();
    for finding in &tally.findings {
        let place = match file(arguments, finding) {
            Some(path) => path.display().to_string(),
            None => format!("\n{}", finding.text),
        };
        let _ = writeln!(text, "case {}: {}: {place}", finding.number, finding.look);
    }
    if arguments.coverage {
        let _ = writeln!(text, "surely executed:\n{}\n", tally.coverage.table());
        let _ = writeln!(text, "written:\n{}\n", tally.written.table());
    }
    let _ = write!(text, "{}", tally.summary());
    for (look, count) in &tally.looks {
        let _ = writeln!(text, "{count} x {look}");
    }
    let _ = writeln!(text, "seed {}; {:.1} s", arguments.seed, campaign.time.as_secs_f64());
    text
}

fn object(arguments: &FuzzArguments, campaign: &Campaign) -> String {
    let tally = &campaign.tally;
    let findings: Vec<serde_json::Value> = tally
        .findings
        .iter()
        .map(|finding| {
            let file = file(arguments, finding).map(|path| path.display().to_string());
            json!({ "number": finding.number, "look": finding.look, "file": file, "text": finding.text })
        })
        .collect();
    let object = json!({
        "seed": arguments.seed,
        "seconds": campaign.time.as_secs_f64(),
        "cases": tally.cases,
        "good": tally.good,
        "bad": tally.cases - tally.good - tally.gradients.procedures,
        "refused": tally.refused,
        "interrupted": tally.interrupted,
        "limited": tally.limited,
        "suspended": tally.suspended,
        "runs": tally.runs,
        "endings": tally.endings,
        "gradients": tally.gradients,
        "executed": tally.coverage.rows(),
        "written": tally.written.rows(),
        "shapes": tally.shapes.rows(),
        "found": tally.found(),
        "findings": findings,
    });
    format!("{object}\n")
}
