//! The numbers of the parts about the command and the native engine.

use crate::numbers::{Source, behind, constant};

const ARRAYS: &str = "compiler/runtime/typed/arrays.c";
const ARRAYS_ANALYSED: &str = "compiler/src/analysis/primitives/arrays.rs";
const ARITHMETIC: &str = "derivatives/src/extended/arithmetic.rs";
const BUDGET: &str = "compiler/src/analysis/specialiser/budget.rs";
const CELL: &str = "conformance/src/matrix/cell.rs";
const DIFFERENCE: &str = "derivatives/src/extended/difference.rs";
const DOMAIN: &str = "compiler/src/analysis/values/domain.rs";
const EXTENDED_LIMITS: &str = "derivatives/src/extended/limits.rs";
const EXTERNAL: &str = "conformance/src/matrix/external.rs";
const GENERATOR: &str = "conformance/src/random/generator_options.rs";
const GRADCHECK: &str = "derivatives/src/gradcheck/mod.rs";
const LIMITS: &str = "src/options/limits.rs";
const MEMORY: &str = "src/process/memory.rs";
const OWN_STACK: &str = "compiler/runtime/state/own_stack.c";
const PIPELINE: &str = "compiler/src/pipeline.rs";
const PLOT: &str = "src/commands/plot/arguments.rs";
const PROCEDURES: &str = "compiler/runtime/typed/procedures.c";
const RECORDING: &str = "compiler/first_order/src/kinds/recording.rs";
const REFERENCES: &str = "compiler/first_order/src/differentiate/reverse/memory/references.rs";
const REQUIREMENTS: &str = "conformance/src/matrix/requirements.rs";
const ROUNDING: &str = "derivatives/src/extended/rounding.rs";
const SPECIALISED: &str = "compiler/runtime/typed/specialised.c";
const STRATEGY: &str = "shared/ad/src/checkpointing/strategy.rs";
const TEMPLATE: &str = "compiler/runtime/typed/template.c";
const TEXTS: &str = "compiler/src/compiled/texts.rs";
const WIDENING: &str = "compiler/src/analysis/widening.rs";

const ALTERNATIVES: Source = constant("compiler/src/analysis/values/reason.rs", "MOST_ALTERNATIVES");
const COMPARED: Source = constant("compiler/src/analysis/primitives/vectors.rs", "MOST_COMPARED");
const DOUBTFUL: Source = constant(GRADCHECK, "DOUBTFUL");
const ROWS_OF_PROFILE: Source = constant("src/run/profile/table.rs", "MOST_SHOWN");

/// The bytes of a word, of a kilobyte and of a megabyte.
const WORD: f64 = 8.0;
const KILOBYTE: f64 = 1024.0;
const MEGABYTE: f64 = 1024.0 * KILOBYTE;

/// The part, a sentence of it with `{}` in the places of numbers, and these numbers.
pub const FACTS: &[(u8, &str, &[Source])] = &[
    (12, "nested calls, at most (11.6); {} if not given", &[constant("shared/runtime/src/steps.rs", "MOST_DEPTH")]),
    (
        12,
        "if not given, a {} of the physical memory, but at least {} (11.6)",
        &[behind(MEMORY, "(self.physical / "), constant(MEMORY, "LEAST")],
    ),
    (12, "as much address space, but at least {} |", &[constant(LIMITS, "LEAST_FOR_COMPILERS")]),
    (12, "A run of more than {} second whose standard error", &[constant("src/output/progress.rs", "SHOWN_AFTER")]),
    (
        12,
        "the warnings of `check`, at most {}, each with",
        &[constant("shared/core/src/render/mod.rs", "MOST_DIAGNOSTICS")],
    ),
    (12, "if it has not ended after {} of a second", &[constant("src/run/automatic/background.rs", "DELAY")]),
    (
        12,
        "unless its file says otherwise; {} if not given",
        &[constant("conformance/src/corpus/case.rs", "DEFAULT_TIME")],
    ),
    (
        12,
        "within the tolerance; within {} where a case",
        &[constant("conformance/src/corpus/compare.rs", "DEFAULT_TOLERANCE")],
    ),
    (
        12,
        "is too much beyond {} MB and {} bytes",
        &[constant(REQUIREMENTS, "LEAST_ROOM"), constant(REQUIREMENTS, "ROOM_FOR_BYTE")],
    ),
    (
        12,
        "its standard error beyond {} MB, of which the first {} MB is looked at",
        &[constant(EXTERNAL, "MOST_ERRORS"), constant(EXTERNAL, "KEPT_ERRORS")],
    ),
    (
        12,
        "told with {} reasons at most, and then the standard error: its first {} lines and its last {}.",
        &[constant(CELL, "MOST_REASONS"), constant(CELL, "MOST_FIRST_LINES"), constant(CELL, "MOST_LAST_LINES")],
    ),
    (12, "whose lines take more than {} MB ends", &[constant("conformance/src/matrix/recorder.rs", "MOST_RECORDED")]),
    (
        12,
        "it is what has a tape of {} nodes, and at least {} (15.4)",
        &[constant(STRATEGY, "DEFAULT_NODES"), constant(STRATEGY, "DEFAULT_BASE_CASE")],
    ),
    (12, "sampled each {}. Freed", &[constant("src/run/profile/meter.rs", "BETWEEN_LOOKS")]),
    (
        12,
        "The table ends after {} rows, and there are no more than {};",
        &[ROWS_OF_PROFILE, constant("src/run/profile/recorder.rs", "MOST_ROWS")],
    ),
    (12, "of more than {} rows, the longest", &[constant("src/run/profile/picture.rs", "MOST_PANELS")]),
    (12, "Of more than {} actions one in two", &[constant("src/run/profile/trace.rs", "MOST_KEPT")]),
    (12, "or has more than {} bytes", &[constant("shared/frontend/src/transformation/lifting.rs", "LONGEST")]),
    (12, "| memory | {}, or", &[behind(LIMITS, "Bounds { memory: ")]),
    (12, "| time | {} seconds;", &[behind(LIMITS, "Bounds { memory:  ... time: ")]),
    (12, "| output | {};", &[behind(LIMITS, "Bounds { memory:  ... output: ")]),
    (12, "and for how long; {} programs if", &[constant("src/commands/fuzz/arguments.rs", "DEFAULT_CASES")]),
    (12, "in hundredths of the usual size ({}), and", &[behind(GENERATOR, "GeneratorOptions { size: ")]),
    (12, "are written inside one another ({}) |", &[behind(GENERATOR, "GeneratorOptions { size:  ... depth: ")]),
    (12, "something long, wide or large ({}), and", &[behind(GENERATOR, "GeneratorOptions { size:  ... shape: ")]),
    (
        12,
        "hundred programs are interrupted ({}) |",
        &[behind(GENERATOR, "GeneratorOptions { size:  ... interruption: ")],
    ),
    (
        12,
        "as in 12.12, with the tolerance {}, on each",
        &[constant("conformance/src/random/campaign/gradients.rs", "TOLERANCE")],
    ),
    (
        12,
        "Of findings that look alike, {} are shrunk, for {} each",
        &[
            constant("conformance/src/random/campaign/tally.rs", "MOST_KEPT"),
            constant("conformance/src/random/shrink/mod.rs", "MOST_SHRINKING"),
        ],
    ),
    (12, "it is shrunk for {} minutes at most", &[constant("src/commands/fuzz/trial.rs", "MOST_TIME")]),
    (12, "The step limit is {}; programs", &[constant("conformance/src/random/fsmooth/campaign.rs", "MOST_STEPS")]),
    (
        12,
        "quotients of quotients, {} deep at most",
        &[constant("derivatives/src/extended/refusal.rs", "MOST_DIFFERENCES")],
    ),
    (
        12,
        "The step is 2^{} on {} bits (2^{} for",
        &[
            behind(DIFFERENCE, "const SHORTEST:  ...  = ["),
            constant(ARITHMETIC, "PRECISION"),
            behind(DIFFERENCE, "const SHORTEST:  ...  = [ ... , "),
        ],
    ),
    (12, "and at most {} in both", &[constant(GRADCHECK, "MOST_COORDINATES")]),
    (12, "Where a 512th of this is over 2^{} of the mean", &[constant(EXTENDED_LIMITS, "KNOWN")]),
    (
        12,
        "the bound of their error is over 2^{} of them and over 2^{} |",
        &[constant(EXTENDED_LIMITS, "KNOWN"), constant(EXTENDED_LIMITS, "SMALL")],
    ),
    (12, "or to {} of the largest one", &[constant(GRADCHECK, "LEAST_PART")]),
    (12, "it is relative to {} at least", &[constant(GRADCHECK, "LEAST_SIZE")]),
    (
        12,
        "the tolerance (`--tolerance`, {}), or",
        &[constant("src/commands/derivatives/gradcheck.rs", "DEFAULT_TOLERANCE")],
    ),
    (12, "the quotient is computed {} more times", &[constant(GRADCHECK, "ROUNDINGS")]),
    (12, "is off by at most 2^{} of itself, by the same part", &[constant(ROUNDING, "SIZE")]),
    (12, "is off by at most 2^{} of itself, for each operand", &[constant(ROUNDING, "SIZE")]),
    (12, "the inner derivative over a {} of the point", &[constant(ROUNDING, "PART")]),
    (12, "a sum one operand of which is 2^{} times", &[constant(ARITHMETIC, "PRECISION").times(0.5)]),
    (12, "This test is made where an error is over {}.", &[DOUBTFUL]),
    (12, "where the error is over {} or the steps do not tell", &[DOUBTFUL]),
    (12, "or over {} bits before it", &[constant("derivatives/src/extended/operations.rs", "MOST_EXPONENT")]),
    (
        12,
        "Of more than {} derivatives the worst {} are shown",
        &[constant("src/commands/derivatives/gradcheck.rs", "MOST_LINES"); 2],
    ),
    (
        12,
        "unless the run has taken {} of a second or more",
        &[constant("src/run/automatic/background.rs", "WORTH_GOING_ON")],
    ),
    (12, "the compiler continues for {} seconds at most", &[constant("src/run/automatic/helper.rs", "PATIENCE")]),
    (12, "At most {} of a procedure are shown", &[constant("src/commands/explanation/text.rs", "MOST_INSTANCES")]),
    (12, "longer than {} of a second it is compiled", &[constant("src/commands/repl/background.rs", "DELAY")]),
    (
        12,
        "half of them the first and half the last; {} if",
        &[constant("src/commands/trace/arguments.rs", "DEFAULT_ROWS")],
    ),
    (12, "A trace has {} operations at most", &[constant("src/commands/trace/question.rs", "MOST_OPERATIONS")]),
    (
        12,
        "It has at most {} dimensions and {} elements",
        &[
            constant("shared/data/src/npy_file.rs", "MOST_DIMENSIONS"),
            constant("shared/data/src/npy_file.rs", "MOST_ELEMENTS"),
        ],
    ),
    (12, "as is an array of more than {} MB in it", &[constant("shared/data/src/npz_file.rs", "MOST_BYTES")]),
    (12, "code that indexes a vector of more than {} elements", &[COMPARED]),
    (12, "they count with the {} MB that its texts", &[constant("shared/core/src/source.rs", "MOST_BYTES")]),
    (12, "of F(X + t X'), N at most {};", &[constant("derivatives/src/derive.rs", "HIGHEST_ORDER")]),
    (12, "or more than {} numbers, is refused", &[constant("derivatives/src/derive.rs", "MOST_NUMBERS")]),
    (
        12,
        "the number of points: {} if not given, {} for each of two variables, at most {} |",
        &[constant(PLOT, "POINTS"), constant(PLOT, "POINTS_OF_A_SIDE"), constant(PLOT, "MOST_POINTS")],
    ),
    (12, "of orders up to K, at most {}, by", &[constant(PLOT, "MOST_DERIVATIVES")]),
    (12, "the lines on which it has {} values", &[constant("src/commands/plot/contour.rs", "LEVELS")]),
    (
        14,
        "for a C text of more than {} megabyte or with a function of more than {} kilobytes, `-O0` for",
        &[constant(TEXTS, "LONG_TEXT"), constant(TEXTS, "LONG_FUNCTION")],
    ),
    (
        14,
        "`-O0` for more than {} or with one of more than {}, which",
        &[constant(TEXTS, "HUGE_TEXT").times(1.0 / MEGABYTE), constant(TEXTS, "HUGE_FUNCTION").times(1.0 / KILOBYTE)],
    ),
    (14, "and the bound for it is {}.", &[constant(TEXTS, "MOST_TEXT_FOR_TINY").times(1.0 / MEGABYTE)]),
    (14, "a program that needs more than {}. No C", &[constant(TEXTS, "HUGE_TEXT").times(1.0 / MEGABYTE)]),
    (14, "not compiled at all if more than {} megabytes of C", &[constant(TEXTS, "MOST_TEXT")]),
    (14, "the folder contains more than {} MiB", &[constant("compiler/src/compiled/cache/upkeep.rs", "MOST_BYTES")]),
    (14, "a *late cell*, which keeps the value: {} cells at a time", &[constant(TEMPLATE, "CELLS_AT_ONCE")]),
    (14, "makes more than {} MB of such cells", &[constant(TEMPLATE, "MOST_FORCED")]),
    (14, "and the memory after each {}.", &[constant(SPECIALISED, "TURNS")]),
    (14, "of its own, of {} GiB of addresses", &[constant(OWN_STACK, "LARGEST")]),
    (14, "recursion may take {} KiB of the current one", &[constant(OWN_STACK, "CURRENT_STACK")]),
    (14, "grow in parts of up to {} MiB", &[constant(SPECIALISED, "LARGEST_PART").times(WORD)]),
    (14, "the first one of {} MiB, for the host", &[constant(SPECIALISED, "LARGEST_PART").times(WORD)]),
    (14, "the host's stack that recursion takes beyond {} MiB", &[constant(OWN_STACK, "IN_SMALL_PAGES")]),
    (14, "the memory of arrays and cells beyond {} MiB.", &[constant(ARRAYS, "LARGE")]),
    (14, "with the first arrays and cells beyond {} KiB", &[constant(ARRAYS, "FIRST_UNCHECKED")]),
    (14, "is a *union*: one of at most {} alternatives", &[ALTERNATIVES]),
    (14, "take more than a {} of the memory that the process may take", &[constant(ARRAYS, "PART_OF_LIMIT")]),
    (
        14,
        "is unrolled, up to {} turns if it computes with unknown numbers, and up to {} turns",
        &[constant(WIDENING, "MOST_UNROLLED_AT_FIRST"), constant(WIDENING, "MOST_UNROLLED")],
    ),
    (14, "turns are unrolled if these make {} instances", &[constant(WIDENING, "MOST_INSTANCES_OF_STEPS")]),
    (
        14,
        "A list of {} elements or more that is known from its definition",
        &[constant("compiler/src/analysis/values/domain/cells.rs", "LEAST_OF_LONG_LIST")],
    ),
    (14, "if its length is not known or above {}: one", &[constant(ARRAYS_ANALYSED, "MOST_TAKEN_APART")]),
    (14, "taken apart, up to {} elements", &[constant(ARRAYS_ANALYSED, "MOST_TAKEN_APART_AT_LAST")]),
    (14, "or beyond {}, where sums", &[constant("compiler/first_order/src/storage/affine.rs", "GREATEST_CONSTANT")]),
    (14, "by comparisons, in vectors of at most {} elements", &[COMPARED]),
    (
        14,
        "such a tape has up to {} nodes",
        &[constant("compiler/runtime/typed/numbered_tape.c", "MOST_NODES_BESIDE_ARRAYS")],
    ),
    (14, "which has a record of {} of a megabyte", &[behind(RECORDING, "Division { words: ").times(WORD / MEGABYTE)]),
    (
        14,
        "take at most {} megabytes for each",
        &[behind(RECORDING, "Division { words:  ... state_words: ").times(WORD)],
    ),
    (
        14,
        "each longer part is divided into {}: so",
        &[constant("compiler/first_order/src/differentiate/reverse/recomputed/checkpointed/states.rs", "MOST_PARTS")],
    ),
    (14, "a thousand steps each, or {} for each element", &[constant(PROCEDURES, "STEPS_OF_DOUBLE")]),
    (14, "a value has one of more than {} shapes", &[ALTERNATIVES]),
    (14, "or an index into more than {} elements is not known", &[COMPARED]),
    (14, "and has more than {} parts |", &[constant(REFERENCES, "MOST_PARTS")]),
    (
        14,
        "| more than {} calls are unrolled, more than {} instances, more than {} evaluations, more than {} statements |",
        &[
            constant("compiler/src/analysis/specialiser/mod.rs", "MOST_UNROLLED_CALLS"),
            constant(BUDGET, "MOST_INSTANCES"),
            constant(BUDGET, "WORK_OF_ITEM"),
            behind(PIPELINE, "BESIDE_OTHER_CODE: Bounds = Bounds { statements: "),
        ],
    ),
    (14, "| more than {} statements are executed once", &[behind(PIPELINE, "BESIDE_OTHER_CODE: Bounds ... once: ")]),
    (
        14,
        "| the statements have more than {} operands and results",
        &[behind(PIPELINE, "BESIDE_OTHER_CODE: Bounds ... operands: ")],
    ),
    (
        14,
        "| a value has more than {} unknown numbers or {} parts, or is nested more than {} deep |",
        &[constant(DOMAIN, "MOST_LEAVES"), constant(DOMAIN, "MOST_PARTS"), constant(DOMAIN, "MOST_DEPTH")],
    ),
    (
        14,
        "expressions are nested too deeply: more than {} |",
        &[constant("compiler/src/analysis/evaluate.rs", "MOST_NESTED")],
    ),
    (
        14,
        "| derivatives are nested more than {} deep",
        &[constant("compiler/first_order/src/differentiate/mod.rs", "MOST_NESTED")],
    ),
    (14, "have a budget of {} evaluations", &[constant(BUDGET, "WORK_OF_PROGRAM")]),
    (
        14,
        "they count every {}th leaf that a call passes, and every {}nd part",
        &[constant(BUDGET, "LEAVES_OF_A_NODE"), constant(WIDENING, "PARTS_OF_A_NODE")],
    ),
    (
        14,
        "there may be {} statements, executed once or not, and {} operands",
        &[behind(PIPELINE, "ALONE: Bounds = Bounds { statements: "), behind(PIPELINE, "ALONE: Bounds ... operands: ")],
    ),
];
