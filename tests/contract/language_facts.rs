//! The numbers of the parts about the languages, and about the files that go with them.

use crate::numbers::{Source, behind, constant};

const CAPSULE: &str = "shared/snapshot/src/capsule_file/mod.rs";
const FINGERPRINT: &str = "shared/snapshot/src/capsule_file/fingerprint.rs";
const INTERFACE: &str = "compiler/export/interface.h";
const KIND: &str = "compiler/first_order/src/kinds/kind.rs";
const LINEAR_ALGEBRA: &str = "shared/frontend/src/vlad/linear-algebra.vlad";
const MEMORY: &str = "src/process/memory.rs";
const OPERANDS: &str = "shared/runtime/src/primitives/operands.rs";
const OPTIMIZE: &str = "shared/frontend/src/vlad/optimize.vlad";
const PRELUDE: &str = "shared/frontend/src/vlad/prelude.vlad";
const RANDOM: &str = "shared/frontend/src/vlad/random.vlad";
const SIGNATURE: &str = "compiler/src/export/signature.rs";
const STEPS: &str = "shared/runtime/src/steps.rs";
const STRATEGY: &str = "shared/ad/src/checkpointing/strategy.rs";
const TEXTS: &str = "shared/core/src/source.rs";
const VECTOR: &str = "shared/values/src/vector.rs";
const WORDS: &str = "shared/farfel/src/syntax/words.rs";

const LEVELS: Source = constant("shared/table/src/operations.rs", "MOST_LEVELS");

/// The part, a sentence of it with `{}` in the places of numbers, and these numbers.
pub const FACTS: &[(u8, &str, &[Source])] = &[
    (5, "There is a limit on the depth, {} unless", &[constant(STEPS, "MOST_DEPTH")]),
    (
        7,
        "if that lies between {} and {}, and apply",
        &[behind(PRELUDE, "(if (and (< "), behind(PRELUDE, "(if (and (<  ... total) (< total ")],
    ),
    (7, "`minimize` has {} iterations", &[behind(OPTIMIZE, "(report-converged minimize (minimize-report f x 0 ")]),
    (7, "only the constant {} of Adam", &[behind(OPTIMIZE, "(sqrt (/ v (- 1 two))) ")]),
    (7, "a seed, a whole number from 0 to {} |", &[behind(RANDOM, "(random-whole? seed 0 ")]),
    (7, "the state n numbers later, n up to {};", &[behind(RANDOM, "(define (random-skip  ... (random-whole? n 0 ")]),
    (7, "2^k numbers later, k up to {};", &[behind(RANDOM, "(random-whole? k 0 ")]),
    (7, "a vector of n, n up to {} |", &[behind(RANDOM, "(define (random-vector  ... (random-whole? n 0 ")]),
    (7, "below n, n from 1 to {};", &[behind(RANDOM, "(random-whole? n 1 ")]),
    (8, "At most {} operators can be running", &[LEVELS]),
    (
        10,
        "is NaN if n is not a whole number from 0 to {}, if",
        &[behind("shared/table/mathematics/polygamma.h", "POLYGAMMA_MOST = ")],
    ),
    (11, "are more than {} MB together |", &[constant(TEXTS, "MOST_BYTES")]),
    (11, "a fixed bound of the implementation: {} nested operators", &[LEVELS]),
    (11, "Before a program runs: {} slots", &[constant("shared/frontend/src/resolve/slots.rs", "MOST_SLOTS")]),
    (11, "which ones are reported if there are more than {}.", &[constant("shared/core/src/diagnostic.rs", "KEPT")]),
    (
        11,
        "The innermost {} such calls are reported",
        &[constant("shared/runtime/src/diagnosis/elements.rs", "MOST_CALLS")],
    ),
    (11, "of which {} indices are shown", &[constant("shared/runtime/src/diagnosis/elements.rs", "MOST_INDICES")]),
    (11, "`--max-depth N`; {} if it is not given", &[constant(STEPS, "MOST_DEPTH")]),
    (
        11,
        "a {} of the physical memory, but at least {} GiB",
        &[behind(MEMORY, "(self.physical / "), constant(MEMORY, "LEAST")],
    ),
    (13, "If more than {} variables wait", &[constant("shared/cps/src/convert/body/packing.rs", "MOST_UNPACKED")]),
    (13, "leaves of a tree of pairs, {} at a time", &[constant("shared/cps/src/convert/body/packing.rs", "GROUP")]),
    (15, "l has to be a whole number from 0 to {},", &[constant(OPERANDS, "GREATEST_WHOLE")]),
    (15, "d and t are whole numbers from 0 to {}, n is one from 1 to {};", &[constant(OPERANDS, "GREATEST_WHOLE"); 2]),
    (15, "the operators of which {} can be running", &[LEVELS]),
    (
        15,
        "until they have {} nodes or fewer, or {} steps or fewer",
        &[constant(STRATEGY, "DEFAULT_NODES"), constant(STRATEGY, "DEFAULT_BASE_CASE")],
    ),
    (
        15,
        "the number of steps that have {} nodes on average, and at least {};",
        &[constant(STRATEGY, "DEFAULT_NODES"), constant(STRATEGY, "DEFAULT_BASE_CASE")],
    ),
    (15, "A tape of {} nodes, with", &[constant(STRATEGY, "DEFAULT_NODES")]),
    (16, "the version of the form: {} |", &[constant("shared/snapshot/src/capsule_file/refusal.rs", "VERSION")]),
    (16, "the steps taken, at most {} |", &[constant(CAPSULE, "MOST_STEPS")]),
    (
        16,
        "Files of version {} have {} times {} bytes behind the hash",
        &[
            constant(CAPSULE, "WITH_FINGERPRINT"),
            behind(FINGERPRINT, "const FUNCTIONS: [Operation; "),
            behind(FINGERPRINT, "pub type Fingerprint = [[u8; "),
        ],
    ),
    (
        16,
        "the points need (16.5) | | {} bytes | the SHA-256",
        &[constant("shared/snapshot/src/capsule_file/bytes.rs", "CHECKSUM")],
    ),
    (18, "n is not a whole number from 0 to {} | | `(ifold", &[constant(VECTOR, "MOST_ELEMENTS")]),
    (
        18,
        "`(f s i)` | n is not a whole number from 0 to {} |",
        &[constant("shared/runtime/src/primitives/vectors.rs", "MOST_ITERATIONS")],
    ),
    (18, "| there are {} elements |", &[constant(VECTOR, "MOST_ELEMENTS")]),
    (
        18,
        "if that lies between {} and {}, and apply",
        &[behind(LINEAR_ALGEBRA, "(if (and (< "), behind(LINEAR_ALGEBRA, "(if (and (<  ... total) (< total ")],
    ),
    (
        18,
        "their counterparts by more than {} of the largest one",
        &[behind(LINEAR_ALGEBRA, "(define (matrix-symmetric-eigen m) ... (if (< ")],
    ),
    (18, "largest elements (to {}) is positive", &[behind(LINEAR_ALGEBRA, "(let ((most (* ")]),
    (18, "differ by less than {} of the largest count", &[behind(LINEAR_ALGEBRA, "(let ((least (* ")]),
    (19, "up to {} dimensions | `double *`", &[constant(KIND, "MOST_RANK")]),
    (
        19,
        "A signature has at most {} numbers and arrays, in parentheses that nest {} deep",
        &[constant(SIGNATURE, "MOST_LEAVES"), constant(SIGNATURE, "MOST_DEPTH")],
    ),
    (19, "have at most {} characters", &[constant("compiler/src/export/names.rs", "MOST_LETTERS")]),
    (19, "as `context.stack_bytes` says, {} KiB unless", &[constant(INTERFACE, "EXPORTS_STACK_BYTES")]),
    (20, "A type may have at most {} parts", &[constant("shared/fsmooth/src/typed/types.rs", "MOST_PARTS")]),
    (
        20,
        "of one item at most {} errors of type are",
        &[constant("shared/fsmooth/src/infer/unification/state.rs", "MOST_ERRORS")],
    ),
    (
        20,
        "Loops of up to {} turns are written out",
        &[constant("shared/fsmooth/src/rewrite/rules/unrolling.rs", "MOST_TURNS")],
    ),
    (
        20,
        "arrays of up to {} elements become numbers",
        &[constant("shared/fsmooth/src/rewrite/rules/unrolling.rs", "MOST_TURNS")],
    ),
    (20, "types of more than {} parts are errors", &[constant("shared/fsmooth/src/interface.rs", "MOST_PARTS")]),
    (20, "arrays of more than {} dimensions are", &[constant(KIND, "MOST_RANK")]),
    (21, "leading digits, at most {} |", &[constant("shared/farfel/src/syntax/lines.rs", "LABEL_DIGITS")]),
    (21, "Statements nest {} deep", &[constant("shared/farfel/src/program/units.rs", "MOST_NESTED")]),
    (21, "lists of `ADF` and `ADR` {} deep", &[constant(WORDS, "MOST_PARENTHESES")]),
    (21, "by columns, of at most {} dimensions", &[constant("shared/farfel/src/check/declare.rs", "MOST_DIMENSIONS")]),
    (21, "Such lists nest {} deep", &[constant(WORDS, "MOST_LISTS")]),
    (
        21,
        "A known number of turns, of at most {}, is given",
        &[constant("shared/farfel/src/lower/loops.rs", "MOST_COPIES")],
    ),
    (21, "loops in it, would be more than {}: so", &[constant("shared/farfel/src/lower/loops.rs", "MOST_COPIES")]),
    (
        21,
        "so are more than {} inclusions by one text",
        &[constant("shared/frontend/src/load/files/parts.rs", "MOST_PARTS")],
    ),
];
