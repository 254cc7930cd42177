#include "spot.h"

#include "board.h"

#include <stddef.h>

#define GONE 20000u        /* units (200 ms) after which a piece that left is history */
#define STALE 50000u       /* units (500 ms) after which times begin to wrap */

uint16_t spot_crossed(uint16_t now, uint16_t before, uint16_t after, uint16_t level)
{
    uint16_t span = (uint16_t)(before > after ? before - after : after - before);
    uint16_t past = (uint16_t)(after > level ? after - level : level - after);
    if (past >= span) /* also when nothing moved */
        return (uint16_t)(now - BOARD_UNITS);
    return (uint16_t)(now - (uint16_t)(past * BOARD_UNITS) / span);
}

static uint16_t step(uint8_t number)
{
    return (uint16_t)(LIGHT_SPOT_LEAST << number);
}

/* When the rise stood at half of the peak, from the ladder. */
static uint16_t covered(const struct spot *spot)
{
    uint16_t half = spot->peak / 2;
    uint8_t above = 1;
    while (above < spot->steps && step(above) <= half)
        above++;
    if (half <= LIGHT_SPOT_LEAST || above >= spot->steps)
        return spot->at[above - 1];
    uint16_t took = (uint16_t)(spot->at[above] - spot->at[above - 1]);
    uint16_t below = step((uint8_t)(above - 1));
    return (uint16_t)(spot->at[above - 1] + (uint32_t)took * (uint16_t)(half - below) / below);
}

static void climb(struct spot *spot, uint16_t before, uint16_t now)
{
    while (spot->steps < SPOT_STEPS && spot->rise >= step(spot->steps)) {
        uint16_t level = step(spot->steps);
        spot->at[spot->steps++] =
            before < level ? spot_crossed(now, before, spot->rise, level) : now;
    }
    if (spot->rise > spot->peak)
        spot->peak = spot->rise;
}

static void waiting(struct spot *spot, uint16_t before, uint16_t now)
{
    if (spot->left && (uint16_t)(now - spot->out) > GONE)
        spot->left = false;
    if (spot->rise < spot->low)
        spot->low = spot->rise;
    if (spot->rise < spot->low + spot->low / 2 + LIGHT_SPOT_LEAST)
        return;
    spot->on = true;
    spot->stale = false;
    spot->peak = 0;
    spot->steps = 0;
    climb(spot, before, now);
}

static void covering(struct spot *spot, uint16_t before, uint16_t now)
{
    climb(spot, before, now);
    spot->stale = spot->stale || (uint16_t)(now - spot->at[0]) > STALE;
    if (spot->rise >= spot->peak / 2)
        return;
    spot->left = !spot->stale && spot->peak >= 2 * LIGHT_SPOT_LEAST;
    spot->in = covered(spot);
    spot->out = spot_crossed(now, before, spot->rise, spot->peak / 2);
    spot->on = false;
    spot->low = spot->rise;
}

void spot_sample(struct spot *spot, uint16_t light, uint16_t now, bool settled)
{
    uint16_t before = spot->rise;
    uint16_t resting = spot->resting / 64;
    spot->rise = light > resting ? (uint16_t)(light - resting) : 0;
    if (spot->on) {
        covering(spot, before, now);
        return;
    }
    waiting(spot, before, now);
    if (settled && !spot->on && light > resting)
        spot->resting++;
    else if (settled && !spot->on && spot->resting > 0)
        spot->resting--;
}

bool spot_announced(struct spot *spot, uint16_t *entered, bool *known)
{
    if (!spot->on) {
        *entered = spot->in;
        *known = spot->left;
        return spot->left;
    }
    *known = !spot->stale && spot->peak >= 2 * LIGHT_SPOT_LEAST;
    *entered = covered(spot);
    spot->left = false;
    spot->peak = spot->rise; /* its end is measured by the light of its end */
    return true;
}
