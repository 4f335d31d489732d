//! `vlad plot`: procedures, derivatives, contours, paths and tables, as text and as SVG.

use crate::{answer, folder};
use std::fs;

const PROGRAM: &str = "(define (f x) (* x x x))\n(define (bowl x y) (+ (* x x) (* 2 y y)))\n(write 1)\n";

fn plot(more: &[&str]) -> crate::Answer {
    answer(&[&["plot", "-e", PROGRAM], more].concat())
}

#[test]
fn a_line_stands_between_its_axes() {
    let words =
        ["--function", "(lambda (x) x)", "--over", "0:1:50", "--width", "10", "--height", "5", "--range", "0:1"];
    let text = plot(&words).succeeded();
    let lines: Vec<&str> = text.lines().collect();
    // The same diagonal as in the unit test of the canvas.
    assert_eq!((lines[0], lines[5]), ("1.0 ┤        ⡠⠊", "    └┬─┬─┬┬─┬─┬"));
    assert_eq!(lines.last(), Some(&"(lambda (x) x)"));
}

#[test]
fn several_series_have_letters() {
    let text = plot(&["--function", "f", "--function", "sin", "--over", "-2:2", "--with-derivatives", "2"]).succeeded();
    for name in [
        "a: f\n",
        "b: first derivative of f\n",
        "c: second derivative of f\n",
        "d: sin\n",
        "f: second derivative of sin\n",
    ] {
        assert!(text.contains(name), "{name}{text}");
    }
    // The cube has values from -8 to 8, its derivatives from 0 to 12 and from -12 to 12.
    assert!(text.contains(" 10 ┤") && text.contains("-10 ┤"), "{text}");
}

/// The picture as XML, and its texts.
fn picture(more: &[&str]) -> String {
    let folder = folder("picture", &[]);
    let file = folder.join("plot.svg");
    let output = plot(&[more, &["-o", file.to_str().unwrap()]].concat());
    assert_eq!(output.succeeded(), "");
    let svg = fs::read_to_string(file).unwrap();
    roxmltree::Document::parse(&svg).unwrap();
    svg
}

#[test]
fn pictures_have_lines_and_names() {
    let svg = picture(&["--function", "(lambda (x) (if (< x 1) x 1))", "--over", "0:2:3", "--title", "a < b & c"]);
    for part in ["<title>a &lt; b &amp; c</title>", "(lambda (x) (if (&lt; x 1) x 1))"] {
        assert!(svg.contains(part), "{part}: {svg}");
    }
    // The points 0, 1 and 2 across, from 80 to 670; the values 0, 1 and 1, with margins, from 514 to 44 upwards.
    assert!(svg.contains("M80.0 496.6L375.0 61.4L670.0 61.4"), "{svg}");
}

#[test]
fn contours_and_paths_are_drawn() {
    let path = "(list (cons -1 -1) (list 0 0.5) #(1 1))";
    let words = ["--contour", "bowl", "--over", "-1:1:21", "--over", "-1:1:21", "--path", path];
    let svg = picture(&words);
    assert_eq!(svg.matches("class=\"contour\"").count(), 10, "{svg}");
    assert_eq!(svg.matches("<circle").count(), 3, "{svg}");
    let text = plot(&words).succeeded();
    assert!(text.contains("contours at ") && text.contains(path), "{text}");
    assert_eq!(text.lines().take(18).collect::<String>().matches('o').count(), 3, "{text}");
    // A procedure of a list, and a path without contours.
    let listed = ["--contour", "(lambda ((list x y)) (* x y))", "--over", "0:1:5", "--over", "0:1:5"];
    plot(&listed).succeeded();
    plot(&["--path", path]).succeeded();
}

#[test]
fn tables_are_drawn_as_dots() {
    let folder = folder("tables", &[("t.csv", "t,height,speed\n0,0,5\n1,4,3\n2,6,1\n"), ("bad.csv", "1,2\n3,x\n")]);
    let table = folder.join("t.csv");
    let table = table.to_str().unwrap();
    let text = answer(&["plot", table]).succeeded();
    assert!(text.contains("a: height\n") && text.contains("b: speed\n"), "{text}");
    let text = answer(&["plot", table, "--x", "2", "--y", "speed"]).succeeded();
    assert!(text.ends_with("\nspeed\n"), "{text}");
    let both = plot(&["--function", "f", "--over", "0:2", "--csv", table, "--y", "height"]).succeeded();
    assert!(both.contains("a: height\n") && both.contains("b: f\n"), "{both}");
    let error =
        answer(&["plot", folder.join("bad.csv").to_str().unwrap()]).failed("", "error[read]: a number is expected");
    assert!(error.contains("bad.csv:2:3"), "{error}");
    let error = answer(&["plot", table, "--y", "weight"]).failed("", "error[unbound]");
    assert!(error.contains("no column `weight`, but t, height, speed"), "{error}");
    let drawn = folder.join("t.txt");
    fs::copy(table, &drawn).unwrap();
    let drawn = drawn.to_str().unwrap();
    let same = answer(&["plot", "-e", "", "--csv", drawn, "-o", drawn]).failed("", "error[output]");
    assert!(same.contains("it is what is drawn"), "{same}");
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    for (words, complaint) in [
        (&["--function", "f"][..], "--over"),
        (&[], "nothing to draw"),
        (&["--contour", "bowl", "--over", "0:1"], "twice"),
        (&["--function", "f", "--over", "0:1", "--over", "0:1"], "too often"),
        (&["--function", "f", "--over", "1:0"], "an interval is"),
        (&["--function", "f", "--over", "0:1", "--x", "t"], "--csv"),
        (&["--function", "f", "--over", "0:1", "-o", "x.png"], "x.png ends with neither .svg nor .txt"),
        (&["--function", "f", "--over", "0:1", "-o", "picture"], ".svg"),
        (&["--function", "f", "--over", "0:1", "--output=x.svg.pdf"], ".svg"),
    ] {
        let refused = plot(words);
        assert_eq!((refused.code, refused.output.as_str()), (Some(2), ""), "{words:?}");
        assert!(refused.errors.contains(complaint), "{words:?}: {}", refused.errors);
    }
    plot(&["--function", "(lambda (x) (/ 0 0))", "--over", "0:1"]).failed("", "error[limit]: nothing that is drawn");
    plot(&["--function", "(lambda (x) #t)", "--over", "0:1"]).failed("", "error[type]");
    plot(&["--contour", "(lambda (x y) (list x y))", "--over", "0:1", "--over", "0:1"]).failed("", "error[type]");
    plot(&["--path", "(list 1 2)"]).failed("", "error[type]");
    let error = plot(&["--function", "g", "--over", "0:1"]).failed("", "error[unbound]");
    assert!(error.contains("--> --function:1:1"), "{error}");
}

/// The form is known before the program runs, and the file is not touched.
#[test]
fn no_other_form_is_written() {
    let folder = folder("plot_forms", &[("x.png", "mine")]);
    let file = folder.join("x.png");
    let endless =
        ["plot", "-e", "(define (f x) (f x))", "--function", "f", "--over", "0:1", "-o", file.to_str().unwrap()];
    assert_eq!(answer(&endless).code, Some(2));
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
    let text = folder.join("x.txt");
    let drawn = ["--function", "f", "--over", "0:1"];
    assert_eq!(plot(&[&drawn[..], &["-o", text.to_str().unwrap()]].concat()).succeeded(), "");
    assert_eq!(fs::read_to_string(text).unwrap(), plot(&drawn).succeeded());
}

/// The vertical extent of a line, whose commands have a letter before the coordinates.
fn heights(svg: &str, line: usize) -> Vec<String> {
    let path = svg.lines().filter(|line| line.contains("class=\"line\"") && line.contains(" d=\"")).nth(line).unwrap();
    let (_, data) = path.split_once(" d=\"").unwrap();
    let data = data.trim_end_matches("\"/>");
    data.split(['M', 'L']).filter_map(|point| point.split_once(' ')).map(|(_, y)| y.to_owned()).collect()
}

/// The branch that is taken has a derivative where the function has no value.
#[test]
fn derivatives_are_drawn_where_the_function_is() {
    for nowhere in ["(/ 0 0)", "(sqrt (- x 9))", "(+ x (log -1))", "(* 2 (/ 1 0))", "(+ (* 3 x) +nan.0)"] {
        let function = format!("(lambda (x) (list x (if (< x 2) {nowhere} (* 5 x))))");
        let svg = picture(&["--function", &function, "--over", "0:4:5", "--with-derivatives", "2"]);
        // Of five points all have a first part, and three the second one.
        let counts: Vec<usize> = (0..6).map(|line| heights(&svg, line).len()).collect();
        assert_eq!(counts, [5, 3, 5, 3, 5, 3], "{function}: {svg}");
    }
    // At 0 the root has a value and no derivative, so none of the second order either.
    let svg = picture(&["--function", "sqrt", "--over", "-1:1:5", "--with-derivatives", "2"]);
    let counts: Vec<usize> = (0..3).map(|line| heights(&svg, line).len()).collect();
    assert_eq!(counts, [3, 2, 2], "{svg}");
}

#[test]
fn tables_with_other_separators_are_named() {
    let tables = [("t.tsv", "t\tx\n0\t1\n1\t2\n"), ("t.csv", "t;x\n0,5;1\n1,5;2\n")];
    let folder = folder("plot_separators", &tables);
    let of = |name: &str| answer(&["plot", folder.join(name).to_str().unwrap()]);
    assert!(of("t.tsv").succeeded().ends_with("\nx\n"));
    let error = of("t.csv").failed("", "error[read]: the cells of this table are separated by `;`");
    assert!(error.contains("t.csv:1:1") && error.contains("--separator ';'"), "{error}");
}

/// Poles and infinities interrupt a line.
#[test]
fn what_is_not_finite_is_not_drawn() {
    let svg = picture(&["--function", "(lambda (x) (/ 1 x))", "--over", "-1:1:5"]);
    // -1, -2, infinity, 2, 1: two lines.
    let line = svg.lines().find(|line| line.contains("class=\"line\"") && line.contains("L")).unwrap();
    assert_eq!((line.matches('M').count(), line.matches('L').count()), (2, 2), "{line}");
}
