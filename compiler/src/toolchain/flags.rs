//! The flags of the C compiler: a fixed list for each family; no flag of the environment is added.
//!
//! Invariant: no flag lets the compiler change a bit of a result. Contraction to fused operations is off, the compiler
//! recognises no function by its name, and no "fast mathematics" is ever on, which would change the mode of the whole
//! process. The code is for any machine of the architecture, so a cached object works on all that share the cache.
//! [`Optimisation::Relaxed`] is the exception: executables whose user asks for it may differ in the last bits.

use std::path::Path;

/// The degree of optimisation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Optimisation {
    /// None: for programs so large that even a little takes more than linear time.
    Least,
    /// A little: for programs so large that the time to compile counts more.
    Fast,
    /// Every optimisation that preserves all bits.
    #[default]
    Full,
    /// Contraction, reassociation and products by reciprocals, too: results are only close. No engine runs such code; executables
    /// and exports contain it if the user asks for that.
    Relaxed,
}

/// Families of compilers, which take different flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// GCC.
    Gnu,
    /// Clang, under whatever name it is distributed.
    Clang,
    /// The tiny C compiler, which optimises nothing and knows few flags.
    Tcc,
    /// Any other compiler: it gets the flags of GCC, which others imitate.
    Unknown,
}

impl Family {
    /// Determines the family by the output of a compiler for its version.
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

    /// Determines the family by the name of a program that reports no version; only tcc needs other flags.
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

/// The flags with which loops that are marked as elementwise are executed with packed instructions (`VLAD_ELEMENTWISE`): they
/// turn on one pragma of OpenMP, and neither threads nor a library.
pub(crate) const PACKED_LOOPS: [&str; 2] = ["-fopenmp-simd", "-DVLAD_PACKED_LOOPS"];

/// The flags with which the compiler changes no bit, whatever it knows of the functions of the C library.
pub(crate) const STRICT_ARITHMETIC: [&str; 2] = ["-ffp-contract=off", "-fno-builtin"];

/// The flags with which the compiler may change the last bits of results. NaN and infinities are kept.
pub(crate) const RELAXED_ARITHMETIC: [&str; 4] =
    ["-ffp-contract=fast", "-fassociative-math", "-freciprocal-math", "-fno-signed-zeros"];

/// The flags that go with both: nobody looks at the error number or at the flags of floating point.
pub(crate) const UNOBSERVED: [&str; 2] = ["-fno-math-errno", "-fno-trapping-math"];

/// The flags of the sanitisers with which this build of the engine checks programs and its runtime, chosen by the build
/// script; empty if there are none.
const SANITISING: &str = env!("VLAD_SANITISING");

/// Returns true if sanitisers check programs and the runtime. The tiny C compiler has none.
#[must_use]
pub fn is_sanitising() -> bool {
    !SANITISING.is_empty()
}

/// Returns the flags for a family, without names of files.
pub(super) fn of(family: Family, optimisation: Optimisation) -> Vec<&'static str> {
    match family {
        Family::Tcc => vec!["-std=c11", "-shared", "-w"],
        Family::Gnu | Family::Clang | Family::Unknown => {
            let mut flags = vec!["-std=c11"];
            flags.extend(match optimisation {
                // Calls in tail position become jumps with `-O1` too: the stack grows less between two returns to the
                // driver.
                Optimisation::Least => ["-O0"].as_slice(),
                Optimisation::Fast => ["-O1", "-foptimize-sibling-calls"].as_slice(),
                Optimisation::Full => ["-O2"].as_slice(),
                Optimisation::Relaxed => ["-O3"].as_slice(),
            });
            flags.extend(match optimisation {
                Optimisation::Least | Optimisation::Fast | Optimisation::Full => STRICT_ARITHMETIC.as_slice(),
                Optimisation::Relaxed => RELAXED_ARITHMETIC.as_slice(),
            });
            flags.extend(UNOBSERVED);
            flags.extend([
                // Compiler and assembler run at the same time, without a file between them.
                "-pipe",
                "-fPIC",
                "-shared",
                // The tag and the word of a value are examined separately: packing them into one register costs time.
                "-fno-tree-slp-vectorize",
                "-fvisibility=hidden",
                "-w",
            ]);
            if family == Family::Gnu {
                // Its search for dead stores among instructions takes time as the square of the number of values that a function
                // keeps on the stack: minutes where there are thousands. That in its own trees remains.
                flags.push("-fno-dse");
            }
            let is_full = matches!(optimisation, Optimisation::Full | Optimisation::Relaxed);
            if is_full && family != Family::Unknown {
                flags.extend(PACKED_LOOPS);
            }
            if family == Family::Clang {
                // Its bound on nesting is 256 brackets else, which is less than that of specialised code.
                flags.push("-fbracket-depth=2048");
            }
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
            let relaxed = of(family, Optimisation::Relaxed);
            assert_eq!(RELAXED_ARITHMETIC.iter().all(|flag| relaxed.contains(flag)), family != Family::Tcc);
            assert!(!relaxed.contains(&"-ffp-contract=off"));
        }
    }
}
