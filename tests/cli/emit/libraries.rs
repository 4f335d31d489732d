//! The libraries that exports are linked with: an archive of mathematical functions, the C library, or none.

use super::{FLAGS, archive, compile, emit, emitted, is_there, output};
use crate::{answer, folder};
use std::fs;
use std::path::Path;
use std::process::Command;

const PROGRAM: &str = "
(define (f x) (+ (sin x) (cos x) (expt x 1.5) (lgamma x)))
(define (more x) (list (asinh x) (acosh x) (atanh (/ 1 x)) (hypot x 2) (cbrt x) (exp2 x) (log2 x) (log10 x) (gamma x)
                       (polygamma 1 x)))
(define (exact x)
  (list (sqrt x) (abs x) (floor x) (ceiling x) (round x) (truncate x) (modulo x 3) (max x 2) (min x 2)))
";
const F: &str = "f:real->real";
const MORE: &str = "more:real->(real real real real real real real real real real)";
const EXACT: &str = "exact:real->(real real real real real real real real real)";

/// The functions of C's <math.h>, those that are exact among them.
const OF_C: &str = "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim floor fma \
    fmax fmin fmod frexp hypot ilogb ldexp lgamma llrint llround log log10 log1p log2 logb lrint lround modf nan nearbyint \
    nextafter nexttoward pow remainder remquo rint round scalbln scalbn sin sincos sinh sqrt tan tanh tgamma trunc signgam";

/// The symbols that an object does not define.
fn undefined(object: &Path) -> Vec<String> {
    let listed = Command::new("nm").arg("-u").arg(object).output().unwrap();
    let text = String::from_utf8(listed.stdout).unwrap();
    text.lines().filter_map(|line| line.split_whitespace().last()).map(str::to_owned).collect()
}

/// No C compiler makes a call of the C library's mathematical functions, whatever its flags are.
#[test]
fn objects_name_no_function_of_the_c_library() {
    let out = emitted("undefined", PROGRAM, &[F, MORE, EXACT]);
    for compiler in ["cc", "tcc", "clang"] {
        if !is_there(compiler, "-v") {
            eprintln!("not run: there is no {compiler}");
            continue;
        }
        for flags in [&FLAGS[..], &["-O0"], &["-O3"], &["-O2", "-fno-math-errno"]] {
            let object = out.join("model.o");
            compile(compiler, flags, |command| command.arg("-c").arg(out.join("model.c")).arg("-o").arg(&object));
            let undefined = undefined(&object);
            assert!(undefined.iter().any(|name| name == "vlad_math_tgamma"), "{undefined:?}");
            let of_c: Vec<&String> =
                undefined.iter().filter(|name| OF_C.split_whitespace().any(|of_c| of_c == **name)).collect();
            assert!(of_c.is_empty(), "{compiler} {flags:?}: {of_c:?}");
        }
    }
}

/// The archive needs nothing.
#[test]
fn the_archive_names_nothing_that_is_elsewhere() {
    let out = emitted("archive", PROGRAM, &[F]);
    let listed = Command::new("nm").arg(archive(&out, "model").unwrap()).output().unwrap();
    let text = String::from_utf8(listed.stdout).unwrap();
    let all = |kinds: &[&str]| -> Vec<&str> {
        let words = text.lines().map(|line| line.split_whitespace().rev().collect::<Vec<&str>>());
        words.filter(|words| words.len() > 1 && kinds.contains(&words[1])).map(|words| words[0]).collect()
    };
    let (defined, undefined) = (all(&["T", "W"]), all(&["U"]));
    assert!(defined.contains(&"vlad_math_sin") && defined.contains(&"vlsin_"), "{defined:?}");
    for name in undefined {
        assert!(defined.contains(&name) || name == "_GLOBAL_OFFSET_TABLE_", "{name}");
    }
}

fn driver(call: &str, count: usize) -> String {
    let results: Vec<String> = (0..count).map(|place| format!("&r[{place}]")).collect();
    format!(
        "#include \"model.h\"\n#include <stdio.h>\nint main(void) {{\n    struct model_context context;\n    double r[{count}];\n    \
         model_begin(&context);\n    int status = {call}, {});\n    for (int k = 0; k < {count}; k++) printf(\"%.17g \", r[k]);\n    \
         model_end(&context);\n    return status;\n}}\n",
        results.join(", ")
    )
}

/// Exact operations need neither an archive nor the C library, and the files say so.
#[test]
fn sets_without_functions_have_no_archive() {
    let out = emitted("exact", PROGRAM, &[EXACT]);
    assert_eq!(archive(&out, "model"), None);
    for file in ["model.c", "model.h", "Makefile"] {
        let text = fs::read_to_string(out.join(file)).unwrap();
        assert!(text.contains("No mathematical function is called") && !text.contains("-lm"), "{file}");
        assert!(!text.contains("vlad_math_") && !text.contains("<math.h>"), "{file}");
    }
    fs::write(out.join("driver.c"), driver("model_exact(&context, 6.5", 9)).unwrap();
    for compiler in ["cc", "tcc", "clang"].into_iter().filter(|compiler| is_there(compiler, "-v")) {
        compile(compiler, &["-O0"], |command| command.args(["driver.c", "model.c", "-o", "driver"]).current_dir(&out));
        assert_eq!(output(&out.join("driver")), "2.5495097567963922 6.5 6 7 6 6 0.5 6.5 2 ", "{compiler}");
    }
}

/// With `--math system` functions are those of the C library, by the names in C.
#[test]
fn functions_of_the_c_library() {
    let options = ["--export", F, "--export", MORE, "--math", "system"];
    let (answer, out) = emit("c", "system", PROGRAM, &options);
    answer.succeeded();
    assert_eq!(archive(&out, "model"), None);
    for file in ["model.c", "model.h", "Makefile"] {
        let text = fs::read_to_string(out.join(file)).unwrap();
        assert!(text.contains("those of the C library: link with -lm") && !text.contains("vlad_math_"), "{file}");
    }
    fs::write(out.join("driver.c"), driver("model_more(&context, 3", 10)).unwrap();
    compile("cc", &FLAGS, |command| command.args(["driver.c", "model.c", "-lm", "-o", "driver"]).current_dir(&out));
    let undefined = undefined(&out.join("driver"));
    let has = |name: &str| undefined.iter().any(|symbol| symbol.split('@').next() == Some(name));
    assert!(["tgamma", "asinh", "hypot", "cbrt", "exp2", "log2", "log10"].into_iter().all(has), "{undefined:?}");
    let expected = [
        1.818446459232067,
        1.762747174039086,
        0.34657359027997264,
        3.605551275463989,
        1.4422495703074083,
        8.0,
        1.584962500721156,
        0.47712125471966244,
        2.0,
        0.39493406684822644,
    ];
    let printed = output(&out.join("driver"));
    let found: Vec<f64> = printed.split_whitespace().map(|word| word.parse().unwrap()).collect();
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= 1e-13 * expected, "{found} {expected}");
    }
}

/// Two sets in one program: the members of one of the archives are taken, whatever the order is.
#[test]
fn two_sets_in_one_program() {
    let texts =
        [("a.vlad", "(define (f x) (sin (exp x)))"), ("b.vlad", "(define (f x) (+ (log x) (gamma x) (sin x)))")];
    let folder = folder("two_sets", &texts);
    for name in ["a", "b"] {
        let (file, out) = (folder.join(format!("{name}.vlad")), folder.to_str().unwrap().to_owned());
        answer(&["emit", "c", file.to_str().unwrap(), "--export", "f:real->real", "-o", &out]).succeeded();
        compile("cc", &FLAGS, |command| command.args(["-c", &format!("{name}.c")]).current_dir(&folder));
    }
    let driver = "#include \"a.h\"\n#include \"b.h\"\n#include <stdio.h>\nint main(void) {\n    struct a_context a;\n    struct \
                  b_context b;\n    double x, y;\n    a_begin(&a);\n    b_begin(&b);\n    int status = a_f(&a, 0, &x) + b_f(&b, 4, \
                  &y);\n    printf(\"%.17g %.17g\\n\", x, y);\n    a_end(&a);\n    b_end(&b);\n    return status;\n}\n";
    fs::write(folder.join("driver.c"), driver).unwrap();
    // The sine of 1; log 4 + 3! + sin 4.
    let expected = "0.8414709848078965 6.6294918658119624\n";
    for order in [
        "a.o b.o liba_math.a libb_math.a",
        "a.o liba_math.a b.o libb_math.a",
        "libb_math.a b.o a.o libb_math.a liba_math.a",
    ] {
        compile("cc", &[], |command| {
            command.arg("driver.c").args(order.split(' ')).args(["-o", "driver"]).current_dir(&folder)
        });
        assert_eq!(output(&folder.join("driver")), expected, "{order}");
    }
}

/// The rule of make for a shared library, which defines the public functions alone and needs no mathematical library.
#[test]
fn a_shared_library() {
    let out = emitted("shared", PROGRAM, &[F, MORE]);
    let made = Command::new("make").arg("-s").current_dir(&out).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    assert!(out.join("model.o").exists());
    let listed = Command::new("nm").args(["-D", "libmodel.so"]).current_dir(&out).output().unwrap();
    let symbols = String::from_utf8(listed.stdout).unwrap();
    let defined: Vec<&str> = symbols.lines().filter_map(|line| line.split_once(" T ")).map(|(_, name)| name).collect();
    assert!(defined.contains(&"model_f") && defined.iter().all(|name| name.starts_with("model_")), "{symbols}");
    fs::write(out.join("driver.c"), driver("model_f(&context, 2", 1)).unwrap();
    compile("cc", &FLAGS, |command| {
        command.args(["driver.c", "-L.", "-lmodel", "-Wl,-rpath,$ORIGIN", "-o", "driver"]).current_dir(&out)
    });
    let expected = answer(&["-e", &format!("{PROGRAM} (f 2)")]).succeeded();
    let (found, expected): (f64, f64) =
        (output(&out.join("driver")).trim().parse().unwrap(), expected.trim().parse().unwrap());
    assert_eq!(found, expected);
}
