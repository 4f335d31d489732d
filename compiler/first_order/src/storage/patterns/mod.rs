//! The shapes of builds that are made otherwise than element by element.
//!
//! | module | body of the build |
//! |---|---|
//! | [`one_hot`] | makes one element otherwise than all others |
//! | [`sparse`] | makes few elements that are not 0, at places that equations name |
//! | [`packable`] | computes with packed instructions where no test fails |
//! | [`halves`] | does one thing below some index and another one from it on |
//! | [`fused`] | is followed by a loop over the elements that it makes |

pub mod fused;
pub mod halves;
pub mod one_hot;
pub mod packable;
pub mod sparse;
