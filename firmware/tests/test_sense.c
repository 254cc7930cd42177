/* The sensing core in the light of emulator/optics.c, without a chip: thousands of falls
 * in a second. Closes with "N passed, N failed". */
#include "optics.h"
#include "sense.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FALLS = 400, NONE = 255 };
static const double SAMPLE_S = 640e-6;

static int passed, failed;
static uint32_t random_state = 1;

static void check(bool holds, const char *what)
{
    passed += holds;
    failed += !holds;
    if (!holds)
        printf("FAILED: %s\n", what);
}

static double between(double least, double most)
{
    random_state = random_state * 1664525u + 1013904223u;
    return least + (most - least) * (random_state >> 8) / 16777216.0;
}

/* One pocket in its light, and what was told of it last. */
struct bench {
    struct scene scene;
    struct sense sense;
    double now_s;
    unsigned falls;
    uint8_t looks;
};

static uint16_t reading(double light, double noise)
{
    double read = light + between(-2, 2) * noise + 0.5;
    return (uint16_t)fmin(1023, fmax(0, read));
}

static void run(struct bench *bench, double for_s)
{
    struct link_fall fall;
    struct scene *scene = &bench->scene;
    for (double end_s = bench->now_s + for_s; bench->now_s < end_s; bench->now_s += SAMPLE_S) {
        double at_s = bench->now_s;
        double foreign = optics_ambient(scene, at_s);
        const struct sense_sample sample = {
            .lit = reading(foreign + optics_beam(scene, at_s), scene->noise),
            .dark = reading(optics_ambient(scene, at_s + 80e-6), scene->noise),
            .spot_lit = reading(optics_ambient(scene, at_s - 320e-6) +
                                optics_spot(scene, at_s - 320e-6), scene->noise),
            .spot_dark = reading(optics_ambient(scene, at_s - 240e-6), scene->noise),
        };
        if (!sense_sample(&bench->sense, &sample, (uint32_t)(at_s * 1e6), &fall))
            continue;
        bench->falls++;
        bench->looks = fall.looks;
    }
}

static void start(struct bench *bench)
{
    const struct sense_settings settings = {
        BOARD_THRESHOLD, BOARD_HYSTERESIS, BOARD_LEAST_WIDTH_US, BOARD_REARM_US,
        BOARD_SPACING_UM};
    memset(bench, 0, sizeof *bench);
    optics_start(&bench->scene);
    sense_init(&bench->sense, &settings);
    run(bench, 0.1);
}

/* Let a piece of this size fall, any way that keeps it on edge; what it looked like. */
static uint8_t drop(struct bench *bench, double least_mm, double most_mm)
{
    struct piece piece = {
        .beam_s = bench->now_s + 0.1,
        .diameter_mm = between(least_mm, most_mm),
        .thick_mm = between(7, 9),
        .tilt_rad = between(0, 0.6),
        .speed_mm_s = between(300, 3000),
        .g_mm_s2 = between(0, 9810),
        .albedo = between(0.1, 0.8),
        .slope = between(-0.15, 0.15),
        .floor_mm = 80,
    };
    double room_mm = (44.5 - piece.diameter_mm) / 2;
    piece.offset_mm = between(-room_mm, room_mm);
    unsigned before = bench->falls;
    (void)optics_add(&bench->scene, piece);
    run(bench, 0.4);
    return bench->falls == before + 1 ? bench->looks : NONE;
}

static void pieces_on_edge_are_told_apart(double flicker)
{
    static struct bench bench;
    unsigned right = 0;
    unsigned lost = 0;
    start(&bench);
    bench.scene.ambient = 220;
    bench.scene.flicker = flicker;
    run(&bench, 0.1);
    for (int i = 0; i < FALLS; i++) {
        bool striker = i % 3 == 0;
        uint8_t looks = striker ? drop(&bench, 40.5, 41.3) : drop(&bench, 30.2, 31.8);
        lost += looks == NONE;
        right += looks == (striker ? MSG_LOOKS_STRIKER : MSG_LOOKS_ONE_COIN);
    }
    check(lost == 0, "each fall is told once");
    check(right * 100 >= FALLS * 99, "99 of 100 by their name");
}

/* Whatever the readings, nothing is told that the rate does not allow. */
static void noise_is_never_more_than_the_table_holds(void)
{
    struct link_fall fall;
    static struct bench bench;
    unsigned falls = 0;
    start(&bench);
    for (int i = 0; i < 200000; i++) {
        const struct sense_sample sample = {
            .lit = (uint16_t)between(0, 1024), .dark = (uint16_t)between(0, 1024),
            .spot_lit = (uint16_t)between(0, 1024), .spot_dark = (uint16_t)between(0, 1024)};
        falls += sense_sample(&bench.sense, &sample, (uint32_t)i * BOARD_PERIOD_US, &fall);
    }
    check(falls <= RATE_MOST * (200000u * BOARD_PERIOD_US / 1000000u + 2u), "20 in a second");
}

static void the_resting_level_is_frozen_for_as_long_as_something_is_there(void)
{
    static struct bench bench;
    start(&bench);
    uint16_t before = bench.sense.resting;
    for (double shade = 0.35; shade < 1; shade += 0.05) {
        bench.scene.shade = shade;
        run(&bench, 2);
        check(bench.sense.resting == before, "whatever the shade");
    }
}

int main(void)
{
    pieces_on_edge_are_told_apart(0);
    pieces_on_edge_are_told_apart(150);
    noise_is_never_more_than_the_table_holds();
    the_resting_level_is_frozen_for_as_long_as_something_is_there();
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0 || passed == 0;
}
