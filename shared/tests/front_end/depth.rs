//! depth
