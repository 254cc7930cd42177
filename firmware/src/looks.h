/* What a piece looks like by how far it reaches along its way. */
#ifndef LOOKS_H
#define LOOKS_H

#include "messages.h"

#include <stdint.h>

/* When a piece passed; units of BOARD_UNIT_US that wrap. */
struct looks_times {
    uint16_t entered;      /* the spot, with its front */
    uint16_t broke;        /* the beam, with its front */
    uint16_t left;         /* the spot, with its end */
    uint16_t whole;        /* the beam, with its end */
};

/* How far a piece reaches along its way, in um, if spot and beam are `spacing_um` apart
 * and it moved with steady acceleration; 0 when the times do not fit that. */
uint32_t looks_reach_um(const struct looks_times *times, uint16_t spacing_um);

/* What reaches that far; `notched` when the beam saw light in between. */
enum msg_looks looks_like(uint32_t reach_um, bool notched);

#endif
