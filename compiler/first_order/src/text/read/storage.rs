//! The statements of storage code.

use super::operands::{Code, one};
use super::words::Words;
use crate::{Block, Content, IntegerOperation, Order, Place, Storage, Variable};

/// Reads a statement of storage code behind its first word.
pub(super) fn storage(
    code: &mut Code<'_>,
    word: &str,
    targets: Vec<Variable>,
    words: &mut Words<'_>,
) -> Result<Storage<Block>, String> {
    Ok(match word {
        "solve" => solve(code, one(targets)?, words)?,
        "for" => counted_loop(code, targets, Order::Sequential, words)?,
        "unrolled" => {
            words.expect("for")?;
            counted_loop(code, targets, Order::Unrolled, words)?
        }
        "parallel" => {
            words.expect("for")?;
            counted_loop(code, targets, Order::Parallel, words)?
        }
        "allocate" => {
            Storage::Allocate { target: one(targets)?, length: code.operand(words)?, place: place(code, words)? }
        }
        "unset" => begin_rows(code, Content::Unset, words)?,
        "zero" => begin_rows(code, Content::Zeros, words)?,
        "fill" => fill(code, words)?,
        "part" => Storage::Part { target: one(targets)?, range: code.exactly(words)? },
        "apart" => Storage::Apart { targets, values: code.operands(words)? },
        "sine-and-cosine" => {
            let targets = targets.try_into().map_err(|_| "a sine and a cosine are two".to_owned())?;
            Storage::SineAndCosine { targets, angle: code.operand(words)? }
        }
        "turns" => Storage::Turns { count: code.operand(words)? },
        "mark" => Storage::Mark { target: one(targets)? },
        "keep" => {
            let values = code.operands(words)?;
            words.expect("from")?;
            let mark = code.operand(words)?;
            let limit = if words.accept("beyond") { Some(code.operand(words)?) } else { None };
            Storage::Keep { targets, mark, limit, values }
        }
        _ => {
            let operation = IntegerOperation::named(word).ok_or_else(|| format!("`{word}` is no statement"))?;
            Storage::Integer { target: one(targets)?, operation, operands: code.operands(words)? }
        }
    })
}

fn solve(code: &mut Code<'_>, target: Variable, words: &mut Words<'_>) -> Result<Storage<Block>, String> {
    let operands = code.operands(words)?;
    words.expect("by")?;
    let word = words.next("an inverse")?;
    let inverse = word.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok());
    let inverse = inverse.ok_or_else(|| format!("`{word}` is no inverse in hexadecimal digits"))?;
    let operation = IntegerOperation::Solve(inverse, words.number("a number of twos")?);
    Ok(Storage::Integer { target, operation, operands })
}

fn counted_loop(
    code: &mut Code<'_>,
    targets: Vec<Variable>,
    order: Order,
    words: &mut Words<'_>,
) -> Result<Storage<Block>, String> {
    let (variables, initial) = code.state(words)?;
    words.expect("below")?;
    let end = code.operand(words)?;
    let listed = if words.accept("or") {
        words.expect("if")?;
        let test = code.operand(words)?;
        words.expect("of")?;
        Some((test, code.operands(words)?))
    } else {
        None
    };
    Ok(Storage::For { targets, variables, initial, end, listed, order, body: Block::default() })
}

/// Takes the memory of an array.
fn place(code: &mut Code<'_>, words: &mut Words<'_>) -> Result<Place, String> {
    if words.accept("without") {
        words.expect("rows")?;
        return Ok(Place::Rows);
    }
    if !words.accept("in") {
        return Ok(Place::Memory);
    }
    match words.next("a place in memory")? {
        "result" => {
            let number = words.number("the number of a result")?;
            Ok(if words.accept("row") { Place::Row(number, code.operand(words)?) } else { Place::Result(number) })
        }
        "rows" => {
            words.expect("of")?;
            let rows = code.variable(words)?;
            words.expect("row")?;
            Ok(Place::EvenRow(rows, code.operand(words)?))
        }
        "buffer" => code.exactly(words).map(Place::Buffer),
        other => Err(format!("`{other}` is no place in memory")),
    }
}

/// Takes the number of a result, behind `in result`.
fn result(words: &mut Words<'_>) -> Result<usize, String> {
    words.expect("in")?;
    words.expect("result")?;
    words.number("the number of a result")
}

fn begin_rows(code: &mut Code<'_>, content: Content, words: &mut Words<'_>) -> Result<Storage<Block>, String> {
    words.expect("rows")?;
    words.expect("of")?;
    Ok(Storage::BeginRows {
        rows: code.variable(words)?,
        result: result(words)?,
        counts: code.exactly(words)?,
        content,
    })
}

fn fill(code: &mut Code<'_>, words: &mut Words<'_>) -> Result<Storage<Block>, String> {
    let array = code.operand(words)?;
    if !words.accept("and") {
        return Ok(Storage::Fill { array, behind: None });
    }
    words.expect("rows")?;
    words.expect("behind")?;
    Ok(Storage::Fill { array, behind: Some((result(words)?, code.exactly(words)?)) })
}
