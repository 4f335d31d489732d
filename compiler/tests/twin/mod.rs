//! The native runtime without generated code, for tests that compare it with the differentiation of `vlad-ad`: a
//! machine, native values, and twins, which are one value in both representations.

#![allow(dead_code)] // each test binary uses its part

pub mod native;
pub mod random;

use native::{Kind, Native};
use vlad_core::LambdaId;
use vlad_values::{LevelPart, Number, Slots, Value, slot_values};

/// The bits of a real; all NaNs are one.
pub fn bits(x: f64) -> u64 {
    if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() }
}

/// The same value in both representations. The native one is owned, and must be released.
#[derive(Clone, Debug)]
pub struct Twin {
    pub shared: Value,
    pub native: Native,
}

impl Twin {
    pub fn real(x: f64) -> Twin {
        Twin { shared: Value::Real(x), native: Native::real(x) }
    }
}

/// Compares a native value with one of `vlad-values`, down to levels, tangents and the numbers of tape nodes. Describes
/// a difference.
pub fn same(shared: &Value, native: Native) -> Result<(), String> {
    let mut pending = vec![(shared.clone(), native)];
    while let Some((shared, native)) = pending.pop() {
        match (&shared, native.kind()) {
            (Value::Nil, Kind::Nil) => {}
            (Value::Boolean(a), Kind::Boolean) if u64::from(*a) == native.word => {}
            (Value::Primitive(a), Kind::Primitive) if *a as u64 == native.word => {}
            (Value::Real(_) | Value::Lifted(_), Kind::Real | Kind::Lifted) => {
                let Some(number) = shared.number() else { unreachable!("it is a real") };
                same_number(&number, native)?;
            }
            (Value::Pair(pair), Kind::Pair) => {
                let [first, second] = native.halves();
                pending.push((pair.second.clone(), second));
                pending.push((pair.first.clone(), first));
            }
            (Value::Procedure { code: LambdaId(code), slots }, Kind::Procedure | Kind::Plain)
                if *code == native.lambda() && slot_values(slots).len() == native.slots().len() =>
            {
                pending.extend(slot_values(slots).iter().cloned().zip(native.slots()));
            }
            (Value::Vector(vector), Kind::Vector) => match native.values() {
                Some(values) if values.len() == vector.len() => pending.extend(vector.iter().zip(values)),
                None if native.numbers().len() == vector.len() => {
                    for (element, number) in vector.iter().zip(native.numbers()) {
                        same_shared(element.number().as_ref(), &number)?;
                    }
                }
                _ => return Err(format!("{shared:?} and a vector of another length")),
            },
            _ => return Err(format!("{shared:?} and {native:?}")),
        }
    }
    Ok(())
}

/// Compares two numbers of `vlad-values`.
fn same_shared(one: Option<&Number>, other: &Number) -> Result<(), String> {
    match (one, other) {
        (Some(Number::Real(x)), Number::Real(y)) if bits(*x) == bits(*y) => Ok(()),
        (Some(Number::Lifted(x)), Number::Lifted(y)) if x.level == y.level => {
            same_shared(Some(&x.primal), &y.primal)?;
            match (&x.part, &y.part) {
                (LevelPart::Tangent(x), LevelPart::Tangent(y)) => same_shared(Some(x), y),
                (LevelPart::Node(x), LevelPart::Node(y)) if x == y => Ok(()),
                (x, y) => Err(format!("{x:?} and {y:?}")),
            }
        }
        (one, other) => Err(format!("{one:?} and {other:?}")),
    }
}

fn same_number(shared: &Number, native: Native) -> Result<(), String> {
    match shared {
        Number::Real(x) if native.kind() == Kind::Real && bits(*x) == bits(native.double()) => Ok(()),
        Number::Lifted(lifted) if native.kind() == Kind::Lifted && native.level() == lifted.level => {
            let [primal, part] = native.halves();
            same_number(&lifted.primal, primal)?;
            match &lifted.part {
                LevelPart::Tangent(tangent) => same_number(tangent, part),
                LevelPart::Node(node) if part.kind() == Kind::Raw && *node == part.word => Ok(()),
                LevelPart::Node(node) => Err(format!("node {node} and {part:?}")),
            }
        }
        Number::Real(_) | Number::Lifted(_) => Err(format!("{shared:?} and {native:?}")),
    }
}

/// Converts a native value to one of `vlad-values`, with every real replaced by the plain real under it.
pub fn plain(native: Native) -> Value {
    match native.kind() {
        Kind::Nil | Kind::Raw => Value::Nil,
        Kind::Boolean => Value::Boolean(native.word != 0),
        Kind::Real => Value::Real(native.double()),
        Kind::Lifted => plain(native.halves()[0]),
        Kind::Primitive => {
            Value::Primitive(vlad_table::primitives::PRIMITIVES[usize::try_from(native.word).unwrap()].primitive)
        }
        Kind::Pair => {
            let [first, second] = native.halves();
            Value::pair(plain(first), plain(second))
        }
        Kind::Vector => Value::vector(match native.values() {
            Some(values) => values.into_iter().map(plain).collect(),
            None => native.numbers().iter().map(|number| Value::Real(number.base())).collect(),
        }),
        Kind::Procedure | Kind::Plain => {
            let slots: Vec<Value> = native.slots().into_iter().map(plain).collect();
            let slots = (!slots.is_empty()).then(|| std::rc::Rc::new(Slots::new(slots)));
            Value::Procedure { code: LambdaId(native.lambda()), slots }
        }
    }
}
