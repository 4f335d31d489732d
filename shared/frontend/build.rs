//! Generates the parsers from the grammars.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=src/vlad/syntax/grammar.lalrpop");
    println!("cargo:rerun-if-changed=src/farfel/syntax/grammar.lalrpop");
    println!("cargo:rerun-if-changed=src/fsmooth/syntax/grammar.lalrpop");
    lalrpop::process_src()
}
