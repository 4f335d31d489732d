//! The flags of the C compiler: our own list, by family; nothing of the environment is added.
//!
//! Invariant: no flag lets the compiler change a bit of a result. Contraction to fused operations is off, the functions
//! of the C library are not folded, and nothing of "fast mathematics" is ever on, which would change the mode of the whole
//! process. The code is for any machine of the architecture, so that a cached object serves all that share the cache.

use std::path::Path;

/// How hard the compiler is to try.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Optimisation {
    /// Nothing: for programs so large that even little takes more than linear time.
    Least,
    /// Little: for programs so large that the time to compile counts more.
    Fast,
    /// All that keeps every bit.
    #[default]
    Full,
}

impl Optimisation {
    /// Every degree.
    const ALL: [Optimisation; 3] = [Optimisation::Least, Optimisation::Fast, Optimisation::Full];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Optimisation::Least => "least",
            Optimisation::Fast => "fast",
            Optimisation::Full => "full",
        }
    }

    /// The degree of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Optimisation> {
        Optimisation::ALL.into_iter().find(|degree| degree.name() == name)
    }
}

/// Kinds of compilers that take different flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// The compiler of GNU.
    Gnu,
    /// Clang, under whatever name it is sold.
    Clang,
    /// The tiny C compiler, which optimises nothing and knows few flags.
    Tcc,
    /// Something else: it gets the flags of GNU, which others imitate.
    Unknown,
}

impl Family {
    /// The family by what a compiler prints when asked for its version.
    pub(super) fn by_version(text: &str) -> Family {
        let text = text.to_ascii_lowercase();
        if text.starts_with("tcc ") {
            Family::Tcc
        } else if text.contains("clang") {
            Family::Clang
        } else if text.contains("gcc") || text.contains("free software foundation") {
            Family::Gnu
        } else {
            Family::Unknown
        }
    }

    /// The family by the name of a program that tells no version; only the tiny compiler needs other flags.
    pub(super) fn by_name(program: &Path) -> Family {
        let tiny = program.file_name().is_some_and(|name| name.to_string_lossy().contains("tcc"));
        if tiny { Family::Tcc } else { Family::Unknown }
    }

    /// Its name in descriptions.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Family::Gnu => "gcc",
            Family::Clang => "clang",
            Family::Tcc => "tcc",
            Family::Unknown => "unknown",
        }
    }
}

/// The flags of the sanitisers that this build of the engine checks programs and its runtime with, if it does; the build
/// script says which.
const SANITISING: &str = env!("VLAD_SANITISING");

/// Whether programs and the runtime are checked by sanitisers, which the tiny C compiler knows nothing of.
#[must_use]
pub fn is_sanitising() -> bool {
    !SANITISING.is_empty()
}

/// The flags for a family, without names of files.
pub(super) fn of(family: Family, optimisation: Optimisation) -> Vec<&'static str> {
    match family {
        Family::Tcc => vec!["-std=c11", "-shared", "-w"],
        Family::Gnu | Family::Clang | Family::Unknown => {
            let mut flags = vec!["-std=c11"];
            flags.extend(match optimisation {
                // Calls in tail position become jumps at the lower level too: the driver is asked less often for room.
                Optimisation::Least => ["-O0"].as_slice(),
                Optimisation::Fast => ["-O1", "-foptimize-sibling-calls"].as_slice(),
                Optimisation::Full => ["-O2"].as_slice(),
            });
            flags.extend([
                // Compiler and assembler run at the same time, without a file between them.
                "-pipe",
                "-fPIC",
                "-shared",
                "-fno-builtin",
                "-ffp-contract=off",
                "-fno-math-errno",
                "-fno-trapping-math",
                // A value is a tag and a word that are looked at one by one: packing them into one register costs time.
                "-fno-tree-slp-vectorize",
                "-fvisibility=hidden",
                "-w",
            ]);
            flags.extend(SANITISING.split_ascii_whitespace());
            flags
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_told_apart() {
        let answers = [
            ("tcc version 0.9.27 (x86_64 Linux)\n", Family::Tcc),
            ("cc (Debian 12.2.0-14) 12.2.0\nCopyright (C) 2022 Free Software Foundation, Inc.\n", Family::Gnu),
            ("gcc (GCC) 15.1.0\n", Family::Gnu),
            ("Debian clang version 14.0.6\nTarget: x86_64-pc-linux-gnu\n", Family::Clang),
            ("Apple clang version 17.0.0\n", Family::Clang),
            ("something else\n", Family::Unknown),
            ("", Family::Unknown),
        ];
        for (answer, family) in answers {
            assert_eq!(Family::by_version(answer), family, "{answer}");
        }
        assert_eq!(Family::by_name(Path::new("/opt/bin/x86_64-tcc")), Family::Tcc);
        assert_eq!(Family::by_name(Path::new("/tcc/bin/cc")), Family::Unknown);
    }

    #[test]
    fn no_flag_can_change_a_bit() {
        for family in [Family::Gnu, Family::Clang, Family::Tcc, Family::Unknown] {
            for optimisation in [Optimisation::Least, Optimisation::Fast, Optimisation::Full] {
                let flags = of(family, optimisation);
                assert!(flags.iter().all(|flag| !flag.contains("fast") && !flag.starts_with("-march")));
                assert_eq!(flags.contains(&"-ffp-contract=off"), family != Family::Tcc);
            }
        }
    }
}
