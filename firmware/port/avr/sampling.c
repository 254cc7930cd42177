/* Timer 0 ticks every 40 us, and each tick is one slot: it takes the reading that the
 * slot before began, switches emitters and begins its own. An emitter goes on one slot
 * before it is read and off one slot before its dark reading, so a phototransistor has
 * 40 us to follow. Lit and dark readings of one light are 80 us apart: a lamp's flicker
 * moves little in that time. */
#include "port.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <stddef.h>
#include <util/atomic.h>

enum {
    SLOTS = 16,
    FIRST_BEAM = 8,        /* the slot that reads it; a set ends with its beams */
    SETS = 4,              /* samples: being filled, being looked at, two waiting: when
                              four pieces leave their beams at once, one pass takes long */
    TOP = 2 * BOARD_SLOT_US - 1 /* of timer 0, at 2 MHz */
};

#define NONE 64            /* no pin */
#define PINS_D(pin) ((pin) < 8 ? 1u << ((pin) & 7) : 0u)
#define PINS_B(pin) ((pin) < 8 || (pin) == NONE ? 0u : 1u << ((pin) & 7))
#define EACH(part, f) \
    (f(NANO_##part##_0) | f(NANO_##part##_1) | f(NANO_##part##_2) | f(NANO_##part##_3))
enum {
    EMITTERS_D = EACH(BEAM_EMITTER, PINS_D) | EACH(SPOT_EMITTER, PINS_D),
    EMITTERS_B = EACH(BEAM_EMITTER, PINS_B) | EACH(SPOT_EMITTER, PINS_B)
};

struct slot {
    uint8_t input;         /* of the converter */
    uint8_t on_d, on_b;    /* emitters lit from the start of this slot to the next's */
    uint8_t goes;          /* which of the sample's 16 values this slot reads */
};

/* Four slots of two channels a and b: a lit, b lit, a dark, b dark. `next` is whatever
 * must already be lit for the slot after the last. */
#define SLOT(part, channel, lit, e, f)                                        \
    {NANO_##part##_##channel, (uint8_t)(PINS_D(e) | PINS_D(f)),               \
     (uint8_t)(PINS_B(e) | PINS_B(f)), (uint8_t)((channel) * 4 + (lit))}
#define FOUR(part, kind, a, b, following)                                     \
    SLOT(part, a, kind, NANO_##part##_EMITTER_##a, NANO_##part##_EMITTER_##b), \
    SLOT(part, b, kind, NANO_##part##_EMITTER_##b, NONE),                      \
    SLOT(part, a, kind + 1, NONE, NONE),                                       \
    SLOT(part, b, kind + 1, following, NONE)

static const struct slot slots[SLOTS] PROGMEM = {
    FOUR(SPOT, 2, 0, 1, NANO_SPOT_EMITTER_2),
    FOUR(SPOT, 2, 2, 3, NANO_BEAM_EMITTER_0),
    FOUR(BEAM, 0, 0, 1, NANO_BEAM_EMITTER_2),
    FOUR(BEAM, 0, 2, 3, NANO_SPOT_EMITTER_0),
};

static uint16_t sets[SETS][SLOTS]; /* each a struct sense_sample[BOARD_POCKETS] */
static uint16_t stamps[SETS];      /* timer 1 when the first beam of each was read */
static volatile uint8_t filling;   /* index of the set being filled */
static volatile uint8_t waiting;   /* whole sets, the one looked at included */
static uint8_t looking;            /* index of the oldest whole set */
static volatile uint16_t missed;
static uint8_t slot;               /* the next one to begin */
static uint16_t *reading;          /* where the conversion under way goes */
static uint8_t dark_d, dark_b;

/* The set is whole. When the main loop still holds the others this one is filled anew. */
static inline void filled(void)
{
    if (waiting < SETS - 1) {
        waiting++;
        filling = (uint8_t)(filling == SETS - 1 ? 0 : filling + 1);
    } else if (missed < UINT16_MAX) {
        missed++;
    }
}

ISR(TIMER0_COMPA_vect)
{
    const struct slot *now = &slots[slot];
    while ((ADCSRA & _BV(ADSC)) != 0) {
        /* Only when this interrupt came on time and the one before had to wait. */
    }
    *reading = ADC;
    PORTD = (uint8_t)((PORTD & (uint8_t)~EMITTERS_D) |
                      (pgm_read_byte(&now->on_d) & (uint8_t)~dark_d));
    PORTB = (uint8_t)((PORTB & (uint8_t)~EMITTERS_B) |
                      (pgm_read_byte(&now->on_b) & (uint8_t)~dark_b));
    ADMUX = (uint8_t)(_BV(REFS0) | pgm_read_byte(&now->input));
    ADCSRA |= _BV(ADSC);
    if (slot == 0)
        filled();
    else if (slot == FIRST_BEAM)
        stamps[filling] = TCNT1;
    reading = &sets[filling][pgm_read_byte(&now->goes)];
    slot = (uint8_t)((slot + 1u) % SLOTS);
}

void sampling_start(void)
{
    DDRD |= EMITTERS_D;
    DDRB |= EMITTERS_B;
    DIDR0 = 0x3F; /* A0 to A5 are no digital inputs; A6 and A7 never are */
    filling = 0;
    waiting = 0;
    looking = 0;
    missed = 0;
    slot = 1; /* the first set is whole once all slots were read */
    reading = &sets[0][0];
    dark_d = 0;
    dark_b = 0;
    ADMUX = _BV(REFS0) | NANO_SPOT_0;
    ADCSRA = _BV(ADEN) | _BV(ADSC) | _BV(ADPS2) | _BV(ADPS0); /* 500 kHz: 26 us */
    TCCR0A = _BV(WGM01);
    OCR0A = TOP;
    TCNT0 = 0;
    TIFR0 = _BV(OCF0A);
    TIMSK0 = _BV(OCIE0A);
    TCCR0B = _BV(CS01);
}

bool sampling_waits(void)
{
    return waiting > 0;
}

const struct sense_sample *sampling_next(uint32_t *tick_us)
{
    if (!sampling_waits())
        return NULL;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        *tick_us = clock_us() - (uint16_t)(TCNT1 - stamps[looking]) / 2u;
    }
    return (const struct sense_sample *)sets[looking];
}

void sampling_done(void)
{
    looking = (uint8_t)((looking + 1u) % SETS);
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        waiting--;
    }
}

uint16_t sampling_missed(void)
{
    uint16_t count;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        count = missed;
    }
    return count;
}

void sampling_dark(uint8_t channels)
{
    static const uint8_t beam[] PROGMEM = {NANO_BEAM_EMITTER_0, NANO_BEAM_EMITTER_1,
                                   NANO_BEAM_EMITTER_2, NANO_BEAM_EMITTER_3};
    uint8_t d = 0;
    uint8_t b = 0;
    for (uint8_t i = 0; i < BOARD_POCKETS; i++) {
        if ((channels & 1u << i) == 0)
            continue;
        d = (uint8_t)(d | PINS_D(pgm_read_byte(&beam[i])));
        b = (uint8_t)(b | PINS_B(pgm_read_byte(&beam[i])));
    }
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        dark_d = d;
        dark_b = b;
    }
}
