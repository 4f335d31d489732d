//! The choice of the passes over specialised code.

use clap::Args;
use vlad_compiler::{PASSES, Passes};

/// The passes of the specialising compiler.
#[derive(Debug, Args)]
pub struct PassArguments {
    /// Choose the passes over specialised code: all, none, or a list of names
    #[arg(id = "specialise-passes", long = "specialise-passes", value_name = "LIST", default_value = "all")]
    #[arg(long_help = pass_help(), allow_hyphen_values = true, value_parser = pass_list)]
    pub passes: Passes,
}

/// The help of `--specialise-passes`, with the names.
fn pass_help() -> String {
    format!(
        "Choose the passes over specialised code: all, none, or names separated by commas. Names that begin with - mean \
         all passes but these. No result depends on the choice. Part 12.15 of the report describes each pass.\n\n\
         Names: {}",
        pass_names()
    )
}

fn pass_names() -> String {
    PASSES.iter().map(|row| row.name).collect::<Vec<_>>().join(", ")
}

fn pass_list(list: &str) -> Result<Passes, String> {
    Passes::parse(list).map_err(|word| {
        let names = pass_names();
        format!(
            "`{word}` is not a pass: the list is all, none, names with commas between them, or such names with - before \
             each, all but these; the names are {names}"
        )
    })
}
