/* Backpropagators: their construction from the record of an application, and their call. */
#ifndef VLAD_BACKPROPAGATOR_H
#define VLAD_BACKPROPAGATOR_H

#include "differentiation.h"
#include "machine.h"
#include "record.h"

/* Makes the backpropagator of f at x, and ends the level of the application, which is the newest one. The tape of the
 * level is moved into the backpropagator. Takes f, x and y. */
vlad_value vlad_backpropagator(struct vlad_machine *m, uint32_t level, enum vlad_numbered numbered, vlad_value f,
                               vlad_value x, vlad_value y, struct vlad_reads *reads);
/* True if a backpropagator has a record; and the cotangents of f and x for a cotangent of y. `is_marked` is set if the
 * cotangent is tagged as a sensitivity. The cotangent of f is f itself if it has no use. */
int vlad_has_record(vlad_value backpropagator);
void vlad_backpropagate(struct vlad_machine *m, vlad_value backpropagator, vlad_value cotangent, int *is_marked,
                        vlad_value *of_f, vlad_value *of_x);
/* The result of a backpropagator, made of cotangents, which it takes; and the pair of f and x. */
vlad_value vlad_cotangents_given_back(struct vlad_machine *m, int is_marked, vlad_value cotangents);
vlad_value vlad_backpropagator_parts(struct vlad_machine *m, vlad_value backpropagator);

/* True if the continuation with its frame right below top uses only the cotangent of x. */
static inline int vlad_takes_second(const vlad_value *top, int is_marked) {
    uint32_t wants = ((const struct vlad_frame *)(uintptr_t)top[-1].word)->wants;
    if (wants == VLAD_WANTS_PLAIN_SECOND) return 1;
    return !is_marked && (wants == VLAD_WANTS_SECOND || wants == VLAD_WANTS_PULL);
}
/* Returns the cotangents of f and x, which it takes, to the frame below top. If `is_marked`, tagged as a sensitivity. */
int vlad_give_cotangents(struct vlad_machine *m, vlad_value *top, int64_t fuel, int is_marked, vlad_value of_f,
                         vlad_value of_x);

#endif
