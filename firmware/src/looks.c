#include "looks.h"

#include "board.h"

enum {
    SHORTEST = 10,         /* units (0.1 ms) a piece at least takes from spot to beam */
    LONGEST = 32000,       /* units: beyond, the times have wrapped or are no passage */
    SPEEDS_UP = 6,         /* from rest to 1 m/s within a striker is less than this */
    FASTEST = 256L * BOARD_UNIT_US * 10 /* 256ths of um per unit: 10 m/s */
};

/* Two speeds in the order of time and when they held; the piece passed the beam
 * between. Steady acceleration makes the speed at the middle of the passage their
 * mean, corrected for that the middle lies later than halfway between the two. */
uint32_t looks_reach_um(const struct looks_times *times, uint16_t spacing_um)
{
    uint16_t came = (uint16_t)(times->broke - times->entered);
    uint16_t went = (uint16_t)(times->whole - times->left);
    uint16_t width = (uint16_t)(times->whole - times->broke);
    if (came < SHORTEST || went < SHORTEST || came > LONGEST || went > LONGEST)
        return 0;
    int32_t first = (int32_t)((uint32_t)spacing_um * 256 / came);
    int32_t last = (int32_t)((uint32_t)spacing_um * 256 / went);
    if (first > FASTEST || last > FASTEST || last > SPEEDS_UP * first || 2 * last < first)
        return 0;
    int32_t apart = (int32_t)width + (came - (int32_t)went) / 2;
    if (apart <= 0)
        return 0;
    int32_t later = ((int32_t)came + went) / 4;
    int32_t speed = (first + last) / 2 + (last - first) * later / apart;
    return speed <= 0 ? 0 : (uint32_t)speed * width / 256;
}

static bool within(uint32_t value, uint32_t least, uint32_t most)
{
    return value >= least && value <= most;
}

enum msg_looks looks_like(uint32_t reach_um, bool notched)
{
    if (within(reach_um, SIZE_TWO_COINS_LEAST, SIZE_TWO_COINS_MOST))
        return MSG_LOOKS_TWO_COINS;
    if (!notched && within(reach_um, SIZE_COIN_LEAST, SIZE_COIN_MOST))
        return MSG_LOOKS_ONE_COIN;
    if (!notched && within(reach_um, SIZE_STRIKER_LEAST, SIZE_STRIKER_MOST))
        return MSG_LOOKS_STRIKER;
    return MSG_LOOKS_UNSURE;
}
