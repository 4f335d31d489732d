//! The mathematical functions as pointers, in a header that the runtime and all generated programs include.

use crate::c::{Field, Item, print};
use vlad_table::math::{BINARY, UNARY};

/// Returns the text of `mathematics.h`: the functions of `shared/table/mathematics/functions.h`, in its order, and exact ones that may
/// lack an instruction. `Mathematics` of `compiler/src/foreign/interface.rs` mirrors the struct.
pub fn header() -> String {
    let field = |name: &str, operands: &str| Field {
        ctype: "double",
        name: format!("(*{name})({operands})").into(),
        comment: "",
    };
    let unary = UNARY.iter().map(|(name, _)| field(name, "double"));
    let binary = BINARY.iter().map(|(name, _)| field(name, "double, double"));
    let pair = Field { ctype: "void", name: "(*sincos)(double, double *, double *)".into(), comment: "" };
    let others = [pair, field("polygamma", "double, double"), field("sqrt", "double"), field("fabs", "double")];
    let structure = Item::Structure("vlad_mathematics".into(), unary.chain(binary).chain(others).collect());
    print([
        Item::comment("The mathematical functions."),
        Item::Once { guard: "VLAD_MATHEMATICS_H", items: vec![structure] },
    ])
}
