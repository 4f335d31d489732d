/* A large host stack for specialised code. The system provides its pages on first use.
 *
 * On systems without such stacks, functions run on the current stack with a small limit. The same holds under
 * sanitisers, which do not follow a change of the stack.
 */
#ifndef VLAD_OWN_STACK_H
#define VLAD_OWN_STACK_H

#include <stddef.h>
#include <stdint.h>

struct vlad_own_stack {
    char *bottom; /* 0 if there is none yet, or if the system has none */
    size_t bytes;
};

/* Calls a function on the stack, which it first allocates. `end` is set before to the lowest address at which a recursive
 * function may still be entered: enough is left below for functions that are not recursive and for the host. */
void vlad_own_stack_call(struct vlad_own_stack *stack, uintptr_t *end, void (*function)(void *), void *argument);
void vlad_own_stack_free(struct vlad_own_stack *stack);

#endif
