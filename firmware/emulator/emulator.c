/* An ATmega328P in libsimavr that runs the node's real image, with light instead of
 * voltages at its converter: what a receiver sees depends on the time and on which
 * emitter the firmware has switched on.
 *
 *     emulator node-nano.elf            steps when told, bytes on the control channel
 *     emulator node-nano.elf realtime   keeps to the wall clock, bytes on a terminal
 *
 * One command a line on stdin, one answer a line on stdout: emulator.py knows them. Times
 * are microseconds of the chip's crystal since power came on. */
#include "light.h"
#include "line.h"

#include <math.h>
#include <poll.h>
#include <simavr/avr_eeprom.h>
#include <simavr/avr_extint.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum {
    MHZ = 16,
    SLICE = 1600,          /* cycles (100 us) between looks at the host's bytes */
    LINE = 1 << 16,
    NAP_NS = 50000,
    MCUSR = 0x54,          /* in data memory */
    RAM_END = 0x8FF,
    EEPROM_BYTES = 1024,
    EXTERNAL_INTERRUPTS = 2,
    PAINT = 0xA5
};
static const double MOST_S = 2e-3; /* run at once, before commands are looked for */

static avr_t *avr;
static FILE *answers;

static double now_s(void)
{
    return (double)avr->cycle / (MHZ * 1e6);
}

static void run_to(avr_cycle_count_t end)
{
    while (avr->cycle < end) {
        avr_cycle_count_t stop = avr->cycle + SLICE < end ? avr->cycle + SLICE : end;
        line_pump();
        while (avr->cycle < stop) {
            int state = avr_run(avr);
            if (state == cpu_Done || state == cpu_Crashed) {
                fprintf(answers, "error the processor stopped at %#x\n", avr->pc);
                exit(3);
            }
        }
    }
    line_pump();
}

/* Asleep, the core goes to its next timer at once; who waits for the wall clock is
 * keep_to_the_clock(). */
static void no_sleep(avr_t *core, avr_cycle_count_t how_long)
{
    (void)core;
    (void)how_long;
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
    line_wire(avr);
    light_wire(avr);
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
    return optics_add(light_scene(pocket), p);
}

static bool do_set(const char *line)
{
    char name[16];
    double at_us, value;
    int pocket;
    return sscanf(line, "set %d %lf %15s %lf", &pocket, &at_us, name, &value) == 4 &&
           pocket >= 0 && pocket < POCKETS &&
           light_plan(pocket, at_us / 1e6, name, value);
}

static void do_bytes(const char *hex)
{
    unsigned byte;
    for (; sscanf(hex, "%2x", &byte) == 1; hex += 2)
        line_send((uint8_t)byte);
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
    line_reset();
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
        line_take(answers);
        return true;
    } else if (strncmp(line, "frames", 6) == 0) {
        line_frames(answers);
        return true;
    } else if (sscanf(line, "seed %llu", &seed) == 1) {
        light_seed(seed);
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
    struct pollfd in = {.fd = 0, .events = POLLIN};
    if (poll(&in, 1, wait_ms) <= 0)
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

static void keep_to_the_clock(double start_s)
{
    for (;;) {
        double behind_s = line_wall_s() - start_s - now_s();
        if (behind_s > 0)
            run_to(avr->cycle + (avr_cycle_count_t)(fmin(behind_s, MOST_S) * MHZ * 1e6) + 1);
        if (behind_s < MOST_S)
            line_wait(NAP_NS);
        obey_stdin(0);
    }
}

/* Tell the terminal's name and when the crystal began to swing. */
static void run_in_real_time(void)
{
    prctl(PR_SET_TIMERSLACK, 1);
    const char *name = line_open();
    double start_s = line_wall_s();
    fprintf(answers, "%s %.9f\n", name, start_s);
    fflush(answers);
    keep_to_the_clock(start_s);
}

int main(int argc, char **argv)
{
    answers = fdopen(dup(1), "w"); /* libsimavr prints to stdout */
    dup2(2, 1);
    if (argc < 2) {
        fprintf(stderr, "usage: emulator node-nano.elf [realtime]\n");
        return 2;
    }
    power_on(argv[1]);
    if (argc > 2)
        run_in_real_time();
    for (;;)
        obey_stdin(-1);
}
