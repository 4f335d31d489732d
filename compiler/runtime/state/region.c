/* A large region of address space: a mapping without reserved memory, or a smaller allocation on systems without
 * mappings. */
#define _GNU_SOURCE
#include "region.h"

#include <stdint.h>
#include <stdlib.h>

#if defined(__linux__) && UINTPTR_MAX > UINT32_MAX
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

/* The mapping is halved until the system grants it: some limit the address space. */
#define LARGEST ((size_t)64 << 30)
#define SMALLEST ((size_t)16 << 20)
#define PAGE ((size_t)4096)
/* Bits of an entry of /proc/self/pagemap. */
#define IN_MEMORY (UINT64_C(1) << 63)
#define IN_SWAP (UINT64_C(1) << 62)
#define OF_FILE (UINT64_C(1) << 61)

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

/* True if all pages of a range that are in memory are pages of a file. Those that a debugger or a packer has written to are not:
 * they would be lost. */
static int are_of_file(int pagemap, uintptr_t from, uintptr_t to) {
    uint64_t entries[512];
    for (uintptr_t page = from / PAGE; page < to / PAGE;) {
        size_t count = to / PAGE - page, bytes;
        if (count > sizeof entries / sizeof *entries) count = sizeof entries / sizeof *entries;
        bytes = count * sizeof *entries;
        if (pread(pagemap, entries, bytes, (off_t)(page * sizeof *entries)) != (ssize_t)bytes) return 0;
        for (size_t place = 0; place < count; place++)
            if ((entries[place] & (IN_MEMORY | IN_SWAP)) && !(entries[place] & OF_FILE)) return 0;
        page += count;
    }
    return 1;
}

/* Gives the memory of the segments of an object back that are not written to. */
static int give_segments_back(struct dl_phdr_info *object, size_t size, void *pagemap) {
    (void)size;
    for (int number = 0; number < object->dlpi_phnum; number++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[number];
        if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W)) continue;
        uintptr_t begin = object->dlpi_addr + segment->p_vaddr, end = begin + segment->p_memsz;
        uintptr_t from = (begin + PAGE - 1) & ~(uintptr_t)(PAGE - 1), to = end & ~(uintptr_t)(PAGE - 1);
        if (from < to && are_of_file(*(int *)pagemap, from, to)) madvise((void *)from, to - from, MADV_DONTNEED);
    }
    return 0;
}

void vlad_code_give_back(void) {
    if (sysconf(_SC_PAGESIZE) != (long)PAGE) return;
    int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    if (pagemap < 0) return;
    dl_iterate_phdr(give_segments_back, &pagemap);
    close(pagemap);
}

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
