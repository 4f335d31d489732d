//! Operands at which the functions change from one method to another, read from the sources of CORE-MATH and of
//! `shared/table/mathematics/quick.c`, and the regions in which results are ordinary.

use crate::operations::{Domain, domains};
use vlad_shared::table::Operation;

use Operation as O;

const fn bits(word: u64) -> f64 {
    f64::from_bits(word)
}

/// 2 to a power, of a normal number.
const fn two_to(exponent: i64) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// The thresholds of a function of one operand, by magnitude or with their sign; for functions whose source is not looked at here, numbers at
/// which methods often change.
pub fn thresholds(operation: Operation) -> Vec<f64> {
    const SMALL_SINE: f64 = bits(0x3e57_1374_4912_3ef6);
    const SMALL_TANGENT: f64 = bits(0x3e4d_12ed_0af1_a27e);
    const EXP_OVERFLOW: f64 = bits(0x4086_2e42_fefa_39f0);
    match operation {
        O::Exponential => {
            let quick = [708.0, -708.0, std::f64::consts::LN_2 / 512.0];
            let own =
                [two_to(-54), two_to(-53), bits(0xc086_232b_dd7a_bcd2), EXP_OVERFLOW, bits(0xc087_4910_d52d_3052)];
            [&quick[..], &own].concat()
        }
        O::BinaryExponential => vec![
            bits(0x3c97_1547_652b_82fe),
            bits(0xbc87_1547_652b_82fe),
            -1022.0,
            -1023.0,
            -1074.0,
            -1075.0,
            1024.0,
            two_to(-53),
        ],
        O::ExponentialMinusOne => vec![
            0.25,
            two_to(-53),
            EXP_OVERFLOW,
            bits(0xc042_5e4f_7b27_37fa),
            bits(0xc042_b708_8723_20e2),
            f64::MIN_POSITIVE,
        ],
        O::Logarithm | O::BinaryLogarithm | O::DecimalLogarithm => {
            vec![1.0, f64::MIN_POSITIVE, std::f64::consts::SQRT_2, std::f64::consts::FRAC_1_SQRT_2, 2.0, 0.5]
        }
        O::LogarithmOfOnePlus => vec![
            0.0625,
            two_to(-53),
            two_to(-12),
            bits(0x3ea1_9b00_0000_0000),
            bits(0x3ff0_0000_0000_0000),
            -0.5,
            two_to(52),
            two_to(53),
            two_to(106),
            f64::MIN_POSITIVE,
        ],
        O::Sine | O::Cosine | O::Tangent => vec![
            SMALL_SINE,
            bits(0x3e46_a09e_667f_3bcc),
            SMALL_TANGENT,
            bits(0x4019_21fb_5444_2d17),
            two_to(-26),
            std::f64::consts::PI / 256.0,
            std::f64::consts::FRAC_PI_4,
            std::f64::consts::FRAC_PI_2,
            std::f64::consts::PI,
            two_to(14),
            f64::MIN_POSITIVE,
        ],
        O::ArcSine | O::ArcCosine => {
            vec![0.5, 1.0, two_to(-15), bits(0x3e57_1374_4912_3ef6), bits(0x3c8c_b3b3_8697_47f4), f64::MIN_POSITIVE]
        }
        O::ArcTangent => vec![
            bits(0x3f7b_21c4_75e6_362a),
            two_to(-27),
            bits(0x4062_ded8_e34a_9035),
            bits(0x434d_0296_7c31_cdb5),
            f64::MIN_POSITIVE,
        ],
        O::HyperbolicSine | O::HyperbolicCosine => vec![
            0.25,
            0.125,
            two_to(-26),
            SMALL_SINE,
            bits(0x4086_33ce_8fb9_f87d),
            5.0,
            bits(0x4042_5e4f_7b27_37fa),
            bits(0x403f_6666_6666_6666),
            f64::MIN_POSITIVE,
        ],
        O::HyperbolicTangent => vec![
            bits(0x4033_0fc1_931f_09ca),
            bits(0x400d_76c8_b439_5810),
            0.25,
            20.0,
            SMALL_TANGENT,
            bits(0x3fca_c343_b179_fec4),
            f64::MIN_POSITIVE,
        ],
        O::InverseHyperbolicSine => vec![
            bits(0x3fbb_0000_0000_0000),
            SMALL_SINE,
            bits(0x3f93_0000_0000_0000),
            two_to(-12),
            bits(0x3e5a_0000_0000_0000),
            two_to(26),
            1.0,
            0.25,
            f64::MIN_POSITIVE,
        ],
        O::InverseHyperbolicCosine => vec![1.0, bits(0x3ff1_e83e_425a_ee63), two_to(26)],
        O::InverseHyperbolicTangent => vec![1.0, 0.25, SMALL_TANGENT, f64::MIN_POSITIVE],
        O::CubeRoot => vec![f64::MIN_POSITIVE, 1.0, 8.0],
        O::ErrorFunction => vec![0.0625, 0.125, bits(0x4017_afb4_8dc9_6626), two_to(-61), f64::MIN_POSITIVE],
        O::ComplementaryErrorFunction => vec![
            0.0625,
            0.125,
            bits(0x403b_39dc_41e4_8bfd),
            bits(0x403a_8b12_fc6e_4892),
            bits(0x4039_db1b_b14e_15ca),
            bits(0x3fde_861f_bb24_c00a),
            bits(0x3ffb_59ff_b450_828c),
            bits(0xc017_744f_8f74_e94b),
            bits(0xbc9c_5bf8_91b4_ef6a),
            bits(0x3c8c_5bf8_91b4_ef6a),
        ],
        O::LogGamma => vec![
            two_to(-100),
            two_to(-75),
            0.25,
            0.5,
            1.0,
            2.0,
            8.29541,
            two_to(52),
            two_to(100),
            two_to(120),
            bits(0x7f57_54c0_0000_0000),
            bits(0x7f57_54d9_278b_51a6),
            // Zeros.
            -2.457_024_738_220_800_6,
            -2.747_682_646_727_412_6,
            -3.143_580_888_349_98,
            -3.955_294_284_858_598,
            -4.039_361_839_740_537,
        ],
        O::Gamma => vec![
            0.25,
            two_to(-112),
            f64::from_bits(1 << 50),
            bits(0x4065_73fa_e561_f648),
            -184.0,
            11.5,
            1.0,
            2.0,
            -170.567_456,
            -177.0,
        ],
        _ => vec![f64::MIN_POSITIVE, two_to(-53), two_to(-26), 0.25, 0.5, 1.0, 2.0, two_to(26), two_to(53)],
    }
}

/// The regions in which a function of one operand has ordinary results, with those where results are subnormal or overflow.
pub fn regions(operation: Operation) -> &'static [(f64, f64)] {
    match operation {
        O::Exponential => &[(-746.0, -707.0), (-40.0, 40.0), (-1.0, 1.0), (700.0, 710.0)],
        O::BinaryExponential => &[(-1076.0, -1020.0), (-40.0, 40.0), (-1.0, 1.0), (1000.0, 1025.0)],
        O::ExponentialMinusOne => &[(-40.0, 40.0), (-1.0, 1.0), (700.0, 710.0)],
        O::Logarithm | O::BinaryLogarithm | O::DecimalLogarithm => &[(0.5, 2.0), (0.95, 1.05), (0.0, 1000.0)],
        O::LogarithmOfOnePlus => &[(-1.0, 1.0), (-0.1, 0.1), (0.0, 1e6)],
        O::Sine | O::Cosine | O::Tangent => &[(-7.0, 7.0), (-1.0, 1.0), (0.0, 100.0), (-1e7, 1e7), (0.0, 1e17)],
        O::ArcSine | O::ArcCosine => &[(-1.0, 1.0), (0.49, 0.51), (0.99, 1.0), (-0.01, 0.01)],
        O::ArcTangent => &[(-130.0, 130.0), (-1.0, 1.0)],
        O::HyperbolicSine | O::HyperbolicCosine => &[(-40.0, 40.0), (-1.0, 1.0), (700.0, 711.0), (-711.0, -700.0)],
        O::HyperbolicTangent => &[(-22.0, 22.0), (-1.0, 1.0)],
        O::InverseHyperbolicSine => &[(-2.0, 2.0), (-1e9, 1e9)],
        O::InverseHyperbolicCosine => &[(1.0, 1.13), (1.0, 10.0), (1.0, 2e8)],
        O::InverseHyperbolicTangent => &[(-1.0, 1.0), (0.9, 1.0), (-0.1, 0.1)],
        O::CubeRoot => &[(-8.0, 8.0), (1.0, 1000.0)],
        O::ErrorFunction => &[(-6.0, 6.0), (-1.0, 1.0)],
        O::ComplementaryErrorFunction => &[(-6.0, 28.0), (-1.0, 1.0), (26.0, 27.3)],
        O::LogGamma => &[(-20.0, 20.0), (-3.0, 3.0), (0.5, 2.5), (20.0, 200.0)],
        O::Gamma => &[(-185.0, 172.0), (-3.0, 3.0), (-20.0, 20.0), (165.0, 172.0), (-184.0, -170.0)],
        _ => match domains(operation) {
            [Domain::Inside] => &[(-1.0, 1.0), (0.9, 1.0), (-0.1, 0.1)],
            [Domain::Positive] => &[(0.0, 2.0), (0.95, 1.05), (0.0, 1000.0)],
            [Domain::AboveOne] => &[(1.0, 1.13), (1.0, 10.0), (1.0, 2e8)],
            _ => &[(-1.0, 1.0), (-40.0, 40.0), (-1000.0, 1000.0)],
        },
    }
}
