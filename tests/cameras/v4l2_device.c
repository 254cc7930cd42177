// LD_PRELOAD: a pretend V4L2 camera, so that OpenCV's real V4L2 code and our ioctls
// run without hardware. For tests only.
//
// $V4L2_DEVICE  the node's path; links to it work too
// $V4L2_FRAMES  folder with 000.raw, 001.raw, ...: what the camera sends, looped
// $V4L2_FORMAT  MJPG or YUYV; $V4L2_SIZE WxH; $V4L2_RATE frames a second
// $V4L2_COMMAND file whose first letter rules: u unplugged, s stalled, else running
// $V4L2_CLOCK   "wall": buffer times are not monotonic
// $V4L2_LACKS   "exposure": the driver has no such control
//
// The device's handle is a timer, so that poll() tells when a frame is due, as a
// driver's does. Nobody asking in time loses frames, and the sequence tells.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/videodev2.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { BUFFER_BYTES = 1 << 22, BUFFERS = 8, HANDLES = 8, CONTROLS = 10 };

static int handles[HANDLES] = {-1, -1, -1, -1, -1, -1, -1, -1};
static unsigned char *memory;
static unsigned queue[BUFFERS], queued, first;
static unsigned long long sequence;

struct control {
    unsigned id;
    int least, most, step, standard, value;
};
static struct control controls[CONTROLS] = {
    {V4L2_CID_EXPOSURE_AUTO, 0, 3, 1, 3, 3},
    {V4L2_CID_EXPOSURE_AUTO_PRIORITY, 0, 1, 1, 1, 1},
    {V4L2_CID_EXPOSURE_ABSOLUTE, 3, 2047, 1, 250, 250},
    {V4L2_CID_GAIN, 0, 255, 1, 64, 100},
    {V4L2_CID_AUTO_WHITE_BALANCE, 0, 1, 1, 1, 1},
    {V4L2_CID_WHITE_BALANCE_TEMPERATURE, 2800, 6500, 10, 4600, 4600},
    {V4L2_CID_POWER_LINE_FREQUENCY, 0, 2, 1, 2, 2},
};

static const char *setting(const char *name, const char *otherwise)
{
    const char *value = getenv(name);
    return value ? value : otherwise;
}

static char command(void)
{
    FILE *file = fopen(setting("V4L2_COMMAND", "/nonexistent"), "r");
    int letter = file ? fgetc(file) : EOF;
    if (file)
        fclose(file);
    return letter == EOF ? 'r' : (char)letter;
}

static bool is_device(const char *path)
{
    char real[PATH_MAX];
    const char *device = getenv("V4L2_DEVICE");
    if (!device || !path || !realpath(path, real))
        return false;
    return !strcmp(real, device);
}

static int open_device(void)
{
    if (command() == 'u') {
        errno = ENODEV;
        return -1;
    }
    for (int k = 0; k < HANDLES; k++)
        if (handles[k] < 0)
            return handles[k] =
                       timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    errno = EBUSY;
    return -1;
}

static bool is_ours(int handle)
{
    for (int k = 0; k < HANDLES; k++)
        if (handle >= 0 && handles[k] == handle)
            return true;
    return false;
}

#define OPENS(name)                                                    \
    int name(const char *path, int flags, ...)                         \
    {                                                                  \
        va_list more;                                                  \
        va_start(more, flags);                                         \
        int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, int) : 0; \
        va_end(more);                                                  \
        if (is_device(path))                                           \
            return open_device();                                      \
        int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, #name); \
        return real(path, flags, mode);                                \
    }
OPENS(open)
OPENS(open64)

int close(int handle)
{
    for (int k = 0; k < HANDLES; k++)
        if (handle >= 0 && handles[k] == handle)
            handles[k] = -1;
    int (*real)(int) = dlsym(RTLD_NEXT, "close");
    return real(handle);
}

static void *map(size_t length, off_t offset)
{
    if (!memory)
        memory = calloc(BUFFERS, BUFFER_BYTES);
    return length <= BUFFER_BYTES ? memory + offset : MAP_FAILED;
}

void *mmap(void *at, size_t length, int protect, int flags, int handle, off_t offset)
{
    if (is_ours(handle))
        return map(length, offset);
    void *(*real)(void *, size_t, int, int, int, off_t) = dlsym(RTLD_NEXT, "mmap");
    return real(at, length, protect, flags, handle, offset);
}

void *mmap64(void *at, size_t length, int protect, int flags, int handle, off_t offset)
{
    if (is_ours(handle))
        return map(length, offset);
    void *(*real)(void *, size_t, int, int, int, off_t) = dlsym(RTLD_NEXT, "mmap64");
    return real(at, length, protect, flags, handle, offset);
}

int munmap(void *at, size_t length)
{
    unsigned char *byte = at;
    if (memory && byte >= memory && byte < memory + BUFFERS * BUFFER_BYTES)
        return 0;
    int (*real)(void *, size_t) = dlsym(RTLD_NEXT, "munmap");
    return real(at, length);
}

static unsigned format_code(void)
{
    const char *name = setting("V4L2_FORMAT", "MJPG");
    return v4l2_fourcc(name[0], name[1], name[2], name[3]);
}

static void tell_format(struct v4l2_pix_format *pix)
{
    unsigned width = 1280, height = 720;
    sscanf(setting("V4L2_SIZE", "1280x720"), "%ux%u", &width, &height);
    pix->width = width;
    pix->height = height;
    pix->pixelformat = format_code();
    pix->field = V4L2_FIELD_NONE;
    pix->bytesperline = pix->pixelformat == V4L2_PIX_FMT_YUYV ? 2 * width : 0;
    pix->sizeimage = BUFFER_BYTES;
    pix->colorspace = V4L2_COLORSPACE_SRGB;
}

static void run_timer(int handle, bool on)
{
    long period = on ? (long)(1e9 / atof(setting("V4L2_RATE", "60"))) : 0;
    struct itimerspec every = {{0, period}, {0, period}};
    if (period >= 1000000000L)
        every.it_interval = every.it_value = (struct timespec){1, 0};
    timerfd_settime(handle, 0, &every, NULL);
}

static int take_frame(int handle, struct v4l2_buffer *buffer)
{
    unsigned long long due = 0;
    char rules = command();
    if (rules == 'u') {
        errno = ENODEV;
        return -1;
    }
    if (read(handle, &due, sizeof due) != sizeof due || !queued) {
        errno = EAGAIN;
        return -1;
    }
    if (rules == 's')
        run_timer(handle, false); // this frame is the last
    sequence += due;
    unsigned index = queue[first];
    first = (first + 1) % BUFFERS;
    queued--;
    char path[PATH_MAX];
    FILE *file = NULL;
    for (int lap = 0; lap < 2 && !file; lap++) {
        static unsigned number;
        snprintf(path, sizeof path, "%s/%03u.raw", setting("V4L2_FRAMES", "."), number++);
        file = fopen(path, "rb");
        if (!file)
            number = 0;
    }
    memset(buffer->timecode.userbits, 0, sizeof buffer->timecode.userbits);
    buffer->index = index;
    buffer->bytesused = 0;
    if (file) {
        buffer->bytesused =
            (unsigned)fread(memory + index * BUFFER_BYTES, 1, BUFFER_BYTES, file);
        fclose(file);
    }
    bool wall = !strcmp(setting("V4L2_CLOCK", "monotonic"), "wall");
    struct timespec now;
    clock_gettime(wall ? CLOCK_REALTIME : CLOCK_MONOTONIC, &now);
    buffer->timestamp.tv_sec = now.tv_sec;
    buffer->timestamp.tv_usec = now.tv_nsec / 1000;
    buffer->flags = wall ? 0 : V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;
    buffer->sequence = (unsigned)sequence;
    buffer->length = BUFFER_BYTES;
    return 0;
}

static struct control *find(unsigned id)
{
    const char *lacks = setting("V4L2_LACKS", "");
    if (!strcmp(lacks, "exposure") && id == V4L2_CID_EXPOSURE_ABSOLUTE)
        return NULL;
    for (int k = 0; k < CONTROLS; k++)
        if (controls[k].id == id && id)
            return &controls[k];
    return NULL;
}

static int control(unsigned long request, void *argument)
{
    struct v4l2_queryctrl *asked = argument;
    struct control *found = find(asked->id); // `id` is first in v4l2_control too
    if (!found) {
        errno = EINVAL;
        return -1;
    }
    struct v4l2_control *value = argument;
    if (request == VIDIOC_QUERYCTRL) {
        memset(asked, 0, sizeof *asked);
        asked->id = found->id;
        asked->minimum = found->least;
        asked->maximum = found->most;
        asked->step = found->step;
        asked->default_value = found->standard;
    } else if (request == VIDIOC_G_CTRL) {
        value->value = found->value;
    } else {
        found->value = value->value;
    }
    return 0;
}

static int answer(int handle, unsigned long request, void *argument)
{
    if (command() == 'u') {
        errno = ENODEV;
        return -1;
    }
    switch (request) {
    case VIDIOC_QUERYCAP: {
        struct v4l2_capability *told = argument;
        memset(told, 0, sizeof *told);
        strcpy((char *)told->driver, "uvcvideo");
        strcpy((char *)told->card, "pretend camera");
        told->device_caps = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
        told->capabilities = told->device_caps | V4L2_CAP_DEVICE_CAPS;
        return 0;
    }
    case VIDIOC_ENUMINPUT: {
        struct v4l2_input *input = argument;
        if (input->index)
            break;
        input->type = V4L2_INPUT_TYPE_CAMERA;
        return 0;
    }
    case VIDIOC_G_INPUT:
        *(int *)argument = 0;
        return 0;
    case VIDIOC_S_INPUT:
        return 0;
    case VIDIOC_S_FMT:
    case VIDIOC_G_FMT:
    case VIDIOC_TRY_FMT:
        tell_format(&((struct v4l2_format *)argument)->fmt.pix);
        return 0;
    case VIDIOC_G_PARM:
    case VIDIOC_S_PARM: {
        struct v4l2_streamparm *told = argument;
        told->parm.capture.capability = V4L2_CAP_TIMEPERFRAME;
        told->parm.capture.timeperframe.numerator = 1;
        told->parm.capture.timeperframe.denominator =
            (unsigned)atoi(setting("V4L2_RATE", "60"));
        return 0;
    }
    case VIDIOC_REQBUFS: {
        struct v4l2_requestbuffers *wanted = argument;
        if (wanted->memory != V4L2_MEMORY_MMAP)
            break;
        if (wanted->count > BUFFERS)
            wanted->count = BUFFERS;
        queued = first = 0;
        return 0;
    }
    case VIDIOC_QUERYBUF: {
        struct v4l2_buffer *buffer = argument;
        buffer->length = BUFFER_BYTES;
        buffer->m.offset = buffer->index * BUFFER_BYTES;
        return 0;
    }
    case VIDIOC_QBUF:
        queue[(first + queued++) % BUFFERS] = ((struct v4l2_buffer *)argument)->index;
        return 0;
    case VIDIOC_STREAMON:
        run_timer(handle, true);
        return 0;
    case VIDIOC_STREAMOFF:
        run_timer(handle, false);
        return 0;
    case VIDIOC_DQBUF:
        return take_frame(handle, argument);
    case VIDIOC_QUERYCTRL:
    case VIDIOC_G_CTRL:
    case VIDIOC_S_CTRL:
        return control(request, argument);
    default:
        errno = ENOTTY;
        return -1;
    }
    errno = EINVAL;
    return -1;
}

int ioctl(int handle, unsigned long request, ...)
{
    va_list more;
    va_start(more, request);
    void *argument = va_arg(more, void *);
    va_end(more);
    if (is_ours(handle) && ((request >> 8) & 0xFF) == 'V')
        return answer(handle, (unsigned)request, argument);
    int (*real)(int, unsigned long, ...) = dlsym(RTLD_NEXT, "ioctl");
    return real(handle, request, argument);
}
