/* A large host stack: a mapping without reserved memory, entered by a context of its own.
 *
 * Invariant: control enters and leaves the stack through the context alone; longjmp never crosses its bottom.
 */
#define _GNU_SOURCE
#include "own_stack.h"

#include <stdlib.h>

/* On the current stack recursion may use this much. */
#define CURRENT_STACK ((uintptr_t)384 << 10)

#if defined(__linux__) && defined(__GLIBC__) && UINTPTR_MAX > UINT32_MAX && !defined(VLAD_SANITIZED)
#include <sys/mman.h>
#include <ucontext.h>

/* The mapping is halved until the system grants it: some limit the address space. */
#define LARGEST ((size_t)32 << 30)
#define SMALLEST ((size_t)1 << 20)
/* The part below which nothing is kept between two calls. */
#define KEPT ((size_t)64 << 10)
#define GUARD ((size_t)64 << 10)
/* The part at its beginning, or all of it, that is in small pages. */
#define IN_SMALL_PAGES ((size_t)8 << 20)
/* The part that recursion leaves: a quarter, at most this much. */
#define RESERVE ((size_t)16 << 20)

struct call {
    void (*function)(void *);
    void *argument;
};

static void begin(unsigned int high, unsigned int low) {
    const struct call *call = (const struct call *)((uintptr_t)high << 32 | low);
    call->function(call->argument);
}

static int allocate(struct vlad_own_stack *stack) {
    for (size_t bytes = LARGEST; !stack->bottom && bytes >= SMALLEST; bytes /= 2) {
        int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
        void *bottom = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
        if (bottom == MAP_FAILED) continue;
        stack->bottom = bottom;
        stack->bytes = bytes;
        /* An overflow below the guard is caught. A huge page would cost more than most items take; what is deeper takes less
         * time with them. */
        if (mprotect(bottom, GUARD, PROT_NONE) != 0) {
            vlad_own_stack_free(stack);
        } else {
            size_t small = bytes < IN_SMALL_PAGES ? bytes : IN_SMALL_PAGES;
            madvise(stack->bottom, bytes - small, MADV_HUGEPAGE);
            madvise(stack->bottom + bytes - small, small, MADV_NOHUGEPAGE);
        }
    }
    return stack->bottom != NULL;
}

static int call_inside(struct vlad_own_stack *stack, uintptr_t *end, struct call *call) {
    ucontext_t inside, outside;
    if (!allocate(stack) || getcontext(&inside) != 0) return 0;
    size_t reserve = stack->bytes / 4 < RESERVE ? stack->bytes / 4 : RESERVE;
    *end = (uintptr_t)stack->bottom + GUARD + reserve;
    inside.uc_stack.ss_sp = stack->bottom;
    inside.uc_stack.ss_size = stack->bytes;
    inside.uc_link = &outside;
    uintptr_t address = (uintptr_t)call;
    makecontext(&inside, (void (*)(void))begin, 2, (unsigned int)(address >> 32), (unsigned int)address);
    if (swapcontext(&outside, &inside) != 0) return 0;
    madvise(stack->bottom + GUARD, stack->bytes - GUARD - KEPT, MADV_DONTNEED);
    return 1;
}

void vlad_own_stack_free(struct vlad_own_stack *stack) {
    if (stack->bottom) munmap(stack->bottom, stack->bytes);
    stack->bottom = NULL;
}

void vlad_own_stack_call(struct vlad_own_stack *stack, uintptr_t *end, void (*function)(void *), void *argument) {
    struct call call = {function, argument};
    if (call_inside(stack, end, &call)) return;
    *end = (uintptr_t)&call - CURRENT_STACK;
    function(argument);
}
#else
void vlad_own_stack_free(struct vlad_own_stack *stack) { (void)stack; }

void vlad_own_stack_call(struct vlad_own_stack *stack, uintptr_t *end, void (*function)(void *), void *argument) {
    char here;
    (void)stack;
    *end = (uintptr_t)&here - CURRENT_STACK;
    function(argument);
}
#endif
