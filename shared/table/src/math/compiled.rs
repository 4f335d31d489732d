//! The functions of CORE-MATH, compiled by `build.rs` into an archive.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;

/// A function of one real.
pub type Unary = extern "C" fn(f64) -> f64;
/// A function of two reals.
pub type Binary = extern "C" fn(f64, f64) -> f64;
/// A function of one real with two results.
pub type WithTwoResults = extern "C" fn(f64, &mut f64, &mut f64);

include!(concat!(env!("OUT_DIR"), "/functions.rs"));

/// Declares the functions of CORE-MATH, which have their names in C, and the struct of pointers to them.
macro_rules! functions {
    ({ $($unary:ident,)* } { $($binary:ident,)* }) => {
        /// `struct vlad_functions` of `mathematics/functions.h`: the functions in its order.
        #[repr(C)]
        #[derive(Clone, Copy, Debug)]
        pub struct Functions {
            $(#[doc = concat!("`", stringify!($unary), "`.")] pub $unary: Unary,)*
            $(#[doc = concat!("`", stringify!($binary), "`.")] pub $binary: Binary,)*
            /// [`sine_and_cosine`].
            pub sincos: WithTwoResults,
        }

        // SAFETY: `mathematics/functions.h` declares the functions of these names and types; they take and return plain doubles,
        // write no memory but their results, and are safe for every argument, NaN and infinities included.
        unsafe extern "C" {
            $(
                #[doc = concat!("`", stringify!($unary), "` of C, rounded.")]
                #[link_name = concat!("vlad_math_", stringify!($unary))]
                pub safe fn $unary(x: f64) -> f64;
            )*
            $(
                #[doc = concat!("`", stringify!($binary), "` of C, rounded.")]
                #[link_name = concat!("vlad_math_", stringify!($binary))]
                pub safe fn $binary(x: f64, y: f64) -> f64;
            )*
        }

        /// The functions of one real, by their names in C.
        pub const UNARY: &[(&str, Unary)] = &[$((stringify!($unary), $unary),)*];

        /// The functions of two reals, by their names in C.
        pub const BINARY: &[(&str, Binary)] = &[$((stringify!($binary), $binary),)*];

        impl Functions {
            /// The pointers to the functions of one real, in the order of [`UNARY`].
            #[cfg(test)]
            pub fn unary(&self) -> Vec<Unary> {
                vec![$(self.$unary,)*]
            }

            /// The pointers to the functions of two reals, in the order of [`BINARY`].
            #[cfg(test)]
            pub fn binary(&self) -> Vec<Binary> {
                vec![$(self.$binary,)*]
            }
        }
    };
}

with_functions!(functions);

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
