//! The checker rejects wrong partitions: each kind of mutation of a correct one causes an error of its own.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // tests may

use super::*;
use crate::foreign::Counting;
use crate::procedures::Specialised;
use crate::tagged::analyses::regions::ChunkTransfers;
use crate::tagged::analyses::rows::LiveInterval;
use crate::tagged::pipeline;
use crate::tagged::unit::Unit;
use vlad_ad::traps::Traps;
use vlad_core::Program;
use vlad_cps::{self, ActivationId, Converted, Instruction};
use vlad_frontend::load::{Input, Options, load};

/// Branches with joins, nested calls, and a procedure that is only called with its arguments apart.
const SHORT: &str = "
    (define (f x y) (+ (if (< x 3) (if (= x y) (g x) (car (f (+ x 1) y))) (if (null? y) 4 (- y x))) (* x y)))
    (define (g x) (f x (f 1 x)))
    (list f (f 1 2))";

/// Elided values of the reflective basis.
const FUSED: &str = "
    (define (d f x) (tangent ((j* f) (bundle x 1))))
    (define (g f x) (cdr ((cdr ((*j f) (*j x))) (sensitize 1))))
    (list (d sin 1) (g sin 1))";

/// Programs with a block in chunks, with and without other blocks in the function of its last chunk; with spilled
/// blocks; and those of [`SHORT`] and [`FUSED`].
fn all() -> Vec<String> {
    let row = |count: usize, part: &dyn Fn(usize) -> String| (0..count).map(part).collect::<Vec<_>>().join(" ");
    vec![
        SHORT.to_owned(),
        FUSED.to_owned(),
        format!("(define (f x y) (list {})) (f 1 2)", row(200, &|n| format!("(+ x (* y {n}))"))),
        format!(
            "(define (f x z) (lambda (y) (let* ({}) (if (< a60 x) (* a60 z) a1)))) ((f 1 2) 3)",
            row(61, &|n| format!("(a{n} (+ y {n}))"))
        ),
        format!("(define (f x) (lambda (y) (+ {}))) ((f 1) 2)", row(60, &|n| format!("(if (< x {n}) x y)"))),
    ]
}

fn program(text: &str) -> Program {
    let input = Input::Text { name: "program".to_owned(), bytes: text.as_bytes().to_vec(), folder: None };
    load(input, &Options::default()).unwrap()
}

/// The results of all analyses of a program.
fn analysed<'program>(program: &'program Program, converted: &'program Converted) -> Context<'program> {
    let specialised = Specialised::NOTHING;
    let (counting, traps) = (Counting::Stoppable, Traps::Off);
    let unit = Unit { program, converted, counting, traps, specialised, prefix: "" };
    pipeline(unit, |context, _| context.clone())
}

/// Mutates each function of the programs to which the mutation applies, one after the other, and expects the complaint.
fn finds(complaint: &str, spoil: impl Fn(&mut Context<'_>, usize) -> bool) {
    let mut spoilt = 0;
    for text in all() {
        let program = program(&text);
        let converted = vlad_cps::pipeline(&program);
        let mut context = analysed(&program, &converted);
        check(&context).unwrap();
        let (right, rows) = (context.regions.clone(), context.rows.clone());
        for number in 0..right.functions.len() {
            (context.regions, context.rows) = (right.clone(), rows.clone());
            if spoil(&mut context, number) {
                spoilt += 1;
                let message = check(&context).err().unwrap_or_else(|| panic!("not found in {number}: {complaint}"));
                assert!(message.contains(complaint), "{message} in {number}, not {complaint}");
            }
        }
    }
    assert!(spoilt > 0, "no function could be spoilt: {complaint}");
}

/// Like [`finds`], for each block: the mutation changes its instructions or its end.
fn finds_in_blocks(complaint: &str, spoil: impl Fn(&Context<'_>, &mut Converted, BlockId) -> bool) {
    let mut spoilt = 0;
    for text in all() {
        let program = program(&text);
        let right = vlad_cps::pipeline(&program);
        for number in 0..right.blocks.len() {
            let mut wrong = right.clone();
            let mut context = analysed(&program, &right);
            let id = BlockId(number as u32);
            if !has_no_function(context.unit, &context.escapes, id, right.block(id)) && spoil(&context, &mut wrong, id)
            {
                context.unit.converted = &wrong;
                spoilt += 1;
                let message = check(&context).err().unwrap_or_else(|| panic!("not found in {number}: {complaint}"));
                assert!(message.contains(complaint), "{message} in {number}, not {complaint}");
            }
        }
    }
    assert!(spoilt > 0, "no block could be spoilt: {complaint}");
}

fn is_chunk(function: &Function) -> bool {
    matches!(function.entering, EntryKind::Chunk(_))
}

#[test]
fn what_stands_nowhere() {
    finds("stands in no function", |context, number| {
        let function = &mut context.regions.functions[number];
        let is_reached = matches!(function.entering, EntryKind::Spill | EntryKind::Chunk(_));
        let is_all = function.pieces.len() == 1 && function.pieces[0].next_chunk.is_none();
        function.pieces.clear();
        !is_reached && is_all
    });
    finds("which does not stand behind it", |context, number| {
        let pieces = &mut context.regions.functions[number].pieces;
        let last = pieces.pop().unwrap();
        !pieces.is_empty() && last.next_chunk.is_none()
    });
    finds("lacks its last chunk", |context, number| {
        let is_chunk = is_chunk(&context.regions.functions[number]);
        context.regions.functions.truncate(number);
        is_chunk
    });
}

#[test]
fn what_stands_too_often() {
    finds("stands there once too often", |context, number| {
        let pieces = &mut context.regions.functions[number].pieces;
        let last = pieces[pieces.len() - 1].clone();
        pieces.push(last.clone());
        last.next_chunk.is_none()
    });
    finds("stands there once too often", |context, number| {
        let never_run = blocks(context).find(|(id, block)| has_no_function(context.unit, &context.escapes, *id, block));
        let Some((block, contents)) = never_run else { return false };
        let piece = Piece { block, instructions: 0..contents.instructions.len(), next_chunk: None };
        let function = &mut context.regions.functions[number];
        let is_whole = function.pieces[function.pieces.len() - 1].next_chunk.is_none();
        function.pieces.push(piece);
        is_whole
    });
}

#[test]
fn what_stands_in_another_place() {
    finds("is of another activation", |context, number| {
        let function = &mut context.regions.functions[number];
        function.activation = ActivationId(function.activation.0 + 1);
        true
    });
    finds("is head without being first, or first without being head", |context, number| {
        let function = &mut context.regions.functions[number];
        let can = function.pieces.len() > 1 && !is_chunk(function) && function.pieces[1].next_chunk.is_none();
        if can {
            function.pieces.swap(0, 1);
        }
        can
    });
    finds("which does not stand behind it", |context, number| {
        let pieces = &mut context.regions.functions[number].pieces;
        let goes_on = |first: &Piece, second: &Piece| {
            branches(&context.unit.converted.block(first.block).end).any(|next| next == second.block)
        };
        let place = (1..pieces.len().saturating_sub(1)).find(|place| goes_on(&pieces[*place], &pieces[place + 1]));
        if let Some(place) = place {
            pieces.swap(place, place + 1);
        }
        place.is_some()
    });
    finds("which does not stand behind it", |context, number| {
        let function = &mut context.regions.functions[number];
        std::mem::replace(&mut function.entering, EntryKind::Item) == EntryKind::Spill
    });
    finds("continues a call and is not entered by a frame", |context, number| {
        let function = &mut context.regions.functions[number];
        std::mem::replace(&mut function.entering, EntryKind::Spill) == EntryKind::Frame
    });
    // A block that jumps to itself, at the end of a function or within it.
    finds_in_blocks("which does not stand behind it", |context, wrong, id| {
        let End::Jump { block, .. } = &mut wrong.blocks[id.0 as usize].end else { return false };
        *block = id;
        !context.regions.crossings.contains_key(&id)
    });
}

#[test]
fn chunks_that_do_not_fit() {
    let cut = "does not go on where it was cut";
    finds(cut, |context, number| {
        let piece = &mut context.regions.functions[number].pieces[0];
        piece.instructions.start += 1;
        piece.instructions.start <= piece.instructions.end
    });
    finds(cut, |context, number| {
        let function = &mut context.regions.functions[number];
        let was_chunk = is_chunk(function);
        function.entering = if was_chunk { EntryKind::Spill } else { EntryKind::Chunk(1) };
        true
    });
    finds(cut, |context, number| {
        let next = context.regions.functions[number].pieces[0].next_chunk.as_mut();
        next.map(|next| *next += 1).is_some()
    });
    finds("is not whole", |context, number| {
        let function = &mut context.regions.functions[number];
        let last = function.pieces.len() - 1;
        let piece = &mut function.pieces[last];
        let can = piece.next_chunk.is_none() && !piece.instructions.is_empty();
        piece.instructions.end -= usize::from(can);
        can
    });
    finds("is not whole", |context, number| {
        let piece = &mut context.regions.functions[number].pieces[0];
        piece.next_chunk.take().is_some()
    });
    finds("is not whole", |context, number| {
        let pieces = &mut context.regions.functions[number].pieces;
        let first = pieces[0].clone();
        pieces.push(first.clone());
        first.next_chunk.is_some()
    });
}

/// The variables of a block whose values are elided, or given in part.
fn taken(context: &Context<'_>, id: BlockId) -> Vec<Variable> {
    let given = if context.elisions.demand(id) == Demand::Whole {
        &[][..]
    } else {
        &context.unit.converted.block(id).parameters
    };
    context.elisions.elided(id).chain(given.iter().copied()).collect()
}

#[test]
fn what_is_not_made_and_has_other_uses() {
    finds("is cut, and something in it is not made", |context, number| {
        let id = context.regions.functions[number].head();
        let can = !taken(context, id).is_empty();
        context.regions.crossings.insert(id, Default::default());
        can
    });
    // A second use, in place of a step.
    finds_in_blocks("is not made, and has not one use", |context, wrong, id| {
        let Some(variable) = taken(context, id).first().copied() else { return false };
        let is_step = |instruction: &&mut Instruction| matches!(instruction, Instruction::Step(_));
        let Some(step) = wrong.blocks[id.0 as usize].instructions.iter_mut().find(is_step) else { return false };
        let (first, second) = (Atom::Variable(variable), Atom::Global(vlad_core::GlobalId(0)));
        *step = Instruction::Pair { variable: Variable(u32::MAX), first, second };
        true
    });
    // A use in a successor of the block.
    finds_in_blocks("is not made, and has not one use", |context, wrong, id| {
        let taken = taken(context, id);
        let next = next_blocks(&context.unit.converted.block(id).end).next();
        let (Some(variable), Some(next)) = (taken.first(), next) else { return false };
        wrong.blocks[next.0 as usize].free.push(*variable);
        true
    });
}

#[test]
fn what_is_not_handed_over() {
    let lacking = "is not handed over to chunk";
    let spoil = |spoil: fn(&mut ChunkTransfers)| {
        move |context: &mut Context<'_>, number: usize| {
            let function = &context.regions.functions[number];
            let Some(crossings) = context.regions.crossings.get_mut(&function.head()) else { return false };
            let last = crossings.loaded.len() - 1;
            let can = function.entering == EntryKind::Chunk(last) && !crossings.loaded[last].is_empty();
            spoil(crossings);
            can
        }
    };
    finds(
        lacking,
        spoil(|crossings| {
            crossings.loaded.last_mut().unwrap().pop_last();
        }),
    );
    finds(lacking, spoil(|crossings| crossings.stored.iter_mut().for_each(|stored| stored.clear())));
    finds("is a chunk of a block that is not cut", |context, number| {
        let function = &context.regions.functions[number];
        context.regions.crossings.remove(&function.head());
        is_chunk(function)
    });
}

#[test]
fn rows_that_are_not_right() {
    let alive = "keeps what is not alive, or does not keep what is";
    let of_function = |spoil: fn(&mut Vec<StepRow>)| {
        move |context: &mut Context<'_>, number: usize| {
            let rows = &mut context.rows.of_functions[number];
            let can = !rows.is_empty();
            spoil(rows);
            can
        }
    };
    let of_table = |spoil: fn(&mut Vec<LiveInterval>)| {
        move |context: &mut Context<'_>, number: usize| {
            let Some(table) = context.rows.alive.get_mut(&number).filter(|table| !table.is_empty()) else {
                return false;
            };
            spoil(table);
            true
        }
    };
    finds("lacks a row", of_function(|rows| drop(rows.pop())));
    finds("lacks a row", of_function(|rows| rows.iter_mut().for_each(|row| row.place += 1)));
    finds("lacks a row", of_function(|rows| rows.iter_mut().for_each(|row| row.nodes.truncate(row.nodes.len() - 1))));
    finds("has a row too many", of_function(|rows| rows.extend(rows.last().cloned())));
    finds(alive, of_function(|rows| rows.iter_mut().for_each(|row| row.has_slots = !row.has_slots)));
    finds(alive, of_function(|rows| rows.iter_mut().for_each(|row| row.variables += 1)));
    finds(alive, of_table(|table| table[0].to -= 1));
    finds(alive, of_table(|table| table.truncate(table.len() - 1)));
}

/// A range of at least two instructions of a block with the wanted total weight.
fn range_of(context: &Context<'_>, block: &Block, wanted: usize) -> std::ops::Range<usize> {
    let weights: Vec<usize> = block.instructions.iter().map(|one| weight(context.unit.program, one)).collect();
    let ranges = (0..weights.len()).flat_map(|start| (start + 2..=weights.len()).map(move |end| start..end));
    ranges.into_iter().find(|range| weights[range.clone()].iter().sum::<usize>() == wanted).unwrap()
}

#[test]
fn lengths_are_bounded() {
    let part = |n: usize| format!("(+ x (* y {n}))");
    let row = (0..200).map(part).collect::<Vec<_>>().join(" ");
    let program = program(&format!("(define (g x y) (+ (if (< x 1) (f x y) y) y)) (define (f x y) (list {row})) f g"));
    let converted = vlad_cps::pipeline(&program);
    let context = analysed(&program, &converted);
    let longest = blocks(&context).max_by_key(|(_, block)| block.instructions.len()).unwrap();
    let branch = blocks(&context).find(|(_, block)| matches!(block.end, End::Branch { .. })).unwrap();
    let lengths = |pieces: Vec<Piece>| {
        let mut function = context.regions.functions[0].clone();
        function.pieces = pieces;
        check_length(&context, &function)
    };
    let of_weight = |weight: usize| Piece {
        block: longest.0,
        instructions: range_of(&context, longest.1, weight),
        next_chunk: None,
    };
    let nothing = |(block, _): (BlockId, &Block), next_chunk| Piece { block, instructions: 0..0, next_chunk };
    let single = |at: usize| Piece { block: longest.0, instructions: at..at + 1, next_chunk: None };

    assert_eq!(lengths(Vec::new()), Err("has no head".to_owned()));
    // The head counts without its end, each further piece with its end.
    assert_eq!(lengths(vec![of_weight(HEAVY + 2)]), Ok(()));
    assert_eq!(lengths(vec![of_weight(HEAVY + 3)]), Err(format!("weighs {}", HEAVY + 3)));
    assert_eq!(lengths(vec![of_weight(200), of_weight(HEAVY - 200)]), Ok(()));
    assert_eq!(lengths(vec![of_weight(200), of_weight(HEAVY - 199)]), Err(format!("weighs {}", HEAVY + 3)));
    assert_eq!(lengths(vec![of_weight(100), of_weight(100), of_weight(101)]), Err(format!("weighs {}", HEAVY + 5)));
    // A single instruction may exceed the bound.
    assert_eq!(lengths(vec![single(0), of_weight(HEAVY)]), Ok(()));
    assert_eq!(lengths(vec![single(0), of_weight(HEAVY + 1)]), Err(format!("weighs {}", HEAVY + 3)));
    // A function may have one leaf, and three more for each branch.
    let leaves = |branches: usize, next_chunk, leaves: usize| {
        let branches = vec![nothing(branch, next_chunk); branches];
        lengths(
            [nothing(longest, None)].into_iter().chain(branches).chain(vec![nothing(longest, None); leaves]).collect(),
        )
    };
    for branches in 0..3 {
        let most = 3 * branches + 1;
        assert_eq!(leaves(branches, None, most), Ok(()));
        let complaint = format!("has {} short blocks for {branches} branches", most + 1);
        assert_eq!(leaves(branches, None, most + 1), Err(complaint));
    }
    // A chunk does not include the end of its block.
    assert_eq!(leaves(1, Some(0), 2), Err("has 2 short blocks for 0 branches".to_owned()));
}
