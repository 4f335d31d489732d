//! Values as text.
//!
//! | module | |
//! |---|---|
//! | [`print`] | Scheme's notation, which the languages share |
//! | [`literals`] | literals of F-smooth |
//! | [`row`] | the items of a list on one line |
//! | [`template`] | texts with values between them |
//! | [`line`] | lines of output in each of these forms |

pub mod line;
pub mod literals;
pub mod print;
pub mod row;
pub mod template;
