/* The stack of continuation frames, in segments: it grows without being copied and takes memory by need.
 *
 * Invariants. Every segment but the first begins with a link of kind VLAD_FRAME_SEGMENT, which goes on in the segment
 * below; the first begins with the link of kind VLAD_FRAME_BASE, which ends the item. A segment that is left is kept for
 * the next time, so that a loop across its border costs little.
 */
#include "machine_private.h"

#define SMALLEST_SEGMENT ((size_t)64 << 10)
#define LARGEST_SEGMENT ((size_t)4 << 20)

/* The value of the item. */
static int end_item(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots, vlad_value x) {
    struct machine *machine = vlad_private(m);
    (void)slots;
    machine->top = top;
    machine->fuel = fuel;
    machine->result = x;
    machine->status = VLAD_FINISHED;
    return 0;
}

static const struct vlad_frame base_frame = {VLAD_FRAME_BASE, 0, 0, 0};

/* Leaves a segment: the value goes to the frame below. */
static int leave_segment(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots,
                         vlad_value x) {
    struct machine *machine = vlad_private(m);
    struct vlad_segment *left = machine->segment;
    (void)slots;
    top = left->top_below;
    machine->segment = left->below;
    m->stack_end = machine->segment->contents + machine->segment->values;
    struct vlad_segment *smaller = left;
    if (!machine->spare || machine->spare->values < left->values) {
        smaller = machine->spare;
        machine->spare = left;
    }
    vlad_block_give(&machine->memory, smaller);
    VLAD_RETURN(m, top, fuel, x);
}

static const struct vlad_frame segment_frame = {VLAD_FRAME_SEGMENT, 0, 0, 0};

static struct vlad_segment *new_segment(struct machine *machine, size_t values) {
    if (values > (SIZE_MAX - sizeof(struct vlad_segment)) / sizeof(vlad_value)) return NULL;
    struct vlad_segment *segment = vlad_block_take(&machine->memory, sizeof *segment + values * sizeof(vlad_value));
    if (segment) segment->values = values;
    return segment;
}

static void enter_segment(struct machine *machine, struct vlad_segment *segment, vlad_value *top_below) {
    segment->below = machine->segment;
    segment->top_below = top_below;
    machine->segment = segment;
    machine->public.stack_end = segment->contents + segment->values;
}

int vlad_stack_init(struct machine *machine) {
    struct vlad_segment *segment = new_segment(machine, SMALLEST_SEGMENT / sizeof(vlad_value));
    if (!segment) return 0;
    enter_segment(machine, segment, NULL);
    segment->contents[0] = vlad_link(end_item, &base_frame);
    return 1;
}

/* A stack that is used up has left all segments but the first. */
vlad_value *vlad_stack_base(struct machine *machine) { return machine->segment->contents + 1; }

vlad_value *vlad_more_stack(struct vlad_machine *m, vlad_value *top, uint32_t values) {
    struct machine *machine = vlad_private(m);
    size_t needed = (size_t)values + 1;
    struct vlad_segment *segment = machine->spare;
    machine->spare = NULL;
    if (segment && segment->values < needed) {
        vlad_block_give(&machine->memory, segment);
        segment = NULL;
    }
    if (!segment) {
        size_t wanted = machine->segment->values * 2;
        if (wanted > LARGEST_SEGMENT / sizeof(vlad_value)) wanted = LARGEST_SEGMENT / sizeof(vlad_value);
        segment = new_segment(machine, wanted < needed ? needed : wanted);
        if (!segment) vlad_out_of_memory(m);
    }
    enter_segment(machine, segment, top);
    segment->contents[0] = vlad_link(leave_segment, &segment_frame);
    return segment->contents + 1;
}
