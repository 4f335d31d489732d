//! Numbers, names, comments, parentheses: the texts that can be read, and the messages for those that cannot.

use super::{check, check_errors, describe, text};
use vlad_frontend::load::{Input, Options, load, surface, tokens};

#[test]
fn numbers_in_every_notation() {
    for (written, read) in [
        ("1", "1"),
        ("-1.", "-1"),
        (".5", "0.5"),
        ("+.5", "0.5"),
        ("-.5e1", "-5"),
        ("1e-3", "0.001"),
        ("1E3", "1000"),
        ("1e+3", "1000"),
        ("#x1f", "31"),
        ("#xFF", "255"),
        ("#x-1f", "-31"),
        ("#X+1F", "31"),
        ("#b101", "5"),
        ("#o17", "15"),
        ("#d10", "10"),
        ("#d1e3", "1000"),
        ("+inf.0", "+inf.0"),
        ("-inf.0", "-inf.0"),
        ("+nan.0", "+nan.0"),
        ("-nan.0", "+nan.0"),
        ("-0", "-0"),
        ("1e400", "+inf.0"),
        ("1e-400", "0"),
        ("9007199254740993", "9007199254740992"),
        ("#x20000000000001", "9007199254740992"),
        ("#x20000000000003", "9007199254740996"),
        ("0.1000000000000000055511151231257827021181583404541015625", "0.1"),
    ] {
        check(written, read);
    }
}

#[test]
fn words_that_are_no_numbers() {
    let hint = "numbers are written as in 1, -1.5, .5, 1e-3, #xff; a name cannot begin like a number";
    for word in ["1.2.3", "12abc", "1e", "#xZZ", "1+", "-1-", "+.5x", "1/0x", "#b12", "#x", ".5.", "1.5.6e7"] {
        check_errors(word, &format!("read at 1:1 `{word}`: `{word}` is not a number\n  hint: {hint}"));
    }
    check_errors(
        "(sin 1/2)",
        "read at 1:6 `1/2`: `1/2` is not a number\n  hint: there are no fractions: write (/ 1 2)",
    );
}

#[test]
fn names_of_every_sort() {
    for name in [
        "a-b",
        "->x",
        "-",
        "...",
        "+",
        "-x",
        "<=?",
        "!$%&*/:<=>?^_~+-.@",
        "é",
        "λx",
        "x1",
        "變數",
        "+inf",
        "a.b",
        ".a",
        "--1",
    ] {
        check(&format!("(lambda ({name}) {name})"), &format!("(lambda {name}@0 {name}@0)"));
    }
}

#[test]
fn what_is_no_token() {
    check_errors("(+ 1 \0 2)", "read at 1:6 `\0`: a NUL character is no part of a program");
    check_errors("(+ 1 \u{7} 2)", "read at 1:6 `\u{7}`: the character U+0007 is no part of a program");
    check_errors(
        "(+ 1 a{ 2)",
        "read at 1:7 `{`: the character `{` is no part of a program\n  hint: parentheses are ( ) or [ ]",
    );
    check_errors(
        "`(1 ,x)",
        "read at 1:1 ```: the character ``` is no part of a program\n  hint: there is no quasiquotation\n\
         read at 1:5 `,`: the character `,` is no part of a program\n  hint: there is no quasiquotation",
    );
    check_errors("a\u{a0}b", "read at 1:2 `\u{a0}`: the character U+00A0 is no part of a program");
    let hint = "`#` begins #t, #f, a vector as in #(1 2), a number as in #xff, or a comment as in #| |# and #;";
    check_errors("#true1", &format!("read at 1:1 `#true1`: `#true1` is no part of the language\n  hint: {hint}"));
    check_errors("(sin #)", &format!("read at 1:6 `#`: the character `#` is no part of a program\n  hint: {hint}"));
}

#[test]
fn what_has_no_end() {
    check_errors(
        "(+ 1\n (f \"abc\n 2)",
        "read at 2:5 `\"abc`: this string has no end\n  hint: a string ends with `\"` on the line that it begins on",
    );
    check_errors(
        "1 #| 2 #| 3 |#\n(",
        "read at 1:3 `#|`: this comment has no end\n  hint: a comment that begins with #| ends with |#",
    );
    check_errors(
        "\"a\\n\"",
        "syntax at 1:1 `\"a\\n\"`: a string stands only in (include \"file\") at top level, and among the \
         operands of `write` and `error`\n  \
         hint: there are no strings among the values of the language: a number can stand for one\n\
         read at 1:3 `\\`: a backslash in a string stands before `\"` or another backslash only",
    );
}

#[test]
fn parentheses_pair_up() {
    check_errors("(+ 1 2", "read at 1:1 `(`: this `(` is never closed");
    check_errors(
        "(let ((x 1))\n  (sin (car x)",
        "read at 2:3 `(`: this `(` is never closed\n  1:1: the outermost of 2 that are open at the end",
    );
    check_errors("(sin 1))\n)", "read at 1:8 `)`: this `)` closes nothing\nread at 2:1 `)`: this `)` closes nothing");
    check_errors("(sin [car 1))", "read at 1:12 `)`: `]` expected, found `)`\n  1:6: the `[` to be closed");
}

#[test]
fn vectors_are_closed_like_lists() {
    check("#(1 [2] #[3 4] #(5))", "#(1 (2) #(3 4) #(5))");
    check("#( #;1 2 #;#(3))", "#(2)");
    check("#[]", "#()");
    check_errors("#(", "read at 1:1 `#(`: this `#(` is never closed");
    check_errors("#(1 2", "read at 1:1 `#(`: this `#(` is never closed");
    check_errors(
        "(f #[1 (2",
        "read at 1:8 `(`: this `(` is never closed\n  1:1: the outermost of 3 that are open at the end",
    );
    check_errors("#(1 2]", "read at 1:6 `]`: `)` expected, found `]`\n  1:1: the `#(` to be closed");
    check_errors("#[1 2)", "read at 1:6 `)`: `]` expected, found `)`\n  1:1: the `#[` to be closed");
    check_errors(
        "#)",
        "read at 1:1 `#`: the character `#` is no part of a program\n  \
         hint: `#` begins #t, #f, a vector as in #(1 2), a number as in #xff, or a comment as in #| |# and #;\n\
         read at 1:2 `)`: this `)` closes nothing",
    );
}

#[test]
fn vectors_have_no_dots() {
    let hint = "\n  hint: a vector is written #(1 2); numbers with a point have a digit beside it";
    check_errors("#(1 . 2)", &format!("read at 1:5 `.`: a vector has no dot{hint}"));
    check_errors("#( . 2)", &format!("read at 1:4 `.`: a vector has no dot{hint}"));
    check_errors("'(1 #((2) . 3))", &format!("read at 1:11 `.`: a vector has no dot{hint}"));
    check("'(#(1 2) . #(3))", "'(#(1 2) . #(3))");
    check_errors("#(1 ')", "read at 1:5 `'`: nothing stands behind this quote to be quoted");
    check_errors("#(1 #;)", "read at 1:5 `#;`: nothing stands behind this `#;` to be left out");
}

#[test]
fn dots_and_quotes_need_company() {
    let pair = "\n  hint: a pair is written '(1 . 2)";
    check_errors("'( . 1)", &format!("read at 1:4 `.`: nothing stands before this dot{pair}"));
    check_errors("'(1 . )", &format!("read at 1:5 `.`: nothing stands behind this dot{pair}"));
    check_errors("'(1 . 2 3)", "read at 1:9 `3`: only one datum stands behind the dot of a list");
    let hint = "\n  hint: a pair is written '(1 . 2); numbers with a point have a digit beside it";
    check_errors("1 . 2", &format!("read at 1:3 `.`: a dot stands only before the last datum of a quoted list{hint}"));
    check_errors(
        "'(1 . 2 . 3)",
        &format!("read at 1:9 `.`: a dot stands only before the last datum of a quoted list{hint}"),
    );
    check_errors("(sin ')", "read at 1:6 `'`: nothing stands behind this quote to be quoted");
    check_errors("1 '", "read at 1:3 `'`: nothing stands behind this quote to be quoted");
    check_errors("(sin #;)", "read at 1:6 `#;`: nothing stands behind this `#;` to be left out");
}

#[test]
fn errors_of_all_passes_are_shown_together() {
    check_errors(
        "(define x 12ab)\n(if)\n(sin y)\n(+ x 5z)",
        "read at 1:11 `12ab`: `12ab` is not a number\n  hint: numbers are written as in 1, -1.5, .5, 1e-3, #xff; a name cannot begin like a number\n\
         syntax at 2:1 `(if)`: expected (if test consequent alternative) or (if test consequent), found `if` with 0 operands\n\
         unbound at 3:6 `y`: `y` is not defined\n\
         read at 4:6 `5z`: `5z` is not a number\n  hint: numbers are written as in 1, -1.5, .5, 1e-3, #xff; a name cannot begin like a number",
    );
}

#[test]
fn bytes_that_are_not_utf_8() {
    let bytes = b"(sin 1) ; caf\xe9\n(car \xff\xfe)".to_vec();
    let failure = load(Input::Text { name: "x".into(), bytes, folder: None }, &Options::default()).unwrap_err();
    assert_eq!(
        describe(&failure),
        "read at 1:14 `\u{fffd}`: this is not text in UTF-8\n\
         read at 2:6 `\u{fffd}`: this is not text in UTF-8\n\
         read at 2:7 `\u{fffd}`: this is not text in UTF-8"
    );
    check_errors("(car \u{fffd})", "read at 1:6 `\u{fffd}`: the character U+FFFD is no part of a program");
}

#[test]
fn too_many_errors_are_cut_off() {
    let failure = load(text(&"1x ".repeat(10_000)), &Options::default()).unwrap_err();
    assert_eq!(failure.diagnostics.len(), 200);
}

#[test]
fn a_mark_of_byte_order_and_line_ends_are_white_space() {
    check("\u{feff}(sin\r\n1)\r\n", "(sin 1)");
}

#[test]
fn tokens_and_tree_are_shown() {
    assert_eq!(
        tokens(text("(f 'x ; c\n #;#t \"a\" . 1.50]"), &Options::default()).unwrap(),
        "1:1 open (\n1:2 name f\n1:4 quote '\n1:5 name x\n2:2 comment #;\n2:4 boolean #t\n2:7 string \"a\"\n2:11 dot .\n2:13 number 1.50\n2:17 close ]\n"
    );
    assert_eq!(
        surface(text("[define (f x)\n '(1 . 2.50)] ''(a \"b\\\"\") #;3"), &Options::default()).unwrap(),
        "(define (f x) '(1 . 2.5))\n''(a \"b\\\"\")\n"
    );
    assert_eq!(tokens(text("#(1 #["), &Options::default()).unwrap(), "1:1 vector #(\n1:3 number 1\n1:5 vector #[\n");
    assert_eq!(surface(text("'#(1 #[] (2 . #;3 #(4)))"), &Options::default()).unwrap(), "'#(1 #() (2 . #(4)))\n");
    assert!(tokens(text("1x"), &Options::default()).is_err());
    assert!(surface(text("("), &Options::default()).is_err());
}
