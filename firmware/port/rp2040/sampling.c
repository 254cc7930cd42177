/* An alarm every 40 us is one slot: it switches emitters, brings a receiver to the
 * converter and takes four readings of it. As on the AVR an emitter goes on one slot
 * before it is read and off one slot before its dark reading. */
#include "chip.h"
#include "port.h"

#include <stddef.h>

enum {
    SLOTS = 16,
    FIRST_BEAM = 8,        /* the slot that reads it; a set ends with its beams */
    SETS = 4,              /* samples: being filled, being looked at, two waiting */
    READINGS = 4,          /* of 12 bits each: together 14 */
    TO_TEN_BITS = 4,
    ENABLE = 1 << 0,       /* in ADC_CS */
    ONCE = 1 << 2,
    READY = 1 << 8,
    PATIENCE = 100,        /* looks at a conversion that takes 2 us */
    SETTLES = 12,          /* loops, a good microsecond, for the multiplexer */
    PAD_ANALOGUE = 0x80    /* no output, no input, no pull */
};
#define NONE 32            /* no pin */

struct slot {
    uint8_t from;          /* of the multiplexer */
    uint8_t on_a, on_b;    /* pins lit from the start of this slot to the next's */
    uint8_t goes;          /* which of the sample's 16 values this slot reads */
};

/* Four slots of two channels a and b: a lit, b lit, a dark, b dark. `next` is whatever
 * must already be lit for the slot after the last. */
#define SLOT(part, channel, which, e, f) \
    {PICO_##part##_##channel, e, f, (uint8_t)((channel) * 4 + (which))}
#define FOUR(part, kind, a, b, next)                                                  \
    SLOT(part, a, kind, PICO_##part##_EMITTER_##a, PICO_##part##_EMITTER_##b),        \
    SLOT(part, b, kind, PICO_##part##_EMITTER_##b, NONE),                             \
    SLOT(part, a, kind + 1, NONE, NONE),                                              \
    SLOT(part, b, kind + 1, next, NONE)

static const struct slot slots[SLOTS] = {
    FOUR(SPOT, 2, 0, 1, PICO_SPOT_EMITTER_2),
    FOUR(SPOT, 2, 2, 3, PICO_BEAM_EMITTER_0),
    FOUR(BEAM, 0, 0, 1, PICO_BEAM_EMITTER_2),
    FOUR(BEAM, 0, 2, 3, PICO_SPOT_EMITTER_0),
};
static const uint8_t beams[BOARD_POCKETS] = {PICO_BEAM_EMITTER_0, PICO_BEAM_EMITTER_1,
                                             PICO_BEAM_EMITTER_2, PICO_BEAM_EMITTER_3};
static const uint8_t spots[BOARD_POCKETS] = {PICO_SPOT_EMITTER_0, PICO_SPOT_EMITTER_1,
                                             PICO_SPOT_EMITTER_2, PICO_SPOT_EMITTER_3};
static const uint8_t selects[] = {PICO_MUX_0, PICO_MUX_1, PICO_MUX_2};

static uint16_t sets[SETS][SLOTS]; /* each a struct sense_sample[BOARD_POCKETS] */
static uint32_t stamps[SETS];      /* when the first beam of each was read */
static volatile uint8_t filling;   /* index of the set being filled */
static volatile uint8_t waiting;   /* whole sets, the one looked at included */
static uint8_t looking;            /* index of the oldest whole set */
static volatile uint16_t missed;
static uint8_t slot;               /* the next one to take */
static uint32_t due;               /* when that is */
static volatile uint32_t dark;     /* pins that stay dark */
static uint32_t emitters, muxes;   /* all of them */

void isr_timer(void);

static uint32_t bit(uint8_t pin)
{
    return pin == NONE ? 0 : 1u << pin;
}

static void miss(uint32_t samples)
{
    missed = (uint16_t)(missed + samples > UINT16_MAX ? UINT16_MAX : missed + samples);
}

static uint32_t selecting(uint8_t input)
{
    uint32_t pins = 0;
    for (uint8_t i = 0; i < sizeof selects; i++)
        pins |= (input & 1u << i) != 0 ? bit(selects[i]) : 0;
    return pins;
}

/* A converter that never gets ready reads as dark. */
static uint16_t reading(void)
{
    uint32_t sum = 0;
    for (uint8_t i = 0; i < READINGS; i++) {
        uint8_t left = PATIENCE;
        REG(ADC_CS) = ENABLE | ONCE;
        while ((REG(ADC_CS) & READY) == 0 && left > 0)
            left--;
        sum += left > 0 ? REG(ADC_RESULT) & 0xFFFu : 0;
    }
    return (uint16_t)(sum >> TO_TEN_BITS);
}

static void take(const struct slot *now)
{
    uint32_t on = (bit(now->on_a) | bit(now->on_b)) & ~dark;
    uint32_t rest = REG(GPIO_OUT) & ~(emitters | muxes);
    REG(GPIO_OUT) = rest | on | selecting(now->from);
    for (volatile uint8_t i = 0; i < SETTLES; i++) {
    }
    sets[filling][now->goes] = reading();
}

/* When the main loop still holds the other sets this one is filled anew. */
static void filled(void)
{
    if (waiting < SETS - 1) {
        waiting++;
        filling = (uint8_t)((filling + 1u) % SETS);
    } else {
        miss(1);
    }
}

/* An alarm set into the past would come 71 minutes late. After a pause (flash was being
 * written) the set begun is thrown away, and what was not sampled is counted. */
static void next_alarm(void)
{
    due += BOARD_SLOT_US;
    uint32_t late_us = REG(TIMER_NOW) + 2u - due;
    if ((int32_t)late_us >= 0) {
        miss(late_us / BOARD_PERIOD_US + 1u);
        due += late_us + BOARD_SLOT_US;
        slot = 0;
    }
    REG(TIMER_ALARM) = due;
}

void isr_timer(void)
{
    REG(TIMER_INTR) = 1;
    if (slot == FIRST_BEAM)
        stamps[filling] = REG(TIMER_NOW);
    take(&slots[slot]);
    slot = (uint8_t)((slot + 1u) % SLOTS);
    if (slot == 0)
        filled();
    next_alarm();
}

void sampling_start(void)
{
    for (uint8_t i = 0; i < BOARD_POCKETS; i++) {
        chip_pin(beams[i], PIN_SIO);
        chip_pin(spots[i], PIN_SIO);
        emitters |= bit(beams[i]) | bit(spots[i]);
    }
    for (uint8_t i = 0; i < sizeof selects; i++) {
        chip_pin(selects[i], PIN_SIO);
        muxes |= bit(selects[i]);
    }
    REG(PAD(PICO_MUX_INPUT)) = PAD_ANALOGUE;
    REG(ADC_CS) = ENABLE;
    due = REG(TIMER_NOW) + BOARD_PERIOD_US;
    REG(TIMER_INTE) = 1;
    REG(NVIC_ENABLE) = 1u << IRQ_TIMER_0;
    REG(TIMER_ALARM) = due;
}

bool sampling_waits(void)
{
    return waiting > 0;
}

const struct sense_sample *sampling_next(uint32_t *tick_us)
{
    if (!sampling_waits())
        return NULL;
    *tick_us = stamps[looking];
    return (const struct sense_sample *)(const void *)sets[looking];
}

void sampling_done(void)
{
    uint32_t before = irq_off();
    looking = (uint8_t)((looking + 1u) % SETS);
    waiting--;
    irq_back(before);
}

uint16_t sampling_missed(void)
{
    return missed;
}

void sampling_dark(uint8_t channels)
{
    uint32_t pins = 0;
    for (uint8_t i = 0; i < BOARD_POCKETS; i++)
        if ((channels & 1u << i) != 0)
            pins |= bit(beams[i]);
    dark = pins;
}
