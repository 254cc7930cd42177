#include "light.h"

#include <math.h>
#include <simavr/avr_adc.h>
#include <simavr/avr_ioport.h>
#include <string.h>

enum { CHANGES = 4096 };
#define NOISE 0x853C49E6748FEA9Bu
static const double FOLLOWS_S = 8e-6; /* time constant of a phototransistor on 2.2 k */

/* Wiring as in firmware/board.toml: emitters on D2 to D9, receivers on A0 to A7. */
enum { BEAM_EMITTER = 2 };

struct lamp {
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

static avr_t *chip;
static struct scene scenes[POCKETS];
static struct lamp lamps[2 * POCKETS]; /* by emitter pin less BEAM_EMITTER */
static struct change changes[CHANGES];
static int change_count;
static avr_irq_t *inputs[2 * POCKETS]; /* of the converter */
static uint64_t noise_state = NOISE;

static double now_s(void)
{
    return (double)chip->cycle / chip->frequency;
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

static double emitted(const struct lamp *lamp, double at_s)
{
    double fading = exp(-(at_s - lamp->since_s) / FOLLOWS_S);
    return lamp->lit + (lamp->was - lamp->lit) * fading;
}

static void on_emitter(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq;
    struct lamp *lamp = param;
    lamp->was = emitted(lamp, now_s());
    lamp->since_s = now_s();
    lamp->lit = value != 0;
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
    double part = emitted(&lamps[input], at_s);
    if (part > 1e-4)
        reads += part * (input < POCKETS ? optics_beam(scene, at_s) : optics_spot(scene, at_s));
    reads = scene->loose != 0 && input < POCKETS ? 0 : reads + scene->noise * normal();
    reads = fmin(1023, fmax(0, reads));
    avr_raise_irq(inputs[input], (uint32_t)((reads + 0.5) * 5000 / 1024));
}

void light_wire(avr_t *avr)
{
    chip = avr;
    for (int i = 0; i < POCKETS; i++)
        optics_start(&scenes[i]);
    avr_irq_register_notify(
        avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_OUT_TRIGGER), on_conversion, NULL);
    for (int i = 0; i < 2 * POCKETS; i++) {
        int pin = BEAM_EMITTER + i;
        inputs[i] = avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0 + i);
        avr_irq_register_notify(
            avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(pin < 8 ? 'D' : 'B'), pin & 7),
            on_emitter, &lamps[i]);
    }
}

void light_seed(uint64_t seed)
{
    noise_state = NOISE ^ (seed * 0x9E3779B97F4A7C15u);
}

struct scene *light_scene(int pocket)
{
    return &scenes[pocket];
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
bool light_plan(int pocket, double at_s, const char *name, double to)
{
    int place = change_count;
    double *what = named(&scenes[pocket], name);
    if (what == NULL || change_count == CHANGES)
        return false;
    for (; place > 0 && changes[place - 1].at_s > at_s; place--)
        changes[place] = changes[place - 1];
    changes[place] = (struct change){at_s, what, to};
    change_count++;
    return true;
}
