/* An ATmega328P in libsimavr that runs the node's real image, with light instead of
 * voltages at its converter: what a receiver sees depends on the time and on which
 * emitter the firmware has switched on.
 *
 *     emulator node-nano.elf            steps when told, bytes on the control channel
 *     emulator node-nano.elf realtime   keeps to the wall clock, bytes on a terminal
 *
 * One command a line on stdin, one answer a line on stdout: emulator.py knows them. Times
 * are microseconds of the chip's crystal since power came on. */
#include "optics.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <simavr/avr_adc.h>
#include <simavr/avr_eeprom.h>
#include <simavr/avr_extint.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum {
    MHZ = 16,
    SLICE = 1600,          /* cycles (100 us) between looks at the host's bytes */
    BYTES = 1 << 16,
    CHANGES = 4096,
    LINE = 1 << 16,
    MCUSR = 0x54,          /* in data memory */
    RAM_END = 0x8FF,
    EEPROM_BYTES = 1024,
    EXTERNAL_INTERRUPTS = 2,
    PAINT = 0xA5
};
static const double FOLLOWS_S = 8e-6; /* time constant of a phototransistor on 2.2 k */

/* Wiring as in firmware/board.toml: emitters on D2 to D9, receivers on A0 to A7. */
enum { BEAM_EMITTER = 2, SPOT_EMITTER = 6 };

struct light {
    double was;            /* part of full light when the emitter was last switched */
    double since_s;
    int lit;
};

/* Something about a pocket that changes at a time. */
struct change {
    double at_s;
    double *what;
    double to;
};

static avr_t *avr;
static struct scene scenes[POCKETS];
static struct light lights[2 * POCKETS]; /* by emitter pin less BEAM_EMITTER */
static struct change changes[CHANGES];
static int change_count;
static uint8_t from_node[BYTES], from_host[BYTES];
static size_t from_node_count, from_host_count, from_host_taken;
static int host_clear = 1; /* the receiver can take a byte */
static avr_irq_t *receiver;
static avr_irq_t *inputs[2 * POCKETS]; /* of the converter */
static int terminal = -1;
static uint64_t noise_state = 0x853C49E6748FEA9B;
static FILE *answers;

static double now_s(void)
{
    return (double)avr->cycle / (MHZ * 1e6);
}

static double uniform(void)
{
    noise_state ^= noise_state << 13;
    noise_state ^= noise_state >> 7;
    noise_state ^= noise_state << 17;
    return (double)(noise_state >> 11) / 9007199254740992.0;
}

/* The sum of twelve is near enough to normal. */
static double normal(void)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += uniform();
    return sum;
}

static double emitted(const struct light *light, double at_s)
{
    double fading = exp(-(at_s - light->since_s) / FOLLOWS_S);
    return light->lit + (light->was - light->lit) * fading;
}

static void on_emitter(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq;
    struct light *light = param;
    light->was = emitted(light, now_s());
    light->since_s = now_s();
    light->lit = value != 0;
}

static void due_changes(void)
{
    int done = 0;
    while (done < change_count && changes[done].at_s <= now_s()) {
        *changes[done].what = changes[done].to;
        done++;
    }
    change_count -= done;
    memmove(changes, changes + done, (size_t)change_count * sizeof *changes);
}

/* A conversion begins: work out what its input sees. */
static void on_conversion(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq;
    (void)param;
    union {
        avr_adc_mux_t mux;
        uint32_t value;
    } begun = {.value = value};
    unsigned input = begun.mux.src;
    struct scene *scene = &scenes[input % POCKETS];
    double at_s = now_s();
    due_changes();
    double reads = optics_ambient(scene, at_s);
    double part = emitted(&lights[input], at_s);
    if (part > 1e-4)
        reads += part * (input < POCKETS ? optics_beam(scene, at_s) : optics_spot(scene, at_s));
    reads = scene->loose != 0 && input < POCKETS ? 0 : reads + scene->noise * normal();
    reads = fmin(1023, fmax(0, reads));
    avr_raise_irq(inputs[input], (uint32_t)((reads + 0.5) * 5000 / 1024));
}

static void on_byte(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq;
    (void)param;
    if (from_node_count < BYTES)
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

/* Bytes between the terminal and the two buffers. */
static void pump(void)
{
    if (terminal >= 0) {
        ssize_t got = read(terminal, from_host + from_host_count, BYTES - from_host_count);
        from_host_count += got > 0 ? (size_t)got : 0;
        ssize_t put = from_node_count ? write(terminal, from_node, from_node_count) : 0;
        if (put > 0) {
            from_node_count -= (size_t)put;
            memmove(from_node, from_node + put, from_node_count);
        }
    }
    feed();
}

static void run_to(avr_cycle_count_t end)
{
    while (avr->cycle < end) {
        avr_cycle_count_t stop = avr->cycle + SLICE < end ? avr->cycle + SLICE : end;
        pump();
        while (avr->cycle < stop) {
            int state = avr_run(avr);
            if (state == cpu_Done || state == cpu_Crashed) {
                fprintf(answers, "error the processor stopped at %#x\n", avr->pc);
                exit(3);
            }
        }
    }
    pump();
}

/* simavr would run ahead to the next timer. */
static void no_sleep(avr_t *core, avr_cycle_count_t how_long)
{
    (void)core;
    (void)how_long;
}

static void wire_up(void)
{
    uint32_t flags = 0;
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
    avr_irq_register_notify(
        avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_OUT_TRIGGER), on_conversion, NULL);
    for (int i = 0; i < 2 * POCKETS; i++) {
        int pin = BEAM_EMITTER + i;
        inputs[i] = avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0 + i);
        avr_irq_register_notify(
            avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(pin < 8 ? 'D' : 'B'), pin & 7),
            on_emitter, &lights[i]);
    }
}

static void power_on(const char *elf)
{
    elf_firmware_t image;
    memset(&image, 0, sizeof image);
    if (elf_read_firmware(elf, &image) != 0) {
        fprintf(stderr, "emulator: cannot read %s\n", elf);
        exit(2);
    }
    avr = avr_make_mcu_by_name("atmega328p");
    avr_init(avr);
    image.frequency = MHZ * 1000000;
    avr_load_firmware(avr, &image);
    avr->frequency = MHZ * 1000000;
    avr->avcc = avr->vcc = avr->aref = 5000;
    avr->log = LOG_ERROR;
    avr->sleep = no_sleep;
    avr->data[MCUSR] = 1; /* PORF */
    /* Or simavr would look at D2 and D3, two dark emitters, in every single cycle. */
    for (uint8_t i = 0; i < EXTERNAL_INTERRUPTS; i++)
        avr_extint_set_strict_lvl_trig(avr, i, 0);
    wire_up();
}

static double *named(struct scene *scene, const char *name)
{
    const struct {
        const char *name;
        double *value;
    } names[] = {
        {"beam", &scene->beam},       {"spot", &scene->spot},
        {"wall", &scene->wall},       {"shade", &scene->shade},
        {"cover", &scene->cover},     {"ambient", &scene->ambient},
        {"flicker", &scene->flicker}, {"lamp_hz", &scene->lamp_hz},
        {"noise", &scene->noise},     {"loose", &scene->loose},
        {"spacing", &scene->beam_spacing_mm},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i].name) == 0)
            return names[i].value;
    return NULL;
}

/* Changes stay in the order of their times. */
static bool plan(double at_s, double *what, double to)
{
    int place = change_count;
    if (what == NULL || change_count == CHANGES)
        return false;
    for (; place > 0 && changes[place - 1].at_s > at_s; place--)
        changes[place] = changes[place - 1];
    changes[place] = (struct change){at_s, what, to};
    change_count++;
    return true;
}

static bool do_fall(const char *line)
{
    struct piece p;
    double at_us, degrees;
    int pocket;
    memset(&p, 0, sizeof p);
    if (sscanf(line, "fall %d %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf", &pocket, &at_us,
               &p.diameter_mm, &p.thick_mm, &degrees, &p.offset_mm, &p.speed_mm_s,
               &p.g_mm_s2, &p.albedo, &p.slope, &p.floor_mm, &p.bounce) != 12 ||
        pocket < 0 || pocket >= POCKETS)
        return false;
    p.beam_s = at_us / 1e6;
    p.tilt_rad = degrees * acos(-1) / 180;
    return optics_add(&scenes[pocket], p);
}

static bool do_set(const char *line)
{
    char name[16];
    double at_us, value;
    int pocket;
    return sscanf(line, "set %d %lf %15s %lf", &pocket, &at_us, name, &value) == 4 &&
           pocket >= 0 && pocket < POCKETS &&
           plan(at_us / 1e6, named(&scenes[pocket], name), value);
}

static bool do_bytes(const char *hex)
{
    unsigned byte;
    for (; sscanf(hex, "%2x", &byte) == 1 && from_host_count < BYTES; hex += 2)
        from_host[from_host_count++] = (uint8_t)byte;
    return true;
}

/* "eeprom ADDRESS HEX" writes bytes, "eeprom" tells them all. */
static void do_eeprom(const char *line)
{
    unsigned at, byte;
    int used = 0;
    if (sscanf(line, "eeprom %u %n", &at, &used) == 1 && used > 0) {
        for (line += used; sscanf(line, "%2x", &byte) == 1; line += 2, at++) {
            uint8_t cell = (uint8_t)byte;
            avr_eeprom_desc_t one = {.ee = &cell, .offset = (uint16_t)at, .size = 1};
            avr_ioctl(avr, AVR_IOCTL_EEPROM_SET, &one);
        }
    } else {
        avr_eeprom_desc_t all = {.ee = NULL, .offset = 0, .size = EEPROM_BYTES};
        avr_ioctl(avr, AVR_IOCTL_EEPROM_GET, &all);
        for (int i = 0; i < EEPROM_BYTES; i++)
            fprintf(answers, "%02x", all.ee[i]);
    }
    fputc('\n', answers);
}

static bool do_memory(const char *line)
{
    unsigned at;
    if (sscanf(line, "peek %u", &at) == 1 && at <= RAM_END) {
        fprintf(answers, "%u\n", avr->data[at]);
    } else if (sscanf(line, "paint %u", &at) == 1) {
        memset(avr->data + at, PAINT, RAM_END + 1 - at);
        fprintf(answers, "ok\n");
    } else if (sscanf(line, "unpainted %u", &at) == 1) {
        while (at <= RAM_END && avr->data[at] == PAINT)
            at++;
        fprintf(answers, "%u\n", RAM_END + 1 - at);
    } else {
        return false;
    }
    return true;
}

/* A reset pin, a brown-out and so on; flags as in MCUSR. */
static void do_reset(unsigned flags)
{
    avr_reset(avr);
    avr->data[MCUSR] = (uint8_t)flags;
    from_host_count = from_host_taken = 0;
    host_clear = 1;
}

static bool obey(const char *line)
{
    double us;
    unsigned number;
    unsigned long long seed;
    if (strncmp(line, "fall ", 5) == 0 || strncmp(line, "set ", 4) == 0) {
        if (!(line[0] == 'f' ? do_fall(line) : do_set(line)))
            return false;
    } else if (strncmp(line, "bytes ", 6) == 0) {
        do_bytes(line + 6);
    } else if (sscanf(line, "run %lf", &us) == 1) {
        run_to((avr_cycle_count_t)llround(us * MHZ));
    } else if (strncmp(line, "take", 4) == 0) {
        for (size_t i = 0; i < from_node_count; i++)
            fprintf(answers, "%02x", from_node[i]);
        from_node_count = 0;
        fputc('\n', answers);
        return true;
    } else if (sscanf(line, "seed %llu", &seed) == 1) {
        noise_state = 0x853C49E6748FEA9B ^ (seed * 0x9E3779B97F4A7C15);
    } else if (sscanf(line, "reset %u", &number) == 1) {
        do_reset(number);
    } else if (sscanf(line, "jump %u", &number) == 1) {
        avr->pc = number;
        avr->sreg[S_I] = 1; /* as in the main loop, wherever it was caught */
    } else if (strncmp(line, "eeprom", 6) == 0) {
        do_eeprom(line);
        return true;
    } else if (strncmp(line, "time", 4) != 0) {
        return do_memory(line);
    }
    fprintf(answers, "%.3f\n", now_s() * 1e6);
    return true;
}

static void obey_stdin(int wait_ms)
{
    static char held[LINE];
    static size_t count;
    struct pollfd in[] = {{.fd = 0, .events = POLLIN}, {.fd = terminal, .events = POLLIN}};
    if (poll(in, terminal < 0 ? 1 : 2, wait_ms) <= 0 || in[0].revents == 0)
        return;
    ssize_t got = read(0, held + count, LINE - 1 - count);
    if (got <= 0)
        exit(0);
    count += (size_t)got;
    held[count] = 0;
    char *end;
    char *line = held;
    while ((end = strchr(line, '\n')) != NULL) {
        *end = 0;
        if (!obey(line))
            fprintf(answers, "error %s\n", line);
        fflush(answers);
        line = end + 1;
    }
    count = (size_t)(held + count - line);
    memmove(held, line, count);
}

static void open_terminal(void)
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
    fprintf(answers, "%s\n", ptsname(terminal));
    fflush(answers);
}

static double wall_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void keep_to_the_clock(void)
{
    double start_s = wall_s();
    for (;;) {
        double behind_s = wall_s() - start_s - now_s();
        if (behind_s > 0)
            run_to(avr->cycle + (avr_cycle_count_t)(fmin(behind_s, 2e-3) * MHZ * 1e6) + 1);
        struct timespec nap = {0, behind_s > 1e-3 ? 0 : 100000};
        nanosleep(&nap, NULL);
        obey_stdin(0);
    }
}

int main(int argc, char **argv)
{
    answers = fdopen(dup(1), "w"); /* libsimavr prints to stdout */
    dup2(2, 1);
    if (argc < 2) {
        fprintf(stderr, "usage: emulator node-nano.elf [realtime]\n");
        return 2;
    }
    for (int i = 0; i < POCKETS; i++)
        optics_start(&scenes[i]);
    power_on(argv[1]);
    if (argc > 2) {
        open_terminal();
        keep_to_the_clock();
    }
    for (;;)
        obey_stdin(-1);
}
