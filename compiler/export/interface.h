/* The part of the interface that all export sets share. `vlad emit` copies it into the header of a set, with the name
 * of the set in place of `exports`.
 */

/* The outcome of a call. */
enum exports_status {
    EXPORTS_OK = 0,
    EXPORTS_FAILED = 1,        /* the procedure fails for these operands, at `place`, for the reason in `message` */
    EXPORTS_LENGTH = 2,        /* the length of a result differs from the capacity, and there is no pointer for it */
    EXPORTS_TOO_SMALL = 3,     /* a result exceeds its capacity; its sizes are set */
    EXPORTS_RAGGED = 4,        /* the rows of a matrix, or other parts of one array, differ in size */
    EXPORTS_OUT_OF_MEMORY = 5, /* the allocator, or the given memory, has no room left */
    EXPORTS_TOO_DEEP = 6       /* recursion needs more of the host's stack than `stack_bytes` */
};

/* The state of calls: memory that later calls reuse. Only one call at a time may use a context. Calls with different
 * contexts are independent, also in different threads. A context must not be copied.
 */
struct exports_context {
    /* Changes the size of a block from `bytes_before` to `bytes`, as realloc does: keeps the contents, and aligns the
     * block for any type. Allocates a block if `bytes_before` is 0, and frees it if `bytes` is 0. Without memory it
     * returns 0, and the old block stays. */
    void *(*resize)(void *user, void *block, size_t bytes_before, size_t bytes);
    void *user;         /* passed to `resize` */
    size_t stack_bytes; /* the part of the host's stack for recursion; may be changed between calls */
    const char *place;  /* after EXPORTS_FAILED: the place in the source where the procedure fails, or 0 */
    /* after EXPORTS_FAILED: the texts of an application of `error`, in UTF-8, with ... for values; or 0 */
    const char *message;
    /* The rest is private. */
    struct { void *memory; size_t bytes; } blocks[4];
    unsigned char *memory_begin, *memory_top, *memory_end;
};

/* The value of `stack_bytes` in a new context. */
#define EXPORTS_STACK_BYTES ((size_t)256 << 10)

/* Begin a context, with memory from malloc, from an allocator, or from a block of the caller with any alignment. They
 * allocate nothing. */
void exports_begin(struct exports_context *context);
void exports_begin_with(
    struct exports_context *context, void *(*resize)(void *user, void *block, size_t bytes_before, size_t bytes), void *user);
void exports_begin_in(struct exports_context *context, void *memory, size_t bytes);
/* Frees the memory of a context. The context may be used again. */
void exports_end(struct exports_context *context);
/* The size of a context, for other languages, and a status in words. */
size_t exports_context_bytes(void);
const char *exports_status_text(int status);
