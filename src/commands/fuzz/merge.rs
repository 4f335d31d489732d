//! Reports of the shards of a campaign, read back and merged into the report that one machine would have made.

use super::supervisor::Campaign;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, str};
use vlad_conformance::random::campaign::tally::Tally;
use vlad_conformance::shard::{self, Shard};
use vlad_shared::core::diagnostic::{Diagnostic, Kind};

/// The object of a report, as far as it is read.
#[derive(Deserialize)]
struct Report {
    seed: u64,
    seconds: f64,
    shard: Option<String>,
    tally: Tally,
}

/// Reads reports in JSON and merges them. The time is the sum of theirs.
///
/// # Errors
/// A file is no report, or they are not those of all shards of a campaign.
pub fn merged(paths: &[PathBuf]) -> Result<Campaign, Box<Diagnostic>> {
    let fail = |kind, message: String| Box::new(Diagnostic::new(kind, None, message));
    let mut reports = Vec::new();
    for path in paths {
        let text =
            fs::read(path).map_err(|error| fail(Kind::File, format!("{} cannot be read: {error}", path.display())))?;
        let report: Report =
            serde_json::from_slice(&text).map_err(|error| fail(Kind::Read, no_report(path, &error)))?;
        reports.push(report);
    }
    let shards: Result<Vec<Option<Shard>>, String> =
        reports.iter().map(|report| report.shard.as_deref().map(str::parse).transpose()).collect();
    shards.and_then(|shards| shard::complete(&shards)).map_err(|message| fail(Kind::File, message))?;
    let mut campaign = Campaign { seed: 0, tally: Tally::default(), time: Duration::ZERO };
    for (number, report) in reports.into_iter().enumerate() {
        if number > 0 && report.seed != campaign.seed {
            let message = format!("a report is of the seed {}, and another one of {}", campaign.seed, report.seed);
            return Err(fail(Kind::File, message));
        }
        campaign.seed = report.seed;
        campaign.tally.merge(report.tally);
        let time = Duration::try_from_secs_f64(report.seconds);
        campaign.time += time.map_err(|error| fail(Kind::Read, error.to_string()))?;
    }
    Ok(campaign)
}

fn no_report(path: &Path, error: &serde_json::Error) -> String {
    format!("{} is no report of `vlad fuzz --json`: {error}", path.display())
}
