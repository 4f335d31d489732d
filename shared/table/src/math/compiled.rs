//! The functions of CORE-MATH, compiled by `build.rs` into an archive.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;

/// A function of one real.
pub type Unary = extern "C" fn(f64) -> f64;
/// A function of two reals.
pub type Binary = extern "C" fn(f64, f64) -> f64;
/// A function of one real with two results.
pub type WithTwoResults = extern "C" fn(f64, &mut f64, &mut f64);

/// Declares the functions of CORE-MATH, which have their names in C, and the struct of pointers to them.
macro_rules! functions {
    ({ $($(#[$about:meta])* $unary:ident,)* } { $($(#[$about_two:meta])* $binary:ident($first:ident, $second:ident),)* }) => {
        /// `struct vlad_functions` of `mathematics/functions.h`: the functions in its order.
        #[repr(C)]
        #[derive(Clone, Copy, Debug)]
        pub struct Functions {
            $($(#[$about])* pub $unary: Unary,)*
            $($(#[$about_two])* pub $binary: Binary,)*
            /// [`sine_and_cosine`].
            pub sincos: WithTwoResults,
        }

        // SAFETY: `mathematics/functions.h` declares the functions of these names and types; they take and return plain doubles,
        // write no memory but their results, and are safe for every argument, NaN and infinities included.
        unsafe extern "C" {
            $($(#[$about])* #[link_name = concat!("vlad_math_", stringify!($unary))] pub safe fn $unary(x: f64) -> f64;)*
            $(
                $(#[$about_two])*
                #[link_name = concat!("vlad_math_", stringify!($binary))]
                pub safe fn $binary($first: f64, $second: f64) -> f64;
            )*
        }

        /// The functions of one real: name, pointer, function.
        #[cfg(test)]
        pub const UNARY: &[(&str, fn(&Functions) -> Unary, Unary)] =
            &[$((stringify!($unary), |functions| functions.$unary, $unary),)*];

        /// The functions of two reals: name, pointer, function.
        #[cfg(test)]
        pub const BINARY: &[(&str, fn(&Functions) -> Binary, Binary)] =
            &[$((stringify!($binary), |functions| functions.$binary, $binary),)*];
    };
}

functions! {
    {
        /// e to the power x.
        exp,
        /// The natural logarithm.
        log,
        /// The sine of x radians.
        sin,
        /// The cosine of x radians.
        cos,
        /// The tangent of x radians.
        tan,
        /// The arc sine, in radians.
        asin,
        /// The arc cosine, in radians.
        acos,
        /// The arc tangent, in radians.
        atan,
        /// The hyperbolic sine.
        sinh,
        /// The hyperbolic cosine.
        cosh,
        /// The hyperbolic tangent.
        tanh,
        /// The error function.
        erf,
        /// The complementary error function.
        erfc,
        /// The logarithm of 1 + x.
        log1p,
        /// e to the power x, minus 1.
        expm1,
        /// The logarithm of the absolute value of the gamma function.
        lgamma,
        /// The inverse of the hyperbolic sine.
        asinh,
        /// The inverse of the hyperbolic cosine that is not negative.
        acosh,
        /// The inverse of the hyperbolic tangent.
        atanh,
        /// The cube root.
        cbrt,
        /// The logarithm of base 2.
        log2,
        /// The logarithm of base 10.
        log10,
        /// 2 to the power x.
        exp2,
        /// The gamma function.
        tgamma,
    } {
        /// The angle of the point (x, y), in radians.
        atan2(y, x),
        /// The distance of the point (x, y) from the origin, without an overflow in between.
        hypot(x, y),
        /// x to the power y.
        pow(x, y),
    }
}

/// The functions for this processor, which do not ask for its kind at each call; for code that calls them often.
pub fn functions() -> Functions {
    let mut functions = MaybeUninit::uninit();
    vlad_math_functions(&mut functions);
    // SAFETY: C writes every field of the struct, whose order a test compares.
    unsafe { functions.assume_init() }
}

// SAFETY: as for the others; `sine_and_cosine` writes to its two places, and `vlad_math_functions` all of the struct.
unsafe extern "C" {
    /// The derivative of a whole order of the digamma function; not a number for other orders, and at negative whole x.
    #[link_name = "vlad_math_polygamma"]
    pub safe fn polygamma(order: f64, x: f64) -> f64;
    /// The sine and the cosine of x radians, with the bits of [`sin`] and [`cos`], in little more time than one of them.
    #[link_name = "vlad_math_sincos"]
    pub safe fn sine_and_cosine(x: f64, sine: &mut f64, cosine: &mut f64);
    safe fn vlad_math_functions(functions: &mut MaybeUninit<Functions>);
}
