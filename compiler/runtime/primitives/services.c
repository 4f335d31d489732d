/* The table of services: the functions of the runtime that generated code calls. */
#include "services.h"
#include "apply.h"
#include "array_operations.h"
#include "arrays.h"
#include "call.h"
#include "computation.h"
#include "equal.h"
#include "exits.h"
#include "memory.h"
#include "numbered_tape.h"
#include "on_vector.h"
#include "procedures.h"
#include "pull.h"
#include "release.h"
#include "specialised.h"
#include "stack.h"
#include "template.h"
#include "transformed.h"

const struct vlad_services vlad_services = {
    .destroy = vlad_destroy,
    .new_cell = vlad_refill_cells,
#ifndef VLAD_SANITIZED
    .page_again = vlad_page_again,
#endif
    .new_slots = vlad_make_slots,
    .more_stack = vlad_more_stack,
    .pause = vlad_pause,
    .run_short = vlad_run_short,
    .suspend = vlad_suspend,
    .stop = vlad_stop,
    .too_deep = vlad_too_deep,
    .call = vlad_call_any,
    .control = vlad_control,
    .call_bundled = vlad_call_bundled,
    .call_reversed = vlad_call_reversed,
    .open = vlad_open,
    .pull = vlad_pull,
    .keep = vlad_keep,
    .apply = vlad_apply,
    .apply_two = vlad_apply_two,
    .apply_many = vlad_apply_many,
    .vector_set = vlad_vector_set,
    .vector_push = vlad_vector_push,
    .matches = vlad_same_value,
    .apply_specialised = vlad_apply_specialised,
    .bail_out = vlad_specialised_gives_up,
    .poll = vlad_specialised_polls,
    .entered = vlad_specialised_entered,
    .more_records = vlad_more_records,
    .fewer_records = vlad_fewer_records,
    .more_arrays = vlad_more_arrays,
    .more_cells = vlad_more_cells,
    .forced_cell = vlad_forced_cell,
    .zeros = vlad_zeros,
    .same_lengths = vlad_same_lengths,
    .same_elements = vlad_same_elements,
    .move_arrays = vlad_move_arrays,
    .move_state = vlad_move_state,
    .hand_over = vlad_hand_over,
    .size = vlad_size,
    .begin_reads = vlad_specialised_begins_reads,
    .reads = vlad_specialised_reads_so_far,
    .read_again = vlad_specialised_reads_again,
    .end_reads = vlad_specialised_ends_reads,
    .read_number = vlad_specialised_reads,
    .write_leaves = vlad_specialised_writes,
    .tape_begin = vlad_numbered_begin,
    .tape_independent = vlad_numbered_independent,
    .tape_node = vlad_numbered_node,
    .tape_seed = vlad_numbered_seed,
    .tape_sweep = vlad_numbered_sweep,
    .tape_accumulator = vlad_numbered_accumulator,
#ifdef VLAD_SANITIZED
    .free_cell = vlad_cell_dies,
#endif
};
