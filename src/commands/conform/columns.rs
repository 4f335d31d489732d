//! The columns of the matrix: engines and external implementations, with the options that name them.

use super::arguments::ConformArguments;
use super::refusal::{NothingToRun, usage};
use crate::run::engines;
use vlad_conformance::matrix::Column;
use vlad_conformance::matrix::external::{ExternalCloseness, OptionWords};
use vlad_engines::Settings;

/// Returns the columns: the engines that are asked for, or all that work here, and the external implementations.
pub(super) fn columns(arguments: &ConformArguments, settings: &Settings) -> Result<Vec<Column>, NothingToRun> {
    // `with_closeness` takes the last one, so the strictest option stands last.
    let bits = arguments.bits.then_some(("--bits", ExternalCloseness::BITS));
    let given = arguments.tolerance.iter().map(|given| ("--tolerance", given.clone()));
    let given = given.chain(arguments.ulps.iter().map(|given| ("--ulps", given.clone()))).chain(bits);
    let (names, closeness): (Vec<_>, Vec<ExternalCloseness>) =
        given.map(|(option, given)| ((option, given.name.clone()), given)).unzip();
    let ConformArguments { steps_option, depth_option, folder_option, .. } = arguments;
    let options =
        [("--steps-option", steps_option), ("--depth-option", depth_option), ("--folder-option", folder_option)];
    let of_options =
        options.iter().flat_map(|(option, given)| given.iter().map(move |given| (*option, given.name.clone())));
    let is_unknown = |name: &str| !arguments.external.iter().any(|external| external.name == name);
    for (option, name) in names.into_iter().chain(of_options) {
        if let Some(name) = name.filter(|name| is_unknown(name)) {
            return Err(usage(format!("{option} is for `{name}`, and no --external has that name")));
        }
    }
    let options: Vec<OptionWords> = options.into_iter().flat_map(|(_, given)| given.clone()).collect();
    let externals = arguments.external.iter().cloned();
    let externals = externals.map(|external| external.with_closeness(&closeness).with_options(&options));
    let externals: Vec<Column> = externals.map(Column::External).collect();
    let engines = match arguments.no_engines {
        true => Vec::new(),
        false => engines::engines_that_work(&arguments.engine, &arguments.compiler, settings)
            .map_err(NothingToRun::NoCompiler)?,
    };
    let columns: Vec<Column> = engines.into_iter().map(Column::Engine).chain(externals).collect();
    let mut names: Vec<&str> = columns.iter().map(Column::name).collect();
    names.sort_unstable();
    match names.windows(2).find_map(|pair| (pair.first() == pair.last()).then(|| pair.first().copied())).flatten() {
        Some(name) => Err(usage(format!("two columns are called `{name}`: name them, as in --external NAME=COMMAND"))),
        None => Ok(columns),
    }
}
