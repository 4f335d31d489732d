//! Rebuilds the tests when the set of files that they run over changes: the tests over the corpus are listed when they
//! are compiled.

fn main() {
    for folder in ["corpus", "../examples"] {
        println!("cargo:rerun-if-changed={folder}");
    }
}
