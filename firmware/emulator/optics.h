/* The light in a pocket: pieces of wood that fall through a beam and past a light spot,
 * lamps, wires. Knows nothing of the firmware; geometry and physics alone.
 *
 * Coordinates of a pocket: s downwards along the fall in mm, 0 at the beam; x across.
 * The beam runs along the third axis, which is the diagonal of the table, so a piece
 * that tips over the rim turns about x. */
#ifndef OPTICS_H
#define OPTICS_H

#include <stdbool.h>

enum { POCKETS = 4, PIECES = 64 };

/* A piece on its way down. It moves evenly until its front reaches the spot, then
 * falls with `g`; at `floor_mm` it bounces once, and then lies there. */
struct piece {
    double beam_s;       /* when its front reaches the middle of the beam */
    double spot_s;       /* likewise of the spot: worked out */
    double diameter_mm, thick_mm;
    double tilt_rad;     /* 0: on edge, its face towards the beam; pi/2: flat */
    double offset_mm;    /* of its middle from the beam, along x */
    double speed_mm_s;   /* when its front reaches the spot */
    double g_mm_s2;
    double albedo;       /* light thrown back, 0 to 1 */
    double slope;        /* how that changes from front to end, for its distance does */
    double floor_mm;     /* below the beam */
    double bounce;       /* speed kept there, 0 to 1 */
    double hit_s, hit_mm_s, rest_s; /* worked out */
};

/* One pocket's parts and surroundings, in ADC counts of 1023 where not said otherwise. */
struct scene {
    struct piece pieces[PIECES];
    int count;
    double beam;         /* light of the emitter that arrives, 0 when it is dead */
    double spot;         /* light of a white piece in the spot */
    double wall;         /* light of the far wall in the spot */
    double shade;        /* part of the beam that something still keeps off, 0 to 1 */
    double cover;        /* part of the spot that it fills, 0 to 1 */
    double ambient;      /* foreign light, its mean */
    double flicker;      /* and how far it swings */
    double lamp_hz;      /* how often */
    double noise;        /* standard deviation of a reading */
    double loose;        /* 1: the receiver's wire is off */
    double beam_spacing_mm; /* from the spot down to the beam */
};

void optics_start(struct scene *scene);
/* False when too many pieces are in the air. */
bool optics_add(struct scene *scene, struct piece piece);
/* Part of the emitter's light that the beam lets through, 0 to 1. */
double optics_beam(struct scene *scene, double at_s);
/* Light that comes back from the spot, ADC counts. */
double optics_spot(const struct scene *scene, double at_s);
double optics_ambient(const struct scene *scene, double at_s);

#endif
