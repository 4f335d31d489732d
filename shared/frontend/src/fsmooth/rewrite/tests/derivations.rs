//! The derivations of the paper.

use super::super::rules::Class;
use super::run;

#[test]
fn look() {
    for (name, text) in [
        ("dot", "let f v w = vectorMap (deriv (vectorDot v w) v) (fun p -> snd p)"),
        ("trace", "let f m = matrixMap (deriv (matrixTrace m) m) (fun r -> vectorMap r (fun p -> snd p))"),
        (
            "traceProduct",
            "let f m a = matrixMap (deriv (matrixTrace (matrixMul m a)) m) (fun r -> vectorMap r (fun p -> snd p))",
        ),
        (
            "uMv",
            "let p u m v =\n  let um = vectorToMatrix u\n  let vt = matrixTranspose (vectorToMatrix v)\n  let r = matrixMult um (matrixMult m vt)\n  r[0][0]\nlet f u m v = matrixMap (deriv (p u m v) m) (fun r -> vectorMap r (fun p -> snd p))",
        ),
        ("cos", "let f a = snd (deriv (cos a) a)"),
        ("product", "let f a b = snd (deriv (a * b) a)"),
    ] {
        let mut run = run(text, Class::ZeroSigns);
        println!("== {name}: {}\n   if {}\n  {}", run.of("f").derivation.steps.len(), run.test("f"), run.term("f"));
        println!("   taken {}", run.of("f").is_taken);
        if std::env::var("STEPS").is_ok() {
            println!("{}", super::derivation::text(&run.program, &run.of("f").derivation));
        }
        run.check_stages("f", 1e-12);
    }
}
