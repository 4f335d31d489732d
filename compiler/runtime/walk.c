/* Walking data of any depth: rebuilding it leaf by leaf, alone or in step with data that must have its shape.
 *
 * The parts of a pair are its two halves; the parts of a procedure are its slots; the parts of a capsule are its reals,
 * beside its skeleton, which is never walked but by itself (capsule.c). Leaves are reals; the rest is discrete. User data are trees: each position is visited, left to right. Where what is made of a leaf does not depend
 * on its position, parts that are shared may be rebuilt once: no program can tell.
 *
 * Follows shared's differentiation::rebuild. Where that collects the parts of an object before it makes it, here the
 * object is made first and what is to be done says which place it fills, so that a list takes no room on the worklist.
 * An object that is not yet filled is never read, since data is acyclic; after a fault it is left as it is.
 */
#include "machine_private.h"
#include <stdlib.h>

/* The most bytes of either part of the memory of walks that are kept for the next. */
#define MOST_BYTES_KEPT ((size_t)1 << 18)
/* The places of the smallest table. */
#define SMALLEST_TABLE ((size_t)64)
/* A table of more places than this for each part that a walk has noted is too large for walks like it: to clear it would
 * take longer than they do. One that was just widened has at most four, so walks of similar sizes share a table. */
#define MOST_PLACES_FOR_PART ((size_t)16)

/* A walk under way. */
struct walk {
    struct vlad_machine *m;
    struct vlad_walk_memory *memory;
    enum vlad_sharing sharing;
    int paired; /* whether there is a companion */
    uint32_t role; /* of enum vlad_companion */
    vlad_leaf *leaf;
    void *context;
};

static void push(struct walk *walk, vlad_value value, vlad_value companion, vlad_value *place) {
    struct vlad_walk_memory *memory = walk->memory;
    if (memory->task_count == memory->task_capacity)
        memory->tasks = vlad_grown(walk->m, memory->tasks, &memory->task_capacity, 0, sizeof *memory->tasks);
    struct vlad_walk_task *task = &memory->tasks[memory->task_count++];
    task->value = value;
    task->companion = companion;
    task->place = place;
}

/* The place in the table of what is made of a part and its companion: taken by it, or free. */
static struct vlad_walk_made *find(struct vlad_walk_memory *memory, const void *part, const void *companion) {
    uint64_t mixed = (uint64_t)(uintptr_t)part * 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ mixed >> 32 ^ (uint64_t)(uintptr_t)companion) * 0x9e3779b97f4a7c15u;
    size_t place = (size_t)(mixed >> 20) & (memory->made_capacity - 1);
    for (;;) {
        struct vlad_walk_made *made = &memory->made[place];
        if (!made->part || (made->part == part && made->companion == companion)) return made;
        place = (place + 1) & (memory->made_capacity - 1);
    }
}

/* Twice the room, or the first. */
static void widen(struct walk *walk) {
    struct vlad_walk_memory *memory = walk->memory;
    size_t old_capacity = memory->made_capacity;
    struct vlad_walk_made *old = memory->made;
    size_t capacity = old_capacity ? old_capacity * 2 : SMALLEST_TABLE;
    struct vlad_walk_made *wider = calloc(capacity, sizeof *wider);
    if (!wider) vlad_out_of_memory(walk->m);
    memory->made = wider;
    memory->made_capacity = capacity;
    for (size_t place = 0; place < old_capacity; place++)
        if (old[place].part) *find(memory, old[place].part, old[place].companion) = old[place];
    free(old);
}

/* Where what is made of a part that is shared is noted, so that it is rebuilt once; 0 if the part is not shared. */
static struct vlad_walk_made *noted(struct walk *walk, const struct vlad_header *part,
                                    const struct vlad_header *companion) {
    if (walk->sharing == VLAD_SHARING_UNDONE || part->count <= 1 || (companion && companion->count <= 1)) return 0;
    struct vlad_walk_memory *memory = walk->memory;
    if (memory->made_count >= memory->made_capacity / 2) widen(walk);
    struct vlad_walk_made *made = find(memory, part, companion);
    if (!made->part) {
        made->part = part;
        made->companion = companion;
        made->made = 0;
        memory->made_count++;
    }
    return made;
}

/* The fault of parts that do not conform. */
static void nonconforming(struct walk *walk, vlad_value value, vlad_value companion) {
    struct vlad_fault *fault = &walk->m->fault;
    fault->kind = VLAD_FAULT_CONFORMANCE;
    fault->detail = walk->role;
    fault->first = value;
    fault->second = companion;
}

/* Makes the pair at a place and leaves its second half to be done; gives the place of the first, or 0 if the pair was
 * made already. */
static vlad_value *begin_pair(struct walk *walk, vlad_value value, vlad_value companion, vlad_value *place) {
    struct vlad_pair *pair = vlad_as_pair(value), *beside = walk->paired ? vlad_as_pair(companion) : 0;
    struct vlad_walk_made *shared = noted(walk, &pair->header, beside ? &beside->header : 0);
    if (shared && shared->made) {
        *place = vlad_share(vlad_make(VLAD_PAIR, (uint64_t)(uintptr_t)shared->made));
        return 0;
    }
    /* The object is made of its source's halves, which it does not own, until they are replaced. */
    *place = vlad_pair(walk->m, pair->first, pair->second);
    struct vlad_pair *made = vlad_as_pair(*place);
    if (shared) shared->made = made;
    push(walk, pair->second, beside ? beside->second : vlad_nil(), &made->second);
    return &made->first;
}

/* The same of something with slots, of which those before the first that is walked stay as they are. There is one to be
 * walked. */
static vlad_value *begin_slots(struct walk *walk, vlad_value value, vlad_value companion, uint32_t first,
                               vlad_value *place) {
    struct vlad_slots *slots = vlad_as_slots(value), *beside = walk->paired ? vlad_as_slots(companion) : 0;
    struct vlad_walk_made *shared = noted(walk, &slots->header, beside ? &beside->header : 0);
    uint32_t count = slots->header.extent;
    if (shared && shared->made) {
        *place = vlad_share(vlad_make(value.tag, (uint64_t)(uintptr_t)shared->made));
        return 0;
    }
    struct vlad_slots *made = walk->m->services->new_slots(walk->m, count);
    *place = vlad_make(value.tag, (uint64_t)(uintptr_t)made);
    if (shared) shared->made = made;
    for (uint32_t slot = 0; slot < first; slot++) made->values[slot] = vlad_share(slots->values[slot]);
    for (uint32_t slot = count; slot-- > first + 1;)
        push(walk, slots->values[slot], beside ? beside->values[slot] : vlad_nil(), &made->values[slot]);
    return &made->values[first];
}

static int is_procedure(vlad_value v) {
    uint32_t kind = vlad_kind(v);
    return kind == VLAD_PROCEDURE || kind == VLAD_PLAIN;
}

/* The slots of a capsule that are its reals come behind its skeleton. */
#define FIRST_REAL 1u

/* Whether a companion is a capsule of the same computation. */
static int is_of_same_computation(struct walk *walk, vlad_value value, vlad_value companion) {
    const struct vlad_slots *slots = vlad_as_slots(value), *beside = vlad_as_slots(companion);
    return slots->header.extent == beside->header.extent &&
           vlad_same_skeleton(walk->m, slots->values[0], beside->values[0]);
}

/* Whether the walk goes on after one more unit of work. A tape that is full stops it only afterwards, as in shared:
 * that the companion does not conform is told first. */
static int goes_on(struct walk *walk) {
    return vlad_work(walk->m) || walk->m->fault.kind == VLAD_FAULT_TAPE;
}

/* Fills a place and what lies under it to the left; what lies to the right is left to be done. */
static int descend(struct walk *walk, struct vlad_walk_task task) {
    vlad_value value = task.value, companion = task.companion, *place = task.place;
    for (;;) {
        if (!goes_on(walk)) return 0;
        if (vlad_is_number(value) && (!walk->paired || vlad_is_number(companion))) {
            *place = walk->leaf(walk->m, walk->context, value, companion);
            return 1;
        }
        if (vlad_is_pair(value) && (!walk->paired || vlad_is_pair(companion))) {
            place = begin_pair(walk, value, companion, place);
            if (!place) return 1;
            value = vlad_as_pair(value)->first;
            if (walk->paired) companion = vlad_as_pair(companion)->first;
        } else if (vlad_kind(value) == VLAD_PROCEDURE && (!walk->paired || is_procedure(companion))) {
            if (walk->paired && vlad_code_class(walk->m, vlad_lambda_of(value)) !=
                                    vlad_code_class(walk->m, vlad_lambda_of(companion))) {
                nonconforming(walk, value, companion);
                return 0;
            }
            place = begin_slots(walk, value, companion, 0, place);
            if (!place) return 1;
            value = vlad_as_slots(value)->values[0];
            if (walk->paired) companion = vlad_as_slots(companion)->values[0];
        } else if (vlad_kind(value) == VLAD_CAPSULE && (!walk->paired || vlad_kind(companion) == VLAD_CAPSULE)) {
            if (walk->paired && !is_of_same_computation(walk, value, companion)) {
                if (!walk->m->fault.kind) nonconforming(walk, value, companion);
                return 0;
            }
            if (vlad_as_slots(value)->header.extent == FIRST_REAL) {
                *place = vlad_share(value);
                return 1;
            }
            place = begin_slots(walk, value, companion, FIRST_REAL, place);
            if (!place) return 1;
            value = vlad_as_slots(value)->values[FIRST_REAL];
            if (walk->paired) companion = vlad_as_slots(companion)->values[FIRST_REAL];
        } else if (vlad_kind(value) == VLAD_SKELETON) {
            place = begin_slots(walk, value, companion, 0, place);
            if (!place) return 1;
            value = vlad_as_slots(value)->values[0];
        } else if (vlad_kind(value) == VLAD_HOLE) {
            *place = walk->leaf(walk->m, walk->context, value, vlad_nil());
            return 1;
        } else {
            int same = !walk->paired || (value.tag == companion.tag && value.word == companion.word) ||
                       (vlad_kind(value) == VLAD_PLAIN && is_procedure(companion) &&
                        vlad_code_class(walk->m, vlad_lambda_of(value)) ==
                            vlad_code_class(walk->m, vlad_lambda_of(companion)));
            if (!same) {
                nonconforming(walk, value, companion);
                return 0;
            }
            *place = value;
            return 1;
        }
        if (!goes_on(walk)) return 0; /* for making the object */
    }
}

static int table_is_too_large(const struct vlad_walk_memory *memory) {
    if (memory->made_capacity > MOST_BYTES_KEPT / sizeof *memory->made) return 1;
    return memory->made_capacity > SMALLEST_TABLE &&
           memory->made_capacity / MOST_PLACES_FOR_PART > memory->made_count;
}

/* Makes room again after a walk, in time in proportion to what it has noted. */
static void tidy(struct vlad_walk_memory *memory) {
    memory->task_count = 0;
    if (memory->task_capacity > MOST_BYTES_KEPT / sizeof *memory->tasks) {
        free(memory->tasks);
        memory->tasks = 0;
        memory->task_capacity = 0;
    }
    if (!memory->made_count) return;
    if (table_is_too_large(memory)) {
        free(memory->made);
        memory->made = 0;
        memory->made_capacity = 0;
    } else {
        memset(memory->made, 0, memory->made_capacity * sizeof *memory->made);
    }
    memory->made_count = 0;
}

static vlad_value run(struct walk *walk, vlad_value value, vlad_value companion) {
    vlad_value result = vlad_nil();
    struct vlad_walk_task task = {value, companion, &result};
    while (descend(walk, task) && walk->memory->task_count > 0) task = walk->memory->tasks[--walk->memory->task_count];
    tidy(walk->memory);
    return walk->m->fault.kind ? vlad_nil() : result;
}

vlad_value vlad_rebuild(struct vlad_machine *m, vlad_value value, enum vlad_sharing sharing, vlad_leaf *leaf,
                        void *context) {
    if (vlad_is_number(value)) return vlad_work(m) ? leaf(m, context, value, vlad_nil()) : vlad_nil();
    struct walk walk = {m, &vlad_levels_of(m)->walk, sharing, 0, VLAD_TANGENT, leaf, context};
    return run(&walk, value, vlad_nil());
}

vlad_value vlad_rebuild_with(struct vlad_machine *m, vlad_value value, vlad_value companion, uint32_t role,
                             enum vlad_sharing sharing, vlad_leaf *leaf, void *context) {
    if (vlad_is_number(value) && vlad_is_number(companion))
        return vlad_work(m) ? leaf(m, context, value, companion) : vlad_nil();
    struct walk walk = {m, &vlad_levels_of(m)->walk, sharing, 1, role, leaf, context};
    return run(&walk, value, companion);
}
