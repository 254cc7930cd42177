#include "line.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <simavr/avr_uart.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { BYTES = 1 << 16, FRAMES = 1 << 12, PACKET = 64 };
static const double HELD_US = 1000; /* as an adapter on USB does, which sends each millisecond */

struct sent {
    double first_us, last_us, wall_s;
    unsigned kind;         /* of the message: the byte after the first of COBS */
};

static avr_t *chip;
static uint8_t from_node[BYTES], from_host[BYTES];
static size_t from_node_count, from_host_count, from_host_taken;
static int host_clear = 1; /* the receiver can take a byte */
static avr_irq_t *receiver;
static int terminal = -1;
static struct sent frames[FRAMES];
static size_t frame_count;
static struct sent sending;
static size_t sent_bytes;  /* of it */

/* What goes to the terminal at once. The adapter has a thread of its own, which sleeps as
 * soon as it has written: the kernel's worker that carries the bytes across then finds a
 * free processor. After the emulating thread, which goes on, it waits for up to 4 ms. */
struct packet {
    struct sent frame;     /* the one that ends here, if any */
    bool ends;
    uint8_t count, bytes[PACKET];
};
static int to_adapter, at_adapter; /* ends of a pipe */
static pthread_mutex_t frames_lock = PTHREAD_MUTEX_INITIALIZER;
static struct packet packet;

static double now_us(void)
{
    return (double)chip->cycle * 1e6 / chip->frequency;
}

double line_wall_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* A zero byte ends every frame. */
static void note(uint8_t byte)
{
    if (sent_bytes == 0)
        sending = (struct sent){.first_us = now_us()};
    if (++sent_bytes == 2)
        sending.kind = byte;
    if (byte != 0)
        return;
    sending.last_us = now_us();
    sent_bytes = 0;
}

/* A full pipe loses bytes, as an adapter that nobody reads does. */
static void hand_over(bool ends)
{
    packet.ends = ends;
    packet.frame = sending;
    if (write(to_adapter, &packet, sizeof packet) < 0 && errno != EAGAIN)
        exit(2);
    packet.count = 0;
}

/* A frame at once: the kernel's worker has to carry each write across. */
static void collect(uint8_t byte)
{
    packet.bytes[packet.count++] = byte;
    note(byte);
    if (byte == 0 || packet.count == PACKET)
        hand_over(byte == 0);
}

static void on_byte(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq;
    (void)param;
    if (terminal >= 0)
        collect((uint8_t)value);
    else if (from_node_count < BYTES)
        from_node[from_node_count++] = (uint8_t)value;
}

static void feed(void)
{
    while (host_clear && from_host_taken < from_host_count)
        avr_raise_irq(receiver, from_host[from_host_taken++]);
    if (from_host_taken == from_host_count)
        from_host_taken = from_host_count = 0;
}

static void on_clear(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq;
    (void)value;
    host_clear = param != NULL;
    feed();
}

static void put(const uint8_t *bytes, size_t count)
{
    while (count > 0) {
        struct pollfd room = {.fd = terminal, .events = POLLOUT};
        ssize_t took = write(terminal, bytes, count);
        if (took < 0 && errno != EAGAIN)
            exit(2);
        if (took < 0)
            poll(&room, 1, -1);
        else
            bytes += took, count -= (size_t)took;
    }
}

static void *adapter(void *unused)
{
    struct packet one;
    while (read(at_adapter, &one, sizeof one) == (ssize_t)sizeof one) {
        put(one.bytes, one.count);
        one.frame.wall_s = line_wall_s();
        pthread_mutex_lock(&frames_lock);
        if (one.ends && frame_count < FRAMES)
            frames[frame_count++] = one.frame;
        pthread_mutex_unlock(&frames_lock);
    }
    return unused;
}

void line_pump(void)
{
    if (terminal >= 0) {
        ssize_t got = read(terminal, from_host + from_host_count, BYTES - from_host_count);
        from_host_count += got > 0 ? (size_t)got : 0;
        if (packet.count > 0 && now_us() - sending.first_us > HELD_US)
            hand_over(false);
    }
    feed();
}

void line_wait(long most_ns)
{
    struct pollfd come = {.fd = terminal, .events = POLLIN};
    struct timespec most = {0, most_ns};
    ppoll(&come, 1, &most, NULL);
}

void line_reset(void)
{
    from_host_count = from_host_taken = 0;
    host_clear = 1;
}

void line_send(uint8_t byte)
{
    if (from_host_count < BYTES)
        from_host[from_host_count++] = byte;
}

void line_take(FILE *answers)
{
    for (size_t i = 0; i < from_node_count; i++)
        fprintf(answers, "%02x", from_node[i]);
    from_node_count = 0;
    fputc('\n', answers);
}

void line_frames(FILE *answers)
{
    pthread_mutex_lock(&frames_lock);
    for (size_t i = 0; i < frame_count; i++)
        fprintf(answers, "%s%u %.2f %.2f %.7f", i > 0 ? "," : "", frames[i].kind,
                frames[i].first_us, frames[i].last_us, frames[i].wall_s);
    frame_count = 0;
    pthread_mutex_unlock(&frames_lock);
    fputc('\n', answers);
}

void line_wire(avr_t *avr)
{
    uint32_t flags = 0;
    chip = avr;
    avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
    flags &= ~(uint32_t)(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POLL_SLEEP);
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    receiver = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
    avr_irq_register_notify(
        avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_byte, NULL);
    avr_irq_register_notify(
        avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XON), on_clear, avr);
    avr_irq_register_notify(
        avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XOFF), on_clear, NULL);
}

static void start_adapter(void)
{
    int ends[2];
    pthread_t thread;
    bool made = pipe(ends) == 0 && fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0;
    at_adapter = ends[0];
    to_adapter = ends[1];
    if (!made || pthread_create(&thread, NULL, adapter, NULL) != 0) {
        fprintf(stderr, "emulator: no adapter: %s\n", strerror(errno));
        exit(2);
    }
}

const char *line_open(void)
{
    struct termios raw;
    terminal = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0) {
        fprintf(stderr, "emulator: no pseudo-terminal: %s\n", strerror(errno));
        exit(2);
    }
    /* Held open, so that a host that closes it does not hang it up. */
    int kept = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    tcgetattr(kept, &raw);
    cfmakeraw(&raw);
    tcsetattr(kept, TCSANOW, &raw);
    start_adapter();
    return ptsname(terminal);
}
