//! desugaring
