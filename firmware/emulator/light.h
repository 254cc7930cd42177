/* What the chip's converter reads: light on its receivers, by the scene in each pocket
 * and by the emitters that the firmware has switched on. */
#ifndef LIGHT_H
#define LIGHT_H

#include "optics.h"

#include <simavr/sim_avr.h>
#include <stdbool.h>
#include <stdint.h>

/* Wire receivers and emitters up, as in firmware/board.toml. */
void light_wire(avr_t *avr);
/* The readings' noise begins anew. */
void light_seed(uint64_t seed);
/* The scene in a pocket, 0 to POCKETS - 1. */
struct scene *light_scene(int pocket);
/* Let one of its values, named as in optics.h, change at a time; false for no such
 * value or too many changes. */
bool light_plan(int pocket, double at_s, const char *name, double to);

#endif
