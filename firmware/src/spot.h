/* The light spot of a reflectance sensor, just above the beam: when a piece covered it
 * and left it, however much or little light the piece throws back.
 *
 * A piece has reached the spot's middle when half of its light comes back, but how much
 * that is, is known only later. So as the light rises the times are kept when it reached the last
 * two steps of a ladder of levels, each twice the one below: half of the peak always
 * lies between these two. */
#ifndef SPOT_H
#define SPOT_H

#include <stdbool.h>
#include <stdint.h>

/* Start it zeroed. Times are in units of BOARD_UNIT_US and wrap after 655 ms. */
struct spot {
    uint16_t resting;      /* ADC counts: what the far wall throws back */
    uint16_t rise;         /* ADC counts above that, last sample */
    uint16_t peak;         /* highest rise of the piece in the spot */
    uint16_t low;          /* lowest rise since a piece left */
    uint16_t lower;        /* when the rise reached the last step but one */
    uint16_t upper;        /* and the last one */
    uint16_t in;           /* of the piece that left: when it covered the spot */
    uint16_t out;          /* and when it uncovered it */
    int8_t drift;          /* samples that the wall was brighter, less those darker */
    uint8_t steps : 4;     /* how many it has reached, LIGHT_SPOT_LEAST the first */
    bool on : 1;           /* a piece is in the spot */
    bool stale : 1;        /* for so long that its times have wrapped */
    bool left : 1;         /* `in` and `out` are those of a piece just gone */
};

/* Take the light thrown back, 0 to 1023, as it was at `now`. `settled` lets the resting
 * level follow. */
void spot_sample(struct spot *spot, uint16_t light, uint16_t now, bool settled);

/* Whether a piece is in the spot or has just left it; if so `entered` is when it came,
 * unless `*known` comes back false. */
bool spot_announced(struct spot *spot, uint16_t *entered, bool *known);

/* Let a resting level follow its signal: a count after `slow` samples on one side. */
void spot_follow(uint16_t *level, int8_t *drift, uint16_t signal, int8_t slow);

/* When a signal that was `before` a sample ago and is `after` at `now` stood at `level`,
 * which lies between the two. */
uint16_t spot_crossed(uint16_t now, uint16_t before, uint16_t after, uint16_t level);

#endif
