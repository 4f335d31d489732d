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
    let same = answer(&["plot", table, "-o", table]).failed("", "error[output]");
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

/// Poles and infinities interrupt a line.
#[test]
fn what_is_not_finite_is_not_drawn() {
    let svg = picture(&["--function", "(lambda (x) (/ 1 x))", "--over", "-1:1:5"]);
    // -1, -2, infinity, 2, 1: two lines.
    let line = svg.lines().find(|line| line.contains("class=\"line\"") && line.contains("L")).unwrap();
    assert_eq!((line.matches('M').count(), line.matches('L').count()), (2, 2), "{line}");
}
