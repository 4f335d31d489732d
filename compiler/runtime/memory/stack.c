/* The stack of continuation frames, in segments: it grows without being copied and allocates memory on demand.
 *
 * Invariants. A segment begins with a link. That of the first is of kind VLAD_FRAME_BASE, which ends the item; that of
 * the first of a computation with a stack of its own is of kind VLAD_FRAME_BOTTOM, which continues in the enclosing
 * stack, at the operator's frame; any other is of kind VLAD_FRAME_SEGMENT, which continues in the segment below. A
 * segment that the stack leaves is kept for reuse, so that a loop across its border costs little.
 *
 * All segments below a frozen segment are frozen, down to the bottom of its computation. Frames of a frozen segment with
 * other references are copied a few at a time: their values are shared, and `top_below` of the segment above delimits the
 * rest. If no frame is left, the segment above skips it, and at the end refers to none: a frozen segment keeps alive only
 * values in use.
 */
#include "stack.h"
#include "exits.h"
#include "memory.h"

#define SMALLEST_SEGMENT ((size_t)64 << 10)
#define LARGEST_SEGMENT ((size_t)4 << 20)
/* The first segment of a computation: small, since many are soon left or frozen. */
#define FIRST_OF_COMPUTATION ((size_t)16 << 10)
/* The maximal number of values copied from a frozen segment at once, unless a single frame is larger. */
#define VALUES_TAKEN_OVER 64

/* Ends the item with its value. */
static int end_item(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots, vlad_value x) {
    struct machine *machine = vlad_private(m);
    (void)slots;
    machine->top = top;
    machine->fuel = fuel;
    machine->result = x;
    machine->status = VLAD_FINISHED;
    return 0;
}

static const struct vlad_frame base_frame = {.kind = VLAD_FRAME_BASE};

static struct vlad_segment *new_segment(struct machine *machine, size_t values) {
    if (values > (SIZE_MAX - sizeof(struct vlad_segment)) / sizeof(vlad_value)) return NULL;
    struct vlad_segment *segment = vlad_block_take(&machine->memory, sizeof *segment + values * sizeof(vlad_value));
    if (!segment) return NULL;
    segment->values = values;
    segment->references = 0;
    return segment;
}

/* A segment of at least `least` values: the spare one if it has that size and at most `most`; else a new one of `wanted`
 * values. */
static struct vlad_segment *some_segment(struct machine *machine, size_t least, size_t wanted, size_t most) {
    struct vlad_segment *segment = machine->spare;
    if (segment && segment->values >= least && segment->values <= most) {
        machine->spare = NULL;
        return segment;
    }
    segment = new_segment(machine, wanted < least ? least : wanted);
    if (!segment) vlad_out_of_memory(&machine->public);
    return segment;
}

/* Keeps the larger of the segment that is left and the spare one, and frees the other. */
static void give_segment(struct machine *machine, struct vlad_segment *left) {
    struct vlad_segment *smaller = left;
    if (!machine->spare || machine->spare->values < left->values) {
        smaller = machine->spare;
        machine->spare = left;
    }
    vlad_block_give(&machine->memory, smaller);
}

static void go_on_in(struct machine *machine, struct vlad_segment *segment) {
    machine->segment = segment;
    machine->public.stack_end = segment->contents + segment->values;
}

static void enter_segment(struct machine *machine, struct vlad_segment *segment, vlad_value *top_below) {
    segment->below = machine->segment;
    segment->top_below = top_below;
    go_on_in(machine, segment);
}

/* Drops the values of the frames between two tops. */
static void drop_frames(struct vlad_machine *m, vlad_value *top, const vlad_value *down_to) {
    while (top > down_to) {
        const struct vlad_frame *frame = vlad_frame_below(top);
        top--;
        for (uint32_t value = 0; value < frame->values; value++) vlad_drop(m, *--top);
    }
}

void vlad_segment_drop(struct machine *machine, struct vlad_segment *segment) {
    while (segment && --segment->references == 0) {
        struct vlad_segment *below = segment->below;
        drop_frames(&machine->public, segment->top, segment->contents + 1);
        vlad_block_give(&machine->memory, segment);
        segment = below;
    }
}

/* Makes a frozen segment part of the stack again, if only the segment above refers to it; returns its top. */
static vlad_value *thaw(struct machine *machine, struct vlad_segment *above) {
    struct vlad_segment *segment = above->below;
    vlad_value *top = above->top_below;
    drop_frames(&machine->public, segment->top, top);
    segment->references = 0;
    go_on_in(machine, segment);
    give_segment(machine, above);
    return top;
}

/* The number of values, links included, of the topmost frames of a frozen segment that are copied at once. */
static size_t values_to_take(const vlad_value *bottom, const vlad_value *top) {
    const vlad_value *down_to = top;
    do {
        const vlad_value *next = down_to - (vlad_frame_below(down_to)->values + 1);
        if (down_to != top && top - next > VALUES_TAKEN_OVER) break;
        down_to = next;
    } while (down_to > bottom);
    return (size_t)(top - down_to);
}

/* Adds references to the values of the frames that have been copied to below top. */
static void share_frames(const vlad_value *top, const vlad_value *down_to) {
    while (top > down_to) {
        const struct vlad_frame *frame = vlad_frame_below(top);
        top--;
        for (uint32_t value = 0; value < frame->values; value++) vlad_share(*--top);
    }
}

/* Releases frozen segments whose frames are all copied: the values that they hold have no further use here. */
static void skip_used_up(struct machine *machine, struct vlad_segment *segment) {
    while (segment->below && segment->top_below == segment->below->contents + 1) {
        struct vlad_segment *used_up = segment->below;
        segment->below = used_up->below;
        segment->top_below = used_up->top_below;
        if (segment->below) segment->below->references++;
        vlad_segment_drop(machine, used_up);
    }
}

/* Copies frames of the frozen segment below to the segment, which is empty; returns the new top. */
static vlad_value *take_frames_over(struct machine *machine) {
    struct vlad_segment *segment = machine->segment;
    size_t count = values_to_take(segment->below->contents + 1, segment->top_below);
    if (segment->values < count + 1) {
        struct vlad_segment *larger = some_segment(machine, count + 1, 2 * count, SIZE_MAX);
        larger->contents[0] = segment->contents[0];
        larger->below = segment->below;
        larger->top_below = segment->top_below;
        go_on_in(machine, larger);
        give_segment(machine, segment);
        segment = larger;
    }
    segment->top_below -= count;
    memcpy(segment->contents + 1, segment->top_below, count * sizeof(vlad_value));
    vlad_value *top = segment->contents + 1 + count;
    share_frames(top, segment->contents + 1);
    skip_used_up(machine, segment);
    return top;
}

/* Leaves a computation with a stack of its own: returns the value to the operator's frame. */
static int leave_stack(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots, vlad_value x) {
    struct machine *machine = vlad_private(m);
    (void)slots;
    top = vlad_stack_end(machine, vlad_innermost(machine));
    VLAD_RETURN(m, top, fuel, x);
}

static const struct vlad_frame bottom_frame = {.kind = VLAD_FRAME_BOTTOM};

/* Leaves a segment: returns the value to the frame below. */
static int leave_segment(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots,
                         vlad_value x) {
    struct machine *machine = vlad_private(m);
    struct vlad_segment *left = machine->segment;
    (void)slots;
    if (left->below && left->below->references > 0) skip_used_up(machine, left);
    if (!left->below) return leave_stack(m, top, fuel, 0, x);
    switch (left->below->references) {
    case 0:
        top = left->top_below;
        go_on_in(machine, left->below);
        give_segment(machine, left);
        break;
    case 1:
        top = thaw(machine, left);
        break;
    default:
        top = take_frames_over(machine);
    }
    VLAD_RETURN(m, top, fuel, x);
}

static const struct vlad_frame segment_frame = {.kind = VLAD_FRAME_SEGMENT};

int vlad_stack_init(struct machine *machine) {
    struct vlad_segment *segment = new_segment(machine, SMALLEST_SEGMENT / sizeof(vlad_value));
    if (!segment) return 0;
    enter_segment(machine, segment, NULL);
    segment->contents[0] = vlad_link(end_item, &base_frame);
    return 1;
}

/* An empty stack has left all segments but the first. */
vlad_value *vlad_stack_base(struct machine *machine) { return machine->segment->contents + 1; }

vlad_value *vlad_more_stack(struct vlad_machine *m, vlad_value *top, uint32_t values) {
    struct machine *machine = vlad_private(m);
    size_t wanted = machine->segment->values * 2;
    if (wanted < SMALLEST_SEGMENT / sizeof(vlad_value) / 4) wanted = SMALLEST_SEGMENT / sizeof(vlad_value) / 4;
    if (wanted > LARGEST_SEGMENT / sizeof(vlad_value)) wanted = LARGEST_SEGMENT / sizeof(vlad_value);
    struct vlad_segment *segment = some_segment(machine, (size_t)values + 1, wanted, SIZE_MAX);
    enter_segment(machine, segment, top);
    segment->contents[0] = vlad_link(leave_segment, &segment_frame);
    return segment->contents + 1;
}

vlad_value *vlad_stack_begin(struct machine *machine, struct vlad_computation *computation, vlad_value *top) {
    size_t wanted = FIRST_OF_COMPUTATION / sizeof(vlad_value);
    struct vlad_segment *segment = some_segment(machine, wanted, wanted, SMALLEST_SEGMENT / sizeof(vlad_value));
    computation->segment = machine->segment;
    computation->top = top;
    segment->below = NULL;
    segment->contents[0] = vlad_link(leave_stack, &bottom_frame);
    go_on_in(machine, segment);
    return segment->contents + 1;
}

vlad_value *vlad_stack_end(struct machine *machine, const struct vlad_computation *computation) {
    if (machine->segment) give_segment(machine, machine->segment);
    go_on_in(machine, computation->segment);
    return computation->top;
}

/* Shrinks the topmost segment to its used part. */
static struct vlad_segment *trimmed(struct machine *machine) {
    struct vlad_segment *segment = machine->segment;
    size_t used = (size_t)(machine->top - segment->contents);
    if (used > segment->values / 2) return segment;
    size_t bytes = sizeof *segment + used * sizeof(vlad_value);
    struct vlad_segment *smaller = vlad_block_resize(&machine->memory, segment, bytes);
    if (!smaller) return segment;
    smaller->values = used;
    machine->top = smaller->contents + used;
    return smaller;
}

struct vlad_segment *vlad_stack_freeze(struct machine *machine) {
    struct vlad_segment *innermost = trimmed(machine);
    vlad_value *segment_top = machine->top;
    for (struct vlad_segment *segment = innermost; segment && segment->references == 0; segment = segment->below) {
        segment->references = 1;
        segment->top = segment_top;
        segment_top = segment->top_below;
    }
    return innermost;
}

void vlad_stack_put_under(struct machine *machine, struct vlad_segment *segment) {
    struct vlad_segment *above = machine->segment;
    above->below = segment;
    above->top_below = segment->top;
    above->contents[0] = vlad_link(leave_segment, &segment_frame);
}

vlad_value *vlad_push_operator(struct vlad_machine *m, vlad_value *top, vlad_block *leave,
                               const struct vlad_frame *frame) {
    uint32_t values = frame->values;
    if (m->stack_end - top < (ptrdiff_t)values + 1) top = vlad_more_stack(m, top, values + 1);
    top += values;
    top[-2] = vlad_raw(m->call_node);
    top[-1] = vlad_raw(vlad_site(m));
    top[0] = vlad_link(leave, frame);
    return top + 1;
}
