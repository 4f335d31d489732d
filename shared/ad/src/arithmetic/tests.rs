//! Products by their fast path and by their equation.

use super::*;
use crate::plain::given_back;

const ONE: Term = Term::Constant(1.0);

#[test]
fn a_product_with_one_is_the_other_factor_up_to_the_sign_of_zero() {
    let mut levels = Levels::new(LimitCheck::default());
    let level = levels.begin_forward().unwrap();
    let operand = Number::Real(3.0);
    let operands = Operands { first: &operand, second: &operand, result: &operand };
    for real in [2.5, -1.5, 0.0, -0.0, f64::INFINITY, f64::NAN] {
        let part = LevelPart::Tangent(Number::Real(0.75));
        let dual = Number::Lifted(Rc::new(Lifted { level, primal: Number::Real(real), part }));
        for part in [Number::Real(real), dual] {
            assert!(levels.is_neutral(&ONE));
            let equation = given_back(&levels.guarded_product(&ONE, &operands, &part));
            let fast = given_back(&levels.product(&ONE, &operands, &part));
            assert_eq!(fast.base().to_bits(), equation.base().to_bits());
        }
    }
}

#[test]
fn a_product_that_a_tape_can_record_is_executed() {
    let mut levels = Levels::new(LimitCheck::default());
    let level = levels.begin_reverse().unwrap();
    let node = levels.newest_tape().independent();
    let part = Number::Lifted(Rc::new(Lifted { level, primal: Number::Real(2.0), part: LevelPart::Node(node) }));
    let operands = Operands { first: &part, second: &part, result: &part };
    levels.product(&ONE, &operands, &part);
    assert_eq!(levels.newest_tape().next(), node + 2);
}
