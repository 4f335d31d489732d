//! Rewriting of F-smooth on typed trees, before lowering (Shaikhha et al. 2018, section 4).

pub mod derivation;
pub mod facts;
pub mod lets;
pub mod linear;
pub mod matching;
pub mod normal;
pub mod notation;
pub mod rules;
pub mod signs;
pub mod structural;
pub mod terms;
pub mod totality;
