/* Traversals that rebuild data of any depth leaf by leaf, alone or in parallel with a companion, which must have the
 * same shape.
 *
 * The parts of a pair are its two halves; the parts of a procedure are its captured slots; the parts of a tagged value
 * are its content (tagged.h); the parts of a capsule are its reals, not its skeleton, which is only traversed by itself
 * (capsule.c); the parts of a vector are its elements. Leaves are reals; all else is discrete. User data are trees:
 * each position is visited, left to right. If the result for a leaf does not depend on its position, shared parts may
 * be rebuilt once: no program can observe it.
 *
 * The counterpart of shared/ad/src/rebuild, with one difference: an object is made before its parts, and each task
 * names the place that it fills. So a list needs no space on the worklist. An incomplete object is never read, since
 * data is acyclic; after a fault it stays incomplete.
 */
#include "walk.h"
#include "equal.h"
#include "exits.h"
#include "memory.h"
#include "number.h"
#include "record.h"
#include "table.h"
#include "tagged.h"
#include "vector.h"
#include <stdlib.h>

/* The maximal size in bytes of the tasks of a traversal that is kept for the next. */
#define MOST_BYTES_KEPT ((size_t)1 << 18)

/* A task of a traversal: a part of a datum, its companion, the reading of both, and the place for the result; or a number
 * of elements at the end of a vector, and the place for the first of them. */
struct vlad_walk_task {
    vlad_value value;
    vlad_value companion;
    vlad_value *place;
    enum vlad_reading reading;
    enum vlad_reading companion_reading;
    uint64_t elements; /* 0 if the task is a part */
};

/* An entry of the memo table: the word of the result already made for a shared part and its companion. */
struct made {
    vlad_part part;
    vlad_part companion;
    uint64_t word;
};
static const struct vlad_shape of_made = {sizeof(struct made), 2};

/* A traversal under way. */
struct walk {
    struct vlad_machine *m;
    struct vlad_walk_memory *memory;
    enum vlad_sharing sharing;
    enum vlad_primals primals;
    int paired; /* true if there is a companion */
    uint32_t role; /* of enum vlad_companion */
    uint64_t index; /* of the current part, if it is an element of a vector; else VLAD_NO_INDEX */
    const struct vlad_making *making;
    void *context;
};

static void push(struct walk *walk, struct vlad_walk_task task) {
    struct vlad_walk_memory *memory = walk->memory;
    if (memory->task_count == memory->task_capacity)
        memory->tasks = vlad_grown(walk->m, memory->tasks, &memory->task_capacity, 0, sizeof *memory->tasks);
    memory->tasks[memory->task_count++] = task;
}

/* The memo entry for a task's part, so that it is rebuilt once; 0 if the part does not occur again. */
static struct made *noted(struct walk *walk, const struct vlad_walk_task *task) {
    const struct vlad_header *part = vlad_header_of(task->value);
    const struct vlad_header *companion = walk->paired ? vlad_header_of(task->companion) : 0;
    if (walk->sharing == VLAD_SHARING_UNDONE || !vlad_may_occur_again(part, task->reading) ||
        (companion && !vlad_may_occur_again(companion, task->companion_reading)))
        return 0;
    vlad_part beside = companion ? vlad_part_of(companion, task->companion_reading) : 0;
    return vlad_table_enter(walk->m, &walk->memory->made, of_made, vlad_part_of(part, task->reading), beside);
}

/* Records the fault of parts that do not conform. */
static int nonconforming(struct walk *walk, const struct vlad_walk_task *task) {
    struct vlad_fault *fault = &walk->m->fault;
    fault->kind = VLAD_FAULT_CONFORMANCE;
    fault->detail = walk->role;
    fault->first = task->value;
    fault->second = task->companion;
    fault->index = walk->index;
    return 0;
}

/* Makes the pair at a task's place and pushes its second half as a task; the task becomes the first half. Returns 0 if
 * the pair was already made. */
static int begin_pair(struct walk *walk, struct vlad_walk_task *task) {
    struct vlad_pair *pair = vlad_as_pair(task->value), *beside = walk->paired ? vlad_as_pair(task->companion) : 0;
    struct made *shared = noted(walk, task);
    if (shared && shared->word) {
        *task->place = vlad_share(vlad_make(VLAD_PAIR, shared->word));
        return 0;
    }
    /* The new pair holds the halves of its source, without references, until they are replaced. */
    *task->place = vlad_pair(walk->m, pair->first, pair->second);
    struct vlad_pair *made = vlad_as_pair(*task->place);
    if (shared) shared->word = task->place->word;
    task->value = pair->second;
    task->place = &made->second;
    if (beside) task->companion = beside->second;
    push(walk, *task);
    task->value = pair->first;
    task->place = &made->first;
    if (beside) task->companion = beside->first;
    return 1;
}

/* The same for an object with slots, of which those before `first` are shared unchanged. At least one slot is visited. */
static int begin_slots(struct walk *walk, struct vlad_walk_task *task, uint32_t first) {
    struct vlad_slots *slots = vlad_as_slots(task->value), *beside = walk->paired ? vlad_as_slots(task->companion) : 0;
    struct made *shared = noted(walk, task);
    uint32_t count = slots->header.extent;
    if (shared && shared->word) {
        *task->place = vlad_share(vlad_make(task->value.tag, shared->word));
        return 0;
    }
    struct vlad_slots *made = vlad_make_slots(walk->m, count);
    *task->place = vlad_make(task->value.tag, (uint64_t)(uintptr_t)made);
    if (shared) shared->word = task->place->word;
    for (uint32_t slot = 0; slot < first; slot++) made->values[slot] = vlad_share(slots->values[slot]);
    for (uint32_t slot = count; slot-- > first;) {
        task->value = slots->values[slot];
        task->place = &made->values[slot];
        if (beside) task->companion = beside->values[slot];
        if (slot > first) push(walk, *task);
    }
    return 1;
}

/* True if the result for a task's part has its primals. */
static int has_same_primals(const struct walk *walk, const struct vlad_walk_task *task) {
    return walk->primals == VLAD_PRIMALS_SAME && task->reading == VLAD_AS_IS;
}

/* The same for a tagged value, whose parts are visited: the result for a constant is a bundle, and the result for a
 * backpropagator has no record. */
static int begin_tagged(struct walk *walk, struct vlad_walk_task *task) {
    vlad_value value = task->value, companion = task->companion;
    struct vlad_slots *slots = vlad_as_slots(value);
    uint32_t kind = vlad_kind(value) == VLAD_CONSTANT ? (uint32_t)VLAD_BUNDLE : vlad_kind(value);
    /* A sum is marked if either summand is, so that their order does not matter. */
    if (walk->paired && walk->role == VLAD_SUMMAND && vlad_kind(companion) == VLAD_MARKED_BUNDLE)
        kind = VLAD_MARKED_BUNDLE;
    struct made *shared = noted(walk, task);
    if (shared && shared->word) {
        *task->place = vlad_share(vlad_make(kind, shared->word));
        return 0;
    }
    uint32_t count = vlad_kind(value) == VLAD_CONSTANT ? 2 : slots->header.extent;
    struct vlad_slots *made = vlad_make_slots(walk->m, count);
    *task->place = vlad_make(kind, (uint64_t)(uintptr_t)made);
    if (shared) shared->word = task->place->word;
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

/* The reals of a capsule are the slots after its skeleton. */
#define FIRST_REAL 1u

/* True if a companion is a capsule of the same computation. */
static int is_of_same_computation(struct walk *walk, vlad_value value, vlad_value companion) {
    const struct vlad_slots *slots = vlad_as_slots(value), *beside = vlad_as_slots(companion);
    return slots->header.extent == beside->header.extent &&
           vlad_same_skeleton(walk->m, slots->values[0], beside->values[0]);
}

/* The result for a number, or a hole. */
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

/* Records that elements do not conform, one of which is not a real. */
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

/* Makes the vector at a task's place if all its elements, or all those of the companion, are reals or holes. */
static int make_of_reals(struct walk *walk, const struct vlad_walk_task *task) {
    struct vlad_machine *m = walk->m;
    const struct vlad_vector *v = vlad_as_vector(task->value);
    const struct vlad_vector *beside = walk->paired ? vlad_as_vector(task->companion) : 0;
    struct vlad_vector *made = vlad_vector_new(m, v->length);
    for (uint64_t index = 0; index < v->length; index++) {
        if (!vlad_work(m)) return 0;
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

/* True if all elements of a vector, in any form, are reals and holes. */
static int has_numbers(const struct vlad_vector *v) {
    for (uint64_t index = 0; !vlad_has_reals(v) && index < v->length; index++)
        if (!vlad_is_number(v->elements.values[index]) && vlad_kind(v->elements.values[index]) != VLAD_HOLE) return 0;
    return 1;
}

/* The result for vectors of reals as a whole; 0 if the elements have to be visited. */
static struct vlad_vector *made_at_once(struct walk *walk, const struct vlad_walk_task *task) {
    struct vlad_vector *v = vlad_as_vector(task->value), *beside = walk->paired ? vlad_as_vector(task->companion) : 0;
    if (!walk->making->vector || task->reading != VLAD_AS_IS || !vlad_has_reals(v)) return 0;
    if (beside && (task->companion_reading != VLAD_AS_IS || !vlad_has_reals(beside))) return 0;
    return walk->making->vector(walk->m, walk->context, v, beside);
}

/* Makes the vector at a task's place, and pushes its elements as a task if they are values. */
static int begin_vector(struct walk *walk, const struct vlad_walk_task *task) {
    struct vlad_vector *v = vlad_as_vector(task->value), *beside = walk->paired ? vlad_as_vector(task->companion) : 0;
    struct made *shared = noted(walk, task);
    if (shared && shared->word) {
        *task->place = vlad_share(vlad_make(VLAD_VECTOR, shared->word));
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
    if (shared) shared->word = task->place->word;
    return 1;
}

/* Turns the task into its first element, and pushes the others as a task. */
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

/* True if there is no companion, or if it is a vector of the same length. */
static int has_same_length(const struct walk *walk, const struct vlad_walk_task *task) {
    if (!walk->paired) return 1;
    if (!vlad_is_vector(task->companion)) return 0;
    return vlad_as_vector(task->value)->length == vlad_as_vector(task->companion)->length;
}

/* True if a companion is the same discrete value. */
static int is_same_discrete(struct walk *walk, vlad_value value, vlad_value companion) {
    if (value.tag == companion.tag && value.word == companion.word) return 1;
    return vlad_kind(value) == VLAD_PLAIN && vlad_has_code(companion) && have_same_code(walk, value, companion);
}

/* Fills a place and the leftmost parts below it; pushes the parts to the right as tasks. */
static int descend(struct walk *walk, struct vlad_walk_task task) {
    int paired = walk->paired;
    walk->index = VLAD_NO_INDEX;
    if (task.elements) begin_elements(walk, &task);
    for (;;) {
        if (!vlad_work(walk->m)) return 0;
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
        if (!vlad_work(walk->m)) return 0; /* the unit of work for making the object */
        walk->index = VLAD_NO_INDEX;
    }
}

/* Resets the memory after a traversal, in time proportional to the entries it has made. */
static void tidy(struct vlad_machine *m, struct vlad_walk_memory *memory) {
    memory->task_count = 0;
    if (memory->task_capacity > MOST_BYTES_KEPT / sizeof *memory->tasks) {
        free(memory->tasks);
        memory->tasks = 0;
        memory->task_capacity = 0;
    }
    vlad_table_clear(m, &memory->made, of_made);
}

static vlad_value run(struct walk *walk, vlad_value value, vlad_value companion) {
    vlad_value result = vlad_nil();
    struct vlad_walk_task task = {value, companion, &result, VLAD_AS_IS, VLAD_AS_IS, 0};
    while (descend(walk, task) && walk->memory->task_count > 0) task = walk->memory->tasks[--walk->memory->task_count];
    tidy(walk->m, walk->memory);
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
