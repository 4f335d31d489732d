//! The choice of the passes over specialised code.

use clap::Args;
use vlad_compiler::{PASSES, Passes};

/// The passes of the specialising compiler.
#[derive(Debug, Args)]
pub struct PassArguments {
    /// The passes over specialised code: all, none, or names with commas between them; with - before a name, all but
    /// these. No result depends on them
    #[arg(id = "specialise-passes", long = "specialise-passes", value_name = "LIST", default_value = "all")]
    #[arg(long_help = pass_help(), allow_hyphen_values = true, value_parser = pass_list)]
    pub passes: Passes,
}

/// The help of `--specialise-passes`, with a line for each pass.
fn pass_help() -> String {
    let lines: String = PASSES.iter().map(|row| format!("\n- {:<11} {}", format!("{}:", row.name), row.help)).collect();
    format!(
        "The passes over specialised code: all, none, or names with commas between them; with - before a name, all but \
         these. No result depends on them\n\nPossible names:{lines}"
    )
}

fn pass_list(list: &str) -> Result<Passes, String> {
    Passes::parse(list).map_err(|word| {
        let names: Vec<&str> = PASSES.iter().map(|row| row.name).collect();
        format!(
            "`{word}` is not a pass: the list is all, none, names with commas between them, or such names with - before \
             each, all but these; the names are {}",
            names.join(", ")
        )
    })
}
