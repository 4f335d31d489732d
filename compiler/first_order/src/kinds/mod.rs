//! The kinds of leaves, operands, and the words that statements name: relations, stacks, actions, recordings, and those of
//! storage code.

/// Gives the variants of an enum without fields their names in the text of a unit.
macro_rules! names {
    ($type:ident: $($variant:ident $name:literal),* $(,)?) => {
        impl $type {
            /// All of them.
            pub const ALL: &'static [$type] = &[$($type::$variant),*];

            /// The name, for readers.
            pub fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name),*
                }
            }
        }
    };
}

pub mod actions;
pub mod bits;
pub mod integers;
pub mod kind;
pub mod operand;
pub mod recording;
pub mod storage;
