//! Operands that are harder to round than those that a search in a test finds: the bits of the value after the last place are a one and 50 or more
//! zeros, or a zero and as many ones. They stand in the sources of CORE-MATH, whose authors searched the doubles of each function. Here
//! are those that are hardest for rounding to nearest, by distances that were computed anew.

use vlad_shared::table::Operation;

use Operation as O;

/// The bits of the operands, for a function of one operand.
pub fn worst(operation: Operation) -> &'static [u64] {
    match operation {
        O::Exponential => &[
            0x3f1b_a07d_7325_0de7,
            0x3f76_a4d1_af9c_c989,
            0xbfcd_3f37_9943_9415,
            0x4012_73c1_88aa_7b14,
            0xbf77_fb23_5d76_cce7,
            0xbf16_6471_6b68_a409,
            0xbfba_8f78_3d74_9a8f,
            0xc055_9f03_8076_039c,
            0xc000_2393_d597_6769,
            0xbf3c_eff3_2831_e2c2,
        ],
        O::BinaryExponential => &[
            0x3f5e_4596_526b_f94d,
            0x3f5e_7604_9073_067f,
            0xbf53_ec81_4d26_0d02,
            0xbfa5_26ce_079b_05a5,
            0x3f98_d040_898b_73f5,
            0xbfde_2428_01b4_5d0d,
            0xbf93_5dd7_3930_5031,
            0x3fb8_859f_5e25_2908,
            0xbfec_ef4c_143b_5adf,
            0x3f67_55aa_6fa4_28cd,
        ],
        O::Tangent => &[0x3e9d_ffff_ffff_ff1f],
        O::ArcSine => &[
            0x3f1c_373f_f4aa_d79b,
            0x3faa_4816_b206_6707,
            0x3e57_1374_4912_3ef6,
            0x3e85_1c4b_9607_78f5,
            0x3f13_2177_83d7_0d1d,
            0x3eff_f0f3_022b_2e9d,
        ],
        O::ArcCosine => &[0x3fb5_3ea6_c725_5e88],
        O::ArcTangent => &[0x3f80_dc89_a3b5_5010, 0x3f7e_3fb4_1d2d_2260],
        O::HyperbolicSine => &[0x3fd4_169f_234f_23b9],
        O::HyperbolicCosine => &[0x4037_43d5_6093_48ac, 0x3fe0_3923_f2b4_7c07, 0x3ffe_9cc7_ed2e_1a7e],
        O::HyperbolicTangent => &[
            0x3fca_c343_b179_fec4,
            0x3fd2_91c6_01a0_5276,
            0x3fe3_3dfe_b0fa_4bfe,
            0x3fdd_88d7_550b_2826,
            0x3fe1_005e_c0bc_cabb,
        ],
        O::InverseHyperbolicSine => &[
            0x3fea_16d9_cc06_011a,
            0x3fe8_a5c3_b60f_7e11,
            0x3fd0_0f94_7645_0863,
            0x3fd8_740c_4453_a056,
            0x3fe1_6d32_c862_fc3b,
        ],
        O::ErrorFunction => &[
            0x3db5_1f31_82ed_b17a,
            0x3f95_2b76_545c_c8ef,
            0x3dc4_ccfc_0247_23e7,
            0x3f7f_aca4_f384_ebf2,
            0x3f6e_502a_7e28_4ebf,
            0x3d91_f8b1_8663_8ad9,
            0x3ce9_730c_e1d0_f154,
            0x3feb_c466_342a_2296,
            0x3d64_c822_c62a_d162,
            0x3ff5_89bb_d3ae_5489,
        ],
        O::ComplementaryErrorFunction => &[
            0x3f68_bc46_e0d8_5524,
            0xbf61_06c2_cd5e_a6c3,
            0x3db5_2b18_fe8f_bad1,
            0xbccf_e777_a3eb_8d58,
            0x3cbf_e777_a3eb_8d58,
            0x4034_8de4_52fb_1a15,
            0xbf34_a943_c917_ed26,
            0x3d9b_71f3_a106_91d9,
            0xbce2_9c5b_1f9e_bd1e,
            0x3cd2_9c5b_1f9e_bd1e,
        ],
        O::Gamma => &[
            0xbfd0_e17b_51a5_c1cb,
            0xc05b_cc2b_6af0_ebae,
            0xbfe0_aa72_4e38_e0c9,
            0x4063_a0b3_58e9_e93b,
            0xc05d_fe43_8a57_4b34,
            0xc025_f353_a2d2_6238,
            0xc002_db99_b79d_fe45,
            0xc04f_126e_dde9_1b5b,
        ],
        _ => &[],
    }
}
