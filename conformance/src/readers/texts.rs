//! The readers of texts: programs and numbers.

use super::condition::ensure;
use std::io::Cursor;
use std::iter::once;
use vlad_shared::core::check as core_check;
use vlad_shared::core::diagnostic::Report;
use vlad_shared::core::render::{Style, render};
use vlad_shared::core::source::{FileId, KeptFile, KeptSources};
use vlad_shared::cps;
use vlad_shared::frontend::load::{Input, Options, load, surface};
use vlad_shared::frontend::vlad::Vlad;
use vlad_shared::frontend::vlad::syntax::lexer::{Atom, Extent, Token, TokenKind, lex};
use vlad_shared::language::names::Names;
use vlad_shared::language::{Encoding, Language};
use vlad_shared::runtime::run::{Host, InputFault, StreamHost};
use vlad_shared::table::number::{self, Notation};

/// The most bytes of the rendering of two hundred errors, each with its label.
const MOST_SHOWN: usize = 200 * 4_000;

/// Checks that spans increase and lie on character boundaries, and that the tokens' texts, joined by blanks, give the
/// same tokens.
pub fn lexer(bytes: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(bytes);
    let (mut names, mut report) = (Names::new(), Report::default());
    let lexed = lex(FileId(0), &text, Encoding::Sound, &mut names, &mut report);
    let (mut end, mut again) = (0, String::new());
    for token in &lexed.tokens {
        ensure(token.start >= end && token.end > token.start, || format!("{token:?} begins before {end}"))?;
        end = token.end;
        let written = text.get(token.start as usize..end as usize);
        let written = written.ok_or_else(|| format!("{token:?} is not within the text"))?;
        again.push_str(written);
        again.push(' ');
    }
    if !report.is_empty() || lexed.extent == Extent::Hidden {
        return Ok(());
    }
    let second = lex(FileId(0), &again, Encoding::Sound, &mut names, &mut report);
    ensure(report.is_empty(), || format!("{again:?} has errors"))?;
    let differ = || format!("{again:?} has other tokens than {text:?}");
    ensure(second.tokens.len() == lexed.tokens.len(), differ)?;
    let pairs = lexed.tokens.iter().zip(&second.tokens);
    ensure(pairs.into_iter().all(|(first, second)| is_same(first, second)), differ)
}

/// Returns true if two tokens are the same except for their places. All NaN are the same.
fn is_same(first: &Token, second: &Token) -> bool {
    match (first.kind, second.kind) {
        (TokenKind::Atom(Atom::Real(first)), TokenKind::Atom(Atom::Real(second))) => {
            number::bits(first) == number::bits(second)
        }
        (first, second) => first == second,
    }
}

/// An input that cannot include files.
fn input(bytes: &[u8]) -> Input {
    let name = "program".to_owned();
    match bytes.windows(7).any(|word| word == b"include") {
        false => Input::Text { name, bytes: bytes.to_vec(), folder: None },
        true => {
            let (language, text) = (Vlad.name().to_owned(), String::from_utf8_lossy(bytes).into_owned());
            let files = vec![KeptFile { name, language, text }];
            Input::Kept(KeptSources { files, inclusions: vec![] })
        }
    }
}

/// Checks that a program has sound core, which is converted soundly, and that other texts have errors that can be
/// shown. A printed surface tree reads back as the same tree.
pub fn parser(bytes: &[u8]) -> Result<(), String> {
    if let Ok(printed) = surface(input(bytes), &Options::default()) {
        let again = surface(input(printed.as_bytes()), &Options::default());
        let again = again.map_err(|failure| format!("{printed:?} is no text: {:?}", failure.diagnostics))?;
        ensure(again == printed, || format!("{printed:?} reads back as {again:?}"))?;
    }
    match load(input(bytes), &Options::default()) {
        Ok(program) => {
            core_check::check(&program)?;
            cps::check::check(&program, &cps::pipeline(&program))
        }
        Err(failure) => {
            ensure(!failure.diagnostics.is_empty(), || "it failed without an error".to_owned())?;
            for span in failure.diagnostics.iter().filter_map(|diagnostic| diagnostic.span) {
                let file = failure.sources.get(span.file);
                let place = file.and_then(|file| file.text.get(span.start as usize..span.end as usize));
                ensure(place.is_some(), || format!("{span:?} is not within the text"))?;
            }
            let shown = render(&failure.diagnostics, &failure.sources, Style::Plain);
            let is_bounded = !shown.is_empty() && shown.len() <= MOST_SHOWN;
            ensure(is_bounded, || format!("the errors are shown in {} bytes", shown.len()))
        }
    }
}

/// Programs and pieces of programs that contain every form.
pub fn programs() -> Result<Vec<Vec<u8>>, String> {
    let texts = [
        "(define (f x y) (if (< x 1) (* x y) (f (- x 1) (+ y 2.5))))\n(f 3 4) ; done",
        "(letrec ((even (lambda (n) (if (= n 0) #t (odd (- n 1))))) (odd (lambda (n) (if (= n 0) #f (even (- n 1)))))) (even 4))",
        "(let* ((x 1) ((cons a b) (cons 1 2)) ((list c d) '(1 2))) (cond ((and x #f) 1) (a) (else (begin 2 3))))",
        "(define (((curried a) b) c) (define (inner) (list a b c)) (define z 1) (or #f (inner)))",
        "'(1 (2 . 3) #t () #(1 #(2))) #(1 2 3) (vector 1 2) (cons* 1 2 '())",
        "#| a #| nested |# comment |# #;(left out) #;#;1 2 [list -1. +.5 1e-3 #x-1f #b101 +inf.0 -nan.0]",
        "(let loop ((i 0) (s ())) (if (= i 10) s (loop (+ i 1) (cons i s))))",
        "(include \"linear-algebra\") (include \"a\\\\b\\\"c\")",
        "(j* (lambda (x) (* x x)) 3 1) (*j sin 1 1) (checkpoint-*j exp 1 1) (interrupt sin 1 0)",
        "(lambda (cons x (cons* y z 1 #f) ()) x) (define änderung 1) {`,|} \\ 12abc 1/2 #q",
        "(quote (a b)) (let ((x)) x) (define) (lambda) (if) '. ( . 1) (1 . 2 3) ] \"never closed",
    ];
    Ok(texts.map(|text| text.as_bytes().to_vec()).to_vec())
}

/// Checks that a word has the value that other code computes, that every real prints and reads back as the same, and
/// that the input is read to its end.
pub fn numbers(bytes: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(bytes);
    for word in text.split_whitespace().chain(once(&*text)) {
        let real = number::parse(word);
        if let Some(expected) = elsewhere(word) {
            let bits = |real: Option<f64>| real.map(f64::to_bits);
            ensure(bits(real) == bits(expected), || format!("{word:?} is {real:?}, not {expected:?}"))?;
        }
        if let Some(real) = real {
            let printed = number::format(real);
            let again = number::parse(&printed).map(number::bits);
            ensure(again == Some(number::bits(real)), || format!("{printed:?}, of {word:?}, does not read back"))?;
        }
    }
    let mut host = StreamHost::new(Cursor::new(bytes), Vec::new(), Notation::Shortest);
    for _ in 0..=bytes.len() {
        match host.read_real() {
            Ok(_) | Err(InputFault::NotANumber(_)) => {}
            Err(InputFault::End) => return Ok(()),
            Err(InputFault::Broken(reason)) => return Err(format!("what is there cannot be read: {reason}")),
            Err(InputFault::NotNoted) => return Err("nothing is executed again".to_owned()),
        }
    }
    Err("the input has more words than bytes".to_owned())
}

/// The value of a word by other means: the standard library's parser for decimals, and for integers that a double
/// represents. None if these do not cover the word.
fn elsewhere(word: &str) -> Option<Option<f64>> {
    if !word.is_empty() && word.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-')) {
        return Some(word.parse().ok());
    }
    let (radix, digits) = match word.as_bytes() {
        [b'#', b'x' | b'X', digits @ ..] => (16, digits),
        [b'#', b'o' | b'O', digits @ ..] => (8, digits),
        [b'#', b'b' | b'B', digits @ ..] => (2, digits),
        _ => return None,
    };
    let integer = i64::from_str_radix(std::str::from_utf8(digits).ok()?, radix).ok()?;
    // The integers of the standard library have no negative zero.
    (integer != 0 && integer.unsigned_abs() < 1 << 53).then_some(Some(integer as f64))
}

/// Numbers in every notation, and words that are almost numbers.
pub fn numerals() -> Result<Vec<Vec<u8>>, String> {
    let texts = [
        "1 -1. .5 +.5 1e-3 1E3 -1.5e+2",
        "#x1f #XFF #x-1f #b101 #o17 #d10 #d1e3",
        "+inf.0 -inf.0 +nan.0 -nan.0 1e400 -0",
        "9007199254740993 #x20000000000001 179769313486231580793e289 5e-324",
        "1.2.3 12abc #x 1/2 1_0 e5 . + - ...",
        "0.000000000000000000000000000000000000000001e99999999999999999999",
        "\u{feff}1\u{b}2\u{c}3",
    ];
    Ok(texts.map(|text| text.as_bytes().to_vec()).to_vec())
}
