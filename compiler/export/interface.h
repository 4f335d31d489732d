/* The interface of exported code that does not depend on what is exported. `vlad emit` puts it into the header of an export
 * set, with the name of the set in place of `exports`.
 */

/* The outcome of a call. */
enum exports_status {
    EXPORTS_OK = 0,
    EXPORTS_FAILED = 1,        /* the procedure fails for these operands; `place` says where, `message` why */
    EXPORTS_LENGTH = 2,        /* a result has another length than the caller expects */
    EXPORTS_TOO_SMALL = 3,     /* a result is longer than the memory for it; its length is set */
    EXPORTS_RAGGED = 4,        /* parts of a result that have to be alike, as the rows of a matrix, have different sizes */
    EXPORTS_OUT_OF_MEMORY = 5, /* the allocator has no more memory, or the given memory is used up */
    EXPORTS_TOO_DEEP = 6       /* recursion takes more of the host's stack than `stack_bytes` */
};

/* The state of calls: memory that they use again. One call at a time may use a context; calls with different contexts
 * are independent, also in different threads. A context must not be copied.
 */
struct exports_context {
    /* Returns a block of `bytes` bytes, aligned for any type, with the contents of a block that had `bytes_before`, which
     * it frees; frees the block if `bytes` is 0, and there is none if `bytes_before` is 0. Returns 0 if there is no
     * memory; then the old block stays. */
    void *(*resize)(void *user, void *block, size_t bytes_before, size_t bytes);
    void *user;         /* passed to `resize` */
    size_t stack_bytes; /* the host's stack that recursion may take; may be changed between calls */
    const char *place;  /* after EXPORTS_FAILED: the place in the source where the procedure fails, or 0 */
    /* after EXPORTS_FAILED: the texts of `error` if the procedure applies that, in UTF-8, with ... for values; or 0 */
    const char *message;
    /* The rest is private. */
    struct { void *memory; size_t bytes; } blocks[4];
    unsigned char *memory_begin, *memory_top, *memory_end;
};

/* The value of `stack_bytes` in a new context. */
#define EXPORTS_STACK_BYTES ((size_t)256 << 10)

/* Begins a context whose memory comes from malloc; from an allocator; and from a block that the caller owns, of any
 * alignment. None of them allocates anything. */
void exports_begin(struct exports_context *context);
void exports_begin_with(
    struct exports_context *context, void *(*resize)(void *user, void *block, size_t bytes_before, size_t bytes), void *user);
void exports_begin_in(struct exports_context *context, void *memory, size_t bytes);
/* Frees the memory of a context, which may be used again. */
void exports_end(struct exports_context *context);
/* The size of a context, for other languages; and a status in words. */
size_t exports_context_bytes(void);
const char *exports_status_text(int status);
