/* One pocket's sensor: a beam across the throat and, a little above it, the light spot
 * of a reflectance sensor. Samples go in, falls and states come out. Portable: no
 * pins, no clock, no allocation.
 *
 * Theory of operation. Each sample holds readings with an emitter on and off; their
 * difference is the node's own light, so sun and lamps drop out. A beam that falls by
 * `threshold` below its resting level is broken, and whole again when it has risen by
 * `hysteresis` above that. The resting level follows slowly, and never while something
 * is in the beam or the spot.
 *
 * How wide a break is says nothing about what fell: speeds differ by ten, coin and
 * striker by 1.3. But a piece covers the spot first and the beam next, and leaves them
 * in that order. The two delays over a known distance are its speed as it came and as
 * it went, speed times width is how far it reaches along its way, and that tells a coin
 * (at most 33 mm, its diagonal) from a striker (37 mm and more unless it tumbles by
 * over 40 degrees) and from two coins on each other's heels. Times are taken where
 * the light stands at half, between samples. What does not fit is `unsure`.
 *
 * The order of spot and beam is also the direction: a break that no spot announced,
 * soon after a piece, is that piece bouncing back, or chatter. */
#ifndef SENSE_H
#define SENSE_H

#include "board.h"
#include "link.h"
#include "spot.h"

#include <stdbool.h>
#include <stdint.h>

/* Readings of one pocket, ADC counts, 0 to 1023. */
struct sense_sample {
    uint16_t lit;          /* beam, emitter on */
    uint16_t dark;         /* beam, emitter off */
    uint16_t spot_lit;     /* reflectance, emitter on */
    uint16_t spot_dark;    /* reflectance, emitter off */
};

struct sense_settings {
    uint16_t threshold;      /* ADC counts, 1 to 1023 */
    uint16_t hysteresis;     /* ADC counts, less than threshold */
    uint16_t least_width_us;
    uint16_t rearm_us;
    uint16_t spacing_um;     /* spot above beam, 0 for no spot */
};

enum sense_phase {
    SENSE_LEARNING,        /* no resting level yet */
    SENSE_WHOLE,
    SENSE_BROKEN,
    SENSE_STUCK,           /* broken for too long, or dead: until the beam is whole */
    SENSE_BLIND,           /* foreign light, or just after it */
    SENSE_TESTING          /* the emitter is being switched */
};

/* One pocket; written by the functions below alone. */
struct sense {
    struct sense_settings settings;
    struct spot spot;
    uint16_t resting;      /* ADC counts; 0 when not learnt */
    uint16_t beam;         /* ADC counts, lit less dark */
    uint16_t reflectance;  /* likewise, of the spot */
    uint16_t ambient;      /* ADC counts, emitter off */
    uint16_t spot_dark;    /* likewise, of the spot */
    uint16_t brightest;    /* ambient at its worst during the break */
    uint16_t lowest;       /* beam at its lowest during the break */
    uint16_t turned;       /* beam where it last turned */
    uint16_t now;          /* units of BOARD_UNIT_US, wraps, as do the next three */
    uint16_t broke;        /* when the beam stood at half, or broke */
    uint16_t whole;        /* when it stood at half again */
    uint16_t entered;      /* when the piece covered the spot */
    uint16_t since;        /* samples in this phase; stops at the maximum */
    uint16_t quiet;        /* samples since a fall was told; stops at the maximum */
    uint16_t deepest;      /* deepest fall of the beam since it was asked */
    uint16_t breaks;       /* since the start, wraps */
    int8_t drift;          /* samples that the beam was brighter, less those darker */
    uint8_t load;          /* breaks of the last second, weighed */
    uint8_t leak;          /* samples until one of them is forgotten */
    uint8_t phase : 3;     /* enum sense_phase */
    uint8_t health : 2;    /* enum msg_health */
    uint8_t dazzled : 2;   /* blinding samples in a row, up to DAZZLED */
    bool half : 1;         /* `broke` is when the beam stood at half */
    bool announced : 1;    /* a piece was in the spot when the beam broke */
    bool known : 1;        /* `entered` is */
    bool rising : 1;       /* the beam rises within the break */
    bool notched : 1;      /* and has fallen again */
    bool spot_works : 1;   /* it has announced a piece before */
    bool refused : 1;      /* a break was no fall: there are not so many pieces */
};

/* Begin; the resting level is learnt from the first samples. */
void sense_init(struct sense *sense, const struct sense_settings *settings);

/* Take one sample, every BOARD_PERIOD_US; `tick_us` is the node's clock when its beam
 * was read. True when `fall` holds a fall (all but its pocket). */
bool sense_sample(struct sense *sense, const struct sense_sample *sample, uint32_t tick_us,
                  struct link_fall *fall);

/* Whether a self-test may begin: nothing is falling, or fell just now. */
bool sense_idle(const struct sense *sense);

/* Begin a self-test: the caller keeps the emitters dark for half its samples, then lets
 * them be switched again. sense_sample() finds nothing until sense_tested(). */
void sense_test(struct sense *sense);

/* End it. A beam that passed is learnt anew. */
void sense_tested(struct sense *sense, bool passed);

#endif
