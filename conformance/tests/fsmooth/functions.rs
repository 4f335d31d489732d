//! Random functions under D and under `jvp`.

use crate::generator::{Scope, Smoothness, Writer};
use crate::running::{check_pairs, lines};

/// The number of programs of a test.
const PROGRAMS: u64 = 150;

/// The seed of the first program.
const SEED: u64 = 2018;

fn scope(numbers: &[&str], vectors: &[&str]) -> Scope {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    Scope { numbers: names(numbers), vectors: names(vectors), indices: vec![] }
}

const GLOBALS: &str = "let w = [| 0.5; -1.25; 2.0 |]\nlet c = 0.75\n";

#[test]
fn functions_of_numbers() {
    for program in 0..PROGRAMS {
        let mut writer = Writer::new(SEED + program, Smoothness::Any);
        let body = writer.number(4, &scope(&["x", "x", "c"], &["w"]));
        let point = writer.literal();
        let text = format!(
            "{GLOBALS}let f x = {body}\n\
             let exchanged a = ((fst (fst a), fst (snd a)), (snd (fst a), snd (snd a)))\n\
             diff f {point}\njvp f {point} 1.0\n\
             exchanged (diff (diff f) {point})\njvp (fun x -> jvp f x 1.0) {point} 1.0\n\
             jvp (diff f) {point} 1.0\njvp (fun x -> jvp f x 1.0) {point} 1.0\n\
             deriv (f c) c\njvp f c 1.0\n"
        );
        check_pairs(&text, 4);
    }
}

#[test]
fn functions_of_vectors() {
    for program in 0..PROGRAMS {
        let mut writer = Writer::new(SEED + 1000 + program, Smoothness::Any);
        let scope = scope(&["c"], &["v", "v", "w"]);
        let (body, other) = (writer.number(3, &scope), writer.number(3, &scope));
        let text = format!(
            "{GLOBALS}let f v = {body}\nlet g v = [| f v; {other} |]\nlet p = [| 0.25; -0.5; 1.5 |]\n\
             let zip p = build (length (fst p)) (fun i -> ((fst p)[i], (snd p)[i]))\n\
             let slope i v = snd (jvp f v (vectorHot 3 i))\n\
             grad f p\nbuild 3 (fun i -> jvp f p (vectorHot 3 i))\n\
             jacob g p\nbuild 3 (fun i -> zip (jvp g p (vectorHot 3 i)))\n\
             hessian f p\nbuild 3 (fun i -> build 3 (fun j -> snd (jvp (slope i) p (vectorHot 3 j))))\n\
             deriv (f p) p\ngrad f p\n\
             mgrad (fun m -> f m[1]) [| w; p |]\n[| build 3 (fun i -> (f p, 0.0)); grad f p |]\n"
        );
        check_pairs(&text, 5);
    }
}

/// Smooth functions against central differences of two widths, extrapolated: the error is of the fourth order.
#[test]
fn smooth_functions_agree_with_central_differences() {
    let number = |line: &str| line.split_once('[').unwrap().0.parse::<f64>().unwrap_or(f64::NAN);
    let mut compared = 0;
    for program in 0..PROGRAMS {
        let mut writer = Writer::new(SEED + 2000 + program, Smoothness::Smooth);
        let body = writer.number(4, &scope(&["x", "x", "c"], &["w"]));
        let point = writer.literal();
        let text = format!(
            "{GLOBALS}let f x = {body}\n\
             let central h = (f ({point} + h) - f ({point} - h)) / (2.0 * h)\n\
             snd (diff f {point})\n(4.0 * central 0.0005 - central 0.001) / 3.0\nf {point}\n"
        );
        let lines = lines(&text);
        let (slope, estimate, value) = (number(&lines[0]), number(&lines[1]), number(&lines[2]));
        // Steep functions are not estimated well.
        if slope.abs() > 1e3 || value.abs() > 1e3 {
            continue;
        }
        compared += 1;
        let error = (slope - estimate).abs();
        assert!(error <= 1e-5 * (1.0 + slope.abs() + value.abs()), "{slope} and {estimate} of\n{text}");
    }
    assert!(compared > PROGRAMS / 2, "{compared} functions were compared");
}
