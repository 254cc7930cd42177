#include "spot.h"

#include "board.h"

enum {
    STEPS = 7,             /* 8, 16, 32 ... 512 counts */
    DRIFT = 50             /* samples to a count: at most 31 counts a second */
};
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

void spot_follow(uint16_t *level, int8_t *drift, uint16_t signal, int8_t slow)
{
    if (signal == *level)
        return;
    *drift = (int8_t)(signal > *level ? *drift + 1 : *drift - 1);
    if (*drift < slow && *drift > -slow)
        return;
    *level = (uint16_t)(*drift > 0 ? *level + 1 : *level - 1);
    *drift = 0;
}

static uint16_t step(uint8_t number)
{
    return (uint16_t)(LIGHT_SPOT_LEAST << number);
}

/* When the rise stood at half of the peak. A step above it would have been reached. */
static uint16_t covered(const struct spot *spot)
{
    uint16_t half = spot->peak / 2;
    if (spot->steps < 2)
        return spot->upper;
    uint16_t below = step((uint8_t)(spot->steps - 2));
    if (half <= below)
        return spot->lower;
    uint16_t took = (uint16_t)(spot->upper - spot->lower);
    return (uint16_t)(spot->lower + (uint32_t)took * (uint16_t)(half - below) / below);
}

static void climb(struct spot *spot, uint16_t before, uint16_t now)
{
    while (spot->steps < STEPS && spot->rise >= step(spot->steps)) {
        uint16_t level = step(spot->steps);
        spot->lower = spot->upper;
        spot->upper = before < level ? spot_crossed(now, before, spot->rise, level) : now;
        spot->steps++;
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
    spot->stale = spot->stale || (uint16_t)(now - spot->upper) > STALE;
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
    spot->rise = (uint16_t)(light > spot->resting ? light - spot->resting : 0);
    if (spot->on) {
        covering(spot, before, now);
        return;
    }
    waiting(spot, before, now);
    if (settled && !spot->on)
        spot_follow(&spot->resting, &spot->drift, light, DRIFT);
}

bool spot_announced(struct spot *spot, uint16_t *entered, bool *known)
{
    if (!spot->on) {
        *entered = spot->in;
        *known = spot->left;
        return spot->left || spot->rise >= LIGHT_SPOT_LEAST;
    }
    *known = !spot->stale && spot->peak >= 2 * LIGHT_SPOT_LEAST;
    *entered = covered(spot);
    spot->left = false;
    spot->peak = spot->rise; /* its end is measured by the light of its end */
    return true;
}
