/* A large region of memory: a mapping without reserved memory where there are mappings, else a smaller allocation. */
#define _GNU_SOURCE
#include "region.h"

#include <stdint.h>
#include <stdlib.h>

#if defined(__linux__) && UINTPTR_MAX > UINT32_MAX
#include <link.h>
#include <sys/mman.h>

/* The mapping is halved until the system grants it: some limit the address space. */
#define LARGEST ((size_t)64 << 30)
#define SMALLEST ((size_t)16 << 20)
#define PAGE ((size_t)4096)

int vlad_region_allocate(struct vlad_region *region) {
    for (size_t bytes = LARGEST; !region->begin && bytes >= SMALLEST; bytes /= 2) {
        void *begin = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (begin == MAP_FAILED) continue;
        region->begin = begin;
        region->bytes = bytes;
    }
    return region->begin != NULL;
}

void vlad_region_give_back(struct vlad_region *region, size_t from, size_t to) {
    from = (from + PAGE - 1) & ~(PAGE - 1);
    if (from < to) madvise(region->begin + from, to - from, MADV_DONTNEED);
}

void vlad_region_prefers_large_pages(void *begin, size_t bytes) {
    uintptr_t from = ((uintptr_t)begin + PAGE - 1) & ~(uintptr_t)(PAGE - 1), to = ((uintptr_t)begin + bytes) & ~(uintptr_t)(PAGE - 1);
    if (from < to) madvise((void *)from, to - from, MADV_HUGEPAGE);
}

/* Gives the memory of the segments of the first object back that are not written to, which is the program itself. */
static int give_segments_back(struct dl_phdr_info *object, size_t size, void *none) {
    (void)size;
    (void)none;
    for (int number = 0; number < object->dlpi_phnum; number++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[number];
        if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W)) continue;
        uintptr_t begin = object->dlpi_addr + segment->p_vaddr, end = begin + segment->p_memsz;
        uintptr_t from = (begin + PAGE - 1) & ~(uintptr_t)(PAGE - 1), to = end & ~(uintptr_t)(PAGE - 1);
        if (from < to) madvise((void *)from, to - from, MADV_DONTNEED);
    }
    return 1;
}

void vlad_code_give_back(void) { dl_iterate_phdr(give_segments_back, NULL); }

void vlad_region_free(struct vlad_region *region) {
    if (region->begin) munmap(region->begin, region->bytes);
    region->begin = NULL;
}
#else
#define BYTES ((size_t)256 << 20)

int vlad_region_allocate(struct vlad_region *region) {
    region->begin = malloc(BYTES);
    region->bytes = BYTES;
    return region->begin != NULL;
}

void vlad_region_give_back(struct vlad_region *region, size_t from, size_t to) {
    (void)region;
    (void)from;
    (void)to;
}

void vlad_region_prefers_large_pages(void *begin, size_t bytes) {
    (void)begin;
    (void)bytes;
}

void vlad_code_give_back(void) {}

void vlad_region_free(struct vlad_region *region) {
    free(region->begin);
    region->begin = NULL;
}
#endif
