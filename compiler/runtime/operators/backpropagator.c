/* Backpropagators: ((*j f) (*j x)) is the pair of the reversed value y of f at x and a backpropagator. The
 * backpropagator maps a cotangent of y to the cotangents of f and x (shared/runtime/src/operators/backpropagator.rs).
 * The call of f is in transformed.c.
 *
 * A backpropagator keeps the tape of the application as its record, which sweeps leave unchanged, so the application is
 * not executed again. The level of the record has ended; no older level ends before the record dies, since values that
 * leave a level are rebuilt, and a rebuilt backpropagator has no record. Later levels may have the same number: numbers
 * of the record's level are in y alone, and the numbers saved on its tape are of older levels.
 *
 * Cotangents may be numbers of any active level. So accumulators are doubles only if no level is active. All records
 * share one memory for accumulators, since sweeps never nest.
 */
#include "backpropagator.h"
#include "accumulators.h"
#include "computation.h"
#include "memory.h"
#include "operators.h"
#include "reflection.h"
#include "sweep.h"
#include "tape.h"

vlad_value vlad_backpropagator(struct vlad_machine *m, uint32_t level, enum vlad_numbered numbered, vlad_value f,
                               vlad_value x, vlad_value y, struct vlad_reads *reads) {
    struct vlad_slots *slots = vlad_make_slots(m, VLAD_BACK_SLOTS);
    slots->values[VLAD_BACK_OPERATOR] = f;
    slots->values[VLAD_BACK_OPERAND] = x;
    slots->values[VLAD_BACK_Y] = y;
    slots->values[VLAD_BACK_RECORD] = vlad_raw((uint64_t)(uintptr_t)vlad_record_make(m, level, numbered));
    slots->values[VLAD_BACK_READS] = vlad_raw((uint64_t)(uintptr_t)reads);
    return vlad_make(VLAD_BACKPROPAGATOR, (uint64_t)(uintptr_t)slots);
}

int vlad_has_record(vlad_value backpropagator) { return vlad_record_of(vlad_as_slots(backpropagator)) != 0; }

vlad_value vlad_backpropagator_parts(struct vlad_machine *m, vlad_value backpropagator) {
    const struct vlad_slots *slots = vlad_as_slots(backpropagator);
    vlad_value f = vlad_share(slots->values[VLAD_BACK_OPERATOR]);
    return vlad_pair(m, f, vlad_share(slots->values[VLAD_BACK_OPERAND]));
}

vlad_value vlad_cotangents_given_back(struct vlad_machine *m, int is_marked, vlad_value cotangents) {
    return is_marked ? vlad_tagged(m, VLAD_SENSITIVITY, cotangents) : cotangents;
}

void vlad_backpropagate(struct vlad_machine *m, vlad_value backpropagator, vlad_value cotangent, int *is_marked,
                        vlad_value *of_f, vlad_value *of_x) {
    const struct vlad_slots *slots = vlad_as_slots(backpropagator);
    const struct vlad_record *record = vlad_record_of(slots);
    vlad_value f = slots->values[VLAD_BACK_OPERATOR], x = slots->values[VLAD_BACK_OPERAND];
    cotangent = vlad_as_given(VLAD_SENSITIVITY, cotangent, slots->values[VLAD_BACK_Y], is_marked);
    /* While no level is under way, records are of the outermost one. */
    uint32_t form = vlad_levels_of(m)->count == 0 ? 0 : 1;
    struct vlad_accumulators *accumulators = &vlad_levels_of(m)->spare.accumulators;
    vlad_accumulators_make(m, form, accumulators, (size_t)record->tape.next);
    struct vlad_reversal reversal = {record->level, form, accumulators, 0};
    vlad_seed(m, &reversal, slots->values[VLAD_BACK_Y], cotangent, VLAD_COMPANION_SENSITIVITY);
    vlad_sweep_kept(m, record->level, &record->tape, form, accumulators);
    if (m->fault.kind) return;
    *of_f = record->numbered == VLAD_BOTH_NUMBERED ? vlad_gather(m, &reversal, f) : vlad_share(f);
    *of_x = vlad_gather(m, &reversal, x);
    if (m->fault.kind) return;
    for (size_t node = 0; form != 0 && node < vlad_tape_independents(&record->tape); node++)
        vlad_drop(m, accumulators->sums.numbers[node]);
    vlad_accumulators_trim(accumulators);
}

int vlad_give_cotangents(struct vlad_machine *m, vlad_value *top, int64_t fuel, int is_marked, vlad_value of_f,
                         vlad_value of_x) {
    if (vlad_takes_second(top, is_marked)) {
        vlad_drop(m, of_f);
        return vlad_operator_return(m, top, fuel, vlad_noted(of_x));
    }
    vlad_value both = vlad_pair(m, of_f, of_x);
    return vlad_operator_return(m, top, fuel, vlad_cotangents_given_back(m, is_marked, both));
}
