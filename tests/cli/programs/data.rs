//! Data files: `--data` in every command that goes on from a program; texts, and the end of the input.

use crate::{Answer, answer, answer_of, answer_to, folder, vlad};
use rstest::rstest;
use std::fs;

const TABLE: &str = "size, price\n1,10\n\n2.5, 4e1\n";

#[rstest]
#[case::interp("interp")]
#[case::hybrid("hybrid")]
#[case::native("native")]
fn tables_are_bound(#[case] engine: &str) {
    let folder = folder(&format!("data_{engine}"), &[("t.csv", TABLE), ("m.json", "{\"w\": [[1, true], []]}")]);
    let (table, json) = (folder.join("t.csv"), folder.join("m.json"));
    let whole = format!("t={}", table.display());
    let column = format!("p={}:price", table.display());
    let member = format!("w={}:w", json.display());
    let words = ["--engine", engine, "--data", &whole, "--data", &column, "--data", &member];
    let program = "(list t p w (*j (lambda (v) (get v 1)) p 1))";
    let expected = "(#(#(1 10) #(2.5 40)) #(10 40) #(#(1 #t) #()) (40 . #(0 1)))\n";
    assert_eq!(answer(&[&words[..], &["-e", program]].concat()).succeeded(), expected);
}

/// Code that reads data is specialised for their shape: other data of the shape run on the object that was compiled for the first ones.
/// An item that needs their elements is compiled for these.
#[test]
fn data_are_compiled_by_shape() {
    let rows = |count: u32, step: u32| (1..=count).map(|row| format!("{row},{}\n", row * step)).collect::<String>();
    let texts = [rows(40, 1), rows(30, 2)];
    let folder = folder("data_shapes", &[("a.csv", &texts[0]), ("b.csv", &texts[1])]);
    let cache = folder.join("cache");
    let run = |program: &str, file: &str, words: &[&str]| {
        let data = format!("t={}", folder.join(file).display());
        let mut command = vlad();
        command.args(words).args(["--data", &data, "-e", program]).env("VLAD_CACHE", &cache);
        answer_of(&mut command).succeeded()
    };
    let objects = || {
        fs::read_dir(&cache)
            .unwrap()
            .filter(|file| file.as_ref().unwrap().path().extension() == Some("object".as_ref()))
            .count()
    };
    // The sum of x (w x + y) has the derivative of the sum of squares by w.
    let fit = "(define (f w) (ifold (lambda (s i) (let ((r (get t i))) (+ s (* (get r 0) (+ (* w (get r 0)) (get r 1)))))) 0 (length t)))
               (*j f 1 1)";
    let squares = |n: u32| n * (n + 1) * (2 * n + 1) / 6;
    let native = ["--engine", "native"];
    assert_eq!(run(fit, "a.csv", &native), format!("({} . {})\n", 2 * squares(40), squares(40)));
    assert_eq!(objects(), 1);
    assert_eq!(run(fit, "b.csv", &native), format!("({} . {})\n", 3 * squares(30), squares(30)));
    assert_eq!(run(fit, "a.csv", &native), format!("({} . {})\n", 2 * squares(40), squares(40)));
    assert_eq!(objects(), 1);
    let told = run(fit, "a.csv", &["explain"]);
    assert!(told.starts_with("1 item is specialised"), "{told}");
    let last = "(define (last l) (if (null? (cdr l)) (car l) (last (cdr l)))) (last (vector->list (get t 20)))";
    for (file, value) in [("a.csv", "21\n"), ("b.csv", "42\n"), ("a.csv", "21\n")] {
        assert_eq!(run(last, file, &native), value);
    }
}

#[test]
fn a_datum_of_numpy_is_bound() {
    let folder = folder("data_npy", &[]);
    let mut file = b"\x93NUMPY\x01\x00\x46\x00".to_vec();
    file.extend(format!("{:<69}\n", "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 2), }").bytes());
    file.extend([1.0_f64, 2.0, 3.0, 4.0].iter().flat_map(|real| real.to_le_bytes()));
    let path = folder.join("a.npy");
    fs::write(&path, file).unwrap();
    let data = format!("a={}", path.display());
    assert_eq!(answer(&["--data", &data, "-e", "a"]).succeeded(), "#(#(1 3) #(2 4))\n");
    let smooth = ["--language", "fsmooth", "--data", &data, "-e", "a[1][0] + 0.5"];
    assert_eq!(answer(&smooth).succeeded(), "2.5\n");
}

/// An archive of NumPy as `numpy.savez_compressed` writes it: `w` is [[1, 2], [3, 4]] and deflated, `n` is 7 and stored.
fn archive() -> Vec<u8> {
    let program = "import io, sys, zipfile, zlib\n\
        def array(d, s, b):\n\
        \x20h = ('%-69s\\n' % str({'descr': d, 'fortran_order': False, 'shape': s})).encode()\n\
        \x20return b'\\x93NUMPY\\x01\\x00\\x46\\x00' + h + b\n\
        f = io.BytesIO()\n\
        z = zipfile.ZipFile(f, 'w')\n\
        z.writestr('w.npy', array('|i1', (2, 2), bytes([1, 2, 3, 4])), zipfile.ZIP_DEFLATED)\n\
        z.writestr('n.npy', array('|i1', (), bytes([7])), zipfile.ZIP_STORED)\n\
        z.close()\n\
        sys.stdout.buffer.write(f.getvalue())";
    let output = std::process::Command::new("python3").args(["-c", program]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

#[test]
fn a_member_of_an_archive_is_bound() {
    let folder = folder("data_npz", &[]);
    let path = folder.join("a.npz");
    fs::write(&path, archive()).unwrap();
    let data = |name: &str, member: &str| format!("{name}={}{member}", path.display());
    let words = ["--data", &data("w", ":w"), "--data", &data("n", ":n"), "-e", "(list w n)"];
    assert_eq!(answer(&words).succeeded(), "(#(#(1 2) #(3 4)) 7)\n");
    for member in ["", ":x"] {
        let errors = answer(&["--data", &data("w", member), "-e", "w"]).failed("", "error[file]: ");
        assert!(errors.contains("`w`, `n`"), "{errors}");
    }
}

#[test]
fn numbers_that_are_not_finite_are_read_back_everywhere() {
    let folder = folder("data_not_finite", &[]);
    let derived = ["derive", "--json", "-e", "(define (f (list a b)) (list (/ a b) (- b 0.5)))", "--function", "f"];
    let json = answer(&[&derived[..], &["--at", "(list 1 0)"]].concat()).succeeded();
    assert!(json.contains("\"+inf.0\"") && json.contains("\"-inf.0\""), "{json}");
    let path = folder.join("d.json");
    fs::write(&path, &json).unwrap();
    let data = format!("j={}:jacobian", path.display());
    assert_eq!(answer(&["--data", &data, "-e", "j"]).succeeded(), "#(#(+inf.0 -inf.0) #(0 1))\n");
    for text in [
        "[+inf.0]",
        "[Infinity, -Infinity, NaN]",
        "[1e400, -1e400, \"+nan.0\"]",
        "\u{feff}[\"+inf.0\", \"-inf.0\", \"NaN\"]",
    ] {
        let path = folder.join("n.json");
        fs::write(&path, text).unwrap();
        let data = format!("j={}", path.display());
        let at = ["derive", "-e", "(define (f v) (get v 0))", "--function", "f", "--at", path.to_str().unwrap()];
        if text == "[+inf.0]" {
            answer(&["--data", &data, "-e", "j"]).failed("", "error[file]: ");
            answer(&at).failed("", "error[read]: ");
            continue;
        }
        assert_eq!(answer(&["--data", &data, "-e", "j"]).succeeded(), "#(+inf.0 -inf.0 +nan.0)\n", "{text}");
        assert!(answer(&at).succeeded().starts_with("at #(+inf.0 -inf.0 +nan.0): +inf.0\n"), "{text}");
    }
    let claim = folder.join("claim.json");
    fs::write(&claim, "\u{feff}{\"gradient\": [1e400, 2.5]}").unwrap();
    let program = "(define (f (list a b)) (* a b))";
    let words =
        ["gradcheck", "-e", program, "--function", "f", "--at", "(list 2.5 1)", "--against", claim.to_str().unwrap()];
    let table = answer(&words).output;
    assert!(table.contains("+inf.0") && table.contains("1 right"), "{table}");
}

#[test]
fn tables_of_other_programs_are_read() {
    let tables = [("t.csv", "# by hand\nsize;price\n1,5;10\n"), ("u.csv", "# by hand\nsize;price\n1.5;10\n2;1e400\n")];
    let folder = folder("data_separators", &tables);
    let read = |name: &str, separator: &str| {
        let data = format!("t={}", folder.join(name).display());
        answer(&["--separator", separator, "--data", &data, "-e", "t"])
    };
    assert_eq!(read("u.csv", ";").succeeded(), "#(#(1.5 10) #(2 +inf.0))\n");
    let comma = read("t.csv", ";").failed("", "error[file]: ");
    assert!(comma.contains("found \"1,5\"") && comma.contains("t.csv:3:1") && comma.contains("as in 1.5"), "{comma}");
    assert_eq!(read("u.csv", "x").code, Some(2));
}

#[test]
fn other_separators_and_formats_are_named() {
    let semicolons = refused("semicolons.csv", "size;price\n1,5;10\n", ":price");
    for part in ["separated by `;`", "semicolons.csv:1:1", "--separator ';'", "as in 1.5"] {
        assert!(semicolons.contains(part), "{semicolons}");
    }
    assert!(refused("tabs.csv", "1\t2\n3\t4\n", "").contains("--separator tab"));
    assert!(refused("line.csv", "1;2\n", "").contains("separated by `;`"));
    assert!(refused("commas.tsv", "a,b\n1,2\n", "").contains(".csv"));
    assert!(refused("sheet.csv", "PK\u{3}\u{4}...", "").contains("this is an archive"));
    let folder = folder("data_records", &[]);
    let mut file = b"\x93NUMPY\x01\x00\x56\x00".to_vec();
    file.extend(
        format!("{:<85}\n", "{'descr': [('x', '<f8'), ('n', '<i4')], 'fortran_order': False, 'shape': (1,), }").bytes(),
    );
    file.extend([0; 12]);
    let path = folder.join("a.npy");
    fs::write(&path, &file).unwrap();
    let read = |path: &std::path::Path| answer(&["--data", &format!("a={}", path.display()), "-e", "a"]);
    let errors = read(&path).failed("", "error[file]: ");
    assert!(errors.contains("structured") && errors.contains("`x`, `n`"), "{errors}");
    fs::copy(&path, folder.join("a.csv")).unwrap();
    let errors = read(&folder.join("a.csv")).failed("", "error[file]: ");
    assert!(errors.contains("this is an array of NumPy"), "{errors}");
    let mut half = b"\x93NUMPY\x01\x00\x46\x00".to_vec();
    half.extend(format!("{:<69}\n", "{'descr': '<f2', 'fortran_order': False, 'shape': (2,), }").bytes());
    // 1.5 and -2.
    half.extend([0x00, 0x3E, 0x00, 0xC0]);
    fs::write(&path, half).unwrap();
    assert_eq!(read(&path).succeeded(), "#(1.5 -2)\n");
}

#[test]
fn the_first_row_of_data_is_not_lost() {
    let empty = refused("empty.csv", "1,,3\n4,5,6\n", "");
    assert!(empty.contains("found an empty cell") && empty.contains("empty.csv:1:3"), "{empty}");
    assert!(
        empty.contains("NaN stands for a number that is missing") && empty.contains("names the columns"),
        "{empty}"
    );
    let mark = refused("mark.csv", "Ann,NA,3\nBob,5,6\n", ":3");
    assert!(mark.contains("the first row has \"NA\"") && mark.contains("mark.csv:1:5"), "{mark}");
}

/// Runs `vlad -e 1` with a data file of this text and returns the errors.
fn refused(name: &str, text: &str, parts: &str) -> String {
    let folder = folder(&format!("data_refused_{}", name.replace('.', "_")), &[(name, text)]);
    let data = format!("x={name}{parts}");
    let mut command = vlad();
    command.current_dir(&folder).args(["--data", &data, "-e", "x"]);
    Answer::from(command.output().unwrap()).failed("", "error[file]: ")
}

#[test]
fn errors_in_data_have_a_place() {
    let word = refused("word.csv", "a,b\n1,2\n3,four\n", "");
    assert!(word.contains("found \"four\"") && word.contains("word.csv:3:3"), "{word}");
    let short = refused("short.csv", "1,2\n3\n", "");
    assert!(short.contains("a row of 1 cell, where the first has 2") && short.contains("short.csv:2:1"), "{short}");
    let column = refused("column.csv", "a,b\n1,2\n", ":c");
    assert!(column.contains("no column `c`") && column.contains("`a`, `b`"), "{column}");
    let json = refused("null.json", "[1,\n  null]\n", "");
    assert!(json.contains("null") && json.contains("null.json:2:"), "{json}");
    assert!(refused("no.npy", "PK", "").contains("no array of NumPy"));
    let missing = answer(&["--data", "x=/nowhere/a.csv", "-e", "x"]).failed("", "error[file]: ");
    assert!(missing.contains("there is no file `/nowhere/a.csv`"), "{missing}");
}

#[rstest]
#[case("x", "NAME=FILE is expected")]
#[case("x=a.txt", "ends with none of .csv, .tsv, .json, .npy and .npz")]
#[case("=a.csv", "no name before")]
fn arguments_that_are_none_are_not_understood(#[case] argument: &str, #[case] why: &str) {
    let answer = answer(&["--data", argument, "-e", "1"]);
    assert_eq!(answer.code, Some(2));
    assert!(answer.errors.contains(why), "{}", answer.errors);
}

#[test]
fn names_and_languages_are_checked() {
    let folder = folder("data_names", &[("t.csv", TABLE), ("p.f", "      PRINT *, 1\n      END\n")]);
    let data = |name: &str| format!("{name}={}", folder.join("t.csv").display());
    let keyword = answer(&["--data", &data("if"), "-e", "1"]).failed("", "error[file]: ");
    assert!(keyword.contains("`if` is no name"), "{keyword}");
    let twice = answer(&["--data", &data("t"), "-e", "(define t 1) t"]).failed("", "error[duplicate]: ");
    assert!(twice.contains("<data t>"), "{twice}");
    let farfel = answer(&["--data", &data("t"), folder.join("p.f").to_str().unwrap()]).failed("", "error[file]: ");
    assert!(farfel.contains("takes no data by `--data`"), "{farfel}");
}

#[test]
fn a_sandbox_holds_for_data() {
    let folder = folder("data_sandbox", &[("in/p.vlad", "x"), ("in/t.csv", "1\n"), ("out/t.csv", "2\n")]);
    let program = folder.join("in/p.vlad");
    let data = |place: &str| format!("x={}", folder.join(place).display());
    let words = |data: &str| answer(&["--sandbox", "--data", data, program.to_str().unwrap()]);
    assert_eq!(words(&data("in/t.csv")).succeeded(), "#(#(1))\n");
    let errors = words(&data("out/t.csv")).failed("", "error[file]: ");
    assert!(errors.contains("in a sandbox"), "{errors}");
    let given = ["-I", folder.join("out").to_str().unwrap()].map(str::to_owned);
    let arguments = ["--sandbox", "--data", &data("out/t.csv"), &given[0], &given[1], program.to_str().unwrap()];
    assert_eq!(answer(&arguments).succeeded(), "#(#(2))\n");
}

#[test]
fn capsules_and_executables_keep_the_data() {
    let folder = folder("data_kept", &[("t.csv", "3\n4\n"), ("p.vlad", "(ifold (lambda (s i) (+ s (get x i))) 0 2)")]);
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (program, capsule, built) = (path("p.vlad"), path("a.capsule"), path("built"));
    let data = format!("x={}:1", path("t.csv"));
    let suspend = ["suspend", &program, "--data", &data, "--engine", "hybrid", "--after", "4", "-o", &capsule];
    assert_eq!(answer(&suspend).code, Some(0));
    let build = ["build", &program, "--data", &data, "--engine", "hybrid", "-o", &built];
    assert_eq!(answer(&build).code, Some(0));
    fs::remove_file(folder.join("t.csv")).unwrap();
    assert_eq!(answer(&["resume", &capsule]).succeeded(), "7\n");
    let executable = std::process::Command::new(&built).output().unwrap();
    assert_eq!(Answer::from(executable).succeeded(), "7\n");
    let again = answer(&["resume", &capsule, "--data", &data]);
    assert_eq!(again.code, Some(2), "{}", again.errors);
}

#[test]
fn sessions_and_traces_have_data() {
    let folder = folder("data_desk", &[("t.csv", TABLE)]);
    let column = format!("p={}:price", folder.join("t.csv").display());
    assert_eq!(answer_to(&["repl", "--data", &column], b"(get p 1)\n").succeeded(), "40\n");
    let program = "(define (f x) (* x (get p 1)))";
    let output = answer(&["trace", "--data", &column, "-e", program, "--function", "f", "--at", "3"]).succeeded();
    assert!(output.contains("* x1 40") && output.contains("120"), "{output}");
}

#[test]
fn the_example_of_a_regression_finds_the_known_values() {
    let place = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data");
    let (x, y) = (format!("x={place}/students.csv:hours"), format!("y={place}/students.csv:passed"));
    let program = format!("{place}/logistic-regression.vlad");
    let output = answer(&["--engine", "hybrid", &program, "--data", &x, "--data", &y]).succeeded();
    // By Newton's method with 40 digits.
    for expected in ["a = -4.077713", "b = 1.504645", "error 1.76099", "error 0.62872", "after 4 hours: 0.87444"] {
        assert!(output.contains(expected), "{expected} in {output}");
    }
}

#[test]
fn numbers_are_read_to_the_end_of_the_input() {
    let program = "(define (total s) (if (end-of-input?) s (total (+ s (read-real))))) (total 0)";
    for engine in ["interp", "hybrid", "native", "all"] {
        let words = ["--engine", engine, "-e", program];
        assert_eq!(answer_to(&words, b"1 2\n 3.5 \xEF\xBB\xBF \n\n").succeeded(), "6.5\n");
        assert_eq!(answer_to(&words, b"").succeeded(), "0\n");
    }
}

#[test]
fn errors_of_programs_are_shown_with_their_texts() {
    let program = "(define (f x) (if (< x 0) (error \"no root of \" x) (sqrt x))) (f -4)";
    for engine in ["interp", "hybrid", "native"] {
        let errors = answer(&["--engine", engine, "-e", program]).failed("", "error[raised]: no root of -4\n");
        assert!(errors.contains("<expression>:1:27"), "{errors}");
    }
}
