//! Points at which the rows of the table are checked: ordinary, negative, large, small, and on both sides of branch
//! cuts and kinks. The kinks themselves are in `edges`.

use vlad_shared::table::Operation;

/// The points of an operation, each with as many coordinates as the operation has operands. The match is exhaustive: a
/// new operation has to state its points.
pub fn points(operation: Operation) -> &'static [&'static [f64]] {
    match operation {
        Operation::Add | Operation::Subtract => {
            &[&[0.75, 1.25], &[-3.0, 2.5], &[1e8, 3.0], &[1e-8, -2.0], &[5.0, 1e-3], &[2.0, 2.5]]
        }
        Operation::Multiply | Operation::GuardedMultiply => {
            &[&[0.7, 1.3], &[-3.5, 2.25], &[1e8, 0.3], &[1e-8, -2.0], &[-1.5, -7.25], &[123.456, 1e-5]]
        }
        Operation::Divide => &[&[0.7, 1.3], &[-3.5, 2.25], &[1e8, 0.3], &[1e-8, -2.0], &[-1.5, -7.25], &[3.0, 1e5]],
        Operation::Negate | Operation::Absolute | Operation::Copy => &[&[0.7], &[-2.5], &[1e10], &[-1e-10], &[1e-8]],
        Operation::SquareRoot | Operation::Logarithm => {
            &[&[0.7], &[2.0], &[1e-8], &[1e10], &[12345.678], &[0.999], &[1.001]]
        }
        Operation::Exponential => &[&[0.7], &[-2.5], &[0.0], &[1e-8], &[100.25], &[-100.25]],
        Operation::Sine | Operation::Cosine => &[&[0.7], &[-2.5], &[1e-8], &[100.25], &[1e8], &[1.5625], &[3.0]],
        Operation::Tangent => &[&[0.7], &[-2.5], &[1e-8], &[100.25], &[1.5], &[-1.6], &[4.0]],
        Operation::ArcSine | Operation::ArcCosine => {
            &[&[0.1], &[0.7], &[-0.6], &[1e-8], &[0.96875], &[-0.9375], &[0.9999], &[-0.999]]
        }
        Operation::ArcTangent => &[&[0.7], &[-2.5], &[1e-8], &[100.25], &[1e6], &[-1e4], &[1e9], &[-4e12]],
        // y and x: the four quadrants, and both sides of the cut along the negative half of the first axis.
        Operation::ArcTangent2 => &[
            &[0.7, 1.3],
            &[0.7, -1.2],
            &[-0.6, -1.5],
            &[-2.5, 1.2],
            &[1e-3, -2.0],
            &[-1e-3, -2.0],
            &[3.0, 1e-3],
            &[1e4, 300.0],
            &[4e100, 3e100],
            &[3e-100, -4e-100],
        ],
        Operation::HyperbolicSine | Operation::HyperbolicCosine => {
            &[&[0.7], &[-2.5], &[1e-8], &[20.25], &[-100.5], &[1.0]]
        }
        Operation::HyperbolicTangent => &[&[0.7], &[-1.25], &[0.01], &[2.0], &[-0.3], &[19.0], &[-40.5]],
        Operation::Power => {
            &[&[0.7, 1.3], &[2.0, 3.0], &[3.5, -1.5], &[0.25, 0.5], &[1e-3, 2.5], &[10.0, 20.0], &[1.5, 1.25]]
        }
        Operation::Maximum | Operation::Minimum => {
            &[&[0.7, 1.3], &[1.3, 0.7], &[-3.0, 2.0], &[-1.0, -2.0], &[1e-8, 0.0]]
        }
        Operation::Floor | Operation::Ceiling | Operation::Round | Operation::Truncate => {
            &[&[0.7], &[0.3], &[-2.25], &[-2.75], &[1e6 + 0.25], &[1e-8], &[-1e-8]]
        }
        Operation::ErrorFunction | Operation::ComplementaryErrorFunction => {
            &[&[0.7], &[-1.25], &[1e-8], &[2.5], &[-0.3], &[4.0]]
        }
        Operation::LogGamma => &[&[0.7], &[3.25], &[-0.4], &[-2.6], &[12.5], &[60.0], &[0.01]],
        // The order, which is not varied, and the point.
        Operation::Polygamma => &[&[0.0, 0.7], &[1.0, 3.25], &[2.0, -0.4], &[0.0, -2.6], &[3.0, 12.5], &[1.0, 60.0]],
        Operation::LogarithmOfOnePlus => &[&[0.7], &[-0.6], &[1e-8], &[-1e-8], &[1e6], &[2.0]],
        Operation::ExponentialMinusOne => &[&[0.7], &[-2.5], &[1e-8], &[-1e-8], &[20.25], &[-30.5]],
        Operation::InverseHyperbolicSine => &[&[0.7], &[-2.5], &[1e-8], &[100.25], &[1e6], &[-1e10]],
        Operation::InverseHyperbolicCosine => &[&[1.25], &[2.0], &[1.0625], &[100.25], &[1e6], &[3.5]],
        Operation::InverseHyperbolicTangent => &[&[0.1], &[0.7], &[-0.6], &[1e-8], &[0.96875], &[-0.9375]],
        Operation::Hypotenuse => {
            &[&[0.7, 1.3], &[-3.5, 2.25], &[1e4, 3e4], &[-1.5, -7.25], &[123.456, 50.0], &[1e8, 3.0], &[1e-100, 4e-99]]
        }
        Operation::CubeRoot => &[&[0.7], &[-2.0], &[1e-8], &[1e10], &[-12345.678], &[8.0]],
        Operation::BinaryExponential => &[&[0.7], &[-2.5], &[0.0], &[1e-8], &[100.25], &[-100.25]],
        Operation::BinaryLogarithm | Operation::DecimalLogarithm => {
            &[&[0.7], &[2.0], &[1e-8], &[1e10], &[12345.678], &[0.999], &[1.001]]
        }
        Operation::Gamma => &[&[0.7], &[3.25], &[-0.4], &[-2.6], &[12.5], &[60.0], &[0.01]],
        Operation::Modulo => {
            &[&[7.5, 2.0], &[-7.5, 2.0], &[7.5, -2.0], &[-7.5, -2.0], &[0.3, 5.0], &[1e4, 7.0], &[1e17, 3.0]]
        }
    }
}
