/* A large region of address space. Only used pages take memory of the system. */
#ifndef VLAD_REGION_H
#define VLAD_REGION_H

#include <stddef.h>

struct vlad_region {
    unsigned char *begin; /* 0 before it is allocated */
    size_t bytes;
    size_t for_cells; /* taken for cells, since the region was empty */
    size_t alone;     /* the bytes up to which it may grow without giving code back; 0 before it has grown */
};

/* Allocates a region of as many bytes as the system grants; returns 0 if there are too few. */
int vlad_region_allocate(struct vlad_region *region);
/* Gives the memory between two offsets back to the system. When it is used again, it is zero or unchanged. */
void vlad_region_give_back(struct vlad_region *region, size_t from, size_t to);
/* Requests large pages for memory that will be used as a whole. They reduce the time of its first use to a tenth. */
void vlad_region_prefers_large_pages(void *begin, size_t bytes);
/* Gives the memory of code and constants of the process back to the system: several megabytes of the compiler, and one
 * of the C library. A compiled program needs little of it while it runs, and the system reads it from the files
 * again. */
void vlad_code_give_back(void);
/* Frees a region; one that is not allocated is allowed. */
void vlad_region_free(struct vlad_region *region);

#endif
