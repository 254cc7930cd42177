// LD_PRELOAD: stands for /dev/dma_heap/linux,cma where the kernel has none.
// A memfd takes the place of a dma-buf. For the virtual camera's tests only.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { HANDLES = 1024 };

static bool is_heap[HANDLES];

// A handle of the pretend heap when `path` names it, else -1.
static int heap_at(const char *path)
{
    if (!path || strcmp(path, "/dev/dma_heap/linux,cma"))
        return -1;
    int handle = memfd_create("dma-heap", MFD_CLOEXEC);
    if (handle >= 0 && handle < HANDLES)
        is_heap[handle] = true;
    return handle;
}

static int mode_of(int flags, va_list more)
{
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(more, int) : 0;
}

static int forget(int handle)
{
    if (handle >= 0 && handle < HANDLES)
        is_heap[handle] = false;
    return handle;
}

#define OPENS(name)                                                         \
    int name(const char *path, int flags, ...)                              \
    {                                                                       \
        va_list more;                                                       \
        va_start(more, flags);                                              \
        int mode = mode_of(flags, more);                                    \
        va_end(more);                                                       \
        int heap = heap_at(path);                                           \
        if (heap >= 0)                                                      \
            return heap;                                                    \
        int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, #name);      \
        return forget(real(path, flags, mode));                             \
    }

#define OPENS_AT(name)                                                      \
    int name(int folder, const char *path, int flags, ...)                  \
    {                                                                       \
        va_list more;                                                       \
        va_start(more, flags);                                              \
        int mode = mode_of(flags, more);                                    \
        va_end(more);                                                       \
        int heap = heap_at(path);                                           \
        if (heap >= 0)                                                      \
            return heap;                                                    \
        int (*real)(int, const char *, int, ...) = dlsym(RTLD_NEXT, #name); \
        return forget(real(folder, path, flags, mode));                     \
    }

OPENS(open)
OPENS(open64)
OPENS_AT(openat)
OPENS_AT(openat64)

int __open_2(const char *path, int flags) { return open(path, flags); }
int __open64_2(const char *path, int flags) { return open64(path, flags); }

int ioctl(int handle, unsigned long request, ...)
{
    va_list more;
    va_start(more, request);
    void *argument = va_arg(more, void *);
    va_end(more);
    bool heap = handle >= 0 && handle < HANDLES && is_heap[handle];
    if (heap && request == DMA_HEAP_IOCTL_ALLOC) {
        struct dma_heap_allocation_data *wanted = argument;
        int buffer = memfd_create("dma-buf", MFD_CLOEXEC);
        if (buffer < 0 || ftruncate(buffer, (off_t)wanted->len))
            return -1;
        wanted->fd = (unsigned)buffer;
        return 0;
    }
    if (request == DMA_BUF_IOCTL_SYNC ||
        (_IOC_TYPE(request) == DMA_BUF_BASE && _IOC_NR(request) == 1))
        return 0;
    int (*real)(int, unsigned long, ...) = dlsym(RTLD_NEXT, "ioctl");
    return real(handle, request, argument);
}
