#include "line.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <simavr/avr_uart.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { BYTES = 1 << 16, FRAMES = 1 << 12 };

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
static size_t frame_count, frames_written;
static struct sent sending;
static size_t sent_bytes;  /* of it */

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
    if (frame_count < FRAMES)
        frames[frame_count++] = sending;
    sent_bytes = 0;
}

static void on_byte(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq;
    (void)param;
    if (from_node_count < BYTES)
        from_node[from_node_count++] = (uint8_t)value;
    if (terminal >= 0)
        note((uint8_t)value);
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

static void write_out(void)
{
    ssize_t put = from_node_count > 0 ? write(terminal, from_node, from_node_count) : 0;
    if (put <= 0)
        return;
    from_node_count -= (size_t)put;
    memmove(from_node, from_node + put, from_node_count);
    for (; from_node_count == 0 && frames_written < frame_count; frames_written++)
        frames[frames_written].wall_s = line_wall_s();
}

void line_pump(void)
{
    if (terminal >= 0) {
        ssize_t got = read(terminal, from_host + from_host_count, BYTES - from_host_count);
        from_host_count += got > 0 ? (size_t)got : 0;
        write_out();
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
    for (size_t i = 0; i < frames_written; i++)
        fprintf(answers, "%s%u %.2f %.2f %.7f", i > 0 ? "," : "", frames[i].kind,
                frames[i].first_us, frames[i].last_us, frames[i].wall_s);
    frame_count -= frames_written;
    memmove(frames, frames + frames_written, frame_count * sizeof *frames);
    frames_written = 0;
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
    return ptsname(terminal);
}
