//! soup
