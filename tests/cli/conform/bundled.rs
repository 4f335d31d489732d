//! `vlad conform --bundled` without a checkout.

use crate::{Answer, folder, vlad};

/// Programs include what the command has: neither a checkout nor what lies where they are unpacked.
#[test]
fn programs_of_the_command_read_no_other_files() {
    let broken: Vec<(String, &str)> = ["", "conformance/", "other/", "tmp/", "tmp/other/"]
        .iter()
        .flat_map(|place| {
            ["derivative", "newton-sqrt", "lib/derivatives", "lib/newton"]
                .map(|name| format!("{place}examples/{name}.vlad"))
        })
        .map(|path| (path, "(raise 'planted)\n"))
        .collect();
    let broken: Vec<(&str, &str)> = broken.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let planted = folder("bundled-alone", &broken);
    let filter = ["examples/d*", "examples/f*", "examples/newton-sqrt*", "reflection/library-*"];
    let filter = filter.iter().flat_map(|cases| ["--filter".to_owned(), format!("corpus/{cases}")]);
    let mut command = vlad();
    command.args(["conform", "--bundled", "--engine", "hybrid"]).args(filter);
    let answer: Answer =
        command.env("TMPDIR", planted.join("tmp")).current_dir(planted.join("other")).output().unwrap().into();
    let report = answer.succeeded();
    let cases = report.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0);
    assert!(cases >= 13 && report.ends_with("ok\n"), "{report}");
}
