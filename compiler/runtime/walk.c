/* Walking data of any depth: rebuilding it leaf by leaf, alone or in step with data that must have its shape.
 *
 * The parts of a pair are its two halves; the parts of a procedure are its slots; the parts of a tagged value are what has
 * the tag (reflection.h); the parts of a capsule are its reals, beside its skeleton, which is never walked but by itself
 * (capsule.c); the parts of a vector are its elements. Leaves are reals; the rest is discrete. User data are trees:
 * each position is visited, left to right. Where what is made of a leaf does not depend on its position, parts that are
 * shared may be rebuilt once: no program can tell.
 *
 * Follows shared's differentiation::rebuild. Where that collects the parts of an object before it makes it, here the
 * object is made first and what is to be done says which place it fills, so that a list takes no room on the worklist.
 * An object that is not yet filled is never read, since data is acyclic; after a fault it is left as it is.
 */
#include "machine_private.h"
#include "reflection.h"
#include "vector.h"
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
    enum vlad_primals primals;
    int paired; /* whether there is a companion */
    uint32_t role; /* of enum vlad_companion */
    uint64_t index; /* of the part at hand, if it is an element of a vector; else VLAD_NO_INDEX */
    const struct vlad_making *making;
    void *context;
};

static void push(struct walk *walk, struct vlad_walk_task task) {
    struct vlad_walk_memory *memory = walk->memory;
    if (memory->task_count == memory->task_capacity)
        memory->tasks = vlad_grown(walk->m, memory->tasks, &memory->task_capacity, 0, sizeof *memory->tasks);
    memory->tasks[memory->task_count++] = task;
}

/* The place in the table of what is made of a part and its companion: taken by it, or free. */
static struct vlad_walk_made *find(struct vlad_walk_memory *memory, vlad_part part, vlad_part companion) {
    uint64_t mixed = (uint64_t)part * 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ mixed >> 32 ^ (uint64_t)companion) * 0x9e3779b97f4a7c15u;
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

/* Where what is made of a task's part is noted, so that it is rebuilt once; 0 if the part does not occur again. */
static struct vlad_walk_made *noted(struct walk *walk, const struct vlad_walk_task *task) {
    const struct vlad_header *part = vlad_header_of(task->value);
    const struct vlad_header *companion = walk->paired ? vlad_header_of(task->companion) : 0;
    if (walk->sharing == VLAD_SHARING_UNDONE || !vlad_may_occur_again(part, task->reading) ||
        (companion && !vlad_may_occur_again(companion, task->companion_reading)))
        return 0;
    struct vlad_walk_memory *memory = walk->memory;
    if (memory->made_count >= memory->made_capacity / 2) widen(walk);
    vlad_part key = vlad_part_of(part, task->reading);
    vlad_part beside = companion ? vlad_part_of(companion, task->companion_reading) : 0;
    struct vlad_walk_made *made = find(memory, key, beside);
    if (!made->part) {
        made->part = key;
        made->companion = beside;
        made->made = 0;
        memory->made_count++;
    }
    return made;
}

/* The fault of parts that do not conform. */
static int nonconforming(struct walk *walk, const struct vlad_walk_task *task) {
    struct vlad_fault *fault = &walk->m->fault;
    fault->kind = VLAD_FAULT_CONFORMANCE;
    fault->detail = walk->role;
    fault->first = task->value;
    fault->second = task->companion;
    fault->index = walk->index;
    return 0;
}

/* Makes the pair at a task's place and leaves its second half to be done; the task becomes the first. 0 if the pair was
 * made already. */
static int begin_pair(struct walk *walk, struct vlad_walk_task *task) {
    struct vlad_pair *pair = vlad_as_pair(task->value), *beside = walk->paired ? vlad_as_pair(task->companion) : 0;
    struct vlad_walk_made *shared = noted(walk, task);
    if (shared && shared->made) {
        *task->place = vlad_share(vlad_make(VLAD_PAIR, (uint64_t)(uintptr_t)shared->made));
        return 0;
    }
    /* The object is made of its source's halves, which it does not own, until they are replaced. */
    *task->place = vlad_pair(walk->m, pair->first, pair->second);
    struct vlad_pair *made = vlad_as_pair(*task->place);
    if (shared) shared->made = made;
    task->value = pair->second;
    task->place = &made->second;
    if (beside) task->companion = beside->second;
    push(walk, *task);
    task->value = pair->first;
    task->place = &made->first;
    if (beside) task->companion = beside->first;
    return 1;
}

/* The same of something with slots, of which those before the first that is walked stay as they are. There is one to be
 * walked. */
static int begin_slots(struct walk *walk, struct vlad_walk_task *task, uint32_t first) {
    struct vlad_slots *slots = vlad_as_slots(task->value), *beside = walk->paired ? vlad_as_slots(task->companion) : 0;
    struct vlad_walk_made *shared = noted(walk, task);
    uint32_t count = slots->header.extent;
    if (shared && shared->made) {
        *task->place = vlad_share(vlad_make(task->value.tag, (uint64_t)(uintptr_t)shared->made));
        return 0;
    }
    struct vlad_slots *made = walk->m->services->new_slots(walk->m, count);
    *task->place = vlad_make(task->value.tag, (uint64_t)(uintptr_t)made);
    if (shared) shared->made = made;
    for (uint32_t slot = 0; slot < first; slot++) made->values[slot] = vlad_share(slots->values[slot]);
    for (uint32_t slot = count; slot-- > first;) {
        task->value = slots->values[slot];
        task->place = &made->values[slot];
        if (beside) task->companion = beside->values[slot];
        if (slot > first) push(walk, *task);
    }
    return 1;
}

/* Whether what is made of a task's part has its primals. */
static int has_same_primals(const struct walk *walk, const struct vlad_walk_task *task) {
    return walk->primals == VLAD_PRIMALS_SAME && task->reading == VLAD_AS_IS;
}

/* The slots of a tagged value that are walked are its parts: what is made of a constant is a bundle, and what is made of a
 * backpropagator has no record. */
static int begin_tagged(struct walk *walk, struct vlad_walk_task *task) {
    vlad_value value = task->value, companion = task->companion;
    struct vlad_slots *slots = vlad_as_slots(value);
    uint32_t kind = vlad_kind(value) == VLAD_CONSTANT ? (uint32_t)VLAD_BUNDLE : vlad_kind(value);
    /* A sum is marked as either summand is, so that their order does not matter. */
    if (walk->paired && walk->role == VLAD_SUMMAND && vlad_kind(companion) == VLAD_MARKED_BUNDLE)
        kind = VLAD_MARKED_BUNDLE;
    struct vlad_walk_made *shared = noted(walk, task);
    if (shared && shared->made) {
        *task->place = vlad_share(vlad_make(kind, (uint64_t)(uintptr_t)shared->made));
        return 0;
    }
    uint32_t count = vlad_kind(value) == VLAD_CONSTANT ? 2 : slots->header.extent;
    struct vlad_slots *made = walk->m->services->new_slots(walk->m, count);
    *task->place = vlad_make(kind, (uint64_t)(uintptr_t)made);
    if (shared) shared->made = made;
    if (kind == VLAD_BACKPROPAGATOR) {
        made->values[VLAD_BACK_Y] = vlad_nil();
        made->values[VLAD_BACK_RECORD] = vlad_raw(0);
        made->values[VLAD_BACK_READS] = vlad_nil();
        if (has_same_primals(walk, task) && vlad_is_of_application(value))
            made->values[VLAD_BACK_READS] = vlad_raw((uint64_t)(uintptr_t)vlad_reads_share(vlad_reads_in(slots)));
    }
    if (vlad_has_second_part(value)) {
        struct vlad_seen second = vlad_second_part(value, task->reading);
        struct vlad_walk_task other = {second.value, companion, &made->values[1], second.reading, VLAD_AS_IS, 0};
        if (walk->paired) {
            struct vlad_seen beside = vlad_second_part(companion, task->companion_reading);
            other.companion = beside.value;
            other.companion_reading = beside.reading;
        }
        push(walk, other);
    }
    task->value = vlad_content(value);
    task->place = &made->values[0];
    if (walk->paired) task->companion = vlad_content(companion);
    return 1;
}

static int have_same_code(struct walk *walk, vlad_value one, vlad_value other) {
    return vlad_code_class(walk->m, vlad_lambda_of(one)) == vlad_code_class(walk->m, vlad_lambda_of(other));
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

/* What is made of a number, or of a hole. */
static vlad_value leaf_of(struct walk *walk, const struct vlad_walk_task *task) {
    vlad_value number = vlad_read_number(task->value, task->reading);
    vlad_value companion = walk->paired ? vlad_read_number(task->companion, task->companion_reading) : vlad_nil();
    return walk->making->number(walk->m, walk->context, number, companion);
}

/* A real, or a hole, of a vector as it is read, owned. */
static vlad_value read_element(struct vlad_machine *m, const struct vlad_vector *v, uint64_t index,
                               enum vlad_reading reading) {
    return reading == VLAD_AS_ZERO ? vlad_real(0.0) : vlad_vector_element(m, v, index);
}

/* Notes that elements do not conform, one of which is no real. */
static int elements_nonconforming(struct walk *walk, const struct vlad_walk_task *task, uint64_t index) {
    struct vlad_walk_task elements = *task;
    elements.value = vlad_vector_element(walk->m, vlad_as_vector(task->value), index);
    elements.companion = vlad_vector_element(walk->m, vlad_as_vector(task->companion), index);
    walk->index = index;
    return nonconforming(walk, &elements);
}

static int is_real_at(const struct vlad_vector *v, uint64_t index) {
    return vlad_has_reals(v) || vlad_is_number(v->elements.values[index]);
}

/* Makes the vector at a task's place, of which each element, or each of the companion, is a real, or a hole. */
static int make_of_reals(struct walk *walk, const struct vlad_walk_task *task) {
    struct vlad_machine *m = walk->m;
    const struct vlad_vector *v = vlad_as_vector(task->value);
    const struct vlad_vector *beside = walk->paired ? vlad_as_vector(task->companion) : 0;
    struct vlad_vector *made = vlad_vector_new(m, v->length);
    for (uint64_t index = 0; index < v->length; index++) {
        if (!goes_on(walk)) return 0;
        if (beside && !(is_real_at(v, index) && is_real_at(beside, index)))
            return elements_nonconforming(walk, task, index);
        vlad_value number = read_element(m, v, index, task->reading);
        vlad_value companion = beside ? read_element(m, beside, index, task->companion_reading) : vlad_nil();
        vlad_vector_append(m, made, walk->making->number(m, walk->context, number, companion));
        vlad_drop(m, number);
        vlad_drop(m, companion);
    }
    *task->place = vlad_vector_value(made);
    return 1;
}

/* Whether a vector has nothing but reals and holes, in whatever form. */
static int has_numbers(const struct vlad_vector *v) {
    for (uint64_t index = 0; !vlad_has_reals(v) && index < v->length; index++)
        if (!vlad_is_number(v->elements.values[index]) && vlad_kind(v->elements.values[index]) != VLAD_HOLE) return 0;
    return 1;
}

/* What is made of vectors of reals as a whole; 0 if they have to be gone through. */
static struct vlad_vector *made_at_once(struct walk *walk, const struct vlad_walk_task *task) {
    struct vlad_vector *v = vlad_as_vector(task->value), *beside = walk->paired ? vlad_as_vector(task->companion) : 0;
    if (!walk->making->vector || task->reading != VLAD_AS_IS || !vlad_has_reals(v)) return 0;
    if (beside && (task->companion_reading != VLAD_AS_IS || !vlad_has_reals(beside))) return 0;
    return walk->making->vector(walk->m, walk->context, v, beside);
}

/* Makes the vector at a task's place, and leaves its elements to be done if they are values. */
static int begin_vector(struct walk *walk, const struct vlad_walk_task *task) {
    struct vlad_vector *v = vlad_as_vector(task->value), *beside = walk->paired ? vlad_as_vector(task->companion) : 0;
    struct vlad_walk_made *shared = noted(walk, task);
    if (shared && shared->made) {
        *task->place = vlad_vector_value(vlad_vector_share(shared->made));
        return 1;
    }
    struct vlad_vector *made = made_at_once(walk, task);
    if (made) {
        *task->place = vlad_vector_value(made);
    } else if (beside ? vlad_has_reals(v) || vlad_has_reals(beside) : has_numbers(v)) {
        if (!make_of_reals(walk, task)) return 0;
    } else {
        made = vlad_vector_of_values(walk->m, v->length);
        if (vlad_levels_of(walk->m)->count > 0) vlad_note_lifted(made);
        *task->place = vlad_vector_value(made);
        struct vlad_walk_task elements = *task;
        elements.place = made->elements.values;
        elements.elements = v->length;
        push(walk, elements);
    }
    if (shared) shared->made = vlad_as_vector(*task->place);
    return 1;
}

/* The first of some elements becomes the task; the others are left to be done. */
static void begin_elements(struct walk *walk, struct vlad_walk_task *task) {
    const struct vlad_vector *v = vlad_as_vector(task->value);
    uint64_t index = v->length - task->elements;
    if (task->elements > 1) {
        struct vlad_walk_task rest = *task;
        rest.elements--;
        rest.place++;
        push(walk, rest);
    }
    task->elements = 0;
    walk->index = index;
    task->value = v->elements.values[index];
    if (walk->paired) task->companion = vlad_as_vector(task->companion)->elements.values[index];
}

/* Whether there is no companion, or one that is a vector of the same length. */
static int has_same_length(const struct walk *walk, const struct vlad_walk_task *task) {
    if (!walk->paired) return 1;
    if (!vlad_is_vector(task->companion)) return 0;
    return vlad_as_vector(task->value)->length == vlad_as_vector(task->companion)->length;
}

/* Whether a companion is the same discrete value. */
static int is_same_discrete(struct walk *walk, vlad_value value, vlad_value companion) {
    if (value.tag == companion.tag && value.word == companion.word) return 1;
    return vlad_kind(value) == VLAD_PLAIN && vlad_has_code(companion) && have_same_code(walk, value, companion);
}

/* Fills a place and what lies under it to the left; what lies to the right is left to be done. */
static int descend(struct walk *walk, struct vlad_walk_task task) {
    int paired = walk->paired;
    walk->index = VLAD_NO_INDEX;
    if (task.elements) begin_elements(walk, &task);
    for (;;) {
        if (!goes_on(walk)) return 0;
        if (vlad_is_number(task.value) && (!paired || vlad_is_number(task.companion))) {
            *task.place = leaf_of(walk, &task);
            return 1;
        }
        if (vlad_is_pair(task.value) && (!paired || vlad_is_pair(task.companion))) {
            if (!begin_pair(walk, &task)) return 1;
        } else if (vlad_is_vector(task.value) && has_same_length(walk, &task)) {
            return begin_vector(walk, &task);
        } else if (vlad_kind(task.value) == VLAD_PROCEDURE && (!paired || vlad_has_code(task.companion))) {
            if (paired && !have_same_code(walk, task.value, task.companion)) return nonconforming(walk, &task);
            if (!begin_slots(walk, &task, 0)) return 1;
        } else if (vlad_is_tagged(task.value) && (!paired || vlad_have_same_tag(task.value, task.companion))) {
            if (!begin_tagged(walk, &task)) return 1;
        } else if (vlad_kind(task.value) == VLAD_CAPSULE && (!paired || vlad_kind(task.companion) == VLAD_CAPSULE)) {
            if (paired && !is_of_same_computation(walk, task.value, task.companion))
                return walk->m->fault.kind ? 0 : nonconforming(walk, &task);
            if (vlad_as_slots(task.value)->header.extent == FIRST_REAL) {
                *task.place = vlad_share(task.value);
                return 1;
            }
            int has_same = has_same_primals(walk, &task);
            vlad_value *place = task.place;
            int goes_into = begin_slots(walk, &task, FIRST_REAL);
            if (!has_same) vlad_capsule_has_others(*place);
            if (!goes_into) return 1;
        } else if (vlad_kind(task.value) == VLAD_SKELETON) {
            if (!begin_slots(walk, &task, 0)) return 1;
        } else if (vlad_kind(task.value) == VLAD_HOLE) {
            *task.place = leaf_of(walk, &task);
            return 1;
        } else {
            if (paired && !is_same_discrete(walk, task.value, task.companion)) return nonconforming(walk, &task);
            *task.place = task.value;
            return 1;
        }
        if (!goes_on(walk)) return 0; /* for making the object */
        walk->index = VLAD_NO_INDEX;
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
    struct vlad_walk_task task = {value, companion, &result, VLAD_AS_IS, VLAD_AS_IS, 0};
    while (descend(walk, task) && walk->memory->task_count > 0) task = walk->memory->tasks[--walk->memory->task_count];
    tidy(walk->memory);
    return walk->m->fault.kind ? vlad_nil() : result;
}

vlad_value vlad_rebuild(struct vlad_machine *m, vlad_value value, enum vlad_sharing sharing, enum vlad_primals primals,
                        const struct vlad_making *making, void *context) {
    if (vlad_is_number(value)) return vlad_work(m) ? making->number(m, context, value, vlad_nil()) : vlad_nil();
    struct walk walk = {m, &vlad_levels_of(m)->walk, sharing, primals, 0, VLAD_TANGENT, VLAD_NO_INDEX, making, context};
    return run(&walk, value, vlad_nil());
}

vlad_value vlad_rebuild_with(struct vlad_machine *m, vlad_value value, vlad_value companion, uint32_t role,
                             enum vlad_sharing sharing, enum vlad_primals primals,
                             const struct vlad_making *making, void *context) {
    if (vlad_is_number(value) && vlad_is_number(companion))
        return vlad_work(m) ? making->number(m, context, value, companion) : vlad_nil();
    struct walk walk = {m, &vlad_levels_of(m)->walk, sharing, primals, 1, role, VLAD_NO_INDEX, making, context};
    return run(&walk, value, companion);
}
