//! The report of a campaign, as text or as a JSON object.

use super::arguments::FuzzArguments;
use super::findings::file;
use super::supervisor::Campaign;
use super::trial::Outcome;
use crate::output::console::Console;
use crate::process::exit::Exit;
use serde_json::json;
use std::fmt::Write;
use std::str;

/// The form of the object of `--json`, as `vlad fuzz --help` shows it.
pub const FORM: &str = "\
With --json one object is printed:
  {\"seed\": S, \"shard\": \"I/N\" or null, \"seconds\": T, \"cases\": N, \"good\": N, \"bad\": N, \"refused\": N,
   \"interrupted\": N, \"limited\": N, \"suspended\": N,
   \"runs\": {ENGINE: N, ...}, \"endings\": {KIND: N, ...},
   \"gradients\": {\"procedures\": N, \"checked\": N, \"compared\": N, \"zeros\": N, \"kinks\": N,
    \"not_finite\": N, \"imprecise\": N, \"ill_conditioned\": N, \"beyond_range\": N,
    \"unchecked\": {REASON: N, ...}},
   \"executed\": {OPERATION: {STACK: N, ...}, ...}, \"written\": {NAME: {NESTING: N, ...}, ...},
   \"shapes\": {FEATURE: N, ...},
   \"found\": N,
   \"findings\": [{\"number\": N, \"look\": WORDS, \"file\": FILE or null, \"text\": PROGRAM}, ...],
   \"tally\": the counts in the form that --merge reads}
PROGRAM is a text, or the list of its bytes if it is not UTF-8. \
STACK is primal, or the operators around an operation: F for j*, R for *j and checkpoint-*j. NESTING is -, or the \
innermost operator around a name and the number of operators: F, R, C for checkpoint-*j, T for the reflective basis.";

/// Reports the result of a campaign.
pub fn tell(arguments: &FuzzArguments, campaign: &Campaign, console: &Console) -> Exit {
    let text = if arguments.json { object(arguments, campaign).into_bytes() } else { text(arguments, campaign) };
    match console.conclude_with_bytes(&text) {
        Exit::Success if campaign.tally.found() > 0 => Exit::Disagreement,
        ending => ending,
    }
}

/// Reports the result of a case that was run again.
pub fn report_outcome(outcome: &Outcome, console: &Console) -> Exit {
    let (text, otherwise) = match outcome {
        Outcome::Fine => ("nothing is wrong\n".to_owned(), Exit::Success),
        Outcome::Differs => ("a finding: engines disagree, or a derivative is wrong\n".to_owned(), Exit::Disagreement),
        Outcome::Breaks(how) => (format!("a process breaks down: {how}\n"), Exit::Disagreement),
    };
    match console.conclude_with_text(&text) {
        Exit::Success => otherwise,
        ending => ending,
    }
}

/// Returns the findings and the counts. Findings without a file are included as they are, so the result need not be
/// UTF-8.
fn text(arguments: &FuzzArguments, campaign: &Campaign) -> Vec<u8> {
    let mut bytes = Vec::new();
    for finding in &campaign.tally.findings {
        bytes.extend(format!("case {}: {}: ", finding.number, finding.look).into_bytes());
        match file(arguments.output.as_deref(), campaign.seed, finding) {
            Some(path) => bytes.extend(path.display().to_string().into_bytes()),
            None => bytes.extend([b"\n", finding.text.as_slice()].concat()),
        }
        bytes.push(b'\n');
    }
    bytes.extend(counts(arguments, campaign).into_bytes());
    bytes
}

fn counts(arguments: &FuzzArguments, campaign: &Campaign) -> String {
    let tally = &campaign.tally;
    let mut text = String::new();
    if arguments.coverage {
        let _ = writeln!(text, "executed at least:\n{}\n", tally.coverage.table());
        let _ = writeln!(text, "written:\n{}\n", tally.written.table());
    }
    let _ = write!(text, "{}", tally.summary());
    for (look, count) in &tally.looks {
        let _ = writeln!(text, "{count} x {look}");
    }
    let _ = writeln!(text, "seed {}; {:.1} s", campaign.seed, campaign.time.as_secs_f64());
    text
}

fn object(arguments: &FuzzArguments, campaign: &Campaign) -> String {
    let tally = &campaign.tally;
    let findings: Vec<serde_json::Value> = tally
        .findings
        .iter()
        .map(|finding| {
            let file = file(arguments.output.as_deref(), campaign.seed, finding);
            let file = file.map(|path| path.display().to_string());
            let text = str::from_utf8(&finding.text).map_or_else(|_| json!(finding.text), |text| json!(text));
            json!({ "number": finding.number, "look": finding.look, "file": file, "text": text })
        })
        .collect();
    let object = json!({
        "seed": campaign.seed,
        "shard": arguments.shard.map(|shard| shard.to_string()),
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
        "tally": tally,
    });
    format!("{object}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::fuzz::findings::keep;
    use clap::Parser;
    use std::ffi::OsStr;
    use std::fs;
    use std::time::Duration;
    use vlad_conformance::random::campaign::tally::{Finding, Tally};
    use vlad_files::private::PrivateFolder;

    #[derive(Parser)]
    struct Words {
        #[command(flatten)]
        arguments: FuzzArguments,
    }

    #[test]
    fn findings_need_not_be_texts() {
        let folder = PrivateFolder::make(&std::env::temp_dir()).unwrap();
        let with = |words: &[&OsStr]| Words::parse_from([&[OsStr::new("fuzz")], words].concat()).arguments;
        let finding = |number, text: &[u8]| Finding { number, look: "a look".to_owned(), text: text.to_vec() };
        let findings = vec![finding(3, b"(car \xff)"), finding(5, b"(car 1)")];
        let campaign = Campaign { seed: 1, tally: Tally { findings, ..Tally::default() }, time: Duration::ZERO };
        let arguments = with(&[OsStr::new("-o"), folder.path().as_os_str()]);
        keep(arguments.output.as_deref(), campaign.seed, &campaign.tally.findings[0]).unwrap();
        assert_eq!(fs::read(folder.path().join("seed-1-case-3.vlad")).unwrap(), b"(car \xff)");
        assert!(text(&with(&[]), &campaign).starts_with(b"case 3: a look: \n(car \xff)\ncase 5: a look: \n(car 1)\n"));
        let object: serde_json::Value = serde_json::from_str(&object(&arguments, &campaign)).unwrap();
        assert_eq!(object["findings"][0]["text"], json!([40, 99, 97, 114, 32, 255, 41]));
        assert_eq!(object["findings"][1]["text"], "(car 1)");
    }
}
