/* The light spot of a reflectance sensor, just above the beam: when a piece covered it
 * and left it, however much or little light the piece throws back.
 *
 * A piece has reached the spot's middle when half of its light comes back, but how much
 * that is, is known only later. So the times of a ladder of levels are kept as the
 * light rises, and the time of half is read between two of its steps. */
#ifndef SPOT_H
#define SPOT_H

#include <stdbool.h>
#include <stdint.h>

enum { SPOT_STEPS = 7 };   /* LIGHT_SPOT_LEAST times 1, 2, 4 ... 64 */

/* Start it zeroed. Times are in units of BOARD_UNIT_US and wrap after 655 ms. */
struct spot {
    uint16_t resting;      /* 64ths of ADC counts: what the far wall throws back */
    uint16_t rise;         /* ADC counts above that, last sample */
    uint16_t peak;         /* highest rise of the piece in the spot */
    uint16_t low;          /* lowest rise since a piece left */
    uint16_t at[SPOT_STEPS]; /* when the rise reached each step */
    uint16_t in;           /* of the piece that left: when it covered the spot */
    uint16_t out;          /* and when it uncovered it */
    uint8_t steps;         /* how many of `at` are known */
    bool on;               /* a piece is in the spot */
    bool stale;            /* for so long that `at` has wrapped */
    bool left;             /* `in` and `out` are those of a piece just gone */
};

/* Take the light thrown back, 0 to 1023, as it was at `now`. `settled` lets the resting
 * level follow. */
void spot_sample(struct spot *spot, uint16_t light, uint16_t now, bool settled);

/* Whether a piece is in the spot or has just left it; if so `entered` is when it came,
 * unless `*known` comes back false. */
bool spot_announced(struct spot *spot, uint16_t *entered, bool *known);

/* When a signal that was `before` a sample ago and is `after` at `now` stood at `level`,
 * which lies between the two. */
uint16_t spot_crossed(uint16_t now, uint16_t before, uint16_t after, uint16_t level);

#endif
